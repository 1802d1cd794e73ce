"""Checking a map file for mistakes that still load: typing errors, broken lines, roads in the water.

``Board`` refuses what it cannot read. This looks further and says for each finding where it is, what is wrong and
how to mend it, so that a person who edits a map by hand finds the slip.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from counterblow.atlas.geometry import Corner, Layout
from counterblow.atlas.styles import FAMILIES, MARKS, Styles
from counterblow.kernel.board import Board, Line
from counterblow.kernel.data import PROVENANCE
from counterblow.kernel.errors import DataError

KEYS: dict[str, tuple[str, ...]] = {
    "map": ("title", "provenance", "note", "grid", "terrain", "sides", "links", "places", "tags", "areas", "drawing"),
    "grid": ("orientation", "columns", "rows", "rows_run", "shifted", "first"),
    "terrain": ("legend", "hexes", "provenance", "note"),
    "sides": ("kind", "name", "between", "provenance", "note"),
    "links": ("kind", "name", "hexes", "far", "provenance", "note"),
    "places": ("name", "kind", "hexes", "shown", "number", "provenance", "note"),
    "tags": ("kind", "name", "hexes", "provenance", "note"),
    "areas": ("id", "kind", "name", "borders", "provenance", "note"),
    "drawing": ("labels", "regions", "tints", "beyond", "cells", "areas", "styles"),
}


@dataclass(frozen=True)
class Finding:
    """Something to mend in a map file."""

    where: str
    what: str
    mend: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}; {self.mend}"


def require(board: Board) -> None:
    """Raise one error that lists every finding."""
    findings = check(board)
    if findings:
        raise DataError(f"{board.where}: " + "\n".join(str(finding) for finding in findings))


def check(board: Board) -> list[Finding]:
    """Every finding, in the order of the file's tables."""
    return [
        *_unknown_keys(board.table),
        *_provenance(board.table),
        *_terrain(board),
        *_sides(board),
        *_links(board),
        *_places(board),
        *_tags(board),
        *_areas(board),
        *_drawing(board),
    ]


# ---------------------------------------------------------------- words


def _unknown_keys(table: dict[str, Any]) -> Iterable[Finding]:
    yield from _keys_of("map", "the file", table)
    for name in ("grid", "terrain", "drawing"):
        yield from _keys_of(name, name, table.get(name, {}))
    for name in ("sides", "links", "places", "tags", "areas"):
        for number, entry in enumerate(table.get(name, [])):
            yield from _keys_of(name, _entry(name, number, entry), entry)


def _keys_of(family: str, where: str, entry: dict[str, Any]) -> Iterable[Finding]:
    for key in entry:
        if key not in KEYS[family]:
            yield Finding(where, f'unknown key "{key}"', _meant(key, KEYS[family]))


def _meant(word: str, known: Iterable[str]) -> str:
    names = list(known)
    close = difflib.get_close_matches(word, names, n=1, cutoff=0.5)
    return f'write "{close[0]}"?' if close else "use one of " + ", ".join(names)


def _entry(family: str, number: int, entry: dict[str, Any]) -> str:
    name = entry.get("name") or entry.get("id") or entry.get("kind") or "?"
    return f"{family} number {number + 1} ({name})"


def _provenance(table: dict[str, Any]) -> Iterable[Finding]:
    entries = [("the file", table)]
    for family in ("sides", "links", "places", "tags", "areas"):
        entries += [(_entry(family, n, entry), entry) for n, entry in enumerate(table.get(family, []))]
    for where, entry in entries:
        word = entry.get("provenance", PROVENANCE[0])
        if word not in PROVENANCE:
            yield Finding(where, f'provenance "{word}" is not known', _meant(str(word), PROVENANCE))


# ---------------------------------------------------------------- ground and lines


def _terrain(board: Board) -> Iterable[Finding]:
    used = set(board.terrain)
    for symbol, word in board.table["terrain"]["legend"].items():
        if word not in used:
            yield Finding("terrain", f'no hex is "{word}" ("{symbol}")', "remove it from the legend or use it")


def _sides(board: Board) -> Iterable[Finding]:
    layout = Layout(board)
    for number, line in enumerate(board.side_lines):
        entry = board.table["sides"][number]
        where = _entry("sides", number, entry)
        for text in _repeated(entry["between"]):
            yield Finding(where, f"{text} stands twice", "remove one")
        pieces = _pieces([layout.lattice_side(a, b) for a, b in line.pairs if board.is_hex(a) and board.is_hex(b)])
        if _is_one_line(board, line) and pieces > 1:
            yield Finding(where, f"the line is in {pieces} pieces", "add the missing hexsides, or split the entry")


