"""Chapter 12: ground movement. Costs are counted in half movement points.

A player picks a unit, adds others of its hex, and moves the group; it may pause, drop units and go on. Rail, ferry, ski
infiltration (19.1) and the railway gun (19.2) are in unique.py, staging areas (20.0) in staging.py.
"""

from __future__ import annotations

from typing import Any

from counterblow.games.narvik import staging, unique
from counterblow.games.narvik.components import GERMAN
from counterblow.games.narvik.engineers import costs_of, offer_bridges, open_step
from counterblow.games.narvik.flow import NarvikChoice, arg, flow
from counterblow.games.narvik.ground import leaving_cost
from counterblow.games.narvik.stacking import TOO_LATE, no_room, offers_order, put_in_order, with_room
from counterblow.games.narvik.state import NarvikState
from counterblow.games.narvik.zones import in_enemy_zone
from counterblow.kernel.actions import Action
from counterblow.kernel.graph import Costs, Counts
from counterblow.kernel.masks import bits
from counterblow.kernel.rulebook import Citation, refuse

Group = tuple[int, ...]


# ------------------------------------------------------------------ 12.0 which unit or stack moves


def movable(s: NarvikState, side: int) -> list[int]:
    """12.0.a: activated units on the map or in a staging area whose movement is not finished."""
    hexes, staged, at = s.game.ground.hexes, s.game.ground.staging[side], s.at
    return [u for u in bits(s.active & ~s.moved) if 0 <= at[u] < hexes or at[u] in staged]


@flow.choice
class PickMover(NarvikChoice):
    """12.0.d: a unit or stack finishes its movement before another begins."""

    name = "move.pick"
    rules = ("12.0.a", "12.0.d")

    def prompt(self, s: NarvikState, *args: Any) -> str:
        return "Choose a unit to move, or end the movement action."

    def legal(self, s: NarvikState, *args: Any) -> list[Action]:
        act = s.game.act
        found = [act["done"][()]]
        if offers_order(s):
            found.append(act["rearrange"][()])
        table = act["move"]
        found += [table[u] for u in movable(s, args[0])]
        return found

    def do(self, s: NarvikState, action: Action, *args: Any) -> None:
        side, kind = args[0], action[0]
        if kind == "done":
            s.pop()
        elif kind == "rearrange":
            put_in_order(s, side)
        else:
            unit = arg(action)
            if not s.paused >> unit & 1 and s.at[unit] != s.origin:  # 12.2.c: the earlier stack may not resume
                s.moved |= s.paused
                s.paused = 0
                s.origin = s.at[unit]
            s.push("move.go", side, (unit,), False)

    def why_not(self, s: NarvikState, action: Action, *args: Any) -> list[Citation]:
        if action.kind == "rearrange":
            return [TOO_LATE]
        return cannot_pick(s, args[0], arg(action)) if action.kind == "move" else []


def cannot_pick(s: NarvikState, side: int, unit: int) -> list[Citation]:
    """Why a unit cannot be moved now."""
    if s.game.side_of[unit] != side:
        return [refuse("1.2.a", "the unit belongs to the enemy")]
    if unit == s.game.roster.auchinleck:
        return [refuse("18.2.b", "Auchinleck never leaves the staging area")]
    if not s.active >> unit & 1:
        return [refuse("11.1.b", "the unit's sub-command is not activated")]
    if s.moved >> unit & 1:
        return [refuse("12.2.c", "the unit has finished its movement")]
    return [refuse("20.0.a", "the unit is neither on the map nor in a staging area")]


# ------------------------------------------------------------------ the group in motion


