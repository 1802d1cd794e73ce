"""Reviews as jobs in the database: any process may ask for one, any with workers makes it, in a process of its own."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from counterblow.kernel.errors import CounterblowError
from counterblow.kernel.record import fingerprint
from counterblow.lab import review as reviewing
from counterblow.lab import review_page
from counterblow.service import computer
from counterblow.service.database import Database
from counterblow.service.errors import Problem
from counterblow.service.live import LiveMatch
from counterblow.service.store import LEASE_SECONDS, moment
from counterblow.service.table import Table
from counterblow.service.wire import dump, ready

MOST = 8  # reviews that may wait at the same time
TELL_SECONDS = 1.0  # how often a review says how far it is
LOOK_SECONDS = 5.0  # how often a worker looks for reviews by itself, if nobody tells it


class Claimed(NamedTuple):
    match: str
    edition: str


class Reviews:
    """The reviews of all matches, one for each. Used by one thread at a time, the clerk's."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.writing_page = False  # one at a time

    # ------------------------------------------------------------------ for who asks

    def status(self, live: LiveMatch) -> dict[str, Any]:
        """The review if it is there, else how far it is."""
        row = self.database.one("select * from review where match=? and edition=?", live.start.id, edition(live))
        if row is None:
            return {"status": "none"}
        if row["result"] is not None:
            return {"status": "done", "review": ready(row["result"])}
        if row["error"] is not None:
            return {"status": "failed", "error": row["error"]}
        return {"status": "working", "done": row["done"], "size": row["size"]}

    def made(self, live: LiveMatch) -> str:
        """The review, as it was written."""
        row = self.database.one("select result from review where match=? and edition=?", live.start.id, edition(live))
        if row is None or row["result"] is None:
            raise Problem(404, "there is no review of this game yet: ask for one first")
        return str(row["result"])

    def begin(self, live: LiveMatch) -> dict[str, Any]:
        """Ask for it, unless it is there or being made."""
        match, found = live.start.id, self.status(live)
        if found["status"] in ("done", "working"):
            return found
        waiting = self.database.one("select count(*) as n from review where result is null and error is null")
        if waiting is not None and waiting["n"] >= MOST:
            raise Problem(429, f"{MOST} reviews are being made already: try again later")
        with self.database.writing():
            self.database.execute("delete from review where match=?", match)
            self.database.execute(
                "insert into review (match, edition, queued, done, size) values (?,?,?,0,0)",
                match, edition(live), moment(),
            )  # fmt: skip
            self.database.tell("review")
        return self.status(live)

    def cancel(self, live: LiveMatch) -> dict[str, Any]:
        with self.database.writing():
            self.database.execute("delete from review where match=? and result is null", live.start.id)
        return self.status(live)

    # ------------------------------------------------------------------ for who makes them

    def claim(self, worker: str) -> Claimed | None:
        """The review that has waited longest, for this worker alone while its lease lasts."""
        with self.database.writing():
            rows = self.database.execute(
                "update review set worker=?, until=? where match = (select match from review where result is null "
                "and error is null and (until is null or until < ?) "
                f"order by queued limit 1{self.database.words['skip']}) returning match, edition",
                worker, moment(LEASE_SECONDS), moment(),
            )  # fmt: skip
        return Claimed(rows[0]["match"], rows[0]["edition"]) if rows else None

    def note(self, match: str, worker: str, done: int, size: int) -> bool:
        """How far it is; False if it was cancelled, or somebody else has taken over."""
        with self.database.writing():
            rows = self.database.execute(
                "update review set done=?, size=?, until=? where match=? and worker=? and result is null "
                "returning match",
                done, size, moment(LEASE_SECONDS), match, worker,
            )  # fmt: skip
        return bool(rows)

    def finish(self, match: str, worker: str, result: str | None, error: str | None) -> None:
        with self.database.writing():
            self.database.execute(
                "update review set result=?, error=?, until=null where match=? and worker=?",
                result, error, match, worker,
            )  # fmt: skip


def edition(live: LiveMatch) -> str:
    """A review is of this very game, by these rules and this player: another one is made anew."""
    return f"{fingerprint(live.state)} {live.game.version} {reviewing.FORMAT_VERSION} {reviewing.REFERENCE}"


Run = Callable[..., Awaitable[Any]]  # a function in the clerk's thread


async def make_reviews(run: Run, table: Table, reviews: Reviews, worker: str, asked: asyncio.Event) -> None:
    """One after the other, for ever."""
    while True:
        try:
            claimed: Claimed | None = await run(reviews.claim, worker)
        except Problem:  # the database is away
            claimed = None
        if claimed is not None:
            with suppress(Problem):
                await _make(run, table, reviews, worker, claimed)
            continue
        with suppress(TimeoutError):
            async with asyncio.timeout(LOOK_SECONDS):
                await asked.wait()
        asked.clear()


async def _make(run: Run, table: Table, reviews: Reviews, worker: str, claimed: Claimed) -> None:
    record = await run(_record, table, claimed)
    if record is None:
        await run(reviews.finish, claimed.match, worker, None, "the match has gone on meanwhile")
        return
    mine, theirs = computer.SPAWN.Pipe(duplex=False)
    process = computer.SPAWN.Process(target=work, args=(record, theirs), daemon=True)
    process.start()
    theirs.close()
    done, told = (0, 0), time.monotonic()
    try:
        while True:
            message = await _next(mine)
            if isinstance(message, tuple):
                done = message
            elif message is not None:
                await run(reviews.finish, claimed.match, worker, message.get("result"), message.get("error"))
                return
            if time.monotonic() - told >= TELL_SECONDS:
                told = time.monotonic()
                if not await run(reviews.note, claimed.match, worker, *done):
                    return
    except EOFError:
        await run(reviews.finish, claimed.match, worker, None, "the review broke off")
    finally:
        process.terminate()
        mine.close()


def _record(table: Table, claimed: Claimed) -> dict[str, Any] | None:
    live = table.live(claimed.match)
    return live.to_record() if edition(live) == claimed.edition else None


async def _next(pipe: Connection) -> Any:
    """What the process says next; None if it says nothing for a while."""
    loop = asyncio.get_running_loop()
    if not await loop.run_in_executor(None, pipe.poll, TELL_SECONDS / 2):
        return None
    return await loop.run_in_executor(None, pipe.recv)


def work(record: dict[str, Any], pipe: Connection) -> None:
    """Make a review in a process of its own: it says how far it is, and ends with the review or why there is none."""
    computer.end_with_server()
    try:
        found = reviewing.review(record, progress=lambda done, size: pipe.send((done, size)))
        pipe.send({"result": dump(found)})
    except CounterblowError as error:
        pipe.send({"error": str(error)})


async def page_of(reviews: Reviews, made: str) -> str:
    """A review as one page that stands alone, written in a process of its own: drawing takes a second or two."""
    if reviews.writing_page:
        raise Problem(429, "another page is being written: try again in a moment")
    reviews.writing_page = True
    process = computer.thinking_process(computer.Desk())
    try:
        return await asyncio.get_running_loop().run_in_executor(process, write_page, made)
    except CounterblowError as error:
        raise Problem(503, str(error)) from None
    finally:
        reviews.writing_page = False
        process.shutdown(wait=False)


def write_page(made: str) -> str:
    """Where the page is written."""
    return review_page.write(json.loads(made))
