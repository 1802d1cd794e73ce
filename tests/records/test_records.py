"""Recorded games replay exactly: a change of the rules shows what it changes."""

from __future__ import annotations

from pathlib import Path

import pytest

import counterblow
from counterblow.kernel.record import read_record, replay

FOLDER = Path(__file__).parent
RECORDS = sorted(FOLDER.glob("*/*.json"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_recorded_game_replays(path: Path) -> None:
    record = read_record(path)
    game = counterblow.load(record["game"])
    assert record["rules_version"] == game.version
    replay(game, record)


@pytest.mark.parametrize("slug", counterblow.games())
def test_every_game_has_a_dozen_records(slug: str) -> None:
    assert len(list((FOLDER / slug).glob("*.json"))) >= 12
