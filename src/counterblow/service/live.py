"""A match being played, and what each seat may be shown of it.

Everything that leaves goes through ``view`` and ``seen_by``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from counterblow.kernel.actions import Action, Vocabulary
from counterblow.kernel.errors import CounterblowError, RecordError
from counterblow.kernel.events import Event
from counterblow.kernel.game import Game
from counterblow.kernel.record import Match
from counterblow.kernel.state import State
from counterblow.service.errors import Problem
from counterblow.service.store import Row, Seat, Standing, Start
from counterblow.service.story import story


class LiveMatch:
    """The state of a match in memory: always the replay of its log."""

    def __init__(self, start: Start, game: Game, created: str = "", updated: str = "") -> None:
        self.start = start
        self.match = Match(game, start.scenario, start.seed, start.options)
        self.seq = 0
        self.created = created
        self.updated = updated
        self._set_up: list[Event] = list(self.match.state.events)
        self._told: dict[
            str | None, list[list[dict[str, Any]]]
        ] = {}  # viewer -> ply -> entries of the log, written out
        self.actors: list[str] = []

    @classmethod
    def replayed(cls, game: Game, row: Row, entries: Sequence[str | None]) -> LiveMatch:
        """Play a stored match again, under the rules it began with."""
        start = row.start
        if start.rules_version != game.version:
            raise Problem(
                409, f"this match is played by version {start.rules_version} of the rules of {game.title}; "
                     f"this program has version {game.version}", "rules_version")  # fmt: skip
        live = cls(start, game, row.created, row.updated)
        for text in entries:
            try:
                live.undo() if text is None else live.do(text)
            except CounterblowError as error:
                raise RecordError(f"match {start.id}: entry {live.seq + 1} cannot be played: {error}") from error
        return live

    # ------------------------------------------------------------------ changing

    def do(self, action: str) -> list[Event]:
        actor = self.state.actor(action)
        events = self.match.do(action)
        assert actor is not None
        self.actors.append(actor)
        self.seq += 1
        return events

    def undo(self) -> None:
        self.match.undo()
        self.actors.pop()
        self.seq += 1
        for told in self._told.values():
            del told[self.ply + 1 :]

    # ------------------------------------------------------------------ asking

    @property
    def game(self) -> Game:
        return self.match.game

    @property
    def state(self) -> State:
        return self.match.state

    @property
    def ply(self) -> int:
        return len(self.match.actions)

    @property
    def undo_side(self) -> str | None:
        """The side that may take back the last action: the person who did it, before anything else happened."""
        if not self.actors or not self.match.can_undo or self.told_all:
            return None
        return self.actors[-1] if self.seat(self.actors[-1]).kind == "person" else None

    @property
    def told_all(self) -> bool:
        """Has the end of the game opened the record to one of several persons? Then it is final."""
        return self.state.over and sum(seat.kind == "person" for seat in self.start.seats) > 1

    @property
    def thinking(self) -> bool:
        """Is a computer player to decide?"""
        side = self.state.side
        return side is not None and self.seat(side).kind == "computer"

    def seat(self, side: str) -> Seat:
        return next(seat for seat in self.start.seats if seat.side == side)

    def standing(self) -> Standing:
        result = self.state.result
        return Standing(
            self.seq,
            self.ply,
            self.game.views.turn_label(self.state),
            self.state.side,
            result._asdict() if result else None,
        )

    # ------------------------------------------------------------------ showing

    def summary(self) -> dict[str, Any]:
        return summary(self.game, Row(self.start, self.standing(), self.created, self.updated))

    def state_for(self, side: str | None, shown: int | None, since: int, holds: Sequence[str]) -> dict[str, Any]:
        """The match as a seat sees it after ``shown`` actions (None: now), with the log after ply ``since``."""
        if shown is not None and not 0 <= shown <= self.ply:
            raise Problem(422, f"ply should be from 0 to {self.ply}, not {shown}", "ply")
        at = self.ply if shown is None else shown
        state = self.state if at == self.ply else self.match.state_at(at)
        return {
            **self.summary(),
            "viewer": side,
            "shown": at,
            "view": view(state, side),
            "log": self.log(side, since, at),
            "can_undo": side is not None and side == self.undo_side,
            "undo_side": self.undo_side,
            "thinking": self.thinking,
            "record_open": self.record_open(holds),
            **({"story": story(self.match, shown, self._number(side))} if shown else {}),
        }

    def update_for(self, side: str | None, keep: int) -> dict[str, Any]:
        """What changed since ply ``keep``, for a seat."""
        return {
            "type": "update",
            "seq": self.seq,
            "ply": self.ply,
            "keep": keep,
            "events": self.log(side, keep, self.ply),
            "view": view(self.state, side),
            "decider": self.state.side,
            "over": self.state.over,
            "can_undo": side is not None and side == self.undo_side,
            "undo_side": self.undo_side,
            "thinking": self.thinking,
        }

    def log(self, side: str | None, since: int, until: int) -> list[dict[str, Any]]:
        """What a seat may read of the log, after ply ``since`` up to ply ``until``; the set-up stands at ply 0."""
        told = self._told.setdefault(side, [])
        number = self._number(side)
        for ply in range(len(told), until + 1):
            actor = self.actors[ply - 1] if ply else None
            told.append(_entries(self.game, self.match.events[ply - 1] if ply else self._set_up, ply, actor, number))
        return [entry for entries in told[max(since, -1) + 1 : until + 1] for entry in entries]

    def _number(self, side: str | None) -> int | None:
        return None if side is None else self.game.side_number(side)

    def record_open(self, holds: Sequence[str]) -> bool:
        """The record tells the seed, so it is closed while another person plays: who holds these seats may have it."""
        return self.state.over or (bool(holds) and all(s.side in holds for s in self.start.seats if s.kind == "person"))


def summary(game: Game, row: Row) -> dict[str, Any]:
    """A match in a list."""
    start, standing = row.start, row.standing
    titles = dict(zip(game.sides, game.side_titles, strict=True))
    seats = sorted(start.seats, key=lambda seat: game.sides.index(seat.side))
    return {
        "id": start.id,
        "game": start.game,
        "title": game.title,
        "scenario": start.scenario,
        "rules_version": start.rules_version,
        "created": row.created,
        "updated": row.updated,
        "seq": standing.seq,
        "ply": standing.ply,
        "turn_label": standing.turn_label,
        "decider": standing.decider,
        "over": standing.decider is None,
        "result": standing.result,
        "seats": [
            {"side": s.side, "title": titles[s.side], "kind": s.kind, "name": s.name, "player": s.player} for s in seats
        ],
        "spectators": start.spectators,
        "seed_known": start.seed_known,
    }


def view(state: State, side: str | None) -> dict[str, Any]:
    """The kernel's view, its legal actions spelled out for lighting counters and hexes."""
    shown = state.view(side)
    if shown["legal"]:
        words = state.game.act
        shown["legal"] = [_legal(words, action) for action in state.legal()]
    return shown


