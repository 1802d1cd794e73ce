"""Special movement: rail transport (12.4), ferries (12.5), ski troops (19.1), railway gun (19.2), engineers (19.3)."""

from __future__ import annotations

from counterblow.games.narvik.components import ALLIED, GERMAN
from counterblow.games.narvik.engineers import costs_of, open_step
from counterblow.games.narvik.ground import leaving_cost
from counterblow.games.narvik.stacking import has_room, no_room, with_room
from counterblow.games.narvik.state import NarvikState
from counterblow.games.narvik.zones import in_enemy_zone
from counterblow.kernel.actions import Action
from counterblow.kernel.graph import Costs
from counterblow.kernel.rulebook import Citation, refuse

Group = tuple[int, ...]


def special_moves(s: NarvikState, side: int, group: Group, went: bool) -> list[Action]:
    """Rail, ferry and infiltration open to the group now."""
    here, ground = s.at[group[0]], s.game.ground
    act = s.game.act
    found: list[Action] = []
    if here in ground.rail_terminals and not no_train(s, side, group, here):
        stops = rail_reach(s, side, here)
        fare = max([_fare(s, side, u, here) for u in group])
        found += [act["rail"][n] for n in halts(s, side, group, stops, fare, True)]
    if not went and (here == ground.harstad or s.terminals >> here & 1) and not no_ferry(s, side, group, went):
        ports, fare = ferry_ports(s, side, here), s.game.tables.ferry_halves
        found += [act["ferry"][n] for n in halts(s, side, group, ports, fare, False)]
    if not went and here < ground.hexes and s.game.roster.ski[group[0]] and not no_infiltration(s, side, group, went):
        found += [act["infiltrate"][n] for n in ground.around[here] if not cannot_infiltrate(s, side, group, n)]
    return found


def cannot_use(s: NarvikState, side: int, group: Group, went: bool, kind: str, there: int) -> list[Citation]:
    """Why the group cannot ride or infiltrate to a node."""
    here = s.at[group[0]]
    if kind == "rail":
        reason = no_train(s, side, group, here)
        if reason is None and there not in rail_reach(s, side, here):
            reason = refuse("12.4.c", "the ride follows contiguous railroad hexes, and ends in an enemy zone")
    elif kind == "ferry":
        reason = no_ferry(s, side, group, went)
        if reason is None and there not in ferry_ports(s, side, here):
            reason = _no_port(s, side, here, there)
    else:
        reason = no_infiltration(s, side, group, went) or cannot_infiltrate(s, side, group, there)
    reason = reason or no_room(s, group, there)
    return [reason] if reason else []


def ride(s: NarvikState, side: int, group: Group, kind: str, there: int) -> list[int]:
    """Pay for a ride or an infiltration; the path it takes."""
    here, tables = s.at[group[0]], s.game.tables
    if kind == "infiltrate":  # 19.1.c, ruling D18: the one hex is all, and costs nothing else
        for unit in group:
            s.spent[unit] = 2 * s.game.roster.move[unit]
        return [here, there]
    for unit in group:
        s.spent[unit] += _fare(s, side, unit, here) if kind == "rail" else tables.ferry_halves
    return rail_path(s, side, here, there) if kind == "rail" else [here, there]


# ------------------------------------------------------------------ 9.0.g full hexes, in passing


def full_terminals(s: NarvikState, side: int, group: Group, lead: int) -> list[int]:
    """12.4.d: full terminals that the last reach found, where the group can board a train that takes it on."""
    held, zone, here = s.held[side], s.zone[1 - side], s.at[lead]
    points = s.left(lead) - s.game.tables.rail_halves
    return [
        n for n in s.game.ground.rail_terminals
        if held[n] and n != here and not zone[n] and 0 <= s.game.board.graph.cost_to(n) <= points
        and not has_room(s, group, n) and _boards(s, side, group, n)
    ]  # fmt: skip


def _boards(s: NarvikState, side: int, group: Group, node: int) -> bool:
    """Could the group board a train at a terminal, and leave it where there is room?"""
    if s.demolished >> node & 1:
        return False
    if not engineer_with(s, node, side) and not any(s.game.roster.engineer[u] for u in group):
        return False
    return bool(with_room(s, group, rail_reach(s, side, node)))


