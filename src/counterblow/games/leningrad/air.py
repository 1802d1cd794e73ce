"""Chapter 11: air power."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from counterblow.games.leningrad import combat, supply
from counterblow.games.leningrad.components import GERMAN, RUSSIAN, SIDES
from counterblow.games.leningrad.results import row
from counterblow.games.leningrad.state import ABSENT, LeningradState, flow
from counterblow.kernel.actions import Action
from counterblow.kernel.flow import ask
from counterblow.kernel.forecast import Forecast, Modifier, played_out, tally
from counterblow.kernel.gather import Gather, Plan
from counterblow.kernel.journey import Destination
from counterblow.kernel.masks import bits, mask_of
from counterblow.kernel.pick import Pick
from counterblow.kernel.rulebook import Citation, refuse, refuse_if

Units = tuple[int, ...]
BOMB, LIFT = 0, 1  # missions
MISSIONS = (("bomb {place}", "11.1"), ("fly to {place} with supplies", "11.18"))
INTERCEPTION = 2  # column of the air table; the bombing columns are numbered like the sides
DISRUPTED, DUG_OUT, SUNK, SHOT_DOWN = "Disrupted", "the trench is destroyed", "sunk", "shot down"
NO_EFFECT = "no effect"
CITY = -1  # what is bombed before the units of a Leningrad hex
FIGHTERS_ONLY = "the fighter korps only intercepts bombing of Leningrad"


# ---------------------------------------------------------------- 11.5, 11.6: who may fly


def operational(s: LeningradState, side: int) -> int:
    """Air units in play and not shot down (11.11)."""
    return s.game.counters.air[side] & ~(s.waiting | s.gone | s.down)


def why_grounded(s: LeningradState, unit: int) -> Citation | None:
    """Why an air unit cannot fly at all."""
    if operational(s, s.game.side_of[unit]) >> unit & 1:
        return None
    if (s.waiting | s.gone) >> unit & 1:
        return combat.why_absent(s, unit)
    return refuse("11.11", f"the air unit is {'not in this game' if s.back[unit] == ABSENT else 'shot down'}")


def may_bomb(s: LeningradState) -> int:
    """11.5, 11.6; 11.3: the fighter korps only intercepts."""
    used = s.extra if s.blitz else s.flown
    return operational(s, s.mover) & ~used & ~(1 << s.game.counters.fighters)


def why_not_fly(s: LeningradState, unit: int) -> Citation | None:
    """Why an air unit may not bomb now; None if it may."""
    counters = s.game.counters
    return (
        refuse_if(s.game.side_of[unit] != s.mover, "1.1", f"it is the {SIDES[s.mover]} player-turn")
        or refuse_if(not counters.air[s.mover] >> unit & 1, "11.1", "only air units bomb")
        or refuse_if(unit == counters.fighters, "11.3", FIGHTERS_ONLY)
        or why_grounded(s, unit)
        or refuse_if(not may_bomb(s) >> unit & 1, "11.6" if s.blitz else "11.5", "the air unit has flown its mission")
    )


def return_of_air_units(s: LeningradState, side: int) -> None:
    """10.7: at the start of the owner's second player-turn after the loss."""
    for unit in bits(s.game.counters.air[side]):
        if s.back[unit] and s.back[unit] != ABSENT and s.back[unit] <= s.turn:
            s.back[unit] = 0
            s.down &= ~(1 << unit)
            s.log("air", "{unit} is back", "10.7", unit=unit)


def shoot_down(s: LeningradState, unit: int, *rules: str) -> None:
    """11.11, 10.7, ruling D37: back in the second own player-turn after the one in progress."""
    own_turn_next = s.game.side_of[unit] == RUSSIAN and s.mover == GERMAN
    s.back[unit] = s.turn + (1 if own_turn_next else 2)
    s.down |= 1 << unit
    s.log("air", "{unit} is shot down", *rules, unit=unit)


# ---------------------------------------------------------------- 11.16, 11.17: range


