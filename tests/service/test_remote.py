"""Matches between people apart: a key each, dice that nobody chose, a shut record, undo that cannot probe."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient

import counterblow
from counterblow.kernel.record import check_record, replay
from counterblow.service import matches, reviewing
from counterblow.service.app import create_app
from counterblow.service.engine import Settings
from tests.service.seats import Seats
from tests.service.toy import TOY


def invite(client: TestClient, **body: Any) -> dict[str, Any]:
    answer = client.post(
        "/api/matches", json={"game": "toy", "kind": "remote", "side": "blue", "nonce": "mine", **body}
    )
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


def join(client: TestClient, made: dict[str, Any], **body: Any) -> Any:
    wanted = {"invitation": made["invitation"], "nonce": "yours", "name": "Ann", **body}
    return client.post(f"/api/matches/{made['id']}/join", json=wanted)


def remote(client: TestClient, **body: Any) -> Seats:
    made = invite(client, **body)
    joined = join(client, made)
    assert joined.status_code == 200, joined.text
    return Seats(client, {"id": made["id"], "tokens": made["tokens"] | joined.json()["tokens"]})


@pytest.fixture
def apart(client: TestClient) -> Seats:
    return remote(client, spectators=True)


# ---------------------------------------------------------------------- sitting down


def test_who_makes_the_match_gets_one_key_and_an_invitation(client: TestClient) -> None:
    made = invite(client)
    assert made["tokens"].keys() == {"blue"}
    assert (made["kind"], made["status"], made["decider"]) == ("remote", "waiting", None)
    seats = Seats(client, made)
    assert seats.get("blue").status_code == 409
    waiting = seats.look("blue", at="/info")
    assert (waiting["status"], waiting["sides"], waiting["dice"]["nonces"]) == ("waiting", ["blue"], {})
    assert seats.get(at="/info").status_code == 401


def test_an_invitation_serves_once(client: TestClient) -> None:
    made = invite(client)
    offered = client.post(f"/api/matches/{made['id']}/invitation", json={"invitation": made["invitation"]}).json()
    assert (offered["side"], offered["dice"]["commitment"]) == ("red", made["dice"]["commitment"])
    joined = join(client, made).json()
    assert (joined["status"], joined["tokens"].keys(), joined["invitation"]) == ("playing", {"red"}, None)
    assert joined["dice"]["nonces"] == {"blue": "mine", "red": "yours"}
    assert join(client, made).status_code == 409
    again = client.post(f"/api/matches/{made['id']}/invitation", json={"invitation": made["invitation"]})
    assert again.status_code == 409


@pytest.mark.parametrize("wrong", [{"invitation": "x"}, {"invitation": None}, {"invitation": ""}])
def test_without_the_invitation_nobody_sits_down(client: TestClient, wrong: dict[str, Any]) -> None:
    made = invite(client)
    assert join(client, made, **wrong).status_code in (401, 403)
    assert join(client, made, invitation=made["tokens"]["blue"]).status_code == 403
    look = client.post(f"/api/matches/{made['id']}/invitation", json=wrong)
    assert look.status_code == 403
    assert join(client, made).status_code == 200


def test_a_listed_match_is_for_anybody(client: TestClient) -> None:
    assert client.get("/api/lobby").json() == []
    made = invite(client, listed=True)
    [listed] = client.get("/api/lobby").json()
    assert listed["id"] == made["id"]
    assert "tokens" not in listed
    assert join(client, made, invitation=None).status_code == 200
    assert client.get("/api/lobby").json() == []


def test_an_invitation_can_be_taken_back(client: TestClient) -> None:
    made = invite(client, listed=True)
    seats = Seats(client, made)
    assert client.delete(seats.path).status_code == 401
    assert client.delete(seats.path, headers=seats.auth("blue")).status_code == 200
    assert client.get("/api/lobby").json() == []
    assert join(client, made).status_code == 404
    begun = remote(client)
    assert client.delete(begun.path, headers=begun.auth("blue")).status_code == 409


@pytest.mark.parametrize(
    ("body", "where"),
    [({"seed": 5}, "seed"), ({"side": "green"}, "side"), ({"seats": {"blue": {"kind": "computer"}}}, "seats.blue"),
     ({"seats": {"green": {}}}, "seats.green"), ({"options": {"secret": 3}}, "scenario or options"),
     ({"pace": {"days": 1, "minutes": 1}}, "pace"), ({"pace": {}}, "pace")],
)  # fmt: skip
def test_what_a_remote_match_cannot_be(client: TestClient, body: dict[str, Any], where: str) -> None:
    answer = client.post("/api/matches", json={"game": "toy", "kind": "remote", "side": "blue", **body})
    assert (answer.status_code, answer.json()["where"]) == (422, where)


def test_at_one_table_there_are_no_invitations(client: TestClient) -> None:
    for body in ({"side": "blue"}, {"nonce": "x"}, {"listed": True}, {"pace": {"days": 3}}):
        assert client.post("/api/matches", json={"game": "toy", **body}).status_code == 422


def test_a_remote_match_against_the_computer_begins_at_once(client: TestClient) -> None:
    made = invite(client, seats={"red": {"kind": "computer", "player": "random"}})
    assert (made["status"], made["invitation"]) == ("playing", None)
    assert Seats(client, made).get("blue", at="/record").status_code == 403


def test_it_says_who_can_know_the_dice(client: TestClient, apart: Seats) -> None:
    table = client.post("/api/matches", json={"game": "toy", "seed": 7}).json()
    assert table["dice"]["known_to"].startswith("who made the match chose")
    assert client.post("/api/matches", json={"game": "toy"}).json()["dice"]["known_to"].startswith("nobody chose")
    fair = apart.look("red")["dice"]
    assert (fair["kind"], fair["secret"], len(fair["commitment"])) == ("fair", None, 64)
    assert "who runs this server" in fair["known_to"]


# ---------------------------------------------------------------------- the dice and the record


def test_the_record_stays_shut_until_the_end_and_then_proves_the_dice(apart: Seats) -> None:
    commitment = apart.look("red")["dice"]["commitment"]
    for sides in (("blue",), ("red",), ("blue", "red"), ()):
        assert apart.get(*sides, at="/record").status_code == 403
        assert not apart.look(*sides)["record_open"]
    apart.do("blue", "select Blue 1", "move Blue 1 0301", "end phase", "end phase")
    apart.do("red", "end phase", "end phase")
    apart.do("blue", "select Blue 1", "move Blue 1 0402", "end phase", "attack 0502")
    assert apart.post("resign", "red").status_code == 200
    record = apart.look("red", at="/record")
    match = replay(TOY, check_record(record))
    assert match.dice is not None
    assert (match.dice.commitment, match.dice.nonces) == (commitment, ("mine", "yours"))
    assert any(record["dice"])
    assert apart.look("blue")["dice"]["secret"] == match.dice.secret.hex()


def test_two_matches_alike_throw_different_dice(client: TestClient) -> None:
    thrown = set()
    for _ in range(6):
        seats = remote(client)
        seats.do("blue", "select Blue 1", "move Blue 1 0301", "end phase", "end phase")
        seats.do("red", "end phase", "end phase")
        seats.do("blue", "select Blue 1", "move Blue 1 0402", "end phase", "attack 0502")
        thrown.add(tuple(die for entry in seats.look("blue")["log"] for die in entry["dice"]))
    assert len(thrown) > 1


def test_an_imported_record_of_fair_dice_goes_on(client: TestClient, apart: Seats) -> None:
    apart.do("blue", "select Blue 1")
    assert apart.post("undo", "blue", seq=1).status_code == 200
    apart.do("blue", "end phase", "end phase")
    apart.post("resign", "red")
    record = apart.look("blue", at="/record")
    assert record["fair"]["numbers"] == [3, 4]
    again = client.post("/api/matches/import", json={"record": record})
    assert again.status_code == 201, again.text
    assert again.json()["dice"]["kind"] == "plain"  # who imports it knows the secret
    seats = Seats(client, again.json())
    seats.do("red", "end phase")
    assert seats.look("blue", "red", at="/record")["fair"]["numbers"] == [3, 4, 5]


# ---------------------------------------------------------------------- taking back


def test_what_nobody_else_saw_is_taken_back_freely(apart: Seats) -> None:
    apart.do("blue", "select Blue 1", "move Blue 1 0301")
    assert apart.look("blue")["can_undo"]
    assert apart.post("undo", "blue", seq=2).status_code == 200
    assert apart.post("undo", "blue", seq=3).status_code == 200
    assert apart.look("blue")["ply"] == 0


def test_not_once_the_other_side_was_asked(apart: Seats) -> None:
    apart.do("blue", "end phase", "end phase")
    shown = apart.look("blue")
    assert (shown["decider"], shown["undo_side"]) == ("red", None)
    answer = apart.post("undo", "blue", seq=2)
    assert answer.status_code == 409
    assert "ask the other player" in answer.json()["error"]


def test_where_units_are_hidden_only_a_choice_is_taken_back(client: TestClient) -> None:
    seats = remote(client, options={"secret": True})
    seats.do("blue", "select Blue 1")
    assert seats.look("blue")["can_undo"]
    seats.do("blue", "move Blue 1 0301")
    assert not seats.look("blue")["can_undo"]
    assert seats.post("undo", "blue", seq=2).status_code == 409


def test_with_consent_even_a_die_is_taken_back_and_thrown_anew(apart: Seats) -> None:
    apart.do("blue", "select Blue 1", "move Blue 1 0301", "end phase", "end phase")
    apart.do("red", "end phase", "end phase")
    apart.do("blue", "select Blue 1", "move Blue 1 0402", "end phase", "attack 0502")
    ply = apart.look("blue")["ply"]
    assert apart.post("offers", "blue", kind="undo").status_code == 200
    assert apart.look("red")["people"]["offers"] == [{"side": "blue", "kind": "undo", "seq": ply}]
    assert apart.look()["people"]["offers"] == []
    assert apart.post("offers/answer", "blue", kind="undo", accept=True).status_code == 409  # not by who asks
    update = apart.post("offers/answer", "red", kind="undo", accept=True)
    assert (update.status_code, update.json()["ply"], update.json()["seq"]) == (200, ply - 1, ply + 1)
    apart.do("blue", "attack 0502")
    apart.post("resign", "red")
    record = apart.look("red", at="/record")
    assert record["fair"]["numbers"][-1] == ply + 2
    replay(TOY, check_record(record))


def test_a_refused_or_late_undo_leaves_all_as_it_is(apart: Seats) -> None:
    apart.do("blue", "end phase", "end phase")
    assert apart.post("offers", "red", kind="undo").status_code == 409  # nothing of its own to take back
    apart.post("offers", "blue", kind="undo")
    assert apart.post("offers/answer", "red", kind="undo", accept=False).status_code == 200
    assert apart.look("red")["people"]["offers"] == []
    apart.post("offers", "blue", kind="undo")
    apart.do("red", "end phase")
    assert apart.post("offers/answer", "red", kind="undo", accept=True).status_code == 409
    assert apart.look("red")["ply"] == 3


# ---------------------------------------------------------------------- ending, and again


def test_either_side_resigns_at_any_time(apart: Seats) -> None:
    update = apart.post("resign", "red").json()
    assert (update["over"], update["decider"], update["result"]["winner"]) == (True, None, "blue")
    assert (update["view"]["legal"], update["view"]["decision"]) == ([], None)
    shown = apart.look("blue")
    assert (shown["status"], shown["result"]["level"], shown["result"]["reason"]) == (
        "over",
        "resigned",
        "Red resigned",
    )
    assert apart.act("blue", "end phase").status_code == 409
    assert apart.post("resign", "blue").status_code == 409
    assert apart.post("undo", "blue", seq=1).status_code == 409


def test_a_draw_needs_both(apart: Seats) -> None:
    assert apart.post("offers/answer", "red", kind="draw", accept=True).status_code == 409
    apart.post("offers", "blue", kind="draw")
    assert not apart.look("blue")["over"]
    apart.do("blue", "end phase")
    assert apart.look("red")["people"]["offers"]  # stands until the other side acts
    update = apart.post("offers", "red", kind="draw").json()  # the same from the other side means yes
    assert (update["over"], update["result"]["winner"], update["result"]["level"]) == (True, None, "drawn")


def test_a_rematch_swaps_sides_and_keeps_keys(apart: Seats) -> None:
    assert apart.post("offers", "blue", kind="rematch").status_code == 409
    apart.post("resign", "blue")
    apart.post("offers", "red", kind="rematch")
    assert apart.look("blue")["rematch"] is None
    assert apart.post("offers/answer", "blue", kind="rematch", accept=True).status_code == 200
    follows = apart.look("red")["rematch"]
    again = Seats(apart.client, {"id": follows, "tokens": {"red": apart.tokens["blue"], "blue": apart.tokens["red"]}})
    shown = again.look("blue")
    assert (shown["viewer"], shown["decider"], shown["kind"]) == ("blue", "blue", "remote")
    assert shown["dice"]["commitment"] != apart.look("blue")["dice"]["commitment"]
    assert [seat["name"] for seat in shown["seats"]] == ["Ann", "Red"]
    again.do("blue", "end phase")
    assert apart.post("offers", "red", kind="rematch").status_code == 409


# ---------------------------------------------------------------------- standing answers


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder: Path = tmp_path_factory.mktemp("matches")
    with TestClient(create_app(Settings(data_dir=folder, workers=0))) as client:
        yield client


def test_being_asked_tells_nothing_of_a_hand(service: TestClient) -> None:
    made = invite(service, game="noretreat", side="axis")
    assert (made["options"]["axis_reactions"], made["options"]["soviet_reactions"]) == ("always", "always")
    asked = invite(service, game="noretreat", side="axis", options={"axis_reactions": "when able"})
    assert asked["options"]["axis_reactions"] == "always"  # whatever was asked for


def noretreat(service: TestClient) -> Seats:
    made = invite(service, game="noretreat", side="axis")
    joined = join(service, made).json()
    return Seats(service, {"id": made["id"], "tokens": made["tokens"] | joined["tokens"]})


def first_turn(seats: Seats) -> list[list[str]]:
    """The Axis plays its turn, the Soviets pass where they can: what they were asked meanwhile."""
    asked: list[list[str]] = []
    for _ in range(250):
        shown = seats.look("axis")
        decider = shown["decider"]
        legal = [action["text"] for action in seats.look(decider)["view"]["legal"]]
        if shown["view"]["phase"].startswith("soviet."):
            return asked
        if decider == "soviet" and shown["view"]["phase"].startswith("axis."):
            asked.append(legal)
        passes = [text for text in ("pass", "done", "decline to counterattack") if text in legal]
        seats.do(decider, passes[0] if passes else legal[0])
    raise AssertionError("the turn does not end")


def test_standing_answers_spare_the_other_player_the_wait(service: TestClient) -> None:
    assert ["pass", "pass until the next player turn"] in first_turn(noretreat(service))
    silent = noretreat(service)
    answer = service.put(f"{silent.path}/answers", headers=silent.auth("soviet"), json={"mode": "never"})
    assert answer.status_code == 200, answer.text
    assert not any("pass" in legal for legal in first_turn(silent))
    wrong = service.put(f"{silent.path}/answers", headers=silent.auth("soviet"), json={"mode": "maybe"})
    assert wrong.status_code == 422
    assert service.put(f"{silent.path}/answers", json={"mode": "never"}).status_code == 401


def test_a_standing_answer_waits_for_certain_cards(service: TestClient) -> None:
    seats = noretreat(service)
    hand = [card["id"] for card in seats.look("soviet")["view"]["hands"]["soviet"]["cards"]]
    others = [card for card in range(110) if card not in hand]
    for cards, asked in ((others[:90], False), (hand, True)):
        seats = noretreat(service) if asked else seats
        if asked:
            cards = [card["id"] for card in seats.look("soviet")["view"]["hands"]["soviet"]["cards"]]
        wanted = {"mode": "only", "cards": cards}
        assert service.put(f"{seats.path}/answers", headers=seats.auth("soviet"), json=wanted).status_code == 200
        questions = [legal for legal in first_turn(seats) if "pass" in legal]
        assert all(any(text.startswith("play") for text in legal) for legal in questions) or not asked
        if not asked:
            assert questions == []


def test_never_here_passes_where_the_same_is_asked_whatever_the_hand(service: TestClient) -> None:
    """A question in the other's turn is answered once for all; other questions still come."""
    seats = noretreat(service)
    while (shown := seats.look("soviet"))["decider"] == "axis":
        legal = [action["text"] for action in seats.look("axis")["view"]["legal"]]
        seats.do("axis", next((text for text in ("pass", "done") if text in legal), legal[0]))
    prompt = shown["view"]["decision"]["prompt"]
    assert shown["view"]["phase"].startswith("axis.")
    wanted = {"mode": "ask", "never_here": [prompt]}
    answer = service.put(f"{seats.path}/answers", headers=seats.auth("soviet"), json=wanted)
    assert (answer.status_code, answer.json()["seq"]) == (200, shown["seq"] + 1)  # it was asked, and has passed
    assert seats.look("soviet", at="/info")["people"]["answers"] == {"cards": [], **wanted}
    assert seats.look("axis", at="/info")["people"]["answers"] is None
    prompts = set()
    for _ in range(250):
        shown = seats.look("soviet")
        if shown["view"]["phase"].startswith("soviet."):
            break
        if shown["decider"] == "soviet":
            prompts.add(shown["view"]["decision"]["prompt"])
        legal = [action["text"] for action in seats.look(shown["decider"])["view"]["legal"]]
        passes = [text for text in ("pass", "done", "decline to counterattack") if text in legal]
        seats.do(shown["decider"], passes[0] if passes else legal[0])
    assert prompts
    assert prompt not in prompts


