"""The player that picks any legal action: the bottom of the ladder."""

from __future__ import annotations

from counterblow.kernel.state import State
from counterblow.players.base import Player, Thought, where


class Randomly(Player):
    """Any legal action, drawn by the seed."""

    name = "random"
    title = "Random"
    text = "Picks any legal action. For looking around, and as a yardstick."

    def think(self, state: State, side: int) -> list[Thought]:
        legal = state.legal()
        return [Thought(where(state), legal[self._below(len(legal))], "drawn by lot")]
