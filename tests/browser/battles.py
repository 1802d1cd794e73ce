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


def follow(state: State, *kinds: str) -> bool:
    """Does the battle in hand lead through these decisions, if everybody takes the first choice?"""
    state = state.copy()
    for kind in kinds:
        if state.over or state.decision is None or state.decision.kind != kind:
            return False
        state.do(state.legal()[0])
    return True


@cache
def leningrad_retreat_and_advance() -> Match:
    def stands(state: State) -> bool:
        decision = state.decision
        return (
            decision is not None
            and decision.kind == "battle"
            and follow(state, "battle", "retreat.length", "retreat", "advance.choose")
        )

    return find("leningrad", stands)


@cache
def narva_retreat_and_advance() -> Match:
    def stands(state: State) -> bool:
        if state.decision is None or state.decision.kind != "combat.build":
            return False
        if "resolve the attack" not in [str(action) for action in state.legal()]:
            return False
        state = state.copy()
        state.do("resolve the attack")
        return follow(state, "retreat.path", "advance.unit")

    return find("narva", stands)
