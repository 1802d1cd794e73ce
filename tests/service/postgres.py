"""A real PostgreSQL server for tests, in a folder of its own, reached only by a socket there."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from urllib.parse import quote

import psycopg

TOOLS = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))


def tool(name: str) -> str:
    found = next((str(folder / name) for folder in reversed(TOOLS) if (folder / name).exists()), shutil.which(name))
    if found is None:
        raise FileNotFoundError(f"these tests need a PostgreSQL server: {name} was not found")
    return found


class Server:
    """Started when made; ``kill`` and ``start`` are for tests of what happens then. With a port also reached there."""

    def __init__(self, port: int | None = None) -> None:
        self.port = port
        self.folder = Path(tempfile.mkdtemp(prefix="counterblow-pg-"))
        self._user = None
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            self._user = "postgres"
            account = pwd.getpwnam(self._user)
            os.chown(self.folder, account.pw_uid, account.pw_gid)
        self._run(tool("initdb"), "-D", str(self.folder / "data"), "-U", "postgres", "-A", "trust",
                  "--auth-host=scram-sha-256", "-N")  # fmt: skip
        self._made = 0
        self.start()

    def _run(self, *command: str) -> None:
        subprocess.run(command, user=self._user, cwd=self.folder, check=True, capture_output=True)

    def start(self) -> None:
        command = [
            tool("postgres"), "-D", str(self.folder / "data"), "-k", str(self.folder),
            "-c", "listen_addresses=" + ("127.0.0.1" if self.port else ""), "-p", str(self.port or 5432),
            "-c", "max_connections=60", "-c", "shared_buffers=32MB",
        ]  # fmt: skip
        log = (self.folder / "log").open("ab")
        self._process = subprocess.Popen(command, user=self._user, cwd=self.folder, stdout=log, stderr=log)
        log.close()
        for _ in range(300):
            try:
                psycopg.connect(self.url("postgres"), connect_timeout=2).close()
            except psycopg.OperationalError:
                time.sleep(0.05)
            else:
                return
        raise AssertionError((self.folder / "log").read_text())

    def url(self, database: str) -> str:
        place = quote(str(self.folder), safe="")
        return f"postgresql://postgres@/{database}?host={place}&port={self.port or 5432}"

    def new(self) -> str:
        """The address of a fresh database."""
        self._made += 1
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"create database t{self._made}")
        return self.url(f"t{self._made}")

    def kill(self) -> None:
        """As in a crash: all of its processes at once, without a word."""
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait(20)

    def stop(self) -> None:
        if self._process.poll() is None:
            self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)
