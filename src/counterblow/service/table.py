"""The table: every match of this server, and the only place where one changes.

All methods run in one thread, the engine thread (the boards' scratch space is shared by all matches of a game, and a
database has one writer): each call is whole, so of two actions with the same sequence number exactly one wins.
"""

from __future__ import annotations

import hashlib
import secrets
import sqlite3
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from counterblow import players
from counterblow.kernel.actions import IllegalAction, UnreadableAction
from counterblow.kernel.errors import CounterblowError, PositionError, RecordError, unknown
from counterblow.kernel.game import Game
from counterblow.kernel.record import check_record, fingerprint
from counterblow.kernel.rulebook import Citation
from counterblow.service.errors import Problem, WrongKey
from counterblow.service.live import LiveMatch, summary
from counterblow.service.models import ACTION_LENGTH, SeatRequest
from counterblow.service.store import Seat, Start, Store

LIVE = 64  # matches kept in memory; the others are replayed when asked for
LIVE_PLIES = 8000  # positions kept in memory, about 20 kB each; the match in hand stays whatever its length


class Table:
    def __init__(self, store: Store, load: Callable[[str], Game], slugs: Callable[[], Sequence[str]]) -> None:
        self.store = store
        self._load = load
        self._slugs = slugs
        self._live: OrderedDict[str, LiveMatch] = OrderedDict()

    def game(self, slug: str) -> Game:
        if slug not in self._slugs():
            raise Problem(404, unknown("game", slug, self._slugs()), "game")
        return self._load(slug)

    # ------------------------------------------------------------------ making matches

    def create(
        self,
        slug: str,
        scenario: str | None,
        options: Mapping[str, Any],
        seed: int | None,
        seats: Mapping[str, SeatRequest],
        spectators: bool,
    ) -> dict[str, Any]:
        game = self.game(slug)
        taken, tokens = _seat(game, seats)
        known = seed is not None
        start = Start(
            _new_id(), slug, game.version, scenario or game.scenarios[0].name, dict(options),
            secrets.randbits(62) if seed is None else seed, known, spectators, taken,
        )  # fmt: skip
        try:
            live = LiveMatch(start, game)
        except PositionError as error:
            raise Problem(422, str(error), "scenario or options") from None
        return self._add(live, tokens)

    def import_record(self, record: Any, seats: Mapping[str, SeatRequest], spectators: bool) -> dict[str, Any]:
        """A match from a record, played again action by action: a broken or doctored one is refused."""
        try:
            data = check_record(record)
        except RecordError as error:
            raise Problem(422, str(error), "record") from None
        game = self.game(data["game"])
        taken, tokens = _seat(game, seats)
        if not -(2**63) <= data["seed"] < 2**63:
            raise Problem(422, '"seed" is out of range', "record.seed")
        if any(len(action) > ACTION_LENGTH for action in data["actions"]):
            raise Problem(422, f"no action is longer than {ACTION_LENGTH} letters", "record.actions")
        if len(data["actions"]) > game.max_actions:
            raise Problem(422, f"no game of {game.title} has {len(data['actions'])} actions", "record.actions")
        start = Start(
            _new_id(), game.slug, game.version, data["scenario"], data["options"], data["seed"], True, spectators, taken
        )
        return self._add(_played(start, game, data), tokens)

    def _add(self, live: LiveMatch, tokens: dict[str, str]) -> dict[str, Any]:
        self.store.add(live.start, [str(action) for action in live.match.actions], live.standing())
        row = self.store.get(live.start.id)
        assert row is not None
        live.created, live.updated = row.created, row.updated
        self._keep(live)
        return {**live.summary(), "tokens": tokens}

    # ------------------------------------------------------------------ finding matches

    def live(self, match: str) -> LiveMatch:
        """A match, from memory or by replaying its log."""
        found = self._live.get(match)
        if found is None:
            row = self.store.get(match)
            if row is None:
                raise Problem(404, "there is no such match", "id")
            found = LiveMatch.replayed(self.game(row.start.game), row, self.store.entries(match))
        self._keep(found)
        return found

    def _keep(self, live: LiveMatch) -> None:
        self._live[live.start.id] = live
        self._live.move_to_end(live.start.id)
        while len(self._live) > 1 and (
            len(self._live) > LIVE or sum(match.ply for match in self._live.values()) > LIVE_PLIES
        ):
            self._live.popitem(last=False)

    def mine(self, tokens: Sequence[str]) -> list[dict[str, Any]]:
        found = self.store.of_secrets([digest(token) for token in dict.fromkeys(tokens)])
        return [
            {**summary(self._load(row.start.game), row), "sides": sides}
            for row, sides in found
            if row.start.game in self._slugs()
        ]

    def waiting_for_computer(self) -> list[str]:
        return self.store.waiting_for_computer()

    # ------------------------------------------------------------------ who asks

    def enter(self, match: str, tokens: Sequence[str]) -> tuple[LiveMatch, str | None, list[str]]:
        """A match, the seat that looks by the first token (None: a spectator) and all seats that the tokens give.

        The tokens are looked at before anything is replayed.
        """
        found = self._live.get(match)
        start = self._start(match) if found is None else found.start
        held = holds(start, tokens)
        if not held and not start.spectators:
            raise Problem(
                401, "this match is open only to those who hold a seat: present a seat's token", "Authorization"
            )
        return self.live(match), held[0] if held else None, held

    def _start(self, match: str) -> Start:
        row = self.store.get(match)
        if row is None:
            raise Problem(404, "there is no such match", "id")
        return row.start

    def _seated(self, match: str, tokens: Sequence[str]) -> tuple[LiveMatch, str]:
        live, side, _ = self.enter(match, tokens)
        if side is None:
            raise Problem(401, "present the token of your seat", "Authorization")
        return live, side

    # ------------------------------------------------------------------ looking

    def state(self, match: str, tokens: Sequence[str], ply: int | None, since: int) -> dict[str, Any]:
        live, side, held = self.enter(match, tokens)
        return live.state_for(side, ply, since, held)

    def log(self, match: str, tokens: Sequence[str], since: int) -> dict[str, Any]:
        live, side, _ = self.enter(match, tokens)
        return {"seq": live.seq, "ply": live.ply, "entries": live.log(side, since, live.ply)}

    def record(self, match: str, tokens: Sequence[str]) -> dict[str, Any]:
        live, _, held = self.enter(match, tokens)
        if not live.record_open(held):
            raise Problem(
                403, "the record tells the seed and all that is hidden: it opens when the game is over, or to who "
                     "holds the seats of all persons", "Authorization")  # fmt: skip
        return live.match.to_record()

    def why(self, match: str, tokens: Sequence[str], action: str) -> dict[str, Any]:
        live, side = self._seated(match, tokens)
        refusal = None if live.state.over else _not_yours(live, side, action)
        citations = [Citation("", refusal)] if refusal else live.state.why_not(_readable(live, action))
        return {"legal": not citations, "citations": [citation._asdict() for citation in citations]}

    def forecast(self, match: str, tokens: Sequence[str], action: str) -> dict[str, Any]:
        live, side = self._seated(match, tokens)
        self._deciding(live, side)
        try:
            found = live.state.forecast(_readable(live, action))
        except IllegalAction as error:
            raise _illegal(error, "action") from None
        return {"forecast": None if found is None else found.to_json()}

    def overlay(
        self, match: str, tokens: Sequence[str], kind: str, side: str | None, unit: int | None
    ) -> dict[str, Any]:
        live, viewer, _ = self.enter(match, tokens)
        game = live.game
        if kind not in game.overlays:
            raise Problem(404, unknown("overlay", kind, game.overlays), "kind")
        if side is not None and side not in game.sides:
            raise Problem(422, unknown("side", side, game.sides), "side")
        if unit is not None and not 0 <= unit < len(game.unit_names):
            raise Problem(422, f"there is no unit number {unit}", "unit")
        number = None if viewer is None else game.side_number(viewer)
        if unit is not None and not live.state.sees(number, unit):
            raise Problem(403, "that unit cannot be seen from this seat", "unit")
        of = number or 0 if side is None else game.side_number(side)
        return {"kind": kind, "title": game.overlays[kind], **game.views.overlay(live.state, kind, of, unit, number)}

    # ------------------------------------------------------------------ changing

    def do(
        self, match: str, tokens: Sequence[str], seq: int, actions: Sequence[str], where: Callable[[int], str]
    ) -> tuple[LiveMatch, int]:
        """Actions of a person, all or none: by the seat whose they are, on the state it was shown, and legal.

        The answer has the ply from which the match changed.
        """
        live, side = self._seated(match, tokens)
        before = live.ply
        if not _at_any_time(live, actions[0]):
            self._fresh(live, seq)
        written: list[str] = []
        try:
            for number, action in enumerate(actions, 1):
                written.append(self._do(live, side, action, where(number)))
        except BaseException:
            if written:
                self.forget(match)  # what was played of it is only in memory
            raise
        self._write(live, written)
        return live, before

    def _do(self, live: LiveMatch, side: str, action: str, where: str) -> str:
        if live.state.over:
            raise Problem(409, "the game is over", where)
        if refusal := _not_yours(live, side, action):
            raise Problem(403, refusal, where)
        try:
            read = str(live.state.parse(action))
            live.do(read)
        except UnreadableAction as error:
            raise Problem(422, str(error), where) from None
        except IllegalAction as error:
            raise _illegal(error, where) from None
        return read

    def do_computer(self, match: str, seq: int, action: str) -> LiveMatch | None:
        """An action that a computer player chose; None if the match has moved on meanwhile."""
        live = self.live(match)
        side = live.state.side
        if live.seq != seq or side is None or not live.thinking:
            return None
        self._write(live, [self._do(live, side, action, "action")])
        return live

    def undo(self, match: str, tokens: Sequence[str], seq: int) -> tuple[LiveMatch, int]:
        live, side = self._seated(match, tokens)
        self._fresh(live, seq)
        if not live.match.actions:
            raise Problem(409, "nothing to undo: this is the start")
        if live.actors[-1] != side:
            raise Problem(403, f"the last action was {live.actors[-1]}'s: only who did it can take it back")
        if live.told_all:
            raise Problem(409, "cannot undo: the game is over and its record is open")
        if not live.match.can_undo:
            raise Problem(409, "cannot undo: chance has spoken, or something hidden was shown")
        live.undo()
        self._write(live, [None])
        return live, live.ply

    def _write(self, live: LiveMatch, entries: Sequence[str | None]) -> None:
        """Log what was done; if that fails it has not happened, and the match is read from the log again."""
        try:
            live.updated = self.store.append(live.start.id, entries, live.standing())
        except BaseException as error:
            self.forget(live.start.id)
            if isinstance(error, sqlite3.IntegrityError):
                raise Problem(409, "the match has moved on meanwhile: look again", "seq") from None
            raise

    def forget(self, match: str) -> None:
        """Drop what is in memory of a match: it will be read from its log."""
        self._live.pop(match, None)

    @staticmethod
    def _fresh(live: LiveMatch, seq: int) -> None:
        if seq != live.seq:
            raise Problem(409, f"the match has moved on: it is at {live.seq}, not {seq}: look again", "seq")

    @staticmethod
    def _deciding(live: LiveMatch, side: str) -> None:
        if live.state.over:
            raise Problem(409, "the game is over")
        if side != live.state.side:
            raise Problem(403, f"not your decision: {live.state.side} decides now")


