"""Chapter 3: combat results, disruption and recovery."""

from __future__ import annotations

from typing import Any

import pytest

from tests.helpers import asked, cited, legal, rule
from tests.rules.leningrad.play import Game, State, assault, disrupted, duel, fight, has, rolled, until


def result(leningrad: Game, attack: int, defence: int, die: int, expected: str, **marks: Any) -> State:
    """A fought duel in 1018 whose die gave this result."""
    s = duel(leningrad, attack, defence, die, **marks)
    assert rolled(s.do("fight 1018"))[1] == expected
    return s


@rule("3.1")
def test_de_eliminates_all_defenders(leningrad: Game) -> None:
    s = result(leningrad, 18, 4, 1, "DE")
    assert has(s, "lost", "11. Army")
    assert has(s, "lost", "41. Corps")
    assert s.stack(leningrad.node("1018")) == ()


@rule("3.2")
def test_the_attacker_picks_the_length_of_a_retreat(leningrad: Game) -> None:
    s = result(leningrad, 9, 3, 4, "D1")
    assert s.side == "german"
    assert legal(s) == ["order retreat 0", "order retreat 1"]
    assert s.refuses("order retreat 2", because="3.2")
    s = result(leningrad, 9, 3, 2, "D2")
    assert legal(s) == ["order retreat 0", "order retreat 1", "order retreat 2"]


@rule("3.3")
def test_the_defender_picks_the_route(leningrad: Game) -> None:
    s = result(leningrad, 9, 3, 2, "D2")
    s.do("order retreat 2")
    assert s.side == "russian"
    assert {"retreat 11. Army 1117", "retreat 11. Army 1118", "retreat 11. Army 1119"} == set(legal(s))
    s.do("retreat 11. Army 1117")
    s.do("retreat 11. Army 1217")
    assert s.place("11. Army") == "1217"


@rule("3.2")
def test_an_ordered_retreat_cannot_be_refused(leningrad: Game) -> None:
    s = result(leningrad, 9, 3, 4, "D1")
    s.do("order retreat 1")
    assert s.refuses("stay 11. Army", because="3.2")


@rule("3.4")
@pytest.mark.parametrize(("die", "expected"), [(4, "D1"), (2, "D2")])
def test_the_defenders_are_disrupted_even_if_ordered_to_stay(leningrad: Game, die: int, expected: str) -> None:
    s = result(leningrad, 9, 3, die, expected, entrenched=False)
    s.do("order retreat 0")
    assert disrupted(s, "11. Army")
    assert s.place("11. Army") == "1018"


@rule("3.2", "3.5", "3.23")
def test_v40_a_voluntary_hex_after_an_order_of_none(leningrad: Game) -> None:
    s = result(leningrad, 9, 3, 4, "D1")
    s.do("order retreat 0")
    assert "stay 11. Army" in legal(s)
    s.do("retreat 11. Army 1118")
    assert disrupted(s, "11. Army")
    assert asked(s) == "advance.Advance"  # one voluntary hex, no more
    s.do("advance 4. Panzer Gruppe 1018")
    assert asked(s) == "advance.Advance"  # one hex, no more
    assert s.place("4. Panzer Gruppe") == "1018"


@rule("3.5", "5.6")
def test_one_hex_more_than_ordered_lets_the_attacker_follow_two(leningrad: Game) -> None:
    s = result(leningrad, 9, 3, 4, "D1")
    s.do("order retreat 1")
    s.do("retreat 11. Army 1118")
    s.do("retreat 11. Army 1218")
    s.do("advance XXXVIII. Korps 1018")
    assert "advance XXXVIII. Korps 1117" in legal(s)
    s.do("advance XXXVIII. Korps 1117")
    assert s.place("XXXVIII. Korps") == "1117"
    s.do("advance 4. Panzer Gruppe 1018")
    s.do("halt 4. Panzer Gruppe")


