"""The host: makes matches, from nothing or from a record, and seats those who come."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from counterblow import players
from counterblow.kernel.errors import CounterblowError, PositionError, RecordError, unknown
from counterblow.kernel.game import Game
from counterblow.kernel.record import check_record, fair_dice, fingerprint
from counterblow.service.errors import Problem, WrongKey
from counterblow.service.live import LiveMatch
from counterblow.service.models import ACTION_LENGTH, ImportedMatch, Join, NewMatch, SeatRequest
from counterblow.service.people import digest
from counterblow.service.showing import summary
from counterblow.service.store import Entry, Seat, Standing, Start
from counterblow.service.table import Table


class Host:
    """Used by one thread at a time, the clerk's."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def create(self, new: NewMatch, made_by: str, most_open: int, tokens: Sequence[str]) -> dict[str, Any]:
        if most_open and self.table.store.open_of(made_by) >= most_open:
            raise Problem(429, f"{most_open} matches made from this address are not finished: finish some first")
        game = self.table.game(new.game)
        account = self.table.account_of(tokens)
        if new.kind == "remote":
            return self._create_remote(game, new, made_by, account)
        for field in ("side", "nonce", "listed", "pace"):
            if getattr(new, field) not in (None, False):
                raise Problem(422, f'"{field}" is for remote matches', field)
        taken, keys = _seat(game, new.seats)
        start = Start(
            _new_id(), game.slug, game.version, new.scenario or game.scenarios[0].name, dict(new.options),
            secrets.randbits(62) if new.seed is None else new.seed, new.seed is not None, new.spectators,
            tuple(replace(seat, account=account) if seat.kind == "person" else seat for seat in taken), made_by=made_by,
        )  # fmt: skip
        return self._add(_begun(start, game), [], keys)

    def _create_remote(self, game: Game, new: NewMatch, made_by: str, account: str | None) -> dict[str, Any]:
        """One seat for who makes the match, an invitation for the other; the dice are nobody's."""
        if new.seed is not None:
            raise Problem(422, "nobody chooses the seed of a remote match", "seed")
        options = {**new.options, **game.apart}  # there is no choice in what would betray a hand
        mine = new.side or secrets.choice(game.sides)
        if mine not in game.sides:
            raise Problem(422, unknown("side", mine, game.sides), "side")
        seats, keys, invitation = [], {}, None
        for side, title in zip(game.sides, game.side_titles, strict=True):
            wanted = new.seats.get(side, SeatRequest())
            if side == mine:
                if wanted.kind == "computer":
                    raise Problem(422, "who makes a remote match takes a seat", f"seats.{side}")
                keys[side] = _new_token()
                name = wanted.name or self.table.name_of(account) or title
                seats.append(Seat(side, "person", None, name, digest(keys[side]), new.nonce or "", account))
            elif wanted.kind == "computer":
                seats.append(_computer(side, wanted))
            else:
                invitation = _new_token()
                seats.append(Seat(side, "open", None, wanted.name or "", None, invitation=digest(invitation)))
        for side in new.seats:
            if side not in game.sides:
                raise Problem(422, unknown("side", side, game.sides), f"seats.{side}")
        start = Start(
            _new_id(), game.slug, game.version, new.scenario or game.scenarios[0].name, options, 0, False,
            new.spectators, tuple(seats), "remote", secrets.token_bytes(32), new.listed and invitation is not None,
            made_by, None if new.pace is None else new.pace.model_dump_json(),
        )  # fmt: skip
        begun = _begun(start, game)  # what is wrong with scenario and options is said now
        if invitation is None:
            return self._add(begun, [], keys)
        standing = Standing(0, 0, "", None, None, "waiting")
        self.table.store.add(start, [], standing)
        return {**self.table.summary(start.id), "tokens": keys, "invitation": invitation}

    def import_record(self, new: ImportedMatch, made_by: str, tokens: Sequence[str]) -> dict[str, Any]:
        """A match from a record, played again action by action: a broken or doctored one is refused."""
        try:
            data = check_record(new.record)
            dice = fair_dice(data)
        except RecordError as error:
            raise Problem(422, str(error), "record") from None
        game = self.table.game(data["game"])
        taken, keys = _seat(game, new.seats)
        if dice is not None:
            if len(dice.nonces) != len(game.sides) or sum(map(len, dice.nonces)) > 1000:
                raise Problem(422, "a nonce for each side, please", "record.fair.nonces")
            nonces = dict(zip(game.sides, dice.nonces, strict=True))
            taken = tuple(replace(seat, nonce=nonces[seat.side]) for seat in taken)
            if data["fair"]["numbers"] and data["fair"]["numbers"][-1] > 2 * len(data["actions"]) + 1000:
                raise Problem(422, "too many numbers are left out", "record.fair.numbers")
        elif not -(2**63) <= data["seed"] < 2**63:
            raise Problem(422, '"seed" is out of range', "record.seed")
        if any(len(action) > ACTION_LENGTH for action in data["actions"]):
            raise Problem(422, f"no action is longer than {ACTION_LENGTH} letters", "record.actions")
        if len(data["actions"]) > game.max_actions:
            raise Problem(422, f"no game of {game.title} has {len(data['actions'])} actions", "record.actions")
        start = Start(
            _new_id(), game.slug, game.version, data["scenario"], data["options"], data.get("seed", 0), True,
            new.spectators, taken, secret=None if dice is None else dice.secret, made_by=made_by,
        )  # fmt: skip
        live, entries = _played(start, game, data)
        return self._add(live, entries, keys)

    def _add(self, live: LiveMatch, entries: Sequence[Entry], keys: dict[str, str]) -> dict[str, Any]:
        self.table.store.add(live.start, [live.first_entry(), *entries], live.standing())
        self.table.afterwards(live)
        return {**self.table.summary(live.start.id), "tokens": keys, "invitation": None}

    def join(self, match: str, wanted: Join, tokens: Sequence[str]) -> dict[str, Any]:
        """Sit down on the seat that waits: with the invitation, or with none where the match is listed for anybody.

        The key of the seat is made here and told to nobody else; with the second nonce the match begins.
        """
        known = self.table.known(match)
        start, account = known.start, self.table.account_of(tokens)
        waiting = next((seat for seat in start.seats if seat.kind == "open"), None)
        if wanted.invitation is None and not start.listed:
            raise Problem(401, "this match needs an invitation", "invitation")
        if waiting is None:
            raise Problem(409, "the seat is taken: an invitation serves once")
        invitation = None if wanted.invitation is None else digest(wanted.invitation)
        if invitation is not None and invitation != waiting.invitation:
            raise WrongKey()
        if account is not None and any(seat.account == account for seat in start.seats):
            raise Problem(409, "this is your own match: the other seat is for somebody else")
        if any(self.table.accounts.apart(account, seat.account) for seat in start.seats):
            raise Problem(403, "one of you has blocked the other")
        game = self.table.game(start.game)
        key = _new_token()
        title = dict(zip(game.sides, game.side_titles, strict=True))[waiting.side]
        name = wanted.name or self.table.name_of(account) or title
        seat = Seat(waiting.side, "person", None, name, digest(key), wanted.nonce or "", account)
        if not self.table.store.take_seat(match, seat, invitation):
            raise Problem(409, "the seat is taken: an invitation serves once")
        start = replace(start, seats=tuple(seat if s.side == seat.side else s for s in start.seats), listed=False)
        live = _begun(start, game)
        self.table.store.begin(match, [live.first_entry()], live.standing())
        self.table.afterwards(live)
        return {**self.table.summary(match), "tokens": {seat.side: key}, "invitation": None}

    def look_at_invitation(self, match: str, invitation: str | None) -> dict[str, Any]:
        """What is offered, before one accepts."""
        known = self.table.known(match)
        waiting = next((seat for seat in known.start.seats if seat.kind == "open"), None)
        if waiting is None:
            raise Problem(409, "the seat is taken: an invitation serves once")
        if not known.start.listed and (invitation is None or digest(invitation) != waiting.invitation):
            raise WrongKey()
        return {**self.table.summary(match), "side": waiting.side}

    def withdraw(self, match: str, tokens: Sequence[str]) -> dict[str, Any]:
        """Take back a match that nobody has joined."""
        known = self.table.known(match)
        if not self.table.holds(known.start, tokens):
            raise Problem(401, "present the token of your seat", "Authorization")
        if known.standing.status != "waiting":
            raise Problem(409, "the match has begun: resign, or offer a draw")
        self.table.store.remove(match)
        return {"removed": match}

    def lobby(self) -> list[dict[str, Any]]:
        return [
            summary(self.table.game(known.start.game), known)
            for known in self.table.store.listed()
            if known.start.game in self.table.slugs()
        ]

    def rematch(self, live: LiveMatch) -> None:
        """The same again with sides swapped, keys and all: who sat here sits there."""
        old, game = live.start, live.game
        seats = []
        for side in game.sides:
            came = old.seat(live.other(side))
            title = game.side_titles[game.side_number(side)]
            was = game.side_titles[game.side_number(came.side)]
            name = title if came.name == was else came.name
            seats.append(replace(came, side=side, name=name, answers=None, clock=None))
        secret = secrets.token_bytes(32) if old.remote else None
        start = replace(
            old, id=_new_id(), rules_version=game.version, seats=tuple(seats), secret=secret, seed_known=False,
            seed=0 if old.remote else secrets.randbits(62), listed=False,
        )  # fmt: skip
        again = _begun(start, game)
        self.table.store.add(start, [again.first_entry()], again.standing())
        self.table.store.set_rematch(old.id, start.id)
        live.rematch = start.id
        self.table.touch(old.id)
        self.table.afterwards(again)


