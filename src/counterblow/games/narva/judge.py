"""What counts in Across the Narva, for computer players: victory points, the way to Narva, command, supply, threats."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from counterblow.games.narva.components import GERMAN, SOVIET
from counterblow.games.narva.defences import division_at
from counterblow.games.narva.state import SUPPLIED, NarvaState
from counterblow.games.narva.supply import where_supplied
from counterblow.games.narva.victory import soviet_points
from counterblow.kernel.actions import Action
from counterblow.kernel.forecast import Forecast
from counterblow.kernel.game import Game
from counterblow.kernel.state import NOWHERE
from counterblow.players import judging, maps

FAR = 14
MOST_ODDS = 4.0
SAFE = 0.6  # with less than this much against it a stack is safe
TOUCHING = 2  # in a flood that begins with 1
NEAR = 8  # hexes: as much of the rollbahn is watched
STRIKE = 4  # hexes: as far Soviets walk where no German stands nor has a zone
GUARD = 5  # hexes: Soviets this near to Narva call for a garrison
FAR_OFF = 0.2  # of the danger, while a line still keeps them out
DEEP = 8  # defence strength beyond which a garrison is no better
CUT_OFF = 0.2  # of what a unit in Narva counts if it has no supply
COVER = {"woods": 1.4, "city": 1.6, "village": 1.2, "doubled": 2.0, "prepared": 2.5}  # on the defence, for threats
STEP = (30.0, 14.0)  # what a step of either side is worth in battle: the Soviets have more
TOWN = 900.0  # what a hex of Narva is worth to whoever takes it
BOX = 40.0  # what wearing the Prepared Defenses down by a box is worth


class Judge(judging.Judge):
    features = (
        "points", "german", "soviet", "german_cut_off", "soviet_cut_off", "drive", "screen", "guard",
        "german_command", "soviet_command", "armies", "german_threat", "soviet_threat", "german_reach", "soviet_reach",
        "fall", "rollbahn", "depth", "forts", "ring", "gaps",
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
        self._to_go: dict[int, list[int]] = {}
        self.key = [  # how much a stack is in the way where it stands
            6.0 if far == 0 else 1.0 + min(4.0, value) / 4 + max(0, 6 - far) / 6
            for value, far in zip(self.value, self.to_narva, strict=True)
        ]
        self._draws = tuple(  # side -> hex, before units come in
            [
                0.5 * (FAR - far) + share * (FAR - near) + (3.0 if value else 0.0)
                for far, near, value in zip(self.to_narva, self.to_goal, self.value, strict=True)
            ]
            for share in (0.2, 0.5)
        )
        self.forts = [node for node in range(game.board.hexes) if rules.ground.pd[node] >= 0]
        self.ring = sorted(
            {near for node in rules.sudden_death for near in rules.around[node]} - set(rules.sudden_death)
        )
        self.vital = sorted(  # where Soviets may not come through: around Narva and on the last leg of the rollbahn
            {node for node in rules.rollbahn_supply if self.to_narva[node] <= NEAR} | set(self.ring)
        )
        self.cover = [self._cover(node) for node in range(game.board.hexes)]
        halves, step_of = rules.ground.halves, game.board.step_of
        self.press = [  # hex -> hexes next to it, and how much of an attack from there counts
            tuple((near, 0.5 if halves[step_of[near, node]] else 1.0) for near in rules.around[node])
            for node in range(game.board.hexes)
        ]
        self._hexes_from: dict[int, bytes] = {}
        self.needed = min(level.least for level in rules.levels if level.winner == SOVIET)
        self.row = [int(label[2:4]) if label[:4].isdigit() else 0 for label in game.board.labels]

    def _cover(self, node: int) -> tuple[float, float]:
        """By how much the ground strengthens the defence of either side: shifts and ignored results count too."""
        rules: Any = self.game
        ground = rules.ground
        found = COVER["city"] if node in ground.city else COVER["village"] if ground.halts[node] else 1.0
        if ground.doubles[node]:
            found *= COVER["doubled"]
        elif ground.shift[node]:
            found *= COVER["woods"]
        return (found * COVER["prepared"] if ground.pd[node] >= 0 else found, found)

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
        strengths = game.strengths
        attacks: tuple[dict[int, int], dict[int, int]] = ({}, {})  # side -> hex -> what stands there
        defences: tuple[dict[int, int], dict[int, int]] = ({}, {})
        total = [0, 0]
        cut = [0, 0]
        drive = 0
        to_go = self._to_go.get(s.red) or self.to_go(s.red)
        for side in (GERMAN, SOVIET):
            attacking, holding = attacks[side], defences[side]
            strength = unsupplied = 0
            for unit in game.fighting[side]:
                node = at[unit]
                if node == NOWHERE:
                    continue
                attack, defence, _ = strengths[unit][step[unit]]
                strength += attack + defence
                if supply[unit] != SUPPLIED:
                    unsupplied += 1
                if node in attacking:
                    attacking[node] += attack
                    holding[node] += defence
                else:
                    attacking[node] = attack
                    holding[node] = defence
                if attack and side == SOVIET:
                    drive += to_go[node]
            total[side], cut[side] = strength, unsupplied
        flood = game.graph.flood
        away = tuple([flood(game.adjacent, game.nothing, list(attacks[1 - side]), FAR) for side in (GERMAN, SOVIET)])
        around = game.around
        threat = [0.0, 0.0]
        for side in (GERMAN, SOVIET):
            theirs, foe_at = attacks[1 - side], away[side]
            for node, holding_here in defences[side].items():
                if foe_at[node] != TOUCHING:
                    continue
                against = 0.0
                for near, share in self.press[node]:
                    if near in theirs:
                        against += share * theirs[near]
                odds = against / (self.cover[node][side] * holding_here or 0.5)
                if odds > SAFE:
                    threat[side] += self.key[node] * (min(MOST_ODDS, odds) - SAFE) * (2 + holding_here)
        screen = guard = depth = gaps = 0.0
        if attacks[SOVIET]:
            foe_at = away[GERMAN]
            for node in attacks[GERMAN]:
                far = (foe_at[node] or FAR) - 1
                if far > 2:
                    screen -= far - 2
            manned = s.held[GERMAN]
            walls = game.graph.shut(manned, s.zone[GERMAN], s.held[SOVIET])
            walk = flood(game.adjacent, walls, list(attacks[SOVIET]), STRIKE)  # Soviets on the way, out of zones
            for node in game.sudden_death:
                danger = FAR_OFF if 0 < foe_at[node] <= GUARD + 1 else 0.0
                if walk[node] or any(0 < walk[near] < STRIKE for near in around[node]):
                    danger = 1.0
                if not manned[node]:
                    guard -= danger
                else:
                    depth += danger * min(DEEP, defences[GERMAN].get(node, 0))
            for node in self.vital:
                if walk[node] > 1:
                    gaps -= 1.0
        command = [0.0, 0.0]
        reach = [0.0, 0.0]
        for side in (GERMAN, SOVIET):
            for hq in game.hq_roster[side]:
                place = at[hq]
                if place == NOWHERE:
                    continue
                radius = game.units[hq].range
                hexes = self.hexes_from(place)
                for unit in game.members.get(hq, ()):
                    node = at[unit]
                    if node != NOWHERE:
                        far = hexes[node] - radius
                        command[side] += 1.0 if far <= 0 else -0.5 * min(far, 6)
                near_foe = (away[side][place] or FAR + 1) - 1
                if near_foe > radius:
                    reach[side] -= near_foe - radius
        armies = 0.0
        centres = [(self.hexes_from(at[hq]), game.units[hq].range) for hq in game.army_hqs if at[hq] != NOWHERE]
        for hq in game.corps_hqs:
            seat = at[hq]
            if seat != NOWHERE and any(hexes[seat] <= radius for hexes, radius in centres):
                armies -= 1.0
        return [
            -float(soviet_points(s)), total[GERMAN], -total[SOVIET], -cut[GERMAN], cut[SOVIET], drive, screen, guard,
            command[GERMAN], -command[SOVIET], armies, threat[SOVIET], -threat[GERMAN], reach[GERMAN], -reach[SOVIET],
            -self._fallen(s), -float(any(s.held[SOVIET][node] for node in game.rollbahn_supply)), depth,
            float(sum([s.held[GERMAN][node] for node in self.forts])),
            -float(sum([s.held[SOVIET][node] for node in self.ring])), gaps,
        ]  # fmt: skip

    def to_go(self, red: int) -> list[int]:
        """How far every hex is from Narva, and from the next place of points that the Soviets do not have yet."""
        rules: Any = self.game
        goals = [node for node, value in enumerate(self.value) if value and not red & rules.victory_bits[node]]
        near = maps.distances(rules.board, goals, FAR)
        found = self._to_go[red] = [far + close for far, close in zip(self.to_narva, near, strict=True)]
        return found

    def _fallen(self, s: NarvaState) -> float:
        """Is a Soviet unit in Narva, and will it have supply there when the turn ends (13.1a)?"""
        inside = [node for node in s.game.sudden_death if s.held[SOVIET][node]]
        if not inside:
            return 0.0
        supplied = where_supplied(s, SOVIET)
        return 1.0 if any(supplied[node] for node in inside) else CUT_OFF

    def hexes_from(self, place: int) -> bytes:
        """How far every hex is from one, remembered: headquarters stay where they are for many positions."""
        found = self._hexes_from.get(place)
        if found is None:
            rules: Any = self.game
            hexes = rules.board.hexes
            away = [rules.distance(place, node) if node < hexes else FAR for node in range(rules.board.size)]
            found = self._hexes_from[place] = bytes(away)
        return found

    def unit_worth(self, s: NarvaState, unit: int) -> float:
        attack, defence, _ = s.game.strengths[unit][s.step[unit]]
        return 10.0 * attack + 4.0 * defence

    def ground(self, s: NarvaState, side: int, node: int) -> float:
        taken = s.owner(node) == SOVIET
        near = 12.0 * max(0, 8 - self.to_narva[node]) / 8
        gain = TOWN if self.to_narva[node] == 0 else 60.0 * min(6.0, self.value[node])
        return 15.0 + near + (gain if taken == (side == GERMAN) or self.value[node] else 0.0)

    def battle(self, s: Any, side: int, targets: list[int], attackers: list[int], forecast: Forecast) -> float:
        """Steps lost on both sides, and the ground that a retreat leaves open (9.0).

        A city saves a step (9.4.4), places and defences a hex of retreat (9.5.6); defences then take the rest (11.3.4).
        """
        target = targets[0] if targets else s.agenda[-1][-1].targets[0]
        fort = division_at(s, target, 1 - side)
        boxes = len(s.game.pd_boxes) - 1 - s.pd[fort] if fort >= 0 else 0
        saved = int(target in s.game.ground.city)
        firm = int(fort >= 0 or s.game.ground.halts[target])
        steps = sum([s.step[unit] for unit in s.combat_units(target)])
        ground = self.ground(s, side, target)
        value = 0.0
        for outcome in forecast.outcomes:
            loss, back, cost, away = _read(outcome.result)
            loss = max(0, loss - saved)
            back = max(0, back - firm)
            worn = min(boxes, loss + back)
            back -= max(0, worn - loss)
            loss = min(steps, max(0, loss - worn))
            gain = loss * STEP[1 - side] + BOX * worn - cost * STEP[side] - 6.0 * away
            if back or loss == steps:
                gain += ground + 4.0 * back
            value += float(outcome.chance) * gain
        return value

    def pull(self, s: NarvaState, side: int) -> list[float]:
        """Enemies draw, Narva, and places of points."""
        found = self._draws[side][:]
        board = s.game.board
        for node in {s.at[u] for u in s.game.fighting[1 - side]} - {NOWHERE}:
            for draw, nodes in zip((2.0, 4 / 3, 2 / 3), maps.rings(board, node, 2), strict=True):
                for near in nodes:
                    found[near] += draw
        return found

    def carried_out(self, s: NarvaState, before: NarvaState) -> bool:
        """Once the next chit is drawn, or reinforcements come in: they would come after passing, too."""
        return s.cup != before.cup or s.stage.endswith("reinforcement")

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
