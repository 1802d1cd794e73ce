"""Chapter 9: entrenchment and terrain."""

from __future__ import annotations

from typing import Any

import pytest

from tests.helpers import legal, rule
from tests.rules.leningrad.play import Game, facts, fight, has, march, rolled, shifts, until


def attacked(
    leningrad: Game, defenders: dict[str, Any], attackers: dict[str, str], target: str, **more: Any
) -> tuple[int, dict[str, int]]:
    """The modified defence of a hex against these attackers, and what it is made of."""
    side = "german" if next(iter(attackers)).endswith(("Korps", "Armee", "Gruppe", "Division")) else "russian"
    s = leningrad.position(phase=f"{side}.allocation", units={**defenders, **attackers}, **more)
    s.do(f"attack {target}")
    units = list(attackers)
    for unit in units[:-1]:
        s.do(f"with {unit}")
    return int(facts(s, f"with {units[-1]}")["defence"]), shifts(s, f"with {units[-1]}")


@rule("9.1")
def test_idle_armies_and_corps_dig_in(leningrad: Game) -> None:
    s = leningrad.position(
        phase="german.movement",
        units={"I. Korps": "0418", "X. Korps": "0318", "4. Panzer Gruppe": "0419", "6. Panzer Division": "0519",
               "XXVI. Korps": {"at": "0219", "disrupted": True}, "11. Army": "1806"},
    )  # fmt: skip
    march(s, "X. Korps", "0319")
    until(s, "german.entrenchment")
    assert {"entrench I. Korps", "entrench 4. Panzer Gruppe"} == {
        a for a in legal(s) if a[9:].strip() in s.game.unit_names
    }
    for unit in ("X. Korps", "6. Panzer Division", "XXVI. Korps"):  # moved, a division, Disrupted
        assert s.refuses(f"entrench {unit}", because="9.1")
    s.do("entrench I. Korps")
    assert has(s, "entrenched", "I. Korps")
    assert s.refuses("entrench I. Korps", because="9.1")
    s.do("end entrenching")
    assert not has(s, "entrenched", "4. Panzer Gruppe")


@rule("9.1")
def test_not_after_an_attack_nor_on_the_turn_of_arrival(leningrad: Game) -> None:
    s = leningrad.position(
        phase="german.allocation",
        units={"16. Armee": "0918", "X. Korps": {"at": "0519", "entered": True}, "11. Army": "1018"},
        dice=(4,),
    )
    fight(s, "1018", "16. Armee")
    while s.phase != "german.entrenchment" and s.phase != "russian.movement":
        s.do(next(a for a in s.legal() if str(a).startswith(("end", "stay", "order retreat 0"))))
    assert not has(s, "entrenched", "16. Armee")
    assert s.phase == "russian.movement"  # nobody may dig in, so nobody was asked


@rule("9.2")
def test_a_trench_adds_one(leningrad: Game) -> None:
    for dug_in in (True, False):
        strength, _ = attacked(
            leningrad, {"11. Army": {"at": "1018", "entrenched": dug_in}}, {"16. Armee": "0918"}, "1018"
        )
        assert strength == 3 + dug_in


@rule("9.3")
def test_the_trench_is_lost_by_moving_attacking_or_a_disrupting_result(leningrad: Game) -> None:
    dug_in = {"at": "1018", "entrenched": True}
    s = leningrad.position(phase="russian.movement", units={"11. Army": dug_in, "I. Korps": "0119"})
    march(s, "11. Army", "1118")
    assert not has(s, "entrenched", "11. Army")
    s = leningrad.position(phase="russian.allocation", units={"11. Army": dug_in, "I. Korps": "0918"}, dice=(4,))
    assert rolled(fight(s, "0918", "11. Army"))[1] == "-"
    assert not has(s, "entrenched", "11. Army")
    s = leningrad.position(phase="german.allocation", units={"11. Army": dug_in, "16. Armee": "0918"}, dice=(2,))
    assert rolled(fight(s, "1018", "16. Armee"))[1] == "D1"
    assert not has(s, "entrenched", "11. Army")
    s = leningrad.position(phase="german.allocation", units={"11. Army": dug_in, "16. Armee": "0918"}, dice=(5,))
    assert rolled(fight(s, "1018", "16. Armee"))[1] == "AD"
    assert has(s, "entrenched", "11. Army")


