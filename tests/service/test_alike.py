"""Two matches that differ only in what one side cannot see, played on side by side: it is sent the same, word by word.

Not only what it reads: how many messages come, how long they are, how they are numbered, and how much work was done.
"""

from __future__ import annotations

import random
import re
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

import counterblow
from counterblow.kernel.actions import Action
from counterblow.service import beat
from counterblow.service.app import create_app
from counterblow.service.engine import Engine, Settings
from counterblow.service.live import LiveMatch
from counterblow.service.table import overlay
from counterblow.service.wire import dump
from tests.service.seats import Seats
from tests.service.worlds import copied, live_match, moments, put

SECRETIVE = ("narva", "narvik", "noretreat")
TIMES = re.compile(r'"(created|updated)":"[^"]{29}"|"id":"[^"]{11}"')  # always as long, and nobody's secret


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with (
        pytest.MonkeyPatch.context() as patch,
        TestClient(create_app(Settings(data_dir=tmp_path_factory.mktemp("matches"), workers=0))) as client,
    ):
        patch.setattr(beat, "SECONDS", 0.0)
        client.headers["Accept-Encoding"] = "identity"  # squeezed, the times in it change its length
        yield client


def placed(client: TestClient, live: LiveMatch, match: str) -> Seats:
    engine: Engine = client.app.state.engine  # type: ignore[attr-defined]
    assert client.portal is not None
    return Seats(client, {"id": match, "tokens": client.portal.call(engine.run, put, engine.table, live, match)})


class World:
    """A match on the service, seen by one side and by somebody who only watches."""

    def __init__(self, client: TestClient, live: LiveMatch, match: str, side: str, last: ExitStack) -> None:
        self.seats, self.side, self.sides = placed(client, live, match), side, live.game.sides
        self.sockets = {}
        for name, token in ((side, self.seats.tokens[side]), ("nobody", None)):
            socket = last.enter_context(client.websocket_connect(f"{self.seats.path}/live"))
            socket.send_json({"token": token})
            self.sockets[name] = socket
        self.told = [self.next(name) for name in self.sockets]

    @property
    def live(self) -> LiveMatch:
        engine: Engine = self.seats.client.app.state.engine  # type: ignore[attr-defined]
        return engine.table._live[self.seats.id]

    def next(self, name: str) -> tuple[int, str]:
        """A message as it came: how long it is, and what it says."""
        text = self.sockets[name].receive_text()
        return len(text.encode()), TIMES.sub("", text)

    def act(self, action: str) -> list[Any]:
        """All that the side, and who watches, is sent when somebody acts."""
        actor = self.live.side
        assert actor is not None
        answer = self.seats.post("actions", actor, seq=self.live.seq, action=action)
        assert answer.status_code == 200, answer.text
        sent: list[Any] = [self.next(name) for name in self.sockets]
        for name, socket in self.sockets.items():  # and nothing else
            socket.send_text("ping")
            assert socket.receive_text() == "pong", name
        if actor == self.side:
            sent.append(([h for h in answer.headers.multi_items() if h[0] != "date"], TIMES.sub("", answer.text)))
        shown = self.seats.get(self.side)
        return [*sent, shown.headers["content-length"], TIMES.sub("", shown.text), TIMES.sub("", self.seats.get().text)]


def renamed(live: LiveMatch, other: LiveMatch) -> dict[int, int]:
    """unit -> who stands in its place in the other world."""
    here, there = live.state.here, other.state.here
    return {unit: who for node, units in here.items() for unit, who in zip(units, there[node], strict=True)}


def same_action(live: LiveMatch, other: LiveMatch, names: dict[int, int], action: Action) -> str | None:
    """The action that looks the same from outside in the other world, if it may be done there."""
    blanks = live.game.act.blanks[action.kind]
    args = [
        tuple(names.get(unit, unit) for unit in value) if blank == "units"
        else names.get(value, value) if blank == "unit" and isinstance(value, int) else value
        for blank, value in zip(blanks, action.args, strict=True)
    ]  # fmt: skip
    wanted = live.game.act.write(action.kind, tuple(args))
    return wanted if wanted in {str(legal) for legal in other.state.legal()} else None


