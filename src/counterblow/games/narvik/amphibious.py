"""Chapter 13: Allied amphibious movement and the Royal Marine assault."""

from __future__ import annotations

from dataclasses import replace

from counterblow.games.narvik import combat
from counterblow.games.narvik.advance import Pursuit, at_sea
from counterblow.games.narvik.components import ALLIED, BR, GERMAN
from counterblow.games.narvik.leaders import why_auchinleck, why_idle
from counterblow.games.narvik.stacking import Group, Rearrange, why_not_room, with_room
from counterblow.games.narvik.state import NarvikState, flow
from counterblow.kernel.actions import Action
from counterblow.kernel.flow import ask
from counterblow.kernel.forecast import Forecast
from counterblow.kernel.gather import Gather, Plan
from counterblow.kernel.journey import Destination
from counterblow.kernel.masks import bits
from counterblow.kernel.pick import Menu, Pick
from counterblow.kernel.rulebook import Citation, refuse, refuse_if

LANDING, LIFTING, TRANSFER = 1, 2, 3  # 13.1.a: the three types of an action
OTHER_TYPE = refuse("13.1.a", "one action uses one type of amphibious movement")
ESCORTED = refuse("9.0.d", "the marines and one other unit fill the sea hex (ruling D55)")


def sailing_type(s: NarvikState, start: int, there: int) -> int:
    """13.1.a, 13.1.i, ruling D23: which type a move would be, 0 if it is none."""
    ground = s.game.ground
    if start == ground.harstad and there in ground.ports:
        return LANDING
    if start in ground.ports and there == ground.harstad:
        return LIFTING
    if start != there and start in ground.staging[ALLIED] and there in ground.staging[ALLIED]:
        return TRANSFER
    return 0


@flow.choice
class Sail(Destination[NarvikState]):
    """13.1: where an embarked unit goes; enemy zones do not matter (13.1.e, 10.1.h)."""

    kind = "sail"

    def items(self, s: NarvikState, unit: int) -> list[int]:
        """``why_not_item`` for every node."""
        ground, start = s.game.ground, s.at[unit]
        if start in ground.ports:
            return [ground.harstad] if s.mode in (0, LIFTING) else []
        found = []
        if start == ground.harstad and s.mode in (0, LANDING):
            free = s.game.board.graph.at_most(ground.beaches[s.mobility(unit)], s.held[GERMAN], 0)
            found = with_room(s, (unit,), free)
        if start in ground.staging[ALLIED] and s.mode in (0, TRANSFER):
            found += [n for n in ground.staging[ALLIED] if n != start]
        return found

    def why_not(self, s: NarvikState, action: Action, unit: int) -> list[Citation]:
        if action.kind == "embark" and action.args[0] == unit:
            return [refuse("13.1.a", "it has embarked: now it sails")]
        return super().why_not(s, action, unit)

    def why_not_item(self, s: NarvikState, node: int, unit: int) -> Citation | None:
        start, ground = s.at[unit], s.game.ground
        kind = sailing_type(s, start, node)
        if not kind:
            return _why_no_route(s, start, node)
        if s.mode and kind != s.mode:
            return OTHER_TYPE
        closed = node < ground.hexes and not ground.lands[s.mobility(unit)][node]
        return (
            refuse_if(s.held[GERMAN][node], "13.1.f", "units may not land in a hex with enemy units")
            or refuse_if(closed, "13.1.j", "the terrain is prohibited to the unit")
            or why_not_room(s, (unit,), node, by="13.1.h")
        )

    def take(self, s: NarvikState, node: int, unit: int) -> None:
        s.moved |= 1 << unit
        s.mode = sailing_type(s, s.at[unit], node)
        public = "Allied units sail to {place}" if node < s.game.ground.hexes else "Allied units sail"
        s.tell(ALLIED, "sail", "{unit} sails to {place}", public, "13.1.a", unit=unit, place=node)
        s.enter(unit, node)


SAIL = Sail()


def _why_no_route(s: NarvikState, start: int, node: int) -> Citation:
    ground = s.game.ground
    ashore = node < ground.hexes and start == ground.harstad
    fjord = ashore and any(ground.inlet(node, near) for near in ground.around[node])
    coasts = start in ground.coast and node in ground.coast
    return (
        refuse_if(coasts, "13.1.c", "no amphibious move goes from coast to coast")
        or refuse_if(start == ground.bardufoss, "13.1.i", "units in Bardufoss sail only to Harstad")
        or refuse_if(fjord, "13.1.g", "the hex is reached only through inlets")
        or refuse_if(ashore, "13.1.a", "the hex is no coastal hex")
        or refuse("13.1.a", "this is none of the three types of amphibious movement")
    )


