"""Compiles kernel, computer players and games with mypyc, and the hot paths with Cython, into ``build/compiled``.

``python tools/compile.py [SLUG ...]`` makes a copy of the package there and compiles it in place; with
``PYTHONPATH=build/compiled`` it runs. The sources stay as they are and remain the oracle. Six things are written
differently in the copy, because compiled code cannot do them quickly or at all:

- ``@flow.choice`` and ``@flow.step`` become calls below (compiled classes take no decorators, and a function without
  one is called at once);
- several names set in one line of a class body get a line each, and a tuple its general type; so does a tuple of two
  like things that is an attribute;
- the type of ``game`` in a state class becomes a parameter of its base (a compiled attribute has one type);
- each state class gets a method that copies its fields one by one (it has no ``__dict__`` to copy);
- the arguments of a step are handed over as a tuple instead of with a star, see ``Stars``;
- constants of a module are ``Final``: others are looked up by name whenever they are used.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import re
import shutil
import subprocess
import sys
from array import array
from copy import copy
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "counterblow"
TARGET = ROOT / "build" / "compiled"
BASE = ("game", "scenario", "options", "turn", "stage", "mover", "rng", "dice", "outcome", "_legal", "_kept")
STAMP = "source.sha256"
STATE_OF_ANY = (
    "import State\nS = TypeVar('S', bound='State')",
    "import State\n    from counterblow.kernel.game import Game\nS = TypeVar('S', bound='State[Game]')",
)
MUTABLE = (list, bytearray, array)
CONSTANT = re.compile("_?[A-Z][A-Z0-9_]+")  # how names of constants are written; a single letter is a type's
# Left as they are: what Cython compiles, what runs without a compiler, what only reads data or is on no hot path.
NOT_COMPILED = {
    "__init__.py", "graph.py", "kernel/plain.py", "view.py", "views.py", "position.py", "positions.py",
    "hexes.py", "data.py", "record.py",
}  # fmt: skip

SETUP = """
import sys
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
if sys.platform == "linux":  # calls within the library go straight there, not by way of its table of exports
    for extension in extensions:
        extension.extra_compile_args = [*extension.extra_compile_args, "-fvisibility=hidden"]
        extension.extra_link_args = [*extension.extra_link_args, "-Wl,-Bsymbolic"]
setup(name="counterblow-compiled", packages=[], ext_modules=extensions)
"""


def main() -> None:
    sys.path.insert(0, str(SOURCE.parent))
    package = TARGET / "counterblow"
    shutil.rmtree(TARGET, ignore_errors=True)
    shutil.copytree(SOURCE, package, ignore=shutil.ignore_patterns("*.so", "__pycache__", "*.c"))
    slugs = sys.argv[1:] or sorted(path.name for path in package.glob("games/*") if (path / "game.py").exists())
    folders = (package / "kernel", package / "players", *(package / "games" / slug for slug in slugs))
    modules = [path for folder in folders for path in sorted(folder.glob("*.py"))]
    compiled = [path for path in modules if not {path.name, f"{path.parent.name}/{path.name}"} & NOT_COMPILED]
    rewrite(package, compiled)
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
    sources = [path for folder in ("kernel", "players", "games") for path in (SOURCE / folder).rglob("*.p[yx]*")]
    for path in sorted(path for path in sources if path.suffix in (".py", ".pxd")):
        found.update(path.read_bytes())
    found.update(Path(__file__).read_bytes())
    return found.hexdigest()


def _named(paths: list[Path]) -> list[str]:
    return [str(path.relative_to(TARGET)) for path in paths]


class Stars:
    """Which methods of choices and walks take the arguments of a step with a star, and how they are spelt instead.

    A call with a star goes through Python's general machinery even between compiled functions; a tuple is handed over
    at once. So ``def items(self, s, unit, *args)`` becomes ``def items(self, s, args)`` with ``unit = args[0]``, and
    ``self.items(s, unit, *args)`` becomes ``self.items(s, (unit, *args))``.
    """

    def __init__(self, kernel: list[ast.Module]) -> None:
        self.names = {"Choice", "Walk"}  # of the classes whose methods these are
        self.fixed: dict[str, int] = {}  # method -> how many arguments come before those of the step
        self.know(kernel)
        for node in (node for module in kernel for node in module.body):
            for method in node.body if isinstance(node, ast.ClassDef) and node.name in self.names else ():
                if isinstance(method, ast.FunctionDef) and method.args.vararg:
                    self._less(method.name, len(method.args.args) - 1)
        for call in (node for module in kernel for node in ast.walk(module) if isinstance(node, ast.Call)):
            starred = [number for number, given in enumerate(call.args) if isinstance(given, ast.Starred)]
            if starred and isinstance(call.func, ast.Attribute) and call.func.attr in self.fixed:
                self._less(call.func.attr, starred[0])

    def _less(self, method: str, count: int) -> None:
        """A method or a call of it has no more than so many arguments before the star."""
        self.fixed[method] = min(count, self.fixed.get(method, count))

    def know(self, modules: list[ast.Module]) -> None:
        """Take in the subclasses that are defined there."""
        classes = [node for module in modules for node in module.body if isinstance(node, ast.ClassDef)]
        while found := {node.name for node in classes if self.names & set(_bases(node))} - self.names:
            self.names = self.names | found

    def spell_out(self, method: ast.FunctionDef) -> None:
        """A method takes a tuple, and its body begins by naming what is in it."""
        given, fixed = method.args, self.fixed[method.name] + 1
        defaults = [None] * (len(given.args) - len(given.defaults)) + given.defaults
        lines = []
        for number, (name, default) in enumerate(zip(given.args[fixed:], defaults[fixed:], strict=True)):
            value = f"args[{number}]"
            if default is not None:
                value += f" if len(args) > {number} else {ast.unparse(default)}"
            lines.append(f"{name.arg}: {ast.unparse(name.annotation or ast.Name('Any'))} = {value}")
        if given.vararg and (lines or given.vararg.arg != "args"):
            lines.append(f"{given.vararg.arg} = args[{len(lines)}:]")
        del given.args[fixed:]
        given.args.append(ast.arg("args", ast.parse("tuple[Any, ...]", mode="eval").body))
        given.vararg, given.defaults = None, [ast.Tuple([], ast.Load())]
        after = 1 if ast.get_docstring(method) else 0
        method.body[after:after] = ast.parse("\n".join(lines)).body

    def hand_over(self, call: ast.Call, others: set[str]) -> None:
        """A call of such a method hands over a tuple; calls of others' methods are left alone."""
        if not isinstance(call.func, ast.Attribute):
            return
        whose = ast.unparse(call.func.value)
        if whose in others or whose.endswith("game"):
            return
        fixed = self.fixed.get(call.func.attr, len(call.args))
        given, extra = call.args[:fixed], call.args[fixed:]
        if extra and isinstance(given[0], ast.Name):
            only = extra[0].value if isinstance(extra[0], ast.Starred) and len(extra) == 1 else None
            call.args = [*given, only or ast.Tuple(extra, ast.Load())]


