"""Reading the shipped maps and walking about on them."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable
from functools import cache
from importlib import resources
from typing import Any

from counterblow.kernel.board import Board

SLUGS = ("leningrad", "narva", "narvik", "noretreat")


def data(slug: str, name: str) -> dict[str, Any]:
    """A fresh copy of a game's data file."""
    file = resources.files(f"counterblow.games.{slug}") / "data" / name
    return tomllib.loads(file.read_text(encoding="utf-8"))


@cache
def board(slug: str) -> Board:
    return Board(data(slug, "map.toml"), f"{slug}/data/map.toml")


def flood(board: Board, starts: Iterable[str], passable: Callable[[int, int], bool]) -> set[str]:
    """Labels that can be reached from some hexes by steps that are passable."""
    seen = {board.node(label) for label in starts}
    todo = sorted(seen)
    while todo:
        here = todo.pop()
        for there in board.around[here]:
            if board.is_hex(there) and there not in seen and passable(here, there):
                seen.add(there)
                todo.append(there)
    return {board.labels[node] for node in seen}


def along(board: Board, kind: str, start: str) -> set[str]:
    """Everything on the same net of roads or railways."""
    return flood(board, [start], lambda a, b: board.linked(a, b, kind))


def labels(board: Board, nodes: Iterable[int]) -> set[str]:
    return {board.labels[node] for node in nodes}


def tagged(board: Board, kind: str) -> set[str]:
    return labels(board, board.tagged(kind))


def terrain(board: Board, label: str) -> str:
    return board.terrain[board.node(label)]


def hexes(board: Board, *kinds: str) -> set[str]:
    """The hexes of some terrains."""
    return labels(board, (node for node in range(board.hexes) if board.terrain[node] in kinds))


def place(board: Board, name: str) -> str:
    """The hex of a place that has one."""
    (node,) = board.place(name).nodes
    return board.labels[node]


def neighbour(board: Board, label: str, direction: str) -> str | None:
    return board.grid.neighbour(label, direction)


def side(board: Board, a: str, b: str, kind: str) -> bool:
    return board.crosses(board.node(a), board.node(b), kind)


def adjacent(board: Board, a: str, b: str) -> bool:
    return board.node(b) in board.around[board.node(a)]


def side_count(board: Board, kind: str, name: str | None = None) -> int:
    """How many hexsides have a feature."""
    pairs = [
        frozenset(pair)
        for line in board.side_lines
        if line.kind == kind and (name is None or line.name == name)
        for pair in line.pairs
    ]
    return len(set(pairs))


def link_count(board: Board, kind: str) -> int:
    return len({frozenset(pair) for line in board.link_lines if line.kind == kind for pair in line.pairs})


def line_names(board: Board, kind: str) -> set[str]:
    return {line.name for line in board.side_lines if line.kind == kind}


def touches(board: Board, kind: str, name: str, ground: Callable[[str], bool]) -> bool:
    """Does one end of a named line of hexsides lie at a hex of some ground?"""
    from counterblow.atlas import Layout

    layout = Layout(board)
    pairs = {
        frozenset(layout.lattice_side(a, b))
        for line in board.side_lines
        if line.kind == kind and line.name == name
        for a, b in line.pairs
    }
    corners = [corner for pair in pairs for corner in pair]
    ends = {corner for corner in corners if corners.count(corner) == 1}
    for node in range(board.hexes):
        if any(a in ends for a, _ in layout.lattice_sides(layout.cell(node))) and ground(board.labels[node]):
            return True
    return False
