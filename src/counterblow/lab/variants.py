"""Games with changed data: one value of a unit, a row of a table, or a whole folder of corrected files.

A value is named by its address: ``units.toml: unit[name=4. Panzer Gruppe].factor``. After the file come the keys,
joined by dots; square brackets pick a member of a list: by its place, counted from 1, or by the value of a field.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import tempfile
import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

import counterblow
from counterblow.kernel.data import DataFolder
from counterblow.kernel.errors import CounterblowError, unknown
from counterblow.kernel.game import Game
from counterblow.lab.extras import need

AS_SHIPPED = "as shipped"
_STEP = re.compile(r"\s*\.?\s*([^.\[\]]+)|\[([^\]]+)\]")


@dataclass(frozen=True)
class Variant:
    """Data files of a game that take the place of those shipped, by name; none for the game as it is."""

    name: str = AS_SHIPPED
    files: tuple[tuple[str, str], ...] = ()

    @property
    def digest(self) -> str:
        """Short, and the same for the same files on every machine."""
        return hashlib.sha256(repr(self.files).encode()).hexdigest()[:16] if self.files else ""

    def game(self, slug: str) -> Game:
        """The game played with this data."""
        return _loaded(slug, self.files) if self.files else counterblow.load(slug)


@lru_cache(maxsize=64)
def _loaded(slug: str, files: tuple[tuple[str, str], ...]) -> Game:
    """The game, and a folder of its files, which goes when the game does: it may read a table later."""
    folder = tempfile.mkdtemp(prefix="counterblow-")
    try:
        for name, text in files:
            (Path(folder) / name).write_text(text, encoding="utf-8")
        game = counterblow.load(slug, folder)
    except CounterblowError as error:
        shutil.rmtree(folder)
        raise CounterblowError(str(error).replace(folder + "/", "")) from None
    weakref.finalize(game.data, shutil.rmtree, folder)  # not the game: compiled, it takes no weak reference
    return game


def make(slug: str, name: str, changes: Mapping[str, Any], folder: Path | None = None) -> Variant:
    """A variant from changed values by address, over the files of a folder if one is given."""
    if folder is not None and not folder.is_dir():
        raise CounterblowError(f'variant "{name}": {folder}: there is no such folder of data files')
    shipped = DataFolder(counterblow.load(slug).data.package, folder)
    texts = {file.name: file.read_text(encoding="utf-8") for file in sorted(folder.glob("*.toml"))} if folder else {}
    here = resources.files(shipped.package) / "data"
    names = sorted({*texts, *[file.name for file in here.iterdir() if file.name.endswith(".toml")]})
    data: dict[str, dict[str, Any]] = {}
    for address, value in changes.items():
        file, colon, path = address.partition(":")
        file = file.strip()
        if not colon:
            raise CounterblowError(f'variant "{name}": "{address}" should be like "units.toml: unit[name=...].factor"')
        if file not in names:
            raise CounterblowError(f'variant "{name}": {address}: {unknown("data file", file, names)}')
        try:
            tree = data.setdefault(file, shipped.toml(file)) if file not in data else data[file]
            change(tree, path, value)
        except CounterblowError as error:
            raise CounterblowError(f'variant "{name}": {address}: {error}') from None
    for file, tree in data.items():
        texts[file] = need("tomli_w", "lab").dumps(tree)
    return Variant(name, tuple(sorted(texts.items())))


def change(tree: dict[str, Any], path: str, value: Any) -> None:
    """Set the value at a path of keys; it must be there already, and of the same kind."""
    steps = _steps(path)
    place: Any = tree
    for step in steps[:-1]:
        place = _inside(place, step)
    old = _inside(place, steps[-1])
    if not _alike(old, value):
        raise CounterblowError(f"the value there is {old!r}: {value!r} is of another kind")
    place[_key(place, steps[-1])] = value


def _alike(old: Any, new: Any) -> bool:
    if isinstance(old, bool) or isinstance(new, bool):
        return isinstance(old, bool) and isinstance(new, bool)
    numbers = (int, float)
    return isinstance(new, type(old)) or (isinstance(old, numbers) and isinstance(new, numbers))


def _steps(path: str) -> list[str]:
    """The keys of a path; a pick out of a list keeps its bracket."""
    steps, at = [], 0
    path = path.strip()
    while at < len(path):
        match = _STEP.match(path, at)
        if match is None:
            raise CounterblowError(f'cannot be read from "{path[at:]}" on')
        steps.append(match[1].strip() if match[1] is not None else f"[{match[2].strip()}")
        at = match.end()
    if not steps:
        raise CounterblowError("no key is named after the file")
    return steps


def _inside(place: Any, step: str) -> Any:
    return place[_key(place, step)]


def _key(place: Any, step: str) -> Any:
    """The key or index that a step means in this table or list."""
    if step.startswith("["):
        return _pick(place, step[1:])
    if not isinstance(place, dict):
        raise CounterblowError(f'"{step}" is asked of {place!r:.60}, which is no table')
    if step not in place:
        raise CounterblowError(unknown("key", step, place))
    return step


def _pick(place: Any, pick: str) -> int:
    if not isinstance(place, list):
        raise CounterblowError(f"[{pick}] is asked of {place!r:.60}, which is no list")
    if re.fullmatch(r"\d+", pick):
        if not 1 <= int(pick) <= len(place):
            raise CounterblowError(f"[{pick}]: the list has members 1 to {len(place)}")
        return int(pick) - 1
    field, equals, wanted = (part.strip() for part in pick.partition("="))
    if not equals:
        raise CounterblowError(f"[{pick}] should be a place counted from 1, or field=value")
    found = [n for n, member in enumerate(place) if isinstance(member, dict) and str(member.get(field)) == wanted]
    if len(found) != 1:
        values = [str(member[field]) for member in place if isinstance(member, dict) and field in member]
        raise CounterblowError(unknown(field, wanted, values) if not found else f"[{pick}] fits {len(found)} members")
    return found[0]
