"""Chapter 8: reinforcements."""

from __future__ import annotations

from typing import Any

from tests.helpers import asked, do, refused, rule
from tests.rules.narvik.play import left, offers, stack, starting

UNITS = {"139-1": "2020", "SG-a": "0115"}


def arriving(narvik: Any, units: dict[str, str], **more: Any) -> Any:
    return narvik.position(phase="reinforcement", units={**UNITS, **units}, **more)


@rule("8.0.a")
def test_reinforcements_cost_no_points(narvik: Any) -> None:
    s = arriving(narvik, {"FJ1-1": "German Arrivals", "203-a": "Allied Arrivals"}, dice=(1,))
    do(s, "land FJ1-1 in 1720")
    assert s.ap == (10, 10)
    assert asked(s) == "actions.Act"


@rule("8.0.b")
def test_what_is_drawn_deploys_in_the_reinforcement_segment(narvik: Any) -> None:
    units = {**UNITS, "138-6": "German Pool", "Auchinleck": "Allied Pool"}
    s = narvik.position(phase="german.event", units=units, dice=(5, 1, 1, 1), ap={"german": 1, "allied": 1})
    assert asked(s) == "reinforcements.Station"
    assert s.place("Auchinleck") == "Allied Arrivals"


@rule("8.1.b", "8.1.c")
def test_german_counters_go_where_they_belong(narvik: Any) -> None:
    units = dict.fromkeys(("Ju87-1", "138-6", "LW-Flak2"), "German Arrivals")
    s = arriving(narvik, units)
    assert s.place("Ju87-1") == "German Strikes"
    assert s.place("138-6") == s.place("LW-Flak2") == "Swedish Transit"


@rule("8.1.1.a")
def test_airborne_units_must_land(narvik: Any) -> None:
    s = arriving(narvik, {"FJ1-1": "German Arrivals"}, dice=(1,))
    assert asked(s) == "reinforcements.Landing"
    assert not offers(s, "pass")
    assert all(action.kind == "land" for action in s.legal())
    do(s, "land FJ1-1 in 1720")
    assert s.place("FJ1-1") == "1720"
    again = arriving(narvik, {"FJ1-1": "German Regroup"})
    assert asked(again) == "actions.Act"  # no second jump


@rule("8.1.1.b")
def test_landing_hexes(narvik: Any) -> None:
    s = arriving(narvik, {"FJ1-1": "German Arrivals", "I/12": "1801"})
    hexes = set(starting(s, "land FJ1-1 in"))
    terrain = {narvik.board.terrain[narvik.node(h)] for h in hexes}
    assert terrain == {"clear", "lake", "objective", "village"}
    assert refused(s, "land FJ1-1 in 1719", "8.1.1.b")  # rough
    assert refused(s, "land FJ1-1 in 1801", "8.1.1.b")  # enemy
    assert "1901" in hexes  # an enemy zone of control is allowed


@rule("8.1.1.c")
def test_landing_within_the_stacking_limit(narvik: Any) -> None:
    units = {"139-6": "1720", "139-7": "1720", "FJ1-1": "German Arrivals", "FJ1-2": "German Arrivals"}
    s = arriving(narvik, units)
    do(s, "land FJ1-1 in 1720")
    assert refused(s, "land FJ1-2 in 1720", "8.1.1.c")
    assert "1820" in starting(s, "land FJ1-2 in")


@rule("8.1.1.d")
def test_all_are_placed_before_the_first_die(narvik: Any) -> None:
    s = arriving(narvik, {"FJ1-1": "German Arrivals", "FJ1-2": "German Arrivals"}, dice=(6, 1))
    events = do(s, "land FJ1-1 in 1720")
    assert not any(e.kind == "landing" for e in events)
    assert s.place("FJ1-1") == "1720"
    events = do(s, "land FJ1-2 in 1820")
    assert [e.kind for e in events if e.kind == "landing"] == ["landing", "landing"]
    assert (s.place("FJ1-1"), s.place("FJ1-2")) == ("German Regroup", "1820")


