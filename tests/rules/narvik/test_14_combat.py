"""Chapter 14: ground unit fire and close assault."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from tests.helpers import asked, cited, do, legal, refused, rule
from tests.rules.narvik.play import columns, offers, rolled, shifts, stack, starting


def aimed(narvik: Any, units: dict[str, str], sub: str, *group: str, action: str = "fire", **more: Any) -> Any:
    """A position in which a group is about to name its target."""
    phase = "german.action" if sub.startswith("KG") else "allied.action"
    s = narvik.position(phase=phase, units=units, **more)
    do(s, f"{action} {sub}", f"attack with {group[0]}", *[f"and {name}" for name in group[1:]])
    return s


@rule("14.0.a")
def test_any_or_all_units_fire(narvik: Any) -> None:
    units = {"139-1": "1720", "139-4": "1720", "139-2": "1821", "139-7": "1821", "SG-a": "1820"}
    s = narvik.position(units=units, dice=(1, 1))
    do(s, "fire KGW")
    assert set(starting(s, "attack with")) == {"139-1", "139-4", "139-2"}
    do(s, "attack with 139-1", "at 1820", "attack with 139-2", "at 1820")
    assert starting(s, "attack with") == ["139-4"]
    assert offers(s, "done")


@rule("14.0.b")
def test_direct_fire_is_at_an_adjacent_hex(narvik: Any) -> None:
    s = aimed(narvik, {"139-1": "1720", "SG-a": "1820", "SG-b": "1920"}, "KGW", "139-1")
    assert starting(s, "at") == ["1820"]


@rule("14.0.c")
def test_ranged_fire_needs_a_printed_range(narvik: Any) -> None:
    units = {"139-1": "1720", "112-1": "1720", "SG-a": "1820", "SG-b": "1920"}
    s = aimed(narvik, units, "KGW", "139-1")
    assert refused(s, "at 1920", "14.0.c")
    s = aimed(narvik, units, "KGD", "112-1")
    assert set(starting(s, "at")) == {"1820", "1920"}


@rule("14.0.d")
def test_fire_and_assault_are_separate_actions(narvik: Any) -> None:
    units = {"139-1": "1720", "139-4": "1720", "SG-a": "1820", "SG-b": "1920"}
    s = aimed(narvik, units, "KGW", "139-1", action="assault")
    assert starting(s, "at") == ["1820"]
    assert "14.3.g" in shifts(s, "at 1820")
    s = aimed(narvik, units, "KGW", "139-1")
    assert "14.3.g" not in shifts(s, "at 1820")
    s = narvik.position(units=units)
    do(s, "assault KGW")
    assert refused(s, "attack with 139-4", "14.4.a")


@rule("14.0.e", "14.1.h")
def test_a_unit_attacks_once(narvik: Any) -> None:
    s = aimed(narvik, {"139-1": "1720", "SG-a": "1820", "SG-b": "1721"}, "KGW", "139-1", dice=(1,))
    do(s, "at 1820")
    assert not starting(s, "attack with")
    assert refused(s, "attack with 139-1", "14.1.h")


@rule("14.0.f", "14.1.f")
def test_a_die_for_each_unit_from_the_top(narvik: Any) -> None:
    s = aimed(narvik, {"139-4": "1720", "SG-a": "1820", "SG-b": "1820"}, "KGW", "139-4", dice=(1, 1))
    assert rolled(do(s, "at 1820")) == ["SG-b", "SG-a"]


@rule("14.0.g")
def test_a_stack_may_be_attacked_again(narvik: Any) -> None:
    s = narvik.position(units={"139-1": "1720", "139-2": "1821", "SG-a": "1820"}, dice=(1, 1))
    do(s, "fire KGW", "attack with 139-1", "at 1820", "attack with 139-2")
    assert rolled(do(s, "at 1820")) == ["SG-a"]


@rule("14.0.h")
def test_units_of_a_stack_fire_at_different_hexes(narvik: Any) -> None:
    s = narvik.position(units={"139-1": "1720", "139-4": "1720", "SG-a": "1820", "SG-b": "1721"}, dice=(1, 1))
    do(s, "fire KGW", "attack with 139-1", "at 1820", "attack with 139-4")
    assert rolled(do(s, "at 1721")) == ["SG-b"]


@rule("14.0.i")
def test_nobody_has_to_fire(narvik: Any) -> None:
    units = {"139-1": "1720", "139-4": "1720", "SG-a": "1820", "Ju87-1": "German Strikes"}
    s = aimed(narvik, units, "KGW", "139-1")
    do(s, "back", "done")
    assert s.side == "allied"
    s = narvik.position(units=units)
    do(s, "air support")
    assert refused(s, "attack with 139-1", "14.0.i")


@rule("14.1.a")
def test_groups_of_one_hex(narvik: Any) -> None:
    units = {"139-1": "1720", "139-4": "1720", "139-2": "1821", "SG-a": "1820"}
    s = aimed(narvik, units, "KGW", "139-1")
    assert starting(s, "and") == ["139-4"]
    assert refused(s, "and 139-2", "14.1.a")
    do(s, "and 139-4")
    assert dict(s.forecast("at 1820").facts)["fire factors"] == "8"


@rule("14.1.b")
def test_the_target_is_in_range_of_all(narvik: Any) -> None:
    units = {"139-1": "1720", "139-4": "1720", "SG-a": "1820", "SG-b": "1920", "SWB-a": "1704"}
    s = aimed(narvik, units, "KGW", "139-4")
    assert set(starting(s, "at")) == {"1820", "1920"}
    do(s, "and 139-1")
    assert starting(s, "at") == ["1820"]
    assert refused(s, "at 1621", "14.1.b")  # nobody there


@rule("14.1.c")
def test_the_sum_picks_the_column_up_to_twelve(narvik: Any) -> None:
    units = {"139-1": "1720", "139-4": "1720", "139-14": "1720", "SG-a": "1820"}
    for group, column in ((("139-1",), "3"), (("139-1", "139-4"), "8"), (("139-1", "139-4", "139-14"), "12")):
        s = aimed(narvik, units, "KGW", *group)  # 3, 8, 13
        assert dict(s.forecast("at 1820").facts)["column"] == column


@rule("14.1.d")
def test_defending_fire_factors_do_not_count(narvik: Any) -> None:
    for defenders in (("SG-a",), ("SG-a", "SG-b"), ("55RE",)):
        s = aimed(narvik, {"139-4": "1720", **dict.fromkeys(defenders, "1820")}, "KGW", "139-4", dice=(1, 1))
        assert set(columns(do(s, "at 1820"))) == {5}


@rule("14.1.e")
def test_shifts_come_before_the_die(narvik: Any) -> None:
    s = aimed(narvik, {"139-4": "1720", "SG-a": "1719"}, "KGW", "139-4", dice=(6,))  # rough: column 4
    assert columns(do(s, "at 1719")) == [4]
    assert s.place("SG-a") == "Allied Regroup"


@rule("14.1.g")
def test_results_apply_at_once(narvik: Any) -> None:
    units = {"139-4": "1720", "SG-a": "1820", "SG-b": "1820"}
    s = aimed(narvik, units, "KGW", "139-4", dice=(4, 1, 1))  # SG-b routs one hex before SG-a is rolled for
    events = do(s, "at 1820")
    assert rolled(events) == ["SG-b"]
    assert asked(s) == "retreat.Retreat"
    events = do(s, "retreat SG-b to 1919")
    assert rolled(events) == ["SG-a"]


@rule("14.2.a")
def test_range_limit(narvik: Any) -> None:
    units = {"112-1": "1720", "SG-a": "2021", "SG-b": "2120"}  # distances 3 and 4
    s = aimed(narvik, {**units, "SWB-a": "2119"}, "KGD", "112-1")
    distance = {label: narvik.board.distance(narvik.node("1720"), narvik.node(label)) for label in starting(s, "at")}
    assert max(distance.values()) == 4
    s = aimed(narvik, {"139-4": "1720", "SG-a": "1920", "SG-b": "2021"}, "KGW", "139-4")
    assert refused(s, "at 2021", "14.2.a")


@rule("14.2.g")
def test_range_counts_the_target_hex(narvik: Any) -> None:
    s = aimed(narvik, {"139-4": "1720", "SG-a": "1920"}, "KGW", "139-4")
    assert narvik.board.distance(narvik.node("1720"), narvik.node("1920")) == 2
    assert offers(s, "at 1920")
    s = aimed(narvik, {"139-1": "1912", "SG-a": "1913"}, "KGW", "139-1")
    assert offers(s, "at 1913")  # from peak to peak next to each other: no test of the line


@rule("14.2.b", "14.2.c")
def test_peaks_block_the_straight_line(narvik: Any) -> None:
    s = narvik.position(units={"112-1": "1711", "SG-a": "1713"})  # 1712 lies between
    assert not offers(s, "fire KGD")
    s = aimed(narvik, {"112-1": "1711", "SG-a": "1713", "SG-b": "1712"}, "KGD", "112-1")
    assert starting(s, "at") == ["1712"]  # into a peak
    assert refused(s, "at 1713", "14.2.b")
    s = aimed(narvik, {"112-1": "1712", "SG-a": "1714"}, "KGD", "112-1")
    assert starting(s, "at") == ["1714"]  # out of a peak
    s = aimed(narvik, {"112-1": "1720", "SG-a": "1920"}, "KGD", "112-1")
    assert offers(s, "at 1920")


def clear(narvik: Any, here: int, there: int) -> bool:
    return bool(narvik.ground.fire_mask[-1][here] >> there & 1)


@rule("14.2.d")
def test_a_line_along_a_hexside(narvik: Any) -> None:
    assert not clear(narvik, narvik.node("1813"), narvik.node("2013"))  # between the peaks 1912 and 1913
    assert clear(narvik, narvik.node("1613"), narvik.node("1813"))  # between the peak 1712 and rough 1713
    assert not clear(narvik, narvik.node("1720"), narvik.node("1917"))  # over the middle of the peak 1819
    s = narvik.position(units={"112-1": "1813", "SG-a": "2013"})
    assert not offers(s, "fire KGD")
    s = narvik.position(units={"112-1": "1613", "SG-a": "1813"})
    assert offers(s, "fire KGD")


def _inside(start: tuple[int, int], end: tuple[int, int], centre: tuple[int, int]) -> tuple[Any, Any, bool] | None:
    """The part of a line that runs in a hex, with whether it runs along a side of it; None if it has no length.

    Plain geometry: x in halves of a side, y in halves of a hex's height, so that a hex lies within |y| <= 1 and
    |x| + |y| <= 2 of its centre.
    """
    low, high, along = Fraction(0), Fraction(1), False
    for dx, dy, limit in ((0, 1, 1), (0, -1, 1), (1, 1, 2), (1, -1, 2), (-1, 1, 2), (-1, -1, 2)):
        a, b = (limit - dx * (x - centre[0]) - dy * (y - centre[1]) for x, y in (start, end))
        if a == b:
            if a < 0:
                return None
            along = along or a == 0
        elif a < b:
            low = max(low, Fraction(-a, b - a))
        else:
            high = min(high, Fraction(a, a - b))
    return (low, high, along) if low < high else None


@rule("14.2.b", "14.2.c", "14.2.d")
def test_lines_of_fire_against_plain_geometry(narvik: Any) -> None:
    """Whatever is in range of a peak: the line is blocked inside a peak, or along a side that two peaks share."""
    ground, longest = narvik.ground, len(narvik.ground.fire_mask) - 1
    centres = [(3 * int(c[:2]), 2 * int(c[2:]) - (int(c[:2]) % 2 == 0)) for c in narvik.board.labels[: ground.hexes]]
    for peak in sorted(ground.peaks)[::5]:
        near = [n for n in narvik.board.within(peak, longest - 1) if ground.land[n]]
        for here, there in product(near[::2], near):
            if not 1 < narvik.board.distance(here, there) <= longest:
                continue
            touched = [_inside(centres[here], centres[there], centres[p]) for p in ground.peaks - {here, there}]
            parts = [part for part in touched if part]
            sides = [part for part in parts if part[2]]
            blocked = len(sides) < len(parts) or len(set(sides)) < len(sides)
            assert clear(narvik, here, there) != blocked, (here, there)


@rule("14.2.e")
def test_fire_over_sea(narvik: Any) -> None:
    s = aimed(narvik, {"139-1": "0919", "SG-a": "0820"}, "KGW", "139-1")
    assert offers(s, "at 0820")  # across an all-sea hexside
    s = aimed(narvik, {"112-1": "0919", "SG-a": "1117"}, "KGD", "112-1")
    assert offers(s, "at 1117")  # across sea hexes


@rule("14.2.f", "14.4.c")
def test_no_assault_over_sea(narvik: Any) -> None:
    s = narvik.position(units={"139-1": "0919", "SG-a": "0820"})
    assert not offers(s, "assault KGW")
    s = aimed(narvik, {"139-1": "0919", "SG-a": "0820", "SG-b": "0920"}, "KGW", "139-1", action="assault")
    assert refused(s, "at 0820", "14.4.c")
    s = aimed(narvik, {"139-1": "1419", "SG-a": "1420"}, "KGW", "139-1", action="assault")
    assert offers(s, "at 1420")  # across an inlet


@rule("14.3.a")
def test_shifts_are_summed(narvik: Any) -> None:
    units = {"139-1": "1720", "6CA-a": "1719"}  # elite +2, rough -1, elite defender -1
    s = aimed(narvik, units, "KGW", "139-1", action="assault", dice=(1,), options={"fog": False})
    assert sum(shifts(s, "at 1719").values()) == 0
    assert columns(do(s, "at 1719")) == [3]


@rule("14.3.b")
def test_never_above_column_twelve(narvik: Any) -> None:
    units = {"139-1": "1720", "139-2": "1720", "139-3": "1720", "SG-a": "1820"}
    s = aimed(narvik, {**units, "SF": "1719"}, "KGW", "139-1", "139-2", "139-3", action="assault", dice=(1, 3))
    assert columns(do(s, "at 1820")) == [11]
    units = {"2GD-1": "1720", "2GD-2": "1720", "SG-a": "1820"}
    s = aimed(narvik, units, "KGD", "2GD-1", "2GD-2", action="assault", dice=(1,))
    assert columns(do(s, "at 1820")) == [12]  # 12 + 2


@rule("14.3.c")
def test_column_zero_only_by_shifts(narvik: Any) -> None:
    s = aimed(narvik, {"139-PiW": "1820", "SG-a": "1819"}, "KGW", "139-PiW", dice=(5,))  # 1 - 2 on a peak
    assert columns(do(s, "at 1819")) == [0]
    assert s.place("SG-a") == "1819"  # column 0 needs a six
    s = aimed(narvik, {"139-PiW": "1820", "SG-a": "1920"}, "KGW", "139-PiW", dice=(1,))
    assert columns(do(s, "at 1920")) == [1]


@rule("14.3.d", "14.3.f")
def test_a_shift_against_one_unit_only(narvik: Any) -> None:
    units = {"139-5": "1720", "SG-a": "1820", "3KOH": "1820"}
    s = aimed(narvik, units, "KGW", "139-5", dice=(1, 1))
    events = do(s, "at 1820")
    assert dict(zip(rolled(events), columns(events), strict=True)) == {"3KOH": 5, "SG-a": 4}
    s = aimed(narvik, {"139-4": "1720", "3KOH": "1820"}, "KGW", "139-4", dice=(1,))
    assert columns(do(s, "at 1820")) == [5]  # no anti-armour unit


@rule("14.3.m", "14.3.g", "14.3.h")
def test_elite_or_plain_assault(narvik: Any) -> None:
    units = {"139-1": "1720", "SG-a": "1820"}
    s = aimed(narvik, units, "KGW", "139-1", action="assault")
    assert shifts(s, "at 1820") == {"14.3.g": 2}
    s = aimed(narvik, {"Kothe": "1720", "SG-a": "1820"}, "KGB", "Kothe", action="assault")
    assert shifts(s, "at 1820") == {"14.3.h": 1}
    mixed = {"Kothe": "1720", "139-1": "1720", "Dietl": "1720", "SG-a": "1820"}
    s = aimed(narvik, mixed, "KGD", "139-1", "Kothe", action="assault", dice=(1,))
    assert shifts(s, "at 1820") == {"14.3.g": 2}  # one elite unit is enough
    assert columns(do(s, "at 1820")) == [7]


@rule("14.3.e")
def test_terrain_shifts_from_the_chart(narvik: Any) -> None:
    for label, start, shift in (("1719", "1720", -1), ("1819", "1820", -2), ("1821", "1720", -1), ("1911", "1811", 1)):
        s = aimed(narvik, {"139-4": start, "SG-a": label}, "KGW", "139-4", dice=(1,))
        assert shifts(s, f"at {label}") == {"14.3.e": shift}
        assert columns(do(s, f"at {label}")) == [5 + shift]
    s = aimed(narvik, {"139-4": "1720", "SG-a": "1820"}, "KGW", "139-4")
    assert shifts(s, "at 1820") == {}
    chart = narvik.tables.terrain
    assert narvik.ground.assault_shift[narvik.node("1819")] == chart["peak"]["assault"]


@rule("14.3.i", "14.3.j")
def test_an_elite_defender_shields_the_hex_even_when_gone(narvik: Any) -> None:
    units = {"139-1": "1720", "139-2": "1720", "14AC": "1820", "6CA-a": "1820"}
    s = aimed(narvik, units, "KGW", "139-1", "139-2", action="assault", dice=(6, 1))
    events = do(s, "at 1820")
    assert rolled(events) == ["6CA-a", "14AC"]
    assert s.place("6CA-a") == "Allied Eliminated"
    assert columns(events) == [7, 7]  # 6 + 2 - 1 for both
    plain = aimed(narvik, {"139-1": "1720", "14AC": "1820"}, "KGW", "139-1", action="assault", dice=(1,))
    assert columns(do(plain, "at 1820")) == [5]


@rule("14.3.k")
def test_flak_in_or_next_to_the_hex(narvik: Any) -> None:
    strike = ("air support", "strike with Ju87-1", "on 1820", "resolve the strikes")
    near, far, two = {"55L-1": "1920"}, {"55L-1": "2020"}, {"55L-1": "1920", "51H-1": "1821"}
    for flak, column in (({"55L-1": "1820"}, 4), (near, 4), (far, 6), (two, 4)):
        units = {"139-1": "1720", "SG-a": "1820", "Ju87-1": "German Strikes", **flak}
        s = narvik.position(units=units, dice=(1, 1))
        assert set(columns(do(s, *strike))) == {column}


@rule("14.3.l")
def test_defenders_twice_as_strong(narvik: Any) -> None:
    units = {"139-Ski": "1720", "SG-a": "1820"}  # 2 against 5
    s = aimed(narvik, units, "KGW", "139-Ski", action="assault", dice=(1,))
    assert columns(do(s, "at 1820")) == [2 + 2 - 1]
    assert "14.3.l" in cited(s.events)
    s = aimed(narvik, {"139-1": "1720", "SG-a": "1820"}, "KGW", "139-1", action="assault", dice=(1,))
    assert columns(do(s, "at 1820")) == [5]  # 3 against 5
    s = aimed(narvik, {"139-Ski": "1720", "SWB-a": "1820"}, "KGW", "139-Ski", action="assault", dice=(1,))
    assert columns(do(s, "at 1820")) == [3]  # exactly twice
    s = aimed(narvik, units, "KGW", "139-Ski", dice=(1,))
    assert columns(do(s, "at 1820")) == [2]  # fire has no such shift


@rule("14.3.l")
def test_twice_as_strong_counts_all_units_of_both_sides(narvik: Any) -> None:
    units = {"139-Ski": "1720", "139-1": "1720", "SG-a": "1820"}  # 2 and 3 against 5, and then 5 and 5, or 5 and 4
    for second, shifted in (("SG-b", True), ("SWB-a", False)):
        s = aimed(narvik, {**units, second: "1820"}, "KGW", "139-Ski", "139-1", action="assault", dice=(1, 1))
        assert ("14.3.l" in cited(do(s, "at 1820"))) == shifted
    hidden = aimed(narvik, {**units, "SG-b": "1820"}, "KGW", "139-Ski", action="assault")
    assert "14.3.l" not in shifts(hidden, "at 1820")  # nobody there is seen yet
    seen = aimed(narvik, {**units, "SG-b": "1820"}, "KGW", "139-Ski", action="assault", options={"fog": False})
    assert shifts(seen, "at 1820")["14.3.l"] == -1


@rule("14.3.1.a")
def test_inlets_matter_only_for_assault(narvik: Any) -> None:
    units = {"139-1": "1419", "SG-a": "1420"}
    s = aimed(narvik, units, "KGW", "139-1", action="assault")
    assert shifts(s, "at 1420")["14.3.1.a"] == -1
    s = aimed(narvik, units, "KGW", "139-1")
    assert shifts(s, "at 1420") == {}


@rule("14.3.2.a")
def test_anti_armour_in_every_kind_of_fire(narvik: Any) -> None:
    near = {"139-5": "1720", "342": "1820"}
    s = aimed(narvik, near, "KGW", "139-5", dice=(1,))
    assert columns(do(s, "at 1820")) == [5]  # direct: 4 + 1
    s = aimed(narvik, {"139-5": "1720", "342": "1920"}, "KGW", "139-5", dice=(1,))
    assert columns(do(s, "at 1920")) == [5]  # ranged
    s = aimed(narvik, {"342": "1720", "139-1": "1820"}, "FR", "342", action="assault", dice=(1,))
    assert columns(do(s, "at 1820")) == [4 + 1 - 1]  # no German armour: no shift
    mech = [narvik.roster.names[u] for u in narvik.roster.ground if narvik.roster.mech[u]]
    assert len(mech) == 2


@rule("14.4.a", "14.4.e")
def test_only_boxed_units_assault(narvik: Any) -> None:
    units = {"139-1": "1720", "139-4": "1720", "SG-a": "1820"}
    s = narvik.position(units=units)
    do(s, "assault KGW")
    assert refused(s, "attack with 139-4", "14.4.a")
    do(s, "attack with 139-1")
    assert not starting(s, "and")
    s = narvik.position(units={"139-4": "1720", "SG-a": "1820"})
    assert not offers(s, "assault KGW")


@rule("14.4.b")
def test_assault_on_an_adjacent_hex(narvik: Any) -> None:
    s = aimed(narvik, {"139-1": "1720", "SG-a": "1820", "SG-b": "1920"}, "KGW", "139-1", action="assault")
    assert starting(s, "at") == ["1820"]
    assert refused(s, "at 1920", "14.4.b")


@rule("14.4.d")
def test_assault_uses_the_same_procedure(narvik: Any) -> None:
    units = {"139-1": "1720", "139-2": "1720", "SG-a": "1820", "SG-b": "1820"}
    s = aimed(narvik, units, "KGW", "139-1", "139-2", action="assault", dice=(6, 6))  # 6 + 2 = 8
    events = do(s, "at 1820")
    assert rolled(events) == ["SG-b", "SG-a"]
    assert columns(events) == [8, 8]
    assert stack(s, "Allied Eliminated") == ["SG-a", "SG-b"]


COUNTER = {"139-1": "1720", "139-4": "1720", "SG-a": "1820", "SWB-a": "1820"}


@rule("14.4.1.a")
def test_defenders_left_in_the_hex_counterattack(narvik: Any) -> None:
    s = aimed(narvik, COUNTER, "KGW", "139-1", action="assault", dice=(1, 1), ap={"german": 5, "allied": 0})
    do(s, "at 1820")
    assert asked(s) == "results.Counterattack"
    assert s.side == "allied"
    do(s, "counterattack with SG-a", "at 1720")
    assert s.ap == (4, 0)
    cleared = aimed(narvik, COUNTER, "KGW", "139-1", action="assault", dice=(6, 6))
    do(cleared, "at 1820")
    assert asked(cleared) == "advance.Pursuit"


@rule("14.4.1.b")
def test_counterattack_after_all_assaults_on_the_hex(narvik: Any) -> None:
    units = {**COUNTER, "139-2": "1821", "IG-a": "1721"}
    s = aimed(narvik, units, "KGW", "139-1", action="assault", dice=(1, 1, 1, 1))
    do(s, "at 1820")
    assert asked(s) == "results.MoreAssaults"
    assert starting(s, "attack with") == ["139-2"]
    do(s, "attack with 139-2")
    assert refused(s, "at 1721", "14.4.1.b")
    do(s, "at 1820")
    assert asked(s) == "results.Counterattack"
    do(s, "counterattack with SG-a")
    assert set(starting(s, "at")) == {"1720", "1821"}  # either hex that assaulted
    assert refused(s, "counterattack with 139-2", "14.4.1.c")  # one at a time, out of the hex
    s = aimed(narvik, {**COUNTER, "139-2": "1821"}, "KGW", "139-1", action="assault", dice=(1, 1))
    do(s, "at 1820", "end the assaults", "decline")
    assert not offers(s, "attack with 139-2")  # the assaults on 1820 are over
    assert refused(s, "attack with 139-2", "14.4.1.b")


@rule("14.4.1.b")
def test_one_hex_after_the_other(narvik: Any) -> None:
    units = {**COUNTER, "139-2": "1821", "139-3": "1620", "IG-a": "1519", "IG-b": "2020"}
    s = aimed(narvik, units, "KGW", "139-1", action="assault", dice=(1, 1))
    do(s, "at 1820")
    assert refused(s, "attack with 139-3", "14.4.1.b")  # it has a hex to assault, but another one
    do(s, "end the assaults", "decline")
    assert offers(s, "attack with 139-3")


@rule("14.4.1.c")
def test_defenders_counterattack_one_after_the_other(narvik: Any) -> None:
    """Ruling D29: each by itself or together; nobody is left to be struck, nobody strikes."""
    units = {"139-1": "1720", "SG-a": "1820", "SG-b": "1820"}
    s = aimed(narvik, units, "KGW", "139-1", action="assault", dice=(1, 1, 1, 6))
    do(s, "at 1820", "counterattack with SG-a")
    assert refused(s, "and SG-a", "14.1.a")
    do(s, "at 1720")
    assert starting(s, "counterattack with") == ["SG-b"]
    assert refused(s, "counterattack with SG-a", "14.4.1.c")
    do(s, "counterattack with SG-b", "at 1720")
    assert s.place("139-1") == "German Regroup"
    assert s.side == "german"
    s = aimed(narvik, units, "KGW", "139-1", action="assault", dice=(1, 1, 6))
    do(s, "at 1820", "counterattack with SG-a", "at 1720")
    assert s.place("139-1") == "German Regroup"
    assert asked(s) == "combat.Assault"  # SG-b finds nobody


@rule("14.4.1.c", "14.4.1.f")
def test_capable_defenders_strike_the_whole_hex(narvik: Any) -> None:
    units = {"139-1": "1720", "139-4": "1720", "SG-a": "1820", "203-a": "1820"}
    s = aimed(narvik, units, "KGW", "139-1", action="assault", dice=(1, 1, 1, 1))
    do(s, "at 1820")
    assert starting(s, "counterattack with") == ["SG-a"]  # the battery cannot
    (reason,) = s.why_not("counterattack with 139-1")
    assert (reason.rule, reason.text) == ("14.4.1.c", "only defenders of the assaulted hex counterattack")
    assert refused(s, "counterattack with 203-a", "14.4.1.c")
    do(s, "counterattack with SG-a")
    assert refused(s, "at 1821", "14.1.b")
    assert rolled(do(s, "at 1720")) == ["139-4", "139-1"]  # also the unit that did not assault


@rule("14.4.1.a", "14.4.1.c")
def test_germans_counterattack_too(narvik: Any) -> None:
    units = {"SG-a": "1720", "139-1": "1820", "139-2": "1820"}
    s = aimed(narvik, units, "BR", "SG-a", action="assault", dice=(1, 1, 6))
    do(s, "at 1820")
    assert (s.side, asked(s)) == ("german", "results.Counterattack")
    do(s, "counterattack with 139-1")
    assert (s.side, starting(s, "and"), starting(s, "at")) == ("german", ["139-2"], ["1720"])
    do(s, "and 139-2", "at 1720")
    assert s.place("SG-a") != "1720"
    assert s.side == "allied"


@rule("14.4.1.d")
def test_no_shifts_in_a_counterattack(narvik: Any) -> None:
    units = {"139-1": "1719", "SG-a": "1720", "SWB-a": "1720"}  # the assaulters stand in rough, and are elite
    s = aimed(narvik, units, "KGW", "139-1", action="assault", dice=(1, 1, 1))
    do(s, "at 1720", "counterattack with SG-a", "and SWB-a")
    assert shifts(s, "at 1719") == {}
    assert columns(do(s, "at 1719")) == [9]


@rule("14.4.1.e")
def test_a_counterattack_may_be_declined(narvik: Any) -> None:
    s = aimed(narvik, COUNTER, "KGW", "139-1", action="assault", dice=(1, 1))
    do(s, "at 1820", "decline")
    assert s.side == "german"


@rule("14.5.a")
def test_disrupted(narvik: Any) -> None:
    s = aimed(narvik, {"139-4": "1720", "SG-a": "1820"}, "KGW", "139-4", dice=(5,))
    do(s, "at 1820")
    assert s.place("SG-a") == "Allied Regroup"


@rule("14.5.b")
def test_eliminated(narvik: Any) -> None:
    units = {"139-4": "1720", "139-1": "1720", "SG-a": "1820"}
    s = aimed(narvik, units, "KGW", "139-4", "139-1", dice=(6,))
    do(s, "at 1820")
    assert s.place("SG-a") == "Allied Eliminated"


@rule("14.5.c")
def test_retreat_elite_one_hex_others_rout(narvik: Any) -> None:
    s = aimed(narvik, {"139-4": "1720", "6CA-a": "1820"}, "KGW", "139-4", dice=(4,))
    events = do(s, "at 1820")
    assert "15.1.a" in cited(events)
    s = aimed(narvik, {"139-4": "1720", "SG-a": "1820"}, "KGW", "139-4", dice=(4, 3))
    events = do(s, "at 1820")
    assert "15.1.b" in cited(events)


@rule("14.5.d")
def test_no_effect(narvik: Any) -> None:
    s = aimed(narvik, {"139-4": "1720", "SG-a": "1820"}, "KGW", "139-4", dice=(1,))
    before = stack(s, "1820")
    do(s, "at 1820")
    assert stack(s, "1820") == before


@rule("14.3.2.a")
def test_one_anti_armour_unit_serves_its_group(narvik: Any) -> None:
    """Ruling D46."""
    units = {"139-1": "1720", "139-5": "1720", "3KOH": "1820", "SG-a": "1820"}
    s = aimed(narvik, units, "KGW", "139-1", "139-5", dice=(1, 1))
    assert columns(do(s, "at 1820")) == [7, 7 + 1]  # SG-a on top, then the tank


@rule("14.3.1.a", "14.3.e")
def test_fire_and_assault_have_a_column_each_on_the_chart(narvik: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Our reconstructed chart has the same values in both, so that the difference is made here."""
    shift = list(narvik.ground.assault_shift)
    shift[narvik.node("1820")] = -3
    monkeypatch.setattr(narvik.ground, "assault_shift", tuple(shift))
    units = {"139-1": "1720", "SG-a": "1820", "Ju87-1": "German Strikes"}
    assert shifts(aimed(narvik, units, "KGW", "139-1", action="assault"), "at 1820")["14.3.e"] == -3
    assert "14.3.e" not in shifts(aimed(narvik, units, "KGW", "139-1"), "at 1820")
    s = narvik.position(units=units, dice=(1,))
    assert columns(do(s, "air support", "strike with Ju87-1", "on 1820", "resolve the strikes")) == [6]


