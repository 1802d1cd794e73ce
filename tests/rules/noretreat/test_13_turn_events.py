"""Chapter 13: the Turn Track."""

from __future__ import annotations

from typing import Any

import pytest

from tests.helpers import asked, at, do, log, refused, rule
from tests.rules.noretreat.play import combat, face, offers, organizing, outlook, shifts, starting, told

SMALL = {"9th Army": "0810", "Don": "2210"}
QUIET = {"control": dict.fromkeys(("Riga", "Minsk", "Kiev", "Odessa", "Kharkov", "Smolensk", "Stalino"), "axis")}


def next_turn(game: Any, turn: int, **more: Any) -> Any:
    units = more.pop("units", SMALL)
    return game.position(turn=turn - 1, phase="soviet.detraining", units=units, **{**QUIET, **more})


def placing(game: Any, side: str, turn: int, **more: Any) -> Any:
    s = organizing(game, more.pop("units", {}), side, turn, **more)
    do(s, "done")
    return s


@rule("13.0", "4.B")
def test_turn_features_apply_in_housekeeping(noretreat: Any) -> None:
    s = next_turn(noretreat, 7)
    assert s.phase.startswith("axis")
    assert s.support == (2, 0)
    assert s.event_vp == -1


@rule("13.1.clear")
def test_clear_weather_has_no_effects(noretreat: Any) -> None:
    s = combat(noretreat, {"9th Army": "2210", "Don": "2211"})
    assert not outlook(s, "2211", "9th Army").modifiers


@rule("13.1.snow.c", "13.1.lw.c", "13.5.5.b")
@pytest.mark.parametrize(
    ("turn", "weather", "rule_id", "amount"),
    [(10, "Snow", "13.1.snow.c", -1), (11, "Long Winter", "13.1.lw.c", -1), (5, "Long Winter", "13.1.lw.c", -2),
     (5, "Snow", "13.1.snow.c", -2)],
)  # fmt: skip
def test_axis_attacks_in_the_snow(noretreat: Any, turn: int, weather: str, rule_id: str, amount: int) -> None:
    s = combat(noretreat, {"9th Army": "2210", "Don": "2211"}, turn=turn, weather=weather)
    assert shifts(outlook(s, "2211", "9th Army")) == {rule_id: amount}
    soviet = combat(noretreat, {"9th Army": "2210", "Don": "2211"}, "soviet", turn=turn, weather=weather)
    assert not shifts(outlook(soviet, "2210", "Don"))
    home = combat(noretreat, {"9th Army": "0510", "Don": "0610"}, turn=turn, weather=weather)
    assert not shifts(outlook(home, "0610", "9th Army"))  # not in the USSR
    finns = combat(noretreat, {"Finnish": "Finland", "Don": "1401"}, turn=turn, weather=weather, counterblows=["1401"])
    do(finns, "done", "attack 1401", "attack with Finnish")
    assert not shifts(finns.forecast("fight"))


@rule("13.1.lw.a", "13.1.lw.d", "14.14.3")
def test_consecutive_snow_is_long_winter(noretreat: Any) -> None:
    expected = {
        4: "Snow",
        5: "Long Winter",
        6: "Mud",
        10: "Snow",
        11: "Long Winter",
        23: "Long Winter",
        24: "Long Winter",
    }
    for turn, weather in expected.items():
        s = noretreat.position(turn=turn, phase="axis.movement", units=SMALL)
        assert s.view(None)["weather"] == weather


@rule("13.1.lw.b", "13.5.20", "13.5.26")
def test_axis_target_limits(noretreat: Any) -> None:
    ring = {
        "Northwest": "2309",
        "West": "2310",
        "Southwest": "2311",
        "South": "2211",
        "Kalinin": "2110",
        "9th Army": "2210",
    }
    for turn, weather, limit, rule_id in ((11, "Long Winter", 3, "13.1.lw.b"), (20, "Clear", 3, "13.5.20"),
                                          (25, "Clear", 3, "13.5.20"), (26, "Clear", 1, "13.5.26")):  # fmt: skip
        s = combat(noretreat, ring, turn=turn, weather=weather)
        for target in ("2309", "2310", "2311")[:limit]:
            do(s, f"target {target}")
        assert refused(s, "target 2211", because=rule_id)
        assert starting(s, "target") == []
    free = combat(noretreat, ring, turn=19)
    do(free, "target 2309", "target 2310", "target 2311")
    assert offers(free, "target 2211")
    soviet = {"9th Army": "2309", "4th Army": "2310", "6th Army": "2311", "11th Army": "2211", "Don": "2210"}
    s = combat(noretreat, soviet, "soviet", turn=26)
    do(s, "target 2309", "target 2310")
    assert offers(s, "target 2311")


