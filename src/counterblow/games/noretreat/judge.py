"""What counts in No Retreat!, for computer players: cities, armies and their supply, open cities, threats."""

from __future__ import annotations

from typing import Any, NamedTuple

from counterblow.games.noretreat.components import AXIS, SOVIET, UNSUPPLIED
from counterblow.games.noretreat.stacking import fits
from counterblow.games.noretreat.state import NoRetreatState
from counterblow.games.noretreat.supply import supplied, supply_net
from counterblow.games.noretreat.victory import finland_controlled, hex_vps, objectives_held, vps
from counterblow.kernel.forecast import Forecast
from counterblow.kernel.game import Game
from counterblow.kernel.masks import bits
from counterblow.players import judging, maps

FAR = 12
MOST_ODDS = 5.0  # beyond this a greater superiority adds nothing
SAFE = 0.6  # with less than this much against it a stack is safe
NEXT = 3  # cities that a unit has in mind
REMEMBERED = 2048  # states of the map's cities, and of the map
RAID = 5  # hexes: a city this near to an enemy, and open, is as good as lost
LAST = 2.0  # how much more cities count on the last turn
GATES = 2  # hexes: the enemy stands at the gates
SECOND_YEAR = 7  # turn: strong stacks tempt a third unit in, since what it would threaten seems worth its loss ...
CROWDED = 5.0  # ... so that from then on it counts this many times as much
AT_ONCE = (1.0, 0.8, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1)  # the enemy cannot be everywhere: shares of the most open cities


class Front(NamedTuple):
    """What the map tells, for each side."""

    march: list[float]
    openness: list[float]
    cut: list[float]
    threat: list[float]
    guarded: list[float]
    strength: list[float]
    crowded: float


