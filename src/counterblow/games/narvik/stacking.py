"""Chapter 9: stacking."""

from __future__ import annotations

from counterblow.games.narvik.components import ALLIED, NATIONS
from counterblow.games.narvik.state import NarvikState, flow
from counterblow.kernel.flow import ask
from counterblow.kernel.masks import bits
from counterblow.kernel.pick import Deed, Pick
from counterblow.kernel.rulebook import Citation, refuse, refuse_if

Group = tuple[int, ...]


def why_not_room(s: NarvikState, group: Group, node: int, by: str = "") -> Citation | None:
    """9.0: why these units may not end in a hex together with those that stand there; None if they may.

    ``by`` is the rule to cite where another chapter says so too.
    """
    there = s.here.get(node)
    if not there or node >= s.game.ground.hexes:  # 20.0.c, 20.0.i: areas hold any number
        return None
    roster = s.game.roster
    if len(there) == len(group) and there[0] in group and set(there) == set(group):
        return None
    lead = group[0]
    side = roster.side[lead]
    if side == ALLIED and any(roster.nation[u] != roster.nation[lead] for u in there if u not in group):
        return refuse(by or "9.0.e", f"{NATIONS[roster.sub[lead]]} units do not stack with another nationality")
    counts, limit = roster.counts, s.game.tables.stacking[side]
    load = sum([counts[u] for u in there if u not in group])
    more = sum([counts[u] for u in group])
    if more and load + more > limit:
        rule = by or ("9.0.d" if side == ALLIED else "9.0.c")
        return refuse(rule, f"more than {limit} units would stand in {s.game.board.labels[node]}")
    return None


def with_room(s: NarvikState, group: Group, nodes: list[int]) -> list[int]:
    """The nodes out of these that could take a group that now stands elsewhere: ``why_not_room`` for many nodes."""
    roster, loads = s.game.roster, s.loads
    lead = group[0]
    side = roster.side[lead]
    room = s.game.tables.stacking[side] - sum([roster.counts[u] for u in group])
    if side != ALLIED:
        full = room if room < s.game.tables.stacking[side] else 255  # leaders always find room
        return s.game.board.graph.at_most(nodes, loads, full)
    graph = s.game.board.graph
    return graph.alike(graph.at_most(nodes, loads, max(0, room)), loads, s.nations, roster.nation[lead])


def has_room(s: NarvikState, group: Group, node: int) -> bool:
    return not s.loads[node] or bool(with_room(s, group, [node]))


def may_fire(s: NarvikState, unit: int) -> bool:
    """9.0.h: in an overstacked hex only the top unit fires; only German regrouping overstacks one (9.0.j)."""
    node = s.at[unit]
    return s.here[node][-1] == unit or s.loads[node] <= s.game.tables.stacking[s.game.side_of[unit]]


# ------------------------------------------------------------------ the order of a stack


def offer_order(s: NarvikState, node: int) -> None:
    """9.0.i: units retreated or pursued into a hex; their owner may put the stack in order."""
    if len(s.here.get(node, ())) > 1:
        s.push(Arrange, (node,), 0)


def active_stacks(s: NarvikState) -> tuple[int, ...]:
    """Hexes with two or more units, one of them activated (ruling D35)."""
    hexes, at, here = s.game.ground.hexes, s.at, s.here
    return tuple(sorted({at[u] for u in bits(s.active) if 0 <= at[u] < hexes and len(here[at[u]]) > 1}))


class Rearrange(Deed[NarvikState]):
    """9.0.i: when a formation is activated its stacks may be put in order, before anything else is done."""

    kind, stays = "rearrange", True

    def why_not_now(self, s: NarvikState) -> Citation | None:
        acted = bits(s.moved | s.fired | s.paused)
        begun = f"{s.game.unit_names[acted[0]]} has begun it" if acted else "that has been done"
        return (
            refuse_if(s.ordered or acted, "9.0.i", f"stacks are put in order only when the action begins: {begun}")
            or refuse_if(not active_stacks(s), "9.0.i", "no hex holds an activated unit and another one")
        )  # fmt: skip

    def perform(self, s: NarvikState) -> None:
        s.push(Arrange, active_stacks(s), 0)


@flow.choice
class Arrange(Pick[NarvikState]):
    """Bring units to the top of their stacks, each at most once (ruling D80). Arguments: hexes, units done."""

    kind, passing = "top", "keep_order"

    def side(self, s: NarvikState, nodes: Group, done: int) -> int:
        return s.game.side_of[s.here[nodes[0]][0]]

    def prompt(self, s: NarvikState, nodes: Group, done: int) -> str:
        if len(nodes) == 1:
            return f"Put a unit on top of the stack in {s.game.board.labels[nodes[0]]}, or leave the order as it is."
        return "Put a unit on top of its stack, or leave the order as it is."

    def candidates(self, s: NarvikState, nodes: Group, done: int) -> list[int]:
        return [unit for node in nodes for unit in s.here[node]]

    def why_not_item(self, s: NarvikState, unit: int, nodes: Group, done: int) -> Citation | None:
        where = s.game.act.name("places", nodes)
        return (
            refuse_if(s.at[unit] not in nodes, "9.0.i", f"what is put in order now is the stack in {where}")
            or refuse_if(s.here[s.at[unit]][-1] == unit, "9.0.i", "the unit is on top already")
            or refuse_if(done >> unit & 1, "9.0.i", "each unit is put on top once (ruling D80)")
        )

    def take(self, s: NarvikState, unit: int, nodes: Group, done: int) -> None:
        node = s.at[unit]
        s.ordered = True
        s.here[node] = (*[u for u in s.here[node] if u != unit], unit)
        s.tell(s.game.side_of[unit], "order", "{unit} is put on top in {place}", "the stack in {place} is put in order",
               "9.0.i", unit=unit, place=node)  # fmt: skip
        s.push(ask, Arrange, nodes, done | 1 << unit)
