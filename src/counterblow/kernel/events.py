"""What happened: entries of the log, written in a wargamer's words when somebody reads them."""

from __future__ import annotations

import re
from typing import Any

from counterblow.kernel.actions import Vocabulary


class Event:
    """One entry of the log.

    ``sentence`` has blanks like an action's, filled from ``values`` only when the text is asked for.
    ``dice`` are the faces thrown since the entry before. ``only`` is the side that may read it (None: both);
    the others read ``public`` instead, or nothing.
    """

    __slots__ = ("_words", "dice", "kind", "only", "public", "rules", "sentence", "values")

    def __init__(
        self,
        words: Vocabulary,
        kind: str,
        sentence: str,
        rules: tuple[str, ...],
        values: dict[str, Any],
        only: int | None,
        public: str,
        dice: tuple[int, ...] = (),
    ) -> None:
        self._words = words
        self.kind = kind
        self.sentence = sentence
        self.rules = rules
        self.values = values
        self.only = only
        self.public = public
        self.dice = dice

    @property
    def text(self) -> str:
        """What happened, as one who may know everything reads it, with its rules."""
        return self._fill(self.sentence)

    def _fill(self, sentence: str) -> str:
        text = re.sub(r"{(\w+)}", lambda match: self._written(match[1]), sentence)
        return f"{text} ({', '.join(self.rules)})" if self.rules else text

    def _written(self, blank: str) -> str:
        value = self.values[blank]
        if isinstance(value, str):
            return value
        return self._words.name(blank.rstrip("0123456789"), value)

    def seen_by(self, side: int | None) -> str | None:
        """The text that a side may read (None for a spectator), or None if it may read nothing."""
        if self.only is None or self.only == side:
            return self.text
        return self._fill(self.public) if self.public else None

    @property
    def units(self) -> tuple[int, ...]:
        """The units that the entry speaks of."""
        return self._named("unit", "units")

    @property
    def path(self) -> tuple[int, ...]:
        """The way that its units took, where the game tells it: a value ``path``, in the sentence or not."""
        way: tuple[int, ...] = self.values.get("path", ())
        return way

    @property
    def nodes(self) -> tuple[int, ...]:
        """The hexes that the entry speaks of, for lighting them."""
        return self._named("hex", "hexs", "path", "place", "places")

    def _named(self, *blanks: str) -> tuple[int, ...]:
        found: list[int] = []
        for blank, value in self.values.items():
            if blank.rstrip("0123456789") in blanks:
                found.extend(value if isinstance(value, tuple) else (value,))
        return tuple(found)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Event({self.kind!r}, {self.text!r})"
