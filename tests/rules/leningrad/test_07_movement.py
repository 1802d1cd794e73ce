"""Chapter 7: operational movement. The north-east, columns 16 to 20, has no roads."""

from __future__ import annotations

from typing import Any

import pytest

from counterblow.games.leningrad import combat
from tests.helpers import asked, cited, do, legal, rule
from tests.rules.leningrad.play import Game, State, disrupted, fight, has, march

ROW_3 = ("1603", "1703", "1803", "1903", "2003")
KIEV_HIGHWAY = [
    "0419", "0318", "0417", "0416", "0515", "0514", "0613", "0713", "0712", "0811", "0810", "0809", "0808", "0907",
    "0806", "0905", "0904",
]  # fmt: skip


def moving(leningrad: Game, units: dict[str, Any], phase: str = "german.movement", **more: Any) -> State:
    far = {"11. Army": "2019"} if phase.startswith("german") else {"I. Korps": "0119"}
    s: State = leningrad.position(phase=phase, units={**far, **units}, **more)
    return s


def hurried_at(leningrad: Game, unit: str, phase: str) -> list[bool]:
    """For each hex of row 3 in turn: does the march from 1603 use the bonus?"""
    found = []
    for node in ROW_3[1:]:
        s = moving(leningrad, {unit: "1603"}, phase)
        march(s, unit, node)
        found.append(has(s, "hurried", unit))
    return found


@rule("7.1", "7.6")
@pytest.mark.parametrize(
    ("unit", "phase"),
    [
        ("4. Panzer Gruppe", "german.movement"),
        ("6. Panzer Division", "german.movement"),
        ("21. Tank Division", "russian.movement"),
        ("RBBF Marines", "russian.movement"),
    ],
)
def test_mobile_units_have_three_factors(leningrad: Game, unit: str, phase: str) -> None:
    assert hurried_at(leningrad, unit, phase) == [False, False, False, True]


@rule("7.2", "7.6")
@pytest.mark.parametrize("unit", ["I. Korps", "16. Armee"])
def test_other_germans_have_two(leningrad: Game, unit: str) -> None:
    assert hurried_at(leningrad, unit, "german.movement") == [False, False, True, True]


@rule("7.3", "7.6")
@pytest.mark.parametrize("unit", ["22. Corps", "34. Army"])
def test_other_russians_have_one(leningrad: Game, unit: str) -> None:
    assert hurried_at(leningrad, unit, "russian.movement") == [False, True, True, True]


@rule("7.4")
@pytest.mark.parametrize(
    ("unit", "phase", "far"),
    [
        ("I. Korps", "german.movement", 4),
        ("34. Army", "russian.movement", 4),
        ("6. Panzer Division", "german.movement", 5),
    ],
)
def test_the_bonus_is_two_for_germans_and_three_for_russians(leningrad: Game, unit: str, phase: str, far: int) -> None:
    s = moving(leningrad, {unit: "1602"}, phase)
    s.do(f"march {unit}")
    board = leningrad.board
    start = board.node("1602")
    north = {board.node(f"{column}{row:02d}") for column in range(16, 21) for row in (1, 2, 3)} - {start}
    north &= board.of_terrain("clear")
    reached = {action.args[0] for action in s.legal() if action.kind == "to"} & north
    assert reached == {node for node in north if board.distance(start, node) <= far}
    assert s.refuses("to 1814", because="7.4")


@rule("7.5")
def test_a_unit_that_used_its_bonus_does_not_attack(leningrad: Game) -> None:
    for start, may in (("0918", True), ("0719", False)):
        s = moving(leningrad, {"I. Korps": start, "16. Armee": "1017", "22. Corps": "1018"})
        if not may:
            march(s, "I. Korps", "0919")
            assert not disrupted(s, "I. Korps")
            march(s, "16. Armee", "0917")
        s.do("end movement")
        assert ("attack 1018" in legal(s)) == may
    s = moving(leningrad, {"I. Korps": "0618", "16. Armee": "0918", "22. Corps": "1018"})
    march(s, "I. Korps", "0918")  # three hexes, onto a friend in the zone
    assert not disrupted(s, "I. Korps")
    s.do("end movement")
    s.do("attack 1018")
    assert s.refuses("with I. Korps", because="7.5")


