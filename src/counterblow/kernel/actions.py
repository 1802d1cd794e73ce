"""Actions, and the words in which they are written.

An action is a small value: a kind and whole-number arguments (units, nodes, cards, counts, or tuples of them).
A game writes each kind as a sentence with blanks, ``"move {unit} {hex}"``; the same sentence prints an action
and reads it back. Actions are made once and reused: ``game.act["move"][unit, node]``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from counterblow.kernel.errors import CounterblowError, unknown
from counterblow.kernel.rulebook import Citation

Argument = int | tuple[int, ...]


class Action(NamedTuple):
    """Something that a player can do: a kind, its numbers, and the sentence that says it. Equal by value, hashable."""

    kind: str
    args: tuple[Any, ...]  # whole numbers, or tuples of them
    text: str

    def __str__(self) -> str:
        return self.text

    def to_json(self) -> dict[str, Any]:
        """As data; ``state.parse(text)`` is the way back."""
        return {"kind": self.kind, "args": self.args, "text": self.text}


class IllegalAction(CounterblowError):
    """The action is not legal now. ``citations`` tells why; nothing was changed."""

    def __init__(self, text: str, citations: Sequence[Citation]) -> None:
        self.citations = list(citations)
        reasons = "; ".join(str(citation) for citation in citations)
        super().__init__(f"{text}: {reasons}" if reasons else text)


class UnreadableAction(CounterblowError):
    """The text is no action of this game; the message says which word is not understood."""


class ActionTable(dict[Any, Action]):
    """All actions of one kind made so far: ``table[unit, node]``."""

    def __init__(self, words: Vocabulary, kind: str) -> None:
        super().__init__()
        self.words = words
        self.kind = kind
        self._rows: dict[int, ActionRow] = {}

    def numbered(self) -> list[Action]:
        """All actions of a kind whose one blank is filled from a list of names, by number; of another kind none."""
        blanks = self.words.blanks[self.kind]
        names = self.words.names.get(blanks[0], ()) if len(blanks) == 1 else ()
        return [self[number] for number in range(len(names))]

    def row(self, first: int) -> ActionRow:
        """Its actions that begin with this, by what comes second: ``table.row(unit)[node]`` makes no tuple."""
        row = self._rows.get(first)
        if row is None:
            row = self._rows[first] = ActionRow(self, first)
        return row

    def __missing__(self, key: Any) -> Action:
        action = self[key] = self.made(key)
        return action

    def made(self, key: Any) -> Action:
        """An action that is not kept: somebody only asks about it."""
        args = key if isinstance(key, tuple) else (key,)
        if len(args) != len(self.words.blanks[self.kind]):
            raise TypeError(f"{self.kind} takes {self.words.blanks[self.kind]}, not {args}")
        return Action(self.kind, args, self.words.write(self.kind, args))


class ActionRow(dict[int, Action]):
    """A row of an ``ActionTable``."""

    def __init__(self, table: ActionTable, first: int) -> None:
        super().__init__()
        self.table = table
        self.first = first

    def __missing__(self, second: int) -> Action:
        action = self[second] = self.table[self.first, second]
        return action


class Vocabulary(dict[str, ActionTable]):
    """The sentences of a game's actions, and by kind the actions made so far.

    ``sentences`` maps a kind to its sentence. A blank is named after what it holds; a number may follow to tell two
    blanks apart ({hex1} {hex2}). Known blanks: {n} a whole number; each name list given (unit, hex, card, ...);
    the plural of a name list ({units}): several names joined by " + "; {path}: hexes joined by "-".
    An empty tuple is written "none".
    """

    def __init__(self, sentences: Mapping[str, str], names: Mapping[str, Sequence[str]]) -> None:
        self.sentences = dict(sentences)
        self.names = {kind: tuple(listed) for kind, listed in names.items()}
        self._index = {kind: {n.casefold(): i for i, n in reversed(list(enumerate(listed)))}
                       for kind, listed in self.names.items()}  # fmt: skip
        self.blanks = {kind: tuple(re.findall(r"{(\w+?)\d*}", text)) for kind, text in self.sentences.items()}
        self._between = {kind: re.split(r"{\w+}", text) for kind, text in self.sentences.items()}
        super().__init__((kind, ActionTable(self, kind)) for kind in self.sentences)
        self._patterns: dict[str, re.Pattern[str]] = {}
        for kind, blanks in self.blanks.items():
            for blank in blanks:
                if self._base(blank) is None:
                    raise ValueError(f"{kind}: nothing is known of {{{blank}}}")

    def _base(self, blank: str) -> str | None:
        """The name list that a blank draws on."""
        if blank in self.names or blank == "n":
            return blank
        if blank == "path":
            return "hex"
        return blank[:-1] if blank.endswith("s") and blank[:-1] in self.names else None

    # printing

    def name(self, blank: str, value: Argument) -> str:
        """How a value is written in a blank of this kind."""
        if isinstance(value, tuple):
            base = self._base(blank) or "n"
            joint = "-" if blank == "path" else " + "
            return joint.join(self.name(base, v) for v in value) or "none"
        return str(value) if blank == "n" else self.names[blank][value]

    def write(self, kind: str, args: tuple[Argument, ...]) -> str:
        """The sentence of an action of a kind."""
        text, *rest = self._between[kind]
        for blank, value, words in zip(self.blanks[kind], args, rest, strict=True):
            text += self.name(blank, value) + words
        return text

    # reading

    def read(self, text: str) -> Action:
        """The action that a sentence says; UnreadableAction tells what was not understood."""
        wanted = " ".join(text.split())
        for kind in self.sentences:
            match = self._pattern(kind).fullmatch(wanted)
            if match:
                args = [self._value(b, match[f"b{i}"]) for i, b in enumerate(self.blanks[kind])]
                key = args[0] if len(args) == 1 and not isinstance(args[0], tuple) else tuple(args)
                return self[kind].get(key) or self[kind].made(key)
        raise UnreadableAction(self._complaint(wanted))

    def _pattern(self, kind: str) -> re.Pattern[str]:
        if kind not in self._patterns:
            parts = re.split(r"({\w+})", self.sentences[kind])
            blanks = iter(enumerate(self.blanks[kind]))
            regex = ""
            for part in parts:
                if part.startswith("{"):
                    number, blank = next(blanks)
                    regex += f"(?P<b{number}>{self._regex(blank)})"
                else:
                    regex += re.escape(part)
            self._patterns[kind] = re.compile(regex, re.IGNORECASE)
        return self._patterns[kind]

    def _regex(self, blank: str) -> str:
        base = self._base(blank) or blank
        one = r"-?\d+" if base == "n" else "|".join(
            re.escape(n) for n in sorted(self.names[base], key=len, reverse=True) if n)  # fmt: skip
        if blank == base:
            return one
        joint = "-" if blank == "path" else r" ?\+ ?"
        return f"none|(?:{one})(?:{joint}(?:{one}))*"

    def _value(self, blank: str, text: str) -> Argument:
        base = self._base(blank) or blank
        if blank != base:
            if text.casefold() == "none":
                return ()
            joint = "-" if blank == "path" else r" ?\+ ?"
            names = re.findall(f"({self._regex(base)})(?:{joint}|$)", text, re.IGNORECASE)
            return tuple(self._single(base, name) for name in names)
        return self._single(base, text)

    def _single(self, base: str, text: str) -> int:
        if base == "n":
            return int(text)
        found = self._index[base].get(text.casefold())
        if found is None:  # a letter that only looks alike to a pattern: a dotless i
            raise UnreadableAction("cannot read " + unknown(base, text, self.names[base]))
        return found

    def _complaint(self, text: str) -> str:
        """Which part of the text is not understood, and how the sentence should go."""
        openings = {kind: sentence.partition("{")[0].strip() for kind, sentence in self.sentences.items()}
        fitting = [k for k, o in openings.items() if o and text.casefold().startswith(o.casefold())]
        if not fitting:
            return "cannot read " + unknown("action", text, sorted({o.split()[0] for o in openings.values() if o}))
        kind = max(fitting, key=lambda k: len(openings[k]))
        rest = text[len(openings[kind]):].strip()  # fmt: skip
        for blank in self.blanks[kind]:
            base = self._base(blank) or blank
            if not re.search(f"(?:{self._regex(base)})", rest, re.IGNORECASE) and base != "n":
                return f'cannot read "{text}": ' + unknown(base, rest, self.names[base])
        return f'cannot read "{text}": it should be like "{self.sentences[kind]}"'
