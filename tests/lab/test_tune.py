"""Tuning: repeatable, resumable, and it plays by the factors that it tries."""

from __future__ import annotations

from math import log
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import counterblow
from counterblow.cli import app
from counterblow.kernel.errors import CounterblowError, RecordError
from counterblow.lab import tune
from counterblow.players import general
from counterblow.players.judging import judge_of


def test_a_run_goes_on_where_it_stopped_and_repeats_itself(tmp_path: Path) -> None:
    whole = tune.tune(tune.load(tmp_path / "a", "noretreat", "axis", 1, 3), 2, tmp_path / "a")
    tune.tune(tune.load(tmp_path / "b", "noretreat", "axis", 1, 3), 1, tmp_path / "b")
    parted = tune.tune(tune.load(tmp_path / "b", "noretreat", "axis", 1, 3), 1, tmp_path / "b")
    assert parted == whole
    assert parted.done == len(parted.history) == 2


def test_a_file_of_another_run_is_refused(tmp_path: Path) -> None:
    tune.Tuning("noretreat", "axis", 1, 0).save(tmp_path / "a")
    with pytest.raises(RecordError, match="noretreat, axis, officer"):
        tune.load(tmp_path / "a", "noretreat", "soviet", 1, 0)
    with pytest.raises(RecordError, match="noretreat, axis, officer"):
        tune.load(tmp_path / "a", "noretreat", "axis", player="general")


OF_BEFORE = '{"slug": "noretreat", "side": "axis", "games": 1, "seed": 0, "history": [[0.5, 0.4]]}'


@pytest.mark.parametrize("text", ["{half a ru", "[]", '{"slug": "noretreat", "side": "axis"}', OF_BEFORE])
def test_a_file_that_holds_no_run_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "a").write_text(text, encoding="utf-8")
    with pytest.raises(RecordError, match="holds no run"):
        tune.load(tmp_path / "a", "noretreat", "axis", 1, 0)


def test_a_run_goes_on_as_it_began(tmp_path: Path) -> None:
    tune.load(tmp_path / "a", "noretreat", "axis", 3, 7).save(tmp_path / "a")
    run = tune.load(tmp_path / "a", "noretreat", "axis")
    assert (run.games, run.seed) == (3, 7)
    for games, seed in ((4, 7), (3, 0)):
        with pytest.raises(RecordError, match="3 games from seed 7"):
            tune.load(tmp_path / "a", "noretreat", "axis", games, seed)
    run.factors.pop("cities")
    run.save(tmp_path / "a")
    with pytest.raises(RecordError, match="other features"):
        tune.load(tmp_path / "a", "noretreat", "axis")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_a_wrong_call_is_said_before_a_game_is_played(tmp_path: Path) -> None:
    wrong: list[tuple[Any, ...]] = [
        ("noretreat", "german", 1, 0), ("noretreat", "axis", 0, 0), ("noretreat", "axis", "8", 0),
        ("noretreat", "axis", 1, -999_500), ("noretreat", "axis", 1, "0"), ("noretreat", "axis", 1, 0, "plain"),
    ]  # fmt: skip
    for arguments in wrong:
        with pytest.raises(CounterblowError):
            tune.load(tmp_path / "a", *arguments)
    with pytest.raises(RecordError, match="no folder"):
        tune.load(tmp_path / "none" / "a", "noretreat", "axis")
    run = tune.load(tmp_path / "a", "noretreat", "axis", 1)
    for iterations, jobs in ((0, 1), ("2", 1), (1, "2"), (1, 0)):
        with pytest.raises(CounterblowError, match="whole number"):
            tune.tune(run, iterations, tmp_path / "a", jobs)  # type: ignore[arg-type]


def test_who_stops_a_run_is_told_how_it_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(tune, "tune", stopped)
    result = CliRunner().invoke(app, ["tune", "noretreat", "--side", "axis", "--file", str(tmp_path / "run.json")])
    assert result.exit_code == 130
    assert "stopped after 0 iterations" in result.output


def test_every_pair_of_games_goes_a_way_of_its_own() -> None:
    run = tune.Tuning("noretreat", "axis", 1, 0, factors=dict.fromkeys("abcdefghij", 0.0))
    ways = [tune._way(run, seed) for seed in range(20)]
    assert len({tuple(way.values()) for way in ways}) == 20
    assert {step for way in ways for step in way.values()} == {tune.SHAKE, -tune.SHAKE}
    assert ways == [tune._way(run, seed) for seed in range(20)]