@rule("7.7", "7.4")
def test_v28_fifteen_road_hexes_with_the_bonus_nine_without(leningrad: Game) -> None:
    for hexes, hurried in ((9, False), (10, True), (15, True)):
        s = moving(leningrad, {"6. Panzer Division": "0419"})
        march(s, "6. Panzer Division", KIEV_HIGHWAY[hexes])
        assert has(s, "hurried", "6. Panzer Division") == hurried
    s = moving(leningrad, {"6. Panzer Division": "0319"})  # a hex off the road: 12 of them
    s.do("march 6. Panzer Division")
    assert f"to {KIEV_HIGHWAY[13]}" in legal(s)
    assert s.refuses(f"to {KIEV_HIGHWAY[15]}", because="7.4")


@rule("7.7")
def test_marines_use_roads_like_panzers(leningrad: Game) -> None:
    s = moving(leningrad, {"RBBF Marines": "0904"}, "russian.movement")
    march(s, "RBBF Marines", KIEV_HIGHWAY[-10])
    assert not has(s, "hurried", "RBBF Marines")


@rule("7.8")
def test_thirds_are_lost_on_leaving_the_road(leningrad: Game) -> None:
    """0313-0314-0415 by road, 0515 across country, 0514 by road: 2/3, 1 and 1/3, but the first 2/3 count as 1."""
    s = moving(leningrad, {"6. Panzer Division": "0313"}, "german.blitzkrieg")  # basic factor 2
    march(s, "6. Panzer Division", "0514")
    assert has(s, "hurried", "6. Panzer Division")


@rule("7.9")
def test_halves_are_kept(leningrad: Game) -> None:
    """0915-1015 by road, 1016 across country, 1116 by road: 2 in all."""
    s = moving(leningrad, {"I. Korps": "0915"})
    march(s, "I. Korps", "1116")
    assert not has(s, "hurried", "I. Korps")
    s = moving(leningrad, {"I. Korps": "0419"})
    march(s, "I. Korps", KIEV_HIGHWAY[4])  # half a factor each
    assert not has(s, "hurried", "I. Korps")


@rule("7.10", "2.12")
def test_v31_road_march_into_contact(leningrad: Game) -> None:
    """From 0514 by road to 0712 next to Luga: 4 hexes, the last paid in full leaves it fit."""
    contact = {"LVI. Panzer Korps": "0514", "Luga Operational Group": "0811"}
    s = moving(leningrad, contact)
    march(s, "LVI. Panzer Korps", "0712")
    assert not disrupted(s, "LVI. Panzer Korps")
    far = {**contact, "LVI. Panzer Korps": "0419"}  # eight road hexes: no factor left to pay in full
    s = moving(leningrad, far)
    assert "7.10" in cited(march(s, "LVI. Panzer Korps", "0712"))
    assert disrupted(s, "LVI. Panzer Korps")
    s.do("end movement")
    assert s.refuses("attack 0811", because="2.12")
    s = moving(leningrad, {**far, "X. Korps": "0712"})  # onto an UnDisrupted friend
    march(s, "LVI. Panzer Korps", "0712")
    assert not disrupted(s, "LVI. Panzer Korps")


@rule("7.10")
def test_only_zones_of_fresh_enemies_count_for_a_road_march(leningrad: Game) -> None:
    for disordered in (False, True):
        s = moving(leningrad, {"LVI. Panzer Korps": "0419", "34. Army": {"at": "0811", "disrupted": disordered}})
        march(s, "LVI. Panzer Korps", "0712")
        assert disrupted(s, "LVI. Panzer Korps") == (not disordered)


# ---------------------------------------------------------------- rail


