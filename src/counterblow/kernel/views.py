"""What players see of a game: counters, tracks, boxes, overlays, charts. See docs/writing-a-game.md, "Views"."""

from __future__ import annotations

from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from counterblow.kernel.flow import Decision

G = TypeVar("G", bound=Any)  # the game


class Line(NamedTuple):
    """Something that victory needs, or that would bring it nearer, and how it stands now."""

    side: int | None  # whose victory it serves; None: of whoever has it
    text: str
    now: str
    rule: str
    met: bool = False
    nodes: tuple[int, ...] = ()  # where on the map


class Verdict(NamedTuple):
    """Who has won, how decisively, why, and under which rules: what ``State.finish`` takes."""

    winner: int | None
    level: str
    reason: str
    rules: tuple[str, ...]


class Standing(NamedTuple):
    """How the game stands."""

    turns_left: int  # this one included
    verdict: Verdict  # if the game ended now
    needs: tuple[Line, ...]  # what victory needs
    changes: tuple[Line, ...]  # what would change it

    def to_json(self, game: Any) -> dict[str, Any]:
        """As data: sides, and hexes of the map, by their names."""
        winner, level, reason, rules = self.verdict
        return {
            "turns_left": self.turns_left,
            "verdict": {
                "winner": None if winner is None else game.sides[winner],
                "level": level,
                "reason": reason,
                "rules": list(rules),
            },
            "needs": [_line(line, game) for line in self.needs],
            "changes": [_line(line, game) for line in self.changes],
        }


def _line(line: Line, game: Any) -> dict[str, Any]:
    return {
        "side": None if line.side is None else game.sides[line.side],
        "text": line.text,
        "now": line.now,
        "rule": line.rule,
        "met": line.met,
        "hexes": [game.board.labels[node] for node in line.nodes],
    }


class Views(Generic[G]):
    """Base of a game's views. Nothing may be told that the viewer may not know; None views as a spectator."""

    losses: ClassVar[tuple[str, ...]] = ()  # the boxes and areas of the map that hold what was eliminated

    def __init__(self, game: G) -> None:
        self.game: G = game

    def turn_label(self, state: Any) -> str:
        """The date."""
        return f"Turn {state.turn}"

    def unit(self, state: Any, unit: int, side: int | None) -> dict[str, Any]:
        """One counter as a side sees it; empty if not even its presence may be known (in a hidden display)."""
        game = self.game
        at, owner = game.board.labels[state.at[unit]], game.sides[game.side_of[unit]]
        if not state.sees(side, unit):
            return {"at": at, "side": owner, "hidden": True}
        return {"id": unit, "name": game.unit_names[unit], "at": at, "side": owner, **self.counter(state, unit)}

    def counter(self, state: Any, unit: int) -> dict[str, Any]:
        """What a counter shows now."""
        return {}

    def extra(self, state: Any, side: int | None) -> dict[str, Any]:
        """Tracks, boxes, hands, markers."""
        return {}

    def standing(self, state: Any, side: int | None) -> Standing | None:
        """What victory needs, and how it stands now."""
        return None

    def overlay(self, state: Any, kind: str, side: int, unit: int | None, viewer: int | None) -> dict[str, Any]:
        """Something to lay over the map: {"hexes": {label: number or text}, "paths": {label: [labels]}}.

        ``kind`` is one of the game's ``overlays``; ``side`` is whose zones or supply, ``unit`` whose reach is asked;
        ``viewer`` is who looks: nothing may be told that ``view`` hides. Games add their own kinds.
        """
        return {"hexes": self._zones_seen(state, side, viewer)} if kind == "zoc" else {"hexes": {}}

    def _zones_seen(self, state: Any, side: int, viewer: int | None) -> dict[str, int]:
        """How many of the units that a viewer can see exert a zone of control into each hex."""
        game = self.game
        reached = bytearray(game.board.size)
        for unit in state.units_in_view():
            mark = state.counted[unit] & 127
            if mark and game.side_of[unit] == side and state.sees(viewer, unit):
                game.board.graph.zone(game.zones[mark - 1], reached, state.at[unit], 1)
        return {game.board.labels[node]: count for node, count in enumerate(reached) if count}

    def waiting(self, state: Any, decision: Decision) -> dict[str, Any]:
        """The decision as the other side sees it; games that must not reveal what is asked override this."""
        return {"side": decision.side, "kind": "", "prompt": f"{decision.side} decides", "rules": []}

    def tables(self) -> list[dict[str, Any]]:
        """The charts: [{"id", "title", "columns", "rows", "provenance"}]."""
        return []
