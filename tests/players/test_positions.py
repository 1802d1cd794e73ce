"""Positions that a wargamer answers at a glance: 20 a game. The bar is a number of right answers, not every one."""

from __future__ import annotations

from importlib import import_module

import pytest

from tests.players.positions import solved

OFFICER = 15


@pytest.mark.parametrize("slug", ["leningrad", "narva", "narvik", "noretreat"])
def test_the_officer_answers_at_least_fifteen_of_twenty(slug: str) -> None:
    puzzles = import_module(f"tests.players.positions.{slug}").PUZZLES
    assert len(puzzles) == 20
    right, wrong = solved(slug, puzzles, "officer")
    assert len(right) >= OFFICER, f"{slug}: wrong at {wrong}"
