"""Chance: one integer generator inside the state. The same seed gives the same game everywhere.

A plain generator is splitmix64: a whole number under 2**64. Between people who do not trust each other dice must not
follow from dice: there the generator is a *keyed* one, set anew before every action by ``FairDice``. It holds a key and
a count, and each number is a hash of both.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from typing import Any

from counterblow.kernel.graph import COMPILED, draw

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
KEYED = 1 << 320  # from here on a generator is keyed: 256 bits of key, then 64 of count
DRAWN = 1 << 31 if COMPILED else 0  # compiled, numbers below this are drawn without Python's long ones


def seeded(seed: int) -> int:
    """A generator's first state; every whole number is a good seed. A keyed generator is one already."""
    return seed if seed >= KEYED else _mix((seed * GOLDEN + 0x632BE59BD9B4E019) & MASK)


def below(generator: int, n: int) -> tuple[int, int]:
    """The generator's next state and a number from 0 to n - 1, each alike (the bias is under 2**-50)."""
    if n < DRAWN and 0 <= generator <= MASK:
        drawn: tuple[int, int] = draw(generator, n)
        return drawn
    if generator >= KEYED:
        key = (generator >> 64 & (1 << 256) - 1).to_bytes(32)
        number = hashlib.blake2b((generator & MASK).to_bytes(8), key=key, digest_size=8).digest()
        return generator + 1, (int.from_bytes(number) * n) >> 64
    generator = (generator + GOLDEN) & MASK
    z = ((generator ^ (generator >> 30)) * 0xBF58476D1CE4E5B9) & MASK  # _mix, spelled out: this is a hot path
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return generator, ((z ^ (z >> 31)) * n) >> 64


def _mix(z: int) -> int:
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


@dataclass(frozen=True)
class FairDice:
    """Dice that nobody chose and anybody can check: from a secret to which the server is bound, and a nonce a side.

    The key of action number ``n`` is HMAC-SHA256(secret, "n:first nonce:second nonce"), nonces in hexadecimal UTF-8.
    Without the secret no throw tells of another; the secret is told when the game is over.
    """

    secret: bytes
    nonces: tuple[str, ...]

    @property
    def commitment(self) -> str:
        """Shown before the first throw; the secret must fit it."""
        return hashlib.sha256(self.secret).hexdigest()

    def to_json(self) -> dict[str, Any]:
        """As data, the secret included: only for a match that is over."""
        return {"commitment": self.commitment, "secret": self.secret.hex(), "nonces": list(self.nonces)}

    def generator(self, number: int) -> int:
        """The generator for action number 1, 2, ...; 0 is the set-up."""
        text = ":".join([str(number), *(nonce.encode().hex() for nonce in self.nonces)])
        key = hmac.digest(self.secret, text.encode(), "sha256")
        return KEYED | int.from_bytes(key) << 64
