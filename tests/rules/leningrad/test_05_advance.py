"""Chapter 5: tactical advances. Most go from 0918 into 1018."""

from __future__ import annotations

from typing import Any

from tests.helpers import asked, at, legal, refused, rule
from tests.rules.leningrad.play import Game, State, disrupted, fight, rolled, worth


def broken(leningrad: Game, units: dict[str, Any], *attackers: str, target: str = "1018", **more: Any) -> State:
    """A battle at high odds with a roll of 1: DE."""
    more.setdefault("dice", (1,))
    s: State = leningrad.position(phase="german.allocation", units=units, **more)
    assert rolled(fight(s, target, *attackers))[1] == "DE"
    return s


def advances(s: State) -> set[str]:
    return {action for action in legal(s) if action.startswith("advance")}


@rule("5.1")
def test_only_attackers_of_the_battle_advance(leningrad: Game) -> None:
    units = {"16. Armee": "0918", "X. Korps": "0918", "22. Corps": "1018"}
    s = broken(leningrad, units, "16. Armee")
    assert advances(s) == {"advance 16. Armee 1018"}
    assert s.refuses("advance X. Korps 1018", because="5.1")


@rule("5.2")
def test_an_advance_keeps_the_zone_rules(leningrad: Game) -> None:
    """0918 and 1018 both lie in the zone of 11. Army in 1017: from zone to zone of the same enemy is barred."""
    units = {"16. Armee": "0918", "18. Armee": "1019", "22. Corps": "1018", "11. Army": "1017"}
    s = broken(leningrad, units, "16. Armee", "18. Armee")
    assert s.refuses("advance 16. Armee 1018", because="8.6")
    assert "advance 18. Armee 1018" in legal(s)  # 1019 is in no zone
    s.do("advance 18. Armee 1018")
    assert "advance 16. Armee 1018" in legal(s)  # now onto a friend


@rule("5.3", "5.4", "5.9")
def test_v52_panzers_go_on_through_the_vacated_hex(leningrad: Game) -> None:
    """11. Army in 1217: its zone covers 1117 and 1118, beyond the defended hex."""
    units = {"LVI. Panzer Korps": "0918", "8. Panzer Division": "0918", "22. Corps": "1018", "11. Army": "1217"}
    s = broken(leningrad, units, "LVI. Panzer Korps", "8. Panzer Division")
    s.do("advance LVI. Panzer Korps 1018")
    assert "advance LVI. Panzer Korps 1117" in legal(s)  # 1018 is in no zone: an ordinary step into one
    s.do("advance LVI. Panzer Korps 1117")
    assert asked(s) == "advance.Advance"  # 2 factors used, and stopped
    s.do("advance 8. Panzer Division 1018")
    s.do("advance 8. Panzer Division 1118")
    assert asked(s) == "advance.Advance"  # stopped by the zone, although it has 3 factors
    assert disrupted(s, "LVI. Panzer Korps")
    assert disrupted(s, "8. Panzer Division")


@rule("5.3", "5.4")
def test_only_a_division_ignores_zones_for_two_hexes(leningrad: Game) -> None:
    """11. Army in 1117 has 1018, 1017 and 1118 in its zone."""
    units = {"LVI. Panzer Korps": "0918", "8. Panzer Division": "0918", "22. Corps": "1018", "11. Army": "1117"}
    s = broken(leningrad, units, "LVI. Panzer Korps", "8. Panzer Division")
    s.do("advance LVI. Panzer Korps 1018")  # the defended hex regardless of zones
    assert s.refuses("advance LVI. Panzer Korps 1118", because="8.6")
    s.do("halt LVI. Panzer Korps")
    s.do("advance 8. Panzer Division 1018")
    s.do("advance 8. Panzer Division 1118")  # the second hex regardless of zones, too
    assert s.place("8. Panzer Division") == "1118"


@rule("5.3")
def test_the_korps_has_two_factors_the_division_three(leningrad: Game) -> None:
    units = {"LVI. Panzer Korps": "0918", "8. Panzer Division": "0918", "22. Corps": "1018", "11. Army": "1806"}
    s = broken(leningrad, units, "LVI. Panzer Korps", "8. Panzer Division")
    for unit, hexes in (("LVI. Panzer Korps", 2), ("8. Panzer Division", 3)):
        for node in ("1018", "1118", "1119")[:hexes]:
            s.do(f"advance {unit} {node}")
        assert asked(s) == "advance.Advance"


@rule("5.3")
def test_the_russian_tank_division_exploits_too(leningrad: Game) -> None:
    s = leningrad.position(
        phase="russian.allocation",
        units={"21. Tank Division": "1018", "11. Army": "1018", "34. Army": "1018", "6. Panzer Division": "0918"},
        dice=(1,),
    )
    assert rolled(fight(s, "0918", "21. Tank Division", "11. Army", "34. Army"))[1] == "DE"
    s.do("advance 11. Army 0918")
    s.do("advance 21. Tank Division 0918")
    s.do("advance 21. Tank Division 0818")
    assert s.place("21. Tank Division") == "0818"


