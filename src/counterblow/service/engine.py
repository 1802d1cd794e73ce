"""The running service: the clerk with the table, those who watch, and the workers that think for computer players."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import socket
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import platformdirs

from counterblow import games, load
from counterblow.kernel.game import Game
from counterblow.service import beat, news, notify
from counterblow.service.between import Between
from counterblow.service.catalogue import Catalogue
from counterblow.service.clerk import Clerk
from counterblow.service.computer import Desk, thinking_process
from counterblow.service.database import PostgreSQL, open_database
from counterblow.service.errors import Problem
from counterblow.service.host import Host
from counterblow.service.hub import Hub
from counterblow.service.limits import Gate, Limits
from counterblow.service.live import LiveMatch
from counterblow.service.notify import Mail, Push, push_or_none
from counterblow.service.pages import static_folder
from counterblow.service.reviews import Reviews, make_reviews
from counterblow.service.store import Store
from counterblow.service.table import Table
from counterblow.service.wire import dump
from counterblow.service.workers import Thinker, Workers

P = ParamSpec("P")
R = TypeVar("R")
DATA_VARIABLE = "COUNTERBLOW_DATA"
FALLBACK_PLAYER = "random"
CLOCK_SECONDS = 1.0
LOOK_SECONDS = 5.0  # how often a worker looks for jobs by itself, if nobody tells it
log = logging.getLogger("counterblow")


def default_data_dir() -> Path:
    """The user's data folder, where matches are kept unless told otherwise."""
    return Path(platformdirs.user_data_dir("counterblow", appauthor=False))


@dataclass(frozen=True)
class Settings:
    """How the service runs; tests put their own games and an in-process thinker here."""

    data_dir: Path = field(default_factory=default_data_dir)
    database: str | None = None  # the address of a PostgreSQL database; None: a SQLite file in the data folder
    hosts: tuple[str, ...] | None = None  # the names it answers for; None: any
    proxies: tuple[str, ...] = ()  # the addresses whose word is taken for who asks
    limits: Limits = field(default_factory=Limits)
    smtp: str | None = None  # the mail server, see notify.Mail
    address: str | None = None  # where people find this server, for links in mails
    metrics: bool = False  # are figures told at /api/metrics?
    workers: int = 1  # computer players that think at the same time in this process' children
    load: Callable[[str], Game] = load
    slugs: Callable[[], Sequence[str]] = games
    thinker: Callable[[Desk], Executor] = thinking_process
    static: Path = field(default_factory=static_folder)

    @property
    def where(self) -> str | Path:
        return self.database or self.data_dir


