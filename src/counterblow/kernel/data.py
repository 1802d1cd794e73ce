"""Reading a game's data files: TOML beside its rules, or an owner's corrected copy."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from counterblow.kernel.errors import DataError

PROVENANCE = ("rulebook", "public", "reconstructed")


@dataclass(frozen=True)
class DataFolder:
    """The data files of one game. ``override`` is a folder whose files take the place of those shipped."""

    package: str
    override: Path | None = None

    def text(self, name: str) -> str:
        """A file as it stands, the owner's copy before the one shipped."""
        if self.override is not None and (self.override / name).is_file():
            return (self.override / name).read_text(encoding="utf-8")
        file = resources.files(self.package) / "data" / name
        if not file.is_file():
            raise DataError(f"{self.package}: data file {name} is missing")
        return file.read_text(encoding="utf-8")

    def has(self, name: str) -> bool:
        """Is there such a file? Some are for the reader's comfort, and a game may come without them."""
        shipped = (resources.files(self.package) / "data" / name).is_file()
        return shipped or (self.override is not None and (self.override / name).is_file())

    def where(self, name: str) -> str:
        """How to call the file in an error message."""
        if self.override is not None and (self.override / name).is_file():
            return str(self.override / name)
        return f"{self.package.rpartition('.')[2]}/data/{name}"

    def toml(self, name: str) -> dict[str, Any]:
        """A file, read as TOML; the error names it."""
        try:
            return tomllib.loads(self.text(name))
        except tomllib.TOMLDecodeError as error:
            raise DataError(f"{self.where(name)}: not valid TOML: {error}") from None


def need(table: dict[str, Any], key: str, kind: type | tuple[type, ...], where: str) -> Any:
    """A field that must be there and be of a kind; the error names file, entry and field."""
    if key not in table:
        raise DataError(f'{where}: "{key}" is missing')
    value = table[key]
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is int):
        wanted = kind.__name__ if isinstance(kind, type) else " or ".join(k.__name__ for k in kind)
        raise DataError(f'{where}: "{key}" should be {wanted}, not {value!r}')
    return value
