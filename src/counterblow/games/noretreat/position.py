"""Positions made by hand: marks of units, hands, control, weather, boxes. See docs/games/noretreat.md."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from counterblow.games.noretreat import cards, sequence, setup
from counterblow.games.noretreat.components import (
    ATTACKED,
    AXIS,
    BOXES,
    DISORGANIZED,
    OUT,
    PENDING,
    SIDES,
    SOVIET,
    TRACK,
    TRIGGERS,
    UNSUPPLIED,
    WEATHER_NAMES,
)
from counterblow.games.noretreat.state import NOWHERE, NoRetreatState
from counterblow.kernel.errors import PositionError, unknown
from counterblow.kernel.masks import bits
from counterblow.kernel.positions import Positions


class NoRetreatPositions(Positions[Any]):
    def phases(self) -> dict[str, Callable[[Any], None]]:
        found: dict[str, Callable[[Any], None]] = {}
        for side in (AXIS, SOVIET):
            for phase in sequence.STEPS:
                found[f"{SIDES[side]}.{phase}"] = partial(sequence.start_at, side=side, phase=phase)
        found["axis.turn"] = partial(sequence.start_at, side=AXIS)
        found["soviet.turn"] = partial(sequence.start_at, side=SOVIET)
        found["housekeeping"] = sequence.housekeeping
        found["victory"] = sequence.new_turn
        return found

    def build(
        self,
        state: Any,
        turn: int,
        phase: str | None,
        units: Mapping[str, Any],
        dice: tuple[int, ...],
        more: dict[str, Any],
    ) -> Any:
        """Units may go by their red names and as "Kalinin Front"."""
        if not 1 <= turn < len(self.game.turns):
            raise PositionError(f"{self.game.slug}: turn {turn} is not on the Turn Track")
        named: dict[str, Any] = {}
        for name, spec in units.items():
            canonical, face = self.game.aliases.get(name, (name, ""))
            marks = {"at": spec} if isinstance(spec, str) else dict(spec)
            named[canonical] = {"face": face, **marks} if face else marks
        return super().build(state, turn, phase, named, dice, more)

    def prepare(self, state: NoRetreatState) -> None:
        entry = self.game.play_of("A").setup
        state.sites = sum(1 << self.game.charts.site(city) for city in entry["soviet_controls"])
        state.initiative = AXIS if state.turn < self.game.shift_turn else SOVIET
        state.sky = cards.sky_of(state, state.turn)
        state.partisan = (self.game.partisan_turn, NOWHERE)

    def mark_unit(self, state: NoRetreatState, unit: int, marks: dict[str, Any]) -> None:
        """Marks: face (full, reduced, brown, red, fort), unsupplied, disorganized."""
        face = marks.pop("face", None)
        names = [f.name for f in self.game.counters[unit].faces]
        if face is not None:
            if face not in names:
                raise PositionError(f"{self.game.slug}: {self.game.unit_names[unit]}: " + unknown("face", face, names))
            state.face[unit] = names.index(face)
        for mark, flag in (("unsupplied", UNSUPPLIED), ("disorganized", DISORGANIZED), ("attacked", ATTACKED)):
            if marks.pop(mark, False):
                state.marks[unit] |= flag
        for mark in marks:
            known = ["at", "face", "unsupplied", "disorganized", "attacked"]
            raise PositionError(f"{self.game.slug}: {self.game.unit_names[unit]}: " + unknown("mark", mark, known))

    def mark_position(self, state: NoRetreatState, more: dict[str, Any]) -> None:
        for unit in (*state.army(AXIS), *state.army(SOVIET)):
            site = self.game.charts.site_at[state.at[unit]]
            if site >= 0 and not state.controls(self.game.side_of[unit], site):
                state.sites ^= 1 << site
        fields = self._position_fields(state)
        for name, value in more.items():
            if name not in fields:
                known = ["turn", "phase", "units", "dice", "scenario", "options", *fields]
                raise PositionError(f"{self.game.slug}: " + unknown("position field", name, known))
            fields[name](value)
        if not state.pile:
            held = (*bits(state.hands[AXIS]), *bits(state.hands[SOVIET]), *state.discards)
            late = state.turn >= self.game.year_45_turn
            state.pile = [card for card in setup.opening_deck(self.game, late) if card not in held]
            state.shuffle(state.pile)

    def _position_fields(self, state: NoRetreatState) -> dict[str, Callable[[Any], None]]:
        """What a position may say beyond turn, phase and units."""

        def plain(name: str) -> Callable[[Any], None]:
            return partial(setattr, state, name)

        return {
            "hands": partial(self._position_hands, state),
            "discards": lambda names: state.discards.extend(self.game.card_number(n) for n in names),
            "pile": lambda names: state.pile.extend(self.game.card_number(n) for n in names),
            "control": partial(self._position_control, state),
            "weather": partial(self._position_weather, state),
            "initiative": lambda side: setattr(state, "initiative", self.game.side_number(side)),
            "support": lambda value: setattr(state, "support", (value.get("axis", 0), value.get("soviet", 0))),
            "boxes": partial(self._position_boxes, state),
            "track": partial(self._position_track, state),
            "triggers": partial(self._position_triggers, state),
            "counterblows": lambda hexes: setattr(state, "standing", tuple(self.game.node(label) for label in hexes)),
            "event_vp": plain("event_vp"),
            "high_tide": plain("high_tide"),
            "draw_loss": lambda value: setattr(state, "draw_loss", (value.get("axis", 0), value.get("soviet", 0))),
            "captured": lambda names: setattr(state, "captured", sum(1 << self.game.charts.site(n) for n in names)),
            "reserve": lambda name: setattr(state, "reserve", self.game.unit(name)),
            "no_sudden_death": plain("no_sudden_death"),
            "initiative_counter": plain("initiative_counter"),
            "works": lambda value: setattr(state, "works", (self.game.node(value[0]), self.game.side_number(value[1]))),
        }

    def _position_hands(self, state: NoRetreatState, hands: Mapping[str, list[str]]) -> None:
        for side, names in hands.items():
            number = self.game.side_number(side)
            for name in names:
                cards.take(state, number, self.game.card_number(name))

    def _position_control(self, state: NoRetreatState, control: Mapping[str, str]) -> None:
        for name, side in control.items():
            if name not in self.game.charts.site_names:
                raise PositionError(
                    f"{self.game.slug}: " + unknown("city or oil field", name, self.game.charts.site_names)
                )
            site = self.game.charts.site(name)
            if not state.controls(self.game.side_number(side), site):
                state.sites ^= 1 << site

    def _position_weather(self, state: NoRetreatState, weather: str) -> None:
        if weather not in WEATHER_NAMES:
            raise PositionError(f"{self.game.slug}: " + unknown("weather", weather, WEATHER_NAMES))
        sky = WEATHER_NAMES.index(weather)
        state.weather[state.turn] = min(sky, 2)
        state.sky = sky

    def _position_boxes(self, state: NoRetreatState, boxes: Mapping[str, list[str]]) -> None:
        for box, names in boxes.items():
            for name in names:
                alias, face = self.game.aliases.get(name, (name, ""))
                unit = self.game.unit(alias)
                state.face[unit] = 1 if face else state.face[unit]
                if box == "Out":
                    state.to_track(unit, 0, OUT)
                elif box not in BOXES:
                    raise PositionError(f"{self.game.slug}: " + unknown("box", box, [*BOXES, "Out"]))
                else:
                    state.to_box(unit, box)

    def _position_track(self, state: NoRetreatState, track: Mapping[str, int | str]) -> None:
        """Units on the Turn Track (a turn), or waiting for a trigger (GG, Oil, Warsaw)."""
        for name, due in track.items():
            if isinstance(due, int):
                state.to_track(self.game.unit(name), due, TRACK)
            elif due in TRIGGERS:
                state.to_track(self.game.unit(name), 0, PENDING)
            else:
                raise PositionError(f"{self.game.slug}: " + unknown("trigger", due, TRIGGERS))

    def _position_triggers(self, state: NoRetreatState, triggers: Mapping[str, int]) -> None:
        names = {"GG": "gg_turn", "Oil": "oil_turn", "Warsaw": "warsaw_turn"}
        for trigger, turn in triggers.items():
            if trigger not in names:
                raise PositionError(f"{self.game.slug}: " + unknown("trigger", trigger, names))
            setattr(state, names[trigger], turn)
