"""Chapter 18: leaders."""

from __future__ import annotations

from counterblow.games.narvik.components import KGD
from counterblow.games.narvik.state import NarvikState


def activated(s: NarvikState, sub: int) -> int:
    """11.1.b: the units that a sub-command brings into an action; with Dietl also those near him (18.1.b)."""
    roster = s.game.roster
    mask: int = roster.sub_mask[sub]
    if sub == KGD and dietl_on_map(s):
        here = s.at[roster.dietl]
        for node in (here, *s.game.ground.around[here]):
            for unit in s.here.get(node, ()):
                if roster.side[unit] == roster.side[roster.dietl]:
                    mask |= 1 << unit
    return mask & ~(1 << roster.auchinleck)  # 18.2.b: Auchinleck never acts


def dietl_on_map(s: NarvikState) -> bool:
    """18.1.d"""
    return 0 <= s.at[s.game.roster.dietl] < s.game.ground.hexes


def auchinleck_in_staging(s: NarvikState) -> bool:
    """18.2.c, ruling D7: either Allied staging area will do."""
    ground = s.game.ground
    return s.at[s.game.roster.auchinleck] in (ground.harstad, ground.bardufoss)
