"""Chapter 15: set-up."""

from __future__ import annotations

from counterblow.games.leningrad import stacking
from counterblow.games.leningrad.components import GERMAN, RUSSIAN
from counterblow.games.leningrad.state import LeningradState, flow
from counterblow.kernel.journey import NamedDestination
from counterblow.kernel.masks import bits, mask_of
from counterblow.kernel.rulebook import Citation, refuse, refuse_if


def starters(s: LeningradState, side: int) -> list[int]:
    """Units on the map at the start that are yet to be placed, those with a choice of place last."""
    start = s.game.counters.start
    units = [unit for unit in bits(s.game.everybody[side] & ~s.present) if start[unit]]
    return sorted(units, key=lambda unit: len(start[unit]) > 1)


@flow.step
def set_up(s: LeningradState, side: int) -> None:
    """15.1 to 15.5: the Russian first, then the German; marked places are filled without asking."""
    for unit in starters(s, side):
        where = places(s, unit)
        if len(where) > 1:
            s.queue((Place, unit), (set_up, side))
            return
        s.put(unit, where[0])


def places(s: LeningradState, unit: int) -> list[int]:
    """The start hexes of a unit; Germans must fit under the stacking limit when all are placed (15.5)."""
    counters = s.game.counters
    where = counters.start[unit]
    if counters.side[unit] == RUSSIAN:
        return list(where)
    rest = [other for other in starters(s, GERMAN) if other != unit]
    stacks = {node: mask_of(s.ground_units(node, GERMAN)) for node in where}
    return [node for node in where if _fits(s, {**stacks, node: stacks[node] | 1 << unit}, rest)]


def _fits(s: LeningradState, stacks: dict[int, int], rest: list[int]) -> bool:
    """Can the rest be placed so that no stack is over the limit?"""
    if any(stacking.overstacked(s, bits(mask), GERMAN) for mask in stacks.values()):
        return False  # more units never mend a stack
    if not rest:
        return True
    unit, others = rest[0], rest[1:]
    return any(_fits(s, {**stacks, node: stacks[node] | 1 << unit}, others) for node in s.game.counters.start[unit])


@flow.choice
class Place(NamedDestination[LeningradState]):
    kind, returns = "place", False

    def nodes(self, s: LeningradState, unit: int) -> list[int]:
        return places(s, unit)

    def why_not_node(self, s: LeningradState, node: int, unit: int) -> Citation | None:
        counters = s.game.counters
        rule = "15.3" if unit == counters.marines else "15.4" if counters.trains >> unit & 1 else "15.2"
        german = refuse_if(counters.side[unit] == GERMAN, "15.5", "the German force starts SSW and SSE of Pskov")
        return german or refuse(rule, "not a start hex of that unit")

    def why_not_unit(self, s: LeningradState, other: int, unit: int) -> Citation:
        due, rule = s.game.counters.turn[other], "15.5" if s.mover == GERMAN else "15.1"
        late = refuse_if(due, "10.25", f"the unit is due on turn {due}")
        return late or refuse(rule, f"{s.game.unit_names[unit]} is placed now")

    def arrive(self, s: LeningradState, node: int, unit: int) -> None:
        s.put(unit, node)
        s.log("setup", "{unit} starts in {place}", unit=unit, place=node)
