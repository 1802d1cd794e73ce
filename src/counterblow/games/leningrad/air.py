"""Chapter 11: air power."""

from __future__ import annotations

from fractions import Fraction

from counterblow.games.leningrad import supply
from counterblow.games.leningrad.components import GERMAN, RUSSIAN
from counterblow.games.leningrad.results import row
from counterblow.games.leningrad.state import ABSENT, LeningradState, flow
from counterblow.kernel.actions import Action
from counterblow.kernel.flow import Choice
from counterblow.kernel.forecast import Forecast, Modifier, tally
from counterblow.kernel.masks import bits
from counterblow.kernel.rulebook import Citation, refuse

BOMB, LIFT = 0, 1  # missions
INTERCEPTION = 2  # column of the air table; the bombing columns are numbered like the sides


# ---------------------------------------------------------------- 11.5, 11.6: who may fly


def operational(s: LeningradState, side: int) -> int:
    """Air units in play and not shot down (11.11)."""
    return s.game.counters.air[side] & ~(s.waiting | s.gone | s.down)


def may_bomb(s: LeningradState, side: int) -> int:
    """11.5, 11.6; 11.3: the fighter korps only intercepts."""
    used = s.extra if s.blitz else s.flown
    return operational(s, side) & ~used & ~(1 << s.game.counters.fighters)


def why_not_fly(s: LeningradState, unit: int) -> list[Citation]:
    side = s.game.side_of[unit]
    if unit == s.game.counters.fighters:
        return [refuse("11.3", "the fighter korps only intercepts bombing of Leningrad")]
    if not operational(s, side) >> unit & 1:
        return [refuse("11.11", "the air unit is not in play")]
    if not may_bomb(s, side) >> unit & 1:
        return [refuse("11.6" if s.blitz else "11.5", "the air unit has flown its mission")]
    return [refuse("11.16", "nothing to bomb within range")]


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
        if s.control[place] == RUSSIAN and supply.traced(s, RUSSIAN, place):
            return True
    near = game.within_air_range[node]
    for unit in s.take_from(game.counters.armies & game.counters.ground[RUSSIAN]):
        if s.at[unit] in near and supply.in_supply(s, unit):
            return True
    return False


def targets(s: LeningradState, side: int) -> list[int]:
    """Hexes that can be bombed: enemy ground units, trains, the fleet, Leningrad itself (11.20)."""
    game = s.game
    if side == GERMAN:
        nodes = {s.at[unit] for unit in s.take_from(game.everybody[RUSSIAN])}
        nodes.update(node for node in game.leningrad if s.control[node] == RUSSIAN)
        return sorted(nodes)
    nodes = {s.at[unit] for unit in s.take_from(game.counters.ground[GERMAN])}
    return sorted(node for node in nodes if in_range(s, node))


def any_target(s: LeningradState, side: int) -> bool:
    """Is there anything to bomb?"""
    if side == GERMAN:
        return s.present & s.game.everybody[RUSSIAN] != 0 or RUSSIAN in [s.control[n] for n in s.game.leningrad]
    return any(in_range(s, s.at[unit]) for unit in s.take_from(s.game.counters.ground[GERMAN]))


# ---------------------------------------------------------------- planning a mission


@flow.choice
class Target(Choice[LeningradState]):
    name = "air.target"
    rules = ("11.1", "11.16")

    def side(self, s: LeningradState, unit: int) -> int:
        return s.game.side_of[unit]

    def prompt(self, s: LeningradState, unit: int) -> str:
        return f"Which hex does {s.game.unit_names[unit]} bomb?"

    def legal(self, s: LeningradState, unit: int) -> list[Action]:
        bomb = s.game.act["bomb"]
        return [bomb[node] for node in targets(s, s.game.side_of[unit])]

    def do(self, s: LeningradState, action: Action, unit: int) -> None:
        s.pop()
        _mark_used(s, unit)
        join(s, action.args[0], (unit,))

    def why_not(self, s: LeningradState, action: Action, unit: int) -> list[Citation]:
        if action.kind != "bomb":
            return []
        enemy = 1 - s.game.side_of[unit]
        if not any(s.game.side_of[other] == enemy for other in s.stack(action.args[0])):
            return [refuse("11.1", "there is nothing to bomb")]
        return [refuse("11.16", "more than 4 hexes from a Russian army, town or city in supply")]

    def forecast(self, s: LeningradState, action: Action, unit: int) -> Forecast | None:
        return bombing_forecast(s, unit, action.args[0])


