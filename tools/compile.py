"""Compiles the kernel and the games with mypyc, and the hot paths with Cython, into ``build/compiled``.

``python tools/compile.py [SLUG ...]`` makes a copy of the package there and compiles it in place; with
``PYTHONPATH=build/compiled`` it runs. The sources stay as they are and remain the oracle. Three things are written
differently in the copy, because a compiled class cannot do them quickly or at all:

- ``@flow.choice`` above a class becomes a call below it (compiled classes take no decorators);
- the narrower type of ``game`` in a state class becomes a parameter of its base (a compiled attribute has one type);
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
# Left as they are: what Cython compiles, what runs without a compiler, and what no hot path calls.
NOT_COMPILED = {
    "__init__.py", "graph.py", "plain.py", "view.py", "views.py", "position.py", "positions.py", "evaluate.py",
    "judge.py",
}  # fmt: skip


def main() -> None:
    sys.path.insert(0, str(SOURCE.parent))
    package = TARGET / "counterblow"
    if package.exists():
        shutil.rmtree(package)
    shutil.copytree(SOURCE, package, ignore=shutil.ignore_patterns("*.so", "__pycache__", "static", "*.c"))
    if (SOURCE / "service" / "static").exists():
        shutil.copytree(SOURCE / "service" / "static", package / "service" / "static")
    chosen = sys.argv[1:] or [path.name for path in package.glob("games/*") if path.is_dir()]
    folders = [package / "kernel", *(package / "games" / slug for slug in chosen)]
    modules = [path for folder in folders for path in sorted(folder.glob("*.py")) if path.name not in NOT_COMPILED]
    for path in modules:
        path.write_text(rewritten(path), encoding="utf-8")
    (TARGET / "setup.py").write_text(SETUP.format(modules=[str(path.relative_to(TARGET)) for path in modules]))
    subprocess.run([sys.executable, "setup.py", "-q", "build_ext", "--inplace"], cwd=TARGET, check=True)


SETUP = """
from Cython.Build import cythonize
from mypyc.build import mypycify
from setuptools import Extension, setup

extensions = mypycify(["--config-file=", "--check-untyped-defs", *{modules!r}], opt_level="3", multi_file=True)
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
    for node in reversed([n for n in ast.parse(text).body if isinstance(n, ast.ClassDef)]):
        assert node.end_lineno is not None
        for decorator in node.decorator_list:
            if ast.unparse(decorator) == "flow.choice":
                lines.insert(node.end_lineno, f"\n\nflow.choice({node.name})")
                lines[decorator.lineno - 1] = ""
        if any(ast.unparse(base) == "State" for base in node.bases):
            lines.insert(node.end_lineno, copying(path, node.name))
        for part in reversed(node.body):
            if isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Tuple):
                _one_by_one(lines, part)
            if isinstance(part, ast.AnnAssign) and part.value is None and ast.unparse(part.target) == "game":
                _narrow_game(lines, node, part)
    return "\n".join(lines) + "\n"


def _one_by_one(lines: list[str], part: ast.Assign) -> None:
    """``kind, passing = "march", "end"`` in a class body, as two lines."""
    assert isinstance(part.targets[0], ast.Tuple)
    assert isinstance(part.value, ast.Tuple)
    assert part.end_lineno == part.lineno
    pairs = zip(part.targets[0].elts, part.value.elts, strict=True)
    lines[part.lineno - 1] = "\n".join(f"    {ast.unparse(name)} = {ast.unparse(value)}" for name, value in pairs)


def _narrow_game(lines: list[str], node: ast.ClassDef, part: ast.AnnAssign) -> None:
    """A class whose ``game`` has a type of its own names it as a parameter of its base."""
    head, game = node.lineno - 1, ast.unparse(part.annotation)
    if game == "Any":
        lines[head] = lines[head].replace(f"class {node.name}:", f"class {node.name}(Generic[G]):")
        lines[part.lineno - 1] = "    game: G"
        lines.insert(head, 'G = TypeVar("G", bound=Any)\n\n')
        lines.insert(head, "from typing import Generic, TypeVar\n")
    else:
        lines[head] = lines[head].replace("(State):", f'(State["{game}"]):')
        lines[part.lineno - 1] = ""


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
