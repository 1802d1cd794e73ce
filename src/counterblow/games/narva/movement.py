"""Chapter 6: movement.

A unit is named, then moves in one or more legs: normal movement (6.1), strategic movement along roads (6.4), rail
movement for reinforcements (6.5), or one crossing by ferry (6.2.2g). Each leg follows the cheapest path (ruling 31).
Prices are tabulated in ``terrain``.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from counterblow.games.narva import headquarters, supply, victory
from counterblow.games.narva.components import HQ, SIDES
from counterblow.games.narva.stacking import has_room, why_not_stack
from counterblow.games.narva.state import NarvaState, flow
from counterblow.games.narva.terrain import TWELFTHS, Season
from counterblow.kernel.actions import Action
from counterblow.kernel.flow import BACK, ask
from counterblow.kernel.forecast import Forecast, telling
from counterblow.kernel.graph import Costs, Counts, Reach
from counterblow.kernel.journey import Destination
from counterblow.kernel.masks import bits
from counterblow.kernel.pick import Menu, Pick
from counterblow.kernel.rulebook import Citation, cited_as, refuse, refuse_if
from counterblow.kernel.state import NOWHERE

# how a unit is moving: not yet, normally, strategically
FRESH, NORMAL, STRATEGIC = 0, 1, 2

# what kind of move it is: of an activated unit, by a random event, a Free Move, of a unit just placed (11.2.2c, 8.0b)
REGULAR, EVENT, FREE_MOVE, RETURNING, ENTERING = 0, 1, 2, 3, 4

ENDLESS = 1000  # movement points: any distance

OUT_OF_ZONES = "a Free Move keeps out of enemy zones of control"


# ---------------------------------------------------------------------- 6.0: who moves


@flow.step
def movement_segment(s: NarvaState, kind: int) -> None:
    """3.0c: the movement segment of an activation. Once units could move it ends when its owner says so."""
    s.begin_phase(f"{SIDES[s.mover]}." + ("free_move" if kind == FREE_MOVE else "movement"))
    s.ferries = 0
    s.ask(ChooseMover, kind)


@flow.choice
class ChooseMover(Pick[NarvaState]):
    """6.0b: a unit's movement is finished before another moves."""

    kind, passing, stays = "move", "end_movement", True

    def items(self, s: NarvaState, kind: int) -> Sequence[int]:
        """6.0a: activated units that have not moved yet; pinned ones may not (2.5.1i)."""
        pin, at = s.pin, s.at
        return [u for u in bits(s.may_move) if not pin[u] and at[u] >= 0]

    def why_not_item(self, s: NarvaState, unit: int, kind: int) -> Citation | None:
        return (
            refuse_if(s.game.side_of[unit] != s.mover, "4.1.1c", f"{s.game.side_titles[s.mover]} units move now")
            or refuse_if(s.at[unit] == NOWHERE, "6.0a", "it is not on the map")
            or refuse_if(s.pin[unit], "2.5.1i", "it is pinned")
            or refuse_if(s.moved >> unit & 1, "6.0b", "it has moved in this segment")
            or (None if s.may_move >> unit & 1 else why_not_roused(s, unit, kind))
        )

    def undone(self, s: NarvaState, kind: int) -> str:
        return "" if s.moved else f"none of the {len(self.items(s, kind))} activated units has moved"

    def take(self, s: NarvaState, unit: int, kind: int) -> None:
        if not s.pose(Leg, unit, FRESH, s.allowance(unit), kind):
            has_moved(s, unit)
            s.log("move", "{unit} cannot move", "6.1a", unit=unit)


def why_not_roused(s: NarvaState, unit: int, kind: int) -> Citation:
    """Why a unit takes no part in this move."""
    if kind == FREE_MOVE:
        three = refuse_if(s.last[s.mover] < 0, "2.5.4b", "it is not one of the three units that were named")
        with_hq = refuse("2.5.4a", f"the Free Move is of {activated_hq(s)} and those that it called up")
        return why_not_leave_zone(s, unit) or three or with_hq
    return (
        refuse_if(kind == EVENT, "2.5.2b", "the event does not move it")
        or refuse_if(s.game.kinds[unit] == HQ, "6.0a", f"it is not the activated HQ: {activated_hq(s)} is")
        or why_not_commanded(s, unit)
    )


