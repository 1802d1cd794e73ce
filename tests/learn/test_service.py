"""Learning over the wire: what is sent fits the published schema."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

import counterblow
from counterblow.learn.check import check
from counterblow.service.app import create_app
from counterblow.service.learning import FoundModel, LessonState, LessonSummary, RulebookModel
from tests.service.conftest import settings

SLUGS = counterblow.games()


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder: Path = tmp_path_factory.mktemp("service")
    with TestClient(create_app(settings(folder, load=counterblow.load, slugs=lambda: SLUGS))) as client:
        yield client


@pytest.mark.parametrize("slug", SLUGS)
def test_the_rulebook_is_told_whole(service: TestClient, slug: str) -> None:
    answer = service.get(f"/api/games/{slug}/rulebook")
    assert answer.status_code == 200
    book = RulebookModel.model_validate_json(answer.text)
    rules = set(counterblow.load(slug).rules)
    assert [rule for chapter in book.chapters for rule in chapter.rules if rule not in rules] == []
    assert book.briefing is not None
    assert book.glossary
    assert all(ruling in book.rulings for links in book.links.values() for ruling in links.rulings)


def test_a_question_is_answered(service: TestClient) -> None:
    answer = service.get("/api/games/narva/rules", params={"q": "retreat zone"})
    found = [FoundModel.model_validate(hit) for hit in answer.json()]
    assert found[0].rule in ("5.4a", "9.5.3a", "9.5.3b")


def test_a_rule_is_shown_on_the_board_of_its_lesson(service: TestClient) -> None:
    book = service.get("/api/games/leningrad/rulebook").json()
    assert book["links"]["9.1"]["lessons"][0] == "hold-the-line"
    answer = service.post("/api/games/leningrad/lessons/hold-the-line", json={"rule": "9.1"})
    taken = LessonState.model_validate_json(answer.text)
    assert taken.step is not None
    assert "9.1" in taken.step.rules
    assert {unit["name"]: unit["at"] for unit in answer.json()["board"]["view"]["units"]}["41. Corps"] == "0811"


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/api/games/chess/rulebook", 404),
        ("/api/games/chess/rules?q=x", 404),
        ("/api/games/narva/rules", 422),
        ("/api/games/narva/rules?q=" + "x" * 500, 422),
    ],
)
def test_wrong_questions_get_a_plain_answer(service: TestClient, address: str, status: int) -> None:
    answer = service.get(address)
    assert answer.status_code == status
    assert answer.json()["error"]


LESSONS = [(slug, lesson.name) for slug in SLUGS for lesson in counterblow.load(slug).lessons]


def take(service: TestClient, slug: str, name: str, **body: Any) -> LessonState:
    answer = service.post(f"/api/games/{slug}/lessons/{name}", json=body)
    assert answer.status_code == 200, answer.text
    return LessonState.model_validate_json(answer.text)


@pytest.mark.parametrize("slug", SLUGS)
def test_the_lessons_are_listed(service: TestClient, slug: str) -> None:
    listed = [LessonSummary.model_validate(one) for one in service.get(f"/api/games/{slug}/lessons").json()]
    assert [lesson.name for lesson in listed] == [lesson.name for lesson in counterblow.load(slug).lessons]


@pytest.mark.parametrize(("slug", "name"), LESSONS)
def test_a_lesson_is_taken_over_the_wire(service: TestClient, slug: str, name: str) -> None:
    """From the first step to the last, as the pupil's browser does: the server keeps nothing between two requests."""
    lesson = next(lesson for lesson in counterblow.load(slug).lessons if lesson.name == name)
    seen = take(service, slug, name)
    for given in check(lesson).inputs:
        assert seen.step is not None
        assert seen.step.reading == (given == "")
        seen = take(service, slug, name, inputs=seen.inputs, give=given)
        assert seen.answer == "done"
    assert seen.over
    assert seen.step is None
    assert seen.board.view.viewer == lesson.side
    assert seen.board.ply > 0


def test_what_is_not_asked_for_is_answered_and_does_not_happen(service: TestClient) -> None:
    other = take(service, "leningrad", "first-march", give="end movement")
    assert (other.answer, other.inputs) == ("other", [])
    assert other.say.startswith("First I. Korps")
    refused = take(service, "leningrad", "first-march", inputs=["march I. Korps"], give="to 0417")
    assert refused.answer == "refused"
    assert refused.citations[0].rule == "7.19"
    assert refused.inputs == ["march I. Korps"]


def test_a_lesson_explains_forecasts_and_overlays_like_a_match(service: TestClient) -> None:
    address = "/api/games/leningrad/lessons/first-attack"
    inputs = ["end movement", "attack 0417"]
    why = service.post(f"{address}/why", json={"inputs": inputs, "action": "with 41. Corps"}).json()
    assert not why["legal"]
    odds = service.post(f"{address}/forecast", json={"inputs": [*inputs, "with I. Korps"], "action": "commit"}).json()
    assert odds["forecast"]["outcomes"]
    zones = service.post(f"{address}/overlay", json={"inputs": [], "kind": "zoc", "side": "russian"}).json()
    assert zones["hexes"]
    frame = take(service, "leningrad", "first-attack", inputs=inputs, ply=1, since=0)
    assert frame.board.shown == 1
    assert frame.board.story is not None


@pytest.mark.parametrize(
    ("address", "body", "status"),
    [
        ("/api/games/leningrad/lessons/none", {}, 404),
        ("/api/games/chess/lessons/none", {}, 404),
        ("/api/games/leningrad/lessons/first-march", {"inputs": ["fly"]}, 409),
        ("/api/games/leningrad/lessons/first-march", {"inputs": ["x"] * 500}, 422),
        ("/api/games/leningrad/lessons/first-march", {"inputs": "march"}, 422),
        ("/api/games/leningrad/lessons/first-march", {"surprise": 1}, 422),
        ("/api/games/leningrad/lessons/first-march", {"ply": 99}, 422),
        ("/api/games/leningrad/lessons/first-march/why", {"action": "nonsense"}, 422),
        ("/api/games/leningrad/lessons/first-march/forecast", {"action": "to 0518"}, 422),
        ("/api/games/leningrad/lessons/first-march/overlay", {"kind": "weather"}, 404),
        ("/api/games/leningrad/lessons/first-march/overlay", {"kind": "reach", "unit": 99999}, 422),
    ],
)
def test_odd_requests_to_a_lesson_get_plain_answers(
    service: TestClient, address: str, body: dict[str, Any], status: int
) -> None:
    answer = service.post(address, json=body)
    assert answer.status_code == status
    assert answer.json()["error"]
