"""When each kind of action has its time: what is refused of it at any other. The moments stand in data/moments.toml."""

from __future__ import annotations

from counterblow.games.noretreat.cards import DISCARDS, PLAYS, Spend, why_not_play
from counterblow.games.noretreat.state import NOWHERE, NoRetreatState
from counterblow.kernel.actions import Action
from counterblow.kernel.flow import BACK, Decision
from counterblow.kernel.rulebook import Citation, refuse

# step that is under way -> kinds that wait while something is decided in it
WAITING = {
    "organization.Flip": ("improve", "upgrade", "fortify", "revert"),
    "reinforcements.Place": ("recover", "reinforce", "replace", "ss_return", "place", "rebuild", "detach",
                             "detach_mech", "fortify_front"),
}  # fmt: skip


def why_not_now(s: NoRetreatState, action: Action) -> Citation:
    """4.0.b: every phase is finished before the next; within a phase the rule of the action itself says when."""
    decision = s.decision
    assert decision is not None
    side = s.game.side_number(decision.side)
    if action.kind in PLAYS:
        return why_not_play(s, action, side, "")[0]
    now = decision.prompt.rstrip(".")
    moment = s.game.moments.find(action.kind, s.game.scene(s, action), s.options)
    if moment is None:  # pass, done, back
        return refuse(_asking(s, decision), f"{_why_not_over(decision, action)}: {now}")
    if action.kind in ("pick", "move", "entrain") and not moment.outside:
        if side != s.mover:
            return refuse("4.4", "only the phasing player moves units")
        if s.game.side_of[action.args[0]] != side:
            return refuse("8.0.b", "the other side's units do not move")
    if moment.during or moment.outside or moment.option:
        return moment.says
    steps = [s.game.flow.names[step[0]] for step in s.agenda[-2::-1]]
    if action.kind in next((WAITING[step] for step in steps if step in WAITING), ()):
        return refuse(_asking(s, decision), f"first this is decided: {decision.prompt}")
    return refuse(moment.says.rule, f"{moment.says.text}; now: {now}")


def scene(s: NoRetreatState, action: Action) -> list[str]:
    """What goes on besides decision and phase, in the words of data/moments.toml."""
    last, unit = s.agenda[-1], action.args[0] if s.game.act.blanks[action.kind][:1] == ("unit",) else NOWHERE
    words = {
        "from turn 12": s.turn >= s.game.shift_turn,
        "a price": isinstance(s.game.flow.choices[last[0]], Spend) and last[-1] not in DISCARDS,
        "a cadre": unit != NOWHERE and s.game.is_cadre[unit],
    }
    return [word for word, holds in words.items() if holds]


def _asking(s: NoRetreatState, decision: Decision) -> str:
    """The rule that wants the decision: a payment or exchange says which."""
    last = s.agenda[-1][-1]
    return last if isinstance(last, str) and last in s.game.rules else decision.rules[0]


def _why_not_over(decision: Decision, action: Action) -> str:
    """What ends or takes back, where it does not."""
    if action.kind == BACK:
        return "what is done is not taken back"
    if decision.passes is not None:
        return f'it is ended by "{decision.passes}"'
    return "this must be decided"
