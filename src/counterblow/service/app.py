"""The web service: its parts put together, the games, and how errors are told."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

from counterblow.kernel.errors import CounterblowError
from counterblow.service import accounts, beat, guard, learning, matches, models, reviewing, sockets, watch
from counterblow.service.asking import ERRORS, TheEngine, answer, the_engine
from counterblow.service.catalogue import Content
from counterblow.service.engine import Engine, Settings
from counterblow.service.errors import Problem, WrongKey
from counterblow.service.pages import Pages
from counterblow.service.wire import dump

API_VERSION = "1"

router = APIRouter(prefix="/api", responses=ERRORS)


def create_app(settings: Settings | None = None) -> FastAPI:
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
    for part in (
        router,
        matches.router,
        sockets.router,
        learning.router,
        accounts.router,
        reviewing.router,
        watch.router,
    ):
        app.include_router(part)
    app.state.figures = watch.Figures(engine)
    app.mount("/", Pages(chosen.static))
    app.add_middleware(GZipMiddleware, minimum_size=1024, compresslevel=1)  # quick: most of an answer is a view
    app.add_middleware(beat.Beat)
    app.add_middleware(watch.Watch, figures=app.state.figures)
    app.add_middleware(guard.Guard, hosts=chosen.hosts, gate=engine.gate)
    _tell_errors(app)
    return app


# ---------------------------------------------------------------------- games


def _lasting(request: Request, content: Content, kind: str, cache: str = "no-cache", **more: str) -> Response:
    """Something that seldom changes: the browser asks whether what it has is still right."""
    tag = f'W/"{content.digest}"'
    headers = {"Cache-Control": cache, "ETag": tag, "Vary": "Accept-Encoding", **more}
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(content.zipped, 200, {**headers, "Content-Encoding": "gzip"}, kind)
    return Response(content.plain, 200, headers, kind)


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


# ---------------------------------------------------------------------- errors


def _tell_errors(app: FastAPI) -> None:
    """Every error as {"error", "where", "citations"}."""

    @app.exception_handler(WrongKey)
    async def wrong_key(request: Request, error: WrongKey) -> Response:
        engine = await the_engine(request)
        engine.gate.wrong_key(guard.address_of(request.scope), request.path_params.get("match", ""))
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
        told = _error(Problem(500, "something went wrong in the server; nothing was changed"))
        told.headers.update(guard.HEADERS)  # this answer does not pass the guard
        return told


def _error(problem: Problem) -> Response:
    told = answer(dump(problem.to_json()), problem.status)
    if problem.status == 401:
        told.headers["WWW-Authenticate"] = "Bearer"
    if problem.retry_after is not None:
        told.headers["Retry-After"] = str(math.ceil(problem.retry_after))
    return told