def rewrite(package: Path, compiled: list[Path]) -> None:
    """Rewrite the copy of the package; outside the rules only a call with a star can be one of a choice."""
    read = {path: ast.parse(path.read_text(encoding="utf-8")) for path in package.rglob("*.py")}
    kernel = package / "kernel"
    shared = Stars([module for path, module in read.items() if path.parent == kernel])
    for folder in {path.parent for path in read}:
        inside = {path: module for path, module in read.items() if path.parent == folder}
        stars = copy(shared)
        stars.know([*inside.values()])
        modules = {path.stem for path in read if path.parent in (kernel, folder)}
        rules = folder.name != "players" and any(path in compiled for path in inside)
        for path, module in inside.items():
            for part in module.body:
                alien = isinstance(part, ast.ClassDef) and part.name not in stars.names
                for node in ast.walk(part):
                    if isinstance(node, ast.Call) and (rules or any(isinstance(a, ast.Starred) for a in node.args)):
                        stars.hand_over(node, modules | {"self", "super()"} if alien else modules)
            if path in compiled:
                _rewrite_module(path, module, stars)
            path.write_text(ast.unparse(module).replace(*STATE_OF_ANY) + "\n", encoding="utf-8")


def _rewrite_module(path: Path, module: ast.Module, stars: Stars) -> None:
    body: list[ast.stmt] = []
    for node in module.body:
        body.append(node)
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            body += ast.parse("from typing import Any, Final, Generic, TypeVar").body
        if isinstance(node, ast.Assign | ast.AnnAssign):
            body[-1:] = _final(node)
        if not isinstance(node, ast.ClassDef | ast.FunctionDef):
            continue
        register = [ast.unparse(call) for call in node.decorator_list]
        if register in (["flow.choice"], ["flow.step"]):
            node.decorator_list = []
            body += ast.parse(f"{register[0]}({node.name})").body
        if isinstance(node, ast.ClassDef):
            if any(isinstance(part, ast.AnnAssign) and ast.unparse(part) == "game: Any" for part in node.body):
                body.insert(-1, ast.parse('G = TypeVar("G", bound="Game", covariant=True)').body[0])
            _rewrite_class(path, node, stars)
    module.body = body


