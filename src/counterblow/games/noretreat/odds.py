"""Chapter 10, the odds of a battle: strengths, every shift with its rule (10.5.1-10.6), and what the dice may bring."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import NamedTuple

from counterblow.games.noretreat.components import AXIS, SIDES, SOVIET, Half
from counterblow.games.noretreat.options import support_bonus
from counterblow.games.noretreat.special import oil_lost
from counterblow.games.noretreat.state import Battle, NoRetreatState
from counterblow.kernel.forecast import Forecast, Modifier, Outcome, rolled

Chances = dict[str, Fraction]
MARKERS = ("Blitz!", "Shock!")  # the Support markers of the two sides


def fighting(s: NoRetreatState) -> Battle:
    assert s.battle is not None
    return s.battle


def cards_with(s: NoRetreatState, battle: Battle, event: int, value: int) -> tuple[tuple[int, int], ...]:
    """The events in force once another is played; Jet Fighters (card 51) void those of the other side."""
    if s.game.halves[event].op == "cancel_event":
        return tuple(card for card in battle.cards if card[0] & 1 == event & 1)
    return (*battle.cards, (event, value))


def events_in(s: NoRetreatState, battle: Battle, *ops: str) -> list[Half]:
    """The events of these kinds that were played in a battle."""
    halves = [s.game.halves[event] for event, _ in battle.cards]
    return [half for half in halves if half.op in ops]


# ---------------------------------------------------------------------- strengths and shifts


class Assessment(NamedTuple):
    """Strengths, odds and shifts of a battle. ``column`` is below 0 for an automatic CA (10.6.4.b)."""

    attack: int
    defence: int
    initial: int
    shifts: tuple[Modifier, ...]
    column: int


def assess(s: NoRetreatState, battle: Battle) -> Assessment:
    """10.5.3, 10.5.4: the initial column, the net shift, and never more than 6:1 (10.6.4.a)."""
    attack = total(s, battle.units, battle)
    defence = total(s, battle.foes, battle)
    odds = s.game.charts.odds
    initial = odds.column(attack, defence) if defence else len(odds.headings) - 1
    found = tuple(shifts(s, battle))
    column = initial
    if initial >= 0:
        column = min(initial + int(sum([shift.amount for shift in found])), len(odds.headings) - 1)
    return Assessment(attack, defence, initial, found, column)


def total(s: NoRetreatState, units: tuple[int, ...], battle: Battle) -> int:
    """10.5.1: strengths, doubled by some events, with Local Combat Support (15.3)."""
    result = 0
    for unit in units:
        strength = s.strength(unit) + support_bonus(s, unit)
        for event, value in battle.cards:
            if value == unit:
                strength *= s.game.halves[event].get("strength_multiplier", 1)
        result += strength
    return result


def shifts(s: NoRetreatState, battle: Battle) -> list[Modifier]:
    """10.6: everything that moves the column, with its rule."""
    found = ground_shifts(s, battle)
    found += _force_shifts(s, battle)
    found += _weather_shift(s, battle)
    if battle.support:
        double = battle.side == SOVIET and first_snow(s)
        rule = "10.6.2.b" if double else "10.6.2.a"
        found.append(Modifier(2 if double else 1, f"{MARKERS[battle.side]} marker", rule))
    return found + [Modifier(half.get("shift"), half.name, "10.5.4") for half in events_in(s, battle, "shift")]


def ground(battle: Battle) -> int:
    return battle.terrain if battle.terrain >= 0 else battle.hexes[0]


def ground_shifts(s: NoRetreatState, battle: Battle) -> list[Modifier]:
    """10.6.1: terrain of the defender's hex; none in a counterattack (10.7.2.b) or Counterblow (10.1.2.e)."""
    node, charts = ground(battle), s.game.charts
    if battle.counter or node in battle.blows:
        return []
    found: list[tuple[str, Modifier]] = []
    terrain = charts.terrain[node]
    if terrain.shift:
        found.append((terrain.feature, Modifier(terrain.shift, terrain.feature, "10.6.1.a")))
    if charts.objective_hex[node]:
        shift = charts.terrain_chart["objective_hexside"].shift
        found.append(("objective_hexside", Modifier(shift, "Objective hexside", "10.6.1.b")))
    rivers = charts.weather[s.sky].rivers
    if rivers and all(charts.board.crosses(s.at[unit], node, "river") for unit in battle.units):
        found.append(("river", Modifier(charts.terrain_chart["river_hexside"].shift, "river", "10.6.1.a")))
    if s.works and s.works == (node, 1 - battle.side):
        found.append(("works", Modifier(-1, "Defensive Works", "14.13")))
    for half in events_in(s, battle, "ignore_shift"):
        if not half.get("region", "") or charts.in_germany[node]:
            found = _ignoring(found, half.get("ignore_shifts"), half.get("ignore_count", 9))
    return [shift for _, shift in found]


