"""Writes the schema of the web service: ``python -m counterblow.service.schema [file]``."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from counterblow.service.app import create_app


def schema_text() -> str:
    return json.dumps(create_app().openapi(), indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(schema_text(), encoding="utf-8")
    else:
        sys.stdout.write(schema_text())
