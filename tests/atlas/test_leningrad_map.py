"""The map of Leningrad 1941 agrees with everything its rules say about it."""

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
    line_names,
    link_count,
    neighbour,
    place,
    side,
    side_count,
    tagged,
    terrain,
    touches,
)


@pytest.fixture
def m() -> Board:
    return board("leningrad")


def walkable(m: Board) -> set[str]:
    """Every hex that can be reached from Leningrad on dry land."""
    return flood(m, ["0904"], lambda a, b: dry(m, a, b))


def dry(m: Board, a: int, b: int) -> bool:
    return m.terrain[b] == "clear" and not m.crosses(a, b, "all_sea") and not m.crosses(a, b, "all_lake")


def test_size(m: Board) -> None:
    assert m.hexes == 20 * 19
    counts = {word: len(hexes(m, word)) for word in ("clear", "sea", "lake", "closed")}
    assert counts == {"clear": 327, "sea": 26, "lake": 20, "closed": 7}


def test_two_leningrad_hexes_one_north_of_the_other_on_the_gulf(m: Board) -> None:
    south, north = place(m, "Leningrad South"), place(m, "Leningrad North")
    assert [p.name for p in m.places if p.kind == "leningrad"] == ["Leningrad South", "Leningrad North"]
    assert north in (neighbour(m, south, "NE"), neighbour(m, south, "NW"))
    assert {south, north} <= tagged(m, "coast")
    assert tagged(m, "kirov_factory") == {south}
    assert side(m, south, north, "river")


def test_every_place_has_a_land_hex_of_its_own(m: Board) -> None:
    found = [m.labels[node] for p in m.places for node in p.nodes]
    assert len(found) == len(set(found))
    assert all(terrain(m, label) == "clear" for label in found)


def test_the_germans_start_ssw_and_sse_of_pskov(m: Board) -> None:
    pskov = place(m, "Pskov")
    assert tagged(m, "german_start") == {neighbour(m, pskov, "SW"), neighbour(m, pskov, "SE")}
    assert all(terrain(m, label) == "clear" for label in tagged(m, "german_start"))
    assert {label[2:] for label in tagged(m, "german_start")} == {"18"}  # one row lies south of them


def test_kronshtadt_is_an_island_next_to_the_coast(m: Board) -> None:
    fort = place(m, "Kronshtadt")
    assert tagged(m, "island") == {fort}
    assert flood(m, [fort], lambda a, b: dry(m, a, b)) == {fort}
    assert any(adjacent(m, fort, coast) for coast in tagged(m, "coast") - {fort})
    assert m.distance(m.node(fort), m.node("0904")) <= 2


@pytest.mark.parametrize("river", ["Narva", "Luga"])
def test_rivers_reach_the_gulf(m: Board, river: str) -> None:
    assert touches(m, "river", river, lambda label: terrain(m, label) == "sea")


def test_the_neva_runs_from_ladoga_to_the_gulf(m: Board) -> None:
    assert touches(m, "river", "Neva", lambda label: terrain(m, label) == "lake")
    assert touches(m, "river", "Neva", lambda label: label in tagged(m, "coast"))


@pytest.mark.parametrize("river", ["Shelon", "Lovat", "Msta", "Volkhov"])
def test_rivers_meet_lake_ilmen(m: Board, river: str) -> None:
    assert touches(m, "river", river, lambda label: label in tagged(m, "ilmen"))


def test_the_volkhov_reaches_ladoga(m: Board) -> None:
    assert touches(m, "river", "Volkhov", lambda label: label in tagged(m, "ladoga"))


def test_every_river_has_three_sides_or_more(m: Board) -> None:
    assert len(line_names(m, "river")) == 9
    assert all(side_count(m, "river", river) >= 3 for river in line_names(m, "river"))


