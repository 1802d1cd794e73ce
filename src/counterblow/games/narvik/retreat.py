"""Chapter 15: retreat and pursuit."""

from __future__ import annotations

from typing import Any

from counterblow.games.narvik.engineers import offer_bridges, open_step
from counterblow.games.narvik.flow import NarvikChoice, arg, flow
from counterblow.games.narvik.stacking import has_room, no_room, offer_order
from counterblow.games.narvik.staging import retreat_areas
from counterblow.games.narvik.state import NarvikState
from counterblow.games.narvik.zones import in_enemy_zone
from counterblow.kernel.actions import Action
from counterblow.kernel.masks import bits
from counterblow.kernel.rulebook import Citation, refuse

# ------------------------------------------------------------------ 15.1 retreat


def start_retreat(s: NarvikState, unit: int) -> None:
    """15.1.a, 15.1.b: elite units withdraw one hex, others rout as far as a die says."""
    if s.game.roster.elite[unit]:
        length = 1
        s.log("retreat", "{unit} withdraws", "15.1.a", unit=unit)
    else:
        length = s.roll()
        s.log("retreat", "{unit} routs {n} hexes", "15.1.b", unit=unit, n=length)
    s.push("retreat.step", s.game.side_of[unit], unit, s.at[unit], 0, length)


def retreat_steps(s: NarvikState, side: int, unit: int, origin: int, gone: int, length: int) -> list[int]:
    """Where the retreating unit may go next, so that its retreat can be completed; empty if it cannot be."""
    here = s.at[unit]
    areas = list(retreat_areas(s, side, here)) if gone == 0 or not in_enemy_zone(s, side, here) else []
    known: dict[int, bool] = {}
    ahead = outward(s, side, unit, origin, here, gone)
    return [n for n in ahead if can_finish(s, side, unit, origin, n, gone + 1, length, known)] + areas


def outward(s: NarvikState, side: int, unit: int, origin: int, here: int, gone: int) -> list[int]:
    """15.1.d, 15.1.f, 15.1.g, 19.2.d: next hexes that ``bars_retreat`` does not bar."""
    ground, enemy = s.game.ground, s.held[1 - side]
    far = ground.distances[origin]
    ahead = [n for n in ground.around[here] if far[n] == gone + 1 and not enemy[n]]
    if s.game.roster.gun[unit]:
        return [n for n in ahead if n in ground.rail[here]]
    mobility = int(s.game.roster.mech[unit])
    return [n for n in ahead if open_step(s, side, mobility, here, n)]


def bars_retreat(
    s: NarvikState, side: int, unit: int, origin: int, here: int, there: int, gone: int
) -> Citation | None:
    """Why a retreat cannot take a step; None if it can."""
    ground = s.game.ground
    if s.held[1 - side][there]:
        return refuse("15.1.d", "an enemy unit is there")
    if s.game.roster.gun[unit]:
        if there not in ground.rail[here]:
            return refuse("19.2.d", "the railway gun retreats along railroad hexes")
    elif not open_step(s, side, int(s.game.roster.mech[unit]), here, there):
        return refuse("15.1.f", "the terrain is prohibited")
    if s.game.board.distance(origin, there) != gone + 1:
        return refuse("15.1.g", "every step of a retreat leads further from the hex left")
    return None


def can_finish(
    s: NarvikState, side: int, unit: int, origin: int, node: int, gone: int, length: int, known: dict[int, bool]
) -> bool:
    """15.1.e, 15.1.h, 15.1.i: from a hex reached after so many steps, can the retreat be completed?

    Every step leads one hex further away, so a hex is always reached after the same number: ``known`` is by hex.
    """
    if node in known:
        return known[node]
    if gone >= length and has_room(s, (unit,), node):
        found = True
    elif in_enemy_zone(s, side, node):
        found = False
    elif retreat_areas(s, side, node):
        found = True
    else:
        ahead = outward(s, side, unit, origin, node, gone)
        found = any(can_finish(s, side, unit, origin, n, gone + 1, length, known) for n in ahead)
    known[node] = found
    return found


