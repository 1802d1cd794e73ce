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
from counterblow.kernel.masks import bits, mask_of

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
REMEMBERED, FEW = 1 << 15, 64  # stacks that are added up once; lines of the enemy for which aims are known
DANGER, CHANCE = (60, 30), 30  # per cent of what the enemy's next fire would cost a side, of what its own would


class Stack:
    """The units in a hex taken together, as far as somebody can tell them apart."""

    def __init__(self, roster: Roster, worth: tuple[int, ...], units: tuple[int, ...], known: int) -> None:
        self.mask: int = mask_of(units)
        self.size: int = len(units)
        self.worth: int = 0
        self.fire: int = 0  # all fire factors; those that reach further than the next hex; and how far
        self.far_fire: int = 0
        self.reach: int = 1
        near: dict[int, int] = {}
        far: dict[int, tuple[int, int]] = {}
        for unit in units:
            if known >> unit & 1:
                value, sub, fire, reach = worth[unit], roster.sub[unit], roster.fire[unit], roster.range[unit]
            else:
                value, sub, fire, reach = UNSEEN_WORTH, -1, UNSEEN_FIRE[roster.side[unit]], 1
            self.worth += value
            self.fire += fire
            near[sub] = near.get(sub, 0) + fire
            if reach > 1:
                self.far_fire += fire
                self.reach = max(self.reach, reach)
                factor, longest = far.get(sub, (0, 1))
                far[sub] = (factor + fire, max(longest, reach))
        # sub-command (-1: unknown), fire factors, range
        self.near: tuple[tuple[int, int, int], ...] = tuple([(sub, factor, 1) for sub, factor in near.items()])
        self.far: tuple[tuple[int, int, int], ...] = tuple([(sub, *group) for sub, group in far.items()])


class Aims:
    """The enemies that a stack could fire at, worked out once for each hex."""

    def __init__(self, masks: list[list[int]], enemy: int) -> None:
        self._masks = masks
        self._enemy = enemy
        self._found: dict[int, list[int]] = {}

    def within(self, node: int, reach: int) -> list[int]:
        """Hexes with enemies within so many hexes."""
        found = self._found.get(node << 8 | reach)
        if found is None:
            found = self._found[node << 8 | reach] = bits(self._masks[reach][node] & self._enemy)
        return found


