"""What goes over the wire: the requests and answers of the web service, as the published schema shows them."""

from __future__ import annotations

import unicodedata
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

NAME_LENGTH = 40
ACTION_LENGTH = 600


def plain_name(text: str) -> str:
    """A name without control and formatting characters, its spaces folded; a client shows it as text."""
    kept = "".join(c if unicodedata.category(c)[0] != "C" else " " for c in text)
    return " ".join(kept.split())


def unicode_data(data: Any) -> Any:
    """Data whose texts can be written anywhere: a lone surrogate cannot."""
    if isinstance(data, str):
        if any("\ud800" <= c <= "\udfff" for c in data):
            raise ValueError("a text is not valid Unicode")
    elif isinstance(data, list):
        for item in data:
            unicode_data(item)
    elif isinstance(data, dict):
        for key, value in data.items():
            unicode_data(key)
            unicode_data(value)
    return data


def plain_text(text: str) -> str:
    """A message without control and formatting characters, but with its lines."""
    kept = "".join(c if c == "\n" or unicodedata.category(c)[0] != "C" else " " for c in text)
    return kept.strip()


Name = Annotated[str, Field(max_length=NAME_LENGTH), AfterValidator(plain_name)]
ActionText = Annotated[str, Field(min_length=1, max_length=ACTION_LENGTH)]
Sequence = Annotated[int, Field(ge=0, le=10**9)]


class Strict(BaseModel):
    """A request: fields that are not known are refused, numbers and texts are not converted."""

    model_config = ConfigDict(extra="forbid", strict=True)
    _unicode = model_validator(mode="before")(unicode_data)


class Open(BaseModel):
    """An answer to which a game may add fields of its own."""

    model_config = ConfigDict(extra="allow")


# ---------------------------------------------------------------------- errors


class CitationModel(BaseModel):
    rule: str
    text: str


class ErrorModel(BaseModel):
    """Every error: what went wrong, where in the request, and the rules that forbid it."""

    error: str
    where: str | None = None
    citations: list[CitationModel] | None = None


# ---------------------------------------------------------------------- games


class SideModel(BaseModel):
    name: str
    title: str


class ScenarioModel(Open):
    name: str
    title: str
    text: str


class OptionModel(Open):
    name: str
    text: str
    default: Any
    choices: list[Any]
    rules: list[str]


class RightModel(BaseModel):
    """What either side may do at any time, whoever decides: its action's one blank is {side}."""

    kind: str
    title: str
    text: str = Field(description="what it means, to be confirmed")
    rules: list[str]


class PlayerModel(BaseModel):
    name: str
    title: str
    text: str
    temperaments: list[str] = Field(
        description='how it may be minded, as in "officer:bold"; empty if that changes nothing'
    )


class GameSummary(Open):
    slug: str
    title: str
    summary: str
    length: str
    complexity: str
    sides: list[SideModel]
    scenarios: list[ScenarioModel]
    options: list[OptionModel]
    rights: list[RightModel]
    players: list[PlayerModel]
    picture: str = Field(description="address of the drawn map")


class HexModel(BaseModel):
    label: str
    x: float
    y: float
    terrain: str
    place: str | None = None


class AreaModel(BaseModel):
    id: str
    name: str
    kind: str
    x: float
    y: float
    w: float
    h: float


class MapModel(BaseModel):
    """Where everything lies on the drawn map, in pixels of the drawing."""

    url: str
    title: str
    width: float
    height: float
    radius: float
    orientation: Literal["flat", "pointy"]
    corners: list[tuple[float, float]] = Field(description="the corners of a hex, seen from its centre")
    hexes: list[HexModel]
    areas: list[AreaModel]
    note: str
    provenance: str


class RuleModel(BaseModel):
    id: str
    title: str
    text: str
    kind: str
    see: str


class ActionKind(BaseModel):
    """A kind of action: its sentence, and what its blanks hold (unit, hex, path, card, n, ...)."""

    kind: str
    sentence: str
    blanks: list[str]


class OverlayKind(BaseModel):
    kind: str
    title: str
    of: Literal["side", "unit"] = Field(description="what must be named when it is asked for")


class GameModel(GameSummary):
    rules_version: str
    map: MapModel
    rules: list[RuleModel]
    tables: list[dict[str, Any]]
    actions: list[ActionKind]
    overlays: list[OverlayKind]


# ---------------------------------------------------------------------- a position, as one side sees it


