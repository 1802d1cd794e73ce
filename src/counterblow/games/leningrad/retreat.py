"""Chapter 4: retreats."""

from __future__ import annotations

from typing import Any

from counterblow.games.leningrad import stacking, zones
from counterblow.games.leningrad.components import RUSSIAN
from counterblow.games.leningrad.state import LeningradState, flow
from counterblow.kernel.hexes import axial_distance
from counterblow.kernel.journey import NamedDestination
from counterblow.kernel.rulebook import Citation, cited_as, refuse, refuse_if
from counterblow.kernel.walk import Path, Walk

OPEN, WATER, NONE = 2, 1, 0  # a way out; only off the map or into water (4.7); surrounded (3.13)


class Retreat(Walk[LeningradState]):
    """A way back in the battle at hand: so many hexes; 4.11: nothing else hinders it, and no road helps it (4.8).

    4.3: attackers stand next to the defended hex, so that a way of two hexes that keeps to 4.1 and 4.4 never comes
    nearer to one of them.
    """

    def why_not_step(self, s: LeningradState, unit: int, path: Path, there: int, length: int) -> Citation | None:
        game = s.game
        board = game.board
        side = game.side_of[unit]
        home, here = path[0], path[-1]
        if there not in board.around[here]:
            return refuse("3.3", "a retreat goes hex by hex")
        if board.distance(home, there) <= board.distance(home, here):
            return refuse("4.1", "a retreat leads away from the defended hex")
        if any(board.distance(node, there) < board.distance(node, here) for node in s.targets):
            return refuse("4.1", "a retreat leads away from every defended hex")
        for foe in s.fronts:
            if board.distance(here, foe) <= 1 and board.distance(there, foe) <= 1:
                return refuse("4.4", f"that hexside touches {board.labels[foe]}, from which the unit was attacked")
        if (here, there) not in game.grounds[s.frozen].passable:
            closed = board.terrain[there] == "closed"
            return refuse("8.13", "that hex is closed") if closed else refuse("4.7", "water is no way out")
        if zones.bare_zone(s, side, there):
            return refuse("4.2", "an enemy zone with no friendly unit in it")
        if s.held[1 - side][there]:
            return refuse("7.19", "enemy units are there, and there is no overrun")
        if any(there in battle[0] for battle in s.battles):
            return refuse("4.5", "that hex is under an attack not yet resolved")
        return None

    def complete(self, s: LeningradState, unit: int, path: Path, length: int) -> bool:
        return len(path) > length

    def complete_paths(self, s: LeningradState, unit: int, path: Path, length: int) -> list[Path]:
        """4.9: a way that ends in Leningrad, or leads out of it, may be shorter where it leads no farther."""
        found = super().complete_paths(s, unit, path, length)
        return [path] if not found and excused(s, unit, path) else found

    def why_not_complete(self, s: LeningradState, unit: int, path: Path, length: int) -> Citation:
        return refuse("4.10", "the ordered length cannot be completed that way")


RETREAT = Retreat()


def excused(s: LeningradState, unit: int, path: Path) -> bool:
    """4.9: a Russian unit need not go farther than one hex into or out of a Leningrad hex."""
    if s.game.side_of[unit] != RUSSIAN or len(path) < 2:
        return False
    return path[0] in s.game.leningrad_index or path[-1] in s.game.leningrad_index


# ---------------------------------------------------------------- 3.13, 4.7: is there a way at all?


def way_out(s: LeningradState, unit: int, home: int) -> int:
    """3.13, ruling D53: has the unit a first step, or only one into water, or none at all?"""
    if RETREAT.steps(s, unit, (home,), 1):
        return OPEN
    return WATER if _open_water(s, home) else NONE


def _open_water(s: LeningradState, home: int) -> bool:
    """Is there a side, not barred by 4.4, that leads off the map, into sea or lake, or over an all-water side?"""
    board, grid = s.game.board, s.game.board.grid
    passable = s.game.grounds[s.frozen].passable
    dry = [there for there in board.around[home] if (home, there) in passable or board.terrain[there] == "closed"]
    q, r = grid.axial(board.labels[home])
    foes = [grid.axial(board.labels[foe]) for foe in s.fronts]
    sides = {(q + dq, r + dr) for dq, dr in grid.directions.values()}
    sides -= {grid.axial(board.labels[there]) for there in dry}
    return any(all(axial_distance(side, foe) > 1 for foe in foes) for side in sides)


