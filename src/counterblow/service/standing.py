"""Standing answers: what a seat says to questions in the other's turn without being asked."""

from __future__ import annotations

import json

from counterblow.kernel.actions import Action
from counterblow.service.live import LiveMatch


def standing_pass(live: LiveMatch) -> Action | None:
    """The pass that a seat gave in advance: to a question in the other's turn, about cards or nothing at all."""
    side = live.side
    if side is None or live.seat(side).kind != "person" or (text := live.seat(side).answers) is None:
        return None
    answers = json.loads(text)
    mode, never_here = answers["mode"], answers.get("never_here", [])
    if (mode == "ask" and not never_here) or not live.state.phase.startswith(f"{live.other(side)}."):
        return None
    others = [action for action in live.state.legal() if action.args]
    decision = live.state.decision
    if decision is None or decision.passes is None or any(_card(live, action) is None for action in others):
        return None
    if mode == "never" or decision.prompt in never_here:
        return decision.passes
    held = any(_card(live, action) in answers["cards"] for action in others)
    return None if mode == "ask" or held else decision.passes


def _card(live: LiveMatch, action: Action) -> int | None:
    """The card that an action plays."""
    blanks = live.game.act.blanks[action.kind]
    return next((number for blank, number in zip(blanks, action.args, strict=True) if blank == "card"), None)
