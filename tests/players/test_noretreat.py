"""What the players of No Retreat! know."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import counterblow
from counterblow import players
from counterblow.kernel.errors import DataError
from counterblow.players.judging import judge_of
from counterblow.players.staff import Orders

AXIS, SOVIET = 0, 1


@pytest.mark.parametrize("seed", [2, 4, 6])
def test_no_army_is_lost_by_overstacking_when_strong_stacks_stand_near(seed: int) -> None:
    """8.4.3: in 1945 a third army in a hex seemed to threaten more than it costs to lose it."""
    state = counterblow.load("noretreat").start("F", seed=seed)
    staff = [players.make("officer", seed=seed) for _ in (0, 1)]
    told = []
    while state.turn == 23 and state.mover == 0 and state.decider is not None:
        told += state.do(staff[state.decider].choose(state, state.decider))
    assert len(told) > 20
    assert not [event for event in told if "8.4.3" in event.rules]


SCENARIO = """
[scenario.D.axis]
cities = 3.0
"""


def with_data(tmp_path: Path, more: str) -> Any:
    """No Retreat! with something more in its judge's data."""
    text = counterblow.load("noretreat").data.text("judge.toml")
    (tmp_path / "judge.toml").write_text(text + more, encoding="utf-8")
    return counterblow.load("noretreat", data=tmp_path)


def test_factors_of_a_scenario_hold_there_for_their_side_alone(tmp_path: Path) -> None:
    game = with_data(tmp_path, SCENARIO)
    judge = judge_of(game)
    at = judge.features.index("cities")
    for scenario, side, factor in (("D", AXIS, 3), ("D", SOVIET, 1), ("E", AXIS, 1)):
        state = game.start(scenario)
        base = judge.weights(side, "balanced")
        told = judge.in_time(base, side, state)
        assert told[at] == factor * base[at]
        assert told[:at] + told[at + 1 :] == base[:at] + base[at + 1 :]
        assert Orders(judge, side, "balanced", (None,)).weights(state, 0) == told


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("scenario.D.axis", "scenario.Z.axis", 'unknown scenario "Z"'),
        ("scenario.D.axis", "scenario.D.german", 'unknown side "german"'),
        ("cities", "citties", 'unknown feature "citties"'),
    ],
)
def test_a_wrong_name_in_a_scenario_is_an_error(tmp_path: Path, right: str, wrong: str, said: str) -> None:
    with pytest.raises(DataError, match=said):
        judge_of(with_data(tmp_path, SCENARIO.replace(right, wrong)))


@pytest.mark.parametrize(("scenario", "seed"), [("A", 3), ("C", 1), ("F", 2)])
def test_what_is_remembered_of_the_map_is_what_the_map_tells(scenario: str, seed: int) -> None:
    """Officers ask about thousands of positions; each answer must be as fresh as one counted anew."""
    state: Any = counterblow.load("noretreat").start(scenario, seed=seed)
    judge: Any = judge_of(state.game)
    officers = [players.make("officer", seed=seed) for _ in (0, 1)]
    told = set()
    for _ in range(600):
        if state.decider is None:
            break
        for action in state.legal()[:4]:
            after = state.copy()
            after.do(action)
            found = judge.front(after)
            told.add(id(found))
            fresh = state.game.from_json(after.to_json())
            assert found == judge.surveyed(fresh), f"after {action}"
        state.do(officers[state.decider].choose(state, state.decider))
    assert len(told) > 50
