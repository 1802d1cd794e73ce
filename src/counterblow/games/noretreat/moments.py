"""When each kind of action has its time: what is refused of it at any other."""

from __future__ import annotations

from counterblow.games.noretreat.cards import PLAYS, why_not_play
from counterblow.games.noretreat.state import NoRetreatState
from counterblow.kernel.actions import Action
from counterblow.kernel.flow import BACK, Decision
from counterblow.kernel.rulebook import Citation, refuse

# kinds of action -> (phase to which they belong, "" if to none), rule, and when they come
TIMES: dict[tuple[str, ...], tuple[str, str, str]] = {
    ("discard",): ("", "5.4", "nothing is being paid for"),
    ("improve", "upgrade", "fortify", "revert"): ("organization", "7.0", "units are flipped in the Flip Step"),
    ("recover", "reinforce", "replace"): ("organization", "7.0", "units are brought on in the Placement Step"),
    ("ss_return",): ("organization", "13.5.23.c", "it is paid for in the Placement Step"),
    ("place", "rebuild"): ("organization", "7.0", "units are placed in the Placement Step"),
    ("reorganize",): ("organization", "7.0", "markers are paid off in the Reorganization Step"),
    ("detach", "detach_mech"): ("organization", "15.1", "an army is broken down in the Placement Step"),
    ("fortify_front",): ("organization", "15.2", "a front is turned in the Placement Step"),
    ("pick", "move"): ("movement", "8.0.a", "units move one at a time"),
    ("entrain",): ("movement", "9.1.a", "a unit entrains when it could move"),
    ("halt", "by"): ("", "8.0.a", "no unit is on the move"),
    ("boost",): ("movement", "5.0.d", "no event that speeds units up is being carried out"),
    ("reserve",): ("movement", "14.12.1", "the reserve is formed at the very end of a Soviet Movement Phase"),
    ("local",): ("movement", "15.3.a", "the marker is placed at the end of the Movement Phase"),
    ("alight", "detrain"): ("detraining", "9.2.d", "units detrain in their owner's Detraining Phase"),
    ("partisans",): ("detraining", "15.9", "the marker is placed in a Soviet Detraining Phase"),
    ("target",): ("combat", "10.1.a", "all targets are declared before any battle"),
    ("counterblow",): ("combat", "10.1.2.a", "Counterblows are declared after the targets, before any battle"),
    ("attack", "join", "add", "fight"): ("combat", "10.2", "each battle is completed before the next is chosen"),
    ("ground",): ("combat", "10.6.1.c", "no terrain has to be chosen"),
    ("support",): ("combat", "10.5.2.a", "a marker is committed by the attacker, before the roll"),
    ("counterattack", "decline"): ("combat", "10.7.CA", "no CA has been rolled"),
    ("blow",): ("combat", "10.7.CB", "no CB has been rolled"),
    ("lose",): ("combat", "10.7.1.b", "no loss has to be taken"),
    ("cadre",): ("combat", "14.9.2", "no unit was just eliminated by a DD or EX"),
    ("retreat",): ("combat", "10.7.5.a", "nobody has to retreat"),
    ("advance",): ("combat", "10.8.a", "no hex was just vacated after a DR, DS or DD"),
    ("shed",): ("", "8.4.3", "no hex is overstacked at the end of a phase, step or battle"),
    ("spare",): ("", "5.0.d", "no event that supplies units by air is being carried out"),
    ("by_rail",): ("", "5.0.d", "no event that sends units by rail is being carried out"),
    ("shift",): ("", "15.11.a", "the counter is moved once in a Victory Phase, by the side that may pay for it"),
    ("without", "everybody"): ("combat", "10.2", "no battle is being put together"),
    ("silent",): ("", "4.0.b", "what a phase asks is decided before the next phase begins"),
}  # fmt: skip
MOMENTS = {kind: when for kinds, when in TIMES.items() for kind in kinds}

BATTLES = ("attack", "join", "add", "fight", "support", "without", "everybody")
# decision -> kinds that come later or are over, the rule and the reason
ORDER: dict[str, tuple[tuple[str, ...], str, str]] = {
    "combat.DeclareTargets": (BATTLES, "10.1.a", "all targets are declared before any battle"),
    "combat.DeclareCounterblows": (BATTLES, "10.1.a", "all targets are declared before any battle"),
    "combat.ChooseBattle": (BATTLES[1:], "10.2", "first the battle is chosen"),
    "reinforcements.Place": (("place", "rebuild"), "7.6.a", "first the unit that comes on is chosen"),
    "combat.Attack": (("support",), "10.5.2.a", "markers are committed when the attack has been put together"),
    "rail.DetrainHex": (("alight", "partisans"), "9.2.a", "first the unit in hand detrains, or is taken back"),
    "rail.Detrain": (("partisans",), "15.9", "the marker is placed when units have detrained"),
    "stacking.Excess": (
        ("pick", "move", "entrain", "alight", "detrain"), "8.4.3", "first the units over the limit are taken off"
    ),
    "rail.SetReserve": (
        ("pick", "move", "entrain"), "14.12.1", "the reserve is formed at the very end: units have moved"
    ),
    "options.GiveSupport": (
        ("pick", "move", "entrain"), "15.3.a", "the marker is placed at the end of the phase: units have moved"
    ),
}  # fmt: skip
# step that is under way -> kinds that wait while something is decided in it
WAITING = {
    "organization.Flip": ("improve", "upgrade", "fortify", "revert"),
    "reinforcements.Place": ("recover", "reinforce", "replace", "ss_return", "place", "rebuild", "detach",
                             "detach_mech", "fortify_front"),
}  # fmt: skip
OPTIONAL = {
    "detach": "detachments", "detach_mech": "detachments", "fortify_front": "fortified_fronts",
    "local": "local_support", "partisans": "partisans", "shift": "variable_initiative",
}  # fmt: skip


def why_not_now(s: NoRetreatState, action: Action) -> Citation:
    """4.0.b: every phase is finished before the next; within a phase the rule of the action itself says when."""
    decision = s.decision
    assert decision is not None
    side = s.game.side_number(decision.side)
    if action.kind in PLAYS:
        return why_not_play(s, action, side, "")[0]
    now = decision.prompt.rstrip(".")
    if action.kind not in MOMENTS:  # pass, done, back
        return refuse(_asking(s, decision), f"{_why_not_over(decision, action)}: {now}")
    phase, rule, when = MOMENTS[action.kind]
    if action.kind in OPTIONAL and not s.options[OPTIONAL[action.kind]]:
        return refuse(rule, "this optional rule is not used")
    if phase and not s.during(phase):
        return refuse("4.0.b", f"that belongs to the {phase.title()} Phase")
    if action.kind == "shift" and s.turn >= s.game.shift_turn:
        rule = "15.11.b"
    if action.kind in ("pick", "move", "entrain"):
        if side != s.mover:
            return refuse("4.4", "only the phasing player moves units")
        if s.game.side_of[action.args[0]] != side:
            return refuse("8.0.b", "the other side's units do not move")
    kinds, order, why = ORDER.get(decision.kind, ((), "", ""))
    if action.kind in kinds:
        return refuse(order, why)
    steps = [s.game.flow.names[step[0]] for step in s.agenda[-2::-1]]
    if action.kind in next((WAITING[step] for step in steps if step in WAITING), ()):
        return refuse(_asking(s, decision), f"first this is decided: {decision.prompt}")
    return refuse(rule, f"{when}; now: {now}")


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
