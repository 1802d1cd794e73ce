"""How much a server carries: live remote matches with two sockets each, or one match flat out.

``python benchmarks/load.py --matches 200 --seconds 60`` starts a server of its own (SQLite, or ``--database URL``),
plays every match at one action per ``--every`` seconds and prints how long answers and live updates took. The time that
the server's processor worked does not depend on what else the machine does.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import httpx2
import websockets

import counterblow
from counterblow.kernel.record import Match

GAME = "leningrad"
LONGEST = 1500  # actions of a match flat out
UNDER_WAY = 32


class Player:
    """One match: both seats at a live connection, actions by whoever decides."""

    def __init__(self, client: httpx2.AsyncClient, address: str, number: int) -> None:
        self.client, self.address, self.chance = client, address, random.Random(number)
        self.sockets: dict[str, Any] = {}
        self.seen: dict[int, float] = {}

    async def begin(self, game: str) -> None:
        made = (await self.client.post("/api/matches", json={"game": game, "kind": "remote", "nonce": "a"})).json()
        joining = {"invitation": made["invitation"], "nonce": "b"}
        joined = (await self.client.post(f"/api/matches/{made['id']}/join", json=joining)).json()
        self.id, self.tokens = made["id"], made["tokens"] | joined["tokens"]
        self.path = f"/api/matches/{self.id}"
        self.legal: list[str] = []
        for side, token in self.tokens.items():
            live = await websockets.connect(f"ws{self.address[4:]}{self.path}/live", max_size=None)
            await live.send(json.dumps({"token": token}))
            self.note(json.loads(await live.recv()))
            self.sockets[side] = live

    def note(self, state: dict[str, Any]) -> None:
        if state["view"]["legal"]:
            self.legal = [action["text"] for action in state["view"]["legal"]]
        self.seq, self.decider = state["seq"], state["decider"]

    async def act(self) -> tuple[float, float] | None:
        """One action; how long until its answer, and until the other player was told."""
        if self.decider is None:
            return None
        side = self.decider
        other = next(name for name in self.tokens if name != side)
        body = {"seq": self.seq, "action": self.chance.choice(self.legal)}
        began = time.perf_counter()
        answer = await self.client.post(
            f"{self.path}/actions", json=body, headers={"Authorization": f"Bearer {self.tokens[side]}"}
        )
        took = time.perf_counter() - began
        assert answer.status_code == 200, answer.text
        self.note(answer.json())
        told = await self.hear(other)
        await self.hear(side)
        return took, (told or time.perf_counter()) - began

    async def hear(self, side: str) -> float | None:
        while True:
            message = json.loads(await self.sockets[side].recv())
            if message["type"] == "update":
                self.note(message)
                if message["seq"] >= self.seq:
                    return time.perf_counter()

    async def close(self) -> None:
        for live in self.sockets.values():
            await live.close()


async def many(address: str, matches: int, seconds: float, every: float, game: str, server: int, played: int) -> None:
    limits = httpx2.Limits(max_connections=100)
    async with httpx2.AsyncClient(base_url=address, timeout=60, limits=limits, trust_env=False) as client:
        players = [Player(client, address, number) for number in range(matches)]
        for player in players:
            await player.begin(game)
        for _ in range(played):
            await asyncio.gather(*(player.act() for player in players))
        print(
            f"{matches} matches of {game}, {2 * matches} live connections, {played} actions played before, "
            f"then one every {every} s each"
        )
        answers: list[float] = []
        told: list[float] = []
        end = time.monotonic() + seconds

        async def play(player: Player) -> None:
            await asyncio.sleep(player.chance.uniform(0, every))
            while time.monotonic() < end:
                began = time.monotonic()
                if (took := await player.act()) is None:
                    return
                answers.append(took[0])
                told.append(took[1])
                await asyncio.sleep(max(0.0, every - (time.monotonic() - began)))

        watching = asyncio.create_task(_memory(server))
        worked, own, began = processor(server), time.process_time(), time.monotonic()
        await asyncio.gather(*(play(player) for player in players))
        worked, own, spent = processor(server) - worked, time.process_time() - own, time.monotonic() - began
        watching.cancel()
        report("answers", answers, seconds)
        report("told to the other player", told, seconds)
        for whose, spell in (("the server", worked), ("the players", own)):
            each, share = spell / len(answers) * 1000, spell / spent
            print(f"{whose}: {each:.2f} ms of the processor for each action, {share:.0%} of a core")
        for player in players:
            await player.close()


class Flat:
    """One match played as fast as answers come. Its actions are known beforehand: it was played here with its seed."""

    def __init__(self, client: httpx2.AsyncClient, address: str, game: str, seed: int) -> None:
        self.client, self.address, self.game, self.seed = client, address, game, seed

    def line(self) -> list[tuple[str, str]]:
        """(side, action), to the end or as far as a benchmark goes."""
        match, chance = Match(counterblow.load(self.game), seed=self.seed), random.Random(self.seed)
        found = []
        while (side := match.state.side) is not None and len(found) < LONGEST:
            action = str(chance.choice(match.state.legal()))
            match.do(action)
            found.append((side, action))
        return found

    async def begin(self) -> None:
        made = (await self.client.post("/api/matches", json={"game": self.game, "seed": self.seed})).json()
        self.tokens, self.path = made["tokens"], f"/api/matches/{made['id']}"
        self.sockets = {}
        for side, token in self.tokens.items():
            live = await websockets.connect(f"ws{self.address[4:]}{self.path}/live", max_size=None, compression=None)
            await live.send(json.dumps({"token": token}))
            await live.recv()
            self.sockets[side] = live

    async def by_requests(self, line: Sequence[tuple[str, str]], end: float) -> list[float]:
        """One request after the other."""
        took = []
        for seq, (side, action) in enumerate(line):
            began = time.perf_counter()
            answer = await self.client.post(
                f"{self.path}/actions", json={"seq": seq, "action": action}, headers=_auth(self.tokens[side])
            )
            took.append(time.perf_counter() - began)
            assert answer.status_code == 200, answer.text
            if time.monotonic() > end:
                break
        return took

    async def by_socket(self, line: Sequence[tuple[str, str]], end: float, under_way: int) -> list[float]:
        """Over the seats' live connections, so many actions under way; none when the other side is to act."""
        took, sent, acting = [], {}, line[0][0]
        for seq, (side, action) in enumerate(line):
            while len(sent) >= under_way or (sent and side != acting):
                number, at = await self._done(acting)
                took.append(at - sent.pop(number))
            acting, sent[seq] = side, time.perf_counter()
            await self.sockets[side].send(json.dumps({"act": action, "seq": seq}))
            if time.monotonic() > end:
                break
        while sent:
            number, at = await self._done(acting)
            took.append(at - sent.pop(number))
        return took

    async def _done(self, side: str) -> tuple[int, float]:
        while True:
            message = await self.sockets[side].recv()
            if message.startswith('{"type":"done"'):
                return json.loads(message)["of"], time.perf_counter()
            assert not message.startswith('{"type":"refused"'), message

    async def close(self) -> None:
        for live in self.sockets.values():
            await live.close()


