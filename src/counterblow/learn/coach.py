"""The coach: what a computer player would do, and what it thinks of what was done.

It asks the officer, who works with plans, and knows no more than the side that asks: players deal anew what a side
cannot see before they try anything.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from counterblow import players
from counterblow.kernel.game import Game
from counterblow.kernel.state import State

ADVISER = "officer"
CHOICES = 3  # told
CONSIDERED = 60  # ranked, to find what was done among them
POINT = 100  # players reckon in hundredths of a victory point


@dataclass(frozen=True)
class Choice:
    """One of the first choices, in victory points as the coach expects them: more than passing, less than the best."""

    action: str
    reason: str
    worth: float
    less: float


@dataclass(frozen=True)
class Advice:
    """What the coach would do, and how what was done compares."""

    choices: tuple[Choice, ...]
    done: str | None = None  # what was done instead
    place: int | None = None  # of what was done among all that was considered; None: it was not considered
    less: float | None = None  # how much less it promised than the best


def advice(state: State, side: int, done: str | None = None, seed: int = 0) -> Advice:
    """The first three choices of a side that decides; with ``done``, also how that compares."""
    rated = players.make(ADVISER, seed).rank(state, side, CONSIDERED)
    best = rated[0].worth
    choices = tuple(
        Choice(one.action.text, plainly(one.action.text, one.reason), _points(one.worth), _points(best - one.worth))
        for one in rated[:CHOICES]
    )
    if done is None:
        return Advice(choices)
    for place, one in enumerate(rated, 1):
        if one.action.text == done:
            return Advice(choices, done, place, _points(best - one.worth))
    return Advice(choices, done)


@dataclass(frozen=True)
class Regret:
    """Something that was done, what the coach would have done instead, and how much more that promised."""

    done: str
    better: str
    reason: str
    less: float


@dataclass(frozen=True)
class Review:
    """A turn looked back upon: how many choices, how many of them the coach shares, the worst of the others."""

    choices: int
    same: int
    regrets: tuple[Regret, ...]


def review(turn: Sequence[tuple[State, str]], side: int) -> Review:
    """Was that wise? The positions in which a side chose, each with what it did, judged by what it knew then."""
    judged = [advice(state, side, done) for state, done in turn]
    same = sum(one.less == 0 for one in judged)
    regrets = [
        Regret(one.done or "", one.choices[0].action, one.choices[0].reason, one.less)
        for one in judged
        if one.less is not None and one.less > 0
    ]
    return Review(len(judged), same, tuple(sorted(regrets, key=lambda regret: -regret.less)[:CHOICES]))


def _points(worth: float) -> float:
    return round(worth / POINT, 2)


def plainly(action: str, reason: str) -> str:
    """A player's reason as a sentence that does not say the action again; empty if it has none."""
    plain = reason.removeprefix(f"{action}: ").rstrip(".")
    return plain[:1].upper() + plain[1:] + "." if plain else ""


def review_saved(load: Callable[[str], Game], slug: str, turn: list[tuple[str, str]], side: int) -> dict[str, Any]:
    """``review`` for saved states; runs where computer players think."""
    game = load(slug)
    return asdict(review([(game.from_json(state), done) for state, done in turn], side))


def advise(load: Callable[[str], Game], slug: str, state: str, side: int, done: str | None) -> dict[str, Any]:
    """``advice`` for a saved state; runs where computer players think."""
    return asdict(advice(load(slug).from_json(state), side, done))