class LegalAction(BaseModel):
    """A legal action; ``units`` and ``hexes`` are those it names, for lighting them."""

    kind: str
    text: str
    args: list[int | list[int]]
    units: list[int]
    hexes: list[str]
    unit: int | None = Field(None, description="its subject: the unit that acts")
    hex: str | None = Field(None, description="its target: where to, or against which hex")


class DecisionModel(Open):
    side: str
    kind: str
    prompt: str
    rules: list[str]
    chosen: list[int] = Field([], description="units already in what is being put together, told to who decides")
    about: list[int] = Field([], description="units whose fate is decided: the one that marches, retreats, arrives")
    pass_: str | None = Field(None, alias="pass", description="the legal action that declines or ends")
    back: str | None = Field(None, description="an action that takes the choice back at no cost")
    drops: dict[int, str] = Field({}, description="by unit: the action that takes it out of what is put together")
    everybody: str | None = Field(None, description="an action that puts in everybody who can join")
    prices: dict[str, str] = Field({}, description="what actions cost, by their kind")
    undone: str = Field("", description="what of value would be left undone if the decider passed now")
    own_way: bool = Field(False, description='may the decider go "by" a path of his own?')


class CounterModel(Open):
    """A counter. Of a hidden one only place and side are told."""

    side: str
    hidden: bool = False
    id: int | None = None
    name: str | None = None
    symbol: str | None = None
    size: str | None = None
    values: str | None = None
    band: str | None = None
    steps: int | None = None
    face: str | None = None
    markers: list[str] = []
    title: str | None = None
    detail: str | None = None


class UnitModel(CounterModel):
    """A counter on the map or in one of its areas."""

    at: str


class TrackModel(Open):
    id: str
    title: str
    value: int | float | str
    max: int | float | None = None
    text: str | None = None


class MarkerModel(Open):
    at: str
    kind: str
    text: str = ""


class BoxModel(Open):
    id: str
    title: str
    units: list[CounterModel] = []


class CardModel(Open):
    id: int | str
    title: str
    text: str = ""


class HandModel(Open):
    count: int
    cards: list[CardModel] = []


class ResultModel(BaseModel):
    winner: str | None
    level: str
    reason: str
    rules: list[str]


class StandingLine(BaseModel):
    """Something that victory needs, or that would bring it nearer, and how it stands now."""

    side: str | None
    text: str
    now: str
    rule: str
    met: bool
    hexes: list[str]


class StandingModel(BaseModel):
    """How the game stands: the verdict if it ended now, what victory needs, what would change it."""

    turns_left: int
    verdict: ResultModel
    needs: list[StandingLine]
    changes: list[StandingLine]


class ViewModel(Open):
    game: str
    scenario: str
    options: dict[str, Any]
    viewer: str | None
    turn: int
    turn_label: str
    phase: str
    decision: DecisionModel | None
    legal: list[LegalAction]
    units: list[UnitModel]
    result: ResultModel | None
    tracks: list[TrackModel] = []
    markers: list[MarkerModel] = []
    boxes: list[BoxModel] = []
    hands: dict[str, HandModel] = {}
    cup: list[Any] = []
    standing: StandingModel | None = None
    losses: list[str] = []
    control: dict[str, str] = {}


class LogEntry(BaseModel):
    """``ply`` is the number of actions after which the entry stands: 0 for the set-up, 1 for the first action."""

    ply: int
    side: str | None = Field(description="who acted; null for the set-up")
    kind: str
    text: str
    rules: list[str]
    hexes: list[str]
    dice: list[int] = Field(description="the faces thrown for it")
    units: list[int] = Field([], description="the units that it speaks of")
    result: str | None = Field(None, description="what the dice brought, as a forecast's outcomes name it")
    plan: str | None = Field(None, description="why a computer player did it, told when the game is over")


# ---------------------------------------------------------------------- matches


class SeatRequest(Strict):
    kind: Literal["person", "computer"] = "person"
    player: Annotated[str, Field(max_length=NAME_LENGTH)] | None = None
    name: Name | None = None


class Pace(Strict):
    """How fast a remote match is played: so many days for every turn at the clock, or minutes for the whole match."""

    days: Annotated[int, Field(ge=1, le=60)] | None = None
    minutes: Annotated[int, Field(ge=1, le=1440)] | None = None
    increment: Annotated[int, Field(ge=0, le=600, description="seconds added for every action")] = 0

    @model_validator(mode="after")
    def one_of_them(self) -> Pace:
        if (self.days is None) == (self.minutes is None):
            raise ValueError('give either "days" or "minutes"')
        return self


Nonce = Annotated[str, Field(max_length=100)]


