"""Chapter 12: how to win."""

from __future__ import annotations

from typing import Any

import pytest

from counterblow.games.noretreat import special, victory
from tests.helpers import do, log, rule
from tests.rules.noretreat.play import combat, fight, moving, score

SMALL = {"9th Army": "0810", "Don": "2210"}
EAST = ["Riga", "Minsk", "Smolensk", "Kiev", "Odessa", "Dnepropetrovsk", "Kharkov", "Stalino", "Rostov", "Krasnodar",
        "Voronezh", "Tula", "Kalinin", "Yaroslavl"]  # fmt: skip


def next_turn(game: Any, turn: int, **more: Any) -> Any:
    """The Housekeeping that begins a turn."""
    units = more.pop("units", SMALL)
    return game.position(turn=turn - 1, phase="soviet.detraining", units=units, **more)


def axis_holds(number: int) -> dict[str, str]:
    """Control of so many VP hexes by the Axis: its own twelve and then Soviet cities, no objectives."""
    return dict.fromkeys(EAST[: number - 12], "axis")


def soviet_holds(number: int) -> dict[str, str]:
    """Control of so many by the Soviets: their own 22 and then Axis ones without an objective."""
    west = ["Warsaw", "Lublin", "Bucharest", "Rumanian Oil Fields", "Danzig", "Stettin", "Breslau", "Budapest"]
    if number >= 22:
        return dict.fromkeys(west[: number - 22], "soviet")
    return dict.fromkeys(EAST[: 22 - number], "axis")


@rule("12.0", "3.0")
def test_scenarios_have_their_own_conditions(noretreat: Any) -> None:
    def end(scenario: str, turn: int, **more: Any) -> Any:
        return next_turn(noretreat, turn + 1, scenario=scenario, **more).result

    assert end("A", 5, control=axis_holds(21)).winner == "axis"
    assert end("A", 5, control=axis_holds(20)).winner == "soviet"
    assert end("A", 5, control=axis_holds(21), options={"barbarossa_vp": 24}).winner == "soviet"
    assert end("A", 5, control={"Moscow": "axis"}).winner == "soviet"
    assert end("A", 5, control={"Moscow": "axis", "Leningrad": "axis"}).winner == "axis"
    assert end("B", 10, control=axis_holds(22)).winner == "axis"
    assert end("B", 10, control=axis_holds(21)).winner == "soviet"
    assert end("B", 10, control={"Stalingrad": "axis", "Caucasus Oil Fields": "axis"}).winner == "axis"
    assert end("B", 10, control={"Stalingrad": "axis"}).winner == "soviet"
    assert end("C", 13, control=soviet_holds(24)).winner == "soviet"
    assert end("C", 13, control=soviet_holds(23)).winner == "axis"
    assert end("D", 16, control=soviet_holds(26)).winner == "soviet"
    assert end("D", 16, control=soviet_holds(25)).winner == "axis"
    assert end("E", 22, control=soviet_holds(29)).winner == "soviet"
    assert end("E", 22, control=soviet_holds(28)).winner == "axis"
    assert end("E", 22, control={"Berlin": "soviet", "Vienna": "soviet"}).winner == "soviet"
    assert end("E", 22, control={"Berlin": "soviet"}).winner == "axis"
    # Sudden Death and objectives do not end a short scenario
    early = next_turn(noretreat, 9, scenario="B", control={**axis_holds(26)})
    assert not early.over


@rule("12.1.a")
def test_axis_objectives(noretreat: Any) -> None:
    three = {"Moscow": "axis", "Leningrad": "axis", "Sevastopol": "axis"}
    path = dict.fromkeys(EAST, "axis")
    units = {"9th Army": "0810"}
    won = next_turn(noretreat, 8, control={**path, **three}, units=units)
    assert (won.result.winner, won.result.level) == ("axis", "objectives")
    two = {"Moscow": "axis", "Leningrad": "axis"}
    assert not next_turn(noretreat, 8, control={**path, **two}, units=units).over
    for turn, enough in ((11, True), (12, False)):  # from turn 12 on it needs four
        s = next_turn(noretreat, turn, control={**path, **three}, units=units)
        assert (s.result is not None and s.result.level == "objectives") is enough, turn
    late = next_turn(noretreat, 14, control={**path, **three}, units=units)
    assert late.result is None or late.result.level != "objectives"
    four = {**three, "Stalingrad": "axis"}
    assert next_turn(noretreat, 14, control={**path, **four}, units=units).result.level == "objectives"


