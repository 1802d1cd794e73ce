"""The built client and the schema."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from fastapi.testclient import TestClient

from counterblow.service.app import create_app
from counterblow.service.schema import schema_text
from tests.service.conftest import settings


def test_without_a_build_a_page_says_how_to_make_it(tmp_path: Path) -> None:
    with TestClient(create_app(settings(tmp_path, static=tmp_path / "none"))) as client:
        page = client.get("/")
        assert page.headers["content-type"].startswith("text/html")
        assert "make web" in page.text


def test_the_client_is_served_with_cache_headers(tmp_path: Path) -> None:
    static = tmp_path / "static"
    (static / "assets").mkdir(parents=True)
    (static / "index.html").write_text("<!doctype html><title>Board</title>")
    (static / "assets" / "main-1a2b.js").write_text("let board = 1;\n" * 400)
    with TestClient(create_app(settings(tmp_path, static=static))) as client:
        script = client.get("/assets/main-1a2b.js", headers={"Accept-Encoding": "gzip"})
        assert "immutable" in script.headers["cache-control"]
        assert script.headers["content-encoding"] == "gzip"
        for address in ("/", "/play/abc", "/index.html"):
            page = client.get(address)
            assert (page.status_code, page.headers["cache-control"]) == (200, "no-cache")
            assert "Board" in page.text
        assert client.get("/assets/other.js").status_code == 404
        assert client.get("/../matches.sqlite").status_code == 404
        assert client.get("/%2e%2e/matches.sqlite").status_code == 404
        assert client.get("/api/other").json() == {"error": "Not Found"}


def test_the_schema_is_written_without_a_server(tmp_path: Path) -> None:
    file = tmp_path / "openapi.json"
    subprocess.run([sys.executable, "-m", "counterblow.service.schema", str(file)], check=True)
    schema = json.loads(file.read_text())
    assert file.read_text() == schema_text()
    for name in ("MatchState", "Update", "LiveState", "Hello", "ForecastModel", "ErrorModel"):
        assert name in schema["components"]["schemas"]
    assert "HTTPValidationError" not in json.dumps(schema["paths"])
