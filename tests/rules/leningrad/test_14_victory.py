"""Chapter 14: victory points and conditions."""

from __future__ import annotations

from typing import Any

import pytest

from counterblow.games.leningrad import supply, victory
from tests.helpers import rule
from tests.rules.leningrad.play import Game, State

ROADS = {"Pskov": "german", "Luga": "german", "Krasnogvardeisk": "german", "Chudovo": "german", "Novgorod": "german",
         "Porkhov": "german", "Dno": "german", "Staraya Russa": "german", "Kirishi": "german",
         "Tosno": "german"}  # fmt: skip
RING = {"16. Armee": "1005", "18. Armee": "1004", "X. Korps": "0905", "I. Korps": "1003", "L. Korps": "1002"}


def final(leningrad: Game, units: dict[str, Any], turn: int = 15, **more: Any) -> State:
    control = {**ROADS, **more.pop("control", {})}
    s: State = leningrad.position(turn=turn, phase="russian.victory", units=units, control=control, **more)
    return s


def points(s: State) -> dict[str, int]:
    return {rule: points for rule, points in victory.score(s).items() if points}


@rule("14.1")
def test_ten_points_for_each_leningrad_hex_in_supply(leningrad: Game) -> None:
    units = {"18. Armee": "0904", "48. Army": "0903"}
    assert points(final(leningrad, units))["14.1"] == 10
    assert points(final(leningrad, {"18. Armee": "0904", "16. Armee": "0903"}, turn=3, points=(0, 30)))["14.1"] == 20
    assert "14.1" not in points(final(leningrad, units, control={"Luga": "russian"}))


@rule("14.2")
def test_tichvin_counts_unless_both_leningrad_hexes_do(leningrad: Game) -> None:
    east = {"XXXIX. Panzer Korps": "1806"}
    assert points(final(leningrad, {**east, "48. Army": "0904"}))["14.2"] == 10
    assert points(final(leningrad, {**east, "18. Armee": "0904"}))["14.2"] == 10
    both = {**east, "18. Armee": "0904", "16. Armee": "0903"}
    assert "14.2" not in points(final(leningrad, both, turn=3, points=(0, 30)))
    cut = {"Luga": "russian", "Novgorod": "russian"}
    assert "14.2" not in points(final(leningrad, {**east, "48. Army": "0904"}, control=cut))


@rule("14.3")
def test_five_points_for_valdai(leningrad: Game) -> None:
    units = {"X. Korps": "1716", "48. Army": "0904"}
    held = {"Staraya Russa": "german"}
    assert points(final(leningrad, units, control=held))["14.3"] == 5
    assert "14.3" not in points(final(leningrad, {"X. Korps": "1616", "48. Army": "0904"}, control=held))
    cut = dict.fromkeys(("Staraya Russa", "Novgorod", "Dno"), "russian")
    assert "14.3" not in points(final(leningrad, units, control=cut))


@rule("14.4")
def test_five_points_for_the_siege_if_nothing_better(leningrad: Game) -> None:
    siege = {**RING, "48. Army": "0904"}
    assert points(final(leningrad, siege))["14.4"] == 5
    assert "14.4" not in points(final(leningrad, {**siege, "XXXIX. Panzer Korps": "1806"}))
    assert "14.4" not in points(final(leningrad, {"48. Army": "0904", "I. Korps": "0418"}))  # not cut off


@rule("14.5")
def test_a_point_for_each_german_factor_lost(leningrad: Game) -> None:
    s = leningrad.position(
        phase="german.movement", units={"16. Armee": "0418", "18. Armee": "0418", "11. Army": "1806"}
    )
    s.do("end movement")
    s.do("remove 16. Armee")
    assert s.points == (0, 5)
    assert points(s)["14.5"] == 5


@rule("14.6")
@pytest.mark.parametrize(("russian_points", "over"), [(9, True), (10, True), (11, False)])
def test_v54_crushing_german_victory_at_once(leningrad: Game, russian_points: int, over: bool) -> None:
    s = final(
        leningrad, {"16. Armee": "0903", "18. Armee": "0904", "11. Army": "1218"}, turn=7, points=(0, russian_points)
    )
    assert s.over == over
    if over:
        assert s.result is not None
        assert (s.result.winner, s.result.level) == ("german", "crushing strategic victory")
        assert s.result.rules == ("14.6",)
    else:
        assert s.turn == 8


@rule("14.6")
def test_both_hexes_must_be_occupied(leningrad: Game) -> None:
    s = final(leningrad, {"18. Armee": "0904", "11. Army": "1218"}, turn=7, control={"Leningrad North": "german"})
    assert not s.over


@rule("14.7")
def test_crushing_russian_victory_if_leningrad_is_fed_overland(leningrad: Game) -> None:
    s = final(leningrad, {"48. Army": "0904", "I. Korps": "0418"}, points=(30, 0))
    assert s.result is not None
    assert (s.result.winner, s.result.level, s.result.rules) == ("russian", "crushing strategic victory", ("14.7",))


