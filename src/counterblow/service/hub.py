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

    def enter(self, match: str, watcher: Watcher) -> None:
        self._watchers.setdefault(match, set()).add(watcher)

    def leave(self, match: str, watcher: Watcher) -> None:
        watchers = self._watchers.get(match, set())
        watchers.discard(watcher)
        if not watchers:
            self._watchers.pop(match, None)

    def sides(self, match: str) -> set[str | None]:
        """The points of view from which a match is watched."""
        return {watcher.side for watcher in self._watchers.get(match, ())}

    def tell(self, match: str, messages: Mapping[str | None, str]) -> None:
        """To everyone what its side may see."""
        for watcher in tuple(self._watchers.get(match, ())):
            if watcher.side in messages:
                watcher.send(messages[watcher.side])

    def close(self) -> None:
        for watchers in self._watchers.values():
            for watcher in watchers:
                watcher.cut_off()
