"""Chapter 13: how to win."""

from __future__ import annotations

import pytest

from counterblow.games.narva import victory
from counterblow.games.narva.game import Narva
from tests.helpers import do, rule
from tests.rules.narva.play import fight, move, points


@rule("13.1a")
@pytest.mark.parametrize("label", ["3030", "3029", "3028", "2930"])
def test_sudden_death(narva: Narva, label: str) -> None:
    s = narva.position(turn=4, phase="end", units={"381": label})
    assert s.result.winner == "soviet"
    assert s.result.level == "sudden death"
    assert s.result.rules == ("13.1a",)
    s = narva.position(turn=4, phase="end", units={"381": {"at": label, "supply": "out of supply"}}, cup={"3SS": 1})
    assert not s.over


@rule("13.1a")
def test_no_sudden_death_next_to_narva(narva: Narva) -> None:
    assert not narva.position(turn=4, phase="end", units={"381": "3031"}, cup={"3SS": 1}).over


@rule("13.1b")
def test_the_game_ends_after_turn_12(narva: Narva) -> None:
    s = narva.position(turn=12, phase="end")
    assert s.over
    assert s.result.level == "German massive"
    assert not narva.position(turn=11, phase="end", cup={"3SS": 1}).over


CONTROL = {
    15: ["0130"],
    16: ["0130", "0825"],
    25: ["0130", "0123"],
    26: ["0130", "0123", "0825"],
    35: ["0130", "0123", "0116"],
    36: ["0130", "0123", "0116", "0825"],
    45: ["0130", "0123", "0116", "0104"],
    46: ["0130", "0123", "0116", "0104", "0825"],
    55: ["0130", "0123", "0116", "0104", "3129", "3130", "3131", "0825"],
    56: ["0130", "0123", "0116", "0104", "3129", "3130", "3131", "0825", "0905"],
}


@rule("13.1.1b")
@pytest.mark.parametrize(
    ("score", "level"),
    [
        (15, "German massive"),
        (16, "German major"),
        (25, "German major"),
        (26, "German minor (historical result)"),
        (35, "German minor (historical result)"),
        (36, "Soviet minor"),
        (45, "Soviet minor"),
        (46, "Soviet major"),
        (55, "Soviet major"),
        (56, "Soviet massive"),
    ],
)
def test_victory_levels(narva: Narva, score: int, level: str) -> None:
    """Vector 29, and both ends of every level."""
    s = narva.position(turn=12, phase="end", control=dict.fromkeys(CONTROL[score], "soviet"))
    assert s.result.level == level
    assert s.result.winner == level.split()[0].lower()
    assert f" {score} " in s.result.reason
    assert [line.met for line in victory.standing(s).needs[1:]] == [score >= 36, score < 36]
    s = narva.position(
        turn=12, phase="end", control=dict.fromkeys(CONTROL[score], "soviet"), options={"edition": "2018"}
    )
    assert s.result.level == ("German historical" if 26 <= score <= 35 else level)


