"""Chapter 8: movement."""

from __future__ import annotations

from typing import Any

from tests.helpers import asked, at, do, refused, rule
from tests.rules.noretreat.play import combat, face, go, moving, offers, outlook, reach, shifts, starting, told


def far(s: Any, unit: str) -> int:
    """How many hexes away the farthest hex is that a unit can reach."""
    start = s.at[s.game.unit(unit)]
    found: int = max(s.game.board.distance(start, s.game.node(label)) for label in reach(s, unit))
    return found


def test_only_the_move_itself_is_foretold(noretreat: Any) -> None:
    s = moving(noretreat, {"9th Army": "2210", "Don": "2213"})
    do(s, "move 9th Army")
    assert s.forecast("entrain 9th Army") is None
    assert s.forecast("back") is None


@rule("8.0.a")
def test_any_all_or_none_of_the_units_move_once(noretreat: Any) -> None:
    s = moving(noretreat, {"9th Army": "2210", "4th Army": "2310"})
    go(s, "9th Army", "2211")
    assert refused(s, "move 9th Army", because="8.0.a")
    assert starting(s, "move") == ["4th Army"]
    do(s, "done")
    assert s.phase == "axis.combat"


@rule("8.1")
def test_allowance(noretreat: Any) -> None:
    s = moving(noretreat, {"9th Army": "2210", "2nd Panzer": "2110"})
    assert (far(s, "9th Army"), far(s, "2nd Panzer")) == (4, 6)
    assert refused(s, "move 9th Army 2215", because="8.1")


@rule("8.2.a", "13.1.mud")
def test_mud(noretreat: Any) -> None:
    s = moving(noretreat, {"2nd Panzer": "2210", "Luftwaffe": "2309"}, weather="Mud")
    assert (far(s, "2nd Panzer"), far(s, "Luftwaffe")) == (3, 3)
    assert refused(s, "move 2nd Panzer 2214", because="8.2.a")


@rule("8.2.b", "13.1.snow.b")
def test_snow_and_long_winter(noretreat: Any) -> None:
    for weather in ("Snow", "Long Winter"):
        s = moving(noretreat, {"2nd Panzer": "2210", "Luftwaffe": "2309"}, weather=weather)
        assert (far(s, "2nd Panzer"), far(s, "Luftwaffe")) == (4, 3)
        assert refused(s, "move 2nd Panzer 2215", because="8.2.b")


@rule("8.3.a", "14.3", "14.4")
def test_terrain_costs(noretreat: Any) -> None:
    """Forest 1 or 2, marsh 2 or 3; rivers nothing."""
    s = moving(noretreat, {"16th Army": "1404", "4th Panzer": "1404", "2nd Army": "1404"})
    for unit, forest in (("16th Army", 1), ("4th Panzer", 2), ("2nd Army", 1)):
        assert noretreat.views.overlay(s, "reach", 0, noretreat.unit(unit), None)["hexes"]["1403"] == forest
    for unit, price in (("16th Army", 2), ("4th Panzer", 3), ("2nd Army", 2)):
        s = moving(noretreat, {unit: "1214"})
        assert noretreat.views.overlay(s, "reach", 0, noretreat.unit(unit), None)["hexes"]["1313"] == price
    river = moving(noretreat, {"16th Army": "1414"}, control={"Kiev": "axis"})
    assert noretreat.views.overlay(river, "reach", 0, noretreat.unit("16th Army"), None)["hexes"]["1514"] == 1


@rule("8.3.b")
def test_one_hex_is_always_possible(noretreat: Any) -> None:
    """Armor leaving a zone for a marsh would need four MPs; in Mud it has three."""
    units = {"2nd Panzer": "1214", "Don": "1114"}
    s = moving(noretreat, units, weather="Mud")
    assert "1313" in reach(s, "2nd Panzer")
    go(s, "2nd Panzer", "1313")
    assert at(s, "2nd Panzer") == "1313"
    two = moving(noretreat, {"4th Panzer": "1114"}, weather="Mud")
    assert "1213" in reach(two, "4th Panzer")


@rule("8.3.b")
def test_the_minimum_move_respects_zones_and_prohibited_hexsides(noretreat: Any) -> None:
    s = moving(noretreat, {"2nd Panzer": "1214", "Don": "1212"}, weather="Mud")
    assert "1213" not in reach(s, "2nd Panzer") or not s.zone[1][noretreat.node("1214")]
    lake = moving(noretreat, {"18th Army": "1402"}, control={"Leningrad": "axis"})
    assert refused(lake, "move 18th Army 1501", because="8.3.b")
    strait = moving(noretreat, {"11th Army": "1821"})
    assert refused(strait, "move 11th Army 1921", because="8.3.b")


