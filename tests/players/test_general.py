"""The general's search: orders of march, lines mixed by formation, lines that are clearly better."""

from __future__ import annotations

import math

import pytest

import counterblow
from counterblow import players
from counterblow.kernel.state import State
from counterblow.players.base import Meter, imagine, where
from counterblow.players.general import (
    CHOSEN,
    IN_TURN,
    KNOWN,
    SPREAD,
    General,
    Line,
    Trial,
    _clear,
    _lead,
    _Search,
    _spread,
)
from counterblow.players.judging import judge_of


def before_the_march() -> State:
    """No Retreat! A, the first Axis march."""
    state = counterblow.load("noretreat").start(seed=1)
    verbs = judge_of(state.game).verbs
    officer = players.make("officer", 1)
    while not any(action.kind in verbs.open for action in state.legal()):
        assert state.decider is not None
        state.do(officer.choose(state, state.decider))
    assert state.decider == 0
    return state


def officers_line(state: State, seed: int) -> Line:
    return Line(players.make("officer", seed).think(state, 0), (None,) * len(judge_of(state.game).formations))


def goals(state: State, line: Line) -> dict[int, int]:
    """Where each unit goes that marches."""
    verbs = judge_of(state.game).verbs
    found: dict[int, int] = {}
    for first, second in zip(line.thoughts, line.thoughts[1:], strict=False):
        if first.action.kind in verbs.open:
            found[first.action.args[0]] = second.action.args[-1]
    return found


@pytest.mark.parametrize("formation", [0, 1, 2])
def test_the_best_march_takes_over_what_another_does_in_one_formation(formation: int) -> None:
    state = before_the_march()
    judge = judge_of(state.game)
    world = imagine(state, 0, 1)
    best, other = officers_line(state, 1), officers_line(state, 4)
    assert goals(state, best) != goals(state, other)
    crossed = _Search(judge, 0, "balanced", state, Meter(1 << 30, 1e9), [1])._crossed(world, best, other, formation)
    for unit, goal in goals(state, crossed).items():
        source = other if judge.formation(state, unit) == formation else best
        assert goals(state, source)[unit] == goal
    for thought in crossed.thoughts:
        assert thought.action in world.legal()
        world.do(thought.action)
    assert crossed.thoughts[-1].action.kind in judge.verbs.end
    assert len(goals(state, crossed)) >= len(goals(state, best)) // 2


def test_several_orders_of_march_are_tried() -> None:
    state = before_the_march()
    general = players.make("general", 1, nodes=300)
    assert isinstance(general, General)
    orders = judge_of(state.game).orders
    assert orders > 1
    trials = general.search(state, 0, state.legal())
    plain = [trial for trial in trials if not any(trial.line.plans) and len(trial.line.thoughts) > 1]
    assert len(plain) > 1


def test_a_game_won_in_a_playout_counts_as_the_judgement_says() -> None:
    game = counterblow.load("noretreat")
    state = game.start(seed=1)
    judge = judge_of(game)
    search = _Search(judge, 0, "balanced", state, Meter(1 << 30, 1e9), [1])
    nothing = Line([], search.plain)
    undecided = search.playout(nothing, 1)
    assert abs(undecided) < judge.won
    state.finish(0, "objectives", "won", "12.1.a")
    won = search.playout(nothing, 1)
    state.outcome = (1, *state.outcome[1:]) if state.outcome else None
    lost = search.playout(nothing, 1)
    assert won - lost == pytest.approx(2 * judge.won)


@pytest.mark.parametrize(
    ("leads", "clear"), [([50, 55, 45, 50, 52, 48], True), ([400, -300, 200, -250, 100, 150], False)]
)
def test_a_lead_is_clear_when_chance_does_not_explain_it(leads: list[float], clear: bool) -> None:
    better, worse = Trial(Line([], ())), Trial(Line([], ()))
    better.values, worse.values = leads, [0.0] * len(leads)
    assert _clear(better, worse, 2.5) == clear
    worse.trust = 60.0  # what the staff's own line starts with counts against the lead
    assert not _clear(better, worse, 2.5)


