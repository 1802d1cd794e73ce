"""Chapter 10: replacements, reinforcements, optional units and the Moscow withdrawal."""

from __future__ import annotations

from typing import Any

import pytest

from tests.helpers import asked, legal, rule
from tests.rules.leningrad.play import Game, State, disrupted, fight, has, until

RING = {"16. Armee": "1005", "18. Armee": "1004", "X. Korps": "0905", "I. Korps": "1003", "L. Korps": "1002"}
FRONT = {"I. Korps": "0418", "48. Army": "0904"}


def russian(leningrad: Game, turn: int = 2, units: dict[str, Any] | None = None, **more: Any) -> State:
    s: State = leningrad.position(
        turn=turn, phase="russian.reinforcement", units=FRONT if units is None else units, **more
    )
    return s


def german(leningrad: Game, turn: int, units: dict[str, Any] | None = None, **more: Any) -> State:
    s: State = leningrad.position(
        turn=turn, phase="german.reinforcement", units=FRONT if units is None else units, **more
    )
    return s


def hexes(s: State) -> set[str]:
    return {s.game.board.labels[action.args[1]] for action in s.legal()}


# ---------------------------------------------------------------- tanks


@rule("10.1", "10.3")
def test_the_kirov_factory_rebuilds_the_tank_division(leningrad: Game) -> None:
    s = russian(leningrad, lost=["21. Tank Division"])
    s.do("replace 21. Tank Division")
    assert legal(s) == ["enter 21. Tank Division 0904"]
    s.do("enter 21. Tank Division 0904")
    assert s.place("21. Tank Division") == "0904"
    assert not disrupted(s, "21. Tank Division")
    assert not has(s, "lost", "21. Tank Division")


@rule("10.1")
def test_only_a_lost_division_is_rebuilt(leningrad: Game) -> None:
    s = russian(leningrad, turn=3)
    assert s.refuses("replace 21. Tank Division", because="10.1")


@rule("10.2")
def test_a_bombed_or_attacked_factory_gives_nothing(leningrad: Game) -> None:
    s = russian(leningrad, turn=3, lost=["21. Tank Division"], factory_hit=1)
    assert s.refuses("replace 21. Tank Division", because="10.2")
    # a German attack on the southern hex with a D result
    s = leningrad.position(
        phase="german.allocation",
        turn=3,
        units={"16. Armee": "0905", "X. Korps": "0905", "48. Army": "0904"},
        lost=["21. Tank Division"],
        dice=(3,),
    )
    fight(s, "0904", "16. Armee", "X. Korps")
    assert s.factory_hit == 1
    until(s, "russian.reinforcement")
    assert s.refuses("replace 21. Tank Division", because="10.2")


@rule("10.4")
def test_factors_are_not_saved(leningrad: Game) -> None:
    s = russian(leningrad, turn=2, lost=["21. Tank Division"])
    s.do("end reinforcements")
    until(s, "russian.reinforcement")
    s.do("replace 21. Tank Division")
    s.do("enter 21. Tank Division 0904")
    assert s.refuses("replace 21. Tank Division", because="10.1")


@rule("10.5")
@pytest.mark.parametrize(("die", "works"), [(2, True), (3, False)])
def test_in_a_cut_off_city_two_chances_in_six(leningrad: Game, die: int, works: bool) -> None:
    s = russian(leningrad, turn=3, units={**RING, "48. Army": "0904"}, lost=["21. Tank Division"], dice=(die,))
    assert s.dice == ()  # rolled
    assert ("replace 21. Tank Division" in legal(s)) == works
    assert works or s.refuses("replace 21. Tank Division", because="10.5")


@rule("10.6")
@pytest.mark.parametrize(("turn", "arrives"), [(4, True), (5, False)])
def test_and_a_factor_on_the_edge_in_even_turns(leningrad: Game, turn: int, arrives: bool) -> None:
    s = russian(
        leningrad, turn, {**RING, "48. Army": "0904"}, lost=["21. Tank Division"], dice=(6,), waiting=["4. Army"]
    )
    if arrives:
        s.do("replace 21. Tank Division")
        assert {"2006", "1019"} <= hexes(s)
        assert "0904" not in hexes(s)
    else:
        assert s.phase == "russian.movement"


