"""Chapter 11: actions."""

from __future__ import annotations

from typing import Any

from tests.helpers import asked, do, legal, refused, rule
from tests.rules.narvik.play import offers, starting

UNITS = {"139-1": "1720", "139-7": "0919", "SG-a": "1820", "I/12": "1801"}


@rule("11.0.a")
def test_declare_or_pass(narvik: Any) -> None:
    s = narvik.position(units=UNITS)
    assert asked(s) == "actions.Act"
    assert offers(s, "pass")
    assert {"movement KGW", "fire KGW", "assault KGW", "movement KGH"} <= set(legal(s))
    do(s, "pass")
    assert s.side == "allied"


@rule("11.0.b")
def test_type_points_sub_command_execution(narvik: Any) -> None:
    s = narvik.position(units=UNITS, ap={"german": 3, "allied": 3})
    events = do(s, "fire KGW")
    assert s.ap[0] == 2
    assert str(events[0]).startswith("KG Windisch: Ground fire for 1 action point, 2 left")
    assert starting(s, "attack with") == ["139-1"]


@rule("11.0.d")
def test_the_other_side_goes_on_alone(narvik: Any) -> None:
    s = narvik.position(turn=2, units=UNITS, ap={"german": 1, "allied": 3})
    do(s, "movement KGW", "done", "movement BR", "done")
    assert s.side == "allied"  # Germany has no points left
    do(s, "movement NW", "done")
    assert s.side == "allied"
    assert s.ap == (0, 1)
    do(s, "pass")
    assert s.turn == 3


@rule("11.0.e")
def test_points_are_gone_even_if_nothing_is_done(narvik: Any) -> None:
    s = narvik.position(units=UNITS, ap={"german": 3, "allied": 3})
    do(s, "assault KGW", "done")
    assert s.ap == (2, 3)


@rule("11.1.a")
def test_a_sub_command_acts_again_and_again(narvik: Any) -> None:
    s = narvik.position(units=UNITS)
    do(s, "movement KGH", "move 139-7", "to 1019", "halt", "done", "pass")
    assert offers(s, "movement KGH")
    do(s, "movement KGH", "move 139-7", "to 1119")
    assert s.place("139-7") == "1119"


@rule("11.1.b")
def test_one_sub_command_an_action(narvik: Any) -> None:
    s = narvik.position(units=UNITS)
    do(s, "movement KGW")
    assert starting(s, "move") == ["139-1"]
    assert refused(s, "move 139-7", "11.1.b")
    s = narvik.position(units={**UNITS, "139-7": "1821"})
    do(s, "fire KGW")
    assert refused(s, "attack with 139-7", "11.1.b")


@rule("11.0.b")
def test_a_refused_declaration_says_what_is_missing(narvik: Any) -> None:
    s = narvik.position(phase="allied.action", units={"139-1": "0919", "SG-a": "0115"})
    words = {
        "movement FR": "on the map or in a staging area", "fire BR": "within range", "assault BR": "next to an enemy",
        "regroup BR": "available for regroup", "amphibious BR": "coastal hex or a staging area",
        "amphibious assault": "not in Harstad", "air support": "no air strike", "naval support": "no naval strike",
    }  # fmt: skip
    for text, part in words.items():
        assert part in s.why_not(text)[0].text, text
