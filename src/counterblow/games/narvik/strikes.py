"""Chapter 16: air and naval strikes."""

from __future__ import annotations

from collections.abc import Sequence

from counterblow.games.narvik import combat
from counterblow.games.narvik.stacking import Group
from counterblow.games.narvik.state import NarvikState, flow
from counterblow.kernel.forecast import Forecast
from counterblow.kernel.journey import Destination
from counterblow.kernel.masks import bits
from counterblow.kernel.pick import Deed, Item, Menu, Pick
from counterblow.kernel.rulebook import Citation, refuse, refuse_if

FULL_RULE = ("16.0.i", "16.0.h")  # by side: how many strikes a hex may hold


def reachable(s: NarvikState, side: int, kind: str) -> int:
    """16.0.d, 16.0.e: enemy hexes on which strikes of a kind may be placed, as a bit mask."""
    mask = s.occupied[1 - side]
    return mask & s.game.ground.coast_mask if kind == "naval" else mask


def strike_hexes(s: NarvikState, side: int, kind: str) -> list[int]:
    """16.0.h, 16.0.i: enemy hexes that do not hold as many strikes yet as may be placed there."""
    struck, limit = [node for _, node in s.placed], s.game.tables.strikes_per_hex[side]
    return [node for node in bits(reachable(s, side, kind)) if struck.count(node) < limit]


def placed_strikes(s: NarvikState) -> Group:
    """The strikes that are placed."""
    return tuple([unit for unit, _ in s.placed])


def available(s: NarvikState, side: int, kind: str) -> bool:
    """Is a strike of a kind in the available display?"""
    return any(s.game.roster.type[unit] == kind for unit in s.here.get(s.game.ground.strikes[side], ()))


@flow.choice
class PlaceStrike(Destination[NarvikState]):
    kind = "on"

    def chosen(self, s: NarvikState, unit: int, kind: str) -> Group:
        return (*placed_strikes(s), unit)

    def items(self, s: NarvikState, unit: int, kind: str) -> list[int]:
        return strike_hexes(s, s.mover, kind)

    def why_not_item(self, s: NarvikState, node: int, unit: int, kind: str) -> Citation | None:
        if s.game.ground.areas[node]:
            return refuse("20.0.e", "staging areas cannot be attacked")
        rule, inland = ("16.0.e", node not in s.game.ground.coast) if kind == "naval" else ("16.0.d", False)
        limit = s.game.tables.strikes_per_hex[s.mover]
        return (
            refuse_if(node >= s.game.ground.hexes, rule, "strikes are placed on hexes of the map")
            or refuse_if(not s.held[1 - s.mover][node], rule, "no enemy unit is there")
            or refuse_if(inland, "16.0.e", "naval strikes reach coastal hexes only")
            or refuse(FULL_RULE[s.mover], f"{limit} strike{'s' * (limit > 1)} in one hex at most")
        )

    def take(self, s: NarvikState, node: int, unit: int, kind: str) -> None:
        s.placed = (*s.placed, (unit, node))
        s.log("place", "{unit} is placed on {place}", "16.0.g", unit=unit, place=node)


class Strike(Pick[NarvikState]):
    """16.0.c, 16.0.f, 16.0.l: any number of the strikes that are available; no range or line counts (16.0.k)."""

    kind, stays, opens = "strike", True, PlaceStrike

    def candidates(self, s: NarvikState, kind: str) -> list[int]:
        return sorted(s.here.get(s.game.ground.strikes[s.mover], ()))

    def why_not_item(self, s: NarvikState, unit: int, kind: str) -> Citation | None:
        other, away = s.game.roster.type[unit] != kind, s.at[unit] != s.game.ground.strikes[s.mover]
        target = dict(s.placed).get(unit, -1)
        walks = unit in s.game.roster.ground
        reason = (
            refuse_if(s.game.side_of[unit] != s.mover, "1.2.a", "the unit belongs to the enemy")
            or refuse_if(other and walks, "16.0.b", "ground units take no part in a support action")
            or refuse_if(other, "16.0.b", "air and naval support are separate actions")
            or refuse_if(away, "16.0.c", "the strike is not in the available display")
            or refuse_if(target >= 0, "16.0.g", f"the strike is already placed on {s.game.board.labels[target]}")
        )
        if reason or strike_hexes(s, s.mover, kind):
            return reason
        return refuse(FULL_RULE[s.mover], "every hex in reach holds as many strikes as it may")


