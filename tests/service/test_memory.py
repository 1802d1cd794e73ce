"""How much memory a long match takes."""

from __future__ import annotations

import gc
import random
import time
import tracemalloc
from contextlib import closing
from pathlib import Path

import pytest

import counterblow
from counterblow.service.database import open_database
from counterblow.service.host import Host
from counterblow.service.live import LiveMatch
from counterblow.service.models import NewMatch
from counterblow.service.store import Store
from counterblow.service.table import Table

LONG = 1400  # actions


def long_match(table: Table, slug: str) -> str:
    """A match of so many actions, or to its end."""
    chance = random.Random(4)
    made = Host(table).create(NewMatch.model_validate({"game": slug, "seed": 4}), "test", 0, [])
    live = table.live(made["id"])
    with table.store.database.batch():
        while live.ply < LONG and (side := live.side) is not None:
            legal = [action for action in live.state.legal() if action.args] or live.state.legal()
            action = str(chance.choice(legal))
            table.do(made["id"], [made["tokens"][side]], live.seq, [action], lambda _: "action")
    table.written()
    found: str = made["id"]
    return found


@pytest.mark.parametrize("slug", counterblow.games())
def test_an_open_match_of_1400_actions_takes_less_than_3_MB_and_opens_at_once(tmp_path: Path, slug: str) -> None:
    with closing(open_database(tmp_path)) as database:
        table = Table(Store(database), counterblow.load, counterblow.games)
        match = long_match(table, slug)
        table.forget(match)
        table.live(match)  # what the game keeps for all its matches is there now
        table.forget(match)
        gc.collect()
        tracemalloc.start()
        began = tracemalloc.get_traced_memory()[0]
        live: LiveMatch = table.live(match)
        live.update_text(live.side, live.seq)
        gc.collect()
        taken = (tracemalloc.get_traced_memory()[0] - began) / 1e6
        tracemalloc.stop()
        assert live.ply > LONG / 4
        assert taken * LONG / live.ply < 3, f"{taken:.1f} MB for {live.ply} actions"
        table.forget(match)
        spent = time.thread_time()
        table.live(match)
        spent = time.thread_time() - spent
        assert spent < 0.1, f"{spent * 1000:.0f} ms to open"
