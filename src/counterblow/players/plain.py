"""A plain player for every game: tries each action on a copy with other dice and keeps what looks best.

It looks one action ahead, where an action includes what it begins: choosing a unit leads on to choosing its
destination, planning an attack to committing it, a battle to its losses and retreats. Where chance decides it takes the
mean over throws spread evenly over the die. How good a position looks is for the game to say (``Game.evaluate``).
"""

from __future__ import annotations

from collections.abc import Callable

from counterblow.kernel import chance
from counterblow.kernel.actions import Action
from counterblow.kernel.state import State
from counterblow.players.base import Player, Rated, Thought, chosen, imagine, where

TRIALS = 120  # actions tried in one look, shared out among the options
FINALISTS = 4  # options that get a second, closer look
MOST = 1200  # actions carried out in one look, with all that follows from them
FACES = 6  # throws over which an action that draws on chance is averaged
SETTLING = 10  # decisions that may follow from an action before the position is judged as it is
REPLIES = 3  # options looked at in each of those that are not the player's own
REST = 30  # decisions until the phase is over, at most
JOINERS = 12  # units that may join an attack
MIDDLE = (3, 1, 5, 0, 4, 2)  # the throws: a middling one first, by which all that has no dice of its own is judged
PASSING = frozenset(("cease", "decline", "done", "end", "finish", "halt", "hold", "keep", "no", "pass", "stop", "wait"))


