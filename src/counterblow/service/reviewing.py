"""The addresses of reviews: POST asks for one, GET tells how far it is or gives it, DELETE cancels; and its page.

Who may have the record may have the review.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import APIRouter, Response

from counterblow.service.asking import NO_STORE, TheEngine, TheTokens, answer
from counterblow.service.engine import Engine
from counterblow.service.live import LiveMatch
from counterblow.service.reviews import page_of

router = APIRouter(prefix="/api", include_in_schema=False)


async def _about(
    engine: Engine, match: str, tokens: list[str], what: Callable[[LiveMatch], dict[str, Any]]
) -> Response:
    return answer(await engine.text(lambda: what(engine.table.with_open_record(match, tokens))))


@router.get("/matches/{match}/review")
async def look(match: str, engine: TheEngine, tokens: TheTokens) -> Response:
    return await _about(engine, match, tokens, engine.reviews.status)


@router.get("/matches/{match}/review/page")
async def page(match: str, engine: TheEngine, tokens: TheTokens) -> Response:
    made = await engine.run(lambda: engine.reviews.made(engine.table.with_open_record(match, tokens)))
    headers = {**NO_STORE, "Content-Disposition": 'attachment; filename="review.html"'}
    return Response(await page_of(engine.reviews, made), 200, headers, "text/html")


@router.post("/matches/{match}/review")
async def begin(match: str, engine: TheEngine, tokens: TheTokens) -> Response:
    begun = await _about(engine, match, tokens, engine.reviews.begin)
    engine.review_asked.set()
    return begun


@router.delete("/matches/{match}/review")
async def cancel(match: str, engine: TheEngine, tokens: TheTokens) -> Response:
    return await _about(engine, match, tokens, engine.reviews.cancel)
