"""The plans that formations get: a vocabulary that the games share, and what each of them does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import counterblow
from counterblow import players
from counterblow.kernel.actions import Action
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


def follows(state: Any, line: list[Thought]) -> Any:
    """The position after a line."""
    after = imagine(state, state.decider, 1)
    for thought in line:
        after.do(thought.action)
    return after


def counted(state: Any, line: list[Thought]) -> dict[str, float]:
    """The features of the position after a line."""
    judge = judge_of(state.game)
    return dict(zip(judge.features, judge.count(follows(state, line)), strict=True))


@pytest.mark.parametrize("slug", ["leningrad", "noretreat"])
def test_both_games_of_the_east_front_know_the_whole_vocabulary(slug: str) -> None:
    judge = judge_of(counterblow.load(slug))
    assert {plan.name for plan in judge.plans} >= SHARED


def test_who_can_dig_in_has_a_plan_for_it() -> None:
    for slug in ("leningrad", "narva"):
        judge = judge_of(counterblow.load(slug))
        assert any(plan.name == "dig_in" for side in (0, 1) for plan in judge.plans_for(side))


def lines(slug: str, turn: int, side: int, plan: str) -> list[tuple[Any, list[Thought], list[Thought]]]:
    """Marches of some games, each as a staff plans it and under a plan: one alone may have no occasion for it."""
    found = []
    for seed in (1, 2, 3, 4):
        state = march(slug, seed, turn, side)
        found.append((state, marched(state, side, None), marched(state, side, plan)))
    return found


def test_by_rail_to_the_front_more_go_by_rail_than_usual_and_say_so() -> None:
    """7.11: three units may go by rail."""
    found = lines("leningrad", 2, 1, "rail")
    usual, railed = (sum(by("entrain", line) for line in column) for column in list(zip(*found, strict=True))[1:])
    assert railed > usual
    told = [thought.reason for _, _, line in found for thought in line if thought.action.kind == "entrain"]
    assert told
    assert all(reason.endswith(": by rail to the front)") for reason in told)


def test_who_digs_in_stays_where_he_is_unless_much_is_to_be_gained() -> None:
    """9.1: who neither moves nor attacks may entrench."""
    found = lines("leningrad", 7, 1, "dig_in")
    moves = ("march", "run", "entrain")
    usual, dug_in = (
        sum(by(kind, line) for line in column for kind in moves) for column in list(zip(*found, strict=True))[1:]
    )
    assert 0 < dug_in < usual


def test_a_luftwaffe_that_is_kept_for_supply_flights_does_not_bomb() -> None:
    """11.6: who bombs in the blitzkrieg cannot fly supplies afterwards."""
    found = lines("leningrad", 1, 0, "airlift")
    assert sum(by("bomb with", usual) for _, usual, _ in found) > 0
    assert not sum(by("bomb with", kept) for _, _, kept in found)


def test_the_fleet_sails_more_readily_under_the_plan_for_its_guns() -> None:
    """13.6: it may go to any coastal hex."""
    found = lines("leningrad", 3, 1, "fleet")
    usual, sailed = (sum(by("sail", line) for line in column) for column in list(zip(*found, strict=True))[1:])
    assert sailed > usual


@pytest.mark.parametrize(
    ("slug", "turn", "side", "plan", "feature", "more"),
    [
        ("noretreat", 2, 0, "hold", "guarded", True),  # garrisons stay in the cities
        ("noretreat", 3, 0, "reserve", "axis_open", True),  # fewer cities lie open, which counts below zero
        ("noretreat", 2, 0, "delay", "axis_march", False),  # less of the way to the next cities is gone
        ("leningrad", 4, 1, "withdraw", "guard", False),  # Russians cover Leningrad, as the Germans count
    ],
)
def test_a_plan_does_what_it_says(slug: str, turn: int, side: int, plan: str, feature: str, more: bool) -> None:
    found = lines(slug, turn, side, plan)
    usual = sum(counted(state, line)[feature] for state, line, _ in found)
    planned = sum(counted(state, line)[feature] for state, _, line in found)
    assert planned != usual
    assert (planned > usual) is more


@pytest.mark.parametrize(
    ("slug", "turn", "side", "plan"),
    [
        ("leningrad", 4, 0, "reserve"),
        ("leningrad", 4, 1, "delay"),
        ("leningrad", 4, 0, "breakthrough"),
        ("noretreat", 2, 0, "destroy"),
    ],
)
def test_by_its_own_lights_a_plan_does_better_than_none(slug: str, turn: int, side: int, plan: str) -> None:
    judge = judge_of(counterblow.load(slug))
    weights = judge.weights(side, "balanced", {found.name: found for found in judge.plans_for(side)}[plan])
    found = lines(slug, turn, side, plan)
    gains = [judge.worth(follows(s, after), side, weights) for s, _, after in found]
    usual = [judge.worth(follows(s, after), side, weights) for s, after, _ in found]
    assert sum(gains) > sum(usual)


@pytest.mark.parametrize(
    ("slug", "kind", "side", "said"),
    [
        ("noretreat", "play_unit", 0, "a card where it tells"),
        ("noretreat", "pass", 1, "the cards are kept for later"),
        ("narva", "wake", 1, "whoever can strike acts first"),
        ("narvik", "landing", 0, "troops by sea and air where they are needed"),
    ],
)
def test_single_choices_have_a_plan_behind_them_too(slug: str, kind: str, side: int, said: str) -> None:
    judge = judge_of(counterblow.load(slug))
    plan = judge.plan_behind(Action(kind, (), kind), side)
    assert plan is not None
    assert plan.say == said
    assert plan.name not in {other.name for other in judge.plans_for(side)}


def test_a_general_tells_the_plan_behind_a_single_choice() -> None:
    state = counterblow.load("noretreat").start("A", seed=1)
    general, officer = (players.make(name, 1) for name in ("general", "officer"))
    while not any(action.kind == "pass" for action in state.legal()):
        assert state.decider is not None
        state.do(officer.choose(state, state.decider))
    assert state.decider is not None
    general.choose(state, state.decider)
    assert general.reason.endswith(("(plan: the cards are kept for later)", "(plan: a card where it tells)"))


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (lambda text: text.replace('means = ["entrain"]', 'means = ["trian"]'), "kind of action"),
        (lambda text: text.replace('means = ["entrain"]', 'mean = ["entrain"]'), "feature"),
        (lambda text: text.replace('kinds = ["pass"]', 'kinds = ["bass"]'), "kind of action"),
    ],
)
def test_a_plan_with_unknown_means_is_an_error(tmp_path: Path, change: Callable[[str], str], match: str) -> None:
    text = counterblow.load("noretreat").data.text("judge.toml")
    assert change(text) != text
    (tmp_path / "judge.toml").write_text(change(text), encoding="utf-8")
    with pytest.raises(DataError, match=match):
        judge_of(counterblow.load("noretreat", data=tmp_path))