@flow.choice
class MoveGroup(NarvikChoice):
    """Where the group goes. Arguments: side, units, and whether it has moved since it was formed."""

    name = "move.go"
    rules = ("12.0.c", "12.2.a")

    def prompt(self, s: NarvikState, *args: Any) -> str:
        names = " + ".join(s.game.unit_names[u] for u in args[1])
        points = min(s.left(u) for u in args[1]) / 2
        if passing(s, args[1], args[2]):
            return f"Move {names} on ({points:g} movement points left): there is no room to halt here."
        return f"Move {names} ({points:g} movement points left), or halt."

    def chosen(self, s: NarvikState, *args: Any) -> tuple[int, ...]:
        group: tuple[int, ...] = args[1]
        return group

    def legal(self, s: NarvikState, *args: Any) -> list[Action]:
        side, group, went = args
        act = s.game.act
        if not went:
            found = [act["halt"][()], *[act["and"][u] for u in companions(s, side, group)]]
        elif passing(s, group, went):
            found = []
        else:
            found = [act["halt"][()]]
            if len(group) > 1:
                found += [act["drop"][u] for u in group]
        table = s.game.to_node
        found += [table[node] for node in destinations(s, side, group)]
        found += unique.special_moves(s, side, group, went)
        return found

    def do(self, s: NarvikState, action: Action, *args: Any) -> None:
        side, group, _ = args
        kind = action[0]
        if kind == "halt":
            s.pop()
            finish(s, group)
        elif kind == "and":
            s.replace("move.go", side, (*group, arg(action)), False)
        elif kind == "drop":  # 12.2.b, 12.2.f
            unit = arg(action)
            s.paused |= 1 << unit
            s.replace("move.go", side, tuple(u for u in group if u != unit), True)
        else:
            _travel(s, side, group, kind, arg(action))

    def why_not(self, s: NarvikState, action: Action, *args: Any) -> list[Citation]:
        side, group, went = args
        kind = action.kind
        if kind == "and":
            return cannot_join(s, side, group, went, arg(action))
        if kind == "to":
            return cannot_go(s, side, group, arg(action))
        if kind in ("rail", "ferry", "infiltrate"):
            return unique.cannot_use(s, side, group, went, kind, arg(action))
        if kind == "move":
            return [refuse("12.0.d", "the unit or stack in motion must finish first")]
        if kind in ("halt", "drop") and (full := passing(s, group, went)):
            return [full, OWN_MOVE]
        return [refuse("12.2.b", "a unit is dropped from a stack that has moved")] if kind == "drop" else []


def passing(s: NarvikState, group: Group, went: bool) -> Citation | None:
    """9.0.g: a group that has come into a hex without room for it may only pass through; None if it may stay."""
    here = s.at[group[0]]
    return no_room(s, group, here) if went and len(s.here[here]) > len(group) else None


OWN_MOVE = refuse("9.0.j", "no player may end an own move above the limit")


def companions(s: NarvikState, side: int, group: Group) -> list[int]:
    """12.2.a: units of the same hex that may move with the group."""
    here = s.at[group[0]]
    stack = s.here[here]
    if len(stack) == len(group) or here >= s.game.ground.hexes or s.game.roster.gun[group[0]]:
        return []
    return [u for u in stack if u not in group and not cannot_join(s, side, group, False, u)]


def cannot_join(s: NarvikState, side: int, group: Group, went: bool, unit: int) -> list[Citation]:
    here, roster = s.at[group[0]], s.game.roster
    if s.at[unit] != here or here >= s.game.ground.hexes or went or unit in group:
        return [refuse("12.2.a", "only units that begin stacked in one hex move as a stack")]
    if roster.gun[unit] or roster.gun[group[0]]:
        return [refuse("19.2.a", "the railway gun moves by itself")]
    if s.fresh(unit) != s.fresh(group[0]):
        return [refuse("12.2.a", "the unit did not come here with the stack")]
    return cannot_pick(s, side, unit) if not s.active >> unit & 1 or s.moved >> unit & 1 else []


def finish(s: NarvikState, group: Group) -> None:
    """The movement of these units is over."""
    for unit in group:
        s.moved |= 1 << unit
        s.paused &= ~(1 << unit)


# ------------------------------------------------------------------ 12.1 to 12.3 marching


