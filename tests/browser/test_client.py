"""The client's sources: typed throughout, against the service's own schema."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from counterblow.service.schema import schema_text
from tests.browser.conftest import ROOT

NPM = (sys.executable, str(ROOT / "web" / "build.py"), "npm")


def test_types_are_those_of_the_schema(client_built: None, tmp_path: Path) -> None:
    schema, types = tmp_path / "openapi.json", tmp_path / "schema.d.ts"
    schema.write_text(schema_text(), encoding="utf-8")
    subprocess.run([*NPM, "exec", "--", "openapi-typescript", str(schema), "-o", str(types)], check=True)
    committed = (ROOT / "web" / "src" / "lib" / "schema.d.ts").read_text(encoding="utf-8")
    assert types.read_text(encoding="utf-8") == committed, "the service changed: see web/README.md"


def test_sources_are_typed(client_built: None) -> None:
    checked = subprocess.run([*NPM, "run", "--silent", "check"], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout
