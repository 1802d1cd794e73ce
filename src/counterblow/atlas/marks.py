"""What tags put on the map: badges, rings, bands along an edge; and borders of countries."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from counterblow.atlas import glyphs
from counterblow.atlas.curves import path, polygon, segments
from counterblow.atlas.geometry import Cell, Layout, Rect
from counterblow.atlas.regions import Regions
from counterblow.atlas.styles import Style, Styles
from counterblow.atlas.svg import SANS, element, group, stroke, text
from counterblow.kernel.board import Board

SEA = "no country"
SPOTS = ((-0.5, 0.42), (0.5, 0.42), (0.0, 0.62), (0.62, -0.1), (-0.62, -0.1))  # of small marks, in hex radii


class Marks:
    """Tags and borders of one sheet."""

    def __init__(self, board: Board, layout: Layout, styles: Styles) -> None:
        self.board, self.layout, self.styles = board, layout, styles

    def tags(self) -> str:
        """Every tag with a style, in the order of the map file."""
        parts: list[str] = []
        for kind, style in self._marked():
            nodes = sorted(self.board.tagged(kind))
            if style["mark"] == "between":
                parts.append(self._between(nodes, style))
            elif style["mark"] == "ring":
                parts += [self._ring(node, style) for node in nodes]
            elif style["mark"] == "band":
                parts.append(self._stripe(nodes, style, self._open_cells))
            elif style["mark"] == "outline":
                parts.append(self._stripe(nodes, style, {self.layout.cell(node) for node in nodes}))
        parts += [self._small(style, x, y) for style, x, y in self._small_marks()]
        return group("marks", parts + self._area_bands())

    def _marked(self) -> list[tuple[str, Style]]:
        kinds = dict.fromkeys(entry["kind"] for entry in self.board.table.get("tags", []))
        return [(kind, style) for kind in kinds if (style := self.styles.of("tags", kind)).get("mark")]

    def _small_marks(self) -> list[tuple[Style, float, float]]:
        """Badges and glyphs in the lower part of their hexes, side by side."""
        found = []
        taken: dict[int, int] = {}
        for kind, style in self._marked():
            if style["mark"] not in ("badge", "glyph"):
                continue
            for node in sorted(self.board.tagged(kind)):
                dx, dy = SPOTS[taken.get(node, 0) % len(SPOTS)]
                taken[node] = taken.get(node, 0) + 1
                x, y = self.layout.centre(node)
                found.append((style, x + dx * self.layout.radius, y + dy * self.layout.radius))
        return found

    def small_rects(self) -> list[Rect]:
        """The room that badges and glyphs take."""
        return [Rect(x - 9, y - 9, 18, 18) for _, x, y in self._small_marks()]

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
                d = self._rim(area.borders, self._open_cells)
                parts += [stroke(d, self.styles.sheet["ink"], 6.4), stroke(d, str(hint["ink"]), 4.6)]
        return parts

    def _ring(self, node: int, style: Style) -> str:
        """The hex outlined just inside its sides."""
        x, y = self.layout.centre(node)
        inset = [(x + (cx - x) * 0.9, y + (cy - y) * 0.9) for cx, cy in self.layout.corners(node)]
        return element("path", d=polygon(inset), fill="none", stroke=style["ink"], stroke_width=style.get("width", 3),
                       stroke_linejoin="round", stroke_opacity=".85")  # fmt: skip

    def _stripe(self, nodes: list[int], style: Style, inside: set[Cell]) -> str:
        """A stripe along the sides of these hexes that face outside."""
        d = self._rim(nodes, inside)
        return stroke(d, str(style["ink"]), float(style.get("width", 5)), stroke_opacity=".8",
                      stroke_dasharray=style.get("dash"))  # fmt: skip

    def _rim(self, nodes: Iterable[int], inside: set[Cell]) -> str:
        """The sides of some hexes across which none of the cells inside lies."""
        return segments(
            (self.layout.pixel(side[0]), self.layout.pixel(side[1]))
            for cell in sorted(self.layout.cell(node) for node in nodes)
            for side in self.layout.lattice_sides(cell)
            if self.layout.neighbour_across(cell, side) not in inside
        )

    @cached_property
    def _open_cells(self) -> set[Cell]:
        """The hexes that are part of the war: all but neutral ground."""
        return {
            cell
            for node, cell in enumerate(self.layout.cells)
            if not self.styles.of("terrain", self.board.terrain[node]).get("neutral")
        }

    def _small(self, style: Style, x: float, y: float) -> str:
        """A badge or a glyph."""
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
