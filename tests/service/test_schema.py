"""Requests made up from the published schema: whatever comes, it is not the server that fails."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, Phase, settings

from counterblow.service.app import create_app
from tests.service.conftest import settings as toy_settings
from tests.service.seats import Seats, begin

SCHEMA = schemathesis.openapi.from_dict(create_app().openapi())


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Seats]:
    """A match whose key goes with every request, so that they get beyond the door."""
    folder: Path = tmp_path_factory.mktemp("matches")
    with TestClient(create_app(toy_settings(folder)), raise_server_exceptions=False) as client:
        seats = begin(client, spectators=True)
        yield seats


@SCHEMA.parametrize()
@settings(
    max_examples=6,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_no_request_is_the_servers_fault(case: Any, match: Seats) -> None:
    known = {"match": match.id, "slug": "toy"}
    path = case.path.format(**{name: known.get(name, "x") for name in case.path_parameters})
    headers = {str(name): _plain(value) for name, value in (case.headers or {}).items()} | match.auth("blue")
    body: dict[str, Any] = (
        {"json": case.body} if isinstance(case.body, dict | list | str | int | float | bool | None) else {}
    )
    query: dict[str, Any] = {name: value for name, value in (case.query or {}).items() if isinstance(value, str | int)}
    answer = match.client.request(case.method, path, headers=headers, params=query, **body)
    assert answer.status_code < 500 or answer.status_code == 503, (case.method, path, query, body, answer.text)


def _plain(value: Any) -> str:
    return str(value).encode("ascii", "replace").decode().replace("\r", "").replace("\n", "")
