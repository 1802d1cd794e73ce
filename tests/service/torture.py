"""Kill servers while people play, again and again: nothing that was acknowledged may be lost or happen twice.

``python -m tests.service.torture --runs 200 [--postgresql] [--servers 2] [--kill-database]``
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, NamedTuple

import httpx2

from counterblow.service.database import open_database
from tests.service.postgres import Server
from tests.service.processes import free_port
from tests.service.serve_toy import serve_quietly

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.service.serve_toy"])
MATCHES = 4  # each played by a thread


class Asked(NamedTuple):
    """An action on its way."""

    side: str
    seq: int
    action: str
    key: str


@dataclass
class Played:
    """A match, and what its player was told had happened: number of the entry -> action."""

    id: str
    tokens: dict[str, str]
    acknowledged: dict[int, str] = field(default_factory=dict)
    unsure: Asked | None = None
    faults: list[str] = field(default_factory=list)


@dataclass
class Tally:
    runs: int = 0
    acknowledged: int = 0
    again: int = 0  # sent once more, since the answer did not come
    faults: list[str] = field(default_factory=list)


def play(match: Played, addresses: list[str], stop: threading.Event, number: int) -> None:
    """Act as fast as answers come, now at one server, now at another, until it fails or is over."""
    chance = random.Random(number)
    clients = [httpx2.Client(base_url=address, timeout=5, trust_env=False) for address in addresses]
    try:
        while not stop.is_set():
            _act(match, chance.choice(clients), chance)
    except (httpx2.HTTPError, KeyError):
        pass  # killed
    finally:
        for client in clients:
            client.close()


def _act(match: Played, client: httpx2.Client, chance: random.Random) -> None:
    path = f"/api/matches/{match.id}"
    state = client.get(path, headers=_auth(match, "blue")).json()
    if "seq" not in state:
        return
    if state["over"]:
        time.sleep(0.05)
        return
    side = state["decider"]
    view = state if side == "blue" else client.get(path, headers=_auth(match, side)).json()
    if "view" not in view or view["seq"] != state["seq"] or not view["view"]["legal"]:
        return
    legal = [action["text"] for action in view["view"]["legal"]]
    action = chance.choice([text for text in legal if not text.startswith("end")] or legal)
    match.unsure = Asked(side, state["seq"], action, f"{chance.random()}")
    _ask(match, client)


def _ask(match: Played, client: httpx2.Client) -> None:
    """Send an action; without an answer it stays unsure, and is sent again to the next server."""
    asked = match.unsure
    assert asked is not None
    headers = _auth(match, asked.side) | {"Idempotency-Key": asked.key}
    body = {"seq": asked.seq, "action": asked.action}
    answer = client.post(f"/api/matches/{match.id}/actions", headers=headers, json=body)
    if answer.status_code == 503:
        return
    match.unsure = None
    number = asked.seq + 1
    if answer.status_code != 200:
        match.faults.append(f"{match.id}: {answer.status_code} {answer.text[:200]}")
    elif number in match.acknowledged:
        match.faults.append(f"{match.id}: entry {number} was acknowledged twice")
    else:
        match.acknowledged[number] = asked.action


def _auth(match: Played, side: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {match.tokens[side]}"}


def check(match: Played, client: httpx2.Client, log: list[tuple[int, str, str | None]]) -> None:
    """The log has every acknowledged action at its number, and the match plays on."""
    written = {seq: action for seq, kind, action in log if kind == "do"}
    for number, action in match.acknowledged.items():
        if written.get(number) != action:
            match.faults.append(f"{match.id}: entry {number} was {action!r}, is {written.get(number)!r}")
    numbers = [seq for seq, _, _ in log]
    if numbers != list(range(len(numbers))):
        match.faults.append(f"{match.id}: the log has a gap or a double: {numbers[-5:]}")
    answer = client.get(f"/api/matches/{match.id}", headers=_auth(match, "blue"))
    if answer.status_code != 200 or answer.json()["frozen"]:
        match.faults.append(f"{match.id}: does not open: {answer.text[:200]}")


def torture(runs: int, folder: Path, postgres: Server | None, servers: int, seed: int, kill_database: bool) -> Tally:
    tally, chance = Tally(), random.Random(seed)
    url = None if postgres is None else postgres.new()
    matches: list[Played] = []
    for run in range(runs):
        with ExitStack() as stack:
            started = [stack.enter_context(_server(folder, url)) for _ in range(servers)]
            _check_all(matches, started[0].client, folder, url, tally)
            if run % 3 == 0:
                tally.acknowledged += sum(len(match.acknowledged) for match in matches)
                matches = [_begin(started[0].client) for _ in range(MATCHES)]
            stop = threading.Event()
            addresses = [str(server.client.base_url) for server in started]
            threads = [
                threading.Thread(target=play, args=(match, addresses, stop, chance.randrange(1 << 30)))
                for match in matches
            ]
            for thread in threads:
                thread.start()
            _wait_for(sum(len(match.acknowledged) for match in matches) + chance.randrange(5, 60), matches)
            if kill_database and postgres is not None:
                postgres.kill()
                time.sleep(0.1)
                postgres.start()
                _wait_for(sum(len(match.acknowledged) for match in matches) + 5, matches)  # play goes on
            for server in started:
                server.process.kill()
            stop.set()
            for thread in threads:
                thread.join()
        tally.runs += 1
        if tally.runs % 20 == 0:
            print(f"{tally.runs} of {runs} runs, {len(tally.faults)} faults", flush=True)
    with _server(folder, url) as last:
        _check_all(matches, last.client, folder, url, tally)
    tally.acknowledged += sum(len(match.acknowledged) for match in matches)
    return tally


def _check_all(matches: list[Played], client: httpx2.Client, folder: Path, url: str | None, tally: Tally) -> None:
    with closing(open_database(url or folder)) as database:
        for match in matches:
            if match.unsure is not None:
                _ask(match, client)
                tally.again += 1
            rows = database.execute("select seq, kind, action from entry where match=? order by seq", match.id)
            check(match, client, [(row["seq"], row["kind"], row["action"]) for row in rows])
            tally.faults += match.faults
            match.faults.clear()


class Started(NamedTuple):
    process: BaseProcess
    client: httpx2.Client


@contextmanager
def _server(folder: Path, url: str | None) -> Iterator[Started]:
    """A server as a process of its own, forked from one that has everything loaded: it is ready at once."""
    port = free_port()
    process = FORKS.Process(target=serve_quietly, args=(folder, port, url))
    process.start()
    try:
        with httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=20, trust_env=False) as client:
            for _ in range(1000):
                with suppress(httpx2.ConnectError):
                    client.get("/api/health")
                    break
                time.sleep(0.01)
            yield Started(process, client)
    finally:
        process.kill()
        process.join()
        process.close()


def _wait_for(actions: int, matches: list[Played]) -> None:
    """Until so many actions were acknowledged, or the matches are over."""
    end = time.monotonic() + 10
    while sum(len(match.acknowledged) for match in matches) < actions and time.monotonic() < end:
        time.sleep(0.005)


def _begin(client: httpx2.Client) -> Played:
    made: dict[str, Any] = client.post("/api/matches", json={"game": "toy"}).json()
    return Played(made["id"], made["tokens"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--servers", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--postgresql", action="store_true")
    parser.add_argument("--kill-database", action="store_true")
    wanted = parser.parse_args()
    postgres = Server() if wanted.postgresql else None
    try:
        with tempfile.TemporaryDirectory() as folder:
            tally = torture(wanted.runs, Path(folder), postgres, wanted.servers, wanted.seed, wanted.kill_database)
    finally:
        if postgres is not None:
            postgres.stop()
    print(f"{tally.runs} runs, {tally.acknowledged} acknowledged actions, {len(tally.faults)} faults;", end=" ")
    print(f"{tally.again} actions without an answer were sent again")
    for fault in tally.faults:
        print(fault)
    sys.exit(bool(tally.faults))


if __name__ == "__main__":
    main()
