"""The plans that formations get: a vocabulary that the games share, and what each of them does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import counterblow
from counterblow import players
from counterblow.kernel.errors import DataError
from counterblow.players.base import Meter, Thought, imagine
from counterblow.players.judging import judge_of
from counterblow.players.staff import Orders, Staff

SHARED = {"advance", "breakthrough", "encircle", "destroy", "hold", "withdraw", "delay", "reserve", "rail"}


def march(slug: str, seed: int, turn: int, side: int) -> Any:
    """A march of a side in a game between officers, from this turn on."""
    state: Any = counterblow.load(slug).start(seed=seed)
    verbs = judge_of(state.game).verbs
    officers = [players.make("officer", number) for number in (0, 1)]
    while state.turn < turn or state.decider != side or not any(a.kind in verbs.open for a in state.legal()):
        state.do(officers[state.decider].choose(state, state.decider))
    return state


def marched(state: Any, side: int, plan: str | None, seed: int = 1) -> list[Thought]:
    """What a staff plans whose formations all have a plan."""
    judge = judge_of(state.game)
    found = {plan.name: plan for plan in judge.plans_for(side)}
    plans = [None if plan is None else found[plan]] * len(judge.formations)
    orders = Orders(judge, side, "balanced", plans)
    return Staff(judge, side, orders, judge.width, seed, Meter(1 << 30, 1e9)).plan(imagine(state, side, 1))


def by(kind: str, line: list[Thought]) -> int:
    return sum(thought.action.kind == kind for thought in line)


def counted(state: Any, line: list[Thought]) -> dict[str, float]:
    """The features of the position after a line."""
    judge = judge_of(state.game)
    after = imagine(state, state.decider, 1)
    for thought in line:
        after.do(thought.action)
    return dict(zip(judge.features, judge.count(after), strict=True))


@pytest.mark.parametrize("slug", ["leningrad", "noretreat"])
def test_both_games_of_the_east_front_know_the_whole_vocabulary(slug: str) -> None:
    judge = judge_of(counterblow.load(slug))
    assert {plan.name for plan in judge.plans} >= SHARED


def test_who_can_dig_in_has_a_plan_for_it() -> None:
    for slug in ("leningrad", "narva"):
        judge = judge_of(counterblow.load(slug))
        assert any(plan.name == "dig_in" for side in (0, 1) for plan in judge.plans_for(side))


def test_by_rail_to_the_front_more_go_by_rail_than_usual_and_say_so() -> None:
    """7.11: three units may go by rail; without the plan one does, since the others have no such need."""
    state = march("leningrad", 3, 2, 1)
    usual, railed = (marched(state, 1, plan) for plan in (None, "rail"))
    assert (by("entrain", usual), by("entrain", railed)) == (1, 3)
    reasons = [thought.reason for thought in railed if thought.action.kind == "entrain"]
    assert all(reason.endswith(": by rail to the front)") for reason in reasons)


def test_who_digs_in_stays_where_he_is_unless_much_is_to_be_gained() -> None:
    """9.1: who neither moves nor attacks may entrench."""
    state = march("leningrad", 3, 7, 1)
    usual, dug_in = (marched(state, 1, plan) for plan in (None, "dig_in"))
    assert by("march", usual) + by("run", usual) + by("entrain", usual) == 6
    assert by("march", dug_in) + by("run", dug_in) + by("entrain", dug_in) == 2


@pytest.mark.parametrize(
    ("slug", "seed", "turn", "side", "plan", "feature", "more"),
    [
        ("noretreat", 1, 2, 0, "hold", "guarded", True),  # garrisons stay in the cities
        ("noretreat", 3, 3, 0, "reserve", "axis_open", True),  # fewer cities lie open, which counts below zero
        ("noretreat", 1, 2, 0, "delay", "axis_march", False),  # less of the way to the next cities is gone
        ("leningrad", 3, 7, 0, "reserve", "exposed", True),  # fewer can be cut off
        ("leningrad", 3, 5, 1, "delay", "guard", True),  # Russians give ground before the city, as the Germans count
    ],
)
def test_a_plan_does_what_it_says(
    slug: str, seed: int, turn: int, side: int, plan: str, feature: str, more: bool
) -> None:
    state = march(slug, seed, turn, side)
    usual, planned = (counted(state, marched(state, side, name)) for name in (None, plan))
    assert planned[feature] != usual[feature]
    assert (planned[feature] > usual[feature]) is more


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (lambda text: text.replace('means = ["entrain"]', 'means = ["trian"]'), "kind of action"),
        (lambda text: text.replace('means = ["entrain"]', 'mean = ["entrain"]'), "feature"),
    ],
)
def test_a_plan_with_unknown_means_is_an_error(tmp_path: Path, change: Callable[[str], str], match: str) -> None:
    text = counterblow.load("noretreat").data.text("judge.toml")
    assert change(text) != text
    (tmp_path / "judge.toml").write_text(change(text), encoding="utf-8")
    with pytest.raises(DataError, match=match):
        judge_of(counterblow.load("noretreat", data=tmp_path))
