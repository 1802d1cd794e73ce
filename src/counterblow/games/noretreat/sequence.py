"""Chapter 4: the sequence of play."""

from __future__ import annotations

from counterblow.games.noretreat.cards import card_phase, window
from counterblow.games.noretreat.combat import combat_phase
from counterblow.games.noretreat.components import AXIS, SIDES, SOVIET
from counterblow.games.noretreat.movement import movement_phase
from counterblow.games.noretreat.organization import organization_phase
from counterblow.games.noretreat.rail import detraining_phase
from counterblow.games.noretreat.removal import removal_phase
from counterblow.games.noretreat.state import NoRetreatState, flow
from counterblow.games.noretreat.supply import supply_phase
from counterblow.games.noretreat.turn_events import turn_events
from counterblow.games.noretreat.victory import end_of_play, operational_check, victory_phase
from counterblow.kernel.sequence import Phase, rules_of, steps_from

STEPS = {
    "card": (card_phase, "4.1"),
    "supply": (supply_phase, "4.2"),
    "organization": (organization_phase, "4.3"),
    "movement": (movement_phase, "4.4"),
    "combat": (combat_phase, "4.5"),
    "removal": (removal_phase, "4.6"),
    "detraining": (detraining_phase, "4.7"),
}
# 4.0.b: seven phases in their order, each finished before the next begins; at its end the other side may play an event
PHASES: tuple[tuple[Phase, ...], ...] = tuple(
    tuple(
        Phase(f"{SIDES[side]}.{name}", side, rule, ((step,), (window, 1 - side, "phase_end")))
        for name, (step, rule) in STEPS.items()
    )
    for side in (AXIS, SOVIET)
)
PHASE_RULES: dict[str, str] = {**rules_of(PHASES[AXIS]), **rules_of(PHASES[SOVIET]), "housekeeping": "4.0.a"}


@flow.step
def housekeeping(s: NoRetreatState) -> None:
    """4.0.a, 4.A: advance the turn marker, unless the game ends here; then events (4.B) and victory (4.C)."""
    s.begin_phase("housekeeping")
    if end_of_play(s):
        return
    s.turn += 1
    s.played = s.silent = 0  # both belong to the player turn that is over
    s.log("turn", "Turn {n}, {dates}", "4.A", n=s.turn, dates=s.game.turns[s.turn].dates)
    s.queue((operational_check,), (new_turn,))


@flow.step
def new_turn(s: NoRetreatState) -> None:
    s.queue((turn_events,), (victory_phase,), (player_turn, AXIS), (player_turn, SOVIET), (housekeeping,))


@flow.step
def player_turn(s: NoRetreatState, side: int) -> None:
    """My turn, your turn. Scorched Earth (card 7) ends with an Axis player turn, its Detraining Phase included."""
    s.mover = side
    if side == SOVIET and s.scorched and s.turn >= s.scorched[1]:
        s.scorched = ()
        s.nets[AXIS] = None
    s.played = s.silent = s.captured = s.attacks = 0
    s.demands = ()
    s.queue((window, 1 - side, "turn_start"), *steps_from(PHASES[side]))


def start_at(s: NoRetreatState, side: int, phase: str = "") -> None:
    """Push the agenda from a phase of a player turn on, or from its start."""
    s.mover = side
    first = steps_from(PHASES[side], f"{SIDES[side]}.{phase}") if phase else [(player_turn, side)]
    s.queue(*first, *([(player_turn, SOVIET)] if side == AXIS else []), (housekeeping,))
