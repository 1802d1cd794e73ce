"""Counters, tables, calendar and ground of the game as numbers for play. Everything here is read once."""

from __future__ import annotations

from typing import Any, NamedTuple

from counterblow.kernel.board import Board
from counterblow.kernel.data import DataFolder, need, read, word
from counterblow.kernel.errors import DataError, unknown
from counterblow.kernel.graph import Costs, Steps
from counterblow.kernel.masks import bits, mask_of
from counterblow.kernel.odds import OddsLine, ResultTable

GERMAN, RUSSIAN = 0, 1
SIDES = ("german", "russian")

DIVISION, CORPS, ARMY = 1, 2, 3  # sizes; trains, the fleet and air units have none (0)
SIZES = {"division": DIVISION, "corps": CORPS, "army": ARMY, "train": 0, "fleet": 0, "air": 0}
TYPES = ("infantry", "panzer", "tank", "marine", "train", "fleet", "air")

FACTOR = 6  # one movement factor, in the sixths in which movement is counted
ROAD_MOBILE, ROAD_FOOT = 2, 3  # 7.7 and 7.9: a third, a half


class Counters:
    """The counters of the game (15.6), by number, and the sets of them that rules speak of, as masks."""

    def __init__(self, data: DataFolder, board: Board) -> None:
        table, where = data.toml("units.toml"), data.where("units.toml")
        entries: list[dict[str, Any]] = need(table, "unit", list, where)
        self.names = tuple(str(need(e, "name", str, f"{where}: unit {n}")) for n, e in enumerate(entries, 1))
        self.entries = entries
        self._where = where
        told = [(entry, f"{where}: {entry['name']}") for entry in entries]
        self.side = bytes(word(e, "side", SIDES, at) for e, at in told)
        self.type = tuple(TYPES[word(e, "type", TYPES, at)] for e, at in told)
        sizes = tuple(SIZES)
        self.size = tuple(SIZES[sizes[word(e, "size", sizes, at)]] for e, at in told)
        self.factor, self.movement, self.turn = (
            tuple(int(need(e, key, int, at)) for e, at in told) for key in ("factor", "movement", "turn")
        )
        self.start = tuple(_nodes(e.get("start", []), at, board) for e, at in told)

        everybody = range(len(entries))
        of_side = [mask_of(u for u in everybody if self.side[u] == side) for side in (GERMAN, RUSSIAN)]
        of_type = {kind: mask_of(u for u in everybody if self.type[u] == kind) for kind in TYPES}
        self.ground = tuple(mask & mask_of(u for u in everybody if self.factor[u]) for mask in of_side)
        self.air = tuple(mask & of_type["air"] for mask in of_side)
        self.trains = of_type["train"]
        self.armies = mask_of(u for u in everybody if self.size[u] == ARMY)
        self.corps = mask_of(u for u in everybody if self.size[u] == CORPS)
        self.panzers = of_type["panzer"]
        self.armour = of_type["panzer"] | of_type["tank"]  # 9.11
        self.mobile = self.armour | of_type["marine"]  # 7.1, 7.7
        self.infantry = of_type["infantry"] | of_type["marine"]  # 9.10: Marines count as infantry
        self.panzer_divisions = mask_of(u for u in bits(self.panzers) if self.size[u] == DIVISION)
        self.panzer_korps = mask_of(u for u in bits(self.panzers) if self.size[u] == CORPS)
        self.line_infantry = of_type["infantry"] & (self.armies | self.corps)  # 9.8
        self.diggers = self.armies | self.corps  # 9.1
        self.obliging = tuple(mask & self.diggers for mask in of_side)  # 2.6, 2.9
        self.optional = mask_of(u for u in everybody if entries[u].get("optional", False))
        self.star_proof = self.armour | self.trains | of_type["marine"] | of_type["fleet"]  # 11.13
        self.fleet = self._only(of_type["fleet"], "fleet")
        self.marines = self._only(of_type["marine"], "marine")
        self.tank_division = self._only(of_type["tank"], "tank")
        self.panzer_group = self._only(self.panzers & self.armies, "panzer army")
        self.fighters = self.number("7. Fighter Aviation Korps")
        self.eighth_army = self.number("8. Army")

    def number(self, name: str) -> int:
        if name not in self.names:
            raise DataError(f'{self._where}: there is no unit "{name}"')
        return self.names.index(name)

    def _only(self, mask: int, what: str) -> int:
        if mask.bit_count() != 1:
            raise DataError(f"{self._where}: there should be one {what}, not {mask.bit_count()}")
        return mask.bit_length() - 1


def _nodes(labels: list[str], where: str, board: Board) -> tuple[int, ...]:
    for label in labels:
        if label not in board:
            raise DataError(f"{where}: " + unknown("hex", label, board.labels))
    return board.nodes(labels)


