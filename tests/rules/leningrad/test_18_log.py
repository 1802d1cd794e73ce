"""The log reads as a report: places by name, the way of a march, why a battle stood as it did, who holds what now."""

from __future__ import annotations

from tests.helpers import log, rule
from tests.rules.leningrad.play import Game, duel, fight, march


def labels(game: Game, nodes: tuple[int, ...]) -> list[str]:
    return [game.board.labels[node] for node in nodes]


@rule("12.5")
def test_a_march_tells_its_way_and_what_it_took(leningrad: Game) -> None:
    s = leningrad.position(phase="german.movement", units={"8. Panzer Division": "0717", "22. Corps": "1216"})
    events = march(s, "8. Panzer Division", "0917")
    assert log(events) == [
        "8. Panzer Division marches to 0917",
        "The Germans take Dno (0817) (12.5)",
    ]
    assert labels(leningrad, events[0].path) == ["0717", "0817", "0917"]
    s.do("end movement")
    assert not [event for event in s.events if event.kind == "control"]


@rule("12.1")
def test_an_edge_hex_changes_hands_too(leningrad: Game) -> None:
    s = leningrad.position(phase="german.movement", units={"8. Panzer Division": "0618"})
    assert log(march(s, "8. Panzer Division", "0619"))[1:] == ["The Germans take 0619 (12.1)"]


def test_a_unit_led_through_a_place_tells_the_way_so_far(leningrad: Game) -> None:
    s = leningrad.position(phase="german.movement", units={"8. Panzer Division": "0717"})
    s.do("march 8. Panzer Division")
    events = s.do("lead 8. Panzer Division through 0817")
    assert log(events) == ["8. Panzer Division passes through Dno (0817)", "The Germans take Dno (0817) (12.5)"]
    assert labels(leningrad, events[0].path) == ["0717", "0817"]


def test_a_battle_tells_its_shifts_and_result_and_the_walks_after_it_their_steps(leningrad: Game) -> None:
    units = {"16. Armee": "0717", "22. Corps": {"at": "0817", "disrupted": True}}
    s = leningrad.position(phase="german.allocation", units=units, dice=(1,))
    events = fight(s, "0817", "16. Armee")
    battle = next(event for event in events if event.kind == "battle")
    shifts = "half the defence or more is Disrupted +1, the whole attack crosses a river -1"
    assert battle.text == f"16. Armee attacks Dno (0817): 5 to 1, 5:1, {shifts}, row 1: DE (2.5, 2.13, 2.14, 3.1)"
    assert battle.values["result"] == "DE"
    events = s.do("advance 16. Armee 0817")
    assert labels(leningrad, events[0].path) == ["0717", "0817"]
    assert log(events) == ["16. Armee advances to Dno (0817) (5.9)", "The Germans take Dno (0817) (12.5)"]


def test_a_retreat_tells_its_steps(leningrad: Game) -> None:
    s = duel(leningrad, 3, 2, die=4)  # 3:2: D
    s.do("fight 1018")
    step = s.legal()[0]
    assert step.kind == "retreat"
    events = s.do(step)
    assert labels(leningrad, events[0].path) == ["1018", str(step)[-4:]]


def test_questions_name_places(leningrad: Game) -> None:
    units = {"16. Armee": "0717", "22. Corps": "0817"}
    s = leningrad.position(phase="german.allocation", units=units)
    s.do("attack 0817")
    assert s.decision is not None
    assert s.decision.prompt == "Which units attack Dno (0817)?"
    forecast = s.forecast("with 16. Armee")
    assert forecast is not None
    assert forecast.title == "16. Armee against Dno (0817)"