@rule("14.1.h")
def test_every_unit_of_a_group_has_attacked(narvik: Any) -> None:
    units = {"139-1": "1720", "139-4": "1720", "SG-a": "1820", "SG-b": "1719"}
    s = aimed(narvik, units, "KGW", "139-1", "139-4", dice=(1,))
    do(s, "at 1820")
    assert legal(s) == ["done"]
    assert refused(s, "attack with 139-4", "14.1.h")


# ------------------------------------------------------------------ forecasts


def test_a_fire_forecast_is_exact(narvik: Any) -> None:
    s = aimed(narvik, {"139-4": "1720", "SG-a": "1719", "SG-b": "1719"}, "KGW", "139-4")
    forecast = s.forecast("at 1719")
    assert dict(forecast.facts)["final column"] == "4 4"
    assert sum(o.chance for o in forecast.outcomes) == 1
    assert forecast.chance("--") == Fraction(1, 4)  # column 4: ---RDD
    assert forecast.chance("DD") == Fraction(1, 9)
    assert [str(m) for m in forecast.modifiers] == ["-1 rough (14.3.e)"]


def test_an_assault_forecast_includes_the_counterattack(narvik: Any) -> None:
    units = {"139-1": "1720", "SG-a": "1820"}
    s = aimed(narvik, units, "KGW", "139-1", action="assault", options={"fog": False})
    forecast = s.forecast("at 1820")  # column 5: --RRDD
    assert forecast.chance("-") == Fraction(1, 3)
    # SG-a strikes back on column 5 if it stands: 1/3 x 2/6 each
    assert any("retreat 1/9, disrupted 1/9" in note for note in forecast.notes)


