"""Section 11.1: headquarters - overrun, orphaned and displaced."""

from __future__ import annotations

from collections.abc import Sequence

from counterblow.games.narva import supply
from counterblow.games.narva.state import ADRIFT, NarvaState, Units, flow
from counterblow.kernel.flow import ask
from counterblow.kernel.journey import Destination
from counterblow.kernel.rulebook import Citation, cited_as, refuse, refuse_if
from counterblow.kernel.state import NOWHERE

RETREAT, CROWD = flow.later("retreat.next_unit"), flow.later("retreat.crowd")

# ---------------------------------------------------------------------- 11.1.3, 11.1.4: overrun and displaced


def pass_along(s: NarvaState, unit: int, way: Sequence[int]) -> None:
    """A unit marches, retreats or advances hex by hex: it overruns lone HQs and takes victory hexes (13.1.1a)."""
    here, victory = s.here, s.game.victory_bits
    for node in way:
        if node in here:
            overrun(s, unit, node)
        if victory[node]:
            s.pass_through(unit, node)


def overrun(s: NarvaState, unit: int, node: int) -> None:
    """6.3.2b, 9.6.6, 11.1.4a, 11.1.4b: a combat unit that enters the hex of a lone enemy HQ displaces it."""
    stack = s.here.get(node)
    if not stack or s.game.side_of[stack[0]] == s.game.side_of[unit]:
        return
    for hq in stack:
        s.log("overrun", "{unit1} overruns {unit2} in {place}", "11.1.4a", unit1=unit, unit2=hq, place=node)
        displace(s, hq)


def orphaned(s: NarvaState, node: int) -> None:
    """11.1.3b: an HQ is displaced when every unit stacked with it is eliminated.

    While part of its stack is on the way it waits: ``hqs_follow`` decides then (11.1.1).
    """
    if node == NOWHERE or s.combat_units(node) or any(step[:2] == (hqs_follow, node) for step in s.agenda):
        return
    for hq in s.hqs(node):
        displace(s, hq)


def displace(s: NarvaState, hq: int) -> None:
    """11.1.3a: off the map, and back in a supplied hex of its owner's choice at least five hexes away."""
    origin = s.at[hq]
    s.log("displace", "{unit} is displaced from {place}", "11.1.3b", unit=hq, place=origin)
    s.lift(hq)
    s.pin[hq] = 0
    s.fate[hq] = ADRIFT
    s.push(search, hq, origin)


@flow.step
def search(s: NarvaState, hq: int, origin: int) -> None:
    """Ruling 49: with no hex to go to the HQ waits off the map."""
    if not s.pose(Displace, hq, origin):
        s.log("displace", "{unit} finds no place and waits off the map", "11.1.3a", unit=hq)


def barred_seats(s: NarvaState, hq: int) -> bytearray:
    """Per hex: may no HQ be placed there? Says the same as ``why_not_seat``."""
    game, at = s.game, s.at
    side = game.side_of[hq]
    barred = bytearray(game.ground.closed_to[game.classes[hq][1]])
    for other in (*game.hq_roster[side], *game.roster[1 - side]):
        if at[other] != NOWHERE and other != hq:
            barred[at[other]] = 1
    if game.units[hq].headquarters == "army":
        for other in game.army_hqs:
            if other != hq and s.at[other] != NOWHERE:
                for node in game.within(s.at[other], max(game.units[other].range, game.units[hq].range)):
                    barred[node] = 1
    return barred


def why_not_seat(s: NarvaState, hq: int, node: int) -> Citation | None:
    """Where an HQ may be placed at all (ruling 50)."""
    return (
        s.game.ground.why_not_enter(s.game.classes[hq][1], node)
        or refuse_if(s.owner(node) == 1 - s.game.side_of[hq], "6.3.2c", "enemy units are there")
        or refuse_if(any(other != hq for other in s.hqs(node)), "7.0a", "an HQ is there already")
        or why_not_span(s, hq, node)
    )


