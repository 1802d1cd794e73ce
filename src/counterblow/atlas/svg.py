"""Writing SVG: elements as text, deterministic to the byte."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from counterblow.atlas.curves import number

SERIF = "Georgia, 'Liberation Serif', 'DejaVu Serif', serif"
SANS = "'Gill Sans', 'Liberation Sans', 'DejaVu Sans', sans-serif"


def attributes(values: dict[str, object]) -> str:
    """width=3, stroke_width=2 -> ' width="3" stroke-width="2"'; None is left out."""
    shown = {key.rstrip("_").replace("_", "-"): value for key, value in values.items() if value is not None}
    return "".join(f' {key}="{_value(value)}"' for key, value in shown.items())


def _value(value: object) -> str:
    return number(value) if isinstance(value, float) else escape(str(value))


def element(name: str, content: str = "", /, **values: object) -> str:
    head = f"<{name}{attributes(values)}"
    return f"{head}>{content}</{name}>" if content else f"{head}/>"


def group(name: str, parts: Iterable[str], **values: object) -> str:
    """A layer of the drawing, found by its data-layer."""
    content = "\n".join(part for part in parts if part)
    return f'<g data-layer="{name}"{attributes(values)}>\n{content}\n</g>' if content else ""


def stroke(d: str, ink: str, width: float, **values: object) -> str:
    if not d:
        return ""
    values.setdefault("stroke_linecap", "round")
    return element("path", d=d, fill="none", stroke=ink, stroke_width=width, stroke_linejoin="round", **values)


def text(x: float, y: float, words: str, size: float, ink: str, **values: object) -> str:
    """A line of text; halo="#fff" draws an outline of that colour behind the letters."""
    halo = values.pop("halo", None)
    if halo is not None:
        values = {
            "stroke": halo, "stroke_width": size / 3.6, "stroke_linejoin": "round", "paint_order": "stroke", **values,
        }  # fmt: skip
    return element("text", escape(words), x=x, y=y, font_size=size, fill=ink, **values)


def text_width(words: str, size: float, bold: bool = False, spacing: float = 0.0) -> float:
    """About how wide a line of serif text is."""
    narrow = sum(character in "iljtfrI.,'-() " for character in words)
    wide = sum(character in "mwMWOQGDHNUKR" for character in words)
    plain = len(words) - narrow - wide
    width = (plain * 0.52 + narrow * 0.31 + wide * 0.78) * size
    return width * (1.08 if bold else 1.0) + spacing * max(0, len(words) - 1)
