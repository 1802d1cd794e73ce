"""The web service: addresses, and what each of them asks of the table."""

from __future__ import annotations

import json
import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Annotated, Any, cast

from fastapi import APIRouter, Depends, FastAPI, Header, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

from counterblow.kernel.errors import CounterblowError
from counterblow.service import accounts, guard, learning, models, sockets, watch
from counterblow.service.accounts import COOKIE
from counterblow.service.catalogue import Content
from counterblow.service.engine import Engine, Settings
from counterblow.service.errors import Problem, WrongKey
from counterblow.service.pages import Pages
from counterblow.service.table import SESSION, seat_tokens
from counterblow.service.wire import dump

API_VERSION = "1"
MOST_TOKENS = 4
NO_STORE = {"Cache-Control": "no-store"}
ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": models.ErrorModel} for status in (400, 401, 403, 404, 408, 409, 413, 422, 429, 503)
}

router = APIRouter(prefix="/api", responses=ERRORS)
bearer = HTTPBearer(auto_error=False, description="The secret token of a seat; several are separated by commas.")


def create_app(settings: Settings | None = None) -> FastAPI:
    from counterblow.service import reviewing  # it uses what is defined below

    chosen = settings or Settings()
    engine = Engine(chosen)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await engine.open()
        app.state.engine = engine
        yield
        await engine.close()

    app = FastAPI(
        title="Counterblow",
        version=API_VERSION,
        description="Board wargames with every rule enforced and explained. See docs/api.md.",
        lifespan=lifespan,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
    )
    app.include_router(router)
    app.include_router(learning.router)
    app.include_router(accounts.router)
    app.include_router(watch.router)
    app.include_router(sockets.router)
    app.state.figures = watch.Figures(engine)
    app.include_router(reviewing.router)
    app.mount("/", Pages(chosen.static))
    app.add_middleware(GZipMiddleware, minimum_size=1024, compresslevel=1)  # quick: most of an answer is a view
    app.add_middleware(watch.Watch, figures=app.state.figures)
    app.add_middleware(guard.Guard, hosts=chosen.hosts, gate=engine.gate)
    _tell_errors(app)
    return app


# ---------------------------------------------------------------------- what every address uses


def _engine(request: Request) -> Engine:
    return cast(Engine, request.app.state.engine)


def _tokens(
    request: Request, credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]
) -> list[str]:
    cookie = request.cookies.get(COOKIE)
    signed_in = [SESSION + cookie] if cookie else []
    if credentials is None:
        return signed_in
    _engine(request).gate.may_try(guard.address_of(request.scope), request.path_params.get("match", ""))
    tokens = [token for token in (part.strip() for part in credentials.credentials.split(",")) if token]
    tokens = seat_tokens(tokens)
    if len(tokens) > MOST_TOKENS:
        raise Problem(401, f"at most {MOST_TOKENS} tokens are looked at", "Authorization")
    return tokens + signed_in


def _may_try(request: Request) -> None:
    _engine(request).gate.may_try(guard.address_of(request.scope), request.path_params.get("match", ""))


TheEngine = Annotated[Engine, Depends(_engine)]
TheTokens = Annotated[list[str], Depends(_tokens)]
MayTry = Annotated[None, Depends(_may_try)]


def _json(text: str, status: int = 200) -> Response:
    return Response(text.encode(errors="replace"), status, NO_STORE, "application/json")


def _lasting(request: Request, content: Content, kind: str, cache: str = "no-cache", **more: str) -> Response:
    """Something that seldom changes: the browser asks whether what it has is still right."""
    tag = f'W/"{content.digest}"'
    headers = {"Cache-Control": cache, "ETag": tag, "Vary": "Accept-Encoding", **more}
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(content.zipped, 200, {**headers, "Content-Encoding": "gzip"}, kind)
    return Response(content.plain, 200, headers, kind)


# ---------------------------------------------------------------------- games


