"""Reviews of finished matches: made in a process of their own, one at a time, and kept in the data folder.

POST begins one, GET tells how far it is or gives it, DELETE cancels. Who may have the record may have the review.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, cast

from fastapi import APIRouter, Request, Response

from counterblow.kernel.errors import CounterblowError
from counterblow.lab import review as reviewing
from counterblow.service import computer
from counterblow.service.asking import TheEngine, TheTokens
from counterblow.service.engine import Engine
from counterblow.service.errors import Problem

MOST = 8  # reviews that may wait at the same time
NO_STORE = {"Cache-Control": "no-store"}

router = APIRouter(prefix="/api", include_in_schema=False)


@dataclass
class Job:
    """A review that waits or is being made."""

    record: dict[str, Any]
    path: Path
    done: int = 0
    size: int = 0
    error: str = ""
    task: asyncio.Task[None] | None = None

    @property
    def working(self) -> bool:
        return self.task is not None and not self.task.done()


class Reviews:
    """The reviews of one server."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.jobs: dict[str, Job] = {}
        self._one = asyncio.Semaphore(1)

    def status(self, record: dict[str, Any]) -> dict[str, Any]:
        """The review if it is there, else how far it is."""
        kept = reviewing.kept(self._path(record), record, reviewing.REFERENCE)
        if kept is not None:
            self.jobs.pop(record["fingerprint"], None)
            return {"status": "done", "review": kept}
        job = self.jobs.get(record["fingerprint"])
        if job is None:
            return {"status": "none"}
        if job.working:
            return {"status": "working", "done": job.done, "size": job.size}
        return {"status": "failed", "error": job.error or "the review broke off"}

    def begin(self, record: dict[str, Any]) -> None:
        job = self.jobs.get(record["fingerprint"])
        if job is not None and job.working:
            return
        if sum(job.working for job in self.jobs.values()) >= MOST:
            raise Problem(429, f"{MOST} reviews are being made already: try again later")
        job = self.jobs[record["fingerprint"]] = Job(record, self._path(record))
        job.task = asyncio.get_running_loop().create_task(self._make(job))

    def cancel(self, record: dict[str, Any]) -> None:
        job = self.jobs.pop(record["fingerprint"], None)
        if job is not None and job.task is not None:
            job.task.cancel()

    def _path(self, record: dict[str, Any]) -> Path:
        return self.folder / f"{record['game']}-{record['fingerprint']}.json"

    async def _make(self, job: Job) -> None:
        async with self._one:
            self.folder.mkdir(parents=True, exist_ok=True)
            context = multiprocessing.get_context("spawn")
            mine, theirs = context.Pipe(duplex=False)
            process = context.Process(target=work, args=(job.record, job.path, theirs), daemon=True)
            process.start()
            theirs.close()
            try:
                await self._follow(job, mine)
            finally:
                process.terminate()

    async def _follow(self, job: Job, pipe: Connection) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                told = await loop.run_in_executor(None, pipe.recv)
            except EOFError:
                return
            if isinstance(told, str):
                job.error = told
                return
            job.done, job.size = told


def work(record: dict[str, Any], path: Path, pipe: Connection) -> None:
    """Make a review; runs in a process of its own, tells how far it is, and leaves the result on disk."""
    computer.end_with_server()
    try:
        found = reviewing.review(record, progress=lambda done, size: pipe.send((done, size)))
        reviewing.keep(path, found)
    except CounterblowError as error:
        pipe.send(str(error))


# ---------------------------------------------------------------------- the addresses


def _reviews(request: Request) -> Reviews:
    state = request.app.state
    if not hasattr(state, "reviews"):
        state.reviews = Reviews(cast(Engine, state.engine).settings.data_dir / "reviews")
    return cast(Reviews, state.reviews)


async def _record(match: str, engine: Engine, tokens: list[str]) -> dict[str, Any]:
    record: dict[str, Any] = await engine.run(engine.table.record, match, tokens)
    return record


@router.get("/matches/{match}/review")
async def look(request: Request, match: str, engine: TheEngine, tokens: TheTokens) -> Response:
    return _json(_reviews(request).status(await _record(match, engine, tokens)))


@router.post("/matches/{match}/review")
async def begin(request: Request, match: str, engine: TheEngine, tokens: TheTokens) -> Response:
    record, reviews = await _record(match, engine, tokens), _reviews(request)
    if reviews.status(record)["status"] != "done":
        reviews.begin(record)
    return _json(reviews.status(record))


@router.delete("/matches/{match}/review")
async def cancel(request: Request, match: str, engine: TheEngine, tokens: TheTokens) -> Response:
    record, reviews = await _record(match, engine, tokens), _reviews(request)
    reviews.cancel(record)
    return _json(reviews.status(record))


def _json(found: dict[str, Any]) -> Response:
    return Response(json.dumps(found, ensure_ascii=False).encode(), 200, NO_STORE, "application/json")
