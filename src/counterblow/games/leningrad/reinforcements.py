"""Chapter 10: replacements, reinforcements, optional units and the Moscow withdrawal."""

from __future__ import annotations

from typing import ClassVar

from counterblow.games.leningrad import supply, zones
from counterblow.games.leningrad.components import CORPS, GERMAN, RUSSIAN
from counterblow.games.leningrad.results import row
from counterblow.games.leningrad.state import ABSENT, LeningradState, flow
from counterblow.kernel.flow import ask
from counterblow.kernel.journey import NamedDestination
from counterblow.kernel.masks import bits
from counterblow.kernel.pick import Deed, Menu, Pick
from counterblow.kernel.rulebook import Citation, refuse

FACTORY, EDGE = 1, 2  # where a tank replacement factor is at hand


# ---------------------------------------------------------------- 10.1 to 10.6, 10.27: tanks


def tank_factors(s: LeningradState) -> int:
    """Rolled for at the start of the Russian reinforcement phase; unused factors vanish (10.4)."""
    if not s.lost >> s.game.counters.tank_division & 1:
        return 0
    found = 0
    cut_off = not supply.overland(s)
    if s.control[s.game.factory] == RUSSIAN and not s.factory_hit:  # 10.27, 10.2
        if not cut_off:
            found = FACTORY  # 10.1
        else:  # 10.5
            works = row(s) <= s.game.tables.rows["cut_off_factory"]
            s.log("tanks", "The Kirov factory {result}", "10.5", result="delivers" if works else "stands idle")
            found = FACTORY if works else 0
    if cut_off and s.turn % 2 == 0:
        found |= EDGE  # 10.6
    return found


# ---------------------------------------------------------------- 10.10 to 10.16: where units enter


def behind_own_lines(s: LeningradState, side: int, node: int) -> bool:
    """Ruling D48: controlled, and neither occupied by the enemy nor in a bare enemy zone."""
    return s.control[node] == side and not s.held[1 - side][node] and not zones.bare_zone(s, side, node)


def due(s: LeningradState, side: int) -> list[int]:
    """10.10, 10.16: units of the calendar that may come on now."""
    optional = s.game.counters.optional
    allowed = s.waiting if s.options["optional_units"] else s.waiting & ~optional
    ground = s.game.counters.ground[side]
    return [unit for unit in bits(allowed & ground) if s.game.counters.turn[unit] <= s.turn]


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
    counters = s.game.counters
    if not s.lost >> unit & 1:
        return []
    if unit == counters.tank_division:
        home = [s.game.factory] if factors & FACTORY else []
        return home + (edge_hexes(s) if factors & EDGE else [])
    if unit == counters.marines and not s.marines_back:  # 10.8; by sea: see fleet.py
        return leningrad_hexes(s)
    return []


# ---------------------------------------------------------------- the reinforcement phase


@flow.step
def begin(s: LeningradState, side: int) -> None:
    for unit in bits(s.game.counters.air[side] & s.waiting):
        if s.game.counters.turn[unit] <= s.turn and s.back[unit] != ABSENT:
            s.waiting &= ~(1 << unit)
            s.log("arrival", "{unit} arrives", "10.10", unit=unit)
    s.ask(Reinforce, tank_factors(s) if side == RUSSIAN else 0)


class BringOn(Pick[LeningradState]):
    """10.10, 10.12, ruling D56: units may come on now or wait."""

    kind, stays = "bring on", True

    def buys(self, s: LeningradState, unit: int) -> bool:
        return bool(s.game.counters.optional >> unit & 1)

    def candidates(self, s: LeningradState, factors: int) -> list[int]:
        return due(s, s.mover)

    def why_not_item(self, s: LeningradState, unit: int, factors: int) -> Citation | None:
        counters, side = s.game.counters, s.mover
        if counters.side[unit] != side:
            return refuse("10.10", "units come on in their own side's player-turn")
        if not s.waiting >> unit & 1:
            return refuse("10.10", "the unit is not waiting to arrive")
        if self.buys(s, unit) != (self.kind == "buy"):
            return refuse("10.16", "it is no optional unit" if self.kind == "buy" else "it is optional, and bought")
        if self.kind == "buy" and not s.options["optional_units"]:
            return refuse("10.16", "this game is played without the optional units")
        if counters.turn[unit] > s.turn:
            return refuse("10.25", f"the unit is due on turn {counters.turn[unit]}")
        if not counters.ground[side] >> unit & 1:
            return refuse("10.10", "air units arrive by themselves")
        if entry_hexes(s, unit):
            return None
        return refuse("10.11" if side == GERMAN else "10.13", "no entry hex is open")

    def take(self, s: LeningradState, unit: int, factors: int) -> None:
        s.push(Entry, unit, factors)


