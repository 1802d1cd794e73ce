"""Chapter 8: the Movement Phase, zones of control, Finland and the Balkans."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from counterblow.games.noretreat import options, rail
from counterblow.games.noretreat.cards import PlayEvent, window
from counterblow.games.noretreat.charts import BALKANS_OPEN, FINLAND_OPEN
from counterblow.games.noretreat.components import AXIS, MOVED, SOVIET
from counterblow.games.noretreat.special import oil_lost, pass_through
from counterblow.games.noretreat.stacking import check_stacking, room
from counterblow.games.noretreat.state import NOWHERE, NoRetreatState, flow, pair
from counterblow.games.noretreat.supply import supplied
from counterblow.kernel.actions import Action
from counterblow.kernel.flow import BY, ask
from counterblow.kernel.forecast import Forecast, telling
from counterblow.kernel.graph import Costs, Reach
from counterblow.kernel.journey import Journey, price
from counterblow.kernel.masks import bits
from counterblow.kernel.pick import Menu, Pick
from counterblow.kernel.rulebook import Citation, refuse, refuse_if
from counterblow.kernel.walk import Path

FREE_EXIT = 64  # in ``bonus``: leaving an enemy zone costs nothing extra


@flow.step
def movement_phase(s: NoRetreatState) -> None:
    """4.4: the phasing side moves and entrains; at the end come markers, the Strategic Reserve and stacking."""
    s.rail = rail.free_entrainments(s)
    s.sea_lift = 0
    s.local = pair(s.local, s.mover, NOWHERE)  # 15.3.b: the marker stays until its unit's next Movement Phase
    s.queue((MoveUnits,), (movement_over,))


# ---------------------------------------------------------------------- 8.1, 8.2 allowance


def allowance(s: NoRetreatState, unit: int) -> int:
    """Printed MPs and a movement event, under the caps of weather (8.2) and lack of supply (6.5.2.a)."""
    printed: int = s.game.move[s.face[unit]][unit]
    cap = s.game.charts.weather[s.sky].mp_cap
    if s.unsupplied(unit):
        cap = min(cap, s.game.number["unsupplied_mp_cap"])
    return min(printed + (s.bonus[unit] & ~FREE_EXIT), cap)


# ---------------------------------------------------------------------- 8.6, 8.7 areas


def why_not_area(s: NoRetreatState, unit: int, node: int) -> Citation | None:
    """8.6.a, 8.7.a, 8.7.c: the Balkans open to others than Yugoslavs when Rumania's oil is lost."""
    if node < s.game.board.hexes:
        return None
    granted = s.game.area_access[unit]
    if node == s.game.charts.finland:
        return refuse_if(not granted & FINLAND_OPEN, "8.6.a", "only German, Finnish and Soviet units enter Finland")
    return refuse_if(not (granted & BALKANS_OPEN and oil_lost(s)), "8.7.a", "the Balkans are closed to it")


# ---------------------------------------------------------------------- 8.3, 8.5 where a unit can go


def costs_of(s: NoRetreatState, unit: int) -> Costs:
    """8.3.a by class; 8.5.1-8.5.3 are in the tables (charts.py)."""
    balkans = 2 if oil_lost(s) else 0
    free_exit = 1 if s.bonus[unit] & FREE_EXIT else 0
    return s.game.unit_costs[s.face[unit]][unit][balkans + free_exit]


class Range(NamedTuple):
    """Where a unit can move: by its MPs, and to hexes that only the minimum move allows (8.3.b)."""

    reach: Reach
    beyond: tuple[int, ...]

    @property
    def nodes(self) -> list[int]:
        return [*self.reach.nodes, *self.beyond]

    def way(self, node: int) -> Path:
        """The cheapest path, the start included."""
        return tuple(self.reach.path_to(node)) or (self.reach.start, node)


