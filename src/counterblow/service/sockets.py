"""Live connections: whoever watches a match is told of every change as its seat sees it, and may act in it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Sequence
from contextlib import suppress
from functools import partial
from typing import cast

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from counterblow.kernel.errors import CounterblowError
from counterblow.service import beat, guard, models
from counterblow.service.asking import COOKIE
from counterblow.service.engine import Engine
from counterblow.service.errors import Problem, WrongKey
from counterblow.service.hub import Watcher
from counterblow.service.table import SESSION, seat_tokens
from counterblow.service.wire import dump

HELLO_SECONDS = 10.0
MOST_UNDER_WAY = 64  # actions of one connection that are not answered yet

log = logging.getLogger("counterblow")
router = APIRouter(prefix="/api")


@router.websocket("/matches/{match}/live")
async def live(socket: WebSocket, match: str) -> None:
    await socket.accept()
    engine, address = cast(Engine, socket.app.state.engine), guard.address_of(socket.scope)
    with suppress(WebSocketDisconnect, RuntimeError):
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                hello = models.Hello.model_validate_json(await _text(socket))
            tokens = [] if hello.token is None else seat_tokens([hello.token])
            if cookie := socket.cookies.get(COOKIE):
                tokens.append(SESSION + cookie)
            engine.gate.may_try(address, match)
            await Connection(socket, engine, match, tokens).serve()
        except WrongKey as problem:
            engine.gate.wrong_key(address, match)
            await _dismiss(socket, problem)
        except TimeoutError:
            await _dismiss(socket, Problem(408, "no hello was sent"))
        except ValidationError as error:
            await _dismiss(socket, Problem(422, f"not a hello: {error.errors()[0]['msg']}", "hello"))
        except Problem as problem:
            await _dismiss(socket, problem)


class Connection:
    """One who watches, from the hello to the end."""

    def __init__(self, socket: WebSocket, engine: Engine, match: str, tokens: Sequence[str]) -> None:
        self.socket, self.engine, self.match, self.tokens = socket, engine, match, tokens
        self.address = guard.address_of(socket.scope)
        self._room = asyncio.Semaphore(MOST_UNDER_WAY)

    async def serve(self) -> None:
        """The state now, then every change as the seat sees it, until one side hangs up."""
        engine, match = self.engine, self.match
        self.watcher = Watcher(await engine.run(lambda: engine.table.enter(match, self.tokens)[1]))
        engine.hub.enter(match, self.watcher)  # before looking, so that nothing falls between
        try:
            began = beat.asked()
            first = await engine.run(self._first)
            await engine.hold(match, began)
            await self.socket.send_text(first)
            engine.wake(match)
            async with asyncio.TaskGroup() as group:
                listening = group.create_task(self._listen(group))
                while (message := await self.watcher.messages.get()) is not None:
                    await self.socket.send_text(message)
                listening.cancel()
            await self.socket.close(1012)
        except* (WebSocketDisconnect, RuntimeError):
            pass
        finally:
            engine.hub.leave(match, self.watcher)

    def _first(self) -> str:
        state = self.engine.table.state(self.match, self.tokens, None, -1)
        self.engine.hub.starts_at(self.match, state["seq"])
        return dump({"type": "state", **state})

    async def _listen(self, group: asyncio.TaskGroup) -> None:
        """Answer pings, take actions; anything else a client says here means nothing."""
        while True:
            text = await _text(self.socket)
            if text == "ping":
                self.watcher.send("pong")
            elif text.startswith("{"):
                await self._room.acquire()  # who sends faster than the server acts is read no further
                self._act(group, text)

    def _act(self, group: asyncio.TaskGroup, text: str) -> None:
        """An action, handed on at once: the next one may follow before this one is answered."""
        seq = None
        try:
            self.engine.gate.request(self.address)
            for key in self.tokens:
                self.engine.gate.key(key)
            wanted = models.LiveAction.model_validate_json(text)
            seq = wanted.seq
            change = partial(
                self.engine.table.do, self.match, self.tokens, seq, [wanted.act], lambda _: "act", wanted.key
            )
            group.create_task(self._answer(seq, self.engine.act(self.match, change)))
        except ValidationError as error:
            self._refuse(seq, Problem(422, error.errors()[0]["msg"], "act"))
        except Problem as problem:
            self._refuse(seq, problem)

    async def _answer(self, seq: int, acting: Awaitable[int]) -> None:
        try:
            done = await acting
        except Problem as problem:
            self._refuse(seq, problem)
        except CounterblowError as error:
            self._refuse(seq, Problem(422, str(error)))
        except Exception:
            log.exception("an action failed")
            self._refuse(seq, Problem(500, "something went wrong in the server; nothing was changed"))
        else:
            self._room.release()
            self.watcher.send(dump({"type": "done", "of": seq, "seq": done}))

    def _refuse(self, seq: int | None, problem: Problem) -> None:
        self._room.release()
        self.watcher.send(dump({"type": "refused", "of": seq, "status": problem.status, **problem.to_json()}))


async def _text(socket: WebSocket) -> str:
    """The next message; empty if it is not text."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    return message.get("text") or ""


async def _dismiss(socket: WebSocket, problem: Problem) -> None:
    await socket.send_text(dump({"type": "error", "status": problem.status, **problem.to_json()}))
    await socket.close(4000 + problem.status, problem.error[:100])