@rule("12.1.a")
def test_objectives_must_trace_supply(noretreat: Any) -> None:
    three = {"Moscow": "axis", "Stalingrad": "axis", "Leningrad": "axis"}
    wall = {"Don": "1805", "Kalinin": "1808", "West": "1809", "Central": "1704"}
    s = next_turn(noretreat, 8, control=three, units={**wall})
    assert s.result is None


@rule("12.1.b")
def test_soviet_objectives(noretreat: Any) -> None:
    path = dict.fromkeys(["Warsaw", "Lublin", "Breslau", "Danzig", "Stettin", "Budapest"], "soviet")
    three = {"Berlin": "soviet", "Konigsberg": "soviet", "Prague": "soviet"}
    won = next_turn(noretreat, 20, control={**path, **three}, units={"Don": "2210"}, high_tide=20)
    assert won.result.winner == "soviet"
    assert won.result.level == "objectives"
    assert not next_turn(noretreat, 20, control={**path, "Berlin": "soviet", "Prague": "soviet"}, units=SMALL).over


@rule("12.1.c")
def test_both_objectives_go_to_the_initiative(noretreat: Any) -> None:
    both = {
        "Moscow": "axis",
        "Leningrad": "axis",
        "Sevastopol": "axis",
        "Stalingrad": "axis",
        "Caucasus Oil Fields": "axis",
        "Berlin": "soviet",
        "Konigsberg": "soviet",
        "Prague": "soviet",
    }
    path = {**dict.fromkeys(EAST, "axis"), "Warsaw": "soviet", "Breslau": "soviet"}
    units = {"Don": "0710", "9th Army": "1808"}
    for turn, winner in ((8, "axis"), (14, "soviet")):
        s: Any = noretreat.position(turn=turn, phase="axis.movement", units=units, control={**path, **both})
        assert [victory.objectives_held(s, side) for side in (0, 1)] == [4, 3]
        assert victory.objectives_won(s)
        assert s.result.winner == winner
        assert "12.1.c" in s.result.rules


@rule("12.2.a")
def test_sudden_death_needs_more_than_the_number(noretreat: Any) -> None:
    """Vector: turn 6, the Axis wins with 24, not with 23."""
    assert not next_turn(noretreat, 6, control=axis_holds(23)).over
    won = next_turn(noretreat, 6, control=axis_holds(24))
    assert (won.result.winner, won.result.level) == ("axis", "sudden death")
    soviet = next_turn(noretreat, 15, control=soviet_holds(20))
    assert (soviet.result.winner, soviet.result.level) == ("soviet", "sudden death")
    assert not next_turn(noretreat, 15, control=soviet_holds(19)).over


@rule("12.2.b", "12.10.c")
def test_turn_12_checks_both_sides(noretreat: Any) -> None:
    """The Axis before the flip (27), the Soviets after it (16)."""
    full = {**axis_holds(26), "Saratov": "axis", "Gorki": "axis"}
    assert next_turn(noretreat, 12, control=full).result.winner == "axis"
    assert next_turn(noretreat, 12, control=soviet_holds(17)).result.winner == "soviet"
    assert not next_turn(noretreat, 12, control=soviet_holds(16)).over


@rule("12.3")
def test_soviet_total_victory(noretreat: Any) -> None:
    control = {**soviet_holds(30)}
    s = next_turn(noretreat, 20, control=control, event_vp=-4, high_tide=20, units={"Don": "2210", "9th Army": "0110"})
    assert (s.result.winner, s.result.level) == ("soviet", "total")
    assert not next_turn(noretreat, 20, control=control, event_vp=-3, high_tide=20, units={"Don": "2210"}).over


