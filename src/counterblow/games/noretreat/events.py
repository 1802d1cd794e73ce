"""The events of the 55 cards (5.3): what a row of cards.toml may ask for, on what its op is played and what it does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from counterblow.games.noretreat import cards, rail
from counterblow.games.noretreat.combat import counterblow_hexes, mark_counterblow
from counterblow.games.noretreat.components import AXIS, DISORGANIZED, MOVED, OUT, SOVIET, Card, Half
from counterblow.games.noretreat.movement import FREE_EXIT, Boost
from counterblow.games.noretreat.odds import armor_bonus, cards_with, fighting, ground, ground_shifts
from counterblow.games.noretreat.organization import turn_up, why_not_flip
from counterblow.games.noretreat.reinforcements import Site, can_come, lost_units, placement_hexes, replaced_face
from counterblow.games.noretreat.results import roll_again
from counterblow.games.noretreat.retreat import RETREAT, StepBack
from counterblow.games.noretreat.special import eliminate, return_by_track, score
from counterblow.games.noretreat.stacking import check_stacking, room
from counterblow.games.noretreat.state import NOWHERE, NoRetreatState, flow, why_not_own
from counterblow.games.noretreat.supply import friendly_cities, in_supply, overland, wanting
from counterblow.games.noretreat.turn_events import home_of
from counterblow.kernel.errors import DataError, unknown
from counterblow.kernel.masks import bits
from counterblow.kernel.pick import Pick
from counterblow.kernel.rulebook import Citation, refuse

Units = list[int]

# ---------------------------------------------------------------------- what a card's row may ask for


def infantry_attacks(s: NoRetreatState, half: Half) -> bool:
    faces = [s.game.counters[unit].faces[s.face[unit]].type for unit in fighting(s).units]
    return any(face in ("infantry", "mech_infantry", "regional") for face in faces)


def counted_shift(s: NoRetreatState, half: Half) -> bool:
    """Does the event take away a shift that counts?"""
    battle = fighting(s)
    after = battle._replace(cards=(*battle.cards, (half.index, -1)))
    return len(ground_shifts(s, after)) < len(ground_shifts(s, battle))


def result_to_convert(s: NoRetreatState, half: Half) -> bool:
    wanted, result = half.get("convert_from"), fighting(s).result
    return result in wanted or ("any" in wanted and result != half.get("result"))


def event_just_played(s: NoRetreatState, half: Half) -> bool:
    """5.0.e: an event of the other side that has not taken effect yet."""
    step = s.agenda[-2] if s.agenda[-1][0] is cards.React else s.agenda[-1]
    return step[0] is cards.take_effect and step[1] & 1 != half.side


def next_skull(s: NoRetreatState) -> int:
    """The next turn with a skull, this one included while its Victory Phase is on; 0 if there is none."""
    turns = s.game.turns
    return next((t.number for t in turns[s.turn :] if any(v is not None for v in t.sudden_death)), 0)


def somebody_to_entrain(s: NoRetreatState, half: Half) -> bool:
    for unit in s.army(half.side):
        able = not s.marks[unit] & MOVED and s.game.move[s.face[unit]][unit]
        if able and (not half.get("from") or s.game.charts.baltic[s.at[unit]]):
            return True
    return False


NEEDS: dict[str, Callable[[NoRetreatState, Half], bool]] = {
    "attacker": lambda s, half: fighting(s).side == half.side,
    "defender": lambda s, half: fighting(s).side != half.side,
    "defender_in_city": lambda s, half: s.game.charts.is_city(ground(fighting(s))),
    "city_attacked": lambda s, half: any(s.game.charts.is_city(node) for node in fighting(s).hexes),
    "infantry_attacks": infantry_attacks,
    "armor_attacks": lambda s, half: any(s.is_armor(unit) for unit in fighting(s).units),
    "armor_bonus": lambda s, half: armor_bonus(s, fighting(s)) is not None,
    "counted_shift": counted_shift,
    "die_rolled": lambda s, half: fighting(s).die > 0,
    "result_to_convert": result_to_convert,
    "advance": lambda s, half: fighting(s).result in ("DR", "DS", "DD"),
    "enemy_event_in_battle": lambda s, half: any(event & 1 != half.side for event, _ in fighting(s).cards),
    "enemy_event_played": event_just_played,
    "another_card": lambda s, half: cards.hand_count(s, half.side) > half.get("discard"),
    "enemy_hand": lambda s, half: cards.hand_count(s, 1 - half.side) > 0,
    "skull_ahead": lambda s, half: next_skull(s) not in (0, s.no_sudden_death),
    "axis_check": lambda s, half: s.mover == AXIS,
    "soviet_check": lambda s, half: s.mover == SOVIET,
    "supply_phase": lambda s, half: s.during("supply"),
    "movement_phase": lambda s, half: s.during("movement"),
    "enemy_turn": lambda s, half: s.mover != half.side,
    "cadre_on_map": lambda s, half: any(s.on_map(cadre) for cadre in s.game.cadres[half.side]),
    "rail_room": lambda s, half: len(s.in_box(half.side, "Rail")) < s.game.number["rail_box_capacity"],
    "somebody_to_entrain": somebody_to_entrain,
    "somebody_to_boost": lambda s, half: bool(Boost().items(s, 0, int(half.get("unit_type") == "armor"), 1)),
}


class Op(NamedTuple):
    """What an event does, and on what it is played: "plain", or each "unit" or "hex" that ``targets`` lists."""

    effect: Callable[[NoRetreatState, Half, int], None]
    how: str = "plain"
    targets: Callable[[NoRetreatState, Half], list[int]] | None = None
    second: Any = None  # the choice of another unit, where the event is for more than one

    def options(self, s: NoRetreatState, half: Half) -> tuple[str, list[int]]:
        """How it can be played now; "unit" and nothing if it cannot."""
        for need in half.get("needs", ()):
            if not NEEDS[need](s, half):
                return "unit", []
        return self.how, self.targets(s, half) if self.targets else []

    def resolve(self, s: NoRetreatState, half: Half, value: int) -> None:
        self.effect(s, half, value)
        if self.second and half.get("units") > 1:
            s.ask(self.second, half.index)


class Second(Pick[NoRetreatState]):
    """Another unit for an event that has helped one; the step's argument is the event."""

    passing = "pass"

    def side(self, s: NoRetreatState, index: int) -> int:
        return index & 1

    def items(self, s: NoRetreatState, index: int) -> list[int]:
        half = s.game.halves[index]
        return OPS[half.op].options(s, half)[1]

    def why_not_item(self, s: NoRetreatState, unit: int, index: int) -> Citation | None:
        return why_not_own(s, unit, index & 1) or super().why_not_item(s, unit, index)

    def take(self, s: NoRetreatState, unit: int, index: int) -> None:
        half = s.game.halves[index]
        OPS[half.op].effect(s, half, unit)


