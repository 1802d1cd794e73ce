"""Chapter 12: ground movement. Costs are counted in half movement points.

A player picks a unit, adds others of its hex, and moves the group; it may pause, drop units and go on. Rail, ferry, ski
infiltration (19.1) and the railway gun (19.2) are in unique.py, staging areas (20.0) in staging.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from counterblow.games.narvik import staging, unique
from counterblow.games.narvik.engineers import costs_of, offer_bridges, open_step, why_closed
from counterblow.games.narvik.leaders import why_auchinleck, why_idle
from counterblow.games.narvik.stacking import Group, Rearrange, has_room, why_not_room, with_room
from counterblow.games.narvik.state import NarvikState, flow
from counterblow.kernel.actions import Action
from counterblow.kernel.flow import WITHOUT
from counterblow.kernel.forecast import Forecast, telling
from counterblow.kernel.gather import Gather, Plan
from counterblow.kernel.graph import Counts, Reach
from counterblow.kernel.journey import price
from counterblow.kernel.masks import bits, mask_of
from counterblow.kernel.pick import Menu, Pick
from counterblow.kernel.rulebook import Citation, refuse, refuse_if

Halts = Callable[[NarvikState, Group], list[int]]
Bars = Callable[[NarvikState, Group, int], Citation | None]
Pay = Callable[[NarvikState, Group, int], Sequence[int]]

# ------------------------------------------------------------------ 12.1 to 12.3 marching

TOO_FEW = refuse("12.0.b", "too few movement points on any way that is open")


def alike(s: NarvikState, group: Group) -> bool:
    """Are all units of the group of one mobility class, so that the same hexes cost them the same?"""
    lead = s.mobility(group[0])
    return all(s.mobility(u) == lead for u in group[1:])


def slowest(s: NarvikState, group: Group) -> int:
    """12.2.d: the unit that has the fewest points for hexes, the price of leaving an enemy zone taken off."""
    return group[0] if len(group) == 1 else min(group, key=lambda u: s.left(u) - s.leaving(u))


def destinations(s: NarvikState, group: Group) -> list[int]:
    """Nodes that the group can march to and end in, or board a train in, cheapest first."""
    if s.game.roster.gun[group[0]]:
        return unique.gun_destinations(s, group[0])
    here = s.at[group[0]]
    if len(group) > 1 and not alike(s, group):  # 12.2.e: each pays its own costs, so such a stack goes hex by hex
        near = [n for n in s.game.board.around[here] if why_not_step(s, group, n) is None]
        return with_room(s, group, near)
    lead = slowest(s, group)
    found = s.keep(group, reach(s, lead)).nodes
    if not s.spent[lead] and dear_steps(s, lead):  # 12.1.a, 12.1.c: one hex in any case; not what is closed (12.1.b)
        found = found + [n for n in s.game.board.around[here] if n not in found and why_not_step(s, group, n) is None]
    free = with_room(s, group, found)
    if len(free) == len(found):
        return free
    trains = unique.full_terminals(s, group, s.kept(group), s.left(lead))
    able = s.active & ~s.moved & ~s.paused
    full = [n for n in found if s.loads[n] and mask_of(s.here[n]) & able and n not in free and n not in trains]
    return free + trains + [n for n in full if can_exchange(s, group, s.kept(group).path_to(n) or [here, n])]


def reach(s: NarvikState, unit: int, zone: Counts | None = None) -> Reach:
    """Every node within the unit's points, with the enemy's zones or those given."""
    side = s.game.side_of[unit]
    return s.game.board.graph.reach(
        costs_of(s, unit), s.held[1 - side], zone or s.zone[1 - side], s.held[side], s.at[unit], s.left(unit), 0,
        s.game.ground.areas,
    )  # fmt: skip


def dear_steps(s: NarvikState, unit: int) -> bool:
    """Could a single step cost more than the unit has?"""
    here, move, ground, side = s.at[unit], s.game.roster.move[unit], s.game.ground, s.game.side_of[unit]
    if s.demolished or here >= ground.hexes:
        return True
    leave = s.leaving(unit)
    if not leave and 2 * move >= ground.dearest_of_all:
        return False
    return bool(ground.dearest[side, s.mobility(unit)][here] + leave > 2 * move)


def step_price(s: NarvikState, unit: int, there: int) -> int:
    """Half points for the next step, the price of leaving an enemy zone included."""
    return int(costs_of(s, unit).cost[s.game.board.step_of[s.at[unit], there]]) + s.leaving(unit)


def why_not_step(s: NarvikState, group: Group, there: int) -> Citation | None:
    """Why a stack cannot go to the next node together (12.2.d, 12.2.e); None if it can. 10.1.e: areas have no zones."""
    here, side = s.at[group[0]], s.mover
    if s.held[1 - side][there]:
        return refuse("12.0.e", "an enemy unit is there")  # 9.0.a
    for unit in group:
        if not open_step(s, side, s.mobility(unit), here, there):
            return staging.why_not_area(s, side, here, there) or why_closed(s, s.mobility(unit), here, there)
        if s.in_enemy_zone(side, here) and s.in_enemy_zone(side, there):
            return refuse("10.1.b", "a unit leaves an enemy zone only to a hex outside enemy zones")
        if s.spent[unit] and step_price(s, unit, there) > s.left(unit):
            rule = "12.2.d" if len(group) > 1 else "12.0.b"
            return refuse(rule, f"{s.game.unit_names[unit]} lacks the movement points")
    return None


def why_not_go(s: NarvikState, group: Group, there: int) -> Citation | None:
    """Why the group cannot march to a node; None if it can."""
    here, ground, side = s.at[group[0]], s.game.ground, s.mover
    if there == here:
        return refuse("12.0.c", "the unit is already there")
    if s.held[1 - side][there]:
        return refuse("12.0.e", "an enemy unit is there")
    if s.game.roster.gun[group[0]]:
        return unique.why_not_gun(s, group[0], there)
    if there in s.game.board.around[here]:
        reason = why_not_step(s, group, there)
    elif there >= ground.hexes:
        reason = staging.why_not_area(s, side, here, there) or why_not_reach(s, group, there)
    elif not ground.lands[s.mobility(group[0])][there]:
        reason = why_closed(s, s.mobility(group[0]), here, there)
    elif not alike(s, group):
        reason = refuse("12.2.e", "a stack of two mobility classes goes hex by hex (ruling D79)")
    else:
        reason = why_not_reach(s, group, there)
    return reason or (None if has_room(s, group, there) else why_not_room(s, group, there))


def why_not_reach(s: NarvikState, group: Group, there: int) -> Citation | None:
    """Why a node is too far: enemy zones, if the unit would get there without them, else its points."""
    unit = slowest(s, group)
    if reach(s, unit).cost_to(there) >= 0:
        return None
    if reach(s, unit, bytes(s.game.board.size)).cost_to(there) < 0:
        if s.at[unit] >= s.game.ground.hexes and there in s.game.board.edge_hexes:
            return staging.why_not_area(s, s.mover, s.at[unit], there) or TOO_FEW
        return TOO_FEW
    if s.in_enemy_zone(s.mover, s.at[unit]):
        return refuse("10.1.b", "an enemy zone is left at half the movement factor, and not into another")
    return refuse("10.1.a", "enemy zones bar every way that is short enough: a unit stops in the first that it enters")


def pay_march(s: NarvikState, group: Group, there: int) -> Sequence[int]:
    """Pay for the march; the path it takes."""
    lead, here = slowest(s, group), s.at[group[0]]
    if s.game.roster.gun[lead]:
        s.spent[lead] = 2 * s.game.roster.move[lead]
        return unique.rails(s, here).path_to(there)
    found: Reach = s.kept(group) or reach(s, lead)
    if found.cost_to(there) < 0 or not alike(s, group):
        path = [here, there]
        for unit in group:  # 12.1.a, 12.2.e: one hex, each at its own price, or for what it has
            s.spent[unit] += min(step_price(s, unit, there), s.left(unit))
    else:
        path, hexes = found.path_to(there), found.cost_to(there) - s.leaving(lead)
        for unit in group:  # all pay the same for the hexes, each its own price for leaving an enemy zone (10.1.b)
            s.spent[unit] += hexes + s.leaving(unit)
    if here >= s.game.ground.hexes:
        counts = dict(s.entered)
        counts[path[1]] = counts.get(path[1], 0) + 1
        s.entered = tuple(sorted(counts.items()))
    return path


# ------------------------------------------------------------------ 9.0.f two stacks change places


def can_exchange(s: NarvikState, group: Group, way: Sequence[int]) -> bool:
    """9.0.f, ruling D69: may a group end in a full hex, because as many units there can go back the way it came?

    They have to be activated and yet to move; the limit is then kept when the action ends.
    """
    left, node = way[0], way[-1]
    free = s.active & ~s.moved & ~s.paused
    stay = [u for u in s.here.get(node, ()) if u not in group]
    if s.crowded >= 0 or left >= s.game.ground.hexes or not mask_of(stay) & free:
        return False
    roster, side = s.game.roster, s.mover
    limit = s.game.tables.stacking[side]
    load, more = sum([roster.counts[u] for u in stay]), sum([roster.counts[u] for u in group])
    behind = [u for u in s.here.get(left, ()) if u not in group]
    rest, excess = sum([roster.counts[u] for u in behind]), load + more - limit
    if load > limit or not 0 < excess <= limit - rest:
        return False
    if any(roster.nation[u] != roster.nation[group[0]] for u in behind):  # 9.0.e
        return False
    able = [u for u in stay if free >> u & 1 and not roster.gun[u]]
    if sum([roster.counts[u] for u in able]) < excess:
        return False
    enemy, zone, friend, back = s.held[1 - side], s.zone[1 - side], s.held[side], way[::-1]
    gone = [u for u in able if 0 <= price(s.game.board, costs_of(s, u), enemy, zone, friend, back) <= s.left(u)]
    return bool(sum([roster.counts[u] for u in gone]) >= excess)


# ------------------------------------------------------------------ the group in motion


def is_gone(plan: Plan) -> bool:
    """Has the group moved since it was formed? The plan's ``extra`` is then its way."""
    return bool(plan.extra)


