"""The units of an attack that is being put together: told to the attacker, and to nobody else."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

import counterblow
from counterblow.kernel.record import Match
from counterblow.service.app import create_app
from counterblow.service.engine import Settings
from tests.service.seats import Seats

BUILDING = [
    ("leningrad", "combat.Assault", {}),
    ("narva", "combat.BuildAttack", {"fog": True}),
    ("narvik", "combat.Aim", {}),
    ("narvik", "strikes.Support", {}),
    ("noretreat", "combat.Attack", {}),
]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder: Path = tmp_path_factory.mktemp("matches")
    with TestClient(create_app(Settings(data_dir=folder))) as client:
        yield client


def half_built(slug: str, kind: str, options: dict[str, bool]) -> Match:
    """A match, played at random, in which a unit was just added to an attack of this kind."""
    for seed in range(30):
        chooser = random.Random(seed)
        match = Match(counterblow.load(slug), seed=seed, options=options)
        while not match.state.over and len(match.actions) < 400:
            decision = match.state.decision
            if decision is not None and decision.kind == kind and decision.chosen:
                return match
            match.do(chooser.choice(match.state.legal()))
    raise LookupError(f"{slug}: no attack was put together")


@pytest.mark.parametrize(("slug", "kind", "options"), BUILDING)
def test_only_the_attacker_is_told(service: TestClient, slug: str, kind: str, options: dict[str, bool]) -> None:
    match = half_built(slug, kind, options)
    game, attacker = match.game, match.state.side
    assert attacker is not None
    answer = service.post("/api/matches/import", json={"record": match.to_record(), "spectators": True})
    seats = Seats(service, answer.json())
    shown = seats.look(attacker)["view"]["decision"]["chosen"]
    assert shown
    assert all(game.sides[game.side_of[unit]] == attacker for unit in shown)
    for viewer in ([side for side in game.sides if side != attacker], []):
        assert "chosen" not in seats.look(*viewer)["view"]["decision"]
