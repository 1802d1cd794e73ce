"""The table: every match of this server, and the only place where one changes.

All methods run in one thread, the clerk's (the boards' scratch space is shared by all matches of a game, and a database
has one writer): each call is whole, so of two actions with the same sequence number exactly one wins. What is in memory
is a copy of the log: before it is used it catches up with what other processes have written.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from counterblow import players
from counterblow.kernel.actions import Action, IllegalAction, UnreadableAction
from counterblow.kernel.errors import CounterblowError, PositionError, RecordError, unknown
from counterblow.kernel.game import Game
from counterblow.kernel.record import check_record, fair_dice, fingerprint
from counterblow.kernel.rulebook import Citation
from counterblow.kernel.state import State
from counterblow.service.database import Taken
from counterblow.service.errors import MovedOn, Problem, WrongKey
from counterblow.service.live import LiveMatch, summary
from counterblow.service.models import ACTION_LENGTH, Answers, ImportedMatch, Join, NewMatch, SeatRequest
from counterblow.service.people import People, digest, later
from counterblow.service.store import PERSON, Entry, Known, Offer, Seat, Standing, Start, Store, moment

LIVE = 256  # matches kept in memory; the others are opened when asked for
LIVE_PLIES = 60_000  # actions kept in memory, about 1 kB each; the match in hand stays whatever its length
SESSION = "session:"  # a token that begins so is not a seat's but a signed-in person's
NOTE_SECONDS = 60.0  # after which who is to act is told, if it did not come by itself
AUTOMATIC = 40  # standing answers in a row, at most


class Table:
    def __init__(self, store: Store, load: Callable[[str], Game], slugs: Callable[[], Sequence[str]]) -> None:
        self.store = store
        self._load = load
        self._slugs = slugs
        self._live: OrderedDict[str, LiveMatch] = OrderedDict()
        self._touched: set[str] = set()
        self._ours: set[str] = set()  # written in this batch, so that nobody else can write them before it ends
        self.accounts = People(store.database)

    def game(self, slug: str) -> Game:
        if slug not in self._slugs():
            raise Problem(404, unknown("game", slug, self._slugs()), "game")
        return self._load(slug)

    # ------------------------------------------------------------------ making matches

    def create(self, new: NewMatch, made_by: str, most_open: int, tokens: Sequence[str]) -> dict[str, Any]:
        if most_open and self.store.open_of(made_by) >= most_open:
            raise Problem(429, f"{most_open} matches made from this address are not finished: finish some first")
        game = self.game(new.game)
        account = self._account(tokens)
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
        return self._add(self._begun(start, game), [], keys)

    def _begun(self, start: Start, game: Game) -> LiveMatch:
        try:
            return LiveMatch.begun(start, game)
        except PositionError as error:
            raise Problem(422, str(error), "scenario or options") from None

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
                name = wanted.name or self._name(account) or title
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
        begun = self._begun(start, game)  # what is wrong with scenario and options is said now
        if invitation is None:
            return self._add(begun, [], keys)
        standing = Standing(0, 0, "", None, None, "waiting")
        self.store.add(start, [], standing)
        return {**self._summary(start.id), "tokens": keys, "invitation": invitation}

    def import_record(self, new: ImportedMatch, made_by: str, tokens: Sequence[str]) -> dict[str, Any]:
        """A match from a record, played again action by action: a broken or doctored one is refused."""
        try:
            data = check_record(new.record)
            dice = fair_dice(data)
        except RecordError as error:
            raise Problem(422, str(error), "record") from None
        game = self.game(data["game"])
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
        self.store.add(live.start, [live.first_entry(), *entries], live.standing())
        self._afterwards(live)
        return {**self._summary(live.start.id), "tokens": keys, "invitation": None}

    def _summary(self, match: str) -> dict[str, Any]:
        known = self._known(match)
        return summary(self.game(known.start.game), known)

    def join(self, match: str, wanted: Join, tokens: Sequence[str]) -> dict[str, Any]:
        """Sit down on the seat that waits: with the invitation, or with none where the match is listed for anybody.

        The key of the seat is made here and told to nobody else; with the second nonce the match begins.
        """
        known = self._known(match)
        start, account = known.start, self._account(tokens)
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
        if any(self.accounts.apart(account, seat.account) for seat in start.seats):
            raise Problem(403, "one of you has blocked the other")
        game = self.game(start.game)
        key = _new_token()
        title = dict(zip(game.sides, game.side_titles, strict=True))[waiting.side]
        name = wanted.name or self._name(account) or title
        seat = Seat(waiting.side, "person", None, name, digest(key), wanted.nonce or "", account)
        if not self.store.take_seat(match, seat, invitation):
            raise Problem(409, "the seat is taken: an invitation serves once")
        start = replace(start, seats=tuple(seat if s.side == seat.side else s for s in start.seats), listed=False)
        live = self._begun(start, game)
        self.store.begin(match, [live.first_entry()], live.standing())
        self._afterwards(live)
        return {**self._summary(match), "tokens": {seat.side: key}, "invitation": None}

    def look_at_invitation(self, match: str, invitation: str | None) -> dict[str, Any]:
        """What is offered, before one accepts."""
        known = self._known(match)
        waiting = next((seat for seat in known.start.seats if seat.kind == "open"), None)
        if waiting is None:
            raise Problem(409, "the seat is taken: an invitation serves once")
        if not known.start.listed and (invitation is None or digest(invitation) != waiting.invitation):
            raise WrongKey()
        return {**self._summary(match), "side": waiting.side}

    def withdraw(self, match: str, tokens: Sequence[str]) -> dict[str, Any]:
        """Take back a match that nobody has joined."""
        known = self._known(match)
        if not self._holds(known.start, tokens):
            raise Problem(401, "present the token of your seat", "Authorization")
        if known.standing.status != "waiting":
            raise Problem(409, "the match has begun: resign, or offer a draw")
        self.store.remove(match)
        return {"removed": match}

    def lobby(self) -> list[dict[str, Any]]:
        return [
            summary(self._load(known.start.game), known)
            for known in self.store.listed()
            if known.start.game in self._slugs()
        ]

    # ------------------------------------------------------------------ finding matches

    def live(self, match: str) -> LiveMatch:
        """A match, from memory or from its log, as far as anybody has written it."""
        found = self._live.get(match)
        if found is not None and match not in self._ours:
            now = self.store.seq(match)
            if now is not None and now > found.seq:
                found.follow(self.store.entries(match, found.seq), self.store)
            elif now != found.seq:
                found = None  # another database, or an older one put back
        if found is None:
            known = self._known(match)
            if known.standing.status == "waiting":
                raise Problem(409, "the match waits for its other player", "status")
            found = LiveMatch.opened(self.game(known.start.game), known, self.store)
        self._keep(found)
        return found

    def _known(self, match: str) -> Known:
        known = self.store.get(match)
        if known is None:
            raise Problem(404, "there is no such match", "id")
        return known

    def _keep(self, live: LiveMatch) -> None:
        self._live[live.start.id] = live
        self._live.move_to_end(live.start.id)
        while len(self._live) > 1 and (
            len(self._live) > LIVE or sum(match.ply for match in self._live.values()) > LIVE_PLIES
        ):
            self._live.popitem(last=False)

    def mine(self, tokens: Sequence[str]) -> list[dict[str, Any]]:
        account = self._account(tokens)
        found = self.store.of_secrets([digest(token) for token in seat_tokens(list(dict.fromkeys(tokens)))], account)
        return [
            {**summary(self._load(known.start.game), known), "sides": sides}
            for known, sides in found
            if known.start.game in self._slugs()
        ]

    def open_matches(self) -> int:
        return len(self._live)

    def forget(self, match: str) -> None:
        """Drop what is in memory of a match: it will be read from its log."""
        self._live.pop(match, None)

    def undone(self) -> None:
        """The batch was rolled back: what it changed is only in memory."""
        for match in self._touched:
            self.forget(match)
        self._touched.clear()
        self._ours.clear()

    def written(self) -> None:
        for match in self._touched:
            if (live := self._live.get(match)) is not None:
                live.forget_views()
        self._touched.clear()
        self._ours.clear()

    # ------------------------------------------------------------------ who asks

    def _account(self, tokens: Sequence[str]) -> str | None:
        sessions = (token.removeprefix(SESSION) for token in tokens if token.startswith(SESSION))
        return next((self.accounts.session(token) for token in sessions), None)

    def remove_account(self, account: str) -> None:
        """Forget somebody, also in the matches that are in memory."""
        for match in self.accounts.remove(account):
            self.forget(match)

    def _name(self, account: str | None) -> str | None:
        return None if account is None else str(self.accounts.account(account)["name"])

    def _holds(self, start: Start, tokens: Sequence[str]) -> list[str]:
        """The seats that the tokens give: by their own keys first, then by who is signed in."""
        held = holds(start, seat_tokens(tokens))
        account = self._account(tokens)
        if account is not None:
            held += [seat.side for seat in start.seats if seat.account == account and seat.side not in held]
        return held

    def enter(self, match: str, tokens: Sequence[str]) -> tuple[LiveMatch, str | None, list[str]]:
        """A match, the seat that looks by the first token (None: a spectator) and all seats that the tokens give.

        The tokens are looked at before anything is replayed.
        """
        found = self._live.get(match)
        start = self._known(match).start if found is None else found.start
        held = self._holds(start, tokens)
        if not held and not start.spectators:
            raise Problem(
                401, "this match is open only to those who hold a seat: present a seat's token", "Authorization"
            )
        return self.live(match), held[0] if held else None, held

    def seat_of(self, live: LiveMatch, tokens: Sequence[str]) -> str | None:
        return next(iter(self._holds(live.start, tokens)), None)

    def _seated(self, match: str, tokens: Sequence[str]) -> tuple[LiveMatch, str]:
        live, side, _ = self.enter(match, tokens)
        if side is None:
            raise Problem(401, "present the token of your seat", "Authorization")
        return live, side

    # ------------------------------------------------------------------ looking

    def info(self, match: str, tokens: Sequence[str]) -> dict[str, Any]:
        """A match without its position: also while it waits."""
        known = self._known(match)
        held = self._holds(known.start, tokens)
        if not held and not known.start.spectators and not known.start.listed:
            raise Problem(401, "present the token of your seat", "Authorization")
        return {**self._summary(match), "sides": held, "people": self.people(match, held[0] if held else None)}

    def people(self, match: str, side: str | None) -> dict[str, Any]:
        """What the players have to say to each other, as a seat may see it."""
        if side is None:
            return {"offers": [], "messages": [], "answers": None}
        offers = [offer._asdict() for offer in self.store.offers(match)]
        seats = {seat.side: seat for seat in self._known(match).start.seats}
        mine = seats[side]
        unread = {s.side for s in seats.values() if s.side != side and self.accounts.apart(mine.account, s.account)}
        messages = [message for message in self.store.messages(match) if message["side"] not in unread]
        return {"offers": offers, "messages": messages, "answers": json.loads(mine.answers) if mine.answers else None}

    def say(self, match: str, tokens: Sequence[str], text: str) -> dict[str, Any]:
        """A message to the other player."""
        side = next(iter(self._holds(self._known(match).start, tokens)), None)
        if side is None:
            raise Problem(401, "present the token of your seat", "Authorization")
        if not text:
            raise Problem(422, "there is nothing to say", "text")
        self.store.say(match, side, text)
        return {"done": True}

    def report(self, match: str, tokens: Sequence[str], text: str) -> dict[str, Any]:
        """Tell who runs the server what is wrong here."""
        if not self._holds(self._known(match).start, tokens):
            raise Problem(401, "present the token of your seat", "Authorization")
        self.accounts.report(self._account(tokens), match, text)
        return {"done": True}

    def state(self, match: str, tokens: Sequence[str], ply: int | None, since: int) -> dict[str, Any]:
        live, side, held = self.enter(match, tokens)
        return {**live.state_for(side, ply, since, held, self.store), "people": self.people(match, side)}

    def log(self, match: str, tokens: Sequence[str], since: int) -> dict[str, Any]:
        live, side, _ = self.enter(match, tokens)
        return {"seq": live.seq, "ply": live.ply, "entries": live.log(side, since, live.ply)}

    def record(self, match: str, tokens: Sequence[str]) -> dict[str, Any]:
        return self.with_open_record(match, tokens).to_record()

    def with_open_record(self, match: str, tokens: Sequence[str]) -> LiveMatch:
        """A match, for who may know all of it."""
        live, _, held = self.enter(match, tokens)
        if not live.record_open(held):
            raise Problem(
                403, "the record tells the seed and all that is hidden: it opens when the game is over"
                     + ("" if live.start.remote else ", or to who holds the seats of all persons"),
                "Authorization")  # fmt: skip
        if live.frozen:
            raise Problem(409, f"the match cannot be played by this program: {live.frozen}")
        return live

    def why(self, match: str, tokens: Sequence[str], action: str) -> dict[str, Any]:
        live, side = self._seated(match, tokens)
        refusal = None if live.over else _not_yours(live, side, action)
        citations = [Citation("", refusal)] if refusal else live.state.why_not(_readable(live, action))
        return {"legal": not citations, "citations": [citation._asdict() for citation in citations]}

    def forecast(self, match: str, tokens: Sequence[str], action: str) -> dict[str, Any]:
        live, side = self._seated(match, tokens)
        self._playable(live)
        if side != live.state.side:
            raise Problem(403, f"not your decision: {live.state.side} decides now")
        try:
            found = live.state.forecast(_readable(live, action))
        except IllegalAction as error:
            raise _illegal(error, "action") from None
        return {"forecast": None if found is None else found.to_json()}

    def overlay(
        self, match: str, tokens: Sequence[str], kind: str, side: str | None, unit: int | None
    ) -> dict[str, Any]:
        live, viewer, _ = self.enter(match, tokens)
        return overlay(live.state, viewer, kind, side, unit)

    # ------------------------------------------------------------------ changing

    def do(
        self,
        match: str,
        tokens: Sequence[str],
        seq: int,
        actions: Sequence[str],
        where: Callable[[int], str],
        key: str | None = None,
    ) -> tuple[LiveMatch, int]:
        """Actions of a person, all or none: by the seat whose they are, on the state it was shown, and legal.

        They end with the first that cannot be taken back: what is refused later must not tell how chance fell. The
        answer has the number of the entry before. A request that is repeated with the same key is done once.
        """
        live, side = self._seated(match, tokens)
        if live.due is not None and live.due < moment() and live.side == side:
            raise Problem(409, "your time is over")
        if key is not None:
            key = hashlib.sha256("\n".join([side, key, str(seq), *actions]).encode()).hexdigest()
            if (done := self.store.done_by_key(match, key)) is not None:
                return live, done.seq - 1
        before = live.seq
        if not _at_any_time(live, actions[0]):
            self._fresh(live, seq)
        mark = live.mark() if len(actions) > 1 else None
        written: list[Entry] = []
        try:
            for number, action in enumerate(actions, 1):
                written.append(self._do(live, side, action, where(number)))
                if not written[-1].free:
                    break
        except BaseException:
            if mark is not None:
                live.back_to(mark)
            raise
        self._write(live, written, key)
        return live, before

    def _do(self, live: LiveMatch, side: str, action: str, where: str) -> Entry:
        self._playable(live, where)
        if refusal := _not_yours(live, side, action):
            raise Problem(403, refusal, where)
        try:
            return live.do(str(live.state.parse(action)))
        except UnreadableAction as error:
            raise Problem(422, str(error), where) from None
        except IllegalAction as error:
            raise _illegal(error, where) from None

    def do_computer(self, match: str, seq: int, line: Sequence[str]) -> LiveMatch:
        """A line of a computer player, as far as it holds: until chance or the other side speaks."""
        live = self.live(match)
        side = live.side
        if live.seq != seq or side is None or not live.thinking:
            raise MovedOn
        entries: list[Entry] = []
        for action in line:
            if live.side != side or (entries and not _legal_now(live, action)):
                break
            entries.append(self._do(live, side, action, "action"))
            if not entries[-1].free:
                break
        self._write(live, entries)
        return live

    def undo(self, match: str, tokens: Sequence[str], seq: int) -> tuple[LiveMatch, int]:
        live, side = self._seated(match, tokens)
        self._fresh(live, seq)
        if not live.line:
            raise Problem(409, "nothing to undo: this is the start")
        if live.line[-1].side != side:
            raise Problem(403, f"the last action was {live.line[-1].side}'s: only who did it can take it back")
        if live.told_all or live.ended:
            raise Problem(409, "cannot undo: the game is over and its record is open")
        if live.frozen:
            self._playable(live)
        if not live.line[-1].free:
            more = ", or the other side was asked: ask the other player" if live.start.remote else ""
            raise Problem(409, f"cannot undo: chance has spoken, or something hidden was shown{more}")
        self._write(live, [live.undo(self.store)])
        return live, seq

    # ------------------------------------------------------------------ what people agree on

    def resign(self, match: str, tokens: Sequence[str]) -> tuple[LiveMatch, int]:
        live, side = self._seated(match, tokens)
        self._playable(live)
        before, winner = live.seq, live.other(side)
        title = live.game.side_titles[live.game.side_number(side)]
        self._write(live, [live.end("resigned", side, winner, f"{title} resigned")])
        return live, before

    def offer(self, match: str, tokens: Sequence[str], kind: str) -> tuple[LiveMatch, int]:
        """Offer a draw, to take back, a rematch, or that both may ask the coach. The same from the other means yes."""
        live, side = self._seated(match, tokens)
        other = live.other(side)
        if live.seat(other).kind != "person":
            raise Problem(409, "the other side is a computer")
        if any(o.kind == kind and o.side == other for o in self.store.offers(match)):
            return self.answer(match, tokens, kind, True)
        self._sensible(live, side, kind)
        self.store.offer(match, Offer(side, kind, live.seq))
        return live, live.seq

    def answer(self, match: str, tokens: Sequence[str], kind: str, accept: bool) -> tuple[LiveMatch, int]:
        live, side = self._seated(match, tokens)
        offer = next((o for o in self.store.offers(match) if o.kind == kind and o.side == live.other(side)), None)
        if offer is None:
            raise Problem(409, f"the other side has not offered that: {kind}", "kind")
        before = live.seq
        if accept:
            self._sensible(live, offer.side, kind)
        if accept and kind == "coach":
            self.store.offer(match, Offer(side, kind, live.seq))  # both offers stand: that is the agreement
            return live, before
        self.store.withdraw(match, offer.side, kind)
        if not accept:
            return live, before
        if kind == "draw":
            self._write(live, [live.end("drawn", None, None, "drawn by agreement")])
        elif kind == "undo":
            entries = [live.undo(self.store)]
            while live.line and entries[-1].side != offer.side:
                entries.append(live.undo(self.store))
            self._write(live, entries)
        else:
            self._rematch(live)
        return live, before

    def coached(self, live: LiveMatch) -> bool:
        """Have all persons at this table agreed that the coach may be asked?"""
        agreed = {offer.side for offer in self.store.offers(live.start.id) if offer.kind == "coach"}
        return {seat.side for seat in live.start.seats if seat.kind == "person"} <= agreed

    def _sensible(self, live: LiveMatch, side: str, kind: str) -> None:
        """Is there something to offer?"""
        if kind == "rematch":
            if not live.over:
                raise Problem(409, "a rematch comes after the match")
            if live.rematch is not None:
                raise Problem(409, "the rematch has begun")
            return
        self._playable(live)
        if kind == "coach" and self.coached(live):
            raise Problem(409, "both may ask the coach already")
        if kind == "undo" and not any(entry.side == side for entry in live.line):
            raise Problem(409, "there is nothing of yours to take back")

    def _rematch(self, live: LiveMatch) -> None:
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
        again = self._begun(start, game)
        self.store.add(start, [again.first_entry()], again.standing())
        self.store.set_rematch(old.id, start.id)
        live.rematch = start.id
        self._touched.add(old.id)
        self._afterwards(again)

    def set_answers(self, match: str, tokens: Sequence[str], answers: Answers) -> tuple[LiveMatch, int]:
        """What this seat answers without being asked. It may be asked already: then it is answered now."""
        live, side = self._seated(match, tokens)
        self._playable(live)
        text = answers.model_dump_json()
        before = live.seq
        self.store.set_answers(match, side, text)
        live.start = replace(
            live.start, seats=tuple(replace(s, answers=text) if s.side == side else s for s in live.start.seats)
        )
        self._touched.add(match)
        if entries := self._answered(live):
            self._write(live, entries)
        return live, before

    def _answered(self, live: LiveMatch) -> list[Entry]:
        """What standing answers say to the questions that came up."""
        entries: list[Entry] = []
        while len(entries) < AUTOMATIC and (passing := _standing_pass(live)) is not None:
            entries.append(live.do(str(passing)))
        return entries

    # ------------------------------------------------------------------ writing

    def _write(self, live: LiveMatch, entries: Sequence[Entry], key: str | None = None) -> None:
        """Log what was done; if that fails it has not happened, and the match is read from the log again."""
        match = live.start.id
        self._touched.add(match)
        entries = [*entries, *self._answered(live)]
        try:
            live.updated = self.store.append(match, entries, live.standing(), key)
            if self.store.database.begun:
                self._ours.add(match)
            self._tick(live, [entry.side for entry in entries if entry.kind == "do"])
        except BaseException as error:
            self.forget(match)
            if isinstance(error, Taken):
                raise Taken("the match has moved on meanwhile: look again") from None
            raise
        self.store.outdate_offers(match, entries[-1].side)
        self._afterwards(live)

    def _tick(self, live: LiveMatch, acted: Sequence[str | None]) -> None:
        """The clocks after a change: who acted stops, who decides now runs."""
        if live.pace is None:
            return
        now, runs = moment(), live.side
        ran = live.on_clock
        if live.pace["minutes"] is not None and ran is not None and live.due is not None:
            left = max(0, round((_seconds(live.due) - _seconds(now)) * 1000))
            live.left[ran] = left + (live.pace["increment"] * 1000 if ran in acted else 0)
        if runs is None or live.seat(runs).kind != "person":
            live.due = None
        elif live.pace["days"] is None:
            live.due = later(now, live.left.setdefault(runs, live.pace["minutes"] * 60_000) / 1000)
        elif runs != ran or live.due is None:
            live.due = later(now, live.pace["days"] * 86_400)
        live.on_clock = runs
        self.store.set_clock(live.start.id, live.due, live.left)

    def overdue(self) -> list[str]:
        return self.store.overdue()

    def flag(self, match: str) -> tuple[LiveMatch, int]:
        """The time of who decides is over: the match is lost, unless a vacation stops the clock of days."""
        live = self.live(match)
        side, before = live.side, live.seq
        if side is None or live.due is None or live.due >= moment():
            return live, before
        seat = live.seat(side)
        if seat.account is not None and live.pace is not None and live.pace["days"] is not None:
            away = self.accounts.account(seat.account)["vacation"]
            if away is not None and away > moment():
                live.due = away
                self.store.set_clock(match, away, {})
                return live, before
        title = live.game.side_titles[live.game.side_number(side)]
        self._write(live, [live.end("time", side, live.other(side), f"{title} ran out of time")])
        return live, before

    def _afterwards(self, live: LiveMatch) -> None:
        self._touched.add(live.start.id)
        if live.pace is not None and live.on_clock is None:
            self._tick(live, [])
        self._note_turn(live)
        if live.over and live.start.remote:
            self._rate(live)
        if (snapshot := live.snapshot()) is not None:
            self.store.snap(live.start.id, live.game.version, snapshot)
        if live.thinking and live.persons:
            self.store.queue(live.start.id, PERSON)

    def _note_turn(self, live: LiveMatch) -> None:
        """Who decides now, and did not just act, will be told if it does not come by itself."""
        side = live.side
        if side is None or (live.line and live.line[-1].side == side):
            return
        account = live.seat(side).account
        if account is not None and (live.start.remote or len({s.account for s in live.start.seats}) > 1):
            self.accounts.note_turn(account, live.start.id, live.seq, NOTE_SECONDS)

    def _rate(self, live: LiveMatch) -> None:
        players = {seat.side: seat.account for seat in live.start.seats if seat.account is not None}
        if len(players) == 2 and len(set(players.values())) == 2 and live.result is not None:
            self.accounts.rate(live.game.slug, players, live.result["winner"])

    def _playable(self, live: LiveMatch, where: str | None = None) -> None:
        if live.over:
            raise Problem(409, "the game is over", where)
        if live.frozen:
            raise Problem(409, f"the match can be read but not played on: {live.frozen}", "rules_version")

    @staticmethod
    def _fresh(live: LiveMatch, seq: int) -> None:
        if seq != live.seq:
            raise Problem(409, f"the match has moved on: it is at {live.seq}, not {seq}: look again", "seq")


def seat_tokens(tokens: Sequence[str]) -> list[str]:
    """Only keys of seats: who is signed in shows it by a cookie, nowhere else."""
    return [token for token in tokens if not token.startswith(SESSION)]


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


def _seconds(at: str) -> float:
    return datetime.fromisoformat(at).timestamp()


def _new_id() -> str:
    return secrets.token_urlsafe(9)


def _new_token() -> str:
    return secrets.token_urlsafe(24)


def _computer(side: str, request: SeatRequest) -> Seat:
    player = request.player or "plain"
    if player not in players.names():
        raise Problem(422, unknown("computer player", player, players.names()), f"seats.{side}.player")
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


def _standing_pass(live: LiveMatch) -> Action | None:
    """The pass that a seat gave in advance: to a question in the other's turn, about cards or nothing at all."""
    side = live.side
    if side is None or live.seat(side).kind != "person" or (text := live.seat(side).answers) is None:
        return None
    answers = json.loads(text)
    if answers["mode"] == "ask" or not live.state.phase.startswith(f"{live.other(side)}."):
        return None
    legal = live.state.legal()
    decision = live.state.decision
    passing = None if decision is None else decision.passes
    others = [action for action in legal if action.args]
    if passing is None or not all(_card(live, action) is not None for action in others):
        return None
    wanted = answers["mode"] == "only" and any(_card(live, action) in answers["cards"] for action in others)
    return None if wanted else passing


