"""Positions made by hand: marks of units, hands, control, weather, boxes. See docs/games/noretreat.md."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from counterblow.games.noretreat import cards, sequence, setup
from counterblow.games.noretreat.components import (
    AXIS,
    BOXES,
    DISORGANIZED,
    PENDING,
    SOVIET,
    TRACK,
    TRIGGERS,
    UNSUPPLIED,
    WEATHER_NAMES,
)
from counterblow.games.noretreat.state import NoRetreatState
from counterblow.kernel.masks import bits
from counterblow.kernel.positions import Positions


class NoRetreatPositions(Positions[Any]):
    scenario = "campaign"
    numbers = ("event_vp", "high_tide", "no_sudden_death", "initiative_counter")
    per_side = ("support", "draw_loss")

    def phases(self) -> Mapping[str, Callable[[Any], None]]:
        sides = ((AXIS, "axis"), (SOVIET, "soviet"))
        found = {f"{word}.{phase}": partial(sequence.start_at, side=side, phase=phase)
                 for side, word in sides for phase in sequence.STEPS}  # fmt: skip
        found |= {f"{word}.turn": partial(sequence.start_at, side=side) for side, word in sides}
        return {**found, "housekeeping": sequence.housekeeping, "victory": sequence.new_turn}

    def prepare(self, s: NoRetreatState) -> None:
        if not 1 <= s.turn < len(self.game.turns):
            raise self.error(f"turn {s.turn} is not on the Turn Track")
        entry = self.game.plays["A"].setup
        s.sites = sum(1 << self.game.charts.site(city) for city in entry["soviet_controls"])
        s.initiative = AXIS if s.turn < self.game.shift_turn else SOVIET
        s.sky = cards.sky_of(s, s.turn)

    def place(self, s: NoRetreatState, unit: int, name: str, marks: dict[str, Any]) -> None:
        """Units may go by their red names and as "Kalinin Front"."""
        _, face = self.game.aliases.get(name, (name, ""))
        if face:
            marks.setdefault("face", face)

    def placed(self, s: NoRetreatState) -> None:
        """A city with units in it is theirs."""
        for unit in (*s.army(AXIS), *s.army(SOVIET)):
            site = self.game.charts.site_at[s.at[unit]]
            if site >= 0:
                self.give(s, site, self.game.side_of[unit])

    def finish(self, s: NoRetreatState) -> None:
        """Cards that are not named are in the draw pile, unless one is named."""
        if not s.pile:
            held = (*bits(s.hands[AXIS]), *bits(s.hands[SOVIET]), *s.discards)
            late = s.turn >= self.game.year_45_turn
            s.pile = [card for card in setup.opening_deck(self.game, late) if card not in held]
            s.shuffle(s.pile)

    def give(self, s: NoRetreatState, site: int, side: int) -> None:
        if not s.controls(side, site):
            s.sites ^= 1 << site

    # ------------------------------------------------------------------ marks of units

    def mark_face(self, s: NoRetreatState, unit: int, face: str) -> None:
        """full, reduced, brown, red, fort."""
        names = [f.name for f in self.game.counters[unit].faces]
        s.face[unit] = self.index(f"face of {self.game.unit_names[unit]}", face, names)

    def mark_unsupplied(self, s: NoRetreatState, unit: int, marked: bool) -> None:
        s.marks[unit] |= UNSUPPLIED if marked else 0

    def mark_disorganized(self, s: NoRetreatState, unit: int, marked: bool) -> None:
        s.marks[unit] |= DISORGANIZED if marked else 0

    # ------------------------------------------------------------------ fields

    def set_hands(self, s: NoRetreatState, hands: Mapping[str, list[str]]) -> None:
        for side, names in hands.items():
            number = self.game.side_number(side)
            for name in names:
                cards.take(s, number, self.game.card_number(name))

    def set_discards(self, s: NoRetreatState, names: list[str]) -> None:
        s.discards.extend(self.game.card_number(name) for name in names)

    def set_pile(self, s: NoRetreatState, names: list[str]) -> None:
        s.pile.extend(self.game.card_number(name) for name in names)

    def set_control(self, s: NoRetreatState, control: Mapping[str, str]) -> None:
        for name, side in control.items():
            site = self.index("city or oil field", name, self.game.charts.site_names)
            self.give(s, site, self.game.side_number(side))

    def set_weather(self, s: NoRetreatState, weather: str) -> None:
        s.sky = self.index("weather", weather, WEATHER_NAMES)
        s.weather[s.turn] = min(s.sky, 2)

    def set_initiative(self, s: NoRetreatState, side: str) -> None:
        s.initiative = self.game.side_number(side)

    def set_boxes(self, s: NoRetreatState, boxes: Mapping[str, list[str]]) -> None:
        for box, names in boxes.items():
            self.index("box", box, [*BOXES, "Out"])
            for name in names:
                unit = self.game.unit(name)
                if self.game.aliases.get(name, ("", ""))[1]:
                    s.face[unit] = 1
                if box == "Out":
                    s.out_of_play(unit)
                else:
                    s.to_box(unit, box)

    def set_track(self, s: NoRetreatState, track: Mapping[str, int | str]) -> None:
        """Units on the Turn Track (a turn), or waiting for a trigger (GG, Oil, Warsaw)."""
        for name, due in track.items():
            if isinstance(due, int):
                s.to_track(self.game.unit(name), due, TRACK)
            else:
                self.index("trigger", due, TRIGGERS)
                s.to_track(self.game.unit(name), 0, PENDING)

    def set_triggers(self, s: NoRetreatState, triggers: Mapping[str, int]) -> None:
        for trigger, turn in triggers.items():
            self.index("trigger", trigger, TRIGGERS)
            setattr(s, f"{trigger.lower()}_turn", turn)

    def set_counterblows(self, s: NoRetreatState, hexes: list[str]) -> None:
        s.standing = tuple(self.game.node(label) for label in hexes)

    def set_captured(self, s: NoRetreatState, names: list[str]) -> None:
        s.captured = sum(1 << self.game.charts.site(name) for name in names)

    def set_reserve(self, s: NoRetreatState, name: str) -> None:
        s.reserve = self.game.unit(name)

    def set_works(self, s: NoRetreatState, works: tuple[str, str]) -> None:
        s.works = (self.game.node(works[0]), self.game.side_number(works[1]))