@flow.step("retreat.step")
def next_retreat_step(s: NarvikState, side: int, unit: int, origin: int, gone: int, length: int) -> None:
    steps = retreat_steps(s, side, unit, origin, gone, length)
    if not steps:  # 15.1.l, 15.1.e
        s.put(unit, s.game.ground.regroup[side])
        s.log("retreat", "{unit} cannot complete its retreat: regroup", "15.1.l", unit=unit)
    elif len(steps) == 1:
        retreat_to(s, side, unit, origin, gone, length, steps[0])
    else:
        s.push("retreat", side, unit, origin, gone, length)


def retreat_to(s: NarvikState, side: int, unit: int, origin: int, gone: int, length: int, there: int) -> None:
    """One step of a retreat; in a staging area, or far enough with room, it ends."""
    here = s.at[unit]
    s.enter(unit, there)
    s.log("retreat", "{unit} retreats {path}", "15.1.c", unit=unit, path=(here, there))
    gone += 1
    if there >= s.game.ground.hexes:
        s.log("retreat", "{unit} has left the map", "15.1.i", unit=unit)
    elif gone >= length and no_room(s, (unit,), there) is None:
        offer_order(s, side, there)
    else:
        s.push("retreat.step", side, unit, origin, gone, length)
    if s.pontoons:
        offer_bridges(s, side, [here, there])


@flow.choice
class Retreat(NarvikChoice):
    """15.1.c: the owner chooses the way, hex by hex."""

    name = "retreat"
    rules = ("15.1.c",)

    def prompt(self, s: NarvikState, *args: Any) -> str:
        _, unit, _, gone, length = args
        return f"Retreat {s.game.unit_names[unit]}: step {gone + 1} of {max(length, gone + 1)}."

    def legal(self, s: NarvikState, *args: Any) -> list[Action]:
        act = s.game.act["retreat"]
        return [act[args[1], n] for n in retreat_steps(s, *args)]

    def do(self, s: NarvikState, action: Action, *args: Any) -> None:
        s.pop()
        side, unit, origin, gone, length = args
        retreat_to(s, side, unit, origin, gone, length, arg(action, 1))

    def why_not(self, s: NarvikState, action: Action, *args: Any) -> list[Citation]:
        if action.kind != "retreat":
            return []
        side, unit, origin, gone, length = args
        there, here = arg(action, 1), s.at[unit]
        if arg(action) != unit:
            return [refuse("15.1.c", f"{s.game.unit_names[unit]} retreats now")]
        if there == s.game.ground.transit:
            return [refuse("15.1.j", "no unit retreats into Swedish Transit")]
        if there not in s.game.board.around[here]:
            return [refuse("15.1.k", "a retreat goes from hex to hex, without any transport")]
        if there >= s.game.ground.hexes:
            return [refuse("15.1.i", "the area is not open to this retreat")]
        reason = bars_retreat(s, side, unit, origin, here, there, gone)
        return [reason] if reason else _blind_alley(s, side, unit, there, gone, length)


def _blind_alley(s: NarvikState, side: int, unit: int, there: int, gone: int, length: int) -> list[Citation]:
    """Why a retreat could not be completed by way of a hex."""
    if in_enemy_zone(s, side, there):
        return [refuse("15.1.e", "a retreat may end in an enemy zone, not pass through it")]
    full = no_room(s, (unit,), there)
    if full and gone + 1 >= length:
        return [refuse("15.1.m" if full.rule == "9.0.e" else "15.1.h", f"{full.text}, and no way leads on")]
    return [refuse("15.1.g", "the retreat could not be completed that way")]


# ------------------------------------------------------------------ 15.2 pursuit


@flow.step("pursuit.next")
def next_pursuit(s: NarvikState, side: int, target: int, attackers: tuple[int, ...]) -> None:
    """15.2.a: the hex is cleared; ask while somebody can still advance."""
    if pursuits(s, side, target, attackers):
        s.push("pursuit", side, target, attackers)