def alike(s: NarvikState, group: Group) -> bool:
    """Are all units of the group of one mobility class, so that the same hexes cost them the same?"""
    lead = group[0]
    return all(s.mobility(u) == s.mobility(lead) for u in group[1:])


def slowest(s: NarvikState, side: int, group: Group) -> int:
    """12.2.d: the unit that has the fewest points for hexes, the price of leaving an enemy zone taken off."""
    move, zoned = s.game.roster.move, in_enemy_zone(s, side, s.at[group[0]])
    return min(group, key=lambda u: s.left(u) - (leaving_cost(move[u]) if zoned else 0))


def destinations(s: NarvikState, side: int, group: Group) -> list[int]:
    """Nodes that the group can march to and end in, or board a train in, cheapest first."""
    lead = group[0]
    if s.game.roster.gun[lead]:
        return unique.gun_destinations(s, lead)
    if len(group) > 1:
        if not alike(s, group):  # 12.2.e: each pays its own costs, so such a stack goes hex by hex
            near = s.game.board.around[s.at[lead]]
            return with_room(s, group, [n for n in near if not cannot_step(s, side, group, n)])
        lead = slowest(s, side, group)
    found = reach(s, side, lead)
    s.reached[0] = s.game.board.graph.ticket
    if not s.spent[lead] and dear_steps(s, side, lead):
        found += minimum_moves(s, side, group, found)
    free = with_room(s, group, found)
    return free if len(free) == len(found) else free + unique.full_terminals(s, side, group, lead)


def reach(s: NarvikState, side: int, unit: int, zone: Counts | None = None) -> list[int]:
    """Every node within the unit's points, with the enemy's zones or those given; the graph keeps costs and paths."""
    return s.game.board.graph.scan(
        costs_now(s, unit), s.held[1 - side], zone or s.zone[1 - side], s.held[side], s.at[unit], s.left(unit), 0,
        s.game.ground.areas,
    )  # fmt: skip


def costs_now(s: NarvikState, unit: int) -> Costs:
    """What movement costs a unit where it stands: in a staging area others may have queued before it (8.3.c)."""
    costs, here = costs_of(s, unit), s.at[unit]
    return costs if here < s.game.ground.hexes else staging.queued_costs(s, costs, unit, here)


def dear_steps(s: NarvikState, side: int, unit: int) -> bool:
    """Could a single step cost more than the unit has?"""
    here, move, ground = s.at[unit], s.game.roster.move[unit], s.game.ground
    if s.demolished or here >= ground.hexes:
        return True
    if s.zone[1 - side][here]:
        return ground.dearest[side, s.mobility(unit)][here] + leaving_cost(move) > 2 * move
    return 2 * move < ground.dearest_of_all and ground.dearest[side, s.mobility(unit)][here] > 2 * move


def minimum_moves(s: NarvikState, side: int, group: Group, found: list[int]) -> list[int]:
    """12.1.a: one hex in any case; not into what is closed, nor from zone to zone (12.1.b)."""
    here = s.at[group[0]]
    return [n for n in s.game.board.around[here] if n not in found and not cannot_step(s, side, group, n)]


def barred_step(s: NarvikState, side: int, unit: int, there: int) -> Citation | None:
    """Why a unit may not go to the next node at any price; None if it may."""
    here, ground = s.at[unit], s.game.ground
    if s.held[1 - side][there]:
        return refuse("12.0.e", "an enemy unit is there")
    if not open_step(s, side, s.mobility(unit), here, there):
        return staging.barred(s, side, here, there) or _closed(s, unit, here, there)
    if in_enemy_zone(s, side, here) and there < ground.hexes and in_enemy_zone(s, side, there):
        return refuse("10.1.b", "a unit leaves an enemy zone only to a hex outside enemy zones")
    return None


