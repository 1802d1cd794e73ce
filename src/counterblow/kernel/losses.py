"""Who loses what: losses are taken one by one, and the owner is asked only where he has a choice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from counterblow.kernel.flow import S, ask
from counterblow.kernel.pick import Pick


class Losses(Pick[S]):
    """So much to lose among some units: ``s.push(ask, StepLosses, units, 3)``.

    The step's arguments are the units, what is left to lose, and the game's own. Each loss is settled, with whatever it
    leads to, before the next is demanded; what nobody is left to lose lapses.
    """

    kind: str = "lose"

    # ------------------------------------------------------------------ what the game says

    def eligible(self, s: S, units: tuple[int, ...], left: int, *args: Any) -> Sequence[int]:
        """Who may take the next loss: whom no rule spares, unless the game knows better."""
        return [unit for unit in units if self.why_not_item(s, unit, units, left, *args) is None]

    def lose(self, s: S, unit: int, units: tuple[int, ...], left: int, *args: Any) -> None:
        """The unit takes the loss."""
        raise NotImplementedError

    def worth(self, s: S, unit: int, *args: Any) -> int:
        """How much of the demand the unit's loss pays: one step, or its strength."""
        return 1

    # ------------------------------------------------------------------ what follows from it

    def side(self, s: S, units: tuple[int, ...], *args: Any) -> int:
        side: int = s.game.side_of[units[0]]
        return side

    def about(self, s: S, units: tuple[int, ...], left: int, *args: Any) -> tuple[int, ...]:
        return tuple(self.eligible(s, units, left, *args))

    def items(self, s: S, units: tuple[int, ...], left: int, *args: Any) -> Sequence[int]:
        return self.eligible(s, units, left, *args) if left > 0 else ()

    def take(self, s: S, unit: int, units: tuple[int, ...], left: int, *args: Any) -> None:
        rest = left - self.worth(s, unit, *args)
        if rest > 0:
            s.push(ask, type(self), units, rest, *args)
        self.lose(s, unit, units, left, *args)