@rule("8.1.1.e", "8.1.1.h")
def test_the_landing_table(narvik: Any) -> None:
    for die, place in ((1, "1720"), (4, "1720"), (5, "German Regroup"), (6, "German Regroup")):
        s = arriving(narvik, {"FJ1-1": "German Arrivals"}, dice=(die,))
        do(s, "land FJ1-1 in 1720")
        assert s.place("FJ1-1") == place


@rule("8.1.1.f", "21.0.f")
def test_flak_next_to_the_landing_adds_one(narvik: Any) -> None:
    for die, place in ((3, "1720"), (4, "German Regroup"), (6, "German Eliminated")):
        s = arriving(narvik, {"FJ1-1": "German Arrivals", "55L-1": "1820", "Auchinleck": "Allied Arrivals"},
                     initiative="german", dice=(die,))  # fmt: skip
        assert not s.sees(0, narvik.unit("55L-1"))
        do(s, "land FJ1-1 in 1720")
        assert s.place("FJ1-1") == place
        assert s.sees(0, narvik.unit("55L-1"))  # it had to be revealed
        do(s, "station in Harstad")
        assert not s.sees(0, narvik.unit("55L-1"))  # until the segment ends (ruling D58)
    far = arriving(narvik, {"FJ1-1": "German Arrivals", "55L-1": "1920"}, dice=(4,))
    do(far, "land FJ1-1 in 1720")
    assert far.place("FJ1-1") == "1720"


@rule("8.1.1.i")
def test_two_flak_units_add_one_and_zones_nothing(narvik: Any) -> None:
    s = arriving(narvik, {"FJ1-1": "German Arrivals", "55L-1": "1820", "51H-1": "1721"}, dice=(5,))
    do(s, "land FJ1-1 in 1720")
    assert s.place("FJ1-1") == "German Regroup"  # 5 + 1 = 6, not 7
    s = arriving(narvik, {"FJ1-1": "German Arrivals", "SG-b": "1820"}, dice=(4,))
    do(s, "land FJ1-1 in 1720")
    assert s.place("FJ1-1") == "1720"


@rule("8.1.1.g")
def test_a_landed_unit_acts_in_the_same_turn(narvik: Any) -> None:
    s = arriving(narvik, {"FJ1-1": "German Arrivals"}, dice=(1,), initiative="german")
    do(s, "land FJ1-1 in 1720")
    if s.side == "allied":
        do(s, "pass")
    do(s, "movement KGD", "move FJ1-1", "to 1820")
    assert s.place("FJ1-1") == "1820"


@rule("8.2.1.a")
def test_the_allied_draw_is_one_die(narvik: Any) -> None:
    pool = dict.fromkeys(("Warspite", "Resolution", "Effingham", "Aurora"), "Allied Pool")
    s = narvik.position(phase="allied.event", units={**UNITS, **pool}, dice=(2, 3))
    assert len(stack(s, "Allied Strikes")) == 3
    assert len(stack(s, "Allied Pool")) == 1
    seeds = {tuple(stack(narvik.position(phase="allied.event", units={**UNITS, **pool}, dice=(2, 1), seed=seed),
                         "Allied Strikes")) for seed in range(30)}  # fmt: skip
    assert len(seeds) == 4  # a blind draw


@rule("8.2.1.b")
def test_where_drawn_allied_counters_go(narvik: Any) -> None:
    s = arriving(narvik, dict.fromkeys(("Warspite", "FAA-Skua", "203-a", "RM", "Varanger"), "Allied Arrivals"))
    assert s.place("Warspite") == s.place("FAA-Skua") == "Allied Strikes"
    assert s.place("203-a") == s.place("RM") == s.place("Varanger") == "Harstad"


