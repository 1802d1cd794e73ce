"""A search over a game's rules that understands what players ask.

Every word of the question is looked for in titles, texts and the glossary, together with words that mean nearly the
same (``words.toml`` and the glossary). A rule scores for each word of the question once, by its best match (bm25 of
SQLite's full-text index, so rare words count more), and more the more of the words it answers.
"""

from __future__ import annotations

import math
import re
import sqlite3
import threading
import tomllib
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import resources
from typing import NamedTuple

from counterblow.kernel.game import Game
from counterblow.kernel.rulebook import Rule
from counterblow.learn.glossary import Term, glossary

TITLE, TEXT, CHAPTER = 3.0, 1.0, 0.6  # how much a word counts where it stands
NEAR = 0.5  # a word that means nearly the same, against the very word
STRANGE = 0.7  # the same, where the rulebook does not have the very word at all
TERM = 5.0  # a rule to which the glossary leads for a word of the question
MEANT = 2.7  # the same, by a word that means nearly the same
ASIDE = 0.6  # components and notes: seldom what was asked for
LONGEST_QUESTION = 200  # letters: what is longer is no question


class Found(NamedTuple):
    """A rule that answers, and how well."""

    rule: Rule
    score: float


@dataclass(frozen=True)
class _Wanted:
    """One word of a question, with those that mean nearly the same, and the rules to which the glossary leads."""

    word: str
    near: tuple[str, ...]
    terms: dict[str, float]  # each with what it is worth


class Search:
    """Made once for a game; may be asked from several threads."""

    def __init__(self, game: Game, chapters: dict[str, str] | None = None) -> None:
        self.game = game
        self._lock = threading.Lock()
        self._index = sqlite3.connect(":memory:", check_same_thread=False)
        columns = "id unindexed, title, text, chapter, tokenize='porter unicode61'"
        self._index.execute(f"create virtual table rules using fts5({columns})")
        for rule in game.rules.values():
            chapter = (chapters or {}).get(rule.id, "")
            self._index.execute("insert into rules values (?, ?, ?, ?)", (rule.id, rule.title, rule.text, chapter))
        common = tomllib.loads((resources.files("counterblow.learn") / "words.toml").read_text(encoding="utf-8"))
        self._empty = frozenset(common["empty"])
        self._near: dict[str, dict[str, None]] = defaultdict(dict)
        for line in common["same"]:
            self._learn(line, line)
        for entry in common["said"]:
            self._learn(entry["words"], entry["rules"])
        self._terms: dict[str, Term] = {}
        for term in glossary(game):
            for word in term.words:
                self._terms.setdefault(_stem(_plain(word)), term)

    def _learn(self, words: Iterable[str], near: Iterable[str]) -> None:
        """Whoever says one of these words may mean one of those."""
        line = [_plain(word) for word in near]
        for word in map(_plain, words):
            self._near[_stem(word)].update(dict.fromkeys(other for other in line if other != word))

    def find(self, question: str, most: int = 12) -> list[Found]:
        """The rules that answer, best first. A rule id finds that rule and its chapter, in their order."""
        asked = question.strip().rstrip(".")[:LONGEST_QUESTION]
        by_id = self.chapter(asked)
        if by_id:
            return [Found(rule, 1.0) for rule in by_id[:most]]
        if re.fullmatch(r"\d+(\.\w+)+", asked):
            return []  # a rule id, but of no rule here
        looks = [self._look(word) for word in self._read(asked)]
        weights = [self._rarity(len(look)) for look in looks]
        order = {rule: number for number, rule in enumerate(self.game.rules)}
        found: list[Found] = []
        for rule in {rule for look in looks for rule in look}:
            score = sum(look.get(rule, 0.0) for look in looks)
            answered = sum(weight for look, weight in zip(looks, weights, strict=True) if rule in look)
            aside = ASIDE if self.game.rules[rule].kind in ("component", "note") else 1.0
            found.append(Found(self.game.rules[rule], aside * score * answered / sum(weights)))
        found.sort(key=lambda hit: (-hit.score, order[hit.rule.id]))
        return found[:most]

    def chapter(self, start: str) -> list[Rule]:
        """The rules whose id is this or begins with it: 9.5 is 9.5, 9.5.1 and 9.5a, but not 9.51."""
        begins = re.compile(re.escape(start) + r"(?:\.|[a-z]|$)") if start else re.compile("$")
        return [rule for rule in self.game.rules.values() if begins.match(rule.id)]

    def _rarity(self, rules: int) -> float:
        """How much a word that so many rules have tells: those that stand everywhere tell little."""
        return math.log(1 + (len(self.game.rules) + 0.5) / (rules + 0.5))

    def _read(self, question: str) -> list[_Wanted]:
        """The words of a question that mean something; phrases that the glossary or the synonyms know stay together."""
        words = _plain(question).split()
        wanted: list[_Wanted] = []
        while words:
            length = next((n for n in (4, 3, 2) if self._known(" ".join(words[:n])) and len(words) >= n), 1)
            word = " ".join(words[:length])
            words = words[length:]
            if length > 1 or word not in self._empty:
                wanted.append(self._wanted(word))
        return wanted

    def _known(self, phrase: str) -> bool:
        return _stem(phrase) in self._terms or _stem(phrase) in self._near

    def _wanted(self, word: str) -> _Wanted:
        near = dict(self._near.get(_stem(word), ()))
        term = self._terms.get(_stem(word))
        meant = [self._terms[_stem(other)] for other in near if _stem(other) in self._terms]
        if term is not None:
            near.update(dict.fromkeys(_plain(other) for other in term.words))
        near.pop(word, None)
        led = {rule: MEANT / (1 + number / 4) for other in meant for number, rule in enumerate(other.rules)}
        led |= {rule: TERM / (1 + number / 4) for number, rule in enumerate(term.rules if term is not None else ())}
        return _Wanted(word, tuple(near), led)

    def _look(self, wanted: _Wanted) -> dict[str, float]:
        """Every rule that has the word or one like it, with its best score."""
        best = self._match(wanted.word)
        worth = NEAR if best else STRANGE
        for word in wanted.near:
            for rule, score in self._match(word).items():
                best[rule] = max(best.get(rule, 0.0), worth * score)
        for rule, score in wanted.terms.items():
            best[rule] = best.get(rule, 0.0) + score
        return best

    def _match(self, words: str) -> dict[str, float]:
        with self._lock:
            rows = self._index.execute(
                "select id, bm25(rules, 0, ?, ?, ?) from rules where rules match ?",
                (TITLE, TEXT, CHAPTER, f'"{words}"'),
            ).fetchall()
        return {rule: -score for rule, score in rows}


def _stem(words: str) -> str:
    """The words without their endings, so that synonyms are found for every form."""
    return " ".join(re.sub(r"(?<=\w{3})(?:e?s|ed|ing|e)$", "", word) for word in words.split())


def _plain(text: str) -> str:
    """Small letters and digits, single spaces: what the index and the synonyms know."""
    return " ".join(re.findall(r"[^\W_]+", re.sub(r"['\u2019](?:s|t|re|ve|ll|d|m)\b", "", text.casefold())))
