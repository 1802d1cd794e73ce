"""What counts in Across the Narva, for computer players: victory points, the way to Narva, command, supply, threats."""

from __future__ import annotations

import re
from array import array
from functools import cache
from typing import Any, NamedTuple

from counterblow.games.narva import air
from counterblow.games.narva.combat import die_bonus, directed, odds, read, with_aircraft
from counterblow.games.narva.components import GERMAN, SIDES, SOVIET
from counterblow.games.narva.defences import division_at
from counterblow.games.narva.state import SUPPLIED, NarvaState
from counterblow.games.narva.supply import LINES, where_supplied
from counterblow.games.narva.victory import soviet_points
from counterblow.kernel import chance
from counterblow.kernel.actions import Action
from counterblow.kernel.forecast import Forecast
from counterblow.kernel.game import Game
from counterblow.kernel.gather import Plan
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
MISSING = 4  # hexes: a line of supply with more missing is no line
HELD = 3  # so much a German in the way counts
REMEMBERED = 400  # armies: one stands still while the other moves, so few are enough
LAST_HOUR = 39  # of the clock
AFTER = ("german.reinforcement", "soviet.reinforcement", "landing", "supply", "end", "advance")  # of the command phase
FIRST_CHITS = 3  # with no activation left in a turn, the next is looked at until this one begins
CLOSE = 4  # in a flood that begins with 1: units so near to the enemy make a headquarters worth waking
ALONG = 3  # units of others that a headquarters takes along
COVER = {"woods": 1.4, "city": 1.6, "village": 1.2, "doubled": 2.0, "prepared": 2.5}  # on the defence, for threats
STEP = (30.0, 14.0)  # what a step of either side is worth in battle: the Soviets have more
TOWN = 900.0  # what a hex of Narva is worth to whoever takes it
BOX = 40.0  # what wearing the Prepared Defenses down by a box is worth


class Army(NamedTuple):
    """What is counted of one side's units without regard to the other's."""

    attacks: dict[int, int]  # hex -> what stands there
    defences: dict[int, int]
    strength: int
    cut_off: int
    drive: int
    command: float
    centred: float  # Soviet corps headquarters within an army's range, below zero
    seats: list[tuple[int, int]]  # where the headquarters are, and their ranges
    away: array[int]  # hex -> how far it is from these units, plus one


