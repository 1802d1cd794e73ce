"""The map and the charts as tables for play: terrain, hexsides, supply lines, CRTs, weather (2.1, 2.2)."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

from counterblow.games.noretreat.components import AXIS, BOXES, SIDES, SOVIET, WEATHER_NAMES
from counterblow.kernel.board import Board
from counterblow.kernel.errors import DataError, unknown
from counterblow.kernel.graph import Costs
from counterblow.kernel.odds import OddsLine, ResultTable

FINLAND_OPEN, BALKANS_OPEN = 1, 2
WESTERLY, EASTERLY = ("W", "NW", "SW"), ("E", "NE", "SE")
AREAS = ("Finland", "Western Balkans", "Southern Balkans")


class Terrain(NamedTuple):
    """A line of the Terrain Effects Chart."""

    feature: str
    mp_armor: int
    mp_other: int
    shift: int
    advance_stops: bool


class Weather(NamedTuple):
    """A line of 13.1: 13.1.clear, 13.1.mud, 13.1.snow.a, 13.1.snow.b, 13.1.snow.d, 13.1.lw.a."""

    name: str
    mp_cap: int
    armor_bonus: bool
    advance_max: int
    armor_third_hex: bool
    axis_crt: str
    axis_shift: int
    axis_shift_turn_5: int
    rivers: bool
    axis_targets_max: int


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
        self.weather = tuple(Weather(*(entry[key] for key in Weather._fields)) for entry in tables["weather"])
        if tuple(weather.name for weather in self.weather) != WEATHER_NAMES:
            raise DataError(f"{where}: weather should be {', '.join(WEATHER_NAMES)}, in this order")

    # ------------------------------------------------------------------ areas and boxes

    def _read_areas(self) -> None:
        board = self.board
        self.map_nodes = board.hexes + len(AREAS)
        if tuple(board.labels[board.hexes : self.map_nodes]) != AREAS:
            raise DataError(f"{board.where}: the first areas should be {', '.join(AREAS)}")
        self.finland, self.west_balkans, south_balkans = range(board.hexes, self.map_nodes)
        self.balkans = (self.west_balkans, south_balkans)
        self.boxes = tuple({box: board.node(f"{side.title()} {box}") for box in BOXES} for side in SIDES)

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
        self.cities_near = [  # hex -> the cities in it or next to it
            sum(1 << site for site in self.cities if self.site_node[site] == node or self.site_node[site] in around)
            for node, around in enumerate(board.around)
        ]
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
        self.terrain_chart: dict[str, Terrain] = {
            entry["feature"]: Terrain(*(entry[key] for key in Terrain._fields)) for entry in tables["terrain"]
        }
        self.barred = self.terrain_chart["sea"], self.terrain_chart["lake_or_strait"]
        self.terrain: tuple[Terrain, ...] = tuple(self._terrain_of(node, where) for node in range(self.board.size))

    def _terrain_of(self, node: int, where: str) -> Terrain:
        special = {self.finland: "finland", **dict.fromkeys(self.balkans, "balkans")}
        word = special.get(node, "city" if self.is_city(node) else self.board.terrain[node])
        word = {"lake": "lake_or_strait", "box": "clear"}.get(word, word)
        if word not in self.terrain_chart:
            raise DataError(f"{where}: " + unknown("terrain", word, self.terrain_chart))
        return self.terrain_chart[word]

    def is_land(self, node: int) -> bool:
        return node < self.map_nodes and self.terrain[node] not in self.barred

    # ------------------------------------------------------------------ lines across the map

    def _read_lines(self) -> None:
        board = self.board
        self.zoc = board.steps(self._passable)
        self.beside = board.neighbours(self._passable)
        self.supply_steps = board.steps(self._supply_open)
        # 6.1.e: a city's path steps west (Axis) or east (Soviet); the flood runs back from the edge
        self.net_steps = tuple(board.steps(partial(self._steps_back, ways)) for ways in (WESTERLY, EASTERLY))
        self.edges = tuple(tuple(sorted(board.tagged(f"{side}_edge"))) for side in SIDES)
        self.on_edge = tuple(board.mask(edge) for edge in self.edges)
        self.open_country = board.mask(n for n in range(board.hexes) if self.is_land(n) and not self.is_city(n))
        self.baltic = board.mask(board.tagged("baltic_coast"))
        self.black_sea = board.mask(board.tagged("black_sea_coast"))
        self.caspian = board.mask(board.tagged("caspian_coast"))
        self.costs = tuple(
            tuple(tuple(self._costs(armor, access, leave) for leave in (1, 0)) for access in range(4))
            for armor in (False, True)
        )
        chart = self.terrain_chart.values()
        self.dearest = 1 + max(t.mp_other for t in chart), 1 + max(t.mp_armor for t in chart)

    def _steps_back(self, ways: tuple[str, ...], here: int, there: int) -> bool:
        return self._supply_open(there, here) and self.board.direction(there, here) in ways

    def _passable(self, here: int, there: int) -> bool:
        """Movement, attack and ZOC do not cross sea, lake or strait hexsides (8.5.b)."""
        return self.is_land(here) and self.is_land(there) and not self.board.crosses(here, there, "prohibited")

    def _supply_open(self, here: int, there: int) -> bool:
        """6.3.c, 6.3.e: supply paths cross lakes and prohibited hexsides, but neither sea nor areas (8.6.c, 8.7.b)."""
        return all(node < self.board.hexes and self.terrain[node].feature != "sea" for node in (here, there))

    def _costs(self, armor: bool, access: int, leave: int) -> Costs:
        """8.3.a, 8.5.1-8.5.3 for one movement class (14.3); ``access``: which areas are open to it (8.6.a, 8.7.a)."""
        return Costs(self.board.costs(partial(self._price, armor, access)), leave=leave, stop=1, between=2)

    def _price(self, armor: bool, access: int, here: int, there: int) -> int | None:
        finland, balkans = there == self.finland, there in self.balkans
        closed = (finland and not access & FINLAND_OPEN) or (balkans and not access & BALKANS_OPEN)
        if closed or not self._passable(here, there):
            return None
        return self.terrain[there].mp_armor if armor else self.terrain[there].mp_other

    # ------------------------------------------------------------------ combat results

    def _read_crts(self, tables: dict[str, Any], where: str) -> None:
        chart = tables["crt"]
        self.odds = OddsLine(chart["columns"])
        self.crt_tables = tuple(self._crt(chart, side, where) for side in SIDES)
        option = chart["option"]["crt_1to1_3"]
        side, table = option["table"], chart[option["table"]]
        row = list(table[f"row{option['die']}"])
        row[chart["columns"].index(option["column"])] = option["alternative"]
        other = {**chart, side: {**table, f"row{option['die']}": row}}
        self.crt_by_switch = {False: self.crt_tables, True: tuple(self._crt(other, side, where) for side in SIDES)}

    def _crt(self, chart: dict[str, Any], side: str, where: str) -> ResultTable:
        table = chart[side]
        rows = [table[f"row{die}"] for die in range(1, 7)]
        return ResultTable.read(
            {"columns": chart["columns"], "rows": rows, "provenance": table["provenance"]}, f"{where}: crt.{side}"
        )
