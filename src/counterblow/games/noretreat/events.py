"""The events of the 55 cards (5.3): each op of cards.toml, on what it can be played and what it does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from counterblow.games.noretreat import rail
from counterblow.games.noretreat.cards import Asked, React, Steal, charge, discard, draw, hand_count, take_effect
from counterblow.games.noretreat.combat import counterblow_hexes, mark_counterblow
from counterblow.games.noretreat.components import AXIS, DISORGANIZED, MOVED, OUT, SOVIET, TRACK, Half
from counterblow.games.noretreat.movement import FREE_EXIT, Boost, can_boost
from counterblow.games.noretreat.odds import armor_bonus, cards_with, fighting, ground, ground_shifts
from counterblow.games.noretreat.organization import turn_up, why_not_flip
from counterblow.games.noretreat.reinforcements import Site, can_come, placement_hexes, replaced_face
from counterblow.games.noretreat.results import roll_again
from counterblow.games.noretreat.retreat import RETREAT, step_back
from counterblow.games.noretreat.special import eliminate, is_cadre, return_by_track, score
from counterblow.games.noretreat.stacking import check_stacking, room
from counterblow.games.noretreat.state import NoRetreatState, flow
from counterblow.games.noretreat.supply import friendly_cities, overland, sea_supply, supplied, supply_net, wanting
from counterblow.kernel.masks import bits
from counterblow.kernel.pick import Pick
from counterblow.kernel.rulebook import Citation, refuse

Options = tuple[str, list[int]]
PLAIN: Options = ("plain", [])
NEVER: Options = ("unit", [])


class Op(NamedTuple):
    """``options``: how it can be played now ("plain", or on each "unit" or "hex" listed); ``resolve``: its effect."""

    options: Callable[[NoRetreatState, Half, str], Options]
    resolve: Callable[[NoRetreatState, Half, int], None]


OPS: dict[str, Op] = {}
Resolve = Callable[[NoRetreatState, Half, int], None]


def op(name: str, options: Callable[[NoRetreatState, Half, str], Options]) -> Callable[[Resolve], Resolve]:
    def register(resolve: Resolve) -> Resolve:
        OPS[name] = Op(options, resolve)
        return resolve

    return register


def when(condition: bool) -> Options:
    return PLAIN if condition else NEVER


# ---------------------------------------------------------------------- in a battle, before the roll (10.5.2)


def in_role(s: NoRetreatState, half: Half) -> bool:
    """Has the side the battle role that the event asks for?"""
    role = half.get("role", "either")
    if role in ("attacker", "roller"):
        return fighting(s).side == half.side
    return role == "either" or fighting(s).side != half.side


def own_units(s: NoRetreatState, half: Half) -> tuple[int, ...]:
    return fighting(s).units if fighting(s).side == half.side else fighting(s).foes


def put_in_battle(s: NoRetreatState, half: Half, value: int) -> None:
    """The event holds for this battle."""
    s.battle = fighting(s)._replace(cards=cards_with(s, fighting(s), half.index, value))


def shift_options(s: NoRetreatState, half: Half, context: str) -> Options:
    needs = half.get("needs", "")
    if not in_role(s, half):
        return NEVER
    if needs == "defender_in_city":
        return when(s.game.charts.is_city(ground(fighting(s))))
    if needs == "infantry_attacks":
        infantry = ("infantry", "mech_infantry", "regional")
        faces = [s.game.counters[unit].faces[s.face[unit]].type for unit in fighting(s).units]
        return when(any(face in infantry for face in faces))
    return PLAIN


def double_options(s: NoRetreatState, half: Half, context: str) -> Options:
    """Doubling needs a supplied unit of the right nation that takes part (6.5.5)."""
    nation = half.get("nation")
    units = [u for u in own_units(s, half) if s.game.counters[u].nation == nation and s.strength(u)]
    return "unit", [unit for unit in units if not s.unsupplied(unit)]


def ignore_options(s: NoRetreatState, half: Half, context: str) -> Options:
    """Playable when it takes away a shift that counts."""
    if not in_role(s, half):
        return NEVER
    battle = fighting(s)
    now = len(ground_shifts(s, battle))
    return when(len(ground_shifts(s, battle._replace(cards=(*battle.cards, (half.index, -1))))) < now)


def role_options(s: NoRetreatState, half: Half, context: str) -> Options:
    return when(in_role(s, half))


def city_defence_options(s: NoRetreatState, half: Half, context: str) -> Options:
    return when(in_role(s, half) and any(s.game.charts.is_city(node) for node in fighting(s).hexes))


def panzerfaust_options(s: NoRetreatState, half: Half, context: str) -> Options:
    return when(in_role(s, half) and armor_bonus(s, fighting(s)) is not None)


op("shift", shift_options)(put_in_battle)
op("double_strength", double_options)(put_in_battle)
op("ignore_shift", ignore_options)(put_in_battle)
op("set_result", role_options)(put_in_battle)
op("duel", role_options)(put_in_battle)
op("stand_fast", role_options)(put_in_battle)
op("fort_hex", city_defence_options)(put_in_battle)
op("cancel_armor_bonus", panzerfaust_options)(put_in_battle)


# ---------------------------------------------------------------------- in a battle, after the roll


def convert_options(s: NoRetreatState, half: Half, context: str) -> Options:
    wanted, result = half.get("convert_from"), fighting(s).result
    fits = result in wanted or ("any" in wanted and result != half.get("result"))
    return when(in_role(s, half) and fits)


@op("convert_result", convert_options)
def convert(s: NoRetreatState, half: Half, value: int) -> None:
    s.battle = fighting(s)._replace(result=half.get("result"))
    s.log("result", "the result becomes {result}", "5.3.2", result=half.get("result"))


def reroll_options(s: NoRetreatState, half: Half, context: str) -> Options:
    return when(in_role(s, half) and fighting(s).die > 0)


@op("reroll", reroll_options)
def reroll(s: NoRetreatState, half: Half, value: int) -> None:
    roll_again(s)


def advance_options(s: NoRetreatState, half: Half, context: str) -> Options:
    """For an advance of the attackers that the result allows."""
    battle = fighting(s)
    if not in_role(s, half) or battle.result not in ("DR", "DS", "DD"):
        return NEVER
    if half.get("advance_units", "all") == "armor":
        return when(any(s.is_armor(unit) for unit in battle.units))
    return PLAIN


@op("advance_bonus", advance_options)
def advance_bonus(s: NoRetreatState, half: Half, value: int) -> None:
    armor_only = int(half.get("advance_units", "all") == "armor")
    s.battle = fighting(s)._replace(advance=(*fighting(s).advance, (half.get("advance_bonus"), armor_only)))


@op("advance_cap", advance_options)
def advance_cap(s: NoRetreatState, half: Half, value: int) -> None:
    s.battle = fighting(s)._replace(advance=(*fighting(s).advance, (-half.get("advance_cap"), 0)))


# ---------------------------------------------------------------------- cancelling (5.0.e)


def cancel_options(s: NoRetreatState, half: Half, context: str) -> Options:
    """An event of the other side just played; Jet Fighters (card 51) the event in force in this battle."""
    if half.get("scope", "") == "this_battle":
        return when(in_role(s, half) and any(event & 1 != half.side for event, _ in fighting(s).cards))
    step = s.agenda[-2] if s.agenda[-1][0] is React else s.agenda[-1]
    return when(step[0] is take_effect and step[1] & 1 != half.side)


@op("cancel_event", cancel_options)
def cancel(s: NoRetreatState, half: Half, value: int) -> None:
    """Ruling 42: the cancelled event has no effect but counts as having occurred."""
    if half.get("scope", "") == "this_battle":
        put_in_battle(s, half, value)
        return
    step = s.pop()
    s.log("event", "{event} is cancelled", "5.3.2", event=step[1])


# ---------------------------------------------------------------------- cards and VPs


def always(s: NoRetreatState, half: Half, context: str) -> Options:
    return PLAIN


@op("draw", always)
def draw_more(s: NoRetreatState, half: Half, value: int) -> None:
    draw(s, half.side, half.get("draw"))
    if half.get("remove_disorganized", 0) and any(s.disorganized(unit) for unit in s.army(half.side)):
        s.push(Rally, half.side)


@flow.choice
class Rally(Asked):
    """Lend-Lease (card 31) also takes off one Disorganized marker."""

    rules = ("5.0.e", "5.3.1")
    asks = "Remove one Disorganized marker."
    kind = "reorganize"

    def candidates(self, s: NoRetreatState, side: int) -> Sequence[int]:
        return s.army(side)

    def why_not_item(self, s: NoRetreatState, unit: int, side: int) -> Citation | None:
        able = s.on_map(unit) and s.game.side_of[unit] == side and s.disorganized(unit)
        return None if able else refuse("5.3.2", "it is not a Disorganized unit of yours on the map")

    def take(self, s: NoRetreatState, unit: int, side: int) -> None:
        s.unmark(unit, DISORGANIZED)
        s.log("reorganize", "{unit} in {place} is reorganized", "5.3.2", unit=unit, place=s.at[unit])


def offensive_options(s: NoRetreatState, half: Half, context: str) -> Options:
    """Major Offensive (card 18) needs another card to discard."""
    return when(hand_count(s, half.side) > half.get("discard"))


@op("major_offensive", offensive_options)
def major_offensive(s: NoRetreatState, half: Half, value: int) -> None:
    s.demands = (*s.demands, (half.side, half.get("attacks_required"), half.get("fail_vp")))
    s.push(event_draw, half.side, half.get("draw"))
    charge(s, half.side, half.get("discard"), "5.4")


@flow.step
def event_draw(s: NoRetreatState, side: int, cards: int) -> None:
    draw(s, side, cards)


@op("forced_attacks", always)
def forced_attacks(s: NoRetreatState, half: Half, value: int) -> None:
    s.demands = (*s.demands, (1 - half.side, half.get("attacks_required"), half.get("fail_vp")))


@op("event_vp", always)
def event_vp(s: NoRetreatState, half: Half, value: int) -> None:
    side = AXIS if half.get("event_vp_to") == "axis" else SOVIET
    score(s, side, half.get("event_vp"), "12.7.5.b")


def enemy_hand_options(s: NoRetreatState, half: Half, context: str) -> Options:
    return when(hand_count(s, 1 - half.side) > 0)


@op("random_discard", enemy_hand_options)
def random_discard(s: NoRetreatState, half: Half, value: int) -> None:
    cards = list(bits(s.hands[1 - half.side] & ~s.game.joker_bit))
    if cards:
        discard(s, 1 - half.side, s.draw(cards))


@op("look_at_hand", enemy_hand_options)
def look_at_hand(s: NoRetreatState, half: Half, value: int) -> None:
    enemy = 1 - half.side
    cards = tuple(2 * card + enemy for card in bits(s.hands[enemy]))
    s.log("reveal", "the hand of {who}: {events}", "5.3.2", who=enemy, events=cards, only=half.side,
          public="the hand of {who} is seen")  # fmt: skip
    if half.get("discard", 0) and hand_count(s, enemy):
        s.push(Steal, half.side)


def next_skull(s: NoRetreatState) -> int:
    """The next turn with a skull, this one included while its Victory Phase is on; 0 if there is none."""
    turns = s.game.turns
    return next((t.number for t in turns[s.turn :] if any(v is not None for v in t.sudden_death)), 0)


def skull_options(s: NoRetreatState, half: Half, context: str) -> Options:
    return when(next_skull(s) not in (0, s.no_sudden_death))


@op("no_sudden_death", skull_options)
def no_sudden_death(s: NoRetreatState, half: Half, value: int) -> None:
    s.no_sudden_death = next_skull(s)
    s.log("event", "no Sudden Death check on turn {n}", "14.13", n=s.no_sudden_death)


# ---------------------------------------------------------------------- supply checks (6.0)


def whose_check(s: NoRetreatState, half: Half) -> bool:
    wanted: str = half.get("supply_check_of", "any")
    return wanted == "any" or (wanted == "axis") == (s.mover == AXIS)


def victim(half: Half) -> int:
    return AXIS if half.get("who") == "axis" else SOVIET


def source_options(s: NoRetreatState, half: Half, context: str) -> Options:
    """Cities of the victim in the region that the event names; Scorched Earth the one just taken."""
    charts, region = s.game.charts, half.get("region")
    if not whose_check(s, half):
        return "hex", []
    sites = friendly_cities(s, victim(half))
    if region == "captured_city":
        sites &= s.captured
    elif region == "ussr":
        sites &= ~charts.german_sites
    elif region == "greater_germany":
        sites &= charts.german_sites
    return "hex", [charts.site_node[site] for site in bits(sites)]


@op("no_supply_source", source_options)
def no_supply_source(s: NoRetreatState, half: Half, value: int) -> None:
    site = s.game.charts.site_at[value]
    name = s.game.charts.site_names[site]
    s.nets[0] = s.nets[1] = None
    if half.get("marker", ""):
        s.scorched = (site, s.turn + 1)
        s.log("event", "Scorched Earth in {city}", "14.13", city=name)
    else:
        s.cut |= 1 << site
        s.log("event", "{city} is no supply source in this check", "5.3.2", city=name)


def sea_options(s: NoRetreatState, half: Half, context: str) -> Options:
    """One Axis unit that now lives from the Baltic."""
    net = supply_net(s, AXIS)
    units = [u for u in s.army(AXIS) if s.game.charts.baltic[s.at[u]] and u not in s.blockade]
    return "unit", [u for u in units if not overland(s, net, s.at[u]) and sea_supply(s, AXIS, s.at[u], net, u)]


@op("no_sea_supply", sea_options)
def no_sea_supply(s: NoRetreatState, half: Half, value: int) -> None:
    s.blockade = (*s.blockade, value)


def spare_options(s: NoRetreatState, half: Half, context: str) -> Options:
    return "unit", wanting(s, half.side)


@op("count_as_supplied", spare_options)
def count_as_supplied(s: NoRetreatState, half: Half, value: int) -> None:
    spare(s, value)
    if half.get("units") > 1:
        s.ask(Spare, half.side)


def spare(s: NoRetreatState, unit: int) -> None:
    s.spared = (*s.spared, unit)
    s.log("event", "{unit} in {place} counts as supplied in this check", "5.3.2", unit=unit, place=s.at[unit])


@flow.choice
class Spare(Asked):
    """Air Supply (card 24) helps a second unit."""

    rules = ("5.0.e", "5.3.1")
    asks = "Supply a second unit by air, or pass."
    kind, passing = "spare", "pass"

    def items(self, s: NoRetreatState, side: int) -> Sequence[int]:
        return wanting(s, side)

    def why_not_item(self, s: NoRetreatState, unit: int, side: int) -> Citation | None:
        return refuse("5.3.2", "it is not a unit of yours that was found without supply")

    def take(self, s: NoRetreatState, unit: int, side: int) -> None:
        spare(s, unit)


def mop_up_options(s: NoRetreatState, half: Half, context: str) -> Options:
    if not s.during("supply") or not whose_check(s, half):
        return NEVER
    return "unit", [unit for unit in s.army(victim(half)) if s.unsupplied(unit)]


@op("eliminate_unsupplied", mop_up_options)
def eliminate_unsupplied(s: NoRetreatState, half: Half, value: int) -> None:
    eliminate(s, value, "10.7.1.c")


# ---------------------------------------------------------------------- Organization (7.0)


def improve_options(s: NoRetreatState, half: Half, context: str) -> Options:
    """Flips free of charge; 7.9.1 and 13.5.24 do not bar them (5.3.2), supply does."""
    units = [u for u in s.army(half.side) if _may_be_improved(s, half, u)]
    return "unit", [u for u in units if why_not_flip(s, u) is None]


def _may_be_improved(s: NoRetreatState, half: Half, unit: int) -> bool:
    counter = s.game.counters[unit]
    if not counter.two_sided or s.game.turns_fort[unit]:
        return False
    if half.get("unit_type") == "armor" and not s.is_armor(unit):
        return False
    weaker = 1 if half.side == AXIS else 0
    return s.face[unit] == weaker


@op("improve_free", improve_options)
def improve_free(s: NoRetreatState, half: Half, value: int) -> None:
    turn_up(s, value, "flipped to its stronger side", "5.3.2")


def lost_units(s: NoRetreatState, half: Half) -> list[int]:
    boxes = half.get("boxes", ["Destroyed", "Surrendered"])
    return sorted(unit for box in boxes for unit in s.in_box(half.side, box))


def replace_options(s: NoRetreatState, half: Half, context: str) -> Options:
    units = [unit for unit in lost_units(s, half) if s.game.counters[unit].optional_rule not in ("15.1", "15.2")]
    if half.get("near", ""):
        return "unit", [unit for unit in units if placement_hexes(s, unit, "berlin")]
    return "unit", [unit for unit in units if can_come(s, unit, "replace")]


@op("replace_free", replace_options)
def replace_free(s: NoRetreatState, half: Half, value: int) -> None:
    s.push(Site, value, "berlin" if half.get("near", "") else "replace", int(half.get("disorganized")), 1)


def conscript_options(s: NoRetreatState, half: Half, context: str) -> Options:
    if not any(s.on_map(cadre) for cadre in s.game.cadres[half.side]):
        return NEVER
    return "unit", [unit for unit in lost_units(s, half) if not is_cadre(s, unit)]


@op("rebuild_on_cadre", conscript_options)
def rebuild_on_cadre(s: NoRetreatState, half: Half, value: int) -> None:
    """New Conscripts (card 9): in the Cadre's place, not Disorganized."""
    cadre = next(unit for unit in s.game.cadres[half.side] if s.on_map(unit))
    node = s.at[cadre]
    return_by_track(s, cadre)
    s.face[value] = replaced_face(s, value)
    s.put(value, node)
    s.log("place", "{unit} is rebuilt in {place}", "14.9.4", unit=value, place=node)