VERBS = {"march": "marches", "ride": "rides", "sail": "sails", "infiltrate": "infiltrates"}  # many, one


class Leg(Pick[NarvikState]):
    """One leg of a movement: a kind of transport that takes the group to a node."""

    def __init__(self, kind: str, verb: str, rule: str, halts: Halts, bars: Bars, pay: Pay, zones: bool = True) -> None:
        self.kind = kind
        self.verb, self.rule = verb, rule  # what the log says and cites
        self.halts, self.bars, self.pay = halts, bars, pay
        self.zones = zones  # must it end in an enemy zone?

    def items(self, s: NarvikState, plan: Plan) -> list[int]:
        return self.halts(s, plan.units)

    def why_not_item(self, s: NarvikState, node: int, plan: Plan) -> Citation | None:
        return self.bars(s, plan.units, node)

    def ends(self, s: NarvikState, group: Group, node: int) -> bool:
        """10.1.a, 10.1.d, 12.4.e, 19.2.c, 20.0.g, 12.5.h: must the group end its movement there?"""
        if node >= s.game.ground.hexes or s.game.roster.gun[group[0]]:
            return True
        return (self.zones and s.in_enemy_zone(s.mover, node)) or all(s.left(u) <= 0 for u in group)

    def outlook(self, s: NarvikState, node: int, plan: Plan) -> Forecast | None:
        after = s.copy()
        self.take(after, node, plan)
        names = " + ".join(s.game.unit_names[u] for u in plan.units)
        ends = self.ends(after, plan.units, node)
        return telling(f"{names} to {s.game.where(node)}", consequences(s, after, plan, ends))

    def take(self, s: NarvikState, node: int, plan: Plan) -> None:
        """The group goes; 4.4.d, ruling D63: it takes every hex it enters, though not the sea that a ferry crosses."""
        begin(s, plan)
        path = self.pay(s, plan.units, node)
        after = plan.adding(tuple(path))
        where, own = "to {place}, {path}", self.verb if len(plan.units) > 1 else VERBS[self.verb]
        public = f"{s.game.side_titles[plan.side]} units {self.verb} {where}"
        s.tell(plan.side, "move", f"{{units}} {own} {where}", public, self.rule,
               units=plan.units, path=after.extra, place=node)  # fmt: skip
        for unit in plan.units:
            s.put(unit, node)
            s.paused |= 1 << unit
        for hex_entered in path[1:]:
            if hex_entered < s.game.ground.hexes:
                s.take_control(plan.side, hex_entered)
        if s.crowded >= 0 and s.loads[s.crowded] <= s.game.tables.stacking[plan.side]:
            s.crowded = -1
        if self.ends(s, plan.units, node):
            halt(s, after)
        else:
            s.push(March, after)
        offer_bridges(s, plan.side, path)


