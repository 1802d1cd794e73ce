"""What players see: counters, tracks, markers, overlays and charts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from counterblow.games.narvik import victory
from counterblow.games.narvik.components import ALLIED, GERMAN, NATIONS, SIDES, SUBS
from counterblow.games.narvik.movement import reach
from counterblow.games.narvik.state import NarvikState
from counterblow.kernel.masks import bits
from counterblow.kernel.views import Standing, Views

if TYPE_CHECKING:
    from counterblow.games.narvik.game import Narvik

SYMBOLS = {
    "leader": "leader", "mountain infantry": "mountain", "ski infantry": "ski", "infantry": "infantry",
    "anti-aircraft": "antiair", "engineer": "engineer", "marine infantry": "marine", "heavy weapons": "infantry",
    "mountain artillery": "artillery", "towed artillery": "artillery", "airborne infantry": "airborne",
    "airborne mountain infantry": "airborne", "airborne artillery": "airborne", "airborne engineer": "airborne",
    "anti-tank": "antitank", "signal": "hq", "tank": "armor", "railroad artillery": "train", "air": "air",
    "naval": "naval",
}  # fmt: skip
SIZES = {"battalion": "II", "wing": "II-", "company": "I", "battery": "I", "platoon": "...", "leader": "", "": ""}


class NarvikViews(Views[Any]):
    game: Narvik
    losses = ("German Eliminated", "Allied Eliminated")

    def turn_label(self, state: NarvikState) -> str:
        turns = self.game.tables.turns
        return f"Turn {state.turn}: {turns[min(state.turn, len(turns)) - 1]}"

    def counter(self, state: NarvikState, unit: int) -> dict[str, Any]:
        u = self.game.roster.units[unit]
        if u.is_strike:
            return {"symbol": SYMBOLS[u.type], "values": str(u.fire), "title": u.id, "detail": f"{u.type} strike"}
        fire = f"[{u.fire}]" if u.ca else str(u.fire)
        values = f"{fire}{'a' if u.aa else ''}{'+' if u.elite else '-'}{u.move}"
        detail = [u.type, u.size, NATIONS[u.sub], f"sub-command {SUBS[u.sub]}"]
        if u.range > 1:
            values += f" r{u.range}"
            detail.append(f"range {u.range}")
        if u.elite:
            detail.append("elite")
        if u.ca:
            detail.append("close-assault capable")
        if u.aa:
            detail.append("anti-armour")
        return {
            "symbol": SYMBOLS[u.type], "size": SIZES[u.size], "values": values, "band": SUBS[u.sub],
            "markers": [word for word, units in (("moved", state.moved), ("fired", state.fired)) if units >> unit & 1],
            "title": f"{u.id} ({u.formation})", "detail": ", ".join(detail), "nation": NATIONS[u.sub],
        }  # fmt: skip

    def overlay(self, state: NarvikState, kind: str, side: int, unit: int | None, viewer: int | None) -> dict[str, Any]:
        """Zones, control, and for a unit that the viewer sees its reach and its field of fire."""
        if kind == "control":
            names = ((n, GERMAN if state.controls(GERMAN, n) else ALLIED) for n in range(self.game.ground.hexes))
            return {"hexes": {self.game.board.labels[n]: SIDES[who] for n, who in names if self.game.ground.land[n]}}
        if kind in ("reach", "fire"):
            known = unit is not None and unit in self.game.roster.ground and state.sees(viewer, unit)
            if unit is None or not known or not 0 <= state.at[unit] < self.game.ground.hexes:
                return {"hexes": {}}
            return self._reach_overlay(state, unit) if kind == "reach" else self._fire_overlay(state, unit)
        # every unit has the same zone, and where enemies stand is no secret (10.0.e, 21.0.a)
        return {"hexes": {self.game.board.labels[n]: count for n, count in enumerate(state.zone[side]) if count}}

    def _reach_overlay(self, state: NarvikState, unit: int) -> dict[str, Any]:
        labels, found = self.game.board.labels, reach(state, unit)
        return {
            "hexes": {labels[n]: found.cost_to(n) / 2 for n in found.nodes},
            "paths": {labels[n]: [labels[m] for m in found.path_to(n)] for n in found.nodes},
        }

    def _fire_overlay(self, state: NarvikState, unit: int) -> dict[str, Any]:
        here = state.at[unit]
        targets = bits(self.game.ground.fire_mask[self.game.roster.range[unit]][here])
        return {"hexes": {self.game.board.labels[n]: self.game.board.distance(here, n) for n in targets}}

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
        labels = self.game.board.labels
        tracks = [
            {"id": f"ap-{SIDES[n]}", "title": f"{self.game.side_titles[n]} action points", "value": state.ap[n],
             "max": self.game.tables.ap_max, "text": str(state.ap[n])} for n in (GERMAN, ALLIED)
        ]  # fmt: skip
        boxes = self.game.tables.relief_names
        tracks.append({"id": "relief", "title": "German relief column", "value": state.relief,
                       "max": len(boxes) - 1, "text": boxes[state.relief]})  # fmt: skip
        tracks.append({"id": "turn", "title": "Game turn", "value": state.turn, "max": len(self.game.tables.turns),
                       "text": self.turn_label(state)})  # fmt: skip
        markers = [{"at": labels[n], "kind": "entrenched", "text": f"entrenched ({SIDES[owner]})"}
                   for owner in (GERMAN, ALLIED) for n in bits(state.trenches[owner])]  # fmt: skip
        markers += [{"at": labels[n], "kind": "demolished", "text": "demolished"} for n in bits(state.demolished)]
        markers += [{"at": labels[a], "kind": "pontoon", "text": f"pontoon bridge to {labels[b]}"}
                    for a, b in state.pontoons]  # fmt: skip
        markers += [{"at": labels[n], "kind": "strike", "text": self.game.unit_names[u]} for u, n in state.placed]
        control = {labels[n]: SIDES[GERMAN if state.controls(GERMAN, n) else ALLIED]
                   for n in (*self.game.ground.objectives, *self.game.ground.ferries)}  # fmt: skip
        return {"tracks": tracks, "markers": markers, "control": control,
                "initiative": SIDES[state.first], "passes": state.passes}  # fmt: skip

    def standing(self, state: NarvikState, side: int | None) -> Standing:
        return victory.standing(state, side)

    def tables(self) -> list[dict[str, Any]]:
        tables = self.game.tables
        crt = [[str(die), *[column[die - 1] for column in tables.crt]] for die in range(1, 7)]
        terrain = [[name, _mp(row["mp"]), _mp(row["mech"]), f"{row['fire']:+d}", f"{row['assault']:+d}"]
                   for name, row in tables.terrain.items()]  # fmt: skip
        costs = [[row.name, str(row.ap), " and ".join(SIDES[n] for n in row.sides)] for row in tables.actions.values()]
        event_rows = [[str(die + 1), tables.events[GERMAN][die].name, tables.events[ALLIED][die].name]
                      for die in range(6)]  # fmt: skip
        return [
            {"id": "crt", "title": "Combat results", "columns": ["die", *[str(c) for c in range(13)]], "rows": crt,
             "provenance": "reconstructed"},
            {"id": "terrain", "title": "Terrain effects", "rows": terrain, "provenance": "reconstructed",
             "columns": ["terrain", "MP", "MP mechanised", "fire", "assault"]},
            {"id": "actions", "title": "Actions summary", "columns": ["action", "AP", "side"], "rows": costs,
             "provenance": "reconstructed"},
            {"id": "events", "title": "Events", "columns": ["die", "German", "Allied"], "rows": event_rows,
             "provenance": "rulebook"},
        ]  # fmt: skip


def _mp(points: int) -> str:
    return "prohibited" if points < 0 else str(points)
