"""Live connections: everyone is told, as its side sees it, and can catch up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from counterblow.service import hub, models
from counterblow.service.hub import Hub, Watcher
from tests.service.seats import Seats


def hello(socket: Any, token: str | None) -> dict[str, Any]:
    socket.send_json({"token": token})
    first: dict[str, Any] = socket.receive_json()
    return first


def test_both_seats_are_told_of_every_change(seats: Seats) -> None:
    live = f"{seats.path}/live"
    with seats.client.websocket_connect(live) as blue, seats.client.websocket_connect(live) as red:
        assert models.LiveState.model_validate(hello(blue, seats.tokens["blue"])).viewer == "blue"
        assert hello(red, seats.tokens["red"])["viewer"] == "red"
        answer = seats.do("blue", "select Blue 1")
        told = blue.receive_json()
        assert told == answer
        other = models.Update.model_validate(red.receive_json())
        assert (other.seq, other.view.viewer, other.view.legal) == (1, "red", [])
        seats.post("undo", "blue", seq=1)
        assert red.receive_json()["ply"] == 0


def test_a_lost_connection_catches_up(seats: Seats) -> None:
    live = f"{seats.path}/live"
    with seats.client.websocket_connect(live) as red:
        assert hello(red, seats.tokens["red"])["seq"] == 0
    seats.do("blue", "select Blue 1", "move Blue 1 0301", "end phase")
    with seats.client.websocket_connect(live) as red:
        state = hello(red, seats.tokens["red"])
        assert (state["seq"], [e["ply"] for e in state["log"]]) == (3, [2])
        red.send_text("ping")
        assert red.receive_text() == "pong"


@pytest.mark.parametrize(
    ("first", "code"),
    [('{"token": "wrong"}', 4403), ('{"token": null}', 4401), ("{}", 4401), ("hello", 4422), ('{"side": "red"}', 4422)],
)
def test_a_wrong_hello_is_dismissed(seats: Seats, first: str, code: int) -> None:
    with seats.client.websocket_connect(f"{seats.path}/live") as socket:
        socket.send_text(first)
        assert socket.receive_json()["type"] == "error"
        with pytest.raises(WebSocketDisconnect) as ended:
            socket.receive_text()
    assert ended.value.code == code


def test_messages_that_are_not_text_mean_nothing(seats: Seats) -> None:
    with seats.client.websocket_connect(f"{seats.path}/live") as socket:
        hello(socket, seats.tokens["red"])
        socket.send_bytes(b"\x00\xff")
        socket.send_text("ping")
        assert socket.receive_text() == "pong"
    with seats.client.websocket_connect(f"{seats.path}/live") as socket:
        socket.send_bytes(b"\x00\xff")
        assert socket.receive_json()["status"] == 422


def test_another_site_cannot_connect(client: TestClient, seats: Seats) -> None:
    live = f"{seats.path}/live"
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(live, headers={"Origin": "https://else.example"}):
        pass
    with client.websocket_connect(live, headers={"Origin": "http://testserver"}) as socket:
        assert hello(socket, seats.tokens["blue"])["type"] == "state"
    assert client.get(live).status_code == 426


def test_who_does_not_read_is_cut_off(tmp_path: Path) -> None:
    watchers, slow = Hub(), Watcher("red")
    watchers.enter("m", slow)
    for number in range(hub.BACKLOG + 1):
        watchers.tell("m", {"red": str(number)})
    assert slow.messages.get_nowait() is None
    watchers.leave("m", slow)
    assert watchers.sides("m") == set()
