"""The running service: one engine thread for all rules and storage, one process for computer players."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Executor, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import platformdirs

from counterblow import games, load
from counterblow.kernel.game import Game
from counterblow.service.catalogue import Catalogue
from counterblow.service.computer import load_ahead, think, thinking_process
from counterblow.service.hub import Hub
from counterblow.service.limits import Gate, Limits
from counterblow.service.live import LiveMatch
from counterblow.service.pages import static_folder
from counterblow.service.store import Store
from counterblow.service.table import Table, holds

P = ParamSpec("P")
R = TypeVar("R")
DATA_VARIABLE = "COUNTERBLOW_DATA"
FALLBACK_PLAYER = "random"
log = logging.getLogger("counterblow")


def default_data_dir() -> Path:
    """The user's data folder, where matches are kept unless told otherwise."""
    return Path(platformdirs.user_data_dir("counterblow", appauthor=False))


@dataclass(frozen=True)
class Settings:
    """How the service runs; tests put their own games and an in-process thinker here."""

    data_dir: Path = field(default_factory=default_data_dir)
    hosts: tuple[str, ...] | None = None  # the names it answers for; None: any
    proxies: tuple[str, ...] = ()  # the addresses whose word is taken for who asks
    limits: Limits = field(default_factory=Limits)
    load: Callable[[str], Game] = load
    slugs: Callable[[], Sequence[str]] = games
    thinker: Callable[[], Executor] = thinking_process
    static: Path = field(default_factory=static_folder)


class Engine:
    """Everything that a request needs. Opened when the server starts, closed when it stops."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.hub = Hub()
        self.gate = Gate(settings.limits)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="engine")
        self._thinker: Executor | None = None
        self._thinking: dict[str, asyncio.Task[None]] = {}
        self._nudged: set[str] = set()

    async def open(self) -> None:
        self.table = await self.run(self._open_table)
        self.catalogue = Catalogue(self.table.game)
        for match in await self.run(self.table.waiting_for_computer):
            self.wake(match)
        self._warming = asyncio.get_running_loop().create_task(self._warm_up())

    async def _warm_up(self) -> None:
        """Load the games one by one, here and where computer players think, before anyone asks for them."""
        for slug in self.settings.slugs():
            await self.run(self.catalogue.one, slug)
        for slug in self.settings.slugs():
            await self._in_thinker(load_ahead, self.settings.load, slug)

    def _open_table(self) -> Table:
        return Table(Store(self.settings.data_dir), self.settings.load, self.settings.slugs)

    async def close(self) -> None:
        self.hub.close()
        self._warming.cancel()
        for task in self._thinking.values():
            task.cancel()
        await asyncio.gather(self._warming, *self._thinking.values(), return_exceptions=True)
        if self._thinker is not None:
            self._thinker.shutdown(wait=False, cancel_futures=True)
        await self.run(self.table.store.close)
        self._thread.shutdown()

    async def run(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Call something in the engine thread."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, partial(function, *args, **kwargs))

    async def text(self, function: Callable[P, Any], *args: P.args, **kwargs: P.kwargs) -> str:
        """Call something in the engine thread and write its answer as JSON there."""
        return await self.run(lambda: dump(function(*args, **kwargs)))

    # ------------------------------------------------------------------ changes, and who learns of them

    async def change(self, match: str, tokens: Sequence[str], change: Callable[[], tuple[LiveMatch, int]]) -> str:
        """Do something to a match, tell all who watch it, and answer who did it."""
        watching = self.hub.sides(match)

        def whole() -> tuple[str, dict[str | None, str], bool]:
            live, before = change()
            actor = holds(live.start, tokens)[0]
            return actor, _updates(live, before, {actor, *watching}), live.thinking

        actor, updates, thinking = await self.run(whole)
        self.hub.tell(match, updates)
        if thinking:
            self.wake(match)
        return updates[actor]

    # ------------------------------------------------------------------ computer players

    def wake(self, match: str) -> None:
        """Let the computer player of a match look whether it is to act; if it already does, once more after that."""
        if match in self._thinking:
            self._nudged.add(match)
            return
        task = asyncio.get_running_loop().create_task(self._play(match))
        self._thinking[match] = task
        task.add_done_callback(partial(self._rest, match))

    def _rest(self, match: str, task: asyncio.Task[None]) -> None:
        self._thinking.pop(match, None)
        nudged = match in self._nudged
        self._nudged.discard(match)
        if task.cancelled():
            return
        if (error := task.exception()) is not None:
            log.error("match %s: the computer player stopped", match, exc_info=error)
        elif nudged:
            self.wake(match)

    async def _play(self, match: str) -> None:
        """Play for the computer until a person decides, or nobody is there to see it."""
        while (position := await self.run(self._position, match, bool(self.hub.sides(match)))) is not None:
            seq, slug, state, player = position
            try:
                action = await self._think(slug, state, player, seq)
            except Exception:
                log.exception("match %s: the player %s failed; %s plays this action", match, player, FALLBACK_PLAYER)
                action = await self._think(slug, state, FALLBACK_PLAYER, seq)
            self.hub.tell(match, await self.run(self._do_computer, match, seq, action, self.hub.sides(match)))

    def _position(self, match: str, watched: bool) -> tuple[int, str, str, str] | None:
        live = self.table.live(match)
        side = live.state.side
        if side is None or not live.thinking:
            return None
        if not watched and all(seat.kind == "computer" for seat in live.start.seats):
            return None
        return live.seq, live.game.slug, live.state.to_json(), live.seat(side).player or FALLBACK_PLAYER

    async def _think(self, slug: str, state: str, player: str, seed: int) -> str:
        return await self._in_thinker(think, self.settings.load, slug, state, player, seed)

    async def _in_thinker(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        if self._thinker is None:
            self._thinker = self.settings.thinker()
        call = partial(function, *args, **kwargs)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thinker, call)
        except BrokenExecutor:
            self._thinker = None  # a fresh one next time
            raise

    def _do_computer(self, match: str, seq: int, action: str, sides: set[str | None]) -> dict[str | None, str]:
        live = self.table.do_computer(match, seq, action)
        return {} if live is None else _updates(live, live.ply - 1, sides)


def _updates(live: LiveMatch, before: int, sides: set[str | None]) -> dict[str | None, str]:
    keep = min(before, live.ply)
    return {side: dump(live.update_for(side, keep)) for side in sides}


def dump(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
