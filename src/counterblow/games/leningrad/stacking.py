"""Chapter 6: stacking."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from counterblow.games.leningrad.components import RUSSIAN, SIDES
from counterblow.games.leningrad.state import LeningradState, flow
from counterblow.kernel.flow import ask
from counterblow.kernel.masks import mask_of
from counterblow.kernel.rulebook import Citation, refuse, refuse_if
from counterblow.kernel.stacking import Shed


def overstacked(s: LeningradState, units: Sequence[int], side: int) -> Citation | None:
    """What is wrong with a stack of one side's ground units, if anything."""
    counters, mask = s.game.counters, mask_of(units)
    if (mask & counters.armies).bit_count() > 1:  # 6.3: the Novgorod group is an army by its size
        return refuse("6.2", "only one army or panzer group in a hex")
    if side == RUSSIAN:
        counted = mask & ~(1 << counters.marines)  # 6.8: Marines, trains and the fleet stack free
        return refuse_if(counted.bit_count() > 2, "6.7", "the Russians may have two units in a hex")
    large, panzers = (mask & counters.diggers).bit_count(), (mask & counters.panzers).bit_count()
    group_and_korps = mask >> counters.panzer_group & 1 and mask & counters.panzer_korps
    most = 3 if mask & counters.panzer_divisions else 2
    return (
        refuse_if(large > 2, "6.1", "only two units of corps level or higher in a hex")
        or refuse_if(group_and_korps, "6.4", "the panzer group and a panzer korps may not share a hex")
        or refuse_if(panzers > 2, "6.6", "only two panzer units in a hex")
        or refuse_if(len(units) > most, "6.5", "a third German unit only with a panzer division among them")
    )


@flow.step
def enforce(s: LeningradState) -> None:
    """6.9: the limit is tested at the end of the owner's operational movement, and only then (6.11).

    Where no unit has moved in the blitzkrieg there was none: its movement may be repeated, it need not (1.7).
    """
    if s.blitz and not s.moved & ~s.used & s.game.everybody[s.mover]:
        return
    s.queue(*[(ask, Excess, node) for node in _stacks(s)])


def _stacks(s: LeningradState) -> list[int]:
    """Hexes in which a ground unit of the player-turn is not alone."""
    nodes = {s.at[unit] for unit in s.take_from(s.game.counters.ground[s.mover])}
    return sorted([node for node in nodes if len(s.here[node]) > 1])


def too_many(s: LeningradState, node: int) -> Citation | None:
    return overstacked(s, s.ground_units(node, s.mover), s.mover)


def warnings(s: LeningradState) -> list[str]:
    """Stacks that would lose units if movement ended now."""
    reasons = [(node, too_many(s, node)) for node in _stacks(s)]
    return [f"{s.game.where(node)} is overstacked, {reason}" for node, reason in reasons if reason]


@flow.choice
class Excess(Shed[LeningradState]):
    """6.10: what is over the limit is removed, the owner choosing."""

    otherwise = refuse("6.10", "that unit is not in excess here")

    def prompt(self, s: LeningradState, node: int) -> str:
        reason = too_many(s, node)
        return f"{s.game.where(node)} is overstacked ({reason}): choose a {SIDES[s.mover]} unit to remove."

    def excess(self, s: LeningradState, node: int) -> list[int]:
        """The units whose removal brings the stack nearer to the limit."""
        units = s.ground_units(node, s.mover)
        for count in range(len(units)):
            ways = [set(gone) for gone in combinations(units, count)]
            mending = [gone for gone in ways if not overstacked(s, [u for u in units if u not in gone], s.mover)]
            if mending:
                return sorted(set().union(*mending))
        return units

    def shed(self, s: LeningradState, unit: int, node: int) -> None:
        s.eliminate(unit, "6.10")
