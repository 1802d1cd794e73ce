"""Lessons: a position, and steps in which the pupil acts on the real board.

A lesson is a TOML file (``games/<slug>/lessons/*.toml``, see docs/writing-a-lesson.md). It speaks through the one door:
the texts of actions, the labels of hexes, the names of units and phases, the ids of rules.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

from counterblow.kernel.errors import CounterblowError, DataError, unknown
from counterblow.kernel.game import Game

Choice = tuple[str, ...]  # texts of actions, any of which will do

LESSON_KEYS = ("game", "title", "about", "side", "teaches", "minutes", "position", "scenario", "step", "after")
STEP_KEYS = ("read", "light", "rules", "do", "until", "play", "forbidden", "because", "otherwise", "wrong", "then")
WRONG_KEYS = ("do", "rule", "say")
UNTIL_KEYS = ("at", "gone", "empty", "phase", "turn", "over", "control", "decider")
LONGEST_READ = 420  # letters: one thing at a time


@dataclass(frozen=True)
class Wrong:
    """A wrong turn worth a word of its own. ``rule``: the referee refuses it by this rule; None: legal, but not now."""

    do: str
    say: str
    rule: str | None


@dataclass(frozen=True)
class Step:
    """One thing to read, and what the pupil should do then.

    Exactly one of: nothing (just read), ``do`` (one action after the other), ``until`` (anything legal, until something
    holds; ``play`` is how it can be done), ``forbidden`` (try it, and hear the referee).
    """

    number: int
    line: int  # in the file, for errors
    read: str
    light: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    do: tuple[Choice, ...] = ()
    until: tuple[tuple[str, Any], ...] = ()
    play: tuple[str, ...] = ()
    forbidden: str = ""
    because: str = ""
    otherwise: str = ""
    wrong: tuple[Wrong, ...] = ()
    then: tuple[str, ...] = ()

    @property
    def reading(self) -> bool:
        """Is there nothing to do but read and go on?"""
        return not (self.do or self.until or self.forbidden)


@dataclass(frozen=True)
class Lesson:
    """A lesson as its file has it, with the names in it checked."""

    game: Game
    name: str
    where: str  # the file, for errors
    title: str
    about: str
    side: str
    teaches: tuple[str, ...]
    minutes: int
    position: dict[str, Any]  # the arguments of Game.position, or of Game.start
    scenario: bool  # begins as a scenario, not as a position
    steps: tuple[Step, ...]
    after: str  # what to do with what was learned
    source: str = field(repr=False)  # the text of the file, to say where something stands

    def start(self) -> Any:
        """A fresh state."""
        if self.scenario:
            return self.game.start(**self.position)
        return self.game.position(**self.position)


class LessonError(DataError):
    """What is wrong in a lesson, and where."""


def lessons(game: Game) -> tuple[Lesson, ...]:
    """A game's lessons in their order; the file name gives order and name: 01-first-march.toml."""
    folder = resources.files(game.data.package) / "lessons"
    if not folder.is_dir():
        return ()
    files = sorted((file.name, file) for file in folder.iterdir() if file.name.endswith(".toml"))
    return tuple(read(game, file.read_text(encoding="utf-8"), f"{game.slug}/lessons/{name}") for name, file in files)


