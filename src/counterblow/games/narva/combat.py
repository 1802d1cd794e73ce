"""Sections 9.0-9.3: attacks, odds and the die. Results are in ``results``, then ``retreat`` and ``advance``."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from counterblow.games.narva import air, defences
from counterblow.games.narva.advance import Advance
from counterblow.games.narva.components import HQ, SIDES, SOVIET, Outcome
from counterblow.games.narva.movement import why_not_commanded
from counterblow.games.narva.results import attackers_suffer, defenders_suffer
from counterblow.games.narva.state import PEACE, SUPPLIED, NarvaState, flow
from counterblow.kernel.actions import Action
from counterblow.kernel.flow import BACK, ask
from counterblow.kernel.forecast import Forecast, Modifier, tally
from counterblow.kernel.gather import Gather, Plan
from counterblow.kernel.masks import bits, mask_of
from counterblow.kernel.pick import Deed, Pick
from counterblow.kernel.rulebook import Citation, refuse, refuse_if
from counterblow.kernel.state import NOWHERE

NEXT_DIRECTED = flow.later("chits.next_directed_attack")

QUARTERS = 4  # strengths are added up in quarters (2.1.1, 2.1.2)

# ---------------------------------------------------------------------- 9.0, 9.2: who may attack what


def fighters(s: NarvaState) -> list[int]:
    """9.0a: activated combat units that have not attacked; pinned ones may not (2.5.1i)."""
    kinds, pin = s.game.kinds, s.pin
    return [u for u in bits(s.may_attack) if kinds[u] != HQ and not pin[u]]


def why_not_activated(s: NarvaState, unit: int) -> Citation | None:
    """What keeps a combat unit out of the attacks of this activation."""
    if s.pin[unit]:
        return refuse("2.5.1i", "it is pinned")
    if s.may_attack >> unit & 1:
        return None
    if s.attacked >> unit & 1:
        return refuse("9.2.1b", "it has attacked in this segment")
    if s.activated >> unit & 1:
        return refuse("2.4.2c", "the Army Group's two further units may not fight")
    return why_not_commanded(s, unit)


@flow.step
def combat_segment(s: NarvaState) -> None:
    """3.0c: the combat segment of an activation. Once attacks were possible it ends when its owner says so."""
    s.begin_phase(f"{SIDES[s.mover]}.combat")
    s.barred = ()
    s.ask(DeclareAttack)


def why_not_empty(s: NarvaState, target: int) -> Citation | None:
    """A hex without enemy combat units is not attacked."""
    if s.held[1 - s.mover][target]:
        return None
    return (
        refuse_if(s.owner(target) == s.mover, "9.0a", "your own units are there")
        or refuse_if(s.hqs(target), "9.0b", "an HQ alone cannot be attacked")
        or refuse("9.0b", "no enemy unit is there")
    )


@flow.choice
class DeclareAttack(Pick[NarvaState]):
    """9.0a, 9.0c: attacks are voluntary."""

    kind, passing, stays = "attack", "end_combat", True

    def items(self, s: NarvaState) -> Sequence[int]:
        """9.0b, 9.2.3b: hexes with enemy combat units next to a unit that can attack."""
        enemy, around = s.held[1 - s.mover], s.game.around
        found: dict[int, tuple[int, ...]] = {}
        for unit in fighters(s):
            for node in around[s.at[unit]]:
                if enemy[node]:
                    found[node] = (*found.get(node, ()), unit)
        plans = [Plan(s.mover, (node,), found[node]) for node in sorted(found) if node not in s.barred]
        return [plan.targets[0] for plan in plans if why_not_force(s, plan) is None]

    def why_not_item(self, s: NarvaState, target: int) -> Citation | None:
        near, cancelled = neighbours(s, target), target in s.barred
        able = tuple([unit for unit in near if why_not_activated(s, unit) is None])
        return (
            why_not_empty(s, target)
            or refuse_if(cancelled, "9.3.3a", "the attack on this hex was cancelled; fight another battle first")
            or refuse_if(not near, "9.0a", "none of your units is next to it")
            or (why_not_force(s, Plan(s.mover, (target,), able)) if able else why_not_activated(s, near[0]))
        )

    def undone(self, s: NarvaState) -> str:
        hexes = len(self.items(s))
        return "" if s.attacked else f"nobody has attacked, though {hexes} hex{'es' * (hexes != 1)} can be attacked"

    def take(self, s: NarvaState, target: int) -> None:
        s.push(BuildAttack, Plan(s.mover, (target,)))


def neighbours(s: NarvaState, target: int) -> list[int]:
    """The combat units of the attacker next to a hex."""
    return [u for node in s.game.around[target] for u in s.combat_units(node) if s.game.side_of[u] == s.mover]


def why_not_force(s: NarvaState, plan: Plan) -> Citation | None:
    """Could all these units together, and the aircraft, attack a hex? In fog of war nobody knows before he tries."""
    if not armed(s, plan.units):
        return refuse("9.2.3b", "units with attack 0 cannot attack alone")
    if s.options["fog"] or odds(s, plan).column >= 1 or odds(s, plan, air.best_shift(s, s.mover)).column >= 1:
        return None
    return refuse("9.3.3a", "the odds fall short of the table")


def armed(s: NarvaState, units: tuple[int, ...]) -> bool:
    """9.2.3, 9.2.3b: units with attack 0 need company."""
    return any(s.strength(unit)[0] for unit in units)


# ---------------------------------------------------------------------- an attack that is put together


def directed(s: NarvaState) -> bool:
    """Is it an attack that Stavka directs (2.5.3)?"""
    return s.stage == "stavka"


def blind(s: NarvaState, plan: Plan) -> bool:
    """Is the attack still being put together without a look at the defenders (2.1.3a)?"""
    return bool(s.options["fog"]) and s.battle[2] != plan.targets[0]


def line_up(s: NarvaState, plan: Plan) -> None:
    s.battle = (plan.units, tuple([s.at[u] for u in plan.units]), plan.targets[0])


def lay_open(s: NarvaState, plan: Plan) -> None:
    """2.1.3a: in fog the stacks in an attack are seen by both sides once it has been announced."""
    line_up(s, plan)
    sentence = f"{{units}} {attacks(plan)} {{place}}: the defenders are shown"
    s.log("reveal", sentence, "2.1.3a", units=plan.units, place=plan.targets[0])


def attacks(plan: Plan) -> str:
    return "attacks" if len(plan.units) == 1 else "attack"


class NoMore(Deed[NarvaState]):
    """2.1.3a: in fog the attackers are named before the stacks are laid open."""

    kind, stays = "no_more", True

    def why_not_now(self, s: NarvaState, plan: Plan) -> Citation | None:
        return (
            refuse_if(not s.options["fog"], "2.1.3a", "attacks are announced in fog of war, which is not in play")
            or refuse_if(not blind(s, plan), "2.1.3a", "the attack has been announced")
            or (None if armed(s, plan.units) else UNARMED)
        )

    def perform(self, s: NarvaState, plan: Plan) -> None:
        lay_open(s, plan)


class FullAir(Pick[NarvaState]):
    """12.1a: the attacker's aircraft."""

    kind, stays = "full_air", True
    mode: int = air.FULL

    def candidates(self, s: NarvaState, plan: Plan) -> Sequence[int]:
        return air.ready(s, plan.side, plan.extra) if plan.units and not blind(s, plan) else ()

    def why_not_item(self, s: NarvaState, unit: int, plan: Plan) -> Citation | None:
        if blind(s, plan):
            return FIRST_ANNOUNCE if armed(s, plan.units) else UNARMED
        reason = air.why_not_mission(s, plan.side, plan.extra, unit, self.mode)
        if reason is not None or (s.options["fog"] and not directed(s)):
            return reason
        everybody, column = s.kept(plan) or s.keep(plan, utmost(s, plan))
        if column < 1:  # then the aircraft must make up for it
            more = with_aircraft(everybody, unit, self.mode)
            column = odds(s, more, air.best_shift(s, plan.side, more.extra)).column
        return refuse_if(column < 1, "9.3.3a", "with no more than that the odds would fall short of the table")

    def take(self, s: NarvaState, unit: int, plan: Plan) -> None:
        s.replace(BuildAttack, with_aircraft(plan, unit, self.mode))

    def outlook(self, s: NarvaState, unit: int, plan: Plan) -> Forecast:
        return foresee(s, with_aircraft(plan, unit, self.mode))


