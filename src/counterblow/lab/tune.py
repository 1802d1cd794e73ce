"""Tuning a computer player's weights by self-play: simultaneous perturbation (SPSA) on paired seeds.

One iteration moves all factors of a side a little up or down at random, plays both variants on the same seeds
against the player as it is, and steps towards the better one. What is counted is the result, and a little of what the
final position is worth, so that of two lost games one is still better. The state stands in a file after every
iteration: a run that is stopped goes on from there.
"""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from math import exp, tanh
from pathlib import Path

import counterblow
from counterblow.kernel import chance
from counterblow.kernel.errors import CounterblowError, RecordError
from counterblow.players.judging import judge_of
from counterblow.players.officer import Officer

STEP, SHAKE = 0.6, 0.25  # of the logarithms of the factors: how far a step goes, how far the two variants lie apart
GAMES = 8  # pairs of games for an iteration, if nothing is said
MARGIN = 0.25  # what a position far better or worse counts beside a win
SCALE = 2000.0  # hundredths of a victory point that are far better


@dataclass
class Tuning:
    """A run, as it is saved."""

    slug: str
    side: str
    games: int  # pairs of games for each iteration
    seed: int
    factors: dict[str, float] = field(default_factory=dict)  # logarithms
    done: int = 0
    history: list[tuple[float, float]] = field(default_factory=list)  # scores of the two variants

    def save(self, path: Path) -> None:
        """Write down where the tuning stands: as a whole, so that who stops it here loses nothing."""
        half = path.with_name(f"{path.name}.part")
        half.write_text(json.dumps(asdict(self), indent=1), encoding="utf-8")
        half.replace(path)

    @property
    def found(self) -> dict[str, float]:
        """The factors by which the side's weights should be multiplied."""
        return {name: round(exp(value), 3) for name, value in self.factors.items() if abs(value) > 0.02}


def load(path: Path, slug: str, side: str, games: int | None = None, seed: int | None = None) -> Tuning:
    """The run in a file, or a new one; pairs of games and seed that are not named are those of the run."""
    game = counterblow.load(slug)
    game.side_number(side)
    features = judge_of(game).features
    for what, number, least in (("games", games, 1), ("seed", seed, 0)):
        if number is not None and (isinstance(number, bool) or not isinstance(number, int) or number < least):
            raise CounterblowError(f"tune: {what} should be a whole number from {least} up, not {number!r}")
    if not path.parent.is_dir():
        raise RecordError(f"{path}: there is no folder {path.parent}")
    if not path.exists():
        return Tuning(slug, side, games or GAMES, seed or 0, dict.fromkeys(features, 0.0))
    run = _read(path)
    if (run.slug, run.side) != (slug, side):
        raise RecordError(f"{path} holds a run of {run.slug}, {run.side}: choose another file")
    if (games or run.games, run.seed if seed is None else seed) != (run.games, run.seed):
        raise RecordError(
            f"{path} holds a run of {run.games} games from seed {run.seed}: go on so, or choose another file"
        )
    if set(run.factors) != set(features):
        raise RecordError(f"{path} holds a run with other features than {slug} has now: choose another file")
    return run


def _read(path: Path) -> Tuning:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        data["history"] = [(a, b) for a, b in data["history"]]
        return Tuning(**data)
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise RecordError(f"{path} holds no run of counterblow tune: {error}") from None


Job = tuple[str, int, int, dict[str, float]]  # game, side, seed, factors


def score(job: Job) -> float:
    """How well a side does with these factors in one game against the officer as he is: 0 lost, 1 won."""
    slug, side, seed, factors = job
    game = counterblow.load(slug)
    judge = judge_of(game)
    seated = [Officer(2 * seed + number) for number in (0, 1)]
    seated[side].factors = factors
    state = game.start(seed=seed)
    while (decider := state.decider) is not None:
        state.do(seated[decider].choose(state, decider))
    winner = None if state.outcome is None else state.outcome[0]
    result = 0.5 if winner is None else float(winner == side)
    weights = judge.weights(side, "balanced")
    worth = sum(a * b for a, b in zip(judge.count(state), weights, strict=True)) * (1 if side == 0 else -1)
    return result + MARGIN * tanh(worth / SCALE)


def tune(
    tuning: Tuning, iterations: int, path: Path, jobs: int = 1, progress: Callable[[], None] = lambda: None
) -> Tuning:
    """So many iterations more."""
    for what, number in (("iterations", iterations), ("jobs", jobs)):
        if isinstance(number, bool) or not isinstance(number, int) or number < 1:
            raise CounterblowError(f"tune: {what} should be a whole number from 1 up, not {number!r}")
    if jobs == 1:
        return _iterate(tuning, iterations, path, lambda work: list(map(score, work)), progress)
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        return _iterate(tuning, iterations, path, lambda work: list(pool.map(score, work)), progress)


def _iterate(
    tuning: Tuning, iterations: int, path: Path, play: Callable[[list[Job]], list[float]], progress: Callable[[], None]
) -> Tuning:
    side = counterblow.load(tuning.slug).side_number(tuning.side)
    for number in range(tuning.done, tuning.done + iterations):
        generator = chance.seeded(tuning.seed * 1_000_003 + number)
        signs: dict[str, int] = {}
        for name in tuning.factors:
            generator, below = chance.below(generator, 2)
            signs[name] = 2 * below - 1
        seeds = [1_000_000 + tuning.seed + number * tuning.games + game for game in range(tuning.games)]
        work = [
            (tuning.slug, side, seed, {n: exp(v + way * SHAKE * signs[n]) for n, v in tuning.factors.items()})
            for way in (1, -1)
            for seed in seeds
        ]
        scores = play(work)
        up, down = sum(scores[: tuning.games]) / tuning.games, sum(scores[tuning.games :]) / tuning.games
        step = STEP / (1 + number / 20) ** 0.6 * (up - down) / 2
        for name in tuning.factors:
            tuning.factors[name] += step * signs[name]
        tuning.history.append((round(up, 4), round(down, 4)))
        tuning.done += 1
        tuning.save(path)
        progress()
    return tuning