@rule("5.5")
def test_no_extended_advance_into_leningrad(leningrad: Game) -> None:
    units = {"LVI. Panzer Korps": "1006", "16. Armee": "1006", "22. Corps": "1005", "11. Army": "1806"}
    s = broken(leningrad, units, "LVI. Panzer Korps", "16. Armee", target="1005", control={"Leningrad South": "german"})
    s.do("advance LVI. Panzer Korps 1005")
    assert s.refuses("advance LVI. Panzer Korps 0904", because="5.5")
    assert "advance LVI. Panzer Korps 0905" in legal(s)


@rule("5.5")
def test_into_leningrad_only_the_plain_advance(leningrad: Game) -> None:
    """11. Army in 0804 has 0905 and 0904 in its zone: the panzers may not ignore it here."""
    units = {"4. Panzer Gruppe": "0905", "LVI. Panzer Korps": "1005", "11. Army": "0804"}
    s = broken(leningrad, units, "4. Panzer Gruppe", "LVI. Panzer Korps", target="0904")
    assert s.refuses("advance 4. Panzer Gruppe 0904", because="8.6")
    s.do("advance LVI. Panzer Korps 0904")
    assert asked(s) == "advance.Advance"  # and no farther


@rule("5.7", "5.8")
def test_the_defended_hex_first_in_strength_then_others_step_aside(leningrad: Game) -> None:
    units = {"16. Armee": "0918", "I. Korps": "0918", "6. Panzer Division": "0918", "18. Armee": "1019",
             "22. Corps": {"at": "1018", "entrenched": True}}  # fmt: skip
    s = broken(leningrad, units, "16. Armee", "I. Korps", "6. Panzer Division", "18. Armee")
    assert s.refuses("advance 18. Armee 1119", because="5.7")
    s.do("advance 6. Panzer Division 1018")  # 2 = the modified defence
    s.do("halt 6. Panzer Division")
    assert "advance 18. Armee 1119" in legal(s)
    assert "advance I. Korps 1017" in legal(s)
    s.do("advance 18. Armee 1119")
    assert s.place("18. Armee") == "1119"
    assert disrupted(s, "18. Armee")


@rule("5.8")
def test_not_into_an_occupied_hex_nor_away_from_the_defended_one(leningrad: Game) -> None:
    units = {"16. Armee": "0918", "18. Armee": "1019", "X. Korps": "1119", "22. Corps": "1018"}
    s = broken(leningrad, units, "16. Armee", "18. Armee")
    s.do("advance 16. Armee 1018")
    assert s.refuses("advance 18. Armee 1119", because="5.8")
    assert s.refuses("advance 18. Armee 0919", because="5.8")


@rule("5.7")
def test_all_enter_if_they_total_less_than_the_defence(leningrad: Game) -> None:
    """A dash lets the defender go: 6 attackers against 7, so nobody may step aside before all are in."""
    attackers = worth(leningrad, 0, 3)
    s = leningrad.position(
        phase="german.allocation",
        units={**dict.fromkeys(attackers, "0918"), "11. Army": {"at": "1018", "entrenched": True}},
        dice=(3,),
    )
    assert rolled(fight(s, "1018", *attackers))[1] == "-"
    s.do("retreat 11. Army 1118")
    s.do("stay 11. Army")
    assert all(action.endswith("1018") for action in advances(s))


@rule("5.9")
def test_an_advance_disrupts(leningrad: Game) -> None:
    s = broken(leningrad, {"16. Armee": "0918", "X. Korps": "0918", "22. Corps": "1018"}, "16. Armee", "X. Korps")
    s.do("advance 16. Armee 1018")
    s.do("consolidate")
    assert disrupted(s, "16. Armee")
    assert not disrupted(s, "X. Korps")


@rule("5.10")
def test_the_road_rate_holds_in_an_advance(leningrad: Game) -> None:
    """From 1118 cross-country into 1217 (1 factor), then three road hexes for the second."""
    units = {"LVI. Panzer Korps": "1218", "16. Armee": "1218", "22. Corps": "1217", "11. Army": "1806"}
    s = broken(leningrad, units, "LVI. Panzer Korps", "16. Armee", target="1217")
    for node in ("1217", "1216", "1116", "1016", "1017", "0917"):  # six road hexes at a third each
        s.do(f"advance LVI. Panzer Korps {node}")
    assert asked(s) == "advance.Advance"