@rule("7.11", "7.13")
def test_rail_movement_goes_any_distance_and_disrupts(leningrad: Game) -> None:
    s = moving(leningrad, {"34. Army": "2017", "22. Corps": "1915"}, "russian.movement")
    s.do("entrain 34. Army")
    assert "7.13" in cited(s.do("to 0904"))
    assert s.place("34. Army") == "0904"
    assert disrupted(s, "34. Army")


@rule("7.11")
def test_only_fit_russian_units_on_a_railway_entrain(leningrad: Game) -> None:
    s = moving(leningrad, {"34. Army": "1803", "22. Corps": {"at": "1806", "disrupted": True}}, "russian.movement")
    assert s.refuses("entrain 34. Army", because="7.11")
    assert s.refuses("entrain 22. Corps", because="3.18")
    s = moving(leningrad, {"I. Korps": "0417"})
    assert s.refuses("entrain I. Korps", because="7.11")


@rule("7.12")
def test_no_rail_journey_ends_in_a_german_zone_without_a_russian(leningrad: Game) -> None:
    units: dict[str, Any] = {"34. Army": "1806", "X. Korps": "1704"}  # its zone covers 1805 and 1705
    s = moving(leningrad, units, "russian.movement")
    s.do("entrain 34. Army")
    assert s.refuses("to 1805", because="7.12")
    s = moving(leningrad, {**units, "22. Corps": "1805"}, "russian.movement")
    s.do("entrain 34. Army")
    assert "to 1805" in legal(s)


@rule("7.22")
def test_and_it_stops_in_the_first_zone_hex(leningrad: Game) -> None:
    """From 0604 along the coast: 0704 lies in the zone of X. Korps and holds a Russian; 0804 beyond is free."""
    units: dict[str, Any] = {"22. Corps": "0604", "16. Corps": "0704", "X. Korps": "0705"}
    s = moving(leningrad, units, "russian.movement")
    s.do("entrain 22. Corps")
    assert legal(s) == ["to 0704"]
    assert s.refuses("to 0804", because="7.22")


@rule("7.16")
def test_no_train_runs_west_of_the_narva(leningrad: Game) -> None:
    s = moving(leningrad, {"22. Corps": "0407", "Armored Train 1": "0507"}, "russian.movement")
    s.do("entrain 22. Corps")
    assert s.refuses("to 0307", because="7.16")
    s.do("to 0507")
    s.do("run Armored Train 1")
    assert s.refuses("to 0307", because="7.16")


@rule("7.13")
def test_trains_are_not_disrupted_by_rail(leningrad: Game) -> None:
    s = moving(leningrad, {"Armored Train 1": "0904"}, "russian.movement")
    s.do("run Armored Train 1")
    s.do("to 1806")
    assert not disrupted(s, "Armored Train 1")


@rule("7.14")
def test_rail_movement_may_leave_the_map_and_come_back(leningrad: Game) -> None:
    """X. Korps cuts the line at 1805. From 1906 off the map at 2006 and on again at 2010, if 2006 is Russian."""
    for holder in ("russian", "german"):
        s = moving(leningrad, {"34. Army": "1906", "X. Korps": "1805"}, "russian.movement", control={"2006": holder})
        s.do("entrain 34. Army")
        assert ("to 2010" in legal(s)) == (holder == "russian")


@rule("7.14", "8.2")
def test_a_unit_that_comes_back_into_a_zone_stops_there(leningrad: Game) -> None:
    """X. Korps has 2010 and 1910 in its zone, both with Russians in them; every other way to 1910 is shut."""
    units = {"34. Army": "1906", "I. Korps": "1805", "X. Korps": "2009", "42. Army": "2010", "55. Army": "1910"}
    german = dict.fromkeys(("2017", "0819"), "german")
    s = moving(leningrad, units, "russian.movement", control=german)
    s.do("entrain 34. Army")
    assert "to 2010" in legal(s)
    assert "to 1910" not in legal(s)


