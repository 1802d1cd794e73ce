"""Section 11.1: headquarters - overrun, orphaned and displaced."""

from __future__ import annotations

from counterblow.games.narva import supply
from counterblow.games.narva.components import HQ
from counterblow.games.narva.state import ADRIFT, ELIMINATED, NarvaChoice, NarvaState, flow, named
from counterblow.kernel.actions import Action
from counterblow.kernel.rulebook import Citation, refuse
from counterblow.kernel.state import NOWHERE


def overrun(s: NarvaState, unit: int, node: int) -> None:
    """6.3.2b, 9.6.6, 11.1.4: a combat unit that enters the hex of a lone enemy HQ displaces it."""
    stack = s.here.get(node)
    if not stack or s.game.side_of[stack[0]] == s.game.side_of[unit]:
        return
    for hq in stack:
        s.log("overrun", "{unit1} overruns {unit2}", "11.1.4a", unit1=unit, unit2=hq)
        displace(s, hq)


def orphaned(s: NarvaState, node: int) -> None:
    """11.1.3b: an HQ is displaced when every unit stacked with it is eliminated.

    While part of its stack is on the way it waits: ``retreat.hqs`` decides then (11.1.1).
    """
    if node == NOWHERE or s.combat_units(node) or any(step[:2] == ("retreat.hqs", node) for step in s.agenda):
        return
    for hq in s.hqs(node):
        displace(s, hq)


def displace(s: NarvaState, hq: int) -> None:
    """11.1.3a: off the map, and back in a supplied hex of its owner's choice at least five hexes away."""
    origin = s.at[hq]
    s.lift(hq)
    s.pin[hq] = 0
    s.fate[hq] = ADRIFT
    s.log("displace", "{unit} is displaced from {hex}", "11.1.3b", unit=hq, hex=origin)
    find_place(s, hq, origin)


def find_place(s: NarvaState, hq: int, origin: int) -> None:
    s.push("hq.search", hq, origin)


@flow.step("hq.search")
def search(s: NarvaState, hq: int, origin: int) -> None:
    """Ruling 49: with no hex to go to the HQ waits off the map."""
    if s.fate[hq] != ADRIFT:
        return
    if havens(s, hq, origin):
        s.push("hq.displace", hq, origin)
    else:
        s.log("displace", "{unit} finds no place and waits off the map", "11.1.3a", unit=hq)


def havens(s: NarvaState, hq: int, origin: int) -> list[int]:
    """11.1.3a-c: supplied hexes outside EZOC, far enough, without another HQ; Army HQs keep apart (4.2.5e)."""
    game = s.game
    zone, free = s.zone[1 - game.side_of[hq]], seats(s, hq)
    if origin >= 0:
        for node in game.within(origin, game.numbers["hq_displacement_min_hexes"] - 1):
            free[node] = 0
    return [node for node in supply.supplied_hexes(s, game.side_of[hq]) if free[node] and not zone[node]]


def seats(s: NarvaState, hq: int) -> bytearray:
    """Per hex: may an HQ be placed there? Says the same as ``seat_refusal``."""
    game = s.game
    side = game.side_of[hq]
    free = bytearray(game.ground.open_to[game.classes[hq][1]])
    for other in (*game.hq_roster[side], *game.roster[1 - side]):
        if s.at[other] != NOWHERE and other != hq:
            free[s.at[other]] = 0
    if game.units[hq].headquarters == "army":
        for other in game.army_hqs:
            if other != hq and s.at[other] != NOWHERE:
                for node in game.within(s.at[other], max(game.units[other].range, game.units[hq].range)):
                    free[node] = 0
    return free


def haven_refusal(s: NarvaState, hq: int, origin: int, node: int) -> list[Citation]:
    game = s.game
    if origin >= 0 and game.distance(origin, node) < game.numbers["hq_displacement_min_hexes"]:
        return [refuse("11.1.3a", "it is displaced at least five hexes")]
    if s.in_ezoc(node, game.side_of[hq]):
        return [refuse("11.1.3a", "the hex lies in an enemy zone of control")]
    return seat_refusal(s, hq, node)


def seat_refusal(s: NarvaState, hq: int, node: int) -> list[Citation]:
    """Where an HQ may be placed at all (ruling 50)."""
    game = s.game
    if node >= game.board.hexes or not game.ground.may_enter(game.classes[hq][1], node):
        return [refuse("6.3.1", "it may not enter that hex")]
    if s.owner(node) == 1 - game.side_of[hq]:
        return [refuse("6.3.2c", "enemy units are there")]
    if any(other != hq for other in s.hqs(node)):
        return [refuse("7.0a", "an HQ is there already")]
    return army_refusal(s, hq, node)


def army_refusal(s: NarvaState, hq: int, node: int) -> list[Citation]:
    """4.2.5a: Soviet Army HQs never stand within each other's command range."""
    game = s.game
    if game.units[hq].headquarters != "army":
        return []
    for other in game.army_hqs:
        if other == hq or s.at[other] == NOWHERE:
            continue
        if game.distance(s.at[other], node) <= max(game.units[other].range, game.units[hq].range):
            return [
                refuse("4.2.5a", f"it would lie within command range of {game.unit_names[other]} or have it in its own")
            ]
    return []


@flow.choice
class Displace(NarvaChoice):
    """11.1.3a: the owner places a displaced HQ."""

    name = "hq.displace"
    rules = ("11.1.3a",)

    def side(self, s: NarvaState, hq: int, origin: int) -> int:
        return s.game.side_of[hq]

    def prompt(self, s: NarvaState, hq: int, origin: int) -> str:
        return f"Place the displaced {s.game.unit_names[hq]} in a supplied hex."

    def legal(self, s: NarvaState, hq: int, origin: int) -> list[Action]:
        place = s.game.place_actions
        return [place[node] for node in havens(s, hq, origin)]

    def do(self, s: NarvaState, action: Action, hq: int, origin: int) -> None:
        s.pop()
        node = named(action)
        s.bring(hq, node)
        s.log("displace", "{unit} sets up at {hex}", "11.1.3a", unit=hq, hex=node)

    def why_not(self, s: NarvaState, action: Action, hq: int, origin: int) -> list[Citation]:
        if action.kind != "place":
            return []
        node = named(action)
        reasons = haven_refusal(s, hq, origin, node)
        if not reasons and self.name == "hq.displace":
            return [refuse("11.1.3a", "the hex is not supplied")]
        return reasons


def lose_hq(s: NarvaState, hq: int, rule: str) -> None:
    """7.1c: an HQ that finds no room after a retreat is eliminated."""
    assert s.game.kinds[hq] == HQ
    s.log("eliminate", "{unit} is eliminated", rule, unit=hq)
    s.take_off(hq, ELIMINATED)
