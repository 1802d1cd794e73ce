"""Live connections: everyone is told, as its side sees it, and can catch up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from counterblow.service import hub, models
from counterblow.service.hub import Hub, Watcher
from tests.service.seats import Seats, begin


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


def act(socket: Any, seq: int, action: str, **more: Any) -> None:
    socket.send_json({"act": action, "seq": seq, **more})


def until(socket: Any, *kinds: str) -> dict[str, Any]:
    """The next message of one of these kinds."""
    while (message := socket.receive_json())["type"] not in kinds:
        pass
    found: dict[str, Any] = message
    return found


def test_a_seat_can_act_where_it_watches(seats: Seats) -> None:
    live = f"{seats.path}/live"
    with seats.client.websocket_connect(live) as blue, seats.client.websocket_connect(live) as red:
        hello(blue, seats.tokens["blue"])
        hello(red, seats.tokens["red"])
        act(blue, 0, "select Blue 1")
        assert until(blue, "update")["seq"] == 1
        assert models.LiveDone.model_validate(until(blue, "done")).model_dump() == {"type": "done", "of": 0, "seq": 1}
        assert until(red, "update")["view"]["viewer"] == "red"
        act(blue, 1, "move Blue 1 0909")
        refused = models.LiveRefused.model_validate(until(blue, "refused"))
        assert (refused.of, refused.status, refused.where) == (1, 422, "act")
        act(red, 1, "end phase")
        assert until(red, "refused")["status"] == 403
        act(blue, 0, "select Blue 1")
        assert until(blue, "refused")["status"] == 409
        for nonsense in ('{"act": 3, "seq": 1}', "{", '{"act": "end phase"}'):
            blue.send_text(nonsense)
            assert until(blue, "refused")["status"] == 422
        act(blue, 1, "move Blue 1 0301")
        assert until(blue, "done")["seq"] == 2
    assert seats.look("blue")["ply"] == 2


def test_actions_may_follow_each_other_without_waiting_for_answers(seats: Seats) -> None:
    line = ["select Blue 1", "move Blue 1 0301", "select Blue 2", "move Blue 2 0302"]
    with seats.client.websocket_connect(f"{seats.path}/live") as blue:
        hello(blue, seats.tokens["blue"])
        for seq, action in enumerate(line):
            act(blue, seq, action)
        act(blue, 9, "end phase")
        assert [until(blue, "done")["seq"] for _ in line] == [1, 2, 3, 4]
        assert until(blue, "refused")["of"] == 9
    assert seats.look("blue")["ply"] == 4


def test_an_action_that_is_sent_again_with_its_key_is_done_once(seats: Seats) -> None:
    with seats.client.websocket_connect(f"{seats.path}/live") as blue:
        hello(blue, seats.tokens["blue"])
        for _ in range(2):
            act(blue, 0, "select Blue 1", key="a")
            assert until(blue, "done")["of"] == 0
    assert seats.look("blue")["seq"] == 1


def test_who_hangs_up_has_acted_and_the_other_is_told(seats: Seats) -> None:
    live = f"{seats.path}/live"
    with seats.client.websocket_connect(live) as red:
        hello(red, seats.tokens["red"])
        with seats.client.websocket_connect(live) as blue:
            hello(blue, seats.tokens["blue"])
            act(blue, 0, "select Blue 1")
        assert until(red, "update")["seq"] == 1


def test_a_spectator_cannot_act(client: TestClient) -> None:
    seats = begin(client, spectators=True)
    with client.websocket_connect(f"{seats.path}/live") as nobody:
        hello(nobody, None)
        act(nobody, 0, "select Blue 1")
        assert until(nobody, "refused")["status"] == 401


def test_of_a_line_that_breaks_off_nothing_stays(seats: Seats) -> None:
    seats.do("blue", "select Blue 1")
    before = seats.look("blue")
    answer = seats.post("actions", "blue", seq=1, actions=["move Blue 1 0301", "select Blue 2", "move Blue 2 0909"])
    assert (answer.status_code, answer.json()["where"]) == (422, "actions[3]")
    assert seats.look("blue") == before
    seats.do("blue", "move Blue 1 0301")
    assert [entry["ply"] for entry in seats.look("blue", at="/log")["entries"]] == [2]