@pytest.mark.parametrize(
    ("leads", "errors", "ahead"),
    [([50, 55, 45, 50], 2.0, True), ([400, -300, 200, -100], 1.0, False), ([400, -300, 200, -100], 0.0, True)],
)
def test_a_lead_in_the_race_is_counted_on_the_throws_that_both_had(
    leads: list[float], errors: float, ahead: bool
) -> None:
    trial, own = Trial(Line([], ())), Trial(Line([], ()))
    trial.values, own.values = leads, [0.0] * len(leads) + [9999.0]
    assert (_lead(trial, own, errors) > 20.0) == ahead


class Table(_Search):
    """A search whose playouts are read from a table: one row for each line, by its plans."""

    def __init__(self, state: State, rows: list[list[float]]) -> None:
        super().__init__(judge_of(state.game), 0, "balanced", state, Meter(1 << 30, 1e9), list(range(24)))
        self.rows = rows
        self.played = [0] * len(rows)

    def playout(self, line: Line, seed: int) -> float:
        number = len(line.plans)
        self.played[number] += 1
        return self.rows[number][seed % 6]


def test_in_the_race_a_line_must_lead_the_staffs_own_beyond_chance() -> None:
    """Narva's judgement: what has clearly lost is played on no further, what leads by luck is not taken."""
    state = counterblow.load("narva").start(seed=1)
    own = [0.0, 100.0, 200.0, 0.0, 100.0, 200.0]
    worse = [value - 100.0 for value in own]
    lucky = [900.0, -700.0, 200.0, 1000.0, -800.0, 300.0]
    better = [value + 90.0 + number for number, value in enumerate(own)]
    lines = [Line([], (None,) * number) for number in range(4)]
    assert Table(state, [own, worse, lucky, better]).race(lines, 2)[0].line == lines[3]
    assert Table(state, [own, worse, lucky]).race(lines[:3], 2)[0].line == lines[0]
    table = Table(state, [own, worse])
    assert table.race(lines[:2], 2)[0].line == lines[0]
    assert table.played[1] == 2


def test_two_throws_that_agree_by_chance_decide_nothing() -> None:
    """How far throws lie apart is told by all lines together: what is 40 worse twice may still be the best."""
    state = counterblow.load("narva").start(seed=1)
    own = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    later = [-40.0, -41.0, 400.0, 350.0, 420.0, 300.0]
    lines = [Line([], (None,) * number) for number in range(3)]
    assert Table(state, [own, later]).race(lines[:2], 2)[0].line == lines[1]
    alike = [30.0, 30.0, -200.0, -210.0, -190.0, -220.0]
    assert Table(state, [own, alike]).race(lines[:2], 2)[0].line == lines[0]


def test_the_spread_is_that_of_all_lines() -> None:
    own, *others = (Trial(Line([], ())) for _ in range(3))
    own.values = [0.0] * 4
    others[0].values, others[1].values = [300.0, -300.0, 300.0, -300.0], [5.0, 5.0]
    assert _spread(own, []) == pytest.approx(SPREAD)
    assert _spread(own, others) == pytest.approx(math.sqrt((KNOWN * SPREAD**2 + 4 * 300.0**2) / (KNOWN + 3 + 1)))
    assert _lead(others[1], own, 1.0) == 5.0
    error = math.sqrt((KNOWN * 200.0**2) / (KNOWN + 1) / 2)
    assert _lead(others[1], own, 1.0, 200.0) == pytest.approx(5.0 - error)


def test_a_choice_that_may_decide_the_game_is_not_dropped_after_two_throws() -> None:
    state = counterblow.load("narva").start(seed=1)
    own = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    seldom = [-200.0, -200.0, 8000.0, 8000.0, 8000.0, 8000.0]
    lines = [Line([], (None,) * number) for number in range(2)]
    assert Table(state, [own, seldom]).race(lines, 2)[0].line == lines[0]
    assert Table(state, [own, seldom]).race(lines, 6)[0].line == lines[1]
    table = Table(state, [own, seldom])
    table.meter = Meter(0, 1e9)  # spent after one throw each
    assert table.race(lines, 6)[0].line == lines[0]


def first_question(kind: str, seed: int = 1) -> State:
    """Narva: the first time that a side with a choice is asked for this kind of action."""
    state = counterblow.load("narva").start(seed=seed)
    officer = players.make("officer", 1)
    while len(state.legal()) == 1 or not any(action.kind == kind for action in state.legal()):
        assert state.decider is not None
        state.do(officer.choose(state, state.decider))
    return state


