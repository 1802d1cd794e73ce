"""The worked examples of the rulebook (T1-T12) and cases derived from it, as vectors with fixed dice."""

from __future__ import annotations

from typing import Any

from tests.helpers import asked, do, refused, rule
from tests.rules.narvik.play import columns, left, offers, rolled, shifts, stack, starting


@rule("2.3.6.a")
def test_t1_range_three(narvik: Any) -> None:
    units = {"FJ-Art": "1010", "SG-a": "1011", "IG-a": "1012", "SWB-a": "1013", "SG-b": "1014"}
    s = narvik.position(units=units)
    do(s, "fire KGD", "attack with FJ-Art")
    assert set(starting(s, "at")) == {"1011", "1012", "1013"}


@rule("5.1.g")
def test_t2_a_pass_is_not_final(narvik: Any) -> None:
    s = narvik.position(units={"139-1": "0919", "SG-a": "0216"})
    do(s, "pass", "movement BR", "done")
    assert s.side == "german"
    assert offers(s, "movement KGW")


@rule("5.1.f")
def test_t3_two_passes(narvik: Any) -> None:
    s = narvik.position(turn=2, units={"139-1": "0919", "SG-a": "0216"})
    do(s, "pass", "pass")
    assert s.turn == 3


@rule("6.1.e", "6.1.j")
def test_t4_hex_1912_is_a_numbered_peak(narvik: Any) -> None:
    assert narvik.node("1912") in narvik.ground.numbered
    units = {"139-1": "1912", "139-2": "1918", "139-3": "1020", "SG-a": "0115"}
    s = narvik.position(phase="turn", units=units, dice=(1, 1, 2, 6))
    assert s.ap[0] == 2


@rule("6.1.b", "6.1.f", "6.1.g")
def test_t5_thirteen_points(narvik: Any) -> None:
    units = {
        "Dietl": "0919", "139-1": "1215", "139-2": "2020", "Sig68-1": "1912", "139-3": "1918", "139-6": "1020",
        "SG-a": "0216",
    }  # fmt: skip
    s = narvik.position(phase="turn", units=units, dice=(4, 1, 2, 6))
    assert s.ap[0] == 4 + 2 + 6 + 1


@rule("7.3.a", "8.1.a")
def test_t6_okw_interest(narvik: Any) -> None:
    names = ("Ju87-1", "Ju87-2", "He111-1", "He111-2", "He111-3", "Ju88-1", "Ju88-2", "Fw200", "138-6", "BB")
    units = {**dict.fromkeys(names, "German Pool"), "139-1": "0919", "SG-a": "0216"}
    s = narvik.position(phase="german.event", units=units, dice=(1, 3, 5, 6))
    assert s.ap[0] == 12
    assert len(stack(s, "German Strikes")) + len(stack(s, "Swedish Transit")) == 8


@rule("8.3.b")
def test_t7_half_a_point_by_road(narvik: Any) -> None:
    s = narvik.position(phase="allied.action", units={"I/12": "Bardufoss", "139-1": "0919"})
    do(s, "movement NW", "move I/12", "to 2206")
    assert left(s, "I/12") == 5.5


@rule("9.0.e")
def test_t8_nationalities(narvik: Any) -> None:
    units = {"SG-a": "1720", "I/12": "1620", "ILE-a": "1820", "6CA-a": "1821", "139-15": "0919"}
    s = narvik.position(phase="allied.action", units=units)
    do(s, "movement NW", "move I/12")
    assert refused(s, "to 1720", "9.0.e")
    s = narvik.position(phase="allied.action", units=units)
    do(s, "movement FR", "move 6CA-a", "to 1820")
    assert stack(s, "1820") == ["6CA-a", "ILE-a"]


@rule("14.1.a")
def test_t9_artillery_of_two_hexes(narvik: Any) -> None:
    units = {"112-1": "1720", "112-2": "1821", "SG-a": "1920"}
    s = narvik.position(units=units)
    do(s, "fire KGD", "attack with 112-1")
    assert refused(s, "and 112-2", "14.1.a")
    s = narvik.position(units={**units, "112-2": "1720"})
    do(s, "fire KGD", "attack with 112-1", "and 112-2")
    assert dict(s.forecast("at 1920").facts)["column"] == "8"


FIVES = {"139-4": "1720", "139-14": "1720", "SG-a": "1719", "SG-b": "1719"}


