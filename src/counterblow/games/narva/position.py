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
from functools import partial
from typing import TYPE_CHECKING, Any

from counterblow.games.narva.combat import combat_segment
from counterblow.games.narva.command import draw
from counterblow.games.narva.components import SIDES, SOVIET
from counterblow.games.narva.defences import DIVISIONS
from counterblow.games.narva.movement import FREE_MOVE, REGULAR, movement_segment
from counterblow.games.narva.reinforcements import AREAS
from counterblow.games.narva.sequence import PHASES
from counterblow.games.narva.setup import station_aircraft
from counterblow.games.narva.state import ELIMINATED, FIGHTING, MAY_ATTACK, MAY_MOVE, WITHDRAWN, NarvaState, with_entry
from counterblow.kernel.errors import PositionError, unknown
from counterblow.kernel.flow import Step, begin_phase
from counterblow.kernel.positions import Positions
from counterblow.kernel.sequence import steps_from
from counterblow.kernel.state import NOWHERE

if TYPE_CHECKING:
    pass

if TYPE_CHECKING:
    from counterblow.games.narva.game import Narva

SUPPLY_WORDS = ("supplied", "out of supply", "isolated")
AIR_BOXES = ("ready", "refit", "grounded")


class NarvaPositions(Positions[Any]):
    game: Narva

    def phases(self) -> dict[str, Callable[[NarvaState], None]]:
        """The phases of the turn, and the segments of an activation of all of a side's units."""
        names = ("air", "german.reinforcement", "soviet.reinforcement", "supply", "end")
        found: dict[str, Callable[[NarvaState], None]] = {"command": begin_drawing}
        found |= {name: partial(begin_at, name=name) for name in names}
        segments: dict[str, tuple[Step, ...]] = {
            "movement": ((movement_segment, REGULAR), (combat_segment,)),
            "combat": ((combat_segment,),),
            "free_move": ((movement_segment, FREE_MOVE),),
        }
        for side, word in enumerate(SIDES):
            for segment, steps in segments.items():
                found[f"{word}.{segment}"] = partial(begin_activated, side=side, steps=steps)
        return found

    def prepare(self, s: NarvaState) -> None:
        station_aircraft(s)

    def mark_unit(self, s: NarvaState, unit: int, marks: dict[str, Any]) -> None:
        """Steps, supply and pin of a unit that is about to be placed."""
        kind = self.game.units[unit]
        for mark in marks:
            if mark not in ("steps", "supply", "pinned"):
                known = ("at", "steps", "supply", "pinned")
                raise PositionError(f"narva: {kind.name}: " + unknown("mark", mark, known))
        steps = marks.get("steps", kind.steps)
        if not 1 <= steps <= kind.steps:
            raise PositionError(f"narva: {kind.name} has from 1 to {kind.steps} steps, not {steps}")
        s.step[unit] = steps
        s.fate[unit] = FIGHTING
        s.supply[unit] = index("supply", marks.get("supply", "supplied"), SUPPLY_WORDS)
        s.pin[unit] = 1 if marks.get("pinned") else 0

    def mark_position(self, s: NarvaState, more: dict[str, Any]) -> None:
        """Everything else. Units that are not named are out of the game."""
        for unit in range(len(self.game.units)):
            if s.at[unit] == NOWHERE:
                s.fate[unit] = WITHDRAWN
        for name, value in more.items():
            if name not in FIELDS:
                raise PositionError("narva: " + unknown("position field", name, FIELDS))
            FIELDS[name](s, value)


def begin_at(s: NarvaState, name: str) -> None:
    """The rest of a turn from a phase on."""
    s.queue(*steps_from(PHASES, name))


def begin_drawing(s: NarvaState) -> None:
    """The command phase; chits that are to come out of the cup first come at once."""
    begin_at(s, "command")
    if s.draws and s.turn > 1:
        s.agenda[-2:] = [(draw,), (begin_phase, "command", SOVIET)]


def begin_activated(s: NarvaState, side: int, steps: tuple[Step, ...]) -> None:
    """All units of a side activated, in a movement or combat segment."""
    begin_at(s, "german.reinforcement")
    s.mover = side
    for unit in s.out(side):
        if unit not in s.game.army_hqs:
            s.role[unit] = MAY_MOVE | MAY_ATTACK
    s.queue(*steps)


def index(what: str, word: str, words: tuple[str, ...]) -> int:
    if word not in words:
        raise PositionError("narva: " + unknown(what, word, words))
    return words.index(word)


def chit(s: NarvaState, name: str) -> int:
    if name not in s.game.chit_number:
        raise PositionError("narva: " + unknown("chit", name, s.game.chit_number))
    return s.game.chit_number[name]


def set_pd(s: NarvaState, boxes: Mapping[str, int]) -> None:
    for name, box in boxes.items():
        if not 0 <= box < len(s.game.pd_boxes):
            raise PositionError(
                f"narva: a Prepared Defense marker stands 0 to {len(s.game.pd_boxes) - 1} boxes down, not {box}"
            )
        s.pd = with_entry(s.pd, index("division", name, DIVISIONS), box)


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
        s.due = with_entry(s.due, unit, given["turn"])
        area = index("entry", given.get("entry", s.game.units[unit].entry), AREAS)
        s.door = with_entry(s.door, unit, area)
        s.rerouted = with_entry(s.rerouted, unit, 1 if given.get("rerouted") else 0)


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
    for name in names:
        unit = s.game.unit(name)
        s.last = with_entry(s.last, s.game.side_of[unit], unit)


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
