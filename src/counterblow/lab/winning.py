"""Win probability: the games' own judgement of a position, calibrated on recorded games.

``Game.evaluate`` says how good a position looks, in points that mean nothing across games. Many games between players
of mixed strength say how often a position that looks so good, so late in the game, was won. A logistic curve through
them turns points into chances; how sure it is follows from fitting it anew without some of the games.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import resources
from math import exp, sqrt
from pathlib import Path
from typing import Any

import counterblow
from counterblow import players
from counterblow.kernel import chance
from counterblow.kernel.actions import Action
from counterblow.kernel.errors import CounterblowError
from counterblow.kernel.game import Game
from counterblow.kernel.state import State
from counterblow.lab.playing import noted
from counterblow.lab.simulate import interval
from counterblow.lab.statistics import Estimate, mean

FILE = "winning.toml"
REACH = 4.0  # judgements farther out than so many standard deviations count as that far
# Who plays the calibration games, by pairs in the order of the sides: the officer, who does anything at all in this
# share of his decisions.
SLIPS = (0.0, 0.1, 0.3, 1.0)
PAIRS: dict[str, Sequence[tuple[float, float]]] = {
    "narvik": ((1.0, 0.0), (1.0, 0.3), (1.0, 0.6), (1.0, 0.8), (1.0, 1.0), (0.0, 0.0)),  # so that both sides win
}
EVERY = 10  # one of so many positions of a game is used
FOLDS = 5  # parts of the games, each of which is foretold by a curve through the others
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


@dataclass(frozen=True)
class Sitting:
    """A game to be played for the calibration: the seed decides the scenario and how strong the players are."""

    slug: str
    seed: int
    scenario: str
    slips: tuple[float, float]

    @property
    def key(self) -> str:
        """What it is known by in a journal, beside the seed."""
        version = counterblow.load(self.slug).version
        return f"calibration {self.slug} {version} {self.scenario} {self.slips[0]:g}-{self.slips[1]:g}"


def sittings(game: Game, seeds: Iterable[int]) -> list[Sitting]:
    """The games of these seeds: the scenarios in turn, the strengths drawn."""
    found = []
    pairs = PAIRS.get(game.slug) or [(first, second) for first in SLIPS for second in SLIPS]
    for seed in seeds:
        _, number = chance.below(chance.seeded(~seed), len(pairs))
        scenario = game.scenarios[seed % len(game.scenarios)].name
        found.append(Sitting(game.slug, seed, scenario, pairs[number]))
    return found


def sample(sitting: Sitting) -> dict[str, Any]:
    """Play a game, and note positions from it: an entry for the journal."""
    game = counterblow.load(sitting.slug)
    seated = [mixed(2 * sitting.seed + side, slips) for side, slips in enumerate(sitting.slips)]
    state, positions, ply = game.start(sitting.scenario, sitting.seed), [], 0
    while (decider := state.decider) is not None:
        if ply % EVERY == 0:
            positions.append((judgement(state), state.turn))
        state.do(seated[decider](state, decider))
        ply += 1
    assert state.outcome is not None
    score = 0.5 if state.outcome[0] is None else float(state.outcome[0] == 0)
    return {"key": sitting.key, "seed": sitting.seed, "scenario": state.scenario, "positions": positions,
            "score": score, "turns": state.turn}  # fmt: skip


def play(
    work: Sequence[Sitting], folder: Path, jobs: int, progress: Callable[[int, int], None] = lambda done, size: None
) -> list[Sample]:
    """The games, in their order; those that the folder's journal has are not played again."""
    entries = noted(work, sample, folder, jobs, progress)
    return [Sample(e["scenario"], tuple((v, turn) for v, turn in e["positions"]), e["score"], e["turns"])
            for e in entries]  # fmt: skip


# ---------------------------------------------------------------------- fitting


def fit(samples: Sequence[Sample]) -> Curve:
    """The logistic curve through the positions; its errors from leaving out games, a tenth at a time."""
    import numpy as np

    looks = np.array([v for s in samples for v, _ in s.positions])
    centre, spread = float(np.median(looks)), float(np.std(looks)) or 1.0
    lengths = _lengths(samples)
    blank = Curve(centre, spread, (0.0,) * TERMS, ((0.0,) * TERMS,) * TERMS, lengths)
    tables = [(_terms(np, blank, s), s.score, 1 / len(s.positions)) for s in samples]
    weights = newton(np, tables)
    folds = min(20, len(samples))
    parted = np.array([newton(np, [t for n, t in enumerate(tables) if n % folds != fold]) for fold in range(folds)])
    errors = (folds - 1) / folds * (parted - parted.mean(0)).T @ (parted - parted.mean(0))  # the jackknife
    return Curve(centre, spread, tuple(weights.tolist()), tuple(map(tuple, errors.tolist())), lengths)


def _lengths(samples: Sequence[Sample]) -> dict[str, float]:
    """The turns of the longest game of each scenario."""
    return {name: float(max(s.turns for s in samples if s.scenario == name))
            for name in sorted({s.scenario for s in samples})}  # fmt: skip


