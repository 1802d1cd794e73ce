"""Chapter 2: strengths, odds, shifts, the allocation of attacks and the duty to attack."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from typing import Any

import pytest

from tests.helpers import asked, cited, legal, rule
from tests.rules.leningrad.play import Game, State, assault, disrupted, duel, facts, fight, has, rolled, shifts

PSKOV: dict[str, Any] = {
    "4. Panzer Gruppe": "0318", "XXXVIII. Korps": "0318", "6. Panzer Division": "0318",
    "LVI. Panzer Korps": "0418", "I. Korps": "0418", "8. Panzer Division": "0418",
    "41. Corps": {"at": "0417", "entrenched": True},
}  # fmt: skip
BOTH_BANKS = tuple(name for name in PSKOV if name != "41. Corps")


def pskov(leningrad: Game, die: int, index: str = "A") -> State:
    s: State = leningrad.position(phase="german.allocation", units=PSKOV, dice=(die,), options={"die_index": index})
    return s


# ---------------------------------------------------------------- odds and the die


@rule("2.1", "2.2")
def test_v01_factors_against_modified_factors(leningrad: Game) -> None:
    s = pskov(leningrad, die=4)
    assault(s, "0417", *BOTH_BANKS)
    s.do("end attacks")
    s.do("allow retreats")
    assert facts(s, "fight 0417") == {"attack": "20", "defence": "3", "odds": "6:1", "column": "6:1"}
    assert shifts(s, "fight 0417") == {"2.1": 21, "9.2": 1, "9.6": 1}
    assert rolled(s.do("fight 0417")) == ("6:1", "DE")


@rule("2.4")
@pytest.mark.parametrize(
    ("die", "index", "result"),
    [(4, "A", "DE"), (3, "B", "DE"), (5, "A", "D2"), (2, "B", "D2")],
    ids=["V01", "V02", "V03", "V03 on B"],
)
def test_index_b_is_index_a_upside_down(leningrad: Game, die: int, index: str, result: str) -> None:
    assert rolled(fight(pskov(leningrad, die, index), "0417", *BOTH_BANKS)) == ("6:1", result)


@rule("2.14")
def test_v04_all_attackers_over_the_velikaya(leningrad: Game) -> None:
    s = pskov(leningrad, die=3)
    assault(s, "0417", "4. Panzer Gruppe", "XXXVIII. Korps")
    s.do("end attacks")
    s.do("allow retreats")
    assert shifts(s, "fight 0417")["2.14"] == -1
    assert rolled(s.do("fight 0417")) == ("2:1", "D1")


@rule("2.14")
def test_one_attacker_on_the_defenders_bank_is_enough(leningrad: Game) -> None:
    """The road bridge at 0318/0417 makes no difference, an attacker at 0418 does."""
    s = pskov(leningrad, die=3)
    s.do("attack 0417")
    s.do("with 4. Panzer Gruppe")
    assert shifts(s, "commit")["2.14"] == -1
    assert "2.14" not in shifts(s, "with 8. Panzer Division")


@rule("2.2")
@pytest.mark.parametrize(
    ("attack", "defence", "die", "column", "result"),
    [
        (7, 5, 5, "1:1", "AD"),
        (9, 6, 6, "3:2", "AD"),
        (5, 7, 5, "1:2", "D/AE"),
        (3, 8, 2, "1:3", "-"),
        (2, 9, 1, "1:5", "D/AE"),
        (26, 3, 6, "7:1", "D2"),
    ],
    ids=["V05", "V06", "V07", "V08", "V09", "V11"],
)
def test_odds_round_toward_the_defender(
    leningrad: Game, attack: int, defence: int, die: int, column: str, result: str
) -> None:
    s = duel(leningrad, attack, defence, die)
    assert facts(s, "fight 1018")["attack"] == str(attack)
    assert facts(s, "fight 1018")["defence"] == str(defence)
    assert rolled(s.do("fight 1018")) == (column, result)


@rule("2.5")
def test_the_ground_table_as_printed(leningrad: Any) -> None:
    printed = """
        D/AE D    D    D2   D2   D2 D2 DE DE DE DE DE DE
        AE   AD   -    D1   D1   D1 D2 D2 DE DE DE DE DE
        AE   D/AE AD   -    D    D1 D1 D2 D2 DE DE DE DE
        AE   AE   D/AE AD   -    D  D1 D1 D2 D2 DE DE DE
        AE   AE   AE   D/AE AD   -  D  D1 D1 D2 D2 DE DE
        AE   AE   AE   AE   D/AE AD -  D  D1 D1 D2 D2 DE
    """
    table = leningrad.tables.ground
    assert [list(row) for row in table.rows] == [line.split() for line in printed.strip().splitlines()]
    assert " ".join(table.columns) == "1:5 1:4 1:3 1:2 1:1 3:2 2:1 3:1 4:1 5:1 6:1 7:1 10:1"
    assert table.provenance == "rulebook"


@rule("2.3")
def test_v10_no_attack_under_one_to_five(leningrad: Game) -> None:
    units: dict[str, Any] = {"22. Corps": "1018", "16. Armee": {"at": "0918", "entrenched": True}}
    s = leningrad.position(phase="russian.allocation", units=units)
    assert s.refuses("attack 0918", because="2.3")
    units["11. Army"] = "1018"
    s = leningrad.position(phase="russian.allocation", units=units)
    s.do("attack 0918")
    s.do("with 22. Corps")
    assert s.refuses("commit", because="2.3")
    s.do("with 11. Army")
    s.do("commit")


@rule("2.21")
def test_v12_no_column_beyond_ten_to_one(leningrad: Game) -> None:
    s = duel(leningrad, 31, 3, die=6, disrupted=True)
    assert shifts(s, "fight 1018")["2.13"] == 1
    assert rolled(s.do("fight 1018")) == ("10:1", "DE")


@rule("2.21", "2.15")
def test_v13_no_column_below_one_to_five(leningrad: Game) -> None:
    defenders = dict.fromkeys(("34. Army", "54. Army", "4. Army"), "1803")
    s = leningrad.position(phase="german.allocation", units={"6. Panzer Division": "1703", **defenders}, dice=(1,))
    s.do("attack 1803")
    s.do("with 6. Panzer Division")
    assert shifts(s, "commit")["2.15"] == -1
    s.do("commit")
    s.do("end attacks")
    s.do("allow retreats")
    assert rolled(s.do("fight 1803")) == ("1:5", "D/AE")


@rule("2.21", "2.14", "2.15")
def test_v15_shifts_are_added_and_applied_once(leningrad: Game) -> None:
    """12 to 4 over the Volkhov, one attacker cut off: two columns left of 3:1."""
    s = leningrad.position(
        phase="german.allocation",
        units={"16. Armee": "1411", "LVI. Panzer Korps": "1411", "I. Korps": "1411", "34. Army": "1310",
               "22. Corps": "1310"},
        dice=(2,),
    )  # fmt: skip
    assault(s, "1310", "16. Armee", "LVI. Panzer Korps", "I. Korps")
    s.do("end attacks")
    s.do("allow retreats")
    assert facts(s, "fight 1310") == {"attack": "12", "defence": "4", "odds": "3:1", "column": "3:2"}
    assert {r: n for r, n in shifts(s, "fight 1310").items() if r != "2.1"} == {"2.14": -1, "2.15": -1}
    assert rolled(s.do("fight 1310")) == ("3:2", "D1")


# ---------------------------------------------------------------- shifts


@rule("2.13", "2.16")
def test_v14_a_disrupted_and_unsupplied_defender(leningrad: Game) -> None:
    """11. Army far behind the German front, cut off from everything."""
    s = leningrad.position(
        phase="german.allocation",
        units={"4. Panzer Gruppe": "0318", "XXXVIII. Korps": "0119", "18. Armee": "0317", "I. Korps": "0319",
               "11. Army": {"at": "0218", "disrupted": True}},
        dice=(4,),
    )  # fmt: skip
    assault(s, "0218", "4. Panzer Gruppe")
    s.do("end attacks")
    s.do("allow retreats")
    found = shifts(s, "fight 0218")
    assert (found["2.13"], found["2.16"]) == (1, 1)
    assert rolled(s.do("fight 0218")) == ("4:1", "D2")


@rule("2.13", "9.6")
def test_a_city_helps_the_fit_unit_of_a_stack(leningrad: Game) -> None:
    """Luga: 1 Disrupted against 1 and the city's 1; the owner gives the city to the fit corps, so it is not half."""
    s = leningrad.position(
        phase="german.allocation",
        units={"16. Armee": "0810", "41. Corps": {"at": "0811", "disrupted": True}, "22. Corps": "0811"},
    )  # fmt: skip
    assault(s, "0811", "16. Armee")
    s.do("end attacks")
    s.do("allow retreats")
    assert facts(s, "fight 0811")["defence"] == "3"
    assert "2.13" not in shifts(s, "fight 0811")


