"""Chapter 15: the optional rules, each behind its own switch."""

from __future__ import annotations

from counterblow.games.noretreat.cards import Spend, discard, discard_random
from counterblow.games.noretreat.components import AXIS, CLEAR, DISORGANIZED, SOVIET
from counterblow.games.noretreat.stacking import why_no_room
from counterblow.games.noretreat.state import (
    FRONTS_FORTIFIED,
    INFANTRY_DETACHED,
    MECH_DETACHED,
    NOWHERE,
    NoRetreatState,
    flow,
    pair,
)
from counterblow.games.noretreat.supply import in_supply
from counterblow.kernel.flow import ask
from counterblow.kernel.journey import NamedDestination
from counterblow.kernel.pick import Deed, Pick
from counterblow.kernel.rulebook import Citation, refuse, refuse_if


def arrivals(s: NoRetreatState) -> None:
    """15.8: the Rezervy unit appears in the Destroyed box."""
    unit = s.game.rezervy
    if s.mover == SOVIET and s.on_track(unit) and s.due[unit] <= s.turn:
        s.to_box(unit, "Destroyed")
        s.log("rezervy", "{unit} appears in the Destroyed box", "15.8", unit=unit)


# ---------------------------------------------------------------------- 15.1, 15.2 exchanges


class Exchange(Pick[NoRetreatState]):
    """An army is broken down, once a game; part of the Placement Step."""

    stays = True

    def __init__(self, kind: str, owner: int, option: str, flag: int, rule: str, *names: str) -> None:
        self.kind, self.owner, self.option, self.flag, self.rule = kind, owner, option, flag, rule
        self.names = names  # of the units that come in its place

    def candidates(self, s: NoRetreatState) -> list[int]:
        return s.army(self.owner) if s.options[self.option] and s.mover == self.owner else []

    def why_not_item(self, s: NoRetreatState, unit: int) -> Citation | None:
        game, rule = s.game, self.rule
        own = s.mover == self.owner == game.side_of[unit] and s.on_map(unit)
        stacked = self.kind != "detach_mech" and len(s.stack(s.at[unit])) > 1
        return (
            refuse_if(not s.options[self.option], rule, "this optional rule is not used")
            or refuse_if(not own, rule, "it is not a unit of yours on the map")
            or refuse_if(s.flags & self.flag, rule, "once per game")
            or refuse_if(s.turn < int(game.counters[game.unit(self.names[0])].arrives), rule, "it is too early")
            or refuse_if(not self._right_type(s, unit), rule, "it is not the kind of army that the exchange needs")
            or refuse_if(not in_supply(s, unit), rule, "it is not supplied")
            or refuse_if(stacked, rule, "it is stacked")
        )

    def _right_type(self, s: NoRetreatState, unit: int) -> bool:
        counter, face = s.game.counters[unit], s.game.counters[unit].faces[s.face[unit]]
        if self.kind == "detach_mech":
            return counter.nation == "German" and face.type == "armor" and s.face[unit] == 0
        nation, values = ("German", (4, 4)) if self.owner == AXIS else ("Soviet", (4, 3))
        return counter.nation == nation and face.type == "infantry" and (face.strength, face.move) == values

    def take(self, s: NoRetreatState, unit: int) -> None:
        """The army, or a step of it, goes; the new units come into the hex or next to it."""
        node = s.at[unit]
        s.flags |= self.flag
        if self.kind == "detach_mech":
            s.turn_over(unit)
        else:
            s.out_of_play(unit)
        s.log("exchange", "{unit} in {place} is broken down", self.rule, unit=unit, place=node)
        s.queue(*((come_apart, s.game.unit(name), node, self.rule) for name in self.names))


EXCHANGES: tuple[Exchange, ...] = (
    Exchange("detach", AXIS, "detachments", INFANTRY_DETACHED, "15.1", "Detachment A", "Detachment B"),
    Exchange("detach_mech", AXIS, "detachments", MECH_DETACHED, "15.1", "Mech Detachment"),
    Exchange("fortify_front", SOVIET, "fortified_fronts", FRONTS_FORTIFIED, "15.2", "Fortified Front 1",
             "Fortified Front 2"),
)  # fmt: skip


@flow.step
def come_apart(s: NoRetreatState, unit: int, node: int, rule: str) -> None:
    """One of the new units is placed, if there is a hex for it."""
    if PlaceDetachment().nodes(s, unit, node, rule):
        s.push(PlaceDetachment, unit, node, rule)


@flow.choice
class PlaceDetachment(NamedDestination[NoRetreatState]):
    kind, returns = "place", False

    def why_not_unit(self, s: NoRetreatState, other: int, unit: int, node: int, rule: str) -> Citation:
        return refuse(rule, f"it is {s.game.unit_names[unit]} that is placed now")

    def nodes(self, s: NoRetreatState, unit: int, home: int, rule: str) -> list[int]:
        """The army's own hex, or an adjacent one that is not in an enemy zone."""
        near = (home, *s.game.charts.beside[home])
        return [node for node in near if self.why_not_node(s, node, unit, home, rule) is None]

    def why_not_node(self, s: NoRetreatState, node: int, unit: int, home: int, rule: str) -> Citation | None:
        enemy, near = 1 - s.game.side_of[unit], (home, *s.game.charts.beside[home])
        beyond = node >= s.game.board.hexes or node not in near
        return (
            refuse_if(beyond, rule, f"it is neither {s.game.where(home)}, the army's hex, nor next to it")
            or refuse_if(s.held[enemy][node], "8.4.a", "an enemy unit is there")
            or refuse_if(node != home and s.zone[enemy][node], rule, "the hex is in an enemy zone of control")
            or why_no_room(s, unit, node)
        )

    def arrive(self, s: NoRetreatState, node: int, unit: int, home: int, rule: str) -> None:
        s.put(unit, node)
        s.log("place", "{unit} is placed in {place}", rule, unit=unit, place=node)


