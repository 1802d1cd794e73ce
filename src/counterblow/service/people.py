"""People: accounts, how they sign in, what they think of each other, and how good they are.

Who only plays by the link of a seat needs none of this. Secrets are kept as digests, passwords by argon2.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import unicodedata
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from glicko2 import Player

from counterblow.service.database import Database, Row
from counterblow.service.errors import Problem
from counterblow.service.store import moment

LINK_SECONDS = 30 * 60
LONGEST_VACATION = 30 * 24 * 3600
FIRST_RATING = {"rating": 1500.0, "deviation": 350.0, "volatility": 0.06, "games": 0}
hasher = PasswordHasher()


def hash_password(password: str) -> str:
    """Slow on purpose: never in the clerk's thread."""
    return hasher.hash(password)


def fits(password: str, kept: str | None) -> bool:
    try:
        return hasher.verify(kept or _nobodys(), password) and kept is not None
    except (VerificationError, InvalidHashError):
        return False


def _nobodys() -> str:
    """A hash that no password fits, looked at for unknown names, so that they take as long as known ones."""
    salt, made = (base64.b64encode(bytes(size)).decode().rstrip("=") for size in (hasher.salt_len, hasher.hash_len))
    return f"$argon2id$v=19$m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}${salt}${made}"


def digest(token: str) -> bytes:
    """Tokens are long and random, so a plain digest keeps them."""
    return hashlib.sha256(token.encode()).digest()


def key_of(text: str) -> str:
    """By this two names are the same."""
    return unicodedata.normalize("NFKC", text).casefold()