def holds(start: Start, tokens: Sequence[str]) -> list[str]:
    """The seats of a match that the tokens give; a token that is none of its own is refused."""
    seats = {seat.secret: seat.side for seat in start.seats if seat.secret is not None}
    held = []
    for token in tokens:
        side = seats.get(digest(token))
        if side is None:
            raise WrongKey()
        held.append(side)
    return held


def digest(token: str) -> bytes:
    """Tokens are long and random, so a plain digest keeps them."""
    return hashlib.sha256(token.encode()).digest()


def _new_id() -> str:
    return secrets.token_urlsafe(9)


def _seat(game: Game, wanted: Mapping[str, SeatRequest]) -> tuple[tuple[Seat, ...], dict[str, str]]:
    """Seats as asked for, a person where nothing was asked, and the tokens of the persons."""
    for side in wanted:
        if side not in game.sides:
            raise Problem(422, unknown("side", side, game.sides), f"seats.{side}")
    seats, tokens = [], {}
    for side, title in zip(game.sides, game.side_titles, strict=True):
        request = wanted.get(side, SeatRequest())
        if request.kind == "computer":
            player = request.player or "plain"
            if player not in players.names():
                raise Problem(422, unknown("computer player", player, players.names()), f"seats.{side}.player")
            seats.append(Seat(side, "computer", player, request.name or f"Computer ({player})", None))
        else:
            tokens[side] = secrets.token_urlsafe(24)
            seats.append(Seat(side, "person", None, request.name or title, digest(tokens[side])))
    return tuple(seats), tokens