def test_a_forecast_under_fog_tells_nothing_hidden(narvik: Any) -> None:
    notes = []
    for hidden in ("6CA-a", "14AC"):  # elite or not, strong or weak
        s = aimed(narvik, {"139-1": "1720", hidden: "1820"}, "KGW", "139-1", action="assault")
        notes.append(s.forecast("at 1820").to_json())
    assert notes[0] == notes[1]
    assert "21.0.a" in " ".join(notes[0]["notes"])
    tank, guards = (aimed(narvik, {"139-5": "1720", unit: "1820"}, "KGW", "139-5") for unit in ("3KOH", "55L-1"))
    assert tank.forecast("at 1820") == guards.forecast("at 1820")  # no anti-armour shift gives the tank away


def test_fire_at_dietl_alone_is_possible_and_harmless(narvik: Any) -> None:
    """Ruling D71: refusing it would tell who stands there."""
    s = narvik.position(phase="allied.action", units={"SG-a": "1720", "Dietl": "1820"})
    assert offers(s, "fire BR")
    do(s, "fire BR", "attack with SG-a")
    events = do(s, "at 1820")
    assert not rolled(events)
    assert s.place("Dietl") == "1820"
    assert "attack with SG-a" not in legal(s)


@rule("18.1.f")
def test_fire_at_dietl_alone_has_no_effect(narvik: Any) -> None:
    units = {"SG-a": "1720", "Dietl": "1820", "139-1": "2020"}
    s = narvik.position(phase="allied.action", units=units, options={"fog": False})
    do(s, "fire BR", "attack with SG-a")
    (outcome,) = s.forecast("at 1820").outcomes
    assert (outcome.chance, outcome.text) == (1, "no effect")