def _ignoring(found: list[tuple[str, Modifier]], names: list[str], count: int) -> list[tuple[str, Modifier]]:
    """Events that ignore terrain shifts remove only shifts that were counted."""
    kept = []
    for name, shift in found:
        if count and (name in names or ("any_terrain" in names and name != "works")):
            count -= 1
        else:
            kept.append((name, shift))
    return kept


def _force_shifts(s: NoRetreatState, battle: Battle) -> list[Modifier]:
    """Armor, Shock and SS units, and Unsupplied defenders."""
    found = []
    bonus = armor_bonus(s, battle)
    if bonus and not events_in(s, battle, "cancel_armor_bonus"):
        found.append(bonus)
    for unit in battle.units:
        if s.game.counters[unit].shock and s.face[unit] == 1:
            found.append(Modifier(1, f"{s.game.unit_names[unit]} (Shock unit)", "14.7.a"))
    if s.game.ss_grenadier in battle.foes:
        found.append(Modifier(-1, "SS Panzergrenadier", "14.6.a"))
    if any(s.unsupplied(unit) for node in battle.hexes for unit in s.stack(node)):
        found.append(Modifier(2, "Unsupplied defender", "6.5.4.c"))
    return found


def armor_bonus(s: NoRetreatState, battle: Battle) -> Modifier | None:
    """10.6.3.b, 14.5.a: once a battle; terrain denies it even in counterattacks.

    10.6.3.c, 14.4: one armored or mechanized defender denies it; 6.5.4.a: an Unsupplied unit does not have it.
    """
    game = s.game
    if game.ss_panzer in battle.units and not s.unsupplied(game.ss_panzer):
        return Modifier(1, "SS Panzer Army", "14.5.a")
    if not any(s.is_armor(u) and not s.unsupplied(u) and keeps_bonuses(s, u) for u in battle.units):
        return None
    if not game.charts.weather[s.sky].armor_bonus:
        return None
    if game.charts.terrain[ground(battle)].feature not in ("clear", "balkans"):
        return None
    if any(s.is_armor(unit) or s.game.mech[s.face[unit]][unit] for unit in battle.foes):
        return None
    return Modifier(1, "Armor Bonus", "10.6.3.a")


def keeps_bonuses(s: NoRetreatState, unit: int) -> bool:
    """13.5.Oil.a, 14.3.a: without Rumanian oil only SS armor keeps them on the German side."""
    return not oil_lost(s) or s.game.side_of[unit] == SOVIET or s.game.counters[unit].ss


def _weather_shift(s: NoRetreatState, battle: Battle) -> list[Modifier]:
    """13.1.snow.c, 13.5.5.b: Axis attacks in the USSR in Snow; not a terrain shift (ruling 47)."""
    weather = s.game.charts.weather[s.sky]
    if battle.side == SOVIET or not weather.axis_shift or not s.game.charts.in_ussr[ground(battle)]:
        return []
    if all(s.game.counters[unit].nation == "Finnish" for unit in battle.units):
        return []
    amount = weather.axis_shift_turn_5 if "two_shift_penalty" in s.game.in_force[s.turn] else weather.axis_shift
    return [Modifier(amount, weather.name, "13.1.lw.c" if weather.name == "Long Winter" else "13.1.snow.c")]


def first_snow(s: NoRetreatState) -> bool:
    """10.6.2.b: turn 4 if it snows then, else turn 5 (ruling 38)."""
    early, late = s.game.first_snow_turns
    return s.snowed(s.turn) and (s.turn == early or (s.turn == late and not s.snowed(early)))


