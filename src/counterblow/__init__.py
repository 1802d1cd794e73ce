"""Counterblow: board wargames with every rule enforced and explained.

>>> import counterblow
>>> game = counterblow.load("leningrad")
>>> state = game.start(seed=1)
>>> state.side
'russian'
"""

import os

if os.environ.get("COUNTERBLOW_PLAIN"):
    from counterblow import _plain  # noqa: F401

from counterblow.games import games, load
from counterblow.kernel.actions import Action, IllegalAction, UnreadableAction
from counterblow.kernel.errors import CounterblowError, DataError, PositionError, RecordError
from counterblow.kernel.events import Event
from counterblow.kernel.flow import Decision
from counterblow.kernel.forecast import Forecast, Modifier, Outcome
from counterblow.kernel.game import Game, Option, Right, Scenario
from counterblow.kernel.record import Match
from counterblow.kernel.rulebook import Citation, Rule
from counterblow.kernel.state import Result, State

__all__ = [
    "Action",
    "Citation",
    "CounterblowError",
    "DataError",
    "Decision",
    "Event",
    "Forecast",
    "Game",
    "IllegalAction",
    "Match",
    "Modifier",
    "Option",
    "Outcome",
    "PositionError",
    "RecordError",
    "Result",
    "Right",
    "Rule",
    "Scenario",
    "State",
    "UnreadableAction",
    "games",
    "load",
]
