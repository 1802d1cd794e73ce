"""Names on the map: each finds a free spot, the important ones first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from counterblow.atlas import glyphs
from counterblow.atlas.crowd import Crowd
from counterblow.atlas.curves import number
from counterblow.atlas.geometry import Layout, Point, Rect
from counterblow.atlas.lines import Lines
from counterblow.atlas.rivernames import best_reach
from counterblow.atlas.styles import Style, Styles
from counterblow.atlas.svg import SANS, group, text, text_width
from counterblow.kernel.board import Board, Place

NUMBER_SIZE = 9.5


@dataclass(frozen=True)
class Spot:
    """A possible position of a name: where its text is anchored and what it costs to choose it."""

    x: float
    y: float
    anchor: str
    cost: float

    def box(self, width: float, size: float) -> Rect:
        left = {"start": self.x, "middle": self.x - width / 2, "end": self.x - width}[self.anchor]
        return Rect(left, self.y - size * 0.78, width, size)


class Names:
    """Places the names of one sheet."""

    def __init__(self, board: Board, layout: Layout, styles: Styles, lines: Lines, marks: Iterable[Rect]) -> None:
        self.board, self.layout, self.styles, self.lines = board, layout, styles, lines
        self.place_boxes: list[Rect] = []  # where the names of places stand, once they are placed
        self._entries: dict[str, dict[str, Any]] = {place["name"]: place for place in board.table.get("places", [])}
        self._crowd = Crowd(layout.frame)
        for rect in marks:
            self._crowd.add_symbol(rect)
        for place in board.places:
            for rect in self._symbol_rects(place):
                self._crowd.add_symbol(rect)
        for node in range(board.hexes):
            self._crowd.add_number(self._number_rect(node))
        for curve in self._drawn_lines():
            self._crowd.add_line(curve)

    def _drawn_lines(self) -> Iterable[list[Point]]:
        """Roads, railways, rivers and defence lines."""
        for kind in dict.fromkeys(line.kind for line in self.board.link_lines):
            yield from self.lines.link_curves(kind)
        for kind in dict.fromkeys(line.kind for line in self.board.side_lines):
            style = self.styles.of("sides", kind)
            if "casing" in style or style.get("teeth"):
                yield from (curve for _, curve in self.lines.river_curves(kind))

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

    # places

    def symbols(self) -> str:
        parts = []
        for place in self.board.places:
            style = self.styles.of("places", place.kind)
            for node in place.nodes:
                x, y = self.layout.centre(node)
                parts.append(glyphs.symbol(str(style.get("symbol", "dot")), x, y, self.styles.sheet["ink"]))
        return group("places", parts)

    def _symbol_rects(self, place: Place) -> list[Rect]:
        size = self._symbol_radius(place)
        spots = [self.layout.centre(node) for node in place.nodes] if size else []
        return [Rect(x - size, y - size, 2 * size, 2 * size) for x, y in spots]

    def _symbol_radius(self, place: Place) -> float:
        return glyphs.SYMBOL_RADIUS.get(str(self.styles.of("places", place.kind).get("symbol")), 4.0)

    def places(self) -> str:
        """The names of places, by rank."""
        order = sorted(self.board.places, key=lambda p: (self.styles.of("places", p.kind).get("rank", 5), p.nodes))
        return group("names", [self._place_name(place) for place in order])

    def _shown(self, place: Place) -> str:
        """A place's name as the map spells it, with the height of a peak."""
        entry = self._entries[place.name]
        shown, height = str(entry.get("shown", place.name)), str(entry.get("number", ""))
        return shown if height in shown else f"{shown} {height}"

    def _place_name(self, place: Place) -> str:
        style = self.styles.of("places", place.kind)
        shown, size = self._shown(place), float(style.get("size", 12))
        spot, box = self._best(place, text_width(shown, size, style.get("weight") == "bold"), size)
        self._crowd.add_name(box)
        self.place_boxes.append(box)
        return text(
            spot.x, spot.y, shown, size, str(style.get("ink", self.styles.sheet["ink"])),
            halo=self.styles.sheet["halo"], text_anchor=spot.anchor, font_weight=style.get("weight"),
            font_style=style.get("style"),
        )  # fmt: skip

    def _best(self, place: Place, width: float, size: float) -> tuple[Spot, Rect]:
        choices = []
        for turn, node in enumerate(place.nodes):
            for spot in self._spots(node, size, self._symbol_radius(place)):
                box = spot.box(width, size)
                choices.append((self._crowd.cost(box) + spot.cost + 2 * turn, spot, box))
        _, spot, box = min(choices, key=lambda choice: choice[0])
        return spot, box

    def _spots(self, node: int, size: float, clear: float) -> list[Spot]:
        """Right of the symbol, below, left, above, and the diagonals; without one, in the hex itself."""
        x, y = self.layout.centre(node)
        r, gap, tall = self.layout.radius, clear + 4.0, size * 0.72
        if not clear:
            lines = ((0.52 * r + tall / 2, 0.0), (tall / 2, 3.0), (-0.3 * r, 4.0))
            return [Spot(x, y + dy, "middle", cost) for dy, cost in lines]
        side = gap * 0.8
        return [
            Spot(x + gap, y + tall / 2, "start", 0.0),
            Spot(x, y + gap + tall, "middle", 0.5),
            Spot(x + side, y + side + tall / 2, "start", 1.0),
            Spot(x - gap, y + tall / 2, "end", 1.5),
            Spot(x, y - gap, "middle", 2.0),
            Spot(x + side, y - gap * 0.6, "start", 2.5),
            Spot(x - side, y + side + tall / 2, "end", 2.5),
            Spot(x - side, y - gap * 0.6, "end", 3.0),
            Spot(x, y + gap + tall + 9, "middle", 5.0),
            Spot(x, y - gap - 10, "middle", 6.0),
        ]

    # water, country and rivers

    def labels(self) -> str:
        """The large names that the map file places."""
        return group("labels", [self._label(label) for label in self.layout.hints.get("labels", [])])

    def _label(self, label: dict[str, Any]) -> str:
        x, y = self.layout.cell_centre(self.layout.grid.paper(label["at"]))
        x, y = x + label.get("dx", 0.0) * self.layout.radius, y + label.get("dy", 0.0) * self.layout.radius
        water = label.get("kind") == "water"
        size = 15.0 * float(label.get("size", 1.0))
        words = str(label["text"]) if water else str(label["text"]).upper()
        spacing = size * (0.16 if water else 0.3)
        if "angle" not in label:
            wide = text_width(words, size, spacing=spacing)
            self._crowd.add_name(Rect(x - wide / 2, y - size / 2, wide, size))
        return text(
            x, y + size / 3, words, size, "#3c6a85" if water else "#6b6250", text_anchor="middle",
            letter_spacing=spacing, font_style="italic" if water else None, fill_opacity=".9" if water else ".55",
            transform=f"rotate({label['angle']} {number(x)} {number(y)})" if "angle" in label else None,
        )  # fmt: skip

    def rivers(self) -> str:
        """The names of rivers and other lines along hexsides, each once, on its longest stretch."""
        parts: dict[str, str] = {}
        for kind in dict.fromkeys(line.kind for line in self.board.side_lines):
            style = self.styles.of("sides", kind)
            curves = self.lines.river_curves(kind) if style.get("names") else []
            for name, curve in sorted(curves, key=lambda named: -len(named[1])):
                if name and not parts.get(name):
                    parts[name] = self._river_name(name, curve, style)
        return group("river-names", parts.values())

    def _river_name(self, name: str, curve: list[Point], style: Style) -> str:
        thick = float(style["width"]) + (14.0 if style.get("teeth") else 0.0)
        size = 11.0 + min(3.0, thick / 3)
        reach = best_reach(curve, text_width(name, size, spacing=1.2) + 6, size, thick, self._crowd)
        if reach is None:
            return ""
        for rect in reach.strip():
            self._crowd.add_name(rect)
        turn = f"rotate({number(reach.angle)} {number(reach.x)} {number(reach.y)})"
        return text(
            reach.x, reach.y, name, size, str(style.get("name_ink", "#34647f")), halo=self.styles.sheet["halo"],
            text_anchor="middle", font_style="italic", letter_spacing=1.2, transform=turn,
        )  # fmt: skip