def rail_room(s: NoRetreatState, side: int) -> bool:
    return len(s.in_box(side, "Rail")) < s.game.rail_capacity


def to_rail_options(s: NoRetreatState, half: Half, context: str) -> Options:
    if not rail_room(s, half.side):
        return NEVER
    return "unit", [unit for unit in lost_units(s, half) if s.game.move[0][unit]]


@op("box_to_rail", to_rail_options)
def box_to_rail(s: NoRetreatState, half: Half, value: int) -> None:
    _send_by_rail(s, value)
    if half.get("units") > 1:
        s.ask(SendByRail, half.index)


def _send_by_rail(s: NoRetreatState, unit: int) -> None:
    if s.at[unit] != s.game.boxes[s.game.side_of[unit]]["Shattered"] or s.is_fort(unit):
        s.face[unit] = replaced_face(s, unit)
    s.to_box(unit, "Rail")
    s.log("event", "{unit} goes to the Rail Movement Box", "5.3.2", unit=unit)


@flow.choice
class SendByRail(Pick[NoRetreatState]):
    """Manpower Reserves (card 17): a second unit."""

    rules = ("5.0.e", "5.3.1")
    asks = "Put a second unit into the Rail Movement Box, or pass."
    kind, passing = "by_rail", "pass"

    def side(self, s: NoRetreatState, index: int) -> int:
        return index & 1

    def items(self, s: NoRetreatState, index: int) -> Sequence[int]:
        return to_rail_options(s, s.game.half(index), "placement")[1]

    def why_not_item(self, s: NoRetreatState, unit: int, index: int) -> Citation | None:
        return refuse("5.3.2", "it is not a mobile unit of yours in the boxes that the event names")

    def take(self, s: NoRetreatState, unit: int, index: int) -> None:
        _send_by_rail(s, unit)


