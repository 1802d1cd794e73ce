"""How good the review is, tried out on games made for it: luck between equal players, and blunders that were planted.

A trial plays one game for each seed and keeps a journal as experiments do, so that it can be stopped and goes on where
it stopped. The figures in docs/review.md come from here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from pathlib import Path
from typing import Any

from counterblow import players
from counterblow.kernel import chance
from counterblow.kernel.actions import Action
from counterblow.kernel.game import Game
from counterblow.kernel.record import Match, faces
from counterblow.kernel.state import State
from counterblow.lab import review, winning
from counterblow.lab.luck import luck, thrower
from counterblow.lab.playing import Journal, held
from counterblow.lab.simulate import random_choices

Found = dict[str, Any]
AGAIN = 6  # throws where the dice cannot be gone through: fewer than in a review, for the mean is over many games
NAMED = 3  # a planted phase should be among so many turning points
# Where a blunder is planted: a phase in which random play really loses. Units move or fight in it, the officer would
# have so many decisions in it, random play passes in none of its first so many, and the side's chance
# before it lies between these, so that there is something to lose.
DECISIONS = 8
QUIET = ("organization", "reinforcement", "supply")  # phases in which they do not
OPEN = (0.1, 0.9)
LATEST = 0.6  # and it begins in a turn drawn from the second to this part of the game


# ---------------------------------------------------------------------- luck


def random_luck(game: Game, seed: int) -> Found:
    """The luck in a game of two random players: of each side's own dice for that side, of the draws for the first."""
    value, state, choose = winning.curve(game.slug), game.start(seed=seed), random_choices(seed)
    total = dict.fromkeys([*game.sides, "draws"], 0.0)
    while (decider := state.decider) is not None:
        before, action = state.copy(), choose(state, decider)
        events = state.do(action)
        found = luck(before, action, state, faces(events), value, again=AGAIN)
        if found is not None:
            side = thrower(before, events)
            total[game.sides[side]] += found.dice if side == 0 else -found.dice
            total["draws"] += found.draws
    return total


def mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    """A mean with its standard error."""
    mean = sum(values) / len(values)
    return mean, sqrt(sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1) / len(values))


# ---------------------------------------------------------------------- planted blunders


def planted(game: Game, seed: int, player: str = review.REFERENCE) -> tuple[Match, int | None]:
    """A game of two good players in which one phase is played at random, and the action with which it begins.

    None if the game had no fitting phase from the turn that was drawn on: see ``DECISIONS``.
    """
    value, generator = winning.curve(game.slug), chance.seeded(~seed)
    generator, number = chance.below(generator, len(game.scenarios))
    match = Match(game, game.scenarios[number].name, seed)
    generator, side = chance.below(generator, 2)
    turns = value.lengths.get(match.state.scenario, max(value.lengths.values()))
    generator, turn = chance.below(generator, max(1, int(LATEST * turns) - 1))
    turn += 2
    seats = [players.make(player, 2 * seed + seat) for seat in (0, 1)]
    where: int | None = None
    seen: tuple[int, str] | None = None  # the phase that was last looked at
    while (decider := match.state.decider) is not None:
        state = match.state
        phase = (state.turn, review.part(state))
        if where is None and decider == side and state.turn >= turn and phase != seen:
            seen = phase
            hopes = OPEN[0] <= (value(state) if side == 0 else 1 - value(state)) <= OPEN[1]
            busy = not any(word in phase[1].casefold() for word in QUIET)
            if hopes and busy and _decisions(state, side, player, seed) >= DECISIONS:
                where = len(match.actions)
                generator = _at_random(match, side, generator)
                continue
        match.do(seats[decider].choose(state, decider))
    return match, where


def _decisions(start: State, side: int, player: str, seed: int) -> int:
    """How many real decisions a good player would have in this phase."""
    state, seats, count = start.copy(), [players.make(player, 2 * seed + seat) for seat in (0, 1)], 0
    while (decider := state.decider) is not None and _same(state, start) and count < DECISIONS:
        count += decider == side and len(state.legal()) > 1
        state.do(seats[decider].choose(state, decider))
    return count


