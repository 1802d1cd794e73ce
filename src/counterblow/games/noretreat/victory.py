"""Chapter 12: victory points, the Initiative, and how the game is won."""

from __future__ import annotations

from counterblow.games.noretreat import options
from counterblow.games.noretreat.cards import windows
from counterblow.games.noretreat.components import AXIS, SIDES, SOVIET
from counterblow.games.noretreat.special import score
from counterblow.games.noretreat.state import NoRetreatState, flow
from counterblow.games.noretreat.supply import beside_overland, city_traces, sea_supply
from counterblow.kernel.masks import bits
from counterblow.kernel.views import Line, Standing, Verdict

# ---------------------------------------------------------------------- 12.7 scoring


def hex_vps(s: NoRetreatState, side: int) -> int:
    """12.7.5.d, 12.7.5.e: cities and oil fields, objectives like others (12.7.3); in 1945 those of Greater Germany."""
    own = s.sites if side == SOVIET else ~s.sites & s.game.charts.all_sites
    if s.turn >= s.game.year_45_turn:
        return (own & s.game.charts.german_sites).bit_count()
    return own.bit_count() + (finland_controlled(s) == side)


def finland_controlled(s: NoRetreatState) -> int | None:
    """12.7.2: by a German or Soviet unit inside that is no Cadre (ruling 48)."""
    units = s.stack(s.game.charts.finland)
    if any(s.game.counters[u].nation == "Soviet" and not s.game.is_cadre[u] for u in units):
        return SOVIET
    if any(s.game.counters[u].nation == "German" and not s.game.is_cadre[u] for u in units):
        return AXIS
    return None


def vps(s: NoRetreatState, side: int) -> int:
    """12.8: hexes plus the Event marker on one's own side, minus it on the other's."""
    return hex_vps(s, side) + (s.event_vp if side == AXIS else -s.event_vp)


def vp_marker(s: NoRetreatState) -> int:
    """12.8, 12.9: the square marker is the score of the side with the Initiative."""
    return max(0, vps(s, s.initiative))


# ---------------------------------------------------------------------- the Victory Phase of Housekeeping (4.C)


@flow.step
def victory_phase(s: NoRetreatState) -> None:
    if s.game.turns[s.turn].red_event:
        s.log("event", "{event_name}", "13.4", event_name=s.game.turns[s.turn].red_event)
        score(s, SOVIET, s.game.red_vp, "4.C.a", "12.7.5.c")
    s.queue((windows, "victory"), (options.offer_initiative,), (check,))


@flow.step
def check(s: NoRetreatState) -> None:
    """4.C.b: objectives and total victory every turn, Sudden Death on skull turns (13.2); the Initiative on turn 12.

    12.2.b, 4.C.c, 13.5.12: the Axis is checked before the shift, the Soviets after it.
    """
    s.log("vp", "{n} VPs for {who}", "12.7.6", who=s.initiative, n=vp_marker(s))
    standard = s.game.plays[s.scenario].standard
    if standard and objectives_won(s):
        return
    if standard and s.initiative == AXIS and sudden_death(s):
        return
    if s.turn == s.game.shift_turn and s.initiative == AXIS:
        shift_initiative(s)
    if standard and s.initiative == SOVIET and (total_victory(s) or sudden_death(s)):
        return
    if s.no_sudden_death == s.turn:
        s.no_sudden_death = 0


def objectives_held(s: NoRetreatState, side: int, traced: bool = True) -> int:
    """12.1: objectives of a side under its control from which supply can be traced (ruling 29)."""
    node = s.game.charts.site_node
    held = [site for site in s.game.charts.objectives[side] if s.controls(side, site)]
    if traced:  # overland, from the sea, or from a friend next to it
        others = [site for site in held if not city_traces(s, side, site) and not sea_supply(s, side, node[site])]
        held = [site for site in held if site not in others or beside_overland(s, side, node[site])]
    return len(held)


def objectives_won(s: NoRetreatState) -> bool:
    """12.1.a-c: the Axis needs four from turn 12 on, whose Victory Phase begins with its Initiative (ruling 75)."""
    winners = [side for side in (AXIS, SOVIET) if objectives_held(s, side) >= needed(s, side)]
    if not winners:
        return False
    rules = [OBJECTIVES[side] for side in winners]
    side = winners[0]
    if len(winners) == 2:
        side, rules = s.initiative, [*rules, "12.1.c"]
    s.finish(side, "objectives", f"{s.game.side_titles[side]}: objectives controlled and in supply", *rules)
    return True