def _legal(words: Vocabulary, action: Action) -> dict[str, Any]:
    units: list[int] = []
    hexes: list[str] = []
    for blank, value in zip(words.blanks[action.kind], action.args, strict=True):
        numbers = value if isinstance(value, tuple) else (value,)
        if blank in ("unit", "units"):
            units.extend(numbers)
        elif blank in ("hex", "hexs", "path"):
            hexes.extend(words.names["hex"][number] for number in numbers)
    return {
        "kind": action.kind,
        "text": action.text,
        "args": action.args,
        "units": units,
        "hexes": hexes,
        "unit": units[0] if units else None,
        "hex": hexes[-1] if hexes else None,
    }


def _entries(
    game: Game, events: Sequence[Event], ply: int, actor: str | None, side: int | None
) -> list[dict[str, Any]]:
    entries = []
    for event in events:
        text = event.seen_by(side)
        if text is not None:
            told = event.only is None or event.only == side
            hexes = [game.board.labels[node] for node in event.nodes] if told else []
            dice = event.dice if told else ()
            entry = {"ply": ply, "side": actor, "kind": event.kind, "text": text, "rules": list(event.rules)}
            more = {"units": event.units, "result": event.values.get("result")} if told else {}
            entries.append({**entry, "hexes": hexes, "dice": dice, **{name: v for name, v in more.items() if v}})
    return entries
