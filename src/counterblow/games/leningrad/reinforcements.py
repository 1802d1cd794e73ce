"""Chapter 10: replacements, reinforcements, optional units and the Moscow withdrawal."""

from __future__ import annotations

from counterblow.games.leningrad import supply, zones
from counterblow.games.leningrad.components import GERMAN, RUSSIAN
from counterblow.games.leningrad.results import row
from counterblow.games.leningrad.state import ABSENT, LeningradState, flow
from counterblow.kernel.flow import ask
from counterblow.kernel.journey import NamedDestination
from counterblow.kernel.masks import bits, mask_of
from counterblow.kernel.pick import Deed, Menu, Pick
from counterblow.kernel.rulebook import Citation, refuse, refuse_if

FACTORY, EDGE = 1, 2  # where a tank replacement factor is at hand
SLOTS = {  # who leaves for Moscow, and by which rule
    "group": ("substitute", "10.21"),
    "division": ("panzer division", "10.18"),
    "air": ("fliegerkorps", "10.19"),
    "panzer korps": ("panzer korps", "10.20"),
    "korps": ("infantry korps", "10.20"),
}


# ---------------------------------------------------------------- 10.1 to 10.6, 10.27: tanks


def tank_factors(s: LeningradState) -> int:
    """Rolled for at the start of the Russian reinforcement phase; unused factors vanish (10.4)."""
    if not s.lost >> s.game.counters.tank_division & 1:
        return 0
    cut_off = not supply.overland(s)
    works = s.control[s.game.factory] == RUSSIAN and not s.factory_hit  # 10.27, 10.2; 10.1
    if works and cut_off:  # 10.5
        works = row(s) <= s.game.tables.rows["cut_off_factory"]
        s.log("tanks", "The Kirov factory {result}", "10.5", result="delivers" if works else "stands idle")
    return (FACTORY if works else 0) | (EDGE if cut_off and s.turn % 2 == 0 else 0)  # 10.6


# ---------------------------------------------------------------- 10.10 to 10.16: where units enter


def behind_own_lines(s: LeningradState, side: int, node: int) -> bool:
    """Ruling D48: controlled, so that no enemy is there, and not in a bare enemy zone."""
    return s.control[node] == side and not zones.bare_zone(s, side, node)


def due(s: LeningradState, side: int) -> list[int]:
    """10.10, 10.16: units of the calendar that may come on now."""
    counters = s.game.counters
    barred = 0 if s.options["optional_units"] else counters.optional
    return [unit for unit in bits(s.waiting & counters.ground[side] & ~barred) if counters.turn[unit] <= s.turn]


def entry_hexes(s: LeningradState, unit: int) -> list[int]:
    game = s.game
    if game.side_of[unit] == GERMAN:
        found = [n for n in game.south_edge if behind_own_lines(s, GERMAN, n)]  # 10.11
        if s.turn > game.counters.turn[unit]:  # 10.12
            found += [n for n in game.delayed_entry if not s.held[RUSSIAN][n]]
        return found
    found = edge_hexes(s)
    if unit == game.counters.eighth_army:  # 10.14, ruling D56
        return found + [n for n in game.coast_east if not s.held[GERMAN][n] and not closed_by_bombs(s, n)]
    if supply.overland(s):  # 10.13
        found += leningrad_hexes(s)
    return found


def edge_hexes(s: LeningradState) -> list[int]:
    """10.13: the Russian parts of the eastern and southern edge."""
    return [node for node in s.game.supply_edges[RUSSIAN] if behind_own_lines(s, RUSSIAN, node)]


def leningrad_hexes(s: LeningradState) -> list[int]:
    return [node for node in s.game.leningrad if not closed_by_bombs(s, node)]


def closed_by_bombs(s: LeningradState, node: int) -> bool:
    """11.21; a German Leningrad hex is closed as well."""
    index = s.game.leningrad_index.get(node)
    return index is not None and (bool(s.bombed >> index & 1) or s.control[node] != RUSSIAN)


def replacement_hexes(s: LeningradState, unit: int, factors: int) -> list[int]:
    """10.3, 10.6, 10.9: where the tank division or the Marines come back."""
    if not s.lost >> unit & 1:
        return []
    if unit == s.game.counters.marines:  # 10.8; by sea: see fleet.py
        return [] if s.marines_back else leningrad_hexes(s)
    home = [s.game.factory] if factors & FACTORY else []
    return home + (edge_hexes(s) if factors & EDGE else [])


# ---------------------------------------------------------------- the reinforcement phase


@flow.step
def begin(s: LeningradState, side: int) -> None:
    for unit in bits(s.game.counters.air[side] & s.waiting):
        if s.game.counters.turn[unit] <= s.turn and s.back[unit] != ABSENT:
            s.waiting &= ~(1 << unit)
            s.log("arrival", "{unit} arrives", "10.10", unit=unit)
    s.ask(Reinforce, tank_factors(s) if side == RUSSIAN else 0)


