"""What is kept of every match: what is written here has happened, and nothing else has.

A match is its start (game, scenario, options, where its dice come from) and a log that only grows. Entries are "start"
(number 0), "do" with the action's text, "undo", and "end" (a resignation, a draw, a flag that fell). Playing them again
gives the state; ``seq`` counts them. What an action told to whom is kept with it, so that a log is read without
playing; snapshots of the state let a long match open at once.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from counterblow.kernel.chance import FairDice
from counterblow.service.database import Database, Row, Taken

LEASE_SECONDS = 15
PERSON, WATCHED = 0, 1  # whose job it is: a person waits for it, or somebody only watches


@dataclass(frozen=True)
class Seat:
    """Who plays a side. ``secret`` and ``invitation`` are digests of tokens: of who sits here, and for who may yet."""

    side: str
    kind: str  # "person", "computer", or "open": nobody yet
    player: str | None
    name: str
    secret: bytes | None
    nonce: str = ""
    account: str | None = None
    invitation: bytes | None = None
    answers: str | None = None
    clock: int | None = None  # milliseconds left


@dataclass(frozen=True)
class Start:
    """All that a match began with, or is still waiting for."""

    id: str
    game: str
    rules_version: str
    scenario: str
    options: dict[str, Any]
    seed: int
    seed_known: bool
    spectators: bool
    seats: tuple[Seat, ...]
    kind: str = "table"
    secret: bytes | None = None
    listed: bool = False
    made_by: str | None = None
    pace: str | None = None

    @property
    def remote(self) -> bool:
        return self.kind == "remote"

    def dice(self, sides: Sequence[str]) -> FairDice | None:
        """Fair dice with the seats' nonces, in the order of the game's sides; None where a seed decides."""
        return None if self.secret is None else FairDice(self.secret, tuple(self.seat(side).nonce for side in sides))

    def seat(self, side: str) -> Seat:
        return next(seat for seat in self.seats if seat.side == side)


class Standing(NamedTuple):
    """How a match stands, for lists: written with every entry, so that a list needs no replay."""

    seq: int
    ply: int
    turn_label: str
    decider: str | None
    result: dict[str, Any] | None
    status: str = "playing"


class Entry(NamedTuple):
    """One entry of the log. ``told`` is what it tells whom, ``free`` whether who did it may take it back,
    ``plan`` why a computer player did it."""

    seq: int
    kind: str
    side: str | None
    action: str | None
    told: str | None
    free: bool = False
    plan: str | None = None


class Known(NamedTuple):
    """A match as the store knows it."""

    start: Start
    standing: Standing
    created: str
    updated: str
    frozen: str | None
    rematch: str | None
    due: str | None = None


class Snapshot(NamedTuple):
    seq: int
    ply: int
    tip: int  # the number of the last action that stands in it
    state: str


class Offer(NamedTuple):
    side: str
    kind: str
    seq: int


MATCH = (
    "id, game, rules_version, scenario, options, seed, seed_known, spectators, created, updated, seq, ply, turn_label, "
    "decider, result, kind, status, secret, made_by, listed, pace"
)
ALL = f"{MATCH}, frozen, rematch, due"
ENTRY = "seq, kind, side, action, told, free, plan"


class Store:
    """Used by one thread at a time."""

    def __init__(self, database: Database) -> None:
        self.database = database

    # ------------------------------------------------------------------ writing

    def add(self, start: Start, entries: Sequence[Entry], standing: Standing) -> None:
        """A new match: waiting for players, begun, or with the actions it was imported with."""
        now = moment()
        with self.database.writing():
            self.database.execute(
                f"insert into match ({MATCH}) values (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                start.id, start.game, start.rules_version, start.scenario, json.dumps(start.options), str(start.seed),
                int(start.seed_known), int(start.spectators), now, now, *_fields(standing)[:-1], start.kind,
                standing.status, start.secret, start.made_by, int(start.listed), start.pace,
            )  # fmt: skip
            for s in start.seats:
                self.database.execute(
                    "insert into seat (match, side, kind, player, name, secret, nonce, account, invitation) "
                    "values (?,?,?,?,?,?,?,?,?)",
                    start.id, s.side, s.kind, s.player, s.name, s.secret, s.nonce, s.account, s.invitation,
                )  # fmt: skip
            self._insert(start.id, entries, None, now)

    def append(self, match: str, entries: Sequence[Entry], standing: Standing, key: str | None = None) -> str:
        """More entries, durable when the batch is; of two with the same number only one gets in."""
        now = moment()
        with self.database.writing():
            self._insert(match, entries, key, now)
            self._stand(match, standing, now)
            self.database.tell(f"{match} {standing.seq}")
        return now

    def _insert(self, match: str, entries: Sequence[Entry], key: str | None, now: str) -> None:
        for number, e in enumerate(entries):
            self.database.execute(
                f"insert into entry (match, {ENTRY}, key, at) values (?,?,?,?,?,?,?,?,?,?)",
                match, e.seq, e.kind, e.side, e.action, e.told, int(e.free), e.plan, None if number else key, now,
            )  # fmt: skip

    def _stand(self, match: str, standing: Standing, now: str) -> None:
        self.database.execute(
            "update match set updated=?, seq=?, ply=?, turn_label=?, decider=?, result=?, status=? where id=?",
            now, *_fields(standing), match,
        )  # fmt: skip

    def take_seat(self, match: str, seat: Seat, invitation: bytes | None) -> bool:
        """Somebody sits down on a seat that waits; False if another was faster. An invitation serves once."""
        with self.database.writing():
            rows = self.database.execute(
                "update seat set kind=?, name=?, secret=?, nonce=?, account=?, invitation=null "
                "where match=? and side=? and kind='open' and (invitation=? or ?=1) returning side",
                seat.kind, seat.name, seat.secret, seat.nonce, seat.account, match, seat.side, invitation,
                int(invitation is None),
            )  # fmt: skip
        return bool(rows)

    def begin(self, match: str, entries: Sequence[Entry], standing: Standing) -> None:
        """A match that was waiting begins."""
        now = moment()
        with self.database.writing():
            self._insert(match, entries, None, now)
            self._stand(match, standing, now)
            self.database.execute("update match set listed=0 where id=?", match)
            self.database.tell(f"{match} {standing.seq}")

    def remove(self, match: str) -> None:
        """A match that never began."""
        with self.database.writing():
            for table in ("offer", "seat"):
                self.database.execute(f"delete from {table} where match=?", match)
            self.database.execute("delete from match where id=? and status='waiting'", match)
            self.database.tell(f"{match} 0")

    def set_answers(self, match: str, side: str, answers: str) -> None:
        with self.database.writing():
            self.database.execute("update seat set answers=? where match=? and side=?", answers, match, side)
            self.database.tell(f"{match} answers")

    def tell_thought(self, match: str, share: float) -> None:
        """Let the other processes know how far a computer player's thought is: nothing is written down."""
        with self.database.writing():
            self.database.tell(f"{match} thinking {share}")

    def set_rematch(self, match: str, rematch: str) -> None:
        with self.database.writing():
            self.database.execute("update match set rematch=? where id=?", rematch, match)
            self.database.tell(f"{match} people")

    def freeze(self, match: str, why: str | None) -> None:
        with self.database.writing():
            self.database.execute("update match set frozen=? where id=?", why, match)

    def pin(self, match: str, rules_version: str) -> None:
        """The match plays the same by these rules: it goes on under them."""
        with self.database.writing():
            self.database.execute("update match set rules_version=?, frozen=null where id=?", rules_version, match)
            self.database.execute("delete from snapshot where match=?", match)

    def retell(self, match: str, entries: Sequence[Entry]) -> None:
        """What a log of an older layout tells, which it did not keep."""
        with self.database.writing():
            for e in entries:
                self.database.execute("delete from entry where match=? and seq=0 and ?=0", match, e.seq)
                if e.seq == 0:
                    self._insert(match, [e], None, moment())
                else:
                    self.database.execute(
                        "update entry set side=?, told=?, free=? where match=? and seq=?",
                        e.side, e.told, int(e.free), match, e.seq,
                    )  # fmt: skip

    def snap(self, match: str, rules_version: str, snapshot: Snapshot) -> None:
        with self.database.writing():
            self.database.execute(
                "insert into snapshot values (?,?,?,?,?,?) on conflict do nothing",
                match, snapshot.seq, snapshot.ply, snapshot.tip, rules_version, snapshot.state,
            )  # fmt: skip

    def set_clock(self, match: str, due: str | None, left: Mapping[str, int]) -> None:
        with self.database.writing():
            self.database.execute("update match set due=? where id=?", due, match)
            for side, milliseconds in left.items():
                self.database.execute("update seat set clock=? where match=? and side=?", milliseconds, match, side)

    def overdue(self) -> list[str]:
        """Matches in which the time of who decides is over."""
        rows = self.database.execute("select id from match where due < ? and status = 'playing'", moment())
        return [row["id"] for row in rows]

    # ------------------------------------------------------------------ messages

    def say(self, match: str, side: str, text: str) -> None:
        with self.database.writing():
            self.database.execute(
                "insert into message (match, number, side, text, at) select ?, coalesce(max(number), 0) + 1, ?, ?, ? "
                "from message where match=?",
                match, side, text, moment(), match,
            )  # fmt: skip
            self.database.tell(f"{match} people")

    def messages(self, match: str, most: int = 200) -> list[dict[str, Any]]:
        rows = self.database.execute(
            "select number, side, text, at from message where match=? order by number desc limit ?", match, most
        )
        return [{name: row[name] for name in ("number", "side", "text", "at")} for row in reversed(rows)]

    # ------------------------------------------------------------------ offers

    def offer(self, match: str, offer: Offer) -> None:
        with self.database.writing():
            self.withdraw(match, offer.side, offer.kind)
            self.database.execute("insert into offer values (?,?,?,?,?)", match, *offer, moment())
            self.database.tell(f"{match} people")

    def withdraw(self, match: str, side: str, kind: str) -> None:
        with self.database.writing():
            self.database.execute("delete from offer where match=? and side=? and kind=?", match, side, kind)
            self.database.tell(f"{match} people")

    def outdate_offers(self, match: str, acted: str | None) -> None:
        """Play goes on: nobody takes back now, and who acts has answered a draw that the other offered."""
        with self.database.writing():
            gone = self.database.execute(
                "delete from offer where match=? and (kind='undo' or (kind='draw' and side<>?)) returning side",
                match, acted or "",
            )  # fmt: skip
            if gone:
                self.database.tell(f"{match} people")

    def offers(self, match: str) -> list[Offer]:
        rows = self.database.execute("select side, kind, seq from offer where match=? order by at", match)
        return [Offer(row["side"], row["kind"], row["seq"]) for row in rows]

    # ------------------------------------------------------------------ reading

    def get(self, match: str) -> Known | None:
        row = self.database.one(f"select {ALL} from match where id = ?", match)
        return None if row is None else self._known(row)

    def ping(self) -> None:
        self.database.execute("select 1")

    def seq(self, match: str) -> int | None:
        row = self.database.one("select seq from match where id = ?", match)
        return None if row is None else int(row["seq"])

    def entries(self, match: str, after: int = -1) -> list[Entry]:
        """The log after an entry."""
        rows = self.database.execute(
            f"select {ENTRY} from entry where match = ? and seq > ? order by seq",
            match,
            after,
        )
        return [_entry(row) for row in rows]

    def done_by_key(self, match: str, key: str) -> Entry | None:
        """The entry that a repeated request made when it came first."""
        row = self.database.one(f"select {ENTRY} from entry where match = ? and key = ?", match, key)
        return None if row is None else _entry(row)

    def snapshots(self, match: str, rules_version: str, ply: int) -> list[Snapshot]:
        """The last snapshots up to a ply; one is of use only if its last action still stands."""
        rows = self.database.execute(
            "select seq, ply, tip, state from snapshot where match=? and rules_version=? and ply<=? "
            "order by ply desc, seq desc limit 3",
            match, rules_version, ply,
        )  # fmt: skip
        return [Snapshot(row["seq"], row["ply"], row["tip"], row["state"]) for row in rows]

    def of_secrets(self, secrets: Sequence[bytes], account: str | None = None) -> list[tuple[Known, list[str]]]:
        """The matches in which these tokens, or an account, hold seats, latest first, with the sides held."""
        sides: dict[str, list[str]] = {}
        for secret in secrets:
            for row in self.database.execute("select match, side from seat where secret = ?", secret):
                sides.setdefault(row["match"], []).append(row["side"])
        if account is not None:
            for row in self.database.execute("select match, side from seat where account = ?", account):
                if row["side"] not in sides.setdefault(row["match"], []):
                    sides[row["match"]].append(row["side"])
        found = [(known, sides[match]) for match in sides if (known := self.get(match)) is not None]
        return sorted(found, key=lambda pair: pair[0].updated, reverse=True)

    def listed(self, limit: int = 100) -> list[Known]:
        """Matches that wait for anybody, latest first."""
        rows = self.database.execute(
            f"select {ALL} from match where listed=1 and status='waiting' order by created desc limit ?",
            limit,
        )
        return [self._known(row) for row in rows]

    def open_of(self, made_by: str) -> int:
        """How many unfinished matches an address has made."""
        row = self.database.one("select count(*) as n from match where made_by=? and status <> 'over'", made_by)
        return int(row["n"]) if row else 0

    def disagreeing(self) -> list[str]:
        """Matches whose log has a gap, or does not reach as far as the match says."""
        rows = self.database.execute(
            "select match.id as id from match left join (select match, max(seq) as last, count(*) as n from entry "
            "where seq > 0 group by match) log on log.match = match.id "
            "where coalesce(log.last, 0) <> match.seq or coalesce(log.n, 0) <> match.seq"
        )
        return [row["id"] for row in rows]

    def _known(self, row: Row) -> Known:
        seats = tuple(
            Seat(
                s["side"], s["kind"], s["player"], s["name"], _bytes(s["secret"]), s["nonce"] or "", s["account"],
                _bytes(s["invitation"]), s["answers"], s["clock"],
            )
            for s in self.database.execute("select * from seat where match = ? order by side", row["id"])
        )  # fmt: skip
        start = Start(
            row["id"], row["game"], row["rules_version"], row["scenario"], json.loads(row["options"]), int(row["seed"]),
            bool(row["seed_known"]), bool(row["spectators"]), seats, row["kind"], _bytes(row["secret"]),
            bool(row["listed"]), row["made_by"], row["pace"],
        )  # fmt: skip
        result = None if row["result"] is None else json.loads(row["result"])
        standing = Standing(row["seq"], row["ply"], row["turn_label"], row["decider"], result, row["status"])
        return Known(start, standing, row["created"], row["updated"], row["frozen"], row["rematch"], row["due"])

    # ------------------------------------------------------------------ computer players: one job a match

    def queue(self, match: str, rank: int) -> None:
        """A computer player is to act, for who is of this rank."""
        with self.database.writing():
            self.database.execute(
                "insert into job (match, rank, queued) values (?,?,?) on conflict do nothing", match, rank, moment()
            )
            self.database.tell("job")

    def claim(self, worker: str, rank: int = WATCHED, waited: float = 0.0) -> str | None:
        """The match that has waited longest for its computer player, for this worker alone while its lease lasts.

        Not beyond a rank, and only if it has waited so many seconds.
        """
        now = moment()
        with self.database.writing():
            rows = self.database.execute(
                "update job set worker=?, until=? where match = "
                "(select match from job where (until is null or until < ?) and rank <= ? and queued <= ? "
                f"order by rank, queued limit 1{self.database.words['skip']}) returning match",
                worker, moment(LEASE_SECONDS), now, rank, moment(-waited),
            )  # fmt: skip
        return rows[0]["match"] if rows else None

    def renew(self, match: str, worker: str) -> bool:
        """The worker is still at it; False if somebody else has taken over."""
        with self.database.writing():
            rows = self.database.execute(
                "update job set until=? where match=? and worker=? returning match",
                moment(LEASE_SECONDS),
                match,
                worker,
            )
        return bool(rows)

    def finish(self, match: str, worker: str, again: bool) -> None:
        """The thought is done: to the end of the queue if there is more to decide."""
        with self.database.writing():
            if again:
                self.database.execute(
                    "update job set queued=?, worker=null, until=null where match=? and worker=?",
                    moment(),
                    match,
                    worker,
                )
                self.database.tell("job")
            else:
                self.database.execute("delete from job where match=? and worker=?", match, worker)

    def waiting_for_computer(self) -> list[str]:
        """Matches with a person in which a computer player is to decide and no job says so: after a restore."""
        rows = self.database.execute(
            "select match.id as id from match join seat on seat.match = match.id and seat.side = match.decider "
            "where seat.kind = 'computer' and match.status = 'playing' and match.frozen is null "
            "and not exists (select 1 from job where job.match = match.id) "
            "and exists (select 1 from seat other where other.match = match.id and other.kind = 'person')"
        )
        return [row["id"] for row in rows]


def _fields(standing: Standing) -> tuple[int, int, str, str | None, str | None, str]:
    result = None if standing.result is None else json.dumps(standing.result)
    return standing.seq, standing.ply, standing.turn_label, standing.decider, result, standing.status


def _entry(row: Any) -> Entry:
    seq, kind, side, action, told, free, plan = (row[name] for name in ENTRY.split(", "))
    return Entry(seq, kind, side, action, told, bool(free), plan)


def _bytes(value: Any) -> bytes | None:
    return None if value is None else bytes(value)


def moment(ahead: float = 0) -> str:
    """The time now, or so many seconds ahead; later times sort later."""
    return (datetime.now(UTC) + timedelta(seconds=ahead)).isoformat(timespec="milliseconds")


__all__ = ["Entry", "Known", "Offer", "Seat", "Snapshot", "Standing", "Start", "Store", "Taken", "moment"]
