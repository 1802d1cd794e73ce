"""Chapter 6: supply."""

from __future__ import annotations

import random
from typing import Any

from counterblow.games.noretreat import supply
from tests.helpers import asked, at, do, refused, rule
from tests.rules.noretreat.play import (
    combat,
    fight,
    marked,
    moving,
    offers,
    organizing,
    outlook,
    plan,
    reach,
    shifts,
    skip_to,
    starting,
)


def unsupplied(game: Any, units: dict[str, Any], side: str = "axis", **more: Any) -> list[str]:
    """Who gets an Unsupplied marker in a Supply Check Phase."""
    s = game.position(turn=more.pop("turn", 7), phase=f"{side}.supply", units=units, **more)
    return [name for name in units if marked(s, name, "unsupplied")]


@rule("6.0")
def test_the_phasing_side_is_checked_first(noretreat: Any) -> None:
    """A pocketed unit whose zone would block the enemy's path: marked first, it blocks nothing any more."""
    units = {"9th Army": "2310", "Don": "2210", "16th Army": "2209", "18th Army": "2109", "4th Army": "2110",
             "6th Army": "2111", "11th Army": "2211", "17th Army": "2311"}  # fmt: skip
    axis_first = unsupplied(noretreat, units, "axis")
    soviet_first = unsupplied(noretreat, units, "soviet")
    assert "Don" not in axis_first  # the ring was marked first and lost its zones
    assert "Don" in soviet_first


@rule("6.1.a", "6.1.f")
def test_four_hexes_to_a_source(noretreat: Any) -> None:
    assert unsupplied(noretreat, {"16th Army": "0511"}) == []  # four hexes from the west edge
    far = dict.fromkeys(("Berlin", "Stettin", "Breslau", "Prague", "Danzig", "Konigsberg", "Warsaw"), "soviet")
    far |= dict.fromkeys(("Lublin", "Vienna", "Budapest", "Bucharest"), "soviet")
    assert unsupplied(noretreat, {"16th Army": "0511"}, control=far) == []
    assert unsupplied(noretreat, {"16th Army": "0611"}, control=far) == ["16th Army"]


@rule("6.1.b", "6.1.c")
def test_friendly_supplied_cities_are_sources(noretreat: Any) -> None:
    assert unsupplied(noretreat, {"9th Army": "1310"}) == ["9th Army"]
    assert unsupplied(noretreat, {"9th Army": "1310"}, control={"Minsk": "axis"}) == []


@rule("6.1.b")
def test_passing_through_a_city_makes_it_friendly(noretreat: Any) -> None:
    s = moving(noretreat, {"2nd Panzer": "1110"})
    do(s, "move 2nd Panzer", "move 2nd Panzer 1210")
    assert asked(s) == "movement.MoveUnit"
    do(s, "move 2nd Panzer 1311")
    assert noretreat.views.overlay(s, "control", 0, None, None)["hexes"]["1210"] == "axis"


@rule("6.1.d")
def test_each_side_has_its_own_edge(noretreat: Any) -> None:
    assert unsupplied(noretreat, {"Don": "2510"}, "soviet") == []
    assert unsupplied(noretreat, {"9th Army": "2510"}) == ["9th Army"]
    assert unsupplied(noretreat, {"Don": "0110"}, "soviet") == ["Don"]


@rule("6.1.e")
def test_city_paths_run_home_only(noretreat: Any) -> None:
    """Kiev's paths to the west are shut by zones; a detour to the east does not help a city."""
    wall = {"Don": "1313", "Kalinin": "1315", "Central": "1412"}
    units = {"9th Army": "1514", **wall}
    assert unsupplied(noretreat, units, control={"Kiev": "axis"}) == ["9th Army"]
    assert unsupplied(noretreat, {"9th Army": "1514"}, control={"Kiev": "axis"}) == []


@rule("6.1.g")
def test_a_units_own_path_may_go_any_way(noretreat: Any) -> None:
    """East of Minsk lies the unit's city, west of it another one cut off: the path runs east."""
    s = unsupplied(noretreat, {"9th Army": "1108"}, control={"Minsk": "axis"})
    assert s == []


@rule("6.2.a", "6.2.h")
def test_an_alternate_source_is_supply_but_not_overland(noretreat: Any) -> None:
    coast = {"11th Army": {"at": "1721", "face": "reduced"}}
    assert unsupplied(noretreat, {"11th Army": "1721"}) == []
    s = organizing(noretreat, coast, hands={"axis": ["Feint", "Reserves"]})
    assert refused(s, "improve 11th Army", because="7.0.A")


