"""Mistakes in a map file: each is found, and the finding says where it is and how to mend it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from counterblow import atlas
from counterblow.kernel.board import Board
from counterblow.kernel.errors import DataError
from tests.atlas.maps import SLUGS, board, data

Table = dict[str, Any]


@pytest.mark.parametrize("slug", SLUGS)
def test_the_shipped_maps_are_clean(slug: str) -> None:
    assert [str(finding) for finding in atlas.check(board(slug))] == []
    atlas.require(board(slug))


def river(table: Table, name: str) -> Any:
    return next(entry for entry in table["sides"] if entry.get("name") == name)


def broken_river(t: Table) -> None:
    river(t, "Shelon")["between"].remove("0816/0917")


def repeated_side(t: Table) -> None:
    river(t, "Shelon")["between"].append("0816/0917")


def wet_road(t: Table) -> None:
    t["links"].append({"kind": "road", "name": "Ice road", "hexes": ["1104", "1203"]})


def repeated_hex(t: Table) -> None:
    t["links"].append({"kind": "road", "name": "Round trip", "hexes": ["1205", "1206", "1205"]})


def short_road(t: Table) -> None:
    t["links"].append({"kind": "road", "name": "Stub", "hexes": ["1205"]})


def strait_road(t: Table) -> None:
    t["links"].append({"kind": "rail", "name": "Causeway", "hexes": ["0704", "0803"]})


def twin(t: Table) -> None:
    t["places"].append({"name": "Pskov", "kind": "town", "hexes": ["0501"]})


def area(**entry: Any) -> Callable[[Table], None]:
    return lambda t: t.setdefault("areas", []).append(entry)


def setting(*keys: str, value: object) -> Callable[[Table], None]:
    def change(t: Table) -> None:
        for key in keys[:-1]:
            t = t.setdefault(key, {})
        t[keys[-1]] = value

    return change


def adding(family: str, number: int, **fields: object) -> Callable[[Table], None]:
    return lambda t: t[family][number].update(fields)


@pytest.mark.parametrize(
    ("spoil", "finding"),
    [
        (setting("notes", value="x"), 'the file: unknown key "notes"; write "note"?'),
        (setting("grid", "row", value=3), 'grid: unknown key "row"; write "rows"?'),
        (adding("sides", 0, nmae="x"), 'sides number 1 (Narva): unknown key "nmae"; write "name"?'),
        (adding("places", 3, colour="red"), 'places number 4 (Pskov): unknown key "colour"; use one of name, kind'),
        (setting("provenance", value="guess"), 'the file: provenance "guess" is not known; use one of rulebook'),
        (adding("places", 3, provenance="rulebok"), '(Pskov): provenance "rulebok" is not known; write "rulebook"?'),
        (setting("terrain", "legend", "x", value="lava"), 'terrain: no hex is "lava" ("x"); remove it'),
        (broken_river, "(Shelon): the line is in 2 pieces; add the missing hexsides"),
        (repeated_side, "(Shelon): 0816/0917 stands twice; remove one"),
        (wet_road, "(Ice road): 1104-1203 runs through water; move the line"),
        (strait_road, "(Causeway): 0704-0803 runs through water; move the line"),
        (repeated_hex, "(Round trip): 1205 stands twice; remove the detour"),
        (short_road, "(Stub): a line needs two hexes or more; add hexes"),
        (twin, 'places: two places are called "Pskov"; give them different names'),
        (adding("places", 3, hexes=[]), "places number 4 (Pskov): no hex; name its hexes"),
        (adding("tags", 0, hexes=["0903", "0903"]), "tags number 1 (coast): 0903 stands twice; remove one"),
        (adding("tags", 0, hexes=[]), "tags number 1 (coast): no hex; name hexes"),
        (area(id="Off", kind="lot"), 'areas number 1 (Off): kind "lot" is not known; use one of area, box'),
        (area(id="Off", kind="box", borders=["0101"]), "(Off): a box borders no hex; empty its borders"),
        (area(id="Off", kind="area"), "(Off): an area borders hexes; name its borders"),
        (setting("drawing", "labels", value=[{"text": "Sea", "at": "x"}]), 'label "Sea": "x" is no hex label'),
        (setting("drawing", "regions", value=["coats"]), 'drawing: region "coats" is no tag; write "coast"?'),
        (setting("drawing", "cells", value={"sea": ["0101"]}), "cells of sea: 0101 is a hex of the map; paint only"),
        (setting("drawing", "areas", value={"Nowhere": {}}), 'drawing, areas: there is no area "Nowhere"'),
        (setting("drawing", "styles", "side", value={}), 'styles: unknown family "side"; write "sides"?'),
        (setting("drawing", "styles", "tags", "coast", value={"mark": "rnig"}), 'unknown mark "rnig"; write "ring"?'),
    ],
)
def test_a_finding_says_where_what_and_how_to_mend(spoil: Callable[[Table], object], finding: str) -> None:
    table = data("leningrad", "map.toml")
    spoil(table)
    found = [str(f) for f in atlas.check(Board(table, "map.toml"))]
    assert len(found) == 1
    assert finding in found[0]


def test_require_lists_every_finding_in_one_error() -> None:
    table = data("leningrad", "map.toml")
    twin(table)
    broken_river(table)
    with pytest.raises(DataError) as error:
        atlas.require(Board(table, "my/map.toml"))
    assert str(error.value).startswith("my/map.toml: ")
    assert "Pskov" in str(error.value)
    assert "Shelon" in str(error.value)


def test_a_ferry_may_cross_water() -> None:
    table = data("leningrad", "map.toml")
    table["links"].append({"kind": "ferry", "far": True, "hexes": ["0704", "0803"]})
    assert atlas.check(Board(table, "map.toml")) == []


def test_a_map_that_cannot_be_read_is_refused_with_its_place() -> None:
    table = data("leningrad", "map.toml")
    river(table, "Shelon")["between"].append("0101/0916")
    with pytest.raises(DataError, match="0101 and 0916 are not adjacent"):
        Board(table, "map.toml")