def activated_hq(s: NarvaState) -> str:
    hq = s.last[s.mover]
    return s.game.unit_names[hq] if hq >= 0 else "none"


def why_not_commanded(s: NarvaState, unit: int) -> Citation:
    """4.0a, 4.2.6a: why the HQ of this activation does not command a unit."""
    members, hq = s.game.members.get(s.last[s.mover], ()), activated_hq(s)
    return (
        refuse_if(hq == "none", "4.0a", "it is not activated, and neither is any HQ")
        or refuse_if(unit in members, "4.2.6a", f"it was out of range of {hq}, its HQ")
        or refuse("4.0a", f"it is not activated: it is not of the formation of {hq}, and was not called up")
    )


def why_not_leave_zone(s: NarvaState, unit: int) -> Citation | None:
    """2.5.4c: who starts in an enemy zone takes no part in a Free Move."""
    return refuse_if(s.in_ezoc(s.at[unit], s.mover), "2.5.4c", "it starts in an enemy zone of control")


def has_moved(s: NarvaState, unit: int) -> None:
    bit = s.may_move & 1 << unit
    s.may_move ^= bit
    s.moved |= bit


# ---------------------------------------------------------------------- 6.1: normal movement


def season(s: NarvaState) -> Season:
    return s.game.ground.frost[s.frozen]


def barriers(s: NarvaState, unit: int) -> Counts:
    """6.3.2: hexes closed to a unit by enemies. Combat units may overrun a lone HQ (6.3.2b), HQs may not (6.3.2c)."""
    enemy = 1 - s.game.side_of[unit]
    return s.presence(enemy) if s.game.kinds[unit] == HQ else s.held[enemy]


def normal_costs(s: NarvaState, unit: int, kind: int) -> Costs:
    table = season(s).free if kind == FREE_MOVE else season(s).normal
    return table[s.game.classes[unit]]


def reach(s: NarvaState, unit: int, costs: Costs, points: int, halt: Counts | None = None) -> Reach:
    """Where a unit can go by one kind of movement."""
    key, side = (unit, points, costs), s.game.side_of[unit]
    found: Reach | None = s.kept(key)
    if found is None:
        closed, zone, friends = barriers(s, unit), s.zone[1 - side], s.held[side]
        found = s.keep(key, s.game.graph.reach(costs, closed, zone, friends, s.at[unit], points, 0, halt))
    return found


# costs, points, closed hexes, zones; the rule that they leave out, and what it says ({cost} in points, of twelfths)
Easing = tuple[Costs, int, Counts, Counts, str, str]


def what_bars(s: NarvaState, unit: int, node: int, *easings: Easing) -> Citation | None:
    """With what first made easier would a unit get there? That is what bars its way."""
    for costs, points, closed, zone, rule, text in easings:
        found = s.game.graph.reach(costs, closed, zone, s.held[s.game.side_of[unit]], s.at[unit], points)
        cost = found.cost_to(node)
        if cost >= 0:
            return refuse(rule, text.replace("{cost}", f"{Fraction(cost, TWELFTHS)}"))
    return None


def normal_reach(s: NarvaState, unit: int, points: int, kind: int) -> Reach:
    """6.1a: hexes within the movement points."""
    return reach(s, unit, normal_costs(s, unit, kind), points)


def minimum_moves(s: NarvaState, unit: int, near: Reach, points: int, kind: int) -> list[int]:
    """6.1c: one hex whatever the price, but not prohibited and not from enemy zone to enemy zone (6.1d)."""
    if points >= season(s).dearest[s.game.classes[unit]]:
        return []
    game, closed = s.game, barriers(s, unit)
    here, zone, cost = s.at[unit], s.zone[1 - game.side_of[unit]], normal_costs(s, unit, kind).cost
    extra = []
    for step, there in enumerate(game.around[here], game.first_step[here]):
        barred = cost[step] < 0 or closed[there] or (zone[there] and (zone[here] or kind == FREE_MOVE))
        if not barred and near.cost_to(there) < 0:
            extra.append(there)
    return extra


