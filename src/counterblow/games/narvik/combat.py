"""Chapter 14: ground unit fire and close assault."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from counterblow.games.narvik.engineers import bridged
from counterblow.games.narvik.flow import NarvikChoice, arg, flow
from counterblow.games.narvik.retreat import start_retreat
from counterblow.games.narvik.stacking import TOO_LATE, may_fire, offers_order, put_in_order
from counterblow.games.narvik.state import NarvikState
from counterblow.kernel.actions import Action
from counterblow.kernel.forecast import Forecast, Modifier, Outcome, tally
from counterblow.kernel.masks import bits
from counterblow.kernel.rulebook import Citation, refuse

FIRE, ASSAULT, COUNTER, STRIKE = range(4)
TITLES = ("Ground fire", "Close assault", "Counterattack", "Strike")
Group = tuple[int, ...]
SIXTH = Fraction(1, 6)

# ------------------------------------------------------------------ 14.0, 14.2 who can attack what


def fire_targets(s: NarvikState, unit: int, enemy: int) -> int:
    """14.2.a: enemy hexes in range with a line of fire, as a bit mask."""
    return s.game.ground.fire_mask[s.game.roster.range[unit]][s.at[unit]] & enemy


def assault_targets(s: NarvikState, unit: int, enemy: int) -> int:
    """14.4.b, 14.4.c: adjacent enemy hexes not across an all-sea hexside, whose assaults are not over."""
    return s.game.ground.assault_mask[s.at[unit]] & enemy & ~s.barred


def targets(s: NarvikState, mode: int, unit: int, enemy: int) -> int:
    return fire_targets(s, unit, enemy) if mode == FIRE else assault_targets(s, unit, enemy)


def shooters(s: NarvikState, mode: int, side: int, mask: int, enemy: int) -> list[int]:
    """Units on the map out of a mask that can attack something now."""
    ground, roster, at, zone = s.game.ground, s.game.roster, s.at, s.zone[1 - side]
    found = []
    for u in bits(mask & ~s.fired):
        node = at[u]
        if not 0 <= node < ground.hexes or (mode != FIRE and not roster.ca[u]):
            continue
        near = zone[node] or node in ground.fires_over_sea  # else no enemy is adjacent
        if (near or (mode == FIRE and roster.range[u] > 1)) and targets(s, mode, u, enemy) and may_fire(s, u):
            found.append(u)
    return found


def cannot_attack(s: NarvikState, mode: int, side: int, unit: int) -> list[Citation]:
    """Why a unit cannot attack now."""
    roster = s.game.roster
    if s.game.side_of[unit] != side:
        return [refuse("1.2.a", "the unit belongs to the enemy")]
    if unit in roster.strikes:
        return [refuse("16.0.b", "strikes need an air or naval support action")]
    if not s.active >> unit & 1:
        return [refuse("11.1.b", "the unit's sub-command is not activated")]
    if not 0 <= s.at[unit] < s.game.ground.hexes:
        return [refuse("20.0.e", "a unit in a staging area or display cannot attack")]
    if s.fired >> unit & 1:
        return [refuse("14.1.h", "the unit has already attacked in this action")]
    if mode != FIRE and not roster.ca[unit]:
        return [refuse("14.4.a", "the unit is not close-assault capable"), refuse("14.4.e", "it does not attack")]
    if not may_fire(s, unit):
        return [refuse("9.0.h", "in an overstacked hex only the top unit attacks")]
    if mode != FIRE and s.game.ground.assault_mask[s.at[unit]] & s.enemy_mask(side) & s.barred:
        return [refuse("14.4.1.b", "the assaults on the hex next to it are over")]
    return [refuse("14.2.a" if mode == FIRE else "14.4.b", "no enemy hex is within reach")]


# ------------------------------------------------------------------ fire and assault: building an attack


class PickAttacker(NarvikChoice):
    """The first unit of a group that attacks."""

    mode = FIRE

    def prompt(self, s: NarvikState, *args: Any) -> str:
        return f"Choose a unit for {TITLES[self.mode].lower()}, or end the action."

    def legal(self, s: NarvikState, *args: Any) -> list[Action]:
        act = s.game.act
        found = [act["done"][()]]
        if offers_order(s):
            found.append(act["rearrange"][()])
        table = act["attack"]
        found += [table[u] for u in shooters(s, self.mode, args[0], s.active, s.enemy_mask(args[0]))]
        return found

    def do(self, s: NarvikState, action: Action, *args: Any) -> None:
        if action[0] == "done":
            s.pop()
        elif action[0] == "rearrange":
            put_in_order(s, args[0])
        else:
            s.push("aim", args[0], self.mode, (arg(action),), -1)

    def why_not(self, s: NarvikState, action: Action, *args: Any) -> list[Citation]:
        if action.kind == "rearrange":
            return [TOO_LATE]
        return cannot_attack(s, self.mode, args[0], arg(action)) if action.kind == "attack" else []


@flow.choice
class PickFirer(PickAttacker):
    name = "fire.pick"
    rules = ("14.0.a",)
    mode = FIRE


@flow.choice
class PickAssaulter(PickAttacker):
    name = "assault.pick"
    rules = ("14.0.d", "14.4.a")
    mode = ASSAULT


@flow.choice
class Aim(NarvikChoice):
    """14.1: the group, then its target. Arguments: side, mode, units, and the only target allowed (or -1)."""

    name = "aim"
    rules = ("14.1.a", "14.1.b")

    def prompt(self, s: NarvikState, *args: Any) -> str:
        names = " + ".join(s.game.unit_names[u] for u in args[2])
        what = "add a unit of the same hex, choose the target hex, or hold, without another attack in this action"
        return f"{TITLES[args[1]]} with {names}: {what}."

    def chosen(self, s: NarvikState, *args: Any) -> Group:
        group: Group = args[2]
        return group

    def legal(self, s: NarvikState, *args: Any) -> list[Action]:
        side, mode, group, only = args
        act = s.game.act
        enemy = s.enemy_mask(side) if only < 0 else 1 << only
        common = enemy
        for unit in group:
            common &= targets(s, mode, unit, enemy)
        found = [act["hold"][()]]
        found += [act["and"][u] for u in joiners(s, mode, side, group, common)]
        table = act["at"]
        found += [table[node] for node in bits(common)]
        return found

    def do(self, s: NarvikState, action: Action, *args: Any) -> None:
        side, mode, group, only = args
        if action[0] == "and":
            s.replace("aim", side, mode, (*group, arg(action)), only)
            return
        s.pop()
        for unit in group:
            s.fired |= 1 << unit
        if action[0] == "hold":
            return
        target = arg(action)
        if mode == ASSAULT:
            begin_assault(s, side, group, target)
        attack(s, mode, side, group, target)

    def why_not(self, s: NarvikState, action: Action, *args: Any) -> list[Citation]:
        side, mode, group, only = args
        if action.kind == "and":
            return cannot_add(s, mode, side, group, arg(action))
        return cannot_aim(s, mode, side, group, only, arg(action)) if action.kind == "at" else []

    def forecast(self, s: NarvikState, action: Action, *args: Any) -> Forecast | None:
        if action.kind != "at":
            return None
        return forecast_attack(s, args[1], args[0], args[2], arg(action))


def joiners(s: NarvikState, mode: int, side: int, group: Group, common: int) -> list[int]:
    """14.1.a: units of the same hex that can attack a target common to all."""
    here = s.at[group[0]]
    if len(s.here[here]) == len(group):
        return []
    mask = 0
    for unit in s.here[here]:
        if unit not in group and s.active >> unit & 1:
            mask |= 1 << unit
    return shooters(s, mode, side, mask, common)


def cannot_add(s: NarvikState, mode: int, side: int, group: Group, unit: int) -> list[Citation]:
    if s.at[unit] != s.at[group[0]]:
        return [refuse("14.1.a", "only units in one hex combine their fire")]
    if unit in group:
        return [refuse("14.1.a", "the unit is already in the group")]
    return cannot_attack(s, mode, side, unit)


def cannot_aim(s: NarvikState, mode: int, side: int, group: Group, only: int, target: int) -> list[Citation]:
    """Why the group cannot attack a hex."""
    ground, here = s.game.ground, s.at[group[0]]
    if target >= ground.hexes:
        return [refuse("20.0.e", "staging areas and displays cannot be attacked")]
    if not s.held[1 - side][target]:
        return [refuse("14.1.b", "no enemy unit is there")]
    if only >= 0 and target != only:
        return [refuse("14.4.1.b", "the assaults on one hex are completed before another is assaulted")]
    if mode != FIRE:
        if s.barred >> target & 1:
            return [refuse("14.4.1.b", "the assaults on this hex are over")]
        if target not in ground.around[here]:
            return [refuse("14.4.b", "a close assault is made against an adjacent hex")]
        return [refuse("14.4.c", "no close assault crosses an all-sea hexside"), refuse("14.2.f", "sea lies between")]
    distance = s.game.board.distance(here, target)
    reasons = []
    for unit in group:
        if distance > s.game.roster.range[unit]:
            rule = "14.0.c" if s.game.roster.range[unit] == 1 else "14.2.a"
            reasons.append(refuse(rule, f"{s.game.unit_names[unit]} has range {s.game.roster.range[unit]}"))
    return reasons or [refuse("14.2.b", "a peak blocks the line of fire")]


# ------------------------------------------------------------------ 14.1, 14.3 the column


def base_column(total: int) -> int:
    """14.1.c, 14.3.c: the fire factors, at most 12 and at least 1 before shifts."""
    return max(1, min(12, total))


def final_column(base: int, shift: int) -> int:
    """14.3.b, 14.3.c"""
    return max(0, min(12, base + shift))


def attack_shifts(
    s: NarvikState, mode: int, side: int, group: Group, target: int, viewer: int | None = None
) -> list[Modifier]:
    """14.3: shifts against every unit in the hex, judged when the attack begins (ruling D49).

    With a ``viewer`` only defenders that this side can see count.
    """
    if mode == COUNTER:  # 14.4.1.d
        return []
    ground, labels = s.game.ground, s.game.board.terrain
    found: list[Modifier] = []
    terrain = ground.assault_shift[target] if mode == ASSAULT else ground.fire_shift[target]
    if terrain:
        found.append(Modifier(terrain, labels[target], "14.3.e"))
    if s.trenches[1 - side] >> target & 1:
        found.append(Modifier(s.game.tables.entrenched_shift, "entrenched", "23.2.1.a"))
    if mode == ASSAULT:
        found += assault_shifts(s, group, target, viewer)
    elif mode == STRIKE and s.game.roster.air[group[0]] and flak_near(s, side, target, viewer):
        found.append(Modifier(s.game.tables.shifts["flak"], "anti-aircraft units in or next to the hex", "14.3.k"))
    return found


def assault_shifts(s: NarvikState, group: Group, target: int, viewer: int | None) -> list[Modifier]:
    """14.3.g-l, 14.3.1.a: the shifts of a close assault."""
    roster, table, here = s.game.roster, s.game.tables.shifts, s.at[group[0]]
    defenders = [u for u in s.here.get(target, ()) if viewer is None or s.sees(viewer, u)]
    found: list[Modifier] = []
    if s.game.ground.inlet(here, target) and not bridged(s, here, target):
        found.append(Modifier(s.game.tables.hexsides["inlet"]["assault"], "across an inlet", "14.3.1.a"))
    if any(roster.elite[u] for u in group):
        found.append(Modifier(table["elite_assault"], "an elite unit assaults", "14.3.g"))
    else:
        found.append(Modifier(table["plain_assault"], "close assault", "14.3.h"))
    if any(roster.elite[u] for u in defenders):
        found.append(Modifier(table["elite_defender"], "an elite unit defends", "14.3.i"))
    ours, theirs = sum(roster.fire[u] for u in group), sum(roster.fire[u] for u in defenders)
    if theirs >= 2 * ours and defenders:
        found.append(Modifier(table["twice_the_strength"], "the defenders are twice as strong", "14.3.l"))
    return found


def flak_near(s: NarvikState, side: int, target: int, viewer: int | None = None) -> bool:
    """14.3.k, ruling D48: any enemy anti-aircraft unit in the hex or next to it."""
    roster = s.game.roster
    return any(
        roster.flak[u] and roster.side[u] != side and (viewer is None or s.sees(viewer, u))
        for node in (target, *s.game.ground.around[target])
        for u in s.here.get(node, ())
    )


def against_armour(s: NarvikState, mode: int, group: Group, unit: int) -> int:
    """14.3.f, 14.3.2.a, ruling D46: one anti-armour unit in the group, on the die against a mechanised unit."""
    roster = s.game.roster
    if mode == COUNTER or not roster.mech[unit] or not any(roster.aa[u] for u in group):
        return 0
    shift: int = s.game.tables.shifts["anti_armour"]
    return shift


def immune(s: NarvikState, mode: int, unit: int) -> bool:
    """18.1.f, 18.1.g: only close assault touches Dietl."""
    return unit == s.game.roster.dietl and mode in (FIRE, STRIKE)


# ------------------------------------------------------------------ 14.1 the dice


def attack(s: NarvikState, mode: int, side: int, group: Group, target: int) -> None:
    """14.1: name the target, find the column, then one die for each unit in the hex, top first."""
    defenders = s.top(target)
    s.reveal((*group, *defenders))  # 21.0.d
    total = sum(s.game.roster.fire[u] for u in group)
    shifts = attack_shifts(s, mode, side, group, target)
    base, shift = base_column(total), sum(int(m.amount) for m in shifts)
    s.log("reveal", f"{TITLES[mode]} by {{units}} at {{hex}}: column {{n1}}, shifted {{n2}}", "14.1.c",
          *[m.rule for m in shifts], units=group, hex=target, n1=base, n2=shift)  # fmt: skip
    s.push("dice", mode, group, target, base + shift, defenders)


@flow.step("dice")
def roll_dice(s: NarvikState, mode: int, group: Group, target: int, column: int, defenders: Group) -> None:
    """14.1.f, 14.1.g: fire at the next unit, and apply its result before going on."""
    if not defenders:
        return
    unit = defenders[0]
    if len(defenders) > 1:
        s.push("dice", mode, group, target, column, defenders[1:])
    if s.at[unit] != target:
        return
    if immune(s, mode, unit):
        s.log("combat", "{unit} is not affected", "18.1.f", unit=unit)
        return
    final = final_column(column, against_armour(s, mode, group, unit))
    die = s.roll()
    result = s.game.tables.crt[final][die - 1]
    s.log("combat", f"{{unit}}: column {{n1}}, die {{n2}}: {MEANING[result]}", RESULT_RULE[result],
          unit=unit, n1=final, n2=die)  # fmt: skip
    apply_result(s, unit, result)


MEANING = {"-": "no effect", "R": "retreat", "D": "disrupted", "E": "eliminated"}
RESULT_RULE = {"-": "14.5.d", "R": "14.5.c", "D": "14.5.a", "E": "14.5.b"}


def apply_result(s: NarvikState, unit: int, result: str) -> None:
    """14.5"""
    side = s.game.side_of[unit]
    if result == "D":
        s.put(unit, s.game.ground.regroup[side])
    elif result == "E":
        s.put(unit, s.game.ground.eliminated[side])
    elif result == "R":
        start_retreat(s, unit)


# ------------------------------------------------------------------ 14.4 close assault: what follows


def begin_assault(s: NarvikState, side: int, group: Group, target: int) -> None:
    """Note who assaults a hex: the next step finds them by the mark on top of the agenda."""
    top = s.agenda[-1] if s.agenda else ()
    here = s.at[group[0]]
    if top and top[0] == "assault.more" and top[2] == target:
        _, _, _, froms, attackers = s.pop()
        froms = froms if here in froms else (*froms, here)
        s.push("assault.after", side, target, froms, (*attackers, *group))
    else:
        s.push("assault.after", side, target, (here,), group)


@flow.step("assault.after")
def after_assault(s: NarvikState, side: int, target: int, froms: Group, attackers: Group) -> None:
    """14.4.1.a, 15.2.a: pursuit if the hex is cleared, else more assaults, then the counterattack."""
    if not s.held[1 - side][target]:
        s.push("pursuit.next", side, target, attackers)
    elif more_assaulters(s, side, target):
        s.push("assault.more", side, target, froms, attackers)
    else:
        s.push("assault.close", side, target, froms)


def more_assaulters(s: NarvikState, side: int, target: int) -> list[int]:
    """14.0.g: units that have not attacked yet and can assault the same hex."""
    return shooters(s, ASSAULT, side, s.active, 1 << target)


@flow.choice
class MoreAssaults(NarvikChoice):
    """14.4.1.b: further close assaults into the hex come before the counterattack."""

    name = "assault.more"
    rules = ("14.0.g", "14.4.1.b")

    def prompt(self, s: NarvikState, *args: Any) -> str:
        return f"Assault {s.game.board.labels[args[1]]} again, or end the assaults on it."

    def legal(self, s: NarvikState, *args: Any) -> list[Action]:
        side, target = args[0], args[1]
        act = s.game.act["attack"]
        return [s.game.act["end_assaults"][()], *[act[u] for u in more_assaulters(s, side, target)]]

    def do(self, s: NarvikState, action: Action, *args: Any) -> None:
        side, target, froms, _ = args
        if action[0] == "end_assaults":
            s.replace("assault.close", side, target, froms)
        else:
            s.push("aim", side, ASSAULT, (arg(action),), target)

    def why_not(self, s: NarvikState, action: Action, *args: Any) -> list[Citation]:
        if action.kind != "attack":
            return []
        if arg(action) in shooters(s, ASSAULT, args[0], s.active, s.enemy_mask(args[0])):
            return [refuse("14.4.1.b", "the assaults on one hex are completed before another is assaulted")]
        return cannot_attack(s, ASSAULT, args[0], arg(action))


@flow.step("assault.close")
def close_assaults(s: NarvikState, side: int, target: int, froms: Group) -> None:
    """14.4.1.b: no more assaults into this hex in this action; now the defender may counterattack."""
    s.barred |= 1 << target
    s.push("counter.next", 1 - side, target, froms, 0)


# ------------------------------------------------------------------ 14.4.1 counterattack


@flow.step("counter.next")
def next_counterattack(s: NarvikState, side: int, target: int, froms: Group, used: int) -> None:
    if counter_units(s, side, target, used) and counter_hexes(s, side, froms):
        s.push("counter", side, target, froms, used)


def counter_units(s: NarvikState, side: int, target: int, used: int) -> list[int]:
    """14.4.1.c: defenders in the assaulted hex that are close-assault capable and have not counterattacked."""
    ca = s.game.roster.ca
    return sorted(u for u in s.here.get(target, ()) if ca[u] and not used >> u & 1 and may_fire(s, u))


def counter_hexes(s: NarvikState, side: int, froms: Group) -> list[int]:
    """Ruling D29: hexes that assaulted and still hold enemy units."""
    return [n for n in froms if s.held[1 - side][n]]


@flow.choice
class Counterattack(NarvikChoice):
    """14.4.1.e: the defender's choice; it costs no points."""

    name = "counter"
    rules = ("14.4.1.a", "14.4.1.e")

    def prompt(self, s: NarvikState, *args: Any) -> str:
        return f"Counterattack out of {s.game.board.labels[args[1]]}, or decline."

    def legal(self, s: NarvikState, *args: Any) -> list[Action]:
        side, target, _, used = args
        act = s.game.act["counter"]
        return [s.game.act["decline"][()], *[act[u] for u in counter_units(s, side, target, used)]]

    def do(self, s: NarvikState, action: Action, *args: Any) -> None:
        side, target, froms, used = args
        if action[0] == "decline":
            s.pop()
        else:
            s.replace("counter.aim", side, target, froms, used, (arg(action),))

    def why_not(self, s: NarvikState, action: Action, *args: Any) -> list[Citation]:
        return cannot_counter(s, args[0], args[1], args[3], arg(action)) if action.kind == "counter" else []


