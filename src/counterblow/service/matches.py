"""The addresses of matches, and what each of them asks of the table."""

from __future__ import annotations

import json
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Header, Query, Request, Response

from counterblow.service import accounts, guard, learning, models
from counterblow.service.asking import ERRORS, MayTry, TheEngine, TheTokens, answer
from counterblow.service.engine import Engine
from counterblow.service.errors import Problem
from counterblow.service.table import seat_tokens

router = APIRouter(prefix="/api", responses=ERRORS)


@router.post("/matches", response_model=models.NewMatchAnswer, status_code=201, operation_id="newMatch")
async def new_match(request: Request, new: models.NewMatch, engine: TheEngine, tokens: TheTokens) -> Response:
    """Begin a match. The answer holds the secret tokens of the persons' seats; they are told only here."""
    address = guard.address_of(request.scope)
    engine.gate.new_match(address)
    most = engine.settings.limits.open_matches
    return await _begin(engine, await engine.text(engine.host.create, new, address, most, tokens))


@router.post("/matches/import", response_model=models.NewMatchAnswer, status_code=201, operation_id="importMatch")
async def import_match(request: Request, new: models.ImportedMatch, engine: TheEngine, tokens: TheTokens) -> Response:
    """Begin a match from a record, where the record ends."""
    address = guard.address_of(request.scope)
    engine.gate.new_match(address)
    return await _begin(engine, await engine.text(engine.host.import_record, new, address, tokens))


async def _begin(engine: Engine, text: str, status: int = 201) -> Response:
    engine.wake(json.loads(text)["id"])
    return answer(text, status)


@router.post("/matches/mine", response_model=list[models.MyMatch], operation_id="myMatches")
async def my_matches(wanted: models.Tokens, engine: TheEngine, tokens: TheTokens) -> Response:
    """The matches in which these tokens, or who is signed in, hold seats, latest first."""
    return answer(await engine.text(engine.table.mine, [*seat_tokens(wanted.tokens), *tokens]))


@router.get("/lobby", response_model=list[models.MatchSummary], operation_id="lobby")
async def the_lobby(engine: TheEngine) -> Response:
    """Remote matches that anybody may join."""
    return answer(await engine.text(engine.host.lobby))


@router.post("/matches/{match}/invitation", response_model=models.InvitationModel, operation_id="invitation")
async def the_invitation(match: str, shown: models.Invitation, engine: TheEngine, _: MayTry) -> Response:
    """What an invitation offers: game, side, options, the commitment of the dice."""
    return answer(await engine.text(engine.host.look_at_invitation, match, shown.invitation))


@router.post("/matches/{match}/join", response_model=models.NewMatchAnswer, operation_id="join")
async def join(match: str, wanted: models.Join, engine: TheEngine, tokens: TheTokens, _: MayTry) -> Response:
    """Take the seat that waits. The answer holds its key, which nobody else is told; the match begins."""
    return await _begin(engine, await engine.text(engine.host.join, match, wanted, tokens), 200)


@router.delete("/matches/{match}", operation_id="withdraw")
async def withdraw(match: str, engine: TheEngine, tokens: TheTokens) -> Response:
    """Take back a remote match that nobody has joined."""
    return answer(await engine.text(engine.host.withdraw, match, tokens))


@router.get("/matches/{match}/info", response_model=models.InfoModel, operation_id="info")
async def the_info(match: str, engine: TheEngine, tokens: TheTokens) -> Response:
    """A match without its position, also while it waits for its other player."""
    return answer(await engine.text(engine.between.info, match, tokens))


@router.get("/matches/{match}", response_model=models.MatchState, operation_id="match")
async def the_match(
    match: str,
    engine: TheEngine,
    tokens: TheTokens,
    ply: Annotated[int | None, Query(description="show the position after this many actions")] = None,
    since: Annotated[int, Query(description="leave out log entries up to this ply; -1 for the whole log")] = -1,
) -> Response:
    """A match as the seat of the (first) token sees it."""
    return answer(await engine.text(engine.table.state, match, tokens, ply, since))


@router.get("/matches/{match}/log", response_model=models.LogModel, operation_id="log")
async def the_log(match: str, engine: TheEngine, tokens: TheTokens, since: int = -1) -> Response:
    """What the seat may read of the log, after ply ``since``."""
    return answer(await engine.text(engine.table.log, match, tokens, since))


@router.get("/matches/{match}/record", response_model=models.RecordModel, operation_id="record")
async def the_record(match: str, engine: TheEngine, tokens: TheTokens) -> Response:
    """The record, when the game is over or the tokens of all persons are presented."""
    return answer(await engine.text(engine.table.record, match, tokens))


