"""Chapter 10: supply and isolation."""

from __future__ import annotations

from typing import Any

import pytest

from counterblow.games.narva.game import Narva
from tests.helpers import do, rule
from tests.rules.narva.play import State, attack, facts, reach, supply


def judged(narva: Narva, units: dict[str, Any], turn: int = 2) -> State:
    """A position just after its supply phase."""
    s = narva.position(turn=turn, phase="supply", units=units, pd={"Nordland": 1})
    assert s.decision.kind == "defences.Repair"
    return s


LOST: dict[str, Any] = {"MOK": "0815", "381": "0818"}  # both in the middle of the Puhatu swamp


@rule("10.0a", "10.0b")
def test_out_of_supply_then_isolated(narva: Narva) -> None:
    s = judged(narva, LOST)
    assert supply(s, "MOK") == supply(s, "381") == "out of supply"
    s = judged(narva, {"MOK": {"at": "0815", "supply": "out of supply"}})
    assert supply(s, "MOK") == "isolated"


@rule("2.1.3a", "10.0b")
def test_in_fog_the_order_of_the_supply_phase_tells_no_names(narva: Narva) -> None:
    """Two units change places: who cannot see them is told the same."""

    def told(**units: str) -> list[str]:
        s = narva.position(turn=2, phase="supply", units=units, pd={"Nordland": 1}, options={"fog": True})
        return [text for text in (str(event.seen_by(1)) for event in s.events) if "out of supply" in text]

    one, other = told(MOK="0815", PZ="0818"), told(MOK="0818", PZ="0815")
    assert len(one) == 2
    assert one == other


@rule("10.0c")
def test_isolated_units_suffer_nothing_more(narva: Narva) -> None:
    s = judged(narva, {"MOK": {"at": "0815", "supply": "isolated"}})
    assert supply(s, "MOK") == "isolated"
    assert s.place("MOK") == "0815"


@rule("10.0d")
def test_recovery(narva: Narva) -> None:
    for status in ("out of supply", "isolated"):
        assert supply(judged(narva, {"MOK": {"at": "0430", "supply": status}}), "MOK") == "supplied"


@rule("10.0e")
def test_nobody_is_out_of_supply_before_the_first_check(narva: Narva) -> None:
    s: State = narva.start()
    assert not any(s.supply)
    from counterblow.games.narva.supply import LINES

    untraced = [u for side in (0, 1) for u in s.out(side) if not LINES.reaches(s, u)]
    assert untraced


@rule("10.1a", "10.2b")
@pytest.mark.parametrize(
    ("label", "status"),
    [
        ("0130", "supplied"),
        ("2030", "supplied"),
        ("0531", "supplied"),
        ("1429", "supplied"),
        ("0815", "out of supply"),
        ("2029", "supplied"),
        ("2330", "supplied"),
        ("1920", "supplied"),
    ],
)
def test_german_lines(narva: Narva, label: str, status: str) -> None:
    """Road, hill and clear hexes of any length; a unit in woods next to them is reached too."""
    assert supply(judged(narva, {"MOK": label}), "MOK") == status


@rule("10.1a")
def test_enemies_block_the_line(narva: Narva) -> None:
    """Soviet units on the rollbahn, the coast road and the railway cut PZ off; without them it is supplied."""
    ring: dict[str, Any] = {
        "1294SU": "2130",
        "109 HQ": "2131",
        "43 HQ": "2029",
        "1902SU": "1930",
        "122 HQ": "1931",
        "806SU": "2031",
    }
    assert supply(judged(narva, {"PZ": "2030", **ring}), "PZ") == "out of supply"
    del ring["1902SU"]
    assert supply(judged(narva, {"PZ": "2030", **ring}), "PZ") == "supplied"


@rule("10.1b")
def test_friends_open_woods_and_swamp(narva: Narva) -> None:
    """A chain of units through the swamp: each opens its hex."""
    assert supply(judged(narva, {"MOK": "2024"}), "MOK") == "supplied"  # next to the winter trail
    assert supply(judged(narva, {"MOK": "2024"}, turn=9), "MOK") == "out of supply"
    lone = judged(narva, {"MOK": "0818"}, turn=9)
    assert supply(lone, "MOK") == "out of supply"
    linked = judged(narva, {"MOK": "0818", "29P": "0819", "30P": "0820", "31P": "0821"}, turn=9)
    assert supply(linked, "MOK") == "supplied"


@rule("10.1.1a")
def test_no_line_over_an_unbridged_major_river(narva: Narva) -> None:
    """Even frozen. 2725 is clear and next to German 2726; its own side of the river is Soviet ground."""
    from counterblow.games.narva.terrain import Season

    for frozen in (0, 1):
        season: Season = narva.ground.frost[frozen]
        for pair, allowed in (
            (("2725", "2726"), 0),
            (("3029", "3130"), 1),
            (("1820", "1921"), 1),
            (("2422", "2423"), 1),
        ):
            step = narva.board.step_of[narva.node(pair[0]), narva.node(pair[1])]
            assert season.supply.allowed[step] == allowed
    trail = narva.board.step_of[narva.node("2021"), narva.node("2022")]
    assert [narva.ground.frost[frozen].supply.allowed[trail] for frozen in (0, 1)] == [0, 1]


