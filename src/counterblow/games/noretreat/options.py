"""Chapter 15: the optional rules, each behind its own switch."""

from __future__ import annotations

from counterblow.games.noretreat.cards import discard, spendable
from counterblow.games.noretreat.components import AXIS, CLEAR, DISORGANIZED, SOVIET, TRACK
from counterblow.games.noretreat.special import room
from counterblow.games.noretreat.state import (
    FRONTS_FORTIFIED,
    INFANTRY_DETACHED,
    MECH_DETACHED,
    NOWHERE,
    NoRetreatState,
    flow,
    number,
)
from counterblow.games.noretreat.supply import Net, supplied, supply_net
from counterblow.kernel.actions import Action
from counterblow.kernel.flow import Choice
from counterblow.kernel.game import Option
from counterblow.kernel.rulebook import Citation, refuse

REACTIONS = ("when able", "always")

OPTIONS = (
    Option("detachments", "Germans may break down an army into detachments", False, rules=("15.1",)),
    Option("fortified_fronts", "Soviets may turn a front into two Fortified Fronts", False, rules=("15.2",)),
    Option("local_support", "Local Combat Support markers", False, rules=("15.3.a", "15.3.b")),
    Option("no_variable_weather", "Weather cards are ignored", "no", ("no", "1941", "always"), ("15.4",)),
    Option("faster_reorganization", "A card with the Initiative symbol reorganizes two units", False, rules=("15.5",)),
    Option("no_surrender", "Sudden Death costs cards instead of the game", False, rules=("15.6",)),
    Option("joker", "The Joker card", False, rules=("15.7",)),
    Option("rezervy", "The Rezervy unit", False, rules=("15.8",)),
    Option("partisans", "The Paratroop/Partisan marker", False, rules=("15.9",)),
    Option("variable_initiative", "Variable card Initiative", False, rules=("15.11.a", "15.11.b")),
    Option("crt_1to1_3", "Soviet table, 1:1 on a 3: no effect instead of CB (ruling 1)", False, rules=("C.CRT",)),
    Option("barbarossa_vp", "VPs that the Axis needs in scenario A (ruling 3)", 21, (21, 24), ("3.0",)),
    Option("axis_reactions", "When the Axis is asked for events in the enemy's turn", REACTIONS[0], REACTIONS),
    Option("soviet_reactions", "When the Soviets are asked for events in the enemy's turn", REACTIONS[0], REACTIONS),
)


def arrivals(s: NoRetreatState) -> None:
    """15.8: the Rezervy unit appears in the Destroyed box."""
    unit = s.game.rezervy
    if s.player == SOVIET and s.fate[unit] == TRACK and s.at[unit] < 0 and s.due[unit] <= s.turn:
        s.to_box(unit, "Destroyed")
        s.log("rezervy", "{unit} appears in the Destroyed box", "15.8", unit=unit)


# ---------------------------------------------------------------------- 15.1, 15.2 exchanges

PLACEMENTS = ("detach", "detach_mech", "fortify_front")


def exchange_rule(s: NoRetreatState, kind: str, unit: int, net: Net) -> Citation | None:
    """Why an exchange of 15.1 or 15.2 cannot be made with a unit."""
    game, fort = s.game, kind == "fortify_front"
    rule = "15.2" if fort else "15.1"
    switch = s.options["fortified_fronts"] if fort else s.options["detachments"]
    flag = {"detach": INFANTRY_DETACHED, "detach_mech": MECH_DETACHED, "fortify_front": FRONTS_FORTIFIED}[kind]
    if not switch:
        return refuse(rule, "this optional rule is not used")
    if s.player != (SOVIET if fort else AXIS) or game.side_of[unit] != s.player or not s.on_map(unit):
        return refuse(rule, "it is not a unit of yours on the map")
    if s.flags & flag:
        return refuse(rule, "once per game")
    if s.turn < int(game.counters[game.unit("Fortified Front 1" if fort else "Detachment A")].arrives):
        return refuse(rule, "it is too early")
    if not _right_type(s, kind, unit):
        return refuse(rule, "it is not the kind of army that the exchange needs")
    if s.unsupplied(unit) or not supplied(s, unit, net):
        return refuse(rule, "it is not supplied")
    if kind != "detach_mech" and len(s.stack(s.at[unit])) > 1:
        return refuse(rule, "it is stacked")
    return None


