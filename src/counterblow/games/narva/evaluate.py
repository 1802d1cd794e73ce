"""How good a position looks for a side: for computer players.

Victory points weigh most; then strength and supply; then nearness - of the Soviets to Narva and the rollbahn, of the
Germans to the Soviets they have to stop; then the guard of Narva. Only open information counts: in fog of war an enemy
unit that is not seen counts as an average one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from counterblow.games.narva import fog
from counterblow.games.narva.components import GERMAN, SOVIET
from counterblow.games.narva.state import SUPPLIED, NarvaState
from counterblow.games.narva.victory import soviet_points
from counterblow.kernel.judge import Judge
from counterblow.kernel.state import NOWHERE

POINT = 100  # a victory point
STRENGTH = (12, 5)  # a point of attack or defence strength of either side: ground counts, losses do not score
UNSUPPLIED = 25
THREAT = 10  # a hex nearer to a goal, for a Soviet unit
FRONT = 3  # a hex nearer to the enemy, for a German unit beyond three
GUARD = 150  # a German unit in a hex of Narva with the enemy near
WIN = 100_000
UNSEEN = 6  # strength of a unit that is not seen
REMEMBERED = 256  # positions of the Soviets from which distances are known
FAR = 12  # hexes beyond which distance no longer counts


class NarvaJudge(Judge[Any]):
    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self._away: dict[tuple[int, ...], Sequence[int]] = {}

    def evaluate(self, s: NarvaState, side: int) -> int:
        """Higher is better for the side; without fog the two sides' values are opposite."""
        value = soviet_points(s) * POINT + forces(s, SOVIET, side) - forces(s, GERMAN, side) + self.nearness(s)
        if s.outcome is not None:
            value += WIN if s.outcome[0] == SOVIET else -WIN
        return value if side == SOVIET else -value

    def nearness(self, s: NarvaState) -> int:
        """Soviet units near their goals, less German units near the Soviets, less the guard of Narva."""
        game, at = s.game, s.at
        soviet = [at[unit] for unit in game.fighting[SOVIET] if at[unit] != NOWHERE]
        away = self._away_from(s, tuple(sorted(set(soviet))))
        goal = game.goal_distance
        threat = sum([FAR - goal[node] for node in soviet if goal[node] < FAR])
        german = [away[at[unit]] or FAR + 2 for unit in game.fighting[GERMAN] if at[unit] != NOWHERE]
        behind = sum([distance - 4 for distance in german if distance > 4])
        guards = sum([1 for node in game.sudden_death if s.held[GERMAN][node] and 0 < away[node] <= 6])
        return THREAT * threat + FRONT * behind - GUARD * guards

    def _away_from(self, s: NarvaState, soviet: tuple[int, ...]) -> Sequence[int]:
        """One more than the distance of each node from Soviet units; they often stand where they stood before."""
        found = self._away.get(soviet)
        if found is None:
            if len(self._away) >= REMEMBERED:
                self._away.clear()
            found = self._away[soviet] = s.game.graph.flood(s.game.adjacent, s.game.nothing, soviet, FAR)
        return found

    def redeal(self, state: NarvaState, side: int) -> None:
        if state.options["fog"]:
            fog.redeal(state, side)


def forces(s: NarvaState, side: int, viewer: int) -> int:
    """Strength on the map, less for units without supply."""
    at, step, supply, worth, strengths = s.at, s.step, s.supply, STRENGTH[side], s.game.sums
    units = [unit for unit in s.game.fighting[side] if at[unit] != NOWHERE]
    unseen = 0
    if s.options["fog"] and side != viewer:
        seen = [unit for unit in units if s.sees(viewer, unit)]
        unseen, units = len(units) - len(seen), seen
    strength = sum([strengths[unit][step[unit]] for unit in units]) + UNSEEN * unseen
    return worth * strength - UNSUPPLIED * sum([1 for unit in units if supply[unit] != SUPPLIED])
