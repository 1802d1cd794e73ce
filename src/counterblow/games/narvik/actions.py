"""Chapter 11: actions. One at a time, each paid for, carried out by one sub-command."""

from __future__ import annotations

from counterblow.games.narvik import amphibious, combat, engineers, strikes
from counterblow.games.narvik.components import ALLIED, GERMAN, KGD, SIDE_OF_SUB, SUBS_OF, ActionRow
from counterblow.games.narvik.fog import Recon
from counterblow.games.narvik.leaders import activated, near_dietl
from counterblow.games.narvik.movement import Movement
from counterblow.games.narvik.regroup import forecast_regroup, roll_regroup, units_to_regroup
from counterblow.games.narvik.state import NarvikState, flow
from counterblow.games.narvik.victory import warning
from counterblow.kernel.actions import Action
from counterblow.kernel.flow import Choice, Step
from counterblow.kernel.forecast import Forecast
from counterblow.kernel.gather import Plan
from counterblow.kernel.masks import mask_of
from counterblow.kernel.rulebook import Citation, refuse, refuse_if
from counterblow.kernel.state import pair

ACTIONS = "actions"  # the phase
MOVE, FIRE, ASSAULT, REGROUP, SAIL, WORK = 1, 2, 4, 8, 16, 32  # what units can do, as bits
WITH_SUB = {  # ruling D44: done by a sub-command that can
    "movement": MOVE, "fire": FIRE, "assault": ASSAULT, "regroup": REGROUP, "amphibious": SAIL, "engineers": WORK,
}  # fmt: skip
WITHOUT_SUB = ("landing", "air", "naval", "recon")  # 6.3.a: each is an action of its own


@flow.step
def actions_phase(s: NarvikState) -> None:
    """5.1.e, 6.4.c: the first player begins."""
    s.shown = s.passes = 0  # ruling D58: flak that a landing has revealed is hidden again
    s.push(next_action, s.first)


@flow.step
def next_action(s: NarvikState, side: int) -> None:
    """5.1.f, 5.1.g, 11.0.c, 11.0.d, 11.1.a: whose opportunity it is, if anybody's."""
    if s.ap == (0, 0) or s.passes >= 2:
        return
    if s.ap[side] == 0:
        if s.passes:
            return
        side = 1 - side  # the other side goes on until it passes or runs out (ruling D41)
    s.begin_phase(ACTIONS, side)
    s.push(Act)


@flow.choice
class Act(Choice[NarvikState]):
    """11.0.a: declare an action or pass."""

    def prompt(self, s: NarvikState) -> str:
        points = s.ap[s.mover]
        left = f"{points} action point{'s' * (points != 1)} left"
        return f"Declare an action or pass ({left}).{warning(s, s.mover)}"

    def legal(self, s: NarvikState) -> list[Action]:
        act, side = s.game.act, s.mover
        found = [act["pass"][()]]
        able = sub_commands(s, side)
        points, rows = s.ap[side], s.game.tables.actions
        for kind, bit in WITH_SUB.items():
            if points >= rows[kind].ap and side in rows[kind].sides:  # 6.2.b, 6.3.c
                table = act[kind]
                found += [table[sub] for sub in SUBS_OF[side] if able[sub] & bit]
        for kind in WITHOUT_SUB:
            if points >= rows[kind].ap and side in rows[kind].sides and can_take(s, side, kind):
                found.append(act[kind][()])
        return found

    def prices(self, s: NarvikState) -> dict[str, str]:
        """6.3.a: what each kind of action costs."""
        return {kind: f"{row.ap} AP" for kind, row in s.game.tables.actions.items()}

    def undone(self, s: NarvikState) -> str:
        """5.1.g: the second pass in a row ends the phase, and points do not keep."""
        points = s.ap[s.mover]
        if s.ap[1 - s.mover] and not s.passes:
            return ""
        why = "has passed too" if s.passes else "has none left"
        return f"{points} action point{'s' * (points != 1)} would be lost: the enemy {why}"

    def passes(self, s: NarvikState) -> Action:
        return s.game.act["pass"][()]

    def do(self, s: NarvikState, action: Action) -> None:
        """11.0.b, 11.0.e: name it, pay for it, activate; the points are gone whatever comes of it."""
        s.pop()
        if action.kind == "pass":
            s.passes += 1
            s.seen = pair(s.seen, s.mover, 0)  # 21.0.c
            s.log("pass", "{who} passes", "11.0.a", who=s.mover)
            s.push(next_action, 1 - s.mover)
            return
        s.passes = 0
        sub = action.args[0] if action.args else -1
        row: ActionRow = s.game.tables.actions[action.kind]
        s.gain(s.mover, -row.ap)
        s.clear_action()
        s.active = activated(s, sub) if sub >= 0 else 0
        ferries = s.game.ground.german_ferries if s.mover == GERMAN else s.game.ground.ferries  # 12.5.d
        s.terminals = mask_of([node for node in ferries if s.controls(s.mover, node)])
        cost = f"{row.ap} action point{'s' * (row.ap != 1)}"
        who = "{command}" if sub >= 0 else "{who}"
        s.log("action", f"{who}: {row.name} for {cost}, {{n}} left", row.rule,
              command=sub, who=s.mover, n=s.ap[s.mover])  # fmt: skip
        s.queue(*first_steps(s, action.kind, sub), (end_action, action.kind))

    def why_not(self, s: NarvikState, action: Action) -> list[Citation]:
        kind, side = action.kind, s.mover
        if kind not in s.game.tables.actions:
            return []
        row: ActionRow = s.game.tables.actions[kind]
        if row.option and not s.options[row.option]:
            return []
        rule, text = self.lacking(s, kind) or row.idle
        sub, left = action.args[0] if action.args else -1, s.ap[side]
        return [
            refuse_if(sub >= 0 and SIDE_OF_SUB[sub] != side, "1.2.a", "this sub-command belongs to the enemy")
            or refuse_if(side not in row.sides, "6.3.c", f"{row.name} is not open to this side")
            or refuse_if(left < row.ap, "6.2.b", f"{row.name} costs {row.ap} action points, {left} are left")
            or refuse(rule, f"{text} (ruling D70)")
        ]

    def lacking(self, s: NarvikState, kind: str) -> tuple[str, str] | None:
        """Who would act is not there."""
        if kind == "landing" and s.at[s.game.roster.marine] != s.game.ground.harstad:
            return "13.2.a", "the Royal Marines are not in Harstad"
        if kind in ("air", "naval") and not strikes.available(s, s.mover, kind):
            return "16.0.c", f"no {kind} strike is available"
        return None

    def forecast(self, s: NarvikState, action: Action) -> Forecast | None:
        return forecast_regroup(s, s.mover, action.args[0]) if action.kind == "regroup" else None


