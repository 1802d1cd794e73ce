"""Every installed game loads, starts and can be played a little: the first thing to break when something is wrong."""

from __future__ import annotations

import random

import pytest

import counterblow


@pytest.mark.parametrize("slug", counterblow.games())
def test_a_game_starts_and_plays(slug: str) -> None:
    game = counterblow.load(slug)
    state = game.start(seed=1)
    chooser = random.Random(1)
    for _ in range(300):
        if state.over:
            break
        state.do(chooser.choice(state.legal()))
    assert state.over or state.legal()


def test_the_list_of_games_is_sorted() -> None:
    assert list(counterblow.games()) == sorted(counterblow.games())