def test_narva_stands_on_the_west_bank_and_its_river_cuts_off_the_west(m: Board) -> None:
    narva = place(m, "Narva")
    east = neighbour(m, narva, "E")
    assert east is not None
    assert side(m, narva, east, "river")
    rivers = [line for line in m.side_lines if line.name == "Narva"]
    barred = {pair for line in rivers for pair in line.pairs}
    west = flood(m, [narva], lambda a, b: dry(m, a, b) and (a, b) not in barred)
    assert east not in west
    assert west == tagged(m, "west_of_narva")
    assert west & tagged(m, "west_edge")


def test_the_velikaya_passes_pskov(m: Board) -> None:
    pskov = m.node(place(m, "Pskov"))
    velikaya = {pair for line in m.side_lines if line.name == "Velikaya" for pair in line.pairs}
    assert any((pskov, there) in velikaya for there in m.around[pskov])


def test_roads_leave_by_three_edges(m: Board) -> None:
    assert len(tagged(m, "road_exit_south")) >= 2
    assert tagged(m, "road_exit_west")
    assert tagged(m, "road_exit_east")
    for kind in ("road", "rail"):
        for edge in ("west", "south", "east"):
            assert tagged(m, f"{kind}_exit_{edge}") <= tagged(m, f"{edge}_edge")


def test_the_road_net_joins_the_towns(m: Board) -> None:
    net = along(m, "road", "0904")
    towns = ("Pskov", "Luga", "Narva", "Novgorod", "Staraya Russa", "Valdai", "Tichvin", "Dno", "Krasnogvardeisk",
             "Kingisepp", "Gdov")  # fmt: skip
    assert {place(m, town) for town in towns} <= net
    assert tagged(m, "german_start") & net
    assert all(tagged(m, f"road_exit_{edge}") <= net for edge in ("south", "west", "east"))


def test_the_rail_net_joins_leningrad_to_the_edges(m: Board) -> None:
    net = along(m, "rail", "0904")
    towns = ("Pskov", "Luga", "Narva", "Novgorod", "Staraya Russa", "Valdai", "Tichvin", "Dno", "Volkhov", "Mga",
             "Oranienbaum")  # fmt: skip
    assert {place(m, town) for town in towns} <= net
    assert len(tagged(m, "rail_exit_east") & net) >= 2
    assert tagged(m, "rail_exit_south") & net


def test_roads_and_railways_stay_on_dry_land(m: Board) -> None:
    for line in m.link_lines:
        for a, b in line.pairs:
            assert dry(m, a, b)
            assert dry(m, b, a)


def test_the_gulf_coast(m: Board) -> None:
    gulf = {m.node(label) for label in hexes(m, "sea")}
    for label in hexes(m, "clear"):
        if any(there in gulf for there in m.around[m.node(label)]):
            assert label in tagged(m, "coast")
    assert all(terrain(m, label) == "clear" for label in tagged(m, "coast"))


def test_the_8th_army_may_land_east_of_narva(m: Board) -> None:
    shore = tagged(m, "coast_east_of_narva")
    assert shore == tagged(m, "coast") - tagged(m, "west_of_narva") - tagged(m, "island")
    assert len(shore) >= 6
    assert {"0903", "0904"} <= shore


def test_defence_lines_face_outwards(m: Board) -> None:
    inside = {
        name: {m.labels[a] for line in m.side_lines if line.name == name for a, _ in line.pairs}
        for name in ("Luga line", "Krasnogvardeisk line")
    }
    assert side_count(m, "defence_line", "Luga line") >= 5
    assert side_count(m, "defence_line", "Krasnogvardeisk line") >= 5
    assert {place(m, "Luga"), place(m, "Kingisepp")} <= inside["Luga line"]
    assert place(m, "Krasnogvardeisk") in inside["Krasnogvardeisk line"]
    assert place(m, "Pskov") not in inside["Luga line"] | inside["Krasnogvardeisk line"]
    for line in m.side_lines:
        if line.kind == "defence_line":
            assert not any((b, a) in line.pairs for a, b in line.pairs)


