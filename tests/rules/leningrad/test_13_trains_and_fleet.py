"""Chapter 13: armored trains and the Red Banner Baltic Fleet."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tests.helpers import asked, at, cited, do, legal, log, refused, rule
from tests.rules.leningrad.play import Game, State, assault, disrupted, facts, fight, has, march, rolled, until

FLEET = "Red Banner Baltic Fleet"


def russian(leningrad: Game, units: dict[str, Any], *dice: int, **more: Any) -> State:
    s: State = leningrad.position(
        phase="russian.movement", units={"48. Army": "0904", "I. Korps": "0418", **units}, dice=dice, **more
    )
    return s


# ---------------------------------------------------------------- trains


@rule("13.1")
def test_a_train_runs_any_distance_along_railways(leningrad: Game) -> None:
    s = russian(leningrad, {"Armored Train 1": "0904"})
    s.do("run Armored Train 1")
    assert {"to 2017", "to 0819", "to 0604"} <= set(legal(s))
    assert s.refuses("to 1803", because="13.1")
    s.do("to 2017")
    assert s.place("Armored Train 1") == "2017"
    assert s.refuses("run Armored Train 1", because="1.10")


@rule("13.2")
def test_not_into_bare_zones_nor_places_the_germans_held_last(leningrad: Game) -> None:
    units: dict[str, Any] = {"Armored Train 1": "0904", "X. Korps": "0711"}  # its zone covers Luga and 0710
    s = russian(leningrad, units)
    s.do("run Armored Train 1")
    assert s.refuses("to 0811", because="13.2")
    s = russian(leningrad, {**units, "22. Corps": "0811"})
    s.do("run Armored Train 1")
    assert "to 0811" in legal(s)
    s = russian(leningrad, {"Armored Train 1": "0904"}, control={"Luga": "german"})
    s.do("run Armored Train 1")
    assert s.refuses("to 0811", because="13.2")


@rule("13.3")
def test_only_air_attack_disrupts_a_train(leningrad: Game) -> None:
    """Not a D result on its stack, nor lack of supply."""
    s = leningrad.position(
        phase="german.allocation",
        units={"16. Armee": "1018", "11. Army": "1017", "Armored Train 1": "1017"},
        dice=(3,),
    )
    assert rolled(fight(s, "1017", "16. Armee"))[1] == "D"
    assert disrupted(s, "11. Army")
    assert not disrupted(s, "Armored Train 1")
    cut_off = {"16. Armee": "1216", "X. Korps": "1016", "Armored Train 1": "1116", "11. Army": "1806"}
    s = leningrad.position(phase="russian.supply", units=cut_off)
    assert not disrupted(s, "Armored Train 1")
    s = leningrad.position(
        phase="german.movement",
        units={"I. Korps": "0418", "11. Army": "1018", "Armored Train 1": "1017"},
        air=["I. Fliegerkorps"],
        dice=(1,),
    )
    s.do("bomb with I. Fliegerkorps")
    s.do("bomb 1017")
    assert disrupted(s, "Armored Train 1")


@rule("13.4")
def test_de_does_not_destroy_a_train(leningrad: Game) -> None:
    s = leningrad.position(
        phase="german.allocation",
        units={
            "16. Armee": "1018",
            "I. Korps": "1018",
            "22. Corps": "1017",
            "Armored Train 1": "1017",
            "48. Army": "0904",
        },
        dice=(1,),
    )
    assert rolled(fight(s, "1017", "16. Armee", "I. Korps"))[1] == "DE"
    assert not has(s, "lost", "Armored Train 1")
    assert (asked(s), s.side) == ("rail.Refuge", "russian")
    s.do(s.legal()[0])
    assert s.place("Armored Train 1") != "1017"


@rule("13.4", "3.14")
@pytest.mark.parametrize(
    ("attackers", "die", "result", "leaves"),
    [(("16. Armee",), 6, "D1", False), (("16. Armee", "I. Korps"), 5, "D2", True)],
)
def test_under_no_retreat_a_train_leaves_only_with_a_stack_that_dies(
    leningrad: Game, attackers: tuple[str, ...], die: int, result: str, leaves: bool
) -> None:
    """Ruling D77: D2 is DE for who may not retreat, and the train is driven off; D1 is D, and it stays."""
    units = {"22. Corps": "1017", "Armored Train 1": "1017", "48. Army": "0904", **dict.fromkeys(attackers, "1018")}
    s = leningrad.position(phase="german.allocation", units=units, dice=(die,))
    assert rolled(fight(s, "1017", *attackers, order="order no retreat"))[1] == result
    assert has(s, "lost", "22. Corps") == leaves
    assert (asked(s) == "rail.Refuge") == leaves


@rule("13.5")
def test_a_train_with_no_way_out_is_lost(leningrad: Game) -> None:
    """At 0604 the line ends; Germans in 0704 close it."""
    s = leningrad.position(
        phase="german.allocation",
        units={
            "16. Armee": "0605",
            "I. Korps": "0704",
            "22. Corps": "0604",
            "Armored Train 1": "0604",
            "48. Army": "0904",
        },
        dice=(1,),
    )
    assert rolled(fight(s, "0604", "16. Armee", "I. Korps"))[1] == "DE"
    assert has(s, "lost", "Armored Train 1")


@rule("13.5")
def test_a_lone_train_runs_when_germans_come(leningrad: Game) -> None:
    """Ruling D43: from armour, which has no zone, to the nearest free rail hex, the owner choosing among equals."""
    units = {"6. Panzer Division": "1116", "Armored Train 1": "1216", "11. Army": "1806"}
    s = leningrad.position(phase="german.movement", units=units)
    march(s, "6. Panzer Division", "1216")
    assert at(s, "6. Panzer Division") == "1216"
    assert (asked(s), s.side) == ("rail.Refuge", "russian")
    assert s.refuses("back", because="13.5")
    assert legal(s) == ["to 1116", "to 1316"]
    s.do("to 1316")
    assert not has(s, "lost", "Armored Train 1")
    assert s.side == "german"


@rule("13.2", "13.5", "4.2")
def test_a_train_does_not_escape_through_bare_zones(leningrad: Game) -> None:
    """Ruling D78: the zone of the infantry that enters lies on both hexes by which the line leaves 1216."""
    units = {"I. Korps": "1116", "Armored Train 1": "1216", "11. Army": "1806"}
    s = leningrad.position(phase="german.movement", units=units)
    march(s, "I. Korps", "1216")
    assert has(s, "lost", "Armored Train 1")
    s = leningrad.position(phase="german.movement", units={**units, "22. Corps": "1316"})
    march(s, "I. Korps", "1216")
    assert at(s, "Armored Train 1") == "1316"  # a zone hex that holds a friend is no bar


@rule("13.5", "3.2")
def test_an_ordered_retreat_takes_the_train_along_by_rail(leningrad: Game) -> None:
    s = leningrad.position(
        phase="german.allocation",
        units={"16. Armee": "1018", "LVI. Panzer Korps": "1018", "22. Corps": "1017", "Armored Train 1": "1017",
               "48. Army": "0904"},
        dice=(6,),
    )  # fmt: skip
    assert rolled(fight(s, "1017", "16. Armee", "LVI. Panzer Korps"))[1] == "D2"
    s.do("order retreat 2")
    while asked(s) == "retreat.StepBack":
        s.do(s.legal()[0])
    assert (asked(s), s.side) == ("rail.Refuge", "russian")
    assert s.refuses("to 2017", because="13.5")
    assert legal(s) == ["to 0817", "to 1116"]  # two hexes by rail, either way


# ---------------------------------------------------------------- the fleet


@rule("13.6")
def test_the_fleet_sails_to_any_coastal_hex(leningrad: Game) -> None:
    s = russian(leningrad, {FLEET: "0803"})
    s.do("sail")
    coast = ["0107", "0207", "0305", "0306", "0307", "0405", "0505", "0604", "0605", "0704", "0804", "0903", "0904"]
    assert legal(s) == [f"to {node}" for node in coast]
    assert s.refuses("to 0905", because="13.6")
    s.do("to 0307")
    assert s.place(FLEET) == "0307"
    assert s.refuses("sail", because="1.10")  # once


@rule("13.7", "13.9")
def test_it_bombards_germans_where_it_has_sailed(leningrad: Game) -> None:
    s = russian(leningrad, {FLEET: "0803", "X. Korps": "0604", "6. Panzer Division": "0604"}, 2, 3)
    assert s.refuses("bombard", because="13.7")
    s.do("sail")
    s.do("to 0604")
    s.do("bombard")
    assert disrupted(s, "X. Korps")
    assert not disrupted(s, "6. Panzer Division")
    assert s.refuses("bombard", because="13.7")  # once


@rule("13.9")
@pytest.mark.parametrize(
    ("die", "index", "hit"), [(1, "A", True), (2, "A", True), (3, "A", False), (5, "B", True), (4, "B", False)]
)
def test_each_german_is_disrupted_on_two_in_six_armour_too(leningrad: Game, die: int, index: str, hit: bool) -> None:
    s = russian(leningrad, {FLEET: "0604", "LVI. Panzer Korps": "0604"}, die, options={"die_index": index})
    forecast = s.forecast("bombard")
    assert forecast is not None
    assert forecast.chance("1 Disrupted") == Fraction(2, 6)
    events = s.do("bombard")
    assert disrupted(s, "LVI. Panzer Korps") == hit
    result = "Disrupted" if hit else "no effect"
    assert f"The fleet fires at LVI. Panzer Korps: {result} (13.9)" in log(events)


def oranienbaum(leningrad: Game, *dice: int, fleet: Any = "0704") -> State:
    """8. Army and the fleet at Oranienbaum; three Germans attack from 0705, one from 0605."""
    s: State = leningrad.position(
        phase="german.allocation",
        units={"16. Armee": "0705", "I. Korps": "0705", "6. Panzer Division": "0705", "X. Korps": "0604",
               "8. Army": "0704", FLEET: fleet, "48. Army": "0904"},
        dice=dice,
    )  # fmt: skip
    return s


@rule("13.8", "13.9", "13.10")
def test_v51_defensive_fire_drops_attackers_out(leningrad: Game) -> None:
    s = oranienbaum(leningrad, 2, 3, 1)
    assault(s, "0704", "16. Armee", "I. Korps", "6. Panzer Division")
    s.do("end attacks")
    s.do("allow retreats")
    s.do("fight 0704")
    assert (asked(s), s.side) == ("fleet.Shield", "russian")
    s.do("fire at 0705")
    assert disrupted(s, "16. Armee")
    assert not disrupted(s, "I. Korps")
    assert disrupted(s, "6. Panzer Division")
    assert asked(s) == "fleet.PressOn"
    assert facts(s, "press on")["attack"] == "3"  # the second alone
    s.do("press on")
    assert has(s, "attacked", "I. Korps")
    assert not has(s, "attacked", "16. Armee")


@rule("1.5", "3.20")
def test_the_fleet_recovers_though_its_hex_is_attacked(leningrad: Game) -> None:
    """It is no part of the battle (ruling D58); the corps beside it is, and does not recover."""
    shaken = {"at": "0704", "disrupted": True}
    units = {"16. Armee": "0705", "22. Corps": shaken, FLEET: shaken, "48. Army": "0904"}
    s = leningrad.position(phase="german.allocation", units=units)
    assault(s, "0704", "16. Armee")
    do(s, "end attacks", "allow retreats")
    assert not disrupted(s, FLEET)
    assert disrupted(s, "22. Corps")


@rule("13.8")
def test_one_hex_of_attackers_is_fired_at_and_the_german_may_cancel(leningrad: Game) -> None:
    s = oranienbaum(leningrad, 6, 6, 6)
    assault(s, "0704", "16. Armee", "X. Korps")
    s.do("end attacks")
    s.do("allow retreats")
    s.do("fight 0704")
    assert set(legal(s)) == {"fire at 0705", "fire at 0604", "hold fire"}
    forecast = s.forecast("fire at 0705")
    assert forecast is not None
    assert (forecast.title, forecast.chance("1 Disrupted")) == ("The fleet fires at 0705", Fraction(4, 9))
    s.do("fire at 0705")
    s.do("cancel 0704")
    assert not has(s, "attacked", "16. Armee")


@rule("2.24", "13.9", "13.10")
def test_a_unit_that_was_to_attack_elsewhere_drops_out_too(leningrad: Game) -> None:
    """16. Armee and I. Korps stand together in 0705; the fleet's fire at that hex Disrupts the army alone."""
    units = {"16. Armee": "0705", "I. Korps": "0705", "8. Army": "0704", FLEET: "0704",
             "42. Army": {"at": "0805", "disrupted": True}, "48. Army": "0904"}  # fmt: skip
    s: State = leningrad.position(turn=8, phase="german.allocation", units=units, dice=(1, 6))
    assault(s, "0704", "I. Korps")
    assault(s, "0805", "16. Armee")
    s.do("end attacks")
    s.do("allow retreats")
    s.do("fight 0704")
    events = s.do("fire at 0705")
    assert disrupted(s, "16. Armee")
    assert "2.24" in cited(events)
    assert not disrupted(s, "42. Army")  # nobody attacks it any more
    s.do("cancel 0704")
    assert "fight 0805" not in legal(s)

    s = leningrad.position(turn=8, phase="german.allocation", units={**units, "X. Korps": "0706"}, dice=(1, 6))
    assault(s, "0704", "I. Korps")
    assault(s, "0805", "16. Armee", "X. Korps")
    s.do("end attacks")
    s.do("allow retreats")
    s.do("fight 0704")
    s.do("fire at 0705")
    s.do("cancel 0704")
    assert facts(s, "fight 0805")["attack"] == "3"  # X. Korps goes on alone