@rule("7.15")
def test_passing_a_disrupted_army(leningrad: Game) -> None:
    """0305 has two exits: one is German, in the other stands 8. Army, Disrupted."""
    units = {
        "RBBF Marines": "0305", "6. Panzer Division": "0405", "8. Army": {"at": "0306", "disrupted": True},
    }  # fmt: skip
    s = moving(leningrad, units, "russian.movement")
    assert "7.15" in cited(march(s, "RBBF Marines", "0406"))
    assert disrupted(s, "RBBF Marines")
    s = moving(leningrad, units, "russian.movement")
    s.do("march RBBF Marines")
    assert "to 0505" in legal(s)  # 3 hexes
    assert s.refuses("to 0605", because="7.15")  # 4: the bonus is lost
    s.do("to 0306")  # stopping there is not passing
    assert not disrupted(s, "RBBF Marines")


# ---------------------------------------------------------------- west of the Narva, water


@rule("7.16")
def test_the_west_bank_is_closed_to_russians(leningrad: Game) -> None:
    s = moving(leningrad, {"11. Army": "0308"}, "russian.movement")
    s.do("march 11. Army")
    assert s.refuses("to 0208", because="7.16")
    assert s.refuses("to 0307", because="7.16")


@rule("7.16")
def test_except_to_attack_there(leningrad: Game) -> None:
    s = moving(leningrad, {"11. Army": "0308", "X. Korps": "0207"}, "russian.movement", dice=(4,))
    march(s, "11. Army", "0208")
    s.do("end movement")
    assert s.refuses("end attacks", because="7.16")
    back = s.copy()
    back.do("give up all attacks")
    assert back.place("11. Army") == "0308"
    fight(s, "0207", "11. Army")
    assert has(s, "crossed", "11. Army")  # from now on it may go there


@rule("7.16", "6.10")
def test_who_was_too_many_over_there_owes_nothing(leningrad: Game) -> None:
    """8. Army crosses, is removed for overstacking and neither has to attack nor comes back."""
    units = {"11. Army": "0308", "8. Army": "0308", "22. Corps": "0308", "X. Korps": "0207"}
    s = moving(leningrad, units, "russian.movement")
    for name in ("11. Army", "8. Army", "22. Corps"):
        march(s, name, "0208")
    s.do("end movement")
    s.do("remove 8. Army")
    assert not any("8. Army" in reason.text for reason in s.why_not("end attacks"))
    s.do("give up all attacks")
    assert s.place("8. Army") is None
    assert s.place("11. Army") == s.place("22. Corps") == "0308"


@rule("7.16")
def test_only_where_the_unit_alone_could_attack(leningrad: Game) -> None:
    """22. Corps could not attack an entrenched army at 1:5 (ruling D68)."""
    s = moving(leningrad, {"22. Corps": "0308", "16. Armee": {"at": "0207", "entrenched": True}}, "russian.movement")
    s.do("march 22. Corps")
    assert s.refuses("to 0208", because="7.16")


@rule("7.16")
def test_nor_by_a_step_from_zone_to_zone(leningrad: Game) -> None:
    """0308 lies in the zone of I. Korps, 0208 over the river in that of X. Korps only."""
    s = moving(leningrad, {"22. Corps": "0308", "I. Korps": "0409", "X. Korps": "0108"}, "russian.movement")
    s.do("march 22. Corps")
    assert s.refuses("to 0208", because="7.16")
    driven_over = {"22. Corps": "0208", "I. Korps": "0309", "X. Korps": "0108", "34. Army": "0209"}
    s = moving(leningrad, driven_over, "russian.movement")
    s.do("march 22. Corps")
    assert legal(s) == ["to 0209"]  # only onto a friend, and to attack X. Korps from there


@rule("7.16")
def test_and_after_having_attacked(leningrad: Game) -> None:
    s = moving(leningrad, {"11. Army": {"at": "0208", "crossed": True}}, "russian.movement")
    s.do("march 11. Army")
    assert "to 0108" in legal(s)


@rule("7.16")
def test_retreats_over_the_narva_are_free(leningrad: Game) -> None:
    s = leningrad.position(phase="german.allocation", units={"16. Armee": "0408", "22. Corps": "0308"}, dice=(3,))
    fight(s, "0308", "16. Armee")
    if asked(s) == "results.RetreatLength":
        s.do("order retreat 1")
    assert "retreat 22. Corps 0208" in legal(s)


