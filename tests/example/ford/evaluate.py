"""How good a position of The Ford looks, for the plain computer player."""

from __future__ import annotations

from typing import Any

from counterblow.kernel.judge import Judge
from tests.example.ford.state import BLUE, RED, FordState

STRENGTH, TOWN, NEARER, WIN = 20, 60, 3, 10_000


class FordJudge(Judge[Any]):
    def evaluate(self, state: FordState, side: int) -> int:
        value = self.force(state, BLUE) - self.force(state, RED)
        if state.outcome is not None:
            value += WIN if state.outcome[0] == BLUE else -WIN
        return value if side == BLUE else -value

    def force(self, s: FordState, side: int) -> int:
        """Strength on the map, the town, and nearness to it."""
        game, town = self.game, self.game.town
        army = s.army(side)
        far = sum(game.board.distance(s.at[unit], town) for unit in army)
        held = TOWN if any(s.at[unit] == town for unit in army) else 0
        strength = sum(game.strength[unit] for unit in army)
        return int(STRENGTH * strength + held - NEARER * far)