def _mark_used(s: LeningradState, unit: int) -> None:
    if s.blitz:
        s.extra |= 1 << unit
    else:
        s.flown |= 1 << unit


def join(s: LeningradState, node: int, bombers: tuple[int, ...]) -> None:
    """11.2: Luftwaffe units may be combined freely."""
    side = s.game.side_of[bombers[0]]
    if side == GERMAN and may_bomb(s, side):
        s.push("air.join", node, bombers)
    else:
        launch(s, BOMB, node, bombers)


@flow.choice
class Join(Choice[LeningradState]):
    name = "air.join"
    rules = ("11.2",)

    def side(self, s: LeningradState, node: int, bombers: tuple[int, ...]) -> int:
        return s.game.side_of[bombers[0]]

    def prompt(self, s: LeningradState, node: int, bombers: tuple[int, ...]) -> str:
        return f"Do other air units join the attack on {s.game.board.labels[node]}?"

    def chosen(self, s: LeningradState, node: int, bombers: tuple[int, ...]) -> tuple[int, ...]:
        return bombers

    def legal(self, s: LeningradState, node: int, bombers: tuple[int, ...]) -> list[Action]:
        act = s.game.act
        return [*(act["join"][unit] for unit in bits(may_bomb(s, GERMAN))), act["fly"][()]]

    def do(self, s: LeningradState, action: Action, node: int, bombers: tuple[int, ...]) -> None:
        s.pop()
        if action.kind == "join":
            unit = action.args[0]
            _mark_used(s, unit)
            join(s, node, (*bombers, unit))
        else:
            launch(s, BOMB, node, bombers)

    def why_not(self, s: LeningradState, action: Action, node: int, bombers: tuple[int, ...]) -> list[Citation]:
        return why_not_fly(s, action.args[0]) if action.kind == "join" else []


def launch(s: LeningradState, mission: int, node: int, bombers: tuple[int, ...]) -> None:
    what = "fly to {hex} with supplies" if mission == LIFT else "bomb {hex}"
    s.log("air", "{units} " + what, "11.18" if mission == LIFT else "11.1", units=bombers, hex=node)
    s.push("air.mission", mission, node, bombers)


# ---------------------------------------------------------------- interception


def interceptors(s: LeningradState, mission: int, node: int) -> list[int]:
    """11.3, 11.5, 11.19, ruling D51: who may rise against a mission, once in an enemy player-turn (ruling D61)."""
    counters = s.game.counters
    side = 1 - s.mover
    ready = operational(s, side) & ~s.engaged
    if side == GERMAN:
        return list(bits(ready))  # 11.17: no range limit
    found = []
    for unit in bits(ready):
        if unit == counters.fighters:
            if mission == BOMB and node in s.game.leningrad_index:
                found.append(unit)
        elif in_range(s, node):
            found.append(unit)
    return found


@flow.step("air.mission")
def mission_flies(s: LeningradState, mission: int, node: int, bombers: tuple[int, ...]) -> None:
    if not bombers:
        return
    if interceptors(s, mission, node):
        s.push("air.intercept", mission, node, bombers)
    else:
        arrive(s, mission, node, bombers)