def halts(s: NarvikState, side: int, group: Group, nodes: list[int], fare: int, rail: bool) -> list[int]:
    """12.4.d, 12.5.f: where out of these the group can leave a train or ferry, to stay or because it can go on."""
    free = with_room(s, group, nodes)
    if len(free) == len(nodes) or any(s.mobility(u) != s.mobility(group[0]) for u in group[1:]):
        return free
    points = min([s.left(u) for u in group]) - fare
    costs = costs_of(s, max(group, key=lambda u: s.game.roster.move[u]))  # nobody pays more to leave an enemy zone
    full = [n for n in nodes if n not in free and not (rail and s.zone[1 - side][n])]
    return free + [n for n in full if _goes_on(s, side, group, n, costs, points)]


def _goes_on(s: NarvikState, side: int, group: Group, node: int, costs: Costs, points: int) -> bool:
    """Could the group march on from a node to one with room? Usually the next hex is empty."""
    enemy, zone, board = s.held[1 - side], s.zone[1 - side], s.game.board
    if not zone[node]:
        for n in s.game.ground.around[node]:
            if not s.loads[n] and not enemy[n] and 0 <= costs.cost[board.step_of[node, n]] <= points:
                return True
    found = board.graph.scan(costs, enemy, zone, s.held[side], node, points, 0, s.game.ground.areas)
    return bool(with_room(s, group, found))


# ------------------------------------------------------------------ 12.4 rail transport


def engineer_with(s: NarvikState, node: int, side: int) -> bool:
    """19.3.a, ruling D20: a friendly engineer in the hex, the rider itself included."""
    engineer, side_of = s.game.roster.engineer, s.game.side_of
    return any(engineer[u] and side_of[u] == side for u in s.here.get(node, ()))


def _fare(s: NarvikState, side: int, unit: int, here: int) -> int:
    """12.4.c; ruling D19: out of an enemy zone the leaving rule applies."""
    leave = leaving_cost(s.game.roster.move[unit]) if in_enemy_zone(s, side, here) else 0
    fare: int = s.game.tables.rail_halves + leave
    return fare


def no_train(s: NarvikState, side: int, group: Group, here: int) -> Citation | None:
    """Why the group cannot board a train here; None if it can."""
    if here not in s.game.ground.rail_terminals:
        return refuse("12.4.a", "rail transport starts in Narvik or Bjornfjell")
    if s.demolished >> here & 1:
        return refuse("23.4.2.a", "the hex is demolished")
    if not engineer_with(s, here, side):
        return refuse("12.4.b", "no friendly engineer is in the hex")
    if any(s.game.roster.gun[u] for u in group):
        return refuse("19.2.a", "the railway gun moves by itself")
    if any(s.left(u) < _fare(s, side, u, here) for u in group):
        return refuse("12.4.c", "rail transport costs one movement point")
    return None


def _rails(s: NarvikState, side: int, here: int) -> dict[int, int]:
    """Railroad hexes that can be reached by rail, each with the hex before it. 12.4.e, 12.4.g, 19.2.c."""
    rail, enemy, zone = s.game.ground.rail, s.held[1 - side], s.zone[1 - side]
    before: dict[int, int] = {}
    front = [here]
    while front:
        node = front.pop()
        for n in rail[node]:
            if n == here or n in before or enemy[n] or s.demolished >> n & 1:
                continue
            if node == here and zone[here] and zone[n]:  # 10.1.b
                continue
            before[n] = node
            if not zone[n]:
                front.append(n)
    return before


def rail_reach(s: NarvikState, side: int, here: int) -> list[int]:
    return sorted(_rails(s, side, here))


def rail_path(s: NarvikState, side: int, here: int, there: int) -> list[int]:
    before = _rails(s, side, here)
    path = [there]
    while path[-1] != here:
        path.append(before[path[-1]])
    return path[::-1]


# ------------------------------------------------------------------ 12.5 ferries


def no_ferry(s: NarvikState, side: int, group: Group, went: bool) -> Citation | None:
    """Why the group cannot embark; None if it can."""
    ground, here = s.game.ground, s.at[group[0]]
    at_harstad = side == ALLIED and here == ground.harstad
    if went or not all(s.fresh(u) for u in group):
        return refuse("12.5.b", "a ferry takes only units that began the action at its terminal")
    if side == GERMAN and here not in ground.german_ferries:
        return refuse("12.5.d", "Germany uses only the ferry between Narvik and Ankenes")
    if not at_harstad and here not in ground.ferries:
        return refuse("12.5.b", "the unit is not at a ferry terminal")
    if not at_harstad and not s.terminals >> here & 1:
        return refuse("12.5.a", "the terminal was not under control when the action began")
    if s.demolished >> here & 1:
        return refuse("23.4.2.a", "the terminal is demolished")
    if not at_harstad and not engineer_with(s, here, side):  # 12.5.g: none is needed in Harstad
        return refuse("12.5.b", "no friendly engineer is in the hex")
    if any(s.left(u) < s.game.tables.ferry_halves for u in group):
        return refuse("12.5.c", "a ferry move costs one movement point")
    return None


