"""The research libraries' own tests on all games, and what the adapters promise beyond them."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

import counterblow
from counterblow import Action, CounterblowError, State, envs
from counterblow.kernel import chance
from counterblow.lab.simulate import play_random

SLUGS = counterblow.games()


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """The libraries' tests warn of what they would do otherwise; our own warnings stay errors."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", module=r"(pettingzoo|gymnasium)\.")
        yield


@pytest.mark.parametrize("slug", SLUGS)
def test_pettingzoo_api(slug: str) -> None:
    api_test(envs.aec(slug), num_cycles=150)


@pytest.mark.parametrize("slug", SLUGS)
def test_pettingzoo_seeds(slug: str) -> None:
    seed_test(lambda: envs.aec(slug), num_cycles=60)


def test_both_sides_in_parallel() -> None:
    env = turn_based_aec_to_parallel(envs.aec("noretreat"))
    observations, _ = env.reset(seed=5)
    steps = 0
    while env.agents:
        mover = env.unwrapped.agent_selection
        actions = dict.fromkeys(env.agents, 0)
        actions[mover] = int(np.flatnonzero(observations[mover]["action_mask"])[-1])
        observations, rewards, terminations, _, _ = env.step(actions)
        steps += 1
    assert steps > 50
    assert sum(rewards.values()) == 0
    assert all(terminations.values())


@pytest.mark.parametrize("slug", SLUGS)
def test_gymnasium_checks_each_seat(slug: str) -> None:
    for side in counterblow.load(slug).sides:
        check_env(envs.gym(slug, side, "random", render_mode=None), skip_render_check=True)


def play(env: Any, seed: int) -> tuple[float, int, list[float]]:
    """A random game from one seat."""
    observation, _ = env.reset(seed=seed)
    generator, rewards, over = chance.seeded(seed), [], False
    while not over:
        options = np.flatnonzero(observation["action_mask"])
        generator, pick = chance.below(generator, len(options))
        observation, reward, over, cut, _ = env.step(options[pick])
        assert not cut
        rewards.append(float(reward))
    return rewards[-1], len(rewards), rewards


def test_a_seat_is_rewarded_at_the_end_and_a_seed_repeats_the_game() -> None:
    env = envs.gym("noretreat", "soviet")
    reward, length, rewards = play(env, 11)
    assert reward in (-1.0, 0.0, 1.0)
    assert not any(rewards[:-1])
    first = env.state.to_json()
    assert (reward, length) == play(env, 11)[:2]
    assert env.state.to_json() == first
    assert env.state.result is not None
    winner = env.state.result.winner
    assert reward == (0.0 if winner is None else 1.0 if winner == "soviet" else -1.0)


def test_only_the_own_side_decides_and_a_function_may_be_the_opponent() -> None:
    asked: list[int] = []

    def first(state: State, side: int) -> Action:
        asked.append(side)
        return state.legal()[0]

    env = envs.gym("noretreat", "soviet", first)
    env.reset(seed=1)
    for _ in range(30):
        assert env.state.side == "soviet"
        assert env.options().shape[0] == len(env.state.legal())
        if env.step(0)[2]:
            break
    assert set(asked) == {0}


def test_an_illegal_index_loses() -> None:
    env = envs.gym("leningrad", "russian")
    env.reset(seed=1)
    _, reward, over, _, info = env.step(np.int64(2047))
    assert (reward, over, info) == (-1.0, True, {"illegal": True})
    both = envs.aec("leningrad")
    both.reset(seed=1)
    with pytest.raises(CounterblowError, match="action 2047 is not legal: there are options 0 to"):
        both.step(2047)


def test_resets_without_a_seed_follow_the_last_one() -> None:
    def games(env: Any) -> list[str]:
        found = []
        for seed in (3, None, None):
            env.reset(seed=seed)
            found.append(env.state_.to_json())
        return found

    first = games(envs.aec("leningrad"))
    assert first == games(envs.aec("leningrad"))
    assert len(set(first)) == 3


def test_rendering_draws_the_map_with_the_counters_that_the_side_sees() -> None:
    env = envs.gym("narvik", "allied", render_mode="svg", options={"fog": True})
    env.reset(seed=1)
    picture = env.render()
    assert picture is not None
    assert picture.startswith("<svg")
    assert 'data-layer="counters"' in picture
    hidden = [unit for unit in env.state.view("allied")["units"] if unit.get("hidden")]
    names = {unit["name"] for unit in env.state.view("german")["units"] if unit["side"] == "german"}
    assert len(hidden) > 5
    drawn = picture[picture.index('data-layer="counters"') :]
    assert not [name for name in names if f": {name}<" in drawn or f", {name}<" in drawn]
    with pytest.raises(CounterblowError, match="render_mode"):
        envs.aec("narvik", render_mode="human")


def test_many_games_in_processes() -> None:
    env = envs.vector("noretreat", "soviet", count=2)
    try:
        observations, _ = env.reset(seed=[1, 2])
        assert observations["action_mask"].shape == (2, 2048)
        for _ in range(20):
            actions = [int(np.flatnonzero(mask)[0]) for mask in observations["action_mask"]]
            observations, rewards, *_ = env.step(np.array(actions))
        assert rewards.shape == (2,)
    finally:
        env.close()
    single = envs.gym("noretreat", "soviet")
    one, _ = single.reset(seed=1)
    for _ in range(20):
        one, *_ = single.step(np.flatnonzero(one["action_mask"])[0])
    assert np.array_equal(one["units"], observations["units"][0])


def test_wrong_calls_are_told() -> None:
    with pytest.raises(CounterblowError, match="unknown game"):
        envs.aec("narwa")
    with pytest.raises(CounterblowError, match="unknown side"):
        envs.gym("narva", "russian")
    with pytest.raises(CounterblowError, match="unknown computer player"):
        envs.gym("narva", "soviet", "nobody")
    with pytest.raises(CounterblowError, match="unknown scenario"):
        envs.aec("narva", scenario="x")


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    with pytest.raises(CounterblowError, match=r"pettingzoo is not installed: pip install 'counterblow\[research\]'"):
        envs.aec("narva")
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(CounterblowError, match=r"pip install 'counterblow\[openspiel\]'"):
        envs.spiel("narva")


def rate(env: Any, observe: bool, seconds: float) -> float:
    steps, generator, start = 0, chance.seeded(3), time.process_time()
    while time.process_time() - start < seconds:
        env.reset(seed=steps)
        while env.agents:
            _, _, over, _, info = env.last(observe=observe)
            if over:
                env.step(None)
                continue
            generator, index = chance.below(generator, int(np.count_nonzero(info["action_mask"])))
            env.step(index)
            steps += 1
    return steps / (time.process_time() - start)


def bare(slug: str, seconds: float) -> float:
    actions, seed, start = 0, 100, time.process_time()
    while time.process_time() - start < seconds:
        actions += play_random(counterblow.load(slug), seed)[1]
        seed += 1
    return actions / (time.process_time() - start)


@pytest.mark.parametrize("slug", SLUGS)
def test_the_environment_keeps_most_of_the_speed(slug: str) -> None:
    """At least half of the bare engine's actions with the mask, a quarter with the observation; the best of six."""
    env = envs.aec(slug)
    bare(slug, 0.3)
    for _ in range(6):
        engine = bare(slug, 0.25)
        mask, full = rate(env, False, 0.25) / engine, rate(env, True, 0.25) / engine
        if mask >= 0.5 and full >= 0.25:
            return
    pytest.fail(f"{slug}: with mask {mask:.2f}, with observation {full:.2f} of the bare engine")