# ---------------------------------------------------------------------- 15.3 Local Combat Support


def support_bonus(s: NoRetreatState, unit: int) -> int:
    """15.3.a: the Axis marker is worth 2, the Soviet 1; from turn 11 the other way round."""
    if unit not in s.local:
        return 0
    late = s.turn >= s.game.tank_turn
    return 2 - late if s.game.side_of[unit] == AXIS else 1 + late


@flow.choice
class GiveSupport(Pick[NoRetreatState]):
    kind, passing = "local", "pass"

    def candidates(self, s: NoRetreatState) -> list[int]:
        return s.army(s.mover)

    def why_not_item(self, s: NoRetreatState, unit: int) -> Citation | None:
        own = s.game.side_of[unit] == s.mover and s.on_map(unit)
        other = refuse_if(not own, "15.3.a", "it is no unit of yours on the map")
        return other or refuse_if(not in_supply(s, unit), "15.3.a", "it is not supplied")

    def take(self, s: NoRetreatState, unit: int) -> None:
        s.local = pair(s.local, s.mover, unit)
        s.log("support", "{unit} in {place} gets Local Combat Support", "15.3.a", unit=unit, place=s.at[unit])


# ---------------------------------------------------------------------- 15.5 Faster Reorganization

REORGANIZE = flow.later("organization.Reorganize")


@flow.choice
class FasterReorganization(Spend):
    """15.5: a card whose own event bears the Initiative's symbol takes off a second marker."""

    def take(self, s: NoRetreatState, event: int, side: int, number: int, why: str) -> None:
        discard(s, side, event >> 1)
        s.push(ask, REORGANIZE, 0)
        if s.game.halves[event].symbol == ("cross" if s.initiative == AXIS else "star"):
            s.push(ask, REORGANIZE, 1)


# ---------------------------------------------------------------------- 15.6 No Surrender


def no_surrender(s: NoRetreatState, side: int, margin: int) -> None:
    """15.6: instead of losing, the other side discards a random card and draws up to two fewer."""
    loser = 1 - side
    discard_random(s, loser)
    fewer = min(2, margin)
    s.draw_loss = pair(s.draw_loss, loser, s.draw_loss[loser] + fewer)
    s.log("no_surrender", "{n} fewer will be drawn by {who}", "15.6", who=loser, n=fewer)


# ---------------------------------------------------------------------- 15.8 Rezervy


def lone_reserves(s: NoRetreatState) -> None:
    """15.8: not stacked at the end of a Movement Phase, it goes to the Destroyed box."""
    unit = s.game.rezervy
    if s.on_map(unit) and len(s.stack(s.at[unit])) == 1:
        s.to_box(unit, "Destroyed")
        s.log("rezervy", "{unit} stands alone and is destroyed", "15.8", unit=unit)


# ---------------------------------------------------------------------- 15.9 Paratroops and partisans


@flow.choice
class Partisans(Pick[NoRetreatState]):
    """15.9: in the Soviet Detraining Phase of a turn that is not Clear, if the marker is there."""

    kind, passing = "partisans", "pass"

    def candidates(self, s: NoRetreatState) -> list[int]:
        ready = s.partisan[1] == NOWHERE and s.turn >= s.partisan[0] and s.sky != CLEAR
        return s.army(AXIS) if ready else []

    def why_not_item(self, s: NoRetreatState, unit: int) -> Citation | None:
        charts, node = s.game.charts, s.at[unit]
        in_ussr = s.game.side_of[unit] == AXIS and s.on_map(unit) and charts.in_ussr[node]
        beside = [u for n in charts.beside[node] if s.held[SOVIET][n] for u in s.stack(n)]
        return (
            refuse_if(not in_ussr, "15.9", "only an Axis unit in the USSR")
            or refuse_if(s.disorganized(unit), "15.9", "it is Disorganized already")
            or refuse_if(not any(in_supply(s, u) for u in beside), "15.9", "no supplied Soviet unit is next to it")
        )

    def take(self, s: NoRetreatState, unit: int) -> None:
        s.partisan = (s.turn, unit)
        s.mark(unit, DISORGANIZED)
        s.log("partisans", "partisans disorganize {unit} in {place}", "15.9", unit=unit, place=s.at[unit])


# ---------------------------------------------------------------------- 15.11 Variable Card Initiative


@flow.step
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
        s.push(ShiftInitiative, side)


@flow.choice
class ShiftInitiative(Deed[NoRetreatState]):
    kind, passing, sided = "shift", "pass", True

    def perform(self, s: NoRetreatState, side: int) -> None:
        s.event_vp += 1 if side == SOVIET else -1
        s.initiative_counter += -1 if side == SOVIET else 1
        rule = "15.11.a" if side == SOVIET else "15.11.b"
        s.log("initiative", "the Initiative counter moves to turn {n}", rule, n=s.initiative_counter)