def _right_type(s: NoRetreatState, kind: str, unit: int) -> bool:
    counter, face = s.game.counters[unit], s.game.counters[unit].faces[s.face[unit]]
    if kind == "detach_mech":
        return counter.nation == "German" and face.type == "armor" and s.face[unit] == 0
    wanted = (4, 4) if kind == "detach" else (4, 3)
    nation = "German" if kind == "detach" else "Soviet"
    return counter.nation == nation and face.type == "infantry" and (face.strength, face.move) == wanted


def placements(s: NoRetreatState) -> list[Action]:
    """Exchanges that the phasing side could make now."""
    kinds = ("detach", "detach_mech") if s.player == AXIS else ("fortify_front",)
    if not s.options["detachments" if s.player == AXIS else "fortified_fronts"]:
        return []
    net = supply_net(s, s.player)
    return [s.game.act[kind][u] for kind in kinds for u in s.army(s.player) if not exchange_rule(s, kind, u, net)]


def why_not_place(s: NoRetreatState, action: Action) -> list[Citation]:
    reason = exchange_rule(s, action.kind, number(action), supply_net(s, s.player))
    return [reason] if reason else []


def place(s: NoRetreatState, action: Action) -> None:
    """Make the exchange; the new units go into the hex or next to it."""
    game, unit, node = s.game, number(action), s.at[number(action)]
    if action.kind == "detach_mech":
        s.flags |= MECH_DETACHED
        s.turn_over(unit)
        names = ["Mech Detachment"]
    elif action.kind == "detach":
        s.flags |= INFANTRY_DETACHED
        s.out_of_play(unit)
        names = ["Detachment A", "Detachment B"]
    else:
        s.flags |= FRONTS_FORTIFIED
        s.out_of_play(unit)
        names = ["Fortified Front 1", "Fortified Front 2"]
    rule = "15.2" if action.kind == "fortify_front" else "15.1"
    s.log("exchange", "{unit} is broken down", rule, unit=unit)
    s.queue(*(("option.exchange", game.unit(name), node, rule) for name in names))


def exchange_hexes(s: NoRetreatState, unit: int, node: int) -> list[int]:
    """The army's own hex, or an adjacent one that is not in an enemy zone."""
    side, charts = s.game.side_of[unit], s.game.charts
    near = [n for n in charts.beside[node] if n < s.game.board.hexes and not s.zone[1 - side][n]]
    return [n for n in (node, *near) if not s.held[1 - side][n] and room(s, unit, n)]


@flow.step("option.exchange")
def exchange(s: NoRetreatState, unit: int, node: int, rule: str) -> None:
    if exchange_hexes(s, unit, node):
        s.push("option.detachment", unit, node, rule)


@flow.choice
class PlaceDetachment(Choice[NoRetreatState]):
    name = "option.detachment"
    rules = ("15.1", "15.2")

    def side(self, s: NoRetreatState, unit: int, node: int, rule: str) -> int:
        return s.game.side_of[unit]

    def prompt(self, s: NoRetreatState, unit: int, node: int, rule: str) -> str:
        return f"Where is {s.game.unit_names[unit]} placed?"

    def legal(self, s: NoRetreatState, unit: int, node: int, rule: str) -> list[Action]:
        return [s.game.act["place"][unit, n] for n in exchange_hexes(s, unit, node)]

    def do(self, s: NoRetreatState, action: Action, unit: int, node: int, rule: str) -> None:
        s.pop()
        s.put(unit, number(action, 1))
        s.log("place", "{unit} is placed in {hex}", rule, unit=unit, hex=number(action, 1))

    def why_not(self, s: NoRetreatState, action: Action, unit: int, node: int, rule: str) -> list[Citation]:
        return [refuse(rule, "in the army's hex, or next to it and not in an enemy zone")]


