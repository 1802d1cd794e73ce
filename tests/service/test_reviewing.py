"""Reviews over the wire: begun, followed, cancelled, kept, and closed to who may not have the record."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from counterblow import Match, games, load, players
from counterblow.service.app import create_app
from counterblow.service.database import open_database
from counterblow.service.engine import Settings
from counterblow.service.host import Host
from counterblow.service.models import NewMatch
from counterblow.service.reviews import Reviews, edition
from counterblow.service.store import Store
from counterblow.service.table import Table
from counterblow.service.wire import dump
from tests.service.postgres import Server
from tests.service.seats import Seats


@pytest.fixture
def server(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(Settings(tmp_path))) as client:
        yield client


def imported(client: TestClient, actions: int) -> Seats:
    """A match of officers, so far."""
    match = Match(load("leningrad"), None, 5)
    seats = [players.make("officer", side) for side in (0, 1)]
    while (decider := match.state.decider) is not None and len(match.actions) < actions:
        match.do(seats[decider].choose(match.state, decider))
    answer = client.post("/api/matches/import", json={"record": match.to_record()})
    assert answer.status_code == 201, answer.text
    return Seats(client, answer.json())


def until(seats: Seats, status: str) -> dict[str, Any]:
    end = time.monotonic() + 120
    while time.monotonic() < end:
        found: dict[str, Any] = seats.look("german", "russian", at="/review")
        if found["status"] == status:
            return found
        assert found["status"] == "working", found
        time.sleep(0.2)
    raise AssertionError("the review takes too long")


def test_a_review_is_made_followed_and_kept(server: TestClient) -> None:
    seats = imported(server, 70)
    both = seats.auth("german", "russian")
    assert seats.look("german", "russian", at="/review") == {"status": "none"}
    assert server.post(f"{seats.path}/review", headers=both).json()["status"] == "working"
    found = until(seats, "done")["review"]
    assert found["game"] == "leningrad"
    assert server.post(f"{seats.path}/review", headers=both).json() == {"status": "done", "review": found}
    page = server.get(f"{seats.path}/review/page", headers=both)
    assert page.headers["content-type"].startswith("text/html")
    assert "attachment" in page.headers["content-disposition"]
    assert page.text.startswith("<!doctype html>")
    assert "Leningrad 1941: a review" in page.text
    assert server.get(f"{seats.path}/review/page", headers=seats.auth("german")).status_code == 403


def test_a_review_is_cancelled(server: TestClient) -> None:
    seats = imported(server, 70)
    both = seats.auth("german", "russian")
    server.post(f"{seats.path}/review", headers=both)
    assert server.delete(f"{seats.path}/review", headers=both).json() == {"status": "none"}


def test_a_page_needs_its_review(server: TestClient) -> None:
    seats = imported(server, 70)
    answer = server.get(f"{seats.path}/review/page", headers=seats.auth("german", "russian"))
    assert answer.status_code == 404
    assert "ask for one first" in answer.json()["error"]


def test_while_others_play_there_is_no_review(server: TestClient) -> None:
    seats = imported(server, 70)
    answer = server.post(f"{seats.path}/review", headers=seats.auth("german"))
    assert answer.status_code == 403
    assert "the record tells" in answer.json()["error"]
    assert server.get("/api/matches/nothing/review").status_code == 404


def test_a_game_that_has_no_win_probability_says_so(client: TestClient) -> None:
    answer = client.post("/api/matches", json={"game": "toy", "seed": 1})
    seats = Seats(client, answer.json())
    both = list(seats.tokens)
    first = seats.look(*both)["view"]
    seats.do(first["decision"]["side"], first["legal"][0]["text"])
    client.post(f"{seats.path}/review", headers=seats.auth(*both))
    end = time.monotonic() + 60
    while (found := seats.look(*both, at="/review"))["status"] == "working" and time.monotonic() < end:
        time.sleep(0.2)
    assert found["status"] == "failed"
    assert "unknown game" in found["error"]


def test_the_app_asks_and_a_worker_makes_the_review(tmp_path: Path, postgres: Server) -> None:
    url = postgres.new()
    with TestClient(create_app(Settings(tmp_path, url, workers=0))) as asks:
        seats = imported(asks, 70)
        both = seats.auth("german", "russian")
        assert asks.post(f"{seats.path}/review", headers=both).json()["status"] == "working"
        time.sleep(0.3)
        assert seats.look("german", "russian", at="/review")["done"] == 0  # nobody here makes it
        with TestClient(create_app(Settings(tmp_path, url, workers=1))):
            assert until(seats, "done")["review"]["game"] == "leningrad"
    with TestClient(create_app(Settings(tmp_path, url, workers=0))) as again:
        kept = again.get(f"{seats.path}/review", headers=both).json()
        assert kept["status"] == "done"


def test_a_worker_that_dies_costs_only_its_work_on_a_review(tmp_path: Path, database: str | None) -> None:
    with closing(open_database(database or tmp_path)) as opened:
        table = Table(Store(opened), load, games)
        made = Host(table).create(NewMatch.model_validate({"game": "leningrad", "seed": 1}), "test", 0, [])
        live = table.live(made["id"])
        reviews, claimed = Reviews(opened), (made["id"], edition(live))
        assert reviews.begin(live) == {"status": "working", "done": 0, "size": 0}
        assert reviews.claim("dies") == claimed
        assert reviews.note(made["id"], "dies", 3, 9)
        assert reviews.status(live) == {"status": "working", "done": 3, "size": 9}
        assert reviews.claim("another") is None
        with opened.writing():
            opened.execute("update review set until = '2000'")
        assert reviews.claim("another") == claimed
        assert not reviews.note(made["id"], "dies", 4, 9)
        reviews.finish(made["id"], "dies", "too late", None)
        reviews.finish(made["id"], "another", '{"found": 1}', None)
        assert dump(reviews.status(live)) == '{"status":"done","review":{"found": 1}}'
        table.do(made["id"], [made["tokens"][live.side or ""]], 0, [str(live.state.legal()[0])], lambda _: "action")
        assert reviews.status(live) == {"status": "none"}
        assert reviews.claim("another") is None
