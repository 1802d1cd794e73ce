"""Chapter 11: actions. One at a time, each paid for, carried out by one sub-command."""

from __future__ import annotations

from counterblow.games.narvik import amphibious, combat, engineers, strikes
from counterblow.games.narvik.components import ALLIED, GERMAN, KGD, SIDE_OF_SUB, SUBS_OF, ActionRow
from counterblow.games.narvik.fog import Recon
from counterblow.games.narvik.leaders import activated, near_dietl
from counterblow.games.narvik.movement import Movement, controlled_terminals
from counterblow.games.narvik.regroup import forecast_regroup, roll_regroup, units_to_regroup
from counterblow.games.narvik.state import NarvikState, flow
from counterblow.games.narvik.victory import warning
from counterblow.kernel.actions import Action
from counterblow.kernel.flow import BACK, EVERYBODY, WITHOUT, Choice, Step
from counterblow.kernel.forecast import Forecast
from counterblow.kernel.gather import Plan
from counterblow.kernel.rulebook import Citation, refuse

ACTIONS = "Actions"  # the phase
WITH_SUB = ("movement", "fire", "assault", "regroup", "amphibious", "engineers")  # ruling D44
# 6.3.a: each is an action of its own
WITHOUT_SUB = ("landing", "air", "naval", "recon")
MOVE, FIRE, ASSAULT, REGROUP, SAIL, WORK = (1 << n for n in range(len(WITH_SUB)))
CAPABILITY = dict(zip(WITH_SUB, (MOVE, FIRE, ASSAULT, REGROUP, SAIL, WORK), strict=True))


# ruling D70: what is missing when nobody could carry out an action, and the rule that asks for it
IDLE = {
    "movement": ("12.0.a", "no unit of the sub-command is on the map or in a staging area"),
    "fire": ("14.2.a", "no unit of the sub-command has an enemy within range and line of fire"),
    "assault": ("14.4.b", "no assault-capable unit of the sub-command is next to an enemy"),
    "regroup": ("17.0.a", "no unit of the sub-command is available for regroup"),
    "amphibious": ("13.0.b", "no unit of the sub-command is in a coastal hex or a staging area"),
    "engineers": ("23.1.a", "no engineer of the sub-command has anything to work on"),
    "landing": ("13.2.b", "the enemy holds no coastal hex next to the open sea"),
    "air": ("16.0.d", "no enemy is on the map"),
    "naval": ("16.0.e", "the enemy holds no coastal hex"),
    "recon": ("21.0.b", "no enemy is on the map"),
}


@flow.step
def actions_phase(s: NarvikState) -> None:
    """5.1.e, 6.4.c: the first player begins."""
    s.passes = 0
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

    rules = ("11.0.a", "5.1.e")

    def prompt(self, s: NarvikState) -> str:
        points = s.ap[s.mover]
        left = f"{points} action point{'s' * (points != 1)} left"
        return f"Declare an action or pass ({left}).{warning(s, s.mover)}"

    def legal(self, s: NarvikState) -> list[Action]:
        act, side = s.game.act, s.mover
        found = [act["pass"][()]]
        able = sub_commands(s, side)
        points, rows = s.ap[side], s.game.tables.actions
        for kind in WITH_SUB:
            if points >= rows[kind].ap and side in rows[kind].sides:  # 6.2.b, 6.3.c
                table, bit = act[kind], CAPABILITY[kind]
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
        action: Action = s.game.act["pass"][()]
        return action

    def do(self, s: NarvikState, action: Action) -> None:
        s.pop()
        if action.kind == "pass":
            s.passes += 1
            hide_recon(s)
            s.log("pass", "{who} passes", "11.0.a", who=s.mover)
            s.push(next_action, 1 - s.mover)
            return
        s.passes = 0
        sub = action.args[0] if action.args else -1
        declare(s, action.kind, sub)
        s.queue(first_step(s, action.kind, sub), (end_action, action.kind))

    def why_not(self, s: NarvikState, action: Action) -> list[Citation]:
        kind, side = action.kind, s.mover
        if kind not in s.game.tables.actions:
            return []
        row: ActionRow = s.game.tables.actions[kind]
        sub = action.args[0] if action.args else -1
        if kind in OPTIONAL and not s.options[OPTIONAL[kind]]:
            return []
        if sub >= 0 and SIDE_OF_SUB[sub] != side:
            return [refuse("1.2.a", "this sub-command belongs to the enemy")]
        if side not in row.sides:
            return [refuse("6.3.c", f"{row.name} is not open to this side")]
        if s.ap[side] < row.ap:
            return [refuse("6.2.b", f"{row.name} costs {row.ap} action points, {s.ap[side]} are left")]
        rule, text = self.lacking(s, kind) or IDLE[kind]
        return [refuse(rule, f"{text} (ruling D70)")]

    def lacking(self, s: NarvikState, kind: str) -> tuple[str, str] | None:
        """Who would act is not there."""
        ground = s.game.ground
        if kind == "landing" and s.at[s.game.roster.marine] != ground.harstad:
            return "13.2.a", "the Royal Marines are not in Harstad"
        available = s.here.get(ground.strikes[s.mover], ())
        if kind in ("air", "naval") and not any(strikes.is_of_kind(s, unit, kind) for unit in available):
            return "16.0.c", f"no {kind} strike is available"
        return None

    def forecast(self, s: NarvikState, action: Action) -> Forecast | None:
        return forecast_regroup(s, s.mover, action.args[0]) if action.kind == "regroup" else None


