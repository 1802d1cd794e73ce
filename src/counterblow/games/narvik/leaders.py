"""Chapter 18: leaders."""

from __future__ import annotations

from counterblow.games.narvik.components import GERMAN, KGD, SUBS
from counterblow.games.narvik.state import NarvikState
from counterblow.kernel.masks import bits, mask_of
from counterblow.kernel.rulebook import Citation, refuse, refuse_if


def activated(s: NarvikState, sub: int) -> int:
    """11.1.b: the units that a sub-command brings into an action; with Dietl also those near him (18.1.b)."""
    roster = s.game.roster
    mask: int = roster.sub_mask[sub]
    if sub == KGD:
        mask |= mask_of(near_dietl(s))
    return mask & ~int(1 << roster.auchinleck)  # 18.2.b: Auchinleck never acts


def why_idle(s: NarvikState, unit: int, rule: str = "11.1.b") -> Citation | None:
    """Why a unit takes no part in the action: another sub-command carries it out."""
    if s.active >> unit & 1:
        return None
    if unit in s.game.roster.strikes:
        return refuse("16.0.b", "strikes need an air or naval support action")
    sub = min([s.game.roster.sub[u] for u in bits(s.active)])  # KGD, if units near Dietl act with it
    apart = ", and it was not with Dietl or next to him" if sub == KGD else ""
    own = SUBS[s.game.roster.sub[unit]]
    return refuse(rule, f"{s.game.unit_names[unit]} belongs to {own}, but {SUBS[sub]} is activated{apart}")


def near_dietl(s: NarvikState) -> list[int]:
    """18.1.a, 18.1.b, 18.1.c: German units in Dietl's hex or next to it now; later they need not be."""
    here, side = s.at[s.game.roster.dietl], s.game.roster.side
    if not s.game.board.is_hex(here):
        return []
    nodes = (here, *s.game.ground.around[here])
    return [u for node in nodes for u in s.here.get(node, ()) if side[u] == GERMAN]


def why_auchinleck(s: NarvikState, unit: int) -> Citation | None:
    """Why a unit does not set out, if it is Auchinleck."""
    return refuse_if(unit == s.game.roster.auchinleck, "18.2.b", "Auchinleck never leaves the staging area")
