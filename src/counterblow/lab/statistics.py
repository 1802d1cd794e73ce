"""What the games say, and how sure it is: intervals, paired differences and ratings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Any

from counterblow.kernel import chance
from counterblow.lab.extras import need

Z = 1.96  # 95 %
ELO = 400 / log(10)
RESAMPLES = 400
SEAT = "seat"


@dataclass(frozen=True)
class Estimate:
    """A figure with its 95 % interval."""

    value: float
    low: float
    high: float


def paired(differences: Sequence[float]) -> Estimate:
    """The mean of paired differences between -1 and 1 (a win against a loss is 1).

    Agresti and Min's interval for matched pairs: half a game is added to each of the four possible outcomes, which
    keeps it honest when few or no pairs differ. The value is the plain mean.
    """
    n = len(differences)
    total, squares = sum(differences), sum(d * d for d in differences) + 1
    centre = total / (n + 2)
    spread = Z * sqrt(max(0.0, squares / (n + 2) - centre * centre) / (n + 2))
    return Estimate(total / n, max(-1.0, centre - spread), min(1.0, centre + spread))


def mean(values: Sequence[float]) -> Estimate:
    """A mean with its interval from the spread of the values."""
    n = len(values)
    centre = sum(values) / n
    if n == 1:
        return Estimate(centre, float("-inf"), float("inf"))
    spread = Z * sqrt(sum((v - centre) ** 2 for v in values) / (n - 1) / n)
    return Estimate(centre, centre - spread, centre + spread)


@dataclass(frozen=True)
class Pairing:
    """One game for the ratings: who sat on the first side and on the second, and the score of the first."""

    first: str
    second: str
    score: float
    seed: int


def elo(games: Sequence[Pairing]) -> dict[str, Estimate]:
    """Ratings around a mean of 1500, and under ``SEAT`` what the first side is worth, with 95 % intervals.

    The chance that the first side wins is logistic in the difference of ratings plus the worth of the seat; a draw
    counts half. Two drawn games against a middling player keep a rating finite where somebody wins all. The intervals
    come from drawing the seeds anew: games with the same seed go together.
    """
    np = need("numpy", "lab")
    names = sorted({name for game in games for name in (game.first, game.second)})
    column = {name: number for number, name in enumerate(names)}
    seeds = sorted({game.seed for game in games})
    place = {seed: number for number, seed in enumerate(seeds)}
    design = np.zeros((len(games), len(names) + 1))
    for row, game in enumerate(games):
        design[row, column[game.first]] += 1
        design[row, column[game.second]] -= 1
        design[row, -1] = 1
    score = np.array([game.score for game in games])
    group = np.array([place[game.seed] for game in games])
    best = _fit(np, design, score, np.ones(len(games)))
    generator = chance.seeded(len(games))
    again = []
    for _ in range(RESAMPLES):
        count = np.zeros(len(seeds))
        for _ in seeds:
            generator, seed = chance.below(generator, len(seeds))
            count[seed] += 1
        again.append(_fit(np, design, score, count[group]))
    low, high = np.percentile(np.array(again), [2.5, 97.5], axis=0)
    base = [1500.0] * len(names) + [0.0]
    return {
        name: Estimate(base[n] + ELO * best[n], base[n] + ELO * low[n], base[n] + ELO * high[n])
        for n, name in enumerate([*names, SEAT])
    }


def _fit(np: Any, design: Any, score: Any, weight: Any) -> Any:
    """Logistic regression by Newton's method, with two drawn games of each player against a middling one."""
    size = design.shape[1]
    prior = np.full(size, 2.0)
    prior[-1] = 0.5
    beta = np.zeros(size)
    for _ in range(50):
        chance_first = 1 / (1 + np.exp(-(design @ beta)))
        half = 1 / (1 + np.exp(-beta))
        slope = design.T @ (weight * (score - chance_first)) + prior * (0.5 - half)
        bend = (design * (weight * chance_first * (1 - chance_first))[:, None]).T @ design
        bend += np.diag(prior * half * (1 - half) + 1e-9)
        step = np.linalg.solve(bend, slope)
        beta = beta + np.clip(step, -2, 2)
        if np.max(np.abs(step)) < 1e-9:
            break
    beta[:-1] -= beta[:-1].mean()
    return beta
