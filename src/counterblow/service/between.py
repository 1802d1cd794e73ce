"""Between the players: what they say, offer, accept and decide beforehand, and who gives up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from counterblow.service.errors import Problem
from counterblow.service.host import Host
from counterblow.service.live import LiveMatch
from counterblow.service.models import Answers
from counterblow.service.store import Entry, Offer
from counterblow.service.table import Table


class Between:
    """Used by one thread at a time, the clerk's."""

    def __init__(self, table: Table, host: Host) -> None:
        self.table, self.host = table, host

    def info(self, match: str, tokens: Sequence[str]) -> dict[str, Any]:
        """A match without its position: also while it waits."""
        known = self.table.known(match)
        held = self.table.holds(known.start, tokens)
        if not held and not known.start.spectators and not known.start.listed:
            raise Problem(401, "present the token of your seat", "Authorization")
        return {
            **self.table.summary(match),
            "sides": held,
            "people": self.table.people(match, held[0] if held else None),
        }

    def say(self, match: str, tokens: Sequence[str], text: str) -> dict[str, Any]:
        """A message to the other player."""
        side = next(iter(self.table.holds(self.table.known(match).start, tokens)), None)
        if side is None:
            raise Problem(401, "present the token of your seat", "Authorization")
        if not text:
            raise Problem(422, "there is nothing to say", "text")
        self.table.store.say(match, side, text)
        return {"done": True}

    def report(self, match: str, tokens: Sequence[str], text: str) -> dict[str, Any]:
        """Tell who runs the server what is wrong here."""
        if not self.table.holds(self.table.known(match).start, tokens):
            raise Problem(401, "present the token of your seat", "Authorization")
        self.table.accounts.report(self.table.account_of(tokens), match, text)
        return {"done": True}

    def resign(self, match: str, tokens: Sequence[str]) -> tuple[LiveMatch, int]:
        live, side = self.table.seated(match, tokens)
        self.table.playable(live)
        before = live.seq
        self.table.write(live, [resigned(live, side)])
        return live, before

    def offer(self, match: str, tokens: Sequence[str], kind: str) -> tuple[LiveMatch, int]:
        """Offer a draw, to take back, a rematch, or that both may ask the coach. The same from the other means yes."""
        live, side = self.table.seated(match, tokens)
        other = live.other(side)
        if live.seat(other).kind != "person":
            raise Problem(409, "the other side is a computer")
        if any(o.kind == kind and o.side == other for o in self.table.store.offers(match)):
            return self.answer(match, tokens, kind, True)
        self._sensible(live, side, kind)
        self.table.store.offer(match, Offer(side, kind, live.seq))
        self.table.offered(match)
        return live, live.seq

    def answer(self, match: str, tokens: Sequence[str], kind: str, accept: bool) -> tuple[LiveMatch, int]:
        live, side = self.table.seated(match, tokens)
        offer = next((o for o in self.table.store.offers(match) if o.kind == kind and o.side == live.other(side)), None)
        if offer is None:
            raise Problem(409, f"the other side has not offered that: {kind}", "kind")
        before = live.seq
        if accept:
            self._sensible(live, offer.side, kind)
        if accept and kind == "coach":
            self.table.store.offer(match, Offer(side, kind, live.seq))  # both offers stand: that is the agreement
            return live, before
        self.table.store.withdraw(match, offer.side, kind)
        if not accept and kind == "coach":
            self.table.store.withdraw(match, side, kind)  # who ends an agreement has nothing left to be accepted
        if not accept:
            return live, before
        if kind == "draw":
            self.table.write(live, [live.end("drawn", None, None, "drawn by agreement")])
        elif kind == "resign":
            self.table.write(live, [resigned(live, offer.side)])
        elif kind == "undo":
            entries = [live.undo(self.table.store)]
            while live.line and entries[-1].side != offer.side:
                entries.append(live.undo(self.table.store))
            self.table.write(live, entries)
        else:
            self.host.rematch(live)
        return live, before

    def _sensible(self, live: LiveMatch, side: str, kind: str) -> None:
        """Is there something to offer?"""
        if kind == "rematch":
            if not live.over:
                raise Problem(409, "a rematch comes after the match")
            if live.rematch is not None:
                raise Problem(409, "the rematch has begun")
            return
        self.table.playable(live)
        if kind == "coach" and self.table.coached(live):
            raise Problem(409, "both may ask the coach already")
        if kind == "undo" and not any(entry.side == side for entry in live.line):
            raise Problem(409, "there is nothing of yours to take back")

    def set_answers(self, match: str, tokens: Sequence[str], answers: Answers) -> tuple[LiveMatch, int]:
        """What this seat answers without being asked. It may be asked already: then it is answered now."""
        live, side = self.table.seated(match, tokens)
        self.table.playable(live)
        text = answers.model_dump_json()
        before = live.seq
        self.table.store.set_answers(match, side, text)
        live.start = replace(
            live.start, seats=tuple(replace(s, answers=text) if s.side == side else s for s in live.start.seats)
        )
        self.table.touch(match)
        if entries := self.table.answered(live):
            self.table.write(live, entries)
        return live, before


def resigned(live: LiveMatch, side: str) -> Entry:
    title = live.game.side_titles[live.game.side_number(side)]
    return live.end("resigned", side, live.other(side), f"{title} resigned")
