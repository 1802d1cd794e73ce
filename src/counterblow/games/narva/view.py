"""What players see: counters, tracks, boxes, the score, the charts; and the checks that fuzzing runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from counterblow.games.narva import movement, supply, victory
from counterblow.games.narva.components import GERMAN, SIDES, SOVIET
from counterblow.games.narva.defences import DIVISIONS
from counterblow.games.narva.position import AIR_BOXES, SUPPLY_WORDS
from counterblow.games.narva.reinforcements import AREAS
from counterblow.games.narva.stacking import crowded
from counterblow.games.narva.state import ABSENT, ATTACKED, ELIMINATED, FIGHTING, MOVED, WAITING, NarvaState, flow
from counterblow.kernel.flow import ask
from counterblow.kernel.state import NOWHERE
from counterblow.kernel.views import Standing, Views

if TYPE_CHECKING:
    from counterblow.games.narva.game import Narva

SYMBOLS = (
    ("HQ", "hq"), ("tank", "armor"), ("panzer bn", "armor"), ("panzergrenadier", "mechanized"), ("recon", "recon"),
    ("pioneer", "engineer"), ("assault gun", "antitank"), ("motorised", "motorized"), ("naval", "marine"),
    ("fortified", "fort"),
)  # fmt: skip
SIZES = (("regt", "III"), ("bde", "X"), ("company", "I"), ("Army HQ", "XXXX"), ("Corps HQ", "XXX"), ("HQ", "XX"))


class NarvaViews(Views["Narva"]):
    """2.1.3: nothing that fog of war hides from the viewer is told."""

    losses = tuple(f"lost_{side}" for side in SIDES)

    def turn_label(self, s: NarvaState) -> str:
        calendar = self.game.calendar
        return f"Turn {s.turn}: {calendar[min(s.turn, self.game.numbers['turns'])]['dates']}"

    def unit(self, s: NarvaState, unit: int, side: int | None) -> dict[str, Any]:
        """A hidden piece under a marker shows the marker (2.1.3b)."""
        shown = super().unit(s, unit, side)
        return {**shown, "marker": s.marker(s.at[unit])} if shown.get("hidden") and s.marker(s.at[unit]) else shown

    def counter(self, s: NarvaState, unit: int) -> dict[str, Any]:
        return counter(s, unit)

    def extra(self, s: NarvaState, side: int | None) -> dict[str, Any]:
        return extra(s, side)

    def standing(self, s: NarvaState, side: int | None) -> Standing:
        return victory.standing(s)

    def overlay(self, s: NarvaState, kind: str, side: int, unit: int | None, viewer: int | None) -> dict[str, Any]:
        """Supply lines, command ranges, a unit's normal movement. Under fog nothing that hangs on unseen enemies."""
        fogged = s.options["fog"]
        if kind == "zoc":
            return super().overlay(s, kind, side, unit, viewer)
        if kind == "supply" and not (fogged and viewer != side):
            traced = supply.LINES.trace(s, side)
            return {"hexes": {self.game.board.labels[n]: far - 1 for n, far in enumerate(traced) if far}}
        if kind == "command":
            return {"hexes": _command(s, side, viewer)}
        if (
            kind == "reach"
            and unit is not None
            and s.at[unit] >= 0
            and not (fogged and viewer != self.game.side_of[unit])
        ):
            return _reach(s.copy(), unit)
        return {"hexes": {}}

    def tables(self) -> list[dict[str, Any]]:
        return tables(self.game)


def _command(s: NarvaState, side: int, viewer: int | None) -> dict[str, int]:
    """How many HQs have a hex in range (4.2.4a)."""
    game = s.game
    count = [0] * game.board.hexes
    for unit in game.roster[side]:
        if game.units[unit].is_hq and s.at[unit] >= 0 and s.sees(viewer, unit):
            for node in game.within(s.at[unit], game.units[unit].range):
                count[node] += 1
    return {game.board.labels[node]: n for node, n in enumerate(count) if n}