@rule("13.2")
def test_skulls(noretreat: Any) -> None:
    skulls = {t.number: t.sudden_death for t in noretreat.turns if t.sudden_death != (None, None)}
    assert skulls == {6: (23, None), 9: (25, None), 12: (27, 16), 15: (None, 19), 18: (None, 22), 21: (None, 26),
                      25: (None, 8), 27: (None, 9)}  # fmt: skip


@rule("13.3")
def test_support_markers_are_issued(noretreat: Any) -> None:
    for turn, markers in ((2, (3, 0)), (5, (0, 3)), (13, (1, 1))):
        assert next_turn(noretreat, turn).support == markers


@rule("13.5.3.b")
def test_sevastopol_arrives_fortified_in_its_city(noretreat: Any) -> None:
    for where, side in (("1622", "fort"), ("1419", "brown")):
        s = placing(noretreat, "soviet", 3, track={"Sevastopol": 3}, units={"Don": "2210"})
        do(s, "bring in Sevastopol", f"place Sevastopol {where}")
        assert face(s, "Sevastopol") == side
    late = placing(noretreat, "soviet", 4, track={"Sevastopol": 3}, units={"Don": "2210"})
    do(late, "bring in Sevastopol", "place Sevastopol 1622")
    assert face(late, "Sevastopol") == "brown"


@rule("13.5.3.a", "13.5.3.c", "7.5.c")
def test_regional_units_also_use_free_upgrades(noretreat: Any) -> None:
    s = organizing(noretreat, {"Moscow": "1907", "Don": "2210"}, "soviet", turn=6)
    assert offers(s, "upgrade Moscow")
    do(s, "upgrade Moscow")
    assert face(s, "Moscow") == "fort"
    early = organizing(noretreat, {"Moscow": "1907", "Don": "2210"}, "soviet", turn=5, hands={"soviet": ["Feint"]})
    assert starting(early, "fortify") == ["Moscow"]
    assert starting(early, "upgrade") == []


@rule("13.5.16", "13.5.18.a", "14.2.b")
def test_panzer_armies_leave(noretreat: Any) -> None:
    for turn, name in ((16, "2nd Panzer"), (18, "SS Panzer")):
        s = next_turn(noretreat, turn, units={name: "0811"})
        assert at(s, name) is None
        assert s.view("axis")["hands"]["axis"]["count"] == 4
        cut = next_turn(noretreat, turn, units={name: "2210"})
        assert cut.view("axis")["hands"]["axis"]["count"] == 3
        lost = next_turn(noretreat, turn, units=SMALL, boxes={"Surrendered": [name]})
        assert at(lost, name) is None
        assert lost.view("axis")["hands"]["axis"]["count"] == 3
        shattered = next_turn(noretreat, turn, units=SMALL, boxes={"Shattered": [name]})
        assert shattered.view("axis")["hands"]["axis"]["count"] == 4


@rule("13.5.17", "7.3")
def test_two_step_soviets(noretreat: Any) -> None:
    units = {"Don": {"at": "2210", "face": "red"}, "Ostatky 1": "2310", "Polish": "2311"}
    for turn, steps in ((16, 1), (17, 2)):
        s = noretreat.position(turn=turn, phase="soviet.movement", units=units)
        shown = {u["name"]: u["steps"] for u in s.view(None)["units"]}
        assert shown == {"Don": steps, "Ostatky 1": 1, "Polish": 1}