@rule("9.4")
@pytest.mark.parametrize(("die", "expected", "falls"), [(6, "D1", False), (5, "D2", True), (2, "DE", True)])
def test_an_empty_leningrad_hex_defends_with_one(leningrad: Game, die: int, expected: str, falls: bool) -> None:
    """16. Armee, 5 to 1; out of supply, so one column less."""
    s = leningrad.position(
        phase="german.allocation",
        units={"16. Armee": "0905", "X. Korps": "0419"},
        control={"Pskov": "german", "Luga": "german", "Krasnogvardeisk": "german"},
        dice=(die,),
    )
    assert rolled(fight(s, "0904", "16. Armee")) == ("5:1", expected)
    assert ("advance 16. Armee 0904" in legal(s)) == falls
    if falls:
        s.do("advance 16. Armee 0904")
        assert s.control[leningrad.node("0904")] == 0


@rule("9.4")
def test_a_hex_that_nobody_enters_is_whole_again(leningrad: Game) -> None:
    s = leningrad.position(
        phase="german.allocation",
        units={"16. Armee": "0905", "X. Korps": "1005"},
        control={"Pskov": "german", "Luga": "german", "Krasnogvardeisk": "german"},
        dice=(2,),
    )
    fight(s, "0904", "16. Armee")
    s.do("consolidate")
    s.do("march X. Korps")
    assert s.refuses("to 0904", because="9.4")  # nobody just walks in


@rule("9.4")
def test_a_hex_that_germans_held_last_does_not_defend_itself(leningrad: Game) -> None:
    """Ruling D25: its factor is lost with it, in a position made by hand as in play."""
    for holder, open_to_all in (("german", True), ("russian", False)):
        units = {"X. Korps": "1005", "34. Army": "1018"}
        s = leningrad.position(phase="german.movement", units=units, control={"Leningrad South": holder})
        s.do("march X. Korps")
        assert ("to 0904" in legal(s)) == open_to_all


@rule("9.4")
def test_a_hex_taken_back_and_lost_again_has_no_factor_to_lose(leningrad: Game) -> None:
    s = leningrad.position(phase="german.movement", units={"X. Korps": "1005", "34. Army": "1018"},
                           control={"Leningrad South": "german"})  # fmt: skip
    node = leningrad.node("0904")
    s.control[node] = 1  # a Russian unit has passed
    march(s, "X. Korps", "0904")
    assert (s.control[node], s.held[1][node], s.garrisons) == (0, 0, 1)


@rule("9.4", "8.3")
def test_the_garrison_is_a_friend_in_an_enemy_zone(leningrad: Game) -> None:
    """Ruling D70: a forced march into an empty Leningrad hex Disrupts nobody, into a bare zone it does."""
    s = leningrad.position(phase="russian.movement", units={"42. Army": "1206", "16. Armee": "0905"})
    for there, shaken in (("0904", False), ("1005", True)):
        after = s.copy()
        march(after, "42. Army", there)
        assert after.is_disrupted(leningrad.unit("42. Army")) == shaken


@rule("9.4")
def test_once_germans_enter_the_factor_is_lost_for_good_and_never_helps_them(leningrad: Game) -> None:
    s = leningrad.position(
        phase="german.allocation",
        units={"16. Armee": "0905", "34. Army": "0903"},
        control={"Pskov": "german", "Luga": "german", "Krasnogvardeisk": "german"},
        dice=(1,),
    )
    fight(s, "0904", "16. Armee")
    s.do("advance 16. Armee 0904")
    s.do("consolidate")
    assert s.garrisons == 1  # the northern hex alone
    until(s, "russian.allocation")
    s.do("attack 0904")
    assert facts(s, "with 34. Army")["defence"] == "5"


@rule("9.5", "9.4")
def test_v18_leningrad_doubles_then_adds(leningrad: Game) -> None:
    strength, parts = attacked(
        leningrad, {"48. Army": {"at": "0904", "entrenched": True}}, {"16. Armee": "0905", "X. Korps": "0905"}, "0904"
    )
    assert strength == 6
    assert (parts["9.5"], parts["9.2"], parts["9.4"]) == (2, 1, 1)


