"""Across the Narva: the game as a whole - its data, its set-up (chapter 14), its phases, positions and views."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from counterblow.games.narva import chits, defences, reinforcements, retreat
from counterblow.games.narva.components import COMBAT, GERMAN, GUN, HQ, SIDES, SOVIET, Components, Feature, Level
from counterblow.games.narva.evaluate import NarvaJudge
from counterblow.games.narva.faults import all_faults
from counterblow.games.narva.position import NarvaPositions
from counterblow.games.narva.sequence import PHASES
from counterblow.games.narva.setup import set_up
from counterblow.games.narva.state import NarvaState, flow
from counterblow.games.narva.terrain import Ground
from counterblow.games.narva.view import NarvaViews
from counterblow.kernel.data import read, word
from counterblow.kernel.game import Game
from counterblow.kernel.sequence import rules_of

CHAPTERS = (chits, retreat)  # the steps that no other chapter imports


class Narva(Game):
    slug = "narva"
    flow = flow
    state_class = NarvaState
    positions_class = NarvaPositions
    views_class = NarvaViews
    judge_class = NarvaJudge
    phase_rules = rules_of(PHASES)
    version = "3"
    max_actions = 20_000

    def __init__(self, data: Path | None = None) -> None:
        super().__init__(data)
        parts = self.parts = Components(self.data, self.board)
        self.ground = Ground(self.board, parts)
        self.units, self.chits, self.air = parts.units, parts.chits, parts.air
        self.faces: dict[tuple[int, ...], dict[str, Any]] = {}  # what a counter shows as it lies there
        self.numbers, self.table, self.barrage = parts.numbers, parts.table, parts.barrage
        self.barrage_roll, self.events, self.calendar = parts.barrage_roll, parts.events, parts.calendar
        self.pd_boxes = parts.pd_boxes
        self.pd_repair, self.pd_replacement = parts.pd_repair, parts.pd_replacement
        frozen = ("last_frozen_turn", "last_frozen_turn_event_11")
        self.frozen_until = tuple([self.numbers[name] for name in frozen])
        self._tabulate_units()
        self._tabulate_map()
        self._read_victory()
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
            hq.number: tuple(u.number for u in units if u.formation == hq.formation and not u.is_hq)
            for hq in units
            if hq.is_hq
        }
        self.naval_brigade = self.parts.by_name["260MS"]
        self.strachwitz = self.parts.by_name["STRAC HQ"]
        self.chit_number = {chit.name: chit.number for chit in self.chits}
        limits = {COMBAT: "stacking_combat_units", HQ: "stacking_hqs", GUN: "stacking_soviet_assault_guns"}
        self.limits = tuple(self.numbers[limits[kind]] for kind in (COMBAT, HQ, GUN))

    def _tabulate_map(self) -> None:
        board = self.board
        self.graph, self.around = board.graph, board.around
        self.distance, self.within = board.distance, board.circle
        self.hexes = list(range(board.hexes))
        self.first_step = tuple(board.graph.first)
        self.nothing = bytes(board.size)
        self.adjacent = board.steps(lambda here, there: True)
        self.zones = tuple(season.zone for season in self.ground.frost)
        tags = ("german_source", "soviet_source")
        self.sources = tuple([tuple(sorted(board.tagged(tag))) for tag in tags])
        self.entries = tuple(tuple(sorted(board.tagged(f"entry_{area}"))) for area in ("A", "B", "C"))
        self.merekula = tuple(sorted(board.tagged("merekula")))
        self.side_beaches = tuple(sorted(board.tagged("merekula_beach")))
        self.narva_ground = self.ground.city | self.ground.bridgehead
        self.rollbahn_supply = tuple(sorted(board.tagged("rollbahn_a_narva") - self.ground.city))
        ferries = [step for step, is_ferry in enumerate(self.ground.ferries) if is_ferry]
        self.ferry_number: dict[int, int] = {}
        self.ferry_hexes: dict[int, tuple[int, ...]] = {}
        for step in ferries:
            here, there = board.step_pairs[step]
            back = board.step_of[there, here]
            self.ferry_number[step] = self.ferry_number.get(back, len(self.ferry_number))
            self.ferry_hexes[here] = (*self.ferry_hexes.get(here, ()), there)

        goals = self.ground.city | set(self.rollbahn_supply)
        self.goal_distance = tuple(min(self.distance(node, goal) for goal in goals) for node in range(board.hexes))

    def _read_victory(self) -> None:
        table, board, where = self.data.toml("victory.toml"), self.board, self.data.where("victory.toml")
        lines = [(e, board.nodes(e["hexes"]) if "hexes" in e else board.tagged(e["tag"])) for e in table["points"]]
        self.victory_bits = [0] * board.size
        for number, node in enumerate(
            sorted({n for entry, hexes in lines if entry["held"] == "control" for n in hexes})
        ):
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
        set_up(s)

    def exerts(self, s: NarvaState, unit: int) -> int:
        """5.2b: whoever shows an attack strength, but no HQ and no assault gun (5.2a); supply is not asked (5.5.1)."""
        return 1 + s.frozen if self.zone_steps[unit][s.step[unit]] else 0

    def occupies(self, s: NarvaState, unit: int) -> bool:
        """Combat units bar their hex to enemies; a lone HQ does not (6.3.2b)."""
        return self.kinds[unit] != HQ

    def check(self, s: NarvaState) -> list[str]:
        return [*super().check(s), *all_faults(s)]
