"""Fixtures for all tests, and the tally of rules that passing tests prove (``--rules-report FILE``)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import counterblow
from counterblow import Game

RULE_TESTS = Path(__file__).parent / "rules"


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
    parser.addoption("--rules-report", metavar="FILE", help="write which rules have a passing test")


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
    """Collects the rules of passing and failing tests; under xdist it runs in the controlling process only."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.passed: set[tuple[str, str]] = set()
        self.failed: set[tuple[str, str]] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for name, value in report.user_properties:
            if name == "rules" and isinstance(value, list):
                slug, *ids = value
                if report.failed:
                    self.failed.update((slug, rule_id) for rule_id in ids)
                elif report.when == "call" and report.passed:
                    self.passed.update((slug, rule_id) for rule_id in ids)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        found = {slug: self._coverage(slug) for slug in counterblow.games()}
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        terminalreporter.section("rules with a passing test")
        for slug, tally in found.items():
            terminalreporter.line(f"{slug}: {tally['tested']} of {tally['rules']}")
            if tally["untested"]:
                terminalreporter.line(f"  without: {' '.join(tally['untested'])}")  # type: ignore[arg-type]

    def _coverage(self, slug: str) -> dict[str, int | list[str]]:
        rules = counterblow.load(slug).rules
        proven = {rule_id for game, rule_id in self.passed - self.failed if game == slug}
        return {"rules": len(rules), "tested": len(proven), "untested": [r for r in rules if r not in proven]}


def pytest_configure(config: pytest.Config) -> None:
    file = config.getoption("--rules-report")
    if file and not hasattr(config, "workerinput"):
        config.pluginmanager.register(RulesReport(Path(file)))