@rule("13.8")
def test_a_disrupted_or_distant_fleet_does_not_fire(leningrad: Game) -> None:
    s = oranienbaum(leningrad, 6, fleet="0803")
    assert rolled(fight(s, "0704", "16. Armee"))[0] == "3:2"  # fought at once, one column down for lack of supply
    s = leningrad.position(
        phase="german.combat",
        units={"16. Armee": "0705", "8. Army": "0704", FLEET: {"at": "0704", "disrupted": True}},
    )
    assert not disrupted(s, FLEET)  # it recovers with the others ...
    s = leningrad.position(
        phase="german.blitzkrieg.allocation",
        units={"16. Armee": "0705", "8. Army": "0704", FLEET: {"at": "0704", "disrupted": True}},
    )
    fight(s, "0704", "16. Armee")
    assert asked(s) != "fleet.Shield"  # ... but not in the blitzkrieg


@rule("13.11")
@pytest.mark.parametrize(("die", "index", "sunk", "hit"), [
    (1, "A", True, False), (6, "B", True, False), (2, "A", False, True), (3, "A", False, True), (4, "A", False, False),
])  # fmt: skip
def test_the_fleet_is_sunk_from_the_air_on_one_in_six(
    leningrad: Game, die: int, index: str, sunk: bool, hit: bool
) -> None:
    s = leningrad.position(
        phase="german.movement",
        units={"I. Korps": "0418", FLEET: "0604", "48. Army": "0904"},
        air=["I. Fliegerkorps"],
        dice=(die,),
        options={"die_index": index},
    )
    s.do("bomb with I. Fliegerkorps")
    s.do("bomb 0604")
    assert has(s, "lost", FLEET) == sunk
    assert disrupted(s, FLEET) == hit
    if sunk:
        until(s, "russian.movement")
        assert s.refuses("sail", because="13.11")


