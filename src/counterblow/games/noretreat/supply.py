"""Chapter 6: supply paths, supply sources and Unsupplied markers."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import NamedTuple

from counterblow.games.noretreat.cards import wants, window, windows
from counterblow.games.noretreat.components import AXIS, SOVIET, UNSUPPLIED
from counterblow.games.noretreat.state import NoRetreatState, flow
from counterblow.kernel.flow import Step
from counterblow.kernel.masks import bits


class Net(NamedTuple):
    """A side's supply net: Overland paths now."""

    reach: array[int]  # per node: hexes to the nearest source plus one, 0 beyond four
    cities: int  # sites that are friendly supplied cities


# ---------------------------------------------------------------------- 6.1, 6.3 the net


def shut(s: NoRetreatState, side: int) -> bytearray:
    """6.3.a, 6.3.b: enemy units, enemy cities, and enemy zones without a friendly unit block a path.

    6.3.d: who has no zone blocks his own hex only. 6.3.c, 6.3.e, 8.6.c: see ``charts.supply_steps``.
    """
    charts = s.game.charts
    blocked: bytearray = charts.graph.shut(s.held[1 - side], s.zone[1 - side], s.held[side])
    hostile = s.sites if side == AXIS else ~s.sites
    for site in bits(hostile & charts.city_mask):
        blocked[charts.site_node[site]] = 1
    return blocked


def friendly_cities(s: NoRetreatState, side: int) -> int:
    """6.1.b: cities that a side was the last to enter."""
    own = s.sites if side == SOVIET else ~s.sites
    return own & s.game.charts.city_mask


def supplied_cities(s: NoRetreatState, side: int, blocked: bytearray) -> int:
    """6.1.c, 6.1.e: friendly cities with a path of any length to the friendly edge, westward or eastward only."""
    charts, on_edge = s.game.charts, s.game.charts.on_edge[side]
    lines = charts.graph.traceable(charts.net_steps[side], blocked, charts.edges[side])
    found, site_node = 0, charts.site_node
    for site in bits(friendly_cities(s, side)):
        if lines[site_node[site]] or on_edge[site_node[site]]:  # the city's own hex is never blocked (ruling 27)
            found |= 1 << site
    return found


def sources(s: NoRetreatState, side: int, blocked: bytearray) -> tuple[int, list[int]]:
    """The supplied cities, and the hexes to which units trace: those cities and the friendly edge (6.1.d)."""
    charts = s.game.charts
    cities = supplied_cities(s, side, blocked)
    usable = cities & ~s.cut
    if side == AXIS and s.scorched:
        usable &= ~(1 << s.scorched[0])
    return cities, [*charts.edges[side], *[charts.site_node[site] for site in bits(usable)]]


def supply_net(s: NoRetreatState, side: int) -> Net:
    """6.1.a, 6.1.f, 6.1.g: Overland Supply Paths of four hexes, in any direction; kept until something changes."""
    net = s.nets[side]
    if net is None:
        charts = s.game.charts
        blocked = shut(s, side)
        cities, starts = sources(s, side, blocked)
        net = Net(charts.graph.flood(charts.supply_steps, blocked, starts, s.game.supply_range), cities)
        s.nets[side] = net
    return net


def overland(s: NoRetreatState, side: int, node: int) -> bool:
    """6.1: does a unit at a node have an Overland Supply Path? From an area the first hex outside counts as one."""
    if node < s.game.board.hexes:
        return supply_net(s, side).reach[node] > 0
    return _next_to_line(s, side, s.game.charts.beside[node])


def city_traces(s: NoRetreatState, side: int, site: int) -> bool:
    """6.1: could a unit in the city trace an Overland path? Its own hex is never blocked (ruling 27)."""
    node, net = s.game.charts.site_node[site], supply_net(s, side)
    return bool(net.cities >> site & 1 or net.reach[node]) or _next_to_line(s, side, s.game.board.around[node])


