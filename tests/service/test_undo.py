"""Taking back: by who acted, before anything else, and not past chance or a reveal."""

from __future__ import annotations

from tests.service.seats import Seats


def test_an_action_can_be_taken_back(seats: Seats) -> None:
    seats.do("blue", "select Blue 1", "move Blue 1 0301")
    shown = seats.look("blue")
    assert (shown["can_undo"], shown["undo_side"]) == (True, "blue")
    assert seats.look("red")["can_undo"] is False
    update = seats.post("undo", "blue", seq=2).json()
    assert (update["seq"], update["ply"], update["keep"], update["events"]) == (3, 1, 1, [])
    assert seats.look("blue")["log"] == []
    seats.do("blue", "move Blue 1 0201")
    assert [(e["ply"], e["text"]) for e in seats.look("red")["log"]] == [(2, "Blue 1 moves to 0201 (1.1)")]


def test_nothing_can_be_taken_back_at_the_start(seats: Seats) -> None:
    assert seats.look("blue")["undo_side"] is None
    assert seats.post("undo", "blue", seq=0).status_code == 409


def test_only_who_acted_can_take_back(seats: Seats) -> None:
    seats.do("blue", "end phase", "end phase")
    assert seats.post("undo", "red", seq=2).status_code == 403
    assert seats.post("undo", "blue", seq=2).status_code == 200
    seats.do("blue", "end phase")
    seats.do("red", "end phase")
    assert seats.post("undo", "blue", seq=5).status_code == 403


def test_a_stale_undo_is_refused(seats: Seats) -> None:
    seats.do("blue", "select Blue 1", "move Blue 1 0301")
    assert seats.post("undo", "blue", seq=1).status_code == 409
    assert seats.look("blue")["ply"] == 2


def test_dice_cannot_be_taken_back(seats: Seats) -> None:
    seats.do("blue", "select Blue 1", "move Blue 1 0301", "end phase", "end phase")
    seats.do("red", "end phase", "end phase")
    seats.do("blue", "select Blue 1", "move Blue 1 0402", "end phase", "attack 0502")
    shown = seats.look("blue")
    assert shown["log"][-1]["kind"] in ("combat", "result")
    assert (shown["can_undo"], shown["undo_side"]) == (False, None)
    assert "chance" in seats.post("undo", "blue", seq=shown["seq"]).json()["error"]


def test_a_reveal_cannot_be_taken_back(seats: Seats) -> None:
    seats.do("blue", "scout order 4")
    answer = seats.post("undo", "blue", seq=1)
    assert (answer.status_code, seats.look("blue")["undo_side"]) == (409, None)
