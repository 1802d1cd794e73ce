"""The general: search over plans. Formations get plans, the staff turns them into lines, and each line is tried to the
end of the enemy's reply.

All lines of one decision share their dice and the worlds in which the hidden is dealt anew. The worse half is dropped
after every round, so that the budget is spent where it matters; the best are then mixed, formation by formation.
The budget is counted in nodes, so that a seed plays the same on any machine; the seconds are a cap on top.
"""

from __future__ import annotations

import math
from itertools import islice
from typing import NamedTuple

from counterblow.kernel import chance
from counterblow.kernel.actions import Action
from counterblow.kernel.state import State
from counterblow.players.base import Meter, Rated, Thought, imagine, where
from counterblow.players.judging import WON, Judge, Plan, judge_of
from counterblow.players.officer import Officer
from counterblow.players.staff import Orders, Staff

SECONDS = 5.0  # for a phase, beside the nodes that the game's judge allows
DICE, ROUNDS, FACES = 4, 6, 6  # throws of a round of playouts, rounds, and faces of the die, which come in turn
MANY, FIRST = 9, 2  # of more lines than this, the worse half drops out after so many throws
PAIR = 2  # throws after which the race is looked at
CHOSEN = 6  # throws that each option of a choice gets: one alone may decide the game
LOST = 1.0  # standard errors: a line that would not lead with so much luck has lost the race
SPREAD, KNOWN = 150.0, 6  # of the difference of two lines before any throws, which counts as much as so many of them
IN_TURN = 20.0  # of battles that must all be fought another comes first if it is better by this much
FINALISTS = 2  # lines of an attack that are compared on all throws, unless one is clearly better before that
OTHERS = 5  # attacks that are tried as the first
PARTNERS = 2  # marches from which the best one takes over what a formation does
STEPS = 400  # decisions of a playout, at most
OPTIONS = 6  # of a reply
DOING_NOTHING = "of all that was tried, doing nothing came out best"


class Line(NamedTuple):
    """A candidate: what the side would do, and the plans behind it."""

    thoughts: list[Thought]
    plans: tuple[Plan | None, ...]


class Trial:
    """A candidate with what its playouts came to."""

    def __init__(self, line: Line, trust: float = 0.0) -> None:
        self.line = line
        self.trust = trust
        self.values: list[float] = []

    @property
    def mean(self) -> float:
        """What the line promises: the mean of its playouts, and the trust it starts with."""
        return self.trust + sum(self.values) / len(self.values)


class Asked(NamedTuple):
    """What the side is asked, as a search sees it."""

    march: bool  # where units go
    phase: bool  # marches, attacks or missions, which plans can lead
    battle: bool  # whom to attack
    command: bool  # whom to activate
    searched: bool  # does it deserve a search?


def _asked(judge: Judge, legal: list[Action]) -> Asked:
    verbs, kinds = judge.verbs, {action.kind for action in legal}
    phase = bool(kinds & (verbs.open | verbs.target | verbs.mission))
    battle = bool(kinds & (verbs.target | verbs.lead))
    choice = judge.reply and kinds & (verbs.activate | judge.weighty)
    searched = bool((judge.attacks or not battle) and (phase or choice))
    return Asked(bool(kinds & verbs.open), phase, battle, bool(kinds & verbs.activate), searched)


