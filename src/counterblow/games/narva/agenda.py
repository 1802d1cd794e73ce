"""The steps of the game by name; every chapter registers its own."""

from __future__ import annotations

from counterblow.games.narva.state import NarvaState
from counterblow.kernel.flow import Choice, Flow

flow: Flow[NarvaState] = Flow()


class NarvaChoice(Choice[NarvaState]):
    """A decision of this game."""
