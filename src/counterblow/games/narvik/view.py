"""What players see: counters, tracks, markers, overlays and charts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from counterblow.games.narvik import victory
from counterblow.games.narvik.components import ALLIED, GERMAN, NATIONS, SIDES, SUBS
from counterblow.games.narvik.movement import reach
from counterblow.games.narvik.state import NarvikState
from counterblow.kernel.masks import bits
from counterblow.kernel.views import Standing, Views, chart, counted, numbered, track

if TYPE_CHECKING:
    from counterblow.games.narvik.game import Narvik


class NarvikViews(Views[Any]):
    game: Narvik
    losses = ("German Eliminated", "Allied Eliminated")

    def turn_label(self, state: NarvikState) -> str:
        turns = self.game.tables.turns
        return f"Turn {state.turn}: {turns[min(state.turn, len(turns)) - 1]}"

    def counter(self, state: NarvikState, unit: int) -> dict[str, Any]:
        if unit in self.game.roster.strikes:
            return self.printed(unit)
        markers = [word for word, units in (("moved", state.moved), ("fired", state.fired)) if units >> unit & 1]
        return {**self.printed(unit), "markers": markers}

    def face(self, unit: int, side: int) -> dict[str, Any]:
        u, sheet = self.game.roster.units[unit], self.game.roster.sheet
        if unit in self.game.roster.strikes:
            return {
                "symbol": sheet["symbols"][u.type],
                "values": str(u.fire),
                "title": u.id,
                "detail": f"{u.type} strike",
            }
        fire = f"[{u.fire}]" if u.ca else str(u.fire)
        values = f"{fire}{'a' if u.aa else ''}{'+' if u.elite else '-'}{u.move}"
        values += f" r{u.range}" if u.range > 1 else ""
        special = ((f"range {u.range}", u.range > 1), ("elite", u.elite), ("close-assault capable", u.ca),
                   ("anti-armour", u.aa))  # fmt: skip
        detail = [u.type, u.size, NATIONS[u.sub], f"sub-command {SUBS[u.sub]}", *(word for word, has in special if has)]
        return {
            "symbol": sheet["symbols"][u.type], "size": sheet["sizes"][u.size], "values": values, "band": SUBS[u.sub],
            "title": f"{u.id} ({u.formation})", "detail": ", ".join(detail), "nation": NATIONS[u.sub],
        }  # fmt: skip

    def zoc_overlay(self, state: NarvikState, side: int, viewer: int | None) -> dict[str, Any]:
        """Every unit has the same zone, and where enemies stand is no secret (10.0.e, 21.0.a)."""
        return self.hexes(counted(state.zone[side]))

    def control_overlay(self, state: NarvikState, side: int, viewer: int | None) -> dict[str, Any]:
        ground = self.game.ground
        return {"hexes": self.controlled(state, [node for node in range(ground.hexes) if ground.land[node]])}

    def controlled(self, state: NarvikState, nodes: Iterable[int]) -> dict[str, str]:
        return self.held_by({node: GERMAN if state.controls(GERMAN, node) else ALLIED for node in nodes})

    def reach_overlay(self, state: NarvikState, unit: int, viewer: int | None) -> dict[str, Any]:
        return self.reached(reach(state, unit), 2) if self.in_sight(state, unit, viewer) else {"hexes": {}}

    def fire_overlay(self, state: NarvikState, unit: int, viewer: int | None) -> dict[str, Any]:
        if not self.in_sight(state, unit, viewer):
            return {"hexes": {}}
        here = state.at[unit]
        targets = bits(self.game.ground.fire_mask[self.game.roster.range[unit]][here])
        return self.hexes({node: self.game.board.distance(here, node) for node in targets})

    def in_sight(self, state: NarvikState, unit: int, viewer: int | None) -> bool:
        """Is it a ground unit on the map that the viewer sees?"""
        on_map = unit in self.game.roster.ground and state.at[unit] < self.game.ground.hexes
        return on_map and state.sees(viewer, unit)

    def unit(self, state: NarvikState, unit: int, side: int | None) -> dict[str, Any]:
        """21.0: the back of a hidden counter shows its flag and code (2.3.b); displays show nothing."""
        view = super().unit(state, unit, side)
        if view.get("hidden"):
            if state.at[unit] >= self.game.ground.hexes:
                return {}
            view["nation"] = NATIONS[self.game.roster.sub[unit]]
            view["code"] = self.game.roster.code[unit]
        return view

    def extra(self, state: NarvikState, side: int | None) -> dict[str, Any]:
        game, tables, labels = self.game, self.game.tables, self.game.board.labels
        tracks = [
            track(f"ap-{word}", f"{title} action points", points, tables.ap_max, str(points))
            for word, title, points in zip(SIDES, game.side_titles, state.ap, strict=True)
        ]
        boxes = tables.relief_names
        tracks.append(track("relief", "German relief column", state.relief, len(boxes) - 1, boxes[state.relief]))
        tracks.append(track("turn", "Game turn", state.turn, len(tables.turns), self.turn_label(state)))
        markers = [self.marked(bits(hexes), "entrenched", f"entrenched ({word})")
                   for word, hexes in zip(SIDES, state.trenches, strict=True)]  # fmt: skip
        markers.append(self.marked(bits(state.demolished), "demolished", "demolished"))
        markers += [self.marked([a], "pontoon", f"pontoon bridge to {labels[b]}") for a, b in state.pontoons]
        markers += [self.marked([node], "strike", game.unit_names[unit]) for unit, node in state.placed]
        return {
            "tracks": tracks,
            "markers": [marker for several in markers for marker in several],
            "control": self.controlled(state, (*game.ground.objectives, *game.ground.ferries)),
            "initiative": SIDES[state.first],
            "passes": state.passes,
        }

    def standing(self, state: NarvikState, side: int | None) -> Standing:
        return victory.standing(state, side)

    def tables(self) -> list[dict[str, Any]]:
        tables = self.game.tables
        terrain = [[name, _mp(row["mp"]), _mp(row["mech"]), f"{row['fire']:+d}", f"{row['assault']:+d}"]
                   for name, row in tables.terrain.items()]  # fmt: skip
        costs = [[row.name, row.ap, " and ".join(SIDES[n] for n in row.sides)] for row in tables.actions.values()]
        events = [[event.name for event in rolled] for rolled in zip(*tables.events, strict=True)]
        return [
            chart("crt", "Combat results", ["die", *map(str, range(13))], numbered(*zip(*tables.crt, strict=True)),
                  "reconstructed"),
            chart("terrain", "Terrain effects", ["terrain", "MP", "MP mechanised", "fire", "assault"], terrain,
                  "reconstructed"),
            chart("actions", "Actions summary", ["action", "AP", "side"], costs, "reconstructed"),
            chart("events", "Events", ["die", "German", "Allied"], numbered(*events), "rulebook"),
        ]  # fmt: skip


def _mp(points: int) -> str:
    return "prohibited" if points < 0 else str(points)
