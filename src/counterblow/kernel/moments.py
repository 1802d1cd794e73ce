"""When each kind of action has its time: what is refused of it at any other, as a game's data/moments.toml says.

```toml
[[moment]]
kinds = ["support"]                 # of action; without: any kind
during = ["combat.Attack"]          # phases, decisions, or what else the game names; without: at any time
outside = ["combat"]                # not while one of these goes on
option = "partisans"                # only in games without this option
rule = "10.5.2.a"
text = "markers are committed when the attack has been put together"
```

The first entry that fits speaks; so what holds for a single decision stands before what holds for a phase.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from counterblow.kernel.data import need
from counterblow.kernel.errors import DataError, unknown
from counterblow.kernel.rulebook import Citation


class Moment(NamedTuple):
    """One entry: what it is about, when it speaks, and what it says."""

    kinds: frozenset[str]
    during: frozenset[str]
    outside: frozenset[str]
    option: str
    says: Citation

    def fits(self, kind: str, scene: Collection[str], options: Mapping[str, Any]) -> bool:
        """Is this the answer to a kind of action, while these things go on?"""
        if (self.kinds and kind not in self.kinds) or (self.option and options[self.option]):
            return False
        return (not self.during or not self.during.isdisjoint(scene)) and self.outside.isdisjoint(scene)


class Moments:
    """All entries of a game, in the order of the file."""

    def __init__(self, entries: Iterable[Moment] = ()) -> None:
        self.entries = tuple(entries)

    def find(self, kind: str, scene: Collection[str], options: Mapping[str, Any]) -> Moment | None:
        """The entry that speaks about a kind of action while these things go on."""
        for moment in self.entries:
            if moment.fits(kind, scene, options):
                return moment
        return None


def read_moments(
    table: dict[str, Any], where: str, kinds: Collection[str], rules: Collection[str], options: Collection[str]
) -> Moments:
    """From data/moments.toml; an error names what is no action, rule or option of the game."""
    return Moments(
        [
            _moment(row, f"{where}: moment number {number}", kinds, rules, options)
            for number, row in enumerate(need(table, "moment", list, where), 1)
        ]
    )


def _moment(
    row: dict[str, Any], where: str, kinds: Collection[str], rules: Collection[str], options: Collection[str]
) -> Moment:
    says = Citation(need(row, "rule", str, where), need(row, "text", str, where))
    about, during, outside = [frozenset(row.get(key, ())) for key in ("kinds", "during", "outside")]
    option = str(row.get("option", ""))
    named = [("kind of action", name, kinds) for name in sorted(about)]
    named += [("rule", says.rule, rules), ("option", option, ("", *options))]
    for what, name, known in named:
        if name not in known:
            raise DataError(f"{where}: {unknown(what, name, list(known))}")
    return Moment(about, during, outside, option, says)
