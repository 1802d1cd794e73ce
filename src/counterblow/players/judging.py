"""How a game tells its players what counts: ``games/<slug>/judge.py`` with the weights in ``data/judge.toml``.

A judge counts *features* of a position (points, ground, strength, supply, threats, the state of the line), each as seen
by the first side: a feature that is good for the second side counts below zero. What each is worth stands in the data:

    [weights]               # hundredths of a victory point for one of each
    [side.german]           # factors by which a side sees some of them differently
    [scenario.A.german]     # more factors of a side, in one scenario
    [temperament.bold]      # factors of a temperament
    [plan.breakthrough]     # factors of a plan; "say" is the plan in words, "side" whose it is, "means" are kinds of
                            # action by which it marches (rail) or missions that it flies (bomb with), "draw" what that
                            # is worth to it, "stay" what a march must gain to be worth leaving; a plan with "kinds" is
                            # the one behind such single choices (cards, whom to activate, landings), not for marches
    [late]                  # how much more of it (1 = twice as much) on the last turn than on the first
    [verbs]                 # kinds of action: open, to, close, mission, target, lead, join, support, commit, end, ...
    [habits]                # kinds of action: always, never
    [search]                # kinds of action that are worth a general's search, apart from marches and attacks; nodes
                            # (0: a general plays the officer's line); orders of march tried beside the officer's;
                            # standard errors by which an attack must lead to be compared no further; what a game won
                            # in a playout counts;
                            # plays of a command with dice; width: destinations of a unit that get a look;
                            # commands tried when a line is played on; carried: commands whose marches are tried
                            # by every plan; attacks = 0: they are left to expectation;
                            # trust, in_battle: another line must be better than the staff's own by this much
                            # (in_battle: where it attacks); sure: the lines race against the staff's own, and must
                            # lead by so many standard errors; reply: a choice that is no march or attack gets one in
                            # so many of the nodes, and no search at all with 0
    [search.final]          # factors by which a general judges the position at the end of a line that was played on
    [general.german]        # weights that a general of this side has instead of those above
    [results]               # what a result of battle does to the defender, the ground and the attacker
    [words]                 # features in words, for reasons: one sentence, or { german = "...", soviet = "..." } where
                            # what is good for one side is said otherwise by the other
    [strength]              # players by name: how they did against others here, as told where a player is chosen
    [why]                   # kinds of action: what is said where no feature tells them from others, and of habits
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib import import_module, util
from math import inf
from operator import mul
from typing import Any, NamedTuple

from counterblow.kernel.actions import Action
from counterblow.kernel.errors import DataError, unknown
from counterblow.kernel.forecast import Forecast
from counterblow.kernel.game import Game
from counterblow.kernel.state import State

WON = 1_000_000.0
NODES = 24_000  # of a general's search for a phase
WIDTH = 14  # destinations of a unit that get a look
PLAYS = 2  # times that a command is tried where dice are thrown
QUICK, HIS = 5, 10  # destinations of a unit that get a look in a general's playouts: his own, the enemy's
HORIZON = 2  # player-turns of a playout: to the end of the enemy's reply
COMMANDS = 4  # commands that are tried in a quick play
REPLY = 4
TRUST, IN_BATTLE = 80.0, 130.0
TELLS = 0.1  # hundredths of a victory point: a feature that gains less explains nothing
Weights = tuple[float, ...]
Said = tuple[str, str]  # as each side says it
SILENCE: Said = ("", "")


class Verbs(NamedTuple):
    """Kinds of action by what they do in a plan."""

    open: frozenset[str] = frozenset()  # choose a unit to move
    to: frozenset[str] = frozenset()  # where it goes
    close: frozenset[str] = frozenset()  # it goes no further
    mission: frozenset[str] = frozenset()  # choose an air unit, a ship, a gun: dice will decide
    target: frozenset[str] = frozenset()  # choose a hex to attack
    lead: frozenset[str] = frozenset()  # choose the first unit of an attack, whose hex comes last
    join: frozenset[str] = frozenset()  # choose a unit for the attack
    support: frozenset[str] = frozenset()  # aircraft or guns that help an attack and are away for a while after it
    commit: frozenset[str] = frozenset()  # the attack is put together
    end: frozenset[str] = frozenset()  # nothing more of this
    activate: frozenset[str] = frozenset()  # choose a headquarters or a command, whose units then act


class Blow(NamedTuple):
    """What a result of battle does, in shares: of the defender's worth, of the ground, of the attackers' worth."""

    hurt: float
    ground: float
    loss: float
    most: bool = False  # the attackers lose no more than the defenders are worth


class Plan(NamedTuple):
    """A way to act: factors on the weights, by what means, and how to say it."""

    name: str
    say: str
    factors: dict[str, float]
    means: frozenset[str] = frozenset()  # marches and missions as the plan wants them: by rail, by sea, bombing
    draw: float = 0.0  # what they are worth to it, beside what they gain
    stay: float = 0.0  # what a unit must gain to be worth leaving where it is
    kinds: frozenset[str] = frozenset()  # single choices behind which it stands; none: it leads marches and attacks


OF_PLANS = ("say", "side", "means", "draw", "stay", "kinds")  # what is no factor in a plan's data


class Judge:
    """A game's judgement, and the words in which its actions fit into plans."""

    features: tuple[str, ...] = ()

    def __init__(self, game: Game) -> None:
        self.game = game
        table = game.data.toml("judge.toml")
        where = game.data.where("judge.toml")
        self._weights = self._numbers(table.get("weights", {}), f"{where}: weights", whole=True)
        self._late = self._numbers(table.get("late", {}), f"{where}: late")
        self._sides = {
            name: self._numbers(factors, f"{where}: side.{name}") for name, factors in table.get("side", {}).items()
        }
        self._scenarios = self._of_scenarios(table.get("scenario", {}), f"{where}: scenario")
        self.generals = {
            name: self._numbers(weights, f"{where}: general.{name}")
            for name, weights in table.get("general", {}).items()
        }
        self.temperaments: dict[str, dict[str, float]] = {
            name: self._numbers(factors, f"{where}: temperament.{name}")
            for name, factors in table.get("temperament", {}).items()
        }
        self.plans = tuple(
            Plan(
                name,
                "",  # each side has its own words for it: see plans_for
                self._numbers({k: v for k, v in entry.items() if k not in OF_PLANS}, f"{where}: plan.{name}"),
                self._kinds(entry.get("means", []), f"{where}: plan.{name}: means"),
                float(entry.get("draw", 0.0)),
                float(entry.get("stay", 0.0)),
                self._kinds(entry.get("kinds", []), f"{where}: plan.{name}: kinds"),
            )
            for name, entry in table.get("plan", {}).items()
        )
        self._whose = {name: entry.get("side") for name, entry in table.get("plan", {}).items()}
        self._say = {
            name: self._said(entry.get("say", name), f"{where}: plan.{name}: say")
            for name, entry in table.get("plan", {}).items()
        }
        kinds = table.get("verbs", {})
        self.verbs = Verbs(**{name: self._kinds(listed, f"{where}: verbs.{name}") for name, listed in kinds.items()})
        habits, results = table.get("habits", {}), table.get("results", {})
        self.always = self._kinds(habits.get("always", []), f"{where}: habits.always")
        self.never = self._kinds(habits.get("never", []), f"{where}: habits.never")
        self.weighty = self._kinds(table.get("search", {}).get("kinds", []), f"{where}: search.kinds")
        self.nodes = int(table.get("search", {}).get("nodes", NODES))
        self.orders = int(table.get("search", {}).get("orders", 0))
        self.clear = float(table.get("search", {}).get("clear", inf))
        self.won = float(table.get("search", {}).get("won", WON))
        self.plays = int(table.get("search", {}).get("plays", PLAYS))
        self.width = int(table.get("search", {}).get("width", WIDTH))
        self.quick = int(table.get("search", {}).get("quick", QUICK))
        self.his = int(table.get("search", {}).get("his", HIS))
        self.horizon = int(table.get("search", {}).get("horizon", HORIZON))
        self.commands = int(table.get("search", {}).get("commands", COMMANDS))
        self.carried = int(table.get("search", {}).get("carried", 0))
        self.attacks = bool(table.get("search", {}).get("attacks", True))
        self.trust = float(table.get("search", {}).get("trust", TRUST))
        self.in_battle = float(table.get("search", {}).get("in_battle", IN_BATTLE))
        self.sure = float(table.get("search", {}).get("sure", 0.0))
        self.reply = int(table.get("search", {}).get("reply", REPLY))
        self.final = self._numbers(table.get("search", {}).get("final", {}), f"{where}: search.final")
        self.blows = {result: _blow(entry, f"{where}: results.{result}") for result, entry in results.items()}
        self.words = self._sayings(table.get("words", {}), f"{where}: words", "feature", self.features)
        self.why = self._sayings(table.get("why", {}), f"{where}: why", "kind of action", game.sentences)
        self.attack: dict[str, float] = table.get("attack", {})
        self.strength: dict[str, str] = table.get("strength", {})
        self.last_turn = self.length()

    def _numbers(self, entries: dict[str, Any], where: str, whole: bool = False) -> dict[str, float]:
        for name in entries:
            if name not in self.features:
                raise DataError(f"{where}: " + unknown("feature", name, self.features))
        if whole and (missing := [name for name in self.features if name not in entries]):
            raise DataError(f"{where}: {missing[0]} has no weight")
        return {name: float(value) for name, value in entries.items()}

    def _of_scenarios(self, table: dict[str, Any], where: str) -> dict[tuple[str, int], Weights]:
        """By scenario and side, a factor for each feature."""
        found = {}
        known = [scenario.name for scenario in self.game.scenarios]
        for scenario, sides in table.items():
            if scenario not in known:
                raise DataError(f"{where}: " + unknown("scenario", scenario, known))
            for side, entries in sides.items():
                if side not in self.game.sides:
                    raise DataError(f"{where}.{scenario}: " + unknown("side", side, self.game.sides))
                factors = self._numbers(entries, f"{where}.{scenario}.{side}")
                number = self.game.sides.index(side)
                found[scenario, number] = tuple(factors.get(name, 1.0) for name in self.features)
        return found

    def _kinds(self, listed: list[str], where: str) -> frozenset[str]:
        for kind in listed:
            if kind not in self.game.sentences:
                raise DataError(f"{where}: " + unknown("kind of action", kind, self.game.sentences))
        return frozenset(listed)

    def _sayings(self, entries: dict[str, Any], where: str, what: str, known: Iterable[str]) -> dict[str, Said]:
        for name in entries:
            if name not in known:
                raise DataError(f"{where}: " + unknown(what, name, known))
        return {name: self._said(entry, f"{where}.{name}") for name, entry in entries.items()}

    def _said(self, entry: Any, where: str) -> Said:
        """A sentence for both sides, or a table with one for each side; a side without one says nothing."""
        sides = self.game.sides
        told = dict.fromkeys(sides, entry) if isinstance(entry, str) else entry
        if not isinstance(told, dict) or not all(isinstance(words, str) for words in told.values()):
            raise DataError(f"{where}: should be a sentence, or a table with a sentence for each side")
        for name in told:
            if name not in sides:
                raise DataError(f"{where}: " + unknown("side", name, sides))
        return (told.get(sides[0], ""), told.get(sides[1], ""))

    # ------------------------------------------------------------------ what a game fills in

    def length(self) -> int:
        """The number of the last turn."""
        return 1

    def count(self, s: Any) -> list[float]:
        """The features of a position, in the order of ``features``, as the first side sees them."""
        raise NotImplementedError

    def counted(self, s: Any, side: int, cares: Sequence[bool]) -> list[float]:
        """The same for a side's use: features that it does not care for need not be counted."""
        return self.count(s)

    def clock(self, s: Any) -> int:
        """How many player-turns (or what comes nearest to them) have gone by."""
        return int(s.turn)

    def until(self, s: Any) -> int:
        """To which hour of the clock a general plays a line on: to the end of the enemy's reply."""
        return self.clock(s) + self.horizon

    def budget(self, s: Any, side: int, legal: list[Action]) -> int:
        """Nodes of a general's search here; with none he plays the officer's line."""
        return self.nodes

    def deal(self, s: Any, seed: int) -> None:
        """Settle what the next hour of the clock will bring (dice, the order of chits), alike for all lines."""

    def decided(self, s: Any) -> int | None:
        """Who has won, for all that a general needs to know; None while it is open."""
        outcome: tuple[Any, ...] | None = s.outcome
        return None if outcome is None else outcome[0]

    def formation(self, s: Any, unit: int) -> int:
        """The number of the formation or sector that gets a plan of its own, from 0."""
        return 0

    formations: tuple[str, ...] = ("the army",)  # their names

    def unit_worth(self, s: Any, unit: int) -> float:
        """What losing a unit would cost."""
        return 0.0

    duties = False  # may an attack oblige to others?

    def owed(self, s: Any) -> list[int]:
        """Hexes that must be attacked too, by what has been allocated; else all attacks are given up."""
        return []

    def burdened(self, s: Any, unit: int, node: int) -> bool:
        """Would a unit's part in an attack on a hex oblige to another attack?"""
        return False

    def ground(self, s: Any, side: int, node: int) -> float:
        """What taking a hex is worth to a side."""
        return 0.0

    def pull(self, s: Any, side: int) -> Any:
        """A sequence: how much each node draws the side's units. A first guess, before positions are judged."""
        return [0] * self.game.board.size

    def musts(self, s: Any, unit: int, goals: list[Action], weights: Weights) -> list[Action]:
        """Destinations of a unit that get a look in any case."""
        return []

    def resting(self, s: Any, unit: int, goals: list[Action]) -> list[Action]:
        """Of the destinations of a unit those where it may stay: others can only be passed through."""
        return goals

    def promise(self, s: Any, side: int, command: Action) -> float | None:
        """What a command that has just been given will do to the enemy on average; None where that must be tried."""
        return None

    def throws(self, s: Any, command: Action) -> tuple[tuple[int, ...], ...]:
        """The dice that fall when a command is tried, once for each; none: those of a few generators."""
        return ()

    def habit(self, s: Any, side: int, legal: list[Action]) -> Action | None:
        """What a side always does here, without judging positions; None where it has to think."""
        return None

    def bides(self, s: Any, side: int, legal: list[Action]) -> Action | None:
        """The action by which a general lets the enemy act first; None where he acts himself."""
        return None

    def pressing(self, side: int) -> frozenset[str]:
        """Kinds of action that a general does not put off while he lets the enemy act first."""
        return frozenset()

    def likely(self, s: Any, side: int, legal: list[Action]) -> list[Action]:
        """The actions of a long list that deserve a look."""
        return legal

    def foremost(self, s: Any, side: int, commands: list[Action]) -> list[Action] | None:
        """The commands that promise most at a glance, best first; None: any of them may."""
        return None

    def carried_out(self, s: Any, before: Any) -> bool:
        """Is what a command began before over, although the next one has not been asked for yet?"""
        return False

    def hopeless(self, s: Any, side: int) -> bool:
        """Is the game lost for a side, whatever it does?"""
        return False

    # ------------------------------------------------------------------ what follows from it

    def weights(
        self,
        side: int,
        temperament: str,
        plan: Plan | None = None,
        factors: dict[str, float] | None = None,
        instead: dict[str, float] | None = None,
    ) -> Weights:
        """What each feature counts for a side of this temperament under a plan.

        ``factors`` come on top (tuning); ``instead`` are weights in place of those of the data (a general's).
        """
        layers = [self._sides.get(self.game.sides[side], {}), self.temperaments.get(temperament, {}), factors or {}]
        if plan is not None:
            layers.append(plan.factors)
        found = []
        own = self._weights | (instead or {})
        for name in self.features:
            weight = own[name]
            for layer in layers:
                weight *= layer.get(name, 1.0)
            found.append(weight)
        return tuple(found)

    def of_general(self, name: str) -> dict[str, float]:
        """What each feature counts for generals of a side, before its own factors."""
        return self._weights | self.generals.get(name, {})

    def in_time(self, weights: Weights, side: int, s: State) -> Weights:
        """A side's weights in the scenario that is played, on its turn: some count the more the later it is."""
        factors = self._scenarios.get((s.scenario, side))
        if factors is not None:
            weights = tuple(map(mul, weights, factors))
        if not self._late:
            return weights
        gone = min(1.0, max(0.0, (s.turn - 1) / max(1, self.last_turn - 1)))
        return tuple(w * (1 + self._late.get(n, 0.0) * gone) for n, w in zip(self.features, weights, strict=True))

    def plans_for(self, side: int) -> tuple[Plan, ...]:
        """The plans that a side can have for its marches, attacks and missions, in its words."""
        return tuple(plan for plan in self._of_side(side) if not plan.kinds)

    def plan_behind(self, action: Action, side: int) -> Plan | None:
        """The plan that stands behind a single choice."""
        return next((plan for plan in self._of_side(side) if action.kind in plan.kinds), None)

    def _of_side(self, side: int) -> Iterator[Plan]:
        name = self.game.sides[side]
        for plan in self.plans:
            if self._whose[plan.name] in (None, name):
                yield plan._replace(say=self._say[plan.name][side] or plan.name)

    def worth(self, s: State, side: int, weights: Weights) -> float:
        """How good a position is for a side."""
        value = float(sum(map(mul, self.counted(s, side, list(map(bool, weights))), weights)))
        if s.outcome is not None and s.outcome[0] is not None:
            value += WON if s.outcome[0] == 0 else -WON
        return value if side == 0 else -value

    def battle(self, s: Any, side: int, targets: list[int], attackers: list[int], forecast: Forecast) -> float:
        """The exact expectation of a planned battle: what it costs both, and the ground it may bring."""
        defenders = [u for node in targets for u in s.stack(node) if self.game.side_of[u] != side]
        theirs = sum(self.unit_worth(s, u) for u in defenders)
        ours = sum(self.unit_worth(s, u) for u in attackers)
        ground = sum(self.ground(s, side, node) for node in targets)
        value = 0.0
        for outcome in forecast.outcomes:
            blow = self.blows.get(outcome.result)
            if blow is not None:
                loss = blow.loss * (min(ours, theirs) if blow.most else ours)
                value += float(outcome.chance) * (blow.hurt * theirs + blow.ground * ground - loss)
        return value

    def weighs(self) -> bool:
        """Does the game weigh every planned battle itself?"""
        return False

    def weigh(self, s: Any, side: int, targets: list[int], attackers: list[int], commit: Action) -> float | None:
        """A planned battle weighed without a forecast and its words, where a game can do that faster; None if not."""
        return None

    def odds(self, s: Any, side: int, targets: list[int], attackers: list[int], commit: Action) -> str:
        """The odds or the column of a planned battle that the game weighs itself, in words."""
        return ""

    def phrase(self, before: list[float], after: list[float], weights: Weights, side: int, kind: str = "") -> str:
        """Why a change is good, in words: the feature that gains most; else what is said of such an action."""
        sign = 1 if side == 0 else -1
        gains = [sign * (b - a) * w for a, b, w in zip(before, after, weights, strict=True)]
        for gain, name in sorted(zip(gains, self.features, strict=True), reverse=True):
            if gain <= TELLS:
                break
            if words := self.words.get(name, SILENCE)[side]:
                return words
        return self.usual(kind, side)

    def usual(self, kind: str, side: int, otherwise: str = "nothing speaks for another choice") -> str:
        """What a side says of an action that no feature tells from others."""
        return self.why.get(kind, SILENCE)[side] or otherwise


