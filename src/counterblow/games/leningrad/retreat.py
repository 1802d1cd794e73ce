"""Chapter 4: retreats."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from counterblow.games.leningrad import stacking, zones
from counterblow.games.leningrad.components import RUSSIAN
from counterblow.games.leningrad.state import LeningradState, flow
from counterblow.kernel.actions import Action
from counterblow.kernel.flow import Choice
from counterblow.kernel.rulebook import Citation, refuse

OPEN, WATER, NONE = 2, 1, 0  # a way out; only off the map or into water (4.7); surrounded (3.13)


# ---------------------------------------------------------------- 4.1 to 4.5: one step


def why_not_step(
    s: LeningradState, unit: int, home: int, here: int, there: int, targets: Sequence[int], origins: Sequence[int]
) -> Citation | None:
    """May a unit that defended ``home`` step back from ``here`` to ``there``?"""
    game = s.game
    board = game.board
    side = game.side_of[unit]
    if board.distance(home, there) <= board.distance(home, here):
        return refuse("4.1", "a retreat leads away from the defended hex")
    if any(board.distance(node, there) < board.distance(node, here) for node in targets):
        return refuse("4.1", "a retreat leads away from every defended hex")
    if any(board.distance(here, foe) <= 1 and board.distance(there, foe) <= 1 for foe in origins):
        return refuse("4.4", "that hexside touches a hex from which the unit was attacked")
    if (here, there) not in game.grounds[s.frozen].passable:
        return refuse("4.7", "water, or closed ground")
    if s.held[1 - side][there]:
        return refuse("4.2", "the enemy is there")
    if zones.bare_zone(s, side, there):
        return refuse("4.2", "an enemy zone with no friendly unit in it")
    if any(there in battle[0] for battle in s.battles):
        return refuse("4.5", "that hex is under an attack not yet resolved")
    return None


def steps(
    s: LeningradState, unit: int, home: int, here: int, targets: Sequence[int], origins: Sequence[int]
) -> list[int]:
    """4.11: nothing else hinders a retreat, and no road helps it (4.8)."""
    return [
        there
        for there in s.game.board.around[here]
        if why_not_step(s, unit, home, here, there, targets, origins) is None
    ]


def way_out(s: LeningradState, unit: int, home: int, targets: Sequence[int], origins: Sequence[int]) -> int:
    """3.13, ruling D53: has the unit a first step, or only one into water, or none at all?"""
    if steps(s, unit, home, home, targets, origins):
        return OPEN
    return WATER if _open_water(s, home, origins) else NONE


def _open_water(s: LeningradState, home: int, origins: Sequence[int]) -> bool:
    """Is there a side, not barred by 4.4, that leads off the map, into sea or lake, or over an all-water side?"""
    board = s.game.board
    q, r = board.grid.axial(board.labels[home])
    passable = s.game.grounds[s.frozen].passable
    for dq, dr in board.grid.directions.values():
        label = board.grid.at(q + dq, r + dr)
        if label is not None:
            there = board.node(label)
            if (home, there) in passable or board.terrain[there] == "closed":
                continue
        if all(_apart((q + dq, r + dr), board.grid.axial(board.labels[foe])) for foe in origins):
            return True
    return False


def _apart(here: tuple[int, int], there: tuple[int, int]) -> bool:
    dq, dr = there[0] - here[0], there[1] - here[1]
    return max(abs(dq), abs(dr), abs(dq + dr)) > 1


# ---------------------------------------------------------------- whole retreats


def paths(s: LeningradState, unit: int, home: int, length: int, so_far: tuple[int, ...] = ()) -> list[tuple[int, ...]]:
    """Ways of an ordered length that carry on from ``so_far``; those that approach no attacker if there are any (4.3).

    A path that ends in Leningrad, or leads out of it, may stop after one hex (4.9).
    """
    targets, origins = s.targets, s.fronts
    found = _extend(s, unit, home, length, so_far, targets, origins)
    clean = [path for path in found if not _approaches(s, (home, *path), origins)]
    return clean or found


def _extend(
    s: LeningradState, unit: int, home: int, length: int, so_far: tuple[int, ...], targets: Sequence[int],
    origins: Sequence[int],
) -> list[tuple[int, ...]]:  # fmt: skip
    if len(so_far) == length:
        return [so_far]
    here = so_far[-1] if so_far else home
    found: list[tuple[int, ...]] = []
    for there in steps(s, unit, home, here, targets, origins):
        found += _extend(s, unit, home, length, (*so_far, there), targets, origins)
    if not found and so_far and excused(s, unit, home, so_far):
        return [so_far]
    return found


def excused(s: LeningradState, unit: int, home: int, path: Sequence[int]) -> bool:
    """4.9: a Russian unit need not go farther than one hex into or out of a Leningrad hex."""
    if s.game.side_of[unit] != RUSSIAN or not path:
        return False
    return home in s.game.leningrad_index or path[-1] in s.game.leningrad_index


def _approaches(s: LeningradState, path: Sequence[int], origins: Sequence[int]) -> bool:
    distance = s.game.board.distance
    return any(distance(there, foe) < distance(here, foe) for here, there in pairwise(path) for foe in origins)


def next_steps(s: LeningradState, unit: int, home: int, ordered: int, extra: int, so_far: tuple[int, ...]) -> list[int]:
    """Where the unit may step next: along a full path while ordered, anywhere legal once it is voluntary."""
    done = len(so_far)
    length = ordered if done < ordered else done + 1
    if done >= ordered + extra:
        return []
    onward = {path[done]: None for path in paths(s, unit, home, length, so_far) if len(path) > done}
    return list(onward)


@flow.choice
class Retreat(Choice[LeningradState]):
    """3.3: the defender picks the route, hex by hex: ``ordered`` hexes he must go, ``extra`` more he may."""

    name = "retreat"
    rules = ("3.3", "4.1")

    def side(self, s: LeningradState, unit: int, home: int, ordered: int, extra: int, path: tuple[int, ...]) -> int:
        return s.game.side_of[unit]

    def prompt(self, s: LeningradState, unit: int, home: int, ordered: int, extra: int, path: tuple[int, ...]) -> str:
        must = max(0, ordered - len(path))
        name = s.game.unit_names[unit]
        if must:
            return f"Where does {name} retreat? {must} hex{'es' if must > 1 else ''} to go."
        return f"{name} may retreat a hex farther of its own will, or stay."

    def legal(
        self, s: LeningradState, unit: int, home: int, ordered: int, extra: int, path: tuple[int, ...]
    ) -> list[Action]:
        act = s.game.act
        found = [act["retreat"][unit, node] for node in next_steps(s, unit, home, ordered, extra, path)]
        if len(path) >= ordered or excused(s, unit, home, path):
            found.append(act["stay"][unit])
        return found

    def do(
        self, s: LeningradState, action: Action, unit: int, home: int, ordered: int, extra: int, path: tuple[int, ...]
    ) -> None:
        s.pop()
        if action.kind == "stay":
            return
        node = action.args[1]
        path = (*path, node)
        go_on(s, unit, home, ordered, extra, path)
        step_back(s, unit, home, node, len(path))

    def why_not(
        self, s: LeningradState, action: Action, unit: int, home: int, ordered: int, extra: int, path: tuple[int, ...]
    ) -> list[Citation]:
        if action.kind == "stay":
            return [refuse("3.2", "the attacker ordered the retreat")]
        if action.kind != "retreat" or action.args[0] != unit:
            return []
        here, there = path[-1] if path else home, action.args[1]
        if there not in s.game.board.around[here]:
            return [refuse("3.3", "a retreat goes hex by hex")]
        reason = why_not_step(s, unit, home, here, there, s.targets, s.fronts)
        if reason is not None:
            return [reason]
        if not _extend(s, unit, home, max(ordered, len(path) + 1), (*path, there), s.targets, s.fronts):
            return [refuse("4.10", "the ordered length cannot be completed that way")]
        return [refuse("4.3", "another way leads away from the attackers")]


@flow.step("retreat.unit")
def retreat_unit(s: LeningradState, unit: int, home: int, ordered: int, extra: int) -> None:
    """One unit's retreat: the ordered hexes, then voluntary ones. 4.10: an order that cannot be met eliminates."""
    if ordered and not paths(s, unit, home, ordered):
        s.eliminate(unit, "4.10")
        return
    go_on(s, unit, home, ordered, extra, ())


def go_on(s: LeningradState, unit: int, home: int, ordered: int, extra: int, path: tuple[int, ...]) -> None:
    """Ask for the next hex, if there is one to go or to choose."""
    done = len(path)
    if done < ordered or (done < ordered + extra and next_steps(s, unit, home, ordered, extra, path)):
        s.push("retreat", unit, home, ordered, extra, path)


def step_back(s: LeningradState, unit: int, home: int, node: int, gone: int) -> None:
    """One hex of a retreat: it Disrupts (3.23), takes the place, and may throw friends into disorder (4.6)."""
    side = s.game.side_of[unit]
    s.enter(unit, node)
    s.disrupt(unit)
    s.log("retreat", "{unit} retreats to {hex}", "3.23", unit=unit, hex=node)
    index = s.targets.index(home)
    retreats = list(s.retreats)
    retreats[index] = max(retreats[index], gone)
    s.retreats = tuple(retreats)
    units = s.ground_units(node, side)
    if stacking.overstacked(s, units, side) is not None:
        for other in units:
            if other != unit and not s.is_disrupted(other):
                s.disrupt(other)
                s.log("retreat", "{unit} is thrown into disorder by retreating units", "4.6", unit=other)
