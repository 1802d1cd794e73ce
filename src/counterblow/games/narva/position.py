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
from typing import Any

from counterblow.games.narva import air
from counterblow.games.narva.combat import combat_segment
from counterblow.games.narva.command import draw
from counterblow.games.narva.components import SIDES, SOVIET
from counterblow.games.narva.defences import DIVISIONS
from counterblow.games.narva.movement import FREE_MOVE, REGULAR, movement_segment
from counterblow.games.narva.reinforcements import AREAS
from counterblow.games.narva.sequence import PHASES
from counterblow.games.narva.state import ELIMINATED, FIGHTING, MAY_ATTACK, MAY_MOVE, WITHDRAWN, NarvaState, with_entry
from counterblow.kernel.flow import Step, begin_phase
from counterblow.kernel.positions import Positions
from counterblow.kernel.state import NOWHERE

SUPPLY_WORDS = ("supplied", "out of supply", "isolated")
AIR_BOXES = ("ready", "refit", "grounded")


def chit_counts(array: str) -> Callable[[NarvaPositions, NarvaState, Mapping[str, int]], None]:
    """Sets how many chits of each kind are in the cup, drawn or out of the game."""

    def fill(self: NarvaPositions, s: NarvaState, counts: Mapping[str, int]) -> None:
        for name, number in counts.items():
            getattr(s, array)[self.chit(name)] = number

    return fill


class NarvaPositions(Positions[Any]):
    sequence, first = PHASES, "command"
    numbers = ("waiting", "frost", "no_air", "strachwitz", "naval")
    per_side = ("used",)

    def phases(self) -> Mapping[str, Callable[[NarvaState], None]]:
        """The phases of the turn, and the segments of an activation of all of a side's units."""
        found = {**super().phases(), "command": self.begin_drawing}
        segments: dict[str, tuple[Step, ...]] = {
            "movement": ((movement_segment, REGULAR), (combat_segment,)),
            "combat": ((combat_segment,),),
            "free_move": ((movement_segment, FREE_MOVE),),
        }
        for side, word in enumerate(SIDES):
            for segment, steps in segments.items():
                found[f"{word}.{segment}"] = partial(self.begin_activated, side=side, steps=steps)
        return found

    def begin_drawing(self, s: NarvaState) -> None:
        """The command phase; chits that are to come out of the cup first come at once."""
        self.begin_at(s, "command")
        if s.draws and s.turn > 1:
            s.agenda[-2:] = [(draw,), (begin_phase, "command", SOVIET)]

    def begin_activated(self, s: NarvaState, side: int, steps: tuple[Step, ...]) -> None:
        """All units of a side activated, in a movement or combat segment."""
        self.begin_at(s, "german.reinforcement")
        s.mover = side
        for unit in s.out(side):
            if unit not in s.game.army_hqs:
                s.rouse(unit, MAY_MOVE | MAY_ATTACK)
        s.queue(*steps)

    def prepare(self, s: NarvaState) -> None:
        air.station(s)

    def place(self, s: NarvaState, unit: int, name: str, marks: dict[str, Any]) -> None:
        s.step[unit], s.fate[unit] = self.game.units[unit].steps, FIGHTING

    def placed(self, s: NarvaState) -> None:
        """Units that are not named are out of the game."""
        for unit, node in enumerate(s.at):
            if node == NOWHERE:
                s.fate[unit] = WITHDRAWN

    def finish(self, s: NarvaState) -> None:
        s.recount_all()

    # ------------------------------------------------------------------ marks of units

    def mark_steps(self, s: NarvaState, unit: int, steps: int) -> None:
        kind = self.game.units[unit]
        if not 1 <= steps <= kind.steps:
            raise self.error(f"{kind.name} has from 1 to {kind.steps} steps, not {steps}")
        s.step[unit] = steps

    def mark_supply(self, s: NarvaState, unit: int, word: str) -> None:
        s.supply[unit] = self.index("supply", word, SUPPLY_WORDS)

    def mark_pinned(self, s: NarvaState, unit: int, value: bool) -> None:
        s.pin[unit] = 1 if value else 0

    # ------------------------------------------------------------------ fields

    def chit(self, name: str) -> int:
        return self.index("chit", name, self.game.chit_number)

    def set_pd(self, s: NarvaState, boxes: Mapping[str, int]) -> None:
        for name, box in boxes.items():
            if not 0 <= box < len(s.game.pd_boxes):
                last = len(s.game.pd_boxes) - 1
                raise self.error(f"a Prepared Defense marker stands 0 to {last} boxes down, not {box}")
            s.pd = with_entry(s.pd, self.index("division", name, DIVISIONS), box)

    set_cup, set_drawn, set_removed = (chit_counts(array) for array in ("cup", "drawn", "removed"))

    def set_draws(self, s: NarvaState, names: list[str]) -> None:
        s.draws = tuple(self.chit(name) for name in names)
        for number in set(s.draws):
            s.cup[number] = max(s.cup[number], s.draws.count(number))

    def set_parked(self, s: NarvaState, turns: Mapping[str, int]) -> None:
        s.parked = tuple((self.chit(name), turn) for name, turn in turns.items())

    def set_due(self, s: NarvaState, units: Mapping[str, int | Mapping[str, Any]]) -> None:
        for name, spec in units.items():
            unit = s.game.unit(name)
            given: dict[str, Any] = {"turn": spec} if isinstance(spec, int) else dict(spec)
            s.fate[unit] = 0
            s.due = with_entry(s.due, unit, given["turn"])
            area = self.index("entry", given.get("entry", s.game.units[unit].entry), AREAS)
            s.door = with_entry(s.door, unit, area)
            s.rerouted = with_entry(s.rerouted, unit, 1 if given.get("rerouted") else 0)

    def set_eliminated(self, s: NarvaState, names: list[str]) -> None:
        for unit in self.units(names):
            s.fate[unit] = ELIMINATED

    def set_control(self, s: NarvaState, hexes: Mapping[str, str]) -> None:
        for label, side in hexes.items():
            bit = s.game.victory_bits[s.game.node(label)]
            if not bit:
                raise self.error(f"{label} is no victory hex")
            s.red = s.red | bit if s.game.side_number(side) == SOVIET else s.red & ~bit

    def set_last(self, s: NarvaState, names: list[str]) -> None:
        for unit in self.units(names):
            s.last = with_entry(s.last, s.game.side_of[unit], unit)

    def set_air(self, s: NarvaState, boxes: Mapping[str, str]) -> None:
        names = [unit.name for unit in s.game.air]
        for name, box in boxes.items():
            s.air[self.index("air unit", name, names)] = self.index("air box", box, AIR_BOXES)
