"""Every rule that a game plays by is cited where it lives and proved by a test."""

from __future__ import annotations

from pathlib import Path

import pytest

import counterblow
from tests.rules.index import ID, RULE_TESTS, cited, index, marked


@pytest.mark.parametrize("slug", counterblow.games())
def test_every_rule_has_its_place_and_its_test(slug: str) -> None:
    entries = index(slug, marked(RULE_TESTS / slug))
    assert [(entry.rule.id, *entry.faults) for entry in entries if entry.faults] == []


@pytest.mark.parametrize("slug", counterblow.games())
def test_every_id_can_be_found(slug: str) -> None:
    assert [rule_id for rule_id in counterblow.load(slug).rules if not ID.fullmatch(rule_id)] == []


def test_a_citation_stands_next_to_what_it_rules(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "march.py").write_text(
        '"""Chapter 7 (7.1, 7.9)."""\n\nPACE = 7.5  # 7.2\n\n# ------ 7.1\n\n'
        'class March:\n    def go(self, n: int) -> str:\n        """7.3."""\n'
        '        return f"{n} more" if n else "7.3a"\n',
        encoding="utf-8",
    )
    (tmp_path / "data" / "tables.toml").write_text('pace = 7.6  # 7.4\nrule = "7.7"\n', encoding="utf-8")
    (tmp_path / "data" / "glossary.toml").write_text('rules = ["7.8"]\n', encoding="utf-8")
    ids = ["7.1", "7.2", "7.3", "7.3a", "7.4", "7.5", "7.6", "7.7", "7.8", "7.9"]
    assert cited(tmp_path, ids) == {
        "7.2": ["march.py:3"],
        "7.3": ["march.py:9 March.go"],
        "7.3a": ["march.py:10 March.go"],
        "7.4": ["data/tables.toml:1"],
        "7.7": ["data/tables.toml:2"],
    }


def test_what_is_missing_is_named() -> None:
    entry = next(e for e in index("narvik", {}) if e.rule.kind == "core")
    assert entry.faults == ("no test",)
    assert entry._replace(places=()).faults == ("cited nowhere", "no test")
    assert entry._replace(places=(), tests=("test_x.py::test_y",)).faults == ("cited nowhere",)
    note = next(e for e in index("narvik", {}) if e.rule.kind == "note")
    assert note._replace(places=()).faults == ()
