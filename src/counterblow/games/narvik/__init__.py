"""Narvik 1940."""

from counterblow.games.narvik.game import Narvik as GAME

__all__ = ["GAME"]
