"""Chapter 8: the Movement Phase, zones of control, Finland and the Balkans."""

from __future__ import annotations

from counterblow.games.noretreat import options, rail
from counterblow.games.noretreat.cards import play, playable, why_not_play
from counterblow.games.noretreat.charts import BALKANS_OPEN, FINLAND_OPEN
from counterblow.games.noretreat.components import AXIS, MOVED, SOVIET
from counterblow.games.noretreat.special import check_stacking, pass_through
from counterblow.games.noretreat.state import NoRetreatState, flow, number
from counterblow.kernel.actions import Action
from counterblow.kernel.flow import Choice
from counterblow.kernel.graph import Costs
from counterblow.kernel.rulebook import Citation, refuse

FREE_EXIT = 64  # in ``bonus``: leaving an enemy zone costs nothing extra


def movement_phase(s: NoRetreatState) -> None:
    s.rail = rail.free_entrainments(s)
    s.sea_lift = 0
    options.lift_support(s)
    s.queue(("move.pick",), ("move.over",))


# ---------------------------------------------------------------------- 8.1, 8.2 allowance


def allowance(s: NoRetreatState, unit: int) -> int:
    """Printed MPs and a movement event, under the caps of weather (8.2) and lack of supply (6.5.2.a)."""
    printed: int = s.game.move[s.face[unit]][unit]
    if not printed:
        return 0
    cap = s.game.charts.weather[s.sky].mp_cap
    if s.unsupplied(unit):
        cap = min(cap, s.game.unsupplied_cap)
    return min(printed + (s.bonus[unit] & ~FREE_EXIT), cap)


# ---------------------------------------------------------------------- 8.6, 8.7 areas


def access(s: NoRetreatState, unit: int) -> int:
    """Which areas are open to a unit now."""
    granted: int = s.game.area_access[unit]
    if granted & BALKANS_OPEN and not (s.oil_turn and s.turn > s.oil_turn):
        granted &= ~BALKANS_OPEN
    return granted


def may_use_area(s: NoRetreatState, unit: int, node: int) -> Citation | None:
    charts = s.game.charts
    if node == charts.finland and not access(s, unit) & FINLAND_OPEN:
        return refuse("8.6.a", "only German, Finnish and Soviet units enter Finland")
    if node in charts.balkans and not access(s, unit) & BALKANS_OPEN:
        return refuse("8.7.a", "the Balkans are closed to it")
    return None


# ---------------------------------------------------------------------- 8.3, 8.5 where a unit can go


def costs_of(s: NoRetreatState, unit: int) -> Costs:
    balkans = 2 if s.oil_turn and s.turn > s.oil_turn else 0
    free_exit = 1 if s.bonus[unit] & FREE_EXIT else 0
    return s.game.unit_costs[s.face[unit]][unit][balkans + free_exit]


def reach(s: NoRetreatState, unit: int, budget: int, first: bool) -> list[int]:
    """Hexes that a unit can move to; ``first`` if this is its whole move, so that the minimum move counts (8.3.b)."""
    charts, side = s.game.charts, s.game.side_of[unit]
    enemy, zone, friend = s.held[1 - side], s.zone[1 - side], s.held[side]
    start = s.at[unit]
    found: list[int] = charts.graph.scan(costs_of(s, unit), enemy, zone, friend, start, budget)
    if first and budget and budget < charts.dearest[s.is_armor(unit)]:
        for there in charts.beside[start]:
            if there not in found and one_hex(s, unit, start, there) is None:
                found.append(there)
    return found


def one_hex(s: NoRetreatState, unit: int, here: int, there: int) -> Citation | None:
    """Why a unit could not take this one step, whatever its MPs."""
    side = s.game.side_of[unit]
    zone = s.zone[1 - side]
    if there not in s.game.charts.beside[here]:
        return refuse("8.3.b", "the hexside or hex is prohibited")
    if s.held[1 - side][there]:
        return refuse("8.4.a", "an enemy unit is there")
    closed = may_use_area(s, unit, there) if there >= s.game.board.hexes else None
    if closed:
        return closed
    if zone[here] and zone[there] and not s.held[side][there]:
        return refuse("8.5.3", "from one enemy zone to another only onto a friendly unit")
    return None


# ---------------------------------------------------------------------- the choice of unit and hex


def movable(s: NoRetreatState, unit: int) -> Citation | None:
    if s.game.side_of[unit] != s.player:
        return refuse("4.4", "only the phasing player moves units")
    if not s.on_map(unit):
        return refuse("8.0.a", "it is not on the map")
    if not s.game.move[s.face[unit]][unit]:
        return refuse("8.0.b", "fort units do not move")
    if s.marks[unit] & MOVED:
        return refuse("8.0.a", "it has moved already")
    return None


