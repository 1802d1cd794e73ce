"""How tests play through the service."""

from __future__ import annotations

from typing import Any

from fastapi.testclient import TestClient


class Seats:
    """A match and the tokens of its seats."""

    def __init__(self, client: TestClient, answer: dict[str, Any]) -> None:
        self.client = client
        self.id: str = answer["id"]
        self.tokens: dict[str, str] = answer["tokens"]
        self.path = f"/api/matches/{self.id}"

    def auth(self, *sides: str) -> dict[str, str]:
        return {"Authorization": "Bearer " + ",".join(self.tokens[side] for side in sides)} if sides else {}

    def get(self, *sides: str, at: str = "", **query: Any) -> Any:
        return self.client.get(self.path + at, headers=self.auth(*sides), params=query)

    def look(self, *sides: str, at: str = "", **query: Any) -> Any:
        answer = self.get(*sides, at=at, **query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, what: str, side: str | None, **body: Any) -> Any:
        return self.client.post(f"{self.path}/{what}", headers=self.auth(*([side] if side else [])), json=body)

    def act(self, side: str, action: str, seq: int | None = None) -> Any:
        """The answer to an action on the state as it is now, or as it was."""
        now = self.look(side)["seq"] if seq is None else seq
        return self.post("actions", side, seq=now, action=action)

    def do(self, side: str, *actions: str) -> Any:
        for action in actions:
            answer = self.act(side, action)
            assert answer.status_code == 200, answer.text
        return answer.json()


def begin(client: TestClient, **body: Any) -> Seats:
    answer = client.post("/api/matches", json={"game": "toy", "seed": 1, **body})
    assert answer.status_code == 201, answer.text
    return Seats(client, answer.json())
