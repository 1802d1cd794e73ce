"""How good a position looks for a side, from what that side can see."""

from __future__ import annotations

from counterblow.games.noretreat.components import AXIS, SOVIET
from counterblow.games.noretreat.state import NoRetreatState
from counterblow.games.noretreat.supply import supplied, supply_net
from counterblow.games.noretreat.victory import hex_vps, objectives_held

VP, OBJECTIVE, STRENGTH, LOST, CUT_OFF, CARD, SHATTERED = 100, 60, 12, 10, 25, 12, 6


def evaluate(s: NoRetreatState, side: int) -> int:
    """Axis minus Soviet, or the other way round: VPs, objectives, strength on the map, supply, cards."""
    if s.outcome is not None:
        winner = s.outcome[0]
        return 0 if winner is None else 1_000_000 if winner == side else -1_000_000
    balance = _worth(s, AXIS) - _worth(s, SOVIET) + VP * s.event_vp
    return balance if side == AXIS else -balance


def _worth(s: NoRetreatState, side: int) -> int:
    worth = VP * hex_vps(s, side) + OBJECTIVE * objectives_held(s, side, traced=False)
    net = supply_net(s, side)
    for unit in s.army(side):
        strength = s.strength(unit)
        worth += STRENGTH * strength
        if s.unsupplied(unit) or not supplied(s, unit, net):
            worth -= CUT_OFF * strength
    worth -= LOST * (len(s.in_box(side, "Destroyed")) + 3 * len(s.in_box(side, "Surrendered")))
    worth += SHATTERED * len(s.in_box(side, "Shattered"))
    return worth + CARD * s.hands[side].bit_count()
