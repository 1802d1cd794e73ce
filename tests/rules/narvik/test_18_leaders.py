"""Chapter 18: leaders."""

from __future__ import annotations

from typing import Any

from tests.helpers import asked, do, refused, rule
from tests.rules.narvik.play import columns, offers, rolled, starting

FAR = {"SG-a": "0115"}


@rule("18.1.a")
def test_dietl_is_an_elite_combat_unit(narvik: Any) -> None:
    s = narvik.start(seed=1)
    assert s.place("Dietl") is not None
    assert narvik.ground.land[s.at[narvik.unit("Dietl")]]
    s = narvik.position(units={"Dietl": "1720", "SG-a": "1820"}, dice=(1,))
    do(s, "assault KGD", "attack with Dietl")
    assert columns(do(s, "at 1820")) == [2 + 2 - 1]  # elite +2, against twice the strength -1


@rule("18.1.b")
def test_dietl_activates_his_neighbours(narvik: Any) -> None:
    units = {"Dietl": "1720", "139-1": "1720", "139-7": "1820", "Kothe": "1920", "112-1": "0919", **FAR}
    s = narvik.position(units=units)
    do(s, "movement KGD")
    assert set(starting(s, "move")) == {"Dietl", "139-1", "139-7", "112-1"}  # Kothe is two hexes away
    s = narvik.position(units={**units, "Dietl": "German Regroup"})
    do(s, "movement KGD")
    assert starting(s, "move") == ["112-1"]
    s = narvik.position(units=units)
    do(s, "movement KGW")
    assert starting(s, "move") == ["139-1"]


@rule("18.1.b", "1.2.a")
def test_dietl_activates_no_enemies(narvik: Any) -> None:
    s = narvik.position(units={"Dietl": "1720", "139-1": "1721", "SG-a": "1820"})
    do(s, "movement KGD")
    assert set(starting(s, "move")) == {"Dietl", "139-1"}
    assert refused(s, "move SG-a", "1.2.a")


@rule("18.1.c")
def test_they_need_not_stay_with_him(narvik: Any) -> None:
    s = narvik.position(units={"Dietl": "1720", "139-1": "1720", **FAR})
    do(s, "movement KGD", "move Dietl", "to 1420", "halt", "move 139-1", "to 2021", "halt")
    assert (s.place("Dietl"), s.place("139-1")) == ("1420", "2021")


@rule("18.1.f")
def test_fire_and_strikes_do_not_touch_dietl(narvik: Any) -> None:
    units = {"SG-a": "1720", "Dietl": "1820", "139-1": "1820", "FAA-Skua": "Allied Strikes"}
    s = narvik.position(phase="allied.action", units=units, dice=(1,))
    do(s, "fire BR", "attack with SG-a")
    assert rolled(do(s, "at 1820")) == ["139-1"]
    s = narvik.position(phase="allied.action", units=units, dice=(1,))
    do(s, "air support", "strike with FAA-Skua", "on 1820")
    assert rolled(do(s, "resolve the strikes")) == ["139-1"]


@rule("18.1.g")
def test_close_assault_does(narvik: Any) -> None:
    units = {"SG-a": "1720", "SG-b": "1720", "Dietl": "1820"}
    s = narvik.position(phase="allied.action", units=units, dice=(6,))
    do(s, "assault BR", "attack with SG-a", "and SG-b")
    events = do(s, "at 1820")
    assert rolled(events) == ["Dietl"]
    assert columns(events) == [10]  # 10 + 1 - 1: he counts as an elite defender
    assert s.place("Dietl") == "German Eliminated"


@rule("18.1.g", "14.4.1.c")
def test_a_counterattack_does(narvik: Any) -> None:
    """Ruling D50."""
    s = narvik.position(units={"Dietl": "1720", "SG-a": "1820"}, dice=(1, 6))
    do(s, "assault KGD", "attack with Dietl", "at 1820", "counterattack with SG-a")
    assert rolled(do(s, "at 1720")) == ["Dietl"]
    assert s.place("Dietl") == "German Regroup"


