"""Chapter 14: victory points and conditions."""

from __future__ import annotations

from typing import NamedTuple

from counterblow.games.leningrad import supply
from counterblow.games.leningrad.components import GERMAN, RUSSIAN
from counterblow.games.leningrad.state import LeningradState, flow
from counterblow.kernel.views import Line, Standing, Verdict

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


def verdict(s: LeningradState) -> Verdict:
    """14.6 to 14.9: who would win if the game ended now."""
    german, russian = totals(s)
    tally = f"{german} German points to {russian} Russian"
    lead = s.game.tables.numbers["marginal_lead"]
    crushing, marginal = "crushing strategic victory", "marginal victory"
    if german_crush(s):
        return Verdict(GERMAN, crushing, f"Leningrad has fallen: {german} points to {russian}", ("14.6",))
    if supply.overland(s):
        return Verdict(RUSSIAN, crushing, f"Leningrad is in overland supply; {tally}", ("14.7",))
    if abs(german - russian) >= lead:
        return Verdict(GERMAN if german > russian else RUSSIAN, marginal, tally, ("14.8",))
    return Verdict(None, "draw", tally, ("14.9",))


@flow.step
def victory(s: LeningradState) -> None:
    """1.16: at the end of every Russian player-turn; 14.7 to 14.9 after the last one."""
    if german_crush(s) or s.turn >= s.game.calendar.last_turn:
        winner, level, reason, rules = verdict(s)
        s.finish(winner, level, reason, *rules)
    else:
        s.push(TURN, s.turn + 1)


# ---------------------------------------------------------------------- how it stands, for players


def standing(s: LeningradState) -> Standing:
    german, russian = totals(s)
    lead = s.game.tables.numbers["marginal_lead"]
    in_city = sum(occupied(s, GERMAN, n) and holds(s, GERMAN, n, GERMAN) for n in s.game.leningrad)
    overland = supply.overland(s)
    tally = f"{german} to {russian}"
    needs = (
        Line(GERMAN, "Crushing: both Leningrad hexes occupied in supply when a turn ends, and twice the enemy's points",
             f"{in_city} of 2 hexes, {tally}", "14.6", german_crush(s), s.game.leningrad),
        Line(RUSSIAN, "Crushing: Leningrad still in overland supply after the last turn",
             "in overland supply" if overland else "cut off overland", "14.7", overland, s.game.leningrad),
        Line(None, f"Marginal: at least {lead} points more than the other side, after the last turn",
             f"Germans {german}, Russians {russian}", "14.8", not overland and abs(german - russian) >= lead),
    )  # fmt: skip
    return Standing(s.game.calendar.last_turn - s.turn + 1, verdict(s), needs, prizes(s))


def prizes(s: LeningradState) -> tuple[Line, ...]:
    """What scores (14.1 to 14.5, 14.10, 14.11), whether or not it does now."""
    game, numbers = s.game, s.game.tables.numbers
    now = {(line.side, line.rule): line.points for line in score(s)}

    def line(side: int, text: str, rule: str, nodes: tuple[int, ...] = ()) -> Line:
        points = now.get((side, rule), 0)
        return Line(side, text, f"{points} point{'s' * (points != 1)}", rule, points > 0, nodes)

    return (
        line(GERMAN, f"Leningrad in supply, {numbers['leningrad_points']} a hex", "14.1", game.leningrad),
        line(GERMAN, f"Tichvin in supply, {numbers['tichvin_points']}, unless all of Leningrad is taken", "14.2",
             (game.tichvin,)),
        line(GERMAN, f"Valdai in supply, {numbers['valdai_points']}", "14.3", (game.valdai,)),
        line(GERMAN, f"Leningrad cut off overland, {numbers['siege_points']}, if neither city scores", "14.4"),
        line(GERMAN, "Russian optional units called for", "14.11"),
        line(RUSSIAN, "German losses, a point a combat factor; optional units and units kept", "14.5"),
        line(RUSSIAN, f"Narva occupied in overland supply, {numbers['narva_points']}", "14.10", (game.narva,)),
    )  # fmt: skip
