"""Positions of The Ford made by hand."""

from __future__ import annotations

from typing import Any

from counterblow.kernel.positions import Positions
from tests.example.ford.sequence import PHASES


class FordPositions(Positions[Any]):
    sequence = PHASES
