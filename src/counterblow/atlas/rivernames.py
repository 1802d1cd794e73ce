"""Where to write the name of a river: beside a straight reach with nothing else in the way."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from counterblow.atlas.crowd import Crowd
from counterblow.atlas.geometry import Point, Rect


@dataclass(frozen=True)
class Reach:
    """A turned line of text: the middle of its baseline, its angle in degrees, its length and size."""

    x: float
    y: float
    angle: float
    wide: float
    size: float
    bend: float

    def strip(self) -> list[Rect]:
        """The room it takes, as a row of small squares."""
        ux, uy = math.cos(math.radians(self.angle)), math.sin(math.radians(self.angle))
        count = max(1, round(self.wide / self.size))
        rects = []
        for k in range(count):
            along = (k + 0.5) / count * self.wide - self.wide / 2
            x = self.x + ux * along + uy * self.size * 0.3
            y = self.y + uy * along - ux * self.size * 0.3
            rects.append(Rect(x - self.size / 2, y - self.size / 2, self.size, self.size))
        return rects

    def cost(self, crowd: Crowd) -> float:
        """Crowded, bent and steep reaches are bad."""
        return sum(crowd.cost(rect) for rect in self.strip()) + 2.5 * self.bend + abs(self.angle) / 8


def best_reach(curve: list[Point], wide: float, size: float, thick: float, crowd: Crowd) -> Reach | None:
    """The best place for a name along a line so thick, None if the line is too short."""
    return min(_reaches(curve, wide, size, thick), key=lambda reach: reach.cost(crowd), default=None)


def _reaches(curve: list[Point], wide: float, size: float, thick: float) -> Iterator[Reach]:
    """Both sides of every stretch as long as the name."""
    for start in range(0, len(curve) - 4, 2):
        stop = _after(curve, start, wide)
        if stop is None:
            return
        a, b = sorted((curve[start], curve[stop]))  # text runs to the right
        angle = math.atan2(b[1] - a[1], b[0] - a[0])
        bend = max(_off(point, a, b) for point in curve[start : stop + 1])
        lift = bend + thick / 2 + 3.0
        for away in (-lift, lift + size * 0.7):
            x = (a[0] + b[0]) / 2 - math.sin(angle) * away
            y = (a[1] + b[1]) / 2 + math.cos(angle) * away
            yield Reach(x, y, math.degrees(angle), wide, size, bend)


def _after(curve: list[Point], start: int, distance: float) -> int | None:
    """The first point of a curve at least so far from its start point."""
    for k in range(start + 1, len(curve)):
        if math.dist(curve[start], curve[k]) >= distance:
            return k
    return None


def _off(p: Point, a: Point, b: Point) -> float:
    """How far a point lies from the straight line between two others."""
    length = math.dist(a, b) or 1.0
    return abs((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])) / length
