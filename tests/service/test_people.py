"""People: signing in, one's matches on every device, messages, clocks, ratings, being told, and being forgotten."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from argon2 import PasswordHasher
from fastapi.testclient import TestClient

from counterblow.service import engine as engines
from counterblow.service import notify, people, table
from counterblow.service.app import create_app
from counterblow.service.notify import Mail
from tests.service.conftest import awaited, settings
from tests.service.postgres import Server
from tests.service.seats import Seats
from tests.service.test_databases import until
from tests.service.test_remote import invite, join, remote

PASSWORD = "correct horse"


@contextmanager
def running(tmp_path: Path, database: str | None = None) -> Iterator[TestClient]:
    with TestClient(create_app(settings(tmp_path, database=database, smtp="smtp://mail.example?from=c@d.e"))) as client:
        yield client


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clocks are looked at often, and passwords are not as dear as they should be."""
    monkeypatch.setattr(engines, "CLOCK_SECONDS", 0.05)
    monkeypatch.setattr(people, "hasher", PasswordHasher(time_cost=1, memory_cost=64))


@pytest.fixture
def server(tmp_path: Path) -> Iterator[TestClient]:
    with running(tmp_path) as client:
        yield client


def test_people_on_postgresql(tmp_path: Path, postgres: Server, mailed: list[tuple[str, str]]) -> None:
    for number, test in enumerate(
        (test_an_account_owns_its_seats_on_every_device, test_days_for_every_turn, test_minutes_for_the_whole_match,
         test_ratings_are_glicko_for_each_game_and_side, test_who_is_blocked_is_not_met_or_read,
         test_one_takes_ones_data_along_and_is_forgotten)
    ):  # fmt: skip
        with running(tmp_path / str(number), postgres.new()) as client:
            test(client)
    with running(tmp_path / "mail", postgres.new()) as client:
        test_a_link_by_mail_signs_in_once(client, mailed)


class Person:
    """A browser of somebody's: its own cookies on the same server."""

    def __init__(self, server: TestClient, name: str | None = None) -> None:
        self.client: Any = httpx2.Client(transport=server._transport, base_url=server.base_url)
        if name is not None:
            answer = self.client.post("/api/account", json={"name": name, "password": PASSWORD})
            assert answer.status_code == 201, answer.text

    def match(self, other: Person, **more: Any) -> str:
        """A remote match with somebody, who joins."""
        made = invite(self.client, **more)
        assert join(other.client, made).status_code == 200
        return str(made["id"])

    def act(self, match: str, *actions: str) -> Any:
        seq = self.client.get(f"/api/matches/{match}").json()["seq"]
        return self.client.post(f"/api/matches/{match}/actions", json={"seq": seq, "actions": list(actions)})

    def look(self, match: str) -> Any:
        return self.client.get(f"/api/matches/{match}").json()

    def me(self) -> Any:
        return self.client.get("/api/account").json()


# ---------------------------------------------------------------------- signing in


def test_an_account_owns_its_seats_on_every_device(server: TestClient) -> None:
    ann, bob = Person(server, "Ann"), Person(server, "Bob")
    match = ann.match(bob)
    assert ann.act(match, "select Blue 1").status_code == 200
    elsewhere = Person(server)
    assert elsewhere.client.get(f"/api/matches/{match}").status_code == 401
    answer = elsewhere.client.post("/api/account/session", json={"name": "ANN", "password": PASSWORD})
    assert answer.status_code == 200, answer.text
    assert elsewhere.look(match)["viewer"] == "blue"
    assert elsewhere.act(match, "move Blue 1 0301").status_code == 200
    assert elsewhere.act(match, "end phase", "end phase").status_code == 200
    assert elsewhere.act(match, "end phase").status_code == 403  # Bob's turn
    mine = elsewhere.client.post("/api/matches/mine", json={"tokens": []}).json()
    assert [(m["id"], m["sides"], m["decider"]) for m in mine] == [(match, ["blue"], "red")]
    assert join(ann.client, invite(ann.client)).status_code == 409  # not against oneself


def test_a_session_is_kept_by_a_cookie_that_pages_cannot_read_and_can_be_ended(server: TestClient) -> None:
    ann = Person(server)
    made = ann.client.post("/api/account", json={"name": "Ann", "password": PASSWORD})
    cookie = made.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    other = Person(server)
    other.client.post("/api/account/session", json={"name": "Ann", "password": PASSWORD})
    sessions = ann.me()["sessions"]
    assert len(sessions) == 2
    assert ann.client.delete("/api/account/session/this").status_code == 200
    assert ann.client.get("/api/account").status_code == 401
    assert other.client.delete("/api/account/session/all").status_code == 200
    assert other.client.get("/api/account").status_code == 401


