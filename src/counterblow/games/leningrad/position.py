"""Positions for examples, puzzles and tests, and what must always be true of a position."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from counterblow.games.leningrad import sequence
from counterblow.games.leningrad.components import GERMAN, RUSSIAN, SIDES
from counterblow.games.leningrad.state import ABSENT, MAY_RETREAT, NO_RETREAT, LeningradState
from counterblow.kernel.errors import PositionError, unknown
from counterblow.kernel.masks import bits, mask_of
from counterblow.kernel.positions import Positions
from counterblow.kernel.sequence import steps_from
from counterblow.kernel.state import NOWHERE

if TYPE_CHECKING:
    from counterblow.games.leningrad.game import Leningrad

MARKS = {
    "disrupted": "disrupted", "entrenched": "entrenched", "moved": "moved", "attacked": "attacked",
    "bonus": "hurried", "entered": "entered", "airlifted": "airlifted", "crossed": "crossed",
}  # fmt: skip
FIELDS = ("air", "shot_down", "control", "lost", "waiting", "bought", "points", "bombed", "factory_hit", "no_retreat",
          "marines_back")  # fmt: skip


class LeningradPositions(Positions[Any]):
    game: Leningrad

    def phases(self) -> dict[str, Callable[[LeningradState], None]]:
        names = [phase.name for phase in sequence.PHASES]
        return {name: partial(_begin_at, name=name) for name in sorted(names, key=lambda n: n != "german.movement")}

    def prepare(self, s: LeningradState) -> None:
        """Only named air units fly; units due on this turn or later are waiting."""
        counters = s.game.counters
        if not 1 <= s.turn <= s.game.calendar.last_turn:
            raise PositionError(f"leningrad: turn should be 1 to {s.game.calendar.last_turn}, not {s.turn!r}")
        s.frozen = s.game.calendar.stage(s.turn)
        for unit in bits(counters.air[GERMAN] | counters.air[RUSSIAN]):
            s.back[unit] = ABSENT
            s.down |= 1 << unit
        s.waiting = mask_of(u for u, turn in enumerate(counters.turn) if turn >= s.turn and turn)
        s.recount_all()

    def mark_unit(self, s: LeningradState, unit: int, marks: dict[str, Any]) -> None:
        name = s.game.unit_names[unit]
        bit = 1 << unit
        if s.game.counters.type[unit] == "air":
            raise PositionError(f'leningrad: {name} has no hex; name it in "air"')
        s.waiting &= ~bit
        for mark, value in marks.items():
            if mark not in MARKS:
                raise PositionError(f"leningrad: {name}: " + unknown("mark", mark, ["at", *MARKS]))
            if value:
                setattr(s, MARKS[mark], getattr(s, MARKS[mark]) | bit)

    def mark_position(self, s: LeningradState, more: dict[str, Any]) -> None:
        for name, value in more.items():
            if name not in FIELDS:
                known = ["turn", "phase", "units", "dice", *FIELDS]
                raise PositionError("leningrad: " + unknown("position field", name, known))
            _set(s, name, value)
        _take_hold(s)
        s.derive()
        for node, units in s.here.items():
            if len({s.game.side_of[u] for u in units if s.game.counters.factor[u]}) > 1:
                raise PositionError(f"leningrad: both sides have units in {s.game.board.labels[node]}")
        s.recount_all()


def _begin_at(s: LeningradState, name: str) -> None:
    s.queue(*steps_from(sequence.PHASES, name))


def _set(s: LeningradState, name: str, value: Any) -> None:
    game = s.game
    if name == "air":
        for unit in _units(s, value):
            s.back[unit] = 0
            s.down &= ~(1 << unit)
            s.waiting &= ~(1 << unit)
    elif name == "shot_down":
        for unit_name, turn in value.items():
            s.back[game.unit(unit_name)] = turn
            s.waiting &= ~(1 << game.unit(unit_name))
    elif name == "control":
        for place, side in value.items():
            _control(s, place, game.side_number(side))
    elif name in ("lost", "waiting", "bought"):
        setattr(s, name, mask_of(_units(s, value)))
        if name == "lost":
            s.waiting &= ~s.lost
    elif name == "points":
        s.points = (int(value[0]), int(value[1]))
    elif name == "bombed":
        s.bombed = mask_of(game.leningrad_index[game.node(label)] for label in value)
    elif name == "no_retreat":
        s.order = NO_RETREAT if value else MAY_RETREAT
    else:
        setattr(s, name, int(value))


def _units(s: LeningradState, names: Iterable[str]) -> list[int]:
    return [s.game.unit(name) for name in names]


def _control(s: LeningradState, place: str, side: int) -> None:
    """Give a place (by name) or a hex to a side; a German Leningrad hex has no factor of its own (ruling D25)."""
    names = {p.name: p.nodes[0] for p in s.game.board.places}
    node = names[place] if place in names else s.game.node(place)
    s.control[node] = side
    index = s.game.leningrad_index.get(node)
    if index is not None and side == GERMAN:
        s.garrisons &= ~(1 << index)


def _take_hold(s: LeningradState) -> None:
    """A place with units in it is held by them."""
    for node, units in s.here.items():
        for unit in units:
            if s.game.counters.factor[unit] and s.game.keyed[node]:
                _control(s, s.game.board.labels[node], s.game.side_of[unit])


# ---------------------------------------------------------------- invariants


def faults(s: LeningradState) -> list[str]:
    """What is wrong with a position: units twice or nowhere, both sides in a hex, trenches of the Disrupted."""
    counters = s.game.counters
    names = s.game.unit_names
    found = []
    for unit, node in enumerate(s.at):
        if counters.type[unit] == "air":
            continue
        places = [node != NOWHERE, *(bool(mask >> unit & 1) for mask in (s.waiting, s.lost, s.gone))]
        if s.turn and sum(places) != 1:
            found.append(f"{names[unit]} is in {sum(places)} places")
    for node in sorted(s.here):
        sides = {s.game.side_of[unit] for unit in s.here[node] if counters.factor[unit]}
        if len(sides) > 1:
            found.append(f"both sides are in {s.game.board.labels[node]}")
        if sides and s.game.keyed[node] and s.control[node] not in sides:
            found.append(f"{s.game.board.labels[node]} is occupied by {SIDES[min(sides)]} and held by the other side")
    if s.disrupted & s.entrenched:
        found.append("a Disrupted unit is entrenched")
    return found
