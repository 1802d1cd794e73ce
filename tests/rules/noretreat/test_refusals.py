"""Refusals name the rule that forbids; what is drawn at random is tried in tests/test_refusals.py."""

from __future__ import annotations

from typing import Any

from counterblow.games.noretreat.moments import MOMENTS
from tests.helpers import do, refused
from tests.rules.noretreat.play import combat, moving


def test_every_kind_of_action_has_its_time(noretreat: Any) -> None:
    assert {rule for _, rule, _ in MOMENTS.values()} <= set(noretreat.rules)
    events = {kind for kind in noretreat.sentences if kind.startswith(("play", "replay"))}
    assert set(noretreat.sentences) - set(MOMENTS) - events == {"pass", "silent", "done"}


def test_what_belongs_to_another_phase_or_moment(noretreat: Any) -> None:
    s = moving(noretreat, {"9th Army": "2210", "Don": "2211"})
    assert refused(s, "target 2211", because="4.0.b")
    assert refused(s, "support 9th Army", because="15.3.a")  # the option is not in use
    assert refused(s, "put Don into the Strategic Reserve", because="14.12.1")
    battle = combat(noretreat, {"9th Army": "2210", "Don": "2211"})
    assert refused(battle, "take the loss from Don", because="10.7.1.b")
    assert refused(battle, "attack 2211", because="10.1.a")  # targets are still being declared
    assert refused(battle, "fight", because="10.1.a")
    battle.do("target 2211")
    battle.do("done")
    assert refused(battle, "target 2211", because="10.1.a")
    assert refused(battle, "back", because="4.0.b")
    assert refused(battle, "pass", because="10.2")  # a declared target must be attacked
    assert refused(battle, "attack with 9th Army", because="10.2")  # first the battle is chosen
    battle.do("attack 2211")
    assert refused(battle, "attack 2211", because="10.2")


def test_a_way_may_begin_with_the_hex_that_is_left(noretreat: Any) -> None:
    for way in ("by 2209-2109", "by 2210-2209-2109"):
        s = moving(noretreat, {"9th Army": "2210", "Don": "2213"})
        do(s, "move 9th Army", way)
        assert s.place("9th Army") == "2109"


def test_what_ends_a_question_is_named(noretreat: Any) -> None:
    s = moving(noretreat, {"9th Army": "2210", "Don": "2211"})
    assert [c.text for c in s.why_not("pass")] == ['this is ended in its own words: "done"']


def test_a_unit_off_the_map_is_not_turned(noretreat: Any) -> None:
    s = noretreat.position(turn=10, phase="soviet.organization", units={"Don": "2211", "Moscow": "1907"},
                           boxes={"Destroyed": ["Leningrad"]}, hands={"soviet": ["Feint"]})  # fmt: skip
    assert refused(s, "fortify Leningrad", because="7.5.a")
    assert refused(s, "improve Leningrad", because="7.1.a")
    assert refused(s, "upgrade Leningrad", because="7.2.0")
    assert refused(s, "revert Leningrad", because="7.5.b")


def test_another_unit_than_the_one_in_hand(noretreat: Any) -> None:
    boxes = {"Destroyed": ["4th Army", "6th Army"]}
    s = noretreat.position(turn=7, phase="axis.organization", units={"9th Army": "0810", "Don": "2211"}, boxes=boxes,
                           hands={"axis": ["Feint"]})  # fmt: skip
    do(s, "done", "replace 4th Army")
    assert refused(s, "place 9th Army 0811", because="7.9.a")  # it is on the map
    assert refused(s, "place Don 0811", because="2.3.f")
    assert [c.text for c in s.why_not("place 6th Army 0811")] == ["first 4th Army is placed"]
    assert refused(s, "replace 6th Army", because="7.6.a")
    rail = noretreat.position(turn=7, phase="axis.detraining", units={"9th Army": "0810"},
                              boxes={"Rail": ["4th Army", "6th Army"]})  # fmt: skip
    do(rail, "detrain 4th Army")
    assert refused(rail, "detrain 9th Army 0811", because="9.2.a")
    assert refused(rail, "detrain 6th Army 0811", because="9.2.a")
    assert refused(rail, "detrain 4th Army 1907", because="9.2.c")
