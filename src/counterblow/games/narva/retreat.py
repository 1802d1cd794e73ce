"""Section 9.5: retreats.

A unit's legal retreats are paths ranked by the rules in this order (9.5c): terrain (9.5.1) and the rule that each hex
is farther off (9.5.2) are absolute; then the longest path up to the result, then the fewest EZOC hexes (9.5.3), then an
end in supply (9.5.4).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from counterblow.games.narva import headquarters
from counterblow.games.narva.components import HQ
from counterblow.games.narva.movement import barriers
from counterblow.games.narva.results import FREELY, STRONGEST, eliminate, losses
from counterblow.games.narva.stacking import surplus, why_not_stack
from counterblow.games.narva.state import NarvaState, Units, flow
from counterblow.games.narva.supply import where_supplied
from counterblow.kernel.flow import Step
from counterblow.kernel.journey import Destination
from counterblow.kernel.rulebook import Citation, refuse
from counterblow.kernel.stacking import Shed
from counterblow.kernel.state import NOWHERE
from counterblow.kernel.walk import Path, Walk

Way = tuple[int, Path]  # a unit, its way without the hex that it leaves
Chosen = tuple[Way, ...]


# ---------------------------------------------------------------------- legal paths


class Flight(Walk[NarvaState]):
    """A retreat of so many hexes from the first hex of the path."""

    def why_not_step(self, s: NarvaState, unit: int, path: Path, there: int, length: int) -> Citation | None:
        game, here = s.game, path[-1]
        if there not in game.around[here]:
            return refuse("9.5.2", "a retreat goes from hex to hex")
        if game.distance(path[0], there) <= game.distance(path[0], here):
            return refuse("9.5.2", "each hex must be farther from the combat than the last")
        if barriers(s, unit)[there]:
            return refuse("9.5b", "enemy units are in the way")
        passable = game.ground.frost[s.frozen].retreat[game.classes[unit]][game.board.step_of[here, there]]
        if passable:
            return None
        closed = game.ground.why_not_enter(game.classes[unit][1], there)
        return refuse("9.5.1", str(closed or "it could not move across that river"))

    def complete(self, s: NarvaState, unit: int, path: Path, length: int) -> bool:
        return len(path) > length

    def paths(self, s: NarvaState, unit: int, start: int, length: int) -> list[Path]:
        """9.5.2: as far as possible, up to the result; just the start if the unit cannot retreat at all."""
        return self.preferred(s, unit, self.farthest_paths(s, unit, (start,), length), length)

    def preferred(self, s: NarvaState, unit: int, paths: list[Path], length: int) -> list[Path]:
        """9.5.3, 9.5.4: of paths of one length those with the fewest EZOC hexes, of these the ones that end in supply.

        8.0.6h: the 260th MS needs no supply.
        """
        if len(paths) < 2:
            return paths
        side = s.game.side_of[unit]
        zone = s.zone[1 - side]
        costs = [ezoc_hexes(zone, path) for path in paths]
        least = min(costs)
        paths = [path for path, cost in zip(paths, costs, strict=True) if cost == least]
        if len(paths) < 2 or unit == s.game.naval_brigade:
            return paths
        supplied = where_supplied(s, side, self.emptied(s, paths[0][0]))
        return [path for path in paths if supplied[path[-1]]] or paths

    def emptied(self, s: NarvaState, origin: int) -> int:
        """The hex that the retreat leaves empty; units that stay keep it open for supply (10.1b)."""
        attackers, homes, _ = s.battle
        stay = origin in homes and any(unit not in attackers for unit in s.combat_units(origin))
        return NOWHERE if stay else origin

    def why_not_path(self, s: NarvaState, unit: int, path: Path, length: int) -> Citation | None:
        reason = self.why_not_along(s, unit, path, length)
        if reason is not None:
            return reason
        best = self.paths(s, unit, path[0], length)[0]
        if len(path) != len(best):
            own = len(best) - 1
            hexes = f"{own} hex{'es' * (own != 1)}"
            return refuse("9.5.2", f"the retreat is of {hexes}, the path has {len(path) - 1}")
        return self.why_not_preferred(s, unit, path, [best], length)

    def why_not_preferred(self, s: NarvaState, unit: int, path: Path, paths: list[Path], length: int) -> Citation:
        zone, best = s.zone[1 - s.game.side_of[unit]], self.preferred(s, unit, paths, length)[0]
        way = "-".join([s.game.board.labels[node] for node in best])
        if ezoc_hexes(zone, path) > ezoc_hexes(zone, best):
            return refuse("9.5.3a", f"a path with fewer enemy zones is open: {way}")
        return refuse("9.5.4", f"a path that ends in supply is open: {way}")


class Onward(Flight):
    """7.1b: one hex farther from where the retreat began, with room (ruling 47). The path is (origin, node)."""

    def why_not_step(self, s: NarvaState, unit: int, path: Path, there: int, length: int) -> Citation | None:
        return super().why_not_step(s, unit, path, there, length) or why_not_stack(s, unit, there)

    def emptied(self, s: NarvaState, origin: int) -> int:
        return NOWHERE


FLIGHT, ONWARD = Flight(), Onward()


def ezoc_hexes(zone: bytearray, path: Path) -> int:
    """Enemy zones entered; the first hex of a path is only left."""
    return sum([1 for node in path[1:] if zone[node]])


# ---------------------------------------------------------------------- who retreats


@flow.step
def start(s: NarvaState, origin: int, length: int, units: Units) -> None:
    """The surviving units, then the HQs stacked with them (11.1.1); an HQ alone (a barrage) retreats by itself."""
    if length < 1:
        return
    retreating = tuple([u for u in units if s.at[u] == origin])
    hqs = tuple(s.hqs(origin))
    if retreating:
        follow = (headquarters.hqs_follow, origin, length, retreating, hqs)
        s.queue((next_unit, origin, length, retreating, ()), follow)
    elif hqs and not units:
        s.push(next_unit, origin, length, hqs, ())


@flow.step
def next_unit(s: NarvaState, origin: int, length: int, left: Units, chosen: Chosen) -> None:
    """One path after the other is chosen, all judged from the position before the retreat (ruling 46)."""
    if left:
        s.ask(Retreat, left[0], origin, length, left[1:], chosen)
    else:
        carry_out(s, origin, length, chosen)


@flow.choice
class Retreat(Destination[NarvaState]):
    """9.5a, 9.5.5a: the owner chooses each unit's path; units with the same path stay a stack."""

    kind, returns = "retreat", False

    def items(self, s: NarvaState, unit: int, origin: int, length: int, *rest: Any) -> Sequence[Way]:
        return [(unit, path[1:]) for path in FLIGHT.paths(s, unit, origin, length)]

    def why_not_item(
        self, s: NarvaState, item: Way, unit: int, origin: int, length: int, *rest: Any
    ) -> Citation | None:
        way = item[1]
        if item[0] != unit:
            return refuse("9.5a", f"now {s.game.unit_names[unit]} retreats")
        return FLIGHT.why_not_path(s, unit, way if way[:1] == (origin,) else (origin, *way), length)

    def take(self, s: NarvaState, item: Way, unit: int, origin: int, length: int, left: Units, chosen: Chosen) -> None:
        s.push(next_unit, origin, length, left, (*chosen, item))


