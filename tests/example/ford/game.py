"""The Ford: Blue has six days to cross the river and take Arnau."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from counterblow.kernel.data import need, read, word
from counterblow.kernel.game import Game, faults
from counterblow.kernel.graph import Costs
from counterblow.kernel.odds import OddsLine, ResultTable
from counterblow.kernel.sequence import rules_of, steps_from
from tests.example.ford.evaluate import FordJudge
from tests.example.ford.position import FordPositions
from tests.example.ford.sequence import PHASES
from tests.example.ford.state import FordState, flow
from tests.example.ford.view import FordViews


class Unit(NamedTuple):
    """A row of units.toml."""

    name: str
    side: int
    strength: int
    movement: int
    at: str


class Ford(Game):
    slug = "ford"
    flow = flow
    state_class = FordState
    positions_class = FordPositions
    views_class = FordViews
    judge_class = FordJudge
    phase_rules = rules_of(PHASES)

    def __init__(self, data: Path | None = None) -> None:
        super().__init__(data)
        board, tables, where = self.board, self.data.toml("tables.toml"), self.data.where("tables.toml")
        self.turns: int = need(tables, "turns", int, where)
        self.stacking: int = need(tables, "stacking", int, where)
        self.results = ResultTable.read(need(tables, "combat", dict, where), where)
        self.odds = OddsLine(self.results.columns)
        rows, where = self.data.toml("units.toml")["unit"], self.data.where("units.toml")
        units = [read(Unit, row, where, side=word(row, "side", self.sides, where)) for row in rows]
        self.name_units(tuple(u.name for u in units), bytes(u.side for u in units))
        self.strength = tuple(u.strength for u in units)
        self.movement = tuple(u.movement for u in units)
        self.start_hexes = board.nodes(u.at for u in units)
        self.land = board.steps(lambda a, b: board.terrain[b] != "lake")
        self.zones = (board.steps(lambda a, b: board.terrain[b] != "lake" and self.dry(a, b)),)  # 2.4
        self.costs = Costs(board.costs(self.price), stop=1)
        self.town = board.place("Arnau").nodes[0]
        self.depots = tuple(min(board.tagged(f"depot_{side}")) for side in self.sides)

    def dry(self, here: int, there: int) -> bool:
        """No river, or a road over it."""
        return not self.board.crosses(here, there, "river") or self.board.linked(here, there, "road")

    def price(self, here: int, there: int) -> int | None:
        """2.2."""
        if self.board.terrain[there] == "lake":
            return None
        if self.board.linked(here, there, "road"):
            return 1
        return (2 if self.board.terrain[there] == "woods" else 1) + (not self.dry(here, there))

    def exerts(self, state: FordState, unit: int) -> int:
        return 1

    def set_up(self, state: FordState) -> None:
        for unit, node in enumerate(self.start_hexes):
            state.put(unit, node)
        state.turn = 1
        state.queue(*steps_from(PHASES))

    def check(self, state: FordState) -> list[str]:
        labels, stacks = self.board.labels, sorted(state.here.items())
        crowded = faults(*((len(units) > self.stacking, f"{labels[node]}: too many units") for node, units in stacks))
        return [*super().check(state), *crowded]