def range_of(s: NoRetreatState, unit: int, budget: int, first: bool) -> Range:
    """Where a unit can move, through friends too (8.4.b); ``first``: the minimum move counts (8.3.b)."""
    charts, side, start = s.game.charts, s.game.side_of[unit], s.at[unit]
    reach = charts.graph.reach(costs_of(s, unit), s.held[1 - side], s.zone[1 - side], s.held[side], start, budget)
    if not first or not budget or budget >= charts.dearest[s.is_armor(unit)]:
        return Range(reach, ())
    near = [there for there in charts.beside[start] if reach.cost_to(there) < 0]
    return Range(reach, tuple([there for there in near if why_not_step(s, unit, start, there) is None]))


def why_not_step(s: NoRetreatState, unit: int, here: int, there: int) -> Citation | None:
    """Why a unit could not take this one step, whatever its MPs."""
    side = s.game.side_of[unit]
    zone = s.zone[1 - side]
    if there not in s.game.charts.beside[here]:
        if there not in s.game.board.around[here]:
            return refuse("8.0.a", "it moves hex by hex")
        return refuse("8.3.b", f"the {'hexside' if s.game.charts.is_land(there) else 'hex'} is prohibited")
    if s.held[1 - side][there]:
        return refuse("8.4.a", "an enemy unit is there")
    closed = why_not_area(s, unit, there)
    if closed is None and zone[here] and zone[there] and not s.held[side][there]:
        return refuse("8.5.3", "from one enemy zone to another only onto a friendly unit")
    return closed


def why_not_way(s: NoRetreatState, unit: int, way: Path, budget: int, first: bool) -> Citation | None:
    """Why a unit cannot go by a path that begins with its own hex."""
    side = s.game.side_of[unit]
    for here, there in pairwise(way):
        if here != way[0] and s.zone[1 - side][here]:
            return refuse("8.5.1", f"it stops in the enemy zone in {s.game.where(here)}")
        reason = why_not_step(s, unit, here, there)
        if reason:
            return reason
    cost = cost_of(s, unit, way)
    enough = cost <= budget or (first and budget and len(way) == 2)
    return refuse_if(not enough, "8.3.c", f"the way costs {cost} MP, it has {budget}")


def cost_of(s: NoRetreatState, unit: int, way: Path) -> int:
    side = s.game.side_of[unit]
    return price(s.game.board, costs_of(s, unit), s.held[1 - side], s.zone[1 - side], s.held[side], way)


def why_not_move(s: NoRetreatState, unit: int, node: int, budget: int, first: bool) -> Citation | None:
    """The rule that keeps a unit from a hex; None if it can go there."""
    game, start = s.game, s.at[unit]
    closed = (
        refuse_if(node >= game.map_nodes, "2.1.a", "that is no place on the map")
        or refuse_if(node == start, "8.0.a", "it is there already")
        or refuse_if(not game.charts.is_land(node), "8.3.b", "the hex is prohibited")
        or refuse_if(s.held[1 - game.side_of[unit]][node], "8.4.a", "an enemy unit is there")
        or why_not_area(s, unit, node)
    )
    if closed or node in range_of(s, unit, budget, first).nodes:
        return closed
    if node in game.board.around[start]:
        return why_not_step(s, unit, start, node) or refuse("8.3.c", f"it has {budget} MP, too few for that hex")
    return _why_too_far(s, unit, node, budget)