class NormalAir(FullAir):
    kind, mode = "normal_air", air.NORMAL


def utmost(s: NarvaState, plan: Plan) -> tuple[Plan, int]:
    """The attack with all who can join, and its column."""
    everybody = BUILD.everybody(s, plan)
    return everybody, odds(s, everybody).column


def with_aircraft(plan: Plan, unit: int, mode: int) -> Plan:
    """``extra`` of the plan are the air units that support it."""
    return plan.adding((*plan.extra, (unit, mode)))


UNARMED = refuse("9.2.3b", "at least one unit with an attack strength must take part")
FIRST_ANNOUNCE = refuse("2.1.3a", "first announce the attack: no more units")


@flow.choice
class BuildAttack(Gather[NarvaState]):
    """9.2.1a: any number of adjacent units from any side, then up to two air units, then the die."""

    joining, committing = "add", "resolve"
    parts = (NoMore(), FullAir(), NormalAir())

    def prompt(self, s: NarvaState, plan: Plan) -> str:
        label = s.game.where(plan.targets[0])
        if not plan.units:
            return f"Attack on {label}: add a unit."
        if blind(s, plan):
            return f"Attack on {label}: add units, or announce that there are no more; the defenders are shown then."
        strength = odds(s, plan)
        return f"Attack on {label}, {strength.attack} to {strength.defence}: add units or aircraft, or resolve it."

    def joiners(self, s: NarvaState, plan: Plan) -> Sequence[int]:
        if directed(s) or (s.options["fog"] and not blind(s, plan)):
            return ()
        around = s.game.around[plan.targets[0]]
        return [u for u in fighters(s) if s.at[u] in around and u not in plan.units]

    def why_not_join(self, s: NarvaState, plan: Plan, unit: int) -> Citation | None:
        announced = s.options["fog"] and not blind(s, plan)
        return (
            refuse_if(directed(s), "2.5.3b", "every unit next to the hex takes part already")
            or refuse_if(s.game.side_of[unit] != plan.side, "9.0a", "only your own units attack")
            or refuse_if(s.game.kinds[unit] == HQ, "9.4b", "HQs are no combat units")
            or refuse_if(s.at[unit] == NOWHERE, "9.0a", "it is not on the map")
            or refuse_if(s.at[unit] not in s.game.around[plan.targets[0]], "9.0a", "it is not next to the hex")
            or refuse_if(unit in plan.units, "9.2.1b", "it takes part already")
            or refuse_if(announced, "2.1.3c", "the attack has been announced")
            or why_not_activated(s, unit)
        )

    def everybody(self, s: NarvaState, plan: Plan) -> Plan:
        return Plan(plan.side, plan.targets, (*plan.units, *self.joiners(s, plan)), plan.extra)

    def why_not_leave(self, s: NarvaState, plan: Plan) -> Citation | None:
        announced = s.options["fog"] and not blind(s, plan)
        return refuse_if(announced, "2.1.3c", "an announced attack may not be called off")

    def shortcuts(self, s: NarvaState, plan: Plan) -> list[Action]:
        """Whom Stavka sends nobody takes out; but another hex may be chosen as long as nothing has happened."""
        return [a for a in super().shortcuts(s, plan) if not directed(s) or a.kind == BACK]

    def why_not_without(self, s: NarvaState, plan: Plan, unit: int) -> Citation:
        return (
            refuse_if(directed(s), "2.5.3b", "every unit next to the hex takes part")
            or refuse_if(unit not in plan.units, "9.2.1a", "it is not in the attack")
            or super().why_not_without(s, plan, unit)
        )

    def why_not_commit(self, s: NarvaState, plan: Plan) -> Citation | None:
        if not armed(s, plan.units):
            return UNARMED
        if blind(s, plan):
            return FIRST_ANNOUNCE
        if s.options["fog"] and not (directed(s) and any(part.items(s, plan) for part in self.parts[1:])):
            return None  # 2.1.3c: an attack that falls short is cancelled, a directed one only if no aircraft can help
        return refuse_if(odds(s, plan).column < 1, "9.3.3a", "the odds fall short of the table")

    def outlook(self, s: NarvaState, plan: Plan) -> Forecast | None:
        return None if blind(s, plan) else foresee(s, plan)

    def commit(self, s: NarvaState, plan: Plan) -> None:
        """The choice of a target is still on the agenda: attacks go on from there."""
        target, rolls = plan.targets[0], odds(s, plan).column >= 1
        if directed(s):
            _, left = s.pop()
            s.push(NEXT_DIRECTED, left - rolls)
        else:
            s.push(battle_over)
        s.barred = () if rolls and not directed(s) else (*s.barred, target)
        if rolls:
            resolve(s, plan)
        else:
            s.log("attack", "The attack on {place} falls short of 1-2 and is cancelled", "9.3.3a", place=target)


