"""Chapter 6: action points and initiative."""

from __future__ import annotations

from counterblow.games.narvik.components import ALLIED, GERMAN
from counterblow.games.narvik.state import NarvikState, flow
from counterblow.kernel.forecast import Modifier

LEADERS = (("Dietl is on the map", "6.1.f"), ("Auchinleck is in a staging area", "6.1.c"))
PEAKS = "three or more numbered peaks occupied"


def objectives(s: NarvikState, side: int) -> int:
    """Objective hexes that a side occupies (4.4.b)."""
    return sum(s.occupies(side, node) for node in s.game.ground.objectives)


def bonuses(s: NarvikState, side: int) -> list[Modifier]:
    """6.1: everything that is added to the die."""
    table, roster, german, held = s.game.tables, s.game.roster, side == GERMAN, objectives(s, side)
    numbered = s.game.ground.numbered  # 6.1.j: only numbered peaks count
    peaks = sum(s.occupies(side, node) for node in numbered)
    signal = german and any(roster.signal[u] for node in numbered for u in s.here.get(node, ()))
    each = "objective_with_signal" if signal else "objective"
    leader = s.at[roster.dietl if german else roster.auchinleck]
    leads = s.game.board.is_hex(leader) if german else leader in s.game.ground.staging[ALLIED]  # 18.1.d, 18.2.c
    relief = table.relief_ap[s.relief] if german else 0
    added = (
        (leads, table.ap["dietl" if german else "auchinleck"]["ap"], *LEADERS[side]),
        (held, held * table.ap[each]["ap"], f"objectives occupied: {held}", "6.1.g" if german else "6.1.d"),
        (relief, relief, f"relief column at {table.relief_names[s.relief]}", "6.1.h"),
        (peaks >= table.ap["peaks"]["needed"], table.ap["peaks"]["ap"], PEAKS, "6.1.e"),
    )
    return [Modifier(points, words, rule) for holds, points, words, rule in added if holds]


@flow.step
def determine_points(s: NarvikState) -> None:
    """6.1.a, 6.1.b: both markers go to zero, then each side rolls and adds."""
    s.ap = (0, 0)
    for side in (GERMAN, ALLIED):
        die = s.roll()
        added = bonuses(s, side)
        total = die + sum([int(m.amount) for m in added])
        s.gain(side, total)  # 6.2.a: no more than the track holds
        parts = "".join(f", {m.amount:+d} {m.text}" for m in added)
        lost = f" (the track ends at {s.ap[side]})" if s.ap[side] < total else ""
        points = f"{total} action point{'s' * (total != 1)}{lost}"
        s.log("points", f"{{who}} has {points}, die {{n}}{parts}", "6.1.b", *[m.rule for m in added],
              who=side, n=die)  # fmt: skip


@flow.step
def determine_initiative(s: NarvikState) -> None:
    """6.4.a, 6.4.d: more points, event points included; a tie goes to the Allies."""
    s.first = GERMAN if s.ap[GERMAN] > s.ap[ALLIED] else ALLIED
    rule = "6.4.b" if s.ap[GERMAN] == s.ap[ALLIED] else "6.4.a"
    s.log("initiative", "{who} has the initiative", rule, who=s.first)