def begin(s: NarvikState, plan: Plan) -> None:
    """12.2.c: a unit of another hex begins to move, and the earlier stack may not resume."""
    lead = plan.units[0]
    if not s.paused >> lead & 1 and s.at[lead] != s.origin:
        s.moved |= s.paused
        s.paused = 0
        s.origin = s.at[lead]


def finish(s: NarvikState, group: Group) -> None:
    """The movement of these units is over."""
    mask = mask_of(group)
    s.moved |= mask
    s.paused &= ~mask


def halt(s: NarvikState, plan: Plan) -> None:
    """The group stays; if too many stand there others must leave: ``why_not_stay`` has seen to it that they can.

    Who has not moved, since it can go nowhere, found the hex as it is (ruling D34).
    """
    here = s.at[plan.units[0]]
    if is_gone(plan) and why_not_room(s, plan.units, here):
        s.crowded = here
    finish(s, plan.units)


def consequences(s: NarvikState, after: NarvikState, plan: Plan, ends: bool) -> list[str]:
    """What a leg takes, gives up and ends, for who looks before moving."""
    game, node, found = s.game, after.at[plan.units[0]], []
    for place in (*game.ground.objectives, *game.ground.ferries):
        if after.controls(plan.side, place) and not s.controls(plan.side, place):
            found.append(f"takes {game.where(place)} (rule 4.4.d)")
    for place in game.ground.objectives:
        if s.occupies(plan.side, place) and not after.occupies(plan.side, place):
            found.append(f"leaves the objective {game.where(place)} empty (rule 4.4.b)")
    if s.in_enemy_zone(plan.side, node):
        found.append("ends its movement in an enemy zone of control (rule 10.1.a)")
    elif ends:
        found.append("ends its movement there (rule 12.0.c)")
    if after.crowded >= 0 and s.crowded < 0:
        found.append("too many there: as many must leave in this action (rule 9.0.f)")
    return found


