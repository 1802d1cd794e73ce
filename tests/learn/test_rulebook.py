"""The rulebook as a reader sees it."""

from __future__ import annotations

from pathlib import Path

import pytest

import counterblow
from counterblow.kernel.errors import DataError
from counterblow.learn.glossary import glossary
from counterblow.learn.guide import guide
from counterblow.learn.rulebook import Rulebook, rulebook

SLUGS = counterblow.games()


@pytest.mark.parametrize("slug", SLUGS)
def test_every_chapter_has_a_title_and_all_rules_stand_in_their_order(slug: str) -> None:
    book = rulebook(counterblow.load(slug))
    assert [chapter.title for chapter in book.chapters if chapter.title.startswith("Chapter ")] == []
    listed = [rule.id for chapter in book.chapters for rule in chapter.rules]
    assert sorted(listed) == sorted(book.game.rules)
    assert set(book.guide.chapters) == {chapter.id for chapter in book.chapters}


@pytest.mark.parametrize("slug", SLUGS)
def test_every_pointer_of_a_rule_leads_somewhere(slug: str) -> None:
    book = rulebook(counterblow.load(slug))
    for rule in book.game.rules.values():
        links = book.links[rule.id]
        assert not rule.see or links.see or links.rulings, f"{rule.id} points at {rule.see}, which is nowhere"
        assert rule.id not in links.see + links.exceptions


def test_links_tell_exceptions_from_see_also_and_lead_back() -> None:
    links = rulebook(counterblow.load("leningrad")).links
    assert "2.7" in links["2.6"].exceptions
    assert "2.7" not in links["2.6"].see
    assert "2.6" in links["2.9"].see
    assert "2.9" in links["2.6"].see
    assert "D54" in links["1.5"].rulings


def test_a_section_stands_for_its_first_rule() -> None:
    links = rulebook(counterblow.load("narvik")).links
    assert "14.3.2.a" in links["2.3.5.c"].see


def test_rulings_are_read_in_all_their_forms() -> None:
    texts = {slug: rulebook(counterblow.load(slug)).rulings for slug in SLUGS}
    assert texts["leningrad"]["D3"].startswith('Is "less than 1:5" tested before or after shifts? Before')
    assert texts["narvik"]["D13"].endswith("Alternatives, never both.")
    assert texts["noretreat"]["10"].startswith("§12.7.5")
    assert texts["narva"]["29"].count("ferry") >= 1
    assert texts["narva"]["29"].endswith("share one limit.")


@pytest.mark.parametrize("slug", SLUGS)
def test_the_glossary_explains_in_short_and_says_where_to_read_on(slug: str) -> None:
    terms = glossary(counterblow.load(slug))
    assert len(terms) >= 25
    names = [word.casefold() for term in terms for word in term.words]
    assert len(names) == len(set(names)), sorted({name for name in names if names.count(name) > 1})
    for term in terms:
        assert 20 <= len(term.text) <= 260, term.name
        assert term.rules


@pytest.mark.parametrize("slug", SLUGS)
def test_the_guide_speaks_of_every_phase_in_which_a_standard_game_asks(slug: str) -> None:
    """The first two turns of a few games: every phase with a decision has its hint."""
    game = counterblow.load(slug)
    book = rulebook(game)
    silent = set()
    for seed in range(3):
        state = game.start(seed=seed)
        while not state.over and state.turn <= 2:
            if book.guide.hint(state.phase, state.side) is None:
                silent.add((state.phase, state.side))
            state.do(state.legal()[seed % len(state.legal())])
    assert not silent
    assert book.guide.briefing is not None
    assert [seat.side for seat in book.guide.briefing.seats] == list(game.sides)


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("glossary.toml", '[[term]]\nname = "x"\ntext = "y"\nrules = ["99.9"]', 'term "x": unknown rule "99.9"'),
        ("glossary.toml", '[[term]]\nname = "x"\ntext = "y"', 'term "x": "rules" is missing'),
        ("glossary.toml", "[[term]]\n" * 2, 'term 1: "name" is missing'),
        ("guide.toml", '[chapters]\n1 = "A"', '"briefing" is missing'),
        ("guide.toml", '[chapters]\n[briefing]\nstory = "s"\nwon = "w"', 'briefing: "german" is missing'),
    ],
)
def test_what_is_wrong_in_a_data_file_is_said_with_its_place(
    tmp_path: Path, name: str, text: str, complaint: str
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    game = counterblow.load("leningrad", data=tmp_path)
    with pytest.raises(DataError) as wrong:
        (glossary if name == "glossary.toml" else guide)(game)
    assert str(tmp_path / name) in str(wrong.value)
    assert complaint in str(wrong.value)


def test_a_game_may_come_without_glossary_and_guide() -> None:
    from tests.service.toy import load_toy

    book = Rulebook(load_toy("toy"))
    assert book.glossary == ()
    assert book.guide.briefing is None
    assert book.chapters[0].title.startswith("Chapter ")
