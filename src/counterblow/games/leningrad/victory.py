"""Chapter 14: victory points and conditions."""

from __future__ import annotations

from counterblow.games.leningrad import supply
from counterblow.games.leningrad.components import GERMAN, RUSSIAN
from counterblow.games.leningrad.state import LeningradState, flow
from counterblow.kernel.views import Line, Standing, Verdict

TURN = flow.later("sequence.turn")


def holds(s: LeningradState, side: int, node: int) -> bool:
    """Ruling D57: last in the place, and a supply line, a Russian one overland, can be traced from it."""
    kind = GERMAN if side == GERMAN else supply.OVERLAND
    return s.control[node] == side and supply.traced(s, supply.lines(s, kind), node)


def occupies(s: LeningradState, side: int, node: int) -> bool:
    return bool(s.ground_units(node, side)) and holds(s, side, node)


def score(s: LeningradState) -> dict[str, int]:
    """The points that each prize would bring if the game ended now, by its rule (14.1 to 14.5, 14.10, 14.11)."""
    game = s.game
    city = sum([holds(s, GERMAN, node) for node in game.leningrad])
    tichvin = city < 2 and holds(s, GERMAN, game.tichvin)
    times = {
        "14.1": city,
        "14.2": int(tichvin),
        "14.3": int(holds(s, GERMAN, game.valdai)),
        "14.4": int(not city and not tichvin and not supply.overland(s)),
        "14.5": s.points[RUSSIAN],
        "14.10": int(occupies(s, RUSSIAN, game.narva)),
        "14.11": s.points[GERMAN],
    }
    return {prize.rule: prize.points * times[prize.rule] for prize in game.tables.prizes}


def totals(s: LeningradState) -> tuple[int, int]:
    points, total = score(s), [0, 0]
    for prize in s.game.tables.prizes:
        total[prize.side] += points[prize.rule]
    return total[GERMAN], total[RUSSIAN]


def german_crush(s: LeningradState) -> bool:
    """14.6: both Leningrad hexes occupied in supply, and at least twice the Russian points."""
    if not all(occupies(s, GERMAN, node) for node in s.game.leningrad):
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
    in_city = sum(occupies(s, GERMAN, node) for node in s.game.leningrad)
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
    """What scores, whether or not it does now."""
    lines, points = [], score(s)
    for prize in s.game.tables.prizes:
        now = points[prize.rule]
        nodes = tuple(s.game.board.place(name).nodes[0] for name in prize.places)
        text = prize.text.replace("{points}", str(prize.points))
        lines.append(Line(prize.side, text, f"{now} point{'s' * (now != 1)}", prize.rule, now > 0, nodes))
    return tuple(lines)
