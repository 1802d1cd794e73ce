"""One way to two databases: a SQLite file without set-up, or PostgreSQL by its address.

Statements are written once, with ``?`` for values. Each database has one user, the clerk's thread; what it writes in
one batch is one transaction.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import urlsplit

from counterblow.kernel.errors import CounterblowError
from counterblow.service.migrations import MIGRATIONS

FILE = "matches.sqlite"
CHANNEL = "counterblow"  # what one process tells the others
Row = Mapping[str, Any]


class Away(Exception):
    """The database cannot be reached or written: nothing was changed, and it may be back soon."""


class Taken(Exception):
    """A row with this key is already there: somebody else was faster."""


class Database:
    """What both have in common."""

    words: ClassVar[Mapping[str, str]]  # how each writes what they write differently
    where: str

    def __init__(self) -> None:
        self._begun = False
        self._batched = False
        self.writes = 0

    def execute(self, sql: str, *values: Any) -> list[Row]:
        raise NotImplementedError

    def many(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        raise NotImplementedError

    def close(self) -> None:
        raise NotImplementedError

    def tell(self, text: str) -> None:
        """Say something to the other processes when this transaction is done."""

    def one(self, sql: str, *values: Any) -> Row | None:
        rows = self.execute(sql, *values)
        return rows[0] if rows else None

    # ------------------------------------------------------------------ transactions

    @contextmanager
    def writing(self) -> Iterator[None]:
        """A transaction: on disk when the block has ended, or not at all. In a batch, when the batch has."""
        self.writes += 1
        if self._begun:
            yield
            return
        self._begin()
        if self._batched:
            yield
            return
        with self._ending():
            yield

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Everything written in the block is one transaction."""
        self._batched = True
        try:
            with self._ending():
                yield
        finally:
            self._batched = False

    @property
    def begun(self) -> bool:
        """Is there something to commit?"""
        return self._begun

    def commit(self) -> None:
        """Bring what a batch has written so far to the disk."""
        if self._begun:
            self._end("commit")

    @contextmanager
    def _ending(self) -> Iterator[None]:
        try:
            yield
            self.commit()
        except BaseException:
            if self._begun:
                self._abandon()
            raise

    def _begin(self) -> None:
        self.execute(self.words["begin"])
        self._begun = True

    def _end(self, how: str) -> None:
        self.execute(how)
        self._begun = False

    def _abandon(self) -> None:
        try:
            self._end("rollback")
        except Away:
            self._begun = False  # the connection is gone, and the transaction with it

    # ------------------------------------------------------------------ tables

    def layout(self) -> int:
        """How many migrations this database has seen."""
        raise NotImplementedError

    def migrate(self) -> None:
        with self.writing():
            self.lock_layout()
            done = self.layout()
            if done > len(MIGRATIONS):
                raise CounterblowError(f"written by a newer Counterblow (layout {done}, not {len(MIGRATIONS)})")
            for number, statements in enumerate(MIGRATIONS[done:], done + 1):
                for statement in statements.strip().split(";\n"):
                    text = statement
                    for word, meaning in self.words.items():
                        text = text.replace(f"{{{word}}}", meaning)
                    self.execute(text)
                self.note_layout(number)

    def lock_layout(self) -> None:
        """Only one process at a time lays out tables."""

    def note_layout(self, number: int) -> None:
        raise NotImplementedError