class Calendar:
    """Turns, dates, freezing (10.25, ruling D31) and the withdrawal."""

    def __init__(self, data: DataFolder) -> None:
        table, where = data.toml("calendar.toml"), data.where("calendar.toml")
        self.last_turn: int = need(table, "last_turn", int, where)
        self.withdrawal_turn: int = need(table, "withdrawal_turn", int, where)
        turns = {need(t, "number", int, where): t for t in need(table, "turn", list, where)}
        for number in range(1, self.last_turn + 1):
            if number not in turns:
                raise DataError(f"{where}: turn {number} is missing")
        self.dates = {number: str(turn.get("dates", "")) for number, turn in turns.items()}
        self.events = {number: str(turn.get("event", "")) for number, turn in turns.items()}
        frozen = {number: tuple(turn.get("frozen", ())) for number, turn in turns.items()}
        self.stages: tuple[tuple[str, ...], ...] = tuple(dict.fromkeys([(), *frozen.values()]))
        self.stage = {number: self.stages.index(lakes) for number, lakes in frozen.items()}  # turn -> which of them


class Prize(NamedTuple):
    """What scores (chapter 14)."""

    side: int
    rule: str
    points: int
    text: str
    places: tuple[str, ...] = ()


class Tables:
    """The printed tables and the plain numbers of the rules."""

    def __init__(self, data: DataFolder) -> None:
        table, where = data.toml("tables.toml"), data.where("tables.toml")
        self.ground = ResultTable.read(need(table, "ground", dict, where), f"{where}: ground")
        self.air = ResultTable.read(need(table, "air", dict, where), f"{where}: air")
        self.odds = OddsLine(self.ground.columns)
        self.rows: dict[str, int] = {
            key: value for key, value in need(table, "rows", dict, where).items() if isinstance(value, int)
        }
        results: dict[str, dict[str, str]] = need(table, "result", dict, where)
        self.meaning = {result: row["text"] for result, row in results.items()}
        self.result_rule = {result: row["rule"] for result, row in results.items()}
        self.prizes = tuple(
            read(Prize, prize, f"{where}: prize", side=word(prize, "side", SIDES, f"{where}: prize"))
            for prize in need(table, "prize", list, where)
        )
        setup, where = data.toml("setup.toml"), data.where("setup.toml")
        numbers = need(setup, "numbers", dict, where)
        self.numbers: dict[str, int] = {key: value for key, value in numbers.items() if isinstance(value, int)}
        self.bonus = (self.numbers["german_bonus"], self.numbers["russian_bonus"])
        self.german_edge: list[str] = need(setup, "german_edge", list, where)
        self.delayed_entry: list[str] = need(setup, "delayed_entry", list, where)


class Ground:
    """What the ground allows while the lakes stand as they do: one for open water, one for each freeze (7.17)."""

    def __init__(self, board: Board, frozen: tuple[str, ...]) -> None:
        ice = frozenset().union(*(board.tagged(lake) for lake in frozen))
        lake_sides = frozenset(
            pair
            for line in board.side_lines
            if line.kind == "all_lake" and line.name.rpartition(" ")[2].lower() in frozen
            for pair in line.pairs
        )
        self.ice = ice

        def land(node: int) -> bool:
            return board.terrain[node] == "clear" or node in ice

        def passable(here: int, there: int) -> bool:
            """7.17, 7.21, 8.11, 8.13: no water hex, no all-water side, no closed hex."""
            if not (land(here) and land(there)) or board.crosses(here, there, "all_sea"):
                return False
            return not board.crosses(here, there, "all_lake") or (here, there) in lake_sides

        def road(here: int, there: int) -> bool:
            return board.linked(here, there, "road")

        west = board.tagged("west_of_narva")

        def costs(rate: int, armour: bool, russian: bool) -> Costs:
            def price(here: int, there: int) -> int | None:
                if not passable(here, there) or (russian and there in west):
                    return None
                return rate if road(here, there) else FACTOR

            def ford(here: int, there: int) -> int:
                """7.18: armour pays more for an unbridged river near the enemy."""
                return FACTOR if armour and board.crosses(here, there, "river") and not road(here, there) else 0

            return Costs(
                board.costs(price), near_zone=board.costs(ford), road=board.flags(road),
                whole=FACTOR if rate == ROAD_MOBILE else 0,  # 7.8: off the road thirds are lost; 7.9: halves are not
                stop=1, between=1,
            )  # fmt: skip

        self.open: Steps = board.steps(passable)
        self.around = board.neighbours(passable)
        self.passable = frozenset(pair for pair in board.step_pairs if passable(*pair))
        # movement by kind of unit; the second of each pair is for Russians, to whom the west bank is closed (7.16)
        self.foot = tuple(costs(ROAD_FOOT, False, closed) for closed in (False, True))
        self.marine = tuple(costs(ROAD_MOBILE, False, closed) for closed in (False, True))
        self.armour = tuple(costs(ROAD_MOBILE, True, closed) for closed in (False, True))
