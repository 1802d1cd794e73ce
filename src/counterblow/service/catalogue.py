"""What never changes while the server runs: the games, their maps, rules and charts."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict
from functools import cache
from typing import Any, NamedTuple

from counterblow import atlas, players
from counterblow.atlas.geometry import Layout
from counterblow.kernel.game import Game

MINDED = tuple(kind.name for kind in (players.Randomly, players.Plain, players.Officer, players.General) if kind.minded)


class Content(NamedTuple):
    """Something that is sent often and never changes: compressed once."""

    plain: bytes
    zipped: bytes
    digest: str

    @classmethod
    def of(cls, plain: bytes) -> Content:
        return cls(plain, gzip.compress(plain, 6, mtime=0), hashlib.sha256(plain).hexdigest()[:16])

    @classmethod
    def of_json(cls, data: Any) -> Content:
        return cls.of(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode())


class Catalogue:
    """Descriptions made once per game."""

    def __init__(self, game: Callable[[str], Game]) -> None:
        self._game = game
        self.drawing = cache(self._drawing)
        self.one = cache(self._one)
        self.list = cache(self._list)

    def _drawing(self, slug: str) -> Content:
        """The drawn map; its digest makes its address change when the map does."""
        return Content.of(atlas.draw(self._game(slug).board, legend=False).encode())

    def _one(self, slug: str) -> Content:
        """All of a game that never changes."""
        return Content.of_json(self._whole(slug))

    def _list(self, slugs: tuple[str, ...]) -> Content:
        return Content.of_json([self._summary(slug) for slug in slugs])

    def _players(self, slug: str) -> list[dict[str, Any]]:
        """The computer players, as they are in this game."""
        return [
            {**player, "temperaments": list(players.TEMPERAMENTS) if player["name"] in MINDED else []}
            for player in players.described(self._game(slug))
        ]

    def map_address(self, slug: str) -> str:
        return f"/api/games/{slug}/map.svg?v={self.drawing(slug).digest}"

    def _summary(self, slug: str) -> dict[str, Any]:
        described = self._game(slug).describe()
        del described["tables"]
        return {**described, "players": self._players(slug), "picture": self.map_address(slug)}

    def _whole(self, slug: str) -> dict[str, Any]:
        game = self._game(slug)
        words = game.act
        return {
            **self._summary(slug),
            "rules_version": game.version,
            "map": {"url": self.map_address(slug), **_map(game)},
            "rules": [asdict(rule) for rule in game.rules.values()],
            "tables": game.views.tables(),
            "actions": [
                {"kind": kind, "sentence": sentence, "blanks": words.blanks[kind]}
                for kind, sentence in words.sentences.items()
            ],
            "overlays": [
                {"kind": kind, "title": title, "of": "unit" if kind in game.unit_overlays else "side"}
                for kind, title in game.overlays.items()
            ],
        }


def _map(game: Game) -> dict[str, Any]:
    board = game.board
    layout = Layout(board).to_json()
    return {
        "title": board.title,
        **{key: layout[key] for key in ("width", "height", "radius", "orientation", "corners")},
        "hexes": [_hex(game, node, *layout["centres"][board.labels[node]]) for node in range(board.hexes)],
        "areas": [
            dict(zip(("x", "y", "w", "h"), layout["boxes"][area.id], strict=True))
            | {"id": area.id, "name": area.name, "kind": area.kind}
            for area in board.areas
        ],
        "note": board.note,
        "provenance": board.provenance,
    }


def _hex(game: Game, node: int, x: float, y: float) -> dict[str, Any]:
    board = game.board
    place = board.place_at(node)
    name = None if place is None else place.name
    return {"label": board.labels[node], "x": x, "y": y, "terrain": board.terrain[node], "place": name}
