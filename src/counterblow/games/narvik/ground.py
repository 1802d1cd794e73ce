"""The ground: terrain costs (12.3), hexsides (10.0, 14.4), water (12.5, 13.1) and lines of fire (14.2), tabulated."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from counterblow.games.narvik.components import ALLIED, GERMAN, Tables
from counterblow.kernel.board import Board
from counterblow.kernel.errors import DataError
from counterblow.kernel.graph import Costs, Steps
from counterblow.kernel.hexes import Axial, axial_distance

BOXES = ("Regroup", "Eliminated", "Pool", "Strikes", "Arrivals")  # a display of each side
FOOT, MECH, BOATS = 0, 1, 2  # mobility: non-mechanised, mechanised (2.3.7.a), marines with boats (22.4)


def leaving_cost(move: int) -> int:
    """10.1.b: half the printed movement factor, rounded up, in half points."""
    return 2 * ((move + 1) // 2)


def with_zones(cost: Sequence[int], leave: int) -> Costs:
    """10.1.a, 10.1.b, 10.1.c: a unit stops in a zone, pays to leave it, never goes from one straight to another."""
    return Costs(cost, leave=leave, stop=1, between=1)


class Ground:
    """What the map means to the rules. Immutable once built."""

    def __init__(self, board: Board, tables: Tables, longest_range: int, where: str) -> None:
        self.board = board
        self.tables = tables
        for word in set(board.terrain[: board.hexes]) - set(tables.terrain):
            raise DataError(f'{where}: terrain "{word}" is not in the terrain effects chart (tables.toml)')
        self.hexes = board.hexes
        self.around = tuple(tuple(n for n in near if n < self.hexes) for near in board.around)
        self.land = tuple(
            node < self.hexes and board.terrain[node] not in ("sea", "sweden") for node in range(board.size)
        )
        self._read_places()
        self._read_areas()
        rows = [tables.terrain.get(word, {"fire": 0, "assault": 0}) for word in board.terrain]
        self.fire_shift, self.assault_shift = [tuple(int(row[key]) for row in rows) for key in ("fire", "assault")]
        # 14.2.f, 14.4.c: neighbours that can be assaulted; 10.0.c: where zones reach
        self.assaultable = tuple(
            tuple(n for n in self.around[a] if self.land[a] and self.land[n] and not self.sea_side(a, n))
            for a in range(board.size)
        )
        self.assault_mask = tuple(sum(1 << n for n in near) for near in self.assaultable)
        self.zone_steps: Steps = board.steps(lambda a, b: b < self.hexes and b in self.assaultable[a])
        # 14.2.e: hexes with a neighbour across an all-sea hexside, where zones do not show that enemies are near
        sides = [(a, n) for a in range(self.hexes) for n in self.around[a] if self.land[a] and self.land[n]]
        self.fires_over_sea = frozenset(a for a, n in sides if self.sea_side(a, n))
        # where a unit can do nothing but march, unless enemies are next to it: no port, no sea to fire over
        self.quiet = tuple(
            bytes(n < self.hexes and n not in self.fires_over_sea and not (side == ALLIED and n in self.ports)
                  for n in range(board.size))
            for side in (GERMAN, ALLIED)
        )  # fmt: skip
        self._costs: dict[tuple[int, int, int], Costs] = {}
        self._price = {
            (side, mobility): board.costs(partial(self.price, side, mobility))
            for side in (GERMAN, ALLIED)
            for mobility in (FOOT, MECH, BOATS)
        }
        graph = board.graph
        self.dearest = {
            key: tuple(max(price[graph.first[n] : graph.first[n + 1]], default=0) for n in range(board.size))
            for key, price in self._price.items()
        }  # the most that any single step out of a node costs
        self.dearest_of_all = max(max(table) for table in self.dearest.values())
        # may a unit of this mobility stand in the hex at all (13.1.j)?
        self.lands = tuple(
            bytes(n < self.hexes and self.land[n] and self.terrain_halves(m, n) is not None for n in range(board.size))
            for m in (FOOT, MECH, BOATS)
        )
        self.beaches = tuple([n for n in self.port_list if lands[n]] for lands in self.lands)  # to land in
        self.fire_mask = lines_of_fire(board, self.land, self.peaks, longest_range)

    def _read_places(self) -> None:
        board = self.board
        self.objectives = tuple(sorted(board.of_terrain("objective")))
        self.peaks = board.of_terrain("peak")
        self.numbered = tuple(sorted(board.tagged("numbered_peak")))
        self.coast = board.tagged("coast")
        self.ports = self._ports()
        self.port_list = tuple(sorted(self.ports))
        self.ferries = tuple(sorted(board.tagged("ferry_terminal")))
        self.german_ferries = tuple(sorted(board.tagged("german_ferry")))
        self.rail_terminals = tuple(sorted(board.tagged("rail_terminal")))
        self.south_edge = tuple(sorted(board.tagged("south_edge")))
        self.rail = tuple(
            tuple(n for n in self.around[a] if self.land[n] and board.linked(a, n, "rail")) for a in range(self.hexes)
        )
        self.railway = frozenset(a for a in range(self.hexes) if self.rail[a] and self.land[a])
        rails = board.costs(lambda a, b: 0 if a in self.railway and b in self.rail[a] else None)
        self.rail_costs = with_zones(rails, 0)
        self.rugged = board.mask(board.of_terrain("peak", "rough"))  # 19.1: where skis infiltrate
        self.landing = tuple(
            n for n in range(self.hexes) if self.land[n] and self.tables.terrain[board.terrain[n]]["landing"]
        )
        self.coast_mask = sum(1 << n for n in self.coast)
        # 13.2.b: coastal hexes next to an all-sea hex, with the sea hexes to assault them from
        self.sea_approaches = {
            n: tuple(a for a in self.around[n] if board.terrain[a] == "sea") for n in sorted(self.coast)
        }

    def _ports(self) -> frozenset[int]:
        """13.1.b, 13.1.g: coastal hexes with a sea path from the rim of the map that crosses no inlet."""
        board, sea = self.board, self.board.of_terrain("sea")
        water = sea | self.coast
        ways = board.steps(lambda a, b: a in water and b in water and not self.inlet(a, b))
        reached = board.graph.flood(ways, bytes(board.size), sorted(board.edge_hexes & sea), -1)
        return frozenset(n for n in self.coast if reached[n])

    def _read_areas(self) -> None:
        node = self.board.node
        self.harstad, self.bardufoss, self.transit = node("Harstad"), node("Bardufoss"), node("Swedish Transit")
        self.staging = ((self.transit,), (self.harstad, self.bardufoss))
        self.areas = self.board.mask((self.transit, self.harstad, self.bardufoss))  # entered, never passed through
        boxes = [(node(f"German {box}"), node(f"Allied {box}")) for box in BOXES]
        self.regroup, self.eliminated, self.pool, self.strikes, self.arrivals = boxes
        self.scheduled = node("Allied Scheduled")
        self.transfer = node("Troop Transfer")
        tagged = self.board.tagged
        self.road_exits = tagged("road_exit_west") | tagged("road_exit_east") | tagged("rail_exit_east")
        # 20.0.f: staging areas next to an edge hex, for those who may go back there (20.1.a: no German may)
        self.exits: tuple[tuple[int, ...], ...] = tuple(
            tuple(n for n in near if n in self.staging[ALLIED]) for near in self.board.around
        )

    # ------------------------------------------------------------------ hexsides

    def sea_side(self, a: int, b: int) -> bool:
        return self.board.crosses(a, b, "all_sea")

    def inlet(self, a: int, b: int) -> bool:
        return self.board.crosses(a, b, "inlet")

    # ------------------------------------------------------------------ movement costs, in half points

    def price(self, side: int, mobility: int, a: int, b: int) -> int | None:
        """12.3, 20.0.g, 20.0.h: what it costs to go from a node to the next; None where that is prohibited."""
        if b >= self.hexes:  # 20.0.g, 20.1.a
            return self.tables.staging_halves if side == ALLIED and b in self.staging[ALLIED] else None
        if a >= self.hexes:  # 20.0.b, 20.0.h, 8.3.b
            if a not in self.staging[side]:
                return None
            return self.tables.road_halves if b in self.road_exits else self.terrain_halves(mobility, b)
        if not self.land[a] or not self.land[b]:  # 12.3.e, 12.3.g
            return None
        if self.board.linked(a, b, "road") or self.board.linked(a, b, "rail"):  # 12.3.d, 12.3.f
            return self.tables.road_halves
        return self._cross_country(mobility, a, b)

    def _cross_country(self, mobility: int, a: int, b: int) -> int | None:
        """12.3.b: terrain of the hex plus terrain of the hexside."""
        cost = self.terrain_halves(mobility, b)
        if cost is None:
            return None
        if self.sea_side(a, b):  # 22.4.a: boats cross it from coast to coast
            return cost if mobility == BOATS and a in self.coast and b in self.coast else None
        if self.inlet(a, b) and mobility != BOATS:  # 22.4.b
            extra = self.tables.hexsides["inlet"]["mech" if mobility == MECH else "mp"]
            return None if extra < 0 else cost + 2 * int(extra)
        return cost

    def terrain_halves(self, mobility: int, node: int) -> int | None:
        """12.3.a: the map names the costliest terrain of a hex."""
        mp = self.tables.terrain[self.board.terrain[node]]["mech" if mobility == MECH else "mp"]
        return None if mp < 0 else 2 * int(mp)

    def costs(self, side: int, mobility: int, move: int) -> Costs:
        """Movement of a unit of this factor."""
        key = (side, mobility, move)
        found = self._costs.get(key)
        if found is None:
            found = self._costs[key] = with_zones(self._price[side, mobility], leaving_cost(move))
        return found

    def step_cost(self, side: int, mobility: int, a: int, b: int) -> int:
        """Half points for one step, -1 where it is prohibited."""
        step = self.board.step_of.get((a, b))
        return -1 if step is None else self._price[side, mobility][step]


def lines_of_fire(board: Board, land: Sequence[bool], peaks: frozenset[int], longest: int) -> list[list[int]]:
    """Range -> hex -> bit mask of the hexes in range with a line of fire.

    14.2.b, 14.2.c, 14.2.d: no peak is crossed, and no line between two peaks is used.
    """
    axial = [board.grid.axial(label) for label in board.grid.labels]
    number = {cell: node for node, cell in enumerate(axial)}
    span = range(-longest, longest + 1)
    offsets = [(axial_distance((0, 0), (q, r)), q, r) for q in span for r in span]
    lines = [(far, q, r, _crossed(board, q, r) if far > 1 else ()) for far, q, r in offsets if 1 <= far <= longest]
    masks = [[0] * board.hexes for _ in range(longest + 1)]
    for node, (q, r) in enumerate(axial):
        hills = {(axial[peak][0] - q, axial[peak][1] - r) for peak in peaks if board.distance(node, peak) < longest}
        for far, dq, dr, line in lines if land[node] else ():
            target = number.get((q + dq, r + dr))
            if target is not None and land[target] and not any(hills.issuperset(cells) for cells in line):  # 14.2.g
                masks[far][node] |= 1 << target
        for reach in range(2, longest + 1):
            masks[reach][node] |= masks[reach - 1][node]
    return masks


def _crossed(board: Board, dq: int, dr: int) -> tuple[tuple[Axial, ...], ...]:
    """What a line to this offset crosses on its way, read off two hexes in the middle of the map.

    That is a hex, or the hexes on both sides of a hexside.
    """
    grid = board.grid
    middle = grid.label_at(grid.columns // 2, grid.rows // 2)
    q, r = grid.axial(middle)
    other = grid.at(q + dq, r + dr)
    if other is None:
        raise DataError(f"{board.where}: a range of {axial_distance((0, 0), (dq, dr))} hexes is too long for this map")
    crossed = [[grid.axial(label) for label in hexes] for hexes in grid.crossed(middle, other)[1:-1]]
    return tuple(tuple((x - q, y - r) for x, y in cells) for cells in crossed)