def cannot_counter(s: NarvikState, side: int, target: int, used: int, unit: int) -> list[Citation]:
    if s.at[unit] != target:
        return [refuse("14.4.1.c", "only defenders of the assaulted hex counterattack")]
    if not s.game.roster.ca[unit]:
        return [refuse("14.4.1.c", "the unit is not close-assault capable")]
    if used >> unit & 1:
        return [refuse("14.4.1.c", "the unit has already counterattacked")]
    return [refuse("9.0.h", "in an overstacked hex only the top unit attacks")]


@flow.choice
class CounterAim(NarvikChoice):
    """The group that counterattacks, then the assaulting hex it strikes."""

    name = "counter.aim"
    rules = ("14.4.1.c", "14.1.a")

    def prompt(self, s: NarvikState, *args: Any) -> str:
        names = " + ".join(s.game.unit_names[u] for u in args[4])
        return f"Counterattack with {names}: add a unit, or choose the hex."

    def chosen(self, s: NarvikState, *args: Any) -> Group:
        group: Group = args[4]
        return group

    def legal(self, s: NarvikState, *args: Any) -> list[Action]:
        side, target, froms, used, group = args
        act = s.game.act
        more = [u for u in counter_units(s, side, target, used) if u not in group]
        return [*[act["and"][u] for u in more], *[act["at"][n] for n in counter_hexes(s, side, froms)]]

    def do(self, s: NarvikState, action: Action, *args: Any) -> None:
        side, target, froms, used, group = args
        if action[0] == "and":
            s.replace("counter.aim", side, target, froms, used, (*group, arg(action)))
            return
        for unit in group:
            used |= 1 << unit
        s.pop()
        s.push("counter.next", side, target, froms, used)
        attack(s, COUNTER, side, group, arg(action))

    def why_not(self, s: NarvikState, action: Action, *args: Any) -> list[Citation]:
        side, target, _, used, group = args
        if action.kind == "and":
            if arg(action) in group:
                return [refuse("14.1.a", "the unit is already in the group")]
            return cannot_counter(s, side, target, used, arg(action))
        if action.kind == "at":
            return [refuse("14.4.1.c", "a counterattack strikes a hex that assaulted")]
        return []

    def forecast(self, s: NarvikState, action: Action, *args: Any) -> Forecast | None:
        return forecast_attack(s, COUNTER, args[0], args[4], arg(action)) if action.kind == "at" else None


