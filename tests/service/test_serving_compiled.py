"""The program compiled as a whole serves what its source serves."""

from __future__ import annotations

import hashlib
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tools.compile import ROOT, TARGET

import counterblow
from counterblow.service.app import create_app
from counterblow.service.engine import Settings
from tests.test_compiled import REQUIRED, is_current


def told(slug: str, folder: Path) -> list[str]:
    """What the service tells of a game, and of a match before each of its first actions."""
    with TestClient(create_app(Settings(data_dir=folder, workers=0))) as client:
        found = [client.get(f"/api/games/{slug}").text]
        made = client.post("/api/matches", json={"game": slug, "seed": 5}).json()
        path, tokens, chance = f"/api/matches/{made['id']}", made["tokens"], random.Random(5)
        decider = made["decider"]
        for seq in range(60):
            seat = {"Authorization": f"Bearer {tokens[decider]}"}
            shown: dict[str, Any] = client.get(path, headers=seat).json()
            found.append(json.dumps([shown["view"], shown["log"]]))
            body = {"seq": seq, "action": chance.choice(shown["view"]["legal"])["text"]}
            decider = client.post(f"{path}/actions", headers=seat, json=body).json()["decider"]
    return [hashlib.sha256(text.encode()).hexdigest() for text in found]


@pytest.mark.skipif(not is_current() and not REQUIRED, reason="not compiled, or from another source: make compile")
@pytest.mark.parametrize("slug", counterblow.games())
def test_the_compiled_program_serves_the_same(slug: str, tmp_path: Path) -> None:
    assert is_current(), "build/compiled is of another source: make compile"
    code = (
        "import json, pathlib; from tests.service.test_serving_compiled import told; "
        f"print(json.dumps(told({slug!r}, pathlib.Path({str(tmp_path / 'there')!r}))))"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(TARGET), str(ROOT)])}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert json.loads(run.stdout) == told(slug, tmp_path / "here")
