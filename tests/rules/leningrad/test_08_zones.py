"""Chapter 8: zones of control."""

from __future__ import annotations

from typing import Any

from tests.helpers import cited, legal, rule
from tests.rules.leningrad.play import Game, State, disrupted, has, march


def zone(s: State, side: int) -> set[str]:
    """The hexes in the zone of control of a side."""
    return {s.game.board.labels[node] for node in range(s.game.board.hexes) if s.zone[side][node]}


def moving(leningrad: Game, units: dict[str, Any], side: str = "german", **more: Any) -> State:
    s: State = leningrad.position(phase=f"{side}.movement", units=units, **more)
    return s


@rule("8.1")
def test_a_zone_is_every_adjacent_hex_that_could_be_entered(leningrad: Game) -> None:
    s = moving(leningrad, {"I. Korps": "1018", "11. Army": "0305"})
    assert zone(s, 0) == {"0918", "1017", "1117", "1118", "1119", "1019"}
    assert zone(s, 1) == {"0405", "0306"}  # the rest is sea


@rule("8.2")
def test_a_unit_stops_in_the_first_zone_hex(leningrad: Game) -> None:
    """22. Corps in 1802 has 1702 and 1703 in its zone; 1902 beyond is out of reach for one who stops."""
    s = leningrad.position(phase="german.blitzkrieg", units={"I. Korps": "1602", "22. Corps": "1803"})
    s.do("march I. Korps")
    assert "to 1702" in legal(s)
    assert s.refuses("to 1902", because="8.2")


@rule("8.3", "7.4")
def test_v30_the_bonus_into_a_bare_zone_disrupts(leningrad: Game) -> None:
    """22. Corps goes 4 clear hexes; 2003 lies in the zone of X. Korps in 2004."""
    units: dict[str, Any] = {"22. Corps": "1603", "X. Korps": "2004"}
    s = moving(leningrad, units, "russian")
    assert "8.3" in cited(march(s, "22. Corps", "2003"))
    assert disrupted(s, "22. Corps")
    s.do("end movement")
    assert s.refuses("attack 2004", because="2.12")


@rule("8.3")
def test_but_not_onto_a_fit_friend_though_it_may_not_attack(leningrad: Game) -> None:
    for friend, harmed in ((False, False), (True, True)):
        units = {"22. Corps": "1603", "X. Korps": "2004", "16. Corps": {"at": "2003", "disrupted": friend}}
        s = moving(leningrad, units, "russian")
        march(s, "22. Corps", "2003")
        assert disrupted(s, "22. Corps") == harmed
        if not harmed:
            assert has(s, "hurried", "22. Corps")


@rule("8.4")
def test_v32_a_german_leaves_the_zone_of_a_larger_enemy(leningrad: Game) -> None:
    units: dict[str, Any] = {"6. Panzer Division": "1602", "22. Corps": "1702"}
    near = moving(leningrad, units)
    march(near, "6. Panzer Division", "1604")  # within the basic factor
    assert not disrupted(near, "6. Panzer Division")
    far = moving(leningrad, units)
    assert "8.4" in cited(march(far, "6. Panzer Division", "1406"))  # with the bonus, and Disrupted
    assert disrupted(far, "6. Panzer Division")
    stays = moving(leningrad, {**units, "I. Korps": "1602"})  # another unit stays behind
    march(stays, "6. Panzer Division", "1406")
    assert not disrupted(stays, "6. Panzer Division")
    fresh = moving(leningrad, {**units, "34. Army": {"at": "1702", "disrupted": True},
                               "22. Corps": {"at": "1702", "disrupted": True}})  # fmt: skip
    march(fresh, "6. Panzer Division", "1406")  # no UnDisrupted enemy holds it
    assert not disrupted(fresh, "6. Panzer Division")


