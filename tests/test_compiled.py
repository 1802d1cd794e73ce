"""The program compiled as a whole (``make compile``) plays the very same games as its source."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys

import pytest
from tools.compile import ROOT, STAMP, TARGET, stamp

import counterblow
from counterblow.kernel.build import COMPILED
from counterblow.lab.simulate import play_random

REQUIRED = os.environ.get("COUNTERBLOW_COMPILED") == "required"
SEEDS = range(100)


def ends(slug: str) -> list[str]:
    """How 100 random games of this process end."""
    game = counterblow.load(slug)
    return [hashlib.sha256(play_random(game, seed)[0].to_json().encode()).hexdigest() for seed in SEEDS]


def is_current() -> bool:
    kept = TARGET / STAMP
    return kept.exists() and kept.read_text() == stamp()


@pytest.mark.skipif(not is_current() and not REQUIRED, reason="not compiled, or from another source: make compile")
@pytest.mark.parametrize("slug", counterblow.games())
def test_the_compiled_program_plays_the_same_games(slug: str) -> None:
    code = (
        "import json; from counterblow.kernel.build import how_built; from tests.test_compiled import ends; "
        f"print(json.dumps([how_built(), ends({slug!r})]))"
    )
    assert is_current(), "build/compiled is of another source: make compile"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(TARGET), str(ROOT)])}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    built, found = json.loads(run.stdout)
    assert built == COMPILED
    assert found == ends(slug)
