"""A match from start to end through the service."""

from __future__ import annotations

from fastapi.testclient import TestClient

from counterblow.service import models
from tests.service.seats import Seats, begin


def test_the_games_are_described(client: TestClient) -> None:
    listed = client.get("/api/games")
    assert [models.GameSummary.model_validate(g).slug for g in listed.json()] == ["toy"]
    whole = models.GameModel.model_validate(client.get("/api/games/toy").json())
    town = next(h for h in whole.map.hexes if h.place == "Town")
    assert (town.label, len(whole.map.corners)) == ("0503", 6)
    assert {area.id for area in whole.map.areas} == {"Dead", "North"}
    assert [a.blanks for a in whole.actions if a.kind == "move"] == [["unit", "hex"]]
    drawing = client.get(whole.map.url)
    assert drawing.headers["content-type"] == "image/svg+xml"
    assert "immutable" in drawing.headers["cache-control"]
    again = client.get("/api/games/toy", headers={"If-None-Match": client.get("/api/games/toy").headers["etag"]})
    assert again.status_code == 304


def test_an_action_changes_what_both_see(seats: Seats) -> None:
    before = models.MatchState.model_validate(seats.look("blue"))
    assert (before.seq, before.ply, before.viewer, before.decider) == (0, 0, "blue", "blue")
    select = next(a for a in before.view.legal if a.text == "select Blue 1")
    assert select.units == [0]
    update = models.Update.model_validate(seats.do("blue", "select Blue 1", "move Blue 1 0301"))
    assert (update.seq, update.ply, update.keep) == (2, 2, 1)
    assert [(e.ply, e.side, e.text, e.hexes) for e in update.events] == [
        (2, "blue", "Blue 1 moves to 0301 (1.1)", ["0301"])
    ]
    after = models.MatchState.model_validate(seats.look("red"))
    assert next(u for u in after.view.units if u.name == "Blue 1").at == "0301"
    assert after.view.legal == []


def test_a_match_is_played_to_its_end(seats: Seats) -> None:
    for _ in range(4):
        seats.do("blue", "end phase", "end phase")
        seats.do("red", "end phase", "end phase")
    over = seats.look("red")
    assert over["over"]
    assert over["result"]["winner"] == "red"
    assert seats.act("red", "end phase").status_code == 409


def test_earlier_positions_can_be_seen(seats: Seats) -> None:
    seats.do("blue", "select Blue 1", "move Blue 1 0301", "end phase")
    past = seats.look("blue", ply=1)
    assert (past["shown"], past["ply"]) == (1, 3)
    assert next(u for u in past["view"]["units"] if u["name"] == "Blue 1")["at"] == "0101"
    assert past["log"] == []
    assert seats.get("blue", ply=4).status_code == 422


def test_why_and_forecast(client: TestClient) -> None:
    seats = begin(client)
    why = seats.post("why", "blue", action="move Blue 1 0503").json()
    assert not why["legal"]
    assert why["citations"][0]["rule"] == "1.1"
    assert seats.post("why", "blue", action="select Blue 1").json() == {"legal": True, "citations": []}
    assert seats.post("forecast", "blue", action="select Blue 1").json() == {"forecast": None}


def test_the_overlay_shows_zones(seats: Seats) -> None:
    zones = seats.look("blue", at="/overlay", kind="zoc", side="red")["hexes"]
    assert zones["0403"] == 1
    assert seats.get("blue", at="/overlay", kind="weather").status_code == 404
