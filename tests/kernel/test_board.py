"""The board: what a map file says, and what is wrong with a bad one."""

from __future__ import annotations

import copy
import tomllib
from importlib import resources
from typing import Any

import pytest

from counterblow import DataError
from counterblow.kernel.board import Board
from tests.kernel.toy.game import Toy


def test_the_board_answers_in_words(toy: Toy) -> None:
    board = toy.board
    a, b = board.nodes(["0302", "0402"])
    assert board.crosses(a, b, "river")
    assert board.crosses(b, a, "river")
    assert not board.crosses(a, b, "wall")
    assert board.linked(board.node("0202"), board.node("0303"), "road")
    assert board.place("Town").nodes == (board.node("0503"),)
    found = board.place_at(board.node("0503"))
    assert found is not None
    assert found.name == "Town"
    assert board.terrain[board.node("0202")] == "woods"
    assert board.along("road") == frozenset(board.nodes(["0103", "0202", "0303", "0403", "0503"]))


def test_areas_border_hexes_and_boxes_do_not(toy: Toy) -> None:
    board = toy.board
    north, dead = board.nodes(["North", "Dead"])
    assert set(board.around[north]) == set(board.nodes(["0101", "0201"]))
    assert north in board.around[board.node("0101")]
    assert board.around[dead] == ()
    assert not board.is_hex(north)


def test_within_counts_hexes(toy: Toy) -> None:
    board = toy.board
    centre = board.node("0303")
    assert len(board.within(centre, 1)) == 7
    assert all(board.distance(centre, n) <= 2 for n in board.within(centre, 2))
    assert board.circle(centre, 2) == set(board.within(centre, 2)) != board.circle(centre, 1)
    assert board.circle(centre, 2) is board.circle(centre, 2)


def test_neighbours_are_told_node_by_node(toy: Toy) -> None:
    board = toy.board

    def dry(here: int, there: int) -> bool:
        return not board.crosses(here, there, "river")

    near = board.neighbours(dry)
    assert [(a, b) for a, nodes in enumerate(near) for b in nodes] == [pair for pair in board.step_pairs if dry(*pair)]
    assert near != board.around


def test_edge_hexes_are_the_rim(toy: Toy) -> None:
    assert len(toy.board.edge_hexes) == 2 * 6 + 2 * 5 - 4


@pytest.fixture
def table() -> dict[str, Any]:
    text = (resources.files("tests.kernel.toy") / "data" / "map.toml").read_text()
    return copy.deepcopy(tomllib.loads(text))


def test_a_dash_in_the_terrain_is_no_hex(table: dict[str, Any]) -> None:
    rows = table["terrain"]["hexes"].splitlines()
    rows[-1] = "-" + rows[-1].strip()[1:]
    table["terrain"]["hexes"] = "\n".join(rows)
    lowest = f"01{table['grid']['rows']:02d}"
    whole = Board(tomllib.loads((resources.files("tests.kernel.toy") / "data" / "map.toml").read_text()))
    board = Board(table)
    assert lowest in whole
    assert lowest not in board
    assert board.hexes == whole.hexes - 1


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (lambda t: t.pop("title"), '"title" is missing'),
        (lambda t: t["grid"].update(orientation="round"), '"orientation" should be flat or pointy'),
        (lambda t: t["grid"].update(columns="six"), '"columns" should be int'),
        (lambda t: t["grid"].update(first="A1"), "four digits"),
        (lambda t: t["grid"].update(rows=6), "5 rows of symbols, but the grid has 6"),
        (lambda t: t["grid"].update(columns=7), "row 1 has 6 symbols"),
        (lambda t: t["terrain"]["legend"].pop("w"), '0202: unknown symbol "w"'),
        (lambda t: t["sides"][0]["between"].append("0101/0505"), "Rill.*0101 and 0505 are not adjacent"),
        (lambda t: t["sides"][0]["between"].append("0101-0102"), 'should be like "0912/1011"'),
        (lambda t: t["sides"][0]["between"].append("0101/0199"), 'unknown hex or area "0199"'),
        (lambda t: t["links"][0]["hexes"].append("0101"), "High road.*not adjacent"),
        (lambda t: t["places"][0]["hexes"].append("9901"), 'Town.*unknown hex or area "9901"'),
        (lambda t: t["areas"].append({"id": "Dead"}), "same id"),
        (lambda t: t["areas"].append({"name": "nameless"}), 'areas number 3: "id" is missing'),
        (lambda t: t.update(tags=[{"kind": "coast", "hexes": ["0000"]}]), 'coast.*unknown hex or area "0000"'),
    ],
)
def test_a_broken_map_says_what_and_where(table: dict[str, Any], spoil: Any, complaint: str) -> None:
    spoil(table)
    with pytest.raises(DataError, match=complaint):
        Board(table, "map.toml")
