"""Chapter 2: what comes in the box - counters, chits, charts and tracks - as tables of numbers.

Sides are 0 (German) and 1 (Soviet). Everything here is read once from ``data/`` and never changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from counterblow.kernel.board import Board
from counterblow.kernel.data import need, read, word
from counterblow.kernel.errors import DataError, unknown
from counterblow.kernel.odds import OddsLine

GERMAN, SOVIET = 0, 1
SIDES = ("german", "soviet")

# what a counter is to the stacking rules (7.0)
COMBAT, HQ, GUN = 0, 1, 2

# how far a German counter may go (6.3.3, 6.3.4)
SOVIET_UNIT, ARMY_UNIT, SS_UNIT, PD_UNIT = 0, 1, 2, 3

# what the random events do (2.5.2)
EFFECTS = ("none", "move a formation", "move two units", "replacements", "no air missions", "barrages",
           "air units recover", "air units are ready", "frost")  # fmt: skip

ATTACK, DEFENCE = 0, 1  # which printed strength tells who is strongest (9.4.1, 9.5.3c)


@dataclass(frozen=True)
class Unit:
    """One counter (2.7)."""

    number: int
    name: str
    side: int
    formation: str  # "" for independent units (4.2.2)
    command: str  # the corps (German) or army (Soviet) it answers to
    type: str
    kind: int  # COMBAT, HQ or GUN
    headquarters: str  # "", "division", "corps" or "army"
    steps: int  # HQs have none; they count 1 while on the map
    strengths: tuple[tuple[int, int, int], ...]  # attack, defence, movement by steps left; [0] is unused
    zones: tuple[bool, ...]  # by steps left
    ss: bool
    access: int
    hex: str  # set-up hex, or ""
    reduced: bool  # sets up reduced
    range: int = 0  # of an HQ's command
    mech: bool = False  # HQs never are (2.7a)
    turn: int = 0  # of a reinforcement
    entry: str = ""


@dataclass(frozen=True)
class Chit:
    """A kind of chit in the one cup (2.3-2.5)."""

    number: int
    name: str
    title: str
    side: int | None
    command: bool
    count: int
    enters: int
    army: int  # the Army HQ a Soviet Command chit names, or -1
    hqs: tuple[int, ...]  # the HQs a German Command chit may wake
    leaves: int = 0
    action: str = ""  # the step of an Action chit
    rule: str = ""  # the section of one that withdraws a formation, ...
    withdraws: str = ""  # ... which one, ...
    whole: str = ""  # ... in words, ...
    takes: str = ""  # ... and its Command chit


@dataclass(frozen=True)
class AirUnit:
    """An air unit (12.0)."""

    name: str
    side: int
    full: int
    normal: int
    edition: str = ""


@dataclass(frozen=True)
class Terrain:
    """A line of the Terrain Effects Chart."""

    name: str
    layer: str
    infantry: int  # 0: prohibited
    mech: int
    doubles: bool
    strategic: Fraction
    shift: int = 0

    def price(self, mech: bool) -> int:
        return self.mech if mech else self.infantry


@dataclass(frozen=True)
class Outcome:
    """A result of the combat table: steps and hexes for each side (9.1)."""

    text: str
    a_loss: int = 0
    a_retreat: int = 0
    d_loss: int = 0
    d_retreat: int = 0
    red: int = 0  # losses of an attacking Soviet force only


@dataclass(frozen=True)
class Feature:
    """A line of the victory point list (13.1.2)."""

    name: str
    points: int  # for each of its hexes
    rule: str
    held: str  # by "control" (13.1.1a), or "occupied"
    nodes: tuple[int, ...] = ()
    mask: int = 0  # the same, as bits of the victory hexes


@dataclass(frozen=True)
class Level:
    """A level of victory (13.1.1b)."""

    least: int
    name: str
    winner: int
    name_2018: str = ""


def read_outcome(text: str, where: str) -> Outcome:
    """'D1r2 +a' -> the defender loses a step and retreats two hexes; an attacking Soviet force loses a step."""
    code, _, red = text.partition(" +")
    side, rest = code[:1], code[1:]
    loss, _, back = rest.partition("r")
    if code != "NR" and (side not in ("A", "D") or not (loss + back).isdigit()):
        raise DataError(f"{where}: {text!r} is no combat result")
    steps, hexes = (0, 0) if code == "NR" else (int(loss or 0), int(back or 0))
    mine = (steps, hexes, 0, 0) if side == "A" else (0, 0, steps, hexes)
    return Outcome(code, *mine, red=1 if red else 0)


class CombatTable:
    """The Combat Results Table (2.2.3): one odds line per attacking side (9.1a)."""

    def __init__(self, entry: dict[str, Any], where: str) -> None:
        self.lines = tuple(OddsLine(entry[side]) for side in SIDES)
        self.rows = tuple(tuple(read_outcome(cell, where) for cell in row) for row in entry["rows"])
        self.columns = len(self.lines[GERMAN].headings)
        if any(len(row) != len(line.headings) for row in self.rows for line in self.lines):
            raise DataError(f"{where}: crt: every row needs one result per odds heading")

    def column(self, side: int, attack: int, defence: int) -> int:
        """The column of two strengths before shifts; 1 is the lowest, 0 and less lie below the table (ruling 40)."""
        column = self.lines[side].column(attack, defence)
        return column + 1 if column >= 0 else 3 - -(-defence // attack)

    def heading(self, side: int, column: int) -> str:
        return self.lines[side].headings[column - 1]


def read_terrain(entry: dict[str, Any], where: str) -> Terrain:
    where = f"{where}: {need(entry, 'name', str, where)}"
    strategic = Fraction(entry.get("strategic", 0))
    return read(Terrain, entry, where, doubles=entry.get("doubles_defence", False), strategic=strategic)


def read_event(entry: dict[str, Any], where: str) -> dict[str, Any]:
    where = f"{where}: event {entry.get('roll', '?')}"
    for effect in (need(entry, "effect", str, where), entry.get("effect_in_thaw", "none")):
        if effect not in EFFECTS:
            raise DataError(f"{where}: {unknown('effect', effect, EFFECTS)}")
    return entry


def read_units(table: dict[str, Any], board: Board, where: str) -> tuple[Unit, ...]:
    entries = [(formation, entry) for formation in table["formation"] for entry in formation["units"]]
    return tuple(_read_unit(number, *both, board, where) for number, both in enumerate(entries))


def _read_unit(number: int, formation: dict[str, Any], entry: dict[str, Any], board: Board, where: str) -> Unit:
    where = f"{where}: {entry.get('id', '?')}"
    side, zoc, hq = SIDES.index(formation["side"]), need(entry, "zoc", str, where), entry.get("hq", "")
    weaker = [tuple(entry["reduced"])] if "reduced" in entry else []
    ss, defences = [bool(entry.get(key, formation.get(key))) for key in ("ss", "prepared_defences")]
    home = entry.get("at", "")
    if home and home not in board:
        raise DataError(f"{where}: {home} is not on the map")
    return read(
        Unit, entry, where, number=number, name=need(entry, "id", str, where), side=side,
        formation="" if formation.get("independent") else formation["name"], command=formation["command"],
        kind=HQ if hq else GUN if entry.get("gun") else COMBAT, headquarters=hq, steps=1 + len(weaker),
        strengths=((0, 0, 0), *weaker, tuple(need(entry, "full", list, where))),
        zones=(False, *[zoc == "both" for _ in weaker], zoc in ("both", "full")), ss=ss,
        access=SOVIET_UNIT if side == SOVIET else PD_UNIT if defences else SS_UNIT if ss else ARMY_UNIT,
        hex=home, reduced=bool(entry.get("reduced_at_start")),
    )  # fmt: skip


def read_air_unit(entry: dict[str, Any], where: str) -> AirUnit:
    where = f"{where}: air"
    return read(AirUnit, entry, where, name=need(entry, "id", str, where), side=word(entry, "side", SIDES, where))


def read_chit(number: int, entry: dict[str, Any], units: tuple[Unit, ...], where: str) -> Chit:
    name, kind = need(entry, "id", str, where), need(entry, "kind", str, where)
    where = f"{where}: {name}"
    side = word(entry, "side", (*SIDES, "both"), where)
    army = word(entry, "army", [unit.name for unit in units], where) if "army" in entry else -1
    hqs = tuple(u.number for u in units if _answers(u, entry.get("hqs", "")))
    names = {"number": number, "name": name, "title": entry["name"], "command": kind == "command"}
    return read(Chit, entry, where, side=side if side < len(SIDES) else None, army=army, hqs=hqs, **names)


def _answers(unit: Unit, chit: str) -> bool:
    """May a German Command chit wake this HQ (4.1.1e, 4.1.1f, of STRAC 4.2.3d, of KUST 14.0c)?"""
    if unit.headquarters != "division" or not chit:
        return False
    if chit == "any":
        return True
    if not unit.command:  # KVO and 285S answer to the Army Group alone
        return False
    return unit.ss if chit == "ss" else not unit.ss if chit == "not ss" else unit.command == chit