def _played(start: Start, game: Game, data: Mapping[str, Any]) -> LiveMatch:
    """A match with a record's actions, which must lead to the recorded end."""
    try:
        live = LiveMatch(start, game)
    except CounterblowError as error:
        raise Problem(422, str(error), "record") from None
    for number, text in enumerate(data["actions"], 1):
        try:
            live.do(text)
        except CounterblowError as error:
            raise Problem(
                422, f'"actions" number {number} cannot be played: {error}', f"record.actions[{number}]"
            ) from None
    if fingerprint(live.state) != data["fingerprint"]:
        raise Problem(
            422, f'"fingerprint" differs: the actions do not lead to the recorded end (recorded by version '
                 f"{data['rules_version']} of the rules, this program has {game.version})",
            "record.fingerprint")  # fmt: skip
    return live


def _not_yours(live: LiveMatch, side: str, action: str) -> str | None:
    """Why a seat may not act so; None if the action is its own. What cannot be read is who decides' affair."""
    decider = live.state.side
    try:
        actor = live.state.actor(action)
    except UnreadableAction:
        actor = decider
    if actor == side:
        return None
    return f"not your decision: {decider} decides now" if actor == decider else f"only {actor} can do that"


def _at_any_time(live: LiveMatch, action: str) -> bool:
    """Is this a right, which does not depend on the position and need not wait until the other side pauses?"""
    try:
        return live.state.at_any_time(live.state.parse(action))
    except UnreadableAction:
        return False


def _readable(live: LiveMatch, action: str) -> Any:
    try:
        return live.state.parse(action)
    except UnreadableAction as error:
        raise Problem(422, str(error), "action") from None


def _illegal(error: IllegalAction, where: str) -> Problem:
    return Problem(422, str(error), where, error.citations)
