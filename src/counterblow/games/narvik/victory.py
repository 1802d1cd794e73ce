"""Chapter 4: how to win."""

from __future__ import annotations

from counterblow.games.narvik.components import ALLIED, GERMAN
from counterblow.games.narvik.points import objectives
from counterblow.games.narvik.state import NarvikState, flow


def allied_units_on_map(s: NarvikState) -> int:
    """4.1.a: ground combat units in hexes; Auchinleck and units in areas or boxes do not count (18.2.d)."""
    hexes, at = s.game.ground.hexes, s.at
    return sum(1 for u in s.game.roster.of_side[ALLIED] if 0 <= at[u] < hexes)


def warning(s: NarvikState, side: int) -> str:
    """Ruling D40: what an Allied player should know before the turn ends."""
    if side == GERMAN or allied_units_on_map(s):
        return ""
    return " Germany wins at the end of the turn if no Allied unit is on the map (4.1.a)."


@flow.step
def check_victory(s: NarvikState) -> None:
    """4.1 to 4.3, only in this segment (4.1.c): sudden death, then the end of the last turn."""
    if allied_units_on_map(s) == 0:
        s.finish(GERMAN, "sudden death", "no Allied ground unit is on the map", "4.1.a")
    elif objectives(s, ALLIED) == len(s.game.ground.objectives):
        s.finish(ALLIED, "sudden death", "Allied units occupy every objective", "4.1.b")
    elif s.relief == len(s.game.tables.relief_names) - 1:
        s.finish(GERMAN, "time", "the relief column has reached Narvik", "4.3.a", "4.2.a")
    elif s.turn >= len(s.game.tables.turns):
        s.finish(GERMAN, "time", "the Allies do not hold every objective at the end of the last turn", "4.3.b", "4.2.a")
