"""How good a position looks for a side: for computer players.

Points on the map weigh most, then strength, then nearness of the attackers to the next points. Only open information
counts: with fog of war an enemy unit that is not seen counts as an average one.
"""

from __future__ import annotations

from counterblow.games.narva.components import GERMAN, HQ, SOVIET
from counterblow.games.narva.state import SUPPLIED, NarvaState
from counterblow.games.narva.victory import soviet_points
from counterblow.kernel.state import NOWHERE

POINT, STEP, UNSUPPLIED, THREAT, WIN = 100, 12, 15, 3, 100_000
UNSEEN = 3  # strength of a unit that is not seen


def evaluate(s: NarvaState, side: int) -> int:
    """Higher is better for the side; the two sides' values are opposite."""
    if s.outcome is not None:
        return WIN if s.outcome[0] == side else -WIN
    value = soviet_points(s) * POINT + forces(s, SOVIET, side) - forces(s, GERMAN, side) + threat(s)
    return value if side == SOVIET else -value


def forces(s: NarvaState, side: int, viewer: int) -> int:
    value = 0
    for unit in s.game.fighting[side]:
        if s.at[unit] == NOWHERE:
            continue
        attack, defence, _ = s.strength(unit) if s.sees(viewer, unit) else (UNSEEN, UNSEEN, 0)
        value += STEP * (attack + defence)
        if s.supply[unit] != SUPPLIED:
            value -= UNSUPPLIED
    return value


def threat(s: NarvaState) -> int:
    """How near Soviet combat units stand to Narva and the rollbahn, the nearest goal each."""
    value, game = 0, s.game
    for unit in game.fighting[SOVIET]:
        node = s.at[unit]
        if node != NOWHERE and game.kinds[unit] != HQ:
            value += THREAT * max(0, 12 - game.goal_distance[node])
    return value