@rule("3.5")
def test_no_voluntary_hex_on_d2(leningrad: Game) -> None:
    s = result(leningrad, 9, 3, 2, "D2")
    s.do("order retreat 1")
    s.do("retreat 11. Army 1118")
    assert asked(s) == "advance.Advance"


@rule("3.6")
def test_d_disrupts_in_place(leningrad: Game) -> None:
    s = result(leningrad, 9, 3, 6, "D")
    assert disrupted(s, "11. Army")
    assert s.place("11. Army") == "1018"


@rule("3.7", "5.6")
def test_d_allows_two_voluntary_hexes(leningrad: Game) -> None:
    s = result(leningrad, 9, 3, 6, "D")
    assert s.side == "russian"
    s.do("retreat 11. Army 1118")
    s.do("retreat 11. Army 1218")
    assert asked(s) == "advance.Advance"
    s.do("advance XXXVIII. Korps 1018")
    assert "advance XXXVIII. Korps 1117" in legal(s)


@rule("3.7", "5.12")
def test_a_defender_who_stays_keeps_the_hex(leningrad: Game) -> None:
    s = result(leningrad, 9, 3, 6, "D")
    s.do("stay 11. Army")
    assert s.phase == "german.blitzkrieg"


@rule("3.8", "3.23")
def test_a_dash_harms_nobody_unless_the_defender_goes_back(leningrad: Game) -> None:
    s = result(leningrad, 6, 3, 6, "-")
    assert not disrupted(s, "11. Army")
    assert not disrupted(s, "4. Panzer Gruppe")
    s.do("retreat 11. Army 1118")
    assert disrupted(s, "11. Army")
    s.do("stay 11. Army")
    s.do("advance 4. Panzer Gruppe 1018")
    assert s.place("4. Panzer Gruppe") == "1018"


@rule("3.9")
def test_ad_disrupts_every_attacker(leningrad: Game) -> None:
    s = result(leningrad, 9, 9, 5, "AD")
    assert disrupted(s, "4. Panzer Gruppe")
    assert disrupted(s, "XXXVIII. Korps")
    assert not disrupted(s, "11. Army")


def v42(leningrad: Game) -> State:
    """5, 3 and 2 against 4 and two trains: 2:1 shifted to 1:1, row 6: D/AE."""
    s: State = leningrad.position(
        phase="german.allocation",
        units={"16. Armee": "1018", "I. Korps": "1018", "6. Panzer Division": "1018", "11. Army": "1017",
               "22. Corps": "1017", "Armored Train 1": "1017", "Armored Train 2": "1017"},
        dice=(6,),
    )  # fmt: skip
    events = fight(s, "1017", "16. Armee", "I. Korps", "6. Panzer Division")
    assert rolled(events) == ("1:1", "D/AE")
    return s


@rule("3.10", "3.11")
def test_v42_losses_reach_the_defence_with_no_unit_too_many(leningrad: Game) -> None:
    s = v42(leningrad)
    assert set(legal(s)) == {"lose 16. Armee", "lose I. Korps", "lose 6. Panzer Division"}
    s.do("lose I. Korps")
    assert legal(s) == ["lose 6. Panzer Division"]  # {3} is too few, {3, 5} too many
    for name, reason in (
        ("16. Armee", "losses must equal the defence, with no unit more than is needed"),
        ("I. Korps", "it is named already"),
        ("11. Army", "only attackers of this battle are lost"),
    ):
        assert s.why_not(f"lose {name}") == [("3.10", reason)]
    s.do("lose 6. Panzer Division")
    assert has(s, "lost", "I. Korps")
    assert has(s, "lost", "6. Panzer Division")
    assert disrupted(s, "16. Armee")  # 3.11

    s = v42(leningrad)
    s.do("lose 16. Armee")
    assert has(s, "lost", "16. Armee")
    assert disrupted(s, "I. Korps")
    assert disrupted(s, "6. Panzer Division")


