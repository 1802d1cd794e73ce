"""Section 2.5: Action chits - barrages, random events, Stavka directive, Free Move, and chits that wait."""

from __future__ import annotations

from typing import Any

import pytest

from counterblow.games.narva.game import Narva
from tests.helpers import do, legal, log, rule
from tests.rules.narva.play import State, box, cup, facts, modifiers, pinned, reach, steps

EVENT = {
    2: (1, 1),
    3: (1, 2),
    4: (1, 3),
    5: (1, 4),
    6: (1, 5),
    7: (1, 6),
    8: (2, 6),
    9: (3, 6),
    10: (4, 6),
    11: (5, 6),
    12: (6, 6),
}


# ---------------------------------------------------------------------- 2.5


@rule("2.5b", "8.1", "3.0g")
def test_timed_chits_join_in_their_reinforcement_phase(narva: Narva) -> None:
    s = narva.position(turn=3, phase="german.reinforcement", due={"154G": 3, "930": 3})
    assert (cup(s, "26"), cup(s, "43"), cup(s, "AGN"), cup(s, "59A")) == (2, 2, 1, 0)
    do(s, "enter 154G at 0130", "stop")
    assert cup(s, "59A") == 3
    s = narva.position(turn=4, phase="soviet.reinforcement", due={"863": 4})
    assert cup(s, "STAVKA") == 1
    assert cup(s, "OOS") == 0


@rule("2.5c")
def test_action_chits_are_free(narva: Narva) -> None:
    s = narva.position(
        turn=2,
        phase="command",
        draws=["BAR-G", "3SS"],
        units={"MOK": "2412", "381": "2512", "11SS HQ": "3029"},
        dice=(1,),
    )
    assert s.decision.kind == "barrage.Fire"
    assert s.used == (0, 0)
    do(s, "cease fire", "draw a chit")
    assert s.used == (1, 0)


@rule("2.5d")
def test_drawing_stops_when_both_sides_are_done(narva: Narva) -> None:
    """Turn 11: three activations each; the Action chits stay in the cup."""
    s = narva.position(
        turn=11,
        phase="command",
        draws=["3SS"],
        cup={"BAR-S": 2, "EVENT": 1},
        used={"german": 2, "soviet": 3},
        units={"11SS HQ": "3029"},
        due={"1265": 11},
    )
    do(s, "pass")
    assert s.decision.kind == "reinforcements.Enter"
    assert (cup(s, "BAR-S"), cup(s, "EVENT")) == (2, 1)


@rule("2.5e", "11.4a")
def test_chits_return_at_the_turn_advance(narva: Narva) -> None:
    s = narva.position(
        turn=4, phase="end", drawn={"BAR-S": 2, "3SS": 1}, waiting=True, parked={"STAVKA": 6}, pd={"Nordland": 1}
    )
    assert s.decision.kind == "defences.Repair"
    assert (cup(s, "BAR-S"), cup(s, "3SS"), cup(s, "OOS"), cup(s, "STAVKA")) == (2, 1, 0, 0)
    assert not any(s.drawn)


# ---------------------------------------------------------------------- 2.5.1: barrages


@rule("2.5.1b")
@pytest.mark.parametrize(("die", "attacks"), [(1, 1), (2, 1), (3, 1), (4, 1), (5, 2), (6, 2)])
def test_number_of_barrages(narva: Narva, die: int, attacks: int) -> None:
    units = {"381": "2512", "MOK": "2412", "29P": "2411", "30P": "2513", "31P": "2612"}
    s = narva.position(turn=2, phase="command", draws=["BAR-S"], units=units, dice=(die, 1, 1, 1))
    for number, target in enumerate(("2412", "2411", "2513"), 1):
        if number <= attacks:
            do(s, f"barrage {target}")
    assert s.decision is None or s.decision.kind != "barrage.Fire"


