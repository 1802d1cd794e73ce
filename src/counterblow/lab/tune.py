"""Tuning a computer player's weights by play: simultaneous perturbation (SPSA) on paired seeds.

An iteration plays pairs of games. For each pair all factors of a side are moved a little up or down at random; the
variant and its mirror image play the same seed against the officer as he is. What the pairs of an iteration say of a
factor, less what chance would say, decides how far it goes. What is counted is the result, and a little of what the
final position is worth, so that of two lost games one is still better. The state stands in a file after every
iteration: a run that is stopped goes on from there.

A general is tuned without his search: it is his staff that plays, which is quick enough for some thousands of games.
"""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from math import exp, tanh
from pathlib import Path

import counterblow
from counterblow.kernel import chance
from counterblow.kernel.errors import CounterblowError, RecordError, unknown
from counterblow.players.general import General
from counterblow.players.judging import judge_of
from counterblow.players.officer import Officer

SHAKE = 0.4  # how far the logarithms of the factors are moved for a game
STEP, FARTHEST = 5.0, 0.5  # how far they go for a game won by each, and in one iteration at most
GAMES = 100  # pairs of games for an iteration, if nothing is said
PLAYERS: dict[str, type[Officer]] = {"officer": Officer, "general": General}
FIRST = 1_000_000  # seeds from here on: no report uses them
MARGIN = 0.25  # what a position far better or worse counts beside a win
SCALE = 2000.0  # hundredths of a victory point that are far better


@dataclass
class Tuning:
    """A run, as it is saved."""

    slug: str
    side: str
    games: int  # pairs of games for each iteration
    seed: int
    player: str = "officer"
    factors: dict[str, float] = field(default_factory=dict)  # logarithms
    done: int = 0
    history: list[float] = field(default_factory=list)  # mean scores of the iterations
    scenario: str | None = None  # the only one for which the factors are; None: all, by games of the first

    def save(self, path: Path) -> None:
        """Write down where the tuning stands: as a whole, so that who stops it here loses nothing."""
        half = path.with_name(f"{path.name}.part")
        half.write_text(json.dumps(asdict(self), indent=1), encoding="utf-8")
        half.replace(path)

    @property
    def found(self) -> dict[str, float]:
        """What to put into judge.toml: factors on the weights of an officer's side, or a general's weights.

        For one scenario it is factors in any case.
        """
        moved = {name: exp(value) for name, value in self.factors.items() if abs(value) > 0.02}
        if self.player == "officer" or self.scenario is not None:
            return {name: round(factor, 3) for name, factor in moved.items()}
        own = judge_of(counterblow.load(self.slug)).of_general(self.side)
        return {name: float(f"{own[name] * factor:.3g}") for name, factor in moved.items() if own[name]}


def load(
    path: Path,
    slug: str,
    side: str,
    games: int | None = None,
    seed: int | None = None,
    player: str | None = None,
    scenario: str | None = None,
) -> Tuning:
    """The run in a file, or a new one; what is not named of games, seed, player and scenario is as in the run."""
    counterblow.load(slug).side_number(side)
    counterblow.load(slug).start(scenario)  # says which there are
    for what, number, least in (("games", games, 1), ("seed", seed, 0)):
        if number is not None and (isinstance(number, bool) or not isinstance(number, int) or number < least):
            raise CounterblowError(f"tune: {what} should be a whole number from {least} up, not {number!r}")
    if player is not None and player not in PLAYERS:
        raise CounterblowError(unknown("player with weights", player, PLAYERS))
    if not path.parent.is_dir():
        raise RecordError(f"{path}: there is no folder {path.parent}")
    if not path.exists():
        player = player or "officer"
        factors = dict.fromkeys(weighed(slug, side, player), 0.0)
        return Tuning(slug, side, games or GAMES, seed or 0, player, factors, scenario=scenario)
    run = _read(path)
    if scenario not in (None, run.scenario):
        raise RecordError(f"{path} holds a run of {run.scenario or 'all scenarios'}: choose another file")
    if (run.slug, run.side, run.player) != (slug, side, player or run.player):
        raise RecordError(f"{path} holds a run of {run.slug}, {run.side}, {run.player}: choose another file")
    if (games or run.games, run.seed if seed is None else seed) != (run.games, run.seed):
        raise RecordError(
            f"{path} holds a run of {run.games} games from seed {run.seed}: go on so, or choose another file"
        )
    if set(run.factors) != set(weighed(slug, side, run.player)):
        raise RecordError(f"{path} holds a run with other features than weigh in {slug} now: choose another file")
    return run


