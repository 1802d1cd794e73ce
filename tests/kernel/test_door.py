"""The one door: decision, legal, do, refusals, positions, values."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from counterblow import IllegalAction, PositionError, RecordError, UnreadableAction
from counterblow.lab.fuzz import play_checked
from tests.kernel.toy.game import Toy


def test_a_turn_is_played_through_the_door(toy: Toy) -> None:
    s = toy.start(seed=3)
    assert s.side == "blue"
    assert s.decision is not None
    assert s.decision.rules == ("1.1",)
    s.do("select Blue 3")
    events = s.do("move Blue 3 0303")
    assert s.place("Blue 3") == "0303"
    assert str(events[0]) == "Blue 3 moves to 0303 (1.1)"
    assert events[0].nodes == (toy.board.node("0303"),)


def test_an_offered_list_is_used_until_the_next_action(toy: Toy) -> None:
    s = toy.start(seed=1)
    step, legal = s.agenda[-1], s.legal()
    s.pop()
    s.offer(legal[:1], *step)
    assert s.legal() == legal[:1]
    assert s.copy().legal() == legal[:1]
    s.do(legal[0])
    assert s.legal() != legal[:1]


def test_a_refusal_cites_its_rule_and_changes_nothing(toy: Toy) -> None:
    s = toy.position(phase="blue.movement", units={"Blue 1": "0403", "Red 1": "0503"})
    s.do("select Blue 1")
    before = s.to_json()
    with pytest.raises(IllegalAction, match=r"an enemy unit is there \(rule 1.3\)") as refused:
        s.do("move Blue 1 0503")
    assert [c.rule for c in refused.value.citations] == ["1.3"]
    assert s.to_json() == before
    assert s.refuses("move Blue 1 0503", because="1.3")
    assert s.why_not("move Blue 1 0402") == []


def test_an_action_of_the_other_side_is_refused(toy: Toy) -> None:
    s = toy.start()
    [citation] = s.why_not("select Red 1")
    assert citation.rule == "1.1"
    assert "blue decides" in citation.text


def test_a_stale_action_is_refused(toy: Toy) -> None:
    s = toy.start()
    action = s.legal()[0]
    s.do(action)
    s.do("move Blue 1 0201")
    assert s.refuses(action, because="1.1")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("move Blu 1 0303", 'unknown unit "Blu 1 0303": did you mean "Blue'),
        ("move Blue 1 9999", "unknown hex"),
        ("fly Blue 1", 'unknown action "fly Blue 1"'),
        ("", "unknown action"),
    ],
)
def test_text_that_is_no_action_gets_a_clear_error(toy: Toy, text: str, complaint: str) -> None:
    with pytest.raises(UnreadableAction, match=complaint):
        toy.start().parse(text)


def test_after_the_end_every_action_is_refused(toy: Toy) -> None:
    s = toy.position(phase="blue.combat", units={"Blue 1": "0402", "Blue 2": "0502", "Red 2": "0503"}, dice=(6,))
    s.do("attack 0503")
    assert s.over
    assert s.result is not None
    assert s.result.winner == "blue"
    assert s.legal() == []
    assert s.why_not("end phase")[0] == ("3.1", "the game is over")


def test_a_forecast_is_exact_and_cites_modifiers(toy: Toy) -> None:
    s = toy.position(phase="blue.combat", units={"Blue 1": "0501", "Red 2": "0502"})
    forecast = s.forecast("attack 0502")
    assert forecast is not None
    assert [m.rule for m in forecast.modifiers] == ["2.2"]
    assert dict(forecast.facts)["column"] == "1:1"
    assert forecast.chance("DE") == Fraction(1, 6)
    with pytest.raises(IllegalAction):
        s.forecast("attack 0101")


def test_loaded_dice_come_first(toy: Toy) -> None:
    s = toy.position(phase="blue.combat", units={"Blue 1": "0501", "Red 2": "0502", "Red 1": "0101"}, dice=(6,))
    s.do("attack 0502")
    assert s.place("Red 2") == "Dead"


def test_the_log_tells_the_faces_thrown(toy: Toy) -> None:
    s = toy.position(phase="blue.combat", units={"Blue 1": "0501", "Red 2": "0502", "Red 1": "0101"}, dice=(6,))
    assert s.copy().do("attack 0502")[0].dice == (6,)
    s.roll()
    assert s.copy().thrown == ()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"units": {"Blue 9": "0101"}}, 'unknown unit "Blue 9": did you mean'),
        ({"units": {"Blue 1": "0909"}}, 'unknown hex or area "0909"'),
        ({"units": {"Blue 1": {"steps": 2}}}, '"Blue 1" needs "at"'),
        ({"units": {"Blue 1": {"at": "0101", "steps": 2}}}, 'unknown mark "steps"'),
        ({"phase": "blue.supply"}, 'unknown phase "blue.supply"'),
        ({"weather": "snow"}, 'unknown position field "weather"'),
        ({"options": {"fog": True}}, 'unknown option "fog"'),
        ({"options": {"secret": 3}}, "option secret should be one of False, True"),
        ({"scenario": "war"}, 'unknown scenario "war"'),
        ({"seed": "x"}, "seed should be a whole number"),
    ],
)
def test_a_position_that_cannot_be_says_why(toy: Toy, arguments: dict[str, object], complaint: str) -> None:
    with pytest.raises(PositionError, match=complaint):
        toy.position(**arguments)  # type: ignore[arg-type]


def test_a_state_is_a_value(toy: Toy) -> None:
    s = toy.start(seed=5)
    t = s.copy()
    assert s == t
    t.do(t.legal()[0])
    assert s != t
    assert toy.from_json(t.to_json()) == t


@pytest.mark.parametrize(
    ("field", "value", "complaint"),
    [
        ("turn", "x", '"turn" has the wrong type'),
        ("turn", None, '"turn" has the wrong type'),
        ("stacks", [[999, [0]]], '"stacks"'),
        ("stacks", [[1, [0]], [2, [0]]], '"stacks"'),
        ("agenda", [["dance"]], '"agenda".*no step of toy'),
        ("moved", ["x"], '"moved" cannot be read'),
        ("game", "chess", "\"game\" is 'chess'"),
        ("version", "0", '"version" of the rules'),
        ("options", 3, '"options"'),
    ],
)
def test_a_broken_state_names_the_field(toy: Toy, field: str, value: object, complaint: str) -> None:
    data = json.loads(toy.start().to_json())
    data[field] = value
    with pytest.raises(RecordError, match=complaint):
        toy.from_json(json.dumps(data))


def test_a_cut_off_state_is_refused(toy: Toy) -> None:
    with pytest.raises(RecordError, match="broken JSON"):
        toy.from_json(toy.start().to_json()[:40])


def test_a_missing_field_is_named(toy: Toy) -> None:
    data = json.loads(toy.start().to_json())
    del data["fought"]
    with pytest.raises(RecordError, match='"fought" is missing'):
        toy.from_json(json.dumps(data))


def test_zones_follow_the_units(toy: Toy) -> None:
    s = toy.position(units={"Blue 1": "0302"})
    node = toy.board.node
    assert s.zone[0][node("0301")] == 1
    assert s.zone[0][node("0402")] == 0  # across the river
    s.put(toy.unit("Blue 1"), node("0101"))
    assert s.zone[0][node("0301")] == 0
    assert sum(s.held[0]) == 1


def test_the_view_lists_choices_only_for_who_decides(toy: Toy) -> None:
    s = toy.start()
    assert s.view("blue")["legal"]
    assert s.view("red")["legal"] == []
    assert s.view(None)["legal"] == []
    assert s.view("red")["decision"]["prompt"] == "blue decides"
    assert "rng" not in json.dumps(s.view("blue"))


def test_the_units_chosen_so_far_are_told_only_to_who_decides(toy: Toy) -> None:
    s = toy.start()
    assert s.view("blue")["decision"]["chosen"] == ()
    s.do("select Blue 2")
    assert s.view("blue")["decision"]["chosen"] == (toy.unit("Blue 2"),)
    for other in ("red", None):
        assert not s.view(other)["decision"].get("chosen")


@pytest.mark.parametrize("seed", range(30))
def test_random_games_end_with_every_invariant(toy: Toy, seed: int) -> None:
    assert play_checked(toy, seed, check_every=3).actions > 4