def test_the_luga_line_runs_from_the_gulf_to_lake_ilmen(m: Board) -> None:
    assert touches(m, "defence_line", "Luga line", lambda label: terrain(m, label) == "sea")
    assert touches(m, "defence_line", "Luga line", lambda label: label in tagged(m, "ilmen"))


def test_distances(m: Board) -> None:
    assert 10 <= m.distance(m.node(place(m, "Pskov")), m.node("0904")) <= 18
    for town in ("Tichvin", "Valdai"):
        assert int(place(m, town)[:2]) <= m.grid.columns - 2


def test_the_objectives_are_joined_by_land(m: Board) -> None:
    reach = walkable(m)
    assert {place(m, name) for name in ("Tichvin", "Valdai", "Pskov", "Narva")} <= reach


def test_four_bodies_of_water(m: Board) -> None:
    assert hexes(m, "sea") == tagged(m, "gulf")
    assert hexes(m, "lake") == tagged(m, "ladoga") | tagged(m, "peipus") | tagged(m, "ilmen")
    assert [len(tagged(m, lake)) for lake in ("ladoga", "peipus", "ilmen")] == [10, 8, 2]


def test_set_up_hexes_are_land(m: Board) -> None:
    starts = {
        label
        for unit in data("leningrad", "units.toml")["unit"]
        for label in unit.get("start", [])
        if label in m  # a start may also be a box or a word
    }
    assert starts
    assert all(terrain(m, label) == "clear" for label in starts)


def test_lines(m: Board) -> None:
    assert (link_count(m, "road"), link_count(m, "rail")) == (109, 119)
    assert side_count(m, "river") == 116
    assert (side_count(m, "all_sea"), side_count(m, "all_lake"), side_count(m, "defence_line")) == (4, 1, 39)


@pytest.mark.parametrize(
    ("road", "ends"),
    [
        ("Luga-Novgorod road", {"Luga", "Novgorod"}),
        ("Pskov-Staraya Russa road", {"Pskov", "Staraya Russa"}),
        ("Porkhov-Novgorod road", {"Porkhov", "Novgorod"}),
        ("Staraya Russa-Valdai road", {"Staraya Russa", "Valdai"}),
        ("Shlisselburg road", {"Mga", "Shlisselburg"}),
        ("Ladoga road", {"Leningrad South", "Tichvin"}),
        ("Baltic railway", {"Krasnogvardeisk"}),
        ("October railway", {"Leningrad South"}),
        ("Vitebsk railway", {"Leningrad South"}),
        ("Warsaw railway", {"Leningrad South"}),
        ("Novgorod branch", {"Chudovo", "Novgorod"}),
        ("Luga-Novgorod branch", {"Luga", "Novgorod"}),
        ("Kirishi railway", {"Mga"}),
        ("Volkhov-Chudovo railway", {"Volkhov", "Chudovo"}),
        ("Gdov railway", {"Pskov", "Narva"}),
    ],
)
def test_named_lines_join_the_towns_they_are_named_for(m: Board, road: str, ends: set[str]) -> None:
    (line,) = [entry["hexes"] for entry in data("leningrad", "map.toml")["links"] if entry["name"] == road]
    assert {place(m, town) for town in ends} <= {line[0], line[-1]}
    if len(ends) == 1:  # the other end is at the edge of the map
        assert m.node(line[0]) in m.edge_hexes or m.node(line[-1]) in m.edge_hexes


def test_every_edge_hex_of_the_land_is_tagged(m: Board) -> None:
    rows = {label: (label[:2], label[2:]) for label in hexes(m, "clear")}
    assert tagged(m, "north_edge") == {label for label, (_, row) in rows.items() if row == "01"}
    assert tagged(m, "south_edge") == {label for label, (_, row) in rows.items() if row == "19"}
    assert tagged(m, "west_edge") == {label for label, (column, _) in rows.items() if column == "01"}
    assert tagged(m, "east_edge") == {label for label, (column, _) in rows.items() if column == "20"}


def test_a_railway_leaves_westward(m: Board) -> None:
    assert tagged(m, "rail_exit_west") == tagged(m, "road_exit_west")