@flow.choice
class Intercept(Choice[LeningradState]):
    """Ruling D71: interceptors rise one by one, each against one bomber, and the die is rolled at once (11.9)."""

    name = "air.intercept"
    rules = ("11.5", "11.9")

    def side(self, s: LeningradState, mission: int, node: int, bombers: tuple[int, ...]) -> int:
        return 1 - s.mover

    def prompt(self, s: LeningradState, mission: int, node: int, bombers: tuple[int, ...]) -> str:
        names = " and ".join(s.game.unit_names[unit] for unit in bombers)
        return f"Intercept {names} over {s.game.board.labels[node]}?"

    def legal(self, s: LeningradState, mission: int, node: int, bombers: tuple[int, ...]) -> list[Action]:
        act = s.game.act
        send = act["intercept"]
        found = [send[unit, foe] for unit in interceptors(s, mission, node) for foe in bombers]
        found.append(act["no interception"][()])
        return found

    def do(self, s: LeningradState, action: Action, mission: int, node: int, bombers: tuple[int, ...]) -> None:
        s.pop()
        if action.kind == "no interception":
            arrive(s, mission, node, bombers)
            return
        unit, foe = action.args
        s.engaged |= 1 << unit
        if dogfight(s, unit, foe):
            bombers = tuple(other for other in bombers if other != foe)
        s.push("air.mission", mission, node, bombers)

    def why_not(
        self, s: LeningradState, action: Action, mission: int, node: int, bombers: tuple[int, ...]
    ) -> list[Citation]:
        if action.kind != "intercept":
            return []
        unit = action.args[0]
        if unit == s.game.counters.fighters:
            return [refuse("11.3", "the fighter korps only intercepts bombing of Leningrad")]
        if s.engaged >> unit & 1:
            return [refuse("11.5", "the air unit has intercepted in this player-turn")]
        return [refuse("11.16", "out of range, or not in play")]

    def forecast(
        self, s: LeningradState, action: Action, mission: int, node: int, bombers: tuple[int, ...]
    ) -> Forecast | None:
        if action.kind != "intercept":
            return None
        table = s.game.tables.air
        unit, foe = action.args
        names = s.game.unit_names
        outcomes = tally(
            ((result, Fraction(1, 6)) for result in (r[INTERCEPTION] for r in table.rows)),
            {result: _meaning(s, result, unit, foe) for result in (r[INTERCEPTION] for r in table.rows)},
        )
        return Forecast(f"{names[unit]} against {names[foe]}", outcomes=outcomes)


def _stops_mission(result: str, bomber_side: int) -> bool:
    """11.12, ruling D35: the named side's mission fails; plain "intercepted" stops the bomber."""
    return result == "intercepted" or result.startswith("Russian" if bomber_side == RUSSIAN else "Luftwaffe")


def _meaning(s: LeningradState, result: str, unit: int, foe: int) -> str:
    return "the mission is prevented" if _stops_mission(result, s.game.side_of[foe]) else "the bomber goes on"


def dogfight(s: LeningradState, unit: int, foe: int) -> bool:
    """One interception; does it stop the bomber?"""
    result = s.game.tables.air.result(row(s), INTERCEPTION)
    s.log("air", "{unit} against {unit2}: {result}", "11.9", "11.12", unit=unit, unit2=foe, result=result)
    if result.endswith("shot down"):
        german = result.startswith("Luftwaffe")
        shoot_down(s, unit if (s.game.side_of[unit] == GERMAN) == german else foe, "11.11")
    return _stops_mission(result, s.game.side_of[foe])


def arrive(s: LeningradState, mission: int, node: int, bombers: tuple[int, ...]) -> None:
    for unit in bombers:
        if mission == LIFT:
            drop_supplies(s, unit, node)
        else:
            bomb(s, unit, node)


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


def star_proof(s: LeningradState, target: int, node: int) -> bool:
    """11.13, ruling D36: is D* no effect against this unit?"""
    game = s.game
    if (game.counters.star_proof | s.entrenched) >> target & 1 or node in game.leningrad_index:
        return True
    return game.side_of[target] == RUSSIAN and bool(game.behind_some_line[node])


def bombed_units(s: LeningradState, node: int, side: int) -> list[int]:
    """11.1: from the top of the stack down, those with flak first."""
    units = [unit for unit in reversed(s.stack(node)) if s.game.side_of[unit] != side]
    return sorted(units, key=lambda unit: not flak(s, unit, node))