@rule("2.13")
def test_v45_half_of_the_modified_defence_is_enough(leningrad: Game) -> None:
    """Army 3 Disrupted, corps 2 entrenched (3): 3 of 6."""
    for trench, shifted in ((True, True), (False, True)):
        s = leningrad.position(
            phase="german.allocation",
            units={"16. Armee": "0918", "11. Army": {"at": "1018", "disrupted": True},
                   "Luga Operational Group": {"at": "1018", "entrenched": trench}},
        )  # fmt: skip
        s.do("attack 1018")
        assert ("2.13" in shifts(s, "with 16. Armee")) == shifted
    s = leningrad.position(
        phase="german.allocation",
        units={"16. Armee": "0918", "22. Corps": {"at": "1018", "disrupted": True}, "11. Army": "1018"},
    )
    s.do("attack 1018")
    assert "2.13" not in shifts(s, "with 16. Armee")


@rule("2.13", "9.4")
def test_v63_the_garrison_is_left_out_of_the_half(leningrad: Game) -> None:
    s = leningrad.position(
        phase="german.allocation",
        units={"16. Armee": "1003", "22. Corps": {"at": "0903", "disrupted": True}, "16. Corps": "0903"},
    )
    s.do("attack 0903")
    found = shifts(s, "with 16. Armee")
    assert facts(s, "with 16. Armee")["defence"] == "5"
    assert found["2.13"] == 1
    assert (found["9.5"], found["9.4"]) == (2, 1)


