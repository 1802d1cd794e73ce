"""Errors that say what is wrong, where, and how to mend it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class CounterblowError(Exception):
    """Base of every error that this package raises on purpose."""


class DataError(CounterblowError):
    """A data file (map, units, tables, cards) is wrong; the message names file and field."""


class PositionError(CounterblowError):
    """A position, scenario or option that was asked for cannot be built."""


class RecordError(CounterblowError):
    """A saved match or state cannot be read; the message names the field."""


def unknown(what: str, name: object, known: Iterable[str]) -> str:
    """'unknown unit "9th Amry": did you mean "9th Army"?'"""
    names = [str(k) for k in known]
    close = difflib.get_close_matches(str(name), names, n=3, cutoff=0.5)
    if close:
        hint = "did you mean " + " or ".join(f'"{c}"' for c in close) + "?"
    else:
        hint = "known: " + ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
    return f'unknown {what} "{name}": {hint}'
