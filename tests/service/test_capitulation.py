"""Giving up: by the player who does it and nobody else, at any time, and for good."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from counterblow.service.app import create_app
from counterblow.service.engine import Settings
from tests.service.seats import Seats, begin

SIDES = ("german", "allied")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder: Path = tmp_path_factory.mktemp("matches")
    with TestClient(create_app(Settings(data_dir=folder))) as client:
        yield client


@pytest.fixture
def narvik_seats(service: TestClient) -> Seats:
    return begin(service, game="narvik", seed=5)


def test_the_description_tells_of_it(service: TestClient) -> None:
    described = {game["slug"]: game["rights"] for game in service.get("/api/games").json()}
    [right] = described["narvik"]
    assert (right["kind"], right["rules"]) == ("capitulate", ["5.2.a"])
    whole = service.get("/api/games/narvik").json()
    assert {"kind": "capitulate", "sentence": "{side} capitulates", "blanks": ["side"]} in whole["actions"]
    assert all(described[slug] == [] for slug in described if slug != "narvik")


def decider_and_other(seats: Seats) -> tuple[str, str]:
    decider: str = seats.look("german")["decider"]
    return decider, SIDES[1 - SIDES.index(decider)]


def test_nobody_capitulates_for_the_enemy(narvik_seats: Seats) -> None:
    decider, other = decider_and_other(narvik_seats)
    for actor, loser in ((decider, other), (other, decider)):
        answer = narvik_seats.act(actor, f"{loser} capitulates")
        assert answer.status_code == 403, answer.text
        why: Any = narvik_seats.post("why", actor, action=f"{loser} capitulates").json()
        assert not why["legal"]
    assert narvik_seats.look(decider)["over"] is False


@pytest.mark.parametrize("spelling", ["{} CAPITULATES", "{}  capitulates", " {} capitulates "])
def test_nor_in_another_spelling(narvik_seats: Seats, spelling: str) -> None:
    decider, other = decider_and_other(narvik_seats)
    assert narvik_seats.act(decider, spelling.format(other)).status_code == 403
    assert narvik_seats.look(decider)["over"] is False
    narvik_seats.do(other, spelling.format(other))
    assert narvik_seats.look(decider)["result"]["winner"] == decider


def test_it_need_not_wait_until_the_other_side_pauses(narvik_seats: Seats) -> None:
    decider, other = decider_and_other(narvik_seats)
    seen = narvik_seats.look(other)["seq"]
    action = narvik_seats.look(decider)["view"]["legal"][0]["text"]
    narvik_seats.do(decider, action)
    assert narvik_seats.act(decider, action, seq=seen).status_code == 409  # nothing else may be that late
    assert narvik_seats.act(other, f"{other} capitulates", seq=seen).status_code == 200
    assert narvik_seats.act(other, f"{other} capitulates", seq=seen).status_code == 409


@pytest.mark.parametrize("deciding", [True, False])
def test_either_player_capitulates_at_any_time(narvik_seats: Seats, deciding: bool) -> None:
    decider, other = decider_and_other(narvik_seats)
    loser, winner = (decider, other) if deciding else (other, decider)
    assert narvik_seats.post("why", loser, action=f"{loser} capitulates").json()["legal"]
    narvik_seats.do(loser, f"{loser} capitulates")
    shown = narvik_seats.look(winner)
    assert (shown["over"], shown["result"]["winner"]) == (True, winner)
    assert shown["log"][-1]["side"] == loser


def test_the_end_opens_the_record_and_cannot_be_taken_back(narvik_seats: Seats) -> None:
    decider, _ = decider_and_other(narvik_seats)
    assert narvik_seats.get(decider, at="/record").status_code == 403
    narvik_seats.do(decider, f"{decider} capitulates")
    assert narvik_seats.get(decider, at="/record").status_code == 200
    shown = narvik_seats.look(decider)
    assert (shown["can_undo"], shown["undo_side"]) == (False, None)
    assert "record" in narvik_seats.post("undo", decider, seq=shown["seq"]).json()["error"]
    assert narvik_seats.look(decider)["over"] is True


def test_who_plays_alone_may_take_the_end_back(service: TestClient) -> None:
    seats = begin(service, game="narvik", seed=5, seats={"allied": {"kind": "computer", "player": "random"}})
    seats.do("german", "german capitulates")
    shown = seats.look("german")
    assert shown["can_undo"] is True
    assert seats.post("undo", "german", seq=shown["seq"]).status_code == 200