def chance_spoke(live: LiveMatch) -> bool:
    assert live.dice is not None
    return live.state.rng != live.dice.generator(live.seq)


def laid_open(live: LiveMatch) -> bool:
    """Did the last action show something to both: a reveal, or a strike that is laid on the map (Narvik, 16.0.g)?"""
    last = live.log(None, live.ply - 1, live.ply)
    return any(entry["kind"] == "reveal" or "16.0.g" in entry["rules"] for entry in last)


def on_the_map(world: World) -> Any:
    """What the side sees of the position, and read last."""
    shown = world.seats.look(world.side)
    return [shown["view"]["units"], shown["view"].get("markers"), shown["log"]]


def parting(sent: list[Any], there: list[Any]) -> str:
    """The first place where two worlds were told different things."""
    for mine, theirs in zip(map(str, sent), map(str, there), strict=True):
        if mine != theirs:
            at = next((n for n, (a, b) in enumerate(zip(mine, theirs, strict=False)) if a != b and n > 9), 0)
            return f"{mine[max(0, at - 40) : at + 60]} / {theirs[at : at + 60]}"
    return "nowhere"


def in_sight(world: World) -> set[int]:
    """The units that the side sees."""
    state, side = world.live.state, world.sides.index(world.side)
    return {unit for unit in state.units_in_view() if state.sees(side, unit)}


def play_on(one: World, other: World, names: dict[int, int], steps: int, chance: random.Random) -> tuple[int, int]:
    """Side by side until something hidden comes to light: how many actions of the side, and of the other one."""
    own = others = 0
    for _ in range(steps):
        if one.live.side is None:
            break
        mine = one.live.side == one.side
        legal = one.live.state.legal()
        chance.shuffle(legal)
        pairs = ((str(action), same_action(one.live, other.live, {} if mine else names, action)) for action in legal)
        action, there = next(((here, there) for here, there in pairs if there is not None), ("", None))
        if there is None:
            break
        before = [in_sight(world) for world in (one, other)]
        sent, sent_there = one.act(action), other.act(there)
        lives = one.live, other.live
        if sent != sent_there:
            light = any(in_sight(world) - was for world, was in zip((one, other), before, strict=True))
            if not (light or any(laid_open(live) or chance_spoke(live) for live in lives)):
                # with other units its owner may have nothing left to choose: it goes on, and nothing more is told
                assert not mine, (action, there, parting(sent, sent_there))
                assert on_the_map(one) == on_the_map(other), (action, there, parting(sent, sent_there))
            break
        own, others = own + mine, others + (not mine)
    return own, others


@pytest.mark.parametrize("slug", SECRETIVE)
def test_matches_alike_send_the_same_messages(service: TestClient, slug: str) -> None:
    own = others = 0
    for number, (live, other, side, _) in enumerate(moments(slug, 3, 260, 40)):
        with ExitStack() as last:
            name = f"{slug[:6]:-<6}{number:03}"
            worlds = [
                World(service, w, name + which, live.game.sides[side], last)
                for w, which in ((live, "-1"), (other, "-2"))
            ]
            assert worlds[0].told == worlds[1].told
            done = play_on(worlds[0], worlds[1], renamed(live, other), 30, random.Random(number))
        own, others = own + done[0], others + done[1]
    assert own > 50
    assert others > 20


# ---------------------------------------------------------------------- by the clock


def calls(work: Callable[[], object]) -> int:
    """How many functions something calls: unlike seconds, always the same."""
    count = 0

    def called(*_: object) -> None:
        nonlocal count
        count += 1

    sys.setprofile(called)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("slug", SECRETIVE)
