"""The clerk: one thread for all rules and storage. What waits at the same time is written in one transaction.

While the disk works, a helper writes the answers: the time of a change is that of the commit or of the views, not both.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

from counterblow.kernel.errors import CounterblowError
from counterblow.service.database import Away, Database, Taken
from counterblow.service.errors import Problem

R = TypeVar("R")
S = TypeVar("S")
MOST = 64  # requests in one transaction
UNSHOWN = "what you did is done, but cannot be shown: look at the match again"
AWAY = "the matches cannot be written just now; nothing was changed: try again"
log = logging.getLogger("counterblow")


class Job(NamedTuple):
    function: Callable[[], Any]
    finish: Callable[[Any], Any] | None
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
        self._helper = ThreadPoolExecutor(1, thread_name_prefix="helper")
        self._thread = threading.Thread(target=self._work, name="clerk", daemon=True)
        self._thread.start()

    async def run(self, function: Callable[[], R]) -> R:
        future: asyncio.Future[R] = self._loop.create_future()
        self._jobs.put(Job(function, None, future))
        return await future

    def change(self, function: Callable[[], R], finish: Callable[[R], S]) -> Awaitable[S]:
        """The same in two parts: ``finish`` makes the answer while what ``function`` wrote goes to the disk.

        It sees what all of the batch has done, and must not ask the database. The order of calls is kept.
        """
        future: asyncio.Future[S] = self._loop.create_future()
        self._jobs.put(Job(function, finish, future))
        return future

    def waiting(self) -> int:
        return self._jobs.qsize()

    def stop(self) -> None:
        """Finish what waits, close the database, and end."""
        self._jobs.put(None)
        self._thread.join()

    # ------------------------------------------------------------------ in the thread

    def _work(self) -> None:
        self._work_until_told()
        self._helper.shutdown()
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
            return [_finished(job, self._one(job)) for job in batch]
        with self.database.batch():
            outcomes = [self._one(job) for job in batch]
            if self.database.begun and any(job.finish for job in batch):
                finishing = self._helper.submit(_all_finished, batch, outcomes)
                try:
                    self.database.commit()  # other threads can work while the disk does
                finally:
                    outcomes = finishing.result()
            else:
                outcomes = _all_finished(batch, outcomes)
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


def _all_finished(batch: list[Job], outcomes: list[Outcome]) -> list[Outcome]:
    return [_finished(job, outcome) for job, outcome in zip(batch, outcomes, strict=True)]


def _finished(job: Job, outcome: Outcome) -> Outcome:
    if job.finish is None or outcome.error is not None:
        return outcome
    try:
        return Outcome(job.finish(outcome.value), None)
    except Exception:
        log.exception("a change cannot be shown")
        return Outcome(None, Problem(500, UNSHOWN))


def _deliver(batch: list[Job], outcomes: list[Outcome]) -> None:
    for job, outcome in zip(batch, outcomes, strict=True):
        if job.future.cancelled():
            continue
        if outcome.error is not None:
            job.future.set_exception(outcome.error)
        else:
            job.future.set_result(outcome.value)
