"""What players are asked stands in the data: data/decisions.toml."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

import counterblow
from counterblow.kernel.flow import Flow
from counterblow.kernel.pick import Pick

ROWS = {"test_decisions": {"Where": {"rules": ["1", "2"], "asks": "Where to?"}}}


class Where(Pick[Any]):
    kind = "to"


def test_a_choice_gets_its_rules_and_its_question() -> None:
    flow: Flow[Any] = Flow(ROWS)
    flow.choice(Where)
    flow.seal()
    choice = flow.choices[Where]
    assert (choice.rules, choice.asks) == (("1", "2"), "Where to?")


def test_a_question_of_each_side() -> None:
    """The side that decides is asked its own; ``Where`` is for whoever's player-turn it is."""
    flow: Flow[Any] = Flow({"test_decisions": {"Where": {"rules": ["1"], "asks": ["Where to?", "Where from?"]}}})
    flow.choice(Where)
    asked = [flow.choices[Where].prompt(SimpleNamespace(mover=side)) for side in (0, 1)]
    assert asked == ["Where to?", "Where from?"]


def test_a_decision_that_no_chapter_defines_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"no chapter defines the decision test_decisions\.Where"):
        Flow(ROWS).seal()


@pytest.mark.parametrize("slug", ["leningrad", "narva", "narvik", "noretreat"])
def test_every_choice_is_granted_by_rules_of_the_game(slug: str) -> None:
    game = counterblow.load(slug)
    for choice in game.flow.choices.values():
        assert choice.rules, choice.name
        assert set(choice.rules) <= set(game.rules), choice.name
