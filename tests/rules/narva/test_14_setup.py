"""Chapter 14: set-up and the first turn."""

from __future__ import annotations

import pytest

from counterblow.games.narva.game import Narva
from tests.helpers import do, legal, log, rule
from tests.rules.narva.play import State, cup, fight


@rule("14.0c")
def test_kust(narva: Narva) -> None:
    """The HQ answers to 3SS and may enter Narva; its units are army and police troops."""
    units = {unit.name: unit for unit in narva.units}
    assert units["KUST HQ"].ss
    assert not units["HOHN"].ss
    assert not units["SCHN"].ss
    s = narva.position(turn=2, phase="command", draws=["3SS"], units={"KUST HQ": "2134", "HOHN": "2235"})
    do(s, "activate KUST HQ")
    assert set(legal(s)) == {"move KUST HQ", "move HOHN", "end movement"}


@rule("14.3a", "2.3c")
def test_the_soviets_open_with_a_2nd_shock_chit(narva: Narva) -> None:
    for seed in range(5):
        s: State = narva.start(seed=seed)
        assert (s.turn, s.side, s.decision.kind) == (1, "soviet", "command.Wake")
        assert (s.used, cup(s, "2SH")) == ((0, 1), 3)


@rule("14.3b")
@pytest.mark.parametrize(
    ("turn", "die", "result"), [(1, 6, "D1r1"), (1, 5, "D1r1"), (2, 5, "Dr1"), (1, 1, "A1"), (1, 3, "Dr1")]
)
def test_first_turn_bonus(narva: Narva, turn: int, die: int, result: str) -> None:
    """Vector 28: a 6 stays a 6; 4 to 2 is column 2-1."""
    s = narva.position(turn=turn, phase="soviet.combat", units={"381": "2512", "MOK": "2412"}, dice=(die,))
    told = log(fight(s, "2412", "381"))
    bonus = " + 1" if turn == 1 else ""
    assert any(f"die {die}{bonus}: {result}" in line for line in told)


@rule("14.3b")
def test_the_bonus_is_for_soviet_combat_only(narva: Narva) -> None:
    s = narva.position(turn=1, phase="german.combat", units={"162G": "2512", "1294SU": "2412"}, dice=(5,))
    assert any("die 5: Dr1" in line for line in log(fight(s, "2412", "162G")))
    s = narva.position(turn=1, phase="command", draws=["BAR-S"], dice=(1, 5), units={"381": "2512", "MOK": "2412"})
    do(s, "draw a chit")
    assert any("die 5: Dr1" in line for line in log(do(s, "barrage 2412")))
    s = narva.position(turn=1, phase="soviet.combat", units={"381": "2512", "MOK": "2412"})
    do(s, "attack 2412", "add 381")
    assert any(m.rule == "14.3b" for m in s.forecast("resolve the attack").modifiers)
