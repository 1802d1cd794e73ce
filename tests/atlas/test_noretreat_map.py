"""The map of No Retreat! agrees with everything its rules and examples say about it."""

from __future__ import annotations

import pytest

from counterblow.kernel.board import Board
from tests.atlas.maps import (
    adjacent,
    board,
    flood,
    hexes,
    labels,
    neighbour,
    place,
    side,
    side_count,
    tagged,
    terrain,
    touches,
)

LAND = ("clear", "forest", "marsh", "mountain")


@pytest.fixture
def m() -> Board:
    return board("noretreat")


def distance(m: Board, a: str, b: str) -> int:
    return m.distance(m.node(a), m.node(b))


def test_thirty_two_cities_and_two_oil_fields(m: Board) -> None:
    assert sum(p.kind == "city" for p in m.places) == 32
    assert sum(p.kind == "oil_field" for p in m.places) == 2
    found = [node for p in m.places for node in p.nodes]
    assert len(found) == len(set(found)) == 34
    assert all(m.terrain[node] in LAND for node in found)


def test_control_at_the_start(m: Board) -> None:
    axis, soviet = tagged(m, "axis_start"), tagged(m, "soviet_start")
    assert (len(axis), len(soviet)) == (12, 22)
    assert not axis & soviet
    assert axis <= tagged(m, "greater_germany") | tagged(m, "rumania")
    assert soviet <= tagged(m, "ussr")


def test_objectives(m: Board) -> None:
    axis = ("Leningrad", "Moscow", "Stalingrad", "Sevastopol", "Caucasus Oil Fields")
    assert tagged(m, "axis_objective") == {place(m, name) for name in axis}
    soviet = ("Berlin", "Konigsberg", "Prague", "Vienna")
    assert tagged(m, "soviet_objective") == {place(m, name) for name in soviet}


def test_every_land_hex_is_in_one_country(m: Board) -> None:
    countries = [tagged(m, kind) for kind in ("greater_germany", "rumania", "ussr")]
    assert sum(len(country) for country in countries) == len(set().union(*countries))
    assert hexes(m, *LAND) <= set().union(*countries)


def test_the_rumanian_oil_is_next_to_bucharest(m: Board) -> None:
    assert adjacent(m, place(m, "Bucharest"), place(m, "Rumanian Oil Fields"))
    assert {place(m, "Bucharest"), place(m, "Rumanian Oil Fields")} <= tagged(m, "rumania")


def test_ladoga_lies_east_of_leningrad_and_the_edge_is_near(m: Board) -> None:
    """The supply example of 6.1: Leningrad, Ladoga, its east shore, the map edge within four hexes."""
    leningrad = place(m, "Leningrad")
    lakes = [n for d in ("E", "NE", "SE") if (n := neighbour(m, leningrad, d)) and terrain(m, n) == "lake"]
    assert lakes
    shores = [n for lake in lakes for d in ("E", "NE", "SE") if (n := neighbour(m, lake, d)) and terrain(m, n) in LAND]
    assert any(min(distance(m, n, edge) for edge in tagged(m, "soviet_edge")) + 1 <= 4 for n in shores)


def test_a_supply_line_from_riga_crosses_lake_peipus(m: Board) -> None:
    """The supply example of 6.1: a hex four from Riga, near Leningrad, whose line crosses the lake."""
    riga, leningrad = place(m, "Riga"), place(m, "Leningrad")
    peipus = {pair for line in m.side_lines if line.name == "Lake Peipus" for pair in line.pairs}
    assert len(peipus) >= 4
    near = [h for h in hexes(m, *LAND) if distance(m, h, riga) == 4 and distance(m, h, leningrad) in (2, 3)]
    assert any(
        distance(m, start, m.labels[a]) + 1 + distance(m, m.labels[b], riga) == 4 for start in near for a, b in peipus
    )


def test_odessa_behind_a_river_on_the_black_sea(m: Board) -> None:
    odessa = place(m, "Odessa")
    assert odessa in tagged(m, "black_sea_coast")
    west = [n for d in ("W", "NW", "SW") if (n := neighbour(m, odessa, d))]
    assert any(side(m, odessa, n, "river") for n in west)


def river_directions(m: Board, label: str) -> set[str]:
    return {d for d, n in m.grid.neighbours(label) if side(m, label, n, "river")}


def test_rivers_round_cities(m: Board) -> None:
    assert len(river_directions(m, place(m, "Stalingrad"))) >= 2
    assert river_directions(m, place(m, "Kiev")) & {"E", "NE", "SE"}
    south_east = neighbour(m, place(m, "Kiev"), "SE")
    assert south_east is not None
    assert terrain(m, south_east) in LAND


