"""Chapter 16: air and naval strikes."""

from __future__ import annotations

from typing import Any

from counterblow.games.narvik import combat
from counterblow.games.narvik.flow import NarvikChoice, arg, flow
from counterblow.games.narvik.state import NarvikState
from counterblow.kernel.actions import Action
from counterblow.kernel.forecast import Forecast
from counterblow.kernel.masks import bits
from counterblow.kernel.rulebook import Citation, refuse


def available(s: NarvikState, side: int, kind: str) -> list[int]:
    """16.0.c: strikes of that kind in the available display that are not placed yet."""
    roster = s.game.roster
    of_kind = roster.air if kind == "air" else roster.naval
    placed = {u for u, _ in s.placed}
    return [u for u in sorted(s.here.get(s.game.ground.strikes[side], ())) if of_kind[u] and u not in placed]


def strike_hexes(s: NarvikState, side: int, kind: str) -> list[int]:
    """16.0.d, 16.0.e, 16.0.h, 16.0.i: enemy hexes that can take another strike."""
    mask = s.enemy_mask(side)
    if kind == "naval":
        mask &= s.game.ground.coast_mask
    limit = s.game.tables.strikes_per_hex[side]
    placed = [node for _, node in s.placed]
    for node in placed:
        if placed.count(node) >= limit:
            mask &= ~(1 << node)
    return bits(mask)


def anything_to_strike(s: NarvikState, side: int, kind: str) -> bool:
    """Before any strike is placed: is one available, and an enemy hex to place it on?"""
    mask = s.enemy_mask(side)
    if kind == "naval":
        mask &= s.game.ground.coast_mask
    of_kind = s.game.roster.air if kind == "air" else s.game.roster.naval
    return mask != 0 and any(of_kind[u] for u in s.here.get(s.game.ground.strikes[side], ()))


@flow.choice
class PickStrike(NarvikChoice):
    """16.0.g: all strikes are placed before any is resolved."""

    name = "strike.pick"
    rules = ("16.0.c", "16.0.g")

    def prompt(self, s: NarvikState, *args: Any) -> str:
        return "Choose a strike to place, or resolve those that are placed."

    def chosen(self, s: NarvikState, *args: Any) -> tuple[int, ...]:
        return tuple(unit for unit, _ in s.placed)

    def legal(self, s: NarvikState, *args: Any) -> list[Action]:
        side, kind = args
        act = s.game.act
        found = [act["resolve"][()] if s.placed else act["done"][()]]
        if strike_hexes(s, side, kind):
            found += [act["strike"][u] for u in available(s, side, kind)]
        return found

    def do(self, s: NarvikState, action: Action, *args: Any) -> None:
        side, kind = args
        if action[0] == "done":
            s.pop()
        elif action[0] == "resolve":
            s.replace("strike.next", side)
            reveal_targets(s)
        else:
            s.push("strike.place", side, kind, arg(action))

    def why_not(self, s: NarvikState, action: Action, *args: Any) -> list[Citation]:
        if action.kind == "attack":
            return [refuse("16.0.b", "ground units take no part in a support action"), refuse("14.0.i", "nor fire")]
        if action.kind != "strike":
            return []
        unit, roster = arg(action), s.game.roster
        of_kind = roster.air if args[1] == "air" else roster.naval
        if not of_kind[unit]:
            return [refuse("16.0.b", "air and naval support are separate actions, and ground units take no part")]
        return [refuse("16.0.c", "the strike is not in the available display")]


def reveal_targets(s: NarvikState) -> None:
    """21.0.d, ruling D91: once all strikes are placed the target hexes are named, before any attack is made."""
    nodes = tuple(sorted({node for _, node in s.placed}))
    s.reveal(tuple(u for node in nodes for u in s.here.get(node, ())))
    s.log("reveal", "targets of the strikes: {hexs}", "21.0.d", hexs=nodes)


