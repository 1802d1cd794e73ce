"""Chapter 23: engineer actions (optional)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.helpers import asked, do, legal, log, refused, rule
from tests.rules.narvik.play import columns, left, offers, shifts, starting

ENGINEERS = {"engineers": True}


def german(narvik: Any, units: dict[str, str], *dice: int, **more: Any) -> Any:
    return narvik.position(units={"SG-a": "0115", **units}, dice=dice, options=ENGINEERS, **more)


@rule("23.1.a")
def test_one_point_for_the_engineers_of_a_sub_command(narvik: Any) -> None:
    units = {"Pi83-1": "1720", "Pi83-2": "1820", "139-PiW": "1821", "SG-a": "0115"}
    s = german(narvik, units, ap={"german": 3, "allied": 3})
    do(s, "engineers KGD")
    assert s.ap[0] == 2
    assert set(starting(s, "entrench")) == {"Pi83-1", "Pi83-2"}
    assert refused(s, "entrench 139-PiW", "11.1.b")
    s = german(narvik, {**units, "112-1": "1720"})
    do(s, "engineers KGD")
    assert refused(s, "entrench 112-1", "23.1.a")
    assert not offers(narvik.position(units=units), "engineers KGD")  # an optional rule
    assert narvik.position(units=units).refuses("engineers KGD", because="23.1.a")


@rule("23.1.b")
def test_one_operation_each(narvik: Any) -> None:
    s = german(narvik, {"Pi83-1": "0919", "Pi83-2": "1820"}, 6)
    do(s, "engineers KGD", "entrench Pi83-1")
    assert refused(s, "demolish Pi83-1", "23.1.b")
    assert starting(s, "entrench") == ["Pi83-2"]


@rule("23.1.c")
def test_nothing_else_happens(narvik: Any) -> None:
    s = german(narvik, {"Pi83-1": "1720", "112-1": "1820", "SG-a": "1920"})
    do(s, "engineers KGD")
    assert all(t == "done" or t.split()[0] in ("entrench", "bridge", "demolish", "repair") for t in legal(s))
    assert refused(s, "move Pi83-1", "23.1.c")
    assert refused(s, "attack with 112-1", "23.1.c")


@pytest.mark.parametrize("die", range(1, 7))
@rule("23.1.d")
def test_the_operations_table(narvik: Any, die: int) -> None:
    s = german(narvik, {"Pi83-1": "0919"}, die)
    do(s, "engineers KGD", "entrench Pi83-1")
    assert bool(s.trenches[0]) == (die >= 2)
    s = german(narvik, {"Pi83-1": "1420"}, die)
    do(s, "engineers KGD", "bridge Pi83-1 1419")
    assert bool(s.pontoons) == (die >= 3)
    s = german(narvik, {"Pi83-1": "0919"}, die)
    do(s, "engineers KGD", "demolish Pi83-1")
    assert bool(s.demolished) == (die >= 2)
    s = german(narvik, {"Pi83-1": "0919"}, die, demolished=["0919"])
    do(s, "engineers KGD", "repair Pi83-1")
    assert bool(s.demolished) == (die <= 3)
    s = german(narvik, {"Pi83-1": "0919"})
    do(s, "engineers KGD")
    assert s.forecast("entrench Pi83-1").chance("succeeds") * 6 == 5


@rule("23.2.a", "23.2.b")
def test_entrenching_anywhere_on_land(narvik: Any) -> None:
    for label in ("1720", "1719", "1819", "1911", "0919"):  # clear, rough, peak, lake, objective
        s = german(narvik, {"Pi83-1": label}, 6)
        do(s, "engineers KGD", "entrench Pi83-1")
        assert s.trenches[0] == 1 << narvik.node(label)
    s = german(narvik, {"Pi83-1": "1720", "SG-a": "1820"}, 6)
    do(s, "engineers KGD", "entrench Pi83-1")
    assert s.trenches[0]  # in an enemy zone
    assert {"at": "1720", "kind": "entrenched", "text": "entrenched (german)"} in s.view("allied")["markers"]
    s = german(narvik, {"Pi83-1": "1720"}, entrenched={"1720": "german"})
    assert not offers(s, "engineers KGD")


@rule("23.2.1.a")
def test_entrenchments_shift_all_fire_by_two(narvik: Any) -> None:
    units = {"SG-a": "1720", "139-1": "1820", "FAA-Skua": "Allied Strikes"}
    trench = {"1820": "german"}
    for action in ("fire", "assault"):
        s = narvik.position(phase="allied.action", units=units, entrenched=trench, options=ENGINEERS, dice=(1,))
        do(s, f"{action} BR", "attack with SG-a")
        assert shifts(s, "at 1820")["23.2.1.a"] == -2
    assert columns(do(s, "at 1820")) == [5 + 1 - 1 - 2]  # cumulative with the other shifts
    s = narvik.position(phase="allied.action", units=units, entrenched=trench, options=ENGINEERS, dice=(1,))
    do(s, "air support", "strike with FAA-Skua", "on 1820")
    assert columns(do(s, "resolve the strikes")) == [1]
    s = narvik.position(units=units, entrenched=trench, options=ENGINEERS, dice=(1,))
    do(s, "fire KGW", "attack with 139-1")
    assert columns(do(s, "at 1720")) == [3]  # units inside attack normally


@rule("23.2.2.a")
def test_an_abandoned_entrenchment_is_removed(narvik: Any) -> None:
    s = german(narvik, {"139-1": "1720", "139-2": "1720"}, entrenched={"1720": "german"})
    do(s, "movement KGW", "move 139-1", "to 1620", "halt", "done")
    assert s.trenches[0]  # one unit is left
    told = log(do(s, "pass", "movement KGW", "move 139-2", "to 1620", "halt", "done"))
    assert "the entrenchment in 1720 is abandoned (23.2.2.a)" in told
    assert s.trenches == (0, 0)
    s = german(narvik, {"139-1": "1720", "139-2": "1721"}, entrenched={"1720": "german"})
    do(s, "movement KGW", "move 139-1", "to 1620", "halt", "move 139-2", "to 1720", "halt")
    assert s.trenches == (0, 0)  # the hex was empty for a moment: who comes next does not use it
    assert not any(marker["kind"] == "entrenched" for marker in s.view("allied")["markers"])
    units = {"SG-a": "1720", "SG-b": "1721", "139-1": "1820"}
    s = narvik.position(phase="allied.action", units=units, options=ENGINEERS, entrenched={"1820": "german"}, dice=(6,))
    do(s, "fire BR", "attack with SG-a", "at 1820")  # 5 - 2: disrupted
    assert s.place("139-1") == "German Regroup"
    assert s.trenches == (0, 0)


@rule("23.3.a")
def test_bridging_an_inlet(narvik: Any) -> None:
    s = german(narvik, {"Pi83-1": "1420"}, 6)
    do(s, "engineers KGD")
    assert set(starting(s, "bridge Pi83-1")) == {"1419", "1519"}
    assert refused(s, "bridge Pi83-1 1320", "23.3.a")
    assert any("bridge to 1419" in event.text for event in do(s, "bridge Pi83-1 1419"))
    assert s.pontoons == (tuple(sorted((narvik.node("1419"), narvik.node("1420")))),)
    do(s, "done", "pass", "engineers KGD")
    assert refused(s, "bridge Pi83-1 1419", "23.3.a")  # there is one now
    s = german(narvik, {"Pi83-1": "1420", "SG-a": "1419"})
    do(s, "engineers KGD")
    assert refused(s, "bridge Pi83-1 1419", "23.3.a")  # an enemy is across


@rule("23.3.b")
def test_bridging_in_an_enemy_zone(narvik: Any) -> None:
    s = german(narvik, {"Pi83-1": "1420", "SG-a": "1418"}, 6)
    do(s, "engineers KGD", "bridge Pi83-1 1419")
    marker = next(m for m in s.view("allied")["markers"] if m["kind"] == "pontoon")
    assert {marker["at"], marker["text"].split()[-1]} == {"1419", "1420"}


BRIDGE = ["1419/1420"]


@rule("23.3.1.a")
def test_a_bridge_serves_both_sides(narvik: Any) -> None:
    s = german(narvik, {"139-1": "1420"}, pontoons=BRIDGE)
    do(s, "movement KGW", "move 139-1", "to 1419", "keep the bridge")
    assert left(s, "139-1") == 5
    units = {"3KOH": "1419", "139-1": "2020"}
    s = narvik.position(phase="allied.action", units=units, pontoons=BRIDGE, options=ENGINEERS)
    do(s, "movement BR", "move 3KOH", "to 1420", "keep the bridge")
    assert left(s, "3KOH") == 9  # even tanks
    units = {"3KOH": "1022", "139-9": "1023"}
    s = narvik.position(units=units, pontoons=["1022/1121"], options=ENGINEERS, dice=(4, 1))
    do(s, "fire KGH", "attack with 139-9", "at 1022")
    assert s.place("3KOH") == "1122"  # no bridge makes the rough hex beyond it fit for tanks
    s = german(narvik, {"139-1": "1420", "SG-a": "1419"}, pontoons=BRIDGE)
    do(s, "assault KGW", "attack with 139-1")
    assert "14.3.1.a" not in shifts(s, "at 1419")


@rule("23.3.2.a")
def test_who_crosses_may_remove_the_bridge(narvik: Any) -> None:
    s = german(narvik, {"139-1": "1420"}, pontoons=BRIDGE)
    do(s, "movement KGW", "move 139-1", "to 1520")
    assert asked(s) == "movement.March"  # no bridge crossed
    s = german(narvik, {"139-1": "1420"}, pontoons=BRIDGE)
    do(s, "movement KGW", "move 139-1", "to 1419")
    assert set(legal(s)) == {"keep the bridge", "remove the bridge"}
    told = log(do(s, "remove the bridge"))
    assert told == ["the pontoon bridge 1419/1420 is removed (23.3.2.a)"]
    assert s.pontoons == ()
    units = {"RM": "Harstad", "139-1": "1319"}
    s = narvik.position(phase="allied.action", units=units, pontoons=["1319/1419"], options=ENGINEERS, dice=(6,))
    do(s, "amphibious assault", "storm from 1219 at 1319", "pursue with RM to 1419")
    assert set(legal(s)) == {"keep the bridge", "remove the bridge"}  # also in the marines' pursuit
    s = german(narvik, {"139-1": "1420", "139-4": "1420", "SG-a": "1419"}, 6, pontoons=BRIDGE)
    do(s, "assault KGW", "attack with 139-1", "at 1419", "pursue with 139-1 to 1419")
    assert asked(s) == "engineers.BridgeStays"  # pursuit too
    ring = {"139-1": "1418", "139-2": "1518", "139-3": "1318"}
    s = german(narvik, {"139-4": "1519", "SG-a": "1419", **ring}, 4, 1, pontoons=BRIDGE)
    do(s, "fire KGW", "attack with 139-4", "at 1419", "retreat SG-a to 1420")
    assert (asked(s), s.side) == ("engineers.BridgeStays", "allied")  # and retreat


@rule("23.4.a")
def test_what_can_be_demolished(narvik: Any) -> None:
    for label, possible in (("0919", True), ("1118", True), ("1821", False), ("1720", False)):
        s = german(narvik, {"Pi83-1": label})
        do(s, "engineers KGD")
        assert offers(s, "demolish Pi83-1") == possible
    assert refused(s, "demolish Pi83-1", "23.4.a")
    s = german(narvik, {"Pi83-1": "1420"}, pontoons=BRIDGE)
    do(s, "engineers KGD")
    assert starting(s, "demolish bridge Pi83-1") == ["1419"]


@rule("23.4.1.a")
def test_demolition(narvik: Any) -> None:
    s = german(narvik, {"Pi83-1": "0919"}, 6)
    do(s, "engineers KGD", "demolish Pi83-1")
    assert s.demolished == 1 << narvik.node("0919")
    s = german(narvik, {"Pi83-1": "1420"}, 6, pontoons=BRIDGE)
    do(s, "engineers KGD", "demolish bridge Pi83-1 1419")
    assert s.pontoons == ()
    assert s.demolished == 0
    s = german(narvik, {"Pi83-1": "1520"}, pontoons=BRIDGE)
    do(s, "engineers KGD")
    assert refused(s, "demolish bridge Pi83-1 1519", "23.4.1.a")


@rule("23.4.2.a")
def test_a_demolished_hex(narvik: Any) -> None:
    train = {"139-6": "0919", "139-PiH": "0919"}
    s = german(narvik, train, demolished=["0919"], control={"0820": "german"})
    do(s, "movement KGH", "move 139-6")
    assert refused(s, "rail to 1019", "23.4.2.a")
    assert refused(s, "ferry to 0820", "23.4.2.a")
    s = german(narvik, train, demolished=["0820"], control={"0820": "german"})
    do(s, "movement KGH", "move 139-6")
    assert refused(s, "ferry to 0820", "23.4.2.a")
    s = german(narvik, {"139-6": "1020"}, demolished=["0919"])
    do(s, "movement KGH", "move 139-6", "to 0919")
    assert left(s, "139-6") == 4  # 1 + 1
    s = german(narvik, {"139-6": "1019"}, demolished=["0919"])
    do(s, "movement KGH", "move 139-6", "to 0919")
    assert left(s, "139-6") == 4.5  # half a point + 1
    s = german(narvik, {"RR": "0919"}, demolished=["0919"])
    do(s, "movement KGD", "move RR")
    assert refused(s, "to 1019", "23.4.2.a")  # the railway gun is stuck, too
    s = german(narvik, {"RR": "1119"}, demolished=["0919"])
    do(s, "movement KGD", "move RR")
    assert offers(s, "to 1019")
    assert not offers(s, "to 0919")
    s = narvik.position(phase="allied.action", units={"SG-a": "1020", "139-6": "0919"}, demolished=["0919"],
                        options=ENGINEERS)  # fmt: skip
    do(s, "fire BR", "attack with SG-a")
    assert shifts(s, "at 0919") == {}  # combat is not affected


@rule("23.4.2.a")
def test_no_gun_passes_a_demolished_hex(narvik: Any) -> None:
    s = german(narvik, {"RR": "1920"}, demolished=["2020"])
    do(s, "movement KGD", "move RR")
    for there, why in (("2120", "the line is demolished"), ("2020", "the hex is demolished")):
        (reason,) = s.why_not(f"to {there}")
        assert (reason.rule, reason.text) == ("23.4.2.a", why)
    assert offers(s, "to 1821")


@rule("23.4.3.a", "23.4.3.b")
def test_repair(narvik: Any) -> None:
    s = german(narvik, {"139-PiH": "0919", "139-6": "0919"}, 6, demolished=["0919"])
    do(s, "engineers KGH", "repair 139-PiH", "done", "pass", "movement KGH", "move 139-6")
    assert s.demolished == 0
    assert "1019" in starting(s, "rail to")
    s = german(narvik, {"139-PiH": "1019"}, demolished=["0919"])
    do(s, "engineers KGH")
    assert refused(s, "repair 139-PiH", "23.4.3.a")
