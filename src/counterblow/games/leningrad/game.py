"""Leningrad 1941: Army Group North's drive from Pskov to Leningrad and Tichvin.

The chapters of the rules and their modules: 1 sequence, 2 combat, 3 results, 4 retreat, 5 advance, 6 stacking,
7 movement and rail, 8 zones, 9 terrain, 10 reinforcements, 11 air, 12 supply, 13 fleet (trains: rail), 14 victory,
15 setup.
"""

from __future__ import annotations

from pathlib import Path

from counterblow.games.leningrad import sequence, zones
from counterblow.games.leningrad.components import GERMAN, RUSSIAN, Calendar, Counters, Ground, Tables
from counterblow.games.leningrad.evaluate import LeningradJudge
from counterblow.games.leningrad.position import LeningradPositions
from counterblow.games.leningrad.state import LeningradState, flow
from counterblow.games.leningrad.view import LeningradViews
from counterblow.kernel.board import Board
from counterblow.kernel.game import Game, faults
from counterblow.kernel.graph import Costs, Steps
from counterblow.kernel.masks import mask_of
from counterblow.kernel.sequence import rules_of, steps_from
from counterblow.kernel.state import NOWHERE


class Leningrad(Game):
    slug = "leningrad"
    version = "3"
    flow = flow
    state_class = LeningradState
    positions_class = LeningradPositions
    views_class = LeningradViews
    judge_class = LeningradJudge
    phase_rules = rules_of((*sequence.SETUP, *sequence.PHASES))
    max_actions = 20_000

    def __init__(self, data: Path | None = None) -> None:
        super().__init__(data)
        board = self.board
        self.counters = Counters(self.data, board)
        self.calendar = Calendar(self.data)
        self.tables = Tables(self.data)
        self.name_units(self.counters.names, self.counters.side)
        self.everybody = tuple(mask_of(u for u, side in enumerate(self.side_of) if side == s) for s in (0, 1))
        self.infantry_armies = tuple(
            self.counters.armies & self.counters.line_infantry & mask for mask in self.everybody
        )
        self.loses_zone = self.counters.corps & self.everybody[RUSSIAN]  # 3.24
        self.infantry_with_zones = self.counters.line_infantry  # 8.9
        self.panzers_with_zones = self.counters.panzers & self.counters.diggers  # only under a switch, ruling D17
        self._read_places(board)
        self._read_edges(board)
        self._read_lines(board)
        self._read_rail(board)
        self.grounds = tuple(Ground(board, frozen) for frozen in self.calendar.stages)
        self.zones = tuple(ground.open for ground in self.grounds)
        self.march = tuple(self._costs(ground) for ground in self.grounds)

    # ------------------------------------------------------------------ the map in the words of the rules

    def _read_places(self, board: Board) -> None:
        self.leningrad = (*board.place("Leningrad North").nodes, *board.place("Leningrad South").nodes)
        self.leningrad_index = {node: index for index, node in enumerate(self.leningrad)}
        (self.factory,) = board.tagged("kirov_factory")
        self.kronshtadt, self.narva, self.tichvin, self.valdai = (
            board.place(name).nodes[0] for name in ("Kronshtadt", "Narva", "Tichvin", "Valdai")
        )
        self.places = tuple(sorted(node for place in board.places for node in place.nodes))
        self.city = board.mask(node for place in board.places if place.kind == "city" for node in place.nodes)
        self.coast = tuple(sorted(board.tagged("coast")))
        self.coast_east = tuple(sorted(board.tagged("coast_east_of_narva")))
        self.west_nodes = tuple(sorted(board.tagged("west_of_narva")))
        self.west = board.mask(self.west_nodes)
        most = 9  # hexes: the march of a mobile unit along a road without its bonus
        self.near_west = board.mask(n for west in self.west_nodes for n in board.within(west, most))
        reach = self.tables.numbers["air_range"]
        self.within_air_range = tuple(board.circle(node, reach) for node in range(board.hexes))
        self.places_in_air_range = tuple(
            tuple(place for place in self.places if place in near) for near in self.within_air_range
        )

    def _read_edges(self, board: Board) -> None:
        self.south_edge = tuple(sorted(board.tagged("south_edge")))
        russian = sorted(board.tagged("east_edge") | board.tagged("south_edge"))
        german = sorted(board.tagged("road_exit_south") | board.tagged("road_exit_west"))
        self.supply_edges: tuple[tuple[int, ...], ...] = (tuple(german), tuple(russian))
        self.delayed_entry = board.nodes(self.tables.delayed_entry)
        self.keyed = board.mask({*self.places, *russian, *board.tagged("west_edge")})
        control = bytearray([RUSSIAN]) * board.size
        for node in board.nodes(self.tables.german_edge):
            control[node] = GERMAN
        self.control_at_start = bytes(control)
        self.supply_range = self.tables.numbers["supply_range"]

    def _read_lines(self, board: Board) -> None:
        self.rivers = frozenset(pair for line in board.side_lines if line.kind == "river" for pair in line.pairs)
        self.line_pairs = frozenset(
            pair for line in board.side_lines if line.kind == "defence_line" for pair in line.pairs
        )
        self.behind_some_line = board.mask(inside for inside, _ in self.line_pairs)

        def road(here: int, there: int) -> bool:
            return board.linked(here, there, "road")

        def road_or_rail(here: int, there: int) -> bool:
            return road(here, there) or board.linked(here, there, "rail")  # 12.2

        self.networks: tuple[Steps, ...] = (board.steps(road), board.steps(road_or_rail))

    def _costs(self, ground: Ground) -> tuple[tuple[Costs, Costs], ...]:
        """Per unit: movement costs with the west bank of the Narva open, and as the unit finds it at first."""
        found = []
        for unit in range(len(self.unit_names)):
            armour, mobile = (mask >> unit & 1 for mask in (self.counters.armour, self.counters.mobile))
            costs = ground.armour if armour else ground.marine if mobile else ground.foot
            found.append((costs[0], costs[self.side_of[unit]]))
        return tuple(found)

    def _read_rail(self, board: Board) -> None:
        def rail_step(here: int, there: int) -> bool:
            return board.linked(here, there, "rail") and not self.west[there]  # 7.16

        self.rail_nodes = tuple(sorted(board.along("rail")))
        self.rail_steps = board.steps(rail_step)
        self.rail_costs = Costs(
            board.costs(lambda here, there: 0 if rail_step(here, there) else None), stop=1, between=2
        )
        self.rail_around = board.neighbours(rail_step)
        self.rail_exits = tuple(sorted(board.tagged("rail_exit_east") | board.tagged("rail_exit_south")))

    # ------------------------------------------------------------------ what the kernel asks

    def exerts(self, state: LeningradState, unit: int) -> int:
        return 1 + state.frozen if zones.exerts(state, unit) else 0

    def occupies(self, state: LeningradState, unit: int) -> bool:
        """Rulings D43, D58: neither a train nor the fleet bars a hex."""
        return self.counters.factor[unit] > 0

    def set_up(self, state: LeningradState) -> None:
        state.waiting = mask_of(u for u, turn in enumerate(self.counters.turn) if turn)
        state.queue(*steps_from(sequence.SETUP))

    def check(self, state: LeningradState) -> list[str]:
        """Units twice or nowhere, places held by who is not there, trenches of the Disrupted."""
        s, counters, labels, found = state, self.counters, self.board.labels, super().check(state)
        for unit, node in enumerate(s.at):
            places = [node != NOWHERE, *(mask >> unit & 1 for mask in (s.waiting, s.lost, s.gone))]
            lost = s.turn and counters.type[unit] != "air" and sum(places) != 1
            found += faults((lost, f"{self.unit_names[unit]} is in {sum(places)} places"))
        for node in sorted(s.here):
            sides = {self.side_of[unit] for unit in s.here[node] if counters.factor[unit]}
            foreign = sides and self.keyed[node] and s.control[node] not in sides
            found += faults((foreign, f"{labels[node]} is occupied and held by the other side"))
        return found + faults((s.disrupted & s.entrenched, "a Disrupted unit is entrenched"))
