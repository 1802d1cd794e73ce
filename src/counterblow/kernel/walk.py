"""Going hex by hex: retreats and advances.

A game says what one step may do, when a walk is complete, and which complete ways come before others; the kernel finds
the ways, offers the next hexes, and explains why another way is refused. A path begins with the hex that is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic

from counterblow.kernel.flow import S
from counterblow.kernel.rulebook import Citation

Path = tuple[int, ...]


class Walk(Generic[S]):
    """The rules of one kind of walk. ``args`` are what the game needs besides: the length, the battle, ..."""

    # ------------------------------------------------------------------ what the game says

    def exits(self, s: S, unit: int, path: Path, *args: Any) -> Sequence[int]:
        """Where a step could lead, in a fixed order."""
        around: Sequence[int] = s.game.board.around[path[-1]]
        return around

    def why_not_step(self, s: S, unit: int, path: Path, there: int, *args: Any) -> Citation | None:
        """The rule that bars a step from the end of the path; None if it may be taken."""
        raise NotImplementedError

    def complete(self, s: S, unit: int, path: Path, *args: Any) -> bool:
        """Does the walk end here?"""
        raise NotImplementedError

    def why_not_complete(self, s: S, unit: int, path: Path, *args: Any) -> Citation:
        """Why a walk may not end here, or cannot be completed this way."""
        raise NotImplementedError

    def preferred(self, s: S, unit: int, paths: list[Path], *args: Any) -> list[Path]:
        """Of several complete ways those that the rules put first."""
        return paths

    def why_not_preferred(self, s: S, unit: int, path: Path, paths: list[Path], *args: Any) -> Citation:
        """The rule by which other ways come before this one."""
        raise NotImplementedError

    # ------------------------------------------------------------------ what follows from it

    def steps(self, s: S, unit: int, path: Path, *args: Any) -> list[int]:
        """Hexes that can be entered next."""
        return [
            there
            for there in self.exits(s, unit, path, *args)
            if self.why_not_step(s, unit, path, there, *args) is None
        ]

    def complete_paths(self, s: S, unit: int, path: Path, *args: Any) -> list[Path]:
        """Every way on from a path that completes the walk."""
        if self.complete(s, unit, path, *args):
            return [path]
        found: list[Path] = []
        for there in self.steps(s, unit, path, *args):
            found += self.complete_paths(s, unit, (*path, there), *args)
        return found

    def farthest_paths(self, s: S, unit: int, path: Path, *args: Any) -> list[Path]:
        """Every complete way; if there is none, those that go as far as any can."""
        ways, ended = [path], [path] if self.complete(s, unit, path, *args) else []
        while not ended:
            longer = [(*way, there) for way in ways for there in self.steps(s, unit, way, *args)]
            if not longer:
                return ways
            ways, ended = longer, [way for way in longer if self.complete(s, unit, way, *args)]
        return ended

    def paths(self, s: S, unit: int, start: int, *args: Any) -> list[Path]:
        """The ways that may be taken from a hex."""
        found = self.complete_paths(s, unit, (start,), *args)
        return self.preferred(s, unit, found, *args) if len(found) > 1 else found

    def next_steps(self, s: S, unit: int, path: Path, *args: Any) -> list[int]:
        """The hexes by which a walk that is under way can go on, so that it can be completed."""
        found = self.complete_paths(s, unit, path, *args)
        if len(found) > 1:
            found = self.preferred(s, unit, found, *args)
        return list(dict.fromkeys(way[len(path)] for way in found if len(way) > len(path)))

    def why_not_path(self, s: S, unit: int, path: Path, *args: Any) -> Citation | None:
        """The first rule that a whole way breaks; None if it may be taken."""
        reason = self.why_not_along(s, unit, path, *args)
        if reason is not None:
            return reason
        if not self.complete(s, unit, path, *args):
            return self.why_not_complete(s, unit, path, *args)
        ways = self.paths(s, unit, path[0], *args)
        return None if path in ways else self.why_not_preferred(s, unit, path, ways, *args)

    def why_not_along(self, s: S, unit: int, path: Path, *args: Any) -> Citation | None:
        """The first step of a way that is barred."""
        for number in range(1, len(path)):
            reason = self.why_not_step(s, unit, path[:number], path[number], *args)
            if reason is not None:
                return reason
        return None

    def why_not_next(self, s: S, unit: int, path: Path, there: int, *args: Any) -> Citation | None:
        """Why a walk that is under way may not go on by a hex; None if it may."""
        reason = self.why_not_step(s, unit, path, there, *args)
        if reason is not None:
            return reason
        if there in self.next_steps(s, unit, path, *args):
            return None
        onward = self.complete_paths(s, unit, (*path, there), *args)
        if not onward:
            return self.why_not_complete(s, unit, (*path, there), *args)
        return self.why_not_preferred(s, unit, onward[0], self.complete_paths(s, unit, path, *args), *args)


class Outward(Walk[S]):
    """A walk each step of which leads further from its start, with no way put before another.

    Whether it can be completed from a hex does not depend on how the hex was reached, so every hex is tried once.
    """

    def next_steps(self, s: S, unit: int, path: Path, *args: Any) -> list[int]:
        known: dict[int, bool] = {}
        return [
            there for there in self.steps(s, unit, path, *args) if self._ends(s, unit, (*path, there), known, *args)
        ]

    def _ends(self, s: S, unit: int, path: Path, known: dict[int, bool], *args: Any) -> bool:
        """Can the walk be completed from the end of a path?"""
        node = path[-1]
        if node not in known:
            known[node] = self.complete(s, unit, path, *args)
            if not known[node]:
                for there in self.steps(s, unit, path, *args):
                    if self._ends(s, unit, (*path, there), known, *args):
                        known[node] = True
                        break
        return known[node]

    def why_not_next(self, s: S, unit: int, path: Path, there: int, *args: Any) -> Citation | None:
        reason = self.why_not_step(s, unit, path, there, *args)
        if reason is None and there not in self.next_steps(s, unit, path, *args):
            reason = self.why_not_complete(s, unit, (*path, there), *args)
        return reason
