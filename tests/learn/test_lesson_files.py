"""The format of lessons: what is wrong in a file is said exactly, with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

import counterblow
from counterblow.kernel.errors import CounterblowError
from counterblow.learn.check import check
from counterblow.learn.lesson import LessonError, read, read_file
from counterblow.learn.session import Answer, Session, example

HEAD = """game = "leningrad"
title = "T"
about = "A"
side = "german"
teaches = ["7.2"]
[position]
phase = "german.movement"
dice = [1]
[position.units]
"I. Korps" = "0418"
"41. Corps" = "0417"
"48. Army" = "0904"
"""
STEP = '[[step]]\nread = "r"\n'
LINE = HEAD.count("\n") + 1


def problems(steps: str, head: str = HEAD) -> str:
    """What reading or checking complains of."""
    try:
        return "\n".join(check(read(counterblow.load("leningrad"), head + steps, "my.toml")).problems)
    except LessonError as error:
        return str(error)


def test_a_small_lesson_is_in_order() -> None:
    assert problems(STEP + 'do = ["march I. Korps", ["to 0518", "to 0419"]]') == ""


@pytest.mark.parametrize(
    ("steps", "complaint"),
    [
        ("", "a lesson needs at least one [[step]]"),
        (STEP + 'du = "x"', f'my.toml, line {LINE} (step 1): unknown field "du": did you mean "do"'),
        (STEP + STEP + 'light = ["9999"]', f'my.toml, line {LINE + 2} (step 2): unknown hex or area "9999"'),
        (STEP + 'rules = ["99.9"]', 'unknown rule "99.9"'),
        (STEP + 'do = "marsh I. Korps"', 'cannot read unknown action "marsh I. Korps"'),
        (STEP + 'do = "march 41. Corps"', '"march 41. Corps" is not legal'),
        (STEP + 'do = "march 41. Corps"', "Legal: march I. Korps, end movement"),
        (STEP + "do = 3", '"do" should be an action, or a list of actions'),
        (
            STEP + 'do = "end movement"\nforbidden = "x"\nbecause = "7.2"',
            "has do and forbidden, but a step has only one",
        ),
        (STEP + 'forbidden = "march 41. Corps"', '"forbidden" and "because" (the rule that refuses it) go together'),
        (STEP + 'forbidden = "march I. Korps"\nbecause = "7.2"', '"march I. Korps" is legal'),
        (STEP + 'forbidden = "march 41. Corps"\nbecause = "7.4"', "is refused, but not by rule 7.4"),
        (STEP + "until = { turn = 2 }", '"until" and "play"'),
        (STEP + 'until = { turn = 2 }\nplay = ["end movement"]', '"until" does not hold after what "play" does'),
        (STEP + 'until = { turns = 2 }\nplay = ["x"]', 'unknown field "turns": did you mean "turn"'),
        (STEP + 'until = { at = { "I. Karps" = "0518" } }\nplay = ["x"]', 'unknown unit "I. Karps"'),
        (STEP + 'otherwise = "no"', '"otherwise" is said when something else is done than "do"'),
        (STEP + 'do = "end movement"\nthen = ["to 0518"]', '"then": to 0518: no unit is about to march'),
        (STEP + 'do = "end movement"\nwrong = [{ do = "march I. Korps" }]', 'wrong turn 1: "say" is missing'),
        (STEP + 'do = "end movement"\nwrong = [{ do = "end movement", say = "s" }]', "it is what the step asks for"),
        (
            STEP + 'do = "end movement"\nwrong = [{ do = "march 41. Corps", say = "s" }]',
            "is not legal (it is the german player-turn (rule 1.1)); name the rule",
        ),
        (
            STEP + 'do = "end movement"\nwrong = [{ do = "march I. Korps", rule = "8.2", say = "s" }]',
            "should be refused by rule 8.2, but",
        ),
        ('[[step]]\nread = "' + "r" * 500 + '"', "make two steps of it"),
        ("[[step]]\nread = 5", '"read" should be a text, not 5'),
        ("[[step]]\n", '"read" is missing'),
    ],
)
def test_what_is_wrong_is_said_with_its_place(steps: str, complaint: str) -> None:
    assert complaint in problems(steps)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('side = "german"', 'side = "germans"', 'unknown side "germans": did you mean "german"'),
        (
            '"I. Korps" = "0418"',
            '"I. Korps" = "0999"',
            'the position cannot be built: leningrad: unknown hex or area "0999"',
        ),
        ('"I. Korps" = "0418"', '"I. Karps" = "0418"', "did you mean"),
        ('phase = "german.movement"', 'phase = "german.moving"', "my.toml, line 7: the position cannot be built"),
        ('teaches = ["7.2"]', "teaches = []", '"teaches" is empty'),
        ('title = "T"', "", '"title" is missing'),
        ('title = "T"', 'titel = "T"', 'unknown field "titel": did you mean "title"'),
        ('title = "T"', "title = T", "not valid TOML"),
        ('game = "leningrad"', 'game = "narva"', "lies with leningrad"),
        ('about = "A"', 'about = "A"\nminutes = 60', '"minutes" should be a whole number from 1 to 10'),
        ("[position]", "[scenario]\nseed = 1\n[position]", "either a [position] or a [scenario]"),
    ],
)
def test_what_is_wrong_in_the_head_is_said(old: str, new: str, complaint: str) -> None:
    assert complaint in problems(STEP, HEAD.replace(old, new))


def test_a_file_of_ones_own_says_for_which_game_it_is(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    with pytest.raises(LessonError, match="cannot be read"):
        read_file(file, counterblow.load)
    file.write_text(HEAD + STEP)
    assert read_file(file, counterblow.load).name == "mine"
    file.write_text(HEAD.replace('game = "leningrad"\n', "") + STEP)
    with pytest.raises(LessonError, match='"game" is missing'):
        read_file(file, counterblow.load)
    file.write_text(HEAD.replace("leningrad", "chess") + STEP)
    with pytest.raises(LessonError, match=r'mine\.toml: unknown game "chess"'):
        read_file(file, counterblow.load)
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(LessonError, match="not UTF-8"):
        read_file(file, counterblow.load)


def session(steps: str) -> Session:
    return Session(read(counterblow.load("leningrad"), HEAD + steps, "my.toml"))


def test_a_session_answers_what_is_tried() -> None:
    taken = session(STEP + 'do = "march I. Korps"\notherwise = "not that"')
    assert taken.do("end movement").say == "not that"
    assert taken.do("march 41. Corps").answer is Answer.REFUSED
    assert taken.do("nonsense").answer is Answer.REFUSED
    assert taken.go_on().answer is Answer.OTHER
    assert taken.inputs == []
    assert taken.do("march I. Korps").answer is Answer.DONE
    assert taken.over
    assert taken.do("to 0518").say == "The lesson is over."
    assert taken.go_on().say == "The lesson is over."


def test_until_lets_the_pupil_do_anything_legal_until_it_holds() -> None:
    until = 'until = { at = { "I. Korps" = ["0518", "0519"] } }\nplay = ["march I. Korps", "to 0518"]\n'
    taken = session(STEP + until + STEP)
    assert taken.do("march I. Korps").answer is Answer.DONE
    assert taken.at == 0
    assert taken.do("to 0519").answer is Answer.DONE
    assert taken.at == 1


def test_a_choice_in_any_order_asks_for_each_once() -> None:
    text = HEAD.replace('"I. Korps" = "0418"', '"I. Korps" = "0418"\n"XXXVIII. Korps" = "0318"')
    either = '["with I. Korps", "with XXXVIII. Korps"]'
    steps = STEP + f'do = ["end movement", "attack 0417", {either}, {either}]'
    taken = Session(read(counterblow.load("leningrad"), text + steps, "my.toml"))
    for given in ("end movement", "attack 0417", "with XXXVIII. Korps"):
        taken.do(given)
    assert taken.wanted == ("with I. Korps",)
    assert taken.do("with I. Korps").answer is Answer.DONE
    assert taken.over


def test_a_session_is_decided_by_its_inputs_and_can_be_taken_back() -> None:
    lesson = counterblow.load("leningrad").lessons[0]
    inputs = check(lesson).inputs
    whole = Session(lesson, inputs)
    half = Session(lesson, inputs[:3])
    assert half.state == Session(lesson, inputs[:3]).state
    for given in inputs[3:]:
        half.give(given)
    assert half.state == whole.state
    half.undo()
    assert half.state == Session(lesson, inputs[:-1]).state
    half.restart()
    assert half.inputs == []
    with pytest.raises(CounterblowError, match="does not fit here"):
        Session(lesson, ["end movement"])


def test_a_lesson_may_begin_as_a_scenario() -> None:
    head = HEAD[: HEAD.index("[position]")].replace('side = "german"', 'side = "russian"')
    assert problems(STEP + 'do = "entrench all"', head + "[scenario]\nseed = 3\n") != ""
    lesson = read(counterblow.load("leningrad"), head + "[scenario]\nseed = 3\n" + STEP, "my.toml")
    assert lesson.start() == counterblow.load("leningrad").start(seed=3)


def test_who_reads_quickly_may_act_at_once() -> None:
    taken = session(STEP + STEP + 'do = "march I. Korps"')
    assert taken.do("end movement").say == "Read, then go on."
    assert taken.do("march I. Korps").answer is Answer.DONE
    assert taken.inputs == ["", "march I. Korps"]
    assert taken.over


def test_a_choice_that_is_taken_back_was_not_made() -> None:
    taken = session(STEP + 'do = ["march I. Korps", "to 0518"]')
    taken.do("march I. Korps")
    assert taken.state.decision is not None
    assert taken.state.decision.back is not None
    assert taken.do(str(taken.state.decision.back)).answer is Answer.DONE
    assert taken.inputs == []
    assert taken.wanted == ("march I. Korps",)


def test_the_example_of_a_rule_stops_where_a_lesson_is_broken() -> None:
    text = HEAD + STEP + 'do = "march 41. Corps"\n' + STEP + 'rules = ["7.2"]'
    assert example(read(counterblow.load("leningrad"), text, "my.toml"), "7.2").inputs == []
