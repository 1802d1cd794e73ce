"""Chapter 5: zones of control.

The kernel counts zones per hex (``s.zone``); which units exert one is ``NarvaState.has_zone`` (5.2) and across which
hexsides they reach is ``Season.zone`` (5.0, 5.6). Movement surcharges (5.1) stand in the cost tables of ``terrain``.
"""

from __future__ import annotations

from counterblow.games.narva.components import HQ
from counterblow.games.narva.state import NarvaState
from counterblow.kernel.graph import Counts
from counterblow.kernel.rulebook import Citation, refuse


def exerts(s: NarvaState, unit: int) -> int:
    """5.2a, 5.2b: HQs and assault guns exert none, others by the attack showing; supply does not matter (5.5.1)."""
    return 1 + s.frozen if s.has_zone(unit) else 0


def barriers(s: NarvaState, unit: int) -> Counts:
    """6.3.2: hexes closed to a unit by enemies. Combat units may overrun a lone HQ (6.3.2b), HQs may not (6.3.2c)."""
    game = s.game
    enemy = 1 - game.side_of[unit]
    return s.presence(enemy) if game.kinds[unit] == HQ else s.held[enemy]


def may_not_place(s: NarvaState, side: int, node: int) -> list[Citation]:
    """5.3, 8.0.3a: reinforcements are placed neither on enemies nor in their zones; friends there change nothing."""
    if s.owner(node) == 1 - side:
        return [refuse("8.0.3a", "enemy units are there")]
    if s.in_ezoc(node, side):
        return [refuse("5.3", "it lies in an enemy zone of control")]
    return []