# ---------------------------------------------------------------------- in a battle (10.5.2)


def put_in_battle(s: NoRetreatState, half: Half, value: int) -> None:
    """The event holds for this battle."""
    s.battle = fighting(s)._replace(cards=cards_with(s, fighting(s), half.index, value))


def doubled(s: NoRetreatState, half: Half) -> Units:
    """Doubling needs a supplied unit of the right nation that takes part (6.5.5)."""
    battle, counters = fighting(s), s.game.counters
    units = battle.units if battle.side == half.side else battle.foes
    return [u for u in units if counters[u].nation == half.get("nation") and s.strength(u) and not s.unsupplied(u)]


def convert(s: NoRetreatState, half: Half, value: int) -> None:
    s.battle = fighting(s)._replace(result=half.get("result"))
    s.log("result", "the result becomes {result}", "5.3.2", result=s.battle.result)


def change_advance(s: NoRetreatState, half: Half, value: int) -> None:
    """One hex more for all or armor, or no more than so many."""
    change = half.get("advance_bonus") or -half.get("advance_cap")
    armor_only = int(half.get("advance_units") == "armor")
    s.battle = fighting(s)._replace(advance=(*fighting(s).advance, (change, armor_only)))


def cancel(s: NoRetreatState, half: Half, value: int) -> None:
    """Ruling 42: the cancelled event has no effect but counts as having occurred; Jet Fighters (card 51) hold on."""
    if half.get("scope"):
        put_in_battle(s, half, value)
    else:
        s.log("event", "{event} is cancelled", "5.3.2", event=s.pop()[1])


# ---------------------------------------------------------------------- cards and VPs


def draw_more(s: NoRetreatState, half: Half, value: int) -> None:
    cards.draw(s, half.side, half.get("draw"))
    if half.get("remove_disorganized") and any(s.disorganized(unit) for unit in s.army(half.side)):
        s.push(Rally, half.side)


