"""Sections 9.0-9.4: attacks, odds, results, step losses."""

from __future__ import annotations

from fractions import Fraction

import pytest

from counterblow.games.narva.game import Narva
from tests.helpers import asked, do, legal, log, rule
from tests.rules.narva.play import attack, every_throw, facts, fight, modifiers, steps


@rule("9.0a")
def test_activated_units_attack_adjacent_enemies(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.combat", units={"381": "2512", "MOK": "2412", "29P": "2410"})
    assert set(legal(s)) == {"attack 2412", "end combat"}
    assert s.refuses("attack 2410", because="9.0a")
    do(s, "attack 2412")
    assert legal(s) == ["add 381"]


@rule("9.0b")
def test_empty_hexes_and_lone_hqs_are_no_targets(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.combat", units={"381": "2512", "FHH HQ": "2412", "MOK": "2513"})
    assert s.refuses("attack 2412", because="9.0b")
    assert s.refuses("attack 2511", because="9.0b")


@rule("9.0c")
def test_attacks_are_voluntary(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.combat", units={"381": "2512", "MOK": "2412"})
    before = s.to_json()
    do(s, "attack 2412", "add 381", "back")
    assert s.to_json() == before  # calling off costs nothing and ends nothing
    do(s, "end combat")
    assert asked(s) != "combat.DeclareAttack"
    assert steps(s, "381") == 2


@rule("9.0c")
def test_an_attack_is_called_off_without_a_trace(narva: Narva) -> None:
    """Ruling 41: the hex stays open."""
    s = narva.position(
        turn=2, phase="soviet.combat", dice=(1,), units={"381": "2512", "456": "2512", "MOK": "2412", "29P": "2513"}
    )
    do(s, "attack 2412", "add 381", "add 456", "without 381", "back")
    fight(s, "2412", "381")
    assert "attack 2513" in legal(s)


@rule("9.0a")
def test_only_adjacent_units_join(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.combat", units={"381": "2512", "456": "2514", "MOK": "2412"})
    do(s, "attack 2412")
    assert [c.rule for c in s.why_not("add 456")] == ["9.0a"]
    assert [c.rule for c in s.why_not("add 602")] == ["9.0a"]  # not on the map
    assert [c.rule for c in s.why_not("add MOK")] == ["9.0a"]
    assert [c.rule for c in s.why_not("without 456")] == ["9.2.1a"]


# ---------------------------------------------------------------------- 9.1


@rule("9.1a")
def test_separate_odds_lines(narva: Narva) -> None:
    """Four to one is column 6 for the Soviets and column 7 for the Germans."""
    s = narva.position(turn=2, phase="soviet.combat", units={"381": "2512", "456": "2512", "MOK": "2412"})
    attack(s, "2412", "381", "456")
    assert facts(s)["column"] == "4-1"
    soviet = {outcome.result for outcome in s.forecast("resolve the attack").outcomes}
    s = narva.position(turn=2, phase="german.combat", units={"162G": "2512", "176G": "2512", "1294SU": "2412"})
    attack(s, "2412", "162G", "176G")
    assert facts(s)["column"] == "4-1"
    german = {outcome.result for outcome in s.forecast("resolve the attack").outcomes}
    table = narva.table
    assert (table.column(1, 8, 2), table.column(0, 8, 2)) == (6, 7)
    assert soviet == {row[5].text + " A1" * row[5].red for row in table.rows}
    assert german == {row[6].text for row in table.rows}


@rule("9.1b")
def test_the_defender_goes_first(narva: Narva) -> None:
    """D1r1 with a red loss: 61F is reduced and retreats before the Soviets choose their loss."""
    s = narva.position(turn=2, phase="soviet.combat", units={"381": "2512", "456": "2512", "61F": "2412"}, dice=(6,))
    fight(s, "2412", "381", "456")  # 8 to 3: 2-1
    assert (s.side, s.decision.kind) == ("german", "retreat.Retreat")
    assert steps(s, "61F") == 1
    assert steps(s, "381") + steps(s, "456") == 4
    do(s, str(s.legal()[0]))
    assert set(legal(s)) == {"step loss on 381", "step loss on 456"}


@rule("9.1c")
def test_red_losses_hit_attacking_soviets_only(narva: Narva) -> None:
    """Column 2-1, die 6: D1r1 and a red A1."""
    s = narva.position(turn=2, phase="soviet.combat", units={"381": "2512", "MOK": "2412"}, dice=(6,))
    fight(s, "2412", "381")
    assert steps(s, "381") == 1
    s = narva.position(turn=2, phase="german.combat", units={"162G": "2512", "1294SU": "2412"}, dice=(6,))
    fight(s, "2412", "162G")
    assert steps(s, "162G") == 2
    assert s.place("1294SU") is None


@rule("9.1d")
@pytest.mark.parametrize(
    ("die", "defender", "attacker"), [(1, (2, "2412"), (1, "2512")), (3, (2, "2412"), (2, "2512"))]
)
def test_result_codes(narva: Narva, die: int, defender: tuple[int, str], attacker: tuple[int, str]) -> None:
    """Column 2-1: A1 costs the attacker a step, NR nothing."""
    s = narva.position(turn=2, phase="soviet.combat", units={"220T": "2512", "61F": "2412"}, dice=(die,))
    fight(s, "2412", "220T")
    assert (steps(s, "61F"), s.place("61F")) == defender
    assert (steps(s, "220T"), s.place("220T")) == attacker


@rule("9.1d")
def test_d1r2(narva: Narva) -> None:
    """Vector 16: the defender loses a step and retreats two hexes."""
    s = narva.position(turn=2, phase="soviet.combat", units={"220T": "2512", "381": "2512", "61F": "2412"})
    with every_throw(narva, "D1r2"):
        fight(s, "2412", "220T", "381")
        assert steps(s, "61F") == 1
        do(s, str(s.legal()[0]))
    assert narva.distance(narva.node("2412"), narva.node(s.place("61F") or "")) == 2


# ---------------------------------------------------------------------- 9.2


@rule("9.2.1a")
def test_units_from_all_sides_attack_together(narva: Narva) -> None:
    ring = {"381": "2512", "456": "2413", "602": "2411", "864": "2312", "880": "2313", "891": "2513"}
    s = narva.position(turn=2, phase="soviet.combat", units={**ring, "151G": "2412"})
    attack(s, "2412", *ring)
    assert facts(s)["attack"] == "24"


@rule("9.2.1b")
def test_split_stacks_and_one_attack_each(narva: Narva) -> None:
    s = narva.position(
        turn=2, phase="soviet.combat", dice=(1, 1), units={"381": "2512", "456": "2512", "MOK": "2412", "29P": "2513"}
    )
    fight(s, "2412", "381")
    assert set(legal(s)) == {"attack 2412", "attack 2513", "end combat"}
    do(s, "attack 2513")
    assert s.refuses("add 381", because="9.2.1b")
    do(s, "add 456", "resolve the attack")
    assert legal(s) == ["end combat"]


@rule("9.2.1b")
def test_those_of_earlier_attacks_stay_out_of_a_third(narva: Narva) -> None:
    units = {"381": "2512", "456": "2512", "864": "2512", "MOK": "2412", "29P": "2513"}
    s = narva.position(turn=2, phase="soviet.combat", dice=(1, 1), units=units)
    fight(s, "2412", "381")
    fight(s, "2513", "456")
    do(s, "attack 2412")
    assert s.refuses("add 381", because="9.2.1b")
    assert s.refuses("add 456", because="9.2.1b")
    assert "add 864" in legal(s)


@rule("9.2.1b")
def test_the_dead_are_activated_no_longer(narva: Narva) -> None:
    """381 moves up, attacks and is lost: nothing is left of what it did, whatever happens to its counter later."""
    s = narva.position(
        turn=2,
        phase="soviet.movement",
        units={"381": {"at": "2612", "steps": 1}, "456": "2512", "MOK": "2412"},
        dice=(1,),
    )
    do(s, "move 381", "to 2512", "end movement")
    fight(s, "2412", "381")
    assert s.place("381") is None
    assert not s.activated >> narva.unit("381") & 1


@rule("9.2.2")
def test_the_whole_stack_defends(narva: Narva) -> None:
    s = narva.position(
        turn=2,
        phase="soviet.combat",
        units={"381": "2512", "456": "2512", "MOK": "2412", "151G": "2412", "FHH HQ": "2412"},
    )
    attack(s, "2412", "381", "456")
    assert facts(s)["defence"] == "7"


@rule("9.2.3")
def test_zero_strength_units_may_join(narva: Narva) -> None:
    """SCHN (attack 0) joins 151G, takes the second loss, and may advance."""
    s = narva.position(turn=2, phase="german.combat", units={"151G": "2512", "SCHN": "2512", "381": "2412"}, dice=(1,))
    attack(s, "2412", "151G", "SCHN")
    assert facts(s)["attack"] == "4"
    do(s, "resolve the attack")  # 1-1, die 1: A2
    assert steps(s, "151G") == 1
    assert "step loss on SCHN" in set(legal(s))
    s = narva.position(turn=2, phase="german.combat", units={"PZ": "2512", "SCHN": "2512", "1294SU": "2412"}, dice=(6,))
    fight(s, "2412", "PZ", "SCHN")
    assert "advance SCHN by 2412" in set(legal(s))


@rule("9.2.3b")
def test_zero_strength_units_do_not_attack_alone(narva: Narva) -> None:
    s = narva.position(turn=2, phase="german.combat", units={"SCHN": "2512", "381": "2412", "MOK": "2411"})
    do(s, "attack 2412", "add SCHN")
    assert s.refuses("resolve the attack", because="9.2.3b")
    s = narva.position(
        turn=2, phase="german.combat", units={"SCHN": "2512", "381": "2412", "PZ": "2209", "456": "2210"}
    )
    assert s.refuses("attack 2412", because="9.2.3b")


# ---------------------------------------------------------------------- 9.3


@rule("9.3a")
@pytest.mark.parametrize(
    ("side", "attack_strength", "defence", "column"),
    [
        (1, 4, 9, 0),
        (1, 4, 12, 0),
        (1, 4, 16, -1),
        (1, 4, 8, 1),
        (1, 5, 5, 2),
        (1, 7, 5, 2),
        (1, 8, 5, 3),
        (1, 10, 5, 4),
        (1, 15, 5, 5),
        (1, 40, 5, 8),
        (1, 99, 5, 8),
        (0, 5, 2, 5),
        (0, 25, 5, 8),
        (0, 1, 3, 0),
        (0, 1, 2, 1),
    ],
)
def test_ratios_and_columns(narva: Narva, side: int, attack_strength: int, defence: int, column: int) -> None:
    """Ruling 40: the lower heading; below 1-2 a ratio of 1-n counts as column 3 - n."""
    assert narva.table.column(side, attack_strength, defence) == column


@rule("9.3b", "9.3f", "2.2.8c")
def test_swamp_doubles_before_supply_halves(narva: Narva) -> None:
    """Vector 34: defence 5 x 2 / 2 = 5; attack 4 over a bridge and 3 over open ground: 2 + 3 = 5."""
    s = narva.position(
        turn=2,
        phase="soviet.combat",
        units={"162G": {"at": "2022", "supply": "out of supply"}, "381": "2021", "1294SU": "2023"},
    )
    attack(s, "2022", "381", "1294SU")
    assert (facts(s)["attack"], facts(s)["defence"], facts(s)["column"]) == ("5", "5", "1-1")
    assert modifiers(s)["9.3b"] == "2"


@rule("9.3b", "9.3c")
def test_hills_double_once(narva: Narva) -> None:
    """Vector 17: a hill in a swamp only doubles; terrain holds one doubling."""
    s = narva.position(turn=2, phase="soviet.combat", units={"61F": "1429", "381": "1428", "456": "1428"})
    attack(s, "1429", "381", "456")
    assert facts(s)["defence"] == "6"
    from counterblow.games.narva.terrain import worst

    mixed = worst(narva.ground.chart, "hill and swamp")
    assert mixed.doubles is True
    assert (mixed.infantry, mixed.mech) == (2, 4)


@rule("9.3d", "9.3e")
def test_rivers_halve_attacks(narva: Narva) -> None:
    for home, target, strength in (
        ("2614", "2715", "2"),
        ("1206", "1107", "2"),
        ("2725", "2726", "2"),
        ("2512", "2412", "4"),
    ):
        s = narva.position(turn=2, phase="soviet.combat", units={"381": home, "MOK": target})
        attack(s, target, "381")
        assert facts(s)["attack"] == strength


@rule("9.3f", "10.3.1")
def test_no_supply_halves_attack_and_defence(narva: Narva) -> None:
    for status in ("out of supply", "isolated"):
        s = narva.position(
            turn=2,
            phase="soviet.combat",
            units={"381": {"at": "2512", "supply": status}, "456": "2512", "151G": {"at": "2412", "supply": status}},
        )
        attack(s, "2412", "381", "456")
        assert (facts(s)["attack"], facts(s)["defence"]) == ("6", "2")


@rule("9.3g")
def test_villages_give_no_shift(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.combat", units={"381": "2719", "61F": "2718"})
    attack(s, "2718", "381")
    assert facts(s)["column"] == "1-1"
    assert not set(modifiers(s)) & {"9.3.1a", "9.3g"}
    assert any("first retreat hex is ignored" in note for note in s.forecast("resolve the attack").notes)


@rule("9.3.1a")
def test_woods_shift_left(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.combat", units={"381": "2306", "MOK": "2305"})
    attack(s, "2305", "381")
    assert facts(s)["column"] == "3-2"
    assert modifiers(s)["9.3.1a"] == "-1"


@rule("9.3.1c", "12.1a")
def test_aircraft_shift_right(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.combat", units={"381": "2512", "MOK": "2412"})
    attack(s, "2412", "381")
    do(s, "normal air attack by 13A-1", "full air attack by 13A-2")
    assert facts(s)["column"] == "6-1"


@rule("9.3.1d", "11.3.2")
def test_all_shifts_add_up(narva: Narva) -> None:
    """Vector 32: 12 to 4 in a Nordland hex is column 5; -3 for the defences, +1 pinned, +2 by air: column 5."""
    s = narva.position(
        turn=2,
        phase="soviet.combat",
        units={"HAME": {"at": "3227", "pinned": True}, "381": "3226", "456": "3226", "602": "3327"},
    )
    attack(s, "3227", "381", "456", "602")
    do(s, "full air attack by 13A-1")
    assert (facts(s)["attack"], facts(s)["defence"], facts(s)["column"]) == ("12", "4", "3-1")


@rule("9.3.3a", "9.3.3d")
def test_below_the_table(narva: Narva) -> None:
    """Vector 33: 4 to 9 is column 0; an air unit lifts it to 1-2, without it the attack is refused."""
    s = narva.position(turn=2, phase="soviet.combat", units={"381": "2512", "162G": "2412", "391G": "2412"})
    attack(s, "2412", "381")
    assert s.refuses("resolve the attack", because="9.3.3a")
    do(s, "normal air attack by 13A-1")
    assert facts(s)["column"] == "1-2"
    s = narva.position(turn=2, phase="soviet.combat", units={"381": "2306", "162G": "2305", "61F": "2305"})
    attack(s, "2305", "381")  # 1-2, one to the left
    assert s.refuses("resolve the attack", because="9.3.3a")


@rule("9.3.3b", "9.3.3d")
def test_above_the_table(narva: Narva) -> None:
    s = narva.position(
        turn=2,
        phase="soviet.combat",
        units={"381": "2512", "456": "2512", "602": "2411", "220T": "2411", "MOK": "2412"},
    )
    attack(s, "2412", "381", "456", "602", "220T")  # 18 to 2
    do(s, "full air attack by 13A-1")
    assert facts(s)["column"] == "8-1"


@rule("9.3.3c")
def test_zero_defence(narva: Narva) -> None:
    """Vector 25: a defence of 1, halved, is 0: the highest column, whatever the shifts."""
    s = narva.position(
        turn=2,
        phase="soviet.combat",
        units={"161Pio": {"at": "2305", "steps": 1, "supply": "out of supply"}, "1294SU": "2306"},
    )
    attack(s, "2305", "1294SU")
    assert (facts(s)["defence"], facts(s)["column"]) == ("0", "8-1")


def test_forecast_is_exact(narva: Narva) -> None:
    """The chances are those of the table: every die is tried."""
    units = {"381": "2512", "61F": "2412"}
    s = narva.position(turn=2, phase="soviet.combat", units=units)
    forecast = attack(s, "2412", "381").forecast("resolve the attack")
    assert sum(outcome.chance for outcome in forecast.outcomes) == 1
    seen: dict[str, int] = {}
    for die in range(1, 7):
        s = narva.position(turn=2, phase="soviet.combat", units=units, dice=(die,))
        told = log(fight(s, "2412", "381"))
        result = next(line for line in told if f"die {die}: " in line).split(f"die {die}: ")[1].rpartition(" (")[0]
        seen[result] = seen.get(result, 0) + 1
    assert {o.result: o.chance for o in forecast.outcomes} == {result: Fraction(n, 6) for result, n in seen.items()}


# ---------------------------------------------------------------------- 9.4


@rule("9.4a")
def test_losing_steps(narva: Narva) -> None:
    s = narva.position(turn=2, phase="german.combat", units={"151G": "2512", "381": "2412"}, dice=(3,))
    fight(s, "2412", "151G")  # A1
    assert steps(s, "151G") == 1
    s = narva.position(
        turn=2,
        phase="german.combat",
        units={"151G": {"at": "2512", "steps": 1}, "MOK": "2512", "381": "2412"},
        dice=(3,),
    )
    fight(s, "2412", "151G", "MOK")
    assert s.place("151G") is None
    assert s.fate[narva.unit("151G")] == 2


@rule("9.4b")
def test_hqs_absorb_no_losses(narva: Narva) -> None:
    s = narva.position(
        turn=2, phase="soviet.combat", units={"381": "2512", "109 HQ": "2512", "162G": "2412"}, dice=(1,)
    )
    do(s, "attack 2412")
    assert s.refuses("add 109 HQ", because="9.4b")
    do(s, "add 381", "resolve the attack")
    assert s.place("381") is None  # A2r1: both steps are its own
    assert s.decision.kind == "headquarters.Displace"


@rule("9.4.1a")
def test_the_strongest_loses_first(narva: Narva) -> None:
    """Attackers by attack strength, defenders by defence strength, as printed on the side showing."""
    s = narva.position(
        turn=2, phase="soviet.combat", units={"220T": "2512", "381": "2512", "162G": "2412", "391G": "2412"}, dice=(2,)
    )
    fight(s, "2412", "220T", "381")  # 1-1: A1r1
    assert (steps(s, "220T"), steps(s, "381")) == (1, 2)
    s = narva.position(
        turn=2,
        phase="soviet.combat",
        dice=(6,),
        units={
            "220T": "2512",
            "381": "2512",
            "456": "2411",
            "602": "2411",
            "PZ": "2412",
            "162G": {"at": "2412", "steps": 1},
        },
    )
    fight(s, "2412", "220T", "381", "456", "602")  # 18 to 7: 2-1; D1r1
    assert (steps(s, "PZ"), steps(s, "162G")) == (1, 1)


@rule("9.4.1b")
def test_the_owner_chooses_among_equals(narva: Narva) -> None:
    s = narva.position(
        turn=2, phase="soviet.combat", units={"381": "2512", "456": "2512", "1294SU": "2512", "162G": "2412"}, dice=(2,)
    )
    fight(s, "2412", "381", "456", "1294SU")  # 11 to 5: 2-1; A1
    assert set(legal(s)) == {"step loss on 381", "step loss on 456"}
    assert s.refuses("step loss on 1294SU", because="9.4.1a")


@rule("9.4.2")
def test_further_losses_as_the_owner_likes(narva: Narva) -> None:
    s = narva.position(
        turn=2, phase="soviet.combat", units={"220T": "2512", "381": "2512", "162G": "2412", "391G": "2412"}, dice=(1,)
    )
    fight(s, "2412", "220T", "381")  # 10 to 10: 1-1; A2
    assert set(legal(s)) == {"step loss on 220T", "step loss on 381"}
    do(s, "step loss on 220T")
    assert s.place("220T") is None
    assert steps(s, "381") == 2


@rule("9.4.3")
def test_single_step_units_die_at_once(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.combat", units={"381": "2512", "MOK": "2412"}, dice=(6,))
    fight(s, "2412", "381")
    assert s.place("MOK") is None


@rule("9.4.4")
def test_a_city_saves_the_first_step(narva: Narva) -> None:
    """D2r2 in Narva costs one step; D1 none. Attackers out of a city are spared their first step too."""
    units = {"23": "2930", "381": "2830", "456": "2830", "220T": "2829", "124T": "2829"}
    s = narva.position(turn=2, phase="soviet.combat", units=units, dice=(4,))
    fight(s, "2930", "381", "456", "220T", "124T")  # 18 to 5: 3-1; die 4: Dr1
    assert steps(s, "23") == 2
    s = narva.position(turn=2, phase="soviet.combat", units=units, dice=(6,))
    fight(s, "2930", "381", "456", "220T", "124T")  # D1r2
    assert steps(s, "23") == 2
    s = narva.position(turn=2, phase="german.combat", units={"23": "2930", "381": "2830"}, dice=(3,))
    fight(s, "2830", "23")  # 1-1: A1
    assert steps(s, "23") == 2
    s = narva.position(turn=2, phase="german.combat", units={"23": "2930", "381": "2830"}, dice=(1,))
    fight(s, "2830", "23")  # A2
    assert steps(s, "23") == 1


RETREAT_SAVED = "the first retreat hex is ignored (9.5.6a)"


@rule("9.4.4", "9.5.6a", "11.3.4a")
@pytest.mark.parametrize(
    ("target", "home", "said"),
    [
        (
            "3127",
            "3026",
            (RETREAT_SAVED, "the Nordland defences absorb results (11.3.4a)"),
        ),
        (
            "3330",
            "3331",
            (RETREAT_SAVED, "the Nederland defences absorb results (11.3.4a)"),
        ),
        ("2633", "2634", (RETREAT_SAVED,)),
        ("3029", "3130", ("a city: the first loss is ignored (9.4.4)", RETREAT_SAVED)),
        ("2412", "2512", ()),
    ],
)
def test_what_saves_the_defender_is_told_before_the_die(
    narva: Narva, target: str, home: str, said: tuple[str, ...]
) -> None:
    units = {"54Pio": {"at": target, "steps": 1}, "381": home, "456": home}
    s = narva.position(turn=9, phase="soviet.combat", units=units, pd={"Nordland": 2, "Nederland": 2})
    do(s, f"attack {target}", "add 381", "add 456")
    assert s.forecast("resolve the attack").notes == said
