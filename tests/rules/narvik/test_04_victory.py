"""Chapter 4: how to win."""

from __future__ import annotations

from typing import Any

import pytest

from counterblow.games.narvik.components import BR
from tests.helpers import do, log, rule
from tests.rules.narvik.play import starting, to_next_turn

OBJECTIVES = {"SG-a": "0216", "6CA-a": "0919", "6CA-b": "1215", "I/12": "1801", "1HL-a": "2020"}


@rule("4.1.a")
def test_german_sudden_death(narvik: Any) -> None:
    staged = {"SG-a": "Harstad", "I/12": "Allied Regroup", "Auchinleck": "Bardufoss", "139-1": "0919"}
    s = narvik.position(turn=3, phase="victory", units=staged)
    assert s.over
    assert (s.result.winner, s.result.level) == ("german", "sudden death")
    assert "4.1.a" in s.result.rules
    s = narvik.position(turn=3, phase="victory", units={**staged, "SG-b": "0216"})
    assert not s.over


@rule("4.1.b")
def test_allied_sudden_death(narvik: Any) -> None:
    s = narvik.position(turn=5, phase="victory", units={**OBJECTIVES, "139-1": "1720"})
    assert (s.result.winner, s.result.rules) == ("allied", ("4.1.b",))
    missing = {unit: label for unit, label in OBJECTIVES.items() if label != "2020"}
    control = {"2020": "allied"}  # controlled is not occupied
    s = narvik.position(turn=5, phase="victory", units={**missing, "139-1": "1720"}, control=control)
    assert not s.over


@rule("4.1.c")
def test_victory_is_checked_only_at_the_end_of_a_turn(narvik: Any) -> None:
    units = {**OBJECTIVES, "139-1": "1720"}
    s = narvik.position(phase="allied.action", units=units, ap={"german": 1, "allied": 1})
    do(s, "pass")
    assert not s.over
    do(s, "pass")
    assert s.result.winner == "allied"


@rule("4.2.a", "4.3.b")
def test_germany_wins_when_turn_eight_ends(narvik: Any) -> None:
    units = {"SG-a": "0216", "139-1": "0919"}
    s = narvik.position(turn=8, phase="victory", units=units)
    assert s.result.winner == "german"
    assert {"4.2.a", "4.3.b"} <= set(s.result.rules)
    s = narvik.position(turn=7, phase="victory", units=units)
    assert not s.over
    assert s.turn == 8
    s = narvik.position(turn=8, phase="victory", units={**OBJECTIVES, "139-1": "1720"})
    assert s.result.winner == "allied"


@rule("4.3.a")
def test_the_relief_column_ends_the_game(narvik: Any) -> None:
    units = {"SG-a": "0216", "139-1": "0919"}
    s = narvik.position(turn=4, phase="victory", units=units, relief="Narvik")
    assert s.result.winner == "german"
    assert "4.3.a" in s.result.rules
    assert not narvik.position(turn=4, phase="victory", units=units, relief="Bodo").over
    s = narvik.position(turn=4, phase="victory", units={**OBJECTIVES, "139-1": "1720"}, relief="Narvik")
    assert s.result.winner == "allied"


@rule("4.4.a", "4.4.d")
def test_control_stays_after_the_last_ground_unit_has_left(narvik: Any) -> None:
    s = narvik.position(units={"139-1": "1720", "SG-a": "0216"})
    node = narvik.node("1620")
    assert s.controls(1, node)
    do(s, "movement KGW", "move 139-1", "to 1620", "to 1720")
    assert s.controls(0, node)
    assert s.controls(0, narvik.node("1720"))
    do(s, "halt", "done")
    s = narvik.position(phase="allied.action", units={"139-1": "1720", "SG-a": "1519"}, control={"1620": "german"})
    assert s.controls(0, node)
    do(s, "movement BR", "move SG-a", "to 1620")
    assert s.controls(1, node)


@rule("4.4.d")
def test_retreats_and_landings_take_control_too(narvik: Any) -> None:
    """Ruling D63."""
    s = narvik.position(units={"139-4": "1720", "SG-a": "1820"}, control={"1919": "german"}, dice=(4, 1))
    do(s, "fire KGW", "attack with 139-4", "at 1820", "retreat SG-a to 1919")
    assert s.controls(1, narvik.node("1919"))
    units = {"139-1": "2020", "SG-a": "Harstad"}
    s = narvik.position(phase="allied.action", units=units, control={"0820": "german"})
    do(s, "amphibious BR", "embark SG-a", "sail to 0820")
    assert s.controls(1, narvik.node("0820"))
    units = {"139-1": "2020", "SG-a": "0216", "FJ1-1": "German Arrivals"}
    s = narvik.position(phase="reinforcement", units=units, dice=(1,))
    do(s, "land FJ1-1 in 1720")
    assert s.controls(0, narvik.node("1720"))


@rule("4.4.b")
def test_occupation_needs_a_unit_in_the_hex(narvik: Any) -> None:
    s = narvik.position(units={"139-1": "0919", "SG-a": "0216"})
    node = narvik.node("0919")
    assert s.occupies(0, node)
    do(s, "movement KGW", "move 139-1", "to 1019")
    assert not s.occupies(0, node)
    assert s.controls(0, node)


@rule("4.4.c")
def test_initial_control(narvik: Any) -> None:
    s = narvik.start(seed=1)
    for node in range(narvik.board.hexes):
        assert s.controls(0, node) == s.occupies(0, node) or narvik.roster.airborne[s.stack(node)[0]]
    assert s.controls(1, narvik.node("2021"))


