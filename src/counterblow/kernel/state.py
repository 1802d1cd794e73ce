"""The state of a match: plain data, and the one door through which it changes.

A game's state class declares each of its own fields once, in ``blank``, with type and first value:

    class NarvaState(State):
        def blank(self) -> None:
            self.losses: tuple[int, int] = (0, 0)  # whole numbers, texts, tuples: replaced, never changed in place
            self.isolated: bytearray = bytearray(len(self.game.unit_names))  # lists and arrays: changed in place

These are part of the value: copied, compared, saved and loaded. What can be worked out from them is declared in
``derive`` in the same way: copied, but worked out again when a state is loaded.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from counterblow.kernel import chance
from counterblow.kernel.actions import Action, IllegalAction
from counterblow.kernel.errors import RecordError
from counterblow.kernel.events import Event
from counterblow.kernel.flow import BACK, EVERYBODY, PASSING_WORDS, WITHOUT, Choice, Decision, Step, ask
from counterblow.kernel.forecast import Forecast
from counterblow.kernel.rulebook import Citation

if TYPE_CHECKING:
    from counterblow.kernel.game import Game

NOWHERE = -1


class Result(NamedTuple):
    """How the game ended: the winner's name (None for a draw), how decisively, why, and under which rules."""

    winner: str | None
    level: str
    reason: str
    rules: tuple[str, ...]


