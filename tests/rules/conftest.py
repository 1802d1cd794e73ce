"""What players read in every test of a rule: the log, refusals, outlooks, the next question and what may be done then.

``told.txt`` of a game has a mark for each test: where players are told something else than when it was written, the
test fails and tells what it is now. If that is meant, or the test is new, ``pytest tests/rules/<game> --tell`` writes
the marks anew; with ``--tell-text FOLDER`` the whole text goes into a folder, once before and once after a change, so
that the difference can be judged by the rulebook. Tests that play whole games are left out.
"""

from __future__ import annotations

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
LONGEST = 350  # lines of one test
REFUSED, FORETOLD = 6, 2  # drawn for a mark


def marked(text: str, *more: Any) -> str:
    """What is told, and what would make too long a list as a mark: what may be done, why some of the rest may not."""
    return f"  {text} [{zlib.crc32(json.dumps(more).encode()) & 0xFFFF:04x}]"


def position(*args: Any, **named: Any) -> str:
    """Known by its mark: the test itself tells what it is."""
    return f"={marked('a position', json.dumps([*args, named], default=lambda several: sorted(map(str, several))))}"


def entry(event: Event) -> str:
    """An entry of the log as each side reads it, with a mark for what is lit on the map."""
    readers = dict.fromkeys(str(event.seen_by(side)) for side in (0, 1, None))
    return marked(" / ".join(readers), event.kind, event.units, event.nodes, event.dice)


def question(s: State) -> str:
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
            if self.deep or len(self.lines) > LONGEST:
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


@cache
def known(slug: str) -> dict[str, str]:
    """The mark of each test of a game."""
    path = FOLDER / slug / "told.txt"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return dict(line.rsplit(" ", 1) for line in lines)


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
    if not 0 < len(listener.lines) <= LONGEST:
        return
    text = "\n".join(listener.lines)
    mark = f"{zlib.crc32(text.encode()):08x}"
    folder = request.config.getoption("--tell-text")
    if folder:
        file = Path(folder) / slug / f"{name.replace('/', '_')}.txt"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text + "\n", encoding="utf-8")
    if request.config.getoption("--tell"):
        request.config.stash.setdefault(TOLD, {}).setdefault(slug, {})[name] = mark
    elif not folder and known(slug).get(name) != mark:
        pytest.fail(f"a new test, or players are told something else in it (see tests/rules/conftest.py):\n{text}")


TOLD = pytest.StashKey[dict[str, dict[str, str]]]()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Marks of tests that are gone go too, where the whole of their files was run."""
    for slug, tests in session.config.stash.get(TOLD, {}).items():
        some = session.config.option.keyword or any("::" in arg for arg in session.config.args)
        files = set() if some else {name.partition("::")[0] for name in tests}
        kept = {name: mark for name, mark in known(slug).items() if name.partition("::")[0] not in files}
        lines = [f"{name} {mark}" for name, mark in sorted((kept | tests).items())]
        (FOLDER / slug / "told.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