@rule("4.4.e")
def test_strikes_take_no_control(narvik: Any) -> None:
    units = {"139-1": "0919", "SG-a": "0216", "Ju87-1": "German Strikes"}
    s = narvik.position(units=units, dice=(1,))
    do(s, "air support", "strike with Ju87-1", "on 0216", "resolve the strikes")
    assert s.controls(1, narvik.node("0216"))
    assert s.occupies(1, narvik.node("0216"))
    assert not s.occupies(0, narvik.node("0216"))


def test_a_game_ends_by_turn_eight_at_the_latest(narvik: Any) -> None:
    s = narvik.start(seed=4)
    for _ in range(8):
        if not s.over:
            to_next_turn(s)
    assert s.over


@rule("4.1.a")
def test_the_allies_are_warned_before_they_lose_for_want_of_units(narvik: Any) -> None:
    warning = "no Allied unit is on the map"
    s = narvik.position(phase="allied.action", units={"139-1": "0919", "SG-a": "Harstad"})
    assert warning in s.decision.prompt
    s = narvik.position(phase="allied.action", units={"139-1": "0919", "SG-a": "0216"})
    assert warning not in s.decision.prompt
    s = narvik.position(phase="german.action", units={"139-1": "0919", "SG-a": "Harstad"})
    assert warning not in s.decision.prompt
    s = narvik.start("free", seed=1)
    do(s, "use the standard set-up")
    while left := starting(s, "set up"):  # the last one is chosen without asking
        area = "Harstad" if narvik.roster.sub[narvik.unit(left[0])] == BR else "Bardufoss"
        do(s, f"set up {left[0]}", f"put in {area}")
    assert warning in s.decision.prompt


@rule("4.4.d")
def test_a_march_takes_every_hex_on_its_way(narvik: Any) -> None:
    s = narvik.position(units={"139-1": "1721", "SG-a": "0115"})
    do(s, "movement KGW", "move 139-1", "to 1921")  # along the railway
    for label in ("1821", "1921"):
        assert s.controls(0, narvik.node(label))
    assert not s.controls(0, narvik.node("1822"))


@rule("4.4.d")
def test_trains_infiltration_and_regrouping_take_control(narvik: Any) -> None:
    """Ruling D63."""
    s = narvik.position(units={"139-6": "0919", "139-PiH": "0919", "SG-a": "0115"})
    do(s, "movement KGH", "move 139-6", "rail to 1319")
    assert all(s.controls(0, narvik.node(label)) for label in ("1019", "1119", "1220", "1319"))
    s = narvik.position(units={"139-Ski": "1718", "SG-a": "1719"})
    do(s, "movement KGW", "move 139-Ski", "infiltrate 1819")
    assert s.controls(0, narvik.node("1819"))
    s = narvik.position(units={"139-4": "German Regroup", "139-1": "0919", "SG-a": "0216"}, dice=(6,))
    do(s, "regroup KGW")
    assert s.place("139-4") == "0919"
    assert s.controls(0, narvik.node("0919"))


@rule("4.4.d")
def test_a_town_that_changes_hands_is_told(narvik: Any) -> None:
    s = narvik.position(units={"139-1": "1020", "SG-a": "0115"}, control={"0919": "allied"})
    told = log(do(s, "movement KGW", "move 139-1", "to 0919"))
    assert told[1:] == [
        "139-1 marches to Narvik (0919), 1020-0919 (12.0.c)",
        "the German side now controls Narvik (0919) (4.4.d)",
    ]
    do(s, "halt", "done", "pass", "movement KGW", "move 139-1")
    assert not any("controls" in line for line in log(do(s, "to 1020", "to 0919")))


@rule("4.1.a", "4.1.b", "4.3.a")
def test_how_it_stands(narvik: Any) -> None:
    """The panel tells what the check at the end of the turn would find, and what would change it."""
    missing = dict(list(OBJECTIVES.items())[1:])
    s = narvik.position(turn=5, units={**missing, "139-1": "1720"}, relief="Bodo")
    standing = s.view("german")["standing"]
    assert standing["turns_left"] == 4
    needs = {line["rule"]: line for line in standing["needs"]}
    assert needs["4.1.b"]["now"] == f"{len(missing)} of {len(OBJECTIVES)}"
    assert not needs["4.1.b"]["met"]
    assert needs["4.1.a"]["now"] == f"{len(missing)} units"
    assert needs["4.3.a"]["now"] == "relief column: Bodo"
    places = [line for line in standing["changes"] if line["rule"] == "4.4.b"]
    assert sorted(line["now"] for line in places) == ["Allied unit there"] * len(missing) + ["nobody there"]
    assert any(line["rule"].startswith("6.1") for line in standing["changes"])  # the viewer's own points to come
    assert not any(line["rule"].startswith("6.1") for line in s.view(None)["standing"]["changes"])


@rule("4.1.a", "4.1.b", "4.2.a", "4.3.a", "4.3.b")
@pytest.mark.parametrize("relief", ["Bodo", "Narvik"])
@pytest.mark.parametrize("held", [0, 1, len(OBJECTIVES)])
def test_the_verdict_now_is_the_result_at_the_end(narvik: Any, held: int, relief: str) -> None:
    units = {**dict(list(OBJECTIVES.items())[:held]), "139-1": "1720"}
    verdict = narvik.position(turn=8, units=units, relief=relief).view(None)["standing"]["verdict"]
    end = narvik.position(turn=8, phase="victory", units=units, relief=relief).result
    assert verdict == {"winner": end.winner, "level": end.level, "reason": end.reason, "rules": list(end.rules)}


def test_the_eliminated_lie_in_a_box(narvik: Any) -> None:
    view = narvik.position(units={"139-1": "German Eliminated", "SG-a": "0216", "139-2": "1720"}).view("german")
    assert [unit["name"] for unit in view["units"] if unit["at"] in view["losses"]] == ["139-1"]
