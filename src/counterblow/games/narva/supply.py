"""Chapter 10: supply and isolation."""

from __future__ import annotations

from collections.abc import Iterable

from counterblow.games.narva.components import GERMAN, SOVIET
from counterblow.games.narva.state import ADRIFT, ISOLATED, OUT_OF_SUPPLY, SUPPLIED, NarvaState, flow
from counterblow.kernel.graph import Counts, Steps
from counterblow.kernel.state import NOWHERE
from counterblow.kernel.supply import Lines

SEARCH = flow.later("headquarters.search")

# ---------------------------------------------------------------------- 10.1: tracing


class SupplyLines(Lines[NarvaState]):
    """10.1a: through road, hill and clear hexes free of enemy units and EZOC (5.5a), to a source (10.2a, 10.2b)."""

    def sources(self, s: NarvaState, side: int) -> Iterable[int]:
        return s.game.sources[side]

    def steps(self, s: NarvaState, side: int) -> Steps:
        """10.1.1a, 10.1.1b: not across major rivers but at bridges and ferries."""
        return s.game.ground.frost[s.frozen].supply

    def shut(self, s: NarvaState, side: int, lifted: int = NOWHERE) -> Counts:
        """10.1b, 5.5b: a friendly unit opens its hex and shields it from enemy zones.

        ``lifted`` is a hex whose units are to be thought away.
        """
        friends = s.presence(side)
        if lifted != NOWHERE:
            friends[lifted] = 0
        closed = int.from_bytes(s.zone[1 - side], "little") | s.game.ground.frost[s.frozen].closed
        return s.game.graph.shut(s.presence(1 - side), closed.to_bytes(len(friends), "little"), friends)


LINES = SupplyLines()


def where_supplied(s: NarvaState, side: int, lifted: int = NOWHERE) -> bytearray:
    """Per hex: could a unit of the side there trace a line? Its own presence opens the hex (9.5.4, ruling 46).

    10.2.1a: in Narva and its bridgehead no other line helps while the rollbahn is cut.
    """
    game = s.game
    found = game.graph.traceable(LINES.steps(s, side), LINES.shut(s, side, lifted), game.sources[side])
    for source in game.sources[side]:  # a unit on a source shields it, but nobody next to it
        found[source] = 1
    if side == GERMAN and any(s.owner(node) == SOVIET for node in game.rollbahn_supply):
        for node in game.narva_ground:
            found[node] = 0
    return found


def supplied_hexes(s: NarvaState, side: int) -> list[int]:
    """Hexes, and perhaps water, free of enemies where a unit could trace a line now."""
    return s.game.graph.at_most(s.game.graph.marked(where_supplied(s, side)), s.presence(1 - side), 0)


# ---------------------------------------------------------------------- 10.0: the supply phase


@flow.step
def supply_phase(s: NarvaState) -> None:
    """10.0a, 3.0e: both sides test every unit on the same position; what is found holds for a turn (10.1.2).

    Then HQs adrift look for a place (ruling 49).
    """
    for side in (GERMAN, SOVIET):
        supplied = where_supplied(s, side)
        changed = []
        for unit in s.out(side):
            after = new_state(s, unit, supplied[s.at[unit]] > 0 or unit == s.game.naval_brigade)  # 8.0.6h
            if after != s.supply[unit]:
                changed.append((s.at[unit], s.supply[unit], unit, after))
        only = side if s.options["fog"] else None  # 2.1.3: the enemy sees the marker on the stack
        for node, _, unit, after in sorted(changed, key=lambda change: change[:2]):  # the order tells no names
            word = ("is in supply again", "is out of supply", "is isolated")[after]
            s.supply[unit] = after  # 2.6.3
            s.log("supply", "{unit} in {place} " + word, "10.0d" if after == SUPPLIED else "10.0b", only=only,
                  public="A unit in {place} " + word, unit=unit, place=node)  # fmt: skip
    for hq in (*s.game.hq_roster[GERMAN], *s.game.hq_roster[SOVIET]):
        if s.fate[hq] == ADRIFT:
            s.push(SEARCH, hq, NOWHERE)


def new_state(s: NarvaState, unit: int, supplied: bool) -> int:
    """10.0b, 10.0c, 10.0d: what a unit gets. Narva and its bridgehead are never isolated (10.2.1b)."""
    if supplied:
        return SUPPLIED
    if s.supply[unit] == SUPPLIED or (s.game.side_of[unit] == GERMAN and s.at[unit] in s.game.narva_ground):
        return OUT_OF_SUPPLY
    return ISOLATED