def ally_options(s: NoRetreatState, half: Half, context: str) -> Options:
    nations = half.get("nations")
    units = [
        unit
        for unit in s.game.roster[half.side]
        if s.at[unit] < 0 and s.fate[unit] == TRACK and s.game.counters[unit].nation in nations
    ]
    return "unit", [unit for unit in units if placement_hexes(s, unit, "reinforce")]


@op("return_ally", ally_options)
def return_ally(s: NoRetreatState, half: Half, value: int) -> None:
    s.push(Site, value, "reinforce", 0, 1)


def volkssturm_options(s: NoRetreatState, half: Half, context: str) -> Options:
    """Last Reserves (card 45): a removed Volkssturm unit whose city is Axis-controlled and not full."""
    found = []
    for unit in s.game.roster[AXIS]:
        if s.game.counters[unit].volkssturm and s.at[unit] < 0 and s.fate[unit] == OUT:
            site = s.game.charts.site(s.game.counters[unit].arrives_at)
            node = s.game.charts.site_node[site]
            if s.controls(AXIS, site) and not s.held[SOVIET][node] and room(s, unit, node):
                found.append(unit)
    return "unit", found


@op("return_volkssturm", volkssturm_options)
def return_volkssturm(s: NoRetreatState, half: Half, value: int) -> None:
    site = s.game.charts.site(s.game.counters[value].arrives_at)
    s.put(value, s.game.charts.site_node[site])
    s.log("place", "{unit} is raised again in {place}", "5.3.2", unit=value, place=s.at[value])


