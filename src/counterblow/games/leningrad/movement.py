"""Chapter 7: operational movement.

The player names a unit, then where it goes. The program finds the way with the best outcome: unhindered if possible,
else with the bonus (and so without an attack), else Disrupted (ruling D67). Costs are in sixths of a movement factor.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from counterblow.games.leningrad import combat, stacking, supply, zones
from counterblow.games.leningrad.components import FACTOR, GERMAN, ROAD_MOBILE, RUSSIAN, SIDES
from counterblow.games.leningrad.state import LeningradState, flow
from counterblow.kernel.actions import Action
from counterblow.kernel.forecast import Forecast, telling
from counterblow.kernel.graph import Costs, Reach
from counterblow.kernel.journey import Destination, NamedDestination
from counterblow.kernel.pick import Menu, Pick
from counterblow.kernel.rulebook import Citation, refuse, refuse_if


class March(NamedTuple):
    """How a unit gets to a hex, and what that does to it."""

    path: list[int]  # the start left out
    cost: int
    hurried: bool  # the bonus was used
    disrupted: str  # the rule that Disrupts it at the end of the move, or nothing


# ---------------------------------------------------------------- 7.1 to 7.5: how far


def basic_factor(s: LeningradState, unit: int) -> int:
    """7.1, 7.2, 7.3: the counters show it; one less in the blitzkrieg phase (1.8, ruling D14)."""
    return (s.game.counters.movement[unit] - s.blitz) * FACTOR


def full_factor(s: LeningradState, unit: int) -> int:
    """7.4: with the bonus."""
    return basic_factor(s, unit) + s.game.tables.bonus[s.game.side_of[unit]] * FACTOR


def ready_to_move(s: LeningradState, side: int) -> int:
    """1.10, 3.18, 1.7: units on the map that may still move operationally."""
    done = s.disrupted | s.moved | (s.used if s.blitz else 0)
    return s.game.counters.ground[side] & ~done


def costs_of(s: LeningradState, unit: int) -> Costs:
    """7.6, 7.7, 7.8, 7.9, 7.17, 7.18; Russians who never attacked west of the Narva find it closed (7.16)."""
    costs = s.game.march[s.frozen][unit]
    return costs[0] if s.crossed >> unit & 1 else costs[1]


def west_bank(s: LeningradState, unit: int, node: int) -> bool:
    """7.16: does the hex lie west of the Narva, closed to a Russian unit that never attacked there?"""
    return s.game.west[node] > 0 and s.game.side_of[unit] == RUSSIAN and not s.crossed >> unit & 1


def _disrupted_armies(s: LeningradState, side: int) -> list[int]:
    """7.15: hexes that may be entered but not passed without harm (ruling D60)."""
    return [s.at[army] for army in s.take_from(s.disrupted & s.game.infantry_armies[side])]


# ---------------------------------------------------------------- where to


def reach(
    s: LeningradState, unit: int, spent: int, budget: int, halt: Sequence[int] = (), costs: Costs | None = None
) -> Reach:
    side, board = s.game.side_of[unit], s.game.board
    return board.graph.reach(
        costs or costs_of(s, unit), s.held[1 - side], s.zone[1 - side], s.held[side], s.at[unit], budget, spent,
        board.mask(halt) if halt else None,
    )  # fmt: skip


def widest(s: LeningradState, unit: int, spent: int) -> Reach:
    """Where the unit gets with its bonus; kept until a destination is chosen."""
    found: Reach | None = s.kept((unit, spent))
    if found is None:
        found = reach(s, unit, spent, full_factor(s, unit), _disrupted_armies(s, s.game.side_of[unit]))
        s.keep((unit, spent), found)
    return found


def destinations(s: LeningradState, unit: int, spent: int) -> list[int]:
    """Every hex in which the unit's move may end."""
    side, basic = s.game.side_of[unit], basic_factor(s, unit)
    wide = widest(s, unit, spent)
    found = wide.nodes[:]
    near = [army for army in _disrupted_armies(s, side) if 0 < wide.cost_to(army) <= basic - ROAD_MOBILE]
    if near:  # 7.15: past a Disrupted army without the bonus
        known = set(found)
        found += [n for n in reach(s, unit, spent, basic).nodes if n not in known]
    if not spent:
        if s.zone[1 - side][s.at[unit]]:
            found += [node for node in special_steps(s, unit) if node not in found]
        if side == RUSSIAN and not s.crossed >> unit & 1:
            found += _crossings(s, unit)
    return found


