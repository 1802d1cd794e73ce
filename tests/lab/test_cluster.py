"""A Ray cluster gives the same bytes. Ray is large and not in the lock: ``make test-large`` installs it."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from counterblow.lab import results
from tests.lab.test_running import written

pytestmark = pytest.mark.skipif(
    find_spec("ray") is None, reason="ray is not installed: 'make test-large' installs it and runs this test"
)


def test_a_local_cluster_gives_the_same_bytes(tmp_path: Path) -> None:
    file = written(tmp_path)
    for name, how in (("here", ["--jobs", "1"]), ("ray", ["--cluster", "local"])):
        command = [
            sys.executable,
            "-m",
            "counterblow.cli",
            "lab",
            "run",
            str(file),
            "--out",
            str(tmp_path / name),
            *how,
        ]
        subprocess.run(command, check=True, capture_output=True, timeout=180)
    for file_name in (results.GAMES, results.TURNS, "report.html"):
        assert (tmp_path / "ray" / file_name).read_bytes() == (tmp_path / "here" / file_name).read_bytes()
