"""Starts what compose.yaml describes without containers, and plays through it: ``python deploy/check.py``.

The commands, nginx.conf and the order are those of the files; only names of machines and ports are changed. It needs
nginx and a PostgreSQL server on this machine. It says what it has checked, and fails at the first thing that is wrong.
"""

from __future__ import annotations

import json
import os
import random
import re
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx2
import psycopg
import yaml
from websockets.sync.client import connect

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from tests.service.postgres import Server  # noqa: E402
from tests.service.processes import free_port  # noqa: E402

PASSWORD = "chosen-for-this-check"
HOST = "games.example.org"


class Stack:
    """The services of compose.yaml as processes."""

    def __init__(self, folder: Path, database_port: int) -> None:
        self.services = yaml.safe_load((HERE / "compose.yaml").read_text())["services"]
        self.folder = folder
        self.ports = {name: free_port() for name in ("one", "two", "proxy")}
        self.database_port = database_port
        self.processes: dict[str, subprocess.Popen[bytes]] = {}

    def filled(self, text: str, name: str = "") -> str:
        """The variables, and what is another machine there and a port here."""
        variables = {"POSTGRES_PASSWORD": PASSWORD, "COUNTERBLOW_HOST": HOST}
        text = re.sub(r"\$\{(\w+)(?::[-?]([^}]*))?\}", lambda m: variables.get(m[1], m[2] or ""), text)
        text = text.replace("@database/", f"@127.0.0.1:{self.database_port}/").replace("172.16.0.0/12", "127.0.0.1")
        return text.replace("--port 8041", f"--port {self.ports.get(name, 0)}").replace("0.0.0.0", "127.0.0.1")

    def start(self, name: str) -> None:
        service = self.services[name]
        command = [sys.executable, "-m", "counterblow.cli", *shlex.split(self.filled(service["command"], name))]
        variables = {key: self.filled(value) for key, value in service["environment"].items()}
        variables["COUNTERBLOW_DATA"] = str(self.folder / "data")
        log = (self.folder / f"{name}.log").open("ab")
        self.processes[name] = subprocess.Popen(command, env=os.environ | variables, stdout=log, stderr=log)
        log.close()

    def start_proxy(self) -> None:
        text = (HERE / "nginx.conf").read_text().replace("listen 80;", f"listen 127.0.0.1:{self.ports['proxy']};")
        for name in ("one", "two"):
            assert f"server {name}:8041" in text
            text = text.replace(f"server {name}:8041", f"server 127.0.0.1:{self.ports[name]}")
        (self.folder / "default.conf").write_text(text)
        whole = self.folder / "nginx.conf"
        whole.write_text(
            f"user root; daemon off; pid {self.folder}/nginx.pid; error_log {self.folder}/nginx.log; events {{}}\n"
            f"http {{ access_log off; client_body_temp_path {self.folder}/body; proxy_temp_path {self.folder}/temp;\n"
            f"include {self.folder}/default.conf; }}\n"
        )
        subprocess.run(["nginx", "-t", "-q", "-c", str(whole)], check=True)
        self.processes["proxy"] = subprocess.Popen(["nginx", "-c", str(whole)])

    def stop(self, name: str) -> int:
        """As compose stops it: a signal, and time to finish what is under way."""
        process = self.processes.pop(name)
        process.send_signal(signal.SIGTERM)
        return process.wait(float(self.services[name].get("stop_grace_period", "10s").rstrip("s")))

    def ready(self, name: str) -> bool:
        address = f"http://127.0.0.1:{self.ports[name]}/api/ready"
        try:
            return httpx2.get(address, headers={"Host": HOST}, trust_env=False).status_code == 200
        except httpx2.HTTPError:
            return False


@contextmanager
def running() -> Iterator[Stack]:
    with ExitStack() as last, tempfile.TemporaryDirectory() as folder:
        port = free_port()
        postgres = Server(port)
        last.callback(postgres.stop)
        with psycopg.connect(postgres.url("postgres"), autocommit=True) as connection:
            connection.execute(f"create role counterblow login password '{PASSWORD}'")
            connection.execute("create database counterblow owner counterblow")
        stack = Stack(Path(folder), port)
        try:
            for name in ("one", "two", "worker"):
                stack.start(name)
            until(lambda: stack.ready("one") and stack.ready("two"), "both app processes are ready", 120)
            stack.start_proxy()
            yield stack
        except BaseException:
            for log in Path(folder).glob("*.log"):
                print(f"--- {log.name}\n" + log.read_text()[-3000:], file=sys.stderr)
            raise
        finally:
            for process in stack.processes.values():
                process.terminate()
            for process in stack.processes.values():
                process.wait(30)