class General(Officer):
    """Gives plans to formations, plays them on to the end of the enemy's reply, and takes the best."""

    name = "general"
    title = "General"
    text = "Tries several plans to the end of your reply and takes the best: thinks a few seconds for each phase."

    def think(self, state: State, side: int) -> list[Thought]:
        legal = state.legal()
        if len(legal) == 1 and legal[0].kind not in judge_of(state.game).verbs.target:
            return [Thought(where(state), legal[0], "there is nothing else to do")]
        return self.search(state, side, legal)[0].line.thoughts

    def rated(self, state: State, side: int) -> list[Rated]:
        trials = self.search(state, side, state.legal())
        if not any(trial.values for trial in trials):
            return self._beside(trials[0].line.thoughts[0], super().rated(state, side))
        base = min((t.mean for t in trials if t.values), default=0.0)
        seen: dict[Action, Rated] = {}
        for trial in trials:
            first = trial.line.thoughts[0]
            worth = round(trial.mean - base, 1) if trial.values else 0.0
            seen.setdefault(first.action, Rated(first.action, first.reason, worth))
        best, *others = seen.values()
        return [best, *sorted((r for r in others if r.worth <= best.worth), key=lambda rated: -rated.worth)]

    def _beside(self, first: Thought, officer: list[Rated]) -> list[Rated]:
        """What needs no search: the choice, and what the officer would consider."""
        best = Rated(first.action, first.reason, max([rated.worth for rated in officer]))
        return [best, *(rated for rated in officer if rated.action != first.action)]

    def search(self, state: State, side: int, legal: list[Action]) -> list[Trial]:
        """The candidates, best first."""
        judge = judge_of(state.game)
        world = imagine(state, side, self._below(1 << 62))
        plain = (None,) * len(judge.formations)
        waiting = judge.bides(world, side, legal)
        pressing = judge.pressing(side) if waiting is not None else frozenset()
        officer = super().think(state, side) if waiting is None or pressing else []
        if waiting is not None and not (officer and officer[0].action.kind in pressing):
            why = judge.usual(waiting.kind, side, "waiting is best")
            return [Trial(_behind(judge, side, Line([Thought(where(state), waiting, why)], plain)))]
        asked = _asked(judge, legal)
        nodes = judge.budget(world, side, legal)
        meter = self._meter(nodes, SECONDS)
        if len(legal) == 1 or not asked.searched or not nodes or not meter.most:
            return [Trial(_behind(judge, side, Line(officer, plain)))]
        if not asked.phase:
            meter.most //= judge.reply
        seeds = [self._throw(number % FACES) for number in range(DICE * ROUNDS)]
        search = _Search(judge, side, self.temperament, state, meter, seeds)
        lines = _different(self._candidates(search, asked, world, Line(officer, plain)))
        if len(lines) == 1:
            return [Trial(lines[0])]
        if judge.sure:
            return search.race(search.apart(world, lines), PAIR) if asked.phase else search.race(lines, CHOSEN)
        return search.best(world, lines, mix=asked.phase, battle=asked.battle)

    def _candidates(self, search: _Search, asked: Asked, world: State, own: Line) -> list[Line]:
        """The officer's own line first, then what else could be done."""
        state, side, judge = search.root, search.side, search.judge
        lines = [own if asked.phase else _behind(judge, side, own)]
        if asked.march:
            for _ in range(judge.orders):
                lines.append(Line(super().think(state, side), own.plans))
        if asked.phase:
            lines += search.lines(world, judge.plans_for(side))
            return lines + search.repaired(world, own) if asked.battle else lines
        options = self.staff(state, side).rated(world)[:OPTIONS]
        for rated in options:
            option = Line([Thought(where(state), rated.action, rated.reason)], own.plans)
            lines.append(_behind(judge, side, option))
        if asked.command:
            lines += search.commanded(world, options[: judge.carried], judge.plans_for(side))
        return lines

    def insight(self, judge: Judge, side: int) -> dict[str, float] | None:
        """What a general of this game knows to be worth more or less than an officer thinks."""
        return judge.generals.get(judge.game.sides[side])

    def _throw(self, face: int) -> int:
        """A seed whose first die falls on this face: each comes as often as the others."""
        while True:
            seed = self._below(1 << 62)
            if chance.below(chance.seeded(seed), FACES)[1] == face:
                return seed


def _behind(judge: Judge, side: int, line: Line) -> Line:
    """A single choice with the plan that stands behind it, which is kept while it is played on."""
    first, *rest = line.thoughts
    plan = judge.plan_behind(first.action, side)
    if plan is None:
        return line
    told = first._replace(reason=f"{first.reason} (plan: {plan.say})")
    return Line([told, *rest], (plan,) * len(line.plans))


def _different(lines: list[Line]) -> list[Line]:
    """Each line of actions once."""
    seen: dict[tuple[Action, ...], Line] = {}
    for line in lines:
        if line.thoughts:
            seen.setdefault(tuple(thought.action for thought in line.thoughts), line)
    return list(seen.values())