@flow.choice
class PlaceStrike(NarvikChoice):
    name = "strike.place"
    rules = ("16.0.d", "16.0.e")

    def prompt(self, s: NarvikState, *args: Any) -> str:
        return f"Choose the enemy hex that {s.game.unit_names[args[2]]} strikes."

    def chosen(self, s: NarvikState, *args: Any) -> tuple[int, ...]:
        return (*(unit for unit, _ in s.placed), args[2])

    def legal(self, s: NarvikState, *args: Any) -> list[Action]:
        act = s.game.act["on"]
        return [act[n] for n in strike_hexes(s, args[0], args[1])]

    def do(self, s: NarvikState, action: Action, *args: Any) -> None:
        s.pop()
        s.placed = (*s.placed, (args[2], arg(action)))
        s.log("place", "{unit} is placed on {hex}", "16.0.g", unit=args[2], hex=arg(action))

    def why_not(self, s: NarvikState, action: Action, *args: Any) -> list[Citation]:
        if action.kind != "on":
            return []
        side, kind, _ = args
        node = arg(action)
        if node >= s.game.ground.hexes:
            return [refuse("20.0.e", "staging areas and displays cannot be attacked")]
        if not s.held[1 - side][node]:
            return [refuse("16.0.d", "no enemy unit is there")]
        if kind == "naval" and node not in s.game.ground.coast:
            return [refuse("16.0.e", "naval strikes reach coastal hexes only")]
        limit = s.game.tables.strikes_per_hex[side]
        return [refuse("16.0.i" if side == 0 else "16.0.h", f"{limit} strike{'s' * (limit > 1)} in one hex at most")]


@flow.step("strike.next")
def next_strike(s: NarvikState, side: int) -> None:
    """Strikes on a hex that has been emptied are used up; then the player goes on with the others."""
    for unit, node in s.placed:
        if not s.held[1 - side][node]:
            s.log("strike", "{unit} finds nobody left in {hex}", "16.0.j", unit=unit, hex=node)
            _used(s, unit)
    if s.placed:
        s.push("strike.resolve", side)


def _used(s: NarvikState, unit: int) -> None:
    """16.0.j, 8.4.a: back to the random pool."""
    s.placed = tuple(pair for pair in s.placed if pair[0] != unit)
    s.put(unit, s.game.ground.pool[s.game.side_of[unit]])


@flow.choice
class ResolveStrikes(NarvikChoice):
    """Hex by hex; two German strikes on a hex together or one after the other (ruling D27)."""

    name = "strike.resolve"
    rules = ("16.0.a", "16.0.g")

    def prompt(self, s: NarvikState, *args: Any) -> str:
        return "Choose the strike to resolve."

    def legal(self, s: NarvikState, *args: Any) -> list[Action]:
        act = s.game.act
        nodes = [node for _, node in s.placed]
        found = [act["bomb"][node] for node in sorted(set(nodes))]
        found += [act["bomb_with"][node, unit] for unit, node in s.placed if nodes.count(node) > 1]
        return found

    def do(self, s: NarvikState, action: Action, *args: Any) -> None:
        side, node = args[0], arg(action)
        group = _strikers(s, action)
        s.pop()
        s.push("strike.next", side)
        for unit in group:
            _used(s, unit)
        combat.attack(s, combat.STRIKE, side, group, node)

    def why_not(self, s: NarvikState, action: Action, *args: Any) -> list[Citation]:
        if action.kind in ("bomb", "bomb_with"):
            return [refuse("16.0.g", "no strike was placed there")]
        return [refuse("16.0.g", "placing is over once the strikes are resolved")] if action.kind == "strike" else []

    def forecast(self, s: NarvikState, action: Action, *args: Any) -> Forecast | None:
        return combat.forecast_attack(s, combat.STRIKE, args[0], _strikers(s, action), arg(action))


def _strikers(s: NarvikState, action: Action) -> tuple[int, ...]:
    if action[0] == "bomb_with":
        return (arg(action, 1),)
    return tuple(u for u, node in s.placed if node == arg(action))
