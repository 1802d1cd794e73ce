"""Chapter 6: stacking."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from counterblow.games.leningrad.components import GERMAN, SIDES
from counterblow.games.leningrad.state import LeningradState, flow
from counterblow.kernel.flow import ask
from counterblow.kernel.rulebook import Citation, refuse
from counterblow.kernel.stacking import Shed


def overstacked(s: LeningradState, units: Sequence[int], side: int) -> Citation | None:
    """What is wrong with a stack of one side's ground units, if anything."""
    counters = s.game.counters
    mask = 0
    for unit in units:
        mask |= 1 << unit
    armies = (mask & counters.armies).bit_count()
    if armies > 1:  # 6.3: the Novgorod group is an army by its size
        return refuse("6.2", "only one army or panzer group in a hex")
    if side == GERMAN:
        return _german(s, mask, len(units))
    counted = mask & ~(1 << counters.marines)  # 6.8: Marines, trains and the fleet stack free
    if counted.bit_count() > 2:
        return refuse("6.7", "the Russians may have two units in a hex")
    return None


def _german(s: LeningradState, mask: int, count: int) -> Citation | None:
    counters = s.game.counters
    if (mask & counters.diggers).bit_count() > 2:
        return refuse("6.1", "only two units of corps level or higher in a hex")
    if mask >> counters.panzer_group & 1 and mask & counters.panzer_korps:
        return refuse("6.4", "the panzer group and a panzer korps may not share a hex")
    if (mask & counters.panzers).bit_count() > 2:
        return refuse("6.6", "only two panzer units in a hex")
    if count > (3 if mask & counters.panzer_divisions else 2):
        return refuse("6.5", "a third German unit only with a panzer division among them")
    return None


@flow.step
def enforce(s: LeningradState, side: int) -> None:
    """6.9: the limit is tested at the end of the owner's operational movement, and only then (6.11).

    Where no unit has moved in the blitzkrieg there was none: its movement may be repeated, it need not (1.7).
    """
    if s.blitz and not s.moved & ~s.used & s.game.everybody[side]:
        return
    s.queue(*[(ask, Excess, node, side) for node in _stacks(s, side)])


def _stacks(s: LeningradState, side: int) -> list[int]:
    """Hexes in which a ground unit of a side is not alone."""
    nodes = {s.at[unit] for unit in s.take_from(s.game.counters.ground[side])}
    return sorted(node for node in nodes if len(s.here[node]) > 1)


def warnings(s: LeningradState, side: int) -> list[str]:
    """Stacks that would lose units if movement ended now."""
    reasons = [(node, overstacked(s, s.ground_units(node, side), side)) for node in _stacks(s, side)]
    return [f"{s.game.where(node)} is overstacked, {reason}" for node, reason in reasons if reason]


@flow.choice
class Excess(Shed[LeningradState]):
    """6.10: what is over the limit is removed, the owner choosing."""

    rules = ("6.10",)

    def prompt(self, s: LeningradState, node: int, side: int) -> str:
        reason = overstacked(s, s.ground_units(node, side), side)
        return f"{s.game.where(node)} is overstacked ({reason}): choose a {SIDES[side]} unit to remove."

    def excess(self, s: LeningradState, node: int, side: int) -> list[int]:
        """The units whose removal brings the stack nearer to the limit."""
        units = s.ground_units(node, side)
        if overstacked(s, units, side) is None:
            return []
        for count in range(1, len(units)):
            bad = {
                unit
                for gone in combinations(units, count)
                if overstacked(s, [u for u in units if u not in gone], side) is None
                for unit in gone
            }
            if bad:
                return sorted(bad)
        return units

    def why_not_item(self, s: LeningradState, unit: int, node: int, side: int) -> Citation | None:
        return refuse("6.10", "that unit is not in excess here")

    def shed(self, s: LeningradState, unit: int, node: int, side: int) -> None:
        s.eliminate(unit, "6.10")