# ---------------------------------------------------------------------- carrying it out


def carry_out(s: NarvaState, origin: int, length: int, chosen: Chosen) -> None:
    """Lift the stacks, displace HQs they overrun, and settle the losses of each stack before it is set down."""
    steps: list[Step] = []
    everyone = tuple([unit for unit, _ in chosen])
    for way in dict.fromkeys([way for _, way in chosen]):
        units = tuple([unit for unit, theirs in chosen if theirs == way])
        if way:
            depart(s, units, origin, way)
        entered = ezoc_hexes(s.zone[1 - s.game.side_of[units[0]]], (origin, *way))
        steps += [
            losses(units, length - len(way), FREELY),  # 9.5.1, 9.5.2
            losses(units, entered, STRONGEST),  # 9.5.3b, 9.5.3c, 5.4a, 5.4b
            (settle, origin, way, units, everyone),
        ]
    s.queue(*steps)


def depart(s: NarvaState, units: Units, origin: int, way: Path) -> None:
    for unit in units:
        s.log("retreat", "{unit} retreats {path}", "9.5a", unit=unit, path=(origin, *way))
        headquarters.pass_along(s, unit, way)  # as long as it is where it was hidden: a lifted unit is seen (2.1.3a)
        s.lift(unit)
        s.pin[unit] = 0  # 2.5.1k


@flow.step
def settle(s: NarvaState, origin: int, way: Path, units: Units, everyone: Units) -> None:
    """Set the survivors down; one over the limit goes on (7.1b, 7.1c, 9.5.5b), any that came by whatever way."""
    if not way:
        return
    for unit in units:
        if s.step[unit]:
            s.put(unit, way[-1])
    s.push(crowd, origin, way[-1], everyone)


@flow.step
def crowd(s: NarvaState, origin: int, node: int, units: Units) -> None:
    """One unit too many goes a hex farther, or is eliminated if none can."""
    if surplus(s, node, units) and not s.ask(GoOn, node, units, origin):
        s.ask(GiveUp, node, units)


NOT_SURPLUS = refuse("7.1b", "it is not one of the units too many")


@flow.choice
class GiveUp(Shed[NarvaState]):
    """7.1b: which of several units too many is eliminated."""

    kind, otherwise = "give_up", NOT_SURPLUS

    def excess(self, s: NarvaState, node: int, units: Units) -> Sequence[int]:
        return surplus(s, node, units)

    def shed(self, s: NarvaState, unit: int, node: int, units: Units) -> None:
        eliminate(s, unit, "7.1c" if s.game.kinds[unit] == HQ else "7.1b", "finds no room and is eliminated")


@flow.choice
class GoOn(Shed[NarvaState]):
    """7.1b: which unit goes on, and where."""

    kind = "retreat"

    def excess(self, s: NarvaState, node: int, units: Units, origin: int) -> Sequence[int]:
        return surplus(s, node, units)

    def items(self, s: NarvaState, node: int, units: Units, origin: int) -> Sequence[Way]:
        found = [(unit, ONWARD.next_steps(s, unit, (origin, node), 2)) for unit in surplus(s, node, units)]
        return [(unit, (there,)) for unit, nodes in found for there in nodes]

    def why_not_item(self, s: NarvaState, item: Way, node: int, units: Units, origin: int) -> Citation | None:
        unit, way = item
        if unit not in surplus(s, node, units):
            return NOT_SURPLUS
        if len(way) != 1:
            return refuse("7.1b", "it goes one hex farther")
        return ONWARD.why_not_next(s, unit, (origin, node), way[0], 2)

    def take(self, s: NarvaState, item: Way, node: int, units: Units, origin: int) -> None:
        unit, way = item
        entered = ezoc_hexes(s.zone[1 - s.game.side_of[unit]], (node, *way))
        s.push(crowd, origin, node, units)
        depart(s, (unit,), node, way)
        s.queue(losses((unit,), entered, STRONGEST), (settle, origin, way, (unit,), (unit,)))