def works_options(s: NoRetreatState, half: Half, context: str) -> Options:
    net = supply_net(s, half.side)
    return "hex", sorted({s.at[u] for u in s.army(half.side) if not s.unsupplied(u) and supplied(s, u, net)})


@op("defensive_works", works_options)
def defensive_works(s: NoRetreatState, half: Half, value: int) -> None:
    s.works = (value, half.side)
    s.log("event", "Defensive Works in {place}", "14.13", place=value)


def cadre_options(s: NoRetreatState, half: Half, context: str) -> Options:
    return "unit", [u for u in s.game.cadres[half.side] if s.at[u] < 0 and s.fate[u] == TRACK]


@op("cadre_return", cadre_options)
def cadre_return(s: NoRetreatState, half: Half, value: int) -> None:
    s.to_box(value, "Cadres")
    s.log("cadre", "{unit} is available", "5.3.2", unit=value)


# ---------------------------------------------------------------------- movement (8.0, 9.0)


def boost_options(s: NoRetreatState, half: Half, context: str) -> Options:
    return when(can_boost(s, int(half.get("unit_type") == "armor")))


@op("movement_bonus", boost_options)
def movement_bonus(s: NoRetreatState, half: Half, value: int) -> None:
    bonus = half.get("mp_bonus") + (FREE_EXIT if half.get("zoc_exit_free", False) else 0)
    s.push(Boost, bonus, int(half.get("unit_type") == "armor"), half.get("units"))