@rule("14.1.c", "14.1.f", "14.1.g")
def test_t10_fire_as_a_group(narvik: Any) -> None:
    s = narvik.position(units=FIVES, dice=(6, 4))
    do(s, "fire KGW", "attack with 139-4", "and 139-14")
    events = do(s, "at 1719")
    assert columns(events) == [9, 9]
    assert (s.place("SG-b"), s.place("SG-a")) == ("Allied Eliminated", "Allied Regroup")


@rule("14.1.c", "14.1.f")
def test_t11_fire_singly(narvik: Any) -> None:
    s = narvik.position(units=FIVES, dice=(1, 5, 2))
    do(s, "fire KGW", "attack with 139-4")
    events = do(s, "at 1719")
    assert columns(events) == [4, 4]
    assert rolled(events) == ["SG-b", "SG-a"]
    assert s.place("SG-a") == "Allied Regroup"
    do(s, "attack with 139-14")
    events = do(s, "at 1719")
    assert rolled(events) == ["SG-b"]
    assert stack(s, "1719") == ["SG-b"]


@rule("14.3.a", "14.3.g", "14.3.1.a")
def test_t12_shifts_of_an_assault(narvik: Any) -> None:
    s = narvik.position(units={"139-1": "0920", "SG-a": "0921"}, options={"fog": False})  # rough, across an inlet
    do(s, "assault KGW", "attack with 139-1")
    assert shifts(s, "at 0921") == {"14.3.g": 2, "14.3.e": -1, "14.3.1.a": -1}


@rule("14.1.c", "14.3.a")
def test_t13_twelve_before_shifts(narvik: Any) -> None:
    units = {"139-4": "1720", "139-14": "1720", "139-9": "1720", "Dietl": "1820", "SG-a": "1719"}
    s = narvik.position(units=units, dice=(1, 1))
    do(s, "fire KGD", "attack with 139-4", "and 139-14", "and 139-9")  # 15
    assert columns(do(s, "at 1719")) == [11]


@rule("14.3.c")
def test_t14_column_zero(narvik: Any) -> None:
    s = narvik.position(units={"139-PiW": "1820", "SG-a": "1819"}, dice=(1,), entrenched={"1819": "allied"})
    do(s, "fire KGW", "attack with 139-PiW")
    assert columns(do(s, "at 1819")) == [0]  # 1 - 2 - 2


@rule("15.1.b", "15.1.g")
def test_t15_rout_of_four(narvik: Any) -> None:
    s = narvik.position(units={"139-4": "1720", "SG-a": "1820"}, dice=(4, 4))
    do(s, "fire KGW", "attack with 139-4", "at 1820")
    while asked(s) == "retreat.Retreat":
        s.do(s.legal()[-1])
    assert narvik.board.distance(narvik.node("1820"), narvik.node(s.place("SG-a"))) == 4


@rule("8.1.1.e", "8.1.1.f")
def test_t16_debacle(narvik: Any) -> None:
    units = {"FJ1-1": "German Arrivals", "55L-1": "1820", "139-1": "0919"}
    s = narvik.position(phase="reinforcement", units=units, dice=(6,))
    do(s, "land FJ1-1 in 1720")
    assert s.place("FJ1-1") == "German Eliminated"


@rule("17.0.c", "17.0.d")
def test_t17_regroup_on_four(narvik: Any) -> None:
    units = {"139-1": "German Regroup", "139-4": "German Regroup", "139-6": "0919", "SG-a": "0216"}
    s = narvik.position(units=units, dice=(4, 4))
    do(s, "regroup KGW")
    assert (s.place("139-1"), s.place("139-4")) == ("German Regroup", "0919")


@rule("14.3.k")
def test_t18_flak(narvik: Any) -> None:
    units = {"Ju88-1": "German Strikes", "SG-a": "1820", "55L-1": "1920", "139-1": "0919"}
    s = narvik.position(units=units, dice=(1,))
    do(s, "air support", "strike with Ju88-1", "on 1820")
    assert columns(do(s, "resolve the strikes")) == [3]


@rule("6.4.b")
def test_t19_tie(narvik: Any) -> None:
    s = narvik.position(phase="initiative", units={"139-1": "0919", "SG-a": "0216"}, ap={"german": 9, "allied": 9})
    assert s.side == "allied"


