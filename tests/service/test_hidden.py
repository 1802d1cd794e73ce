"""What a seat may not see never reaches it."""

from __future__ import annotations

import json

import pytest
from fastapi.testclient import TestClient

from tests.service.seats import Seats, begin

SECRETS = ("Blue 1", "Blue 2", "Blue 3", "Order 3", "Order 4")


@pytest.fixture
def secret(client: TestClient) -> Seats:
    """A match in which Red, and who watches, sees nothing of Blue."""
    return begin(client, options={"secret": True}, spectators=True)


def clean(payload: object) -> bool:
    text = json.dumps(payload)
    return not any(word in text for word in (*SECRETS, '"seed"', '"rng"'))


def test_the_other_seat_and_spectators_see_no_secrets(secret: Seats) -> None:
    update = secret.do("blue", "select Blue 1", "move Blue 1 0301")
    assert not clean(update)
    for sides in (("red",), ()):
        for what in ("", "/log"):
            assert clean(secret.look(*sides, at=what)), (sides, what)
        assert clean(secret.look(*sides, ply=1))
        shown = secret.look(*sides)
        assert [entry["text"] for entry in shown["log"]] == ["something moves (1.1)"]
        assert shown["log"][0]["hexes"] == []
        assert shown["view"]["hands"]["blue"] == {"count": 3, "cards": []}
        assert next(u for u in shown["view"]["units"] if u["side"] == "blue").keys() == {"at", "side", "hidden"}
    assert secret.look("blue")["log"][0]["hexes"] == ["0301"]


def test_the_overlay_hides_zones_of_hidden_units(secret: Seats) -> None:
    assert secret.look("blue", at="/overlay", kind="zoc", side="blue")["hexes"]
    assert secret.look("red", at="/overlay", kind="zoc", side="blue")["hexes"] == {}
    assert secret.look(at="/overlay", kind="zoc", side="blue")["hexes"] == {}
    hidden = {"kind": "zoc", "side": "blue", "unit": 0}
    assert secret.get("blue", at="/overlay", **hidden).status_code == 200
    assert secret.get("red", at="/overlay", **hidden).status_code == 403
    assert secret.get(at="/overlay", **hidden).status_code == 403


def test_asking_why_tells_nothing_of_the_other_sides_decision(secret: Seats) -> None:
    secret.do("blue", "select Blue 1")
    answer = secret.post("why", "red", action="move Blue 1 0301").json()
    assert answer == {"legal": False, "citations": [{"rule": "", "text": "not your decision: blue decides now"}]}
    assert secret.post("forecast", "red", action="move Blue 1 0301").status_code == 403
    assert clean(secret.look("red")["view"]["decision"])


def test_the_live_connection_hides_too(secret: Seats) -> None:
    with secret.client.websocket_connect(f"{secret.path}/live") as socket:
        socket.send_json({"token": secret.tokens["red"]})
        assert clean(socket.receive_json())
        secret.do("blue", "select Blue 1", "move Blue 1 0301")
        for _ in range(2):
            assert clean(socket.receive_json())


def test_the_record_is_closed_while_another_person_plays(secret: Seats) -> None:
    for sides in (("red",), ("blue",), ()):
        answer = secret.get(*sides, at="/record")
        assert answer.status_code == 403
        assert "seed" in answer.json()["error"]
        assert not secret.look(*sides)["record_open"]
    assert secret.look("red", "blue")["record_open"]
    assert secret.look("blue", "red", at="/record")["seed"] == 1


def test_the_record_opens_when_the_game_is_over(secret: Seats) -> None:
    for _ in range(4):
        secret.do("blue", "end phase", "end phase")
        secret.do("red", "end phase", "end phase")
    assert secret.look("red", at="/record")["seed"] == 1
    assert len(secret.look(at="/record")["actions"]) == 16


def test_a_match_without_spectators_needs_a_token(seats: Seats) -> None:
    for what in ("", "/log", "/record", "/overlay"):
        assert seats.get(at=what, kind="zoc").status_code == 401
    for what, body in (("actions", {"seq": 0, "action": "end phase"}), ("undo", {"seq": 0}), ("why", {"action": "x"})):
        assert seats.post(what, None, **body).status_code == 401


def test_a_spectator_cannot_act(secret: Seats) -> None:
    assert secret.look()["viewer"] is None
    assert secret.look()["view"]["legal"] == []
    assert secret.post("actions", None, seq=0, action="end phase").status_code == 401
    assert secret.post("undo", None, seq=0).status_code == 401