@rule("10.27")
def test_a_german_factory_gives_nothing(leningrad: Game) -> None:
    s = russian(leningrad, turn=3, units={"16. Armee": "0904", "48. Army": "0903"}, lost=["21. Tank Division"])
    assert s.refuses("replace 21. Tank Division", because="10.27")


# ---------------------------------------------------------------- air units and Marines


@rule("10.7")
def test_v61_air_units_come_back_in_the_second_own_player_turn(leningrad: Game) -> None:
    """Shot down in the German half of turn 3: the fighters on Russian turn 4, the fliegerkorps on German turn 5."""
    s = leningrad.position(
        turn=3,
        phase="german.movement",
        units=FRONT,
        air=["I. Fliegerkorps", "7. Fighter Aviation Korps", "VIII. Fliegerkorps"],
        dice=(1, 6),
    )
    s.do("bomb with I. Fliegerkorps")
    s.do("bomb 0904")
    s.do("join VIII. Fliegerkorps")
    s.do("fly")
    s.do("send 7. Fighter Aviation Korps against I. Fliegerkorps")  # row 1: the Russian is shot down; row 6: flak
    fighters, flieger = leningrad.unit("7. Fighter Aviation Korps"), leningrad.unit("I. Fliegerkorps")
    assert (s.back[fighters], s.back[flieger]) == (4, 5)
    seen: dict[str, str] = {}
    while len(seen) < 2 and s.turn < 6:
        for name, unit in (("fighters", fighters), ("flieger", flieger)):
            if not s.back[unit]:
                seen.setdefault(name, f"{s.side} {s.turn}")
        s.do(next(a for a in s.legal() if str(a).startswith(("end", "allow", "no interception"))))
    assert seen == {"fighters": "russian 4", "flieger": "german 5"}


@rule("10.8", "10.9")
def test_the_marines_come_back_once_in_leningrad(leningrad: Game) -> None:
    s = russian(leningrad, lost=["RBBF Marines", "21. Tank Division"])
    s.do("replace RBBF Marines")
    assert hexes(s) == {"0903", "0904"}
    s.do("enter RBBF Marines 0903")
    assert not disrupted(s, "RBBF Marines")
    assert s.marines_back == 1
    assert "replace 21. Tank Division" in legal(s)  # they cost no tanks
    s = russian(leningrad, turn=3, lost=["RBBF Marines"], marines_back=1)
    assert s.refuses("replace RBBF Marines", because="10.8")


@rule("10.9")
def test_or_where_the_fleet_takes_them(leningrad: Game) -> None:
    for friend, harmed in (({}, True), ({"22. Corps": "0605"}, False)):
        units = {**FRONT, "Red Banner Baltic Fleet": "0803", **friend}
        s = leningrad.position(phase="russian.movement", units=units, lost=["RBBF Marines"])
        s.do("sail")
        s.do("to 0605")
        s.do("land the Marines")
        assert s.place("RBBF Marines") == "0605"
        assert disrupted(s, "RBBF Marines") == harmed
        assert s.marines_back == 1


@rule("10.9")
def test_not_onto_germans(leningrad: Game) -> None:
    units = {"I. Korps": "0605", "48. Army": "0904", "Red Banner Baltic Fleet": "0803"}
    s = leningrad.position(phase="russian.movement", units=units, lost=["RBBF Marines"])
    s.do("sail")
    s.do("to 0605")
    assert s.refuses("land the Marines", because="10.9")


# ---------------------------------------------------------------- reinforcements


