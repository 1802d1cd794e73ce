"""Pages that stand alone: one HTML file with its style and its pictures in it, to keep or to send."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from io import StringIO
from typing import Any

from counterblow.lab.extras import need

COLOURS = ("#2b5d8a", "#b0413e", "#8a7a2b", "#4f7d4f")
STYLE = """
:root { color-scheme: light dark; --ink: #222; --paper: #fdfcf8; --line: #d5d0c3; --dim: #6a675f; --card: #fff; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e4da; --paper: #1d1c1a; --line: #444038; --dim: #a5a095; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 60rem;
       margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.2rem; border-bottom: 1px solid var(--line); }
table { border-collapse: collapse; display: block; overflow-x: auto; } caption { text-align: left; color: var(--dim); }
th, td { padding: .25rem .8rem .25rem 0; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
pre, code { font: 14px/1.4 ui-monospace, monospace; } pre { background: #8881; padding: .7rem; overflow-x: auto; }
figure { margin: 1rem 0; background: #fdfcf8; border: 1px solid var(--line); border-radius: 6px; padding: .5rem; }
figure svg { width: 100%; height: auto; display: block; } figcaption { color: #55524a; font-size: .9rem; }
figure.board svg { max-height: 34rem; }
.dim { color: var(--dim); }
"""


def page(title: str, *parts: str) -> str:
    """A whole page."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{escape(title)}</h1>\n"
        + "\n".join(parts)
        + "\n</body>\n</html>\n"
    )


def heading(text: str) -> str:
    """A heading within the page."""
    return f"<h2>{escape(text)}</h2>"


def paragraph(text: str, dim: bool = False) -> str:
    """A paragraph of plain text; ``dim`` for what matters less."""
    return f'<p class="dim">{escape(text)}</p>' if dim else f"<p>{escape(text)}</p>"


def code(text: str) -> str:
    """Lines as they were typed."""
    return f"<pre>{escape(text)}</pre>"


def table(headings: Sequence[str], lines: Iterable[Sequence[object]]) -> str:
    """Numbers are set to the right."""
    body = [list(line) for line in lines]
    numeric = [bool(body) and all(_numeric(line[n]) for line in body) for n in range(len(headings))]

    def row(tag: str, cells: Sequence[object]) -> str:
        return "<tr>" + "".join(
            f"<{tag}{' class=n' if right else ''}>{escape(str(cell))}</{tag}>"
            for cell, right in zip(cells, numeric, strict=True)
        ) + "</tr>"  # fmt: skip

    return "\n".join(["<table>", row("th", headings), *(row("td", line) for line in body), "</table>"])


def _numeric(cell: object) -> bool:
    return isinstance(cell, int | float) or bool(re.fullmatch(r"[-+]?[\d.,]+( to [-+]?[\d.,]+)?( ?%)?", str(cell)))


def figure(svg: str, caption: str, kind: str = "") -> str:
    """A picture with its caption; a "board" is kept to about half of a screen."""
    return f"<figure{f' class={kind}' if kind else ''}>{svg}<figcaption>{escape(caption)}</figcaption></figure>"


def axes(width: float = 8.0, height: float = 3.0) -> tuple[Any, Any]:
    """An empty plot in the page's style: (figure, axes)."""
    need("matplotlib", "lab").use("svg")
    plt = need("matplotlib.pyplot", "lab")
    plt.rcParams.update(
        {"svg.fonttype": "none", "svg.hashsalt": "counterblow", "font.family": "sans-serif", "font.size": 10,
         "figure.facecolor": "#fdfcf8", "axes.facecolor": "#fdfcf8", "axes.spines.top": False,
         "axes.spines.right": False}
    )  # fmt: skip
    made: tuple[Any, Any] = plt.subplots(figsize=(width, height), layout="constrained")
    return made


def svg_of(drawn: Any) -> str:
    """A plot as the text of an SVG picture, the same for the same plot; its own names are kept apart from others'."""
    buffer = StringIO()
    drawn.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    need("matplotlib.pyplot", "lab").close(drawn)
    text = buffer.getvalue()
    return text[text.index("<svg") :]
