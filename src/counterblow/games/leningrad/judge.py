"""What counts in Leningrad 1941, for computer players: the siege, points, armies and their supply, threats."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from math import exp
from typing import Any

from counterblow.games.leningrad import air, combat, stacking, supply, victory, zones
from counterblow.games.leningrad.components import GERMAN, RUSSIAN
from counterblow.games.leningrad.state import LeningradState
from counterblow.kernel.data import need
from counterblow.kernel.forecast import Forecast
from counterblow.kernel.game import Game
from counterblow.kernel.odds import ratio
from counterblow.players import judging, maps

FAR = 40
RAID = 4  # hexes that Russians may come forward
MOST_ODDS = 4.0  # beyond this a greater superiority adds nothing
SAFE = 0.5  # with less than this much against it a stack is safe
SHAKEN = 0.7  # a Disrupted stack is attacked a column higher: it stands like one of this share
FACTOR = (180.0, 90.0)  # a factor lost; a German one is a point for the Russians as well
STORMED = ("DE", "D2")  # what clears a hex of Leningrad
FEARS = ("at_risk", "pinched", "exposed", "lifeline", "breach", "loose")  # what the Russians could do next
NEAR = (1.0, 1.0, 0.6, 0.3)  # the part of a unit that counts against Leningrad so many hexes from it
GUARDED = 0.2  # what a garrison counts while nobody is near
MASSED = 0.05  # what one to one against a hex of Leningrad counts, beside the chance to take it
LIFTED = 4 / 6  # chance of a flight with supplies (11.4, 11.18)
UNSAFE = 0.3  # what a hex of a supply road counts that Russians could cut off
REMEMBERED = 4096  # positions whose features are known
SHIELD = 0.5  # of their worth that Germans have as targets who must attack first
DRIFT = 0.6  # by how much the margin of points may still change, a turn


class Judge(judging.Judge):
    features = (
        "points", "places", "siege", "slack", "german", "russian", "german_disrupted", "russian_disrupted",
        "german_cut_off", "russian_cut_off", "german_dug_in", "russian_dug_in", "drive", "guard", "german_threat",
        "russian_threat", "crowded", "raid", "garrison", "depots", "at_risk",
        "exposed", "lifeline", "breach", "loose", "crush", "verdict", "pinched",
        "guns",
    )  # fmt: skip
    formations = ("the west wing", "the centre", "the east wing")

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        board = game.board
        rules: Any = game
        mga, neva = board.place("Mga").nodes[0], board.place("Shlisselburg").nodes[0]
        self.to_city = maps.distances(board, rules.leningrad, FAR)
        self.approaches = [  # what each hex of Leningrad has to fear from units by how near they are
            (node, [NEAR[far] if far < len(NEAR) else 0.0 for far in maps.distances(board, (node,), FAR)])
            for node in rules.leningrad
        ]
        self.to_neva = maps.distances(board, (mga, neva), FAR)
        self.goal = [min(a, b) for a, b in zip(self.to_city, self.to_neva, strict=True)]
        to_depot = maps.distances(board, rules.supply_edges[GERMAN][1:3], FAR)
        # how much a stack of each side is in the way where it stands
        in_way = [1.0 + max(0, 6 - far) / 4 for far in self.to_neva]
        self.key = (in_way, [way + max(0, 9 - rear) / 4 for way, rear in zip(in_way, to_depot, strict=True)])
        self.raids = tuple(
            (node, worth, [board.distance(here, node) for here in range(board.hexes)])
            for node, worth in ((rules.tichvin, 1.0), (rules.valdai, 0.5))
        )
        self.prizes: list[tuple[int, int]] = [
            (board.place(name).nodes[0], prize.points)
            for prize in rules.tables.prizes
            if prize.side == GERMAN
            for name in prize.places
        ]
        self.no_line = rules.supply_range + 2  # as long as this counts what leads to no source
        self.narva = sum([prize.points for prize in rules.tables.prizes if "Narva" in prize.places])
        self.southern = [node for node in rules.supply_edges[RUSSIAN] if board.labels[node].endswith("19")]
        highway = next(line for line in board.link_lines if line.name == "Narva highway")
        self.highway = [here for here, _ in highway.pairs[::2]]
        self.column = [int(label[:2]) for label in board.labels[: board.hexes]] + [0] * (board.size - board.hexes)

        ground = rules.tables.ground
        self.odds_line = [float(ratio(heading)) for heading in ground.columns]
        self.storms = [sum([result in STORMED for result in column]) / 6 for column in zip(*ground.rows, strict=True)]
        self._known: dict[tuple[Any, ...], list[float]] = {}
        self.fire: float = rules.tables.rows["fleet_fire"] / 6  # 13.9: the chance to Disrupt a unit
        self.fears = tuple([self.features.index(name) for name in FEARS])
        self.pinched = self.features.index("pinched")
        where = game.data.where("judge.toml")
        last = need(game.data.toml("judge.toml"), "last", dict, where)
        kept = {when: self._numbers(dict.fromkeys(names, 1), f"{where}: last.{when}") for when, names in last.items()}
        self.last = tuple([tuple([name in kept[side] for name in self.features]) for side in game.sides])
        self.over = tuple([name in kept["over"] for name in self.features])

    def length(self) -> int:
        game: Any = self.game
        return int(game.calendar.last_turn)

    def clock(self, s: LeningradState) -> int:
        return 2 * s.turn + s.mover

    def formation(self, s: LeningradState, unit: int) -> int:
        """By sector: west of Luga, around it to the Volkhov, and beyond."""
        column = self.column[s.at[unit]]
        return 0 if column <= 7 else 1 if column <= 12 else 2

    def count(self, s: LeningradState) -> list[float]:
        return self.counted(s, GERMAN, [True] * len(self.features))

    def counted(self, s: LeningradState, side: int, cares: Sequence[bool]) -> list[float]:
        found = self.everything(s, cares)
        if s.turn < self.last_turn:
            return found
        kept = self.over if s.outcome is not None else self.last[side]
        return [number if keep else 0.0 for number, keep in zip(found, kept, strict=True)]

    def everything(self, s: LeningradState, cares: Sequence[bool]) -> list[float]:
        """All features, whether or not there is time left for what they promise; of fears those that somebody has.

        They are remembered: units are often tried where they stood before, and replies leave most as it was.
        """
        key = (
            tuple(s.at), bytes(s.counted), bytes(s.control), tuple(cares), s.turn, s.mover, s.blitz, s.frozen, s.points,
            s.disrupted, s.entrenched, s.hurried, s.attacked, s.airlifted, s.garrisons, s.extra, s.down, s.waiting,
            s.gone, s.bought, s.lost,
        )  # fmt: skip
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            found = self._known[key] = self.surveyed(s, cares)
        return found

    def surveyed(self, s: LeningradState, cares: Sequence[bool]) -> list[float]:
        """The same, counted anew."""
        game = s.game
        counters = game.counters
        factor, at, here = counters.factor, s.at, s.here
        german_points, russian_points = victory.totals(s)
        lines = supply.lines(s, supply.OVERLAND)
        around = game.grounds[s.frozen].around
        slack = 0
        for node in game.leningrad:  # how long the city's last overland line is, or how far it falls short
            slack += self.line_to(s, lines, node) if s.control[node] == RUSSIAN else self.no_line
        siege = slack >= 2 * self.no_line or not supply.overland(s)
        disrupted, dug = s.disrupted, s.entrenched
        ready = ~(disrupted | s.hurried)
        sums = []
        threats = []
        crowded = raid = 0.0
        starving: dict[int, float] = {}  # Germans out of supply, hex by hex
        for side in (GERMAN, RUSSIAN):
            ours, theirs = counters.ground[side], counters.ground[1 - side]
            total = bad = cut = trench = way = threat = 0.0
            seen = set()
            for unit in s.take_from(ours):
                strength = factor[unit]
                node = at[unit]
                total += strength
                if disrupted >> unit & 1:
                    bad += 2 + strength
                elif dug >> unit & 1:
                    trench += 1
                if not supply.in_supply(s, unit):
                    cut += strength
                    if side == GERMAN:
                        starving[node] = starving.get(node, 0.0) + strength
                way += strength * self.goal[node]
                if node in seen:
                    continue
                seen.add(node)
                units = [u for u in here[node] if ours >> u & 1]
                mine = shaken = 0.0
                for u in units:
                    mine += factor[u] + (1 if dug >> u & 1 else 0)
                    if disrupted >> u & 1:
                        shaken += factor[u]
                if 2 * shaken >= mine:
                    mine *= SHAKEN
                if game.city[node] or node in game.leningrad_index:
                    mine += 1
                while len(units) > 1 and stacking.overstacked(s, units, side) is not None:
                    excess = min(units, key=factor.__getitem__)
                    units.remove(excess)
                    crowded += factor[excess] if side == RUSSIAN else -factor[excess]
                against = 0.0
                for near in around[node]:
                    for u in here.get(near, ()):
                        if theirs >> u & 1 and ready >> u & 1:
                            against += factor[u]
                if against > SAFE * mine:
                    threat += self.key[side][node] * mine * (min(MOST_ODDS, against / (mine or 1)) - SAFE)
            sums.append((total, bad, cut, trench, way))
            threats.append(threat)
        control = s.control
        for node, worth, far in self.raids:  # a place of points that lies open
            if control[node] == RUSSIAN and not s.held[RUSSIAN][node]:
                near = min([far[at[u]] for u in s.take_from(counters.ground[GERMAN])], default=9)
                raid += worth * max(0, 7 - near)
        exposed = lifeline = at_risk = loose = breach = pinched = 0.0
        depots = [node for node in game.supply_edges[GERMAN] if control[node] == GERMAN]  # their supply roads
        if any(cares[fear] for fear in self.fears):
            raided = self.raided(s)
            entered = self.entered(s, raided)
            at_risk, loose = self.at_risk(s, raided, entered)
            if cares[self.pinched]:
                pinched, _ = self.at_risk(s, self.dominated(s, raided), entered)
            if siege:
                breach = self.breach(s, entered)
            if s.turn < self.last_turn:
                lifeline = self.lifeline(s, raided)
                exposed = float(len([node for node in depots if raided[node] and not s.held[GERMAN][node]]))
            else:
                at_risk = pinched = 0.0  # nobody will starve any more
        german, russian = sums
        relief = self.relief(s, starving)
        return [
            german_points - russian_points,
            float(sum([control[node] == GERMAN for node in game.places])),
            1.0 if siege else 0.0,
            float(slack),
            german[0], -russian[0], -german[1], russian[1], relief - german[2], russian[2], german[3], -russian[3],
            -german[4], russian[4], threats[RUSSIAN], -threats[GERMAN], crowded, raid, self.storm(s),
            float(len(depots)), -at_risk, -exposed, lifeline, -breach, -loose, 1.0 if victory.german_crush(s) else 0.0,
            self.verdict(s, siege, german_points - russian_points), -pinched, -self.guns(s),
        ]  # fmt: skip

    def line_to(self, s: LeningradState, lines: array[int], node: int) -> int:
        """How long the shortest of some lines to a hex is: they need lead no nearer than next to it (ruling D62)."""
        near = (node, *s.game.grounds[s.frozen].around[node])
        return min([lines[n] for n in near if lines[n]], default=self.no_line)

    def relief(self, s: LeningradState, starving: dict[int, float]) -> float:
        """Factors that may hope for supply from the air tonight: who bombs in the blitzkrieg cannot fly it (11.6)."""
        if not starving or not s.blitz:
            return 0.0
        ready = (air.operational(s, GERMAN) & ~s.extra).bit_count()
        return LIFTED * sum(sorted(starving.values(), reverse=True)[:ready])

    def storm(self, s: LeningradState) -> float:
        """The chances to storm the hexes of Leningrad, with those Germans in supply who are or could soon be there."""
        factor, dug = s.game.counters.factor, s.entrenched
        germans = [unit for unit in s.take_from(s.game.counters.ground[GERMAN]) if supply.in_supply(s, unit)]
        found, most = 0.0, self.odds_line[-1]
        for node, near in self.approaches:
            if s.control[node] == GERMAN:
                found += 1.0 + MASSED * most
                continue
            against, defence = 0.0, 1.0
            for unit in germans:
                against += factor[unit] * near[s.at[unit]]
            garrison = s.ground_units(node, RUSSIAN)
            if garrison:
                found -= GUARDED
            for unit in garrison:
                defence += 2 * factor[unit] + (dug >> unit & 1)
            column = bisect_right(self.odds_line, against / defence) - 1
            if column >= 0:
                found += self.storms[column]
            found += MASSED * min(most, against / defence)
        return found

    def raided(self, s: LeningradState) -> array[int]:
        """Where Russians could stand next turn with nobody in their way: RAID hexes on foot, any distance by rail."""
        game = s.game
        graph, held, zone = game.board.graph, s.held[GERMAN], s.zone[GERMAN]
        ready = [s.at[unit] for unit in s.take_from(game.counters.ground[RUSSIAN] & ~s.disrupted)]
        shut = graph.shut(held, zone, s.held[RUSSIAN])
        for node in game.west_nodes:  # 7.16
            shut[node] = 1
        fresh = [node for node in self.southern if s.control[node] == RUSSIAN and not held[node]]  # reinforcements
        found = graph.flood(game.grounds[s.frozen].open, shut, ready + fresh, RAID)
        trains = [node for node in ready if game.rail_around[node]]
        if trains:  # off the map they may come round by another line
            trains += [node for node in game.rail_exits if s.control[node] == RUSSIAN and not held[node]]
            lines = graph.flood(game.rail_steps, shut, trains, -1)
            for node in game.rail_nodes:
                if lines[node]:
                    found[node] = 1
        return found

    def dominated(self, s: LeningradState, raided: array[int]) -> array[int]:
        """Where Russians could stand next turn, or have their zones (8.1), with no German there."""
        around, held = s.game.grounds[s.frozen].around, s.held[GERMAN]
        found = raided[:]
        for node in s.game.board.graph.reached(raided):
            for near in around[node]:
                if not held[near]:
                    found[near] = 1
        return found

    def entered(self, s: LeningradState, raided: array[int]) -> array[int]:
        """Where Russians could go next turn if they also step into German zones, and stop there."""
        game = s.game
        around, held, zone = game.grounds[s.frozen].around, s.held[GERMAN], s.zone[GERMAN]
        found = raided[:]
        for node in game.board.graph.marked(zone):
            if not held[node] and not raided[node]:
                for near in around[node]:  # 8.6: from one zone hex to another of the same enemy nobody may go
                    if 0 < raided[near] <= RAID and not (
                        zone[near] and zones.controllers(s, GERMAN, near) & zones.controllers(s, GERMAN, node)
                    ):
                        found[node] = 1
                        break
        return found

    def guns(self, s: LeningradState) -> float:
        """Germans whom the fleet could Disrupt from where it lies: by its fire, or when they attack (13.7, 13.8)."""
        fleet = s.game.counters.fleet
        if not s.afloat or (s.disrupted | s.attacked) >> fleet & 1:
            return 0.0
        node = s.at[fleet]
        found = self.targets(s, node) if s.mover == RUSSIAN else 0.0
        if s.ground_units(node, RUSSIAN):
            fronts = s.game.grounds[s.frozen].around[node]
            found = max(found, SHIELD * max([self.targets(s, front) for front in fronts], default=0.0))
        return found

    def targets(self, s: LeningradState, node: int) -> float:
        """What the fleet's fire at a hex does on average: Germans Disrupted, and their factors."""
        factor = s.game.counters.factor
        ready = [unit for unit in s.ground_units(node, GERMAN) if not s.disrupted >> unit & 1]
        return self.fire * float(sum([2 + factor[unit] for unit in ready]))

    def breach(self, s: LeningradState, entered: array[int]) -> float:
        """How near the city would be to supply overland if the Russians went wherever nobody stands: 0 to 2."""
        shut = supply.shut_to(s, RUSSIAN)
        for node in s.game.board.graph.reached(entered):
            if not s.held[GERMAN][node]:
                shut[node] = 0
        lines = supply.lines_past(s, RUSSIAN, shut, s.game.grounds[0])
        found = 0.0
        for node in s.game.leningrad:
            if s.control[node] == RUSSIAN or entered[node]:
                found += 1.0 - self.line_to(s, lines, node) / self.no_line
        return found

    def verdict(self, s: LeningradState, siege: bool, lead: int) -> float:
        """Who would win, the surer the nearer the end is: 1 for the Germans, -1 for the Russians, 0 for a draw."""
        gone = s.turn / self.last_turn
        if not siege:
            return -(gone**3)
        margin, spread = s.game.tables.numbers["marginal_lead"] - 0.5, 0.3 + DRIFT * (self.last_turn - s.turn)
        won, lost = (1 / (1 + exp(min(50.0, (margin - more) / spread))) for more in (lead, -lead))
        return float((won - lost) * gone**3)

    def lifeline(self, s: LeningradState, raided: array[int]) -> float:
        """Hexes of the highway from the west that supply the Germans; behind one that may be raided they count less.

        The west bank of the Narva is closed to Russians (7.16): no other road is as safe.
        """
        game = s.game
        foes, zone, friends, control = s.held[RUSSIAN], s.zone[RUSSIAN], s.held[GERMAN], s.control
        safe, found = 1.0, 0.0
        for node in self.highway:
            if foes[node] or (zone[node] and not friends[node]) or (game.keyed[node] and control[node] == RUSSIAN):
                break
            if raided[node] and not friends[node]:
                safe = UNSAFE
            found += safe
        return found

    def at_risk(self, s: LeningradState, raided: array[int], entered: array[int]) -> tuple[float, float]:
        """What would be lost if the Russians went wherever nobody stands: factors cut off, and points.

        A prize is lost if they enter it, or its supply is cut (14.1 to 14.3); in Narva they win one (14.10).
        """
        game, held = s.game, s.held[GERMAN]
        shut = supply.shut_to(s, GERMAN)
        for node in game.board.graph.reached(raided):
            shut[node] = 1
        lines = supply.lines_past(s, GERMAN, shut, game.grounds[s.frozen])
        lost = points = 0.0
        for unit in s.take_from(game.counters.ground[GERMAN]):
            if not supply.traced(s, lines, s.at[unit]):
                lost += game.counters.factor[unit]
        for node, worth in self.prizes:
            taken = entered[node] and not held[node]
            if s.control[node] == GERMAN and (taken or not supply.traced(s, lines, node)):
                points += worth
        if entered[game.narva] and not held[game.narva]:  # 14.10; 7.16: to attack Germans behind it
            points += self.narva
        return lost, points

    def unit_worth(self, s: LeningradState, unit: int) -> float:
        return FACTOR[s.game.side_of[unit]] * s.game.counters.factor[unit]

    def battle(self, s: Any, side: int, targets: list[int], attackers: list[int], forecast: Forecast) -> float:
        """As everywhere; but AE costs as much as the defence is strong, and D1 opens no hex of Leningrad (D10, D25)."""
        factor, city = s.game.counters.factor, s.game.leningrad_index
        theirs = sum([factor[u] for node in targets for u in s.stack(node) if self.game.side_of[u] != side])
        ours = sum([factor[u] for u in attackers])
        defence = float(dict(forecast.facts)["defence"])
        open_ground = sum([self.ground(s, side, node) for node in targets if node not in city])
        storm = sum([self.ground(s, side, node) for node in targets if node in city])
        value = 0.0
        for outcome in forecast.outcomes:
            blow = self.blows[outcome.result]
            lost = blow.loss * (min(ours, defence) if blow.most else ours)
            ground = open_ground * blow.ground + (storm * blow.ground if outcome.result in STORMED else 0.0)
            value += float(outcome.chance) * (blow.hurt * theirs * FACTOR[1 - side] + ground - lost * FACTOR[side])
        return value

    duties = True  # 2.6

    def owed(self, s: LeningradState) -> list[int]:
        return combat.neglected(s, s.mover, s.battles)

    def burdened(self, s: LeningradState, unit: int, node: int) -> bool:
        return bool(combat.neglected(s, s.mover, (*s.battles, ((node,), (unit,)))))

    def ground(self, s: LeningradState, side: int, node: int) -> float:
        game = s.game
        if node in game.leningrad_index:
            return 900.0
        if node == game.tichvin:
            return 400.0
        return (60.0 if game.keyed[node] else 0.0) + 30.0 * self.key[1 - side][node]

    def pull(self, s: LeningradState, side: int) -> list[float]:
        """Enemies draw, and so do the city for both and places in enemy hands."""
        game = s.game
        factor = game.counters.factor
        foes = {s.at[u]: float(factor[u]) for u in s.take_from(game.counters.ground[1 - side])}
        found = maps.influence(game.board, foes, 3)
        goal = self.goal
        for node in range(game.board.hexes):
            found[node] -= 0.4 * goal[node]
        for node in game.places:
            if s.control[node] != side or s.held[side][node]:
                found[node] += 4
        for node in game.supply_edges[GERMAN]:
            if s.control[node] == GERMAN:
                found[node] += 8
        if side == GERMAN:
            for node in self.highway:
                found[node] += 12 if game.keyed[node] and s.control[node] == RUSSIAN else 4
        return found

    def hopeless(self, s: LeningradState, side: int) -> bool:
        if side == GERMAN:
            left = sum(s.game.counters.factor[u] for u in s.take_from(s.game.counters.ground[GERMAN]))
            return s.turn >= self.last_turn - 2 and supply.overland(s) and left < 15
        return False
