"""Chapter 17: regrouping."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import pytest

from tests.helpers import do, refused, rule
from tests.rules.narvik.play import offers, stack, starting

BASE = {"139-6": "0919", "SG-a": "0216", "SG-b": "0216"}


def german(narvik: Any, units: dict[str, str], *dice: int, **more: Any) -> Any:
    return narvik.position(units={**BASE, **units}, dice=dice, **more)


def allied(narvik: Any, units: dict[str, str], *dice: int) -> Any:
    return narvik.position(phase="allied.action", units={**BASE, **units}, dice=dice)


@rule("17.0.a")
def test_units_of_one_sub_command(narvik: Any) -> None:
    units = {"139-1": "German Regroup", "139-7": "German Regroup"}
    s = german(narvik, units, 6, ap={"german": 4, "allied": 4})
    assert offers(s, "regroup KGW")
    assert not offers(s, "regroup KGB")
    do(s, "regroup KGW")
    assert s.ap[0] == 3
    assert s.place("139-1") == "0919"
    assert s.place("139-7") == "German Regroup"


@rule("17.0.b", "17.0.c", "17.0.d")
def test_the_forecast_is_what_the_dice_bring(narvik: Any) -> None:
    units = {"139-1": "German Regroup", "139-4": "German Regroup"}  # elite and not
    s = german(narvik, units)
    forecast = s.forecast("regroup KGW")
    seen: Counter[str] = Counter()
    for faces in product(range(1, 7), repeat=2):
        tried = german(narvik, units, *faces)
        do(tried, "regroup KGW")
        places = [tried.place(name) for name in units]
        seen[f"{places.count('0919')} regroup, {places.count('German Eliminated')} eliminated"] += 1
    assert {o.result: o.chance * 36 for o in forecast.outcomes} == seen
    assert forecast.notes == ()
    barred = narvik.position(units={**units, "SG-a": "0216"}).forecast("regroup KGW")
    assert "139-1 + 139-4" in barred.notes[0]  # no German holds an objective
    assert s.forecast("pass") is None


@rule("17.0.b")
def test_every_unit_rolls_and_returns_at_once(narvik: Any) -> None:
    units = {"139-1": "German Regroup", "139-2": "German Regroup", "139-3": "German Regroup"}
    s = german(narvik, units, 6, 1, 5)
    do(s, "regroup KGW")
    assert [s.place(u) for u in ("139-1", "139-2", "139-3")] == ["0919", "German Eliminated", "0919"]


@rule("17.0.j")
def test_one_point_for_all(narvik: Any) -> None:
    units = {"139-1": "German Regroup", "139-2": "German Regroup"}
    s = german(narvik, units, 2, 2, ap={"german": 1, "allied": 1})
    do(s, "regroup KGW")
    assert s.ap[0] == 0


@pytest.mark.parametrize("die", range(1, 7))
@rule("17.0.c", "17.0.d")
def test_the_regroup_table(narvik: Any, die: int) -> None:
    elite = {1: "Allied Eliminated", 5: "Harstad", 6: "Harstad"}.get(die, "Allied Regroup")
    other = {1: "Allied Eliminated", 4: "Harstad", 5: "Harstad", 6: "Harstad"}.get(die, "Allied Regroup")
    s = allied(narvik, {"6CA-a": "Allied Regroup"}, die)
    do(s, "regroup FR")
    assert s.place("6CA-a") == elite
    s = allied(narvik, {"14AC": "Allied Regroup"}, die)
    do(s, "regroup FR")
    assert s.place("14AC") == other


@rule("17.0.e")
def test_a_unit_without_effect_may_try_again(narvik: Any) -> None:
    s = german(narvik, {"139-1": "German Regroup"}, 3, 6)
    do(s, "regroup KGW", "pass")
    assert offers(s, "regroup KGW")
    do(s, "regroup KGW")
    assert s.place("139-1") == "0919"


@rule("17.0.f")
def test_where_allied_units_return(narvik: Any) -> None:
    units = dict.fromkeys(("IG-a", "6CA-a", "1HL-a", "I/12"), "Allied Regroup")
    for sub, name, area in (("BR", "IG-a", "Harstad"), ("FR", "6CA-a", "Harstad"), ("PL", "1HL-a", "Harstad"),
                            ("NW", "I/12", "Bardufoss")):  # fmt: skip
        s = allied(narvik, units, 6)
        do(s, f"regroup {sub}")
        assert s.place(name) == area


@rule("17.0.g")
def test_where_german_units_return(narvik: Any) -> None:
    s = german(narvik, {"139-1": "German Regroup", "139-7": "2020", "139-8": "1215", "I/12": "1214"}, 6)
    do(s, "regroup KGW")
    assert set(starting(s, "return 139-1 in")) == {"0919", "2020"}  # 1215 lies in an enemy zone
    assert refused(s, "return 139-1 in 1215", "17.0.g")
    assert refused(s, "return 139-1 in 1821", "17.0.g")
    do(s, "return 139-1 in 2020")
    assert s.place("139-1") == "2020"
    s = german(narvik, {"139-1": "German Regroup", "139-6": "1821"}, 6, control={"0919": "german"})
    do(s, "regroup KGW")
    assert s.place("139-1") == "German Regroup"  # no objective is occupied


@rule("17.0.h")
def test_german_units_may_overstack(narvik: Any) -> None:
    s = german(narvik, {"139-7": "0919", "139-8": "0919", "139-1": "German Regroup"}, 6)
    do(s, "regroup KGW")
    assert len(stack(s, "0919")) == 4
    assert narvik.check(s) == []


@rule("17.0.i")
def test_no_second_drop(narvik: Any) -> None:
    s = german(narvik, {"FJ1-1": "German Regroup"}, 6)
    do(s, "regroup KGD")
    assert s.place("FJ1-1") == "0919"
    assert not any(a.kind == "land" for a in s.legal())
