"""The log of every match in one SQLite file: what is written here has happened, and nothing else has.

A match is its start (game, scenario, options, seed) and a log of entries that only grows: "do" with the action's text,
or "undo". Playing the entries again gives the state; ``seq`` counts the entries.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from counterblow.kernel.errors import CounterblowError

FILE = "matches.sqlite"
LAYOUT = 1  # of the tables below
TABLES = """
create table match (
    id text primary key, game text not null, rules_version text not null, scenario text not null,
    options text not null, seed text not null, seed_known integer not null, spectators integer not null,
    created text not null, updated text not null, seq integer not null, ply integer not null,
    turn_label text not null, decider text, result text
) strict, without rowid;
create table seat (
    match text not null references match(id), side text not null, kind text not null, player text, name text not null,
    secret blob, primary key (match, side)
) strict, without rowid;
create index seat_by_secret on seat(secret);
create table entry (
    match text not null references match(id), seq integer not null, action text, at text not null,
    primary key (match, seq)
) strict, without rowid;
"""


@dataclass(frozen=True)
class Seat:
    """Who plays a side. ``secret`` is the digest of a person's token."""

    side: str
    kind: str
    player: str | None
    name: str
    secret: bytes | None


@dataclass(frozen=True)
class Start:
    """All that a match began with."""

    id: str
    game: str
    rules_version: str
    scenario: str
    options: dict[str, Any]
    seed: int
    seed_known: bool
    spectators: bool
    seats: tuple[Seat, ...]


class Standing(NamedTuple):
    """How a match stands, for lists: written with every entry, so that a list needs no replay."""

    seq: int
    ply: int
    turn_label: str
    decider: str | None
    result: dict[str, Any] | None


class Row(NamedTuple):
    """A match as the store knows it."""

    start: Start
    standing: Standing
    created: str
    updated: str


class Store:
    """Used by one thread at a time."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(self.path, check_same_thread=False, isolation_level=None, timeout=10)
        except (OSError, sqlite3.Error) as error:
            raise CounterblowError(f"matches cannot be kept in {folder}: {error}") from None
        try:
            self._open()
        except (CounterblowError, sqlite3.Error) as error:
            self._db.close()
            raise CounterblowError(f"{self.path}: cannot be used: {error}") from None

    def _open(self) -> None:
        self._db.row_factory = sqlite3.Row
        self._db.execute("pragma journal_mode = wal")
        self._db.execute("pragma synchronous = full")  # an acknowledged action survives even a power cut
        self._db.execute("pragma foreign_keys = on")
        self._lay_out()

    def _lay_out(self) -> None:
        with self._writing():
            layout = self._db.execute("pragma user_version").fetchone()[0]
            if layout > LAYOUT:
                raise CounterblowError(f"written by a newer Counterblow (layout {layout}, not {LAYOUT})")
            if layout == 0:
                for statement in TABLES.split(";\n"):
                    self._db.execute(statement)
                self._db.execute(f"pragma user_version = {LAYOUT}")

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """One transaction: on disk when the block has ended, or not at all."""
        self._db.execute("begin immediate")
        try:
            yield
        except BaseException:
            self._db.execute("rollback")
            raise
        self._db.execute("commit")

    def close(self) -> None:
        self._db.close()

    # writing

    def add(self, start: Start, actions: Sequence[str], standing: Standing) -> None:
        """A new match, with the actions it was imported with."""
        now = _now()
        with self._writing():
            self._db.execute(
                "insert into match values (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                (start.id, start.game, start.rules_version, start.scenario, json.dumps(start.options), str(start.seed),
                 start.seed_known, start.spectators, now, now, *_standing_fields(standing)),
            )  # fmt: skip
            self._db.executemany(
                "insert into seat values (?,?,?,?,?,?)",
                [(start.id, s.side, s.kind, s.player, s.name, s.secret) for s in start.seats],
            )
            self._db.executemany(
                "insert into entry values (?,?,?,?)",
                [(start.id, number, action, now) for number, action in enumerate(actions, 1)],
            )

    def append(self, match: str, actions: Sequence[str | None], standing: Standing) -> str:
        """More entries (None: an undo), durable when this returns; of two with the same number only one gets in."""
        now = _now()
        first = standing.seq - len(actions) + 1
        with self._writing():
            self._db.executemany(
                "insert into entry values (?,?,?,?)",
                [(match, number, action, now) for number, action in enumerate(actions, first)],
            )
            self._db.execute(
                "update match set updated=?, seq=?, ply=?, turn_label=?, decider=?, result=? where id=?",
                (now, *_standing_fields(standing), match),
            )
        return now

    # reading

    def get(self, match: str) -> Row | None:
        row = self._db.execute("select * from match where id = ?", (match,)).fetchone()
        return None if row is None else self._row(row)

    def entries(self, match: str) -> list[str | None]:
        """The log from the start: an action's text, or None for an undo."""
        rows = self._db.execute("select action from entry where match = ? order by seq", (match,))
        return [row["action"] for row in rows]

    def of_secrets(self, secrets: Sequence[bytes]) -> list[tuple[Row, list[str]]]:
        """The matches in which these tokens hold seats, latest first, with the sides held."""
        sides: dict[str, list[str]] = {}
        for secret in secrets:
            for row in self._db.execute("select match, side from seat where secret = ?", (secret,)):
                sides.setdefault(row["match"], []).append(row["side"])
        found = [(row, sides[match]) for match in sides if (row := self.get(match)) is not None]
        return sorted(found, key=lambda pair: pair[0].updated, reverse=True)

    def waiting_for_computer(self) -> list[str]:
        """Unfinished matches in which a computer player is to decide."""
        rows = self._db.execute(
            "select match.id from match join seat on seat.match = match.id and seat.side = match.decider "
            "where seat.kind = 'computer' order by match.updated"
        )
        return [row["id"] for row in rows]

    def _row(self, row: sqlite3.Row) -> Row:
        seats = tuple(
            Seat(s["side"], s["kind"], s["player"], s["name"], s["secret"])
            for s in self._db.execute("select * from seat where match = ?", (row["id"],))
        )
        start = Start(
            row["id"], row["game"], row["rules_version"], row["scenario"], json.loads(row["options"]), int(row["seed"]),
            bool(row["seed_known"]), bool(row["spectators"]), seats,
        )  # fmt: skip
        result = None if row["result"] is None else json.loads(row["result"])
        standing = Standing(row["seq"], row["ply"], row["turn_label"], row["decider"], result)
        return Row(start, standing, row["created"], row["updated"])


def _standing_fields(standing: Standing) -> tuple[int, int, str, str | None, str | None]:
    result = None if standing.result is None else json.dumps(standing.result)
    return standing.seq, standing.ply, standing.turn_label, standing.decider, result


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
