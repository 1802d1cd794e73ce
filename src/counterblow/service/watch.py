"""Watching the service: health, readiness, figures for Prometheus, and a log of requests without anybody's secrets."""

from __future__ import annotations

import json
import logging
import time
from typing import cast

from fastapi import APIRouter, Request, Response
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from counterblow.service.engine import Engine
from counterblow.service.errors import Problem

log = logging.getLogger("counterblow.requests")
router = APIRouter(prefix="/api", include_in_schema=False)
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)


class Figures:
    """What Prometheus is told of one process."""

    def __init__(self, engine: Engine) -> None:
        self.registry = CollectorRegistry()
        names = ("method", "route", "status")
        self.requests = Counter("counterblow_requests", "Requests answered", names, registry=self.registry)
        self.seconds = Histogram(
            "counterblow_request_seconds",
            "Time to answer",
            ("method", "route"),
            buckets=BUCKETS,
            registry=self.registry,
        )
        for name, text, function in (
            ("live_connections", "Live connections", engine.hub.connections),
            ("watched_matches", "Matches that somebody watches", lambda: len(engine.hub.matches())),
            ("clerk_waiting", "Requests that wait for the clerk", lambda: engine.clerk.waiting()),
            ("clerk_served", "Requests that the clerk has served", lambda: engine.clerk.served),
            ("clerk_batches", "Transactions they were served in", lambda: engine.clerk.batches),
            ("open_matches", "Matches in memory", lambda: engine.table.open_matches()),
            ("thoughts", "Lines of computer players", lambda: engine.workers.thoughts),
            ("database_away", "1 while the database cannot be used", lambda: int(engine.clerk.away is not None)),
        ):
            Gauge(f"counterblow_{name}", text, registry=self.registry).set_function(function)


class Watch:
    """Counts every answer by its route, never by its address: those name matches."""

    def __init__(self, app: ASGIApp, figures: Figures) -> None:
        self.app = app
        self.figures = figures

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, status = time.perf_counter(), 500

        async def counted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, counted)
        finally:
            took = time.perf_counter() - began
            route = getattr(scope.get("route"), "path", "other")
            self.figures.requests.labels(scope["method"], route, status).inc()
            self.figures.seconds.labels(scope["method"], route).observe(took)
            if log.isEnabledFor(logging.INFO):
                fields = {"method": scope["method"], "route": route, "status": status, "ms": round(took * 1000, 1)}
                log.info("request", extra={"fields": fields})


@router.get("/health")
async def health() -> Response:
    """The process answers."""
    return Response('{"status":"ok"}', media_type="application/json")


@router.get("/ready")
async def ready(request: Request) -> Response:
    """It can do its work: the database answers, and it is not about to stop."""
    engine = cast(Engine, request.app.state.engine)
    if not engine.ready:
        raise Problem(503, "stopping", retry_after=1)
    await engine.run(engine.table.store.ping)
    return Response('{"status":"ready"}', media_type="application/json")


@router.get("/metrics")
async def metrics(request: Request) -> Response:
    """For Prometheus, where the server was started with --metrics."""
    engine = cast(Engine, request.app.state.engine)
    if not engine.settings.metrics:
        raise Problem(404, "not here")
    return Response(generate_latest(request.app.state.figures.registry), media_type="text/plain; version=0.0.4")


class Lines(logging.Formatter):
    """A log of JSON lines."""

    def format(self, record: logging.LogRecord) -> str:
        data = {"at": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"), "level": record.levelname.lower()}
        data |= {"from": record.name, "text": record.getMessage(), **getattr(record, "fields", {})}
        if record.exc_info:
            data["trace"] = self.formatException(record.exc_info)
        return json.dumps(data, ensure_ascii=False)


def log_lines() -> None:
    """Write the log as JSON lines to standard error, requests included."""
    handler = logging.StreamHandler()
    handler.setFormatter(Lines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
