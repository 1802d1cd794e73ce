"""Every game has a page in docs/games, and its examples run as they are printed."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

import counterblow

PAGES = Path(__file__).parents[1] / "docs" / "games"


@pytest.mark.parametrize("slug", counterblow.games())
def test_the_examples_of_a_page_run_as_printed(slug: str) -> None:
    results = doctest.testfile(str(PAGES / f"{slug}.md"), module_relative=False)
    assert results.attempted > 5
    assert results.failed == 0