@flow.choice
class PickUnit(Choice[NoRetreatState]):
    name = "move.pick"
    rules = ("8.0.a", "4.4")

    def side(self, s: NoRetreatState) -> int:
        return s.player

    def prompt(self, s: NoRetreatState) -> str:
        return "Choose a unit to move, or end movement."

    def legal(self, s: NoRetreatState) -> list[Action]:
        game, marks, face = s.game, s.marks, s.face
        table, move = game.act["pick"], game.move
        found = [table[unit] for unit in s.army(s.player) if not marks[unit] & MOVED and move[face[unit]][unit]]
        found += playable(s, s.player, "movement")
        found.append(game.act["done"][()])
        return found

    def do(self, s: NoRetreatState, action: Action) -> None:
        if action.kind == "pick":
            unit = number(action)
            s.push("move.unit", unit, allowance(s, unit), 1)
        elif action.kind == "done":
            s.pop()
        else:
            play(s, action)

    def why_not(self, s: NoRetreatState, action: Action) -> list[Citation]:
        if action.kind == "entrain":
            return [r for r in (movable(s, number(action)) or rail.may_entrain(s, number(action)),) if r]
        if action.kind == "pick":
            return [r for r in (movable(s, number(action)),) if r]
        if action.kind == "move":
            unit = number(action)
            reason = movable(s, unit)
            return [reason] if reason else why_not_move(s, unit, number(action, 1), allowance(s, unit), True)
        return why_not_play(s, action, s.player, "movement")


@flow.choice
class MoveUnit(Choice[NoRetreatState]):
    """Where the chosen unit goes. After taking a city it may go on with what is left of its MPs."""

    name = "move.unit"
    rules = ("8.0.a", "8.5.1")

    def side(self, s: NoRetreatState, unit: int, budget: int, first: int) -> int:
        return s.player

    def prompt(self, s: NoRetreatState, unit: int, budget: int, first: int) -> str:
        return f"Move {s.game.unit_names[unit]} ({budget} MP), or halt."

    def legal(self, s: NoRetreatState, unit: int, budget: int, first: int) -> list[Action]:
        act = s.game.act
        row = s.game.actions_by_node("move", unit)
        found = [row[node] for node in reach(s, unit, budget, first == 1)]
        if first and rail.may_entrain(s, unit) is None:
            found.append(act["entrain"][unit])
        found.append(act["halt"][unit])
        return found

    def do(self, s: NoRetreatState, action: Action, unit: int, budget: int, first: int) -> None:
        s.pop()
        if action.kind == "halt":
            s.marks[unit] |= MOVED
        elif action.kind == "entrain":
            rail.entrain(s, unit)
        else:
            _go(s, unit, number(action, 1), budget, first)

    def why_not(self, s: NoRetreatState, action: Action, unit: int, budget: int, first: int) -> list[Citation]:
        if action.kind == "move" and number(action) == unit:
            return why_not_move(s, unit, number(action, 1), budget, first == 1)
        if action.kind == "entrain" and number(action) == unit:
            return [rail.may_entrain(s, unit) or refuse("9.1.a", "entraining takes the place of any other movement")]
        return []


def _go(s: NoRetreatState, unit: int, node: int, budget: int, first: int) -> None:
    """8.0: hex by hex along the cheapest path; what it passes through changes hands (12.7.1)."""
    graph = s.game.charts.graph
    s.marks[unit] |= MOVED
    if _nothing_to_take(s, unit, budget):
        start = s.at[unit]
        s.log("move", "{unit} moves from {hex1} to {hex2}", "8.0.a", unit=unit, hex1=start, hex2=node)
        s.put(unit, node)
        s.clear_works(start)
        return
    reach(s, unit, budget, first == 1)
    path = graph.path_to(node) or [s.at[unit], node]
    left = max(0, budget - graph.cost_to(node)) if graph.cost_to(node) >= 0 else 0
    s.log("move", "{unit} moves {path}", "8.0.a", unit=unit, path=tuple(path))
    taken = s.captured
    travel(s, unit, path)
    if left and s.captured != taken and not s.zone[1 - s.player][node] and s.game.charts.site_at[node] >= 0:
        s.push("move.unit", unit, left, 0)
    _scorch(s, taken)


def _nothing_to_take(s: NoRetreatState, unit: int, budget: int) -> bool:
    """No enemy city or oil field within reach, and no border to cross: the path does not matter."""
    charts, side = s.game.charts, s.game.side_of[unit]
    hostile = s.sites if side == AXIS else ~s.sites
    if hostile & charts.near_sites[min(budget, charts.farthest)][s.at[unit]]:
        return False
    return side == AXIS or s.gg_turn > 0 or not s.is_red(unit)


def travel(s: NoRetreatState, unit: int, path: list[int] | tuple[int, ...]) -> None:
    """Take a unit along a path of nodes that begins with its own hex."""
    start = s.at[unit]
    s.put(unit, path[-1])
    s.clear_works(start)
    for node in path[1:]:
        pass_through(s, unit, node)


def _scorch(s: NoRetreatState, taken: int) -> None:
    """Card 7: the Soviets may answer the capture of a city."""
    if s.captured != taken and s.player == AXIS:
        s.push("window", SOVIET, "captured")


