"""Chapter 8: zones of control."""

from __future__ import annotations

from counterblow.games.leningrad.components import GERMAN
from counterblow.games.leningrad.state import LeningradState
from counterblow.kernel.rulebook import Citation, refuse


def exerts(s: LeningradState, unit: int) -> bool:
    """8.1, 8.9, 3.24: armies and corps; no armour, Marines or trains, no Disrupted Russian corps."""
    game = s.game
    if not game.infantry_with_zones >> unit & 1:
        # ruling D17: under the switch the panzer group and panzer korps have zones, too
        if not s.options["panzer_corps_zoc"] or not game.panzers_with_zones >> unit & 1:
            return False
    elif s.disrupted & game.loses_zone & 1 << unit:
        return False  # 3.24, ruling D16: a Disrupted army keeps its zone
    # ruling D59: under the switch, units in Leningrad are as silent as the hex itself (8.10)
    return not (s.at[unit] in game.leningrad_index and s.options["leningrad_silent"])


def controllers(s: LeningradState, side: int, node: int) -> int:
    """The units of a side that have this node in their zone, as a mask."""
    found = 0
    units = s.game.everybody[side]
    for near in s.game.grounds[s.frozen].around[node]:  # 8.11, 8.13: not over water, not into closed hexes
        for unit in s.here.get(near, ()):
            if units >> unit & 1 and exerts(s, unit):
                found |= 1 << unit
    return found


def bare_zone(s: LeningradState, side: int, node: int) -> bool:
    """Is the node in an enemy zone with no friend of ``side`` there?"""
    return s.zone[1 - side][node] > 0 and not s.held[side][node]


def held_by_zone(s: LeningradState, unit: int, node: int) -> str:
    """8.4, 8.5: the rule under which leaving a hex costs this unit its bonus, or nothing."""
    game = s.game
    side = game.side_of[unit]
    if not s.zone[1 - side][node] or s.held[side][node] > 1:  # another friend stays, or no zone to leave
        return ""
    size = game.counters.size
    least = size[unit] + (side == GERMAN)  # ruling D18: a German fears the larger, a Russian his equals too
    for enemy in s.take_from(controllers(s, 1 - side, node) & ~s.disrupted):
        if size[enemy] >= least:
            return "8.4" if side == GERMAN else "8.5"
    return ""


def bar_between(s: LeningradState, unit: int, here: int, there: int) -> Citation | None:
    """8.6, 8.8: may a unit step from one zone hex straight into another? Asked only when both are in enemy zones."""
    game = s.game
    side = game.side_of[unit]
    if s.held[side][there]:
        return None  # 8.6, 8.14: onto a friendly unit, over a river too
    if controllers(s, 1 - side, here) & controllers(s, 1 - side, there):
        return refuse("8.6", "from one zone hex to another of the same enemy only onto a friendly unit")
    if game.board.crosses(here, there, "river"):
        return refuse("8.8", "no step from zone to zone over a river")
    if (here, there) in game.line_pairs or (there, here) in game.line_pairs:  # whichever way it faces
        return refuse("8.8", "no step from zone to zone over a defence line")
    return None