# ------------------------------------------------------------------ forecasts


def forecast_attack(s: NarvikState, mode: int, side: int, group: Group, target: int, storm: bool = False) -> Forecast:
    """Exact chances of what an attack does to the hex, from what the attacker can see."""
    shifts = attack_shifts(s, mode, side, group, target, viewer=side)
    base = base_column(sum(s.game.roster.fire[u] for u in group))
    column = base + sum(int(m.amount) for m in shifts)
    defenders = [u for u in s.top(target) if not (s.sees(side, u) and immune(s, mode, u))]
    columns = [final_column(column, against_armour(s, mode, group, u) if s.sees(side, u) else 0) for u in defenders]
    if any(s.sees(side, u) and against_armour(s, mode, group, u) for u in defenders):
        shifts.append(Modifier(s.game.tables.shifts["anti_armour"], "against the mechanised unit only", "14.3.f"))
    facts = (
        ("fire factors", str(sum(s.game.roster.fire[u] for u in group))),
        ("column", str(base)),
        ("final column", " ".join(str(c) for c in columns) or str(final_column(column, 0))),
    )
    notes = _fog_notes(s, mode, side, group, target)
    per_unit = [_letters(s, c) for c in columns]
    spared = len(s.top(target)) - len(defenders)
    outcomes = _hex_outcomes(per_unit, spared)
    if spared:
        notes.append("Dietl stays: only close assault affects him (18.1.f)")
    if mode == ASSAULT and not storm:
        notes += _counter_notes(s, side, group, target, defenders, per_unit)
    return Forecast(f"{TITLES[mode]} at {s.game.board.labels[target]}", facts, tuple(shifts), outcomes, tuple(notes))


