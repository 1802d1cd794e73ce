"""Chapter 6: movement.

A unit is named, then moves in one or more legs: normal movement (6.1), strategic movement along roads (6.4), rail
movement for reinforcements (6.5), or one crossing by ferry (6.2.2g). Each leg follows the cheapest path (ruling 31).
"""

from __future__ import annotations

from collections.abc import Callable

from counterblow.games.narva import headquarters
from counterblow.games.narva.components import HQ
from counterblow.games.narva.stacking import has_room, overstacked
from counterblow.games.narva.state import MAY_MOVE, NO_TICKET, SIDE_WORDS, NarvaChoice, NarvaState, flow, named
from counterblow.games.narva.terrain import TWELFTHS, Prices
from counterblow.games.narva.zones import barriers
from counterblow.kernel.actions import Action
from counterblow.kernel.graph import Counts
from counterblow.kernel.rulebook import Citation, refuse

# how a unit is moving: not yet, normally, strategically
FRESH, NORMAL, STRATEGIC = 0, 1, 2

# what kind of move it is allowed
REGULAR, FREE_MOVE, ENTERING = 0, 1, 2

ENDLESS = 1000  # rail movement: any distance


# ---------------------------------------------------------------------- 6.0: who moves


def movers(s: NarvaState, side: int) -> list[int]:
    """6.0a: activated units that have not moved yet; pinned ones may not (2.5.1i)."""
    role, pin, at = s.role, s.pin, s.at
    return [u for u in s.game.roster[side] if role[u] & MAY_MOVE and not pin[u] and at[u] >= 0]


@flow.step("movement.segment")
def movement_segment(s: NarvaState, side: int, kind: int) -> None:
    """3.0c: the movement segment of an activation."""
    s.ferries = 0
    ask_mover(s, side, kind, tuple(movers(s, side)))


def ask_mover(s: NarvaState, side: int, kind: int, left: tuple[int, ...]) -> None:
    if left:
        s.push("movement.unit", side, kind, left)


@flow.choice
class ChooseMover(NarvaChoice):
    """6.0b: a unit's movement is finished before another moves."""

    name = "movement.unit"
    rules = ("6.0a", "6.0b")

    def side(self, s: NarvaState, side: int, kind: int, left: tuple[int, ...]) -> int:
        return side

    def prompt(self, s: NarvaState, side: int, kind: int, left: tuple[int, ...]) -> str:
        return "Choose a unit to move, or end the movement."

    def legal(self, s: NarvaState, side: int, kind: int, left: tuple[int, ...]) -> list[Action]:
        move = s.game.move_actions
        return [move[unit] for unit in left] + [s.game.end_movement_action]

    def do(self, s: NarvaState, action: Action, side: int, kind: int, left: tuple[int, ...]) -> None:
        s.pop()
        if action.kind == "end_movement":
            return
        unit = named(action)
        ask_mover(s, side, kind, tuple([other for other in left if other != unit]))
        move_on(s, unit, FRESH, s.allowance(unit), kind)

    def why_not(self, s: NarvaState, action: Action, side: int, kind: int, left: tuple[int, ...]) -> list[Citation]:
        if action.kind != "move":
            return []
        unit = named(action)
        if s.game.side_of[unit] != side:
            return [refuse("4.1.1c", f"{SIDE_WORDS[side]} units move now")]
        if s.at[unit] < 0:
            return [refuse("6.0a", "it is not on the map")]
        if s.pin[unit]:
            return [refuse("2.5.1i", "it is pinned")]
        if kind == FREE_MOVE and s.in_ezoc(s.at[unit], side):
            return [refuse("2.5.4c", "it starts in an enemy zone of control")]
        return [refuse("4.0a", "it is not activated"), refuse("4.2.6a", "it is not activated, or has moved")]


# ---------------------------------------------------------------------- 6.1-6.5: where to


