"""The addresses for learning: the rulebook with its links, the search, lessons and the coach."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, Field

from counterblow.kernel.errors import CounterblowError, unknown
from counterblow.kernel.game import Game
from counterblow.kernel.state import State
from counterblow.learn.coach import advise, review_saved
from counterblow.learn.lesson import Lesson
from counterblow.learn.rulebook import Rulebook, rulebook
from counterblow.learn.search import LONGEST_QUESTION
from counterblow.learn.session import Reply, Session, example
from counterblow.service import models
from counterblow.service.asking import TheEngine
from counterblow.service.engine import Engine
from counterblow.service.errors import Problem
from counterblow.service.live import LiveMatch
from counterblow.service.showing import seen, told, view
from counterblow.service.store import Store
from counterblow.service.story import story
from counterblow.service.table import Table, overlay
from counterblow.service.wire import dump

router = APIRouter(prefix="/api", responses={status: {"model": models.ErrorModel} for status in (404, 409, 422)})


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
        "glossary": [{key: getattr(term, key) for key in ("name", "also", "text", "rules")} for term in book.glossary],
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


# ---------------------------------------------------------------------- the coach

MOST_REVIEWED = 8  # choices looked back upon: each is thought over anew


class CoachQuestion(models.Strict):
    about: Literal["now", "last", "turn", "enemy"] = Field(
        "now",
        description="what to do now; was the last own action wise, or all of the last turn's; the computer's plan",
    )


class CoachChoice(BaseModel):
    action: str
    reason: str
    worth: float = Field(description="victory points more than passing, as the coach expects them")
    less: float = Field(description="victory points less than the best choice")


class RegretModel(BaseModel):
    done: str
    better: str
    reason: str
    less: float


class ReviewModel(BaseModel):
    """A turn looked back upon: how many choices, how many of them the coach shares, the worst of the others."""

    choices: int
    same: int
    regrets: list[RegretModel]


class PlanModel(BaseModel):
    """What a computer player did, and why."""

    done: str
    rules: list[str]
    plan: str


class AdviceModel(BaseModel):
    """The first choices of a computer player, and what it thinks of what was done."""

    choices: list[CoachChoice]
    done: str | None
    place: int | None = Field(description="of what was done among all that was considered")
    less: float | None
    review: ReviewModel | None = None
    plans: list[PlanModel] = []


NO_ADVICE: dict[str, Any] = {"choices": [], "done": None, "place": None, "less": None}


async def coach(engine: Engine, match: str, tokens: Sequence[str], about: str) -> str:
    """What the computer would do in the seat of the first token, or have done instead of its last action."""
    if about == "turn":
        slug, turn, side = await engine.run(_turn, engine.table, match, tokens)
        found = await engine.coach.call(review_saved, engine.settings.load, slug, turn, side)
        return dump({**NO_ADVICE, "review": found})
    if about == "enemy":
        return dump({**NO_ADVICE, "plans": await engine.run(_enemy, engine.table, match, tokens)})
    slug, state, side, done = await engine.run(_coached, engine.table, match, tokens, about)
    return dump(await engine.coach.call(advise, engine.settings.load, slug, state, side, done))


def _pupil(table: Table, match: str, tokens: Sequence[str]) -> tuple[LiveMatch, str]:
    """The seat that may be advised: between persons only if both ask, or have agreed on it."""
    live, side, held = table.enter(match, tokens)
    if side is None:
        raise Problem(401, "present the token of your seat", "Authorization")
    persons = [seat.side for seat in live.start.seats if seat.kind != "computer"]
    if len(persons) > 1 and not set(persons) <= set(held) and not table.coached(live):
        said = "between two persons the coach speaks only when both agree: offer it to the other player"
        raise Problem(403, said, "match")
    return live, side


def _coached(table: Table, match: str, tokens: Sequence[str], about: str) -> tuple[str, str, int, str | None]:
    live, side = _pupil(table, match, tokens)
    number = live.game.side_number(side)
    if about == "now":
        if live.side != side:
            raise Problem(409, "there is nothing to decide in this seat now", "match")
        return live.game.slug, live.state.to_json(), number, None
    for before, done in _own_choices(live, side, table.store):
        return live.game.slug, before.to_json(), number, done
    raise Problem(409, "this seat has not chosen anything yet", "match")


def _enemy(table: Table, match: str, tokens: Sequence[str]) -> list[dict[str, Any]]:
    """The plans of the computer across, as far as they give away nothing that this seat cannot see."""
    live, side = _pupil(table, match, tokens)
    if live.game.hides(live.state) and not live.over:
        raise Problem(409, "with hidden units the computer's plans are told when the game is over")
    if not (plans := live.plans_told(side)):
        raise Problem(409, "the other side has told no plan yet")
    return plans


def _turn(table: Table, match: str, tokens: Sequence[str]) -> tuple[str, list[tuple[str, str]], int]:
    """The last choices of a seat in the turn in which it chose last."""
    live, side = _pupil(table, match, tokens)
    turn: list[tuple[State, str]] = []
    for before, done in _own_choices(live, side, table.store):
        if len(turn) == MOST_REVIEWED or (turn and before.turn != turn[0][0].turn):
            break
        turn.append((before, done))
    if not turn:
        raise Problem(409, "this seat has not chosen anything yet", "match")
    return live.game.slug, [(state.to_json(), done) for state, done in reversed(turn)], live.game.side_number(side)


def _own_choices(live: LiveMatch, side: str, store: Store) -> Iterator[tuple[State, str]]:
    """The positions in which a seat chose between several actions, the latest first, each with what it did."""
    for ply in range(live.ply - 1, -1, -1):
        entry = live.line[ply]
        if entry.side == side and entry.action is not None:
            before = live.state_at(ply, store)
            if before.side == side and len(before.legal()) > 1:
                yield before.copy(), entry.action


# ---------------------------------------------------------------------- lessons

MOST_INPUTS = 200  # no lesson has as many


class LessonSummary(BaseModel):
    name: str
    title: str
    about: str
    side: str
    minutes: int
    teaches: list[str]


class StepModel(BaseModel):
    """What is to be read and done now."""

    number: int
    of: int
    read: str
    light: list[str] = Field(description="hexes to light on the map")
    rules: list[str]
    reading: bool = Field(description="nothing to do but to read and go on")
    forbidden: str | None = Field(description="an action to try, which the rules forbid")
    wanted: list[str] = Field(description="the actions that are asked for now, any one of them")


class LessonBoard(BaseModel):
    """The board of a lesson, as its pupil sees it after ``shown`` actions."""

    ply: int
    shown: int
    turn_label: str
    decider: str | None
    view: models.ViewModel
    log: list[models.LogEntry]
    story: models.StoryModel | None


class LessonState(BaseModel):
    """A lesson after its inputs: where it stands, what was said to the last thing tried, and the board."""

    name: str
    title: str
    about: str
    side: str
    after: str
    next: str | None = Field(description="the lesson that follows this one")
    inputs: list[str] = Field(description="what was accepted so far: actions, and empty texts for going on")
    over: bool
    focus: list[str] = Field(description="the next hexes that the lesson speaks of, for a picture of its position")
    step: StepModel | None
    answer: Literal["done", "other", "refused"] | None
    say: str
    citations: list[models.CitationModel]
    board: LessonBoard


Input = Annotated[str, Field(max_length=600)]


class Taken(models.Strict):
    """A lesson is decided by what its pupil did: the server keeps nothing."""

    inputs: Annotated[list[Input], Field(max_length=MOST_INPUTS)] = []
    give: Input | None = Field(None, description="an action to try; an empty text to go on")
    ply: int | None = Field(None, description="show the position after this many actions")
    since: int = Field(-1, description="leave out log entries up to this ply")
    rule: Annotated[str, Field(max_length=40)] | None = Field(
        None, description="instead of inputs: the lesson as written, up to the first step that names this rule"
    )


class AskedInLesson(models.Strict):
    inputs: Annotated[list[Input], Field(max_length=MOST_INPUTS)] = []
    action: models.ActionText


class WhyInLesson(models.WhyModel):
    say: str = Field(description="what the lesson says to this wrong turn, if anything")


class OverlayInLesson(models.Strict):
    inputs: Annotated[list[Input], Field(max_length=MOST_INPUTS)] = []
    kind: Annotated[str, Field(max_length=40)]
    side: Annotated[str, Field(max_length=40)] | None = None
    unit: int | None = None


def board(session: Session, ply: int | None, since: int) -> dict[str, Any]:
    """The position after ``ply`` actions (None: now), with the log after ply ``since``."""
    match, side = session.match, session.lesson.side
    game, last = match.game, len(match.actions)
    at = last if ply is None else ply
    if not 0 <= at <= last:
        raise Problem(422, f"ply should be from 0 to {last}, not {ply}", "ply")
    log = [
        entry
        for number in range(max(since, 0), at)
        for entry in seen(told(game, match.events[number], number + 1, session.actors[number]), side)
    ]
    state = match.state_at(at)
    return {
        "ply": last,
        "shown": at,
        "turn_label": game.views.turn_label(state),
        "decider": state.side,
        "view": view(state, side),
        "log": log,
        "story": story(match, ply, game.side_number(side)) if ply else None,
    }


def _lesson(game: Game, name: str) -> Lesson:
    found = next((lesson for lesson in game.lessons if lesson.name == name), None)
    if found is None:
        raise Problem(404, f"{game.slug}: " + unknown("lesson", name, [lesson.name for lesson in game.lessons]), "name")
    return found


def _session(game: Game, name: str, inputs: list[str]) -> Session:
    try:
        return Session(_lesson(game, name), inputs)
    except CounterblowError as error:
        raise Problem(409, f"the lesson has changed since: begin it again ({error})", "inputs") from None


def shown(session: Session, reply: Reply | None, ply: int | None, since: int) -> dict[str, Any]:
    lesson, step = session.lesson, session.step
    order = [other.name for other in lesson.game.lessons]
    following = order[order.index(lesson.name) + 1 :] if lesson.name in order else []
    return {
        "name": lesson.name,
        "title": lesson.title,
        "about": lesson.about,
        "side": lesson.side,
        "after": lesson.after,
        "next": following[0] if following else None,
        "inputs": session.inputs,
        "over": session.over,
        "focus": next((one.light for one in lesson.steps[session.at :] if one.light), ()),
        "step": None
        if step is None
        else {
            "number": step.number,
            "of": len(lesson.steps),
            "read": step.read,
            "light": step.light,
            "rules": step.rules,
            "reading": step.reading,
            "forbidden": step.forbidden or None,
            "wanted": session.wanted,
        },
        "answer": reply.answer.value if reply else None,
        "say": reply.say if reply else "",
        "citations": [citation._asdict() for citation in reply.citations] if reply else [],
        "board": board(session, ply, since),
    }


@router.get("/games/{slug}/lessons", response_model=list[LessonSummary], operation_id="lessons")
async def the_lessons(slug: str, engine: TheEngine) -> Response:
    """The lessons of a game, in their order."""

    def listed() -> list[dict[str, Any]]:
        fields = ("name", "title", "about", "side", "minutes", "teaches")
        return [{name: getattr(lesson, name) for name in fields} for lesson in engine.table.game(slug).lessons]

    return _json(await engine.text(listed))


@router.post("/games/{slug}/lessons/{name}", response_model=LessonState, operation_id="lesson")
async def take_lesson(slug: str, name: str, taken: Taken, engine: TheEngine) -> Response:
    """A lesson after what its pupil did so far, and after one thing more, if something is given."""

    def answer() -> dict[str, Any]:
        game = engine.table.game(slug)
        if taken.rule is not None:
            return shown(example(_lesson(game, name), taken.rule), None, None, 0)
        session = _session(game, name, taken.inputs)
        reply = None if taken.give is None else session.give(taken.give)
        return shown(session, reply, taken.ply, taken.since)

    return _json(await engine.text(answer))


@router.post("/games/{slug}/lessons/{name}/why", response_model=WhyInLesson, operation_id="whyInLesson")
async def why_in_lesson(slug: str, name: str, asked: AskedInLesson, engine: TheEngine) -> Response:
    """Why an action would be refused, by rule."""

    def answer() -> dict[str, Any]:
        session = _session(engine.table.game(slug), name, asked.inputs)
        action = session.state.parse(asked.action)
        citations = [citation._asdict() for citation in session.state.why_not(action)]
        return {"legal": not citations, "citations": citations, "say": session.remark(action) if citations else ""}

    return _json(await engine.text(answer))


@router.post("/games/{slug}/lessons/{name}/forecast", response_model=models.ForecastAnswer, operation_id="oddsInLesson")
async def forecast_in_lesson(slug: str, name: str, asked: AskedInLesson, engine: TheEngine) -> Response:
    """The exact outcomes of a legal action, where dice will decide."""

    def answer() -> dict[str, Any]:
        state = _session(engine.table.game(slug), name, asked.inputs).state
        forecast = state.forecast(state.parse(asked.action))
        return {"forecast": forecast.to_json() if forecast else None}

    return _json(await engine.text(answer))


@router.post("/games/{slug}/lessons/{name}/overlay", response_model=models.OverlayModel, operation_id="overlayInLesson")
async def overlay_in_lesson(slug: str, name: str, wanted: OverlayInLesson, engine: TheEngine) -> Response:
    """Something to lay over the map."""

    def answer() -> dict[str, Any]:
        session = _session(engine.table.game(slug), name, wanted.inputs)
        return overlay(session.state, session.lesson.side, wanted.kind, wanted.side, wanted.unit)

    return _json(await engine.text(answer))