def in_range(s: LeningradState, node: int) -> bool:
    """11.16: may Leningrad Front Aviation reach this hex?"""
    game = s.game
    for place in game.places_in_air_range[node]:
        if s.control[place] == RUSSIAN and supply.traced(s, supply.lines(s, RUSSIAN), place):
            return True
    near = game.within_air_range[node]
    for unit in s.take_from(game.counters.armies & game.counters.ground[RUSSIAN]):
        if s.at[unit] in near and supply.in_supply(s, unit):
            return True
    return False


def targets(s: LeningradState) -> list[int]:
    """Hexes that can be bombed: enemy ground units, trains, the fleet, Leningrad itself (11.20)."""
    game = s.game
    if s.mover == RUSSIAN:
        nodes = {s.at[unit] for unit in s.take_from(game.counters.ground[GERMAN])}
        return sorted([node for node in nodes if in_range(s, node)])
    nodes = {s.at[unit] for unit in s.take_from(game.everybody[RUSSIAN])}
    nodes.update([node for node in game.leningrad if s.control[node] == RUSSIAN])
    return sorted(nodes)


# ---------------------------------------------------------------- planning a mission


@flow.choice
class Target(Destination[LeningradState]):
    kind = "bomb"

    def items(self, s: LeningradState, unit: int) -> list[int]:
        return targets(s)

    def why_not_item(self, s: LeningradState, node: int, unit: int) -> Citation | None:
        empty = all(s.game.side_of[other] == s.mover for other in s.stack(node))
        return refuse_if(empty, "11.1", "no enemy unit is there to be bombed") or refuse(
            "11.16", "more than 4 hexes from a Russian army, town or city in supply"
        )

    def take(self, s: LeningradState, node: int, unit: int) -> None:
        s.ask(Bombers, Plan(s.mover, (node,), (unit,)))

    def why_not(self, s: LeningradState, action: Action, unit: int) -> list[Citation]:
        if action.kind == "join":
            return [why_not_fly(s, action.args[0]) or refuse("11.2", "air units join once the target is chosen")]
        return super().why_not(s, action, unit)

    def outlook(self, s: LeningradState, node: int, unit: int) -> Forecast:
        return bombing_forecast(s, (unit,), node)


class Fly(Pick[LeningradState]):
    kind, stays, opens = "bomb with", True, Target

    def items(self, s: LeningradState) -> list[int]:
        bombers = may_bomb(s)
        return bits(bombers) if bombers and targets(s) else []

    def why_not_item(self, s: LeningradState, unit: int) -> Citation | None:
        return why_not_fly(s, unit) or refuse("11.16", "nothing to bomb within range")


@flow.choice
class Bombers(Gather[LeningradState]):
    """11.2: Luftwaffe units may be combined freely; who can only fly alone does so at once."""

    joining, committing = "join", "fly"

    def prompt(self, s: LeningradState, plan: Plan) -> str:
        return f"Do other air units join the attack on {s.game.where(plan.targets[0])}?"

    def candidates(self, s: LeningradState, plan: Plan) -> list[int]:
        return bits(may_bomb(s))

    def why_not_join(self, s: LeningradState, plan: Plan, unit: int) -> Citation | None:
        return refuse_if(unit in plan.units, "11.5", "it flies already") or why_not_fly(s, unit)

    def commit(self, s: LeningradState, plan: Plan) -> None:
        if s.blitz:
            s.extra |= mask_of(plan.units)
        else:
            s.flown |= mask_of(plan.units)
        launch(s, BOMB, plan.targets[0], plan.units)

    def outlook(self, s: LeningradState, plan: Plan) -> Forecast:
        return bombing_forecast(s, plan.units, plan.targets[0])


def launch(s: LeningradState, mission: int, node: int, bombers: Units) -> None:
    what, rule = MISSIONS[mission]
    s.log("air", "{units} " + what, rule, units=bombers, place=node)
    s.push(mission_flies, mission, node, bombers)


# ---------------------------------------------------------------- interception