def passages(s: LeningradState, unit: int, spent: int, anywhere: bool = False) -> list[int]:
    """Enemy-held places and edge hexes, or hexes ``anywhere``, that the unit can be led through (ruling D67)."""
    side = s.game.side_of[unit]
    wide, budget = widest(s, unit, spent), full_factor(s, unit)
    keyed, control, zone = s.game.keyed, s.control, s.zone[1 - side]
    found = [n for n in wide.nodes if (anywhere or (keyed[n] and control[n] != side)) and not zone[n]]
    armies = _disrupted_armies(s, side) if found else []
    return [node for node in found if wide.cost_to(node) < budget and node not in armies]


def special_steps(s: LeningradState, unit: int, over: bool = False) -> list[int]:
    """8.6, 8.8: one-hex moves out of a zone straight into another, a unit's whole move; ``over`` the Narva, too."""
    here, side = s.at[unit], s.game.side_of[unit]
    enemy, zone = s.held[1 - side], s.zone[1 - side]
    near = [there for there in s.game.grounds[s.frozen].around[here] if zone[there] and not enemy[there]]
    return [
        there
        for there in near
        if (over or not west_bank(s, unit, there)) and zones.bar_between(s, unit, here, there) is None
    ]


def _crossings(s: LeningradState, unit: int) -> list[int]:
    """7.16, ruling D68: hexes west of the Narva that the unit could enter fit to attack Germans on that bank alone."""
    game = s.game
    held = s.held[GERMAN]
    if not game.near_west[s.at[unit]] or not any(held[node] for node in game.west_nodes):
        return []
    found = _open_reach(s, unit).nodes
    if s.zone[GERMAN][s.at[unit]]:
        found += [n for n in special_steps(s, unit, over=True) if n not in found]
    fit = [n for n in found if game.west[n] and not plan(s, unit, n, 0, "").disrupted]  # it has no bonus there
    return [n for n in fit if combat.could_attack_alone(s, unit, n)]


def _open_reach(s: LeningradState, unit: int) -> Reach:
    """Where a Russian unit gets, without its bonus, if the west bank of the Narva is open to it."""
    costs = s.game.march[s.frozen][unit][0]
    return reach(s, unit, 0, basic_factor(s, unit), _disrupted_armies(s, RUSSIAN), costs)


# ---------------------------------------------------------------- what it costs


def plan(s: LeningradState, unit: int, node: int, spent: int, hot: str) -> March:
    """How the unit best gets to a hex that ``destinations`` offers; ``hot``: what using its bonus brings (8.4, 8.5)."""
    side, over = s.game.side_of[unit], west_bank(s, unit, node)
    zone = s.zone[1 - side]
    special = not spent and zone[s.at[unit]] and zone[node] and node in special_steps(s, unit, over)
    if special and (not s.held[side][node] or s.fit_friend(node, side)):
        return March([node], FACTOR, False, "")
    ways = _open_reach(s, unit) if over else widest(s, unit, spent)
    way = _judge(s, unit, node, hot, over, ways) if ways.cost_to(node) >= 0 else None
    if special and (way is None or way.disrupted):  # no longer way does better
        return March([node], FACTOR, False, "8.7")
    if way is None:  # 7.15: only through a Disrupted army
        ways = reach(s, unit, spent, basic_factor(s, unit))
        way = March(ways.path_to(node)[1:], ways.cost_to(node), False, "7.15")
    return way


def _judge(s: LeningradState, unit: int, node: int, hot: str, over: bool, ways: Reach) -> March:
    """Is the move unhindered, a forced march, or does it Disrupt the unit?"""
    side, basic = s.game.side_of[unit], basic_factor(s, unit)
    cost, path = ways.cost_to(node), ways.path_to(node)[1:]
    contact = s.zone[1 - side][node] > 0 and not s.fit_friend(node, side)
    slow = cost
    if contact and zones.controllers(s, 1 - side, node) & ~s.disrupted:  # 7.10: at the full rate, if it can be paid
        costs = s.game.march[s.frozen][unit][0] if over else costs_of(s, unit)
        slow, path = _full_rate_into(s, unit, node, path, costs, ways)
    if slow <= basic:
        return March(path, slow, False, "")
    if contact:
        return March(path, slow, cost > basic, "8.3" if cost > basic else "7.10")
    return March(path, slow, True, hot)


