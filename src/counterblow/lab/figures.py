"""Figures of a position that every game has: for the records of the laboratory, turn by turn."""

from __future__ import annotations

from collections import Counter

from counterblow.kernel.state import State


def figures(state: State) -> dict[str, float]:
    """By name, in a fixed order: units, hexes and places of each side, its judgement, and the game's own tracks."""
    game = state.game
    extra = game.views.extra(state, None)
    places = Counter(extra.get("control", {}).values())
    found: dict[str, float] = {}
    for side, name in enumerate(game.sides):
        found[f"{name} units"] = sum(
            1 for unit, owner in enumerate(game.side_of) if owner == side and state.at[unit] >= 0
        )
        found[f"{name} hexes"] = len(state.held[side]) - state.held[side].count(0)
        found[f"{name} places"] = places[name]
        if not state.over:  # the weight of a won game would drown all the rest
            found[f"{name} judgement"] = game.judge.evaluate(state, side)
    for track in extra.get("tracks", ()):
        if isinstance(track["value"], int | float) and track["id"] != "turn":
            found[track["title"]] = track["value"]
    return {name: float(value) for name, value in found.items()}