@rule("2.15")
def test_one_unsupplied_attacker_is_enough(leningrad: Game) -> None:
    """16. Armee in 0918 is in supply, X. Korps beyond the Russians is not."""
    s = leningrad.position(
        phase="german.allocation",
        units={"16. Armee": "0918", "X. Korps": "1117", "11. Army": "1018", "27. Army": "1218", "34. Army": "1016"},
    )
    s.do("attack 1018")
    assert "2.15" not in shifts(s, "with 16. Armee")
    s.do("with 16. Armee")
    assert shifts(s, "with X. Korps")["2.15"] == -1


@rule("2.16")
def test_one_unsupplied_defender_is_enough_in_a_battle_over_two_hexes(leningrad: Game) -> None:
    """22. Corps stands on the map edge, 16. Corps in 1117 is ringed by Germans and their zones."""
    s = leningrad.position(
        phase="german.allocation",
        units={"16. Armee": "1018", "X. Korps": "1216", "I. Korps": "1016", "16. Corps": "1117", "22. Corps": "1019"},
    )
    s.do("attack 1019")
    s.do("with 16. Armee")
    assert "2.16" not in shifts(s, "commit")
    assert shifts(s, "also 1117")["2.16"] == 1


@rule("2.17")
def test_supply_is_judged_at_the_moment_of_the_battle(leningrad: Game) -> None:
    """11. Army hangs on Pskov. While 41. Corps holds it, it is in supply; the first battle takes that away."""
    s = leningrad.position(
        phase="german.allocation",
        units={"4. Panzer Gruppe": "0318", "18. Armee": "0418", "I. Korps": "0418", "16. Armee": "0118",
               "XXVI. Korps": "0216", "X. Korps": "0319", "41. Corps": "0417", "11. Army": "0317"},
        dice=(1,),
    )  # fmt: skip
    assault(s, "0417", "18. Armee", "I. Korps")
    assault(s, "0317", "4. Panzer Gruppe")
    s.do("end attacks")
    s.do("allow retreats")
    assert "2.16" not in shifts(s, "fight 0317")
    s.do("fight 0417")
    s.do("advance 18. Armee 0417")
    s.do("consolidate")
    assert shifts(s, "fight 0317")["2.16"] == 1