def sub_commands(s: NarvikState, side: int) -> list[int]:
    """What each sub-command could do with at least one of its units (ruling D70).

    In an overstacked hex any unit may be the one to fire (9.0.h): once activated it can be put on top (9.0.i).
    """
    roster, at, enemy, hexes = s.game.roster, s.at, s.occupied[1 - side], s.game.ground.hexes
    sub_of, side_of, ca, auchinleck = roster.sub, roster.side, roster.ca, roster.auchinleck
    able, zone, quiet = [0] * len(roster.of_sub), s.zone[1 - side], s.game.ground.quiet[side]
    for node, units in s.here.items():  # the order does not matter: bits are or-ed
        if side_of[units[0]] == side:
            can = MOVE if quiet[node] and not zone[node] else at_node(s, side, node)
            if can:
                for unit in units:
                    if unit != auchinleck:  # 18.2.b
                        able[sub_of[unit]] |= can if ca[unit] else can & ~ASSAULT
    fire_mask, reach = s.game.ground.fire_mask, roster.range
    for unit in roster.ranged[side]:
        if not able[sub_of[unit]] & FIRE and 0 <= at[unit] < hexes and fire_mask[reach[unit]][at[unit]] & enemy:
            able[sub_of[unit]] |= FIRE
    for unit in near_dietl(s) if side == GERMAN else ():  # 18.1.b: KGD can do what the units near Dietl can
        can = at_node(s, side, at[unit])
        able[KGD] |= can if ca[unit] else can & ~ASSAULT
        if combat.targets(s, combat.FIRE, unit, enemy):
            able[KGD] |= FIRE
    if s.options["engineers"]:  # 23.1.a: which sub-commands have an engineer that could try an operation?
        for sub in SUBS_OF[side]:
            if any(engineers.can_work(s, u) for u in engineers.workers(s, activated(s, sub))):
                able[sub] |= WORK
    return able


def at_node(s: NarvikState, side: int, node: int) -> int:
    """What units at a node can do there, if they are assault-capable: direct fire also over sea (14.2.e)."""
    ground = s.game.ground
    if node >= ground.hexes:
        if node in ground.staging[side]:
            return MOVE | SAIL if side == ALLIED else MOVE
        return REGROUP if node == ground.regroup[side] else 0
    can = MOVE | SAIL if side == ALLIED and node in ground.ports else MOVE
    if s.zone[1 - side][node] or node in ground.fires_over_sea:
        enemy = s.occupied[1 - side]
        if ground.fire_mask[1][node] & enemy:
            can |= FIRE | ASSAULT if ground.assault_mask[node] & enemy else FIRE
    return can


def can_take(s: NarvikState, side: int, kind: str) -> bool:
    """Would an action without a sub-command find anything to do (ruling D70)?"""
    if kind == "landing":
        return s.at[s.game.roster.marine] == s.game.ground.harstad and bool(amphibious.storm_targets(s))
    if kind == "recon":
        return bool(s.options["fog"]) and s.occupied[1 - side] != 0
    return strikes.available(s, side, kind) and strikes.reachable(s, side, kind) != 0


def first_steps(s: NarvikState, kind: str, sub: int) -> list[Step]:
    """What carries an action out."""
    if kind == "regroup":
        return [(roll_regroup, unit) for unit in units_to_regroup(s, s.mover, sub)]
    if kind == "landing":
        return [(amphibious.Storm, Plan(ALLIED, (), (s.game.roster.marine,)))]
    return [(strikes.Support, kind) if kind in ("air", "naval") else (FIRST_CHOICE[kind],)]


FIRST_CHOICE = {
    "movement": Movement, "fire": combat.Fire, "assault": combat.Assault, "amphibious": amphibious.Amphibious,
    "engineers": engineers.Engineers, "recon": Recon,
}  # fmt: skip


@flow.step
def end_action(s: NarvikState, kind: str) -> None:
    """The action is over: what it revealed is hidden again, and the other side comes.

    21.0.c: what a recon showed is hidden when its player has completed, or passed, another action.
    """
    s.shown = 0  # 21.0.d, ruling D58
    if kind != "recon":
        s.seen = pair(s.seen, s.mover, 0)
    s.clear_action()
    s.push(next_action, 1 - s.mover)


def running_action(s: NarvikState) -> str:
    """The kind of action that is being carried out, if any."""
    return next((step[1] for step in s.agenda if step[0] is end_action), "")
