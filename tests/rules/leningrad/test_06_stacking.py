"""Chapter 6: stacking."""

from __future__ import annotations

from tests.helpers import asked, at, legal, rule
from tests.rules.leningrad.play import Game, State, has, march


def ended(leningrad: Game, *units: str, side: str = "german", node: str = "0418") -> State:
    """A stack at the end of its owner's movement."""
    s: State = leningrad.position(
        phase=f"{side}.movement",
        units={**dict.fromkeys(units, node), **({"11. Army": "1806"} if side == "german" else {"I. Korps": "0319"})},
    )
    s.do("end movement")
    return s


def is_over_limit(s: State) -> bool:
    return asked(s) == "stacking.Excess"


@rule("6.1", "6.5", "6.6")
def test_v21_army_korps_and_panzer_division(leningrad: Game) -> None:
    assert not is_over_limit(ended(leningrad, "16. Armee", "X. Korps", "8. Panzer Division"))


@rule("6.4", "6.10")
def test_v22_panzer_group_and_panzer_korps(leningrad: Game) -> None:
    s = ended(leningrad, "4. Panzer Gruppe", "LVI. Panzer Korps")
    assert legal(s) == ["remove 4. Panzer Gruppe", "remove LVI. Panzer Korps"]
    s.do("remove LVI. Panzer Korps")
    assert has(s, "lost", "LVI. Panzer Korps")
    assert s.points == (0, 4)
    assert asked(s) == "combat.Allocate"


@rule("6.6")
def test_v23_three_panzer_units(leningrad: Game) -> None:
    s = ended(leningrad, "LVI. Panzer Korps", "6. Panzer Division", "8. Panzer Division")
    assert is_over_limit(s)
    assert not is_over_limit(ended(leningrad, "LVI. Panzer Korps", "6. Panzer Division", "I. Korps"))


@rule("6.1", "6.5")
def test_v24_three_korps(leningrad: Game) -> None:
    s = ended(leningrad, "I. Korps", "X. Korps", "XXVI. Korps")
    assert is_over_limit(s)
    assert s.decision is not None
    assert "(rule 6.1)" in s.decision.prompt
    assert not is_over_limit(ended(leningrad, "I. Korps", "X. Korps"))


@rule("6.1")
def test_two_of_corps_level_even_beside_a_division(leningrad: Game) -> None:
    s = ended(leningrad, "I. Korps", "X. Korps", "XXVI. Korps", "6. Panzer Division")
    assert is_over_limit(s)
    assert "remove 6. Panzer Division" not in legal(s)  # that would not help


@rule("6.2")
def test_one_army_or_panzer_group(leningrad: Game) -> None:
    assert is_over_limit(ended(leningrad, "16. Armee", "18. Armee"))
    assert is_over_limit(ended(leningrad, "16. Armee", "4. Panzer Gruppe"))


@rule("6.2", "6.3", "6.7")
def test_v25_the_novgorod_group_is_an_army(leningrad: Game) -> None:
    assert is_over_limit(ended(leningrad, "34. Army", "Novgorod Operational Group", side="russian", node="1806"))
    assert not is_over_limit(ended(leningrad, "34. Army", "Luga Operational Group", side="russian", node="1806"))


@rule("6.5")
def test_a_third_unit_only_with_a_panzer_division(leningrad: Game) -> None:
    assert not is_over_limit(ended(leningrad, "I. Korps", "6. Panzer Division", "8. Panzer Division"))
    s = ended(leningrad, "I. Korps", "X. Korps", "6. Panzer Division", "8. Panzer Division")
    assert is_over_limit(s)
    assert s.decision is not None
    assert "(rule 6.5)" in s.decision.prompt


@rule("6.7", "6.8")
def test_v26_the_russian_limit_and_the_free_stackers(leningrad: Game) -> None:
    free = ["RBBF Marines", "Armored Train 1", "Armored Train 2", "Red Banner Baltic Fleet"]
    s = ended(leningrad, "48. Army", "22. Corps", *free, side="russian", node="0904")
    assert not is_over_limit(s)
    s = ended(leningrad, "48. Army", "22. Corps", "16. Corps", *free, side="russian", node="0904")
    assert set(legal(s)) == {"remove 48. Army", "remove 22. Corps", "remove 16. Corps"}


@rule("6.7")
def test_the_tank_division_counts(leningrad: Game) -> None:
    assert is_over_limit(ended(leningrad, "22. Corps", "16. Corps", "21. Tank Division", side="russian", node="1806"))


@rule("6.9")
def test_v27_units_may_pass_through_a_full_hex(leningrad: Game) -> None:
    s = leningrad.position(
        phase="german.movement",
        units={"I. Korps": "0418", "X. Korps": "0418", "XXVI. Korps": "0419", "11. Army": "1806"},
    )
    march(s, "XXVI. Korps", "0517")  # by way of 0418
    s.do("end movement")
    assert asked(s) == "combat.Allocate"


@rule("6.9", "6.10")
def test_the_limit_is_enforced_at_the_end_of_movement(leningrad: Game) -> None:
    s = leningrad.position(
        phase="german.movement",
        units={"I. Korps": "0418", "X. Korps": "0418", "XXVI. Korps": "0419", "11. Army": "1806"},
    )
    march(s, "XXVI. Korps", "0418")
    assert asked(s) == "sequence.Operations"
    s.do("end movement")
    assert asked(s) == "stacking.Excess"
    assert s.side == "german"


@rule("6.11")
def test_a_stack_over_the_limit_is_left_alone_until_its_owner_has_moved(leningrad: Game) -> None:
    units = ("I. Korps", "X. Korps", "XXVI. Korps")
    s = leningrad.position(
        phase="german.allocation", units={**dict.fromkeys(units, "0418"), "L. Korps": "0419", "11. Army": "1806"}
    )
    s.do("end attacks")
    assert all(s.place(unit) == "0418" for unit in units)
    declined = s.copy()
    declined.do("end movement")  # nobody moves: there is no blitzkrieg, and so no test
    assert asked(declined) == "combat.Allocate"
    assert all(at(declined, unit) == "0418" for unit in units)
    march(s, "L. Korps", "0319")
    assert s.decision is not None
    assert "0418 is overstacked" in s.decision.prompt  # a word of warning
    s.do("end movement")  # the blitzkrieg has an operational movement step of its own
    assert asked(s) == "stacking.Excess"
    s = leningrad.position(phase="russian.movement", units={**dict.fromkeys(units, "0418"), "11. Army": "1806"})
    s.do("end movement")  # the enemy's movement does not matter
    assert all(s.place(unit) == "0418" for unit in units)