@rule("12.4.a")
def test_the_operational_check(noretreat: Any) -> None:
    units = {"Don": "2210", "9th Army": "0810"}
    assert next_turn(noretreat, 23, control=soviet_holds(20), high_tide=21, units=units).result.level == "operational"
    on = next_turn(noretreat, 23, control=soviet_holds(21), high_tide=21, units=units)
    assert not on.over
    assert "The war goes on into 1945 (12.4.b)" in log(on.events)


@rule("12.4.b", "12.7.5.e")
def test_going_on_to_1945(noretreat: Any) -> None:
    """The Event marker shows the difference, at most six; only Greater Germany scores."""
    for held, marker in ((22, -1), (24, -3), (29, -6)):
        s = next_turn(noretreat, 23, control=soviet_holds(held), high_tide=21)
        assert s.event_vp == marker
        assert score(s) == held - 22 - marker


@rule("12.5", "14.1.c")
def test_killing_hitler(noretreat: Any) -> None:
    units = {"1st Byelorussian": "0310", "1st Ukrainian": "0311", "2nd Byelorussian": "0209", "Berlin Garrison": "0210"}
    s = combat(noretreat, units, "soviet", turn=26, dice=(6,))
    fight(s, "0210", "Reserve", "Voronezh", "Central")
    do(s, "take the loss from Reserve")
    assert s.result.winner == "soviet"
    assert s.result.rules == ("12.5",)


@rule("12.6", "4.A")
def test_the_axis_wins_at_the_end(noretreat: Any) -> None:
    s = next_turn(noretreat, 28)
    assert not s.over
    last = noretreat.position(turn=28, phase="soviet.detraining", units=SMALL)
    assert (last.result.winner, last.result.rules) == ("axis", ("12.6", "4.A"))


@rule("12.7.1")
def test_control_of_vp_hexes(noretreat: Any) -> None:
    s = moving(noretreat, {"9th Army": "1110"})
    before = score(s)
    do(s, "move 9th Army", "move 9th Army 1210")
    assert score(s) == before + 1
    oil = moving(noretreat, {"9th Army": "2522"})
    do(oil, "move 9th Army", "move 9th Army 2622")
    assert score(oil) == before + 1


@rule("12.7.2")
def test_finland(noretreat: Any) -> None:
    base = score(moving(noretreat, {"9th Army": "0810"}))
    for units, more in (({"Finnish": "Finland"}, 0), ({"18th Army": "Finland"}, 1), ({"Kampfgruppe 1": "Finland"}, 0)):
        assert score(moving(noretreat, units)) == base + more
    soviet = score(moving(noretreat, {"Don": "2210"}, turn=13))
    assert score(moving(noretreat, {"Don": "Finland"}, turn=13)) == soviet + 1
    assert score(moving(noretreat, {"Don": "Finland"}, turn=25)) == score(moving(noretreat, {"Don": "2210"}, turn=25))


@rule("12.7.3")
def test_objectives_are_worth_no_more(noretreat: Any) -> None:
    base = score(moving(noretreat, SMALL))
    assert score(moving(noretreat, SMALL, control={"Moscow": "axis"})) == base + 1


@rule("12.7.4")
def test_event_vps_stop_at_six(noretreat: Any) -> None:
    s: Any = moving(noretreat, SMALL, event_vp=5)
    special.score(s, 0, 3)
    assert s.event_vp == 6
    special.score(s, 1, 15)
    assert s.event_vp == -6


@rule("12.7.5.a")
def test_surrenders_score(noretreat: Any) -> None:
    base = score(moving(noretreat, SMALL))
    soviet = noretreat.position(
        turn=7, phase="soviet.removal", units={**SMALL, "South": {"at": "0510", "unsupplied": True}}
    )
    assert soviet.event_vp == 1
    assert score(soviet) == base + 1
    axis = noretreat.position(
        turn=7, phase="axis.removal", units={**SMALL, "4th Army": {"at": "1914", "unsupplied": True}}
    )
    assert axis.event_vp == -1


@rule("12.7.5.b")
def test_events_score(noretreat: Any) -> None:
    s = moving(noretreat, SMALL, "soviet", hands={"soviet": ["Savages!"]})
    before = score(s)
    do(s, "play Savages!")
    assert score(s) == before - 1


