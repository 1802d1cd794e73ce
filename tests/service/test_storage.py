"""What was acknowledged is kept: through restarts, kills and failures."""

from __future__ import annotations

import signal
import socket
import sqlite3
import time
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from counterblow.kernel.errors import CounterblowError
from counterblow.service import table
from counterblow.service.app import create_app
from counterblow.service.database import Away, SQLite
from counterblow.service.store import Store
from tests.service.conftest import settings
from tests.service.postgres import Server
from tests.service.processes import free_port, server
from tests.service.seats import Seats, begin
from tests.service.torture import torture
from tests.service.toy import SecretToy


def reopened(client: TestClient, seats: Seats) -> Seats:
    return Seats(client, {"id": seats.id, "tokens": seats.tokens})


def test_a_restart_resumes_every_match(tmp_path: Path) -> None:
    with TestClient(create_app(settings(tmp_path))) as client:
        first, second = begin(client), begin(client, seed=None)
        first.do("blue", "select Blue 1", "move Blue 1 0301")
        first.post("undo", "blue", seq=2)
        second.do("blue", "end phase", "end phase")
        shown = first.look("blue"), second.look("red")
    with TestClient(create_app(settings(tmp_path))) as client:
        assert (reopened(client, first).look("blue"), reopened(client, second).look("red")) == shown
        reopened(client, first).do("blue", "move Blue 1 0201", "end phase")


@pytest.mark.parametrize("limit", ["LIVE", "LIVE_PLIES"])
def test_matches_beyond_memory_are_replayed(client: TestClient, monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    monkeypatch.setattr(table, limit, 2)
    matches = [begin(client) for _ in range(4)]
    for _ in range(2):
        for seats in matches:
            seats.do("blue", "end phase")
    assert {seats.look("red")["decider"] for seats in matches} == {"red"}


def test_an_action_that_cannot_be_stored_has_not_happened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with TestClient(create_app(settings(tmp_path)), raise_server_exceptions=False) as client:
        seats = begin(client)

        def full(*args: object) -> None:
            raise Away("database or disk is full")

        with monkeypatch.context() as patch:
            patch.setattr(Store, "append", full)
            answer = seats.act("blue", "select Blue 1")
        assert answer.status_code == 503
        assert "nothing was changed" in answer.json()["error"]
        assert "content-security-policy" in answer.headers
        assert seats.look("blue")["seq"] == 0
        seats.do("blue", "select Blue 2")


def test_a_match_is_pinned_to_its_rules(tmp_path: Path) -> None:
    with TestClient(create_app(settings(tmp_path))) as client:
        seats = begin(client)
        seats.do("blue", "select Blue 1")

    class NewRules(SecretToy):
        version = "2"

    newer = NewRules()
    with TestClient(create_app(settings(tmp_path, load=lambda slug: newer))) as client:
        again = reopened(client, seats)
        assert again.look("blue")["rules_version"] == "2"  # it plays the same: it goes on
        again.do("blue", "move Blue 1 0301")


def test_a_match_that_goes_another_way_by_new_rules_stays_readable(tmp_path: Path) -> None:
    with TestClient(create_app(settings(tmp_path))) as client:
        seats = begin(client)
        seats.do("blue", "select Blue 1", "move Blue 1 0301", "end phase")
        log = seats.look("red")["log"]

    class NewRules(SecretToy):
        version = "2"
        more_sentences = {**SecretToy.more_sentences, "move": "march {unit} {hex}"}

    newer = NewRules()
    for _ in range(2):  # also when it is opened again
        with TestClient(create_app(settings(tmp_path, load=lambda slug: newer))) as client:
            again = reopened(client, seats)
            shown = again.look("red")
            assert (shown["rules_version"], shown["decider"], shown["log"]) == ("1", None, log)
            assert "version 2: entry 2" in shown["frozen"]
            answer = again.act("blue", "end phase")
            assert (answer.status_code, answer.json()["where"]) == (409, "rules_version")
    with TestClient(create_app(settings(tmp_path))) as client:  # the old program still plays it
        again = reopened(client, seats)
        again.do("blue", "end phase")
        assert again.look("red")["decider"] == "red"


def test_a_newer_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "matches.sqlite"
    SQLite(tmp_path).close()
    with sqlite3.connect(path) as database:
        database.execute("pragma user_version = 99")
    database.close()
    with pytest.raises(CounterblowError, match=r"matches\.sqlite: .*newer"):
        SQLite(tmp_path)


def test_what_is_no_store_is_refused(tmp_path: Path) -> None:
    (tmp_path / "matches.sqlite").write_text("these are not the matches you are looking for " * 50)
    with pytest.raises(CounterblowError, match="not a database"):
        SQLite(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(CounterblowError, match="cannot be kept"):
        SQLite(tmp_path / "file")


def test_a_killed_server_loses_nothing_that_it_acknowledged(tmp_path: Path) -> None:
    port = free_port()
    with server(tmp_path, port) as (process, client):
        made = client.post("/api/matches", json={"game": "toy", "seats": {"red": {"kind": "computer"}}}).json()
        path, auth = f"/api/matches/{made['id']}", {"Authorization": f"Bearer {made['tokens']['blue']}"}
        for seq, action in enumerate(("select Blue 1", "move Blue 1 0301", "end phase", "end phase")):
            answer = client.post(f"{path}/actions", headers=auth, json={"seq": seq, "action": action})
            assert answer.status_code == 200
        process.send_signal(signal.SIGKILL)
        process.wait()
    with server(tmp_path, port) as (process, client):
        for _ in range(300):  # the computer player, stopped in its thought, goes on
            state = client.get(path, headers=auth).json()
            if state["decider"] == "blue":
                break
            time.sleep(0.05)
        assert state["decider"] == "blue"
        assert state["log"][0]["text"] == "Blue 1 moves to 0301 (1.1)"
        assert client.get(f"{path}/record", headers=auth).json()["actions"][:2] == ["select Blue 1", "move Blue 1 0301"]
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 0


def test_another_port_is_taken_if_the_first_is_in_use(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with server(tmp_path, taken.getsockname()[1]) as (_, client):
            assert client.base_url.port != taken.getsockname()[1]
            assert client.get("/api/games").status_code == 200


def test_killed_again_and_again_under_load(tmp_path: Path) -> None:
    """A few runs of the torture; all of them: make torture."""
    tally = torture(2, tmp_path, None, 1, 5, kill_database=False)
    assert tally.faults == []
    assert tally.acknowledged > 10


def test_two_servers_on_postgresql_killed_under_load(tmp_path: Path, postgres: Server) -> None:
    tally = torture(2, tmp_path, postgres, 2, 6, kill_database=False)
    assert tally.faults == []
    assert tally.acknowledged > 10
