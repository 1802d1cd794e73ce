"""Rule -> code -> test: where each rule of a game lives, and which tests prove it.

A rule lives where its id stands next to what it rules: in a text, a docstring or a comment of a game's module, or in a
row of its data. What a module says at its top about itself does not count, nor do headings and the texts for readers.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import counterblow
from counterblow.kernel.rulebook import Rule

RULE_TESTS = Path(__file__).parent
GAMES = Path(counterblow.__file__).parent / "games"
FOR_READERS = ("rules.toml", "glossary.toml", "guide.toml")
ID = re.compile(r"(?<![\w.])\w+(?:\.\w+)+(?:-\d+(?![\w.]))?(?!\w)")  # 9.5.3, 2.5.1a, 13.5.1-2
MUST_BE_CITED = ("core", "optional")


class Entry(NamedTuple):
    """What is known of one rule."""

    rule: Rule
    places: tuple[str, ...]  # "movement.py:36 basic_factor", "data/tables.toml:12"
    tests: tuple[str, ...]

    @property
    def faults(self) -> tuple[str, ...]:
        """What is missing: its place, its test. Notes need neither, and of components the tests are the proof."""
        if self.rule.kind == "note":
            return ()
        uncited = ("cited nowhere",) if not self.places and self.rule.kind in MUST_BE_CITED else ()
        return uncited if self.tests else (*uncited, "no test")


def index(slug: str, tests: dict[str, list[str]]) -> list[Entry]:
    """Every rule of a game, in the order of its rules."""
    rules = counterblow.load(slug).rules
    places = cited(GAMES / slug, rules)
    return [Entry(rule, tuple(places.get(i, ())), tuple(tests.get(i, ()))) for i, rule in rules.items()]


def cited(folder: Path, known: Iterable[str]) -> dict[str, list[str]]:
    """Rule id -> the places in a game's folder that cite it, one for each function or row."""
    ids = set(known)
    found: dict[str, list[str]] = {}
    for path in sorted(folder.glob("*.py")):
        for line, owner, text in _words_of(path.read_text(encoding="utf-8")):
            _note(found, ids, text, f"{path.name}:{line} {owner}".rstrip())
    for path in sorted((folder / "data").glob("*.toml")):
        if path.name not in FOR_READERS:
            for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                quoted = " ".join(re.findall(r'"[^"]*"|#.*', text))  # a bare 7.5 is a number
                _note(found, ids, quoted, f"data/{path.name}:{number}")
    return found


def _note(found: dict[str, list[str]], ids: set[str], text: str, place: str) -> None:
    for rule_id in ids.intersection(ID.findall(text)):
        places = found.setdefault(rule_id, [])
        if _owner(place) not in [_owner(other) for other in places]:
            places.append(place)


def _owner(place: str) -> str:
    """A place without its line, if a function or class is named."""
    return re.sub(r":\d+ ", " ", place)


def _words_of(source: str) -> Iterator[tuple[int, str, str]]:
    """Line, function or class, and token of everything below the module's own docstring, but numbers and headings."""
    tree = ast.parse(source)
    spans = sorted(_spans(tree, ""))
    first = tree.body[0] if tree.body and ast.get_docstring(tree) is not None else None
    top = (first.end_lineno or 0) if first else 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        line = token.start[0]
        if line > top and token.type != tokenize.NUMBER and not token.string.startswith("# ---"):  # a heading
            owner = next((name for start, end, name in reversed(spans) if start <= line <= end), "")
            yield line, owner, token.string


def _spans(node: ast.AST, within: str) -> Iterator[tuple[int, int, str]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.ClassDef):
            name = f"{within}.{child.name}" if within else child.name
            yield child.lineno, child.end_lineno or child.lineno, name
            yield from _spans(child, name)


def marked(folder: Path) -> dict[str, list[str]]:
    """Rule id -> the tests of a folder that are marked with it."""
    found: dict[str, list[str]] = {}
    for path in sorted(folder.glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                for rule_id in _marks(node):
                    found.setdefault(rule_id, []).append(f"{path.name}::{node.name}")
    return found


def _marks(test: ast.FunctionDef) -> Iterator[str]:
    for mark in test.decorator_list:
        if isinstance(mark, ast.Call) and isinstance(mark.func, ast.Name) and mark.func.id == "rule":
            yield from (str(arg.value) for arg in mark.args if isinstance(arg, ast.Constant))


def table(slug: str, entries: list[Entry]) -> str:
    """The rules of a game as a table in Markdown."""
    rows = [f"## {slug}", "", "| rule | kind | title | code | tests |", "| --- | --- | --- | --- | --- |"]
    for entry in entries:
        code = "<br>".join(entry.places) or "-"
        tests = "<br>".join(entry.tests) or "-"
        rows.append(f"| {entry.rule.id} | {entry.rule.kind} | {entry.rule.title} | {code} | {tests} |")
    return "\n".join([*rows, ""])
