"""Chapter 4: the sequence of play."""

from __future__ import annotations

from counterblow.games.noretreat.components import AXIS, SOVIET
from counterblow.games.noretreat.state import NoRetreatState, flow
from counterblow.games.noretreat.victory import end_of_play

PHASES = ("card", "supply", "organization", "movement", "combat", "removal", "detraining")
PHASE_STEPS = {
    "card": "card.phase",
    "supply": "supply.phase",
    "organization": "org.phase",
    "movement": "move.phase",
    "combat": "combat.phase",
    "removal": "removal.phase",
    "detraining": "rail.phase",
}


@flow.step("turn")
def housekeeping(s: NoRetreatState) -> None:
    """4.A: advance the turn marker, unless the game ends here; then events (4.B) and victory (4.C)."""
    s.stage = "housekeeping"
    if end_of_play(s):
        return
    s.turn += 1
    s.played = s.silent = 0  # both belong to the player turn that is over
    s.log("turn", "Turn {n}, {dates}", "4.A", n=s.turn, dates=s.game.turns[s.turn].dates)
    s.queue(
        ("turn.operational",), ("turn.events",), ("victory.phase",), ("player", AXIS), ("player", SOVIET), ("turn",)
    )


@flow.step("player")
def player_turn(s: NoRetreatState, side: int) -> None:
    """4.0.b: seven phases in their order."""
    new_player_turn(s, side)
    s.queue(("window", 1 - side, "turn_start"), *phases_from(side, "card"))


def new_player_turn(s: NoRetreatState, side: int) -> None:
    s.player = side
    s.played = s.silent = s.captured = s.attacks = 0
    s.demands = ()


def phases_from(side: int, first: str) -> list[tuple[object, ...]]:
    """The rest of a player turn; after each phase the other side may play an event."""
    steps: list[tuple[object, ...]] = []
    for phase in PHASES[PHASES.index(first) :]:
        steps += [("stage", phase), (PHASE_STEPS[phase],), ("window", 1 - side, "phase_end")]
    return steps


@flow.step("stage")
def stage(s: NoRetreatState, phase: str) -> None:
    s.stage = phase


def start_at(s: NoRetreatState, side: int, phase: str) -> None:
    """Push the agenda from a phase of a player turn on."""
    s.player = side
    later: list[tuple[object, ...]] = [("player", SOVIET)] if side == AXIS else []
    s.queue(*phases_from(side, phase), *later, ("turn",))
