"""Computer players.

A player sees what its side sees, and nothing else: ``choose`` gets the state of the match and must not look at what
``state.view(side)`` hides. Players that try actions do so on ``imagine(state, side, seed)``: a copy with other dice, in
which the game has dealt anew what the side cannot see.
"""

from __future__ import annotations

from typing import Any

from counterblow.kernel.errors import CounterblowError, DataError, unknown
from counterblow.kernel.game import Game
from counterblow.players.base import TEMPERAMENTS, Cancelled, Player, Rated, imagine
from counterblow.players.general import General
from counterblow.players.judging import judge_of
from counterblow.players.officer import Officer
from counterblow.players.plain import Plain
from counterblow.players.randomly import Randomly

_PLAYERS: dict[str, type[Player]] = {player.name: player for player in (Randomly, Plain, Officer, General)}
_SETTINGS = ("temperament", "nodes", "seconds", "progress", "cancelled")


def names() -> tuple[str, ...]:
    """The computer players, weakest first."""
    return tuple(_PLAYERS)


def make(name: str, seed: int = 0, **more: Any) -> Player:
    """A player of this name, "officer" or with a temperament "officer:bold"; the same seed makes the same choices.

    ``more``: ``temperament``, a budget of ``nodes`` with a cap of ``seconds`` for each thought, and the hooks
    ``progress(share)`` and ``cancelled()``.
    """
    if not isinstance(name, str):
        raise CounterblowError(f"a computer player is called by its name, not {name!r}: {', '.join(_PLAYERS)}")
    kind, colon, temperament = name.partition(":")
    if kind not in _PLAYERS:
        raise CounterblowError(unknown("computer player", kind, _PLAYERS))
    if colon and more.get("temperament", temperament) != temperament:
        raise CounterblowError(f"{name} or the temperament {more['temperament']!r}: which of them?")
    if colon:
        more["temperament"] = temperament
    for word in more:
        if word not in _SETTINGS:
            raise CounterblowError(unknown("setting of a player", word, _SETTINGS))
    return _PLAYERS[kind](seed, **more)


def described(game: Game | None = None) -> list[dict[str, str]]:
    """Name, title and a sentence for each player, for menus; with how strong it was found to be in a game."""
    strength = {} if game is None else judge_of(game).strength
    for name in strength:
        if name not in _PLAYERS:
            raise DataError(f"judge.toml: strength: {unknown('computer player', name, _PLAYERS)}")
    return [
        {"name": p.name, "title": p.title, "text": f"{p.text} {strength.get(p.name, '')}".strip()}
        for p in _PLAYERS.values()
    ]


__all__ = [
    "TEMPERAMENTS",
    "Cancelled",
    "General",
    "Officer",
    "Plain",
    "Player",
    "Randomly",
    "Rated",
    "described",
    "imagine",
    "make",
    "names",
]