@router.get("/games", response_model=list[models.GameSummary], operation_id="games")
async def the_games(request: Request, engine: TheEngine) -> Response:
    """The games that can be played."""
    found = await engine.describe(engine.catalogue.list, tuple(engine.settings.slugs()))
    return _lasting(request, found, "application/json")


@router.get("/games/{slug}", response_model=models.GameModel, operation_id="game")
async def one_game(request: Request, slug: str, engine: TheEngine) -> Response:
    """All of a game that never changes: map, rules, charts, kinds of actions."""
    return _lasting(request, await engine.describe(engine.catalogue.one, slug), "application/json")


@router.get("/games/{slug}/map.svg", operation_id="map", response_class=Response)
async def the_map(request: Request, slug: str, engine: TheEngine, v: str = "") -> Response:
    """The drawn map. Its address in the description of the game changes when the drawing does."""
    drawing = await engine.describe(engine.catalogue.drawing, slug)
    cache = "public, max-age=31536000, immutable" if v == drawing.digest else "no-cache"
    return _lasting(request, drawing, "image/svg+xml", cache, **{"Content-Security-Policy": guard.DRAWING_POLICY})


# ---------------------------------------------------------------------- matches


@router.post("/matches", response_model=models.NewMatchAnswer, status_code=201, operation_id="newMatch")
async def new_match(request: Request, new: models.NewMatch, engine: TheEngine, tokens: TheTokens) -> Response:
    """Begin a match. The answer holds the secret tokens of the persons' seats; they are told only here."""
    address = guard.address_of(request.scope)
    engine.gate.new_match(address)
    most = engine.settings.limits.open_matches
    return await _begin(engine, await engine.text(engine.table.create, new, address, most, tokens))


@router.post("/matches/import", response_model=models.NewMatchAnswer, status_code=201, operation_id="importMatch")
async def import_match(request: Request, new: models.ImportedMatch, engine: TheEngine, tokens: TheTokens) -> Response:
    """Begin a match from a record, where the record ends."""
    address = guard.address_of(request.scope)
    engine.gate.new_match(address)
    return await _begin(engine, await engine.text(engine.table.import_record, new, address, tokens))


async def _begin(engine: Engine, text: str, status: int = 201) -> Response:
    engine.wake(json.loads(text)["id"])
    return _json(text, status)


@router.post("/matches/mine", response_model=list[models.MyMatch], operation_id="myMatches")
async def my_matches(wanted: models.Tokens, engine: TheEngine, tokens: TheTokens) -> Response:
    """The matches in which these tokens, or who is signed in, hold seats, latest first."""
    return _json(await engine.text(engine.table.mine, [*seat_tokens(wanted.tokens), *tokens]))


@router.get("/lobby", response_model=list[models.MatchSummary], operation_id="lobby")
async def the_lobby(engine: TheEngine) -> Response:
    """Remote matches that anybody may join."""
    return _json(await engine.text(engine.table.lobby))


@router.post("/matches/{match}/invitation", response_model=models.InvitationModel, operation_id="invitation")
async def the_invitation(match: str, shown: models.Invitation, engine: TheEngine, _: MayTry) -> Response:
    """What an invitation offers: game, side, options, the commitment of the dice."""
    return _json(await engine.text(engine.table.look_at_invitation, match, shown.invitation))


@router.post("/matches/{match}/join", response_model=models.NewMatchAnswer, operation_id="join")
async def join(match: str, wanted: models.Join, engine: TheEngine, tokens: TheTokens, _: MayTry) -> Response:
    """Take the seat that waits. The answer holds its key, which nobody else is told; the match begins."""
    return await _begin(engine, await engine.text(engine.table.join, match, wanted, tokens), 200)


@router.delete("/matches/{match}", operation_id="withdraw")
async def withdraw(match: str, engine: TheEngine, tokens: TheTokens) -> Response:
    """Take back a remote match that nobody has joined."""
    return _json(await engine.text(engine.table.withdraw, match, tokens))