def why_not_hex(s: NarvaState, unit: int, node: int) -> Citation | None:
    """Why a unit may never enter a hex, or not stop in it."""
    alone = not s.held[1 - s.game.side_of[unit]][node]  # an HQ is a barrier to HQs only
    return (
        s.game.ground.why_not_enter(s.game.classes[unit][1], node)
        or refuse_if(barriers(s, unit)[node], "6.3.2c" if alone else "6.3.2a", "enemy units are there")
        or why_not_stack(s, unit, node)
    )


class To(Destination[NarvaState]):
    """Normal movement, or the end of the unit's movement: who has just been placed may also stay."""

    passing = "stop"

    def items(self, s: NarvaState, unit: int, mode: int, points: int, kind: int) -> Sequence[int]:
        if mode == STRATEGIC:
            return ()
        full = s.full(s.game.kinds[unit])
        found = normal_reach(s, unit, points, kind)
        nodes = s.game.graph.at_most(found.nodes, full, 0)
        if mode == FRESH:
            nodes += [node for node in minimum_moves(s, unit, found, points, kind) if not full[node]]
        return nodes

    def shortcuts(self, s: NarvaState, unit: int, mode: int, points: int, kind: int) -> list[Action]:
        """Back to the choice of a unit, as long as this one has not moved."""
        return [s.game.act[BACK][()]] if mode == FRESH and kind < RETURNING else []

    def why_not_pass(self, s: NarvaState, unit: int, mode: int, points: int, kind: int) -> Citation | None:
        if mode == FRESH and kind < RETURNING:
            return refuse("6.0b", "it has not moved")
        return why_not_stack(s, unit, s.at[unit]) if mode == FRESH else None  # a leg ends where there is room

    def take(self, s: NarvaState, node: int, unit: int, mode: int, points: int, kind: int) -> None:
        """Along the cheapest path; the minimum move ends the unit's movement (ruling 26)."""
        found = normal_reach(s, unit, points, kind)
        cost = found.cost_to(node)
        if cost >= 0:
            travel(s, unit, found.path_to(node), "6.1a", NORMAL, points - cost, kind)
        else:
            travel(s, unit, [s.at[unit], node], "6.1c", NORMAL, 0, kind)

    def outlook(self, s: NarvaState, node: int, unit: int, mode: int, points: int, kind: int) -> Forecast | None:
        """What a move takes and risks, for who looks before moving."""
        after, side, found = s.copy(), s.game.side_of[unit], []
        self.take(after, node, unit, mode, points, kind)
        gain = victory.soviet_points(after) - victory.soviet_points(s)
        if gain:
            found.append(f"Soviet victory points {gain:+d} (rule 13.1.1a)")
        if not s.options["fog"]:  # who lies hidden there would be told
            lost = [u for u in s.game.hq_roster[1 - side] if s.at[u] >= 0 and after.at[u] != s.at[u]]
            found += [f"overruns {s.game.unit_names[u]} (rule 6.3.2b)" for u in lost]
        if s.zone[1 - side][node]:
            found.append("ends in an enemy zone of control: 2 MP more to leave it (rule 5.1a)")
        if not supply.where_supplied(after, side)[node]:
            found.append("no line of supply from there, as things stand (rule 10.1a)")
        return telling(f"{s.game.unit_names[unit]} to {s.game.where(node)}", found)

    def why_not_item(self, s: NarvaState, node: int, unit: int, mode: int, points: int, kind: int) -> Citation | None:
        here, zone = s.at[unit], s.zone[1 - s.game.side_of[unit]]
        reason = (
            refuse_if(mode == STRATEGIC, "6.4a", "strategic movement keeps to roads for the whole move")
            or why_not_hex(s, unit, node)
            or why_not_free(s, unit, node, kind)
        )
        if reason is not None:
            return reason
        closed, near, costs = barriers(s, unit), node in s.game.around[here], normal_costs(s, unit, kind)
        if near and costs.cost[s.game.board.step_of[here, node]] < 0:  # across a major river
            if s.game.classes[unit][0] and s.game.ground.ice(here, node, s.frozen):
                return refuse("6.2.2e", "mechanised units may not cross a frozen major river without a bridge")
            return refuse("6.2.2f", "an open major river may be crossed only at bridges and ferries")
        cheapest = reach(s, unit, costs, ENDLESS)
        cost = cheapest.cost_to(node)
        regular = normal_costs(s, unit, REGULAR)
        if cost < 0:  # all land hangs together: enemies bar every way, however many points a unit has
            free = (regular, ENDLESS, closed, s.game.nothing, "2.5.4c", OUT_OF_ZONES)
            zones = what_bars(s, unit, node, free) if kind == FREE_MOVE else None
            return zones or refuse("6.3.2a", "enemy units bar every way")
        if mode == FRESH and near and zone[here] and zone[node]:
            return refuse("6.1c", f"it costs {cost}, and no minimum move leads from one enemy zone to another")
        path = cheapest.path_to(node)
        way = "-".join([s.game.board.labels[n] for n in path]) if len(path) < 9 else f"a way of {len(path) - 1} hexes"
        dear = f"enemy zones of control make it cost {cost} by {way}, and it has {points}"
        bare = (regular, points, closed, s.game.nothing, "5.1a", dear)
        return what_bars(s, unit, node, bare) or refuse(
            "6.1a", f"it costs {cost} movement points by {way}, and it has {points}"
        )


