"""What stands before every request: limits, origins and the headers that tell a browser what this page may do."""

from __future__ import annotations

import json
from collections.abc import Sequence
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

BODY_LIMIT = 64 * 1024
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
    """Refuses foreign hosts and origins and long bodies; adds the security headers to every answer."""

    def __init__(self, app: ASGIApp, hosts: Sequence[str] | None) -> None:
        self.app = app
        self.hosts = None if hosts is None else {host.lower() for host in hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._refusal(headers, safe=scope["type"] == "http" and scope["method"] in ("GET", "HEAD", "OPTIONS"))
        if scope["type"] == "websocket":
            if refusal:
                await receive()
                await send({"type": "websocket.close", "code": 4403, "reason": refusal[1]})
            else:
                await self.app(scope, receive, send)
            return
        await self._http(scope, receive, _with_headers(send), headers, refusal)

    async def _http(
        self, scope: Scope, receive: Receive, send: Send, headers: Headers, refusal: tuple[int, str] | None
    ) -> None:
        limit = IMPORT_LIMIT if scope["path"] == IMPORT_PATH else BODY_LIMIT
        length = headers.get("content-length", "0")
        if refusal is None and (not length.isdecimal() or int(length) > limit):
            refusal = (413, _too_large(limit))
        if refusal is not None:
            await _refuse(send, *refusal)
        else:
            await self.app(scope, _counted(receive, limit), send)

    def _refusal(self, headers: Headers, safe: bool) -> tuple[int, str] | None:
        host = headers.get("host", "")
        name = (urlsplit(f"//{host}").hostname or "").lower()
        if self.hosts is not None and name not in self.hosts:
            return 403, f'this server does not answer for the host "{name[:80]}"'
        origin = headers.get("origin")
        if not safe and origin is not None and urlsplit(origin).netloc.lower() != host.lower():
            return 403, "requests from other sites are not taken"
        return None


def _too_large(limit: int) -> str:
    return f"the request is too large: at most {limit} bytes are taken"


def _counted(receive: Receive, limit: int) -> Receive:
    """Reads a body without a declared length only up to the limit."""
    taken = 0

    async def counted() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
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


async def _refuse(send: Send, status: int, error: str) -> None:
    body = json.dumps({"error": error}).encode()
    length = (b"content-length", str(len(body)).encode())
    headers = [(b"content-type", b"application/json"), length, (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