def test_a_session_is_no_key_in_a_header(server: TestClient) -> None:
    ann, bob = Person(server, "Ann"), Person(server, "Bob")
    match = ann.match(bob)
    token = ann.client.cookies["counterblow"]
    for value in (token, f"session:{token}"):
        answer = server.get(f"/api/matches/{match}", headers={"Authorization": f"Bearer {value}"})
        assert answer.status_code in (401, 403)


def test_wrong_passwords_are_locked_out_and_unknown_names_look_the_same(server: TestClient) -> None:
    Person(server, "Ann")
    other = Person(server)
    answers = [
        other.client.post("/api/account/session", json={"name": name, "password": "wrong wrong"})
        for name in ("Ann", "Zoe")
    ]
    assert {(answer.status_code, answer.text) for answer in answers} == {(403, answers[0].text)}
    for _ in range(12):
        last = other.client.post("/api/account/session", json={"name": "Ann", "password": "wrong wrong"})
    assert last.status_code == 429
    right = other.client.post("/api/account/session", json={"name": "Ann", "password": PASSWORD})
    assert right.status_code == 429


@pytest.mark.parametrize(
    "body",
    [{"name": "A", "password": PASSWORD}, {"name": "Ann", "password": "short"}, {"name": "", "password": PASSWORD},
     {"name": "x" * 41, "password": PASSWORD}, {"name": "Ann"}],
)  # fmt: skip
def test_what_is_no_account(server: TestClient, body: dict[str, Any]) -> None:
    assert server.post("/api/account", json=body).status_code == 422


def test_a_name_is_taken_in_any_spelling(server: TestClient) -> None:
    Person(server, "Ann Lee")
    for name in ("ann lee", "ANN  LEE", "\uff21nn Lee"):
        answer = server.post("/api/account", json={"name": name, "password": PASSWORD})
        assert (answer.status_code, answer.json()["where"]) == (409, "name")


def test_passwords_and_sessions_are_not_kept_as_they_are(server: TestClient, tmp_path: Path) -> None:
    ann = Person(server, "Ann")
    engine: Any = server.app.state.engine  # type: ignore[attr-defined]
    rows = [
        dict(row) for name in ("account", "session") for row in engine.people.database.execute(f"select * from {name}")
    ]
    assert rows[0]["password"].startswith("$argon2id$")
    assert ann.client.cookies["counterblow"] not in str(rows)


