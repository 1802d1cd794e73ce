"""What counts in Across the Narva, for computer players: victory points, the way to Narva, command, supply, threats."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from counterblow.games.narva.components import GERMAN, SOVIET
from counterblow.games.narva.state import SUPPLIED, NarvaState
from counterblow.games.narva.victory import soviet_points
from counterblow.kernel.actions import Action
from counterblow.kernel.forecast import Forecast
from counterblow.kernel.game import Game
from counterblow.kernel.state import NOWHERE
from counterblow.players import judging, maps

FAR = 14
MOST_ODDS = 4.0
SAFE = 0.6  # with less than this much against it a stack is safe
GUARD = 5  # hexes: Soviets this near to Narva call for a garrison


class Judge(judging.Judge):
    features = (
        "points", "german", "soviet", "german_cut_off", "soviet_cut_off", "drive", "screen", "guard",
        "german_command", "soviet_command", "armies", "german_threat", "soviet_threat", "german_reach", "soviet_reach",
        "fall",
    )  # fmt: skip
    formations = ("the southern front", "the centre", "the northern front")

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        rules: Any = game
        self.value = [0.0] * game.board.size
        for feature in rules.features:
            for node in feature.nodes:
                self.value[node] += feature.points
        for node in rules.sudden_death:
            self.value[node] += 20.0
        goals = [node for node, value in enumerate(self.value) if value]
        self.to_goal = maps.distances(game.board, goals, FAR)
        self.to_narva = maps.distances(game.board, rules.sudden_death, FAR)
        self.needed = min(level.least for level in rules.levels if level.winner == SOVIET)
        self.row = [int(label[2:4]) if label[:4].isdigit() else 0 for label in game.board.labels]

    def length(self) -> int:
        game: Any = self.game
        return int(game.numbers["turns"])

    def clock(self, s: NarvaState) -> int:
        """Activations: a reply is the next one or two of the enemy."""
        return 40 * s.turn + s.used[0] + s.used[1]

    def formation(self, s: NarvaState, unit: int) -> int:
        row = self.row[s.at[unit]]
        return 0 if row <= 15 else 1 if row <= 25 else 2

    def count(self, s: NarvaState) -> list[float]:
        game, at, step, supply = s.game, s.at, s.step, s.supply
        strengths, distance = game.strengths, game.distance
        power: list[dict[int, list[float]]] = [{}, {}]  # side -> hex -> attack, defence
        total = [0.0, 0.0]
        cut = [0.0, 0.0]
        drive = 0.0
        for side in (GERMAN, SOVIET):
            mine = power[side]
            for unit in game.fighting[side]:
                node = at[unit]
                if node == NOWHERE:
                    continue
                attack, defence, _ = strengths[unit][step[unit]]
                total[side] += attack + defence
                if supply[unit] != SUPPLIED:
                    cut[side] += 1
                here = mine.get(node)
                if here is None:
                    mine[node] = [float(attack), float(defence)]
                else:
                    here[0] += attack
                    here[1] += defence
                if side == SOVIET and attack:
                    drive += min(FAR, self.to_narva[node]) + self.to_goal[node]
        around = game.around
        threat = [0.0, 0.0]
        for side in (GERMAN, SOVIET):
            theirs = power[1 - side]
            for node, (_, holding) in power[side].items():
                against = 0.0
                for near in around[node]:
                    other = theirs.get(near)
                    if other is not None:
                        against += other[0]
                if against > SAFE * holding:
                    key = 1.0 + min(4.0, self.value[node]) / 4 + max(0, 6 - self.to_narva[node]) / 6
                    threat[side] += key * (min(MOST_ODDS, against / (holding or 0.5)) - SAFE) * (2 + holding)
        soviets = list(power[SOVIET])
        away = game.graph.flood(game.adjacent, game.nothing, sorted(soviets), FAR) if soviets else None
        screen = guard = 0.0
        if away is not None:
            for node in power[GERMAN]:
                far = (away[node] or FAR) - 1
                screen -= max(0, far - 2)
            for node in game.sudden_death:
                if s.held[GERMAN][node]:
                    guard += 1.0 if 0 < away[node] <= GUARD + 1 else 0.2
        command = [0.0, 0.0]
        reach = [0.0, 0.0]
        for side in (GERMAN, SOVIET):
            for hq in game.hq_roster[side]:
                place = at[hq]
                if place == NOWHERE:
                    continue
                radius = game.units[hq].range
                near_foe = FAR
                for unit in game.members.get(hq, ()):
                    node = at[unit]
                    if node != NOWHERE:
                        far = distance(place, node) - radius
                        command[side] += 1.0 if far <= 0 else -0.5 * min(far, 6)
                for node in power[1 - side]:
                    far = distance(place, node)
                    if far < near_foe:
                        near_foe = far
                reach[side] -= max(0, near_foe - radius)
        armies = 0.0
        centres = [(at[hq], game.units[hq].range) for hq in game.army_hqs if at[hq] != NOWHERE]
        for hq in game.corps_hqs:
            seat = at[hq]
            if seat != NOWHERE and any(distance(place, seat) <= radius for place, radius in centres):
                armies -= 1.0
        return [
            -float(soviet_points(s)), total[GERMAN], -total[SOVIET], -cut[GERMAN], cut[SOVIET], drive, screen, guard,
            command[GERMAN], -command[SOVIET], armies, threat[SOVIET], -threat[GERMAN], reach[GERMAN], -reach[SOVIET],
            -float(any(s.held[SOVIET][node] for node in game.sudden_death)),
        ]  # fmt: skip

    def unit_worth(self, s: NarvaState, unit: int) -> float:
        attack, defence, _ = s.game.strengths[unit][s.step[unit]]
        return 10.0 * attack + 4.0 * defence

    def ground(self, s: NarvaState, side: int, node: int) -> float:
        taken = s.owner(node) == SOVIET
        near = 12.0 * max(0, 8 - self.to_narva[node]) / 8
        gain = 60.0 * min(6.0, self.value[node])
        return 15.0 + near + (gain if taken == (side == GERMAN) or self.value[node] else 0.0)

    def battle(self, s: Any, side: int, targets: list[int], attackers: list[int], forecast: Forecast) -> float:
        """Steps lost on both sides, and the ground that a retreat leaves open (9.0)."""
        ground = sum(self.ground(s, side, node) for node in targets)
        step = (30.0, 14.0)  # a step of either side: the Soviets have more
        value = 0.0
        for outcome in forecast.outcomes:
            loss, back, cost, away = _read(outcome.result)
            gain = loss * step[1 - side] + (ground if back else 0.0) + 4.0 * back - cost * step[side] - 6.0 * away
            value += float(outcome.chance) * gain
        return value

    def pull(self, s: NarvaState, side: int) -> list[float]:
        foes = {s.at[u]: 2.0 for u in s.game.fighting[1 - side] if s.at[u] != NOWHERE}
        found = maps.influence(s.game.board, foes, 2)
        to_narva, to_goal = self.to_narva, self.to_goal
        for node in range(s.game.board.hexes):
            found[node] += 0.5 * (FAR - to_narva[node]) + (FAR - to_goal[node]) * (0.5 if side == SOVIET else 0.2)
            if self.value[node]:
                found[node] += 3.0
        return found

    def hopeless(self, s: NarvaState, side: int) -> bool:
        """The Soviets, if they are twenty points short with a turn to go."""
        return side == SOVIET and s.turn >= self.last_turn and soviet_points(s) + 20 < self.needed

    def likely(self, s: NarvaState, side: int, legal: list[Action]) -> list[Action]:
        """Of many units or hexes, those nearest to the enemy."""
        if len(legal) <= MANY:
            return legal
        pull = self.pull(s, side)
        hqs = [s.at[hq] for hq in s.game.hq_roster[side] if s.at[hq] != NOWHERE]

        def draw(action: Action) -> float:
            if not action.args:
                return 1e9
            if action.kind == "place":  # a headquarters: where it commands most, out of the enemy's reach
                node = int(action.args[0])
                covered = sum(1 for hq in hqs if s.game.distance(hq, node) <= COMMAND)
                return covered - (100.0 if s.zone[1 - side][node] else 0.0) + pull[node] / 100
            value = action.args[-1]
            if action.kind == "add":
                node = s.at[value]
                return pull[node] if node != NOWHERE else 0.0
            return pull[value] if isinstance(value, int) and value < len(pull) else 0.0

        return sorted(legal, key=draw, reverse=True)[:MANY]

    def habit(self, s: NarvaState, side: int, legal: list[Action]) -> Action | None:
        """Headquarters take everybody along whom they may; the nearest to the enemy first."""
        adds = [a for a in legal if a.kind == "add"]
        if adds and any(a.kind == "no_more" for a in legal):
            pull = self.pull(s, side)
            best = max(adds, key=lambda a: pull[s.at[a.args[0]]])
            return best if pull[s.at[best.args[0]]] > 8.0 else next(a for a in legal if a.kind == "no_more")
        return None


COMMAND = 12  # hexes: the range of an army's headquarters
MANY = 12  # options of a long list that deserve a look


@cache
def _read(result: str) -> tuple[int, int, int, int]:
    """A result in words of the table: steps the defender loses, hexes back, and the same for the attacker."""
    loss = back = cost = away = 0
    for side, steps, hexes in re.findall(r"\b([DA])(\d?)(?:r(\d))?", result):
        if side == "D":
            loss, back = loss + int(steps or 0), back + int(hexes or 0)
        else:
            cost, away = cost + int(steps or 0), away + int(hexes or 0)
    return loss, back, cost, away
