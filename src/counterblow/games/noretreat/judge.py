"""What counts in No Retreat!, for computer players: cities, armies and their supply, open cities, threats."""

from __future__ import annotations

from typing import Any

from counterblow.games.noretreat.components import AXIS, SOVIET
from counterblow.games.noretreat.stacking import fits
from counterblow.games.noretreat.state import NoRetreatState
from counterblow.games.noretreat.supply import supplied, supply_net
from counterblow.games.noretreat.victory import finland_controlled, hex_vps, objectives_held, vps
from counterblow.kernel.forecast import Forecast
from counterblow.kernel.game import Game
from counterblow.players import judging, maps

FAR = 12
MOST_ODDS = 5.0  # beyond this a greater superiority adds nothing
SAFE = 0.6  # with less than this much against it a stack is safe
NEXT = 3  # cities that a unit has in mind
RAID = 5  # a city this near to an enemy, and open, is as good as lost


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
        self.row = [int(label[2:4]) if label[:4].isdigit() else 0 for label in game.board.labels]

    def length(self) -> int:
        return 28

    def clock(self, s: NoRetreatState) -> int:
        return 2 * s.turn + s.mover

    def formation(self, s: NoRetreatState, unit: int) -> int:
        row = self.row[s.at[unit]]
        return 0 if row <= 7 else 1 if row <= 13 else 2

    def count(self, s: NoRetreatState) -> list[float]:
        at, around = s.at, s.game.board.around
        sites = self.sites
        held = s.held
        wanted: tuple[list[int], list[int]] = ([], [])  # sites that each side lacks
        for site in range(len(sites)):
            wanted[SOVIET if s.controls(AXIS, site) else AXIS].append(site)
        strength = [0.0, 0.0]
        cut = [0.0, 0.0]
        march = [0.0, 0.0]
        threat = [0.0, 0.0]
        guarded = [0.0, 0.0]
        power: list[dict[int, float]] = [{}, {}]
        crowded = 0.0
        for side in (AXIS, SOVIET):
            net = supply_net(s, side)
            goals = [self.to_site[site] for site in wanted[side]]
            mine = power[side]
            for unit in s.army(side):
                worth = s.strength(unit)
                node = at[unit]
                strength[side] += 1 + worth
                if s.unsupplied(unit) or not supplied(s, unit, net):
                    cut[side] += 1 + worth
                if goals and worth:
                    march[side] += min(4, worth) * sum(sorted([goal[node] for goal in goals])[:NEXT]) / NEXT
                mine[node] = mine.get(node, 0.0) + worth
            for node in mine:
                units = s.here[node]
                if len(units) > 1 and not fits(s, units, side):
                    crowded += -1 if side == AXIS else 1
        for side in (AXIS, SOVIET):
            theirs = power[1 - side]
            for node, mine_here in power[side].items():
                against = 0.0
                for near in around[node]:
                    against += theirs.get(near, 0.0)
                site = self.charts.site_at[node] if node < len(self.charts.site_at) else -1
                defence = (mine_here or 0.5) * (1.5 if site >= 0 else 1.0)
                if site >= 0:
                    guarded[side] += self.value[site] if against else 0.3 * self.value[site]
                if against > SAFE * defence:
                    key = self.value[site] + 1 if site >= 0 else 1.0
                    threat[side] += key * (1 + mine_here) * (min(MOST_ODDS, against / defence) - SAFE)
        openness = [0.0, 0.0]
        for side in (AXIS, SOVIET):
            undefended = [site for site in wanted[1 - side] if not held[side][sites[site]]]
            for unit in s.army(1 - side):  # each raider has one city in mind
                if not undefended:
                    break
                node = at[unit]
                site = min(undefended, key=lambda site: self.to_site[site][node])
                near = self.to_site[site][node]
                if near <= RAID and s.strength(unit):
                    held_back = 0.4 if s.zone[side][node] else 1.0
                    openness[side] += held_back * self.value[site] * (RAID + 1 - near) / RAID
                    undefended.remove(site)
        boxes = [
            len(s.in_box(side, "Destroyed"))
            + 3 * len(s.in_box(side, "Surrendered"))
            + 0.5 * len(s.in_box(side, "Shattered"))
            for side in (AXIS, SOVIET)
        ]
        finland = finland_controlled(s)
        return [
            (hex_vps(s, AXIS) - hex_vps(s, SOVIET)) / 2 + s.event_vp - (0.5 if finland == SOVIET else 0.0),
            objectives_held(s, AXIS, traced=False) - objectives_held(s, SOVIET, traced=False),
            strength[AXIS], -strength[SOVIET], -cut[AXIS], cut[SOVIET], -march[AXIS], march[SOVIET],
            threat[SOVIET], -threat[AXIS], -openness[AXIS], openness[SOVIET], crowded, -boxes[AXIS], boxes[SOVIET],
            s.hands[AXIS].bit_count(), -s.hands[SOVIET].bit_count(), guarded[AXIS] - guarded[SOVIET],
            s.support[AXIS] - s.support[SOVIET],
        ]  # fmt: skip

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
        play = s.game.play_of(s.scenario)
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
