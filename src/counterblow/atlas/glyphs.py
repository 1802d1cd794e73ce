"""Small drawings: trees, reeds, hachures, houses, anchors. Each is a relative SVG path around a point."""

from __future__ import annotations

import math
from collections.abc import Callable

from counterblow.atlas.curves import number

Draw = Callable[[float, float, str], str]  # x, y, ink

BRICK, PAPER, CREAM = "#8d4a3c", "#f3ecd9", "#f6ead2"

# ---------------------------------------------------------------- scattered on the ground: outline first, then shade

SCATTERED: dict[str, tuple[str, ...]] = {
    "tree": ("m-3.6,0a3.6,4.2 0 1 1 7.2,0a3.6,3 0 1 1 -7.2,0", "m0,3v3.4m1.2,-3.6a3.6,4.2 0 0 0 2.4,-3.4"),
    "reed": ("m-6,0h12m-9.5,0v-4.5m3.5,4.5v-6.5m3.5,6.5v-4.5",),
    "scarp": ("m-5,-2q5,-4 10,0m-8.5,-.8l-1,4m3.6,-5v5m3.4,-4.6l.8,4.2",),
    "ridge": ("m-9,6l8,-13l9,13m-9,-13l3,9l-2,4", "m0,-7l8,13h-5l-3,-6z"),
}
FILLED = {("tree", 0), ("ridge", 1)}


def scattered(kind: str) -> tuple[str, ...]:
    """The strokes of a scattered glyph."""
    return SCATTERED.get(kind, ())


def is_filled(kind: str, part: int) -> bool:
    return (kind, part) in FILLED


def at(x: float, y: float, glyph: str) -> str:
    """A glyph set at a point."""
    return f"M{number(x)},{number(y)}{glyph}"


def _disc(x: float, y: float, radius: float, fill: str, ink: str, width: float) -> str:
    return (
        f'<circle cx="{number(x)}" cy="{number(y)}" r="{radius}" fill="{fill}" stroke="{ink}" stroke-width="{width}"/>'
    )


def _solid(d: str, fill: str, outline: str = "") -> str:
    return f'<path d="{d}" fill="{fill}"{outline}/>'


def _lines(d: str, ink: str, width: float) -> str:
    return f'<path d="{d}" fill="none" stroke="{ink}" stroke-width="{width}" stroke-linejoin="round"/>'


# ---------------------------------------------------------------- one large glyph in a hex


def hill(x: float, y: float, radius: float, ink: str) -> str:
    """Hachures around a flat summit."""
    inner = 0.34 * radius
    rays = []
    for k in range(16):
        dx, dy = math.cos(k * math.pi / 8), 0.8 * math.sin(k * math.pi / 8)
        outer = radius * (0.62 if k % 2 else 0.5)
        rays.append(at(x + dx * inner, y + dy * inner, f"L{number(x + dx * outer)},{number(y + dy * outer)}"))
    summit = (
        f'<ellipse cx="{number(x)}" cy="{number(y)}" rx="{number(inner)}" ry="{number(inner * 0.8)}" fill="none" '
        f'stroke="{ink}" stroke-width="1"/>'
    )
    return summit + _lines("".join(rays), ink, 1.3)


def peak(x: float, y: float, radius: float, ink: str) -> str:
    """A mountain in relief: light from the north-west, snow on top."""
    s = radius / 44

    def steps(*moves: tuple[float, float]) -> str:
        return "".join(f"l{number(dx * s)},{number(dy * s)}" for dx, dy in moves)

    top = x - s, y - 17 * s
    body = at(x - 21 * s, y + 14 * s, steps((20, -31), (22, 31)) + "z")
    shade = at(*top, steps((22, 31), (-15, 0), (-3, -9), (2, -8)) + "z")
    snow = at(*top, steps((7, 10), (-4, -2), (-3, 5), (-4, -4), (-3.5, 2)) + "z")
    return (
        _solid(body, "#e9dfc8")
        + _solid(shade, ink, ' fill-opacity=".55"')
        + _solid(snow, "#fdfbf5")
        + _lines(body, ink, 1.2)
    )


BLOCKS = (
    (-25, -18, 14, 12), (-8, -26, 13, 20), (8, -20, 16, 13), (-28, -3, 17, 11), (-8, -3, 13, 10), (8, -4, 20, 11),
    (-22, 11, 12, 14), (-7, 10, 13, 17), (9, 10, 14, 12),
)  # fmt: skip


def blocks(x: float, y: float, radius: float, ink: str) -> str:
    """A built-up hex: blocks along two streets."""
    s = radius / 44
    d = "".join(
        at(x + a * s, y + b * s, f"h{number(w * s)}v{number(h * s)}h{number(-w * s)}z") for a, b, w, h in BLOCKS
    )
    return _solid(d, ink, f' fill-opacity=".5" stroke="{ink}" stroke-width=".8"')


