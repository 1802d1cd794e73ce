"""What players see of a game: counters, tracks, boxes, overlays, charts. See docs/writing-a-game.md, "Views"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from counterblow.kernel.flow import Decision
from counterblow.kernel.graph import Reach
from counterblow.kernel.odds import ResultTable

G = TypeVar("G", bound=Any)  # the game


class Line(NamedTuple):
    """Something that victory needs, or that would bring it nearer, and how it stands now."""

    side: int | None  # whose victory it serves; None: of whoever has it
    text: str
    now: str
    rule: str
    met: bool = False
    nodes: tuple[int, ...] = ()  # where on the map


class Verdict(NamedTuple):
    """Who has won, how decisively, why, and under which rules: what ``State.finish`` takes."""

    winner: int | None
    level: str
    reason: str
    rules: tuple[str, ...]


class Standing(NamedTuple):
    """How the game stands."""

    turns_left: int  # this one included
    verdict: Verdict  # if the game ended now
    needs: tuple[Line, ...]  # what victory needs
    changes: tuple[Line, ...]  # what would change it

    def to_json(self, game: Any) -> dict[str, Any]:
        """As data: sides, and hexes of the map, by their names."""
        winner, level, reason, rules = self.verdict
        return {
            "turns_left": self.turns_left,
            "verdict": {
                "winner": None if winner is None else game.sides[winner],
                "level": level,
                "reason": reason,
                "rules": list(rules),
            },
            "needs": [_line(line, game) for line in self.needs],
            "changes": [_line(line, game) for line in self.changes],
        }


def _line(line: Line, game: Any) -> dict[str, Any]:
    return {
        "side": None if line.side is None else game.sides[line.side],
        "text": line.text,
        "now": line.now,
        "rule": line.rule,
        "met": line.met,
        "hexes": [game.board.labels[node] for node in line.nodes],
    }


class Views(Generic[G]):
    """Base of a game's views. Nothing may be told that the viewer may not know; None views as a spectator."""

    losses: ClassVar[tuple[str, ...]] = ()  # the boxes and areas of the map that hold what was eliminated

    def __init__(self, game: G) -> None:
        self.game: G = game
        self._printed: dict[tuple[int, Any], dict[str, Any]] = {}

    def turn_label(self, state: Any) -> str:
        """The date."""
        return f"Turn {state.turn}"

    def unit(self, state: Any, unit: int, side: int | None) -> dict[str, Any]:
        """One counter as a side sees it; empty if not even its presence may be known (in a hidden display)."""
        game = self.game
        at, owner = game.board.labels[state.at[unit]], game.sides[game.side_of[unit]]
        if not state.sees(side, unit):
            return {"at": at, "side": owner, "hidden": True}
        return {"id": unit, "name": game.unit_names[unit], "at": at, "side": owner, **self.counter(state, unit)}

    def counter(self, state: Any, unit: int) -> dict[str, Any]:
        """What a counter shows now."""
        return {}

    def face(self, unit: int, side: Any) -> dict[str, Any]:
        """What of a counter is printed on a side of it, or is seen of it as it lies there, and never changes."""
        return {}

    def printed(self, unit: int, side: Any = 0) -> dict[str, Any]:
        """The same, written once for all who look: for ``counter`` to begin with."""
        found = self._printed.get((unit, side))
        if found is None:
            found = self._printed[unit, side] = self.face(unit, side)
        return found

    def extra(self, state: Any, side: int | None) -> dict[str, Any]:
        """Tracks, boxes, hands, markers."""
        return {}

    def standing(self, state: Any, side: int | None) -> Standing | None:
        """What victory needs, and how it stands now."""
        return None

    def overlay(self, state: Any, kind: str, side: int, unit: int | None, viewer: int | None) -> dict[str, Any]:
        """Something to lay over the map: {"hexes": {label: number or text}, "paths": {label: [labels]}}.

        ``kind`` is one of the game's ``overlays``; ``side`` is whose zones or supply, ``unit`` whose reach is asked;
        ``viewer`` is who looks: nothing may be told that ``view`` hides. A game has a method for each kind that it
        adds: ``supply_overlay(state, side, viewer)``, ``reach_overlay(state, unit, viewer)``.
        """
        of = unit if kind in self.game.unit_overlays else side
        if of is None or (of is unit and state.at[of] < 0):
            return {"hexes": {}}
        found: dict[str, Any] = getattr(self, f"{kind}_overlay")(state.copy(), of, viewer)
        return found

    def zoc_overlay(self, state: Any, side: int, viewer: int | None) -> dict[str, Any]:
        """How many of the units that a viewer can see exert a zone of control into each hex."""
        game = self.game
        reached = bytearray(game.board.size)
        for unit in state.units_in_view():
            mark = state.counted[unit] & 127
            if mark and game.side_of[unit] == side and state.sees(viewer, unit):
                game.board.graph.zone(game.zones[mark - 1], reached, state.at[unit], 1)
        return self.hexes(counted(reached))

    def control_overlay(self, state: Any, side: int, viewer: int | None) -> dict[str, Any]:
        """Who has which place, for a game whose ``extra`` tells it."""
        return {"hexes": self.extra(state, viewer)["control"]}

    def waiting(self, state: Any, decision: Decision) -> dict[str, Any]:
        """The decision as the other side sees it; games that must not reveal what is asked override this."""
        return {"side": decision.side, "kind": "", "prompt": f"{decision.side} decides", "rules": []}

    def tables(self) -> list[dict[str, Any]]:
        """The charts: [{"id", "title", "columns", "rows", "provenance"}]."""
        return []

    # ------------------------------------------------------------------ words for it

    def by_label(self, values: Mapping[int, Any]) -> dict[str, Any]:
        """What is told of nodes, by their labels."""
        labels = self.game.board.labels
        return {labels[node]: value for node, value in values.items()}

    def held_by(self, sides: Mapping[int, int]) -> dict[str, str]:
        """Who has which node: its label, and the side's name."""
        labels, names = self.game.board.labels, self.game.sides
        return {labels[node]: names[side] for node, side in sides.items()}

    def hexes(self, values: Mapping[int, Any]) -> dict[str, Any]:
        """An overlay of numbers or texts."""
        return {"hexes": self.by_label(values)}

    def lines(self, traced: Sequence[int]) -> dict[str, Any]:
        """An overlay of how far each node lies from a source, as ``Lines.trace`` tells it."""
        return self.hexes({node: far - 1 for node, far in enumerate(traced) if far})

    def ways(self, costs: Mapping[int, Any], paths: Mapping[int, Iterable[int]]) -> dict[str, Any]:
        """An overlay of what it costs to go to each node, and by which way."""
        labels = self.game.board.labels
        return {**self.hexes(costs), "paths": {labels[n]: [labels[via] for via in way] for n, way in paths.items()}}

    def reached(self, reach: Reach, parts: int) -> dict[str, Any]:
        """The same of a ``Reach``, whose costs are counted in such parts of a movement point."""
        costs = {node: reach.cost_to(node) / parts for node in reach.nodes}
        return self.ways(costs, {node: reach.path_to(node) for node in reach.nodes})

    def marked(self, nodes: Iterable[int], kind: str, text: str) -> list[dict[str, Any]]:
        """The same marker on several nodes."""
        return [{"at": self.game.board.labels[node], "kind": kind, "text": text} for node in nodes]

    def off_map(self, state: Any, unit: int, **more: Any) -> dict[str, Any]:
        """A counter that is in no hex or area: in a box, on the turn track."""
        game = self.game
        name, side = game.unit_names[unit], game.sides[game.side_of[unit]]
        return {"id": unit, "name": name, "side": side, **more, **self.counter(state, unit)}

    def box(self, state: Any, name: str, title: str, units: Iterable[int]) -> dict[str, Any]:
        """A holder off the map, with counters in it."""
        return {"id": name, "title": title, "units": [self.off_map(state, unit) for unit in units]}


