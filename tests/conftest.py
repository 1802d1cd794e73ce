"""Fixtures for all tests, and the report of rules with their code and passing tests (``--rules-report FILE``)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import counterblow
from counterblow import Game
from tests.rules.index import RULE_TESTS, Entry, index, table


@pytest.fixture(scope="session")
def leningrad() -> Game:
    return counterblow.load("leningrad")


@pytest.fixture(scope="session")
def narva() -> Game:
    return counterblow.load("narva")


@pytest.fixture(scope="session")
def narvik() -> Game:
    return counterblow.load("narvik")


@pytest.fixture(scope="session")
def noretreat() -> Game:
    return counterblow.load("noretreat")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rules-report", metavar="FILE", help="write where each rule lives and which tests prove it")
    parser.addoption("--tell", action="store_true", help="write anew the marks of what tests of rules tell players")
    parser.addoption("--tell-text", metavar="FOLDER", help="write what tests of rules tell players into a folder")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Note the rules of each test where the report finds them; a test of an unknown rule is a mistake."""
    for item in items:
        ids = [rule_id for marker in item.iter_markers("rule") for rule_id in marker.args]
        if not ids:
            continue
        if not item.path.is_relative_to(RULE_TESTS):
            raise pytest.UsageError(f"{item.nodeid}: rule tests belong under tests/rules/<game>/")
        slug = item.path.relative_to(RULE_TESTS).parts[0]
        known = counterblow.load(slug).rules
        for rule_id in ids:
            if rule_id not in known:
                raise pytest.UsageError(f"{item.nodeid}: {slug} has no rule {rule_id}")
        item.user_properties.append(("rules", [slug, *ids]))


class RulesReport:
    """Rule -> code -> passing tests, as JSON and as a table beside it; what a rule lacks fails the run.

    Under xdist it runs in the controlling process only.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self.passed: dict[str, dict[str, list[str]]] = {}
        self.failed: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.add(report.nodeid)
        elif report.when == "call" and report.passed:
            for name, value in report.user_properties:
                if name == "rules" and isinstance(value, list):
                    slug, *ids = value
                    for rule_id in ids:
                        self.passed.setdefault(slug, {}).setdefault(rule_id, []).append(report.nodeid)

    def entries(self, slug: str) -> list[Entry]:
        proofs = self.passed.get(slug, {})
        return index(slug, {i: [t for t in tests if t not in self.failed] for i, tests in proofs.items()})

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        self.found = {slug: self.entries(slug) for slug in counterblow.games()}
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_text(
            json.dumps({s: _rows(e) for s, e in self.found.items()}, indent=1) + "\n", encoding="utf-8"
        )
        tables = "\n".join(table(slug, entries) for slug, entries in self.found.items())
        self.file.with_suffix(".md").write_text(tables, encoding="utf-8")
        if any(entry.faults for entries in self.found.values() for entry in entries):
            session.exitstatus = session.exitstatus or pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        terminalreporter.section("rule -> code -> test")
        for slug, entries in self.found.items():
            places, tests = sum(bool(e.places) for e in entries), sum(bool(e.tests) for e in entries)
            terminalreporter.line(
                f"{slug}: of {len(entries)} rules {places} cited in the code, {tests} with a passing test"
            )
            for entry in entries:
                for fault in entry.faults:
                    terminalreporter.line(f"  {entry.rule.id} {entry.rule.title}: {fault}")
        terminalreporter.line(f"every rule with its places: {self.file.with_suffix('.md')}")


def _rows(entries: list[Entry]) -> list[dict[str, object]]:
    return [
        {"rule": e.rule.id, "kind": e.rule.kind, "title": e.rule.title, "code": e.places, "tests": e.tests}
        for e in entries
    ]


def pytest_configure(config: pytest.Config) -> None:
    file = config.getoption("--rules-report")
    if file and not hasattr(config, "workerinput"):
        config.pluginmanager.register(RulesReport(Path(file)))
