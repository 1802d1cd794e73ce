"""Chapter 11: the Marker/Unit Removal Phase."""

from __future__ import annotations

from counterblow.games.noretreat.cards import windows
from counterblow.games.noretreat.components import AXIS, DISORGANIZED, SOVIET, UNSUPPLIED
from counterblow.games.noretreat.special import eliminate
from counterblow.games.noretreat.state import NOWHERE, RUMANIA_OUT, NoRetreatState, flow
from counterblow.games.noretreat.supply import check, over, wanting


@flow.step
def removal_phase(s: NoRetreatState) -> None:
    """4.6, 11.1: marked units trace again, the phasing side's first."""
    if any(s.marks):  # somebody is Unsupplied or Disorganized
        s.queue((windows, "supply"), *check(s, surrender), (over,), (markers,))
    else:
        markers(s)


@flow.step
def surrender(s: NoRetreatState, side: int) -> None:
    """11.1.a, 6.5.6: those still without supply are eliminated."""
    for unit in wanting(s, side):
        eliminate(s, unit, "11.1.a", "6.5.6")
        if s.over:
            return


@flow.step
def markers(s: NoRetreatState) -> None:
    """11.2; CB markers placed in this player turn stay (10.7.3.d)."""
    for unit, marks in enumerate(bytes(s.marks)):
        if marks:
            s.unmark(unit, UNSUPPLIED | DISORGANIZED)
    s.standing = tuple(node for node in s.standing if s.held[s.mover][node])
    if s.partisan[1] != NOWHERE and s.mover == AXIS:  # 15.9: back four turns later
        s.partisan = (s.turn + 4, NOWHERE)
    oil = s.game.charts.site_node[s.game.charts.rumanian_oil]
    if any(s.is_red(unit) for unit in s.stack(oil) if s.game.side_of[unit] == SOVIET):
        rumania_surrenders(s)


def rumania_surrenders(s: NoRetreatState) -> None:
    """11.3.b, 14.2.b: both Rumanian armies leave the game (ruling 5)."""
    if s.flags & RUMANIA_OUT:
        return
    s.flags |= RUMANIA_OUT
    for unit in s.game.roster[AXIS]:
        if s.game.counters[unit].nation == "Rumanian":
            s.out_of_play(unit)
            s.log("removed", "{unit} leaves the game", "11.3.b", unit=unit)