def normal_costs(s: NarvaState, unit: int, kind: int) -> Prices:
    game = s.game
    season = game.ground.frost[s.frozen]
    table = season.free if kind == FREE_MOVE else season.normal
    return table[game.classes[unit]]


def normal_reach(s: NarvaState, unit: int, mode: int, points: int, kind: int) -> list[int]:
    """6.1a: hexes within the movement points; from the start also the minimum move of one hex (6.1c)."""
    game = s.game
    side, here = game.side_of[unit], s.at[unit]
    costs, closed = normal_costs(s, unit, kind), barriers(s, unit)
    found = game.graph.scan(costs.table, closed, s.zone[1 - side], s.held[side], here, points)
    if mode == FRESH and points < costs.dearest:
        found += minimum_moves(s, unit, costs, closed, kind)
    return found


def minimum_moves(s: NarvaState, unit: int, costs: Prices, closed: Counts, kind: int) -> list[int]:
    """6.1c: one hex whatever the price, but not prohibited and not from enemy zone to enemy zone."""
    game = s.game
    here, zone, cost = s.at[unit], s.zone[1 - game.side_of[unit]], costs.table.cost
    extra = []
    for step, there in enumerate(game.around[here], game.first_step[here]):
        barred = cost[step] < 0 or closed[there] or (zone[there] and (zone[here] or kind == FREE_MOVE))
        if not barred and game.graph.cost_to(there) < 0:
            extra.append(there)
    return extra


def ferry_ends(s: NarvaState, unit: int, kind: int) -> list[int]:
    """6.2.2g: over open water one infantry unit or HQ per ferry and activation, from the near bank to the far one."""
    return [there for there in s.game.ferry_hexes.get(s.at[unit], ()) if not ferry_refusal(s, unit, there, kind)]


def ferry_refusal(s: NarvaState, unit: int, there: int, kind: int) -> list[Citation]:
    game = s.game
    here, zone = s.at[unit], s.zone[1 - game.side_of[unit]]
    step = game.board.step_of[here, there]
    mech, access = game.classes[unit]
    if mech:
        return [refuse("6.2.2i", "mechanised units may not use a ferry")]
    if not game.ground.frost[s.frozen].ferry[access][step]:
        return [refuse("6.2.2f", "no ferry is needed there: the river is frozen")]
    if s.ferries >> game.ferry_number[step] & 1:
        return [refuse("6.2.2g", "this ferry has carried a unit in this activation")]
    if zone[there] and kind == FREE_MOVE:
        return [refuse("2.5.4c", "a Free Move keeps out of enemy zones of control")]
    if zone[there] and zone[here]:
        return [refuse("6.1c", "not from one enemy zone to another")]
    if barriers(s, unit)[there]:
        return [refuse("6.3.2a", "enemy units are there")]
    return overstacked(s, unit, there)


def strategic_refusal(s: NarvaState, unit: int) -> list[Citation]:
    """6.4a, 6.4.1a: it starts on a road that is no trail, outside enemy zones."""
    here = s.at[unit]
    if s.in_ezoc(here, s.game.side_of[unit]):
        return [refuse("6.4.1a", "it starts in an enemy zone of control")]
    if not s.game.ground.frost[s.frozen].on_road[here]:
        return [refuse("6.4a", "it does not start on a road fit for strategic movement")]
    return []


def strategic_reach(s: NarvaState, unit: int, points: int) -> list[int]:
    """6.4: along roads only, never through enemy zones nor through stacks full of its own kind (6.4.1)."""
    game = s.game
    side, here = game.side_of[unit], s.at[unit]
    season = game.ground.frost[s.frozen]
    if s.zone[1 - side][here] or not season.on_road[here]:
        return []  # see strategic_refusal
    costs, full = season.strategic[game.classes[unit][1]], s.full(game.kinds[unit])
    closed = barriers(s, unit)
    return game.graph.scan(costs, closed, s.zone[1 - side], s.held[side], here, points, 0, full)


