"""Chapter 2: counters, charts and tracks, read from the data files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from counterblow.kernel.data import DataFolder, need, read, word
from counterblow.kernel.errors import DataError
from counterblow.kernel.forecast import Modifier

GERMAN, ALLIED = 0, 1
SIDES = ("german", "allied")
SUBS = ("KGD", "KGB", "KGH", "KGW", "BR", "FR", "NW", "PL")  # 2.3.1: four battle groups, four nationalities
KGD, KGB, KGH, KGW, BR, FR, NW, PL = 0, 1, 2, 3, 4, 5, 6, 7
SIDE_OF_SUB = (GERMAN,) * 4 + (ALLIED,) * 4
SUBS_OF = ((KGD, KGB, KGH, KGW), (BR, FR, NW, PL))
COMMANDS = (
    "KG Dietl", "KG Berger", "KG Haussels", "KG Windisch", "British", "French", "Norwegians", "Poles",
)  # fmt: skip
NATIONS = ("German", "German", "German", "German", "British", "French", "Norwegian", "Polish")
CODES = ("", "R", "S", "OPT", "OPT-A", "OPT-B")  # 2.3.b


@dataclass(frozen=True)
class Unit:
    """A counter: a ground unit, or an air or naval strike (2.3, 2.3.8)."""

    id: str
    side: int
    sub: int  # -1 for strikes
    formation: str
    size: str
    type: str
    fire: int
    ca: bool  # 2.3.5.b: boxed fire factor, close-assault capable
    aa: bool  # 2.3.5.c: anti-armour
    elite: bool  # 2.3.5.d
    move: int
    range: int
    code: str


class Roster:
    """All counters, ground units first, and what the rules ask of each, by number."""

    def __init__(self, table: dict[str, Any], where: str) -> None:
        ground = [_ground(row, side, where) for side in (0, 1) for row in need(table, SIDES[side], list, where)]
        strikes = [
            _strike(row, side, where) for side in (0, 1) for row in need(table, f"{SIDES[side]}_strikes", list, where)
        ]
        self.units: tuple[Unit, ...] = (*ground, *strikes)
        self.names = tuple(unit.id for unit in self.units)
        self.number = {name: i for i, name in enumerate(self.names)}
        if len(self.number) < len(self.names):
            raise DataError(f"{where}: two counters have the same id")
        self.ground = range(len(ground))
        self.strikes = range(len(ground), len(self.units))
        self._tabulate()
        rows, at = need(table, "formation", list, where), f"{where}: formation"
        self.formations = tuple(read(Formation, row, at, sub=word(row, "sub", SUBS, at)) for row in rows)
        self.sheet: dict[str, Any] = need(table, "counters", dict, where)

    def _tabulate(self) -> None:
        units = self.units
        self.side = tuple(u.side for u in units)
        self.sub = tuple(u.sub for u in units)
        self.fire = tuple(u.fire for u in units)
        self.ca = tuple(u.ca for u in units)
        self.aa = tuple(u.aa for u in units)
        self.elite = tuple(u.elite for u in units)
        self.move = tuple(u.move for u in units)
        self.range = tuple(u.range for u in units)
        self.code = tuple(u.code for u in units)
        self.type = tuple(u.type for u in units)
        self.leader = tuple(u.type == "leader" for u in units)
        self.counts = tuple(0 if u.type == "leader" or u.sub < 0 else 1 for u in units)  # 9.0.b, 18.1.e
        self.mech = tuple(u.type == "tank" for u in units)  # 2.3.7.a
        self.ski = tuple(u.type.startswith("ski") for u in units)
        self.engineer = tuple(u.type.endswith("engineer") for u in units)
        self.signal = tuple(u.type == "signal" for u in units)
        self.airborne = tuple(u.type.startswith("airborne") for u in units)  # 2.3.7.c
        self.gun = tuple(u.type == "railroad artillery" for u in units)
        # 9.0.e: Allied nationalities do not mix; all Germans are one
        self.nation = tuple(0 if u.side == GERMAN else max(u.sub, 0) for u in units)
        self.dietl = self.number["Dietl"]
        self.auchinleck = self.number["Auchinleck"]
        self.marine = self.number["RM"]
        self.of_side = tuple(tuple(u for u in self.ground if self.side[u] == side) for side in (0, 1))
        self.ranged = tuple(tuple(u for u in listed if self.range[u] > 1) for listed in self.of_side)
        self.of_sub = tuple(tuple(u for u in self.ground if self.sub[u] == sub) for sub in range(8))
        self.side_mask = tuple(sum(1 << u for u in listed) for listed in self.of_side)
        self.sub_mask = tuple(sum(1 << u for u in listed) for listed in self.of_sub)

    def coded(self, side: int, *codes: str) -> list[int]:
        """Ground units of a side that enter with one of these codes (2.3.b)."""
        return [u for u in self.of_side[side] if self.code[u] in codes]


@dataclass(frozen=True)
class Formation:
    """A scheduled formation and the staging area where it arrives (8.2.2.b)."""

    id: str
    sub: int
    area: str


@dataclass(frozen=True)
class EventRow:
    """One line of an events table (7.2, 7.3)."""

    name: str
    rule: str
    ap: int
    draw: int
    enemy_ap: int = 0
    halved: bool = False
    relief: int = 0
    needs: str = ""
    effect: str = ""  # swedish, rally, transfer, two_formations


@dataclass(frozen=True)
class ActionRow:
    """One line of the Actions Summary (11.2)."""

    name: str
    ap: int
    sides: tuple[int, ...]
    rule: str
    idle: tuple[str, str]  # the rule and what is missing when nobody could carry it out
    option: str = ""  # which brings it into play, if any


class Tables:
    """Charts, tables and tracks."""

    def __init__(self, data: DataFolder) -> None:
        table = data.toml("tables.toml")
        where = data.where("tables.toml")
        self.stacking = tuple(need(table["stacking"], side, int, f"{where}: stacking") for side in SIDES)
        self.crt = _crt(need(table["crt"], "columns", list, f"{where}: crt"), where)
        self.terrain: dict[str, dict[str, Any]] = need(table, "terrain", dict, where)
        self.hexsides: dict[str, dict[str, Any]] = need(table, "hexsides", dict, where)
        self.road_halves: int = round(2 * table["road"]["mp"])
        transport = need(table, "transport", dict, where)
        halves = [2 * int(need(transport, key, int, f"{where}: transport")) for key in ("rail", "ferry", "staging")]
        self.rail_halves, self.ferry_halves, self.staging_halves = halves
        self.demolished_halves: int = 2 * table["markers"]["demolished"]["mp"]
        self.shifts = {name: Modifier(row["shift"], row["text"], row["rule"]) for name, row in table["shifts"].items()}
        self.strikes_per_hex = tuple(table["strikes"][side] for side in SIDES)
        self.ap: dict[str, dict[str, int]] = table["ap"]
        self.ap_max: int = table["ap"]["track"]["maximum"]
        sides = {"both": (GERMAN, ALLIED), "german": (GERMAN,), "allied": (ALLIED,)}
        self.actions = {
            key: read(ActionRow, row, f"{where}: actions: {key}", sides=sides[row["side"]])
            for key, row in table["actions"].items()
        }
        self.purchase: dict[str, Any] = table["purchase"]
        self.events = tuple(
            tuple(read(EventRow, row, f"{where}: events") for row in table["events"][side]) for side in SIDES
        )
        self.landing: list[str] = table["airborne"]["results"]
        self.landing_flak: int = table["airborne"]["flak"]
        self.regroup: tuple[list[str], list[str]] = (table["regroup"]["other"], table["regroup"]["elite"])
        self.engineer: dict[str, int] = table["engineer"]
        self.setup = data.toml("setup.toml")
        for nation in ("german", "british", "norwegian"):  # 3.1, 3.2: the others come later
            need(self.setup["zones"], nation, dict, f"{data.where('setup.toml')}: zones")
        table = data.toml("calendar.toml")
        self.turns: list[str] = table["turns"]["names"]
        self.scheduled = frozenset(table["scheduled"]["turns"])
        self.relief_names = tuple(box["name"] for box in table["relief"]["boxes"])
        self.relief_ap = tuple(box["ap"] for box in table["relief"]["boxes"])
        self.threat_from = self.relief_names.index(table["relief"]["threat_from"])


def _ground(row: dict[str, Any], side: int, where: str) -> Unit:
    where = f"{where}: {row.get('id', '?')}"
    sub = word(row, "sub", SUBS, where)
    if SIDE_OF_SUB[sub] != side:
        raise DataError(f'{where}: "{SUBS[sub]}" is no sub-command of the {SIDES[side]} side')
    word(row, "code", CODES, where)
    return read(Unit, row, where, side=side, sub=sub)


def _strike(row: dict[str, Any], side: int, where: str) -> Unit:
    where = f"{where}: {row.get('id', '?')}"
    kind = need(row, "kind", str, where)
    if kind not in ("air", "naval") or (kind == "naval" and side == GERMAN):
        raise DataError(f'{where}: "kind" should be air, or naval for the Allies (2.3.8)')
    blank = {"formation": "", "size": "", "ca": False, "aa": False, "elite": False, "move": 0, "range": 0, "code": "R"}
    return read(Unit, row, where, side=side, sub=-1, type=kind, **blank)


def _crt(columns: list[str], where: str) -> tuple[str, ...]:
    if len(columns) != 13 or any(len(column) != 6 or set(column) - set("-RDE") for column in columns):
        raise DataError(f"{where}: crt needs 13 columns of six results, each of - R D E")
    return tuple(columns)