@rule("8.4")
def test_v33_an_army_leaves_an_equal_freely(leningrad: Game) -> None:
    s = moving(leningrad, {"16. Armee": "1602", "34. Army": "1702"})
    march(s, "16. Armee", "1505")
    assert has(s, "hurried", "16. Armee")
    assert not disrupted(s, "16. Armee")
    s = moving(leningrad, {"I. Korps": "1602", "34. Army": "1702"})  # a korps fears an army
    assert "8.4" in cited(march(s, "I. Korps", "1505"))


@rule("8.5")
def test_v34_a_russian_leaves_the_zone_of_an_equal(leningrad: Game) -> None:
    s = moving(leningrad, {"22. Corps": "1602", "X. Korps": "1702"}, "russian")
    assert "8.5" in cited(march(s, "22. Corps", "1604"))
    assert disrupted(s, "22. Corps")
    s = moving(leningrad, {"34. Army": "1602", "X. Korps": "1702"}, "russian")  # an army does not fear a korps
    march(s, "34. Army", "1604")
    assert not disrupted(s, "34. Army")


@rule("8.6", "8.8")
def test_v35_from_zone_to_zone(leningrad: Game) -> None:
    """I. Korps in 1702: 1803 lies in the zone of 22. Corps, like its own hex, 1603 only in that of 16. Corps."""
    units = {"I. Korps": "1702", "22. Corps": "1802", "16. Corps": "1604"}
    s = moving(leningrad, units)
    s.do("march I. Korps")
    assert s.refuses("to 1803", because="8.6")
    assert "to 1603" in legal(s)  # zone of 16. Corps only
    s.do("to 1603")
    assert not disrupted(s, "I. Korps")
    s.do("end movement")
    s.do("attack 1604")  # a special step uses no bonus
    assert "with I. Korps" in legal(s)


@rule("8.6")
def test_onto_a_friend_from_zone_to_zone_of_the_same_enemy(leningrad: Game) -> None:
    """22. Corps in 1802 has 1801 and 1902 in its zone, on the north edge nobody can walk around."""
    units: dict[str, Any] = {"I. Korps": "1801", "22. Corps": "1802"}
    s = moving(leningrad, units)
    s.do("march I. Korps")
    assert s.refuses("to 1901", because="8.6")
    s = moving(leningrad, {**units, "X. Korps": "1901"})
    s.do("march I. Korps")
    s.do("to 1901")
    assert not disrupted(s, "I. Korps")


@rule("8.7")
def test_joining_a_disrupted_friend_disrupts(leningrad: Game) -> None:
    units = {"I. Korps": "1801", "22. Corps": "1802", "X. Korps": {"at": "1901", "disrupted": True}}
    s = moving(leningrad, units)
    assert "8.7" in cited(march(s, "I. Korps", "1901"))
    assert disrupted(s, "I. Korps")


def blitz_step(leningrad: Game, start: str, there: str, one: str, other: str) -> bool:
    """I. Korps (one factor in the blitzkrieg) steps from the zone of 22. Corps into that of 16. Corps.

    Is it the special move? Else it must go round by a free hex, with its bonus, and is Disrupted by the zone (8.3).
    """
    units = {"I. Korps": start, "22. Corps": one, "16. Corps": other}
    s = leningrad.position(phase="german.blitzkrieg", units=units)
    assert s.zone[1][leningrad.node(start)]
    assert s.zone[1][leningrad.node(there)]
    march(s, "I. Korps", there)
    return not disrupted(s, "I. Korps")


@rule("8.8")
def test_a_step_between_zones_of_different_enemies_but_not_over_a_river(leningrad: Game) -> None:
    assert blitz_step(leningrad, "1411", "1511", "1311", "1611")
    assert not blitz_step(leningrad, "1311", "1411", "1211", "1511")  # over the Volkhov


@rule("8.8")
def test_nor_over_a_defence_line(leningrad: Game) -> None:
    """0914 to 1013 crosses the Luga line, no river."""
    board = leningrad.board
    assert board.crosses(board.node("1013"), board.node("0914"), "defence_line")
    assert not board.crosses(board.node("1013"), board.node("0914"), "river")
    assert not blitz_step(leningrad, "0914", "1013", "0915", "1113")


