"""Ground as smooth patches: woods, water, off-map country.

Every cell of the sheet belongs to a *ground*. The hexsides between different grounds form arcs that end where
three grounds meet. Each arc is smoothed once and both its patches use it, so patches fit without gap or overlap.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from counterblow.atlas.curves import chains, knee, path, smooth, warped
from counterblow.atlas.geometry import Cell, Corner, Layout, Point

GroundOf = Callable[[Cell], str]
Side = tuple[Corner, Corner]


@dataclass
class Patch:
    """One kind of ground: closed outlines, to be filled by the even-odd rule."""

    rings: list[list[Point]] = field(default_factory=list)

    @property
    def path(self) -> str:
        return "".join(path(ring, closed=True) for ring in self.rings)


class Regions:
    """All patches of a sheet, and the borders between them."""

    def __init__(self, layout: Layout, ground_of: GroundOf, reach: int = 2) -> None:
        self.layout = layout
        self._left: dict[Side, str] = {}  # ground on the left of each directed border side
        self._collect(ground_of, reach)
        self.arcs = chains(self._left)
        self._curves = [self._curve(arc) for arc in self.arcs]
        self.knees = self._find_knees()

    def _collect(self, ground_of: GroundOf, reach: int) -> None:
        columns, rows = self.layout.grid.columns, self.layout.grid.rows
        sheet = {(c, r) for c in range(-reach, columns + reach) for r in range(-reach, rows + reach)}
        grounds = {cell: ground_of(cell) for cell in sorted(sheet)}
        for cell, ground in grounds.items():
            for a, b in self.layout.lattice_sides(cell):
                other = grounds.get(self.layout.neighbour_across(cell, (a, b)), "")
                if other != ground:
                    self._left[(a, b)] = ground

    def _curve(self, arc: list[Corner]) -> list[Point]:
        closed = arc[0] == arc[-1]
        corners = [self.layout.pixel(corner) for corner in (arc[:-1] if closed else arc)]
        return warped(smooth(corners, closed), self.layout.radius)

    def _find_knees(self) -> dict[Corner, Point]:
        """Where the borders pass each corner, so that a river can end there."""
        found = {}
        for arc in self.arcs:
            ring = [arc[-2], *arc] if arc[0] == arc[-1] else arc
            for before, corner, after in zip(ring, ring[1:], ring[2:], strict=False):
                a, c, b = (self.layout.pixel(p) for p in (before, corner, after))
                found[corner] = knee(a, c, b)
            for end in (arc[0], arc[-1]):
                found.setdefault(end, self.layout.pixel(end))
        return found

    def patches(self) -> dict[str, Patch]:
        """Every ground with its outline."""
        leaving: dict[tuple[str, Corner], list[tuple[Corner, list[Point]]]] = {}
        patches: dict[str, Patch] = {}
        for arc, curve in zip(self.arcs, self._curves, strict=True):
            for way, line in ((arc, curve), (arc[::-1], curve[::-1])):
                ground = self._left.get((way[0], way[1]), "")
                if not ground:
                    continue
                if way[0] == way[-1]:
                    patches.setdefault(ground, Patch()).rings.append(line)
                else:
                    leaving.setdefault((ground, way[0]), []).append((way[-1], line))
        for ground, start in list(leaving):
            while leaving.get((ground, start)):
                patches.setdefault(ground, Patch()).rings.append(_ring(ground, start, leaving))
        return patches

    def sides_of(self, arc: list[Corner]) -> tuple[str, str]:
        """The grounds on the left and on the right of an arc."""
        return self._left.get((arc[0], arc[1]), ""), self._left.get((arc[1], arc[0]), "")

    def borders(self, one: Callable[[str], bool], other: Callable[[str], bool]) -> list[list[Point]]:
        """The curves between two kinds of ground."""
        found = []
        for arc, curve in zip(self.arcs, self._curves, strict=True):
            left, right = self.sides_of(arc)
            if (one(left) and other(right)) or (one(right) and other(left)):
                found.append(curve)
        return found


def _ring(
    ground: str, start: Corner, leaving: dict[tuple[str, Corner], list[tuple[Corner, list[Point]]]]
) -> list[Point]:
    """Follow arcs of one ground until they come back to the start."""
    points: list[Point] = []
    at = start
    while True:
        at, line = leaving[(ground, at)].pop(0)
        points += line if not points else line[1:]
        if at == start:
            return points