def entrain_options(s: NoRetreatState, half: Half, context: str) -> Options:
    if not rail_room(s, half.side):
        return NEVER
    by_sea = half.get("needs", "")
    for unit in s.army(half.side):
        able = not s.marks[unit] & MOVED and s.game.move[s.face[unit]][unit]
        if able and (not by_sea or s.game.charts.baltic[s.at[unit]]):
            return PLAIN
    return NEVER


@op("free_entrain", entrain_options)
def free_entrain(s: NoRetreatState, half: Half, value: int) -> None:
    if half.get("needs", ""):
        s.sea_lift += half.get("units")
    else:
        s.rail += half.get("units")


def maskirovka_options(s: NoRetreatState, half: Half, context: str) -> Options:
    """At the end of an enemy phase, never in a battle."""
    if s.mover == half.side:
        return NEVER
    return "unit", [unit for unit in s.in_box(half.side, "Rail") if rail.detrain_hexes(s, unit)]


@op("detrain_now", maskirovka_options)
def detrain_now(s: NoRetreatState, half: Half, value: int) -> None:
    s.queue((rail.DetrainNow, value), (check_stacking,))


def traffic_options(s: NoRetreatState, half: Half, context: str) -> Options:
    """Traffic Jam (card 39): at the end of the enemy's Movement Phase."""
    if not s.during("movement") or s.mover == half.side:
        return NEVER
    return "unit", [unit for unit in s.army(1 - half.side) if not s.disorganized(unit)]


