"""The hot paths: zones, reach and trace over the graph of a map.

This module runs as plain Python and, where a C compiler is at hand, compiled by Cython from this same source
(types stand in ``graph.pxd``). The plain run is the oracle of the compiled one.

Nodes are hexes and areas. The steps out of node ``a`` are the numbers ``first[a] .. first[a + 1] - 1``, and
``target[step]`` is where a step leads. Costs are whole numbers in the game's smallest unit (half or third
movement points); -1 bars a step.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

COMPILED = not __file__.endswith(".py")
UNREACHED = 32767
# of ``draw`` and ``ones``; compiled, they are numbers of 64 bits
MASK, HALF = (1 << 64) - 1, (1 << 32) - 1
GOLDEN, FIRST_FACTOR, SECOND_FACTOR = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB

Counts = bytes | bytearray


def draw(generator: int, n: int) -> tuple[int, int]:
    """``chance.below`` of a plain generator, for n under 2**31: compiled, in numbers of 64 bits."""
    state = (generator + GOLDEN) & MASK
    z = state
    z = ((z ^ (z >> 30)) * FIRST_FACTOR) & MASK
    z = ((z ^ (z >> 27)) * SECOND_FACTOR) & MASK
    z = z ^ (z >> 31)
    return state, ((z >> 32) * n + (((z & HALF) * n) >> 32)) >> 32


def ones(mask: int) -> list[int]:
    """``masks.bits``: the members of a mask, lowest first; compiled, word by word."""
    found: list[int] = []
    place = 0
    while mask > 0:
        word = mask & MASK
        member = place
        while word:
            if word & 1:
                found.append(member)
            word = word >> 1
            member += 1
        mask = mask >> 64
        place += 64
    return found


class Steps:
    """Which steps of the graph something may be done across (a zone, a supply line, a retreat): 0 or 1 each."""

    def __init__(self, allowed: Iterable[int]) -> None:
        self.allowed: Sequence[int] = bytes(allowed)


class Costs:
    """What movement costs one class of unit, and what enemy zones of control do to it.

    cost          per step, -1 where the step is barred
    near_zone     per step: extra cost if either end lies in an enemy zone (else empty)
    road, whole   per step 1 for road steps; leaving the road rounds the cost so far up to a multiple of ``whole``
    enter, leave  surcharge for entering or leaving a zone hex
    stop          1: a unit that enters a zone hex stops there
    between       zone to zone: 0 free, 1 barred, 2 only onto a friendly unit
    friends       1: a zone hex that holds a friendly unit counts as free of zones
    """

    def __init__(
        self,
        cost: Sequence[int],
        near_zone: Sequence[int] = (),
        road: Sequence[int] = (),
        whole: int = 0,
        enter: int = 0,
        leave: int = 0,
        stop: int = 0,
        between: int = 0,
        friends: int = 0,
    ) -> None:
        self.cost = array("h", cost)
        self.near_zone = array("h", near_zone or [0] * len(cost))
        self.road: Sequence[int] = bytes(road or len(cost))
        self.whole = whole
        self.enter = enter
        self.leave = leave
        self.stop = stop
        self.between = between
        self.friends = friends


class Reach:
    """Where a unit can go: ``nodes``, cheapest first, the start left out. A value: it stays true to its moment."""

    def __init__(self, start: int, nodes: list[int], dist: array[int], prev: array[int]) -> None:
        self.start = start
        self.nodes = nodes
        self.dist = dist
        self.prev = prev

    def cost_to(self, node: int) -> int:
        """What it costs to get to a node; -1 if it cannot be reached."""
        cost = self.dist[node]
        return -1 if cost == UNREACHED else cost

    def path_to(self, node: int) -> list[int]:
        """The cheapest way, from the start to the node; empty if there is none."""
        path: list[int] = []
        if self.dist[node] == UNREACHED:
            return path
        while node >= 0:
            path.append(node)
            node = self.prev[node]
        path.reverse()
        return path


class Graph:
    """The map as numbers. Its arrays of distances are scratch paper: what ``reach`` gives is a value."""

    def __init__(self, first: Sequence[int], target: Sequence[int]) -> None:
        n = len(first) - 1
        self.size = n
        self.first = array("i", first)
        self.target = array("h", target)
        self.distances = array("h", [UNREACHED]) * n
        self.previous = array("h", [-1]) * n
        self.dist, self.prev = self.distances, self.previous  # typed when compiled
        self.queued = array("h", [-1]) * (len(target) + 1)
        self.following = array("h", [-1]) * (len(target) + 1)
        self.head = array("h", [-1]) * 1024
        self.touched = array("h", [-1]) * n
        self.count = 0
        self.blank = array("h", bytes(2 * n))
        self.numbers = list(range(n))  # the nodes as objects: an answer refers to them and makes none

    def zone(self, steps: Steps, zone: bytearray, node: int, delta: int) -> None:
        """Add a unit's zone of control (delta 1) around its hex, or take it away (delta -1)."""
        allowed = steps.allowed
        target = self.target
        counts = zone  # typed when compiled, as below
        for step in range(self.first[node], self.first[node + 1]):
            if allowed[step]:
                counts[target[step]] += delta

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
        """Nodes that a unit can reach within its budget, the start left out, cheapest first.

        ``enemy``, ``zone`` and ``friend`` count, per node, enemy units, enemy zones and friendly units. ``spent`` is
        what the unit has already used of the budget; nodes marked in ``halt`` may be entered but not passed through.
        """
        cost = costs.cost
        near_zone = costs.near_zone
        road = costs.road
        whole = costs.whole
        first = self.first
        target = self.target
        dist = self.dist
        prev = self.prev
        queued = self.queued
        following = self.following
        head = self.head
        touched = self.touched
        numbers = self.numbers
        foes, zoc, friends = enemy, zone, friend
        halting = halt is not None
        stops = halt if halt is not None else enemy
        for i in range(self.count):
            dist[touched[i]] = UNREACHED
        if budget > 1023:
            budget = 1023
        for i in range(budget + 1):
            head[i] = -1
        dist[start] = spent
        prev[start] = -1
        touched[0] = start
        count = 1
        queued[0] = start
        following[0] = -1
        head[spent] = 0
        entries = 1
        found: list[int] = []
        for d in range(spent, budget + 1):
            while head[d] >= 0:
                entry = head[d]
                head[d] = following[entry]
                here = queued[entry]
                if dist[here] != d:
                    continue  # a cheaper way was found meanwhile
                if here != start:
                    found.append(numbers[here])
                zoned = zoc[here] > 0 and not (costs.friends and friends[here] and here != start)
                if here != start and ((zoned and costs.stop) or (halting and stops[here])):
                    continue
                for step in range(first[here], first[here + 1]):
                    price = cost[step]
                    if price < 0:
                        continue
                    there = target[step]
                    if foes[there]:
                        continue
                    zoned_there = zoc[there] > 0 and not (costs.friends and friends[there])
                    base = d
                    if whole and not road[step] and base % whole:
                        base += whole - base % whole
                    total = base + price
                    if zoned:
                        total += costs.leave
                    if zoned_there:
                        if zoned and costs.between and not (costs.between == 2 and friends[there]):
                            continue
                        total += costs.enter
                    if zoned or zoned_there:
                        total += near_zone[step]
                    if total > budget or total >= dist[there]:
                        continue
                    if dist[there] == UNREACHED:
                        touched[count] = there
                        count += 1
                    dist[there] = total
                    prev[there] = here
                    queued[entries] = there
                    following[entries] = head[total]
                    head[total] = entries
                    entries += 1
        self.count = count
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
        """Where a unit can go within its budget, at what cost and by which way: see ``Reach``.

        ``enemy``, ``zone`` and ``friend`` count, per node, enemy units, enemy zones and friendly units. ``spent`` is
        what the unit has already used of the budget; nodes marked in ``halt`` may be entered but not passed through.
        """
        nodes = self._scan(costs, enemy, zone, friend, start, budget, spent, halt)
        return Reach(start, nodes, self.distances[:], self.previous[:])

    def reach_many(
        self,
        costs: Costs,
        enemy: Counts,
        zone: Counts,
        friend: Counts,
        starts: Sequence[int],
        budgets: Sequence[int],
    ) -> list[list[int]]:
        """``reach`` for several units of one class; a list of lists of nodes."""
        return [
            self._scan(costs, enemy, zone, friend, start, budget) for start, budget in zip(starts, budgets, strict=True)
        ]

    def shut(self, enemy: Counts, zone: Counts, friend: Counts) -> bytearray:
        """Nodes a supply line may not use: enemy units, and enemy zones that hold no friendly unit."""
        n = self.size
        result = bytearray(n)
        out, foes, zoc, friends = result, enemy, zone, friend
        for node in range(n):
            if foes[node] or (zoc[node] and not friends[node]):
                out[node] = 1
        return result

    def flood(self, steps: Steps, shut: Counts, sources: Iterable[int], limit: int) -> array[int]:
        """How far each node is from the nearest source, plus one; 0 where no line of that length exists.

        A shut source does not count; ``limit`` is in steps, negative for no limit.
        """
        first = self.first
        target = self.target
        allowed = steps.allowed
        result = self.blank[:]
        out = result
        closed = shut
        line = self.touched
        dist = self.dist
        for i in range(self.count):  # the scratch arrays are shared with reach
            dist[line[i]] = UNREACHED
        self.count = 0
        end = 0
        for source in sources:
            if not closed[source] and out[source] == 0:
                out[source] = 1
                line[end] = source
                end += 1
        start = 0
        while start < end:
            here = line[start]
            start += 1
            d = out[here]
            if limit >= 0 and d > limit:
                continue
            for step in range(first[here], first[here + 1]):
                if allowed[step]:
                    there = target[step]
                    if out[there] == 0 and not closed[there]:
                        out[there] = d + 1
                        line[end] = there
                        end += 1
        return result

    def traceable(self, steps: Steps, shut: Counts, sources: Iterable[int]) -> bytearray:
        """1 for each node from which a line of any length leads to a source (against the steps).

        What is shut bars the way, a source too, but not the node where a line begins.
        """
        first = self.first
        target = self.target
        allowed = steps.allowed
        result = bytearray(self.size)
        out = result
        closed = shut
        line = self.touched
        dist = self.dist
        for i in range(self.count):  # the scratch arrays are shared with reach
            dist[line[i]] = UNREACHED
        self.count = 0
        end = 0
        for source in sources:
            if not closed[source] and not out[source]:
                out[source] = 1
                line[end] = source
                end += 1
        while end > 0:
            end -= 1
            here = line[end]
            for step in range(first[here], first[here + 1]):
                there = target[step]
                if allowed[step] and not out[there]:
                    out[there] = 1
                    if not closed[there]:
                        line[end] = there
                        end += 1
        return result

    def at_most(self, nodes: list[int], counts: Counts, most: int) -> list[int]:
        """Those of the nodes that count at most so much: where there is room, for instance."""
        found: list[int] = []
        values = counts
        for node in nodes:
            if values[node] <= most:
                found.append(node)
        return found

    def alike(self, nodes: list[int], counts: Counts, kinds: Counts, kind: int) -> list[int]:
        """Those of the nodes that are empty, or whose contents are of a kind."""
        found: list[int] = []
        values, contents = counts, kinds
        for node in nodes:
            if not values[node] or contents[node] == kind:
                found.append(node)
        return found

    def marked(self, marks: Counts) -> list[int]:
        """The nodes that have a mark, for instance those that are ``traceable``."""
        values = marks
        numbers = self.numbers
        found: list[int] = []
        for node in range(self.size):
            if values[node]:
                found.append(numbers[node])
        return found

    def reached(self, distances: array[int]) -> list[int]:
        """The nodes that a ``flood`` has reached: the sources of another, perhaps."""
        d = distances
        numbers = self.numbers
        found: list[int] = []
        for node in range(self.size):
            if d[node]:
                found.append(numbers[node])
        return found
