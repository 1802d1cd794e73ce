"""Hex grids: labels, directions, neighbours, distance and straight lines.

A grid has *columns* x *rows* hexes labelled CCRR. Inside the program a hex is first a place on paper,
``(column, row)`` counted from the north-west corner, then an axial coordinate ``(q, r)`` in which distance and
direction are plain arithmetic. Everything is integer; no floating point decides what a line touches.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

Axial = tuple[int, int]

FLAT_DIRECTIONS: dict[str, Axial] = {
    "N": (0, -1), "NE": (1, -1), "SE": (1, 0), "S": (0, 1), "SW": (-1, 1), "NW": (-1, 0),
}  # fmt: skip
POINTY_DIRECTIONS: dict[str, Axial] = {
    "NE": (1, -1), "E": (1, 0), "SE": (0, 1), "SW": (-1, 1), "W": (-1, 0), "NW": (0, -1),
}  # fmt: skip


@dataclass(frozen=True)
class Grid:
    """A rectangle of hexes.

    ``shifted`` names the labels ("odd" or "even") of the columns (flat-top) or rows (pointy-top) that are pushed
    half a hex: to the south on a flat grid, to the east on a pointy one. ``rows_run`` tells which way RR grows.
    """

    orientation: str
    columns: int
    rows: int
    rows_run: str = "down"
    shifted: str = "even"
    first_column: int = 1
    first_row: int = 1
    missing: frozenset[str] = field(default_factory=frozenset)

    @cached_property
    def directions(self) -> dict[str, Axial]:
        """Direction -> axial step, for the way the hexes lie."""
        return FLAT_DIRECTIONS if self.orientation == "flat" else POINTY_DIRECTIONS

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """Every hex of the map, by column and then by row number."""
        every = (f"{cc:02d}{rr:02d}" for cc in self._column_numbers for rr in self._row_numbers)
        return tuple(label for label in every if label not in self.missing)

    @property
    def _column_numbers(self) -> range:
        return range(self.first_column, self.first_column + self.columns)

    @property
    def _row_numbers(self) -> range:
        return range(self.first_row, self.first_row + self.rows)

    def label_at(self, column: int, row: int) -> str:
        """The label of the hex at a place on paper, counted from 0 in the north-west."""
        number = row if self.rows_run == "down" else self.rows - 1 - row
        return f"{column + self.first_column:02d}{number + self.first_row:02d}"

    def paper(self, label: str) -> tuple[int, int]:
        """Where a label lies on paper: (column, row) from the north-west."""
        column, number = int(label[:2]) - self.first_column, int(label[2:]) - self.first_row
        return column, number if self.rows_run == "down" else self.rows - 1 - number

    def is_pushed(self, label: str) -> bool:
        """Is this hex's column (flat) or row (pointy) one of those pushed half a hex?"""
        number = int(label[:2]) if self.orientation == "flat" else int(label[2:])
        return number % 2 == (1 if self.shifted == "odd" else 0)

    @cached_property
    def _push_parity(self) -> int:
        """Parity of the paper column or row that is pushed."""
        label = self.label_at(0, 0)
        return 0 if self.is_pushed(label) else 1

    def axial(self, label: str) -> Axial:
        """Axial coordinates of a hex."""
        column, row = self.paper(label)
        along, across = (column, row) if self.orientation == "flat" else (row, column)
        odd = along & 1
        lean = (along - odd) // 2 if self._push_parity else (along + odd) // 2
        return (along, across - lean) if self.orientation == "flat" else (across - lean, along)

    @cached_property
    def _by_axial(self) -> dict[Axial, str]:
        return {self.axial(label): label for label in self.labels}

    def at(self, q: int, r: int) -> str | None:
        """The label at an axial coordinate, None off the map."""
        return self._by_axial.get((q, r))

    def neighbour(self, label: str, direction: str) -> str | None:
        """The hex next to one in a direction; None beyond the map."""
        q, r = self.axial(label)
        dq, dr = self.directions[direction]
        return self.at(q + dq, r + dr)

    def neighbours(self, label: str) -> Iterator[tuple[str, str]]:
        """(direction, label) of each adjacent hex on the map."""
        for direction in self.directions:
            there = self.neighbour(label, direction)
            if there is not None:
                yield direction, there

    def direction(self, here: str, there: str) -> str:
        """The name of the direction from a hex to an adjacent one."""
        (q0, r0), (q1, r1) = self.axial(here), self.axial(there)
        for name, step in self.directions.items():
            if step == (q1 - q0, r1 - r0):
                return name
        raise ValueError(f"{here} and {there} are not adjacent")

    def distance(self, here: str, there: str) -> int:
        """In hexes."""
        return axial_distance(self.axial(here), self.axial(there))

    def line(self, here: str, there: str) -> list[str]:
        """Every hex that the straight line between two centres touches, nearest first.

        A line that runs along a hexside touches the hexes on both sides of it; one that only grazes a corner
        does not touch the hex beyond the corner.
        """
        return [label for hexes in self.crossed(here, there) for label in hexes]

    def crossed(self, here: str, there: str) -> list[tuple[str, ...]]:
        """Like ``line``, with the two hexes on either side of a hexside that the line runs along put together."""
        start, end = self.axial(here), self.axial(there)
        span = axial_distance(start, end)
        if span == 0:
            return [(here,)]
        touched: dict[tuple[Fraction, Fraction], list[str]] = {}
        for label in self.labels:
            cell = self.axial(label)
            if axial_distance(start, cell) + axial_distance(cell, end) <= span + 1:
                stretch = _stretch_inside(start, end, cell)
                if stretch is not None:
                    touched.setdefault(stretch, []).append(label)
        return [tuple(sorted(touched[stretch])) for stretch in sorted(touched)]


def axial_distance(here: Axial, there: Axial) -> int:
    """The distance between two hexes in axial coordinates."""
    dq, dr = there[0] - here[0], there[1] - here[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


def _stretch_inside(start: Axial, end: Axial, cell: Axial) -> tuple[Fraction, Fraction] | None:
    """The part (from, to) of the segment that lies in a cell, None if it has no length."""
    low, high = Fraction(0), Fraction(1)
    for f0, f1 in zip(_walls(start, cell), _walls(end, cell), strict=True):
        # between two opposite walls of the cell: -1 <= f0 + t * (f1 - f0) <= 1
        if f0 == f1:
            if abs(f0) > 1:
                return None
            continue
        a, b = Fraction(-1 - f0, f1 - f0), Fraction(1 - f0, f1 - f0)
        low, high = max(low, min(a, b)), min(high, max(a, b))
    return (low, high) if low < high else None


def _walls(point: Axial, cell: Axial) -> tuple[int, int, int]:
    """Distances of a point from the three axes of a cell; inside, all are within -1 and 1."""
    x, z = point[0] - cell[0], point[1] - cell[1]
    y = -x - z
    return x - y, y - z, z - x
