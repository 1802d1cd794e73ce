"""Random play that looks for faults: dead ends, endless games, lost units, shared copies, leaks of hidden facts."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from counterblow.kernel.game import Game
from counterblow.kernel.record import Match, fingerprint, replay
from counterblow.kernel.state import State


class Fault(AssertionError):
    """Something that must never happen did. Carries the match, so that it can be saved and replayed."""

    def __init__(self, what: str, match: Match) -> None:
        self.match = match
        super().__init__(
            f"{match.game.slug} {match.state.scenario} seed {match.seed} after {len(match.actions)} actions: {what}"
        )


@dataclass(frozen=True)
class Played:
    """How a random game went."""

    seed: int
    actions: int
    result: tuple[Any, ...]
    fingerprint: str


def play_checked(
    game: Game,
    seed: int,
    scenario: str | None = None,
    options: Mapping[str, Any] | None = None,
    check_every: int = 40,
) -> Played:
    """Play one random game to its end, checking as it goes. Raises Fault."""
    chooser = random.Random(seed)
    match = Match(game, scenario, seed, options)
    while not match.state.over:
        if len(match.actions) > game.max_actions:
            raise Fault(f"more than {game.max_actions} actions: the game does not end", match)
        legal = match.state.legal()
        if not legal:
            raise Fault(f"dead end: no legal action in {match.state.agenda[-1]!r}", match)
        action = chooser.choice(legal)
        looks = chooser.random() < 1 / check_every
        if looks:
            _look(match, legal)
        try:
            match.do(action)
        except Exception as error:
            raise Fault(f"{action}: {type(error).__name__}: {error}", match) from error
        if looks:
            _complain(match, game.check(match.state))
    _complain(match, game.check(match.state))
    _look(match, [])
    _same_again(match)
    result = match.state.result
    if result is None:
        raise Fault("the game is over without a result", match)
    return Played(seed, len(match.actions), tuple(result), fingerprint(match.state))


def _complain(match: Match, problems: list[str]) -> None:
    if problems:
        raise Fault("; ".join(problems), match)


def _look(match: Match, legal: list[Any]) -> None:
    """Checks of one state that are too slow for every action."""
    state, game = match.state, match.game
    text = state.to_json()
    loaded = game.from_json(text)
    if loaded.to_json() != text or loaded != state:
        raise Fault("JSON does not round trip", match)
    if loaded.legal() != legal and legal:
        raise Fault("a loaded state has other legal actions", match)
    if (loaded.held, loaded.zone) != (state.held, state.zone):
        raise Fault("kept counts of occupied hexes and zones differ from fresh ones", match)
    if len(set(legal)) != len(legal):
        raise Fault("a legal action stands twice", match)
    for action in legal[:: max(1, len(legal) // 8)]:
        if state.parse(str(action)) != action or game.act.read(str(action)) != action:
            raise Fault(f"the text of {action!r} does not read back", match)
        if state.why_not(action):
            raise Fault(f"{action} is legal and refused", match)
        state.forecast(action)
    if legal:
        _copies_are_independent(match, state, legal[0], text)
    for side in (*game.sides, None):
        json.dumps(state.view(side))


def _copies_are_independent(match: Match, state: State, action: Any, text: str) -> None:
    other = state.copy()
    events = other.do(action)
    for event in events:
        if not event.text:
            raise Fault(f"an event of kind {event.kind} has no text", match)
        unknown_rules = [rule for rule in event.rules if rule not in match.game.rules]
        if unknown_rules:
            raise Fault(f"the log cites unknown rules {unknown_rules}: {event.text}", match)
    if state.to_json() != text:
        raise Fault(f"doing {action} on a copy changed the original", match)


def _same_again(match: Match) -> None:
    """The record replays to the same state."""
    again = replay(match.game, match.to_record())
    if again.state.to_json() != match.state.to_json():
        raise Fault("replaying the record gives another state", match)


def save_fault(fault: Fault, folder: Path) -> Path:
    """Write the record of a fault, so that it can be replayed."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{fault.match.game.slug}-{fault.match.seed}.json"
    fault.match.save(path)
    return path
