"""What is tried out of its time names the rule that says when it is done; judged by the rulebook, drawn at random."""

from __future__ import annotations

import pytest

from counterblow.games.narva.game import Narva
from counterblow.games.narva.moments import MOMENTS
from tests.helpers import do, refused

UNITS = {"381": "2512", "456": "2514", "MOK": "2412", "23": "2928"}


def test_every_kind_of_action_has_its_time(narva: Narva) -> None:
    assert set(MOMENTS) == set(narva.act.sentences)
    assert {moment.rule for moment in MOMENTS.values()} <= set(narva.rules)


@pytest.mark.parametrize(
    ("phase", "done", "tried", "rule"),
    [
        ("soviet.movement", (), "attack 2412", "9.0a"),
        ("soviet.movement", (), "end combat", "3.0c"),
        ("soviet.movement", (), "to 2513", "6.0a"),
        ("soviet.movement", (), "by road to 2513", "6.4a"),
        ("soviet.movement", (), "by rail to 2513", "6.5f"),
        ("soviet.movement", (), "add 456", "4.2.1a"),
        ("soviet.movement", (), "barrage 2412", "2.5.1b"),
        ("soviet.movement", (), "enter 456 at 2513", "3.0a"),
        ("soviet.movement", (), "rebuild MOK", "11.2a"),
        ("soviet.movement", ("move 456", "to 2515"), "back", "6.0b"),
        ("soviet.combat", (), "move 381", "6.0a"),
        ("soviet.combat", (), "resolve the attack", "9.0a"),
        ("soviet.combat", (), "normal air attack by 13A-1", "12.1a"),
        ("soviet.combat", (), "step loss on 381", "9.4a"),
        ("soviet.combat", (), "retreat 381 by 2512-2513", "9.5a"),
        ("soviet.combat", (), "advance 381 by 2512-2412", "9.6a"),
        ("soviet.combat", (), "draw a chit", "3.0c"),
        ("soviet.combat", (), "back", "3.0c"),
    ],
)
def test_out_of_its_time(narva: Narva, phase: str, done: tuple[str, ...], tried: str, rule: str) -> None:
    s = narva.position(turn=2, phase=phase, units=UNITS)
    do(s, *done)
    (reason,) = s.why_not(tried)
    assert refused(s, tried, because=rule)
    assert "; now: " in reason.text


def test_ones_own_hex_is_no_target(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.combat", units=UNITS)
    assert refused(s, "attack 2514", because="9.0a")
    assert refused(s, "attack 2613", because="9.0b")


def test_a_way_may_be_named_with_the_hex_that_is_left(narva: Narva) -> None:
    units = {"61F": "2412", "381": "2512", "220T": "2512"}
    for prefix in ("", "2412-"):
        s = narva.position(turn=2, phase="soviet.combat", units=units, dice=(3,))
        do(s, "attack 2412", "add 381", "add 220T", "resolve the attack")
        way = next(a for a in s.legal() if a.kind == "retreat")
        do(s, str(way).replace(" by ", f" by {prefix}"))
        assert s.at[narva.unit("61F")] == way.args[1][-1]
