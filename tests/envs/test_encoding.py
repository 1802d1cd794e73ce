"""Arrays for research: what they hold, and that nothing hidden is in them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import counterblow
from counterblow import CounterblowError, Game, State
from counterblow.envs import encoding, readers
from counterblow.kernel import chance
from counterblow.players import imagine

CASES = [("leningrad", {}), ("narva", {}), ("narva", {"fog": True}), ("narvik", {}), ("narvik", {"fog": False}),
         ("noretreat", {})]  # fmt: skip


def states(game: Game, options: dict[str, bool], seed: int, every: int) -> Iterator[State]:
    """States of a random game."""
    state, generator, ply = game.start(seed=seed, options=options), chance.seeded(seed), 0
    while not state.over:
        if ply % every == 0:
            yield state
        legal = state.legal()
        generator, index = chance.below(generator, len(legal))
        state.do(legal[index])
        ply += 1
    yield state


@pytest.mark.parametrize(("slug", "options"), CASES)
def test_the_fast_observation_is_that_of_the_view(slug: str, options: dict[str, bool]) -> None:
    game = counterblow.load(slug)
    assert readers.of(game).counters is not None
    space = encoding.space(game)
    for state in states(game, options, 4, 11):
        for side, name in enumerate(game.sides):
            fast, slow = encoding.of_state(state, side), encoding.of_view(game, state.view(name))
            for part, array in fast.items():
                assert array.dtype == slow[part].dtype
                np.testing.assert_array_equal(array, slow[part], f"{slug} {part} {name} {state!r}")
            assert space.contains(fast)


@pytest.mark.parametrize(("slug", "options"), [case for case in CASES if case[0] != "leningrad"])
def test_swapping_what_is_hidden_changes_nothing(slug: str, options: dict[str, bool]) -> None:
    """Deal anew what a side cannot see: its observation is the same, though the state is another."""
    game = counterblow.load(slug)
    changed = 0
    for seed, state in enumerate(states(game, options, 9, 23)):
        for side in (0, 1):
            other = imagine(state, side, seed)
            changed += other.to_data() != {**state.to_data(), "rng": other.rng, "dice": []}
            mine, theirs = encoding.of_state(state, side), encoding.of_state(other, side)
            for part, array in mine.items():
                if part != "globals" or state.decider == side:
                    np.testing.assert_array_equal(array, theirs[part], f"{slug} {part}")
    if game.slug == "noretreat" or options.get("fog", game.slug == "narvik"):
        assert changed > 10  # something was really hidden


def test_a_game_without_a_reader_is_observed_through_its_view(monkeypatch: pytest.MonkeyPatch) -> None:
    game = counterblow.load("leningrad")
    state = game.start(seed=3)
    fast = encoding.of_state(state, 1)
    monkeypatch.setitem(readers.READERS, "leningrad", readers.READERS["leningrad"]._replace(counters=None))
    slow = encoding.of_state(state, 1)
    assert all(np.array_equal(fast[part], slow[part]) for part in fast)


def test_a_row_for_every_option() -> None:
    game = counterblow.load("narva")
    shape = encoding.layout(game)
    for state in states(game, {}, 2, 40):
        legal = state.legal()
        rows = encoding.option_rows(game, legal)
        assert rows.shape == (len(legal), len(encoding.OPTION_COLUMNS))
        for action, row in zip(legal, rows.tolist(), strict=True):
            assert shape.actions[row[0]] == action.kind
            if row[1] >= 0:
                assert shape.units[row[1]] in action.text
            if row[4] >= 0:
                assert shape.nodes[row[4]] in action.text


def test_masks_are_ones_then_zeros_and_never_too_narrow() -> None:
    masks = encoding.Masks(8)
    assert masks.of(3).tolist() == [1, 1, 1, 0, 0, 0, 0, 0]
    assert masks.of(0).sum() == 0
    assert masks.of(8).sum() == 8
    with pytest.raises(ValueError, match="read-only"):
        masks.of(3)[0] = 0
    with pytest.raises(CounterblowError, match="9 legal actions do not fit into a width of 8"):
        masks.of(9)
