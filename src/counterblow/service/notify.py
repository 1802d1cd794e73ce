"""Telling people that it is their turn: by mail, by the browser's push service, by a call to their own address."""

from __future__ import annotations

import asyncio
import http.client
import ipaddress
import json
import logging
import smtplib
import socket
import ssl
from collections.abc import Mapping
from email.message import EmailMessage
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from counterblow.kernel.errors import CounterblowError

SECONDS = 10.0
log = logging.getLogger("counterblow")


class Mail:
    """A mail server: ``smtp://user:password@host:587?from=club@example.org`` (smtps:// for TLS from the start)."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        sender = parse_qs(parts.query).get("from", [""])[0]
        if parts.scheme not in ("smtp", "smtps") or not parts.hostname or "@" not in sender:
            raise CounterblowError("the mail server should be given as smtp://user:password@host:port?from=address")
        self.host, self.sender, self.direct = parts.hostname, sender, parts.scheme == "smtps"
        self.port = parts.port or (465 if self.direct else 587)
        self.user, self.password = unquote(parts.username or ""), unquote(parts.password or "")

    async def send(self, to: str, subject: str, text: str) -> None:
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = self.sender, to, subject
        message.set_content(text + "\n")
        await asyncio.to_thread(self._send, message)

    def _send(self, message: EmailMessage) -> None:
        safe = ssl.create_default_context()
        server = (
            smtplib.SMTP_SSL(self.host, self.port, timeout=SECONDS, context=safe)
            if self.direct
            else smtplib.SMTP(self.host, self.port, timeout=SECONDS)
        )
        with server:
            server.ehlo()
            if not self.direct and server.has_extn("starttls"):
                server.starttls(context=safe)
            if self.user:
                server.login(self.user, self.password)
            server.send_message(message)


class Push:
    """Notifications of the browser, signed by a key of this server's own (VAPID)."""

    def __init__(self, file: Path) -> None:
        from py_vapid import Vapid02, b64urlencode

        if file.exists():
            self._key = Vapid02.from_file(str(file))
        else:
            self._key = Vapid02()
            self._key.generate_keys()
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch(mode=0o600)
            self._key.save_key(str(file))
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        raw = self._key.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.public: str = b64urlencode(raw)

    async def send(self, subscription: Mapping[str, Any], data: Mapping[str, Any], contact: str) -> bool:
        """False if the browser wants no more of them."""
        return await asyncio.to_thread(self._send, subscription, data, contact)

    def _send(self, subscription: Mapping[str, Any], data: Mapping[str, Any], contact: str) -> bool:
        from pywebpush import WebPushException, webpush

        _public_address(subscription["endpoint"])
        try:
            webpush(
                dict(subscription),
                json.dumps(data),
                self._key,
                {"sub": f"mailto:{contact}"},
                timeout=SECONDS,
                ttl=86400,
            )
        except WebPushException as error:
            if error.response is not None and error.response.status_code in (404, 410):
                return False
            raise
        return True


def push_or_none(file: Path) -> Push | None:
    """Push, where its library is installed."""
    try:
        return Push(file)
    except ImportError:
        return None


async def call(url: str, data: Mapping[str, Any]) -> None:
    """Call somebody's own address. Nothing inside this network can be reached so, and no redirect is followed."""
    await asyncio.to_thread(_call, url, data)


def _call(url: str, data: Mapping[str, Any]) -> None:
    host, port, address = _public_address(url)
    parts = urlsplit(url)
    connection: http.client.HTTPConnection
    if parts.scheme == "https":
        connection = http.client.HTTPSConnection(host, port, timeout=SECONDS)
        raw = socket.create_connection((address, port), SECONDS)
        connection.sock = ssl.create_default_context().wrap_socket(raw, server_hostname=host)
    else:
        connection = http.client.HTTPConnection(host, port, timeout=SECONDS)
        connection.sock = socket.create_connection((address, port), SECONDS)
    try:
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("POST", path, json.dumps(data), {"Content-Type": "application/json"})
        connection.getresponse().read(1000)
    finally:
        connection.close()


def _public_address(url: str) -> tuple[str, int, str]:
    """Host, port and a resolved address that is out in the world: what we then connect to is what was checked."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"{url[:80]} is no address to call")
    port = parts.port or (443 if parts.scheme == "https" else 80)
    for *_, place in socket.getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM):
        if ipaddress.ip_address(str(place[0])).is_global:
            return parts.hostname, port, str(place[0])
    raise ValueError(f"{parts.hostname} is not out in the world")