def test_factors_change_the_play() -> None:
    """An officer to whom cities mean nothing takes fewer of them."""
    careless = {"cities": 0.0, "axis_march": 0.0}
    seeds = range(1, 5)
    usual, worse = (
        sum(tune.score(("noretreat", "officer", 0, seed, f, None)) for seed in seeds) for f in ({}, careless)
    )
    assert usual > worse


def test_a_factor_goes_as_far_as_chance_does_not_explain() -> None:
    """Pairs that all say the same move it, ten that contradict each other do not; never further than so far."""
    some = [0.1, 0.0, 0.1, 0.0, 0.1, 0.0, 0.1, 0.0]
    assert 0.1 < tune._step(some) < tune.FARTHEST
    assert tune._step([-lead for lead in some]) == -tune._step(some)
    assert tune._step([1.0, -1.0] * 5 + [0.1]) == 0.0
    assert tune._step([1.0] * 8) == tune.FARTHEST


def test_what_weighs_nothing_for_a_side_is_not_tuned(tmp_path: Path) -> None:
    """Games cannot tell of it: what they seem to say is luck. A general may weigh what an officer does not."""
    officer = tune.load(tmp_path / "a", "leningrad", "russian").factors
    general = tune.load(tmp_path / "a", "leningrad", "german", player="general").factors
    assert not officer.keys() & {"at_risk", "exposed", "lifeline", "breach", "loose", "pinched"}
    assert {"points", "siege", "german", "verdict"} <= officer.keys()
    assert "breach" in general
    assert "pinched" not in general
    assert "pinched" in tune.load(tmp_path / "a", "leningrad", "german").factors
    assert "all" in tune.load(tmp_path / "a", "narvik", "german", player="general").factors
    assert "all" not in tune.load(tmp_path / "a", "narvik", "german").factors


def test_one_scenario_is_tuned_for_itself(tmp_path: Path) -> None:
    run = tune.tune(tune.load(tmp_path / "d", "noretreat", "axis", 1, 3, scenario="D"), 1, tmp_path / "d")
    first = tune.tune(tune.load(tmp_path / "a", "noretreat", "axis", 1, 3), 1, tmp_path / "a")
    assert run.history != first.history
    assert tune.load(tmp_path / "d", "noretreat", "axis").scenario == "D"
    with pytest.raises(RecordError, match="holds a run of D"):
        tune.load(tmp_path / "d", "noretreat", "axis", scenario="E")
    with pytest.raises(RecordError, match="holds a run of all scenarios"):
        tune.load(tmp_path / "a", "noretreat", "axis", scenario="E")
    with pytest.raises(CounterblowError, match="scenario"):
        tune.load(tmp_path / "b", "noretreat", "axis", scenario="Z")
    assert tune.Tuning("noretreat", "axis", 1, 0, "general", {"cities": log(2)}, scenario="D").found == {"cities": 2.0}


def test_a_general_is_tuned_from_his_own_weights() -> None:
    own = judge_of(counterblow.load("narva")).generals["german"]["ring"]
    run = tune.Tuning("narva", "german", 1, 0, "general", {"ring": log(2), "gaps": 0.0, "points": log(3)})
    assert run.found == {"ring": 2 * own, "points": 300.0}


def test_a_general_plays_without_search_and_by_his_factors(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []
    monkeypatch.setattr(general._Search, "playout", lambda *_: tried.append(1))
    careless = {"cities": 0.0, "axis_march": 0.0}
    usual, worse = (tune.score(("noretreat", "general", 0, 2, f, None)) for f in ({}, careless))
    assert usual > worse
    assert not tried


def test_the_command_prints_what_to_put_into_the_data(tmp_path: Path) -> None:
    arguments = ["tune", "noretreat", "--side", "axis", "--iterations", "1", "--games", "1"]
    result = CliRunner().invoke(app, [*arguments, "--file", str(tmp_path / "run.json")])
    assert result.exit_code == 0, result.output
    assert "[side.axis]" in result.output
    assert (tmp_path / "run.json").exists()
    arguments = ["tune", "noretreat", "--side", "axis", "--player", "general", "--iterations", "1", "--games", "1"]
    result = CliRunner().invoke(app, [*arguments, "--file", str(tmp_path / "general.json")])
    assert result.exit_code == 0, result.output
    assert "[general.axis]" in result.output
