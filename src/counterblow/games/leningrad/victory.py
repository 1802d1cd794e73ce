"""Chapter 14: victory points and conditions."""

from __future__ import annotations

from typing import NamedTuple

from counterblow.games.leningrad import supply
from counterblow.games.leningrad.components import GERMAN, RUSSIAN
from counterblow.games.leningrad.state import LeningradState, flow

TURN = flow.later("sequence.turn")


class Score(NamedTuple):
    """One line of the score."""

    side: int
    points: int
    text: str
    rule: str


def holds(s: LeningradState, side: int, node: int, kind: int) -> bool:
    """Ruling D57: last in the place, and a supply line can be traced from it."""
    return s.control[node] == side and supply.traced(s, kind, node)


def occupied(s: LeningradState, side: int, node: int) -> bool:
    return bool(s.ground_units(node, side))


def score(s: LeningradState) -> list[Score]:
    """What each side would score if the game ended now (14.1 to 14.5, 14.10, 14.11)."""
    game = s.game
    numbers = game.tables.numbers
    lines = []
    taken = [node for node in game.leningrad if holds(s, GERMAN, node, GERMAN)]
    if taken:
        lines.append(Score(GERMAN, numbers["leningrad_points"] * len(taken), "Leningrad hexes in supply", "14.1"))
    if len(taken) < 2 and holds(s, GERMAN, game.tichvin, GERMAN):
        lines.append(Score(GERMAN, numbers["tichvin_points"], "Tichvin in supply", "14.2"))
    siege = not lines and not supply.overland(s)
    if holds(s, GERMAN, game.valdai, GERMAN):
        lines.append(Score(GERMAN, numbers["valdai_points"], "Valdai in supply", "14.3"))
    if siege:
        lines.append(Score(GERMAN, numbers["siege_points"], "Leningrad is cut off overland", "14.4"))
    if s.points[GERMAN]:
        lines.append(Score(GERMAN, s.points[GERMAN], "Russian optional units", "14.11"))
    if s.points[RUSSIAN]:
        lines.append(Score(RUSSIAN, s.points[RUSSIAN], "German losses, optional units and units kept", "14.5"))
    if occupied(s, RUSSIAN, game.narva) and holds(s, RUSSIAN, game.narva, supply.OVERLAND):
        lines.append(Score(RUSSIAN, numbers["narva_points"], "Narva in overland supply", "14.10"))
    return lines


def totals(s: LeningradState) -> tuple[int, int]:
    lines = score(s)
    return (
        sum(line.points for line in lines if line.side == GERMAN),
        sum(line.points for line in lines if line.side == RUSSIAN),
    )


def german_crush(s: LeningradState) -> bool:
    """14.6: both Leningrad hexes occupied in supply, and at least twice the Russian points."""
    if not all(occupied(s, GERMAN, n) and holds(s, GERMAN, n, GERMAN) for n in s.game.leningrad):
        return False
    german, russian = totals(s)
    return german >= 2 * russian


@flow.step
def victory(s: LeningradState) -> None:
    """1.16: at the end of every Russian player-turn; 14.7 to 14.9 after the last one."""
    if german_crush(s):
        german, russian = totals(s)
        reason = f"Leningrad has fallen: {german} points to {russian}"
        s.finish(GERMAN, "crushing strategic victory", reason, "14.6")
    elif s.turn >= s.game.calendar.last_turn:
        final(s)
    else:
        s.push(TURN, s.turn + 1)


def final(s: LeningradState) -> None:
    german, russian = totals(s)
    tally = f"{german} German points to {russian} Russian"
    lead = s.game.tables.numbers["marginal_lead"]
    if supply.overland(s):
        s.finish(RUSSIAN, "crushing strategic victory", f"Leningrad is in overland supply; {tally}", "14.7")
    elif german - russian >= lead:
        s.finish(GERMAN, "marginal victory", tally, "14.8")
    elif russian - german >= lead:
        s.finish(RUSSIAN, "marginal victory", tally, "14.8")
    else:
        s.finish(None, "draw", tally, "14.9")
