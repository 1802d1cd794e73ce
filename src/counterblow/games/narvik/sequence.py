"""Chapter 5: the sequence of play."""

from __future__ import annotations

from counterblow.games.narvik.actions import ACTIONS, actions_phase
from counterblow.games.narvik.components import ALLIED, GERMAN
from counterblow.games.narvik.events import roll_event
from counterblow.games.narvik.points import determine_initiative, determine_points
from counterblow.games.narvik.reinforcements import reinforcement_segment
from counterblow.games.narvik.state import NarvikState, flow
from counterblow.games.narvik.victory import check_victory
from counterblow.kernel.sequence import Phase, rules_of, steps_from

SET_UP = "Set-up"


@flow.step
def game_turn(s: NarvikState) -> None:
    """5.1.a: preparation (AP, events, initiative, reinforcements), actions, end of turn."""
    s.log("turn", f"Game turn {s.turn}: {s.game.tables.turns[s.turn - 1]}", "5.1.a")
    s.two_formations = False
    s.queue(*steps_from(PHASES))


@flow.step
def advance_turn(s: NarvikState) -> None:
    """5.1.h: the next turn."""
    s.turn += 1
    s.push(game_turn)


PHASES = (  # 5.0.a, 5.1.b: the segments of a turn, by the names that positions use
    Phase("points", GERMAN, "5.0.a", ((determine_points,),)),
    Phase("german.event", GERMAN, "5.0.a", ((roll_event,),)),  # 5.1.c, ruling D1: the German side first
    Phase("allied.event", ALLIED, "5.0.a", ((roll_event,),)),
    Phase("initiative", None, "5.0.a", ((determine_initiative,),)),
    Phase("reinforcement", None, "5.0.a", ((reinforcement_segment,),)),
    Phase(ACTIONS, None, "5.0.a", ((actions_phase,),)),
    Phase("victory", None, "5.0.a", ((check_victory,), (advance_turn,))),
)
PHASE_RULES = {SET_UP: "5.0.a", **rules_of(PHASES)}
