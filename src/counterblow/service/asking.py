"""What every address uses: who asks, and how it is answered.

These are coroutines on purpose: plain functions would each take a turn in another thread.
"""

from __future__ import annotations

from typing import Annotated, Any, cast

from fastapi import Depends, Request, Response
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from counterblow.service import guard, models
from counterblow.service.engine import Engine
from counterblow.service.errors import Problem
from counterblow.service.table import SESSION, seat_tokens

COOKIE = "counterblow"
MOST_TOKENS = 4
NO_STORE = {"Cache-Control": "no-store"}
ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": models.ErrorModel} for status in (400, 401, 403, 404, 408, 409, 413, 422, 429, 503)
}
bearer = HTTPBearer(auto_error=False, description="The secret token of a seat; several are separated by commas.")


async def the_engine(request: Request) -> Engine:
    return cast(Engine, request.app.state.engine)


TheEngine = Annotated[Engine, Depends(the_engine)]


async def may_try(request: Request, engine: TheEngine) -> None:
    engine.gate.may_try(guard.address_of(request.scope), request.path_params.get("match", ""))


async def the_tokens(
    request: Request,
    engine: TheEngine,
    credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)],
) -> list[str]:
    cookie = request.cookies.get(COOKIE)
    signed_in = [SESSION + cookie] if cookie else []
    tokens: list[str] = []
    if credentials is not None:
        await may_try(request, engine)
        tokens = seat_tokens([part.strip() for part in credentials.credentials.split(",") if part.strip()])
        if len(tokens) > MOST_TOKENS:
            raise Problem(401, f"at most {MOST_TOKENS} tokens are looked at", "Authorization")
    for key in tokens + signed_in:
        engine.gate.key(key)
    return tokens + signed_in


TheTokens = Annotated[list[str], Depends(the_tokens)]
MayTry = Annotated[None, Depends(may_try)]


def answer(text: str, status: int = 200) -> Response:
    """JSON that no cache keeps."""
    return Response(text.encode(errors="replace"), status, NO_STORE, "application/json")