@rule("7.17")
def test_lakes_open_when_they_freeze(leningrad: Game) -> None:
    for turn, node, frozen in ((12, "1214", False), (13, "1214", True), (13, "1203", False), (14, "1203", True)):
        start = {"1214": "1213", "1203": "1204"}[node]
        s = moving(leningrad, {"I. Korps": start}, turn=turn)
        s.do("march I. Korps")
        assert (f"to {node}" in legal(s)) == frozen
        assert frozen or s.refuses(f"to {node}", because="7.17")


@rule("7.17")
def test_an_all_lake_side_is_closed_until_then(leningrad: Game) -> None:
    s = moving(leningrad, {"34. Army": "1314"}, "russian.movement", turn=12)
    s.do("march 34. Army")
    s.do("to 1315")  # by land it is 3 hexes round the lake
    assert has(s, "hurried", "34. Army")
    s = moving(leningrad, {"34. Army": "1314"}, "russian.movement", turn=13)
    march(s, "34. Army", "1315")
    assert not has(s, "hurried", "34. Army")


@rule("7.18")
def test_armour_pays_for_an_unbridged_river_near_the_enemy(leningrad: Game) -> None:
    """In the blitzkrieg a panzer korps has 2 factors. 1210-1310-1411 over the Volkhov into a zone costs 3."""
    s = moving(leningrad, {"LVI. Panzer Korps": "1210", "34. Army": "1412"}, "german.blitzkrieg")
    assert "8.3" in cited(march(s, "LVI. Panzer Korps", "1411"))
    s = moving(leningrad, {"LVI. Panzer Korps": "1210"}, "german.blitzkrieg")  # no enemy near
    march(s, "LVI. Panzer Korps", "1411")
    assert not has(s, "hurried", "LVI. Panzer Korps")
    s = moving(leningrad, {"I. Korps": "1210", "34. Army": "1412"})  # infantry pays nothing extra
    march(s, "I. Korps", "1411")
    assert not disrupted(s, "I. Korps")


@rule("7.18")
def test_not_where_a_road_crosses(leningrad: Game) -> None:
    """1112-1213-1313 over the bridge at Novgorod into the zone of 34. Army."""
    s = moving(leningrad, {"LVI. Panzer Korps": "1112", "34. Army": "1413"}, "german.blitzkrieg")
    march(s, "LVI. Panzer Korps", "1313")
    assert not disrupted(s, "LVI. Panzer Korps")


@rule("7.19")
def test_no_overrun(leningrad: Game) -> None:
    s = moving(leningrad, {"4. Panzer Gruppe": "0918", "22. Corps": {"at": "1018", "disrupted": True}})
    s.do("march 4. Panzer Gruppe")
    assert s.refuses("to 1018", because="7.19")


@rule("7.16", "8.6", "8.14")
def test_over_the_narva_onto_a_friend_from_zone_to_zone(leningrad: Game) -> None:
    """X. Korps has Narva in its zone, XXVIII. Korps the hex that 41. Corps leaves."""
    units = {"41. Corps": "0407", "42. Army": {"at": "0307", "crossed": True}, "X. Korps": "0207",
             "XXVIII. Korps": "0408", "48. Army": "0904"}  # fmt: skip
    s = leningrad.position(turn=8, phase="russian.movement", units=units)
    march(s, "41. Corps", "0307")
    assert not disrupted(s, "41. Corps")
    s.do("end movement")
    assert s.refuses("end attacks", because="7.16")  # it came to attack

    units["42. Army"] = {"at": "0307", "crossed": True, "disrupted": True}
    s = leningrad.position(turn=8, phase="russian.movement", units=units)
    s.do("march 41. Corps")
    assert s.refuses("to 0307", because="7.16")  # 8.7: it would be Disrupted there, and could not attack