def _blow(entry: Any, where: str) -> Blow:
    if not isinstance(entry, list) or not 3 <= len(entry) <= 4:
        raise DataError(f"{where}: should be [hurt, ground, loss] in shares, and perhaps whether losses are limited")
    return Blow(*entry)


class BareJudge(Judge):
    """For a game without a judge of its own: nothing but its ``evaluate``."""

    features = ("worth",)

    def __init__(self, game: Game) -> None:  # no data to read
        self.game = game
        self._weights = {"worth": 1.0}
        self._late, self._sides, self.generals, self.temperaments, self._whose = {}, {}, {}, {}, {}
        self._scenarios, self.carried = {}, 0
        self.plans = ()
        self.verbs = Verbs()
        self.always = self.never = self.weighty = frozenset()
        self.blows, self.words, self.why, self._say, self.attack, self.strength = {}, {}, {}, {}, {}, {}
        self.last_turn = 1
        self.nodes, self.orders, self.clear, self.won = NODES, 0, inf, WON
        self.quick, self.his, self.horizon = QUICK, HIS, HORIZON
        self.plays, self.width, self.commands = PLAYS, WIDTH, COMMANDS
        self.attacks, self.trust, self.in_battle, self.sure, self.reply = True, TRUST, IN_BATTLE, 0.0, REPLY
        self.final = {}

    def worth(self, s: State, side: int, weights: Weights) -> float:
        return float(self.game.judge.evaluate(s, side))

    def count(self, s: Any) -> list[float]:
        return [0.0]

    def phrase(self, before: list[float], after: list[float], weights: Weights, side: int, kind: str = "") -> str:
        return "the position is better for it"  # all that one number tells


@cache
def judge_of(game: Game) -> Judge:
    """The judge of a game: the class ``Judge`` of the module ``judge`` beside its rules."""
    package = type(game).__module__.rpartition(".")[0]
    if not package or util.find_spec(f"{package}.judge") is None:
        return BareJudge(game)
    found: Judge = import_module(f"{package}.judge").Judge(game)
    return found
