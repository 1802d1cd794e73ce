"""Both databases keep the same promises; on PostgreSQL several processes play one match."""

from __future__ import annotations

import gzip
import hashlib
import json
import sqlite3
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from counterblow import cli
from counterblow.kernel.errors import CounterblowError
from counterblow.service import live
from counterblow.service.app import create_app
from counterblow.service.backup import backup, restore
from counterblow.service.between import Between
from counterblow.service.database import open_database
from counterblow.service.host import Host
from counterblow.service.migrations import MIGRATIONS
from counterblow.service.models import NewMatch
from counterblow.service.store import LEASE_SECONDS, Store
from counterblow.service.table import Table
from tests.service.conftest import settings
from tests.service.postgres import Server
from tests.service.processes import free_port, server
from tests.service.seats import Seats, begin
from tests.service.test_computer import GENERAL, Slowly
from tests.service.test_remote import remote
from tests.service.toy import load_toy

COMPUTER = {"kind": "computer", "player": "random"}
IDLE = {"TOY_WORKERS": "0"}


def until(holds: Callable[[], Any], seconds: float = 15) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


def app(tmp_path: Path, database: str | None, **more: Any) -> TestClient:
    return TestClient(create_app(settings(tmp_path, database=database, **more)))


def test_a_match_is_played_kept_and_goes_on(tmp_path: Path, database: str | None) -> None:
    with app(tmp_path, database) as client:
        seats, other = begin(client), remote(client)
        seats.do("blue", "select Blue 1", "move Blue 1 0301")
        assert seats.post("undo", "blue", seq=2).status_code == 200
        seats.do("blue", "move Blue 1 0201", "end phase", "end phase")
        other.do("blue", "end phase", "end phase")
        other.post("offers", "blue", kind="draw")
        shown = seats.look("red"), other.look("red")
    with app(tmp_path, database) as client:
        again, there = (Seats(client, {"id": s.id, "tokens": s.tokens}) for s in (seats, other))
        assert (again.look("red"), there.look("red")) == shown
        again.do("red", "end phase")
        there.post("offers", "red", kind="draw")
        assert there.look("blue")["result"]["level"] == "drawn"
        mine = client.post("/api/matches/mine", json={"tokens": list(seats.tokens.values())}).json()
        assert [sorted(match["sides"]) for match in mine] == [["blue", "red"]]


def test_of_many_at_once_one_wins(tmp_path: Path, database: str | None) -> None:
    with app(tmp_path, database) as client:
        seats = begin(client)
        body = {"seq": 0, "action": "select Blue 1"}

        def post(_: int) -> int:
            return int(client.post(f"{seats.path}/actions", headers=seats.auth("blue"), json=body).status_code)

        with ThreadPoolExecutor(8) as pool:
            assert sorted(pool.map(post, range(8))) == [200] + [409] * 7


def test_a_batch_that_fails_fails_only_for_who_spoilt_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with app(tmp_path, None) as client:
        matches = [begin(client) for _ in range(6)]
        append, spoilt = Store.append, matches[3].id

        def failing(self: Store, match: str, *args: Any) -> str:
            found = append(self, match, *args)
            time.sleep(0.02)  # so that the others queue up behind it
            if match == spoilt:
                raise RuntimeError("spoilt")
            return found

        monkeypatch.setattr(Store, "append", failing)
        with ThreadPoolExecutor(6) as pool, pytest.raises(RuntimeError, match="spoilt"):
            list(pool.map(lambda s: s.act("blue", "end phase", seq=0), matches))
        monkeypatch.undo()
        assert [seats.look("blue")["seq"] for seats in matches] == [1, 1, 1, 0, 1, 1]


def test_the_computer_plays(tmp_path: Path, database: str | None) -> None:
    with app(tmp_path, database) as client:
        seats = begin(client, seats={"red": COMPUTER})
        seats.do("blue", "end phase", "end phase")
        until(lambda: seats.look("blue")["decider"] in ("blue", None))


