"""Workers: they take the jobs of computer players from the database, one line of actions at a time."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from counterblow.service.computer import load_ahead, think
from counterblow.service.errors import MovedOn, Problem
from counterblow.service.live import LiveMatch
from counterblow.service.store import LEASE_SECONDS, PERSON, WATCHED

if TYPE_CHECKING:
    from counterblow.service.engine import Engine

P = ParamSpec("P")
R = TypeVar("R")
FALLBACK_PLAYER = "random"
LOOK_SECONDS = 5.0  # how often a worker looks for jobs by itself, if nobody tells it
PATIENCE_SECONDS = 0.5  # a person who has waited so long is served by the worker that is kept for persons
log = logging.getLogger("counterblow")


class Workers:
    """The workers of one process: as many as wanted, and one more that is there only for persons who wait.

    A thought for people who only watch may be long; thanks to the last one nobody who plays waits for it.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.thoughts = 0
        self._bells: list[asyncio.Event] = []

    def begin(self, number: int) -> None:
        for name in range(number):
            self.engine.begin(self._work(f"{self.engine.name}-{name}", WATCHED, 0.0))
        self.engine.begin(self._work(f"{self.engine.name}-persons", PERSON, PATIENCE_SECONDS))

    def ring(self) -> None:
        """There may be something to do."""
        for bell in self._bells:
            bell.set()

    def wake(self, match: str) -> None:
        """A computer player may be to act: who plays alone waits for it, who watches two of them wants to see it."""
        self.ring()
        if self.engine.hub.sides(match):
            self.engine.begin(self._queue_watched(match))

    async def _queue_watched(self, match: str) -> None:
        table = self.engine.table

        def queue() -> None:
            live = table.live(match)
            if live.thinking and not live.persons:
                table.store.queue(match, WATCHED)

        with suppress(Problem):
            await self.engine.run(queue)
            self.ring()

    async def _work(self, worker: str, rank: int, patience: float) -> None:
        """Take one job after the other: the match that has waited longest, one line of actions, then the next match."""
        thinker, bell, settings = Thinker(self.engine.settings.thinker), asyncio.Event(), self.engine.settings
        self._bells.append(bell)
        try:
            if not patience:  # who is seldom needed starts its process when it is
                for slug in settings.slugs():
                    await thinker.call(load_ahead, settings.load, slug)
            while True:
                try:
                    match = await self.engine.run(self.engine.table.store.claim, worker, rank, patience)
                except Problem:  # the database is away
                    match = None
                if match is not None:
                    await self._job(match, worker, thinker)
                    continue
                with suppress(TimeoutError):
                    async with asyncio.timeout(LOOK_SECONDS):
                        await bell.wait()
                bell.clear()  # before the pause: who rings meanwhile is heard
                await asyncio.sleep(patience)
        finally:
            thinker.close()

    async def _job(self, match: str, worker: str, thinker: Thinker) -> None:
        lease = asyncio.get_running_loop().create_task(self._keep_lease(match, worker))
        again = False
        try:
            again = await self._play(match, thinker)
        except Problem as problem:
            log.warning("match %s: the computer player waits: %s", match, problem)
            again = problem.status == 503
        except Exception:
            log.exception("match %s: the computer player stopped", match)
        finally:
            lease.cancel()
            with suppress(Problem):
                await self.engine.run(self.engine.table.store.finish, match, worker, again)
            if again:
                self.ring()

    async def _keep_lease(self, match: str, worker: str) -> None:
        while True:
            await asyncio.sleep(LEASE_SECONDS / 3)
            with suppress(Problem):
                await self.engine.run(self.engine.table.store.renew, match, worker)

    async def _play(self, match: str, thinker: Thinker) -> bool:
        """One line of actions; is there more to do?"""
        engine = self.engine
        position = await engine.run(self._position, match)
        if position is None:
            return False
        seq, slug, state, player, seed = position
        try:
            line = await thinker.call(think, engine.settings.load, slug, state, player, seed)
        except Exception:
            log.exception("match %s: the player %s failed; %s plays this action", match, player, FALLBACK_PLAYER)
            line = await thinker.call(think, engine.settings.load, slug, state, FALLBACK_PLAYER, seed)
        self.thoughts += 1

        def apply() -> tuple[LiveMatch, Callable[[], LiveMatch]]:
            live = engine.table.do_computer(match, seq, line)
            return live, lambda: live

        try:
            live = await engine.changing(match, apply)
        except MovedOn:
            return True
        return live.thinking and (live.persons or bool(engine.hub.sides(match)))

    def _position(self, match: str) -> tuple[int, str, str, str, int] | None:
        live = self.engine.table.live(match)
        side = live.side
        if side is None or not live.thinking:
            return None
        seed = live.seq
        if live.start.secret is not None:  # nobody can know how it will choose
            seed = int.from_bytes(hashlib.sha256(live.start.secret + b"player" + str(live.seq).encode()).digest()[:7])
        return live.seq, live.game.slug, live.state.to_json(), live.seat(side).player or FALLBACK_PLAYER, seed


class Thinker:
    """A process that thinks, started when it is first asked, replaced when it dies."""

    def __init__(self, make: Callable[[], Executor]) -> None:
        self._make = make
        self._executor: Executor | None = None

    async def call(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        if self._executor is None:
            self._executor = self._make()
        try:
            return await asyncio.get_running_loop().run_in_executor(self._executor, partial(function, *args, **kwargs))
        except BrokenExecutor:
            self._executor = None  # a fresh one next time
            raise

    def close(self) -> None:
        """A thought under way is given up: whoever comes next thinks it again."""
        if self._executor is not None:
            processes = list((getattr(self._executor, "_processes", None) or {}).values())
            self._executor.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.kill()
