"""Names on the map: each finds a free spot, the important ones first."""

from __future__ import annotations

import math
from dataclasses import dataclass

from counterblow.atlas import glyphs
from counterblow.atlas.curves import number
from counterblow.atlas.geometry import Layout, Point, Rect
from counterblow.atlas.lines import Lines
from counterblow.atlas.styles import Style, Styles
from counterblow.atlas.svg import SANS, group, text, text_width
from counterblow.kernel.board import Board, Place

NUMBER_SIZE = 9.5
OVER_NAME, OVER_SYMBOL, OVER_NUMBER, OVER_LINE = 40.0, 25.0, 1.2, 6.0


@dataclass(frozen=True)
class Spot:
    """A possible position of a name: where its text is anchored and what it costs to choose it."""

    x: float
    y: float
    anchor: str
    cost: float


class Shelf:
    """Rectangles that can be asked quickly how much of another rectangle they cover."""

    def __init__(self, square: float = 80.0) -> None:
        self._square = square
        self._squares: dict[tuple[int, int], list[Rect]] = {}

    def add(self, rect: Rect) -> None:
        for key in self._keys(rect):
            self._squares.setdefault(key, []).append(rect)

    def overlaps(self, rect: Rect) -> list[float]:
        """The areas shared with each rectangle that is in the way."""
        near = {id(r): r for key in self._keys(rect) for r in self._squares.get(key, ())}
        return [area for r in near.values() if (area := rect.overlap(r)) > 0]

    def _keys(self, rect: Rect) -> list[tuple[int, int]]:
        s = self._square
        columns = range(int(rect.x // s), int(rect.right // s) + 1)
        return [(i, j) for i in columns for j in range(int(rect.y // s), int(rect.bottom // s) + 1)]


class Names:
    """Places the names of one sheet."""

    def __init__(self, board: Board, layout: Layout, styles: Styles, lines: Lines) -> None:
        self.board, self.layout, self.styles, self.lines = board, layout, styles, lines
        self._names, self._symbols, self._numbers = Shelf(), Shelf(), Shelf()
        for place in board.places:
            for rect in self._symbol_rects(place):
                self._symbols.add(rect)
        for node in range(board.hexes):
            self._numbers.add(self._number_rect(node))
        self._ink = self._line_points()
        self.place_boxes: list[Rect] = []  # where the names of places stand, once they are placed

    # numbers

    def number_at(self, node: int) -> Point:
        """The middle of the baseline of a hex's number: near its top."""
        x, y = self.layout.centre(node)
        top = self.layout.half if self.layout.flat else self.layout.radius
        return x, y - top + (12.0 if self.layout.flat else 17.0)

    def _number_rect(self, node: int) -> Rect:
        x, y = self.number_at(node)
        return Rect(x - 12, y - NUMBER_SIZE, 24, NUMBER_SIZE + 2)

    def numbers(self) -> str:
        parts = []
        for node in range(self.board.hexes):
            x, y = self.number_at(node)
            parts.append(f'<text x="{number(x)}" y="{number(y)}">{self.board.labels[node]}</text>')
        return group(
            "numbers", parts, font_family=SANS, font_size=NUMBER_SIZE, text_anchor="middle",
            fill=self.styles.sheet["faint"],
        )  # fmt: skip

    # what is in the way

    def _symbol_rects(self, place: Place) -> list[Rect]:
        size = glyphs.SYMBOL_RADIUS.get(str(self.styles.of("places", place.kind).get("symbol")), 4.0)
        found = []
        for node in place.nodes:
            x, y = self.layout.centre(node)
            if size:
                found.append(Rect(x - size, y - size, 2 * size, 2 * size))
        return found

    def _line_points(self) -> dict[tuple[int, int], list[Point]]:
        """Points of roads and rivers, in squares of 40 pixels for quick look-up."""
        squares: dict[tuple[int, int], list[Point]] = {}
        curves = [c for kind in self._link_kinds() for c in self.lines.link_curves(kind)]
        for kind in dict.fromkeys(line.kind for line in self.board.side_lines):
            if "casing" in self.styles.of("sides", kind):
                curves += [c for _, c in self.lines.river_curves(kind)]
        for curve in curves:
            for x, y in curve:
                squares.setdefault((int(x // 40), int(y // 40)), []).append((x, y))
        return squares

    def _link_kinds(self) -> list[str]:
        return list(dict.fromkeys(line.kind for line in self.board.link_lines))

    def _cost(self, rect: Rect) -> float:
        cost = sum(OVER_NAME + shared for shared in self._names.overlaps(rect))
        cost += sum(OVER_SYMBOL + shared for shared in self._symbols.overlaps(rect))
        cost += sum(shared * OVER_NUMBER / 20 for shared in self._numbers.overlaps(rect))
        for i in range(int(rect.x // 40), int(rect.right // 40) + 1):
            for j in range(int(rect.y // 40), int(rect.bottom // 40) + 1):
                cost += OVER_LINE * sum(rect.holds(p) for p in self._ink.get((i, j), ()))
        inside = self.layout.frame
        if rect.x < inside.x + 3 or rect.right > inside.right - 3 or rect.y < inside.y or rect.bottom > inside.bottom:
            cost += 400.0
        return cost

    # places

    def places(self) -> tuple[str, str]:
        """(symbols, names)."""
        symbols, names = [], []
        order = sorted(self.board.places, key=lambda p: (self.styles.of("places", p.kind).get("rank", 5), p.nodes))
        entries = {place["name"]: place for place in self.board.table.get("places", [])}
        for place in order:
            style = self.styles.of("places", place.kind)
            ink = str(style.get("ink", self.styles.sheet["ink"]))
            for node in place.nodes:
                x, y = self.layout.centre(node)
                symbols.append(glyphs.symbol(str(style.get("symbol", "dot")), x, y, self.styles.sheet["ink"]))
            shown = str(entries[place.name].get("shown", place.name))
            height = str(entries[place.name].get("number", ""))
            if height not in shown:
                shown += f" {height}"
            names.append(self._place_name(place, shown, ink))
        return group("places", symbols), group("names", names)

    def _place_name(self, place: Place, shown: str, ink: str) -> str:
        style = self.styles.of("places", place.kind)
        size, bold = float(style.get("size", 12)), style.get("weight") == "bold"
        clear = glyphs.SYMBOL_RADIUS.get(str(style.get("symbol")), 4.0)
        width = text_width(shown, size, bold)
        best, box = self._best(place, width, size, clear)
        self._names.add(box)
        self.place_boxes.append(box)
        return text(
            best.x, best.y, shown, size, ink, halo=self.styles.sheet["halo"], text_anchor=best.anchor,
            font_weight=style.get("weight"), font_style=style.get("style"),
        )  # fmt: skip

    def _best(self, place: Place, width: float, size: float, clear: float) -> tuple[Spot, Rect]:
        choices = []
        for turn, node in enumerate(place.nodes):
            for spot in self._spots(node, size, clear):
                box = _box(spot, width, size)
                choices.append((self._cost(box) + spot.cost + 2 * turn, spot, box))
        _, spot, box = min(choices, key=lambda choice: choice[0])
        return spot, box

    def _spots(self, node: int, size: float, clear: float) -> list[Spot]:
        """Around the symbol: below, above, right, left, and the diagonals."""
        x, y = self.layout.centre(node)
        gap = clear + 4.0
        tall = size * 0.72
        if not clear:  # no symbol: the name may stand under the glyph or in the middle
            return [
                Spot(x, y + 0.52 * self.layout.radius + tall / 2, "middle", 0.0), Spot(x, y + tall / 2, "middle", 3.0),
                Spot(x, y - 0.3 * self.layout.radius, "middle", 4.0),
            ]  # fmt: skip
        return [
            Spot(x + gap, y + tall / 2, "start", 0.0), Spot(x, y + gap + tall, "middle", 0.5),
            Spot(x - gap, y + tall / 2, "end", 1.5), Spot(x, y - gap, "middle", 2.0),
            Spot(x + gap * 0.8, y + gap * 0.8 + tall / 2, "start", 1.0),
            Spot(x + gap * 0.8, y - gap * 0.6, "start", 2.5),
            Spot(x - gap * 0.8, y + gap * 0.8 + tall / 2, "end", 2.5),
            Spot(x - gap * 0.8, y - gap * 0.6, "end", 3.0),
            Spot(x, y + gap + tall + 9, "middle", 5.0), Spot(x, y - gap - 10, "middle", 6.0),
        ]  # fmt: skip

    # water, country and rivers

    def labels(self) -> str:
        """The large names that the map file places."""
        parts = []
        for label in self.layout.hints.get("labels", []):
            x, y = self.layout.cell_centre(self.layout.grid.paper(label["at"]))
            x, y = x + label.get("dx", 0.0) * self.layout.radius, y + label.get("dy", 0.0) * self.layout.radius
            water = label.get("kind") == "water"
            size = 15.0 * float(label.get("size", 1.0))
            words = str(label["text"]) if water else str(label["text"]).upper()
            spacing = size * (0.16 if water else 0.3)
            turn = f"rotate({label['angle']} {number(x)} {number(y)})" if "angle" in label else None
            parts.append(
                text(
                    x, y + size / 3, words, size, "#3c6a85" if water else "#6b6250", text_anchor="middle",
                    letter_spacing=spacing, font_style="italic" if water else None, transform=turn,
                    fill_opacity=".9" if water else ".55",
                )
            )  # fmt: skip
            wide = text_width(words, size, spacing=spacing)
            if "angle" not in label:
                self._names.add(Rect(x - wide / 2, y - size / 2, wide, size))
        return group("labels", parts)

    def rivers(self) -> str:
        """River names, along a straight reach with nothing else on it."""
        parts = []
        done: set[str] = set()
        for kind in dict.fromkeys(line.kind for line in self.board.side_lines):
            style = self.styles.of("sides", kind)
            if not style.get("names"):
                continue
            curves = (
                self.lines.river_curves(kind)
                if not style.get("water")
                else [(n, self.ground_curve(kind, n)) for n in self._line_names(kind)]
            )
            for name, curve in sorted(curves, key=lambda c: -len(c[1])):
                if name and name not in done and len(curve) > 12:
                    found = self._river_name(name, curve, style)
                    if found:
                        done.add(name)
                        parts.append(found)
        return group("river-names", parts)

    def _line_names(self, kind: str) -> list[str]:
        return list(dict.fromkeys(line.name for line in self.board.side_lines if line.kind == kind))

    def ground_curve(self, kind: str, name: str) -> list[Point]:
        curves = [c for n, c in self.lines.river_curves(kind) if n == name]
        return max(curves, key=len, default=[])

    def _river_name(self, name: str, curve: list[Point], style: Style) -> str:
        river = float(style["width"]) + (14.0 if style.get("teeth") else 0.0)
        size = 11.0 + min(3.0, river / 3)
        wide = text_width(name, size, spacing=1.2) + 6
        best = None
        for start in range(0, len(curve) - 4, 2):
            stop = _after(curve, start, wide)
            if stop is None:
                break
            (ax, ay), (bx, by) = curve[start], curve[stop]
            if bx < ax:
                (ax, ay), (bx, by) = (bx, by), (ax, ay)
            angle = math.degrees(math.atan2(by - ay, bx - ax))
            bend = max(_off(p, (ax, ay), (bx, by)) for p in curve[start : stop + 1])
            x, y = (ax + bx) / 2, (ay + by) / 2
            lift = bend + river / 2 + 3.0
            ux, uy = (bx - ax) / wide, (by - ay) / wide
            for side in (-1.0, 1.0):
                away = lift if side < 0 else lift + size * 0.7
                cx, cy = x - uy * away * side, y + ux * away * side
                cost = self._strip_cost((cx, cy), angle, wide, size) + 2.5 * bend + abs(angle) / 8
                if best is None or cost < best[0]:
                    best = (cost, cx, cy, angle)
        if best is None:
            return ""
        _, x, y, angle = best
        for rect in _strip((x, y), angle, wide, size):
            self._names.add(rect)
        ink = str(style.get("name_ink", "#34647f"))
        return text(
            x, y, name, size, ink, halo=self.styles.sheet["halo"], text_anchor="middle", font_style="italic",
            letter_spacing=1.2, transform=f"rotate({number(angle)} {number(x)} {number(y)})",
        )  # fmt: skip

    def _strip_cost(self, at: Point, angle: float, wide: float, size: float) -> float:
        return sum(self._cost(rect) for rect in _strip(at, angle, wide, size))


def _strip(at: Point, angle: float, wide: float, size: float) -> list[Rect]:
    """A turned line of text as a row of small squares."""
    ux, uy = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    count = max(1, round(wide / size))
    rects = []
    for k in range(count):
        along = (k + 0.5) / count * wide - wide / 2
        x, y = at[0] + ux * along + uy * size * 0.3, at[1] + uy * along - ux * size * 0.3
        rects.append(Rect(x - size / 2, y - size / 2, size, size))
    return rects


def _box(spot: Spot, width: float, size: float) -> Rect:
    left = {"start": spot.x, "middle": spot.x - width / 2, "end": spot.x - width}[spot.anchor]
    return Rect(left, spot.y - size * 0.78, width, size)


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
