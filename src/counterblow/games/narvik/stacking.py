"""Chapter 9: stacking."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from counterblow.games.narvik.components import ALLIED, NATIONS
from counterblow.games.narvik.flow import NarvikChoice, arg, flow
from counterblow.games.narvik.state import NarvikState
from counterblow.kernel.actions import Action
from counterblow.kernel.rulebook import Citation, refuse


def no_room(s: NarvikState, group: tuple[int, ...], node: int) -> Citation | None:
    """9.0: may these units end in a hex together with those that stand there? None if they may."""
    there = s.here.get(node)
    if not there or node >= s.game.ground.hexes:  # 20.0.c, 20.0.i: areas hold any number
        return None
    roster = s.game.roster
    if len(there) == len(group) and there[0] in group and set(there) == set(group):
        return None
    lead = group[0]
    side = roster.side[lead]
    if side == ALLIED and any(roster.nation[u] != roster.nation[lead] for u in there if u not in group):
        return refuse("9.0.e", f"{NATIONS[roster.sub[lead]]} units do not stack with another nationality")
    counts, limit = roster.counts, s.game.tables.stacking[side]
    load = sum([counts[u] for u in there if u not in group])
    more = sum([counts[u] for u in group])
    if more and load + more > limit:
        rule = "9.0.d" if side == ALLIED else "9.0.c"
        return refuse(rule, f"more than {limit} units would stand in {s.game.board.labels[node]}")
    return None


def with_room(s: NarvikState, group: tuple[int, ...], nodes: Iterable[int]) -> list[int]:
    """The nodes out of these that could take a group that now stands elsewhere: ``no_room`` for many nodes."""
    roster, loads = s.game.roster, s.loads
    lead = group[0]
    side = roster.side[lead]
    room = s.game.tables.stacking[side] - sum([roster.counts[u] for u in group])
    if side != ALLIED:
        full = room if room < s.game.tables.stacking[side] else 255  # leaders always find room
        return [n for n in nodes if loads[n] <= full]
    nation, nations = roster.nation[lead], s.nations
    return [n for n in nodes if not loads[n] or (loads[n] <= room and nations[n] == nation)]


def has_room(s: NarvikState, group: tuple[int, ...], node: int) -> bool:
    return not s.loads[node] or bool(with_room(s, group, (node,)))


def over_limit(s: NarvikState, node: int) -> bool:
    """9.0.h: is a hex legally overstacked (only German regrouping brings that about, 9.0.j)?"""
    units = s.here.get(node, ())
    return len(units) > 2 and s.loads[node] > s.game.tables.stacking[s.game.side_of[units[0]]]


def may_fire(s: NarvikState, unit: int) -> bool:
    """9.0.h: in an overstacked hex only the top unit fires."""
    node = s.at[unit]
    return s.here[node][-1] == unit or not over_limit(s, node)


# ------------------------------------------------------------------ the order of a stack


def offer_order(s: NarvikState, side: int, node: int) -> None:
    """9.0.i: units retreated or pursued into a hex; their owner may put the stack in order."""
    if node < s.game.ground.hexes and len(s.here.get(node, ())) > 1:
        s.push("arrange", side, (node,), 0)


def offers_order(s: NarvikState) -> bool:
    """9.0.i: when a formation is activated its stacks may be put in order, before anything else is done."""
    if s.origin != -1 or s.moved or s.fired or s.paused:
        return False
    hexes, active = s.game.ground.hexes, s.active
    for node, units in s.here.items():  # the order does not matter
        if node < hexes and len(units) > 1 and any(active >> u & 1 for u in units):
            return True
    return False


TOO_LATE = refuse("9.0.i", "stacks are put in order only when the action begins")


def put_in_order(s: NarvikState, side: int) -> None:
    """The player uses the offer; the moment for it has then passed."""
    s.origin = -2
    s.push("arrange", side, active_stacks(s), 0)


def active_stacks(s: NarvikState) -> tuple[int, ...]:
    """Hexes with two or more units, one of them activated (ruling D35)."""
    hexes, active = s.game.ground.hexes, s.active
    return tuple(sorted(
        node for node, units in s.here.items()
        if node < hexes and len(units) > 1 and any(active >> u & 1 for u in units)
    ))  # fmt: skip


@flow.choice
class Arrange(NarvikChoice):
    """Bring units to the top of their stacks, each at most once."""

    name = "arrange"
    rules = ("9.0.i",)

    def prompt(self, s: NarvikState, *args: Any) -> str:
        return "Put a unit on top of its stack, or leave the order as it is."

    def legal(self, s: NarvikState, *args: Any) -> list[Action]:
        _, nodes, done = args
        act = s.game.act["top"]
        return [s.game.act["keep_order"][()]] + [
            act[u] for node in nodes for u in s.here.get(node, ())[:-1] if not done >> u & 1
        ]

    def do(self, s: NarvikState, action: Action, *args: Any) -> None:
        side, nodes, done = args
        if action[0] == "keep_order":
            s.pop()
            return
        unit = arg(action)
        node = s.at[unit]
        s.here[node] = (*[u for u in s.here[node] if u != unit], unit)
        s.tell(side, "order", "{unit} is put on top in {hex}", "the stack in {hex} is put in order", "9.0.i",
               unit=unit, hex=node)  # fmt: skip
        s.replace("arrange", side, nodes, done | 1 << unit)

    def why_not(self, s: NarvikState, action: Action, *args: Any) -> list[Citation]:
        if action.kind != "top":
            return []
        return [refuse("9.0.i", "only a unit below the top of an activated stack can be put on top, once")]