def _next_to_line(s: NoRetreatState, side: int, nodes: Sequence[int]) -> bool:
    """Is one of these hexes near enough to a source for another step?"""
    reach, limit = supply_net(s, side).reach, s.game.supply_range
    return any(0 < reach[there] <= limit for there in nodes)


# ---------------------------------------------------------------------- 6.2 alternate sources


def in_supply(s: NoRetreatState, unit: int) -> bool:
    """Not marked, and not about to be."""
    return not s.unsupplied(unit) and supplied(s, unit)


def supplied(s: NoRetreatState, unit: int) -> bool:
    """Is a unit in supply, by an Overland path or an Alternate Source (6.2.a), which is no Overland path (6.2.h)?"""
    side, node = s.game.side_of[unit], s.at[unit]
    return (
        overland(s, side, node)
        or sea_supply(s, side, node, unit)
        or minor_country(s, unit)
        or beside_overland(s, side, node)
    )


def sea_supply(s: NoRetreatState, side: int, node: int, unit: int = -1) -> bool:
    """6.2.b: only from a coastal hex. 6.2.c Caspian, 6.2.d Baltic, 6.2.e Black Sea; the Sea of Azov supplies nobody."""
    charts = s.game.charts
    if charts.black_sea[node] or (side == SOVIET and charts.caspian[node]):
        return True
    if not charts.baltic[node] or unit in s.blockade:
        return False
    return side == AXIS or bool(supply_net(s, side).cities >> charts.leningrad & 1)


def minor_country(s: NoRetreatState, unit: int) -> bool:
    """6.2.g: Finns in Finland, Yugoslavs in the Balkans."""
    charts, nation = s.game.charts, s.game.counters[unit].nation
    if nation == "Finnish":
        return s.at[unit] == charts.finland
    return nation == "Yugoslav" and s.at[unit] in charts.balkans


def beside_overland(s: NoRetreatState, side: int, node: int) -> bool:
    """6.2.f: next to a friendly unit that has an Overland path itself; no chains."""
    held = s.held[side]
    for there in s.game.board.around[node]:
        if held[there] and there < s.game.map_nodes and overland(s, side, there):
            return True
    return False


# ---------------------------------------------------------------------- the Supply Check Phase


@flow.step
def supply_phase(s: NoRetreatState) -> None:
    """6.0: the phasing side is checked and marked first."""
    s.queue((windows, "supply"), *check(s, mark), (window, AXIS, "marked"), (over,))


def check(s: NoRetreatState, verdict: Callable[[NoRetreatState, int], None]) -> tuple[Step, ...]:
    """Units of each side are found wanting, the phasing side's first, perhaps spared, and then judged."""
    first, second = s.mover, 1 - s.mover
    return (find, first), (verdict, first), (find, second), (verdict, second)


@flow.step
def find(s: NoRetreatState, side: int) -> None:
    """An owner may spare units found wanting before they are marked (timing S)."""
    if wants(s, side, "unsupplied") and wanting(s, side):
        s.push(window, side, "unsupplied")


def wanting(s: NoRetreatState, side: int) -> list[int]:
    """Units that cannot trace supply now; in the Removal Phase only marked ones are asked (11.1.c)."""
    army = s.army(side)
    if s.during("removal"):
        army = [unit for unit in army if s.marks[unit] & UNSUPPLIED]
    if not army:
        return army
    at, lines = s.at, supply_net(s, side).reach
    return [unit for unit in army if not lines[at[unit]] and unit not in s.spared and not supplied(s, unit)]


@flow.step
def mark(s: NoRetreatState, side: int) -> None:
    """6.4, 6.5.3: an Unsupplied unit loses its ZOC at once."""
    for unit in wanting(s, side):
        s.mark(unit, UNSUPPLIED)
        s.log("unsupplied", "{unit} in {place} is unsupplied", "6.4", unit=unit, place=s.at[unit])


@flow.step
def over(s: NoRetreatState) -> None:
    """Events of a check last for that check."""
    s.spared = s.blockade = ()
    if s.cut:
        s.cut = 0
        s.nets[0] = s.nets[1] = None
