"""What counts in The Ford, for officer and general; the weights stand in data/judge.toml."""

from __future__ import annotations

from counterblow.players import judging
from tests.example.ford.state import BLUE, RED, FordState


class Judge(judging.Judge):
    features = ("blue", "red", "town", "blue_march", "red_march")

    def length(self) -> int:
        turns: int = self.game.data.toml("tables.toml")["turns"]
        return turns

    def clock(self, s: FordState) -> int:
        return 2 * s.turn + s.mover

    def count(self, s: FordState) -> list[float]:
        """As Blue sees it: what is good for Red counts below zero."""
        town = s.game.town
        holder = [s.game.side_of[unit] for unit in s.stack(town)]
        return [
            float(sum(s.game.strength[unit] for unit in s.army(BLUE))),
            -float(sum(s.game.strength[unit] for unit in s.army(RED))),
            1.0 if BLUE in holder else -1.0 if RED in holder else 0.0,
            -float(sum(s.game.board.distance(s.at[unit], town) for unit in s.army(BLUE))),
            float(sum(s.game.board.distance(s.at[unit], town) for unit in s.army(RED))),
        ]

    def unit_worth(self, s: FordState, unit: int) -> float:
        return 20.0 * float(s.game.strength[unit])

    def ground(self, s: FordState, side: int, node: int) -> float:
        return 60.0 if node == s.game.town else 5.0
