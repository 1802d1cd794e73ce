"""The beat: in a remote match with something hidden no answer leaves sooner than one beat after the question.

What the server has to do may depend a little on a hand or on units in the fog (the other player is shown other cards to
play), and somebody with a good clock could ask a thousand times. One beat is many times longer than any of it.
"""

from __future__ import annotations

import asyncio
from contextvars import ContextVar

from starlette.types import ASGIApp, Message, Receive, Scope, Send

SECONDS = 0.025
PREFIX = "/api/matches/"
_asked: ContextVar[float | None] = ContextVar("asked", default=None)


def asked() -> float:
    """When what is being done was asked for."""
    began = _asked.get()
    return asyncio.get_running_loop().time() if began is None else began


async def wait(began: float) -> None:
    """Until the beat after this moment, if it is not over."""
    left = began + SECONDS - asyncio.get_running_loop().time()
    if left > 0:
        await asyncio.sleep(left)


class Beat:
    """Holds the answers to requests."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith(PREFIX):
            await self.app(scope, receive, send)
            return
        match, began = scope["path"].removeprefix(PREFIX).partition("/")[0], asyncio.get_running_loop().time()

        async def held(message: Message) -> None:
            if message["type"] == "http.response.start" and scope["app"].state.engine.table.keeps_secrets(match):
                await wait(began)
            await send(message)

        token = _asked.set(began)
        try:
            await self.app(scope, receive, held)
        finally:
            _asked.reset(token)
