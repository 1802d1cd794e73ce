"""The map of Across the Narva agrees with the rulebook's hexes and with its set-up."""

from __future__ import annotations

from itertools import pairwise

import pytest

from counterblow.kernel.board import Board
from tests.atlas.maps import (
    adjacent,
    board,
    data,
    flood,
    hexes,
    labels,
    link_count,
    neighbour,
    side,
    side_count,
    tagged,
    terrain,
    touches,
)

NARVA = {"3030", "3029", "3028", "2930"}
IVANGOROD = {"3129", "3130", "3131"}
ROADS = ("rollbahn", "road", "track", "trail", "winter_trail", "major_railway", "minor_railway")


@pytest.fixture
def m() -> Board:
    return board("narva")


def setup() -> list[tuple[str, str, str, str, bool]]:
    """(side, formation, unit, hex, is an HQ) of everything that starts on the map."""
    return [
        (formation["side"], formation["name"], unit["id"], unit["at"], "hq" in unit)
        for formation in data("narva", "units.toml")["formation"]
        for unit in formation["units"]
        if "at" in unit
    ]


def villages(m: Board) -> set[str]:
    return labels(m, (node for p in m.places if p.kind == "village" for node in p.nodes))


def linked(m: Board, a: int, b: int) -> bool:
    return any(m.linked(a, b, kind) for kind in ROADS)


def on_roads(m: Board) -> set[str]:
    return labels(m, (node for kind in ROADS for node in m.along(kind)))


def test_size(m: Board) -> None:
    assert m.hexes == 36 * 39
    counts = {word: len(hexes(m, word)) for word in ("sea", "clear", "woods", "swamp", "hill", "city")}
    assert counts == {"sea": 151, "clear": 541, "woods": 424, "swamp": 281, "hill": 3, "city": 4}


def test_rows_run_north_and_odd_columns_lie_lower(m: Board) -> None:
    assert neighbour(m, "1005", "N") == "1006"
    assert neighbour(m, "1005", "SE") == "1105"  # 1105 lies half a hex below 1005
    assert all(adjacent(m, a, b) for a, b in (("1429", "1530"), ("1530", "1629")))  # the hills touch


def test_named_sites(m: Board) -> None:
    assert hexes(m, "city") == NARVA == labels(m, m.place("Narva").nodes)
    assert hexes(m, "hill") == {"1429", "1530", "1629"}
    assert labels(m, m.place("Ivangorod").nodes) == IVANGOROD
    assert labels(m, m.place("Narva-Joesuu (Hungerburg)").nodes) == {"2337"}
    assert labels(m, m.place("Krivasoo").nodes) == {"1820"}


def test_two_banks_each_in_one_piece(m: Board) -> None:
    west, east = tagged(m, "west_bank"), tagged(m, "east_bank")
    land = hexes(m, "clear", "woods", "swamp", "hill", "city")
    assert west | east == land
    assert not west & east
    for bank in (west, east):
        nodes = {m.node(label) for label in bank}
        assert flood(m, [min(bank)], lambda a, b, n=nodes: b in n) == bank  # type: ignore[misc]


def test_the_narva_parts_the_banks(m: Board) -> None:
    west = m.tagged("west_bank")
    for a in west:
        for b in m.around[a]:
            if b in m.tagged("east_bank"):
                assert m.crosses(a, b, "major_river")
    for line in m.side_lines:
        if line.kind == "major_river":
            assert all((a in west) != (b in west) for a, b in line.pairs)
    assert side_count(m, "major_river") == 104
    assert touches(m, "major_river", "Narva", lambda label: terrain(m, label) == "sea")
    assert any("1003" in (m.labels[a], m.labels[b]) for line in m.side_lines if line.kind == "major_river"
               for a, b in line.pairs)  # fmt: skip


def test_the_upper_narva_never_freezes(m: Board) -> None:
    assert side_count(m, "ice_free") == 47
    for line in m.side_lines:
        if line.kind == "ice_free":
            assert all(m.crosses(a, b, "major_river") for a, b in line.pairs)
            assert all(int(m.labels[node][2:]) <= 20 for pair in line.pairs for node in pair)


def test_units_start_on_land_on_their_own_bank(m: Board) -> None:
    bridgehead = tagged(m, "bridgehead")
    for who, formation, unit, at, _ in setup():
        assert terrain(m, at) != "sea", unit
        if who == "soviet":
            assert at in tagged(m, "east_bank") - bridgehead, unit
        else:
            assert at in tagged(m, "west_bank") | bridgehead, unit
            if at in NARVA | bridgehead:
                assert formation in ("11SS", "4SS"), unit


