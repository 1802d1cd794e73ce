"""What the players of No Retreat! know."""

from __future__ import annotations

import pytest

import counterblow
from counterblow import players


@pytest.mark.parametrize("seed", [2, 4, 6])
def test_no_army_is_lost_by_overstacking_when_strong_stacks_stand_near(seed: int) -> None:
    """8.4.3: in 1945 a third army in a hex seemed to threaten more than it costs to lose it."""
    state = counterblow.load("noretreat").start("F", seed=seed)
    staff = [players.make("officer", seed=seed) for _ in (0, 1)]
    told = []
    while state.turn == 23 and state.mover == 0 and state.decider is not None:
        told += state.do(staff[state.decider].choose(state, state.decider))
    assert len(told) > 20
    assert not [event for event in told if "8.4.3" in event.rules]