class NewMatch(Strict):
    """At one table whoever makes the match gets the keys of all persons. Remote: one key, and an invitation."""

    kind: Literal["table", "remote"] = "table"
    side: Annotated[str, Field(max_length=NAME_LENGTH)] | None = Field(None, description="mine; if none, by lot")
    nonce: Nonce | None = Field(None, description="my part of the dice of a remote match")
    listed: bool = Field(False, description="anybody may join: shown in the lobby")
    pace: Pace | None = None
    game: Annotated[str, Field(max_length=NAME_LENGTH)]
    scenario: Annotated[str, Field(max_length=80)] | None = None
    options: Annotated[dict[str, Any], Field(max_length=60)] = {}
    seed: Annotated[int, Field(ge=-(2**63), lt=2**63)] | None = None
    seats: Annotated[dict[str, SeatRequest], Field(max_length=4)] = {}
    spectators: bool = False


class ImportedMatch(Strict):
    record: dict[str, Any]
    seats: Annotated[dict[str, SeatRequest], Field(max_length=4)] = {}
    spectators: bool = False


class Join(Strict):
    """Taking the seat that waits; the key is told only in the answer."""

    invitation: Annotated[str, Field(max_length=100)] | None = None
    name: Name | None = None
    nonce: Nonce | None = Field(None, description="my part of the dice")


class Invitation(Strict):
    invitation: Annotated[str, Field(max_length=100)] | None = None


class Offered(Strict):
    kind: Literal["draw", "undo", "rematch", "coach"]


class Answered(Strict):
    kind: Literal["draw", "undo", "rematch", "coach", "resign"]
    accept: bool


class Answers(Strict):
    """What a seat answers when it may react to the other side: "ask" it, "never" (pass silently), or ask "only" for
    these cards; and where it is never asked in any case, by the prompts of those questions."""

    mode: Literal["ask", "never", "only"]
    cards: Annotated[list[Annotated[int, Field(ge=0, le=10_000)]], Field(max_length=200)] = []
    never_here: Annotated[list[Annotated[str, Field(max_length=300)]], Field(max_length=50)] = []


class SeatModel(BaseModel):
    side: str
    title: str
    kind: Literal["person", "computer", "open"]
    name: str
    player: str | None


class DiceModel(BaseModel):
    """Where the dice come from. Fair dice: see docs/fair-dice.md."""

    kind: Literal["plain", "fair"]
    known_to: str = Field(description="who can know the dice before they fall, in words")
    commitment: str | None = None
    nonces: dict[str, str] = {}
    secret: str | None = Field(None, description="told when the game is over")


class ClockModel(BaseModel):
    """How fast a remote match is played, and how much time is left."""

    days: int | None
    minutes: int | None
    increment: int
    due: str | None = Field(description="when the time of who decides is over")
    left: dict[str, int] = Field(description="side -> milliseconds, where minutes count")


class MessageModel(BaseModel):
    number: int
    side: str
    text: str
    at: str


class OfferModel(BaseModel):
    side: str
    kind: str
    seq: int


class PeopleModel(Open):
    """What the players have to say to each other; spectators are told nothing of it."""

    offers: list[OfferModel]
    messages: list[MessageModel] = []
    answers: dict[str, Any] | None = Field(None, description="this seat's standing answers")


class MatchSummary(BaseModel):
    id: str
    kind: Literal["table", "remote"]
    status: Literal["waiting", "playing", "over"]
    options: dict[str, Any]
    listed: bool
    dice: DiceModel
    frozen: str | None = Field(description="why the match can be read but not played on")
    rematch: str | None = Field(description="the match that follows, with sides swapped")
    clock: ClockModel | None
    game: str
    title: str
    scenario: str
    rules_version: str
    created: str
    updated: str
    seq: int
    ply: int
    turn_label: str
    decider: str | None = Field(description="the side that decides now; null when the game is over")
    over: bool
    result: ResultModel | None
    seats: list[SeatModel]
    spectators: bool
    seed_known: bool = Field(description="whoever made the match chose its seed, or imported it")


class NewMatchAnswer(MatchSummary):
    tokens: dict[str, str] = Field(description="side -> secret token, for the seats that are given here")
    invitation: str | None = Field(description="for the other player of a remote match; serves once")


class InvitationModel(MatchSummary):
    side: str = Field(description="the seat that waits")


class InfoModel(MatchSummary):
    sides: list[str] = Field(description="the seats whose tokens were presented")
    people: PeopleModel


class MyMatch(MatchSummary):
    sides: list[str] = Field(description="the seats whose tokens were presented")