def _why_too_far(s: NoRetreatState, unit: int, node: int, budget: int) -> Citation:
    """Out of reach: for want of MPs, because of the weather or supply caps, or because of zones."""
    game, side, costs = s.game, s.game.side_of[unit], costs_of(s, unit)
    graph, cost = game.charts.graph, list(costs.cost)

    def reached(budget: int, stop: int = 0, between: int = 0) -> bool:
        free, enemy = Costs(cost, stop=stop, between=between), s.held[1 - side]
        return graph.reach(free, enemy, s.zone[1 - side], s.held[side], s.at[unit], budget).cost_to(node) >= 0

    if not reached(1000):
        return refuse("8.4.a", "enemy units bar every way there")
    if reached(budget):
        if reached(budget, stop=1, between=2):
            return refuse("8.5.2", "leaving an enemy zone costs one MP more")
        if reached(budget, stop=1):
            return refuse("8.5.3", "from one enemy zone to another only onto a friendly unit")
        return refuse("8.5.1", "enemy zones of control stop it on the way")
    printed = game.move[s.face[unit]][unit] + (s.bonus[unit] & ~FREE_EXIT)
    if printed > budget == allowance(s, unit) and reached(printed):  # not if MPs were spent on the way
        weather = game.charts.weather[s.sky]
        if s.unsupplied(unit) and game.number["unsupplied_mp_cap"] <= weather.mp_cap:
            return refuse("6.5.2.a", f"an Unsupplied unit has at most {budget} MP")
        return refuse("8.2.a" if weather.name == "Mud" else "8.2.b", f"{weather.name} leaves it {budget} MP")
    return refuse("8.1" if budget == allowance(s, unit) else "8.3.c", f"it has {budget} MP, and no way is so short")


# ---------------------------------------------------------------------- the choice of unit and hex


def can_leave(s: NoRetreatState, unit: int) -> bool:
    """8.3.b: a mobile unit can always move one hex that is open to it, or else perhaps entrain."""
    charts, side, here = s.game.charts, s.game.side_of[unit], s.at[unit]
    if not s.zone[1 - side][here]:
        enemy, hexes = s.held[1 - side], s.game.board.hexes
        for there in charts.beside[here]:
            if there < hexes and not enemy[there]:
                return True
    if any(why_not_step(s, unit, here, there) is None for there in charts.beside[here]):
        return True
    return rail.why_not_entrain(s, unit) is None


class ChooseUnit(Pick[NoRetreatState]):
    kind, stays = "pick", True

    def items(self, s: NoRetreatState) -> Sequence[int]:
        marks, face, move = s.marks, s.face, s.game.move
        rested = [unit for unit in s.army(s.mover) if not marks[unit] & MOVED and move[face[unit]][unit]]
        return [unit for unit in rested if can_leave(s, unit)]

    def why_not_item(self, s: NoRetreatState, unit: int) -> Citation | None:
        return (
            refuse_if(s.game.side_of[unit] != s.mover, "8.0.b", "the other side's units do not move")
            or refuse_if(not s.on_map(unit), "8.0.a", "it is not on the map")
            or refuse_if(not s.game.move[s.face[unit]][unit], "8.0.b", "fort units do not move")
            or refuse_if(s.marks[unit] & MOVED, "8.0.a", "it has moved already")
            or (None if can_leave(s, unit) else why_not_step(s, unit, s.at[unit], s.game.charts.beside[s.at[unit]][0]))
        )

    def take(self, s: NoRetreatState, unit: int) -> None:
        s.push(MoveUnit, unit, allowance(s, unit), 1)


@flow.choice
class MoveUnits(Menu[NoRetreatState]):
    parts = (ChooseUnit(), PlayEvent("movement"))

    def undone(self, s: NoRetreatState) -> str:
        idle = len(self.parts[0].items(s))
        moved = any(s.marks[unit] & MOVED for unit in s.army(s.mover))
        return "" if moved or not idle else f"none of the {idle} units that can move has moved"

    def why_not(self, s: NoRetreatState, action: Action) -> list[Citation]:
        """Also of moves for which no unit has been chosen yet."""
        if action.kind not in ("move", "entrain"):
            return super().why_not(s, action)
        unit = action.args[0]
        reason = self.parts[0].why_not_item(s, unit)
        if reason is None and action.kind == "entrain":
            reason = rail.why_not_entrain(s, unit)
        elif reason is None:
            reason = why_not_move(s, unit, action.args[1], allowance(s, unit), True)
        return [reason] if reason else []


def why_not_another(s: NoRetreatState, other: int, unit: int) -> Citation:
    """Why another unit than the one that was chosen does not move now."""
    return ChooseUnit().why_not_item(s, other) or refuse(
        "8.0.a", f"units move one at a time: now {s.game.unit_names[unit]}"
    )


