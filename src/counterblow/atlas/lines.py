"""Rivers, defence lines, roads, railways, bridges and ferries."""

from __future__ import annotations

import math
from functools import cached_property
from itertools import pairwise

from counterblow.atlas.curves import chains, knee, middle, number, path, spline, spot, straight, warp, warped
from counterblow.atlas.geometry import Corner, Layout, Point
from counterblow.atlas.ground import Ground
from counterblow.atlas.styles import Style, Styles
from counterblow.atlas.svg import element, group, stroke
from counterblow.kernel.board import Board, Pair

LANE = 5.6  # pixels between lines that share a hexside
LANE_SIDE = (0.42, 0.91)  # lanes are counted in this direction, so that they do not swap at a bend
EDGES = {"west": (-1.0, 0.0), "east": (1.0, 0.0), "north": (0.0, -1.0), "south": (0.0, 1.0)}


class Lines:
    """Everything that runs along hexsides or from hex to hex."""

    def __init__(self, board: Board, layout: Layout, styles: Styles, ground: Ground) -> None:
        self.board, self.layout, self.styles, self.ground = board, layout, styles, ground

    # along hexsides

    def sides(self) -> str:
        """Rivers first, wide ones on top of narrow; then defence lines."""
        kinds = list(dict.fromkeys(line.kind for line in self.board.side_lines))
        casings, fills, works = [], [], []
        for kind in sorted(kinds, key=self._river_order):
            style = self.styles.of("sides", kind)
            if style.get("water") or style.get("crossing") or style.get("hidden"):
                continue
            if style.get("teeth"):
                works.append(self._works(kind, style))
                continue
            d = "".join(path(curve) for _, curve in self.river_curves(kind))
            if "casing" in style:
                casings.append(stroke(d, style["casing"], float(style["width"]) + 1.8))
            fills.append(stroke(d, style["ink"], float(style["width"]), stroke_dasharray=style.get("dash")))
        return group("rivers", casings + fills) + group("works", works)

    def _river_order(self, kind: str) -> tuple[bool, float]:
        """Narrow rivers under wide ones; what marks a reach of a river (no casing of its own) on top."""
        style = self.styles.of("sides", kind)
        return "casing" not in style, float(style.get("width", 0))

    def river_curves(self, kind: str) -> list[tuple[str, list[Point]]]:
        """(name, curve) of each stretch of river of a kind."""
        found = []
        names = dict.fromkeys(line.name for line in self.board.side_lines if line.kind == kind)
        for name in names:
            for chain in self._river_chains[(kind, name)]:
                found.append((name, self._river_curve(chain)))
        return found

    @cached_property
    def _river_chains(self) -> dict[tuple[str, str], list[list[Corner]]]:
        sides: dict[tuple[str, str], list[tuple[Corner, Corner]]] = {}
        for line in self.board.side_lines:
            pairs = [pair for pair in line.pairs if pair[0] < pair[1] or (pair[1], pair[0]) not in line.pairs]
            sides.setdefault((line.kind, line.name), []).extend(self.ground.sides_between(pairs))
        return {key: chains(found) for key, found in sides.items()}

    @cached_property
    def _river_knees(self) -> dict[Corner, Point]:
        """Where rivers pass their corners: a tributary ends there."""
        found: dict[Corner, Point] = {}
        for (kind, _), every in self._river_chains.items():
            if "casing" not in self.styles.of("sides", kind):
                continue
            for chain in every:
                for before, corner, after in zip(chain, chain[1:], chain[2:], strict=False):
                    a, c, b = (self.layout.pixel(p) for p in (before, corner, after))
                    found.setdefault(corner, knee(a, c, b))
        return found

    def _river_curve(self, chain: list[Corner]) -> list[Point]:
        pixels = [self.layout.pixel(corner) for corner in chain]
        guides = [middle(a, b) for a, b in pairwise(pixels)]
        start, end = (self._river_end(chain, pixels, end) for end in (0, -1))
        return warped(spline([*start[::-1], *guides, *end], closed=False), self.layout.radius)

    def _river_end(self, chain: list[Corner], pixels: list[Point], end: int) -> list[Point]:
        """The last guide points: into another river, into the shore, off the map, or just the last corner."""
        corner = chain[end]
        if corner in self.ground.shore_knees:
            return [self.ground.shore_knees[corner]]
        if corner in self._river_knees:
            return [self._river_knees[corner]]
        rim = not self.layout.frame.grown(-1.7 * self.layout.radius).holds(pixels[end])
        if rim and self._cells_around.get(corner, 0) < 3:
            last, before = pixels[end], pixels[1 if end == 0 else -2]
            return [last, (last[0] + 2 * (last[0] - before[0]), last[1] + 2 * (last[1] - before[1]))]
        return [pixels[end]]

    @cached_property
    def _cells_around(self) -> dict[Corner, int]:
        """How many hexes of the map meet in each corner."""
        count: dict[Corner, int] = {}
        for cell in self.layout.cells:
            for corner, _ in self.layout.lattice_sides(cell):
                count[corner] = count.get(corner, 0) + 1
        return count

    def _works(self, kind: str, style: Style) -> str:
        """A fortified line: a stroke on the inside, teeth to the outside."""
        inside: dict[tuple[Corner, Corner], Point] = {}
        for line in self.board.side_lines:
            if line.kind == kind:
                for here, there in line.pairs:
                    one, two = self.layout.lattice_side(here, there)
                    inside[(one, two)] = inside[(two, one)] = self.layout.centre(here)
        lines, teeth = [], []
        for chain in chains(inside):
            curve = self.ground.curve_of_sides(chain)
            home = inside[(chain[0], chain[1])]
            a, b = self.layout.pixel(chain[0]), self.layout.pixel(chain[1])
            sign = 1.0 if _cross(a, b, home) > 0 else -1.0
            shifted = offset(curve, 4.5 * sign)
            lines.append(path(shifted))
            teeth.append(_teeth(shifted, -sign))
        ink = str(style["ink"])
        return stroke("".join(lines), ink, float(style["width"])) + element("path", d="".join(teeth), fill=ink)

    # from hex to hex

    def links(self) -> str:
        """Casings of all roads, then their colour, then railways: junctions stay open."""
        kinds = list(dict.fromkeys(line.kind for line in self.board.link_lines))
        casings, fills, rails = [], [], []
        for kind in sorted(kinds, key=lambda k: float(self.styles.of("links", k).get("width", 0))):
            style = self.styles.of("links", kind)
            d = "".join(path(curve) for curve in self.link_curves(kind))
            if "casing" in style:
                casings.append(stroke(d, style["casing"], float(style["width"]) + 2.0))
            if "ties" in style:
                rails.append(stroke(d, self.styles.sheet["halo"], float(style["width"]) + 1.6, stroke_opacity=".7"))
                rails.append(stroke(d, style["ink"], float(style["width"])))
                rails.append(
                    stroke(d, style["ink"], float(style["ties"]), stroke_dasharray="1.4 7", stroke_linecap="butt")
                )
            else:
                fills.append(stroke(d, style["ink"], float(style["width"]), stroke_dasharray=style.get("dash")))
        return group("roads", casings + fills) + group("railways", rails)

    def link_curves(self, kind: str) -> list[list[Point]]:
        pairs = self._pairs_of.get(kind, [])
        curves = []
        for chain in chains(pairs):
            for piece in self._split_at_places(chain):
                curves.append(self._link_curve(kind, piece))
        return curves + self._exits(kind)

    @cached_property
    def _pairs_of(self) -> dict[str, list[Pair]]:
        found: dict[str, dict[Pair, None]] = {}
        for line in self.board.link_lines:
            for a, b in line.pairs:
                if a < b:
                    found.setdefault(line.kind, {}).setdefault((a, b))
        return {kind: list(pairs) for kind, pairs in found.items()}

    def _split_at_places(self, chain: list[int]) -> list[list[int]]:
        pieces, piece = [], [chain[0]]
        for node in chain[1:]:
            piece.append(node)
            if node in self._stops:
                pieces.append(piece)
                piece = [node]
        if len(piece) > 1:
            pieces.append(piece)
        return pieces

    @cached_property
    def _stops(self) -> frozenset[int]:
        """Hexes whose exact middle roads run through: places, forks, ends."""
        ways: dict[int, set[int]] = {}
        for pairs in self._pairs_of.values():
            for a, b in pairs:
                ways.setdefault(a, set()).add(b)
                ways.setdefault(b, set()).add(a)
        stops = {node for node, others in ways.items() if len(others) > 2}
        for place in self.board.places:
            if self.styles.of("places", place.kind).get("symbol") != "none":
                stops |= set(place.nodes)
        return frozenset(stops)

    def _link_curve(self, kind: str, chain: list[int]) -> list[Point]:
        guides = []
        for here, there in pairwise(chain):
            if there in self.board.around[here] and self.board.is_hex(here) and self.board.is_hex(there):
                guides.append(self._lane(kind, here, there))
        ends = [self._end_of(kind, chain, 0), self._end_of(kind, chain, -1)]
        return warped(spline([ends[0], *guides, ends[1]], closed=False), self.layout.radius)

    def _end_of(self, kind: str, chain: list[int], end: int) -> Point:
        """The middle of the last hex; beside it for a line that shares the road's way in."""
        node, before = chain[end], chain[1 if end == 0 else -2]
        x, y = self.layout.centre(node)
        dx, dy = self._shift(kind, node, before)
        return x + dx, y + dy

    def _lane(self, kind: str, here: int, there: int) -> Point:
        a, b = self.layout.side(here, there)
        x, y = middle(a, b)
        dx, dy = self._shift(kind, here, there)
        return x + dx, y + dy

    def _shift(self, kind: str, here: int, there: int) -> Point:
        """How far a line moves aside for others that cross the same hexside."""
        sharing = [k for k, pairs in self._pair_sets.items() if (min(here, there), max(here, there)) in pairs]
        if len(sharing) < 2:
            return 0.0, 0.0
        (x0, y0), (x1, y1) = self.layout.centre(here), self.layout.centre(there)
        length = math.hypot(x1 - x0, y1 - y0)
        nx, ny = -(y1 - y0) / length, (x1 - x0) / length
        if nx * LANE_SIDE[0] + ny * LANE_SIDE[1] < 0:
            nx, ny = -nx, -ny
        by = (sharing.index(kind) - (len(sharing) - 1) / 2) * LANE
        return nx * by, ny * by

    @cached_property
    def _pair_sets(self) -> dict[str, frozenset[Pair]]:
        return {kind: frozenset(pairs) for kind, pairs in self._pairs_of.items()}

    def _exits(self, kind: str) -> list[list[Point]]:
        """Roads that run off the map: tags such as road_exit_west."""
        curves = []
        for edge, (dx, dy) in EDGES.items():
            for node in sorted(self.board.tagged(f"{kind}_exit_{edge}")):
                x, y = self.layout.centre(node)
                frame = self.layout.frame
                far = {"west": x - frame.x, "east": frame.right - x, "north": y - frame.y, "south": frame.bottom - y}
                if far[edge] < 2.5 * self.layout.radius:
                    end = x + dx * (far[edge] + 8), y + dy * (far[edge] + 8)
                    curves.append(warped([(x, y), *straight((x, y), end, 4)], self.layout.radius))
        return curves

    # crossings

    def crossings(self) -> str:
        """Bridges where a road meets a river, and ferries."""
        parts = []
        for a, b in self._bridged():
            parts.append(self._bridge(a, b))
        for line in self.board.side_lines:
            style = self.styles.of("sides", line.kind)
            if style.get("crossing") == "ferry":
                parts += [self._ferry(a, b, str(style["ink"])) for a, b in line.pairs if a < b]
        return group("crossings", parts)

    def _bridged(self) -> list[Pair]:
        rivers = {
            pair
            for line in self.board.side_lines
            if "casing" in self.styles.of("sides", line.kind)
            for pair in line.pairs
        }
        return sorted({pair for pairs in self._pairs_of.values() for pair in pairs if pair in rivers})

    def _bridge(self, a: int, b: int) -> str:
        """Two abutments across the river, along the road."""
        ink = str(self.styles.of("sides", "bridge").get("ink", self.styles.sheet["ink"]))
        x, y = warp(middle(*self.layout.side(a, b)), self.layout.radius)
        width = max(
            float(self.styles.of("sides", line.kind).get("width", 4))
            for line in self.board.side_lines
            if (a, b) in line.pairs and "casing" in self.styles.of("sides", line.kind)
        )
        (x0, y0), (x1, y1) = self.layout.centre(a), self.layout.centre(b)
        length = math.hypot(x1 - x0, y1 - y0)
        ux, uy = (x1 - x0) / length, (y1 - y0) / length
        sharing = sum((a, b) in pairs for pairs in self._pair_sets.values())
        reach, side = width / 2 + 3.5, 4.2 + LANE / 2 * (sharing - 1)
        d = ""
        for s in (-1.0, 1.0):
            px, py = x - uy * side * s, y + ux * side * s
            ends = [
                (px - ux * reach - uy * 2.6 * s - ux * 2, py - uy * reach + ux * 2.6 * s - uy * 2),
                (px - ux * reach, py - uy * reach),
                (px + ux * reach, py + uy * reach),
                (px + ux * reach - uy * 2.6 * s + ux * 2, py + uy * reach + ux * 2.6 * s + uy * 2),
            ]
            d += "M" + "L".join(spot(end) for end in ends)
        return stroke(d, ink, 1.5)

    def _ferry(self, a: int, b: int, ink: str) -> str:
        """A dashed crossing with a boat in the middle."""
        x, y = warp(middle(*self.layout.side(a, b)), self.layout.radius)
        (x0, y0), (x1, y1) = self.layout.centre(a), self.layout.centre(b)
        ux, uy = (x1 - x0) * 0.24, (y1 - y0) * 0.24
        line = f"M{spot((x - ux, y - uy))}L{spot((x + ux, y + uy))}"
        boat = f"M{number(x - 7)},{number(y - 2)}h14l-3.4,5.4h-7.2z"
        return stroke(line, ink, 1.8, stroke_dasharray="3.5 3") + element(
            "path", d=boat, fill="#f6f0df", stroke=ink, stroke_width=1.3, stroke_linejoin="round"
        )