def _full_rate_into(
    s: LeningradState, unit: int, node: int, path: list[int], costs: Costs, ways: Reach
) -> tuple[int, list[int]]:
    """The cheapest way whose last hex is paid in full, not at the road rate."""
    game, side = s.game, s.game.side_of[unit]
    armies = _disrupted_armies(s, side)
    best, way = 10_000, path
    for near in game.grounds[s.frozen].around[node]:
        step = game.board.step_of[near, node]
        spent = ways.cost_to(near)
        stopped = s.zone[1 - side][near] or (near in armies and near != s.at[unit])
        if spent < 0 or stopped:
            continue
        whole = -(-spent // FACTOR) * FACTOR if costs.whole else spent
        price = whole + FACTOR + costs.near_zone[step]
        if price < best:
            best, way = price, [*ways.path_to(near)[1:], node]
    return best, way


# ---------------------------------------------------------------- carrying it out


def march(s: LeningradState, unit: int, node: int, spent: int, hot: str) -> None:
    way, origin = plan(s, unit, node, spent, hot), s.at[unit]
    _end(s, unit, node, "{unit} marches to {place}", way)
    if west_bank(s, unit, node):
        s.owing |= 1 << unit
        s.origins = (*s.origins, (unit, origin))
    lead_through(s, s.game.side_of[unit], way.path)
    s.enter(unit, node)


def _end(s: LeningradState, unit: int, node: int, how: str, way: March) -> None:
    """A move ends, and is told: 1.10, 7.5, 9.3, and what Disrupts the unit."""
    bit = 1 << unit
    s.moved |= bit
    s.entrenched &= ~bit
    if way.hurried:
        s.hurried |= bit
    rules: tuple[str, ...] = ()
    if way.disrupted:
        s.disrupt(unit)
        how, rules = how + " and is Disrupted", (way.disrupted,)
    s.log("move", how, *rules, unit=unit, place=node, path=(s.at[unit], *way.path))


def lead_through(s: LeningradState, side: int, path: Sequence[int]) -> None:
    """Whoever passes last holds a place; lone trains run."""
    keyed, here = s.game.keyed, s.here
    for node in path[:-1]:
        if keyed[node] or node in here:
            s.pass_through(side, node)


# ---------------------------------------------------------------- refusals


def why_not_move(s: LeningradState, unit: int) -> Citation | None:
    """Why a unit may not move operationally now; None if it may."""
    bit = 1 << unit
    return (
        refuse_if(s.game.side_of[unit] != s.mover, "1.1", f"it is the {SIDES[s.mover]} player-turn")
        or combat.why_absent(s, unit)
        or refuse_if(s.disrupted & bit, "3.18", "a Disrupted unit does not move")
        or refuse_if(s.blitz and s.used & bit, "1.7", "the unit was used in the first phase")
        or refuse_if(s.moved & bit, "1.10", "the unit has moved this turn")
    )


def why_not_there(s: LeningradState, unit: int, node: int, spent: int) -> Citation | None:
    """The rule that keeps a unit out of a hex."""
    here, side, where = s.at[unit], s.game.side_of[unit], s.game.where(node)
    enemy, zone = s.held[1 - side][node], s.zone[1 - side]
    empty = enemy and s.garrisoned(node) and not s.ground_units(node, RUSSIAN)
    reason = (
        refuse_if(empty, "9.4", f"{where} defends itself")
        or refuse_if(enemy, "7.19", f"enemy units are in {where}, and there is no overrun")
        or why_not_ground(s, here, node)
        or refuse_if(west_bank(s, unit, node), "7.16", "west of the Narva only to attack Germans there")
    )
    if reason is None and zone[here] and zone[node] and node in s.game.board.around[here]:
        return zones.bar_between(s, unit, here, node)
    return reason or _too_far(s, unit, node, spent)


def why_not_ground(s: LeningradState, here: int, there: int) -> Citation | None:
    """Why nobody could enter a hex, or cross over into it, even if no enemy were near."""
    board, ground = s.game.board, s.game.grounds[s.frozen]
    terrain = board.terrain[there]
    wet = there in board.around[here] and (here, there) not in ground.passable
    return (
        refuse_if(terrain == "sea", "7.21", "ground units may not enter the sea")
        or refuse_if(terrain == "closed", "8.13", "that hex is closed to movement")
        or refuse_if(terrain == "lake" and there not in ground.ice, "7.17", "the lake is not frozen")
        or refuse_if(wet and board.crosses(here, there, "all_lake"), "7.17", "that side is all water")
        or refuse_if(wet, "7.21", "that side is all water")
    )


def why_shut_in(s: LeningradState, unit: int) -> Citation | None:
    """Why a unit has nowhere to go: what bars the hexes around it, zones before all."""
    reasons = [why_not_there(s, unit, node, 0) for node in s.game.board.around[s.at[unit]]]
    return max(
        (r for r in reasons if r is not None), key=lambda r: (r.rule in ("8.6", "8.8"), r.rule != "8.13"), default=None
    )


def _too_far(s: LeningradState, unit: int, node: int, spent: int) -> Citation:
    """An open hex out of reach: is it the distance, a Disrupted army on the way, or enemy zones?"""
    costs, budget = costs_of(s, unit), full_factor(s, unit)
    if reach(s, unit, spent, budget).cost_to(node) >= 0:
        return refuse("7.15", "past a Disrupted army a unit has no movement bonus")
    free = Costs(costs.cost, road=costs.road, whole=costs.whole)  # zones do not matter
    if reach(s, unit, spent, budget, costs=free).cost_to(node) < 0:
        so_far = f", {Fraction(spent, FACTOR)} of {budget // FACTOR} movement factors being spent" if spent else ""
        return refuse("7.4", f"too far, even with the movement bonus{so_far}")
    forded = Costs(costs.cost, costs.near_zone, costs.road, costs.whole)  # zones stop nobody, but fords cost more
    if reach(s, unit, spent, budget, costs=forded).cost_to(node) < 0:
        return refuse("7.18", "too far, since a river near the enemy costs armour one factor more")
    if not s.zone[1 - s.game.side_of[unit]][s.at[unit]]:
        return refuse("8.2", "a unit stops in the first enemy zone it enters")
    return refuse("8.6", "from zone to zone a unit goes one hex at the most")


# ---------------------------------------------------------------- the choices


def can_march(s: LeningradState, unit: int) -> bool:
    """Has the unit anywhere to go?"""
    here = s.at[unit]
    side = s.game.side_of[unit]
    enemy, zone = s.held[1 - side], s.zone[1 - side]
    zoned = zone[here]
    closed = s.game.west if side == RUSSIAN and not s.crossed >> unit & 1 else None
    for there in s.game.grounds[s.frozen].around[here]:
        if not enemy[there] and not (zoned and zone[there]) and not (closed is not None and closed[there]):
            return True
    return bool(zoned and special_steps(s, unit)) or bool(closed is not None and _crossings(s, unit))


def why_not_instead(s: LeningradState, unit: int, marching: int) -> Citation:
    """Why another unit does not march on: what keeps it from moving, else that one is on the march."""
    return why_not_move(s, unit) or refuse("1.4", f"{s.game.unit_names[marching]} marches now")


class To(Destination[LeningradState]):
    """Where a chosen unit marches. ``spent`` and ``hot`` tell of the way so far (ruling D67)."""

    def items(self, s: LeningradState, unit: int, spent: int, hot: str) -> list[int]:
        return destinations(s, unit, spent)

    def shortcuts(self, s: LeningradState, unit: int, spent: int, hot: str) -> list[Action]:
        return [] if spent else super().shortcuts(s, unit, spent, hot)

    def allows(self, s: LeningradState, action: Action, unit: int, spent: int, hot: str) -> bool:
        """To where it has come: it halts."""
        return action == s.game.act[self.kind][s.at[unit]] or super().allows(s, action, unit, spent, hot)

    def take_shortcut(self, s: LeningradState, action: Action, unit: int, spent: int, hot: str) -> None:
        s.pop()
        if spent:
            Halt().take(s, unit, unit, spent, hot)

    def why_not_item(self, s: LeningradState, node: int, unit: int, spent: int, hot: str) -> Citation | None:
        return why_not_there(s, unit, node, spent)

    def take(self, s: LeningradState, node: int, unit: int, spent: int, hot: str) -> None:
        march(s, unit, node, spent, hot)

    def outlook(self, s: LeningradState, node: int, unit: int, spent: int, hot: str) -> Forecast | None:
        """What a march does to the unit, takes and risks, for who looks before marching."""
        after, side, bit = s.copy(), s.game.side_of[unit], 1 << unit
        way = plan(s, unit, node, spent, hot)
        march(after, unit, node, spent, hot)
        places = [s.game.board.place_at(n) for n in way.path if s.control[n] != after.control[n]]
        crowded = stacking.overstacked(after, after.ground_units(node, side), side)
        starved = not way.disrupted and not supply.in_supply(after, unit)
        found = (
            *((True, f"takes {place.name}") for place in places if place),
            (way.disrupted, f"is Disrupted by the march (rule {way.disrupted})"),
            (way.hurried and not way.disrupted, "a forced march: no attack this turn (rule 7.5)"),
            (after.owing & ~s.owing & bit, "has to attack from there (rule 7.16)"),
            (s.zone[1 - side][node], "ends in an enemy zone of control (rule 8.2)"),
            (crowded, f"too many there: {crowded}; units over the limit are lost (rule 6.10)"),
            (starved, "out of supply there as things stand: Disrupted in the supply step (rule 12.7)"),
        )
        title = f"{s.game.unit_names[unit]} to {s.game.board.labels[node]}"
        return telling(title, [text for holds, text in found if holds])


class Through(NamedDestination[LeningradState]):
    """Ruling D67: first through a place that is to be taken in passing, or by another way of the player's choice."""

    kind, returns = "via", False

    def nodes(self, s: LeningradState, unit: int, spent: int, hot: str) -> list[int]:
        return passages(s, unit, spent)

    def why_not_unit(self, s: LeningradState, other: int, unit: int, *way: object) -> Citation:
        return why_not_instead(s, other, unit)

    def why_not_node(self, s: LeningradState, node: int, unit: int, spent: int, hot: str) -> Citation | None:
        here = node == s.at[unit]
        if not here and node not in destinations(s, unit, spent):
            return why_not_there(s, unit, node, spent)
        return (
            refuse_if(here, "7.4", "it is there already")
            or refuse_if(s.zone[1 - s.mover][node], "8.2", "the unit would stop there, in an enemy zone")
            or refuse("7.15", "past a Disrupted army the unit would not get on")
        )

    def allows(self, s: LeningradState, action: Action, unit: int, spent: int, hot: str) -> bool:
        named = action.kind == self.kind and action.args[0] == unit
        return named and action.args[1] in passages(s, unit, spent, anywhere=True)

    def take_shortcut(self, s: LeningradState, action: Action, unit: int, spent: int, hot: str) -> None:
        s.pop()
        self.arrive(s, action.args[1], unit, spent, hot)

    def arrive(self, s: LeningradState, node: int, unit: int, spent: int, hot: str) -> None:
        way = plan(s, unit, node, spent, hot)
        s.push(Route, unit, way.cost, hot)
        s.log("move", "{unit} passes through {place}", unit=unit, place=node, path=(s.at[unit], *way.path))
        lead_through(s, s.mover, way.path)
        s.enter(unit, node)
        s.entrenched &= ~(1 << unit)


class Halt(Pick[LeningradState]):
    """A unit that has been led somewhere stops there."""

    kind = "halt"

    def items(self, s: LeningradState, unit: int, spent: int, hot: str) -> list[int]:
        return [unit] if spent else []

    def why_not_item(self, s: LeningradState, item: int, unit: int, spent: int, hot: str) -> Citation | None:
        return why_not_instead(s, item, unit)

    def allows(self, s: LeningradState, action: Action, unit: int, spent: int, hot: str) -> bool:
        """Who halts before he has set out is taken back."""
        own: Action = s.game.act[self.kind][unit]
        return not spent and action == own

    def take(self, s: LeningradState, item: int, unit: int, spent: int, hot: str) -> None:
        forced = spent > basic_factor(s, unit)
        _end(
            s, unit, s.at[unit], "{unit} halts in {place}", March([], spent, forced and not hot, hot if forced else "")
        )


@flow.choice
class Route(Menu[LeningradState]):
    parts = (To(), Through(), Halt())
