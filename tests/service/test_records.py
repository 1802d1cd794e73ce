"""Records: taken out, brought in, and refused when broken."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.service.seats import Seats


@pytest.fixture
def record(seats: Seats) -> dict[str, Any]:
    seats.do("blue", "select Blue 1", "move Blue 1 0301", "end phase", "end phase")
    found: dict[str, Any] = seats.look("blue", "red", at="/record")
    return found


def test_a_record_goes_on_where_it_ended(client: TestClient, record: dict[str, Any]) -> None:
    answer = client.post("/api/matches/import", json={"record": record, "spectators": True})
    assert answer.status_code == 201
    again = Seats(client, answer.json())
    shown = again.look("red")
    assert (shown["seq"], shown["ply"], shown["decider"], shown["seed_known"]) == (4, 4, "red", True)
    assert [entry["text"] for entry in shown["log"]] == ["Blue 1 moves to 0301 (1.1)"]
    again.do("red", "end phase")
    assert again.look("blue", "red", at="/record")["actions"] == [*record["actions"], "end phase"]


BROKEN: dict[str, tuple[dict[str, Any], str]] = {
    "not a record": ({"format": "png"}, "format"),
    "from the future": ({"format_version": 99}, "format_version"),
    "another game": ({"game": "chess"}, "chess"),
    "no such scenario": ({"scenario": "siege"}, "siege"),
    "no such option": ({"options": {"fog": True}}, "fog"),
    "a text for a seed": ({"seed": "1"}, "seed"),
    "an illegal action": ({"actions": ["select Blue 1", "move Blue 1 0503"]}, "number 2"),
    "an unreadable action": ({"actions": ["sing"]}, "number 1"),
    "a number for an action": ({"actions": [7]}, "number 1"),
    "too many actions": ({"actions": ["end phase"] * 17}, "number 17"),
    "another end": ({"actions": ["select Blue 1"]}, "fingerprint"),
    "another seed": ({"seed": 2}, "fingerprint"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_record_is_refused(client: TestClient, record: dict[str, Any], what: str) -> None:
    change, word = BROKEN[what]
    answer = client.post("/api/matches/import", json={"record": record | {"trail": ""} | change})
    assert answer.status_code == (404 if what == "another game" else 422), answer.text
    assert word in answer.json()["error"]


def test_a_record_with_a_field_missing_is_refused(client: TestClient, record: dict[str, Any]) -> None:
    for field in record.keys() - {"trail"}:
        rest = {key: value for key, value in record.items() if key != field}
        answer = client.post("/api/matches/import", json={"record": rest})
        assert answer.status_code == 422
        assert field in answer.json()["error"]


def test_matches_are_found_by_their_tokens(client: TestClient, seats: Seats) -> None:
    assert client.post("/api/matches/mine", json={"tokens": ["nothing"]}).json() == []
    mine = client.post("/api/matches/mine", json={"tokens": list(seats.tokens.values())}).json()
    assert [(m["id"], sorted(m["sides"]), m["turn_label"]) for m in mine] == [(seats.id, ["blue", "red"], "Turn 1")]
