"""Odd, slow and greedy requests: each gets a plain answer, and nobody else notices."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastapi.testclient import TestClient

from counterblow.service.app import create_app
from counterblow.service.limits import Limits
from tests.service.conftest import settings
from tests.service.processes import free_port, server
from tests.service.seats import Seats, begin

JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize("host", ["[", "]", "[::1", "[nonsense]", "a b", "localhost:port", ""])
def test_a_host_that_is_none_is_refused(client: TestClient, tmp_path: Path, host: str) -> None:
    assert client.get("/api/games", headers={"Host": host}).status_code in (200, 400)
    with TestClient(create_app(settings(tmp_path, hosts=("localhost",)))) as strict:
        assert strict.get("/api/games", headers={"Host": host}).status_code in (400, 403) or host == "localhost:port"


@pytest.mark.parametrize("origin", ["http://[", "http://]", "[", "null", "http://[zz]", "://"])
def test_an_origin_that_is_none_is_refused(client: TestClient, origin: str) -> None:
    answer = client.post("/api/matches", headers={"Origin": origin}, json={"game": "toy"})
    assert answer.status_code == 403, answer.text
    assert "other sites" in answer.json()["error"]


RECORD = (
    b'{"record": {"format": "counterblow-record", "format_version": 1, "game": "toy", "rules_version": "1", '
    b'"scenario": "battle", "options": {}, "seed": 1, "actions": [], "fingerprint": "x"}}'
)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/matches", b'{"game": "toy", "options": {"\\ud800": true}}'),
        ("/api/matches", b'{"game": "toy", "options": {"secret": "\\udfff"}}'),
        ("/api/matches", b'{"game": "toy", "options": {"secret": {"\\ud800": [1]}}}'),
        ("/api/matches", b'{"game": "toy", "seats": {"\\ud800": {}}}'),
        ("/api/matches", b'{"\\ud800": 1}'),
        ("/api/matches/import", RECORD.replace(b'"options": {}', b'"options": {"\\ud800": 1}')),
        ("/api/matches/import", RECORD.replace(b'"battle"', b'"\\ud800"')),
        ("/api/matches/import", RECORD.replace(b'"actions": []', b'"actions": ["\\ud800"]')),
        ("/api/matches/import", RECORD.replace(b'"actions": []', b'"actions": ["' + b"x" * 700 + b'"]')),
        ("/api/matches/import", RECORD.replace(b'"seed": 1', b'"seed": ' + b"9" * 400)),
        ("/api/matches/import", RECORD.replace(b'"seed": 1', b'"seed": ' + b"9" * 5000)),
        ("/api/matches/import", RECORD.replace(b'"game": "toy"', b'"game": "\\ud800"')),
    ],
)
def test_texts_that_are_no_unicode_and_numbers_without_end_are_refused(
    client: TestClient, path: str, body: bytes
) -> None:
    answer = client.post(path, headers=JSON, content=body)
    assert answer.status_code in (400, 404, 422), answer.text
    assert answer.json()["error"]


def test_a_dotless_i_is_no_unit(seats: Seats) -> None:
    assert seats.act("blue", "select Blue \u0131").status_code == 422
    answer = seats.post("why", "blue", action="scout order \u0661")  # an Arabic digit is a digit
    assert answer.status_code == 200


def test_a_name_that_only_looks_alike_is_unreadable(client: TestClient) -> None:
    from counterblow.kernel.actions import UnreadableAction, Vocabulary

    words = Vocabulary({"go": "go {unit}"}, {"unit": ("Inf",)})
    assert words.read("go INF").args == (0,)
    with pytest.raises(UnreadableAction, match="\u0131nf"):
        words.read("go \u0131nf")


def test_actions_that_are_only_asked_about_are_not_kept(seats: Seats) -> None:
    from tests.service.toy import TOY

    seats.look("blue")
    before = sum(len(table) for table in TOY.act.values())
    for number in range(300):
        assert seats.post("why", "blue", action=f"scout order {number + 1000}").status_code == 200
    assert sum(len(table) for table in TOY.act.values()) == before


# ---------------------------------------------------------------------- on the wire


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, int]]:
    folder = tmp_path_factory.mktemp("matches")
    with server(folder, free_port(), environment={"COUNTERBLOW_HEADER_SECONDS": "1"}) as (_, client):
        assert client.base_url.port is not None
        yield client.base_url.host, client.base_url.port


def exchange(address: tuple[str, int], request: bytes, seconds: float = 5) -> bytes:
    with socket.create_connection(address, timeout=seconds) as connection:
        connection.sendall(request)
        return connection.recv(65536)


@pytest.mark.parametrize("method", [b"POST", b"PUT", b"HEAD"])
def test_only_get_opens_a_websocket(address: tuple[str, int], method: bytes) -> None:
    head = b" /api/matches/x/live HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close, Upgrade\r\nUpgrade: websocket\r\n"
    answer = exchange(address, method + head + b"Content-Length: 0\r\n\r\n")
    assert answer.startswith((b"HTTP/1.1 405", b"HTTP/1.1 404", b"HTTP/1.1 426")), answer


def test_headers_must_come_in_time(address: tuple[str, int]) -> None:
    with socket.create_connection(address, timeout=5) as connection:
        connection.sendall(b"GET /api/games HTTP/1.1\r\nHost: 127")
        began = time.monotonic()
        assert connection.recv(1000).startswith(b"HTTP/1.1 408")
        assert connection.recv(1000) == b""
        assert 0.5 < time.monotonic() - began < 4


def test_a_body_must_come_in_time(address: tuple[str, int]) -> None:
    head = b"POST /api/matches HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    answer = exchange(address, head + b"Content-Length: 20\r\n\r\n{")
    assert answer.startswith(b"HTTP/1.1 408"), answer


def test_long_headers_are_refused(address: tuple[str, int]) -> None:
    answer = exchange(address, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"x" * 20_000)
    assert answer.startswith(b"HTTP/1.1 4"), answer


def test_slow_connections_lock_nobody_out(address: tuple[str, int]) -> None:
    slow = [socket.create_connection(address, timeout=5) for _ in range(300)]
    try:
        for connection in slow:
            connection.sendall(b"GET / HTTP/1.1\r\nX-")
        began = time.monotonic()
        with httpx2.Client(base_url=f"http://{address[0]}:{address[1]}", trust_env=False, timeout=5) as client:
            assert client.get("/api/games").status_code == 200
        assert time.monotonic() - began < 2
    finally:
        for connection in slow:
            connection.close()


# ---------------------------------------------------------------------- limits


def limited(tmp_path: Path, **limits: Any) -> TestClient:
    return TestClient(create_app(settings(tmp_path, limits=Limits(**limits))))


def test_a_greedy_address_is_slowed_down(tmp_path: Path) -> None:
    with limited(tmp_path, requests=5, burst=10) as client:
        answers = [client.get("/api/games") for _ in range(20)]
        assert [answer.status_code for answer in answers[:10]] == [200] * 10
        assert answers[-1].status_code == 429
        assert float(answers[-1].headers["retry-after"]) >= 1
        assert "too many" in answers[-1].json()["error"]


def test_a_greedy_key_is_slowed_down_wherever_it_is_used(tmp_path: Path) -> None:
    with limited(tmp_path, keys=2, burst=8) as client:
        seats = begin(client)
        elsewhere = TestClient(client.app, client=("192.0.2.7", 5000))
        elsewhere.portal = client.portal  # the same server
        answers = [where.get(seats.path, headers=seats.auth("blue")).status_code for where in [client, elsewhere] * 5]
        assert answers[:8] == [200] * 8
        assert answers[-1] == 429
        assert client.get(seats.path, headers=seats.auth("red")).status_code == 200
        assert client.get("/api/games").status_code == 200
        with client.websocket_connect(f"{seats.path}/live") as socket_:
            socket_.send_json({"token": seats.tokens["red"]})
            socket_.receive_json()
            for _ in range(9):
                socket_.send_json({"act": "end phase", "seq": 0})
            refused = [socket_.receive_json()["status"] for _ in range(9)]
            assert sorted(set(refused)) == [403, 429]


def test_wrong_keys_are_locked_out_for_longer_and_longer(tmp_path: Path) -> None:
    with limited(tmp_path, wrong_keys=3) as client:
        seats, other = begin(client), begin(client)
        wrong = {"Authorization": "Bearer nonsense"}
        assert [client.get(seats.path, headers=wrong).status_code for _ in range(4)] == [403, 403, 403, 429]
        first = client.get(seats.path, headers=wrong)
        assert first.status_code == 429
        assert client.get(seats.path, headers=seats.auth("blue")).status_code == 429  # the right one is not tried
        assert client.get(other.path, headers=other.auth("blue")).status_code == 200  # other matches are open
        with client.websocket_connect(f"{seats.path}/live") as socket_:
            socket_.send_json({"token": "nonsense"})
            assert socket_.receive_json()["status"] == 429


def test_keys_are_checked_before_a_match_is_replayed(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    from counterblow.service.live import LiveMatch

    seats = begin(client)
    seats.do("blue", "end phase")
    engine: Any = client.app.state.engine  # type: ignore[attr-defined]
    engine.table.forget(seats.id)

    def replayed(*args: object) -> None:
        raise AssertionError("replayed for a stranger")

    monkeypatch.setattr(LiveMatch, "opened", replayed)
    wrong = {"Authorization": "Bearer nonsense"}
    assert client.get(seats.path, headers=wrong).status_code == 403
    assert client.get(seats.path).status_code == 401
    assert client.get(f"{seats.path}/record", headers=wrong).status_code == 403
    body = {"seq": 1, "action": "end phase"}
    assert client.post(f"{seats.path}/actions", headers=wrong, json=body).status_code == 403
    assert client.post(f"{seats.path}/undo", headers=wrong, json={"seq": 1}).status_code == 403


# ---------------------------------------------------------------------- one gesture, one round trip


def test_several_actions_go_in_one_request(seats: Seats) -> None:
    answer = seats.post("actions", "blue", seq=0, actions=["select Blue 1", "move Blue 1 0301", "end phase"])
    assert answer.status_code == 200, answer.text
    update = answer.json()
    assert (update["seq"], update["ply"], update["keep"]) == (3, 3, 0)
    assert [entry["ply"] for entry in update["events"]] == [2]


def test_all_of_them_or_none(seats: Seats) -> None:
    answer = seats.post("actions", "blue", seq=0, actions=["select Blue 1", "move Blue 1 0503", "end phase"])
    assert answer.status_code == 422
    assert (answer.json()["where"], answer.json()["citations"][0]["rule"]) == ("actions[2]", "1.3")
    assert (seats.look("blue")["seq"], seats.look("blue")["view"]["decision"]["kind"]) == (0, "game.Movement")
    answer = seats.post("actions", "blue", seq=0, actions=["end phase"] * 3)
    assert (answer.status_code, answer.json()["where"]) == (403, "actions[3]")
    assert seats.look("blue")["seq"] == 0
    assert seats.post("actions", "blue", seq=0, actions=[]).status_code == 422
    assert seats.post("actions", "blue", seq=0, actions=["end phase"], action="end phase").status_code == 422
    assert seats.post("actions", "blue", seq=0).status_code == 422


def test_a_repeated_request_is_done_once(seats: Seats) -> None:
    headers = seats.auth("blue") | {"Idempotency-Key": "gesture-1"}
    body = {"seq": 0, "actions": ["select Blue 1", "move Blue 1 0301"]}
    first = seats.client.post(f"{seats.path}/actions", headers=headers, json=body)
    again = seats.client.post(f"{seats.path}/actions", headers=headers, json=body)
    assert (first.status_code, again.status_code) == (200, 200)
    assert again.json() == first.json()
    assert seats.look("blue")["seq"] == 2
    other = seats.client.post(f"{seats.path}/actions", headers=headers, json=body | {"actions": ["end phase"]})
    assert other.status_code == 409
