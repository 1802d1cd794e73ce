"""How good a position looks, for computer players: points, ground held, strength, fitness and supply."""

from __future__ import annotations

from typing import Any

from counterblow.games.leningrad import advance, stacking, supply, victory
from counterblow.games.leningrad.components import GERMAN, RUSSIAN
from counterblow.games.leningrad.state import LeningradState
from counterblow.kernel.judge import Judge


class LeningradJudge(Judge[Any]):
    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self._far: tuple[list[int], list[int]] | None = None  # hex -> how far from the objectives, for each side

    def evaluate(self, s: LeningradState, side: int) -> int:
        """Hundredths of a victory point, more is better for ``side``."""
        german, russian = victory.totals(s)
        score = 100 * (german - russian) + _places(s) + _strength(s, GERMAN) - _strength(s, RUSSIAN) + self._drive(s)
        score += _open_way(s)
        if s.outcome is not None and s.outcome[0] is not None:
            decisive = 20_000 if s.outcome[1].startswith("crushing") else 10_000
            score += decisive if s.outcome[0] == GERMAN else -decisive
        return score if side == GERMAN else -score

    def _drive(self, s: LeningradState) -> int:
        """Germans near their objectives press; Russians near them guard."""
        factor, at, ground = s.game.counters.factor, s.at, s.game.counters.ground
        to_go, around = self._far or self._measured(s)
        pressing = sum([to_go[at[unit]] * factor[unit] for unit in s.take_from(ground[GERMAN])])
        return sum([around[at[unit]] * factor[unit] for unit in s.take_from(ground[RUSSIAN])]) - 2 * pressing

    def _measured(self, s: LeningradState) -> tuple[list[int], list[int]]:
        distance, factory, tichvin = s.game.board.distance, s.game.factory, s.game.tichvin
        hexes = range(s.game.board.hexes)
        to_city = [distance(node, factory) for node in hexes]
        self._far = [min(2 * to_city[node], 3 * distance(node, tichvin)) for node in hexes], to_city
        return self._far


def _places(s: LeningradState) -> int:
    """Places held by the Germans; Leningrad cut off overland is worth guarding or gaining."""
    held = sum(s.control[node] == GERMAN for node in s.game.places)
    return 25 * held - (200 if supply.overland(s) else 0)


def _strength(s: LeningradState, side: int) -> int:
    """Factors on the map; less when Disrupted, out of supply or crowded, more when dug in."""
    factor = s.game.counters.factor
    total = 0
    for unit in s.take_from(s.game.counters.ground[side]):
        worth = 80 * factor[unit]
        if s.is_disrupted(unit):
            worth -= 10 + 5 * factor[unit]
        elif s.entrenched >> unit & 1:
            worth += 8
        if not supply.in_supply(s, unit):
            worth -= 40 * factor[unit]
        total += worth
    return total - _crowding(s, side)


def _crowding(s: LeningradState, side: int) -> int:
    """Stacks over the limit will lose what is too much, unless it can move away in time."""
    factor = s.game.counters.factor
    total = 0
    for node in {s.at[unit] for unit in s.take_from(s.game.counters.ground[side])}:
        units = s.ground_units(node, side)
        while len(units) > 1 and stacking.overstacked(s, units, side) is not None:
            weakest = min(units, key=factor.__getitem__)
            units.remove(weakest)
            total += 60 * factor[weakest]
    return total


def _open_way(s: LeningradState) -> int:
    """A hex that lies open to an advance is as good as half taken."""
    if not s.agenda or s.agenda[-1][0] is not advance.Advance:
        return 0
    total = 0
    for node in advance.vacated(s):
        total += 500 if node in s.game.leningrad_index else 40 if s.game.keyed[node] else 20
    return total if s.mover == GERMAN else -total
