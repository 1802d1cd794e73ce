"""How much one address may ask for, and how long it waits after wrong keys. Everything here is bounded."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

from counterblow.service.errors import Problem

V = TypeVar("V")
KEPT = 20_000  # addresses remembered; the one that was quiet longest is forgotten first
FIRST_LOCK = 2.0
LONGEST_LOCK = 900.0


@dataclass(frozen=True)
class Limits:
    """What one address may do. 0 means no limit, for a server that only its own machine reaches."""

    requests: float = 0  # a second
    keys: float = 0  # requests a second with the same key, from wherever
    burst: int = 200  # at once, after a pause
    connections: int = 0  # live connections at the same time
    matches: int = 0  # new matches and imports an hour
    open_matches: int = 0  # unfinished ones that it has made
    wrong_keys: int = 12  # until it is locked out of a match, for longer and longer


PUBLIC = Limits(requests=30, keys=20, burst=300, connections=60, matches=120, open_matches=500)


class Recent(Generic[V]):
    """The last so many keys that were looked at, with what is known of them."""

    def __init__(self, new: Callable[[], V], size: int = KEPT) -> None:
        self._new, self._size = new, size
        self._found: OrderedDict[Hashable, V] = OrderedDict()

    def __getitem__(self, key: Hashable) -> V:
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._new()
            if len(self._found) > self._size:
                self._found.popitem(last=False)
        else:
            self._found.move_to_end(key)
        return found

    def __len__(self) -> int:
        return len(self._found)


class Bucket:
    """Fills at a steady rate up to a limit; each request takes one."""

    __slots__ = ("_at", "_left", "_most", "_rate")

    def __init__(self, rate: float, most: float) -> None:
        self._rate, self._most, self._left, self._at = rate, most, most, time.monotonic()

    def wait(self) -> float:
        """Take one: 0, or the seconds until there is one."""
        now = time.monotonic()
        self._left = min(self._most, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return (1 - self._left) / self._rate
        self._left -= 1
        return 0.0


class Tries:
    """Wrong keys of one address at one match."""

    __slots__ = ("until", "wrong")

    def __init__(self) -> None:
        self.wrong, self.until = 0, 0.0


class Gate:
    """The limits at work."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._requests = Recent(lambda: Bucket(limits.requests, limits.burst))
        self._keys = Recent(lambda: Bucket(limits.keys, limits.burst))
        self._matches = Recent(lambda: Bucket(limits.matches / 3600, limits.matches))
        self._tries: Recent[Tries] = Recent(Tries)
        self._connections: dict[str, int] = {}

    def request(self, address: str) -> None:
        if self.limits.requests and (wait := self._requests[address].wait()):
            raise Problem(429, "too many requests from this address: wait a moment", retry_after=math.ceil(wait))

    def key(self, key: str) -> None:
        """A request with the key of a seat or a session."""
        if self.limits.keys and (wait := self._keys[hash(key)].wait()):
            raise Problem(429, "too many requests with this key: wait a moment", retry_after=math.ceil(wait))

    def new_match(self, address: str) -> None:
        if self.limits.matches and (wait := self._matches[address].wait()):
            raise Problem(429, "too many new matches from this address: wait a while", retry_after=math.ceil(wait))

    def connect(self, address: str) -> bool:
        """A live connection begins, if there may be one more."""
        number = self._connections.get(address, 0)
        if self.limits.connections and number >= self.limits.connections:
            return False
        self._connections[address] = number + 1
        return True

    def disconnect(self, address: str) -> None:
        left = self._connections[address] - 1
        if left:
            self._connections[address] = left
        else:
            del self._connections[address]

    def may_try(self, address: str, what: str) -> None:
        """Before keys are looked at: not while this address is locked out."""
        left = self._tries[address, what].until - time.monotonic()
        if left > 0:
            raise Problem(429, "too many wrong keys: wait before you try again", "Authorization", retry_after=left)

    def wrong_key(self, address: str, what: str) -> None:
        tries = self._tries[address, what]
        tries.wrong += 1
        beyond = tries.wrong - self.limits.wrong_keys
        if self.limits.wrong_keys and beyond >= 0:
            tries.until = time.monotonic() + min(LONGEST_LOCK, FIRST_LOCK * 2.0 ** min(beyond, 20))