def until(holds: Callable[[], Any], what: str, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, f"it did not happen: {what}"
        time.sleep(0.05)
    print(f"  {what}")


class Player:
    """Plays a match at the proxy, one request after the other, until told to stop."""

    def __init__(self, client: httpx2.Client) -> None:
        self.client, self.chance = client, random.Random(1)
        made = client.post("/api/matches", json={"game": "leningrad", "seed": 1}).raise_for_status().json()
        self.path, self.tokens = f"/api/matches/{made['id']}", made["tokens"]
        self.actions: list[str] = []
        self.failed: list[str] = []
        self.stop = threading.Event()

    def auth(self, *sides: str) -> dict[str, str]:
        return {"Authorization": "Bearer " + ",".join(self.tokens[side] for side in sides)}

    def play(self) -> None:
        while not self.stop.wait(0.1) and not self.failed:  # an address may ask 30 times a second
            if (side := self.look(*self.tokens).get("decider")) is None or not (state := self.look(side)):
                return
            action = self.chance.choice(state["view"]["legal"])["text"]
            key = {"Idempotency-Key": str(len(self.actions))}
            body = {"seq": state["seq"], "action": action}
            answer = self.client.post(f"{self.path}/actions", headers=self.auth(side) | key, json=body)
            if answer.status_code == 200:
                self.actions.append(action)
            else:
                self.failed.append(f"{answer.status_code} {answer.text[:200]}")

    def look(self, *sides: str) -> dict[str, Any]:
        answer = self.client.get(self.path, headers=self.auth(*sides))
        if answer.status_code != 200:
            self.failed.append(f"{answer.status_code} {answer.text[:200]}")
            return {}
        found: dict[str, Any] = answer.json()
        return found

    def written(self) -> list[str]:
        record = self.client.get(f"{self.path}/record", headers=self.auth(*self.tokens)).raise_for_status().json()
        found: list[str] = record["actions"]
        return found


def check_addresses(stack: Stack, client: httpx2.Client) -> None:
    assert [game["slug"] for game in client.get("/api/games").json()]
    assert client.get("/api/metrics").status_code == 403, "figures are told to the public"
    assert client.get("/api/games", headers={"Host": "else.example.org"}).status_code == 403
    figures = httpx2.get(f"http://127.0.0.1:{stack.ports['one']}/api/metrics", headers={"Host": HOST}, trust_env=False)
    assert "counterblow_requests_total" in figures.text
    print("  the proxy passes requests, hides the figures; other hosts are refused")


def check_computer(client: httpx2.Client) -> None:
    first = client.post("/api/matches", json={"game": "leningrad"}).raise_for_status().json()["decider"]
    seats = {first: {"kind": "computer", "player": "random"}}
    made = client.post("/api/matches", json={"game": "leningrad", "seats": seats}).raise_for_status().json()
    headers = {"Authorization": "Bearer " + next(iter(made["tokens"].values()))}
    until(
        lambda: client.get(f"/api/matches/{made['id']}", headers=headers).json()["ply"] > 0,
        "the worker thinks for a computer player",
    )


def check_two_processes(stack: Stack, client: httpx2.Client) -> None:
    """Two players of one match, each at a process of its own: how soon one sees what the other does."""
    made = client.post("/api/matches", json={"game": "leningrad", "kind": "remote", "nonce": "a"}).json()
    joining = {"invitation": made["invitation"], "nonce": "b"}
    joined = client.post(f"/api/matches/{made['id']}/join", json=joining).raise_for_status().json()
    tokens, waits = made["tokens"] | joined["tokens"], []
    with ExitStack() as last:
        sockets, states = {}, {}
        for (side, token), name in zip(tokens.items(), ("one", "two"), strict=True):
            here = socket.create_connection(("127.0.0.1", stack.ports[name]))
            live = last.enter_context(connect(f"ws://{HOST}/api/matches/{made['id']}/live", sock=here))
            live.send(json.dumps({"token": token}))
            sockets[side], states[side] = live, json.loads(live.recv())
        for _ in range(21):
            side = states[next(iter(states))]["decider"]
            other = next(name for name in sockets if name != side)
            state = states[side]
            began = time.perf_counter()
            sockets[side].send(json.dumps({"act": state["view"]["legal"][0]["text"], "seq": state["seq"]}))
            for name in (other, side):
                while states[name]["seq"] == state["seq"]:
                    message = json.loads(sockets[name].recv())
                    states[name] = message if message["type"] == "update" else states[name]
                if name == other:
                    waits.append(time.perf_counter() - began)
    median, longest = sorted(waits)[len(waits) // 2], max(waits)
    assert median < 0.2, f"half of the moves took longer than {median * 1000:.0f} ms to be seen"
    print(
        f"  a move at one process is seen at the other within {median * 1000:.0f} ms (longest {longest * 1000:.0f} ms)"
    )


def check_restart(stack: Stack, client: httpx2.Client) -> None:
    """Both processes one after the other, while somebody plays and somebody watches."""
    player = Player(client)
    playing = threading.Thread(target=player.play)
    playing.start()
    here = socket.create_connection(("127.0.0.1", stack.ports["proxy"]))
    with connect(f"ws://{HOST}{player.path}/live", sock=here) as live:
        live.send(json.dumps({"token": player.tokens["german"]}))
        assert json.loads(live.recv())["type"] == "state"
        assert json.loads(live.recv())["type"] == "update"
        print("  live connections pass the proxy")
    try:
        for name in ("one", "two"):
            until(lambda: player.failed or len(player.actions) % 20 == 19, "play goes on")
            assert stack.stop(name) in (0, -signal.SIGTERM), f"{name} did not stop by itself"
            before = len(player.actions)
            until(lambda: player.failed or len(player.actions) > before + 5, f"play goes on without {name}")  # noqa: B023
            stack.start(name)
            until(lambda: stack.ready(name), f"{name} is back", 120)  # noqa: B023
            assert not player.failed, player.failed
    finally:
        player.stop.set()
        playing.join()
    assert not player.failed, player.failed
    assert player.written() == player.actions, "the log is not what was acknowledged"
    print(f"  a rolling restart dropped none of {len(player.actions)} actions")


def main() -> None:
    with running() as stack:
        address = f"http://127.0.0.1:{stack.ports['proxy']}"
        with httpx2.Client(base_url=address, headers={"Host": HOST}, timeout=120, trust_env=False) as client:
            check_addresses(stack, client)
            check_computer(client)
            check_two_processes(stack, client)
            check_restart(stack, client)
    print("what compose.yaml describes works")


if __name__ == "__main__":
    main()
