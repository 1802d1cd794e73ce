"""Chapter 12: victory points, the Initiative, and how the game is won."""

from __future__ import annotations

from counterblow.games.noretreat import options
from counterblow.games.noretreat.cards import windows
from counterblow.games.noretreat.components import AXIS, SOVIET
from counterblow.games.noretreat.special import score
from counterblow.games.noretreat.state import NoRetreatState, flow
from counterblow.games.noretreat.supply import beside_overland, sea_supply, supply_net
from counterblow.kernel.masks import bits

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
    standard = s.game.play_of(s.scenario).standard
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
    charts = s.game.charts
    held = [site for site in charts.objectives[side] if s.controls(side, site)]
    if not traced or not held:
        return len(held)
    net = supply_net(s, side)
    count = 0
    for site in held:
        node = charts.site_node[site]
        own_hex = net.cities >> site & 1 or net.reach[node]
        near = any(0 < net.reach[there] <= s.game.supply_range for there in charts.board.around[node])
        if own_hex or near or sea_supply(s, side, node, net) or beside_overland(s, side, node, net):
            count += 1
    return count


def objectives_won(s: NoRetreatState) -> bool:
    """12.1.a-c: the Axis needs four from turn 12 on, whose Victory Phase begins with its Initiative (ruling 75)."""
    game = s.game
    axis_needs = game.objectives_needed[AXIS] if s.turn < game.shift_turn else game.objectives_needed_late
    winners = []
    if objectives_held(s, AXIS) >= axis_needs:
        winners.append((AXIS, "12.1.a"))
    if objectives_held(s, SOVIET) >= game.objectives_needed[SOVIET]:
        winners.append((SOVIET, "12.1.b"))
    if not winners:
        return False
    side, rule = winners[0]
    rules = [rule]
    if len(winners) == 2:
        side, rules = s.initiative, ["12.1.a", "12.1.b", "12.1.c"]
    s.finish(side, "objectives", f"{game.side_titles[side]}: objectives controlled and in supply", *rules)
    return True


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
    if vp_marker(s) < s.game.total_victory:
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
    play = s.game.play_of(s.scenario)
    if s.turn < play.last_turn:
        return False
    if play.standard:
        s.finish(AXIS, "survival", "Germany holds out to the last turn", "12.6", "4.A")
        return True
    side = play.winner
    needed = s.options["barbarossa_vp"] if play.vp_option else play.vp
    points = vps(s, side)
    control = play.control and all(s.controls(side, site) for site in play.control)
    more = objectives_held(s, side, traced=False) - sum(site in s.game.charts.objectives[side] for site in play.control)
    if points >= needed:
        s.finish(side, "scenario", f"{s.game.side_titles[side]}: {points} VPs of {needed}", "12.0")
    elif (control or (play.more and not play.control)) and more >= play.more:
        s.finish(side, "scenario", f"{s.game.side_titles[side]}: the scenario's objectives are held", "12.0")
    else:
        other = 1 - side
        s.finish(other, "scenario", f"{s.game.side_titles[side]}: {points} VPs of {needed}", "12.0")
    return True


def score_view(s: NoRetreatState) -> list[dict[str, object]]:
    """What the score is made of, for players."""
    side = s.initiative
    own = s.sites if side == SOVIET else ~s.sites & s.game.charts.all_sites
    if s.turn >= s.game.year_45_turn:
        own &= s.game.charts.german_sites
    names = ", ".join(s.game.charts.site_names[site] for site in bits(own))
    rule = "12.7.5.e" if s.turn >= s.game.year_45_turn else "12.7.5.d"
    lines: list[dict[str, object]] = [
        {"text": f"Cities and oil fields: {names}", "value": own.bit_count(), "rule": rule},
        {"text": "Event marker", "value": s.event_vp if side == AXIS else -s.event_vp, "rule": "12.8"},
        {"text": f"VPs of {s.game.side_titles[side]}", "value": vp_marker(s), "rule": "12.8"},
    ]
    if finland_controlled(s) == side and s.turn < s.game.year_45_turn:
        lines.insert(1, {"text": "Finland", "value": 1, "rule": "12.7.2"})
    for who, rule in ((AXIS, "12.1.a"), (SOVIET, "12.1.b")):
        text = f"Objectives of {s.game.side_titles[who]}"
        lines.append({"text": text, "value": objectives_held(s, who), "rule": rule})
    return lines
