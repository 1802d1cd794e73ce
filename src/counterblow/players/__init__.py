"""Computer players.

A player sees what its side sees, and nothing else: ``choose`` gets the state of the match and must not look at what
``state.view(side)`` hides. Players that try actions do so on ``imagine(state, side, seed)``: a copy with other dice, in
which the game has dealt anew what the side cannot see.
"""

from __future__ import annotations

from counterblow.kernel.errors import CounterblowError, unknown
from counterblow.players.base import Player, imagine
from counterblow.players.plain import Plain
from counterblow.players.randomly import Randomly

_PLAYERS: dict[str, type[Player]] = {player.name: player for player in (Randomly, Plain)}


def names() -> tuple[str, ...]:
    """The computer players, weakest first."""
    return tuple(_PLAYERS)


def make(name: str, seed: int = 0) -> Player:
    """A player of this name. The same seed makes the same choices in the same states."""
    if name not in _PLAYERS:
        raise CounterblowError(unknown("computer player", name, _PLAYERS))
    return _PLAYERS[name](seed)


def described() -> list[dict[str, str]]:
    """Name, title and a sentence for each player, for menus."""
    return [{"name": p.name, "title": p.title, "text": p.text} for p in _PLAYERS.values()]


__all__ = ["Plain", "Player", "Randomly", "described", "imagine", "make", "names"]
