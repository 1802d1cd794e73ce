"""The Ford: a whole small wargame, written by docs/writing-a-game.md alone. It is an example, not one of the games."""

from tests.example.ford.game import Ford as GAME

__all__ = ["GAME"]