@rule("14.1", "14.2", "14.5", "14.8")
def test_v53_marginal_german_victory(leningrad: Game) -> None:
    units = {"18. Armee": "0904", "16. Armee": "1003", "I. Korps": "1002", "48. Army": "0903", "L. Korps": "0902",
             "XXXIX. Panzer Korps": "1806"}  # fmt: skip
    s = final(leningrad, units, points=(0, 12))
    assert victory.totals(s) == (20, 12)
    assert s.result is not None
    assert (s.result.winner, s.result.level, s.result.rules) == ("german", "marginal victory", ("14.8",))


@rule("14.8")
@pytest.mark.parametrize(("russian_points", "winner"), [(1, "german"), (2, None), (8, None), (9, "russian")])
def test_four_points_make_the_difference(leningrad: Game, russian_points: int, winner: str | None) -> None:
    s = final(leningrad, {**RING, "48. Army": "0904"}, points=(0, russian_points))  # 5 German points for the siege
    assert s.result is not None
    assert s.result.winner == winner


@rule("14.3", "14.4", "14.9")
def test_v55_a_draw(leningrad: Game) -> None:
    s = final(leningrad, {**RING, "48. Army": "0904", "XXVI. Korps": "1716"}, points=(0, 8))
    assert victory.totals(s) == (10, 8)
    assert s.result is not None
    assert (s.result.winner, s.result.level, s.result.rules) == (None, "draw", ("14.9",))


@rule("14.4", "14.7")
def test_v59_the_ice_road_is_not_overland(leningrad: Game) -> None:
    ring = {"48. Army": "0903", "16. Armee": "1005", "18. Armee": "1104", "X. Korps": "0905", "I. Korps": "1206"}
    s = final(leningrad, ring, control={"Leningrad South": "german"}, points=(0, 30))
    assert s.result is not None
    assert s.result.level == "marginal victory"  # not crushing


@rule("14.10")
def test_narva_for_the_russians(leningrad: Game) -> None:
    free = dict.fromkeys(ROADS, "russian")
    units = {"11. Army": "0307", "I. Korps": "0418"}
    assert points(final(leningrad, units, control=free))["14.10"] == 5
    assert "14.10" not in points(final(leningrad, {"11. Army": "0407", "I. Korps": "0418"}, control=free))
    by_sea = {"11. Army": "0307", "I. Korps": "0407", "X. Korps": "0308", "16. Armee": "0207",
              "Red Banner Baltic Fleet": "0604"}  # fmt: skip
    s = final(leningrad, by_sea, control=free)
    assert supply.in_supply(s, leningrad.unit("11. Army"))  # over the Gulf ...
    assert "14.10" not in points(s)  # ... which is not overland
    cut = {"11. Army": "0307", "I. Korps": "0407", "X. Korps": "0308", "16. Armee": "0207"}
    assert "14.10" not in points(final(leningrad, cut, control=free))


@rule("14.11")
def test_costs_enter_the_totals(leningrad: Game) -> None:
    s = final(leningrad, {**RING, "48. Army": "0904"}, points=(7, 3))
    assert victory.totals(s) == (12, 3)


def need(s: State, rule_id: str) -> dict[str, Any]:
    found: list[dict[str, Any]] = [line for line in s.view(None)["standing"]["needs"] if line["rule"] == rule_id]
    return found[0]


@rule("14.6", "14.7", "14.8")
def test_how_it_stands(leningrad: Game) -> None:
    """The panel tells what the check at the end of the turn would find."""
    s = leningrad.position(
        turn=3, phase="german.movement", units={"18. Armee": "0904", "48. Army": "0903"}, control=ROADS
    )
    assert s.view(None)["standing"]["turns_left"] == 13
    assert need(s, "14.6")["now"] == "1 of 2 hexes, 10 to 0"
    assert not need(s, "14.6")["met"]
    assert set(need(s, "14.6")["hexes"]) == {"0903", "0904"}
    worth = {line["rule"]: (line["now"], line["met"]) for line in s.view(None)["standing"]["changes"]}
    assert worth["14.1"] == ("10 points", True)
    assert worth["14.10"] == ("0 points", False)


@rule("14.6", "14.7", "14.8", "14.9")
@pytest.mark.parametrize(
    "units", [RING | {"48. Army": "0904"}, {"48. Army": "0904"}, {"18. Armee": "0904", "X. Korps": "0903"}]
)
def test_the_verdict_now_is_the_result_at_the_end(leningrad: Game, units: dict[str, str]) -> None:
    s = leningrad.position(turn=15, phase="german.movement", units=units, control=ROADS)
    verdict = s.view(None)["standing"]["verdict"]
    end = final(leningrad, units).result
    assert end is not None
    assert verdict == {"winner": end.winner, "level": end.level, "reason": end.reason, "rules": list(end.rules)}


def test_the_eliminated_lie_in_a_box(leningrad: Game) -> None:
    s = leningrad.position(turn=3, phase="german.movement", units={"18. Armee": "0904"}, lost=["48. Army"])
    view = s.view("german")
    lost = {box["id"]: [unit["name"] for unit in box["units"]] for box in view["boxes"] if box["id"] in view["losses"]}
    assert lost == {"german.lost": [], "russian.lost": ["48. Army"]}