@router.get("/matches/{match}/info", response_model=models.InfoModel, operation_id="info")
async def the_info(match: str, engine: TheEngine, tokens: TheTokens) -> Response:
    """A match without its position, also while it waits for its other player."""
    return _json(await engine.text(engine.table.info, match, tokens))


@router.get("/matches/{match}", response_model=models.MatchState, operation_id="match")
async def the_match(
    match: str,
    engine: TheEngine,
    tokens: TheTokens,
    ply: Annotated[int | None, Query(description="show the position after this many actions")] = None,
    since: Annotated[int, Query(description="leave out log entries up to this ply; -1 for the whole log")] = -1,
) -> Response:
    """A match as the seat of the (first) token sees it."""
    return _json(await engine.text(engine.table.state, match, tokens, ply, since))


@router.get("/matches/{match}/log", response_model=models.LogModel, operation_id="log")
async def the_log(match: str, engine: TheEngine, tokens: TheTokens, since: int = -1) -> Response:
    """What the seat may read of the log, after ply ``since``."""
    return _json(await engine.text(engine.table.log, match, tokens, since))


@router.get("/matches/{match}/record", response_model=models.RecordModel, operation_id="record")
async def the_record(match: str, engine: TheEngine, tokens: TheTokens) -> Response:
    """The record, when the game is over or the tokens of all persons are presented."""
    return _json(await engine.text(engine.table.record, match, tokens))


@router.get("/matches/{match}/overlay", response_model=models.OverlayModel, operation_id="overlay")
async def the_overlay(
    match: str, kind: str, engine: TheEngine, tokens: TheTokens, side: str | None = None, unit: int | None = None
) -> Response:
    """Something to lay over the map: zones of control, supply, reach. The game lists the kinds it knows."""
    return _json(await engine.text(engine.table.overlay, match, tokens, kind, side, unit))


@router.post("/matches/{match}/actions", response_model=models.Update, operation_id="act")
async def act(
    match: str,
    wanted: models.DoAction,
    engine: TheEngine,
    tokens: TheTokens,
    key: Annotated[str | None, Header(alias="Idempotency-Key", max_length=100)] = None,
) -> Response:
    """Carry out an action, or several: by the seat that decides, on the position it saw (``seq``), and legal.

    A request that is sent again with the same ``Idempotency-Key`` is done once.
    """
    change = partial(engine.table.do, match, tokens, wanted.seq, wanted.texts(), wanted.where, key)
    return _json(await engine.change(match, tokens, change))


@router.post("/matches/{match}/undo", response_model=models.Update, operation_id="undo")
async def undo(match: str, wanted: models.Undo, engine: TheEngine, tokens: TheTokens) -> Response:
    """Take back the last action: by who did it, and not past a die, a draw or a reveal."""
    change = partial(engine.table.undo, match, tokens, wanted.seq)
    return _json(await engine.change(match, tokens, change))


@router.post("/matches/{match}/resign", response_model=models.Update, operation_id="resign")
async def resign(match: str, engine: TheEngine, tokens: TheTokens) -> Response:
    """Give up."""
    return _json(await engine.change(match, tokens, partial(engine.table.resign, match, tokens)))


@router.post("/matches/{match}/offers", response_model=models.Update, operation_id="offer")
async def offer(match: str, wanted: models.Offered, engine: TheEngine, tokens: TheTokens) -> Response:
    """Offer a draw, ask to take back one's last action whatever it was, or ask for a rematch."""
    text = await engine.change(match, tokens, partial(engine.table.offer, match, tokens, wanted.kind))
    await engine.tell_people(match)
    return _json(text)


@router.post("/matches/{match}/offers/answer", response_model=models.Update, operation_id="answerOffer")
async def answer_offer(match: str, said: models.Answered, engine: TheEngine, tokens: TheTokens) -> Response:
    """Accept or decline what the other side offers."""
    text = await engine.change(match, tokens, partial(engine.table.answer, match, tokens, said.kind, said.accept))
    await engine.tell_people(match)
    return _json(text)


