"""Across the Narva: the Soviet assault on Estonia, February to April 1944."""

from counterblow.games.narva.game import Narva as GAME

__all__ = ["GAME"]
