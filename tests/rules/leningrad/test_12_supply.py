"""Chapter 12: supply. A unit out of supply in its supply step is Disrupted, which is how these tests look."""

from __future__ import annotations

from typing import Any

import pytest

from counterblow.games.leningrad import supply
from tests.helpers import cited, do, rule
from tests.rules.leningrad.play import Game, disrupted, rolled

GERMAN_HOLD = {"Pskov": "german", "Luga": "german", "Krasnogvardeisk": "german"}


def supplied(leningrad: Game, unit: str, units: dict[str, Any], **more: Any) -> bool:
    side = "german" if leningrad.side_of[leningrad.unit(unit)] == 0 else "russian"
    s = leningrad.position(phase=f"{side}.supply", units=units, **more)
    return not disrupted(s, unit)


@rule("12.1")
def test_within_six_hexes_of_leningrad(leningrad: Game) -> None:
    """All roads and edges are German; only the city itself feeds 22. Corps."""
    board = leningrad.board
    german_edges = {board.labels[n]: "german" for n in leningrad.supply_edges[1]}
    for node, fed in (("0910", True), ("0911", False)):
        assert board.distance(board.node(node), board.node("0904")) == (6 if fed else 7)
        assert supplied(leningrad, "22. Corps", {"22. Corps": node}, control=german_edges) == fed


@rule("12.1")
def test_within_six_hexes_of_a_russian_edge_hex(leningrad: Game) -> None:
    board = leningrad.board
    closed = {board.labels[n]: "german" for n in leningrad.supply_edges[1]}
    del closed["2001"]
    control = {**closed, "Leningrad North": "german", "Leningrad South": "german"}
    for node, fed in (("1907", True), ("1908", False)):
        assert board.distance(board.node(node), board.node("2001")) == (6 if fed else 7)
        assert supplied(leningrad, "22. Corps", {"22. Corps": node}, control=control) == fed


@rule("12.1", "12.2")
def test_by_road_and_rail_to_the_edge(leningrad: Game) -> None:
    """Only 2006 is Russian. Tichvin's road and railway lead there; 1708 joins them by the Kirishi railway and road."""
    board = leningrad.board
    control = {board.labels[n]: "german" for n in leningrad.supply_edges[1]}
    del control["2006"]
    control |= {"Leningrad North": "german", "Leningrad South": "german"}
    assert supplied(leningrad, "22. Corps", {"22. Corps": "0716"}, control=control)  # a long way by road and rail
    cut = {"16. Armee": "1906", "X. Korps": "2007"}
    assert not supplied(leningrad, "22. Corps", {"22. Corps": "0716", **cut}, control=control)


@rule("12.2")
def test_the_route_may_change_from_rail_to_road(leningrad: Game) -> None:
    """12.2: 0912 is joined to the east by the Luga-Novgorod road and railways; steps of either kind count."""
    roads, mixed = leningrad.networks
    board = leningrad.board
    rail_only = board.step_of[board.node("0910"), board.node("0911")]
    road_only = board.step_of[board.node("1216"), board.node("1217")]
    assert (roads.allowed[rail_only], roads.allowed[road_only]) == (0, 1)  # Germans use roads only (12.3)
    assert (mixed.allowed[rail_only], mixed.allowed[road_only]) == (1, 1)


@rule("12.3")
def test_germans_need_a_road_off_the_southern_edge(leningrad: Game) -> None:
    far = {"I. Korps": "0810", "48. Army": "0904"}
    assert not supplied(leningrad, "I. Korps", far)  # Pskov bars the highway
    assert supplied(leningrad, "I. Korps", far, control={"Pskov": "german"})
    assert not supplied(leningrad, "I. Korps", far, control={"Pskov": "german", "0419": "russian", "0519": "russian"})


@rule("12.3")
def test_or_off_the_western_edge_if_it_is_german(leningrad: Game) -> None:
    units = {"18. Armee": "0507", "48. Army": "0904"}
    held = {"Narva": "german"}
    assert not supplied(leningrad, "18. Armee", units, control=held)
    assert supplied(leningrad, "18. Armee", units, control={**held, "0107": "german"})


@rule("12.3")
def test_six_hexes_from_the_road(leningrad: Game) -> None:
    """The road from 0519 ends for the Germans at 0618, before Porkhov."""
    for node, fed in (("1217", True), ("1118", True), ("1318", False)):
        assert supplied(leningrad, "I. Korps", {"I. Korps": node, "48. Army": "0904"}) == fed


@rule("12.4")
def test_v36_zones_block_lines_unless_a_friend_is_there(leningrad: Game) -> None:
    """I. Korps at 0713 lives by the Kiev highway; 22. Corps beside 0515 cuts it, a German in 0515 opens it."""
    control = {"Pskov": "german", "Gdov": "german"}
    base: dict[str, Any] = {"I. Korps": "0810", "48. Army": "0904"}
    assert supplied(leningrad, "I. Korps", base, control=control)
    corps = {"22. Corps": "0516", "16. Corps": "0314", "11. Army": "0713"}
    assert not supplied(leningrad, "I. Korps", {**base, **corps}, control=control)


