"""Positions that a wargamer answers at a glance: 20 a game. The bar is a number of right answers, not every one."""

from __future__ import annotations

from importlib import import_module

import pytest

import counterblow
from tests.players.positions import solved

OFFICER, GENERAL = 15, 18


@pytest.mark.parametrize("slug", ["leningrad", "narva", "narvik", "noretreat"])
def test_every_position_asks_something(slug: str) -> None:
    """An attack that should not be made can be made: else whoever moves answers rightly."""
    game = counterblow.load(slug)
    for puzzle in import_module(f"tests.players.positions.{slug}").PUZZLES:
        state = game.position(**puzzle.position)
        assert len(state.legal()) > 1, puzzle.title


@pytest.mark.parametrize("slug", ["leningrad", "narva", "narvik", "noretreat"])
def test_the_officer_answers_at_least_fifteen_of_twenty(slug: str) -> None:
    puzzles = import_module(f"tests.players.positions.{slug}").PUZZLES
    assert len(puzzles) == 20
    right, wrong = solved(slug, puzzles, "officer")
    assert len(right) >= OFFICER, f"{slug}: wrong at {wrong}"


@pytest.mark.parametrize("slug", ["leningrad", "narva", "noretreat"])  # Narvik's take as long as these together
def test_the_general_answers_at_least_eighteen_of_twenty(slug: str) -> None:
    puzzles = import_module(f"tests.players.positions.{slug}").PUZZLES
    right, wrong = solved(slug, puzzles, "general")
    assert len(right) >= GENERAL, f"{slug}: wrong at {wrong}"