SCHEDULED = dict.fromkeys(("6CA-a", "14AC", "ILE-a", "1HL-a", "II/15", "Alta"), "Allied Scheduled")


@rule("8.2.2.a")
def test_a_formation_arrives_in_an_s_turn(narvik: Any) -> None:
    for turn in range(1, 9):
        s = arriving(narvik, SCHEDULED, turn=turn)
        assert (asked(s) == "reinforcements.ChooseFormation") == (turn in narvik.tables.scheduled)
    s = arriving(narvik, SCHEDULED, turn=3)
    assert refused(s, "call no second formation", "8.2.2.a")
    do(s, "call 27 DBCA")
    assert s.place("6CA-a") == s.place("14AC") == "Harstad"


@rule("8.2.2.b")
def test_formations_and_their_areas(narvik: Any) -> None:
    areas = {"13 DBLE": "Harstad", "27 DBCA": "Harstad", "Polish Highland": "Harstad", "7 Bde": "Bardufoss"}
    units = {"13 DBLE": "ILE-a", "27 DBCA": "6CA-a", "Polish Highland": "1HL-a", "7 Bde": "Alta"}
    for name, area in areas.items():
        s = arriving(narvik, SCHEDULED, turn=3)
        assert set(starting(s, "call")) == set(areas)
        do(s, f"call {name}")
        assert s.place(units[name]) == area
        others = [unit for formation, unit in units.items() if formation != name]
        assert all(s.place(unit) == "Allied Scheduled" for unit in others)


@rule("8.2.2.c")
def test_one_formation_a_turn_each_once(narvik: Any) -> None:
    s = arriving(narvik, SCHEDULED, turn=3)
    do(s, "call 7 Bde")
    assert asked(s) == "actions.Act"
    left_over = {u: p for u, p in SCHEDULED.items() if u not in ("II/15", "Alta")}
    s = arriving(narvik, left_over, turn=4)
    assert "7 Bde" not in starting(s, "call")
    assert refused(s, "call 7 Bde", "8.2.2.c")


@rule("8.3.a", "20.0.a")
def test_units_enter_the_map_from_a_staging_area(narvik: Any) -> None:
    s = narvik.position(units={"138-6": "Swedish Transit", "SG-a": "0115"})
    do(s, "movement KGW", "move 138-6", "to 2119")
    assert s.place("138-6") == "2119"
    s = narvik.position(phase="allied.action", units={"SG-a": "Harstad", "139-1": "2020"})
    do(s, "movement BR", "move SG-a")
    assert "0115" in starting(s, "to")
    assert "0216" in starting(s, "ferry to")
    s = narvik.position(phase="allied.action", units={"SG-a": "Harstad", "139-1": "2020"})
    do(s, "amphibious BR", "embark SG-a", "sail to 0216")
    assert s.place("SG-a") == "0216"


@rule("8.3.b", "20.0.h")
def test_entry_costs_the_hex_or_half_a_point_by_road(narvik: Any) -> None:
    s = narvik.position(phase="allied.action", units={"SG-a": "Harstad", "SG-b": "Harstad", "139-1": "2020"})
    do(s, "movement BR", "move SG-a", "to 0115")
    assert left(s, "SG-a") == 3.5  # by road
    do(s, "halt", "move SG-b", "to 0114")
    assert left(s, "SG-b") == 2  # rough


@rule("8.3.c", "8.3.d")
def test_the_queue_at_an_edge_hex(narvik: Any) -> None:
    names = ("SG-a", "SG-b", "IG-a", "IG-b", "SWB-a")
    s = narvik.position(phase="allied.action", units={**dict.fromkeys(names, "Harstad"), "139-1": "2020"})
    do(s, "movement BR")
    spent = []
    for name in names:  # 0115 by road, then on by road to Bogen and beyond
        do(s, f"move {name}", "to 0115")
        spent.append(4 - left(s, name))
        do(s, "to 0315" if name in names[:2] else "to 0216" if name in names[2:4] else "halt")
        if asked(s) == "movement.March":
            do(s, "halt")
    assert spent == [0.5, 0.5, 1, 1, 1.5]