def test_set_up_keeps_to_stacking(m: Board) -> None:
    stacks: dict[str, list[tuple[str, bool]]] = {}
    for who, _, _, at, hq in setup():
        stacks.setdefault(at, []).append((who, hq))
    assert len(stacks) > 60
    for at, units in stacks.items():
        assert len({who for who, _ in units}) == 1, at
        assert sum(not hq for _, hq in units) <= 2, at
        assert sum(hq for _, hq in units) <= 1, at


def test_opposing_units_face_each_other_over_the_river(m: Board) -> None:
    for a, b in (("1820", "1921"), ("2022", "2021"), ("2022", "2122"), ("2423", "2422"), ("2732", "2733"),
                 ("2633", "2734"), ("2634", "2635"), ("1107", "1207"), ("1005", "1105"), ("3031", "3032")):  # fmt: skip
        assert side(m, a, b, "major_river")


def test_the_river_runs_between_narva_and_ivangorod(m: Board) -> None:
    assert tagged(m, "west_bank") >= NARVA
    assert tagged(m, "east_bank") >= IVANGOROD
    for a in NARVA:
        for b in IVANGOROD:
            if adjacent(m, a, b):
                assert side(m, a, b, "major_river")


def test_prepared_defences_shut_in_the_bridgehead(m: Board) -> None:
    works = tagged(m, "pd_nordland") | tagged(m, "pd_nederland")
    assert (len(tagged(m, "pd_nordland")), len(tagged(m, "pd_nederland"))) == (5, 4)
    assert works <= tagged(m, "east_bank")
    east, barred = m.tagged("east_bank"), {m.node(label) for label in works}
    inside = flood(m, sorted(IVANGOROD), lambda a, b: b in east and b not in barred)
    assert inside | works == tagged(m, "bridgehead")
    assert len(tagged(m, "bridgehead")) < 30
    for kind in ("pd_nordland", "pd_nederland"):
        group = tagged(m, kind)
        assert all(any(adjacent(m, a, b) for b in group) for a in group)


def test_entries_and_sources_lie_on_roads_at_the_edges(m: Board) -> None:
    entries = tagged(m, "entry_A") | tagged(m, "entry_B") | tagged(m, "entry_C")
    assert len(tagged(m, "entry_A")) == len(tagged(m, "entry_C")) == 1
    assert len(tagged(m, "entry_B")) >= 2
    assert entries == tagged(m, "german_source")
    assert entries <= tagged(m, "west_edge")
    assert tagged(m, "soviet_source") <= tagged(m, "east_edge") | tagged(m, "south_edge")
    assert entries | tagged(m, "soviet_source") <= on_roads(m)


def test_bridges_are_where_roads_cross_the_narva(m: Board) -> None:
    crossing = {
        frozenset((m.labels[a], m.labels[b]))
        for a, b in m.step_pairs
        if m.is_hex(a) and m.is_hex(b) and m.crosses(a, b, "major_river") and linked(m, a, b)
    }
    assert crossing == {frozenset(p) for p in (("3029", "3130"), ("3028", "3129"), ("1820", "1921"), ("2021", "2022"))}
    assert side_count(m, "bridge") == len(crossing)
    assert all(side(m, min(pair), max(pair), "bridge") for pair in crossing)


def test_ferries_join_roads_over_the_narva(m: Board) -> None:
    ferries = [line for line in m.side_lines if line.kind == "ferry"]
    assert len(ferries) == 8
    for ferry in ferries:
        for a, b in ferry.pairs:
            assert m.crosses(a, b, "major_river")
            assert m.labels[a] in on_roads(m)
    assert sum(m.crosses(*ferry.pairs[0], "ice_free") for ferry in ferries) >= 3


def test_the_rollbahn_runs_unbroken_from_a_to_narva(m: Board) -> None:
    course = data("narva", "map.toml")
    (entry,) = [tag for tag in course["tags"] if tag["kind"] == "rollbahn_a_narva"]
    road = entry["hexes"]
    assert road[0] in tagged(m, "entry_A")
    assert road[-1] == "2930"
    assert all(m.linked(m.node(a), m.node(b), "rollbahn") for a, b in pairwise(road))
    assert set(road) <= tagged(m, "west_bank")


def test_the_railway_is_cut(m: Board) -> None:
    a, b = sorted(tagged(m, "railway_cut"))
    assert adjacent(m, a, b)
    assert not m.linked(m.node(a), m.node(b), "major_railway")
    assert {a, b} <= labels(m, m.along("major_railway"))


def test_merekula_and_its_beaches(m: Board) -> None:
    village = labels(m, m.place("Merekula").nodes)
    assert village == tagged(m, "merekula")
    assert len(village) == 2
    assert village <= tagged(m, "coast")
    beside = {b for b in tagged(m, "coast") - village if any(adjacent(m, a, b) for a in village)}
    assert beside == tagged(m, "merekula_beach")
    assert len(beside) == 2