@rule("8.3.c")
def test_too_few_mps(noretreat: Any) -> None:
    s = moving(noretreat, {"2nd Panzer": "1014"}, weather="Mud")  # one clear hex, then a marsh of three
    assert refused(s, "move 2nd Panzer 1213", because="8.2.a")
    do(s, "move 2nd Panzer")
    assert refused(s, "by 1114-1213", because="8.3.c")


@rule("8.4.a")
def test_no_entry_of_enemy_hexes(noretreat: Any) -> None:
    s = moving(noretreat, {"9th Army": "2210", "Don": "2211"})
    assert refused(s, "move 9th Army 2211", because="8.4.a")


@rule("8.4.b", "8.4.c")
def test_friends_are_passed_freely_and_stacking_counts_at_the_end(noretreat: Any) -> None:
    full = {"9th Army": "2210", "4th Army": "2311", "6th Army": "2311", "Luftwaffe": "2310"}
    s = moving(noretreat, full)
    go(s, "9th Army", "2311")
    assert len(s.stack(noretreat.node("2311"))) == 3
    go(s, "4th Army", "2312")
    do(s, "done")
    assert asked(s) != "stacking.Excess"
    crowded = moving(noretreat, full)
    go(crowded, "9th Army", "2311")
    do(crowded, "done")
    assert asked(crowded) == "stacking.Excess"


@rule("8.4.1.a", "8.4.2")
def test_two_axis_units_a_hex(noretreat: Any) -> None:
    s = moving(noretreat, {"9th Army": "2210", "4th Army": {"at": "2310", "disorganized": True}})
    go(s, "9th Army", "2310")
    do(s, "done")
    assert asked(s) != "stacking.Excess"
    assert len(s.stack(noretreat.node("2310"))) == 2


@rule("8.4.1.b", "13.5.11.b", "13.5.23.a")
def test_soviet_stacking_by_date(noretreat: Any) -> None:
    pairs: dict[str, dict[str, Any]] = {
        "two fronts": {"Don": "2210", "Kalinin": "2310"},
        "tank and front": {"2nd Tank": "2210", "Kalinin": "2310"},
        "tank and fort": {"2nd Tank": "2210", "Moscow": {"at": "2310", "face": "fort"}},
    }
    allowed = {
        10: [],
        11: ["tank and front"],
        22: ["tank and front"],
        23: ["two fronts", "tank and front", "tank and fort"],
    }
    for turn, fine in allowed.items():
        for name, units in pairs.items():
            s = moving(noretreat, units, "soviet", turn=turn)
            go(s, next(iter(units)), "2310")
            do(s, "done")
            assert (asked(s) != "stacking.Excess") is (name in fine), (turn, name)


@rule("8.4.3")
def test_overstacking(noretreat: Any) -> None:
    units = {"9th Army": "2210", "4th Army": "2310", "6th Army": {"at": "2310", "unsupplied": True}}
    s = moving(noretreat, units)
    go(s, "9th Army", "2310")
    do(s, "done")
    other = s.copy()
    do(s, "take off 9th Army")
    assert at(s, "9th Army") == "Axis Shattered"
    do(other, "take off 6th Army")
    assert at(other, "6th Army") == "Axis Destroyed"
    fort = moving(noretreat, {"Don": "2210", "Moscow": {"at": "2310", "face": "fort"}}, "soviet")
    go(fort, "Don", "2310")
    do(fort, "done", "take off Moscow")
    assert at(fort, "Moscow") == "Soviet Destroyed"


@rule("8.5.a", "8.5.b")
def test_zones_and_lake_hexsides(noretreat: Any) -> None:
    s = moving(noretreat, {"Northwest": "1104"}, "soviet")
    zones = noretreat.views.overlay(s, "zoc", 1, None, None)["hexes"]
    assert "1103" in zones
    assert "1204" not in zones  # across Lake Peipus
    friends = moving(noretreat, {"9th Army": "2210", "4th Army": "2310", "6th Army": "2211"})
    assert far(friends, "9th Army") == 4


@rule("8.5.1")
def test_a_zone_stops_movement(noretreat: Any) -> None:
    """On the map's rim the only way past the Don Front leads through its zone: three hexes, but the first one stops."""
    s = moving(noretreat, {"9th Army": "2308", "Don": "2310"})
    assert "2409" in reach(s, "9th Army")
    assert "2509" not in reach(s, "9th Army")
    assert refused(s, "move 9th Army 2509", because="8.5.1")
    free = moving(noretreat, {"9th Army": "2308", "Don": {"at": "2310", "unsupplied": True}})
    assert "2509" in reach(free, "9th Army")