async def flat_out(address: str, seconds: float, game: str, server: int) -> None:
    """Three ways to send single actions: requests, a live connection, a live connection with several under way."""
    ways: list[tuple[str, Callable[[Flat, Any, float], Awaitable[list[float]]]]] = [
        ("requests, one at a time", lambda flat, line, end: flat.by_requests(line, end)),
        ("live connection, one at a time", lambda flat, line, end: flat.by_socket(line, end, 1)),
        (f"live connection, {UNDER_WAY} under way", lambda flat, line, end: flat.by_socket(line, end, UNDER_WAY)),
    ]
    async with httpx2.AsyncClient(base_url=address, timeout=60, trust_env=False) as client:
        for name, way in ways:
            took: list[float] = []
            spent, seed, worked = 0.0, 0, processor(server)
            while spent < seconds:
                flat = Flat(client, address, game, seed)
                line = flat.line()
                await flat.begin()
                began = time.monotonic()
                took += await way(flat, line, began + seconds - spent)
                spent += time.monotonic() - began
                await flat.close()
                seed += 1
            report(f"one match of {game} flat out, {name}", took, spent)
            print(
                f"    the server's processor: {(processor(server) - worked) / len(took) * 1000:.2f} ms for each action"
            )


async def _memory(server: int) -> None:
    """Every minute, how much the server takes."""
    for minute in itertools.count(1):
        await asyncio.sleep(60)
        print(f"after {minute} min: {memory(server):.0f} MB", flush=True)


