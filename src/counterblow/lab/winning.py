"""Win probability: the games' own judgement of a position, calibrated on recorded games.

``Game.evaluate`` says how good a position looks, in points that mean nothing across games. Many games between players
of mixed strength say how often a position that looks so good, so late in the game, was won. A logistic curve through
them turns points into chances; how sure it is follows from fitting it anew without some of the games.
"""

from __future__ import annotations

import multiprocessing
import tomllib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import resources
from math import exp, sqrt
from typing import Any

import counterblow
from counterblow import players
from counterblow.kernel import chance
from counterblow.kernel.actions import Action
from counterblow.kernel.errors import CounterblowError
from counterblow.kernel.game import Game
from counterblow.kernel.state import State

FILE = "winning.toml"
REACH = 4.0  # judgements farther out than so many standard deviations count as that far
# Who plays the calibration games, by pairs in the order of the sides: the officer, who does anything at all in this
# share of his decisions.
SLIPS = (0.0, 0.1, 0.3, 1.0)
PAIRS: dict[str, Sequence[tuple[float, float]]] = {
    "narvik": ((1.0, 0.0), (1.0, 0.3), (1.0, 0.6), (1.0, 0.8), (1.0, 1.0), (0.0, 0.0)),  # so that both sides win
}
EVERY = 10  # one of so many positions of a game is used
TERMS = 4


