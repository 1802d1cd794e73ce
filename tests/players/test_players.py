"""Computer players: legal, repeatable, and blind to what their side cannot see."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import counterblow
from counterblow import CounterblowError, players
from counterblow.games.narvik.game import Narvik
from counterblow.kernel.state import State
from counterblow.players import Player
from tests.service.toy import TOY


def played(seed: int, blue: Player, red: Player, **options: Any) -> State:
    state = TOY.start(seed=seed, options=options)
    while not state.over:
        assert state.decider is not None
        state.do((blue, red)[state.decider].choose(state, state.decider))
    return state


def test_the_players_have_names_and_descriptions() -> None:
    assert players.names() == ("random", "plain", "officer", "general")
    assert [described["name"] for described in players.described()] == list(players.names())
    with pytest.raises(CounterblowError, match="plain"):
        players.make("plane")


@pytest.mark.parametrize("name", players.names())
@pytest.mark.parametrize("side", ["blue", True, 2, None, -1, 0.0])
def test_a_wrong_side_gets_an_error(name: str, side: Any) -> None:
    """The name of a side where its number is meant is no silent nonsense."""
    state = TOY.start(seed=3)
    for call in ("choose", "line", "rank"):
        with pytest.raises(CounterblowError, match=r"0 \(blue\), 1 \(red\)"):
            getattr(players.make(name), call)(state, side)


@pytest.mark.parametrize("name", players.names())
def test_who_does_not_decide_is_told_so(name: str) -> None:
    state = TOY.start(seed=3)
    with pytest.raises(CounterblowError, match="blue decides now"):
        players.make(name).choose(state, 1)
    over = played(1, players.make("random"), players.make("random"))
    with pytest.raises(CounterblowError, match="over"):
        players.make(name).choose(over, 0)


def test_a_player_is_made_with_a_whole_number_and_a_known_temperament() -> None:
    with pytest.raises(CounterblowError, match="whole number"):
        players.make("plain", "7")  # type: ignore[arg-type]
    with pytest.raises(CounterblowError, match="bold"):
        players.make("plain:brave")


@pytest.mark.parametrize(
    "budget", [{"nodes": "many"}, {"nodes": -1}, {"nodes": True}, {"seconds": "2"}, {"seconds": -1}]
)
def test_a_budget_is_a_number(budget: dict[str, Any]) -> None:
    (name,) = budget
    with pytest.raises(CounterblowError, match=f"a player's {name}"):
        players.make("general", 1, **budget)


def test_a_setting_has_its_name() -> None:
    with pytest.raises(CounterblowError, match='"node": did you mean "nodes"'):
        players.make("general", node=3)


def test_a_player_has_a_name() -> None:
    with pytest.raises(CounterblowError, match="not 3"):
        players.make(3)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", players.names())
def test_a_line_begins_with_the_choice_and_each_action_has_its_reason(name: str) -> None:
    state = TOY.start(seed=3)
    player = players.make(name, 4)
    line = player.line(state, 0)
    assert line[0] == players.make(name, 4).choose(state, 0)
    assert len(player.reasons) == len(line)
    assert all(player.reasons)
    assert player.reason == player.reasons[0]
    for action in line:
        assert state.decider == 0
        state.do(action)


@pytest.mark.parametrize("name", players.names())
def test_the_first_of_the_rank_is_the_choice(name: str) -> None:
    state = TOY.start(seed=3)
    ranked = players.make(name, 4).rank(state, 0, 2)
    assert 1 <= len(ranked) <= 2
    assert ranked[0].action == players.make(name, 4).choose(state, 0)
    assert [r.worth for r in ranked] == sorted((r.worth for r in ranked), reverse=True)
    assert all(r.reason for r in ranked)
    with pytest.raises(CounterblowError, match="whole number"):
        players.make(name).rank(state, 0, 0)


@pytest.mark.parametrize("name", players.names())
def test_giving_up_is_asked_of_a_state_and_a_side(name: str) -> None:
    state, player = TOY.start(seed=1), players.make(name)
    for wrong in ("blue", None, True, 7):
        with pytest.raises(CounterblowError, match="by its number"):
            player.resigns(state, wrong)  # type: ignore[arg-type]
    for ask in (player.choose, player.line, player.rank, player.resigns):
        with pytest.raises(CounterblowError, match="looks at a state"):
            ask(state.to_json(), 0)  # type: ignore[arg-type]
    assert not player.resigns(state, 1)  # whoever decides


@pytest.mark.parametrize(
    ("name", "more", "match"),
    [
        ("random:bold", {}, "has no temperament"),
        ("plain", {"temperament": "cautious"}, "has no temperament"),
        ("general:bold", {"temperament": "cautious"}, "which of them"),
        ("general", {"seconds": True}, "seconds"),
        ("general", {"progress": 3}, "function"),
        ("general", {"cancelled": True}, "function"),
    ],
)
def test_a_setting_that_means_nothing_gets_an_error(name: str, more: dict[str, Any], match: str) -> None:
    with pytest.raises(CounterblowError, match=match):
        players.make(name, 1, **more)


@pytest.mark.parametrize("name", players.names())
def test_the_same_seed_plays_the_same_game(name: str) -> None:
    ends = [played(5, players.make(name, 1), players.make(name, 2)).to_json() for _ in range(2)]
    assert ends[0] == ends[1]
    others = {played(5, players.make(name, seed), players.make("random", seed)).to_json() for seed in range(6)}
    assert len(others) > 1


@pytest.mark.parametrize("name", players.names())
def test_choosing_changes_nothing(name: str) -> None:
    state = TOY.start(seed=3)
    before = state.to_json()
    assert players.make(name).choose(state, 0) in state.legal()
    assert state.to_json() == before


def test_plain_beats_random() -> None:
    as_blue = [played(s, players.make("plain", s), players.make("random", s)).result for s in range(10)]
    as_red = [played(s, players.make("random", s), players.make("plain", s)).result for s in range(10)]
    assert sum(result is not None and result.winner == "blue" for result in as_blue) >= 8
    assert sum(result is not None and result.winner == "red" for result in as_red) >= 8


@pytest.mark.parametrize("name", players.names())
def test_a_player_never_peeks_at_the_dice(name: str) -> None:
    """With other dice to come, it chooses the same."""
    state = TOY.start(seed=1)
    for action in ("select Blue 1", "move Blue 1 0301", "select Blue 2", "move Blue 2 0302", "end phase", "end phase"):
        state.do(action)
    for _ in range(2):
        state.do("end phase")
    for action in ("select Blue 1", "move Blue 1 0402", "end phase"):
        state.do(action)
    choices = set()
    for rng in range(8):
        other = state.copy()
        other.rng = rng * 7919
        choices.add(players.make(name, 1).choose(other, 0))
    assert len(choices) == 1


def test_plain_does_not_see_through_the_fog() -> None:
    """Where hidden units are swapped, Red chooses the same."""
    data = json.loads(TOY.start(seed=1, options={"secret": True}).to_json())
    choices = set()
    for orders in ([3, 1, 4], [4, 3, 1]):
        state = TOY.from_json(json.dumps(data | {"orders": orders}))
        for _ in range(2):
            state.do("end phase")
        assert state.decider == 1
        choices.add(players.make("plain", 1).choose(state, 1))
    assert len(choices) == 1


def test_an_imagined_state_has_other_dice_and_other_secrets() -> None:
    state: Any = TOY.start(seed=1, options={"secret": True})
    state.dice = (6, 6)

    def orders(side: int, seed: int) -> tuple[int, ...]:
        copy: Any = players.imagine(state, side, seed)
        return tuple(copy.orders)

    assert len({orders(1, seed) for seed in range(20)}) > 1
    assert {orders(0, seed) for seed in range(5)} == {(3, 1, 4)}
    copy = players.imagine(state, 0, 99)
    assert copy.dice == ()
    assert copy.rng != state.rng
    assert tuple(state.orders) == (3, 1, 4)


def test_an_attack_is_seen_with_all_who_can_join_it() -> None:
    """One corps against a fresh army is hopeless, four together drive it back: plain gathers them."""
    game = counterblow.load("leningrad")
    units = {"I. Korps": "0712", "XXVI. Korps": "0711", "XXXVIII. Korps": "0611", "8. Army": "0612"}
    state = game.position(turn=3, phase="german.allocation", units=units)
    player = players.make("plain", 1)
    while state.phase == "german.allocation":
        state.do(player.choose(state, 0))
    assert state.battles, "nobody attacked"
    assert all(len(attackers) == 3 for _, attackers in state.battles)


def test_how_strong_a_player_is_stands_in_the_data_of_the_game(tmp_path: Path) -> None:
    for slug in counterblow.games():
        told = {player["name"]: player["text"] for player in players.described(counterblow.load(slug))}
        assert all(re.search(r"Won \d+ of \d+ games", told[name]) for name in ("officer", "general")), slug
    text = counterblow.load("narvik").data.text("judge.toml").replace("[strength]", '[strength]\ncolonel = "Won."')
    (tmp_path / "judge.toml").write_text(text, encoding="utf-8")
    with pytest.raises(CounterblowError, match='computer player "colonel"'):
        players.described(Narvik(tmp_path))