class SQLite(Database):
    words = {"begin": "begin immediate", "blob": "blob", "table": " strict, without rowid", "skip": ""}

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.path = folder / FILE
        self.where = str(folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            emptied = self.path.exists() and self.path.stat().st_size == 0
            self._db = sqlite3.connect(self.path, check_same_thread=False, isolation_level=None, timeout=10)
        except (OSError, sqlite3.Error) as error:
            raise CounterblowError(f"matches cannot be kept in {folder}: {error}") from None
        try:
            if emptied:
                raise CounterblowError("it is empty: restore a backup, or remove the file to begin anew")
            self._open()
        except (CounterblowError, Away, sqlite3.Error) as error:
            self._db.close()
            raise CounterblowError(f"{self.path}: cannot be used: {error}") from None

    def _open(self) -> None:
        self._db.row_factory = sqlite3.Row
        self._db.execute("pragma journal_mode = wal")
        self._db.execute("pragma synchronous = full")  # an acknowledged action survives even a power cut
        self._db.execute("pragma foreign_keys = on")
        found = self._db.execute("pragma quick_check(3)").fetchall()
        if [row[0] for row in found] != ["ok"]:
            raise CounterblowError("it is damaged: restore a backup (" + "; ".join(str(row[0]) for row in found) + ")")
        self.migrate()

    def execute(self, sql: str, *values: Any) -> list[Row]:
        try:
            return self._db.execute(sql, values).fetchall()
        except sqlite3.IntegrityError as error:
            raise Taken(str(error)) from None
        except (sqlite3.OperationalError, sqlite3.DatabaseError) as error:
            if isinstance(error, sqlite3.ProgrammingError):
                raise
            raise Away(str(error)) from error

    def many(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        try:
            self._db.executemany(sql, rows)
        except sqlite3.IntegrityError as error:
            raise Taken(str(error)) from None
        except sqlite3.OperationalError as error:
            raise Away(str(error)) from error

    def layout(self) -> int:
        number: int = self._db.execute("pragma user_version").fetchone()[0]
        return number

    def note_layout(self, number: int) -> None:
        self._db.execute(f"pragma user_version = {number}")

    def close(self) -> None:
        self._db.close()


class PostgreSQL(Database):
    words = {"begin": "begin", "blob": "bytea", "table": "", "skip": " for update skip locked"}

    def __init__(self, url: str) -> None:
        super().__init__()
        self.url = url
        parts = urlsplit(url)
        self.where = f"{parts.scheme}://{parts.hostname or ''}{parts.path}"  # without the password
        try:
            import psycopg
        except ImportError:
            raise CounterblowError("PostgreSQL needs its driver: pip install 'counterblow[postgresql]'") from None
        self._psycopg = psycopg
        self._telling: dict[tuple[str, str], str] = {}  # what this transaction says to the other processes
        self._db: psycopg.Connection[dict[str, Any]] | None = None
        try:
            self.migrate()
        except (Away, CounterblowError) as error:
            self.close()
            raise CounterblowError(f"{self.where}: cannot be used: {error}") from None

    def _connection(self) -> Any:
        if self._db is None or self._db.closed:
            from psycopg.rows import dict_row

            if self._begun:
                raise Away("the connection was lost")
            self._db = self._psycopg.connect(self.url, autocommit=True, row_factory=dict_row, connect_timeout=5)
        return self._db

    def execute(self, sql: str, *values: Any) -> list[Row]:
        try:
            cursor = self._connection().execute(sql.replace("?", "%s"), values)
            return list(cursor.fetchall()) if cursor.description else []
        except self._psycopg.errors.IntegrityError as error:
            raise Taken(str(error)) from None
        except (self._psycopg.OperationalError, self._psycopg.InterfaceError) as error:
            raise Away(str(error).strip()) from error

    def many(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        try:
            self._connection().cursor().executemany(sql.replace("?", "%s"), rows)
        except self._psycopg.errors.IntegrityError as error:
            raise Taken(str(error)) from None
        except (self._psycopg.OperationalError, self._psycopg.InterfaceError) as error:
            raise Away(str(error).strip()) from error

    def pid(self) -> int:
        """The number of our connection: notices of others have another."""
        return 0 if self._db is None or self._db.closed else self._db.info.backend_pid

    def tell(self, text: str) -> None:
        what, _, rest = text.partition(" ")
        self._telling[what, "" if rest.isdecimal() else rest] = text  # of several changes only the last

    def _end(self, how: str) -> None:
        telling, self._telling = list(self._telling.values()), {}
        if telling and how == "commit":
            self.execute(f"select pg_notify('{CHANNEL}', told) from unnest(?::text[]) told", telling)
        super()._end(how)

    def lock_layout(self) -> None:
        self.execute("select pg_advisory_xact_lock(4801941)")
        self.execute("create table if not exists layout (number integer not null)")

    def layout(self) -> int:
        return int((self.one("select coalesce(max(number), 0) as number from layout") or {"number": 0})["number"])

    def note_layout(self, number: int) -> None:
        self.execute("insert into layout values (?)", number)

    def close(self) -> None:
        if self._db is not None:
            self._db.close()


def open_database(where: str | Path) -> Database:
    """The database at an address (postgresql://...), or the SQLite file in a folder."""
    text = str(where)
    if text.startswith(("postgresql://", "postgres://")):
        return PostgreSQL(text)
    return SQLite(Path(where))
