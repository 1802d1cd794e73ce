"""Positions made by hand: for examples, puzzles, lessons, scenarios and tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Generic

from counterblow.kernel.errors import PositionError, unknown
from counterblow.kernel.sequence import Phase, steps_from
from counterblow.kernel.state import NOWHERE
from counterblow.kernel.views import G

WRONG = (
    TypeError,
    ValueError,
    AttributeError,
    KeyError,
    IndexError,
)  # what a setter makes of a value it did not expect


class Positions(Generic[G]):
    """Builds a state from names.

    A game says which phases there are, and what positions and units can be marked by: a method ``set_control(state,
    value)`` makes "control" a field of a position, ``mark_steps(state, unit, value)`` makes "steps" a mark of a unit.
    What is no more than a number of the state is listed in ``numbers``, a number for each side in ``per_side``, a set
    of units in ``masks``. What is not known is refused here, and so is a value of which a method can make nothing.
    """

    sequence: ClassVar[tuple[Phase, ...]] = ()  # the phases of a turn, any of which may be the first
    first: ClassVar[str] = ""  # the phase where a position begins that names none; else the first
    scenario: ClassVar[str | None] = None  # the scenario of a position that names none; else the first
    numbers: ClassVar[tuple[str, ...]] = ()  # fields of the state that are whole numbers, or true and false
    per_side: ClassVar[tuple[str, ...]] = ()  # pairs of numbers: {"german": 3}
    masks: ClassVar[Mapping[str, str]] = {}  # mark of a unit -> the field that holds such units as bits

    def __init__(self, game: G) -> None:
        self.game: G = game

    # ------------------------------------------------------------------ what a game fills in

    def phases(self) -> Mapping[str, Callable[[Any], None]]:
        """Phase name -> a function that pushes the agenda from that phase on."""
        return {phase.name: partial(self.begin_at, name=phase.name) for phase in self.sequence}

    def prepare(self, state: Any) -> None:
        """Before the units are placed: first control of places, and the like."""

    def place(self, state: Any, unit: int, name: str, marks: dict[str, Any]) -> None:
        """Before a unit is marked and placed: refuse what can never be, add what its name says."""

    def placed(self, state: Any) -> None:
        """After the units are placed, before the fields of the position are set."""

    def finish(self, state: Any) -> None:
        """When all fields are set: what follows from them."""

    # ------------------------------------------------------------------ words for it

    def begin_at(self, state: Any, name: str) -> None:
        """The rest of a turn from a phase on."""
        state.queue(*steps_from(self.sequence, name))

    def error(self, text: str) -> PositionError:
        """What is wrong with a position of this game."""
        return PositionError(f"{self.game.slug}: {text}")

    def index(self, what: str, word: str, words: Iterable[str]) -> int:
        """The number of a word that must be one of some."""
        known = list(words)
        if word not in known:
            raise self.error(unknown(what, word, known))
        return known.index(word)

    def units(self, names: Iterable[str]) -> list[int]:
        """Units by their names."""
        return [self.game.unit(name) for name in names]

    def for_sides(self, pair: tuple[int, ...], values: Mapping[str, int]) -> tuple[int, int]:
        """A pair of numbers with those of the sides that are named."""
        named = {self.game.side_number(side): value for side, value in values.items()}
        return named.get(0, pair[0]), named.get(1, pair[1])

    # ------------------------------------------------------------------ building

    def build(
        self,
        state: Any,
        turn: int,
        phase: str | None,
        units: Mapping[str, Any],
        dice: tuple[int, ...],
        more: dict[str, Any],
    ) -> Any:
        """A blank state filled with just what is named, played on to the first decision of the phase."""
        game = self.game
        state.turn = turn
        state.dice = tuple(dice)
        self.prepare(state)
        for name, spec in units.items():
            self._place(state, game.unit(name), name, {"at": spec} if isinstance(spec, str) else dict(spec))
        self.placed(state)
        for name, value in more.items():
            self._set(state, name, value)
        self.finish(state)
        phases = self.phases()
        chosen = phase if phase is not None else self.first or next(iter(phases))
        if chosen not in phases:
            raise self.error(unknown("phase", chosen, phases))
        phases[chosen](state)
        state.run()
        return state

    def _place(self, state: Any, unit: int, name: str, marks: dict[str, Any]) -> None:
        if "at" not in marks:
            raise self.error(f'unit "{name}" needs "at": a hex or area')
        node = self.game.node(marks.pop("at"))
        if state.at[unit] != NOWHERE:
            state.lift(unit)
        self.place(state, unit, name, marks)
        for mark, value in marks.items():
            self._mark(state, unit, mark, value)
        state.put(unit, node)

    def _mark(self, state: Any, unit: int, mark: str, value: Any) -> None:
        name = self.game.unit_names[unit]
        if mark in self.masks:
            if value:
                setattr(state, self.masks[mark], getattr(state, self.masks[mark]) | 1 << unit)
            return
        setter = getattr(self, f"mark_{mark}", None)
        if setter is None:
            raise self.error(f"{name}: " + unknown("mark", mark, ["at", *self.masks, *self._named("mark_")]))
        try:
            setter(state, unit, value)
        except WRONG as error:
            raise self.error(f'{name}: "{mark}" cannot be {value!r}: {error}') from None

    def _set(self, state: Any, name: str, value: Any) -> None:
        setter = getattr(self, f"set_{name}", None)
        if setter is None and name not in (*self.numbers, *self.per_side):
            known = ["turn", "phase", "units", "scenario", "options", "dice"]
            raise self.error(
                unknown("position field", name, [*known, *self.numbers, *self.per_side, *self._named("set_")])
            )
        try:
            if setter is not None:
                setter(state, value)
            elif name in self.per_side:
                setattr(state, name, self.for_sides(getattr(state, name), value))
            else:
                setattr(state, name, self._number(name, value, type(getattr(state, name))))
        except WRONG as error:
            raise self.error(f'"{name}" cannot be {value!r}: {error}') from None

    def _number(self, name: str, value: Any, kind: type) -> Any:
        if not isinstance(value, int):
            raise self.error(f'"{name}" is {"true or false" if kind is bool else "a whole number"}, not {value!r}')
        return kind(value)

    def _named(self, start: str) -> Sequence[str]:
        return [name.removeprefix(start) for name in dir(self) if name.startswith(start)]
