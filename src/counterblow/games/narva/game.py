"""Across the Narva: the game as a whole - its data, its set-up (chapter 14), its phases, positions and views."""

from __future__ import annotations

from pathlib import Path

from counterblow.games.narva import air, chits, components, defences, reinforcements, retreat
from counterblow.games.narva.components import GERMAN, HQ, SIDES, SOVIET, Feature, Level
from counterblow.games.narva.evaluate import NarvaJudge
from counterblow.games.narva.position import NarvaPositions
from counterblow.games.narva.sequence import PHASES, turn_begin
from counterblow.games.narva.stacking import surplus
from counterblow.games.narva.state import ABSENT, FIGHTING, NarvaState, flow
from counterblow.games.narva.terrain import Ground
from counterblow.games.narva.view import NarvaViews
from counterblow.kernel.data import read, word
from counterblow.kernel.flow import ask
from counterblow.kernel.game import Game, faults
from counterblow.kernel.odds import ResultTable
from counterblow.kernel.sequence import rules_of
from counterblow.kernel.state import NOWHERE

CHAPTERS = (chits, retreat)  # the steps that no other chapter imports


class Narva(Game):
    slug = "narva"
    flow = flow
    state_class = NarvaState
    positions_class = NarvaPositions
    views_class = NarvaViews
    judge_class = NarvaJudge
    phase_rules = rules_of(PHASES)
    version = "4"
    max_actions = 20_000

    def __init__(self, data: Path | None = None) -> None:
        super().__init__(data)
        self._read_tables()
        self._read_counters()
        self.ground = Ground(self.board, self.terrain, self.numbers)
        self._tabulate_units()
        self._tabulate_map()
        self._read_victory()

    def _read_tables(self) -> None:
        tables, where = self.data.toml("tables.toml"), self.data.where("tables.toml")
        self.numbers: dict[str, int] = {k: v for k, v in tables["numbers"].items() if isinstance(v, int)}
        frozen = ("last_frozen_turn", "last_frozen_turn_event_11")
        self.frozen_until = tuple([self.numbers[name] for name in frozen])
        limits = ("stacking_combat_units", "stacking_hqs", "stacking_soviet_assault_guns")  # as kinds are numbered
        self.limits = tuple([self.numbers[name] for name in limits])
        self.terrain = {entry["name"]: components.read_terrain(entry, where) for entry in tables["terrain"]}
        self.table = components.CombatTable(tables["crt"], where)
        barrage, columns = tables["barrage"], ("city", "other")
        rows = zip(*[barrage[column] for column in columns], strict=True)
        self.barrage = ResultTable(columns, tuple(rows), barrage["provenance"])
        self.barrage_roll: tuple[int, ...] = tuple(tables["barrage_roll"]["attacks"])
        self.events = {entry["roll"]: components.read_event(entry, where) for entry in tables["event"]}
        self.pd_boxes: tuple[int, ...] = tuple(tables["prepared_defences"]["boxes"])
        self.pd_repair = int(tables["prepared_defences"]["turn_advance_boxes_up"])
        self.pd_replacement = int(tables["prepared_defences"]["replacement_point_boxes_up"])
        self.calendar = {entry["number"]: entry for entry in self.data.toml("calendar.toml")["turn"]}

    def _read_counters(self) -> None:
        table, where = self.data.toml("units.toml"), self.data.where("units.toml")
        self.units = components.read_units(table, self.board, where)
        self.air = tuple(components.read_air_unit(entry, where) for entry in table["air"])
        entries, where = enumerate(self.data.toml("chits.toml")["chit"]), self.data.where("chits.toml")
        self.chits = tuple(components.read_chit(number, entry, self.units, where) for number, entry in entries)
        formations = tuple(dict.fromkeys(u.formation for u in self.units if u.formation))
        self.formation_units = tuple(
            tuple(u.number for u in self.units if u.formation == name and u.headquarters != "army")
            for name in formations
        )
        self.name_units(
            tuple(u.name for u in self.units), bytes(u.side for u in self.units), air=tuple(a.name for a in self.air),
            formation=formations, division=defences.DIVISIONS, area=reinforcements.AREAS,
        )  # fmt: skip

    def _tabulate_units(self) -> None:
        units = self.units
        self.strengths = tuple(u.strengths for u in units)
        self.sums = tuple(tuple(attack + defence for attack, defence, _ in u.strengths) for u in units)
        self.zone_steps = tuple(u.zones for u in units)
        self.kinds = bytes(u.kind for u in units)
        self.classes = tuple((u.mech, u.access) for u in units)
        self.roster = tuple(tuple(u.number for u in units if u.side == side) for side in (GERMAN, SOVIET))
        self.fighting = tuple(tuple(u for u in names if self.kinds[u] != HQ) for names in self.roster)
        self.hq_roster = tuple(tuple(u for u in names if self.kinds[u] == HQ) for names in self.roster)
        self.arriving = tuple(tuple(u for u in names if units[u].turn) for names in self.roster)
        self.corps_hqs = tuple(u.number for u in units if u.headquarters == "corps")
        self.army_hqs = tuple(u.number for u in units if u.headquarters == "army")
        self.members = {
            hq.number: tuple(u.number for u in units if u.formation == hq.formation and not u.headquarters)
            for hq in units
            if hq.headquarters
        }
        self.naval_brigade, self.strachwitz = self.unit("260MS"), self.unit("STRAC HQ")
        self.chit_number = {chit.name: chit.number for chit in self.chits}

    def _tabulate_map(self) -> None:
        board = self.board
        self.graph, self.around = board.graph, board.around
        self.distance, self.within = board.distance, board.circle
        self.hexes = list(range(board.hexes))
        self.first_step = tuple(board.graph.first)
        self.nothing = bytes(board.size)
        self.adjacent = board.steps(lambda here, there: True)
        self.zones = tuple(season.zone for season in self.ground.frost)
        self.sources = tuple([tuple(sorted(board.tagged(f"{side}_source"))) for side in SIDES])
        self.entries = tuple(tuple(sorted(board.tagged(f"entry_{area}"))) for area in ("A", "B", "C"))
        self.merekula = tuple(sorted(board.tagged("merekula")))
        self.side_beaches = tuple(sorted(board.tagged("merekula_beach")))
        self.narva_ground = self.ground.city | self.ground.bridgehead
        self.rollbahn_supply = tuple(sorted(board.tagged("rollbahn_a_narva") - self.ground.city))
        self.ferry_number: dict[int, int] = {}
        self.ferry_hexes: dict[int, tuple[int, ...]] = {}
        for here, there in board.step_pairs:
            if board.crosses(here, there, "ferry"):
                number = self.ferry_number.get(board.step_of[there, here], len(self.ferry_number))
                self.ferry_number[board.step_of[here, there]] = number
                self.ferry_hexes[here] = (*self.ferry_hexes.get(here, ()), there)
        goals = self.ground.city | set(self.rollbahn_supply)
        self.goal_distance = tuple(min(self.distance(node, goal) for goal in goals) for node in range(board.hexes))

    def _read_victory(self) -> None:
        table, board, where = self.data.toml("victory.toml"), self.board, self.data.where("victory.toml")
        lines = [(e, board.nodes(e["hexes"]) if "hexes" in e else board.tagged(e["tag"])) for e in table["points"]]
        self.victory_bits = [0] * board.size
        controlled = {node for entry, hexes in lines if entry["held"] == "control" for node in hexes}
        for number, node in enumerate(sorted(controlled)):
            self.victory_bits[node] = 1 << number
        self.features = tuple(
            read(Feature, entry, where, nodes=tuple(sorted(hexes)), mask=sum(self.victory_bits[n] for n in hexes))
            for entry, hexes in lines
        )
        levels = [read(Level, entry, where, winner=word(entry, "winner", SIDES, where)) for entry in table["level"]]
        self.levels = tuple(sorted(levels, key=lambda level: -level.least))
        self.sudden_death = board.nodes(table["sudden_death"]["hexes"])

    # ------------------------------------------------------------------ what the kernel asks

    def set_up(self, s: NarvaState) -> None:
        """14.0a: units in their hexes; 2.1.4a, 14.0b: reinforcements on the turn track; 2.1.4d: chits in the cup.

        2.1.4c: the Prepared Defense markers stand in their first boxes, as a blank state has them.
        """
        s.turn = 1
        air.station(s)
        for unit in self.units:
            if unit.hex:
                s.bring(unit.number, self.board.node(unit.hex), 1 if unit.reduced else unit.steps)
        s.due = tuple([0 if unit.hex else unit.turn for unit in self.units])
        s.door = tuple([0 if unit.hex else reinforcements.AREAS.index(unit.entry) for unit in self.units])
        for number, chit in enumerate(self.chits):
            s.cup[number] = 0 if chit.enters else chit.count
        s.push(turn_begin)

    def exerts(self, s: NarvaState, unit: int) -> int:
        """5.2b: whoever shows an attack strength, but no HQ and no assault gun (5.2a); supply is not asked (5.5.1)."""
        return 1 + s.frozen if self.zone_steps[unit][s.step[unit]] else 0

    def occupies(self, s: NarvaState, unit: int) -> bool:
        """Combat units bar their hex to enemies; a lone HQ does not (6.3.2b)."""
        return self.kinds[unit] != HQ

    def check(self, s: NarvaState) -> list[str]:
        """Who stands, fights or lies where no rule allows it."""
        names = [flow.names[step[1] if step[0] is ask else step[0]] for step in s.agenda]
        busy = {step[-4] for step, name in zip(s.agenda, names, strict=True) if name == "movement.Leg"}
        retreating = any(name.startswith("retreat.") for name in names)
        boxless = len(s.air) != len(self.air) or any(box > ABSENT for box in bytes(s.air))
        return [
            *super().check(s),
            *self._stack_faults(s, busy, retreating),
            *self._unit_faults(s, retreating),
            *self._chit_faults(s),
            *faults(
                (any(not 0 <= box < len(self.pd_boxes) for box in s.pd), "a Prepared Defense marker is off its track"),
                (boxless, "an air unit is in no box"),
            ),
        ]

    def _stack_faults(self, s: NarvaState, busy: set[int], retreating: bool) -> list[str]:
        found = []
        for node, stack in sorted(s.here.items()):
            label = self.board.labels[node]
            full = surplus(s, node, stack) and not busy.intersection(stack) and not retreating
            strangers = [u for u in stack if not self.ground.open_to[self.classes[u][1]][node]]
            found += faults(
                (len({self.side_of[unit] for unit in stack}) > 1, f"{label}: both sides stand there"),
                (full, f"{label}: overstacked"),
                (strangers, f"{label}: {[self.unit_names[unit] for unit in strangers]} may not be there"),
            )
        return found

    def _unit_faults(self, s: NarvaState, retreating: bool) -> list[str]:
        found = []
        for unit, name in enumerate(self.unit_names):
            on_map, fights = s.at[unit] != NOWHERE, s.fate[unit] == FIGHTING
            found += faults(
                (on_map and not (fights and s.step[unit]), f"{name} is on the map but has no steps"),
                (fights and not on_map and not retreating, f"{name} fights nowhere"),
                (s.step[unit] > self.units[unit].steps, f"{name} has too many steps"),
            )
        return found

    def _chit_faults(self, s: NarvaState) -> list[str]:
        """Chits are neither lost nor made."""
        found = []
        for number, chit in enumerate(self.chits):
            parked = [other for other, _ in s.parked].count(number) + (s.waiting if chit.name == "OOS" else 0)
            many = s.cup[number] + s.drawn[number] + s.removed[number] + parked > chit.count
            found += faults((many, f"too many {chit.title} chits"))
        return found
