"""Chapter 13: Allied amphibious movement and the Royal Marine assault."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from counterblow.games.narvik import combat
from counterblow.games.narvik.components import ALLIED, BR, GERMAN
from counterblow.games.narvik.engineers import offer_bridges, open_step
from counterblow.games.narvik.flow import NarvikChoice, arg, flow
from counterblow.games.narvik.stacking import (
    TOO_LATE,
    has_room,
    no_room,
    offer_order,
    offers_order,
    put_in_order,
    with_room,
)
from counterblow.games.narvik.state import NarvikState
from counterblow.kernel.actions import Action
from counterblow.kernel.forecast import Forecast
from counterblow.kernel.masks import bits
from counterblow.kernel.rulebook import Citation, refuse

LANDING, LIFTING, TRANSFER = 1, 2, 3  # 13.1.a: the three types of an action


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


def types_from(s: NarvikState, start: int) -> tuple[int, ...]:
    ground = s.game.ground
    if start == ground.harstad:
        return (LANDING, TRANSFER)
    if start == ground.bardufoss:
        return (TRANSFER,)
    return (LIFTING,) if start in ground.ports else ()


def sailors(s: NarvikState) -> list[int]:
    """13.0.b: activated units in a coastal hex or a staging area that may make a move of the chosen type."""
    return [
        u for u in bits(s.active & ~s.moved)
        if (types := types_from(s, s.at[u])) and (not s.mode or s.mode in types)
    ]  # fmt: skip


@flow.choice
class PickSailor(NarvikChoice):
    name = "sail.pick"
    rules = ("13.0.a", "13.0.b")

    def prompt(self, s: NarvikState, *args: Any) -> str:
        return "Choose a unit to embark, or end the amphibious action."

    def legal(self, s: NarvikState, *args: Any) -> list[Action]:
        act = s.game.act
        order = [act["rearrange"][()]] if offers_order(s) else []
        return [act["done"][()], *order, *[act["embark"][u] for u in sailors(s)]]

    def do(self, s: NarvikState, action: Action, *args: Any) -> None:
        if action[0] == "done":
            s.pop()
        elif action[0] == "rearrange":
            put_in_order(s, args[0])
        else:
            s.push("sail.go", args[0], arg(action))

    def why_not(self, s: NarvikState, action: Action, *args: Any) -> list[Citation]:
        if action.kind == "rearrange":
            return [TOO_LATE]
        if action.kind != "embark":
            return []
        unit = arg(action)
        if unit == s.game.roster.auchinleck:
            return [refuse("18.2.b", "Auchinleck never leaves the staging area")]
        if not s.active >> unit & 1:
            return [refuse("11.1.b", "the unit's sub-command is not activated")]
        if s.moved >> unit & 1:
            return [refuse("13.1.d", "the unit has already sailed in this action")]
        if not types_from(s, s.at[unit]):
            return [refuse("13.0.b", "the unit is neither in a coastal hex nor in a staging area")]
        return [refuse("13.1.a", "one action uses one type of amphibious movement")]


def cannot_sail(s: NarvikState, unit: int, there: int) -> list[Citation]:
    """Why a unit cannot sail to a node."""
    start, ground = s.at[unit], s.game.ground
    kind = sailing_type(s, start, there)
    if not kind:
        return [_no_route(s, start, there)]
    if s.mode and kind != s.mode:
        return [refuse("13.1.a", "one action uses one type of amphibious movement")]
    if there >= ground.hexes:
        return []
    if s.held[GERMAN][there]:
        return [refuse("13.1.f", "units may not land in a hex with enemy units")]
    if ground.lands[s.mobility(unit)][there] == 0:
        return [refuse("13.1.j", "the terrain is prohibited to the unit")]
    reason = no_room(s, (unit,), there)
    return [refuse("13.1.h", reason.text), reason] if reason else []


def _no_route(s: NarvikState, start: int, there: int) -> Citation:
    ground = s.game.ground
    if start in ground.coast and there in ground.coast:
        return refuse("13.1.c", "no amphibious move goes from coast to coast")
    if start == ground.bardufoss:
        return refuse("13.1.i", "units in Bardufoss sail only to Harstad")
    if there < ground.hexes and start == ground.harstad:
        return refuse("13.1.g", "the hex is no coastal hex; inlets are closed to amphibious movement")
    return refuse("13.1.a", "this is none of the three types of amphibious movement")


def destinations(s: NarvikState, unit: int) -> list[int]:
    """Where a unit can sail: ``cannot_sail`` for every node."""
    ground, start = s.game.ground, s.at[unit]
    if start < ground.hexes:
        return [ground.harstad]
    found = []
    if start == ground.harstad and s.mode != TRANSFER:
        enemy, lands = s.held[GERMAN], ground.lands[s.mobility(unit)]
        found = with_room(s, (unit,), [n for n in ground.port_list if lands[n] and not enemy[n]])
    if s.mode != LANDING:
        found += [n for n in ground.staging[ALLIED] if n != start]
    return found


@flow.choice
class Sail(NarvikChoice):
    """13.1: where an embarked unit goes."""

    name = "sail.go"
    rules = ("13.1.a", "13.1.b")

    def prompt(self, s: NarvikState, *args: Any) -> str:
        return f"Choose where {s.game.unit_names[args[1]]} sails, or leave it."

    def legal(self, s: NarvikState, *args: Any) -> list[Action]:
        act = s.game.act["sail"]
        return [s.game.act["halt"][()], *[act[n] for n in destinations(s, args[1])]]

    def do(self, s: NarvikState, action: Action, *args: Any) -> None:
        unit = args[1]
        s.pop()
        s.moved |= 1 << unit
        if action[0] == "halt":
            return
        start, there = s.at[unit], arg(action)
        s.mode = sailing_type(s, start, there)
        s.enter(unit, there)
        public = "Allied units sail to {hex}" if there < s.game.ground.hexes else "Allied units sail"
        s.tell(ALLIED, "sail", "{unit} sails to {hex}", public, "13.1.a", unit=unit, hex=there)

    def why_not(self, s: NarvikState, action: Action, *args: Any) -> list[Citation]:
        return cannot_sail(s, args[1], arg(action)) if action.kind == "sail" else []


# ------------------------------------------------------------------ 13.2 Royal Marine assault


def storm_targets(s: NarvikState) -> list[tuple[int, int]]:
    """13.2.b: (sea hex, coastal hex that the enemy holds next to it)."""
    approaches = s.game.ground.sea_approaches
    return [(sea, node) for node in bits(s.enemy_mask(ALLIED)) if node in approaches for sea in approaches[node]]


def can_storm(s: NarvikState) -> bool:
    """13.2.a: the marine unit starts from Harstad."""
    return bool(s.at[s.game.roster.marine] == s.game.ground.harstad and storm_targets(s))


def escorts(s: NarvikState) -> list[int]:
    """13.2.c, ruling D55: British units in Harstad."""
    roster, harstad = s.game.roster, s.game.ground.harstad
    return [u for u in roster.of_sub[BR] if s.at[u] == harstad and u not in (roster.marine, roster.auchinleck)]


@flow.choice
class Escort(NarvikChoice):
    """13.2.c: another unit may go along; two fill the sea hex."""

    name = "storm.escort"
    rules = ("13.2.c",)

    def prompt(self, s: NarvikState, *args: Any) -> str:
        return "Choose a British unit to accompany the marines, or none."

    def legal(self, s: NarvikState, *args: Any) -> list[Action]:
        act = s.game.act
        return [act["escort_none"][()], *[act["escort"][u] for u in escorts(s)]]

    def do(self, s: NarvikState, action: Action, *args: Any) -> None:
        force = (s.game.roster.marine,) if action[0] == "escort_none" else (s.game.roster.marine, arg(action))
        s.replace("storm", args[0], force)

    def why_not(self, s: NarvikState, action: Action, *args: Any) -> list[Citation]:
        return [refuse("13.2.c", "only British units in Harstad can accompany the marines")] if (
            action.kind == "escort") else []  # fmt: skip


@flow.choice
class Storm(NarvikChoice):
    """13.2.b, 13.2.d: the approach by sea, then a close assault by the marines alone."""

    name = "storm"
    rules = ("13.2.b", "13.2.d")

    def prompt(self, s: NarvikState, *args: Any) -> str:
        return "Choose the sea hex and the coastal hex that the marines assault from there."

    def chosen(self, s: NarvikState, *args: Any) -> tuple[int, ...]:
        force: tuple[int, ...] = args[1]
        return force

    def legal(self, s: NarvikState, *args: Any) -> list[Action]:
        act = s.game.act["storm"]
        return [act[pair] for pair in storm_targets(s)]

    def do(self, s: NarvikState, action: Action, *args: Any) -> None:
        side, force = args
        sea, target = arg(action), arg(action, 1)
        s.pop()
        for unit in force:
            s.put(unit, sea)
        s.log("storm", "the Royal Marines assault {hex1} from {hex2}", "13.2.d", "13.2.g", hex1=target, hex2=sea)
        s.push("storm.after", side, force, target)
        combat.attack(s, combat.ASSAULT, side, force[:1], target)

    def why_not(self, s: NarvikState, action: Action, *args: Any) -> list[Citation]:
        if action.kind != "storm":
            return []
        if arg(action, 1) not in s.game.ground.coast or not s.held[GERMAN][arg(action, 1)]:
            return [refuse("13.2.b", "the target is no coastal hex that the enemy holds")]
        return [refuse("13.2.b", "the assault starts from an all-sea hex next to the target")]

    def forecast(self, s: NarvikState, action: Action, *args: Any) -> Forecast | None:
        found = combat.forecast_attack(s, combat.ASSAULT, args[0], args[1][:1], arg(action, 1), storm=True)
        return replace(found, notes=(*found.notes, "if the hex is not cleared the marines are eliminated (13.2.f)"))


@flow.step("storm.after")
def after_storm(s: NarvikState, side: int, force: tuple[int, ...], target: int) -> None:
    """13.2.e, 13.2.f: pursuit, or the marines are lost and the others go back."""
    if s.held[GERMAN][target]:
        marine = force[0]
        s.put(marine, s.game.ground.eliminated[ALLIED])
        s.log("storm", "the assault fails: {unit} is permanently eliminated", "13.2.f", unit=marine)
        go_back(s, force[1:])
        return
    s.push("storm.back", force)
    s.push("storm.pursuit", side, force, target)


@flow.step("storm.back")
def go_back(s: NarvikState, force: tuple[int, ...]) -> None:
    """Units still at sea return to Harstad (ruling D55)."""
    for unit in force:
        if s.game.board.terrain[s.at[unit]] == "sea":
            s.put(unit, s.game.ground.harstad)
            s.tell_of(unit, "sail", "returns to Harstad", "13.2.f")


@flow.step("storm.pursuit")
def storm_pursuit(s: NarvikState, side: int, force: tuple[int, ...], target: int) -> None:
    """13.2.e: the marines and their escort may pursue, each as 15.2 allows."""
    waiting = tuple(u for u in force if s.game.board.terrain[s.at[u]] == "sea")
    if any(storm_advances(s, u, target) for u in waiting):
        s.push("storm.pursue", side, waiting, target)


def storm_advances(s: NarvikState, unit: int, target: int) -> list[int]:
    """Hexes that a unit at sea may pursue to: the cleared hex, and for elite units one more (15.2.c)."""
    ground = s.game.ground
    kind = s.mobility(unit)
    if not ground.lands[kind][target]:
        return []
    found = [target] if has_room(s, (unit,), target) else []
    if s.game.roster.elite[unit]:
        found += [
            n for n in ground.around[target]
            if open_step(s, ALLIED, kind, target, n) and not s.held[GERMAN][n] and has_room(s, (unit,), n)
        ]  # fmt: skip
    return found


@flow.choice
class StormPursuit(NarvikChoice):
    name = "storm.pursue"
    rules = ("13.2.e", "15.2.a")

    def prompt(self, s: NarvikState, *args: Any) -> str:
        return f"Pursue into {s.game.board.labels[args[2]]}, or return to Harstad."

    def legal(self, s: NarvikState, *args: Any) -> list[Action]:
        _, waiting, target = args
        act = s.game.act["pursue"]
        advances = [act[u, n] for u in waiting for n in storm_advances(s, u, target)]
        return [s.game.act["end_pursuit"][()], *advances]

    def do(self, s: NarvikState, action: Action, *args: Any) -> None:
        side, waiting, target = args
        s.pop()
        if action[0] == "end_pursuit":
            return
        unit, node = arg(action), arg(action, 1)
        s.take_control(side, target)
        s.enter(unit, node)
        s.tell_of(unit, "pursuit", "lands in {hex}", "13.2.e", hex=node)
        s.push("storm.pursuit", side, tuple(u for u in waiting if u != unit), target)
        offer_order(s, side, node)
        if s.pontoons:
            offer_bridges(s, side, [target, node])

    def why_not(self, s: NarvikState, action: Action, *args: Any) -> list[Citation]:
        if action.kind != "pursue":
            return []
        unit, node = arg(action), arg(action, 1)
        if unit not in args[1]:
            return [refuse("13.2.e", "the unit took no part in the amphibious assault")]
        if reason := no_room(s, (unit,), node):
            return [refuse("15.2.f", reason.text), reason]
        rule = "15.2.c" if s.game.roster.elite[unit] else "15.2.b"
        return [refuse(rule, "the pursuit does not reach that hex")]
