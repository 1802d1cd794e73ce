"""Every installed game through the service: what is sent fits the published schema, whoever looks."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

import counterblow
from counterblow.kernel.actions import Argument, UnreadableAction, Vocabulary
from counterblow.kernel.game import Game
from counterblow.service import models
from counterblow.service.app import create_app
from counterblow.service.engine import Settings
from counterblow.service.showing import light, view
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
def test_an_action_lights_the_units_and_hexes_that_it_names(slug: str) -> None:
    game, chooser = counterblow.load(slug), random.Random(5)
    state, labels = game.start(seed=5), set(game.board.labels)
    for _ in range(ACTIONS):
        assert state.side is not None
        for action in view(state, state.side)["legal"]:
            rest = f" {action['text']} "
            for unit in sorted(action["units"], key=lambda unit: -len(game.unit_names[unit])):
                assert f" {game.unit_names[unit]} " in rest
                rest = rest.replace(f" {game.unit_names[unit]} ", " ", 1)
            assert not [name for name in game.unit_names if f" {name} " in rest]
            assert action["unit"] == (action["units"][0] if action["units"] else None)
            hexes = [word for word in rest.replace("-", " ").split() if word in labels]
            assert action["hexes"] == hexes
            assert action["hex"] == (hexes[-1] if hexes else None)
        state.do(chooser.choice(state.legal()))


def test_an_action_lights_all_of_its_units_and_all_of_its_way() -> None:
    words = Vocabulary({"march": "march {units} with {unit} by {path} past {hexs} to {hex} in {n}"},
                       {"unit": ("1st", "2nd", "3rd"), "hex": ("A1", "A2", "A3", "A4")})  # fmt: skip
    action = words["march"][(0, 2), 1, (0, 1), (2,), 3, 7].to_json()
    light(words, action)
    assert action["text"] == "march 1st + 3rd with 2nd by A1-A2 past A3 to A4 in 7"
    assert (action["units"], action["unit"]) == ([0, 2, 1], 0)
    assert (action["hexes"], action["hex"]) == (["A1", "A2", "A3", "A4"], "A4")


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


def anything(chooser: random.Random, game: Game, blank: str) -> Argument:
    """Some value for a blank of an action's sentence, sensible or not."""
    words = game.act
    base = words._base(blank) or blank
    values = [
        chooser.choice((0, 1, 6, 99)) if base == "n" else chooser.randrange(len(words.names[base])) for _ in "123"
    ]
    return values[0] if blank == base else tuple(values[: chooser.randrange(4)])


@pytest.mark.parametrize("slug", counterblow.games())
def test_any_action_that_can_be_written_is_answered_by_rule(slug: str) -> None:
    """A client may ask for anything: it gets a reason, never an accident, and nothing changes."""
    game, chooser = counterblow.load(slug), random.Random(11)
    state = game.start(seed=11)
    for _ in range(ACTIONS):
        if state.over:
            break
        before = state.to_json()
        for kind in chooser.sample(list(game.sentences), 6):
            action = game.act.write(kind, tuple(anything(chooser, game, blank) for blank in game.act.blanks[kind]))
            with suppress(UnreadableAction):  # cards without a name
                assert all(citation.rule in game.rules for citation in state.why_not(action)), action
        assert state.to_json() == before
        state.do(chooser.choice(state.legal()))