def sub_commands(s: NarvikState, side: int) -> list[int]:
    """What each sub-command could do with at least one of its units (ruling D70).

    In an overstacked hex any unit may be the one to fire (9.0.h): once activated it can be put on top (9.0.i).
    """
    ground, sub_of, side_of = s.game.ground, s.game.roster.sub, s.game.roster.side
    hexes, ports, sea_fire, zone = ground.hexes, ground.ports, ground.fires_over_sea, s.zone[1 - side]
    able, auchinleck = [0] * len(s.game.roster.of_sub), s.game.roster.auchinleck
    for node, units in s.here.items():  # the order does not matter: bits are or-ed
        if side_of[units[0]] != side:
            continue
        if node >= hexes:
            can = _off_map(s, side, node)
            units = tuple(u for u in units if u != auchinleck) if can else ()  # 18.2.b
        else:
            can = MOVE | SAIL if side == ALLIED and node in ports else MOVE
            if zone[node] or node in sea_fire:
                _close(s, side, node, units, able)
        for unit in units:
            able[sub_of[unit]] |= can
    at, enemy, fire_mask, reach = s.at, s.occupied[1 - side], ground.fire_mask, s.game.roster.range
    for unit in s.game.roster.ranged[side]:
        if not able[sub_of[unit]] & FIRE and 0 <= at[unit] < hexes and fire_mask[reach[unit]][at[unit]] & enemy:
            able[sub_of[unit]] |= FIRE
    if side == GERMAN:
        _with_dietl(s, able)
    if s.options["engineers"]:
        _works(s, side, able)
    return able


def _with_dietl(s: NarvikState, able: list[int]) -> None:
    """18.1.b: KGD can do what the units near Dietl can."""
    ground, sub_of, zone = s.game.ground, s.game.roster.sub, s.zone[ALLIED]
    for unit in near_dietl(s):
        able[KGD] |= MOVE
        node = s.at[unit]
        if zone[node] or node in ground.fires_over_sea:
            alone = [0] * len(able)
            _close(s, GERMAN, node, (unit,), alone)
            able[KGD] |= alone[sub_of[unit]]
        if not able[KGD] & FIRE and combat.targets(s, combat.FIRE, unit, s.occupied[ALLIED]):
            able[KGD] |= FIRE


def _works(s: NarvikState, side: int, able: list[int]) -> None:
    """23.1.a: which sub-commands have an engineer that could try an operation?"""
    for sub in SUBS_OF[side]:
        if any(engineers.can_work(s, u) for u in engineers.workers(s, activated(s, sub))):
            able[sub] |= WORK


def _off_map(s: NarvikState, side: int, node: int) -> int:
    """What units in a staging area or display can do."""
    ground = s.game.ground
    if node == ground.regroup[side]:
        return REGROUP
    if node not in ground.staging[side]:
        return 0
    return MOVE | SAIL if side == ALLIED else MOVE


def _close(s: NarvikState, side: int, node: int, units: tuple[int, ...], able: list[int]) -> None:
    """Add what units in a hex can do to enemies next to it: direct fire, also over sea (14.2.e), and assault."""
    ground, roster, enemy = s.game.ground, s.game.roster, s.occupied[1 - side]
    if ground.fire_mask[1][node] & enemy:
        assault = ground.assault_mask[node] & enemy
        for unit in units:
            able[roster.sub[unit]] |= FIRE | ASSAULT if assault and roster.ca[unit] else FIRE


def can_take(s: NarvikState, side: int, kind: str) -> bool:
    """Would an action without a sub-command find anything to do (ruling D70)?"""
    if kind == "landing":
        return amphibious.can_storm(s)
    if kind == "recon":
        return bool(s.options["fog"]) and s.enemy_mask(side) != 0
    return strikes.anything_to_strike(s, side, kind)


