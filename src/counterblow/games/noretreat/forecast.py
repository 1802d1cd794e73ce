"""The outlook of a battle: strengths, every shift with its rule, and exact chances, counterattacks included."""

from __future__ import annotations

from fractions import Fraction

from counterblow.games.noretreat.combat import Assessment, assess, crt_side
from counterblow.games.noretreat.results import counterattack, fort_hexes, result_of
from counterblow.games.noretreat.state import Battle, NoRetreatState
from counterblow.kernel.forecast import Forecast, Modifier, Outcome

Chances = dict[str, Fraction]


def forecast_battle(s: NoRetreatState, battle: Battle) -> Forecast:
    """Outcomes if every counterattack is made and nobody plays another card."""
    battle = on_best_ground(s, battle)
    odds = assess(s, battle)
    headings = s.game.charts.odds.headings
    first = chances(s, battle, odds)
    table = s.game.sides[crt_side(s, battle.side)]
    facts = (
        ("attack", str(odds.attack)),
        ("defence", str(odds.defence)),
        ("odds", headings[odds.initial] if odds.initial >= 0 else "below 1:3"),
        ("column", headings[odds.column] if odds.column >= 0 else "below 1:3"),
        ("table", table),
        ("counterattack", str(first.get("CA", Fraction(0)))),
    )
    modifiers = tuple(Modifier(shift.amount, shift.text, shift.rule) for shift in odds.shifts)
    final = settle(s, battle, first)
    outcomes = tuple(Outcome(result, chance, s.game.result_texts.get(result.split()[-1], ""))
                     for result, chance in final.items() if chance)  # fmt: skip
    names = ", ".join(s.game.unit_names[unit] for unit in battle.units)
    where = ", ".join(s.game.board.labels[node] for node in battle.hexes)
    return Forecast(f"{names} against {where}", facts, modifiers, outcomes, notes(s, battle))


def on_best_ground(s: NoRetreatState, battle: Battle) -> Battle:
    """10.6.1.c: with several hexes, the ground that the defender will choose."""
    if battle.terrain >= 0 or len(battle.hexes) == 1:
        return battle
    choices = [battle._replace(terrain=node) for node in battle.hexes]
    return min(choices, key=lambda choice: assess(s, choice).column)


def chances(s: NoRetreatState, battle: Battle, odds: Assessment) -> Chances:
    """The result of one roll."""
    fixed = [s.game.half(event) for event, _ in battle.cards if s.game.half(event).op in ("set_result", "duel")]
    if fixed:
        return {fixed[-1].get("result", "duel"): Fraction(1)}
    if odds.column < 0:
        return {"CA": Fraction(1)}
    found: Chances = {}
    for die in range(1, 7):
        result = result_of(s, battle, die, odds.column)
        found[result] = found.get(result, Fraction(0)) + Fraction(1, 6)
    return found


def settle(s: NoRetreatState, battle: Battle, first: Chances) -> Chances:
    """Follow the chain of counterattacks to its end: after the first roll the two sides alternate for ever.

    A battle in which both sides can only roll CA ends without effect, as each may decline (10.7.CA).
    """
    final = {result: chance for result, chance in first.items() if result != "CA"}
    onward = first.get("CA", Fraction(0))
    if not onward or not battle.foes:
        return {**final, "-": final.get("-", Fraction(0)) + onward} if onward else final
    theirs = on_best_ground(s, counterattack(s, battle))
    ours = on_best_ground(s, counterattack(s, theirs))
    reply = chances(s, theirs, assess(s, theirs))
    again = chances(s, ours, assess(s, ours))
    reply_on, again_on = reply.get("CA", Fraction(0)), again.get("CA", Fraction(0))
    loop = reply_on * again_on
    if loop == 1:
        return {**final, "-": final.get("-", Fraction(0)) + onward}
    weight = onward / (1 - loop)
    for result, chance in reply.items():
        if result != "CA":
            key = result if result in ("-", "EX") else f"counterattack {result}"
            final[key] = final.get(key, Fraction(0)) + weight * chance
    for result, chance in again.items():
        if result != "CA":
            final[result] = final.get(result, Fraction(0)) + weight * reply_on * chance
    return final


def notes(s: NoRetreatState, battle: Battle) -> tuple[str, ...]:
    found = ["Every CA is answered by a counterattack; events still to be played are not counted."]
    if len(battle.hexes) > 1:
        found.append("The defender takes the hex whose terrain helps him most (rule 10.6.1).")
    if fort_hexes(s, battle):
        found.append("A fort holds a target hex: DR has no effect, DS becomes EX, nobody retreats (rule 10.7.4).")
    return tuple(found)
