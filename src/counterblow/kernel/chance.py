"""Chance: one integer generator inside the state (splitmix64). The same seed gives the same game everywhere."""

from __future__ import annotations

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def seeded(seed: int) -> int:
    """A generator's first state; every whole number is a good seed."""
    return _mix((seed * GOLDEN + 0x632BE59BD9B4E019) & MASK)


def below(generator: int, n: int) -> tuple[int, int]:
    """The generator's next state and a number from 0 to n - 1, each alike (the bias is under 2**-50)."""
    generator = (generator + GOLDEN) & MASK
    z = ((generator ^ (generator >> 30)) * 0xBF58476D1CE4E5B9) & MASK  # _mix, spelled out: this is a hot path
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return generator, ((z ^ (z >> 31)) * n) >> 64


def _mix(z: int) -> int:
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)