@rule("8.5.2")
def test_leaving_a_zone_costs_one_more(noretreat: Any) -> None:
    s = moving(noretreat, {"9th Army": "2210", "Don": "2310"})
    assert far(s, "9th Army") == 3
    costs = noretreat.views.overlay(s, "reach", 0, noretreat.unit("9th Army"), None)["hexes"]
    assert costs["2110"] == 2


@rule("8.5.3")
def test_zone_to_zone_only_onto_a_friend(noretreat: Any) -> None:
    """The 4th Panzer of the movement example: legal with the 9th Army there, for three MPs, and it stops."""
    forest = moving(noretreat, {"4th Panzer": "1708", "9th Army": "1707", "Don": "1807"}, turn=4, weather="Snow")
    costs = noretreat.views.overlay(forest, "reach", 0, noretreat.unit("4th Panzer"), None)["hexes"]
    assert costs["1707"] == 3  # one to leave the zone, two for the forest
    without = moving(noretreat, {"4th Panzer": "1708", "Don": "1807"}, turn=4, weather="Snow")
    do(without, "move 4th Panzer")
    assert refused(without, "by 1707", because="8.5.3")
    assert offers(without, "move 4th Panzer 1707")  # by a way around
    do(without, "by 1608-1707")
    assert at(without, "4th Panzer") == "1707"
    go(forest, "4th Panzer", "1707")
    assert at(forest, "4th Panzer") == "1707"
    assert not starting(forest, "move 4th Panzer")


@rule("8.5.4")
def test_friends_cancel_zones_for_supply(noretreat: Any) -> None:
    for guarded in (False, True):
        units = {"9th Army": "1310", "Don": "1211"}
        if guarded:
            units |= {"4th Army": "1209", "6th Army": "1210", "17th Army": "1110", "11th Army": "1109"}
        s = moving(noretreat, units, control={"Minsk": "axis"})
        hexes = noretreat.views.overlay(s, "supply", 0, None, None)["hexes"]
        assert ("1210" in hexes) is guarded


@rule("8.6.a", "8.6.b", "8.6.d")
def test_finland(noretreat: Any) -> None:
    s = moving(noretreat, {"18th Army": "1401", "3rd Rumanian": "1402", "Finnish": "Finland"})
    assert "Finland" in reach(s, "18th Army")
    assert refused(s, "move 3rd Rumanian Finland", because="8.6.a")
    assert refused(s, "move Finnish", because="8.0.b")
    empty = moving(noretreat, {"Kalinin": "1601"}, "soviet")
    assert "Finland" in reach(empty, "Kalinin")
    held = moving(noretreat, {"Kalinin": "1601", "Finnish": "Finland"}, "soviet")
    assert refused(held, "move Kalinin Finland", because="8.4.a")
    attack = combat(noretreat, {"Kalinin": "1401", "Don": "1402", "Volkhov": "1601", "Finnish": "Finland"}, "soviet")
    forecast = outlook(attack, "Finland", "Kalinin", "Don", "Volkhov")
    assert dict(forecast.facts)["attack"] == "12"
    assert shifts(forecast)["10.6.1.a"] == -1


@rule("8.6.b")
def test_zones_reach_into_and_out_of_finland(noretreat: Any) -> None:
    s = moving(noretreat, {"18th Army": "Finland"}, "axis")
    zones = noretreat.views.overlay(s, "zoc", 0, None, None)["hexes"]
    assert {"1401", "1402", "1601"} <= set(zones)


@rule("8.7.a", "8.7.b", "8.7.c")
def test_the_balkans_open_the_turn_after_the_oil_falls(noretreat: Any) -> None:
    axis = {"Group F": "0318", "1st Hungarian": "0418"}
    for oil, able in ((0, False), (20, False), (19, True)):
        s = moving(noretreat, axis, turn=20, triggers={"Oil": oil})
        assert ("Western Balkans" in reach(s, "Group F")) is able
        if not able:
            assert refused(s, "move Group F Western Balkans", because="8.7.a")
    s = moving(noretreat, axis, turn=20, triggers={"Oil": 19})
    assert refused(s, "move 1st Hungarian Western Balkans", because="8.7.a")
    soviet = moving(
        noretreat, {"South": "0922", "Yugoslav 1": "Southern Balkans"}, "soviet", turn=23, triggers={"Oil": 19}
    )
    assert "Southern Balkans" in reach(soviet, "South")
    assert "0922" in reach(soviet, "Yugoslav 1")
    crowd = moving(
        noretreat, {"South": "0922", "Yugoslav 1": "Southern Balkans"}, "soviet", turn=20, triggers={"Oil": 19}
    )
    go(crowd, "South", "Southern Balkans")
    do(crowd, "done")
    assert asked(crowd) == "stacking.Excess"
    assert noretreat.views.overlay(s, "supply", 0, None, None)["hexes"].get("Western Balkans") is None