def _final(part: ast.Assign | ast.AnnAssign) -> list[ast.stmt]:
    """``FRESH, MOVED = 0, 1`` of a module, as two lines that say that it never changes."""
    if isinstance(part, ast.AnnAssign):
        if part.value is not None and CONSTANT.fullmatch(ast.unparse(part.target)):
            part.annotation = ast.parse(f"Final[{ast.unparse(part.annotation)}]", mode="eval").body
        return [part]
    pairs = _pairs(part)
    if not all(CONSTANT.fullmatch(ast.unparse(name)) for name, _ in pairs):
        return [part]
    lines = [f"{ast.unparse(name)}: {_constant_type(value)} = {ast.unparse(value)}" for name, value in pairs]
    return ast.parse("\n".join(lines)).body


def _constant_type(value: ast.expr) -> str:
    """A tuple of like things is indexed by number: its general type saves copying it for that."""
    parts = value.elts if isinstance(value, ast.Tuple) else []
    kinds = {type(part.value).__name__ if isinstance(part, ast.Constant) else "" for part in parts}
    return f"Final[tuple[{kinds.pop()}, ...]]" if len(kinds) == 1 and kinds != {""} else "Final"


def _rewrite_class(path: Path, node: ast.ClassDef, stars: Stars) -> None:
    body: list[ast.stmt] = []
    for part in node.body:
        if isinstance(part, ast.Assign):
            body += _one_by_one(part, node.name in stars.names or "Judge" in _bases(node))
        elif isinstance(part, ast.AnnAssign) and part.value is None and ast.unparse(part.target) == "game":
            body += _narrow_game(node, part)
        else:
            body.append(part)
        if isinstance(part, ast.FunctionDef) and node.name in stars.names and part.name in stars.fixed:
            stars.spell_out(part)
    node.body = body
    for inner in ast.walk(node):
        if isinstance(inner, ast.AnnAssign) and (inner in node.body or isinstance(inner.target, ast.Attribute)):
            inner.annotation = _of_any_length(inner.annotation)
    if "State" in _bases(node):
        node.body += ast.parse(copying(path, node.name)).body


def _of_any_length(kind: ast.expr) -> ast.expr:
    """``tuple[int, int]`` of an attribute as ``tuple[int, ...]``: a short one would be copied for ``hands[side]``."""
    text = ast.unparse(kind)
    if isinstance(kind, ast.Subscript) and ast.unparse(kind.value) == "tuple" and isinstance(kind.slice, ast.Tuple):
        parts = [ast.unparse(part) for part in kind.slice.elts]
        if len(parts) > 1 and len(set(parts)) == 1:
            text = f"tuple[{parts[0]}, ...]"
    return ast.parse(text, mode="eval").body


def _bases(node: ast.ClassDef) -> list[str]:
    """The names of a class's bases, without their modules and parameters."""
    names = [ast.unparse(base.value if isinstance(base, ast.Subscript) else base) for base in node.bases]
    return [name.rpartition(".")[2] for name in names]


def _one_by_one(part: ast.Assign, general: bool) -> list[ast.stmt]:
    """``kind, passing = "march", "end"`` in a class body, as two lines; tuples may get their general type.

    So does a pick's ``otherwise``: a citation is a tuple too.
    """
    lines = []
    for name, value in _pairs(part):
        kind = ": tuple[Any, ...]" if general and isinstance(value, ast.Tuple) else ""
        if ast.unparse(name) == "otherwise":
            kind = ": Any"
        lines.append(f"{ast.unparse(name)}{kind} = {ast.unparse(value)}")
    return ast.parse("\n".join(lines)).body


def _pairs(part: ast.Assign) -> list[tuple[ast.expr, ast.expr]]:
    """What an assignment sets, name by name."""
    names, values = part.targets, [part.value]
    if isinstance(names[0], ast.Tuple) and isinstance(part.value, ast.Tuple):
        names, values = names[0].elts, part.value.elts
    return list(zip(names, values, strict=True))


def _narrow_game(node: ast.ClassDef, part: ast.AnnAssign) -> list[ast.stmt]:
    """A class whose ``game`` has a type of its own names it as a parameter of its base."""
    game = ast.unparse(part.annotation)
    base = "Generic[G]" if game == "Any" else f'State["{game}"]'
    node.bases = [ast.parse(base, mode="eval").body]
    return ast.parse("game: G").body if game == "Any" else []


def copying(path: Path, name: str) -> str:
    """The method of a state class that makes its copy."""
    slug = path.parent.name
    loaded = importlib.import_module("counterblow").load(slug)
    state = loaded.start()
    fields = state.game.fields
    sliced = {*fields.arrays, *(field for field in fields.derived if isinstance(getattr(state, field), MUTABLE))}
    names = (*BASE, *fields.values, *fields.arrays, *fields.derived)
    body = "\n    ".join(f"new.{field} = self.{field}{'[:]' if field in sliced else ''}" for field in names)
    return f'''
def twin(self) -> "{name}":
    new = {name}()
    {body}
    return new
'''


if __name__ == "__main__":
    main()
