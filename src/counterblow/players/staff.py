"""A general staff: turns plans into actions, through the one door, on a state of its own.

It marches unit after unit to where the position is judged best under the plan of its formation, puts attacks together
from the strongest joiners on and weighs each by the exact expectation of its forecast, and answers everything else by
the position that follows. No search beyond that: a phase takes fractions of a second.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from counterblow.kernel import chance
from counterblow.kernel.actions import Action
from counterblow.kernel.state import NOWHERE, State
from counterblow.players.base import Meter, Rated, Thought, chosen, where
from counterblow.players.judging import Judge, Plan, Weights

JOINERS = 12  # units in one attack, at most
REPLIES = 24  # options of a reply that get a look
FACES = 6  # of the die over which chance is averaged
SETTLING = 8  # decisions that may follow from an action before the position is judged as it is
GLANCES = 4  # options of each of those that are looked at
AGAIN = 0.6  # of its worth that each further attack on the same hex has
GUESS = (1 << 62) - 1
FOLLOWING = 60  # decisions after an activation, at most
STIR = 1.0  # a move should gain at least this much
TOP = 0.6  # this share of the destinations looked at are those that draw most; the others are drawn by lot


def _die() -> tuple[int, ...]:
    """Generators whose next number is each face of the die once, a middling one first."""
    found: dict[int, int] = {}
    seed = 0
    while len(found) < FACES:
        generator = chance.seeded(seed)
        found.setdefault(chance.below(generator, FACES)[1], generator)
        seed += 1
    return tuple(found[face] for face in (3, 1, 5, 0, 4, 2))


DIE = _die()


class LineEnds(Exception):
    """Chance, a reveal or the enemy decides what comes next."""


class Orders:
    """A plan for every formation of a side, as the weights by which its units are led."""

    def __init__(
        self,
        judge: Judge,
        side: int,
        temperament: str,
        plans: Sequence[Plan | None],
        factors: dict[str, float] | None = None,
        instead: dict[str, float] | None = None,
    ) -> None:
        self.plans = tuple(plans)
        self._weights = tuple(judge.weights(side, temperament, plan, factors, instead) for plan in self.plans)
        self.cares = tuple(any(column) for column in zip(*self._weights, strict=True))  # features that weigh something
        self._judge, self._side = judge, side
        self._turn = -1
        self._now: tuple[Weights, ...] = self._weights

    def weights(self, s: State, formation: int) -> Weights:
        """What each feature counts this turn for a formation, under its plan."""
        if s.turn != self._turn:
            self._turn = s.turn
            self._now = tuple(self._judge.in_time(weights, self._side, s) for weights in self._weights)
        return self._now[formation]

    def say(self, formation: int) -> str:
        """The plan of a formation in words, to be added to a reason."""
        plan = self.plans[formation]
        return "" if plan is None else f" (plan for {self._judge.formations[formation]}: {plan.say})"


class Move(NamedTuple):
    """A unit's march, or an attack: the actions that make it, what it gains, and why."""

    actions: list[Action]
    gain: float
    reason: str
    counted: list[float] | None = None  # the features that follow
    units: tuple[int, ...] = ()  # who attacks


