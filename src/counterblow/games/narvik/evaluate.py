"""How good a position looks for a side: for plain computer players. Only what that side can see counts."""

from __future__ import annotations

from counterblow.games.narvik.components import ALLIED, GERMAN
from counterblow.games.narvik.state import NarvikState

WON = 1_000_000
OBJECTIVE = 400  # an objective hex occupied
UNSEEN = 35  # a unit whose values are hidden


def evaluate(s: NarvikState, side: int) -> int:
    """Objectives first, then the strength in play, then how close it stands to the objectives that matter."""
    if s.outcome is not None:
        winner = s.outcome[0]
        return WON if winner == side else -WON
    german = _worth(s, GERMAN, side)
    allied = _worth(s, ALLIED, side)
    return german - allied if side == GERMAN else allied - german


def _worth(s: NarvikState, owner: int, viewer: int) -> int:
    ground = s.game.ground
    total = sum(OBJECTIVE for node in ground.objectives if s.occupies(owner, node))
    wanted = [node for node in ground.objectives if not s.occupies(owner, node)] or list(ground.objectives)
    near = s.game.near_objective
    for unit in s.game.roster.of_side[owner]:
        node = s.at[unit]
        if 0 <= node < ground.hexes:
            total += _unit_worth(s, unit, viewer)
            total += max(0, 40 - 4 * min(near[target][node] for target in wanted))
        elif node in ground.staging[owner] and s.sees(viewer, unit):
            total += 20
    return total + 10 * s.ap[owner]


def _unit_worth(s: NarvikState, unit: int, viewer: int) -> int:
    if not s.sees(viewer, unit):
        return UNSEEN
    roster = s.game.roster
    return 20 + 5 * roster.fire[unit] + (10 if roster.elite[unit] else 0)
