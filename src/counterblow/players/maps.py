"""Maps of influence: how strongly units bear on the hexes around them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from counterblow.kernel.board import Board


def influence(board: Board, sources: Mapping[int, float], reach: int) -> list[float]:
    """For each node what bears on it: each source in full at its own node, less with every hex, nothing beyond."""
    total = [0.0] * board.size
    for node, amount in sources.items():
        for distance, nodes in enumerate(rings(board, node, reach)):
            share = amount * (reach + 1 - distance) / (reach + 1)
            for near in nodes:
                total[near] += share
    return total


def distances(board: Board, goals: Iterable[int], far: int) -> list[int]:
    """For each node how far it is from the nearest of some nodes, step by step over the map; at most ``far``."""
    found = [far] * board.size
    front = sorted(set(goals))
    for node in front:
        found[node] = 0
    step = 0
    while front and step < far - 1:
        step += 1
        following = []
        for node in front:
            for near in board.around[node]:
                if found[near] > step:
                    found[near] = step
                    following.append(near)
        front = following
    return found


@lru_cache(maxsize=1 << 14)
def rings(board: Board, node: int, reach: int) -> tuple[tuple[int, ...], ...]:
    """The nodes at each distance from one."""
    seen = {node}
    found: list[tuple[int, ...]] = [(node,)]
    for _ in range(reach):
        following = sorted({near for here in found[-1] for near in board.around[here]} - seen)
        seen.update(following)
        found.append(tuple(following))
    return tuple(found)