def test_marches_that_end_alike_are_tried_once() -> None:
    state = first_question("move")
    side = state.decider
    assert side is not None
    judge = judge_of(state.game)
    world = imagine(state, side, 1)
    search = _Search(judge, side, "balanced", state, Meter(1 << 30, 1e9), [1])
    whole = Line(players.make("officer", 1).think(state, side), search.plain)
    (_, one), (_, two), *_ = search._marches(world, whole)[0]
    first, turned, other = (Line(march, search.plain) for march in ([*one, *two], [*two, *one], one))
    assert search.apart(world, [first, turned, other]) == [first, other]


def test_whom_to_activate_is_searched_and_a_choice_without_a_search_is_the_staffs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Narva's headquarters: they differ by what they do, not by where anybody stands when they are woken."""
    state = first_question("wake")
    assert state.decider is not None
    general = players.make("general", 1, nodes=1 << 30, seconds=1e9)
    assert isinstance(general, General)
    trials = general.search(state, state.decider, state.legal())
    tried = [trial.line.thoughts[0].action for trial in trials]
    assert [action.kind for action in tried].count("wake") > 1
    assert sorted(map(str, tried)) == sorted(map(str, state.legal()))
    assert min(len(trial.values) for trial in trials) == CHOSEN  # none drops out before
    monkeypatch.setattr(judge_of(state.game), "reply", 0)
    (trial,) = general.search(state, state.decider, state.legal())
    assert not trial.values


def test_every_hour_of_a_playout_has_dice_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines that differ in one activation meet the same dice in the next."""
    state = first_question("wake")
    judge = judge_of(state.game)
    assert state.decider is not None
    dealt: list[tuple[int, int]] = []
    deal = judge.deal

    def note(s: State, seed: int) -> None:
        dealt.append((judge.clock(s), seed))
        deal(s, seed)

    monkeypatch.setattr(judge, "deal", note)
    search = _Search(judge, state.decider, "balanced", state, Meter(1 << 30, 1e9), [1])
    search.playout(Line([], search.plain), 1000)
    hours = [hour for hour, _ in dealt]
    assert hours == sorted(set(hours))
    assert len(hours) > 2
    assert [seed for _, seed in dealt] == [1000 + hour for hour in hours]


def test_the_end_of_a_line_is_judged_by_factors_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    state = first_question("move")
    judge = judge_of(state.game)
    search = _Search(judge, 0, "balanced", state, Meter(1 << 30, 1e9), [1])
    search.end = judge.clock(state)  # judged at once
    with_factors = search.playout(Line([], search.plain), 1)
    monkeypatch.setattr(judge, "final", {})
    without = search.playout(Line([], search.plain), 1)
    own = judge.weights(0, "balanced", instead=judge.generals["german"])
    assert without == pytest.approx(judge.worth(state, 0, own))
    assert with_factors != pytest.approx(without)


@pytest.mark.parametrize("side", [0, 1])
def test_what_generals_know_better_counts_in_the_lines_that_are_played_on(
    side: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """His own weights and, for the enemy's part, those of an enemy general: else he would misjudge what he plans."""
    state = before_the_march()
    judge = judge_of(state.game)
    line = officers_line(state, 1)

    def played() -> tuple[float, list[str]]:
        search = _Search(judge, 0, "balanced", state, Meter(1 << 30, 1e9), [1])
        ours = search._line(imagine(state, 0, 1), search.plain, 1)
        return search.playout(line, 1), [thought.action.text for thought in ours.thoughts]

    value, actions = played()
    turned = {name: -weight for name, weight in judge._weights.items()}
    monkeypatch.setitem(judge.generals, state.game.sides[side], turned)
    other_value, other_actions = played()
    assert value != other_value
    assert (actions != other_actions) is (side == 0)


