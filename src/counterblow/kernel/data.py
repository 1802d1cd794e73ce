"""Reading a game's data files: TOML beside its rules, or an owner's corrected copy."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar

from counterblow.kernel.errors import DataError, unknown

Record = TypeVar("Record")
KINDS: dict[str, type | tuple[type, ...]] = {
    "int": int, "str": str, "bool": bool, "float": (int, float), "tuple": list, "list": list, "dict": dict,
}  # fmt: skip

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

    def corrected(self, name: str) -> bool:
        """Does the owner's copy say something else than the file shipped?"""
        return self.override is not None and self.text(name) != DataFolder(self.package).text(name)

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


def word(table: dict[str, Any], key: str, known: Sequence[str], where: str) -> int:
    """The number of a word that must be one of some; the error names those that are meant."""
    found: str = need(table, key, str, where)
    if found not in known:
        raise DataError(f"{where}: " + unknown(key, found, known))
    return known.index(found)


def read(record: Callable[..., Record], entry: dict[str, Any], where: str, /, **given: Any) -> Record:
    """A record (a dataclass or NamedTuple) filled from an entry of a file: the keys are its fields.

    What has no default must be there; numbers, texts, truths, lists (read as tuples) and tables must be of the kind
    that the field is declared as, other types are taken as they are. ``given`` are fields that are no keys.
    """
    values = dict(given)
    for name, kind, needed in _fields(record):
        if name not in values and (needed or name in entry):
            value = need(entry, name, kind, where)
            values[name] = tuple(value) if kind is list else value
    return record(**values)


def read_only(record: Callable[..., Record], entry: dict[str, Any], where: str, /, **given: Any) -> Record:
    """Likewise, where any other key is an error."""
    known = [name for name, _, _ in _fields(record) if name not in given]
    for key in entry:
        if key not in known:
            raise DataError(f"{where}: " + unknown("key", key, known))
    return read(record, entry, where, **given)


def read_all(record: Callable[..., Record], entries: Iterable[dict[str, Any]], where: str) -> tuple[Record, ...]:
    """Every row of a list, likewise; the error says which one is wrong."""
    return tuple(read_only(record, entry, f"{where} {number}") for number, entry in enumerate(entries, 1))


def _fields(record: Any) -> list[tuple[str, type | tuple[type, ...], bool]]:
    """The fields of a record: name, what a file may hold for it, and must it be there? In compiled code too."""
    if is_dataclass(record):
        listed = [(f.name, f.type, f.default is MISSING and f.default_factory is MISSING) for f in fields(record)]
    else:
        listed = [(n, record.__annotations__[n], n not in record._field_defaults) for n in record._fields]
    return [(name, _kind(declared), needed) for name, declared, needed in listed]


def _kind(declared: Any) -> type | tuple[type, ...]:
    """What TOML holds for a declared type: a class in compiled code, else its text."""
    text = getattr(declared, "__forward_arg__", declared)
    return KINDS.get(text.__name__ if isinstance(text, type) else str(text).partition("[")[0], object)