def ferry_ports(s: NarvikState, side: int, here: int) -> list[int]:
    """12.5.a, 12.5.h: other terminals under control; Harstad is one of the Allies'."""
    ground = s.game.ground
    ports = [n for n in ground.ferries if n != here and s.terminals >> n & 1 and not s.demolished >> n & 1]
    if side == ALLIED and here != ground.harstad:
        ports.append(ground.harstad)
    return ports


def _no_port(s: NarvikState, side: int, here: int, there: int) -> Citation:
    ground = s.game.ground
    if side == GERMAN and there not in ground.german_ferries:
        return refuse("12.5.d", "Germany uses only the ferry between Narvik and Ankenes")
    if there < ground.hexes and s.demolished >> there & 1:
        return refuse("23.4.2.a", "the terminal is demolished")
    if there not in ground.ferries:
        return refuse("12.5.c", "ferries go from terminal to terminal")
    return refuse("12.5.a", "the terminal was not under control when the action began")


# ------------------------------------------------------------------ 19.1 ski troops


def no_infiltration(s: NarvikState, side: int, group: Group, went: bool) -> Citation | None:
    """Why the group cannot infiltrate out of its hex; None if it can."""
    here, ground, roster = s.at[group[0]], s.game.ground, s.game.roster
    if not all(roster.ski[u] for u in group):
        return refuse("19.1.a", "only ski units infiltrate")
    if went or not all(s.fresh(u) for u in group):
        return refuse("19.1.d", "infiltration is the whole movement of the action")
    if here >= ground.hexes or not ground.rugged[here] or not in_enemy_zone(s, side, here):
        return refuse("19.1.a", "infiltration starts in a peak or rough hex in an enemy zone")
    if any(s.sees(side, u) for u in enemy_skis(s, side, here)):
        return refuse("19.1.b", "the unit stands in the zone of an enemy ski unit")
    return None


def enemy_skis(s: NarvikState, side: int, here: int) -> tuple[int, ...]:
    """19.1.b: enemy ski units whose zone covers a hex; hidden ones stop an infiltration when it is tried (D84)."""
    ski, side_of = s.game.roster.ski, s.game.side_of
    near = s.game.ground.assaultable[here]
    return tuple(u for n in near for u in s.here.get(n, ()) if ski[u] and side_of[u] != side)


def unseen_near(s: NarvikState, side: int, here: int) -> bool:
    """Does an infiltration out of a hex tell something about enemies that the mover cannot see?"""
    near, side_of = s.game.ground.assaultable[here], s.game.side_of
    return any(side_of[u] != side and not s.sees(side, u) for n in near for u in s.here.get(n, ()))


def cannot_infiltrate(s: NarvikState, side: int, group: Group, there: int) -> Citation | None:
    """Why the group cannot infiltrate to a hex; None if it can."""
    here, ground = s.at[group[0]], s.game.ground
    if there not in ground.around[here]:
        return refuse("19.1.c", "an infiltrating unit moves one hex")
    if s.held[1 - side][there]:
        return refuse("12.0.e", "an enemy unit is there")
    if not ground.rugged[there] or not in_enemy_zone(s, side, there):
        return refuse("19.1.a", "infiltration goes to a peak or rough hex in an enemy zone")
    if not all(open_step(s, side, s.mobility(u), here, there) for u in group):
        return refuse("12.3.e", "the hexside is closed to ground movement")
    return no_room(s, group, there)


# ------------------------------------------------------------------ 19.2 the railway gun


def gun_destinations(s: NarvikState, unit: int) -> list[int]:
    """19.2.a-c, 19.2.f: any railroad hexes, no points counted; it stops in an enemy zone (ruling D65)."""
    if s.spent[unit] or s.demolished >> s.at[unit] & 1:  # 23.4.2.a
        return []
    side = s.game.side_of[unit]
    return with_room(s, (unit,), rail_reach(s, side, s.at[unit]))