@rule("9.5")
def test_attacks_out_of_leningrad_are_doubled_too(leningrad: Game) -> None:
    s = leningrad.position(
        phase="russian.allocation",
        units={"48. Army": "0904", "RBBF Marines": "0904", "21. Tank Division": "0904", "I. Korps": "0905"},
    )
    s.do("attack 0905")
    s.do("with 48. Army")
    assert facts(s, "commit")["attack"] == "4"
    assert facts(s, "with RBBF Marines")["attack"] == "6"
    assert facts(s, "with 21. Tank Division")["attack"] == "5"


@rule("9.6")
def test_a_city_helps_one_infantry_unit(leningrad: Game) -> None:
    strength, parts = attacked(leningrad, {"41. Corps": "0417", "22. Corps": "0417"}, {"I. Korps": "0418"}, "0417")
    assert (strength, parts["9.6"]) == (3, 1)
    strength, _ = attacked(leningrad, {"I. Korps": "0417"}, {"11. Army": "0418"}, "0417")  # Germans as well
    assert strength == 4


@rule("9.7")
def test_dno_is_a_town(leningrad: Game) -> None:
    strength, parts = attacked(leningrad, {"11. Army": "0817"}, {"I. Korps": "0917"}, "0817")
    assert strength == 3
    assert "9.6" not in parts


LUGA = {"Luga Operational Group": {"at": "0811", "entrenched": True}}


@rule("9.8", "9.2", "9.6")
def test_v19_luga_behind_its_line(leningrad: Game) -> None:
    strength, parts = attacked(leningrad, LUGA, {"16. Armee": "0711", "X. Korps": "0712", "I. Korps": "0812"}, "0811")
    assert strength == 5
    assert (parts["9.8"], parts["9.2"], parts["9.6"]) == (1, 1, 1)


@rule("9.8")
def test_v20_luga_flanked(leningrad: Game) -> None:
    strength, parts = attacked(leningrad, LUGA, {"16. Armee": "0711", "X. Korps": "0712", "I. Korps": "0911"}, "0811")
    assert strength == 4
    assert "9.8" not in parts


@rule("9.8")
def test_the_line_faces_one_way_and_helps_each_russian(leningrad: Game) -> None:
    strength, _ = attacked(leningrad, {"22. Corps": "0608", "16. Corps": "0608"}, {"I. Korps": "0609"}, "0608")
    assert strength == 4
    strength, _ = attacked(leningrad, {"22. Corps": "0609"}, {"I. Korps": "0608"}, "0609")  # from inside out
    assert strength == 1
    strength, _ = attacked(leningrad, {"I. Korps": "0608"}, {"11. Army": "0609"}, "0608")  # no help to Germans
    assert strength == 3


@rule("9.9")
def test_the_map_shows_what_the_terrain_key_names(leningrad: Game) -> None:
    board = leningrad.board
    kinds = {line.kind for line in board.side_lines} | {line.kind for line in board.link_lines}
    assert {"river", "defence_line", "road", "rail", "all_sea", "all_lake"} <= kinds
    assert {"clear", "sea", "lake", "closed"} == set(board.terrain)
    assert {place.kind for place in board.places} == {"leningrad", "city", "town"}
    assert sum(place.kind == "leningrad" for place in board.places) == 2
    assert board.place("Kronshtadt").kind == "city"


@rule("9.10")
def test_marines_are_infantry_in_cities_but_not_behind_lines(leningrad: Game) -> None:
    strength, _ = attacked(leningrad, {"RBBF Marines": "0904"}, {"I. Korps": "0905"}, "0904")
    assert strength == 3  # doubled, and the hex
    strength, _ = attacked(leningrad, {"RBBF Marines": "0417"}, {"I. Korps": "0418"}, "0417")
    assert strength == 2
    strength, _ = attacked(leningrad, {"RBBF Marines": "0608"}, {"I. Korps": "0609"}, "0608")
    assert strength == 1


@rule("9.11")
def test_armour_has_no_use_for_terrain(leningrad: Game) -> None:
    for node, start, own in (("0904", "0905", 1), ("0417", "0418", 0), ("0608", "0609", 0)):
        strength, _ = attacked(leningrad, {"21. Tank Division": node}, {"I. Korps": start}, node)
        assert strength == 1 + own
    strength, _ = attacked(leningrad, {"6. Panzer Division": "0417"}, {"11. Army": "0418"}, "0417")
    assert strength == 2