@rule("10.10")
def test_units_of_the_calendar_enter_undisrupted(leningrad: Game) -> None:
    s = german(leningrad, 2)
    assert legal(s) == ["bring on 16. Armee", "bring on X. Korps", "bring on II. Korps", "end reinforcements"]
    assert s.refuses("bring on 18. Armee", because="10.25")
    s.do("bring on 16. Armee")
    s.do("enter 16. Armee 0519")
    assert not disrupted(s, "16. Armee")
    until(s, "german.movement")
    assert "march 16. Armee" in legal(s)  # ruling D56: then free to move


@rule("10.10")
def test_air_units_arrive_by_themselves(leningrad: Game) -> None:
    game = leningrad
    s: Any = game.start(seed=3)
    unit = game.unit("VIII. Fliegerkorps")
    while s.turn < 3:
        assert has(s, "waiting", "VIII. Fliegerkorps")
        s.do(s.legal()[-1])
    assert not s.waiting >> unit & 1


@rule("10.11")
def test_germans_enter_on_the_southern_edge_behind_their_lines(leningrad: Game) -> None:
    s = german(leningrad, 2, {**FRONT, "22. Corps": "0219"})
    s.do("bring on X. Korps")
    assert hexes(s) == {"0419", "0519"}  # 0219 is occupied, 0119 and 0319 are in its zone, the rest is Russian
    assert s.refuses("enter X. Korps 0619", because="10.11")
    assert s.refuses("enter X. Korps 0319", because="10.11")


@rule("10.12")
def test_or_a_turn_later_west_of_the_narva(leningrad: Game) -> None:
    s = german(leningrad, 2)
    s.do("bring on X. Korps")
    assert s.refuses("enter X. Korps 0107", because="10.12")
    s = german(leningrad, 3, waiting=["X. Korps"])
    s.do("bring on X. Korps")
    assert {"0107", "0108", "0109"} <= hexes(s)
    s = german(leningrad, 3, {**FRONT, "22. Corps": "0108"}, waiting=["X. Korps"])
    s.do("bring on X. Korps")
    assert "0108" not in hexes(s)


@rule("10.13")
def test_russians_enter_in_leningrad_or_on_the_edge(leningrad: Game) -> None:
    s = russian(leningrad, 3)
    s.do("bring on 34. Army")
    assert {"0903", "0904", "2001", "2019", "0619", "1219"} <= hexes(s)
    assert "0519" not in hexes(s)  # behind German lines
    assert s.refuses("enter 34. Army 0519", because="10.13")
    s = russian(leningrad, 3, {**RING, "48. Army": "0904"})  # cut off
    s.do("bring on 34. Army")
    assert hexes(s).isdisjoint({"0903", "0904"})
    assert s.refuses("enter 34. Army 0904", because="10.13")


@rule("10.14")
def test_8_army_lands_on_the_gulf_shore_disrupted(leningrad: Game) -> None:
    s = russian(leningrad, 4, {**RING, "48. Army": "0904"})
    s.do("bring on 8. Army")
    shore = {"0305", "0306", "0405", "0505", "0604", "0605", "0704", "0804", "0903", "0904"}
    assert shore <= hexes(s)  # no overland supply needed
    assert s.refuses("enter 8. Army 0307", because="10.14")
    ashore = s.copy()
    ashore.do("enter 8. Army 0704")
    assert disrupted(ashore, "8. Army")
    s.do("enter 8. Army 2006")  # or on the edge like the others
    assert not disrupted(s, "8. Army")


@rule("10.15")
def test_entry_by_rail(leningrad: Game) -> None:
    s = russian(leningrad, 3)
    s.do("bring on 34. Army")
    s.do("enter 34. Army 2017")
    until(s, "russian.movement")
    s.do("entrain 34. Army")
    s.do("to 1213")
    assert disrupted(s, "34. Army")


# ---------------------------------------------------------------- optional units


@rule("10.16", "10.17", "14.11")
def test_optional_units_are_bought_for_points(leningrad: Game) -> None:
    s = german(leningrad, 5, waiting=["XXXIX. Panzer Korps", "L. Korps", "12. Panzer Division"])
    assert s.refuses("bring on L. Korps", because="10.16")
    s.do("buy XXXIX. Panzer Korps")
    s.do("enter XXXIX. Panzer Korps 0419")
    assert s.points == (0, 4)  # the opponent scores them
    s = russian(leningrad, 6, waiting=["52. Army"])
    s.do("buy 52. Army")
    s.do("enter 52. Army 2006")
    assert s.points == (2, 0)


