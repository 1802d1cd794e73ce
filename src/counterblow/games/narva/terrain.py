"""Sections 2.2.2, 2.2.8, 5.6, 6.2-6.5 and 10.1 tabulated: what every step on the map costs and allows.

A step leads from a hex to an adjacent one. Tables exist for frost and for thaw, since the ice carries infantry and the
winter trail bridges the river (6.2.1c, 6.2.2). Normal movement is counted in movement points, strategic movement in
twelfths of one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from counterblow.games.narva.components import ARMY_UNIT, PD_UNIT, SOVIET_UNIT, SS_UNIT, Terrain
from counterblow.kernel.board import Board
from counterblow.kernel.graph import Costs, Steps
from counterblow.kernel.rulebook import Citation, refuse_if

TWELFTHS = 12
BARRED = 2000  # a surcharge that no allowance can pay

ROADS = ("rollbahn", "road", "track", "trail", "winter_trail", "major_railway", "minor_railway")
ACCESS = (SOVIET_UNIT, ARMY_UNIT, SS_UNIT, PD_UNIT)
CHART = {"winter_trail": "winter trail", "major_railway": "railway as track", "minor_railway": "railway as track"}


def worst(chart: dict[str, Terrain], words: str) -> Terrain:
    """2.2.2b: of the terrain kinds in one hex ("woods and swamp") the worst counts for movement and combat."""
    kinds = [chart[word] for word in words.split(" and ")]
    return max(kinds, key=lambda t: (t.mech == 0, t.doubles, t.mech, t.infantry, -t.shift))


class Ground:
    """The map as the rules see it."""

    def __init__(self, board: Board, chart: dict[str, Terrain], numbers: dict[str, int]) -> None:
        self.board = board
        self.graph = board.graph
        self.chart = chart
        self.enter, self.leave = numbers["ezoc_enter"], numbers["ezoc_leave"]
        self.road = {kind: self.chart[CHART.get(kind, kind)] for kind in ROADS}
        self._roads = {pair: [kind for kind in ROADS if board.linked(*pair, kind)] for pair in board.step_pairs}
        self.land = frozenset(n for n in range(board.hexes) if board.terrain[n] != "sea")
        self.hex_terrain = tuple(worst(self.chart, board.terrain[n]) for n in range(board.hexes))
        self.city = self._places("city")
        self.village = self._places("village")
        forts = [board.tagged(tag) for tag in ("pd_nordland", "pd_nederland")]  # 11.3: by division
        self.pd = tuple(next((d for d, fort in enumerate(forts) if n in fort), -1) for n in range(board.hexes))
        self.bridgehead = board.tagged("bridgehead")
        self.shift = tuple(t.shift for t in self.hex_terrain)
        self.doubles = tuple(t.doubles for t in self.hex_terrain)
        self.halts = tuple(n in self.city or n in self.village for n in range(board.hexes))
        self.halves = board.flags(self.river)
        self.open_to = tuple(board.mask(n for n in self.land if self.why_not_enter(a, n) is None) for a in ACCESS)
        self.closed_to = tuple(board.mask(n for n in range(board.size) if not mask[n]) for mask in self.open_to)
        self.frost = tuple(Season(self, frozen) for frozen in (False, True))

    def _places(self, kind: str) -> frozenset[int]:
        return frozenset(n for place in self.board.places if place.kind == kind for n in place.nodes)

    # rivers and bridges

    def river(self, here: int, there: int) -> bool:
        """Any river: it halves attacks across it, bridged or not (2.2.8c, 9.3d), once (9.3e)."""
        return self.major(here, there) or self.board.crosses(here, there, "minor_river")

    def major(self, here: int, there: int) -> bool:
        """A hexside of a major river; islands in it are not looked at (6.2.2a)."""
        return self.board.crosses(here, there, "major_river")

    def road_kinds(self, here: int, there: int, frozen: bool) -> list[str]:
        """The roads that join two hexes (6.2.1a); the winter trail only in frost (6.2.1c)."""
        return [kind for kind in self._roads[here, there] if frozen or kind != "winter_trail"]

    def bridge(self, here: int, there: int, frozen: bool) -> bool:
        """2.2.8a: a river crossed by any road or railway is bridged."""
        return bool(self.road_kinds(here, there, frozen))

    def ice(self, here: int, there: int, frozen: bool) -> bool:
        """6.2.2b, 6.2.2c: frozen major rivers; the Narva above Krivasoo never freezes."""
        return frozen and not self.board.crosses(here, there, "ice_free")

    # where German units may go

    def why_not_enter(self, access: int, node: int) -> Citation | None:
        """The rule that keeps a unit out of a hex whatever stands there; German divisions differ (6.3.4b)."""
        fort = access in (ARMY_UNIT, SS_UNIT) and self.pd[node] >= 0  # 11.3.1
        narva = access == ARMY_UNIT and (node in self.city or node in self.bridgehead)
        return (
            refuse_if(node not in self.land, "6.3.1", "that is no land on the map")
            or refuse_if(fort, "6.3.3", "only 4th and 11th SS units may enter Prepared Defense hexes")
            or refuse_if(narva, "6.3.4", "only SS units may enter Narva and its bridgehead")
        )


class Season:
    """The tables for frost or thaw."""

    def __init__(self, ground: Ground, frozen: bool) -> None:
        self.ground = ground
        self.frozen = frozen
        board = ground.board
        self.zone: Steps = board.steps(self._zone_crosses)
        self.supply: Steps = board.steps(self._supply_crosses)
        self.fords = board.flags(self._fords)
        self.normal: dict[tuple[bool, int], Costs] = {}
        self.free: dict[tuple[bool, int], Costs] = {}
        self.dearest: dict[tuple[bool, int], int] = {}  # the most that a hex entered from or to open ground costs
        self.retreat: dict[tuple[bool, int], bytes] = {}
        ferry = board.flags(self._ferries)
        self.ferry = {a: bytes(self._limited(ferry, a, 0)) for a in ACCESS}
        for mech in (False, True):
            costs = board.costs(partial(self._price, mech))
            for a in ACCESS:
                own = self._limited(costs, a, -1)
                # 5.1a, 5.1b: a surcharge for every enemy zone entered or left; no friend takes it off (5.5c)
                self.normal[mech, a] = Costs(own, enter=ground.enter, leave=ground.leave)
                self.free[mech, a] = Costs(own, enter=BARRED, leave=ground.leave)
                self.dearest[mech, a] = max(own) + max(ground.enter, ground.leave)
                # 9.5.1, 6.2.2h: where units may retreat and advance; infantry by ferry, too
                self.retreat[mech, a] = bytes(
                    [c >= 0 or (by and not mech) for c, by in zip(own, self.ferry[a], strict=True)]
                )
        strategic = board.costs(self._strategic_price)
        rail = board.costs(lambda a, b: 1 if board.linked(a, b, "major_railway") else None)  # 6.5: any distance
        self.strategic = {a: Costs(self._limited(strategic, a, -1), enter=BARRED) for a in ACCESS}
        self.rail = {a: Costs(self._limited(rail, a, -1), stop=1) for a in ACCESS}
        roads = [kind for kind in ROADS if frozen or kind != "winter_trail"]
        self.on_track = board.mask(n for kind in roads for n in board.along(kind))
        self.on_road = board.mask(n for kind in roads if ground.road[kind].strategic for n in board.along(kind))
        # 10.1a: hexes that a line may use only with a friendly unit in them, as bits of a big number, a byte each
        terrain, opened = enumerate(ground.hex_terrain), ("clear", "hill", "city")
        closed = [node for node, kind in terrain if kind.name not in opened and not self.on_track[node]]
        self.closed = int.from_bytes(board.mask(closed), "little")

    # 5.6, 9.6.4b, 10.1.1: what crosses a river

    def _fords(self, here: int, there: int) -> bool:
        """An unbridged minor river."""
        minor = self.ground.board.crosses(here, there, "minor_river")
        return minor and not self.ground.bridge(here, there, self.frozen)

    def _dry(self, here: int, there: int) -> bool:
        """No unbridged major river between two hexes."""
        return not self.ground.major(here, there) or self.ground.bridge(here, there, self.frozen)

    def _zone_crosses(self, here: int, there: int) -> bool:
        """5.0, 5.6: all around, but not over an unbridged major river."""
        return there in self.ground.land and self._dry(here, there)

    def _supply_crosses(self, here: int, there: int) -> bool:
        return self._dry(here, there) or self.ground.board.crosses(here, there, "ferry")

    # 6.1, 6.2: prices

    def _limited(self, table: Sequence[int], access: int, barred: int) -> list[int]:
        """A table of steps with those barred that lead where the unit may not go (6.3.1, 6.3.3, 6.3.4)."""
        target, may_enter = self.ground.graph.target, self.ground.open_to[access]
        return [value if may_enter[there] else barred for value, there in zip(table, target, strict=True)]

    def _price(self, mech: bool, here: int, there: int) -> int | None:
        """6.2.1b: along a road its price replaces that of hex and hexside."""
        roads = [self.ground.road[kind].price(mech) for kind in self.ground.road_kinds(here, there, self.frozen)]
        return min((price for price in (*roads, self._open_price(mech, here, there)) if price), default=None)

    def _open_price(self, mech: bool, here: int, there: int) -> int:
        """6.1a, 6.1b: hex plus hexside; 0 where it is prohibited. 6.2.3: minor rivers know no frost."""
        ground = self.ground
        total = ground.hex_terrain[there].price(mech)
        if ground.major(here, there):
            river = "major river frozen" if ground.ice(here, there, self.frozen) else "major river open"
        elif ground.board.crosses(here, there, "minor_river"):
            river = "minor river"
        else:
            return total
        side = ground.chart[river].price(mech)
        return total + side if total and side else 0

    def _strategic_price(self, here: int, there: int) -> int | None:
        """6.4: twelfths of a movement point along roads that are no trails."""
        kinds = self.ground.road_kinds(here, there, self.frozen)
        rates = [self.ground.road[kind].strategic for kind in kinds]
        return min((int(rate * TWELFTHS) for rate in rates if rate), default=None)

    def _ferries(self, here: int, there: int) -> bool:
        """6.2.2g: ferry steps that are needed: over open water."""
        return self.ground.board.crosses(here, there, "ferry") and not self.ground.ice(here, there, self.frozen)
