"""Chapter 6: movement."""

from __future__ import annotations

from typing import Any

import pytest

from counterblow.games.narva.game import Narva
from counterblow.games.narva.movement import ENTERING, FRESH, Rail
from tests.helpers import do, legal, rule
from tests.rules.narva.play import State, facts, fight, move, moving, reach


@rule("6.0a", "6.0b")
def test_one_unit_after_the_other(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.movement", units={"381": "2514", "456": "2411"})
    do(s, "move 381", "to 2515")
    assert not any(text.startswith("move ") for text in set(legal(s)))
    do(s, "stop", "move 456", "to 2410", "stop")
    assert legal(s) == ["end movement"]  # nothing more happens by surprise
    assert s.refuses("move 381", because="6.0b")


@rule("6.3.2a", "2.5.4c")
def test_a_pocket(narva: Narva) -> None:
    """In the corner of the map the hexes around 0101 are free, those beyond are not, or are in German zones."""
    ring = dict(zip(("61F", "MOK", "29P", "151G"), ("0103", "0202", "0301", "0302"), strict=True))
    s = narva.position(turn=2, phase="soviet.movement", units={"381": "0101", **ring})
    assert moving(s, "381").why_not("to 2514") == [("6.3.2a", "enemy units bar every way")]
    zones = {"61F": "0105", "MOK": "0304", "29P": "0502"}  # they leave no gap between their zones
    s = narva.position(turn=2, phase="soviet.free_move", units={"381": "0101", **zones})
    assert moving(s, "381").why_not("to 2514") == [("2.5.4c", "a Free Move keeps out of enemy zones of control")]
    s = narva.position(turn=2, phase="soviet.movement", units={"381": "0101", **zones})
    assert moving(s, "381").refuses("to 2514", because="6.1a")


@rule("6.0a")
def test_who_has_no_hex_to_go_to_has_moved(narva: Narva) -> None:
    ring = dict(zip(("61F", "MOK"), ("0102", "0201"), strict=True))
    s = narva.position(turn=2, phase="soviet.movement", units={"381": "0101", "456": "2514", **ring})
    (event,) = s.do("move 381")
    assert (event.sentence, event.rules) == ("{unit} cannot move", ("6.1a",))
    assert legal(s) == ["move 456", "end movement"]


@rule("13.1.1a", "6.3.2b")
def test_what_a_move_would_do_is_told(narva: Narva) -> None:
    units = {"220T": "1530", "225 HQ": "1430", "MOK": "1228"}
    s = moving(narva.position(turn=2, phase="soviet.movement", units=units), "220T")
    points = "Soviet victory points -2 (rule 13.1.1a)"  # the rollbahn is left
    for there, said in (
        ("1629", ()),  # and a hill is gained
        ("1430", ("overruns 225 HQ (rule 6.3.2b)",)),
        ("1431", (points, "overruns 225 HQ (rule 6.3.2b)")),
        ("1531", (points,)),
    ):
        forecast = s.forecast(f"to {there}")
        assert (() if forecast is None else forecast.notes) == said, there
    s = moving(narva.position(turn=2, phase="soviet.movement", units={"381": "0103", "225 HQ": "0101"}), "381")
    assert s.forecast("to 0101").notes == ("overruns 225 HQ (rule 6.3.2b)",)


@rule("6.0b")
def test_what_is_asked_of_a_unit_on_its_way(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.movement", units={"381": "2514"})
    do(s, "move 381")
    assert s.decision.prompt == "Move 381 (4 MP)."
    do(s, "to 2515")
    assert s.decision.prompt == "Move 381 on (3 MP), or stop."
    s = narva.position(turn=2, phase="german.movement", units={"225 HQ": "0213"})
    do(s, "move 225 HQ")
    do(s, next(text for text in legal(s) if text.startswith("by road")))
    assert s.decision.prompt == "225 HQ is on the road: move on, or stop."
    s = narva.position(turn=5, phase="german.reinforcement", due={"2G": {"turn": 5, "entry": "A"}})
    do(s, legal(s)[0])
    assert s.decision.prompt == "Move 2G (5 MP), or stop."


@rule("6.0a")
def test_the_allowance_is_the_limit(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.movement", units={"381": "2513"})
    assert moving(s, "381").refuses("to 2518", because="6.1a")
    assert "to 2517" in reach(s, "381")


@rule("6.1a", "6.2.3")
@pytest.mark.parametrize(
    ("unit", "start", "end", "price"),
    [
        ("381", "2512", "2513", 1),  # clear
        ("381", "2305", "2304", 2),  # woods
        ("220T", "2305", "2304", 3),  # woods, mechanised
        ("381", "1716", "1815", 2),  # swamp
        ("220T", "2312", "2212", 4),  # swamp, mechanised
        ("151G", "1530", "1629", 2),  # hill
        ("PZ", "1530", "1629", 3),  # hill, mechanised
        ("381", "2614", "2715", 2),  # clear beyond a minor river
        ("220T", "2614", "2715", 3),  # the same, mechanised
    ],
)
def test_chart_prices(narva: Narva, unit: str, start: str, end: str, price: int) -> None:
    """Rules 6.1a and 6.1b; minor rivers cost the same in frost and thaw."""
    side = "soviet" if narva.units[narva.unit(unit)].side else "german"
    for turn in (2, 9):
        s = narva.position(turn=turn, phase=f"{side}.movement", units={unit: start})
        allowance = s.allowance(narva.unit(unit))
        do(s, f"move {unit}", f"to {end}")
        left = s.agenda[-1][3] if s.decision is not None and s.decision.kind == "movement.Leg" else 0
        assert left == allowance - price


@rule("6.1b")
def test_mechanised_units_pay_more(narva: Narva) -> None:
    """In the woods a tank with 7 MP goes two hexes (6 MP); infantry with 4 MP goes two as well."""
    s = narva.position(turn=2, phase="soviet.movement", units={"220T": "2102", "381": "2102"})
    assert "to 1802" not in reach(s, "220T")
    tank, infantry = (
        narva.ground.hex_terrain[narva.node("2102")].mech,
        narva.ground.hex_terrain[narva.node("2102")].infantry,
    )
    assert (tank, infantry) == (3, 2)


@rule("6.1c", "6.1d")
def test_minimum_move(narva: Narva) -> None:
    """Vector 12: over the frozen Narva into swamp in an enemy zone costs 2 + 1 + 2 = 5, more than 4 MP."""
    s = narva.position(turn=2, phase="soviet.movement", units={"381": "2122", "151G": "2124"})
    do(s, "move 381", "to 2123")
    assert s.place("381") == "2123"
    assert s.decision is None or s.decision.kind != "movement.Leg"  # it is the whole move (ruling 26)
    s = narva.position(turn=2, phase="soviet.movement", units={"381": "2121", "151G": "2124"})
    do(s, "move 381", "to 2122")
    (reason,) = s.why_not("to 2123")
    assert reason == ("5.1a", "enemy zones of control make it cost 5 by 2122-2123, and it has 3")


@rule("6.1c")
def test_a_minimum_move_is_the_whole_move(narva: Narva) -> None:
    """16UR, isolated, has one MP. It may enter the woods of 2305 (2 MP) and not go on to clear 2405."""
    s = narva.position(
        turn=2, phase="soviet.movement", units={"16UR": {"at": "2306", "supply": "isolated"}, "381": "2512"}
    )
    do(s, "move 16UR", "to 2305")
    assert s.place("16UR") == "2305"
    assert s.decision.kind == "movement.ChooseMover"


@rule("6.1c")
def test_no_minimum_move_from_zone_to_zone(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.movement", units={"381": "2513", "MOK": "2412"})
    assert moving(s, "381").refuses("to 2512", because="6.1c")


@rule("6.1c")
def test_no_minimum_move_over_prohibited_ground(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.movement", units={"1294SU": "2122"})
    assert moving(s, "1294SU").refuses("to 2123", because="6.2.2e")


@rule("6.2.1b")
def test_a_road_must_be_followed(narva: Narva) -> None:
    """The road 2031-2032 lies in woods. Along it a tank pays 1, from the side 3."""
    for start, left in (("2031", 7), ("1932", 5)):
        s = narva.position(turn=2, phase="german.movement", units={"PZ": start})
        do(s, "move PZ", "to 2032")
        assert s.agenda[-1][3] == left


@rule("6.2.1a")
@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("2130", "2030"),
        ("2032", "2033"),
        ("1730", "1729"),
        ("1618", "1518"),
        ("2022", "2023"),
        ("2328", "2428"),
        ("1227", "1127"),
    ],
)
def test_every_kind_of_road(narva: Narva, start: str, end: str) -> None:
    """Rollbahn, road, track, trail, winter trail, major and minor railway: infantry pays 1 whatever the terrain."""
    s = narva.position(turn=2, phase="german.movement", units={"151G": start})
    do(s, "move 151G", f"to {end}")
    assert s.agenda[-1][3] == 4


@rule("6.2.1c")
def test_the_winter_trail_melts(narva: Narva) -> None:
    for turn, left in ((7, 4), (8, 3)):
        s = narva.position(turn=turn, phase="german.movement", units={"151G": "2022"})
        do(s, "move 151G", "to 2023")
        assert s.agenda[-1][3] == left


@rule("6.2.2a", "9.3e")
def test_water_of_any_kind_halves_once(narva: Narva) -> None:
    """Vector 18: a ferry on a major river, islands and all, halves an attack once."""
    s = narva.position(turn=2, phase="soviet.combat", units={"602": "2422", "MOK": "2423"})
    do(s, "attack 2423", "add 602")
    assert facts(s)["attack"] == "2"


@rule("6.2.2b", "6.2.2d", "6.2.2f")
def test_ice_carries_infantry(narva: Narva) -> None:
    for turn, open_way in ((1, True), (7, True), (8, False)):
        s = narva.position(turn=turn, phase="soviet.movement", units={"381": "2725"})
        assert ("to 2726" in reach(s, "381")) is open_way
    s = narva.position(turn=8, phase="soviet.movement", units={"381": "2725"})
    assert moving(s, "381").refuses("to 2726", because="6.2.2f")
    s = narva.position(turn=2, phase="soviet.movement", units={"381": "2725"})
    do(s, "move 381", "to 2726")
    assert s.agenda[-1][3] == 2  # clear 1 + ice 1


@rule("6.2.2c")
def test_the_upper_narva_never_freezes(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.movement", units={"163": "1206"})
    assert moving(s, "163").refuses("to 1107", because="6.2.2f")


@rule("6.2.2d")
def test_infantry_retreats_and_advances_over_ice(narva: Narva) -> None:
    s = narva.position(
        turn=2, phase="soviet.combat", units={"381": "2725", "456": "2725", "602": "2825", "MOK": "2726"}, dice=(6,)
    )
    fight(s, "2726", "381", "456", "602")  # 6 to 2: 3-1; D1r2 kills it
    assert "advance 381 by 2726" in set(legal(s))
    s = narva.position(
        turn=2, phase="german.combat", units={"381": "2726", "151G": "2727", "162G": "2727", "391G": "2627"}, dice=(4,)
    )
    fight(s, "2726", "151G", "162G")  # 2-1: Dr1
    assert s.place("381") == "2725" or any(text.endswith("2725") for text in set(legal(s)))


@rule("6.2.2e")
def test_mechanised_units_need_a_bridge(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.movement", units={"220T": "2725"})
    assert moving(s, "220T").refuses("to 2726", because="6.2.2e")
    s = narva.position(turn=8, phase="soviet.movement", units={"220T": "2725"})  # the thaw
    assert moving(s, "220T").refuses("to 2726", because="6.2.2f")
    s = narva.position(turn=2, phase="soviet.movement", units={"220T": "1921"})
    assert "to 1820" in reach(s, "220T")
    s = narva.position(turn=2, phase="soviet.combat", units={"220T": "2725", "381": "2725", "MOK": "2726"}, dice=(6,))
    fight(s, "2726", "220T", "381")  # 5 to 2: 2-1; D1r1 kills it
    assert s.refuses("advance 220T by 2726", because="9.6.4a")
    assert "advance 381 by 2726" in set(legal(s))
    s = narva.position(
        turn=2,
        phase="german.combat",
        units={"220T": "2726", "151G": "2727", "162G": "2727", "391G": "2626", "399G": "2626"},
        dice=(4,),
    )
    fight(s, "2726", "151G", "162G", "391G", "399G")  # 16 to 4: 4-1; D1r2
    assert not any("2725" in text for text in set(legal(s)))


FERRIES: dict[str, Any] = {"163": "1207", "219": "1207", "172": "1310", "269": "1310", "65": "1105", "147": "1105"}


@rule("6.2.2g", "6.2.2f")
def test_one_unit_per_ferry(narva: Narva) -> None:
    """Vector 13: turn 9, three ferries with two regiments each: one crosses at each."""
    s = narva.position(turn=9, phase="soviet.movement", units=FERRIES)
    for unit, far in (("163", "1107"), ("172", "1210"), ("65", "1005")):
        do(s, f"move {unit}", f"by ferry to {far}")
        assert s.place(unit) == far
        assert s.decision.kind == "movement.ChooseMover"  # all its movement points
    for unit, far in (("219", "1107"), ("269", "1210"), ("147", "1005")):
        assert moving(s, unit).refuses(f"by ferry to {far}", because="6.2.2g")


@rule("6.2.2g")
def test_a_ferry_takes_the_whole_move(narva: Narva) -> None:
    s = narva.position(turn=9, phase="soviet.movement", units={"163": "1307"})
    do(s, "move 163", "to 1207")
    assert s.refuses("by ferry to 1107", because="6.2.2g")


@rule("6.2.2g")
def test_a_ferry_leads_into_an_enemy_zone(narva: Narva) -> None:
    s = narva.position(turn=9, phase="soviet.movement", units={"163": "1207", "MOK": "1006"})
    assert s.in_ezoc(narva.node("1107"), 1)
    assert "by ferry to 1107" in reach(s, "163")
    s = narva.position(turn=9, phase="soviet.movement", units={"163": "1207", "MOK": "1006", "29P": "1308"})
    assert moving(s, "163").refuses("by ferry to 1107", because="6.1c")


@rule("6.2.2h", "9.6.1")
def test_infantry_retreats_and_advances_over_a_ferry(narva: Narva) -> None:
    s = narva.position(turn=9, phase="soviet.combat", units={"163": "1207", "219": "1207", "MOK": "1107"}, dice=(6,))
    fight(s, "1107", "163", "219")  # 4 to 2: 2-1; D1r1 with a red loss
    do(s, "step loss on 219")
    assert "advance 163 by 1107" in set(legal(s))
    units = {"163": "1107", "151G": "1006", "162G": "1006", "391G": "1007", "399G": "1007"}
    s = narva.position(turn=9, phase="german.combat", units=units, dice=(3,))
    fight(s, "1107", "151G", "162G", "391G", "399G")  # 16 to 4: 4-1; D1r1
    assert s.place("163") == "1207" or any(text.endswith("1207") for text in set(legal(s)))


@rule("6.2.2i")
def test_mechanised_units_use_no_ferry(narva: Narva) -> None:
    s = narva.position(turn=9, phase="soviet.movement", units={"220T": "1207"})
    assert moving(s, "220T").refuses("by ferry to 1107", because="6.2.2i")
    s = narva.position(turn=9, phase="soviet.combat", units={"220T": "1207", "163": "1207", "MOK": "1107"}, dice=(6,))
    fight(s, "1107", "220T", "163")
    assert not any("220T" in text for text in set(legal(s)))
    units = {"220T": "1107", "151G": "1006", "162G": "1006", "391G": "1007", "399G": "1007"}
    s = narva.position(turn=9, phase="german.combat", units=units, dice=(3,))
    fight(s, "1107", "151G", "162G", "391G", "399G")
    assert not any(text.endswith("1207") for text in set(legal(s)))


@rule("2.7a", "6.2.2g")
def test_hqs_count_as_infantry(narva: Narva) -> None:
    s = narva.position(turn=9, phase="soviet.movement", units={"122 HQ": "1207"})
    assert "by ferry to 1107" in reach(s, "122 HQ")
    s = narva.position(turn=2, phase="soviet.movement", units={"122 HQ": "2725"})
    assert "to 2726" in reach(s, "122 HQ")


@rule("6.2.3")
def test_minor_rivers_in_frost_and_thaw(narva: Narva) -> None:
    tables = [narva.ground.frost[frozen].normal[False, 0].cost for frozen in (0, 1)]
    step = narva.board.step_of[narva.node("2614"), narva.node("2715")]
    assert tables[0][step] == tables[1][step] == 2


# ---------------------------------------------------------------------- 6.3


@rule("6.3.1")
def test_no_water_and_no_edge(narva: Narva) -> None:
    s = narva.position(turn=2, phase="german.movement", units={"151G": "1934"})
    assert moving(s, "151G").refuses("to 1935", because="6.3.1")
    units = {"MOK": "0101", "381": "0102", "456": "0201"}
    s = narva.position(turn=2, phase="soviet.combat", units=units, dice=(4,))
    fight(s, "0101", "381")  # 4 to 2: 2-1; Dr1 in the corner of the map
    assert s.place("MOK") is None


@rule("6.3.2a")
def test_no_entry_to_enemy_hexes(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.movement", units={"381": "2512", "SCHN": "2412"})
    assert moving(s, "381").refuses("to 2412", because="6.3.2a")


@rule("6.3.2b", "11.1.4a")
def test_overrunning_a_lone_hq(narva: Narva) -> None:
    """Normal and strategic movement; the German places his HQ, and the unit goes on."""
    s = narva.position(turn=2, phase="soviet.movement", units={"381": "2512", "FHH HQ": "2412"})
    do(s, "move 381", "to 2412")
    assert (s.side, s.decision.kind) == ("german", "headquarters.Displace")
    do(s, str(s.legal()[0]))
    assert s.place("381") == "2412"
    assert s.decision.kind == "movement.Leg"
    s = narva.position(turn=2, phase="soviet.movement", units={"381": "2509", "FHH HQ": "2507"})
    do(s, "move 381", "by road to 2506")
    assert s.decision.kind == "headquarters.Displace"


@rule("6.3.2b", "6.1a")
@pytest.mark.parametrize(("there", "next_asked"), [("2408", "movement.ChooseMover"), ("2409", "movement.Leg")])
def test_who_overruns_goes_on_while_he_has_a_movement_point_left(narva: Narva, there: str, next_asked: str) -> None:
    s = narva.position(turn=2, phase="soviet.movement", units={"381": "2512", "FHH HQ": there, "593": "2712"})
    do(s, "move 381", f"to {there}")
    do(s, str(s.legal()[0]))
    assert (s.side, s.decision.kind) == ("soviet", next_asked)


@rule("6.3.2c")
def test_hqs_do_not_overrun(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.movement", units={"109 HQ": "2512", "FHH HQ": "2412"})
    assert moving(s, "109 HQ").refuses("to 2412", because="6.3.2c")


@rule("6.3.3", "11.3.1")
def test_prepared_defences_are_for_two_divisions(narva: Narva) -> None:
    s = narva.position(
        turn=2, phase="german.movement", units={"23": "3128", "1/48": "3128", "20F": "3229", "11SS HQ": "3129"}
    )
    assert "to 3227" in reach(s, "23")
    assert "to 3227" in reach(s, "1/48")  # Nordland's hex is open to Nederland
    assert "to 3127" in reach(s, "11SS HQ")
    assert moving(s, "20F").refuses("to 3228", because="6.3.3")


@rule("6.3.4", "6.3.4b")
def test_narva_is_for_ss_units(narva: Narva) -> None:
    """Vector 14: a 20th SS unit may enter Narva and 3128, not 3127; army units neither."""
    s = narva.position(
        turn=2, phase="german.movement", units={"1/45": "3029", "151G": "2929", "KUST HQ": "2929", "HOHN": "2830"}
    )
    assert "to 3128" in reach(s, "1/45")
    assert moving(s, "1/45").refuses("to 3127", because="6.3.3")
    assert moving(s, "151G").refuses("to 3028", because="6.3.4")
    assert moving(s, "HOHN").refuses("to 2930", because="6.3.4")
    assert "to 3028" in reach(s, "KUST HQ")
    s = narva.position(turn=2, phase="german.movement", units={"151G": "3031", "23": "3031"})
    assert "to 3131" in reach(s, "23")  # over the ice into the bridgehead
    assert moving(s, "151G").refuses("to 3131", because="6.3.4")
    s = narva.position(turn=9, phase="soviet.movement", units={"381": "3226"})
    assert {"to 3227", "to 3128"} <= reach(s, "381")


# ---------------------------------------------------------------------- 6.4


@rule("6.4a")
def test_strategic_movement(narva: Narva) -> None:
    """Five MP carry a regiment twenty hexes along the rollbahn; never from or to a hex off the road."""
    s = narva.position(turn=2, phase="german.movement", units={"151G": "0130"})
    found = reach(s, "151G")
    assert "by road to 2030" in found
    assert "by road to 2230" not in found
    s = narva.position(turn=2, phase="german.movement", units={"151G": "0231"})
    assert moving(s, "151G").refuses("by road to 0331", because="6.4a")
    s = narva.position(turn=2, phase="german.movement", units={"151G": "0130"})
    do(s, "move 151G", "to 0230")
    assert s.refuses("by road to 0331", because="6.4a")
    s = narva.position(turn=2, phase="german.movement", units={"151G": "0130"})
    do(s, "move 151G", "by road to 0331")
    assert s.refuses("to 0332", because="6.4a")
    do(s, "by road to 0430", "stop")
    assert s.place("151G") == "0430"


@rule("6.4a")
def test_strategic_prices(narva: Narva) -> None:
    for start, end, twelfths in (("2030", "2130", 3), ("2031", "2032", 4), ("1730", "1729", 6), ("2228", "2328", 6)):
        s = narva.position(turn=2, phase="german.movement", units={"151G": start})
        do(s, "move 151G", f"by road to {end}")
        assert s.agenda[-1][3] == 60 - twelfths


@rule("6.4b")
def test_no_strategic_movement_on_trails(narva: Narva) -> None:
    s = narva.position(turn=2, phase="german.movement", units={"151G": "1415"})
    assert moving(s, "151G").refuses("by road to 1416", because="6.4a")
    s = narva.position(turn=2, phase="german.movement", units={"151G": "1414"})
    assert moving(s, "151G").refuses("by road to 1415", because="6.4b")
    s = narva.position(turn=2, phase="german.movement", units={"151G": "1727"})
    assert moving(s, "151G").refuses("by road to 1826", because="6.4b")  # winter trail
    assert moving(s, "151G").refuses("by road to 1624", because="6.4a")  # neither road nor trail


@rule("6.4.1a")
def test_strategic_movement_keeps_out_of_zones(narva: Narva) -> None:
    s = narva.position(turn=2, phase="german.movement", units={"151G": "0130", "381": "0530"})
    found = reach(s, "151G")
    assert {"by road to 0331", "by road to 0329"} <= found
    assert not {"by road to 0430", "by road to 0531", "by road to 0631", "by road to 0529"} & found
    s = narva.position(turn=2, phase="german.movement", units={"151G": "0531", "381": "0530"})
    assert not s.in_ezoc(narva.node("0631"), 0)
    assert moving(s, "151G").refuses("by road to 0631", because="6.4.1a")


@rule("6.4.1b")
def test_strategic_movement_never_overstacks(narva: Narva) -> None:
    """Vector 30."""
    s = narva.position(turn=2, phase="german.movement", units={"151G": "0130", "MOK": "0331", "29P": "0331"})
    assert moving(s, "151G").refuses("by road to 0430", because="6.4.1b")
    s = narva.position(turn=2, phase="german.movement", units={"FHH HQ": "0130", "227 HQ": "0331"})
    assert moving(s, "FHH HQ").refuses("by road to 0430", because="6.4.1b")
    s = narva.position(turn=2, phase="soviet.movement", units={"1294SU": "2509", "1902SU": "2507"})
    assert moving(s, "1294SU").refuses("by road to 2506", because="6.4.1b")
    s = narva.position(
        turn=2, phase="soviet.movement", units={"381": "2509", "456": "2507", "109 HQ": "2507", "1902SU": "2507"}
    )
    assert "by road to 2506" in reach(s, "381")


# ---------------------------------------------------------------------- 6.5


def entering(narva: Narva, unit: str, node: str, **units: Any) -> State:
    turn = narva.units[narva.unit(unit)].turn
    side = "soviet" if narva.units[narva.unit(unit)].side else "german"
    s = narva.position(turn=turn, phase=f"{side}.reinforcement", units=units, due={unit: turn})
    do(s, f"enter {unit} at {node}")
    return s


@rule("6.5a", "6.5b", "6.5e")
def test_rail_movement(narva: Narva) -> None:
    """From A any distance to the cut, not onto the mine line, and nothing else in that move."""
    s = entering(narva, "154G", "0130")
    assert {"by rail to 0229", "by rail to 1528"} <= set(legal(s))
    assert s.refuses("by rail to 1627", because="6.5a")
    assert s.refuses("by rail to 1227", because="6.5b")
    do(s, "by rail to 1528")
    assert s.place("154G") == "1528"
    assert s.decision is None or s.decision.kind != "movement.Leg"
    s = entering(narva, "154G", "0130")
    do(s, "to 0230")
    assert s.refuses("by rail to 0329", because="6.5e")


@rule("6.5c")
def test_rail_movement_stops_at_the_enemy(narva: Narva) -> None:
    s = entering(narva, "154G", "0130", **{"381": "0627"})
    assert "by rail to 0628" in set(legal(s))
    assert s.refuses("by rail to 0729", because="6.5c")
    s = entering(narva, "154G", "0130", **{"109 HQ": "0628"})
    assert "by rail to 0529" in set(legal(s))
    assert s.refuses("by rail to 0729", because="6.5c")


@rule("6.5a")
def test_no_rail_movement_out_of_an_enemy_zone(narva: Narva) -> None:
    s = narva.position(turn=2, phase="german.movement", units={"154G": "0229"})
    assert narva.node("0329") in Rail().items(s, narva.unit("154G"), FRESH, 4, ENTERING)
    s = narva.position(turn=2, phase="german.movement", units={"154G": "0229", "381": "0228"})
    assert not Rail().items(s, narva.unit("154G"), FRESH, 4, ENTERING)


@rule("6.5f")
def test_rail_movement_is_for_reinforcements(narva: Narva) -> None:
    s = narva.position(turn=2, phase="german.movement", units={"151G": "0130"})
    assert moving(s, "151G").refuses("by rail to 0229", because="6.5f")


def test_legs_walk_any_path(narva: Narva) -> None:
    """Ruling 31: a move in legs takes control along the way."""
    s = narva.position(turn=2, phase="soviet.movement", units={"220T": "1330"})
    move(s, "220T", "1430", "1429")
    assert s.place("220T") == "1429"


@rule("6.1a")
def test_too_far_is_told_with_the_way_unless_it_is_long(narva: Narva) -> None:
    s = moving(narva.position(turn=2, phase="soviet.movement", units={"381": "2512"}), "381")
    for there, way in (("1808", "2512-2411-2311-2210-2110-2009-1909-1808"), ("1708", "a way of 8 hexes")):
        (reason,) = s.why_not(f"to {there}")
        cost = 7 if there == "1808" else 8
        assert (reason.rule, reason.text) == ("6.1a", f"it costs {cost} movement points by {way}, and it has 4")
