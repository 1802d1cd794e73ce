"""Odds, tables, chance, words, records."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import pytest

from counterblow import CounterblowError, DataError, Match, RecordError
from counterblow.kernel import chance
from counterblow.kernel.actions import Vocabulary
from counterblow.kernel.forecast import Modifier, played_out, rolled
from counterblow.kernel.graph import draw, ones
from counterblow.kernel.masks import bits, mask_of
from counterblow.kernel.masks import members as remembered
from counterblow.kernel.odds import OddsLine, ResultTable
from counterblow.kernel.record import check_record, read_record, replay
from tests.kernel.toy.game import Toy

LINE = OddsLine(("1:2", "1:1", "3:2", "2:1", "3:1"))


@pytest.mark.parametrize(
    ("attack", "defence", "heading"),
    [(1, 2, "1:2"), (2, 3, "1:2"), (3, 3, "1:1"), (7, 5, "1:1"), (9, 6, "3:2"), (20, 3, "3:1"), (29, 10, "2:1")],
)
def test_odds_round_in_favour_of_the_defender(attack: int, defence: int, heading: str) -> None:
    assert LINE.headings[LINE.column(attack, defence)] == heading


def test_odds_below_the_table_have_no_column() -> None:
    assert LINE.column(1, 3) == -1


def test_shifts_stay_within_the_table() -> None:
    left = Modifier(-3, "river", "9.1")
    assert LINE.shifted(1, [left]) == 0
    assert LINE.shifted(3, [Modifier(2, "air", "9.2"), Modifier(1, "tanks", "9.3")]) == 4


def test_bad_headings_are_refused() -> None:
    with pytest.raises(DataError, match="no odds heading"):
        OddsLine(("1:2", "even"))
    with pytest.raises(DataError, match="must rise"):
        OddsLine(("2:1", "1:1"))


def test_a_table_gives_exact_chances_and_clamps_the_die() -> None:
    table = ResultTable.read({"columns": ["a"], "rows": [["x"], ["y"], ["y"]], "provenance": "rulebook"}, "t")
    assert table.result(9, 0) == "y"
    assert [(o.result, o.chance) for o in table.outcomes(0, (1, 2, 3))] == [
        ("x", Fraction(1, 3)),
        ("y", Fraction(2, 3)),
    ]


def test_a_ragged_table_is_refused() -> None:
    with pytest.raises(DataError, match="t: row 2 has 1 results for 2 columns"):
        ResultTable.read({"columns": ["a", "b"], "rows": [["x", "y"], ["z"]], "provenance": "rulebook"}, "t")


def test_the_generator_is_fair_and_fixed() -> None:
    generator = chance.seeded(7)
    faces = Counter[int]()
    for _ in range(6000):
        generator, face = chance.below(generator, 6)
        faces[face] += 1
    assert sorted(faces) == [0, 1, 2, 3, 4, 5]
    assert max(abs(n - 1000) for n in faces.values()) < 120
    assert chance.below(0, 1 << 64)[1] == 0xE220A8397B1DCDAF  # the published first output of splitmix64


def test_numbers_of_64_bits_are_drawn_as_long_ones_are() -> None:
    """``graph.draw`` is ``below`` for small numbers, compiled or not; 1 << 64 asks for the whole number instead."""
    generator = chance.seeded(11)
    for n in (1, 2, 6, 1000, (1 << 31) - 1) * 40:
        after, whole = chance.below(generator, 1 << 64)
        assert draw(generator, n) == chance.below(generator, n) == (after, whole * n >> 64)
        generator = after


@pytest.fixture
def words() -> Vocabulary:
    return Vocabulary(
        {"go": "move {unit} {hex}", "far": "march {unit} by {path}", "hit": "attack {hex} with {units}",
         "pay": "pay {n}", "swap": "swap {unit1} and {unit2}", "stop": "stop"},
        {"unit": ("4th Panzer", "4th", "Group A + B", "9th Army"), "hex": ("0101", "0102", "Finland")},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "args", "text"),
    [
        ("go", (0, 1), "move 4th Panzer 0102"),
        ("go", (1, 2), "move 4th Finland"),
        ("far", (3, (0, 1, 2)), "march 9th Army by 0101-0102-Finland"),
        ("hit", (0, (0, 2, 1)), "attack 0101 with 4th Panzer + Group A + B + 4th"),
        ("hit", (0, ()), "attack 0101 with none"),
        ("pay", (12,), "pay 12"),
        ("swap", (0, 1), "swap 4th Panzer and 4th"),
        ("stop", (), "stop"),
    ],
)
def test_actions_write_and_read_back(words: Vocabulary, kind: str, args: tuple[Any, ...], text: str) -> None:
    action = words[kind][args]
    assert str(action) == text
    read = words.read(text.upper())
    assert (read.kind, read.args) == (kind, args)
    assert words.read(text) == action


@pytest.mark.parametrize(
    ("kind", "things"),
    [("select", [2, 0, 2]), ("attack", range(3)), ("move", [(0, 1), (1, 2)]), ("end", [()]), ("select", [])],
)
def test_several_actions_are_those_made_one_by_one(kind: str, things: Sequence[Any]) -> None:
    game = Toy()
    before = [game.act[kind][thing] for thing in things[:1]]
    found = game.actions_for(kind, things)
    assert [action.args for action in found] == [thing if isinstance(thing, tuple) else (thing,) for thing in things]
    assert all(one is game.act[kind][thing] for one, thing in zip(found, things, strict=True))
    assert all(one is other for one, other in zip(before, found, strict=False))


def test_a_wrong_number_of_arguments_is_refused(words: Vocabulary) -> None:
    with pytest.raises(TypeError, match="go takes"):
        words["go"][1]


def test_an_unknown_blank_is_refused() -> None:
    with pytest.raises(ValueError, match=r"nothing is known of \{card\}"):
        Vocabulary({"play": "play {card}"}, {"unit": ()})


def played(toy: Toy) -> Match:
    match = Match(toy, seed=4)
    for text in ("select Blue 1", "move Blue 1 0201", "end phase"):
        match.do(text)
    return match


def test_a_record_replays_to_the_same_state(toy: Toy, tmp_path: Path) -> None:
    match = played(toy)
    match.save(tmp_path / "a.json")
    assert list(tmp_path.iterdir()) == [tmp_path / "a.json"]
    again = replay(toy, read_record(tmp_path / "a.json"))
    assert again.state == match.state
    assert again.actions == match.actions


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"format": "pgn"}, '"format"'),
        ({"format_version": 9}, '"format_version" 9'),
        ({"seed": "x"}, '"seed" has the wrong type'),
        ({"actions": [1]}, '"actions" number 1 is not text'),
        ({"actions": ["select Blue 1", "move Blue 1 0505"]}, '"actions" number 2 cannot be played'),
        ({"actions": ["dance"]}, '"actions" number 1 cannot be played'),
        ({"game": "go"}, "\"game\" is 'go'"),
        ({"fingerprint": "0"}, '"fingerprint" differs'),
    ],
)
def test_a_foreign_or_spoilt_record_names_the_field(
    toy: Toy, tmp_path: Path, change: dict[str, Any], complaint: str
) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(played(toy).to_record() | {"trail": ""} | change))
    with pytest.raises(RecordError, match=complaint):
        replay(toy, read_record(path))


def test_a_truncated_record_is_refused(toy: Toy, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(played(toy).to_record())[:100])
    with pytest.raises(RecordError, match="cut short"):
        read_record(path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RecordError, match="not text"):
        read_record(path)
    with pytest.raises(RecordError, match="cannot be read"):
        read_record(tmp_path / "none.json")


def test_undo_goes_back_to_the_last_die(toy: Toy) -> None:
    match = Match(toy, seed=4)
    start = match.state.copy()
    match.do("select Blue 1")
    match.do("move Blue 1 0201")
    match.undo()
    match.undo()
    assert match.state == start
    with pytest.raises(CounterblowError, match="nothing to undo"):
        match.undo()
    match.state = toy.position(phase="blue.combat", units={"Blue 1": "0402", "Red 1": "0502", "Red 2": "0101"})
    match.do("attack 0502")
    assert not match.can_undo
    with pytest.raises(CounterblowError, match="chance has spoken"):
        match.undo()


@pytest.mark.parametrize("members", [[], [0], [3, 63], [3, 63, 64, 200], [1, 511, 512, 2047]])
def test_masks_hold_their_members(members: list[int]) -> None:
    assert bits(mask_of(members)) == ones(mask_of(members)) == members
    assert remembered(mask_of(members)) == tuple(members)


def test_a_replay_tells_where_it_first_goes_another_way(toy: Toy) -> None:
    match = Match(toy, seed=5)
    for text in ("select Blue 1", "move Blue 1 0201", "select Blue 2", "move Blue 2 0202"):
        match.do(text)
    record = match.to_record()
    assert len(record["trail"]) == 16
    replay(toy, record)
    record["trail"] = record["trail"][:4] + "----" + record["trail"][8:]
    with pytest.raises(RecordError, match=r"number 2 .move Blue 1 0201. now leads elsewhere"):
        replay(toy, record)
    record["trail"] = record["trail"][:-1]
    with pytest.raises(RecordError, match="4 characters for every action"):
        check_record(record)


def test_the_chances_of_a_row_of_dice() -> None:
    hits = {0: Fraction(1)}
    for _ in range(3):
        hits = rolled(hits, lambda count, face: count + (face <= 2))
    assert hits == {n: comb(3, n) * Fraction(1, 3) ** n * Fraction(2, 3) ** (3 - n) for n in range(4)}
    assert rolled({"a": Fraction(1, 4), "b": Fraction(3, 4)}, lambda end, face: "c", faces=1) == {"c": Fraction(1)}


def test_the_chances_of_what_is_played_out(toy: Toy) -> None:
    """The rules are carried out on copies, a die for each roll; one that throws none changes no chances."""
    s = toy.position(units={})

    def hit(state: Any) -> None:
        state.turn += state.roll() <= 2

    ends = played_out(s, [hit, lambda state: None, hit, hit], lambda state: -state.turn)
    assert [(end.turn - s.turn, chance) for end, chance in ends] == [
        (n, comb(3, n) * Fraction(1, 3) ** n * Fraction(2, 3) ** (3 - n)) for n in (3, 2, 1, 0)
    ]
    assert s.thrown == ()