@rule("10.16")
def test_not_before_their_turn_and_not_if_the_option_is_off(leningrad: Game) -> None:
    s = german(leningrad, 4)
    assert s.refuses("buy L. Korps", because="10.25")
    s = german(leningrad, 6, waiting=["L. Korps", "XXVI. Korps"], options={"optional_units": False})
    assert s.refuses("buy L. Korps", because="10.16")


# ---------------------------------------------------------------- the withdrawal

FORCE = {"4. Panzer Gruppe": "0318", "6. Panzer Division": "0318", "8. Panzer Division": "0418",
         "LVI. Panzer Korps": "0418", "I. Korps": "0418", "48. Army": "0904"}  # fmt: skip
OPTIONALS = {"XXXIX. Panzer Korps": "0419", "L. Korps": "0419", "12. Panzer Division": "0419"}


def withdrawal(leningrad: Game, die: int, units: dict[str, Any] = FORCE, **more: Any) -> State:
    more.setdefault("air", ["I. Fliegerkorps", "VIII. Fliegerkorps"])
    s: State = leningrad.position(turn=8, phase="german.reinforcement", units=units, waiting=[], dice=(die,), **more)
    return s


@rule("10.18", "10.22")
def test_the_group_a_panzer_division_and_a_fliegerkorps_go(leningrad: Game) -> None:
    s = withdrawal(leningrad, 3)
    assert has(s, "gone", "4. Panzer Gruppe")  # no choice
    assert legal(s) == ["withdraw 6. Panzer Division", "withdraw 8. Panzer Division"]
    s.do("withdraw 8. Panzer Division")
    assert legal(s) == ["withdraw I. Fliegerkorps", "withdraw VIII. Fliegerkorps"]
    s.do("withdraw VIII. Fliegerkorps")
    assert s.phase == "german.movement"
    assert s.place("LVI. Panzer Korps") == "0418"


@rule("10.18")
def test_only_on_the_last_september_turn(leningrad: Game) -> None:
    assert leningrad.calendar.dates[8] == "21-30 Sep"
    s = leningrad.position(turn=7, phase="german.reinforcement", units=FORCE, waiting=[], dice=(3,))
    assert s.dice == (3,)
    assert not has(s, "gone", "4. Panzer Gruppe")


@rule("10.19")
def test_an_operational_fliegerkorps_or_the_one_back_soonest(leningrad: Game) -> None:
    s = withdrawal(leningrad, 3, air=["I. Fliegerkorps"], shot_down={"VIII. Fliegerkorps": 9})
    s.do("withdraw 6. Panzer Division")
    assert has(s, "gone", "I. Fliegerkorps")
    s = withdrawal(leningrad, 3, air=[], shot_down={"I. Fliegerkorps": 10, "VIII. Fliegerkorps": 9})
    s.do("withdraw 6. Panzer Division")
    assert has(s, "gone", "VIII. Fliegerkorps")


@rule("10.18", "10.20", "10.22", "10.23")
def test_v56_with_all_optional_units(leningrad: Game) -> None:
    more = {"bought": list(OPTIONALS)}
    s = withdrawal(leningrad, 2, {**FORCE, **OPTIONALS}, **more)
    assert legal(s) == ["keep the units", "send the units to Moscow"]
    kept = s.copy()
    kept.do("keep the units")
    assert kept.points == (0, 4)
    assert kept.gone == 0
    s.do("send the units to Moscow")
    assert s.points == (0, 0)
    s = withdrawal(leningrad, 3, {**FORCE, **OPTIONALS}, **more)
    while s.phase == "german.reinforcement":
        s.do(s.legal()[0])
    gone = [name for name in leningrad.unit_names if has(s, "gone", name)]
    types = sorted(
        leningrad.counters.type[leningrad.unit(n)] + str(leningrad.counters.size[leningrad.unit(n)]) for n in gone
    )
    assert types == ["air0", "infantry2", "panzer1", "panzer1", "panzer2", "panzer3"]


