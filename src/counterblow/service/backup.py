"""Backups: all tables in one compressed file of JSON lines, read from and written to either kind of database."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from counterblow.kernel.errors import CounterblowError
from counterblow.service.database import Database, PostgreSQL
from counterblow.service.migrations import MIGRATIONS, TABLES

FORMAT = "counterblow-backup"
LEFT_OUT = ("job",)  # who thinks now: found anew when a server starts


def backup(database: Database, target: Path) -> int:
    """Write everything as it is at one moment, while others go on playing; how many rows."""
    part = target.with_name(target.name + ".part")
    rows = 0
    with gzip.open(part, "wt", encoding="utf-8") as file:
        file.write(json.dumps({"format": FORMAT, "layout": len(MIGRATIONS)}) + "\n")
        for table, row in _rows(database):
            file.write(json.dumps({"table": table, "row": row}, ensure_ascii=False) + "\n")
            rows += 1
        file.write(json.dumps({"rows": rows}) + "\n")
    with part.open("rb") as written:
        os.fsync(written.fileno())
    os.replace(part, target)
    return rows


def _rows(database: Database) -> Iterator[tuple[str, dict[str, Any]]]:
    database.execute("begin isolation level repeatable read" if isinstance(database, PostgreSQL) else "begin")
    try:
        for table in TABLES:
            if table not in LEFT_OUT:
                for row in database.execute(f"select * from {table}"):
                    yield table, {name: _out(row[name]) for name in row.keys()}  # noqa: SIM118 (a row of SQLite)
    finally:
        database.execute("rollback")


def restore(database: Database, source: Path) -> int:
    """Fill an empty database, whole or not at all; how many rows."""
    if any(database.execute(f"select 1 from {table} limit 1") for table in TABLES):
        raise CounterblowError(f"{database.where}: is not empty: a backup is restored only into an empty place")
    count, total = 0, None
    with database.writing():
        for number, line in enumerate(_lines(source), 1):
            if number == 1:
                _check_header(line, source)
            elif "rows" in line:
                total = line["rows"]
            else:
                _insert(database, line, f"{source}: line {number}")
                count += 1
        if total != count:
            raise CounterblowError(f"{source}: is cut short: {count} rows of {total or 'an unknown number'}")
    return count


def _lines(source: Path) -> Iterator[dict[str, Any]]:
    try:
        with gzip.open(source, "rt", encoding="utf-8") as file:
            for line in file:
                yield json.loads(line)
    except (OSError, EOFError, ValueError) as error:
        raise CounterblowError(f"{source}: is no backup, or damaged: {error}") from None


def _check_header(line: dict[str, Any], source: Path) -> None:
    if line.get("format") != FORMAT:
        raise CounterblowError(f"{source}: is no backup of Counterblow")
    if line.get("layout") != len(MIGRATIONS):
        raise CounterblowError(
            f"{source}: was written with layout {line.get('layout')}, this program has {len(MIGRATIONS)}: "
            "restore it with the program that wrote it, then upgrade"
        )


def _insert(database: Database, line: dict[str, Any], where: str) -> None:
    table, row = line.get("table"), line.get("row")
    if table not in TABLES or not isinstance(row, dict) or not all(name.isidentifier() for name in row):
        raise CounterblowError(f"{where}: is not understood")
    names, values = ", ".join(row), [_in(value) for value in row.values()]
    database.execute(f"insert into {table} ({names}) values ({', '.join('?' * len(values))})", *values)


def _out(value: Any) -> Any:
    return {"hex": bytes(value).hex()} if isinstance(value, bytes | memoryview) else value


def _in(value: Any) -> Any:
    return bytes.fromhex(value["hex"]) if isinstance(value, dict) else value
