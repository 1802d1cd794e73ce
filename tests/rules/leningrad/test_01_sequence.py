"""Chapter 1: the sequence of play."""

from __future__ import annotations

from typing import Any

from counterblow.kernel.flow import begin_phase
from tests.helpers import asked, do, legal, refused, rule
from tests.rules.leningrad.play import Game, State, assault, disrupted, fight, has, march, until

GERMAN_TURN = [
    "german.reinforcement", "german.movement", "german.allocation", "german.combat", "german.blitzkrieg",
    "german.blitzkrieg.allocation", "german.blitzkrieg.combat", "german.entrenchment", "german.supply",
]  # fmt: skip
RUSSIAN_TURN = [
    "russian.reinforcement", "russian.movement", "russian.allocation", "russian.combat", "russian.entrenchment",
    "russian.supply", "russian.victory",
]  # fmt: skip


def phases_ahead(s: State) -> list[str]:
    return [s.phase, *(step[1] for step in reversed(s.agenda) if step[0] is begin_phase)]


@rule("1.1")
def test_a_german_player_turn_then_a_russian_one(leningrad: Game) -> None:
    s = leningrad.position(turn=3, phase="german.movement", units={"I. Korps": "0418", "34. Army": "1806"})
    assert s.side == "german"
    until(s, "russian.movement")
    assert (s.turn, s.side) == (3, "russian")
    until(s, "german.movement")
    assert (s.turn, s.side) == (4, "german")


@rule("1.2")
def test_the_german_player_turn_in_order(leningrad: Game) -> None:
    s = leningrad.position(turn=2, phase="german.reinforcement", units={"I. Korps": "0418", "34. Army": "1806"})
    assert phases_ahead(s)[: len(GERMAN_TURN)] == GERMAN_TURN


@rule("1.3", "1.17")
def test_the_russian_player_turn_in_order_with_nothing_in_the_numbering_gap(leningrad: Game) -> None:
    s = leningrad.position(turn=3, phase="russian.reinforcement", units={"I. Korps": "0418", "11. Army": "1806"})
    assert phases_ahead(s) == RUSSIAN_TURN


@rule("1.4")
def test_movement_missions_and_allocation_come_before_recovery(leningrad: Game) -> None:
    s = leningrad.position(
        phase="german.movement",
        units={"I. Korps": "0918", "X. Korps": "0818", "22. Corps": {"at": "1018", "disrupted": True}},
        air=["I. Fliegerkorps"],
    )
    assert {"march I. Korps", "bomb with I. Fliegerkorps", "end movement"} <= set(legal(s))
    s.do("end movement")
    assert asked(s) == "combat.Allocate"
    assert s.refuses("march I. Korps", because="1.4")
    assert disrupted(s, "22. Corps")
    s.do("end attacks")
    assert not disrupted(s, "22. Corps")


@rule("1.5")
def test_only_units_that_are_not_attacked_recover(leningrad: Game) -> None:
    s = leningrad.position(
        phase="german.allocation",
        units={
            "I. Korps": "0918",
            "22. Corps": {"at": "1018", "disrupted": True},
            "16. Corps": {"at": "1516", "disrupted": True},
        },
    )
    assault(s, "1018", "I. Korps")
    s.do("end attacks")
    s.do("allow retreats")
    assert disrupted(s, "22. Corps")
    assert not disrupted(s, "16. Corps")


@rule("1.6")
def test_battles_are_fought_one_by_one_with_their_advances(leningrad: Game) -> None:
    s = leningrad.position(
        phase="german.allocation",
        units={"16. Armee": "0918", "18. Armee": "1718", "22. Corps": "1018", "16. Corps": "1618"},
        dice=(1, 1),
    )
    assault(s, "1018", "16. Armee")
    assault(s, "1618", "18. Armee")
    s.do("end attacks")
    s.do("allow retreats")
    assert {"fight 1018", "fight 1618"} <= set(legal(s))
    s.do("fight 1618")
    assert asked(s) == "advance.Advance"
    assert s.refuses("fight 1018", because="1.6")
    s.do("advance 18. Armee 1618")
    s.do("consolidate")
    assert s.place("18. Armee") == "1618"
    assert "fight 1018" in legal(s)


def two_korps_and_a_target(leningrad: Game, **more: Any) -> State:
    units = {"I. Korps": "0918", "X. Korps": "0818", "22. Corps": "1018"}
    s: State = leningrad.position(phase="german.movement", units=units, **more)
    return s


@rule("1.7")
def test_only_unused_units_take_part_in_the_blitzkrieg(leningrad: Game) -> None:
    s = two_korps_and_a_target(leningrad)
    march(s, "I. Korps", "0919")
    until(s, "german.blitzkrieg")
    assert "march X. Korps" in legal(s)
    assert s.refuses("march I. Korps", because="1.7")
    march(s, "X. Korps", "0918")
    s.do("end movement")
    s.do("attack 1018")
    assert "with X. Korps" in legal(s)
    assert s.refuses("with I. Korps", because="1.7")


@rule("1.7")
def test_who_was_not_used_is_barred_by_other_rules_alone(leningrad: Game) -> None:
    units = {"I. Korps": "0918", "X. Korps": "0717", "22. Corps": "1018"}
    s = leningrad.position(phase="german.blitzkrieg", units=units)
    march(s, "X. Korps", "0718")
    assert refused(s, "march X. Korps", because="1.10")
    do(s, "end movement", "attack 1018")
    assert refused(s, "with X. Korps", because="2.19")  # it is not next to the enemy


