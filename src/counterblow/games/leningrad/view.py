"""What players see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from counterblow.games.leningrad import movement, supply, victory, zones
from counterblow.games.leningrad.components import ARMY, CORPS, FACTOR, GERMAN, RUSSIAN, SIDES
from counterblow.games.leningrad.state import ABSENT, LeningradState
from counterblow.kernel.masks import bits
from counterblow.kernel.views import Standing, Views

if TYPE_CHECKING:
    from counterblow.games.leningrad.game import Leningrad

SYMBOLS = {
    "infantry": "infantry", "panzer": "armor", "tank": "armor", "marine": "marine", "train": "train",
    "fleet": "naval", "air": "air",
}  # fmt: skip


class LeningradViews(Views[Any]):
    game: Leningrad
    losses = ("german.lost", "russian.lost")

    def turn_label(self, state: LeningradState) -> str:
        return f"Turn {state.turn}: {self.game.calendar.dates.get(state.turn, 'set-up')} 1941"

    def counter(self, s: LeningradState, unit: int) -> dict[str, Any]:
        counters = s.game.counters
        size = {ARMY: "XXXX", CORPS: "XXX"}.get(counters.size[unit], "XX" if counters.factor[unit] else "")
        factor, movement = counters.factor[unit], counters.movement[unit]
        markers = [
            word
            for word, mask in (("disrupted", s.disrupted), ("entrenched", s.entrenched), ("moved", s.moved),
                               ("attacked", s.attacked), ("air supply", s.airlifted))
            if mask >> unit & 1
        ]  # fmt: skip
        return {
            "symbol": SYMBOLS[counters.type[unit]],
            "size": size,
            "values": f"{factor}-{movement}" if factor else "",
            "band": short_name(s.game.unit_names[unit]),
            "steps": 1,
            "face": "entrenched" if s.entrenched >> unit & 1 else "front",
            "markers": markers,
            "title": s.game.unit_names[unit],
            "detail": str(counters.entries[unit].get("note", "")),
        }

    def extra(self, s: LeningradState, side: int | None) -> dict[str, Any]:
        game = s.game
        german, russian = victory.totals(s)
        return {
            "tracks": [
                {"id": "turn", "title": "Turn", "value": s.turn, "max": game.calendar.last_turn,
                 "text": game.calendar.events.get(s.turn, "")},
                {"id": "german", "title": "German points", "value": german, "max": 40, "text": ""},
                {"id": "russian", "title": "Russian points", "value": russian, "max": 40, "text": ""},
            ],
            "markers": _markers(s),
            "boxes": _boxes(s),
            "control": {game.board.labels[node]: SIDES[s.control[node]] for node in game.places},
        }  # fmt: skip

    def standing(self, state: LeningradState, side: int | None) -> Standing:
        return victory.standing(state)

    def overlay(self, s: LeningradState, kind: str, side: int, unit: int | None, viewer: int | None) -> dict[str, Any]:
        """Hexes to the nearest source of supply, a unit's reach with its costs and ways, control of places."""
        if kind == "zoc":
            return super().overlay(s, kind, side, unit, viewer)
        s, label = s.copy(), s.game.board.labels
        if kind == "supply":
            return {"hexes": {label[node]: far - 1 for node, far in enumerate(supply.lines(s, side)) if far}}
        if kind == "control":
            return {"hexes": {label[node]: SIDES[s.control[node]] for node in s.game.places}}
        if kind == "reach" and unit is not None and s.game.counters.ground[s.game.side_of[unit]] >> unit & 1:
            return _reach(s, unit) if s.at[unit] >= 0 else {"hexes": {}}
        return {"hexes": {}}

    def tables(self) -> list[dict[str, Any]]:
        found = self.game.tables
        return [
            {
                "id": "ground", "title": "Ground combat results", "columns": list(found.ground.columns),
                "rows": [list(row) for row in found.ground.rows], "provenance": found.ground.provenance,
            },
            {
                "id": "air", "title": "Air operations",
                "columns": ["Luftwaffe bombing", "Russian bombing", "Interception"],
                "rows": [list(row) for row in found.air.rows], "provenance": found.air.provenance,
            },
        ]  # fmt: skip


def short_name(name: str) -> str:
    words = name.split()
    return words[-1] if name.startswith("Armored") else words[0].rstrip(".")


def _markers(s: LeningradState) -> list[dict[str, str]]:
    label = s.game.board.labels
    found = [{"at": label[node], "kind": "attack", "text": "attacked"} for b in s.battles for node in b[0]]
    found += [{"at": label[node], "kind": "battle", "text": "battle"} for node in s.targets]
    found += [
        {"at": label[node], "kind": "bombed", "text": "bombed"}
        for index, node in enumerate(s.game.leningrad)
        if s.bombed >> index & 1
    ]
    return found


def _boxes(s: LeningradState) -> list[dict[str, Any]]:
    counters = s.game.counters
    boxes = []
    for side in (GERMAN, RUSSIAN):
        air = [unit for unit in bits(counters.air[side] & ~s.gone & ~s.waiting) if s.back[unit] != ABSENT]
        everybody = s.game.everybody[side]
        boxes += [
            _box(s, f"{SIDES[side]}.air", f"{s.game.side_titles[side]} air units", [u for u in air if not s.back[u]]),
            _box(s, f"{SIDES[side]}.down", f"{s.game.side_titles[side]} air units shot down",
                 [u for u in air if s.back[u]]),
            _box(s, f"{SIDES[side]}.waiting", f"{s.game.side_titles[side]} reinforcements",
                 list(bits(s.waiting & everybody))),
            _box(s, f"{SIDES[side]}.lost", f"{s.game.side_titles[side]} losses", list(bits(s.lost & everybody))),
        ]  # fmt: skip
    boxes.append(_box(s, "german.moscow", "Gone to Moscow", list(bits(s.gone))))
    return boxes


def _box(s: LeningradState, box: str, title: str, units: list[int]) -> dict[str, Any]:
    def shown(unit: int) -> dict[str, Any]:
        turn = s.back[unit] if s.back[unit] else s.game.counters.turn[unit] if s.waiting >> unit & 1 else 0
        when = f"turn {turn}" if turn else ""
        name, side = s.game.unit_names[unit], SIDES[s.game.side_of[unit]]
        return {"id": unit, "name": name, "side": side, "at": None, "when": when, **s.game.views.counter(s, unit)}

    return {"id": box, "title": title, "units": [shown(unit) for unit in units]}


def _reach(s: LeningradState, unit: int) -> dict[str, Any]:
    label = s.game.board.labels
    step = s.agenda[-1] if s.agenda else ()
    marching = step[:2] == (movement.Route, unit)
    spent, hot = (step[2], step[3]) if marching else (0, zones.held_by_zone(s, unit, s.at[unit]))
    ways = {node: movement.plan(s, unit, node, spent, hot) for node in movement.destinations(s, unit, spent)}
    return {
        "hexes": {label[node]: way.cost / FACTOR for node, way in ways.items()},
        "paths": {label[node]: [label[s.at[unit]], *(label[n] for n in way.path)] for node, way in ways.items()},
    }
