"""What counts in Narvik 1940, for computer players: objectives, strength, the way to them, and who shoots next."""

from __future__ import annotations

from typing import Any

from counterblow.games.narvik.combat import ASSAULT, STRIKE, attack_shifts, column_of, immune
from counterblow.games.narvik.components import ALLIED, GERMAN
from counterblow.games.narvik.evaluate import (
    Stacks,
    Yardstick,
    allied_places,
    balance,
    nearest_sum,
    ways_to,
    worth_at,
)
from counterblow.games.narvik.points import bonuses
from counterblow.games.narvik.stacking import Group, why_not_room
from counterblow.games.narvik.state import NarvikState
from counterblow.games.narvik.strikes import strike_hexes, strikes_on
from counterblow.kernel.actions import Action
from counterblow.kernel.game import Game
from counterblow.kernel.gather import Plan
from counterblow.kernel.masks import bits
from counterblow.players import judging, maps

NEAR = 4  # a landing from the sea or the air is worth a look so many hexes around an objective
COLUMN = 12  # so many Allied units should come nearer to each objective that they lack
ARMY, REST = 36, 0.4  # so many in all, and how much those beyond the column count
GOALS = 3  # objectives that the Allies lack at the start: one taken is no longer far from anybody
FAR = 20
STAGED = 0.8  # of its worth that a unit keeps in a staging area
REGROUPING = (0.5, 0.25)  # waiting to regroup, German and Allied
STRANDED = 0.15  # a German unit waiting while no objective would take it (17.0.g)
MANY = 12
PRESSING = frozenset(("fire", "assault", "air", "naval"))
KEPT = 8  # so many action points an Allied general keeps until the Germans have spent theirs
FACES = (4, 2, 6, 1, 5, 3)  # a middling one first
THROWS = tuple(tuple(FACES[(first + n) % 6] for n in range(24)) for first in range(6))
OPENED = 0.4  # of its worth that ground has from which fire drives the enemy without anybody entering


