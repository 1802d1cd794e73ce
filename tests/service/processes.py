"""The service as a process of its own, for tests of kills, sockets and several servers."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import httpx2

ROOT = Path(__file__).parents[2]


@contextmanager
def server(
    data: Path, port: int, *more: str, environment: Mapping[str, str] | None = None
) -> Iterator[tuple[subprocess.Popen[str], httpx2.Client]]:
    """The service with the toy game, and a client of it."""
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    command = [sys.executable, "-m", "tests.service.serve_toy", str(data), str(port), *more]
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": path} | dict(environment or {}),
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        address = process.stdout.readline().split()[-1]
        with httpx2.Client(base_url=address, timeout=20, trust_env=False) as client:
            yield process, client
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
