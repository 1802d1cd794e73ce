"""The hot paths: against a plain search, and the compiled build against the plain source."""

from __future__ import annotations

import heapq
import importlib.util
import random
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import counterblow.kernel
from counterblow.kernel import graph as built
from counterblow.kernel.hexes import Grid
from counterblow.kernel.plain import PlainGraph

SOURCE = Path(counterblow.kernel.__file__).with_name("graph.py")


def plain_module() -> ModuleType:
    """The hot paths run from source, whatever was compiled."""
    spec = importlib.util.spec_from_file_location("plain_graph", SOURCE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["plain_graph"] = module
    spec.loader.exec_module(module)
    return module


plain = plain_module()


class Quick:
    """The hot paths of plain Python, with the costs and steps of the build."""

    Graph, Costs, Steps = PlainGraph, built.Costs, built.Steps


def make_graph(module: Any, grid: Grid) -> Any:
    number = {label: i for i, label in enumerate(grid.labels)}
    first, target = [0], []
    for label in grid.labels:
        target += [number[there] for _, there in grid.neighbours(label)]
        first.append(len(target))
    return module.Graph(first, target)


def random_case(seed: int) -> dict[str, Any]:
    rng = random.Random(seed)
    grid = Grid("flat", rng.randint(4, 9), rng.randint(4, 9))
    n = len(grid.labels)
    steps = sum(1 for label in grid.labels for _ in grid.neighbours(label))
    whole = rng.choice([0, 0, 3])
    return {
        "grid": grid,
        "costs": {
            "cost": [rng.choice([-1, 1, 1, 2, 3]) for _ in range(steps)],
            "near_zone": [rng.choice([0, 0, 1]) for _ in range(steps)],
            "road": [rng.choice([0, 1]) for _ in range(steps)] if whole else [],
            "whole": whole,
            "enter": rng.choice([0, 2]),
            "leave": rng.choice([0, 1, 2]),
            "stop": rng.choice([0, 1]),
            "between": rng.choice([0, 1, 2]),
            "friends": rng.choice([0, 1]),
        },
        "enemy": bytes(rng.random() < 0.1 for _ in range(n)),
        "zone": bytes(rng.random() < 0.3 for _ in range(n)),
        "friend": bytes(rng.random() < 0.2 for _ in range(n)),
        "start": rng.randrange(n),
        "budget": rng.randint(1, 14),
        "allowed": bytes(rng.random() < 0.8 for _ in range(steps)),
        "sources": [rng.randrange(n) for _ in range(3)],
        "limit": rng.choice([-1, 0, 2, 5]),
    }


def answers(module: Any, case: dict[str, Any]) -> dict[str, Any]:
    graph = make_graph(module, case["grid"])
    costs = module.Costs(**case["costs"])
    field = (case["enemy"], case["zone"], case["friend"])
    reach = graph.reach(costs, *field, case["start"], case["budget"])
    zone = bytearray(case["zone"])
    steps = module.Steps(case["allowed"])
    result = {
        "reached": list(reach.nodes),
        "costs": [reach.cost_to(node) for node in range(graph.size)],
        "paths": {node: reach.path_to(node) for node in reach.nodes},
        "many": graph.reach_many(costs, *field, [case["start"], 0], [case["budget"], 3]),
        "spent": graph.reach(
            costs, *field, case["start"], case["budget"], min(2, case["budget"]), case["friend"]
        ).nodes,
        "shut": bytes(graph.shut(*field)),
        "room": graph.at_most(reach.nodes, case["friend"], 0),
        "alike": graph.alike(reach.nodes, case["friend"], case["zone"], 1),
        "all": graph.reached(graph.flood(steps, case["enemy"], case["sources"], -1)),
        "marked": graph.marked(case["zone"]),
        "traceable": bytes(graph.traceable(steps, graph.shut(*field), case["sources"])),
        "flood": list(graph.flood(steps, graph.shut(*field), case["sources"], case["limit"])),
    }
    graph.zone(steps, zone, case["start"], 1)
    result["zone"] = bytes(zone)
    again = graph.reach(costs, *field, case["start"], case["budget"]).nodes
    assert list(again) == result["reached"], "a flood in between must not disturb the next reach"
    return result


@pytest.mark.parametrize("seed", range(120))
def test_compiled_and_plain_agree(seed: int) -> None:
    """Where nothing is compiled this compares the source with itself; the build's own test run compares both."""
    case = random_case(seed)
    assert answers(built, case) == answers(plain, case)


@pytest.mark.parametrize("seed", range(120))
def test_the_quick_ways_of_plain_python_agree(seed: int) -> None:
    case = random_case(seed)
    assert answers(Quick, case) == answers(built, case)


@pytest.mark.parametrize("seed", range(120))
def test_reach_equals_a_plain_dijkstra(seed: int) -> None:
    case = random_case(seed)
    found = answers(built, case)
    expected = dijkstra(case)
    assert dict(zip(range(len(found["costs"])), found["costs"], strict=True)) == {
        node: expected.get(node, -1) for node in range(len(found["costs"]))
    }
    assert sorted(found["reached"]) == sorted(node for node in expected if node != case["start"])
    assert found["room"] == [node for node in found["reached"] if not case["friend"][node]]


def dijkstra(case: dict[str, Any]) -> dict[int, int]:
    """The rules of Costs, written as directly as possible."""
    grid, costs = case["grid"], case["costs"]
    number = {label: i for i, label in enumerate(grid.labels)}
    pairs = [(number[a], number[b]) for a in grid.labels for _, b in grid.neighbours(a)]
    start = case["start"]

    def zoned(node: int, leaving: bool) -> bool:
        if not case["zone"][node]:
            return False
        return not (costs["friends"] and case["friend"][node] and not (leaving and node == start))

    best = {start: 0}
    queue = [(0, start)]
    while queue:
        d, here = heapq.heappop(queue)
        if d > best[here] or (costs["stop"] and here != start and zoned(here, True)):
            continue
        for step, (a, there) in enumerate(pairs):
            if a != here or costs["cost"][step] < 0 or case["enemy"][there]:
                continue
            out, into = zoned(here, True), zoned(there, False)
            if out and into and (costs["between"] == 1 or (costs["between"] == 2 and not case["friend"][there])):
                continue
            base = d
            if costs["whole"] and not costs["road"][step]:
                base = -(-d // costs["whole"]) * costs["whole"]
            total = base + costs["cost"][step] + costs["leave"] * out + costs["enter"] * into
            total += costs["near_zone"][step] * (out or into)
            if total <= case["budget"] and total < best.get(there, 10**9):
                best[there] = total
                heapq.heappush(queue, (total, there))
    return best


@pytest.mark.parametrize("seed", range(40))
def test_flood_equals_a_walk(seed: int) -> None:
    case = random_case(seed)
    found = answers(built, case)["flood"]
    number = {label: i for i, label in enumerate(case["grid"].labels)}
    pairs = [(number[a], number[b]) for a in case["grid"].labels for _, b in case["grid"].neighbours(a)]
    shut = answers(built, case)["shut"]
    level = {s for s in case["sources"] if not shut[s]}
    expected = dict.fromkeys(level, 1)
    depth = 1
    while level and (case["limit"] < 0 or depth <= case["limit"]):
        depth += 1
        level = {b for step, (a, b) in enumerate(pairs) if a in level and case["allowed"][step] and not shut[b]
                 and b not in expected}  # fmt: skip
        expected.update(dict.fromkeys(level, depth))
    assert found == [expected.get(node, 0) for node in range(len(found))]


@pytest.mark.parametrize("seed", range(40))
def test_a_line_can_begin_where_it_is_shut_but_not_go_through(seed: int) -> None:
    case = random_case(seed)
    found = answers(built, case)
    number = {label: i for i, label in enumerate(case["grid"].labels)}
    pairs = [(number[a], number[b]) for a in case["grid"].labels for _, b in case["grid"].neighbours(a)]
    shut = found["shut"]
    through = expected = {s for s in case["sources"] if not shut[s]}
    while through:
        ends = {b for step, (a, b) in enumerate(pairs) if a in through and case["allowed"][step]} - expected
        expected = expected | ends
        through = {node for node in ends if not shut[node]}
    assert found["marked"] == [node for node, zone in enumerate(case["zone"]) if zone]
    assert found["traceable"] == bytes(node in expected for node in range(len(shut)))
