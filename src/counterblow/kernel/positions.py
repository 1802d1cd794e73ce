"""Positions made by hand: for examples, puzzles, lessons, scenarios and tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic

from counterblow.kernel.errors import PositionError, unknown
from counterblow.kernel.state import NOWHERE
from counterblow.kernel.views import G


class Positions(Generic[G]):
    """Builds a state from names. A game says which phases there are, and what units and positions can be marked by."""

    def __init__(self, game: G) -> None:
        self.game: G = game

    def phases(self) -> dict[str, Callable[[Any], None]]:
        """Phase name -> a function that pushes the agenda from that phase on. The first is the default."""
        raise NotImplementedError

    def prepare(self, state: Any) -> None:
        """Before the units are placed: first control of places, and the like."""

    def mark_unit(self, state: Any, unit: int, marks: dict[str, Any]) -> None:
        """Set the marks of a unit (steps, disrupted, ...); refuse those the game does not know."""
        for mark in marks:
            raise PositionError(f"{self.game.slug}: {self.game.unit_names[unit]}: " + unknown("mark", mark, ["at"]))

    def mark_position(self, state: Any, more: dict[str, Any]) -> None:
        """Set what the game adds to a position; refuse what it does not know."""
        known = ["turn", "phase", "units", "dice"]
        for name in more:
            raise PositionError(f"{self.game.slug}: " + unknown("position field", name, known))

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
        self.mark_position(state, more)
        phases = self.phases()
        chosen = phase if phase is not None else next(iter(phases))
        if chosen not in phases:
            raise PositionError(f"{game.slug}: " + unknown("phase", chosen, phases))
        phases[chosen](state)
        state.run()
        return state

    def _place(self, state: Any, unit: int, name: str, marks: dict[str, Any]) -> None:
        if "at" not in marks:
            raise PositionError(f'{self.game.slug}: unit "{name}" needs "at": a hex or area')
        node = self.game.node(marks.pop("at"))
        if state.at[unit] != NOWHERE:
            state.lift(unit)
        self.mark_unit(state, unit, marks)
        state.put(unit, node)