# ---------------------------------------------------------------- 3.3: hex by hex, as the defender picks


def next_steps(s: LeningradState, unit: int, path: Path, ordered: int, extra: int) -> list[int]:
    """Where the unit may step next: along a full path while ordered, anywhere legal once it is voluntary."""
    return RETREAT.next_steps(s, unit, path, max(ordered, len(path))) if len(path) <= ordered + extra else []


@flow.step
def retreat_unit(s: LeningradState, unit: int, home: int, ordered: int, extra: int) -> None:
    """One unit's retreat: the ordered hexes, then voluntary ones. 4.10: an order that cannot be met eliminates."""
    if ordered and not RETREAT.paths(s, unit, home, ordered):
        s.eliminate(unit, "4.10")
    else:
        go_on(s, unit, (home,), ordered, extra)


def go_on(s: LeningradState, unit: int, path: Path, ordered: int, extra: int) -> None:
    """Ask for the next hex, if there is one to go or to choose."""
    if len(path) <= ordered or next_steps(s, unit, path, ordered, extra):
        s.push(StepBack, unit, path, ordered, extra)


@flow.choice
class StepBack(NamedDestination[LeningradState]):
    """3.3: the defender picks the route: ``ordered`` hexes he must go, ``extra`` more he may."""

    kind, passing, returns = "retreat", "stay", False

    def prompt(self, s: LeningradState, unit: int, path: Path, ordered: int, extra: int) -> str:
        must = max(0, ordered + 1 - len(path))
        name = s.game.unit_names[unit]
        if must:
            return f"Where does {name} retreat? {must} hex{'es' if must > 1 else ''} to go."
        return f"{name} may retreat a hex farther of its own will, or stay."

    def nodes(self, s: LeningradState, unit: int, path: Path, ordered: int, extra: int) -> list[int]:
        return next_steps(s, unit, path, ordered, extra)

    def why_not_node(
        self, s: LeningradState, node: int, unit: int, path: Path, ordered: int, extra: int
    ) -> Citation | None:
        found = RETREAT.why_not_next(s, unit, path, node, max(ordered, len(path)))
        return cited_as(found, "3.3", self.pass_rule(s, unit, path, ordered, extra))

    def why_not_unit(self, s: LeningradState, other: int, unit: int, *way: Any) -> Citation:
        return refuse(self.pass_rule(s, unit, *way), f"it is {s.game.unit_names[unit]} that goes now")

    def pass_rule(self, s: LeningradState, unit: int, path: Path, ordered: int, extra: int) -> str:
        """By which a unit goes back a hex: ordered (3.3), or of its own will after D1 (3.5), D or - (3.7)."""
        return "3.3" if len(path) <= ordered else "3.5" if extra == 1 else "3.7"

    def why_not_pass(self, s: LeningradState, unit: int, path: Path, ordered: int, extra: int) -> Citation | None:
        free = len(path) > ordered or excused(s, unit, path)
        return refuse_if(not free, "3.2", "the attacker ordered the retreat")

    def arrive(self, s: LeningradState, node: int, unit: int, path: Path, ordered: int, extra: int) -> None:
        """One hex of a retreat: it Disrupts (3.23), takes the place, and may throw friends into disorder (4.6)."""
        side, path = s.game.side_of[unit], (*path, node)
        go_on(s, unit, path, ordered, extra)
        s.log("retreat", "{unit} retreats to {place}", "3.23", unit=unit, place=node, path=path[-2:])
        s.enter(unit, node)
        s.disrupt(unit)
        gone = [len(path) - 1 if target == path[0] else 0 for target in s.targets]
        s.retreats = tuple(map(max, s.retreats, gone))
        units = s.ground_units(node, side)
        if stacking.overstacked(s, units, side) is not None:
            for other in units:
                if other != unit and not s.is_disrupted(other):
                    s.disrupt(other)
                    s.log("retreat", "{unit} is thrown into disorder by retreating units", "4.6", unit=other)
