"""The officer: a general staff's script. Plans for the phase at hand, no search."""

from __future__ import annotations

from counterblow.kernel.state import State
from counterblow.players.base import Player, Rated, Thought, imagine, where
from counterblow.players.judging import Judge, judge_of
from counterblow.players.staff import Orders, Staff


class Officer(Player):
    """Plays a phase as a whole by the game's judgement: marches, then attacks by their exact expectation."""

    name = "officer"
    title = "Officer"
    text = "Plays by the staff manual: masses its attacks, guards its supply and its objectives, does not look ahead."

    minded = True
    factors: dict[str, float] | None = None  # on the weights of the judgement, while they are tuned

    def think(self, state: State, side: int) -> list[Thought]:
        legal = state.legal()
        if len(legal) == 1 and legal[0].kind not in judge_of(state.game).verbs.target:
            return [Thought(where(state), legal[0], "there is nothing else to do")]
        return self.staff(state, side).plan(imagine(state, side, self._below(1 << 62)))

    def rated(self, state: State, side: int) -> list[Rated]:
        first, *_ = self.think(state, side)
        others = self.staff(state, side).rated(imagine(state, side, self._below(1 << 62)))
        worth = next((r.worth for r in others if r.action == first.action), max((r.worth for r in others), default=0.0))
        best = Rated(first.action, first.reason, max(worth, max((r.worth for r in others), default=0.0)))
        return [best, *(r for r in others if r.action != first.action)]

    def despairs(self, state: State, side: int) -> bool:
        return judge_of(state.game).hopeless(imagine(state, side, 0), side)

    def insight(self, judge: Judge, side: int) -> dict[str, float] | None:
        """Weights that differ from those of the game's judgement."""
        return None

    def staff(self, state: State, side: int) -> Staff:
        """The staff that carries out the officer's orders."""
        judge = judge_of(state.game)
        plans = [None] * len(judge.formations)
        orders = Orders(judge, side, self.temperament, plans, self.factors, self.insight(judge, side))
        return Staff(judge, side, orders, judge.width, self._below(1 << 62), self._meter(1 << 40, 1e9))
