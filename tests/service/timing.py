"""Does the clock tell a seat what it may not see?

``python -m tests.service.timing narvik`` puts three matches on a service: one, its exact copy, and one that differs
only in what a side cannot see. It asks each the same in that side's name, many times in random order, and prints how
often who guesses by the clock would be right: 50 % is a toss of a coin. The exact copy shows what is noise. ``--bare``
shows it without the beat on which such matches are answered.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import random
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

import httpx2

import counterblow
from counterblow.service import beat
from counterblow.service.app import create_app
from counterblow.service.engine import Engine, Settings
from counterblow.service.hub import Watcher
from counterblow.service.live import LiveMatch
from tests.service.worlds import moments, put

WORLDS = ("one", "copy", "other")
FAR = 4.0  # standard errors: by chance alone once in 16,000


class Question(NamedTuple):
    name: str
    method: str
    path: str
    body: dict[str, Any] | None = None
    again: bool = True  # the match is as before, and may be asked again


def questions(live: LiveMatch, side: int, action: str) -> Iterator[Question]:
    """What a seat can ask of a match in which it decides."""
    yield Question("look", "GET", "")
    yield Question("log", "GET", "/log")
    yield Question("record", "GET", "/record")
    yield Question("undo", "POST", "/undo", {"seq": live.seq - 1})
    yield Question("forecast", "POST", "/forecast", {"action": action})
    yield Question("why", "POST", "/why", {"action": action})
    for kind in live.game.overlays:
        yield Question(f"overlay {kind}", "GET", f"/overlay?kind={kind}&side={live.game.sides[1 - side]}")
    yield Question("act", "POST", "/actions", {"seq": live.seq, "action": action}, again=False)


class Service:
    """A running service without a network, with matches that both players and somebody else watch."""

    def __init__(self, engine: Engine, client: httpx2.AsyncClient) -> None:
        self.engine, self.client, self.numbers = engine, client, itertools.count()

    async def seat(self, live: LiveMatch) -> str:
        match = f"match-{next(self.numbers):06}"
        await self.engine.run(put, self.engine.table, live, match)
        for side in (None, *live.game.sides):
            self.engine.hub.enter(match, Watcher(side))
        self.engine.hub.starts_at(match, live.seq)
        return match

    async def seconds(self, match: str, side: str, question: Question) -> float:
        headers = {"Authorization": f"Bearer {match}-{side}"}
        address = f"/api/matches/{match}{question.path}"
        began = time.perf_counter()
        await self.client.request(question.method, address, headers=headers, json=question.body)
        return time.perf_counter() - began

    async def measure(
        self, one: LiveMatch, other: LiveMatch, side: str, question: Question, rounds: int
    ) -> dict[str, list[float]]:
        took: dict[str, list[float]] = {world: [] for world in WORLDS}
        lives = {"one": one, "copy": one, "other": other}
        matches = {world: await self.seat(lives[world]) for world in WORLDS}
        for number in range(rounds):
            for world in random.Random(number).sample(WORLDS, len(WORLDS)):
                if not question.again:
                    matches[world] = await self.seat(lives[world])
                took[world].append(await self.seconds(matches[world], side, question))
        return took


def guessed(these: Sequence[float], those: Sequence[float]) -> tuple[float, float]:
    """How often the longer of two is one of ``those`` (Mann and Whitney), and the variance of that."""
    both = sorted([(seconds, 0) for seconds in these] + [(seconds, 1) for seconds in those])
    n, m = len(these), len(those)
    above = sum(rank for rank, (_, which) in enumerate(both, 1) if which) - m * (m + 1) / 2
    return above / (n * m), (n + m + 1) / (12 * n * m)


async def compare(slug: str, plies: int, rounds: int, folder: Path) -> dict[str, list[dict[str, list[float]]]]:
    """For each question the seconds it took, a list for each moment."""
    app = create_app(Settings(data_dir=folder, workers=0))
    found: dict[str, list[dict[str, list[float]]]] = defaultdict(list)
    async with (
        app.router.lifespan_context(app),
        httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="http://localhost") as client,
    ):
        service = Service(app.state.engine, client)
        for one, other, side, action in moments(slug, 3, plies, 20):
            for question in questions(one, side, action):
                took = await service.measure(one, other, one.game.sides[side], question, rounds)
                found[question.name].append(took)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=counterblow.games())
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--plies", type=int, default=121)
    parser.add_argument("--bare", action="store_true")
    wanted = parser.parse_args()
    if wanted.bare:
        beat.SECONDS = 0.0
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(compare(wanted.game, wanted.plies, wanted.rounds, Path(folder)))
    far = []
    for name, places in found.items():
        line = f"{name:18} {statistics.median([s for took in places for s in took['one']]) * 1000:6.2f} ms"
        for world in WORLDS[1:]:
            pairs = [guessed(took["one"], took[world]) for took in places]
            share = statistics.mean(share for share, _ in pairs)
            errors = (share - 0.5) * len(pairs) / sqrt(sum(variance for _, variance in pairs))
            line += f"   {world}: {share:5.1%} ({errors:+.1f} standard errors)"
        print(line, flush=True)
        if abs(errors) > FAR:
            far.append(name)
    print(f"the clock tells: {', '.join(far)}" if far else "the clock tells nothing")
    raise SystemExit(bool(far))


if __name__ == "__main__":
    main()