@rule("3.10")
def test_v43_all_are_lost_if_they_cannot_reach_the_defence(leningrad: Game) -> None:
    s = leningrad.position(
        phase="russian.allocation",
        units={"27. Army": "1018", "22. Corps": "1018", "16. Armee": {"at": "0918", "entrenched": True}},
        dice=(6,),
    )
    assert rolled(fight(s, "0918", "27. Army", "22. Corps")) == ("1:2", "AE")
    assert has(s, "lost", "27. Army")
    assert has(s, "lost", "22. Corps")
    assert not disrupted(s, "16. Armee")


@rule("3.12")
def test_d_ae_strikes_both_sides_and_nobody_advances(leningrad: Game) -> None:
    s = v42(leningrad)
    s.do("lose 16. Armee")
    assert disrupted(s, "11. Army")
    assert disrupted(s, "22. Corps")
    s.do("retreat 11. Army 1016")
    s.do("stay 11. Army")
    s.do("retreat 22. Corps 1016")
    s.do("stay 22. Corps")
    assert s.phase == "german.blitzkrieg"  # no advance


@rule("3.13", "4.4")
def test_v38_attacked_from_both_sides_there_is_no_way_out(leningrad: Game) -> None:
    for dice, lost in (((2,), True), ((4,), False)):  # 3:1: D2, D1
        s = leningrad.position(
            phase="german.allocation",
            units={"4. Panzer Gruppe": "0918", "I. Korps": "1118", "11. Army": "1018"},
            dice=dice,
        )
        assert rolled(fight(s, "1018", "4. Panzer Gruppe", "I. Korps"))[1] == ("D2" if lost else "D1")
        assert has(s, "lost", "11. Army") == lost
        assert asked(s) == "advance.Advance" if lost else disrupted(s, "11. Army")


@rule("3.14", "3.15", "3.25")
def test_v41_the_blanket_order_covers_only_fresh_units(leningrad: Game) -> None:
    s = leningrad.position(
        phase="german.allocation",
        units={"16. Armee": "0918", "18. Armee": "1718", "22. Corps": "1018",
               "16. Corps": {"at": "1618", "disrupted": True}},
        dice=(5, 5),
    )  # fmt: skip
    assault(s, "1018", "16. Armee")
    assault(s, "1618", "18. Armee")
    s.do("end attacks")
    assert asked(s) == "results.RussianOrder"
    s.do("order no retreat")
    assert rolled(s.do("fight 1018"))[1] == "D2"
    assert has(s, "lost", "22. Corps")
    s.do("consolidate")
    assert rolled(s.do("fight 1618"))[1] == "D2"
    s.do("order retreat 2")
    assert "retreat 16. Corps 1518" in legal(s)


@rule("3.14")
def test_under_no_retreat_d1_is_d_and_nobody_leaves(leningrad: Game) -> None:
    s = leningrad.position(phase="german.allocation", units={"4. Panzer Gruppe": "0918", "11. Army": "1018"}, dice=(4,))
    assert rolled(fight(s, "1018", "4. Panzer Gruppe", order="order no retreat"))[1] == "D1"
    assert disrupted(s, "11. Army")
    assert s.place("11. Army") == "1018"
    assert s.phase == "german.blitzkrieg"


@rule("3.15")
def test_the_russian_order_is_given_once_for_the_whole_player_turn(leningrad: Game) -> None:
    s = leningrad.position(
        phase="german.allocation",
        units={"4. Panzer Gruppe": "0918", "11. Army": "1018", "18. Armee": "1718", "22. Corps": "1618"},
        dice=(6, 1),
    )
    fight(s, "1018", "4. Panzer Gruppe", order="order no retreat")
    until(s, "german.blitzkrieg.allocation")
    assault(s, "1618", "18. Armee")
    s.do("end attacks")
    assert asked(s) == "results.NextBattle"  # not asked again
    s.do("fight 1618")
    assert has(s, "lost", "22. Corps")


