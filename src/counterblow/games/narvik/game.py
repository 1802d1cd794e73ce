"""Narvik 1940: the game as the kernel sees it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, ClassVar

from counterblow.games.narvik import (
    actions,
    evaluate,
    events,
    fog,
    movement,
    regroup,
    reinforcements,
    sequence,
    setup,
    strikes,
    victory,
)
from counterblow.games.narvik.components import ALLIED, BR, GERMAN, NATIONS, NW, SIDES, SUBS, Roster, Tables
from counterblow.games.narvik.engineers import pair
from counterblow.games.narvik.flow import flow
from counterblow.games.narvik.ground import FOOT, MECH, Ground
from counterblow.games.narvik.points import bonuses, objectives
from counterblow.games.narvik.state import NarvikState
from counterblow.kernel.actions import Action
from counterblow.kernel.errors import PositionError, unknown
from counterblow.kernel.game import Game, Option, Right, Scenario
from counterblow.kernel.graph import Costs
from counterblow.kernel.masks import bits
from counterblow.kernel.state import NOWHERE

CHAPTERS = (setup, victory, sequence, events, reinforcements, actions, strikes, regroup, fog)  # they fill the flow

SYMBOLS = {
    "leader": "leader", "mountain infantry": "mountain", "ski infantry": "ski", "infantry": "infantry",
    "anti-aircraft": "antiair", "engineer": "engineer", "marine infantry": "marine", "heavy weapons": "infantry",
    "mountain artillery": "artillery", "towed artillery": "artillery", "airborne infantry": "airborne",
    "airborne mountain infantry": "airborne", "airborne artillery": "airborne", "airborne engineer": "airborne",
    "anti-tank": "antitank", "signal": "hq", "tank": "armor", "railroad artillery": "train", "air": "air",
    "naval": "naval",
}  # fmt: skip
SIZES = {"battalion": "II", "wing": "II-", "company": "I", "battery": "I", "platoon": "...", "leader": "", "": ""}


class Narvik(Game):
    slug: ClassVar[str] = "narvik"
    version: ClassVar[str] = "3"
    title: ClassVar[str] = "Narvik 1940"
    summary: ClassVar[str] = (
        "April to June 1940 in the Arctic: the Allies land to throw Dietl's mountain troops out of Narvik. "
        "Alternating actions paid from action points, fire and close assault, fog of war."
    )
    length: ClassVar[str] = "8 turns, about 3 hours"
    complexity: ClassVar[str] = "medium"
    sides: ClassVar[tuple[str, str]] = SIDES
    side_titles: ClassVar[tuple[str, str]] = ("German", "Allied")
    scenarios: ClassVar[tuple[Scenario, ...]] = (
        Scenario(setup.STANDARD, "Narvik 1940, standard set-up", "Both sides start where our set-up puts them."),
        Scenario(setup.FREE, "Narvik 1940, free set-up", "Both sides place every unit themselves, the German first."),
    )
    option_list: ClassVar[tuple[Option, ...]] = (
        Option("fog", "Fog of war: enemy units are seen only when a rule reveals them", True, rules=("21.0.a",)),
        Option("second_wave", "German second wave: optional units at start", False, rules=("22.1.a",)),
        Option("second_division", "2nd Mountain Division when the relief column arrives", False, rules=("22.2.a",)),
        Option("british_options", "Gurkhas and Scissors Force can be bought", False, rules=("22.3.a",)),
        Option("marine_boats", "Royal Marines have boats", False, rules=("22.4.a",)),
        Option("engineers", "Engineer operations", False, rules=("23.1.a",)),
    )
    rights: ClassVar[tuple[Right, ...]] = (
        Right("capitulate", "Capitulate", "The game ends at once, and the enemy wins it.", ("5.2.a",)),
    )
    sentences: ClassVar[Mapping[str, str]] = {
        "set_up": "set up {unit}", "put": "put in {hex}", "standard": "use the standard set-up",
        "finish": "finish the set-up", "rally": "rally {unit}", "transfer": "transfer {unit}",
        "buy": "buy {unit}", "buy_none": "buy nothing", "formation": "call {formation}",
        "formation_none": "call no second formation", "station": "station in {hex}", "land": "land {unit} in {hex}",
        "enter": "enter {unit} in {hex}", "pass": "pass", "movement": "movement {sub}", "fire": "fire {sub}",
        "assault": "assault {sub}", "regroup": "regroup {sub}", "amphibious": "amphibious {sub}",
        "engineers": "engineers {sub}", "landing": "amphibious assault", "air": "air support",
        "naval": "naval support", "recon": "recon", "look": "look at {hex}", "done": "done",
        "rearrange": "rearrange stacks", "top": "top {unit}", "keep_order": "keep the order", "move": "move {unit}",
        "and": "and {unit}", "to": "to {hex}", "rail": "rail to {hex}", "ferry": "ferry to {hex}",
        "infiltrate": "infiltrate {hex}", "drop": "drop {unit}", "halt": "halt", "embark": "embark {unit}",
        "sail": "sail to {hex}", "escort": "escort {unit}", "escort_none": "no escort",
        "storm": "storm from {hex1} at {hex2}", "attack": "attack with {unit}", "at": "at {hex}", "hold": "hold",
        "end_assaults": "end the assaults", "counter": "counterattack with {unit}", "decline": "decline",
        "pursue": "pursue with {unit} to {hex}", "end_pursuit": "end the pursuit",
        "retreat": "retreat {unit} to {hex}", "strike": "strike with {unit}", "on": "on {hex}",
        "resolve": "resolve the strikes", "bomb": "bomb {hex}", "bomb_with": "bomb {hex} with {unit}",
        "return": "return {unit} in {hex}", "entrench": "entrench {unit}", "bridge": "bridge {unit} {hex}",
        "demolish": "demolish {unit}", "demolish_bridge": "demolish bridge {unit} {hex}", "repair": "repair {unit}",
        "keep_bridge": "keep the bridge", "remove_bridge": "remove the bridge", "capitulate": "{side} capitulates",
    }  # fmt: skip
    overlays: ClassVar[Mapping[str, str]] = {
        **Game.overlays,
        "control": "Control",
        "reach": "Reach",
        "fire": "Field of fire",
    }
    unit_overlays = ("reach", "fire")
    flow = flow
    state_class = NarvikState
    max_actions: ClassVar[int] = 60_000

    def __init__(self, data: Path | None = None) -> None:
        super().__init__(data)
        self.roster = Roster(self.data.toml("units.toml"), self.data.where("units.toml"))
        self.tables = Tables(self.data)
        self.ground = Ground(self.board, self.tables, max(self.roster.range), self.data.where("map.toml"))
        self.zones = (self.ground.zone_steps,)
        formations = tuple(formation.id for formation in self.roster.formations)
        self.name_units(self.roster.names, bytes(self.roster.side), sub=SUBS, formation=formations)
        self.allied_zones = {sub: self._allied_zone(sub) for sub in (BR, NW)}
        self.start_zone = {u: self._start_zone(u) for u in self.roster.ground}
        roster = self.roster
        self.unit_costs = [
            self.ground.costs(roster.side[u], MECH if roster.mech[u] else FOOT, roster.move[u]) for u in roster.ground
        ]
        self.to_node = [self.act["to"][node] for node in range(self.board.size)]
        self.recon_actions = [self.act["look"][node] for node in range(self.ground.hexes)]
        self._costs: dict[tuple[Any, ...], Costs] = {}
        self.yardstick = evaluate.Yardstick(self.ground, self.roster, self.tables.crt)

    def cached_costs(self, key: tuple[Any, ...], build: Callable[[], Costs]) -> Costs:
        """Movement costs with markers or queues, kept while they are likely to be asked for again."""
        found = self._costs.get(key)
        if found is None:
            if len(self._costs) > 500:
                self._costs.clear()
            found = self._costs[key] = build()
        return found

    def _allied_zone(self, sub: int) -> frozenset[int]:
        """3.2: a centre, the hexes next to it, and a staging area."""
        zones, word = self.tables.setup["zones"], setup.zone_of(sub)
        centre = self.board.node(zones[f"{word}_centre"])
        near = [n for n in (centre, *self.ground.around[centre]) if self.ground.land[n]]
        return frozenset((*near, self.board.node(zones[f"{word}_area"])))

    def _start_zone(self, unit: int) -> tuple[int, ...]:
        """3.1, 3.2: where a unit may be set up, stacking apart."""
        roster, ground = self.roster, self.ground
        if roster.side[unit] == ALLIED:
            return tuple(sorted(self.allied_zones.get(roster.sub[unit], frozenset())))
        zones = self.tables.setup["zones"]
        near = self.board.within(self.board.node(zones["german_centre"]), zones["german_radius"])
        return tuple(n for n in near if ground.land[n] and (not roster.gun[unit] or n in ground.railway))

    def set_up(self, state: NarvikState) -> None:
        setup.begin(state)

    # ------------------------------------------------------------------ what the kernel asks

    def exerts(self, state: NarvikState, unit: int) -> int:
        """10.0.a, 10.0.e, 10.0.b: every ground unit on the map, and no strike; see NarvikState._count."""
        return 1 if state.at[unit] < self.ground.hexes else 0

    def occupies(self, state: NarvikState, unit: int) -> bool:
        return state.at[unit] < self.ground.hexes

    def phase_of(self, state: NarvikState) -> str:
        names = [step[0] for step in state.agenda]
        for name, phase in PHASE_NAMES:
            if any(n == name or n.startswith(f"{name}.") for n in names):
                return phase
        return "End of turn"

    def turn_label(self, state: NarvikState) -> str:
        return f"Turn {state.turn}: {self.tables.turns[min(state.turn, len(self.tables.turns)) - 1]}"

    def evaluate(self, state: NarvikState, side: int) -> int:
        return evaluate.evaluate(state, side)

    def worth_trying(self, state: NarvikState, legal: list[Action]) -> list[Action]:
        return evaluate.worth_trying(state, legal)

    def redeal(self, state: NarvikState, side: int) -> None:
        fog.redeal(state, side)

    def check(self, state: NarvikState) -> list[str]:
        """9.0, 4.4: stacking, no mixed hexes, control, points within the track."""
        problems = []
        moving = any(step[0].startswith(("retreat", "move.go", "storm")) for step in state.agenda)
        for node in sorted(state.here):
            if node < self.ground.hexes and not moving:
                problems += self._check_stack(state, node)
        if not all(0 <= points <= self.tables.ap_max for points in state.ap):
            problems.append(f"action points {state.ap}")
        in_play = sum(1 for u in range(len(self.unit_names)) if state.at[u] != NOWHERE)
        listed = sum(len(units) for units in state.here.values())
        fresh = state.copy()
        fresh.recount_all()
        mixed = [n for n in state.here if state.loads[n] and fresh.nations[n] != state.nations[n]]
        if (fresh.occupied, fresh.loads) != (state.occupied, state.loads) or (mixed and not moving):
            problems.append("kept counts of stacks differ from fresh ones")
        if in_play != listed:
            problems.append(f"{in_play} units in play, {listed} in stacks")
        return problems

    def _check_stack(self, state: NarvikState, node: int) -> list[str]:
        units, label = state.here[node], self.board.labels[node]
        problems = []
        side = self.side_of[units[0]]
        if any(self.roster.units[u].is_strike for u in units):
            problems.append(f"a strike stands in {label}")
        if any(self.side_of[u] != side for u in units):
            problems.append(f"both sides in {label}")
        if len({self.roster.nation[u] for u in units}) > 1:
            problems.append(f"two nationalities in {label}")
        legal_overstack = side == GERMAN and node in self.ground.objectives
        if state.loads[node] > self.tables.stacking[side] and not legal_overstack:
            problems.append(f"too many units in {label}")
        if not self.ground.land[node]:
            problems.append(f"units at sea in {label}")
        placing = any(step[0].startswith(("setup", "land")) for step in state.agenda)
        if not placing and not state.controls(side, node):
            problems.append(f"{label} is not controlled by its occupant")
        return problems

    # ------------------------------------------------------------------ positions

    def phases(self) -> dict[str, Callable[[Any], None]]:
        def after(*steps: tuple[Any, ...]) -> Callable[[NarvikState], None]:
            return lambda s: s.queue(*steps, ("victory",), ("advance",))

        actions_phase = ("actions",)
        return {
            "german.action": after(("act.next", GERMAN)),
            "allied.action": after(("act.next", ALLIED)),
            "turn": lambda s: s.queue(("turn",)),
            "german.event": after(("event", GERMAN), ("event", ALLIED), ("initiative",), ("reinforce",), actions_phase),
            "allied.event": after(("event", ALLIED), ("initiative",), ("reinforce",), actions_phase),
            "initiative": after(("initiative",), ("reinforce",), actions_phase),
            "reinforcement": after(("reinforce",), actions_phase),
            "actions": after(actions_phase),
            "victory": after(),
        }

    def mark_position(self, state: NarvikState, more: dict[str, Any]) -> None:
        """What a position may name besides units: see the keys of POSITION_FIELDS."""
        fields = dict(more)
        for side in SIDES:
            points = dict(fields.get("ap", {})).get(side, 10)
            state.gain(SIDES.index(side), points)
        setup.initial_control(state)
        for node in sorted(state.here):
            if node < self.ground.hexes and (problems := self._check_stack(state, node)):
                raise PositionError(f"{self.slug}: " + "; ".join(problems))
        if any(self.roster.gun[u] for u in state.here.get(self.ground.transit, ())):
            raise PositionError(f"{self.slug}: the railway gun never stands in a staging area (19.2)")
        for name, value in fields.items():
            if name not in POSITION_FIELDS:
                raise PositionError(f"{self.slug}: " + unknown("position field", name, POSITION_FIELDS))
            POSITION_FIELDS[name](self, state, value)

    # ------------------------------------------------------------------ what players see

    def counter(self, state: NarvikState, unit: int) -> dict[str, Any]:
        u = self.roster.units[unit]
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
            "title": f"{u.id} ({u.formation})", "detail": ", ".join(detail), "nation": NATIONS[u.sub],
        }  # fmt: skip

    def overlay(self, state: NarvikState, kind: str, side: int, unit: int | None, viewer: int | None) -> dict[str, Any]:
        """Zones, control, and for a unit that the viewer sees its reach and its field of fire."""
        if kind == "control":
            names = ((n, GERMAN if state.controls(GERMAN, n) else ALLIED) for n in range(self.ground.hexes))
            return {"hexes": {self.board.labels[n]: SIDES[who] for n, who in names if self.ground.land[n]}}
        if kind in ("reach", "fire"):
            known = unit is not None and unit in self.roster.ground and state.sees(viewer, unit)
            if unit is None or not known or not 0 <= state.at[unit] < self.ground.hexes:
                return {"hexes": {}}
            return self._reach_overlay(state, unit) if kind == "reach" else self._fire_overlay(state, unit)
        # every unit has the same zone, and where enemies stand is no secret (10.0.e, 21.0.a)
        return {"hexes": {self.board.labels[n]: count for n, count in enumerate(state.zone[side]) if count}}

    def _reach_overlay(self, state: NarvikState, unit: int) -> dict[str, Any]:
        labels, graph = self.board.labels, self.board.graph
        found = movement.reach(state, self.side_of[unit], unit)
        return {
            "hexes": {labels[n]: graph.cost_to(n) / 2 for n in found},
            "paths": {labels[n]: [labels[m] for m in graph.path_to(n)] for n in found},
        }

    def _fire_overlay(self, state: NarvikState, unit: int) -> dict[str, Any]:
        here = state.at[unit]
        targets = bits(self.ground.fire_mask[self.roster.range[unit]][here])
        return {"hexes": {self.board.labels[n]: self.board.distance(here, n) for n in targets}}

    def unit_view(self, state: NarvikState, unit: int, side: int | None) -> dict[str, Any]:
        """21.0: the back of a hidden counter shows its flag and code (2.3.b); displays show nothing."""
        view = super().unit_view(state, unit, side)
        if view.get("hidden"):
            if state.at[unit] >= self.ground.hexes:
                return {}
            view["nation"] = NATIONS[self.roster.sub[unit]]
            view["code"] = self.roster.code[unit]
        return view

    def extra_view(self, state: NarvikState, side: int | None) -> dict[str, Any]:
        labels = self.board.labels
        tracks = [
            {"id": f"ap-{SIDES[n]}", "title": f"{self.side_titles[n]} action points", "value": state.ap[n],
             "max": self.tables.ap_max, "text": str(state.ap[n])} for n in (GERMAN, ALLIED)
        ]  # fmt: skip
        boxes = self.tables.relief_names
        tracks.append({"id": "relief", "title": "German relief column", "value": state.relief,
                       "max": len(boxes) - 1, "text": boxes[state.relief]})  # fmt: skip
        tracks.append({"id": "turn", "title": "Game turn", "value": state.turn, "max": len(self.tables.turns),
                       "text": self.turn_label(state)})  # fmt: skip
        markers = [{"at": labels[n], "kind": "entrenched", "text": f"entrenched ({SIDES[owner]})"}
                   for owner in (GERMAN, ALLIED) for n in bits(state.trenches[owner])]  # fmt: skip
        markers += [{"at": labels[n], "kind": "demolished", "text": "demolished"} for n in bits(state.demolished)]
        markers += [{"at": labels[a], "kind": "pontoon", "text": f"pontoon bridge to {labels[b]}"}
                    for a, b in state.pontoons]  # fmt: skip
        markers += [{"at": labels[n], "kind": "strike", "text": self.unit_names[u]} for u, n in state.placed]
        control = {labels[n]: SIDES[GERMAN if state.controls(GERMAN, n) else ALLIED]
                   for n in (*self.ground.objectives, *self.ground.ferries)}  # fmt: skip
        return {"tracks": tracks, "markers": markers, "control": control, "score": self._score(state, side),
                "initiative": SIDES[state.first], "passes": state.passes}  # fmt: skip

    def _score(self, state: NarvikState, side: int | None) -> list[dict[str, Any]]:
        held = objectives(state, ALLIED)
        score = [{"text": "objectives that the Allies occupy (all to win)", "value": held, "rule": "4.1.b"},
                 {"text": "objectives on the map", "value": len(self.ground.objectives), "rule": "4.1.b"}]  # fmt: skip
        if side is not None:
            score += [{"text": f"next turn's action points: {m.text}", "value": int(m.amount), "rule": m.rule}
                      for m in bonuses(state, side)]  # fmt: skip
        return score

    def tables_view(self) -> list[dict[str, Any]]:
        tables = self.tables
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


PHASE_NAMES = (
    ("setup", "Set-up"),
    ("act", "Actions"),
    ("actions", "Preparation"),
    ("victory", "End of turn"),
)


# ------------------------------------------------------------------ fields of a position


def _nothing(game: Narvik, s: NarvikState, value: Any) -> None:
    """Already read."""


def _relief(game: Narvik, s: NarvikState, value: str) -> None:
    if value not in game.tables.relief_names:
        raise PositionError("narvik: " + unknown("box of the relief column", value, game.tables.relief_names))
    s.relief = game.tables.relief_names.index(value)


def _initiative(game: Narvik, s: NarvikState, value: str) -> None:
    s.first = game.side_number(value)


def _control(game: Narvik, s: NarvikState, value: Mapping[str, str]) -> None:
    for label, side in value.items():
        s.take_control(game.side_number(side), game.node(label))


def _entrenched(game: Narvik, s: NarvikState, value: Mapping[str, str]) -> None:
    masks = [0, 0]
    for label, side in value.items():
        masks[game.side_number(side)] |= 1 << game.node(label)
    s.trenches = (masks[0], masks[1])


def _demolished(game: Narvik, s: NarvikState, value: list[str]) -> None:
    s.demolished = sum(1 << game.node(label) for label in value)


def _pontoons(game: Narvik, s: NarvikState, value: list[str]) -> None:
    pairs = [text.split("/") for text in value]
    s.pontoons = tuple(sorted(pair(game.node(a), game.node(b)) for a, b in pairs))
    for a, b in s.pontoons:
        if not game.ground.inlet(a, b):
            raise PositionError("narvik: a pontoon bridge crosses an inlet hexside")


def _transferred(game: Narvik, s: NarvikState, value: bool) -> None:
    s.transferred = bool(value)


POSITION_FIELDS: dict[str, Callable[[Narvik, NarvikState, Any], None]] = {
    "ap": _nothing, "relief": _relief, "initiative": _initiative, "control": _control, "entrenched": _entrenched,
    "demolished": _demolished, "pontoons": _pontoons, "transferred": _transferred,
}  # fmt: skip
