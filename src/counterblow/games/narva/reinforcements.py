"""Chapter 8: reinforcements, re-routing, the 260th Naval Brigade, and chits that join the cup."""

from __future__ import annotations

from counterblow.games.narva import headquarters
from counterblow.games.narva.components import GERMAN, SOVIET
from counterblow.games.narva.movement import ENTERING, FRESH, can_go
from counterblow.games.narva.stacking import has_room
from counterblow.games.narva.state import (
    ADRIFT,
    ELIMINATED,
    WAITING,
    WITHDRAWN,
    NarvaChoice,
    NarvaState,
    flow,
    named,
    unit_and_place,
)
from counterblow.games.narva.supply import supplied_hexes
from counterblow.games.narva.zones import may_not_place
from counterblow.kernel.actions import Action
from counterblow.kernel.rulebook import Citation, refuse
from counterblow.kernel.state import NOWHERE

AREAS = ("A", "B", "C", "*", "supplied", "sea")
ANY_SOURCE, ANY_SUPPLIED, SEA = 3, 4, 5
GERMAN_AREAS = (0, 1, 2)


# ---------------------------------------------------------------------- the two segments


@flow.step("reinforcement.german")
def german_segment(s: NarvaState) -> None:
    """3.0d: the Germans first. The Wehrmacht chits leave on turn 3 (2.4.1b); 214th Division when due (2.5.7b)."""
    for number, chit in enumerate(s.game.chits):
        if chit.leaves == s.turn:
            remove_chits(s, number, "2.4.1b")
    if due_chit(s, "W214"):
        withdraw(s, [u.number for u in s.game.units if u.side == GERMAN and u.formation == "214"], "2.5.7b")
    chits_enter(s, GERMAN)
    s.ferries = 0
    s.push("reinforcement.next", GERMAN)


@flow.step("reinforcement.soviet")
def soviet_segment(s: NarvaState) -> None:
    """59th Army when due (2.5.5b), chits, Army HQs (4.2.5), the 260th MS (8.0.6), then the other units."""
    if due_chit(s, "W59"):
        withdraw(
            s, [u.number for u in s.game.units if u.side == SOVIET and u.command == "59" and u.formation], "2.5.5b"
        )
        remove_chits(s, s.game.chit_number["59A"], "2.5.5b")
    chits_enter(s, SOVIET)
    s.ferries = 0
    s.push("reinforcement.next", SOVIET)
    brigade = s.game.naval_brigade
    if s.fate[brigade] == WAITING and s.turn >= s.due[brigade] > 0 and beaches(s):
        s.push("reinforcement.land")
    for hq in s.game.army_hqs:
        if s.fate[hq] == WAITING and 0 < s.due[hq] <= s.turn:
            s.push("reinforcement.army", hq)


# ---------------------------------------------------------------------- 2.5.5, 2.5.7, 8.1: chits and withdrawals


def due_chit(s: NarvaState, name: str) -> bool:
    """Is this parked chit due? It then leaves the game (ruling 20)."""
    number = s.game.chit_number[name]
    if (number, s.turn) not in s.parked:
        return False
    s.parked = tuple([entry for entry in s.parked if entry != (number, s.turn)])
    s.removed[number] += 1
    return True


def withdraw(s: NarvaState, units: list[int], rule: str) -> None:
    leaving = tuple([unit for unit in units if s.at[unit] != NOWHERE or s.fate[unit] in (WAITING, ADRIFT)])
    for unit in units:
        s.take_off(unit, WITHDRAWN)
    if leaving:
        s.log("withdraw", "{units} are withdrawn", rule, units=leaving)


def remove_chits(s: NarvaState, number: int, rule: str) -> None:
    """A kind of chit leaves the game, wherever its chits are."""
    s.removed[number] += s.cup[number] + s.drawn[number]
    s.cup[number] = s.drawn[number] = 0
    s.log("chit", "{word} chits leave the game", rule, word=s.game.chits[number].title)


def chits_enter(s: NarvaState, side: int) -> None:
    """8.1, 2.5b: chits of this turn, and those parked for it, join the cup."""
    for number, chit in enumerate(s.game.chits):
        owner = SOVIET if chit.side is None else chit.side
        if owner != side:
            continue
        if chit.enters == s.turn and not s.removed[number]:
            s.cup[number] += chit.count
        back = s.parked.count((number, s.turn))
        if back:
            s.cup[number] += back
            s.parked = tuple([entry for entry in s.parked if entry != (number, s.turn)])


# ---------------------------------------------------------------------- 8.0: entering


def entry_hexes(s: NarvaState, unit: int, area: int) -> list[int]:
    """8.0a, 8.0.1: hexes of an entry area where the unit may be placed."""
    return with_room(s, unit, open_hexes(s, s.game.side_of[unit], area))


def with_room(s: NarvaState, unit: int, nodes: list[int]) -> list[int]:
    full = s.full(s.game.kinds[unit])
    return [node for node in nodes if not full[node] or finds_room(s, unit, node)]


