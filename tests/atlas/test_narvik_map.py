"""The map of Narvik 1940 agrees with the hexes its rulebook names."""

from __future__ import annotations

import pytest

from counterblow.kernel.board import Board
from tests.atlas.maps import (
    adjacent,
    along,
    board,
    data,
    flood,
    hexes,
    labels,
    link_count,
    neighbour,
    place,
    side,
    side_count,
    tagged,
    terrain,
)

CLOSED = ("sea", "sweden")


@pytest.fixture
def m() -> Board:
    return board("narvik")


def test_size(m: Board) -> None:
    assert m.hexes == 22 * 27
    words = ("sea", "clear", "rough", "lake", "objective", "village", "peak", "sweden")
    counts = {word: len(hexes(m, word)) for word in words}
    assert counts == {
        "sea": 91, "clear": 146, "rough": 272, "lake": 13, "objective": 5, "village": 24, "peak": 26, "sweden": 17,
    }  # fmt: skip


def test_rows_run_south_and_even_columns_lie_higher(m: Board) -> None:
    assert neighbour(m, "0919", "S") == "0920"
    assert neighbour(m, "0919", "NE") == "1019"
    assert neighbour(m, "0820", "NE") == "0919"


@pytest.mark.parametrize(
    ("name", "label"),
    [("Narvik", "0919"), ("Bjornfjell", "2020"), ("Bogen", "0216"), ("Salangen", "1801"), ("Bjerkvik", "1215")],
)
def test_objectives(m: Board, name: str, label: str) -> None:
    assert place(m, name) == label
    assert terrain(m, label) == "objective"


def test_places_match_their_terrain(m: Board) -> None:
    for p in m.places:
        assert all(m.terrain[node] == p.kind for node in p.nodes), p.name
    found = [node for p in m.places for node in p.nodes]
    assert len(found) == len(set(found))


def test_numbered_peaks(m: Board) -> None:
    numbered = {p["hexes"][0] for p in data("narvik", "map.toml")["places"] if "number" in p}
    assert numbered == tagged(m, "numbered_peak")
    assert "1912" in numbered
    assert len(numbered) >= 6  # so that both sides can hold three
    assert all(terrain(m, label) == "peak" for label in numbered)


def test_the_ore_railway_runs_from_narvik_to_the_frontier(m: Board) -> None:
    line = along(m, "rail", "0919")
    assert "2020" in line
    assert tagged(m, "rail_terminal") == {"0919", "2020"}
    assert any(terrain(m, label) == "sweden" for label in line)
    assert all(terrain(m, label) != "sea" for label in line)


def test_the_german_set_up_zone(m: Board) -> None:
    centre = m.node("2020")
    assert m.distance(centre, m.node("0919")) <= 15
    assert m.distance(centre, m.node("0216")) > 15
    assert m.distance(centre, m.node("1801")) > 15


def test_the_allied_set_up_hexes_surround_their_bases(m: Board) -> None:
    for base, kind in (("0216", "british_setup"), ("1801", "norwegian_setup")):
        around = {m.labels[node] for node in m.around[m.node(base)] if m.is_hex(node)}
        open_land = {label for label in around if terrain(m, label) not in CLOSED}
        assert tagged(m, kind) == open_land | {base}


def test_ferry_terminals_are_on_the_coast(m: Board) -> None:
    ferries = tagged(m, "ferry_terminal")
    assert ferries <= tagged(m, "coast")
    assert tagged(m, "german_ferry") == {"0919", place(m, "Ankenes")} <= ferries
    assert {place(m, name) for name in ("Bogen", "Narvik", "Bjerkvik")} <= tagged(m, "coast")


def test_coast_hexes_are_open_land(m: Board) -> None:
    assert len(tagged(m, "coast")) == 82
    assert all(terrain(m, label) not in CLOSED for label in tagged(m, "coast"))


def test_every_coast_hex_has_a_sea_lane_to_the_west_edge(m: Board) -> None:
    """Rulings: a chain of sea and coast hexes that crosses no inlet."""
    wet = {m.node(label) for label in hexes(m, "sea") | tagged(m, "coast")}
    west = [label for label in hexes(m, "sea") if label.startswith("01")]
    lanes = flood(m, west, lambda a, b: b in wet and not m.crosses(a, b, "inlet"))
    assert tagged(m, "coast") <= lanes