def rail_reach(s: NarvaState, unit: int) -> list[int]:
    """6.5: a reinforcement, not in an EZOC, along connected major railway hexes; it stops on entering an EZOC."""
    game = s.game
    side, here = game.side_of[unit], s.at[unit]
    if s.in_ezoc(here, side):
        return []
    costs = game.ground.frost[s.frozen].rail[game.classes[unit][1]]
    closed = s.presence(1 - side)  # 6.5c: no enemy unit on the line may be passed
    return game.graph.scan(costs, closed, s.zone[1 - side], s.held[side], here, ENDLESS)


# ---------------------------------------------------------------------- a leg of a move


@flow.step("movement.on")
def move_on(s: NarvaState, unit: int, mode: int, points: int, kind: int) -> None:
    """Ask where a unit goes; one that can go nowhere, or no farther, is not asked."""
    found = leg_actions(s, unit, mode, points, kind)
    if len(found) > 1 or found[0] is not s.game.stop_action:
        s.offer(found, "movement.leg", unit, mode, points, kind)


def leg_actions(s: NarvaState, unit: int, mode: int, points: int, kind: int) -> list[Action]:
    """Everywhere the unit may go on to, by every kind of movement open to it.

    Normal movement is worked out last, so that its paths are still in the graph when the unit goes.
    """
    game = s.game
    full = s.full(game.kinds[unit])
    others: list[Action] = []
    if mode == FRESH and s.at[unit] in game.ferry_hexes:
        others += [game.act["ferry"][h] for h in ferry_ends(s, unit, kind)]
    if mode != NORMAL:
        by_road = game.road_actions
        twelfths = points * TWELFTHS if mode == FRESH else points
        others += [by_road[h] for h in strategic_reach(s, unit, twelfths) if not full[h]]
    if kind == ENTERING and mode == FRESH:
        others += [game.act["rail"][h] for h in rail_reach(s, unit) if not full[h]]
    if mode != FRESH or has_room(s, unit, s.at[unit]):
        others.append(game.stop_action)
    if mode == STRATEGIC:
        return others
    to = game.to_actions
    found = [to[h] for h in normal_reach(s, unit, mode, points, kind) if not full[h]]
    s.ticket = (game.graph.ticket,)
    return found + others


def can_go(s: NarvaState, unit: int, kind: int) -> bool:
    """Is there any hex but its own where a unit about to move could stop?"""
    return any(action is not s.game.stop_action for action in leg_actions(s, unit, FRESH, s.allowance(unit), kind))


@flow.choice
class MoveLeg(NarvaChoice):
    """Where the unit goes, by what movement."""

    name = "movement.leg"
    rules = ("6.1a", "6.2.1b", "6.4a")

    def side(self, s: NarvaState, unit: int, mode: int, points: int, kind: int) -> int:
        return s.game.side_of[unit]

    def prompt(self, s: NarvaState, unit: int, mode: int, points: int, kind: int) -> str:
        name = s.game.unit_names[unit]
        if mode == STRATEGIC:
            return f"{name} is on the road: move on, or stop."
        left = "" if mode == FRESH else " on"
        return f"Move {name}{left} ({points} MP), or stop."

    def legal(self, s: NarvaState, unit: int, mode: int, points: int, kind: int) -> list[Action]:
        return leg_actions(s, unit, mode, points, kind)

    def do(self, s: NarvaState, action: Action, unit: int, mode: int, points: int, kind: int) -> None:
        s.pop()
        if action.kind == "stop":
            return
        there = named(action)
        MEANS[action.kind](s, unit, there, mode, points, kind)

    def why_not(self, s: NarvaState, action: Action, unit: int, mode: int, points: int, kind: int) -> list[Citation]:
        if action.kind == "stop":
            return overstacked(s, unit, s.at[unit])
        if action.kind not in ("to", "by_road", "ferry", "rail"):
            return []
        there = named(action)
        reasons = hex_refusal(s, unit, there)
        if reasons:
            return reasons
        if action.kind == "ferry":
            if mode != FRESH:
                return [refuse("6.2.2g", "a ferry takes the whole allowance")]
            if there not in s.game.ferry_hexes.get(s.at[unit], ()):
                return [refuse("6.2.2g", "no ferry leads there")]
            return ferry_refusal(s, unit, there, kind)
        if action.kind == "by_road":
            return road_refusal(s, unit, there, mode)
        if action.kind == "rail":
            return rail_refusal(s, unit, there, mode, kind)
        return normal_refusal(s, unit, there, mode, kind)


