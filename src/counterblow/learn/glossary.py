"""The words of a game, each in a sentence or two (``data/glossary.toml``)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from counterblow.kernel.data import need
from counterblow.kernel.errors import DataError, unknown
from counterblow.kernel.game import Game


@dataclass(frozen=True)
class Term:
    """A word of the game, other words for it, and the rules where one reads on."""

    name: str
    text: str
    also: tuple[str, ...]  # other words for it
    ask: tuple[str, ...]  # further words by which players look for it: for the search only
    rules: tuple[str, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """Its name and all other words for it."""
        return (self.name, *self.also, *self.ask)


def glossary(game: Game) -> tuple[Term, ...]:
    """The terms in alphabetical order. What is wrong in the file is said with its place."""
    if not game.data.has("glossary.toml"):
        return ()
    where = game.data.where("glossary.toml")
    terms: dict[str, Term] = {}
    for number, entry in enumerate(game.data.toml("glossary.toml").get("term", []), 1):
        place = f"{where}: term {number}"
        name = need(entry, "name", str, place)
        place = f'{where}: term "{name}"'
        rules = known_rules(game, need(entry, "rules", list, place), place)
        if name.casefold() in terms:
            raise DataError(f"{place} stands twice")
        also, ask = (tuple(map(str, entry.get(key, ()))) for key in ("also", "ask"))
        terms[name.casefold()] = Term(name, need(entry, "text", str, place), also, ask, rules)
    return tuple(terms[key] for key in sorted(terms))


def known_rules(game: Game, ids: Iterable[object], where: str) -> tuple[str, ...]:
    """Rule ids that must exist."""
    found = tuple(map(str, ids))
    for rule in found:
        if rule not in game.rules:
            raise DataError(f"{where}: " + unknown("rule", rule, game.rules))
    return found