# ---------------------------------------------------------------------- 15.3 Local Combat Support


def support_bonus(s: NoRetreatState, unit: int) -> int:
    """15.3.a: the Axis marker is worth 2, the Soviet 1; from turn 11 the other way round."""
    if unit not in s.local:
        return 0
    late = s.turn >= s.game.tank_turn
    return 2 - late if s.game.side_of[unit] == AXIS else 1 + late


def lift_support(s: NoRetreatState) -> None:
    """15.3.b: the marker stays until its unit's next Movement Phase."""
    s.local = (NOWHERE, s.local[SOVIET]) if s.player == AXIS else (s.local[AXIS], NOWHERE)


@flow.step("local.support")
def offer_support(s: NoRetreatState) -> None:
    if s.options["local_support"]:
        s.push("local.give")


@flow.choice
class GiveSupport(Choice[NoRetreatState]):
    name = "local.give"
    rules = ("15.3.a",)

    def side(self, s: NoRetreatState) -> int:
        return s.player

    def prompt(self, s: NoRetreatState) -> str:
        return "Put the Local Combat Support marker on a supplied unit, or pass."

    def legal(self, s: NoRetreatState) -> list[Action]:
        act, net = s.game.act, supply_net(s, s.player)
        units = [unit for unit in s.army(s.player) if not s.unsupplied(unit) and supplied(s, unit, net)]
        return [*(act["local"][unit] for unit in units), act["pass"][()]]

    def do(self, s: NoRetreatState, action: Action) -> None:
        s.pop()
        if action.kind == "local":
            unit = number(action)
            s.local = (unit, s.local[SOVIET]) if s.player == AXIS else (s.local[AXIS], unit)
            s.log("support", "{unit} gets Local Combat Support", "15.3.a", unit=unit)

    def why_not(self, s: NoRetreatState, action: Action) -> list[Citation]:
        return [refuse("15.3.a", "only a supplied unit of yours")] if action.kind == "local" else []


# ---------------------------------------------------------------------- 15.5 Faster Reorganization


@flow.choice
class FasterReorganization(Choice[NoRetreatState]):
    """15.5: a card whose own event bears the Initiative's symbol takes off a second marker."""

    name = "org.faster"
    rules = ("15.5", "7.10")

    def side(self, s: NoRetreatState) -> int:
        return s.player

    def prompt(self, s: NoRetreatState) -> str:
        return "Discard a card for the reorganization."

    def legal(self, s: NoRetreatState) -> list[Action]:
        return spendable(s, s.player)

    def do(self, s: NoRetreatState, action: Action) -> None:
        s.pop()
        card = number(action) >> 1
        discard(s, s.player, card)
        symbol = s.game.cards[card].halves[s.player].symbol
        twice = symbol == ("cross" if s.initiative == AXIS else "star")
        if twice and any(s.disorganized(unit) for unit in s.army(s.player)):
            s.push("org.reorganize", 1)
        else:
            s.push("org.reorganizing")


# ---------------------------------------------------------------------- 15.6 No Surrender


def no_surrender(s: NoRetreatState, side: int, margin: int) -> None:
    """15.6: instead of losing, the other side discards a random card and draws up to two fewer."""
    loser = 1 - side
    cards = [card for card in range(1, 64) if s.hands[loser] & ~s.game.joker_bit & 1 << card]
    if cards:
        discard(s, loser, s.draw(cards))
    fewer = min(2, margin)
    if fewer:
        loss = s.draw_loss[loser] + fewer
        s.draw_loss = (loss, s.draw_loss[SOVIET]) if loser == AXIS else (s.draw_loss[AXIS], loss)
    s.log("no_surrender", "{side} will draw {n} fewer", "15.6", side=loser, n=fewer)


# ---------------------------------------------------------------------- 15.8 Rezervy


def lone_reserves(s: NoRetreatState) -> None:
    """15.8: not stacked at the end of a Movement Phase, it goes to the Destroyed box."""
    unit = s.game.rezervy
    if s.on_map(unit) and len(s.stack(s.at[unit])) == 1:
        s.to_box(unit, "Destroyed")
        s.log("rezervy", "{unit} stands alone and is destroyed", "15.8", unit=unit)