class Infiltrate(Leg):
    def take(self, s: NarvikState, node: int, plan: Plan) -> None:
        here = s.at[plan.units[0]]
        near = unique.enemies_near(s, here)
        skis = tuple([u for u in near if s.game.roster.ski[u]])
        if skis:  # ruling D84
            begin(s, plan)
            s.reveal(skis)
            s.log("reveal", "infiltration out of {place} is stopped by {units}", "19.1.b", place=here, units=skis)
            finish(s, plan.units)
            return
        if not all(s.sees(plan.side, u) for u in near):  # a reveal: it cannot be taken back
            s.tell(plan.side, "reveal", "no enemy ski unit covers {place}", "", "19.1.b", place=here)
        super().take(s, node, plan)


NOBODY_LEFT = refuse("12.2.b", "the last unit of a stack halts")


class Drop(Pick[NarvikState]):
    """12.2.b, 12.2.f: a unit stays behind, and may go on later."""

    kind = "drop"

    def items(self, s: NarvikState, plan: Plan) -> Sequence[int]:
        return plan.units if why_not_stay(s, plan) is None else ()

    def why_not_item(self, s: NarvikState, unit: int, plan: Plan) -> Citation | None:
        return (
            refuse_if(unit not in plan.units, "12.2.b", "the unit does not move with the stack")
            or refuse_if(not is_gone(plan), "12.2.b", "a unit is dropped from a stack that has moved")
            or why_not_stay(s, plan)
            or NOBODY_LEFT
        )

    def take(self, s: NarvikState, unit: int, plan: Plan) -> None:
        s.push(March, plan.less(unit))