@pytest.fixture
def mailed(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    sent: list[tuple[str, str]] = []

    async def send(self: Mail, to: str, subject: str, text: str) -> None:
        sent.append((to, text))

    monkeypatch.setattr(Mail, "send", send)
    return sent


def test_a_link_by_mail_signs_in_once(server: TestClient, mailed: list[tuple[str, str]]) -> None:
    ann = Person(server)
    assert server.post("/api/account/link", json={"email": "ann@example.org"}).status_code == 202
    until(lambda: mailed)
    [(to, text)] = mailed
    token = text.partition("signin#")[2]
    assert to == "ann@example.org"
    assert ann.client.post("/api/account/link/use", json={"token": token}).json()["where"] == "name"
    made = ann.client.post("/api/account/link/use", json={"token": token, "name": "Ann"})
    assert (made.status_code, made.json()["email"], made.json()["has_password"]) == (200, "ann@example.org", False)
    assert ann.client.post("/api/account/link/use", json={"token": token, "name": "Eve"}).status_code == 403
    assert ann.client.patch("/api/account", json={"password": PASSWORD}).json()["has_password"]
    by_mail = server.post("/api/account/session", json={"name": "Ann@Example.org", "password": PASSWORD})
    assert by_mail.status_code == 200
    for wrong in ("ann", "a@b", "a b@c.de", "<a@b.cd>"):
        assert server.post("/api/account/link", json={"email": wrong}).status_code == 422


# ---------------------------------------------------------------------- talking


def test_players_talk_and_nobody_else_hears(server: TestClient) -> None:
    seats = remote(server, spectators=True)
    assert seats.post("messages", "blue", text="Hello <b>\x07 there").status_code == 200
    [said] = seats.look("red")["people"]["messages"]
    assert (said["side"], said["text"], said["number"]) == ("blue", "Hello <b>  there", 1)
    assert seats.look()["people"]["messages"] == []
    assert seats.post("messages", None, text="I watch").status_code == 401
    assert seats.post("messages", "blue", text=" \x00 ").status_code == 422
    assert seats.post("messages", "blue", text="x" * 1001).status_code == 422
    with server.websocket_connect(f"{seats.path}/live") as socket:
        socket.send_json({"token": seats.tokens["red"]})
        socket.receive_json()
        seats.post("messages", "blue", text="Your move")
        assert socket.receive_json()["messages"][-1]["text"] == "Your move"


def test_who_is_blocked_is_not_met_or_read(server: TestClient) -> None:
    ann, bob = Person(server, "Ann"), Person(server, "Bob")
    match = ann.match(bob)
    bob.client.post(f"/api/matches/{match}/messages", json={"text": "rude"})
    assert len(ann.look(match)["people"]["messages"]) == 1
    assert ann.client.post("/api/account/blocked", json={"name": "bob"}).status_code == 200
    assert ann.look(match)["people"]["messages"] == []
    assert join(bob.client, invite(ann.client)).status_code == 403
    assert join(ann.client, invite(bob.client)).status_code == 403
    assert ann.client.post(f"/api/matches/{match}/report", json={"text": "rude words"}).status_code == 200
    assert ann.client.post("/api/account/blocked", json={"name": "bob", "blocked": False}).status_code == 200
    assert len(ann.look(match)["people"]["messages"]) == 1
    assert ann.client.post("/api/account/blocked", json={"name": "Ann"}).status_code == 404


# ---------------------------------------------------------------------- time


def set_due(server: TestClient, match: str, due: str) -> None:
    engine: Any = server.app.state.engine  # type: ignore[attr-defined]

    def change() -> None:
        with engine.table.store.database.writing():
            engine.table.store.database.execute("update match set due=? where id=?", due, match)
        engine.table.forget(match)

    assert server.portal is not None
    server.portal.call(engine.run, change)  # in the clerk's thread, as everything


def test_days_for_every_turn(server: TestClient) -> None:
    seats = remote(server, pace={"days": 3})
    first = seats.look("blue")["clock"]
    assert (first["days"], first["left"], first["due"] is not None) == (3, {}, True)
    seats.do("blue", "end phase")
    assert seats.look("blue")["clock"]["due"] == first["due"]  # still the same turn at the clock
    seats.do("blue", "end phase")
    assert seats.look("red")["clock"]["due"] > first["due"]
    set_due(server, seats.id, "2000")
    until(lambda: seats.look("red")["over"])
    shown = seats.look("red")
    assert (shown["result"]["winner"], shown["result"]["level"]) == ("blue", "time")
    assert seats.act("red", "end phase").status_code == 409


def test_minutes_for_the_whole_match(server: TestClient) -> None:
    seats = remote(server, pace={"minutes": 5, "increment": 10})
    seats.do("blue", "end phase", "end phase")
    clock = seats.look("red")["clock"]
    assert 300_000 < clock["left"]["blue"] <= 320_000  # two actions, ten seconds each
    assert clock["left"]["red"] == 300_000
    seats.post("resign", "red")
    assert seats.look("red")["clock"]["due"] is None


def test_too_late_is_too_late(server: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table.Table, "overdue", lambda self: [])
    seats = remote(server, pace={"minutes": 1})
    set_due(server, seats.id, "2000")
    answer = seats.act("blue", "end phase")
    assert (answer.status_code, answer.json()["error"]) == (409, "your time is over")


def test_a_vacation_stops_the_days(server: TestClient) -> None:
    ann, bob = Person(server, "Ann"), Person(server, "Bob")
    match = ann.match(bob, pace={"days": 1})
    until_when = ann.client.patch("/api/account", json={"vacation_days": 7}).json()["vacation"]
    set_due(server, match, "2000")
    until(lambda: ann.look(match)["clock"]["due"] == until_when)
    assert not ann.look(match)["over"]
    assert ann.client.patch("/api/account", json={"vacation_days": 31}).status_code == 422


# ---------------------------------------------------------------------- ratings


def test_ratings_are_glicko_for_each_game_and_side(server: TestClient) -> None:
    ann, bob = Person(server, "Ann"), Person(server, "Bob")
    match = ann.match(bob)
    bob.client.post(f"/api/matches/{match}/resign")
    [hers], [his] = ann.me()["ratings"], bob.me()["ratings"]
    assert (hers["game"], hers["side"], hers["games"], his["side"]) == ("toy", "blue", 1, "red")
    assert (round(hers["rating"]), round(his["rating"]), round(hers["deviation"])) == (1662, 1338, 290)
    ann.client.post(f"/api/matches/{match}/offers", json={"kind": "rematch"})
    bob.client.post(f"/api/matches/{match}/offers", json={"kind": "rematch"})
    again = ann.look(match)["rematch"]
    assert ann.look(again)["viewer"] == "red"
    ann.client.post(f"/api/matches/{again}/offers", json={"kind": "draw"})
    bob.client.post(f"/api/matches/{again}/offers", json={"kind": "draw"})
    assert [(r["side"], r["games"], round(r["rating"])) for r in ann.me()["ratings"]] == [
        ("blue", 1, 1662), ("red", 1, 1500),
    ]  # fmt: skip


def test_matches_of_guests_are_not_rated(server: TestClient) -> None:
    ann = Person(server, "Ann")
    made = invite(ann.client)
    joined = join(server, made).json()
    seats = Seats(server, {"id": made["id"], "tokens": joined["tokens"]})
    seats.post("resign", "red")
    assert ann.me()["ratings"] == []


# ---------------------------------------------------------------------- being told


def test_who_is_to_act_is_told(
    server: TestClient, monkeypatch: pytest.MonkeyPatch, mailed: list[tuple[str, str]]
) -> None:
    monkeypatch.setattr(table, "NOTE_SECONDS", 0.0)
    called: list[tuple[str, Any]] = []

    async def call(url: str, data: Any) -> None:
        called.append((url, data))

    monkeypatch.setattr(notify, "call", call)
    pushed: list[Any] = []

    async def push(self: Any, subscription: Any, data: Any, contact: str) -> bool:
        pushed.append(subscription["endpoint"])
        return False  # wants no more

    monkeypatch.setattr(notify.Push, "send", push)
    ann, bob = Person(server, "Ann"), Person(server, "Bob")
    assert bob.client.patch("/api/account", json={"webhook": "https://example.org/turn"}).status_code == 200
    keys = {"p256dh": "x", "auth": "y"}
    assert (
        bob.client.post("/api/account/push", json={"endpoint": "https://push.example/1", "keys": keys}).status_code
        == 200
    )
    assert bob.me()["devices"] == 1
    match = ann.match(bob)
    ann.act(match, "end phase", "end phase")
    until(lambda: called and pushed)
    assert called[0][0] == "https://example.org/turn"
    assert (called[0][1]["match"], pushed) == (match, ["https://push.example/1"])
    until(lambda: bob.me()["devices"] == 0)
    for wrong in ("ftp://x", "javascript:1", "x"):
        assert bob.client.patch("/api/account", json={"webhook": wrong}).status_code == 422


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/", "http://localhost/", "http://[::1]/", "http://10.0.0.1/",
                                 "http://169.254.169.254/latest"])  # fmt: skip