@flow.choice
class Rally(Pick[NoRetreatState]):
    """Lend-Lease (card 31) also takes off one Disorganized marker."""

    kind, sided = "reorganize", True
    otherwise = refuse("5.3.2", "it is not a Disorganized unit of yours on the map")

    def items(self, s: NoRetreatState, side: int) -> Units:
        return [unit for unit in s.army(side) if s.disorganized(unit)]

    def take(self, s: NoRetreatState, unit: int, side: int) -> None:
        s.unmark(unit, DISORGANIZED)
        s.log("reorganize", "{unit} in {place} is reorganized", "5.3.2", unit=unit, place=s.at[unit])


def demand(s: NoRetreatState, half: Half, value: int) -> None:
    """Attacks that a side must make, or lose VPs (cards 18 and 21)."""
    s.demands = (*s.demands, (victim(half), half.get("attacks_required"), half.get("fail_vp")))
    if half.get("draw"):
        s.push(cards.draw, half.side, half.get("draw"))
        cards.charge(s, half.side, half.get("discard"), "5.4")


def event_vp(s: NoRetreatState, half: Half, value: int) -> None:
    score(s, s.game.sides.index(half.get("event_vp_to")), half.get("event_vp"), "12.7.5.b")


def look_at_hand(s: NoRetreatState, half: Half, value: int) -> None:
    enemy = 1 - half.side
    held = tuple(2 * card + enemy for card in bits(s.hands[enemy]))
    s.log("reveal", "the hand of {who}: {events}", "5.3.2", who=enemy, events=held, only=half.side,
          public="the hand of {who} is seen")  # fmt: skip
    if half.get("discard") and cards.hand_count(s, enemy):
        s.push(cards.Steal, half.side)


def no_sudden_death(s: NoRetreatState, half: Half, value: int) -> None:
    s.no_sudden_death = next_skull(s)
    s.log("event", "no Sudden Death check on turn {n}", "14.13", n=s.no_sudden_death)


# ---------------------------------------------------------------------- supply checks (6.0)


def victim(half: Half) -> int:
    return AXIS if half.get("who") == "axis" else SOVIET


def cities_in_region(s: NoRetreatState, half: Half) -> list[int]:
    """Cities of the victim in the region that the event names; Scorched Earth the one just taken."""
    charts = s.game.charts
    regions = {"captured_city": s.captured, "ussr": ~charts.german_sites, "greater_germany": charts.german_sites}
    sites = friendly_cities(s, victim(half)) & regions.get(half.get("region"), -1)
    return [charts.site_node[site] for site in bits(sites)]


def no_supply_source(s: NoRetreatState, half: Half, value: int) -> None:
    site = s.game.charts.site_at[value]
    name = s.game.charts.site_names[site]
    s.nets[0] = s.nets[1] = None
    if half.get("marker"):
        s.scorched = (site, s.turn + 1)
        s.log("event", "Scorched Earth in {city}", "14.13", city=name)
    else:
        s.cut |= 1 << site
        s.log("event", "{city} is no supply source in this check", "5.3.2", city=name)


def living_from_the_baltic(s: NoRetreatState, half: Half) -> Units:
    at, baltic = s.at, s.game.charts.baltic
    return [u for u in s.army(AXIS) if baltic[at[u]] and u not in s.blockade and not overland(s, AXIS, at[u])]


def blockade(s: NoRetreatState, half: Half, value: int) -> None:
    s.blockade = (*s.blockade, value)


def spare(s: NoRetreatState, half: Half, unit: int) -> None:
    s.spared = (*s.spared, unit)
    s.log("event", "{unit} in {place} counts as supplied in this check", "5.3.2", unit=unit, place=s.at[unit])


@flow.choice
class Spare(Second):
    """Air Supply (card 24)."""

    kind = "spare"
    otherwise = refuse("5.3.2", "it is not a unit of yours that was found without supply")


# ---------------------------------------------------------------------- Organization (7.0)


def improvable(s: NoRetreatState, half: Half) -> Units:
    """Flips free of charge; 7.9.1 and 13.5.24 do not bar them (5.3.2), supply does."""
    weaker, armor_only = 1 if half.side == AXIS else 0, half.get("unit_type") == "armor"
    units = [u for u in s.army(half.side) if s.game.two_sided[u] and not s.game.turns_fort[u] and s.face[u] == weaker]
    return [u for u in units if (s.is_armor(u) or not armor_only) and why_not_flip(s, u) is None]


