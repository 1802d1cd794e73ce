"""All matches of a server as data for study: JSON lines or Parquet, without anything that should stay secret.

No keys, names, accounts or addresses; matches go by a digest of their id, which opens nothing. A match that is not over
tells neither its actions nor its seed: they would show what is hidden. A finished one has its whole record.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from counterblow import games, load
from counterblow.kernel.errors import CounterblowError
from counterblow.lab.extras import need
from counterblow.service.database import open_database
from counterblow.service.errors import Problem
from counterblow.service.store import Known, Store
from counterblow.service.table import Table

KINDS = (".jsonl", ".parquet")
FIELDS = (
    "match", "game", "rules_version", "scenario", "options", "kind", "status", "created", "updated", "actions",
    "turn_label", "winner", "level", "reason", "seats", "record",
)  # fmt: skip


def export(where: str | Path, target: Path) -> int:
    """Write every match, oldest first; how many. An existing file is replaced whole or not at all."""
    if target.suffix not in KINDS:
        raise CounterblowError(f"{target}: the file should end in {' or '.join(KINDS)}")
    if isinstance(where, Path) and not where.is_dir():
        raise CounterblowError(f"{where}: there is no such folder of matches")
    if target.suffix == ".parquet":
        need("pyarrow.parquet", "lab")
    database = open_database(where)
    part = target.with_name(target.name + ".part")
    try:
        found = rows(Table(Store(database), load, games))
        count = _parquet(found, part) if target.suffix == ".parquet" else _lines(found, part)
    finally:
        database.close()
    part.replace(target)
    return count


def rows(table: Table) -> Iterator[dict[str, Any]]:
    for found in table.store.database.execute("select id from match order by created, id"):
        known = table.store.get(found["id"])
        if known is not None:
            yield row(table, known)


def row(table: Table, known: Known) -> dict[str, Any]:
    start, standing = known.start, known.standing
    result = standing.result or {}
    return {
        "match": hashlib.sha256(start.id.encode()).hexdigest()[:16],
        "game": start.game, "rules_version": start.rules_version, "scenario": start.scenario,
        "options": start.options, "kind": start.kind, "status": standing.status,
        "created": known.created, "updated": known.updated, "actions": standing.ply,
        "turn_label": standing.turn_label, "winner": result.get("winner"), "level": result.get("level"),
        "reason": result.get("reason"),
        "seats": {seat.side: seat.player if seat.kind == "computer" else seat.kind for seat in start.seats},
        "record": _record(table, known) if standing.status == "over" else None,
    }  # fmt: skip


def _record(table: Table, known: Known) -> dict[str, Any] | None:
    """None where this program cannot play the match again."""
    try:
        live = table.live(known.start.id)
        return None if live.frozen else live.to_record()
    except (Problem, CounterblowError):
        return None


def _lines(found: Iterator[dict[str, Any]], part: Path) -> int:
    count = 0
    with part.open("w", encoding="utf-8") as file:
        for line in found:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
            count += 1
    return count


def _parquet(found: Iterator[dict[str, Any]], part: Path) -> int:
    """Options, seats and records are JSON texts: their fields differ from game to game."""
    pa, pq = need("pyarrow", "lab"), need("pyarrow.parquet", "lab")
    texts = [{**line, **{name: None if line[name] is None else json.dumps(line[name], ensure_ascii=False)
                         for name in ("options", "seats", "record")}} for line in found]  # fmt: skip
    schema = pa.schema([(name, pa.int64() if name == "actions" else pa.string()) for name in FIELDS])
    pq.write_table(pa.Table.from_pylist(texts, schema), part, compression="zstd")
    return len(texts)
