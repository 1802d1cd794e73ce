"""The table: every match of this server, and the only place where one changes.

All methods run in one thread, the clerk's (the boards' scratch space is shared by all matches of a game, and a database
has one writer): each call is whole, so of two actions with the same sequence number exactly one wins. What is in memory
is a copy of the log: before it is used it catches up with what other processes have written.
"""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from counterblow.kernel.actions import IllegalAction, UnreadableAction
from counterblow.kernel.errors import unknown
from counterblow.kernel.game import Game
from counterblow.kernel.rulebook import Citation
from counterblow.kernel.state import State
from counterblow.service.computer import Line
from counterblow.service.database import Taken
from counterblow.service.errors import MovedOn, Problem, WrongKey
from counterblow.service.live import LiveMatch
from counterblow.service.people import People, digest, later
from counterblow.service.showing import summary
from counterblow.service.standing import standing_pass
from counterblow.service.store import PERSON, Entry, Known, Offer, Start, Store, moment

LIVE = 256  # matches kept in memory; the others are opened when asked for
LIVE_PLIES = 60_000  # actions kept in memory, about 1 kB each; the match in hand stays whatever its length
SESSION = "session:"  # a token that begins so is not a seat's but a signed-in person's
NOTE_SECONDS = 60.0  # after which who is to act is told, if it did not come by itself
AUTOMATIC = 40  # standing answers in a row, at most