def bomb(s: LeningradState, bomber: int, node: int) -> None:
    side = s.game.side_of[bomber]
    if side == GERMAN and _russian_leningrad(s, node) and not _bomb_city(s, bomber, node):
        return
    for target in bombed_units(s, node, side):
        guns = flak(s, target, node)
        fleet = target == s.game.counters.fleet
        if s.is_disrupted(target) and not guns and not fleet:
            continue  # ruling D76; 11.10: where there is flak the bomber must still dare it
        face = row(s)
        result = s.game.tables.air.result(face, side)
        if result == "AA" and guns:
            shoot_down(s, bomber, guns, "11.23")
            return
        hit = _hit_fleet(s, face) if fleet else _hit(s, target, node, result)
        s.log("bomb", "{unit} bombs {unit2}: {result}", *hit[1], unit=bomber, unit2=target, result=hit[0])


def _bomb_city(s: LeningradState, bomber: int, node: int) -> bool:
    """11.20 to 11.22: the Leningrad hex first; a bomber lost to its flak does no more (11.23)."""
    if s.game.tables.air.result(row(s), GERMAN) == "AA":
        shoot_down(s, bomber, "11.15", "11.23")
        return False
    s.bombed |= 1 << s.game.leningrad_index[node]
    if node == s.game.factory:
        s.factory_hit = 1
    s.log("bomb", "{unit} bombs Leningrad {hex}: no reinforcements there", "11.21", unit=bomber, hex=node)
    return True


def _hit(s: LeningradState, target: int, node: int, result: str) -> tuple[str, tuple[str, ...]]:
    """What a bombing result does to a unit, in words, with its rules."""
    if result == "D*" and star_proof(s, target, node):
        return "no effect", ("11.13",)
    if result not in ("D", "D*"):
        return "no effect", ("11.4",)
    if s.entrenched >> target & 1:
        s.entrenched &= ~(1 << target)
        return "the trench is destroyed", ("11.8",)
    s.disrupt(target)
    return "Disrupted", ("11.7",)


def _hit_fleet(s: LeningradState, face: int) -> tuple[str, tuple[str, ...]]:
    """13.11, ruling D45."""
    rows = s.game.tables.rows
    fleet = s.game.counters.fleet
    if face <= rows["fleet_sunk"]:
        s.eliminate(fleet, "13.11")
        return "sunk", ("13.11",)
    if face <= rows["fleet_hit"]:
        s.disrupt(fleet)
        return "Disrupted", ("11.7",)
    return "no effect", ("11.13",)


# ---------------------------------------------------------------- forecasts


def bombing_forecast(s: LeningradState, bomber: int, node: int) -> Forecast:
    """Exact chances of one bomber's run: how many units it Disrupts, and whether flak brings it down."""
    side = s.game.side_of[bomber]
    modifiers: list[Modifier] = []
    ends: dict[tuple[int, bool], Fraction] = {(0, False): Fraction(1)}
    if side == GERMAN and _russian_leningrad(s, node):
        modifiers.append(Modifier(0, "the Leningrad hex is bombed first", "11.20"))
        ends = {(0, False): Fraction(5, 6), (0, True): Fraction(1, 6)}
    for target in bombed_units(s, node, side):
        hits, lost = _chances(s, target, node, side, modifiers)
        ends = _combined(ends, hits, lost)
    names = {end: f"{end[0]} Disrupted" + (", bomber shot down" if end[1] else "") for end in ends}
    outcomes = tally((names[end], chance) for end, chance in sorted(ends.items()) if chance)
    where = s.game.board.labels[node]
    return Forecast(f"{s.game.unit_names[bomber]} bombs {where}", modifiers=tuple(modifiers), outcomes=outcomes)