def _closed(s: NarvikState, unit: int, here: int, there: int) -> Citation:
    ground, terrain = s.game.ground, s.game.board.terrain[there]
    if terrain == "sea" or ground.sea_side(here, there):
        return refuse("12.3.e", "sea hexes and all-sea hexsides are closed to ground movement")
    if terrain == "sweden":
        return refuse("12.3.g", "Swedish hexes are closed")
    if s.game.roster.mech[unit]:
        return refuse("12.3.c", "mechanised units cannot enter this terrain or cross this hexside")
    return refuse("12.0.c", "movement goes from hex to adjacent hex")


def step_price(s: NarvikState, side: int, unit: int, there: int) -> int:
    """Half points for the next step, the price of leaving an enemy zone included."""
    here = s.at[unit]
    price = costs_now(s, unit).cost[s.game.board.step_of[here, there]]
    return int(price) + (leaving_cost(s.game.roster.move[unit]) if in_enemy_zone(s, side, here) else 0)


def cannot_step(s: NarvikState, side: int, group: Group, there: int) -> list[Citation]:
    """Why a stack cannot go to the next node together (12.2.d, 12.2.e)."""
    reasons = []
    for unit in group:
        barred = barred_step(s, side, unit, there)
        if barred:
            reasons.append(barred)
        elif s.spent[unit] and step_price(s, side, unit, there) > s.left(unit):
            rule = "12.2.d" if len(group) > 1 else "12.0.b"
            reasons.append(refuse(rule, f"{s.game.unit_names[unit]} lacks the movement points"))
    return reasons


def cannot_go(s: NarvikState, side: int, group: Group, there: int) -> list[Citation]:
    """Why the group cannot march to a node."""
    here, ground = s.at[group[0]], s.game.ground
    if s.game.roster.gun[group[0]]:
        if s.demolished >> here & 1:
            return [refuse("23.4.2.a", "the hex is demolished")]
        return [refuse("19.2.a", "the railway gun moves only along railroad hexes it can reach")]
    if there == here:
        return [refuse("12.0.c", "the unit is already there")]
    if s.held[1 - side][there]:
        return [refuse("12.0.e", "an enemy unit is there")]
    full = no_room(s, group, there)
    reasons = [full, OWN_MOVE] if full else []
    if there in s.game.board.around[here]:
        reasons += cannot_step(s, side, group, there)
    elif there >= ground.hexes:
        reasons.append(staging.barred(s, side, here, there) or refuse("20.0.f", "only from an edge hex of its colour"))
    elif not ground.land[there]:
        reasons.append(_closed(s, group[0], here, there))
    elif not alike(s, group):
        reasons.append(refuse("12.2.e", "a stack of two mobility classes goes hex by hex (ruling D79)"))
    return reasons or out_of_reach(s, side, slowest(s, side, group), there)


def out_of_reach(s: NarvikState, side: int, unit: int, there: int) -> list[Citation]:
    """Why an open hex is too far: enemy zones, if the unit would get there without them, else its points."""
    here, nobody = s.at[unit], bytes(s.game.board.size)
    if there not in reach(s, side, unit, nobody):
        reasons = [refuse("12.0.b", "too few movement points on any way that is open")]
        if here >= s.game.ground.hexes and there in s.game.board.edge_hexes:
            reasons.append(refuse("20.0.f", "the area is left only to edge hexes of its colour"))
        return reasons
    reasons = [refuse("10.1.a", "a unit stops when it enters an enemy zone")]
    if in_enemy_zone(s, side, here):
        reasons.append(refuse("10.1.b", "leaving an enemy zone costs half the movement factor"))
    return reasons


# ------------------------------------------------------------------ carrying it out


TRAVEL = {"to": "12.0.c", "rail": "12.4.c", "ferry": "12.5.c", "infiltrate": "19.1.a"}