def pursuers(s: NarvikState, side: int, target: int, attackers: tuple[int, ...]) -> list[tuple[int, bool]]:
    """Units that may pursue, with whether they may go a second hex.

    15.2.b, 15.2.c: the attackers. 15.2.e, ruling D54: activated assault-capable units next to the hex that have not
    attacked, into the hex and no further.
    """
    roster, near = s.game.roster, s.game.ground.assaultable[target]
    found = [(u, roster.elite[u]) for u in attackers if s.at[u] in near]
    found += [(u, False) for u in bits(s.active & ~s.fired) if roster.ca[u] and s.at[u] in near and u not in attackers]
    return found


def pursuits(s: NarvikState, side: int, target: int, attackers: tuple[int, ...]) -> list[tuple[int, int]]:
    """(unit, hex where its pursuit would end)"""
    return [(u, n) for u, far in pursuers(s, side, target, attackers) for n in advances(s, side, target, u, far)]


def advances(s: NarvikState, side: int, target: int, unit: int, far: bool) -> list[int]:
    """15.2.f-h: hexes where a pursuit may end; enemy zones do not matter."""
    ground, kind, here = s.game.ground, s.mobility(unit), s.at[unit]
    if not open_step(s, side, kind, here, target):
        return []
    found = [target] if has_room(s, (unit,), target) else []
    if far:
        found += [
            n for n in ground.around[target]
            if n != here and not s.held[1 - side][n] and open_step(s, side, kind, target, n)
            and has_room(s, (unit,), n)
        ]  # fmt: skip
    return found


@flow.choice
class Pursuit(NarvikChoice):
    """15.2: who advances, and where to; it costs no points (15.2.d)."""

    name = "pursuit"
    rules = ("15.2.a", "15.2.d")

    def prompt(self, s: NarvikState, *args: Any) -> str:
        return f"{s.game.board.labels[args[1]]} is cleared: pursue with a unit, or end the pursuit."

    def legal(self, s: NarvikState, *args: Any) -> list[Action]:
        act = s.game.act["pursue"]
        return [s.game.act["end_pursuit"][()], *[act[pair] for pair in pursuits(s, *args)]]

    def do(self, s: NarvikState, action: Action, *args: Any) -> None:
        side, target, attackers = args
        s.pop()
        if action[0] == "end_pursuit":
            return
        unit, node = arg(action), arg(action, 1)
        here = s.at[unit]
        s.fired |= 1 << unit  # ruling D54: who moves in does not attack later
        s.take_control(side, target)
        s.enter(unit, node)
        path = (here, target) if node == target else (here, target, node)
        rule = "15.2.c" if len(path) > 2 else "15.2.b"
        s.tell_of(unit, "pursuit", "pursues {path}", rule, path=path)
        s.push("pursuit.next", side, target, tuple(u for u in attackers if u != unit))
        offer_order(s, side, node)
        if s.pontoons:
            offer_bridges(s, side, list(path))

    def why_not(self, s: NarvikState, action: Action, *args: Any) -> list[Citation]:
        if action.kind != "pursue":
            return []
        side, target, attackers = args
        unit, node = arg(action), arg(action, 1)
        may = dict(pursuers(s, side, target, attackers))
        if s.game.side_of[unit] != side or not s.game.roster.ca[unit]:
            return [refuse("15.2.i", "defenders and units that are not assault-capable never pursue")]
        if unit not in may:
            return [refuse("15.2.j", "only units of this close assault pursue")]
        if (node != target and node not in s.game.ground.around[target]) or node == s.at[unit]:
            rule = "15.2.c" if may[unit] else "15.2.b"
            return [refuse(rule, "a pursuit leads into the cleared hex, for elite units one hex beyond it")]
        if s.held[1 - side][node]:
            return [refuse("12.0.e", "an enemy unit is there")]
        if reason := no_room(s, (unit,), node):
            return [refuse("15.2.f", reason.text), reason]
        if not may[unit] and node != target:
            rule = "15.2.b" if s.fired >> unit & 1 else "15.2.e"
            return [refuse(rule, "the unit pursues into the target hex only")]
        return [refuse("15.2.h", "the unit could not go there by ground movement")]