def go(s: NarvaState, unit: int, there: int, mode: int, points: int, kind: int) -> None:
    """Normal movement along the cheapest path; the minimum move ends the unit's movement (ruling 26)."""
    graph = s.game.graph
    if s.ticket[0] != graph.ticket:
        normal_reach(s, unit, mode, points, kind)
    cost = graph.cost_to(there)
    path = graph.path_to(there) if cost >= 0 else [s.at[unit], there]
    left = points - cost if cost >= 0 else 0
    travel(s, unit, path, "6.1a" if cost >= 0 else "6.1c", NORMAL, left, kind)


def travel(s: NarvaState, unit: int, path: list[int], rule: str, mode: int, left: int, kind: int) -> None:
    """A leg; the unit may then use what is left, once HQs that it has overrun are placed (6.3.2b)."""
    depth = len(s.agenda)
    walk(s, unit, path, rule)
    if left > 0 and len(s.agenda) == depth:
        move_on(s, unit, mode, left, kind)
    elif left > 0:
        s.agenda.insert(depth, ("movement.on", unit, mode, left, kind))


def march(s: NarvaState, unit: int, there: int, mode: int, points: int, kind: int) -> None:
    """Strategic movement."""
    strategic_reach(s, unit, points * TWELFTHS if mode == FRESH else points)
    graph = s.game.graph
    path = graph.path_to(there)
    left = (points * TWELFTHS if mode == FRESH else points) - graph.cost_to(there)
    travel(s, unit, path, "6.4a", STRATEGIC, left, kind)


def ferry(s: NarvaState, unit: int, there: int, mode: int, points: int, kind: int) -> None:
    here = s.at[unit]
    s.ferries |= 1 << s.game.ferry_number[s.game.board.step_of[here, there]]
    walk(s, unit, [here, there], "6.2.2g")


def ride(s: NarvaState, unit: int, there: int, mode: int, points: int, kind: int) -> None:
    """6.5e: rail movement is the unit's whole movement."""
    rail_reach(s, unit)
    walk(s, unit, s.game.graph.path_to(there), "6.5a")


def walk(s: NarvaState, unit: int, path: list[int], rule: str) -> None:
    """Go along a path: overrun lone HQs (6.3.2b), take control of victory hexes (13.1.1a), and stop at its end."""
    only = s.game.side_of[unit] if s.options["fog"] else None
    s.log("move", "{unit} moves {path}", rule, only=only, public="A unit moves {path}", unit=unit, path=tuple(path))
    side, is_hq, here, bits = s.game.side_of[unit], s.game.kinds[unit] == HQ, s.here, s.game.victory_bits
    for node in path[1:]:
        if node in here and s.game.side_of[here[node][0]] != side:
            headquarters.overrun(s, unit, node)
        if bits[node] and not is_hq:
            s.pass_through(unit, node)
    s.put(unit, path[-1])
    s.ticket = NO_TICKET


MEANS: dict[str, Callable[[NarvaState, int, int, int, int, int], None]] = {
    "to": go,
    "by_road": march,
    "ferry": ferry,
    "rail": ride,
}


# ---------------------------------------------------------------------- refusals


