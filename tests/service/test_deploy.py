"""What deploy/ describes, started without containers: nginx as configured, two app processes, a worker, PostgreSQL.

Where nginx is not installed this is skipped, as the summary of the run says; with COUNTERBLOW_DEPLOY=required (as in
.ci/run) that is an error instead.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from tests.service.processes import ROOT

REQUIRED = os.environ.get("COUNTERBLOW_DEPLOY") == "required"


@pytest.mark.skipif(shutil.which("nginx") is None and not REQUIRED, reason="nginx is not installed")
def test_what_compose_describes_works_and_a_rolling_restart_drops_nothing() -> None:
    run = subprocess.run([sys.executable, str(ROOT / "deploy" / "check.py")], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "a rolling restart dropped none of" in run.stdout