class Tokens(Strict):
    tokens: Annotated[list[Annotated[str, Field(max_length=100)]], Field(max_length=400)]


class MatchState(MatchSummary):
    """A match as one seat (or a spectator) sees it at ``shown`` actions."""

    viewer: str | None
    shown: int
    view: ViewModel
    log: list[LogEntry]
    can_undo: bool = Field(description="this seat may take back the last action")
    undo_side: str | None = Field(description="the seat that may take back the last action")
    thinking: bool = Field(description="a computer player is about to act")
    record_open: bool = Field(description="the record may be downloaded with the tokens presented")
    people: PeopleModel
    story: StoryModel | None = Field(
        None, description="how the action that led to ``shown`` went, if a ply was asked for"
    )


class StoryModel(BaseModel):
    """How an action went: the ways of the units that it moved, and the odds of its battle before the dice."""

    paths: dict[int, list[str]]
    battle: ForecastModel | None


class DoAction(Strict):
    """One ``action``, or several ``actions`` of which all are done or none."""

    seq: Sequence
    action: ActionText | None = None
    actions: Annotated[list[ActionText], Field(min_length=1, max_length=60)] | None = None

    @model_validator(mode="after")
    def one_of_them(self) -> DoAction:
        if (self.action is None) == (self.actions is None):
            raise ValueError('give either "action" or "actions"')
        return self

    def texts(self) -> list[str]:
        return self.actions or [self.action or ""]

    def where(self, number: int) -> str:
        """The field of action number 1, 2, ..."""
        return "action" if self.actions is None else f"actions[{number}]"


class Undo(Strict):
    seq: Sequence


class Ask(Strict):
    action: ActionText


class Update(BaseModel):
    """What changed: drop log entries after ply ``keep``, then add ``events``; show ``view``."""

    type: Literal["update"] = "update"
    seq: int
    ply: int
    keep: int
    events: list[LogEntry]
    view: ViewModel
    decider: str | None
    over: bool
    result: ResultModel | None
    clock: ClockModel | None
    can_undo: bool
    undo_side: str | None
    thinking: bool


class WhyModel(BaseModel):
    legal: bool
    citations: list[CitationModel]


class ModifierModel(BaseModel):
    amount: str
    text: str
    rule: str


class OutcomeModel(BaseModel):
    result: str
    chance: float
    exact: str
    text: str


class ForecastModel(BaseModel):
    title: str
    facts: list[tuple[str, str]]
    modifiers: list[ModifierModel]
    outcomes: list[OutcomeModel]
    notes: list[str]


class ForecastAnswer(BaseModel):
    forecast: ForecastModel | None


class OverlayModel(BaseModel):
    kind: str
    title: str
    hexes: dict[str, int | float | str]
    paths: dict[str, list[str]] = {}


class LogModel(BaseModel):
    seq: int
    ply: int
    entries: list[LogEntry]


class RecordModel(Open):
    format: str
    format_version: int
    game: str
    rules_version: str
    scenario: str
    options: dict[str, Any]
    seed: int | None = None
    actions: list[str]
    fingerprint: str


# ---------------------------------------------------------------------- live


class Hello(Strict):
    """The first message of a live connection: who is watching (null: a spectator)."""

    token: Annotated[str, Field(max_length=100)] | None = None


class LiveAction(Strict):
    """An action over a live connection. Several may be on their way: they are done in the order of their coming."""

    act: ActionText
    seq: Sequence
    key: Annotated[str, Field(max_length=100)] | None = Field(None, description="as Idempotency-Key")


class LiveDone(BaseModel):
    """An action was done and is kept; what it brought comes as an ``update``."""

    type: Literal["done"] = "done"
    of: int = Field(description="the ``seq`` that was sent")
    seq: int


class LiveRefused(ErrorModel):
    type: Literal["refused"] = "refused"
    of: int | None = Field(description="the ``seq`` that was sent, if it could be read")
    status: int


class LiveState(MatchState):
    """The first answer of a live connection."""

    type: Literal["state"] = "state"


class LivePeople(PeopleModel):
    """Offers, messages and the like have changed."""

    type: Literal["people"] = "people"


class LiveThinking(BaseModel):
    """How far a computer player's thought is: the part of what it may think."""

    type: Literal["thinking"] = "thinking"
    share: float


class LiveMessages(BaseModel):
    """The messages of /api/matches/{id}/live; listed here so that clients can generate their types."""

    hello: Hello
    act: LiveAction
    done: LiveDone
    refused: LiveRefused
    state: LiveState
    update: Update
    people: LivePeople
    thinking: LiveThinking