class State:
    """A position of a game, and whose decision it is."""

    game: Any  # the Game; Any so that a game's modules may use their own subclass without casts
    scenario: str
    options: dict[str, Any]  # never changed after the start
    turn: int
    stage: str  # the phase
    mover: int  # whose player-turn it is
    rng: int
    dice: tuple[int, ...]  # faces that come before the generator: for examples, puzzles and tests
    agenda: list[Step]
    outcome: tuple[Any, ...] | None
    at: list[int]  # unit -> node, NOWHERE if not in play
    here: dict[int, tuple[int, ...]]  # node -> units, bottom of the stack first; never iterated in its own order
    held: tuple[bytearray, bytearray]  # side -> node -> units that occupy it (derived)
    zone: tuple[bytearray, bytearray]  # side -> node -> zones of control that side's units exert there (derived)
    counted: bytearray  # unit -> what it was counted as in held and zone (derived)
    events: list[Event]
    thrown: tuple[int, ...]  # faces since the last entry of the log, which will tell them; not part of the value

    def begin(self, game: Any, scenario: str, options: dict[str, Any], seed: int) -> None:
        """Make a new object a blank state of a game."""
        self.game = game
        self.scenario = scenario
        self.options = options
        self.turn = 0
        self.stage = ""
        self.mover = 0
        self.rng = chance.seeded(seed)
        self.dice = ()
        self.agenda = []
        self.outcome = None
        self.at = [NOWHERE] * len(game.unit_names)
        self.here = {}
        self.events = []
        self.thrown = ()
        self._legal: list[Action] | None = None
        self._kept: dict[Any, Any] | None = None  # see ``keep``: the very object tells whether it is a new one
        self.held = (bytearray(game.board.size), bytearray(game.board.size))
        self.zone = (bytearray(game.board.size), bytearray(game.board.size))
        self.counted = bytearray(len(game.unit_names))
        base = set(_names(self))
        self.blank()
        own = [name for name in _names(self) if name not in base]
        self.recount_all()
        self.derive()
        if game.fields is None:
            derived = [name for name in _names(self) if name not in base and name not in own]
            game.fields = Fields.of(self, own, derived)

    def blank(self) -> None:
        """Declare the game's own fields, each with its type and first value."""

    def derive(self) -> None:
        """Declare, and work out, what follows from the others."""

    # ------------------------------------------------------------------ the door

    @property
    def over(self) -> bool:
        """Is the game over?"""
        return not self.agenda

    @property
    def side(self) -> str | None:
        """The name of the side that decides now; None when the game is over."""
        decider = self.decider
        return None if decider is None else self.game.sides[decider]

    @property
    def decider(self) -> int | None:
        """The number of the side that decides now."""
        if not self.agenda:
            return None
        step = self.agenda[-1]
        decider: int = self.game.flow.choices[step[0]].side(self, *step[1:])
        return decider

    def actor(self, action: Action | str) -> str | None:
        """The side that an action is done by: who decides, or whose right it is."""
        if self.game.rights:
            if isinstance(action, str):
                action = self.parse(action)
            if self.at_any_time(action):
                side: str = self.game.sides[action.args[0]]
                return side
        return self.side

    def at_any_time(self, action: Action) -> bool:
        """Does a rule let a side do this whoever decides?"""
        return bool(self.agenda) and any(right.kind == action.kind for right in self.game.rights)

    @property
    def decision(self) -> Decision | None:
        """What is to be decided now, by whom, under which rules; None when the game is over."""
        if not self.agenda:
            return None
        step = self.agenda[-1]
        args = step[1:]
        choice = self.game.flow.choices[step[0]]
        shortcuts: list[Action] = choice.shortcuts(self, *args)
        by_kind = {action.kind: action for action in shortcuts}
        return Decision(
            side=self.game.sides[choice.side(self, *args)],
            kind=choice.name,
            prompt=choice.prompt(self, *args),
            rules=choice.rules,
            chosen=choice.chosen(self, *args),
            about=choice.about(self, *args),
            passes=choice.passes(self, *args),
            back=by_kind.get(BACK),
            drops=tuple([action for action in shortcuts if action.kind == WITHOUT]),
            everybody=by_kind.get(EVERYBODY),
        )

    @property
    def phase(self) -> str:
        """The part of the turn."""
        return str(self.game.phase_of(self)) if self.agenda else "over"

    def begin_phase(self, name: str, side: int | None = None) -> None:
        """From now on it is this phase, of this side's player-turn."""
        self.stage = name
        if side is not None:
            self.mover = side

    def legal(self) -> list[Action]:
        """Every legal action; empty only when the game is over."""
        found = self._legal
        return found[:] if found is not None else self._choices()[:]

    def _choices(self) -> list[Action]:
        found = self._legal
        if found is None:
            if not self.agenda:
                return []
            step = self.agenda[-1]
            choice: Choice[Any] = self.game.flow.choices[step[0]]
            # most choices take no arguments, and a call without a star is the quicker one; so below
            found = self._legal = choice.legal(self) if len(step) == 1 else choice.legal(self, *step[1:])
        return found

    def forget_choices(self) -> None:
        """Drop the list that ``legal`` keeps until the next action: for measuring, and after an edit by a test."""
        self._legal = None

    def do(self, action: Action | str) -> list[Event]:
        """Carry out a legal action and everything that follows from it without a further decision."""
        if isinstance(action, str):
            action = self.parse(action)
        choices = self._legal
        if choices is None:
            choices = self._choices()
        for choice in choices:  # actions are made once: one of the list is nearly always the very one
            if choice is action:
                break
        else:
            if action not in choices:
                return self._do_unlisted(action)
        self._legal = None
        events: list[Event] = []
        self.events = events
        step, kept = self.agenda[-1], self._kept
        chooser: Choice[Any] = self.game.flow.choices[step[0]]
        if len(step) == 1:
            chooser.do(self, action)
        else:
            chooser.do(self, action, *step[1:])
        if self._kept is kept:  # else it was worked out for the next choice
            self._kept = None
        self.run()
        return events

    def _do_unlisted(self, action: Action) -> list[Event]:
        """A shortcut of the choice at hand, or what a rule lets somebody do at any time; else it is illegal."""
        if not self._is_shortcut(action):
            return self.beside(action)
        step = self.agenda[-1]
        self._legal = None
        events: list[Event] = []
        self.events = events
        self.game.flow.choices[step[0]].take_shortcut(self, action, *step[1:])
        self._kept = None
        self.run()
        return events

    def _is_shortcut(self, action: Action) -> bool:
        if not self.agenda:
            return False
        step = self.agenda[-1]
        return bool(self.game.flow.choices[step[0]].allows(self, action, *step[1:]))

    def beside(self, action: Action) -> list[Event]:
        """An action that is not one of the decision's: illegal, unless a rule lets somebody do it at any time."""
        raise IllegalAction(str(action), self.why_not(action))

    def parse(self, text: str) -> Action:
        """The action that a text means; it need not be legal."""
        for action in self._choices():
            if action.text == text:
                return action
        if text.strip().casefold() in PASSING_WORDS and (decision := self.decision) is not None:
            ends = decision.passes or decision.back
            if ends is not None:
                return ends
        action_read: Action = self.game.act.read(text)
        return self._by_the_listed_way(action_read)

    def _by_the_listed_way(self, action: Action) -> Action:
        """A unit's way with the hex that it leaves, or without it, as the list of legal actions has it."""
        if self.game.act.blanks[action.kind] == ("unit", "path"):
            unit, path = action.args
            here = self.at[unit]
            for way in (path[1:] if path[:1] == (here,) else path, (here, *path)):
                other = Action(action.kind, (unit, way), self.game.act.write(action.kind, (unit, way)))
                if other in self._choices():
                    return other
        return action

    def why_not(self, action: Action | str) -> list[Citation]:
        """Why an action is refused, by rule; empty when it is legal."""
        if isinstance(action, str):
            action = self.parse(action)
        if not self.agenda:
            rules = self.outcome[3] if self.outcome else ()
            return [Citation(rules[0] if rules else "", "the game is over")]
        if action in self._choices() or self.at_any_time(action) or self._is_shortcut(action):
            return []
        step = self.agenda[-1]
        choice = self.game.flow.choices[step[0]]
        reasons: list[Citation] = choice.why_not(self, action, *step[1:])
        if reasons:
            return reasons
        return [self.game.why_not_now(self, action)]

    def refuses(self, action: Action | str, because: str) -> bool:
        """Is the action refused, and does a refusal cite this rule?"""
        return any(citation.rule == because for citation in self.why_not(action))

    def forecast(self, action: Action | str) -> Forecast | None:
        """Exact outcomes of a legal action where a die will be rolled, else None."""
        if isinstance(action, str):
            action = self.parse(action)
        if action not in self._choices() and not self._is_shortcut(action):
            raise IllegalAction(str(action), self.why_not(action))
        step = self.agenda[-1]
        found: Forecast | None = self.game.flow.choices[step[0]].forecast(self, action, *step[1:])
        return found

    @property
    def result(self) -> Result | None:
        """Who has won, how, why and by which rules; None while the game goes on."""
        if self.outcome is None:
            return None
        winner, level, reason, rules = self.outcome
        return Result(None if winner is None else self.game.sides[winner], level, reason, rules)

    # ------------------------------------------------------------------ used by the rules

    def push(self, *step: Any) -> None:
        """Put a step on top of the agenda: it comes next."""
        self.agenda.append(step)

    def queue(self, *steps: Step) -> None:
        """Put steps on the agenda so that they come in the order in which they are written here."""
        self.agenda.extend(reversed(steps))

    def pop(self) -> Step:
        """Take the step on top off the agenda."""
        return self.agenda.pop()

    def replace(self, *step: Any) -> None:
        """Put a step in the place of the one on top."""
        self.agenda[-1] = step

    def offer(self, legal: list[Action], *step: Any) -> None:
        """Push a choice whose legal actions are already known, so that they are not worked out again.

        The list must be what the choice's own ``legal`` would give; the call must be the last thing its caller does.
        """
        self.agenda.append(step)
        self._legal = legal

    def ask(self, head: Any, *args: Any) -> bool:
        """Put a choice to its player if there is something to choose; a single thing that must be taken is taken.

        Was there anything? The call must be the last thing its caller does.
        """
        return self._ask(head, args)

    def _ask(self, head: Any, args: tuple[Any, ...]) -> bool:
        choice: Choice[Any] = self.game.flow.choices[head]
        legal = choice.legal(self, *args)
        if not legal or (len(legal) == 1 and legal[0] is choice.passes(self, *args)):
            return False
        self.agenda.append((head, *args))
        self._legal = legal
        if len(legal) == 1:
            self._legal = None
            choice.do(self, legal[0], *args)
        return True

    def pose(self, head: Any, *args: Any) -> bool:
        """Like ``ask``, but a single thing that can be done is not done for the player: he sees it, and does it."""
        choice: Choice[Any] = self.game.flow.choices[head]
        legal = choice.legal(self, *args)
        if not legal:
            return False
        self.agenda.append((head, *args))
        self._legal = legal
        return True

    def keep(self, key: Any, value: Any) -> Any:
        """Keep what was worked out for a list of legal actions until one of them is done; see ``kept``."""
        if self._kept is None:
            self._kept = {}
        self._kept[key] = value
        return value

    def kept(self, key: Any) -> Any:
        """What ``keep`` keeps under this key, or None. It is forgotten as soon as the position changes."""
        return None if self._kept is None else self._kept.get(key)

    def run(self) -> None:
        """Take automatic steps until a decision is needed or the game is over."""
        agenda, automatic, asking = self.agenda, self.game.flow.automatic, ask
        while agenda:
            handler = automatic.get(agenda[-1][0])
            if handler is None:
                return
            step = agenda.pop()
            if handler is asking:  # by far the most frequent one, without a call of its own
                self._ask(step[1], step[2:])
            elif len(step) == 1:
                handler(self)
            elif len(step) == 2:
                handler(self, step[1])
            elif len(step) == 3:
                handler(self, step[1], step[2])
            else:
                handler(self, *step[1:])

    def finish(self, winner: int | None, level: str, reason: str, *rules: str) -> None:
        """End the game."""
        self.agenda.clear()
        self.outcome = (winner, level, reason, rules)
        self.log("result", reason, *rules)

    def log(
        self, kind: str, sentence: str, *rules: str, only: int | None = None, public: str = "", **values: Any
    ) -> None:
        """Note what happened. Blanks in the sentence are filled from the values when somebody reads it."""
        self.events.append(Event(self.game.act, kind, sentence, rules, values, only, public, self.thrown))
        self.thrown = ()

    def roll(self, sides: int = 6) -> int:
        """One die."""
        if self.dice:
            face, self.dice = self.dice[0], self.dice[1:]
        else:
            self.rng, below = chance.below(self.rng, sides)
            face = below + 1
        self.thrown = (*self.thrown, face)
        return face

    def draw(self, pile: list[int]) -> int:
        """Take a random member out of a cup or an unordered deck."""
        self.rng, index = chance.below(self.rng, len(pile))
        return pile.pop(index)

    def shuffle(self, pile: list[int]) -> None:
        """Put a pile into a random order."""
        for last in range(len(pile) - 1, 0, -1):
            self.rng, index = chance.below(self.rng, last + 1)
            pile[index], pile[last] = pile[last], pile[index]

    # ------------------------------------------------------------------ units on the board

    def put(self, unit: int, node: int) -> None:
        """Place a unit on top of the stack at a node, taking it from wherever it was."""
        if self.at[unit] != NOWHERE:
            self.lift(unit)
        self._kept = None
        self.at[unit] = node
        self.here[node] = self.here.get(node, ()) + (unit,)  # noqa: RUF005  # sooner than a tuple with a star
        self._count(unit, node)

    def shift(self, unit: int, node: int) -> None:
        """``put`` for a unit on the board that occupies and controls at the new place what it did at the old one."""
        here, old = self.here, self.at[unit]
        self._kept = None
        stack = here[old]
        if len(stack) > 1:
            here[old] = tuple([other for other in stack if other != unit])
        else:
            del here[old]
        self.at[unit] = node
        here[node] = here.get(node, ()) + (unit,)  # noqa: RUF005
        mark = self.counted[unit]
        if mark:
            game = self.game
            side = game.side_of[unit]
            if mark & 128:
                held = self.held[side]
                held[old] -= 1
                held[node] += 1
            if mark & 127:
                steps, zone, graph = game.zones[(mark & 127) - 1], self.zone[side], game.board.graph
                graph.zone(steps, zone, old, -1)
                graph.zone(steps, zone, node, 1)

    def lift(self, unit: int) -> None:
        """Take a unit off the board."""
        node = self.at[unit]
        self._kept = None
        self._uncount(unit, node)
        stack = self.here[node]
        if len(stack) > 1:
            self.here[node] = tuple([other for other in stack if other != unit])
        else:
            del self.here[node]
        self.at[unit] = NOWHERE

    def recount(self, unit: int) -> None:
        """Call when what a unit occupies or controls may have changed (disrupted, reduced, frozen lakes)."""
        node = self.at[unit]
        if node != NOWHERE:
            self._uncount(unit, node)
            self._count(unit, node)

    def recount_all(self) -> None:
        """Count anew what all units occupy and control: when the rules of zones have changed (frost, thaw)."""
        for side in (0, 1):
            self.held[side][:] = bytes(len(self.held[side]))
            self.zone[side][:] = bytes(len(self.zone[side]))
        for unit, node in enumerate(self.at):
            self.counted[unit] = 0
            if node != NOWHERE:
                self._count(unit, node)

    def _count(self, unit: int, node: int) -> None:
        """Count a unit in ``held`` and ``zone``. 128: it occupies; the rest: number of its zone, 0 for none."""
        game = self.game
        side = game.side_of[unit]
        mark: int = game.exerts(self, unit)
        if mark:
            game.board.graph.zone(game.zones[mark - 1], self.zone[side], node, 1)
        if game.occupies(self, unit):
            self.held[side][node] += 1
            mark |= 128
        self.counted[unit] = mark

    def _uncount(self, unit: int, node: int) -> None:
        mark = self.counted[unit]
        if not mark:
            return
        game = self.game
        side = game.side_of[unit]
        if mark & 128:
            self.held[side][node] -= 1
        if mark & 127:
            game.board.graph.zone(game.zones[(mark & 127) - 1], self.zone[side], node, -1)
        self.counted[unit] = 0

    def stack(self, node: int) -> tuple[int, ...]:
        """The units at a node, bottom first."""
        return self.here.get(node, ())

    def place(self, unit: str) -> str | None:
        """Where a unit is, by name: a hex label, an area, or None."""
        node = self.at[self.game.unit(unit)]
        return None if node == NOWHERE else self.game.board.labels[node]

    # ------------------------------------------------------------------ the state as a value

    def copy(self) -> Self:
        """An independent state that equals this one."""
        new = self.twin()
        new.agenda = self.agenda[:]
        new.at = self.at[:]
        new.here = self.here.copy()
        new.held = (self.held[0][:], self.held[1][:])
        new.zone = (self.zone[0][:], self.zone[1][:])
        new.counted = self.counted[:]
        new.events = []
        new.thrown = ()
        return new

    def twin(self) -> Self:
        """Another object with the same fields, the game's own arrays copied. (Compiled, each game has its own.)"""
        new = object.__new__(type(self))
        new.__dict__ = self.__dict__.copy()
        self.game.fields.copy_arrays(self, new)
        return new

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self.game.slug == other.game.slug and self.to_data() == other.to_data()

    def to_data(self) -> dict[str, Any]:
        """The whole state as JSON-able data, hidden information included: for saving, never for sending."""
        data: dict[str, Any] = {
            "game": self.game.slug,
            "version": self.game.version,
            "scenario": self.scenario,
            "options": self.options,
            "turn": self.turn,
            "stage": self.stage,
            "mover": self.mover,
            "rng": self.rng,
            "dice": self.dice,
            "agenda": [self.game.flow.saved(step) for step in self.agenda],
            "outcome": self.outcome,
            "stacks": sorted((node, units) for node, units in self.here.items()),
        }
        for name in self.game.fields.values:
            data[name] = getattr(self, name)
        for name in self.game.fields.arrays:
            data[name] = list(getattr(self, name))
        return data

    def to_json(self) -> str:
        """The state as text; ``game.from_json`` is the way back."""
        return json.dumps(self.to_data(), separators=(",", ":"), sort_keys=True)

    def load(self, data: dict[str, Any]) -> None:
        """Fill a blank state from ``to_data``; errors name the field."""
        for name in ("turn", "mover", "rng"):
            setattr(self, name, _field(data, name, int))
        self.stage = _field(data, "stage", str)
        self.dice = tuple(_field(data, "dice", list))
        self.agenda = [self._step(entry) for entry in _field(data, "agenda", list)]
        outcome = _field(data, "outcome", (list, type(None)))
        self.outcome = None if outcome is None else _frozen(outcome)
        for entry in _field(data, "stacks", list):
            node, units = self._stack_entry(entry)
            self.here[node] = units
            for unit in units:
                self.at[unit] = node
        for name in self.game.fields.values:
            setattr(self, name, _frozen(_field(data, name, object)))
        for name in self.game.fields.arrays:
            blank = getattr(self, name)
            items = _field(data, name, list)
            try:
                loaded = _like(blank, items)
            except (TypeError, ValueError, OverflowError) as error:
                raise RecordError(f'"{name}" cannot be read: {error}') from None
            setattr(self, name, loaded)
        self.recount_all()
        self.derive()

    def _stack_entry(self, entry: Any) -> tuple[int, tuple[int, ...]]:
        match entry:
            case [int(node), [*units]] if 0 <= node < self.game.board.size and all(
                isinstance(u, int) and 0 <= u < len(self.at) and self.at[u] == NOWHERE for u in units
            ):
                return node, tuple(units)
        raise RecordError(f'"stacks": {entry!r} is not a place on the map with its units, or a unit stands twice')

    def _step(self, entry: Any) -> Step:
        step: Step | None = self.game.flow.loaded(_frozen(entry))
        if step is None:
            raise RecordError(f'"agenda": {entry!r} is no step of {self.game.slug}')
        return step

    # ------------------------------------------------------------------ what a side may see

    def sees(self, side: int | None, unit: int) -> bool:
        """May a side (None: a spectator) know which unit this is? Games with fog of war override this."""
        return True

    def view(self, side: str | None) -> dict[str, Any]:
        """What a side may see, as JSON-able data: the only thing that leaves the server."""
        game: Game = self.game
        number = None if side is None else game.side_number(side)
        decision = self.decision
        mine = decision is not None and self.decider == number
        view: dict[str, Any] = {
            "game": game.slug,
            "scenario": self.scenario,
            "options": self.options,
            "viewer": side,
            "turn": self.turn,
            "turn_label": game.views.turn_label(self),
            "phase": self.phase,
            "decision": None,
            "legal": [action.to_json() for action in self._choices()] if mine else [],
            "units": [shown for unit in self.units_in_view() if (shown := game.views.unit(self, unit, number))],
            "result": self.result._asdict() if self.result else None,
            "standing": standing.to_json(game) if (standing := game.views.standing(self, number)) else None,
            "losses": list(game.views.losses),
            **game.views.extra(self, number),
        }
        if decision is not None:
            view["decision"] = self._decision_view(decision) if mine else game.views.waiting(self, decision)
        return view

    def _decision_view(self, decision: Decision) -> dict[str, Any]:
        """The decision for who has to take it: also what things cost, and what ending would leave undone."""
        choice, args = self.game.flow.choices[self.agenda[-1][0]], self.agenda[-1][1:]
        ends = decision.passes is not None and len(self._choices()) > 1
        undone = choice.undone(self, *args) if ends else ""
        hints = {"prices": choice.prices(self, *args), "undone": undone, "own_way": choice.by_own_way()}
        return {**decision.to_json(), **hints}

    def units_in_view(self) -> Iterable[int]:
        """Units in play, stack by stack, bottom first."""
        for node in sorted(self.here):
            yield from self.here[node]

    def __repr__(self) -> str:
        return f"<{self.game.slug} turn {self.turn}, {self.phase}, {self.side or 'over'}>"