def _parted(
    thoughts: list[Thought], begins: frozenset[str], ends: frozenset[str]
) -> tuple[list[list[Thought]], list[Thought]]:
    """A line by what begins its parts; and what comes before them or ends it."""
    parts: list[list[Thought]] = []
    rest: list[Thought] = []
    for thought in thoughts:
        if thought.action.kind in begins:
            parts.append([thought])
        elif thought.action.kind in ends or not parts:
            rest.append(thought)
        else:
            parts[-1].append(thought)
    return parts, rest


def _leads(trial: Trial, other: Trial) -> list[float]:
    """By how much a line leads another, throw by throw that both had."""
    return [a - b for a, b in zip(trial.values, other.values, strict=False)]


def _squares(leads: list[float]) -> float:
    """How far they lie from their mean, squared and added up."""
    mean = sum(leads) / len(leads)
    return sum([(lead - mean) ** 2 for lead in leads])


def _lead(trial: Trial, other: Trial, errors: float, spread: float = 0.0) -> float:
    """By how much a line leads another on the throws that both had, less so many standard errors of that.

    A spread that is known from elsewhere counts as much as so many throws: two alone may be alike by chance.
    """
    leads = _leads(trial, other)
    known = KNOWN if spread else 0
    variance = (known * spread**2 + _squares(leads)) / (known + len(leads) - 1)
    return sum(leads) / len(leads) - errors * math.sqrt(variance / len(leads))


def _clear(better: Trial, worse: Trial, errors: float) -> bool:
    """Does the better of two lines lead by more than so many standard errors, on the same throws?"""
    return _lead(better, worse, errors) > worse.trust - better.trust


def _spread(own: Trial, others: list[Trial]) -> float:
    """How far a line and the staff's own differ from throw to throw, by all lines together."""
    squares, throws = KNOWN * SPREAD**2, float(KNOWN)
    for other in others:
        leads = _leads(other, own)
        squares += _squares(leads)
        throws += len(leads) - 1
    return math.sqrt(squares / throws)