@rule("18.1.f")
def test_no_forecast_clears_a_hex_that_dietl_holds(narvik: Any) -> None:
    for units in ({"Dietl": "1820"}, {"Dietl": "1820", "139-4": "1820"}):
        s = aimed(narvik, {"SG-a": "1720", **units}, "BR", "SG-a", options={"fog": False})
        forecast = s.forecast("at 1820")
        assert sum(o.chance for o in forecast.outcomes) == 1
        assert not any("cleared" in o.text for o in forecast.outcomes)
        assert any("18.1.f" in note for note in forecast.notes)
    s = aimed(narvik, {"SG-a": "1720", "Dietl": "1820"}, "BR", "SG-a", action="assault", options={"fog": False})
    assert any("cleared" in o.text for o in s.forecast("at 1820").outcomes)


@rule("9.0.h")
def test_a_forecast_counterattack_out_of_an_overstacked_hex(narvik: Any) -> None:
    """As long as four units are left only the top one strikes back; then all that can."""
    names = ("139-3", "139-2", "139-1", "139-4")  # top first; 139-4 is not close-assault capable
    units = {**dict.fromkeys(reversed(names), "2020"), "6-Eng": "2021"}
    s = aimed(narvik, units, "NW", "6-Eng", action="assault", options={"fog": False})
    forecast = s.forecast("at 2020")
    assert dict(forecast.facts)["final column"] == "0 0 0 0"  # every unit retreats on a 6
    harm = dict.fromkeys("RDE", Fraction(0))
    for gone in product((0, 1), repeat=4):
        left = [name for name, away in zip(names, gone, strict=True) if not away]
        factors = 3 * sum(name != "139-4" for name in (left[:1] if len(left) > 3 else left))
        for letter in narvik.tables.crt[factors] if factors else "":
            if letter in harm:
                harm[letter] += Fraction(5 ** len(left), 6**5)  # a unit stands on 1 to 5
    told = f"retreat {harm['R']}, disrupted {harm['D']}, eliminated {harm['E']}"
    assert f"counterattack, for each unit in 2021: {told} (14.4.1.a)" in forecast.notes