def test_coast_hexes_are_land_beside_the_sea(m: Board) -> None:
    sea = {m.node(label) for label in hexes(m, "sea")}
    beside = {m.labels[n] for n in range(m.hexes) if n not in sea and any(t in sea for t in m.around[n])}
    assert tagged(m, "coast") == beside


def test_villages(m: Board) -> None:
    assert tagged(m, "west_village") == villages(m) & tagged(m, "west_bank")
    assert len(tagged(m, "west_village")) == 25
    assert len(villages(m)) == 41


def test_headquarters_are_near_their_units(m: Board) -> None:
    units = setup()
    for who, formation, _, at, hq in units:
        others = [u for u in units if u[0] == who and u[1] == formation and not u[4]]
        if hq and others:
            assert min(m.distance(m.node(at), m.node(u[3])) for u in others) <= 8


def supplied(m: Board, who: str) -> set[str]:
    """Hexes joined to a side's sources at the start (chapter 10)."""
    foes = {m.node(at) for side_, _, _, at, hq in setup() if side_ != who and not hq}
    own = {m.node(at) for side_, _, _, at, _ in setup() if side_ == who}
    watched = {
        b
        for a in foes
        for b in m.around[a]
        if m.is_hex(b) and (not m.crosses(a, b, "major_river") or m.crosses(a, b, "bridge"))
    }
    open_ground = {m.node(label) for label in hexes(m, "clear", "hill", "city") | villages(m)}

    def passable(a: int, b: int) -> bool:
        if m.crosses(a, b, "major_river") and not (m.crosses(a, b, "bridge") or m.crosses(a, b, "ferry")):
            return False
        if m.terrain[b] == "sea" or b in foes or (b in watched and b not in own):
            return False
        return linked(m, a, b) or m.crosses(a, b, "ferry") or b in own or b in open_ground

    return flood(m, sorted(tagged(m, "german_source" if who == "german" else "soviet_source")), passable)


@pytest.mark.parametrize(("who", "without"), [("german", {"162G", "176G", "209G"}), ("soviet", {"880"})])
def test_supply_at_the_start(m: Board, who: str, without: set[str]) -> None:
    reach = supplied(m, who)
    assert {unit for side_, _, unit, at, _ in setup() if side_ == who and at not in reach} == without


def test_roads_stay_on_land(m: Board) -> None:
    assert all(terrain(m, label) != "sea" for label in on_roads(m))
    assert link_count(m, "rollbahn") >= 28


def test_tributaries_reach_the_narva_or_the_sea(m: Board) -> None:
    river = {m.labels[n] for line in m.side_lines if line.kind == "major_river" for pair in line.pairs for n in pair}
    for name in ("Plyussa", "Mustajogi", "Gorodenka", "Poruni", "Rosona"):
        assert touches(m, "minor_river", name, lambda label: label in river), name
    for name in ("Sotke", "Torvajogi"):
        assert touches(m, "minor_river", name, lambda label: terrain(m, label) == "sea"), name


def test_line_counts(m: Board) -> None:
    assert {kind: link_count(m, kind) for kind in ROADS} == {
        "rollbahn": 35, "road": 147, "track": 87, "trail": 23, "winter_trail": 8, "major_railway": 35,
        "minor_railway": 6,
    }  # fmt: skip
    assert side_count(m, "minor_river") == 156


def test_lines_that_leave_the_map_do_so_at_entries_and_sources(m: Board) -> None:
    ends = tagged(m, "german_source") | tagged(m, "soviet_source")
    exits: set[str] = set()
    for kind in ROADS:
        for edge in ("west", "east", "south"):
            leaving = tagged(m, f"{kind}_exit_{edge}")
            assert leaving <= labels(m, m.along(kind)) & tagged(m, f"{edge}_edge")
            exits |= leaving
    assert exits == ends


@pytest.mark.parametrize(
    ("village", "other", "kinds"),
    [("Vaivara", "Viivikonna", ("minor_railway",)), ("Krivasoo", "Auvere", ("trail", "winter_trail"))],
)
def test_special_lines_join_their_villages(m: Board, village: str, other: str, kinds: tuple[str, ...]) -> None:
    (start,), (goal,) = labels(m, m.place(village).nodes), labels(m, m.place(other).nodes)
    assert goal in flood(m, [start], lambda a, b: any(m.linked(a, b, kind) for kind in kinds))


def test_west_bank_villages_hang_together_by_road(m: Board) -> None:
    west = m.tagged("west_bank")
    reach = flood(m, ["0130"], lambda a, b: linked(m, a, b) and b in west)
    off_road = {label for label in tagged(m, "west_village") if label not in reach}
    assert off_road == {"0929"}  # Puhkova
