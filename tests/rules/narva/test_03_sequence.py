"""Chapter 3: the sequence of play."""

from __future__ import annotations

from counterblow.games.narva.game import Narva
from tests.helpers import do, legal, rule
from tests.rules.narva.play import box, supply


def phase_words(log: list[str], *words: str) -> list[int]:
    """Where in a log each word first stands."""
    return [next(n for n, line in enumerate(log) if word in line) for word in words]


@rule("3.0a")
def test_order_of_phases(narva: Narva) -> None:
    """Reinforcements arrive after the command phase, supply is judged after them, then the next turn begins."""
    s = narva.position(
        turn=2,
        phase="command",
        draws=["3SS"],
        units={"11SS HQ": "3029", "MOK": "0815"},
        due={"154G": 2},
        air={"LW": "refit"},
    )
    assert s.phase.startswith("Command Phase")
    assert box(s, "LW") == "refit"
    do(s, "pass")
    assert s.phase.startswith("German Reinforcement")
    assert supply(s, "MOK") == "supplied"
    do(s, "enter 154G at 0130", "stop")
    assert s.turn >= 3
    assert supply(s, "MOK") != "supplied"
    assert box(s, "LW") == "ready"


@rule("3.0b")
def test_air_phase_order(narva: Narva) -> None:
    s = narva.position(
        turn=2, phase="air", draws=["3SS"], units={"11SS HQ": "3029"}, air={"13A-1": "grounded", "13A-2": "refit"}
    )
    assert (box(s, "13A-1"), box(s, "13A-2")) == ("refit", "ready")


@rule("3.0c", "4.0a")
def test_move_and_fight_before_the_next_chit(narva: Narva) -> None:
    s = narva.position(
        turn=2,
        phase="command",
        draws=["2SH", "3SS"],
        units={"2 SH HQ": "2511", "109 HQ": "2514", "381": "2512", "MOK": "2412", "11SS HQ": "3029"},
    )
    do(s, "activate 109 HQ")
    assert s.decision.kind == "movement.ChooseMover"
    do(s, "end movement")
    assert s.decision.kind == "combat.DeclareAttack"
    assert s.used == (0, 1)
    do(s, "end combat")
    assert (s.side, s.used) == ("german", (1, 1))


@rule("3.0d")
def test_german_reinforcements_first(narva: Narva) -> None:
    s = narva.position(turn=2, phase="german.reinforcement", due={"154G": 2, "19": 2})
    assert s.side == "german"
    assert set(legal(s)) == {"enter 154G at 0130", "reroute 154G to B", "reroute 154G to C"}
    do(s, "enter 154G at 0130", "stop")
    assert s.side == "soviet"


@rule("3.0e", "10.0a")
def test_supply_of_both_sides_in_one_phase(narva: Narva) -> None:
    s = narva.position(turn=2, phase="supply", units={"MOK": "0815", "381": "0818"}, pd={"Nordland": 1})
    assert s.decision.kind == "defences.Repair"
    assert (supply(s, "MOK"), supply(s, "381")) == ("out of supply", "out of supply")


@rule("3.0f")
def test_sudden_death_before_the_turn_advance(narva: Narva) -> None:
    s = narva.position(turn=12, phase="end", units={"381": "3029"}, pd={"Nordland": 1})
    assert s.over
    assert s.result.level == "sudden death"
