"""Chapter 12: air units."""

from __future__ import annotations

from typing import Any

from counterblow.games.narva.game import Narva
from tests.helpers import do, legal, rule
from tests.rules.narva.play import State, box, facts

UNITS: dict[str, Any] = {"381": "2512", "61F": "2412"}


def attacking(narva: Narva, **more: Any) -> State:
    s = narva.position(turn=2, phase="soviet.combat", units=UNITS, dice=(3,), **more)
    do(s, "attack 2412", "add 381")
    return s


@rule("12.1a")
def test_ready_units_support_a_combat(narva: Narva) -> None:
    s = attacking(narva, air={"13A-1": "refit", "13A-2": "grounded"})
    sent = {text.partition(" air attack by ")[::2] for text in legal(s) if "air attack" in text}
    assert sent == {("full", "13A-B"), *((how, f"13A-{n}") for how in ("full", "normal") for n in (3, 4, 5))}
    do(s, "normal air attack by 13A-3")
    why = {1: "it is in refit", 2: "it is grounded", 3: "it supports this attack already"}
    for number, reason in why.items():
        assert s.why_not(f"full air attack by 13A-{number}") == [("12.1a", reason)]


@rule("12.1c", "9.3.1c")
def test_what_an_air_unit_would_bring_is_told(narva: Narva) -> None:
    s = attacking(narva)
    columns = [dict(s.forecast(f"{how} air attack by 13A-1").facts)["column"] for how in ("normal", "full")]
    before = facts(s)["column"]
    assert [before, *columns] == ["1-1", "3-2", "2-1"]


@rule("12.1b")
def test_two_units_at_most(narva: Narva) -> None:
    s = attacking(narva)
    do(s, "full air attack by 13A-1", "full air attack by 13A-B")
    assert not any("air attack" in text for text in set(legal(s)))
    assert s.refuses("full air attack by 13A-2", because="12.1b")
    assert facts(s)["column"] == "6-1"  # 1-1 and five columns


@rule("12.1c")
def test_full_or_normal(narva: Narva) -> None:
    for action, column in (
        ("full air attack by 13A-1", "2-1"),
        ("normal air attack by 13A-1", "3-2"),
        ("full air attack by 13A-B", "3-1"),
    ):
        s = attacking(narva)
        do(s, action)
        assert facts(s)["column"] == column
    assert attacking(narva).refuses("normal air attack by 13A-B", because="12.1c")


@rule("12.1d")
def test_only_the_attacker(narva: Narva) -> None:
    s = attacking(narva)
    assert s.refuses("full air attack by LW", because="12.1d")
    s = narva.position(turn=2, phase="command", draws=["BAR-S"], dice=(1,), units=UNITS)
    assert not any("air" in text for text in set(legal(s)))


@rule("12.1.1a", "12.1.1b")
def test_after_the_attack(narva: Narva) -> None:
    s = attacking(narva)
    do(s, "full air attack by 13A-1", "normal air attack by 13A-2", "resolve the attack")
    assert (box(s, "13A-1"), box(s, "13A-2"), box(s, "13A-3")) == ("grounded", "refit", "ready")
    s = attacking(narva)
    do(s, "full air attack by 13A-1", "back")
    assert box(s, "13A-1") == "ready"


@rule("12.2.1", "12.2.2", "3.0b")
def test_recovery(narva: Narva) -> None:
    """Vectors 26 and 27: a full attack costs two air phases, a normal one one."""
    s = narva.position(
        turn=3,
        phase="air",
        air={"13A-1": "grounded", "13A-2": "refit", "LW": "refit"},
        draws=["3SS"],
        units={"11SS HQ": "3029"},
    )
    assert (box(s, "13A-1"), box(s, "13A-2"), box(s, "LW")) == ("refit", "ready", "ready")
    s = narva.position(turn=4, phase="air", air={"13A-1": "refit"}, draws=["3SS"], units={"11SS HQ": "3029"})
    assert box(s, "13A-1") == "ready"