def hex_refusal(s: NarvaState, unit: int, there: int) -> list[Citation]:
    """Why a unit may never enter a hex, or not stop in it."""
    game = s.game
    ground = game.ground
    if there >= game.board.hexes or there not in ground.land:
        return [refuse("6.3.1", "units may not enter water or leave the map")]
    access = game.classes[unit][1]
    if not ground.may_enter(access, there):
        if ground.pd[there] >= 0:
            return [refuse("6.3.3", "only 4th and 11th SS units may enter Prepared Defense hexes"),
                    refuse("11.3.1", "only the two divisions may enter Prepared Defense hexes")]  # fmt: skip
        return [refuse("6.3.4", "only SS units may enter Narva and its bridgehead")]
    if barriers(s, unit)[there]:
        rule = "6.3.2c" if game.kinds[unit] == HQ and not s.held[1 - game.side_of[unit]][there] else "6.3.2a"
        return [refuse(rule, "enemy units are there")]
    return overstacked(s, unit, there)


def normal_refusal(s: NarvaState, unit: int, there: int, mode: int, kind: int) -> list[Citation]:
    game = s.game
    here, side = s.at[unit], game.side_of[unit]
    if mode == STRATEGIC:
        return [refuse("6.4a", "strategic movement keeps to roads for the whole move")]
    zone = s.zone[1 - side]
    if kind == FREE_MOVE and (zone[there] or zone[here]):
        return [refuse("2.5.4c", "a Free Move keeps out of enemy zones of control")]
    if there in game.around[here]:
        step = game.board.step_of[here, there]
        if normal_costs(s, unit, kind).table.cost[step] < 0:
            return [river_refusal(s, unit, here, there)]
        if zone[here] and zone[there]:
            return [refuse("6.1c", "the minimum move may not go from one enemy zone to another"),
                    refuse("5.1a", "entering and leaving enemy zones costs too much")]  # fmt: skip
    return [refuse("6.1a", "it is out of reach"), *zone_price(s, side, there)]


def zone_price(s: NarvaState, side: int, there: int) -> list[Citation]:
    if s.in_ezoc(there, side):
        return [refuse("5.1a", "entering an enemy zone of control costs two more movement points")]
    return []


def river_refusal(s: NarvaState, unit: int, here: int, there: int) -> Citation:
    ground = s.game.ground
    if ground.ice(here, there, s.frozen) and s.game.classes[unit][0]:
        return refuse("6.2.2e", "mechanised units may not cross a frozen major river without a bridge")
    return refuse("6.2.2f", "an open major river may be crossed only at bridges and ferries")


def road_refusal(s: NarvaState, unit: int, there: int, mode: int) -> list[Citation]:
    if mode == NORMAL:
        return [refuse("6.4a", "strategic movement may not be mixed with other movement")]
    reasons = strategic_refusal(s, unit)
    if reasons:
        return reasons
    if s.in_ezoc(there, s.game.side_of[unit]):
        return [refuse("6.4.1a", "strategic movement keeps out of enemy zones of control")]
    return [refuse("6.4a", "no road leads there within its strategic movement"),
            refuse("6.4b", "trails do not serve strategic movement"),
            refuse("6.4.1a", "strategic movement may not pass enemy zones"),
            refuse("6.4.1b", "strategic movement may not pass a full stack")]  # fmt: skip


def rail_refusal(s: NarvaState, unit: int, there: int, mode: int, kind: int) -> list[Citation]:
    if kind != ENTERING:
        return [refuse("6.5f", "only entering reinforcements move by rail")]
    if mode != FRESH:
        return [refuse("6.5e", "rail movement may not be combined with other movement")]
    if s.in_ezoc(s.at[unit], s.game.side_of[unit]):
        return [refuse("6.5a", "it starts in an enemy zone of control")]
    return [refuse("6.5a", "no open major railway leads there"),
            refuse("6.5b", "minor railways do not serve rail movement"),
            refuse("6.5c", "rail movement stops at enemy zones and enemy units")]  # fmt: skip