OBJECTIVES = ("12.1.a", "12.1.b")


def needed(s: NoRetreatState, side: int) -> int:
    late = "_without_initiative" if side == AXIS and s.turn >= s.game.shift_turn else ""
    return s.game.number[f"{SIDES[side]}_objectives_needed{late}"]


def sudden_death(s: NoRetreatState) -> bool:
    """12.2: more VPs than the number of a skull turn."""
    side = s.initiative
    limit = s.game.turns[s.turn].sudden_death[side]
    if limit is None or s.no_sudden_death == s.turn:
        return False
    margin = vp_marker(s) - limit
    if s.options["no_surrender"]:
        if margin >= 0:
            options.no_surrender(s, side, margin)
        return False
    if margin <= 0:
        return False
    reason = f"Sudden Death: {vp_marker(s)} VPs for {s.game.side_titles[side]}, more than {limit}"
    s.finish(side, "sudden death", reason, "12.2.a")
    return True


def total_victory(s: NoRetreatState) -> bool:
    """12.3."""
    if vp_marker(s) < s.game.number["soviet_total_victory"]:
        return False
    s.finish(SOVIET, "total", f"Soviet total victory with {vp_marker(s)} VPs", "12.3")
    return True


def shift_initiative(s: NoRetreatState) -> None:
    """12.10: High Tide, the Event marker if on its German side goes, the Soviets have the Initiative."""
    s.high_tide = vp_marker(s)
    s.event_vp = min(0, s.event_vp)
    s.initiative = SOVIET
    s.log("initiative", "Na Berlin! The Initiative is Soviet; High Tide {n}", "12.10.a", "12.10.b", "12.10.c",
          n=s.high_tide)  # fmt: skip


# ---------------------------------------------------------------------- 12.4 into 1945


@flow.step
def operational_check(s: NoRetreatState) -> None:
    """12.4.a: the Axis wins if its High Tide was higher; else the war goes on."""
    if s.turn != s.game.year_45_turn:
        return
    s.turn -= 1  # the markers still count the whole map
    berlin = vp_marker(s)
    s.turn += 1
    if s.high_tide > berlin:
        reason = f"The High Tide of {s.high_tide} was never reached again: the Soviets have {berlin}"
        s.finish(AXIS, "operational", reason, "12.4.a")
        return
    if s.high_tide >= 0:
        s.event_vp = -min(s.game.event_cap, berlin - s.high_tide)
    s.log("year_45", "The war goes on into 1945", "12.4.b")


# ---------------------------------------------------------------------- the end of the last turn


def end_of_play(s: NoRetreatState) -> bool:
    """12.6 and the scenarios' own conditions (12.0), when the last turn is over."""
    if s.turn < s.game.plays[s.scenario].last_turn:
        return False
    winner, level, reason, rules = verdict(s)
    s.finish(winner, level, reason, *rules)
    return True


def verdict(s: NoRetreatState) -> Verdict:
    """Who would win if the last turn ended now."""
    play = s.game.plays[s.scenario]
    if play.standard:
        return Verdict(AXIS, "survival", "Germany holds out to the last turn", ("12.6", "4.A"))
    side = play.winner
    needed = s.options["barbarossa_vp"] if play.vp_option else play.vp
    points = vps(s, side)
    control = play.control and all(s.controls(side, site) for site in play.control)
    more = objectives_held(s, side, traced=False) - sum(site in s.game.charts.objectives[side] for site in play.control)
    tally = f"{s.game.side_titles[side]}: {points} VPs of {needed}"
    if points >= needed:
        return Verdict(side, "scenario", tally, ("12.0",))
    if (control or (play.more and not play.control)) and more >= play.more:
        return Verdict(side, "scenario", f"{s.game.side_titles[side]}: the scenario's objectives are held", ("12.0",))
    return Verdict(1 - side, "scenario", tally, ("12.0",))


# ---------------------------------------------------------------------- how it stands, for players


def standing(s: NoRetreatState) -> Standing:
    play = s.game.plays[s.scenario]
    needs = campaign_needs(s) if play.standard else (scenario_need(s),)
    return Standing(play.last_turn - s.turn + 1, verdict(s), needs, prizes(s))