def test_a_long_match_opens_from_its_last_snapshot(
    tmp_path: Path, database: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "EVERY", 4)
    played: list[str] = []
    with app(tmp_path, database) as client:
        seats = begin(client)
        seats.do("blue", "select Blue 1", "move Blue 1 0301", "end phase", "end phase")
        seats.do("red", "end phase", "end phase")
        seats.post("undo", "red", seq=6)
        seats.do("red", "end phase")
        shown, earlier = seats.look("blue"), seats.look("red", ply=3)
        play = live.LiveMatch._play

        def counted(self: live.LiveMatch, state: Any, entry: Any) -> Any:
            played.append(entry.action)
            return play(self, state, entry)

        monkeypatch.setattr(live.LiveMatch, "_play", counted)
        engine: Any = client.app.state.engine  # type: ignore[attr-defined]
        engine.table.forget(seats.id)
        assert seats.look("blue") == shown
        assert played == ["end phase", "end phase"]
        assert seats.look("red", ply=3) == earlier


def test_two_processes_play_one_match(tmp_path: Path, postgres: Server) -> None:
    """Who watches at one is told within a fifth of a second what was done at the other."""
    url = postgres.new()
    with app(tmp_path, url) as here, app(tmp_path, url) as there:
        seats = remote(here)
        other = Seats(there, {"id": seats.id, "tokens": seats.tokens})
        with there.websocket_connect(f"{seats.path}/live") as socket:
            socket.send_json({"token": seats.tokens["red"]})
            assert socket.receive_json()["seq"] == 0
            waits = []
            for number, action in enumerate(("select Blue 1", "move Blue 1 0301", "end phase", "end phase"), 1):
                seats.do("blue", action)
                began = time.monotonic()
                assert socket.receive_json()["seq"] == number
                waits.append(time.monotonic() - began)
            assert sorted(waits)[1] < 0.2
            quiet = here.put(f"{seats.path}/answers", headers=seats.auth("blue"), json={"mode": "never"})
            assert quiet.status_code == 200  # the other player hears nothing of it, wherever
            seats.post("offers", "blue", kind="draw")
            assert socket.receive_json()["offers"] == [{"side": "blue", "kind": "draw", "seq": 4}]
        other.do("red", "end phase")
        assert seats.look("blue")["seq"] == 5
        assert other.act("red", "end phase", seq=4).status_code == 409


def test_offers_end_when_play_goes_on_also_within_one_transaction(tmp_path: Path, database: str | None) -> None:
    with closing(open_database(database or tmp_path)) as opened:
        table = Table(Store(opened), load_toy, lambda: ("toy",))
        host = Host(table)
        between = Between(table, host)
        made = host.create(NewMatch.model_validate({"game": "toy", "seed": 1}), "test", 0, [])
        match, blue, red = made["id"], [made["tokens"]["blue"]], [made["tokens"]["red"]]

        def end_phase(who: list[str]) -> None:
            table.do(match, who, table.live(match).seq, ["end phase"], lambda _: "action")

        with opened.batch():
            end_phase(blue)
            between.offer(match, blue, "draw")
            end_phase(blue)
            assert [offer.kind for offer in table.store.offers(match)] == ["draw"]  # it is for the other to answer
            end_phase(red)
            assert table.store.offers(match) == []
            between.offer(match, red, "undo")
            end_phase(red)
            assert table.store.offers(match) == []
        table.written()


def test_a_worker_elsewhere_thinks(tmp_path: Path, postgres: Server) -> None:
    url = postgres.new()
    with app(tmp_path, url, workers=0) as client:
        seats = begin(client, seats={"red": COMPUTER})
        seats.do("blue", "end phase", "end phase")
        time.sleep(0.3)
        assert seats.look("blue")["decider"] == "red"
        with app(tmp_path, url, workers=2):
            until(lambda: seats.look("blue")["decider"] in ("blue", None))


