"""JSON as it goes over the wire."""

from __future__ import annotations

import json
from typing import Any

import orjson


def dump(data: Any) -> str:
    try:
        return orjson.dumps(data, _plain, orjson.OPT_NON_STR_KEYS).decode()
    except orjson.JSONEncodeError:  # a lone surrogate, or a number that is too large for it: an echo of what was asked
        return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _plain(value: Any) -> Any:
    """Named tuples are lists over the wire."""
    if isinstance(value, tuple):
        return tuple(value)
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")


def ready(text: str) -> Any:
    """JSON that is part of something larger."""
    return orjson.Fragment(text)
