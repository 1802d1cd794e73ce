"""Computer seats: they play by themselves, through the same door."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastapi.testclient import TestClient

from counterblow import players
from counterblow.players.base import Thought, where
from counterblow.service import computer, workers
from counterblow.service.app import create_app
from tests.service.conftest import settings
from tests.service.processes import free_port
from tests.service.seats import Seats, begin

COMPUTER = {"kind": "computer", "player": "random"}


def until(holds: Callable[[], Any]) -> None:
    for _ in range(200):
        if holds():
            return
        time.sleep(0.02)
    raise AssertionError("it did not happen")


def test_the_computer_answers(client: TestClient) -> None:
    seats = begin(client, seats={"red": COMPUTER})
    assert seats.tokens.keys() == {"blue"}
    seats.do("blue", "end phase", "end phase")
    until(lambda: seats.look("blue")["decider"] in ("blue", None))
    shown = seats.look("blue")
    assert shown["ply"] >= 4
    assert shown["record_open"]
    assert [seat["name"] for seat in shown["seats"]] == ["Blue", "Computer (random)"]


def test_the_computer_begins(client: TestClient) -> None:
    seats = begin(client, seats={"blue": COMPUTER})
    until(lambda: seats.look("red")["decider"] == "red")


def test_nobody_can_act_for_the_computer(client: TestClient) -> None:
    seats = begin(client, seats={"red": COMPUTER})
    seats.do("blue", "end phase")
    assert seats.post("undo", "blue", seq=1).status_code == 200
    seats.do("blue", "end phase", "end phase")
    assert seats.act("blue", "end phase", seq=4).status_code in (403, 409)


def test_two_computers_play_while_somebody_watches(client: TestClient) -> None:
    seats = begin(client, seats={"blue": COMPUTER, "red": COMPUTER}, spectators=True)
    assert seats.look()["ply"] == 0
    with client.websocket_connect(f"{seats.path}/live") as socket:
        socket.send_json({"token": None})
        message = socket.receive_json()
        while not message["over"]:
            message = socket.receive_json()
    assert seats.look()["result"]["winner"] in ("blue", "red")


def test_a_restart_lets_the_computer_go_on(tmp_path: Path) -> None:
    with TestClient(create_app(settings(tmp_path))) as client:
        begun = begin(client)
        begun.do("blue", "end phase", "end phase")
    _give_to_computer(tmp_path, begun.id, "red")
    with TestClient(create_app(settings(tmp_path))) as client:
        seats = Seats(client, {"id": begun.id, "tokens": begun.tokens})
        until(lambda: _turn_of(seats, "blue"))


def _turn_of(seats: Seats, side: str) -> bool:
    mine = seats.client.post("/api/matches/mine", json={"tokens": [seats.tokens["blue"]]}).json()
    return bool(mine[0]["decider"] in (side, None))


def _give_to_computer(data: Path, match: str, side: str) -> None:
    import sqlite3

    with sqlite3.connect(data / "matches.sqlite") as database:
        database.execute("update seat set kind='computer', player='random', secret=null where side=?", (side,))
    database.close()


def test_a_player_that_fails_does_not_stop_the_match(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object) -> None:
        raise RuntimeError("no idea")

    monkeypatch.setattr(players.Plain, "choose", fail)
    seats = begin(client, seats={"blue": {"kind": "computer", "player": "plain"}})
    until(lambda: seats.look("red")["decider"] == "red")


def test_who_plays_does_not_wait_for_a_thought_of_those_who_watch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One worker, and somebody watches players who think for ever."""
    real = computer.think

    def slow(load: Any, slug: str, state: str, player: str, seed: int) -> computer.Line:
        if player == "plain":
            time.sleep(6)
        return real(load, slug, state, player, seed)

    monkeypatch.setattr(workers, "think", slow)
    deep = {"kind": "computer", "player": "plain"}
    with TestClient(create_app(settings(tmp_path, workers=1))) as client:
        watched = begin(client, seats={"blue": deep, "red": deep}, spectators=True)
        with client.websocket_connect(f"{watched.path}/live") as socket:
            socket.send_json({"token": None})
            socket.receive_json()
            time.sleep(0.5)  # by now the worker thinks
            seats = begin(client, seats={"red": COMPUTER})
            seats.do("blue", "end phase", "end phase")
            began = time.monotonic()
            until(lambda: seats.look("blue")["ply"] > 2)
            assert time.monotonic() - began < 2
            assert watched.look()["ply"] == 0


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_a_server_that_is_stopped_while_it_thinks_stops_without_a_word(tmp_path: Path, sign: signal.Signals) -> None:
    command = [sys.executable, "-m", "counterblow.cli", "serve", "--no-browser", "--data", str(tmp_path)]
    process = subprocess.Popen(
        [*command, "--port", str(free_port())], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    address = process.stdout.readline().split()[-1]
    with httpx2.Client(base_url=address, timeout=60, trust_env=False) as client:
        first = client.post("/api/matches", json={"game": "noretreat"}).raise_for_status().json()["decider"]
        seats = {first: {"kind": "computer", "player": "general"}}
        made = client.post("/api/matches", json={"game": "noretreat", "seats": seats}).raise_for_status().json()
        path, token = f"/api/matches/{made['id']}", next(iter(made["tokens"].values()))
        headers = {"Authorization": f"Bearer {token}"}
        until(lambda: client.get(path, headers=headers).json()["thinking"])
    process.send_signal(sign)
    _, said = process.communicate(timeout=30)
    assert (process.returncode, said) == (0, "")


class Slowly:
    """A general that thinks until it is told to go on or given up; what it was asked, and how it ended."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked: list[str] = []  # the positions of which it thought
        self.dropped = 0
        self.go_on = threading.Event()
        slowly = self

        def think(player: players.General, state: Any, side: int) -> list[Any]:
            meter = player._meter(1000, 60)
            slowly.asked.append(state.to_json())
            try:
                while not slowly.go_on.wait(0.01):
                    meter.nodes += 1
                    meter.tell()
            except players.Cancelled:
                slowly.dropped += 1
                raise
            return [Thought(where(state), state.decision.passes or state.legal()[0], "enough is done")]

        monkeypatch.setattr(players.General, "think", think)

    def is_followed(self, socket: Any) -> None:
        """Who watches is told how far it is, more than once, before it plays its third action."""
        threading.Timer(1.2, self.go_on.set).start()
        shares: list[float] = []
        while (message := socket.receive_json())["type"] != "update" or message["ply"] <= 2:
            if message["type"] == "thinking":
                shares.append(message["share"])
        assert len(shares) > 1
        assert 0 < shares[0] < shares[-1] < 1


GENERAL = {"kind": "computer", "player": "general"}


def test_who_watches_is_told_how_far_a_thought_is(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    slowly = Slowly(monkeypatch)
    seats = begin(client, seats={"red": GENERAL})
    with client.websocket_connect(f"{seats.path}/live") as socket:
        socket.send_json({"token": seats.tokens["blue"]})
        socket.receive_json()
        seats.do("blue", "end phase", "end phase")
        slowly.is_followed(socket)


def test_a_thought_is_given_up_when_what_it_answers_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One worker: another match is served at once."""
    slowly = Slowly(monkeypatch)
    with TestClient(create_app(settings(tmp_path, workers=1))) as client:
        seats = begin(client, seats={"red": GENERAL})
        seats.do("blue", "end phase", "end phase")
        until(lambda: slowly.asked)
        assert seats.post("undo", "blue", seq=2).status_code == 200
        until(lambda: slowly.dropped)
        other = begin(client, seats={"red": COMPUTER})
        other.do("blue", "end phase", "end phase")
        until(lambda: other.look("blue")["decider"] in ("blue", None))
        assert seats.look("blue")["decider"] == "blue"


def test_a_general_thinks_ahead_while_the_person_looks_at_the_map(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    slowly = Slowly(monkeypatch)
    slowly.go_on.set()
    seats = begin(client, seats={"red": GENERAL})
    with client.websocket_connect(f"{seats.path}/live") as socket:
        socket.send_json({"token": seats.tokens["blue"]})
        socket.receive_json()
        until(lambda: slowly.asked)
        assert seats.look("blue")["ply"] == 0
        seats.do("blue", "end phase", "end phase")
        until(lambda: seats.look("blue")["ply"] > 2)
    assert len(slowly.asked) == len(set(slowly.asked)), "what was thought ahead is played, and not thought again"


def test_a_thought_ahead_goes_on_when_it_is_asked_for(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    slowly = Slowly(monkeypatch)
    seats = begin(client, seats={"red": GENERAL})
    with client.websocket_connect(f"{seats.path}/live") as socket:
        socket.send_json({"token": seats.tokens["blue"]})
        socket.receive_json()
        until(lambda: slowly.asked)
        seats.do("blue", "end phase", "end phase")
        time.sleep(1.2)  # longer than anybody is asked to be patient
        assert (len(slowly.asked), slowly.dropped) == (1, 0)
        slowly.go_on.set()
        until(lambda: seats.look("blue")["ply"] > 2)


def test_a_thought_ahead_is_given_up_for_other_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slowly = Slowly(monkeypatch)
    with TestClient(create_app(settings(tmp_path, workers=1))) as client:
        seats = begin(client, seats={"red": GENERAL})
        with client.websocket_connect(f"{seats.path}/live") as socket:
            socket.send_json({"token": seats.tokens["blue"]})
            socket.receive_json()
            until(lambda: slowly.asked)
            other = begin(client, seats={"red": COMPUTER})
            other.do("blue", "end phase", "end phase")
            until(lambda: slowly.dropped)
            until(lambda: other.look("blue")["decider"] in ("blue", None))
            slowly.go_on.set()


def test_a_computer_player_may_have_a_temperament(client: TestClient) -> None:
    seats = begin(client, seats={"red": {"kind": "computer", "player": "officer:bold"}})
    assert seats.look("blue")["seats"][1]["player"] == "officer:bold"
    offered = {player["name"]: player["temperaments"] for player in client.get("/api/games").json()[0]["players"]}
    assert offered["officer"] == offered["general"] == ["cautious", "balanced", "bold"]
    assert offered["random"] == []


def test_an_unknown_temperament_is_refused_by_its_name(client: TestClient) -> None:
    wanted = {"game": "toy", "seats": {"red": {"kind": "computer", "player": "officer:brave"}}}
    answer = client.post("/api/matches", json=wanted)
    assert (answer.status_code, answer.json()["where"]) == (422, "seats.red.player")
    assert answer.json()["error"] == 'unknown temperament "brave": known: cautious, balanced, bold'


def test_another_seed_is_another_opening(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same match again is played alike; in another one the computer draws its own lots anew."""
    make, drawn = players.make, []

    def noted(name: str, seed: int = 0, **more: Any) -> players.Player:
        if more:  # it is to think; else only its name is tried
            drawn.append(seed)
        return make(name, seed, **more)

    def first_draw(seed: int) -> int:
        seats = begin(client, seed=seed, seats={"blue": {"kind": "computer", "player": "random"}})
        until(lambda: seats.look("red")["decider"] == "red")
        return drawn[0]

    monkeypatch.setattr(players, "make", noted)
    draws = []
    for seed in (1, 1, 2):
        drawn.clear()
        draws.append(first_draw(seed))
    assert draws[0] == draws[1] != draws[2]
