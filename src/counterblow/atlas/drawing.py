"""Drawing a whole map sheet."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape

from counterblow.atlas.curves import number
from counterblow.atlas.geometry import TITLE_BAND, Layout, Rect
from counterblow.atlas.ground import Ground
from counterblow.atlas.legend import Legend
from counterblow.atlas.lines import Lines
from counterblow.atlas.marks import Marks
from counterblow.atlas.names import Names
from counterblow.atlas.styles import Styles
from counterblow.atlas.svg import SERIF, element, group, text
from counterblow.kernel.board import Board

# bottom to top; "legend" and "numbers" have switches of their own
LAYERS = (
    "sheet", "ground", "tints", "texture", "water", "grid", "rivers", "links", "crossings", "borders", "marks",
    "places", "numbers", "names", "frame", "boxes", "legend",
)  # fmt: skip

HATCH = (
    '<defs><pattern id="atlas-hatch" width="14" height="14" patternUnits="userSpaceOnUse">'
    '<path d="M-1,7L7,-1M-1,15L15,-1M7,15L15,7" stroke="#a59c88" stroke-width="1" fill="none"/></pattern></defs>'
)


def draw(board: Board, *, legend: bool = True, numbers: bool = True, layers: Iterable[str] | None = None) -> str:
    """A map as SVG. ``layers`` picks some of LAYERS; coordinates are those of ``Layout`` whatever is drawn."""
    chosen = list(LAYERS if layers is None else layers)
    for layer in chosen:
        if layer not in LAYERS:
            raise ValueError(f'unknown layer "{layer}": the layers are {", ".join(LAYERS)}')
    if not legend:
        chosen = [layer for layer in chosen if layer != "legend"]
    if not numbers:
        chosen = [layer for layer in chosen if layer != "numbers"]
    return Sheet(board).svg(chosen)


def legend(board: Board) -> str:
    """The legend of a map alone, as SVG."""
    layout, styles = Layout(board), Styles(board)
    panel = Legend(board, layout, styles)
    x, y = layout.width, TITLE_BAND
    width, height = panel.width, panel.height - TITLE_BAND
    view = " ".join(number(value) for value in (x - 2, y - 2, width, height + 4))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{number(width)}" height="{number(height + 4)}" '
        f'viewBox="{view}" font-family="{SERIF}">\n{HATCH}{panel.draw()}\n</svg>\n'
    )


class Sheet:
    """One map sheet, ready to be drawn layer by layer."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.layout = Layout(board)
        self.styles = Styles(board)
        self.ground = Ground(board, self.layout, self.styles)
        self.lines = Lines(board, self.layout, self.styles, self.ground)
        self.marks = Marks(board, self.layout, self.styles)
        self.names = Names(board, self.layout, self.styles, self.lines, self.marks.small_rects())

    def svg(self, layers: list[str]) -> str:
        key = Legend(self.board, self.layout, self.styles) if "legend" in layers else None
        width = self.layout.width + (key.width if key else 0.0)
        height = max(self.layout.height, key.height if key else 0.0)
        content = [self._defs(), self._sheet(width, height) if "sheet" in layers else ""]
        content.append(group("map", self._map(layers), clip_path="url(#atlas-frame)"))
        if "frame" in layers:
            content.append(self._frame())
        if "boxes" in layers:
            content.append(self._boxes())
        if key:
            content.append(key.draw())
        size = f'width="{number(width)}" height="{number(height)}" viewBox="0 0 {number(width)} {number(height)}"'
        title = element("title", escape(self.board.title))
        body = "\n".join(part for part in content if part)
        return f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{SERIF}">\n{title}\n{body}\n</svg>\n'

    def _map(self, layers: list[str]) -> list[str]:
        """Everything inside the frame."""
        draw: dict[str, Callable[[], str]] = {
            "ground": self.ground.land,
            "tints": self.marks.tints,
            "texture": self.ground.textures,
            "water": self.ground.sea,
            "grid": self.ground.grid_lines,
            "rivers": self.lines.sides,
            "links": self.lines.links,
            "crossings": self.lines.crossings,
            "borders": self.marks.borders,
            "marks": self.marks.tags,
            "places": self.names.symbols,
            "numbers": self.names.numbers,
            "names": self._names,
        }
        return [draw[layer]() for layer in LAYERS if layer in layers and layer in draw]

    def _names(self) -> str:
        """Large names first: they stand where the map file says and the others keep clear of them."""
        large, towns = self.names.labels(), self.names.places()
        return large + self.names.rivers() + self.marks.area_names() + towns

    def _defs(self) -> str:
        frame = self.layout.frame
        clip = element("rect", x=frame.x, y=frame.y, width=frame.width, height=frame.height)
        return f'<defs><clipPath id="atlas-frame">{clip}</clipPath></defs>{HATCH}'

    def _sheet(self, width: float, height: float) -> str:
        return element("rect", width=width, height=height, fill=self.styles.sheet["paper"])

    def _frame(self) -> str:
        """Neat lines, the title above and the origin of the map below."""
        frame, ink = self.layout.frame, self.styles.sheet["ink"]
        x, _ = frame.centre
        lines = []
        for by, wide in ((1.0, 1.6), (6.0, 3.0)):
            r = frame.grown(by)
            lines.append(element("rect", x=r.x, y=r.y, width=r.width, height=r.height, fill="none", stroke=ink,
                                 stroke_width=wide))  # fmt: skip
        title = text(x, frame.y - 30, self.board.title.upper(), 34, ink, text_anchor="middle", letter_spacing=7,
                     font_weight="bold")  # fmt: skip
        note = f"{self.board.provenance.capitalize()} map. {self.board.note}"
        low = text(frame.x, frame.bottom + 22, note, 12.5, self.styles.sheet["faint"], font_style="italic")
        return group("frame-lines", [*lines, title, low])

    def _boxes(self) -> str:
        """Areas beside the map and the boxes below it."""
        parts = []
        for area in self.board.areas:
            if area.id in self.layout.cells_of:
                continue
            rect = self.layout.rects[area.node]
            hint = self.layout.hints.get("areas", {}).get(area.id, {})
            parts.append(self._box(rect, area.name, str(hint.get("colour", "#ece4cf"))))
        return group("boxes", parts)

    def _box(self, rect: Rect, name: str, colour: str) -> str:
        ink = self.styles.sheet["ink"]
        outer = element("rect", x=rect.x, y=rect.y, width=rect.width, height=rect.height, rx=4, fill=colour,
                        stroke=ink, stroke_width=1.4)  # fmt: skip
        inner = rect.grown(-4)
        line = element("rect", x=inner.x, y=inner.y, width=inner.width, height=inner.height, rx=2, fill="none",
                       stroke=ink, stroke_width=0.6)  # fmt: skip
        words = text(rect.centre[0], rect.y + 21, name, 12.5, ink, text_anchor="middle", font_weight="bold")
        return outer + line + words
