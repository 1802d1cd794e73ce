"""Results as Parquet: ``games.parquet`` has a row for each game, ``turns.parquet`` one for each figure of each turn.

The same experiment gives the same bytes, however many processes or machines played it, interrupted or not.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import counterblow
from counterblow.kernel.errors import CounterblowError
from counterblow.lab.experiment import Experiment
from counterblow.lab.extras import need

GAMES = "games.parquet"
TURNS = "turns.parquet"


def rows(experiment: Experiment, entries: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """A row for each game: its setting, seed, result and length."""
    found = []
    for number, ((index, seed), entry) in enumerate(zip(experiment.jobs(), entries, strict=True)):
        cell = experiment.cells[index]
        sides = counterblow.load(cell.game).sides
        winner = entry["winner"]
        found.append(
            {
                "number": number, "cell": index, "game": cell.game, "rules_version": cell.rules_version,
                "scenario": cell.scenario, "options": cell.options, "variant": cell.variant.name,
                "swapped": cell.swapped,
                "first_side": sides[0], "second_side": sides[1],
                "first_player": cell.players[0], "second_player": cell.players[1], "seed": seed,
                "winner": winner, "first_score": 0.5 if winner is None else float(winner == sides[0]),
                "level": entry["level"], "reason": entry["reason"], "turns": entry["turns"],
                "actions": entry["actions"], "fingerprint": entry["fingerprint"],
            }
        )  # fmt: skip
    return found


def figure_rows(entries: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """A row for each figure of each turn of each game."""
    return [
        {"number": number, "turn": turn["turn"], "figure": figure, "value": float(value)}
        for number, entry in enumerate(entries)
        for turn in entry["figures"]
        for figure, value in turn.items()
        if figure != "turn"
    ]


def write(experiment: Experiment, entries: Sequence[dict[str, Any]], folder: Path) -> None:
    """Both files, each whole or not at all."""
    pa = need("pyarrow", "lab")
    word = pa.dictionary(pa.int32(), pa.string())
    games = pa.schema(
        [("number", pa.int64()), ("cell", pa.int32()), ("game", word), ("rules_version", word), ("scenario", word),
         ("options", word), ("variant", word), ("swapped", pa.bool_()), ("first_side", word), ("second_side", word),
         ("first_player", word), ("second_player", word), ("seed", pa.int64()), ("winner", word),
         ("first_score", pa.float64()), ("level", word), ("reason", word), ("turns", pa.int32()),
         ("actions", pa.int32()), ("fingerprint", pa.string())],
        metadata={"title": experiment.title},
    )  # fmt: skip
    turns = pa.schema([("number", pa.int64()), ("turn", pa.int32()), ("figure", word), ("value", pa.float64())])
    _write(pa.Table.from_pylist(rows(experiment, entries), games), folder / GAMES)
    _write(pa.Table.from_pylist(figure_rows(entries), turns), folder / TURNS)


def _write(table: Any, path: Path) -> None:
    part = path.with_suffix(".part")
    need("pyarrow.parquet", "lab").write_table(table, part, compression="zstd")
    part.replace(path)


def read(path: Path) -> list[dict[str, Any]]:
    """The rows of a Parquet file; one that cannot be read is told in a sentence."""
    pa = need("pyarrow", "lab")
    try:
        found: list[dict[str, Any]] = need("pyarrow.parquet", "lab").read_table(path).to_pylist()
    except FileNotFoundError:
        raise CounterblowError(f"{path}: there is no such file") from None
    except (OSError, pa.ArrowException) as error:
        raise CounterblowError(f"{path}: not a Parquet file that can be read: {error}") from None
    return found
