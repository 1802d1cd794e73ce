"""Chapter 5: the sequence of play."""

from __future__ import annotations

from counterblow.games.narvik.components import ALLIED, GERMAN
from counterblow.games.narvik.flow import flow
from counterblow.games.narvik.state import NarvikState


@flow.step("turn")
def game_turn(s: NarvikState) -> None:
    """5.1: preparation (AP, events, initiative, reinforcements), actions, end of turn."""
    s.log("turn", f"Game turn {s.turn}: {s.game.tables.turns[s.turn - 1]}", "5.1.a")
    s.two_formations = False
    s.queue(*PREPARATION, ("actions",), ("victory",), ("advance",))


PREPARATION = (
    ("points",),
    ("event", GERMAN),  # ruling D1: the German side first
    ("event", ALLIED),
    ("initiative",),
    ("reinforce",),
)


@flow.step("actions")
def actions_phase(s: NarvikState) -> None:
    """5.1.e: the first player begins."""
    s.passes = 0
    s.push("act.next", s.first)


@flow.step("act.next")
def next_action(s: NarvikState, side: int) -> None:
    """5.1.f, 11.0.d: whose opportunity it is, if anybody's."""
    if s.ap == (0, 0) or s.passes >= 2:
        return
    if s.ap[side] == 0:
        if s.passes == 0:  # the other side goes on until it passes or runs out (ruling D41)
            s.push("act", 1 - side)
        return
    s.push("act", side)


@flow.step("advance")
def advance_turn(s: NarvikState) -> None:
    """5.1.h: the next turn."""
    s.turn += 1
    s.push("turn")
