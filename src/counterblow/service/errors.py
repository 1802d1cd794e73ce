"""What the service refuses, and how it says so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from counterblow.kernel.rulebook import Citation


class Problem(Exception):
    """A refusal with its HTTP status: ``{"error", "where", "citations"}``."""

    def __init__(
        self,
        status: int,
        error: str,
        where: str | None = None,
        citations: Sequence[Citation] | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(error)
        self.status = status
        self.error = error
        self.where = where
        self.citations = citations
        self.retry_after = retry_after

    def to_json(self) -> dict[str, Any]:
        data: dict[str, Any] = {"error": self.error}
        if self.where is not None:
            data["where"] = self.where
        if self.citations is not None:
            data["citations"] = [citation._asdict() for citation in self.citations]
        return data


class MovedOn(Problem):
    """What was thought over is no longer to be decided."""

    def __init__(self) -> None:
        super().__init__(409, "the match has moved on meanwhile: look again", "seq")


class WrongKey(Problem):
    """A token that holds no seat here: too many of them lock an address out."""

    def __init__(self) -> None:
        super().__init__(403, "this token holds no seat of this match", "Authorization")