class Buy(BringOn):
    """10.16, 10.17."""

    kind = "buy"


class Replace(Pick[LeningradState]):
    """10.1 to 10.9: the tank division and the Marines come back."""

    kind, passing, stays = "replace", "end reinforcements", True

    def candidates(self, s: LeningradState, factors: int) -> list[int]:
        counters = s.game.counters
        return [counters.tank_division, counters.marines] if s.mover == RUSSIAN else []

    def why_not_item(self, s: LeningradState, unit: int, factors: int) -> Citation | None:
        counters = s.game.counters
        if s.mover != RUSSIAN or unit not in (counters.marines, counters.tank_division):
            return refuse("10.1", "only the Russian tank division and the Marines are replaced")
        if not s.lost >> unit & 1:
            return refuse("10.1", "it is not lost")
        if replacement_hexes(s, unit, factors):
            return None
        if unit == counters.marines:
            once = refuse("10.8", "the Marines come back only once")
            return once if s.marines_back else refuse("10.9", "no Leningrad hex is open to them")
        if s.factory_hit:
            return refuse("10.2", "the Kirov factory is Disrupted")
        if s.control[s.game.factory] != RUSSIAN:
            return refuse("10.27", "the Kirov factory is German")
        if factors & EDGE:
            return refuse("10.6", "no eastern or southern edge hex is open")
        return refuse("10.5", "no tank factor this turn")

    def take(self, s: LeningradState, unit: int, factors: int) -> None:
        s.push(Entry, unit, factors)


BRING_ON, BUY, REPLACE = BringOn(), Buy(), Replace()


@flow.choice
class Reinforce(Menu[LeningradState]):
    rules = ("10.10",)
    parts = (BRING_ON, BUY, REPLACE)
    asks = "Bring on reinforcements, or end the reinforcement phase."

    def undone(self, s: LeningradState, factors: int) -> str:
        waiting = [s.game.unit_names[unit] for unit in self.parts[0].items(s, factors)]
        return f"{', '.join(waiting)} could come now" if waiting else ""


@flow.choice
class Entry(NamedDestination[LeningradState]):
    rules = ("10.11", "10.13")
    kind = "enter"
    asks = "Where does {unit} enter?"

    def nodes(self, s: LeningradState, unit: int, factors: int) -> list[int]:
        return replacement_hexes(s, unit, factors) if s.lost >> unit & 1 else entry_hexes(s, unit)

    def why_not_unit(self, s: LeningradState, other: int, unit: int, factors: int) -> Citation:
        part = BUY if BUY.buys(s, other) else BRING_ON
        reason = None if s.lost >> other & 1 else part.why_not_item(s, other, factors)
        return reason or refuse("10.10", f"{s.game.unit_names[unit]} enters now")

    def why_not_node(self, s: LeningradState, node: int, unit: int, factors: int) -> Citation | None:
        game = s.game
        if game.side_of[unit] == GERMAN:
            if node in game.delayed_entry:
                late = s.turn > game.counters.turn[unit]
                return refuse("10.12", "Russians are there" if late else (
                    "only a unit held back a turn enters west of the Narva"
                ))  # fmt: skip
            return refuse("10.11", "German units enter on the southern edge, behind German lines")
        if unit == game.counters.tank_division:
            edge = factors & EDGE
            return refuse("10.6", "that edge hex is not open to it") if edge else (
                refuse("10.1", "it comes back at the Kirov factory")
            )  # fmt: skip
        if node in game.leningrad_index:
            if s.control[node] != RUSSIAN:
                return refuse("10.13", "that hex is German")
            if closed_by_bombs(s, node):
                return refuse("11.21", "the hex was bombed")
            return refuse("10.13", "Leningrad is not in overland supply")
        if unit == game.counters.marines:
            return refuse("10.9", "the Marines come back in Leningrad, or with the fleet")
        if unit == game.counters.eighth_army:
            return refuse("10.14", "on the Gulf shore east of Narva, or on the edge")
        return refuse("10.13", "on the eastern or southern edge, behind Russian lines")

    def arrive(self, s: LeningradState, node: int, unit: int, factors: int) -> None:
        if s.lost >> unit & 1:
            factors = _replace(s, unit, factors)
        else:
            _arrive(s, unit, node)
        s.replace(ask, Reinforce, factors)
        s.entered |= 1 << unit
        s.enter(unit, node)