def _at_random(match: Match, side: int, generator: int) -> int:
    """Play the phase to its end: the side at random, the other one well."""
    start = match.state.copy()
    other = players.make(review.REFERENCE, generator)
    made = 0
    while (decider := match.state.decider) is not None and _same(match.state, start):
        if decider == side:
            generator, action = _anything(match.state, generator, made < DECISIONS)
            made += 1
        else:
            action = other.choose(match.state, decider)
        match.do(action)
    return generator


def _anything(state: State, generator: int, busy: bool) -> tuple[int, Action]:
    """Any legal action; one who is busy does not pass while there is anything else."""
    decision, legal = state.decision, state.legal()
    if busy and decision is not None and decision.passes in legal and len(legal) > 1:
        legal.remove(decision.passes)
    generator, index = chance.below(generator, len(legal))
    return generator, legal[index]


def _same(state: State, start: State) -> bool:
    return (state.turn, review.part(state)) == (start.turn, review.part(start))


def blunder(game: Game, seed: int) -> Found:
    """A planted blunder, and the place of its phase among the turning points (from 1; None: not among them)."""
    match, where = planted(game, seed)
    if where is None:
        return {"planted": False}
    start = match.state_at(where)
    planted_at = (start.turn, review.part(start), start.decider)
    found = review.review(match.to_record())
    ranked = sorted(found["phases"], key=lambda phase: -phase["odds"])
    rank = next((n for n, phase in enumerate(ranked, 1) if _key(phase) == planted_at), None)
    named = next((n for n, point in enumerate(found["turning_points"], 1) if _key(point) == planted_at), None)
    about = {what: ranked[rank - 1][what] for what in ("choices", "regret", "odds")} if rank is not None else {}
    return {"planted": True, "named": named, "rank": rank, "phases": len(ranked), "turn": start.turn,
            "phase": review.part(start), "side": start.decider, "scenario": found["scenario"], **about}  # fmt: skip


def _key(phase: Found) -> tuple[int, str, int]:
    return phase["turn"], phase["name"], phase["side"]


# ---------------------------------------------------------------------- running them

TRIALS: dict[str, Callable[[Game, int], Found]] = {"luck": random_luck, "blunders": blunder}


def run(
    what: str,
    game: Game,
    seeds: Sequence[int],
    folder: Path,
    progress: Callable[[int, int], None] = lambda done, size: None,
) -> list[Found]:
    """What the games of these seeds showed; those that the folder's journal has are not played again."""
    key = f"{what} {game.slug} {game.version}"
    with held(folder):
        journal = Journal(folder)
        try:
            for done, seed in enumerate(seeds):
                progress(done, len(seeds))
                if (key, seed) not in journal.found:
                    journal.add({"key": key, "seed": seed, **TRIALS[what](game, seed)})
            progress(len(seeds), len(seeds))
            return [journal.found[key, seed] for seed in seeds]
        finally:
            journal.close()


def tell_luck(game: Game, found: Sequence[Found]) -> list[str]:
    """The mean luck of each side, in points of win probability."""
    told = []
    for name in (*game.sides, "draws"):  # the draws count for the first side
        mean, error = mean_and_error([entry[name] for entry in found])
        told.append(f"{name}: mean luck {100 * mean:+.3f} points a game, standard error {100 * error:.3f}")
    return told


def tell_blunders(found: Sequence[Found]) -> str:
    """In how many games the planted phase was named."""
    with_one = [entry for entry in found if entry["planted"]]
    named = sum(1 for entry in with_one if entry["named"] is not None and entry["named"] <= NAMED)
    return (f"{named} of {len(with_one)} planted blunders are among the first {NAMED} turning points; "
            f"{len(found) - len(with_one)} games had no phase to plant one in")  # fmt: skip
