"""Stacks over the limit: their owner chooses what goes, one unit after another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from counterblow.kernel.flow import S, ask
from counterblow.kernel.pick import Item, Pick


class Shed(Pick[S]):
    """One unit of a stack over the limit goes: ``s.push(ask, Excess, node)``. The first argument is the node."""

    kind = "remove"

    def excess(self, s: S, node: int, *args: Any) -> Sequence[int]:
        """The units one of which must go; empty while the stack is within the limit."""
        raise NotImplementedError

    def shed(self, s: S, unit: int, node: int, *args: Any) -> None:
        """What happens to it."""
        raise NotImplementedError

    def side(self, s: S, node: int, *args: Any) -> int:
        side: int = s.game.side_of[self.excess(s, node, *args)[0]]
        return side

    def about(self, s: S, node: int, *args: Any) -> tuple[int, ...]:
        return tuple(self.excess(s, node, *args))

    def items(self, s: S, node: int, *args: Any) -> Sequence[Item]:
        return self.excess(s, node, *args)

    def take(self, s: S, item: Item, node: int, *args: Any) -> None:
        """One goes; the stack is looked at again after whatever that has led to."""
        s.push(ask, type(self), node, *args)
        self.shed(s, item, node, *args)
