"""Chapter 9: entrenchment and terrain - what they add to strengths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from counterblow.games.leningrad.components import RUSSIAN
from counterblow.games.leningrad.state import LeningradState, flow
from counterblow.kernel.flow import ask
from counterblow.kernel.forecast import Modifier
from counterblow.kernel.pick import Deed, Menu, Pick
from counterblow.kernel.rulebook import Citation, refuse, refuse_if


class Defence(NamedTuple):
    """The modified strength of one defended hex."""

    strength: int
    units: int  # of it, what units bring: the garrison of Leningrad is no unit (ruling D25)
    disrupted: int  # of that, what Disrupted units bring


# ---------------------------------------------------------------- 9.1, 9.3: digging in


def may_entrench(s: LeningradState) -> tuple[int, ...]:
    """9.1, ruling D20: UnDisrupted armies and corps that neither moved nor attacked (nor came on, ruling D66)."""
    busy = s.disrupted | s.moved | s.attacked | s.entered | s.entrenched
    return s.take_from(s.game.counters.obliging[s.mover] & ~busy)


class EntrenchAll(Deed[LeningradState]):
    """Everybody who can, in one go."""

    kind, passing = "entrench all", "end entrenching"

    def why_not_now(self, s: LeningradState) -> Citation | None:
        return refuse_if(len(may_entrench(s)) < 2, "9.1", "there are not several that can dig in")

    def perform(self, s: LeningradState) -> None:
        for unit in may_entrench(s):
            dig_in(s, unit)


class EntrenchOne(Pick[LeningradState]):
    kind = "entrench"

    def items(self, s: LeningradState) -> tuple[int, ...]:
        return may_entrench(s)

    def why_not_item(self, s: LeningradState, unit: int) -> Citation | None:
        bit = 1 << unit
        return (
            refuse_if(s.game.side_of[unit] != s.mover, "9.1", "units dig in in their own side's player-turn")
            or refuse_if(not s.in_play(unit), "9.1", "it is not on the map")
            or refuse_if(not s.game.counters.diggers & bit, "9.1", "only armies and corps dig in")
            or refuse_if(s.disrupted & bit, "9.1", "a Disrupted unit does not dig in")
            or refuse_if(s.entrenched & bit, "9.1", "it is entrenched already")
            or refuse_if(s.attacked & bit, "9.1", "it has attacked this turn")
            or refuse_if(s.moved & bit, "9.1", "it has moved this turn")
            or refuse("9.1", "it came on this turn")
        )

    def take(self, s: LeningradState, unit: int) -> None:
        s.push(ask, Entrench)
        dig_in(s, unit)


@flow.choice
class Entrench(Menu[LeningradState]):
    """9.1; 15.1 at set-up."""

    parts = (EntrenchOne(), EntrenchAll())


def dig_in(s: LeningradState, unit: int) -> None:
    s.entrenched |= 1 << unit
    s.log("entrench", "{unit} digs in at {place}", "9.1", unit=unit, place=s.at[unit])


# ---------------------------------------------------------------- 9.2, 9.4 to 9.11: strengths


def _count(parts: list[Modifier] | None, amount: int, who: str, does: str, rule: str) -> int:
    """What something adds to a strength, noted in ``parts`` if they are asked for."""
    if parts is not None and amount:
        parts.append(Modifier(amount, f"{who} {does}", rule))
    return amount


def attack_factor(s: LeningradState, unit: int, parts: list[Modifier] | None = None) -> int:
    """2.1; doubled for Russian infantry that attacks out of Leningrad (9.5, ruling D26)."""
    factor, name = s.game.counters.factor[unit], s.game.unit_names[unit]
    strength = _count(parts, factor, name, "attacks", "2.1")
    return strength + _count(parts, factor if doubled(s, unit) else 0, name, "attacks out of Leningrad", "9.5")


def doubled(s: LeningradState, unit: int) -> bool:
    """9.5, 9.10, 9.11: Russian infantry and Marines in Leningrad; never armour."""
    counters = s.game.counters
    in_city = s.at[unit] in s.game.leningrad_index
    return in_city and counters.side[unit] == RUSSIAN and counters.infantry >> unit & 1 == 1


def defence(s: LeningradState, node: int, attackers: Sequence[int], parts: list[Modifier] | None = None) -> Defence:
    """The modified strength of a defended hex; ``parts`` collects what it is made of. 3.19: Disrupted or not."""
    game, counters = s.game, s.game.counters
    side = RUSSIAN if s.held[RUSSIAN][node] else 1 - RUSSIAN
    lines = game.line_pairs  # 9.8, ruling D29: every attacker comes across the line; one that does not flanks it
    line = side == RUSSIAN and all((node, s.at[unit]) in lines for unit in attackers)
    total = disrupted = 0
    city = -1  # 9.6: the infantry unit that the city helps, an UnDisrupted one if there is one
    for unit in s.ground_units(node, side):
        strength = _unit_defence(s, unit, line, parts)
        total += strength
        if s.disrupted >> unit & 1:
            disrupted += strength
        if counters.infantry >> unit & 1 and (city < 0 or s.disrupted >> city & 1):
            city = unit
    if city >= 0 and game.city[node]:  # 9.6, 9.7, 9.10
        total += _count(parts, 1, game.unit_names[city], "defends a city", "9.6")
        disrupted += s.disrupted >> city & 1
    garrison = _count(parts, int(s.garrisoned(node)), "Leningrad", "defends itself", "9.4")
    return Defence(total + garrison, total, disrupted)


def _unit_defence(s: LeningradState, unit: int, line: bool, parts: list[Modifier] | None) -> int:
    """Doubling first, then what is added (ruling D26)."""
    counters, name = s.game.counters, s.game.unit_names[unit]
    factor = counters.factor[unit]
    in_city = factor if doubled(s, unit) else 0
    behind = counters.line_infantry >> unit & 1 if line else 0  # 9.8, 9.10, 9.11: neither Marines nor armour
    return (
        _count(parts, factor, name, "defends", "2.1")
        + _count(parts, in_city, name, "is in Leningrad", "9.5")
        + _count(parts, s.entrenched >> unit & 1, name, "is entrenched", "9.2")
        + _count(parts, behind, name, "is behind a defence line", "9.8")
    )