def why_not_free(s: NarvaState, unit: int, node: int, kind: int) -> Citation | None:
    in_zone = s.in_ezoc(node, s.game.side_of[unit])
    return refuse_if(kind == FREE_MOVE and in_zone, "2.5.4c", OUT_OF_ZONES)


# ---------------------------------------------------------------------- 6.4: strategic movement


def twelfths(mode: int, points: int) -> int:
    return points * TWELFTHS if mode == FRESH else points


def strategic_reach(s: NarvaState, unit: int, points: int) -> Reach:
    """6.4: along roads only, never through enemy zones nor through stacks full of its own kind (6.4.1)."""
    return reach(s, unit, season(s).strategic[s.game.classes[unit][1]], points, s.full(s.game.kinds[unit]))


def why_not_strategic(s: NarvaState, unit: int) -> Citation | None:
    """6.4a, 6.4.1a: it starts on a road that is no trail, outside enemy zones."""
    here = s.at[unit]
    if s.zone[1 - s.game.side_of[unit]][here]:
        return refuse("6.4.1a", "it starts in an enemy zone of control")
    on_road = season(s).on_road[here]
    return None if on_road else refuse("6.4a", "it does not start on a road fit for strategic movement")


class ByRoad(Pick[NarvaState]):
    """6.4: strategic movement."""

    kind = "by_road"

    def items(self, s: NarvaState, unit: int, mode: int, points: int, kind: int) -> Sequence[int]:
        if why_not_strategic(s, unit) is not None:
            return ()
        full = s.full(s.game.kinds[unit])
        return s.game.graph.at_most(strategic_reach(s, unit, twelfths(mode, points)).nodes, full, 0)

    def take(self, s: NarvaState, node: int, unit: int, mode: int, points: int, kind: int) -> None:
        found, had = strategic_reach(s, unit, twelfths(mode, points)), twelfths(mode, points)
        travel(s, unit, found.path_to(node), "6.4a", STRATEGIC, had - found.cost_to(node), kind)

    def why_not_item(self, s: NarvaState, node: int, unit: int, mode: int, points: int, kind: int) -> Citation | None:
        if mode == NORMAL:
            return refuse("6.4a", "strategic movement may not be mixed with other movement")
        full = cited_as(why_not_hex(s, unit, node), "7.0a", "6.4.1b")  # at no moment of the move
        reason = full or why_not_strategic(s, unit)
        if reason is not None:
            return reason
        costs, zone = season(s).strategic[s.game.classes[unit][1]], s.zone[1 - s.game.side_of[unit]]
        closed, had, nothing = barriers(s, unit), twelfths(mode, points), s.game.nothing
        trail = not season(s).on_road[node] and season(s).on_track[node]
        dear = f"by road it costs {{cost}} movement points, and it has {Fraction(had, TWELFTHS)}"
        return (
            refuse_if(zone[node], "6.4.1a", "strategic movement keeps out of enemy zones of control")
            or what_bars(
                s, unit, node,
                (costs, had, closed, zone, "6.4.1b", "strategic movement may not pass a full stack"),
                (costs, had, closed, nothing, "6.4.1a", "strategic movement may not pass enemy zones of control"),
                (costs, had, nothing, nothing, "6.3.2a", "enemy units bar the road"),
                (costs, ENDLESS, nothing, nothing, "6.0a", dear),
            )
            or refuse_if(trail, "6.4b", "trails do not serve strategic movement")
            or refuse_if(not season(s).on_road[node], "6.4a", f"{s.game.where(node)} lies on no road")
            or refuse("6.4a", f"no road leads from {s.game.where(s.at[unit])} to {s.game.where(node)}")
        )  # fmt: skip


