"""Mail, push and webhook as they leave: what a mail server, a push service and somebody's own address receive."""

from __future__ import annotations

import base64
import email
import json
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import http_ece  # type: ignore[import-untyped]
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from fastapi.testclient import TestClient

from counterblow.service import engine as engines
from counterblow.service import notify, table
from counterblow.service.app import create_app
from tests.service.conftest import awaited, settings
from tests.service.test_databases import until
from tests.service.test_people import Person

EVERYWHERE = ("127.0.0.1", 0)


class Post(socketserver.ThreadingTCPServer):
    """A mail server that keeps what it gets."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(EVERYWHERE, Postman)
        self.mails: list[tuple[str, email.message.Message]] = []


class Postman(socketserver.StreamRequestHandler):
    server: Post

    def handle(self) -> None:
        self.say("220 here")
        to = ""
        while line := self.rfile.readline().decode().strip():
            word = line.split()[0].upper()
            if word == "RCPT":
                to = line.partition("<")[2].partition(">")[0]
            if word == "DATA":
                self.say("354 go on")
                text = ""
                while (more := self.rfile.readline().decode()) != ".\r\n":
                    text += more
                self.server.mails.append((to, email.message_from_string(text)))
            self.say("221 bye" if word == "QUIT" else "250 well")

    def say(self, text: str) -> None:
        self.wfile.write(f"{text}\r\n".encode())


class Called(ThreadingHTTPServer):
    """Keeps what is posted to it."""

    def __init__(self) -> None:
        super().__init__(EVERYWHERE, Listener)
        self.posts: list[tuple[str, dict[str, str], bytes]] = []


class Listener(BaseHTTPRequestHandler):
    server: Called

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.posts.append((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
        self.send_response(201)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def listening(server: socketserver.BaseServer) -> Iterator[int]:
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_address[1]  # type: ignore[index, misc]
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Called, str]]:
    """An address on this machine that, here alone, may be called."""
    server = Called()
    with listening(server) as port:
        monkeypatch.setattr(notify, "_public_address", lambda url: ("127.0.0.1", port, "127.0.0.1"))
        yield server, f"http://127.0.0.1:{port}"


def test_a_mailed_link_signs_in_and_a_mail_tells_whose_turn_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "CLOCK_SECONDS", 0.05)
    monkeypatch.setattr(table, "NOTE_SECONDS", 0.0)
    post = Post()
    with listening(post) as port:
        smtp = f"smtp://127.0.0.1:{port}?from=club@example.org"
        chosen = settings(tmp_path, smtp=smtp, address="https://games.example.org/")
        with TestClient(create_app(chosen)) as server:
            people: dict[str, Person] = {}
            for name in ("Ann", "Bob"):
                person = Person(server)
                address = f"{name.lower()}@example.org"
                assert person.client.post("/api/account/link", json={"email": address}).status_code == 202
                until(lambda: len(post.mails) == len(people) + 1)
                to, mail = post.mails[-1]
                text = str(mail.get_payload())
                assert (to, mail["From"]) == (address, "club@example.org")
                assert "https://games.example.org/signin#" in text
                token = text.partition("signin#")[2].split()[0]
                used = person.client.post("/api/account/link/use", json={"token": token, "name": name})
                assert used.status_code == 200, used.text
                people[name] = person
            match = people["Ann"].match(people["Bob"])
            people["Ann"].act(match, "end phase", "end phase")
            until(lambda: [to for to, mail in post.mails if "turn" in mail["Subject"]][-1:] == ["bob@example.org"])
            _, mail = post.mails[-1]
            assert f"https://games.example.org/play/{match}" in str(mail.get_payload())


def test_a_browser_can_read_what_is_pushed_to_it(tmp_path: Path, called: tuple[Called, str]) -> None:
    server, address = called
    browser, secret = ec.generate_private_key(ec.SECP256R1()), b"0123456789abcdef"
    point = browser.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    keys = {"p256dh": base64.urlsafe_b64encode(point).decode(), "auth": base64.urlsafe_b64encode(secret).decode()}
    push = notify.Push(tmp_path / "vapid.pem")
    subscription = {"endpoint": f"{address}/push/1", "keys": keys}
    assert awaited(push.send(subscription, {"text": "It is your turn."}, "club@example.org"))
    [(path, headers, body)] = server.posts
    assert path == "/push/1"
    assert headers["authorization"].startswith("vapid t=")
    assert headers["authorization"].endswith(f"k={push.public}")
    assert b"your turn" not in body
    text = http_ece.decrypt(body, private_key=browser, auth_secret=secret, version="aes128gcm")
    assert json.loads(text) == {"text": "It is your turn."}


def test_a_webhook_is_called_with_what_happened(called: tuple[Called, str]) -> None:
    server, address = called
    awaited(notify.call(f"{address}/turn?who=me", {"match": "m", "text": "It is your turn."}))
    [(path, headers, body)] = server.posts
    assert (path, headers["content-type"]) == ("/turn?who=me", "application/json")
    assert json.loads(body) == {"match": "m", "text": "It is your turn."}