def test_the_work_for_a_seat_does_not_depend_on_what_it_cannot_see(slug: str) -> None:
    """What it is shown, why not, forecasts, overlays, what it does; not the view of the other, who has other cards."""
    compared = 0
    for live, other, side, action in moments(slug, 3, 400, 20):
        name = live.game.sides[side]
        works: list[tuple[str, Callable[[LiveMatch], object]]] = [
            ("look", lambda m, name=name: dump(m.update_for(name, m.seq - 1))),  # type: ignore[misc]
            ("watch", lambda m: dump(m.update_for(None, m.seq - 1))),
            ("why", lambda m, action=action: m.state.why_not(action)),  # type: ignore[misc]
            ("forecast", lambda m, action=action: m.state.forecast(action)),  # type: ignore[misc]
            *(
                (kind, lambda m, kind=kind, name=name, of=of: overlay(m.state, name, kind, of, None))
                for kind in live.game.overlays
                for of in live.game.sides
            ),
            ("do", lambda m, action=action: m.do(action)),  # type: ignore[misc]
        ]
        for what, work in works:
            work(copied(live))  # what is made once is made
            counts = []
            for world in (live, other):
                fresh = copied(world)
                fresh.state.forget_choices()
                counts.append(calls(lambda fresh=fresh, work=work: work(fresh)))  # type: ignore[misc]
            assert counts[0] == counts[1], f"{slug} at {live.seq}: {what} of {action}"
            compared += 1
    assert compared > 100


def took(ask: Callable[[], object]) -> float:
    began = time.perf_counter()
    ask()
    return time.perf_counter() - began


def test_nothing_of_a_match_with_secrets_is_told_before_the_beat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long the other player's view takes: here much longer than any rule does."""
    slow: set[str] = set()
    text = LiveMatch.update_text

    def update_text(self: LiveMatch, side: str | None, since: int) -> str:
        if self.start.id in slow and side == "soviet":
            time.sleep(0.06)
        return text(self, side, since)

    monkeypatch.setattr(LiveMatch, "update_text", update_text)
    live = live_match(counterblow.load("noretreat"), 3)
    action = str(live.state.legal()[0])
    following = copied(live)
    following.do(action)
    then = str(following.state.legal()[0])
    assert (live.side, following.side) == ("axis", "axis")
    with TestClient(create_app(Settings(data_dir=tmp_path, workers=0))) as client:

        def act(socket: Any) -> None:
            socket.send_json({"act": action, "seq": live.seq})
            socket.receive_text()

        def seconds(match: str) -> list[float]:
            """Until the answer to a request, and until the message about an action."""
            seats = placed(client, live, match)
            with ExitStack() as last:
                sockets = {
                    side: last.enter_context(client.websocket_connect(f"{seats.path}/live")) for side in seats.tokens
                }
                for side, socket in sockets.items():
                    socket.send_json({"token": seats.tokens[side]})
                    socket.receive_text()
                told = took(lambda: act(sockets["axis"]))
                answered = took(lambda: seats.post("actions", "axis", seq=live.seq + 1, action=then))
                looked = [
                    took(lambda: seats.get("axis")),
                    took(lambda: seats.post("undo", "axis", seq=live.seq)),
                    took(lambda: seats.get(at="/record")),
                    took(lambda: seats.post("why", "axis", action=action)),
                ]
            return [told, answered, *looked]

        def medians(rounds: int, beat_seconds: float) -> tuple[list[float], list[float]]:
            monkeypatch.setattr(beat, "SECONDS", beat_seconds)
            both: tuple[list[list[float]], list[list[float]]] = ([], [])
            for number in range(rounds):
                for which, found in enumerate(both):
                    match = f"{beat_seconds}-{number}-{which}"
                    if which:
                        slow.add(match)
                    found.append(seconds(match))
            assert all(t >= beat_seconds for found in both for times in found for t in times)
            return tuple([statistics.median(times) for times in zip(*found, strict=True)] for found in both)  # type: ignore[return-value]

        quick, slowly = medians(5, 0.0)
        assert all(b - a > 0.03 for a, b in zip(quick[:2], slowly[:2], strict=True)), "this clock would not see it"
        quick, slowly = medians(5, 0.15)
        assert all(abs(b - a) < 0.03 for a, b in zip(quick, slowly, strict=True)), (quick, slowly)


def test_where_nothing_is_hidden_nobody_waits(service: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beat, "SECONDS", 30.0)
    live = live_match(counterblow.load("leningrad"), 3)
    seats = placed(service, live, "leningrad-0")
    assert seats.act(str(live.side), str(live.state.legal()[0])).status_code == 200
