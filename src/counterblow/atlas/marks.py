"""What tags put on the map: badges, rings, bands along an edge; and borders of countries."""

from __future__ import annotations

from counterblow.atlas import glyphs
from counterblow.atlas.curves import chains, path, polygon, smooth, spot, warped
from counterblow.atlas.geometry import Corner, Layout
from counterblow.atlas.styles import Style, Styles
from counterblow.atlas.svg import SANS, element, group, stroke, text
from counterblow.kernel.board import Board


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
            if style.get("mark") == "ring":
                parts += [self._ring(node, style) for node in nodes]
            elif style.get("mark") == "band":
                parts.append(self._band(nodes, style))
            elif style.get("mark") == "outline":
                parts.append(self._outline(nodes, style))
            elif style.get("mark"):
                for node in nodes:
                    parts.append(self._small(node, style, taken.get(node, 0)))
                    taken[node] = taken.get(node, 0) + 1
        return group("marks", parts)

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
        hexes = set(self.layout.cells) if off_map_only else cells
        return [
            side
            for cell in sorted(cells)
            for side in self.layout.lattice_sides(cell)
            if self.layout.neighbour_across(cell, side) not in hexes
        ]

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

    def borders(self) -> str:
        """Frontiers between the tags that the map file names as regions."""
        kinds = self.layout.hints.get("regions", [])
        country = {node: kind for kind in kinds for node in self.board.tagged(kind)}
        edges = []
        for node in sorted(country):
            for there in self.board.around[node]:
                if node < there and country.get(there, country[node]) != country[node]:
                    edges.append(self.layout.lattice_side(node, there))
        d = ""
        for chain in chains(edges):
            closed = chain[0] == chain[-1]
            corners = [self.layout.pixel(c) for c in (chain[:-1] if closed else chain)]
            d += path(warped(smooth(corners, closed), self.layout.radius))
        return group(
            "borders",
            [
                stroke(d, "#c9a9a0", 7, stroke_opacity=".45"),
                stroke(d, "#7a4a42", 1.8, stroke_dasharray="9 4 2 4", stroke_linecap="butt"),
            ],
        )

    def area_names(self) -> str:
        """Names of the areas that are drawn on the map itself."""
        parts = []
        for area in self.board.areas:
            if area.id in self.layout.cells_of:
                x, y = self.layout.rects[area.node].centre
                parts.append(text(x, y - 1.35 * self.layout.radius, area.name, 18, self.styles.sheet["ink"],
                                  halo=self.styles.sheet["halo"], text_anchor="middle", letter_spacing=2,
                                  font_weight="bold"))  # fmt: skip
        return group("area-names", parts)
