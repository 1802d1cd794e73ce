"""Every lesson is played as written, every wrong turn tried; and together they teach the game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import counterblow
from counterblow.kernel import chance
from counterblow.learn.check import Checked, check
from counterblow.learn.lesson import Lesson
from counterblow.learn.session import Answer, Session, example

ROOT = Path(__file__).parent.parent.parent
SLUGS = counterblow.games()
LESSONS = [lesson for slug in SLUGS for lesson in counterblow.load(slug).lessons]
GAMES_PLAYED = 4
YEARS = {str(year) for year in range(1940, 1946)}  # look like hexes


@cache
def checked(slug: str, name: str) -> Checked:
    return check(next(lesson for lesson in counterblow.load(slug).lessons if lesson.name == name))


def ids(lesson: Lesson) -> str:
    return f"{lesson.game.slug}-{lesson.name}"


@pytest.mark.parametrize("lesson", LESSONS, ids=ids)
def test_a_lesson_plays_as_written(lesson: Lesson) -> None:
    found = checked(lesson.game.slug, lesson.name)
    assert found.problems == []
    session = Session(lesson, found.inputs)
    assert session.over
    assert 2 <= found.minutes <= 5
    assert found.minutes <= lesson.minutes < found.minutes + 1, "the minutes that the pupil is told"
    assert lesson.after


@pytest.mark.parametrize("lesson", LESSONS, ids=ids)
def test_the_first_own_move_comes_within_half_a_minute(lesson: Lesson) -> None:
    """At 200 words a minute, the title and all that is read before something is to be done."""
    words = len(lesson.title.split())
    for step in lesson.steps:
        words += len(step.read.split())
        if not step.reading:
            break
    assert words <= 100


@pytest.mark.parametrize("lesson", LESSONS, ids=ids)
def test_nothing_that_is_not_asked_for_happens(lesson: Lesson) -> None:
    """At every step that asks for an action, each other legal action is answered with a word and changes nothing."""
    session = Session(lesson)
    for given in checked(lesson.game.slug, lesson.name).inputs:
        step = session.step
        assert step is not None
        if step.do:
            asked = {session.state.parse(text) for text in session.wanted}
            before = session.state.to_json()
            others = [action for action in session.state.legal() if action not in asked]
            for action in others[:3] + others[-3:]:
                reply = session.do(action.text)
                assert reply.answer is Answer.OTHER
                assert reply.say
            assert session.state.to_json() == before
        session.give(given)


@pytest.mark.parametrize("lesson", LESSONS, ids=ids)
def test_the_hexes_that_a_step_names_are_lit(lesson: Lesson) -> None:
    for step in lesson.steps:
        named = {label for label in re.findall(r"\b\d{4}\b", step.read) if label in lesson.game.board} - YEARS
        assert named <= set(step.light), f"step {step.number}"


@pytest.mark.parametrize("lesson", LESSONS, ids=ids)
def test_a_rule_is_shown_at_the_step_that_names_it(lesson: Lesson) -> None:
    """For the small boards of the rulebook: the lesson as written, up to that step."""
    last = [step for step in lesson.steps if step.rules][-1]
    rule = last.rules[-1]
    first = next(step for step in lesson.steps if rule in (*step.rules, step.because))
    session = example(lesson, rule)
    assert session.step == first
    assert session.inputs == checked(lesson.game.slug, lesson.name).inputs[: len(session.inputs)]
    assert example(lesson, "99.9").inputs == []


@pytest.mark.parametrize("slug", SLUGS)
def test_a_game_has_its_lessons_in_order(slug: str) -> None:
    lessons = counterblow.load(slug).lessons
    assert 6 <= len(lessons) <= 10
    assert len({lesson.name for lesson in lessons}) == len(lessons)
    assert {lesson.side for lesson in lessons} == set(counterblow.load(slug).sides)
    assert ["Next: " in lesson.after for lesson in lessons] == [True] * (len(lessons) - 1) + [False]
    assert "Play " in lessons[-1].after


@pytest.mark.parametrize("slug", SLUGS)
def test_what_no_lesson_teaches_is_explained(slug: str) -> None:
    """Phases and kinds of action that standard games offer, against the table in docs/writing-a-lesson.md."""
    offered = set(offered_in_games(slug))
    taught = {(what, name) for lesson in counterblow.load(slug).lessons for what, name in covers(lesson)}
    explained = set(explanations(slug))
    assert offered - taught - explained == set(), "no lesson teaches this, and the table does not say why"
    assert explained & taught == set(), "the table says that no lesson teaches this, but one does"


def covers(lesson: Lesson) -> Iterator[tuple[str, str]]:
    found = checked(lesson.game.slug, lesson.name)
    yield from (("kind", kind) for kind in found.kinds)
    yield from (("phase", phase) for phase in found.phases)


def offered_in_games(slug: str) -> Iterator[tuple[str, str]]:
    game = counterblow.load(slug)
    for seed in range(GAMES_PLAYED):
        state, generator = game.start(seed=seed), chance.seeded(seed + 7)
        while not state.over:
            legal = state.legal()
            yield "phase", state.phase
            yield from (("kind", action.kind) for action in legal)
            generator, number = chance.below(generator, len(legal))
            state.do(legal[number])


def explanations(slug: str) -> Iterator[tuple[str, str]]:
    text = (ROOT / "docs" / "writing-a-lesson.md").read_text(encoding="utf-8")
    for row in re.findall(rf"^\| {slug} \| (.+?) \| .+ \|$", text, re.MULTILINE):
        yield from re.findall(r"(kind|phase) `([^`]+)`", row)