def why_not_span(s: NarvaState, hq: int, node: int) -> Citation | None:
    """4.2.5a: Soviet Army HQs never stand within each other's command range."""
    game = s.game
    if game.units[hq].headquarters != "army":
        return None
    for other in game.army_hqs:
        if other == hq or s.at[other] == NOWHERE:
            continue
        apart, span = game.distance(s.at[other], node), max(game.units[other].range, game.units[hq].range)
        if apart <= span:
            seat = f"{game.unit_names[other]} in {game.where(s.at[other])}"
            return refuse("4.2.5a", f"it would lie {apart} hexes from {seat}, and a command range is {span}")
    return None


class PlaceHq(Destination[NarvaState]):
    """An HQ is put down somewhere: the step's first argument is the HQ."""

    kind, returns = "place", False


@flow.choice
class Displace(PlaceHq):
    """11.1.3a: the owner places a displaced HQ."""

    def items(self, s: NarvaState, hq: int, origin: int) -> Sequence[int]:
        """11.1.3c: supplied hexes outside EZOC, far enough, without another HQ; Army HQs keep apart (4.2.5e)."""
        game, side, barred = s.game, s.game.side_of[hq], barred_seats(s, hq)
        if origin != NOWHERE:
            for node in game.within(origin, game.numbers["hq_displacement_min_hexes"] - 1):
                barred[node] = 1
        free = game.graph.at_most(supply.supplied_hexes(s, side), barred, 0)
        return game.graph.at_most(free, s.zone[1 - side], 0)

    def why_not_item(self, s: NarvaState, node: int, hq: int, origin: int) -> Citation | None:
        game = s.game
        near = origin != NOWHERE and game.distance(origin, node) < game.numbers["hq_displacement_min_hexes"]
        return (
            refuse_if(near, "11.1.3a", "it is displaced at least five hexes")
            or refuse_if(s.in_ezoc(node, game.side_of[hq]), "11.1.3a", "the hex lies in an enemy zone of control")
            or cited_as(why_not_seat(s, hq, node), "4.2.5a", "4.2.5e")
            or refuse("11.1.3a", "the hex is not supplied")
        )

    def take(self, s: NarvaState, node: int, hq: int, origin: int) -> None:
        s.bring(hq, node)
        s.log("displace", "{unit} sets up at {place}", "11.1.3a", unit=hq, place=node)


# ---------------------------------------------------------------------- 11.1.1: HQs retreat with their stack


@flow.step
def hqs_follow(s: NarvaState, origin: int, length: int, mates: Units, hqs: Units) -> None:
    """An HQ goes where one of its stack went, or stays with one that stayed; else it finds its own way (ruling 48)."""
    for hq in hqs:
        if not any(s.at[u] != NOWHERE for u in mates) and not s.combat_units(origin):
            displace(s, hq)  # 11.1.3b
        elif refuges(s, hq, origin, mates):
            s.push(ask, Follow, hq, origin, mates)
        else:
            s.push(RETREAT, origin, length, (hq,), ())


def refuges(s: NarvaState, hq: int, origin: int, mates: Units) -> list[int]:
    """Where the units of its stack are now, as far as the HQ may go there."""
    game = s.game
    places = {s.at[unit] for unit in mates if s.at[unit] != NOWHERE}
    if s.combat_units(origin):
        places.add(origin)
    return sorted(node for node in places if game.ground.open_to[game.classes[hq][1]][node])


@flow.choice
class Follow(PlaceHq):
    """11.1.1: with which unit the HQ retreats."""

    otherwise = refuse("11.1.1", "it retreats with a unit of its stack")

    def items(self, s: NarvaState, hq: int, origin: int, mates: Units) -> Sequence[int]:
        return refuges(s, hq, origin, mates)

    def take(self, s: NarvaState, node: int, hq: int, origin: int, mates: Units) -> None:
        if node == origin:
            return
        s.log("retreat", "{unit} retreats {path}", "11.1.1", unit=hq, path=(origin, node))
        s.pin[hq] = 0  # 2.5.1k
        s.put(hq, node)
        s.push(CROWD, origin, node, (hq,))