class Yardstick:
    """What is the same in every position."""

    def __init__(self, ground: Ground, roster: Roster, crt: tuple[str, ...]) -> None:
        self.worth: tuple[int, ...] = tuple(
            15 + 5 * fire + (10 if elite else 0) for fire, elite in zip(roster.fire, roster.elite, strict=True)
        )
        self.loss: tuple[int, ...] = tuple(sum(LOSS[result] for result in column) // 6 for column in crt)
        self.by_land = tuple(_way(ground, target, by_sea=False) for target in ground.objectives)
        self.way = tuple(_way(ground, target, by_sea=True) for target in ground.objectives)
        self.nearest = tuple(min(far[node] for far in self.by_land) for node in range(ground.hexes))
        self.bearing: tuple[tuple[tuple[int, int], ...], ...] = tuple(
            # hex -> (number of an objective, weight) for those that a unit there bears on
            tuple((k, WEIGHT[far[node]]) for k, far in enumerate(self.by_land) if far[node] < len(WEIGHT))
            for node in range(ground.hexes)
        )
        self._masks = ground.fire_mask
        self._aims: tuple[dict[int, Aims], dict[int, Aims]] = ({}, {})
        self._roster = roster
        self._stacks: dict[tuple[int, ...], Stack] = {}
        self._hidden: dict[tuple[tuple[int, ...], int], Stack] = {}

    def aims(self, shooter: int, enemy: int) -> Aims:
        """Who can be fired at from where while the enemy stands where he stands."""
        by_enemy = self._aims[shooter]
        found = by_enemy.get(enemy)
        if found is None:
            if len(by_enemy) >= FEW:
                by_enemy.clear()
            found = by_enemy[enemy] = Aims(self._masks, enemy)
        return found

    def stack(self, units: tuple[int, ...]) -> Stack:
        """A stack all of whose units are known. The same stacks come again and again: each is added up once."""
        found = self._stacks.get(units)
        if found is None:
            if len(self._stacks) >= REMEMBERED:
                self._stacks.clear()
            found = self._stacks[units] = Stack(self._roster, self.worth, units, -1)
        return found

    def seen(self, units: tuple[int, ...], known: int) -> Stack:
        """A stack of which only the units in the mask are known."""
        whole = self.stack(units)
        known &= whole.mask
        if known == whole.mask:
            return whole
        found = self._hidden.get((units, known))
        if found is None:
            if len(self._hidden) >= REMEMBERED:
                self._hidden.clear()
            found = self._hidden[units, known] = Stack(self._roster, self.worth, units, known)
        return found


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


Stacks = dict[int, Stack]  # by hex, in the order of the hexes


class NarvikJudge(Judge[Any]):
    def evaluate(self, s: NarvikState, side: int) -> int:
        """Objectives first, then the strength in play, the balance of forces around objectives, and who shoots next."""
        known = _known(s, side)
        german, allied = _stacks(s, GERMAN, known), _stacks(s, ALLIED, known)
        score = _holdings(s, GERMAN, german, known) - _holdings(s, ALLIED, allied, known)
        score += _pressure(s, german, allied) + _march(s, allied, known)
        if side == ALLIED:
            score = -score
        score += SHOWN * s.seen[side].bit_count()
        ours, theirs = (german, allied) if side == GERMAN else (allied, german)
        score += (CHANCE * _fire(s, side, ours, theirs) - DANGER[side] * _fire(s, 1 - side, theirs, ours)) // 100
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


def _stacks(s: NarvikState, side: int, known: int) -> Stacks:
    """The stacks of a side on the map."""
    here, yard = s.here, s.game.yardstick
    if known == -1:
        return {node: yard.stack(here[node]) for node in bits(s.occupied[side])}
    return {node: yard.seen(here[node], known) for node in bits(s.occupied[side])}


def _holdings(s: NarvikState, owner: int, stacks: Stacks, known: int) -> int:
    """Objectives, action points, and the units on the map, in staging areas and waiting to regroup."""
    ground, held, zone = s.game.ground, s.held[owner], s.zone[ALLIED]
    total = POINT * s.ap[owner]
    for node in ground.objectives:
        if held[node]:
            total += OBJECTIVE
            if owner == GERMAN and not zone[node]:  # 17.0.h: where its units can regroup
                total += REFUGE
    for stack in stacks.values():
        total += stack.worth
    if _open(s, owner, known):
        for node in ground.staging[owner]:
            total += STAGED * worth_at(s, node) // 100
        total += REGROUPING * worth_at(s, ground.regroup[owner]) // 100
    return total


def worth_at(s: NarvikState, node: int) -> int:
    """What the units at a node are worth together."""
    worth: tuple[int, ...] = s.game.yardstick.worth
    total = 0
    for unit in s.here.get(node, ()):
        total += worth[unit]
    return total


def _open(s: NarvikState, owner: int, known: int) -> bool:
    """21.0.e: does the viewer see what a side has off the map?"""
    mask = s.game.roster.side_mask[owner]
    return bool(known & mask == mask)


def _march(s: NarvikState, allied: Stacks, known: int) -> int:
    """4.2: the Allies need every objective, so some of them must always be on the way to those they lack."""
    places = allied_places(s, allied, s.game.ground.staging[ALLIED] if _open(s, ALLIED, known) else ())
    total = lacking = 0
    for k, target in enumerate(s.game.ground.objectives):
        if not s.held[ALLIED][target]:
            lacking += 1
            total += nearest_sum(ways_to(s.game.yardstick.way[k], places), COLUMN)
    return MARCH * total // max(1, lacking)


def allied_places(s: NarvikState, allied: Stacks, staging: tuple[int, ...]) -> list[tuple[int, int]]:
    """Where Allied units stand, and how many."""
    places = [(node, stack.size) for node, stack in allied.items()]
    places += [(node, len(s.here.get(node, ()))) for node in staging]
    return places


def ways_to(far: list[int], places: list[tuple[int, int]]) -> list[int]:
    """How many units are how far away."""
    tally = [0] * (FAR + 1)
    for node, units in places:
        tally[far[node]] += units
    return tally


def nearest_sum(tally: list[int], most: int) -> int:
    """The ways of so many units that are nearest, added up; who is not there counts as far away."""
    total, left = 0, most
    for way, units in enumerate(tally):
        if units >= left:
            return total + way * left
        total += way * units
        left -= units
    return total + FAR * left


def _pressure(s: NarvikState, german: Stacks, allied: Stacks) -> int:
    """For each objective, which side bears on it more, positive for Germany."""
    return sum([PRESSURE * total // (10 * PRESSURE + abs(total)) for total in balance(s, german, allied)])


def balance(s: NarvikState, german: Stacks, allied: Stacks) -> list[int]:
    """What bears on each objective: German less Allied."""
    bearing: tuple[tuple[tuple[int, int], ...], ...] = s.game.yardstick.bearing
    found = [0] * len(s.game.ground.objectives)
    for node, stack in german.items():
        for k, weight in bearing[node]:
            found[k] += stack.worth * weight
    for node, stack in allied.items():
        for k, weight in bearing[node]:
            found[k] -= stack.worth * weight
    return found


def _fire(s: NarvikState, shooter: int, ours: Stacks, theirs: Stacks) -> int:
    """What the next fire action of a side would cost the other: each stack of one sub-command at its best target."""
    yard, shift = s.game.yardstick, s.game.ground.fire_shift
    loss, aims = yard.loss, yard.aims(shooter, s.occupied[1 - shooter])
    left = {node: stack.worth for node, stack in theirs.items()}
    by_sub: dict[int, int] = {}
    for node, stack in ours.items():
        near = aims.within(node, 1)
        for sub, factor, reach in stack.near if near else stack.far:
            best, aim = 0, -1
            for target in near or aims.within(node, reach):
                cost = left[target] * loss[max(0, min(12, factor + shift[target]))] // 100
                if cost > best:
                    best, aim = cost, target
            if aim >= 0:
                left[aim] -= best
                by_sub[sub] = by_sub.get(sub, 0) + best
    return (max(by_sub.values()) + sum(by_sub.values())) // 2 if by_sub else 0


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