def why_not_move(s: NoRetreatState, unit: int, node: int, budget: int, first: bool) -> list[Citation]:
    """Every rule that keeps a unit from a hex."""
    game, side = s.game, s.game.side_of[unit]
    charts, start = game.charts, s.at[unit]
    if node >= game.map_nodes:
        return [refuse("8.0.a", "that is not on the map")]
    if node == start:
        return [refuse("8.0.a", "it is there already")]
    if not charts.is_land(node):
        return [refuse("8.3.b", "the hex is prohibited")]
    if s.held[1 - side][node]:
        return [refuse("8.4.a", "an enemy unit is there")]
    closed = may_use_area(s, unit, node)
    if closed:
        return [closed]
    if node in charts.beside[start]:
        reason = one_hex(s, unit, start, node)
        if reason:
            return [reason]
    elif node in game.board.around[start]:
        return [refuse("8.3.b", "the hexside is prohibited")]
    return _too_far(s, unit, node, budget)


def _too_far(s: NoRetreatState, unit: int, node: int, budget: int) -> list[Citation]:
    """Out of reach: for want of MPs, because of the weather or supply caps, or because zones stop it."""
    game, side = s.game, s.game.side_of[unit]
    nothing = bytes(game.board.size)
    args = (costs_of(s, unit), s.held[1 - side])
    graph = game.charts.graph
    if node in graph.scan(*args, nothing, s.held[side], s.at[unit], budget):
        return [refuse("8.5.1", "enemy zones of control stop it on the way"),
                refuse("8.5.2", "leaving an enemy zone costs one MP more")]  # fmt: skip
    printed = game.move[s.face[unit]][unit] + (s.bonus[unit] & ~FREE_EXIT)
    reasons = [refuse("8.1", f"it has {budget} MP"), refuse("8.3.c", "it cannot pay for the way")]
    capped = printed > budget == allowance(s, unit)  # not if MPs were spent on the way
    if capped and node in graph.scan(*args, nothing, s.held[side], s.at[unit], printed):
        if s.unsupplied(unit):
            reasons.append(refuse("6.5.2.a", "an Unsupplied unit has at most 3 MP"))
        else:
            rule = "8.2.a" if game.charts.weather[s.sky].name == "Mud" else "8.2.b"
            reasons.append(refuse(rule, f"{game.charts.weather[s.sky].name} leaves it {budget} MP"))
    return reasons


@flow.step("move.over")
def movement_over(s: NoRetreatState) -> None:
    for unit in s.army(s.player):
        s.marks[unit] &= ~MOVED
    if any(s.bonus):
        s.bonus = bytearray(len(s.bonus))
    options.lone_reserves(s)
    if s.options["local_support"]:
        s.push("local.support")
    if s.player == SOVIET:
        s.push("rail.reserve")
    check_stacking(s)


# ---------------------------------------------------------------------- movement events


@flow.choice
class Boost(Choice[NoRetreatState]):
    """5.3.4: the units that a movement event helps; one such event each in a player turn."""

    name = "move.boost"
    rules = ("5.3.4",)

    def side(self, s: NoRetreatState, bonus: int, armor: int, left: int) -> int:
        return s.player

    def prompt(self, s: NoRetreatState, bonus: int, armor: int, left: int) -> str:
        return f"Choose a unit for {bonus & ~FREE_EXIT} more MP ({left} left), or pass."

    def legal(self, s: NoRetreatState, bonus: int, armor: int, left: int) -> list[Action]:
        act = s.game.act
        return [*(act["boost"][unit] for unit in boostable(s, armor)), act["pass"][()]]

    def do(self, s: NoRetreatState, action: Action, bonus: int, armor: int, left: int) -> None:
        s.pop()
        if action.kind == "pass":
            return
        unit = number(action)
        s.bonus[unit] = bonus
        s.log("event", "{unit} gets {n} more MP", "5.3.4", unit=unit, n=bonus & ~FREE_EXIT)
        if left > 1 and boostable(s, armor):
            s.push("move.boost", bonus, armor, left - 1)

    def why_not(self, s: NoRetreatState, action: Action, bonus: int, armor: int, left: int) -> list[Citation]:
        if action.kind != "boost":
            return []
        if s.bonus[number(action)]:
            return [refuse("5.3.4", "one movement event a unit in a player turn")]
        return [refuse("5.0.d", "that unit cannot use the event now")]


def can_boost(s: NoRetreatState, armor: int) -> bool:
    """Is there a unit for a movement event?"""
    for unit in s.army(s.player):
        able = not s.bonus[unit] and not s.marks[unit] & MOVED and s.game.move[s.face[unit]][unit]
        if able and (not armor or s.is_armor(unit)):
            return True
    return False


def boostable(s: NoRetreatState, armor: int) -> list[int]:
    """Own mobile units that have not moved and have no movement event yet."""
    return [
        unit
        for unit in s.army(s.player)
        if not s.bonus[unit]
        and not s.marks[unit] & MOVED
        and s.game.move[s.face[unit]][unit]
        and (not armor or s.is_armor(unit))
    ]