def track(name: str, title: str, value: int, most: int, text: str = "") -> dict[str, Any]:
    """A track with a marker on it."""
    return {"id": name, "title": title, "value": value, "max": most, "text": text}


def counted(numbers: Sequence[int]) -> dict[int, int]:
    """Those of a number for each node that are more than nothing."""
    return {node: number for node, number in enumerate(numbers) if number}


def chart(
    name: str, title: str, columns: Sequence[str], rows: Iterable[Iterable[Any]], provenance: str
) -> dict[str, Any]:
    """A chart for readers: every cell a text, true and false as yes and no."""
    shown = [["yes" if cell is True else "no" if cell is False else str(cell) for cell in row] for row in rows]
    return {"id": name, "title": title, "columns": list(columns), "rows": shown, "provenance": provenance}


def result_chart(name: str, title: str, table: ResultTable) -> dict[str, Any]:
    """A table of results, with its die before it."""
    return chart(name, title, ("die", *table.columns), numbered(*table.rows, first=table.first_face), table.provenance)


def numbered(*rows: Iterable[Any], first: int = 1) -> list[list[Any]]:
    """Rows with the faces of a die before them."""
    return [[face, *row] for face, row in enumerate(rows, first)]


def columns_of(entries: Iterable[Mapping[str, Any]], *keys: str) -> list[list[Any]]:
    """The rows of a chart from those of a data file: some of their keys."""
    return [[entry[key] for key in keys] for entry in entries]
