"""Special movement: rail transport (12.4), ferries (12.5), ski troops (19.1), railway gun (19.2), engineers (19.3)."""

from __future__ import annotations

from counterblow.games.narvik.components import ALLIED, GERMAN
from counterblow.games.narvik.engineers import costs_of, open_step
from counterblow.games.narvik.stacking import Group, has_room, why_not_room, with_room
from counterblow.games.narvik.state import NarvikState
from counterblow.kernel.graph import Costs, Reach
from counterblow.kernel.masks import bits
from counterblow.kernel.rulebook import Citation, refuse, refuse_if

GUN_ALONE = refuse("19.2.a", "the railway gun moves by itself")

# ------------------------------------------------------------------ 9.0.g full hexes, in passing


def full_terminals(s: NarvikState, group: Group, reach: Reach, left: int) -> list[int]:
    """12.4.d: full terminals in reach where the group can board a train, which takes it to a hex with room."""
    held, zone, here = s.held[s.mover], s.zone[1 - s.mover], reach.start
    points = left - s.game.tables.rail_halves
    brings_engineer = any(s.game.roster.engineer[u] for u in group)
    return [
        n for n in s.game.ground.rail_terminals
        if held[n] and n != here and not zone[n] and 0 <= reach.cost_to(n) <= points and not has_room(s, group, n)
        and not s.demolished >> n & 1 and (brings_engineer or engineer_with(s, n, s.mover))
        and with_room(s, group, rail_reach(s, n))
    ]  # fmt: skip


def _halts(s: NarvikState, group: Group, nodes: list[int], fare: int, rail: bool) -> list[int]:
    """12.4.d, 12.5.f, 20.2.c: where the group can leave a train or ferry, to stay or because it can go on."""
    free = with_room(s, group, nodes)
    if len(free) == len(nodes) or any(s.mobility(u) != s.mobility(group[0]) for u in group[1:]):
        return free
    points = min([s.left(u) for u in group]) - fare
    costs = costs_of(s, max(group, key=lambda u: s.game.roster.move[u]))  # nobody pays more to leave an enemy zone
    full = [n for n in nodes if n not in free and not (rail and s.zone[1 - s.mover][n])]
    return free + [n for n in full if _goes_on(s, group, n, costs, points)]


def _goes_on(s: NarvikState, group: Group, node: int, costs: Costs, points: int) -> bool:
    """Could the group march on from a node to one with room? Usually the next hex is empty."""
    enemy, zone, board = s.held[1 - s.mover], s.zone[1 - s.mover], s.game.board
    if not zone[node]:
        for n in s.game.ground.around[node]:
            if not s.loads[n] and not enemy[n] and 0 <= costs.cost[board.step_of[node, n]] <= points:
                return True
    found = board.graph.reach(costs, enemy, zone, s.held[s.mover], node, points, 0, s.game.ground.areas)
    return bool(with_room(s, group, found.nodes))


# ------------------------------------------------------------------ 12.4 rail transport


def engineer_with(s: NarvikState, node: int, side: int) -> bool:
    """19.3.a, ruling D20: a friendly engineer in the hex, the rider itself included."""
    engineer, side_of = s.game.roster.engineer, s.game.side_of
    return any(engineer[u] and side_of[u] == side for u in s.here.get(node, ()))


def why_demolished(s: NarvikState, node: int, what: str = "hex") -> Citation | None:
    return refuse_if(s.demolished >> node & 1, "23.4.2.a", f"the {what} is demolished")


def _fare(s: NarvikState, unit: int) -> int:
    """12.4.c; ruling D19: out of an enemy zone the leaving rule applies."""
    return s.game.tables.rail_halves + s.leaving(unit)


def why_not_train(s: NarvikState, group: Group) -> Citation | None:
    """Why the group cannot board a train where it stands; None if it can."""
    here = s.at[group[0]]
    if s.game.roster.gun[group[0]]:
        return GUN_ALONE
    if here not in s.game.ground.rail_terminals:
        return refuse("12.4.a", "rail transport starts in Narvik or Bjornfjell")
    poor, zoned = any(s.left(u) < _fare(s, u) for u in group), s.in_enemy_zone(s.mover, here)
    price = "rail transport costs one movement point"
    return (
        why_demolished(s, here)
        or refuse_if(not engineer_with(s, here, s.mover), "12.4.b", "no friendly engineer is in the hex")
        or refuse_if(poor and zoned, "10.1.b", f"{price}, leaving the enemy zone half the factor")
        or refuse_if(poor, "12.4.c", price)
    )