@rule("8.4.a")
def test_used_strikes_go_back_to_the_pool(narvik: Any) -> None:
    s = narvik.position(units={**UNITS, "Ju87-1": "German Strikes"}, dice=(1,))
    do(s, "air support", "strike with Ju87-1", "on 0115", "resolve the strikes")
    assert s.place("Ju87-1") == "German Pool"


@rule("8.4.b")
def test_disrupted_units_leave_the_map(narvik: Any) -> None:
    s = narvik.position(units={"139-4": "1720", "SG-a": "1820"}, dice=(6,))
    do(s, "fire KGW", "attack with 139-4", "at 1820")
    assert s.place("SG-a") == "Allied Regroup"


@rule("8.4.c")
def test_deployed_units_stay(narvik: Any) -> None:
    units = {"139-1": "2020", "SG-a": "0115", "SG-b": "Harstad", "138-6": "Swedish Transit"}
    s = narvik.position(turn=6, units=units, ap={"german": 1, "allied": 1}, dice=(1, 1, 2, 6))
    do(s, "pass", "pass")
    assert s.turn == 7
    assert {name: s.place(name) for name in units} == units


@rule("8.1.1.e", "4.4.d")
def test_only_a_unit_that_lands_takes_control(narvik: Any) -> None:
    units = {"139-1": "0919", "SG-a": "0216", "FJ1-1": "German Arrivals"}
    terminal = narvik.node("0820")
    for die, taken in ((4, True), (5, False)):
        s = narvik.position(phase="reinforcement", units=units, dice=(die,))
        do(s, "land FJ1-1 in 0820")
        assert s.controls(0, terminal) is taken


@rule("8.3.d")
def test_the_queue_pays_the_entry_cost_again(narvik: Any) -> None:
    names = ("6CA-a", "6CA-b", "12CA-a", "12CA-b")
    s = narvik.position(phase="allied.action", units={**dict.fromkeys(names, "Harstad"), "139-1": "2020"})
    do(s, "movement FR")
    spent = []
    for number, name in enumerate(names):
        do(s, f"move {name}", "to 0125")
        spent.append(6 - left(s, name))
        do(s, *(("to 0225", "halt") if number < 2 else ("halt",)))
    assert spent == [2, 2, 4, 4]  # rough


@rule("7.2.a", "8.2.2.c")
def test_operation_r4_is_forgotten_in_the_next_turn(narvik: Any) -> None:
    units = {"139-1": "0919", "SG-a": "0216", "6CA-a": "Allied Scheduled", "ILE-a": "Allied Scheduled",
             "1HL-a": "Allied Scheduled"}  # fmt: skip
    s = narvik.position(turn=1, phase="allied.event", units=units, dice=(1, 1))
    do(s, "call 27 DBCA")
    assert offers(s, "call no second formation")
    do(s, "call no second formation", "pass", "pass")
    assert s.turn == 2
    while asked(s) != "reinforcements.ChooseFormation":
        do(s, str(s.legal()[0]))
    s.dice = ()
    do(s, "call 13 DBLE")
    assert asked(s) != "reinforcements.ChooseFormation"


@rule("8.3.d", "12.1.a")
def test_the_last_in_the_queue_still_enters(narvik: Any) -> None:
    units = {"6CA-a": "Harstad", "6CA-b": "Harstad", "Col-1": "Harstad", "139-1": "2020"}
    s = narvik.position(phase="allied.action", units=units)
    do(s, "movement FR", "move 6CA-a", "to 0125", "to 0225", "halt", "move 6CA-b", "to 0125", "to 0225", "halt")
    do(s, "move Col-1", "to 0125")  # twice the rough hex is four points of three
    assert s.place("Col-1") == "0125"
    assert asked(s) == "movement.Movement"
