"""Chapter 9: rail movement, and the Soviet Strategic Reserve (14.12)."""

from __future__ import annotations

from collections.abc import Iterator

from counterblow.games.noretreat.cards import charge, hand_count
from counterblow.games.noretreat.components import AXIS, SOVIET
from counterblow.games.noretreat.options import Partisans
from counterblow.games.noretreat.special import pass_through
from counterblow.games.noretreat.stacking import check_stacking, room, why_no_room
from counterblow.games.noretreat.state import NoRetreatState, flow, why_not_own
from counterblow.games.noretreat.supply import city_traces, friendly_cities, supplied, supply_net
from counterblow.kernel.actions import Action
from counterblow.kernel.flow import ask
from counterblow.kernel.journey import NamedDestination
from counterblow.kernel.masks import bits
from counterblow.kernel.pick import Pick
from counterblow.kernel.rulebook import Citation, refuse, refuse_if

# ---------------------------------------------------------------------- 9.1 entraining


def free_entrainments(s: NoRetreatState) -> int:
    """9.1.a; none for the Axis on turns 1 and 2 (9.1.3, 13.5.1-2)."""
    limited = "limited_rail" in s.game.in_force[s.turn]
    return 0 if limited and s.mover == AXIS else s.game.number["free_entrainments"]


def why_not_entrain(s: NoRetreatState, unit: int) -> Citation | None:
    """9.1.a, 9.1.b: a supplied mobile unit, in a port too, while the box has room and a train is free or paid for."""
    full = len(s.stack(s.game.boxes[s.mover]["Rail"])) >= s.game.number["rail_box_capacity"]
    by_sea = s.sea_lift and s.game.charts.baltic[s.at[unit]]
    paid = not by_sea and not s.rail
    limited, poor = paid and "limited_rail" in s.game.in_force[s.turn], paid and not hand_count(s, s.mover)
    return (
        refuse_if(not s.game.move[s.face[unit]][unit], "9.0", "fort units do not entrain")
        or refuse_if(full, "9.1.2", "the Rail Movement Box holds three units")
        or refuse_if(s.unsupplied(unit) and not by_sea, "6.5.2.b", "an Unsupplied unit cannot entrain")
        or refuse_if(limited, "9.1.3", "rail moves are limited on turns 1 and 2")
        or refuse_if(poor, "9.1.1", "a further entrainment costs one card, and the hand is empty")
    )


def entrain(s: NoRetreatState, unit: int) -> None:
    """9.1.a, 9.1.1: instead of any other movement."""
    s.log("entrain", "{unit} entrains in {place}", "9.1.a", unit=unit, place=s.at[unit])
    by_sea = s.sea_lift > 0 and s.game.charts.baltic[s.at[unit]]
    s.to_box(unit, "Rail")
    if by_sea:
        s.sea_lift -= 1
    elif s.rail:
        s.rail -= 1
    else:
        charge(s, s.mover, s.game.number["extra_entrainment"], "9.1.1")


# ---------------------------------------------------------------------- 14.12 Strategic Reserve


@flow.choice
class SetReserve(Pick[NoRetreatState]):
    """14.12.1: at the very end of a Soviet Movement Phase, from turn 4."""

    kind, passing = "reserve", "pass"

    def candidates(self, s: NoRetreatState) -> list[int]:
        return [*s.in_box(SOVIET, "Rail"), *s.army(SOVIET)]

    def why_not_item(self, s: NoRetreatState, unit: int) -> Citation | None:
        box = s.stack(s.game.boxes[SOVIET]["Rail"])
        if unit in box:
            return refuse_if(unit == s.reserve, "14.12.1", "the marker is on it already")
        return (
            refuse_if(s.game.side_of[unit] != SOVIET, "14.12.1", "only a Soviet unit")
            or refuse_if(not s.on_map(unit), "14.12.1", "it is neither on the map nor in the Rail Movement Box")
            or refuse_if(not s.game.move[s.face[unit]][unit], "9.0", "fort units do not entrain")
            or refuse_if(not supplied(s, unit), "14.12.1", "it is not supplied")
            or refuse_if(
                len(box) >= s.game.number["rail_box_capacity"], "9.1.2", "the Rail Movement Box holds three units"
            )
        )

    def take(self, s: NoRetreatState, unit: int) -> None:
        if s.on_map(unit):
            s.to_box(unit, "Rail")
        s.reserve = unit
        s.log("reserve", "{unit} goes into the Strategic Reserve", "14.12.1", unit=unit)


