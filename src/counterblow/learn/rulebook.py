"""The rulebook as a reader sees it: chapters in printed order, and every rule with its links."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources

from counterblow.kernel.game import Game
from counterblow.kernel.rulebook import Rule
from counterblow.learn.glossary import Term, glossary
from counterblow.learn.guide import Guide, guide
from counterblow.learn.search import Found, Search

# a reference that stands in a clause with one of these words is an exception or a condition, not just a "see also"
EXCEPTION = re.compile(r"except|exempt|unless|subject to|override|beyond", re.IGNORECASE)
RULING = re.compile(
    r"^(?:\| (?P<row>[A-Z]\d+) \| (?P<asked>[^|]+) \| (?P<settled>[^|]+) \|"  # a table row: | D1 | question | ruling |
    r"|- \*\*(?P<bullet>[A-Z]\d+)\. (?P<question>.+?)\*\* (?P<answer>.+)"  # - **D1. question** ruling
    r"|(?P<number>\d+)\. (?P<text>.+))$"  # 1. ruling
)


@dataclass(frozen=True)
class Links:
    """What a reader of one rule may want to read next."""

    see: tuple[str, ...] = ()  # rules that it names, or that name it
    exceptions: tuple[str, ...] = ()  # rules that it names as exceptions or conditions
    rulings: tuple[str, ...] = ()  # how its open questions were settled
    lessons: tuple[str, ...] = ()  # the lessons that teach it


@dataclass(frozen=True)
class Chapter:
    """A chapter with its rules, in the order of the rulebook."""

    id: str
    title: str
    rules: tuple[Rule, ...]


class Rulebook:
    """The rules of a game with chapters, links, glossary and search. Made once per game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.guide: Guide = guide(game)
        self.glossary: tuple[Term, ...] = glossary(game)

    @cached_property
    def chapters(self) -> tuple[Chapter, ...]:
        """All chapters in their order."""
        found: dict[str, list[Rule]] = {}
        for rule in self.game.rules.values():
            found.setdefault(chapter_of(rule.id), []).append(rule)
        titles = self.guide.chapters
        return tuple(Chapter(key, titles.get(key, f"Chapter {key}"), tuple(rules)) for key, rules in found.items())

    @cached_property
    def rulings(self) -> dict[str, str]:
        """The entries of RULINGS.md by their id."""
        file = resources.files(self.game.data.package) / "RULINGS.md"
        text = file.read_text(encoding="utf-8") if file.is_file() else ""
        joined = re.sub(r"\n {2,}(?=\S)", " ", text)  # an entry may go on, indented, on the next lines
        found: dict[str, str] = {}
        for line in joined.splitlines():
            match = RULING.match(line)
            if match:
                key = match["row"] or match["bullet"] or match["number"]
                asked = match["asked"] or match["question"] or ""
                settled = match["settled"] or match["answer"] or match["text"] or ""
                found[key] = f"{asked.strip()} {settled.strip()}".strip()
        return found

    @cached_property
    def links(self) -> dict[str, Links]:
        """For each rule: what it names, its exceptions, the rulings about it, the lessons that teach it."""
        rules = self.game.rules
        see: dict[str, dict[str, None]] = {rule: {} for rule in rules}
        exceptions: dict[str, dict[str, None]] = {rule: {} for rule in rules}
        rulings: dict[str, dict[str, None]] = {rule: {} for rule in rules}
        for rule in rules.values():
            for named, clause in self._named(rule):
                (exceptions if EXCEPTION.search(clause) else see)[rule.id][named] = None
                see[named].setdefault(rule.id)
            for key in re.findall(r"[A-Z]?\d+[\w.]*", rule.see):
                if key in rules:
                    see[rule.id][key] = None
                elif key in self.rulings:
                    rulings[rule.id][key] = None
        for key, text in self.rulings.items():
            for named in self._ids(text):
                rulings[named][key] = None
        taught = self._taught()
        return {
            rule: Links(
                tuple(other for other in see[rule] if other != rule and other not in exceptions[rule]),
                tuple(other for other in exceptions[rule] if other != rule),
                tuple(rulings[rule]),
                taught.get(rule, ()),
            )
            for rule in rules
        }

    def _named(self, rule: Rule) -> list[tuple[str, str]]:
        """The rules that a rule's text names, each with the clause in which it stands."""
        clauses = re.split(r"[;,:]|\.(?=\s|$)", rule.text)
        return [(named, clause) for clause in clauses for named in self._ids(clause)]

    def _ids(self, text: str) -> list[str]:
        """The rules that a text names; a section (10.7.5) stands for its first rule (10.7.5.a, or 10.7.5a)."""
        found = [number.rstrip(".") for number in re.findall(r"(?<![\w.])\d+\.\d+[\w.]*", text)]
        return [self._section[number] for number in found if number in self._section]

    @cached_property
    def _section(self) -> dict[str, str]:
        sections: dict[str, str] = {rule: rule for rule in self.game.rules}
        for rule in self.game.rules:
            head = rule
            while head := re.sub(r"(?:[a-z]+|\.[^.]*)$", "", head):
                sections.setdefault(head, rule)
                if "." not in head:
                    break
        return sections

    def _taught(self) -> dict[str, tuple[str, ...]]:
        """The lessons that teach a rule: first those in which a step shows it, then those that name it as taught."""
        found: dict[str, dict[str, None]] = {}
        lessons = self.game.lessons
        shown = [(rule, lesson.name) for lesson in lessons for step in lesson.steps for rule in step.rules]
        named = [(rule, lesson.name) for lesson in lessons for rule in lesson.teaches]
        for rule, name in shown + named:
            found.setdefault(rule, {})[name] = None
        return {rule: tuple(names) for rule, names in found.items()}

    @cached_property
    def _search(self) -> Search:
        titles = {rule.id: chapter.title for chapter in self.chapters for rule in chapter.rules}
        return Search(self.game, titles)

    def chapter(self, start: str) -> list[Rule]:
        """The rules whose id is this or begins with it."""
        return self._search.chapter(start)

    def find(self, question: str, most: int = 12) -> list[Found]:
        """The rules that answer a question in a player's words, best first."""
        return self._search.find(question, most)


@cache
def rulebook(game: Game) -> Rulebook:
    """The rulebook of a game, made once."""
    return Rulebook(game)


def chapter_of(rule: str) -> str:
    """The chapter to which a rule belongs, by its id."""
    return rule.partition(".")[0]