def campaign_needs(s: NoRetreatState) -> tuple[Line, ...]:
    """12.1 to 12.6, those that can still come."""
    game, charts = s.game, s.game.charts
    points, title = vp_marker(s), game.side_titles[s.initiative]
    found = []
    for side in (AXIS, SOVIET):
        held, wanted = objectives_held(s, side), needed(s, side)
        places = tuple(charts.site_node[site] for site in charts.objectives[side])
        found.append(Line(side, f"{wanted} of {len(places)} objectives controlled and in supply in a Victory Phase",
                          f"{held} of {wanted}", OBJECTIVES[side], held >= wanted, places))  # fmt: skip
    skull = next_skull(s)
    if skull:
        turn, limit = skull
        found.append(Line(s.initiative, f"Sudden Death: more than {limit} VPs on turn {turn}",
                          f"{points} VPs of {title}", "12.2.a", points > limit))  # fmt: skip
    if s.initiative == SOVIET:
        total = game.number["soviet_total_victory"]
        found.append(Line(SOVIET, f"{total} VPs in a Victory Phase", f"{points} VPs", "12.3", points >= total))
    if s.turn < game.year_45_turn and s.high_tide >= 0:
        found.append(Line(AXIS, f"The High Tide of {s.high_tide} not reached again by turn {game.year_45_turn}",
                          f"{points} VPs", "12.4.a", s.high_tide > points))  # fmt: skip
    found.append(Line(SOVIET, "The Berlin Garrison eliminated", "not yet", "12.5"))
    found.append(Line(AXIS, f"No Soviet win by the end of turn {game.plays[s.scenario].last_turn}", "", "12.6"))
    return tuple(found)


def next_skull(s: NoRetreatState) -> tuple[int, int] | None:
    """12.2: the next turn on which the side with the Initiative may win by Sudden Death, and its number."""
    for turn in s.game.turns[s.turn :]:
        limit = turn.sudden_death[s.initiative]
        if limit is not None and turn.number != s.no_sudden_death:
            return turn.number, limit
    return None


def scenario_need(s: NoRetreatState) -> Line:
    """12.0: a scenario's own condition."""
    play, charts = s.game.plays[s.scenario], s.game.charts
    needed = s.options["barbarossa_vp"] if play.vp_option else play.vp
    towns = " and ".join(charts.site_names[site] for site in play.control)
    ways = [f"{needed} VPs after turn {play.last_turn}"]
    if play.control or play.more:
        more = f"{play.more} {'more ' if towns else ''}objective{'s' * (play.more != 1)}" if play.more else ""
        ways.append("control of " + " and ".join(filter(None, (towns, more))))
    now = f"{vps(s, play.winner)} VPs"
    if len(ways) > 1:
        now += f", {objectives_held(s, play.winner, traced=False)} objectives"
    places = tuple(charts.site_node[site] for site in play.control)
    return Line(play.winner, ", or ".join(ways), now, "12.0", verdict(s).winner == play.winner, places)


def prizes(s: NoRetreatState) -> tuple[Line, ...]:
    """12.7.5, 12.8: what the VPs of the side with the Initiative are made of."""
    charts, side = s.game.charts, s.initiative
    late = s.turn >= s.game.year_45_turn
    counted = charts.german_sites if late else charts.all_sites
    own = (s.sites if side == SOVIET else ~s.sites) & counted
    others = counted & ~own
    rule = "12.7.5.e" if late else "12.7.5.d"
    event = s.event_vp if side == AXIS else -s.event_vp
    found = [
        Line(side, f"Cities and oil fields, 1 each: {names(s, own)}", f"{own.bit_count()} VPs", rule, True,
             nodes(s, own)),
        Line(side, f"To be taken, 1 each: {names(s, others)}", f"{others.bit_count()} VPs", rule, False,
             nodes(s, others)),
        Line(side, "Event marker: surrendered units, cards and turn events", f"{event:+d} VPs", "12.8", event > 0),
    ]  # fmt: skip
    if not late:
        has = finland_controlled(s) == side
        found.insert(2, Line(side, "Finland", f"{int(has)} VPs", "12.7.2", has, (charts.finland,)))
    return tuple(found)


def names(s: NoRetreatState, sites: int) -> str:
    return ", ".join(s.game.charts.site_names[site] for site in bits(sites)) or "none"


def nodes(s: NoRetreatState, sites: int) -> tuple[int, ...]:
    return tuple(s.game.charts.site_node[site] for site in bits(sites))