def _terms(np: Any, blank: Curve, s: Sample) -> Any:
    looks = np.clip((np.array([v for v, _ in s.positions]) - blank.mean) / blank.spread, -REACH, REACH)
    late = np.minimum(1.0, np.array([turn for _, turn in s.positions]) / blank.lengths[s.scenario])
    return np.stack([np.ones_like(looks), looks, looks * late, late], 1)


def newton(np: Any, tables: Sequence[tuple[Any, float, float]]) -> Any:
    """The weights of a logistic curve, by Newton's method.

    Every game weighs the same however long, and a little pull towards zero keeps them finite.
    """
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
class Bin:
    """Positions with about the same predicted chance."""

    low: float
    high: float
    games: int  # that have positions in it
    predicted: float  # mean
    won: Estimate


@dataclass(frozen=True)
class Calibration:
    """How the chances fare on games that were not fitted: every game counts the same."""

    games: int
    base: float  # share of the first side
    brier: float
    brier_of_base: float
    better: Estimate  # by how much the score is better than that of the constant base rate
    log_loss: float
    bins: tuple[Bin, ...]  # empty ones are left out


@dataclass(frozen=True)
class Foretold:
    """A game that was not fitted: the chances of its positions, and what the constant base rate would have said."""

    chances: Any
    score: float
    base: float


def foretold(games: Sequence[Sample]) -> list[Foretold]:
    """Every game as foretold by a curve through the others: a fifth is left out at a time."""
    import numpy as np

    lengths = _lengths(games)
    order = sorted(range(len(games)), key=lambda n: games[n].scenario)  # each part has its share of every scenario
    found = []
    for part in range(FOLDS):
        fitted = [games[n] for place, n in enumerate(order) if place % FOLDS != part]
        curve = replace(fit(fitted), lengths=lengths)
        base = sum(s.score for s in fitted) / len(fitted)
        for s in (games[n] for place, n in enumerate(order) if place % FOLDS == part):
            looks = np.clip(_terms(np, curve, s) @ np.array(curve.weights), -40, 40)
            found.append(Foretold(1 / (1 + np.exp(-looks)), s.score, base))
    return found


def check(games: Sequence[Foretold]) -> Calibration:
    """How well games were foretold."""
    import numpy as np

    brier = [float(np.mean((game.chances - game.score) ** 2)) for game in games]
    of_base = [(game.base - game.score) ** 2 for game in games]
    likely = [np.clip(game.chances, 1e-6, 1 - 1e-6) for game in games]
    losses = [-float(np.mean(g.score * np.log(p) + (1 - g.score) * np.log(1 - p)))
              for g, p in zip(games, likely, strict=True)]  # fmt: skip
    bins = []
    for low in range(10):
        inside = [g.chances[(g.chances >= low / 10) & (g.chances < (low + 1) / 10 + (low == 9))] for g in games]
        shares = np.array([len(part) / len(game.chances) for part, game in zip(inside, games, strict=True)])
        if shares.any():
            predicted = sum(float(p.sum()) / len(g.chances) for p, g in zip(inside, games, strict=True)) / shares.sum()
            won = float(shares @ np.array([game.score for game in games]) / shares.sum())
            alike = float(shares.sum() ** 2 / (shares**2).sum())  # positions of one game are one witness, not many
            bins.append(Bin(low / 10, (low + 1) / 10, int((shares > 0).sum()), float(predicted),
                            Estimate(won, *interval(won * alike, alike))))  # fmt: skip
    return Calibration(
        len(games), sum(game.score for game in games) / len(games), sum(brier) / len(brier),
        sum(of_base) / len(of_base), mean([b - a for a, b in zip(brier, of_base, strict=True)]),
        sum(losses) / len(losses), tuple(bins),
    )  # fmt: skip


def table(found: Calibration) -> str:
    """The calibration as a table for the docs."""
    lines = [f"{found.games} held-out games, of which the first side won {found.base:.0%}: Brier score "
             f"{found.brier:.3f}, of the constant base rate {found.brier_of_base:.3f}; better by "
             f"{found.better.value:.3f} ({found.better.low:.3f} to {found.better.high:.3f}); log loss "
             f"{found.log_loss:.3f}", "", "| predicted | games | mean | won | 95 % interval |",
             "|---|---|---|---|---|"]  # fmt: skip
    lines += [f"| {b.low:.0%} to {b.high:.0%} | {b.games} | {b.predicted:.0%} | {b.won.value:.0%} | "
              f"{b.won.low:.0%} to {b.won.high:.0%} |" for b in found.bins]  # fmt: skip
    return "\n".join(lines)


def to_toml(slug: str, found: Curve) -> str:
    """The curve as it is shipped."""

    def row(values: Sequence[float]) -> str:
        return "[" + ", ".join(f"{value:.6g}" for value in values) + "]"

    lengths = ", ".join(f"{name} = {turns:g}" for name, turns in found.lengths.items())
    errors = ", ".join(row(line) for line in found.errors)
    return (f"[{slug}]\nmean = {found.mean:g}\nspread = {found.spread:.6g}\nweights = {row(found.weights)}\n"
            f"errors = [{errors}]\nlengths = {{ {lengths} }}\n")  # fmt: skip
