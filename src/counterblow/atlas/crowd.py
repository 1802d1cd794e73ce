"""What stands on a sheet already, and how bad it would be to write over it."""

from __future__ import annotations

from collections.abc import Iterable

from counterblow.atlas.geometry import Point, Rect

OVER_NAME, OVER_SYMBOL, OVER_NUMBER, OVER_LINE, OFF_SHEET = 40.0, 25.0, 0.06, 6.0, 400.0
SQUARE = 80.0  # pixels; things are kept by squares for quick look-up


class Shelf:
    """Rectangles that can be asked quickly how much of another rectangle they cover."""

    def __init__(self) -> None:
        self._squares: dict[tuple[int, int], list[Rect]] = {}

    def add(self, rect: Rect) -> None:
        for key in _squares_under(rect):
            self._squares.setdefault(key, []).append(rect)

    def overlaps(self, rect: Rect) -> list[float]:
        """The areas shared with each rectangle that is in the way."""
        near = {id(r): r for key in _squares_under(rect) for r in self._squares.get(key, ())}
        return [area for r in near.values() if (area := rect.overlap(r)) > 0]


class Crowd:
    """Names, symbols, hex numbers and lines of a sheet."""

    def __init__(self, frame: Rect) -> None:
        self._frame = Rect(frame.x + 3, frame.y, frame.width - 6, frame.height)
        self._names, self._symbols, self._numbers = Shelf(), Shelf(), Shelf()
        self._ink: dict[tuple[int, int], list[Point]] = {}

    def add_name(self, rect: Rect) -> None:
        self._names.add(rect)

    def add_symbol(self, rect: Rect) -> None:
        self._symbols.add(rect)

    def add_number(self, rect: Rect) -> None:
        self._numbers.add(rect)

    def add_line(self, points: Iterable[Point]) -> None:
        for x, y in points:
            self._ink.setdefault((int(x // SQUARE), int(y // SQUARE)), []).append((x, y))

    def cost(self, rect: Rect) -> float:
        """Of writing here."""
        cost = sum(OVER_NAME + shared for shared in self._names.overlaps(rect))
        cost += sum(OVER_SYMBOL + shared for shared in self._symbols.overlaps(rect))
        cost += sum(OVER_NUMBER * shared for shared in self._numbers.overlaps(rect))
        for key in _squares_under(rect):
            cost += OVER_LINE * sum(rect.holds(point) for point in self._ink.get(key, ()))
        corners = (rect.x, rect.y), (rect.right, rect.bottom)
        return cost if all(self._frame.holds(corner) for corner in corners) else cost + OFF_SHEET


def _squares_under(rect: Rect) -> list[tuple[int, int]]:
    columns = range(int(rect.x // SQUARE), int(rect.right // SQUARE) + 1)
    rows = range(int(rect.y // SQUARE), int(rect.bottom // SQUARE) + 1)
    return [(i, j) for i in columns for j in rows]