def _fog_notes(s: NarvikState, mode: int, side: int, group: Group, target: int) -> list[str]:
    """What the attacker cannot see and what may make a difference; a counterattack has no shifts (14.4.1.d)."""
    if mode == COUNTER:
        return []
    near = s.game.ground.around[target] if s.game.roster.air[group[0]] else ()  # 14.3.k: flak next to the hex
    if any(not s.sees(side, u) for node in (target, *near) for u in s.here.get(node, ())):
        return ["units that you cannot see may change the shifts (21.0.a)"]
    return []


def _letters(s: NarvikState, column: int) -> dict[str, Fraction]:
    """Chance of each result on one die."""
    chances: dict[str, Fraction] = {}
    for result in s.game.tables.crt[column]:
        chances[result] = chances.get(result, Fraction(0)) + SIXTH
    return chances


def _hex_outcomes(per_unit: list[dict[str, Fraction]], spared: int) -> tuple[Outcome, ...]:
    """Joint results, top unit first: "R-" means the top unit retreats and the next is unharmed.

    ``spared`` units are not diced for and hold the hex in any case (18.1.f).
    """
    texts: dict[str, str] = {}
    results = []
    for combo in product(*[sorted(chances.items(), key=lambda kv: "EDR-".index(kv[0])) for chances in per_unit]):
        letters = "".join(letter for letter, _ in combo)
        chance = Fraction(1)
        for _, part in combo:
            chance *= part
        cleared = "-" not in letters and not spared
        texts[letters] = "the hex is cleared" if cleared else ", ".join(MEANING[x] for x in letters or "-")
        results.append((letters, chance))
    return tally(results, texts)


