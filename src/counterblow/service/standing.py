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
    if answers["mode"] == "ask" or not live.state.phase.startswith(f"{live.other(side)}."):
        return None
    legal = live.state.legal()
    decision = live.state.decision
    passing = None if decision is None else decision.passes
    others = [action for action in legal if action.args]
    if passing is None or not all(_card(live, action) is not None for action in others):
        return None
    wanted = answers["mode"] == "only" and any(_card(live, action) in answers["cards"] for action in others)
    return None if wanted else passing


def _card(live: LiveMatch, action: Action) -> int | None:
    """The card that an action plays."""
    blanks = live.game.act.blanks[action.kind]
    return next((number for blank, number in zip(blanks, action.args, strict=True) if blank == "card"), None)
