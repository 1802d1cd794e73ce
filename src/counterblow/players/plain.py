"""A plain player for every game: tries each action on a copy with other dice and keeps what looks best.

It looks one action ahead, where an action includes what it begins: choosing a unit leads on to choosing its
destination, planning an attack to committing it, a battle to its losses and retreats. How good a position looks is for
the game to say (``Game.evaluate``).
"""

from __future__ import annotations

from counterblow.kernel.actions import Action
from counterblow.kernel.state import State
from counterblow.players.base import Player, imagine

TRIALS = 240  # actions tried for one choice, about
DICE = 3  # throws over which an action that draws on chance is averaged
SETTLING = 12  # decisions that may follow from an action before the position is judged as it is
REPLIES = 4  # options looked at in each of those


class Plain(Player):
    name = "plain"
    title = "Plain"
    text = "Looks one action ahead: attacks at good odds, guards what counts, keeps its supply."

    def choose(self, state: State, side: int) -> Action:
        legal = state.legal()
        if len(legal) == 1:
            return legal[0]
        options = self._sample(legal, TRIALS // 2)
        trials = max(1, TRIALS // len(options))
        scores = [self._score(state, side, action, trials) for action in options]
        best = max(scores)
        return options[scores.index(best)]

    def _sample(self, actions: list[Action], most: int) -> list[Action]:
        """At most so many actions, in their order; the last one, which usually ends a phase, among them."""
        if len(actions) <= most:
            return actions
        kept: set[int] = set()
        while len(kept) < most - 1:
            kept.add(self._below(len(actions) - 1))
        return [actions[index] for index in sorted(kept)] + [actions[-1]]

    def _score(self, state: State, side: int, action: Action, trials: int) -> float:
        """How good an action looks: over several throws of the dice, if it throws any."""
        total = 0.0
        for throw in range(DICE):
            copy = imagine(state, side, self._below(1 << 62))
            before = copy.rng
            copy.do(action)
            if _ends(state, copy, action) and copy.rng == before:
                return float(state.game.evaluate(state, side))
            total += self._settled(copy, state, side, max(1, trials - 1))
            if copy.rng == before:
                return total
            if trials < DICE * 2:
                return total / (throw + 1)
        return total / DICE

    def _settled(self, state: State, root: State, side: int, trials: int) -> float:
        """The value of a position once what was begun has been carried through."""
        for _ in range(SETTLING):
            decider = state.decider
            if decider is None or _calm(state, root):
                break
            if decider == side and trials > 1:
                return self._follow_up(state, root, side, trials)
            state.do(self._quick(state, decider))
        return float(state.game.evaluate(state, side))

    def _follow_up(self, state: State, root: State, side: int, trials: int) -> float:
        """The best that the side can make of a further decision of its own."""
        options = self._sample(state.legal(), trials)
        each = trials // len(options)
        values = []
        for action in options:
            copy = state.copy()
            copy.do(action)
            values.append(self._settled(copy, root, side, each))
        return max(values)

    def _quick(self, state: State, decider: int) -> Action:
        """A reply without much thought: the best of a few options, looked at as they are."""
        options = self._sample(state.legal(), REPLIES)
        if len(options) == 1:
            return options[0]
        values = []
        for action in options:
            copy = state.copy()
            copy.do(action)
            values.append(state.game.evaluate(copy, decider))
        return options[values.index(max(values))]


def _calm(state: State, root: State) -> bool:
    """Is what the action began over: is the same question asked again, or has the phase gone on?"""
    depth, before = len(state.agenda), len(root.agenda)
    if state.turn != root.turn or depth < before:
        return True
    return depth == before and state.agenda[-1][0] == root.agenda[-1][0]


def _ends(state: State, after: State, action: Action) -> bool:
    """Does the action only end something? Then it is judged by what is there now, not by what comes next."""
    return not action.args and after.agenda[: len(state.agenda)] != state.agenda
