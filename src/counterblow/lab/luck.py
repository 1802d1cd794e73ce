"""Luck told from skill: what the dice brought, less what they should have brought on the mean.

For every action that drew on chance the position is judged as it came out, and as it would have come out with other
dice. One or two dice are gone through face by face, which is exact; more of them, and draws from a cup or a deck, are
thrown again many times. Whatever the judgement, the difference is nought on the mean: the dice that fell are one throw
among the others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from math import sqrt

from counterblow.kernel import chance
from counterblow.kernel.actions import Action
from counterblow.kernel.events import Event
from counterblow.kernel.state import State

FACES = 6
EXACT = 2  # so many dice are gone through face by face
AGAIN = 16  # throws where they cannot be
SETTLING = 12  # decisions that may follow from a throw before the position is judged as it is
SUBJECT = re.compile(r"(?:The )?{(\w+)}")  # who does something, at the beginning of a sentence of the log

Value = Callable[[State], float]


@dataclass(frozen=True)
class Luck:
    """What one action's chance was worth to the first side."""

    came: float  # the value as it came out
    expected: float
    error: float  # standard error of the expectation; 0 where it is exact

    @property
    def worth(self) -> float:
        """How much better the dice fell than they could be expected to."""
        return self.came - self.expected


def luck(
    before: State, action: Action, after: State, faces: Sequence[int], value: Value, again: int = AGAIN
) -> Luck | None:
    """The luck in an action, or None if it drew on no chance. ``faces`` are the dice that fell."""
    if (after.rng, after.dice) == (before.rng, before.dice):
        return None
    seed = chance.seeded(before.rng)
    came = _judged(before, after.copy(), value, seed)
    if 0 < len(faces) <= EXACT:
        exact = True
        values = []
        for number, thrown in enumerate(product(range(1, FACES + 1), repeat=len(faces))):
            other = before.copy()
            other.dice = thrown
            other.rng = start = chance.seeded(seed + number)
            other.do(action)
            exact = exact and other.rng == start
            other.dice = ()
            values.append(_judged(before, other, value, seed))
        mean = sum(values) / len(values)
        return Luck(came, mean, 0.0 if exact else _error(values, mean))
    values = []
    for number in range(again):
        other = before.copy()
        other.dice = ()
        other.rng = chance.seeded(seed + number)
        other.do(action)
        values.append(_judged(before, other, value, seed))
    mean = sum(values) / len(values)
    return Luck(came, mean, _error(values, mean))


def _error(values: Sequence[float], mean: float) -> float:
    return sqrt(sum((v - mean) ** 2 for v in values) / (len(values) - 1) / len(values))


def _judged(before: State, state: State, value: Value, seed: int) -> float:
    """The value once what the throw began has been carried through, by the same dice in every case."""
    state.rng = seed
    depth, name = len(before.agenda), before.agenda[-1][0]
    for _ in range(SETTLING):
        now = len(state.agenda)
        if now < depth or (now == depth and state.agenda[-1][0] == name) or state.turn != before.turn:
            break
        decision = state.decision
        assert decision is not None
        legal = state.legal()
        state.do(decision.passes if decision.passes is not None and len(legal) > 1 else legal[0])
    return value(state)


def thrower(before: State, events: Sequence[Event]) -> int:
    """Whose dice they are: of the side that the log names with them, else of the side whose move it is.

    That need not be the side that acted: an enemy who holds his fire, or does not intercept, lets an attack go on.
    """
    titles = before.game.side_titles
    for event in events:
        if event.dice and (named := SUBJECT.match(event.sentence)):
            subject = event.values[named[1]]  # only the first words: further on the log tells who suffered
            if named[1] == "who":
                return int(subject)
            if subject in titles:
                return int(titles.index(subject))
    return int(before.mover)