class Table:
    def __init__(self, store: Store, load: Callable[[str], Game], slugs: Callable[[], Sequence[str]]) -> None:
        self.store = store
        self._load = load
        self.slugs = slugs
        self._live: OrderedDict[str, LiveMatch] = OrderedDict()
        self._touched: set[str] = set()
        self._ours: set[str] = set()  # written in this batch, so that nobody else can write them before it ends
        self._answered: set[tuple[str, str | None]] = set()  # who acted where in this batch, nothing offered since
        self.accounts = People(store.database)

    def game(self, slug: str) -> Game:
        if slug not in self.slugs():
            raise Problem(404, unknown("game", slug, self.slugs()), "game")
        return self._load(slug)

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
            known = self.known(match)
            if known.standing.status == "waiting":
                raise Problem(409, "the match waits for its other player", "status")
            found = LiveMatch.opened(self.game(known.start.game), known, self.store)
        self._keep(found)
        return found

    def known(self, match: str) -> Known:
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
        account = self.account_of(tokens)
        found = self.store.of_secrets([digest(token) for token in seat_tokens(list(dict.fromkeys(tokens)))], account)
        return [
            {**summary(self._load(known.start.game), known), "sides": sides}
            for known, sides in found
            if known.start.game in self.slugs()
        ]

    def summary(self, match: str) -> dict[str, Any]:
        known = self.known(match)
        return summary(self.game(known.start.game), known)

    def keeps_secrets(self, match: str) -> bool:
        """Is this a match between people apart, in memory, with something that one of them may not see?"""
        live = self._live.get(match)
        return live is not None and live.start.remote and (bool(live.game.apart) or live.game.hides(live.state))

    def open_matches(self) -> int:
        return len(self._live)

    def offered(self, match: str) -> None:
        """A player has offered something: it lasts until play goes on."""
        self._answered = {acted for acted in self._answered if acted[0] != match}

    def touch(self, match: str) -> None:
        """A match in memory was changed: if the batch is rolled back, it is to be forgotten."""
        self._touched.add(match)

    def forget(self, match: str) -> None:
        """Drop what is in memory of a match: it will be read from its log."""
        self._live.pop(match, None)

    def undone(self) -> None:
        """The batch was rolled back: what it changed is only in memory."""
        for match in self._touched:
            self.forget(match)
        self._touched.clear()
        self._ours.clear()
        self._answered.clear()

    def written(self) -> None:
        for match in self._touched:
            if (live := self._live.get(match)) is not None:
                live.forget_views()
        self._touched.clear()
        self._ours.clear()
        self._answered.clear()

    # ------------------------------------------------------------------ who asks

    def account_of(self, tokens: Sequence[str]) -> str | None:
        sessions = (token.removeprefix(SESSION) for token in tokens if token.startswith(SESSION))
        return next((self.accounts.session(token) for token in sessions), None)

    def remove_account(self, account: str) -> None:
        """Forget somebody, also in the matches that are in memory."""
        for match in self.accounts.remove(account):
            self.forget(match)

    def name_of(self, account: str | None) -> str | None:
        return None if account is None else str(self.accounts.account(account)["name"])

    def holds(self, start: Start, tokens: Sequence[str]) -> list[str]:
        """The seats that the tokens give: by their own keys first, then by who is signed in."""
        held = holds(start, seat_tokens(tokens))
        account = self.account_of(tokens)
        if account is not None:
            held += [seat.side for seat in start.seats if seat.account == account and seat.side not in held]
        return held

    def enter(self, match: str, tokens: Sequence[str]) -> tuple[LiveMatch, str | None, list[str]]:
        """A match, the seat that looks by the first token (None: a spectator) and all seats that the tokens give.

        The tokens are looked at before anything is replayed.
        """
        found = self._live.get(match)
        start = self.known(match).start if found is None else found.start
        held = self.holds(start, tokens)
        if not held and not start.spectators:
            raise Problem(
                401, "this match is open only to those who hold a seat: present a seat's token", "Authorization"
            )
        return self.live(match), held[0] if held else None, held

    def seat_of(self, live: LiveMatch, tokens: Sequence[str]) -> str | None:
        return next(iter(self.holds(live.start, tokens)), None)

    def seated(self, match: str, tokens: Sequence[str]) -> tuple[LiveMatch, str]:
        live, side, _ = self.enter(match, tokens)
        if side is None:
            raise Problem(401, "present the token of your seat", "Authorization")
        return live, side

    # ------------------------------------------------------------------ looking

    def people(self, match: str, side: str | None) -> dict[str, Any]:
        """What the players have to say to each other, as a seat may see it."""
        if side is None:
            return {"offers": [], "messages": [], "answers": None}
        offers = [offer._asdict() for offer in self.store.offers(match)]
        seats = {seat.side: seat for seat in self.known(match).start.seats}
        mine = seats[side]
        unread = {s.side for s in seats.values() if s.side != side and self.accounts.apart(mine.account, s.account)}
        messages = [message for message in self.store.messages(match) if message["side"] not in unread]
        return {"offers": offers, "messages": messages, "answers": json.loads(mine.answers) if mine.answers else None}

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
        live, side = self.seated(match, tokens)
        refusal = None if live.over else _not_yours(live, side, action)
        citations = [Citation("", refusal)] if refusal else live.state.why_not(_readable(live, action))
        return {"legal": not citations, "citations": [citation._asdict() for citation in citations]}

    def forecast(self, match: str, tokens: Sequence[str], action: str) -> dict[str, Any]:
        live, side = self.seated(match, tokens)
        self.playable(live)
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
        live, side = self.seated(match, tokens)
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
        self.write(live, written, key)
        return live, before

    def _do(self, live: LiveMatch, side: str, action: str, where: str, plan: str | None = None) -> Entry:
        self.playable(live, where)
        if refusal := _not_yours(live, side, action):
            raise Problem(403, refusal, where)
        try:
            return live.do(str(live.state.parse(action)), plan)
        except UnreadableAction as error:
            raise Problem(422, str(error), where) from None
        except IllegalAction as error:
            raise _illegal(error, where) from None

    def do_computer(self, match: str, seq: int, line: Line) -> LiveMatch:
        """A line of a computer player, as far as it holds: until chance or the other side speaks."""
        live = self.live(match)
        side = live.side
        if live.seq != seq or side is None or not live.thinking:
            raise MovedOn
        entries: list[Entry] = []
        for action, plan in zip(line.actions, line.plans, strict=True):
            if live.side != side or (entries and not _legal_now(live, action)):
                break
            entries.append(self._do(live, side, action, "action", plan or None))
            if not entries[-1].free:
                break
        self.write(live, entries)
        self._offer_to_resign(live, side, line.resigns)
        return live

    def _offer_to_resign(self, live: LiveMatch, side: str, hopeless: bool) -> None:
        """A computer that has lost says so to the person across; the word stands as long as it sees no hope."""
        match = live.start.id
        stands = any(offer.kind == "resign" for offer in self.store.offers(match) if offer.side == side)
        if stands and not hopeless:
            self.store.withdraw(match, side, "resign")
        elif hopeless and not stands and not live.over and live.seat(live.other(side)).kind == "person":
            self.store.offer(match, Offer(side, "resign", live.seq))

    def undo(self, match: str, tokens: Sequence[str], seq: int) -> tuple[LiveMatch, int]:
        live, side = self.seated(match, tokens)
        self._fresh(live, seq)
        if not live.line:
            raise Problem(409, "nothing to undo: this is the start")
        if live.line[-1].side != side:
            raise Problem(403, f"the last action was {live.line[-1].side}'s: only who did it can take it back")
        if live.told_all or live.ended:
            raise Problem(409, "cannot undo: the game is over and its record is open")
        if live.frozen:
            self.playable(live)
        if not live.line[-1].free:
            more = ", or the other side was asked: ask the other player" if live.start.remote else ""
            raise Problem(409, f"cannot undo: chance has spoken, or something hidden was shown{more}")
        self.write(live, [live.undo(self.store)])
        return live, seq

    def coached(self, live: LiveMatch) -> bool:
        """Have all persons at this table agreed that the coach may be asked?"""
        agreed = {offer.side for offer in self.store.offers(live.start.id) if offer.kind == "coach"}
        return {seat.side for seat in live.start.seats if seat.kind == "person"} <= agreed

    # ------------------------------------------------------------------ writing

    def write(self, live: LiveMatch, entries: Sequence[Entry], key: str | None = None) -> None:
        """Log what was done; if that fails it has not happened, and the match is read from the log again."""
        match = live.start.id
        self._touched.add(match)
        entries = [*entries, *self.answered(live)]
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
        acted = match, entries[-1].side
        if acted not in self._answered:
            self.store.outdate_offers(*acted)
            self._answered.add(acted)
        self.afterwards(live)

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
        self.write(live, [live.end("time", side, live.other(side), f"{title} ran out of time")])
        return live, before

    def answered(self, live: LiveMatch) -> list[Entry]:
        """What standing answers say to the questions that came up."""
        entries: list[Entry] = []
        while len(entries) < AUTOMATIC and (passing := standing_pass(live)) is not None:
            entries.append(live.do(str(passing)))
        return entries

    def afterwards(self, live: LiveMatch) -> None:
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

    def playable(self, live: LiveMatch, where: str | None = None) -> None:
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
