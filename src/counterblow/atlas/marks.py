"""What tags put on the map: badges, rings, bands along an edge; and borders of countries."""

from __future__ import annotations

from functools import cached_property

from counterblow.atlas import glyphs
from counterblow.atlas.curves import path, polygon, spot
from counterblow.atlas.geometry import Cell, Corner, Layout
from counterblow.atlas.regions import Regions
from counterblow.atlas.styles import Style, Styles
from counterblow.atlas.svg import SANS, element, group, stroke, text
from counterblow.kernel.board import Board

SEA = "no country"


class Marks:
    """Tags and borders of one sheet."""

    def __init__(self, board: Board, layout: Layout, styles: Styles) -> None:
        self.board, self.layout, self.styles = board, layout, styles

    def tags(self) -> str:
        """Every tag with a style, in the order of the map file; marks in one hex stand side by side."""
        parts: list[str] = []
        taken: dict[int, int] = {}
        for kind in dict.fromkeys(entry["kind"] for entry in self.board.table.get("tags", [])):
            style = self.styles.of("tags", kind)
            nodes = sorted(self.board.tagged(kind))
            if style.get("mark") == "between":
                parts.append(self._between(nodes, style))
            elif style.get("mark") == "ring":
                parts += [self._ring(node, style) for node in nodes]
            elif style.get("mark") == "band":
                parts.append(self._band(nodes, style))
            elif style.get("mark") == "outline":
                parts.append(self._outline(nodes, style))
            elif style.get("mark"):
                for node in nodes:
                    parts.append(self._small(node, style, taken.get(node, 0)))
                    taken[node] = taken.get(node, 0) + 1
        return group("marks", parts + self._area_bands())

    def _between(self, nodes: list[int], style: Style) -> str:
        """One glyph in the middle of the tagged hexes."""
        xs, ys = zip(*(self.layout.centre(node) for node in nodes), strict=True)
        return glyphs.mark(str(style["glyph"]), sum(xs) / len(xs), sum(ys) / len(ys), str(style["ink"]))

    def _area_bands(self) -> list[str]:
        """Where units step from the map into an area beside it."""
        parts = []
        for area in self.board.areas:
            hint = self.layout.hints.get("areas", {}).get(area.id, {})
            if "ink" in hint and area.borders:
                edges = self._rim(list(area.borders), off_map_only=True)
                d = "".join(f"M{spot(self.layout.pixel(a))}L{spot(self.layout.pixel(b))}" for a, b in edges)
                parts += [stroke(d, self.styles.sheet["ink"], 6.4), stroke(d, str(hint["ink"]), 4.6)]
        return parts

    def _ring(self, node: int, style: Style) -> str:
        """The hex outlined just inside its sides."""
        x, y = self.layout.centre(node)
        inset = [(x + (cx - x) * 0.9, y + (cy - y) * 0.9) for cx, cy in self.layout.corners(node)]
        return element("path", d=polygon(inset), fill="none", stroke=style["ink"], stroke_width=style.get("width", 3),
                       stroke_linejoin="round", stroke_opacity=".85")  # fmt: skip

    def _outline(self, nodes: list[int], style: Style) -> str:
        """The outer sides of a group of hexes."""
        edges = self._rim(nodes, off_map_only=False)
        d = "".join(f"M{spot(self.layout.pixel(a))}L{spot(self.layout.pixel(b))}" for a, b in edges)
        return stroke(d, str(style["ink"]), float(style.get("width", 3)), stroke_dasharray=style.get("dash"))

    def _band(self, nodes: list[int], style: Style) -> str:
        """A stripe along the sides where hexes border the edge of the map."""
        edges = self._rim(nodes, off_map_only=True)
        d = "".join(f"M{spot(self.layout.pixel(a))}L{spot(self.layout.pixel(b))}" for a, b in edges)
        return stroke(d, str(style["ink"]), float(style.get("width", 5)), stroke_opacity=".8")

    def _rim(self, nodes: list[int], off_map_only: bool) -> list[tuple[Corner, Corner]]:
        """Sides between these hexes and others (or only the hexes that do not exist)."""
        cells = {self.layout.cell(node) for node in nodes}
        hexes = self._open_cells if off_map_only else cells
        return [
            side
            for cell in sorted(cells)
            for side in self.layout.lattice_sides(cell)
            if self.layout.neighbour_across(cell, side) not in hexes
        ]

    @cached_property
    def _open_cells(self) -> set[Cell]:
        """The hexes that are part of the war: all but neutral ground."""
        return {
            cell
            for node, cell in enumerate(self.layout.cells)
            if not self.styles.of("terrain", self.board.terrain[node]).get("neutral")
        }

    def _small(self, node: int, style: Style, place: int) -> str:
        """A badge or a glyph in the lower part of the hex."""
        x, y = self.layout.centre(node)
        r = self.layout.radius
        dx, dy = ((-0.5, 0.42), (0.5, 0.42), (0.0, 0.62), (0.62, -0.1), (-0.62, -0.1))[place % 5]
        x, y = x + dx * r, y + dy * r
        ink = str(style.get("ink", self.styles.sheet["ink"]))
        if style["mark"] == "glyph":
            return glyphs.mark(str(style["glyph"]), x, y, ink)
        words = str(style.get("text", "?"))
        disc = element("circle", cx=x, cy=y, r=10.5, fill=style.get("fill", "#f6f0df"), stroke=ink, stroke_width=1.5)
        return disc + text(x, y + 4.4, words, 12.5, ink, text_anchor="middle", font_family=SANS, font_weight="bold")

    @cached_property
    def _countries(self) -> Regions | None:
        """The tags that the map file names as regions, as patches."""
        kinds = self.layout.hints.get("regions", [])
        if not kinds:
            return None
        country = {self.layout.cell(node): kind for kind in kinds for node in self.board.tagged(kind)}
        return Regions(self.layout, lambda cell: country.get(cell, SEA))

    def tints(self) -> str:
        """A breath of colour over each country."""
        colours = self.layout.hints.get("tints", {})
        patches = self._countries.patches() if self._countries else {}
        return group(
            "tints",
            [
                element("path", d=patches[kind].path, fill=colour, fill_opacity=".28", fill_rule="evenodd")
                for kind, colour in colours.items()
                if kind in patches
            ],
        )

    def borders(self) -> str:
        """Frontiers between countries."""
        if self._countries is None:
            return ""
        curves = self._countries.borders(lambda one: one not in (SEA, ""), lambda other: other not in (SEA, ""))
        d = "".join(path(curve) for curve in curves)
        return group(
            "borders",
            [
                stroke(d, "#b98f86", 7, stroke_opacity=".4"),
                stroke(d, "#7a4a42", 1.8, stroke_dasharray="9 4 2 4", stroke_linecap="butt"),
            ],
        )

    def area_names(self) -> str:
        """Names of the areas that are drawn on the map itself."""
        parts = []
        for area in self.board.areas:
            if area.id in self.layout.cells_of:
                hint = self.layout.hints.get("areas", {}).get(area.id, {})
                x, y = self.layout.rects[area.node].centre
                x, y = x + hint.get("dx", 0.0) * self.layout.radius, y + hint.get("dy", -0.9) * self.layout.radius
                parts.append(text(x, y, area.name, 18, self.styles.sheet["ink"],
                                  halo=self.styles.sheet["halo"], text_anchor="middle", letter_spacing=2,
                                  font_weight="bold"))  # fmt: skip
        return group("area-names", parts)
