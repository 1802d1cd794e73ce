"""Chapter 5: zones of control.

The kernel counts zones per hex (``s.zone``). Which units exert one stands in ``Narva.exerts``: HQs and assault guns
none (5.2a), others by the attack strength showing (5.2b), whatever their supply (5.5.1); across which hexsides they
reach in ``Season.zone`` (5.0, 5.6). Movement surcharges (5.1a, 5.1b) stand in the cost tables of ``terrain``; friendly
units cancel zones for supply only (5.5c). What zones do to retreats (5.4) stands in ``retreat``, to supply (5.5) in
``supply``.
"""

from __future__ import annotations

from counterblow.games.narva.components import HQ
from counterblow.games.narva.state import NarvaState
from counterblow.kernel.graph import Counts
from counterblow.kernel.rulebook import Citation, refuse


def barriers(s: NarvaState, unit: int) -> Counts:
    """6.3.2: hexes closed to a unit by enemies. Combat units may overrun a lone HQ (6.3.2b), HQs may not (6.3.2c)."""
    game = s.game
    enemy = 1 - game.side_of[unit]
    return s.presence(enemy) if game.kinds[unit] == HQ else s.held[enemy]


def why_not_place(s: NarvaState, side: int, node: int) -> Citation | None:
    """5.3, 8.0.3a: reinforcements are placed neither on enemies nor in their zones; friends there change nothing."""
    if s.owner(node) == 1 - side:
        return refuse("8.0.3a", "enemy units are there")
    return refuse("5.3", "it lies in an enemy zone of control") if s.in_ezoc(node, side) else None
