"""Range and lines of fire (14.2), tabulated when the game is loaded."""

from __future__ import annotations

from collections.abc import Sequence

from counterblow.kernel.board import Board
from counterblow.kernel.errors import DataError
from counterblow.kernel.hexes import Axial, axial_distance

Line = tuple[tuple[Axial, ...], ...]  # what it crosses: a hex, or the hexes on both sides of a hexside


class LinesOfFire:
    """Which hexes can be fired at from a hex."""

    def __init__(self, board: Board, land: Sequence[bool], peaks: frozenset[int], longest: int) -> None:
        self.board = board
        self.longest = longest
        self.axial = tuple(board.grid.axial(label) for label in board.grid.labels)
        self._node = {cell: node for node, cell in enumerate(self.axial)}
        self._peaks = frozenset(self.axial[node] for node in peaks)
        span = range(-longest, longest + 1)
        offsets = sorted((axial_distance((0, 0), (q, r)), q, r) for q in span for r in span)
        self._offsets = [(d, (q, r)) for d, q, r in offsets if 1 <= d <= longest]
        self._lines = {offset: self._line(*offset) for d, offset in self._offsets if d > 1}
        # range -> hex -> bit mask of the hexes in range with a line of fire
        self.masks: list[list[int]] = [[0] * board.hexes for _ in range(longest + 1)]
        for node in range(board.hexes):
            if land[node]:
                self._tabulate(node, land)

    def _tabulate(self, node: int, land: Sequence[bool]) -> None:
        q, r = self.axial[node]
        hills = {(x - q, y - r) for x, y in self._peaks if axial_distance((q, r), (x, y)) < self.longest}
        mask, reach = 0, 1
        for distance, offset in self._offsets:
            if distance > reach:
                self.masks[reach][node] = mask
                reach = distance
            target = self._node.get((q + offset[0], r + offset[1]))
            if target is None or not land[target]:
                continue
            if distance == 1 or not any(hills.issuperset(crossed) for crossed in self._lines[offset]):  # 14.2.g
                mask |= 1 << target
        self.masks[reach][node] = mask

    def clear(self, here: int, there: int) -> bool:
        """14.2.b, 14.2.c, 14.2.d: no peak is crossed, and no line between two peaks is used."""
        return bool(self.masks[self.longest][here] >> there & 1)

    def _line(self, dq: int, dr: int) -> Line:
        """What a line to this offset crosses on its way, read off two hexes in the middle of the map."""
        grid = self.board.grid
        middle = grid.label_at(grid.columns // 2, grid.rows // 2)
        q, r = grid.axial(middle)
        other = grid.at(q + dq, r + dr)
        if other is None:
            raise DataError(f"{self.board.where}: a range of {self.longest} hexes is too long for this map")
        crossed = [[grid.axial(label) for label in hexes] for hexes in grid.crossed(middle, other)[1:-1]]
        return tuple(tuple((x - q, y - r) for x, y in cells) for cells in crossed)