@rule("12.7.1", "6.1.b")
def test_a_unit_that_takes_a_city_may_go_on(noretreat: Any) -> None:
    s = moving(noretreat, {"2nd Panzer": "1110"})
    events = go(s, "2nd Panzer", "1210")
    assert "captures Minsk" in told(events)
    assert asked(s) == "movement.MoveUnit"
    do(s, "halt 2nd Panzer")
    assert not offers(s, "move 2nd Panzer")
    assert face(s, "2nd Panzer") == "full"


@rule("8.2.b", "8.3.a", "8.5.1")
def test_the_movement_example_in_the_snow(noretreat: Any) -> None:
    """Allowances of 6 and 3 become 4 and 3; a clear hex beside a Fortified unit costs one MP and does not stop."""
    s = moving(noretreat, {"2nd Panzer": "2210", "Luftwaffe": "2310"}, turn=4, weather="Snow")
    assert s.decision.kind == "movement.MoveUnits"
    do(s, "move 2nd Panzer")
    assert "(4 MP)" in s.decision.prompt
    fort = moving(noretreat, {"16th Army": "1404", "Leningrad": {"at": "1402", "face": "fort"}}, turn=4, weather="Snow")
    costs = noretreat.views.overlay(fort, "reach", 0, noretreat.unit("16th Army"), None)["hexes"]
    assert costs["1403"] == 1
    assert costs["1303"] <= 2


@rule("8.4.3", "14.1.b")
def test_the_finns_do_not_come_back_elsewhere(noretreat: Any) -> None:
    """Crowded out of Finland they are gone: the Destroyed box would let them return in Germany."""
    s = moving(noretreat, {"9th Army": "1401", "6th Army": "Finland", "Finnish": "Finland", "Don": "2210"})
    do(s, "move 9th Army", "move 9th Army Finland", "done", "take off Finnish")
    assert at(s, "Finnish") is None


@rule("8.1", "9.1.a")
def test_refusals_after_a_city_was_taken_on_the_way(noretreat: Any) -> None:
    """The MPs are spent, not taken by the weather; and it is too late for the train."""
    s = moving(noretreat, {"1st Panzer": "1814", "Don": "2510"}, weather="Snow", turn=10)
    do(s, "move 1st Panzer", "move 1st Panzer 1815")
    assert {c.rule for c in s.why_not("move 1st Panzer 2315")} == {"8.3.c"}
    assert refused(s, "entrain 1st Panzer", because="9.1.a")


@rule("8.7.b", "12.7.1")
def test_the_balkans_are_a_short_cut_to_a_city(noretreat: Any) -> None:
    """The Western Balkans are one huge hex: from its eastern end to Budapest in four MPs."""
    s = moving(noretreat, {"9th Army": "0822", "Don": "2210"}, turn=20, triggers={"Oil": 18},
               control={"Budapest": "soviet"})  # fmt: skip
    go(s, "9th Army", "0617")
    assert s.view(None)["control"]["0617"] == "axis"


@rule("13.5.11.b")
def test_tanks_stack_from_the_soviet_player_turn_on(noretreat: Any) -> None:
    """Not yet in the Axis player turn of turn 11."""
    units = {"9th Army": "0810", "2nd Tank": "2310", "Kalinin": "2310"}
    for turn, sheds in ((11, True), (12, False)):
        s = moving(noretreat, units, "axis", turn=turn)
        do(s, "done")
        assert (asked(s) == "stacking.Excess") is sheds


@rule("8.0.a")
def test_a_unit_that_was_chosen_may_be_put_back(noretreat: Any) -> None:
    s = moving(noretreat, {"9th Army": "2210", "Don": "2510"})
    before = s.to_json()
    do(s, "move 9th Army")
    assert s.decision.passes is None
    for way_back in ("back", "halt 9th Army"):
        undone = s.copy()
        do(undone, way_back)
        assert undone.to_json() == before
    do(s, "back")
    go(s, "9th Army", "2110")
    assert refused(s, "move 9th Army", because="8.0.a")