def _chances(
    s: LeningradState, target: int, node: int, side: int, modifiers: list[Modifier]
) -> tuple[Fraction, Fraction]:
    """The chance that one roll Disrupts (or sinks) a unit, and that its flak shoots the bomber down."""
    name = s.game.unit_names[target]
    guns = flak(s, target, node)
    column = [r[side] for r in s.game.tables.air.rows]
    lost = Fraction(column.count("AA"), 6) if guns else Fraction(0)
    if guns:
        modifiers.append(Modifier(0, f"{name} has flak", guns))
    if target == s.game.counters.fleet:
        return Fraction(s.game.tables.rows["fleet_hit"], 6), lost
    if s.is_disrupted(target):
        return Fraction(0), lost
    if s.entrenched >> target & 1:
        modifiers.append(Modifier(0, f"{name}: the first D only destroys the trench", "11.8"))
        return Fraction(0), lost
    hits = column.count("D")
    if star_proof(s, target, node):
        modifiers.append(Modifier(0, f"{name}: D* has no effect", "11.13"))
    else:
        hits += column.count("D*")
    return Fraction(hits, 6), lost


def _combined(
    ends: dict[tuple[int, bool], Fraction], hits: Fraction, lost: Fraction
) -> dict[tuple[int, bool], Fraction]:
    after: dict[tuple[int, bool], Fraction] = {}
    for (count, down), chance in ends.items():
        results = [((count, down), Fraction(1))] if down else [
            ((count + 1, False), hits), ((count, True), lost), ((count, False), 1 - hits - lost)
        ]  # fmt: skip
        for end, share in results:
            after[end] = after.get(end, Fraction(0)) + chance * share
    return after


# ---------------------------------------------------------------- 11.18, 11.19: aerial resupply


def may_lift(s: LeningradState) -> int:
    """11.6: not those that bombed in the blitzkrieg."""
    return operational(s, GERMAN) & ~s.extra


def starving(s: LeningradState) -> list[int]:
    """Hexes with German units out of supply."""
    units = s.take_from(s.game.counters.ground[GERMAN])
    return sorted({s.at[unit] for unit in units if not supply.in_supply(s, unit)})


@flow.step("airlift")
def airlift(s: LeningradState) -> None:
    """1.14: missions first, then the test."""
    if may_lift(s) and starving(s):
        s.push("airlift.choose")


@flow.choice
class Airlift(Choice[LeningradState]):
    name = "airlift.choose"
    rules = ("11.18", "11.6")

    def side(self, s: LeningradState) -> int:
        return GERMAN

    def prompt(self, s: LeningradState) -> str:
        return "Fly supplies to units that are cut off, or go on."

    def legal(self, s: LeningradState) -> list[Action]:
        act = s.game.act
        hexes = starving(s)
        found = [act["airlift"][unit, node] for unit in bits(may_lift(s)) for node in hexes]
        found.append(act["end airlift"][()])
        return found

    def do(self, s: LeningradState, action: Action) -> None:
        s.pop()
        if action.kind == "airlift":
            unit, node = action.args
            s.extra |= 1 << unit
            s.push("airlift")
            launch(s, LIFT, node, (unit,))

    def why_not(self, s: LeningradState, action: Action) -> list[Citation]:
        if action.kind != "airlift":
            return []
        unit = action.args[0]
        if s.game.side_of[unit] != GERMAN:
            return [refuse("11.18", "only the Luftwaffe flies supplies")]
        if not may_lift(s) >> unit & 1:
            return [refuse("11.6", "the air unit has flown its extra mission, or is not in play")]
        return [refuse("11.18", "no German unit is out of supply there")]

    def forecast(self, s: LeningradState, action: Action) -> Forecast | None:
        if action.kind != "airlift":
            return None
        chances = ((_lifted(r[GERMAN]), Fraction(1, 6)) for r in s.game.tables.air.rows)
        unit, node = action.args
        title = f"{s.game.unit_names[unit]} supplies {s.game.board.labels[node]}"
        return Forecast(title, outcomes=tally(chances))


def _lifted(result: str) -> str:
    return "in supply" if result in ("D", "D*") else "no effect"


def drop_supplies(s: LeningradState, unit: int, node: int) -> None:
    """11.18, ruling D49."""
    result = _lifted(s.game.tables.air.result(row(s), GERMAN))
    if result == "in supply":
        for other in s.ground_units(node, GERMAN):
            s.airlifted |= 1 << other
    s.log("air", "{unit} flies supplies to {hex}: {result}", "11.18", unit=unit, hex=node, result=result)