@rule("13.12", "11.15")
def test_flak_at_kronshtadt(leningrad: Game) -> None:
    for node, lost in (("0803", True), ("0604", False)):
        s = leningrad.position(
            phase="german.movement", units={"I. Korps": "0418", FLEET: node}, air=["I. Fliegerkorps"], dice=(6,)
        )
        s.do("bomb with I. Fliegerkorps")
        events = s.do(f"bomb {node}")
        assert ("13.12" in cited(events)) == lost
        assert bool(s.back[leningrad.unit("I. Fliegerkorps")]) == lost


@rule("13.13")
def test_a_de_does_not_touch_the_fleet(leningrad: Game) -> None:
    s = oranienbaum(leningrad, 1)
    assault(s, "0704", "16. Armee", "I. Korps", "6. Panzer Division", "X. Korps")
    s.do("end attacks")
    s.do("allow retreats")
    s.do("fight 0704")
    assert rolled(s.do("hold fire"))[1] == "DE"
    assert has(s, "lost", "8. Army")
    assert s.place(FLEET) == "0704"
    s.do("advance 16. Armee 0704")  # 13.15: nor does it bar the hex
    assert s.place(FLEET) == "0704"


@rule("13.14", "13.9", "11.8")
def test_v62_a_trench_does_not_help_against_the_fleet(leningrad: Game) -> None:
    units = {FLEET: "0604", "XXVI. Korps": {"at": "0604", "entrenched": True}}
    s = russian(leningrad, units, 2)
    s.do("bombard")
    assert disrupted(s, "XXVI. Korps")
    assert not has(s, "entrenched", "XXVI. Korps")
    s = russian(leningrad, units, 1, air=["Leningrad Front Aviation"])
    s.do("bomb with Leningrad Front Aviation")
    s.do("bomb 0604")
    assert not disrupted(s, "XXVI. Korps")
    assert not has(s, "entrenched", "XXVI. Korps")