def lost(s: NoRetreatState, half: Half) -> Units:
    return lost_units(s, half.side, half.get("boxes", ("Destroyed", "Surrendered")))


def replaceable(s: NoRetreatState, half: Half) -> Units:
    units = [unit for unit in lost(s, half) if s.game.counters[unit].optional_rule not in ("15.1", "15.2")]
    if half.get("near"):
        return [unit for unit in units if placement_hexes(s, unit, "berlin")]
    return [unit for unit in units if can_come(s, unit, "replace")]


def replace_free(s: NoRetreatState, half: Half, value: int) -> None:
    s.push(Site, value, "berlin" if half.get("near") else "replace", int(half.get("disorganized")), 1)


def rebuild_on_cadre(s: NoRetreatState, half: Half, value: int) -> None:
    """New Conscripts (card 9): in the Cadre's place, not Disorganized."""
    cadre = next(unit for unit in s.game.cadres[half.side] if s.on_map(unit))
    node = s.at[cadre]
    return_by_track(s, cadre)
    s.face[value] = replaced_face(s, value)
    s.put(value, node)
    s.log("place", "{unit} is rebuilt in {place}", "14.9.4", unit=value, place=node)


def send_by_rail(s: NoRetreatState, half: Half, unit: int) -> None:
    if s.at[unit] != s.game.boxes[half.side]["Shattered"] or s.is_fort(unit):
        s.face[unit] = replaced_face(s, unit)
    s.to_box(unit, "Rail")
    s.log("event", "{unit} goes to the Rail Movement Box", "5.3.2", unit=unit)


@flow.choice
class SendByRail(Second):
    """Manpower Reserves (card 17)."""

    kind = "by_rail"
    otherwise = refuse("5.3.2", "it is not a mobile unit of yours in the boxes that the event names")


def allies_on_track(s: NoRetreatState, half: Half) -> Units:
    nations, counters = half.get("nations"), s.game.counters
    units = [u for u in s.game.roster[half.side] if s.on_track(u) and counters[u].nation in nations]
    return [unit for unit in units if placement_hexes(s, unit, "reinforce")]


def fallen_volkssturm(s: NoRetreatState, half: Half) -> Units:
    """Last Reserves (card 45): removed units whose city is Axis-controlled and not full."""
    volkssturm = [unit for unit in s.game.roster[AXIS] if s.game.counters[unit].volkssturm]
    homes = [(unit, home_of(s, unit)) for unit in volkssturm if s.at[unit] < 0 and s.fate[unit] == OUT]
    return [unit for unit, node in homes if node != NOWHERE and room(s, unit, node)]


def raise_again(s: NoRetreatState, half: Half, value: int) -> None:
    s.put(value, home_of(s, value))
    s.log("place", "{unit} is raised again in {place}", "5.3.2", unit=value, place=s.at[value])


def defensive_works(s: NoRetreatState, half: Half, value: int) -> None:
    s.works = (value, half.side)
    s.log("event", "Defensive Works in {place}", "14.13", place=value)


def cadre_return(s: NoRetreatState, half: Half, value: int) -> None:
    s.to_box(value, "Cadres")
    s.log("cadre", "{unit} is available", "5.3.2", unit=value)


# ---------------------------------------------------------------------- movement (8.0, 9.0) and declaration (10.1)


def movement_bonus(s: NoRetreatState, half: Half, value: int) -> None:
    bonus = half.get("mp_bonus") + (FREE_EXIT if half.get("zoc_exit_free") else 0)
    s.push(Boost, bonus, int(half.get("unit_type") == "armor"), half.get("units"))


def free_entrain(s: NoRetreatState, half: Half, value: int) -> None:
    if half.get("from"):
        s.sea_lift += half.get("units")
    else:
        s.rail += half.get("units")


def disorganize(s: NoRetreatState, half: Half, value: int) -> None:
    s.mark(value, DISORGANIZED)
    s.log("event", "{unit} is disorganized", "5.3.2", unit=value)


def able_to_step_back(s: NoRetreatState, half: Half) -> list[int]:
    """Gotthard Heinrici (card 50): a targeted stack that can step back one hex."""
    return [node for node in s.targets if all(_steps_back(s, unit, node) for unit in s.stack(node))]


