"""Chapter 3: the sequence of play, and the turn advance of 11.4."""

from __future__ import annotations

from counterblow.games.narva import victory
from counterblow.games.narva.state import NarvaState, flow

PHASES = (
    ("air.phase",),
    ("command.phase",),
    ("reinforcement.german",),
    ("reinforcement.soviet",),
    ("supply.phase",),
    ("end.sudden_death",),
    ("end.advance",),
)


@flow.step("turn.begin")
def turn_begin(s: NarvaState) -> None:
    """3.0a: air, command, reinforcement (3.0d), supply, end of turn (3.0f)."""
    s.log("turn", "Turn {n}", "3.0a", n=s.turn)
    s.queue(*PHASES)


def begin_at(s: NarvaState, phase: str) -> None:
    """The rest of a turn from a phase on: for positions."""
    names = [step[0] for step in PHASES]
    s.queue(*PHASES[names.index(phase) :])


@flow.step("end.sudden_death")
def sudden_death(s: NarvaState) -> None:
    """3.0f, 13.1a: before the turn advance."""
    victory.sudden_death(s)


@flow.step("end.advance")
def turn_advance(s: NarvaState) -> None:
    """11.4: chits return to the cup, pins come off, the Germans may raise a marker (11.3.5)."""
    for number, copies in enumerate(s.drawn):
        s.cup[number] += copies
        s.drawn[number] = 0
    s.pin[:] = bytes(len(s.pin))
    s.queue(("defences.repair",), ("end.turn",))


@flow.step("end.turn")
def turn_end(s: NarvaState) -> None:
    """2.2.1, 13.1b: the next turn, or the reckoning after the last."""
    if s.turn == s.game.numbers["turns"]:
        victory.reckon(s)
        return
    frozen = s.frozen
    s.turn += 1
    s.used, s.strachwitz, s.naval, s.no_air = (0, 0), 0, 0, 0
    if s.frozen != frozen:
        s.recount_all()  # the winter trail's bridge is gone, and with it a way for zones (2.2.8b, 5.6)
        s.log("weather", "The thaw sets in", "6.2.2b")
    s.push("turn.begin")