@rule("14.1.d")
def test_a_forecast_against_a_large_stack_counts_its_results(narvik: Any) -> None:
    """Germans may overstack an objective: unit by unit twelve of them would have sixteen million results."""
    names = [unit for unit in narvik.unit_names if unit.startswith("139-")][:12]
    units = {**dict.fromkeys(names, "0919"), "SG-a": "1019"}
    s = aimed(narvik, units, "BR", "SG-a", action="assault", options={"fog": False})
    forecast = s.forecast("at 0919")
    column = narvik.tables.crt[int(dict(forecast.facts)["final column"].split()[0])]
    stays = Fraction(column.count("-"), 6)
    assert sum(o.chance for o in forecast.outcomes) == 1
    assert forecast.chance("-" * 12) == stays**12
    retreats = Fraction(column.count("R"), 6)
    one = next(o for o in forecast.outcomes if o.result == "R" + "-" * 11)
    assert one.chance == 12 * retreats * stays**11
    assert one.text == "1 retreat, 11 no effect"
    assert any("14.4.1.a" in note for note in forecast.notes)


def test_a_counterattack_forecast_needs_no_warning(narvik: Any) -> None:
    """It has no shifts (14.4.1.d), so that units it cannot see change nothing."""
    units = {"139-1": "1720", "139-4": "1720", "SG-a": "1820"}
    s = aimed(narvik, units, "KGW", "139-1", action="assault", dice=(1,))
    assert "21.0.a" in " ".join(s.forecast("at 1820").notes)
    do(s, "at 1820", "counterattack with SG-a")
    assert s.forecast("at 1720").notes == ()  # 139-4 is hidden, and diced for like any other