@rule("13.15")
def test_the_fleet_stands_apart(leningrad: Game) -> None:
    s = leningrad.position(phase="german.movement", units={"I. Korps": "0605", FLEET: "0604", "48. Army": "0904"})
    assert s.zone[1][leningrad.node("0605")] == 0
    march(s, "I. Korps", "0604")
    assert s.place("I. Korps") == s.place(FLEET) == "0604"
    s.do("end movement")
    assert asked(s) == "combat.Allocate"
    assert legal(s) == ["end attacks"]  # nothing to attack


@rule("13.7", "13.8")
def test_the_fleet_bombards_or_assists_not_both(leningrad: Game) -> None:
    """Ruling D44: where it has fired it stays, and it fires no more until the next Russian movement."""
    units = {FLEET: "0704", "I. Korps": "0704", "16. Armee": "0605", "8. Army": "0604", "48. Army": "0904"}
    s = leningrad.position(phase="russian.movement", units=units, dice=(6,))
    s.do("bombard")
    assert refused(s, "sail", because="13.7")
    assert refused(s, "bombard", because="13.7")
    units = {"16. Armee": "0605", "8. Army": "0604", "48. Army": "0904"}
    for fired in (False, True):
        fleet = {"at": "0604", "attacked": fired}
        s = leningrad.position(phase="german.allocation", units={**units, FLEET: fleet}, dice=(1,))
        s.do("attack 0604")
        do(s, "with 16. Armee", "commit", "end attacks", "allow retreats", "fight 0604")
        assert (asked(s) == "fleet.Shield") is not fired


@rule("7.11", "14.1")
def test_a_unit_that_goes_by_rail_takes_only_the_place_where_it_ends(leningrad: Game) -> None:
    """Ruling D79: Luga, last German and empty, lies on the line; a march through it would take it."""
    board = leningrad.board
    luga = board.place("Luga").nodes[0]
    assert luga in leningrad.rail_nodes
    start, end = leningrad.rail_around[luga][:2]
    units = {"22. Corps": board.labels[start], "I. Korps": "0418"}
    s = leningrad.position(phase="russian.movement", units=units, control={"Luga": "german"})
    do(s, "entrain 22. Corps", f"to {board.labels[end]}")
    assert s.control[luga] == 0
    s = leningrad.position(phase="russian.movement", units=units, control={"Luga": "german"})
    do(s, "entrain 22. Corps", f"to {board.labels[luga]}")
    assert s.control[luga] == 1
