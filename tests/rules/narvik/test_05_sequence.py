"""Chapter 5: the sequence of play."""

from __future__ import annotations

from typing import Any

from tests.helpers import asked, do, legal, refused, rule
from tests.rules.narvik.play import offers, to_next_turn

UNITS = {"139-1": "0919", "SG-a": "0216"}


@rule("5.0.a")
def test_a_finished_step_is_not_taken_again(narvik: Any) -> None:
    s = narvik.position(units={"139-1": "1720", "139-2": "1820", "SG-a": "0216"})
    do(s, "movement KGW", "move 139-1", "to 1620", "halt", "done")
    assert s.side == "allied"
    assert refused(s, "move 139-2", "11.0.b")
    assert refused(s, "put in 1720", "5.0.a")
    assert refused(s, "movement KGW", "1.2.a")


@rule("5.1.a", "5.1.b", "5.1.c")
def test_phases_of_a_turn(narvik: Any) -> None:
    state = narvik.start(seed=9)
    log: list[str] = []
    turn = state.turn
    while not state.over and state.turn == turn:
        action = "pass" if offers(state, "pass") else state.legal()[0]
        log += [e.kind for e in state.do(action)]
    order = [kind for kind in log if kind in ("turn", "points", "event", "draw", "initiative", "pass")]
    assert order[:2] == ["pass", "pass"]  # the actions phase of turn 1 ends, then turn 2 is prepared
    assert order[2:5] == ["turn", "points", "points"]
    assert [k for k in order[5:] if k == "event"] == ["event", "event"]
    assert order.index("event") < order.index("draw") < order.index("initiative")
    assert order.count("draw") == 2


@rule("5.1.d")
def test_the_initiative_player_deploys_first(narvik: Any) -> None:
    units = {**UNITS, "FJ1-1": "German Arrivals", "Auchinleck": "Allied Arrivals"}
    s = narvik.position(phase="initiative", units=units, ap={"german": 9, "allied": 4})
    assert (s.side, asked(s)) == ("german", "reinforcements.Landing")
    s = narvik.position(phase="initiative", units=units, ap={"german": 4, "allied": 9})
    assert (s.side, asked(s)) == ("allied", "reinforcements.Station")


@rule("5.1.e", "5.1.i")
def test_actions_alternate(narvik: Any) -> None:
    s = narvik.position(units=UNITS, ap={"german": 5, "allied": 5})
    assert s.side == "german"
    do(s, "movement KGW", "done")
    assert s.side == "allied"
    do(s, "movement BR", "done")
    assert s.side == "german"


@rule("5.1.f", "11.0.c")
def test_two_passes_in_a_row_end_the_phase(narvik: Any) -> None:
    s = narvik.position(turn=2, units=UNITS)
    do(s, "pass")
    assert s.turn == 2
    do(s, "pass")
    assert s.turn == 3 or s.over
    s = narvik.position(turn=2, phase="allied.action", units=UNITS)
    do(s, "pass", "movement KGW", "done", "pass")
    assert s.turn == 2  # an action came in between
    do(s, "pass")
    assert s.turn == 3


@rule("5.1.f")
def test_no_points_left_end_the_phase(narvik: Any) -> None:
    s = narvik.position(turn=2, units=UNITS, ap={"german": 1, "allied": 1})
    do(s, "movement KGW", "done", "movement BR", "done")
    assert s.turn == 3


@rule("5.1.g")
def test_a_pass_is_not_final(narvik: Any) -> None:
    s = narvik.position(turn=2, units=UNITS)
    do(s, "pass", "movement BR", "done")
    assert s.side == "german"
    assert offers(s, "movement KGW")


@rule("5.1.h")
def test_victory_then_the_next_turn(narvik: Any) -> None:
    s = narvik.position(turn=2, units=UNITS, ap={"german": 1, "allied": 1})
    to_next_turn(s)
    assert s.turn == 3
    s = narvik.position(turn=8, units=UNITS, ap={"german": 1, "allied": 1})
    to_next_turn(s)
    assert s.over
    assert s.turn == 8


@rule("5.2.a")
def test_either_player_may_capitulate_at_any_time(narvik: Any) -> None:
    for side, other in (("german", "allied"), ("allied", "german")):
        s = narvik.position(units=UNITS)
        assert s.side == "german"
        assert s.why_not(f"{side} capitulates") == []
        assert s.actor(f"{side} capitulates") == side  # for nobody else, whoever decides
        do(s, f"{side} capitulates")
        assert s.over
        assert (s.result.winner, s.result.rules) == (other, ("5.2.a",))
        assert s.why_not(f"{side} capitulates")
    s = narvik.position(units=UNITS)
    assert s.actor("pass") == "german"
    do(s, "movement KGW", "move 139-1")
    assert not any("capitulates" in text for text in legal(s))
    do(s, "allied capitulates")
    assert s.result.winner == "german"