# ---------------------------------------------------------------------- 15.9 Paratroops and partisans


def offer_partisans(s: NoRetreatState) -> None:
    """15.9: in the Soviet Detraining Phase of a turn that is not Clear."""
    ready = s.options["partisans"] and s.partisan[1] == NOWHERE and s.turn >= s.partisan[0]
    if s.player == SOVIET and ready and s.sky != CLEAR and partisan_targets(s):
        s.push("option.partisans")


def partisan_targets(s: NoRetreatState) -> list[int]:
    """Axis units in the USSR next to a supplied Soviet unit."""
    net, charts = supply_net(s, SOVIET), s.game.charts
    found = []
    for unit in s.army(AXIS):
        node = s.at[unit]
        if charts.in_ussr[node] and not s.disorganized(unit):
            beside = [u for n in charts.beside[node] if s.held[SOVIET][n] for u in s.stack(n)]
            if any(not s.unsupplied(u) and supplied(s, u, net) for u in beside):
                found.append(unit)
    return found


@flow.choice
class Partisans(Choice[NoRetreatState]):
    name = "option.partisans"
    rules = ("15.9",)

    def side(self, s: NoRetreatState) -> int:
        return SOVIET

    def prompt(self, s: NoRetreatState) -> str:
        return "Put the Paratroop/Partisan marker on an Axis unit, or pass."

    def legal(self, s: NoRetreatState) -> list[Action]:
        act = s.game.act
        return [*(act["partisans"][unit] for unit in partisan_targets(s)), act["pass"][()]]

    def do(self, s: NoRetreatState, action: Action) -> None:
        s.pop()
        if action.kind == "partisans":
            unit = number(action)
            s.partisan = (s.turn, unit)
            s.mark(unit, DISORGANIZED)
            s.log("partisans", "partisans disorganize {unit}", "15.9", unit=unit)

    def why_not(self, s: NoRetreatState, action: Action) -> list[Citation]:
        return [refuse("15.9", "only an Axis unit in the USSR next to a supplied Soviet unit")]


def partisans_leave(s: NoRetreatState) -> None:
    """15.9: off in the Axis Removal Phase, back four turns later."""
    if s.partisan[1] != NOWHERE and s.player == AXIS:
        s.partisan = (s.turn + 4, NOWHERE)


# ---------------------------------------------------------------------- 15.11 Variable Card Initiative


@flow.step("option.initiative")
def offer_initiative(s: NoRetreatState) -> None:
    """15.11: one Event VP in each Victory Phase moves the Initiative counter by one turn."""
    if not s.options["variable_initiative"]:
        return
    if s.turn == s.game.shift_turn:
        s.initiative_counter = s.game.shift_turn
    side = SOVIET if s.turn < s.game.shift_turn else AXIS
    free = s.event_vp < s.game.event_cap if side == SOVIET else s.event_vp > -s.game.event_cap
    later = s.initiative_counter > 1 if side == SOVIET else s.initiative_counter < len(s.game.turns) - 1
    if free and later:
        s.push("option.shift", side)


@flow.choice
class ShiftInitiative(Choice[NoRetreatState]):
    name = "option.shift"
    rules = ("15.11.a", "15.11.b")

    def side(self, s: NoRetreatState, side: int) -> int:
        return side

    def prompt(self, s: NoRetreatState, side: int) -> str:
        return "Pay one Event VP to move the Initiative counter, or pass."

    def legal(self, s: NoRetreatState, side: int) -> list[Action]:
        return [s.game.act["shift"][()], s.game.act["pass"][()]]

    def do(self, s: NoRetreatState, action: Action, side: int) -> None:
        s.pop()
        if action.kind == "shift":
            s.event_vp += 1 if side == SOVIET else -1
            s.initiative_counter += -1 if side == SOVIET else 1
            rule = "15.11.a" if side == SOVIET else "15.11.b"
            s.log("initiative", "the Initiative counter moves to turn {n}", rule, n=s.initiative_counter)
