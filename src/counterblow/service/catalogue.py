"""What never changes while the server runs: the games, their maps, rules and charts."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from typing import Any

from counterblow import atlas, players
from counterblow.atlas.geometry import Layout
from counterblow.kernel.game import Game


class Catalogue:
    """Descriptions made once per game."""

    def __init__(self, game: Callable[[str], Game]) -> None:
        self._game = game
        self.drawing = cache(self._drawing)
        self.summary = cache(self._summary)
        self.whole = cache(self._whole)

    def _drawing(self, slug: str) -> tuple[bytes, str]:
        """The drawn map and a short digest of it, which makes its address change when the map does."""
        svg = atlas.draw(self._game(slug).board, legend=False).encode()
        return svg, hashlib.sha256(svg).hexdigest()[:12]

    def map_address(self, slug: str) -> str:
        return f"/api/games/{slug}/map.svg?v={self.drawing(slug)[1]}"

    def _summary(self, slug: str) -> dict[str, Any]:
        described = self._game(slug).describe()
        del described["tables"]
        return {**described, "players": players.described(), "picture": self.map_address(slug)}

    def _whole(self, slug: str) -> dict[str, Any]:
        game = self._game(slug)
        words = game.act
        return {
            **self.summary(slug),
            "rules_version": game.version,
            "map": {"url": self.map_address(slug), **_map(game)},
            "rules": [vars(rule) for rule in game.rules.values()],
            "tables": game.tables_view(),
            "actions": [
                {"kind": kind, "sentence": sentence, "blanks": words.blanks[kind]}
                for kind, sentence in words.sentences.items()
            ],
            "overlays": [{"kind": kind, "title": title} for kind, title in game.overlays.items()],
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