def _card(live: LiveMatch, action: Action) -> int | None:
    """The card that an action plays."""
    blanks = live.game.act.blanks[action.kind]
    return next((number for blank, number in zip(blanks, action.args, strict=True) if blank == "card"), None)


def _legal_now(live: LiveMatch, action: str) -> bool:
    try:
        return not live.state.why_not(action)
    except UnreadableAction:
        return False


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


def overlay(state: State, viewer: str | None, kind: str, side: str | None, unit: int | None) -> dict[str, Any]:
    """Something to lay over the map, as a seat (None: a spectator) may see it."""
    game = state.game
    if kind not in game.overlays:
        raise Problem(404, unknown("overlay", kind, game.overlays), "kind")
    if side is not None and side not in game.sides:
        raise Problem(422, unknown("side", side, game.sides), "side")
    if unit is not None and not 0 <= unit < len(game.unit_names):
        raise Problem(422, f"there is no unit number {unit}", "unit")
    number = None if viewer is None else game.side_number(viewer)
    if unit is not None and not state.sees(number, unit):
        raise Problem(403, "that unit cannot be seen from this seat", "unit")
    of = number or 0 if side is None else game.side_number(side)
    return {"kind": kind, "title": game.overlays[kind], **game.views.overlay(state, kind, of, unit, number)}