@rule("14.1.f")
def test_what_each_die_brought_is_one_of_the_outcomes_that_were_told_before(narvik: Any) -> None:
    units = {"139-1": "1720", "SG-a": "1820", "SG-b": "1820"}
    for die in range(1, 7):
        s = aimed(narvik, units, "KGW", "139-1", dice=(die, 7 - die))
        forecast = s.forecast("at 1820")
        events = s.do("at 1820")
        results = [event.values["result"] for event in events if event.kind == "combat" and "n2" in event.values]
        assert len(results) == (1 if results == ["R"] else 2)  # a retreat is settled before the next die
        assert any(outcome.result.startswith("".join(results)) for outcome in forecast.outcomes)


@rule("14.3.f", "14.3.2.a")
def test_a_forecast_counts_the_anti_armour_shift(narvik: Any) -> None:
    units = {"139-15": "0315", "139-1": "0315", "3KOH": "0216", "SG-a": "1416"}
    s = narvik.position(phase="german.action", units=units, options={"fog": False})
    do(s, "fire KGW", "attack with 139-15")
    assert {m.rule for m in s.forecast("at 0216").modifiers} == {"14.3.f"}
    do(s, "back", "attack with 139-1")
    assert {m.rule for m in s.forecast("at 0216").modifiers} == set()


@rule("14.4.1.c")
def test_a_forecast_says_when_no_defender_can_counterattack(narvik: Any) -> None:
    units = {"139-1": "1415", "203-a": "1416", "SG-a": "0216"}
    s = narvik.position(phase="german.action", units=units, options={"fog": False})
    do(s, "assault KGW", "attack with 139-1")
    assert "no defender can counterattack (14.4.1.c)" in s.forecast("at 1416").notes