def _reach(s: NarvaState, unit: int) -> dict[str, Any]:
    label = s.game.board.labels
    step = s.agenda[-1] if s.agenda else ()
    mode, points, kind = movement.FRESH, s.allowance(unit), movement.REGULAR
    if step[:2] == (movement.Leg, unit):
        mode, points, kind = step[2:5]
    if mode == movement.STRATEGIC:
        return {"hexes": {}}
    found = movement.normal_reach(s, unit, points, kind)
    least = movement.minimum_moves(s, unit, found, points, kind) if mode == movement.FRESH else []
    return {
        "hexes": {label[n]: found.cost_to(n) for n in found.nodes} | {label[n]: points for n in least},  # 6.1c
        "paths": {label[n]: [label[p] for p in found.path_to(n)] for n in found.nodes},
    }


# ---------------------------------------------------------------------- counters


def counter(s: NarvaState, unit: int) -> dict[str, Any]:
    """What a counter shows: written once for each way that it may lie there, for all who look."""
    lies = unit, s.step[unit], s.supply[unit], s.pin[unit], s.role[unit] & (MOVED | ATTACKED)
    found = s.game.faces.get(lies)
    if found is None:
        found = s.game.faces[lies] = face(s, unit)
    return found


def face(s: NarvaState, unit: int) -> dict[str, Any]:
    kind = s.game.units[unit]
    attack, defence, movement = s.strength(unit) if s.step[unit] else kind.strengths[-1]
    values = f"({kind.range})-{movement}" if kind.is_hq else f"{attack}-{defence}-{movement}"
    markers = [SUPPLY_WORDS[s.supply[unit]]] if s.supply[unit] else []
    states = (("pinned", s.pin[unit]), ("moved", s.role[unit] & MOVED), ("attacked", s.role[unit] & ATTACKED))
    return {
        "symbol": next((symbol for word, symbol in SYMBOLS if word in kind.type), "infantry"),
        "size": next((size for word, size in SIZES if word in kind.type), "II"),
        "values": values,
        "band": kind.formation or "independent",
        "steps": 0 if kind.is_hq else s.step[unit],
        "face": "full" if s.step[unit] == kind.steps else "reduced",
        "markers": [*markers, *(word for word, shown in states if shown)],
        "title": kind.name,
        "detail": ", ".join(filter(None, (kind.type, kind.command and f"command {kind.command}",
                                          "" if s.has_zone(unit) else "no ZOC"))),
    }  # fmt: skip


# ---------------------------------------------------------------------- tracks, boxes, cup, score


def extra(s: NarvaState, viewer: int | None) -> dict[str, Any]:
    game, labels = s.game, s.game.board.labels
    return {
        "tracks": tracks(s, viewer),
        "boxes": [*air_boxes(s), *waiting_boxes(s), *lost_boxes(s)],
        "cup": [
            {"chit": chit.name, "title": chit.title + (f" x{s.cup[n]}" if s.cup[n] > 1 else ""), "in_cup": s.cup[n]}
            for n, chit in enumerate(game.chits)
            if s.cup[n]
        ],
        "markers": defence_markers(s),
        "control": {labels[n]: SIDES[SOVIET if s.red & bit else GERMAN]
                    for n, bit in enumerate(game.victory_bits) if bit},
    }  # fmt: skip


def defence_markers(s: NarvaState) -> list[dict[str, Any]]:
    """The shift that each Prepared Defense hex gives now (11.3.2)."""
    labels, marks = s.game.board.labels, s.game.ground.pd
    return [
        {"at": labels[node], "kind": "fort", "text": f"{DIVISIONS[mark]} -{s.game.pd_boxes[s.pd[mark]]}"}
        for node, mark in enumerate(marks)
        if mark >= 0
    ]


