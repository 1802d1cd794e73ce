"""How many positions a player answers rightly, game by game: python -m tests.players.positions general [game ...]"""

from __future__ import annotations

import sys
from importlib import import_module

import counterblow
from tests.players.positions import solved


def main() -> None:
    name, *slugs = sys.argv[1:] or ["officer"]
    for slug in slugs or counterblow.games():
        puzzles = import_module(f"tests.players.positions.{slug}").PUZZLES
        right, wrong = solved(slug, puzzles, name)
        print(f"{slug}: {name} {len(right)} of {len(puzzles)}; wrong: {'; '.join(wrong) or 'none'}")


if __name__ == "__main__":
    main()
