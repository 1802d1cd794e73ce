"""Chapter 16: air and naval strikes."""

from __future__ import annotations

from counterblow.games.narvik import combat
from counterblow.games.narvik.components import GERMAN
from counterblow.games.narvik.stacking import Group
from counterblow.games.narvik.state import NarvikState, flow
from counterblow.kernel.actions import Action
from counterblow.kernel.forecast import Forecast
from counterblow.kernel.journey import Destination
from counterblow.kernel.masks import bits
from counterblow.kernel.pick import Deed, Menu, Pick
from counterblow.kernel.rulebook import Citation, refuse


def reachable(s: NarvikState, side: int, kind: str) -> int:
    """16.0.d, 16.0.e: enemy hexes on which strikes of a kind may be placed, as a bit mask."""
    mask = s.enemy_mask(side)
    return mask & s.game.ground.coast_mask if kind == "naval" else mask


def is_full(s: NarvikState, side: int, node: int) -> bool:
    """16.0.h, 16.0.i: does a hex hold as many strikes as may be placed there?"""
    limit: int = s.game.tables.strikes_per_hex[side]
    return [there for _, there in s.placed].count(node) >= limit


def strike_hexes(s: NarvikState, side: int, kind: str) -> list[int]:
    """Enemy hexes that can take another strike."""
    return [node for node in bits(reachable(s, side, kind)) if not is_full(s, side, node)]


def is_of_kind(s: NarvikState, unit: int, kind: str) -> bool:
    roster = s.game.roster
    return bool(roster.air[unit] if kind == "air" else roster.naval[unit])


def anything_to_strike(s: NarvikState, side: int, kind: str) -> bool:
    """Before any strike is placed: is one available, and an enemy hex to place it on?"""
    available = s.here.get(s.game.ground.strikes[side], ())
    return reachable(s, side, kind) != 0 and any(is_of_kind(s, u, kind) for u in available)


class Strike(Pick[NarvikState]):
    """16.0.c, 16.0.f, 16.0.l: any number of the strikes that are available; no range or line counts (16.0.k)."""

    kind, stays = "strike", True

    def items(self, s: NarvikState, kind: str) -> list[int]:
        if not strike_hexes(s, s.mover, kind):
            return []
        placed = [unit for unit, _ in s.placed]
        available = sorted(s.here.get(s.game.ground.strikes[s.mover], ()))
        return [u for u in available if is_of_kind(s, u, kind) and u not in placed]

    def why_not_item(self, s: NarvikState, unit: int, kind: str) -> Citation | None:
        if not is_of_kind(s, unit, kind):
            if unit in s.game.roster.ground:
                return refuse("16.0.b", "ground units take no part in a support action")
            return refuse("16.0.b", "air and naval support are separate actions")
        if s.at[unit] != s.game.ground.strikes[s.mover]:
            return refuse("16.0.c", "the strike is not in the available display")
        if any(unit == other for other, _ in s.placed):
            return refuse("16.0.g", "the strike is already placed")
        return refuse("16.0.i" if s.mover == GERMAN else "16.0.h", "every hex in reach holds as many strikes as it may")

    def take(self, s: NarvikState, unit: int, kind: str) -> None:
        s.push(PlaceStrike, unit, kind)


class Resolve(Deed[NarvikState]):
    """16.0.g: all strikes are placed before any is resolved."""

    kind = "resolve"

    def why_not_now(self, s: NarvikState, kind: str) -> Citation | None:
        return None if s.placed else refuse("16.0.g", "no strike is placed yet")

    def perform(self, s: NarvikState, kind: str) -> None:
        """21.0.d, ruling D91: the target hexes are named before any attack is made."""
        nodes = tuple(sorted({node for _, node in s.placed}))
        s.reveal(tuple([u for node in nodes for u in s.here.get(node, ())]))
        s.log("reveal", "targets of the strikes: {places}", "21.0.d", places=nodes)
        s.push(next_strike)

    def forecast(self, s: NarvikState, action: Action, kind: str) -> Forecast | None:
        """A single strike is resolved at once."""
        if len(s.placed) != 1:
            return None
        return combat.forecast_attack(s, combat.STRIKE, s.mover, (s.placed[0][0],), s.placed[0][1])


@flow.choice
class Support(Menu[NarvikState]):
    """16.0.g: place strikes, then resolve them. The argument is the kind, air or naval."""

    rules = ("16.0.c", "16.0.g")
    parts, passing = (Strike(), Resolve()), "done"

    def prompt(self, s: NarvikState, kind: str) -> str:
        if s.placed:
            return f"Choose another {kind} strike to place, or resolve those that are placed."
        return f"Choose the {kind} strike to place, or end the action."

    def chosen(self, s: NarvikState, kind: str) -> Group:
        return tuple([unit for unit, _ in s.placed])

    def why_not_pass(self, s: NarvikState, kind: str) -> Citation | None:
        return refuse("16.0.g", "strikes that are placed are resolved") if s.placed else None


