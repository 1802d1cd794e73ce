"""How an action went, as the service tells it: the ways that units took, and the odds before the dice."""

from __future__ import annotations

import random

import pytest

import counterblow
from counterblow.kernel.record import Match
from counterblow.service.story import story


def played(slug: str, actions: int, seed: int = 1, **options: object) -> Match:
    match, chance = Match(counterblow.load(slug), seed=seed, options=options), random.Random(seed)
    for _ in range(actions):
        if match.state.over:
            break
        match.do(chance.choice(match.state.legal()))
    return match


@pytest.mark.parametrize("slug", counterblow.games())
def test_every_unit_that_moved_has_its_way(slug: str) -> None:
    """From where it was to where it is; where the game tells or finds the way, hex by hex."""
    match = played(slug, 250)
    labels = match.game.board.labels
    moved = long = 0
    for ply in range(1, len(match.actions) + 1):
        before, after = match.state_at(ply - 1), match.state_at(ply)
        side = None if before.decider is None else before.decider
        for unit, way in story(match, ply, side)["paths"].items():
            assert (way[0], way[-1]) == (labels[before.at[unit]], labels[after.at[unit]])
            moved += 1
            long += len(way) > 2
    assert moved > 10
    assert long > 2


@pytest.mark.parametrize("slug", ["leningrad", "narva", "noretreat"])
def test_battles_are_told_with_their_odds(slug: str) -> None:
    """Every battle whose attacker saw a forecast is told with it, to the other side as well."""
    match = played(slug, 700)
    told = 0
    for ply in range(1, len(match.actions) + 1):
        rolled = any(event.dice and event.kind in ("battle", "combat", "roll") for event in match.events[ply - 1])
        if not rolled:
            continue
        for side in (0, 1, None):
            battle = story(match, ply, side)["battle"]
            if battle is not None:
                told += 1
                assert battle["outcomes"]
    assert told >= 6


def test_no_odds_where_something_is_hidden() -> None:
    """In the fog of war a forecast would name units that the other side cannot see."""
    match = played("narvik", 500, fog=True)
    rolled = [ply for ply in range(1, len(match.actions) + 1) if any(event.dice for event in match.events[ply - 1])]
    for ply in rolled:
        before = match.state_at(ply - 1)
        for side in (0, 1):
            unseen = [unit for unit, node in enumerate(before.at) if node >= 0 and not before.sees(side, unit)]
            shown = story(match, ply, side)
            if unseen:
                assert shown["battle"] is None
                assert not set(shown["paths"]) & set(unseen)
    assert rolled
