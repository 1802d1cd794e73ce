"""Chapter 11: air power. Luftwaffe rows: 1-3 D, 4 D*, 5 -, 6 AA. Russian rows: 1 D, 2 D*, 3-5 -, 6 AA."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from counterblow import Event
from tests.helpers import asked, cited, do, legal, rule
from tests.rules.leningrad.play import Game, State, disrupted, has, until

FLIEGER = ["I. Fliegerkorps", "VIII. Fliegerkorps"]


def luftwaffe(leningrad: Game, units: dict[str, Any], *dice: int, phase: str = "german.movement", **more: Any) -> State:
    more.setdefault("air", ["I. Fliegerkorps"])
    s: State = leningrad.position(turn=4, phase=phase, units={"I. Korps": "0418", **units}, dice=dice, **more)
    return s


def bomb(s: State, node: str, unit: str = "I. Fliegerkorps") -> list[Event]:
    s.do(f"bomb with {unit}")
    events = s.do(f"bomb {node}")
    if asked(s) == "air.Bombers":
        events = s.do("fly")
    return events


def red_air(leningrad: Game, units: dict[str, Any], *dice: int, **more: Any) -> State:
    more.setdefault("air", ["Leningrad Front Aviation"])
    s: State = leningrad.position(phase="russian.movement", units={"11. Army": "1118", **units}, dice=dice, **more)
    return s


def red_bomb(s: State, node: str) -> list[Event]:
    s.do("bomb with Leningrad Front Aviation")
    return s.do(f"bomb {node}")


def down(s: State, unit: str) -> bool:
    return bool(s.back[s.game.unit(unit)])


@rule("11.1")
def test_every_unit_of_the_hex_flak_first_then_from_the_top(leningrad: Game) -> None:
    s = red_air(leningrad, {"16. Armee": "1018", "I. Korps": "1018", "X. Korps": "1018"}, 3, 3, 3)
    events = red_bomb(s, "1018")
    bombed = [leningrad.unit_names[e.values["unit2"]] for e in events if e.kind == "bomb"]
    assert bombed == ["16. Armee", "X. Korps", "I. Korps"]


@rule("11.2")
def test_luftwaffe_units_combine_against_a_hex(leningrad: Game) -> None:
    s = luftwaffe(leningrad, {"22. Corps": {"at": "1018", "entrenched": True}}, 1, 1, air=FLIEGER)
    s.do("bomb with I. Fliegerkorps")
    s.do("bomb 1018")
    do(s, "join VIII. Fliegerkorps", "fly")
    assert disrupted(s, "22. Corps")  # the first took the trench, the second hit


@rule("11.2")
def test_and_against_an_enemy_air_unit(leningrad: Game) -> None:
    s = red_air(leningrad, {"I. Korps": "1018"}, 4, 1, air=["Leningrad Front Aviation", *FLIEGER])
    red_bomb(s, "1018")
    s.dice = (5, 6)
    s.do("send I. Fliegerkorps against Leningrad Front Aviation")  # Luftwaffe intercepted: the Russian goes on
    assert legal(s) == ["send VIII. Fliegerkorps against Leningrad Front Aviation", "no interception"]
    s.do("send VIII. Fliegerkorps against Leningrad Front Aviation")
    assert down(s, "VIII. Fliegerkorps")


@rule("11.3")
def test_the_fighter_korps_only_intercepts_bombing_of_leningrad(leningrad: Game) -> None:
    air = ["I. Fliegerkorps", "7. Fighter Aviation Korps"]
    s = luftwaffe(leningrad, {"48. Army": "0904"}, air=air)
    bomb(s, "0904")
    assert "send 7. Fighter Aviation Korps against I. Fliegerkorps" in legal(s)
    s = luftwaffe(leningrad, {"48. Army": "0905"}, 5, air=air)
    bomb(s, "0905")
    assert asked(s) == "sequence.Operations"  # not asked
    s = red_air(leningrad, {"I. Korps": "1018"}, air=["7. Fighter Aviation Korps"])
    assert s.refuses("bomb with 7. Fighter Aviation Korps", because="11.3")


@rule("11.3", "11.19")
def test_not_even_supply_flights_over_leningrad(leningrad: Game) -> None:
    s = luftwaffe(
        leningrad, {"XXVI. Korps": "0904", "48. Army": "0903"}, 1, phase="german.supply",
        air=["I. Fliegerkorps", "7. Fighter Aviation Korps", "Leningrad Front Aviation"],
    )  # fmt: skip
    s.do("airlift I. Fliegerkorps 0904")
    assert "send Leningrad Front Aviation against I. Fliegerkorps" in legal(s)
    assert s.refuses("send 7. Fighter Aviation Korps against I. Fliegerkorps", because="11.3")


@rule("11.4")
def test_the_air_table_as_printed(leningrad: Any) -> None:
    table = leningrad.tables.air
    assert [row[0] for row in table.rows] == ["D", "D", "D", "D*", "-", "AA"]
    assert [row[1] for row in table.rows] == ["D", "D*", "-", "-", "-", "AA"]
    assert [row[2] for row in table.rows] == [
        "Russian shot down", "Russian shot down", "Russian intercepted", "intercepted", "Luftwaffe intercepted",
        "Luftwaffe shot down",
    ]  # fmt: skip
    assert table.provenance == "rulebook"


@rule("11.5")
def test_one_mission_and_one_interception_in_a_player_turn(leningrad: Game) -> None:
    s = luftwaffe(
        leningrad, {"11. Army": "1018", "22. Corps": "1118"}, 5, 5, 5, 5, air=[*FLIEGER, "Leningrad Front Aviation"]
    )
    bomb(s, "1018")
    s.do("send Leningrad Front Aviation against I. Fliegerkorps")
    assert s.refuses("bomb with I. Fliegerkorps", because="11.5")
    s.do("bomb with VIII. Fliegerkorps")
    s.do("bomb 1018")
    assert asked(s) == "sequence.Operations"  # the interceptor is spent
    until(s, "russian.movement")
    assert "bomb with Leningrad Front Aviation" in legal(s)  # its own player-turn


@rule("11.5")
def test_in_the_next_player_turn_they_fly_again(leningrad: Game) -> None:
    s = luftwaffe(leningrad, {"11. Army": "1018"}, 5, 5, air=["I. Fliegerkorps", "Leningrad Front Aviation"])
    for turn in (4, 5):
        assert s.turn == turn
        bomb(s, "1018")
        s.do("send Leningrad Front Aviation against I. Fliegerkorps")  # row 5: the bomber turns back
        s.dice = (5,)
        until(s, "russian.movement")
        until(s, "german.movement")


@rule("11.6")
def test_one_more_german_mission_bombing_or_supply(leningrad: Game) -> None:
    units = {"11. Army": "1018", "X. Korps": "1803"}
    s = luftwaffe(leningrad, units, 5, 5)
    bomb(s, "1018")
    until(s, "german.blitzkrieg")
    bomb(s, "1018")
    assert s.refuses("bomb with I. Fliegerkorps", because="11.6")
    until(s, "russian.movement")
    assert disrupted(s, "X. Korps")  # the air unit was not free to supply it
    s = luftwaffe(leningrad, units, 5, 1)
    bomb(s, "1018")
    while asked(s) != "air.Airlift":
        s.do(next(a for a in s.legal() if str(a).startswith("end")))
    s.do("airlift I. Fliegerkorps 1803")
    assert not disrupted(s, "X. Korps")


@rule("11.7")
def test_a_bombed_unit_stays_where_it_is(leningrad: Game) -> None:
    s = luftwaffe(leningrad, {"11. Army": "1018"}, 1)
    assert "11.7" in cited(bomb(s, "1018"))
    assert disrupted(s, "11. Army")
    assert s.place("11. Army") == "1018"
    assert asked(s) == "sequence.Operations"  # no retreat is offered


@rule("11.8", "11.13")
def test_v47_the_first_d_only_destroys_the_trench(leningrad: Game) -> None:
    s = luftwaffe(leningrad, {"22. Corps": {"at": "1018", "entrenched": True}}, 1, 4, air=FLIEGER)
    assert "11.8" in cited(bomb(s, "1018"))
    assert not disrupted(s, "22. Corps")
    assert not has(s, "entrenched", "22. Corps")
    bomb(s, "1018", "VIII. Fliegerkorps")  # row 4: D*, now against an open target
    assert disrupted(s, "22. Corps")


@rule("11.9", "11.11")
def test_a_bomber_shot_down_by_fighters_does_not_bomb(leningrad: Game) -> None:
    s = luftwaffe(leningrad, {"11. Army": "1018"}, 6, 1, air=["I. Fliegerkorps", "Leningrad Front Aviation"])
    bomb(s, "1018")
    s.do("send Leningrad Front Aviation against I. Fliegerkorps")
    assert down(s, "I. Fliegerkorps")
    assert not disrupted(s, "11. Army")
    assert s.dice == (1,)  # no bomb was rolled for
    until(s, "german.blitzkrieg")
    assert s.refuses("bomb with I. Fliegerkorps", because="11.11")


@rule("11.10")
def test_where_there_is_flak_it_must_be_dared_even_over_disrupted_units(leningrad: Game) -> None:
    s = luftwaffe(leningrad, {"48. Army": {"at": "0904", "disrupted": True}}, 1, 6)
    bomb(s, "0904")
    assert down(s, "I. Fliegerkorps")
    s = luftwaffe(leningrad, {"48. Army": {"at": "1018", "disrupted": True}}, 6)  # no flak: no roll
    bomb(s, "1018")
    assert s.dice == (6,)


@rule("11.12")
@pytest.mark.parametrize(("die", "stopped"), [(3, False), (4, True), (5, True)])
def test_an_intercepted_mission_is_prevented_and_nobody_lost(leningrad: Game, die: int, stopped: bool) -> None:
    """Row 3 stops only a Russian mission, row 5 only a German one, row 4 any bomber."""
    air = ["I. Fliegerkorps", "Leningrad Front Aviation"]
    s = luftwaffe(leningrad, {"11. Army": "1018"}, die, 1, air=air)
    bomb(s, "1018")
    s.do("send Leningrad Front Aviation against I. Fliegerkorps")
    assert disrupted(s, "11. Army") == (not stopped)
    assert not down(s, "I. Fliegerkorps")
    assert not down(s, "Leningrad Front Aviation")


@rule("11.13")
@pytest.mark.parametrize(
    ("unit", "spec", "harmed"),
    [
        ("22. Corps", {"at": "1018"}, True),
        ("22. Corps", {"at": "1018", "entrenched": True}, False),
        ("22. Corps", {"at": "0608"}, False),  # behind the Luga line
        ("22. Corps", {"at": "0609"}, True),  # before it
        ("21. Tank Division", {"at": "1018"}, False),
        ("RBBF Marines", {"at": "1018"}, False),
        ("Armored Train 1", {"at": "1017"}, False),
        ("Red Banner Baltic Fleet", {"at": "0604"}, False),
    ],
)
def test_the_star(leningrad: Game, unit: str, spec: dict[str, Any], harmed: bool) -> None:
    s = luftwaffe(leningrad, {unit: spec}, 4)
    bomb(s, spec["at"])
    assert disrupted(s, unit) == harmed
    assert has(s, "entrenched", unit) == bool(spec.get("entrenched"))


@rule("11.13")
def test_the_star_in_leningrad_and_against_panzers(leningrad: Game) -> None:
    s = luftwaffe(leningrad, {"48. Army": "0904"}, 1, 4)
    bomb(s, "0904")
    assert not disrupted(s, "48. Army")
    s = red_air(leningrad, {"LVI. Panzer Korps": "1018", "X. Korps": "0918"}, 2)
    red_bomb(s, "1018")
    assert not disrupted(s, "LVI. Panzer Korps")
    s = red_air(leningrad, {"X. Korps": "0918"}, 2)
    red_bomb(s, "0918")
    assert disrupted(s, "X. Korps")


@rule("11.14")
@pytest.mark.parametrize(
    ("unit", "disordered", "lost"),
    [
        ("16. Armee", False, True),
        ("16. Armee", True, False),
        ("LVI. Panzer Korps", False, True),
        ("4. Panzer Gruppe", False, True),
        ("I. Korps", False, False),
        ("6. Panzer Division", False, False),
    ],
)
def test_v48_german_flak(leningrad: Game, unit: str, disordered: bool, lost: bool) -> None:
    s = red_air(leningrad, {unit: {"at": "1018", "disrupted": disordered}}, 6)
    red_bomb(s, "1018")
    assert down(s, "Leningrad Front Aviation") == lost


@rule("11.15", "13.12")
@pytest.mark.parametrize(
    ("node", "unit", "dice", "lost"),
    [
        ("0904", "48. Army", (6,), True),  # the hex itself
        ("0903", "48. Army", (1, 6), True),  # the unit in it
        ("0803", "Red Banner Baltic Fleet", (6,), True),
        ("0704", "Red Banner Baltic Fleet", (6,), False),
        ("0803", "RBBF Marines", (6,), False),
        ("1018", "48. Army", (6,), False),
    ],
)
def test_leningrad_and_kronshtadt_flak(
    leningrad: Game, node: str, unit: str, dice: tuple[int, ...], lost: bool
) -> None:
    s = luftwaffe(leningrad, {unit: node}, *dice)
    bomb(s, node)
    assert down(s, "I. Fliegerkorps") == lost


@rule("11.16")
def test_front_aviation_reaches_four_hexes_from_an_army_or_town_in_supply(leningrad: Game) -> None:
    far = {"I. Korps": "0218"}  # out of reach of everything but Pskov
    s = leningrad.position(
        phase="russian.movement", units={**far, "11. Army": "1806"}, air=["Leningrad Front Aviation"]
    )
    s.do("bomb with Leningrad Front Aviation")
    assert legal(s) == ["bomb 0218"]  # Pskov is Russian and in supply
    taken = dict.fromkeys(("Pskov", "Porkhov", "Dno", "Gdov"), "german")
    s = leningrad.position(
        phase="russian.movement", units={**far, "11. Army": "1806"}, air=["Leningrad Front Aviation"], control=taken
    )
    assert s.refuses("bomb with Leningrad Front Aviation", because="11.16")
    for base, reached in (("0618", True), ("0718", False)):  # four hexes from the army, and five
        s = leningrad.position(
            phase="russian.movement", units={**far, "11. Army": base}, air=["Leningrad Front Aviation"], control=taken
        )
        assert ("bomb with Leningrad Front Aviation" in legal(s)) == reached
    s = leningrad.position(  # an army out of supply is no base
        phase="russian.movement",
        units={**far, "11. Army": "0117", "X. Korps": "0116"},
        air=["Leningrad Front Aviation"],
        control=taken,
    )
    assert s.refuses("bomb with Leningrad Front Aviation", because="11.16")


@rule("11.16")
def test_a_town_out_of_supply_is_no_base(leningrad: Game) -> None:
    """Pskov, Russian but ringed by German zones; with a way out it is a base again."""
    ring = {"16. Armee": "0418", "X. Korps": "0416", "I. Korps": "0317", "11. Army": "1806"}
    taken = dict.fromkeys(("Porkhov", "Dno", "Gdov"), "german")
    s = leningrad.position(phase="russian.movement", units=ring, air=["Leningrad Front Aviation"], control=taken)
    assert s.refuses("bomb with Leningrad Front Aviation", because="11.16")
    ring.pop("16. Armee")
    s = leningrad.position(phase="russian.movement", units=ring, air=["Leningrad Front Aviation"], control=taken)
    assert "bomb with Leningrad Front Aviation" in legal(s)


@rule("11.16")
def test_a_town_in_an_enemy_zone_next_to_its_own_railway_is_a_base(leningrad: Game) -> None:
    """12.4, ruling D62: Germans close every way out of Pskov but one, which is on the railway."""
    units = {"I. Korps": "0217", "X. Korps": "0317", "XXVI. Korps": "0418", "11. Army": "1806"}
    taken = dict.fromkeys(("Porkhov", "Dno", "Gdov"), "german")
    s = leningrad.position(phase="russian.movement", units=units, air=["Leningrad Front Aviation"], control=taken)
    assert "bomb with Leningrad Front Aviation" in legal(s)


@rule("11.16", "11.5")
def test_front_aviation_intercepts_within_its_range_alone(leningrad: Game) -> None:
    taken = dict.fromkeys(("Pskov", "Porkhov", "Dno", "Gdov"), "german")
    for target, reached in (("0218", False), ("1018", True)):
        units = {"22. Corps": target, "11. Army": "1118", "I. Korps": "0918"}
        air = ["I. Fliegerkorps", "Leningrad Front Aviation"]
        s = leningrad.position(turn=3, phase="german.movement", units=units, air=air, control=taken)
        do(s, "bomb with I. Fliegerkorps", f"bomb {target}")
        assert (asked(s) == "air.Intercept") == reached


@rule("11.17")
def test_the_luftwaffe_reaches_everything(leningrad: Game) -> None:
    s = luftwaffe(leningrad, {"34. Army": "2001", "22. Corps": "0809"})
    s.do("bomb with I. Fliegerkorps")
    assert {"bomb 2001", "bomb 0809", "bomb 0903", "bomb 0904"} == set(legal(s))


@rule("11.18")
@pytest.mark.parametrize(("die", "fed"), [(1, True), (3, True), (4, True), (5, False), (6, False)])
def test_aerial_resupply(leningrad: Game, die: int, fed: bool) -> None:
    s = luftwaffe(
        leningrad, {"X. Korps": "1803", "XXVI. Korps": "1803", "34. Army": "1806"}, die, phase="german.supply"
    )
    assert s.refuses("airlift I. Fliegerkorps 0418", because="11.18")  # in supply already
    s.do("airlift I. Fliegerkorps 1803")
    assert disrupted(s, "X. Korps") == (not fed)
    assert disrupted(s, "XXVI. Korps") == (not fed)
    if fed:  # ruling D49: to the end of the Russian player-turn
        assert has(s, "airlifted", "X. Korps")
        until(s, "german.movement")
        assert not has(s, "airlifted", "X. Korps")


@rule("11.19")
def test_resupply_can_be_intercepted(leningrad: Game) -> None:
    s = luftwaffe(
        leningrad, {"X. Korps": "1803", "34. Army": "1806"}, 4, 1, phase="german.supply",
        air=["I. Fliegerkorps", "Leningrad Front Aviation"],
    )  # fmt: skip
    s.do("airlift I. Fliegerkorps 1803")
    s.do("send Leningrad Front Aviation against I. Fliegerkorps")
    assert disrupted(s, "X. Korps")


@rule("11.20", "11.21", "11.22")
def test_a_leningrad_hex_is_bombed_first_then_its_units(leningrad: Game) -> None:
    s = luftwaffe(leningrad, {"48. Army": "0904"}, 5, 1, lost=["21. Tank Division"], waiting=["34. Army"])
    events = bomb(s, "0904")
    assert [e.rules[0] for e in events if e.kind == "bomb"] == ["11.21", "11.7"]
    assert disrupted(s, "48. Army")
    until(s, "russian.reinforcement")
    assert s.refuses("replace 21. Tank Division", because="10.2")  # 11.22
    s.do("bring on 34. Army")
    assert s.refuses("enter 34. Army 0904", because="11.21")
    assert "enter 34. Army 0903" in legal(s)


@rule("11.21", "11.22")
def test_not_if_flak_or_fighters_stop_the_bomber(leningrad: Game) -> None:
    s = luftwaffe(leningrad, {"48. Army": "0904"}, 6)
    bomb(s, "0904")
    assert (s.bombed, s.factory_hit) == (0, 0)
    s = luftwaffe(leningrad, {"48. Army": "0904"}, 4, air=["I. Fliegerkorps", "7. Fighter Aviation Korps"])
    bomb(s, "0904")
    s.do("send 7. Fighter Aviation Korps against I. Fliegerkorps")
    assert (s.bombed, s.factory_hit) == (0, 0)


@rule("11.22")
def test_the_northern_hex_has_no_factory(leningrad: Game) -> None:
    s = luftwaffe(leningrad, {"48. Army": "0904"}, 1)
    bomb(s, "0903")
    assert s.factory_hit == 0
    assert s.bombed


@rule("11.23")
def test_a_bomber_lost_to_flak_bombs_no_more(leningrad: Game) -> None:
    s = luftwaffe(leningrad, {"48. Army": "0904", "22. Corps": "0904"}, 1, 6, 1)
    bomb(s, "0904")
    assert down(s, "I. Fliegerkorps")
    assert not disrupted(s, "48. Army")
    assert not disrupted(s, "22. Corps")
    assert s.dice == (1,)


# ---------------------------------------------------------------- forecasts


@rule("11.4")
def test_forecasts_of_missions(leningrad: Game) -> None:
    s = luftwaffe(leningrad, {"22. Corps": "1018"}, air=["I. Fliegerkorps", "Leningrad Front Aviation"])
    s.do("bomb with I. Fliegerkorps")
    forecast = s.forecast("bomb 1018")
    assert forecast is not None
    assert forecast.chance("1 Disrupted") == Fraction(4, 6)
    city = s.forecast("bomb 0904")
    assert city is not None
    assert city.chance("0 Disrupted, bomber shot down") == Fraction(1, 6)
    assert [str(modifier) for modifier in city.modifiers] == ["+0 the Leningrad hex is bombed first (11.20)"]
    s.do("bomb 1018")
    fight = s.forecast("send Leningrad Front Aviation against I. Fliegerkorps")
    assert fight is not None
    assert fight.chance("Russian shot down") == Fraction(2, 6)


@rule("11.15", "11.20")
def test_a_leningrad_hex_in_german_hands_has_no_flak(leningrad: Game) -> None:
    """The fleet lies off the southern hex, which the Germans hold."""
    fleet = "Red Banner Baltic Fleet"
    s = leningrad.position(
        turn=8, phase="german.movement", units={"16. Armee": "0904", fleet: "0904", "42. Army": "1206"},
        air=["I. Fliegerkorps"], dice=(6,),
    )  # fmt: skip
    s.do("bomb with I. Fliegerkorps")
    forecast = s.forecast("bomb 0904")
    assert forecast is not None
    assert [(o.result, o.chance) for o in forecast.outcomes] == [
        ("0 Disrupted", Fraction(1, 2)), ("0 Disrupted, the fleet sunk", Fraction(1, 6)),
        ("1 Disrupted", Fraction(1, 3)),
    ]  # fmt: skip
    s.do("bomb 0904")
    assert not s.down >> leningrad.unit("I. Fliegerkorps") & 1
    assert s.bombed == 0


@rule("11.1", "11.2", "11.8", "13.11")
@pytest.mark.parametrize(
    ("units", "node", "bombers"),
    [
        ({"11. Army": {"at": "1018", "entrenched": True}, "22. Corps": "1018"}, "1018", 1),
        ({"11. Army": {"at": "1018", "entrenched": True}}, "1018", 2),
        ({"Red Banner Baltic Fleet": "0604", "8. Army": "0604"}, "0604", 2),
        ({"48. Army": "0904", "Armored Train 1": "0904"}, "0904", 1),
        ({"21. Tank Division": "1018", "22. Corps": {"at": "1018", "disrupted": True}}, "1018", 2),
        ({"Red Banner Baltic Fleet": "0803"}, "0803", 2),
        ({}, "0903", 2),
    ],
)
def test_the_forecast_of_a_mission_is_what_all_dice_give(
    leningrad: Game, units: dict[str, Any], node: str, bombers: int
) -> None:
    """Every sequence of faces is rolled through the door and counted."""
    korps = ["I. Fliegerkorps", "VIII. Fliegerkorps"][:bombers]

    def mission(faces: tuple[int, ...]) -> State:
        found: State = leningrad.position(
            phase="german.movement", units={"I. Korps": "0418", **units}, air=korps, dice=faces, turn=8
        )
        return found

    s = mission(())
    s.do(f"bomb with {korps[0]}")
    if bombers == 1:
        forecast = s.forecast(f"bomb {node}")
    else:
        s.do(f"bomb {node}")
        forecast = s.forecast(f"join {korps[1]}")
    assert forecast is not None
    assert sum(outcome.chance for outcome in forecast.outcomes) == 1
    rolls = 2 * bombers + (1 if node == "0904" else 0)
    counted: dict[str, Fraction] = {}
    for faces in product(range(1, 7), repeat=rolls):
        s = mission(faces)
        before, trenches = s.disrupted, s.entrenched
        do(s, f"bomb with {korps[0]}", f"bomb {node}")
        if bombers == 2:
            do(s, f"join {korps[1]}", "fly")
        fleet = 1 << leningrad.counters.fleet
        said = [f"{(s.disrupted & ~before).bit_count()} Disrupted"]
        dug_out = (trenches & ~s.entrenched).bit_count()
        if dug_out:
            said.append(f"{dug_out} dug out")
        if s.lost & fleet:
            said.append("the fleet sunk")
        down = sum(bool(s.down >> leningrad.unit(name) & 1) for name in korps)
        if down:
            said.append("bomber shot down" if bombers == 1 else f"{down} of 2 bombers shot down")
        counted[", ".join(said)] = counted.get(", ".join(said), Fraction(0)) + Fraction(1, 6**rolls)
    assert {outcome.result: outcome.chance for outcome in forecast.outcomes} == counted