def read_file(path: Path, load: Any) -> Lesson:
    """A lesson from a file of one's own, which says for which game it is."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise LessonError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise LessonError(f"{path}: is not UTF-8 text") from None
    table = _toml(text, str(path))
    slug = table.get("game")
    if not isinstance(slug, str):
        raise LessonError(f'{path}: "game" is missing: say for which game the lesson is, game = "leningrad"')
    try:
        game = load(slug)
    except CounterblowError as error:
        raise LessonError(f"{path}: {error}") from None
    return read(game, text, str(path))


def read(game: Game, text: str, where: str) -> Lesson:
    """A lesson from its text. Checks the form; whether it can be played is for ``check`` to say."""
    table = _toml(text, where)
    return _Reader(game, where, text).lesson(table)


def _toml(text: str, where: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise LessonError(f"{where}: not valid TOML: {error}") from None


def _opens(line: str) -> bool:
    return re.match(r"\s*\[\[\s*step\s*\]\]", line) is not None


class _Reader:
    """Reads one file; every error names the file, the line where the step begins, and the field."""

    def __init__(self, game: Game, where: str, text: str) -> None:
        self.game = game
        self.where = where
        self.text = text
        self.lines = [number for number, line in enumerate(text.splitlines(), 1) if _opens(line)]

    def lesson(self, table: dict[str, Any]) -> Lesson:
        self._keys(table, LESSON_KEYS, self.where)
        if "game" in table and table["game"] != self.game.slug:
            raise LessonError(f'{self.where}: "game" is {table["game"]!r}, but the lesson lies with {self.game.slug}')
        side = self._text(table, "side", self.where)
        if side not in self.game.sides:
            raise LessonError(f"{self.where}: " + unknown("side", side, self.game.sides))
        if ("position" in table) == ("scenario" in table):
            raise LessonError(f"{self.where}: a lesson has either a [position] or a [scenario]")
        given = table.get("position", table.get("scenario"))
        if not isinstance(given, dict):
            raise LessonError(f'{self.where}: "position" should be a table, not {given!r}')
        position = {key: tuple(value) if key == "dice" else value for key, value in given.items()}
        steps = table.get("step", [])
        if not isinstance(steps, list) or not steps:
            raise LessonError(f"{self.where}: a lesson needs at least one [[step]]")
        minutes = table.get("minutes", 3)
        if isinstance(minutes, bool) or not isinstance(minutes, int) or not 1 <= minutes <= 10:
            raise LessonError(f'{self.where}: "minutes" should be a whole number from 1 to 10, not {minutes!r}')
        return Lesson(
            self.game,
            re.sub(r"^\d+-", "", Path(self.where).stem),
            self.where,
            self._text(table, "title", self.where),
            self._text(table, "about", self.where),
            side,
            self._rules(table, "teaches", self.where),
            minutes,
            position,
            "scenario" in table,
            tuple(self._step(number, step) for number, step in enumerate(steps, 1)),
            self._text(table, "after", self.where, ""),
            self.text,
        )

    def _step(self, number: int, table: dict[str, Any]) -> Step:
        line = self.lines[number - 1] if number <= len(self.lines) else 0
        place = f"{self.where}, line {line} (step {number})"
        self._keys(table, STEP_KEYS, place)
        kinds = [key for key in ("do", "until", "forbidden") if key in table]
        if len(kinds) > 1:
            raise LessonError(f"{place}: has {' and '.join(kinds)}, but a step has only one of do, until and forbidden")
        text = self._text(table, "read", place)
        if len(text) > LONGEST_READ:
            raise LessonError(
                f'{place}: "read" has {len(text)} letters; {LONGEST_READ} are the most: make two steps of it'
            )
        forbidden, because = self._text(table, "forbidden", place, ""), self._text(table, "because", place, "")
        if bool(forbidden) != bool(because):
            raise LessonError(f'{place}: "forbidden" and "because" (the rule that refuses it) go together')
        if because:
            self._rule(because, place)
        until = self._until(table.get("until", {}), place)
        play = self._texts(table, "play", place)
        if bool(until) != bool(play):
            raise LessonError(f'{place}: "until" and "play" (how it can be done, action by action) go together')
        if "otherwise" in table and "do" not in table:
            raise LessonError(f'{place}: "otherwise" is said when something else is done than "do", which is missing')
        return Step(
            number,
            line,
            text,
            self._places(table, place),
            self._rules(table, "rules", place),
            self._do(table, place),
            until,
            play,
            forbidden,
            because,
            self._text(table, "otherwise", place, ""),
            self._wrong(table, place),
            self._texts(table, "then", place),
        )

    def _do(self, table: dict[str, Any], place: str) -> tuple[Choice, ...]:
        given = table.get("do", [])
        line = [given] if isinstance(given, str) else given
        if not isinstance(line, list) or not all(_is_choice(one) for one in line):
            raise LessonError(f'{place}: "do" should be an action, or a list of actions one after the other; '
                              "a list in the list means any one of them")  # fmt: skip
        return tuple((one,) if isinstance(one, str) else tuple(one) for one in line)

    def _until(self, table: Any, place: str) -> tuple[tuple[str, Any], ...]:
        if not isinstance(table, dict):
            raise LessonError(f'{place}: "until" should be a table, such as {{ phase = "german.combat" }}')
        self._keys(table, UNTIL_KEYS, f"{place}: until")
        for unit, hexes in table.get("at", {}).items():
            self._unit(unit, place)
            for label in [hexes] if isinstance(hexes, str) else hexes:
                self._place(label, place)
        for unit in table.get("gone", []):
            self._unit(unit, place)
        for label in [*table.get("empty", []), *table.get("control", {})]:
            self._place(label, place)
        return tuple(table.items())

    def _unit(self, name: str, place: str) -> None:
        try:
            self.game.unit(name)
        except CounterblowError as error:
            raise LessonError(f"{place}: {error}") from None

    def _wrong(self, table: dict[str, Any], place: str) -> tuple[Wrong, ...]:
        found = []
        for number, entry in enumerate(table.get("wrong", []), 1):
            here = f"{place}: wrong turn {number}"
            self._keys(entry, WRONG_KEYS, here)
            rule = entry.get("rule")
            if rule is not None:
                self._rule(rule, here)
            found.append(Wrong(self._text(entry, "do", here), self._text(entry, "say", here), rule))
        return tuple(found)

    def _places(self, table: dict[str, Any], place: str) -> tuple[str, ...]:
        return tuple(self._place(label, place) for label in self._texts(table, "light", place))

    def _place(self, label: str, place: str) -> str:
        if label not in self.game.board:
            raise LessonError(f"{place}: " + unknown("hex or area", label, self.game.board.labels))
        return label

    def _rules(self, table: dict[str, Any], key: str, place: str) -> tuple[str, ...]:
        return tuple(self._rule(rule, place) for rule in self._texts(table, key, place))

    def _rule(self, rule: str, place: str) -> str:
        if rule not in self.game.rules:
            raise LessonError(f"{place}: " + unknown("rule", rule, self.game.rules))
        return rule

    def _texts(self, table: dict[str, Any], key: str, place: str) -> tuple[str, ...]:
        given = table.get(key, [])
        if not isinstance(given, list) or not all(isinstance(one, str) for one in given):
            raise LessonError(f'{place}: "{key}" should be a list of texts, not {given!r}')
        return tuple(given)

    def _text(self, table: dict[str, Any], key: str, place: str, default: str | None = None) -> str:
        given = table.get(key, default)
        if not isinstance(given, str) or (default is None and not given.strip()):
            said = "is missing" if key not in table else f"should be a text, not {given!r}"
            raise LessonError(f'{place}: "{key}" {said}')
        return " ".join(given.split())

    def _keys(self, table: Any, known: Iterable[str], place: str) -> None:
        if not isinstance(table, dict):
            raise LessonError(f"{place}: should be a table, not {table!r}")
        for key in table:
            if key not in known:
                raise LessonError(f"{place}: " + unknown("field", key, known))


def _is_choice(given: Any) -> bool:
    return isinstance(given, str) or (
        isinstance(given, list) and bool(given) and all(isinstance(one, str) for one in given)
    )
