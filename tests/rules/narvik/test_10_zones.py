"""Chapter 10: zones of control."""

from __future__ import annotations

from typing import Any

from tests.helpers import asked, do, refused, rule
from tests.rules.narvik.play import left, offers, starting


def zone(s: Any, side: int) -> set[str]:
    """Hexes into which a side exerts zones of control."""
    return {s.game.board.labels[n] for n, count in enumerate(s.zone[side]) if count}


@rule("10.0.a")
def test_a_zone_covers_the_six_neighbours(narvik: Any) -> None:
    s = narvik.position(units={"139-1": "1720", "SG-a": "0115"})
    assert zone(s, 0) == {"1719", "1820", "1821", "1721", "1621", "1620"}


@rule("10.0.e")
def test_all_combat_units_have_the_same_zone(narvik: Any) -> None:
    for name in ("139-1", "112-1", "Dietl", "Nav-Flak", "Sig68-1"):
        s = narvik.position(units={name: "1720", "SG-a": "0115"})
        assert len(zone(s, 0)) == 6
    s = narvik.position(units={"139-1": "1720", "139-2": "1720", "SG-a": "1619"}, phase="allied.action")
    do(s, "movement BR", "move SG-a", "to 1620")
    assert asked(s) == "movement.Movement"  # stopped: two units are no stronger than one
    assert zone(s, 0) == {"1719", "1820", "1821", "1721", "1621", "1620"}


@rule("10.0.b")
def test_strikes_have_none(narvik: Any) -> None:
    s = narvik.position(units={"139-1": "1720", "SG-a": "0115", "Ju87-1": "German Strikes"})
    before = zone(s, 0)
    do(s, "air support", "strike with Ju87-1", "on 0115")
    assert zone(s, 0) == before


@rule("10.0.c", "20.0.d")
def test_zones_stop_at_the_sea_and_at_staging_areas(narvik: Any) -> None:
    s = narvik.position(units={"139-1": "0919", "SG-a": "0115"})
    assert zone(s, 0) == {"1019", "1020", "0920"}  # not the sea, not 0820 across an all-sea hexside
    assert zone(s, 1) == {"0114", "0215", "0216", "0116"}  # not Harstad
    s = narvik.position(units={"139-1": "1420", "SG-a": "0115"})
    assert {"1419", "1519"} <= zone(s, 0)  # across inlets
    assert "1320" in zone(s, 0)  # onto a peak


@rule("10.0.d")
def test_zones_of_both_sides_overlap(narvik: Any) -> None:
    s = narvik.position(units={"139-1": "1720", "SG-a": "1920"})
    assert {"1820", "1821"} <= zone(s, 0) & zone(s, 1)
    do(s, "movement KGW", "move 139-1", "to 1820")
    assert left(s, "139-1") == 5  # no further cost


@rule("10.1.a")
def test_a_unit_stops_when_it_enters_a_zone(narvik: Any) -> None:
    s = narvik.position(units={"139-1": "1620", "SG-a": "1820"})
    do(s, "movement KGW", "move 139-1")
    assert "1720" in starting(s, "to")
    other = s.copy()
    do(other, "to 1821")
    assert left(other, "139-1") == 2  # round by 1621 and the railway: not through the zone in 1720
    do(s, "to 1720")
    assert asked(s) == "movement.Movement"
    assert refused(s, "move 139-1", "12.2.c")


@rule("10.1.b")
def test_leaving_a_zone_costs_half_the_factor(narvik: Any) -> None:
    units = {"139-4": "1720", "SG-a": "1820"}  # movement factor 5
    s = narvik.position(units=units)
    do(s, "movement KGW", "move 139-4")
    assert refused(s, "to 1719", "10.1.b")  # from zone to zone
    do(s, "to 1620")
    assert left(s, "139-4") == 5 - 3 - 1  # half of five rounded up, then one


