"""Kill servers while people play, again and again: nothing that was acknowledged may be lost or happen twice.

``python -m tests.service.torture --runs 200 [--postgresql] [--servers 2] [--kill-database]``
"""

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2

from tests.service.postgres import Server
from tests.service.processes import free_port, server

MATCHES = 4  # each played by a thread


@dataclass
class Played:
    """A match, and what its player was told had happened: number of the entry -> action."""

    id: str
    tokens: dict[str, str]
    acknowledged: dict[int, str] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)


@dataclass
class Tally:
    runs: int = 0
    acknowledged: int = 0
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
    headers = _auth(match, side) | {"Idempotency-Key": f"{chance.random()}"}
    body = {"seq": state["seq"], "action": action}
    answer = client.post(f"{path}/actions", headers=headers, json=body)
    if answer.status_code == 200:
        number = state["seq"] + 1
        if number in match.acknowledged:
            match.faults.append(f"{match.id}: entry {number} was acknowledged twice")
        match.acknowledged[number] = action
    elif answer.status_code not in (409, 503):
        match.faults.append(f"{match.id}: {answer.status_code} {answer.text[:200]}")


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
    from counterblow.service.database import open_database

    tally, chance = Tally(), random.Random(seed)
    url = None if postgres is None else postgres.new()
    more = [] if url is None else [url]
    matches: list[Played] = []
    for run in range(runs):
        with ExitStack() as stack:
            started = [stack.enter_context(_server(folder, more)) for _ in range(servers)]
            addresses = [str(client.base_url) for _, client in started]
            if run % 3 == 0:
                tally.acknowledged += sum(len(match.acknowledged) for match in matches)
                matches = [_begin(started[0][1]) for _ in range(MATCHES)]
            stop = threading.Event()
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
                time.sleep(0.3)
            for process, _ in started:
                process.send_signal(signal.SIGKILL)
            stop.set()
            for thread in threads:
                thread.join()
        with _server(folder, more) as (_, client):
            database = open_database(url or folder)
            for match in matches:
                rows = database.execute("select seq, kind, action from entry where match=? order by seq", match.id)
                check(match, client, [(row["seq"], row["kind"], row["action"]) for row in rows])
                tally.faults += match.faults
                match.faults.clear()
            database.close()
        tally.runs += 1
    tally.acknowledged += sum(len(match.acknowledged) for match in matches)
    return tally


def _server(folder: Path, more: list[str]) -> AbstractContextManager[tuple[subprocess.Popen[str], httpx2.Client]]:
    return server(folder, free_port(), *more, environment={"TOY_WORKERS": "0"})


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
    print(f"{tally.runs} runs, {tally.acknowledged} acknowledged actions, {len(tally.faults)} faults")
    for fault in tally.faults:
        print(fault)
    sys.exit(bool(tally.faults))


if __name__ == "__main__":
    main()