@rule("10.1.1a", "10.1.1b")
def test_ferries_carry_supply(narva: Narva) -> None:
    """A Soviet regiment across the Narva: next to the Karoli ferry it is supplied, opposite the bare river not."""
    wall: dict[str, Any] = {"29P": "1109", "30P": "1005", "31P": "1007"}
    assert supply(judged(narva, {"163": "1107", **wall}), "163") == "supplied"
    far: dict[str, Any] = {"163": "1313", "29P": "1315", "30P": "1112", "31P": "1212", "32P": "1414"}
    assert supply(judged(narva, {**far, "MOK": "1311"}), "163") == "out of supply"


@rule("10.1.2")
def test_status_lasts_until_the_next_check(narva: Narva) -> None:
    s = narva.position(
        turn=2, phase="german.movement", units={"MOK": {"at": "0531", "supply": "out of supply"}, "29P": "0431"}
    )
    do(s, "move MOK", "to 0430", "stop")
    assert supply(s, "MOK") == "out of supply"
    s = narva.position(turn=2, phase="german.movement", units={"MOK": "0816", "29P": "0431"})
    do(s, "move MOK", "to 0815")
    assert supply(s, "MOK") == "supplied"


@rule("10.2a")
def test_soviet_sources(narva: Narva) -> None:
    assert supply(judged(narva, {"381": "2501"}), "381") == "supplied"
    assert supply(judged(narva, {"381": "3630"}), "381") == "supplied"
    assert supply(judged(narva, {"381": "2501", "MOK": "2502", "29P": "2402"}), "381") == "supplied"
    s = judged(narva, {"381": "2518", "MOK": "2501"})
    assert supply(s, "381") == "supplied"  # other sources remain


@rule("10.2b")
def test_german_units_do_not_use_soviet_sources(narva: Narva) -> None:
    wall: dict[str, Any] = {"381": "2502", "456": "2601", "602": "2401"}
    assert supply(judged(narva, {"MOK": "2501", **wall}), "MOK") == "out of supply"


NARVA: dict[str, Any] = {"23": "3029", "1/48": "3330", "PZ": "2330"}


@rule("10.2.1a")
def test_a_soviet_unit_on_the_rollbahn_cuts_off_narva(narva: Narva) -> None:
    """Any Soviet unit, even an HQ; Narva and the bridgehead are out of supply whatever other ways there are."""
    s = judged(narva, {**NARVA, "109 HQ": "0631"})
    assert [supply(s, name) for name in ("23", "1/48", "PZ")] == ["out of supply", "out of supply", "supplied"]
    s = judged(narva, {**NARVA, "109 HQ": "0632"})
    assert [supply(s, name) for name in ("23", "1/48", "PZ")] == ["supplied", "supplied", "supplied"]


@rule("10.2.1a")
def test_soviets_in_the_bridgehead_have_their_own_supply(narva: Narva) -> None:
    s = judged(narva, {"381": "3330", "109 HQ": "0631"})
    assert supply(s, "381") == "supplied"


@rule("10.2.1b")
def test_narva_is_never_isolated(narva: Narva) -> None:
    s = judged(
        narva,
        {
            "23": {"at": "3029", "supply": "out of supply"},
            "PZ": {"at": "0815", "supply": "out of supply"},
            "109 HQ": "0631",
        },
    )
    assert supply(s, "23") == "out of supply"
    assert supply(s, "PZ") == "isolated"


@rule("10.3.1", "10.3.2")
def test_effects(narva: Narva) -> None:
    for status, allowance in (("supplied", 5), ("out of supply", 5), ("isolated", 2)):
        s = narva.position(
            turn=2, phase="german.movement", units={"162G": {"at": "2512", "supply": status}, "381": "2507"}
        )
        do(s, "move 162G")
        assert s.agenda[-1][3] == allowance
    s = narva.position(turn=2, phase="german.movement", units={"162G": {"at": "2512", "supply": "isolated"}})
    assert "to 2514" in reach(s, "162G")
    assert "to 2515" not in reach(s, "162G")


@rule("10.3.2")
def test_isolation_halves_strengths(narva: Narva) -> None:
    s = narva.position(
        turn=2,
        phase="soviet.combat",
        units={
            "381": {"at": "2512", "supply": "isolated"},
            "456": {"at": "2512", "supply": "isolated"},
            "PZ": {"at": "2412", "supply": "isolated"},
        },
    )
    attack(s, "2412", "381", "456")
    assert (facts(s)["attack"], facts(s)["defence"]) == ("4", "2")