@rule("18.1.h")
def test_dietl_alone_holds_a_hex(narvik: Any) -> None:
    s = narvik.position(phase="allied.action", units={"SG-a": "1720", "Dietl": "1820"})
    assert s.occupies(0, narvik.node("1820"))
    assert s.controls(0, narvik.node("1820"))
    do(s, "movement BR", "move SG-a")
    assert refused(s, "to 1820", "12.0.e")


@rule("18.2.a")
def test_auchinleck_enters_in_either_area(narvik: Any) -> None:
    units = {"139-1": "0919", "SG-a": "0216", "Auchinleck": "Allied Arrivals"}
    s = narvik.position(phase="reinforcement", units=units)
    assert set(starting(s, "station in")) == {"Harstad", "Bardufoss"}
    assert refused(s, "station in 0216", "18.2.a")
    do(s, "station in Bardufoss")
    assert s.place("Auchinleck") == "Bardufoss"


@rule("18.2.a", "6.1.c")
def test_auchinleck_comes_with_the_first_scheduled_formation(narvik: Any) -> None:
    units = {"139-1": "0919", "SG-a": "0216", "6CA-a": "Allied Scheduled", "Auchinleck": "Allied Scheduled"}
    s = narvik.position(turn=5, phase="reinforcement", units=units)
    assert asked(s) == "actions.Act"  # no S in the box of turn 5
    assert s.place("Auchinleck") == "Allied Scheduled"
    s = narvik.position(turn=4, phase="reinforcement", units=units)
    do(s, "station in Harstad")  # the only formation that waits comes without asking
    assert s.place("Auchinleck") == s.place("6CA-a") == "Harstad"
    assert asked(s) == "actions.Act"


@rule("18.2.b")
def test_auchinleck_never_leaves(narvik: Any) -> None:
    units = {"139-1": "0919", "SG-a": "0216", "Auchinleck": "Harstad"}
    s = narvik.position(phase="allied.action", units=units)
    do(s, "movement BR")
    assert refused(s, "move Auchinleck", "18.2.b")
    assert not offers(s, "move Auchinleck")
    s = narvik.position(phase="allied.action", units=units)
    do(s, "amphibious BR")
    assert refused(s, "embark Auchinleck", "18.2.b")
    alone = {"139-1": "0919", "6CA-a": "Harstad", "Auchinleck": "Harstad"}
    s = narvik.position(phase="allied.action", units=alone)
    assert offers(s, "movement FR")
    assert not offers(s, "movement BR")
    assert not offers(s, "amphibious BR")


@rule("18.2.d")
def test_auchinleck_is_no_ground_combat_unit(narvik: Any) -> None:
    s = narvik.position(phase="victory", units={"139-1": "0919", "Auchinleck": "Harstad"})
    assert s.result.winner == "german"
    units = {"139-1": "0919", "SG-a": "0216", "SG-b": "Harstad", "Auchinleck": "Harstad"}
    s = narvik.position(phase="allied.event", units=units, relief="Bodo", dice=(6, 6))
    assert starting(s, "transfer") == ["SG-a", "SG-b"]
    assert refused(s, "transfer Auchinleck", "18.2.d")


@rule("18.1.e", "9.0.h")
def test_dietl_overstacks_no_hex(narvik: Any) -> None:
    units = {"139-1": "2020", "139-2": "2020", "139-3": "2020", "Dietl": "2020", "SG-a": "2021"}
    s = narvik.position(units=units)
    do(s, "fire KGD")
    assert set(starting(s, "attack with")) == {"139-1", "139-2", "139-3", "Dietl"}


@rule("18.2.b")
def test_auchinleck_does_not_fight(narvik: Any) -> None:
    units = {"SG-a": "1720", "139-1": "1820", "Auchinleck": "Harstad"}
    for command in ("fire BR", "assault BR"):
        s = narvik.position(phase="allied.action", units=units)
        do(s, command)
        assert refused(s, "attack with Auchinleck", "18.2.b")