def _pieces(sides: list[tuple[Corner, Corner]]) -> int:
    """How many connected pieces a set of hexsides makes."""
    label: dict[Corner, Corner] = {}

    def root(corner: Corner) -> Corner:
        while label.setdefault(corner, corner) != corner:
            corner = label[corner]
        return corner

    for a, b in sides:
        label[root(a)] = root(b)
    return len({root(corner) for corner in list(label)})


def _is_one_line(board: Board, line: Line) -> bool:
    """Rivers and defence lines run in one piece; other hexside features may lie here and there."""
    style = Styles(board).of("sides", line.kind)
    return bool(line.name and style.get("names") and not style.get("water"))


def _links(board: Board) -> Iterable[Finding]:
    styles = Styles(board)
    water = {node for node in range(board.hexes) if styles.is_water(board.terrain[node])}
    wet = {pair for line in board.side_lines if styles.of("sides", line.kind).get("water") for pair in line.pairs}
    for number, line in enumerate(board.link_lines):
        entry = board.table["links"][number]
        where = _entry("links", number, entry)
        if len(entry["hexes"]) < 2:
            yield Finding(where, "a line needs two hexes or more", "add hexes or remove the entry")
        for label in _repeated(entry["hexes"]):
            yield Finding(where, f"{label} stands twice", "remove the detour or split the line")
        if entry.get("far") or styles.of("links", line.kind).get("ice"):
            continue
        for a, b in line.pairs:
            if a < b and (a in water or b in water or (a, b) in wet):
                pair = f"{board.labels[a]}-{board.labels[b]}"
                yield Finding(where, f"{pair} runs through water", "move the line, or set far = true for a ferry")


def _repeated(words: list[str]) -> list[str]:
    return [word for word in dict.fromkeys(words) if words.count(word) > 1]


# ---------------------------------------------------------------- places, tags and areas


def _places(board: Board) -> Iterable[Finding]:
    names = [place.name for place in board.places]
    for name in _repeated(names):
        yield Finding("places", f'two places are called "{name}"', "give them different names, or one entry")
    for number, place in enumerate(board.places):
        if not place.nodes:
            yield Finding(_entry("places", number, board.table["places"][number]), "no hex", "name its hexes")


def _tags(board: Board) -> Iterable[Finding]:
    for number, entry in enumerate(board.table.get("tags", [])):
        where = _entry("tags", number, entry)
        for label in _repeated(entry["hexes"]):
            yield Finding(where, f"{label} stands twice", "remove one")
        if not entry["hexes"]:
            yield Finding(where, "no hex", "name hexes or remove the tag")


def _areas(board: Board) -> Iterable[Finding]:
    for number, area in enumerate(board.areas):
        where = _entry("areas", number, board.table["areas"][number])
        if area.kind not in ("area", "box"):
            yield Finding(where, f'kind "{area.kind}" is not known', _meant(area.kind, ("area", "box")))
        if area.kind == "box" and area.borders:
            yield Finding(where, "a box borders no hex", 'empty its borders, or make it kind = "area"')
        if area.kind == "area" and not area.borders:
            yield Finding(where, "an area borders hexes", 'name its borders, or make it kind = "box"')


# ---------------------------------------------------------------- drawing hints


def _drawing(board: Board) -> Iterable[Finding]:
    hints = board.table.get("drawing", {})
    tags = {entry["kind"] for entry in board.table.get("tags", [])}
    for label in hints.get("labels", []):
        yield from _spot(f'drawing, label "{label.get("text", "?")}"', label.get("at", ""))
    for kind in [*hints.get("regions", []), *hints.get("tints", {})]:
        if kind not in tags:
            yield Finding("drawing", f'region "{kind}" is no tag', _meant(kind, sorted(tags)))
    for name, labels in hints.get("cells", {}).items():
        for label in labels:
            yield from _spot(f"drawing, cells of {name}", label)
            if label in board:
                yield Finding(f"drawing, cells of {name}", f"{label} is a hex of the map", "paint only off-map cells")
    areas = {area.id for area in board.areas}
    for name in hints.get("areas", {}):
        if name not in areas:
            yield Finding("drawing, areas", f'there is no area "{name}"', _meant(name, sorted(areas)))
    yield from _styles(hints.get("styles", {}))


def _spot(where: str, label: object) -> Iterable[Finding]:
    if not re.fullmatch(r"\d{4}", str(label)):
        yield Finding(where, f'"{label}" is no hex label', "write four digits, column and row")


def _styles(styles: dict[str, dict[str, dict[str, Any]]]) -> Iterable[Finding]:
    for family, kinds in styles.items():
        if family not in FAMILIES:
            yield Finding("drawing, styles", f'unknown family "{family}"', _meant(family, FAMILIES))
            continue
        for kind, style in kinds.items():
            mark = style.get("mark")
            if family == "tags" and mark is not None and mark not in MARKS:
                yield Finding(f"drawing, style of {kind}", f'unknown mark "{mark}"', _meant(str(mark), MARKS))
