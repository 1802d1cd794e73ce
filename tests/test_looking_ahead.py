"""Before the click: what a destination would do, what an action costs, what an end would leave undone."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

import counterblow
from counterblow.games.leningrad import supply
from counterblow.kernel.state import State
from tests.helpers import do


def notes(s: State, action: str) -> str:
    found = s.forecast(action)
    return "" if found is None else "; ".join(found.notes)


def undone(s: State) -> str:
    found: str = s.view(s.side)["decision"]["undone"]
    return found


@pytest.mark.parametrize("slug", counterblow.games())
def test_every_note_of_a_destination_cites_rules_that_exist_and_changes_nothing(slug: str) -> None:
    game, chance, told = counterblow.load(slug), random.Random(3), 0
    s = game.start(seed=3)
    for _ in range(160):
        if s.over:
            break
        legal = s.legal()
        before = s.to_json()
        for action in chance.sample(legal, min(4, len(legal))):
            found = s.forecast(action)
            for note in () if found is None else found.notes:
                cited = re.findall(r"\(rule ([\w.]+)\)", note)
                assert not [one for one in cited if one not in game.rules], note
                told += bool(cited)
        assert s.to_json() == before
        s.do(chance.choice(legal))
    assert told


def test_leningrad(leningrad: Any) -> None:
    units = {"I. Korps": "0512", "X. Korps": "0612", "L. Korps": "0612", "48. Army": "0707"}
    s = leningrad.position(turn=3, phase="german.movement", units=units)
    assert undone(s) == "none of the 3 units that can march has moved"
    do(s, "march I. Korps")
    told = {str(action): notes(s, str(action)) for action in s.legal() if action.kind == "to"}
    unit = leningrad.unit("I. Korps")
    for action, text in told.items():
        after = s.copy()
        after.do(action)
        assert ("is Disrupted" in text) == bool(after.disrupted >> unit & 1), action
        assert ("forced march" in text) == (bool(after.hurried >> unit & 1) and "is Disrupted" not in text), action
        assert ("12.7" in text) == (not supply.in_supply(after, unit) and "is Disrupted" not in text), action
        assert ("8.2" in text) == bool(s.zone[1][after.at[unit]]), action
    assert "6.10" in told["to 0612"]
    assert any("forced march" in text for text in told.values())
    assert any(not text for text in told.values())
    do(s, next(action for action, text in told.items() if not text))
    assert undone(s) == ""


def test_narva(narva: Any) -> None:
    s = narva.position(turn=2, phase="soviet.movement", units={"220T": "1630", "MOK": "1428"})
    assert undone(s) == "none of the 1 activated units has moved"
    do(s, "move 220T")
    assert "Soviet victory points +2 (rule 13.1.1a)" in notes(s, "to 1530")
    assert "5.1a" not in notes(s, "to 1731")
    near = [str(action) for action in s.legal() if s.zone[0][action.args[0]]]
    assert near
    assert all("5.1a" in notes(s, action) for action in near)


def test_narvik(narvik: Any) -> None:
    s = narvik.position(units={"139-1": "1620", "SG-a": "1820"})
    do(s, "movement KGW")
    assert undone(s) == "nobody has moved, and the action is paid for"
    do(s, "move 139-1")
    assert "enemy zone of control (rule 10.1.a)" in notes(s, "to 1720")
    assert notes(s, "to 1619") == ""
    objective = next(iter(narvik.ground.objectives))
    label = narvik.board.labels[objective]
    s = narvik.position(units={"139-1": label, "SG-a": "0115"})
    do(s, "movement KGW", "move 139-1")
    away = str(next(action for action in s.legal() if action.kind == "to"))
    assert "empty (rule 4.4.b)" in notes(s, away)
    do(s, away)
    if s.decision.passes is None:  # it may go on
        do(s, "halt")
    assert undone(s) == ""
    s = narvik.position(units={"139-1": "2120", "SG-a": "0115"}, control={"2020": "allied"})
    do(s, "movement KGW", "move 139-1")
    assert "takes Bjornfjell (2020) (rule 4.4.d)" in notes(s, "to 2020")


def test_narvik_tells_what_actions_cost_and_what_a_pass_would_lose(narvik: Any) -> None:
    units = {"139-1": "1620", "SG-a": "1820"}
    s = narvik.position(units=units, ap={"german": 4, "allied": 3})
    prices = s.view("german")["decision"]["prices"]
    assert prices == {kind: f"{row.ap} AP" for kind, row in narvik.tables.actions.items()}
    assert undone(s) == ""
    do(s, "pass")
    assert undone(s) == "3 action points would be lost: the enemy has passed too"
    alone = narvik.position(units=units, ap={"german": 1, "allied": 0})
    assert undone(alone) == "1 action point would be lost: the enemy has none left"


def test_no_retreat(noretreat: Any) -> None:
    units = {"9th Army": "1110", "4th Army": "1109", "Don": "1209"}
    s = noretreat.position(turn=6, phase="axis.movement", units=units)
    assert undone(s) == "none of the 2 units that can move has moved"
    s = noretreat.position(turn=6, phase="axis.combat", units=units)
    assert undone(s) == "no target is marked, though 1 hex can be attacked"
    do(s, "target 1209")
    assert s.decision is None or undone(s) == ""


def test_nothing_is_left_undone_where_nothing_can_be_done(narva: Any) -> None:
    """A single choice, whatever it is, asks nothing."""
    for slug in counterblow.games():
        s = counterblow.load(slug).start(seed=1)
        chance = random.Random(1)
        for _ in range(120):
            if s.over:
                break
            if len(s.legal()) == 1:
                assert undone(s) == ""
            s.do(chance.choice(s.legal()))
