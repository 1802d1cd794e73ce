"""The sequence of play: phases in order, each announced when it begins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from counterblow.kernel.flow import Step, begin_phase


class Phase(NamedTuple):
    """A phase: its name for display and positions, whose it is, the rule that says what it is for, and its steps."""

    name: str
    side: int | None
    rule: str
    steps: tuple[Step, ...]


def steps_from(phases: Sequence[Phase], start: str = "") -> list[Step]:
    """The steps of a sequence of play from a phase on, each phase announced."""
    names = [phase.name for phase in phases]
    first = names.index(start) if start else 0
    return [step for phase in phases[first:] for step in ((begin_phase, phase.name, phase.side), *phase.steps)]


def rules_of(phases: Sequence[Phase]) -> dict[str, str]:
    """Phase -> the rule to cite when something is tried out of its time."""
    return {phase.name: phase.rule for phase in phases}
