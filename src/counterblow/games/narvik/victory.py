"""Chapter 4: how to win."""

from __future__ import annotations

from counterblow.games.narvik.components import ALLIED, GERMAN
from counterblow.games.narvik.points import bonuses, objectives
from counterblow.games.narvik.state import NarvikState, flow
from counterblow.kernel.views import Line, Standing, Verdict


def allied_units_on_map(s: NarvikState) -> int:
    """4.1.a: ground combat units in hexes; Auchinleck and units in areas or boxes do not count (18.2.d)."""
    hexes, at = s.game.ground.hexes, s.at
    return sum(1 for u in s.game.roster.of_side[ALLIED] if 0 <= at[u] < hexes)


def warning(s: NarvikState, side: int) -> str:
    """Ruling D40: what an Allied player should know before the turn ends."""
    if side == GERMAN or allied_units_on_map(s):
        return ""
    return " Germany wins at the end of the turn if no Allied unit is on the map (4.1.a)."


def verdict(s: NarvikState) -> Verdict:
    """4.1 to 4.3: who would win if this were the last Victory Check Segment."""
    if allied_units_on_map(s) == 0:
        return Verdict(GERMAN, "sudden death", "no Allied ground unit is on the map", ("4.1.a",))
    if objectives(s, ALLIED) == len(s.game.ground.objectives):
        return Verdict(ALLIED, "sudden death", "Allied units occupy every objective", ("4.1.b",))
    if relieved(s):
        return Verdict(GERMAN, "time", "the relief column has reached Narvik", ("4.3.a", "4.2.a"))
    reason = "the Allies do not hold every objective at the end of the last turn"
    return Verdict(GERMAN, "time", reason, ("4.3.b", "4.2.a"))


def relieved(s: NarvikState) -> bool:
    return s.relief == len(s.game.tables.relief_names) - 1


@flow.step
def check_victory(s: NarvikState) -> None:
    """4.1 to 4.3, only in this segment (4.1.c): sudden death, then the end of the last turn."""
    winner, level, reason, rules = verdict(s)
    if level != "time" or relieved(s) or s.turn >= len(s.game.tables.turns):
        s.finish(winner, level, reason, *rules)


# ---------------------------------------------------------------------- how it stands, for players


def standing(s: NarvikState, viewer: int | None) -> Standing:
    ground, boxes = s.game.ground, s.game.tables.relief_names
    held, units, total = objectives(s, ALLIED), allied_units_on_map(s), len(ground.objectives)
    needs = (
        Line(ALLIED, "An Allied unit in every objective hex at the end of a turn", f"{held} of {total}", "4.1.b",
             held == total, ground.objectives),
        Line(GERMAN, "No Allied ground combat unit on the map at the end of a turn",
             f"{units} unit{'s' * (units != 1)}", "4.1.a", units == 0),
        Line(GERMAN, f"The relief column in {boxes[-1]}, or the end of the last turn, without an Allied win",
             f"relief column: {boxes[s.relief]}", "4.3.a", relieved(s)),
    )  # fmt: skip
    return Standing(len(s.game.tables.turns) - s.turn + 1, verdict(s), needs, (*prizes(s), *points_to_come(s, viewer)))


def prizes(s: NarvikState) -> tuple[Line, ...]:
    """4.1.b, 4.4.b: every objective, and who is in it."""
    board = s.game.board
    found = []
    for node in s.game.ground.objectives:
        side = next((side for side in (ALLIED, GERMAN) if s.occupies(side, node)), None)
        now = "nobody there" if side is None else f"{s.game.side_titles[side]} unit there"
        place = board.place_at(node)
        name = place.name if place else f"Hex {board.labels[node]}"
        found.append(Line(ALLIED, name, now, "4.4.b", side == ALLIED, (node,)))
    return tuple(found)


def points_to_come(s: NarvikState, viewer: int | None) -> tuple[Line, ...]:
    """6.1: what will be added to the viewer's next die; of the enemy's it could tell too much."""
    added = bonuses(s, viewer) if viewer is not None else []
    return tuple(
        Line(viewer, f"Next turn's action points: {m.text}", f"+{m.amount}", m.rule, m.amount > 0) for m in added
    )