def test_who_watches_is_told_how_far_a_thought_elsewhere_is(
    tmp_path: Path, postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    slowly, url = Slowly(monkeypatch), postgres.new()
    with app(tmp_path, url, workers=0) as client:
        seats = begin(client, seats={"red": GENERAL})
        with client.websocket_connect(f"{seats.path}/live") as socket:
            socket.send_json({"token": seats.tokens["blue"]})
            socket.receive_json()
            seats.do("blue", "end phase", "end phase")
            with app(tmp_path, url, workers=1):
                until(lambda: slowly.asked)
                slowly.is_followed(socket)


def test_a_worker_that_dies_costs_only_its_thought(tmp_path: Path, database: str | None) -> None:
    with app(tmp_path, database, workers=0) as client:
        seats = begin(client, seats={"red": COMPUTER})
        seats.do("blue", "end phase", "end phase")
        engine: Any = client.app.state.engine  # type: ignore[attr-defined]
        store: Store = engine.table.store
        assert store.claim("dies") == seats.id
        assert store.claim("another") is None  # one at a time for a match
        with store.database.writing():
            store.database.execute("update job set until = '2000'")
        assert store.claim("another") == seats.id
        assert not store.renew(seats.id, "dies")
        store.finish(seats.id, "dies", again=False)  # comes back too late: the job is not its own any more
        assert store.renew(seats.id, "another")


def test_a_worker_that_is_killed_while_it_thinks_costs_only_that_thought(tmp_path: Path, postgres: Server) -> None:
    """Real processes: one that serves, one that thinks for ever and is killed, and one that takes over."""
    url = postgres.new()
    with closing(open_database(url)) as opened, server(tmp_path, free_port(), url, environment=IDLE) as (_, client):
        made = client.post("/api/matches", json={"game": "toy", "seats": {"red": COMPUTER}}).json()
        path, headers = f"/api/matches/{made['id']}", {"Authorization": f"Bearer {made['tokens']['blue']}"}
        for seq in range(2):
            body = {"seq": seq, "action": "end phase"}
            assert client.post(f"{path}/actions", headers=headers, json=body).status_code == 200
        with server(tmp_path, free_port(), url, environment={"TOY_THINKS_LONG": "1"}) as (thinks, _):
            until(lambda: opened.execute("select 1 from job where worker is not null"), 30)
            thinks.kill()
        killed = time.monotonic()
        with server(tmp_path, free_port(), url):
            until(lambda: client.get(path, headers=headers).json()["decider"] in ("blue", None), 60)
            assert time.monotonic() - killed < LEASE_SECONDS + 30
        numbers = [row["seq"] for row in opened.execute("select seq from entry where match=? order by seq", made["id"])]
        assert numbers == list(range(len(numbers)))


def test_who_waits_for_an_answer_comes_before_who_watches_and_the_longest_wait_first(
    tmp_path: Path, database: str | None
) -> None:
    with app(tmp_path, database, workers=0) as client:
        computers = [begin(client, seats={"red": COMPUTER, "blue": COMPUTER}, spectators=True) for _ in range(2)]
        persons = [begin(client, seats={"red": COMPUTER}) for _ in range(2)]
        engine: Any = client.app.state.engine  # type: ignore[attr-defined]
        store: Store = engine.table.store
        for seats in computers:
            store.queue(seats.id, 1)
            time.sleep(0.002)
        for seats in persons:
            seats.do("blue", "end phase", "end phase")
        assert store.claim("w") == persons[0].id
        store.finish(persons[0].id, "w", again=True)  # to the end of the queue
        order = [store.claim("w") for _ in range(4)]
        assert order == [persons[1].id, persons[0].id, computers[0].id, computers[1].id]


def test_the_database_goes_away_and_comes_back(tmp_path: Path) -> None:
    server = Server()
    try:
        with app(tmp_path, server.new()) as client:
            seats = begin(client)
            seats.do("blue", "select Blue 1")
            server.kill()
            answer = seats.act("blue", "move Blue 1 0301", seq=1)
            assert answer.status_code == 503, answer.text
            assert ("nothing was changed" in answer.json()["error"], "retry-after" in answer.headers) == (True, True)
            assert client.get("/api/games").status_code == 200
            server.start()
            until(lambda: seats.act("blue", "move Blue 1 0301", seq=1).status_code == 200)
            assert seats.look("blue")["seq"] == 2
    finally:
        server.stop()


# ---------------------------------------------------------------------- what an old or a broken file is


def first_layout(folder: Path) -> None:
    """A file as the first version wrote it."""
    with sqlite3.connect(folder / "matches.sqlite") as db:
        text = MIGRATIONS[0].replace("{table}", " strict, without rowid").replace("{blob}", "blob")
        for statement in text.strip().split(";\n"):
            db.execute(statement)
        db.execute("pragma user_version = 1")
        when = "2026-01-01T00:00:00.000+00:00"
        db.execute(
            "insert into match values ('old','toy','1','battle','{}','1',1,0,?,?,4,2,'Turn 1','blue',null)",
            (when, when),
        )
        for side in ("blue", "red"):
            secret = hashlib.sha256(side.encode()).digest()
            db.execute("insert into seat values ('old',?,'person',null,?,?)", (side, side, secret))
        for number, action in enumerate(("select Blue 1", "move Blue 1 0301", None, "move Blue 1 0201"), 1):
            db.execute("insert into entry values ('old',?,?,?)", (number, action, when))
    db.close()


def test_a_file_of_the_first_version_goes_on(tmp_path: Path) -> None:
    first_layout(tmp_path)
    for _ in range(2):
        with app(tmp_path, None) as client:
            seats = Seats(client, {"id": "old", "tokens": {"blue": "blue", "red": "red"}})
            shown = seats.look("blue")
            assert [entry["text"] for entry in shown["log"]] == ["Blue 1 moves to 0201 (1.1)"]
            assert (shown["seq"], shown["ply"], shown["can_undo"]) == (4, 2, True)
    with app(tmp_path, None) as client:
        Seats(client, {"id": "old", "tokens": {"blue": "blue"}}).do("blue", "end phase")


def test_a_log_that_is_not_whole_can_be_read_and_is_not_played_on(tmp_path: Path) -> None:
    with app(tmp_path, None) as client:
        seats, whole = begin(client), begin(client)
        seats.do("blue", "select Blue 1", "move Blue 1 0301", "end phase")
        whole.do("blue", "end phase")
    with sqlite3.connect(tmp_path / "matches.sqlite") as db:
        db.execute("delete from entry where match=? and seq=3", (seats.id,))
    db.close()
    with app(tmp_path, None) as client:
        broken = Seats(client, {"id": seats.id, "tokens": seats.tokens})
        assert "not whole" in broken.look("blue")["frozen"]
        assert broken.act("blue", "end phase").status_code == 409
        Seats(client, {"id": whole.id, "tokens": whole.tokens}).do("blue", "end phase")


@pytest.mark.parametrize("damage", ["emptied", "zeroed", "cut", "scribbled"])
def test_a_damaged_file_is_noticed_and_left_alone(tmp_path: Path, damage: str) -> None:
    with app(tmp_path, None) as client:
        for _ in range(30):
            begin(client).do("blue", "select Blue 1")
    path = tmp_path / "matches.sqlite"
    whole = path.read_bytes()
    middle = len(whole) // 2
    changed = {
        "emptied": b"",
        "zeroed": bytes(len(whole)),
        "cut": whole[:middle],
        "scribbled": whole[:middle] + b"scribble" * 2000 + whole[middle + 16000 :],
    }[damage]
    path.write_bytes(changed)
    with pytest.raises(CounterblowError, match=r"backup|not a database|malformed|damaged"):
        open_database(tmp_path)
    assert path.read_bytes() == changed


def test_a_newer_database_is_refused(postgres: Server) -> None:
    url = postgres.new()
    database = open_database(url)
    with database.writing():
        database.execute("insert into layout values (99)")
    database.close()
    with pytest.raises(CounterblowError, match="newer"):
        open_database(url)


def test_processes_that_start_together_lay_out_the_tables_once(postgres: Server) -> None:
    url = postgres.new()
    failures: list[BaseException] = []

    def start() -> None:
        try:
            open_database(url).close()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=start) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_passwords_are_not_told(postgres: Server) -> None:
    with pytest.raises(CounterblowError) as error:
        open_database("postgresql://someone:hunter2@127.0.0.1:1/none")
    assert "hunter2" not in str(error.value)
    assert "127.0.0.1/none" in str(error.value)