# ---------------------------------------------------------------------- 9.2 detraining


def detrain_cities(s: NoRetreatState, unit: int) -> Iterator[int]:
    """9.2.b: friendly cities with an Overland path, even in an enemy zone, if not captured in this player turn."""
    charts, side = s.game.charts, s.game.side_of[unit]
    enemy = s.held[1 - side]
    for site in bits(friendly_cities(s, side) & ~s.captured):
        node = charts.site_node[site]
        if not enemy[node] and city_traces(s, side, site) and room(s, unit, node):
            yield node


def detrain_field(s: NoRetreatState, unit: int) -> list[int]:
    """9.2.c: hexes within three of a supply source, neither in an enemy zone nor next to an enemy city."""
    charts, side, here = s.game.charts, s.game.side_of[unit], s.here
    zone, inland, lines = s.zone[1 - side], charts.open_country, supply_net(s, side).reach
    hostile, cities_near = (s.sites if side == AXIS else ~s.sites), charts.cities_near
    near = s.game.number["detrain_range"] + 1
    return [
        node
        for node in charts.graph.reached(lines)
        if inland[node]
        and lines[node] <= near
        and not zone[node]
        and not cities_near[node] & hostile
        and (node not in here or room(s, unit, node))
    ]


def can_detrain(s: NoRetreatState, unit: int) -> bool:
    """Is there a hex for it? Nearly always a city, so that is asked first."""
    return next(detrain_cities(s, unit), None) is not None or bool(detrain_field(s, unit))


@flow.step
def detraining_phase(s: NoRetreatState) -> None:
    """4.7: the phasing side's units come back; then the Strategic Reserve may (14.12.2), and partisans."""
    if s.options["partisans"] and s.mover == SOVIET:
        s.push(ask, Partisans)
    trains = s.in_box(SOVIET, "Rail")
    if s.mover == AXIS and s.reserve in trains:
        s.push(ask, Detrain, SOVIET, tuple(unit for unit in trains if unit != s.reserve))
    if s.stack(s.game.boxes[s.mover]["Rail"]):
        s.queue((ask, Detrain, s.mover, ()), (check_stacking,))


@flow.choice
class Detrain(Pick[NoRetreatState]):
    """9.2.a: none, some or all; ``staying`` are units that cannot come now."""

    kind, passing, stays, sided = "alight", "done", True, True

    def candidates(self, s: NoRetreatState, side: int, staying: tuple[int, ...]) -> tuple[int, ...]:
        return s.in_box(side, "Rail")

    def why_not_item(self, s: NoRetreatState, unit: int, side: int, staying: tuple[int, ...]) -> Citation | None:
        owner, aboard = s.game.side_of[unit], s.at[unit] == s.game.boxes[side]["Rail"]
        reserve = "only the Strategic Reserve comes back in the enemy's Detraining Phase"
        return (
            (why_not_own(s, unit, side) if side != s.mover else None)
            or refuse_if(owner != side, "9.2.d", "units detrain in their owner's Detraining Phase")
            or refuse_if(not aboard, "9.2.a", "it is not in the Rail Movement Box")
            or refuse_if(unit in staying, "14.12.2", reserve)
            or refuse_if(not can_detrain(s, unit), "9.2.c", "there is no hex in which it can detrain")
        )

    def undone(self, s: NoRetreatState, side: int, staying: tuple[int, ...]) -> str:
        aboard = [s.game.unit_names[unit] for unit in self.items(s, side, staying)]
        return f"{', '.join(aboard)} would stay in the Rail Movement Box" if aboard else ""

    def take(self, s: NoRetreatState, unit: int, side: int, staying: tuple[int, ...]) -> None:
        s.push(DetrainHex, unit)

    def why_not(self, s: NoRetreatState, action: Action, side: int, staying: tuple[int, ...]) -> list[Citation]:
        if action.kind != "detrain":
            return super().why_not(s, action, side, staying)
        unit, node = action.args
        reason = self.why_not_item(s, unit, side, staying) or why_not_detrain(s, unit, node)
        return [reason] if reason else []


