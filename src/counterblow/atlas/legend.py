"""The legend of a map: a sample of every kind that occurs on it."""

from __future__ import annotations

from counterblow.atlas import glyphs
from counterblow.atlas.curves import number, polygon
from counterblow.atlas.geometry import FLAT_CORNERS, TITLE_BAND, Layout
from counterblow.atlas.styles import Style, Styles
from counterblow.atlas.svg import element, group, stroke, text, text_width
from counterblow.kernel.board import Board

MARGIN = 26.0
TEXT_AT = 72.0  # where the words begin
ROW = 34.0
SWATCH = 40.0  # width of a sample


class Legend:
    """Terrain, hexsides, lines, places and marks, each once, in the order of the map file."""

    def __init__(self, board: Board, layout: Layout, styles: Styles) -> None:
        self.board, self.layout, self.styles = board, layout, styles
        self._rows = self._collect()

    @property
    def _panel(self) -> float:
        """The width of the panel: as the longest line needs."""
        widths = [text_width(self.styles.title(family, kind), 13.5) for family, kind in self._rows]
        return max(180.0, TEXT_AT + max(widths, default=0.0) + 18)

    @property
    def width(self) -> float:
        return self._panel + MARGIN

    @property
    def height(self) -> float:
        return TITLE_BAND + 60 + ROW * len(self._rows)

    def _collect(self) -> list[tuple[str, str]]:
        """(family, kind) of every row."""
        table = self.board.table
        words = [w for w in table["terrain"]["legend"].values() if w in self.board.terrain]
        rows = [("terrain", w) for w in words if "title" in self._style("terrain", w) or not self._known("terrain", w)]
        for family in ("sides", "links", "places"):
            kinds = dict.fromkeys(entry["kind"] for entry in table.get(family, []))
            rows += [(family, kind) for kind in kinds if self._shown(family, kind)]
        kinds = dict.fromkeys(entry["kind"] for entry in table.get("tags", []))
        rows += [("tags", kind) for kind in kinds if self._listed(kind)]
        return rows

    def _listed(self, tag: str) -> bool:
        style = self._style("tags", tag)
        return bool(style.get("mark")) and not style.get("unlisted")

    def _style(self, family: str, kind: str) -> Style:
        return self.styles.of(family, kind)

    def _known(self, family: str, kind: str) -> bool:
        return self.styles.knows(family, kind)

    def _shown(self, family: str, kind: str) -> bool:
        style = self._style(family, kind)
        if family == "places" and style.get("symbol") == "none":
            return False
        return not style.get("hidden")

    def draw(self) -> str:
        """The panel, to the right of the sheet."""
        x = self.layout.width
        ink = self.styles.sheet["ink"]
        height = self.height - TITLE_BAND
        parts = [
            element("rect", x=x, y=TITLE_BAND, width=self._panel, height=height, rx=4, fill="#f8f3e6", stroke=ink,
                    stroke_width=1.4),
            text(x + (self._panel) / 2, TITLE_BAND + 30, "MAP KEY", 16, ink, text_anchor="middle", letter_spacing=4,
                 font_weight="bold"),
        ]  # fmt: skip
        for k, (family, kind) in enumerate(self._rows):
            y = TITLE_BAND + 60 + k * ROW
            parts.append(self._sample(family, kind, x + 36, y))
            parts.append(text(x + TEXT_AT, y + 4.5, self.styles.title(family, kind), 13.5, ink))
        return group("legend", parts)

    def _sample(self, family: str, kind: str, x: float, y: float) -> str:
        style = self._style(family, kind)
        if family == "terrain":
            return self._terrain(kind, x, y)
        if family == "places":
            return glyphs.symbol(str(style.get("symbol", "dot")), x, y, self.styles.sheet["ink"])
        if family == "tags":
            return self._mark(style, x, y)
        return self._line(style, x, y)

    def _terrain(self, kind: str, x: float, y: float) -> str:
        style = self._style("terrain", kind)
        base = self._style("terrain", self.styles.ground(kind))
        r = 19.0
        hexagon = polygon([(x + di * r / 2, y + dj * r * 0.866) for di, dj in FLAT_CORNERS])
        parts = [element("path", d=hexagon, fill=base["ground"], stroke=self.styles.sheet["grid"], stroke_width=0.9)]
        if base.get("hatch"):
            parts.append(element("path", d=hexagon, fill="url(#atlas-hatch)"))
        if "feature" in style:
            parts.append(glyphs.feature(str(style["feature"]), x, y, 24.0, str(style["ink"])))
        elif "glyph" in base:
            for part, glyph in enumerate(glyphs.scattered(str(base["glyph"]))):
                d = "".join(glyphs.at(x + dx, y + dy, glyph) for dx, dy in ((-6, -4), (7, -2), (-1, 8)))
                ink = str(base.get("shade", base["ink"]) if part else base["ink"])
                filled = glyphs.is_filled(str(base["glyph"]), part)
                parts.append(element("path", d=d, fill=ink if filled else "none", stroke=ink, stroke_width=1.0,
                                     fill_opacity=".55" if filled else None))  # fmt: skip
        return "".join(parts)

    def _line(self, style: Style, x: float, y: float) -> str:
        d = f"M{number(x - SWATCH / 2)},{number(y + 3)}q{number(SWATCH / 4)},-9 {number(SWATCH / 2)},-3t20,-3"
        width = float(style.get("width", 2))
        if style.get("crossing") == "ferry":
            boat = f"M{number(x - 7)},{number(y - 2)}h14l-3.4,5.4h-7.2z"
            line = stroke(f"M{number(x - 20)},{number(y)}h40", str(style["ink"]), 1.8, stroke_dasharray="3.5 3")
            return line + element("path", d=boat, fill="#f6f0df", stroke=style["ink"], stroke_width=1.3)
        if style.get("crossing"):
            d = f"M{number(x - 14)},{number(y - 8)}l4,3h20l4,-3M{number(x - 14)},{number(y + 8)}l4,-3h20l4,3"
            return stroke(d, str(style["ink"]), 1.5)
        if style.get("water"):
            return stroke(d, self.styles.sheet["coast"], width + 2.6) + stroke(
                d, str(self._style("terrain", str(style["water"]))["ground"]), width
            )
        parts = [stroke(d, str(style["casing"]), width + 1.9)] if "casing" in style else []
        parts.append(stroke(d, str(style["ink"]), width, stroke_dasharray=style.get("dash")))
        if "ties" in style:
            parts.append(stroke(d, str(style["ink"]), float(style["ties"]), stroke_dasharray="1.4 7",
                                stroke_linecap="butt"))  # fmt: skip
        if style.get("teeth"):
            teeth = "".join(f"M{number(x + dx - 3.2)},{number(y)}l3.2,-6l3.2,6z" for dx in (-14, -1, 12))
            return stroke(f"M{number(x - 20)},{number(y)}h40", str(style["ink"]), width) + element(
                "path", d=teeth, fill=style["ink"]
            )
        return "".join(parts)

    def _mark(self, style: Style, x: float, y: float) -> str:
        ink = str(style.get("ink", self.styles.sheet["ink"]))
        kind = style["mark"]
        if kind in ("glyph", "between"):
            return glyphs.mark(str(style["glyph"]), x, y, ink)
        if kind == "badge":
            disc = element("circle", cx=x, cy=y, r=10.5, fill=style.get("fill", "#f6f0df"), stroke=ink,
                           stroke_width=1.5)  # fmt: skip
            return disc + text(x, y + 4.4, str(style.get("text", "?")), 12.5, ink, text_anchor="middle",
                               font_weight="bold")  # fmt: skip
        if kind == "band":
            return stroke(f"M{number(x - 18)},{number(y)}h36", ink, float(style.get("width", 5)))
        hexagon = polygon([(x + di * 8.5, y + dj * 8.5 * 1.732) for di, dj in FLAT_CORNERS])
        return element("path", d=hexagon, fill="none", stroke=ink, stroke_width=style.get("width", 3),
                       stroke_dasharray=style.get("dash"))  # fmt: skip
