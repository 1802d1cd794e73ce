"""What is never true of a position: checks for fuzzing and tests."""

from __future__ import annotations

from counterblow.games.narva.stacking import surplus
from counterblow.games.narva.state import ABSENT, FIGHTING, NarvaState, flow
from counterblow.kernel.flow import ask
from counterblow.kernel.game import faults
from counterblow.kernel.state import NOWHERE


def all_faults(s: NarvaState) -> list[str]:
    """What is wrong with a state, if anything."""
    names = [
        flow.names[step[1] if step[0] is ask else step[0]] for step in s.agenda
    ]  # of a choice to be asked, its own
    busy = {step[-4] for step, name in zip(s.agenda, names, strict=True) if name == "movement.Leg"}
    retreating = any(name.startswith("retreat.") for name in names)
    return [*stack_faults(s, busy, retreating), *unit_faults(s, retreating), *chit_faults(s)]


def stack_faults(s: NarvaState, busy: set[int], retreating: bool) -> list[str]:
    found, game = [], s.game
    for node, stack in sorted(s.here.items()):
        label = game.board.labels[node]
        full = surplus(s, node, stack) and not busy.intersection(stack) and not retreating
        strangers = [u for u in stack if not game.ground.open_to[game.classes[u][1]][node]]
        found += faults(
            (len({game.side_of[unit] for unit in stack}) > 1, f"{label}: both sides stand there"),
            (full, f"{label}: overstacked"),
            (strangers, f"{label}: {[game.unit_names[unit] for unit in strangers]} may not be there"),
        )
    return found


def unit_faults(s: NarvaState, retreating: bool) -> list[str]:
    found = []
    for unit, name in enumerate(s.game.unit_names):
        on_map, fights = s.at[unit] != NOWHERE, s.fate[unit] == FIGHTING
        found += faults(
            (on_map and not (fights and s.step[unit]), f"{name} is on the map but has no steps"),
            (fights and not on_map and not retreating, f"{name} fights nowhere"),
            (s.step[unit] > s.game.units[unit].steps, f"{name} has too many steps"),
        )
    off_track = any(not 0 <= box < len(s.game.pd_boxes) for box in s.pd)
    boxless = len(s.air) != len(s.game.air) or any(box > ABSENT for box in bytes(s.air))
    return found + faults(
        (off_track, "a Prepared Defense marker is off its track"), (boxless, "an air unit is in no box")
    )


def chit_faults(s: NarvaState) -> list[str]:
    """Chits are neither lost nor made."""
    found = []
    for number, chit in enumerate(s.game.chits):
        parked = [other for other, _ in s.parked].count(number) + (s.waiting if chit.name == "OOS" else 0)
        many = s.cup[number] + s.drawn[number] + s.removed[number] + parked > chit.count
        found += faults((many, f"too many {chit.title} chits"))
    return found
