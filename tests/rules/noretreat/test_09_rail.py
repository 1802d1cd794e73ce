"""Chapter 9: rail movement."""

from __future__ import annotations

from typing import Any

from tests.helpers import asked, at, do, refused, rule
from tests.rules.noretreat.play import moving, offers, pay, starting

THREE = {"9th Army": "0810", "4th Army": "0811", "6th Army": "0812", "17th Army": "0813"}


def entrain(s: Any, unit: str) -> None:
    do(s, f"move {unit}", f"entrain {unit}")


def detraining(game: Any, side: str, units: dict[str, Any] | None = None, **more: Any) -> Any:
    name = "9th Army" if side == "axis" else "Don"
    s = game.position(
        turn=more.pop("turn", 7), phase=f"{side}.detraining", units=units or {}, boxes={"Rail": [name]}, **more
    )
    do(s, f"detrain {name}")
    return s


@rule("9.0", "9.1.a")
def test_one_free_entrainment_instead_of_movement(noretreat: Any) -> None:
    s = moving(noretreat, {**THREE, "Moscow": "1907"})
    entrain(s, "9th Army")
    assert at(s, "9th Army") == "Axis Rail"
    assert refused(s, "entrain 4th Army", because="9.1.1")
    do(s, "move 4th Army", "move 4th Army 0711")
    assert refused(s, "entrain 4th Army", because="8.0.a")
    fort = moving(noretreat, {"Moscow": {"at": "1907", "face": "fort"}}, "soviet")
    assert refused(fort, "entrain Moscow", because="8.0.b")


@rule("9.1.b")
def test_sea_evacuation_of_a_surrounded_port(noretreat: Any) -> None:
    ring = {"South": "1419", "11th Army": "1318", "17th Army": "1319", "6th Army": "1418", "3rd Rumanian": "1519"}
    s = moving(noretreat, ring, "soviet")
    entrain(s, "South")
    assert at(s, "South") == "Soviet Rail"


@rule("9.1.1")
def test_further_trains_cost_a_card(noretreat: Any) -> None:
    s = moving(noretreat, THREE, hands={"axis": ["Feint"]})
    entrain(s, "9th Army")
    entrain(s, "4th Army")
    assert pay(s) == 1
    assert refused(s, "entrain 6th Army", because="9.1.1")


@rule("9.1.2")
def test_the_box_holds_three(noretreat: Any) -> None:
    s = moving(noretreat, THREE, boxes={"Rail": ["11th Army", "16th Army", "18th Army"]}, hands={"axis": ["Feint"]})
    assert refused(s, "entrain 9th Army", because="9.1.2")


@rule("9.1.3", "13.5.1-2")
def test_limited_rail_on_turns_1_and_2(noretreat: Any) -> None:
    for turn in (1, 2):
        s = moving(noretreat, THREE, turn=turn, hands={"axis": ["Feint"]})
        assert refused(s, "entrain 9th Army", because="9.1.3")
        red = moving(noretreat, {"Don": "2210", "Kalinin": "2310"}, "soviet", turn=turn, hands={"soviet": ["Feint"]})
        entrain(red, "Don")
        assert refused(red, "entrain Kalinin", because="9.1.3")
    third = moving(noretreat, THREE, turn=3, weather="Mud")
    entrain(third, "9th Army")


@rule("9.2.a")
def test_detraining_is_optional(noretreat: Any) -> None:
    s = noretreat.position(turn=7, phase="axis.detraining", units={}, boxes={"Rail": ["9th Army", "4th Army"]})
    do(s, "detrain 9th Army", "detrain 9th Army 0810", "done")
    assert at(s, "4th Army") == "Axis Rail"


@rule("9.2.b")
def test_into_a_city(noretreat: Any) -> None:
    s = detraining(noretreat, "soviet", {"9th Army": "1808"})
    assert offers(s, "detrain Don 1907")  # Moscow, in a German zone
    taken = detraining(noretreat, "soviet", captured=["Moscow"])
    assert refused(taken, "detrain Don 1907", because="9.2.b")
    cut = detraining(noretreat, "soviet", {"9th Army": "1414", "4th Army": "1515"}, control={"Minsk": "axis"})
    assert refused(cut, "detrain Don 1210", because="9.2.c")


@rule("9.2.c")
def test_into_the_field(noretreat: Any) -> None:
    s = detraining(noretreat, "axis", {"Don": "0911"})
    places = set(starting(s, "detrain 9th Army"))
    assert "0510" in places
    assert "0910" not in places  # in a Soviet zone
    assert "1209" not in places  # next to Soviet Minsk
    for label in ("0910", "1209", "1210", "1414"):
        assert refused(s, f"detrain 9th Army {label}", because="9.2.c")
    near = detraining(noretreat, "axis", control={"Lublin": "axis"})
    assert offers(near, "detrain 9th Army 1113")  # three hexes from Lublin
    assert not offers(near, "detrain 9th Army 1314")


@rule("9.2.c")
def test_without_a_city_units_detrain_near_the_edge_or_not_at_all(noretreat: Any) -> None:
    lost = dict.fromkeys((place.name for place in noretreat.board.places), "soviet")
    s = detraining(noretreat, "axis", control=lost)
    assert offers(s, "detrain 9th Army 0112")
    names, places = ("Don", "West", "South", "Moscow", "Kalinin"), ("0109", "0111", "0113", "0115", "0117")
    shut, boxes = dict(zip(names, places, strict=True)), {"Rail": ["9th Army"]}
    none = noretreat.position(turn=7, phase="axis.detraining", units=shut, control=lost, boxes=boxes)
    assert (none.side, at(none, "9th Army")) == ("soviet", "Axis Rail")  # nothing was to be decided


