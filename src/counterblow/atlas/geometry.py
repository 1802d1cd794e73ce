"""Where everything lies on paper: pixel coordinates of hexes, hexsides, areas and boxes.

The drawing and the browser client use the same ``Layout``, so a counter put at ``layout.centre(node)`` sits in its
hex of the drawn map. Corners of hexes are first whole numbers on a lattice, so that two hexes that share a corner
agree on it exactly; only the last step turns them into pixels.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from counterblow.kernel.board import Area, Board

Point = tuple[float, float]
Corner = tuple[int, int]  # a hex corner on the lattice
Cell = tuple[int, int]  # a place on paper, (column, row) from the north-west; may lie off the map

RADIUS = 44.0  # pixels from the centre of a hex to a corner
MARGIN = 26.0
TITLE_BAND = 78.0
SIDE_BAND = 168.0  # where areas stand beside the map
BOX_HEIGHT = 118.0
BOXES_A_ROW = 5
NOTE_BAND = 30.0

FLAT_CORNERS: tuple[Corner, ...] = ((2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1))
POINTY_CORNERS: tuple[Corner, ...] = ((1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1), (0, -2))


@dataclass(frozen=True)
class Rect:
    """A rectangle on paper."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The x of its right side."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The y of its lower side."""
        return self.y + self.height

    @property
    def centre(self) -> Point:
        """Its middle."""
        return self.x + self.width / 2, self.y + self.height / 2

    def grown(self, by: float) -> Rect:
        """With a rim of so much all around."""
        return Rect(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)

    def overlap(self, other: Rect) -> float:
        """The area that two rectangles share."""
        across = min(self.right, other.right) - max(self.x, other.x)
        down = min(self.bottom, other.bottom) - max(self.y, other.y)
        return across * down if across > 0 and down > 0 else 0.0

    def holds(self, point: Point) -> bool:
        """Does a point lie in it?"""
        return self.x <= point[0] <= self.right and self.y <= point[1] <= self.bottom


class Layout:
    """The sheet of one map: its frame, its hexes, the areas beside it and the boxes below it."""

    def __init__(self, board: Board, radius: float = RADIUS) -> None:
        self.board = board
        self.grid = board.grid
        self.radius = radius
        self.flat = board.grid.orientation == "flat"
        self.half = radius * math.sqrt(3) / 2  # from the centre to the middle of a side
        self.unit: Point = (radius / 2, self.half) if self.flat else (self.half, radius / 2)
        self.hints: dict[str, Any] = board.table.get("drawing", {})
        self.cells_of: dict[str, list[str]] = self.hints.get("cells", {})
        self.beyond: dict[str, int] = self.hints.get("beyond", {})  # rows and columns shown beyond the grid
        beside = [area for area in board.areas if area.kind != "box" and area.id not in self.cells_of]
        self._band = {area.id: self._side_of(area) for area in beside}
        self._boxes = [area for area in board.areas if area.kind == "box"]
        self.frame = self._frame()
        self.rects = {area.node: self._rect_of(area) for area in board.areas}

    # the sheet

    def _frame(self) -> Rect:
        """The map itself: every hex whole, a little of what lies beyond, and nothing else."""
        left = MARGIN + (SIDE_BAND if "west" in self._band.values() else 0)
        corners = [corner for cell in self.cells for corner in self._lattice_corners(cell)]
        width = max(i for i, _ in corners) * self.unit[0] + self.beyond.get("east", 0) * self._pitch[0]
        height = max(j for _, j in corners) * self.unit[1] + self.beyond.get("south", 0) * self._pitch[1]
        inset = self._inset
        return Rect(left, TITLE_BAND, width + inset[0] + self._bleed, height + inset[1] + self._bleed)

    @property
    def _pitch(self) -> Point:
        """The distance between columns and between rows."""
        return (1.5 * self.radius, 2 * self.half) if self.flat else (2 * self.half, 1.5 * self.radius)

    @property
    def _inset(self) -> Point:
        """From the corner of the frame to the corner of the grid."""
        across, down = self._pitch
        return (
            self._bleed + self.beyond.get("west", 0) * across,
            self._bleed + self.beyond.get("north", 0) * down,
        )

    @property
    def _bleed(self) -> float:
        """Terrain shows this far beyond the outermost hexes."""
        return self.radius / 4

    @property
    def width(self) -> float:
        """Of the sheet without its legend."""
        return self.frame.right + MARGIN + (SIDE_BAND if "east" in self._band.values() else 0)

    @property
    def height(self) -> float:
        """Of the whole sheet, in pixels."""
        rows = -(-len(self._boxes) // BOXES_A_ROW)
        return self.frame.bottom + NOTE_BAND + rows * (BOX_HEIGHT + 14) + MARGIN

    # hexes

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """Column and row on paper of every hex."""
        return tuple(self.grid.paper(label) for label in self.grid.labels)

    def _pushed(self, cell: Cell) -> bool:
        return self.grid.is_pushed(self.grid.label_at(0, 0)) == (cell[0 if self.flat else 1] % 2 == 0)

    def lattice_centre(self, cell: Cell) -> Corner:
        """The middle of a cell on the lattice of half hexes, in whole numbers."""
        column, row = cell
        push = 1 if self._pushed(cell) else 0
        return (3 * column + 2, 2 * row + 1 + push) if self.flat else (2 * column + 1 + push, 3 * row + 2)

    def _lattice_corners(self, cell: Cell) -> tuple[Corner, ...]:
        i, j = self.lattice_centre(cell)
        return tuple((i + di, j + dj) for di, dj in (FLAT_CORNERS if self.flat else POINTY_CORNERS))

    def lattice_sides(self, cell: Cell) -> list[tuple[Corner, Corner]]:
        """The six sides of a cell on the lattice."""
        corners = self._lattice_corners(cell)
        return list(zip(corners, corners[1:] + corners[:1], strict=True))

    def pixel(self, corner: Corner) -> Point:
        """A point of the lattice on the sheet."""
        inset = self._inset
        return (
            self.frame.x + inset[0] + corner[0] * self.unit[0],
            self.frame.y + inset[1] + corner[1] * self.unit[1],
        )

    def cell_centre(self, cell: Cell) -> Point:
        """The middle of a cell on the sheet."""
        return self.pixel(self.lattice_centre(cell))

    def cell_at(self, corner: Corner) -> Cell | None:
        """The cell whose centre is at a point of the lattice."""
        i, j = corner
        guess = ((i - 2) // 3, (j - 1) // 2) if self.flat else ((i - 1) // 2, (j - 2) // 3)
        return guess if self.lattice_centre(guess) == corner else None

    def neighbour_across(self, cell: Cell, side: tuple[Corner, Corner]) -> Cell:
        """The cell on the other side of a hexside, on the map or not."""
        i, j = self.lattice_centre(cell)
        (ai, aj), (bi, bj) = side
        other = self.cell_at((ai + bi - i, aj + bj - j))
        assert other is not None
        return other

    def cell(self, node: int) -> Cell:
        """Column and row of a hex on paper."""
        return self.cells[node]

    def centre(self, node: int) -> Point:
        """Where a counter on a hex, in an area or in a box stands."""
        if self.board.is_hex(node):
            return self.cell_centre(self.cells[node])
        return self.rects[node].centre

    def corners(self, node: int) -> list[Point]:
        """The six corners of a hex."""
        return [self.pixel(corner) for corner in self._lattice_corners(self.cells[node])]

    def lattice_side(self, here: int, there: int) -> tuple[Corner, Corner]:
        """The two corners that neighbouring hexes share."""
        shared = set(self._lattice_corners(self.cells[there]))
        a, b = (corner for corner in self._lattice_corners(self.cells[here]) if corner in shared)
        return a, b

    def side(self, here: int, there: int) -> tuple[Point, Point]:
        """The two ends of the hexside between two hexes."""
        a, b = self.lattice_side(here, there)
        return self.pixel(a), self.pixel(b)

    # areas and boxes

    def _side_of(self, area: Area) -> str:
        """West or east of the map: as the map file asks, or nearer to the hexes the area borders."""
        hint = self.hints.get("areas", {}).get(area.id, {})
        if "side" in hint:
            return str(hint["side"])
        columns = [self.cells[node][0] for node in area.borders] or [0]
        return "west" if sum(columns) / len(columns) < self.grid.columns / 2 else "east"

    def _rect_of(self, area: Area) -> Rect:
        if area.kind == "box":
            return self._bottom_box(self._boxes.index(area))
        if area.id in self.cells_of:
            return self._rect_on_map(area)
        hint = self.hints.get("areas", {}).get(area.id, {})
        labels = hint.get("beside") or [self.board.labels[node] for node in area.borders]
        heights = [self.cell_centre(self.grid.paper(label))[1] for label in labels] or [self.frame.centre[1]]
        top, bottom = min(heights) - self.half, max(heights) + self.half
        x = MARGIN if self._band[area.id] == "west" else self.frame.right + MARGIN
        return Rect(x, top, SIDE_BAND - MARGIN, max(bottom - top, 120.0))

    def _rect_on_map(self, area: Area) -> Rect:
        """Room for counters in an area that is drawn on the map: around the hint, or the middle of its cells."""
        hint = self.hints.get("areas", {}).get(area.id, {})
        labels = [hint["at"]] if "at" in hint else self.cells_of[area.id]
        spots = [self.cell_centre(self.grid.paper(label)) for label in labels]
        x, y = (sum(values) / len(spots) for values in zip(*spots, strict=True))
        size = 2.4 * self.radius
        return Rect(x - size / 2, y - size / 2, size, size)

    def _bottom_box(self, number: int) -> Rect:
        row, place = divmod(number, BOXES_A_ROW)
        gap = 14.0
        across = min(len(self._boxes), BOXES_A_ROW)
        width = (self.frame.width - gap * (across - 1)) / across
        y = self.frame.bottom + NOTE_BAND + row * (BOX_HEIGHT + gap)
        return Rect(self.frame.x + place * (width + gap), y, width, BOX_HEIGHT)

    def to_json(self) -> dict[str, Any]:
        """The coordinates a browser needs to lay counters and highlights over the drawn map."""
        return {
            "width": round(self.width, 1),
            "height": round(self.height, 1),
            "radius": self.radius,
            "orientation": self.grid.orientation,
            "centres": {
                label: [round(value, 1) for value in self.centre(node)] for node, label in enumerate(self.board.labels)
            },
            "corners": [
                [round(di * self.unit[0], 2), round(dj * self.unit[1], 2)]
                for di, dj in (FLAT_CORNERS if self.flat else POINTY_CORNERS)
            ],
            "boxes": {
                self.board.labels[node]: [round(v, 1) for v in (rect.x, rect.y, rect.width, rect.height)]
                for node, rect in self.rects.items()
            },
        }
