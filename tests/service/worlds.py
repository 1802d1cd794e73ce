"""Two worlds that differ only in what one side cannot see, played alike: is it ever told something different?"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import counterblow
from counterblow.kernel import chance
from counterblow.kernel.game import Game
from counterblow.players.randomly import Randomly
from counterblow.service.live import LiveMatch
from counterblow.service.people import digest
from counterblow.service.store import Seat, Start
from counterblow.service.table import Table, overlay

FOG = ("fog",)


def live_match(game: Game, number: int) -> LiveMatch:
    options: dict[str, Any] = {name: True for name in FOG if name in game.options} | dict(game.apart)
    seats = tuple(Seat(side, "person", None, side, None, nonce=f"{number}") for side in game.sides)
    start = Start("m", game.slug, game.version, game.scenarios[0].name, options, 0, False, True, seats, "remote")
    return LiveMatch.begun(replace(start, secret=number.to_bytes(32)), game)


def twin(live: LiveMatch, side: int) -> LiveMatch:
    """The same match, all that the side cannot see dealt anew. It must not show."""
    other = LiveMatch(live.start, live.game)
    other.line, other._seqs, other.seq = live.line[:], live._seqs[:], live.seq
    other.state = live.state.copy()
    other.state.rng = chance.seeded(live.seq)
    live.game.judge.redeal(other.state, side)
    other.state.forget_choices()
    other.state.rng = live.state.rng
    name = live.game.sides[side]
    assert shown(other, name) == shown(live, name), f"{live.game.slug}: what {name} sees tells something hidden"
    return other


def shown(live: LiveMatch, side: str | None) -> dict[str, Any]:
    update = live.update_for(side, live.seq - 1)
    del update["thinking"]
    return update


def compare_worlds(slug: str, games: Sequence[int], actions: int) -> int:
    """Play, and at every own decision of a side try the same action in a twin world: how often nothing differed.

    Chance falls alike in both. Where the action brings a reveal, a fight or the other side's own doings, the worlds may
    part; then it must not be possible to take it back.
    """
    game = counterblow.load(slug)
    compared = 0
    for number in games:
        live, player = live_match(game, number + 1), Randomly(number)
        for _ in range(actions):
            side = live.state.decider
            if side is None:
                break
            action = str(player.choose(live.state, side))
            _same_to_both(live, side, action)
            compared += 1
            live.do(action)
    return compared


def _same_to_both(live: LiveMatch, side: int, action: str) -> None:
    name = live.game.sides[side]
    other = twin(live, side)
    here = copied(live)
    texts = [str(a) for a in other.state.legal()]
    assert texts == [str(a) for a in here.state.legal()], f"{live.game.slug}: the legal actions tell something hidden"
    assert told_beside(here, side, action) == told_beside(other, side, action)
    mine, theirs = here.do(action), other.do(action)
    assert mine.free == theirs.free, f'{live.game.slug}: that "{action}" can be undone tells something hidden'
    if mine.free:
        assert shown(here, name) == shown(other, name), f'{live.game.slug}: "{action}" can be undone and tells'


def told_beside(live: LiveMatch, side: int, action: str) -> dict[str, Any]:
    """What a seat can learn without acting: forecasts, reasons, overlays, and by looking as a spectator."""
    game, state, chance = live.game, live.state.copy(), random.Random(live.seq)
    legal = [str(a) for a in state.legal()]
    name = game.sides[side]
    found: dict[str, Any] = {"spectator": shown(live, None)}
    for text in {action, *chance.sample(legal, min(4, len(legal)))}:
        forecast = state.forecast(text)
        found[f"forecast of {text}"] = None if forecast is None else forecast.to_json()
    for entry in live.line[-12:]:  # mostly not legal any more
        found[f"why not {entry.action}"] = [tuple(c) for c in state.why_not(entry.action or "")]
    units = [unit for unit in state.units_in_view() if state.sees(side, unit)]
    for kind in game.overlays:
        for of in game.sides:
            found[f"{kind} of {of}"] = overlay(state, name, kind, of, None)
        for unit in chance.sample(units, min(2, len(units))):
            found[f"{kind} of {unit}"] = overlay(state, name, kind, None, unit)
    return found


def copied(live: LiveMatch) -> LiveMatch:
    other = LiveMatch(live.start, live.game)
    other.line, other._seqs, other.seq = live.line[:], live._seqs[:], live.seq
    other.state = live.state.copy()
    return other


def moments(slug: str, seed: int, plies: int, every: int) -> Iterator[tuple[LiveMatch, LiveMatch, int, str]]:
    """Now and then in a random match, where a side decides in its turn: the match, its twin, the side, the action."""
    game = counterblow.load(slug)
    live, player = live_match(game, seed), Randomly(seed)
    for ply in range(plies):
        if (side := live.state.decider) is None:
            return
        action = str(player.choose(live.state, side))
        if ply % every == every - 1 and side == live.state.mover:
            yield copied(live), twin(live, side), side, action
        live.do(action)


def put(table: Table, live: LiveMatch, match: str) -> dict[str, str]:
    """A copy of a match as it stands, on a service (in its clerk's thread): the keys of its seats."""
    tokens = {side: f"{match}-{side}" for side in live.game.sides}
    there = copied(live)
    seats = tuple(replace(seat, secret=digest(tokens[seat.side])) for seat in live.start.seats)
    there.start = replace(live.start, id=match, seats=seats)
    table.store.add(there.start, [there.first_entry(), *there.line], there.standing())
    table._live[match] = there
    return tokens
