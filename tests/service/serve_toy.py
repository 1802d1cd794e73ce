"""The service with the toy game as a process of its own: ``serve_toy FOLDER PORT [DATABASE]``."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from counterblow.service.engine import Settings
from counterblow.service.server import LOOPBACK, serve
from tests.service.toy import load_toy


def toys() -> tuple[str, ...]:
    return ("toy",)


if __name__ == "__main__":
    workers = int(os.environ.get("TOY_WORKERS", "1"))
    database = sys.argv[3] if len(sys.argv) > 3 else None
    chosen = Settings(
        data_dir=Path(sys.argv[1]), database=database, hosts=LOOPBACK, workers=workers, load=load_toy, slugs=toys
    )
    serve(chosen, "127.0.0.1", int(sys.argv[2]), open_browser=False)
