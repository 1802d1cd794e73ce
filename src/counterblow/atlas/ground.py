"""The ground of a map: patches of terrain, what grows on them, water and the hex grid."""

from __future__ import annotations

import math
from functools import cached_property

from counterblow.atlas import glyphs
from counterblow.atlas.curves import chains, middle, noise, path, segments, smooth, warped
from counterblow.atlas.geometry import Cell, Corner, Layout, Point
from counterblow.atlas.regions import Patch, Regions
from counterblow.atlas.styles import Styles
from counterblow.atlas.svg import element, group, stroke
from counterblow.kernel.board import Board

OFF_MAP = "off the map"
AREA = "area "
Segment = tuple[Point, Point]


class Ground:
    """Terrain and water of one sheet."""

    def __init__(self, board: Board, layout: Layout, styles: Styles) -> None:
        self.board, self.layout, self.styles = board, layout, styles
        self._node_at = {layout.cell(node): node for node in range(board.hexes)}
        self._painted = self._painted_cells()
        self._islands = board.tagged("island")
        self.regions = Regions(layout, self.ground_of)
        self.patches = self.regions.patches()

    def _painted_cells(self) -> dict[Cell, str]:
        """Off-map cells that the map file paints: part of an area, or a terrain."""
        areas = {area.id for area in self.board.areas}
        return {
            self.layout.grid.paper(label): (AREA + name if name in areas else self.styles.ground(name))
            for name, labels in self.layout.cells_of.items()
            for label in labels
        }

    def ground_of(self, cell: Cell) -> str:
        node = self._node_at.get(cell)
        if node is not None:
            return self._water_around(node) if node in self._islands else self.styles.ground(self.board.terrain[node])
        if cell in self._painted:
            return self._painted[cell]
        inner = self._nearest_on_grid(cell)
        return OFF_MAP if inner == cell else self.ground_of(inner)

    def _nearest_on_grid(self, cell: Cell) -> Cell:
        """Ground runs on beyond the outermost rows and columns that are shown."""
        beyond, grid = self.layout.beyond, self.layout.grid
        column = min(max(cell[0], -beyond.get("west", 0)), grid.columns - 1 + beyond.get("east", 0))
        row = min(max(cell[1], -beyond.get("north", 0)), grid.rows - 1 + beyond.get("south", 0))
        return column, row

    def _water_around(self, node: int) -> str:
        """An island is land smaller than its hex: the ground of the hex is the water about it."""
        words = [self.styles.ground(self.board.terrain[n]) for n in self.board.around[node]]
        return next((word for word in words if self.styles.is_water(word)), self.board.terrain[node])

    def _island(self, node: int) -> str:
        """The land of an island."""
        x, y = self.layout.centre(node)
        r = self.layout.radius
        ring = [(x + r * 0.62 * math.cos(k * math.pi / 6), y + r * 0.4 * math.sin(k * math.pi / 6)) for k in range(12)]
        colour = self.colour(self.styles.ground(self.board.terrain[node]))
        d = path(warped([*ring, ring[0]], r), closed=True)
        return element("path", d=d, fill=colour, stroke=self.styles.sheet["coast"], stroke_width=1.3)

    def is_water(self, ground: str) -> bool:
        return not ground.startswith(AREA) and ground not in (OFF_MAP, "") and self.styles.is_water(ground)

    def water_cell(self, node: int) -> bool:
        return self.is_water(self.ground_of(self.layout.cell(node)))

    # patches

    def colour(self, ground: str) -> str:
        if ground == OFF_MAP:
            return self.styles.sheet["off_map"]
        if ground.startswith(AREA):
            area = self.layout.hints.get("areas", {}).get(ground.removeprefix(AREA), {})
            return str(area.get("colour", "#ddd6c2"))
        return str(self.styles.of("terrain", ground)["ground"])

    def land(self) -> str:
        parts = []
        for ground, patch in sorted(self.patches.items()):
            if self.is_water(ground):
                continue
            colour = self.colour(ground)
            parts.append(element("path", d=patch.path, fill=colour, fill_rule="evenodd", stroke=colour))
            if ground.startswith(AREA):
                parts.append(stroke(patch.path, self.styles.sheet["faint"], 2.0, stroke_dasharray="7 4"))
            if self.styles.of("terrain", ground).get("hatch"):
                parts.append(element("path", d=patch.path, fill="url(#atlas-hatch)", fill_rule="evenodd"))
        return group("ground", parts)

    # water

    @cached_property
    def water(self) -> dict[str, Patch]:
        return {ground: patch for ground, patch in sorted(self.patches.items()) if self.is_water(ground)}

    def sea(self) -> str:
        """Seas, lakes and the water that runs along hexsides, with lines along the shore."""
        sheet = self.styles.sheet
        shore = "".join(path(c) for c in self.regions.borders(self.is_water, lambda g: not self.is_water(g)))
        channels = self._channels()
        parts = [stroke(d, sheet["coast"], width + 2.6) for d, width, _ in channels]
        parts.append(stroke(shore, sheet["coast"], 2.8))
        whole = "".join(patch.path for patch in self.water.values())
        parts.append(f'<clipPath id="atlas-water">{element("path", d=whole, clip_rule="evenodd")}</clipPath>')
        for ground, patch in self.water.items():
            colour = self.colour(ground)
            parts.append(element("path", d=patch.path, fill=colour, fill_rule="evenodd", stroke=colour))
        lines = [
            stroke(shore, sheet["water_line"], width, stroke_opacity=opacity)
            for width, opacity in ((34.0, ".16"), (24.0, ".18"), (15.0, ".22"), (8.0, ".3"))
        ]
        parts.append(group("shore", lines, clip_path="url(#atlas-water)"))
        parts += [stroke(d, colour, width) for d, width, colour in channels]
        parts += [self._island(node) for node in sorted(self._islands)]
        return group("water", parts)

    def _channels(self) -> list[tuple[str, float, str]]:
        """Fjords and straits between land hexes: (path, width, colour)."""
        found = []
        for kind in dict.fromkeys(line.kind for line in self.board.side_lines):
            style = self.styles.of("sides", kind)
            if not style.get("water"):
                continue
            sides = self.open_sides(kind)
            d = "".join(path(self.curve_of_sides(chain)) for chain in chains(sides))
            found.append((d, float(style["width"]), self.colour(str(style["water"]))))
        return found

    def open_sides(self, kind: str) -> list[tuple[Corner, Corner]]:
        """The hexsides of a kind that have land on both sides."""
        pairs = [pair for line in self.board.side_lines if line.kind == kind for pair in line.pairs]
        return self.sides_between(pairs)

    def sides_between(self, pairs: list[tuple[int, int]]) -> list[tuple[Corner, Corner]]:
        return [
            self.layout.lattice_side(a, b)
            for a, b in pairs
            if self.board.is_hex(a) and self.board.is_hex(b) and not (self.water_cell(a) or self.water_cell(b))
        ]

    def curve_of_sides(self, chain: list[Corner]) -> list[Point]:
        """A chain of hexsides as a smooth line that ends on the shore where the chain ends on it."""
        closed = chain[0] == chain[-1]
        points = [self.layout.pixel(corner) for corner in (chain[:-1] if closed else chain)]
        if not closed:
            for end, corner in ((0, chain[0]), (-1, chain[-1])):
                if corner in self.shore_knees:
                    points[end] = self.shore_knees[corner]
        return warped(smooth(points, closed), self.layout.radius)

    @cached_property
    def shore_knees(self) -> dict[Corner, Point]:
        """Points of the shore nearest to each corner of it."""
        found = {}
        for arc in self.regions.arcs:
            left, right = self.regions.sides_of(arc)
            if self.is_water(left) != self.is_water(right):
                found.update({corner: self.regions.knees[corner] for corner in arc})
        return found

    # what grows on it

    def textures(self) -> str:
        """Trees, reeds, hachures, and the large glyphs of hills, peaks and built-up hexes."""
        strokes: dict[tuple[str, int], list[str]] = {}
        features = []
        for node in range(self.board.hexes):
            word = self.board.terrain[node]
            style = self.styles.of("terrain", self.styles.ground(word))
            x, y = self.layout.centre(node)
            if "feature" in self.styles.of("terrain", word):
                own = self.styles.of("terrain", word)
                features.append(glyphs.feature(str(own["feature"]), x, y, self.layout.radius, str(own["ink"])))
                continue
            for spot_x, spot_y in self._spots(node, int(style.get("number", 0))):
                for part, glyph in enumerate(glyphs.scattered(str(style.get("glyph", "")))):
                    strokes.setdefault((self.styles.ground(word), part), []).append(glyphs.at(spot_x, spot_y, glyph))
        parts = [self._texture(word, part, "".join(d)) for (word, part), d in sorted(strokes.items())]
        return group("texture", parts + features)

    def _texture(self, word: str, part: int, d: str) -> str:
        style = self.styles.of("terrain", word)
        ink = str(style.get("shade", style["ink"]) if part else style["ink"])
        filled = glyphs.is_filled(str(style["glyph"]), part)
        return element(
            "path", d=d, fill=ink if filled else "none", fill_opacity=".55" if filled else None,
            stroke=ink, stroke_width=1.0, stroke_linecap="round", stroke_linejoin="round",
        )  # fmt: skip

    def _spots(self, node: int, wanted: int) -> list[Point]:
        """Where glyphs stand in a hex: scattered, clear of lines, places and the number."""
        if not wanted:
            return []
        column, row = self.layout.cell(node)
        x, y = self.layout.centre(node)
        radius = self.layout.radius
        busy = self._busy_lines(node)
        turn = noise(column, row, 5) * math.pi
        spots: list[Point] = []
        for k in range(3 * wanted):
            angle = turn + k * 2.39996
            away = radius * 0.8 * math.sqrt((k + 0.6) / (3 * wanted))
            jitter = noise(column * 31 + k, row, 7) * 3
            at = (x + math.cos(angle) * away + jitter, y + math.sin(angle) * away * 0.95)
            if at[1] < y - self.layout.half + 20 and abs(at[0] - x) < 18:
                continue  # the number of the hex
            if self._place_here(node) and math.dist(at, (x, y)) < radius * 0.42:
                continue
            if any(_distance(at, a, b) < gap for a, b, gap in busy):
                continue
            if all(math.dist(at, other) > radius * 0.27 for other in spots):
                spots.append(at)
            if len(spots) == wanted:
                break
        return sorted(spots, key=lambda p: (p[1], p[0]))

    def _place_here(self, node: int) -> bool:
        place = self.board.place_at(node)
        return place is not None and self.styles.of("places", place.kind).get("symbol") != "none"

    def _busy_lines(self, node: int) -> list[tuple[Point, Point, float]]:
        """Roads through a hex and rivers along it, with the room they need."""
        busy = []
        centre = self.layout.centre(node)
        for there in self.board.around[node]:
            if not self.board.is_hex(there):
                continue
            a, b = self.layout.side(node, there)
            if (node, there) in self._linked_pairs:
                busy.append((centre, middle(a, b), 8.0))
            if (node, there) in self._sided_pairs:
                busy.append((a, b, 11.0))
        return busy

    @cached_property
    def _linked_pairs(self) -> frozenset[tuple[int, int]]:
        return frozenset(pair for line in self.board.link_lines for pair in line.pairs)

    @cached_property
    def _sided_pairs(self) -> frozenset[tuple[int, int]]:
        pairs = {pair for line in self.board.side_lines for pair in line.pairs}
        return frozenset(pairs | {(b, a) for a, b in pairs})

    # grid

    def grid_lines(self) -> str:
        """Every hexside once; lighter on water."""
        land: dict[tuple[Corner, Corner], None] = {}
        water: dict[tuple[Corner, Corner], None] = {}
        for node in range(self.board.hexes):
            cell = self.layout.cell(node)
            for a, b in self.layout.lattice_sides(cell):
                other = self._node_at.get(self.layout.neighbour_across(cell, (a, b)))
                wet = self.water_cell(node) and (other is None or self.water_cell(other))
                (water if wet else land).setdefault((min(a, b), max(a, b)))
        parts = []
        for sides, ink, opacity in ((land, "grid", ".42"), (water, "grid_water", ".38")):
            d = segments((self.layout.pixel(a), self.layout.pixel(b)) for a, b in sorted(sides))
            parts.append(stroke(d, self.styles.sheet[ink], 0.9, stroke_opacity=opacity))
        return group("grid", parts)


def _distance(point: Point, a: Point, b: Point) -> float:
    """From a point to a segment."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = dx * dx + dy * dy
    t = 0.0 if length == 0 else ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / length
    t = max(0.0, min(1.0, t))
    return math.dist(point, (a[0] + t * dx, a[1] + t * dy))
