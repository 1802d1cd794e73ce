"""How an action went, for showing it: the ways that units took, and the odds of a battle before its dice."""

from __future__ import annotations

from typing import Any

from counterblow.kernel.forecast import Forecast
from counterblow.kernel.record import Match
from counterblow.kernel.state import NOWHERE, State

LOOK_BACK = 12  # actions between the forecast of a battle and its dice: supports, events, reactions


def story(match: Match, ply: int, side: int | None) -> dict[str, Any]:
    """What a side (None: a spectator) may be shown of action number ``ply``."""
    before, after = match.state_at(ply - 1), match.state_at(ply)
    events = [event for event in match.events[ply - 1] if event.seen_by(side) is not None]
    battle = _odds(match, ply) if any(event.dice for event in events) and _sees_all(before, side) else None
    return {"paths": _ways(match, ply, before, after, side), "battle": None if battle is None else battle.to_json()}


def _ways(match: Match, ply: int, before: State, after: State, side: int | None) -> dict[int, list[str]]:
    """Unit -> the hexes it came through, the first and the last included, for units seen before and after."""
    labels = match.game.board.labels
    told = {
        unit: event.path
        for event in match.events[ply - 1]
        if event.path and (event.only is None or event.only == side)
        for unit in event.units
    }
    ways = {}
    for unit, (start, end) in enumerate(zip(before.at, after.at, strict=True)):
        if start == end or NOWHERE in (start, end) or not (before.sees(side, unit) and after.sees(side, unit)):
            continue
        way = told.get(unit) or ()
        if not way or way[-1] != end:
            ways[unit] = _found_way(before, unit, labels[start], labels[end])
        else:
            ways[unit] = [labels[node] for node in (way if way[0] == start else (start, *way))]
    return ways


def _found_way(before: State, unit: int, start: str, end: str) -> list[str]:
    """The way that the game finds for a unit to a hex in its reach; else straight there."""
    game = before.game
    if "reach" not in game.overlays:
        return [start, end]
    owner = game.side_of[unit]
    ways: dict[str, list[str]] = game.views.overlay(before, "reach", owner, unit, owner).get("paths", {})
    return ways.get(end) or [start, end]


def _sees_all(state: State, side: int | None) -> bool:
    """Is nothing on the map hidden from a side? A forecast names units and counts them."""
    return all(state.sees(side, unit) for unit, node in enumerate(state.at) if node != NOWHERE)


def _odds(match: Match, ply: int) -> Forecast | None:
    """The forecast of the action that threw the dice, or of the one before it that led there."""
    for at in range(ply - 1, max(-1, ply - 1 - LOOK_BACK), -1):
        if at < ply - 1 and any(event.dice for event in match.events[at]):
            return None
        before, action = match.state_at(at), match.actions[at]
        found = before.forecast(action) if action in before.legal() else None
        if found is not None:
            return found
    return None