class Plain(Player):
    """Looks one action ahead, with what it begins, by the game's ``evaluate``."""

    name = "plain"
    title = "Recruit"
    text = "Looks one action ahead and has no plan: a gentle first opponent."

    def think(self, state: State, side: int) -> list[Thought]:
        best = self.rated(state, side)[0]
        return [Thought(where(state), best.action, best.reason)]

    def rated(self, state: State, side: int) -> list[Rated]:
        legal = state.legal()
        if len(legal) == 1:
            return [Rated(legal[0], "there is nothing else to do", 0.0)]
        options = self.sample(state.game.judge.worth_trying(state, legal), TRIALS // 2)
        throws = self.spread()
        start = imagine(state, side, self._below(1 << 62))
        start.rng = throws[0]
        search = _Search(self, start, side, throws)
        scores = search.look(options)
        if len(options) > FINALISTS:
            ranked = sorted(range(len(options)), key=lambda number: -scores[number])
            options = [options[number] for number in sorted(ranked[:FINALISTS])]
            scores = search.look(options)
        found = [Rated(a, "it looks best one action ahead", v) for a, v in zip(options, scores, strict=True)]
        return sorted(found, key=lambda rated: (-rated.worth, bool(rated.action.args)))  # rather stop than stir

    def sample(self, actions: list[Action], most: int) -> list[Action]:
        """At most so many actions, in their order; those that name nothing (ends, passes, commitments) among them."""
        if len(actions) <= most:
            return actions
        kept = {index for index, action in enumerate(actions) if not action.args}
        while len(kept) < most:
            kept.add(self._below(len(actions)))
        return [actions[index] for index in sorted(kept)]

    def spread(self) -> list[int]:
        """Generators whose next number falls into each sixth of the range: for one die, each face once."""
        found: dict[int, int] = {}
        while len(found) < FACES:
            generator = self._below(1 << 62)
            found.setdefault(chance.below(generator, FACES)[1], generator)
        return [found[face] for face in MIDDLE]


class _Search:
    """One look around from a position, in which the hidden has been dealt anew.

    Every option is carried through, then both sides pass until the phase is over: what the end of the phase brings
    (stacks too high, supply, attacks planned and resolved later) counts alike for all of them.
    """

    def __init__(self, player: Plain, root: State, side: int, throws: list[int]) -> None:
        self.player = player
        self.root = root
        self.phase = root.phase
        self.side = side
        self.throws = throws
        self.left = MOST
        self._following: tuple[str | None, ...] = ()  # worked out when it is first asked for

    def look(self, options: list[Action]) -> list[float]:
        """How good each of the options looks."""
        self.left = MOST
        return [self.value(self.root, action, TRIALS // len(options)) for action in options]

    def _next_phase(self) -> str | None:
        """The phase that follows if the side passes now; None where it cannot pass."""
        if not self._following:
            passing = _passing(self.root)
            over = self._passed(self.root.copy(), lambda state: state.phase != self.phase) if passing else None
            self._following = (None if over is None else over.phase,)
        return self._following[0]

    def value(self, state: State, action: Action, trials: int, steps: int = SETTLING) -> float:
        """How good an action looks; if it begins an attack, also with everybody in it who can join."""
        found = self._alone(state, action, trials, steps)
        if not action.args or self.left <= 0:
            return found
        together = self._together(state, action)
        return found if together is None else max(found, together)

    def _together(self, before: State, action: Action) -> float | None:
        """The value of an attack that everybody joins; None if the action begins or continues none."""
        state = self._after(before, action)
        if state.rng != before.rng or state.decider != self.side or not state.legal():
            return None
        size = len(chosen(state))
        for _ in range(JOINERS):
            first = state.legal()[0]
            joined = self._after(state, first) if first.args else state
            more = len(chosen(joined))
            if joined.rng != state.rng or joined.decider != self.side or more <= size:
                break
            state, size = joined, more
        if not size:
            return None
        for commitment in state.legal()[::-1]:
            if not commitment.args and state.forecast(commitment) is not None:
                return self._alone(state, commitment, FACES, FACES)
        return None

    def _alone(self, state: State, action: Action, trials: int, steps: int = SETTLING) -> float:
        """How good an action looks, with so many trials and decisions to follow; a mean, if it draws on chance."""
        after = self._after(state, action)
        if after.rng == state.rng:
            if not action.args and state.forecast(action) is not None:
                return self._planned(after, trials)
            ends = not action.args and after.phase != self.phase
            return self._judged(after) if ends else self._settled(after, trials - 1, steps)
        if trials < 2:
            return self._settled(after, 0, steps)
        throws = self._some_throws(trials)
        each = trials // len(throws) - 1
        return sum(self._settled(self._after(state, action, t), each, steps) for t in throws) / len(throws)

    def _some_throws(self, trials: int) -> list[int]:
        return self.throws if trials >= FACES else self.throws[1::3]

    def _after(self, state: State, action: Action, throw: int | None = None) -> State:
        self.left -= 1
        after = state.copy()
        if throw is not None:
            after.rng = throw
        after.do(action)
        return after

    def _settled(self, state: State, trials: int, steps: int) -> float:
        """The value of a position once what was begun has been carried through."""
        for step in range(steps - 1, -1, -1):
            decider = state.decider
            if decider is None or self._calm(state) or self.left <= 0 or not state.legal():  # a guess that cannot be
                break
            if decider == self.side and trials > 1:
                options = self.player.sample(state.game.judge.worth_trying(state, state.legal()), trials)
                return max(self.value(state, action, trials // len(options), step) for action in options)
            reply = self._reply(state, decider)
            if decider == self.side and not reply.args and state.forecast(reply) is not None:
                return self.value(state, reply, trials, step)
            state.do(reply)
        return self._judged(state)

    def _reply(self, state: State, decider: int) -> Action:
        """A decision without much thought: the best of a few options, looked at as they are."""
        options = self.player.sample(state.legal(), REPLIES)
        if len(options) == 1:
            return options[0]
        values = [state.game.judge.evaluate(self._after(state, action), decider) for action in options]
        return options[values.index(max(values))]  # of equals the first: all units join an attack before it begins

    def _calm(self, state: State) -> bool:
        """Is what the action began over: is the same question asked again, or has the play gone on?"""
        depth, before = len(state.agenda), len(self.root.agenda)
        if state.turn != self.root.turn or depth < before:
            return True
        return depth == before and state.agenda[-1][0] == self.root.agenda[-1][0]

    def _judged(self, state: State) -> float:
        """The game's judgement when the phase is over; what chance brings then is the same for all options."""
        state.rng = self.throws[0]
        over = self._passed(state, lambda state: state.phase != self.phase)
        return float(state.game.judge.evaluate(over, self.side))

    def _planned(self, state: State, trials: int) -> float:
        """The mean over several throws when an attack that is planned now has been carried out."""
        throws = self._some_throws(trials)
        return sum(self._carried_out(state, throw) for throw in throws) / len(throws)

    def _carried_out(self, state: State, throw: int) -> float:
        """Judged in the phase that follows, or where that is not known, when the phase of the dice is over."""
        state = state.copy()
        state.rng = throw
        fighting: list[str] = []
        following = self._next_phase()

        def done(state: State) -> bool:
            if following is not None:
                return state.phase == following
            if state.rng != throw:
                fighting.append(state.phase)
            return bool(fighting) and state.phase != fighting[0]

        return float(state.game.judge.evaluate(self._passed(state, done), self.side))

    def _passed(self, state: State, done: Callable[[State], bool]) -> State:
        """Both sides do nothing more than what they must, until something is done or the turn is over."""
        for _ in range(REST):
            decider = state.decider
            if decider is None or done(state) or state.turn != self.root.turn or not state.legal():
                break
            passing = _passing(state)
            state.do(self._reply(state, decider) if passing is None else passing)
            self.left -= 1
        return state


def _passing(state: State) -> Action | None:
    """The action that passes or ends a phase, where there is one; by its words where the rules do not say which."""
    if state.agenda:
        step = state.agenda[-1]
        passes: Action | None = state.game.flow.choices[step[0]].passes(state, *step[1:])
        if passes is not None:
            return passes
    for action in state.legal():
        if not action.args and action.text.partition(" ")[0] in PASSING:
            return action
    return None
