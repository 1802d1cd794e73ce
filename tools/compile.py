"""Compiles the kernel and the games with mypyc, and the hot paths with Cython, into ``build/compiled``.

``python tools/compile.py [SLUG ...]`` makes a copy of the package there and compiles it in place; with
``PYTHONPATH=build/compiled`` it runs. The sources stay as they are and remain the oracle. Four things are written
differently in the copy, because a compiled class cannot do them quickly or at all:

- ``@flow.choice`` and ``@flow.step`` become calls below (compiled classes take no decorators, and a function without
  one is called at once);
- several names set in one line of a class body get a line each;
- the narrower type of ``game`` in a state class becomes a parameter of its base (a compiled attribute has one type);
- each state class gets a method that copies its fields one by one (it has no ``__dict__`` to copy).
"""

from __future__ import annotations

import ast
import hashlib
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
STAMP = "source.sha256"
MUTABLE = (list, bytearray, array)
# Left as they are: what Cython compiles, what runs without a compiler, what only reads data or is on no hot path.
NOT_COMPILED = {
    "__init__.py", "graph.py", "plain.py", "view.py", "views.py", "position.py", "positions.py", "evaluate.py",
    "judge.py", "board.py", "hexes.py", "data.py", "record.py", "components.py",
}  # fmt: skip

SETUP = """
from concurrent.futures import ThreadPoolExecutor

from Cython.Build import cythonize
from distutils.ccompiler import CCompiler
from mypyc.build import mypycify
from setuptools import Extension, setup


def compile_side_by_side(self, sources, output_dir=None, macros=None, include_dirs=None, debug=0,
                         extra_preargs=None, extra_postargs=None, depends=None):
    # As setuptools does it, but on two processors.
    macros, objects, extra, options, build = self._setup_compile(
        output_dir, macros, include_dirs, sources, depends, extra_postargs)
    arguments = self._get_cc_args(options, debug, extra_preargs)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda made: self._compile(made, *build[made], arguments, extra, options), objects))
    return objects


CCompiler.compile = compile_side_by_side
extensions = mypycify(
    ["--config-file=", "--check-untyped-defs", *{read!r}],
    only_compile_paths={compiled!r},
    opt_level="3",
    multi_file=True,
)
extensions += cythonize(
    [Extension("counterblow.kernel.graph", ["counterblow/kernel/graph.py"])],
    compiler_directives={{"language_level": 3, "annotation_typing": False, "boundscheck": False, "wraparound": False,
                         "cdivision": True}},
    quiet=True,
)
setup(name="counterblow-compiled", packages=[], ext_modules=extensions)
"""


def main() -> None:
    sys.path.insert(0, str(SOURCE.parent))
    package = TARGET / "counterblow"
    shutil.rmtree(TARGET, ignore_errors=True)
    shutil.copytree(SOURCE, package, ignore=shutil.ignore_patterns("*.so", "__pycache__", "*.c"))
    slugs = sys.argv[1:] or sorted(path.name for path in package.glob("games/*") if (path / "game.py").exists())
    folders = (package / "kernel", *(package / "games" / slug for slug in slugs))
    modules = [path for folder in folders for path in sorted(folder.glob("*.py"))]
    compiled = [path for path in modules if path.name not in NOT_COMPILED]
    for path in compiled:
        path.write_text(rewritten(path), encoding="utf-8")
    build = SETUP.format(read=_named(modules), compiled=_named(compiled))
    (TARGET / "setup.py").write_text(build, encoding="utf-8")
    command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    (TARGET / STAMP).write_text(stamp(), encoding="utf-8")
    done = subprocess.run(command, cwd=TARGET, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{done.stdout}{done.stderr}\nThe compiler failed; the plain program works without it.")
    print(
        f"Compiled {', '.join(slugs)} into {TARGET.relative_to(ROOT)}: run with PYTHONPATH={TARGET.relative_to(ROOT)}"
    )


def stamp() -> str:
    """Tells one source from another: what is compiled must be that of today."""
    found = hashlib.sha256()
    for path in sorted(path for folder in ("kernel", "games") for path in (SOURCE / folder).rglob("*.py")):
        found.update(path.read_bytes())
    return found.hexdigest()


def _named(paths: list[Path]) -> list[str]:
    return [str(path.relative_to(TARGET)) for path in paths]


def rewritten(path: Path) -> str:
    """A module as it is compiled."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    for node in reversed([n for n in ast.parse(text).body if isinstance(n, ast.ClassDef | ast.FunctionDef)]):
        assert node.end_lineno is not None
        for decorator in node.decorator_list:
            register = ast.unparse(decorator)
            if register in ("flow.choice", "flow.step"):
                lines.insert(node.end_lineno, f"\n\n{register}({node.name})")
                lines[decorator.lineno - 1] = ""
        if isinstance(node, ast.FunctionDef):
            continue
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