@rule("6.2.b")
def test_the_sea_supplies_coastal_hexes_only(noretreat: Any) -> None:
    assert unsupplied(noretreat, {"11th Army": "1721"}) == []
    assert unsupplied(noretreat, {"11th Army": "2221"}) == ["11th Army"]  # one hex inland of the Black Sea coast


@rule("6.2.c")
def test_the_caspian_is_soviet(noretreat: Any) -> None:
    held = {"Astrakhan": "axis", "Stalingrad": "axis"}
    wall = {"9th Army": "2619", "4th Army": "2520", "6th Army": "2521", "17th Army": "2621"}
    s = unsupplied(noretreat, {"Don": "2620", **wall}, "soviet", control=held)
    assert "Don" not in s
    assert unsupplied(noretreat, {"9th Army": "2620"}) == ["9th Army"]


@rule("6.2.d")
def test_the_baltic_needs_leningrad_for_the_soviets(noretreat: Any) -> None:
    assert unsupplied(noretreat, {"18th Army": "1103"}) == []
    assert unsupplied(noretreat, {"Northwest": "0907"}, "soviet", control={"Riga": "axis"}) == []
    lost = {"Riga": "axis", "Leningrad": "axis"}
    assert unsupplied(noretreat, {"Northwest": "0907"}, "soviet", control=lost) == ["Northwest"]
    cut = {"Northwest": "0907", "18th Army": "1502", "16th Army": "1403"}
    assert "Northwest" in unsupplied(noretreat, cut, "soviet", control={"Riga": "axis"})


@rule("6.2.e")
def test_black_sea_for_both_and_azov_for_nobody(noretreat: Any) -> None:
    assert unsupplied(noretreat, {"11th Army": "1721"}) == []
    cut = {"Krasnodar": "axis", "Rostov": "axis", "Stalino": "axis", "Sevastopol": "axis"}
    assert unsupplied(noretreat, {"Crimean": "1721"}, "soviet", control=cut) == []
    assert unsupplied(noretreat, {"11th Army": "1818"}) == ["11th Army"]


@rule("6.2.f")
def test_adjacent_units_do_not_chain(noretreat: Any) -> None:
    """Vectors of 6.1: the 16th traces to Riga, the 18th lives from the 16th, the 4th Panzer from nobody."""
    riga = {"Riga": "axis"}
    units = {"16th Army": "1406", "18th Army": {"at": "1506", "face": "reduced"}, "4th Panzer": "1606"}
    assert unsupplied(noretreat, units, control=riga) == ["4th Panzer"]


@rule("6.3.c", "6.1.a")
def test_the_path_of_the_16th_army_crosses_lake_peipus(noretreat: Any) -> None:
    """1203 to Riga in four hexes: over the prohibited hexside of Peipus, with the land road shut by a zone."""
    riga = {"Riga": "axis"}
    assert unsupplied(noretreat, {"16th Army": "1304"}, control=riga) == []
    wall = {"Don": "1206"}
    assert unsupplied(noretreat, {"16th Army": "1204", **wall}, control=riga) == []


@rule("6.2.g", "14.1.b")
def test_minor_countries_feed_their_own(noretreat: Any) -> None:
    assert unsupplied(noretreat, {"Finnish": "Finland"}) == []
    assert unsupplied(noretreat, {"Yugoslav 1": {"at": "Western Balkans", "face": "fort"}}, "soviet", turn=20) == []
    lost = {"Odessa": "axis"}
    assert unsupplied(noretreat, {"South": "Southern Balkans"}, "soviet", turn=20, control=lost) == ["South"]
    yugoslav = {"Yugoslav 1": {"at": "Southern Balkans", "face": "fort"}}
    assert unsupplied(noretreat, yugoslav, "soviet", turn=20, control=lost) == []


@rule("6.3.a", "8.6.c")
def test_hard_blocks(noretreat: Any) -> None:
    edge = {"16th Army": "0211"}
    assert unsupplied(noretreat, edge) == []
    lost = dict.fromkeys(("Berlin", "Stettin", "Breslau", "Prague", "Danzig", "Konigsberg", "Warsaw"), "soviet")
    lost |= dict.fromkeys(("Lublin", "Vienna", "Budapest", "Bucharest"), "soviet")
    # an enemy unit in every hex of the way: forts have no zone, so only their own hexes are shut
    forts = {"Leningrad": {"at": "0111", "face": "fort"}, "Moscow": {"at": "0110", "face": "fort"},
             "Sevastopol": {"at": "0112", "face": "fort"}}  # fmt: skip
    assert unsupplied(noretreat, {"16th Army": "0211", **forts}, control=lost) == []
    ring = {**forts, "Yugoslav 1": {"at": "0212", "face": "fort"}, "Yugoslav 2": {"at": "0311", "face": "fort"}}
    assert "16th Army" in unsupplied(noretreat, {"16th Army": "0211", **ring}, control=lost)
    # Finland leads nowhere: a Soviet unit behind it has no path through the area
    assert noretreat.views.overlay(moving(noretreat, edge), "supply", 0, None, None)["hexes"].get("Finland") is None