def declare(s: NarvikState, kind: str, sub: int) -> None:
    """11.0.b, 11.0.e: name it, pay for it, activate; the points are gone whatever comes of it."""
    row: ActionRow = s.game.tables.actions[kind]
    s.gain(s.mover, -row.ap)
    s.clear_action()
    s.active = activated(s, sub) if sub >= 0 else 0
    s.terminals = controlled_terminals(s, s.mover)
    cost = f"{row.ap} action point{'s' * (row.ap != 1)}"
    who = "{command}" if sub >= 0 else "{who}"
    s.log("action", f"{who}: {row.name} for {cost}, {{n}} left", row.rule, command=sub, who=s.mover, n=s.ap[s.mover])


def first_step(s: NarvikState, kind: str, sub: int) -> Step:
    """What carries an action out."""
    if kind == "regroup":
        return (roll_regroup, tuple(units_to_regroup(s, s.mover, sub)))
    if kind == "landing":
        return (amphibious.Storm, Plan(ALLIED, (), (s.game.roster.marine,)))
    return (strikes.Support, kind) if kind in ("air", "naval") else (FIRST_CHOICE[kind],)


FIRST_CHOICE = {
    "movement": Movement, "fire": combat.Fire, "assault": combat.Assault, "amphibious": amphibious.Amphibious,
    "engineers": engineers.Engineers, "recon": Recon,
}  # fmt: skip


@flow.step
def end_action(s: NarvikState, kind: str) -> None:
    """The action is over: what it revealed is hidden again, and the other side comes."""
    s.shown = 0  # 21.0.d, ruling D58
    if kind != "recon":
        hide_recon(s)
    s.clear_action()
    s.push(next_action, 1 - s.mover)


def hide_recon(s: NarvikState) -> None:
    """21.0.c: what a recon showed is hidden when its player has completed, or passed, another action."""
    if s.seen[s.mover]:
        s.seen = (0, s.seen[1]) if s.mover == 0 else (s.seen[0], 0)


# ------------------------------------------------------------------ out of its time

IN_SET_UP = ("set_up", "put", "standard", "finish")
IN_PREPARATION = (
    "rally", "transfer", "buy", "buy_none", "formation", "formation_none", "station", "land", "enter",
)  # fmt: skip
MARCHES = ("move", "to", "rail", "ferry", "infiltrate", "drop", "halt")
ATTACKS = ("attack", "at", "end_assaults")
# kinds -> the actions in which they have their place, and the rule that keeps them there
BELONGS = (
    (("strike", "on", "resolve", "bomb", "bomb_with"), ("air", "naval"), "16.0.b", "strikes need a support action"),
    (("embark", "sail"), ("amphibious",), "13.0.a", "units sail in an amphibious movement action"),
    (("escort", "storm"), ("landing",), "13.2.a", "the marines assault in an action of their own"),
    (("entrench", "bridge", "demolish", "demolish_bridge", "repair"), ("engineers",), "23.1.a",
     "engineers work in an engineer action"),
    (("return",), ("regroup",), "17.0.b", "only a unit that has just regrouped returns"),
    (("look",), ("recon",), "21.0.b", "it takes a recon action"),
    (("retreat",), (), "14.5.c", "no combat result makes a unit retreat now"),
    (("pursue", "end_pursuit"), (), "15.2.a", "no close assault has just cleared a hex"),
    (("counter",), (), "14.4.1.b", "a counterattack comes after the close assaults into a hex"),
    (("remove_bridge", "keep_bridge"), (), "23.3.2.a", "nobody has just crossed a bridge"),
)  # fmt: skip
# kinds that an option brings into play
OPTIONAL = {
    **dict.fromkeys(("engineers", "entrench", "bridge", "demolish", "demolish_bridge", "repair"), "engineers"),
    **dict.fromkeys(("keep_bridge", "remove_bridge"), "engineers"), "recon": "fog", "look": "fog",
    "buy": "british_options", "buy_none": "british_options", "enter": "second_division",
}  # fmt: skip
DECLARE_FIRST = ("11.0.b", "first an action is declared")
# decision -> what everything else has to wait for, and the rule that says so
WAITS = {
    "actions.Act": DECLARE_FIRST,
    "movement.Movement": ("12.0.a", "first choose the unit that moves"),
    "movement.March": ("12.0.d", "first the unit or stack in hand moves, or is taken back"),
    "combat.Fire": ("14.1.a", "first choose the unit that fires"),
    "combat.Assault": ("14.1.a", "first choose the unit that assaults"),
    "combat.Aim": ("14.1.b", "first the group in hand gets its target, or is taken back"),
    "results.MoreAssaults": ("14.4.1.b", "first the assaults on this hex are completed"),
    "results.Counterattack": ("14.4.1.b", "the assaults are over: first the counterattack is made or declined"),
    "retreat.Retreat": ("14.1.g", "first the retreat: a result is applied at once"),
    "advance.Pursuit": ("5.0.a", "first the pursuit is made or ended"),
    "stacking.Arrange": ("9.0.i", "first the stack is put in order, or keeps its order"),
    "engineers.Engineers": ("23.1.a", "first choose an engineer's operation"),
    "engineers.BridgeStays": ("23.3.2.a", "first the bridge that was crossed is kept or removed"),
    "regroup.ReturnHex": ("17.0.b", "first the regrouped unit is deployed"),
    "strikes.Support": ("16.0.g", "first the strikes are chosen and placed, one by one"),
    "strikes.PlaceStrike": ("16.0.g", "first the strike in hand is placed, or taken back"),
    "strikes.ResolveStrikes": ("16.0.g", "all strikes are placed: now they are resolved"),
    "amphibious.Amphibious": ("13.0.a", "first choose the unit that embarks"),
    "amphibious.Sail": ("12.0.d", "first the unit in hand sails, or is taken back"),
    "amphibious.Storm": ("13.2.d", "first the marines make their assault"),
    "fog.Recon": ("21.0.b", "first the hex is named"),
}


