"""A match being played, and what each seat may be shown of it.

Everything that leaves goes through ``view`` and ``Event.seen_by``.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from counterblow import players
from counterblow.kernel.actions import Action
from counterblow.kernel.errors import CounterblowError
from counterblow.kernel.events import Event
from counterblow.kernel.game import Game
from counterblow.kernel.record import Match
from counterblow.kernel.state import State
from counterblow.service.errors import Problem
from counterblow.service.showing import seen, summary, told, view
from counterblow.service.store import Entry, Known, Seat, Snapshot, Standing, Start, Store
from counterblow.service.story import LOOK_BACK, story
from counterblow.service.wire import dump, ready

OTHER_RULES = "it was played by version"
RECENT = 12  # states kept for taking back at once; older ones are played again from a snapshot
EVERY = 50  # actions from one snapshot to the next
PASSES = 8  # so often a person may still be asked before the computer player, for it to think ahead


class Diverged(Exception):
    """The log cannot be played by these rules, or plays differently."""

    def __init__(self, seq: int, why: str) -> None:
        super().__init__(why)
        self.seq = seq
        self.why = why


class Mark(NamedTuple):
    state: State
    recent: list[State]
    ply: int
    seq: int


class LiveMatch:
    """A match in memory: always what its log says."""

    def __init__(self, start: Start, game: Game, created: str = "", updated: str = "") -> None:
        self.start = start
        self.game = game
        self.created = created
        self.updated = updated
        self.frozen: str | None = None
        self.rematch: str | None = None
        self.ended: dict[str, Any] | None = None  # how, if not by the rules
        self.pace: dict[str, Any] | None = None if start.pace is None else json.loads(start.pace)
        self.due: str | None = None  # when the time of who decides is over
        self.on_clock: str | None = None  # whose time runs
        self.left = {seat.side: seat.clock for seat in start.seats if seat.clock is not None}
        self.seq = 0
        self.line: list[Entry] = []  # the actions that stand
        self.state: State
        self.set_up = "[]"
        self.dice = start.dice(game.sides)
        self._recent: list[State] = []  # before each of the last actions
        self._seqs: list[int] = []  # of the line
        self._views: dict[tuple[str | None, int], str] = {}

    # ------------------------------------------------------------------ opening

    @classmethod
    def begun(cls, start: Start, game: Game) -> LiveMatch:
        """A match before its first action."""
        live = cls(start, game)
        live.state = live._first()
        live.set_up = told(game, live.state.events, 0, None)
        return live

    @classmethod
    def opened(cls, game: Game, known: Known, store: Store) -> LiveMatch:
        """A stored match: from its last snapshot, and the entries since."""
        live = cls(known.start, game, known.created, known.updated)
        live.frozen, live.rematch, live.due = known.frozen, known.rematch, known.due
        entries = store.entries(known.start.id)
        if not entries or entries[0].seq != 0 or any(e.told is None for e in entries if e.kind == "do"):
            return live._told_anew(entries, store)
        if known.start.rules_version != game.version and known.frozen is None:
            return live._pinned_anew(entries, store)
        if known.start.rules_version == game.version and known.frozen and known.frozen.startswith(OTHER_RULES):
            live.frozen = None  # the old program is back
            store.freeze(known.start.id, None)
        for entry in entries:
            live._note(entry)
        if live.frozen is None:
            live.state = live.state_at(live.ply, store)
            live.on_clock = live.side if live.due else None
        else:
            live.state = live._as_far_as_it_goes()
        return live

    def _told_anew(self, entries: Sequence[Entry], store: Store) -> LiveMatch:
        """A log that did not keep what it told is played from the start."""
        live = LiveMatch.begun(self.start, self.game)
        live.created, live.updated = self.created, self.updated
        written = [live.first_entry()]
        for entry in entries:
            if entry.seq:
                try:
                    written.append(live.replay(entry))
                except CounterblowError as error:
                    store.freeze(self.start.id, f"entry {entry.seq} cannot be played: {error}")
                    live.frozen = f"entry {entry.seq} cannot be played: {error}"
                    return live
        store.retell(self.start.id, written)
        return live

    def _pinned_anew(self, entries: Sequence[Entry], store: Store) -> LiveMatch:
        """By new rules it goes on if every action tells the same as before; else it can only be read."""
        live = LiveMatch.begun(self.start, self.game)
        live.created, live.updated = self.created, self.updated
        try:
            live.check(entries)
        except Diverged as error:
            why = (
                f"{OTHER_RULES} {self.start.rules_version} of the rules and goes another way by version "
                f"{self.game.version}: entry {error.seq}: {error.why}"
            )
            store.freeze(self.start.id, why)
            self.frozen = why
            for entry in entries:
                self._note(entry)
            self.state = self._as_far_as_it_goes()
            return self
        store.pin(self.start.id, self.game.version)
        live.start = replace(self.start, rules_version=self.game.version)
        return live

    def check(self, entries: Sequence[Entry]) -> None:
        """Play a log from the start and compare what it tells; this match must be fresh."""
        if entries and entries[0].told != self.set_up:
            raise Diverged(0, "the set-up differs")
        for entry in entries[1:]:
            try:
                again = self.replay(entry)
            except CounterblowError as error:
                raise Diverged(entry.seq, f'"{entry.action}" cannot be played: {error}') from None
            if entry.told is not None and again.told != entry.told:
                raise Diverged(entry.seq, f'"{entry.action}" now tells something else')

    def _as_far_as_it_goes(self) -> State:
        """The last position that the program can still reach, for looking at."""
        state = self._first()
        for entry in self.line:
            before = state.copy()
            try:
                self._play(state, entry)
            except CounterblowError:
                return before
        return state

    def _first(self) -> State:
        seed = self.start.seed if self.dice is None else self.dice.generator(0)
        return self.game.start(self.start.scenario, seed, self.start.options)

    def state_at(self, ply: int, store: Store) -> State:
        """The state after so many actions."""
        back = self.ply - ply
        if back == 0 and hasattr(self, "state"):
            return self.state
        if 0 < back <= len(self._recent):
            return self._recent[-back].copy()
        state, first = None, 0
        for snapshot in store.snapshots(self.start.id, self.game.version, ply):
            if snapshot.ply == 0 or self._seqs[snapshot.ply - 1] == snapshot.tip:
                state, first = self.game.from_json(snapshot.state), snapshot.ply
                break
        if state is None:
            state = self._first()
        for number in range(first, ply):
            if ply - number <= RECENT and ply == self.ply and not back:
                self._remember(state)
            self._play(state, self.line[number])
        return state

    def _remember(self, state: State) -> None:
        self._recent.append(state.copy())
        del self._recent[:-RECENT]

    def _play(self, state: State, entry: Entry) -> list[Event]:
        if self.dice is not None:
            state.rng = self.dice.generator(entry.seq)
        assert entry.action is not None
        return state.do(entry.action)

    def snapshot(self) -> Snapshot | None:
        """To be kept, if it is time for one."""
        if not self.ply or self.ply % EVERY:
            return None
        return Snapshot(self.seq, self.ply, self._seqs[-1], self.state.to_json())

    # ------------------------------------------------------------------ changing

    def first_entry(self) -> Entry:
        return Entry(0, "start", None, None, self.set_up)

    def do(self, action: str, plan: str | None = None) -> Entry:
        """Carry out an action; the entry that says so."""
        state = self.state
        actor = state.actor(action)
        before = state.copy()
        if self.dice is not None:
            state.rng = self.dice.generator(self.seq + 1)
        rng = state.rng
        try:
            events = state.do(action)
        except BaseException:
            state.rng = before.rng
            raise
        free = (rng, before.dice) == (state.rng, state.dice) and self._may_take_back(before, actor, events)
        entry = Entry(self.seq + 1, "do", actor, action, told(self.game, events, self.ply + 1, actor), free, plan)
        self._remember(before)
        self._note(entry)
        return entry

    def _may_take_back(self, before: State, actor: str | None, events: Sequence[Event]) -> bool:
        """Beyond chance: did the action show something hidden, or, between people apart, might undoing it probe?

        There the other side must not have been asked; and where units are hidden only a choice may be taken back that
        has changed nothing yet. Both are plain to everybody, so that not even "this can be undone" tells anything.
        """
        if any(event.kind == "reveal" for event in events):
            return False
        if not self.start.remote:
            return True
        if self.state.side != actor:
            return False
        return not self.game.hides(before) or (not events and _position(before) == _position(self.state))

    def mark(self) -> Mark:
        """The match as it is, to come back to."""
        return Mark(self.state.copy(), self._recent[:], self.ply, self.seq)

    def back_to(self, mark: Mark) -> None:
        """Forget what was done since; only actions may have been."""
        self.state, self._recent, ply, self.seq = mark
        del self.line[ply:], self._seqs[ply:]

    def undo(self, store: Store) -> Entry:
        entry = Entry(self.seq + 1, "undo", self.line[-1].side, None, None)
        self.state = self.state_at(self.ply - 1, store)
        self._note(entry)
        return entry

    def end(self, how: str, side: str | None, winner: str | None, reason: str) -> Entry:
        """The match ends beside the rules: by resignation, agreement or the clock."""
        data = {"how": how, "side": side, "winner": winner, "reason": reason}
        entry = Entry(self.seq + 1, "end", side, json.dumps(data), None)
        self._note(entry)
        return entry

    def skip(self) -> Entry:
        """A number that leads nowhere: an action was taken back before the match came here."""
        entry = Entry(self.seq + 1, "gap", None, None, None)
        self._note(entry)
        return entry

    def follow(self, entries: Sequence[Entry], store: Store) -> None:
        """What another process has written."""
        for entry in entries:
            if entry.kind == "do":
                self._remember(self.state)
                self._play(self.state, entry)
            elif entry.kind == "undo":
                self.state = self.state_at(self.ply - 1, store)
            self._note(entry)

    def replay(self, entry: Entry) -> Entry:
        """An entry of an old log: the entry as it would be written now."""
        if entry.kind == "do":
            assert entry.action is not None
            return self.do(entry.action, entry.plan)
        if entry.kind == "undo":
            gone = self.line[-1]
            self.state = self._recent[-1].copy() if self._recent else self._as_far(self.ply - 1)
            entry = Entry(entry.seq, "undo", gone.side, None, None)
        self._note(entry)
        return entry

    def _as_far(self, ply: int) -> State:
        state = self._first()
        for entry in self.line[:ply]:
            self._play(state, entry)
        return state

    def _note(self, entry: Entry) -> None:
        """An entry has happened; the state is for the caller to change."""
        self.seq = entry.seq
        if entry.kind == "start":
            self.set_up = entry.told or "[]"
        elif entry.kind == "do":
            self.line.append(entry)
            self._seqs.append(entry.seq)
        elif entry.kind == "undo":
            self.line.pop()
            self._seqs.pop()
            if self._recent:
                self._recent.pop()
        elif entry.kind == "end":
            assert entry.action is not None
            self.ended = json.loads(entry.action)

    # ------------------------------------------------------------------ asking

    @property
    def ply(self) -> int:
        return len(self.line)

    @property
    def over(self) -> bool:
        return self.ended is not None or self.state.over

    @property
    def side(self) -> str | None:
        """Who decides; None when the match is over or cannot go on."""
        return None if self.over or self.frozen else self.state.side

    @property
    def undo_side(self) -> str | None:
        """The side that may take back the last action: the person who did it, before anything else happened."""
        if not self.line or not self.line[-1].free or self.ended or self.told_all or self.frozen:
            return None
        side = self.line[-1].side
        return side if side is not None and self.seat(side).kind == "person" else None

    @property
    def told_all(self) -> bool:
        """Has the end of the game opened the record to one of several persons? Then it is final."""
        return self.over and sum(seat.kind == "person" for seat in self.start.seats) > 1

    @property
    def thinking(self) -> bool:
        """Is a computer player to decide?"""
        side = self.side
        return side is not None and self.seat(side).kind == "computer"

    @property
    def plays_with_general(self) -> bool:
        """Is there a computer player who takes his time?"""
        return any((seat.player or "").startswith(players.General.name) for seat in self.start.seats)

    def foreseen(self) -> tuple[int, State] | None:
        """Where the other side will decide if who decides passes as long as he is asked: the last entry, the position.

        None if he cannot pass, or if chance would speak first.
        """
        state, actor = self.state.copy(), self.side
        for seq in range(self.seq + 1, self.seq + 1 + PASSES):
            passes = None if state.decision is None else state.decision.passes
            if passes is None:
                return None
            if self.dice is not None:
                state.rng = self.dice.generator(seq)
            chance = (state.rng, state.dice)
            state.do(passes)
            if chance != (state.rng, state.dice) or state.side is None:
                return None
            if state.side != actor:
                return seq, state
        return None

    @property
    def persons(self) -> bool:
        return any(seat.kind == "person" for seat in self.start.seats)

    def seat(self, side: str) -> Seat:
        return self.start.seat(side)

    def other(self, side: str) -> str:
        return self.game.sides[1 - self.game.sides.index(side)]

    @property
    def result(self) -> dict[str, Any] | None:
        if self.ended is not None:
            return {
                "winner": self.ended["winner"],
                "level": self.ended["how"],
                "reason": self.ended["reason"],
                "rules": [],
            }
        return self.state.result._asdict() if self.state.result else None

    def standing(self) -> Standing:
        return Standing(
            self.seq,
            self.ply,
            self.game.views.turn_label(self.state),
            self.side,
            self.result,
            "over" if self.over else "playing",
        )

    def to_record(self) -> dict[str, Any]:
        """The whole match in one file, played again for it."""
        match = Match(self.game, self.start.scenario, self.start.seed, self.start.options, self.dice)
        for entry in self.line:
            assert entry.action is not None
            match.do(entry.action, entry.seq)
        return match.to_record()

    # ------------------------------------------------------------------ showing

    def summary(self) -> dict[str, Any]:
        known = Known(self.start, self.standing(), self.created, self.updated, self.frozen, self.rematch, self.due)
        return {**summary(self.game, known), "clock": self.clock()}

    def clock(self) -> dict[str, Any] | None:
        return None if self.pace is None else {**self.pace, "due": self.due, "left": self.left}

    def state_for(
        self, side: str | None, shown: int | None, since: int, holds: Sequence[str], store: Store
    ) -> dict[str, Any]:
        """The match as a seat sees it after ``shown`` actions (None: now), with the log after ply ``since``."""
        if shown is not None and not 0 <= shown <= self.ply:
            raise Problem(422, f"ply should be from 0 to {self.ply}, not {shown}", "ply")
        at = self.ply if shown is None else shown
        return {
            **self.summary(),
            "viewer": side,
            "shown": at,
            "view": self._view(self.state_at(at, store), side),
            "log": self.log(side, since, at),
            **self._undo(side),
            "thinking": self.thinking,
            "record_open": self.record_open(holds),
            **({"story": story(self._excerpt(shown, store), shown, self._number(side))} if shown else {}),
        }

    def update_for(self, side: str | None, since: int) -> dict[str, Any]:
        """What changed since entry ``since``, for a seat."""
        return {**self._news(side, since), "view": self._view(self.state, side)}

    def update_text(self, side: str | None, since: int) -> str:
        """The same as JSON; its view is made once for all who look from this side until ``forget_views``."""
        text = self._views.get((side, self.seq))
        if text is None:
            text = self._views[side, self.seq] = dump(self._view(self.state, side))
        return dump({**self._news(side, since), "view": ready(text)})

    def forget_views(self) -> None:
        self._views.clear()

    def _news(self, side: str | None, since: int) -> dict[str, Any]:
        keep = bisect_right(self._seqs, since)
        return {
            "type": "update",
            "seq": self.seq,
            "ply": self.ply,
            "keep": keep,
            "events": self.log(side, keep, self.ply),
            "decider": self.side,
            "over": self.over,
            "result": self.result,
            "clock": self.clock(),
            **self._undo(side),
            "thinking": self.thinking,
        }

    def _view(self, state: State, side: str | None) -> dict[str, Any]:
        shown = view(state, side)
        if state is self.state and (self.ended or self.frozen):  # nobody decides any more, whatever the rules would say
            shown.update(legal=[], decision=None, result=self.result)
        return shown

    def _undo(self, side: str | None) -> dict[str, Any]:
        return {"can_undo": side is not None and side == self.undo_side, "undo_side": self.undo_side}

    def log(self, side: str | None, since: int, until: int) -> list[dict[str, Any]]:
        """What a seat may read of the log, after ply ``since`` up to ply ``until``; the set-up stands at ply 0.

        When the game is over it tells the plans of computer players, too.
        """
        log = seen(self.set_up, side) if since < 0 else []
        for entry in self.line[max(since, 0) : until]:
            read = seen(entry.told or "[]", side)
            if self.over and entry.plan and read:
                read[0]["plan"] = entry.plan
            log += read
        return log

    def plans_told(self, side: str) -> list[dict[str, Any]]:
        """What the computer did since this side acted last, and why: of what all may read, and each plan once."""
        plans: dict[str, dict[str, Any]] = {}
        for entry in reversed(self.line):
            if entry.side == side and plans:
                break
            if entry.plan and isinstance(read := json.loads(entry.told or "[]"), list) and read:
                plans.pop(entry.plan, None)  # it belongs where it was first acted upon
                plans[entry.plan] = {"done": read[0]["text"], "rules": read[0]["rules"], "plan": entry.plan}
        return list(reversed(plans.values()))

    def _excerpt(self, ply: int, store: Store) -> Excerpt:
        """The actions that lead to a ply, played again."""
        first = max(0, ply - 1 - LOOK_BACK)
        excerpt = Excerpt(self.game, first, self.state_at(first, store).copy())
        for entry in self.line[first:ply]:
            excerpt.play(entry.action or "", None if self.dice is None else self.dice.generator(entry.seq))
        return excerpt

    def _number(self, side: str | None) -> int | None:
        return None if side is None else self.game.side_number(side)

    def record_open(self, holds: Sequence[str]) -> bool:
        """The record tells where the dice come from, so it is closed while another person plays.

        At one table who holds all seats may have it; in a remote match nobody, until the end.
        """
        if self.over:
            return True
        persons = [seat.side for seat in self.start.seats if seat.kind == "person"]
        return not self.start.remote and bool(holds) and all(side in holds for side in persons)


class Excerpt(Match):
    """A few actions of a match, from a later state than its first; enough for the story of the last one."""

    def __init__(self, game: Game, first: int, state: State) -> None:
        self.game, self.first, self.state = game, first, state
        self.actions = [Action("", (), "")] * first
        self.events = [[] for _ in range(first)]
        self._states: list[State] = []

    def play(self, action: str, rng: int | None) -> None:
        self._states.append(self.state.copy())
        if rng is not None:
            self.state.rng = rng
        self.actions.append(self.state.parse(action))
        self.events.append(self.state.do(self.actions[-1]))

    def state_at(self, ply: int) -> State:
        place = ply - self.first
        if place < 0:
            raise IndexError("before the excerpt")
        return (self._states[place] if place < len(self._states) else self.state).copy()


def _position(state: State) -> dict[str, Any]:
    """All of a state but what is to be decided next."""
    data = state.to_data()
    del data["agenda"], data["rng"]
    return data
