"""Lines of supply: who can trace a line to a source, through what, how far."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import Any, Generic

from counterblow.kernel.flow import S
from counterblow.kernel.graph import Counts, Steps


class Lines(Generic[S]):
    """One kind of line. A game says where lines begin, across which steps they run, and what shuts them."""

    length: int = -1  # in hexes; negative: any

    def sources(self, s: S, side: int) -> Iterable[int]:
        """Where a side's lines begin."""
        raise NotImplementedError

    def steps(self, s: S, side: int) -> Steps:
        """Across which hexsides a line may run."""
        raise NotImplementedError

    def shut(self, s: S, side: int, *args: Any) -> Counts:
        """Hexes that a line may not use: enemy units, and enemy zones where no friend stands.

        ``args`` are what a game needs besides, such as a hex to be thought empty.
        """
        shut: Counts = s.game.board.graph.shut(s.held[1 - side], s.zone[1 - side], s.held[side])
        return shut

    def trace(self, s: S, side: int, *args: Any) -> array[int]:
        """Per node: one more than its distance from the nearest source, 0 where no line leads."""
        traced: array[int] = s.game.board.graph.flood(
            self.steps(s, side), self.shut(s, side, *args), self.sources(s, side), self.length
        )
        return traced

    def reaches(self, s: S, unit: int, *args: Any) -> bool:
        """Can a unit trace a line from where it stands?"""
        return bool(self.trace(s, s.game.side_of[unit])[s.at[unit]])
