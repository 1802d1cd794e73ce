"""Compiles the kernel and the games with mypyc, and the hot paths with Cython, into ``build/compiled``.

``python tools/compile.py`` makes a copy of the package there and compiles it in place; ``PYTHONPATH=build/compiled``
runs it. The sources stay as they are and remain the oracle: a test plays the same games in both. Three things are
written differently in the copy, because a compiled class cannot do them quickly or at all:

- ``@flow.choice`` above a class becomes a call below it (compiled classes take no decorators);
- the narrower type of ``game`` in a subclass is left out (a compiled attribute has one type);
- each state class gets a method that copies its fields one by one (it has no ``__dict__`` to copy).
"""

from __future__ import annotations

import ast
import importlib
import shutil
import subprocess
import sys
from array import array
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "counterblow"
TARGET = ROOT / "build" / "compiled"
BASE = ("game", "scenario", "options", "turn", "stage", "mover", "rng", "dice", "outcome", "_legal", "_kept")
MUTABLE = (list, bytearray, array)
NOT_COMPILED = {"__init__.py", "graph.py", "plain.py", "view.py", "position.py", "evaluate.py", "judge.py"}


def main() -> None:
    sys.path.insert(0, str(SOURCE.parent))
    package = TARGET / "counterblow"
    if package.exists():
        shutil.rmtree(package)
    shutil.copytree(SOURCE, package, ignore=shutil.ignore_patterns("*.so", "__pycache__", "static", "*.c"))
    if (SOURCE / "service" / "static").exists():
        shutil.copytree(SOURCE / "service" / "static", package / "service" / "static")
    modules = [path for path in sorted(package.glob("kernel/*.py")) + sorted(package.glob("games/*/*.py"))
               if path.name not in NOT_COMPILED]  # fmt: skip
    for path in modules:
        path.write_text(rewritten(path), encoding="utf-8")
    (TARGET / "setup.py").write_text(SETUP.format(modules=[str(path.relative_to(TARGET)) for path in modules]))
    subprocess.run([sys.executable, "setup.py", "-q", "build_ext", "--inplace"], cwd=TARGET, check=True)


SETUP = """
from Cython.Build import cythonize
from mypyc.build import mypycify
from setuptools import Extension, setup

extensions = mypycify(["--strict", "--disable-error-code=misc", *{modules!r}], opt_level="3", multi_file=True)
extensions += cythonize(
    [Extension("counterblow.kernel.graph", ["counterblow/kernel/graph.py"])],
    compiler_directives={{"language_level": 3, "annotation_typing": False, "boundscheck": False, "wraparound": False,
                         "cdivision": True}},
)
setup(name="counterblow-compiled", packages=[], ext_modules=extensions)
"""


def rewritten(path: Path) -> str:
    """A module as it is compiled."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    tree = ast.parse(text)
    for node in reversed([n for n in tree.body if isinstance(n, ast.ClassDef)]):
        calls = [ast.unparse(d) for d in node.decorator_list if ast.unparse(d) == "flow.choice"]
        if calls:
            assert node.end_lineno is not None
            lines.insert(node.end_lineno, f"\n\n{calls[0]}({node.name})")
        state = any(ast.unparse(base) == "State" for base in node.bases)
        if state:
            assert node.end_lineno is not None
            lines.insert(node.end_lineno, copying(path, node.name))
        for part in node.body:
            if isinstance(part, ast.AnnAssign) and part.value is None and ast.unparse(part.target) == "game":
                lines[part.lineno - 1] = ""
        for decorator in node.decorator_list:
            if ast.unparse(decorator) == "flow.choice":
                lines[decorator.lineno - 1] = ""
    return "\n".join(lines) + "\n"


def copying(path: Path, name: str) -> str:
    """The method of a state class that makes its copy."""
    slug = path.parent.name
    loaded = importlib.import_module("counterblow").load(slug)
    state = loaded.start()
    fields = state.game.fields
    sliced = {*fields.arrays, *(field for field in fields.derived if isinstance(getattr(state, field), MUTABLE))}
    names = (*BASE, *fields.values, *fields.arrays, *fields.derived)
    body = "\n        ".join(f"new.{field} = self.{field}{'[:]' if field in sliced else ''}" for field in names)
    return f'''
    def twin(self) -> "{name}":
        new = {name}()
        {body}
        return new
'''


if __name__ == "__main__":
    main()
