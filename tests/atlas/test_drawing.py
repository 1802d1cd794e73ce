"""The drawn map: valid, always the same, complete, and without names on top of each other."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import cache
from itertools import combinations
from typing import Any
from xml.etree import ElementTree

import pytest

from counterblow import atlas
from counterblow.atlas.drawing import Sheet
from counterblow.atlas.styles import Styles
from counterblow.kernel.board import Board
from tests.atlas.maps import SLUGS, board, data

SVG = "{http://www.w3.org/2000/svg}"


@cache
def drawn(slug: str) -> str:
    return atlas.draw(board(slug))


def texts(svg: str, layer: str) -> list[str]:
    root = ElementTree.fromstring(svg)
    found = root.iterfind(f".//{SVG}g[@data-layer='{layer}']//{SVG}text")
    return ["".join(element.itertext()) for element in found]


def layers_in(svg: str) -> set[str]:
    return set(re.findall(r'data-layer="([^"]+)"', svg))


@pytest.mark.parametrize("slug", SLUGS)
def test_every_map_is_valid_and_names_every_hex_and_place(slug: str) -> None:
    svg = drawn(slug)
    assert texts(svg, "numbers") == list(board(slug).grid.labels)
    shown = {p.get("shown", p["name"]) for p in data(slug, "map.toml")["places"]}
    names = texts(svg, "names")
    assert all(any(name.startswith(word) for name in names) for word in shown)


@pytest.mark.parametrize("slug", SLUGS)
def test_names_of_places_do_not_cover_each_other(slug: str) -> None:
    sheet = Sheet(board(slug))
    sheet.names.labels()
    sheet.names.places()
    boxes = sheet.names.place_boxes
    assert len(boxes) == len(board(slug).places)
    assert [(one, two) for one, two in combinations(boxes, 2) if one.grown(-1).overlap(two.grown(-1))] == []


def test_title_provenance_and_note_are_on_the_sheet() -> None:
    svg = drawn("narvik")
    frame = texts(svg, "frame-lines")
    assert frame[0] == "NARVIK 1940"
    assert frame[1].startswith("Reconstructed map. ")


@pytest.mark.parametrize("slug", SLUGS)
def test_the_legend_explains_what_is_drawn(slug: str) -> None:
    rows, styles = texts(drawn(slug), "legend"), Styles(board(slug))
    for family in ("links", "sides"):
        for entry in data(slug, "map.toml").get(family, []):
            title = styles.title(family, entry["kind"])
            assert title in rows


def test_the_same_map_gives_the_same_bytes_in_another_process() -> None:
    program = (
        "import sys; from tests.atlas.maps import board; from counterblow import atlas;"
        "sys.stdout.write(atlas.draw(board('leningrad')))"
    )
    for seed in ("0", "1"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
        run = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=True
        )
        assert run.stdout == drawn("leningrad")


def test_switches_leave_out_layers() -> None:
    whole = layers_in(drawn("leningrad"))
    assert {"legend", "numbers", "rivers", "railways", "water", "ground"} <= whole
    assert "legend" not in layers_in(atlas.draw(board("leningrad"), legend=False))
    assert "numbers" not in layers_in(atlas.draw(board("leningrad"), numbers=False))


def test_without_its_legend_a_drawing_has_the_size_of_the_layout() -> None:
    layout = atlas.Layout(board("narvik")).to_json()
    svg = atlas.draw(board("narvik"), legend=False)
    root = ElementTree.fromstring(svg)
    assert (float(root.attrib["width"]), float(root.attrib["height"])) == (layout["width"], layout["height"])


def test_the_legend_alone() -> None:
    assert texts(atlas.legend(board("narva")), "legend") == texts(drawn("narva"), "legend")


def test_chosen_layers_keep_their_coordinates() -> None:
    only = atlas.draw(board("leningrad"), layers=["rivers"])
    whole = drawn("leningrad")
    river = re.search(r'<g data-layer="rivers">.*?</g>', only, re.S)
    assert river is not None
    assert river[0] in whole
    assert "legend" not in layers_in(only)


def test_an_unknown_layer_is_refused() -> None:
    with pytest.raises(ValueError, match='unknown layer "clouds"'):
        atlas.draw(board("leningrad"), layers=["clouds"])


def test_a_board_shows_itself_in_a_notebook() -> None:
    assert board("leningrad")._repr_svg_() == drawn("leningrad")


def small(**changes: Any) -> Board:
    table: dict[str, Any] = {
        "title": "Small & plain",
        "provenance": "public",
        "grid": {"orientation": "flat", "columns": 3, "rows": 3, "shifted": "even"},
        "terrain": {"legend": {".": "lava", "~": "sea"}, "hexes": "~ . .\n. . .\n. . .\n"},
        **changes,
    }
    return Board(table, "small.toml")


def test_kinds_that_no_style_knows_are_drawn_plainly() -> None:
    strange = small(
        sides=[{"kind": "fence", "between": ["0202/0203"]}],
        links=[{"kind": "tram", "hexes": ["0201", "0202", "0302"]}],
        places=[{"name": "Somewhere", "kind": "oasis", "hexes": ["0303"]}],
        tags=[{"kind": "secret", "hexes": ["0303"]}],
        areas=[{"id": "Beyond", "kind": "area", "borders": ["0101", "0102"]}],
    )
    svg = atlas.draw(strange)
    assert texts(svg, "names") == ["Somewhere"]
    rows = texts(svg, "legend")
    assert {"Lava", "Sea", "Fence", "Tram", "Oasis"} <= set(rows)
    assert "Secret" not in rows
    assert texts(svg, "boxes") == ["Beyond"]


def test_text_is_escaped() -> None:
    svg = atlas.draw(small(places=[{"name": "A < B & C", "kind": "city", "hexes": ["0202"]}]))
    assert texts(svg, "names") == ["A < B & C"]


def test_a_map_brings_its_own_styles() -> None:
    styles = {"terrain": {"lava": {"title": "Hot lava", "ground": "#ff2200"}}}
    svg = atlas.draw(small(drawing={"styles": styles}))
    assert "#ff2200" in svg
    assert "Hot lava" in texts(svg, "legend")


def test_an_island_is_land_in_the_water() -> None:
    lake = small(tags=[{"kind": "island", "hexes": ["0101"]}])
    terrain = {"legend": {".": "clear", "~": "sea"}, "hexes": ". ~ ~\n~ ~ ~\n~ ~ .\n"}
    with_island = Board({**lake.table, "terrain": terrain}, "small.toml")
    plain = Board({**lake.table, "terrain": terrain, "tags": []}, "small.toml")
    assert Sheet(with_island).ground.water_cell(with_island.node("0101"))
    assert not Sheet(plain).ground.water_cell(plain.node("0101"))


def test_a_road_over_a_river_has_a_bridge() -> None:
    river = [{"kind": "river", "between": ["0202/0302"]}]
    roads = [{"kind": "road", "hexes": ["0202", "0302"]}]
    assert "crossings" in layers_in(atlas.draw(small(sides=river, links=roads)))
    assert "crossings" not in layers_in(atlas.draw(small(sides=river)))


def test_a_road_that_leaves_the_map_runs_to_the_frame() -> None:
    roads = [{"kind": "road", "hexes": ["0102", "0202"]}]
    inside = Sheet(small(links=roads))
    leaving = Sheet(small(links=roads, tags=[{"kind": "road_exit_west", "hexes": ["0102"]}]))
    assert min(x for c in inside.lines.link_curves("road") for x, _ in c) > inside.layout.frame.x
    assert min(x for c in leaving.lines.link_curves("road") for x, _ in c) < leaving.layout.frame.x
