"""COUNTERBLOW_PLAIN=1 runs everything from Python source even where compiled modules are installed."""

import sys
from importlib.machinery import FileFinder, SourceFileLoader
from pathlib import Path

HERE = str(Path(__file__).parent)


def _source_only(path: str) -> FileFinder:
    if not path.startswith(HERE):
        raise ImportError(path)
    return FileFinder(path, (SourceFileLoader, [".py"]))


sys.path_hooks.insert(0, _source_only)
sys.path_importer_cache.clear()