def rail_halts(s: NarvikState, group: Group) -> list[int]:
    """Where a train can take the group."""
    if why_not_train(s, group):
        return []
    here = s.at[group[0]]
    return _halts(s, group, rail_reach(s, here), max([_fare(s, u) for u in group]), True)


def why_not_rail(s: NarvikState, group: Group, node: int) -> Citation | None:
    """Why no train takes the group to a node; None if one does."""
    here = s.at[group[0]]
    reason = why_not_train(s, group)
    if reason or node in rail_reach(s, here):
        return reason or (why_not_room(s, group, node) if node not in rail_halts(s, group) else None)
    off = node == here or node not in s.game.ground.railway
    return (
        refuse_if(off, "12.4.c", "a ride leads along contiguous railroad hexes to another one")
        or refuse_if(s.held[1 - s.mover][node], "12.4.g", "an enemy unit is there")
        or why_demolished(s, node)
        or _why_not_line(s, here, node, "12.4.g", "12.4.e")
    )


def _why_not_line(s: NarvikState, here: int, node: int, blocked: str, zoned: str) -> Citation:
    """What keeps a train, or the railway gun, from going along the line to a hex."""
    between = rails(s, here, nothing_stops=True).path_to(node)[1:-1]
    enemy, zone = s.held[1 - s.mover], s.zone[1 - s.mover]
    return (
        refuse_if(any(enemy[n] for n in between), blocked, "enemy units block the line")
        or refuse_if(any(s.demolished >> n & 1 for n in between), "23.4.2.a", "the line is demolished")
        or refuse_if(any(zone[n] for n in between), zoned, "movement along the line ends in an enemy zone")
        or refuse("10.1.b", "a unit leaves an enemy zone only to a hex outside enemy zones")
    )


def pay_rail(s: NarvikState, group: Group, node: int) -> list[int]:
    """Pay for the ride; the line it takes."""
    here = s.at[group[0]]
    for unit in group:
        s.spent[unit] += _fare(s, unit)
    return rails(s, here).path_to(node)


def rails(s: NarvikState, here: int, nothing_stops: bool = False) -> Reach:
    """12.4.e, 12.4.g, 19.2.c, 10.1.b: where the line leads: not past enemies or rubble, no further than into a zone."""
    nobody, enemy, zone = bytes(s.game.board.size), s.held[1 - s.mover][:], s.zone[1 - s.mover]
    for node in bits(s.demolished):
        enemy[node] = 1
    return s.game.board.graph.reach(
        s.game.ground.rail_costs, nobody if nothing_stops else enemy, nobody if nothing_stops else zone, nobody, here, 0
    )


def rail_reach(s: NarvikState, here: int) -> list[int]:
    return sorted(rails(s, here).nodes)


# ------------------------------------------------------------------ 12.5 ferries

NOT_GERMAN = refuse("12.5.d", "Germany uses only the ferry between Narvik and Ankenes")


def why_not_embark(s: NarvikState, group: Group) -> Citation | None:
    """Why the group cannot take a ferry where it stands; None if it can. 12.5.g: Harstad needs no engineer."""
    ground, here = s.game.ground, s.at[group[0]]
    harstad = here == ground.harstad
    if not harstad and here not in ground.ferries:
        return refuse("12.5.b", "the unit is not at a ferry terminal")
    if s.mover == GERMAN and here not in ground.german_ferries:
        return NOT_GERMAN
    if not all(s.fresh(u) for u in group):
        return refuse("12.5.b", "a ferry takes only units that began the action at its terminal")
    alone = not harstad and not engineer_with(s, here, s.mover)
    poor = any(s.left(u) < s.game.tables.ferry_halves for u in group)
    return (
        why_demolished(s, here, "terminal")
        or refuse_if(alone, "12.5.b", "no friendly engineer is in the hex")
        or refuse_if(poor, "12.5.c", "a ferry move costs one movement point")
    )


def ferry_ports(s: NarvikState, here: int) -> list[int]:
    """12.5.a, 12.5.h: other terminals under control; Harstad is one of the Allies'."""
    ground = s.game.ground
    ports = [n for n in ground.ferries if n != here and s.terminals >> n & 1 and not s.demolished >> n & 1]
    if s.mover == ALLIED and here != ground.harstad:
        ports.append(ground.harstad)
    return ports


def ferry_halts(s: NarvikState, group: Group) -> list[int]:
    """Where a ferry can take the group."""
    if why_not_embark(s, group):
        return []
    return _halts(s, group, ferry_ports(s, s.at[group[0]]), s.game.tables.ferry_halves, False)