@rule("1.8")
def test_a_blitzing_unit_is_one_factor_slower(leningrad: Game) -> None:
    """V29: I. Korps by road in the blitzkrieg, without bonus: basic factor 1, so two road hexes."""
    for phase, hexes in (("german.blitzkrieg", 2), ("german.movement", 4)):
        road = ["0419", "0318", "0417", "0416", "0515", "0514"]
        for steps in (hexes, hexes + 1):
            s = leningrad.position(
                phase=phase, units={"I. Korps": "0419", "11. Army": "1806"}, control={"Pskov": "german"}
            )
            march(s, "I. Korps", road[steps])
            assert has(s, "hurried", "I. Korps") == (steps > hexes)


@rule("1.9")
def test_nobody_recovers_in_the_blitzkrieg(leningrad: Game) -> None:
    s = leningrad.position(
        phase="german.blitzkrieg", units={"I. Korps": "0418", "22. Corps": {"at": "1018", "disrupted": True}}
    )
    until(s, "german.entrenchment")
    assert disrupted(s, "22. Corps")


@rule("1.10")
def test_a_unit_moves_once(leningrad: Game) -> None:
    s = two_korps_and_a_target(leningrad)
    march(s, "X. Korps", "0718")
    assert "march X. Korps" not in legal(s)
    assert s.refuses("march X. Korps", because="1.10")


@rule("1.11")
def test_tactical_moves_do_not_use_up_the_operational_move(leningrad: Game) -> None:
    s = two_korps_and_a_target(leningrad, dice=(2,))
    s.do("end movement")
    fight(s, "1018", "I. Korps")  # 3:1, row 2: D2
    s.do("order retreat 1")
    s.do(next(a for a in s.legal() if a.kind == "retreat"))
    s.do("advance I. Korps 1018")
    assert not has(s, "moved", "I. Korps")
    assert not has(s, "moved", "22. Corps")
    until(s, "german.blitzkrieg")
    assert {c.rule for c in s.why_not("march I. Korps")} == {"3.18"}


@rule("1.12")
def test_one_attack_a_turn_but_any_number_of_defences(leningrad: Game) -> None:
    s = leningrad.position(
        phase="german.allocation",
        units={"I. Korps": "0918", "X. Korps": "1019", "11. Army": "1018", "48. Army": "0904"},
        dice=(4, 4),
    )
    fight(s, "1018", "I. Korps")  # 1:1, row 4: no effect
    s.do("stay 11. Army")
    until(s, "german.blitzkrieg.allocation")
    s.do("attack 1018")  # defends again
    assert "with X. Korps" in legal(s)
    assert s.refuses("with I. Korps", because="1.12")


@rule("1.13")
def test_some_now_and_others_in_the_blitzkrieg(leningrad: Game) -> None:
    s = leningrad.position(
        phase="german.allocation",
        units={"16. Armee": "0918", "6. Panzer Division": "0718", "22. Corps": "1018", "48. Army": "0904"},
        dice=(1,),
    )
    fight(s, "1018", "16. Armee")  # 5:1: the hole is open
    s.do("consolidate")
    march(until(s, "german.blitzkrieg"), "6. Panzer Division", "1018")
    assert s.place("6. Panzer Division") == "1018"


@rule("1.14")
def test_german_supply_is_settled_after_the_blitzkrieg(leningrad: Game) -> None:
    s = leningrad.position(phase="german.movement", units={"I. Korps": "1803", "34. Army": "1806"}, dice=(1,))
    until(s, "german.blitzkrieg")
    s.do("end movement")
    assert not disrupted(s, "I. Korps")
    until(s, "russian.movement")
    assert disrupted(s, "I. Korps")


@rule("1.14", "11.18")
def test_missions_are_flown_before_the_test(leningrad: Game) -> None:
    s = leningrad.position(
        phase="german.supply",
        units={"I. Korps": "1803", "34. Army": "1806"},
        air=["I. Fliegerkorps"],
        dice=(1,),
    )
    s.do("airlift I. Fliegerkorps 1803")
    assert s.phase == "russian.movement"
    assert not disrupted(s, "I. Korps")


@rule("1.15")
def test_russian_supply_is_settled_after_russian_combat(leningrad: Game) -> None:
    s = leningrad.position(
        turn=2,
        phase="russian.movement",
        units={"11. Army": "0218", "16. Armee": "0318", "18. Armee": "0117"},
        waiting=[],
    )
    s.do("end movement")
    assert not disrupted(s, "11. Army")
    until(s, "german.movement")
    assert disrupted(s, "11. Army")


@rule("1.16")
def test_the_german_victory_check_ends_every_russian_player_turn(leningrad: Game) -> None:
    for luga, fallen in (("german", True), ("russian", False)):
        s = leningrad.position(
            turn=7,
            phase="russian.allocation",
            units={"16. Armee": "0903", "18. Armee": "0904", "11. Army": "2019"},
            control={"Pskov": "german", "Luga": luga, "Krasnogvardeisk": "german"},
            points=(0, 9),
        )
        s.do("end attacks")
        s.do("end entrenching")
        assert s.over == fallen
        assert s.turn == (7 if fallen else 8)
