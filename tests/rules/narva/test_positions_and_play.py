"""Positions, random play, hidden information, the data files and the evaluation."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from counterblow import Action, DataError, PositionError
from counterblow.games.narva.evaluate import STRENGTH, forces
from counterblow.games.narva.game import Narva
from counterblow.lab.fuzz import play_checked
from tests.helpers import do
from tests.rules.narva.play import State, facts, points, steps, supply


def test_the_example_of_a_position(narva: Narva) -> None:
    s = narva.position(
        turn=3,
        phase="soviet.combat",
        units={"163": "1207", "333G": {"at": "1107", "steps": 1, "supply": "isolated", "pinned": True}},
        pd={"Nordland": 4},
        draws=["2SH", "EVENT"],
        control={"1820": "soviet"},
        dice=(5,),
    )
    assert (steps(s, "333G"), supply(s, "333G"), s.pd) == (1, "isolated", (4, 0))
    s.do("attack 1107")
    s.do("add 163")
    assert facts(s) == {"attack": "2", "defence": "1", "column": "3-1"}
    assert narva.from_json(s.to_json()) == s


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"units": {"333": "1107"}}, 'unknown unit "333"'),
        ({"units": {"333G": "9999"}}, 'unknown hex or area "9999"'),
        ({"units": {"333G": {"at": "1107", "reduced": True}}}, 'unknown mark "reduced"'),
        ({"units": {"333G": {"at": "1107", "steps": 3}}}, "has from 1 to 2 steps"),
        ({"units": {"333G": {"at": "1107", "supply": "none"}}}, 'unknown supply "none"'),
        ({"phase": "combat"}, 'unknown phase "combat"'),
        ({"pd": {"Nordland": 10}}, "stands 0 to 9 boxes down"),
        ({"draws": ["2ND"]}, 'unknown chit "2ND"'),
        ({"control": {"2412": "soviet"}}, "2412 is no victory hex"),
        ({"air": {"13A-9": "ready"}}, 'unknown air unit "13A-9"'),
        ({"weather": "mud"}, 'unknown position field "weather"'),
        ({"options": {"edition": "2020"}}, "option edition should be one of"),
    ],
)
def test_wrong_positions_are_refused(narva: Narva, wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(PositionError, match=re.escape(message)):
        narva.position(**wrong)


@pytest.mark.parametrize("seed", range(3))
def test_random_games_end_with_all_invariants(narva: Narva, seed: int) -> None:
    chosen = ({}, {"fog": True}, {"edition": "2018", "fog": True})[seed % 3]
    played = play_checked(narva, seed, options=chosen)
    assert played.actions > 500


def test_refused_and_legal_agree(narva: Narva) -> None:
    """In random play every action that is not legal is refused with a rule of this game."""
    chance = random.Random(7)
    s: State = narva.start(seed=7)
    for _ in range(400):
        legal = s.legal()
        for action in [narva.act[kind][node] for kind in ("to", "attack", "place") for node in range(0, 1300, 97)]:
            reasons = s.why_not(action)
            assert not (reasons and action in legal)
            if not reasons:
                s.copy().do(action)  # legal, or a shorter way to say it: to the hex where a unit stands is stopping
            assert all(citation.rule in narva.rules for citation in reasons)
        s.do(chance.choice(legal))
        if s.over:
            break


def test_fog_leaks_nothing(narva: Narva) -> None:
    """What a side is sent never names a piece that it cannot see."""
    chance = random.Random(3)
    s: State = narva.start(seed=3, options={"fog": True})
    for _ in range(300):
        s.do(chance.choice(s.legal()))
        for number, side in enumerate(narva.sides):
            hidden = {narva.unit_names[u] for u in s.out(1 - number) if not s.sees(number, u)}
            shown = {unit.get("name") for unit in s.view(side)["units"]}
            assert not hidden & shown
            if s.side != side:
                assert s.view(side)["legal"] == []
        assert "rng" not in json.dumps(s.view(None))


def test_moves_in_fog_are_secret(narva: Narva) -> None:
    s = narva.position(
        turn=2, phase="soviet.movement", options={"fog": True}, units={"381": "2512", "456": "2512", "MOK": "0531"}
    )
    s.do("move 381")
    event = next(event for event in s.do("to 2513") if event.kind == "move")
    assert "381" in (event.seen_by(1) or "")
    assert "381" not in (event.seen_by(0) or "")


def test_every_table_tells_where_it_comes_from(narva: Narva) -> None:
    def bare(entry: object, path: str) -> list[str]:
        found = []
        if isinstance(entry, dict):
            for key, value in entry.items():
                if isinstance(value, list) and value and isinstance(value[0], dict) and key != "units":
                    found += [f"{path}.{key}[{n}]" for n, item in enumerate(value) if "provenance" not in item]
                elif isinstance(value, dict) and "provenance" not in value:
                    found.append(f"{path}.{key}")
        return found

    for name in ("units.toml", "chits.toml", "tables.toml", "calendar.toml", "victory.toml"):
        assert bare(narva.data.toml(name), name) == []


def test_a_wrong_table_is_named(narva: Narva, tmp_path: Path) -> None:
    text = narva.data.text("tables.toml").replace('"A2r1", "A2"', '"A2r1", "X2"', 1)
    (tmp_path / "tables.toml").write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match="'X2' is no combat result"):
        Narva(tmp_path)


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("tables.toml", '"A2r1", "A2"', '"A2"', "crt: every row needs one result per odds heading"),
        ("units.toml", 'at = "1827"', 'at = "9999"', "FHH HQ: 9999 is not on the map"),
    ],
)
def test_wrong_data_are_named(narva: Narva, tmp_path: Path, file: str, old: str, new: str, said: str) -> None:
    text = narva.data.text(file)
    assert old in text
    (tmp_path / file).write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(DataError, match=said):
        Narva(tmp_path)


def test_an_event_that_no_rule_knows_is_named(narva: Narva, tmp_path: Path) -> None:
    text = narva.data.text("tables.toml").replace('"barrages"', '"barages"', 1)
    (tmp_path / "tables.toml").write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match='event 8: unknown effect "barages": did you mean "barrages"'):
        Narva(tmp_path)


def test_an_owner_may_correct_a_chart(narva: Narva, tmp_path: Path) -> None:
    text = narva.data.text("tables.toml").replace("attacks = [1, 1, 1, 1, 2, 2]", "attacks = [2, 2, 2, 2, 2, 2]")
    (tmp_path / "tables.toml").write_text(text, encoding="utf-8")
    assert Narva(tmp_path).barrage_roll == (2, 2, 2, 2, 2, 2)


def test_evaluation(narva: Narva) -> None:
    """Opposite for the two sides, better with ground and with supply, decisive at the end."""
    s: State = narva.start(seed=1)
    assert narva.judge.evaluate(s, 0) == -narva.judge.evaluate(s, 1)
    plain = narva.position(turn=3, phase="soviet.movement", units={"381": "2512", "MOK": "2030"})
    gained = narva.position(
        turn=3, phase="soviet.movement", units={"381": "2512", "MOK": "2030"}, control={"1820": "soviet"}
    )
    nearer = narva.position(turn=3, phase="soviet.movement", units={"381": "2725", "MOK": "2030"})
    cut_off = narva.position(
        turn=3, phase="soviet.movement", units={"381": {"at": "2512", "supply": "isolated"}, "MOK": "2030"}
    )
    assert narva.judge.evaluate(gained, 1) > narva.judge.evaluate(plain, 1) > narva.judge.evaluate(cut_off, 1)
    assert narva.judge.evaluate(nearer, 1) > narva.judge.evaluate(plain, 1)
    more = narva.position(turn=3, phase="soviet.movement", units={"381": "2512", "MOK": "2030", "23": "2030"})
    worth = [forces(s, 0, 0) - forces(plain, 0, 0) for s in (more, plain)]
    assert worth == [STRENGTH[0] * 9, 0]  # attack 4, defence 5
    over = narva.position(turn=4, phase="end", units={"381": "3029"})
    assert narva.judge.evaluate(over, 1) > 50_000 > narva.judge.evaluate(over, 0)


def test_looking_one_action_ahead(narva: Narva) -> None:
    """Looking one action ahead a side takes a victory point that lies open."""
    s = narva.position(turn=3, phase="soviet.movement", units={"381": "1920"})
    s.do("move 381")
    best = max(s.legal(), key=lambda action: value_after(narva, s, action))
    s.do(best)
    assert points(s)["Krivasoo"] == 1


def value_after(narva: Narva, s: State, action: Action) -> int:
    trial = s.copy()
    trial.do(action)
    return narva.judge.evaluate(trial, 1)


def test_what_is_wrong_with_a_state_is_found(narva: Narva) -> None:
    """The checks of fuzzing see what the rules never lead to."""
    units = {"381": "2512", "456": "2512", "109 HQ": "2512", "MOK": "2412", "151G": "2412", "23": "2928"}

    def broken(change: Callable[[State], None]) -> list[str]:
        s: State = narva.position(turn=2, phase="soviet.movement", units=units)
        assert narva.check(s) == []
        change(s)
        return narva.check(s)

    unit, node = narva.unit, narva.node
    assert broken(lambda s: s.put(unit("602"), node("2512")))[:1] == ["2512: overstacked"]
    assert "2928: both sides stand there" in broken(lambda s: s.put(unit("109 HQ"), node("2928")))
    assert broken(lambda s: s.put(unit("MOK"), node("3029"))) == ["3029: ['MOK'] may not be there"]
    assert broken(lambda s: s.step.__setitem__(unit("381"), 0)) == ["381 is on the map but has no steps"]
    assert broken(lambda s: s.step.__setitem__(unit("381"), 3)) == ["381 has too many steps"]
    assert broken(lambda s: s.fate.__setitem__(unit("602"), 1)) == ["602 fights nowhere"]
    assert broken(lambda s: setattr(s, "pd", (0, 99))) == ["a Prepared Defense marker is off its track"]
    assert broken(lambda s: s.air.__setitem__(0, 9)) == ["an air unit is in no box"]
    assert broken(lambda s: s.cup.__setitem__(narva.chit_number["EVENT"], 9)) == ["too many Random Event chits"]


def undone(s: State) -> str:
    """What the player who would end the segment now has left undone."""
    found: str = s.view(s.side)["decision"]["undone"]
    return found


def test_what_is_left_undone(narva: Narva) -> None:
    units = {"381": "2512", "456": "2516", "MOK": "2412"}
    s = narva.position(turn=2, phase="soviet.movement", units=units)
    assert undone(s) == "none of the 2 activated units has moved"
    do(s, "move 456", "to 2517", "stop")
    assert undone(s) == ""
    s = narva.position(turn=2, phase="soviet.combat", units={**units, "29P": "2612"}, dice=(3,))
    assert undone(s) == "nobody has attacked, though 2 hexes can be attacked"
    s = narva.position(turn=2, phase="soviet.combat", units=units, dice=(3,))
    assert undone(s) == "nobody has attacked, though 1 hex can be attacked"
