"""What other processes on the same PostgreSQL have written: LISTEN on a connection of its own."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from counterblow.service.database import CHANNEL

AGAIN_SECONDS = 1.0
log = logging.getLogger("counterblow")


async def listen(url: str, own: Callable[[], int], heard: Callable[[str], Awaitable[None]]) -> None:
    """Tell of every notice that is not our ``own`` connection's, for ever; after a lost connection "*": look at all."""
    import psycopg

    lost = False
    while True:
        try:
            async with await psycopg.AsyncConnection.connect(url, autocommit=True, connect_timeout=5) as connection:
                await connection.execute(f"listen {CHANNEL}")
                lost = False
                await _follow(heard, "*")
                async for notice in connection.notifies():
                    if notice.pid != own():
                        await _follow(heard, notice.payload)
        except (psycopg.OperationalError, OSError) as error:
            if not lost:
                log.warning("no news from other processes: %s", error)
            lost = True
        await asyncio.sleep(AGAIN_SECONDS)


async def _follow(heard: Callable[[str], Awaitable[None]], text: str) -> None:
    try:
        await heard(text)
    except Exception:
        log.exception("a notice could not be followed")