# ---------------------------------------------------------------------- nobody learns anything


def everything(seats: Seats, headers: dict[str, str]) -> list[str]:
    """Every address of a match, asked with these keys: all that it answers."""
    client, path = seats.client, seats.path
    asked: list[Any] = [
        client.get(path, headers=headers),
        client.get(path, headers=headers, params={"ply": 1}),
        client.get(path, headers=headers, params={"since": 0}),
        *(client.get(f"{path}/{what}", headers=headers) for what in ("log", "record", "info", "live")),
        client.get(f"{path}/overlay", headers=headers, params={"kind": "zoc", "side": "blue"}),
        client.get(f"{path}/overlay", headers=headers, params={"kind": "zoc", "side": "blue", "unit": 0}),
        client.post(f"{path}/actions", headers=headers, json={"seq": 2, "action": "end phase"}),
        client.post(f"{path}/undo", headers=headers, json={"seq": 2}),
        client.post(f"{path}/why", headers=headers, json={"action": "move Blue 1 0301"}),
        client.post(f"{path}/forecast", headers=headers, json={"action": "attack 0502"}),
        client.post(f"{path}/invitation", headers=headers, json={"invitation": None}),
        client.post(f"{path}/join", headers=headers, json={}),
        client.post(f"{path}/offers/answer", headers=headers, json={"kind": "undo", "accept": True}),
        client.post(f"{path}/offers", headers=headers, json={"kind": "draw"}),
        client.post(f"{path}/messages", headers=headers, json={"text": "What do you hold?"}),
        client.post(f"{path}/report", headers=headers, json={"text": "nothing"}),
        client.post(f"{path}/coach", headers=headers, json={"about": "next"}),
        client.put(f"{path}/answers", headers=headers, json={"mode": "ask"}),
        client.delete(path, headers=headers),
        client.get(f"{path}/review", headers=headers),
        client.get(f"{path}/review/page", headers=headers),
        client.post(f"{path}/review", headers=headers),
        client.delete(f"{path}/review", headers=headers),
        client.post("/api/matches/mine", json={"tokens": [headers.get("Authorization", "Bearer x")[7:]]}),
        client.get("/api/lobby"),
    ]
    assert all(answer.status_code < 500 for answer in asked)
    tried = {(a.request.method, str(a.request.url.path).replace(seats.id, "{match}")) for a in asked}
    there = {
        (method, route.path)
        for part in (matches.router, reviewing.router)
        for route in part.routes
        if isinstance(route, APIRoute) and "{match}" in route.path
        for method in route.methods or ()
    }
    assert there - tried == {("POST", "/api/matches/{match}/resign")}, "that alone would end the match"
    return [answer.text for answer in asked]


