"""Sets of units (or nodes) as whole numbers: bit n stands for member n. Small, hashable, and part of a state."""

from __future__ import annotations

from collections.abc import Iterable


def mask_of(members: Iterable[int]) -> int:
    mask = 0
    for member in members:
        mask |= 1 << member
    return mask


def bits(mask: int) -> list[int]:
    """The members of a mask, lowest first."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found
