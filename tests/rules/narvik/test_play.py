"""Whole games: random play keeps every invariant, copies are cheap and independent, records replay."""

from __future__ import annotations

import re
from typing import Any

import pytest

from counterblow import PositionError
from counterblow.lab.fuzz import play_checked
from tests.helpers import do

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
        ({"units": {}, "ap": {"swedish": 3}}, 'unknown side "swedish"'),
        ({"units": {}, "ap": {"german": 21}}, "action points are whole numbers from 0 to 20, not 21"),
        ({"units": {}, "ap": {"german": -1}}, "action points are whole numbers from 0 to 20, not -1"),
        ({"units": {}, "ap": {"german": True}}, "action points are whole numbers from 0 to 20, not True"),
        ({"units": {}, "ap": 5}, '"ap" cannot be 5'),
        ({"units": {}, "dice": (3, 9)}, "dice have the faces 1 to 6, not (3, 9)"),
        ({"units": {}, "dice": (0,)}, "dice have the faces 1 to 6"),
        ({"units": {}, "turn": 9}, "turn 9 is none of the 8 game turns"),
        ({"units": {}, "turn": 0}, "turn 0 is none of the 8 game turns"),
        ({"units": {"RR": "1720"}}, "RR in 1720: the railway gun stands in railroad hexes only"),
        ({"units": {"3KOH": "1719"}}, "3KOH in 1719: the terrain is prohibited to the unit"),
        ({"units": {"Auchinleck": "0216"}}, "Auchinleck never leaves the staging areas"),
        ({"units": {"SG-a": "Swedish Transit"}}, "SG-a in Swedish Transit: it is not open to the unit"),
        ({"units": {"139-1": "Allied Regroup"}}, "139-1 in Allied Regroup: it is not open to the unit"),
        ({"units": {"139-1": "Allied Scheduled"}}, "only Allied units are scheduled"),
        ({"units": {"I/12": "Troop Transfer"}}, "the unit is never transferred"),
        ({"units": {"FJ1-1": "Swedish Transit"}}, "airborne units never stand in Swedish Transit"),
        ({"units": {"Ju87-1": "Allied Strikes"}}, "strikes stay in their own displays"),
        ({"units": {"Ju87-1": "Swedish Transit"}}, "strikes stay in their own displays"),
        ({"units": {"Cairo": "Harstad"}}, "strikes stay in their own displays"),
        ({"units": {"Cairo": "Bardufoss"}}, "strikes stay in their own displays"),
        ({"units": {"SG-a": {"at": "0216", "steps": 2}}}, 'SG-a: unknown mark "steps"'),
        ({"units": {"SG-a": "0216"}, "control": {"0216": "german"}}, "the allied side holds 0216 and controls it"),
        ({"units": {}, "control": {"0918": "german"}}, "0918 is no land hex"),
        ({"units": {}, "entrenched": {"1820": "german"}}, "1820: an entrenchment without german units does not last"),
        ({"units": {}, "demolished": ["1720"]}, "only objectives and ferry villages are demolished"),
        ({"units": {}, "pontoons": ["1419-1420"]}, "\"pontoons\" cannot be ['1419-1420']"),
        ({"units": {}, "transferred": "yes"}, "\"transferred\" is true or false, not 'yes'"),
        ({"units": {}, "initiative": "swedish"}, 'unknown side "swedish"'),
        ({"units": {}, "phase": "winter"}, 'unknown phase "winter"'),
    ],
)
def test_a_position_that_cannot_be_is_refused(narvik: Any, fields: dict[str, Any], words: str) -> None:
    with pytest.raises(PositionError, match=re.escape(words)):
        narvik.position(**fields)


def test_what_a_position_may_name_is_taken_as_it_is(narvik: Any) -> None:
    s = narvik.position(
        turn=8, units={"139-1": "1419", "SG-a": "0216"}, ap={"allied": 20, "german": 1}, relief="Bodo",
        initiative="german", control={"0820": "german"}, entrenched={"1419": "german"}, demolished=["0919", "0820"],
        pontoons=["1420/1419"], transferred=True, dice=(6, 1),
    )  # fmt: skip
    assert (s.ap, s.first, s.transferred, s.dice) == ((1, 20), 0, True, (6, 1))
    assert s.controls(0, narvik.node("0820"))
    assert s.trenches == (1 << narvik.node("1419"), 0)
    assert s.demolished == 1 << narvik.node("0919") | 1 << narvik.node("0820")
    assert s.pontoons == ((narvik.node("1419"), narvik.node("1420")),)


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


def test_a_check_finds_what_must_never_be(narvik: Any) -> None:
    s = narvik.position(units={"139-1": "1720", "SG-a": "0216"})
    assert narvik.check(s) == []
    s.ap = (21, 3)
    assert narvik.check(s) == ["action points (21, 3)"]
    s = narvik.position(units={"139-1": "1720", "SG-a": "0216"})
    s.loads[narvik.node("1720")] = 3
    assert narvik.check(s) == ["kept counts of stacks differ from fresh ones"]


def undone(s: Any) -> str:
    """What the player who would end here has left undone."""
    found: str = s.view(s.side)["decision"]["undone"]
    return found


def test_what_is_left_undone(narvik: Any) -> None:
    units = {"139-1": "1720", "SG-a": "1820", "SG-b": "0216"}
    for points, told in (
        ({"german": 2, "allied": 3}, ""),
        ({"german": 2, "allied": 0}, "2 action points would be lost: the enemy has none left"),
        ({"german": 1, "allied": 0}, "1 action point would be lost: the enemy has none left"),
    ):
        s = narvik.position(phase="german.action", units=units, ap=points)
        assert undone(s) == told
    s = narvik.position(phase="german.action", units=units, ap={"german": 2, "allied": 3})
    do(s, "pass")
    assert undone(s) == "3 action points would be lost: the enemy has passed too"
    s = narvik.position(phase="german.action", units=units)
    do(s, "movement KGW")
    assert undone(s) == "nobody has moved, and the action is paid for"
    s = narvik.position(phase="german.action", units=units, dice=(1,))
    do(s, "fire KGW")
    assert undone(s) == "nobody has fired, and the action is paid for"
    do(s, "attack with 139-1", "at 1820")
    assert undone(s) == ""
