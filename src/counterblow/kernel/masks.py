"""Sets of units (or nodes) as whole numbers: bit n stands for member n. Small, hashable, and part of a state."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache

from counterblow.kernel.graph import COMPILED, ones


def mask_of(members: Iterable[int]) -> int:
    """The members of a small set as bits of a whole number."""
    mask = 0
    for member in members:
        mask |= 1 << member
    return mask


# for each byte of a short mask: byte value -> its members
_TABLES = tuple(
    tuple(tuple(8 * place + bit for bit in range(8) if byte >> bit & 1) for byte in range(256)) for place in range(8)
)
_SHORT = 1 << 64
_WORDS = COMPILED  # compiled, masks are read in words of 64 bits


def bits(mask: int) -> list[int]:
    """The members of a mask, lowest first: byte by byte in a short or crowded mask, bit by bit in a sparse one."""
    if _WORDS:
        words: list[int] = ones(mask)
        return words
    found: list[int] = []
    if mask < _SHORT:
        for table in _TABLES:
            if not mask:
                break
            found += table[mask & 255]
            mask >>= 8
        return found
    if mask.bit_count() > 6:
        for place, byte in enumerate(mask.to_bytes((mask.bit_length() + 7) // 8, "little")):
            if byte:
                found += _members(place, byte)
        return found
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


@cache
def _members(place: int, byte: int) -> tuple[int, ...]:
    """The members that one byte of a mask stands for."""
    return tuple(8 * place + n for n in range(8) if byte >> n & 1)


def members(mask: int) -> tuple[int, ...]:
    """Like ``bits``; in plain Python remembered: for masks that come again and again."""
    return tuple(ones(mask)) if _WORDS else _remembered(mask)


@lru_cache(maxsize=1 << 16)
def _remembered(mask: int) -> tuple[int, ...]:
    return tuple(bits(mask))
