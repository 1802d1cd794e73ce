"""The coach: three choices with reasons, and only what the side can know; silent between persons unless both ask."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

import counterblow
from counterblow.learn.coach import advice, review
from counterblow.players import imagine
from counterblow.service.app import create_app
from counterblow.service.learning import AdviceModel
from tests.service.conftest import settings
from tests.service.test_remote import remote

SLUGS = counterblow.games()


def somewhere(slug: str, actions: int = 8) -> Any:
    state = counterblow.load(slug).start(seed=5)
    while actions or len(state.legal()) < 2:
        state.do(state.legal()[0])
        actions = max(0, actions - 1)
    return state


@pytest.mark.parametrize("slug", SLUGS)
def test_advice_is_legal_reasoned_and_best_first(slug: str) -> None:
    state = somewhere(slug)
    before = state.to_json()
    given = advice(state, state.decider)
    assert state.to_json() == before
    legal = [action.text for action in state.legal()]
    assert 1 <= len(given.choices) <= 3
    assert all(choice.action in legal for choice in given.choices)
    assert all(len(choice.reason) > 5 for choice in given.choices)
    assert given.choices[0].less == 0
    best = given.choices[0].worth
    assert all(choice.worth + choice.less == pytest.approx(best, abs=0.011) for choice in given.choices)
    assert [choice.less for choice in given.choices] == sorted(choice.less for choice in given.choices)


@pytest.mark.parametrize("slug", SLUGS)
def test_what_was_done_is_found_among_the_choices(slug: str) -> None:
    state = somewhere(slug)
    best = advice(state, state.decider).choices[0].action
    judged = advice(state, state.decider, best)
    assert (judged.done, judged.place, judged.less) == (best, 1, 0)


@pytest.mark.parametrize("slug", ["leningrad", "noretreat"])
def test_a_turn_is_looked_back_upon_worst_first(slug: str) -> None:
    state = somewhere(slug)
    side, turn = state.decider, []
    for _ in range(3):
        if state.decider != side:
            break
        turn.append((state.copy(), state.legal()[-1].text))
        state.do(state.legal()[-1])
    found = review(turn, side)
    assert found.choices == len(turn)
    assert found.same + len(found.regrets) <= found.choices
    assert [regret.less for regret in found.regrets] == sorted((r.less for r in found.regrets), reverse=True)
    assert all(regret.done != regret.better for regret in found.regrets)


def test_advice_does_not_depend_on_what_the_side_cannot_see() -> None:
    """Dealing the other hand and the deck anew changes nothing in the advice."""
    state = somewhere("noretreat", 12)
    other = imagine(state, state.decider, 77)
    other.rng, other.dice = state.rng, state.dice
    assert advice(state, state.decider) == advice(other, state.decider)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder: Path = tmp_path_factory.mktemp("coach")
    with TestClient(create_app(settings(folder, load=counterblow.load, slugs=lambda: SLUGS))) as client:
        yield client


def begin(service: TestClient, **seats: Any) -> tuple[str, dict[str, str]]:
    made = service.post("/api/matches", json={"game": "leningrad", "seed": 1, "seats": seats}).json()
    return made["id"], made["tokens"]


def ask(service: TestClient, match: str, about: str, *tokens: str) -> Any:
    headers = {"Authorization": f"Bearer {','.join(tokens)}"} if tokens else {}
    return service.post(f"/api/matches/{match}/coach", json={"about": about}, headers=headers)


def test_against_the_computer_the_coach_answers(service: TestClient) -> None:
    match, tokens = begin(service, german={"kind": "computer", "player": "random"})
    mine = tokens["russian"]
    assert ask(service, match, "last", mine).status_code == 409
    assert ask(service, match, "turn", mine).status_code == 409
    now = AdviceModel.model_validate(ask(service, match, "now", mine).json())
    assert now.choices
    state = service.get(f"/api/matches/{match}", headers={"Authorization": f"Bearer {mine}"}).json()
    action = state["view"]["legal"][-1]["text"]
    done = {"seq": state["seq"], "action": action}
    service.post(f"/api/matches/{match}/actions", json=done, headers={"Authorization": f"Bearer {mine}"})
    last = AdviceModel.model_validate(ask(service, match, "last", mine).json())
    assert last.done == action
    turn = AdviceModel.model_validate(ask(service, match, "turn", mine).json())
    assert turn.review is not None
    assert turn.review.choices == 1
    assert turn.review.same + len(turn.review.regrets) <= 1
    assert ask(service, match, "now").status_code == 401
    assert ask(service, match, "tomorrow", mine).status_code == 422


def test_between_persons_the_coach_is_silent_unless_both_ask(service: TestClient) -> None:
    match, tokens = begin(service)
    refused = ask(service, match, "now", tokens["russian"])
    assert refused.status_code == 403
    assert "both agree" in refused.json()["error"]
    assert ask(service, match, "now", tokens["russian"], tokens["german"]).status_code == 200
    assert (
        ask(service, match, "now", tokens["german"], tokens["russian"]).status_code == 409
    )  # not this seat's decision


def test_two_persons_apart_may_agree_on_the_coach_and_end_it(service: TestClient) -> None:
    match = remote(service, game="leningrad", side="german")
    assert match.post("coach", "russian", about="now").status_code == 403
    assert match.post("offers", "german", kind="coach").status_code == 200
    assert match.post("coach", "russian", about="now").status_code == 403, "offered by one is not agreed"
    assert match.post("offers/answer", "russian", kind="coach", accept=True).status_code == 200
    offers = match.look("german", at="/info")["people"]["offers"]
    assert sorted(offer["side"] for offer in offers) == ["german", "russian"]
    advised = match.post("coach", "russian", about="now")
    assert AdviceModel.model_validate(advised.json()).choices
    assert match.post("coach", "german", about="now").status_code == 409  # not this seat's decision
    assert match.post("offers", "german", kind="coach").status_code == 409  # agreed already
    state = match.look("russian")
    match.do("russian", state["view"]["legal"][0]["text"])
    assert match.post("coach", "russian", about="now").status_code == 200, "play goes on, the agreement stands"
    assert match.post("offers/answer", "german", kind="coach", accept=False).status_code == 200
    assert match.post("coach", "russian", about="now").status_code == 403
    assert match.look("german", at="/info")["people"]["offers"] == [], "what the German ended, nobody can accept"