@rule("12.7.5.c", "13.4")
def test_red_turn_events_score(noretreat: Any) -> None:
    red = [t.number for t in noretreat.turns if t.red_event]
    assert red == [4, 7, 10, 14, 19, 22, 25]
    for turn in (7, 8):
        assert next_turn(noretreat, turn).event_vp == (-1 if turn == 7 else 0)


@rule("12.7.5.d", "12.7.6", "12.8")
def test_the_audit_of_the_example(noretreat: Any) -> None:
    """Three red events, two Soviet VP events, one Axis one, three Soviet surrenders, 14 hexes: 13 VPs."""
    s = moving(noretreat, SMALL, turn=9, control=axis_holds(14), event_vp=-3 - 2 + 1 + 3)
    assert s.event_vp == -1
    assert score(s) == 13
    held = next(line for line in s.view(None)["standing"]["changes"] if line["rule"] == "12.7.5.d")
    assert (held["now"], len(held["hexes"])) == ("14 VPs", 14)


@rule("12.8")
def test_a_city_retaken_lowers_the_axis_marker(noretreat: Any) -> None:
    s = moving(noretreat, {"Don": "1509", "West": "1508"}, "soviet", turn=5, control={"Minsk": "axis"})
    before = score(moving(noretreat, {"Don": "1509"}, "soviet", turn=5, control={"Minsk": "axis"}))
    assert score(s) == before
    back = moving(noretreat, {"Don": "1310"}, "soviet", turn=5, control={"Minsk": "axis"})
    do(back, "move Don", "move Don 1210")
    assert score(back) == before - 1


@rule("12.9")
def test_the_initiative_belongs_to_the_face_of_the_marker(noretreat: Any) -> None:
    for turn, title in ((11, "Drang nach Osten!"), (12, "Na Berlin!")):
        s = noretreat.position(turn=turn, phase="axis.movement", units=SMALL)
        assert title in [track["title"] for track in s.view(None)["tracks"]]


@rule("12.10.a", "12.10.b", "12.10.c", "4.C.c")
def test_the_shift(noretreat: Any) -> None:
    for event, kept in ((2, 0), (-2, -2)):
        s = next_turn(noretreat, 12, control=axis_holds(20), event_vp=event)
        assert s.high_tide == 20 + event
        assert s.event_vp == kept
        assert s.initiative == 1
        assert score(s) == 14 - kept


@rule("12.1.a", "12.1.b", "12.2.a", "12.3", "12.4.a")
def test_how_it_stands(noretreat: Any) -> None:
    """The panel tells what the Victory Phases to come will look for."""
    s = moving(noretreat, SMALL, turn=6, control=axis_holds(14))
    standing = s.view(None)["standing"]
    assert standing["turns_left"] == 23
    needs = {line["rule"]: line for line in standing["needs"]}
    assert needs["12.1.a"]["text"].startswith("3 of 5 objectives")
    assert needs["12.1.a"]["now"] == "0 of 3"
    assert len(needs["12.1.b"]["hexes"]) == 4
    skull = next(t for t in noretreat.turns[6:] if t.sudden_death[0] is not None)
    assert needs["12.2.a"]["text"] == f"Sudden Death: more than {skull.sudden_death[0]} VPs on turn {skull.number}"
    assert needs["12.2.a"]["side"] == "axis"
    assert not {"12.3", "12.4.a"} & set(needs)  # before the Initiative shifts
    late = moving(noretreat, SMALL, "soviet", turn=14, initiative="soviet", high_tide=20, control=soviet_holds(22))
    needs = {line["rule"]: line for line in late.view(None)["standing"]["needs"]}
    assert needs["12.1.a"]["text"].startswith("4 of 5")
    assert (needs["12.3"]["now"], needs["12.3"]["met"]) == ("22 VPs", False)
    assert not needs["12.4.a"]["met"]


