"""Computer seats think in processes of their own, so that nobody waits for them."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor
from ctypes import c_bool, c_double
from typing import NamedTuple

from counterblow import players
from counterblow.kernel.game import Game
from counterblow.learn.coach import plainly

SPAWN = multiprocessing.get_context("spawn")


class Desk:
    """What the server and a thinking process both see: how far a thought is, and whether anybody still waits for it."""

    def __init__(self) -> None:
        self._share = SPAWN.RawValue(c_double)
        self._dropped = SPAWN.RawValue(c_bool)

    def clear(self) -> None:
        """Before a new thought."""
        self._share.value, self._dropped.value = 0.0, False

    def note(self, share: float) -> None:
        self._share.value = share

    @property
    def share(self) -> float:
        return self._share.value

    def drop(self) -> None:
        """Nobody waits for the thought any more."""
        self._dropped.value = True

    def dropped(self) -> bool:
        return self._dropped.value


_seated = threading.local()  # where a thread or a process thinks: ``desk``


def sit_down(desk: Desk) -> None:
    """First thing where players think."""
    _seated.desk = desk


class Line(NamedTuple):
    """The actions that a player chooses, the plan behind each in a sentence, and whether it would rather give up."""

    actions: list[str]
    plans: list[str]
    resigns: bool


def think(load: Callable[[str], Game], slug: str, state_json: str, player: str, seed: int) -> Line:
    """The line that a player chooses; runs in a thinking process."""
    state = load(slug).from_json(state_json)
    decider = state.decider
    assert decider is not None
    desk: Desk = _seated.desk
    thinker = players.make(player, seed, progress=desk.note, cancelled=desk.dropped)
    actions = [str(action) for action in thinker.line(state, decider)]
    plans = [plainly(action, reason) for action, reason in zip(actions, thinker.reasons, strict=True)]
    return Line(actions, plans, thinker.resigns(state, decider))


def load_ahead(load: Callable[[str], Game], slug: str) -> None:
    """Load a game where players think, so that the first thought does not wait for it."""
    load(slug)


def thinking_process(desk: Desk) -> Executor:
    """One process beside the server's; it ends with it, however that ends."""
    return ProcessPoolExecutor(1, mp_context=SPAWN, initializer=begin_to_think, initargs=(desk,))


def begin_to_think(desk: Desk) -> None:
    end_with_server()
    sit_down(desk)


def end_with_server() -> None:
    server = multiprocessing.parent_process()
    assert server is not None
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server

    def wait() -> None:
        server.join()
        os._exit(0)

    threading.Thread(target=wait, daemon=True).start()
