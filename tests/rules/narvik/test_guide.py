"""The examples of the guide to this game run as they are printed."""

from __future__ import annotations

import doctest
from pathlib import Path

GUIDE = Path(__file__).parents[3] / "docs" / "games" / "narvik.md"


def test_the_guide() -> None:
    results = doctest.testfile(str(GUIDE), module_relative=False)
    assert results.attempted > 5
    assert results.failed == 0