class Staff:
    """Acts for one side on a state that it may change."""

    def __init__(
        self, judge: Judge, side: int, orders: Orders, width: int, seed: int, meter: Meter, quick: bool = False
    ) -> None:
        self.quick = quick  # a glance must do for what is neither march nor attack: when many plays are tried
        self.judge = judge
        self.side = side
        self.orders = orders
        self.width = width  # destinations of a unit that get a look
        self.meter = meter
        self.line: list[Thought] | None = None  # where a line is recorded
        self._spoken_for: set[int] = set()  # units that hexes marked for attack will need
        self._reckoned: float | None = None  # what attacks promise, while commands are compared without dice
        self._trail: list[Action] | None = None  # what a trial of a command does before it fights
        self._enemy = b""  # where the enemy stands, and what draws then
        self._pull: Sequence[float] = ()
        self._now: list[float] | None = None  # the features of the position, while units march one after the other
        self._generator = chance.seeded(seed)
        self._names = judge.game.unit_names
        self._labels = judge.game.board.labels

    # ------------------------------------------------------------------ the door

    def plan(self, s: State) -> list[Thought]:
        """The line that the staff would play, until chance or the enemy decides or the phase is planned."""
        self.line = []
        with suppress(LineEnds):
            self.act(s)
        line, self.line = self.line, None
        return line

    def do(self, s: State, action: Action, reason: str) -> None:
        """Carry out an action, note it with its reason, and end the line where chance or the enemy comes in."""
        if self.line is not None:
            self.line.append(Thought(where(s), action, reason))
        if self._trail is not None:
            self._trail.append(action)
        rng, known = s.rng, self._known(s)
        s.do(action)
        self.meter.nodes += 1
        if self.line is not None and (s.rng != rng or s.decider != self.side or self._known(s) != known):
            raise LineEnds

    def _known(self, s: State) -> int:
        """How many units the side can tell apart, while a line is recorded: a reveal ends it."""
        if self.line is None:
            return 0
        return sum(1 for unit, node in enumerate(s.at) if node != NOWHERE and s.sees(self.side, unit))

    def act(self, s: State) -> None:
        """Decide what is asked now, with all that belongs to it."""
        legal = s.legal()
        if len(legal) == 1 and legal[0].kind not in self.judge.verbs.target:
            self.do(s, legal[0], "there is nothing else to do")
            return
        habit = self._habit(s, legal)
        if habit is not None:
            self.do(s, habit, self._custom(habit))
            return
        kinds = {action.kind for action in legal}
        verbs = self.judge.verbs
        if kinds & verbs.activate:
            best = max(self.activations(s, legal), key=lambda move: move.gain)
            self.do(s, best.actions[0], best.reason)
            for action in best.actions[1:]:  # as far as the enemy lets it be done as it was tried
                if s.decider != self.side or action not in s.legal():
                    break
                self.do(s, action, best.reason)
        elif kinds & (verbs.open | verbs.mission):
            self.march(s)
        elif kinds & (verbs.target | verbs.lead):
            self.attack(s)
        elif kinds & (verbs.join | verbs.commit):
            self._take(s, self._built(s, [], self._targets(s)) or self._best_reply(s, legal))
        else:
            self._take(s, self._best_reply(s, legal))

    def rated(self, s: State) -> list[Rated]:
        """What the staff would consider now, best first."""
        legal = s.legal()
        kinds = {action.kind for action in legal}
        verbs = self.judge.verbs
        habit = legal[0] if len(legal) == 1 else self._habit(s, legal)
        if habit is not None:
            moves = [Move([habit], 0.0, "there is nothing else to do" if len(legal) == 1 else self._custom(habit))]
        elif kinds & verbs.activate:
            moves = self.activations(s, legal)
        elif kinds & verbs.open:
            moves = [*self._marches(s, legal), *self._ends(legal)]
        elif kinds & (verbs.target | verbs.lead):
            moves = [*self._attacks(s, legal), *self._ends(legal)]
        else:
            moves = self.replies(s, legal)
        moves.sort(key=lambda move: -move.gain)
        return [Rated(move.actions[0], move.reason, round(move.gain, 1)) for move in moves]

    def _habit(self, s: State, legal: list[Action]) -> Action | None:
        always = self.judge.always
        for action in legal:
            if action.kind in always:
                return action
        return self.judge.habit(s, self.side, legal)

    def _custom(self, action: Action) -> str:
        """Why something is always done so."""
        return f"{action}: {self.judge.usual(action.kind, self.side)}"

    def _take(self, s: State, move: Move) -> None:
        for action in move.actions:
            self.do(s, action, move.reason)

    def _ends(self, legal: list[Action]) -> list[Move]:
        return [Move([a], 0.0, "nothing more is worth doing here") for a in legal if a.kind in self.judge.verbs.end]

    # ------------------------------------------------------------------ judging

    def worth(self, s: State, formation: int = 0) -> float:
        """How good a position is for the side, as a formation sees it."""
        self.meter.nodes += 1
        return self._sum(s, self._counted(s), self.orders.weights(s, formation))

    def _counted(self, s: State) -> list[float]:
        """The features of a position, as far as they weigh anything under these orders."""
        return self.judge.counted(s, self.side, self.orders.cares)

    def _below(self, n: int) -> int:
        self._generator, number = chance.below(self._generator, n)
        return number

    def _shuffled(self, actions: list[Action]) -> list[Action]:
        actions = actions[:]
        for last in range(len(actions) - 1, 0, -1):
            other = self._below(last + 1)
            actions[last], actions[other] = actions[other], actions[last]
        return actions

    # ------------------------------------------------------------------ marches

    def march(self, s: State) -> None:
        """Every unit goes where it serves best; then the missions; then movement ends."""
        verbs = self.judge.verbs
        legal = s.legal()
        self._now = None
        for opener in self._shuffled([a for a in legal if a.kind in verbs.open]):
            if s.decider != self.side:
                return
            if opener in s.legal():
                move = self._march(s, opener)
                if move is not None:
                    self._take(s, move)
                    self._now = move.counted
        self._now = None
        if s.decider != self.side:
            return
        for opener in [a for a in s.legal() if a.kind in verbs.mission]:  # also those that a march has made possible
            if s.decider != self.side:
                return
            if opener in s.legal():
                mission = self._mission(s, opener)
                if mission is not None:
                    self._take(s, mission)
        if s.decider != self.side:
            return
        end = next((a for a in s.legal() if a.kind in verbs.end), None)
        if end is not None:
            self.do(s, end, "everybody is where he should be")
        elif s.legal() == legal:  # no unit found a better place, and one must move
            self._take(s, self._best_reply(s, legal))

    def _marches(self, s: State, legal: list[Action]) -> list[Move]:
        self._now = self._counted(s)
        found = [self._march(s, a) for a in legal if a.kind in self.judge.verbs.open]
        return [move for move in found if move is not None]

    def _march(self, s: State, opener: Action) -> Move | None:
        """The best march of a unit, if any is better than staying."""
        verbs = self.judge.verbs
        unit = int(opener.args[0]) if opener.args else -1
        formation = self.judge.formation(s, unit) if unit >= 0 else 0
        weights = self.orders.weights(s, formation)
        plan = self.orders.plans[formation]
        begun = s.copy()
        begun.do(opener)
        self.meter.nodes += 1
        if begun.rng != s.rng or begun.decider != self.side:
            return None
        goals = self.judge.resting(begun, unit, [a for a in begun.legal() if a.kind in verbs.to])
        if not goals:
            return None
        before = self._now if self._now is not None else self._counted(s)
        best, gain = None, STIR if plan is None else STIR + plan.stay
        base = self._sum(s, before, weights)
        looks = self._promising(s, goals)
        for goal in [*(a for a in self.judge.musts(s, unit, goals, weights) if a not in looks), *looks]:
            after = begun.copy()
            after.do(goal)
            actions = [opener, goal, *self._closed(after, s)]
            self.meter.nodes += 1
            if after.rng != s.rng and after.decider != self.side:
                continue  # a matter of luck: left to missions
            counted = self._counted(after)
            more = self._sum(after, counted, weights) - base
            if plan is not None and (opener.kind in plan.means or goal.kind in plan.means):
                more += plan.draw
            if more > gain:
                best, gain = Move(actions, more, "", counted), more
        if best is None or best.counted is None:
            return None
        if self.quick:  # nobody will read it
            return best
        name = self._names[unit] if unit >= 0 else opener.text
        phrase = self.judge.phrase(before, best.counted, weights, self.side)
        return best._replace(
            reason=f"{name} goes to {self._where(best.actions[1])}: {phrase}{self.orders.say(formation)}"
        )

    def _sum(self, s: State, counted: list[float], weights: Weights) -> float:
        value = sum([a * b for a, b in zip(counted, weights, strict=True)])
        if s.outcome is not None and s.outcome[0] is not None:
            value += 1e6 if s.outcome[0] == 0 else -1e6
        return value if self.side == 0 else -value

    def _where(self, action: Action) -> str:
        node = action.args[-1] if action.args else None
        if not isinstance(node, int) or not 0 <= node < len(self._labels):
            return str(action)
        return self._place(node)

    def _place(self, node: int) -> str:
        """A hex by its name, if it has one."""
        label = self._labels[node]
        for place in self.judge.game.board.places:
            if node in place.nodes:
                return f"{place.name} ({label})"
        return label

    def _promising(self, s: State, goals: list[Action]) -> list[Action]:
        """The destinations that get a look: those that draw most, and some others."""
        if len(goals) <= self.width:
            return goals
        enemy = bytes(s.held[1 - self.side])
        if enemy != self._enemy:  # the first guess is as good while the enemy stands where he stood
            self._enemy, self._pull = enemy, self.judge.pull(s, self.side)
        pull = self._pull
        goals = sorted(self._shuffled(goals), key=lambda a: -pull[a.args[-1]])
        top = int(self.width * TOP)
        return goals[:top] + self._shuffled(goals[top:])[: self.width - top]

    def _closed(self, s: State, before: State) -> list[Action]:
        """End a unit's march that could go on; the actions that do it."""
        verbs = self.judge.verbs
        done: list[Action] = []
        again = before.agenda[-1][0]
        while s.decider == self.side and len(done) < 3:
            if s.agenda[-1][0] == again:  # the next unit is asked for; who else may go need not be worked out
                break
            legal = s.legal()
            if any(a.kind in verbs.open or a.kind in verbs.end for a in legal):
                break
            close = next((a for a in legal if a.kind in verbs.close), None)
            if close is None:
                break
            s.do(close)
            done.append(close)
        return done

    # ------------------------------------------------------------------ missions

    def _mission(self, s: State, opener: Action) -> Move | None:
        """The best aim for guns, ships or aircraft, if using them is better than not."""
        begun = s.copy()
        begun.do(opener)
        self.meter.nodes += 1
        plan = self.orders.plans[0]
        least = STIR if plan is None or opener.kind not in plan.means else STIR - plan.draw
        base = self.worth(s)
        if begun.rng != s.rng or begun.decider != self.side:
            value = self._mean(s, [opener])
            if value <= base + least:
                return None
            return Move([opener], value - base, f"{opener}: {self._hope(s, [opener])}{self.orders.say(0)}")
        best = None
        for aim in self._promising(s, begun.legal()) if self._aims(begun) else begun.legal()[: self.width]:
            value = self._mean(s, [opener, aim])
            if value > base + least and (best is None or value - base > best.gain):
                best = Move([opener, aim], value - base, "")
        if best is None or self.quick:
            return best
        hope = self._hope(s, best.actions)
        return best._replace(reason=f"{opener} at {self._where(best.actions[1])}: {hope}{self.orders.say(0)}")

    def _hope(self, s: State, actions: list[Action]) -> str:
        """What actions whose dice fall later gain on average, in words; costs no nodes, since it changes no choice."""
        if self.quick:
            return ""
        nodes = self.meter.nodes
        ends: list[list[float]] = []
        self._mean(s, actions, ends)
        self.meter.nodes = nodes
        before, weights = self._counted(s), self.orders.weights(s, 0)
        return self.judge.phrase(before, _average(ends), weights, self.side, actions[0].kind)

    def _aims(self, s: State) -> bool:
        return all(a.args and isinstance(a.args[-1], int) for a in s.legal())

    def _mean(self, s: State, actions: list[Action], ends: list[list[float]] | None = None) -> float:
        """What some actions are worth on average, when what they begin is carried through; into ``ends`` goes how it
        may come out."""
        total = 0.0
        throws = DIE[:1] if self.quick else DIE
        for throw in throws:
            after = s.copy()
            after.rng = throw
            for action in actions:
                if action in after.legal():
                    after.do(action)
                    self.meter.nodes += 1
            self._settle(after, s)
            total += self.worth(after)
            if ends is not None:
                ends.append(self._counted(after))
        return total / len(throws)

    def _settle(self, after: State, before: State) -> None:
        """Carry through what was begun, without much thought, until the same is asked again or the phase is over."""
        phase = before.phase
        for _ in range(SETTLING):
            decider = after.decider
            if decider is None or len(after.agenda) <= len(before.agenda) or after.phase != phase:
                return
            legal = after.legal()
            if not legal:  # what was dealt anew cannot be
                return
            after.do(legal[0] if len(legal) == 1 else self._glance(after, decider, legal))
            self.meter.nodes += 1

    def _glance(self, s: State, decider: int, legal: list[Action]) -> Action:
        """The first of a few options that looks best to who decides."""
        judge = self.judge
        for action in legal:
            if action.kind in judge.always:
                return action
        options = [a for a in legal if a.kind not in judge.never] or legal
        if len(options) > GLANCES:
            options = [*options[: GLANCES - 1], options[-1]]
        weights, sign = self.orders.weights(s, 0), 1 if decider == self.side else -1
        best, chosen = 0.0, None
        throw = chance.seeded(s.rng & GUESS)  # other dice than those that will fall
        for action in options:
            after = s.copy()
            after.rng = throw
            after.do(action)
            self.meter.nodes += 2
            value = sign * judge.worth(after, self.side, weights)
            if chosen is None or value > best:
                best, chosen = value, action
        assert chosen is not None
        return chosen

    # ------------------------------------------------------------------ attacks

    def attack(self, s: State) -> None:
        """The best attack, then the next best, while they are worth it; those that must be made in any case."""
        verbs = self.judge.verbs
        least = self.judge.attack.get("least", 0.0)
        self._spoken_for = set()
        for _ in range(JOINERS):
            if s.decider != self.side:
                return
            legal = s.legal()
            if not any(a.kind in verbs.target or a.kind in verbs.lead for a in legal):
                break
            found = self._attacks(s, legal)
            end = next((a for a in legal if a.kind in verbs.end), None)
            if self.judge.duties:
                best = self._dutiful(s, found, least)
            else:
                best = max(found, key=lambda move: move.gain, default=None)
            if self._reckoned is not None and end is not None:
                self._reckoned += self._reckon(found, least)
                s.do(end)
                self.meter.nodes += 1
                break
            if best is None or (best.gain <= least and end is not None):
                if end is not None:
                    self.do(s, end, "no further attack is worth its risk")
                else:
                    self._take(s, self._best_reply(s, legal))
                break
            if len(best.actions) == 1:  # only marked: its attackers are not free for another
                self._spoken_for.update(best.units)
            self._take(s, best)
        self._spoken_for = set()

    def offers(self, s: State) -> Iterator[Move]:
        """The attacks that could come first, best first: none that obliges to what cannot be done."""
        for move in sorted(self._attacks(s, s.legal()), key=lambda move: -move.gain):
            if not self.judge.duties or self._with_duties(s, move) is not None:
                yield move

    def plan_from(self, s: State, first: Move) -> list[Thought]:
        """The line that the staff would play after an attack, until chance or the enemy decides."""
        verbs = self.judge.verbs
        self.line = []
        with suppress(LineEnds):
            self._take(s, first)
            if s.decider == self.side and any(a.kind in verbs.target or a.kind in verbs.lead for a in s.legal()):
                self.attack(s)
        line, self.line = self.line, None
        return line

    def _dutiful(self, s: State, found: list[Move], least: float) -> Move | None:
        """The attack that is worth most together with those it obliges to; what is owed already comes first."""
        owed = self.judge.owed(s)
        if owed:
            found = [move for move in found if move.actions[0].args[-1] in owed] or found
            return max(found, key=lambda move: move.gain, default=None)
        best: Move | None = None
        for move in sorted(found, key=lambda move: -move.gain):
            if move.gain <= least or (best is not None and move.gain <= best.gain):
                break
            for offer in (move, self._unburdened(s, move)):
                gain = None if offer is None else self._with_duties(s, offer)
                if offer is not None and gain is not None and (best is None or gain > best.gain):
                    best = offer._replace(gain=gain)
                if gain == move.gain:
                    break
        return best

    def _unburdened(self, s: State, move: Move) -> Move | None:
        """The same attack without those whose part in it would oblige to another."""
        target = move.actions[0]
        node = int(target.args[-1])
        begun = s.copy()
        begun.do(target)
        self.meter.nodes += 1
        burdened = {int(a.args[0]) for a in begun.legal() if a.kind in self.judge.verbs.join} - self._spoken_for
        burdened = {unit for unit in burdened if self.judge.burdened(s, unit, node)}
        if not burdened:
            return None
        self._spoken_for |= burdened
        found = self._built(begun, [target], [node])
        self._spoken_for -= burdened
        return found

    def _with_duties(self, s: State, move: Move) -> float | None:
        """What an attack is worth with all others that it obliges to; None if that duty cannot be met."""
        after = s.copy()
        for action in move.actions:
            after.do(action)
            self.meter.nodes += 1
        total = move.gain
        for _ in range(JOINERS):
            owed = self.judge.owed(after) if after.decider == self.side else []
            if not owed:
                break
            legal = [a for a in after.legal() if a.kind in self.judge.verbs.target and a.args[-1] in owed]
            best = max(self._attacks(after, legal), key=lambda move: move.gain, default=None)
            if best is None:
                return None
            total += best.gain
            for action in best.actions:
                after.do(action)
                self.meter.nodes += 1
        return total

    def _reckon(self, moves: list[Move], least: float) -> float:
        """What a round of attacks promises: the best, then the next that needs none of the same units."""
        total = 0.0
        busy: set[int] = set()
        for move in sorted(moves, key=lambda move: -move.gain):
            if move.gain > least and busy.isdisjoint(move.units):
                total += move.gain
                busy.update(move.units)
        return total

    def _attacks(self, s: State, legal: list[Action]) -> list[Move]:
        found = []
        for target in legal:
            if target.kind in self.judge.verbs.lead:
                begun = s.copy()
                begun.do(target)
                self.meter.nodes += 1
                if begun.decider == self.side:
                    move = self._built(begun, [target], [])
                    if move is not None:
                        found.append(move)
            elif target.kind in self.judge.verbs.target:
                begun = s.copy()
                begun.do(target)
                self.meter.nodes += 1
                if begun.decider == self.side:
                    node = int(target.args[-1])
                    kinds = {a.kind for a in begun.legal()}
                    if kinds & (self.judge.verbs.target | self.judge.verbs.end):
                        move = self._declared(begun, target, node)
                    else:
                        move = self._built(begun, [target], [node])
                    if move is not None:
                        found.append(move)
        return found

    def _declared(self, begun: State, target: Action, node: int) -> Move | None:
        """A hex that is only marked now: what the battle for it will be worth, with units not needed elsewhere."""
        verbs = self.judge.verbs
        s = begun.copy()
        for _ in range(SETTLING):
            if s.decider is None:
                return None
            legal = s.legal()
            if s.decider == self.side:
                if any(a.kind in verbs.join or a.kind in verbs.commit for a in legal):
                    move = self._built(s, [], [node])
                    return None if move is None else move._replace(actions=[target], units=move.units)
                battle = next((a for a in legal if a.kind in verbs.target and a.args[-1] == node), None)
                if battle is not None and not any(a.kind in verbs.end for a in legal):
                    s.do(battle)
                    self.meter.nodes += 1
                    continue
            s.do(next((a for a in legal if a.kind in verbs.end), legal[0]))
            self.meter.nodes += 1
        return None

    def _targets(self, s: State) -> list[int]:
        """The hexes under attack in a battle that is being put together: those next to the enemy that are named."""
        return [int(a.args[-1]) for a in s.legal() if a.kind in self.judge.verbs.target]

    def _built(self, begun: State, actions: list[Action], targets: list[int]) -> Move | None:
        """The best set of joiners for an attack: the strongest first, as long as the expectation grows."""
        verbs, judge = self.judge.verbs, self.judge
        s = begun.copy()
        actions, first = actions[:], len(actions)
        best: Move | None = None
        for _ in range(JOINERS):
            if s.decider != self.side:
                break
            legal = s.legal()
            attackers = list(chosen(s))
            for commit in legal:
                if commit.kind in verbs.commit and attackers:
                    aim = targets or [int(a) for a in commit.args if isinstance(a, int)]
                    value = judge.weigh(s, self.side, aim, attackers, commit)
                    if value is not None and best is not None and value <= best.gain:
                        continue
                    odds = ""
                    if value is not None:
                        odds = "" if self.quick else judge.odds(s, self.side, aim, attackers, commit)
                    elif (forecast := s.forecast(commit)) is not None:
                        value = judge.battle(s, self.side, aim, attackers, forecast)
                        facts = dict(forecast.facts)
                        odds = facts.get("column") or facts.get("odds") or ""
                    if value is None:
                        best = best or Move([*actions, commit], 0.0, "the attack is put together")
                    elif best is None or value > best.gain:
                        reason = "" if self.quick else self._attackers(attackers, aim, odds)
                        best = Move([*actions, commit], value, reason, units=tuple(attackers))
            joiners = [a for a in legal if a.kind in verbs.join and a.args[0] not in self._spoken_for]
            if not joiners:
                break
            joiner = max(joiners, key=lambda a: judge.unit_worth(s, int(a.args[0])))
            s.do(joiner)
            self.meter.nodes += 1
            actions.append(joiner)
        if best is not None and verbs.support:
            best = self._supported(begun, best, first, targets)
        if best is None or self.quick or not best.units:
            return best
        return best._replace(reason=f"{best.reason}: {self._for_what(begun, targets, best)}")

    def _supported(self, begun: State, move: Move, first: int, targets: list[int]) -> Move:
        """The attack with the aircraft or guns that gain more than it costs to have them away for a while."""
        verbs, judge = self.judge.verbs, self.judge
        s = begun.copy()
        for action in move.actions[first:-1]:
            s.do(action)
            self.meter.nodes += 1
        spent = 0.0
        while True:
            first_of: dict[str, Action] = {}  # those of a kind are much alike, but for the last
            last_of: dict[str, Action] = {}
            for action in s.legal():
                if action.kind in verbs.support:
                    first_of.setdefault(action.kind, action)
                    last_of[action.kind] = action
            best, gain = None, move.gain
            for offer in dict.fromkeys([*first_of.values(), *last_of.values()]):
                value = judge.weigh(s, self.side, targets, list(move.units), offer)
                if value is None:
                    forecast = s.forecast(offer)
                    if forecast is not None:
                        value = judge.battle(s, self.side, targets, list(move.units), forecast)
                if value is not None:
                    value -= spent + judge.attack.get(offer.kind, 0.0)
                    if value > gain:
                        best, gain = offer, value
            if best is None:
                return move
            spent += judge.attack.get(best.kind, 0.0)
            s.do(best)
            self.meter.nodes += 1
            commit = next(a for a in s.legal() if a.kind in verbs.commit)
            move = move._replace(actions=[*move.actions[:-1], best, commit], gain=gain)

    def _attackers(self, attackers: list[int], targets: list[int], odds: str) -> str:
        *others, last = [self._names[u] for u in attackers]
        who = f"{', '.join(others)} and {last} attack" if others else f"{last} attacks"
        aim = " and ".join(self._place(n) for n in targets)
        return f"{who} {aim}{' at ' + odds if odds else ''}"

    def _for_what(self, s: State, targets: list[int], attack: Move) -> str:
        """What an attack is made for: the ground, or what it does to who stands there."""
        if attack.gain <= 0:
            return "of what must be attacked it costs least"
        judge, side = self.judge, self.side
        nodes = targets or [int(a) for a in attack.actions[-1].args if isinstance(a, int)]
        ground = sum(judge.ground(s, side, n) for n in nodes)
        theirs = sum(judge.unit_worth(s, u) for n in nodes for u in s.stack(n) if judge.game.side_of[u] != side)
        return "the ground is worth it" if ground > theirs else "it promises more than it risks"

    # ------------------------------------------------------------------ activations

    def carried_out(self, s: State, command: Action, reason: str) -> list[Thought]:
        """The line of a command with its marches, until chance or the enemy decides; nothing where nobody marches."""
        verbs = self.judge.verbs
        self.line = []
        with suppress(LineEnds):
            self.do(s, command, reason)
            if not any(action.kind in verbs.open for action in s.legal()):
                self.line = []
            while self.line and s.decider == self.side and not any(a.kind in verbs.activate for a in s.legal()):
                self.act(s)
        line, self.line = self.line, None
        return line

    def activations(self, s: State, legal: list[Action]) -> list[Move]:
        """Each command that could act now, played through by its own staff; passing is the yardstick."""
        verbs = self.judge.verbs
        base = self.worth(s)
        idle = "nobody would gain anything by acting now"
        found = [Move([a], 0.0, f"{a}: {idle}") for a in legal if a.kind not in verbs.activate]
        commands = self.judge.likely(s, self.side, [a for a in legal if a.kind in verbs.activate])
        if self.quick:
            commands = (self.judge.foremost(s, self.side, commands) or self._shuffled(commands))[: self.judge.commands]
        reckons = bool(self.judge.attack.get("reckoned"))
        keeps = reckons and self.quick  # in a quick play the marches of a trial are the marches
        for action in commands:
            expected = self._expected(s, action)
            if expected is not None:
                value, words = expected
                found.append(Move([action], value - base, f"{action}: {words}"))
                continue
            total, trials, promised = 0.0, 0, 0.0
            ends: list[list[float]] = []
            dice = self.judge.throws(s, action)
            for throw in range(1 if self.quick else len(dice) or self.judge.plays):
                begun = chance.seeded(throw * 7919 + 17)
                self._reckoned = 0.0 if reckons else None
                self._trail = [] if keeps else None
                after = self.played(s, action, begun, dice[throw] if dice else ())
                total, trials = total + self.worth(after) + (self._reckoned or 0.0), trials + 1
                promised, self._reckoned = promised + (self._reckoned or 0.0), None
                if not self.quick:
                    ends.append(self._counted(after))
                if after.rng == begun and not dice:  # more than once only where dice are thrown
                    break
            trail, self._trail = self._trail or [], None
            gain = total / trials - base
            reason = "" if self.quick else f"{action}: {self._effect(s, action, ends, promised / trials, gain)}"
            found.append(Move([action, *trail], gain, reason))
        return found or [Move([legal[0]], 0.0, "somebody must")]

    def _effect(self, s: State, command: Action, ends: list[list[float]], promised: float, gain: float) -> str:
        """What a command brings, in words: its attacks, or the position that follows."""
        if promised > gain / 2 and promised > 0:
            return "its attacks promise most"
        before, weights = self._counted(s), self.orders.weights(s, 0)
        return self.judge.phrase(before, _average(ends), weights, self.side, command.kind)

    def _expected(self, s: State, command: Action) -> tuple[float, str] | None:
        """What the attacks of a command are worth together, without dice, and where it strikes above all; None where
        the game does not weigh them."""
        if not self.judge.weighs():
            return None
        after = s.copy()
        after.do(command)
        self.meter.nodes += 1
        legal = after.legal()
        least, follow = self.judge.attack.get("least", 0.0), self.judge.attack.get("follow", 1.0)
        promise = self.judge.promise(after, self.side, command)
        if promise is not None:
            return self.worth(after) + follow * promise, self.judge.usual(command.kind, self.side)
        if after.decider != self.side or not any(a.kind in self.judge.verbs.lead for a in legal):
            return None
        quick, self.quick = self.quick, True  # without the words
        attacks = sorted(self._attacks(after, legal), key=lambda move: -move.gain)
        self.quick = quick
        total, engaged, struck = self.worth(after), set[int](), list[Action]()
        for move in attacks:
            if move.gain > least and engaged.isdisjoint(move.units):
                total += follow * move.gain * AGAIN ** struck.count(move.actions[-1])
                engaged.update(move.units)
                struck.append(move.actions[-1])
        words = f"above all at {self._where(struck[0])}" if struck else self.judge.usual(command.kind, self.side)
        return total, words

    def played(self, s: State, command: Action, generator: int, dice: tuple[int, ...] = ()) -> State:
        """The position when a command has been carried out, with these dice and then those of a generator."""
        after = s.copy()
        after.rng = generator
        if dice:
            after.dice = dice
        after.do(command)
        self.meter.nodes += 1
        self._until_back(after, s)
        return after

    def _until_back(self, after: State, before: State) -> None:
        """Play on until the same kind of decision comes again, for anybody."""
        line, self.line = self.line, None
        width, self.width = self.width, max(4, self.width // 3)
        quick, self.quick = self.quick, True
        activate = self.judge.verbs.activate
        for _ in range(FOLLOWING):
            decider = after.decider
            if decider is None or after.turn != before.turn:
                break
            legal = after.legal()
            if not legal or any(a.kind in activate for a in legal):  # nothing at all: a guess that cannot be
                break
            if self.judge.carried_out(after, before):
                break
            if decider == self.side:
                self.act(after)
            else:
                after.do(legal[0])
        self.line, self.width, self.quick = line, width, quick

    # ------------------------------------------------------------------ everything else

    def _best_reply(self, s: State, legal: list[Action]) -> Move:
        if self.quick:
            return Move([self._glance(s, self.side, legal)], 0.0, "")
        return max(self.replies(s, legal), key=lambda move: move.gain)

    def replies(self, s: State, legal: list[Action]) -> list[Move]:
        """Each option by the position that follows; where chance comes in, on average."""
        judge = self.judge
        options = judge.likely(s, self.side, [a for a in legal if a.kind not in judge.never] or legal)
        if len(options) > REPLIES:
            kept = [a for a in options if not a.args]
            options = kept + self._shuffled([a for a in options if a.args])[: REPLIES - len(kept)]
        weights = self.orders.weights(s, 0)
        before = self._counted(s)
        base = self._sum(s, before, weights)
        found = []
        for action in options:
            after = s.copy()
            after.do(action)
            self.meter.nodes += 1
            if after.rng != s.rng:
                ends: list[list[float]] = []
                value = self._mean(s, [action], ends)
                found.append(Move([action], value - base, "", _average(ends)))
                continue
            self._settle(after, s)
            counted = self._counted(after)
            found.append(Move([action], self._sum(after, counted, weights) - base, "", counted))
        return self._explained(found, before, weights)

    def _explained(self, moves: list[Move], before: list[float], weights: Weights) -> list[Move]:
        """Each option with what it has over the others on average: what all of them bring speaks for none."""
        counts = [move.counted or before for move in moves]
        totals = [sum(column) for column in zip(*counts, strict=True)]
        others = len(moves) - 1
        found = []
        for move, counted in zip(moves, counts, strict=True):
            action = move.actions[0]
            rest = [(t - c) / others for t, c in zip(totals, counted, strict=True)] if others else before
            phrase = self.judge.phrase(rest, counted, weights, self.side, action.kind)
            found.append(move._replace(reason=f"{action}: {phrase}"))
        return found


def _average(rows: list[list[float]]) -> list[float]:
    """The mean of each feature over some positions."""
    return [sum(column) / len(rows) for column in zip(*rows, strict=True)]
