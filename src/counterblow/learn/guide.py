"""What a newcomer is told (``data/guide.toml``): chapters, the panel before a game, what each phase is for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from counterblow.kernel.data import need
from counterblow.kernel.errors import DataError, unknown
from counterblow.kernel.game import Game


@dataclass(frozen=True)
class Seat:
    """One side in the briefing: who you are and what you want."""

    side: str
    who: str
    want: str


@dataclass(frozen=True)
class Briefing:
    """The panel before a game."""

    story: str
    won: str
    seats: tuple[Seat, ...]


@dataclass(frozen=True)
class Hint:
    """What a phase is for, what one can do in it, what a sensible player looks at. ``side`` None: for both."""

    phase: str
    side: str | None
    purpose: str
    can: tuple[str, ...]
    look: str


@dataclass(frozen=True)
class Guide:
    """What a game tells a beginner: titles of chapters, the briefing, hints for phases."""

    chapters: dict[str, str]
    briefing: Briefing | None
    hints: tuple[Hint, ...]

    def hint(self, phase: str, side: str | None) -> Hint | None:
        """What to tell this side in this phase; for a part of a phase without a hint, what is told of the whole."""
        whole = phase.rpartition(": ")[0]
        fitting = [hint for hint in self.hints if hint.phase in (phase, whole) and hint.side in (None, side)]
        return max(fitting, key=lambda hint: (hint.phase == phase, hint.side is not None), default=None)


def guide(game: Game) -> Guide:
    """What is wrong in the file is said with its place."""
    if not game.data.has("guide.toml"):
        return Guide({}, None, ())
    where = game.data.where("guide.toml")
    table = game.data.toml("guide.toml")
    chapters = {str(key): str(title) for key, title in need(table, "chapters", dict, where).items()}
    return Guide(chapters, _briefing(game, need(table, "briefing", dict, where), where), _hints(game, table, where))


def _briefing(game: Game, table: dict[str, Any], where: str) -> Briefing:
    place = f"{where}: briefing"
    seats = []
    for side in game.sides:
        seat = need(table, side, dict, place)
        seats.append(Seat(side, need(seat, "who", str, f"{place}.{side}"), need(seat, "want", str, f"{place}.{side}")))
    return Briefing(need(table, "story", str, place), need(table, "won", str, place), tuple(seats))


def _hints(game: Game, table: dict[str, Any], where: str) -> tuple[Hint, ...]:
    hints = []
    for number, entry in enumerate(table.get("guide", []), 1):
        place = f"{where}: guide {number}"
        side = entry.get("side")
        if side is not None and side not in game.sides:
            raise DataError(f"{place}: " + unknown("side", side, game.sides))
        can = tuple(map(str, need(entry, "can", list, place)))
        phase, purpose = need(entry, "phase", str, place), need(entry, "for", str, place)
        hints.append(Hint(phase, side, purpose, can, need(entry, "look", str, place)))
    return tuple(hints)
