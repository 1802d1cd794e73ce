"""A client that was tampered with gets nowhere: the server checks who acts, when, and what."""

from __future__ import annotations

import hashlib
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from counterblow.service.app import create_app
from counterblow.service.guard import BODY_LIMIT
from tests.service.conftest import settings
from tests.service.seats import Seats, begin


def refused(answer: Any, status: int) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    body: dict[str, Any] = answer.json()
    assert body["error"]
    return body


def test_the_inactive_player_cannot_act(seats: Seats) -> None:
    body = refused(seats.act("red", "select Red 1"), 403)
    assert "blue decides" in body["error"]
    refused(seats.act("red", "end phase"), 403)
    assert seats.look("blue")["seq"] == 0


def test_an_illegal_hex_is_refused_with_the_rule(seats: Seats) -> None:
    seats.do("blue", "select Blue 1")
    body = refused(seats.act("blue", "move Blue 1 0503"), 422)
    assert body["citations"] == [{"rule": "1.3", "text": "an enemy unit is there"}]
    refused(seats.act("blue", "move Blue 1 9999"), 422)
    refused(seats.act("blue", "move Red 1 0404"), 422)
    assert seats.look("blue")["ply"] == 1


def test_an_unreadable_action_says_what_is_wrong(seats: Seats) -> None:
    assert "did you mean" in refused(seats.act("blue", "selekt Blue 1"), 422)["error"]
    refused(seats.act("blue", "x" * 601), 422)
    refused(seats.act("blue", ""), 422)


def test_a_stale_sequence_number_is_refused(seats: Seats) -> None:
    seats.do("blue", "select Blue 1", "move Blue 1 0301")
    assert refused(seats.act("blue", "end phase", seq=1), 409)["where"] == "seq"
    refused(seats.act("blue", "end phase", seq=3), 409)
    assert seats.act("blue", "end phase", seq=2).status_code == 200


def test_wrong_tokens_are_refused(client: TestClient, seats: Seats) -> None:
    other = begin(client)
    for token in ("", "x", "a" * 32, other.tokens["blue"]):
        answer = client.get(seats.path, headers={"Authorization": f"Bearer {token}"})
        assert answer.status_code == (403 if token else 401)
        act = {"seq": 0, "action": "end phase"}
        answer = client.post(f"{seats.path}/actions", headers={"Authorization": f"Bearer {token}"}, json=act)
        assert answer.status_code == (403 if token else 401)
    mixed = {"Authorization": f"Bearer {seats.tokens['blue']},{other.tokens['red']}"}
    assert client.get(seats.path, headers=mixed).status_code == 403
    many = {"Authorization": "Bearer " + ",".join([seats.tokens["blue"]] * 5)}
    assert client.get(seats.path, headers=many).status_code == 401
    refused(client.get("/api/matches/nowhere", headers=seats.auth("blue")), 404)


def test_tokens_are_stored_only_as_digests(tmp_path: Path) -> None:
    with TestClient(create_app(settings(tmp_path))) as client:
        seats = begin(client)
        token = seats.tokens["blue"]
    with sqlite3.connect(tmp_path / "matches.sqlite") as database:
        secrets = [row[0] for row in database.execute("select secret from seat")]
    database.close()
    assert hashlib.sha256(token.encode()).digest() in secrets
    assert all(token.encode() not in file.read_bytes() for file in tmp_path.iterdir())


def test_large_bodies_are_refused(client: TestClient, seats: Seats) -> None:
    refused(client.post(f"{seats.path}/why", headers=seats.auth("blue"), content=b" " * (BODY_LIMIT + 1)), 413)

    def endless() -> Any:
        for _ in range(BODY_LIMIT // 1000 + 2):
            yield b" " * 1000

    refused(client.post(f"{seats.path}/why", headers=seats.auth("blue"), content=endless()), 413)


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({"game": "chess"}, "game"),
        ({"game": "toy", "seats": {"green": {}}}, "seats.green"),
        ({"game": "toy", "seats": {"red": {"kind": "computer", "player": "deep"}}}, "seats.red.player"),
        ({"game": "toy", "seats": {"red": {"kind": "computer", "token": "x"}}}, "seats.red.token"),
        ({"game": "toy", "seats": {"red": {"name": "x" * 41}}}, "seats.red.name"),
        ({"game": "toy", "scenario": "none"}, "scenario or options"),
        ({"game": "toy", "options": {"fog": True}}, "scenario or options"),
        ({"game": "toy", "options": {"secret": 1}}, "scenario or options"),
        ({"game": "toy", "seed": "1"}, "seed"),
        ({"game": "toy", "seed": 2**80}, "seed"),
        ({"game": "toy", "sede": 1}, "sede"),
        ([], "body"),
    ],
)
def test_a_wrong_request_for_a_match_says_where(client: TestClient, body: Any, where: str) -> None:
    answer = client.post("/api/matches", json=body)
    assert refused(answer, 404 if where == "game" else 422)["where"] == where


