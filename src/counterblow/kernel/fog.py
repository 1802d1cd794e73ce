"""Fog of war: guesses for computer players, who must not peek."""

from __future__ import annotations

from collections.abc import Iterable

from counterblow.kernel.state import State


def exchange(s: State, alike: Iterable[list[int]]) -> dict[int, int]:
    """Let units that a side cannot tell apart change places at random: unit -> who stands there now.

    The caller counts anew (``recount_all``) when he has put their markers right.
    """
    swap: dict[int, int] = {}
    for units in alike:
        others = units[:]
        s.shuffle(others)
        units.sort(key=lambda unit: (s.at[unit], s.here[s.at[unit]].index(unit)))  # by place: who is there is no clue
        swap.update(zip(units, others, strict=True))
    for node in sorted({s.at[unit] for unit in swap}):
        s.here[node] = tuple([swap.get(unit, unit) for unit in s.here[node]])
        for unit in s.here[node]:
            s.at[unit] = node
    return swap
