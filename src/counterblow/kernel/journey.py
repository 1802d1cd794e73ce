"""A unit, then where it goes: marches, arrivals, set-up.

The first pick chooses the unit (any ``Pick`` of units will do), the second is a ``Destination``. It can be taken back
while nothing is spent, and where the way matters (a trap beside the road, a town to be taken in passing) the player may
go ``by`` a path of his own instead of the cheapest one.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from counterblow.kernel.actions import Action, ActionRow
from counterblow.kernel.board import Board
from counterblow.kernel.flow import BACK, BY, S
from counterblow.kernel.graph import Costs, Counts
from counterblow.kernel.pick import Pick
from counterblow.kernel.rulebook import Citation
from counterblow.kernel.walk import Path


class Destination(Pick[S]):
    """Where a chosen unit goes. The step's first argument is the unit."""

    kind = "to"
    returns = True

    def side(self, s: S, unit: int, *args: Any) -> int:
        side: int = s.game.side_of[unit]
        return side

    def about(self, s: S, unit: int, *args: Any) -> tuple[int, ...]:
        return (unit,)

    def pass_item(self, s: S, unit: int, *args: Any) -> Any:
        """A pass that names somebody names the unit: "halt {unit}"."""
        return unit if s.game.act.blanks[self.passing] else ()

    def allows(self, s: S, action: Action, unit: int, *args: Any) -> bool:
        """Who goes where he is stays: the choice is taken back."""
        here = s.at[unit]
        if action.kind == self.kind and action.args in ((here,), (unit, here)):
            return s.game.act[BACK][()] in self.shortcuts(s, unit, *args)
        return super().allows(s, action, unit, *args)


class NamedDestination(Destination[S]):
    """A destination whose action names the unit as well: "place {unit} {hex}". One unit goes at a time."""

    def nodes(self, s: S, unit: int, *args: Any) -> Sequence[int]:
        """Where it can go."""
        raise NotImplementedError

    def why_not_node(self, s: S, node: int, unit: int, *args: Any) -> Citation | None:
        """The rule that keeps it from a place."""
        raise NotImplementedError

    def arrive(self, s: S, node: int, unit: int, *args: Any) -> None:
        """It goes there. The step is off the agenda already."""
        raise NotImplementedError

    def why_not_unit(self, s: S, other: int, unit: int, *args: Any) -> Citation:
        """Why another unit than the one in hand does not go now."""
        return Citation(self.rules[0], f"it is {s.game.unit_names[unit]} that goes now")

    def listed(self, s: S, unit: int, *args: Any) -> list[Action]:
        row: ActionRow = s.game.act[self.kind].row(unit)
        return [row[node] for node in self.nodes(s, unit, *args)]

    def items(self, s: S, unit: int, *args: Any) -> Sequence[tuple[int, int]]:
        return [(unit, node) for node in self.nodes(s, unit, *args)]

    def why_not_item(self, s: S, item: tuple[int, int], unit: int, *args: Any) -> Citation | None:
        if item[0] != unit:
            return self.why_not_unit(s, item[0], unit, *args)
        return self.why_not_node(s, item[1], unit, *args)

    def take(self, s: S, item: tuple[int, int], unit: int, *args: Any) -> None:
        self.arrive(s, item[1], unit, *args)


class Journey(Destination[S]):
    """A destination that may be reached by a way of the player's choice."""

    def why_not_way(self, s: S, path: Path, unit: int, *args: Any) -> Citation | None:
        """The rule that forbids to go by a path, from the unit's hex on; None if it may."""
        raise NotImplementedError

    def go_by(self, s: S, path: Path, unit: int, *args: Any) -> None:
        """Go by a path that no rule forbids. The step is off the agenda already."""
        raise NotImplementedError

    def path_of(self, s: S, action: Action, unit: int, *args: Any) -> Path:
        """The way that an action names, from the unit's hex on, whether it begins with that hex or with the next."""
        path: Path = action.args[0]
        return path[1:] if path and path[0] == s.at[unit] else path

    def by_own_way(self) -> bool:
        return True

    def offers(self, kind: str) -> bool:
        return kind == BY or super().offers(kind)

    def allows(self, s: S, action: Action, *args: Any) -> bool:
        if action.kind == BY:
            return not self.why_not(s, action, *args)
        return super().allows(s, action, *args)

    def take_shortcut(self, s: S, action: Action, *args: Any) -> None:
        s.pop()
        if action.kind == BY:
            self.go_by(s, self.path_of(s, action, *args), *args)

    def why_not(self, s: S, action: Action, *args: Any) -> list[Citation]:
        if action.kind == BY:
            reason = self.why_not_way(s, self.path_of(s, action, *args), *args)
            return [] if reason is None else [reason]
        return super().why_not(s, action, *args)


def price(
    board: Board, costs: Costs, enemy: Counts, zone: Counts, friend: Counts, path: Sequence[int], spent: int = 0,
    halt: Counts | None = None,
) -> int:  # fmt: skip
    """What a given way costs by the rules of ``Graph.reach``; -1 if a step of it is barred."""
    total, start = spent, path[0]
    for here, there in pairwise(path):
        step = board.step_of.get((here, there))
        if step is None or costs.cost[step] < 0 or enemy[there]:
            return -1
        zoned = zone[here] > 0 and not (costs.friends and friend[here] and here != start)
        if here != start and ((zoned and costs.stop) or (halt is not None and halt[here])):
            return -1
        zoned_there = zone[there] > 0 and not (costs.friends and friend[there])
        if zoned and zoned_there and costs.between and not (costs.between == 2 and friend[there]):
            return -1
        if costs.whole and not costs.road[step]:
            total = -(-total // costs.whole) * costs.whole
        total += costs.cost[step] + (costs.leave if zoned else 0) + (costs.enter if zoned_there else 0)
        if zoned or zoned_there:
            total += costs.near_zone[step]
    return total