def before_battles(slug: str, kind: str, least: int) -> State:
    """In a game of officers the first choice of attacks of which the officer makes so many, but not all."""
    for seed in range(1, 9):
        state = counterblow.load(slug).start(seed=seed)
        officers = [players.make("officer", 2 * seed + side) for side in (0, 1)]
        while state.decider is not None:
            choices = sum(action.kind == kind for action in state.legal())
            if choices > least:
                line = players.make("officer", 1).think(state, state.decider)
                if least <= sum(thought.action.kind == kind for thought in line) < choices:
                    return state
            state.do(officers[state.decider].choose(state, state.decider))
    raise AssertionError("nowhere are there so many attacks")


@pytest.mark.parametrize(("slug", "kind"), [("noretreat", "target"), ("leningrad", "attack")])
def test_attacks_are_repaired_another_first_and_each_left_out(slug: str, kind: str) -> None:
    state = before_battles(slug, kind, 2)
    side = state.decider
    assert side is not None
    judge = judge_of(state.game)
    world = imagine(state, side, 1)
    own = Line(players.make("officer", 1).think(state, side), (None,) * len(judge.formations))
    attacks = [thought.action for thought in own.thoughts if thought.action.kind == kind]
    lines = _Search(judge, side, "balanced", state, Meter(1 << 30, 1e9), [1]).repaired(world, own)
    made = []
    for line in lines:
        tried = world.copy()
        for thought in line.thoughts:
            assert thought.where == where(tried)
            tried.do(thought.action)
        made.append([thought.action for thought in line.thoughts if thought.action.kind == kind])
    first = {line[0] for line in made if line}
    assert first <= set(world.legal())
    assert set(attacks) < first  # also one that the staff would not make
    for attack in attacks:
        assert [other for other in attacks if other != attack] in made


@pytest.mark.parametrize(("lead", "chosen"), [(2 * IN_TURN, True), (IN_TURN / 2, False)])
def test_which_battle_comes_first_is_searched(monkeypatch: pytest.MonkeyPatch, lead: float, chosen: bool) -> None:
    """10.2: in any order. Another first must be better by a little."""
    state = before_battles("noretreat", "attack", 1)
    side = state.decider
    assert side is not None
    general = players.make("general", 1, nodes=1 << 30, seconds=1e9)
    assert isinstance(general, General)
    usual = players.make("officer", 1).think(state, side)[0].action
    (other, *_) = [action for action in state.legal() if action != usual]
    values = {other: lead}
    monkeypatch.setattr(_Search, "playout", lambda _, line, __: values.get(line.thoughts[0].action, 0.0))
    assert (general.think(state, side)[0].action == other) is chosen


@pytest.mark.parametrize(("lead", "left_out"), [(300.0, True), (100.0, False)])
def test_an_attack_that_is_much_better_left_out_is_left_out(
    monkeypatch: pytest.MonkeyPatch, lead: float, left_out: bool
) -> None:
    state = before_battles("noretreat", "target", 2)
    side = state.decider
    assert side is not None
    usual = [t.action for t in players.make("officer", 1).think(state, side)]
    spared = usual[1]
    assert spared.kind == "target"

    def worth(_: _Search, line: Line, __: int) -> float:
        done = [thought.action for thought in line.thoughts]
        return lead if done == [action for action in usual if action != spared] else 0.0

    monkeypatch.setattr(_Search, "playout", worth)
    general = players.make("general", 1, nodes=1 << 30, seconds=1e9)
    expected = [a for a in usual if a != spared] if left_out else usual
    assert [thought.action for thought in general.think(state, side)] == expected


def test_the_best_attacks_are_offered_first_and_none_whose_duties_nobody_can_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Leningrad 2.6: an attack may oblige to another; else all are given up."""
    state = before_battles("leningrad", "attack", 2)
    side = state.decider
    assert side is not None
    judge = judge_of(state.game)
    staff = _Search(judge, side, "balanced", state, Meter(1 << 30, 1e9), [1])._staff((None,) * 3, 1)
    offers = list(staff.offers(state))
    assert len(offers) > 2
    assert offers == sorted(offers, key=lambda move: -move.gain)
    burden = offers[0].actions[0].args[-1]
    monkeypatch.setattr(
        type(judge), "owed", lambda _, s: [burden] if any(burden in nodes for nodes, _ in s.battles) else []
    )
    assert [move.actions[0] for move in staff.offers(state)] == [move.actions[0] for move in offers[1:]]