def pair(values: tuple[int, ...], side: int, value: int) -> tuple[int, int]:
    """A number for each side, with that of one side changed."""
    return (values[0], value) if side else (value, values[1])


def _names(state: State) -> list[str]:
    """The fields that a state has so far; compiled classes list theirs."""
    found: Iterable[str] = getattr(state, "__dict__", ()) or getattr(type(state), "__mypyc_attrs__", ())
    return [name for name in found if hasattr(state, name)]


class Fields(NamedTuple):
    """A game's own fields, by kind: replaced, changed in place, worked out from the others."""

    values: tuple[str, ...]
    arrays: tuple[str, ...]
    derived: tuple[str, ...]
    copy_arrays: Callable[[Any, Any], None]  # (old, new): gives the new state arrays of its own

    @classmethod
    def of(cls, state: State, own: list[str], derived: list[str]) -> Fields:
        """As a first state of the game has them."""
        arrays = tuple([name for name in own if _is_array(getattr(state, name))])
        values = tuple([name for name in own if name not in arrays])
        sliced = [*arrays, *(name for name in derived if _is_array(getattr(state, name)))]
        lines = [f"new.{name} = old.{name}[:]" for name in sliced] or ["pass"]
        scope: dict[str, Any] = {}
        exec("def copy_arrays(old, new):\n " + "\n ".join(lines), scope)  # plain assignments: as fast as Python goes
        return cls(values, arrays, tuple(derived), scope["copy_arrays"])


def _is_array(value: object) -> bool:
    return isinstance(value, list | bytearray | array)


def _field(data: dict[str, Any], name: str, kind: type | tuple[Any, ...]) -> Any:
    if name not in data:
        raise RecordError(f'"{name}" is missing')
    value = data[name]
    if not isinstance(value, kind):
        raise RecordError(f'"{name}" has the wrong type: {value!r:.80}')
    return value


def _frozen(value: Any) -> Any:
    """JSON lists back to tuples."""
    return tuple(_frozen(v) for v in value) if isinstance(value, list) else value


def _like(blank: Any, items: Sequence[Any]) -> Any:
    """Items in the same kind of container as the blank one."""
    if isinstance(blank, array):
        return array(blank.typecode, items)
    if isinstance(blank, bytearray):
        return bytearray(items)
    return [_frozen(item) for item in items]