@rule("6.3.b", "8.5.4")
def test_a_zone_blocks_unless_a_friend_stands_there(noretreat: Any) -> None:
    lone = {"Kalinin": "1503", "18th Army": "1404"}
    s = moving(noretreat, lone)
    assert s.game.charts.is_land(noretreat.node("1503"))
    blocked = {"9th Army": "1310", "Don": "1211"}
    assert unsupplied(noretreat, {**blocked}, control={"Minsk": "axis"}) == ["9th Army"]
    held = {**blocked, "4th Army": "1210", "6th Army": "1110", "17th Army": "1209", "11th Army": "1109"}
    assert "9th Army" not in unsupplied(noretreat, held, control={"Minsk": "axis"})


@rule("6.3.c", "6.3.e")
def test_leningrad_traces_over_lake_ladoga(noretreat: Any) -> None:
    """The lake hex is never in a zone; the second hex holds the Kalinin Front, which cancels the zone there."""
    units = {"Leningrad": {"at": "1402", "face": "fort"}, "Kalinin": "1601", "16th Army": "1502"}
    s = noretreat.position(turn=7, phase="soviet.movement", units=units, weather="Clear")
    hexes = noretreat.views.overlay(s, "supply", 1, None, None)["hexes"]
    assert "1501" in hexes
    assert "Leningrad" not in unsupplied(noretreat, units, "soviet")
    without = {name: where for name, where in units.items() if name != "Kalinin"}
    s = noretreat.position(turn=7, phase="soviet.movement", units=without, weather="Clear")
    assert "1501" not in noretreat.views.overlay(s, "supply", 1, None, None)["hexes"]


@rule("6.3.d")
def test_enemies_without_zones_block_only_their_own_hex(noretreat: Any) -> None:
    fort = {"9th Army": "1310", "Moscow": {"at": "1211", "face": "fort"}}
    assert unsupplied(noretreat, fort, control={"Minsk": "axis"}) == []
    hungry = {"9th Army": "1310", "Don": {"at": "1211", "unsupplied": True}}
    s = noretreat.position(turn=7, phase="axis.movement", units=hungry, control={"Minsk": "axis"})
    assert noretreat.views.overlay(s, "supply", 0, None, None)["hexes"].get("1310") is not None


@rule("6.4")
def test_unsupplied_units_are_marked(noretreat: Any) -> None:
    assert unsupplied(noretreat, {"9th Army": "1914"}) == ["9th Army"]


@rule("6.5.1")
def test_unsupplied_units_do_not_flip_but_forts_may(noretreat: Any) -> None:
    hungry = {"9th Army": {"at": "0810", "face": "reduced", "unsupplied": True}}
    s = organizing(noretreat, hungry, hands={"axis": ["Feint", "Reserves"]})
    assert refused(s, "improve 9th Army", because="6.5.1")
    city = {"Moscow": {"at": "1907", "unsupplied": True}}
    s = organizing(noretreat, city, "soviet", hands={"soviet": ["Feint"]})
    assert offers(s, "fortify Moscow")


@rule("6.5.2.a")
def test_unsupplied_units_have_three_mps(noretreat: Any) -> None:
    s = moving(noretreat, {"2nd Panzer": {"at": "2210", "unsupplied": True}})
    distances = {s.game.board.distance(noretreat.node("2210"), noretreat.node(h)) for h in reach(s, "2nd Panzer")}
    assert max(distances) == 3
    assert refused(s, "move 2nd Panzer 2214", because="6.5.2.a")


@rule("6.5.2.b")
def test_unsupplied_units_do_not_entrain(noretreat: Any) -> None:
    s = moving(noretreat, {"9th Army": {"at": "0810", "unsupplied": True}})
    assert refused(s, "entrain 9th Army", because="6.5.2.b")


