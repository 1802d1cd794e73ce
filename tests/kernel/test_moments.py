"""When each kind of action has its time: data/moments.toml."""

from __future__ import annotations

from typing import Any

import pytest

import counterblow
from counterblow.kernel.errors import DataError
from counterblow.kernel.moments import Moments, read_moments

ROWS = [
    {"kinds": ["dig"], "option": "spades", "rule": "9", "text": "nobody has a spade"},
    {"kinds": ["to", "back"], "during": ["walk.Leg"], "rule": "2", "text": "first the leg"},
    {"kinds": ["to"], "outside": ["movement"], "rule": "1", "text": "in the movement phase"},
    {"during": ["combat"], "rule": "3", "text": "everything waits for combat"},
]


def moments(*rows: dict[str, Any]) -> Moments:
    kinds, rules = ("to", "back", "dig"), ("1", "2", "3", "9")
    return read_moments({"moment": list(rows)}, "moments.toml", kinds, rules, ("spades",))


@pytest.mark.parametrize(
    ("kind", "scene", "spades", "rule"),
    [
        ("dig", ("movement",), False, "9"),
        ("dig", ("movement",), True, None),
        ("to", ("walk.Leg", "movement"), True, "2"),
        ("to", ("movement",), True, None),
        ("to", ("combat",), True, "1"),
        ("back", ("combat",), True, "3"),
        ("back", ("movement",), True, None),
    ],
)
def test_the_first_entry_that_fits_speaks(kind: str, scene: tuple[str, ...], spades: bool, rule: str | None) -> None:
    found = moments(*ROWS).find(kind, scene, {"spades": spades})
    assert (found and found.says.rule) == rule


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ({"kinds": ["too"]}, "moment number 1: unknown kind of action .*too.*to"),
        ({"rule": "4"}, "moment number 1: unknown rule .*4"),
        ({"option": "spade"}, "moment number 1: unknown option .*spade.*spades"),
        ({"text": 3}, '"text" should be str'),
    ],
)
def test_what_the_game_does_not_know_is_an_error_that_says_where(wrong: dict[str, Any], complaint: str) -> None:
    with pytest.raises(DataError, match=complaint):
        moments({"rule": "1", "text": "later", **wrong})


@pytest.mark.parametrize("slug", ["leningrad", "narva", "narvik", "noretreat"])
def test_what_goes_on_is_called_by_its_name(slug: str) -> None:
    """A decision or phase that does not exist would never speak."""
    game = counterblow.load(slug)
    phases = {*game.phase_rules, *game.phases}
    known = set(game.flow.heads) | phases | {phase.rpartition(".")[2] for phase in phases}
    known |= {*game.act.sentences, "a strike", "an enemy unit", "a cadre"}  # what is carried out, whom it is about
    known |= {"a price", "from turn 12", "the enemy's phase"}  # what is being paid, and when
    for moment in game.moments.entries:
        assert moment.during | moment.outside <= known
