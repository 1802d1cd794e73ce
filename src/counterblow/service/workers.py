"""Workers: they take the jobs of computer players from the database, one line of actions at a time."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, ParamSpec, TypeVar

from counterblow import players
from counterblow.kernel.state import State
from counterblow.service.computer import Desk, Line, load_ahead, think
from counterblow.service.errors import MovedOn, Problem
from counterblow.service.live import LiveMatch
from counterblow.service.store import LEASE_SECONDS, PERSON, WATCHED, Seat

if TYPE_CHECKING:
    from counterblow.service.engine import Engine

P = ParamSpec("P")
R = TypeVar("R")
FALLBACK_PLAYER = "random"
LOOK_SECONDS = 5.0  # how often a worker looks for jobs by itself, if nobody tells it
PATIENCE_SECONDS = 0.5  # a person who has waited so long is served by the worker that is kept for persons
TELL_SECONDS = 0.25  # how often those who watch are told how far a thought is, and whether it is still wanted is asked
log = logging.getLogger("counterblow")


class Position(NamedTuple):
    """What a computer player is asked, or will be."""

    seq: int
    slug: str
    state: str
    player: str
    seed: int


class Ahead(NamedTuple):
    """A thought before it is asked for, and its line."""

    position: Position
    line: asyncio.Task[Line]


class Workers:
    """The workers of one process: as many as wanted, and one more that is there only for persons who wait.

    A thought for people who only watch may be long; thanks to the last one nobody who plays waits for it. Who has
    nothing to do thinks ahead for a general: what it will be asked if the person at the board has no more to do.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.thoughts = 0
        self._ahead: dict[str, Ahead] = {}  # by match
        self._looked: dict[str, int] = {}  # match -> the entry after which it was looked at
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
                if not patience and not bell.is_set():
                    await self._think_ahead(thinker, bell)
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
        try:
            line = await self._line(match, position, thinker)
        except players.Cancelled:
            return True
        self.thoughts += 1

        def apply() -> tuple[LiveMatch, Callable[[], LiveMatch]]:
            live = engine.table.do_computer(match, position.seq, line)
            return live, lambda: live

        try:
            live = await engine.changing(match, apply)
        except MovedOn:
            return True
        if line.resigns:
            await engine.tell_people(match)
        return live.thinking and (live.persons or bool(engine.hub.sides(match)))

    async def _line(self, match: str, position: Position, thinker: Thinker) -> Line:
        ahead = self._ahead.get(match)
        if ahead is not None and ahead.position == position:
            with suppress(Exception):  # then it is thought again
                return await asyncio.shield(ahead.line)
        try:
            return await self._think(match, position, thinker, asyncio.Event())
        except players.Cancelled:
            raise
        except Exception:
            log.exception(
                "match %s: the player %s failed; %s plays this action", match, position.player, FALLBACK_PLAYER
            )
            return await self._think(match, position._replace(player=FALLBACK_PLAYER), thinker, asyncio.Event())

    async def _think(self, match: str, position: Position, thinker: Thinker, bell: asyncio.Event) -> Line:
        """Ask the player; tell those who watch how far it is. Given up when the match has gone another way, or, as long
        as nobody waits for it, when the bell rings: there is something else to do."""
        engine, desk = self.engine, thinker.desk
        _, slug, state, player, seed = position
        desk.clear()
        thought = engine.begin(thinker.call(think, engine.settings.load, slug, state, player, seed))
        while not (await asyncio.wait({thought}, timeout=TELL_SECONDS))[0]:
            with suppress(Problem):  # the database is away: it may come back before the thought is done
                waits = await engine.run(self._waits, match, position)
                if waits is None or (not waits and bell.is_set()):
                    desk.drop()
                elif waits and desk.share:
                    await engine.tell_thought(match, round(desk.share, 2))
        return thought.result()

    def _waits(self, match: str, position: Position) -> bool | None:
        """Does somebody wait for this thought now? None: nobody will."""
        try:
            if self._seq(match) < position.seq:
                return False if self._foreseen(match) == position else None
            now = self._position(match)
        except Problem as problem:
            if problem.status == 503:
                raise
            return None  # the match is gone
        return True if now is not None and now._replace(player=position.player) == position else None

    async def _think_ahead(self, thinker: Thinker, bell: asyncio.Event) -> None:
        """For the first match watched here in which a general will be asked, and nobody has thought of it yet."""
        engine, watched = self.engine, self.engine.hub.matches()
        for match in set(self._looked).difference(watched):
            self._looked.pop(match)
            self._ahead.pop(match, None)
        with suppress(Problem):
            found = await engine.run(self._next_ahead, watched)
            if found is not None:
                match, position = found
                line = engine.begin(self._think(match, position, thinker, bell))
                self._ahead[match] = Ahead(position, line)
                try:
                    await line
                except players.Cancelled:
                    self._looked.pop(match, None)
                except Exception:
                    log.exception("match %s: the player %s failed to think ahead", match, position.player)

    def _next_ahead(self, watched: list[str]) -> tuple[str, Position] | None:
        for match in watched:
            with suppress(Problem):
                seq = self._seq(match)
                if self._looked.get(match) != seq:
                    self._looked[match] = seq
                    position, known = self._foreseen(match), self._ahead.get(match)
                    if position is not None and (known is None or known.position != position):
                        return match, position
        return None

    def _seq(self, match: str) -> int:
        return self.engine.table.live(match).seq

    def _position(self, match: str) -> Position | None:
        """What a computer player is asked now."""
        live = self.engine.table.live(match)
        side = live.side
        if side is None or not live.thinking:
            return None
        return _asked(live, live.seat(side), live.seq, live.state)

    def _foreseen(self, match: str) -> Position | None:
        """What a general will be asked, unless the person who decides does more than to pass."""
        live = self.engine.table.live(match)
        side = live.side
        if side is None or live.thinking or not live.plays_with_general:
            return None
        found = live.foreseen()
        return None if found is None else _asked(live, live.seat(live.other(side)), *found)


def _asked(live: LiveMatch, seat: Seat, seq: int, state: State) -> Position:
    # of the secret, where there is one: nobody can know how it will choose; else of the seed, so that openings vary
    start = live.start
    source = str(start.seed).encode() if start.secret is None else start.secret
    seed = int.from_bytes(hashlib.sha256(source + b"player" + str(seq).encode()).digest()[:7])
    return Position(seq, live.game.slug, state.to_json(), seat.player or FALLBACK_PLAYER, seed)


class Thinker:
    """A process that thinks, started when it is first asked, replaced when it dies."""

    def __init__(self, make: Callable[[Desk], Executor]) -> None:
        self.desk = Desk()
        self._make = make
        self._executor: Executor | None = None

    async def call(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        if self._executor is None:
            self._executor = self._make(self.desk)
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
