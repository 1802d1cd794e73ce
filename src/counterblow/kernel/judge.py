"""How good a position looks, for computer players: only what a side can see may count."""

from __future__ import annotations

from typing import Any, Generic

from counterblow.kernel.actions import Action
from counterblow.kernel.views import G


class Judge(Generic[G]):
    """Base of a game's judgement."""

    def __init__(self, game: G) -> None:
        self.game: G = game

    def evaluate(self, state: Any, side: int) -> int:
        """How good a position looks for a side; higher is better."""
        return 0

    def worth_trying(self, state: Any, legal: list[Action]) -> list[Action]:
        """The legal actions that a computer player should look at: all, unless the game knows better."""
        return legal

    def redeal(self, state: Any, side: int) -> None:
        """Deal anew, with the state's own generator, all that a side cannot see: decks, hands, cups, fogged units.

        Computer players try actions on a copy that has passed through here, so that they cannot peek.
        """