def why_not_rise(s: LeningradState, unit: int, mission: int, node: int) -> Citation | None:
    """11.3, 11.5, 11.19, ruling D51: who may rise against a mission, once in an enemy player-turn (ruling D61)."""
    counters, side = s.game.counters, 1 - s.mover
    fighters, city = unit == counters.fighters, mission == BOMB and node in s.game.leningrad_index
    limited = side == RUSSIAN and not fighters  # 11.17: the Luftwaffe reaches everywhere
    return (
        refuse_if(not counters.air[side] >> unit & 1, "11.5", f"only {SIDES[side]} air units intercept now")
        or refuse_if(fighters and not city, "11.3", FIGHTERS_ONLY)
        or why_grounded(s, unit)
        or refuse_if(s.engaged >> unit & 1, "11.5", "the air unit has intercepted in this player-turn")
        or refuse_if(limited and not in_range(s, node), "11.16", "it is out of range")
    )


@flow.step
def mission_flies(s: LeningradState, mission: int, node: int, bombers: Units) -> None:
    if bombers and not s.ask(Intercept, mission, node, bombers):
        arrive(s, mission, node, bombers)


@flow.choice
class Intercept(Pick[LeningradState]):
    """Ruling D71: interceptors rise one by one, each against one bomber, and the die is rolled at once (11.9)."""

    kind, passing, other = "intercept", "no interception", True

    def items(self, s: LeningradState, mission: int, node: int, bombers: Units) -> list[tuple[int, int]]:
        ready = [u for u in bits(s.game.counters.air[1 - s.mover]) if why_not_rise(s, u, mission, node) is None]
        return [(unit, foe) for unit in ready for foe in bombers]

    def why_not_item(
        self, s: LeningradState, item: tuple[int, int], mission: int, node: int, bombers: Units
    ) -> Citation | None:
        unit, foe = item
        idle = refuse_if(foe not in bombers, "11.5", f"{s.game.unit_names[foe]} flies no mission now")
        return idle or why_not_rise(s, unit, mission, node)

    def take(self, s: LeningradState, item: tuple[int, int], mission: int, node: int, bombers: Units) -> None:
        unit, foe = item
        s.engaged |= 1 << unit
        result = s.game.tables.air.result(row(s), INTERCEPTION)
        s.log("air", "{unit} against {unit2}: {result}", "11.9", "11.12", unit=unit, unit2=foe, result=result)
        if result.endswith("shot down"):
            german = result.startswith("Luftwaffe")
            shoot_down(s, unit if (s.game.side_of[unit] == GERMAN) == german else foe, "11.11")
        if _stops_mission(result, s.mover):
            bombers = tuple(other for other in bombers if other != foe)
        s.push(mission_flies, mission, node, bombers)

    def decline(self, s: LeningradState, mission: int, node: int, bombers: Units) -> None:
        arrive(s, mission, node, bombers)

    def outlook(self, s: LeningradState, item: tuple[int, int], mission: int, node: int, bombers: Units) -> Forecast:
        unit, foe = [s.game.unit_names[u] for u in item]
        table = s.game.tables.air
        stops = [(r[INTERCEPTION], _stops_mission(r[INTERCEPTION], s.mover)) for r in table.rows]
        texts = {result: "the mission is prevented" if stopped else "the bomber goes on" for result, stopped in stops}
        return Forecast(f"{unit} against {foe}", outcomes=table.outcomes(INTERCEPTION, texts=texts))


def _stops_mission(result: str, bomber_side: int) -> bool:
    """11.12, ruling D35: the named side's mission fails; plain "intercepted" stops the bomber."""
    return result == "intercepted" or result.startswith("Russian" if bomber_side == RUSSIAN else "Luftwaffe")


def arrive(s: LeningradState, mission: int, node: int, bombers: Units) -> None:
    for unit in bombers:
        if mission == LIFT:
            drop_supplies(s, unit, node)
        else:
            for target in bombed_in_turn(s, node):
                strike(s, unit, target, node)


# ---------------------------------------------------------------- 11.1, 11.7 to 11.15, 11.20 to 11.23: bombing


def _russian_leningrad(s: LeningradState, node: int) -> bool:
    """Guns and factories of the city serve its Russian hexes only."""
    return node in s.game.leningrad_index and s.control[node] == RUSSIAN


