"""The player that picks any legal action: the bottom of the ladder."""

from __future__ import annotations

from counterblow.kernel.actions import Action
from counterblow.kernel.state import State
from counterblow.players.base import Player


class Randomly(Player):
    name = "random"
    title = "Random"
    text = "Picks any legal action. For looking around, and as a yardstick."

    def choose(self, state: State, side: int) -> Action:
        legal = state.legal()
        return legal[self._below(len(legal))]
