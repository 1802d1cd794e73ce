"""What players are asked stands in the data: data/decisions.toml."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

import counterblow
from counterblow.kernel.flow import Flow, filled
from counterblow.kernel.pick import Pick
from counterblow.kernel.rulebook import refuse
from tests.kernel.toy.game import Toy

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


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Where to?", "Where to?"),
        ("Where does {unit} go?", "Where does {0} go?"),
        ("{unit} takes {n3} step{s3} in {place2}.", "{0} takes 2 steps in {2}."),
        ("Retreat {units4}.", "Retreat {0} and {1}."),
    ],
)
def test_a_text_is_filled_with_the_arguments_of_the_step(toy: Toy, text: str, told: str) -> None:
    assert filled(toy.start(), text, (0, 0, 2, (0, 1))) == told.format(*toy.unit_names[:2], toy.where(0))


def test_why_all_else_is_refused_may_name_what_is_asked_about(toy: Toy) -> None:
    class There(Where):
        otherwise = refuse("1", "not in {place}")

    assert There().why_not_item(toy.start(), 3, 0) == refuse("1", f"not in {toy.where(0)}")


def test_several_places_and_units_in_a_sentence(toy: Toy) -> None:
    assert toy.all_of(toy.board.nodes(["0503", "0303"])) == "Town (0503) and 0303"
    assert toy.all_of(toy.board.nodes(["0303"]), "or") == "0303"
    assert toy.all_units((2, 0), "+") == "Blue 3 + Blue 1"


@pytest.mark.parametrize("slug", ["leningrad", "narva", "narvik", "noretreat"])
def test_every_choice_is_granted_by_rules_of_the_game(slug: str) -> None:
    game = counterblow.load(slug)
    for choice in game.flow.choices.values():
        assert choice.rules, choice.name
        assert set(choice.rules) <= set(game.rules), choice.name
