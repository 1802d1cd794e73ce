"""Leningrad 1941."""

from counterblow.games.leningrad.game import Leningrad as GAME

__all__ = ["GAME"]
