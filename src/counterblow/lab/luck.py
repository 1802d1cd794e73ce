"""Luck told from skill: what chance brought, less what it should have brought on the mean.

For every action that drew on chance the position is judged as it came out, and as it would have come out otherwise.
Dice are gone through face by face, which is exact unless they are very many; draws from a cup or a deck are made again
many times. Whatever the judgement, the difference is nought on the mean: what came is one throw among the others.

An action may both draw and throw: a chit of *Across the Narva* calls for a throw, a throw of *Narvik 1940* says how
many counters are drawn. If the whole were charged to the dice, a side's dice would be lucky on the mean where they are
thrown only after a good draw. So the dice are weighed with the draws held, and the rest belongs to the draws.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import NamedTuple

from counterblow.kernel import chance
from counterblow.kernel.actions import Action
from counterblow.kernel.events import Event
from counterblow.kernel.record import faces
from counterblow.kernel.state import State

FACES = 6
FALLS = 64  # so many ways in which the dice of an action can fall are gone through; beyond that they are sampled
AGAIN = 16  # draws where they are made again
WORLDS = 2  # draws that are held one after the other, where they follow the dice
SETTLING = 12  # decisions that may follow from a throw before the position is judged as it is
PRIME = (1 << 61) - 1  # a generator of any kind, a keyed one too, gives a plain seed by its remainder
SUBJECT = re.compile(r"(?:The )?{(\w+)}")  # who does something, at the beginning of a sentence of the log

Value = Callable[[State], float]


@dataclass(frozen=True)
class Luck:
    """What one action's chance was worth to the first side: how much better it fell than could be expected."""

    dice: float
    draws: float  # of chits, cards and counters, and shuffles
    error: float  # standard error of the expectation; 0 where it is exact

    @property
    def worth(self) -> float:
        """All of it."""
        return self.dice + self.draws


class Fall(NamedTuple):
    """A way in which the dice of an action can fall, and what follows."""

    faces: tuple[int, ...]
    weight: float
    state: State
    rng: int  # the generator after it
    events: list[Event]


def luck(
    before: State, action: Action, after: State, thrown: Sequence[int], value: Value, again: int = AGAIN
) -> Luck | None:
    """The luck in an action, or None if it drew on no chance. ``thrown`` are the dice that fell."""
    if (after.rng, after.dice) == (before.rng, before.dice):
        return None
    return Outlook(before, action, value, again).luck(after, thrown)


class Outlook:
    """What an action can bring by chance: the same however it comes out."""

    def __init__(self, before: State, action: Action, value: Value, again: int = AGAIN) -> None:
        self.before, self.action, self.value = before, action, value
        self.seed = chance.seeded(before.rng % PRIME)
        self.worlds = [chance.seeded(self.seed + number) for number in range(max(again, WORLDS))]

    def luck(self, after: State, thrown: Sequence[int]) -> Luck:
        """How much better than that it came out."""
        came = self._judged(after.copy())
        if not thrown:
            expected, error = self._of_all
            return Luck(0.0, came - expected, error)
        if all(fall.rng == self.worlds[0] for fall in self._falls):
            return Luck(came - self._of_dice[0], 0.0, 0.0)
        if self._held is not None:
            expected, error = self._of_all
            return Luck(came - self._held, self._held - expected, error)
        expected, error = _mean(self._of_dice)
        laid = [self._judged(_done(self.before, self.action, tuple(thrown), rng).state) for rng in self.worlds[:WORLDS]]
        dice = _mean(laid)[0] - expected
        return Luck(dice, came - expected - dice, error)

    @cached_property
    def _of_all(self) -> tuple[float, float]:
        """The mean with everything drawn and thrown again, and its standard error."""
        return _mean([self._judged(_done(self.before, self.action, (), rng).state) for rng in self.worlds])

    @cached_property
    def _falls(self) -> list[Fall]:
        return list(falls(self.before, self.action, self.worlds[0]))

    @cached_property
    def _of_dice(self) -> list[float]:
        """The mean over the dice, for each of some draws; for the first alone where there are none."""
        more = [] if all(fall.rng == self.worlds[0] for fall in self._falls) else self.worlds[1:WORLDS]
        return [self._mean_of(self._falls), *(self._mean_of(falls(self.before, self.action, rng)) for rng in more)]

    @cached_property
    def _held(self) -> float | None:
        """The mean over the dice with the draws that came, if all draws come before the dice."""
        if not draws_first(self.before, self.action):
            return None
        return self._mean_of(falls(self.before, self.action, self.before.rng))

    def _mean_of(self, ways: Iterable[Fall]) -> float:
        return sum(fall.weight * self._judged(fall.state) for fall in ways)

    def _judged(self, state: State) -> float:
        """The value once what the throw began has been carried through, by the same dice in every case."""
        before = self.before
        state.rng = self.seed
        depth, name = len(before.agenda), before.agenda[-1][0]
        for _ in range(SETTLING):
            now = len(state.agenda)
            if now < depth or (now == depth and state.agenda[-1][0] == name) or state.turn != before.turn:
                break
            decision = state.decision
            assert decision is not None
            legal = state.legal()
            state.do(decision.passes if decision.passes is not None and len(legal) > 1 else legal[0])
        return self.value(state)


def falls(before: State, action: Action, rng: int) -> Iterator[Fall]:
    """Every way in which the dice of an action can fall while draws come from this generator.

    A throw may call for another. When there are too many ways, the dice beyond come from the generator, too.
    """
    waiting: list[tuple[int, ...]] = [()]
    ways = 1
    for thrown in waiting:  # which grows
        fall = _done(before, action, thrown, rng)
        if len(faces(fall.events)) > len(thrown) and ways + FACES - 1 <= FALLS:
            ways += FACES - 1
            waiting.extend((*thrown, face) for face in range(1, FACES + 1))
        else:
            yield fall


def _done(before: State, action: Action, thrown: tuple[int, ...], rng: int) -> Fall:
    """The action with these dice, all further chance from this generator."""
    state = before.copy()
    state.dice = thrown
    state.rng = rng
    events = state.do(action)
    state.dice = ()
    return Fall(thrown, FACES ** -len(thrown), state, state.rng, events)


def draws_first(before: State, action: Action) -> bool:
    """Are there draws, and do all come before the dice? Then they stay the same whatever dice are laid down."""
    free = _done(before, action, (), before.rng)
    laid = _done(before, action, tuple(faces(free.events)), before.rng)
    if laid.rng == before.rng:
        return False  # there is none
    if len({fall.rng for fall in falls(before, action, before.rng)}) > 1:
        return False  # some faces call for more
    laid.state.rng = free.state.rng
    return bool(laid.state == free.state)


def _mean(values: Sequence[float]) -> tuple[float, float]:
    """With its standard error."""
    mean = sum(values) / len(values)
    return mean, sqrt(sum((v - mean) ** 2 for v in values) / max(1, len(values) - 1) / len(values))


def thrower(before: State, events: Sequence[Event]) -> int:
    """Whose dice they are: of the side that the log names with the first of them, else of the side whose move it is.

    That need not be the side that acted: an enemy who holds his fire, or does not intercept, lets an attack go on.
    Later dice do not count, for they may be thrown only after certain faces: nobody's dice may depend on how they fall.
    """
    first = next((event for event in events if event.dice), None)
    if first is not None and (named := SUBJECT.match(first.sentence)):
        subject = first.values[named[1]]  # only the first words: further on the log tells who suffered
        if named[1] == "who":
            return int(subject)
        if subject in before.game.side_titles:
            return int(before.game.side_titles.index(subject))
    return int(before.mover)