@router.post("/matches/{match}/messages", response_model=accounts.Done, operation_id="say")
async def say(match: str, said: accounts.Say, engine: TheEngine, tokens: TheTokens) -> Response:
    """Say something to the other player."""
    text = await engine.text(engine.table.say, match, tokens, said.text)
    await engine.tell_people(match)
    return _json(text)


@router.post("/matches/{match}/report", response_model=accounts.Done, operation_id="report")
async def report(match: str, said: accounts.Report, engine: TheEngine, tokens: TheTokens) -> Response:
    """Tell who runs this server that something is wrong in a match."""
    return _json(await engine.text(engine.table.report, match, tokens, said.text))


@router.put("/matches/{match}/answers", response_model=models.Update, operation_id="standingAnswers")
async def standing_answers(match: str, wanted: models.Answers, engine: TheEngine, tokens: TheTokens) -> Response:
    """How this seat answers when it may react to the other side, without being asked each time."""
    return _json(await engine.change(match, tokens, partial(engine.table.set_answers, match, tokens, wanted)))


@router.post("/matches/{match}/why", response_model=models.WhyModel, operation_id="why")
async def why(match: str, asked: models.Ask, engine: TheEngine, tokens: TheTokens) -> Response:
    """Why an action would be refused, by rule."""
    return _json(await engine.text(engine.table.why, match, tokens, asked.action))


@router.post("/matches/{match}/forecast", response_model=models.ForecastAnswer, operation_id="forecast")
async def forecast(match: str, asked: models.Ask, engine: TheEngine, tokens: TheTokens) -> Response:
    """The exact outcomes of a legal action, where dice will decide."""
    return _json(await engine.text(engine.table.forecast, match, tokens, asked.action))


@router.post("/matches/{match}/coach", response_model=learning.AdviceModel, operation_id="coach")
async def coach(match: str, asked: learning.CoachQuestion, engine: TheEngine, tokens: TheTokens) -> Response:
    """What a computer player would do here; between two persons only if both ask."""
    return _json(await learning.coach(engine, match, tokens, asked.about))


# ---------------------------------------------------------------------- live


@router.get("/matches/{match}/live", response_model=models.LiveMessages, operation_id="live")
async def live_by_get(match: str) -> Response:
    """A WebSocket: send ``hello``, get ``state`` and then an ``update`` for every change; "ping" gets "pong".

    A seat may also act here: each ``act`` is answered by ``done`` or ``refused``.
    """
    raise Problem(426, "connect here with a WebSocket")


# ---------------------------------------------------------------------- errors


def _tell_errors(app: FastAPI) -> None:
    """Every error as {"error", "where", "citations"}."""

    @app.exception_handler(WrongKey)
    async def wrong_key(request: Request, error: WrongKey) -> Response:
        _engine(request).gate.wrong_key(guard.address_of(request.scope), request.path_params.get("match", ""))
        return _error(error)

    @app.exception_handler(Problem)
    async def problem(request: Request, error: Problem) -> Response:
        return _error(error)

    @app.exception_handler(CounterblowError)
    async def ours(request: Request, error: CounterblowError) -> Response:
        return _error(Problem(422, str(error)))

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"] if part != "body")
        return _error(Problem(422, first["msg"], where or "body"))

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> Response:
        return _error(Problem(error.status_code, str(error.detail)))

    @app.exception_handler(Exception)
    async def unexpected(request: Request, error: Exception) -> Response:
        answer = _error(Problem(500, "something went wrong in the server; nothing was changed"))
        answer.headers.update(guard.HEADERS)  # this answer does not pass the guard
        return answer


def _error(problem: Problem) -> Response:
    answer = _json(dump(problem.to_json()), problem.status)
    if problem.status == 401:
        answer.headers["WWW-Authenticate"] = "Bearer"
    if problem.retry_after is not None:
        answer.headers["Retry-After"] = str(math.ceil(problem.retry_after))
    return answer