def _counter_notes(
    s: NarvikState, side: int, group: Group, target: int, defenders: list[int], per_unit: list[dict[str, Fraction]]
) -> list[str]:
    """What the counterattack of the defenders that are left would do to each unit in the assaulting hex (14.4.1)."""
    if any(not s.sees(side, u) for u in defenders):
        return ["the counterattack cannot be foreseen: not all defenders are seen (21.0.a)"]
    roster = s.game.roster
    harm: dict[str, Fraction] = {}
    for combo in product(*[chances.items() for chances in per_unit]):
        chance = Fraction(1)
        for _, part in combo:
            chance *= part
        left = [u for u, (letter, _) in zip(defenders, combo, strict=True) if letter == "-"]
        overstacked = sum(roster.counts[u] for u in left) > s.game.tables.stacking[1 - side]
        strikers = [u for u in (left[:1] if overstacked else left) if roster.ca[u]]  # 9.0.h: only the top unit
        if strikers:
            for letter, part in _letters(s, base_column(sum(roster.fire[u] for u in strikers))).items():
                harm[letter] = harm.get(letter, Fraction(0)) + chance * part
    if not harm:
        return ["no defender can counterattack (14.4.1.c)"]
    listed = ", ".join(f"{MEANING[x]} {harm[x]}" for x in "RDE" if x in harm)
    return [f"counterattack, for each unit in {s.game.board.labels[s.at[group[0]]]}: {listed} (14.4.1.a)"]
