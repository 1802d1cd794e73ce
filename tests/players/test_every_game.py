"""Players in every installed game: legal choices, and no look at what is hidden."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

import counterblow
from counterblow import Game, players
from counterblow.kernel.state import State


def hiding_options(game: Game) -> dict[str, object]:
    """Every switch on: those that hide something among them."""
    return {name: option.choices[-1] for name, option in game.options.items() if set(option.choices) == {False, True}}


def positions(game: Game, seed: int, every: int, most: int) -> Iterator[State]:
    """Positions from a random game with everything hidden that can be."""
    chooser = random.Random(seed)
    state = game.start(seed=seed, options=hiding_options(game))
    for number in range(most):
        if state.over:
            return
        if number % every == 0:
            yield state
        state.do(chooser.choice(state.legal()))


@pytest.mark.parametrize("slug", counterblow.games())
def test_a_judgement_counts_only_what_the_side_sees(slug: str) -> None:
    game = counterblow.load(slug)
    for state in positions(game, seed=2, every=20, most=400):
        for side in (0, 1):
            for seed in range(3):
                other = players.imagine(state, side, seed)
                assert game.judge.evaluate(other, side) == game.judge.evaluate(state, side), state


@pytest.mark.parametrize("slug", counterblow.games())
def test_what_is_dealt_anew_was_not_in_sight(slug: str) -> None:
    game = counterblow.load(slug)
    for state in positions(game, seed=3, every=40, most=400):
        for side, name in enumerate(game.sides):
            other = players.imagine(state, side, 1)
            assert other.view(name) == state.view(name), state
            assert game.check(other) == game.check(state)


@pytest.mark.parametrize("slug", counterblow.games())
def test_a_world_dealt_anew_does_not_depend_on_what_was_hidden(slug: str) -> None:
    """So a choice made in it cannot either: the same seed deals the same world, whatever really lies under the fog."""
    game = counterblow.load(slug)
    for state in positions(game, seed=3, every=20, most=400):
        for side in (0, 1):
            world = players.imagine(state, side, 5)
            for seed in (1, 2):
                other = players.imagine(state, side, seed)
                assert players.imagine(other, side, 5) == world, state


@pytest.mark.parametrize("slug", ["narva", "narvik", "noretreat"])
def test_what_is_hidden_is_dealt_anew(slug: str) -> None:
    """Games with fog or hands: a player that tries things meets other units or cards than those that are there."""
    game = counterblow.load(slug)
    for state in positions(game, seed=3, every=50, most=400):
        for side in (0, 1):
            other = players.imagine(state, side, 1)
            other.rng, other.dice = state.rng, state.dice
            if other != state:
                return
    pytest.fail(f"{slug}: nothing was dealt anew")


@pytest.mark.parametrize("slug", counterblow.games())
def test_plain_chooses_legal_actions(slug: str) -> None:
    game = counterblow.load(slug)
    state = game.start(seed=4, options=hiding_options(game))
    player = players.make("plain", 4)
    for _ in range(25):
        decider = state.decider
        assert decider is not None
        before = state.to_json()
        action = player.choose(state, decider)
        assert state.to_json() == before
        state.do(action)


@pytest.mark.parametrize("slug", counterblow.games())
def test_a_decided_game_is_still_judged(slug: str) -> None:
    """Else a side that time has beaten would see no difference between fighting and waiting."""
    game = counterblow.load(slug)
    *_, state = positions(game, seed=3, every=50, most=400)
    worse = state.copy()
    for node in sorted(worse.here):
        for unit in [u for u in worse.here[node] if game.side_of[u] == 0 and node < game.board.hexes][:1]:
            worse.lift(unit)
    values = []
    for here in (state, worse):
        here.finish(1, "time", "time is up")
        values.append((game.judge.evaluate(here, 0), game.judge.evaluate(here, 1)))
    assert values[0][0] > values[1][0]
    assert values[0][1] < values[1][1]
    assert values[0][0] < 0 < values[1][1]