def why_not_now(s: NarvikState, action: Action) -> Citation | None:
    """Why something of which the choice at hand knows nothing is not done now: it has another time, or has to wait."""
    kind, choice = action.kind, s.game.flow.choices[s.agenda[-1][0]]
    if kind == BACK:
        return refuse("5.0.a", "what is done is not taken back")
    option = s.game.options.get(OPTIONAL.get(kind, ""))
    if option is not None and not s.options[option.name]:
        return refuse(option.rules[0], f"not in play in this game: {option.text}")
    if kind in ("pass", "done", "decline") and s.stage != ACTIONS:
        asked = choice.prompt(s, *s.agenda[-1][1:])
        return refuse(choice.rules[s.mover if s.stage == "Set-up" else 0], f"this must be decided: {asked}")
    phase = "Set-up" if kind in IN_SET_UP else "Preparation" if kind in IN_PREPARATION else ACTIONS
    if phase != s.stage:
        return refuse("5.0.a", f"this belongs to another phase: {phase}")
    if phase == "Preparation":
        return refuse("5.1.b", "the steps of the preparation have their order: first what is asked now")
    running = next((step[1] for step in s.agenda if step[0] is end_action), "")
    for kinds, actions, rule, text in BELONGS:
        if kind in kinds and running not in actions:
            return refuse(rule, text)
    other = kind in MARCHES + ATTACKS and running in ("landing", "regroup", "recon")
    if running and (kind in s.game.tables.actions or kind == "pass" or other):
        return refuse("5.1.e", f"one action at a time: {s.game.tables.actions[running].name} is being carried out")
    decision: str = choice.name
    if decision == "retreat.Retreat" and kind in MARCHES:
        return refuse("15.1.k", "a retreat takes neither ferry nor train") if kind in ("rail", "ferry") else refuse(
            *WAITS[decision])  # fmt: skip
    if decision == "advance.Pursuit" and kind in MARCHES:
        return refuse("15.2.j", "after combat units only pursue")
    if decision == "amphibious.Sail" and kind in (WITHOUT, EVERYBODY):
        return refuse("13.1.d", "units sail one by one: there is no stack to be left")
    support = running in ("air", "naval")
    unit = action.args[0] if s.game.act.blanks[kind][:1] == ("unit",) else -1
    reason = _why_no_march(running) if kind in MARCHES else None
    if kind in ATTACKS or (kind == "and" and support):
        reason = None if support and unit in s.game.roster.strikes else _why_no_attack(running)
    if kind in ("rearrange", "top", "keep_order") and decision != "stacking.Arrange":
        return refuse("9.0.i", "stacks are put in order when an action begins, or when units come in after combat")
    if kind == "end_assaults" and running == "fire":
        return refuse("14.0.d", "no close assault is made in a ground fire action")
    if kind in ("escort", "storm"):
        return refuse("13.2.d", "the marines have made their assault")
    if running and not reason and unit >= 0 and s.game.side_of[unit] != s.decider:
        return refuse("1.2.a", "the unit belongs to the enemy")
    return reason or (refuse(*WAITS[decision]) if decision in WAITS else None)


def _why_no_march(running: str) -> Citation | None:
    if running == "amphibious":
        return refuse("13.1.d", "no other movement is made in an amphibious action")
    if running == "engineers":
        return refuse("23.1.c", "nothing else happens in an engineer action")
    if running in ("fire", "assault", "air", "naval"):
        return refuse("6.3.b", "no action combines movement with combat")
    return None


def _why_no_attack(running: str) -> Citation | None:
    if running in ("movement", "amphibious"):
        return refuse("6.3.b", "no action combines movement with combat")
    if running == "engineers":
        return refuse("23.1.c", "nothing else happens in an engineer action")
    if running in ("air", "naval"):
        return refuse("14.0.i", "ground units never fire in a support action")
    return None
