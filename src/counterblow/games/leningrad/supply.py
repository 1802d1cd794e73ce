"""Chapter 12: supply."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

from counterblow.games.leningrad.components import GERMAN, RUSSIAN, Ground
from counterblow.games.leningrad.state import LeningradState, SupplyGrounds, flow

OVERLAND = 2  # index of the Russian lines that use neither Leningrad, nor the Gulf, nor ice (ruling D41)


def lines(s: LeningradState, kind: int) -> array[int]:
    """Distance + 1 of every hex from a source of supply; 0 where no line can be traced (12.1 to 12.6)."""
    found = s.lines[kind]
    if found is None:
        found = _trace(s, kind)
        known = list(s.lines)
        known[kind] = found
        s.lines = (known[0], known[1], known[2])
    return found


def _trace(s: LeningradState, kind: int) -> array[int]:
    side = GERMAN if kind == GERMAN else RUSSIAN
    more = _leningrad_and_gulf(s) if kind == RUSSIAN else []
    return lines_past(s, side, shut_to(s, side), s.game.grounds[0 if kind == OVERLAND else s.frozen], more)


def shut_to(s: LeningradState, side: int) -> bytearray:
    """Hexes that a side's lines cannot use: enemies, their bare zones (8.12, 12.4) and their places (12.5)."""
    shut = s.game.board.graph.shut(s.held[1 - side], s.zone[1 - side], s.held[side])
    for node in (s.grounds_of_supply or _grounds(s))[side][1]:
        shut[node] = 1
    return shut


def lines_past(s: LeningradState, side: int, shut: bytearray, ground: Ground, more: Iterable[int] = ()) -> array[int]:
    """Like ``lines``, past whatever is shut: from the roads that lead to a friendly edge, and from ``more`` hexes."""
    game, graph = s.game, s.game.board.graph
    edges = (s.grounds_of_supply or _grounds(s))[side][0]
    sources = graph.marked(graph.traceable(game.networks[side], shut, edges))  # what is shut will not count below
    return graph.flood(ground.open, shut, [*sources, *more], game.supply_range)


def _grounds(s: LeningradState) -> SupplyGrounds:
    """Friendly edge hexes and enemy-held places of each side, kept until control changes."""
    s.grounds_of_supply = tuple(
        (
            tuple(node for node in s.game.supply_edges[side] if s.control[node] == side),
            tuple(node for node in s.game.places if s.control[node] != side),
        )
        for side in (GERMAN, RUSSIAN)
    )
    return s.grounds_of_supply


def _leningrad_and_gulf(s: LeningradState) -> list[int]:
    """12.1: a Russian Leningrad hex; 12.6: any Gulf coast while the city is untaken and the fleet afloat."""
    held = [node for node in s.game.leningrad if s.control[node] == RUSSIAN]
    return [*held, *s.game.coast] if held and s.afloat else held


def traced(s: LeningradState, found: array[int], node: int) -> bool:
    """Can one of these lines be traced from a hex? The hex itself need not be free (ruling D62)."""
    if found[node]:
        return True
    reach = s.game.supply_range
    for near in s.game.grounds[s.frozen].around[node]:  # noqa: SIM110 - a plain loop is faster than any()
        if 0 < found[near] <= reach:
            return True
    return False


def in_supply(s: LeningradState, unit: int) -> bool:
    """2.17: judged at the moment it is asked."""
    if s.airlifted >> unit & 1:
        return True
    return traced(s, lines(s, s.game.side_of[unit]), s.at[unit])


def overland(s: LeningradState) -> bool:
    """Is Leningrad in overland supply? One Russian hex of it is enough (ruling D41)."""
    return any(s.control[node] == RUSSIAN and traced(s, lines(s, OVERLAND), node) for node in s.game.leningrad)


@flow.step
def supply_status(s: LeningradState, side: int) -> None:
    """1.14, 1.15, 12.7: units out of supply are Disrupted."""
    for unit in s.take_from(s.game.counters.ground[side]):
        if not s.is_disrupted(unit) and not in_supply(s, unit):
            s.disrupt(unit)
            s.log("supply", "{unit} is out of supply in {place}: Disrupted", "12.7", unit=unit, place=s.at[unit])
