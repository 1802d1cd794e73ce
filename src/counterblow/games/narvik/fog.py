"""Chapter 21: fog of war. What a side may see is in NarvikState.sees; here are the recon action and guesses."""

from __future__ import annotations

from counterblow.games.narvik.state import NarvikState, flow
from counterblow.kernel.actions import Action
from counterblow.kernel.fog import exchange
from counterblow.kernel.masks import mask_of
from counterblow.kernel.pick import Pick
from counterblow.kernel.rulebook import refuse
from counterblow.kernel.state import NOWHERE, pair


@flow.choice
class Recon(Pick[NarvikState]):
    """21.0.b: any one hex; all enemy units in it and next to it are revealed."""

    kind, otherwise = "look", refuse("21.0.e", "staging areas and displays are not examined")

    def legal(self, s: NarvikState) -> list[Action]:
        return s.game.recon_actions

    def take(self, s: NarvikState, centre: int) -> None:
        units = [unit for node in (centre, *s.game.ground.around[centre]) for unit in s.here.get(node, ())]
        s.seen = pair(s.seen, s.mover, mask_of(units) & s.game.roster.side_mask[1 - s.mover])
        s.log("reveal", "{who} reconnoitres {place}", "21.0.b", "21.0.c", who=s.mover, place=centre)


def redeal(s: NarvikState, side: int) -> None:
    """Exchange enemy counters that a side cannot tell apart: same flag and code, hidden on the map or off it.

    Leaders, tanks and the railway gun stay where they are: elsewhere they would break a rule.
    """
    roster = s.game.roster
    known = s.shown | s.seen[side]  # seen before it left the map
    alike: dict[tuple[int, str], list[int]] = {}
    for unit, owner in enumerate(roster.side):
        fixed = roster.leader[unit] or roster.mech[unit] or roster.gun[unit] or known >> unit & 1
        if owner != side and not fixed and s.at[unit] != NOWHERE and not s.sees(side, unit):
            alike.setdefault((roster.nation[unit] if unit in roster.ground else -1, roster.code[unit]), []).append(unit)
    exchange(s, alike.values())
    s.recount_all()
