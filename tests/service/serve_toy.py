"""The service with the toy game as a process of its own: ``serve_toy FOLDER PORT [DATABASE]``."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

from counterblow.service import computer, workers
from counterblow.service.engine import Settings
from counterblow.service.server import LOOPBACK, serve
from tests.service.toy import load_toy


def toys() -> tuple[str, ...]:
    return ("toy",)


def serve_toy(folder: Path, port: int, database: str | None, workers: int) -> None:
    chosen = Settings(data_dir=folder, database=database, hosts=LOOPBACK, workers=workers, load=load_toy, slugs=toys)
    serve(chosen, "127.0.0.1", port, open_browser=False)


def serve_quietly(folder: Path, port: int, database: str | None) -> None:
    """Without computer players, and without a word."""
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
    serve_toy(folder, port, database, workers=0)


def think_long(*asked: Any) -> computer.Line:
    time.sleep(600)
    return computer.think(*asked)


if __name__ == "__main__":
    if "TOY_THINKS_LONG" in os.environ:
        setattr(workers, "think", think_long)  # noqa: B010
    serve_toy(
        Path(sys.argv[1]),
        int(sys.argv[2]),
        sys.argv[3] if len(sys.argv) > 3 else None,
        int(os.environ.get("TOY_WORKERS", "1")),
    )
