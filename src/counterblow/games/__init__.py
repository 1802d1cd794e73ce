"""The games: one folder each. A fifth game is one new folder with a ``GAME`` in its ``__init__``."""

from __future__ import annotations

import gc
from functools import cache
from importlib import import_module, resources
from pathlib import Path

from counterblow.kernel.errors import CounterblowError, unknown
from counterblow.kernel.game import Game


@cache
def games() -> tuple[str, ...]:
    """The slugs of all installed games."""
    folders = resources.files(__name__).iterdir()
    return tuple(sorted(f.name for f in folders if f.is_dir() and (f / "game.py").is_file()))


def load(slug: str, data: str | Path | None = None) -> Game:
    """A game's rules and data.

    ``data`` is a folder with corrected copies of the game's TOML files (map, units, tables): those found there are used
    instead of the ones shipped.
    """
    if slug not in games():
        raise CounterblowError(unknown("game", slug, games()))
    if data is None:
        return _shipped(slug)
    folder = Path(data)
    if not folder.is_dir():
        raise CounterblowError(f"{folder}: there is no such folder of data files")
    return _new(slug, folder)


@cache
def _shipped(slug: str) -> Game:
    game = _new(slug, None)
    # rules and tables live as long as the program: the collector need not walk through them during every search
    gc.collect()
    gc.freeze()
    return game


def _new(slug: str, data: Path | None) -> Game:
    game: Game = import_module(f"{__name__}.{slug}").GAME(data)
    return game