def why_not_ferry(s: NarvikState, group: Group, node: int) -> Citation | None:
    """Why no ferry takes the group to a node; None if one does."""
    ground = s.game.ground
    reason = why_not_embark(s, group)
    if reason or node in ferry_ports(s, s.at[group[0]]):
        return reason or (why_not_room(s, group, node) if node not in ferry_halts(s, group) else None)
    if node not in ground.ferries or node == s.at[group[0]]:
        return refuse("12.5.c", "ferries go from terminal to another terminal")
    if s.mover == GERMAN and node not in ground.german_ferries:
        return NOT_GERMAN
    return why_demolished(s, node, "terminal") or refuse(
        "12.5.a", "the terminal was not under control when the action began"
    )


def pay_ferry(s: NarvikState, group: Group, node: int) -> list[int]:
    for unit in group:
        s.spent[unit] += s.game.tables.ferry_halves
    return [s.at[group[0]], node]


# ------------------------------------------------------------------ 19.1 ski troops


def enemies_near(s: NarvikState, here: int) -> list[int]:
    """Enemy units whose zones cover a hex."""
    side_of = s.game.side_of
    return [u for n in s.game.ground.assaultable[here] for u in s.here.get(n, ()) if side_of[u] != s.mover]


def ski_halts(s: NarvikState, group: Group) -> list[int]:
    """Where the group can infiltrate to."""
    return [n for n in s.game.ground.around[s.at[group[0]]] if why_not_infiltrate(s, group, n) is None]


def why_not_infiltrate(s: NarvikState, group: Group, node: int) -> Citation | None:
    """Why the group cannot infiltrate to a hex; None if it can."""
    here, ground, ski, side = s.at[group[0]], s.game.ground, s.game.roster.ski, s.mover
    near = enemies_near(s, here)
    faced = any(ski[u] and s.sees(side, u) for u in near)  # a hidden one: ruling D84
    shut = not all(open_step(s, side, s.mobility(u), here, node) for u in group)
    in_doubt = s.crowded >= 0 and not all(s.sees(side, u) for u in near)  # rulings D69, D84
    begun = not all(s.fresh(u) for u in group)
    return (
        refuse_if(not all(ski[u] for u in group), "19.1.a", "only ski units infiltrate")
        or refuse_if(begun, "19.1.d", "infiltration is the whole movement of the action")
        or refuse_if(not ground.rugged[here], "19.1.a", "infiltration starts in a peak or rough hex")
        or refuse_if(not s.in_enemy_zone(side, here), "19.1.a", "infiltration starts in an enemy zone")
        or refuse_if(faced, "19.1.b", "the unit stands in the zone of an enemy ski unit")
        or refuse_if(node not in ground.around[here], "19.1.c", "an infiltrating unit moves one hex")
        or refuse_if(in_doubt, "9.0.f", "who must leave a hex above the limit does not try what hidden skis may stop")
        or refuse_if(s.held[1 - side][node], "12.0.e", "an enemy unit is there")
        or refuse_if(not ground.rugged[node], "19.1.a", "infiltration goes to a peak or rough hex")
        or refuse_if(not s.in_enemy_zone(side, node), "19.1.a", "infiltration goes to a hex in an enemy zone")
        or refuse_if(shut, "12.3.e", "the hexside is closed to ground movement")
        or why_not_room(s, group, node)
    )


def pay_ski(s: NarvikState, group: Group, node: int) -> list[int]:
    """19.1.c, ruling D18: the one hex is all, and costs nothing else."""
    for unit in group:
        s.spent[unit] = 2 * s.game.roster.move[unit]
    return [s.at[group[0]], node]


# ------------------------------------------------------------------ 19.2 the railway gun


def gun_destinations(s: NarvikState, unit: int) -> list[int]:
    """19.2.a, 19.2.b, 19.2.c, 19.2.f: any railroad hexes, no points counted; it stops in an enemy zone (ruling D65)."""
    if s.spent[unit] or s.demolished >> s.at[unit] & 1:  # 23.4.2.a
        return []
    return with_room(s, (unit,), rail_reach(s, s.at[unit]))


def why_not_gun(s: NarvikState, unit: int, node: int) -> Citation | None:
    """Why the railway gun cannot go to a hex that no enemy holds; None if it can."""
    if node not in s.game.ground.railway:
        return refuse("19.2.a", "the railway gun moves only along railroad hexes")
    reason = why_demolished(s, s.at[unit]) or why_demolished(s, node)
    if reason or node in rail_reach(s, s.at[unit]):
        return reason or why_not_room(s, (unit,), node)
    return _why_not_line(s, s.at[unit], node, "19.2.f", "19.2.c")