@flow.choice
class Entry(NamedDestination[LeningradState]):
    kind = "enter"

    def nodes(self, s: LeningradState, unit: int, factors: int) -> list[int]:
        return replacement_hexes(s, unit, factors) if s.lost >> unit & 1 else entry_hexes(s, unit)

    def why_not_unit(self, s: LeningradState, other: int, unit: int, factors: int) -> Citation:
        reason = None if s.lost >> other & 1 else why_not_come(s, other)
        return reason or refuse("10.10", f"{s.game.unit_names[unit]} enters now")

    def why_not_node(self, s: LeningradState, node: int, unit: int, factors: int) -> Citation | None:
        counters = s.game.counters
        if s.mover == GERMAN:
            west, late = node in s.game.delayed_entry, s.turn > counters.turn[unit]
            return (
                refuse_if(west and late, "10.12", "Russians are there")
                or refuse_if(west, "10.12", "only a unit held back a turn enters west of the Narva")
                or refuse("10.11", "German units enter on the southern edge, behind German lines")
            )
        tanks, city = unit == counters.tank_division, node in s.game.leningrad_index
        return (
            refuse_if(
                tanks and factors & EDGE, "10.6", "it comes on the eastern or southern edge, behind Russian lines"
            )
            or refuse_if(tanks, "10.1", "it comes back at the Kirov factory")
            or refuse_if(city and s.control[node] != RUSSIAN, "10.13", "that hex is German")
            or refuse_if(city and closed_by_bombs(s, node), "11.21", "the hex was bombed")
            or refuse_if(city, "10.13", "Leningrad is not in overland supply")
            or refuse_if(unit == counters.marines, "10.9", "the Marines come back in Leningrad, or with the fleet")
            or refuse_if(unit == counters.eighth_army, "10.14", "on the Gulf shore east of Narva, or on the edge")
            or refuse("10.13", "on the eastern or southern edge, behind Russian lines")
        )

    def arrive(self, s: LeningradState, node: int, unit: int, factors: int) -> None:
        if s.lost >> unit & 1:  # 10.3: UnDisrupted
            s.lost &= ~(1 << unit)
            marines = unit == s.game.counters.marines
            s.log("arrival", "{unit} is back", "10.8" if marines else "10.3", unit=unit)
            if marines:
                s.marines_back = 1
            else:
                factors = 0
        else:
            _arrive(s, unit, node)
        s.replace(ask, Reinforce, factors)
        s.entered |= 1 << unit
        s.enter(unit, node)


def _arrive(s: LeningradState, unit: int, node: int) -> None:
    game, bit = s.game, 1 << unit
    s.waiting &= ~bit
    if game.counters.optional & bit:  # 10.17, ruling D39: the opponent scores the cost
        s.bought |= bit
        s.score(1 - s.mover, game.counters.factor[unit])
        s.log("arrival", "{unit} is bought and enters at {place}", "10.16", "10.17", unit=unit, place=node)
    elif unit == game.counters.eighth_army and node in game.coast_east:
        s.disrupt(unit)
        s.log("arrival", "{unit} lands at {place} and is Disrupted", "10.14", unit=unit, place=node)
    else:
        s.log("arrival", "{unit} enters at {place}", "10.10", unit=unit, place=node)


def why_not_come(s: LeningradState, unit: int) -> Citation | None:
    """10.10, 10.12, ruling D56: why a unit of the calendar cannot come on now."""
    counters, side, due = s.game.counters, s.mover, s.game.counters.turn[unit]
    without = counters.optional >> unit & 1 and not s.options["optional_units"]
    return (
        refuse_if(counters.side[unit] != side, "10.10", "units come on in their own side's player-turn")
        or refuse_if(not s.waiting >> unit & 1, "10.10", "the unit is not waiting to arrive")
        or refuse_if(without, "10.16", "this game is played without the optional units")
        or refuse_if(due > s.turn, "10.25", f"the unit is due on turn {due}")
        or refuse_if(not counters.ground[side] >> unit & 1, "10.10", "air units arrive by themselves")
        or refuse_if(not entry_hexes(s, unit), "10.11" if side == GERMAN else "10.13", "no entry hex is open")
    )


class BringOn(Pick[LeningradState]):
    """10.10: units may come on now or wait; 10.16, 10.17: optional ones are bought."""

    kind, stays, opens = "bring on", True, Entry
    optional, other_kind = 0, "it is optional, and bought"

    def candidates(self, s: LeningradState, factors: int) -> list[int]:
        return due(s, s.mover)

    def why_not_item(self, s: LeningradState, unit: int, factors: int) -> Citation | None:
        counters = s.game.counters
        waits = counters.side[unit] == s.mover and s.waiting >> unit & 1
        other = waits and counters.optional >> unit & 1 != self.optional
        return refuse_if(other, "10.16", self.other_kind) or why_not_come(s, unit)


class Buy(BringOn):
    kind, optional, other_kind = "buy", 1, "it is no optional unit"