@rule("12.0", "12.6")
def test_the_verdict_now_is_the_result_at_the_end(noretreat: Any) -> None:
    cases = [("A", 5, axis_holds(21)), ("A", 5, axis_holds(20)), ("A", 5, {"Moscow": "axis", "Leningrad": "axis"}),
             ("E", 22, {"Berlin": "soviet"}), ("C", 13, soviet_holds(24))]  # fmt: skip
    for scenario, turn, control in cases:
        s = moving(noretreat, SMALL, turn=turn, scenario=scenario, control=control)
        (need,) = s.view(None)["standing"]["needs"]
        verdict = s.view(None)["standing"]["verdict"]
        end = next_turn(noretreat, turn + 1, scenario=scenario, control=control).result
        assert verdict == {"winner": end.winner, "level": end.level, "reason": end.reason, "rules": list(end.rules)}
        assert need["met"] == (end.winner == need["side"])


def test_the_eliminated_lie_in_boxes_of_the_map(noretreat: Any) -> None:
    view = moving(noretreat, {**SMALL, "West": "Soviet Surrendered", "4th Panzer": "Axis Destroyed"}).view("axis")
    assert {u["name"] for u in view["units"] if u["at"] in view["losses"]} == {"West", "4th Panzer"}


@rule("12.0")
@pytest.mark.parametrize(
    ("scenario", "side", "text", "now"),
    [
        ("A", "axis", "21 VPs after turn 5, or control of Moscow and 1 more objective", "12 VPs, 0 objectives"),
        ("B", "axis", "22 VPs after turn 10, or control of Stalingrad and Caucasus Oil Fields", "19 VPs, 0 objectives"),
        ("C", "soviet", "24 VPs after turn 13", "10 VPs"),
        ("D", "soviet", "26 VPs after turn 16", "13 VPs"),
        ("E", "soviet", "29 VPs after turn 22, or control of 2 objectives", "20 VPs, 0 objectives"),
    ],
)
def test_how_a_scenario_stands(noretreat: Any, scenario: str, side: str, text: str, now: str) -> None:
    (need,) = noretreat.start(scenario).view(None)["standing"]["needs"]
    assert (need["side"], need["text"], need["now"], need["met"]) == (side, text, now, False)


@rule("12.1.a", "12.2.a", "12.3", "12.4.a", "12.5", "12.6")
def test_how_the_campaign_stands(noretreat: Any) -> None:
    """What can still come: Sudden Death for the side with the Initiative, the High Tide once it is known."""
    berlin, last = "The Berlin Garrison eliminated", "No Soviet win by the end of turn 28"
    objectives = "of {} objectives controlled and in supply in a Victory Phase"
    for scenario, needs in (
        ("campaign", [f"3 {objectives.format(5)}", f"3 {objectives.format(4)}",
                      "Sudden Death: more than 23 VPs on turn 6", berlin, last]),
        ("campaign_D", [f"4 {objectives.format(5)}", f"3 {objectives.format(4)}",
                        "Sudden Death: more than 19 VPs on turn 15", "34 VPs in a Victory Phase",
                        "The High Tide of 21 not reached again by turn 23", berlin, last]),
        ("F", [f"4 {objectives.format(5)}", f"3 {objectives.format(4)}",
               "Sudden Death: more than 8 VPs on turn 25", "34 VPs in a Victory Phase", berlin, last]),
    ):  # fmt: skip
        found = noretreat.start(scenario).view(None)["standing"]["needs"]
        assert [need["text"] for need in found] == needs
        assert not any(need["met"] for need in found[:3])


@rule("12.7.5.d", "12.7.5.e", "12.8", "12.7.2")
def test_what_the_victory_points_are_made_of(noretreat: Any) -> None:
    for scenario, late in (("campaign", False), ("campaign_D", False), ("F", True)):
        s = noretreat.start(scenario)
        changes = s.view(None)["standing"]["changes"]
        assert [line["rule"] for line in changes] == (
            ["12.7.5.e", "12.7.5.e", "12.8"] if late else ["12.7.5.d", "12.7.5.d", "12.7.2", "12.8"]
        )
        own, finland, event = changes[0], changes[2:-1], changes[-1]
        worth = [int(line["now"].split()[0]) for line in (own, *finland, event)]
        assert sum(worth) == score(s)
        assert len(own["hexes"]) == worth[0]
        assert [line["met"] for line in finland] == [worth[1] == 1] * (not late)