class Resolve(Deed[NarvikState]):
    """16.0.g: all strikes are placed before any is resolved."""

    kind = "resolve"

    def why_not_now(self, s: NarvikState, kind: str) -> Citation | None:
        return refuse_if(not s.placed, "16.0.g", "no strike is placed yet")

    def perform(self, s: NarvikState, kind: str) -> None:
        """21.0.d, ruling D91: the target hexes are named before any attack is made."""
        nodes = tuple(sorted({node for _, node in s.placed}))
        s.reveal(tuple([u for node in nodes for u in s.here.get(node, ())]))
        s.log("reveal", "targets of the strikes: {places}", "21.0.d", places=nodes)
        s.push(next_strike)

    def outlook(self, s: NarvikState, item: Item, kind: str) -> Forecast | None:
        """A single strike is resolved at once."""
        return BOMB.outlook(s, s.placed[0][1]) if len(s.placed) == 1 else None


@flow.choice
class Support(Menu[NarvikState]):
    """16.0.g: place strikes, then resolve them. The argument is the kind, air or naval."""

    parts, passing = (Strike(), Resolve()), "done"

    def prompt(self, s: NarvikState, kind: str) -> str:
        if s.placed:
            return f"Choose another {kind} strike to place, or resolve those that are placed."
        return f"Choose the {kind} strike to place, or end the action."

    def chosen(self, s: NarvikState, kind: str) -> Group:
        return placed_strikes(s)

    def why_not_pass(self, s: NarvikState, kind: str) -> Citation | None:
        return refuse_if(s.placed, "16.0.g", "strikes that are placed are resolved")


# ------------------------------------------------------------------ 16.0.g they are resolved


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


def strikes_on(s: NarvikState, node: int) -> Group:
    return tuple([unit for unit, there in s.placed if there == node])


class Bomb(Pick[NarvikState]):
    """All strikes on a hex together."""

    kind = "bomb"

    def items(self, s: NarvikState) -> Sequence[Item]:
        return sorted({node for _, node in s.placed})

    def why_not_item(self, s: NarvikState, item: Item) -> Citation | None:
        placed = s.game.act.name("places", tuple(self.items(s)))
        return refuse("16.0.g", f"no strike was placed there, but on {placed}")

    def meant(self, s: NarvikState, item: Item) -> tuple[int, Group]:
        """The hex, and which strikes on it."""
        return item, strikes_on(s, item)

    def take(self, s: NarvikState, item: Item) -> None:
        node, group = self.meant(s, item)
        s.push(next_strike)
        for unit in group:
            _used(s, unit)
        combat.attack(s, combat.STRIKE, s.mover, group, node)

    def outlook(self, s: NarvikState, item: Item) -> Forecast:
        node, group = self.meant(s, item)
        return combat.forecast_attack(s, combat.STRIKE, s.mover, group, node)


BOMB = Bomb()


class BombWith(Bomb):
    """One of two strikes on a hex, and then the other (ruling D27)."""

    kind = "bomb_with"

    def items(self, s: NarvikState) -> Sequence[Item]:
        return [(node, unit) for unit, node in s.placed if len(strikes_on(s, node)) > 1]

    def why_not_item(self, s: NarvikState, item: Item) -> Citation | None:
        alone = (item[1], item[0]) in s.placed
        text = "it is the only strike there: resolve the hex" if alone else "that strike was not placed there"
        return refuse("16.0.g", text)

    def meant(self, s: NarvikState, item: Item) -> tuple[int, Group]:
        return item[0], (item[1],)


@flow.choice
class ResolveStrikes(Menu[NarvikState]):
    """16.0.g: hex by hex; two German strikes on a hex together or one after the other (ruling D27)."""

    parts = (BOMB, BombWith())

    def chosen(self, s: NarvikState) -> Group:
        return placed_strikes(s)