@rule("12.5")
def test_v50_a_town_last_held_by_the_enemy_blocks(leningrad: Game) -> None:
    north = {"16. Armee": "0810", "48. Army": "0904"}
    assert not supplied(leningrad, "16. Armee", north)
    assert supplied(leningrad, "16. Armee", north, control={"Pskov": "german"})
    near = {"16. Armee": "0515", "48. Army": "0904"}  # within 6 hexes of the road by 0518, round Pskov
    assert supplied(leningrad, "16. Armee", near)


@rule("12.6", "12.1", "12.4")
@pytest.mark.parametrize(("fleet", "fed"), [(True, True), (False, False)])
def test_v49_supply_by_sea(leningrad: Game, fleet: bool, fed: bool) -> None:
    """22. Corps at Oranienbaum, Germans all around it on land."""
    units: dict[str, Any] = {"22. Corps": "0704", "16. Armee": "0804", "X. Korps": "0805", "I. Korps": "0604",
                             "XXVI. Korps": "0605"}  # fmt: skip
    if fleet:
        units["Red Banner Baltic Fleet"] = "0803"
    assert supplied(leningrad, "22. Corps", units) == fed


@rule("12.6")
def test_not_once_leningrad_is_taken(leningrad: Game) -> None:
    units = {"22. Corps": "0704", "16. Armee": "0804", "X. Korps": "0805", "I. Korps": "0604", "XXVI. Korps": "0605",
             "Red Banner Baltic Fleet": "0803"}  # fmt: skip
    one = {"Leningrad South": "german"}
    assert supplied(leningrad, "22. Corps", units, control=one)  # one hex is not the city
    assert not supplied(leningrad, "22. Corps", units, control={**one, "Leningrad North": "german"})


@rule("12.7")
def test_out_of_supply_means_disrupted(leningrad: Game) -> None:
    s = leningrad.position(phase="german.supply", units={"I. Korps": "1803", "X. Korps": "0418", "34. Army": "1806"})
    assert disrupted(s, "I. Korps")
    assert not disrupted(s, "X. Korps")


@rule("12.7")
def test_only_in_the_owners_supply_step(leningrad: Game) -> None:
    s = leningrad.position(phase="russian.supply", units={"I. Korps": "1803", "34. Army": "1806"})
    assert not disrupted(s, "I. Korps")


@rule("14.4", "14.7", "12.1")
def test_v59_ice_is_no_overland_supply(leningrad: Any) -> None:
    """Turn 15: the ring round Leningrad is closed on land; units still trace lines over the ice."""
    units = {"48. Army": "0903", "16. Armee": "1005", "18. Armee": "1104", "X. Korps": "0905", "I. Korps": "1206",
             "54. Army": "1503"}  # fmt: skip
    for turn, by_ice in ((12, False), (15, True)):
        s = leningrad.position(turn=turn, phase="russian.supply", units=units, control={"Leningrad South": "german"})
        node = leningrad.node("0903")
        assert not supply.overland(s)
        assert supply.lines(s, 1)[node] == 1  # Leningrad feeds itself
        assert bool(supply.lines(s, 1)[leningrad.node("1202")]) == by_ice
        lakes = [node for lake in ("ilmen", "peipus", "ladoga") for node in leningrad.board.tagged(lake)]
        assert not any(supply.lines(s, supply.OVERLAND)[node] for node in lakes)


@rule("12.1")
def test_overland_supply_too_reaches_six_hexes(leningrad: Game) -> None:
    """Only one eastern edge hex is Russian, and no road or railway is: Leningrad itself must lie within six hexes."""
    board = leningrad.board
    start = board.node("2001")
    lost = {*leningrad.supply_edges[1], *leningrad.places} - {start}
    control = {board.labels[node]: "german" for node in sorted(lost)}
    s = leningrad.position(phase="russian.supply", units={"22. Corps": "2001"}, control=control)
    overland = supply.lines(s, supply.OVERLAND)
    reached = [node for node in range(board.hexes) if overland[node]]
    assert max(board.distance(start, node) for node in reached) == 6
    assert not supply.overland(s)


@rule("12.7", "3.10", "3.23")
def test_the_log_cites_what_disrupts_and_what_is_lost(leningrad: Game) -> None:
    units = {"I. Korps": "1512", "22. Corps": "1515", "11. Army": "1509"}
    s = leningrad.position(phase="german.entrenchment", units=units)
    assert "12.7" in cited(do(s, "end entrenching"))
    s = leningrad.position(phase="german.allocation", units={"I. Korps": "0918", "11. Army": "1018"}, dice=(6,))
    do(s, "attack 1018", "with I. Korps", "commit", "end attacks", "allow retreats")
    events = do(s, "fight 1018")
    assert rolled(events)[1].endswith("AE")
    assert "3.10" in cited(event for event in events if event.kind == "loss")
    s = leningrad.position(phase="german.allocation", units={"XXVI. Korps": "0918", "22. Corps": "1018"}, dice=(2,))
    do(s, "attack 1018", "with XXVI. Korps", "commit", "end attacks", "allow retreats", "fight 1018", "order retreat 1")
    assert "3.23" in cited(do(s, next(action for action in s.legal() if action.kind == "retreat")))
