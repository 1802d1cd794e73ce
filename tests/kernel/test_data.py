"""Data files: records read from their entries, the card of a game (game.toml), and what is said where one is wrong."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from counterblow.games import narvik
from counterblow.games.narvik.game import Narvik
from counterblow.kernel.data import read, read_all, read_only, word
from counterblow.kernel.errors import DataError
from tests.example.ford.game import Ford

Edit = Callable[[str, str], Path]


@dataclass(frozen=True)
class Counter:
    name: str
    strength: int
    movement: int = 3
    share: float = 0.5
    tank: bool = False
    hexes: tuple[str, ...] = ()
    arrives: int | str = 0
    marks: dict[str, int] = field(default_factory=dict)


class Line(NamedTuple):
    name: str
    shift: int = 0


TANK = {"name": "7th", "strength": 4, "tank": True, "hexes": ["0101", "0102"], "arrives": "Oil", "note": "grey"}


def test_a_record_takes_what_its_fields_name() -> None:
    found = read(Counter, TANK, "units.toml: unit 1")
    assert found == Counter("7th", 4, 3, 0.5, True, ("0101", "0102"), "Oil", {})
    assert read(Line, {"name": "woods", "shift": -1}, "") == Line("woods", -1)
    assert read(Line, {"name": "clear"}, "", shift=2) == Line("clear", 2)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"name": None}, '"name" is missing'),
        ({"strength": "four"}, "\"strength\" should be int, not 'four'"),
        ({"strength": True}, '"strength" should be int, not True'),
        ({"share": "half"}, "\"share\" should be int or float, not 'half'"),
        ({"tank": 1}, '"tank" should be bool, not 1'),
        ({"hexes": "0101"}, "\"hexes\" should be list, not '0101'"),
        ({"marks": []}, '"marks" should be dict, not []'),
    ],
)
def test_a_wrong_field_is_named(change: dict[str, Any], said: str) -> None:
    entry = {key: value for key, value in {**TANK, **change}.items() if value is not None}
    with pytest.raises(DataError, match=re.escape(f"units.toml: unit 1: {said}") + "$"):
        read(Counter, entry, "units.toml: unit 1")


def test_where_nothing_else_may_stand_another_key_is_an_error() -> None:
    assert read(Line, {"name": "clear", "shfit": 1}, "here") == Line("clear", 0)
    with pytest.raises(DataError, match=r'^here: unknown key "shfit": did you mean "shift"\?$'):
        read_only(Line, {"name": "clear", "shfit": 1}, "here")
    with pytest.raises(DataError, match=r'^here: unknown key "shift": known: name$'):
        read_only(Line, {"name": "clear", "shift": 1}, "here", shift=2)
    with pytest.raises(DataError, match=r'^here: line 2: "name" is missing$'):
        read_all(Line, [{"name": "clear"}, {}], "here: line")


def test_a_word_must_be_one_of_those_that_are_known() -> None:
    assert word({"side": "red"}, "side", ("blue", "red"), "here") == 1
    with pytest.raises(DataError, match=r'^here: unknown side "rde": did you mean "red"\?$'):
        word({"side": "rde"}, "side", ("blue", "red"), "here")
    with pytest.raises(DataError, match=r'^here: "side" is missing$'):
        word({}, "side", ("blue", "red"), "here")


# ---------------------------------------------------------------------- game.toml


@pytest.fixture
def edit(tmp_path: Path) -> Edit:
    """A copy of the example's card with one thing written otherwise."""
    source = Path(__file__).parent.parent / "example" / "ford" / "data" / "game.toml"

    def change(old: str, new: str) -> Path:
        shutil.copy(source, tmp_path)
        text = source.read_text(encoding="utf-8")
        assert old in text
        (tmp_path / "game.toml").write_text(text.replace(old, new, 1), encoding="utf-8")
        return tmp_path

    return change


def test_the_card_says_what_players_read(edit: Edit) -> None:
    game = Ford(edit('title = "The Ford"', 'title = "Arnau"'))
    assert (game.slug, game.title, game.sides, game.side_titles) == ("ford", "Arnau", ("blue", "red"), ("Blue", "Red"))
    assert [(s.name, s.title) for s in game.scenarios] == [("battle", "The battle")]
    assert game.overlays == {"zoc": "Zones of control"}
    assert game.start().parse("end movement").kind == "end movement"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('title = "The Ford"', "", '"title" is missing'),
        ('title = "The Ford"', "title = 7", '"title" should be str, not 7'),
        ('title = "The Ford"', 'titel = "The Ford"', 'unknown key "titel": did you mean "title"?'),
        ('red = "Red"', "", "a game has two sides, not 1"),
        ('name = "battle"', "", 'scenario 1: "name" is missing'),
        (
            'name = "battle"',
            'name = "battle"\nlenght = 6',
            'scenario 1: unknown key "lenght": known: name, title, text',
        ),
        ("[[scenario]]", "[[option]]", 'option 1: unknown key "title": known: name, text, default, choices, rules'),
    ],
)
def test_a_wrong_card_is_refused(edit: Edit, old: str, new: str, said: str) -> None:
    folder = edit(old, new)
    with pytest.raises(DataError, match=re.escape(f"{folder / 'game.toml'}: {said}") + "$"):
        Ford(folder)


def test_the_questions_of_a_game_are_those_that_are_shipped(tmp_path: Path) -> None:
    """They are part of the choices, which all games of a kind share."""
    shipped = Path(narvik.__file__).parent / "data" / "decisions.toml"
    shutil.copy(shipped, tmp_path)
    Narvik(tmp_path)  # a copy that says the same does no harm
    (tmp_path / "decisions.toml").write_text(shipped.read_text("utf-8").replace("Choose", "Pick", 1), "utf-8")
    with pytest.raises(DataError, match=r"decisions\.toml: the questions are read once"):
        Narvik(tmp_path)