def open_hexes(s: NarvaState, side: int, area: int) -> list[int]:
    """8.0.3: entry hexes free of enemies and their zones; substitutes along the edge only while every one is barred."""
    game = s.game
    proper = game.sources[SOVIET] if area in (ANY_SOURCE, ANY_SUPPLIED) else game.entries[area]
    free = [node for node in proper if not may_not_place(s, side, node)]
    if free:
        return free
    limit = game.numbers["blocked_entry_max_hexes"]
    near = sorted({n for node in proper for n in game.ground.edge_near(node, limit)})
    return [node for node in near if not may_not_place(s, side, node)]


def finds_room(s: NarvaState, unit: int, node: int) -> bool:
    """7.1a, 8.0.1: it may overstack on placement if it can spread out in its move."""
    trial = s.copy()
    trial.bring(unit, node)
    return can_go(trial, unit, ENTERING)


def arrivals(s: NarvaState, side: int) -> list[int]:
    """Units due now that wait to enter; the 260th MS and Army HQs have their own rules."""
    turn, due, fate, door = s.turn, s.due, s.fate, s.door
    units = s.game.arriving[side]
    return [u for u in units if due[u] == turn and fate[u] == WAITING and door[u] <= ANY_SOURCE]


@flow.step("reinforcement.next")
def next_arrival(s: NarvaState, side: int) -> None:
    """8.0.5: what cannot enter under any rule is eliminated (the German may re-route it instead)."""
    found = entry_actions(s, side)
    able = {named(action) for action in found}
    for unit in arrivals(s, side):
        if unit not in able:
            s.take_off(unit, ELIMINATED)
            s.log("eliminate", "{unit} cannot enter and is lost", "8.0.5", unit=unit)
    if found:
        s.offer(found, "reinforcement.enter", side)


def entry_actions(s: NarvaState, side: int) -> list[Action]:
    enter, reroute = s.game.act["enter"], s.game.act["reroute"]
    found: list[Action] = []
    doors: dict[int, list[int]] = {}
    for unit in arrivals(s, side):
        door = s.door[unit]
        if door not in doors:
            doors[door] = open_hexes(s, side, door)
        found += [enter[unit, node] for node in with_room(s, unit, doors[door])]
        if side == GERMAN and not s.rerouted[unit]:
            found += [reroute[unit, area] for area in GERMAN_AREAS if area != door]
    return found


@flow.choice
class Enter(NarvaChoice):
    """8.0a, 8.0b: place a unit, which then moves; 8.0.4: or re-route a German one."""

    name = "reinforcement.enter"
    rules = ("8.0a", "8.0.4a")

    def side(self, s: NarvaState, side: int) -> int:
        return side

    def prompt(self, s: NarvaState, side: int) -> str:
        return "Bring in a reinforcement" + (", or re-route it." if side == GERMAN else ".")

    def legal(self, s: NarvaState, side: int) -> list[Action]:
        return entry_actions(s, side)

    def do(self, s: NarvaState, action: Action, side: int) -> None:
        s.pop()
        unit, where = unit_and_place(action)
        s.push("reinforcement.next", side)
        if action.kind == "reroute":
            s.rerouted[unit] = 1
            s.door[unit] = where
            s.due[unit] = s.turn + 1
            s.log("enter", "{unit} is re-routed to entry area {word}", "8.0.4a", unit=unit, word=AREAS[where])
        else:
            arrive(s, unit, where)

    def why_not(self, s: NarvaState, action: Action, side: int) -> list[Citation]:
        if action.kind not in ("enter", "reroute"):
            return []
        unit, where = unit_and_place(action)
        if unit not in arrivals(s, side):
            return [refuse("2.1.4a", "it is not due now")]
        if action.kind == "reroute":
            if side == SOVIET or where not in GERMAN_AREAS:
                return [refuse("8.0.4a", "only German units are re-routed, to A, B or C")]
            return [refuse("8.0.4b", "it has been re-routed once")] if s.rerouted[unit] else [
                refuse("8.0.4a", "it enters there anyway")]  # fmt: skip
        return may_not_place(s, side, where) or [
            refuse("8.0a", "it enters in a hex of its entry area"),
            refuse("8.0.3c", "substitute hexes serve only while the entry hexes are barred"),
        ]


def arrive(s: NarvaState, unit: int, node: int) -> None:
    """8.0b, 8.0.2: in supply, with its full allowance, by normal, strategic or rail movement."""
    s.bring(unit, node)
    s.pass_through(unit, node)
    s.log("enter", "{unit} enters at {hex}", "8.0a", unit=unit, hex=node)
    s.push("movement.on", unit, FRESH, s.allowance(unit), ENTERING)


# ---------------------------------------------------------------------- 4.2.5: a reinforcing Army HQ


