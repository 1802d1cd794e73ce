"""Chapter 12: air units."""

from __future__ import annotations

from collections.abc import Iterable

from counterblow.games.narva.state import ABSENT, GROUNDED, READY, REFIT, NarvaState, flow
from counterblow.kernel.rulebook import Citation, refuse_if

NORMAL, FULL = 0, 1

BOX_WORDS = ("it supports this attack already", "it is in refit", "it is grounded", "this edition does not know it")

Support = tuple[tuple[int, int], ...]  # (air unit, NORMAL or FULL)


def station(s: NarvaState) -> None:
    """2.1.4b, 12.0a: all air units that the edition knows begin in their ready boxes."""
    for number, unit in enumerate(s.game.air):
        s.air[number] = ABSENT if unit.edition and unit.edition != s.options["edition"] else READY


@flow.step
def air_phase(s: NarvaState) -> None:
    """3.0b: refitted units return first (12.2.2), grounded ones go to refit afterwards (12.2.1)."""
    recover(s, range(len(s.air)))


def recover(s: NarvaState, units: Iterable[int]) -> None:
    """One step of recovery."""
    for unit in units:
        if s.air[unit] == REFIT:
            s.air[unit] = READY
        elif s.air[unit] == GROUNDED:
            s.air[unit] = REFIT


def wing(s: NarvaState, side: int) -> list[int]:
    """A side's air units that the edition knows (12.0a)."""
    return [number for number, unit in enumerate(s.game.air) if unit.side == side and s.air[number] != ABSENT]


def why_not_mission(s: NarvaState, side: int, support: Support, unit: int, mode: int) -> Citation | None:
    """12.1b, 12.1c: up to two units, each for a full or a normal attack; the bomber only for a full one."""
    plane, enough = s.game.air[unit], s.game.numbers["air_units_per_combat_max"]
    return (
        refuse_if(s.no_air, "2.5.2.06", "no air missions for the rest of the turn")
        or refuse_if(plane.side != side, "12.1d", "only the attacker uses air units")
        or refuse_if(len(support) >= enough, "12.1b", "two air units support this combat already")
        or refuse_if(unit not in ready(s, side, support), "12.1a", BOX_WORDS[s.air[unit]])
        or refuse_if(mode == NORMAL and not plane.normal, "12.1c", "the bomber makes full attacks only")
    )


def ready(s: NarvaState, side: int, support: Support) -> list[int]:
    """12.1a, 12.1b: whom the attacker can still send."""
    if s.no_air or len(support) >= s.game.numbers["air_units_per_combat_max"]:
        return []
    used = [unit for unit, _ in support]
    return [unit for unit in wing(s, side) if s.air[unit] == READY and unit not in used]


def best_shift(s: NarvaState, side: int, support: Support = ()) -> int:
    """The most that further ready air units could add to one combat."""
    values = sorted([s.game.air[unit].full for unit in ready(s, side, support)], reverse=True)
    return sum(values[: s.game.numbers["air_units_per_combat_max"] - len(support)])


def send(s: NarvaState, support: Support) -> None:
    """12.1.1a, 12.1.1b: a full attack grounds the unit, a normal one sends it to refit."""
    for unit, mode in support:
        s.air[unit] = GROUNDED if mode == FULL else REFIT