def _steps_back(s: NoRetreatState, unit: int, node: int) -> bool:
    return not s.is_fort(unit) and bool(RETREAT.complete_paths(s, unit, (node,), 1))


def void_target(s: NoRetreatState, half: Half, value: int) -> None:
    s.targets = tuple(node for node in s.targets if node != value)
    s.queue(*((StepBack, (unit,)) for unit in s.stack(value)), (check_stacking,))


# ---------------------------------------------------------------------- the ops of cards.toml

IN_BATTLE = ("shift", "ignore_shift", "set_result", "duel", "stand_fast", "fort_hex", "cancel_armor_bonus")
# Weather cards happen when drawn (``cards.draw``); Gott Mit Uns and Urrah! are played as the card that they recover.
OPS: dict[str, Op] = {
    **dict.fromkeys(IN_BATTLE, Op(put_in_battle)),
    "double_strength": Op(put_in_battle, "unit", doubled),
    "convert_result": Op(convert),
    "reroll": Op(lambda s, half, value: roll_again(s)),
    "advance_bonus": Op(change_advance),
    "advance_cap": Op(change_advance),
    "cancel_event": Op(cancel),
    "draw": Op(draw_more),
    "major_offensive": Op(demand),
    "forced_attacks": Op(demand),
    "event_vp": Op(event_vp),
    "random_discard": Op(lambda s, half, value: cards.discard_random(s, 1 - half.side)),
    "look_at_hand": Op(look_at_hand),
    "no_sudden_death": Op(no_sudden_death),
    "no_supply_source": Op(no_supply_source, "hex", cities_in_region),
    "no_sea_supply": Op(blockade, "unit", living_from_the_baltic),
    "count_as_supplied": Op(spare, "unit", lambda s, half: wanting(s, half.side), Spare),
    "eliminate_unsupplied": Op(
        lambda s, half, unit: eliminate(s, unit, "10.7.1.c"),
        "unit", lambda s, half: [unit for unit in s.army(victim(half)) if s.unsupplied(unit)]),
    "improve_free": Op(
        lambda s, half, unit: turn_up(s, unit, "flipped to its stronger side", "5.3.2"), "unit", improvable),
    "replace_free": Op(replace_free, "unit", replaceable),
    "rebuild_on_cadre": Op(
        rebuild_on_cadre, "unit", lambda s, half: [unit for unit in lost(s, half) if not s.game.is_cadre[unit]]),
    "box_to_rail": Op(
        send_by_rail, "unit", lambda s, half: [unit for unit in lost(s, half) if s.game.move[0][unit]],
        SendByRail),
    "return_ally": Op(lambda s, half, unit: s.push(Site, unit, "reinforce", 0, 1), "unit", allies_on_track),
    "return_volkssturm": Op(raise_again, "unit", fallen_volkssturm),
    "defensive_works": Op(
        defensive_works, "hex", lambda s, half: sorted({s.at[u] for u in s.army(half.side) if in_supply(s, u)})),
    "cadre_return": Op(
        cadre_return, "unit", lambda s, half: [unit for unit in s.game.cadres[half.side] if s.on_track(unit)]),
    "movement_bonus": Op(movement_bonus),
    "free_entrain": Op(free_entrain),
    "detrain_now": Op(
        lambda s, half, unit: s.queue((rail.DetrainNow, unit), (check_stacking,)),
        "unit", lambda s, half: [unit for unit in s.in_box(half.side, "Rail") if rail.can_detrain(s, unit)]),
    "disorganize": Op(
        disorganize, "unit", lambda s, half: [unit for unit in s.army(1 - half.side) if not s.disorganized(unit)]),
    "free_counterblow": Op(
        lambda s, half, node: mark_counterblow(s, node), "hex", lambda s, half: counterblow_hexes(s)),
    "void_target": Op(void_target, "hex", able_to_step_back),
}  # fmt: skip


def check_cards(deck: dict[int, Card], where: str) -> None:
    """Refuse a card that asks for what is not known."""
    for half in [half for card in deck.values() for half in card.halves]:
        if half.op not in OPS and half.op not in ("set_weather", cards.RECOVERY):
            raise DataError(f"{where}: {half.name}: " + unknown("op", half.op, OPS))
        for need in half.get("needs", ()):
            if need not in NEEDS:
                raise DataError(f"{where}: {half.name}: " + unknown("need", need, NEEDS))
