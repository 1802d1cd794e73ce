"""Who watches which match live, and how what happens reaches them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

BACKLOG = 400  # messages a slow watcher may fall behind before it is cut off; it then connects again and looks anew


class Watcher:
    """One live connection: a seat's, or a spectator's."""

    def __init__(self, side: str | None) -> None:
        self.side = side
        self.messages: asyncio.Queue[str | None] = asyncio.Queue(BACKLOG)

    def send(self, message: str) -> None:
        try:
            self.messages.put_nowait(message)
        except asyncio.QueueFull:
            self.cut_off()

    def cut_off(self) -> None:
        """Drop what is waiting and end the connection."""
        while not self.messages.empty():
            self.messages.get_nowait()
        self.messages.put_nowait(None)


class Hub:
    def __init__(self) -> None:
        self._watchers: dict[str, set[Watcher]] = {}
        self._told: dict[str, int] = {}  # match -> the number of the entry up to which its watchers know it

    def enter(self, match: str, watcher: Watcher) -> None:
        self._watchers.setdefault(match, set()).add(watcher)

    def leave(self, match: str, watcher: Watcher) -> None:
        watchers = self._watchers.get(match, set())
        watchers.discard(watcher)
        if not watchers:
            self._watchers.pop(match, None)
            self._told.pop(match, None)

    def sides(self, match: str) -> set[str | None]:
        """The points of view from which a match is watched."""
        return {watcher.side for watcher in tuple(self._watchers.get(match, ()))}

    def told(self, match: str, seq: int) -> int:
        """Up to which entry all who watch know a match: at most ``seq``."""
        return min(self._told.get(match, seq), seq)

    def starts_at(self, match: str, seq: int) -> None:
        """Somebody was shown the match as it is after entry ``seq``."""
        self._told[match] = min(self._told.get(match, seq), seq)

    def tell(self, match: str, messages: Mapping[str | None, str], seq: int | None = None) -> None:
        """To everyone what its side may see; with ``seq``, up to which entry they then know it."""
        for watcher in tuple(self._watchers.get(match, ())):
            if watcher.side in messages:
                watcher.send(messages[watcher.side])
        if seq is not None and match in self._watchers:
            self._told[match] = max(self._told.get(match, 0), seq)

    def matches(self) -> list[str]:
        return list(self._watchers)

    def connections(self) -> int:
        return sum(map(len, self._watchers.values()))

    def close(self) -> None:
        for watchers in self._watchers.values():
            for watcher in watchers:
                watcher.cut_off()