@flow.choice
class March(Gather[NarvikState]):
    """12.2: units of one hex, and where they go together."""

    joining, committing = "and", "halt"
    parts = (
        Drop(),
        Leg("to", "march", "12.0.c", destinations, why_not_go, pay_march),  # 12.0.c: the cheapest way is taken
        # 12.4.d, 12.4.f: any number of units, before and after a march; 12.5.e, 10.1.g: ferries ignore zones
        Leg("rail", "ride", "12.4.c", unique.rail_halts, unique.why_not_rail, unique.pay_rail),
        Leg("ferry", "sail", "12.5.c", unique.ferry_halts, unique.why_not_ferry, unique.pay_ferry, zones=False),
        Infiltrate("infiltrate", "infiltrate", "19.1.a", unique.ski_halts, unique.why_not_infiltrate, unique.pay_ski),
    )

    def prompt(self, s: NarvikState, plan: Plan) -> str:
        names = " + ".join(s.game.unit_names[u] for u in plan.units)
        left = min(s.left(u) for u in plan.units) / 2
        points = f"{left:g} movement point{'s' * (left != 1)} left"
        if not is_gone(plan):
            return f"Move {names} ({points})."
        if why_not_stay(s, plan):
            return f"Move {names} on ({points}): there is no room to halt here."
        return f"Move {names} on ({points}), or halt."

    def legal(self, s: NarvikState, plan: Plan) -> list[Action]:
        """A unit that cannot go anywhere halts: choosing it must lead somewhere."""
        return super().legal(s, plan) or [s.game.act[self.committing][()]]

    def parts_now(self, s: NarvikState, plan: Plan) -> list[Pick[NarvikState]]:
        """A march is always looked at, the rest where it can start."""
        drop, march, rail, ferry, infiltrate = self.parts
        ground, lead = s.game.ground, plan.units[0]
        here, gone = s.at[lead], is_gone(plan)
        found: list[Pick[NarvikState]] = [drop, march] if gone and len(plan.units) > 1 else [march]
        if here in ground.rail_terminals:
            found.append(rail)
        if not gone and (s.terminals >> here & 1 or here == ground.harstad):
            found.append(ferry)
        if not gone and s.game.roster.ski[lead] and ground.rugged[here]:
            found.append(infiltrate)
        return found

    def candidates(self, s: NarvikState, plan: Plan) -> Sequence[int]:
        """12.2.a: units of the same hex."""
        return () if is_gone(plan) else s.here[s.at[plan.units[0]]]

    def why_not_join(self, s: NarvikState, plan: Plan, unit: int) -> Citation | None:
        lead, roster = plan.units[0], s.game.roster
        if s.at[lead] >= s.game.ground.hexes:
            return refuse("12.2.a", "units leave a staging area one at a time (ruling D78)")
        if s.at[unit] != s.at[lead] or unit in plan.units:
            return refuse("12.2.a", "only other units of the same hex join the stack")
        if is_gone(plan) or s.fresh(unit) != s.fresh(lead):
            return refuse("12.2.a", "only units that begin stacked in one hex move as a stack")
        if roster.gun[unit] or roster.gun[lead]:
            return unique.GUN_ALONE
        if sum([roster.counts[u] for u in (*plan.units, unit)]) > s.game.tables.stacking[s.mover]:
            return refuse("9.0.c", "a stack above the limit, as after regrouping (ruling D34), could end nowhere")
        reason = MOVER.why_not_item(s, unit)
        if reason is None and s.crowded >= 0 and not destinations(s, (*plan.units, unit)):
            return refuse("9.0.f", "together they could not leave the hex, and some must")
        return reason

    def why_not_commit(self, s: NarvikState, plan: Plan) -> Citation | None:
        return refuse_if(not is_gone(plan), "12.0.f", "it has not moved") or why_not_stay(s, plan)

    def allows(self, s: NarvikState, action: Action, plan: Plan) -> bool:
        """12.0.f, 12.2.b: who halts before he has moved is left where he is; in motion without a unit it is dropped."""
        if is_gone(plan):
            return action.kind == WITHOUT and s.game.act["drop"][action.args[0]] in s.legal()
        return action.kind == self.committing or super().allows(s, action, plan)

    def take_shortcut(self, s: NarvikState, action: Action, plan: Plan) -> None:
        if is_gone(plan):
            self.do(s, s.game.act["drop"][action.args[0]], plan)
        elif action.kind == self.committing:
            s.pop()
        else:
            super().take_shortcut(s, action, plan)

    def why_not_without(self, s: NarvikState, plan: Plan, unit: int) -> Citation:
        if unit in plan.units and is_gone(plan):
            return why_not_stay(s, plan) or NOBODY_LEFT
        return super().why_not_without(s, plan, unit)

    def commit(self, s: NarvikState, plan: Plan) -> None:
        halt(s, plan)

    def why_not_leave(self, s: NarvikState, plan: Plan) -> Citation | None:
        return refuse_if(is_gone(plan), "12.0.d", "the stack in motion must finish first")


