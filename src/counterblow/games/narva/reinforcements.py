"""Chapter 8: reinforcements, re-routing, the 260th Naval Brigade, and chits that join the cup."""

from __future__ import annotations

from collections.abc import Sequence

from counterblow.games.narva import headquarters
from counterblow.games.narva.barrage import CoastalGuns
from counterblow.games.narva.components import GERMAN, SOVIET, Chit
from counterblow.games.narva.movement import ENTERING, can_settle, move_after_placement
from counterblow.games.narva.results import eliminate
from counterblow.games.narva.stacking import why_not_stack
from counterblow.games.narva.state import ADRIFT, WAITING, WITHDRAWN, NarvaState, flow, with_entry
from counterblow.games.narva.supply import supplied_hexes
from counterblow.kernel.flow import ask, begin_phase
from counterblow.kernel.pick import Menu, Pick
from counterblow.kernel.rulebook import Citation, cited_as, refuse, refuse_if
from counterblow.kernel.state import NOWHERE

AREAS = ("A", "B", "C", "*", "supplied", "sea")
ANY_SOURCE, ANY_SUPPLIED = 3, 4
GERMAN_AREAS = (0, 1, 2)


# ---------------------------------------------------------------------- 2.5.5, 2.5.7, 8.1: chits and withdrawals


@flow.step
def chits_and_withdrawals(s: NarvaState) -> None:
    """8.1, 2.5b: chits of this turn, and those parked for it, join the cup: to be drawn next turn (3.0g).

    The Wehrmacht chits leave on turn 3 (2.4.1b); a chit that withdraws a formation leaves with it (ruling 20).
    """
    s.ferries = 0
    for number, chit in enumerate(s.game.chits):
        if (SOVIET if chit.side is None else chit.side) != s.mover:
            continue
        back = s.parked.count((number, s.turn))
        s.parked = tuple([entry for entry in s.parked if entry != (number, s.turn)])
        if back and chit.withdraws:
            s.removed[number] += back
            withdraw(s, chit)
        else:
            s.cup[number] += back
        if chit.enters == s.turn and not s.removed[number]:
            s.cup[number] += chit.count
        if chit.leaves == s.turn:
            remove_chits(s, number, "2.4.1b")


def withdraw(s: NarvaState, chit: Chit) -> None:
    """2.5.5b, 2.5.7b: a formation leaves; in fog of war the enemy is not told which of its units were left."""
    whole = [u for u in s.game.units if u.side == chit.side and chit.withdraws in (u.formation, u.command)]
    units = [unit.number for unit in whole if unit.formation]
    leaving = tuple([unit for unit in units if s.at[unit] != NOWHERE or s.fate[unit] in (WAITING, ADRIFT)])
    s.log("withdraw", "{word} is withdrawn: {units}", f"{chit.rule}b", word=chit.whole, units=leaving,
          only=chit.side if s.options["fog"] else None, public="{word} is withdrawn")  # fmt: skip
    for unit in units:
        s.take_off(unit, WITHDRAWN)
    if chit.takes:
        remove_chits(s, s.game.chit_number[chit.takes], f"{chit.rule}b")


def remove_chits(s: NarvaState, number: int, rule: str) -> None:
    """A kind of chit leaves the game, wherever its chits are."""
    s.removed[number] += s.cup[number] + s.drawn[number]
    s.cup[number] = s.drawn[number] = 0
    s.log("chit", "{word} chits leave the game", rule, word=s.game.chits[number].title)


# ---------------------------------------------------------------------- 8.0: entering


def why_not_place(s: NarvaState, side: int, node: int) -> Citation | None:
    """5.3, 8.0.3a: neither on enemies nor in their zones; friends there change nothing."""
    enemy, in_zone = s.owner(node) == 1 - side, s.in_ezoc(node, side)
    reason = refuse_if(enemy, "8.0.3a", "enemy units are there")
    return reason or refuse_if(in_zone, "5.3", "it lies in an enemy zone of control")


def open_hexes(s: NarvaState, side: int, area: int) -> list[int]:
    """8.0.3: entry hexes free of enemies and their zones; substitutes along the edge only while every one is barred."""
    free = [node for node in entry_hexes(s, area) if why_not_place(s, side, node) is None]
    return free or [node for node in substitutes(s, area) if why_not_place(s, side, node) is None]


def entry_hexes(s: NarvaState, area: int) -> tuple[int, ...]:
    """8.0a: the hexes that bear the letter; "*" is any Soviet source (ruling 38)."""
    return s.game.sources[SOVIET] if area in (ANY_SOURCE, ANY_SUPPLIED) else s.game.entries[area]