def test_all_objectives_can_be_walked_to(m: Board) -> None:
    def passable(a: int, b: int) -> bool:
        return m.terrain[b] not in CLOSED and not m.crosses(a, b, "all_sea")

    assert hexes(m, "objective") <= flood(m, ["2020"], passable)


def test_fjords_between_hexes(m: Board) -> None:
    assert side(m, "0919", place(m, "Ankenes"), "all_sea")
    assert side(m, place(m, "Oyjord"), "1019", "all_sea")
    assert side_count(m, "inlet") == 19
    assert side_count(m, "all_sea") == 14
    for line in m.side_lines:
        for a, b in line.pairs:
            assert m.terrain[a] not in CLOSED
            assert not m.linked(a, b, "road")
            assert not m.linked(a, b, "rail")


def test_roads_keep_off_water(m: Board) -> None:
    assert all(terrain(m, label) not in ("sea", "lake") for label in labels(m, m.along("road")))


def test_staging_areas_border_the_right_edges(m: Board) -> None:
    areas = {area.id: labels(m, area.borders) for area in m.areas if area.kind == "area"}
    assert set(areas) == {"Harstad", "Bardufoss", "Swedish Transit"}
    assert all(terrain(m, label) not in CLOSED for borders in areas.values() for label in borders)
    assert {label[:2] for label in areas["Harstad"]} == {"01"}
    assert all(label[2:] == "01" or label[:2] == "22" for label in areas["Bardufoss"])
    assert not areas["Swedish Transit"] & areas["Bardufoss"]
    sweden = {m.node(label) for label in hexes(m, "sweden")}
    for label in areas["Swedish Transit"]:
        assert any(there in sweden for there in m.around[m.node(label)])
    assert any(adjacent(m, "2020", label) for label in areas["Swedish Transit"])


def test_a_road_or_the_railway_leads_into_each_staging_area(m: Board) -> None:
    roads = labels(m, m.along("road"))
    assert tagged(m, "road_exit_west") <= roads & labels(m, m.areas[0].borders)
    assert tagged(m, "road_exit_east") <= roads & labels(m, m.areas[1].borders)
    assert tagged(m, "rail_exit_east") <= labels(m, m.along("rail")) & labels(m, m.areas[2].borders)


def test_the_optional_division_enters_in_the_south(m: Board) -> None:
    assert {label[2:] for label in tagged(m, "south_edge")} == {"27"}
    assert all(terrain(m, label) not in CLOSED for label in tagged(m, "south_edge"))


@pytest.mark.parametrize(
    ("town", "other"),
    [("Bogen", "Bjerkvik"), ("Bjerkvik", "Oyjord"), ("Bjerkvik", "Vassdal"), ("Bjerkvik", "Fossbakken"),
     ("Gratangen", "Fjelldal"), ("Aarstein", "Gratangen"), ("Fossbakken", "Soloy"), ("Narvik", "Beisfjord"),
     ("Ankenes", "Haakvik"), ("Grov", "Foldvik")],
)  # fmt: skip
def test_roads_join_the_villages(m: Board, town: str, other: str) -> None:
    assert place(m, other) in along(m, "road", place(m, town))


def test_no_road_joins_narvik_to_the_north_shore(m: Board) -> None:
    assert place(m, "Bjerkvik") not in along(m, "road", "0919")


def test_line_counts(m: Board) -> None:
    assert (link_count(m, "rail"), link_count(m, "road")) == (14, 58)


def test_each_staging_area_has_its_exits(m: Board) -> None:
    exits = ("road_exit_west", "road_exit_east", "rail_exit_east")
    assert [len(tagged(m, kind)) for kind in exits] == [1, 2, 1]


def test_boxes_for_units_off_the_map(m: Board) -> None:
    boxes = {area.id for area in m.areas if area.kind == "box"}
    for side_name in ("German", "Allied"):
        assert {f"{side_name} {box}" for box in ("Regroup", "Eliminated", "Pool", "Strikes", "Arrivals")} <= boxes
    assert {"Allied Scheduled", "Troop Transfer"} <= boxes
