"""A position of The Ford."""

from __future__ import annotations

from counterblow.kernel.flow import Flow
from counterblow.kernel.state import State

BLUE, RED = 0, 1


class FordState(State):
    def blank(self) -> None:
        self.moved: bytearray = bytearray(len(self.game.unit_names))
        self.attacked: bytearray = bytearray(len(self.game.unit_names))
        self.fought: tuple[int, ...] = ()  # hexes attacked in this phase

    def army(self, side: int) -> list[int]:
        """The units that a side has left."""
        return [unit for unit, node in enumerate(self.at) if node >= 0 and self.game.side_of[unit] == side]

    def lose(self, unit: int, rule: str) -> None:
        self.log("loss", "{unit} is lost at {hex}", rule, unit=unit, hex=self.at[unit])
        self.lift(unit)


flow: Flow[FordState] = Flow()
