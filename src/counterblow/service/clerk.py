"""The clerk: one thread for all rules and storage. What waits at the same time is written in one transaction."""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from counterblow.kernel.errors import CounterblowError
from counterblow.service.database import Away, Database, Taken
from counterblow.service.errors import Problem

R = TypeVar("R")
MOST = 64  # requests in one transaction
AWAY = "the matches cannot be written just now; nothing was changed: try again"
log = logging.getLogger("counterblow")


class Job(NamedTuple):
    function: Callable[[], Any]
    future: asyncio.Future[Any]


class Outcome(NamedTuple):
    value: Any
    error: BaseException | None


class Clerk:
    """Runs functions one after the other; answers when what they wrote is on disk."""

    def __init__(self) -> None:
        self.database: Database | None = None
        self.undone: Callable[[], None] = lambda: None  # told when a batch was rolled back
        self.written: Callable[[], None] = lambda: None
        self.away: str | None = None  # why the database could not be used last time
        self.batches = 0
        self.served = 0
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._work, name="clerk", daemon=True)
        self._thread.start()

    async def run(self, function: Callable[[], R]) -> R:
        future: asyncio.Future[R] = self._loop.create_future()
        self._jobs.put(Job(function, future))
        return await future

    def waiting(self) -> int:
        return self._jobs.qsize()

    def stop(self) -> None:
        """Finish what waits, close the database, and end."""
        self._jobs.put(None)
        self._thread.join()

    # ------------------------------------------------------------------ in the thread

    def _work(self) -> None:
        self._work_until_told()
        if self.database is not None:
            self.database.close()

    def _work_until_told(self) -> None:
        while (job := self._jobs.get()) is not None:
            batch = [job]
            last = False
            while len(batch) < MOST and not last:
                try:
                    more = self._jobs.get_nowait()
                except queue.Empty:
                    break
                if more is None:
                    last = True
                else:
                    batch.append(more)
            self._serve(batch)
            if last:
                return

    def _serve(self, batch: list[Job]) -> None:
        try:
            outcomes = self._together(batch)
        except BaseException as error:
            self.undone()
            if len(batch) > 1:
                for job in batch:
                    self._serve([job])
                return
            outcomes = [Outcome(None, self._plain(error))]
        else:
            self.written()
        self.batches += 1
        self.served += len(batch)
        self._loop.call_soon_threadsafe(_deliver, batch, outcomes)

    def _together(self, batch: list[Job]) -> list[Outcome]:
        if self.database is None:
            return [self._one(job) for job in batch]
        with self.database.batch():
            outcomes = [self._one(job) for job in batch]
        self.away = None
        return outcomes

    def _one(self, job: Job) -> Outcome:
        """A refusal is an answer like any other, if nothing was written before it."""
        before = 0 if self.database is None else self.database.writes
        try:
            return Outcome(job.function(), None)
        except (Problem, CounterblowError) as error:
            if self.database is not None and self.database.writes != before:
                raise
            return Outcome(None, error)

    def _plain(self, error: BaseException) -> BaseException:
        if isinstance(error, Taken):
            return Problem(409, "the match has moved on meanwhile: look again", "seq")
        if isinstance(error, Away):
            if self.away is None:
                log.error("the database cannot be used: %s", error)
            self.away = str(error)
            return Problem(503, AWAY, retry_after=2)
        return error


def _deliver(batch: list[Job], outcomes: list[Outcome]) -> None:
    for job, outcome in zip(batch, outcomes, strict=True):
        if job.future.cancelled():
            continue
        if outcome.error is not None:
            job.future.set_exception(outcome.error)
        else:
            job.future.set_result(outcome.value)
