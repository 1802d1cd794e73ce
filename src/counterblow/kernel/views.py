"""What players see of a game: counters, tracks, boxes, overlays, charts. See docs/writing-a-game.md, "Views"."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from counterblow.kernel.flow import Decision

G = TypeVar("G", bound=Any)  # the game


class Views(Generic[G]):
    """Base of a game's views. Nothing may be told that the viewer may not know; None views as a spectator."""

    def __init__(self, game: G) -> None:
        self.game: G = game

    def turn_label(self, state: Any) -> str:
        """The date."""
        return str(self.game.turn_label(state))

    def unit(self, state: Any, unit: int, side: int | None) -> dict[str, Any]:
        """One counter as a side sees it; empty if not even its presence may be known (in a hidden display)."""
        game = self.game
        if type(game).unit_view.__module__ != "counterblow.kernel.game":  # being replaced: an override in the game
            shown: dict[str, Any] = game.unit_view(state, unit, side)
            return shown
        at, owner = game.board.labels[state.at[unit]], game.sides[game.side_of[unit]]
        if not state.sees(side, unit):
            return {"at": at, "side": owner, "hidden": True}
        return {"id": unit, "name": game.unit_names[unit], "at": at, "side": owner, **self.counter(state, unit)}

    def counter(self, state: Any, unit: int) -> dict[str, Any]:
        """What a counter shows now."""
        shown: dict[str, Any] = self.game.counter(state, unit)
        return shown

    def extra(self, state: Any, side: int | None) -> dict[str, Any]:
        """Tracks, boxes, hands, markers."""
        shown: dict[str, Any] = self.game.extra_view(state, side)
        return shown

    def overlay(self, state: Any, kind: str, side: int, unit: int | None, viewer: int | None) -> dict[str, Any]:
        """Something to lay over the map: {"hexes": {label: number or text}, "paths": {label: [labels]}}."""
        shown: dict[str, Any] = self.game.overlay(state, kind, side, unit, viewer)
        return shown

    def waiting(self, state: Any, decision: Decision) -> dict[str, Any]:
        """The decision as the other side sees it; games that must not reveal what is asked override this."""
        shown: dict[str, Any] = self.game.waiting_view(state, decision)
        return shown

    def tables(self) -> list[dict[str, Any]]:
        """The charts: [{"id", "title", "columns", "rows", "provenance"}]."""
        shown: list[dict[str, Any]] = self.game.tables_view()
        return shown
