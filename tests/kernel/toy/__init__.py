"""A very small wargame, so that the kernel is tested without any of the real ones."""

from tests.kernel.toy.game import Toy as GAME

__all__ = ["GAME"]