def test_broken_json_is_refused(client: TestClient) -> None:
    headers = {"Content-Type": "application/json"}
    refused(client.post("/api/matches", headers=headers, content=b'{"game": '), 422)
    refused(client.post("/api/matches", headers=headers, content=b"\xff\xfe"), 422)
    refused(client.post("/api/matches", headers=headers, content=b"[" * 60_000), 400)
    refused(client.post("/api/matches", headers=headers, content=b'{"game": NaN}'), 422)


def test_texts_that_are_no_unicode_are_refused(client: TestClient, seats: Seats) -> None:
    headers = seats.auth("blue") | {"Content-Type": "application/json"}
    for path, body in (
        (f"{seats.path}/why", b'{"action": "\\ud800"}'),
        ("/api/matches/mine", b'{"tokens": ["\\ud800"]}'),
        ("/api/matches", b'{"game": "toy", "seats": {"red": {"name": "\\udfff"}}}'),
        ("/api/matches", b'{"game": "\\ud800"}'),
    ):
        refused(client.post(path, headers=headers, content=body), 422)


def test_names_are_cleaned(client: TestClient) -> None:
    names = {"blue": {"name": "Ann\u202e\x00  Lee\n"}, "red": {"name": "<b>Bob</b>"}}
    seats = begin(client, seats=names)
    assert [seat["name"] for seat in seats.look("blue")["seats"]] == ["Ann Lee", "<b>Bob</b>"]
    assert seats.get("blue").headers["content-type"] == "application/json"


def test_of_two_actions_at_once_one_wins(seats: Seats) -> None:
    body = {"seq": 0, "action": "select Blue 1"}

    def post(_: int) -> int:
        return seats.client.post(f"{seats.path}/actions", headers=seats.auth("blue"), json=body).status_code

    with ThreadPoolExecutor(8) as pool:
        answers = sorted(pool.map(post, range(8)))
    assert answers == [200] + [409] * 7
    assert (seats.look("blue")["seq"], seats.look("blue")["ply"]) == (1, 1)


def test_two_servers_on_one_file_cannot_both_win(tmp_path: Path) -> None:
    with TestClient(create_app(settings(tmp_path))) as one, TestClient(create_app(settings(tmp_path))) as two:
        here = begin(one)
        there = Seats(two, {"id": here.id, "tokens": here.tokens})
        there.look("blue")
        here.do("blue", "select Blue 1")
        refused(there.act("blue", "select Blue 2", seq=0), 409)
        assert there.look("blue")["seq"] == 1
        assert there.look("blue")["view"]["decision"]["prompt"] == "Where does Blue 1 go?"


def test_other_sites_are_refused(client: TestClient, seats: Seats) -> None:
    body = {"seq": 0, "action": "end phase"}
    foreign = seats.auth("blue") | {"Origin": "https://elsewhere.example"}
    refused(client.post(f"{seats.path}/actions", headers=foreign, json=body), 403)
    own = seats.auth("blue") | {"Origin": "http://testserver"}
    assert client.post(f"{seats.path}/actions", headers=own, json=body).status_code == 200


def test_foreign_host_names_are_refused(tmp_path: Path) -> None:
    with TestClient(create_app(settings(tmp_path, hosts=("localhost",)))) as client:
        refused(client.get("/api/games"), 403)
        assert client.get("/api/games", headers={"Host": "localhost:8041"}).status_code == 200


def test_every_answer_carries_the_security_headers(client: TestClient, seats: Seats) -> None:
    for answer in (client.get("/"), client.get("/api/games"), client.get("/api/nothing"), seats.get("blue")):
        policy = answer.headers["content-security-policy"]
        assert "script-src 'self';" in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert "script" not in client.get("/api/games/toy/map.svg").headers["content-security-policy"]
    assert seats.get("blue").headers["cache-control"] == "no-store"
