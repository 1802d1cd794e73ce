"""The map and the charts as tables for play: terrain, hexsides, supply lines, CRTs, weather (2.1, 2.2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from counterblow.games.noretreat.components import AXIS, BOXES, SIDES, SOVIET, WEATHER_NAMES
from counterblow.kernel.board import Board
from counterblow.kernel.errors import DataError, unknown
from counterblow.kernel.graph import Costs
from counterblow.kernel.odds import OddsLine, ResultTable

FINLAND_OPEN, BALKANS_OPEN = 1, 2
WESTERLY, EASTERLY = ("W", "NW", "SW"), ("E", "NE", "SE")


class Terrain(NamedTuple):
    """A line of the Terrain Effects Chart."""

    name: str
    armor: int
    other: int
    shift: int
    stops: bool


class Weather(NamedTuple):
    """A line of 13.1: 13.1.clear, 13.1.mud, 13.1.snow.a, 13.1.snow.b, 13.1.snow.d, 13.1.lw.a."""

    name: str
    mp_cap: int
    armor_bonus: bool
    advance: int
    third_hex: bool
    axis_crt: int
    axis_shift: int
    axis_shift_turn_5: int
    rivers: bool
    axis_targets: int


class Charts:
    """Everything about the board that never changes."""

    def __init__(self, board: Board, tables: dict[str, Any], where: str) -> None:
        self.board = board
        self.graph = board.graph
        self._read_areas()
        self._read_sites()
        self._read_terrain(tables, where)
        self._read_lines()
        self._read_crts(tables, where)
        self.weather = tuple(_weather(entry) for entry in tables["weather"])

    # ------------------------------------------------------------------ areas and boxes

    def _read_areas(self) -> None:
        board = self.board
        for name in ("Finland", "Western Balkans", "Southern Balkans"):
            if name not in board:
                raise DataError(f"{board.where}: the area {name} is missing")
        self.finland = board.node("Finland")
        self.west_balkans = board.node("Western Balkans")
        self.south_balkans = board.node("Southern Balkans")
        self.balkans = (self.west_balkans, self.south_balkans)
        self.map_nodes = board.hexes + 3
        if not all(board.hexes <= node < self.map_nodes for node in (self.finland, *self.balkans)):
            raise DataError(f"{board.where}: Finland and the two Balkans areas should be the first areas")
        self.boxes: tuple[dict[str, int], dict[str, int]] = (
            {box: board.node(f"Axis {box}") for box in BOXES},
            {box: board.node(f"Soviet {box}") for box in BOXES},
        )

    # ------------------------------------------------------------------ cities and oil fields

    def _read_sites(self) -> None:
        board = self.board
        self.site_names = tuple(place.name for place in board.places)
        self.site_node = tuple(place.nodes[0] for place in board.places)
        self.site_at = [-1] * board.size
        for site, node in enumerate(self.site_node):
            self.site_at[node] = site
        self.cities = tuple(s for s, place in enumerate(board.places) if place.kind == "city")
        self.city_mask = sum(1 << site for site in self.cities)
        self.all_sites = (1 << len(self.site_node)) - 1
        greater_germany = board.tagged("greater_germany") | board.tagged("rumania")
        self.in_germany = board.mask(greater_germany)  # with Rumania: ruling 23
        self.in_ussr = board.mask(board.tagged("ussr"))
        self.german_sites = sum(1 << s for s, node in enumerate(self.site_node) if node in greater_germany)
        self.objectives = tuple(
            tuple(sorted(self.site_at[node] for node in board.tagged(f"{side}_objective"))) for side in SIDES
        )
        self.objective_hex = board.mask(self.site_node[s] for side in (AXIS, SOVIET) for s in self.objectives[side])
        self.moscow = self.site("Moscow")
        self.leningrad = self.site("Leningrad")
        self.sevastopol = self.site("Sevastopol")
        self.warsaw = self.site("Warsaw")
        self.berlin = self.site("Berlin")
        self.bucharest = self.site("Bucharest")
        self.budapest = self.site("Budapest")
        self.caucasus_oil = self.site("Caucasus Oil Fields")
        self.rumanian_oil = self.site("Rumanian Oil Fields")

    def site(self, name: str) -> int:
        if name not in self.site_names:
            raise DataError(f"{self.board.where}: " + unknown("place", name, self.site_names))
        return self.site_names.index(name)

    def is_city(self, node: int) -> bool:
        site = self.site_at[node]
        return site >= 0 and bool(self.city_mask >> site & 1)

    # ------------------------------------------------------------------ terrain

    def _read_terrain(self, tables: dict[str, Any], where: str) -> None:
        chart = {}
        for entry in tables["terrain"]:
            mp = {key: entry[key] if isinstance(entry[key], int) else 1 for key in ("mp_armor", "mp_other")}
            chart[entry["feature"]] = Terrain(
                entry["feature"], mp["mp_armor"], mp["mp_other"], entry["shift"], entry["advance_stops"]
            )
        self.terrain_chart: dict[str, Terrain] = chart
        self.barred = chart["sea"], chart["lake_or_strait"]
        self.terrain: tuple[Terrain, ...] = tuple(self._terrain_of(node, where) for node in range(self.board.size))

    def _terrain_of(self, node: int, where: str) -> Terrain:
        if node == self.finland:
            return self.terrain_chart["finland"]
        if node in self.balkans:
            return self.terrain_chart["balkans"]
        if self.is_city(node):
            return self.terrain_chart["city"]
        word = {"lake": "lake_or_strait", "box": "clear"}.get(self.board.terrain[node], self.board.terrain[node])
        if word not in self.terrain_chart:
            raise DataError(f"{where}: " + unknown("terrain", word, self.terrain_chart))
        return self.terrain_chart[word]

    def is_land(self, node: int) -> bool:
        return node < self.map_nodes and self.terrain[node] not in self.barred

    # ------------------------------------------------------------------ lines across the map

    def _read_lines(self) -> None:
        board = self.board
        self.zoc = board.steps(self._passable)
        self.beside: tuple[tuple[int, ...], ...] = tuple(
            tuple(b for b in board.around[a] if self._passable(a, b)) for a in range(board.size)
        )
        self.supply_steps = board.steps(self._supply_open)
        # 6.1.e: a city's path steps west (Axis) or east (Soviet); the flood runs back from the edge
        self.net_steps = (
            board.steps(lambda a, b: self._supply_open(a, b) and board.direction(a, b) in EASTERLY),
            board.steps(lambda a, b: self._supply_open(a, b) and board.direction(a, b) in WESTERLY),
        )
        self.ahead: tuple[tuple[tuple[int, ...], ...], ...] = tuple(
            tuple(
                tuple(b for b in board.around[a] if self._supply_open(a, b) and board.direction(a, b) in ways)
                for a in range(board.hexes)
            )
            for ways in (WESTERLY, EASTERLY)
        )
        self.edges = (tuple(sorted(board.tagged("axis_edge"))), tuple(sorted(board.tagged("soviet_edge"))))
        self.edge_list = (list(self.edges[0]), list(self.edges[1]))
        self.on_edge = (board.mask(self.edges[0]), board.mask(self.edges[1]))
        self.open_country = board.mask(n for n in range(board.hexes) if self.is_land(n) and not self.is_city(n))
        self.baltic = board.mask(board.tagged("baltic_coast"))
        self.black_sea = board.mask(board.tagged("black_sea_coast"))
        self.caspian = board.mask(board.tagged("caspian_coast"))
        self.costs = tuple(
            tuple(tuple(self._costs(armor, access, leave) for leave in (1, 0)) for access in range(4))
            for armor in (False, True)
        )
        self.dearest = (
            1 + max(t.other for t in self.terrain_chart.values()),
            1 + max(t.armor for t in self.terrain_chart.values()),
        )

    def _passable(self, here: int, there: int) -> bool:
        """Movement, attack and ZOC do not cross sea, lake or strait hexsides (8.5.b)."""
        return self.is_land(here) and self.is_land(there) and not self.board.crosses(here, there, "prohibited")

    def _supply_open(self, here: int, there: int) -> bool:
        """6.3.c, 6.3.e: supply paths cross lakes and prohibited hexsides, but neither sea nor areas (8.6.c, 8.7.b)."""
        sea = self.terrain_chart["sea"]
        hexes = self.board.hexes
        return here < hexes and there < hexes and self.terrain[here] is not sea and self.terrain[there] is not sea

    def _costs(self, armor: bool, access: int, leave: int) -> Costs:
        """8.3.a, 8.5.1-8.5.3 for one movement class (14.3); ``access``: which areas are open to it (8.6.a, 8.7.a)."""
        return Costs(self.board.costs(self._price(armor, access)), leave=leave, stop=1, between=2)

    def _price(self, armor: bool, access: int) -> Callable[[int, int], int | None]:
        def price(here: int, there: int) -> int | None:
            if not self._passable(here, there):
                return None
            if there == self.finland and not access & FINLAND_OPEN:
                return None
            if there in self.balkans and not access & BALKANS_OPEN:
                return None
            terrain = self.terrain[there]
            return terrain.armor if armor else terrain.other

        return price

    def river_between(self, here: int, there: int) -> bool:
        return self.board.crosses(here, there, "river")

    # ------------------------------------------------------------------ combat results

    def _read_crts(self, tables: dict[str, Any], where: str) -> None:
        chart = tables["crt"]
        self.odds = OddsLine(chart["columns"])
        self.crt_tables = tuple(self._crt(chart, side, where) for side in SIDES)
        option = chart["option"]["crt_1to1_3"]
        self.crt_option = (SIDES.index(option["table"]), option["die"], chart["columns"].index(option["column"]),
                           option["alternative"])  # fmt: skip
        side, die, column, cell = self.crt_option
        rows = [list(row) for row in self.crt_tables[side].rows]
        rows[die - 1][column] = cell
        switched = list(self.crt_tables)
        switched[side] = ResultTable(
            self.crt_tables[side].columns, tuple(map(tuple, rows)), self.crt_tables[side].provenance
        )
        self.crt_by_switch = {False: self.crt_tables, True: tuple(switched)}

    def _crt(self, chart: dict[str, Any], side: str, where: str) -> ResultTable:
        table = chart[side]
        rows = [table[f"row{die}"] for die in range(1, 7)]
        return ResultTable.read(
            {"columns": chart["columns"], "rows": rows, "provenance": table["provenance"]}, f"{where}: crt.{side}"
        )


def _weather(entry: dict[str, Any]) -> Weather:
    if entry["name"] not in WEATHER_NAMES:
        raise DataError("tables.toml: " + unknown("weather", entry["name"], WEATHER_NAMES))
    return Weather(
        entry["name"],
        entry["mp_cap"] or 99,
        entry["armor_bonus"],
        entry["advance_max"],
        entry["armor_third_hex"],
        SIDES.index(entry["axis_crt"]),
        entry["axis_shift"],
        entry["axis_shift_turn_5"],
        entry["rivers"],
        entry["axis_targets_max"],
    )