def tracks(s: NarvaState, viewer: int | None) -> list[dict[str, Any]]:
    game = s.game
    weather = "frozen" if s.frozen else "open water"
    found: list[dict[str, Any]] = [
        {"id": "points", "title": "Soviet victory points", "value": victory.soviet_points(s)},
        {"id": "weather", "title": "Major rivers", "value": weather, "text": weather},
    ]
    for division, name in enumerate(DIVISIONS):
        down = s.pd[division]
        text = f"{down} down, shift {game.pd_boxes[down]}"
        track = {"title": f"{name} defences", "value": down, "max": len(game.pd_boxes) - 1, "text": text}
        found.append({"id": f"pd_{name}", **track})
    calendar = game.calendar[min(s.turn, game.numbers["turns"])]
    for side, word in enumerate(SIDES):
        hq = s.last[side]
        last = "none" if hq < 0 else game.unit_names[hq] if s.sees(viewer, hq) else "hidden"
        text = f"{s.used[side]} of {calendar[word]}, last HQ: {last}"
        track = {"title": f"{word.title()} activations", "value": s.used[side], "max": calendar[word], "text": text}
        found.append({"id": f"activations_{word}", **track})
    waiting = waiting_chits(s)
    if waiting:
        found.append({"id": "chits", "title": "Waiting chits", "value": len(waiting), "text": "; ".join(waiting)})
    return found


def waiting_chits(s: NarvaState) -> list[str]:
    """Chits on the turn track (2.5.3f, 2.5.5a, 2.5.7a) and beside the Soviet activations (2.5.6a)."""
    found = [f"{s.game.chits[chit].title}: turn {turn}" for chit, turn in s.parked]
    return found + (["2nd Shock Out of Supply: next 2nd Shock Army chit"] if s.waiting else [])


def air_boxes(s: NarvaState) -> list[dict[str, Any]]:
    boxes = []
    for number, word in enumerate(AIR_BOXES):
        units = [
            {"name": unit.name, "side": SIDES[unit.side], "symbol": "air", "values": f"+{unit.full}/+{unit.normal}"}
            for n, unit in enumerate(s.game.air)
            if s.air[n] == number
        ]
        boxes.append({"id": f"air_{word}", "title": f"Air units: {word}", "units": units})
    return boxes


def waiting_boxes(s: NarvaState) -> list[dict[str, Any]]:
    """Reinforcements on the turn track, by turn and entry."""
    groups: dict[tuple[int, int], list[dict[str, Any]]] = {}
    for unit in range(len(s.game.units)):
        if s.fate[unit] == WAITING and s.due[unit]:
            groups.setdefault((s.due[unit], s.door[unit]), []).append(off_map(s, unit))
    return [{"id": f"turn_{turn}_{AREAS[door]}", "title": f"Turn {turn}, entry {AREAS[door]}", "units": units}
            for (turn, door), units in sorted(groups.items())]  # fmt: skip


def lost_boxes(s: NarvaState) -> list[dict[str, Any]]:
    lost = [[off_map(s, unit) for unit in roster if s.fate[unit] == ELIMINATED] for roster in s.game.roster]
    return [
        {"id": f"lost_{word}", "title": f"{title} units eliminated", "units": units}
        for word, title, units in zip(SIDES, s.game.side_titles, lost, strict=True)
    ]


def off_map(s: NarvaState, unit: int) -> dict[str, Any]:
    kind = s.game.units[unit]
    return {"id": unit, "name": kind.name, "side": SIDES[kind.side], **counter(s, unit)}


# ---------------------------------------------------------------------- charts


def tables(game: Narva) -> list[dict[str, Any]]:
    files = game.data.toml("tables.toml")
    crt = files["crt"]
    return [
        {"id": "crt", "title": "Combat Results Table (A1*: only when the Soviets attack)",
         "columns": ["German", *crt["german"]],
         "rows": [["Soviet", *crt["soviet"]],
                  *([str(n), *(cell.replace("+a", "A1*") for cell in row)] for n, row in enumerate(crt["rows"], 1))],
         "provenance": crt["provenance"]},
        {"id": "barrage", "title": "Barrage", "columns": ["die", "city", "other", "attacks"],
         "rows": [[str(n + 1), files["barrage"]["city"][n], files["barrage"]["other"][n],
                   str(files["barrage_roll"]["attacks"][n])] for n in range(6)],
         "provenance": files["barrage"]["provenance"]},
        {"id": "terrain", "title": "Terrain Effects Chart",
         "columns": ["terrain", "infantry", "mech", "strategic", "combat"],
         "rows": [terrain_row(t) for t in files["terrain"]]
         + [[t["name"], t["movement"], t["movement"], "-", t["combat"]] for t in files["feature"]],
         "provenance": "reconstructed, but for what the rules themselves say of combat, rivers and zones"},
        {"id": "events", "title": "Random Events", "columns": ["2d6", "event"],
         "rows": [[str(e["roll"]), e["text"]] for e in files["event"]], "provenance": "rulebook"},
        {"id": "calendar", "title": "Turn Track", "columns": ["turn", "dates", "frozen", "German", "Soviet"],
         "rows": [[str(t["number"]), t["dates"], t["frozen"], str(t["german"]), str(t["soviet"])]
                  for t in game.data.toml("calendar.toml")["turn"]], "provenance": "reconstructed"},
    ]  # fmt: skip


