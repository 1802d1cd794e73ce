"""The service with the toy game, one server per test."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import pytest
from fastapi.testclient import TestClient

from counterblow.service.app import create_app
from counterblow.service.computer import Desk, sit_down
from counterblow.service.engine import Settings
from tests.service.postgres import Server
from tests.service.seats import Seats, begin
from tests.service.toy import load_toy

T = TypeVar("T")


def awaited(work: Coroutine[Any, Any, T]) -> T:
    """What a coroutine gives, in a thread of its own: tests with a browser keep a loop running in this one."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(asyncio.run, work).result()


def thinking_thread(desk: Desk) -> ThreadPoolExecutor:
    """Where players think in tests: no process has to start for it."""
    return ThreadPoolExecutor(1, initializer=sit_down, initargs=(desk,))


def settings(data_dir: Path, **more: Any) -> Settings:
    chosen: dict[str, Any] = {"load": load_toy, "slugs": lambda: ("toy",), "thinker": thinking_thread}
    return Settings(data_dir=data_dir, **(chosen | more))


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    server = Server()
    yield server
    server.stop()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> str | None:
    """Where matches are kept: None is the folder, else the address of a fresh database."""
    if request.param == "sqlite":
        return None
    server: Server = request.getfixturevalue("postgres")
    return server.new()


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(settings(tmp_path))) as client:
        yield client


@pytest.fixture
def seats(client: TestClient) -> Seats:
    """A match of two persons."""
    return begin(client)