def _travel(s: NarvikState, side: int, group: Group, kind: str, there: int) -> None:
    if kind == "infiltrate" and (skis := unique.enemy_skis(s, side, s.at[group[0]])):
        s.reveal(skis)
        s.log("reveal", "infiltration out of {hex} is stopped by {units}", "19.1.b", hex=s.at[group[0]], units=skis)
        s.pop()
        finish(s, group)
        return
    if kind == "infiltrate" and unique.unseen_near(s, side, s.at[group[0]]):  # a reveal: it cannot be taken back
        s.tell(side, "reveal", "no enemy ski unit covers {hex}", "", "19.1.b", hex=s.at[group[0]])
    if kind == "to":
        path = _march(s, side, group, there)
    else:
        path = unique.ride(s, side, group, kind, there)
    values: dict[str, Any] = {"units": group, "path": tuple(path)}
    s.tell(side, "move", "{units}: {path}", "move {path}", TRAVEL[kind], **values)
    for unit in group:
        s.put(unit, there)
        s.paused |= 1 << unit
    _take_ground(s, side, kind, path)
    if stops(s, side, group, kind, there):
        s.pop()
        finish(s, group)
    else:
        s.replace("move.go", side, group, True)
    if s.pontoons:
        offer_bridges(s, side, path)


def _march(s: NarvikState, side: int, group: Group, there: int) -> list[int]:
    """Pay for the march; the path it took."""
    lead, graph, here = group[0], s.game.board.graph, s.at[group[0]]
    if s.game.roster.gun[lead]:
        s.spent[lead] = 2 * s.game.roster.move[lead]
        return unique.rail_path(s, side, here, there)
    if len(group) == 1 or alike(s, group):
        lead = lead if len(group) == 1 else slowest(s, side, group)
        if s.reached[0] != graph.ticket:  # somebody else has asked the graph since the list of moves was made
            reach(s, side, lead)
        price, path = graph.cost_to(there), graph.path_to(there)
        if price < 0:  # 12.1.a
            path = _step(s, side, group, there)
        else:
            _pay(s, side, group, lead, price)
    else:
        path = _step(s, side, group, there)
    if here >= s.game.ground.hexes:
        staging.count_entry(s, path[1])
    return path


def _pay(s: NarvikState, side: int, group: Group, lead: int, price: int) -> None:
    """All pay the same for the hexes, each its own price for leaving an enemy zone (10.1.b)."""
    move, zoned = s.game.roster.move, len(group) > 1 and in_enemy_zone(s, side, s.at[lead])
    for unit in group:
        s.spent[unit] += price + (leaving_cost(move[unit]) - leaving_cost(move[lead]) if zoned else 0)


def _step(s: NarvikState, side: int, group: Group, there: int) -> list[int]:
    """One hex, each unit at its own price, or for what it has (12.1.a, 12.2.e)."""
    for unit in group:
        s.spent[unit] += min(step_price(s, side, unit, there), s.left(unit))
    return [s.at[group[0]], there]


def _take_ground(s: NarvikState, side: int, kind: str, path: list[int]) -> None:
    """4.4.d, ruling D63: every hex entered, though not the sea that a ferry crosses."""
    hexes = s.game.ground.hexes
    for node in path[1:]:
        if node < hexes:
            s.take_control(side, node)


def stops(s: NarvikState, side: int, group: Group, kind: str, there: int) -> bool:
    """10.1.a, 12.4.e, 19.1.c, 19.2.c, 20.0.g: must the group end its movement here?"""
    if there >= s.game.ground.hexes or kind == "infiltrate" or s.game.roster.gun[group[0]]:
        return True
    if kind != "ferry" and in_enemy_zone(s, side, there):  # 12.5.e: ferries ignore zones
        return True
    return all(s.left(u) <= 0 for u in group)


# ------------------------------------------------------------------ 12.5.a terminals


def controlled_terminals(s: NarvikState, side: int) -> int:
    """12.5.a, 12.5.d: ferry terminals that a side controls now and may use, as a bit mask."""
    ground = s.game.ground
    mask = 0
    for node in ground.german_ferries if side == GERMAN else ground.ferries:
        if s.controls(side, node):
            mask |= 1 << node
    return mask
