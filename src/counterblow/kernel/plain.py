"""The hot paths for plain Python: what ``graph.py`` does, in the ways in which Python is quick.

Used where ``graph.py`` was not compiled. Steps and costs are turned into lists of neighbours once, wide floods run on
whole numbers as sets of nodes. The answers, their order included, are those of ``graph.Graph``: a test compares them.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from itertools import compress
from typing import cast

from counterblow.kernel.graph import UNREACHED, Costs, Counts, Reach, Steps
from counterblow.kernel.masks import bits, mask_of

Edge = tuple[int, int, int, int]  # where to, price, extra near a zone, along a road
FLAG = bytes([0] + [1] * 255)  # a count as a flag
DIGIT = bytes([48] + [49] * 255)  # a count as a binary digit
VALUE = bytes(byte == 49 for byte in range(256))  # and back


class PlainReach:
    """Where a unit can go; see ``graph.Reach``."""

    def __init__(self, start: int, nodes: list[int], dist: list[int], prev: list[int]) -> None:
        self.start = start
        self.nodes = nodes
        self.dist = dist
        self.prev = prev

    def cost_to(self, node: int) -> int:
        cost = self.dist[node]
        return -1 if cost == UNREACHED else cost

    def path_to(self, node: int) -> list[int]:
        if self.dist[node] == UNREACHED:
            return []
        path, prev = [node], self.prev
        while prev[node] >= 0:
            node = prev[node]
            path.append(node)
        path.reverse()
        return path


class PlainGraph:
    """The map as numbers; see ``graph.Graph``."""

    def __init__(self, first: Sequence[int], target: Sequence[int]) -> None:
        n = len(first) - 1
        self.size = n
        self.first = list(first)
        self.target = list(target)
        self.dist = [UNREACHED] * n
        self.prev = [-1] * n
        self.touched: list[int] = []
        self._ones = int.from_bytes(bytes([1]) * n, "little")
        self._around: dict[Steps, list[list[int]]] = {}
        self._leaps: dict[Steps, list[tuple[int, int]]] = {}
        self._edges: dict[Costs, list[list[Edge]]] = {}

    # steps and costs as lists

    def _neighbours(self, steps: Steps) -> list[list[int]]:
        if steps not in self._around:
            allowed, first, target = bytes(steps.allowed), self.first, self.target
            self._around[steps] = [
                [target[step] for step in range(first[node], first[node + 1]) if allowed[step]]
                for node in range(self.size)
            ]
        return self._around[steps]

    def _shifts(self, steps: Steps) -> list[tuple[int, int]]:
        """The steps as leaps in the numbering: (how far, mask of the nodes from which that leap is allowed)."""
        if steps not in self._leaps:
            leaps: dict[int, int] = {}
            for node, nodes in enumerate(self._neighbours(steps)):
                for there in nodes:
                    leaps[there - node] = leaps.get(there - node, 0) | 1 << node
            self._leaps[steps] = sorted(leaps.items())
        return self._leaps[steps]

    def _priced(self, costs: Costs) -> list[list[Edge]]:
        if costs not in self._edges:
            cost, near, road = list(costs.cost), list(costs.near_zone), bytes(costs.road)
            first, target = self.first, self.target
            self._edges[costs] = [
                [
                    (target[step], cost[step], near[step], road[step])
                    for step in range(first[node], first[node + 1])
                    if cost[step] >= 0
                ]
                for node in range(self.size)
            ]
        return self._edges[costs]

    # what the games call

    def zone(self, steps: Steps, zone: bytearray, node: int, delta: int) -> None:
        for there in self._neighbours(steps)[node]:
            zone[there] += delta

    def _scan(
        self,
        costs: Costs,
        enemy: Counts,
        zone: Counts,
        friend: Counts,
        start: int,
        budget: int,
        spent: int = 0,
        halt: Counts | None = None,
    ) -> list[int]:
        edges = self._priced(costs)
        whole, friends, stop, between = costs.whole, costs.friends, costs.stop, costs.between
        enter, leave = costs.enter, costs.leave
        dist, prev = self.dist, self.prev
        for node in self.touched:
            dist[node] = UNREACHED
        budget = min(budget, 1023)
        dist[start] = spent
        prev[start] = -1
        touched = self.touched = [start]
        buckets: dict[int, list[int]] = {spent: [start]}
        queue = [spent] if spent <= budget else []  # the costs for which there is a bucket
        found: list[int] = []
        while queue:
            d = heappop(queue)
            bucket = buckets[d]
            up = -(-d // whole) * whole if whole else d
            while bucket:
                here = bucket.pop()
                if dist[here] != d:
                    continue  # a cheaper way was found meanwhile
                zoned = zone[here] > 0 and not (friends and friend[here] and here != start)
                if here != start:
                    found.append(here)
                    if (zoned and stop) or (halt is not None and halt[here]):
                        continue
                for there, price, near, on_road in edges[here]:
                    total = (d if on_road else up) + price
                    known = dist[there]
                    if total >= known or total > budget or enemy[there]:  # what most often holds comes first
                        continue
                    if zoned or zone[there]:
                        if zone[there] and not (friends and friend[there]):
                            if zoned and between and not (between == 2 and friend[there]):
                                continue
                            total += enter + near + (leave if zoned else 0)
                        elif zoned:
                            total += leave + near
                        if total > budget or total >= known:
                            continue
                    if known == UNREACHED:
                        touched.append(there)
                    dist[there] = total
                    prev[there] = here
                    if total in buckets:
                        buckets[total].append(there)
                    else:
                        buckets[total] = [there]
                        heappush(queue, total)
        return found

    def reach(
        self,
        costs: Costs,
        enemy: Counts,
        zone: Counts,
        friend: Counts,
        start: int,
        budget: int,
        spent: int = 0,
        halt: Counts | None = None,
    ) -> Reach:
        nodes = self._scan(costs, enemy, zone, friend, start, budget, spent, halt)
        return cast(Reach, PlainReach(start, nodes, self.dist[:], self.prev[:]))

    def reach_many(
        self,
        costs: Costs,
        enemy: Counts,
        zone: Counts,
        friend: Counts,
        starts: Sequence[int],
        budgets: Sequence[int],
    ) -> list[list[int]]:
        return [
            self._scan(costs, enemy, zone, friend, start, budget) for start, budget in zip(starts, budgets, strict=True)
        ]

    def shut(self, enemy: Counts, zone: Counts, friend: Counts) -> bytearray:
        """Whole maps at once: each byte of a long number is a node."""
        foes, zones, friends = (int.from_bytes(part.translate(FLAG), "little") for part in (enemy, zone, friend))
        return bytearray((foes | zones & (friends ^ self._ones)).to_bytes(self.size, "little"))

    def flood(self, steps: Steps, shut: Counts, sources: Iterable[int], limit: int) -> array[int]:
        for node in self.touched:
            self.dist[node] = UNREACHED
        self.touched = []
        around = self._neighbours(steps)
        level = [node for node in dict.fromkeys(sources) if not shut[node]]
        if limit < 0 or sum(map(len, around[:50])) < 150:
            return self._walk(around, shut, level, limit)
        return self._spread(self._shifts(steps), shut, level, limit)

    def _walk(self, around: list[list[int]], shut: Counts, level: list[int], limit: int) -> array[int]:
        """Node by node: quick along roads and railways."""
        out = array("h", bytes(2 * self.size))
        done = bytearray(shut)  # where no line leads, or has led already
        for node in level:
            out[node] = done[node] = 1
        depth = 1
        while level and (limit < 0 or depth <= limit):
            depth += 1
            further = []
            for here in level:
                for there in around[here]:
                    if not done[there]:
                        done[there] = 1
                        out[there] = depth
                        further.append(there)
            level = further
        return out

    def _spread(self, shifts: list[tuple[int, int]], shut: Counts, level: list[int], limit: int) -> array[int]:
        """Ring by ring: quick over open country."""
        out = array("h", bytes(2 * self.size))
        free = int(shut.translate(DIGIT)[::-1], 2) ^ ((1 << self.size) - 1)
        ring = 0
        for node in level:
            ring |= 1 << node
        depth = 1
        while ring:
            free &= ~ring
            for node in bits(ring):
                out[node] = depth
            depth += 1
            if depth > limit + 1:
                break
            spread = 0
            for leap, nodes in shifts:
                spread |= (ring & nodes) << leap if leap > 0 else (ring & nodes) >> -leap
            ring = spread & free
        return out

    def traceable(self, steps: Steps, shut: Counts, sources: Iterable[int]) -> bytearray:
        """Ring by ring, without noting which node is in which."""
        shifts = self._shifts(steps)
        free = int(shut.translate(DIGIT)[::-1], 2) ^ ((1 << self.size) - 1)
        ring = mask_of(set(sources)) & free
        found = ring
        while ring:
            free &= ~ring
            spread = 0
            for leap, nodes in shifts:
                spread |= (ring & nodes) << leap if leap > 0 else (ring & nodes) >> -leap
            found |= spread
            ring = spread & free
        return bytearray(f"{found:0{self.size}b}".encode().translate(VALUE)[::-1])

    def at_most(self, nodes: list[int], counts: Counts, most: int) -> list[int]:
        return [node for node in nodes if counts[node] <= most]

    def alike(self, nodes: list[int], counts: Counts, kinds: Counts, kind: int) -> list[int]:
        return [node for node in nodes if not counts[node] or kinds[node] == kind]

    def marked(self, marks: Counts) -> list[int]:
        return list(compress(range(self.size), marks))

    def reached(self, distances: array[int]) -> list[int]:
        return list(compress(range(self.size), distances))
