"""Positions with an obviously right answer, written from the rulebooks' notes and common sense before any tuning."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import counterblow
from counterblow import players
from counterblow.kernel.actions import Action
from counterblow.kernel.state import NOWHERE, State
from counterblow.players import Player

MOST = 250  # actions until a player must have answered


@dataclass
class Play:
    """What a player made of a position: where it ended, and what the player did on the way."""

    before: State
    state: Any
    side: int
    actions: list[Action] = field(default_factory=list)

    @property
    def texts(self) -> list[str]:
        return [action.text for action in self.actions]

    def did(self, *starts: str) -> bool:
        """Did the player do something whose text begins so?"""
        return any(text.startswith(starts) for text in self.texts)

    def node(self, label: str) -> int:
        found: int = self.state.game.node(label)
        return found

    def at(self, unit: str) -> str | None:
        found: str | None = self.state.place(unit)
        return found

    def mine(self, *labels: str) -> bool:
        """Does the player have units in one of these hexes?"""
        return any(self.count(label) for label in labels)

    def count(self, *labels: str) -> int:
        """How many units the player has in these hexes."""
        side_of = self.state.game.side_of
        return sum(side_of[u] == self.side for label in labels for u in self.state.stack(self.node(label)))

    def enemy(self, label: str) -> bool:
        side_of = self.state.game.side_of
        return any(side_of[u] != self.side for u in self.state.stack(self.node(label)))

    def far(self, unit: str, label: str) -> int:
        """How far a unit stands from a hex; 99 if it is gone, or in a box beside the map."""
        board, node = self.state.game.board, self.state.at[self.state.game.unit(unit)]
        return 99 if node == NOWHERE or node >= board.hexes else board.distance(node, self.node(label))


@dataclass(frozen=True)
class Puzzle:
    """A position, whose turn it is, and what a right answer looks like."""

    title: str
    position: dict[str, Any]
    right: Callable[[Play], bool]
    until: Callable[[State, State], bool] | None = None  # (before, now): else the phase's first word changes


def phase_over(before: State, now: State) -> bool:
    """The phase has ended."""
    return now.turn != before.turn or now.phase != before.phase


def player_turn_over(before: State, now: State) -> bool:
    """The player-turn has ended: phases are named after the side whose they are."""
    return now.turn != before.turn or now.phase.partition(".")[0] != before.phase.partition(".")[0]


def played(slug: str, puzzle: Puzzle, player: Player) -> Play:
    """The player plays until its turn is over; the other side does what comes first."""
    state = counterblow.load(slug).position(**puzzle.position)
    side = state.decider
    play = Play(state.copy(), state, side)
    until = puzzle.until or player_turn_over
    for _ in range(MOST):
        if state.over or until(play.before, state):
            return play
        if state.decider == side:
            play.actions.append(player.choose(state, side))
            state.do(play.actions[-1])
        else:
            state.do(state.legal()[0])
    return play


def solved(slug: str, puzzles: tuple[Puzzle, ...], name: str, **more: Any) -> tuple[list[str], list[str]]:
    """The titles of the positions answered rightly and wrongly."""
    right: list[str] = []
    wrong: list[str] = []
    for number, puzzle in enumerate(puzzles):
        play = played(slug, puzzle, players.make(name, number, **more))
        (right if puzzle.right(play) else wrong).append(puzzle.title)
    return right, wrong
