"""The flow of play: an agenda of small steps, each a function or a choice.

The agenda is a stack of plain tuples, ``(retreat_unit, unit, home)``: a registered function or class, and whole-number,
text or tuple arguments. It copies like any list, and is saved with the steps' names, which follow from where they
stand: ``retreat_unit`` of ``retreat.py`` is ``"retreat.retreat_unit"``. An *automatic* step is taken off the stack and
run; it may change the state and push further steps. A *choice* stays on top until its ``do`` takes it off or replaces
it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from counterblow.kernel.actions import Action
from counterblow.kernel.forecast import Forecast
from counterblow.kernel.rulebook import Citation

if TYPE_CHECKING:
    from counterblow.kernel.state import State

S = TypeVar("S", bound="State")
F = TypeVar("F", bound=Callable[..., None])
C = TypeVar("C", bound="Choice[Any]")
Step = tuple[Any, ...]

BACK, WITHOUT, EVERYBODY, BY = "back", "without", "everybody", "by"
# What every game understands: taking a choice back, taking a unit out of what is put together, putting in all who can,
# and, where a choice is a journey, going to a place by a way of one's own.
SHARED_SENTENCES = {BACK: "back", WITHOUT: "without {unit}", EVERYBODY: "with everybody", BY: "by {path}"}
# Whatever a game calls it: who says one of these takes the pass of the decision at hand, or takes back what he chose.
PASSING_WORDS = ("pass", "done", "decline")


class Decision(NamedTuple):
    """What is to be decided now, by whom, under which rules.

    ``passes`` is the one legal action that declines or ends, if there is one. ``back``, ``drops`` and ``everybody`` may
    be done too, but stand in no list of legal actions, since they need not bring the game on: they take the choice back
    at no cost, take one unit out of what is being put together, and put in everybody who can join.
    """

    side: str
    kind: str
    prompt: str
    rules: tuple[str, ...]
    chosen: tuple[int, ...] = ()  # units that the decider has already put into what is being put together
    about: tuple[int, ...] = ()  # units whose fate is decided: the one that marches, retreats, arrives
    passes: Action | None = None
    back: Action | None = None
    drops: tuple[Action, ...] = ()
    everybody: Action | None = None

    def to_json(self) -> dict[str, Any]:
        """As data, for a client."""
        return {
            "side": self.side,
            "kind": self.kind,
            "prompt": self.prompt,
            "rules": self.rules,
            "chosen": self.chosen,
            "about": self.about,
            "pass": self.passes and self.passes.text,
            "back": self.back and self.back.text,
            "drops": {action.args[0]: action.text for action in self.drops},
            "everybody": self.everybody and self.everybody.text,
        }


class Choice(Generic[S]):
    """One kind of decision. Subclasses are stateless: everything is in the state and the step's arguments.

    Most choices are a ``Pick`` (kernel/pick.py) and fill in less than this.
    """

    name: str  # given by the flow
    rules: tuple[str, ...] = ()  # the rules that grant the choice
    sided: bool = False  # the step's first argument is the side that decides
    asks: str = ""  # the question, with blanks as ``filled`` fills them
    asks_side: tuple[str, ...] = ()  # the questions, where each side has its own
    other: bool = False  # it is for the side whose player-turn it is not

    def side(self, s: S, *args: Any) -> int:
        """Who decides: whose player-turn it is, unless the choice says otherwise."""
        if self.sided:
            side: int = args[0]
            return side
        return 1 - s.mover if self.other else s.mover

    def prompt(self, s: S, *args: Any) -> str:
        """What the player is asked, in one sentence."""
        return filled(s, self.asks_side[self.side(s, *args)] if self.asks_side else self.asks, args)

    def legal(self, s: S, *args: Any) -> list[Action]:
        """Every legal action, in a fixed order. Never empty."""
        raise NotImplementedError

    def do(self, s: S, action: Action, *args: Any) -> None:
        """Carry out a legal action: change the state, and take this step off the agenda or replace it."""
        raise NotImplementedError

    def chosen(self, s: S, *args: Any) -> tuple[int, ...]:
        """The decider's units that are already in the attack, stack or mission that is being put together."""
        return ()

    def about(self, s: S, *args: Any) -> tuple[int, ...]:
        """The units whose fate is decided."""
        return ()

    def passes(self, s: S, *args: Any) -> Action | None:
        """The legal action that declines or ends; players and clients never guess it from its words."""
        return None

    def prices(self, s: S, *args: Any) -> dict[str, str]:
        """What actions cost, by their kind, where players pay for them: "2 AP"."""
        return {}

    def undone(self, s: S, *args: Any) -> str:
        """What of value would be left undone if the decider ended this now, while something can be done; or nothing."""
        return ""

    def by_own_way(self) -> bool:
        """May the decider go ``by`` a path of his own?"""
        return False

    def shortcuts(self, s: S, *args: Any) -> list[Action]:
        """What may be done here besides the legal actions: back, without a unit, everybody."""
        return []

    def allows(self, s: S, action: Action, *args: Any) -> bool:
        """May an action that is not in ``legal`` be done here all the same?"""
        return action in self.shortcuts(s, *args)

    def take_shortcut(self, s: S, action: Action, *args: Any) -> None:
        """Carry out what ``allows`` allows. Back uncovers the choice below, which is where this one came from."""
        s.pop()

    def why_not(self, s: S, action: Action, *args: Any) -> list[Citation]:
        """Why an action that is not legal is refused. Asked only for actions that are not in ``legal``."""
        return []

    def forecast(self, s: S, action: Action, *args: Any) -> Forecast | None:
        """The exact outcomes of an action, where dice will decide."""
        return None

    def loaded(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments as they were before they were saved: named tuples come back as plain ones."""
        return args


def filled(s: Any, text: str, args: tuple[Any, ...]) -> str:
    """A text about a step: {unit}, {place2}, {n3} are its first, second, third argument, as in the log; several things
    are listed with "and" ({places}), and {s} stands behind what is one or more."""
    if "{" not in text:
        return text
    name: Callable[[str, Any], str] = s.game.act.name

    def written(blank: re.Match[str]) -> str:
        value = args[int(blank[2] or 1) - 1]
        if blank[1] == "s":
            return "" if value == 1 else "s"
        if isinstance(value, tuple):
            return " and ".join([name(blank[1].removesuffix("s"), one) for one in value])
        return name(blank[1], value)

    return re.sub(r"{([a-z]+)(\d?)}", written, text)


class Later:
    """A step that a later chapter defines: pushed like the step itself, and found when the game is loaded."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"<step {self.name}>"


def ask(s: Any, choice: Any, *args: Any) -> None:
    """An automatic step of every game, ``(ask, Retreat, unit)``: ask, when its turn comes, if there is then a choice.

    A single thing that must be taken is taken, and where there is nothing to choose nobody is asked.
    """
    s.ask(choice, *args)


def begin_phase(s: Any, name: str, side: int | None) -> None:
    """An automatic step of every game: from now on it is this phase, of this side's player-turn."""
    s.begin_phase(name, side)


class Flow(Generic[S]):
    """The steps of a game, by the functions and classes that are pushed."""

    def __init__(self, decisions: Mapping[str, Mapping[str, Mapping[str, Any]]] | None = None) -> None:
        """``decisions``: what players are asked, by chapter and choice, as a game's data/decisions.toml has it."""
        asked = [(chapter, name, row) for chapter, rows in (decisions or {}).items() for name, row in rows.items()]
        self._asked = {f"{chapter}.{name}": row for chapter, name, row in asked}
        self.automatic: dict[Any, Callable[..., None]] = {}
        self.choices: dict[Any, Choice[S]] = {}
        self.names: dict[Any, str] = {}
        self.heads: dict[str, Any] = {}  # name -> what is pushed
        self._later: list[Later] = []
        self.step(ask)
        self.step(begin_phase)

    def step(self, function: F) -> F:
        """Register a function ``(state, *args)`` as an automatic step."""
        self._register(function, _place(function))
        self.automatic[function] = function
        return function

    def choice(self, cls: type[C]) -> type[C]:
        """Register a class as a choice."""
        choice = self.choices[cls] = cls()
        choice.name = _place(cls)
        row = self._asked.pop(choice.name, None)
        if row is not None:
            asks = row.get("asks", "")
            choice.rules = tuple(row["rules"])
            choice.asks, choice.asks_side = (asks, ()) if isinstance(asks, str) else ("", tuple(asks))
        self._register(cls, choice.name)
        return cls

    def later(self, name: str) -> Later:
        """A step of a later chapter, which cannot be imported yet; a name that no chapter fills is an error at once."""
        later = Later(name)
        self._later.append(later)
        return later

    def seal(self) -> None:
        """All chapters are read: give the steps that were named ahead their meaning."""
        for name in self._asked:
            raise ValueError(f"no chapter defines the decision {name}")
        while self._later:
            later = self._later.pop()
            if later.name not in self.heads:
                raise ValueError(f"no chapter defines the step {later.name}")
            head = self.heads[later.name]
            self.names[later] = later.name
            if head in self.automatic:
                self.automatic[later] = self.automatic[head]
            else:
                self.choices[later] = self.choices[head]

    def _register(self, head: Any, name: str) -> None:
        if name in self.heads:
            raise ValueError(f"the step {name} is defined twice")
        self.names[head] = name
        self.heads[name] = head

    # saving

    def saved(self, step: Step) -> Step:
        """A step as plain data: its name and arguments."""
        if step[0] is ask:
            return (self.names[ask], self.names[step[1]], *step[2:])
        return (self.names[step[0]], *step[1:])

    def loaded(self, data: Any) -> Step | None:
        """A step from ``saved``; None if it is no step of this game."""
        if not isinstance(data, tuple) or not data or not isinstance(data[0], str) or data[0] not in self.heads:
            return None
        head = self.heads[data[0]]
        if head is ask:
            asked = self.loaded(data[1:])
            return None if asked is None else (ask, *asked)
        choice = self.choices.get(head)
        return (head, *data[1:]) if choice is None else (head, *choice.loaded(data[1:]))


def _place(thing: Any) -> str:
    """Where a function or class stands: module and name."""
    return f"{thing.__module__.rpartition('.')[2]}.{thing.__name__}"