# ---------------------------------------------------------------------- 6.2.2g: ferries; 6.5: railways


class Ferry(Pick[NarvaState]):
    """6.2.2g: over open water one infantry unit or HQ per ferry and activation, from the near bank to the far one."""

    kind = "ferry"

    def candidates(self, s: NarvaState, unit: int, mode: int, points: int, kind: int) -> Sequence[int]:
        return s.game.ferry_hexes.get(s.at[unit], ())

    def take(self, s: NarvaState, node: int, unit: int, mode: int, points: int, kind: int) -> None:
        here = s.at[unit]
        s.ferries |= 1 << s.game.ferry_number[s.game.board.step_of[here, node]]
        travel(s, unit, [here, node], "6.2.2g", NORMAL, 0, kind)

    def why_not_item(self, s: NarvaState, node: int, unit: int, mode: int, points: int, kind: int) -> Citation | None:
        game, here, zone = s.game, s.at[unit], s.zone[1 - s.game.side_of[unit]]
        mech, access = game.classes[unit]
        if node not in game.ferry_hexes.get(here, ()):
            return refuse("6.2.2g", "no ferry leads there")
        step = game.board.step_of[here, node]
        frozen = not season(s).ferry[access][step] and game.ground.open_to[access][node]
        taken = s.ferries >> game.ferry_number[step] & 1
        return (
            refuse_if(mech, "6.2.2i", "mechanised units may not use a ferry")
            or refuse_if(mode != FRESH, "6.2.2g", "a ferry takes the whole allowance")
            or refuse_if(frozen, "6.2.2d", "no ferry is needed there: the river is frozen")
            or refuse_if(taken, "6.2.2g", "this ferry has carried a unit in this activation")
            or why_not_free(s, unit, node, kind)
            or refuse_if(zone[node] and zone[here], "6.1c", "not from one enemy zone to another")
            or why_not_hex(s, unit, node)
        )


class Rail(Pick[NarvaState]):
    """6.5: a reinforcement, not in an EZOC, along connected major railway hexes; it stops on entering an EZOC."""

    kind = "rail"

    def items(self, s: NarvaState, unit: int, mode: int, points: int, kind: int) -> Sequence[int]:
        if kind != ENTERING or s.in_ezoc(s.at[unit], s.game.side_of[unit]):
            return ()
        full = s.full(s.game.kinds[unit])
        return [node for node in self.line(s, unit).nodes if not full[node]]

    def line(self, s: NarvaState, unit: int) -> Reach:
        """6.5c: no enemy unit on the line may be passed; it is cut at the gap on the map (6.5d)."""
        side, costs = s.game.side_of[unit], season(s).rail[s.game.classes[unit][1]]
        return s.game.graph.reach(costs, s.presence(1 - side), s.zone[1 - side], s.held[side], s.at[unit], ENDLESS)

    def take(self, s: NarvaState, node: int, unit: int, mode: int, points: int, kind: int) -> None:
        """6.5e: rail movement is the unit's whole movement."""
        travel(s, unit, self.line(s, unit).path_to(node), "6.5a", NORMAL, 0, kind)

    def why_not_item(self, s: NarvaState, node: int, unit: int, mode: int, points: int, kind: int) -> Citation | None:
        board, nothing = s.game.board, s.game.nothing
        minor = node in board.along("minor_railway") and node not in board.along("major_railway")
        costs = season(s).rail[s.game.classes[unit][1]]
        free = (costs, ENDLESS, nothing, nothing, "6.5c", "rail movement stops at enemy zones and enemy units")
        return (
            refuse_if(kind != ENTERING, "6.5f", "only entering reinforcements move by rail")
            or refuse_if(mode != FRESH, "6.5e", "rail movement may not be combined with other movement")
            or refuse_if(s.in_ezoc(s.at[unit], s.game.side_of[unit]), "6.5a", "it starts in an enemy zone of control")
            or why_not_hex(s, unit, node)
            or what_bars(s, unit, node, free)
            or refuse_if(minor, "6.5b", "minor railways do not serve rail movement")
            or refuse("6.5a", "no major railway leads there")
        )