@rule("7.15", "7.16")
def test_not_over_the_narva_through_a_disrupted_army(leningrad: Game) -> None:
    """The only way in reach is the road through 0407, full of a Disrupted army."""
    for marks, legal_there in (({}, True), ({"disrupted": True}, False)):
        units = {"21. Tank Division": "0905", "8. Army": {"at": "0407", **marks}, "LVI. Panzer Korps": "0207",
                 "48. Army": "0904"}  # fmt: skip
        s = leningrad.position(turn=8, phase="russian.movement", units=units)
        s.do("march 21. Tank Division")
        assert ("to 0307" in [str(a) for a in s.legal()]) == legal_there


@rule("7.16", "7.20")
def test_marines_do_not_land_west_of_the_narva(leningrad: Game) -> None:
    for marks, barred in (({}, True), ({"crossed": True}, False)):
        units = {"RBBF Marines": {"at": "0803", **marks}, "Red Banner Baltic Fleet": "0803", "48. Army": "0904"}
        s = leningrad.position(turn=8, phase="russian.movement", units=units)
        s.do("sail")
        s.do("to 0207")
        if barred:
            assert s.refuses("land the Marines", because="7.16")
        else:
            assert "land the Marines" in [str(action) for action in s.legal()]


@rule("7.20")
def test_marines_land_from_the_sea(leningrad: Game) -> None:
    s = moving(leningrad, {"RBBF Marines": "0803", "Red Banner Baltic Fleet": "0803"}, "russian.movement")
    assert s.refuses("land the Marines", because="10.9")  # the fleet must sail
    assert s.refuses("march RBBF Marines", because="7.21")  # Kronshtadt is an island
    s.do("sail")
    s.do("to 0505")
    s.do("land the Marines")
    assert s.place("RBBF Marines") == "0505"
    assert has(s, "moved", "RBBF Marines")


@rule("7.21")
def test_nobody_else_crosses_the_sea(leningrad: Game) -> None:
    s = moving(leningrad, {"34. Army": "0804"}, "russian.movement")
    s.do("march 34. Army")
    assert s.refuses("to 0703", because="7.21")
    assert s.refuses("to 0803", because="7.21")
    assert s.refuses("to 0802", because="8.13")


# ---------------------------------------------------------------- rulings on how a march is given


@rule("1.4")
def test_a_unit_may_be_led_through_an_enemy_place(leningrad: Game) -> None:
    """Ruling D67: whoever passed last holds the place."""
    s = moving(leningrad, {"6. Panzer Division": "0418"})
    s.do("march 6. Panzer Division")
    s.do("lead 6. Panzer Division through 0417")
    assert s.control[leningrad.node("0417")] == 0
    assert s.decision is not None
    assert s.decision.back is None
    assert s.refuses("back", because="7.4")  # it has moved
    halted = s.copy()
    halted.do("to 0417")  # where it is
    assert halted.place("6. Panzer Division") == "0417"
    assert halted.refuses("march 6. Panzer Division", because="1.10")
    s.do("to 0517")
    assert s.place("6. Panzer Division") == "0517"
    assert not has(s, "hurried", "6. Panzer Division")


@rule("7.4")
def test_a_unit_may_be_led_by_any_way_it_could_march(leningrad: Game) -> None:
    """Ruling D67: such hexes are not listed, since nothing depends on them, but who names one goes that way."""
    s = moving(leningrad, {"6. Panzer Division": "0418"})
    s.do("march 6. Panzer Division")
    assert "lead 6. Panzer Division through 0518" not in legal(s)
    assert s.why_not("lead 6. Panzer Division through 0518") == []
    s.do("lead 6. Panzer Division through 0518")
    assert s.place("6. Panzer Division") == "0518"
    s.do("lead 6. Panzer Division through 0618")
    s.do("halt 6. Panzer Division")
    assert s.place("6. Panzer Division") == "0618"
    assert s.refuses("march 6. Panzer Division", because="1.10")


