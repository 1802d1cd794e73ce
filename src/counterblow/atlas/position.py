"""A position on the map, as SVG: the counters that a view shows, drawn over the same map as everywhere."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from counterblow.atlas.drawing import draw
from counterblow.atlas.geometry import RADIUS, Layout
from counterblow.atlas.svg import SANS, element, group, text
from counterblow.kernel.game import Game

COLOURS = (("#5f6b52", "#f4f1e6"), ("#a8473a", "#fdf3ea"))  # by side: counter, ink
HIDDEN = "#8b857a"
SIZE = RADIUS * 1.05
SHIFT = RADIUS * 0.16  # a stack is seen as a stack


def picture(game: Game, view: dict[str, Any], light: Iterable[str] = ()) -> str:
    """The whole map with what a view shows; the hexes in ``light`` are marked."""
    drawn = draw(game.board, legend=False, numbers=False)
    return drawn.replace("</svg>", counters(game, view, light) + "\n</svg>")


def counters(game: Game, view: dict[str, Any], light: Iterable[str] = ()) -> str:
    """The counters alone, in the coordinates of the map."""
    layout = Layout(game.board)
    stacks: dict[str, list[dict[str, Any]]] = {}
    for unit in view["units"]:
        stacks.setdefault(unit["at"], []).append(unit)
    marked = [
        element("circle", cx=x, cy=y, r=RADIUS * 0.95, fill="none", stroke="#d9a400", stroke_width=6)
        for x, y in (layout.centre(game.board.node(label)) for label in dict.fromkeys(light))
    ]
    drawn = [_stack(game, layout.centre(game.board.node(label)), stack) for label, stack in stacks.items()]
    return group("counters", [*marked, *drawn], font_family=SANS)


def _stack(game: Game, centre: tuple[float, float], units: list[dict[str, Any]]) -> str:
    """The top three counters, the top one in front."""
    parts = []
    for place, unit in enumerate(units[-3:]):
        side = game.side_number(unit["side"])
        paper, ink = COLOURS[side]
        x, y = centre[0] - SIZE / 2 + place * SHIFT, centre[1] - SIZE / 2 - place * SHIFT
        parts.append(
            element("rect", x=x, y=y, width=SIZE, height=SIZE, rx=4.0, fill=HIDDEN if unit.get("hidden") else paper,
                    stroke=ink, stroke_width=1.5)
        )  # fmt: skip
    top = units[-1]
    middle = x + SIZE / 2
    ink = COLOURS[game.side_number(top["side"])][1]
    values, band = ("?", "") if top.get("hidden") else (str(top.get("values", "")), str(top.get("band", "")))
    words = [(values, 0.72, 0.30), (band[:7], 0.36, 0.24)] + ([(f"x{len(units)}", 1.0, 0.22)] if len(units) > 1 else [])
    parts += [
        text(middle, y + SIZE * down, word, SIZE * size, ink, text_anchor="middle")
        for word, down, size in words
        if word
    ]
    named = ", ".join(str(unit.get("name", "hidden")) for unit in units)
    return element("g", "".join(parts) + element("title", f"{top['at']}: {named}".replace("&", "&amp;")))