SECRETS = ("Blue 1", "Blue 2", "Order 3", "Order 4", '"seed"', '"rng"')


@pytest.mark.parametrize("who", ["red", "spectator", "stranger"])
def test_over_every_address_nobody_learns_what_is_hidden(client: TestClient, who: str) -> None:
    seats = remote(client, options={"secret": True}, spectators=who == "spectator")
    seats.do("blue", "select Blue 1", "move Blue 1 0301")
    headers = {"red": seats.auth("red"), "spectator": {}, "stranger": {"Authorization": "Bearer nonsense"}}[who]
    told = everything(seats, headers)
    engine: Any = client.app.state.engine  # type: ignore[attr-defined]
    engine.gate._tries[("testclient", seats.id)].until = 0.0  # a stranger is locked out by now
    for text in told:
        assert not any(secret in text for secret in SECRETS), text
        assert not any(token in text for token in seats.tokens.values())
    assert seats.look("blue")["seq"] == 2
    secret = engine.table.live(seats.id).start.secret.hex()
    assert not any(secret in text for text in told + everything(seats, seats.auth("blue")))


@pytest.mark.parametrize("slug", counterblow.games())
def test_matches_that_differ_only_in_what_is_hidden_look_alike(slug: str) -> None:
    """Random play in two worlds that one side cannot tell apart: it is told the same, and may take back the same."""
    from tests.service.worlds import compare_worlds

    compared = compare_worlds(slug, games=(2, 3), actions=210)  # where undo at will would betray Narva and No Retreat!
    assert compared > 300, f"only {compared} moments were compared"


