"""Playing many games between computer players, with the same results for any number of processes."""

from __future__ import annotations

import multiprocessing
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from math import sqrt
from typing import Any

import counterblow
from counterblow import players
from counterblow.kernel import chance
from counterblow.kernel.actions import Action
from counterblow.kernel.game import Game
from counterblow.kernel.record import fingerprint
from counterblow.kernel.state import State

RANDOM = ("random", "random")


@dataclass(frozen=True)
class Outcome:
    """How one simulated game ended."""

    seed: int
    winner: str | None
    level: str
    reason: str
    turns: int
    actions: int
    fingerprint: str


def play_random(
    game: Game, seed: int, scenario: str | None = None, options: Mapping[str, Any] | None = None
) -> tuple[State, int]:
    """One game of uniformly random legal actions: the last state and the number of actions."""
    state = game.start(scenario, seed, options)
    generator = chance.seeded(~seed)
    actions = 0
    while state.agenda:
        legal = state.legal()
        generator, index = chance.below(generator, len(legal))
        state.do(legal[index])
        actions += 1
    return state, actions


def play(
    game: Game,
    seed: int,
    names: tuple[str, str],
    scenario: str | None = None,
    options: Mapping[str, Any] | None = None,
    note: Callable[[State, int, int], None] | None = None,
) -> tuple[State, int]:
    """One game between two computer players, named in the order of the sides.

    ``note(state, turn, actions)`` is called at the end of every turn, with the actions played in it.
    """
    if names == RANDOM and note is None:
        return play_random(game, seed, scenario, options)
    choose = random_choices(seed) if names == RANDOM else _choices(names, seed)
    state = game.start(scenario, seed, options)
    actions, before, turn = 0, 0, state.turn
    while (decider := state.decider) is not None:
        state.do(choose(state, decider))
        actions += 1
        if note is not None and (state.turn != turn or not state.agenda):
            note(state, turn, actions - before)
            before, turn = actions, state.turn
    return state, actions


def play_until(state: State, side: int, choose: Callable[[State, int], Action]) -> None:
    """Let somebody decide for the other side until this side is to decide, or the game is over."""
    while (decider := state.decider) is not None and decider != side:
        state.do(choose(state, decider))


def _choices(names: tuple[str, str], seed: int) -> Callable[[State, int], Action]:
    seated = [players.make(name, 2 * seed + side) for side, name in enumerate(names)]
    return lambda state, decider: seated[decider].choose(state, decider)


def random_choices(seed: int) -> Callable[[State, int], Action]:
    """The choices of ``play_random``: not from the dice's own generator, or they would tell of throws to come."""
    generator = chance.seeded(~seed)

    def choose(state: State, decider: int) -> Action:
        nonlocal generator
        legal = state.legal()
        generator, index = chance.below(generator, len(legal))
        return legal[index]

    return choose


@dataclass(frozen=True)
class _Job:
    slug: str
    seed: int
    names: tuple[str, str]
    scenario: str | None
    options: dict[str, Any]


def _one(job: _Job) -> Outcome:
    state, actions = play(counterblow.load(job.slug), job.seed, job.names, job.scenario, job.options)
    result = state.result
    assert result is not None
    return Outcome(job.seed, result.winner, result.level, result.reason, state.turn, actions, fingerprint(state))


def simulate(
    slug: str,
    games: int,
    seed: int = 0,
    jobs: int = 1,
    scenario: str | None = None,
    options: Mapping[str, Any] | None = None,
    names: tuple[str, str] = RANDOM,
    progress: Callable[[], None] = lambda: None,
) -> list[Outcome]:
    """Games with the seeds seed, seed + 1, ...; in that order whatever the number of processes."""
    work = [_Job(slug, seed + number, names, scenario, dict(options or {})) for number in range(games)]
    outcomes = []
    for outcome in _mapped(work, jobs):
        outcomes.append(outcome)
        progress()
    return outcomes


def _mapped(work: list[_Job], jobs: int) -> Iterator[Outcome]:
    if jobs <= 1:
        yield from map(_one, work)
        return
    context = multiprocessing.get_context("spawn")  # the same on every system, and no state is inherited
    with ProcessPoolExecutor(jobs, mp_context=context) as pool:
        yield from pool.map(_one, work, chunksize=max(1, min(16, len(work) // (4 * jobs))))


def summary(outcomes: list[Outcome]) -> dict[str, Any]:
    """Who won how often, with 95 % intervals, how decisively and how long."""
    n = len(outcomes)
    wins = Counter(outcome.winner or "draw" for outcome in outcomes)
    return {
        "games": n,
        "wins": {side: {"games": w, "share": w / n, "interval": interval(w, n)} for side, w in sorted(wins.items())},
        "levels": dict(sorted(Counter(f"{o.winner or 'draw'}: {o.level}" for o in outcomes).items())),
        "mean_turns": sum(o.turns for o in outcomes) / n,
        "mean_actions": sum(o.actions for o in outcomes) / n,
    }


def interval(wins: float, games: float) -> tuple[float, float]:
    """Wilson's 95 % interval for a share."""
    z = 1.96
    share = wins / games
    centre = (share + z * z / (2 * games)) / (1 + z * z / games)
    spread = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    return max(0.0, centre - spread), min(1.0, centre + spread)