def weighed(slug: str, side: str, player: str) -> list[str]:
    """The features that count for a side: of the others games cannot tell, and what they seem to say is luck."""
    judge = judge_of(counterblow.load(slug))
    instead = judge.generals.get(side) if player == "general" else None
    weights = judge.weights(judge.game.side_number(side), "balanced", None, None, instead)
    return [name for name, weight in zip(judge.features, weights, strict=True) if weight]


def _read(path: Path) -> Tuning:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        data["history"] = [float(mean) for mean in data["history"]]
        return Tuning(**data)
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise RecordError(f"{path} holds no run of counterblow tune: {error}") from None


Job = tuple[str, str, int, int, dict[str, float], str | None]  # game, player, side, seed, factors, scenario


def score(job: Job) -> float:
    """How well a side does with these factors in one game against the officer as he is: 0 lost, 1 won."""
    slug, player, side, seed, factors, scenario = job
    game = counterblow.load(slug)
    judge = judge_of(game)
    seated = [Officer(2 * seed + number) for number in (0, 1)]
    seated[side] = PLAYERS[player](2 * seed + side, nodes=0)  # without search
    seated[side].factors = factors
    state = game.start(scenario, seed)
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
        return _iterate(tuning, iterations, path, lambda work: map(score, work), progress)
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        return _iterate(tuning, iterations, path, lambda work: pool.map(score, work), progress)


def _iterate(
    tuning: Tuning,
    iterations: int,
    path: Path,
    play: Callable[[list[Job]], Iterator[float]],
    progress: Callable[[], None],
) -> Tuning:
    side = counterblow.load(tuning.slug).side_number(tuning.side)
    for number in range(tuning.done, tuning.done + iterations):
        seeds = [FIRST + tuning.seed + number * tuning.games + pair for pair in range(tuning.games)]
        ways = [_way(tuning, seed) for seed in seeds]
        work = [
            (tuning.slug, tuning.player, side, seed, _factors(tuning, way, sign), tuning.scenario)
            for seed, way in zip(seeds, ways, strict=True)
            for sign in (1, -1)
        ]
        scores = []
        for found in play(work):
            scores.append(found)
            progress()
        leads = [up - down for up, down in zip(scores[::2], scores[1::2], strict=True)]
        for name in tuning.factors:
            tuning.factors[name] += _step([lead * way[name] / SHAKE for lead, way in zip(leads, ways, strict=True)])
        tuning.history.append(round(sum(scores) / len(scores), 4))
        tuning.done += 1
        tuning.save(path)
    return tuning


def _factors(tuning: Tuning, way: dict[str, float], sign: int) -> dict[str, float]:
    """The factors of one game of a pair."""
    return {name: exp(value + sign * way[name]) for name, value in tuning.factors.items()}


def _way(tuning: Tuning, seed: int) -> dict[str, float]:
    """Where a pair of games goes: every factor up or down."""
    generator = chance.seeded(~seed)
    found: dict[str, float] = {}
    for name in tuning.factors:
        generator, below = chance.below(generator, 2)
        found[name] = SHAKE if below else -SHAKE
    return found


def _step(leads: list[float]) -> float:
    """How far a factor goes, by the leads of the pairs in its direction: not as far as chance would take it."""
    mean = sum(leads) / len(leads)
    error = sum([(lead - mean) ** 2 for lead in leads]) / len(leads) / max(1, len(leads) - 1)
    told = max(0.0, 1 - error / mean**2) if mean else 0.0
    return max(-FARTHEST, min(FARTHEST, STEP * told * mean / (2 * SHAKE)))
