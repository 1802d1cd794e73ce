"""Recorded games replay exactly: a change of the rules shows what it changes."""

from __future__ import annotations

from pathlib import Path

import pytest

import counterblow
from counterblow.kernel.record import read_record, replay
from tests.records.telling import STRETCH, everything, known, marks

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


@pytest.mark.parametrize("slug", counterblow.games())
def test_players_are_told_what_they_were_told(slug: str) -> None:
    """A difference has to be judged: see telling.py."""
    recorded = known(slug)
    for name, texts in everything(slug):
        found = marks(texts)
        parts = next((i for i, pair in enumerate(zip(found, recorded[name], strict=False)) if pair[0] != pair[1]), None)
        if parts is not None:
            there = "\n".join(texts[STRETCH * parts : STRETCH * (parts + 1)])
            pytest.fail(
                f"{slug} {name}: somewhere here something is told, or may be done, that was not before:\n{there}"
            )
        assert len(found) == len(recorded[name])
