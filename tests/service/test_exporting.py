"""Matches of a server as data: everything that may be known, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from fastapi.testclient import TestClient
from typer.testing import CliRunner

import counterblow
from counterblow import CounterblowError, cli
from counterblow.kernel.record import check_record, replay
from counterblow.service import exporting
from counterblow.service.app import create_app
from counterblow.service.engine import Settings
from tests.service.seats import Seats

SEATS = {"german": {"name": "Anna Secret"}, "allied": {"kind": "computer", "player": "random"}}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A server with a finished match and one that has just begun."""
    data = tmp_path / "data"
    with TestClient(create_app(Settings(data, workers=0))) as client:
        over, begun = (_begin(client, seed) for seed in (1234567, 7654321))
        assert over.post("resign", "german").status_code == 200
        (tmp_path / "secrets.json").write_text(
            json.dumps([over.id, begun.id, *over.tokens.values(), *begun.tokens.values(), "Anna Secret", "7654321"])
        )
    return data


def _begin(client: TestClient, seed: int) -> Seats:
    answer = client.post("/api/matches", json={"game": "narvik", "seed": seed, "seats": SEATS})
    assert answer.status_code == 201, answer.text
    return Seats(client, answer.json())


def test_json_lines_and_parquet_tell_the_same_and_no_secret(folder: Path, tmp_path: Path) -> None:
    lines, table = tmp_path / "all.jsonl", tmp_path / "all.parquet"
    result = CliRunner().invoke(cli.app, ["records", "export", str(lines), "--data", str(folder)])
    assert result.exit_code == 0, result.output
    assert "2 matches" in result.output
    assert exporting.export(folder, table) == 2
    rows = [json.loads(line) for line in lines.read_text(encoding="utf-8").splitlines()]
    columns = pq.read_table(table).to_pylist()
    for row, column in zip(rows, columns, strict=True):
        assert list(row) == list(exporting.FIELDS)
        for name in ("options", "seats", "record"):
            column[name] = None if column[name] is None else json.loads(column[name])
        assert row == column
    text = lines.read_text(encoding="utf-8")
    for secret in json.loads((tmp_path / "secrets.json").read_text()):
        assert secret not in text


def test_a_finished_match_has_its_record_and_one_that_goes_on_has_none(folder: Path, tmp_path: Path) -> None:
    exporting.export(folder, tmp_path / "all.jsonl")
    over, begun = (json.loads(line) for line in (tmp_path / "all.jsonl").read_text().splitlines())
    assert over["status"] == "over"
    assert over["winner"] == "allied"
    assert over["seats"] == {"german": "person", "allied": "random"}
    replay(counterblow.load("narvik"), check_record(over["record"]))
    assert begun["record"] is None
    assert "seed" not in begun


def test_wrong_calls_are_told_and_leave_nothing(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(CounterblowError, match=r"should end in \.jsonl or \.parquet"):
        exporting.export(folder, tmp_path / "all.csv")
    with pytest.raises(CounterblowError, match="no such folder of matches"):
        exporting.export(tmp_path / "nowhere", tmp_path / "all.jsonl")
    assert not list(tmp_path.glob("all.*"))