@rule("9.2.b", "6.1.c")
def test_a_city_on_the_edge_needs_no_path(noretreat: Any) -> None:
    s = detraining(noretreat, "soviet", {"9th Army": "2618", "4th Army": "2717"})
    assert offers(s, "detrain Don 2718")  # Astrakhan, in two German zones


@rule("9.2.d")
def test_only_in_the_owners_detraining_phase(noretreat: Any) -> None:
    s = noretreat.position(turn=7, phase="axis.detraining", units={}, boxes={"Rail": ["9th Army", "Don"]})
    assert asked(s) == "rail.Detrain"
    assert refused(s, "detrain Don", because="9.2.d")
    assert starting(s, "detrain") == ["9th Army"]


@rule("14.12.1")
def test_the_strategic_reserve(noretreat: Any) -> None:
    units = {"Don": "2210", "Kalinin": "2310", "South": {"at": "0510"}}
    early = moving(noretreat, units, "soviet", turn=3)
    do(early, "done")
    assert asked(early) != "rail.SetReserve"
    s = moving(noretreat, units, "soviet", turn=4)
    do(s, "move Don", "move Don 2211", "done")
    assert asked(s) == "rail.SetReserve"
    assert refused(s, "put South into the Strategic Reserve", because="14.12.1")
    do(s, "put Don into the Strategic Reserve")  # it may have moved
    assert at(s, "Don") == "Soviet Rail"
    full = moving(noretreat, units, "soviet", boxes={"Rail": ["Bryansk", "Central", "West"]})
    do(full, "done")
    assert refused(full, "put Don into the Strategic Reserve", because="9.1.2")
    do(full, "put West into the Strategic Reserve")


@rule("14.12.2")
def test_the_reserve_comes_back_in_either_detraining_phase(noretreat: Any) -> None:
    s = noretreat.position(turn=7, phase="axis.detraining", units={}, boxes={"Rail": ["Don", "Kalinin"]}, reserve="Don")
    assert (s.side, starting(s, "detrain")) == ("soviet", ["Don"])
    do(s, "detrain Don", "detrain Don 1907")
    assert at(s, "Don") == "1907"
    assert at(s, "Kalinin") == "Soviet Rail"
    assert s.reserve == -1
    own = noretreat.position(turn=7, phase="soviet.detraining", units={}, boxes={"Rail": ["Don"]}, reserve="Don")
    assert offers(own, "detrain Don")


@rule("9.2.b")
def test_a_city_may_trace_like_a_unit_in_it(noretreat: Any) -> None:
    """Every westward hex of Kalinin is shut, but a unit there could trace four hexes to Tula."""
    held = {"Kalinin": "axis", "Tula": "axis", "Smolensk": "axis", "Minsk": "axis"}
    s = noretreat.position(turn=7, phase="axis.detraining", units={"West": "1606"}, boxes={"Rail": ["9th Army"]},
                           control=held)  # fmt: skip
    do(s, "detrain 9th Army")
    assert offers(s, "detrain 9th Army 1706")
    shut = noretreat.position(turn=7, phase="axis.detraining", units={"West": "1606"}, boxes={"Rail": ["9th Army"]},
                              control={**held, "Tula": "soviet"})  # fmt: skip
    do(shut, "detrain 9th Army")
    assert refused(shut, "detrain 9th Army 1706", because="9.2.b")


@rule("12.7.1", "9.2.c")
def test_a_unit_that_detrains_in_an_oil_field_takes_it(noretreat: Any) -> None:
    s = noretreat.position(turn=20, phase="axis.detraining", units={}, boxes={"Rail": ["9th Army"]},
                           control={"Rumanian Oil Fields": "soviet"})  # fmt: skip
    do(s, "detrain 9th Army", "detrain 9th Army 1121")
    assert s.view("axis")["control"]["1121"] == "axis"


@rule("9.2.b", "6.1.c")
def test_an_empty_city_in_an_enemy_zone_still_traces_its_own_path(noretreat: Any) -> None:
    """Smolensk, far from every other source, with a Soviet front to the east of it."""
    s = noretreat.position(turn=7, phase="axis.detraining", units={"West": "1609"}, boxes={"Rail": ["9th Army"]},
                           control={"Smolensk": "axis"})  # fmt: skip
    do(s, "detrain 9th Army")
    assert offers(s, "detrain 9th Army 1509")


@rule("9.2.c")
def test_not_next_to_an_enemy_city(noretreat: Any) -> None:
    """1007, three hexes from Konigsberg, is next to Riga."""
    for owner, open_hex in (("soviet", False), ("axis", True)):
        s = noretreat.position(turn=7, phase="axis.detraining", units={"Don": "2210"}, boxes={"Rail": ["9th Army"]},
                               control={"Riga": owner})  # fmt: skip
        do(s, "detrain 9th Army")
        assert offers(s, "detrain 9th Army 1007") is open_hex
        assert refused(s, "detrain 9th Army 1007", because="9.2.c") is not open_hex


@rule("9.1.a", "8.6.b")
def test_a_unit_entrains_in_an_area_too(noretreat: Any) -> None:
    """Any supplied unit is simply picked up; no rule asks for a hex."""
    s = moving(noretreat, {"6th Army": "Finland", "Don": "2510"})
    entrain(s, "6th Army")
    assert at(s, "6th Army") == "Axis Rail"


@rule("9.2.a")
def test_a_unit_chosen_for_detraining_may_stay(noretreat: Any) -> None:
    s = detraining(noretreat, "axis")
    do(s, "back")
    assert offers(s, "detrain 9th Army")
    do(s, "detrain 9th Army", "detrain 9th Army 0811")
    assert at(s, "9th Army") == "0811"
    assert refused(s, "detrain 9th Army", because="9.2.d") or s.phase != "axis.detraining"
