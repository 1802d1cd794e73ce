"""The search answers questions in players' own words."""

from __future__ import annotations

import threading
import tomllib
from pathlib import Path

import pytest

import counterblow
from counterblow.learn.rulebook import rulebook
from counterblow.learn.search import LONGEST_QUESTION, Search

QUESTIONS = Path(__file__).parent / "questions"
ENOUGH = 27  # of thirty
ENOUGH_FURTHER = 7  # of ten on which the search was not improved


def asked(slug: str, part: str) -> dict[str, list[str]]:
    table: dict[str, dict[str, list[str]]] = tomllib.loads((QUESTIONS / f"{slug}.toml").read_text(encoding="utf-8"))
    return table[part]


def missed(slug: str, questions: dict[str, list[str]]) -> list[str]:
    """The questions that do not find one of their rules among the first three answers."""
    book = rulebook(counterblow.load(slug))
    found: list[str] = []
    for question, answers in questions.items():
        assert set(answers) <= set(book.game.rules), f"{question}: expects a rule that does not exist"
        first = [hit.rule.id for hit in book.find(question, 3)]
        if not set(answers) & set(first):
            found.append(f"{question}: {first}, not {answers}")
    return found


@pytest.mark.parametrize("slug", counterblow.games())
def test_thirty_questions_find_their_rule_among_the_first_three(slug: str) -> None:
    unseen, own = asked(slug, "unseen"), asked(slug, "questions")
    assert (len(unseen), len(own)) == (10, 20)
    wrong = missed(slug, {**unseen, **own})
    assert len(wrong) <= 30 - ENOUGH, "\n".join(wrong)


@pytest.mark.parametrize("slug", counterblow.games())
def test_most_new_questions_find_their_rule_too(slug: str) -> None:
    further = asked(slug, "further")
    assert len(further) == 10
    wrong = missed(slug, further)
    assert len(wrong) <= 10 - ENOUGH_FURTHER, "\n".join(wrong)


def test_a_rule_id_finds_the_rule_and_its_cases() -> None:
    book = rulebook(counterblow.load("narva"))
    assert [hit.rule.id for hit in book.find("2.5.3")] == ["2.5.3" + case for case in "abcdefg"]
    assert [hit.rule.id for hit in book.find("9.5.6.")] == ["9.5.6a", "9.5.6b", "9.5.6c", "9.5.6d"]
    assert [rule.id for rule in book.chapter("10.3")] == ["10.3.1", "10.3.2"]


def test_rare_words_weigh_more_than_words_that_stand_everywhere() -> None:
    book = rulebook(counterblow.load("leningrad"))
    assert all("factory" in hit.rule.text for hit in book.find("a unit of the Kirov factory", 3))


def test_contractions_and_slang_are_understood() -> None:
    book = rulebook(counterblow.load("narva"))
    asked = book.find("What's the tank's limit? They can't", 5)
    assert [hit.rule.id for hit in asked] == [hit.rule.id for hit in book.find("tank limit", 5)]
    assert book.find("the shelled guys are stuck", 3)[0].rule.id.startswith("2.5.1")
    assert "12.5" in [hit.rule.id for hit in rulebook(counterblow.load("noretreat")).find("how do I kill Hitler", 3)]


def test_an_unknown_rule_id_is_not_taken_for_words() -> None:
    assert rulebook(counterblow.load("leningrad")).find("99.9") == []


@pytest.mark.parametrize(
    "question", ["", "   ", "?!", 'a "quoted" OR (broken', "the of and", "zzz qqq", "NEAR(", "*", "-"]
)
def test_odd_questions_find_nothing_or_something_but_never_fail(question: str) -> None:
    found = rulebook(counterblow.load("narvik")).find(question)
    assert all(hit.score > 0 for hit in found)


def test_a_very_long_question_is_cut() -> None:
    book = rulebook(counterblow.load("noretreat"))
    assert book.find("rail " + "x" * LONGEST_QUESTION * 50)[0].rule.id.startswith("9.")


def test_several_threads_may_ask_at_once() -> None:
    search = Search(counterblow.load("narva"))
    answers: list[str] = []
    threads = [
        threading.Thread(target=lambda: answers.append(search.find("stacking limit")[0].rule.id)) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == ["7.0a"] * 8
