"""OpenSpiel plays the games. It is large and not in the lock: ``make test-large`` installs it and runs this."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest

import counterblow
from counterblow import envs
from counterblow.envs import encoding

pytestmark = pytest.mark.skipif(
    find_spec("pyspiel") is None, reason="open-spiel is not installed: 'make test-large' installs it and runs this test"
)


@pytest.mark.parametrize("slug", counterblow.games())
def test_a_random_game(slug: str) -> None:
    game = envs.spiel(slug)
    assert game.num_players() == 2
    state = game.new_initial_state()
    observer = game.make_py_observer()
    generator, plies = np.random.default_rng(1), 0
    while not state.is_terminal():
        player = state.current_player()
        actions = state.legal_actions(player)
        action = int(generator.choice(actions))
        assert state.action_to_string(player, action) in [a.text for a in state.state.legal()]
        if plies == 40:
            observer.set_from(state, player)
            direct = encoding.of_state(state.state, player)
            assert np.array_equal(observer.dict["hexes"], direct["hexes"])
            assert state.legal_actions(1 - player) == []
            twin = state.clone()
            twin.apply_action(action)
            assert twin.state.to_json() != state.state.to_json()
        state.apply_action(action)
        plies += 1
    assert sum(state.returns()) == 0
    assert plies > 40
    assert state.current_player() < 0


def test_each_new_state_has_other_dice() -> None:
    game = envs.spiel("leningrad", seed=5)
    first, second = game.new_initial_state(), game.new_initial_state()
    assert first.state.rng != second.state.rng