def _begun(start: Start, game: Game) -> LiveMatch:
    try:
        return LiveMatch.begun(start, game)
    except PositionError as error:
        raise Problem(422, str(error), "scenario or options") from None


def _new_id() -> str:
    return secrets.token_urlsafe(9)


def _new_token() -> str:
    return secrets.token_urlsafe(24)


def _computer(side: str, request: SeatRequest) -> Seat:
    player = request.player or "plain"
    try:
        players.make(player)
    except CounterblowError as error:
        raise Problem(422, str(error), f"seats.{side}.player") from None
    return Seat(side, "computer", player, request.name or f"Computer ({player})", None)


def _seat(game: Game, wanted: Mapping[str, SeatRequest]) -> tuple[tuple[Seat, ...], dict[str, str]]:
    """Seats as asked for, a person where nothing was asked, and the tokens of the persons."""
    for side in wanted:
        if side not in game.sides:
            raise Problem(422, unknown("side", side, game.sides), f"seats.{side}")
    seats, tokens = [], {}
    for side, title in zip(game.sides, game.side_titles, strict=True):
        request = wanted.get(side, SeatRequest())
        if request.kind == "computer":
            seats.append(_computer(side, request))
        else:
            tokens[side] = _new_token()
            seats.append(Seat(side, "person", None, request.name or title, digest(tokens[side])))
    return tuple(seats), tokens


def _played(start: Start, game: Game, data: Mapping[str, Any]) -> tuple[LiveMatch, list[Entry]]:
    """A match with a record's actions, which must lead to the recorded end."""
    try:
        live = LiveMatch.begun(start, game)
    except CounterblowError as error:
        raise Problem(422, str(error), "record") from None
    numbers = data["fair"]["numbers"] if "fair" in data else range(1, len(data["actions"]) + 1)
    entries = []
    for place, (text, number) in enumerate(zip(data["actions"], numbers, strict=True), 1):
        try:
            while live.seq + 1 < number:  # what was taken back has left a gap
                entries.append(live.skip())
            entries.append(live.do(str(live.state.parse(text))))
        except CounterblowError as error:
            raise Problem(
                422, f'"actions" number {place} cannot be played: {error}', f"record.actions[{place}]"
            ) from None
    if fingerprint(live.state) != data["fingerprint"]:
        raise Problem(
            422, f'"fingerprint" differs: the actions do not lead to the recorded end (recorded by version '
                 f"{data['rules_version']} of the rules, this program has {game.version})",
            "record.fingerprint")  # fmt: skip
    return live, entries