async def beside_computers(address: str, watched: int, seconds: float, game: str, player: str) -> None:
    """How soon a computer player answers a person, alone and while so many matches of computers are watched."""
    computer = {"kind": "computer", "player": player}
    async with httpx2.AsyncClient(base_url=address, timeout=60, trust_env=False) as client:
        sides = [side["name"] for side in (await client.get(f"/api/games/{game}")).json()["sides"]]
        report(f"{player} answers a person", await _answers(client, address, game, sides, computer, seconds), seconds)
        sockets = []
        for number in range(watched):
            body = {"game": game, "seed": number, "spectators": True, "seats": dict.fromkeys(sides, computer)}
            made = (await client.post("/api/matches", json=body)).json()
            live = await websockets.connect(f"ws{address[4:]}/api/matches/{made['id']}/live", max_size=None)
            await live.send(json.dumps({"token": None}))
            sockets.append(live)
        heard = [asyncio.create_task(_count(live)) for live in sockets]
        await asyncio.sleep(2)
        took = await _answers(client, address, game, sides, computer, seconds)
        report(f"{player} answers a person while {watched} matches are watched", took, seconds)
        for task in heard:
            task.cancel()
        for live in sockets:
            await live.close()


async def _count(live: Any) -> None:
    async for _ in live:
        pass


async def _answers(
    client: httpx2.AsyncClient, address: str, game: str, sides: Sequence[str], computer: Any, seconds: float
) -> list[float]:
    """From a person's action, after which the computer decides, to the first thing that the computer does."""
    took: list[float] = []
    end, seed = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        seed += 1
        made = (
            await client.post("/api/matches", json={"game": game, "seed": seed, "seats": {sides[1]: computer}})
        ).json()
        path, token, chance = f"/api/matches/{made['id']}", made["tokens"][sides[0]], random.Random(seed)
        async with websockets.connect(f"ws{address[4:]}{path}/live", max_size=None) as live:
            await live.send(json.dumps({"token": token}))
            state = json.loads(await live.recv())
            while state["decider"] is not None and time.monotonic() < end:
                mine, began = state["decider"] == sides[0], time.perf_counter()
                if mine:
                    legal = [action["text"] for action in state["view"]["legal"]]
                    passing = state["view"]["decision"]["pass"]
                    action = passing if passing in legal else chance.choice(legal)
                    await live.send(json.dumps({"act": action, "seq": state["seq"]}))
                seq = state["seq"]
                while state["seq"] == seq:
                    message = json.loads(await live.recv())
                    assert message["type"] != "refused", message
                    state = message if message["type"] == "update" else state
                if not mine:
                    took.append(time.perf_counter() - began)
    return took


def _auth(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def report(what: str, took: Sequence[float], seconds: float) -> None:
    ordered = sorted(took)
    p95 = ordered[int(len(ordered) * 0.95)]
    print(
        f"{what}: {len(took)} ({len(took) / seconds:.0f}/s), median {statistics.median(took) * 1000:.1f} ms, "
        f"p95 {p95 * 1000:.1f} ms, longest {ordered[-1] * 1000:.0f} ms"
    )


def memory(process: int) -> float:
    """Megabytes of a process."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) / 1024


def processor(process: int) -> float:
    """Seconds that a process has worked."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--every", type=float, default=2)
    parser.add_argument("--played", type=int, default=0, help="actions of each match before measuring begins")
    parser.add_argument("--game", default=GAME)
    parser.add_argument("--flat-out", action="store_true")
    parser.add_argument("--beside", metavar="N", type=int, help="a person's computer player, beside N watched matches")
    parser.add_argument("--player", default="plain")
    parser.add_argument("--database")
    wanted = parser.parse_args()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "counterblow.cli", "serve", "--no-browser"]
        command += ["--workers", "1" if wanted.beside else "0"]
        command += ["--data", folder, "--port", str(port)]
        command += ["--database", wanted.database] if wanted.database else []
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split()[-1].rstrip("/")
            httpx2.get(f"{address}/api/games", timeout=120, trust_env=False)  # now everything is loaded
            for game in counterblow.games():  # and drawn
                httpx2.get(f"{address}/api/games/{game}", timeout=120, trust_env=False)
            before = memory(server.pid)
            if wanted.beside:
                asyncio.run(beside_computers(address, wanted.beside, wanted.seconds, wanted.game, wanted.player))
            elif wanted.flat_out:
                asyncio.run(flat_out(address, wanted.seconds, wanted.game, server.pid))
            else:
                rest = wanted.seconds, wanted.every, wanted.game, server.pid, wanted.played
                asyncio.run(many(address, wanted.matches, *rest))
            print(f"memory of the server: {before:.0f} MB at the start, {memory(server.pid):.0f} MB at the end")
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
