"""Positions of The Ford made by hand."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from counterblow.kernel.positions import Positions
from counterblow.kernel.sequence import steps_from
from tests.example.ford.sequence import PHASES
from tests.example.ford.state import FordState


def begin_at(s: FordState, name: str) -> None:
    s.queue(*steps_from(PHASES, name))


class FordPositions(Positions[Any]):
    def phases(self) -> dict[str, Callable[[FordState], None]]:
        return {phase.name: partial(begin_at, name=phase.name) for phase in PHASES}