@rule("8.14")
def test_joining_a_friend_over_a_river_is_allowed(leningrad: Game) -> None:
    units = {"I. Korps": "1311", "22. Corps": "1211", "16. Corps": "1511", "X. Korps": "1411"}
    s = leningrad.position(phase="german.blitzkrieg", units=units)
    march(s, "I. Korps", "1411")
    assert not disrupted(s, "I. Korps")
    assert not has(s, "hurried", "I. Korps")


@rule("8.9")
def test_armour_marines_and_trains_have_no_zone(leningrad: Game) -> None:
    units = {"4. Panzer Gruppe": "1018", "LVI. Panzer Korps": "1018", "6. Panzer Division": "1018",
             "21. Tank Division": "1803", "RBBF Marines": "1803", "Armored Train 1": "1806"}  # fmt: skip
    s = moving(leningrad, units)
    assert zone(s, 0) == set()
    assert zone(s, 1) == set()


@rule("8.9")
def test_the_switch_gives_panzer_corps_a_zone_but_not_divisions(leningrad: Game) -> None:
    for unit, found in (("LVI. Panzer Korps", True), ("4. Panzer Gruppe", True), ("6. Panzer Division", False)):
        s = moving(leningrad, {unit: "1018"}, options={"panzer_corps_zoc": True})
        assert bool(zone(s, 0)) == found


@rule("8.9", "12.4")
def test_v36_panzers_do_not_cut_a_supply_line(leningrad: Game) -> None:
    """11. Army in 0218 lives by way of 0318 and Pskov: infantry beside 0318 closes it, panzers do not."""
    for left, right, cut in (
        ("16. Armee", "X. Korps", True), ("LVI. Panzer Korps", "6. Panzer Division", False),
    ):  # fmt: skip
        s = leningrad.position(
            phase="russian.supply", units={left: "0317", right: "0319", "I. Korps": "0119", "11. Army": "0218"}
        )
        assert disrupted(s, "11. Army") == cut


@rule("8.10")
def test_leningrad_itself_has_no_zone(leningrad: Game) -> None:
    s = moving(leningrad, {"I. Korps": "0906"})
    assert zone(s, 1) == set()
    s.do("march I. Korps")
    assert "to 0905" in legal(s)


@rule("8.10")
def test_units_in_it_keep_theirs_unless_the_switch_says_no(leningrad: Game) -> None:
    for silent in (False, True):
        s = moving(leningrad, {"48. Army": "0904"}, options={"leningrad_silent": silent})
        assert ("0905" in zone(s, 1)) == (not silent)


@rule("8.11", "8.13")
def test_no_zone_over_water_until_it_freezes(leningrad: Game) -> None:
    for turn, frozen in ((12, False), (13, True)):
        s = moving(leningrad, {"I. Korps": "1314"}, turn=turn)
        assert ("1315" in zone(s, 0)) == frozen  # over an all-lake side
        assert ("1214" in zone(s, 0)) == frozen  # onto the lake


@rule("8.13")
def test_no_zone_over_the_sea_nor_into_closed_ground(leningrad: Game) -> None:
    s = moving(leningrad, {"48. Army": "0804", "11. Army": "0902"})
    assert zone(s, 1).isdisjoint({"0803", "0703", "0802", "0801", "0901"})
    assert {"0903", "1002", "0905", "0704"} - zone(s, 1) == set()


@rule("8.12")
def test_a_zone_blocks_supply_except_where_a_friend_stands(leningrad: Game) -> None:
    """11. Army in 0218 in a ring of zones; corps in the zone hexes 0318 and 0417 keep the line to Pskov open."""
    ring = {"16. Armee": "0317", "X. Korps": "0319", "I. Korps": "0119", "11. Army": "0218"}
    s = leningrad.position(phase="russian.supply", units=ring)
    assert disrupted(s, "11. Army")
    s = leningrad.position(phase="russian.supply", units={**ring, "22. Corps": "0318", "41. Corps": "0417"})
    assert not disrupted(s, "11. Army")
