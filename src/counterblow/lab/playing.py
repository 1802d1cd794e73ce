"""Playing the games of an experiment: in processes or on a Ray cluster, each finished game noted at once.

A run lives in a folder. Its journal gets one line as each game ends, so that a run can be stopped by anything, kill -9
included, and goes on where it was: finished games are known by their setting and seed and are not played again.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

from counterblow.kernel.errors import CounterblowError
from counterblow.kernel.record import fingerprint
from counterblow.kernel.state import State
from counterblow.lab.experiment import Cell, Experiment
from counterblow.lab.extras import need
from counterblow.lab.figures import figures
from counterblow.lab.simulate import play

JOURNAL = "journal.jsonl"
AHEAD = 4  # games handed out per process beyond the one it plays
REACH_SECONDS = 5.0  # to wait for a cluster's address to answer


@dataclass(frozen=True)
class Job:
    """One game to be played."""

    cell: Cell
    seed: int


def play_job(job: Job) -> dict[str, Any]:
    """One game: how it ended, and its figures at the end of each turn. Plain data, the same wherever it is played."""
    cell = job.cell
    game = cell.variant.game(cell.game)
    if game.version != cell.rules_version:
        raise CounterblowError(f"{cell.game}: rules version {game.version} here, {cell.rules_version} was planned")
    turns: list[dict[str, Any]] = []

    def note(state: State, turn: int, actions: int) -> None:
        turns.append({"turn": turn, "actions": actions, **figures(state)})

    state, actions = play(game, job.seed, cell.players, cell.scenario, json.loads(cell.options), note)
    result = state.result
    assert result is not None
    return {
        "key": cell.key, "seed": job.seed, "winner": result.winner, "level": result.level, "reason": result.reason,
        "turns": state.turn, "actions": actions, "fingerprint": fingerprint(state), "figures": turns,
    }  # fmt: skip


# ---------------------------------------------------------------------- the journal


class Journal:
    """The finished games of a run: one JSON line each, appended as they end."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / JOURNAL
        self.found: dict[tuple[str, int], dict[str, Any]] = {}
        self._read()
        self._file = self.path.open("ab")

    def _read(self) -> None:
        """What is there; a last line that was cut off in the middle is taken away."""
        if not self.path.exists():
            return
        data = self.path.read_bytes()
        whole = data.rfind(b"\n") + 1
        for number, line in enumerate(data[:whole].splitlines(), 1):
            try:
                entry = json.loads(line)
                self.found[entry["key"], entry["seed"]] = entry
            except (ValueError, KeyError, TypeError):
                raise CounterblowError(f"{self.path}: line {number} is no finished game: {line[:60]!r}") from None
        if whole < len(data):
            os.truncate(self.path, whole)

    def add(self, entry: dict[str, Any]) -> None:
        """Written and handed to the system at once: only a failing machine could lose it."""
        self._file.write(json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
        self._file.flush()
        self.found[entry["key"], entry["seed"]] = entry

    def close(self) -> None:
        """All that was written is on the disk."""
        os.fsync(self._file.fileno())
        self._file.close()


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Nobody else runs in this folder meanwhile."""
    filelock = need("filelock", "lab")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = filelock.FileLock(folder / ".lock", timeout=0)
        with lock:
            yield
    except filelock.Timeout:
        raise CounterblowError(f"{folder}: another run is at work there") from None
    except OSError as error:
        raise CounterblowError(f"{folder}: cannot be used: {error.strerror or error}") from None


class Sitting(Protocol):
    """A game to be played, as a journal knows it."""

    @property
    def key(self) -> str: ...

    @property
    def seed(self) -> int: ...


S = TypeVar("S", bound=Sitting)


def noted(
    work: Sequence[S],
    sample: Callable[[S], dict[str, Any]],
    folder: Path,
    jobs: int,
    progress: Callable[[int, int], None] = lambda done, size: None,
) -> list[dict[str, Any]]:
    """What a function notes of each game, in their order; games that the folder's journal has are not played again."""
    with held(folder):
        journal = Journal(folder)
        try:
            missing = [sitting for sitting in work if (sitting.key, sitting.seed) not in journal.found]
            done = len(work) - len(missing)
            progress(done, len(work))
            for number, entry in enumerate(_sampled(missing, sample, jobs), 1):
                journal.add(entry)
                progress(done + number, len(work))
            return [journal.found[sitting.key, sitting.seed] for sitting in work]
        finally:
            journal.close()


def _sampled(work: Sequence[S], sample: Callable[[S], dict[str, Any]], jobs: int) -> Iterator[dict[str, Any]]:
    if jobs == 1:
        yield from map(sample, work)
        return
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield from pool.map(sample, work)


def run(
    experiment: Experiment,
    folder: Path,
    jobs: int = 1,
    cluster: str | None = None,
    progress: Callable[[int, int], None] = lambda done, size: None,
) -> list[dict[str, Any]]:
    """Play what is not played yet. All games of the experiment, in its order, whoever played them and when."""
    plan = [Job(experiment.cells[cell], seed) for cell, seed in experiment.jobs()]
    with held(folder):
        journal = Journal(folder)
        try:
            missing = [job for job in plan if (job.cell.key, job.seed) not in journal.found]
            done = len(plan) - len(missing)
            progress(done, len(plan))
            for entry in played(missing, jobs, cluster):
                journal.add(entry)
                done += 1
                progress(done, len(plan))
        finally:
            journal.close()
        return [journal.found[job.cell.key, job.seed] for job in plan]


def played(work: list[Job], jobs: int, cluster: str | None) -> Iterator[dict[str, Any]]:
    """The games in the order in which they end."""
    if not work:
        return
    if cluster is not None:
        yield from _on_ray(work, cluster)
    elif jobs == 1:
        yield from map(play_job, work)
    else:
        yield from _in_processes(work, min(jobs, len(work)))


# ---------------------------------------------------------------------- processes


def _in_processes(work: list[Job], jobs: int) -> Iterator[dict[str, Any]]:
    context = multiprocessing.get_context("spawn")  # the same on every system, and no state is inherited
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_follow_parent) as pool:
        try:
            yield from _as_they_end(iter(work), lambda job: pool.submit(play_job, job), jobs * (1 + AHEAD))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _as_they_end(
    work: Iterator[Job], submit: Callable[[Job], Future[dict[str, Any]]], most: int
) -> Iterator[dict[str, Any]]:
    """Hand out only so many games at a time: what is not begun need not be taken back."""
    running: dict[Future[dict[str, Any]], Job] = {}
    while True:
        while len(running) < most and (job := next(work, None)) is not None:
            running[submit(job)] = job
        if not running:
            return
        finished, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in finished:
            job = running.pop(future)
            yield _outcome(job, future.result)