@rule("13.5.23.b", "5.2.d")
def test_reich_defences(noretreat: Any) -> None:
    forces = {"Berlin Garrison": 23, "Volkssturm Danzig": 23, "Volkssturm Stettin": 23, "Volkssturm Breslau": 23}
    units = {"Don": "0409", "9th Army": "0608", "4th Army": "0608"}
    s = next_turn(noretreat, 23, units=units, track=forces, high_tide=1)
    assert at(s, "Berlin Garrison") == "0210"
    assert at(s, "Volkssturm Breslau") == "0412"
    assert at(s, "Volkssturm Stettin") is None  # its city is lost
    assert asked(s) == "stacking.Excess"  # three units in Danzig
    do(s, "take off 9th Army")
    assert s.view("axis")["hands"]["axis"]["count"] == 1
    lost = next_turn(noretreat, 23, track=forces, high_tide=1, control={"Stettin": "soviet"})
    assert at(lost, "Volkssturm Stettin") is None  # nobody is in the city, but it is Soviet
    assert at(lost, "Volkssturm Danzig") == "0608"


@rule("13.5.23.c")
def test_the_ss_panzer_army_returns_for_two_vps(noretreat: Any) -> None:
    s = placing(noretreat, "axis", 23, units={"9th Army": "0810"}, boxes={"Out": ["SS Panzer"]}, event_vp=-3)
    do(s, "pay for the return of the SS Panzer Army")
    assert s.event_vp == -5
    do(s, "bring in SS Panzer", "place SS Panzer 0210")
    assert face(s, "SS Panzer") == "full"
    assert refused(s, "pay for the return of the SS Panzer Army", because="13.5.23.c")
    early = placing(noretreat, "axis", 22, units={"9th Army": "0810"}, boxes={"Out": ["SS Panzer"]})
    assert refused(early, "pay for the return of the SS Panzer Army", because="13.5.23.c")
    broke = placing(noretreat, "axis", 23, units={"9th Army": "0810"}, boxes={"Out": ["SS Panzer"]}, event_vp=-5)
    assert refused(broke, "pay for the return of the SS Panzer Army", because="13.5.23.c")


@rule("13.5.24")
def test_no_german_improvement_from_turn_24(noretreat: Any) -> None:
    units = {"9th Army": {"at": "0810", "face": "reduced"}}
    cards = {"axis": ["Hedgehogs", "Reserves"]}
    assert offers(organizing(noretreat, units, turn=23, hands=cards), "improve 9th Army")
    assert organizing(noretreat, units, turn=24, hands=cards).refuses("improve 9th Army", because="13.5.24")


@rule("13.5.28")
def test_the_garrison_is_withdrawn(noretreat: Any) -> None:
    s = next_turn(noretreat, 28, units={"Berlin Garrison": "0210", "Don": "2210"})
    assert not s.over
    assert at(s, "Berlin Garrison") is None


@rule("13.5.GG.a", "13.5.GG.b")
def test_greater_germany_invaded(noretreat: Any) -> None:
    """The turn after a red unit crosses the border."""
    wait = {"Vistula Group": "GG", "25th Army": "GG", "1st Hungarian": "GG"}
    for kind, crossed in (("brown", False), ("red", True)):
        s = noretreat.position(turn=19, phase="soviet.movement", units={"Don": {"at": "0911", "face": kind}})
        do(s, "move Don", "move Don 0811")
        assert (s.gg_turn == 19) is crossed
    same = placing(noretreat, "axis", 19, units={"9th Army": "0810"}, track=wait, triggers={"GG": 19})
    assert not starting(same, "bring in")
    s = placing(noretreat, "axis", 20, units={"9th Army": "0810", "Don": "0911"}, track=wait, triggers={"GG": 19})
    assert set(starting(s, "bring in")) == set(wait)
    do(s, "bring in Vistula Group")
    places = set(starting(s, "place Vistula Group"))
    assert {"0210", "0412"} <= places
    assert "0811" not in places  # in a Soviet zone
    assert refused(s, "place Vistula Group 0510", because="13.5.GG.a")
    do(s, "place Vistula Group 0210", "bring in 1st Hungarian")
    budapest = noretreat.node("0617")
    hexes = [noretreat.node(label) for label in starting(s, "place 1st Hungarian")]
    assert max(noretreat.board.distance(budapest, node) for node in hexes) == 4
    assert refused(s, "place 1st Hungarian 0210", because="13.5.GG.b")


