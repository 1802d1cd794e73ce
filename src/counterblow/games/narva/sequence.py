"""Chapter 3: the sequence of play, and the turn advance of 11.4."""

from __future__ import annotations

from counterblow.games.narva import victory
from counterblow.games.narva.air import air_phase
from counterblow.games.narva.command import command_phase
from counterblow.games.narva.components import GERMAN, SOVIET
from counterblow.games.narva.defences import Repair
from counterblow.games.narva.reinforcements import chits_and_withdrawals, next_arrival, soviet_arrivals
from counterblow.games.narva.state import NarvaState, flow
from counterblow.games.narva.supply import supply_phase
from counterblow.kernel.flow import ask
from counterblow.kernel.sequence import Phase, steps_from


@flow.step
def turn_begin(s: NarvaState) -> None:
    """3.0a: air, command, reinforcement (3.0d), supply, end of turn (3.0f)."""
    s.log("turn", "Turn {n}", "3.0a", n=s.turn)
    s.queue(*steps_from(PHASES))


@flow.step
def turn_advance(s: NarvaState) -> None:
    """11.4a, 2.5e: chits return to the cup; 11.4b, 2.5.1l: pins come off; the Germans may raise a marker (11.3.5)."""
    for number, copies in enumerate(bytes(s.drawn)):
        s.cup[number] += copies
        s.drawn[number] = 0
    s.pin[:] = bytes(len(s.pin))
    s.queue((ask, Repair), (turn_end,))


@flow.step
def turn_end(s: NarvaState) -> None:
    """2.2.1, 2.6.1, 13.1b: the next turn, or the reckoning after the last."""
    if s.turn == s.game.numbers["turns"]:
        winner, level, reason, rules = victory.verdict(s)
        s.finish(winner, level, reason, *rules)
        return
    frozen = s.frozen
    s.turn += 1
    s.used, s.strachwitz, s.naval, s.no_air = (0, 0), 0, 0, 0
    if s.frozen != frozen:
        s.recount_all()  # the winter trail's bridge is gone, and with it a way for zones (2.2.8b, 5.6)
        s.log("weather", "The thaw sets in", "6.2.2b")
    s.push(turn_begin)


PHASES = (
    Phase("air", None, "3.0b", ((air_phase,),)),
    Phase("command", SOVIET, "3.0c", ((command_phase,),)),
    Phase("german.reinforcement", GERMAN, "3.0d", ((chits_and_withdrawals,), (next_arrival,))),
    Phase("soviet.reinforcement", SOVIET, "3.0d", ((chits_and_withdrawals,), (soviet_arrivals,), (next_arrival,))),
    Phase("supply", None, "3.0e", ((supply_phase,),)),
    Phase("end", GERMAN, "3.0f", ((victory.sudden_death,),)),
    Phase("advance", GERMAN, "11.4a", ((turn_advance,),)),
)
