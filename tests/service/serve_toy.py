"""The service with the toy game as a process of its own: ``python -m tests.service.serve_toy FOLDER PORT``."""

from __future__ import annotations

import sys
from pathlib import Path

from counterblow.service.engine import Settings
from counterblow.service.server import LOOPBACK, serve
from tests.service.toy import load_toy


def toys() -> tuple[str, ...]:
    return ("toy",)


if __name__ == "__main__":
    chosen = Settings(data_dir=Path(sys.argv[1]), hosts=LOOPBACK, load=load_toy, slugs=toys)
    serve(chosen, "127.0.0.1", int(sys.argv[2]), open_browser=False)
