"""What stands before every request: limits, origins and the headers that tell a browser what this page may do."""

from __future__ import annotations

import asyncio
import ipaddress
import json
import math
from collections.abc import Sequence
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from counterblow.service.errors import Problem
from counterblow.service.limits import Gate
from counterblow.service.protocol import HEADER_SECONDS

BODY_LIMIT = 64 * 1024
BODY_SECONDS = 2 * HEADER_SECONDS
IMPORT_LIMIT = 8 * 1024 * 1024
IMPORT_PATH = "/api/matches/import"

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
DRAWING_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; frame-ancestors 'none'"
HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}


class Guard:
    """Refuses foreign hosts and origins, greedy addresses and long bodies; adds security headers to every answer."""

    def __init__(self, app: ASGIApp, hosts: Sequence[str] | None, gate: Gate) -> None:
        self.app = app
        self.gate = gate
        self.hosts = None if hosts is None else {host.lower() for host in hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        safe = scope["type"] == "http" and scope["method"] in ("GET", "HEAD", "OPTIONS")
        refusal = self._greedy(scope) or self._refusal(headers, safe)
        if scope["type"] == "websocket":
            await self._websocket(scope, receive, send, refusal)
            return
        await self._http(scope, receive, _with_headers(send), headers, refusal)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send, refusal: Problem | None) -> None:
        address = address_of(scope)
        if refusal is None and not self.gate.connect(address):
            refusal = Problem(429, "too many live connections from this address")
        if refusal is not None:
            await receive()
            await send({"type": "websocket.close", "code": 4000 + refusal.status, "reason": refusal.error})
            return
        try:
            await self.app(scope, receive, send)
        finally:
            self.gate.disconnect(address)

    def _greedy(self, scope: Scope) -> Problem | None:
        try:
            self.gate.request(address_of(scope))
        except Problem as problem:
            return problem
        return None

    async def _http(
        self, scope: Scope, receive: Receive, send: Send, headers: Headers, refusal: Problem | None
    ) -> None:
        limit = IMPORT_LIMIT if scope["path"] == IMPORT_PATH else BODY_LIMIT
        length = headers.get("content-length", "0")
        if refusal is None and (not length.isdecimal() or int(length) > limit):
            refusal = Problem(413, _too_large(limit))
        if refusal is not None:
            await _refuse(send, refusal)
        else:
            await self.app(scope, _counted(receive, limit), send)

    def _refusal(self, headers: Headers, safe: bool) -> Problem | None:
        host = headers.get("host", "")
        try:
            name = (urlsplit(f"//{host}").hostname or "").lower()
        except ValueError:
            return Problem(400, "the Host header names no host")
        if self.hosts is not None and name not in self.hosts:
            return Problem(403, f'this server does not answer for the host "{name[:80]}"')
        origin = headers.get("origin")
        if not safe and origin is not None and _netloc(origin) != host.lower():
            return Problem(403, "requests from other sites are not taken")
        return None


def address_of(scope: Scope) -> str:
    """Who asks; of the many addresses of an IPv6 network one stands for all."""
    host: str = (scope.get("client") or ("unknown", 0))[0]
    if ":" in host:
        try:
            return str(ipaddress.ip_network((host.partition("%")[0], 64), strict=False).network_address)
        except ValueError:
            return host
    return host


def _netloc(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return None


def _too_large(limit: int) -> str:
    return f"the request is too large: at most {limit} bytes are taken"


def _counted(receive: Receive, limit: int) -> Receive:
    """Reads a body only up to the limit, and only so long."""
    taken, whole = 0, False
    until = asyncio.get_running_loop().time() + BODY_SECONDS

    async def counted() -> Message:
        nonlocal taken, whole
        try:
            async with asyncio.timeout_at(None if whole else until):
                message = await receive()
        except TimeoutError:
            raise HTTPException(408, "the request did not come in time") from None
        taken += len(message.get("body", b""))
        whole = not message.get("more_body", False)
        if taken > limit:
            raise HTTPException(413, _too_large(limit))
        return message

    return counted


def _with_headers(send: Send) -> Send:
    async def with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return with_headers


async def _refuse(send: Send, problem: Problem) -> None:
    body = json.dumps(problem.to_json()).encode()
    length = (b"content-length", str(len(body)).encode())
    headers = [(b"content-type", b"application/json"), length, (b"connection", b"close")]
    if problem.retry_after is not None:
        headers.append((b"retry-after", str(math.ceil(problem.retry_after)).encode()))
    await send({"type": "http.response.start", "status": problem.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
