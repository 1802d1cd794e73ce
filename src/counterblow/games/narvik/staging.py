"""Chapter 20: staging areas, and bringing units onto the map (8.3)."""

from __future__ import annotations

from counterblow.games.narvik.components import GERMAN
from counterblow.games.narvik.state import NarvikState
from counterblow.kernel.rulebook import Citation, refuse_if


def queues(s: NarvikState, unit: int) -> tuple[tuple[int, int], ...]:
    """8.3.c, 8.3.d: the second load through an edge hex pays its entry cost twice, the third three times.

    Steps out of the unit's area, and how many times their cost is paid.
    """
    limit, steps = s.game.tables.stacking[s.game.side_of[unit]], s.game.board.step_of
    loads = [((s.at[unit], edge), 1 + entered // limit) for edge, entered in s.entered if entered >= limit]
    return tuple([(steps[step], times) for step, times in loads if step in steps])


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