def flak(s: LeningradState, target: int, node: int) -> str:
    """11.14, 11.15, 13.12: the rule under which an AA result shoots down a bomber of this target, or nothing."""
    counters = s.game.counters
    if counters.side[target] == GERMAN:
        guns = counters.armies | counters.panzer_korps
        return "11.14" if guns >> target & 1 and not s.is_disrupted(target) else ""
    if _russian_leningrad(s, node):
        return "11.15"
    return "13.12" if target == counters.fleet and node == s.game.kronshtadt else ""


def star_proof(s: LeningradState, target: int, node: int, trench: int) -> bool:
    """11.13, ruling D36: is D* no effect against this unit?"""
    game = s.game
    if trench or game.counters.star_proof >> target & 1 or node in game.leningrad_index:
        return True
    return game.side_of[target] == RUSSIAN and bool(game.behind_some_line[node])


def effect(s: LeningradState, target: int, node: int, face: int, trench: int) -> tuple[str, str]:
    """What one roll does to a unit, and by which rule; ``trench``: it is entrenched when the bombs fall."""
    guns, rows = flak(s, target, node), s.game.tables.rows
    result = s.game.tables.air.result(face, s.mover)
    if result == "AA" and guns:
        return SHOT_DOWN, guns
    if target == s.game.counters.fleet:  # 13.11, ruling D45
        if face <= rows["fleet_sunk"]:
            return SUNK, "13.11"
        return (DISRUPTED, "11.7") if face <= rows["fleet_hit"] else (NO_EFFECT, "11.13")
    if result == "D*" and star_proof(s, target, node, trench):
        return NO_EFFECT, "11.13"
    if result not in ("D", "D*"):
        return NO_EFFECT, "11.4"
    return (DUG_OUT, "11.8") if trench else (DISRUPTED, "11.7")


def may_be_hit(s: LeningradState, target: int, node: int) -> bool:
    """Ruling D76; 11.10: where there is flak the bomber must still dare it."""
    return not s.is_disrupted(target) or target == s.game.counters.fleet or flak(s, target, node) != ""


def bombed_in_turn(s: LeningradState, node: int) -> list[int]:
    """11.20: a Russian Leningrad hex itself; 11.1: then the units from the top down, those with flak first."""
    city = s.mover == GERMAN and _russian_leningrad(s, node)
    units = [unit for unit in reversed(s.stack(node)) if s.game.side_of[unit] != s.mover]
    return [CITY] * city + sorted(units, key=lambda unit: not flak(s, unit, node))


def strike(s: LeningradState, bomber: int, target: int, node: int) -> None:
    """One roll, unless the bomber is lost (11.23) or there is nothing left to hit."""
    if s.down >> bomber & 1:
        return
    if target == CITY:
        _bomb_city(s, bomber, node)
    elif s.in_play(target) and may_be_hit(s, target, node):
        result, rule = effect(s, target, node, row(s), s.entrenched >> target & 1)
        if result == SHOT_DOWN:
            shoot_down(s, bomber, rule, "11.23")
            return
        if result == DISRUPTED:
            s.disrupt(target)
        elif result == DUG_OUT:
            s.entrenched &= ~(1 << target)
        elif result == SUNK:
            s.eliminate(target, rule)
        s.log("bomb", "{unit} bombs {unit2}: {result}", rule, unit=bomber, unit2=target, result=result)


def _bomb_city(s: LeningradState, bomber: int, node: int) -> None:
    """11.20 to 11.22; 11.15: its flak."""
    if s.game.tables.air.result(row(s), GERMAN) == "AA":
        shoot_down(s, bomber, "11.15", "11.23")
        return
    s.bombed |= 1 << s.game.leningrad_index[node]
    if node == s.game.factory:
        s.factory_hit = 1
    s.log("bomb", "{unit} bombs Leningrad {place}: no reinforcements there", "11.21", unit=bomber, place=node)


# ---------------------------------------------------------------- forecasts