@rule("4.3.a", "4.2.a")
def test_t20_the_column_arrives(narvik: Any) -> None:
    units = {"SG-a": "0216", "6CA-a": "0919", "6CA-b": "1215", "I/12": "1801", "139-1": "2020"}
    s = narvik.position(turn=6, units=units, relief="Narvik", ap={"german": 1, "allied": 1})
    do(s, "pass", "pass")
    assert (s.turn, s.result.winner) == (6, "german")


@rule("10.1.b")
def test_t21_leaving_costs_three_of_six(narvik: Any) -> None:
    units = {"I/12": "1720", "139-1": "1721"}  # 1719 is rough and free of zones
    s = narvik.position(phase="allied.action", units=units)
    do(s, "movement NW", "move I/12", "to 1719")
    assert left(s, "I/12") == 1
    assert "1718" not in starting(s, "to")


@rule("12.1.c")
def test_t22_minimum_move_out_of_a_zone(narvik: Any) -> None:
    units = {"Kothe": "1820", "SG-a": "1720", "SG-b": "2020"}  # 1719, 1821, 1919, 1920 lie in zones
    s = narvik.position(units=units)
    do(s, "movement KGB", "move Kothe")
    assert starting(s, "to") == ["1819"]  # 2 + 3 > 4
    do(s, "to 1819")
    assert asked(s) == "movement.Movement"


@rule("9.0.h", "17.0.h")
def test_t23_a_fourth_unit_in_bjornfjell(narvik: Any) -> None:
    units = {"139-1": "2020", "139-2": "2020", "139-3": "2020", "139-11": "German Regroup", "SG-a": "0216",
             "I/12": "1821"}  # fmt: skip
    s = narvik.position(units=units, dice=(6,))
    do(s, "regroup KGW")
    assert stack(s, "2020")[0] == "139-11"
    do(s, "movement NW", "move I/12", "to 1920", "done", "fire KGW")
    assert starting(s, "attack with") == ["139-11"]  # only the top unit, until the hex is legal again
    assert refused(s, "attack with 139-3", "9.0.h")


@rule("13.2.f")
def test_t24_the_marines_fail(narvik: Any) -> None:
    units = {"RM": "Harstad", "SG-a": "Harstad", "139-1": "1118", "139-2": "1118"}
    s = narvik.position(phase="allied.action", units=units, dice=(6, 1))
    do(s, "amphibious assault", "escort SG-a", "storm from 1018 at 1118")
    assert (s.place("RM"), s.place("SG-a")) == ("Allied Eliminated", "Harstad")
    assert asked(s) == "actions.Act"


@rule("6.1.b")
def test_t25_points_of_the_standard_set_up(narvik: Any) -> None:
    s = narvik.start("free", seed=1)
    s.dice = (3, 3, 2, 6)
    do(s, "use the standard set-up", "use the standard set-up")
    assert s.ap == (9, 5)


@rule("16.0.a", "14.3.e")
def test_t26_warspite(narvik: Any) -> None:
    units = {"Warspite": "Allied Strikes", "139-1": "0820", "139-2": "0820", "SG-a": "0216"}
    s = narvik.position(phase="allied.action", units=units, dice=(1, 1))
    do(s, "naval support", "strike with Warspite", "on 0820")  # a village; an objective gives no cover
    assert columns(do(s, "resolve the strikes")) == [7, 7]


@rule("19.2.a")
def test_t27_the_gun_goes_anywhere_on_the_line(narvik: Any) -> None:
    s = narvik.position(units={"RR": "1119", "SG-a": "0216"})
    do(s, "movement KGD", "move RR")
    reach = set(starting(s, "to"))
    assert {"0919", "2120"} <= reach
    assert len(reach) == 13


@rule("8.3.c", "8.3.d")
def test_t28_the_queue_at_2206(narvik: Any) -> None:
    names = ("I/12", "I/16", "II/16", "6-School")
    s = narvik.position(phase="allied.action", units={**dict.fromkeys(names, "Bardufoss"), "139-1": "0919"})
    do(s, "movement NW")
    paid = []
    for name in names:
        do(s, f"move {name}", "to 2206")
        paid.append(narvik.roster.move[narvik.unit(name)] - left(s, name))
        do(s, "to 2106" if name in names[:2] else "halt")
        if asked(s) == "movement.March":
            do(s, "halt")
    assert paid == [0.5, 0.5, 1, 1]
