"""What every computer player is."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

from counterblow.kernel import chance
from counterblow.kernel.actions import Action
from counterblow.kernel.errors import CounterblowError, unknown
from counterblow.kernel.state import State

TEMPERAMENTS = ("cautious", "balanced", "bold")


class Rated(NamedTuple):
    """A choice, why, and what it is worth: hundredths of a victory point more than passing, as the player sees it."""

    action: Action
    reason: str
    worth: float


class Thought(NamedTuple):
    """An action of a line: where it was foreseen, and the plan behind it in a sentence."""

    where: tuple[Any, ...]
    action: Action
    reason: str


class Cancelled(Exception):
    """Nobody waits for the thought any more."""


class Meter:
    """Counts nodes (actions tried on copies) against a budget; tells how far a thought has come; can be cancelled.

    The budget in nodes decides, so that a seed plays the same game on any machine; the seconds are a cap on top. They
    are seconds of the processor, so that a busy machine does not cut a thought short that a free one would finish.
    """

    def __init__(
        self,
        nodes: int,
        seconds: float,
        progress: Callable[[float], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> None:
        self.nodes = 0
        self.most = nodes
        self.deadline = time.thread_time() + seconds
        self.progress = progress
        self.cancelled = cancelled
        self._told = 0.0

    @property
    def spent(self) -> bool:
        """Is the budget used up?"""
        return self.nodes >= self.most or time.thread_time() > self.deadline

    def tell(self) -> None:
        """Called between two trials."""
        if self.cancelled is not None and self.cancelled():
            raise Cancelled
        share = min(1.0, self.nodes / max(1, self.most))
        if self.progress is not None and share > self._told:
            self._told = share
            self.progress(share)


class Player:
    """Chooses actions for a side. Deterministic: seed, state and side decide."""

    name: ClassVar[str]
    title: ClassVar[str]
    text: ClassVar[str]
    minded: ClassVar[bool] = False  # does a temperament change how it judges?

    def __init__(
        self,
        seed: int = 0,
        *,
        temperament: str = "balanced",
        nodes: int | None = None,
        seconds: float | None = None,
        progress: Callable[[float], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> None:
        if isinstance(seed, bool) or not isinstance(seed, int):
            raise CounterblowError(f"a player's seed should be a whole number, not {seed!r}")
        if nodes is not None and (isinstance(nodes, bool) or not isinstance(nodes, int) or nodes < 0):
            raise CounterblowError(f"a player's nodes should be a whole number from 0 up, not {nodes!r}")
        if seconds is not None and (
            isinstance(seconds, bool) or not isinstance(seconds, int | float) or not seconds >= 0
        ):
            raise CounterblowError(f"a player's seconds should be a number from 0 up, not {seconds!r}")
        if temperament not in TEMPERAMENTS:
            raise CounterblowError(unknown("temperament", temperament, TEMPERAMENTS))
        if temperament != "balanced" and not self.minded:
            raise CounterblowError(f"the player {self.name!r} has no temperament: it judges as it does")
        for name, hook in (("progress", progress), ("cancelled", cancelled)):
            if hook is not None and not callable(hook):
                raise CounterblowError(f"a player's {name} should be a function, not {hook!r}")
        self.temperament = temperament
        self.nodes = nodes
        self.seconds = seconds
        self.progress = progress
        self.cancelled = cancelled
        self.reason = ""  # the plan behind the action that was chosen last
        self._generator = chance.seeded(seed)
        self._kept: list[Thought] = []

    # ------------------------------------------------------------------ what a player answers

    def choose(self, state: State, side: int) -> Action:
        """One of ``state.legal()``; ``side`` is the number of the side that decides. The state is not changed."""
        check(state, side)
        if self._kept and self._kept[0].where == where(state) and self._kept[0].action in state.legal():
            thought = self._kept.pop(0)
        else:
            thought, *self._kept = self.think(state, side)
        self.reason = thought.reason
        return thought.action

    def line(self, state: State, side: int) -> list[Action]:
        """Actions that hold until chance, a reveal or the enemy decides: the first is what ``choose`` would answer.

        ``reasons`` tells the plan behind each of them.
        """
        check(state, side)
        self._kept = []
        thoughts = self.think(state, side)
        self.reasons = [thought.reason for thought in thoughts]
        self.reason = self.reasons[0]
        return [thought.action for thought in thoughts]

    reasons: list[str]

    def rank(self, state: State, side: int, n: int = 3) -> list[Rated]:
        """The first choices, best first, each with its reason and what it is worth."""
        check(state, side)
        if isinstance(n, bool) or not isinstance(n, int) or n < 1:
            raise CounterblowError(f"rank: n should be a whole number from 1 up, not {n!r}")
        return self.rated(state, side)[:n]

    def resigns(self, state: State, side: int) -> bool:
        """Would the player offer to give up: is the game lost beyond hope? Whoever decides now."""
        check_side(state, side)
        return not state.over and self.despairs(state, side)

    # ------------------------------------------------------------------ what a kind of player fills in

    def think(self, state: State, side: int) -> list[Thought]:
        """A line, at least one action long."""
        raise NotImplementedError

    def despairs(self, state: State, side: int) -> bool:
        """Is the game lost for a side, as far as the player knows?"""
        return False

    def rated(self, state: State, side: int) -> list[Rated]:
        """All that the player would consider, best first."""
        thought = self.think(state, side)[0]
        return [Rated(thought.action, thought.reason, 0.0)]

    def _below(self, n: int) -> int:
        """A number from 0 to n - 1 from the player's own generator."""
        self._generator, number = chance.below(self._generator, n)
        return number

    def _meter(self, nodes: int, seconds: float) -> Meter:
        return Meter(
            self.nodes if self.nodes is not None else nodes,
            self.seconds if self.seconds is not None else seconds,
            self.progress,
            self.cancelled,
        )


def check_side(state: State, side: int) -> None:
    """A state, and one of its sides by its number."""
    if not isinstance(state, State):
        raise CounterblowError(f"a player looks at a state (game.start, game.from_json), not at {type(state).__name__}")
    if isinstance(side, bool) or not isinstance(side, int) or side not in (0, 1):
        names = ", ".join(f"{number} ({name})" for number, name in enumerate(state.game.sides))
        raise CounterblowError(f"a side is given by its number here: {names}; not {side!r}")


def check(state: State, side: int) -> None:
    """A wrong call gets an error, and no silent nonsense."""
    check_side(state, side)
    decider = state.decider
    if decider is None:
        raise CounterblowError("the game is over: there is nothing to choose")
    if decider != side:
        sides = state.game.sides
        raise CounterblowError(f"{sides[decider]} decides now ({decider}), not {sides[side]} ({side})")


def where(state: State) -> tuple[Any, ...]:
    """By this a player knows again a position that it has foreseen."""
    return (state.turn, state.agenda[-1], bytes(state.held[0]), bytes(state.held[1]))


def chosen(state: State) -> tuple[int, ...]:
    """The units in the attack that is being put together: what ``state.decision`` tells, without its words."""
    if not state.agenda:
        return ()
    step = state.agenda[-1]
    return tuple(state.game.flow.choices[step[0]].chosen(state, *step[1:]))


def imagine(state: State, side: int, seed: int) -> State:
    """A copy on which a side may try things: other dice, and what it cannot see dealt anew by the game."""
    other = state.copy()
    other.rng = chance.seeded(seed)
    other.dice = ()
    other.game.judge.redeal(other, side)
    return other
