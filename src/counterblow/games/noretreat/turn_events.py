"""Chapter 13: the Turn Track - weather, Support markers and the events of each turn."""

from __future__ import annotations

from counterblow.games.noretreat.cards import on_to_berlin, sky_of
from counterblow.games.noretreat.components import AXIS, OUT, SOVIET
from counterblow.games.noretreat.removal import rumania_surrenders
from counterblow.games.noretreat.special import oil_lost
from counterblow.games.noretreat.stacking import check_stacking
from counterblow.games.noretreat.state import NOWHERE, NoRetreatState, flow, pair
from counterblow.games.noretreat.supply import supplied


@flow.step
def turn_events(s: NoRetreatState) -> None:
    """4.B, 13.0: what the new turn's box says, applied in Housekeeping."""
    turn = s.game.turns[s.turn]
    s.sky = sky_of(s, s.turn)
    s.support = (turn.blitz, turn.shock)
    s.log("weather", "Weather: {sky}", "13.1.clear" if s.sky == 0 else "14.14.3", sky=s.game.charts.weather[s.sky].name)
    s.log("support", "{n} Blitz! and {n2} Shock! markers", "13.3", n=turn.blitz, n2=str(turn.shock))
    for unit, counter in enumerate(s.game.counters):
        if counter.removed_turn == s.turn:
            leaves(s, unit)
    if s.turn == s.game.year_45_turn:
        on_to_berlin(s)
        reich_defences(s)
    if oil_lost(s):
        rumania_surrenders(s)


def leaves(s: NoRetreatState, unit: int) -> None:
    """11.3.a, 13.5.15, 13.5.16, 13.5.18.a, 13.5.28: withdrawn wherever it is; lost it costs a card draw."""
    rule, lost = s.game.counters[unit].removed_rule, is_lost(s, unit)
    s.out_of_play(unit)
    s.log("removed", "{unit} leaves the Eastern Front", rule, unit=unit)
    if lost and unit != s.game.garrison:
        s.draw_loss = pair(s.draw_loss, AXIS, s.draw_loss[AXIS] + 1)
        s.log("removed", "the Axis draws one card fewer", rule)


def is_lost(s: NoRetreatState, unit: int) -> bool:
    """Eliminated, or without supply at this moment."""
    if s.on_map(unit):
        return not supplied(s, unit)
    boxes = s.game.boxes[AXIS]
    return s.on_track(unit) or s.at[unit] in (boxes["Destroyed"], boxes["Surrendered"])


def home_of(s: NoRetreatState, unit: int) -> int:
    """The city in which a unit is raised; NOWHERE if it is the enemy's."""
    site = s.game.charts.site(s.game.counters[unit].arrives_at)
    node = s.game.charts.site_node[site]
    return node if s.controls(AXIS, site) and not s.held[SOVIET][node] else NOWHERE


def reich_defences(s: NoRetreatState) -> None:
    """13.5.23.b: the Berlin Garrison and the Volkssturm in their cities (ruling 30)."""
    for unit in s.game.roster[AXIS]:
        counter = s.game.counters[unit]
        if counter.arrives != s.turn or not s.on_track(unit) or not counter.arrives_at:
            continue
        node = home_of(s, unit)
        if node != NOWHERE:
            s.put(unit, node)
            s.log("place", "{unit} appears in {place}", "13.5.23.b", unit=unit, place=node)
        else:
            s.to_track(unit, 0, OUT)
            s.log("removed", "{unit} has lost its city", "13.5.23.b", unit=unit)
    s.push(check_stacking)
