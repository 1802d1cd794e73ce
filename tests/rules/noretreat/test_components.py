"""The data files: charts and counters as the rulebook and published play attest them."""

from __future__ import annotations

import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from counterblow.games.noretreat import GAME
from counterblow.kernel.errors import DataError
from tests.helpers import rule


def data(name: str) -> dict[str, Any]:
    text = (resources.files("counterblow.games.noretreat") / "data" / name).read_text(encoding="utf-8")
    return tomllib.loads(text)


def entries(table: Any) -> list[dict[str, Any]]:
    """Every table in a data file that stands for something on paper."""
    found = []
    if isinstance(table, dict):
        found.append(table)
        for value in table.values():
            found += entries(value)
    elif isinstance(table, list):
        for value in table:
            found += entries(value)
    return found


def test_everything_names_its_provenance() -> None:
    for name, lists in (
        ("units.toml", ["unit", "strength_sum", "marker"]),
        ("tables.toml", ["result", "terrain", "weather"]),
        ("turns.toml", ["turn", "turn_event", "trigger_event"]),
        ("scenarios.toml", ["scenario", "campaign_start"]),
    ):
        table = data(name)
        for key in lists:
            for entry in table[key]:
                assert entry["provenance"] in ("rulebook", "public", "reconstructed"), entry
    for card in data("cards.toml")["card"]:
        for half in (card, card["axis"], card["soviet"]):
            assert half["provenance"] in ("rulebook", "public", "reconstructed"), half


@rule("2.3.b", "2.3.c")
def test_the_roster_gives_the_sums_of_published_play(noretreat: Any) -> None:
    table = data("units.toml")
    for known in table["strength_sum"]:
        total = 0
        for name, face in zip(known["units"], known["faces"], strict=True):
            faces = noretreat.counters[noretreat.unit(name)].faces
            total += next(f.strength for f in faces if f.name == face)
        assert total == known["total"], known
    counts = table["unit_counts"]
    assert len(noretreat.counters) == counts["total"] == 72
    assert sum(not c.optional_rule and c.side == 0 for c in noretreat.counters) == counts["axis"]
    assert sum(not c.optional_rule and c.side == 1 for c in noretreat.counters) == counts["soviet"]


@rule("C.CRT")
def test_attested_cells_of_the_combat_tables(noretreat: Any) -> None:
    columns = noretreat.charts.odds.headings
    attested = {
        (1, "1:3", 2): "CA", (1, "1:3", 5): "-", (1, "1:2", 3): "CA", (1, "1:2", 5): "CB", (1, "1:2", 6): "DR",
        (1, "1:1", 1): "CA", (1, "1:1", 2): "CA", (1, "1:1", 3): "CB", (1, "1:1", 5): "EX", (1, "3:2", 2): "-",
        (1, "3:2", 4): "EX", (1, "3:2", 6): "DR", (1, "2:1", 1): "-", (1, "2:1", 2): "CB", (1, "2:1", 4): "EX",
        (1, "3:1", 1): "CB", (1, "3:1", 2): "EX", (1, "3:1", 5): "DR", (1, "4:1", 2): "EX", (1, "4:1", 3): "DR",
        (0, "1:2", 1): "CA", (0, "1:1", 1): "CA", (0, "3:2", 3): "CB", (0, "5:1", 3): "DS", (0, "2:1", 2): "CB",
        (0, "2:1", 6): "DS", (0, "3:1", 5): "DS", (0, "5:1", 4): "DS",
    }  # fmt: skip
    for (side, heading, die), result in attested.items():
        assert noretreat.charts.crt_tables[side].result(die, columns.index(heading)) == result
    switched = noretreat.charts.crt_by_switch[True][1]
    assert switched.result(3, columns.index("1:1")) == "-"
    order = ["CA", "-", "CB", "EX", "DR", "DS", "DD"]
    for table in noretreat.charts.crt_tables:
        for row in table.rows:
            assert [order.index(r) for r in row] == sorted(order.index(r) for r in row)


@rule("C.TEC")
def test_terrain_chart(noretreat: Any) -> None:
    chart = noretreat.charts.terrain_chart
    assert {name: (chart[name].mp_armor, chart[name].mp_other, chart[name].shift, chart[name].advance_stops)
            for name in ("clear", "forest", "marsh", "mountain", "city")} == {
        "clear": (1, 1, 0, False), "forest": (2, 1, -1, True), "marsh": (3, 2, -1, True),
        "mountain": (3, 2, -1, True), "city": (1, 1, -1, False),
    }  # fmt: skip
    board = noretreat.board
    assert noretreat.charts.terrain[board.node("1707")].feature == "forest"  # west of Moscow
    assert noretreat.charts.terrain[board.node("1620")].feature == "marsh"  # the Crimean isthmus
    assert [board.labels[n] for n in noretreat.charts.beside[noretreat.charts.finland]] == ["1401", "1402", "1601"]


@rule("C.DECK")
def test_the_deck(noretreat: Any) -> None:
    cards = noretreat.cards
    assert len(cards) == 55
    assert len(noretreat.cards_45["green"]) == len(noretreat.cards_45["bar"]) == 13
    assert [c.number for c in cards.values() if c.weather] == [32, 33, 34, 35]
    assert cards[2].halves[0].name == "Erich von Manstein"
    assert cards[2].halves[1].name == "STAVKA"
    assert cards[noretreat.joker].year45 == "none"


@rule("E.12")
def test_the_erratum_of_general_mud(noretreat: Any) -> None:
    half = noretreat.cards[34].halves[0]
    assert (half.name, half.data["weather_turn"], half.data["weather"]) == ("General Mud", "next", "Mud")


def test_the_map_has_34_victory_hexes(noretreat: Any) -> None:
    assert len(noretreat.charts.site_node) == 34
    assert len(noretreat.charts.cities) == 32
    assert len(noretreat.charts.objectives[0]) == 5
    assert len(noretreat.charts.objectives[1]) == 4


def test_the_rule_index_is_whole(noretreat: Any) -> None:
    assert len(noretreat.rules) == 366


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('op = "look_at_hand"', 'op = "look_at_hands"', "look_at_hands"),
        ('needs = ["enemy_hand"]', 'needs = ["enemy_hands"]', "enemy_hands"),
    ],
)
def test_a_card_that_asks_for_the_unknown_is_refused(tmp_path: Path, old: str, new: str, complaint: str) -> None:
    text = (resources.files("counterblow.games.noretreat") / "data" / "cards.toml").read_text(encoding="utf-8")
    (tmp_path / "cards.toml").write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(DataError, match=f"cards.toml: .*{complaint}"):
        GAME(tmp_path)