@rule("13.5.Oil.a", "14.3.a")
def test_ploesti_captured(noretreat: Any) -> None:
    """The turn after, Rumania is out and German armor other than the SS has lost its bonuses."""
    units = {"2nd Panzer": "2210", "SS Panzer": "2110", "Don": "2211"}
    for oil, bonus in ((0, True), (15, True), (14, False)):
        s = combat(noretreat, units, turn=15, triggers={"Oil": oil})
        assert ("10.6.3.a" in shifts(outlook(s, "2211", "2nd Panzer"))) is bonus
    ss = combat(noretreat, units, turn=15, triggers={"Oil": 14})
    assert shifts(outlook(ss, "2211", "SS Panzer"))["14.5.a"] == 1
    after = next_turn(noretreat, 15, units={**SMALL, "3rd Rumanian": "1022"}, triggers={"Oil": 14})
    assert at(after, "3rd Rumanian") is None


@rule("13.5.Oil.b")
def test_groups_e_and_f(noretreat: Any) -> None:
    wait = {"Group E": "Oil", "Group F": "Oil"}
    s = placing(noretreat, "axis", 20, units={"9th Army": "0819"}, track=wait, triggers={"Oil": 19})
    do(s, "bring in Group E")
    places = set(starting(s, "place Group E"))
    assert "Western Balkans" in places
    assert "Southern Balkans" not in places
    assert "0819" not in places  # not empty
    assert refused(s, "place Group E Southern Balkans", because="13.5.Oil.b")
    near = noretreat.node("1022")
    assert all(noretreat.board.distance(near, noretreat.node(h)) <= 4 for h in places - {"Western Balkans"})


@rule("13.5.Oil.c")
def test_the_soviet_rumanian_army(noretreat: Any) -> None:
    units = {"South": "1121", "Don": "1219"}
    s = placing(noretreat, "soviet", 20, units=units, track={"Soviet-Rumanian": "Oil"}, triggers={"Oil": 19})
    do(s, "bring in Soviet-Rumanian")
    oil = noretreat.node("1121")
    places = starting(s, "place Soviet-Rumanian")
    assert all(noretreat.board.distance(oil, noretreat.node(h)) <= 2 for h in places)
    assert "1121" not in places
    do(s, f"place Soviet-Rumanian {places[0]}")
    assert face(s, "Soviet-Rumanian") == "brown"


@rule("13.5.Oil.d", "14.8")
def test_the_yugoslav_armies(noretreat: Any) -> None:
    wait = {"Yugoslav 1": "Oil", "Yugoslav 2": "Oil"}
    s = placing(noretreat, "soviet", 20, units={"Don": "2210"}, track=wait, triggers={"Oil": 19})
    do(s, "bring in Yugoslav 1", "place Yugoslav 1 Western Balkans")
    assert face(s, "Yugoslav 1") == "fort"
    do(s, "bring in Yugoslav 2", "place Yugoslav 2 Western Balkans", "done")
    assert asked(s) == "stacking.Excess"
    do(s, "take off Yugoslav 2")
    assert at(s, "Yugoslav 2") == "Soviet Destroyed"
    units = {"Don": "2210", "Group E": "Western Balkans", "Group F": "Southern Balkans"}
    shut = placing(noretreat, "soviet", 20, units=units, track=wait, triggers={"Oil": 19})
    events = do(shut, "bring in Yugoslav 1")
    assert "no room" in told(events)
    assert at(shut, "Yugoslav 1") == "Soviet Destroyed"


@rule("13.5.Warsaw")
def test_the_polish_army(noretreat: Any) -> None:
    same = placing(noretreat, "soviet", 20, units={"Don": "0811"}, track={"Polish": "Warsaw"}, triggers={"Warsaw": 20})
    assert not starting(same, "bring in")
    s = placing(noretreat, "soviet", 21, units={"Don": "0811"}, track={"Polish": "Warsaw"}, triggers={"Warsaw": 20})
    do(s, "bring in Polish")
    warsaw = noretreat.node("0811")
    places = starting(s, "place Polish")
    assert all(noretreat.board.distance(warsaw, noretreat.node(h)) <= 2 for h in places)
    assert "0811" not in places
    moved = noretreat.position(turn=19, phase="soviet.movement", units={"Don": "0911"})
    do(moved, "move Don", "move Don 0811")
    assert moved.warsaw_turn == 19


