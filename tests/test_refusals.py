"""Refusals are exact: whatever is tried, one rule is named, and what no rule forbids can be done."""

from __future__ import annotations

from itertools import islice

import pytest

import counterblow
from tests.refusals import told, tries


@pytest.mark.parametrize("seed", [5, 6])
@pytest.mark.parametrize("slug", counterblow.games())
def test_one_rule_is_named_and_what_none_forbids_can_be_done(slug: str, seed: int) -> None:
    game = counterblow.load(slug)
    decisions, kinds = set(), set()
    for number, tried in enumerate(islice(tries(game, seed), 250), 1):
        s, action, reasons = tried
        if not reasons:
            assert s.copy().do(action) is not None
            continue
        (reason,) = reasons
        assert action not in s.legal()
        assert reason.rule in game.rules, told(number, tried)
        assert not reason.text.startswith("not now"), told(number, tried)
        assert str(action) in told(number, tried)
        decisions.add(s.decision.kind if s.decision else "")
        kinds.add(action.kind)
    assert len(decisions) > 10
    assert len(kinds) > 25
