"""The board: hexes, areas and boxes as numbered nodes, with terrain, hexsides, lines and places.

A game's ``data/map.toml`` is the source. Nodes are small integers: the hexes first, by label, then areas and
boxes in the order of the file. Rules ask the board in words (``board.crosses(a, b, "river")``) when the game is
loaded, and tabulate the answers once (``board.costs``, ``board.steps``) for play.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, cast

from counterblow.kernel.data import need
from counterblow.kernel.errors import DataError, unknown
from counterblow.kernel.graph import COMPILED, Graph, Steps
from counterblow.kernel.hexes import Grid
from counterblow.kernel.plain import PlainGraph

Pair = tuple[int, int]


@dataclass(frozen=True)
class Place:
    """A named place: a city, a town, an objective."""

    name: str
    kind: str
    nodes: tuple[int, ...]


@dataclass(frozen=True)
class Area:
    """A space that is not a hex: an area that borders hexes, or a box beside the map (kind "box")."""

    id: str
    kind: str
    name: str
    node: int
    borders: tuple[int, ...]


@dataclass(frozen=True)
class Line:
    """A hexside feature or a line through hexes, as the map draws it: (kind, name, pairs of nodes)."""

    kind: str
    name: str
    pairs: tuple[Pair, ...]


class Board:
    """The map of a game. Immutable once loaded."""

    def __init__(self, table: dict[str, Any], where: str = "map.toml") -> None:
        self.where = where
        self.table = table  # the file as it was read: drawings use its hints
        self.title: str = need(table, "title", str, where)
        self.provenance: str = need(table, "provenance", str, where)
        self.note: str = table.get("note", "")
        rows = _read_rows(need(table, "terrain", dict, where), where)
        self.grid = _read_grid(need(table, "grid", dict, where), rows, where)
        self.hexes = len(self.grid.labels)
        self._axial = tuple(self.grid.axial(label) for label in self.grid.labels)
        self._circles: dict[tuple[int, int], frozenset[int]] = {}
        self.areas = self._read_areas(table.get("areas", []))
        self.labels: tuple[str, ...] = self.grid.labels + tuple(area.id for area in self.areas)
        self.size = len(self.labels)
        self._number = {label: node for node, label in enumerate(self.labels)}
        if len(self._number) < self.size:
            raise DataError(f"{where}: two areas, or an area and a hex, have the same id")
        self.areas = tuple(self._with_borders(area, raw) for area, raw in zip(
            self.areas, table.get("areas", []), strict=True))  # fmt: skip
        self.terrain = _read_terrain(table["terrain"], rows, self.grid, where) + tuple(area.kind for area in self.areas)
        self.around = self._adjacency()
        rim = [node for node in range(self.hexes) if sum(n < self.hexes for n in self.around[node]) < 6]
        self.edge_hexes = frozenset(rim)  # those with fewer than six neighbours
        self.graph, self.step_of, self.step_pairs = self._number_steps()
        self.side_lines = self._read_sides(table.get("sides", []))
        self.link_lines = self._read_links(table.get("links", []))
        self.places = self._read_places(table.get("places", []))
        self._place_at = {node: place for place in self.places for node in place.nodes}
        self._tags = self._read_tags(table.get("tags", []))
        self._crossings = _pairs_by_kind(self.side_lines)
        self._links = _pairs_by_kind(self.link_lines)

    # names and numbers

    def node(self, label: str) -> int:
        """The number of a hex or area; the error suggests what was meant."""
        try:
            return self._number[label]
        except KeyError:
            raise KeyError(f"{self.where}: " + unknown("hex or area", label, self.labels)) from None

    def nodes(self, labels: Iterable[str]) -> tuple[int, ...]:
        """The numbers of several hexes or areas."""
        return tuple(self.node(label) for label in labels)

    def __contains__(self, label: object) -> bool:
        return label in self._number

    def is_hex(self, node: int) -> bool:
        """A hex, and not an area or a box?"""
        return 0 <= node < self.hexes

    def distance(self, here: int, there: int) -> int:
        """In hexes; only between hexes."""
        (q, r), (p, o) = self._axial[here], self._axial[there]
        return (abs(q - p) + abs(r - o) + abs(q + r - p - o)) // 2

    def direction(self, here: int, there: int) -> str:
        """The way from a hex to one next to it: "NE", "S"."""
        return self.grid.direction(self.labels[here], self.labels[there])

    def line(self, here: int, there: int) -> list[int]:
        """Nodes that a straight line touches (see Grid.line)."""
        return [self._number[label] for label in self.grid.line(self.labels[here], self.labels[there])]

    def within(self, centre: int, radius: int) -> list[int]:
        """Hexes at most ``radius`` away, the centre included."""
        q, r = self._axial[centre]
        found = []
        for dq in range(-radius, radius + 1):
            for dr in range(max(-radius, -dq - radius), min(radius, radius - dq) + 1):
                label = self.grid.at(q + dq, r + dr)
                if label is not None:
                    found.append(self._number[label])
        return sorted(found)

    def circle(self, centre: int, radius: int) -> frozenset[int]:
        """The same as a set, remembered."""
        found = self._circles.get((centre, radius))
        if found is None:
            found = self._circles[centre, radius] = frozenset(self.within(centre, radius))
        return found

    # what the rules ask

    def crosses(self, here: int, there: int, kind: str) -> bool:
        """Is there such a hexside feature between two nodes, seen from ``here``?"""
        return (here, there) in self._crossings.get(kind, frozenset())

    def linked(self, here: int, there: int, kind: str) -> bool:
        """Does such a line (road, railway, ferry) join two nodes?"""
        return (here, there) in self._links.get(kind, frozenset())

    def tagged(self, kind: str) -> frozenset[int]:
        """The nodes that the map marks with a tag; empty if there is none."""
        return self._tags.get(kind, frozenset())

    def along(self, kind: str) -> frozenset[int]:
        """The nodes that a kind of line (road, railway) runs through."""
        return frozenset(a for a, _ in self._links.get(kind, frozenset()))

    def place(self, name: str) -> Place:
        """The place of a name; the error suggests what was meant."""
        for place in self.places:
            if place.name == name:
                return place
        raise KeyError(f"{self.where}: " + unknown("place", name, [p.name for p in self.places]))

    def of_terrain(self, *kinds: str) -> frozenset[int]:
        """All nodes of these kinds of terrain."""
        return frozenset(node for node, terrain in enumerate(self.terrain) if terrain in kinds)

    def place_at(self, node: int) -> Place | None:
        """The town, peak or other place in a hex, if there is one."""
        return self._place_at.get(node)

    # answers tabulated for play, one entry per step of the graph

    def costs(self, price: Callable[[int, int], int | None]) -> array[int]:
        """A table of movement costs from a rule: ``price(here, there)``, None where the step is barred."""
        return array("h", [-1 if (p := price(a, b)) is None else p for a, b in self.step_pairs])

    def steps(self, allowed: Callable[[int, int], bool]) -> Steps:
        """The steps across which something is allowed."""
        return Steps(self.flags(allowed))

    def flags(self, holds: Callable[[int, int], bool]) -> bytes:
        """One byte per step of the graph: 1 where something holds from one hex to the next."""
        return bytes([1 if holds(a, b) else 0 for a, b in self.step_pairs])

    def neighbours(self, holds: Callable[[int, int], bool]) -> tuple[tuple[int, ...], ...]:
        """Per node: those next to it for which something holds from there to them."""
        return tuple([tuple([b for b in near if holds(a, b)]) for a, near in enumerate(self.around)])

    def mask(self, nodes: Iterable[int]) -> bytes:
        """One byte per node: 1 for those named."""
        flags = bytearray(self.size)
        for node in nodes:
            flags[node] = 1
        return bytes(flags)

    def _repr_svg_(self) -> str:
        from counterblow import atlas

        return atlas.draw(self)

    # reading the file

    def _read_areas(self, entries: list[dict[str, Any]]) -> tuple[Area, ...]:
        areas = []
        for number, entry in enumerate(entries):
            where = f"{self.where}: areas number {number + 1}"
            area_id = need(entry, "id", str, where)
            kind = entry.get("kind", "area")
            areas.append(Area(area_id, kind, entry.get("name", area_id), self.hexes + number, ()))
        return tuple(areas)

    def _with_borders(self, area: Area, entry: dict[str, Any]) -> Area:
        return Area(area.id, area.kind, area.name, area.node, self._named(entry.get("borders", []), area.id))

    def _named(self, labels: list[str], entry: str) -> tuple[int, ...]:
        for label in labels:
            if label not in self._number:
                raise DataError(f"{self.where}: {entry}: " + unknown("hex or area", label, self.labels))
        return tuple(self._number[label] for label in labels)

    def _adjacency(self) -> tuple[tuple[int, ...], ...]:
        around: list[list[int]] = [
            [self._number[there] for _, there in self.grid.neighbours(label)] for label in self.grid.labels
        ]
        around.extend([] for _ in self.areas)
        for area in self.areas:
            for node in area.borders:
                for a, b in ((area.node, node), (node, area.node)):
                    if b not in around[a]:
                        around[a].append(b)
        return tuple(tuple(nodes) for nodes in around)

    def _number_steps(self) -> tuple[Graph, dict[Pair, int], tuple[Pair, ...]]:
        first: list[int] = [0]
        pairs: list[Pair] = []
        for here, nodes in enumerate(self.around):
            pairs.extend((here, there) for there in nodes)
            first.append(len(pairs))
        target = [there for _, there in pairs]
        graph = Graph(first, target) if COMPILED else cast(Graph, PlainGraph(first, target))
        return graph, {pair: step for step, pair in enumerate(pairs)}, tuple(pairs)

    def _read_sides(self, entries: list[dict[str, Any]]) -> tuple[Line, ...]:
        lines = []
        for number, entry in enumerate(entries):
            where = f"{self.where}: sides number {number + 1} ({entry.get('name', entry.get('kind', '?'))})"
            pairs: list[Pair] = []
            for text in need(entry, "between", list, where):
                match = re.fullmatch(r"(\S+?)([/<])(\S+)", str(text))
                if match is None:
                    raise DataError(f'{where}: "{text}" should be like "0912/1011" or "0405<0306"')
                a, b = self._named([match[1], match[3]], where.partition(": ")[2])
                if b not in self.around[a]:
                    raise DataError(f"{where}: {match[1]} and {match[3]} are not adjacent")
                pairs.append((a, b))
                if match[2] == "/":
                    pairs.append((b, a))
            lines.append(Line(need(entry, "kind", str, where), entry.get("name", ""), tuple(pairs)))
        return tuple(lines)

    def _read_links(self, entries: list[dict[str, Any]]) -> tuple[Line, ...]:
        lines = []
        for number, entry in enumerate(entries):
            where = f"{self.where}: links number {number + 1} ({entry.get('name', entry.get('kind', '?'))})"
            nodes = self._named(need(entry, "hexes", list, where), where.partition(": ")[2])
            pairs: list[Pair] = []
            for a, b in pairwise(nodes):
                if b not in self.around[a] and not entry.get("far", False):
                    raise DataError(f"{where}: {self.labels[a]} and {self.labels[b]} are not adjacent")
                pairs += [(a, b), (b, a)]
            lines.append(Line(need(entry, "kind", str, where), entry.get("name", ""), tuple(pairs)))
        return tuple(lines)

    def _read_places(self, entries: list[dict[str, Any]]) -> tuple[Place, ...]:
        places = []
        for number, entry in enumerate(entries):
            where = f"{self.where}: places number {number + 1}"
            name = need(entry, "name", str, where)
            nodes = self._named(need(entry, "hexes", list, where), f"places ({name})")
            places.append(Place(name, need(entry, "kind", str, where), nodes))
        return tuple(places)

    def _read_tags(self, entries: list[dict[str, Any]]) -> dict[str, frozenset[int]]:
        tags: dict[str, frozenset[int]] = {}
        for number, entry in enumerate(entries):
            kind = need(entry, "kind", str, f"{self.where}: tags number {number + 1}")
            nodes = self._named(need(entry, "hexes", list, f"{self.where}: tags ({kind})"), f"tags ({kind})")
            tags[kind] = tags.get(kind, frozenset()) | frozenset(nodes)
        return tags


OFF_MAP = "-"  # the symbol of a place on paper that is no hex of the map


def _read_rows(terrain: dict[str, Any], where: str) -> list[list[str]]:
    """The symbols of the terrain as they lie on paper, row by row."""
    text = need(terrain, "hexes", str, f"{where}: terrain")
    return [line.split() for line in text.splitlines() if line.strip()]


def _read_grid(table: dict[str, Any], rows: list[list[str]], where: str) -> Grid:
    where = f"{where}: grid"
    for key, words in (("orientation", ("flat", "pointy")), ("rows_run", ("down", "up")), ("shifted", ("odd", "even"))):
        if table.get(key, words[0]) not in words:
            raise DataError(f'{where}: "{key}" should be {" or ".join(words)}, not {table[key]!r}')
    first = table.get("first", "0101")
    if not re.fullmatch(r"\d{4}", first):
        raise DataError(f'{where}: "first" should be a label of four digits, not {first!r}')
    grid = Grid(
        orientation=need(table, "orientation", str, where),
        columns=need(table, "columns", int, where),
        rows=need(table, "rows", int, where),
        rows_run=table.get("rows_run", "down"),
        shifted=need(table, "shifted", str, where),
        first_column=int(first[:2]),
        first_row=int(first[2:]),
    )
    off_map = [(c, r) for r, row in enumerate(rows) for c, symbol in enumerate(row) if symbol == OFF_MAP]
    return replace(grid, missing=frozenset(grid.label_at(column, row) for column, row in off_map))


def _read_terrain(terrain: dict[str, Any], rows: list[list[str]], grid: Grid, where: str) -> tuple[str, ...]:
    """Terrain words by hex."""
    where = f"{where}: terrain"
    legend = need(terrain, "legend", dict, where)
    if len(rows) != grid.rows:
        raise DataError(f"{where}: {len(rows)} rows of symbols, but the grid has {grid.rows}")
    words: dict[str, str] = {}
    for row, symbols in enumerate(rows):
        if len(symbols) != grid.columns:
            raise DataError(f"{where}: row {row + 1} has {len(symbols)} symbols, the grid has {grid.columns} columns")
        for column, symbol in enumerate(symbols):
            label = grid.label_at(column, row)
            if label in grid.missing:
                continue
            if symbol not in legend:
                raise DataError(f"{where}: {label}: " + unknown("symbol", symbol, legend))
            words[label] = legend[symbol]
    return tuple(words[label] for label in grid.labels)


def _pairs_by_kind(lines: tuple[Line, ...]) -> dict[str, frozenset[Pair]]:
    kinds: dict[str, set[Pair]] = {}
    for line in lines:
        kinds.setdefault(line.kind, set()).update(line.pairs)
    return {kind: frozenset(pairs) for kind, pairs in kinds.items()}
