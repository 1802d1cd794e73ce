"""Learning over the wire: what is sent fits the published schema."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

import counterblow
from counterblow.service.app import create_app
from counterblow.service.learning import FoundModel, RulebookModel
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
