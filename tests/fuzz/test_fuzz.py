"""Random play with every invariant checked, for every installed game and scenario; ``make fuzz`` plays many more."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

import counterblow
from counterblow.lab.fuzz import play_checked
from counterblow.lab.simulate import play_random, simulate

STARTS = [(slug, scenario.name) for slug in counterblow.games() for scenario in counterblow.load(slug).scenarios]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("slug", "scenario"), STARTS)
def test_random_games_end_with_every_invariant(slug: str, scenario: str, seed: int) -> None:
    assert play_checked(counterblow.load(slug), seed, scenario).actions > 0


@pytest.mark.parametrize("slug", counterblow.games())
def test_every_option_can_be_played(slug: str) -> None:
    game = counterblow.load(slug)
    for option in game.option_list:
        for number, choice in enumerate(option.choices):
            if choice != option.default:
                state, _ = play_random(game, 50 + number, options={option.name: choice})
                assert state.over
                assert game.check(state) == []


@pytest.mark.parametrize("slug", counterblow.games())
def test_the_same_seed_gives_the_same_game_in_any_process(slug: str) -> None:
    code = f"from counterblow.lab.simulate import play_random; import counterblow; " \
           f"print(play_random(counterblow.load({slug!r}), 11)[0].to_json())"  # fmt: skip
    ends = set()
    for hash_seed in ("0", "1", "77"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        ends.add(run.stdout)
    assert len(ends) == 1


def test_simulation_is_the_same_for_any_number_of_processes() -> None:
    slug = counterblow.games()[0]
    assert simulate(slug, 4, seed=5, jobs=1) == simulate(slug, 4, seed=5, jobs=2)


@pytest.mark.parametrize("slug", counterblow.games())
def test_plain_python_plays_the_same_game_as_the_compiled_build(slug: str) -> None:
    code = f"import json, counterblow; from counterblow.kernel import graph; " \
           f"from counterblow.lab.simulate import play_random; " \
           f"print(json.dumps([graph.COMPILED, play_random(counterblow.load({slug!r}), 12)[0].to_json()]))"  # fmt: skip
    environment = {**os.environ, "COUNTERBLOW_PLAIN": "1"}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    compiled, end = json.loads(run.stdout)
    assert not compiled
    assert end == play_random(counterblow.load(slug), 12)[0].to_json()
