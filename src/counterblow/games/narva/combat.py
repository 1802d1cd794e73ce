"""Sections 9.0-9.4: attacks, odds, results, step losses. Retreats are in ``retreat``, advances in ``advance``."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from counterblow.games.narva import air, defences, headquarters
from counterblow.games.narva.components import HQ, SOVIET, Outcome
from counterblow.games.narva.state import (
    ELIMINATED,
    MAY_ATTACK,
    SIDE_WORDS,
    SUPPLIED,
    NarvaChoice,
    NarvaState,
    flow,
    named,
)
from counterblow.kernel.actions import Action
from counterblow.kernel.forecast import Forecast, Modifier, tally
from counterblow.kernel.rulebook import Citation, refuse
from counterblow.kernel.state import NOWHERE

PEACE: tuple[tuple[int, ...], tuple[int, ...], int] = ((), (), -1)

QUARTERS = 4  # strengths are added up in quarters (2.1.1, 2.1.2)

# how step losses fall: first on the strongest (9.4.1), always on the strongest (9.5.3c), as the owner likes (9.5.2)
FIRST_STRONGEST, STRONGEST, FREELY = 0, 1, 2

ATTACK, DEFENCE = 0, 1  # which printed strength tells who is strongest


# ---------------------------------------------------------------------- 9.0, 9.2: who may attack what


def fighters(s: NarvaState, side: int) -> list[int]:
    """9.0a: activated combat units that have not attacked; pinned ones may not (2.5.1i)."""
    role, pin, at, kinds = s.role, s.pin, s.at, s.game.kinds
    return [u for u in s.game.roster[side] if role[u] & MAY_ATTACK and not pin[u] and at[u] >= 0 and kinds[u] != HQ]


def targets(s: NarvaState, side: int) -> list[int]:
    """9.0b, 9.2.3b: hexes with enemy combat units next to a unit that can attack."""
    enemy, around = s.held[1 - side], s.game.around
    found: set[int] = set()
    for unit in fighters(s, side):
        if s.strength(unit)[0]:
            for node in around[s.at[unit]]:
                if enemy[node]:
                    found.add(node)
    return sorted([node for node in found if node not in s.barred])


@flow.step("combat.segment")
def combat_segment(s: NarvaState, side: int) -> None:
    s.barred = ()
    s.push("combat.next", side)


@flow.step("combat.next")
def combat_next(s: NarvaState, side: int) -> None:
    s.battle = PEACE
    found = target_actions(s, side)
    if len(found) > 1:
        s.offer(found, "combat.attack", side)


def target_actions(s: NarvaState, side: int) -> list[Action]:
    attack = s.game.attack_actions
    return [attack[node] for node in targets(s, side)] + [s.game.end_combat_action]


@flow.choice
class DeclareAttack(NarvaChoice):
    """9.0a, 9.0c: attacks are voluntary."""

    name = "combat.attack"
    rules = ("9.0a", "9.0c")

    def side(self, s: NarvaState, side: int) -> int:
        return side

    def prompt(self, s: NarvaState, side: int) -> str:
        return "Announce an attack on a hex, or end the combat segment."

    def legal(self, s: NarvaState, side: int) -> list[Action]:
        return target_actions(s, side)

    def do(self, s: NarvaState, action: Action, side: int) -> None:
        s.pop()
        if action.kind == "end_combat":
            return
        target = named(action)
        s.push("combat.next", side)
        announce(s, side, target, (), False)

    def why_not(self, s: NarvaState, action: Action, side: int) -> list[Citation]:
        if action.kind != "attack":
            return []
        target = named(action)
        return target_refusal(s, side, target)


def target_refusal(s: NarvaState, side: int, target: int) -> list[Citation]:
    if not s.held[1 - side][target]:
        return [refuse("9.0b", "empty hexes and HQs alone cannot be attacked")]
    if target in s.barred:
        return [refuse("9.3.3a", "the attack on this hex has been called off; fight another battle first")]
    near = [u for node in s.game.around[target] for u in s.combat_units(node) if s.game.side_of[u] == side]
    if not near:
        return [refuse("9.0a", "none of your units is next to it")]
    if all(s.pin[unit] for unit in near):
        return [refuse("2.5.1i", "pinned units may not attack")]
    active = [unit for unit in near if unit in fighters(s, side)]
    if not active:
        return [refuse("4.0a", "no activated unit is next to it"), refuse("9.2.1b", "each unit attacks only once"),
                refuse("4.2.6a", "units out of command may not attack")]  # fmt: skip
    return [refuse("9.2.3b", "units with attack 0 cannot attack alone")]


def announce(s: NarvaState, side: int, target: int, attackers: tuple[int, ...], stavka: bool) -> None:
    """In fog the attackers are named before the stacks are laid open; a directed attack names them itself."""
    s.log("attack", "{word} attack on {hex}", "9.0a", word=SIDE_WORDS[side], hex=target)
    if not s.options["fog"]:
        line_up(s, target, attackers)
    elif stavka:
        lay_open(s, target, attackers)
    s.push("combat.build", side, target, attackers, (), stavka)


def line_up(s: NarvaState, target: int, attackers: tuple[int, ...]) -> None:
    s.battle = (attackers, tuple([s.at[u] for u in attackers]), target)


def lay_open(s: NarvaState, target: int, attackers: tuple[int, ...]) -> None:
    """2.1.3a: in fog the stacks in an attack are seen by both sides once it has been announced."""
    line_up(s, target, attackers)
    s.log("reveal", "{units} attack {hex}: the defenders are shown", "2.1.3a", units=attackers, hex=target)


def blind(s: NarvaState, target: int) -> bool:
    """Is the attack still being put together without a look at the defenders?"""
    return s.battle[2] != target


# ---------------------------------------------------------------------- 9.3: odds


def attack_quarters(s: NarvaState, unit: int, target: int) -> int:
    """9.3d-f: halved once across any water, halved again without supply (2.1.1)."""
    game = s.game
    strength = s.strength(unit)[0] * QUARTERS
    if game.ground.halves[game.board.step_of[s.at[unit], target]]:
        strength //= 2
    return strength if s.supply[unit] == SUPPLIED else strength // 2


def defence_quarters(s: NarvaState, unit: int, target: int) -> int:
    """9.3b, 9.3c, 9.3f: doubled once on hills and in swamps, halved without supply."""
    strength = s.strength(unit)[1] * QUARTERS
    if s.game.ground.doubles[target]:
        strength *= 2
    return strength if s.supply[unit] == SUPPLIED else strength // 2


def attack_total(s: NarvaState, attackers: tuple[int, ...], target: int) -> int:
    """2.1.2: fractions are added up, then the total is rounded down."""
    return sum([attack_quarters(s, unit, target) for unit in attackers]) // QUARTERS


def defence_total(s: NarvaState, target: int) -> int:
    """9.2.2: all units in the hex defend together."""
    return sum([defence_quarters(s, unit, target) for unit in s.combat_units(target)]) // QUARTERS


def shifts(s: NarvaState, side: int, target: int, support: air.Support, stavka: bool) -> list[Modifier]:
    """9.3.1: every column shift, with its rule."""
    ground, found = s.game.ground, []
    if ground.shift[target]:
        found.append(Modifier(ground.shift[target], ground.hex_terrain[target].name, "9.3.1a"))
    if any(s.pin[unit] for unit in s.stack(target)):
        found.append(Modifier(1, "the defenders are pinned", "2.5.1j"))
    division = defences.division_at(s, target, 1 - side)
    if division >= 0 and defences.value(s, division):
        found.append(Modifier(-defences.value(s, division), f"{defences.DIVISIONS[division]} defences", "11.3.2"))
    for unit, mode in support:
        kind = "full" if mode == air.FULL else "normal"
        found.append(Modifier(air.shift(s, unit, mode), f"{s.game.air[unit].name}, {kind} attack", "9.3.1c"))
    if stavka:
        found.append(Modifier(1, "Stavka directive", "2.5.3c"))
    return found


class Odds(NamedTuple):
    """What the attack comes to. Column 0 or less: it is cancelled."""

    attack: int
    defence: int
    column: int


def odds(
    s: NarvaState, side: int, target: int, attackers: tuple[int, ...], support: air.Support, stavka: bool, more: int = 0
) -> Odds:
    """9.3a, 9.3.3: ratio, column and shifts; the floor and the top are applied after all shifts."""
    attack, defence = attack_total(s, attackers, target), defence_total(s, target)
    table = s.game.table
    if attack == 0:
        return Odds(attack, defence, 0)  # ruling 40
    if defence == 0:
        return Odds(attack, defence, table.columns)  # 9.3.3c
    column = table.column(side, attack, defence) + more
    column += sum(int(shift.amount) for shift in shifts(s, side, target, support, stavka))
    return Odds(attack, defence, min(column, table.columns))


# ---------------------------------------------------------------------- building an attack


def candidates(s: NarvaState, side: int, target: int, attackers: tuple[int, ...]) -> list[int]:
    around = s.game.around[target]
    return [u for u in fighters(s, side) if s.at[u] in around and u not in attackers]


@flow.choice
class BuildAttack(NarvaChoice):
    """9.2.1a: any number of adjacent units from any side, then up to two air units, then the die."""

    name = "combat.build"
    rules = ("9.2.1a", "9.3a", "12.1a")

    def side(self, s: NarvaState, side: int, *rest: object) -> int:
        return side

    def prompt(
        self, s: NarvaState, side: int, target: int, attackers: tuple[int, ...], support: air.Support, stavka: bool
    ) -> str:
        label = s.game.board.labels[target]
        if not attackers:
            return f"Attack on {label}: add a unit."
        if blind(s, target):
            return f"Attack on {label}: add units, or announce that there are no more; the defenders are shown then."
        strength = odds(s, side, target, attackers, support, stavka)
        return f"Attack on {label}, {strength.attack} to {strength.defence}: add units or aircraft, or resolve it."

    def chosen(self, s: NarvaState, side: int, target: int, attackers: tuple[int, ...], *rest: object
               ) -> tuple[int, ...]:  # fmt: skip
        return attackers

    def legal(
        self, s: NarvaState, side: int, target: int, attackers: tuple[int, ...], support: air.Support, stavka: bool
    ) -> list[Action]:
        act = s.game.act
        found: list[Action] = []
        if not stavka and (blind(s, target) or not s.options["fog"]):
            found += [act["add"][unit] for unit in candidates(s, side, target, attackers)]
        if blind(s, target):
            return [*found, act["no_more"][()]] if armed(s, attackers) else found
        if attackers:
            found += useful_missions(s, side, target, attackers, support, stavka)
            if not resolve_refusal(s, side, target, attackers, support, stavka):
                found.append(act["resolve"][()])
        if not stavka and not s.options["fog"]:
            found.append(act["call_off"][()])
        return found

    def do(
        self, s: NarvaState, action: Action, side: int, target: int, attackers: tuple[int, ...], support: air.Support,
        stavka: bool,
    ) -> None:  # fmt: skip
        if action.kind == "add":
            unit = named(action)
            attackers = (*attackers, unit)
            if not blind(s, target):
                line_up(s, target, attackers)
            s.replace("combat.build", side, target, attackers, support, stavka)
        elif action.kind == "no_more":
            lay_open(s, target, attackers)
        elif action.kind in ("full_air", "normal_air"):
            s.replace("combat.build", side, target, attackers, (*support, air.flight(s, action)), stavka)
        elif action.kind == "resolve":
            s.pop()
            resolve(s, side, target, attackers, support, stavka)
        else:
            s.pop()
            s.barred = (*s.barred, target)
            s.log("attack", "The attack on {hex} is called off", "9.0c", hex=target)

    def why_not(
        self, s: NarvaState, action: Action, side: int, target: int, attackers: tuple[int, ...], support: air.Support,
        stavka: bool,
    ) -> list[Citation]:  # fmt: skip
        number = action.args[0] if action.args else -1
        if action.kind == "add" and isinstance(number, int):
            return joining_refusal(s, side, target, attackers, number, stavka)
        if blind(s, target) and action.kind in ("full_air", "normal_air", "resolve", "no_more"):
            if not armed(s, attackers):
                return [refuse("9.2.3b", "at least one unit with an attack strength must take part")]
            return [refuse("2.1.3a", "first announce the attack: no more units")]
        if action.kind in ("full_air", "normal_air"):
            reasons = air.mission_refusal(s, side, support, *air.flight(s, action))
            if not reasons and not any(a.args == action.args for a in air.missions(s, side, support)):
                return [refuse("12.1a", "ready air units of one kind are alike: send the first of them")]
            return reasons or [refuse("2.5.3a", "the directed attack would fall short of the table")]
        if action.kind == "resolve":
            return resolve_refusal(s, side, target, attackers, support, stavka)
        if action.kind == "call_off":
            rule = "2.5.3a" if stavka else "2.1.3c"
            return [refuse(rule, "an announced attack may not be called off")]
        return []

    def forecast(
        self, s: NarvaState, action: Action, side: int, target: int, attackers: tuple[int, ...], support: air.Support,
        stavka: bool,
    ) -> Forecast | None:  # fmt: skip
        if action.kind != "resolve":
            return None
        return foresee(s, side, target, attackers, support, stavka)


def useful_missions(
    s: NarvaState, side: int, target: int, attackers: tuple[int, ...], support: air.Support, stavka: bool
) -> list[Action]:
    """Air missions on offer; for a compulsory attack only those that keep it within the table (2.5.3a)."""
    found = air.missions(s, side, support)
    if not stavka:
        return found
    useful = []
    for action in found:
        more = (*support, air.flight(s, action))
        if odds(s, side, target, attackers, more, True, air.best_shift(s, side, more)).column >= 1:
            useful.append(action)
    return useful


def joining_refusal(
    s: NarvaState, side: int, target: int, attackers: tuple[int, ...], unit: int, stavka: bool
) -> list[Citation]:
    if stavka:
        return [refuse("2.5.3b", "every unit next to the hex takes part already")]
    if s.game.side_of[unit] != side or s.game.kinds[unit] == HQ:
        return [refuse("9.0a", "only your combat units attack"), refuse("9.4b", "HQs are no combat units")]
    if s.at[unit] == NOWHERE or s.at[unit] not in s.game.around[target]:
        return [refuse("9.0a", "it is not next to the hex")]
    if s.pin[unit]:
        return [refuse("2.5.1i", "it is pinned")]
    if unit in attackers:
        return [refuse("9.2.1b", "it takes part already")]
    if s.options["fog"] and not blind(s, target):
        return [refuse("2.1.3c", "the attack has been announced")]
    if not s.role[unit]:
        return [refuse("4.0a", "it is not activated"), refuse("4.2.6a", "it is out of command")]
    if side == SOVIET:
        return [refuse("9.2.1b", "it has attacked in this segment")]
    return [refuse("9.2.1b", "it has attacked in this segment, or is one of the Army Group's two"),
            refuse("2.4.2c", "the Army Group's two further units may not fight")]  # fmt: skip


def armed(s: NarvaState, attackers: tuple[int, ...]) -> bool:
    """9.2.3b: units with attack 0 need company."""
    return any(s.strength(unit)[0] for unit in attackers)


def resolve_refusal(
    s: NarvaState, side: int, target: int, attackers: tuple[int, ...], support: air.Support, stavka: bool
) -> list[Citation]:
    if not armed(s, attackers):
        return [refuse("9.2.3b", "at least one unit with an attack strength must take part")]
    if s.options["fog"] and not (stavka and useful_missions(s, side, target, attackers, support, stavka)):
        return []  # 2.1.3c: an attack that falls short is cancelled, a directed one only if no aircraft can help it
    if odds(s, side, target, attackers, support, stavka).column < 1:
        return [refuse("9.3.3a", "the odds fall short of the table")]
    return []


def foresee(
    s: NarvaState, side: int, target: int, attackers: tuple[int, ...], support: air.Support, stavka: bool
) -> Forecast:
    """Strengths, modifiers, column and the exact chances of every result."""
    strength = odds(s, side, target, attackers, support, stavka)
    table, board = s.game.table, s.game.board
    modifiers = [*strength_modifiers(s, attackers, target), *shifts(s, side, target, support, stavka)]
    bonus = die_bonus(s, side)
    if bonus:
        modifiers.append(Modifier(bonus, "first turn, on the die", "14.3b"))
    title = f"Attack on {board.labels[target]}"
    facts = [("attack", str(strength.attack)), ("defence", str(strength.defence))]
    if strength.column < 1:
        return Forecast(
            title, (*facts, ("column", "below the table")), tuple(modifiers), tally([("cancelled", Fraction(1))])
        )
    facts.append(("column", table.heading(side, strength.column)))
    rows = [read(s, side, strength.column, face + bonus) for face in range(1, 7)]
    chances = tally([(result_text(row, side, stavka), Fraction(1, 6)) for row in rows])
    notes = result_notes(s, target, stavka)
    return Forecast(title, tuple(facts), tuple(modifiers), chances, notes)


def strength_modifiers(s: NarvaState, attackers: tuple[int, ...], target: int) -> list[Modifier]:
    game, found = s.game, []
    for unit in attackers:
        printed, name = s.strength(unit)[0], game.unit_names[unit]
        found.append(Modifier(printed, f"{name} attacks", "9.3a"))
        if game.ground.halves[game.board.step_of[s.at[unit], target]]:
            bridged = game.ground.bridge(s.at[unit], target, s.frozen)
            found.append(
                Modifier(Fraction(1, 2), f"times: {name} attacks across a river", "2.2.8c" if bridged else "9.3d")
            )
        if s.supply[unit] != SUPPLIED:
            found.append(Modifier(Fraction(1, 2), f"times: {name} is out of supply", "9.3f"))
    for unit in s.combat_units(target):
        found.append(Modifier(s.strength(unit)[1], f"{game.unit_names[unit]} defends", "9.2.2"))
        if s.supply[unit] != SUPPLIED:
            found.append(Modifier(Fraction(1, 2), f"times: {game.unit_names[unit]} is out of supply", "9.3f"))
    if game.ground.doubles[target]:
        found.append(Modifier(2, f"times: defence in {game.ground.hex_terrain[target].name}", "9.3b"))
    return found


def result_text(row: Outcome, side: int, stavka: bool) -> str:
    text = row.text + (" A1" if side == SOVIET and row.red else "")
    return text + (" A1 (Stavka)" if stavka else "")


def result_notes(s: NarvaState, target: int, stavka: bool) -> tuple[str, ...]:
    ground, owner, notes = s.game.ground, s.owner(target), []
    if target in ground.city:
        notes.append("a city: the first loss is ignored (9.4.4)")
    division = defences.division_at(s, target, owner if owner is not None else SOVIET)
    if target in ground.city or target in ground.village or division >= 0:
        notes.append("the first retreat hex is ignored (9.5.6a)")
    if division >= 0:
        notes.append(f"the {defences.DIVISIONS[division]} defences absorb results (11.3.4a)")
    if stavka:
        notes.append("attacker retreats become losses (2.5.3e)")
    return tuple(notes)


# ---------------------------------------------------------------------- 9.1: the die


def die_bonus(s: NarvaState, side: int) -> int:
    """14.3b: on turn 1 the Soviets add one to their combat rolls."""
    return s.game.numbers["first_turn_soviet_combat_bonus"] if s.turn == 1 and side == SOVIET else 0


def read(s: NarvaState, side: int, column: int, die: int) -> Outcome:
    return s.game.table.rows[min(die, s.game.numbers["bonus_die_cap"]) - 1][column - 1]


def resolve(
    s: NarvaState, side: int, target: int, attackers: tuple[int, ...], support: air.Support, stavka: bool
) -> None:
    strength = odds(s, side, target, attackers, support, stavka)
    if strength.column < 1:
        s.barred = (*s.barred, target)
        s.log("attack", "The attack on {hex} falls short of 1-2 and is cancelled", "9.3.3a", hex=target)
        return
    air.send(s, support)
    s.barred = ()
    for unit in attackers:
        s.role[unit] &= ~MAY_ATTACK
    die = s.roll()
    row = read(s, side, strength.column, die + die_bonus(s, side))
    s.log("combat", "{units} attack {hex}: {word}, die {n}: {text}", "9.3a", units=attackers, hex=target, n=die,
          word=f"{strength.attack} to {strength.defence} ({s.game.table.heading(side, strength.column)})",
          text=result_text(row, side, stavka))  # fmt: skip
    loss, back = row.a_loss + (row.red if side == SOVIET else 0), row.a_retreat  # 9.1c
    if stavka:
        loss, back = loss + 1 + back, 0  # 2.5.3d, 2.5.3e
    s.queue(  # 9.1b: the defender first
        ("combat.defenders", target, row.d_loss, row.d_retreat, False),
        ("combat.attackers", side, loss, back),
        ("advance.next", side, ()),
    )


# ---------------------------------------------------------------------- what a side suffers


@flow.step("combat.defenders")
def defenders_suffer(s: NarvaState, target: int, loss: int, back: int, barrage: bool) -> None:
    """City, village and Prepared Defense effects on the defender, then his losses, then his retreat."""
    stack = s.stack(target)
    if not stack or not (loss or back):
        return
    side = s.game.side_of[stack[0]]
    if loss and target in s.game.ground.city and not barrage:
        loss -= 1
        s.log("combat", "The city saves a step", "9.4.4")
    back = retreat_left(s, target, side, back, barrage)
    division = defences.division_at(s, target, side)
    if division >= 0:
        loss = defences.absorb(s, division, loss)  # 11.3.4a, 11.3.4c: losses before retreats
        back = defences.absorb(s, division, back)  # 11.3.4b
    units = tuple(s.combat_units(target))
    s.queue(
        ("combat.losses", units, loss, FIRST_STRONGEST, DEFENCE, False), ("retreat.start", target, back, units, DEFENCE)
    )


def retreat_left(s: NarvaState, node: int, side: int, back: int, barrage: bool) -> int:
    """9.5.6, 11.3.3: one hex of a combat retreat is ignored in a village, city or German PD hex, once."""
    if not back or barrage:  # 2.5.1h, 9.5.6d
        return back
    ground = s.game.ground
    if defences.division_at(s, node, side) < 0 and node not in ground.village and node not in ground.city:
        return back
    s.log("combat", "The first retreat hex is ignored in {hex}", "9.5.6a", hex=node)
    return back - 1


@flow.step("combat.attackers")
def attackers_suffer(s: NarvaState, side: int, loss: int, back: int) -> None:
    """Losses of the attacking force, then the retreat of each attacking hex from its own hex (ruling 45)."""
    attackers, homes, _ = s.battle
    steps: list[tuple[object, ...]] = [("combat.losses", attackers, loss, FIRST_STRONGEST, ATTACK, True)]
    if back:
        steps += [("combat.fall_back", side, home, back) for home in sorted(set(homes))]
    s.queue(*steps)


@flow.step("combat.fall_back")
def fall_back(s: NarvaState, side: int, home: int, back: int) -> None:
    back = retreat_left(s, home, side, back, False)  # 9.5.6b
    division = defences.division_at(s, home, side)
    if division >= 0:
        back = defences.absorb(s, division, back)  # 11.3.4d
    units = tuple([u for u in s.battle[0] if s.at[u] == home])
    if units:
        s.push("retreat.start", home, back, units, ATTACK)


# ---------------------------------------------------------------------- 9.4: step losses


def losers(s: NarvaState, units: tuple[int, ...], how: int, strength: int) -> list[int]:
    """Who may take the next step loss (9.4.1, 9.4.2). HQs have no steps (9.4b)."""
    alive = [u for u in units if s.step[u] and s.game.kinds[u] != HQ]
    if how == FREELY or len(alive) < 2:
        return alive
    most = max(s.strength(u)[strength] for u in alive)
    return [u for u in alive if s.strength(u)[strength] == most]


@flow.step("combat.losses")
def step_losses(s: NarvaState, units: tuple[int, ...], loss: int, how: int, strength: int, shielded: bool) -> None:
    """Take so many steps from the units; ask only where the owner has a choice. Losses beyond the last step lapse."""
    if not loss:
        return
    able = losers(s, units, how, strength)
    if len(able) == 1:
        suffer(s, able[0], units, loss, how, strength, shielded)
    elif able:
        s.push("combat.lose", units, loss, how, strength, shielded)


def suffer(
    s: NarvaState, unit: int, units: tuple[int, ...], loss: int, how: int, strength: int, shielded: bool
) -> None:
    """One step loss on a unit. ``shielded``: attackers in a city or PD hex may be spared (rulings 45, 51)."""
    after = FREELY if how == FIRST_STRONGEST else how
    s.push("combat.losses", units, loss - 1, after, strength, shielded)
    if shielded and s.at[unit] != NOWHERE:
        if how == FIRST_STRONGEST and s.at[unit] in s.game.ground.city:
            s.log("combat", "The city saves a step", "9.4.4")
            return
        division = defences.division_at(s, s.at[unit], s.game.side_of[unit])
        if division >= 0 and defences.absorb(s, division, 1) == 0:
            return
    lose_step(s, unit)


def lose_step(s: NarvaState, unit: int) -> None:
    """9.4a: a full unit is reduced; a reduced or one-step unit is destroyed (9.4.3)."""
    node = s.at[unit]
    if s.step[unit] > 1:
        s.step[unit] -= 1
        s.recount(unit)
        s.log("loss", "{unit} loses a step", "9.4a", unit=unit)
        return
    s.take_off(unit, ELIMINATED)
    s.log("eliminate", "{unit} is eliminated", "9.4a", unit=unit)
    headquarters.orphaned(s, node)


@flow.choice
class LoseStep(NarvaChoice):
    """9.4.1b, 9.4.2: the owner chooses among equals, and freely after the first step."""

    name = "combat.lose"
    rules = ("9.4.1b", "9.4.2")

    def side(self, s: NarvaState, units: tuple[int, ...], *rest: object) -> int:
        return s.game.side_of[units[0]]

    def prompt(self, s: NarvaState, units: tuple[int, ...], loss: int, how: int, strength: int, shielded: bool) -> str:
        return f"Choose the unit that loses a step ({loss} to lose)."

    def legal(
        self, s: NarvaState, units: tuple[int, ...], loss: int, how: int, strength: int, shielded: bool
    ) -> list[Action]:
        return [s.game.act["lose"][unit] for unit in losers(s, units, how, strength)]

    def do(
        self, s: NarvaState, action: Action, units: tuple[int, ...], loss: int, how: int, strength: int, shielded: bool
    ) -> None:
        s.pop()
        unit = named(action)
        suffer(s, unit, units, loss, how, strength, shielded)

    def why_not(
        self, s: NarvaState, action: Action, units: tuple[int, ...], loss: int, how: int, strength: int, shielded: bool
    ) -> list[Citation]:
        if action.kind != "lose":
            return []
        unit = action.args[0]
        if unit not in units or s.game.kinds[unit] == HQ:
            return [refuse("9.4b", "it does not take part in this loss")]
        rule = "9.5.3c" if how == STRONGEST else "9.4.1a"
        return [refuse(rule, "the strongest unit loses the step")]
