"""The look of each kind of terrain, hexside, line, place and tag, from styles.toml and the map's own additions."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any

from counterblow.kernel.board import Board

Style = dict[str, Any]

FAMILIES = ("terrain", "sides", "links", "places", "tags")
MARKS = ("badge", "ring", "outline", "band", "glyph", "between")  # what a tag can put on the map


@cache
def _shipped() -> dict[str, Any]:
    return tomllib.loads(resources.files(__package__).joinpath("styles.toml").read_text(encoding="utf-8"))


class Styles:
    """Styles by family ("terrain", "sides", "links", "places", "tags") and kind word."""

    def __init__(self, board: Board) -> None:
        own: dict[str, dict[str, Style]] = board.table.get("drawing", {}).get("styles", {})
        self._table = {
            family: {
                kind: {**kinds.get(kind, {}), **own.get(family, {}).get(kind, {})}
                for kind in [*kinds, *own.get(family, {})]
            }
            for family, kinds in _shipped().items()
            if family != "sheet"
        }
        self.sheet: dict[str, str] = _shipped()["sheet"]

    def of(self, family: str, kind: str) -> Style:
        """The style of a kind; a word the tables do not know gets the default of its family."""
        kinds = self._table[family]
        if kind in kinds:
            return kinds[kind]
        return kinds.get("default", {})

    def knows(self, family: str, kind: str) -> bool:
        return kind in self._table[family]

    def title(self, family: str, kind: str) -> str:
        """What a legend calls a kind."""
        return str(self.of(family, kind).get("title", kind.replace("_", " ").capitalize()))

    def ground(self, terrain: str) -> str:
        """The terrain word whose ground a terrain shows: a village stands on clear ground."""
        return str(self.of("terrain", terrain).get("as", terrain))

    def is_water(self, terrain: str) -> bool:
        return bool(self.of("terrain", self.ground(terrain)).get("water", False))