@rule("5.11")
def test_the_first_river_costs_nothing_extra(leningrad: Game) -> None:
    """Over the Volkhov from 1310 into 1411, in the zone of 11. Army, and one hex farther."""
    units = {"LVI. Panzer Korps": "1310", "4. Panzer Gruppe": "1310", "22. Corps": "1411", "11. Army": "1412"}
    s = broken(leningrad, units, "LVI. Panzer Korps", "4. Panzer Gruppe", target="1411")
    assert s.zone[1][leningrad.node("1411")]
    s.do("advance LVI. Panzer Korps 1411")
    assert "advance LVI. Panzer Korps 1410" in legal(s)


@rule("5.12")
def test_no_advance_while_a_defender_is_left(leningrad: Game) -> None:
    s = leningrad.position(
        phase="german.allocation",
        units={"4. Panzer Gruppe": "0918", "LVI. Panzer Korps": "0918", "11. Army": "1018", "22. Corps": "1018"},
        dice=(5,),
    )
    assert rolled(fight(s, "1018", "4. Panzer Gruppe", "LVI. Panzer Korps"))[1] == "D"
    s.do("retreat 11. Army 1118")
    s.do("stay 11. Army")
    s.do("stay 22. Corps")
    assert s.phase == "german.blitzkrieg"


@rule("5.13")
def test_infantry_advances_one_hex_however_far_the_defender_was_driven(leningrad: Game) -> None:
    s = leningrad.position(
        phase="german.allocation",
        units={"16. Armee": "0918", "4. Panzer Gruppe": "0918", "11. Army": "1018"},
        dice=(2,),
    )
    assert rolled(fight(s, "1018", "16. Armee", "4. Panzer Gruppe"))[1] == "D2"
    s.do("order retreat 2")
    s.do("retreat 11. Army 1118")
    s.do("retreat 11. Army 1218")
    s.do("advance 16. Armee 1018")
    assert asked(s) == "advance.Advance"
    s.do("advance 4. Panzer Gruppe 1018")
    assert asked(s) == "advance.AdvanceOn"


@rule("5.1", "13.1")
def test_a_train_takes_part_in_an_attack_and_in_no_advance(leningrad: Game) -> None:
    units = {"11. Army": "1018", "34. Army": "1018", "Armored Train 1": "1017", "I. Korps": "1117"}
    s = leningrad.position(phase="russian.allocation", units=units, dice=(1,))
    fight(s, "1117", "11. Army", "34. Army", "Armored Train 1")
    assert asked(s) == "advance.Advance"
    assert s.why_not("advance Armored Train 1 1117") == [("5.1", "only fighting units that are left advance")]


@rule("5.7")
def test_the_advance_does_not_end_before_enough_have_entered(leningrad: Game) -> None:
    """A defence worth more than a panzer division: the division alone is not enough while another can follow."""
    units = {"6. Panzer Division": "0918", "XXXVIII. Korps": "0918", "16. Armee": "1019", "11. Army": "1018"}
    attackers = [name for name in units if name != "11. Army" and name in leningrad.unit_names]
    s = broken(leningrad, {name: units[name] for name in (*attackers, "11. Army")}, *attackers)
    assert "consolidate" in legal(s)  # nobody must advance at all
    quota = s.quota
    assert quota > 1
    s.do("advance 6. Panzer Division 1018")
    assert asked(s) == "advance.AdvanceOn"
    assert refused(s, "consolidate", because="5.7")
    first = ("5.1", "6. Panzer Division finishes its advance first")
    assert s.why_not("advance XXXVIII. Korps 1018") == [first]
    s.do("halt 6. Panzer Division")
    assert 0 < s.quota < quota
    assert refused(s, "consolidate", because="5.7")
    assert s.decision is not None
    assert s.decision.passes is None
    while s.quota > 0:
        s.do(next(action for action in s.legal() if action.kind == "advance" and action.args[1] == s.targets[0]))
    assert "consolidate" in legal(s)


@rule("7.16", "5.1")
def test_who_attacked_west_of_the_narva_may_advance_there(leningrad: Game) -> None:
    units = {"11. Army": "0407", "34. Army": "0407", "8. Panzer Division": {"at": "0307", "disrupted": True}}
    s = leningrad.position(turn=4, phase="russian.allocation", units=units, dice=(1,))
    events = fight(s, "0307", "11. Army", "34. Army")
    assert rolled(events)[1] == "DE"
    s.do("advance 11. Army 0307")
    assert at(s, "11. Army") == "0307"


@rule("7.16", "5.8")
def test_who_did_not_may_not_step_aside_over_the_narva(leningrad: Game) -> None:
    units = {"11. Army": "0407", "34. Army": "0407", "8. Panzer Division": {"at": "0308", "disrupted": True}}
    s = leningrad.position(turn=4, phase="russian.allocation", units=units, dice=(1,))
    assert rolled(fight(s, "0308", "11. Army", "34. Army"))[1] == "DE"
    s.do("advance 11. Army 0308")
    assert refused(s, "advance 34. Army 0307", because="7.16")
