"""A plain player for every game: tries each action on a copy with other dice and keeps what looks best.

It looks one action ahead, where an action includes what it begins: choosing a unit leads on to choosing its
destination, planning an attack to committing it, a battle to its losses and retreats. Where chance decides it takes the
mean over throws spread evenly over the die. How good a position looks is for the game to say (``Game.evaluate``).
"""

from __future__ import annotations

from counterblow.kernel import chance
from counterblow.kernel.actions import Action
from counterblow.kernel.state import State
from counterblow.players.base import Player, imagine

TRIALS = 300  # actions tried for one choice, about
FACES = 6  # throws over which an action that draws on chance is averaged
SETTLING = 10  # decisions that may follow from an action before the position is judged as it is
REPLIES = 3  # options looked at in each of those that are not the player's own


class Plain(Player):
    name = "plain"
    title = "Plain"
    text = "Looks one action ahead: attacks at good odds, guards what counts, keeps its supply."

    def choose(self, state: State, side: int) -> Action:
        legal = state.legal()
        if len(legal) == 1:
            return legal[0]
        options = self.sample(legal, TRIALS // 2)
        throws = self.spread()
        start = imagine(state, side, self._below(1 << 62))
        start.rng = throws[0]
        search = _Search(self, state, side, throws)
        scores = [search.value(start, action, TRIALS // len(options)) for action in options]
        best = max(scores)
        fitting = [action for action, score in zip(options, scores, strict=True) if score == best]
        return next((action for action in fitting if not action.args), fitting[0])  # rather stop than stir

    def sample(self, actions: list[Action], most: int) -> list[Action]:
        """At most so many actions, in their order; the last one, which usually ends a phase, among them."""
        if len(actions) <= most:
            return actions
        kept: set[int] = set()
        while len(kept) < most - 1:
            kept.add(self._below(len(actions) - 1))
        return [actions[index] for index in sorted(kept)] + [actions[-1]]

    def spread(self) -> list[int]:
        """Generators whose next number falls into each sixth of the range: for one die, each face once."""
        found: dict[int, int] = {}
        while len(found) < FACES:
            generator = self._below(1 << 62)
            found.setdefault(chance.below(generator, FACES)[1], generator)
        return [found[face] for face in sorted(found)]


class _Search:
    """One look around from a position."""

    def __init__(self, player: Plain, root: State, side: int, throws: list[int]) -> None:
        self.player = player
        self.root = root
        self.side = side
        self.throws = throws
        self.now = float(root.game.evaluate(root, side))

    def value(self, state: State, action: Action, trials: int) -> float:
        """How good an action looks; the mean over several throws, if it draws on chance."""
        after = state.copy()
        after.do(action)
        if after.rng == state.rng:
            return self.now if self._only_ends(after, action) else self._settled(after, trials - 1)
        count = FACES if trials >= FACES else 2
        total = 0.0
        for throw in self.throws[:: FACES // count]:
            after = state.copy()
            after.rng = throw
            after.do(action)
            total += self._settled(after, trials // count - 1)
        return total / count

    def _only_ends(self, after: State, action: Action) -> bool:
        """Does it only end the phase? Then it is judged by what is there now, not by what the next phase brings."""
        return not action.args and after.agenda[: len(self.root.agenda)] != self.root.agenda

    def _settled(self, state: State, trials: int) -> float:
        """The value of a position once what was begun has been carried through."""
        for _ in range(SETTLING):
            decider = state.decider
            if decider is None or self._calm(state):
                break
            if decider == self.side and trials > 1:
                options = self.player.sample(state.legal(), trials)
                return max(self.value(state, action, trials // len(options)) for action in options)
            state.do(self._reply(state, decider))
        return float(state.game.evaluate(state, self.side))

    def _reply(self, state: State, decider: int) -> Action:
        """A decision without much thought: the best of a few options, looked at as they are."""
        options = self.player.sample(state.legal(), REPLIES)
        if len(options) == 1:
            return options[0]
        values = []
        for action in options:
            copy = state.copy()
            copy.do(action)
            values.append(state.game.evaluate(copy, decider))
        return options[values.index(max(values))]

    def _calm(self, state: State) -> bool:
        """Is what the action began over: is the same question asked again, or has the play gone on?"""
        depth, before = len(state.agenda), len(self.root.agenda)
        if state.turn != self.root.turn or depth < before:
            return True
        return depth == before and state.agenda[-1][0] == self.root.agenda[-1][0]
