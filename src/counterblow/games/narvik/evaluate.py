"""How good a position looks for a side: for plain computer players. Only what that side can see counts."""

from __future__ import annotations

from counterblow.games.narvik.components import ALLIED, GERMAN
from counterblow.games.narvik.state import NarvikState

WON = 1_000_000
OBJECTIVE = 400  # an objective hex occupied
UNSEEN = 35  # a unit whose values are hidden
WAITING = 15  # a unit in a staging area
SHOWN = 3  # an enemy unit that recon has revealed
WEIGHT = (10, 8, 6, 4, 3, 2, 2, 1, 1)  # how much a unit so many hexes from an objective bears on it
COLUMN, MARCH = 6, 8  # so many Allied units should come this much nearer to an objective with each hex
PRESSURE = 250  # at most this much for the balance of forces around one objective


def evaluate(s: NarvikState, side: int) -> int:
    """Objectives first, then the strength in play, then the balance of forces around each objective."""
    if s.outcome is not None:
        winner = s.outcome[0]
        return WON if winner == side else -WON
    german = _strength(s, GERMAN, side)
    allied = _strength(s, ALLIED, side)
    score = sum(german) - sum(allied) + _pressure(s, german, allied) + _holdings(s, GERMAN) - _holdings(s, ALLIED)
    score += _march(s)
    return (score if side == GERMAN else -score) + SHOWN * s.seen[side].bit_count()


def _march(s: NarvikState) -> int:
    """4.2: the Allies need every objective, so some of them must always be on the way to those they lack."""
    ground, total = s.game.ground, 0
    places = [s.at[unit] for unit in s.game.roster.of_side[ALLIED] if 0 <= s.at[unit] < ground.hexes]
    for target in ground.objectives:
        if not s.occupies(ALLIED, target):
            near = s.game.near_objective[target]
            total += MARCH * sum(sorted(near[node] for node in places)[:COLUMN])
    return total


def _holdings(s: NarvikState, owner: int) -> int:
    """Objectives and action points."""
    held = sum(1 for node in s.game.ground.objectives if s.occupies(owner, node))
    return OBJECTIVE * held + 10 * s.ap[owner]


def _strength(s: NarvikState, owner: int, viewer: int) -> list[int]:
    """The worth of each unit in play, by unit number of the side."""
    ground = s.game.ground
    found = []
    for unit in s.game.roster.of_side[owner]:
        node = s.at[unit]
        if 0 <= node < ground.hexes:
            found.append(_unit_worth(s, unit, viewer))
        else:
            found.append(WAITING if node in ground.staging[owner] and s.sees(viewer, unit) else 0)
    return found


def _unit_worth(s: NarvikState, unit: int, viewer: int) -> int:
    if not s.sees(viewer, unit):
        return UNSEEN
    roster = s.game.roster
    return 15 + 5 * roster.fire[unit] + (10 if roster.elite[unit] else 0)


def _pressure(s: NarvikState, german: list[int], allied: list[int]) -> int:
    """For each objective, which side bears on it more, positive for Germany."""
    ground, roster, total = s.game.ground, s.game.roster, 0
    for target in ground.objectives:
        near, balance = s.game.near_objective[target], 0
        for owner, worth, sign in ((GERMAN, german, 1), (ALLIED, allied, -1)):
            for unit, value in zip(roster.of_side[owner], worth, strict=True):
                node = s.at[unit]
                if 0 <= node < ground.hexes and near[node] < len(WEIGHT):
                    balance += sign * value * WEIGHT[near[node]]
        total += max(-PRESSURE, min(PRESSURE, balance // 10))
    return total