@rule("10.20")
def test_only_the_kinds_that_came_in_are_asked_for(leningrad: Game) -> None:
    s = withdrawal(leningrad, 4, {**FORCE, "L. Korps": "0419"}, bought=["L. Korps"])
    s.do("withdraw 6. Panzer Division")
    s.do("withdraw I. Fliegerkorps")
    assert legal(s) == ["withdraw I. Korps", "withdraw L. Korps"]
    s.do("withdraw I. Korps")
    assert s.phase == "german.movement"


@rule("10.21")
def test_substitutes_for_a_lost_group(leningrad: Game) -> None:
    units = {name: node for name, node in FORCE.items() if name != "4. Panzer Gruppe"}
    s = withdrawal(leningrad, 4, units, lost=["4. Panzer Gruppe"])
    assert has(s, "gone", "LVI. Panzer Korps")
    units.pop("LVI. Panzer Korps")
    s = withdrawal(leningrad, 4, units, lost=["4. Panzer Gruppe", "LVI. Panzer Korps"])
    assert has(s, "gone", "I. Korps")


@rule("10.22")
@pytest.mark.parametrize(("die", "index", "waived"), [(1, "A", True), (2, "A", True), (3, "A", False), (5, "B", True)])
def test_two_chances_in_six(leningrad: Game, die: int, index: str, waived: bool) -> None:
    s = withdrawal(leningrad, die, options={"die_index": index})
    assert (asked(s) == "reinforcements.Withdrawal") == waived


@rule("10.24")
def test_4_and_52_armies_stay(leningrad: Game) -> None:
    s = withdrawal(leningrad, 3, {**FORCE, "4. Army": "2006", "52. Army": "2010"}, bought=["4. Army", "52. Army"])
    while s.phase == "german.reinforcement":
        s.do(s.legal()[0])
    assert (s.place("4. Army"), s.place("52. Army")) == ("2006", "2010")
    assert s.gone.bit_count() == 3


@rule("10.26")
def test_withdrawn_units_score_nothing_and_never_return(leningrad: Game) -> None:
    s = withdrawal(leningrad, 3)
    assert s.points == (0, 0)
    assert not has(s, "lost", "4. Panzer Gruppe")
    while s.phase == "german.reinforcement":
        s.do(s.legal()[0])
    assert s.place("4. Panzer Gruppe") is None
    until(s, "russian.movement")
    until(s, "german.movement")
    assert s.place("4. Panzer Gruppe") is None
    assert s.refuses("march 4. Panzer Gruppe", because="10.26")


@rule("10.25")
def test_the_calendar(leningrad: Any) -> None:
    assert leningrad.calendar.last_turn == 15
    assert leningrad.calendar.withdrawal_turn == 8
    assert leningrad.calendar.stages == ((), ("ilmen", "peipus"), ("ilmen", "peipus", "ladoga"))
    arrivals: dict[int, set[str]] = {}
    for name, turn in zip(leningrad.counters.names, leningrad.counters.turn, strict=True):
        arrivals.setdefault(turn, set()).add(name)
    del arrivals[0]
    assert arrivals == {
        2: {"16. Armee", "X. Korps", "II. Korps"},
        3: {
            "18. Armee",
            "XXVIII. Korps",
            "XXIII. Korps",
            "VIII. Fliegerkorps",
            "34. Army",
            "Novgorod Operational Group",
        },
        4: {"XXVI. Korps", "XXXXII. Korps", "8. Army"},
        5: {"XXXIX. Panzer Korps", "L. Korps", "12. Panzer Division"},
        6: {"52. Army"},
        7: {"42. Army", "55. Army", "54. Army", "23. Army"},
        8: {"4. Army"},
    }
    assert leningrad.data.toml("calendar.toml")["provenance"] == "reconstructed"
