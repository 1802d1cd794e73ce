"""A real server process and a real Chromium. Every page is watched: no error, no breach of the content security policy,
no request that leaves the server's origin.

Where no Chromium is installed these tests are skipped, as the summary of the run says; with
COUNTERBLOW_BROWSER=required (as in .ci/run) that is an error instead.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.browser.table import Table

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CHROMIUM = next(filter(None, map(shutil.which, PROGRAMS)), None)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SERVE = "import sys; from counterblow.service import run; run('127.0.0.1', int(sys.argv[1]), sys.argv[2], False)"

expect.set_options(timeout=30_000)  # a busy machine is no failure

if CHROMIUM is None and os.environ.get("COUNTERBLOW_BROWSER") == "required":
    raise pytest.UsageError(f"the browser tests need one of {', '.join(PROGRAMS)}")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if CHROMIUM is None:
        for item in items:
            if item.path.is_relative_to(Path(__file__).parent):
                item.add_marker(pytest.mark.skip(reason=f"none of {', '.join(PROGRAMS)} is installed"))


class Server:
    """The program as a user starts it, in a process of its own."""

    def __init__(self, data: Path) -> None:
        self.data = data
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        self.process = subprocess.Popen([sys.executable, "-c", SERVE, str(self.port), str(self.data)])
        deadline = time.monotonic() + 60
        while True:
            try:
                urllib.request.urlopen(f"{self.url}/api/games", timeout=60).close()
                return
            except OSError:
                if time.monotonic() > deadline or self.process.poll() is not None:
                    raise
                time.sleep(0.1)

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


@pytest.fixture(scope="session")
def client_built() -> None:
    """The client, built from the sources beside these tests, and axe-core."""
    for task in ((), ("packages",)):
        subprocess.run([sys.executable, str(ROOT / "web" / "build.py"), *task], check=True)


@pytest.fixture(scope="session")
def server(client_built: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("matches"))
    server.start()
    yield server
    server.kill()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


WATCH_POLICY = """
window.breaches = [];
document.addEventListener("securitypolicyviolation", (e) => {
  window.breaches.push(`${e.violatedDirective} ${e.blockedURI}`);
});
"""


@pytest.fixture
def open_page(browser: Browser, server: Server) -> Iterator[Callable[..., Page]]:
    """Makes pages (``width``, ``height``, and what else a browser context takes) and judges them at the end."""
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def page(width: int = 1360, height: int = 860, **more: Any) -> Page:
        context = browser.new_context(
            base_url=server.url, viewport={"width": width, "height": height}, reduced_motion="reduce", **more
        )
        context.add_init_script(WATCH_POLICY)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(30_000)
        page.on("pageerror", lambda error: faults.append(f"page error: {error}"))
        page.on(
            "request",
            lambda request: (
                faults.append(f"left the origin: {request.url}")
                if not request.url.startswith((server.url, "blob:", "data:"))
                else None
            ),
        )
        return page

    yield page
    for context in contexts:
        for shown in context.pages:
            faults += [f"policy breach: {breach}" for breach in shown.evaluate("window.breaches ?? []")]
        context.close()
    assert not faults


@pytest.fixture
def table(open_page: Callable[..., Page]) -> Table:
    """A desktop screen."""
    return Table(open_page())