def crt_side(s: NoRetreatState, side: int) -> int:
    """10.5.5, 13.1.snow.a: the Axis uses the Soviet table in Snow."""
    return SIDES.index(s.game.charts.weather[s.sky].axis_crt) if side == AXIS else SOVIET


def result_of(s: NoRetreatState, battle: Battle, die: int, column: int) -> str:
    table = s.game.charts.crt_by_switch[s.options["crt_1to1_3"]][crt_side(s, battle.side)]
    return table.result(die, column)


def fort_hexes(s: NoRetreatState, battle: Battle) -> tuple[int, ...]:
    """10.7.4: target hexes that hold a Fortified unit, or count as such (card 42)."""
    festung = events_in(s, battle, "fort_hex")
    return tuple(
        node
        for node in battle.hexes
        if any(s.is_fort(unit) for unit in s.stack(node)) or (festung and s.game.charts.is_city(node))
    )


def counterattack(s: NoRetreatState, battle: Battle) -> Battle:
    """10.7.2.a, 10.0.b: the same units with roles reversed; support and cards of the first battle are gone."""
    nodes = tuple(sorted({s.at[unit] for unit in battle.units}))
    return Battle(1 - battle.side, battle.foes, nodes, battle.units, (), battle.counter + 1,
                  voluntary=battle.voluntary)  # fmt: skip


# ---------------------------------------------------------------------- the outlook, with counterattacks


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
    final = settle(s, battle, first)
    outcomes = tuple(Outcome(result, chance, s.game.result_texts.get(result.split()[-1], ""))
                     for result, chance in final.items() if chance)  # fmt: skip
    names = ", ".join(s.game.unit_names[unit] for unit in battle.units)
    where = ", ".join(s.game.board.labels[node] for node in battle.hexes)
    return Forecast(f"{names} against {where}", facts, odds.shifts, outcomes, notes(s, battle))


def on_best_ground(s: NoRetreatState, battle: Battle) -> Battle:
    """10.6.1.c: with several hexes, the ground that the defender will choose."""
    if battle.terrain >= 0 or len(battle.hexes) == 1:
        return battle
    choices = [battle._replace(terrain=node) for node in battle.hexes]
    return min(choices, key=lambda choice: assess(s, choice).column)


def chances(s: NoRetreatState, battle: Battle, odds: Assessment) -> Chances:
    """The result of one roll."""
    fixed = events_in(s, battle, "set_result", "duel")
    if fixed:
        return {fixed[-1].get("result", "duel"): Fraction(1)}
    if odds.column < 0:
        return {"CA": Fraction(1)}
    return rolled({"": Fraction(1)}, lambda start, die: result_of(s, battle, die, odds.column))


def settle(s: NoRetreatState, battle: Battle, first: Chances) -> Chances:
    """Follow the chain of counterattacks to its end: after the first roll the two sides alternate for ever.

    A battle in which both sides can only roll CA ends without effect, as each may decline (10.7.CA).
    """
    final = defaultdict(Fraction, first)
    onward = final.pop("CA", Fraction(0))
    if not onward or not battle.foes:
        final["-"] += onward
        return final
    theirs = on_best_ground(s, counterattack(s, battle))
    ours = on_best_ground(s, counterattack(s, theirs))
    reply, again = (dict(chances(s, fight, assess(s, fight))) for fight in (theirs, ours))
    reply_on, again_on = (found.pop("CA", Fraction(0)) for found in (reply, again))
    if reply_on * again_on == 1:
        final["-"] += onward
        return final
    weight = onward / (1 - reply_on * again_on)
    for result, chance in reply.items():
        final[result if result in ("-", "EX") else f"counterattack {result}"] += weight * chance
    for result, chance in again.items():
        final[result] += weight * reply_on * chance
    return final


def notes(s: NoRetreatState, battle: Battle) -> tuple[str, ...]:
    found = ["Every CA is answered by a counterattack; events still to be played are not counted."]
    if len(battle.hexes) > 1:
        found.append("The defender takes the hex whose terrain helps him most (rule 10.6.1.c).")
    if fort_hexes(s, battle):
        found.append("A fort holds a target hex: DR has no effect, DS becomes EX, nobody retreats (rule 10.7.4).")
    return tuple(found)
