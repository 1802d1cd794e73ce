"""Lines that look drawn by hand: smooth curves through hexsides, and a gentle warp of the whole sheet.

A chain of hexsides zigzags; the curve used here runs through the middle of every side and only leans towards the
corners. The warp is a smooth function of the place alone, so two lines that share a point still share it after.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from itertools import pairwise
from typing import TypeVar

Point = tuple[float, float]
V = TypeVar("V", bound=Hashable)


def noise(i: int, j: int, salt: int) -> float:
    """A number between -1 and 1 that looks random and is always the same for the same three numbers."""
    n = (i * 374761393 + j * 668265263 + salt * 2246822519) & 0xFFFFFFFF
    n = ((n ^ (n >> 13)) * 1274126177) & 0xFFFFFFFF
    n = ((n ^ (n >> 16)) * 2654435761) & 0xFFFFFFFF
    return (n & 0xFFFFFF) / 0x800000 - 1.0


def _field(x: float, y: float, salt: int) -> float:
    """Value noise, smooth between the points of a unit grid."""
    i, j = math.floor(x), math.floor(y)
    u, v = x - i, y - j
    u, v = u * u * (3 - 2 * u), v * v * (3 - 2 * v)
    top = noise(i, j, salt) * (1 - u) + noise(i + 1, j, salt) * u
    low = noise(i, j + 1, salt) * (1 - u) + noise(i + 1, j + 1, salt) * u
    return top * (1 - v) + low * v


def warp(point: Point, radius: float) -> Point:
    """Move a point a little, as a draughtsman's hand would; at most about an eighth of a hex."""
    x, y = point
    dx = dy = 0.0
    for scale, strength in ((0.9, 0.085), (0.36, 0.05), (0.16, 0.02)):
        u, v = x / (radius * scale), y / (radius * scale)
        dx += strength * radius * _field(u, v, 11)
        dy += strength * radius * _field(u, v, 23)
    return x + dx, y + dy


def middle(a: Point, b: Point) -> Point:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def knee(a: Point, corner: Point, b: Point) -> Point:
    """Where the curve passes a corner between two others."""
    return (a[0] + 2 * corner[0] + b[0]) / 4, (a[1] + 2 * corner[1] + b[1]) / 4


def bezier(start: Point, control: Point, end: Point, parts: int) -> list[Point]:
    """Points along a quadratic curve, its start left out."""
    points = []
    for k in range(1, parts + 1):
        t = k / parts
        a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t * t
        points.append((
            a * start[0] + b * control[0] + c * end[0],
            a * start[1] + b * control[1] + c * end[1],
        ))  # fmt: skip
    return points


def straight(start: Point, end: Point, parts: int) -> list[Point]:
    """Points along a straight line, its start left out."""
    return [
        (start[0] + (end[0] - start[0]) * k / parts, start[1] + (end[1] - start[1]) * k / parts)
        for k in range(1, parts + 1)
    ]


def smooth(corners: Sequence[Point], closed: bool, parts: int = 4) -> list[Point]:
    """The curve of a chain of hexsides: it keeps to the middle of each side and cuts the corners.

    An open chain begins and ends exactly in its first and last corner. A closed one repeats its first point.
    """
    if closed:
        pairs = zip(corners, [*corners[1:], corners[0]], strict=True)
        return spline([middle(a, b) for a, b in pairs], closed=True, parts=parts)
    sides = [middle(a, b) for a, b in pairwise(corners)]
    return spline([corners[0], *sides, corners[-1]], closed=False, parts=parts)


def spline(guides: Sequence[Point], closed: bool, parts: int = 4) -> list[Point]:
    """A smooth curve that leans towards each guide point; open curves start and end in the first and last."""
    if closed:
        points = [middle(guides[-1], guides[0])]
        for k, guide in enumerate(guides):
            points += bezier(points[-1], guide, middle(guide, guides[(k + 1) % len(guides)]), parts)
        return points
    if len(guides) < 3:
        return [guides[0], *straight(guides[0], guides[-1], parts)]
    points = [guides[0]]
    for guide, after in pairwise(guides[1:-1]):
        points += bezier(points[-1], guide, middle(guide, after), parts)
    return points + bezier(points[-1], guides[-2], guides[-1], parts)


def warped(points: Iterable[Point], radius: float) -> list[Point]:
    return [warp(point, radius) for point in points]


def number(value: float) -> str:
    """A coordinate in an SVG: one decimal, no needless zeros."""
    text = f"{value:.1f}"
    return text[:-2] if text.endswith(".0") else text


def spot(point: Point) -> str:
    return f"{number(point[0])},{number(point[1])}"


def path(points: Sequence[Point], closed: bool = False) -> str:
    """An SVG path that curves gently through a fine chain of points."""
    if len(points) < 3:
        return "M" + "L".join(spot(point) for point in points)
    if closed:
        ring = list(points[:-1]) if points[0] == points[-1] else list(points)
        text = ["M" + spot(middle(ring[-1], ring[0]))]
        text += [f"Q{spot(p)} {spot(middle(p, ring[(k + 1) % len(ring)]))}" for k, p in enumerate(ring)]
        return "".join(text) + "Z"
    text = ["M" + spot(points[0])]
    text += [f"Q{spot(p)} {spot(middle(p, q))}" for p, q in pairwise(points[1:])]
    return "".join(text) + "L" + spot(points[-1])


def segments(pairs: Iterable[tuple[Point, Point]]) -> str:
    """Separate straight strokes."""
    return "".join(f"M{spot(a)}L{spot(b)}" for a, b in pairs)


def polygon(points: Iterable[Point]) -> str:
    return "M" + "L".join(spot(point) for point in points) + "Z"


def chains(edges: Iterable[tuple[V, V]]) -> list[list[V]]:
    """Join edges into the longest chains that do not pass a fork. A closed chain repeats its first vertex."""
    at: dict[V, list[V]] = {}
    left: set[frozenset[V]] = set()
    for a, b in edges:
        if frozenset((a, b)) not in left:
            left.add(frozenset((a, b)))
            at.setdefault(a, []).append(b)
            at.setdefault(b, []).append(a)
    found = []
    starts = [v for v, others in at.items() if len(others) != 2] + list(at)
    for start in starts:
        for second in at[start]:
            if frozenset((start, second)) in left:
                found.append(_walk(start, second, at, left))
    return found


def _walk(start: V, second: V, at: dict[V, list[V]], left: set[frozenset[V]]) -> list[V]:
    chain = [start, second]
    left.discard(frozenset(chain))
    while len(at[chain[-1]]) == 2 and chain[-1] != start:
        onward = next((v for v in at[chain[-1]] if frozenset((chain[-1], v)) in left), None)
        if onward is None:
            break
        left.discard(frozenset((chain[-1], onward)))
        chain.append(onward)
    return chain
