"""No Retreat! The Russian Front 1941-1945."""

from counterblow.games.noretreat.game import NoRetreat as GAME

__all__ = ["GAME"]