def _arrive(s: LeningradState, unit: int, node: int) -> None:
    game = s.game
    bit = 1 << unit
    s.waiting &= ~bit
    if game.counters.optional & bit:  # 10.17, ruling D39: the opponent scores the cost
        s.bought |= bit
        side = game.side_of[unit]
        points = list(s.points)
        points[1 - side] += game.counters.factor[unit]
        s.points = (points[0], points[1])
        s.log("arrival", "{unit} is bought and enters at {place}", "10.16", "10.17", unit=unit, place=node)
    elif unit == game.counters.eighth_army and node in game.coast_east:
        s.disrupt(unit)
        s.log("arrival", "{unit} lands at {place} and is Disrupted", "10.14", unit=unit, place=node)
    else:
        s.log("arrival", "{unit} enters at {place}", "10.10", unit=unit, place=node)


def _replace(s: LeningradState, unit: int, factors: int) -> int:
    """10.3: UnDisrupted. Returns the tank factors left."""
    s.lost &= ~(1 << unit)
    s.log("arrival", "{unit} is back", "10.3" if unit == s.game.counters.tank_division else "10.8", unit=unit)
    if unit == s.game.counters.marines:
        s.marines_back = 1
        return factors
    return 0


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
    rules = ("10.23",)
    kind, passing = "keep", "send"

    def prompt(self, s: LeningradState) -> str:
        return f"Keep the units for {s.game.tables.numbers['keep_points']} points, or send them to Moscow?"

    def perform(self, s: LeningradState) -> None:
        german, russian = s.points
        s.points = (german, russian + s.game.tables.numbers["keep_points"])
        s.log("withdrawal", "The units stay, for points", "10.23")

    def decline(self, s: LeningradState) -> None:
        order_away(s)


def order_away(s: LeningradState) -> None:
    """10.18, 10.20, ruling D40: one extra unit for each kind of optional unit that came in."""
    counters = s.game.counters
    slots = ["group", "division", "air"]
    for unit in bits(s.bought & counters.ground[GERMAN]):  # 10.24: no Russian leaves
        if counters.panzer_korps >> unit & 1:
            slots.append("panzer korps")
        elif counters.panzer_divisions >> unit & 1:
            slots.append("division")
        else:
            slots.append("korps")
    s.queue(*((ask, Withdraw, slot) for slot in slots))


def candidates(s: LeningradState, slot: str) -> list[int]:
    """Who may fill a slot; ruling D63: wherever they are, and a missing unit is not replaced."""
    counters = s.game.counters
    if slot == "air":
        return _air_candidates(s)
    in_play = [unit for unit in bits(counters.ground[GERMAN]) if s.in_play(unit)]
    in_play += [unit for unit in due(s, GERMAN) if not counters.optional >> unit & 1]
    panzer_korps = [unit for unit in in_play if counters.panzer_korps >> unit & 1]
    korps = [
        u for u in in_play if counters.size[u] == CORPS and counters.type[u] == "infantry" and counters.factor[u] == 3
    ]
    if slot == "group":  # 10.21
        return [counters.panzer_group] if counters.panzer_group in in_play else panzer_korps or korps
    if slot == "division":
        return [unit for unit in in_play if counters.panzer_divisions >> unit & 1]
    return panzer_korps if slot == "panzer korps" else korps


def _air_candidates(s: LeningradState) -> list[int]:
    """10.19: one that is operational, else the one due back soonest."""
    present = [u for u in bits(s.game.counters.air[GERMAN] & ~(s.waiting | s.gone)) if s.back[u] != ABSENT]
    ready = [unit for unit in present if not s.back[unit]]
    soonest = min((s.back[unit] for unit in present), default=0)
    return ready or [unit for unit in present if s.back[unit] == soonest]


@flow.choice
class Withdraw(Pick[LeningradState]):
    rules = ("10.18", "10.19", "10.20")
    kind = "withdraw"

    words: ClassVar[dict[str, str]] = {
        "air": "fliegerkorps", "division": "panzer division", "group": "substitute", "korps": "infantry korps",
    }  # fmt: skip

    def prompt(self, s: LeningradState, slot: str) -> str:
        return f"Which {self.words.get(slot, slot)} leaves for Moscow?"

    def items(self, s: LeningradState, slot: str) -> list[int]:
        return candidates(s, slot)

    def why_not_item(self, s: LeningradState, unit: int, slot: str) -> Citation | None:
        rule = {"air": "10.19", "group": "10.21", "division": "10.18"}.get(slot, "10.20")
        if slot == "air" and (s.game.counters.air[GERMAN] & ~(s.waiting | s.gone)) >> unit & 1:
            return refuse(rule, "one that can fly goes first")
        return refuse(rule, f"that is no {self.words.get(slot, slot)} in play")

    def take(self, s: LeningradState, unit: int, slot: str) -> None:
        s.withdraw(unit, "10.20" if slot in ("korps", "panzer korps") else "10.18")