@rule("14.14", "14.14.1")
def test_variable_weather_turns(noretreat: Any) -> None:
    """Vector: at the start markers lie on turns 3 (Mud), 4 (Snow) and 6 (Mud)."""
    variable = [t.number for t in noretreat.turns if t.variable]
    assert variable == [3, 4, 6, 9, 10, 12, 15, 16, 18, 21, 22]
    months = {t.dates.split()[0] for t in noretreat.turns if t.variable}
    assert months == {"Sep-Oct", "Nov-Dec", "Mar-Apr"}
    s = noretreat.start("campaign", seed=1)
    shown = {c["turn"]: c["weather"] for c in s.view(None)["calendar"]}
    assert [shown[t] for t in (3, 4, 6)] == ["Mud", "Snow", "Mud"]


@rule("14.14.2", "14.14.3", "E.12")
def test_weather_cards_happen_when_drawn(noretreat: Any) -> None:
    pile = ["Reserves", "Pioneers", "Hedgehogs", "Siege Artillery", "Walter Model", "Das Vaterland"]
    for card, turn, weather in (("General Winter", 2, {3: "Snow"}), ("Unseasonal Weather", 2, {3: "Clear"}),
                                ("General Mud", 3, {4: "Mud"}), ("General Winter", 4, {5: "Snow"})):  # fmt: skip
        s = noretreat.position(turn=turn, phase="soviet.card", units=SMALL, pile=[*pile, card])
        shown = {c["turn"]: c["weather"] for c in s.view(None)["calendar"]}
        for number, sky in weather.items():
            assert shown[number] == sky
        assert s.view("soviet")["hands"]["soviet"]["count"] == 4  # the card is replaced
        assert s.discards == [noretreat.card_number(card)]
    for die, sky in ((2, "Clear"), (3, "Mud"), (6, "Snow")):
        s = noretreat.position(turn=3, phase="axis.card", units=SMALL, pile=[*pile, "Fickle Weather"], dice=(die,))
        assert s.view(None)["weather"] == sky
    fixed = noretreat.position(turn=7, phase="axis.card", units=SMALL, pile=[*pile, "Fickle Weather"], dice=(6,))
    assert fixed.view(None)["weather"] == "Clear"


@rule("13.5.Oil.b")
def test_groups_e_and_f_keep_off_a_lost_oil_field(noretreat: Any) -> None:
    """Only Axis-controlled hexes: not the oil field that the Soviets took and left empty."""
    s = placing(noretreat, "axis", 20, units={"9th Army": "0819"}, track={"Group E": "Oil"}, triggers={"Oil": 19},
                control={"Rumanian Oil Fields": "soviet"})  # fmt: skip
    do(s, "bring in Group E")
    assert offers(s, "place Group E 1021")
    assert refused(s, "place Group E 1121", because="13.5.Oil.b")


@rule("13.5.Oil.b", "7.6.a")
def test_groups_e_and_f_keep_out_of_a_watched_area(noretreat: Any) -> None:
    units = {"9th Army": "0615", "Don": "0519"}
    s = placing(noretreat, "axis", 20, units=units, track={"Group E": "Oil"}, triggers={"Oil": 19})
    do(s, "bring in Group E")
    assert not offers(s, "place Group E Western Balkans")


@rule("13.1.clear", "14.14.3")
def test_the_log_tells_the_weather_and_its_rule(noretreat: Any) -> None:
    for turn, weather, cites in ((8, "Clear", "13.1.clear"), (9, "Mud", "14.14.3")):
        s = next_turn(noretreat, turn, boxes={"Rail": ["West"]})
        s.weather[turn] = ("Clear", "Mud").index(weather)
        assert f"Weather: {weather} ({cites})" in log(do(s, "done"))


@rule("13.5.Oil.a")
def test_the_first_capture_of_the_oil_counts_from_its_turn(noretreat: Any) -> None:
    s = noretreat.position(turn=20, phase="soviet.movement", weather="Clear",
                           units={"South": {"at": "1120", "face": "red"}, "9th Army": "0810"})  # fmt: skip
    assert not s.oil_turn
    do(s, "move South", "move South 1121")
    assert s.oil_turn == 20