class March(Journey[NoRetreatState]):
    """8.0.a: by the cheapest path, or by a path of the player's choice."""

    rules = ("8.0.a",)
    kind, passing = "move", "halt"

    def legal(self, s: NoRetreatState, unit: int, budget: int, first: int) -> list[Action]:
        row = s.game.act["move"].row(unit)
        found: Range = s.keep(unit, range_of(s, unit, budget, first == 1))
        return [row[node] for node in found.nodes] + ([] if first else [s.game.act["halt"][unit]])

    def shortcuts(self, s: NoRetreatState, unit: int, budget: int, first: int) -> list[Action]:
        return super().shortcuts(s, unit, budget, first) if first else []

    def why_not(self, s: NoRetreatState, action: Action, unit: int, budget: int, first: int) -> list[Citation]:
        if action.kind == "halt" and action.args[0] != unit:
            return [why_not_another(s, action.args[0], unit)]
        return super().why_not(s, action, unit, budget, first)

    def why_not_pass(self, s: NoRetreatState, unit: int, budget: int, first: int) -> Citation | None:
        return refuse_if(first, "8.0.a", "it has not moved")

    def why_not_item(self, s: NoRetreatState, item: tuple[int, int], unit: int, budget: int, first: int
                     ) -> Citation | None:  # fmt: skip
        other, node = item
        return why_not_another(s, other, unit) if other != unit else why_not_move(s, unit, node, budget, first == 1)

    def take(self, s: NoRetreatState, item: tuple[int, int], unit: int, budget: int, first: int) -> None:
        found: Range = s.kept(unit) or range_of(s, unit, budget, first == 1)
        cost = found.reach.cost_to(item[1])
        go(s, unit, found.way(item[1]), budget - cost if cost >= 0 else 0)

    def forecast(self, s: NoRetreatState, action: Action, unit: int, budget: int, first: int) -> Forecast | None:
        """What the move would lead to, where it is more than the move."""
        if action.kind not in ("move", BY):
            return None
        if action.kind == BY:
            way = (s.at[unit], *self.path_of(s, action, unit))
        else:
            way = range_of(s, unit, budget, first == 1).way(action.args[1])
        return telling(f"{s.game.unit_names[unit]} to {s.game.where(way[-1])}", consequences(s, unit, way))

    def why_not_way(self, s: NoRetreatState, path: Path, unit: int, budget: int, first: int) -> Citation | None:
        nowhere = refuse_if(not path, "8.0.a", "a way leads somewhere")
        return nowhere or why_not_way(s, unit, (s.at[unit], *path), budget, first == 1)

    def go_by(self, s: NoRetreatState, path: Path, unit: int, budget: int, first: int) -> None:
        way = (s.at[unit], *path)
        go(s, unit, way, budget - cost_of(s, unit, way))


def go(s: NoRetreatState, unit: int, way: Path, left: int) -> None:
    """8.0: hex by hex; what it passes through changes hands (12.7.1). Having taken something it may go on."""
    node, taken = way[-1], s.captured
    s.marks[unit] |= MOVED
    s.log("move", "{unit} moves from {place1} to {place2}", "8.0.a", unit=unit, place1=way[0], place2=node, path=way)
    travel(s, unit, way)
    if s.captured == taken:
        return
    if left > 0 and not s.zone[1 - s.mover][node] and s.game.charts.site_at[node] >= 0:
        s.push(MoveUnit, unit, left, 0)
    answer_capture(s, unit)


def consequences(s: NoRetreatState, unit: int, way: Path) -> tuple[str, ...]:
    """What a move takes, sets off and risks, for who looks before moving."""
    after, side, game = s.copy(), s.game.side_of[unit], s.game
    travel(after, unit, way)
    found = [f"takes {game.charts.site_names[site]} (rule 12.7.1)" for site in bits(after.captured & ~s.captured)]
    if after.gg_turn != s.gg_turn:
        found.append("crosses the border of Greater Germany: reserves arrive in the next turn (rule 13.5.GG.a)")
    if s.zone[1 - side][way[-1]]:
        found.append("ends in an enemy zone of control (rule 8.5.1)")
    if not room(s, unit, way[-1]):
        found.append("more units there than may stay at the end of the phase (rule 8.4.3)")
    if not supplied(after, unit):
        found.append("out of supply there, as things stand (rule 6.4)")
    return tuple(found)