def _outcome(job: Job, result: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    try:
        return result()
    except CounterblowError:
        raise
    except Exception as error:
        raise CounterblowError(f"{job.cell.label}, seed {job.seed}: the game broke off: {error!r}") from error


def _follow_parent() -> None:
    """In a worker: interrupts are for the parent; if that is killed, go too instead of waiting for ever."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def leave() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=leave, daemon=True).start()


# ---------------------------------------------------------------------- many machines


def _on_ray(work: list[Job], address: str) -> Iterator[dict[str, Any]]:
    ray = connect(address)
    remote = ray.remote(play_job)
    most = max(1, int(ray.cluster_resources().get("CPU", 1))) * (1 + AHEAD)
    waiting = iter(work)
    running: dict[Any, Job] = {}
    try:
        while True:
            while len(running) < most and (job := next(waiting, None)) is not None:
                running[remote.remote(job)] = job
            if not running:
                return
            finished, _ = ray.wait(list(running))
            for reference in finished:
                job = running.pop(reference)
                yield _outcome(job, lambda reference=reference: ray.get(reference))  # type: ignore[misc]
    finally:
        ray.shutdown()


def connect(address: str) -> Any:
    """The ray library, connected to a cluster; "local" starts one on this machine."""
    ray = need("ray", "cluster")
    if address != "local":
        _reach(address)
    try:
        ray.init(address=address, logging_level="ERROR", log_to_driver=False, include_dashboard=False
                 if address == "local" else None)  # fmt: skip
    except (ConnectionError, RuntimeError, ValueError, OSError) as error:
        reason = str(error).partition("\n")[0]
        raise CounterblowError(f"the Ray cluster at {address} cannot be used: {reason}") from None
    return ray


def _reach(address: str) -> None:
    """Does anybody answer there? Ray itself would try for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not port.isdigit():
        raise CounterblowError(f'"{address}" is no address of a Ray cluster: it should be HOST:PORT or ray://HOST:PORT')
    try:
        socket.create_connection((host, int(port)), REACH_SECONDS).close()
    except (OSError, OverflowError) as error:
        raise CounterblowError(f"the Ray cluster at {address} cannot be reached: {error}") from None


def cores() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