class Judge(judging.Judge):
    features = (
        "objectives", "german", "allied", "german_points", "allied_points", "refuge", "pressure", "march",
        "german_fire", "allied_fire", "open", "alive", "income", "all", "stronghold",
    )  # fmt: skip
    formations = ("the command",)

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        rules: Any = game
        self.yard: Yardstick = rules.yardstick
        self.land = rules.ground
        self.loss: tuple[int, ...] = self.yard.loss
        self.numbered: tuple[int, ...] = tuple(self.land.numbered)
        self.income = self.features.index("income")
        self.none = tuple(column.count("-") / 6 for column in rules.tables.crt)  # the chance that a unit stays

    def length(self) -> int:
        game: Any = self.game
        return len(game.tables.turns)

    def clock(self, s: NarvikState) -> int:
        """A turn, and within it every few action points."""
        return 100 * s.turn - (s.ap[GERMAN] + s.ap[ALLIED]) // 4

    def until(self, s: NarvikState) -> int:
        """To the end of the turn, when victory is checked (4.1.c)."""
        return 100 * s.turn + 1

    def budget(self, s: NarvikState, side: int, legal: list[Action]) -> int:
        """Commands that the enemy cannot answer any more in this turn are played on to its end.

        The Allies, who can win then and there (4.1.b), think longer than the Germans, who cannot.
        """
        alone = not s.ap[1 - side] and any(action.kind in self.verbs.activate for action in legal)
        return (self.nodes if side == ALLIED else self.nodes * 2 // 5) if alone else 0

    def count(self, s: NarvikState) -> list[float]:
        ground, yard, here = self.land, self.yard, s.here
        german: Stacks = {node: yard.stack(here[node]) for node in bits(s.occupied[GERMAN])}
        allied: Stacks = {node: yard.stack(here[node]) for node in bits(s.occupied[ALLIED])}
        strength = [0.0, 0.0]
        for side, stacks in ((GERMAN, german), (ALLIED, allied)):
            total = 0
            for stack in stacks.values():
                total += stack.worth
            strength[side] = float(total)
            for area in ground.staging[side]:
                strength[side] += STAGED * worth_at(s, area)
        held, taken, zone = s.held[GERMAN], s.held[ALLIED], s.zone[ALLIED]
        places = allied_places(s, allied, ground.staging[ALLIED])
        objectives = refuge = 0
        march = bare = 0.0
        for k, node in enumerate(ground.objectives):
            if held[node]:
                objectives += 1
                if not zone[node]:
                    refuge += 1
            if taken[node]:
                objectives -= 1
                continue
            ways = ways_to(yard.way[k], places)
            march += (1 - REST) * nearest_sum(ways, COLUMN) + REST * nearest_sum(ways, ARMY)
            if not held[node]:  # an objective that the Germans hold with nobody, with Allies near
                near = min([yard.by_land[k][n] for n in allied], default=FAR)
                bare += max(0, 6 - near)
        strength[GERMAN] += (REGROUPING[GERMAN] if refuge else STRANDED) * worth_at(s, ground.regroup[GERMAN])
        strength[ALLIED] += REGROUPING[ALLIED] * worth_at(s, ground.regroup[ALLIED])
        around = [500 * total / (5000 + abs(total)) for total in balance(s, german, allied)]
        return [
            float(objectives), strength[GERMAN], -strength[ALLIED], float(s.ap[GERMAN]),
            -float(s.ap[ALLIED]), float(refuge), sum(around), march / GOALS,
            self._fire(s, GERMAN, german, allied), -self._fire(s, ALLIED, allied, german), -bare,
            1.0 if not allied else 0.0, self._income(s),
            -1.0 if all(taken[node] for node in ground.objectives) else 0.0, max(around),
        ]  # fmt: skip

    def _income(self, s: NarvikState) -> float:
        """6.1: what will be added to the next dice for action points, German less Allied."""
        return float(sum([m.amount for m in bonuses(s, GERMAN)]) - sum([m.amount for m in bonuses(s, ALLIED)]))

    def _fire(self, s: NarvikState, shooter: int, ours: Stacks, theirs: Stacks) -> float:
        """What the next fire of a side would cost the other: each stack at its best target."""
        loss, shift = self.loss, self.land.fire_shift
        aims = self.yard.aims(shooter, s.occupied[1 - shooter])
        left = {node: stack.worth for node, stack in theirs.items()}
        found = 0
        for node, stack in ours.items():
            targets, factor = aims.within(node, 1), stack.fire
            if not targets and stack.reach > 1:
                targets, factor = aims.within(node, stack.reach), stack.far_fire
            best, aim = 0, -1
            for target in targets:
                cost = left[target] * loss[max(0, min(12, factor + shift[target]))] // 100
                if cost > best:
                    best, aim = cost, target
            if aim >= 0:
                left[aim] -= best
                found += best
        return float(found)

    def unit_worth(self, s: NarvikState, unit: int) -> float:
        return float(self.yard.worth[unit])

    def ground(self, s: NarvikState, side: int, node: int) -> float:
        return 300.0 if node in self.land.objectives else max(0.0, 30.0 - 5.0 * self.yard.nearest[node])

    def weighs(self) -> bool:
        return True

    def weigh(self, s: Any, side: int, targets: list[int], attackers: list[int], commit: Action) -> float | None:
        """14.1: a die for each defender; the ground if all of them go; what a counterattack would cost (14.4.1)."""
        if len(targets) != 1 or not s.agenda or not isinstance(s.agenda[-1][-1], Plan):
            return None
        mode, group, node = s.agenda[-1][-1].extra[0], tuple(attackers), targets[0]
        value, cleared, stay = self._blow(s, mode, side, group, node)
        if mode == ASSAULT and cleared < 1:
            roster = s.game.roster
            defenders = [u for u in s.here.get(node, ()) if not immune(s, mode, u)]
            back = sum([roster.fire[u] for u in defenders if roster.ca[u]]) * stay / (1 - cleared)
            if back > 0:
                ours = sum([self.yard.worth[u] for u in s.here[s.at[group[0]]]])
                value -= (1 - cleared) * self.loss[column_of(round(back), 1)] / 100 * ours
        return value

    def _blow(self, s: Any, mode: int, side: int, group: Group, node: int) -> tuple[float, float, float]:
        """What an attack does on average; the chance that it clears the hex, and that a defender stays."""
        fire, worth = s.game.roster.fire, self.yard.worth
        shifts = attack_shifts(s, mode, side, group, node, viewer=side)
        column = column_of(column_of(sum([fire[u] for u in group]), 1) + sum([int(shift.amount) for shift in shifts]))
        defenders = [u for u in s.here.get(node, ()) if not immune(s, mode, u)]
        value: float = self.loss[column] / 100 * sum([worth[u] for u in defenders])
        stay = self.none[column]
        cleared = (1 - stay) ** len(defenders) if len(defenders) == len(s.here[node]) else 0.0
        value += cleared * self.ground(s, side, node) * (1.0 if mode == ASSAULT else OPENED)
        return value, cleared, stay

    def promise(self, s: NarvikState, side: int, command: Action) -> float | None:
        """16.0: strikes do what fire does; each where it adds most."""
        if command.kind not in ("air", "naval"):
            return None
        placed: dict[int, Group] = {}
        nodes = strike_hexes(s, side, command.kind)
        limit = s.game.tables.strikes_per_hex[side]
        total = 0.0
        for unit in sorted(s.here.get(self.land.strikes[side], ())):
            if s.game.roster.type[unit] == command.kind:
                best, aim = 0.0, -1
                for node in nodes:
                    if len(placed.get(node, ())) < limit:
                        more = self._adds(s, side, unit, node, placed.get(node, ()))
                        if more > best:
                            best, aim = more, node
                if aim >= 0:
                    placed[aim] = (*placed.get(aim, ()), unit)
                    total += best
        return total

    def throws(self, s: NarvikState, command: Action) -> tuple[tuple[int, ...], ...]:
        """13.2, 17.0: every face as often as the others, for the first unit as for the last."""
        return THROWS if command.kind in ("regroup", "landing") else ()

    def _adds(self, s: NarvikState, side: int, unit: int, node: int, before: Group) -> float:
        """What a strike on a hex adds to those that are on it already."""
        value = self._blow(s, STRIKE, side, (*before, unit), node)[0]
        return value - self._blow(s, STRIKE, side, before, node)[0] if before else value

    def odds(self, s: Any, side: int, targets: list[int], attackers: list[int], commit: Action) -> str:
        return f"a strength of {column_of(sum([s.game.roster.fire[u] for u in attackers]), 1)}"

    def pull(self, s: NarvikState, side: int) -> list[float]:
        foes = dict.fromkeys(bits(s.occupied[1 - side]), 2.0)
        found = maps.influence(s.game.board, foes, 2)
        nearest = self.yard.nearest
        for node in range(self.land.hexes):
            found[node] += 0.6 * (FAR - nearest[node])
        for k, node in enumerate(self.land.objectives):
            found[node] += 6.0 if not s.held[side][node] else 3.0
            if not s.held[side][node]:
                far = self.yard.by_land[k]
                for other in range(self.land.hexes):
                    found[other] += 0.5 * max(0, 8 - far[other])
        return found

    def resting(self, s: NarvikState, unit: int, goals: list[Action]) -> list[Action]:
        """9.0.g: a full hex can only be passed through, or somebody else must leave it."""
        if unit < 0:
            return goals
        return [goal for goal in goals if why_not_room(s, (unit,), int(goal.args[-1])) is None]

    def musts(self, s: NarvikState, unit: int, goals: list[Action], weights: judging.Weights) -> list[Action]:
        """6.1.g: peaks from which a signal unit makes every objective count twice."""
        if not weights[self.income] or unit < 0 or not s.game.roster.signal[unit]:
            return []
        return [goal for goal in goals if goal.args[-1] in self.numbered]

    def hopeless(self, s: NarvikState, side: int) -> bool:
        """The Allies, if they lack three objectives on the last turn."""
        missing = sum(1 for node in self.land.objectives if not s.held[ALLIED][node])
        return side == ALLIED and s.turn >= self.last_turn and missing >= 3

    def habit(self, s: NarvikState, side: int, legal: list[Action]) -> Action | None:
        """Strikes go where most can be hit, and are all used."""
        first = legal[0].kind
        if first == "on":
            unit = int(s.agenda[-1][1])
            adds = {a: self._adds(s, side, unit, a.args[0], strikes_on(s, a.args[0])) for a in legal}
            return max(legal, key=adds.__getitem__)
        for kind in ("strike", "resolve", "bomb", "keep_order", "standard", "finish"):
            for action in legal:
                if action.kind == kind:
                    return action
        return None

    def bides(self, s: NarvikState, side: int, legal: list[Action]) -> Action | None:
        """5.1.g: a second pass in a row ends the turn, and points do not keep.

        The Allies keep points for when the Germans have none left: what they take then is theirs at the end (4.1.b).
        But only as many as the Germans have; else those pass too. With nobody on the map the end of the turn is the
        end of the game (4.1.a), so he does not wait for it.
        """
        ours, theirs, held = s.ap[side], s.ap[1 - side], s.held[ALLIED]
        if side == ALLIED:
            waits = not s.passes and s.occupied[ALLIED] != 0 and 0 < ours <= min(KEPT, theirs)
        else:
            waits = bool(s.passes) and ours < theirs and any(not held[node] for node in self.land.objectives)
        return next((action for action in legal if action.kind == "pass"), None) if waits else None

    def pressing(self, side: int) -> frozenset[str]:
        """Who is shot first does not shoot back: of what the Allies keep points for, only marches and landings wait."""
        return PRESSING if side == ALLIED else frozenset()

    def likely(self, s: NarvikState, side: int, legal: list[Action]) -> list[Action]:
        """Of many places those near objectives and the enemy; of commands all."""
        legal = [a for a in legal if a.kind not in ("recon", "rearrange")] or legal
        if len(legal) <= MANY or legal[0].kind in self.verbs.activate:
            return legal
        pull = self.pull(s, side)

        def draw(action: Action) -> float:
            if not action.args:
                return 1e9
            node = action.args[-1]
            if action.kind not in PLACES:
                return 0.0
            return pull[node] if isinstance(node, int) and node < len(pull) else 0.0

        return sorted(legal, key=draw, reverse=True)[:MANY]


PLACES = ("land", "put", "enter", "sail", "to", "retreat", "return", "pursue", "storm", "station")