def travel(s: NoRetreatState, unit: int, way: Path) -> None:
    """Take a unit along a path of nodes that begins with its own hex."""
    s.shift(unit, way[-1])
    s.clear_works(way[0])
    for node in way[1:]:
        pass_through(s, unit, node)


def answer_capture(s: NoRetreatState, unit: int) -> None:
    """Card 7: the Soviets may answer the capture of a city."""
    if s.game.side_of[unit] == AXIS:
        s.push(window, SOVIET, "captured")


class Entrain(Pick[NoRetreatState]):
    kind = "entrain"

    def items(self, s: NoRetreatState, unit: int, budget: int, first: int) -> list[int]:
        return [unit] if first and rail.why_not_entrain(s, unit) is None else []

    def why_not_item(self, s: NoRetreatState, other: int, unit: int, budget: int, first: int) -> Citation | None:
        if other != unit:
            return why_not_another(s, other, unit)
        moved = refuse_if(not first, "9.1.a", "entraining takes the place of any other movement")
        return moved or rail.why_not_entrain(s, unit)

    def take(self, s: NoRetreatState, other: int, unit: int, budget: int, first: int) -> None:
        rail.entrain(s, unit)


@flow.choice
class MoveUnit(Menu[NoRetreatState]):
    """Where the chosen unit goes. After taking a city it may go on with what is left of its MPs."""

    parts = (March(), Entrain())

    def prompt(self, s: NoRetreatState, unit: int, budget: int, first: int) -> str:
        return f"Move {s.game.unit_names[unit]} ({budget} MP){'' if first else ', or halt'}."

    def why_not(self, s: NoRetreatState, action: Action, unit: int, budget: int, first: int) -> list[Citation]:
        if action.kind == "pick":
            return [why_not_another(s, action.args[0], unit)]
        return super().why_not(s, action, unit, budget, first)


@flow.step
def movement_over(s: NoRetreatState) -> None:
    for unit in s.army(s.mover):
        s.marks[unit] &= ~MOVED
    if any(s.bonus):
        s.bonus = bytearray(len(s.bonus))
    options.lone_reserves(s)
    if s.options["local_support"]:
        s.push(ask, options.GiveSupport)
    if s.mover == SOVIET and s.turn >= s.game.number["strategic_reserve_from_turn"]:
        s.push(ask, rail.SetReserve)
    check_stacking(s)


# ---------------------------------------------------------------------- movement events


@flow.choice
class Boost(Pick[NoRetreatState]):
    """5.3.4: the units that a movement event helps; one such event each in a player turn."""

    kind, passing = "boost", "pass"

    def prompt(self, s: NoRetreatState, bonus: int, armor: int, left: int) -> str:
        return f"Choose a unit for {bonus & ~FREE_EXIT} more MP ({left} left), or pass."

    def candidates(self, s: NoRetreatState, bonus: int, armor: int, left: int) -> Sequence[int]:
        return s.army(s.mover)

    def why_not_item(self, s: NoRetreatState, unit: int, bonus: int, armor: int, left: int) -> Citation | None:
        """Own mobile units that have not moved and have no movement event yet."""
        return (
            ChooseUnit().why_not_item(s, unit)
            or refuse_if(s.bonus[unit], "5.3.4", "one movement event a unit in a player turn")
            or refuse_if(armor and not s.is_armor(unit), "5.3.2", "the event is for armor")
        )

    def take(self, s: NoRetreatState, unit: int, bonus: int, armor: int, left: int) -> None:
        s.bonus[unit] = bonus
        s.log("event", "{unit} gets {n} more MP", "5.3.4", unit=unit, n=bonus & ~FREE_EXIT)
        if left > 1:
            s.ask(Boost, bonus, armor, left - 1)
