"""Finds matches, played at random without a screen, that stand just before something worth seeing."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

import counterblow
from counterblow.kernel.record import Match
from counterblow.kernel.state import State

LONGEST = 300
SEEDS = 80


def find(slug: str, wanted: Callable[[State], bool], shortest: int = 0) -> Match:
    """A match of at most LONGEST actions in whose position something is so."""
    game = counterblow.load(slug)
    for seed in range(SEEDS):
        chance = random.Random(seed)
        match = Match(game, seed=seed)
        while not match.state.over and len(match.actions) < LONGEST:
            if len(match.actions) >= shortest and wanted(match.state):
                return match
            match.do(chance.choice(match.state.legal()))
    raise LookupError(f"{slug}: no such position in {SEEDS} random games")


def offered(state: State, opening: str) -> list[str]:
    """The legal actions whose sentence begins so."""
    return [str(action) for action in state.legal() if str(action).startswith(opening)]


def offers(opening: str) -> Callable[[State], bool]:
    """A position in which such an action can be chosen."""
    return lambda state: bool(offered(state, opening))


def follow(state: State, *openings: str) -> bool:
    """Does the battle in hand lead through actions that begin so, if the first of each is taken?"""
    state = state.copy()
    for opening in openings:
        found = offered(state, opening)
        if not found:
            return False
        state.do(found[0])
    return True


@cache
def leningrad_retreat_and_advance() -> Match:
    """The Russians may fight a battle in which the defender retreats and the victor advances."""

    def stands(state: State) -> bool:
        return state.side == "russian" and follow(state, "fight ", "order retreat 0", "retreat ", "advance ")

    return find("leningrad", stands)


@cache
def narva_retreat_and_advance() -> Match:
    return find("narva", lambda state: follow(state, "resolve the attack", "retreat ", "advance "))
