"""The addresses for people: signing in, settings, ratings, messages, reports."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Request, Response
from pydantic import AfterValidator, BaseModel, Field

from counterblow.service import guard, models, people
from counterblow.service.asking import COOKIE, TheEngine, answer
from counterblow.service.engine import Engine
from counterblow.service.errors import Problem
from counterblow.service.models import Name, Strict
from counterblow.service.wire import dump

COOKIE_SECONDS = 180 * 24 * 3600
ERRORS: dict[int | str, dict[str, Any]] = {n: {"model": models.ErrorModel} for n in (401, 403, 404, 409, 422, 429, 503)}
router = APIRouter(prefix="/api", responses=ERRORS)


def a_name(text: str) -> str:
    if len(text) < 2:
        raise ValueError("a name has at least two letters")
    return text


Password = Annotated[str, Field(min_length=8, max_length=200)]
AccountName = Annotated[Name, AfterValidator(a_name)]
Email = Annotated[str, Field(max_length=200, pattern=r"^[^@\s<>]+@[^@\s<>]+\.[^@\s<>]+$")]


class SignUp(Strict):
    name: AccountName
    password: Password
    email: Email | None = None


class SignIn(Strict):
    name: Annotated[str, Field(max_length=200, description="the account's name or e-mail address")]
    password: Annotated[str, Field(max_length=200)]


class AskLink(Strict):
    email: Email


class UseLink(Strict):
    token: Annotated[str, Field(max_length=100)]
    name: AccountName | None = Field(None, description="for a new account")


class Change(Strict):
    password: Password | None = None
    mail: bool | None = Field(None, description="tell me by e-mail when it is my turn")
    webhook: Annotated[str, Field(max_length=500, pattern=r"^(https?://\S+)?$")] | None = Field(
        None, description="an address that is called when it is my turn; empty for none"
    )
    vacation_days: Annotated[float, Field(ge=0, le=30)] | None = Field(
        None, description="no clock of days runs out for so long"
    )


class Subscription(Strict):
    endpoint: Annotated[str, Field(max_length=1000, pattern=r"^https://")]
    keys: Annotated[dict[str, Annotated[str, Field(max_length=200)]], Field(max_length=4)]


class Block(Strict):
    name: Annotated[str, Field(max_length=200)]
    blocked: bool = True


class Say(Strict):
    text: Annotated[str, Field(min_length=1, max_length=1000), AfterValidator(models.plain_text)]


class Report(Strict):
    text: Annotated[str, Field(min_length=1, max_length=2000), AfterValidator(models.plain_text)]


class SessionModel(BaseModel):
    id: str
    created: str
    agent: str


class RatingModel(BaseModel):
    game: str
    side: str
    rating: float
    deviation: float
    volatility: float
    games: int


class AccountModel(BaseModel):
    name: str
    email: str | None
    has_password: bool
    created: str
    vacation: str | None
    mail: bool
    webhook: str | None
    devices: int
    sessions: list[SessionModel]
    ratings: list[RatingModel]
    blocked: list[str]


class WaysModel(BaseModel):
    """How people can sign in here and be told."""

    mail: bool
    push_key: str | None = Field(description="the server's public key for notifications of the browser")


class Done(BaseModel):
    done: Literal[True] = True


async def _account(request: Request, engine: TheEngine) -> str:
    token = request.cookies.get(COOKIE, "")
    found = await engine.run(engine.people.session, token) if token else None
    if found is None:
        raise Problem(401, "sign in first")
    return found


TheAccount = Annotated[str, Depends(_account)]


def _json(data: Any, status: int = 200) -> Response:
    return answer(dump(data), status)


DONE = {"done": True}


async def _signed_in(request: Request, engine: Engine, account: str, status: int = 200) -> Response:
    agent = request.headers.get("user-agent", "")
    token = await engine.run(engine.people.begin_session, account, models.plain_text(agent))
    answer = _json(await engine.run(engine.people.described, account), status)
    secure = request.url.scheme == "https"
    answer.set_cookie(COOKIE, token, COOKIE_SECONDS, httponly=True, samesite="strict", secure=secure)
    return answer


# ---------------------------------------------------------------------- signing in


@router.get("/account/ways", response_model=WaysModel, operation_id="ways")
async def ways(engine: TheEngine) -> Response:
    """Which ways of signing in and being told this server has."""
    return _json({"mail": engine.mail is not None, "push_key": engine.push_key})


@router.post("/account", response_model=AccountModel, status_code=201, operation_id="signUp")
async def sign_up(request: Request, new: SignUp, engine: TheEngine) -> Response:
    """A new account with a password. An e-mail address is believed only when a link sent there was used."""
    address = guard.address_of(request.scope)
    engine.gate.new_match(address)
    if new.email is not None:
        raise Problem(422, "to use an e-mail address, sign in by a link first, then choose a password", "email")
    hashed = await asyncio.to_thread(people.hash_password, new.password)
    account = await engine.run(engine.people.sign_up, new.name, None, hashed)
    return await _signed_in(request, engine, account, 201)


@router.post("/account/session", response_model=AccountModel, operation_id="signIn")
async def sign_in(request: Request, wanted: SignIn, engine: TheEngine) -> Response:
    """Sign in by name and password. Wrong ones lock this name for this address, for longer and longer."""
    address, what = guard.address_of(request.scope), f"account {people.key_of(wanted.name)[:80]}"
    engine.gate.may_try(address, what)

    def find() -> tuple[str | None, str | None]:
        row = engine.people.named(wanted.name) or engine.people.by_email(wanted.name)
        return (None, None) if row is None else (row["id"], row["password"])

    account, kept = await engine.run(find)
    if not await asyncio.to_thread(people.fits, wanted.password, kept) or account is None:
        engine.gate.wrong_key(address, what)
        raise Problem(403, "name or password is wrong")
    return await _signed_in(request, engine, account)


@router.post("/account/link", response_model=Done, status_code=202, operation_id="askLink")
async def ask_link(request: Request, wanted: AskLink, engine: TheEngine) -> Response:
    """Send a link that signs in to an e-mail address. The answer is the same whether it has an account or not."""
    if engine.mail is None:
        raise Problem(409, "this server cannot send mail: sign up with a password")
    engine.gate.new_match(guard.address_of(request.scope))
    token = await engine.run(engine.people.new_link, wanted.email)
    engine.send_mail(wanted.email, "Sign in to Counterblow", f"{engine.base(request.base_url)}signin#{token}")
    return _json(DONE, 202)


@router.post("/account/link/use", response_model=AccountModel, operation_id="useLink")
async def use_link(request: Request, wanted: UseLink, engine: TheEngine) -> Response:
    """Sign in with a link from a mail; with a name, if the address has no account yet."""
    address = guard.address_of(request.scope)
    engine.gate.may_try(address, "link")
    try:
        account = await engine.run(engine.people.use_link, wanted.token, wanted.name)
    except Problem as problem:
        if problem.status == 403:
            engine.gate.wrong_key(address, "link")
        raise
    return await _signed_in(request, engine, account)


@router.delete("/account/session/{number}", response_model=Done, operation_id="signOut")
async def sign_out(number: str, request: Request, engine: TheEngine, account: TheAccount) -> Response:
    """End a session: "this" one, another by its id, or "all"."""
    if number == "this":
        number = people.digest(request.cookies[COOKIE]).hex()[:16]
    await engine.run(engine.people.end_session, account, number)
    return _json(DONE)


# ---------------------------------------------------------------------- one's account


@router.get("/account", response_model=AccountModel, operation_id="account")
async def the_account(engine: TheEngine, account: TheAccount) -> Response:
    return _json(await engine.run(engine.people.described, account))


@router.patch("/account", response_model=AccountModel, operation_id="changeAccount")
async def change_account(wanted: Change, engine: TheEngine, account: TheAccount) -> Response:
    changes: dict[str, Any] = {}
    if wanted.password is not None:
        changes["password"] = await asyncio.to_thread(people.hash_password, wanted.password)
    if wanted.mail is not None:
        changes["mail"] = int(wanted.mail)
    if wanted.webhook is not None:
        changes["webhook"] = wanted.webhook or None
    if wanted.vacation_days is not None:
        changes["vacation"] = people.soonest(wanted.vacation_days)
    await engine.run(engine.people.change, account, changes)
    return _json(await engine.run(engine.people.described, account))


@router.post("/account/push", response_model=Done, operation_id="subscribe")
async def subscribe(wanted: Subscription, engine: TheEngine, account: TheAccount) -> Response:
    """Tell this browser when it is my turn."""
    await engine.run(engine.people.subscribe, account, wanted.endpoint, wanted.keys)
    return _json(DONE)


@router.post("/account/blocked", response_model=Done, operation_id="block")
async def block(wanted: Block, engine: TheEngine, account: TheAccount) -> Response:
    """Have nothing to do with somebody: no invitations joined, no messages read; or again."""
    await engine.run(engine.people.block, account, wanted.name, wanted.blocked)
    return _json(DONE)


@router.get("/account/export", operation_id="exportAccount")
async def export(engine: TheEngine, account: TheAccount) -> Response:
    """Everything that is kept of me."""
    return _json(await engine.run(engine.people.export, account))


@router.delete("/account", response_model=Done, operation_id="removeAccount")
async def remove(engine: TheEngine, account: TheAccount) -> Response:
    """Forget me. Matches stay for who played them, without my name."""
    await engine.run(engine.table.remove_account, account)
    answer = _json(DONE)
    answer.delete_cookie(COOKIE)
    return answer