@router.get("/matches/{match}/overlay", response_model=models.OverlayModel, operation_id="overlay")
async def the_overlay(
    match: str, kind: str, engine: TheEngine, tokens: TheTokens, side: str | None = None, unit: int | None = None
) -> Response:
    """Something to lay over the map: zones of control, supply, reach. The game lists the kinds it knows."""
    return answer(await engine.text(engine.table.overlay, match, tokens, kind, side, unit))


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
    return answer(await engine.change(match, tokens, change))


@router.post("/matches/{match}/undo", response_model=models.Update, operation_id="undo")
async def undo(match: str, wanted: models.Undo, engine: TheEngine, tokens: TheTokens) -> Response:
    """Take back the last action: by who did it, and not past a die, a draw or a reveal."""
    change = partial(engine.table.undo, match, tokens, wanted.seq)
    return answer(await engine.change(match, tokens, change))


@router.post("/matches/{match}/resign", response_model=models.Update, operation_id="resign")
async def resign(match: str, engine: TheEngine, tokens: TheTokens) -> Response:
    """Give up."""
    return answer(await engine.change(match, tokens, partial(engine.between.resign, match, tokens)))


@router.post("/matches/{match}/offers", response_model=models.Update, operation_id="offer")
async def offer(match: str, wanted: models.Offered, engine: TheEngine, tokens: TheTokens) -> Response:
    """Offer a draw, ask to take back one's last action whatever it was, or ask for a rematch."""
    text = await engine.change(match, tokens, partial(engine.between.offer, match, tokens, wanted.kind))
    await engine.tell_people(match)
    return answer(text)


@router.post("/matches/{match}/offers/answer", response_model=models.Update, operation_id="answerOffer")
async def answer_offer(match: str, said: models.Answered, engine: TheEngine, tokens: TheTokens) -> Response:
    """Accept or decline what the other side offers."""
    text = await engine.change(match, tokens, partial(engine.between.answer, match, tokens, said.kind, said.accept))
    await engine.tell_people(match)
    return answer(text)


@router.post("/matches/{match}/messages", response_model=accounts.Done, operation_id="say")
async def say(match: str, said: accounts.Say, engine: TheEngine, tokens: TheTokens) -> Response:
    """Say something to the other player."""
    text = await engine.text(engine.between.say, match, tokens, said.text)
    await engine.tell_people(match)
    return answer(text)


@router.post("/matches/{match}/report", response_model=accounts.Done, operation_id="report")
async def report(match: str, said: accounts.Report, engine: TheEngine, tokens: TheTokens) -> Response:
    """Tell who runs this server that something is wrong in a match."""
    return answer(await engine.text(engine.between.report, match, tokens, said.text))


@router.put("/matches/{match}/answers", response_model=models.Update, operation_id="standingAnswers")
async def standing_answers(match: str, wanted: models.Answers, engine: TheEngine, tokens: TheTokens) -> Response:
    """How this seat answers when it may react to the other side, without being asked each time."""
    return answer(await engine.change(match, tokens, partial(engine.between.set_answers, match, tokens, wanted)))


@router.post("/matches/{match}/why", response_model=models.WhyModel, operation_id="why")
async def why(match: str, asked: models.Ask, engine: TheEngine, tokens: TheTokens) -> Response:
    """Why an action would be refused, by rule."""
    return answer(await engine.text(engine.table.why, match, tokens, asked.action))


@router.post("/matches/{match}/forecast", response_model=models.ForecastAnswer, operation_id="forecast")
async def forecast(match: str, asked: models.Ask, engine: TheEngine, tokens: TheTokens) -> Response:
    """The exact outcomes of a legal action, where dice will decide."""
    return answer(await engine.text(engine.table.forecast, match, tokens, asked.action))


@router.post("/matches/{match}/coach", response_model=learning.AdviceModel, operation_id="coach")
async def coach(match: str, asked: learning.CoachQuestion, engine: TheEngine, tokens: TheTokens) -> Response:
    """What a computer player would do here; between two persons only if both ask."""
    return answer(await learning.coach(engine, match, tokens, asked.about))


# ---------------------------------------------------------------------- live


@router.get("/matches/{match}/live", response_model=models.LiveMessages, operation_id="live")
async def live_by_get(match: str) -> Response:
    """A WebSocket: send ``hello``, get ``state`` and then an ``update`` for every change; "ping" gets "pong".

    A seat may also act here: each ``act`` is answered by ``done`` or ``refused``.
    """
    raise Problem(426, "connect here with a WebSocket")