class Engine:
    """Everything that a request needs. Opened when the server starts, closed when it stops."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.hub = Hub()
        self.gate = Gate(settings.limits)
        self.name = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(3)}"
        self.ready = False
        self._tasks: set[asyncio.Task[Any]] = set()
        self.review_asked = asyncio.Event()
        self._last = 0.0  # when the last change was asked for
        self._latest: dict[str, object] = {}  # match -> its last change in the clerk's batch
        self._draughtsman = ThreadPoolExecutor(1, thread_name_prefix="draughtsman")
        self.workers = Workers(self)
        self.coach = Thinker(settings.thinker)  # its process starts when somebody asks for advice
        self.mail = Mail(settings.smtp) if settings.smtp else None
        self.push: Push | None = None

    async def open(self) -> None:
        self.clerk = Clerk()
        self.table = await self.clerk.run(self._open_table)
        self.clerk.database = self.table.store.database
        self.clerk.undone, self.clerk.written = self.table.undone, self.table.written
        self.catalogue = Catalogue(self.table.game)
        self.host = Host(self.table)
        self.between = Between(self.table, self.host)
        self.people = self.table.accounts
        self.reviews = Reviews(self.table.store.database)
        self.push = await asyncio.to_thread(push_or_none, self.settings.data_dir / "vapid.pem")
        await self.run(self._requeue)
        self.begin(self._watch_clocks())
        self.begin(self._warm_up())
        if self.settings.workers:
            self.workers.begin(self.settings.workers)
            self.begin(make_reviews(self.run, self.table, self.reviews, self.name, self.review_asked))
        database = self.table.store.database
        if isinstance(database, PostgreSQL):
            self.begin(news.listen(database.url, database.pid, self._heard))
        self.ready = True

    def begin(self, work: Coroutine[Any, Any, R]) -> asyncio.Task[R]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def _requeue(self) -> None:
        for match in self.table.store.disagreeing():
            self.table.store.freeze(match, "its log is not whole")
            log.error("match %s: its log is not whole; it can be read, not played on", match)
        for match in self.table.store.waiting_for_computer():
            self.table.store.queue(match, 0)

    async def _warm_up(self) -> None:
        """Load the games one by one before anyone asks for them."""
        for slug in self.settings.slugs():
            await self.describe(self.catalogue.one, slug)

    async def describe(self, function: Callable[..., R], *args: Any) -> R:
        """Make a description, or draw a map: nobody who plays should wait for that."""
        for slug in self.settings.slugs():
            await self.run(self.settings.load, slug)  # games are loaded by the clerk alone
        return await asyncio.get_running_loop().run_in_executor(self._draughtsman, partial(function, *args))

    def _open_table(self) -> Table:
        return Table(Store(open_database(self.settings.where)), self.settings.load, self.settings.slugs)

    async def close(self) -> None:
        self.ready = False
        self.hub.close()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.coach.close()
        self.clerk.stop()
        self._draughtsman.shutdown(wait=False, cancel_futures=True)

    async def run(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Call something in the clerk's thread; what it wrote is on disk when this returns."""
        return await self.clerk.run(partial(function, *args, **kwargs))

    async def text(self, function: Callable[P, Any], *args: P.args, **kwargs: P.kwargs) -> str:
        """Call something in the clerk's thread and write its answer as JSON there."""
        return await self.run(lambda: dump(function(*args, **kwargs)))

    # ------------------------------------------------------------------ changes, and who learns of them

    async def change(self, match: str, tokens: Sequence[str], change: Callable[[], tuple[LiveMatch, int]]) -> str:
        """Do something to a match, tell all who watch it, and answer who did it."""

        def whole() -> tuple[LiveMatch, Callable[[], str]]:
            live, before = change()
            actor = self.table.seat_of(live, tokens)
            return live, lambda: live.update_text(actor, before)

        return await self.changing(match, whole)

    def act(self, match: str, change: Callable[[], tuple[LiveMatch, int]]) -> Awaitable[int]:
        """The same for who is told like all who watch: the answer is the number of the last entry.

        The change is on its way to the clerk when this returns; who awaits it gets the answer.
        """

        def whole() -> tuple[LiveMatch, Callable[[], int]]:
            live, _ = change()
            seq = live.seq
            return live, lambda: seq

        return self.changing(match, whole)

    def changing(self, match: str, change: Callable[[], tuple[LiveMatch, Callable[[], R]]]) -> Awaitable[R]:
        """A change, how it is answered, and what those who watch are told: once for all that is written together."""
        mine = object()
        began = self._asked()

        def whole() -> tuple[LiveMatch, Callable[[], R]]:
            done = change()
            self._latest[match] = mine
            return done

        def shown(done: tuple[LiveMatch, Callable[[], R]]) -> tuple[R, dict[str | None, str], LiveMatch, int]:
            live, answer = done
            last = self._latest.get(match) is mine
            if last:
                del self._latest[match]
            return answer(), self._updates(live) if last else {}, live, live.seq

        changing = self.clerk.change(whole, shown)

        async def tell() -> R:
            try:
                answer, updates, live, seq = await changing
            finally:
                await self.hold(match, began)
            self.hub.tell(match, updates, seq)
            self._after(live)
            return answer

        return asyncio.shield(self.begin(tell()))  # it happens, and others are told, even if who asked hangs up

    def _asked(self) -> float:
        """When a change was asked for; never two at once, so that what is held back keeps its order."""
        self._last = max(beat.asked(), self._last + 1e-6)
        return self._last

    async def hold(self, match: str, began: float) -> None:
        """Tell nothing of a match that keeps secrets before the beat."""
        if self.table.keeps_secrets(match):
            await beat.wait(began)

    def _updates(self, live: LiveMatch) -> dict[str | None, str]:
        """What those who watch do not know yet."""
        sides = self.hub.sides(live.start.id)
        since = self.hub.told(live.start.id, live.seq)
        return {side: live.update_text(side, since) for side in sides} if since < live.seq else {}

    def _after(self, live: LiveMatch) -> None:
        if live.thinking:
            self.wake(live.start.id)
        elif live.plays_with_general and self.hub.sides(live.start.id):
            self.workers.ring()  # it may think ahead

    async def _heard(self, text: str) -> None:
        """Another process has written something."""
        what, _, rest = text.partition(" ")
        if what == "*":
            self.workers.ring()
            self.review_asked.set()
            for match in self.hub.matches():
                await self.news(match, people=True)
        elif what == "job":
            self.workers.ring()
        elif what == "review":
            self.review_asked.set()
        elif rest.startswith("thinking "):
            self._show_thought(what, float(rest.removeprefix("thinking ")))
        elif rest == "answers":
            await self.run(self.table.forget, what)  # nobody else is to know that a seat decided something beforehand
        else:
            if rest == "people":
                await self.run(self.table.forget, what)
            if self.hub.sides(what):
                await self.news(what, people=rest == "people")

    async def news(self, match: str, people: bool = False) -> None:
        """Tell who watches what others have done to a match."""

        def look() -> tuple[dict[str | None, str], dict[str | None, str], LiveMatch | None]:
            sides = self.hub.sides(match)
            said = {}
            if people:
                said = {side: dump({"type": "people", **self.table.people(match, side)}) for side in sides}
            try:
                live = self.table.live(match)
            except Problem:
                return said, {}, None
            return said, self._updates(live), live

        began = self._asked()
        said, updates, live = await self.run(look)
        await self.hold(match, began)
        self.hub.tell(match, said)
        if live is not None:
            self.hub.tell(match, updates, live.seq)
            self._after(live)

    async def tell_thought(self, match: str, share: float) -> None:
        """How far a computer player's thought is, for who watches here or at another process."""
        self._show_thought(match, share)
        if isinstance(self.table.store.database, PostgreSQL):
            await self.run(self.table.store.tell_thought, match, share)

    def _show_thought(self, match: str, share: float) -> None:
        told = dump({"type": "thinking", "share": share})
        self.hub.tell(match, dict.fromkeys(self.hub.sides(match), told))

    async def tell_people(self, match: str) -> None:
        """Offers, messages and the like have changed: tell those who watch here."""
        if self.hub.sides(match):
            await self.news(match, people=True)

    # ------------------------------------------------------------------ clocks, and telling whose turn it is

    async def _watch_clocks(self) -> None:
        """Every second: whose time is over, and who should be told that it is their turn?"""
        while True:
            await asyncio.sleep(CLOCK_SECONDS)
            with suppress(Problem):  # the database is away
                for match in await self.run(self.table.overdue):
                    await self.change(match, (), partial(self.table.flag, match))
                for notice in await self.run(self.people.due_notices):
                    self.begin(self._tell_turn(notice["account"], notice["match"], notice["seq"]))

    async def _tell_turn(self, account: str, match: str, seq: int) -> None:
        def look() -> tuple[dict[str, Any], dict[str, Any], list[dict[str, Any]]] | None:
            live = self.table.live(match)
            side = live.side
            if live.seq != seq or side is None or live.seat(side).account != account:
                return None  # it came by itself
            row = self.people.account(account)
            told = {"match": match, "game": live.game.title, "text": f"It is your turn in {live.game.title}."}
            return dict(row), {**told, "url": f"{self.base()}play/{match}"}, self.people.subscriptions(account)

        with suppress(Problem):
            found = await self.run(look)
            if found is None:
                return
            row, told, subscriptions = found
            for subscription in subscriptions:
                await self._try(self._push_to(subscription, told))
            if row["webhook"]:
                await self._try(notify.call(row["webhook"], told))
            if row["mail"] and row["email"] and self.mail is not None:
                await self._try(self.mail.send(row["email"], told["text"], told["url"]))

    async def _push_to(self, subscription: dict[str, Any], told: dict[str, Any]) -> None:
        contact = self.mail.sender if self.mail is not None else "nobody@localhost"
        if self.push is not None and not await self.push.send(subscription, told, contact):
            await self.run(self.people.unsubscribe, subscription["endpoint"])

    async def _try(self, sending: Coroutine[Any, Any, None]) -> None:
        """A notice that cannot be delivered is no reason to stop."""
        try:
            await sending
        except Exception as error:
            log.warning("a notice could not be delivered: %s", type(error).__name__)

    @property
    def push_key(self) -> str | None:
        return None if self.push is None else self.push.public

    def base(self, asked: object = None) -> str:
        """Where people find this server."""
        return (self.settings.address or str(asked or "http://localhost/")).rstrip("/") + "/"

    def send_mail(self, to: str, subject: str, text: str) -> None:
        assert self.mail is not None
        self.begin(self._try(self.mail.send(to, subject, text)))

    def wake(self, match: str) -> None:
        """A computer player may be to act."""
        self.workers.wake(match)