def offset(points: list[Point], by: float) -> list[Point]:
    """A curve moved sideways, to its left in the picture for positive values on a y-down sheet."""
    moved = []
    for k, (x, y) in enumerate(points):
        (ax, ay), (bx, by_) = points[max(0, k - 1)], points[min(len(points) - 1, k + 1)]
        length = math.hypot(bx - ax, by_ - ay) or 1.0
        moved.append((x - (by_ - ay) / length * by, y + (bx - ax) / length * by))
    return moved


def _cross(a: Point, b: Point, p: Point) -> float:
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])


def _teeth(points: list[Point], sign: float, every: float = 13.0) -> str:
    """Small triangles along a curve."""
    d, walked = "", every / 2
    for (ax, ay), (bx, by) in pairwise(points):
        length = math.hypot(bx - ax, by - ay)
        if length == 0:
            continue
        ux, uy = (bx - ax) / length, (by - ay) / length
        while walked <= length:
            x, y = ax + ux * walked, ay + uy * walked
            tip = (x - uy * 6.0 * sign, y + ux * 6.0 * sign)
            d += f"M{spot((x - ux * 3.2, y - uy * 3.2))}L{spot(tip)}L{spot((x + ux * 3.2, y + uy * 3.2))}Z"
            walked += every
        walked -= length
    return d
