"""Chapter 20: staging areas."""

from __future__ import annotations

from typing import Any

from tests.helpers import asked, do, refused, rule
from tests.rules.narvik.play import left, offers, stack, starting

GERMAN = {"139-15": "2020"}


def allied(narvik: Any, units: dict[str, str]) -> Any:
    return narvik.position(phase="allied.action", units={**GERMAN, **units})


@rule("20.0.b")
def test_each_side_has_its_own_areas(narvik: Any) -> None:
    s = narvik.position(units={"139-1": "0115", "SG-a": "0216"})
    do(s, "movement KGW", "move 139-1")
    assert refused(s, "to Harstad", "20.0.b")
    s = allied(narvik, {"SG-a": "2119"})
    do(s, "movement BR", "move SG-a")
    assert refused(s, "to Swedish Transit", "20.0.b")


@rule("20.0.c", "20.0.i")
def test_areas_hold_any_number_of_any_nationality(narvik: Any) -> None:
    s = allied(narvik, {"SG-a": "Harstad", "6CA-a": "Harstad", "I/12": "Harstad", "SG-b": "0115"})
    do(s, "movement BR", "move SG-b", "to Harstad")
    assert len(stack(s, "Harstad")) == 4
    assert narvik.check(s) == []


@rule("20.0.e")
def test_no_attacks_in_or_out(narvik: Any) -> None:
    units = {"139-1": "0114", "SG-a": "Harstad", "SG-b": "0115", "Ju87-1": "German Strikes", "6CA-a": "0605"}
    s = narvik.position(units=units)
    do(s, "fire KGW", "attack with 139-1")
    assert refused(s, "at Harstad", "20.0.e")
    s = narvik.position(units=units)
    do(s, "air support", "strike with Ju87-1")
    assert refused(s, "on Harstad", "20.0.e")
    s = narvik.position(phase="allied.action", units=units)
    do(s, "fire BR")
    assert refused(s, "attack with SG-a", "20.0.e")
    assert starting(s, "attack with") == ["SG-b"]


@rule("20.0.f")
def test_only_edge_hexes_of_the_colour(narvik: Any) -> None:
    s = allied(narvik, {"SG-a": "Harstad"})
    do(s, "movement BR", "move SG-a")
    assert refused(s, "to 1801", "20.0.f")
    s = allied(narvik, {"I/12": "1720"})
    do(s, "movement NW", "move I/12")
    assert refused(s, "to Bardufoss", "20.0.f")
    borders = {area.id: {narvik.board.labels[n] for n in area.borders} for area in narvik.board.areas}
    assert "0115" in borders["Harstad"]
    assert {"1801", "2206"} <= borders["Bardufoss"]
    assert "2120" in borders["Swedish Transit"]


@rule("20.0.g")
def test_entering_an_area_costs_one_point_and_ends_the_move(narvik: Any) -> None:
    s = allied(narvik, {"SG-a": "0216"})
    do(s, "movement BR", "move SG-a", "to Harstad")  # half a point to 0115, one into the area
    assert s.place("SG-a") == "Harstad"
    assert left(s, "SG-a") == 2.5
    assert asked(s) == "movement.Movement"
    assert not offers(s, "move SG-a")
    s = allied(narvik, {"I/12": "2201"})
    do(s, "movement NW", "move I/12", "to 2206")
    assert left(s, "I/12") == 1  # along the edge, not in and out of the area


@rule("20.1.a")
def test_germans_never_go_back(narvik: Any) -> None:
    s = narvik.position(units={"139-1": "2120", "SG-a": "0216"})
    do(s, "movement KGW", "move 139-1")
    assert refused(s, "to Swedish Transit", "20.1.a")
    assert not offers(s, "to Swedish Transit")


@rule("20.1.b")
def test_units_may_stay_in_transit(narvik: Any) -> None:
    units = {"139-1": "0919", "138-6": "Swedish Transit", "SG-a": "0216"}
    s = narvik.position(turn=6, units=units, ap={"german": 1, "allied": 1}, dice=(1, 1, 2, 6))
    do(s, "pass", "pass")
    assert (s.turn, s.place("138-6")) == (7, "Swedish Transit")
    s = narvik.position(phase="allied.event", units=units, dice=(3, 1))
    assert s.place("138-6") == "German Pool"  # unless an event removes them


@rule("20.1.c")
def test_airborne_units_do_not_come_through_sweden(narvik: Any) -> None:
    units = {"139-1": "0919", "SG-a": "0216", "FJ1-1": "German Arrivals", "138-6": "German Arrivals"}
    s = narvik.position(phase="reinforcement", units=units)
    assert s.place("138-6") == "Swedish Transit"
    assert asked(s) == "reinforcements.Landing"
    assert s.place("FJ1-1") == "German Arrivals"


@rule("20.2.a")
def test_every_nationality_uses_both_areas(narvik: Any) -> None:
    for sub, unit in (("BR", "SG-a"), ("FR", "6CA-a"), ("NW", "I/12"), ("PL", "1HL-a")):
        for hex_label, area in (("0115", "Harstad"), ("2001", "Bardufoss")):
            s = allied(narvik, {unit: hex_label})
            do(s, f"movement {sub}", f"move {unit}", f"to {area}")
            assert s.place(unit) == area


@rule("20.2.b")
def test_ways_out_of_the_allied_areas(narvik: Any) -> None:
    s = allied(narvik, {"SG-a": "Harstad", "IG-a": "Bardufoss"})
    do(s, "amphibious BR")
    assert set(starting(s, "embark")) == {"SG-a", "IG-a"}
    s = allied(narvik, {"SG-a": "Harstad", "IG-a": "Bardufoss"})
    do(s, "movement BR", "move SG-a")
    assert starting(s, "ferry to")
    do(s, "back", "move IG-a")
    assert not starting(s, "ferry to")
