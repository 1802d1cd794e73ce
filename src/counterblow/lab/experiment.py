"""Experiments: a small TOML file that says which games are played, and the list of games that follows from it.

title = "Is Leningrad even?"
games = 100                  # seeds, the same for every setting: differences are paired
seed = 0

[[match]]
game = "leningrad"
players = ["plain", "random"]    # in the order of the sides
swap = true                      # and with the seats exchanged
options = { die_index = ["A", "B"] }     # a list: each in turn

[[variant]]                      # beside the game as shipped
name = "weaker panzers"
set = { "units.toml: unit[name=4. Panzer Gruppe].factor" = 5 }
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from itertools import product
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

import counterblow
from counterblow import players
from counterblow.kernel.errors import CounterblowError, unknown
from counterblow.lab import variants
from counterblow.lab.variants import AS_SHIPPED, Variant


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class MatchSpec(_Part):
    """One pairing: a game, its scenarios and options, and who plays."""

    game: str
    scenarios: Annotated[list[str], Field(min_length=1)] | None = None  # the first one if not given
    players: Annotated[list[str], Field(min_length=2, max_length=2)]
    swap: bool = False
    options: dict[str, Any] = {}


class VariantSpec(_Part):
    """Changed data: values by address, or a folder of corrected files, or both."""

    name: Annotated[str, Field(min_length=1)]
    game: str | None = None  # needed only when the experiment has several games
    set: dict[str, Any] = {}
    folder: str | None = None


class ExperimentSpec(_Part):
    """The whole file."""

    title: str = ""
    games: Annotated[int, Field(ge=1)]
    seed: int = 0
    match: Annotated[list[MatchSpec], Field(min_length=1)]
    variant: list[VariantSpec] = []


# What each key should hold, for those who wrote something else.
SHAPES = {
    "title": 'a text: title = "Is it even?"',
    "games": "a whole number from 1 up: games = 100",
    "seed": "a whole number: seed = 0",
    "match": 'one or more tables [[match]], each with "game" and "players"',
    "game": 'the name of a game: game = "leningrad"',
    "scenarios": 'a list of names: scenarios = ["campaign"]',
    "players": 'two names in the order of the sides: players = ["officer", "plain"]',
    "swap": "true or false: swap = true",
    "options": "a table of names and values: options = { fog = true }",
    "variant": 'tables [[variant]], each with "name", and "set" or "folder"',
    "name": 'a text: name = "weaker panzers"',
    "set": 'a table of addresses and values: set = { "units.toml: unit[name=4. Panzer Gruppe].factor" = 5 }',
    "folder": 'the name of a folder beside this file: folder = "my-data"',
}


def options_text(options: str) -> str:
    """Options, as a cell has them, in words."""
    return ", ".join(
        f"{name}={str(value).lower() if isinstance(value, bool) else value}"
        for name, value in json.loads(options).items()
    )


@dataclass(frozen=True)
class Cell:
    """One setting: all its games differ by their seeds alone."""

    game: str
    rules_version: str
    scenario: str
    options: str  # as JSON: those that differ from the game's defaults
    variant: Variant
    players: tuple[str, str]  # in the order of the sides
    swapped: bool = False  # the seats are exchanged against what the file says

    @property
    def label(self) -> str:
        """How the setting is called in tables."""
        parts = [
            self.game,
            self.scenario,
            options_text(self.options),
            "" if self.variant.name == AS_SHIPPED else self.variant.name,
        ]
        return " / ".join(filter(None, parts)) + f": {self.players[0]} - {self.players[1]}"

    @property
    def key(self) -> str:
        """The same for the same games: what an interrupted or extended run knows its finished games by."""
        parts = (version("counterblow"), self.game, self.rules_version, self.scenario, self.options,
                 self.variant.digest, *self.players)  # fmt: skip
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Experiment:
    """What is to be played: every cell with every seed."""

    title: str
    cells: tuple[Cell, ...]
    games: int
    seed: int

    @property
    def size(self) -> int:
        """How many games it is in all."""
        return self.games * len(self.cells)

    def jobs(self) -> Iterator[tuple[int, int]]:
        """(number of the cell, seed), seed by seed: what is played so far compares all cells."""
        for seed in range(self.seed, self.seed + self.games):
            for cell in range(len(self.cells)):
                yield cell, seed


def read(path: Path) -> Experiment:
    """The experiment in a file; errors name the file and the field."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise CounterblowError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise CounterblowError(f"{path}: not an experiment: it is not text") from None
    try:
        return build(tomllib.loads(text), path.parent)
    except tomllib.TOMLDecodeError as error:
        raise CounterblowError(f"{path}: not valid TOML: {error}") from None
    except CounterblowError as error:
        raise CounterblowError(f"{path}: {error}") from None