@rule("3.16")
def test_the_german_is_asked_battle_by_battle_before_the_die(leningrad: Game) -> None:
    s = leningrad.position(
        phase="russian.allocation",
        units={"11. Army": "1018", "34. Army": "1018", "I. Korps": "0918", "54. Army": "1618", "X. Korps": "1718"},
        dice=(1, 1),
    )
    assault(s, "0918", "11. Army", "34. Army")
    assault(s, "1718", "54. Army")
    s.do("end attacks")
    assert s.do("fight 0918") == []  # no die yet
    assert (asked(s), s.side) == ("results.GermanOrder", "german")
    assert rolled(s.do("order no retreat"))[1] == "D2"
    assert has(s, "lost", "I. Korps")
    s.do("consolidate")
    s.do("fight 1718")
    assert asked(s) == "results.GermanOrder"  # asked anew
    assert rolled(s.do("allow retreats"))[1] == "D2"
    s.do("order retreat 0")
    assert s.place("X. Korps") == "1718"


@rule("3.17", "3.27")
def test_a_disrupted_unit_has_lost_its_trench(leningrad: Game) -> None:
    s = result(leningrad, 9, 3, 5, "D", entrenched=True)
    assert disrupted(s, "11. Army")
    assert not has(s, "entrenched", "11. Army")
    view = s.view("russian")
    assert "disrupted" in next(u for u in view["units"] if u["name"] == "11. Army")["markers"]


@rule("3.18")
def test_a_disrupted_unit_does_not_move(leningrad: Game) -> None:
    s = leningrad.position(
        phase="german.movement", units={"I. Korps": {"at": "0418", "disrupted": True}, "11. Army": "1806"}
    )
    assert "march I. Korps" not in legal(s)
    assert s.refuses("march I. Korps", because="3.18")


@rule("3.19")
def test_a_disrupted_unit_keeps_its_terrain(leningrad: Game) -> None:
    """Luga group, Disrupted, in Luga behind the line: 2 + 1 + 1."""
    s = leningrad.position(
        phase="german.allocation",
        units={"16. Armee": "0712", "Luga Operational Group": {"at": "0811", "disrupted": True}},
    )
    s.do("attack 0811")
    forecast = s.forecast("with 16. Armee")
    assert forecast is not None
    assert dict(forecast.facts)["defence"] == "4"


@rule("3.20", "3.22")
def test_recovery_needs_supply(leningrad: Game) -> None:
    s = leningrad.position(
        phase="german.allocation",
        units={"I. Korps": "0119", "16. Armee": "0317", "X. Korps": "0319", "4. Panzer Gruppe": "0318",
               "11. Army": {"at": "0218", "disrupted": True}, "22. Corps": {"at": "1018", "disrupted": True}},
    )  # fmt: skip
    s.do("end attacks")
    assert not disrupted(s, "22. Corps")
    assert disrupted(s, "11. Army")


@rule("3.20")
def test_germans_recover_in_the_russian_player_turn(leningrad: Game) -> None:
    s = leningrad.position(
        phase="russian.allocation", units={"I. Korps": {"at": "0418", "disrupted": True}, "11. Army": "1806"}
    )
    s.do("end attacks")
    assert not disrupted(s, "I. Korps")


@rule("3.21")
@pytest.mark.parametrize(("attack", "defence", "die", "expected"), [(3, 3, 6, "AD"), (3, 3, 5, "-"), (3, 9, 6, "AE")])
def test_v44_a_supplied_defender_recovers_by_holding(
    leningrad: Game, attack: int, defence: int, die: int, expected: str
) -> None:
    s = result(leningrad, attack, defence, die, expected, disrupted=True)
    assert not disrupted(s, "11. Army")


@rule("3.21")
def test_a_d_ae_denies_the_recovery(leningrad: Game) -> None:
    s = result(leningrad, 3, 9, 5, "D/AE", disrupted=True)
    assert disrupted(s, "11. Army")


