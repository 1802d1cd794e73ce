"""The steps of Narvik 1940; every chapter registers its own."""

from __future__ import annotations

from typing import Any

from counterblow.games.narvik.state import NarvikState
from counterblow.kernel.actions import Action
from counterblow.kernel.flow import Choice, Flow

flow: Flow[NarvikState] = Flow()


class NarvikChoice(Choice[NarvikState]):
    """A choice whose first argument is the side that decides."""

    def side(self, s: NarvikState, *args: Any) -> int:
        decider: int = args[0]
        return decider


def arg(action: Action, number: int = 0) -> int:
    """An argument of an action that is a single number."""
    value = action[1][number]
    assert isinstance(value, int)
    return value