class Sailor(Pick[NarvikState]):
    """13.0.b, 20.2.b: activated units in a coastal hex or a staging area that may make a move of the chosen type."""

    kind, stays, opens = "embark", True, Sail

    def items(self, s: NarvikState) -> list[int]:
        ground, at = s.game.ground, s.at
        units = [u for u in bits(s.active & ~s.moved) if at[u] in ground.ports or at[u] in ground.staging[ALLIED]]
        return [u for u in units if SAIL.items(s, u)] if s.mode else units

    def why_not_item(self, s: NarvikState, unit: int) -> Citation | None:
        ground, start = s.game.ground, s.at[unit]
        inland = start not in ground.ports and start not in ground.staging[ALLIED]
        return (
            refuse_if(s.game.side_of[unit] != ALLIED, "13.0.a", "only Allied units move by sea")
            or why_auchinleck(s, unit)
            or why_idle(s, unit)
            or refuse_if(s.moved >> unit & 1, "13.1.d", "the unit has already sailed in this action")
            or refuse_if(inland, "13.0.b", "the unit is neither in a coastal hex nor in a staging area")
            or OTHER_TYPE
        )


@flow.choice
class Amphibious(Menu[NarvikState]):
    parts, passing = (Rearrange(), Sailor()), "done"


# ------------------------------------------------------------------ 13.2 Royal Marine assault


def storm_targets(s: NarvikState) -> list[tuple[int, int]]:
    """13.2.b: (sea hex, coastal hex that the enemy holds next to it)."""
    approaches = s.game.ground.sea_approaches
    return [(sea, node) for node in bits(s.occupied[GERMAN]) if node in approaches for sea in approaches[node]]


class Approach(Pick[NarvikState]):
    """13.2.b, 13.2.d: the approach by sea, then a close assault by the marines alone."""

    kind = "storm"

    def items(self, s: NarvikState, plan: Plan) -> list[tuple[int, int]]:
        return storm_targets(s)

    def why_not_item(self, s: NarvikState, item: tuple[int, int], plan: Plan) -> Citation | None:
        if item[1] not in s.game.ground.coast or not s.held[GERMAN][item[1]]:
            return refuse("13.2.b", "the target is no coastal hex that the enemy holds")
        return refuse("13.2.b", "the assault starts from an all-sea hex next to the target")

    def take(self, s: NarvikState, item: tuple[int, int], plan: Plan) -> None:
        sea, target = item
        for unit in plan.units:
            s.put(unit, sea)
        s.log("storm", "the Royal Marines assault {place1} from {place2}", "13.2.d", "13.2.g",
              place1=target, place2=sea)  # fmt: skip
        s.push(after_storm, plan.units, target)
        combat.attack(s, combat.ASSAULT, ALLIED, plan.units[:1], target)

    def outlook(self, s: NarvikState, item: tuple[int, int], plan: Plan) -> Forecast:
        found = combat.forecast_attack(s, combat.ASSAULT, ALLIED, plan.units[:1], item[1], storm=True)
        return replace(found, notes=(*found.notes, "if the hex is not cleared the marines are eliminated (13.2.f)"))


@flow.choice
class Storm(Gather[NarvikState]):
    """13.2.c: the marines, another unit that may go along, and where they go; two fill the sea hex."""

    joining, committing, parts = "escort", "", (Approach(),)

    def candidates(self, s: NarvikState, plan: Plan) -> Group:
        """Ruling D55: one British unit in Harstad."""
        return s.game.roster.of_sub[BR] if len(plan.units) == 1 else ()

    def why_not_join(self, s: NarvikState, plan: Plan, unit: int) -> Citation | None:
        roster, away = s.game.roster, s.at[unit] != s.game.ground.harstad
        alone = "only British units can share the sea hex with the marines (ruling D55)"
        return (
            refuse_if(roster.side[unit] != ALLIED, "1.2.a", "the unit belongs to the enemy")
            or why_auchinleck(s, unit)
            or refuse_if(roster.sub[unit] != BR, "9.0.e", alone)
            or refuse_if(away, "13.2.f", "an escort embarks with the marines in Harstad (ruling D55)")
            or refuse_if(unit == roster.marine, "13.2.d", "the marines make the assault themselves")
            or (ESCORTED if len(plan.units) > 1 else None)
        )

    def why_not_more(self, s: NarvikState, plan: Plan) -> Citation:
        if len(plan.units) > 1:
            return ESCORTED
        return refuse("13.2.f", "no other British unit is in Harstad (ruling D55)")

    def why_not_leave(self, s: NarvikState, plan: Plan) -> Citation | None:
        return refuse_if(len(plan.units) == 1, "13.2.a", "the action is declared for the marines")

    def shortcuts(self, s: NarvikState, plan: Plan) -> list[Action]:
        """The escort may be left behind; the action itself is paid for."""
        return [s.game.act["without"][unit] for unit in plan.units[1:]]


@flow.step
def after_storm(s: NarvikState, force: Group, target: int) -> None:
    """13.2.e, 13.2.f: pursuit, or the marines are lost and the others go back."""
    if s.held[GERMAN][target]:
        s.put(force[0], s.game.ground.eliminated[ALLIED])
        s.log("storm", "the assault fails: {unit} is permanently eliminated", "13.2.f", unit=force[0])
        go_back(s, force[1:])
    else:
        s.queue((ask, Pursuit, target, force), (go_back, force))


@flow.step
def go_back(s: NarvikState, force: Group) -> None:
    """Units still at sea return to Harstad (ruling D55)."""
    for unit in force:
        if at_sea(s, unit):
            s.put(unit, s.game.ground.harstad)
            s.tell_of(unit, "sail", "returns to Harstad", "13.2.f")
