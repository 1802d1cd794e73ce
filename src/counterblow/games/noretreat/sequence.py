"""Chapter 4: the sequence of play."""

from __future__ import annotations

from collections.abc import Callable

from counterblow.games.noretreat.cards import card_phase, wants
from counterblow.games.noretreat.combat import combat_phase
from counterblow.games.noretreat.components import AXIS, SOVIET
from counterblow.games.noretreat.movement import movement_phase
from counterblow.games.noretreat.organization import organization_phase
from counterblow.games.noretreat.rail import detraining_phase
from counterblow.games.noretreat.removal import removal_phase
from counterblow.games.noretreat.state import NoRetreatState, flow
from counterblow.games.noretreat.supply import supply_phase
from counterblow.games.noretreat.victory import end_of_play

PHASES: dict[str, Callable[[NoRetreatState], None]] = {
    "card": card_phase,
    "supply": supply_phase,
    "organization": organization_phase,
    "movement": movement_phase,
    "combat": combat_phase,
    "removal": removal_phase,
    "detraining": detraining_phase,
}
ORDER = tuple(PHASES)


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
    s.player = side
    s.played = s.silent = s.captured = s.attacks = 0
    s.demands = ()
    s.queue(("window", 1 - side, "turn_start"), ("phase", side, 0))


@flow.step("phase")
def phase(s: NoRetreatState, side: int, number: int) -> None:
    """A phase is finished before the next begins."""
    name = ORDER[number]
    s.stage = name
    s.push("phase.end", side, number)
    PHASES[name](s)


@flow.step("phase.end")
def end_of_phase(s: NoRetreatState, side: int, number: int) -> None:
    """At the end of a phase the other side may play an event."""
    if number + 1 < len(ORDER):
        s.push("phase", side, number + 1)
    if wants(s, 1 - side, "phase_end"):
        s.push("window", 1 - side, "phase_end")


def start_at(s: NoRetreatState, side: int, phase: str) -> None:
    """Push the agenda from a phase of a player turn on."""
    s.player = side
    later: list[tuple[object, ...]] = [("player", SOVIET)] if side == AXIS else []
    s.queue(("phase", side, ORDER.index(phase)), *later, ("turn",))