class Judge(judging.Judge):
    features = (
        "cities", "objectives", "axis", "soviet", "axis_cut_off", "soviet_cut_off", "axis_march", "soviet_march",
        "axis_threat", "soviet_threat", "axis_open", "soviet_open", "crowded", "axis_lost", "soviet_lost",
        "axis_cards", "soviet_cards", "guarded", "support",
    )  # fmt: skip
    formations = ("the north", "the centre", "the south")

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        rules: Any = game
        self.charts = rules.charts
        self.sites = tuple(self.charts.site_node)
        self.to_site = tuple(maps.distances(game.board, (node,), FAR) for node in self.sites)
        special = {*self.charts.objectives[AXIS], *self.charts.objectives[SOVIET]}
        self.value = tuple(3.0 if site in special else 1.0 for site in range(len(self.sites)))
        self._ways: dict[int, tuple[float, ...]] = {}
        self._fronts: dict[tuple[Any, ...], Front] = {}
        self.row = [int(label[2:4]) if label[:4].isdigit() else 0 for label in game.board.labels]

    def length(self) -> int:
        return 28

    def clock(self, s: NoRetreatState) -> int:
        return 2 * s.turn + s.mover

    def formation(self, s: NoRetreatState, unit: int) -> int:
        row = self.row[s.at[unit]]
        return 0 if row <= 7 else 1 if row <= 13 else 2

    def count(self, s: NoRetreatState) -> list[float]:
        march, openness, cut, threat, guarded, strength, crowded = self.front(s)
        boxes = [
            len(s.in_box(side, "Destroyed"))
            + 3 * len(s.in_box(side, "Surrendered"))
            + 0.5 * len(s.in_box(side, "Shattered"))
            for side in (AXIS, SOVIET)
        ]
        finland = finland_controlled(s)
        last = s.turn >= s.game.plays[s.scenario].last_turn  # what is held when it ends decides
        if last:
            march, openness = [0.5 * far for far in march], [LAST * lost for lost in openness]
        return [
            (LAST if last else 1.0)
            * ((hex_vps(s, AXIS) - hex_vps(s, SOVIET)) / 2 + s.event_vp - (0.5 if finland == SOVIET else 0.0)),
            objectives_held(s, AXIS, traced=False) - objectives_held(s, SOVIET, traced=False),
            strength[AXIS], -strength[SOVIET], -cut[AXIS], cut[SOVIET], -march[AXIS], march[SOVIET],
            threat[SOVIET], -threat[AXIS], -openness[AXIS], openness[SOVIET],
            crowded if s.turn < SECOND_YEAR else CROWDED * crowded, -boxes[AXIS], boxes[SOVIET],
            s.hands[AXIS].bit_count(), -s.hands[SOVIET].bit_count(), guarded[AXIS] - guarded[SOVIET],
            s.support[AXIS] - s.support[SOVIET],
        ]  # fmt: skip

    def front(self, s: NoRetreatState) -> Front:
        """What the map tells: remembered, since cards, replies and losses leave most of it as it was."""
        key = (
            tuple(s.at), bytes(s.counted), bytes(s.face), bytes(s.marks), s.sites, s.turn, s.mover, s.cut, s.scorched,
            s.blockade,
        )  # fmt: skip
        found = self._fronts.get(key)
        if found is None:
            if len(self._fronts) >= REMEMBERED:
                self._fronts.clear()
            found = self._fronts[key] = self.surveyed(s)
        return found

    def surveyed(self, s: NoRetreatState) -> Front:
        """The same, counted anew: armies and their supply, ways, open cities, threats, garrisons."""
        at, around = s.at, s.game.board.around
        marks = s.marks
        lacking = (s.sites, ~s.sites & self.charts.all_sites)  # sites that each side lacks
        face, strengths = s.face, s.game.strength
        strength = [0.0, 0.0]
        cut = [0.0, 0.0]
        march = [0.0, 0.0]
        threat = [0.0, 0.0]
        guarded = [0.0, 0.0]
        power: list[dict[int, int]] = [{}, {}]
        crowded = 0.0
        for side in (AXIS, SOVIET):
            net = supply_net(s, side)
            lines = net.reach
            ways = self.ways(lacking[side])
            mine = power[side]
            for unit in s.army(side):
                worth = strengths[face[unit]][unit]
                node = at[unit]
                strength[side] += 1 + worth
                if marks[unit] & UNSUPPLIED or not (lines[node] or supplied(s, unit)):
                    cut[side] += 1 + worth
                if ways and worth:
                    march[side] += min(4, worth) * ways[node]
                if node in mine:
                    mine[node] += worth
                    if not fits(s, s.here[node], side):
                        crowded += -1 if side == AXIS else 1
                else:
                    mine[node] = worth
        for side in (AXIS, SOVIET):
            theirs = power[1 - side]
            for node, holding in power[side].items():
                against = 0
                for near in around[node]:
                    if near in theirs:
                        against += theirs[near]
                site = self.charts.site_at[node] if node < len(self.charts.site_at) else -1
                defence = (holding or 0.5) * (1.5 if site >= 0 else 1.0)
                if site >= 0:
                    guarded[side] += self.value[site] if against else 0.3 * self.value[site]
                if against > SAFE * defence:
                    key = self.value[site] + 1 if site >= 0 else 1.0
                    threat[side] += key * (1 + holding) * (min(MOST_ODDS, against / defence) - SAFE)
        openness = [self.open_cities(s, side, lacking[1 - side], list(power[1 - side])) for side in (AXIS, SOVIET)]
        return Front(march, openness, cut, threat, guarded, strength, crowded)

    def open_cities(self, s: NoRetreatState, side: int, own: int, raiders: list[int]) -> float:
        """A side's cities without a garrison that enemies could reach: not through its units or out of its zones."""
        held, zone = s.held[side], s.zone[side]
        undefended = [site for site in bits(own) if not held[self.sites[site]]]
        if not undefended:
            return 0.0
        graph, around = self.charts.graph, s.game.board.around
        reach = graph.flood(self.charts.supply_steps, graph.shut(held, zone, s.held[1 - side]), raiders, RAID)
        found: list[float] = []
        for site in undefended:
            node = self.sites[site]
            near = reach[node]
            if not near and zone[node]:
                near = min([reach[n] + 1 for n in around[node] if reach[n] and not zone[n]], default=0)
            if not near:  # a zone does not keep out for long who stands at the gates
                gates = min([self.to_site[site][raider] for raider in raiders], default=FAR)
                near = gates + 1 if gates <= GATES else 0
            if 0 < near <= RAID + 1:
                found.append(self.value[site] * (RAID + 2 - near) / RAID)
        found.sort(reverse=True)
        return float(sum([worth * share for worth, share in zip(found, AT_ONCE, strict=False)]))

    def ways(self, lacking: int) -> tuple[float, ...]:
        """From each node how far it is to the next cities that a side lacks, on average; remembered."""
        found = self._ways.get(lacking)
        if found is None:
            goals = [self.to_site[site] for site in bits(lacking)]
            nodes = range(self.game.board.size) if goals else ()
            found = tuple([sum(sorted([goal[node] for goal in goals])[:NEXT]) / NEXT for node in nodes])
            if len(self._ways) >= REMEMBERED:
                self._ways.clear()
            self._ways[lacking] = found
        return found

    def unit_worth(self, s: NoRetreatState, unit: int) -> float:
        return 40.0 + 25.0 * s.strength(unit)

    def battle(self, s: Any, side: int, targets: list[int], attackers: list[int], forecast: Forecast) -> float:
        """As everywhere; but an exchange costs each side one step (10.7)."""
        value = super().battle(s, side, targets, attackers, forecast)
        defenders = [u for node in targets for u in s.stack(node) if s.game.side_of[u] != side]
        if not defenders:
            return value
        even = 0.4 * min(self.unit_worth(s, u) for u in defenders) - 0.4 * min(self.unit_worth(s, u) for u in attackers)
        return value + even * float(forecast.chance("EX") + forecast.chance("counterattack EX"))

    def ground(self, s: NoRetreatState, side: int, node: int) -> float:
        site = self.charts.site_at[node] if node < len(self.charts.site_at) else -1
        return 25.0 if site < 0 else 120.0 * self.value[site]

    def hopeless(self, s: NoRetreatState, side: int) -> bool:
        """In a scenario of a few turns: the side that must win points, if five are lacking on the last turn."""
        play = s.game.plays[s.scenario]
        if play.standard or side != play.winner or s.turn < play.last_turn:
            return False
        needed = s.options["barbarossa_vp"] if play.vp_option else play.vp
        return bool(vps(s, side) + 5 <= needed)

    def pull(self, s: NoRetreatState, side: int) -> list[float]:
        """Enemies draw, and cities: those in enemy hands, and one's own with the enemy near."""
        board = s.game.board
        foes: dict[int, float] = {}
        for unit in s.army(1 - side):
            foes[s.at[unit]] = foes.get(s.at[unit], 0.0) + 1.0 + s.strength(unit)
        near_foes = maps.influence(board, foes, 3)
        found = near_foes[:]
        for site, node in enumerate(self.sites):
            if not s.controls(side, site):
                draw = 3.0 * self.value[site]
                found[node] += 12.0
            elif s.held[side][node]:
                draw = 0.0
                found[node] += near_foes[node]
            else:
                draw = min(3.0, near_foes[node]) * self.value[site]
                found[node] += 2 * draw
            for distance, nodes in enumerate(maps.rings(board, node, 4)):
                for near in nodes:
                    found[near] += draw * (5 - distance) / 5
        return found
