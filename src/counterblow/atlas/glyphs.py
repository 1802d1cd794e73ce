"""Small drawings: trees, reeds, hachures, houses, anchors. Each is a relative SVG path around a point."""

from __future__ import annotations

from counterblow.atlas.curves import number

# outlines, relative to a point on the ground; scaled by the caller through `scaled`
SCATTERED: dict[str, tuple[str, ...]] = {
    # crown and trunk side in the shade
    "tree": ("m-3.6,0a3.6,4.2 0 1 1 7.2,0a3.6,3 0 1 1 -7.2,0", "m0,3v3.4m1.2,-3.6a3.6,4.2 0 0 0 2.4,-3.4"),
    "reed": ("m-6,0h12m-9.5,0v-4.5m3.5,4.5v-6.5m3.5,6.5v-4.5",),
    "scarp": ("m-5,-2q5,-4 10,0m-8.5,-.8l-1,4m3.6,-5v5m3.4,-4.6l.8,4.2",),
    "ridge": ("m-9,6l8,-13l9,13m-9,-13l3,9l-2,4", "m0,-7l8,13h-5l-3,-6z"),
}
FILLED = {("tree", 0), ("ridge", 1)}


def scattered(kind: str) -> tuple[str, ...]:
    """The strokes of a scattered glyph: outline first, then shade."""
    return SCATTERED.get(kind, ())


def is_filled(kind: str, part: int) -> bool:
    return (kind, part) in FILLED


def at(x: float, y: float, glyph: str) -> str:
    """A glyph set at a point."""
    return f"M{number(x)},{number(y)}{glyph}"


def hill(x: float, y: float, radius: float, ink: str) -> str:
    """Hachures around a flat summit."""
    r = radius * 0.34
    rays = []
    for k in range(16):
        dx, dy = _DIRECTIONS[k]
        long = 0.62 if k % 2 else 0.5
        rays.append(
            f"M{number(x + dx * r)},{number(y + dy * r * 0.8)}"
            f"L{number(x + dx * radius * long)},{number(y + dy * radius * long * 0.8)}"
        )
    return (
        f'<ellipse cx="{number(x)}" cy="{number(y)}" rx="{number(r)}" ry="{number(r * 0.8)}" fill="none" '
        f'stroke="{ink}" stroke-width="1"/><path d="{"".join(rays)}" stroke="{ink}" stroke-width="1.3" fill="none"/>'
    )


_DIRECTIONS = (
    (1.0, 0.0), (0.92, 0.38), (0.71, 0.71), (0.38, 0.92), (0.0, 1.0), (-0.38, 0.92), (-0.71, 0.71), (-0.92, 0.38),
    (-1.0, 0.0), (-0.92, -0.38), (-0.71, -0.71), (-0.38, -0.92), (0.0, -1.0), (0.38, -0.92), (0.71, -0.71),
    (0.92, -0.38),
)  # fmt: skip


def peak(x: float, y: float, radius: float, ink: str) -> str:
    """A mountain in relief: light from the north-west, snow on top."""
    s = radius / 44
    left = f"m{number(-21 * s)},{number(14 * s)}l{number(20 * s)},{number(-31 * s)}"
    body = at(x, y, f"{left}l{number(22 * s)},{number(31 * s)}z")
    ridge = f"l{number(22 * s)},{number(31 * s)}h{number(-15 * s)}l{number(-3 * s)},{number(-9 * s)}"
    shade = at(x - s, y - 17 * s, f"{ridge}l{number(2 * s)},{number(-8 * s)}z")
    snow = at(
        x - s,
        y - 17 * s,
        f"l{number(7 * s)},{number(10 * s)}l{number(-4 * s)},{number(-2 * s)}l{number(-3 * s)},{number(5 * s)}"
        f"l{number(-4 * s)},{number(-4 * s)}l{number(-3.5 * s)},{number(2 * s)}z",
    )
    return (
        f'<path d="{body}" fill="#e9dfc8"/><path d="{shade}" fill="{ink}" fill-opacity=".55"/>'
        f'<path d="{snow}" fill="#fdfbf5"/>'
        f'<path d="{body}" fill="none" stroke="{ink}" stroke-width="1.2" stroke-linejoin="round"/>'
    )


def blocks(x: float, y: float, radius: float, ink: str) -> str:
    """A built-up hex: blocks along two streets."""
    s = radius / 44
    parts = [
        (-25, -18, 14, 12), (-8, -26, 13, 20), (8, -20, 16, 13), (-28, -3, 17, 11), (-8, -3, 13, 10),
        (8, -4, 20, 11), (-22, 11, 12, 14), (-7, 10, 13, 17), (9, 10, 14, 12),
    ]  # fmt: skip
    rects = "".join(
        f"M{number(x + a * s)},{number(y + b * s)}h{number(w * s)}v{number(h * s)}h{number(-w * s)}z"
        for a, b, w, h in parts
    )
    return f'<path d="{rects}" fill="{ink}" fill-opacity=".5" stroke="{ink}" stroke-width=".8"/>'


