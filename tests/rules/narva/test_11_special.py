"""Chapter 11: headquarters, replacements, Prepared Defenses, the turn advance."""

from __future__ import annotations

from typing import Any

import pytest

from counterblow.games.narva.game import Narva
from counterblow.games.narva.state import ADRIFT
from tests.helpers import do, legal, rule
from tests.rules.narva.play import State, cup, every_throw, facts, fight, modifiers, moving, reach, steps

HARD: dict[str, Any] = {"381": "2512", "456": "2512", "220T": "2411"}


# ---------------------------------------------------------------------- 11.1


@rule("11.1.1")
def test_an_hq_retreats_with_its_stack(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.combat", units={**HARD, "61F": "2412", "227 HQ": "2412"}, dice=(3,))
    fight(s, "2412", "381", "456", "220T")  # Dr1
    do(s, "retreat 61F by 2313")
    assert s.place("227 HQ") == "2313"


@rule("11.1.1")
def test_an_hq_chooses_whom_it_follows(narva: Narva) -> None:
    units = {**HARD, "124T": "2411", "61F": "2412", "29P": "2412", "227 HQ": "2412"}
    s = narva.position(turn=2, phase="soviet.combat", units=units, dice=(4,))
    fight(s, "2412", "381", "456", "220T", "124T")  # 18 to 5: 3-1; Dr1
    do(s, "retreat 61F by 2413", "retreat 29P by 2313")
    assert set(legal(s)) == {"place at 2413", "place at 2313"}
    assert s.refuses("place at 2312", because="11.1.1")
    do(s, "place at 2413")
    assert s.place("227 HQ") == "2413"


@rule("11.1.3a", "3.0e")
def test_an_hq_that_found_no_place_looks_again_in_the_supply_phase(narva: Narva) -> None:
    """Ruling 49; five hexes from where it stood no longer count then."""
    s = narva.position(turn=5, phase="german.reinforcement", due={"2G": {"turn": 5, "entry": "A"}})
    s.fate[narva.unit("225 HQ")] = ADRIFT
    do(s, legal(s)[0], "stop")
    assert (s.decision.kind, s.side) == ("headquarters.Displace", "german")
    do(s, "place at 0130")
    assert s.place("225 HQ") == "0130"


@rule("11.1.1", "9.5a")
def test_an_hq_that_may_not_follow_finds_its_own_way(narva: Narva) -> None:
    """Ruling 48: the SS go back into a Prepared Defense hex, which is closed to the HQ of an army division (6.3.3)."""
    units = {"1/48": "3332", "227 HQ": "3332", "301": "3333", "328": "3333", "4": "3432"}
    s = narva.position(turn=2, phase="soviet.combat", units=units)
    with every_throw(narva, "D1r2"):
        fight(s, "3332", "301", "328", "4")  # in a village
    do(s, "retreat 1/48 by 3331")
    assert narva.ground.pd[narva.node("3331")] >= 0
    assert s.decision.prompt == "Choose the path by which 227 HQ retreats from Popovka (3332)."
    assert {narva.ground.pd[action.args[1][-1]] for action in s.legal()} == {-1}


@rule("11.1.3a", "11.1.3b")
def test_displacement_when_the_stack_dies(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.combat", units={"381": "2512", "MOK": "2412", "227 HQ": "2412"}, dice=(6,))
    fight(s, "2412", "381")
    assert s.place("MOK") is None
    assert (s.side, s.decision.kind) == ("german", "headquarters.Displace")
    assert s.refuses("place at 2416", because="11.1.3a")
    assert s.refuses("place at 0815", because="11.1.3a")  # no supply there
    do(s, "place at 2030")
    assert s.place("227 HQ") == "2030"


@rule("11.1.3b", "2.5.1m")
def test_displacement_by_a_barrage(narva: Narva) -> None:
    s = narva.position(
        turn=2, phase="command", draws=["BAR-S"], dice=(1, 6), units={"381": "2512", "MOK": "2412", "227 HQ": "2412"}
    )
    do(s, "barrage 2412")
    assert s.decision.kind == "headquarters.Displace"


@rule("11.1.3a")
def test_a_displaced_hq_keeps_out_of_zones(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.movement", units={"381": "2512", "227 HQ": "2412", "456": "0431"})
    do(s, "move 381", "to 2412")
    assert s.refuses("place at 0430", because="11.1.3a")
    assert "place at 0130" in set(legal(s))


@rule("11.1.3a")
def test_a_displaced_hq_leaves_its_pin_behind(narva: Narva) -> None:
    units = {"381": "2512", "227 HQ": {"at": "2412", "pinned": True}}
    s = narva.position(turn=2, phase="soviet.movement", units=units)
    do(s, "move 381", "to 2412", "place at 2030")
    assert not s.pin[narva.unit("227 HQ")]


@rule("11.1.3c")
def test_a_surrounded_hq_is_displaced_all_the_same(narva: Narva) -> None:
    ring = {"381": "2512", "456": "2413", "602": "2411", "864": "2312", "880": "2313", "891": "2513"}
    s = narva.position(turn=2, phase="soviet.movement", units={**ring, "227 HQ": "2412"})
    do(s, "move 381", "to 2412")
    assert s.decision.kind == "headquarters.Displace"
    assert "place at 2030" in set(legal(s))


def test_an_hq_without_a_place_waits(narva: Narva) -> None:
    """Ruling 49: every source is taken; once one is free the HQ comes back in the supply phase."""
    blocks = {"381": "0130", "456": "0123", "602": "0116", "864": "0104"}
    s = narva.position(turn=2, phase="soviet.movement", units={**blocks, "880": "2512", "227 HQ": "2412"})
    do(s, "move 880", "to 2412")
    assert s.fate[narva.unit("227 HQ")] == 4
    assert s.decision.kind == "movement.Leg"


@rule("11.1.4a")
def test_overruns_by_reinforcements_and_returning_units(narva: Narva) -> None:
    s = narva.position(turn=2, phase="german.reinforcement", units={"109 HQ": "0230"}, due={"154G": 2})
    do(s, "enter 154G at 0130", "to 0230")
    assert (s.side, s.decision.kind) == ("soviet", "headquarters.Displace")
    s = narva.position(
        turn=2,
        phase="command",
        draws=["EVENT"],
        dice=(1, 4),
        eliminated=["162G"],
        units={"61 HQ": "0430", "109 HQ": "0431"},
    )
    do(s, "return 162G at 0430", "to 0431")
    assert (s.side, s.decision.kind) == ("soviet", "headquarters.Displace")


@rule("11.1.4b")
def test_an_overrun_needs_the_movement_points(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.movement", units={"381": "2512", "227 HQ": "2407"})
    assert moving(s, "381").refuses("to 2407", because="6.1a")
    assert "to 2408" in reach(s, "381")


# ---------------------------------------------------------------------- 11.2


def replacing(narva: Narva, units: dict[str, Any], points: int = 1, **more: Any) -> State:
    dice = (1, 4) if points == 1 else (1, 3)
    return narva.position(turn=3, phase="command", draws=["EVENT"], dice=dice, units=units, due={"930": 3}, **more)


@rule("11.2a")
def test_only_germans_get_replacements(narva: Narva) -> None:
    s = replacing(narva, {"381": {"at": "2512", "steps": 1}, "61F": {"at": "0430", "steps": 1}})
    assert set(legal(s)) == {"rebuild 61F", "decline"}
    assert s.refuses("rebuild 381", because="11.2a")


@rule("11.2b", "11.2.2a")
def test_rebuilding_and_returning(narva: Narva) -> None:
    s = replacing(narva, {"61 HQ": "0430", "151G": {"at": "0531", "steps": 1}}, eliminated=["162G", "391G"])
    assert set(legal(s)) == {"rebuild 151G", "return 162G at 0430", "decline"}
    assert s.refuses("return 391G at 0430", because="11.2.2a")
    do(s, "return 162G at 0430")
    assert (s.place("162G"), steps(s, "162G")) == ("0430", 1)
    s = replacing(narva, {"151G": "0531"})
    assert s.refuses("rebuild 151G", because="11.2b")


@rule("11.2c", "11.2.1a")
def test_never_rebuilt(narva: Narva) -> None:
    s = replacing(narva, {"FHH HQ": "0430", "PZG": {"at": "0531", "steps": 1}}, eliminated=["MOK", "PZ"])
    assert set(legal(s)) == {"decline"}
    assert s.refuses("rebuild PZG", because="11.2c")
    assert s.refuses("return MOK at 0430", because="11.2c")
    assert s.refuses("return PZ at 0430", because="11.2c")


@rule("11.2.1b")
def test_not_back_to_full_strength_at_once(narva: Narva) -> None:
    s = replacing(narva, {"61 HQ": "0430"}, points=2, eliminated=["162G"])
    do(s, "return 162G at 0430", "stop")
    assert s.decision.kind == "replacements.Spend"
    assert s.refuses("rebuild 162G", because="11.2.1b")


@rule("11.2.2a")
def test_independent_units_return_with_any_hq(narva: Narva) -> None:
    s = replacing(narva, {"61 HQ": "0430", "227 HQ": "0531"}, eliminated=["GNES"])
    assert set(legal(s)) == {"return GNES at 0430", "return GNES at 0531", "decline"}


@rule("11.2.2b")
def test_returning_into_an_enemy_zone(narva: Narva) -> None:
    s = replacing(narva, {"61 HQ": "0430", "381": "0431"}, eliminated=["162G"])
    assert s.in_ezoc(narva.node("0430"), 0)
    assert "return 162G at 0430" in set(legal(s))


@rule("11.2.2c")
def test_a_returned_unit_moves_at_once(narva: Narva) -> None:
    s = replacing(narva, {"61 HQ": "0430"}, eliminated=["162G"])
    do(s, "return 162G at 0430")
    assert {"to 0431", "by road to 1530", "stop"} <= set(legal(s))
    assert s.refuses("by rail to 0429", because="6.5f")


@rule("11.2.2d")
def test_a_returned_unit_may_overstack_until_it_has_moved(narva: Narva) -> None:
    s = replacing(narva, {"61 HQ": "0430", "MOK": "0430", "29P": "0430"}, eliminated=["162G"])
    do(s, "return 162G at 0430")
    assert s.refuses("stop", because="7.0a")
    do(s, "to 0431", "stop")
    assert s.place("162G") == "0431"


@rule("11.2.3a")
def test_no_rebuilding_without_supply(narva: Narva) -> None:
    for status in ("out of supply", "isolated"):
        s = replacing(narva, {"151G": {"at": "0531", "steps": 1, "supply": status}})
        assert s.refuses("rebuild 151G", because="11.2.3a")


@rule("11.2.3b", "11.2.2a")
def test_no_return_to_an_unsupplied_hq(narva: Narva) -> None:
    s = replacing(narva, {"61 HQ": {"at": "0430", "supply": "out of supply"}}, eliminated=["162G"])
    assert s.refuses("return 162G at 0430", because="11.2.3b")
    s = replacing(narva, {"61 HQ": "0815"}, eliminated=["162G"])
    assert set(legal(s)) == {"decline"}


@rule("11.2.4")
def test_improving_the_defences(narva: Narva) -> None:
    s = replacing(narva, {}, pd={"Nordland": 5, "Nederland": 1}, points=2)
    do(s, "raise Nordland")
    assert s.pd == (3, 1)
    do(s, "raise Nederland")
    assert s.pd == (3, 0)
    s = replacing(narva, {}, pd={"Nordland": 5})
    assert s.refuses("raise Nederland", because="11.2.4")


# ---------------------------------------------------------------------- 11.3


@rule("11.3")
def test_two_groups_of_hexes(narva: Narva) -> None:
    nordland, nederland = narva.board.tagged("pd_nordland"), narva.board.tagged("pd_nederland")
    assert nordland
    assert nederland
    assert not nordland & nederland
    assert nordland | nederland <= narva.board.tagged("east_bank") & narva.board.tagged("bridgehead")


@rule("11.3.2")
@pytest.mark.parametrize(("down", "shift"), [(0, "-3"), (4, "-3"), (5, "-2"), (7, "-2"), (8, "-1"), (9, None)])
def test_the_defences_shift_left(narva: Narva, down: int, shift: str | None) -> None:
    """Vector 21, and every box of the track."""
    s = narva.position(
        turn=2,
        phase="soviet.combat",
        pd={"Nordland": down, "Nederland": 9},
        units={"HAME": "3227", "381": "3226", "456": "3226", "602": "3327", "220T": "3327"},
    )
    do(s, "attack 3227", "add 381", "add 456", "add 602", "add 220T")
    assert modifiers(s).get("11.3.2") == shift


@rule("11.3.2b")
def test_the_defences_do_not_help_soviets(narva: Narva) -> None:
    s = narva.position(turn=2, phase="german.combat", units={"381": "3227", "23": "3128", "KRUG": "3228"}, dice=(6,))
    do(s, "attack 3227", "add 23", "add KRUG")
    assert facts(s)["column"] == "3-2"
    do(s, "resolve the attack")  # Dr1
    assert s.place("381") != "3227" or s.decision.kind == "retreat.Retreat"
    assert s.pd == (0, 0)


PD_ATTACK: dict[str, Any] = {"1/48": "3331", "381": "3332", "456": "3332", "220T": "3431", "124T": "3431"}


@rule("11.3.3", "11.3.4a", "11.3.4b")
def test_the_track_absorbs_results(narva: Narva) -> None:
    """Vector 22: D2r2 with the marker in its first box: three boxes down, the unit unhurt."""
    s = narva.position(turn=2, phase="soviet.combat", units=PD_ATTACK)
    with every_throw(narva, "D2r2"):
        fight(s, "3331", "381", "456", "220T", "124T")
    assert s.pd == (0, 3)
    assert (steps(s, "1/48"), s.place("1/48")) == (2, "3331")


@rule("11.3.4c")
def test_the_rest_falls_on_the_units(narva: Narva) -> None:
    """Vector 23: D2r2 one box above zero: marker to zero, one step and one hex for the unit."""
    s = narva.position(turn=2, phase="soviet.combat", units=PD_ATTACK, pd={"Nederland": 8})
    with every_throw(narva, "D2r2"):
        fight(s, "3331", "381", "456", "220T", "124T")
    assert s.pd == (0, 9)
    assert steps(s, "1/48") == 1
    assert s.decision.kind == "retreat.Retreat" or s.place("1/48") != "3331"


@rule("11.3.4a")
def test_the_track_absorbs_barrages(narva: Narva) -> None:
    s = narva.position(
        turn=2, phase="command", draws=["BAR-S"], dice=(1, 6), units={"1/48": "3331", "381": "3332"}, due={"19": 2}
    )
    do(s, "barrage 3331")
    assert s.pd == (0, 1)
    assert steps(s, "1/48") == 2


@rule("11.3.4d")
def test_attacks_out_of_the_defences(narva: Narva) -> None:
    """A result on German attackers in a PD hex moves its marker; their first retreat hex is ignored."""
    s = narva.position(turn=2, phase="german.combat", units={"1/48": "3331", "381": "3332"}, dice=(2,))
    fight(s, "3332", "1/48")  # 3 to 4: 1-2; A1r1
    assert s.pd == (0, 1)
    assert (steps(s, "1/48"), s.place("1/48")) == (2, "3331")
    s = narva.position(
        turn=2, phase="german.combat", units={"1/48": "3331", "381": "3332"}, pd={"Nederland": 9}, dice=(2,)
    )
    fight(s, "3332", "1/48")
    assert (steps(s, "1/48"), s.place("1/48")) == (1, "3331")


@rule("11.3.5", "11.4b")
def test_end_of_turn_repair(narva: Narva) -> None:
    s = narva.position(turn=2, phase="end", pd={"Nordland": 2, "Nederland": 1}, cup={"3SS": 1})
    assert (s.side, set(legal(s))) == ("german", {"raise Nordland", "raise Nederland", "decline"})
    do(s, "raise Nordland")
    assert s.pd == (1, 1)
    assert s.turn == 3
    s = narva.position(turn=2, phase="end", pd={"Nordland": 2}, cup={"3SS": 1})
    assert s.refuses("raise Nederland", because="11.3.5")


@rule("11.4a")
def test_chits_go_back_into_the_cup(narva: Narva) -> None:
    s = narva.position(turn=2, phase="end", pd={"Nordland": 2}, drawn={"3SS": 2, "EVENT": 1}, removed={"WER": 2})
    assert (cup(s, "3SS"), cup(s, "EVENT"), cup(s, "WER")) == (2, 1, 0)
