"""Every choice cites a rule, and random games keep all invariants."""

from __future__ import annotations

from typing import Any

import pytest

from counterblow.lab.fuzz import play_checked


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