def terrain_row(line: dict[str, Any]) -> list[str]:
    """A line of the Terrain Effects Chart; hexsides add to the hex."""
    plus = "+" if line["layer"] == "hexside" else ""
    costs = [f"{plus}{line[who]}" if line[who] else "no" for who in ("infantry", "mech")]
    combat = [f"{-line['shift']} left"] if "shift" in line else []
    combat += ["defence x2"] if line.get("doubles_defence") else []
    combat += ["attack halved"] if line.get("halves_attack") else []
    return [line["name"], *costs, line.get("strategic", "-"), ", ".join(combat) or line.get("combat", "-")]


# ---------------------------------------------------------------------- checks for fuzzing


def faults(s: NarvaState) -> list[str]:
    """What is wrong with a state, if anything."""
    return [*stack_faults(s), *unit_faults(s), *chit_faults(s)]


def stack_faults(s: NarvaState) -> list[str]:
    found, game = [], s.game
    names = steps_waiting(s)
    busy = {step[-4] for step, name in zip(s.agenda, names, strict=True) if name == "movement.Leg"}
    retreating = any(name.startswith("retreat.") for name in names)
    for node, stack in sorted(s.here.items()):
        label = game.board.labels[node]
        if len({game.side_of[unit] for unit in stack}) > 1:
            found.append(f"{label}: both sides stand there")
        if crowded(s, node) and not busy.intersection(stack) and not retreating:
            found.append(f"{label}: overstacked")
        for unit in stack:
            if not game.ground.open_to[game.classes[unit][1]][node]:
                found.append(f"{label}: {game.unit_names[unit]} may not be there")
    return found


def steps_waiting(s: NarvaState) -> list[str]:
    """The names of the steps on the agenda; of a choice that will be asked, the choice's."""
    names = flow.names
    return [names[step[1] if step[0] is ask else step[0]] for step in s.agenda]


def unit_faults(s: NarvaState) -> list[str]:
    found = []
    retreating = any(name.startswith("retreat.") for name in steps_waiting(s))
    for unit, name in enumerate(s.game.unit_names):
        on_map = s.at[unit] != NOWHERE
        if on_map and (s.fate[unit] != FIGHTING or not s.step[unit]):
            found.append(f"{name} is on the map but has no steps")
        if not on_map and s.fate[unit] == FIGHTING and not retreating:
            found.append(f"{name} fights nowhere")
        if s.step[unit] > s.game.units[unit].steps:
            found.append(f"{name} has too many steps")
    if any(not 0 <= box < len(s.game.pd_boxes) for box in s.pd):
        found.append("a Prepared Defense marker is off its track")
    if len(s.air) != len(s.game.air) or any(box > ABSENT for box in s.air):
        found.append("an air unit is in no box")
    return found


def chit_faults(s: NarvaState) -> list[str]:
    """Chits are neither lost nor made."""
    found = []
    for number, chit in enumerate(s.game.chits):
        parked = sum(1 for other, _ in s.parked if other == number)
        waits = s.waiting if chit.name == "OOS" else 0
        if s.cup[number] + s.drawn[number] + s.removed[number] + parked + waits > chit.count:
            found.append(f"too many {chit.title} chits")
    return found
