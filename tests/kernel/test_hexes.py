"""Grids of every orientation and numbering."""

from __future__ import annotations

import itertools

import pytest

from counterblow.kernel.hexes import Grid

EVERY = [
    Grid(orientation, 7, 6, rows_run, shifted, first, first)
    for orientation in ("flat", "pointy")
    for rows_run in ("down", "up")
    for shifted in ("odd", "even")
    for first in (0, 1)
]


@pytest.mark.parametrize("grid", EVERY)
def test_neighbours_are_mutual_and_one_hex_away(grid: Grid) -> None:
    opposite = {"N": "S", "S": "N", "NE": "SW", "SW": "NE", "NW": "SE", "SE": "NW", "E": "W", "W": "E"}
    for label in grid.labels:
        for direction, there in grid.neighbours(label):
            assert grid.distance(label, there) == 1
            assert grid.neighbour(there, opposite[direction]) == label
            assert grid.direction(label, there) == direction


@pytest.mark.parametrize("grid", EVERY)
def test_distance_is_the_shortest_walk(grid: Grid) -> None:
    start = grid.labels[0]
    walked = {start: 0}
    frontier = [start]
    while frontier:
        here = frontier.pop(0)
        for _, there in grid.neighbours(here):
            if there not in walked:
                walked[there] = walked[here] + 1
                frontier.append(there)
    assert walked == {label: grid.distance(start, label) for label in grid.labels}


@pytest.mark.parametrize("grid", EVERY)
def test_north_is_up_on_paper(grid: Grid) -> None:
    for label in grid.labels:
        for direction, there in grid.neighbours(label):
            rise = grid.paper(there)[1] - grid.paper(label)[1]
            assert rise <= 0 if "N" in direction else rise >= 0


def test_labels_of_a_grid_numbered_upwards() -> None:
    grid = Grid("flat", 3, 3, rows_run="up", shifted="even")
    assert grid.neighbour("0101", "N") == "0102"
    assert grid.neighbour("0202", "S") == "0201"
    assert grid.neighbour("0101", "S") is None


def test_pushed_columns_lie_lower() -> None:
    even = Grid("flat", 3, 3, shifted="even")
    assert even.neighbour("0101", "SE") == "0201"
    odd = Grid("flat", 3, 3, shifted="odd")
    assert odd.neighbour("0101", "SE") == "0202"
    assert Grid("pointy", 3, 3, shifted="even").neighbour("0101", "SE") == "0102"
    assert Grid("pointy", 3, 3, shifted="odd").neighbour("0101", "SE") == "0202"


def test_missing_hexes_are_no_neighbours() -> None:
    grid = Grid("flat", 2, 2, missing=frozenset({"0102"}))
    assert grid.labels == ("0101", "0201", "0202")
    assert grid.neighbour("0101", "S") is None


def test_not_adjacent_hexes_have_no_direction() -> None:
    with pytest.raises(ValueError, match="0101 and 0303 are not adjacent"):
        Grid("flat", 3, 3).direction("0101", "0303")


def test_a_line_along_a_hexside_touches_both_hexes() -> None:
    grid = Grid("flat", 5, 5, shifted="even")
    # 0102 and 0301... two columns apart at half height: the line runs along the side between the two hexes between
    assert grid.distance("0102", "0302") == 2
    assert set(grid.line("0102", "0302")) == {"0102", "0201", "0202", "0302"}


def test_a_straight_row_touches_only_its_hexes() -> None:
    grid = Grid("flat", 5, 6, shifted="even")
    assert grid.line("0201", "0205") == ["0201", "0202", "0203", "0204", "0205"]
    assert grid.line("0203", "0203") == ["0203"]


@pytest.mark.parametrize("grid", EVERY[:4])
def test_lines_are_the_same_both_ways_and_hang_together(grid: Grid) -> None:
    for here, there in itertools.islice(itertools.combinations(grid.labels, 2), 0, None, 7):
        line = grid.line(here, there)
        assert set(line) == set(grid.line(there, here))
        assert line[0] == here
        assert line[-1] == there
        assert all(any(grid.distance(a, b) <= 1 for b in line if b != a) for a in line)


def test_a_line_along_a_hexside_crosses_the_hexes_on_both_sides_together() -> None:
    grid = Grid("flat", 7, 7, shifted="odd")
    along = grid.crossed("0303", "0503")
    assert [len(hexes) for hexes in along] == [1, 2, 1]
    assert grid.line("0303", "0503") == [label for hexes in along for label in hexes]
    assert [len(hexes) for hexes in grid.crossed("0302", "0305")] == [1, 1, 1, 1]
    assert grid.crossed("0303", "0303") == [("0303",)]
