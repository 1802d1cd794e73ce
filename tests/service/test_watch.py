"""Watching the service: is it well, is it ready, how much it does, and a log that tells nobody's secrets."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from counterblow.service.app import create_app
from counterblow.service.database import Away
from counterblow.service.store import Store
from counterblow.service.watch import Lines
from tests.service.conftest import settings
from tests.service.seats import begin


def test_health_and_readiness(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    assert client.get("/api/health").json() == {"status": "ok"}
    assert client.get("/api/ready").json() == {"status": "ready"}

    def away(self: Store) -> None:
        raise Away("gone")

    monkeypatch.setattr(Store, "ping", away)
    assert client.get("/api/ready").status_code == 503
    assert client.get("/api/health").status_code == 200
    monkeypatch.undo()
    assert client.get("/api/ready").status_code == 200
    engine: Any = client.app.state.engine  # type: ignore[attr-defined]
    engine.ready = False
    assert client.get("/api/ready").status_code == 503
    engine.ready = True


def test_figures_tell_of_routes_and_not_of_matches(tmp_path: Path) -> None:
    with TestClient(create_app(settings(tmp_path, metrics=True))) as client:
        seats = begin(client)
        seats.do("blue", "end phase")
        assert seats.get(at="").status_code == 401
        text = client.get("/api/metrics").text
        assert 'counterblow_requests_total{method="POST",route="/api/matches/{match}/actions",status="200"} 1.0' in text
        assert 'status="401"' in text
        assert "counterblow_open_matches 1.0" in text
        assert seats.id not in text
        assert not any(token in text for token in seats.tokens.values())


def test_figures_are_told_only_where_they_are_wanted(client: TestClient) -> None:
    assert client.get("/api/metrics").status_code == 404


def test_the_log_is_json_and_holds_no_secret(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "counterblow.requests")
    seats = begin(client)
    seats.do("blue", "end phase")
    client.get(f"{seats.path}?token={seats.tokens['blue']}", headers={"Authorization": "Bearer wrong-secret"})
    lines = [Lines().format(record) for record in caplog.records if record.name == "counterblow.requests"]
    told = [json.loads(line) for line in lines]
    assert [(line["route"], line["status"]) for line in told][-1] == ("/api/matches/{match}", 403)
    assert not any(secret in "".join(lines) for secret in (*seats.tokens.values(), "wrong-secret", seats.id))