@rule("6.5.3")
def test_unsupplied_units_have_no_zone(noretreat: Any) -> None:
    for hungry in (False, True):
        s = moving(noretreat, {"Luftwaffe": "2110", "Don": {"at": "2310", "unsupplied": hungry}})
        assert ("2411" in reach(s, "Luftwaffe")) is hungry


@rule("6.5.4.a")
def test_unsupplied_armor_has_no_bonus(noretreat: Any) -> None:
    for hungry in (False, True):
        s = combat(noretreat, {"2nd Panzer": {"at": "2210", "unsupplied": hungry}, "Don": "2211"})
        assert ("10.6.3.a" in shifts(outlook(s, "2211", "2nd Panzer"))) is not hungry


@rule("6.5.4.b", "10.8.1.b")
def test_unsupplied_units_advance_one_hex(noretreat: Any) -> None:
    for hungry in (False, True):
        units = {"2nd Panzer": {"at": "2210", "unsupplied": hungry}, "1st Panzer": "2110", "South": "2211"}
        s = combat(noretreat, units, dice=(3,))
        fight(s, "2211", "2nd Panzer", "1st Panzer")
        skip_to(s, "advance.Advance")
        do(s, "advance 2nd Panzer 2211")
        assert (asked(s) == "advance.AdvanceOn") is not hungry


@rule("6.5.4.c")
def test_unsupplied_defenders_give_two_shifts_once(noretreat: Any) -> None:
    units = {
        "9th Army": "2210",
        "Don": {"at": "2211", "unsupplied": True},
        "2nd Tank": {"at": "2211", "unsupplied": True},
    }
    s = combat(noretreat, units, turn=13)
    assert shifts(outlook(s, "2211", "9th Army"))["6.5.4.c"] == 2


@rule("6.5.4.d", "10.7.1.c")
def test_where_eliminated_units_go(noretreat: Any) -> None:
    force = {"2nd Panzer": "2210", "1st Panzer": "2110", "9th Army": "2210"}
    for hungry, box in ((False, "Soviet Destroyed"), (True, "Soviet Surrendered")):
        s = combat(noretreat, {**force, "Don": {"at": "2211", "unsupplied": hungry}}, dice=(6,))
        fight(s, "2211", "2nd Panzer", "1st Panzer", "9th Army")
        assert at(s, "Don") == box
        assert s.event_vp == (1 if hungry else 0)
    allies = {"Don": "2210", "2nd Tank": "2110", "Kalinin": "2111", "3rd Rumanian": {"at": "2211", "unsupplied": True}}
    s = combat(noretreat, allies, "soviet", dice=(6,))
    fight(s, "2211", "Don", "2nd Tank", "Kalinin")
    assert at(s, "3rd Rumanian") is None
    assert s.event_vp == 0


@rule("6.5.5")
def test_events_for_supplied_forces(noretreat: Any) -> None:
    units = {"2nd Panzer": {"at": "2210", "unsupplied": True}, "9th Army": "2210", "Don": "2211"}
    s = combat(noretreat, units, hands={"axis": ["Erich von Manstein"]})
    plan(s, "2211", "2nd Panzer", "9th Army")
    do(s, "fight")
    assert starting(s, "play Erich von Manstein on") == ["9th Army"]


@rule("6.1.a", "8.7.b")
def test_from_an_area_the_first_hex_counts_as_one(noretreat: Any) -> None:
    """Four hexes from the Southern Balkans to Odessa by 1222; with an enemy there it is five, by 1122."""
    units: dict[str, Any] = {"Don": "Southern Balkans", "9th Army": "0810"}
    assert unsupplied(noretreat, units, "soviet", turn=20, triggers={"Oil": 18}) == []
    units["4th Rumanian"] = {"at": "1222", "unsupplied": True}  # without a zone
    assert "Don" in unsupplied(noretreat, units, "soviet", turn=20, triggers={"Oil": 18})


def test_nets_that_were_kept_are_those_found_anew(noretreat: Any) -> None:
    """Nets and armies are kept until something changes them; nothing that does may be forgotten."""
    for scenario in ("B", "E", "F"):
        chooser = random.Random(3)
        s = noretreat.start(scenario, seed=3)
        while not s.over:
            fresh = s.copy()
            fresh.derive()
            for side in (0, 1):
                assert supply.supply_net(s, side) == supply.supply_net(fresh, side)
                assert s.army(side) == fresh.army(side)
            fighting = [a for a in s.legal() if a.kind in ("target", "attack", "with", "fight", "advance")]
            s.do(chooser.choice(fighting or s.legal()))