BUILD = BuildAttack()


# ---------------------------------------------------------------------- 9.3: odds


def quarters(s: NarvaState, unit: int, target: int) -> int:
    """The strength of an attacker, or of a defender of the hex.

    9.3b, 9.3c: doubled once on hills and in swamps; 9.3d, 9.3e: halved once across any water; 9.3f: halved, or halved
    again (2.1.1), without supply.
    """
    (attack, defence, _), ground, home = s.strength(unit), s.game.ground, s.at[unit]
    if home == target:
        strength = defence * (2 * QUARTERS if ground.doubles[target] else QUARTERS)
    else:
        strength = attack * (QUARTERS // 2 if ground.halves[s.game.board.step_of[home, target]] else QUARTERS)
    return strength if s.supply[unit] == SUPPLIED else strength // 2


def shifts(s: NarvaState, plan: Plan) -> list[Modifier]:
    """9.3.1: every column shift, with its rule. Villages and towns give none (9.3g)."""
    ground, target, found = s.game.ground, plan.targets[0], []
    if ground.shift[target]:
        found.append(Modifier(ground.shift[target], ground.hex_terrain[target].name, "9.3.1a"))
    if any(s.pin[unit] for unit in s.stack(target)):
        found.append(Modifier(1, "the defenders are pinned", "2.5.1j"))  # 9.3.1b
    division = defences.division_at(s, target, 1 - plan.side)
    if division >= 0 and s.game.pd_boxes[s.pd[division]]:
        box = s.game.pd_boxes[s.pd[division]]
        found.append(Modifier(-box, f"{defences.DIVISIONS[division]} defences", "11.3.2"))
    for unit, mode in plan.extra:  # 12.0b
        plane = s.game.air[unit]
        columns, kind = (plane.full, "full") if mode == air.FULL else (plane.normal, "normal")
        found.append(Modifier(columns, f"{plane.name}, {kind} attack", "9.3.1c"))
    if directed(s):
        found.append(Modifier(1, "Stavka directive", "2.5.3c"))
    return found


class Odds(NamedTuple):
    """What the attack comes to. Column 0 or less: it is cancelled."""

    attack: int
    defence: int
    column: int


def odds(s: NarvaState, plan: Plan, more: int = 0) -> Odds:
    """9.3a, 9.3.3: ratio, column and shifts; the floor and the top are applied after all shifts (9.3.1d, 9.3.3d).

    2.1.2: fractions are added up, then each total is rounded down; all units in the hex defend together (9.2.2).
    """
    target, table = plan.targets[0], s.game.table
    attack = sum([quarters(s, unit, target) for unit in plan.units]) // QUARTERS
    defence = sum([quarters(s, unit, target) for unit in s.combat_units(target)]) // QUARTERS
    if attack == 0:
        return Odds(attack, defence, 0)  # ruling 40
    if defence == 0:
        return Odds(attack, defence, table.columns)  # 9.3.3c
    column = table.column(plan.side, attack, defence) + more
    column += sum([int(shift.amount) for shift in shifts(s, plan)])
    return Odds(attack, defence, min(column, table.columns))  # 9.3.3b


# ---------------------------------------------------------------------- what may come of it


def foresee(s: NarvaState, plan: Plan) -> Forecast:
    """Strengths, modifiers, column and the exact chances of every result."""
    (attack, defence, column), target, bonus = odds(s, plan), plan.targets[0], die_bonus(s, plan.side)
    modifiers = [*strength_modifiers(s, plan.units, target), *shifts(s, plan)]
    if bonus:
        modifiers.append(Modifier(bonus, "first turn, on the die", "14.3b"))
    if column < 1:
        heading, results = "below the table", ["cancelled"] * 6
    else:
        heading = s.game.table.heading(plan.side, column)
        results = [result_text(s, read(s, column, face + bonus), plan) for face in range(1, 7)]
    facts = (("attack", str(attack)), ("defence", str(defence)), ("column", heading))
    chances = tally([(result, Fraction(1, 6)) for result in results])
    return Forecast(
        f"Attack on {s.game.where(target)}", facts, tuple(modifiers), chances, result_notes(s, plan, column)
    )


def strength_modifiers(s: NarvaState, attackers: tuple[int, ...], target: int) -> list[Modifier]:
    game, half, found = s.game, Fraction(1, 2), []
    for unit in (*attackers, *s.combat_units(target)):
        (attack, defence, _), name = s.strength(unit), game.unit_names[unit]
        if s.at[unit] == target:
            found.append(Modifier(defence, f"{name} defends", "9.2.2"))
        else:
            found.append(Modifier(attack, f"{name} attacks", "9.3a"))
            if game.ground.halves[game.board.step_of[s.at[unit], target]]:
                rule = "2.2.8c" if game.ground.bridge(s.at[unit], target, s.frozen) else "9.3d"
                found.append(Modifier(half, f"times: {name} attacks across a river", rule))
        if s.supply[unit] != SUPPLIED:
            found.append(Modifier(half, f"times: {name} is out of supply", "9.3f"))
    if game.ground.doubles[target]:
        found.append(Modifier(2, f"times: defence in {game.ground.hex_terrain[target].name}", "9.3b"))
    return found


def result_text(s: NarvaState, row: Outcome, plan: Plan) -> str:
    text = row.text + (" A1" if plan.side == SOVIET and row.red else "")
    return text + (" A1 (Stavka)" if directed(s) else "")


def result_notes(s: NarvaState, plan: Plan, column: int) -> tuple[str, ...]:
    ground, target = s.game.ground, plan.targets[0]
    division = defences.division_at(s, target, 1 - plan.side)
    notes = (
        (target in ground.city, "a city: the first loss is ignored (9.4.4)"),
        (ground.halts[target] or division >= 0, "the first retreat hex is ignored (9.5.6a)"),
        (division >= 0, f"the {defences.DIVISIONS[division]} defences absorb results (11.3.4a)"),
        (directed(s), "attacker retreats become losses (2.5.3e)"),
    )
    return tuple([note for holds, note in notes if holds and column >= 1])


# ---------------------------------------------------------------------- 9.1: the die


def die_bonus(s: NarvaState, side: int) -> int:
    """14.3b: on turn 1 the Soviets add one to their combat rolls."""
    return s.game.numbers["first_turn_soviet_combat_bonus"] if s.turn == 1 and side == SOVIET else 0


def read(s: NarvaState, column: int, die: int) -> Outcome:
    return s.game.table.rows[min(die, s.game.numbers["bonus_die_cap"]) - 1][column - 1]


def resolve(s: NarvaState, plan: Plan) -> None:
    """Roll, and queue what both sides suffer."""
    target, units, side = plan.targets[0], plan.units, plan.side
    strength, bonus = odds(s, plan), die_bonus(s, side)
    line_up(s, plan)
    air.send(s, plan.extra)
    fighting = mask_of(units) & s.may_attack
    s.may_attack ^= fighting
    s.attacked |= fighting
    die = s.roll()
    row = read(s, strength.column, die + bonus)
    tell(s, plan, strength, die, bonus, result_text(s, row, plan))
    loss, back = row.a_loss + (row.red if side == SOVIET else 0), row.a_retreat  # 9.1c
    if directed(s):
        loss, back = loss + 1 + back, 0  # 2.5.3d, 2.5.3e
    s.queue(  # 9.1b: the defender first
        (defenders_suffer, target, row.d_loss, row.d_retreat, False), (attackers_suffer, loss, back), (ask, Advance, ())
    )


def tell(s: NarvaState, plan: Plan, strength: Odds, die: int, bonus: int, result: str) -> None:
    """The report of a battle: who, at what odds and why, the die, what comes of it."""
    modifiers, target = shifts(s, plan), plan.targets[0]
    reasons = ", ".join([f"{shift.text} {int(shift.amount):+}" for shift in modifiers])
    column = s.game.table.heading(plan.side, strength.column) + (f"; {reasons}" if reasons else "")
    rules = dict.fromkeys(["9.3a", *(shift.rule for shift in modifiers), *(["14.3b"] if bonus else [])])
    s.log("combat", f"{{units1}} {attacks(plan)} {{units2}} in {{place}}: {{word}}, die {{text}}", *rules,
          units1=plan.units,
          units2=tuple(s.combat_units(target)), place=target,
          word=f"{strength.attack} to {strength.defence} ({column})",
          text=f"{die} + {bonus}: {result}" if bonus else f"{die}: {result}", result=result)  # fmt: skip


@flow.step
def battle_over(s: NarvaState) -> None:
    s.battle = PEACE