def build(data: dict[str, Any], folder: Path = Path()) -> Experiment:
    """An experiment from its data, checked down to the last player, option and changed value."""
    try:
        spec = ExperimentSpec.model_validate(data)
    except ValidationError as error:
        raise CounterblowError("; ".join(_complaint(found) for found in error.errors())) from None
    used: set[str] = set()
    slugs = {match.game for match in spec.match}
    for variant in spec.variant:
        if variant.game is None and len(slugs) > 1:
            raise CounterblowError(f'variant "{variant.name}": "game" is needed: the experiment has {len(slugs)} games')
        if variant.game is not None and variant.game not in slugs:
            raise CounterblowError(f'variant "{variant.name}": ' + unknown("game of a match", variant.game, slugs))
        if variant.name in used or variant.name == AS_SHIPPED:
            raise CounterblowError(f'variant "{variant.name}": the name is taken')
        used.add(variant.name)
        if not variant.set and variant.folder is None:
            raise CounterblowError(f'variant "{variant.name}" changes nothing: it needs "set" or "folder"')
    cells = [cell for number, match in enumerate(spec.match, 1)
             for cell in _cells(f"match[{number}]", match, spec.variant, folder)]  # fmt: skip
    return Experiment(spec.title, tuple(dict.fromkeys(cells)), spec.games, spec.seed)


@contextmanager
def _at(where: str) -> Iterator[None]:
    """What is wrong here is told with its place."""
    try:
        yield
    except CounterblowError as error:
        raise CounterblowError(f"{where}: {error}") from None


def _cells(where: str, match: MatchSpec, changed: list[VariantSpec], folder: Path) -> Iterator[Cell]:
    with _at(f"{where}.game"):
        game = counterblow.load(match.game)
    with _at(f"{where}.players"):
        for name in match.players:
            players.make(name)  # an unknown one is said here
    found = [Variant()]
    for spec in changed:
        if spec.game in (None, match.game):
            own = None if spec.folder is None else folder / spec.folder
            found.append(variants.make(match.game, spec.name, spec.set, own))
    for variant in found:
        with _at(f'variant "{variant.name}"'):
            variant.game(match.game)
    first, second = match.players
    seats = [((first, second), False)] + [((second, first), True)] * (match.swap and first != second)
    for scenario, options in product(match.scenarios or [game.scenarios[0].name], _settings(match.options)):
        with _at(where):
            state = game.start(scenario, 0, options)  # a wrong scenario or option is said here
        told = {name: value for name, value in state.options.items() if value != game.options[name].default}
        for variant in found:
            for pair, swapped in seats:
                yield Cell(match.game, game.version, scenario, json.dumps(told, sort_keys=True), variant, pair, swapped)


def _settings(options: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every combination of the option values that are given as lists."""
    lists = [value if isinstance(value, list) else [value] for value in options.values()]
    for values in product(*lists):
        yield dict(zip(options, values, strict=True))


def _complaint(found: Any) -> str:
    """'match[1].players is missing: it should be two names, ...'"""
    *_, key = named = [part for part in found["loc"] if isinstance(part, str)]
    where = "".join(f"[{part + 1}]" if isinstance(part, int) else f".{part}" for part in found["loc"]).lstrip(".")
    if found["type"] == "extra_forbidden":
        parts: dict[str, type[_Part]] = {"match": MatchSpec, "variant": VariantSpec}
        part = parts[named[0]] if len(named) > 1 else ExperimentSpec
        return f"{where}: {unknown('key', key, part.model_fields)}"
    if found["type"] == "missing":
        return f"{where} is missing: it should be {SHAPES[key]}"
    return f"{where} should be {SHAPES[key]}; it is {found['input']!r:.80}"