@rule("2.5.1c")
def test_barrage_targets(narva: Narva) -> None:
    s = narva.position(
        turn=2,
        phase="command",
        draws=["BAR-G"],
        dice=(1,),
        units={"MOK": "2412", "381": "2512", "456": "2413", "602": "2611", "11SS HQ": "2209", "109 HQ": "2210"},
    )
    assert set(legal(s)) == {"barrage 2512", "barrage 2413", "barrage 2210", "cease fire"}
    assert s.refuses("barrage 2611", because="2.5.1c")
    assert s.refuses("barrage 2411", because="2.5.1c")


@rule("2.5.1d")
def test_a_hex_is_barraged_once_in_a_set(narva: Narva) -> None:
    s = narva.position(
        turn=2, phase="command", draws=["BAR-G"], dice=(5, 1), units={"MOK": "2412", "381": "2512", "456": "2413"}
    )
    do(s, "barrage 2512")
    assert set(legal(s)) == {"barrage 2413", "cease fire"}
    assert s.refuses("barrage 2512", because="2.5.1d")


@rule("2.5.1e", "2.5.1d")
def test_a_unit_may_be_barraged_again_in_its_new_hex(narva: Narva) -> None:
    """Vector 31: a barrage drives a unit out of a village; it may be hit again where it stands now, not the old hex."""
    units = {"MOK": "2717", "SCHN": "2720", "381": "2718", "456": "2718"}
    s = narva.position(turn=2, phase="command", draws=["BAR-G"], dice=(5, 5, 6), units=units)
    do(s, "barrage 2718", "retreat 381 by 2719", "retreat 456 by 2719")
    assert set(legal(s)) == {"barrage 2719", "cease fire"}
    assert s.refuses("barrage 2718", because="2.5.1c")
    do(s, "barrage 2719")
    assert set(legal(s)) == {"step loss on 381", "step loss on 456"}


@rule("2.5.1f")
def test_barrage_columns(narva: Narva) -> None:
    """A 3 is a pin in the open and nothing in a city; terrain has no other effect."""
    s = narva.position(turn=2, phase="command", draws=["BAR-G"], dice=(1, 3), units={"MOK": "2830", "381": "2930"})
    assert dict(s.forecast("barrage 2930").facts)["column"] == "city"
    do(s, "barrage 2930")
    assert not pinned(s, "381")
    for label in ("2412", "1429"):
        near = narva.board.labels[narva.board.around[narva.node(label)][3]]
        s = narva.position(
            turn=2, phase="command", draws=["BAR-G"], dice=(1, 3), units={"MOK": near, "381": label}, cup={"3SS": 1}
        )
        assert dict(s.forecast(f"barrage {label}").facts)["column"] == "other"


@rule("2.5.1g")
def test_a_barrage_loss_counts_in_a_city(narva: Narva) -> None:
    s = narva.position(turn=2, phase="command", draws=["BAR-S"], dice=(1, 6), units={"23": "3029", "381": "3129"})
    do(s, "barrage 3029")
    assert steps(s, "23") == 1


@rule("2.5.1h", "9.5.6d")
def test_a_barrage_retreat_counts_everywhere(narva: Narva) -> None:
    """City, village, PD hex (there it pushes the marker), in both editions (9.5.6 and 11.3.3 of 2018)."""
    s = narva.position(turn=2, phase="command", draws=["BAR-G"], dice=(1, 5), units={"MOK": "2717", "381": "2718"})
    do(s, "barrage 2718")
    assert s.decision.kind == "retreat.Retreat"
    s = narva.position(turn=2, phase="command", draws=["BAR-S"], dice=(1, 5), units={"23": "3029", "381": "3129"})
    do(s, "barrage 3029")
    assert s.decision.kind == "retreat.Retreat"
    for edition in ("2022", "2018"):
        s = narva.position(
            turn=2,
            phase="command",
            draws=["BAR-S"],
            dice=(1, 5),
            options={"edition": edition},
            units={"HAME": "3227", "381": "3226"},
        )
        do(s, "barrage 3227")
        assert s.pd[0] == 1