def test_a_webhook_reaches_nothing_inside(url: str) -> None:
    with pytest.raises(ValueError, match="out in the world"):
        awaited(notify.call(url, {}))


def test_the_key_of_notifications_stays_the_same(tmp_path: Path) -> None:
    first = notify.Push(tmp_path / "vapid.pem").public
    assert notify.Push(tmp_path / "vapid.pem").public == first
    assert (tmp_path / "vapid.pem").stat().st_mode & 0o077 == 0


# ---------------------------------------------------------------------- one's own data


def test_one_takes_ones_data_along_and_is_forgotten(server: TestClient) -> None:
    ann, bob = Person(server, "Ann"), Person(server, "Bob")
    match = ann.match(bob)
    ann.client.post(f"/api/matches/{match}/messages", json={"text": "secret of mine"})
    assert [seat["name"] for seat in bob.look(match)["seats"]] == ["Ann", "Ann"]
    exported = ann.client.get("/api/account/export").json()
    assert (exported["account"]["name"], exported["matches"][0]["match"]) == ("Ann", match)
    assert exported["messages"][0]["text"] == "secret of mine"
    assert "argon2" not in json.dumps(exported)
    assert ann.client.delete("/api/account").status_code == 200
    assert ann.client.get("/api/account").status_code == 401
    shown = bob.look(match)
    assert [seat["name"] for seat in shown["seats"]] == ["(gone)", "Ann"]  # Bob calls himself so here
    assert shown["people"]["messages"][0]["text"] == "(removed)"
    assert not shown["over"]
    Person(server, "Ann")  # the name is free again