def army_seats(s: NarvaState, hq: int) -> list[int]:
    """4.2.5b, 4.2.5c: a supplied hex (2018: a Soviet source) apart from the other Army HQs."""
    if s.options["edition"] == "2018":
        nodes = entry_hexes(s, hq, ANY_SUPPLIED)
    else:
        nodes = supplied_hexes(s, SOVIET)
    free = headquarters.seats(s, hq)
    return [node for node in nodes if free[node] and not s.in_ezoc(node, SOVIET)]


@flow.step("reinforcement.army")
def army_arrives(s: NarvaState, hq: int) -> None:
    """4.2.5d: one that cannot be placed waits."""
    if army_seats(s, hq):
        s.push("reinforcement.seat", hq)
    else:
        s.log("enter", "{unit} finds no place and waits", "4.2.5d", unit=hq)


@flow.choice
class PlaceArmy(NarvaChoice):
    """4.2.5b, 4.2.5c: where a new Army HQ is placed."""

    name = "reinforcement.seat"
    rules = ("4.2.5b", "4.2.5c")

    def side(self, s: NarvaState, hq: int) -> int:
        return SOVIET

    def prompt(self, s: NarvaState, hq: int) -> str:
        return f"Place {s.game.unit_names[hq]} in a supplied hex, apart from the other Army HQs."

    def legal(self, s: NarvaState, hq: int) -> list[Action]:
        place = s.game.place_actions
        return [place[node] for node in army_seats(s, hq)]

    def do(self, s: NarvaState, action: Action, hq: int) -> None:
        s.pop()
        node = named(action)
        s.bring(hq, node)
        s.log("enter", "{unit} is placed at {hex}", "4.2.5b", unit=hq, hex=node)

    def why_not(self, s: NarvaState, action: Action, hq: int) -> list[Citation]:
        node = named(action)
        if action.kind != "place":
            return []
        apart = headquarters.army_refusal(s, hq, node)
        if apart:
            return [refuse("4.2.5b", apart[0].text), *apart]
        reasons = headquarters.seat_refusal(s, hq, node) or may_not_place(s, SOVIET, node)
        return reasons or [refuse("4.2.5c", "the hex is not supplied")]


# ---------------------------------------------------------------------- 8.0.6: the 260th Naval Brigade


def beaches(s: NarvaState) -> list[int]:
    """8.0.6a-c: Merekula; if enemy combat units hold both its hexes, the beaches beside it that hold none."""
    game = s.game
    village = [node for node in game.merekula if not landing_refusal(s, node)]
    barred = all(s.held[GERMAN][node] for node in game.merekula)
    return village if not barred else [node for node in game.side_beaches if not landing_refusal(s, node)]


def landing_refusal(s: NarvaState, node: int) -> list[Citation]:
    if s.held[GERMAN][node]:
        return [refuse("8.0.6a", "enemy combat units hold it")]
    if node in s.game.side_beaches and s.held[SOVIET][node]:
        return [refuse("8.0.6b", "a combat unit is there")]
    return [] if has_room(s, s.game.naval_brigade, node) else [refuse("7.0a", "two combat units are there already")]


@flow.choice
class Land(NarvaChoice):
    """8.0.6a: on turn 2 or later the brigade may land."""

    name = "reinforcement.land"
    rules = ("8.0.6a", "8.0.6b")

    def side(self, s: NarvaState) -> int:
        return SOVIET

    def prompt(self, s: NarvaState) -> str:
        return "Land the 260th MS, or wait."

    def legal(self, s: NarvaState) -> list[Action]:
        act = s.game.act
        return [act["land"][node] for node in beaches(s)] + [act["wait"][()]]

    def do(self, s: NarvaState, action: Action) -> None:
        s.pop()
        if action.kind == "wait":
            return
        node = named(action)
        brigade = s.game.naval_brigade
        s.step[brigade] = s.game.units[brigade].steps
        s.log("enter", "{unit} lands at {hex}", "8.0.6a", unit=brigade, hex=node)
        s.push("reinforcement.ashore")
        s.push("barrage.coastal", node)
        headquarters.overrun(s, brigade, node)  # 8.0.6c
        s.bring(brigade, node)
        s.pass_through(brigade, node)

    def why_not(self, s: NarvaState, action: Action) -> list[Citation]:
        node = named(action)
        if action.kind != "land":
            return []
        if node in s.game.side_beaches:
            return landing_refusal(s, node) or [refuse("8.0.6b", "Merekula itself is open")]
        if node in s.game.merekula:
            return landing_refusal(s, node)
        return [refuse("8.0.6a", "it lands at Merekula")]


@flow.step("reinforcement.ashore")
def ashore(s: NarvaState) -> None:
    """Ruling 39: like any reinforcement it moves, unless the coastal guns have pinned or destroyed it."""
    brigade = s.game.naval_brigade
    if s.at[brigade] != NOWHERE and not s.pin[brigade]:
        s.push("movement.on", brigade, FRESH, s.allowance(brigade), ENTERING)
