"""Chapter 23: engineer actions (optional)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from counterblow.games.narvik.ground import with_zones
from counterblow.games.narvik.leaders import why_idle
from counterblow.games.narvik.stacking import Rearrange
from counterblow.games.narvik.staging import queues
from counterblow.games.narvik.state import NarvikState, flow
from counterblow.kernel.forecast import Forecast, Outcome
from counterblow.kernel.graph import Costs
from counterblow.kernel.masks import bits
from counterblow.kernel.pick import Deed, Menu, Pick
from counterblow.kernel.rulebook import Citation, refuse, refuse_if
from counterblow.kernel.state import pair

# ------------------------------------------------------------------ 23.1 the action


def workers(s: NarvikState, mask: int) -> list[int]:
    """Engineers on the map out of a mask that have not worked in this action."""
    engineer, hexes = s.game.roster.engineer, s.game.ground.hexes
    return [u for u in bits(mask & ~s.moved) if engineer[u] and 0 <= s.at[u] < hexes]


class Operation(Pick[NarvikState]):
    """23.1.b: one kind of operation, which an engineer tries where it stands. Enemy zones never matter (23.2.a)."""

    stays = True

    def __init__(self, kind: str, rule: str, across: bool = False) -> None:
        self.kind, self.rule = kind, rule
        self.across = across  # does it name the hex across a hexside?

    def candidates(self, s: NarvikState) -> Sequence[Any]:
        units, around = workers(s, s.active), s.game.ground.around
        return [(unit, there) for unit in units for there in around[s.at[unit]]] if self.across else units

    def why_not_item(self, s: NarvikState, item: Any) -> Citation | None:
        unit, there = item if self.across else (item, -1)
        return (
            refuse_if(s.game.side_of[unit] != s.mover, "1.2.a", "the unit belongs to the enemy")
            or refuse_if(not s.game.roster.engineer[unit], "23.1.a", "only engineers carry out engineer operations")
            or why_idle(s, unit)
            or refuse_if(s.moved >> unit & 1, "23.1.b", "each engineer tries one operation")
            or refuse_if(not 0 <= s.at[unit] < s.game.ground.hexes, "23.2.b", "the engineer is not on the map")
            or why_not_work(s, self.kind, s.at[unit], there)
        )

    def take(self, s: NarvikState, item: Any) -> None:
        unit, there = item if self.across else (item, -1)
        s.moved |= 1 << unit
        s.reveal((unit,))
        die = s.roll()
        task = self.kind.replace("_", " ") + (f" to {s.game.board.labels[there]}" if self.across else "")
        word = "succeeds" if die >= self.needed(s) else "fails"
        s.log("engineer", f"{{unit}} in {{place}}: {task}, die {{n}}, {word}", self.rule, "23.1.d",
              unit=unit, place=s.at[unit], n=die)  # fmt: skip
        if die >= self.needed(s):
            carry_out(s, self.kind, s.at[unit], there)

    def needed(self, s: NarvikState) -> int:
        """23.1.d: the lowest die that succeeds."""
        return s.game.tables.engineer[self.kind.partition("_")[0]]

    def outlook(self, s: NarvikState, item: Any) -> Forecast:
        least = self.needed(s)
        chance = Fraction(7 - least, 6)
        outcomes = (Outcome("succeeds", chance), Outcome("fails", 1 - chance))
        return Forecast("Engineer operation", (("die needed", f"{least} or more"),), (), outcomes)


OPERATIONS = (
    Operation("entrench", "23.2.a"),
    Operation("demolish", "23.4.1.a"),
    Operation("repair", "23.4.3.a"),
    Operation("bridge", "23.3.a", across=True),
    Operation("demolish_bridge", "23.4.1.a", across=True),
)


def why_not_work(s: NarvikState, kind: str, here: int, there: int) -> Citation | None:
    """Why an engineer cannot try an operation in its hex, or on its hexside towards another; None if it can."""
    ground, ruined = s.game.ground, s.demolished >> here & 1
    if kind == "entrench":  # 23.2.b: in any ground hex
        return refuse_if(s.trenches[s.mover] >> here & 1, "23.2.a", "the hex is already entrenched")
    if kind == "demolish":
        if here not in ground.objectives and here not in ground.ferries:
            return refuse("23.4.a", "only objectives, ferry villages and pontoon bridges can be demolished")
        return refuse_if(ruined, "23.4.a", "the hex is already demolished")
    if kind == "repair":  # 23.4.3.b
        return refuse_if(not ruined, "23.4.3.a", "the hex is not demolished")
    spanned = bridged(s, here, there)
    if kind == "demolish_bridge":
        return refuse_if(not spanned, "23.4.1.a", "there is no bridge on that hexside")
    if not ground.inlet(here, there):  # 23.3.b
        return refuse("23.3.a", "only an inlet hexside of the engineer's hex can be bridged")
    return (
        refuse_if(s.held[1 - s.mover][there], "23.3.a", "an enemy unit is across the inlet")
        or refuse_if(spanned, "23.3.a", "the hexside is already bridged")
    )  # fmt: skip


def carry_out(s: NarvikState, kind: str, here: int, there: int) -> None:
    if kind == "entrench":
        s.trenches = pair(s.trenches, s.mover, s.trenches[s.mover] | 1 << here)  # 23.2.2.a: until it is abandoned
    elif kind in ("demolish", "repair"):
        s.demolished ^= 1 << here
    elif kind == "bridge":
        s.pontoons = tuple(sorted((*s.pontoons, ordered(here, there))))
    else:
        remove_bridge(s, ordered(here, there))


def can_work(s: NarvikState, unit: int) -> bool:
    """Has an engineer anything to try where it stands (ruling D70)?"""
    here = s.at[unit]
    return any(
        why_not_work(s, operation.kind, here, there) is None
        for operation in OPERATIONS
        for there in (s.game.ground.around[here] if operation.across else (-1,))
    )


@flow.choice
class Engineers(Menu[NarvikState]):
    """23.1.b: each engineer tries one operation; nobody else does anything (23.1.c)."""

    parts, passing = (Rearrange(), *OPERATIONS), "done"


# ------------------------------------------------------------------ 23.3 pontoon bridges


def ordered(a: int, b: int) -> tuple[int, int]:
    return (a, b) if a < b else (b, a)


def bridged(s: NarvikState, a: int, b: int) -> bool:
    """23.3.1.a"""
    return bool(s.pontoons) and ordered(a, b) in s.pontoons


def open_step(s: NarvikState, side: int, mobility: int, here: int, there: int) -> bool:
    """May a unit of this mobility go from a node to the next at all?"""
    ground = s.game.ground
    if bridged(s, here, there):
        return bool(ground.lands[mobility][there])
    return ground.step_cost(side, mobility, here, there) >= 0


def why_closed(s: NarvikState, mobility: int, here: int, there: int) -> Citation:
    """Why a step is not open."""
    ground, terrain = s.game.ground, s.game.board.terrain[there]
    return (
        refuse_if(terrain == "sea", "12.3.e", "sea hexes are closed to ground movement")
        or refuse_if(terrain == "sweden", "12.3.g", "Swedish hexes are closed")
        or refuse_if(not ground.lands[mobility][there], "12.3.c", "mechanised units cannot enter this terrain")
        or refuse_if(ground.sea_side(here, there), "12.3.e", "all-sea hexsides are closed to ground movement")
        or refuse("12.3.c", "mechanised units cannot cross this hexside")
    )


def remove_bridge(s: NarvikState, hexside: tuple[int, int]) -> None:
    s.pontoons = tuple([p for p in s.pontoons if p != hexside])


def offer_bridges(s: NarvikState, side: int, path: Sequence[int]) -> None:
    """23.3.2.a: whoever crossed a bridge may remove it."""
    if s.pontoons:
        for a, b in pairwise(path):
            if bridged(s, a, b):
                s.push(BridgeStays, side, ordered(a, b))


@flow.choice
class BridgeStays(Deed[NarvikState]):
    kind, passing, sided = "remove_bridge", "keep_bridge", True

    def prompt(self, s: NarvikState, side: int, hexside: tuple[int, int]) -> str:
        return f"Remove the pontoon bridge {'/'.join(s.game.board.labels[n] for n in hexside)}, or keep it."

    def perform(self, s: NarvikState, side: int, hexside: tuple[int, int]) -> None:
        remove_bridge(s, hexside)
        s.log("bridge", "the pontoon bridge {place1}/{place2} is removed", "23.3.2.a",
              place1=hexside[0], place2=hexside[1])  # fmt: skip


# ------------------------------------------------------------------ movement past markers


def costs_of(s: NarvikState, unit: int) -> Costs:
    """12.3: what movement costs a unit where it stands, markers on the map and queues before it included."""
    side, mobility, move = s.game.roster.side[unit], s.mobility(unit), s.game.roster.move[unit]
    queued = queues(s, unit) if s.entered and s.at[unit] >= s.game.ground.hexes else ()
    plain: Costs = s.game.ground.costs(side, mobility, move)
    if not s.demolished and not s.pontoons and not queued:
        return plain
    kept, key = s.game.marked_costs, (side, mobility, move, s.demolished, s.pontoons, queued)
    if len(kept) > 500:
        kept.clear()
    if key not in kept:
        kept[key] = with_zones(marked(s, plain, mobility, queued), plain.leave)
    return kept[key]


def marked(s: NarvikState, plain: Costs, mobility: int, queued: tuple[tuple[int, int], ...]) -> list[int]:
    """23.3.1.a, 23.4.2.a: movement costs with bridges, demolished hexes, and steps whose cost is paid several times."""
    board, cost = s.game.board, list(plain.cost)
    for a, b in s.pontoons:
        for here, there in ((a, b), (b, a)):
            halves = s.game.ground.terrain_halves(mobility, there)
            cost[board.step_of[here, there]] = -1 if halves is None else halves
    for step, (_, there) in enumerate(board.step_pairs):
        if s.demolished >> there & 1 and cost[step] >= 0:
            cost[step] += s.game.tables.demolished_halves
    for step, times in queued:
        if cost[step] > 0:
            cost[step] *= times
    return cost