class Replace(Pick[LeningradState]):
    """10.1 to 10.9: the tank division and the Marines come back."""

    kind, passing, stays, opens = "replace", "end reinforcements", True, Entry

    def candidates(self, s: LeningradState, factors: int) -> list[int]:
        counters = s.game.counters
        return [counters.tank_division, counters.marines] if s.mover == RUSSIAN else []

    def why_not_item(self, s: LeningradState, unit: int, factors: int) -> Citation | None:
        if unit not in self.candidates(s, factors):
            return refuse("10.1", "only the Russian tank division and the Marines are replaced")
        if replacement_hexes(s, unit, factors):
            return None
        marines = unit == s.game.counters.marines
        return (
            refuse_if(not s.lost >> unit & 1, "10.1", "it is not lost")
            or refuse_if(marines and s.marines_back, "10.8", "the Marines come back only once")
            or refuse_if(marines, "10.9", "no Leningrad hex is open to them")
            or refuse_if(s.factory_hit, "10.2", "the Kirov factory is Disrupted")
            or refuse_if(s.control[s.game.factory] != RUSSIAN, "10.27", "the Kirov factory is German")
            or refuse_if(factors & EDGE, "10.6", "no eastern or southern edge hex is open")
            or refuse("10.5", "no tank factor this turn")
        )


@flow.choice
class Reinforce(Menu[LeningradState]):
    parts = (BringOn(), Buy(), Replace())

    def undone(self, s: LeningradState, factors: int) -> str:
        waiting = [s.game.unit_names[unit] for unit in self.parts[0].items(s, factors)]
        return f"{', '.join(waiting)} could come now" if waiting else ""


# ---------------------------------------------------------------- 10.18 to 10.26: the Moscow withdrawal


@flow.step
def withdrawal(s: LeningradState) -> None:
    """10.18, 10.22: on the last September turn, after a roll."""
    if s.turn != s.game.calendar.withdrawal_turn:
        return
    if row(s) <= s.game.tables.rows["withdrawal_waived"]:
        s.log("withdrawal", "The withdrawal is not required", "10.22")
        s.push(Withdrawal)
    else:
        s.log("withdrawal", "Units must leave for Moscow", "10.18")
        order_away(s)


@flow.choice
class Withdrawal(Deed[LeningradState]):
    kind, passing = "keep", "send"

    def prompt(self, s: LeningradState) -> str:
        return f"Keep the units for {s.game.tables.numbers['keep_points']} points, or send them to Moscow?"

    def perform(self, s: LeningradState) -> None:
        s.score(RUSSIAN, s.game.tables.numbers["keep_points"])
        s.log("withdrawal", "The units stay, for points", "10.23")

    def decline(self, s: LeningradState) -> None:
        order_away(s)


def order_away(s: LeningradState) -> None:
    """10.18, 10.20, ruling D40: one extra unit for each kind of optional unit that came in."""
    counters = s.game.counters
    slots = ["group", "division", "air"]
    for unit in bits(s.bought & counters.ground[GERMAN]):  # 10.24: no Russian leaves
        division, panzer_korps = counters.panzer_divisions >> unit & 1, counters.panzer_korps >> unit & 1
        slots.append("division" if division else "panzer korps" if panzer_korps else "korps")
    s.queue(*((ask, Withdraw, slot) for slot in slots))


@flow.choice
class Withdraw(Pick[LeningradState]):
    kind = "withdraw"

    def prompt(self, s: LeningradState, slot: str) -> str:
        return f"Which {SLOTS[slot][0]} leaves for Moscow?"

    def items(self, s: LeningradState, slot: str) -> list[int]:
        """Who may fill a slot; ruling D63: wherever they are, and a missing unit is not replaced."""
        counters = s.game.counters
        if slot == "air":  # 10.19: one that is operational (0: not due back), else the one due back soonest
            present = [u for u in bits(counters.air[GERMAN] & ~(s.waiting | s.gone)) if s.back[u] != ABSENT]
            soonest = min((s.back[unit] for unit in present), default=0)
            return [unit for unit in present if s.back[unit] == soonest]
        korps = mask_of(u for u in bits(counters.line_infantry & counters.corps) if counters.factor[u] == 3)
        kinds = {
            "group": (1 << counters.panzer_group, counters.panzer_korps, korps),  # 10.21: the first that is there
            "division": (counters.panzer_divisions,),
            "panzer korps": (counters.panzer_korps,),
            "korps": (korps,),
        }
        in_play = [*s.take_from(counters.ground[GERMAN]), *bits(mask_of(due(s, GERMAN)) & ~counters.optional)]
        found = ([unit for unit in in_play if kind >> unit & 1] for kind in kinds[slot])
        return next((units for units in found if units), [])

    def why_not_item(self, s: LeningradState, unit: int, slot: str) -> Citation | None:
        what, rule = SLOTS[slot]
        return refuse(rule, f"that is no {what} in play")

    def take(self, s: LeningradState, unit: int, slot: str) -> None:
        s.withdraw(unit, "10.20" if slot in ("korps", "panzer korps") else "10.18")
