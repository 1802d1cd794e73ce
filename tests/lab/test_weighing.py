"""Weighing features by what decided games: repeatable, and it finds what was put in."""

from __future__ import annotations

import random
from math import exp
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

import counterblow
from counterblow.cli import app
from counterblow.lab import weighing
from counterblow.players.judging import judge_of

FEATURES = judge_of(counterblow.load("noretreat")).features


def made_up(games: int, told: dict[str, float], heeded: dict[str, float]) -> list[dict[str, Any]]:
    """Games of which only some features, and the weight that the first side gives to some, decide who wins."""
    drawn = random.Random(1)
    found = []
    for _ in range(games):
        features = [drawn.gauss(0, 1) for _ in FEATURES]
        doublings = [[drawn.uniform(-1, 1) for _ in FEATURES] for _ in range(2)]
        looks = sum(told.get(n, 0.0) * x for n, x in zip(FEATURES, features, strict=True))
        looks += sum(heeded.get(n, 0.0) * x for n, x in zip(FEATURES, doublings[0], strict=True))
        won = float(drawn.random() < 1 / (1 + exp(-looks)))
        found.append({"positions": [[1, *features], [2, *features]], "doublings": doublings, "score": won})
    return found


def test_what_decided_the_games_gets_its_weight() -> None:
    games = made_up(600, {"cities": 2.0, "axis_march": 1.0, "guarded": -1.0}, {})
    found = {entry.name: entry.found for entry in weighing.weigh("noretreat", games)}
    assert 1.4 < found["cities"] / found["axis_march"] < 2.8
    assert found["guarded"] == 0  # a feature that is good for a side cannot count against it
    rest = [found[name] for name in FEATURES if name not in ("cities", "axis_march")]
    assert max(rest) < found["axis_march"] / 2


def test_a_side_that_heeds_the_right_thing_is_seen_to_win_more() -> None:
    found = {entry.name: entry.gains for entry in weighing.weigh("noretreat", made_up(600, {}, {"cities": 1.5}))}
    (gain, error), (other, _) = found["cities"]
    assert gain > 4 * error > 0
    assert abs(other) < 3 * error


def test_a_game_repeats_itself_and_is_not_played_twice(tmp_path: Path) -> None:
    first = weighing.play("noretreat", [3], tmp_path, 1)
    steps: list[tuple[int, int]] = []
    again = weighing.play("noretreat", [3], tmp_path, 1, lambda done, size: steps.append((done, size)))
    assert again == first == [weighing.sample(weighing.Bout("noretreat", 3))]
    assert steps == [(1, 1)]
    assert len(first[0]["positions"][0]) == 1 + len(FEATURES)


def test_the_command_prints_a_row_for_every_feature(tmp_path: Path) -> None:
    arguments = ["lab", "weigh", "noretreat", "--games", "2", "--jobs", "1", "--out", str(tmp_path)]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    assert all(f"| {name} |" in result.output for name in FEATURES)