def bombing_forecast(s: LeningradState, bombers: Sequence[int], node: int) -> Forecast:
    """Exact chances of a whole mission: what is Disrupted, dug out or sunk, and how many bombers flak brings down."""
    targets = bombed_in_turn(s, node)
    rolls = [partial(strike, bomber=bomber, target=target, node=node) for bomber in bombers for target in targets]
    ends = played_out(s, rolls, lambda end: (end.disrupted, -end.entrenched, not end.afloat, end.down))
    verb = "bombs" if len(bombers) == 1 else "bomb"
    title = f"{s.game.all_units(bombers, '+')} {verb} {s.game.where(node)}"
    conditions = [condition for target in targets for condition in _conditions(s, target, node)]
    outcomes = tally((_said(s, end, len(bombers)), chance) for end, chance in ends)
    return Forecast(title, modifiers=tuple(conditions), outcomes=outcomes)


def _said(s: LeningradState, end: LeningradState, bombers: int) -> str:
    dug_out, lost = (s.entrenched & ~end.entrenched).bit_count(), (end.down & ~s.down).bit_count()
    parts = (
        (True, f"{(end.disrupted & ~s.disrupted).bit_count()} Disrupted"),
        (dug_out, f"{dug_out} dug out"),
        (s.afloat and not end.afloat, "the fleet sunk"),
        (lost, "bomber shot down" if bombers == 1 else f"{lost} of {bombers} bombers shot down"),
    )
    return ", ".join(text for holds, text in parts if holds)


def _conditions(s: LeningradState, target: int, node: int) -> list[Modifier]:
    """What the mission meets in the city or in one unit, with the rules."""
    if target == CITY:
        return [Modifier(0, "the Leningrad hex is bombed first", "11.20")]
    name, guns, trench = s.game.unit_names[target], flak(s, target, node), s.entrenched >> target & 1
    fresh = target != s.game.counters.fleet and not s.is_disrupted(target)
    found = (
        (guns, f"{name} has flak", guns),
        (fresh and trench, f"{name}: the first D only destroys the trench", "11.8"),
        (fresh and star_proof(s, target, node, trench), f"{name}: D* has no effect", "11.13"),
    )
    return [Modifier(0, text, rule) for holds, text, rule in found if holds]


# ---------------------------------------------------------------- 11.18, 11.19: aerial resupply


@flow.choice
class Airlift(Pick[LeningradState]):
    """1.14: missions first, then the test of supply."""

    kind, passing = "airlift", "end airlift"

    def items(self, s: LeningradState) -> list[tuple[int, int]]:
        units = s.take_from(s.game.counters.ground[GERMAN])
        hexes = sorted({s.at[unit] for unit in units if not supply.in_supply(s, unit)})
        return [(unit, node) for unit in bits(operational(s, GERMAN) & ~s.extra) for node in hexes]

    def why_not_item(self, s: LeningradState, item: tuple[int, int]) -> Citation | None:
        unit = item[0]
        return (
            refuse_if(not s.game.counters.air[GERMAN] >> unit & 1, "11.18", "only the Luftwaffe flies supplies")
            or why_grounded(s, unit)
            or refuse_if(s.extra >> unit & 1, "11.6", "the air unit has flown its extra mission")
            or refuse("11.18", "no German unit is out of supply there")
        )

    def take(self, s: LeningradState, item: tuple[int, int]) -> None:
        unit, node = item
        s.extra |= 1 << unit
        s.push(ask, Airlift)
        launch(s, LIFT, node, (unit,))

    def outlook(self, s: LeningradState, item: tuple[int, int]) -> Forecast:
        outcomes = tally((_lifted(o.result), o.chance) for o in s.game.tables.air.outcomes(GERMAN))
        return Forecast(f"{s.game.unit_names[item[0]]} supplies {s.game.where(item[1])}", outcomes=outcomes)


def _lifted(result: str) -> str:
    return "in supply" if result in ("D", "D*") else "no effect"


def drop_supplies(s: LeningradState, unit: int, node: int) -> None:
    """11.18, ruling D49."""
    result = _lifted(s.game.tables.air.result(row(s), GERMAN))
    if result == "in supply":
        s.airlifted |= mask_of(s.ground_units(node, GERMAN))
    s.log("air", "{unit} flies supplies to {place}: {result}", "11.18", unit=unit, place=node, result=result)
