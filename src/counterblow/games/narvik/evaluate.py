"""How good a position looks for a side: for plain computer players. Only what that side can see counts."""

from __future__ import annotations

from counterblow.games.narvik.components import ALLIED, GERMAN
from counterblow.games.narvik.state import NarvikState
from counterblow.kernel.masks import bits

WON = 1_000_000
OBJECTIVE = 400  # an objective hex occupied
POINT = 10  # an action point
SHOWN = 3  # an enemy unit that recon has revealed
UNSEEN_WORTH, UNSEEN_FIRE = 35, (3, 4)  # a unit whose values are hidden; what it fires with, by owner
STAGED, REGROUPING = 80, 35  # per cent of its worth that a unit keeps in a staging area, waiting to regroup
WEIGHT = (10, 8, 6, 4, 3, 2, 2, 1, 1)  # how much a unit so many hexes from an objective bears on it
COLUMN, MARCH = 6, 8  # so many Allied units should come this much nearer to an objective with each hex
PRESSURE = 250  # at most this much for the balance of forces around one objective
LOSS = {"-": 0, "R": 25, "D": 65, "E": 100}  # per cent of a unit's worth that a result costs
DANGER, CHANCE = 60, 30  # per cent of what the enemy's next fire would cost us, of what ours would cost him

Stack = tuple[tuple[int, ...], int]  # units, and what they are worth together
Sides = tuple[dict[int, Stack], dict[int, Stack]]


def evaluate(s: NarvikState, side: int) -> int:
    """Objectives first, then the strength in play, the balance of forces around objectives, and who shoots next."""
    stacks = _stacks(s, side)
    score = _holdings(s, GERMAN) - _holdings(s, ALLIED) + _march(s) + _pressure(s, stacks)
    score += _off_map(s, GERMAN, side) - _off_map(s, ALLIED, side)
    score += sum(stack[1] for stack in stacks[GERMAN].values()) - sum(stack[1] for stack in stacks[ALLIED].values())
    if side == ALLIED:
        score = -score
    score += SHOWN * s.seen[side].bit_count()
    score += (CHANCE * _fire(s, side, side, stacks) - DANGER * _fire(s, 1 - side, side, stacks)) // 100
    if s.outcome is not None:  # a game that time has decided is still played as well as can be
        score += WON if s.outcome[0] == side else -WON
    return score



def _stacks(s: NarvikState, viewer: int) -> Sides:
    """The stacks of each side on the map."""
    hexes, side_of = s.game.ground.hexes, s.game.side_of
    found: Sides = ({}, {})
    for node, units in s.here.items():
        if node < hexes:
            found[side_of[units[0]]][node] = (units, sum(_worth(s, u, viewer) for u in units))
    return found


def _worth(s: NarvikState, unit: int, viewer: int) -> int:
    if not s.sees(viewer, unit):
        return UNSEEN_WORTH
    roster = s.game.roster
    return 15 + 5 * roster.fire[unit] + (10 if roster.elite[unit] else 0)


def _off_map(s: NarvikState, owner: int, viewer: int) -> int:
    """Units in staging areas and those that may regroup."""
    ground = s.game.ground
    share = dict.fromkeys(ground.staging[owner], STAGED)
    share[ground.regroup[owner]] = REGROUPING
    return sum(part * sum(_worth(s, u, viewer) for u in s.here.get(node, ())) for node, part in share.items()) // 100


def _holdings(s: NarvikState, owner: int) -> int:
    """Objectives and action points."""
    held = sum(1 for node in s.game.ground.objectives if s.occupies(owner, node))
    return OBJECTIVE * held + POINT * s.ap[owner]


def _march(s: NarvikState) -> int:
    """4.2: the Allies need every objective, so some of them must always be on the way to those they lack."""
    ground, total = s.game.ground, 0
    places = [s.at[unit] for unit in s.game.roster.of_side[ALLIED] if 0 <= s.at[unit] < ground.hexes]
    for target in ground.objectives:
        if not s.occupies(ALLIED, target):
            near = s.game.near_objective[target]
            total += MARCH * sum(sorted(near[node] for node in places)[:COLUMN])
    return total


def _pressure(s: NarvikState, stacks: Sides) -> int:
    """For each objective, which side bears on it more, positive for Germany."""
    total = 0
    for target in s.game.ground.objectives:
        near, balance = s.game.near_objective[target], 0
        for owner, sign in ((GERMAN, 1), (ALLIED, -1)):
            for node, (_, worth) in stacks[owner].items():
                if near[node] < len(WEIGHT):
                    balance += sign * worth * WEIGHT[near[node]]
        total += max(-PRESSURE, min(PRESSURE, balance // 10))
    return total


def _fire(s: NarvikState, shooter: int, viewer: int, stacks: Sides) -> int:
    """What the next fire action of a side would cost the other: each stack of one sub-command at its best target."""
    ground, loss, enemy = s.game.ground, s.game.loss_by_column, s.occupied[1 - shooter]
    left = {node: worth for node, (_, worth) in stacks[1 - shooter].items()}
    by_sub: dict[int, int] = {}
    for node, (units, _) in sorted(stacks[shooter].items()):
        near = ground.fire_mask[1][node] & enemy
        for sub, (factor, reach) in _groups(s, units, viewer, bool(near)).items():
            best, aim = 0, -1
            for target in bits(near or ground.fire_mask[reach][node] & enemy):
                cost = left[target] * loss[max(0, min(12, factor + ground.fire_shift[target]))] // 100
                if cost > best:
                    best, aim = cost, target
            if aim >= 0:
                left[aim] -= best
                by_sub[sub] = by_sub.get(sub, 0) + best
    return max(by_sub.values(), default=0) // 2 + sum(by_sub.values()) // 2


def _groups(s: NarvikState, units: tuple[int, ...], viewer: int, near: bool) -> dict[int, tuple[int, int]]:
    """The fire factors in a hex and their longest range, by sub-command (-1: unknown)."""
    roster, found = s.game.roster, {}
    for unit in units:
        if s.sees(viewer, unit):
            sub, fire, reach = roster.sub[unit], roster.fire[unit], roster.range[unit]
        else:
            sub, fire, reach = -1, UNSEEN_FIRE[roster.side[unit]], 1
        if near or reach > 1:
            factor, longest = found.get(sub, (0, 1))
            found[sub] = (factor + fire, max(longest, reach))
    return found