@flow.choice
class PlaceStrike(Destination[NarvikState]):
    rules = ("16.0.d", "16.0.e")
    asks = "Choose the enemy hex that {unit} strikes."
    kind = "on"

    def chosen(self, s: NarvikState, unit: int, kind: str) -> Group:
        return (*[placed for placed, _ in s.placed], unit)

    def items(self, s: NarvikState, unit: int, kind: str) -> list[int]:
        return strike_hexes(s, s.mover, kind)

    def why_not_item(self, s: NarvikState, node: int, unit: int, kind: str) -> Citation | None:
        if node >= s.game.ground.hexes:
            return refuse("20.0.e", "staging areas and displays cannot be attacked")
        if not s.held[1 - s.mover][node]:
            return refuse("16.0.d" if kind == "air" else "16.0.e", "no enemy unit is there")
        if kind == "naval" and node not in s.game.ground.coast:
            return refuse("16.0.e", "naval strikes reach coastal hexes only")
        limit = s.game.tables.strikes_per_hex[s.mover]
        rule = "16.0.i" if s.mover == GERMAN else "16.0.h"
        return refuse(rule, f"{limit} strike{'s' * (limit > 1)} in one hex at most")

    def take(self, s: NarvikState, node: int, unit: int, kind: str) -> None:
        s.placed = (*s.placed, (unit, node))
        s.log("place", "{unit} is placed on {place}", "16.0.g", unit=unit, place=node)


@flow.step
def next_strike(s: NarvikState) -> None:
    """Strikes on a hex that has been emptied are used up; then the player goes on with the others."""
    for unit, node in s.placed:
        if not s.held[1 - s.mover][node]:
            s.log("strike", "{unit} finds nobody left in {place}", "16.0.j", unit=unit, place=node)
            _used(s, unit)
    s.ask(ResolveStrikes)


def _used(s: NarvikState, unit: int) -> None:
    """16.0.j, 8.4.a: back to the random pool."""
    s.placed = tuple([pair for pair in s.placed if pair[0] != unit])
    s.put(unit, s.game.ground.pool[s.game.side_of[unit]])


class Bomb(Pick[NarvikState]):
    """All strikes on a hex together."""

    kind = "bomb"

    def items(self, s: NarvikState) -> list[int]:
        return sorted({node for _, node in s.placed})

    def why_not_item(self, s: NarvikState, node: int) -> Citation | None:
        return refuse("16.0.g", "no strike was placed there")

    def take(self, s: NarvikState, node: int) -> None:
        strike(s, node, self.group(s, node))

    def group(self, s: NarvikState, node: int) -> Group:
        return tuple([unit for unit, there in s.placed if there == node])

    def forecast(self, s: NarvikState, action: Action) -> Forecast:
        node = action.args[0]
        return combat.forecast_attack(s, combat.STRIKE, s.mover, self.group(s, node), node)


class BombWith(Pick[NarvikState]):
    """One of two strikes on a hex, and then the other (ruling D27)."""

    kind = "bomb_with"

    def items(self, s: NarvikState) -> list[tuple[int, int]]:
        nodes = [node for _, node in s.placed]
        return [(node, unit) for unit, node in s.placed if nodes.count(node) > 1]

    def why_not_item(self, s: NarvikState, item: tuple[int, int]) -> Citation | None:
        if (item[1], item[0]) in s.placed:
            return refuse("16.0.g", "it is the only strike there: resolve the hex")
        return refuse("16.0.g", "that strike was not placed there")

    def take(self, s: NarvikState, item: tuple[int, int]) -> None:
        strike(s, item[0], (item[1],))

    def forecast(self, s: NarvikState, action: Action) -> Forecast:
        return combat.forecast_attack(s, combat.STRIKE, s.mover, action.args[1:], action.args[0])


@flow.choice
class ResolveStrikes(Menu[NarvikState]):
    """16.0.g: hex by hex; two German strikes on a hex together or one after the other (ruling D27)."""

    rules = ("16.0.a", "16.0.g")
    asks = "Choose the strike to resolve."
    parts = (Bomb(), BombWith())

    def chosen(self, s: NarvikState) -> Group:
        return tuple([unit for unit, _ in s.placed])

    def why_not(self, s: NarvikState, action: Action) -> list[Citation]:
        if action.kind in ("strike", "on"):
            return [refuse("16.0.g", "placing is over once the strikes are resolved")]
        return super().why_not(s, action)


def strike(s: NarvikState, node: int, group: Group) -> None:
    s.push(next_strike)
    for unit in group:
        _used(s, unit)
    combat.attack(s, combat.STRIKE, s.mover, group, node)
