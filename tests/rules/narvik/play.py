"""Short words for the tests of Narvik 1940."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from counterblow import Event
from tests.helpers import legal


def offers(s: Any, text: str) -> bool:
    return text in legal(s)


def starting(s: Any, opening: str) -> list[str]:
    """The legal actions that begin with these words, without the words."""
    return [t[len(opening) :].strip() for t in legal(s) if t.startswith(opening + " ")]


def columns(events: Sequence[Event]) -> list[int]:
    """The CRT columns of the dice that were rolled, in order."""
    return [e.values["n1"] for e in events if e.kind == "combat" and "n1" in e.values]


def rolled(events: Sequence[Event]) -> list[str]:
    """The units that dice were rolled for, in order."""
    return [e._words.name("unit", e.values["unit"]) for e in events if e.kind == "combat" and "n2" in e.values]


def stack(s: Any, label: str) -> list[str]:
    """The units in a hex or area, top first."""
    return [s.game.unit_names[u] for u in s.top(s.game.node(label))]


def left(s: Any, unit: str) -> float:
    """Movement points left."""
    return float(s.left(s.game.unit(unit)) / 2)


def shifts(s: Any, text: str) -> dict[str, int]:
    """Rule -> shift of an attack that is about to be made, from its forecast."""
    return {m.rule: int(m.amount) for m in s.forecast(text).modifiers}


def to_next_turn(s: Any) -> None:
    """Pass until the next turn has begun or the game is over; any other decision takes its first action."""
    turn = s.turn
    while not s.over and s.turn == turn:
        s.do("pass" if offers(s, "pass") else s.legal()[0])
