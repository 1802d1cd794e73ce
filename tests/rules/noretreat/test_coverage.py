"""Every rule that the game plays by is proved by a test, and random games keep all invariants."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from counterblow.lab.fuzz import play_checked


def proved() -> set[str]:
    """The rule ids that tests of this folder are marked with."""
    ids: set[str] = set()
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                for mark in node.decorator_list:
                    if isinstance(mark, ast.Call) and isinstance(mark.func, ast.Name) and mark.func.id == "rule":
                        ids.update(str(arg.value) for arg in mark.args if isinstance(arg, ast.Constant))
    return ids


def test_every_rule_is_proved(noretreat: Any) -> None:
    playable = {rule.id for rule in noretreat.rules.values() if rule.kind != "note"}
    assert playable - proved() == set()


def test_only_rules_of_the_index_are_cited(noretreat: Any) -> None:
    assert proved() - set(noretreat.rules) == set()


def test_choices_cite_rules_of_the_index(noretreat: Any) -> None:
    for choice in noretreat.flow.choices.values():
        assert choice.rules, choice.name
        assert all(rule in noretreat.rules for rule in choice.rules), choice.name


OPTIONAL = {
    "detachments": True, "fortified_fronts": True, "local_support": True, "faster_reorganization": True,
    "no_surrender": True, "joker": True, "rezervy": True, "partisans": True, "variable_initiative": True,
    "crt_1to1_3": True, "no_variable_weather": "always", "axis_reactions": "always", "soviet_reactions": "always",
}  # fmt: skip


@pytest.mark.parametrize(
    "scenario", ["A", "B", "C", "D", "E", "F", "campaign", "campaign_B", "campaign_C", "campaign_D"]
)
def test_random_games_keep_all_invariants(noretreat: Any, scenario: str) -> None:
    assert play_checked(noretreat, 11, scenario).result
    assert play_checked(noretreat, 12, scenario, OPTIONAL).result