def test_answers_are_kept_as_they_were_written(tmp_path: Path, database: str | None) -> None:
    with app(tmp_path, database) as client:
        seats = remote(client, options={"secret": True}, spectators=True)
        seats.do("blue", "select Blue 1", "move Blue 1 0301")
        blue, red, nobody = (seats.look(*who)["log"] for who in (("blue",), ("red",), ()))
        engine: Any = client.app.state.engine  # type: ignore[attr-defined]
        engine.table.forget(seats.id)
        assert (seats.look("blue")["log"], seats.look("red")["log"], seats.look()["log"]) == (blue, red, nobody)
        assert json.dumps(red).count("something moves") == 1
        assert "something moves" not in json.dumps(blue)


@pytest.mark.parametrize("other", [True, False], ids=["to the other kind", "to the same kind"])
def test_a_backup_is_restored_into_either_database(
    tmp_path: Path, database: str | None, postgres: Server, other: bool
) -> None:
    with app(tmp_path / "old", database) as client:
        seats, waiting = remote(client, options={"secret": True}), begin(client, seats={"red": COMPUTER})
        seats.do("blue", "select Blue 1", "move Blue 1 0301")
        run_backup(client, tmp_path / "all.gz")
        shown = seats.look("blue")
        seats.do("blue", "end phase")  # not in the backup
    target = (postgres.new() if other else None) if database is None else (None if other else postgres.new())
    where: str | Path = target or tmp_path / "new"
    with closing(open_database(where)) as opened:
        assert restore(opened, tmp_path / "all.gz") > 6
        with pytest.raises(CounterblowError, match="not empty"):
            restore(opened, tmp_path / "all.gz")
    with app(tmp_path / "new", target) as client:
        again = Seats(client, {"id": seats.id, "tokens": seats.tokens})
        assert again.look("blue") == shown
        again.do("blue", "end phase")
        computers = Seats(client, {"id": waiting.id, "tokens": waiting.tokens})
        computers.do("blue", "end phase", "end phase")
        until(lambda: computers.look("blue")["decider"] in ("blue", None))