@dataclass(frozen=True)
class Chance:
    """The chance that the first side wins, with its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Curve:
    """What turns the judgement of a position into a chance, for one game."""

    mean: float
    spread: float
    weights: tuple[float, ...]
    errors: tuple[tuple[float, ...], ...]  # covariance of the weights
    lengths: dict[str, float]  # scenario -> turns that a game takes

    def terms(self, state: State) -> tuple[float, ...]:
        """What the curve looks at: the position, and how late it is."""
        looks = max(-REACH, min(REACH, (judgement(state) - self.mean) / self.spread))
        late = min(1.0, state.turn / self.lengths.get(state.scenario, max(self.lengths.values())))
        return (1.0, looks, looks * late, late)

    def __call__(self, state: State) -> float:
        """The chance that the first side wins; 0, 1 or a half when the game is over."""
        if state.outcome is not None:
            return 0.5 if state.outcome[0] is None else float(state.outcome[0] == 0)
        return logistic(sum([w * x for w, x in zip(self.weights, self.terms(state), strict=True)]))

    def with_interval(self, state: State) -> Chance:
        """The chance with its 95 % interval."""
        if state.outcome is not None:
            value = self(state)
            return Chance(value, value, value)
        terms = self.terms(state)
        centre = sum(w * x for w, x in zip(self.weights, terms, strict=True))
        spread = 1.96 * sqrt(max(0.0, sum(a * b * e for a, row in zip(terms, self.errors, strict=True)
                                          for b, e in zip(terms, row, strict=True))))  # fmt: skip
        return Chance(logistic(centre), logistic(centre - spread), logistic(centre + spread))


def logistic(x: float) -> float:
    """A number as a chance."""
    return 1 / (1 + exp(-max(-40.0, min(40.0, x))))


def judgement(state: State) -> float:
    """How good a position looks for the first side, as both sides see it."""
    return float((state.game.judge.evaluate(state, 0) - state.game.judge.evaluate(state, 1)) / 2)


@lru_cache(maxsize=16)
def curve(slug: str) -> Curve:
    """The curve of a game, as shipped."""
    data = tomllib.loads((resources.files("counterblow.lab") / FILE).read_text(encoding="utf-8"))
    if slug not in data:
        raise CounterblowError(f"{slug}: the win probability is not calibrated: counterblow lab calibrate {slug}")
    return read(data[slug])


def read(entry: dict[str, Any]) -> Curve:
    """A curve from its entry in the data."""
    errors = tuple(tuple(float(e) for e in row) for row in entry["errors"])
    weights = tuple(float(w) for w in entry["weights"])
    return Curve(float(entry["mean"]), float(entry["spread"]), weights, errors, dict(entry["lengths"]))


# ---------------------------------------------------------------------- games to calibrate on


def mixed(seed: int, slips: float) -> Callable[[State, int], Action]:
    """A player of the calibration games: see ``SLIPS``."""
    officer, generator = players.make("officer", seed), chance.seeded(~seed)

    def choose(state: State, side: int) -> Action:
        nonlocal generator
        legal = state.legal()
        generator, throw = chance.below(generator, 1000)
        if len(legal) > 1 and throw >= 1000 * slips:
            return officer.choose(state, side)
        generator, index = chance.below(generator, len(legal))
        return legal[index]

    return choose


@dataclass(frozen=True)
class Sample:
    """Positions of one game: (judgement, turn) of each, and the score of the first side."""

    scenario: str
    positions: tuple[tuple[float, int], ...]
    score: float
    turns: int


def sample(game: Game, seed: int, scenario: str | None = None) -> Sample:
    """A game between two players whose strengths the seed decides, and positions from it."""
    generator = chance.seeded(~seed)
    pairs = PAIRS.get(game.slug, [])
    if pairs:
        generator, number = chance.below(generator, len(pairs))
        strengths = pairs[number]
    else:
        generator, first = chance.below(generator, len(SLIPS))
        generator, second = chance.below(generator, len(SLIPS))
        strengths = SLIPS[first], SLIPS[second]
    seated = [mixed(2 * seed + side, slips) for side, slips in enumerate(strengths)]
    state, positions, ply = game.start(scenario, seed), [], 0
    while (decider := state.decider) is not None:
        if ply % EVERY == 0:
            positions.append((judgement(state), state.turn))
        state.do(seated[decider](state, decider))
        ply += 1
    assert state.outcome is not None
    score = 0.5 if state.outcome[0] is None else float(state.outcome[0] == 0)
    return Sample(state.scenario, tuple(positions), score, state.turn)


# ---------------------------------------------------------------------- fitting


def fit(samples: Sequence[Sample]) -> Curve:
    """The logistic curve through the positions; its errors from leaving out games, a tenth at a time."""
    import numpy as np

    looks = np.array([v for s in samples for v, _ in s.positions])
    mean, spread = float(np.median(looks)), float(np.std(looks)) or 1.0
    lengths: dict[str, float] = {}
    for name in sorted({s.scenario for s in samples}):
        lengths[name] = float(max(s.turns for s in samples if s.scenario == name))
    blank = Curve(mean, spread, (0.0,) * TERMS, ((0.0,) * TERMS,) * TERMS, lengths)
    tables = [(_terms(np, blank, s), s.score, 1 / len(s.positions)) for s in samples]
    weights = _weights(np, tables)
    folds = min(20, len(samples))
    parted = np.array([_weights(np, [t for n, t in enumerate(tables) if n % folds != fold]) for fold in range(folds)])
    errors = (folds - 1) / folds * (parted - parted.mean(0)).T @ (parted - parted.mean(0))  # the jackknife
    return Curve(mean, spread, tuple(weights.tolist()), tuple(map(tuple, errors.tolist())), lengths)


def _terms(np: Any, blank: Curve, s: Sample) -> Any:
    looks = np.clip((np.array([v for v, _ in s.positions]) - blank.mean) / blank.spread, -REACH, REACH)
    late = np.minimum(1.0, np.array([turn for _, turn in s.positions]) / blank.lengths[s.scenario])
    return np.stack([np.ones_like(looks), looks, looks * late, late], 1)


def _weights(np: Any, tables: Sequence[tuple[Any, float, float]]) -> Any:
    """Newton's method; every game weighs the same however long, and a little pull towards zero keeps it finite."""
    design = np.concatenate([terms for terms, _, _ in tables])
    score = np.concatenate([np.full(len(terms), score) for terms, score, _ in tables])
    weight = np.concatenate([np.full(len(terms), each) for terms, _, each in tables])
    beta = np.zeros(design.shape[1])
    for _ in range(60):
        p = 1 / (1 + np.exp(-np.clip(design @ beta, -40, 40)))
        slope = design.T @ (weight * (score - p)) - 0.05 * beta
        bend = (design * (weight * p * (1 - p))[:, None]).T @ design + 0.05 * np.eye(len(beta))
        step = np.linalg.solve(bend, slope)
        beta = beta + np.clip(step, -2, 2)
        if np.max(np.abs(step)) < 1e-10:
            break
    return beta