def substitutes(s: NarvaState, area: int) -> list[int]:
    """8.0.3b: land hexes along the same edge within ten of a barred one."""
    board, most = s.game.board, s.game.numbers["blocked_entry_max_hexes"]
    edges = [board.tagged(edge) for edge in ("west_edge", "east_edge", "south_edge")]
    sides = [(node, edge) for node in entry_hexes(s, area) for edge in edges if node in edge]
    return sorted({near for node, edge in sides for near in edge if board.distance(near, node) <= most})


def why_not_due(s: NarvaState, unit: int) -> Citation | None:
    """2.1.4a: units due now that wait to enter; the 260th MS and Army HQs have their own rules."""
    if unit in arrivals(s):
        return None
    later = s.rerouted[unit] and s.fate[unit] == WAITING and s.due[unit] > s.turn
    own = s.game.side_of[unit] == s.mover
    return (
        refuse_if(not own, "3.0d", f"in this segment {s.game.side_titles[s.mover]} reinforcements enter")
        or refuse_if(later, "8.0.4b", "it has been re-routed and enters next turn")
        or refuse_if(s.at[unit] != NOWHERE, "2.1.4a", "it is on the map already")
        or refuse_if(s.due[unit] > s.turn, "2.1.4a", f"it is due on turn {s.due[unit]}")
        or refuse("2.1.4a", "it is not due now")
    )


def arrivals(s: NarvaState) -> list[int]:
    turn, due, fate, door = s.turn, s.due, s.fate, s.door
    return [u for u in s.game.arriving[s.mover] if due[u] == turn and fate[u] == WAITING and door[u] <= ANY_SOURCE]


class EnterAt(Pick[NarvaState]):
    """8.0a, 8.0b: place a unit, which then moves. It must come (ruling 35)."""

    kind = "enter"

    def items(self, s: NarvaState) -> Sequence[tuple[int, int]]:
        doors: dict[int, list[int]] = {}
        found: list[tuple[int, int]] = []
        for unit in arrivals(s):
            door = s.door[unit]
            if door not in doors:
                doors[door] = open_hexes(s, s.mover, door)
            full = s.full(s.game.kinds[unit])
            found += [(unit, node) for node in doors[door] if not full[node] or can_settle(s, unit, node, ENTERING)]
        return found

    def why_not_item(self, s: NarvaState, item: tuple[int, int]) -> Citation | None:
        (unit, node), door = item, s.door[item[0]]
        reason = why_not_due(s, unit)
        if reason is not None:
            return reason
        beside = node not in entry_hexes(s, door)
        return (
            refuse_if(beside and node not in substitutes(s, door), "8.0a", "it enters in a hex of its entry area")
            or why_not_place(s, s.mover, node)
            or refuse_if(beside and node not in open_hexes(s, s.mover, door), "8.0.3c",
                         "substitute hexes serve only while the entry hexes are barred")
            or refuse("8.0.1", "it would find no room in its move")
        )  # fmt: skip

    def take(self, s: NarvaState, item: tuple[int, int]) -> None:
        """8.0b, 8.0.2: in supply, with its full allowance, by normal, strategic or rail movement."""
        unit, node = item
        s.push(next_arrival)
        s.bring(unit, node)
        s.log("enter", "{unit} enters at {place}", "8.0a", unit=unit, place=node)
        s.pass_through(unit, node)
        move_after_placement(s, unit, ENTERING)


class Reroute(Pick[NarvaState]):
    """8.0.4a: a German unit may come a turn later elsewhere, once (8.0.4b)."""

    kind = "reroute"

    def items(self, s: NarvaState) -> Sequence[tuple[int, int]]:
        if s.mover == SOVIET:
            return ()
        units = [unit for unit in arrivals(s) if not s.rerouted[unit]]
        return [(unit, area) for unit in units for area in GERMAN_AREAS if area != s.door[unit]]

    def why_not_item(self, s: NarvaState, item: tuple[int, int]) -> Citation | None:
        unit, area = item
        return (
            refuse_if(s.game.side_of[unit] == SOVIET, "8.0.4a", "only German reinforcements are re-routed")
            or why_not_due(s, unit)
            or refuse_if(area not in GERMAN_AREAS, "8.0.4a", "German reinforcements enter at A, B or C")
            or refuse_if(s.rerouted[unit], "8.0.4b", "it has been re-routed once")
            or refuse_if(area == s.door[unit], "8.0.4a", "it enters there anyway")
        )

    def take(self, s: NarvaState, item: tuple[int, int]) -> None:
        unit, area = item
        s.push(next_arrival)
        s.rerouted = with_entry(s.rerouted, unit, 1)
        s.door = with_entry(s.door, unit, area)
        s.due = with_entry(s.due, unit, s.turn + 1)
        s.log("enter", "{unit} is re-routed to entry area {word}", "8.0.4a", unit=unit, word=AREAS[area])


@flow.choice
class Enter(Menu[NarvaState]):
    parts = (EnterAt(), Reroute())


