"""Chapter 6: action points and initiative."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.helpers import do, legal, log, refused, rule
from tests.rules.narvik.play import offers

NO_EVENTS = (2, 6)  # OKW Panic, German threat: no points, no draws


def points(narvik: Any, dice: tuple[int, int], units: dict[str, str], **more: Any) -> tuple[int, int]:
    """Action points after determination, with events that change nothing."""
    s = narvik.position(phase="turn", units=units, dice=(*dice, *NO_EVENTS), **more)
    ap: tuple[int, int] = s.ap
    return ap


PLAIN = {"139-1": "1720", "SG-a": "0115"}


@rule("6.1.a")
def test_points_never_carry_over(narvik: Any) -> None:
    assert points(narvik, (3, 4), PLAIN, ap={"german": 9, "allied": 9}) == (3, 4)


@rule("6.1.b")
def test_a_die_plus_all_bonuses(narvik: Any) -> None:
    assert points(narvik, (1, 6), PLAIN) == (1, 6)
    assert points(narvik, (1, 6), {**PLAIN, "Dietl": "0919", "Auchinleck": "Harstad", "SG-b": "0216"}) == (4, 10)


@rule("6.1.c", "18.2.c")
def test_auchinleck_gives_three(narvik: Any) -> None:
    for area, bonus in (("Harstad", 3), ("Bardufoss", 3), ("Allied Pool", 0)):
        assert points(narvik, (1, 1), {**PLAIN, "Auchinleck": area})[1] == 1 + bonus


@rule("6.1.d")
def test_allied_objectives(narvik: Any) -> None:
    assert points(narvik, (1, 1), {**PLAIN, "SG-b": "0216", "I/12": "1801"})[1] == 3
    assert points(narvik, (1, 1), PLAIN, control={"0919": "allied"})[1] == 1  # controlled, not occupied


@rule("6.1.e")
def test_three_numbered_peaks_give_one(narvik: Any) -> None:
    two = {"139-1": "1020", "139-2": "1918", "SG-a": "0517", "SG-b": "0912"}
    assert points(narvik, (1, 1), two) == (1, 1)
    three = {**two, "139-3": "1316", "SWB-a": "0822"}
    assert points(narvik, (1, 1), three) == (2, 2)
    many = {**three, "139-6": "1512", "139-7": "1712", "139-8": "1320", "139-11": "1912"}
    assert points(narvik, (1, 1), many) == (2, 2)


@rule("6.1.j")
def test_unnumbered_peaks_do_not_count(narvik: Any) -> None:
    units = {"139-1": "1020", "139-2": "1918", "139-3": "1913", "SG-a": "0115"}  # 1913 has no number
    assert points(narvik, (1, 1), units)[0] == 1
    assert points(narvik, (1, 1), {"Sig68-1": "1913", "139-1": "0919", "SG-a": "0115"})[0] == 2


@rule("6.1.f", "18.1.d")
def test_dietl_gives_two(narvik: Any) -> None:
    assert points(narvik, (1, 1), {**PLAIN, "Dietl": "1821"})[0] == 3
    assert points(narvik, (1, 1), {**PLAIN, "Dietl": "German Regroup"})[0] == 1


@rule("6.1.g")
def test_german_objectives_and_the_signal_bonus(narvik: Any) -> None:
    units = {**PLAIN, "139-2": "0919", "139-3": "2020"}
    assert points(narvik, (1, 1), units)[0] == 3
    assert points(narvik, (1, 1), {**units, "Sig68-1": "1912"})[0] == 5
    assert points(narvik, (1, 1), {**units, "Sig68-1": "1912", "Sig68-2": "1716"})[0] == 5  # once, not per unit
    assert points(narvik, (1, 1), {**units, "Sig68-1": "1821"})[0] == 3


@rule("6.1.h")
def test_the_relief_column_gives_its_box(narvik: Any) -> None:
    track = dict(zip(narvik.tables.relief_names, narvik.tables.relief_ap, strict=True))
    assert track == {"Trondheim": 0, "Mosjoen": 0, "Mo": 0, "Bodo": 1, "Fauske": 1, "Narvik": 1}
    for box, ap in track.items():
        s = narvik.position(phase="turn", units=PLAIN, dice=(1, 1, 2, 2, 6), relief=box)
        assert s.ap[0] == 1 + ap


@rule("6.1.i", "6.4.d")
def test_event_points_are_added_and_count_for_initiative(narvik: Any) -> None:
    dice = (3, 4, 1, 1, 1, 6)  # AP 3 and 4; OKW Interest +2, draw 1+1; German threat
    s = narvik.position(phase="turn", units=PLAIN, dice=dice)
    assert s.ap == (5, 4)
    assert s.first == 0
    assert s.side == "german"


@rule("6.2.a")
def test_the_track_ends_at_its_maximum(narvik: Any) -> None:
    s = narvik.position(phase="german.event", units=PLAIN, ap={"german": 19}, dice=(1, 1, 1))  # OKW Interest: 2 points
    assert s.ap[0] == narvik.tables.ap_max == 20


@rule("6.1.i", "6.2.c")
def test_points_are_told_with_their_parts(narvik: Any) -> None:
    units = {"139-1": "2020", "Dietl": "2020", "SG-a": "0216", "Auchinleck": "Harstad"}
    s = narvik.position(units=units, relief="Trondheim", ap={"german": 1, "allied": 1}, dice=(3, 4, 1, 1, 1, 5, 1))
    told = log(do(s, "pass", "pass"))
    assert "The German side has 6 action points, die 3, +2 Dietl is on the map, +1 objectives occupied: 1" in told[3]
    assert "The Allied side has 8 action points, die 4, +3 Auchinleck is in a staging area, +1 obj" in told[4]
    assert "The German side gains 2 action points: 8 now (6.1.i, 7.3.a)" in told
    assert "The Allied side gains 1 action point: 9 now (6.1.i, 7.2.e)" in told
    assert "The German side loses 1 action point: 7 now (6.1.i, 7.2.e)" in told
    assert s.ap == (7, 9)


@rule("6.1.i", "6.2.a")
def test_points_that_the_track_does_not_hold_are_told_as_lost(narvik: Any) -> None:
    s = narvik.position(phase="german.event", units=PLAIN, ap={"german": 19}, dice=(1, 1, 1))
    assert "The German side gains 1 action point of 2 (the track ends): 20 now" in " ".join(log(s.events))


@rule("6.2.b")
def test_no_action_without_the_points(narvik: Any) -> None:
    units = {**PLAIN, "RM": "Harstad", "139-2": "0919"}
    s = narvik.position(phase="allied.action", units=units, ap={"german": 3, "allied": 1})
    assert offers(s, "movement BR")
    assert not offers(s, "amphibious assault")  # costs two
    assert refused(s, "amphibious assault", "6.2.b")


@rule("6.2.c")
def test_the_marker_follows_the_points(narvik: Any) -> None:
    s = narvik.position(units=PLAIN, ap={"german": 4, "allied": 3})
    do(s, "movement KGW")
    assert s.ap == (3, 3)
    track = {t["id"]: t["value"] for t in s.view("allied")["tracks"]}
    assert track["ap-german"] == 3


@rule("6.3.a")
def test_every_action_of_the_catalogue(narvik: Any) -> None:
    units = {
        "139-1": "1720", "SG-a": "1820", "SG-b": "Harstad", "RM": "Harstad", "139-2": "0919", "SWB-a": "Allied Regroup",
        "Warspite": "Allied Strikes", "FAA-Skua": "Allied Strikes",
    }  # fmt: skip
    s = narvik.position(phase="allied.action", units=units)
    assert set(legal(s)) == {
        "pass", "movement BR", "fire BR", "assault BR", "regroup BR", "amphibious BR", "amphibious assault",
        "air support", "naval support", "recon",
    }  # fmt: skip


@rule("6.3.b")
def test_movement_and_combat_do_not_mix(narvik: Any) -> None:
    s = narvik.position(units={"139-1": "1720", "139-2": "1820", "SG-a": "1920"})
    do(s, "movement KGW", "move 139-1", "to 1821")
    assert not any(text.startswith("attack") for text in legal(s))
    do(s, "done")
    assert s.side == "allied"
    s = narvik.position(units={"139-1": "1720", "139-2": "1820", "SG-a": "1920"})
    do(s, "fire KGW")
    assert not any(text.startswith("move") for text in legal(s))


@rule("6.3.c")
def test_actions_of_the_allies_alone(narvik: Any) -> None:
    s = narvik.position(units={**PLAIN, "Ju87-1": "German Strikes"})
    assert offers(s, "air support")
    for text in ("naval support", "amphibious assault"):
        assert not offers(s, text)
        assert refused(s, text, "6.3.c")
    assert refused(s, "amphibious KGW", "6.3.c")


@rule("6.4.a")
def test_more_points_have_the_initiative(narvik: Any) -> None:
    s = narvik.position(phase="initiative", units=PLAIN, ap={"german": 6, "allied": 5})
    assert s.side == "german"
    s = narvik.position(phase="initiative", units=PLAIN, ap={"german": 5, "allied": 6})
    assert s.side == "allied"


@rule("6.4.b")
def test_a_tie_goes_to_the_allies(narvik: Any) -> None:
    s = narvik.position(phase="initiative", units=PLAIN, ap={"german": 9, "allied": 9})
    assert s.side == "allied"


@rule("6.4.c")
def test_initiative_lasts_the_turn(narvik: Any) -> None:
    s = narvik.position(phase="initiative", units=PLAIN, ap={"german": 6, "allied": 5})
    do(s, "movement KGW", "done")
    assert s.ap == (5, 5)
    do(s, "movement BR", "done", "movement KGW", "done")
    assert s.ap[0] < s.ap[1] + 1
    assert s.first == 0
    assert s.view("allied")["initiative"] == "german"


@rule("6.2.b", "6.3.a")
def test_an_action_of_a_sub_command_must_be_paid_for(narvik: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    row = narvik.tables.actions["amphibious"]
    monkeypatch.setitem(narvik.tables.actions, "amphibious", replace(row, ap=2))
    units = {"139-1": "0919", "SG-a": "Harstad"}
    s = narvik.position(phase="allied.action", units=units, ap={"german": 3, "allied": 1})
    assert refused(s, "amphibious BR", "6.2.b")
    s = narvik.position(phase="allied.action", units=units, ap={"german": 3, "allied": 3})
    do(s, "amphibious BR")
    assert s.ap == (3, 1)