# ---------------------------------------------------------------------- a leg of a move


@flow.choice
class Leg(Menu[NarvaState]):
    """Where the unit goes, by what movement."""

    parts = (To(), ByRoad(), Ferry(), Rail())

    def prompt(self, s: NarvaState, unit: int, mode: int, points: int, kind: int) -> str:
        name = s.game.unit_names[unit]
        if mode == STRATEGIC:
            return f"{name} is on the road: move on, or stop."
        if mode == NORMAL:
            return f"Move {name} on ({points} MP), or stop."
        return f"Move {name} ({points} MP)" + (", or stop." if kind >= RETURNING else ".")

    def allows(self, s: NarvaState, action: Action, unit: int, *rest: int) -> bool:
        """To where it is, by whatever movement: it stops, or is taken back."""
        if action.args != (s.at[unit],) or self.part(action.kind) is None:
            return super().allows(s, action, unit, *rest)
        return self.passes(s, unit, *rest) is not None or bool(self.shortcuts(s, unit, *rest))

    def take_shortcut(self, s: NarvaState, action: Action, unit: int, *rest: int) -> None:
        stop = self.passes(s, unit, *rest)
        if action.kind != BACK and stop is not None:
            self.do(s, stop, unit, *rest)
        else:
            s.pop()

    def why_not(self, s: NarvaState, action: Action, unit: int, mode: int, points: int, kind: int) -> list[Citation]:
        """Of another unit that is to move: what bars it for good comes before whose move it is."""
        movers = ChooseMover()
        if action.kind != movers.kind or action.args[0] == unit or kind >= RETURNING:
            return super().why_not(s, action, unit, mode, points, kind)
        reason = movers.why_not_item(s, action.args[0], kind)
        return [reason] if reason else []

    def parts_now(self, s: NarvaState, unit: int, mode: int, points: int, kind: int) -> tuple[Pick[Any], ...]:
        if mode == FRESH:
            return self.parts if s.at[unit] in s.game.ferry_hexes or kind == ENTERING else self.parts[:2]
        return self.parts[:1] if mode == NORMAL else self.parts[:2]


def travel(s: NarvaState, unit: int, path: list[int], rule: str, mode: int, left: int, kind: int) -> None:
    """A leg; the unit may then use what is left, once HQs that it has overrun are placed (6.3.2b)."""
    depth, only = len(s.agenda), s.game.side_of[unit] if s.options["fog"] else None
    has_moved(s, unit)
    s.log("move", "{unit} moves {path}", rule, only=only, public="A unit moves {path}", unit=unit, path=tuple(path))
    headquarters.pass_along(s, unit, path[1:])
    s.put(unit, path[-1])
    if left > 0:
        s.agenda.insert(depth, (ask, Leg, unit, mode, left, kind))


def move_after_placement(s: NarvaState, unit: int, kind: int) -> None:
    """8.0.2, 11.2.2c: a unit that was just placed has its full allowance."""
    s.push(ask, Leg, unit, FRESH, s.allowance(unit), kind)


def can_settle(s: NarvaState, unit: int, node: int, kind: int, steps: int = 0) -> bool:
    """7.1a: a unit may be placed over the limit if there is any hex where its move could end."""
    if has_room(s, unit, node):
        return True
    trial = s.copy()
    trial.bring(unit, node, steps)
    return trial.pose(Leg, unit, FRESH, trial.allowance(unit), kind)