def feature(kind: str, x: float, y: float, radius: float, ink: str) -> str:
    """The large glyph of a hex; nothing for an unknown word."""
    draw = {"hill": hill, "peak": peak, "blocks": blocks}.get(kind)
    return draw(x, y, radius, ink) if draw else ""


def symbol(kind: str, x: float, y: float, ink: str) -> str:
    """The sign of a place."""
    if kind == "none":
        return ""
    if kind == "city":
        cells = at(x, y, "m-8,-8h7v7h-7zm9,0h7v9h-7zm-9,9h7v7h-7zm9,2h7v5h-7z")
        return (
            f'<circle cx="{number(x)}" cy="{number(y)}" r="12.5" fill="#f3e2cc" stroke="{ink}" stroke-width="1.3"/>'
            f'<path d="{cells}" fill="#8d4a3c"/>'
        )
    if kind == "metropolis":
        cells = at(x, y, "m-17,-13h9v10h-9zm11,-4h11v12h-11zm13,3h10v9h-10z")
        cells += at(x, y, "m-17,-1h9v12h-9zm11,0h11v14h-11zm13,-1h11v11h-11z")
        return f'<path d="{cells}" fill="#8d4a3c" stroke="{ink}" stroke-width=".9"/>'
    if kind == "town":
        return (
            f'<circle cx="{number(x)}" cy="{number(y)}" r="5.4" fill="#f7f1e1" stroke="{ink}" stroke-width="1.6"/>'
            f'<circle cx="{number(x)}" cy="{number(y)}" r="2" fill="{ink}"/>'
        )
    if kind == "village":
        cells = at(x, y, "m-8,-4h6v5h-6zm8,-3h5v6h-5zm-5,8h6v5h-6zm8,-2h6v5h-6z")
        return f'<path d="{cells}" fill="#5b4a3c" stroke="#f3ecd9" stroke-width=".6"/>'
    if kind == "objective":
        star = at(x, y, "m0,-12l3.2,7.6l8.2,.7l-6.2,5.4l1.9,8l-7.1,-4.3l-7.1,4.3l1.9,-8l-6.2,-5.4l8.2,-.7z")
        return (
            f'<circle cx="{number(x)}" cy="{number(y)}" r="15" fill="#f6ead2" stroke="{ink}" stroke-width="1.4"/>'
            f'<path d="{star}" fill="#a23a2c"/>'
        )
    if kind == "oil":
        tower = at(x, y, "m-7,10l5.5,-22h3l5.5,22m-12,-7h10m-8.6,-7h7.2m-8.6,7l10,7m-10,0l10,-7")
        return (
            f'<circle cx="{number(x)}" cy="{number(y)}" r="14.5" fill="#f6ead2" stroke="{ink}" stroke-width="1.2"/>'
            f'<path d="{tower}" fill="none" stroke="{ink}" stroke-width="1.5"/>'
        )
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="4" fill="{ink}"/>'


SYMBOL_RADIUS = {
    "none": 0.0, "city": 12.5, "metropolis": 18.0, "town": 5.4, "village": 8.0, "objective": 15.0, "oil": 14.5,
}  # fmt: skip


def mark(kind: str, x: float, y: float, ink: str) -> str:
    """A small sign that a tag puts on a hex."""
    if kind == "anchor":
        lines = at(x, y, "m0,-6v12m-5,-3q1,4 5,4q4,0 5,-4m-8,-6h6")
        return (
            f'<circle cx="{number(x)}" cy="{number(y)}" r="9" fill="#eaf1f2" stroke="{ink}" stroke-width="1"/>'
            f'<path d="{lines}" fill="none" stroke="{ink}" stroke-width="1.5"/>'
            f'<circle cx="{number(x)}" cy="{number(y - 6.6)}" r="1.4" fill="{ink}"/>'
        )
    if kind == "factory":
        body = at(x, y, "m-8,6v-8l4,-3v3l4,-3v3l4,-3v11z m9,-9v-5h2v5z")
        return f'<path d="{body}" fill="{ink}" stroke="#f3ecd9" stroke-width=".7"/>'
    if kind == "cut":
        lines = at(x, y, "m-6,-6l12,12m0,-12l-12,12")
        return f'<path d="{lines}" stroke="{ink}" stroke-width="3" fill="none"/>'
    if kind == "airfield":
        lines = at(x, y, "m0,-7v14m-7,-8h14m-9,7h4")
        return f'<path d="{lines}" stroke="{ink}" stroke-width="1.8" fill="none"/>'
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="3" fill="{ink}"/>'
