"""Positions: what may be said of a unit and of the game in ``game.position(...)``.

    narva.position(
        turn=3, phase="soviet.combat",
        units={"163": "1207", "333G": {"at": "1107", "steps": 1, "supply": "isolated", "pinned": True}},
        pd={"Nordland": 4}, draws=["2SH", "EVENT"], control={"1820": "soviet"}, dice=(5,),
    )

Marks of a unit: ``steps``, ``supply`` ("supplied", "out of supply", "isolated"), ``pinned``.
Fields of a position: ``pd`` boxes below the start; ``cup`` chits by number; ``draws`` chits in the order in which
they come (they are put into the cup too); ``drawn``, ``removed`` and ``parked`` chits; ``waiting`` True while 2nd
Shock Out of Supply waits; ``due`` reinforcements {"11 HQ": 4} or {"11 HQ": {"turn": 4, "entry": "B", "rerouted":
True}}; ``eliminated`` units; ``control`` of victory hexes; ``last`` activated HQs; ``used`` activations; ``air``
boxes ("ready", "refit", "grounded"); ``frost`` True after event 11; ``no_air`` True after event 6; ``strachwitz``
and ``naval`` True once activated this turn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from counterblow.games.narva.components import SIDES, SOVIET
from counterblow.games.narva.defences import DIVISIONS
from counterblow.games.narva.reinforcements import AREAS
from counterblow.games.narva.state import ELIMINATED, WITHDRAWN, NarvaState
from counterblow.kernel.errors import PositionError, unknown
from counterblow.kernel.state import NOWHERE

SUPPLY_WORDS = ("supplied", "out of supply", "isolated")
AIR_BOXES = ("ready", "refit", "grounded")


def index(what: str, word: str, words: tuple[str, ...]) -> int:
    if word not in words:
        raise PositionError("narva: " + unknown(what, word, words))
    return words.index(word)


def mark_unit(s: NarvaState, unit: int, marks: dict[str, Any]) -> None:
    """Steps, supply and pin of a unit that is about to be placed."""
    kind = s.game.units[unit]
    for mark in marks:
        if mark not in ("steps", "supply", "pinned"):
            raise PositionError(f"narva: {kind.name}: " + unknown("mark", mark, ("at", "steps", "supply", "pinned")))
    steps = marks.get("steps", kind.steps)
    if not 1 <= steps <= kind.steps:
        raise PositionError(f"narva: {kind.name} has from 1 to {kind.steps} steps, not {steps}")
    s.step[unit] = steps
    s.fate[unit] = 1
    s.supply[unit] = index("supply", marks.get("supply", "supplied"), SUPPLY_WORDS)
    s.pin[unit] = 1 if marks.get("pinned") else 0


def mark_position(s: NarvaState, more: dict[str, Any]) -> None:
    """Everything else. Units that are not named are out of the game."""
    for unit in range(len(s.game.units)):
        if s.at[unit] == NOWHERE:
            s.fate[unit] = WITHDRAWN
    for name, value in more.items():
        if name not in FIELDS:
            raise PositionError("narva: " + unknown("position field", name, FIELDS))
        FIELDS[name](s, value)


def chit(s: NarvaState, name: str) -> int:
    if name not in s.game.chit_number:
        raise PositionError("narva: " + unknown("chit", name, s.game.chit_number))
    return s.game.chit_number[name]


def set_pd(s: NarvaState, boxes: Mapping[str, int]) -> None:
    marks = list(s.pd)
    for name, box in boxes.items():
        if not 0 <= box < len(s.game.pd_boxes):
            raise PositionError(
                f"narva: a Prepared Defense marker stands 0 to {len(s.game.pd_boxes) - 1} boxes down, not {box}"
            )
        marks[index("division", name, DIVISIONS)] = box
    s.pd = (marks[0], marks[1])


def chit_counts(array: str) -> Callable[[NarvaState, Mapping[str, int]], None]:
    def fill(s: NarvaState, counts: Mapping[str, int]) -> None:
        for name, number in counts.items():
            getattr(s, array)[chit(s, name)] = number

    return fill


def set_draws(s: NarvaState, names: list[str]) -> None:
    s.draws = tuple(chit(s, name) for name in names)
    for number in set(s.draws):
        s.cup[number] = max(s.cup[number], s.draws.count(number))


def set_parked(s: NarvaState, turns: Mapping[str, int]) -> None:
    s.parked = tuple((chit(s, name), turn) for name, turn in turns.items())


def set_due(s: NarvaState, units: Mapping[str, int | Mapping[str, Any]]) -> None:
    for name, spec in units.items():
        unit = s.game.unit(name)
        given: dict[str, Any] = {"turn": spec} if isinstance(spec, int) else dict(spec)
        s.fate[unit] = 0
        s.due[unit] = given["turn"]
        s.door[unit] = index("entry", given.get("entry", s.game.units[unit].entry), AREAS)
        s.rerouted[unit] = 1 if given.get("rerouted") else 0


def set_eliminated(s: NarvaState, names: list[str]) -> None:
    for name in names:
        s.fate[s.game.unit(name)] = ELIMINATED


def set_control(s: NarvaState, hexes: Mapping[str, str]) -> None:
    for label, side in hexes.items():
        bit = s.game.victory_bits[s.game.node(label)]
        if not bit:
            raise PositionError(f"narva: {label} is no victory hex")
        s.red = s.red | bit if index("side", side, SIDES) == SOVIET else s.red & ~bit


def set_last(s: NarvaState, names: list[str]) -> None:
    last = list(s.last)
    for name in names:
        unit = s.game.unit(name)
        last[s.game.side_of[unit]] = unit
    s.last = (last[0], last[1])


def set_used(s: NarvaState, numbers: Mapping[str, int]) -> None:
    s.used = (numbers.get("german", 0), numbers.get("soviet", 0))


def set_air(s: NarvaState, boxes: Mapping[str, str]) -> None:
    names = tuple(unit.name for unit in s.game.air)
    for name, box in boxes.items():
        s.air[index("air unit", name, names)] = index("air box", box, AIR_BOXES)


def flag(field: str) -> Callable[[NarvaState, bool], None]:
    def raise_flag(s: NarvaState, value: bool) -> None:
        setattr(s, field, 1 if value else 0)
        s.recount_all()

    return raise_flag


FIELDS: dict[str, Callable[[NarvaState, Any], None]] = {
    "pd": set_pd, "cup": chit_counts("cup"), "drawn": chit_counts("drawn"), "removed": chit_counts("removed"),
    "draws": set_draws, "parked": set_parked, "due": set_due, "eliminated": set_eliminated, "control": set_control,
    "last": set_last, "used": set_used, "air": set_air, "waiting": flag("waiting"), "frost": flag("frost"),
    "no_air": flag("no_air"), "strachwitz": flag("strachwitz"), "naval": flag("naval"),
}  # fmt: skip