class People:
    """Used by one thread at a time, the clerk's."""

    def __init__(self, database: Database) -> None:
        self.database = database

    # ------------------------------------------------------------------ accounts

    def sign_up(self, name: str, email: str | None, password: str | None) -> str:
        if self.named(name) is not None:
            raise Problem(409, "this name is taken", "name")
        if email is not None and self.by_email(email) is not None:
            raise Problem(409, "there is an account with this address: sign in", "email")
        account = secrets.token_urlsafe(9)
        with self.database.writing():
            self.database.execute(
                "insert into account (id, name, name_key, email, email_key, password, created, mail) "
                "values (?,?,?,?,?,?,?,?)",
                account, name, key_of(name), email, None if email is None else key_of(email), password, moment(), 1,
            )  # fmt: skip
        return account

    def named(self, name: str) -> Row | None:
        return self.database.one("select * from account where name_key=?", key_of(name))

    def by_email(self, email: str) -> Row | None:
        return self.database.one("select * from account where email_key=?", key_of(email))

    def account(self, account: str) -> Row:
        found = self.database.one("select * from account where id=?", account)
        if found is None:
            raise Problem(401, "sign in first")
        return found

    def change(self, account: str, changes: Mapping[str, Any]) -> None:
        with self.database.writing():
            for column in ("password", "mail", "webhook", "vacation"):
                if column in changes:
                    self.database.execute(f"update account set {column}=? where id=?", changes[column], account)

    def described(self, account: str) -> dict[str, Any]:
        row = self.account(account)
        return {
            "name": row["name"],
            "email": row["email"],
            "has_password": row["password"] is not None,
            "created": row["created"],
            "vacation": row["vacation"],
            "mail": bool(row["mail"]),
            "webhook": row["webhook"],
            "devices": len(self.database.execute("select 1 from push where account=?", account)),
            "sessions": self.sessions(account),
            "ratings": self.ratings(account),
            "blocked": self._blocked(account),
        }

    def _blocked(self, account: str) -> list[str]:
        rows = self.database.execute(
            "select name from blocked join account on account.id = blocked.other where blocked.account=?", account
        )
        return [row["name"] for row in rows]

    # ------------------------------------------------------------------ sessions

    def begin_session(self, account: str, agent: str) -> str:
        token = secrets.token_urlsafe(24)
        with self.database.writing():
            self.database.execute(
                "insert into session (digest, account, created, agent) values (?,?,?,?)",
                digest(token), account, moment(), agent[:120],
            )  # fmt: skip
        return token

    def session(self, token: str) -> str | None:
        row = self.database.one("select account from session where digest=?", digest(token))
        return None if row is None else str(row["account"])

    def sessions(self, account: str) -> list[dict[str, Any]]:
        rows = self.database.execute(
            "select digest, created, agent from session where account=? order by created desc", account
        )
        return [{"id": bytes(r["digest"]).hex()[:16], "created": r["created"], "agent": r["agent"]} for r in rows]

    def end_session(self, account: str, number: str) -> None:
        """End one session, or all ("all")."""
        rows = self.database.execute("select digest from session where account=?", account)
        gone = [bytes(r["digest"]) for r in rows if number in ("all", bytes(r["digest"]).hex()[:16])]
        if not gone:
            raise Problem(404, "there is no such session")
        with self.database.writing():
            for found in gone:
                self.database.execute("delete from session where digest=?", found)

    def new_link(self, email: str) -> str:
        """A link that signs in whoever reads the mail at this address; it serves once, and not for long."""
        token = secrets.token_urlsafe(24)
        with self.database.writing():
            self.database.execute("delete from link where until < ?", moment())
            self.database.execute("insert into link values (?,?,?)", digest(token), email, moment(LINK_SECONDS))
        return token

    def use_link(self, token: str, name: str | None) -> str:
        row = self.database.one("select email, until from link where digest=?", digest(token))
        if row is None or row["until"] < moment():
            raise Problem(403, "this link was used or is too old: ask for another one", "token")
        known = self.by_email(row["email"])
        if known is None and (name is None or not name):
            raise Problem(422, "choose a name for your account", "name")
        account = str(known["id"]) if known is not None else self.sign_up(name or "", row["email"], None)
        with self.database.writing():
            self.database.execute("delete from link where digest=?", digest(token))
        return account

    # ------------------------------------------------------------------ about each other

    def block(self, account: str, name: str, blocked: bool) -> None:
        other = self.named(name)
        if other is None or other["id"] == account:
            raise Problem(404, "there is nobody else of this name", "name")
        with self.database.writing():
            self.database.execute("delete from blocked where account=? and other=?", account, other["id"])
            if blocked:
                self.database.execute("insert into blocked values (?,?)", account, other["id"])

    def apart(self, one: str | None, other: str | None) -> bool:
        """Does one of the two want nothing to do with the other?"""
        if one is None or other is None:
            return False
        found = self.database.one(
            "select 1 as found from blocked where (account=? and other=?) or (account=? and other=?)",
            one,
            other,
            other,
            one,
        )
        return found is not None

    def report(self, account: str | None, match: str, text: str) -> None:
        with self.database.writing():
            self.database.execute(
                "insert into report values (?,?,?,?,?)", secrets.token_urlsafe(9), account, match, text, moment()
            )

    # ------------------------------------------------------------------ ratings: Glicko-2, for each game and side

    def rating(self, account: str, game: str, side: str) -> dict[str, Any]:
        row = self.database.one("select * from rating where account=? and game=? and side=?", account, game, side)
        return FIRST_RATING if row is None else {name: row[name] for name in FIRST_RATING}

    def ratings(self, account: str) -> list[dict[str, Any]]:
        rows = self.database.execute("select * from rating where account=? order by game, side", account)
        return [{"game": r["game"], "side": r["side"], **{name: r[name] for name in FIRST_RATING}} for r in rows]

    def rate(self, game: str, players: Mapping[str, str], winner: str | None) -> None:
        """A match between two accounts is over: side -> account, and the side that won (None: a draw)."""
        before = {side: self.rating(account, game, side) for side, account in players.items()}
        (one, other) = players
        with self.database.writing():
            for side, against in ((one, other), (other, one)):
                score = 0.5 if winner is None else float(winner == side)
                mine, theirs = before[side], before[against]
                player = Player(mine["rating"], mine["deviation"], mine["volatility"])
                player.update_player([theirs["rating"]], [theirs["deviation"]], [score])
                self.database.execute(
                    "delete from rating where account=? and game=? and side=?", players[side], game, side
                )
                self.database.execute(
                    "insert into rating values (?,?,?,?,?,?,?)",
                    players[side], game, side, player.rating, player.rd, player.vol, mine["games"] + 1,
                )  # fmt: skip

    # ------------------------------------------------------------------ one's own data

    def export(self, account: str) -> dict[str, Any]:
        """Everything that is kept of an account, in one file."""
        rows = self.database.execute(
            "select match.id as match, match.game, seat.side, match.created, match.status from seat "
            "join match on match.id = seat.match where seat.account=? order by match.created", account
        )  # fmt: skip
        said = self.database.execute(
            "select message.match, message.text, message.at from message join seat on seat.match = message.match "
            "and seat.side = message.side where seat.account=? order by message.at", account
        )  # fmt: skip
        reports = self.database.execute("select match, text, at from report where account=?", account)
        pushes = self.database.execute("select endpoint from push where account=?", account)
        return {
            "account": self.described(account),
            "matches": [dict(row) for row in rows],
            "messages": [dict(row) for row in said],
            "reports": [dict(row) for row in reports],
            "push": [row["endpoint"] for row in pushes],
        }

    def remove(self, account: str) -> list[str]:
        """Forget an account. Its matches stay, for the sake of who played them; the seats are nobody's by name."""
        self.account(account)
        with self.database.writing():
            held = self.database.execute("select match, side from seat where account=?", account)
            for side in held:
                self.database.tell(f"{side['match']} people")
                self.database.execute(
                    "update message set text='(removed)' where match=? and side=?", side["match"], side["side"]
                )
            self.database.execute("update seat set account=null, name='(gone)' where account=?", account)
            self.database.execute("update report set account=null where account=?", account)
            self.database.execute("delete from blocked where account=? or other=?", account, account)
            for table in ("session", "push", "rating", "notice"):
                self.database.execute(f"delete from {table} where account=?", account)
            self.database.execute("delete from account where id=?", account)
        return [side["match"] for side in held]

    # ------------------------------------------------------------------ whose turn it is

    def subscribe(self, account: str, endpoint: str, keys: Mapping[str, str]) -> None:
        with self.database.writing():
            self.database.execute("delete from push where endpoint=?", endpoint)
            self.database.execute("insert into push values (?,?,?)", endpoint, account, json.dumps(dict(keys)))

    def unsubscribe(self, endpoint: str) -> None:
        with self.database.writing():
            self.database.execute("delete from push where endpoint=?", endpoint)

    def subscriptions(self, account: str) -> list[dict[str, Any]]:
        rows = self.database.execute("select endpoint, keys from push where account=?", account)
        return [{"endpoint": row["endpoint"], "keys": json.loads(row["keys"])} for row in rows]

    def note_turn(self, account: str, match: str, seq: int, after: float) -> None:
        """Tell somebody, in a moment, that a match waits; of each match only the newest note counts."""
        with self.database.writing():
            self.database.execute("delete from notice where account=? and match=?", account, match)
            self.database.execute(
                "insert into notice values (?,?,?,?,?)", secrets.token_urlsafe(9), account, match, seq, moment(after)
            )

    def due_notices(self) -> list[Row]:
        """Notes whose time has come, for this process alone."""
        with self.database.writing():
            return self.database.execute("delete from notice where due < ? returning account, match, seq", moment())


def soonest(days: float) -> str:
    """The end of a vacation that begins now, checked."""
    if not 0 <= days * 86400 <= LONGEST_VACATION:
        raise Problem(422, f"a vacation lasts at most {LONGEST_VACATION // 86400} days", "days")
    return moment(days * 86400)


def later(one: str, seconds: float) -> str:
    """So many seconds after a moment."""
    return datetime.fromtimestamp(datetime.fromisoformat(one).timestamp() + seconds, UTC).isoformat(
        timespec="milliseconds"
    )
