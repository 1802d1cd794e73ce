"""Chapter 15.2: pursuit."""

from __future__ import annotations

from counterblow.games.narvik.engineers import offer_bridges, open_step
from counterblow.games.narvik.leaders import why_idle
from counterblow.games.narvik.stacking import Group, offer_order, why_not_room
from counterblow.games.narvik.state import NarvikState, flow
from counterblow.kernel.flow import ask
from counterblow.kernel.masks import bits
from counterblow.kernel.pick import Pick
from counterblow.kernel.rulebook import Citation, refuse, refuse_if

Advance = tuple[int, int]  # unit, and the hex where its pursuit ends


def at_sea(s: NarvikState, unit: int) -> bool:
    """13.2.e: marines and their escort after an amphibious assault."""
    return bool(s.game.board.terrain[s.at[unit]] == "sea")


def can_go(s: NarvikState, unit: int, target: int, node: int) -> bool:
    """15.2.g, 15.2.h: by ground movement, whatever zones there are, or ashore."""
    side, kind = s.game.side_of[unit], s.mobility(unit)
    if at_sea(s, unit):
        ashore = s.game.ground.lands[kind][target] > 0
    else:
        ashore = open_step(s, side, kind, s.at[unit], target)
    return ashore and (node == target or open_step(s, side, kind, target, node))


@flow.choice
class Pursuit(Pick[NarvikState]):
    """15.2: who advances, and where to; it costs no points (15.2.d). Arguments: the cleared hex, the attackers."""

    kind, passing = "pursue", "end_pursuit"

    def candidates(self, s: NarvikState, target: int, attackers: Group) -> list[Advance]:
        near = (target, *s.game.ground.around[target])
        joining = [u for u in bits(s.active & ~s.fired) if u not in attackers and s.at[u] in near]
        return [(unit, node) for unit in (*attackers, *joining) for node in near]

    def why_not_item(self, s: NarvikState, item: Advance, target: int, attackers: Group) -> Citation | None:
        unit, node = item
        roster, ground, beyond = s.game.roster, s.game.ground, node != target
        if s.game.side_of[unit] != s.mover:
            return refuse("1.2.a", "the unit belongs to the enemy")
        joins = unit not in attackers  # 15.2.e, ruling D54
        distant = joins and s.at[unit] not in ground.assaultable[target]
        off = beyond and (node not in ground.around[target] or node == s.at[unit])
        return (
            refuse_if(joins and not s.active, "13.2.e", "only the marines and their escort pursue from the sea")
            or refuse_if(joins and not roster.ca[unit], "15.2.i", "units that are not assault-capable never pursue")
            or (why_idle(s, unit, "15.2.e") if joins else None)
            or refuse_if(joins and s.fired >> unit & 1, "15.2.e", "it has fired in this action")
            or refuse_if(distant, "15.2.e", "it is not next to the cleared hex")
            or refuse_if(beyond and not roster.elite[unit], "15.2.b", "it pursues into the cleared hex only")
            or refuse_if(off, "15.2.c", "elite units pursue into the cleared hex and one hex beyond it")
            or refuse_if(beyond and joins, "15.2.e", "a unit that has not attacked pursues into the cleared hex only")
            or refuse_if(s.held[1 - s.mover][node], "12.0.e", "an enemy unit is there")
            or refuse_if(not can_go(s, unit, target, node), "15.2.h", "the unit could not go there by ground movement")
            or why_not_room(s, (unit,), node, by="15.2.f")
        )

    def take(self, s: NarvikState, item: Advance, target: int, attackers: Group) -> None:
        unit, node = item
        s.fired |= 1 << unit  # ruling D54: who moves in does not attack later
        path = (s.at[unit], target) if node == target else (s.at[unit], target, node)
        if at_sea(s, unit):
            s.tell_of(unit, "pursuit", "lands in {place}", "13.2.e", place=node)
        else:
            s.tell_of(unit, "pursuit", "pursues {path}", "15.2.b" if node == target else "15.2.c", path=path)
        s.take_control(s.mover, target)
        s.enter(unit, node)
        s.push(ask, Pursuit, target, tuple([u for u in attackers if u != unit]))
        offer_order(s, node)
        offer_bridges(s, s.mover, path)
