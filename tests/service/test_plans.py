"""Why the computer did it, told when it does no harm any more; and its word when all is lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from counterblow import players
from counterblow.players.base import Thought, where
from counterblow.service.app import create_app
from tests.service.conftest import settings
from tests.service.seats import Seats, begin
from tests.service.test_computer import until

OFFICER = {"kind": "computer", "player": "officer"}


@pytest.fixture
def officer(monkeypatch: pytest.MonkeyPatch) -> None:
    """An officer who marches, tells why, and never gives up."""

    def think(player: players.Officer, state: Any, side: int) -> list[Thought]:
        asked = state.decision
        action = next((one for one in state.legal() if one not in (asked.passes, asked.back)), asked.passes)
        return [Thought(where(state), action, f"{action}: the ford must be kept")]

    monkeypatch.setattr(players.Officer, "think", think)
    monkeypatch.setattr(players.Officer, "resigns", lambda player, state, side: False)


def answered(seats: Seats) -> Seats:
    """Blue has ended his turn, and red has answered."""
    seats.do("blue", "end phase", "end phase")
    until(lambda: seats.look("blue")["decider"] in ("blue", None))
    return seats


def plans(seats: Seats) -> list[str]:
    return [entry["plan"] for entry in seats.look("blue")["log"] if entry.get("plan")]


@pytest.mark.usefixtures("officer")
def test_the_log_tells_the_plans_when_the_game_is_over(client: TestClient) -> None:
    seats = answered(begin(client, seats={"red": OFFICER}))
    assert not plans(seats), "not while it is played"
    assert seats.post("resign", "blue").status_code == 200
    assert set(plans(seats)) == {"The ford must be kept."}


@pytest.mark.usefixtures("officer")
def test_plans_outlive_a_restart(tmp_path: Path) -> None:
    with TestClient(create_app(settings(tmp_path))) as client:
        seats = answered(begin(client, seats={"red": OFFICER}))
        assert seats.post("resign", "blue").status_code == 200
        told = plans(seats)
    with TestClient(create_app(settings(tmp_path))) as client:
        seats.client = client
        assert plans(seats) == told != []


@pytest.mark.usefixtures("officer")
def test_the_coach_tells_at_once_why_the_computer_did_it(client: TestClient) -> None:
    seats = answered(begin(client, seats={"red": OFFICER}))
    said = seats.post("coach", "blue", about="enemy").json()["plans"]
    assert {plan["plan"] for plan in said} == {"The ford must be kept."}
    assert all(plan["done"] for plan in said)


def test_before_the_computer_has_done_anything_the_coach_says_so(client: TestClient) -> None:
    seats = begin(client, seats={"red": OFFICER})
    refused = seats.post("coach", "blue", about="enemy")
    assert refused.status_code == 409
    assert "has told no plan" in refused.json()["error"]


@pytest.mark.usefixtures("officer")
def test_a_computer_that_has_lost_offers_to_resign(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players.Officer, "resigns", lambda player, state, side: True)
    seats = answered(begin(client, seats={"red": OFFICER}))
    offers = seats.look("blue", at="/info")["people"]["offers"]
    assert [(offer["side"], offer["kind"]) for offer in offers] == [("red", "resign")]
    assert not seats.look("blue")["over"], "the person may play on"
    assert seats.post("offers/answer", "blue", kind="resign", accept=True).status_code == 200
    assert seats.look("blue")["result"] == {
        "winner": "blue", "level": "resigned", "reason": "Red resigned", "rules": [],
    }  # fmt: skip


@pytest.mark.usefixtures("officer")
def test_an_offer_to_resign_falls_when_there_is_hope_again(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    hopeless = [True]
    monkeypatch.setattr(players.Officer, "resigns", lambda player, state, side: hopeless[0])
    seats = answered(begin(client, seats={"red": OFFICER}))
    hopeless[0] = False
    answered(seats)
    assert seats.look("blue", at="/info")["people"]["offers"] == []