@rule("13.1.1a")
def test_control_goes_to_the_last_to_pass(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.movement", units={"220T": "1530"})
    move(s, "220T", "1430", "1329")
    assert points(s)["hills"] == 0
    s = narva.position(turn=2, phase="soviet.movement", units={"220T": "1630"})
    move(s, "220T", "1530", "1430")
    assert points(s)["hills"] == 2
    s = narva.position(
        turn=2, phase="german.movement", units={"PZ": "1630"}, control={"1530": "soviet", "1429": "soviet"}
    )
    move(s, "PZ", "1530", "1430")
    assert points(s)["hills"] == 2  # 1429 is left to them


@rule("13.1.1a")
def test_retreats_and_advances_take_control_too(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.combat", units={"220T": "1430", "381": "1430", "MOK": "1530"}, dice=(6,))
    fight(s, "1530", "220T", "381")  # 10 to 4: 2-1; D1r1
    while s.decision.kind != "advance.Advance":
        do(s, str(s.legal()[0]))
    do(s, "advance 381 by 1530")
    assert points(s)["hills"] == 2


@rule("13.1.1c")
def test_only_units_with_a_zone_take_control(narva: Narva) -> None:
    for unit in ("109 HQ", "1294SU"):
        s = narva.position(turn=2, phase="soviet.movement", units={unit: "1630"})
        do(s, f"move {unit}", "to 1530")
        assert points(s)["hills"] == 0
    s = narva.position(
        turn=2, phase="german.movement", units={"94S": {"at": "1630", "steps": 1}}, control={"1530": "soviet"}
    )
    do(s, "move 94S", "to 1530")
    assert points(s)["hills"] == 2
    s = narva.position(turn=2, phase="soviet.movement", units={"220T": "1530"}, control={"1530": "soviet"})
    move(s, "220T", "1731")
    assert points(s)["hills"] == 2


@rule("13.1.2a", "13.1.2b", "13.1.2c", "13.1.2d", "13.1.2e")
@pytest.mark.parametrize(
    ("label", "value"),
    [
        ("0130", 15),
        ("0123", 10),
        ("0116", 10),
        ("0104", 10),
        ("1429", 2),
        ("1530", 2),
        ("1629", 2),
        ("3129", 3),
        ("3130", 3),
        ("3131", 3),
        ("2337", 3),
        ("1820", 2),
        ("1727", 1),
        ("2633", 1),
    ],
)
def test_worth_of_hexes(narva: Narva, label: str, value: int) -> None:
    """Narva-Joesuu and Krivasoo score as villages besides their own value (ruling 58)."""
    s = narva.position(turn=5, control={label: "soviet"})
    assert sum(points(s).values()) == value


@rule("13.1.2e")
def test_villages_west_of_the_river(narva: Narva) -> None:
    west = narva.board.tagged("west_village")
    villages = {node for place in narva.board.places if place.kind == "village" for node in place.nodes}
    assert west == villages & narva.board.tagged("west_bank")
    s = narva.position(turn=5, control={narva.board.labels[node]: "soviet" for node in west})
    assert points(s)["village west of the Narva"] == 25


@rule("13.1.2f")
def test_rollbahn_points_by_occupation(narva: Narva) -> None:
    s = narva.position(turn=5, units={"381": "2430", "456": "2930", "109 HQ": "2330", "602": "3029", "MOK": "2530"})
    assert points(s)["rollbahn A to 2930"] == 4


@rule("13.1.2g")
def test_defence_points(narva: Narva) -> None:
    """Vector 35: markers 4 and 9 boxes down after the last repair."""
    s = narva.position(turn=12, phase="end", pd={"Nordland": 5, "Nederland": 9})
    do(s, "raise Nordland")
    assert s.over
    assert " 13 " in s.result.reason


@rule("13.1.2h")
def test_features_add(narva: Narva) -> None:
    """1530 is a hill and on the rollbahn; a unit there scores both."""
    s = narva.position(turn=5, units={"381": "1530"}, control={"1530": "soviet"})
    assert sum(points(s).values()) == 4


@rule("13.1a", "13.1.1b", "13.1.2b")
def test_how_it_stands(narva: Narva) -> None:
    """The panel tells what the check at the end of the turn would find, and what would change it."""
    hills = dict.fromkeys(("1429", "1530"), "soviet")
    s = narva.position(turn=4, units={"381": "3030", "MOK": "1629"}, control=hills)
    standing = s.view(None)["standing"]
    assert standing["turns_left"] == 9
    needs = {(line["side"], line["rule"]): line for line in standing["needs"]}
    assert needs["soviet", "13.1a"]["met"]
    assert set(needs["soviet", "13.1a"]["hexes"]) == {"3030", "3029", "3028", "2930"}
    assert not needs["soviet", "13.1.1b"]["met"]
    assert needs["german", "13.1.1b"]["met"]
    hill = next(line for line in standing["changes"] if line["rule"] == "13.1.2b")
    assert (hill["text"], hill["now"], len(hill["hexes"])) == ("Hills, 2 each", "2 of 3, 4 points", 3)
    level, missing = standing["changes"][0], 16 - sum(points(s).values())
    assert (level["text"], level["now"]) == ("Next level, German major: 16 points", f"{missing} more")


@rule("13.1b", "13.1.1b")
@pytest.mark.parametrize("score", CONTROL)
def test_the_verdict_now_is_the_result_at_the_end(narva: Narva, score: int) -> None:
    control = dict.fromkeys(CONTROL[score], "soviet")
    verdict = narva.position(turn=12, units={"MOK": "1629"}, control=control).view(None)["standing"]["verdict"]
    end = narva.position(turn=12, phase="end", control=control).result
    assert end is not None
    assert verdict == {"winner": end.winner, "level": end.level, "reason": end.reason, "rules": list(end.rules)}


def test_the_eliminated_lie_in_a_box(narva: Narva) -> None:
    view = narva.position(turn=4, units={"381": "3030"}, eliminated=["MOK"]).view("soviet")
    lost = {box["id"]: [unit["name"] for unit in box["units"]] for box in view["boxes"] if box["id"] in view["losses"]}
    assert lost == {"lost_german": ["MOK"], "lost_soviet": []}