def why_not_stay(s: NarvikState, plan: Plan) -> Citation | None:
    """9.0.g: a group that has come into a hex without room for it may only pass through, unless it changes places."""
    here = s.at[plan.units[0]]
    if len(s.here[here]) == len(plan.units):
        return None
    full = why_not_room(s, plan.units, here)
    return None if full is None or can_exchange(s, plan.units, plan.extra) else full


# ------------------------------------------------------------------ 12.0 which unit or stack moves


class Mover(Pick[NarvikState]):
    """12.0.d: a unit or stack finishes its movement before another begins."""

    kind, stays = "move", True

    def items(self, s: NarvikState) -> list[int]:
        """12.0.a, 8.3.a: activated units on the map or in a staging area whose movement is not finished."""
        hexes, staged, at = s.game.ground.hexes, s.game.ground.staging[s.mover], s.at
        if s.crowded >= 0:
            return [u for u in bits(s.active & ~s.moved) if at[u] == s.crowded]
        return [u for u in bits(s.active & ~s.moved) if 0 <= at[u] < hexes or at[u] in staged]

    def why_not_item(self, s: NarvikState, unit: int) -> Citation | None:
        ground, here = s.game.ground, s.at[unit]
        away = not 0 <= here < ground.hexes and here not in ground.staging[s.mover]
        return (
            refuse_if(s.game.side_of[unit] != s.mover, "1.2.a", "the unit belongs to the enemy")
            or why_auchinleck(s, unit)
            or why_idle(s, unit)
            or refuse_if(s.moved >> unit & 1, "12.2.c", "the unit has finished its movement")
            or refuse_if(away, "20.0.a", "the unit is neither on the map nor in a staging area")
            or leave_first(s, here)
        )

    def take(self, s: NarvikState, unit: int) -> None:
        s.push(March, Plan(s.mover, (), (unit,)))


MOVER = Mover()


def leave_first(s: NarvikState, here: int = -1) -> Citation | None:
    """Is there a hex above the limit which others than those who stand here must leave?"""
    above = s.game.board.labels[s.crowded]
    return refuse_if(s.crowded not in (-1, here), "9.0.f", f"units must first leave {above}, which is above the limit")


@flow.choice
class Movement(Menu[NarvikState]):
    parts, passing = (Rearrange(), MOVER), "done"

    def prompt(self, s: NarvikState) -> str:
        if s.crowded >= 0:
            return f"Choose a unit that leaves {s.game.board.labels[s.crowded]}: too many stand there."
        return "Choose a unit to move, or end the movement action."

    def why_not_pass(self, s: NarvikState) -> Citation | None:
        return leave_first(s)

    def undone(self, s: NarvikState) -> str:
        return "" if s.moved & s.active or s.paused else "nobody has moved, and the action is paid for"