@rule("2.5.1i")
def test_pinned_units_neither_move_nor_attack(narva: Narva) -> None:
    s = narva.position(
        turn=2,
        phase="command",
        draws=["BAR-G", "2SH"],
        dice=(1, 4),
        units={"MOK": "2412", "381": "2512", "456": "2512", "602": "2413", "109 HQ": "2514", "2 SH HQ": "2511"},
    )
    do(s, "barrage 2512")
    assert pinned(s, "381")
    assert pinned(s, "456")
    do(s, "draw a chit", "activate 109 HQ")
    assert s.refuses("move 381", because="2.5.1i")
    assert set(legal(s)) == {"move 109 HQ", "move 602", "end movement"}
    do(s, "end movement", "attack 2412")
    assert s.refuses("add 381", because="2.5.1i")
    assert "add 602" in set(legal(s))


@rule("2.5.1j", "9.3.1b")
def test_attacks_on_pinned_units_shift_right(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.combat", units={"381": "2512", "MOK": {"at": "2412", "pinned": True}})
    do(s, "attack 2412", "add 381")
    assert facts(s)["column"] == "3-1"
    assert modifiers(s)["2.5.1j"] == "1"


@rule("2.5.1k")
def test_pinned_units_retreat_and_lose_the_marker(narva: Narva) -> None:
    s = narva.position(
        turn=2, phase="soviet.combat", dice=(6,), units={"381": "2512", "61F": {"at": "2412", "pinned": True}}
    )
    do(s, "attack 2412", "add 381", "resolve the attack")
    retreat = str(s.legal()[0])
    do(s, retreat)
    assert s.place("61F") != "2412"
    assert not pinned(s, "61F")


@rule("2.5.1l", "11.4b")
def test_pins_come_off_at_the_end_of_the_turn(narva: Narva) -> None:
    s = narva.position(turn=2, phase="end", units={"MOK": {"at": "2412", "pinned": True}}, pd={"Nordland": 1})
    assert s.decision.kind == "defences.Repair"
    assert not pinned(s, "MOK")


@rule("2.5.1m", "2.5.2.08")
def test_event_8_gives_soviet_barrages(narva: Narva) -> None:
    s = narva.position(
        turn=2,
        phase="command",
        draws=["EVENT"],
        dice=(*EVENT[8], 5, 6, 6),
        units={"MOK": "2412", "29P": "2411", "381": "2512"},
    )
    assert s.side == "soviet"
    assert set(legal(s)) == {"barrage 2412", "barrage 2411", "cease fire"}
    do(s, "barrage 2412")
    assert s.place("MOK") is None
    do(s, "barrage 2411")
    assert s.place("29P") is None


# ---------------------------------------------------------------------- 2.5.2: random events


def event(narva: Narva, roll: int, units: dict[str, Any], **more: Any) -> State:
    more.setdefault("turn", 2)
    more.setdefault("due", {"1265": more["turn"]})
    dice = (*EVENT[roll], *more.pop("rolls", ()))
    return narva.position(phase="command", draws=["EVENT"], dice=dice, units=units, **more)


@rule("2.5.2a")
def test_an_event_is_applied_before_the_next_draw(narva: Narva) -> None:
    s = narva.position(
        turn=2,
        phase="command",
        draws=["EVENT", "3SS"],
        dice=EVENT[4],
        units={"61F": {"at": "2030", "steps": 1}, "11SS HQ": "3029"},
    )
    assert s.decision.kind == "replacements.Spend"
    assert s.used == (0, 0)
    do(s, "decline", "draw a chit")
    assert s.decision.kind == "command.Wake"


@rule("2.5.2b", "2.5.2.02")
def test_event_2_moves_a_division_without_combat(narva: Narva) -> None:
    """All its units on the map, in command or supply or not, and no others."""
    s = event(narva, 2, {"151G": {"at": "2412", "supply": "isolated"}, "162G": "0531", "PZ": "0431", "381": "2512"})
    assert {"move formation 61", "move formation FHH", "decline"} == set(legal(s))
    do(s, "move formation 61")
    assert set(legal(s)) == {"move 151G", "move 162G", "end movement"}
    do(s, "end movement")
    assert s.decision.kind != "combat.DeclareAttack"
    assert s.used == (0, 0)


@rule("2.5.2.03", "2.5.2b")
def test_event_3_moves_two_german_units(narva: Narva) -> None:
    s = event(narva, 3, {"151G": "2412", "162G": "0531", "PZ": "0431", "381": "2512"})
    assert s.refuses("add 381", because="2.5.2.03")
    assert s.refuses("back", because="2.5.2b")
    assert s.refuses("move 151G", because="2.5.2b")  # first it is named
    do(s, "add 151G", "add PZ")
    assert set(legal(s)) == {"move 151G", "move PZ", "end movement"}
    do(s, "end movement")
    assert s.decision.kind != "combat.DeclareAttack"


@rule("2.5.2.04", "11.2a", "11.2.1a")
def test_event_4_gives_two_points(narva: Narva) -> None:
    s = event(narva, 4, {"61F": {"at": "0231", "steps": 1}, "151G": {"at": "0331", "steps": 1}})
    assert s.side == "german"
    do(s, "rebuild 61F")
    assert s.decision.kind == "replacements.Spend"
    do(s, "rebuild 151G")
    assert s.decision.kind != "replacements.Spend"
    assert steps(s, "61F") == steps(s, "151G") == 2


@rule("2.5.2.05")
def test_event_5_gives_one_point(narva: Narva) -> None:
    s = event(narva, 5, {"61F": {"at": "0231", "steps": 1}, "151G": {"at": "0331", "steps": 1}})
    do(s, "rebuild 61F")
    assert s.decision.kind != "replacements.Spend"


@rule("2.5.2.06")
def test_event_6_grounds_all_aircraft(narva: Narva) -> None:
    s = narva.position(
        turn=2,
        phase="command",
        draws=["EVENT", "2SH"],
        dice=EVENT[6],
        units={"2 SH HQ": "2511", "109 HQ": "2514", "381": "2512", "MOK": "2412"},
    )
    do(s, "draw a chit", "activate 109 HQ", "end movement", "attack 2412", "add 381")
    assert not any("air attack" in text for text in set(legal(s)))
    assert s.refuses("full air attack by 13A-1", because="2.5.2.06")
    s = narva.position(turn=2, phase="end", no_air=True, pd={"Nordland": 1}, units={"381": "2512"})
    do(s, "decline")
    assert s.no_air == 0


@rule("2.5.2.07")
def test_event_7_is_nothing(narva: Narva) -> None:
    s = event(narva, 7, {"381": "2512", "MOK": "2412"})
    assert s.decision.kind == "reinforcements.Enter"
    assert (s.no_air, s.frost) == (0, 0)


@rule("2.5.2.09")
def test_event_9_recovers_soviet_aircraft_one_step(narva: Narva) -> None:
    s = event(narva, 9, {}, air={"13A-1": "grounded", "13A-2": "refit", "LW": "refit"})
    assert (box(s, "13A-1"), box(s, "13A-2"), box(s, "LW")) == ("refit", "ready", "refit")


@rule("2.5.2.10")
def test_event_10_readies_soviet_aircraft(narva: Narva) -> None:
    s = event(narva, 10, {}, air={"13A-1": "grounded", "13A-2": "refit", "LW": "grounded"})
    assert (box(s, "13A-1"), box(s, "13A-2"), box(s, "LW")) == ("ready", "ready", "grounded")
    assert box(s, "13A-6") == "absent"


@rule("2.5.2.11a", "6.2.2b")
def test_event_11_prolongs_the_frost(narva: Narva) -> None:
    s = event(narva, 11, {"381": "2122"}, turn=7)
    assert s.frost == 1
    units = {"381": "2122"}
    assert "to 2123" in reach(narva.position(turn=8, phase="soviet.movement", units=units, frost=True), "381")
    assert "to 2123" not in reach(narva.position(turn=8, phase="soviet.movement", units=units), "381")
    assert "to 2123" not in reach(narva.position(turn=9, phase="soviet.movement", units=units, frost=True), "381")


@rule("2.5.2.11b")
def test_event_11_after_turn_7_moves_two_soviet_units(narva: Narva) -> None:
    s = event(narva, 11, {"381": "2512", "456": "2412", "151G": "0531"}, turn=8)
    assert s.side == "soviet"
    assert s.frost == 0
    do(s, "add 381", "add 456")
    assert set(legal(s)) == {"move 381", "move 456", "end movement"}


@rule("2.5.2.12")
def test_event_12_moves_a_corps(narva: Narva) -> None:
    s = event(narva, 12, {"381": "2512", "456": "2412", "4": "2513", "2 SH HQ": "2514", "MOK": "2413"})
    assert set(legal(s)) == {"move formation 109 Corps", "move formation 43 Corps", "decline"}
    do(s, "move formation 109 Corps")
    assert set(legal(s)) == {"move 381", "move 456", "end movement"}
    do(s, "end movement")
    assert s.decision.kind != "combat.DeclareAttack"


# ---------------------------------------------------------------------- 2.5.3: Stavka directive


def stavka(narva: Narva, units: dict[str, Any], *dice: int, **more: Any) -> State:
    more.setdefault("turn", 6)
    return narva.position(phase="command", draws=["STAVKA"], units=units, dice=dice, due={"1265": more["turn"]}, **more)


TWO_FRONTS: dict[str, Any] = {
    "381": "2512",
    "456": "2413",
    "602": "2413",
    "MOK": "2412",
    "864": "2209",
    "29P": "2210",
    "109 HQ": "2309",
}


@rule("2.5.3a", "9.0c")
def test_stavka_attacks_are_compulsory(narva: Narva) -> None:
    s = stavka(narva, TWO_FRONTS, 6)
    assert set(legal(s)) == {"attack 2412", "attack 2210"}
    assert s.refuses("end combat", because="2.5.3a")
    do(s, "attack 2412")
    assert s.refuses("without 381", because="2.5.3b")
    do(s, "back")  # another hex may be chosen instead
    assert set(legal(s)) == {"attack 2412", "attack 2210"}
    do(s, "attack 2412", "resolve the attack")
    while s.decision.kind != "chits.DirectedAttack":
        do(s, str(s.legal()[0]))
    assert set(legal(s)) == {"attack 2210"}
    assert s.refuses("attack 2412", because="2.5.3a")
    assert not s.activated  # the Directive activates nobody: no counter is marked as having attacked


@rule("2.5.3b")
def test_all_adjacent_soviet_units_attack(narva: Narva) -> None:
    s = stavka(narva, {**TWO_FRONTS, "657": {"at": "2411", "pinned": True}})
    do(s, "attack 2412")
    assert facts(s)["attack"] == "12"
    assert s.refuses("add 657", because="2.5.3b")


@rule("2.5.3c")
def test_stavka_shift(narva: Narva) -> None:
    s = stavka(narva, TWO_FRONTS)
    do(s, "attack 2210")
    assert facts(s)["column"] == "3-1"
    assert modifiers(s)["2.5.3c"] == "1"


@rule("2.5.3d", "2.5.3e", "2.5.3f")
def test_stavka_losses(narva: Narva) -> None:
    """Vector 5: on turn 6 an Ar1 costs two steps and no retreat; the chit comes back on turn 8."""
    units: dict[str, Any] = {"381": "2512", "151G": "2412"}  # 4 to 5: 1-2, one column right: 1-1
    s = stavka(narva, units, 4)
    do(s, "attack 2412", "resolve the attack")
    assert s.place("381") is None
    s = stavka(narva, {**units, "864": "2513", "162G": "2413", "MOK": "2514"}, 4)
    assert s.parked == ((narva.chit_number["STAVKA"], 8),)
    s = narva.position(turn=8, phase="soviet.reinforcement", parked={"STAVKA": 8}, due={"1265": 8})
    assert cup(s, "STAVKA") == 1
    assert s.parked == ()


@rule("2.5.3d")
def test_stavka_extra_loss_without_any_other(narva: Narva) -> None:
    s = stavka(narva, {"381": "2512", "151G": "2412"}, 5)
    do(s, "attack 2412", "resolve the attack")
    assert steps(s, "381") == 1
    assert s.place("381") == "2512"


@rule("2.5.3g")
def test_stavka_needs_no_command(narva: Narva) -> None:
    s = stavka(narva, TWO_FRONTS, last=["109 HQ"])
    assert s.used == (0, 0)
    assert s.last[1] == narva.unit("109 HQ")


# ---------------------------------------------------------------------- 2.5.4: Free Move


FREE: dict[str, Any] = {
    "109 HQ": "2513",
    "381": "2514",
    "456": "2413",
    "864": "2612",
    "4": "2512",
    "166": "2613",
    "308": "2411",
    "593": "2515",
    "695": "2611",
    "MOK": "2313",
    "2 SH HQ": "1111",
    "43 HQ": "2516",
}


@rule("2.5.4a")
def test_free_move_with_a_corps(narva: Narva) -> None:
    s = narva.position(turn=2, phase="command", draws=["FREE"], units=FREE)
    assert "109 HQ is activated to move (2.5.4a)" in log(do(s, "activate 109 HQ"))
    assert {"add 4", "add 166", "add 593", "add 695"} <= set(legal(s))
    do(s, "add 4", "add 166", "add 593")
    assert s.stage == "soviet.free_move"
    assert set(legal(s)) == {"move 109 HQ", "move 381", "move 864", "move 4", "move 166", "move 593", "end movement"}


@rule("2.5.4b")
def test_free_move_of_three_units(narva: Narva) -> None:
    s = narva.position(turn=2, phase="command", draws=["FREE"], units=FREE)
    do(s, "move three units")
    assert s.refuses("add 109 HQ", because="2.5.4b")
    assert s.refuses("back", because="2.5.4b")
    assert s.refuses("move 4", because="2.5.4b")  # first it is named
    do(s, "add 4", "add 166", "add 381")
    assert set(legal(s)) == {"move 4", "move 166", "move 381", "end movement"}


@rule("2.5.4c")
def test_free_move_keeps_out_of_enemy_zones(narva: Narva) -> None:
    """MOK in 2313 covers 2413 and 2412: 456 may not start, 381 may not enter."""
    s = narva.position(turn=2, phase="command", draws=["FREE"], units=FREE)
    do(s, "activate 109 HQ", "no more units")
    assert s.refuses("move 456", because="2.5.4c")
    do(s, "move 381")
    assert s.refuses("to 2413", because="2.5.4c")
    assert "to 2515" in set(legal(s))
    s = narva.position(turn=2, phase="command", draws=["FREE"], units=FREE)
    do(s, "move three units")
    assert s.refuses("add 456", because="2.5.4c")


@rule("2.5.4d")
def test_free_move_has_no_combat(narva: Narva) -> None:
    s = narva.position(turn=2, phase="command", draws=["FREE", "EVENT"], units={**FREE, "61F": "2416"}, dice=EVENT[4])
    do(s, "activate 109 HQ", "no more units", "end movement", "draw a chit")
    assert s.decision.kind == "replacements.Spend"


# ---------------------------------------------------------------------- 2.5.5-2.5.7: chits that wait

FIFTY_NINTH: dict[str, Any] = {"59 HQ": "2513", "6 HQ": "2514", "930": "2515", "220T": "2516", "381": "2517"}


@rule("2.5.5a", "2.5.5c")
def test_withdraw_59_army_waits_a_turn(narva: Narva) -> None:
    """Vector 6: the army stays usable through the next command phase."""
    s = narva.position(turn=7, phase="command", draws=["W59", "59A"], units=FIFTY_NINTH)
    assert (narva.chit_number["W59"], 8) in s.parked
    do(s, "draw a chit")
    assert "activate 6 HQ" in set(legal(s))
    s = narva.position(turn=8, phase="command", draws=["59A"], parked={"W59": 8}, units=FIFTY_NINTH)
    assert "activate 6 HQ" in set(legal(s))


@rule("2.5.5a", "3.0c")
def test_the_command_phase_goes_on_after_an_action_chit(narva: Narva) -> None:
    s = narva.position(turn=7, phase="command", draws=["FREE", "W59"], units=FIFTY_NINTH)
    assert s.stage == "free"
    do(s, "decline")
    assert (s.decision.kind, s.stage) == ("command.DrawChit", "command")
    told = [(event.sentence, event.rules) for event in s.do("draw a chit")]
    assert ("{word} waits on the turn track", ("2.5.5a",)) in told


@rule("2.5.5b")
def test_withdraw_59_army(narva: Narva) -> None:
    """HQs, corps and chits go; independent units stay (ruling 20)."""
    s = narva.position(
        turn=8,
        phase="soviet.reinforcement",
        parked={"W59": 8},
        cup={"59A": 2},
        drawn={"59A": 1},
        units=FIFTY_NINTH,
        due={"1265": 8},
    )
    assert [s.place(name) for name in ("59 HQ", "6 HQ", "930")] == [None, None, None]
    assert [s.place(name) for name in ("220T", "381")] == ["2516", "2517"]
    assert cup(s, "59A") == 0
    assert s.removed[narva.chit_number["59A"]] == 3
    s = narva.position(turn=7, phase="soviet.reinforcement", parked={"W59": 8}, units=FIFTY_NINTH, due={"1265": 7})
    assert s.place("930") == "2515"


@rule("2.5.6a", "2.5.6b", "2.5.6c")
def test_2nd_shock_out_of_supply(narva: Narva) -> None:
    """Vector 7: drawn on turn 8, the next 2nd Shock chit on turn 9 acts and leaves; the chit is back on turn 10."""
    units = {"2 SH HQ": "2513", "109 HQ": "2514", "11SS HQ": "3029"}
    s = narva.position(turn=8, phase="command", draws=["OOS", "3SS"], units=units)
    assert "2nd Shock Out of Supply waits for the next 2nd Shock Army chit (2.5.6a)" in log(s.events)
    assert s.waiting == 1
    assert (s.drawn[narva.chit_number["OOS"]], cup(s, "OOS")) == (0, 0)
    s = narva.position(turn=9, phase="command", draws=["2SH", "3SS"], waiting=True, units=units)
    assert "activate 109 HQ" in set(legal(s))
    assert s.waiting == 1
    events = do(s, "activate 109 HQ", "end movement")
    assert "A 2nd Shock Army chit leaves the game (2.5.6b)" in log(events)
    assert "Chit drawn: 3rd SS Corps (4.1.1a)" in log(events)
    assert s.waiting == 0
    number = narva.chit_number
    assert (s.drawn[number["2SH"]], s.removed[number["2SH"]]) == (0, 1)
    assert s.parked == ((number["OOS"], 10),)
    s = narva.position(turn=10, phase="soviet.reinforcement", parked={"OOS": 10}, due={"1265": 10})
    assert cup(s, "OOS") == 1


@rule("2.5.6a")
def test_a_surplus_2nd_shock_chit_does_not_serve(narva: Narva) -> None:
    s = narva.position(
        turn=9, phase="command", draws=["2SH", "3SS"], waiting=True, used={"soviet": 4}, units={"11SS HQ": "3029"}
    )
    assert s.waiting == 1
    assert s.side == "german"


DIVISION_214: dict[str, Any] = {"214 HQ": "0531", "355G": "0431", "367G": "0331", "151G": "0231"}


@rule("2.5.7a", "2.5.7c")
def test_withdraw_214_division_waits_a_turn(narva: Narva) -> None:
    s = narva.position(turn=8, phase="command", draws=["W214", "26"], units=DIVISION_214)
    assert (narva.chit_number["W214"], 9) in s.parked
    assert "Withdraw 214 Division waits on the turn track (2.5.7a)" in log(s.events)
    do(s, "draw a chit")
    assert "activate 214 HQ" in set(legal(s))
    s = narva.position(turn=9, phase="command", draws=["26"], parked={"W214": 9}, units=DIVISION_214)
    assert "activate 214 HQ" in set(legal(s))


@rule("2.5.7b")
def test_withdraw_214_division(narva: Narva) -> None:
    """Vector 8."""
    s = narva.position(turn=9, phase="german.reinforcement", parked={"W214": 9}, units=DIVISION_214, due={"409G": 9})
    assert [s.place(name) for name in ("214 HQ", "355G", "367G", "151G")] == [None, None, None, "0231"]
    s = narva.position(turn=8, phase="german.reinforcement", parked={"W214": 9}, units=DIVISION_214, due={"409G": 8})
    assert s.place("355G") == "0431"