@rule("2.18")
def test_v16_two_trains_defend(leningrad: Game) -> None:
    s = leningrad.position(
        phase="german.allocation",
        units={"16. Armee": "1018", "LVI. Panzer Korps": "1018", "I. Korps": "1018", "11. Army": "1017",
               "Armored Train 1": "1017", "Armored Train 2": "1017"},
        dice=(6,),
    )  # fmt: skip
    assault(s, "1017", "16. Armee", "LVI. Panzer Korps", "I. Korps")
    s.do("end attacks")
    s.do("allow retreats")
    assert shifts(s, "fight 1017")["2.18"] == -2
    assert rolled(s.do("fight 1017")) == ("2:1", "-")


@rule("2.18")
def test_v17_a_train_attacks(leningrad: Game) -> None:
    s = leningrad.position(
        phase="russian.allocation",
        units={"11. Army": "0917", "22. Corps": "0917", "Armored Train 1": "0917", "LVI. Panzer Korps": "0918"},
        dice=(6,),
    )
    s.do("attack 0918")
    s.do("with Armored Train 1")
    assert s.refuses("commit", because="2.18")  # never alone
    s.do("with 11. Army")
    s.do("with 22. Corps")
    assert shifts(s, "commit")["2.18"] == 1
    s.do("commit")
    s.do("end attacks")
    s.do("fight 0918")
    assert rolled(s.do("allow retreats")) == ("3:2", "AD")
    assert not disrupted(s, "Armored Train 1")
    assert disrupted(s, "11. Army")


# ---------------------------------------------------------------- battles over several hexes, stacks, water


@rule("2.19")
def test_one_battle_over_two_hexes(leningrad: Game) -> None:
    s = leningrad.position(
        phase="german.allocation",
        units={"16. Armee": "1018", "I. Korps": "0918", "X. Korps": "1119", "22. Corps": "1118", "16. Corps": "1117"},
        dice=(6,),
    )
    s.do("attack 1118")
    s.do("with 16. Armee")
    assert "with X. Korps" in legal(s)
    s.do("also 1117")
    assert s.refuses("with I. Korps", because="2.19")  # next to neither
    assert s.refuses("with X. Korps", because="2.19")  # next to the first only
    assert facts(s, "commit")["defence"] == "2"
    s.do("commit")
    assert s.battles == (((leningrad.node("1118"), leningrad.node("1117")), (leningrad.unit("16. Armee"),)),)


@rule("2.20")
def test_no_attack_across_water(leningrad: Game) -> None:
    """0803 and 0804 touch only across the Gulf; 1314 and 1315 only across Lake Ilmen, until it freezes."""
    s = leningrad.position(phase="german.allocation", units={"16. Armee": "0804", "RBBF Marines": "0803"})
    assert s.refuses("attack 0803", because="2.20")
    for turn, frozen in ((12, False), (13, True)):
        s = leningrad.position(turn=turn, phase="german.allocation", units={"16. Armee": "1315", "11. Army": "1314"})
        assert ("attack 1314" in legal(s)) == frozen
        assert frozen or s.refuses("attack 1314", because="2.20")


@rule("2.23")
def test_a_stack_defends_and_suffers_together(leningrad: Game) -> None:
    s = duel(leningrad, 12, 4, die=5)  # 3:1, row 5: D1
    assert facts(s, "fight 1018")["defence"] == "4"
    s.do("fight 1018")
    s.do("order retreat 0")
    for unit in ("11. Army", "41. Corps"):
        assert disrupted(s, unit)


@rule("2.23")
def test_a_hex_is_attacked_once_in_a_step(leningrad: Game) -> None:
    s = leningrad.position(
        phase="german.allocation", units={"16. Armee": "0918", "18. Armee": "1019", "11. Army": "1018"}
    )
    assault(s, "1018", "16. Armee")
    assert s.refuses("attack 1018", because="2.23")


@rule("2.12")
def test_disrupted_units_do_not_attack(leningrad: Game) -> None:
    s = leningrad.position(
        phase="german.allocation", units={"16. Armee": {"at": "0918", "disrupted": True}, "11. Army": "1018"}
    )
    assert s.refuses("attack 1018", because="2.12")


