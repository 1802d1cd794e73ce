"""Every installed game through the service: what is sent fits the published schema, whoever looks."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

import counterblow
from counterblow.service import models
from counterblow.service.app import create_app
from counterblow.service.engine import Settings
from tests.service.seats import begin

ACTIONS = 100


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder: Path = tmp_path_factory.mktemp("matches")
    with TestClient(create_app(Settings(data_dir=folder))) as client:
        yield client


@pytest.mark.parametrize("slug", counterblow.games())
def test_a_game_is_described(service: TestClient, slug: str) -> None:
    game = models.GameModel.model_validate(service.get(f"/api/games/{slug}").json())
    assert game.slug == slug
    assert game.rules
    assert service.get(game.map.url).status_code == 200


@pytest.mark.parametrize("slug", counterblow.games())
def test_a_game_is_played_and_everyone_sees_what_fits_the_schema(service: TestClient, slug: str) -> None:
    chooser = random.Random(7)
    seats = begin(service, game=slug, seed=7, spectators=True)
    sides = counterblow.load(slug).sides
    for number in range(ACTIONS):
        decider = seats.look(*sides[:1], since=number)["decider"]
        if decider is None:
            break
        state = models.MatchState.model_validate(seats.look(decider, since=number))
        action = chooser.choice(state.view.legal).text
        models.ForecastAnswer.model_validate(seats.post("forecast", decider, action=action).json())
        models.Update.model_validate(seats.do(decider, action))
        if number % 10 == 0:
            for viewer in ([side] for side in sides):
                models.MatchState.model_validate(seats.look(*viewer))
            models.MatchState.model_validate(seats.look())
    again = service.post("/api/matches/import", json={"record": seats.look(*sides, at="/record")})
    assert again.status_code == 201


@pytest.mark.parametrize("slug", counterblow.games())
def test_every_overlay_answers(service: TestClient, slug: str) -> None:
    game = counterblow.load(slug)
    seats = begin(service, game=slug, seed=1, spectators=True)
    viewer = game.sides[0]
    units = [u["id"] for u in seats.look(viewer)["view"]["units"] if not u.get("hidden")]
    for kind in game.overlays:
        for side in game.sides:
            shown = seats.look(viewer, at="/overlay", kind=kind, side=side, **({"unit": units[0]} if units else {}))
            overlay = models.OverlayModel.model_validate(shown)
            assert all(label in game.board for label in overlay.hexes)
