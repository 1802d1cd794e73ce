"""Chapter 21: fog of war. What a side may see is in NarvikState.sees; here is the recon action."""

from __future__ import annotations

from typing import Any

from counterblow.games.narvik.flow import NarvikChoice, arg, flow
from counterblow.games.narvik.state import NarvikState
from counterblow.kernel.actions import Action


@flow.choice
class Recon(NarvikChoice):
    """21.0.b: any one hex; all enemy units in it and next to it are revealed."""

    name = "recon"
    rules = ("21.0.b",)

    def prompt(self, s: NarvikState, *args: Any) -> str:
        return "Choose the hex to reconnoitre; enemy units in it and next to it are revealed."

    def legal(self, s: NarvikState, *args: Any) -> list[Action]:
        found: list[Action] = s.game.recon_actions
        return found

    def do(self, s: NarvikState, action: Action, *args: Any) -> None:
        side, centre = args[0], arg(action)
        s.pop()
        mask = 0
        for node in (centre, *s.game.ground.around[centre]):
            for unit in s.here.get(node, ()):
                if s.game.side_of[unit] != side:
                    mask |= 1 << unit
        s.seen = (mask, s.seen[1]) if side == 0 else (s.seen[0], mask)
        s.log("reveal", "{side} reconnoitres {hex}", "21.0.b", "21.0.c", side=side, hex=centre)