ENTER = Enter()


@flow.step
def next_arrival(s: NarvaState) -> None:
    """8.0.5: what cannot enter under any rule is eliminated (the German may re-route it instead)."""
    found = ENTER.legal(s)
    able = {action.args[0] for action in found}
    for unit in arrivals(s):
        if unit not in able:
            eliminate(s, unit, "8.0.5", "cannot enter and is lost")
    if found:
        s.offer(found, Enter)


# ---------------------------------------------------------------------- 4.2.5: a reinforcing Army HQ


@flow.step
def soviet_arrivals(s: NarvaState) -> None:
    """Army HQs (4.2.5) and the 260th MS (8.0.6) come before the other units."""
    brigade = s.game.naval_brigade
    if s.fate[brigade] == WAITING and s.turn >= s.due[brigade] > 0:
        s.push(ask, Land)
    for hq in s.game.army_hqs:
        if s.fate[hq] == WAITING and 0 < s.due[hq] <= s.turn:
            s.push(army_arrives, hq)


@flow.step
def army_arrives(s: NarvaState, hq: int) -> None:
    """4.2.5d: one that cannot be placed waits."""
    if not s.pose(PlaceArmy, hq):
        s.log("enter", "{unit} finds no place and waits", "4.2.5d", unit=hq)


@flow.choice
class PlaceArmy(headquarters.PlaceHq):
    """4.2.5b, 4.2.5c: a supplied hex (2018: a Soviet source) apart from the other Army HQs."""

    def prompt(self, s: NarvaState, hq: int) -> str:
        where = "at a Soviet source" if s.options["edition"] == "2018" else "in a supplied hex"
        return f"Place {s.game.unit_names[hq]} {where}, apart from the other Army HQs."

    def items(self, s: NarvaState, hq: int) -> Sequence[int]:
        old = s.options["edition"] == "2018"
        nodes = open_hexes(s, SOVIET, ANY_SUPPLIED) if old else supplied_hexes(s, SOVIET)
        free = s.game.graph.at_most(nodes, headquarters.barred_seats(s, hq), 0)
        return s.game.graph.at_most(free, s.zone[GERMAN], 0)

    def why_not_item(self, s: NarvaState, node: int, hq: int) -> Citation | None:
        reason = headquarters.why_not_seat(s, hq, node) or why_not_place(s, SOVIET, node)
        if reason is not None:
            return cited_as(reason, "4.2.5a", "4.2.5b")
        old = s.options["edition"] == "2018"
        return refuse("8.0a", "it enters at a Soviet source") if old else refuse("4.2.5c", "the hex is not supplied")

    def take(self, s: NarvaState, node: int, hq: int) -> None:
        s.bring(hq, node)
        s.log("enter", "{unit} is placed at {place}", "4.2.5b", unit=hq, place=node)


# ---------------------------------------------------------------------- 8.0.6: the 260th Naval Brigade


@flow.choice
class Land(Pick[NarvaState]):
    """8.0.6a: on turn 2 or later the brigade may land."""

    kind, passing = "land", "wait"

    def candidates(self, s: NarvaState) -> Sequence[int]:
        return (*s.game.merekula, *s.game.side_beaches)

    def why_not_item(self, s: NarvaState, node: int) -> Citation | None:
        """8.0.6a-c: Merekula; if enemy combat units hold both its hexes, the beaches beside it that hold none."""
        game, held = s.game, s.held[GERMAN]
        beside = node in game.side_beaches
        merekula_held = all(held[village] for village in game.merekula)
        return (
            refuse_if(node not in game.merekula and not beside, "8.0.6a", "it lands at Merekula")
            or refuse_if(held[node], "8.0.6a", "enemy combat units hold it")
            or refuse_if(beside and s.held[SOVIET][node], "8.0.6b", "a combat unit is there")
            or refuse_if(beside and not merekula_held, "8.0.6b", "Merekula itself is open")
            or why_not_stack(s, game.naval_brigade, node)
        )

    def take(self, s: NarvaState, node: int) -> None:
        brigade = s.game.naval_brigade
        s.log("enter", "{unit} lands at {place}", "8.0.6a", unit=brigade, place=node)
        s.queue((begin_phase, "landing", None), (CoastalGuns, node), (ashore,))
        headquarters.overrun(s, brigade, node)  # 8.0.6c
        s.bring(brigade, node)
        s.pass_through(brigade, node)


@flow.step
def ashore(s: NarvaState) -> None:
    """Ruling 39: like any reinforcement it moves, unless the coastal guns have pinned or destroyed it."""
    s.begin_phase("soviet.reinforcement")
    brigade = s.game.naval_brigade
    if s.at[brigade] != NOWHERE and not s.pin[brigade]:
        move_after_placement(s, brigade, ENTERING)
