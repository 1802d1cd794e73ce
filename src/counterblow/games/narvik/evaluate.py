"""How good a position looks for a side: for plain computer players. Only what that side can see counts."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import Any

from counterblow.games.narvik import fog
from counterblow.games.narvik.components import ALLIED, GERMAN, Roster
from counterblow.games.narvik.ground import Ground
from counterblow.games.narvik.state import NarvikState
from counterblow.kernel.actions import Action
from counterblow.kernel.judge import Judge
from counterblow.kernel.masks import bits

WON = 1_000_000
OBJECTIVE = 400  # an objective hex occupied
POINT = 10  # an action point
REFUGE = 60  # an objective where Germans can regroup
SHOWN = 3  # an enemy unit that recon has revealed
UNSEEN_WORTH, UNSEEN_FIRE = 35, (3, 4)  # a unit whose values are hidden; what it fires with, by owner
STAGED, REGROUPING = 80, 35  # per cent of its worth that a unit keeps in a staging area, waiting to regroup
WEIGHT = (10, 8, 6, 4, 3, 2, 2, 1, 1)  # how much a unit so many hexes from an objective bears on it
PRESSURE = 500  # at most this much for the balance of forces around one objective
COLUMN, MARCH = 14, 15  # so many Allied units should come nearer to what they lack; each hex counts this much
VOYAGE = 4  # how many hexes of march a voyage from or to Harstad counts
GUARDED = 2  # so many hexes around an objective the enemy will not let anybody land
FAR = 20  # how far away a unit counts that is not there
LOSS = {"-": 0, "R": 25, "D": 65, "E": 100}  # per cent of a unit's worth that a result costs
DANGER, CHANCE = (60, 30), 30  # per cent of what the enemy's next fire would cost a side, of what its own would


class Yardstick:
    """What is the same in every position."""

    def __init__(self, ground: Ground, roster: Roster, crt: tuple[str, ...]) -> None:
        self.worth = tuple(
            15 + 5 * fire + (10 if elite else 0) for fire, elite in zip(roster.fire, roster.elite, strict=True)
        )
        self.loss = tuple(sum(LOSS[result] for result in column) // 6 for column in crt)
        self.by_land = tuple(_way(ground, target, by_sea=False) for target in ground.objectives)
        self.way = tuple(_way(ground, target, by_sea=True) for target in ground.objectives)
        self.nearest = tuple(min(far[node] for far in self.by_land) for node in range(ground.hexes))
        self.bearing = tuple(  # hex -> (number of an objective, weight) for those that a unit there bears on
            tuple((k, WEIGHT[far[node]]) for k, far in enumerate(self.by_land) if far[node] < len(WEIGHT))
            for node in range(ground.hexes)
        )


def _way(ground: Ground, target: int, by_sea: bool) -> list[int]:
    """The way to a hex from each node, in hexes of land; by sea also through the Allied staging areas (13.1, 20.0)."""
    far = [FAR] * ground.board.size
    front = [(0, target)]
    while front:
        way, here = heappop(front)
        if way >= far[here]:
            continue
        far[here] = way
        for there, cost in _steps(ground, here, by_sea, way > GUARDED):
            heappush(front, (way + cost, there))
    return far


def _steps(ground: Ground, here: int, by_sea: bool, landing: bool) -> list[tuple[int, int]]:
    """Where a unit may come from, and how far that is; the coast is a landing place unless it will be guarded."""
    steps = [(there, 1) for there in ground.assaultable[here]]
    if by_sea:
        if here < ground.hexes:
            steps += [(area, 1) for area in ground.exits[here]]
        else:
            steps += [(there, 1) for there in ground.board.around[here] if ground.land[there]]
        if here == ground.harstad:
            steps += [(there, VOYAGE) for there in (*ground.port_list, ground.bardufoss)]
        elif (here in ground.ports and landing) or here == ground.bardufoss:
            steps.append((ground.harstad, VOYAGE))
    return steps


Stack = tuple[tuple[int, ...], int]  # units, and what they are worth together
Stacks = tuple[dict[int, Stack], dict[int, Stack]]  # by side


class NarvikJudge(Judge[Any]):
    def evaluate(self, s: NarvikState, side: int) -> int:
        """Objectives first, then the strength in play, the balance of forces around objectives, and who shoots next."""
        known = _known(s, side)
        stacks = _stacks(s, known)
        score = _holdings(s, GERMAN, stacks, known) - _holdings(s, ALLIED, stacks, known)
        score += _pressure(s, stacks) + _march(s, stacks[ALLIED], known)
        if side == ALLIED:
            score = -score
        score += SHOWN * s.seen[side].bit_count()
        score += (CHANCE * _fire(s, side, stacks, known) - DANGER[side] * _fire(s, 1 - side, stacks, known)) // 100
        if s.outcome is not None:  # a game that time has decided is still played as well as can be
            score += WON if s.outcome[0] == side else -WON
        return score

    def worth_trying(self, s: NarvikState, legal: list[Action]) -> list[Action]:
        """Without what cannot matter: one of several units alike in a staging area, landings far from everything."""
        units: set[tuple[int, ...]] = set()
        return [action for action in legal if _worth_a_look(s, action, units)] or legal

    def redeal(self, state: NarvikState, side: int) -> None:
        fog.redeal(state, side)


def _known(s: NarvikState, side: int) -> int:
    """The units that a side can tell apart on the map, as a bit mask: NarvikState.sees for all of them at once."""
    return s.game.roster.side_mask[side] | s.shown | s.seen[side] if s.options["fog"] else -1


def _stacks(s: NarvikState, known: int) -> Stacks:
    """The stacks of each side on the map, in the order of the hexes."""
    hexes, side_of, worth = s.game.ground.hexes, s.game.side_of, s.game.yardstick.worth
    found: Stacks = ({}, {})
    for node in sorted(s.here):
        if node >= hexes:
            break
        units = s.here[node]
        total = 0
        for unit in units:
            total += worth[unit] if known >> unit & 1 else UNSEEN_WORTH
        found[side_of[units[0]]][node] = (units, total)
    return found


def _holdings(s: NarvikState, owner: int, stacks: Stacks, known: int) -> int:
    """Objectives, action points, and the units on the map, in staging areas and waiting to regroup."""
    ground, worth = s.game.ground, s.game.yardstick.worth
    held = sum(1 for node in ground.objectives if s.held[owner][node])
    total = OBJECTIVE * held + POINT * s.ap[owner] + sum(stack[1] for stack in stacks[owner].values())
    if owner == GERMAN:  # 17.0.h: where its units can regroup
        total += REFUGE * sum(1 for node in ground.objectives if s.held[GERMAN][node] and not s.zone[ALLIED][node])
    if _open(s, owner, known):
        for node, share in (*((area, STAGED) for area in ground.staging[owner]), (ground.regroup[owner], REGROUPING)):
            total += share * sum(worth[u] for u in s.here.get(node, ())) // 100
    return total


def _open(s: NarvikState, owner: int, known: int) -> bool:
    """21.0.e: does the viewer see what a side has off the map?"""
    mask = s.game.roster.side_mask[owner]
    return bool(known & mask == mask)


def _march(s: NarvikState, allied: dict[int, Stack], known: int) -> int:
    """4.2: the Allies need every objective, so some of them must always be on the way to those they lack."""
    staging = s.game.ground.staging[ALLIED] if _open(s, ALLIED, known) else ()
    places = [node for node, (units, _) in allied.items() for _ in units]
    places += [node for node in staging for _ in s.here.get(node, ())]
    missing = [k for k, target in enumerate(s.game.ground.objectives) if not s.held[ALLIED][target]]
    total = 0
    for k in missing:
        far = s.game.yardstick.way[k]
        ways = sorted([far[node] for node in places])
        total += sum(ways[:COLUMN]) + FAR * max(0, COLUMN - len(ways))
    return MARCH * total // max(1, len(missing))


def _pressure(s: NarvikState, stacks: Stacks) -> int:
    """For each objective, which side bears on it more, positive for Germany."""
    bearing, balance = s.game.yardstick.bearing, [0] * len(s.game.ground.objectives)
    for owner, sign in ((GERMAN, 1), (ALLIED, -1)):
        for node, (_, worth) in stacks[owner].items():
            for k, weight in bearing[node]:
                balance[k] += sign * worth * weight
    return sum(PRESSURE * total // (10 * PRESSURE + abs(total)) for total in balance)


def _fire(s: NarvikState, shooter: int, stacks: Stacks, known: int) -> int:
    """What the next fire action of a side would cost the other: each stack of one sub-command at its best target."""
    ground, loss, enemy = s.game.ground, s.game.yardstick.loss, s.occupied[1 - shooter]
    close = ground.fire_mask[1]
    left = {node: worth for node, (_, worth) in stacks[1 - shooter].items()}
    by_sub: dict[int, int] = {}
    for node, (units, _) in stacks[shooter].items():
        near = close[node] & enemy
        for sub, (factor, reach) in _groups(s, units, known, near != 0):
            best, aim = 0, -1
            for target in bits(near or ground.fire_mask[reach][node] & enemy):
                cost = left[target] * loss[max(0, min(12, factor + ground.fire_shift[target]))] // 100
                if cost > best:
                    best, aim = cost, target
            if aim >= 0:
                left[aim] -= best
                by_sub[sub] = by_sub.get(sub, 0) + best
    return (max(by_sub.values()) + sum(by_sub.values())) // 2 if by_sub else 0


def _groups(s: NarvikState, units: tuple[int, ...], known: int, near: bool) -> list[tuple[int, tuple[int, int]]]:
    """The fire factors in a hex that can reach an enemy and their longest range, by sub-command (-1: unknown)."""
    roster = s.game.roster
    found: dict[int, tuple[int, int]] = {}
    for unit in units:
        if known >> unit & 1:
            sub, fire, reach = roster.sub[unit], roster.fire[unit], roster.range[unit]
        else:
            sub, fire, reach = -1, UNSEEN_FIRE[roster.side[unit]], 1
        if near or reach > 1:
            factor, longest = found.get(sub, (0, 1))
            found[sub] = (factor + fire, max(longest, reach))
    return list(found.items())


# ------------------------------------------------------------------ what is worth a look

ABROAD = 4  # a landing from the sea or the air is worth a look so many hexes around an objective


def _worth_a_look(s: NarvikState, action: Action, units: set[tuple[int, ...]]) -> bool:
    kind, args = action.kind, action.args
    if kind in ("recon", "rearrange"):
        return False
    if kind in ("move", "embark"):
        return _first_of_its_kind(s, int(args[0]), units)
    if kind in ("sail", "land", "look"):
        node = int(args[-1])
        return bool(node >= s.game.ground.hexes or s.game.yardstick.nearest[node] <= ABROAD)
    return True


def _first_of_its_kind(s: NarvikState, unit: int, units: set[tuple[int, ...]]) -> bool:
    """Units on the map are all different: their hexes are."""
    roster = s.game.roster
    if s.at[unit] < s.game.ground.hexes:
        return True
    kind = (s.at[unit], roster.fire[unit], roster.elite[unit], roster.move[unit], roster.range[unit])
    known = kind in units
    units.add(kind)
    return not known