@rule("10.1.c")
def test_after_leaving_it_moves_normally(narvik: Any) -> None:
    s = narvik.position(units={"139-1": "1720", "SG-a": "1820", "SG-b": "1518"})
    do(s, "movement KGW", "move 139-1", "to 1620")
    assert asked(s) == "movement.March"
    do(s, "to 1519")  # next to SG-b
    assert asked(s) == "movement.Movement"
    assert s.place("139-1") == "1519"


@rule("10.1.d")
def test_entering_the_map_into_a_zone(narvik: Any) -> None:
    s = narvik.position(units={"138-6": "Swedish Transit", "SG-a": "2020"})
    do(s, "movement KGW", "move 138-6")
    assert "2119" in starting(s, "to")
    do(s, "to 2119")
    assert asked(s) == "movement.Movement"
    assert refused(s, "move 138-6", "12.2.c")


@rule("10.1.e")
def test_leaving_a_zone_into_a_staging_area(narvik: Any) -> None:
    s = narvik.position(phase="allied.action", units={"SG-a": "0115", "139-1": "0215"})
    do(s, "movement BR", "move SG-a", "to Harstad")
    assert s.place("SG-a") == "Harstad"
    s = narvik.position(phase="allied.action", units={"203-a": "0115", "139-1": "0215"})  # 3 points: 2 + 1
    do(s, "movement BR", "move 203-a")
    assert offers(s, "to Harstad")


@rule("10.1.f", "15.1.e")
def test_friends_do_not_cancel_zones(narvik: Any) -> None:
    s = narvik.position(units={"139-1": "1620", "139-7": "1720", "SG-a": "1820"})
    do(s, "movement KGW", "move 139-1", "to 1720")
    assert asked(s) == "movement.Movement"


@rule("10.1.g")
def test_pursuit_infiltration_and_ferries_ignore_zones(narvik: Any) -> None:
    units = {"139-1": "1720", "SG-a": "1820", "SG-b": "1819"}
    s = narvik.position(units=units, dice=(6,))
    do(s, "assault KGW", "attack with 139-1", "at 1820")  # column 3 + 2 = 5: disrupted
    assert "139-1 to 1919" in starting(s, "pursue with")  # from the zone of SG-b into it and on
    s = narvik.position(units={"139-Ski": "1719", "SG-a": "1718"})
    do(s, "movement KGW", "move 139-Ski")
    assert offers(s, "infiltrate 1619")
    s = narvik.position(units={"139-6": "0919", "139-PiH": "0919", "SG-a": "0821"}, control={"0820": "german"})
    do(s, "movement KGH", "move 139-6", "ferry to 0820")
    assert asked(s) == "movement.March"  # it need not stop


@rule("10.1.h")
def test_amphibious_movement_ignores_zones(narvik: Any) -> None:
    s = narvik.position(phase="allied.action", units={"SG-a": "Harstad", "139-1": "0721"})
    do(s, "amphibious BR", "embark SG-a")
    assert offers(s, "sail to 0720")
    s = narvik.position(phase="allied.action", units={"SG-b": "0820", "139-1": "0821"})
    do(s, "amphibious BR", "embark SG-b")
    assert offers(s, "sail to Harstad")


@rule("10.2.a")
def test_combat_is_never_forced(narvik: Any) -> None:
    s = narvik.position(units={"139-1": "1720", "SG-a": "1820"})
    assert offers(s, "pass")
    do(s, "fire KGW")
    assert offers(s, "done")


@rule("10.1.a", "10.1.c")
def test_no_march_passes_through_a_zone(narvik: Any) -> None:
    """Along the railway the points would do, with the price of leaving the zone paid on the way."""
    for more in ({}, {"options": {"engineers": True}, "demolished": ["1801"]}):
        s = narvik.position(units={"139-1": "1420", "SG-a": "1221"}, **more)
        do(s, "movement KGW", "move 139-1")
        assert "1220" in starting(s, "to")  # in the zone of 1221
        assert "1119" not in starting(s, "to")
        assert refused(s, "to 1119", "10.1.a")
