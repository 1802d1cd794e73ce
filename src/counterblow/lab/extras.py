"""Libraries that only some uses need: named with the way to install them when they are missing."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from counterblow.kernel.errors import CounterblowError


def need(module: str, extra: str) -> Any:
    """Import a library of an extra; one sentence instead of a traceback when it is not installed."""
    try:
        return import_module(module)
    except ImportError:
        library = module.partition(".")[0]
        raise CounterblowError(f"{library} is not installed: pip install 'counterblow[{extra}]'") from None