class Judge(judging.Judge):
    features = (
        "points", "german", "soviet", "german_cut_off", "soviet_cut_off", "drive", "screen", "guard",
        "german_command", "soviet_command", "armies", "german_threat", "soviet_threat", "german_reach", "soviet_reach",
        "fall", "rollbahn", "depth", "forts", "ring", "gaps",
        "link",
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
        self._ranks = [(min(units), max(units) + 1) for units in rules.roster]
        self._armies: tuple[dict[Any, Army], dict[Any, Army]] = ({}, {})
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
        self.links = tuple(  # thaw and frost: where a line of supply may lead on from each hex (10.1.1)
            tuple(
                tuple(near for near in rules.around[node] if season.supply.allowed[game.board.step_of[node, near]])
                for node in range(game.board.hexes)
            )
            for season in rules.ground.frost
        )
        self.link = self.features.index("link")
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
        """Activations; the last hour of a turn begins with its reinforcements."""
        return 40 * s.turn + (LAST_HOUR if s.stage in AFTER else s.used[0] + s.used[1])

    def decided(self, s: NarvaState) -> int | None:
        """When no more chits are drawn, a Soviet unit in Narva with a line of supply wins (13.1a)."""
        if s.outcome is None and s.stage in AFTER and self._fallen(s) == 1.0:
            return SOVIET
        return super().decided(s)

    def until(self, s: NarvaState) -> int:
        """When the turn's last chit is played and Narva's fall decided; then, the first chits of the next turn."""
        left = sum([s.game.calendar[s.turn][side] for side in SIDES]) - sum(s.used)
        return 40 * s.turn + (LAST_HOUR if left > 0 else 40 + FIRST_CHITS)

    def deal(self, s: NarvaState, seed: int) -> None:
        """The dice of the next activation, and the order in which chits come out of the cup from here on."""
        chits = [number for number in range(len(s.cup)) for _ in range(s.cup[number])]
        generator = chance.seeded(seed)
        for last in range(len(chits) - 1, 0, -1):
            generator, other = chance.below(generator, last + 1)
            chits[last], chits[other] = chits[other], chits[last]
        s.draws = tuple(chits)
        s.rng = generator

    def foremost(self, s: NarvaState, side: int, commands: list[Action]) -> list[Action]:
        """Headquarters by the strength they command near the enemy and near Narva."""
        game, at = s.game, s.at
        foe_at = self.army(s, 1 - side).away
        weigh = []
        for unit in game.fighting[side]:
            node = at[unit]
            if node != NOWHERE and 0 < foe_at[node] <= CLOSE:
                attack, defence, _ = game.strengths[unit][s.step[unit]]
                weigh.append((node, (attack + defence) * (CLOSE + 1 - foe_at[node]) * self.key[node], unit))

        def draw(action: Action) -> float:
            if action.kind != "wake" or at[action.args[0]] == NOWHERE:
                return 0.0
            hq = action.args[0]
            hexes, radius, own = self.hexes_from(at[hq]), game.units[hq].range, game.members.get(hq, ())
            ours, others = 0.0, []
            for node, weight, unit in weigh:
                if hexes[node] <= radius:
                    if unit in own:
                        ours += weight
                    else:
                        others.append(weight)
            return ours + float(sum(sorted(others)[-ALONG:]))

        return sorted(commands, key=draw, reverse=True)

    def formation(self, s: NarvaState, unit: int) -> int:
        row = self.row[s.at[unit]]
        return 0 if row <= 15 else 1 if row <= 25 else 2

    def count(self, s: NarvaState) -> list[float]:
        game = s.game
        german, soviet = self.army(s, GERMAN), self.army(s, SOVIET)
        armies = (german, soviet)
        around = game.around
        threat = [0.0, 0.0]
        reach = [0.0, 0.0]
        for side in (GERMAN, SOVIET):
            theirs, foe_at = armies[1 - side].attacks, armies[1 - side].away
            for node, holding_here in armies[side].defences.items():
                if foe_at[node] != TOUCHING:
                    continue
                against = 0.0
                for near, share in self.press[node]:
                    if near in theirs:
                        against += share * theirs[near]
                odds = against / (self.cover[node][side] * holding_here or 0.5)
                if odds > SAFE:
                    threat[side] += self.key[node] * (min(MOST_ODDS, odds) - SAFE) * (2 + holding_here)
            for place, radius in armies[side].seats:
                near_foe = (foe_at[place] or FAR + 1) - 1
                if near_foe > radius:
                    reach[side] -= near_foe - radius
        screen = guard = depth = gaps = 0.0
        if soviet.attacks:
            foe_at = soviet.away
            for node in german.attacks:
                far = (foe_at[node] or FAR) - 1
                if far > 2:
                    screen -= far - 2
            manned = s.held[GERMAN]
            walls = game.graph.shut(manned, s.zone[GERMAN], s.held[SOVIET])
            walk = game.graph.flood(game.adjacent, walls, list(soviet.attacks), STRIKE)  # Soviets on the way, no zones
            for node in game.sudden_death:
                danger = FAR_OFF if 0 < foe_at[node] <= GUARD + 1 else 0.0
                if walk[node] or any(0 < walk[near] < STRIKE for near in around[node]):
                    danger = 1.0
                if not manned[node]:
                    guard -= danger
                else:
                    depth += danger * min(DEEP, german.defences.get(node, 0))
            for node in self.vital:
                if walk[node] > 1:
                    gaps -= 1.0
        return [
            -float(soviet_points(s)), german.strength, -soviet.strength, -german.cut_off, soviet.cut_off, soviet.drive,
            screen, guard, german.command, -soviet.command, soviet.centred, threat[SOVIET], -threat[GERMAN],
            reach[GERMAN], -reach[SOVIET],
            -self._fallen(s), -float(any(s.held[SOVIET][node] for node in game.rollbahn_supply)), depth,
            float(sum([s.held[GERMAN][node] for node in self.forts])),
            -float(sum([s.held[SOVIET][node] for node in self.ring])), gaps,
            -self._linked(s),
        ]  # fmt: skip

    def army(self, s: NarvaState, side: int) -> Army:
        """A side's units by themselves, remembered: while one side moves, the other stays as it is."""
        first, last = self._ranks[side]
        key = (tuple(s.at[first:last]), bytes(s.step[first:last]), bytes(s.supply[first:last]), s.red if side else 0)
        known = self._armies[side]
        found = known.get(key)
        if found is None:
            if len(known) >= REMEMBERED:
                known.clear()
            found = known[key] = self._army(s, side)
        return found

    def _army(self, s: NarvaState, side: int) -> Army:
        game, at, step, supply = s.game, s.at, s.step, s.supply
        strengths = game.strengths
        to_go = self._to_go.get(s.red) or self.to_go(s.red)
        attacking: dict[int, int] = {}  # hex -> what stands there
        holding: dict[int, int] = {}
        strength = unsupplied = drive = 0
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
        command = 0.0
        seats = []
        for hq in game.hq_roster[side]:
            place = at[hq]
            if place == NOWHERE:
                continue
            radius = game.units[hq].range
            seats.append((place, radius))
            hexes = self.hexes_from(place)
            for unit in game.members.get(hq, ()):
                node = at[unit]
                if node != NOWHERE:
                    far = hexes[node] - radius
                    command += 1.0 if far <= 0 else -0.5 * min(far, 6)
        centred = 0.0
        if side == SOVIET:
            centres = [(self.hexes_from(at[hq]), game.units[hq].range) for hq in game.army_hqs if at[hq] != NOWHERE]
            for hq in game.corps_hqs:
                seat = at[hq]
                if seat != NOWHERE and any(hexes[seat] <= radius for hexes, radius in centres):
                    centred -= 1.0
        away = game.graph.flood(game.adjacent, game.nothing, list(attacking), FAR)
        return Army(attacking, holding, strength, unsupplied, drive, command, centred, seats, away)

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

    def _linked(self, s: NarvaState) -> float:
        """How near Soviets in Narva are to a line of supply, which would win the game (13.1a): 1 if they have one."""
        line = self.lifeline(s)
        return 0.0 if line is None else 1.0 / (1 + line[0])

    def lifeline(self, s: NarvaState) -> tuple[int, list[int]] | None:
        """The line of supply of Soviets in Narva that has the fewest hexes missing: how many, and where it goes.

        Missing is what is closed to it and would be opened by a Soviet unit (10.1b); Germans in the way count more.
        """
        start = [node for node in s.game.sudden_death if s.held[SOVIET][node]]
        if not start:
            return None
        shut, manned, links = LINES.shut(s, SOVIET), s.held[GERMAN], self.links[s.frozen]
        sources = set(s.game.sources[SOVIET])
        before, found = dict.fromkeys(start, NOWHERE), dict.fromkeys(start, 0)
        fronts: list[list[int]] = [start, *([] for _ in range(MISSING + HELD))]
        for missing in range(MISSING + 1):
            for here in fronts[missing]:  # grows while it is gone through
                if found[here] < missing:
                    continue
                if here in sources:
                    return missing, _back(before, here)
                for near in links[here] if here < len(links) else ():
                    price = 0 if not shut[near] else HELD if manned[near] else 1
                    if missing + price < found.get(near, FAR):
                        found[near] = missing + price
                        fronts[missing + price].append(near)
                        before[near] = here
        return None

    def musts(self, s: NarvaState, unit: int, goals: list[Action], weights: judging.Weights) -> list[Action]:
        """10.1b: who fills a gap in the line of supply of Soviets in Narva, or cuts it, decides the game."""
        line = self.lifeline(s) if weights[self.link] else None
        if line is None:
            return []
        way = {node for node in line[1] if not s.held[SOVIET][node]}
        return [goal for goal in goals if goal.args[-1] in way]

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
        results = [(*_read(outcome.result), float(outcome.chance)) for outcome in forecast.outcomes]
        return self._expected(s, side, target, results)

    def _expected(
        self, s: NarvaState, side: int, target: int, results: list[tuple[int, int, int, int, float]]
    ) -> float:
        fort = division_at(s, target, 1 - side)
        boxes = len(s.game.pd_boxes) - 1 - s.pd[fort] if fort >= 0 else 0
        saved = int(target in s.game.ground.city)
        firm = int(fort >= 0 or s.game.ground.halts[target])
        steps = sum([s.step[unit] for unit in s.combat_units(target)])
        ground = self.ground(s, side, target)
        value = 0.0
        for loss, back, cost, away, chances in results:
            loss = max(0, loss - saved)
            back = max(0, back - firm)
            worn = min(boxes, loss + back)
            back -= max(0, worn - loss)
            loss = min(steps, max(0, loss - worn))
            gain = loss * STEP[1 - side] + BOX * worn - cost * STEP[side] - 6.0 * away
            if back or loss == steps:
                gain += ground + 4.0 * back
            value += chances * gain
        return value

    def odds(self, s: Any, side: int, targets: list[int], attackers: list[int], commit: Action) -> str:
        column = odds(s, s.agenda[-1][-1]).column
        return s.game.table.heading(side, column) if column >= 1 else ""

    def weigh(self, s: Any, side: int, targets: list[int], attackers: list[int], commit: Action) -> float | None:
        """The same from the combat table itself, without the words of a forecast; ``commit`` may be a flight."""
        if s.options["fog"] or len(targets) != 1:
            return None
        plan: Plan = s.agenda[-1][-1]
        if commit.kind in FLIGHTS:
            plan = with_aircraft(plan, commit.args[0], FLIGHTS[commit.kind])
        column = odds(s, plan).column
        if column < 1:
            return 0.0
        bonus, stavka = die_bonus(s, side), int(directed(s))
        results = []
        for face in range(1, 7):
            row = read(s, column, face + bonus)
            cost = row.a_loss + stavka + (row.red if side == SOVIET else 0)
            results.append((row.d_loss, row.d_retreat, cost, row.a_retreat, 1 / 6))
        return self._expected(s, side, targets[0], results)

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


FLIGHTS = {"full_air": air.FULL, "normal_air": air.NORMAL}
COMMAND = 12  # hexes: the range of an army's headquarters
MANY = 12  # options of a long list that deserve a look


def _back(before: dict[int, int], node: int) -> list[int]:
    """The way by which a hex was reached."""
    way = []
    while node != NOWHERE:
        way.append(node)
        node = before[node]
    return way


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
