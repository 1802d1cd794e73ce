"""The addresses for learning: the rulebook with its links, the search, lessons and the coach."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, cast

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import BaseModel, Field

from counterblow.learn.rulebook import Rulebook, rulebook
from counterblow.learn.search import LONGEST_QUESTION
from counterblow.service import models
from counterblow.service.engine import Engine

router = APIRouter(prefix="/api", responses={404: {"model": models.ErrorModel}, 422: {"model": models.ErrorModel}})


def _engine(request: Request) -> Engine:
    return cast(Engine, request.app.state.engine)


TheEngine = Annotated[Engine, Depends(_engine)]


# ---------------------------------------------------------------------- the rulebook


class LinksModel(BaseModel):
    """What to read after a rule."""

    see: list[str]
    exceptions: list[str]
    rulings: list[str]
    lessons: list[str]


class ChapterModel(BaseModel):
    id: str
    title: str
    rules: list[str]


class TermModel(BaseModel):
    """A word of the game, for hovering over it wherever it stands."""

    name: str
    also: list[str]
    text: str
    rules: list[str]


class SeatBriefing(BaseModel):
    side: str
    who: str
    want: str


class BriefingModel(BaseModel):
    """The panel before a game."""

    story: str
    won: str
    seats: list[SeatBriefing]


class HintModel(BaseModel):
    """What a phase is for; ``side`` null: for both."""

    phase: str
    side: str | None
    purpose: str
    can: list[str]
    look: str


class RulebookModel(BaseModel):
    """What a reader of the rules needs beside their texts, which are in the description of the game."""

    chapters: list[ChapterModel]
    links: dict[str, LinksModel] = Field(description="by rule; rules without links are left out")
    rulings: dict[str, str]
    glossary: list[TermModel]
    briefing: BriefingModel | None
    hints: list[HintModel]


class FoundModel(BaseModel):
    rule: str
    score: float


def described(book: Rulebook) -> dict[str, Any]:
    return {
        "chapters": [{"id": c.id, "title": c.title, "rules": [rule.id for rule in c.rules]} for c in book.chapters],
        "links": {rule: asdict(links) for rule, links in book.links.items() if any(asdict(links).values())},
        "rulings": book.rulings,
        "glossary": [asdict(term) for term in book.glossary],
        "briefing": asdict(book.guide.briefing) if book.guide.briefing else None,
        "hints": [asdict(hint) for hint in book.guide.hints],
    }


@router.get("/games/{slug}/rulebook", response_model=RulebookModel, operation_id="rulebook")
async def the_rulebook(slug: str, engine: TheEngine) -> Response:
    """Chapters, links, rulings, glossary, and what a newcomer is told."""
    return _json(await engine.text(lambda: described(rulebook(engine.table.game(slug)))))


@router.get("/games/{slug}/rules", response_model=list[FoundModel], operation_id="findRules")
async def find_rules(
    slug: str, engine: TheEngine, q: Annotated[str, Query(max_length=LONGEST_QUESTION, description="a question")]
) -> Response:
    """The rules that answer a question in a player's words, best first."""

    def find() -> list[dict[str, Any]]:
        found = rulebook(engine.table.game(slug)).find(q)
        return [{"rule": hit.rule.id, "score": round(hit.score, 2)} for hit in found]

    return _json(await engine.text(find))


def _json(text: str) -> Response:
    return Response(text.encode(), 200, {"Cache-Control": "no-cache"}, "application/json")
