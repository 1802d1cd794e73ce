"""8.4: stacking - what fits into a hex, and who goes where too many stand."""

from __future__ import annotations

from counterblow.games.noretreat.components import AXIS, SOVIET
from counterblow.games.noretreat.special import destroy, shatter
from counterblow.games.noretreat.state import NoRetreatState, flow
from counterblow.kernel.rulebook import Citation, refuse
from counterblow.kernel.stacking import Shed


def fits(s: NoRetreatState, units: tuple[int, ...] | list[int], side: int) -> bool:
    """8.4.1.a, 8.4.1.b, 8.4.2, 13.5.23.a: may these units stay stacked in one hex at the end of a phase?"""
    if len(units) <= 1 or (len(units) == 2 and side == AXIS):
        return True
    counted = [unit for unit in units if unit != s.game.rezervy]
    if len(counted) <= 1:
        return True
    if len(counted) > 2:
        return False
    if side == AXIS or s.turn >= s.game.soviet_stack_turn:
        return True
    if not soviet_tanks_ready(s):
        return False
    return any(s.is_armor(unit) for unit in counted) and not any(s.is_fort(unit) for unit in counted)


def soviet_tanks_ready(s: NoRetreatState) -> bool:
    """13.5.11.a, 13.5.11.b: from the Soviet player turn of turn 11."""
    return s.turn > s.game.tank_turn or (s.turn == s.game.tank_turn and s.mover == SOVIET)


def room(s: NoRetreatState, unit: int, node: int) -> bool:
    """Could a unit stay in a hex within the stacking limit?"""
    there = s.here.get(node)
    return there is None or fits(s, (*there, unit), s.game.side_of[unit])


def crowded(counts: bytearray, least: int) -> bool:
    """Do so many units share a hex anywhere? No more than seven ever do."""
    return any(number in counts for number in range(least, 8))


def why_no_room(s: NoRetreatState, unit: int, node: int) -> Citation | None:
    """8.4.1: the limit that keeps a unit out of a hex."""
    if room(s, unit, node):
        return None
    axis = s.game.side_of[unit] == AXIS
    return refuse("8.4.1.a" if axis else "8.4.1.b", "there is no room" if axis else "it may not stack there")


@flow.step
def check_stacking(s: NoRetreatState) -> None:
    """8.4.c, 8.4.3: at the end of a phase, step or battle the owner sheds excess units."""
    limit, side_of = s.game.map_nodes, s.game.side_of
    if not crowded(s.held[AXIS][:limit], 3) and not crowded(s.held[SOVIET][:limit], 2):
        return
    crowds = [(node, units) for node, units in s.here.items() if len(units) > 1 and node < limit]
    over = [node for node, units in crowds if not fits(s, units, side_of[units[0]])]
    if over:
        s.queue((Excess, min(over)), (check_stacking,))


@flow.choice
class Excess(Shed[NoRetreatState]):
    kind = "shed"
    otherwise = refuse("8.4.3", "it is not in {place}")

    def excess(self, s: NoRetreatState, node: int) -> tuple[int, ...]:
        units = s.stack(node)
        return () if not units or fits(s, units, s.game.side_of[units[0]]) else units

    def shed(self, s: NoRetreatState, unit: int, node: int) -> None:
        if not s.unsupplied(unit) and not s.is_fort(unit):
            shatter(s, unit, "8.4.3")
            return
        s.log("eliminated", "{unit} is destroyed by overstacking in {place}", "8.4.3", unit=unit, place=node)
        destroy(s, unit)
