"""Chapter 12: ground movement."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from tests.helpers import asked, do, refused, rule
from tests.rules.narvik.play import left, offers, stack, starting

FAR = {"SG-a": "0115"}
GERMAN_FAR = {"139-15": "2020"}


@rule("12.0.a")
def test_any_number_of_units_of_a_sub_command(narvik: Any) -> None:
    s = narvik.position(units={"139-1": "1720", "139-2": "1820", "139-3": "1419", "139-7": "0919", **FAR})
    do(s, "movement KGW")
    assert set(starting(s, "move")) == {"139-1", "139-2", "139-3"}
    do(s, "move 139-1", "to 1620", "halt", "move 139-2", "to 1920", "halt", "move 139-3", "to 1519", "halt", "done")
    assert [s.place(u) for u in ("139-1", "139-2", "139-3")] == ["1620", "1920", "1519"]


@rule("12.0.b")
def test_points_of_one_action(narvik: Any) -> None:
    s = narvik.position(units={"Kothe": "1720", **FAR})  # factor 4
    do(s, "movement KGB", "move Kothe", "to 1820", "to 1920", "to 2021")
    assert left(s, "Kothe") == 1
    assert "2119" not in starting(s, "to")  # two more
    assert refused(s, "to 2119", "12.0.b")
    do(s, "halt", "done", "pass", "movement KGB", "move Kothe")
    assert left(s, "Kothe") == 4  # nothing was saved


@rule("12.0.c")
def test_hex_by_hex(narvik: Any) -> None:
    s = narvik.position(units={"139-1": "1720", **FAR})
    do(s, "movement KGW", "move 139-1")
    events = do(s, "to 2021")
    path = next(e.values["path"] for e in events if e.kind == "move")
    assert all(narvik.board.distance(a, b) == 1 for a, b in pairwise(path))
    assert left(s, "139-1") == 3.5  # 1821, along the railway to 1921, then 2021
    assert refused(s, "to 2021", "12.0.c")


@rule("12.0.d")
def test_one_at_a_time(narvik: Any) -> None:
    s = narvik.position(units={"139-1": "1720", "139-2": "1820", **FAR})
    do(s, "movement KGW", "move 139-1", "to 1620")
    assert not offers(s, "move 139-2")
    assert refused(s, "move 139-2", "12.0.d")


@rule("12.0.f")
def test_a_unit_need_not_use_all_its_points(narvik: Any) -> None:
    s = narvik.position(units={"139-1": "1720", **FAR})
    do(s, "movement KGW", "move 139-1", "to 1620", "halt")
    assert left(s, "139-1") == 5
    assert refused(s, "move 139-1", "12.2.c")


@rule("12.1.a")
def test_a_unit_can_always_move_one_hex(narvik: Any) -> None:
    s = narvik.position(units={"Nav-Art": "1119", **FAR})  # factor 3
    do(s, "movement KGB", "move Nav-Art")
    assert offers(s, "to 1120")  # peak: 3
    s = narvik.position(units={"Nav-Art": "0821", **FAR})
    do(s, "movement KGB", "move Nav-Art", "to 0920")  # clear 1 + inlet 2
    assert left(s, "Nav-Art") == 0
    s = narvik.position(units={"Nav-Art": "0920", **FAR})
    do(s, "movement KGB", "move Nav-Art")
    assert offers(s, "to 0921")  # rough 2 + inlet 2 = 4 > 3
    do(s, "to 0921")
    assert asked(s) == "movement.Movement"


@rule("12.1.b")
def test_limits_of_the_minimum_move(narvik: Any) -> None:
    s = narvik.position(units={"Nav-Art": "1019", "SG-b": "1119"})
    do(s, "movement KGB", "move Nav-Art")
    assert refused(s, "to 1119", "12.0.e")
    assert refused(s, "to 1018", "12.3.e")
    s = narvik.position(units={"Nav-Art": "1720", "SG-a": "1820"})
    do(s, "movement KGB", "move Nav-Art")
    assert refused(s, "to 1719", "10.1.b")


@rule("12.1.c")
def test_the_minimum_move_out_of_a_zone(narvik: Any) -> None:
    s = narvik.position(units={"Nav-Art": "1720", "SG-a": "1820"})  # 2 to leave + 3 over the inlet > 3
    do(s, "movement KGB", "move Nav-Art")
    assert offers(s, "to 1620")
    assert offers(s, "to 1621")
    do(s, "to 1621")
    assert asked(s) == "movement.Movement"


@rule("12.2.a")
def test_only_units_of_one_hex_move_as_a_stack(narvik: Any) -> None:
    s = narvik.position(units={"139-1": "1720", "139-2": "1720", "139-3": "1820", "139-7": "1720", **FAR})
    do(s, "movement KGW", "move 139-1")
    assert starting(s, "and") == ["139-2"]
    assert refused(s, "and 139-3", "12.2.a")
    do(s, "and 139-2", "to 1620", "halt")
    assert stack(s, "1620") == ["139-2", "139-1"]
    s = narvik.position(units={"139-1": "1720", "139-2": "1720", **FAR})
    do(s, "movement KGW", "move 139-1", "to 1620", "halt")  # or singly
    assert s.place("139-2") == "1720"


@rule("12.2.b", "12.2.f")
def test_units_split_off_and_both_go_on(narvik: Any) -> None:
    s = narvik.position(units={"139-1": "1720", "139-2": "1720", **FAR})
    do(s, "movement KGW", "move 139-1", "and 139-2", "to 1820", "drop 139-2", "to 1920", "halt")
    assert (s.place("139-1"), s.place("139-2")) == ("1920", "1820")
    do(s, "move 139-2")
    assert left(s, "139-2") == 5  # what it has itself spent
    do(s, "to 1821", "halt")
    assert s.place("139-2") == "1821"


@rule("12.2.c")
def test_the_earlier_stack_may_not_resume(narvik: Any) -> None:
    s = narvik.position(units={"139-1": "1720", "139-2": "1720", "139-3": "1419", **FAR})
    do(s, "movement KGW", "move 139-1", "and 139-2", "to 1820", "drop 139-2", "halt", "move 139-3", "to 1519", "halt")
    assert refused(s, "move 139-2", "12.2.c")
    assert not offers(s, "move 139-2")


@rule("12.2.d")
def test_the_slowest_unit_sets_the_pace(narvik: Any) -> None:
    s = narvik.position(units={"139-1": "1720", "139-4": "1720", **FAR})  # factors 6 and 5
    do(s, "movement KGW", "move 139-1", "and 139-4")
    for label in ("1820", "1720", "1820", "1720", "1820"):
        do(s, f"to {label}")
    assert not starting(s, "to")
    assert refused(s, "to 1720", "12.2.d")
    do(s, "drop 139-4", "to 1720")  # the faster one goes on
    assert (s.place("139-1"), s.place("139-4")) == ("1720", "1820")
    assert left(s, "139-1") == 0


@rule("12.2.d", "9.0.g")
def test_a_stack_of_unequal_units_goes_a_long_way_at_once(narvik: Any) -> None:
    units = {"139-1": "1621", "139-4": "1621", "139-6": "1721", "139-7": "1721", "139-8": "1721", **FAR}
    s = narvik.position(units=units)
    do(s, "movement KGW", "move 139-1", "and 139-4")
    assert refused(s, "to 1721", "9.0.c")
    do(s, "to 1821")  # along the railway, through the full hex
    assert (left(s, "139-1"), left(s, "139-4")) == (5, 4)
    alone = narvik.position(units=units)
    do(alone, "movement KGW", "move 139-4")
    s = narvik.position(units=units)
    do(s, "movement KGW", "move 139-1", "and 139-4")
    assert starting(s, "to") == starting(alone, "to")  # the slower unit's reach


@rule("12.2.d", "10.1.b")
def test_each_unit_of_a_stack_leaves_a_zone_at_its_own_price(narvik: Any) -> None:
    s = narvik.position(units={"HQ-Sec": "1821", "LW-Flak1": "1821", "SG-a": "1921"})  # factors 6 and 4
    do(s, "movement KGD", "move HQ-Sec", "and LW-Flak1")
    assert "1521" not in starting(s, "to")  # 2 points are left to the slower one after 2 for leaving
    do(s, "to 1721")
    assert (left(s, "HQ-Sec"), left(s, "LW-Flak1")) == (2.5, 1.5)


@rule("12.1.a", "12.2.d")
def test_the_minimum_move_of_a_stack(narvik: Any) -> None:
    units = {"Nav-Art": "1220", "Erdmenger": "1220", "SG-a": "1119"}  # factors 3 and 4, in an enemy zone
    s = narvik.position(units=units)
    do(s, "movement KGB", "move Erdmenger", "and Nav-Art", "to 1320")  # a peak: 2 + 3 points
    assert s.place("Erdmenger") == s.place("Nav-Art") == "1320"
    assert asked(s) == "movement.Movement"


@rule("12.2.e")
def test_each_mobility_class_pays_its_own_cost(narvik: Any) -> None:
    s = narvik.position(phase="allied.action", units={"3KOH": "1821", "SG-a": "1821", **GERMAN_FAR})
    do(s, "movement BR", "move 3KOH", "and SG-a")
    assert refused(s, "to 1822", "12.3.c")  # rough: not for the tank
    do(s, "to 1721")
    assert (left(s, "3KOH"), left(s, "SG-a")) == (9.5, 3.5)


@rule("12.3.a", "2.1.c")
def test_the_hex_costs_its_terrain(narvik: Any) -> None:
    for there, cost in (("1820", 1), ("1719", 2), ("1621", 1)):
        s = narvik.position(units={"139-1": "1720", **FAR})
        do(s, "movement KGW", "move 139-1", f"to {there}")
        assert left(s, "139-1") == 6 - cost
    s = narvik.position(units={"139-1": "1820", **FAR})
    do(s, "movement KGW", "move 139-1", "to 1819")
    assert left(s, "139-1") == 3  # peak: the costliest terrain of the hex counts


@rule("12.3.b")
def test_hex_plus_hexside(narvik: Any) -> None:
    s = narvik.position(units={"139-1": "1419", **FAR})
    do(s, "movement KGW", "move 139-1", "to 1420")  # clear 1 + inlet 2
    assert left(s, "139-1") == 3


@rule("12.3.c")
def test_mechanised_units(narvik: Any) -> None:
    s = narvik.position(phase="allied.action", units={"3KOH": "1720", **GERMAN_FAR})
    do(s, "movement BR", "move 3KOH")
    assert refused(s, "to 1719", "12.3.c")  # rough
    reach = set(starting(s, "to"))
    assert "1920" in reach
    off_road = {"1921", "2019", "1919", "1822"}
    assert reach & off_road == {"1921"}  # rough, but on the railway from 1821
    s = narvik.position(phase="allied.action", units={"3KOH": "1419", **GERMAN_FAR})
    do(s, "movement BR", "move 3KOH", "to 1420")
    assert left(s, "3KOH") == 5  # not over the inlet: round by 1519, 1620, 1720, 1621 and back along the railway


@rule("12.3.d")
def test_half_a_point_along_road_and_railway(narvik: Any) -> None:
    s = narvik.position(units={"139-1": "1709", **FAR})
    do(s, "movement KGW", "move 139-1", "to 1809", "to 1909", "to 2009")
    assert left(s, "139-1") == 4.5
    s = narvik.position(units={"139-1": "1420", **FAR})
    do(s, "movement KGW", "move 139-1", "to 1520", "to 1621")
    assert left(s, "139-1") == 5


@rule("12.3.f")
def test_the_road_replaces_terrain_only_along_it(narvik: Any) -> None:
    s = narvik.position(units={"139-1": "1821", **FAR})
    do(s, "movement KGW", "move 139-1", "to 1921")
    assert left(s, "139-1") == 5.5  # rough hex along the railway
    s = narvik.position(units={"139-1": "2021", **FAR})
    do(s, "movement KGW", "move 139-1", "to 1921")
    assert left(s, "139-1") in (4, 4.5)  # directly 2, or 1920 first: 1 + 1/2
    s = narvik.position(units={"139-1": "1720", **FAR})
    do(s, "movement KGW", "move 139-1", "to 1721")
    assert left(s, "139-1") == 5  # no link: full cost although a railway runs through the hex


@rule("12.3.e")
def test_the_sea_is_closed(narvik: Any) -> None:
    s = narvik.position(units={"139-1": "0919", **FAR})
    do(s, "movement KGW", "move 139-1")
    assert refused(s, "to 0918", "12.3.e")
    assert not {"0918", "0819"} & set(starting(s, "to"))
    do(s, "to 0820")
    assert left(s, "139-1") == 1.5  # not over the all-sea hexside: road to 0920, inlet to 0821
    s = narvik.position(units={"Kothe": "0919", **FAR})
    do(s, "movement KGB", "move Kothe")
    assert refused(s, "to 0820", "12.3.e")


@rule("12.3.g")
def test_sweden_is_closed(narvik: Any) -> None:
    s = narvik.position(units={"139-1": "2120", **FAR})
    do(s, "movement KGW", "move 139-1")
    assert refused(s, "to 2220", "12.3.g")
    assert refused(s, "to 2221", "12.3.g")


TRAIN = {"139-6": "0919", "139-PiH": "0919"}


@rule("12.4.a")
def test_trains_start_in_narvik_or_bjornfjell(narvik: Any) -> None:
    s = narvik.position(units={**TRAIN, **FAR})
    do(s, "movement KGH", "move 139-6")
    assert "1920" in starting(s, "rail to")
    s = narvik.position(units={"139-6": "2020", "139-PiH": "2020", **FAR})
    do(s, "movement KGH", "move 139-6")
    assert "1019" in starting(s, "rail to")
    s = narvik.position(units={"139-6": "1319", "139-PiH": "1319", **FAR})
    do(s, "movement KGH", "move 139-6")
    assert refused(s, "rail to 1420", "12.4.a")


@rule("12.4.g")
def test_the_far_end_may_be_the_enemys(narvik: Any) -> None:
    s = narvik.position(units={**TRAIN, "SG-a": "2020"})
    do(s, "movement KGH", "move 139-6")
    ride = starting(s, "rail to")
    assert "1920" in ride
    assert "2020" not in ride


@rule("12.4.b", "19.3.a")
def test_trains_need_an_engineer(narvik: Any) -> None:
    s = narvik.position(units={"139-6": "0919", "139-PiH": "1019", **FAR})
    do(s, "movement KGH", "move 139-6")
    assert refused(s, "rail to 1119", "12.4.b")
    s = narvik.position(units={"139-PiH": "0919", **FAR})
    do(s, "movement KGH", "move 139-PiH")
    assert offers(s, "rail to 1119")  # the engineer itself (ruling D20)


@rule("12.4.c")
def test_a_ride_costs_one_point(narvik: Any) -> None:
    s = narvik.position(units={**TRAIN, **FAR})
    do(s, "movement KGH", "move 139-6", "rail to 2120")
    assert s.place("139-6") == "2120"
    assert left(s, "139-6") == 5
    assert refused(s, "rail to 1720", "12.4.a")


@rule("12.4.d")
def test_marching_before_and_after_the_ride(narvik: Any) -> None:
    s = narvik.position(units={"139-6": "1020", "139-PiH": "0919", **FAR})
    do(s, "movement KGH", "move 139-6", "to 0919", "rail to 1721", "to 1720")
    assert s.place("139-6") == "1720"
    assert left(s, "139-6") == 3


@rule("12.4.e")
def test_a_ride_ends_in_a_zone(narvik: Any) -> None:
    s = narvik.position(units={**TRAIN, "SG-a": "1720"})
    do(s, "movement KGH", "move 139-6")
    ride = starting(s, "rail to")
    assert "1621" in ride  # next to the enemy: as far as it goes
    assert "1721" not in ride
    assert refused(s, "rail to 1721", "12.4.e")
    do(s, "rail to 1621")
    assert asked(s) == "movement.Movement"


@rule("12.4.f")
def test_any_number_may_ride(narvik: Any) -> None:
    s = narvik.position(units={"139-6": "0919", "139-7": "0919", "139-PiH": "0919", "139-8": "1020", **FAR})
    do(s, "movement KGH", "move 139-6", "and 139-7", "and 139-PiH", "rail to 1920", "halt")
    assert len(stack(s, "1920")) == 3
    s = narvik.position(units={"139-6": "0919", "139-7": "0919", "139-PiH": "0919", "139-8": "1020", **FAR})
    do(s, "movement KGH", "move 139-6", "rail to 1920", "halt", "move 139-7", "rail to 1920", "halt")
    do(s, "move 139-8", "to 0919", "rail to 1920", "halt")
    assert len(stack(s, "1920")) == 3


FERRY = {"SG-a": "0216", "55RE": "0216", **GERMAN_FAR}


@rule("12.5.a")
def test_both_terminals_must_be_controlled(narvik: Any) -> None:
    s = narvik.position(phase="allied.action", units=FERRY, control={"0919": "german"})
    do(s, "movement BR", "move SG-a")
    ports = set(starting(s, "ferry to"))
    assert ports == {"0422", "0509", "0820", "1118", "1209", "1215", "1705", "1801", "Harstad"}
    assert refused(s, "ferry to 0919", "12.5.a")
    s = narvik.position(phase="allied.action", units={**FERRY, "SG-b": "0920"}, control={"0919": "german"})
    do(s, "movement BR", "move SG-b", "to 0919", "halt", "move SG-a")
    assert refused(s, "ferry to 0919", "12.5.a")  # taken during the action


@rule("12.5.b")
def test_ferries_take_units_that_began_there_with_an_engineer(narvik: Any) -> None:
    s = narvik.position(phase="allied.action", units={"SG-a": "0315", "55RE": "0216", **GERMAN_FAR})
    do(s, "movement BR", "move SG-a", "to 0216")
    assert refused(s, "ferry to 0820", "12.5.b")
    assert not starting(s, "ferry to")
    s = narvik.position(phase="allied.action", units={"SG-a": "0216", "55RE": "0315", **GERMAN_FAR})
    do(s, "movement BR", "move SG-a")
    assert refused(s, "ferry to 0820", "12.5.b")


@rule("12.5.c")
def test_a_ferry_costs_one_point(narvik: Any) -> None:
    s = narvik.position(phase="allied.action", units=FERRY)
    do(s, "movement BR", "move SG-a", "ferry to 1801")
    assert s.place("SG-a") == "1801"
    assert left(s, "SG-a") == 3
    s = narvik.position(phase="allied.action", units=FERRY)
    do(s, "movement BR", "move SG-a")
    assert refused(s, "ferry to 0605", "12.5.c")


@rule("12.5.d")
def test_the_german_ferry(narvik: Any) -> None:
    control = {"0820": "german", "1118": "german"}
    s = narvik.position(units={**TRAIN, **FAR}, control=control)
    do(s, "movement KGH", "move 139-6")
    assert starting(s, "ferry to") == ["0820"]
    assert refused(s, "ferry to 1118", "12.5.d")
    s = narvik.position(units={"139-6": "1118", "139-PiH": "1118", **FAR}, control={"0919": "german"})
    do(s, "movement KGH", "move 139-6")
    assert refused(s, "ferry to 0919", "12.5.d")
    s = narvik.position(units={**TRAIN, **FAR})
    do(s, "movement KGH", "move 139-6")
    assert refused(s, "ferry to 0820", "12.5.a")  # Ankenes is Allied


@rule("12.5.e")
def test_ferries_ignore_zones(narvik: Any) -> None:
    s = narvik.position(phase="allied.action", units={**FERRY, "139-1": "0315", "139-2": "0821"})
    do(s, "movement BR", "move SG-a", "ferry to 0820")
    assert left(s, "SG-a") == 3  # nothing for leaving the zone of 139-1
    assert asked(s) == "movement.March"
    assert refused(s, "to 0720", "10.1.b")  # then the usual rule (ruling D57)


@rule("12.5.f", "20.2.c")
def test_movement_after_the_ferry(narvik: Any) -> None:
    s = narvik.position(units={"139-6": "0820", "139-PiH": "0820", "139-PiW": "0919", **FAR})
    do(s, "movement KGH", "move 139-6", "ferry to 0919", "rail to 1420", "to 1520")
    assert s.place("139-6") == "1520"
    assert left(s, "139-6") == 3.5
    s = narvik.position(phase="allied.action", units={"SG-a": "Harstad", **GERMAN_FAR})
    do(s, "movement BR", "move SG-a", "ferry to 0216", "to 0315")
    assert s.place("SG-a") == "0315"


@rule("12.5.g")
def test_no_engineer_is_needed_in_harstad(narvik: Any) -> None:
    s = narvik.position(phase="allied.action", units={"SG-a": "Harstad", **GERMAN_FAR})
    do(s, "movement BR", "move SG-a")
    assert "1801" in starting(s, "ferry to")
    s = narvik.position(phase="allied.action", units={"I/12": "Bardufoss", **GERMAN_FAR})
    do(s, "movement NW", "move I/12")
    assert not starting(s, "ferry to")


@rule("12.5.h")
def test_harstad_is_always_a_terminal_and_ends_the_move(narvik: Any) -> None:
    s = narvik.position(phase="allied.action", units=FERRY)
    do(s, "movement BR", "move SG-a", "ferry to Harstad")
    assert s.place("SG-a") == "Harstad"
    assert asked(s) == "movement.Movement"
    assert refused(s, "move SG-a", "12.2.c")


FULL_NARVIK = {"139-6": "0919", "139-PiH": "0919", "139-7": "0919", "Erdmenger": "1019", **FAR}


@rule("12.4.d", "9.0.g")
def test_a_train_is_boarded_in_a_full_hex(narvik: Any) -> None:
    s = narvik.position(units=FULL_NARVIK)
    do(s, "movement KGB", "move Erdmenger", "to 0919")
    assert "no room to halt" in s.decision.prompt
    assert refused(s, "halt", "9.0.c")
    assert not offers(s, "halt")
    do(s, "rail to 1821", "halt")
    assert s.place("Erdmenger") == "1821"
    assert narvik.check(s) == []
    roomy = {"139-PiH": "0919", "139-6": "1019", "139-7": "1019", "139-8": "1019", "Erdmenger": "1119", **FAR}
    s = narvik.position(units=roomy)
    do(s, "movement KGB", "move Erdmenger")
    assert starting(s, "to").count("0919") == 1
    assert "1019" not in starting(s, "to")


@rule("12.4.b", "12.4.c", "9.0.j")
def test_nobody_enters_a_full_hex_without_a_train_to_board(narvik: Any) -> None:
    changes: list[dict[str, str]] = [
        {"139-PiH": "1720", "139-8": "0919"},  # no engineer
        {"SG-a": "0920"},  # the unit would have to stop in its zone
        {"Erdmenger": "1621"},  # half a point is left
        {"Erdmenger": "0920", "139-1": "1019", "139-2": "1019", "139-3": "1019", "SG-a": "1119"},  # the line is full
    ]
    for change in changes:
        s = narvik.position(units={**FULL_NARVIK, **change})
        do(s, "movement KGB", "move Erdmenger")
        assert not offers(s, "to 0919")
        assert refused(s, "to 0919", "9.0.c")


@rule("12.5.f", "9.0.g")
def test_a_ferry_puts_units_ashore_among_others_if_they_can_go_on(narvik: Any) -> None:
    units = {"6CA-a": "Harstad", "SG-a": "0216", **GERMAN_FAR}
    s = narvik.position(phase="allied.action", units=units)
    do(s, "movement FR", "move 6CA-a", "ferry to 0216")
    assert refused(s, "halt", "9.0.e")
    assert "0216" not in starting(s, "to")
    do(s, "to 0215", "halt")
    assert s.place("6CA-a") == "0215"
    s = narvik.position(phase="allied.action", units={"SG-a": "Harstad", "6CA-a": "0216", **GERMAN_FAR})
    do(s, "movement BR", "move SG-a", "ferry to 0216")
    s = narvik.from_json(s.to_json())  # a match saved in between
    do(s, "to 0215", "halt")
    assert narvik.check(s) == []
    shut = {"6CA-a": "Harstad", "SG-a": "0919", "139-1": "1019", "139-2": "0920"}
    s = narvik.position(phase="allied.action", units=shut)
    do(s, "movement FR", "move 6CA-a")
    assert refused(s, "ferry to 0919", "9.0.e")
    zoned = {"6CA-a": "Harstad", "Col-1": "Harstad", "SG-a": "0216", "139-1": "0215"}
    s = narvik.position(phase="allied.action", units=zoned)
    do(s, "movement FR", "move Col-1")  # factor 3: a point for the ferry, two to leave the zone, none for a hex
    assert refused(s, "ferry to 0216", "9.0.e")
    do(s, "back", "move 6CA-a", "ferry to 0216")
    assert starting(s, "to")
    exact = {"SG-a": "Harstad", "6CA-a": "0216", "139-1": "0215"}
    s = narvik.position(phase="allied.action", units=exact)
    do(s, "movement BR", "move SG-a", "ferry to 0216")  # factor 4: one for the ferry, two for the zone, one for a hex
    assert starting(s, "to") == ["0116", "0316"]


@rule("12.4.d", "9.0.g")
def test_a_train_stops_in_a_full_hex_if_its_riders_can_go_on(narvik: Any) -> None:
    units = {"139-PiH": "0919", "Erdmenger": "0919", "139-1": "1721", "139-2": "1721", "139-3": "1721", **FAR}
    s = narvik.position(units=units)
    do(s, "movement KGB", "move Erdmenger", "rail to 1721")
    assert refused(s, "halt", "9.0.c")
    do(s, "to 1720", "halt")
    assert s.place("Erdmenger") == "1720"
    s = narvik.position(units={**units, "SG-a": "1722"})  # they would have to stop in its zone
    do(s, "movement KGB", "move Erdmenger")
    assert refused(s, "rail to 1721", "9.0.c")


@rule("12.4.g")
def test_no_train_runs_into_the_enemy(narvik: Any) -> None:
    s = narvik.position(units={"139-PiH": "0919", "139-6": "0919", "SG-a": "1019"})
    do(s, "movement KGH", "move 139-6")
    assert not starting(s, "rail to")
    assert refused(s, "rail to 1019", "12.4.g")


@rule("12.0.b", "12.0.e", "12.2.b", "10.1.a", "10.1.b")
def test_a_refusal_names_what_forbids_the_move_and_nothing_else(narvik: Any) -> None:
    def rules(s: Any, text: str) -> list[str]:
        return [citation.rule for citation in s.why_not(text)]

    s = narvik.position(units={"Kothe": "1720", "SG-a": "0115"})
    do(s, "movement KGB", "move Kothe")
    assert rules(s, "to 1320") == ["12.0.b"]  # far, and no enemy zone on the way
    assert rules(s, "to 0115") == ["12.0.e"]  # an enemy is nobody to stack with
    assert rules(s, "drop Kothe") == ["12.2.b"]
    do(s, "to 1820", "to 1920", "to 2021")
    assert rules(s, "to 2022") == ["12.0.b"]  # rough, with one point left: no question of stacks
    s = narvik.position(units={"139-1": "1621", "SG-a": "1720"})
    do(s, "movement KGW", "move 139-1")
    assert rules(s, "to 1921") == ["10.1.b"]  # along the railway, but from zone to zone
    s = narvik.position(units={"Kothe": "1520", "SG-a": "1720"})
    do(s, "movement KGB", "move Kothe")
    assert rules(s, "to 1921") == ["10.1.a"]


@rule("12.2.b", "12.2.c")
def test_all_that_were_dropped_may_go_on(narvik: Any) -> None:
    units = {"139-1": "1720", "139-2": "1720", "139-3": "1720", **FAR}
    s = narvik.position(units=units)
    do(s, "movement KGW", "move 139-1", "and 139-2", "and 139-3", "to 1820")
    do(s, "drop 139-2", "drop 139-3", "to 1920", "halt")
    do(s, "move 139-2", "to 1821", "halt")
    assert offers(s, "move 139-3")
    do(s, "move 139-3", "to 1921")
    assert left(s, "139-3") == 3.5  # it has spent one point with the others


@rule("12.2.a")
def test_a_dropped_unit_does_not_join_those_it_meets(narvik: Any) -> None:
    s = narvik.position(units={"139-1": "1720", "139-2": "1720", "139-3": "1820", **FAR})
    do(s, "movement KGW", "move 139-1", "and 139-2", "to 1820", "drop 139-2", "halt", "move 139-2")
    assert not starting(s, "and")
    assert refused(s, "and 139-3", "12.2.a")


@rule("12.4.c", "10.1.b")
def test_a_train_out_of_an_enemy_zone(narvik: Any) -> None:
    s = narvik.position(units={"139-9": "0919", "139-PiH": "0919", "SG-a": "0920"})  # factor 5: half is 3
    do(s, "movement KGH", "move 139-9", "rail to 1821")
    assert left(s, "139-9") == 1


@rule("12.3.c")
def test_tanks_do_not_cross_frozen_lakes(narvik: Any) -> None:
    s = narvik.position(phase="allied.action", units={"3KOH": "1412", "SG-a": "1412", **GERMAN_FAR})
    do(s, "movement BR", "move 3KOH")
    assert refused(s, "to 1413", "12.3.c")
    do(s, "back", "move SG-a", "to 1413")
    assert left(s, "SG-a") == 3


@rule("12.0.b")
def test_the_question_tells_the_points_that_are_left(narvik: Any) -> None:
    s = narvik.position(units={"139-1": "1415", "SG-a": "0216"})
    do(s, "movement KGW", "move 139-1")
    assert s.decision.prompt == "Move 139-1 (6 movement points left)."
    do(s, "to 1315")
    assert s.decision.prompt == f"Move 139-1 on ({left(s, '139-1'):g} movement points left), or halt."
