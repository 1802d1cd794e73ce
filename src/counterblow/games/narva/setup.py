"""Chapter 14 and section 2.1.4: set-up."""

from __future__ import annotations

from counterblow.games.narva.reinforcements import AREAS
from counterblow.games.narva.sequence import turn_begin
from counterblow.games.narva.state import ABSENT, READY, NarvaState


def set_up(s: NarvaState) -> None:
    """14.0a: units in their hexes; 2.1.4a, 14.0b: reinforcements on the turn track; 2.1.4d: chits in the cup.

    2.1.4c: the Prepared Defense markers stand in their first boxes, as a blank state has them.
    """
    s.turn = 1
    station_aircraft(s)
    for unit in s.game.units:
        if unit.hex:
            s.bring(unit.number, s.game.board.node(unit.hex), 1 if unit.reduced else unit.steps)
    s.due = tuple([0 if unit.hex else unit.turn for unit in s.game.units])
    s.door = tuple([0 if unit.hex else AREAS.index(unit.entry) for unit in s.game.units])
    for number, chit in enumerate(s.game.chits):
        s.cup[number] = 0 if chit.enters else chit.count
    s.push(turn_begin)


def station_aircraft(s: NarvaState) -> None:
    """2.1.4b, 12.0a: all air units that the edition knows begin in their ready boxes."""
    for number, unit in enumerate(s.game.air):
        s.air[number] = ABSENT if unit.edition and unit.edition != s.options["edition"] else READY
