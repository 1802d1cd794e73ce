"""Chapters 1 to 3: equipment and set-up."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from counterblow import PositionError
from counterblow.games.noretreat.components import PENDING
from tests.helpers import at, do, refused, rule
from tests.rules.noretreat.play import combat, face, fight, go, moving, offers, reach


@rule("13.5.GG.a", "13.5.Oil.a")
def test_who_waits_for_greater_germany_and_the_oil(noretreat: Any) -> None:
    """Until then they are on no turn of the track."""
    waiting = {"Vistula Group": "GG", "25th Army": "GG", "Group E": "Oil", "Group F": "Oil"}
    s = noretreat.start("A")
    for name, trigger in waiting.items():
        unit = noretreat.unit(name)
        assert (s.fate[unit], noretreat.counters[unit].arrives) == (PENDING, trigger)
        assert at(s, name) is None


@rule("2.1.a")
def test_every_unit_is_in_exactly_one_place(noretreat: Any) -> None:
    s = moving(noretreat, {"16th Army": "1108", "Finnish": "Finland"})
    go(s, "16th Army", "1109")
    places = [node for node, units in s.here.items() if noretreat.unit("16th Army") in units]
    assert places == [noretreat.node("1109")]
    assert at(s, "Finnish") == "Finland"


@rule("2.3.b", "2.3.c")
def test_steps_by_side_and_date(noretreat: Any) -> None:
    units = {"9th Army": "2210", "Kalinin": {"at": "2211", "face": "red"}}
    for turn, soviet in ((7, "Soviet Destroyed"), (17, "2211")):
        s = combat(noretreat, {**units, "4th Army": "2210", "2nd Panzer": "2110"}, turn=turn, dice=(2,))
        fight(s, "2211", "9th Army", "4th Army", "2nd Panzer")  # 15 against 7 with armor: 3:1, a 2 is EX
        do(s, "take the loss from 9th Army")
        assert face(s, "9th Army") == "reduced"
        assert at(s, "9th Army") == "2210"
        assert at(s, "Kalinin") == soviet
        assert face(s, "Kalinin") == ("red" if turn == 7 else "brown")


@rule("2.3.b")
def test_a_counter_shows_the_side_that_lies_up(noretreat: Any) -> None:
    s = moving(noretreat, {"9th Army": "2210", "Finnish": "Finland", "Kalinin": {"at": "2211", "face": "red"}})

    def shown(unit: str) -> tuple[str, str, str]:
        found = next(u for u in s.view("axis")["units"] if u["name"] == unit)
        return found["values"], found["face"], found["detail"]

    assert shown("9th Army") == ("4-4", "full", "German infantry, full side")
    assert shown("Kalinin") == ("7-3", "red", "Soviet infantry, red side")
    assert shown("Finnish")[0] == "(4)"
    s.turn_over(noretreat.unit("9th Army"))
    assert shown("9th Army") == ("3-4", "reduced", "German infantry, reduced side")


@rule("2.3.a", "10.1.d")
def test_five_markers_a_side(noretreat: Any) -> None:
    ring = {"Northwest": "2309", "West": "2310", "Southwest": "2311", "South": "2211", "Kalinin": "2110", "Don": "2209"}
    s = combat(noretreat, {"9th Army": "2210", **ring})
    do(s, "target 2309", "target 2310", "target 2311", "target 2211")
    assert s.decision.kind == "combat.DeclareTargets"
    do(s, "target 2110")
    assert len(s.targets) == 5
    assert refused(s, "target 2209", because="10.1.d")


@rule("2.3.d")
def test_white_strength_does_not_attack(noretreat: Any) -> None:
    s = combat(noretreat, {"Kampfgruppe 1": "2210", "Kalinin": "2211"})
    assert refused(s, "target 2211", because="2.3.d")


@rule("2.3.e", "8.0.b", "8.5.a")
def test_parentheses_mean_no_movement_and_no_zone(noretreat: Any) -> None:
    s = moving(noretreat, {"Leningrad": {"at": "1402", "face": "fort"}, "Don": "2210"}, "soviet")
    assert refused(s, "move Leningrad", because="8.0.b")
    s = moving(noretreat, {"18th Army": "1304", "Leningrad": {"at": "1402", "face": "fort"}})
    assert "1403" in reach(s, "18th Army")
    go(s, "18th Army", "1403")
    zones = noretreat.views.overlay(s, "zoc", 1, None, None)["hexes"]
    assert zones == {}
    regional = moving(noretreat, {"18th Army": "1304", "Leningrad": "1402"})
    assert "1403" in noretreat.views.overlay(regional, "zoc", 1, None, None)["hexes"]


@rule("2.3.f")
def test_who_owns_what(noretreat: Any) -> None:
    for name, side in (("Finnish", 0), ("3rd Rumanian", 0), ("Italian 8th", 0), ("Polish", 1), ("Soviet-Rumanian", 1)):
        assert noretreat.side_of[noretreat.unit(name)] == side
    s = combat(noretreat, {"9th Army": "2210", "Don": "2110", "Kalinin": "2211"}, hands={"soviet": []})
    do(s, "target 2211", "done", "attack 2211")
    assert refused(s, "attack with Don", because="2.3.f")


@rule("3.0", "C.DECK")
@pytest.mark.parametrize("name", ["A", "B", "C", "D", "E", "F", "campaign", "campaign_B", "campaign_E"])
def test_scenarios_set_up(noretreat: Any, name: str) -> None:
    s: Any = noretreat.start(name, seed=3)
    entry = s.game.plays[s.scenario].setup
    assert s.turn == entry["first_turn"]
    assert noretreat.check(s) == []
    for line in entry["placement"]:
        assert at(s, line["unit"]) == line["at"]
    own = s.game.charts.all_sites & (s.sites if s.initiative else ~s.sites)
    counted = own if s.turn < 23 else own & s.game.charts.german_sites
    assert counted.bit_count() == entry["hex_vp"]
    marker = entry["vp"] - entry["hex_vp"]
    assert (-s.event_vp if s.initiative else s.event_vp) == marker
    deck = len(s.pile) + len(s.discards) + s.hands[0].bit_count() + s.hands[1].bit_count()
    assert deck == entry["deck_size"] == 41
    assert s.support == (entry["blitz"], entry["shock"])
    assert s.side == entry["first_player"]


@rule("3.0")
def test_every_unit_of_a_scenario_is_accounted_for(noretreat: Any) -> None:
    s: Any = noretreat.start("F", seed=1)
    where = Counter("map" if s.on_map(u) else "off" for u in range(len(noretreat.unit_names)))
    assert where["map"] == 43 + 1  # 44 counters stand on the map of scenario F
    assert at(s, "11th Army") == "Axis Destroyed"


@rule("3.0")
def test_first_turn_targets_of_barbarossa(noretreat: Any) -> None:
    s = combat(noretreat, {"9th Army": "1313", "Central": "1414", "South": "1314"}, turn=1)
    assert offers(s, "target 1314")
    assert refused(s, "target 1414", because="10.1.b")
    near = combat(noretreat, {"9th Army": "1314", "Central": "1414", "South": "1315"}, turn=1)
    assert offers(near, "target 1315")
    assert refused(near, "target 1414", because="3.0")
    later = combat(noretreat, {"9th Army": "1314", "Central": "1414", "South": "1315"}, turn=2)
    assert offers(later, "target 1414")


@rule("3.0")
def test_the_first_hand_is_six_cards_of_which_four_stay(noretreat: Any) -> None:
    s: Any = noretreat.start("A", seed=1)
    assert s.view("axis")["hands"]["axis"]["count"] == 6
    do(s, str(s.legal()[0]), str(s.legal()[1]))
    assert s.view("axis")["hands"]["axis"]["count"] == 4
    assert s.view("axis")["hands"]["soviet"]["count"] == 0
    assert s.phase == "axis.organization"


def test_positions_refuse_what_they_do_not_know(noretreat: Any) -> None:
    wrongs: list[dict[str, Any]] = [
        {"units": {"9th Amry": "2210"}},
        {"units": {"9th Army": "9999"}},
        {"units": {"9th Army": {"at": "2210", "tired": True}}},
        {"units": {"9th Army": {"at": "2210", "face": "red"}}},
        {"hands": {"axis": ["Gott Mit Un"]}},
        {"hands": {"italian": []}},
        {"control": {"Rome": "axis"}},
        {"weather": "Fog"},
        {"boxes": {"Hospital": ["9th Army"]}},
        {"track": {"9th Army": "Soon"}},
        {"triggers": {"Rome": 3}},
        {"weapons": 3},
        {"turn": 29},
        {"phase": "axis.tea"},
    ]
    for wrong in wrongs:
        with pytest.raises(PositionError):
            noretreat.position(**wrong)


def test_red_names_and_fronts_are_other_names_of_a_counter(noretreat: Any) -> None:
    s = noretreat.position(turn=7, phase="soviet.movement", units={"1st Baltic": "2210", "Don Front": "2310"})
    assert (at(s, "Kalinin"), face(s, "Kalinin")) == ("2210", "red")
    assert (at(s, "Don"), face(s, "Don")) == ("2310", "brown")