# ---------------------------------------------------------------- the duty to attack


def v46(leningrad: Game, **more: Any) -> State:
    """34. Army in 1411, east of the Volkhov, its enemies all around."""
    s: State = leningrad.position(
        phase="russian.allocation",
        units={
            "34. Army": "1411", "54. Army": "1511", "X. Korps": "1412", "16. Armee": "1410",
            "8. Panzer Division": "1312", "I. Korps": "1311", "XXVI. Korps": {"at": "1510", "disrupted": True},
        },
        **more,
    )  # fmt: skip
    return s


@rule("2.6", "2.7", "2.9")
def test_v46_who_must_be_attacked_too(leningrad: Game) -> None:
    s = v46(leningrad)
    assault(s, "1412", "34. Army")
    reasons = s.why_not("end attacks")
    assert [c.rule for c in reasons] == ["2.6"]
    assert "1410" in reasons[0].text  # 16. Armee; not I. Korps over the river, nor 8. Panzer, nor XXVI.
    assert "give up all attacks" in legal(s)
    assault(s, "1410", "54. Army")  # by another unit
    assert "end attacks" in legal(s)


@rule("2.6")
def test_giving_up_ends_the_allocation_without_attacks(leningrad: Game) -> None:
    s = v46(leningrad)
    assault(s, "1412", "34. Army")
    s.do("give up all attacks")
    assert s.battles == ()
    assert s.phase != "russian.allocation"


@rule("2.7")
def test_the_river_exempts_only_if_the_first_target_is_on_the_near_bank(leningrad: Game) -> None:
    """34. Army attacks over the Volkhov: then the other Germans over it are no longer exempt."""
    s = leningrad.position(
        phase="russian.allocation",
        units={"34. Army": "1411", "54. Army": "1411", "I. Korps": "1311", "X. Korps": "1310"},
    )
    assault(s, "1311", "34. Army")
    assert s.refuses("end attacks", because="2.6")


@rule("2.8")
def test_germans_across_open_water_need_not_be_attacked(leningrad: Game) -> None:
    for turn, frozen in ((12, False), (13, True)):
        s = leningrad.position(
            turn=turn,
            phase="russian.allocation",
            units={"34. Army": "1315", "54. Army": "1315", "X. Korps": "1314", "6. Panzer Division": "1415"},
        )
        assault(s, "1415", "34. Army")
        assert ("end attacks" in legal(s)) == (not frozen)


@rule("2.22")
def test_the_duty_spreads_to_the_neighbours_of_those_who_join(leningrad: Game) -> None:
    s = leningrad.position(
        phase="russian.allocation",
        units={"11. Army": "1803", "34. Army": "1804", "I. Korps": "1703", "X. Korps": "1704", "XXVI. Korps": "1805"},
    )
    assault(s, "1703", "11. Army")
    assert "1704" in s.why_not("end attacks")[0].text
    assault(s, "1704", "34. Army")
    assert [c.rule for c in s.why_not("end attacks")] == ["2.6"]
    assert "1805" in s.why_not("end attacks")[0].text


@rule("2.10")
def test_a_german_attack_may_be_cancelled(leningrad: Game) -> None:
    s = duel(leningrad, 12, 4)
    s.do("cancel 1018")
    assert s.battles == ()
    assert not has(s, "attacked", "4. Panzer Gruppe")


@rule("2.10")
def test_under_the_switch_a_required_german_attack_stands(leningrad: Game) -> None:
    units = {"16. Armee": "1018", "X. Korps": "1018", "22. Corps": "1117", "16. Corps": "1118"}
    for symmetric in (False, True):
        s = leningrad.position(
            phase="german.allocation", units=units, options={"symmetric_obligation": symmetric}, dice=(6,)
        )
        assault(s, "1117", "16. Armee")
        assert s.refuses("end attacks", because="2.6") == symmetric
        assault(s, "1118", "X. Korps")
        s.do("end attacks")
        s.do("allow retreats")
        assert ("cancel 1118" in legal(s)) == (not symmetric)
        assert s.refuses("cancel 1118", because="2.10") == symmetric


