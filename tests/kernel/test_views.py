"""What players see: the words in which games tell it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from counterblow.kernel.errors import DataError
from counterblow.kernel.odds import ResultTable
from counterblow.kernel.views import Views, chart, columns_of, counted, numbered, result_chart, track
from tests.example import ford
from tests.example.ford.game import Ford
from tests.example.ford.view import FordViews

DATA = Path(ford.__file__).parent / "data"


def test_a_chart_is_made_of_texts() -> None:
    rows = columns_of([{"name": "woods", "cost": 2, "stops": True}, {"name": "clear", "cost": 1, "stops": False}],
                      "name", "stops", "cost")  # fmt: skip
    found = chart("tec", "Terrain", ("ground", "stops", "MP"), rows, "rulebook")
    assert found == {"id": "tec", "title": "Terrain", "columns": ["ground", "stops", "MP"], "provenance": "rulebook",
                     "rows": [["woods", "yes", "2"], ["clear", "no", "1"]]}  # fmt: skip


def test_a_table_of_results_shows_its_die() -> None:
    table = ResultTable(("1:1", "2:1"), (("AE", "-"), ("-", "DE")), "public", first_face=0)
    assert result_chart("crt", "Results", table) == {
        "id": "crt", "title": "Results", "columns": ["die", "1:1", "2:1"], "provenance": "public",
        "rows": [["0", "AE", "-"], ["1", "-", "DE"]],
    }  # fmt: skip
    assert numbered("ab", "cd") == [[1, "a", "b"], [2, "c", "d"]]
    assert track("turn", "Turn", 3, 6) == {"id": "turn", "title": "Turn", "value": 3, "max": 6, "text": ""}
    assert counted([0, 2, 0, 1]) == {1: 2, 3: 1}


class WideViews(FordViews):
    def supply_overlay(self, state: Any, side: int, viewer: int | None) -> dict[str, Any]:
        return self.lines([0, 1, 3])

    def reach_overlay(self, state: Any, unit: int, viewer: int | None) -> dict[str, Any]:
        game = self.game
        enemy = 1 - game.side_of[unit]
        found = game.board.graph.reach(
            game.costs, state.held[enemy], state.zone[enemy], state.held[1 - enemy], state.at[unit], 1
        )
        return self.reached(found, 2)


class Wide(Ford):
    views_class: type[Views[Any]] = WideViews  # type: ignore[misc,assignment]


def wide(folder: Path) -> Wide:
    """The example with two overlays more."""
    for file in DATA.glob("*.toml"):
        (folder / file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
    card = folder / "game.toml"
    listed = '[overlays]\nsupply = "Supply"\nreach = "Reach"\n\n[actions]'
    card.write_text(card.read_text(encoding="utf-8").replace("[actions]", listed), encoding="utf-8")
    return Wide(folder)


def test_an_overlay_is_asked_of_a_side_or_a_unit(tmp_path: Path) -> None:
    game = wide(tmp_path)
    s = game.position(units={"1st Battalion": "0604", "24th Battalion": "0705"})
    unit, views = game.unit("1st Battalion"), game.views
    labels = game.board.labels
    assert views.overlay(s, "supply", 0, None, None) == {"hexes": {labels[1]: 0, labels[2]: 2}}
    reach = views.overlay(s, "reach", 0, unit, None)
    assert reach["hexes"]["0603"] == 0.5
    assert reach["paths"]["0603"] == ["0604", "0603"]
    assert views.overlay(s, "reach", 0, None, None) == {"hexes": {}}
    assert views.overlay(s, "reach", 0, game.unit("Reserve"), None) == {"hexes": {}}  # it is not on the map
    zones = views.overlay(s, "zoc", 1, None, None)["hexes"]
    assert set(zones.values()) == {1}
    assert "0704" in zones


def test_what_lies_off_the_map(tmp_path: Path) -> None:
    game = wide(tmp_path)
    s = game.position(units={})
    box = game.views.box(s, "lost", "Losses", [game.unit("Reserve")])
    (shown,) = box.pop("units")
    assert box == {"id": "lost", "title": "Losses"}
    assert (shown["name"], shown["side"], shown["symbol"]) == ("Reserve", "red", "motorized")
    node = game.board.node("0604")
    assert game.views.held_by({node: 1}) == {"0604": "red"}
    assert game.views.marked([node], "fort", "Fort") == [{"at": "0604", "kind": "fort", "text": "Fort"}]


def test_an_overlay_that_no_view_knows_is_an_error(tmp_path: Path) -> None:
    wide(tmp_path)
    with pytest.raises(DataError, match=r'game.toml: "overlays": the views of the game have no "supply_overlay"$'):
        Ford(tmp_path)


def test_what_is_printed_on_a_counter_is_written_once(tmp_path: Path) -> None:
    written = []

    class Printed(WideViews):
        def face(self, unit: int, side: int) -> dict[str, Any]:
            written.append((unit, side))
            return {"face": side}

    views = Printed(wide(tmp_path))
    assert [views.printed(3), views.printed(3, 1), views.printed(3)] == [{"face": 0}, {"face": 1}, {"face": 0}]
    assert written == [(3, 0), (3, 1)]


class HeldViews(FordViews):
    def extra(self, state: Any, side: int | None) -> dict[str, Any]:
        return {"control": {"0101": "blue"}}


def test_who_has_what_is_laid_over_the_map_as_it_is_told() -> None:
    game = Ford()
    assert HeldViews(game).control_overlay(game.start(), 0, None) == {"hexes": {"0101": "blue"}}
