"""Chapter 3: setting up the game."""

from __future__ import annotations

from typing import Any

from tests.helpers import asked, do, refused, rule
from tests.rules.narvik.play import offers, stack, starting


@rule("3.0.a")
def test_the_game_starts_in_the_third_week_of_april(narvik: Any) -> None:
    s = narvik.start(seed=1)
    assert s.turn == 1
    assert narvik.views.turn_label(s) == "Turn 1: April III"


@rule("3.0.b")
def test_the_germans_set_up_first(narvik: Any) -> None:
    s = narvik.start("free", seed=1)
    assert s.side == "german"
    assert refused(s, "set up SG-a", "3.0.b")
    do(s, "use the standard set-up")
    assert s.side == "allied"
    assert s.phase == "Set-up"
    do(s, "use the standard set-up")
    assert not asked(s).startswith("setup")


@rule("3.0.c")
def test_optional_units_are_left_out(narvik: Any) -> None:
    s = narvik.start("free", seed=1)
    assert refused(s, "set up 112-4", "3.0.c")
    assert all(s.at[u] == -1 for u in narvik.roster.ground if narvik.roster.code[u].startswith("OPT"))


@rule("3.1.a")
def test_german_units_start_within_15_hexes_of_bjornfjell(narvik: Any) -> None:
    s = narvik.start("free", seed=1)
    do(s, "set up 139-1")
    hexes = starting(s, "put in")
    far = [narvik.board.distance(narvik.node("2020"), narvik.node(h)) for h in hexes]
    assert max(far) == 15
    assert "2020" in hexes
    assert refused(s, "put in 0216", "3.1.a")
    assert refused(s, "put in 0918", "12.3.e")  # sea
    assert all(narvik.ground.land[narvik.node(h)] for h in hexes)
    do(s, "put in 2020")
    assert not offers(s, "finish the set-up")
    assert refused(s, "finish the set-up", "3.1.a")


@rule("3.1.b")
def test_the_railway_gun_starts_on_the_railway(narvik: Any) -> None:
    s = narvik.start("free", seed=1)
    do(s, "set up RR")
    assert set(starting(s, "put in")) == {
        "0919", "1019", "1119", "1220", "1319", "1420", "1520", "1621", "1721", "1821", "1921", "1920", "2020", "2120",
    }  # fmt: skip
    assert refused(s, "put in 1720", "3.1.b")


@rule("3.1.c")
def test_german_pool(narvik: Any) -> None:
    s = narvik.start("free", seed=1)
    pool = set(stack(s, "German Pool"))
    roster = narvik.roster
    assert pool == {roster.names[u] for u in range(len(roster.units)) if roster.side[u] == 0 and roster.code[u] == "R"}
    assert {"Ju87-1", "FJ1-1", "Sig68-1"} <= pool


@rule("3.1.d", "3.2.e")
def test_markers_start_at_zero(narvik: Any) -> None:
    s = narvik.start("free", seed=1)
    assert s.ap == (0, 0)
    assert narvik.tables.relief_names[s.relief] == "Trondheim"


@rule("3.2.a")
def test_british_set_up(narvik: Any) -> None:
    s = narvik.start("free", seed=1)
    do(s, "use the standard set-up", "set up SG-a")
    assert set(starting(s, "put in")) == {"0216", "0115", "0116", "0215", "0315", "0316", "Harstad"}
    assert refused(s, "put in 1801", "3.2.a")
    assert refused(s, "put in Bardufoss", "3.2.a")


@rule("3.2.b")
def test_norwegian_set_up(narvik: Any) -> None:
    s = narvik.start("free", seed=1)
    do(s, "use the standard set-up", "set up I/12")
    assert set(starting(s, "put in")) == {"1801", "1701", "1802", "1901", "Bardufoss"}
    assert refused(s, "put in Harstad", "3.2.b")


@rule("3.2.c")
def test_allied_scheduled_display(narvik: Any) -> None:
    s = narvik.start("free", seed=1)
    scheduled = set(stack(s, "Allied Scheduled"))
    roster = narvik.roster
    wanted = {
        roster.names[u] for u in roster.of_side[1]
        if roster.sub[u] in (5, 7) or (roster.sub[u] == 6 and roster.code[u] == "S")
    }  # fmt: skip
    assert scheduled == wanted | {"Auchinleck"}  # 18.2, ruling D7


@rule("3.2.d")
def test_allied_pool(narvik: Any) -> None:
    s = narvik.start("free", seed=1)
    pool = set(stack(s, "Allied Pool"))
    roster = narvik.roster
    assert pool == {roster.names[u] for u in range(len(roster.units)) if roster.side[u] == 1 and roster.code[u] == "R"}
    assert {"Warspite", "RM"} <= pool


@rule("3.2.f")
def test_set_up_obeys_stacking(narvik: Any) -> None:
    s = narvik.start("free", seed=1)
    for name in ("139-1", "139-2", "139-3"):
        do(s, f"set up {name}", "put in 1720")
    do(s, "set up 139-4")
    assert "1720" not in starting(s, "put in")
    assert refused(s, "put in 1720", "3.2.f")
    do(s, "put in 1820", "set up Dietl", "put in 1720")  # leaders do not count
    assert stack(s, "1720") == ["Dietl", "139-3", "139-2", "139-1"]


def test_the_standard_set_up_is_legal(narvik: Any) -> None:
    """Every unit of the standard set-up could be put there by hand."""
    s = narvik.start("free", seed=1)
    where = {u: label for label, names in narvik.tables.setup["standard"]["at"].items() for u in names[::-1]}
    while asked(s).startswith("setup"):
        if waiting := starting(s, "set up"):  # the last unit is chosen without asking
            do(s, f"set up {waiting[0]}")
        (unit,) = s.decision.about
        do(s, f"put in {where[narvik.unit_names[unit]]}")
    fresh = narvik.start(seed=1)
    assert all(fresh.place(name) == label for name, label in where.items())
    assert narvik.check(s) == []


@rule("3.2.f", "22.1.a")
def test_the_standard_set_up_comes_before_optional_units(narvik: Any) -> None:
    """It would put a fourth unit on an optional one that is already there."""
    s = narvik.start("free", seed=1, options={"second_wave": True})
    assert offers(s, "use the standard set-up")
    do(s, "set up 112-4", "put in 2020")
    assert not offers(s, "use the standard set-up")
    s = narvik.start("free", seed=1, options={"second_wave": True})
    do(s, "use the standard set-up", "set up 112-4", "put in 1720", "finish the set-up")
    do(s, "set up Gurkha", "put in 0216")
    assert not offers(s, "use the standard set-up")
