"""What officer and general say of their actions: sentences that fit the action and the side."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import counterblow
from counterblow import players
from counterblow.kernel.errors import DataError
from counterblow.players.judging import judge_of
from counterblow.players.staff import Orders

EMPTY = ("as a matter of course", "the position is better for it", "best on average", "it gains most there")
USUAL = "nothing speaks for another choice"


def said(slug: str, feature: str, side: int) -> str:
    """What a side says of an action by which this feature alone gets better for it."""
    judge = judge_of(counterblow.load(slug))
    before = [0.0] * len(judge.features)
    after = before[:]
    after[judge.features.index(feature)] = 10.0 if side == 0 else -10.0
    return judge.phrase(before, after, tuple([1.0] * len(before)), side)


@pytest.mark.parametrize(
    ("slug", "feature", "first", "second"),
    [
        ("noretreat", "axis_open", "an open city must be covered", "an open city lies in reach"),
        ("noretreat", "soviet_open", "an open city lies in reach", "an open city must be covered"),
        ("noretreat", "axis_cut_off", "supply must be kept open", "the enemy loses his supply"),
        ("narva", "ring", "Narva must not be surrounded", "Narva must be surrounded"),
        ("leningrad", "german_cut_off", "supply must be kept open", "the Germans lose their supply"),
        ("leningrad", "garrison", "it helps to storm Leningrad", "the city needs its garrison"),
        ("narvik", "german_fire", "from there the fire tells", "there German fire does less"),
    ],
)
def test_each_side_says_what_is_good_for_it(slug: str, feature: str, first: str, second: str) -> None:
    assert (said(slug, feature, 0), said(slug, feature, 1)) == (first, second)


@pytest.mark.parametrize("slug", counterblow.games())
def test_every_feature_that_counts_can_be_said(slug: str) -> None:
    judge = judge_of(counterblow.load(slug))
    for side in (0, 1):
        weights = judge.weights(side, "balanced")
        silent = [n for n, w in zip(judge.features, weights, strict=True) if w and said(slug, n, side) == USUAL]
        assert set(silent) <= {"screen"}, silent  # how far the Germans stand from the front is no aim of the Soviets


@pytest.mark.parametrize("slug", counterblow.games())
def test_reasons_of_a_few_turns_say_something(slug: str) -> None:
    state = counterblow.load(slug).start(seed=12)
    seated = [players.make("officer", seed) for seed in (24, 25)]
    reasons: list[str] = []
    while state.turn <= 2 and len(reasons) < 400 and (side := state.decider) is not None:
        state.do(seated[side].choose(state, side))
        reasons.append(seated[side].reason)
    assert not [reason for reason in reasons if reason.endswith(EMPTY)]
    assert sum(reason.endswith(USUAL) for reason in reasons) <= len(reasons) / 50
    assert len({reason.rpartition(": ")[2] for reason in reasons}) >= 12


def test_an_attack_is_told_with_who_and_where_and_for_what() -> None:
    game = counterblow.load("leningrad")
    units = {"I. Korps": "1010", "XXVI. Korps": "1012", "XXVIII. Korps": "1111", "16. Corps": "1011"}
    state = game.position(turn=4, phase="german.allocation", units=units)
    officer = players.make("officer")
    officer.choose(state, 0)
    who, _, why = officer.reason.partition(": ")
    assert " and " in who
    assert " attack 1011 at " in who
    assert why in ("the ground is worth it", "it promises more than it risks")
    alone = game.position(
        turn=4,
        phase="german.allocation",
        units={"4. Panzer Gruppe": "1010", "16. Corps": {"at": "1011", "disrupted": True}},
    )
    officer.choose(alone, 0)
    assert officer.reason.startswith("4. Panzer Gruppe attacks 1011 at ")


def test_a_plan_is_told_with_the_formation_that_has_it() -> None:
    judge = judge_of(counterblow.load("leningrad"))
    says = [{plan.name: plan.say for plan in judge.plans_for(side)}["advance"] for side in (0, 1)]
    assert says == ["on towards Leningrad", "back towards Leningrad"]
    orders = Orders(judge, 0, "balanced", judge.plans_for(0)[:3])
    assert orders.say(0) == " (plan for the west wing: on towards Leningrad)"


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (lambda text: text + '\n[why]\nmarhc = "on"\n', "kind of action"),
        (lambda text: text.replace("[words]", '[words]\npionts = "x"', 1), "feature"),
        (lambda text: text.replace("[words]", '[words]\ncrowded = { axsi = "x" }', 1), "side"),
        (lambda text: text.replace("[words]", "[words]\ncrowded = 3", 1), "a sentence"),
    ],
)
def test_a_wrong_word_in_the_data_is_an_error(tmp_path: Path, change: Callable[[str], str], match: str) -> None:
    data = Path(counterblow.__file__).parent / "games" / "noretreat" / "data" / "judge.toml"
    head = data.read_text(encoding="utf-8").partition("[words]")[0] + "[words]\n"
    (tmp_path / "judge.toml").write_text(change(head), encoding="utf-8")
    game = counterblow.load("noretreat", data=tmp_path)
    with pytest.raises(DataError, match=match):
        judge_of(game)
