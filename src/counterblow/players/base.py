"""What every computer player is."""

from __future__ import annotations

from typing import ClassVar

from counterblow.kernel import chance
from counterblow.kernel.actions import Action
from counterblow.kernel.state import State


class Player:
    """Chooses actions for a side. Deterministic: seed, state and side decide."""

    name: ClassVar[str]
    title: ClassVar[str]
    text: ClassVar[str]

    def __init__(self, seed: int = 0) -> None:
        self._generator = chance.seeded(seed)

    def choose(self, state: State, side: int) -> Action:
        """One of ``state.legal()``; ``side`` is the side that decides. The state is not changed."""
        raise NotImplementedError

    def _below(self, n: int) -> int:
        """A number from 0 to n - 1 from the player's own generator."""
        self._generator, number = chance.below(self._generator, n)
        return number


def imagine(state: State, side: int, seed: int) -> State:
    """A copy on which a side may try things: other dice, and what it cannot see dealt anew by the game."""
    other = state.copy()
    other.rng = chance.seeded(seed)
    other.dice = ()
    other.game.redeal(other, side)
    return other
