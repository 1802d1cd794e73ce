"""What there is to read: the API reference (``make docs``) explains every public name, README leads to all pages."""

from __future__ import annotations

import ast
import pkgutil
import re
from collections.abc import Iterator
from importlib import import_module, util
from pathlib import Path
from typing import Any

import pytest

import counterblow

ROOT = Path(__file__).parents[1]


def modules() -> list[str]:
    """The modules that the Makefile names, packages with all that is in them unless they list what is public."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8").replace("\\\n", " ")
    line = re.search(r"^REFERENCE := (.+)$", makefile, re.MULTILINE)
    assert line is not None
    named = line[1].split()
    found = []
    for name in named:
        if not name.startswith("!"):
            module = import_module(name)
            found.append(name)
            if hasattr(module, "__path__") and not hasattr(module, "__all__"):
                found += [f"{name}.{inner.name}" for inner in pkgutil.iter_modules(module.__path__)]
    return [name for name in dict.fromkeys(found) if f"!{name}" not in named]


def undocumented(name: str) -> Iterator[str]:
    spec = util.find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    folder = Path(spec.origin).parent
    source = next(p for p in (folder / "__init__.py", folder / f"{name.rpartition('.')[2]}.py") if _is(p, spec.origin))
    tree = ast.parse(source.read_text(encoding="utf-8"))
    if not ast.get_docstring(tree):
        yield name
    yield from _within(tree, import_module(name), name)


def _is(path: Path, origin: str) -> bool:
    """Is this the source of what was imported, compiled or not?"""
    return path.is_file() and Path(origin).name.partition(".")[0] == path.stem


def _within(tree: ast.Module | ast.ClassDef, owner: Any, place: str) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            if not ast.get_docstring(node) and not _inherited(owner, node.name):
                yield f"{place}.{node.name}"
            if isinstance(node, ast.ClassDef):
                yield from _within(node, getattr(owner, node.name), f"{place}.{node.name}")


def _inherited(owner: Any, name: str) -> bool:
    """Does a base class say what it is?"""
    return any(hasattr(base, name) for base in getattr(owner, "__mro__", ())[1:])


def test_the_makefile_names_what_is_public() -> None:
    assert {"counterblow", "counterblow.kernel.state", "counterblow.players", "counterblow.envs.zoo"} <= set(modules())
    assert not any("plain" in name or "service" in name for name in modules())


@pytest.mark.parametrize("name", modules())
def test_every_public_name_says_what_it_is(name: str) -> None:
    assert list(undocumented(name)) == []


@pytest.mark.parametrize("name", [name for name in modules() if hasattr(import_module(name), "__all__")])
def test_what_a_package_lists_says_what_it_is(name: str) -> None:
    package = import_module(name)
    listed = [getattr(package, item) for item in package.__all__]
    assert [item.__name__ for item in listed if callable(item) and not item.__doc__] == []


def test_the_readme_leads_to_every_page() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    pages = [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "docs").rglob("*.md"))]
    assert [page for page in pages if f"]({page})" not in readme] == []


@pytest.mark.parametrize(
    "page", ["README.md", "CONTRIBUTING.md", *(f"docs/{p.name}" for p in (ROOT / "docs").glob("*.md"))]
)
def test_links_lead_somewhere(page: str) -> None:
    path = ROOT / page
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", path.read_text(encoding="utf-8"))
    assert [link for link in links if "://" not in link and not (path.parent / link).exists()] == []


def test_the_way_of_an_action_is_as_told() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    files = re.findall(r"[a-z]+/[a-z_]+\.py", page.replace("games/.../", "games/leningrad/"))
    package = ROOT / "src" / "counterblow"
    assert [file for file in files if not list(package.rglob(file)) and not (ROOT / file).exists()] == []
    rows = re.findall(r"^\| `([\w.]+)` \| `([^`]+)` \|", page, re.MULTILINE)
    units = {"I. Korps": "0918", "X. Korps": "1019", "22. Corps": "1018"}
    s = counterblow.load("leningrad").position(phase="german.allocation", units=units, dice=(2,))
    for choice, action in rows:
        assert s.decision.kind == choice
        events = s.do(action)
    assert len(rows) == 6
    assert any(event.dice for event in events)
