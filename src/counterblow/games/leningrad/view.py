"""What players see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from counterblow.games.leningrad import movement, supply, victory, zones
from counterblow.games.leningrad.components import ARMY, CORPS, FACTOR, SIDES
from counterblow.games.leningrad.state import ABSENT, LeningradState
from counterblow.kernel.masks import bits
from counterblow.kernel.views import Standing, Views, chart, track

if TYPE_CHECKING:
    from counterblow.games.leningrad.game import Leningrad

SYMBOLS = {"panzer": "armor", "tank": "armor", "fleet": "naval"}  # the others are called by their types


class LeningradViews(Views[Any]):
    game: Leningrad
    losses = ("german.lost", "russian.lost")

    def turn_label(self, state: LeningradState) -> str:
        return f"Turn {state.turn}: {self.game.calendar.dates.get(state.turn, 'set-up')} 1941"

    def face(self, unit: int, side: int) -> dict[str, Any]:
        counters, name = self.game.counters, self.game.unit_names[unit]
        factor, movement, words = counters.factor[unit], counters.movement[unit], name.split()
        return {
            "symbol": SYMBOLS.get(counters.type[unit], counters.type[unit]),
            "size": {ARMY: "XXXX", CORPS: "XXX"}.get(counters.size[unit], "XX" if factor else ""),
            "values": f"{factor}-{movement}" if factor else "",
            "band": words[-1] if words[0] == "Armored" else words[0].rstrip("."),
            "steps": 1,
            "title": name,
            "detail": str(counters.entries[unit].get("note", "")),
        }

    def counter(self, s: LeningradState, unit: int) -> dict[str, Any]:
        shown = (("disrupted", s.disrupted), ("entrenched", s.entrenched), ("moved", s.moved),
                 ("attacked", s.attacked), ("air supply", s.airlifted))  # fmt: skip
        markers = [word for word, mask in shown if mask >> unit & 1]
        return {**self.printed(unit), "face": "entrenched" if "entrenched" in markers else "front", "markers": markers}

    def extra(self, s: LeningradState, side: int | None) -> dict[str, Any]:
        game = s.game
        german, russian = victory.totals(s)
        bombed = [node for index, node in enumerate(game.leningrad) if s.bombed >> index & 1]
        return {
            "tracks": [
                track("turn", "Turn", s.turn, game.calendar.last_turn, game.calendar.events.get(s.turn, "")),
                track("german", "German points", german, 40),
                track("russian", "Russian points", russian, 40),
            ],
            "markers": [
                *self.marked([node for battle in s.battles for node in battle[0]], "attack", "attacked"),
                *self.marked(s.targets, "battle", "battle"),
                *self.marked(bombed, "bombed", "bombed"),
            ],
            "boxes": self.boxes(s),
            "control": self.held_by(self.places(s)),
        }

    def places(self, s: LeningradState) -> dict[int, int]:
        return {node: s.control[node] for node in s.game.places}

    def boxes(self, s: LeningradState) -> list[dict[str, Any]]:
        found = []
        for side, (word, title) in enumerate(zip(SIDES, s.game.side_titles, strict=True)):
            air = [u for u in bits(s.game.counters.air[side] & ~s.gone & ~s.waiting) if s.back[u] != ABSENT]
            everybody = s.game.everybody[side]
            found += [
                self.box(s, f"{word}.air", f"{title} air units", [u for u in air if not s.back[u]]),
                self.box(s, f"{word}.down", f"{title} air units shot down", [u for u in air if s.back[u]]),
                self.box(s, f"{word}.waiting", f"{title} reinforcements", bits(s.waiting & everybody)),
                self.box(s, f"{word}.lost", f"{title} losses", bits(s.lost & everybody)),
            ]
        return [*found, self.box(s, "german.moscow", "Gone to Moscow", bits(s.gone))]

    def off_map(self, state: LeningradState, unit: int, **more: Any) -> dict[str, Any]:
        waiting = state.waiting >> unit & 1
        turn = state.back[unit] or (self.game.counters.turn[unit] if waiting else 0)
        return super().off_map(state, unit, at=None, when=f"turn {turn}" if turn else "")

    def standing(self, state: LeningradState, side: int | None) -> Standing:
        return victory.standing(state)

    def supply_overlay(self, s: LeningradState, side: int, viewer: int | None) -> dict[str, Any]:
        return self.lines(supply.lines(s, side))

    def reach_overlay(self, s: LeningradState, unit: int, viewer: int | None) -> dict[str, Any]:
        if not s.game.counters.ground[s.game.side_of[unit]] >> unit & 1:
            return {"hexes": {}}
        step = s.agenda[-1] if s.agenda else ()
        marching = step[:2] == (movement.Route, unit)
        spent, hot = (step[2], step[3]) if marching else (0, zones.held_by_zone(s, unit, s.at[unit]))
        found = {node: movement.plan(s, unit, node, spent, hot) for node in movement.destinations(s, unit, spent)}
        return self.ways(
            {node: way.cost / FACTOR for node, way in found.items()},
            {node: (s.at[unit], *way.path) for node, way in found.items()},
        )

    def tables(self) -> list[dict[str, Any]]:
        ground, air = self.game.tables.ground, self.game.tables.air
        bombing = ("Luftwaffe bombing", "Russian bombing", "Interception")
        return [
            chart("ground", "Ground combat results", ground.columns, ground.rows, ground.provenance),
            chart("air", "Air operations", bombing, air.rows, air.provenance),
        ]
