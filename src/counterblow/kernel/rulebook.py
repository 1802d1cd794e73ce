"""The rule index of a game, and what cites it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from counterblow.kernel.errors import DataError, unknown


class Citation(NamedTuple):
    """A rule and what it says about the case at hand."""

    rule: str
    text: str

    def __str__(self) -> str:
        return f"{self.text} (rule {self.rule})"


def refuse(rule: str, text: str) -> Citation:
    """Reads well at the place where a rule forbids something."""
    return tuple.__new__(Citation, (rule, text))  # Citation(rule, text) in half the time: many are made and dropped


def refuse_if(barred: object, rule: str, text: str) -> Citation | None:
    """A line in a table of reasons, the first of which counts: ``refuse_if(...) or refuse_if(...)``."""
    return refuse(rule, text) if barred else None


def cited_as(reason: Citation | None, rule: str, instead: str) -> Citation | None:
    """A reason; if it is this rule's, cited as another's, which says the same of a case of its own."""
    return refuse(instead, reason.text) if reason is not None and reason.rule == rule else reason


@dataclass(frozen=True)
class Rule:
    """One entry of a game's rule index, in our own words."""

    id: str
    title: str
    text: str
    kind: str  # core, optional, component or note
    see: str = ""  # the ruling that settles how we read it


class RuleIndex(Mapping[str, Rule]):
    """All rules of a game, by id, in the order of the rulebook."""

    def __init__(self, table: dict[str, Any], where: str) -> None:
        self._rules: dict[str, Rule] = {}
        for number, entry in enumerate(table.get("rule", []), 1):
            missing = [key for key in ("id", "title", "text", "kind") if key not in entry]
            if missing:
                raise DataError(f"{where}: rule number {number} lacks {', '.join(missing)}")
            if entry["id"] in self._rules:
                raise DataError(f"{where}: rule {entry['id']} stands twice")
            fields = {key: str(entry.get(key, "")) for key in ("id", "title", "text", "kind", "see")}
            self._rules[entry["id"]] = Rule(**fields)

    def __getitem__(self, rule_id: str) -> Rule:
        try:
            return self._rules[rule_id]
        except KeyError:
            raise KeyError(unknown("rule", rule_id, self._rules)) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._rules)

    def __len__(self) -> int:
        return len(self._rules)
