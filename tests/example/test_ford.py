"""The example of the guide: a game written by docs/writing-a-game.md alone does all that the four games do."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from rich.console import Console

import counterblow
from counterblow import DataError, Match, RecordError, State, atlas, players
from counterblow.kernel.record import read_record, replay
from counterblow.lab.fuzz import play_checked
from counterblow.learn.check import check as check_lesson
from counterblow.learn.guide import guide
from counterblow.players.judging import judge_of
from counterblow.service import models
from counterblow.service.app import create_app
from counterblow.service.engine import Settings
from counterblow.textplay import TextPlay
from tests.example.ford import GAME
from tests.helpers import at, do, legal, log, refused
from tests.rules.index import cited
from tests.service.conftest import thinking_thread
from tests.service.seats import begin

FORD = GAME()
FOLDER = Path(__file__).parent / "ford"


def battle(dice: tuple[int, ...], **units: str) -> State:
    """1st and 2nd Battalion, 8 points, against 24th Battalion, 2 points, in the open."""
    stands = {"1st Battalion": "0604", "2nd Battalion": "0604", "24th Battalion": "0705"}
    state: State = FORD.position(phase="blue.combat", units={**stands, **units}, dice=dice)
    return state


# ------------------------------------------------------------------ its rules


def test_it_is_an_example_and_no_game_for_players() -> None:
    assert "ford" not in counterblow.games()


def test_every_rule_stands_beside_its_code() -> None:
    assert [rule for rule in FORD.rules if rule not in cited(FOLDER, FORD.rules)] == []


def test_its_map_has_no_slips() -> None:
    assert atlas.check(FORD.board) == []


def test_a_unit_moves() -> None:
    s = FORD.start()
    assert log(do(s, "move 1st Motor Battalion", "to 0403")) == ["1st Motor Battalion moves to 0403 (2.1)"]
    assert at(s, "1st Motor Battalion") == "0403"
    do(s, "move 2nd Battalion", "back")
    assert "move 2nd Battalion" in legal(s)


@pytest.mark.parametrize(
    ("chosen", "action", "rule"),
    [
        ((), "move Reserve", "1.1"),
        ((), "move 5th Battalion", "2.1"),  # lost
        (("move 1st Battalion", "to 0305"), "move 1st Battalion", "2.1"),
        (("move 1st Battalion",), "to 0807", "2.2"),  # the lake
        (("move 1st Battalion",), "to 0701", "2.2"),  # too far
        (("move 1st Battalion",), "to 0504", "2.3"),
        (("move 2nd Battalion",), "to 0603", "2.4"),  # 21st Battalion holds the bridge
        (("move 4th Battalion",), "to 0304", "2.5"),
        ((), "attack 0504", "2.1"),  # another phase: the rule of this one
    ],
)
def test_what_the_rules_forbid_in_movement(chosen: tuple[str, ...], action: str, rule: str) -> None:
    units = {"1st Battalion": "0304", "3rd Battalion": "0304", "2nd Battalion": "0403", "4th Battalion": "0303",
             "21st Battalion": "0504", "22nd Battalion": "0502", "Reserve": "0704"}  # fmt: skip
    s = FORD.position(units=units)
    do(s, *chosen)
    assert refused(s, action, because=rule)


@pytest.mark.parametrize(
    ("chosen", "action", "rule"),
    [
        ((), "attack 0604", "3.1"),
        ((), "attack 0901", "3.1"),
        ((), "attack 0703", "3.2"),  # 3 to 7
        (("attack 0705",), "with 24th Battalion", "1.1"),
        (("attack 0705",), "with 5th Battalion", "3.1"),
        (("attack 0705", "with 1st Battalion"), "with 1st Battalion", "3.1"),
        (("attack 0705", "with 1st Battalion", "commit"), "attack 0705", "3.1"),
    ],
)
def test_what_the_rules_forbid_in_combat(chosen: tuple[str, ...], action: str, rule: str) -> None:
    units = {"1st Battalion": "0604", "5th Battalion": "0603", "24th Battalion": "0705", "Reserve": "0703",
             "23rd Battalion": "0703", "22nd Battalion": "0901"}  # fmt: skip
    s = FORD.position(phase="blue.combat", units=units, dice=(1,))
    do(s, *chosen)
    assert refused(s, action, because=rule)


def test_out_of_its_time_an_action_is_refused_by_its_own_rule() -> None:
    s = FORD.start()
    (reason,) = s.why_not("retreat 24th Battalion 0605")
    assert reason == ("3.5", "no battle makes a unit retreat; now: Move a unit, or end movement")
    assert refused(s, "stand fast", because="3.6")


def test_an_attack_is_foretold_exactly() -> None:
    s = battle(dice=(5,))
    do(s, "attack 0705", "with everybody")
    forecast = s.forecast("commit")
    assert forecast is not None
    assert forecast.facts == (("attack", "8"), ("defence", "2"), ("column", "4:1"))
    assert {o.result: o.chance for o in forecast.outcomes} == {"DR": Fraction(1, 2), "DE": Fraction(1, 2)}
    told = log(do(s, "commit"))
    assert told[0] == "1st Battalion + 2nd Battalion attack 0705: 4:1, die 5: DE (3.2, 3.4)"
    assert s.result is not None
    assert s.result.level == "annihilation"


def test_everybody_may_join_though_it_is_only_one() -> None:
    s = FORD.position(phase="blue.combat", units={"1st Battalion": "0604", "24th Battalion": "0705"})
    do(s, "attack 0705", "with everybody")
    assert refused(s, "with everybody", because="3.1")
    assert legal(s) == ["commit"]


def test_the_ground_helps_the_defender() -> None:
    s = FORD.position(phase="blue.combat", units={"1st Battalion": "0405", "24th Battalion": "0505"})
    do(s, "attack 0505", "with 1st Battalion")
    forecast = s.forecast("commit")
    assert forecast is not None
    assert [str(m) for m in forecast.modifiers] == ["-1 over the river (3.3)"]
    assert forecast.facts[-1] == ("column", "1:1")


def test_retreat_and_advance() -> None:
    s = battle(dice=(1,), Reserve="0904")
    do(s, "attack 0705", "with everybody", "commit")
    assert s.side == "red"
    assert refused(s, "retreat 24th Battalion 0605", because="3.5")  # next to Blue
    assert refused(s, "retreat Reserve 0803", because="3.5")
    do(s, "retreat 24th Battalion 0805")
    assert refused(s, "advance 3rd Battalion", because="3.6")
    do(s, "advance 2nd Battalion")
    assert (at(s, "24th Battalion"), at(s, "2nd Battalion")) == ("0805", "0705")


def test_an_attack_may_cost_a_unit_of_the_owners_choice() -> None:
    s = FORD.position(phase="blue.combat", dice=(1,),
                      units={"1st Battalion": "0604", "4th Battalion": "0604", "Reserve": "0705"})  # fmt: skip
    do(s, "attack 0705", "with everybody", "commit")
    assert legal(s) == ["lose 1st Battalion", "lose 4th Battalion"]
    assert refused(s, "lose Reserve", because="3.4")
    do(s, "lose 4th Battalion")
    assert at(s, "4th Battalion") is None


def test_who_is_cut_off_is_lost() -> None:
    units = {"1st Battalion": "0704", "2nd Battalion": "0104", "21st Battalion": "0504", "Reserve": "0904"}
    s = FORD.position(phase="blue.combat", units=units)
    assert "1st Battalion is lost at 0704 (4.1)" in log(do(s, "end combat"))


@pytest.mark.parametrize(("town", "winner"), [("1st Motor Battalion", "blue"), ("Reserve", "red")])
def test_the_town_decides(town: str, winner: str) -> None:
    units = {"1st Motor Battalion": "0504", "2nd Battalion": "0304", "Reserve": "0803", town: "0704"}
    s = FORD.position(turn=6, phase="red.combat", units=units)
    do(s, "end combat")
    assert s.result is not None
    assert (s.result.winner, s.result.rules) == (winner, ("5.1",))


# ------------------------------------------------------------------ what it gets for nothing


@pytest.mark.parametrize("seed", range(10))
def test_random_games_keep_every_invariant(seed: int) -> None:
    assert play_checked(FORD, seed).result


def test_a_record_replays_and_a_false_one_does_not(tmp_path: Path) -> None:
    match = Match(FORD, "battle", 5)
    while not match.state.over:
        match.do(match.state.legal()[-1])
    match.save(tmp_path / "game.json")
    record = read_record(tmp_path / "game.json")
    assert replay(FORD, record).state == match.state
    with pytest.raises(RecordError):
        replay(FORD, {**record, "actions": record["actions"][:-1]})


def test_a_result_that_is_weighed_wrongly_is_named(tmp_path: Path) -> None:
    text = (FOLDER / "data" / "judge.toml").read_text(encoding="utf-8")
    (tmp_path / "judge.toml").write_text(text.replace("DE = [1.0, 1.0, 0.0]", "DE = [1.0]"), encoding="utf-8")
    with pytest.raises(DataError, match=r"judge.toml: results.DE: should be \[hurt, ground, loss\]"):
        judge_of(GAME(tmp_path))


@pytest.mark.parametrize("name", ["plain", "officer", "general"])
def test_the_computer_plays_it(name: str) -> None:
    computer, opponent = players.make(name, 1, nodes=300), players.make("random", 2)
    s = FORD.start(seed=3)
    while not s.over:
        player = computer if s.decider == 0 else opponent
        assert s.decider is not None
        s.do(player.choose(s, s.decider))
    assert s.result is not None
    assert s.result.winner == "blue"


def test_its_lesson_is_in_order_and_its_guide_is_read() -> None:
    (lesson,) = FORD.lessons
    checked = check_lesson(lesson)
    assert checked.problems == []
    assert {"2.3", "3.1"} <= checked.rules
    assert guide(FORD).hint("blue.movement", "blue") is not None


def test_it_is_played_in_a_terminal() -> None:
    out = Console(record=True, width=160)
    play = TextPlay(Match(FORD, "battle", 1), None, out)
    moves = ("board", "move 1st Battalion", "why to 0504", "to 0403", "end movement")
    for line in (*moves, "attack 0504", "with everybody", "odds commit"):
        play.obey(line)
    told = out.export_text()
    assert "an enemy unit is there (rule 2.3)" in told
    assert "1st Battalion moves to 0403" in told
    assert "%" in told


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    settings = Settings(data_dir=tmp_path, load=lambda slug: FORD, slugs=lambda: ("ford",), thinker=thinking_thread)
    with TestClient(create_app(settings)) as client:
        yield client


def test_it_is_played_in_a_browser(client: TestClient) -> None:
    game = models.GameModel.model_validate(client.get("/api/games/ford").json())
    assert client.get(game.map.url).status_code == 200
    seats = begin(client, game="ford", seed=1)
    state = models.MatchState.model_validate(seats.look("blue"))
    assert state.view.turn_label == "4 May, turn 1 of 6"
    seats.do("blue", "move 1st Battalion", "to 0403", "end movement", "end combat")
    assert seats.look("red")["decider"] == "red"
    assert seats.act("red", "move 1st Battalion").status_code == 422
