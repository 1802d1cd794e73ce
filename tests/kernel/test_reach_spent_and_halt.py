"""Reach of a unit that has already used part of its movement, and nodes that end a move."""

from __future__ import annotations

from counterblow.kernel.graph import Costs, Graph, Steps

NONE = bytes(5)


def chain() -> tuple[Graph, Costs]:
    """Five nodes in a row, each step costs 2."""
    graph = Graph([0, 1, 3, 5, 7, 8], [1, 0, 2, 1, 3, 2, 4, 3])
    return graph, Costs([2] * 8)


def test_what_is_spent_counts_against_the_budget() -> None:
    graph, costs = chain()
    reach = graph.reach(costs, NONE, NONE, NONE, 0, 6, 3)
    assert reach.nodes == [1]
    assert reach.cost_to(1) == 5


def test_a_halting_node_is_entered_but_not_passed() -> None:
    graph, costs = chain()
    assert graph.reach(costs, NONE, NONE, NONE, 0, 8, 0, bytes([0, 0, 1, 0, 0])).nodes == [1, 2]


def test_a_halting_node_does_not_hold_a_unit_that_starts_there() -> None:
    graph, costs = chain()
    assert graph.reach(costs, NONE, NONE, NONE, 2, 2, 0, bytes([0, 0, 1, 0, 0])).nodes == [3, 1]


def test_thirds_already_used_are_lost_on_leaving_the_road() -> None:
    graph = Graph([0, 1, 3, 4], [1, 0, 2, 1])
    costs = Costs([2, 2, 6, 6], road=[1, 1, 0, 0], whole=6)
    reach = graph.reach(costs, bytes(3), bytes(3), bytes(3), 1, 12, 2)
    assert reach.nodes == [0, 2]
    assert reach.cost_to(2) == 12


def test_the_nodes_of_a_flood_feed_another() -> None:
    graph, _ = chain()
    near = graph.flood(Steps([1] * 8), bytes([0, 0, 1, 0, 0]), [0], -1)
    assert graph.reached(near) == [0, 1]
    assert list(graph.flood(Steps([1] * 8), NONE, graph.reached(near), 1)) == [1, 1, 2, 0, 0]