def test_a_list_of_actions_cannot_probe_how_chance_will_fall(apart: Seats) -> None:
    """If all were undone because a later one is refused, the refusal would tell the die before it counts."""
    apart.do("blue", "select Blue 1", "move Blue 1 0301", "end phase", "end phase")
    apart.do("red", "end phase", "end phase")
    seq = apart.do("blue", "select Blue 1", "move Blue 1 0402", "end phase")["seq"]
    answer = apart.post("actions", "blue", seq=seq, actions=["attack 0502", "attack 0503", "end phase"])
    assert answer.status_code == 200, answer.text
    update = answer.json()
    assert (update["seq"], update["can_undo"]) == (seq + 1, False)
    assert [entry["dice"] for entry in update["events"] if entry["dice"]]
    assert apart.look("red")["seq"] == seq + 1


def test_a_list_of_actions_ends_where_the_other_side_is_asked(apart: Seats) -> None:
    update = apart.post("actions", "blue", seq=0, actions=["end phase", "end phase", "end phase"]).json()
    assert (update["seq"], update["decider"]) == (2, "red")


def test_standing_answers_are_set_without_a_sound(client: TestClient, apart: Seats) -> None:
    with client.websocket_connect(f"{apart.path}/live") as red:
        red.send_json({"token": apart.tokens["red"]})
        red.receive_json()
        for mode in ("never", "ask"):
            answer = client.put(f"{apart.path}/answers", headers=apart.auth("blue"), json={"mode": mode})
            assert answer.status_code == 200
        red.send_text("ping")
        assert red.receive_text() == "pong"