# ---------------------------------------------------------------------- how good it is


@dataclass(frozen=True)
class Calibration:
    """How the chances fare on games that were not fitted: every game counts the same."""

    games: int
    base: float  # share of the first side in the fitted games
    brier: float
    brier_of_base: float
    log_loss: float
    bins: tuple[tuple[float, float, float, float], ...]  # from, to, mean chance, share won; empty bins are left out


def check(found: Curve, base: float, held_out: Sequence[Sample]) -> Calibration:
    """How well a curve foretold games on which it was not fitted."""
    import numpy as np

    chances, scores, weights = [], [], []
    for s in held_out:
        p = 1 / (1 + np.exp(-np.clip(_terms(np, found, s) @ np.array(found.weights), -40, 40)))
        chances.append(p)
        scores.append(np.full(len(p), s.score))
        weights.append(np.full(len(p), 1 / len(p)))
    p, y, w = np.concatenate(chances), np.concatenate(scores), np.concatenate(weights)
    w = w / w.sum()
    bins = []
    for low in range(10):
        inside = (p >= low / 10) & (p < (low + 1) / 10 + (low == 9))
        if inside.any():
            share = w[inside].sum()
            bins.append((low / 10, (low + 1) / 10, float((w * p)[inside].sum() / share),
                         float((w * y)[inside].sum() / share)))  # fmt: skip
    likely = np.clip(p, 1e-6, 1 - 1e-6)
    return Calibration(
        len(held_out), base, float((w * (p - y) ** 2).sum()), float((w * (base - y) ** 2).sum()),
        float(-(w * (y * np.log(likely) + (1 - y) * np.log(1 - likely))).sum()), tuple(bins),
    )  # fmt: skip


def samples(work: Sequence[tuple[str, int, str]], jobs: int) -> Iterator[Sample]:
    """Games by (slug, seed, scenario), in that order whatever the number of processes."""
    if jobs == 1:
        yield from map(_sample, work)
        return
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield from pool.map(_sample, work)


def _sample(job: tuple[str, int, str]) -> Sample:
    slug, seed, scenario = job
    return sample(counterblow.load(slug), seed, scenario)


def halves(games: Sequence[Sample]) -> tuple[Curve, Calibration]:
    """The curve through all games, and how a curve through every second one fares on the others."""
    fitted: list[Sample] = []
    held_out: list[Sample] = []
    for name in sorted({s.scenario for s in games}):  # every second of each scenario: both halves are of the same mix
        part = [s for s in games if s.scenario == name]
        fitted += part[::2]
        held_out += part[1::2]
    base = sum(s.score for s in fitted) / len(fitted)
    half = fit(fitted)
    lengths = {**fit(games).lengths}
    return fit(games), check(replace(half, lengths=lengths), base, held_out)


def table(found: Calibration) -> str:
    """The calibration as a table for the docs."""
    lines = [f"{found.games} held-out games: Brier score {found.brier:.3f}, of the constant base rate "
             f"{found.brier_of_base:.3f}; log loss {found.log_loss:.3f}", "", "| predicted | mean | won |",
             "|---|---|---|"]  # fmt: skip
    lines += [f"| {low:.0%} to {high:.0%} | {mean:.0%} | {won:.0%} |" for low, high, mean, won in found.bins]
    return "\n".join(lines)


def to_toml(slug: str, found: Curve) -> str:
    """The curve as it is shipped."""

    def row(values: Sequence[float]) -> str:
        return "[" + ", ".join(f"{value:.6g}" for value in values) + "]"

    lengths = ", ".join(f"{name} = {turns:g}" for name, turns in found.lengths.items())
    errors = ", ".join(row(line) for line in found.errors)
    return (f"[{slug}]\nmean = {found.mean:g}\nspread = {found.spread:.6g}\nweights = {row(found.weights)}\n"
            f"errors = [{errors}]\nlengths = {{ {lengths} }}\n")  # fmt: skip
