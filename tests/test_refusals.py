"""The sampler of refusals: it draws from every game, over all kinds of decision, and each refusal names one rule."""

from __future__ import annotations

from itertools import islice

import pytest

import counterblow
from tests.refusals import refusals, told


@pytest.mark.parametrize("slug", counterblow.games())
def test_a_drawn_refusal_names_one_rule_and_can_be_judged(slug: str) -> None:
    game = counterblow.load(slug)
    decisions, kinds = set(), set()
    for number, refusal in enumerate(islice(refusals(game, 5), 150), 1):
        (reason,) = refusal.reasons
        assert reason.rule in game.rules, told(number, refusal)
        assert not reason.text.startswith("not now"), told(number, refusal)
        assert str(refusal.action) in told(number, refusal)
        decisions.add(refusal.state.decision.kind if refusal.state.decision else "")
        kinds.add(refusal.action.kind)
    assert len(decisions) > 10
    assert len(kinds) > 25
