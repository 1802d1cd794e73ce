"""Chapter 15.1: retreat."""

from __future__ import annotations

from counterblow.games.narvik.components import ALLIED
from counterblow.games.narvik.engineers import offer_bridges, open_step, why_closed
from counterblow.games.narvik.stacking import has_room, offer_order, why_not_room
from counterblow.games.narvik.state import NarvikState, flow
from counterblow.kernel.actions import Action
from counterblow.kernel.journey import NamedDestination
from counterblow.kernel.rulebook import Citation, refuse
from counterblow.kernel.walk import Outward, Path


def start_retreat(s: NarvikState, unit: int) -> None:
    """15.1.a, 15.1.b: elite units withdraw one hex, others rout as far as a die says."""
    if s.game.roster.elite[unit]:
        length = 1
        s.log("retreat", "{unit} withdraws one hex", "15.1.a", unit=unit)
    else:
        length = s.roll()
        s.log("retreat", f"{{unit}} routs {{n}} hex{'es' * (length > 1)}", "15.1.b", unit=unit, n=length)
    s.push(retreat_on, unit, (s.at[unit],), length)


class RetreatWalk(Outward[NarvikState]):
    """Every step leads further from the hex left, until the unit is far enough and finds room.

    15.1.c, 15.1.d, 15.1.e, 15.1.f, 15.1.g, 15.1.h, 15.1.i
    """

    def exits(self, s: NarvikState, unit: int, path: Path, length: int) -> tuple[int, ...]:
        """15.1.i, 15.1.j: the hexes around, and for an Allied unit the staging areas next to an edge hex."""
        ground, here = s.game.ground, path[-1]
        return (*ground.around[here], *(ground.exits[here] if s.game.side_of[unit] == ALLIED else ()))

    def why_not_step(self, s: NarvikState, unit: int, path: Path, there: int, length: int) -> Citation | None:
        ground, side, here = s.game.ground, s.game.side_of[unit], path[-1]
        if there >= ground.hexes and there not in self.exits(s, unit, path, length):
            if there == ground.transit:
                return refuse("15.1.j", "no unit retreats into Swedish Transit")
            return refuse("15.1.i", "only Allied units retreat off the map, into a staging area next to their edge hex")
        if there not in s.game.board.around[here]:
            if {here, there} <= {*ground.ferries} or {here, there} <= ground.railway:
                return refuse("15.1.k", "a retreat takes neither ferry nor train")
            if s.game.roster.elite[unit]:
                return refuse("15.1.a", "an elite unit retreats one hex")
            return refuse("12.0.c", "a retreat goes from hex to adjacent hex")
        if len(path) > 1 and s.in_enemy_zone(side, here):
            return refuse("15.1.e", "a retreat may end in an enemy zone, not pass through it")
        if there >= ground.hexes:
            return None
        if s.held[1 - side][there]:
            return refuse("15.1.d", "an enemy unit is there")
        if s.game.roster.gun[unit]:
            if there not in ground.rail[here]:
                return refuse("19.2.d", "the railway gun retreats along railroad hexes")
        elif not open_step(s, side, int(s.game.roster.mech[unit]), here, there):
            return refuse("15.1.f", why_closed(s, int(s.game.roster.mech[unit]), here, there).text)
        if s.game.board.distance(path[0], there) != len(path):
            return refuse("15.1.g", "every step of a retreat leads further from the hex left")
        return None

    def complete(self, s: NarvikState, unit: int, path: Path, length: int) -> bool:
        """15.1.h, 15.1.i, 15.1.m"""
        return path[-1] >= s.game.ground.hexes or (len(path) > length and has_room(s, (unit,), path[-1]))

    def why_not_complete(self, s: NarvikState, unit: int, path: Path, length: int) -> Citation:
        if s.in_enemy_zone(s.game.side_of[unit], path[-1]):
            return refuse("15.1.e", "a retreat may end in an enemy zone, not pass through it")
        full = why_not_room(s, (unit,), path[-1])
        if full and len(path) > length:
            return refuse("15.1.m" if full.rule == "9.0.e" else "15.1.h", f"{full.text}, and no way leads on")
        return refuse("15.1.g", "the retreat could not be completed that way")


WALK = RetreatWalk()


@flow.step
def retreat_on(s: NarvikState, unit: int, path: Path, length: int) -> None:
    """15.1.l, 15.1.e: the next step, or regroup if the retreat cannot be completed. One way only: D77."""
    if not s.ask(Retreat, unit, path, length):
        s.put(unit, s.game.ground.regroup[s.game.side_of[unit]])
        s.log("retreat", "{unit} cannot complete its retreat: regroup", "15.1.l", unit=unit)


@flow.choice
class Retreat(NamedDestination[NarvikState]):
    """15.1.c: the owner chooses the way, hex by hex. Arguments: the unit, its way so far, the hexes it must go."""

    kind, returns = "retreat", False

    def prompt(self, s: NarvikState, unit: int, path: Path, length: int) -> str:
        return f"Retreat {s.game.unit_names[unit]}: step {len(path)} of {max(length, len(path))}."

    def why_not_unit(self, s: NarvikState, other: int, unit: int, path: Path, length: int) -> Citation:
        if s.game.side_of[other] != s.game.side_of[unit]:
            return refuse("1.2.a", "the unit belongs to the enemy")
        return refuse("14.5.c", f"no result makes it retreat: it is {s.game.unit_names[unit]} that goes now")

    def why_not(self, s: NarvikState, action: Action, unit: int, path: Path, length: int) -> list[Citation]:
        if action.kind == "halt":
            rule = "15.1.a" if s.game.roster.elite[unit] else "15.1.b"
            return [refuse(rule, "the retreat is not yet complete")]
        return super().why_not(s, action, unit, path, length)

    def nodes(self, s: NarvikState, unit: int, path: Path, length: int) -> list[int]:
        return WALK.next_steps(s, unit, path, length)

    def why_not_node(self, s: NarvikState, node: int, unit: int, path: Path, length: int) -> Citation | None:
        return WALK.why_not_next(s, unit, path, node, length)

    def arrive(self, s: NarvikState, node: int, unit: int, path: Path, length: int) -> None:
        """One step; in a staging area, or far enough with room, the retreat ends."""
        here = path[-1]
        s.enter(unit, node)
        s.log("retreat", "{unit} retreats {path}", "15.1.c", unit=unit, path=(here, node))
        if node >= s.game.ground.hexes:
            s.log("retreat", "{unit} has left the map", "15.1.i", unit=unit)
        elif len(path) >= length and why_not_room(s, (unit,), node) is None:
            offer_order(s, node)
        else:
            s.push(retreat_on, unit, (*path, node), length)
        offer_bridges(s, s.game.side_of[unit], (here, node))
