"""Whole games: random play keeps every invariant, copies are cheap and independent, records replay."""

from __future__ import annotations

from typing import Any

import pytest

from counterblow.lab.fuzz import play_checked

ALL = {
    "second_wave": True, "second_division": True, "british_options": True, "marine_boats": True, "engineers": True,
}  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_random_games_end_legally(narvik: Any, seed: int) -> None:
    played = play_checked(narvik, seed)
    assert played.result[0] in ("german", "allied")


@pytest.mark.parametrize("seed", range(3))
def test_random_games_with_every_option(narvik: Any, seed: int) -> None:
    assert play_checked(narvik, 100 + seed, options=ALL).actions > 50
    assert play_checked(narvik, 200 + seed, scenario="free", options={**ALL, "fog": False}).actions > 50


def test_legal_and_refused_agree(narvik: Any) -> None:
    """What a choice lists is not refused, and what it does not list is refused with a citation."""
    s = narvik.position(units={"139-1": "1720", "139-2": "1720", "139-4": "1820", "SG-a": "1920", "SG-b": "1519"})
    s.do("movement KGW")
    s.do("move 139-1")
    listed = {str(a) for a in s.legal()}
    for label in narvik.board.labels:
        text = f"to {label}"
        reasons = s.why_not(text)
        assert (text in listed) == (not reasons)
        assert all(c.rule in narvik.rules for c in reasons)
