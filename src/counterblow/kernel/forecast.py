"""What a planned attack may lead to: every modifier with its rule, and exact probabilities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeVar

E = TypeVar("E")  # how something has ended so far
S = TypeVar("S", bound=Any)  # a state


@dataclass(frozen=True)
class Modifier:
    """Something that changes a strength, a die or a column, and the rule it comes from."""

    amount: int | Fraction
    text: str
    rule: str

    def __str__(self) -> str:
        sign = "" if self.amount < 0 else "+"  # Python 3.11 cannot format a Fraction with its sign
        return f"{sign}{self.amount} {self.text} ({self.rule})"


@dataclass(frozen=True)
class Outcome:
    """One result, its chance, and what it would mean where that is determined."""

    result: str
    chance: Fraction
    text: str = ""


@dataclass(frozen=True)
class Forecast:
    """The full picture before the dice: strengths, odds, modifiers, column and outcomes."""

    title: str
    facts: tuple[tuple[str, str], ...] = ()  # ("attack", "20"), ("odds", "6:1"), ("column", "5:1")
    modifiers: tuple[Modifier, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    notes: tuple[str, ...] = field(default=())

    def chance(self, *results: str) -> Fraction:
        """The chance of any of these results."""
        return sum((o.chance for o in self.outcomes if o.result in results), Fraction(0))

    def to_json(self) -> dict[str, Any]:
        """As data, chances both as numbers and as exact fractions."""
        return {
            "title": self.title,
            "facts": [list(fact) for fact in self.facts],
            "modifiers": [{"amount": str(m.amount), "text": m.text, "rule": m.rule} for m in self.modifiers],
            "outcomes": [
                {"result": o.result, "chance": float(o.chance), "exact": str(o.chance), "text": o.text}
                for o in self.outcomes
            ],
            "notes": list(self.notes),
        }


def telling(title: str, notes: Iterable[str]) -> Forecast | None:
    """What an action without dice leads to beyond itself; None where there is nothing to tell."""
    found = tuple(notes)
    return Forecast(title, notes=found) if found else None


def tally(results: Iterable[tuple[str, Fraction]], texts: dict[str, str] | None = None) -> tuple[Outcome, ...]:
    """Outcomes from (result, chance) pairs: equal results are added up, first seen first."""
    chances: dict[str, Fraction] = {}
    for result, chance in results:
        chances[result] = chances.get(result, Fraction(0)) + chance
    return tuple(Outcome(result, chance, (texts or {}).get(result, "")) for result, chance in chances.items())


def rolled(ends: dict[E, Fraction], after: Callable[[E, int], E], faces: int = 6) -> dict[E, Fraction]:
    """The chances of every end after one die more, ``after(end, face)``; equal ends are added up."""
    found: dict[E, Fraction] = {}
    for end, chance in ends.items():
        share = chance / faces
        for now, count in Counter([after(end, face) for face in range(1, faces + 1)]).items():  # fractions are slow
            found[now] = found.get(now, Fraction(0)) + share * count
    return found


def played_out(s: S, rolls: Sequence[Callable[[S], None]], alike: Callable[[S], Any]) -> list[tuple[S, Fraction]]:
    """Every end of some rolls, and its chance: the rules themselves are carried out on copies, face by face.

    Each of ``rolls`` throws one die at the most. Ends of which ``alike`` says the same are one; they come in its order.
    """
    ends = {alike(s): (s, 1)}
    for roll in rolls:
        found: dict[Any, tuple[S, int]] = {}
        for end, count in ends.values():
            for face in range(1, 7):
                after = end.copy()
                after.dice = (face,)
                roll(after)
                key = alike(after)
                found[key] = (after, count + (found[key][1] if key in found else 0))
        ends = found
    return [(ends[key][0], Fraction(ends[key][1], 6 ** len(rolls))) for key in sorted(ends)]