@rule("7.4", "7.5")
def test_who_halts_at_the_end_of_his_basic_factor_has_not_used_his_bonus(leningrad: Game) -> None:
    s = moving(leningrad, {"I. Korps": "1602"})
    do(s, "march I. Korps")
    for steps, (there, bonus) in enumerate((("1702", False), ("1802", False), ("1902", True)), 1):
        do(s, f"lead I. Korps through {there}")
        halted = s.copy()
        do(halted, "halt I. Korps")
        assert has(halted, "hurried", "I. Korps") is bonus, steps


@rule("7.14")
def test_over_the_exits_every_rail_hex_is_offered_once(leningrad: Game) -> None:
    s = moving(leningrad, {"22. Corps": "2006", "8. Panzer Division": "1906"}, "russian.movement")
    s.do("entrain 22. Corps")
    assert {"to 2010", "to 2017"} <= set(legal(s))
    assert len(legal(s)) == len(set(legal(s)))


@rule("7.16", "2.6", "2.7")
@pytest.mark.parametrize(
    ("node", "target", "beside", "free"),
    [
        ("0208", "0307", "0308", True),  # the korps is behind a river, the target is not: it need not be attacked
        ("0210", "0209", "0309", False),
        ("0306", "0307", "0405", False),  # both are behind a river
    ],
)
def test_whom_else_a_unit_that_crosses_the_narva_would_have_to_attack(
    leningrad: Game, node: str, target: str, beside: str, free: bool
) -> None:
    """Ruling D68: 1 factor against a panzer division's 2, and 4 more where an entrenched korps must be attacked too."""
    for korps, alone in (({"entrenched": True}, free), ({"disrupted": True}, True)):
        units = {"22. Corps": "1018", "6. Panzer Division": target, "I. Korps": {"at": beside, **korps}}
        s = leningrad.position(phase="russian.movement", units=units)
        assert combat.could_attack_alone(s, leningrad.unit("22. Corps"), leningrad.node(node)) == alone


@rule("1.4")
def test_nothing_is_left_undone_by_who_cannot_march(leningrad: Game) -> None:
    units = {"I. Korps": {"at": "1018", "disrupted": True}, "22. Corps": "0614"}
    s = leningrad.position(phase="german.movement", units=units, air=["I. Fliegerkorps"])
    assert "bomb with I. Fliegerkorps" in legal(s)
    assert s.view(s.side)["decision"]["undone"] == ""


@rule("1.4")
@pytest.mark.parametrize("first", ["4. Panzer Gruppe", "X. Korps"])
def test_whoever_has_marched_first_nothing_is_left_undone(leningrad: Game, first: str) -> None:
    units = {"4. Panzer Gruppe": "0418", "X. Korps": "0318", "22. Corps": "0614"}
    s = leningrad.position(phase="german.movement", units=units)
    assert s.view(s.side)["decision"]["undone"] == "none of the 2 units that can march has moved"
    march(s, first, "0519")
    assert s.view(s.side)["decision"]["undone"] == ""


@rule("8.2", "8.3", "7.5")
def test_a_forced_march_into_a_zone_is_told_as_what_it_does(leningrad: Game) -> None:
    units = {"6. Panzer Division": "0418", "22. Corps": "0717"}
    s = leningrad.position(phase="german.movement", units=units)
    s.do("march 6. Panzer Division")
    shaken, free = s.forecast("to 0718"), s.forecast("to 0811")
    assert shaken is not None
    assert free is not None
    assert shaken.notes == ("is Disrupted by the march (rule 8.3)", "ends in an enemy zone of control (rule 8.2)")
    assert free.notes == ("takes Pskov", "takes Luga", "a forced march: no attack this turn (rule 7.5)")


@rule("12.5")
def test_open_country_is_nobodys_to_take(leningrad: Game) -> None:
    """Only places and edge hexes are held; to join a friend in the open takes nothing."""
    s = leningrad.position(phase="german.movement", units={"I. Korps": "0918", "X. Korps": "1018", "22. Corps": "0614"})
    events = march(s, "I. Korps", "1018")
    assert [event.kind for event in events] == ["move"]
