"""Pixel coordinates: neighbours share sides, everything stays on its sheet."""

from __future__ import annotations

import json
import math
from itertools import combinations

import pytest

from counterblow.atlas import Layout
from tests.atlas.maps import SLUGS, board


@pytest.fixture(params=SLUGS)
def layout(request: pytest.FixtureRequest) -> Layout:
    return Layout(board(request.param))


def test_neighbours_are_one_hex_apart(layout: Layout) -> None:
    for here in range(layout.board.hexes):
        for there in layout.board.around[here]:
            if layout.board.is_hex(there):
                gap = math.dist(layout.centre(here), layout.centre(there))
                assert gap == pytest.approx(2 * layout.half)


def test_neighbours_share_exactly_one_side(layout: Layout) -> None:
    for here in range(layout.board.hexes):
        for there in layout.board.around[here]:
            if layout.board.is_hex(there):
                assert set(layout.lattice_side(here, there)) == set(layout.lattice_side(there, here))
                a, b = layout.side(here, there)
                assert math.dist(a, b) == pytest.approx(layout.radius)


def test_the_hex_across_a_side_is_the_neighbour(layout: Layout) -> None:
    node_at = {layout.cell(node): node for node in range(layout.board.hexes)}
    for here in range(layout.board.hexes):
        across = [
            node_at.get(layout.neighbour_across(layout.cell(here), s)) for s in layout.lattice_sides(layout.cell(here))
        ]
        found = {node for node in across if node is not None}
        assert found == {n for n in layout.board.around[here] if layout.board.is_hex(n)}


def test_hexes_lie_inside_the_frame(layout: Layout) -> None:
    for node in range(layout.board.hexes):
        assert all(layout.frame.holds(corner) for corner in layout.corners(node))


def test_areas_beside_the_map_and_boxes_do_not_touch_it_or_each_other(layout: Layout) -> None:
    beside = [layout.rects[a.node] for a in layout.board.areas if a.id not in layout.cells_of]
    assert all(rect.overlap(layout.frame) == 0 for rect in beside)
    assert all(one.overlap(two) == 0 for one, two in combinations(beside, 2))
    for rect in beside:
        assert rect.x >= 0
        assert rect.right <= layout.width
        assert rect.bottom <= layout.height


def test_areas_on_the_map_lie_in_its_frame(layout: Layout) -> None:
    for area in layout.board.areas:
        if area.id in layout.cells_of:
            assert layout.frame.holds(layout.centre(area.node))


def test_north_is_up(layout: Layout) -> None:
    grid = layout.grid
    for label in grid.labels:
        for direction, there in grid.neighbours(label):
            _, y0 = layout.centre(layout.board.node(label))
            _, y1 = layout.centre(layout.board.node(there))
            if "N" in direction:
                assert y1 < y0
            if "S" in direction:
                assert y1 > y0


def test_the_browser_gets_every_node(layout: Layout) -> None:
    found = json.loads(json.dumps(layout.to_json()))
    assert list(found["centres"]) == list(layout.board.labels)
    assert len(found["corners"]) == 6
    assert set(found["boxes"]) == {area.id for area in layout.board.areas}
    assert found["orientation"] == layout.grid.orientation


def test_a_larger_radius_scales_the_map() -> None:
    small, large = Layout(board("narvik"), 20.0), Layout(board("narvik"), 40.0)
    assert large.frame.width == pytest.approx(2 * small.frame.width)
    assert large.frame.height == pytest.approx(2 * small.frame.height)
