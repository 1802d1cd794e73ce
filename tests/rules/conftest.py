"""What players read in every test of a rule: the log, refusals, outlooks, the next question and what may be done then.

In square brackets is a mark for what would make too long a list: what may be done, what some of it leads to, and why
some other things may not be done.
``told.txt`` of a game holds it as it was when it was last read. Where a test does the same and players are told
something else, the test fails with the difference. If that is meant, ``pytest tests/rules/<game> --tell`` writes the
file anew, and its difference is what has to be judged. A test that is new, or does something else, is not compared
before that; nor is one that plays whole games.
"""

from __future__ import annotations

import difflib
import json
import random
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from counterblow import Citation, Event, Forecast, Game, PositionError
from counterblow.kernel.state import State
from tests.refusals import thought_of

FOLDER = Path(__file__).parent
LONGEST = 70  # positions, actions and refusals of one test
DOES = ("=  ", "> ", "! ", "~ ")  # a position, an action, a refused one, one whose outlook is asked for


REFUSED, FORETOLD = 6, 2  # drawn for a mark


class Line(str):
    """What is told, and what its mark stands for."""

    more: list[Any]


def marked(text: str, *more: Any) -> Line:
    line = Line(f"  {text} [{zlib.crc32(json.dumps(more).encode()) & 0xFFFF:04x}]")
    line.more = [*more]
    return line


def position(*args: Any, **named: Any) -> str:
    """Known by its mark: the test itself tells what it is."""
    return f"={marked('a position', json.dumps([*args, named], default=lambda several: sorted(map(str, several))))}"


def entry(event: Event) -> Line:
    """An entry of the log as each side reads it, with a mark for what is lit on the map."""
    readers = dict.fromkeys(str(event.seen_by(side)) for side in (0, 1, None))
    return marked(" / ".join(readers), event.kind, event.units, event.nodes, event.dice)


def question(s: State) -> Line:
    decision = s.decision
    if decision is None:
        return marked(f"over: {s.result}")
    chooser = random.Random(4)
    tried, may = s.copy(), sorted(s.legal(), key=str)
    outlooks = [(str(a), outlook(tried.forecast(a))) for a in (chooser.choice(may) for _ in range(FORETOLD))]
    others = [thought_of(tried, chooser) for _ in range(REFUSED)]
    why_not = [(str(action), *map(str, tried.why_not(action))) for action in others]
    told = (s.turn, s.phase, decision.to_json(), [str(action) for action in may], outlooks, why_not)
    return marked(f"{decision.side}: {decision.prompt}", *told)


def outlook(found: Forecast | None) -> Any:
    return found and found.to_json()


class Listener:
    """Listens to the states of one test."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.lines: list[str] = []
        self.deep = False  # inside of an action, where others are tried
        for kind, name, tell in (
            (State, "do", self.do), (State, "why_not", self.why_not), (State, "forecast", self.forecast),
            (Game, "position", self.begin), (Game, "start", self.begin),
        ):  # fmt: skip
            monkeypatch.setattr(kind, name, self.listening(getattr(kind, name), tell))

    def listening(self, plain: Callable[..., Any], tell: Callable[..., None]) -> Callable[..., Any]:
        def listened(about: Any, *args: Any, **named: Any) -> Any:
            if self.deep or len(self.lines) > LONGEST * 5:
                return plain(about, *args, **named)
            self.deep = True
            try:
                found = plain(about, *args, **named)
                tell(about, found, *args, **named)
            except PositionError as error:
                self.lines += [position(**named), f"  {error}"]
                raise
            finally:
                self.deep = False
            return found

        return listened

    def begin(self, game: Game, s: State, *args: Any, **named: Any) -> None:
        self.lines += [position(*args, **named), *(entry(event) for event in s.events), question(s)]

    def do(self, s: State, events: list[Event], action: Any) -> None:
        self.lines += [f"> {action}", *(entry(event) for event in events), question(s)]

    def why_not(self, s: State, reasons: list[Citation], action: Any) -> None:
        self.lines += [f"! {action}", *(f"  {reason.rule}: {reason.text}" for reason in reasons)]

    def forecast(self, s: State, found: Forecast | None, action: Any) -> None:
        self.lines += [f"~ {action}", marked(str(found and found.title), outlook(found))]

    def done(self) -> list[str]:
        return [line for line in self.lines if line.startswith(DOES)]


@cache
def known(slug: str) -> dict[str, list[str]]:
    """What is told in each test of a game."""
    found: dict[str, list[str]] = {}
    path = FOLDER / slug / "told.txt"
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        if line.startswith("# "):
            lines = found[line[2:]] = []
        else:
            lines.append(line)
    return found


@pytest.fixture(autouse=True)
def told(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    path = request.path.relative_to(FOLDER)
    if len(path.parts) < 2:
        yield
        return
    listener = Listener(monkeypatch)
    yield
    monkeypatch.undo()
    slug, name = path.parts[0], f"{path.name}::{request.node.name}"
    if len(listener.done()) > LONGEST or not listener.lines:
        return
    if request.config.getoption("--tell"):
        request.config.stash.setdefault(TOLD, {}).setdefault(slug, {})[name] = listener.lines
        return
    before = known(slug).get(name, [])
    if [line for line in before if line.startswith(DOES)] == listener.done() and before != listener.lines:
        differs = "\n".join(difflib.unified_diff(before, listener.lines, "was told", "is told", lineterm="", n=9))
        now = [line for old, line in zip(before, listener.lines, strict=False) if old != line]
        more = "\n".join(str(part) for line in now[:1] for part in getattr(line, "more", ()))
        pytest.fail(f"the same is done, and something else is told (tests/rules/conftest.py):\n{differs}\n[{more}]")


TOLD = pytest.StashKey[dict[str, dict[str, list[str]]]]()


def pytest_sessionfinish(session: pytest.Session) -> None:
    for slug, tests in session.config.stash.get(TOLD, {}).items():
        files = {name.partition("::")[0] for name in tests}
        kept = {name: lines for name, lines in known(slug).items() if name.partition("::")[0] not in files}
        found = sorted((kept | tests).items(), key=lambda item: item[0].partition("::")[0])
        text = "\n".join("\n".join([f"# {name}", *lines]) for name, lines in found)
        (FOLDER / slug / "told.txt").write_text(text + "\n", encoding="utf-8")