@rule("3.21")
def test_holding_recovers_in_the_blitzkrieg_too(leningrad: Game) -> None:
    s = leningrad.position(
        phase="german.blitzkrieg.allocation",
        units={"I. Korps": "0918", "11. Army": {"at": "1018", "disrupted": True}},
        dice=(6,),
    )
    assert rolled(fight(s, "1018", "I. Korps"))[1] == "AD"
    assert not disrupted(s, "11. Army")


@rule("3.22")
def test_v44_an_unsupplied_defender_stays_disrupted(leningrad: Game) -> None:
    s = leningrad.position(
        phase="german.allocation",
        units={"XXVI. Korps": "0318", "I. Korps": "0119", "16. Armee": "0317", "X. Korps": "0319",
               "11. Army": {"at": "0218", "disrupted": True}, "27. Army": {"at": "0218", "disrupted": True}},
        dice=(6,),
    )  # fmt: skip
    assert rolled(fight(s, "0218", "XXVI. Korps"))[1] == "AD"
    assert disrupted(s, "11. Army")


@rule("3.24", "8.2")
def test_v37_a_disrupted_russian_corps_has_no_zone_an_army_has(leningrad: Game) -> None:
    for unit, disordered, stops in (
        ("22. Corps", True, False), ("22. Corps", False, True), ("11. Army", True, True),
    ):  # fmt: skip
        s = leningrad.position(
            phase="german.blitzkrieg", units={"I. Korps": "1602", unit: {"at": "1803", "disrupted": disordered}}
        )
        s.do("march I. Korps")
        assert ("to 1902" in legal(s)) == (not stops)  # three hexes, past the Russian


@rule("3.24")
def test_a_disrupted_german_korps_keeps_its_zone(leningrad: Game) -> None:
    s = leningrad.position(
        phase="russian.movement", units={"11. Army": "1118", "X. Korps": {"at": "1019", "disrupted": True}}
    )
    assert s.zone[0][leningrad.node("1018")] == 1


@rule("3.26", "1.5", "2.10")
def test_v58_a_cancelled_attack_does_not_deny_recovery(leningrad: Game) -> None:
    for phase, recovers in (("german.allocation", True), ("german.blitzkrieg.allocation", False)):
        s = leningrad.position(phase=phase, units={"I. Korps": "0918", "22. Corps": {"at": "1018", "disrupted": True}})
        assault(s, "1018", "I. Korps")
        s.do("end attacks")
        s.do("allow retreats")
        assert disrupted(s, "22. Corps")
        s.do("cancel 1018")
        assert disrupted(s, "22. Corps") == (not recovers)


@rule("3.27")
def test_any_disruption_ends_entrenchment(leningrad: Game) -> None:
    """Here: lack of supply, and a move by rail."""
    s = leningrad.position(
        phase="german.supply", units={"I. Korps": {"at": "1803", "entrenched": True}, "11. Army": "1806"}
    )
    assert disrupted(s, "I. Korps")
    assert not has(s, "entrenched", "I. Korps")
    s = leningrad.position(
        phase="russian.movement", units={"11. Army": {"at": "1806", "entrenched": True}, "I. Korps": "0418"}
    )
    s.do("entrain 11. Army")
    assert "7.13" in cited(s.do("to 1504"))
    assert not has(s, "entrenched", "11. Army")


@rule("3.23")
def test_retreating_and_advancing_disrupt(leningrad: Game) -> None:
    s = result(leningrad, 9, 3, 2, "D2")
    s.do("order retreat 1")
    s.do("retreat 11. Army 1118")
    s.do("advance 4. Panzer Gruppe 1018")
    s.do("halt 4. Panzer Gruppe")
    assert disrupted(s, "4. Panzer Gruppe")
    assert not disrupted(s, "XXXVIII. Korps")
