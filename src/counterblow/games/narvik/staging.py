"""Chapter 20: staging areas, and bringing units onto the map (8.3)."""

from __future__ import annotations

from counterblow.games.narvik.components import GERMAN
from counterblow.games.narvik.ground import with_zones
from counterblow.games.narvik.state import NarvikState
from counterblow.kernel.graph import Costs
from counterblow.kernel.rulebook import Citation, refuse_if


def queued_costs(s: NarvikState, costs: Costs, unit: int, area: int) -> Costs:
    """8.3.c, 8.3.d: the second load through an edge hex pays its entry cost twice, the third three times."""
    side = s.game.side_of[unit]
    limit: int = s.game.tables.stacking[side]
    queues = [(edge, 1 + entered // limit) for edge, entered in s.entered if entered >= limit]
    if not queues:
        return costs

    def build() -> Costs:
        cost = list(costs.cost)
        for edge, times in queues:
            step = s.game.board.step_of.get((area, edge))
            if step is not None and cost[step] > 0:
                cost[step] *= times
        return with_zones(cost, costs.leave)

    key = (side, s.mobility(unit), s.game.roster.move[unit], s.demolished, s.pontoons, area, tuple(queues))
    found: Costs = s.game.cached_costs(key, build)
    return found


def why_not_area(s: NarvikState, side: int, here: int, there: int) -> Citation | None:
    """20.0.b, 20.0.f, 20.1.a, 20.2.a: why units may not pass between a node and a staging area."""
    ground = s.game.ground
    if there < ground.hexes:
        away = here >= ground.hexes and there not in s.game.board.around[here]
        return refuse_if(away, "20.0.f", "the area is left only to edge hexes of its colour")
    home, inland = side == GERMAN and there == ground.transit, there not in ground.exits[here]
    return (
        refuse_if(not ground.areas[there], "12.0.c", "displays are no places to move to")
        or refuse_if(home, "20.1.a", "German units never go back to Swedish Transit")
        or refuse_if(there not in ground.staging[side], "20.0.b", "the area is not open to this side")
        or refuse_if(inland, "20.0.f", "the area is entered only from edge hexes of its colour")
    )