class Alighting(NamedDestination[NoRetreatState]):
    """A unit comes out of the Rail box by the rules of 9.2."""

    kind = "detrain"

    def nodes(self, s: NoRetreatState, unit: int) -> list[int]:
        return [*detrain_cities(s, unit), *detrain_field(s, unit)]

    def why_not_item(self, s: NoRetreatState, item: tuple[int, int], unit: int, *args: int) -> Citation | None:
        if item[0] == unit:
            return why_not_detrain(s, *item)
        reason = Detrain().why_not_item(s, item[0], s.game.side_of[unit], ())
        return reason or refuse("9.2.a", f"first {s.game.unit_names[unit]} detrains")

    def arrive(self, s: NoRetreatState, node: int, unit: int) -> None:
        s.take_off(unit)
        s.put(unit, node)
        s.log("detrain", "{unit} detrains in {place}", "9.2.a", unit=unit, place=node)
        pass_through(s, unit, node)


@flow.choice
class DetrainHex(Alighting):
    def arrive(self, s: NoRetreatState, node: int, unit: int) -> None:
        s.push(ask, *s.pop())  # the choice of the next unit, if one is left
        super().arrive(s, node, unit)


@flow.choice
class DetrainNow(Alighting):
    """Maskirovka (card 4): the event is played."""

    returns = False


def why_not_detrain(s: NoRetreatState, unit: int, node: int) -> Citation | None:
    charts, side = s.game.charts, s.game.side_of[unit]
    land = node < s.game.board.hexes and charts.is_land(node)
    own_city = charts.is_city(node) and s.controls(side, charts.site_at[node])
    return (
        refuse_if(not land, "9.2.c", "that is no land on the map")
        or refuse_if(s.held[1 - side][node], "8.4.a", "an enemy unit is there")
        or (_why_not_city(s, side, charts.site_at[node]) if own_city else _why_not_field(s, side, node))
        or why_no_room(s, unit, node)
    )


def _why_not_city(s: NoRetreatState, side: int, site: int) -> Citation | None:
    captured = refuse_if(s.captured >> site & 1, "9.2.b", "the city was captured in this player turn")
    return captured or refuse_if(not city_traces(s, side, site), "9.2.b", "the city has no Overland Supply Path")


def _why_not_field(s: NoRetreatState, side: int, node: int) -> Citation | None:
    around = [n for n in (node, *s.game.board.around[node]) if s.game.charts.is_city(n)]
    hostile = [n for n in around if not s.controls(side, s.game.charts.site_at[n])]
    near = 0 < supply_net(s, side).reach[node] <= s.game.number["detrain_range"] + 1
    return (
        refuse_if(node in hostile, "9.2.c", "it is an enemy city")
        or (refuse("9.2.c", f"it is next to an enemy city, {s.game.where(hostile[0])}") if hostile else None)
        or refuse_if(s.zone[1 - side][node], "9.2.c", "it is in an enemy zone of control")
        or refuse_if(
            not near, "9.2.c", "no supplied city or friendly map edge is within three hexes by an Overland path"
        )
    )
