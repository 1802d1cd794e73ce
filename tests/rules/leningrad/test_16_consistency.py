"""Refusals and what is kept between actions, looked at in the middle of random games: both must be exact."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from counterblow import Action, DataError, IllegalAction, PositionError
from counterblow.games.leningrad import combat, movement, supply
from tests.helpers import asked, do
from tests.rules.leningrad.play import Game, State


def moments(
    leningrad: Game, kind: str, games: int = 3, most: int = 40, options: dict[str, bool] | None = None
) -> Iterator[State]:
    """States of random games in which a kind of decision is due."""
    for seed in range(games):
        chooser = random.Random(seed)
        s = leningrad.start(seed=seed, options=options)
        assert isinstance(s, State)
        found = 0
        while not s.over and found < most:
            assert s.decision is not None
            if s.decision.kind == kind and chooser.random() < 0.3:
                found += 1
                yield s.copy()
            s.do(chooser.choice(s.legal()))


def check(s: State, actions: list[Action]) -> None:
    legal = set(s.legal())
    before = s.to_json()
    for action in actions:
        reasons = s.why_not(action)
        if action in legal:
            assert reasons == []
            continue
        if not reasons:  # to stay where it is takes the choice back
            s.copy().do(action)
            continue
        assert all(reason.rule in s.game.rules for reason in reasons), reasons
        with pytest.raises(IllegalAction) as caught:
            s.do(action)
        assert caught.value.citations == reasons
    assert s.to_json() == before


@pytest.mark.parametrize("kind", ["movement.Route", "rail.Entrain", "rail.RunTrain"])
def test_every_hex_is_offered_or_refused_by_rule(leningrad: Game, kind: str) -> None:
    for s in moments(leningrad, kind, most=8):
        check(s, [leningrad.act["to"][node] for node in range(leningrad.board.hexes)])


UNIT_WORDS = {
    "sequence.Operations": ("march", "entrain", "run", "bomb with"),
    "terrain.Entrench": ("entrench",),
    "combat.Assault": ("with",),
    "reinforcements.Reinforce": ("bring on", "buy", "replace"),
}


@pytest.mark.parametrize("kind", UNIT_WORDS)
def test_every_unit_is_offered_or_refused_by_rule(leningrad: Game, kind: str) -> None:
    words = UNIT_WORDS[kind]
    for s in moments(leningrad, kind, most=12):
        check(s, [leningrad.act[word][unit] for word in words for unit in range(len(leningrad.unit_names))])


def test_every_target_is_offered_or_refused_by_rule(leningrad: Game) -> None:
    for s in moments(leningrad, "combat.Allocate", most=12):
        check(s, [leningrad.act["attack"][node] for node in range(leningrad.board.hexes)])


@pytest.mark.parametrize("silent", [False, True])
def test_every_enemy_within_reach_is_a_possible_target(leningrad: Game, silent: bool) -> None:
    options = {"leningrad_silent": silent, "panzer_corps_zoc": silent}
    for s in moments(leningrad, "combat.Allocate", games=6, most=30, options=options):
        side = s.mover
        ready = combat.may_attack(s, side) & leningrad.counters.ground[side]
        near = {
            node
            for node in range(leningrad.board.hexes)
            if s.held[1 - side][node] and node not in combat.attacked_hexes(s) and combat.next_to(s, ready, (node,))
        }
        strong = {node for node in near if combat.strong_enough(s, (node,), combat.next_to(s, ready, (node,)))}
        assert combat.possible_targets(s, side) == sorted(strong)


def test_a_unit_that_may_march_has_somewhere_to_go(leningrad: Game) -> None:
    for s in moments(leningrad, "sequence.Operations", games=4):
        side = s.mover
        for unit in s.take_from(movement.ready_to_move(s, side)):
            found = movement.destinations(s, unit, 0)
            assert bool(found) == movement.can_march(s, unit)
            assert len(found) == len(set(found))


def test_a_march_gives_what_a_fresh_reach_gives(leningrad: Game) -> None:
    """The way that is kept from listing the destinations is the one found anew."""
    for s in moments(leningrad, "movement.Route", most=10):
        unit, spent, hot = s.agenda[-1][1:]
        kept = s.copy()
        for action in kept.legal()[::5]:
            if action.kind == "to":
                fresh = s.copy()
                fresh.derive()
                assert movement.plan(kept.copy(), unit, action.args[0], spent, hot) == movement.plan(
                    fresh, unit, action.args[0], spent, hot
                )


def test_an_action_of_the_other_side_is_refused(leningrad: Game) -> None:
    s = leningrad.position(phase="german.movement", units={"I. Korps": "0418", "11. Army": "1806"})
    assert s.refuses("march 11. Army", because="1.1")
    with pytest.raises(IllegalAction, match="german player-turn"):
        s.do("march 11. Army")


def test_supply_lines_that_were_kept_are_those_found_anew(leningrad: Game) -> None:
    """Lines are kept until something changes them; nothing that does may be forgotten, from the set-up on."""
    compared = 0
    for seed in (200, 201):
        chooser = random.Random(seed)
        s = leningrad.start(seed=seed)
        assert isinstance(s, State)
        while not s.over:
            fresh = s.copy()
            fresh.derive()
            for kind, kept in enumerate(s.lines):
                if kept is not None:
                    assert supply.lines(fresh, kind) == kept
                    compared += 1
            for kind in range(3):
                supply.lines(s, kind)
            fighting = [a for a in s.legal() if a.kind in ("attack", "commit", "fight", "advance")]
            s.do(chooser.choice(fighting or s.legal()))
    assert compared > 1000


@pytest.mark.parametrize(
    ("position", "said"),
    [
        ({"turn": 16}, "turn should be 1 to 15, not 16"),
        ({"units": {"I. Fliegerkorps": "0418"}}, 'I. Fliegerkorps has no hex; name it in "air"'),
        ({"units": {"I. Korps": "1018", "22. Corps": "1018"}}, "both sides have units in 1018"),
    ],
)
def test_positions_that_cannot_be(leningrad: Game, position: dict[str, Any], said: str) -> None:
    with pytest.raises(PositionError, match=re.escape(said)):
        leningrad.position(**position)


def test_an_order_of_no_retreat_can_be_part_of_a_position(leningrad: Game) -> None:
    units = {"4. Panzer Gruppe": "0918", "11. Army": "1018"}
    for ordered in (True, False):
        s = leningrad.position(phase="german.allocation", units=units, no_retreat=ordered, dice=(4,))
        do(s, "attack 1018", "with 4. Panzer Gruppe", "commit", "end attacks")
        assert asked(s) == "results.NextBattle"  # it is not asked again (3.15)
        do(s, "fight 1018")
        assert (asked(s) == "results.RetreatLength") != ordered


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("units.toml", '"8. Army"', '"88. Army"', 'there is no unit "8. Army"'),
        ("units.toml", 'type = "tank"', 'type = "panzer"', "there should be one tank, not 0"),
        ("units.toml", '"0318"', '"9999"', 'unknown hex "9999"'),
        ("calendar.toml", "number = 3\n", "number = 33\n", "turn 3 is missing"),
    ],
)
def test_wrong_data_are_named(leningrad: Game, tmp_path: Path, file: str, old: str, new: str, said: str) -> None:
    text = leningrad.data.text(file)
    assert old in text
    (tmp_path / file).write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(DataError, match=f"{re.escape(file)}.*{re.escape(said)}"):
        Game(tmp_path)


def test_what_is_wrong_with_a_state_is_found(leningrad: Game) -> None:
    s = leningrad.start(seed=1)
    assert isinstance(s, State)
    while s.turn == 0 or asked(s) != "sequence.Operations":
        s.do(s.legal()[0])
    assert leningrad.check(s) == []

    def broken(**fields: int) -> list[str]:
        after = s.copy()
        for field, bits in fields.items():
            setattr(after, field, getattr(after, field) | bits)
        return leningrad.check(after)

    army = 1 << leningrad.unit("11. Army")
    assert broken(lost=army) == broken(gone=army) == broken(waiting=army) == ["11. Army is in 2 places"]
    assert broken(disrupted=army, entrenched=army) == ["a Disrupted unit is entrenched"]
    s.control[s.at[leningrad.unit("41. Corps")]] = 0
    assert leningrad.check(s) == ["0417 is occupied and held by the other side"]
