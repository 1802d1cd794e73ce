"""Computer seats think in processes of their own, so that nobody waits for them."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor

from counterblow import players
from counterblow.kernel.game import Game


def think(load: Callable[[str], Game], slug: str, state_json: str, player: str, seed: int) -> list[str]:
    """The line of actions that a player chooses; runs in a thinking process."""
    state = load(slug).from_json(state_json)
    decider = state.decider
    assert decider is not None
    return [str(action) for action in players.make(player, seed).line(state, decider)]


def load_ahead(load: Callable[[str], Game], slug: str) -> None:
    """Load a game where players think, so that the first thought does not wait for it."""
    load(slug)


def thinking_process() -> Executor:
    """One process beside the server's; it ends with it, however that ends."""
    return ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"), initializer=end_with_server)


def end_with_server() -> None:
    server = multiprocessing.parent_process()
    assert server is not None
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server

    def wait() -> None:
        server.join()
        os._exit(0)

    threading.Thread(target=wait, daemon=True).start()
