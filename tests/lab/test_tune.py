"""Tuning: repeatable, resumable, and it plays by the factors that it tries."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from counterblow.cli import app
from counterblow.kernel.errors import RecordError
from counterblow.lab import tune


def test_a_run_goes_on_where_it_stopped_and_repeats_itself(tmp_path: Path) -> None:
    whole = tune.tune(tune.load(tmp_path / "a", "noretreat", "axis", 1, 3), 2, tmp_path / "a")
    tune.tune(tune.load(tmp_path / "b", "noretreat", "axis", 1, 3), 1, tmp_path / "b")
    parted = tune.tune(tune.load(tmp_path / "b", "noretreat", "axis", 1, 3), 1, tmp_path / "b")
    assert parted == whole
    assert parted.done == len(parted.history) == 2


def test_a_file_of_another_run_is_refused(tmp_path: Path) -> None:
    tune.Tuning("noretreat", "axis", 1, 0).save(tmp_path / "a")
    with pytest.raises(RecordError, match="noretreat, axis"):
        tune.load(tmp_path / "a", "noretreat", "soviet", 1, 0)


def test_factors_change_the_play() -> None:
    """An officer to whom cities mean nothing takes fewer of them."""
    careless = {"cities": 0.0, "axis_march": 0.0}
    seeds = range(1, 5)
    usual, worse = (sum(tune.score(("noretreat", 0, seed, f)) for seed in seeds) for f in ({}, careless))
    assert usual > worse


def test_the_command_prints_what_to_put_into_the_data(tmp_path: Path) -> None:
    arguments = ["tune", "noretreat", "--side", "axis", "--iterations", "1", "--games", "1"]
    result = CliRunner().invoke(app, [*arguments, "--file", str(tmp_path / "run.json")])
    assert result.exit_code == 0, result.output
    assert "[side.axis]" in result.output
    assert (tmp_path / "run.json").exists()
