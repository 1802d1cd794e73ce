"""What players see of The Ford."""

from __future__ import annotations

from typing import Any

from counterblow.kernel.views import Views, result_chart
from tests.example.ford.state import FordState


class FordViews(Views[Any]):
    def turn_label(self, state: FordState) -> str:
        return f"{3 + state.turn} May, turn {state.turn} of {self.game.turns}"

    def counter(self, state: FordState, unit: int) -> dict[str, Any]:
        game = self.game
        kind = "motorized" if game.movement[unit] > 3 else "infantry"
        return {"symbol": kind, "size": "II", "values": f"{game.strength[unit]}-{game.movement[unit]}"}

    def tables(self) -> list[dict[str, Any]]:
        return [result_chart("crt", "Combat results", self.game.results)]