@rule("8.0.a", "8.5.1", "8.3.c", "8.4.a")
def test_a_way_of_ones_own(noretreat: Any) -> None:
    s = moving(noretreat, {"9th Army": "2210", "Don": "2310", "Kalinin": "2013"})
    do(s, "move 9th Army")
    assert refused(s, "by 2310", because="8.4.a")
    assert refused(s, "by 2110-2112", because="8.0.a")  # hex by hex
    assert refused(s, "by 2110-2111-2012-1911", because="8.5.1")  # the zone of Kalinin in 2012
    assert refused(s, "by 2110-2010-1910-1810-1710-1610-1510", because="8.3.c")
    events = do(s, "by 2110-2109")
    assert events[0].path == tuple(noretreat.node(label) for label in ("2210", "2110", "2109"))
    assert at(s, "9th Army") == "2109"


@rule("13.5.GG.a", "8.0.a")
def test_the_border_of_greater_germany_can_be_avoided(noretreat: Any) -> None:
    """Of two ways of the same length one crosses the border and calls the German reserves."""
    pairs = 0
    inside = noretreat.charts.in_germany
    for label in noretreat.board.labels[: noretreat.board.hexes]:
        node = noretreat.node(label)
        if not noretreat.charts.in_ussr[node] or not noretreat.charts.is_land(node):
            continue
        s = moving(noretreat, {"Don": {"at": label, "face": "red"}, "9th Army": "0114"}, "soviet", turn=18)
        do(s, "move Don")
        for target in starting(s, "move Don"):
            if inside[noretreat.node(target)]:
                continue
            straight, around = s.copy(), s.copy()
            way = do(straight, f"move Don {target}")[0].path
            if not straight.gg_turn or len(way) != 3:
                continue
            for middle in noretreat.board.around[node]:
                by = f"by {noretreat.board.labels[middle]}-{target}"
                if not inside[middle] and not around.why_not(by):
                    do(around, by)
                    assert not around.gg_turn
                    pairs += 1
                    break
    assert pairs


@rule("8.5.3", "8.4.a")
def test_a_unit_that_cannot_leave_its_hex_is_not_chosen(noretreat: Any) -> None:
    """Hemmed in by zones; without supply it cannot entrain either."""
    ring = {"Don": "2110", "Kalinin": "2209", "West": "2310"}
    s = moving(noretreat, {"9th Army": {"at": "2210", "unsupplied": True}, **ring})
    assert not offers(s, "move 9th Army")
    assert refused(s, "move 9th Army", because="8.5.3")


def notes(s: Any, action: str) -> str:
    forecast = s.forecast(action)
    return "" if forecast is None else "; ".join(forecast.notes)


@rule("8.5.1", "8.4.3", "12.7.1", "13.5.GG.a", "6.4")
def test_a_destination_tells_what_it_would_do(noretreat: Any) -> None:
    s = moving(noretreat, {"9th Army": "1110", "4th Army": "1109", "6th Army": "1109", "Don": "1409"})
    before = s.to_json()
    do(s, "move 9th Army")
    assert notes(s, "move 9th Army 1210") == "takes Minsk (rule 12.7.1)"
    assert "8.4.3" in notes(s, "move 9th Army 1109")
    assert "8.5.1" in notes(s, "move 9th Army 1309")
    assert notes(s, "move 9th Army 1010") == ""
    do(s, "back")
    assert s.to_json() == before
    red = moving(noretreat, {"Don": {"at": "0911", "face": "red"}, "9th Army": "0114"}, "soviet", turn=18)
    do(red, "move Don")
    assert "13.5.GG.a" in notes(red, "by 0812")
    lost = moving(noretreat, {"9th Army": "1110", "Don": "2410"})
    do(lost, "move 9th Army")
    assert notes(lost, "move 9th Army 1209") == "out of supply there, as things stand (rule 6.4)"


def undone(s: Any) -> str:
    """What the player who would end the phase now has left undone."""
    found: str = s.view(s.side)["decision"]["undone"]
    return found


def test_what_is_left_undone(noretreat: Any) -> None:
    units = {"9th Army": "2210", "2nd Panzer": "2110", "Don": "2211"}
    s = moving(noretreat, units)
    assert undone(s) == "none of the 2 units that can move has moved"
    go(s, "2nd Panzer", "2109")
    assert undone(s) == ""
    s = moving(noretreat, {"Don": "2211"})
    assert undone(s) == ""  # nobody could
    s = combat(noretreat, units)
    assert undone(s) == "no target is marked, though 1 hex can be attacked"
    s = combat(noretreat, {**units, "West": "2209"})
    assert undone(s) == "no target is marked, though 2 hexes can be attacked"
    do(s, "target 2211")
    assert undone(s) == ""
