"""Chapter 22: optional units and tactics."""

from __future__ import annotations

from typing import Any

from tests.helpers import asked, do, legal, refused, rule
from tests.rules.narvik.play import left, offers, stack, starting

WAVE = {"second_wave": True}


@rule("22.1.a")
def test_germany_may_deploy_its_second_wave(narvik: Any) -> None:
    s = narvik.start(seed=1, options=WAVE)
    assert s.side == "german"
    assert set(starting(s, "set up")) == {"112-4", "Hv-Flak"}
    assert offers(s, "finish the set-up")
    do(s, "set up 112-4")
    assert "2120" in starting(s, "put in")
    do(s, "put in 2120")
    assert s.place("112-4") == "2120"
    assert narvik.roster.sub[narvik.unit("112-4")] == 0
    do(s, "finish the set-up")
    assert s.place("Hv-Flak") is None


@rule("22.1.b")
def test_each_brings_the_allies_one_optional_unit(narvik: Any) -> None:
    s = narvik.start(seed=1, options=WAVE)
    do(s, "set up 112-4", "put in 2120", "finish the set-up")
    assert s.side == "allied"
    assert set(starting(s, "set up")) == {"Gurkha", "SF"}
    assert not offers(s, "finish the set-up")
    ap = s.ap
    do(s, "set up SF", "put in Harstad")
    assert s.place("SF") == "Harstad"
    assert ap == (0, 0)
    assert not asked(s).startswith("setup")  # one for one
    s = narvik.start(seed=1, options=WAVE)
    do(s, "finish the set-up")
    assert not asked(s).startswith("setup")
    s = narvik.start(seed=1, options=WAVE)
    do(s, "set up 112-4", "put in 2120", "set up Hv-Flak", "put in 2120")
    do(s, "set up SF", "put in Harstad", "put in 0316")  # the second without asking
    assert (s.place("SF"), s.place("Gurkha")) == ("Harstad", "0316")


DIVISION = {"second_division": True}


@rule("22.2.a")
def test_the_division_joins_the_pool_when_the_column_arrives(narvik: Any) -> None:
    units = {"139-1": "0919", "SG-a": "0216"}
    s = narvik.position(phase="german.event", units=units, relief="Fauske", dice=(5, 1, 6), options=DIVISION,
                        transferred=True)  # fmt: skip
    assert asked(s) == "options.EnterSouth"  # drawn in the very event that brought it (ruling D37)
    assert len(stack(s, "German Pool")) == 1
    s = narvik.position(phase="german.event", units=units, relief="Bodo", dice=(5, 1, 6), options=DIVISION)
    assert s.place("2GD-1") is None
    s = narvik.position(phase="german.event", units=units, relief="Fauske", dice=(5, 1, 6))
    assert s.place("2GD-1") is None


@rule("22.2.b", "22.2.c")
def test_it_enters_on_the_south_edge(narvik: Any) -> None:
    units = {"139-1": "0919", "SG-a": "1027", "2GD-1": "German Arrivals", "2GD-2": "German Arrivals"}
    s = narvik.position(phase="reinforcement", units=units, options=DIVISION)
    hexes = starting(s, "enter 2GD-1 in")
    assert all(label.endswith("27") for label in hexes)
    assert "1127" in hexes
    assert refused(s, "enter 2GD-1 in 1027", "22.2.b")  # Allied unit
    assert refused(s, "enter 2GD-1 in 2020", "22.2.b")
    do(s, "enter 2GD-1 in 1127")
    assert s.place("2GD-1") == "1127"
    assert s.place("2GD-2") == "German Arrivals"
    assert stack(s, "Swedish Transit") == []
    assert all(narvik.roster.elite[narvik.unit(name)] for name in ("2GD-1", "2GD-2"))


BUY = {"british_options": True}


@rule("22.3.a")
def test_british_units_for_three_points(narvik: Any) -> None:
    units = {"139-1": "0919", "SG-a": "0216"}
    s = narvik.position(turn=2, phase="reinforcement", units=units, options=BUY)
    assert asked(s) == "options.Purchase"
    assert set(legal(s)) == {"buy nothing", "buy Gurkha", "buy SF"}
    assert narvik.position(turn=1, phase="reinforcement", units=units, options=BUY).decision.kind != "buy"
    assert narvik.position(turn=2, phase="reinforcement", units=units).decision.kind != "buy"
    poor = narvik.position(turn=2, phase="reinforcement", units=units, options=BUY, ap={"german": 9, "allied": 2})
    assert asked(poor) != "options.Purchase"
    assert refused(s, "buy RM", "22.3.a")


@rule("22.3.b")
def test_the_unit_must_still_be_drawn(narvik: Any) -> None:
    units = {"139-1": "0919", "SG-a": "0216"}
    s = narvik.position(turn=2, phase="reinforcement", units=units, options=BUY, ap={"german": 9, "allied": 7})
    do(s, "buy Gurkha")
    assert s.ap[1] == 4
    assert s.place("Gurkha") == "Allied Pool"
    do(s, "buy SF")
    assert s.ap[1] == 1
    assert asked(s) != "options.Purchase"


BOATS = {"marine_boats": True}


@rule("22.4.a")
def test_marine_boats_cross_a_sea_hexside(narvik: Any) -> None:
    units = {"RM": "0820", "SG-a": "0820", "139-1": "2020"}
    s = narvik.position(phase="allied.action", units=units, options=BOATS)
    do(s, "movement BR", "move RM", "to 0919")
    assert left(s, "RM") == 3  # the land terrain only
    s = narvik.position(phase="allied.action", units=units, options=BOATS)
    do(s, "movement BR", "move RM", "to 0920")
    assert left(s, "RM") == 2.5  # 0920 is no coastal hex: by way of Narvik
    s = narvik.position(phase="allied.action", units=units, options=BOATS)
    do(s, "movement BR", "move RM")
    assert refused(s, "to 0819", "12.3.e")  # still no sea hex
    do(s, "back", "move SG-a")
    assert refused(s, "to 0919", "12.3.e")
    s = narvik.position(phase="allied.action", units=units)
    do(s, "movement BR", "move RM")
    assert refused(s, "to 0919", "12.3.e")


@rule("22.4.b")
def test_marines_cross_inlets_free(narvik: Any) -> None:
    units = {"RM": "1419", "139-1": "2020"}
    s = narvik.position(phase="allied.action", units=units, options=BOATS)
    do(s, "movement BR", "move RM", "to 1420")
    assert left(s, "RM") == 3
    s = narvik.position(phase="allied.action", units=units)
    do(s, "movement BR", "move RM", "to 1420")
    assert left(s, "RM") == 1
