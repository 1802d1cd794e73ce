"""Chapter 3: the resolution of battles and their results; chapter 1: recovery."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from counterblow.games.leningrad import advance, combat, retreat, supply
from counterblow.games.leningrad.components import GERMAN, RUSSIAN
from counterblow.games.leningrad.state import FLEE, MAY_RETREAT, NO_RETREAT, NOT_ASKED, Battle, LeningradState, flow
from counterblow.kernel.actions import Action
from counterblow.kernel.flow import Step
from counterblow.kernel.forecast import Forecast
from counterblow.kernel.pick import Deed, Menu, Pick
from counterblow.kernel.rulebook import Citation, refuse

SHIELD = flow.later("fleet.Shield")

# ---------------------------------------------------------------- 1.5, 3.20 to 3.22: recovery


@flow.step
def recovery(s: LeningradState, side: int) -> None:
    """1.5, 3.20: Disrupted units of the other side that are not under attack recover, if in supply (3.22)."""
    attacked = combat.attacked_hexes(s)
    counters = s.game.counters
    able = counters.ground[side] | (counters.trains | 1 << counters.fleet if side == RUSSIAN else 0)
    for unit in s.take_from(s.disrupted & able):
        if s.at[unit] not in attacked or unit == counters.fleet:
            recover(s, unit, "3.20")


def recover(s: LeningradState, unit: int, rule: str) -> None:
    """3.22: only in supply; the fleet needs none (ruling D58)."""
    if unit == s.game.counters.fleet or supply.in_supply(s, unit):
        s.recover(unit)
        s.log("recovery", "{unit} recovers in {place}", rule, unit=unit, place=s.at[unit])


# ---------------------------------------------------------------- 3.14 to 3.16: No Retreat


class NoRetreat(Deed[LeningradState]):
    """An order, or leave to retreat."""

    kind, passing = "no retreat", "allow retreats"


@flow.step
def ask_for_order(s: LeningradState) -> None:
    """3.15, ruling D8: before the first battle of a German player-turn, for all of it."""
    if s.battles and s.order == NOT_ASKED:
        s.push(RussianOrder)


@flow.choice
class RussianOrder(NoRetreat):
    rules = ("3.15",)
    asks = "Order No Retreat for all your UnDisrupted units in this German player-turn?"

    def side(self, s: LeningradState) -> int:
        return RUSSIAN

    def perform(self, s: LeningradState) -> None:
        s.order = NO_RETREAT
        s.log("order", "Not a step back: No Retreat for all Russian units", "3.15")

    def decline(self, s: LeningradState) -> None:
        s.order = MAY_RETREAT


@flow.choice
class GermanOrder(NoRetreat):
    rules = ("3.16",)

    def side(self, s: LeningradState) -> int:
        return GERMAN

    def prompt(self, s: LeningradState) -> str:
        where = " and ".join(s.game.where(node) for node in s.targets)
        return f"Order No Retreat for the defenders of {where}?"

    def perform(self, s: LeningradState) -> None:
        cover(s)
        s.log("order", "No Retreat in {places}", "3.16", places=s.targets)


def cover(s: LeningradState) -> None:
    """3.14, 3.25: the order covers only the units that are UnDisrupted."""
    for unit, _ in defenders(s):
        if not s.is_disrupted(unit):
            s.covered |= 1 << unit


def defenders(s: LeningradState) -> list[tuple[int, int]]:
    """(unit, defended hex) of everybody with a factor in the battle at hand (2.23)."""
    side = 1 - s.mover
    return [(unit, node) for node in s.targets for unit in s.ground_units(node, side)]


# ---------------------------------------------------------------- 1.6: battle by battle


@flow.step
def next_battle(s: LeningradState) -> None:
    if s.battles:
        s.queue((NextBattle,), (next_battle,))


class Fight(Pick[LeningradState]):
    kind = "fight"

    def items(self, s: LeningradState) -> list[int]:
        return [targets[0] for targets, _ in s.battles]

    def why_not_item(self, s: LeningradState, node: int) -> Citation | None:
        return why_not_named(s, node) or refuse("1.6", "no attack on that hex has been allocated")

    def take(self, s: LeningradState, node: int) -> None:
        _open_battle(s, node)
        s.fronts = tuple(sorted({s.at[unit] for unit in s.attackers}))
        s.retreats = (0,) * len(s.targets)
        fleet = s.game.counters.fleet
        s.queue((roll_battle,), (battle_end,))
        if s.mover == GERMAN:
            if s.order == NO_RETREAT:
                cover(s)
            if s.at[fleet] in s.targets and not (s.disrupted | s.attacked) >> fleet & 1:  # 13.7 or 13.8 (ruling D44)
                s.push(SHIELD)
        elif any(not s.is_disrupted(unit) for unit, _ in defenders(s)):
            s.push(GermanOrder)

    def forecast(self, s: LeningradState, action: Action) -> Forecast | None:
        return combat.forecast(s, *_battle_at(s, action.args[0]))


class Cancel(Pick[LeningradState]):
    """2.10, 2.11: only German attacks may be cancelled."""

    kind = "cancel"

    def candidates(self, s: LeningradState) -> list[int]:
        return [targets[0] for targets, _ in s.battles]

    def why_not_item(self, s: LeningradState, node: int) -> Citation | None:
        if s.mover == RUSSIAN:
            return refuse("2.11", "a Russian attack may not be cancelled")
        battle = next((b for b in s.battles if b[0][0] == node), None)
        if battle is None:
            return why_not_named(s, node) or refuse("2.10", "no attack on that hex has been allocated")
        return None if may_cancel(s, battle) else refuse("2.10", "an earlier attack made this one obligatory")

    def take(self, s: LeningradState, node: int) -> None:
        _open_battle(s, node)
        call_off(s, "2.10")


@flow.choice
class NextBattle(Menu[LeningradState]):
    """1.6: the attacker picks the order."""

    rules = ("1.6", "2.10")
    parts = (Cancel(), Fight())

    def prompt(self, s: LeningradState) -> str:
        return "Which battle is next?" + (" Attacks may be cancelled." if s.mover == GERMAN else "")


def why_not_named(s: LeningradState, node: int) -> Citation | None:
    """Ruling D7: a battle over several hexes is one battle."""
    first = next((targets[0] for targets, _ in s.battles if node in targets[1:]), None)
    if first is None:
        return None
    return refuse("2.19", f"that hex is attacked together with {s.game.where(first)}, by which the battle is named")


def _open_battle(s: LeningradState, node: int) -> None:
    battle = _battle_at(s, node)
    s.battles = tuple(b for b in s.battles if b != battle)
    s.targets, s.attackers = battle


def _battle_at(s: LeningradState, node: int) -> Battle:
    return next(battle for battle in s.battles if battle[0][0] == node)


def may_cancel(s: LeningradState, battle: Battle) -> bool:
    """2.10, ruling D5: not if the duty to attack, where it binds the Germans, asks for this combat."""
    if not s.options["symmetric_obligation"]:
        return True
    others = [b for b in s.battles if b != battle]
    return not set(combat.neglected(s, GERMAN, others)) & set(battle[0]) and not _asked_for(s, battle)


def _asked_for(s: LeningradState, battle: Battle) -> bool:
    """Do units that have attacked already in this step stand next to these defenders?"""
    around = s.game.grounds[s.frozen].around
    mask = s.game.counters.obliging[RUSSIAN] & ~s.disrupted
    fought = s.take_from(s.attacked & ~s.used)
    return any(
        s.at[unit] in around[node] and (s.at[unit], node) not in s.game.rivers
        for node in battle[0]
        if any(mask >> other & 1 for other in s.stack(node))
        for unit in fought
    )


def call_off(s: LeningradState, *rules: str) -> None:
    """2.10, 2.24: the attack is not made. 3.26, ruling D54: its defenders recover, but not in the blitzkrieg (1.9)."""
    spare(s, s.targets, *rules)
    battle_end(s)


def spare(s: LeningradState, targets: Sequence[int], *rules: str) -> None:
    """Hexes that are not attacked after all."""
    s.log("attack", "The attack on {places} is called off", *rules, places=targets)
    if not s.blitz:
        _recover_in(s, targets, "3.26")


def _recover_in(s: LeningradState, targets: Sequence[int], rule: str) -> None:
    """Disrupted defenders recover, trains too."""
    able = s.game.counters.trains | s.game.counters.ground[1 - s.mover]
    for unit in [unit for node in targets for unit in s.stack(node) if (s.disrupted & able) >> unit & 1]:
        recover(s, unit, rule)


@flow.step
def battle_end(s: LeningradState) -> None:
    s.targets = s.attackers = s.strengths = s.retreats = s.fronts = ()
    s.result_now = ""
    s.covered = s.cleared = s.quota = 0


# ---------------------------------------------------------------- 2.4, 2.5: the die


def row(s: LeningradState) -> int:
    """2.4: one roll, as a row of the tables; index B is index A upside down."""
    face = s.roll()
    return face if s.options["die_index"] == "A" else 7 - face


@flow.step
def roll_battle(s: LeningradState) -> None:
    game = s.game
    found = combat.odds(s, s.targets, s.attackers)
    face = row(s)
    result = game.tables.ground.result(face, found.column)
    for unit in s.attackers:
        bit = 1 << unit
        s.attacked |= bit  # 1.12
        s.entrenched &= ~bit  # 9.3
        if s.mover == RUSSIAN and any(game.west[node] for node in s.targets):
            s.crossed |= bit  # 7.16
    s.strengths = found.strengths
    s.result_now = result
    if s.mover == GERMAN and result[0] == "D" and game.factory in s.targets:
        s.factory_hit = 1  # 10.2, ruling D34
    verb = "attacks" if len(s.attackers) == 1 else "attack"
    s.log(
        "battle", f"{{units}} {verb} {{places}}: " "{attack} to {defence}, {column}{shifts}, row {row}: {result}",
        "2.5", *(shift.rule for shift in found.shifts), combat.MEANING[result][1],
        units=s.attackers, places=s.targets, attack=str(found.attack), defence=str(found.defence),
        column=game.tables.odds.headings[found.column], row=str(face), result=result,
        shifts="".join(f", {shift.text} {shift.amount:+d}" for shift in found.shifts),
    )  # fmt: skip
    RESULTS[result](s)


# ---------------------------------------------------------------- 3.1 to 3.13: the results


def _de(s: LeningradState) -> None:
    """3.1; trains run (13.4), the fleet is not touched (13.13)."""
    for unit, _ in defenders(s):
        s.eliminate(unit, "3.1")
    _clear_garrisons(s)
    s.queue(*_trains_leave(s, 1), (advance.begin,))


def _clear_garrisons(s: LeningradState) -> None:
    """9.4, ruling D25: D2 and DE beat the factor of a Leningrad hex."""
    for index, node in enumerate(s.game.leningrad):
        if node in s.targets and s.garrisons >> index & 1:
            s.cleared |= 1 << index


def _trains_leave(s: LeningradState, least: int) -> list[Step]:
    """Ruling D77: driven off with the stack."""
    trains = s.game.counters.trains if s.mover == GERMAN else 0
    return [(FLEE, unit, least) for node in s.targets for unit in s.stack(node) if trains >> unit & 1]


def _d1(s: LeningradState) -> None:
    _driven(s, 1)


def _d2(s: LeningradState) -> None:
    _clear_garrisons(s)
    _driven(s, 2)


def _driven(s: LeningradState, most: int) -> None:
    """3.2, 3.4; 3.13, 3.14: for those who cannot or may not retreat D1 is D and D2 is DE."""
    moving = []
    ways = [(u, home, retreat.way_out(s, u, home, s.targets, s.fronts)) for u, home in defenders(s)]
    for unit, home, way in ways:
        ordered_to_stay = s.covered >> unit & 1
        if not ordered_to_stay and way != retreat.NONE:
            moving.append((unit, home, way))
        elif most == 2:
            s.eliminate(unit, "3.14" if ordered_to_stay else "3.13")
            continue
        s.disrupt(unit)
    if moving:
        s.push(RetreatLength, most, tuple(moving))
    else:
        s.queue(*(_trains_leave(s, 1) if most == 2 else ()), (advance.begin,))


Moving = tuple[tuple[int, int, int], ...]  # unit, defended hex, way out


@flow.choice
class RetreatLength(Pick[LeningradState]):
    """3.2: the attacker says how far the defenders go back."""

    rules = ("3.2",)
    kind = "order retreat"

    def prompt(self, s: LeningradState, most: int, moving: Moving) -> str:
        return f"How many hexes must the defenders retreat, 0 to {most}?"

    def about(self, s: LeningradState, most: int, moving: Moving) -> tuple[int, ...]:
        return tuple(unit for unit, _, _ in moving)

    def items(self, s: LeningradState, most: int, moving: Moving) -> range:
        return range(most + 1)

    def why_not_item(self, s: LeningradState, length: int, most: int, moving: Moving) -> Citation | None:
        return refuse("3.2", f"0 to {most} hexes")

    def take(self, s: LeningradState, length: int, most: int, moving: Moving) -> None:
        extra = 1 if most == 1 else 0  # 3.5
        steps: list[Step] = []
        for unit, home, way in moving:
            if way == retreat.WATER:
                if length:
                    s.eliminate(unit, "4.7")
                continue
            steps.append((retreat.retreat_unit, unit, home, length, extra))
        s.queue(*steps, *(_trains_leave(s, length) if length else ()), (advance.begin,))


def _d(s: LeningradState) -> None:
    """3.6, 3.7."""
    for unit, _ in defenders(s):
        s.disrupt(unit)
    s.queue(*_voluntary(s), (advance.begin,))


def _voluntary(s: LeningradState) -> list[Step]:
    """3.7, 3.8: up to two hexes of their own will; not under No Retreat (ruling D8)."""
    return [(retreat.retreat_unit, u, home, 0, 2) for u, home in defenders(s) if not s.covered >> u & 1]


def _dash(s: LeningradState) -> None:
    """3.8; 3.21: the defenders have held, and recover before any voluntary retreat (ruling D54)."""
    _recover_in(s, s.targets, "3.21")
    s.queue(*_voluntary(s), (advance.begin,))


def _ad(s: LeningradState) -> None:
    """3.9; 13.3: never a train."""
    _recover_in(s, s.targets, "3.21")
    _disrupt_attackers(s)


def _disrupt_attackers(s: LeningradState) -> None:
    ground = s.game.counters.ground[s.mover]
    for unit in s.attackers:
        if ground >> unit & 1 and s.in_play(unit):
            s.disrupt(unit)


def _ae(s: LeningradState) -> None:
    _recover_in(s, s.targets, "3.21")
    s.push(losses)


def _d_ae(s: LeningradState) -> None:
    """3.12, ruling D9: both halves; the D half denies recovery, and nobody advances."""
    for unit, _ in defenders(s):
        s.disrupt(unit)
    s.queue((losses,), *_voluntary(s))


RESULTS = {"DE": _de, "D2": _d2, "D1": _d1, "D": _d, "-": _dash, "AD": _ad, "AE": _ae, "D/AE": _d_ae}


# ---------------------------------------------------------------- 3.10, 3.11: attackers lost


def loss_sets(s: LeningradState) -> list[frozenset[int]]:
    """3.10, ruling D10: sets that reach the defence, and would fall short without any one of their units."""
    factors = combat.attacking(s)
    need = sum(s.strengths)
    found: list[frozenset[int]] = []
    for count in range(1, len(factors) + 1):
        for units in combinations(factors, count):
            total = sum(factors[unit] for unit in units)
            if total >= need and all(total - factors[unit] < need for unit in units):
                found.append(frozenset(units))
    return found


@flow.step
def losses(s: LeningradState) -> None:
    sets = loss_sets(s)
    if len(sets) > 1:
        s.push(ChooseLosses, ())
    else:
        _lose(s, sets[0] if sets else frozenset(combat.attacking(s)))


def _lose(s: LeningradState, units: frozenset[int]) -> None:
    for unit in sorted(units):
        s.eliminate(unit, "3.10")
    _disrupt_attackers(s)  # 3.11


@flow.choice
class ChooseLosses(Pick[LeningradState]):
    """3.10: the attacker names them one by one, along some set that just reaches the defence."""

    rules = ("3.10",)
    kind = "lose"

    def prompt(self, s: LeningradState, chosen: tuple[int, ...]) -> str:
        return f"Choose attackers to lose, worth {sum(s.strengths)} in all."

    def chosen(self, s: LeningradState, chosen: tuple[int, ...]) -> tuple[int, ...]:
        return chosen

    def items(self, s: LeningradState, chosen: tuple[int, ...]) -> list[int]:
        return sorted({unit for sets in loss_sets(s) if sets.issuperset(chosen) for unit in sets} - set(chosen))

    def why_not_item(self, s: LeningradState, unit: int, chosen: tuple[int, ...]) -> Citation | None:
        if unit not in combat.attacking(s):
            return refuse("3.10", "only attackers of this battle are lost")
        if unit in chosen:
            return refuse("3.10", "it is named already")
        return refuse("3.10", "losses must equal the defence, with no unit more than is needed")

    def take(self, s: LeningradState, unit: int, chosen: tuple[int, ...]) -> None:
        chosen = (*chosen, unit)
        if frozenset(chosen) in loss_sets(s):
            _lose(s, frozenset(chosen))
        else:
            s.push(ChooseLosses, chosen)