FEATURES: dict[str, Callable[[float, float, float, str], str]] = {"hill": hill, "peak": peak, "blocks": blocks}


def feature(kind: str, x: float, y: float, radius: float, ink: str) -> str:
    """The large glyph of a hex; nothing for an unknown word."""
    draw = FEATURES.get(kind)
    return draw(x, y, radius, ink) if draw else ""


# ---------------------------------------------------------------- the signs of places


def _none(x: float, y: float, ink: str) -> str:
    return ""


def _dot(x: float, y: float, ink: str) -> str:
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="4" fill="{ink}"/>'


def _city(x: float, y: float, ink: str) -> str:
    houses = at(x, y, "m-8,-8h7v7h-7zm9,0h7v9h-7zm-9,9h7v7h-7zm9,2h7v5h-7z")
    return _disc(x, y, 12.5, "#f3e2cc", ink, 1.3) + _solid(houses, BRICK)


def _metropolis(x: float, y: float, ink: str) -> str:
    houses = at(x, y, "m-17,-13h9v10h-9zm11,-4h11v12h-11zm13,3h10v9h-10z")
    houses += at(x, y, "m-17,-1h9v12h-9zm11,0h11v14h-11zm13,-1h11v11h-11z")
    return _solid(houses, BRICK, f' stroke="{ink}" stroke-width=".9"')


def _town(x: float, y: float, ink: str) -> str:
    return _disc(x, y, 5.4, "#f7f1e1", ink, 1.6) + f'<circle cx="{number(x)}" cy="{number(y)}" r="2" fill="{ink}"/>'


def _village(x: float, y: float, ink: str) -> str:
    houses = at(x, y, "m-8,-4h6v5h-6zm8,-3h5v6h-5zm-5,8h6v5h-6zm8,-2h6v5h-6z")
    return _solid(houses, "#5b4a3c", f' stroke="{PAPER}" stroke-width=".6"')


def _objective(x: float, y: float, ink: str) -> str:
    star = at(x, y, "m0,-12l3.2,7.6l8.2,.7l-6.2,5.4l1.9,8l-7.1,-4.3l-7.1,4.3l1.9,-8l-6.2,-5.4l8.2,-.7z")
    return _disc(x, y, 15, CREAM, ink, 1.4) + _solid(star, "#a23a2c")


def _oil(x: float, y: float, ink: str) -> str:
    tower = at(x, y, "m-7,10l5.5,-22h3l5.5,22m-12,-7h10m-8.6,-7h7.2m-8.6,7l10,7m-10,0l10,-7")
    return _disc(x, y, 14.5, CREAM, ink, 1.2) + _lines(tower, ink, 1.5)


SYMBOLS: dict[str, Draw] = {
    "none": _none, "dot": _dot, "city": _city, "metropolis": _metropolis, "town": _town, "village": _village,
    "objective": _objective, "oil": _oil,
}  # fmt: skip
SYMBOL_RADIUS = {
    "none": 0.0, "dot": 4.0, "city": 12.5, "metropolis": 18.0, "town": 5.4, "village": 8.0, "objective": 15.0,
    "oil": 14.5,
}  # fmt: skip


def symbol(kind: str, x: float, y: float, ink: str) -> str:
    """The sign of a place; a dot for an unknown word."""
    return SYMBOLS.get(kind, _dot)(x, y, ink)


# ---------------------------------------------------------------- the signs of tags


def _anchor(x: float, y: float, ink: str) -> str:
    lines = at(x, y, "m0,-6v12m-5,-3q1,4 5,4q4,0 5,-4m-8,-6h6")
    ring = f'<circle cx="{number(x)}" cy="{number(y - 6.6)}" r="1.4" fill="{ink}"/>'
    return _disc(x, y, 9, "#eaf1f2", ink, 1) + _lines(lines, ink, 1.5) + ring


def _factory(x: float, y: float, ink: str) -> str:
    return _solid(at(x, y, "m-8,6v-8l4,-3v3l4,-3v3l4,-3v11zm9,-9v-5h2v5z"), ink, f' stroke="{PAPER}" stroke-width=".7"')


def _cut(x: float, y: float, ink: str) -> str:
    return _lines(at(x, y, "m-6,-6l12,12m0,-12l-12,12"), ink, 3)


def _airfield(x: float, y: float, ink: str) -> str:
    return _lines(at(x, y, "m0,-7v14m-7,-8h14m-9,7h4"), ink, 1.8)


MARKS: dict[str, Draw] = {"anchor": _anchor, "factory": _factory, "cut": _cut, "airfield": _airfield}


def mark(kind: str, x: float, y: float, ink: str) -> str:
    """A small sign that a tag puts on a hex; a dot for an unknown word."""
    return MARKS.get(kind, _dot)(x, y, ink)
