"""Whole games: random play keeps every invariant, copies are cheap and independent, records replay."""

from __future__ import annotations

import re
from typing import Any

import pytest

from counterblow import PositionError
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


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"units": {"139-1": "1720", "SG-a": "1720"}}, "both sides in 1720"),
        ({"units": {"SG-a": "1720", "SG-b": "1720", "IG-a": "1720"}}, "too many units in 1720"),
        ({"units": {"SG-a": "1720", "I/12": "1720"}}, "two nationalities in 1720"),
        ({"units": {"SG-a": "0918"}}, "units at sea in 0918"),
        ({"units": {"Ju87-1": "0919"}}, "a strike stands in 0919"),
        ({"units": {"SG-z": "0919"}}, 'unknown unit "SG-z": did you mean'),
        ({"units": {}, "relief": "Bergen"}, 'unknown box of the relief column "Bergen"'),
        ({"units": {}, "pontoons": ["1720/1820"]}, "a pontoon bridge crosses an inlet hexside"),
        ({"units": {"RR": "Swedish Transit"}}, "the railway gun never stands in a staging area"),
        ({"units": {}, "weather": "snow"}, 'unknown position field "weather"'),
        ({"units": {}, "phase": "winter"}, 'unknown phase "winter"'),
    ],
)
def test_a_position_that_cannot_be_is_refused(narvik: Any, fields: dict[str, Any], words: str) -> None:
    with pytest.raises(PositionError, match=re.escape(words)):
        narvik.position(**fields)


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
