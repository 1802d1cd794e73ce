"""What players see: counters, tracks, boxes, the score, the charts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from counterblow.games.narva import movement, supply, victory
from counterblow.games.narva.components import GERMAN, SIDES, SOVIET
from counterblow.games.narva.defences import DIVISIONS
from counterblow.games.narva.position import AIR_BOXES, SUPPLY_WORDS
from counterblow.games.narva.reinforcements import AREAS
from counterblow.games.narva.state import ELIMINATED, WAITING, NarvaState
from counterblow.kernel.views import Standing, Views, chart, columns_of, counted, numbered, track

if TYPE_CHECKING:
    from counterblow.games.narva.game import Narva

SYMBOLS = (
    ("HQ", "hq"), ("tank", "armor"), ("panzer bn", "armor"), ("panzergrenadier", "mechanized"), ("recon", "recon"),
    ("pioneer", "engineer"), ("assault gun", "antitank"), ("motorised", "motorized"), ("naval", "marine"),
    ("fortified", "fort"),
)  # fmt: skip
SIZES = (("regt", "III"), ("bde", "X"), ("company", "I"), ("Army HQ", "XXXX"), ("Corps HQ", "XXX"), ("HQ", "XX"))


class NarvaViews(Views[Any]):
    """2.1.3: nothing that fog of war hides from the viewer is told."""

    game: Narva
    losses = tuple(f"lost_{side}" for side in SIDES)

    def turn_label(self, s: NarvaState) -> str:
        return f"Turn {s.turn}: {self.calendar(s)['dates']}"

    def calendar(self, s: NarvaState) -> dict[str, Any]:
        """This turn's entry in the turn track."""
        entry: dict[str, Any] = self.game.calendar[min(s.turn, self.game.numbers["turns"])]
        return entry

    def unit(self, s: NarvaState, unit: int, side: int | None) -> dict[str, Any]:
        """A hidden piece under a marker shows the marker (2.1.3b)."""
        shown = super().unit(s, unit, side)
        return {**shown, "marker": s.marker(s.at[unit])} if shown.get("hidden") and s.marker(s.at[unit]) else shown

    def standing(self, s: NarvaState, side: int | None) -> Standing:
        return victory.standing(s)

    # ------------------------------------------------------------------ overlays: nothing that hangs on unseen enemies

    def supply_overlay(self, s: NarvaState, side: int, viewer: int | None) -> dict[str, Any]:
        return {"hexes": {}} if s.options["fog"] and viewer != side else self.lines(supply.LINES.trace(s, side))

    def command_overlay(self, s: NarvaState, side: int, viewer: int | None) -> dict[str, Any]:
        """How many HQs have a hex in range (4.2.4a)."""
        hqs = [unit for unit in s.game.hq_roster[side] if s.at[unit] >= 0 and s.sees(viewer, unit)]
        ranges = [s.game.within(s.at[unit], s.game.units[unit].range) for unit in hqs]
        return self.hexes(counted([sum(node in near for near in ranges) for node in s.game.hexes]))

    def reach_overlay(self, s: NarvaState, unit: int, viewer: int | None) -> dict[str, Any]:
        """A unit's normal movement."""
        step = s.agenda[-1] if s.agenda else ()
        mode, points, kind = movement.FRESH, s.allowance(unit), movement.REGULAR
        if step[:2] == (movement.Leg, unit):
            mode, points, kind = step[2:5]
        if mode == movement.STRATEGIC or (s.options["fog"] and viewer != s.game.side_of[unit]):
            return {"hexes": {}}
        found = movement.normal_reach(s, unit, points, kind)
        least = movement.minimum_moves(s, unit, found, points, kind) if mode == movement.FRESH else []
        costs = {node: found.cost_to(node) for node in found.nodes} | dict.fromkeys(least, points)  # 6.1c
        return self.ways(costs, {node: found.path_to(node) for node in found.nodes})

    # ------------------------------------------------------------------ counters

    def counter(self, s: NarvaState, unit: int) -> dict[str, Any]:
        lies = s.step[unit], s.supply[unit], s.pin[unit], s.moved >> unit & 1, s.attacked >> unit & 1
        return self.printed(unit, lies)

    def face(self, unit: int, lies: tuple[int, ...]) -> dict[str, Any]:
        """A counter without steps is off the map and shows its full strength."""
        kind, (steps, supply, *done) = self.game.units[unit], lies
        attack, defence, movement = kind.strengths[steps or -1]
        marks = zip((SUPPLY_WORDS[supply], "pinned", "moved", "attacked"), (supply, *done), strict=True)
        return {
            "symbol": next((symbol for word, symbol in SYMBOLS if word in kind.type), "infantry"),
            "size": next((size for word, size in SIZES if word in kind.type), "II"),
            "values": f"({kind.range})-{movement}" if kind.headquarters else f"{attack}-{defence}-{movement}",
            "band": kind.formation or "independent",
            "steps": 0 if kind.headquarters else steps,
            "face": "full" if steps == kind.steps else "reduced",
            "markers": [word for word, shown in marks if shown],
            "title": kind.name,
            "detail": ", ".join(filter(None, (kind.type, kind.command and f"command {kind.command}",
                                              "" if kind.zones[steps] else "no ZOC"))),
        }  # fmt: skip

    # ------------------------------------------------------------------ tracks, boxes, cup, score

    def extra(self, s: NarvaState, viewer: int | None) -> dict[str, Any]:
        game = s.game
        controlled = {node: SOVIET if s.red & bit else GERMAN for node, bit in enumerate(game.victory_bits) if bit}
        return {
            "tracks": self.tracks(s, viewer),
            "boxes": [*self.air_boxes(s), *self.waiting_boxes(s), *self.lost_boxes(s)],
            "cup": [
                {"chit": chit.name, "title": chit.title + (f" x{s.cup[n]}" if s.cup[n] > 1 else ""), "in_cup": s.cup[n]}
                for n, chit in enumerate(game.chits)
                if s.cup[n]
            ],
            "markers": [  # the shift that each Prepared Defense hex gives now (11.3.2)
                {"at": game.board.labels[n], "kind": "fort", "text": f"{DIVISIONS[mark]} -{game.pd_boxes[s.pd[mark]]}"}
                for n, mark in enumerate(game.ground.pd)
                if mark >= 0
            ],
            "control": self.held_by(controlled),
        }

    def tracks(self, s: NarvaState, viewer: int | None) -> list[dict[str, Any]]:
        boxes, weather = s.game.pd_boxes, "frozen" if s.frozen else "open water"
        found: list[dict[str, Any]] = [
            {"id": "points", "title": "Soviet victory points", "value": victory.soviet_points(s)},
            {"id": "weather", "title": "Major rivers", "value": weather, "text": weather},
        ]
        for name, down in zip(DIVISIONS, s.pd, strict=True):
            text = f"{down} down, shift {boxes[down]}"
            found.append(track(f"pd_{name}", f"{name} defences", down, len(boxes) - 1, text))
        for word, hq, used in zip(SIDES, s.last, s.used, strict=True):
            last = "none" if hq < 0 else s.game.unit_names[hq] if s.sees(viewer, hq) else "hidden"
            most = self.calendar(s)[word]
            text = f"{used} of {most}, last HQ: {last}"
            found.append(track(f"activations_{word}", f"{word.title()} activations", used, most, text))
        waiting = [f"{s.game.chits[chit].title}: turn {turn}" for chit, turn in s.parked]  # 2.5.3f, 2.5.5a, 2.5.7a
        if s.waiting:
            waiting.append("2nd Shock Out of Supply: next 2nd Shock Army chit")  # 2.5.6a
        if waiting:
            found.append({"id": "chits", "title": "Waiting chits", "value": len(waiting), "text": "; ".join(waiting)})
        return found

    def air_boxes(self, s: NarvaState) -> list[dict[str, Any]]:
        boxes: list[list[dict[str, Any]]] = [[] for _ in AIR_BOXES]
        for unit, box in zip(s.game.air, s.air, strict=True):
            if box < len(boxes):
                boxes[box].append({"name": unit.name, "side": SIDES[unit.side], "symbol": "air",
                                   "values": f"+{unit.full}/+{unit.normal}"})  # fmt: skip
        return [
            {"id": f"air_{word}", "title": f"Air units: {word}", "units": units}
            for word, units in zip(AIR_BOXES, boxes, strict=True)
        ]

    def waiting_boxes(self, s: NarvaState) -> list[dict[str, Any]]:
        """Reinforcements on the turn track, by turn and entry."""
        groups: dict[tuple[int, int], list[int]] = {}
        for unit in range(len(s.game.units)):
            if s.fate[unit] == WAITING and s.due[unit]:
                groups.setdefault((s.due[unit], s.door[unit]), []).append(unit)
        return [
            self.box(s, f"turn_{turn}_{AREAS[door]}", f"Turn {turn}, entry {AREAS[door]}", units)
            for (turn, door), units in sorted(groups.items())
        ]

    def lost_boxes(self, s: NarvaState) -> list[dict[str, Any]]:
        lost = [[unit for unit in roster if s.fate[unit] == ELIMINATED] for roster in s.game.roster]
        return [
            self.box(s, f"lost_{word}", f"{title} units eliminated", units)
            for word, title, units in zip(SIDES, s.game.side_titles, lost, strict=True)
        ]

    # ------------------------------------------------------------------ charts

    def tables(self) -> list[dict[str, Any]]:
        files, calendar = self.game.data.toml("tables.toml"), self.game.data.toml("calendar.toml")["turn"]
        crt, barrage, attacks = files["crt"], files["barrage"], files["barrage_roll"]["attacks"]
        results = [[cell.replace("+a", "A1*") for cell in row] for row in crt["rows"]]
        features = [[t["name"], t["movement"], t["movement"], "-", t["combat"]] for t in files["feature"]]
        return [
            chart("crt", "Combat Results Table (A1*: only when the Soviets attack)", ["German", *crt["german"]],
                  [["Soviet", *crt["soviet"]], *numbered(*results)], crt["provenance"]),
            chart("barrage", "Barrage", ["die", "city", "other", "attacks"],
                  numbered(*zip(barrage["city"], barrage["other"], attacks, strict=True)), barrage["provenance"]),
            chart("terrain", "Terrain Effects Chart", ["terrain", "infantry", "mech", "strategic", "combat"],
                  [*(terrain_row(line) for line in files["terrain"]), *features],
                  "reconstructed, but for what the rules themselves say of combat, rivers and zones"),
            chart("events", "Random Events", ["2d6", "event"], columns_of(files["event"], "roll", "text"), "rulebook"),
            chart("calendar", "Turn Track", ["turn", "dates", "frozen", "German", "Soviet"],
                  columns_of(calendar, "number", "dates", "frozen", "german", "soviet"), "reconstructed"),
        ]  # fmt: skip


def terrain_row(line: dict[str, Any]) -> list[str]:
    """A line of the Terrain Effects Chart; hexsides add to the hex."""
    plus = "+" if line["layer"] == "hexside" else ""
    costs = [f"{plus}{line[who]}" if line[who] else "no" for who in ("infantry", "mech")]
    combat = [f"{-line['shift']} left"] if "shift" in line else []
    combat += ["defence x2"] if line.get("doubles_defence") else []
    combat += ["attack halved"] if line.get("halves_attack") else []
    return [line["name"], *costs, line.get("strategic", "-"), ", ".join(combat) or line.get("combat", "-")]