class _Search:
    """One decision: candidates, playouts, halving."""

    def __init__(self, judge: Judge, side: int, temperament: str, root: State, meter: Meter, seeds: list[int]) -> None:
        self.judge = judge
        self.side = side
        self.temperament = temperament
        self.root = root
        self.meter = meter
        self.seeds = seeds
        self.end = judge.until(root)
        self.plain = (None,) * len(judge.formations)
        self.insights = [judge.generals.get(name) for name in judge.game.sides]  # the enemy is thought a general too

    def lines(self, world: State, plans: tuple[Plan, ...]) -> list[Line]:
        """Every formation by the same plan; and doing nothing, where that is allowed."""
        found = []
        for number, plan in enumerate(plans, 1):
            order = self.seeds[number % len(self.seeds) if self.judge.orders else 0]
            found.append(self._line(world, (plan,) * len(self.plain), order))
            if self.meter.spent:
                break
        end = next((a for a in world.legal() if a.kind in self.judge.verbs.end), None)
        if end is not None:
            found.append(Line([Thought(where(world), end, DOING_NOTHING)], self.plain))
        return found

    def _line(self, world: State, plans: tuple[Plan | None, ...], order: int) -> Line:
        self.meter.tell()
        return Line(self._staff(plans, order).plan(world.copy()), plans)

    def commanded(self, world: State, commands: list[Rated], plans: tuple[Plan, ...]) -> list[Line]:
        """Commands with their marches: by every plan and by the staff's own lights, each in an order of its own."""
        found = []
        for command in commands:
            for number, plan in enumerate((*plans, *(None,) * self.judge.orders), 1):
                held = (plan,) * len(self.plain)
                staff = self._staff(held, self.seeds[number % len(self.seeds)])
                reason = command.reason + staff.orders.say(0)
                found.append(Line(staff.carried_out(world.copy(), command.action, reason), held))
        return found

    def _staff(self, plans: tuple[Plan | None, ...], order: int) -> Staff:
        """A staff that has these plans carried out."""
        orders = Orders(self.judge, self.side, self.temperament, plans, None, self.insights[self.side])
        return Staff(self.judge, self.side, orders, self.judge.width, order, self.meter)

    def repaired(self, world: State, own: Line) -> list[Line]:
        """The staff's attacks with another one first, also one that promises less than it risks; and each left out."""
        staff = self._staff(self.plain, self.seeds[0])
        first = [staff.plan_from(world.copy(), move) for move in islice(staff.offers(world), OTHERS)]
        attacks, end = _parted(own.thoughts, self.judge.verbs.target | self.judge.verbs.lead, self.judge.verbs.end)
        without = []
        for left_out in attacks if len(attacks) > 1 else ():
            kept = [thought for attack in attacks if attack is not left_out for thought in attack]
            done = self._replayed(world.copy(), [*kept, *end])
            if done is not None:
                without.append(done)
        return [Line(thoughts, self.plain) for thoughts in (*first, *without)]

    def best(self, world: State, lines: list[Line], mix: bool, battle: bool) -> list[Trial]:
        """The candidates, best first: the worse half drops out after each round of playouts.

        Before a battle the best two stay: an attack and waiting are too much alike for a few throws.
        """
        waiting = any(action.kind in self.judge.verbs.end for action in world.legal())
        trust = (self.judge.in_battle if waiting else IN_TURN) if battle else self.judge.trust
        least = FINALISTS if battle else 1
        trials = [Trial(line, 0.0 if number else trust) for number, line in enumerate(lines)]
        running = trials[:]
        seeds = iter(self.seeds)
        used: list[int] = []
        while len(running) > 1 or mix:
            throws = list(islice(seeds, FIRST if len(running) > MANY else DICE))
            if not throws:
                break
            used += throws
            for seed in throws:
                for trial in running:
                    trial.values.append(self.playout(trial.line, seed))
                if self.meter.spent:
                    break
            running.sort(key=lambda trial: -trial.mean)
            if self.meter.spent:
                break
            if mix and len(running) > 1:
                fresh = _different([t.line for t in trials] + self._mixed(world, [t.line for t in running]))
                for line in fresh[len(trials) :]:
                    trial = Trial(line)
                    trial.values = [self.playout(line, seed) for seed in used]
                    trials.append(trial)
                    running.append(trial)
                running.sort(key=lambda trial: -trial.mean)
            mix = False
            running = running[: max(least, (len(running) + 1) // 2)]
            if (
                len(running) == FINALISTS
                and len(used) % FACES == 0
                and _clear(running[0], running[1], self.judge.clear)
            ):
                break
        return sorted((t for t in trials if t.values), key=lambda trial: (-len(trial.values), -trial.mean))

    def apart(self, world: State, lines: list[Line]) -> list[Line]:
        """Each end of a march once: in another order units often go to the same hexes."""
        seen: dict[tuple[str, tuple[int, ...]], Line] = {}
        for line in lines:
            state = world.copy()
            for thought in line.thoughts:
                if state.decider != self.side or thought.action not in state.legal():
                    break
                state.do(thought.action)
                self.meter.nodes += 1
            seen.setdefault((state.phase, tuple(state.at)), line)
        return list(seen.values())

    def race(self, lines: list[Line], least: int) -> list[Trial]:
        """The candidates, best first: each against the staff's own line, until it has clearly lost or clearly won.

        None does so before so many throws.
        """
        own, *others = trials = [Trial(line) for line in lines]
        judge, running = self.judge, others
        if not others:
            return trials
        for number, seed in enumerate(self.seeds, 1):
            for trial in (own, *running):
                trial.values.append(self.playout(trial.line, seed))
            if self.meter.spent:
                break
            if number >= least and number % PAIR == 0:
                spread = _spread(own, others)
                running = [t for t in running if _lead(t, own, -LOST, spread) > judge.trust]
                if not running or (len(running) == 1 and _lead(running[0], own, judge.clear, spread) > judge.trust):
                    break
        spread = _spread(own, others)
        better = [t for t in running if len(t.values) >= least and _lead(t, own, judge.sure, spread) > judge.trust]
        best = max(better, key=lambda trial: trial.mean, default=own)
        rest = sorted([t for t in trials if t is not best], key=lambda trial: (-len(trial.values), -trial.mean))
        return [best, *rest]

    def _mixed(self, world: State, lines: list[Line]) -> list[Line]:
        """The best line with one formation acting by the next best: its marches, or else its plan."""
        best, *others = lines
        if self.judge.orders and any(t.action.kind in self.judge.verbs.open for t in best.thoughts):
            return [self._crossed(world, best, other, f) for other in others[:PARTNERS] for f in range(len(self.plain))]
        a, b = best.plans, others[0].plans
        return [self._line(world, (*a[:f], b[f], *a[f + 1 :]), self.seeds[0]) for f in range(len(a)) if a[f] != b[f]]

    def _crossed(self, world: State, best: Line, other: Line, formation: int) -> Line:
        """The marches of the best line, but in one formation those of another; what cannot be done then is left out."""
        ours, rest = self._marches(world, best)
        theirs, _ = self._marches(world, other)
        marches = [march for f, march in ours if f != formation] + [march for f, march in theirs if f == formation]
        state = world.copy()
        thoughts: list[Thought] = []
        for march in (*marches, rest):
            tried = state.copy()
            done = self._replayed(tried, march)
            if done is not None:
                state, thoughts = tried, thoughts + done
        plans = (*best.plans[:formation], other.plans[formation], *best.plans[formation + 1 :])
        return Line(thoughts, plans)

    def _replayed(self, s: State, thoughts: list[Thought]) -> list[Thought] | None:
        """What is done elsewhere than it was thought; None if that cannot be."""
        done: list[Thought] = []
        for thought in thoughts:
            if s.decider != self.side or thought.action not in s.legal():
                return None
            done.append(Thought(where(s), thought.action, thought.reason))
            s.do(thought.action)
            self.meter.nodes += 1
        return done

    def _marches(self, world: State, line: Line) -> tuple[list[tuple[int, list[Thought]]], list[Thought]]:
        """A line unit by unit, each with its formation; and what ends it."""
        marches, rest = _parted(line.thoughts, self.judge.verbs.open, self.judge.verbs.end)
        return [(self._formation(world, march[0].action), march) for march in marches], rest

    def _formation(self, world: State, opener: Action) -> int:
        """Whose march it is; what is no unit of the army, as a fleet, goes with the first."""
        return self.judge.formation(world, int(opener.args[0])) if opener.args else 0

    def playout(self, line: Line, seed: int) -> float:
        """The line in a world of its own, then both staffs play on to the end of the enemy's reply."""
        self.meter.tell()
        state = imagine(self.root, self.side, seed)
        for thought in line.thoughts:
            if state.decider != self.side or thought.action not in state.legal():
                break
            state.do(thought.action)
            self.meter.nodes += 1
        state.rng = chance.seeded(seed ^ 0x5DEECE66D)
        staffs = []
        for side in (0, 1):
            plans = line.plans if side == self.side else self.plain
            temperament = self.temperament if side == self.side else "balanced"
            orders = Orders(self.judge, side, temperament, plans, None, self.insights[side])
            width = self.judge.quick if side == self.side else self.judge.his
            staffs.append(Staff(self.judge, side, orders, width, seed + side, self.meter, quick=True))
        hour = -1
        for _ in range(STEPS):
            now = self.judge.clock(state)
            if now != hour:
                hour = now
                self.judge.deal(state, seed + hour)
            decider = state.decider
            if decider is None or now >= self.end or not state.legal():
                break
            staffs[decider].act(state)
        insight = self.insights[self.side]
        final = self.judge.weights(self.side, self.temperament, None, self.judge.final, insight)
        weights = self.judge.in_time(final, self.side, state)
        value = self.judge.worth(state, self.side, weights)
        if state.outcome is not None and state.outcome[0] is not None:
            value -= WON if state.outcome[0] == self.side else -WON
        winner = self.judge.decided(state)
        return value if winner is None else value + self.judge.won * (1 if winner == self.side else -1)
