"""What tells who wins: the features of a game's judgement, weighed on games between officers.

All weights of both officers are multiplied by factors drawn at random, so that many ways to play are seen. Such games
are asked two questions. How much did one of each feature add to the chance of who had it? And did a side win more often
that gave a feature more weight? The first is the sharper, since every position is a witness; but what goes along with
winning need not bring it about, and a staff also needs something to walk towards. So look at both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import counterblow
from counterblow.kernel import chance
from counterblow.lab.playing import noted
from counterblow.lab.winning import newton
from counterblow.players.judging import judge_of
from counterblow.players.officer import Officer

EVERY = 10  # one of so many positions of a game is used
SPREAD = 1.0  # factors lie between a half and twice as much
PULL = 5.0  # towards no effect at all, so that few games do not say too much


@dataclass(frozen=True)
class Bout:
    """A game to be played; the seed decides the factors too."""

    slug: str
    seed: int

    @property
    def key(self) -> str:
        """What it is known by in a journal, beside the seed."""
        return f"weighing {self.slug} {counterblow.load(self.slug).version}"


@dataclass(frozen=True)
class Weighed:
    """A feature, what it weighs, and what the games say of it."""

    name: str
    now: float
    found: float  # on the scale of the weights that are there; never below zero
    gains: tuple[tuple[float, float], ...]  # by side: more wins for twice the weight, and the standard error


def sample(bout: Bout) -> dict[str, Any]:
    """Play a game, and note the features of some of its positions: an entry for the journal."""
    game = counterblow.load(bout.slug)
    judge = judge_of(game)
    generator, doublings = chance.seeded(~bout.seed), []
    for _ in game.sides:
        drawn = []
        for _ in judge.features:
            generator, number = chance.below(generator, 2001)
            drawn.append(SPREAD * (number - 1000) / 1000)
        doublings.append(drawn)
    officers = [Officer(2 * bout.seed + side) for side in range(len(game.sides))]
    for officer, drawn in zip(officers, doublings, strict=True):
        officer.factors = {name: 2.0**power for name, power in zip(judge.features, drawn, strict=True)}
    state, positions, ply = game.start(seed=bout.seed), [], 0
    while (decider := state.decider) is not None:
        if ply % EVERY == 0:
            positions.append([state.turn, *judge.count(state)])
        state.do(officers[decider].choose(state, decider))
        ply += 1
    winner = None if state.outcome is None else state.outcome[0]
    return {"key": bout.key, "seed": bout.seed, "doublings": doublings, "positions": positions,
            "score": 0.5 if winner is None else float(winner == 0)}  # fmt: skip


def play(
    slug: str,
    seeds: Sequence[int],
    folder: Path,
    jobs: int,
    progress: Callable[[int, int], None] = lambda done, size: None,
) -> list[dict[str, Any]]:
    """The games of these seeds; those that the folder's journal has are not played again."""
    return noted([Bout(slug, seed) for seed in seeds], sample, folder, jobs, progress)


def weigh(slug: str, games: Sequence[dict[str, Any]]) -> list[Weighed]:
    """What the games say of each feature."""
    judge = judge_of(counterblow.load(slug))
    now = judge.weights(0, "balanced")
    found = _told(games, now)
    gains = _gains(games, len(judge.features))
    return [
        Weighed(name, weight, told, tuple(side[number] for side in gains))
        for number, (name, weight, told) in enumerate(zip(judge.features, now, found, strict=True))
    ]


def _told(games: Sequence[dict[str, Any]], now: Sequence[float]) -> list[float]:
    """The weights of a logistic curve through all positions, those below zero left out one after the other."""
    import numpy as np

    rows = [np.array(game["positions"], float) for game in games]
    every = np.concatenate(rows)
    centre, spread = every.mean(0), every.std(0)
    kept = [column for column in range(1, every.shape[1]) if spread[column] > 0]
    scaled = [(part - centre) / np.where(spread > 0, spread, 1.0) for part in rows]
    slopes: dict[int, float] = {}
    while kept:
        columns = [0, *kept]  # the turn too: the later, the better for who only has to hold out
        tables = [
            (np.column_stack([np.ones(len(part)), part[:, columns]]), game["score"], 1 / len(part))
            for part, game in zip(scaled, games, strict=True)
        ]
        slopes = dict(zip(kept, newton(np, tables)[2:].tolist(), strict=True))
        worst = min(kept, key=slopes.__getitem__)
        if slopes[worst] >= 0:
            break
        kept.remove(worst)
    steps = [slopes[column] if column in kept else 0.0 for column in range(1, every.shape[1])]  # for a usual difference
    usual = [float(s) for s in spread[1:]]
    reach = sum(abs(weight) * s for weight, s in zip(now, usual, strict=True))
    total = sum(steps)
    return [step / s * reach / total if step else 0.0 for step, s in zip(steps, usual, strict=True)]


def _gains(games: Sequence[dict[str, Any]], features: int) -> list[list[tuple[float, float]]]:
    """By side and feature: how many more games it wins with twice the weight, with the standard error."""
    import numpy as np

    drawn = np.array([[power for side in game["doublings"] for power in side] for game in games])
    score = np.array([game["score"] for game in games])
    drawn, score = drawn - drawn.mean(0), score - score.mean()
    spread = np.linalg.inv(drawn.T @ drawn + PULL * np.eye(drawn.shape[1]))
    slope = spread @ drawn.T @ score
    left = score - drawn @ slope
    freedom = max(1, len(games) - drawn.shape[1])
    error = np.sqrt(np.diag(spread) * float(left @ left) / freedom)
    first = [(float(a), float(e)) for a, e in zip(slope[:features], error[:features], strict=True)]
    second = [(-float(a), float(e)) for a, e in zip(slope[features:], error[features:], strict=True)]
    return [first, second]


def table(slug: str, found: Sequence[Weighed]) -> str:
    """What was found, for people who write judge.toml."""
    sides = counterblow.load(slug).side_titles
    heads = ["feature", "weight now", "by the games", *(f"more wins with twice, {side}" for side in sides)]
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for entry in found:
        gains = [f"{gain:+.2f} (error {error:.2f})" for gain, error in entry.gains]
        lines.append("| " + " | ".join([entry.name, f"{entry.now:g}", f"{entry.found:.3g}", *gains]) + " |")
    return "\n".join(lines)