@op("disorganize", traffic_options)
def disorganize(s: NoRetreatState, half: Half, value: int) -> None:
    s.mark(value, DISORGANIZED)
    s.log("event", "{unit} is disorganized", "5.3.2", unit=value)


# ---------------------------------------------------------------------- combat declaration (10.1)


def feint_options(s: NoRetreatState, half: Half, context: str) -> Options:
    return "hex", counterblow_hexes(s)


@op("free_counterblow", feint_options)
def free_counterblow(s: NoRetreatState, half: Half, value: int) -> None:
    mark_counterblow(s, value)


def void_options(s: NoRetreatState, half: Half, context: str) -> Options:
    """Gotthard Heinrici (card 50): a targeted stack that can step back one hex."""
    return "hex", [node for node in s.targets if _can_step_back(s, node)]


def _can_step_back(s: NoRetreatState, node: int) -> bool:
    units = s.stack(node)
    return not any(s.is_fort(unit) for unit in units) and all(
        RETREAT.complete_paths(s, unit, (node,), 1) for unit in units
    )


@op("void_target", void_options)
def void_target(s: NoRetreatState, half: Half, value: int) -> None:
    s.targets = tuple(node for node in s.targets if node != value)
    s.queue((step_back, s.stack(value)), (check_stacking,))


# ---------------------------------------------------------------------- never resolved by themselves


def never(s: NoRetreatState, half: Half, context: str) -> Options:
    return NEVER


@op("play_top_discard", never)
def recovered(s: NoRetreatState, half: Half, value: int) -> None:
    """Gott Mit Uns and Urrah! are played as the card that they recover: see ``cards.play``."""
    raise AssertionError("play_top_discard is resolved as the recovered event")


@op("set_weather", never)
def set_weather(s: NoRetreatState, half: Half, value: int) -> None:
    """Weather cards happen when drawn: see ``cards.draw``."""
    raise AssertionError("weather cards are never played from the hand")