@rule("2.11")
def test_a_russian_attack_stands(leningrad: Game) -> None:
    s = leningrad.position(phase="russian.allocation", units={"11. Army": "1018", "I. Korps": "0918"})
    assault(s, "0918", "11. Army")
    s.do("end attacks")
    assert legal(s) == ["fight 0918"]
    assert s.refuses("cancel 0918", because="2.11")


@rule("2.24")
def test_fleet_fire_may_leave_no_attack(leningrad: Game) -> None:
    s = leningrad.position(
        phase="german.allocation",
        units={"I. Korps": "0705", "Red Banner Baltic Fleet": "0704", "11. Army": "0704", "48. Army": "0904"},
        dice=(2,),
    )
    fight(s, "0704", "I. Korps")
    assert asked(s) == "fleet.Shield"
    events = s.do("fire at 0705")
    assert "2.24" in cited(events)
    assert not any(event.kind == "battle" for event in events)
    assert s.phase == "german.blitzkrieg"


@rule("2.24", "2.3")
def test_or_odds_under_one_to_five(leningrad: Game) -> None:
    s = leningrad.position(
        phase="german.allocation",
        units={"16. Armee": "0705", "6. Panzer Division": "0604", "Red Banner Baltic Fleet": "0704",
               **dict.fromkeys(("11. Army", "34. Army", "54. Army", "22. Corps", "16. Corps"), "0704")},
        dice=(2,),
    )  # fmt: skip
    fight(s, "0704", "16. Armee", "6. Panzer Division")
    assert "2.24" in cited(s.do("fire at 0705"))


# ---------------------------------------------------------------- forecasts


@rule("2.5")
def test_the_forecast_gives_exact_chances(leningrad: Game) -> None:
    s = duel(leningrad, 9, 3)
    forecast = s.forecast("fight 1018")
    assert forecast is not None
    assert forecast.chance("DE") == Fraction(1, 6)
    assert forecast.chance("D2") == Fraction(2, 6)
    assert forecast.chance("D1") == Fraction(2, 6)
    assert forecast.chance("D") == Fraction(1, 6)
    assert all(m.rule in leningrad.rules for m in forecast.modifiers)


@rule("2.2", "2.3")
@pytest.mark.parametrize(("defence", "odds"), [(10, "1:5"), (8, "1:4"), (2, "1:1")])
def test_the_forecast_tells_the_odds_down_to_the_lowest(leningrad: Game, defence: int, odds: str) -> None:
    forecast = duel(leningrad, 2, defence).forecast("fight 1018")
    assert forecast is not None
    assert dict(forecast.facts)["odds"] == odds


@rule("2.5")
def test_an_owner_may_correct_the_table_without_python(leningrad: Game) -> None:
    text = leningrad.data.text("tables.toml")
    table = tomllib.loads(text)["ground"]
    assert len(table["rows"]) == 6
    assert all(len(row) == 13 for row in table["rows"])


@rule("2.3", "2.18")
def test_what_is_told_of_an_attack_that_cannot_be_made_yet(leningrad: Game) -> None:
    dug_in = {name: {"at": "1018", "entrenched": True} for name in ("11. Army", "34. Army", "42. Army", "48. Army")}
    s = leningrad.position(phase="german.allocation",
                           units={"6. Panzer Division": "0918", "16. Armee": "0918", **dug_in})  # fmt: skip
    s.do("attack 1018")
    forecast = s.forecast("with 6. Panzer Division")
    assert forecast is not None
    assert dict(forecast.facts)["odds"] == "under 1:5"
    s = leningrad.position(phase="russian.allocation",
                           units={"11. Army": "1018", "Armored Train 1": "1017", "I. Korps": "1117"})  # fmt: skip
    s.do("attack 1117")
    assert s.forecast("with Armored Train 1") is None  # trains have no factor


@rule("1.4")
def test_attacks_that_could_be_made_are_not_forgotten(leningrad: Game) -> None:
    units = {"I. Korps": "0918", "X. Korps": "1119", "22. Corps": "1018", "11. Army": "1219"}
    s = leningrad.position(phase="german.allocation", units=units)

    def undone() -> str:
        found: str = s.view(s.side)["decision"]["undone"]
        return found

    assert undone() == "no attack is allocated, though 2 hexes can be attacked"
    for action in ("attack 1018", "with I. Korps", "commit"):
        s.do(action)
    assert undone() == ""
