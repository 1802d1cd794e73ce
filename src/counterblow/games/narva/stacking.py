"""Chapter 7: stacking - two combat units, one HQ and one Soviet assault gun to a hex."""

from __future__ import annotations

from counterblow.games.narva.state import NarvaState, Units
from counterblow.kernel.rulebook import Citation, refuse_if

LIMIT_WORDS = ("two combat units are there already", "an HQ is there already", "an assault gun is there already")


def count(s: NarvaState, node: int, kind: int) -> int:
    """How many units of a stacking kind (7.0a) stand in a hex."""
    kinds = s.game.kinds
    return sum([1 for unit in s.here.get(node, ()) if kinds[unit] == kind])


def has_room(s: NarvaState, unit: int, node: int) -> bool:
    """7.0a, 7.0b: may the unit end its move, retreat or advance here? An enemy HQ about to be overrun takes no room."""
    kind = s.game.kinds[unit]
    if s.owner(node) != s.game.side_of[unit]:
        return True
    return count(s, node, kind) - (s.at[unit] == node) < s.game.limits[kind]


def why_not_stack(s: NarvaState, unit: int, node: int) -> Citation | None:
    return refuse_if(not has_room(s, unit, node), "7.0a", LIMIT_WORDS[s.game.kinds[unit]])


def surplus(s: NarvaState, node: int, units: Units) -> list[int]:
    """Those of some units whose kind exceeds its limit in a hex where they stand."""
    full = [kind for kind, limit in enumerate(s.game.limits) if count(s, node, kind) > limit]
    return [unit for unit in units if s.at[unit] == node and s.game.kinds[unit] in full]
