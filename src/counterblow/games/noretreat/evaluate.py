"""How good a position looks for a side, from what that side can see."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

from counterblow.games.noretreat import cards
from counterblow.games.noretreat.charts import Charts
from counterblow.games.noretreat.components import AXIS, SOVIET
from counterblow.games.noretreat.state import NoRetreatState
from counterblow.games.noretreat.supply import supplied, supply_net
from counterblow.games.noretreat.victory import hex_vps, objectives_held
from counterblow.kernel.judge import Judge
from counterblow.kernel.masks import bits

VP, OBJECTIVE, STRENGTH, LOST, CUT_OFF, CARD, SHATTERED = 100, 60, 12, 10, 25, 12, 6
WON = 1_000_000
MARCH, FAR = 3, 10  # a hex nearer to a city that the enemy holds, counted from this far


class NoRetreatJudge(Judge[Any]):
    def evaluate(self, s: NoRetreatState, side: int) -> int:
        """Axis minus Soviet, or the other way round: VPs, objectives, strength on the map, supply, cards."""
        balance = _worth(s, AXIS) - _worth(s, SOVIET) + VP * s.event_vp
        if s.outcome is not None and s.outcome[0] is not None:
            balance += WON if s.outcome[0] == AXIS else -WON
        return balance if side == AXIS else -balance

    def redeal(self, state: NoRetreatState, side: int) -> None:
        """The enemy's hand and the draw pile are dealt anew; weather cards are never in a hand."""
        cards.redeal(state, side)


def _worth(s: NoRetreatState, side: int) -> int:
    worth = VP * hex_vps(s, side) + OBJECTIVE * objectives_held(s, side, traced=False)
    net = supply_net(s, side)
    lacking = s.sites if side == AXIS else ~s.sites & s.game.charts.all_sites
    ways, lines, at = nearest(s.game.charts, lacking), net.reach, s.at
    for unit in s.army(side):
        strength, node = s.strength(unit), at[unit]
        worth += STRENGTH * strength
        if lacking:
            worth -= MARCH * ways[node]
        if s.unsupplied(unit) or not (lines[node] or supplied(s, unit)):
            worth -= CUT_OFF * strength
    worth -= LOST * (len(s.in_box(side, "Destroyed")) + 3 * len(s.in_box(side, "Surrendered")))
    worth += SHATTERED * len(s.in_box(side, "Shattered"))
    return worth + CARD * s.hands[side].bit_count()


@lru_cache(maxsize=4096)
def nearest(charts: Charts, sites: int) -> bytes:
    """How far every node is from the nearest of some cities and oil fields, at most FAR."""
    far = bytes([FAR]) * charts.board.size
    return bytes(map(min, far, far, *[site_distances(charts)[site] for site in bits(sites)]))


@cache
def site_distances(charts: Charts) -> tuple[bytes, ...]:
    """For each city and oil field, how far every node is from it in hexes, at most FAR."""
    board = charts.board
    hexes = range(board.hexes)
    beyond = bytes([FAR]) * (board.size - board.hexes)
    return tuple(
        bytes(min(FAR, board.distance(node, here)) for node in hexes) + beyond
        if board.is_hex(here)
        else bytes([FAR]) * board.size
        for here in charts.site_node
    )