def run_backup(client: TestClient, target: Path) -> None:
    engine: Any = client.app.state.engine  # type: ignore[attr-defined]
    with closing(open_database(engine.settings.where)) as opened:
        assert backup(opened, target) >= 4


def test_a_broken_backup_restores_nothing(tmp_path: Path) -> None:
    with app(tmp_path / "old", None) as client:
        begin(client)
        run_backup(client, tmp_path / "all.gz")
    whole = gzip.decompress((tmp_path / "all.gz").read_bytes())
    broken = {
        "cut": gzip.compress(b"\n".join(whole.splitlines()[:-2])),
        "half": (tmp_path / "all.gz").read_bytes()[:100],
        "other": gzip.compress(b'{"format": "something"}\n'),
        "older": gzip.compress(whole.replace(b'"layout": ', b'"layout": 9')),
        "strange": gzip.compress(whole.replace(b'"table": "seat"', b'"table": "sqlite_master"')),
    }
    for name, data in broken.items():
        (tmp_path / f"{name}.gz").write_bytes(data)
        with closing(open_database(tmp_path / "new")) as opened:
            with pytest.raises(CounterblowError, match=name):
                restore(opened, tmp_path / f"{name}.gz")
            assert opened.execute("select * from match") == []


def test_the_commands_write_and_restore(tmp_path: Path) -> None:
    with app(tmp_path / "old", None) as client:
        begin(client)
    file = str(tmp_path / "all.gz")
    written = CliRunner().invoke(cli.app, ["backup", file, "--data", str(tmp_path / "old")])
    assert (written.exit_code, "rows" in written.output) == (0, True)
    restored = CliRunner().invoke(cli.app, ["restore", file, "--data", str(tmp_path / "new")])
    assert (restored.exit_code, "restored" in restored.output) == (0, True)
