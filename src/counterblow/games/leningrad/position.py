"""Positions for examples, puzzles and tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from counterblow.games.leningrad.components import GERMAN, RUSSIAN
from counterblow.games.leningrad.sequence import PHASES
from counterblow.games.leningrad.state import ABSENT, MAY_RETREAT, NO_RETREAT, LeningradState
from counterblow.kernel.masks import bits, mask_of
from counterblow.kernel.positions import Positions


class LeningradPositions(Positions[Any]):
    sequence, first = PHASES, "german.movement"
    masks = {
        "disrupted": "disrupted", "entrenched": "entrenched", "moved": "moved", "attacked": "attacked",
        "bonus": "hurried", "entered": "entered", "airlifted": "airlifted", "crossed": "crossed",
    }  # fmt: skip
    numbers = ("factory_hit", "marines_back")

    def prepare(self, s: LeningradState) -> None:
        """Only named air units fly; units due on this turn or later are waiting."""
        counters = s.game.counters
        if not 1 <= s.turn <= s.game.calendar.last_turn:
            raise self.error(f"turn should be 1 to {s.game.calendar.last_turn}, not {s.turn!r}")
        s.frozen = s.game.calendar.stage[s.turn]
        for unit in bits(counters.air[GERMAN] | counters.air[RUSSIAN]):
            s.back[unit] = ABSENT
            s.down |= 1 << unit
        s.waiting = mask_of(u for u, turn in enumerate(counters.turn) if turn >= s.turn and turn)
        s.recount_all()

    def place(self, s: LeningradState, unit: int, name: str, marks: dict[str, Any]) -> None:
        if s.game.counters.type[unit] == "air":
            raise self.error(f'{name} has no hex; name it in "air"')
        s.waiting &= ~(1 << unit)

    def finish(self, s: LeningradState) -> None:
        """A place with units in it is held by them."""
        for node, units in s.here.items():
            sides = {s.game.side_of[unit] for unit in units if s.game.counters.factor[unit]}
            if len(sides) > 1:
                raise self.error(f"both sides have units in {s.game.board.labels[node]}")
            if sides and s.game.keyed[node]:
                self.give(s, node, *sides)
        s.derive()
        s.recount_all()

    # ---------------------------------------------------------------- fields

    def set_air(self, s: LeningradState, names: Iterable[str]) -> None:
        self.set_shot_down(s, dict.fromkeys(names, 0))

    def set_shot_down(self, s: LeningradState, turns: Mapping[str, int]) -> None:
        """Unit -> the turn of its return."""
        for name, turn in turns.items():
            unit = s.game.unit(name)
            s.back[unit] = turn
            s.waiting &= ~(1 << unit)
            if not turn:
                s.down &= ~(1 << unit)

    def set_control(self, s: LeningradState, places: Mapping[str, str]) -> None:
        """Of places, by name, and hexes."""
        names = {place.name: place.nodes[0] for place in s.game.board.places}
        for place, side in places.items():
            self.give(s, names[place] if place in names else s.game.node(place), s.game.side_number(side))

    def give(self, s: LeningradState, node: int, side: int) -> None:
        """A German Leningrad hex has no factor of its own (ruling D25)."""
        s.control[node] = side
        index = s.game.leningrad_index.get(node)
        if index is not None and side == GERMAN:
            s.garrisons &= ~(1 << index)

    def set_lost(self, s: LeningradState, names: Iterable[str]) -> None:
        s.lost = mask_of(self.units(names))
        s.waiting &= ~s.lost

    def set_waiting(self, s: LeningradState, names: Iterable[str]) -> None:
        s.waiting = mask_of(self.units(names))

    def set_bought(self, s: LeningradState, names: Iterable[str]) -> None:
        s.bought = mask_of(self.units(names))

    def set_points(self, s: LeningradState, points: tuple[int, int]) -> None:
        s.points = (int(points[0]), int(points[1]))

    def set_bombed(self, s: LeningradState, hexes: Iterable[str]) -> None:
        s.bombed = mask_of(s.game.leningrad_index[s.game.node(label)] for label in hexes)

    def set_no_retreat(self, s: LeningradState, ordered: bool) -> None:
        s.order = NO_RETREAT if ordered else MAY_RETREAT