@pytest.mark.parametrize(
    "river",
    ["Oder", "Vistula", "Western Dvina", "Dnieper", "Dniester", "Danube", "Don", "Lower Volga", "Kuban", "Terek"],
)
def test_rivers_reach_the_sea(m: Board, river: str) -> None:
    assert touches(m, "river", river, lambda label: terrain(m, label) == "sea")


def test_ports(m: Board) -> None:
    assert {place(m, n) for n in ("Leningrad", "Riga", "Konigsberg", "Danzig")} == tagged(m, "baltic_port")
    assert {place(m, n) for n in ("Odessa", "Sevastopol")} == tagged(m, "black_sea_port")
    assert tagged(m, "caspian_port") == {place(m, "Astrakhan")}
    for sea in ("baltic", "black_sea", "caspian"):
        assert tagged(m, f"{sea}_port") <= tagged(m, f"{sea}_coast")


def test_coasts_are_land_and_hold_every_hex_beside_the_sea(m: Board) -> None:
    coasts = set().union(*(tagged(m, f"{sea}_coast") for sea in ("baltic", "black_sea", "azov", "caspian")))
    assert coasts <= hexes(m, *LAND)
    sea = {m.node(label) for label in hexes(m, "sea")}
    beside = {h for h in hexes(m, *LAND) if any(t in sea for t in m.around[m.node(h)])}
    assert beside <= coasts


def test_woods_and_marshes_where_the_play_record_has_them(m: Board) -> None:
    west_of_moscow = neighbour(m, place(m, "Moscow"), "W")
    assert west_of_moscow is not None
    assert terrain(m, west_of_moscow) == "forest"
    south = [n for d in ("SE", "SW") if (n := neighbour(m, place(m, "Leningrad"), d))]
    assert any(terrain(m, n) == "forest" for n in south)
    assert any(distance(m, h, place(m, "Sevastopol")) <= 2 for h in hexes(m, "marsh"))


def test_the_caucasus_oil_is_at_the_soviet_edge(m: Board) -> None:
    oil = place(m, "Caucasus Oil Fields")
    assert oil in tagged(m, "soviet_edge") or any(adjacent(m, oil, edge) for edge in tagged(m, "soviet_edge"))


def test_finland_touches_three_hexes_with_leningrad(m: Board) -> None:
    areas = {area.id: labels(m, area.borders) for area in m.areas if area.kind == "area"}
    assert len(areas["Finland"]) == 3
    assert place(m, "Leningrad") in areas["Finland"]
    assert all(terrain(m, label) in LAND for borders in areas.values() for label in borders)
    assert areas["Western Balkans"]
    assert areas["Southern Balkans"]


def test_edges(m: Board) -> None:
    assert tagged(m, "axis_edge") == {f"01{row:02d}" for row in range(8, 18)}
    assert tagged(m, "axis_edge") <= tagged(m, "greater_germany")
    assert tagged(m, "soviet_edge") <= tagged(m, "ussr")
    assert all(m.node(label) in m.edge_hexes for label in tagged(m, "axis_edge") | tagged(m, "soviet_edge"))


def test_distances(m: Board) -> None:
    assert 15 <= distance(m, place(m, "Berlin"), place(m, "Moscow")) <= 18
    assert 6 <= distance(m, place(m, "Leningrad"), place(m, "Moscow")) <= 7


def test_all_land_is_connected(m: Board) -> None:
    def passable(a: int, b: int) -> bool:
        return m.terrain[b] in LAND and not m.crosses(a, b, "prohibited")

    assert flood(m, [place(m, "Moscow")], passable) == hexes(m, *LAND)


def test_lake_sides_are_prohibited(m: Board) -> None:
    for label in hexes(m, "lake"):
        for there in m.around[m.node(label)]:
            if m.is_hex(there) and m.terrain[there] in LAND:
                assert m.crosses(m.node(label), there, "prohibited")
    assert {line.name for line in m.side_lines if line.kind == "prohibited"} == {
        "Lake Peipus", "Kerch Strait", "Lake Ladoga",
    }  # fmt: skip


def test_counts(m: Board) -> None:
    assert {word: len(hexes(m, word)) for word in ("forest", "marsh", "mountain", "lake")} == {
        "forest": 47, "marsh": 10, "mountain": 27, "lake": 1,
    }  # fmt: skip
    assert side_count(m, "river") == 272


def test_volkssturm_cities_are_german(m: Board) -> None:
    raised = {place(m, name) for name in ("Breslau", "Danzig", "Konigsberg", "Stettin", "Vienna")}
    assert tagged(m, "volkssturm") == raised <= tagged(m, "greater_germany")


def test_boxes_of_both_sides(m: Board) -> None:
    kinds = ("Rail", "Shattered", "Destroyed", "Surrendered", "Cadres")
    boxes = {area.id for area in m.areas if area.kind == "box"}
    assert boxes == {f"{side_name} {kind}" for side_name in ("Axis", "Soviet") for kind in kinds}
