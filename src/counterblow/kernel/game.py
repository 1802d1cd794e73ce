"""A game: its immutable rules and data, and how states of it are made."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from counterblow.kernel.actions import Action, Vocabulary
from counterblow.kernel.board import Board
from counterblow.kernel.data import DataFolder, read_all, read_only
from counterblow.kernel.errors import DataError, PositionError, RecordError, unknown
from counterblow.kernel.flow import BACK, BY, PASSING_WORDS, SHARED_SENTENCES, Flow
from counterblow.kernel.graph import Steps
from counterblow.kernel.journey import Journey
from counterblow.kernel.judge import Judge
from counterblow.kernel.moments import read_moments
from counterblow.kernel.positions import Positions
from counterblow.kernel.rulebook import Citation, RuleIndex
from counterblow.kernel.state import NOWHERE, State
from counterblow.kernel.views import Views

if TYPE_CHECKING:
    from counterblow.learn.lesson import Lesson


@dataclass(frozen=True)
class Option:
    """A switch that a player sets before the game."""

    name: str
    text: str
    default: Any
    choices: tuple[Any, ...] = (False, True)
    rules: tuple[str, ...] = ()


@dataclass(frozen=True)
class Scenario:
    """A start: its name in the API, its title, and what it is."""

    name: str
    title: str
    text: str = ""


@dataclass(frozen=True)
class Right:
    """What a rule lets either side do at any time, whoever decides: an action whose one blank is {side}."""

    kind: str
    title: str
    text: str  # what it means: a client asks before it is done
    rules: tuple[str, ...]


@dataclass(frozen=True)
class Card:
    """The head of game.toml: what the start page shows, and the kinds of action. See docs/writing-a-game.md."""

    title: str
    sides: dict[str, str]  # name -> title, the first side first
    actions: dict[str, str]  # kind of action -> its sentence, see Vocabulary
    summary: str = ""  # a sentence or two
    length: str = ""  # how long a game takes
    complexity: str = ""  # how much there is to learn
    phases: dict[str, str] = field(default_factory=dict)  # phase -> as players read it, where its name is not enough
    overlays: dict[str, str] = field(default_factory=dict)  # kind -> title, what ``overlay`` knows besides zones
    unit_overlays: tuple[str, ...] = ("reach",)  # those asked for a unit, not for a side
    scenario: tuple[dict[str, Any], ...] = ()
    option: tuple[dict[str, Any], ...] = ()
    right: tuple[dict[str, Any], ...] = ()


class Game:
    """Base of the four games. A subclass reads its data in ``__init__`` after calling this one's."""

    slug: ClassVar[str]  # the name of its folder
    version: ClassVar[str] = "1"  # of the rules: raise it when old records would play differently
    flow: Flow[Any]
    state_class: ClassVar[type[State]]
    positions_class: ClassVar[type[Positions[Any]]] = Positions  # position.py: states made by hand
    views_class: ClassVar[type[Views[Any]]] = Views  # view.py: what players see
    judge_class: ClassVar[type[Judge[Any]]] = Judge  # judge.py: how good a position looks
    phase_rules: ClassVar[Mapping[str, str]] = {}  # phase -> the rule that says what it is for: cited out of its time
    hiding: ClassVar[tuple[str, ...]] = ("fog",)  # options that hide units: there an action may stumble on something
    apart: ClassVar[Mapping[str, Any]] = {}  # options between people apart: being asked must not tell what a hand holds
    max_actions: ClassVar[int] = 100_000  # no game is longer: a longer one is a fault in the rules code

    def __init__(self, data: Path | None = None) -> None:
        self.flow.seal()
        self.fields: Any = None  # the ``Fields`` of its states: found when the first one is made
        self._lessons: tuple[Lesson, ...] | None = None
        self.positions = self.positions_class(self)
        self.views = self.views_class(self)
        self.judge = self.judge_class(self)
        self.data = DataFolder(type(self).__module__.rpartition(".")[0] or type(self).__module__, data)
        self.rules = RuleIndex(self.data.toml("rules.toml"), self.data.where("rules.toml"))
        self.board = Board(self.data.toml("map.toml"), self.data.where("map.toml"))
        self._numbered: dict[str, list[Action]] = {}  # kind -> see ``actions_for``
        self.unit_names: tuple[str, ...] = ()
        self.side_of: bytes = b""
        self.zones: tuple[Steps, ...] = ()  # the kinds of zone of control: across which steps each reaches
        self._read_card()

    def actions_for(self, kind: str, things: Sequence[Any]) -> list[Action]:
        """``[act[kind][thing] for thing in things]``, sooner: what names one thing of a list is found in a list."""
        items = things if isinstance(things, list) else list(things)
        actions = self._numbered.get(kind)
        if actions is None:
            actions = self._numbered[kind] = self.act[kind].numbered()
        if actions:
            numbers: list[int] = items  # compiled, a list is indexed at once by what is known to be a number
            return [actions[number] for number in numbers]
        table = self.act[kind]
        return [table[item] for item in items]

    def _read_card(self) -> None:
        """What players read of the game before it is played: game.toml."""
        if self.data.has("decisions.toml") and self.data.corrected("decisions.toml"):
            raise DataError(
                f"{self.data.where('decisions.toml')}: the questions are read once for all games of a kind; "
                "change the file that is shipped, and take this one away"
            )
        where = self.data.where("game.toml")
        card = read_only(Card, self.data.toml("game.toml"), where)
        if len(card.sides) != 2:
            raise DataError(f"{where}: a game has two sides, not {len(card.sides)}")
        self.title, self.summary, self.length, self.complexity = card.title, card.summary, card.length, card.complexity
        self.sides, self.side_titles = tuple(card.sides), tuple(card.sides.values())
        self.scenarios = read_all(Scenario, card.scenario, f"{where}: scenario")  # the first is the default
        self.option_list = read_all(Option, card.option, f"{where}: option")
        self.options = {option.name: option for option in self.option_list}
        self.rights = read_all(Right, card.right, f"{where}: right")  # no part of ``legal``: ``State.beside`` does them
        self.phases = card.phases
        self.overlays = {"zoc": "Zones of control", **card.overlays}
        self.unit_overlays = card.unit_overlays
        for kind in self.overlays:
            if not hasattr(self.views, f"{kind}_overlay"):
                raise DataError(f'{where}: "overlays": the views of the game have no "{kind}_overlay"')
        self.sentences = card.actions
        table = self.data.toml("moments.toml") if self.data.has("moments.toml") else {"moment": []}
        kinds = [*SHARED_SENTENCES, *self.sentences]
        self.moments = read_moments(table, self.data.where("moments.toml"), kinds, self.rules, self.options)

    def name_units(self, names: tuple[str, ...], sides: bytes, **more: tuple[str, ...]) -> None:
        """Call once when the units are known: makes the action vocabulary. ``more`` are further name lists."""
        self.unit_names = names
        self.side_of = sides
        self._unit_number = {name: number for number, name in enumerate(names)}
        self.act = Vocabulary(
            {**self._shared_sentences(), **self.sentences},
            {"unit": names, "hex": self.board.labels, "side": self.sides,
             "place": tuple(self.where(node) for node in range(self.board.size)), **more},
        )  # fmt: skip

    def _shared_sentences(self) -> dict[str, str]:
        """What every game understands; a way of one's own only where a choice can be gone about by one."""
        choices = [part for choice in self.flow.choices.values() for part in (choice, *getattr(choice, "parts", ()))]
        journeys = any(isinstance(choice, Journey) for choice in choices)
        return {kind: text for kind, text in SHARED_SENTENCES.items() if kind != BY or journeys}

    # ------------------------------------------------------------------ names

    def where(self, node: int) -> str:
        """A place as players call it, and as {place} is written in the log: "Krivasoo (1820)"."""
        place, label = self.board.place_at(node), self.board.labels[node]
        return label if place is None or place.name == label else f"{place.name} ({label})"

    def all_of(self, nodes: Iterable[int], joint: str = "and") -> str:
        """Several places in a sentence: "Narva (1820) and Luga (1822)"."""
        return f" {joint} ".join([self.where(node) for node in nodes])

    def all_units(self, units: Iterable[int], joint: str = "and") -> str:
        """Several units in a sentence."""
        return f" {joint} ".join([self.unit_names[unit] for unit in units])

    @property
    def map(self) -> Board:
        """The board, by the name that players use."""
        return self.board

    @property
    def lessons(self) -> tuple[Lesson, ...]:
        """The game's lessons, in their order."""
        from counterblow.learn.lesson import lessons  # only here: they are read when somebody wants to learn

        if self._lessons is None:
            self._lessons = lessons(self)
        return self._lessons

    def unit(self, name: str) -> int:
        """The number of a unit; the error suggests what was meant."""
        try:
            return self._unit_number[name]
        except KeyError:
            raise PositionError(f"{self.slug}: " + unknown("unit", name, self.unit_names)) from None

    def side_number(self, side: str) -> int:
        """0 or 1, from a side's name."""
        if side not in self.sides:
            raise PositionError(f"{self.slug}: " + unknown("side", side, self.sides))
        return self.sides.index(side)

    def node(self, label: str) -> int:
        """The number of a hex or area, from its label; the error suggests what was meant."""
        if label not in self.board:
            raise PositionError(f"{self.slug}: " + unknown("hex or area", label, self.board.labels))
        return self.board.node(label)

    # ------------------------------------------------------------------ starting

    def start(self, scenario: str | None = None, seed: int = 0, options: Mapping[str, Any] | None = None) -> State:
        """A new match. The first scenario is the default; options not named keep their defaults."""
        state = self._blank(scenario, seed, options or {})
        self.set_up(state)
        state.run()
        return state

    def _blank(self, scenario: str | None, seed: int, options: Mapping[str, Any]) -> State:
        if isinstance(seed, bool) or not isinstance(seed, int):
            raise PositionError(f"{self.slug}: the seed should be a whole number, not {seed!r}")
        names = [s.name for s in self.scenarios]
        if scenario is not None and scenario not in names:
            raise PositionError(f"{self.slug}: " + unknown("scenario", scenario, names))
        chosen = {name: option.default for name, option in self.options.items()}
        for name, value in options.items():
            if name not in chosen:
                raise PositionError(f"{self.slug}: " + unknown("option", name, chosen))
            if not any(value == c and type(value) is type(c) for c in self.options[name].choices):
                allowed = ", ".join(map(repr, self.options[name].choices))
                raise PositionError(f"{self.slug}: option {name} should be one of {allowed}, not {value!r}")
            chosen[name] = value
        state = self.state_class()
        state.begin(self, scenario or names[0], chosen, seed)
        return state

    def set_up(self, state: Any) -> None:
        """Fill a blank state for its scenario and push the first steps of the agenda."""
        raise NotImplementedError

    # ------------------------------------------------------------------ positions

    def position(
        self,
        turn: int = 1,
        phase: str | None = None,
        units: Mapping[str, Any] | None = None,
        *,
        scenario: str | None = None,
        options: Mapping[str, Any] | None = None,
        seed: int = 0,
        dice: tuple[int, ...] = (),
        **more: Any,
    ) -> Any:
        """An empty map with just what is named: for examples, puzzles, scenarios and tests.

        ``units`` maps a unit to its hex, or to {"at": hex, ...} with the game's own marks; ``dice`` are faces that
        come before the generator; ``more`` is what the game adds (hands, control, weather).
        """
        state = self._blank(scenario or self.positions.scenario, seed, options or {})
        return self.positions.build(state, turn, phase, units or {}, dice, more)

    # ------------------------------------------------------------------ saving

    def from_json(self, text: str) -> State:
        """A state from ``to_json``; errors name what is wrong."""
        try:
            data = json.loads(text)
        except ValueError as error:
            raise RecordError(f"not a saved state: broken JSON ({error})") from None
        if not isinstance(data, dict) or "game" not in data:
            raise RecordError('not a saved state: "game" is missing')
        if data["game"] != self.slug:
            raise RecordError(f'"game" is {data["game"]!r}, but this is {self.slug}')
        if data.get("version") != self.version:
            raise RecordError(f'"version" of the rules is {data.get("version")!r}, this program has {self.version!r}')
        if not isinstance(data.get("options"), dict):
            raise RecordError('"options" is missing or has the wrong type')
        try:
            state = self._blank(data.get("scenario"), 0, data["options"])
        except PositionError as error:
            raise RecordError(str(error)) from None
        state.load(data)
        return state

    # ------------------------------------------------------------------ what the kernel asks of the rules

    def exerts(self, state: Any, unit: int) -> int:
        """0 if the unit exerts no zone of control now, else 1 + the index into ``zones`` of its kind of zone."""
        return 0

    def occupies(self, state: Any, unit: int) -> bool:
        """Does the unit bar its hex to enemies?"""
        return True

    def phase_of(self, state: Any) -> str:
        """The phase, for display."""
        return self.phases.get(state.stage) or str(state.stage)

    def why_not_now(self, state: Any, action: Action) -> Citation:
        """Why an action of which the choice at hand knows nothing cannot be done: somebody decides something else."""
        decision = state.decision
        now = decision.prompt.rstrip(".")
        if action.text in PASSING_WORDS:
            ends = "this must be decided" if decision.passes is None else f'it is ended by "{decision.passes}"'
            return Citation(decision.rules[0], f"{ends}; now: {now}")
        moment = self.moment(state, action)
        if moment is not None:
            return Citation(moment.rule, f"{moment.text}; now: {now}")
        if action.kind == BACK:
            return Citation(decision.rules[0], f"there is nothing to go back to; now: {now}")
        rule = self.phase_rules.get(state.stage) or next(iter(decision.rules), "")
        return Citation(rule, f"not now: {decision.side} decides: {now}")

    def moment(self, state: Any, action: Action) -> Citation | None:
        """The rule that says when such a thing is done, and when that is: what data/moments.toml says of its kind."""
        found = self.moments.find(action.kind, self.scene(state, action), state.options)
        return None if found is None else found.says

    def scene(self, state: Any, action: Action) -> tuple[str, ...]:
        """What goes on while an action is tried: the decision, the phase, and the last word of the phase's name."""
        decision: str = self.flow.choices[state.agenda[-1][0]].name
        return decision, state.stage, state.stage.rpartition(".")[2]

    def hides(self, state: Any) -> bool:
        """May what an action does depend on units that its player cannot see?"""
        return any(state.options.get(option) for option in self.hiding)

    def check(self, state: Any) -> list[str]:
        """What is wrong with a state, if anything, for fuzzing and tests: a game adds its own, see ``faults``."""
        stacked = sorted(unit for stack in state.here.values() for unit in stack)
        in_play = [unit for unit, node in enumerate(state.at) if node != NOWHERE]
        found = faults((stacked != in_play, f"{len(in_play)} units in play, {len(stacked)} in stacks"))
        for node, stack in sorted(state.here.items()):
            sides = {self.side_of[unit] for unit in stack if self.occupies(state, unit)}
            found += faults((len(sides) > 1, f"both sides are in {self.board.labels[node]}"))
        return found

    # ------------------------------------------------------------------ what players see

    def describe(self) -> dict[str, Any]:
        """All that never changes, for a client: titles, options, tables with provenance."""
        return {
            "slug": self.slug,
            "title": self.title,
            "summary": self.summary,
            "length": self.length,
            "complexity": self.complexity,
            "sides": [{"name": n, "title": t} for n, t in zip(self.sides, self.side_titles, strict=True)],
            "scenarios": [asdict(s) for s in self.scenarios],
            "options": [asdict(o) for o in self.option_list],
            "rights": [asdict(r) for r in self.rights],
            "tables": self.views.tables(),
            "map_note": self.board.note,
            "map_provenance": self.board.provenance,
        }


def faults(*checks: tuple[object, str]) -> list[str]:
    """What is said of those checks that found something."""
    return [text for found, text in checks if found]
