"""Chapter 3: the resolution of battles and their results; chapter 1: recovery."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from counterblow.games.leningrad import advance, combat, retreat, supply
from counterblow.games.leningrad.components import GERMAN, RUSSIAN
from counterblow.games.leningrad.state import FLEE, MAY_RETREAT, NO_RETREAT, NOT_ASKED, Battle, LeningradState, flow
from counterblow.kernel.flow import Step
from counterblow.kernel.forecast import Forecast
from counterblow.kernel.masks import mask_of
from counterblow.kernel.pick import Deed, Menu, Pick
from counterblow.kernel.rulebook import Citation, refuse, refuse_if

SHIELD = flow.later("fleet.Shield")

# ---------------------------------------------------------------- 1.5, 3.20 to 3.22: recovery


@flow.step
def recovery(s: LeningradState) -> None:
    """1.5, 3.20: Disrupted units of the other side that are not under attack recover; the fleet is never attacked."""
    attacked, fleet = combat.attacked_hexes(s), s.game.counters.fleet
    recover(s, [u for u in s.take_from(s.disrupted) if s.at[u] not in attacked or u == fleet], "3.20")


def recover(s: LeningradState, units: Iterable[int], rule: str) -> None:
    """3.22: those who defend, if they are in supply; the fleet needs none (ruling D58)."""
    able = s.disrupted & s.game.everybody[1 - s.mover]
    for unit in units:
        if able >> unit & 1 and (unit == s.game.counters.fleet or supply.in_supply(s, unit)):
            s.recover(unit)
            s.log("recovery", "{unit} recovers in {place}", rule, unit=unit, place=s.at[unit])


# ---------------------------------------------------------------- 3.14 to 3.16: No Retreat


class NoRetreat(Deed[LeningradState]):
    """An order, or leave to retreat."""

    kind, passing, other = "no retreat", "allow retreats", True


@flow.choice
class RussianOrder(NoRetreat):
    """3.15, ruling D8: before the first battle of a German player-turn, for all of it."""

    def why_not_now(self, s: LeningradState) -> Citation | None:
        return refuse_if(not s.battles or s.order != NOT_ASKED, "3.15", "it is asked before the first battle")

    def perform(self, s: LeningradState) -> None:
        s.order = NO_RETREAT
        s.log("order", "Not a step back: No Retreat for all Russian units", "3.15")

    def decline(self, s: LeningradState) -> None:
        s.order = MAY_RETREAT


@flow.choice
class GermanOrder(NoRetreat):
    def prompt(self, s: LeningradState) -> str:
        return f"Order No Retreat for the defenders of {s.game.all_of(s.targets)}?"

    def perform(self, s: LeningradState) -> None:
        s.covered = steady(s)
        s.log("order", "No Retreat in {places}", "3.16", places=s.targets)


def defenders(s: LeningradState) -> list[tuple[int, int]]:
    """(unit, defended hex) of everybody with a factor in the battle at hand (2.23)."""
    return combat.defenders(s, s.targets, 1 - s.mover)


def steady(s: LeningradState) -> int:
    """3.14, 3.25: an order covers only defenders that are UnDisrupted."""
    return mask_of(unit for unit, _ in defenders(s)) & ~s.disrupted


# ---------------------------------------------------------------- 1.6: battle by battle


@flow.step
def next_battle(s: LeningradState) -> None:
    if s.battles:
        s.queue((NextBattle,), (next_battle,))


class ByName(Pick[LeningradState]):
    """Battles are named by their first hex; one over several hexes is one battle (ruling D7)."""

    unknown = "1.6"

    def candidates(self, s: LeningradState) -> list[int]:
        return [targets[0] for targets, _ in s.battles]

    def why_not_item(self, s: LeningradState, node: int) -> Citation | None:
        for targets, _ in s.battles:
            if node in targets[1:]:
                first = s.game.where(targets[0])
                return refuse("2.19", f"that hex is attacked together with {first}, by which the battle is named")
        return refuse_if(node not in self.candidates(s), self.unknown, "no attack on that hex has been allocated")

    def take(self, s: LeningradState, node: int) -> None:
        battle = _battle_at(s, node)
        s.battles = tuple(b for b in s.battles if b != battle)
        s.targets, s.attackers = battle
        self.begin(s)

    def begin(self, s: LeningradState) -> None:
        raise NotImplementedError


class Fight(ByName):
    kind = "fight"

    def begin(self, s: LeningradState) -> None:
        s.fronts = combat.fronts(s, s.attackers)
        s.retreats = (0,) * len(s.targets)
        fleet = s.game.counters.fleet
        s.queue((roll_battle,), (battle_end,))
        if s.mover == GERMAN:
            s.covered = steady(s) if s.order == NO_RETREAT else 0
            if s.at[fleet] in s.targets and not (s.disrupted | s.attacked) >> fleet & 1:  # 13.7 or 13.8 (ruling D44)
                s.push(SHIELD)
        elif steady(s):
            s.push(GermanOrder)

    def outlook(self, s: LeningradState, node: int) -> Forecast:
        return combat.forecast(s, *_battle_at(s, node))


class Cancel(ByName):
    """2.10, 2.11: only German attacks may be cancelled."""

    kind, unknown = "cancel", "2.10"

    def why_not_item(self, s: LeningradState, node: int) -> Citation | None:
        return (
            refuse_if(s.mover == RUSSIAN, "2.11", "a Russian attack may not be cancelled")
            or super().why_not_item(s, node)
            or refuse_if(_obligatory(s, _battle_at(s, node)), "2.10", "an earlier attack made this one obligatory")
        )

    def begin(self, s: LeningradState) -> None:
        call_off(s, "2.10")


@flow.choice
class NextBattle(Menu[LeningradState]):
    """1.6: the attacker picks the order."""

    parts = (Cancel(), Fight())

    def prompt(self, s: LeningradState) -> str:
        return "Which battle is next?" + (" Attacks may be cancelled." if s.mover == GERMAN else "")


def _battle_at(s: LeningradState, node: int) -> Battle:
    return next(battle for battle in s.battles if battle[0][0] == node)


def _obligatory(s: LeningradState, battle: Battle) -> bool:
    """2.10, ruling D5: does the duty to attack, where it binds the Germans, ask for this combat?"""
    if not s.options["symmetric_obligation"]:
        return False
    others = [b for b in s.battles if b != battle]
    if set(combat.neglected(s, GERMAN, others)) & set(battle[0]):
        return True
    fought = s.take_from(s.attacked & ~s.used)  # in this step
    around, rivers = s.game.grounds[s.frozen].around, s.game.rivers
    asking = [node for node in battle[0] if combat.obliges(s, node, RUSSIAN)]
    return any(s.at[u] in around[node] and (s.at[u], node) not in rivers for node in asking for u in fought)


def call_off(s: LeningradState, *rules: str) -> None:
    """2.10, 2.24: the attack is not made. 3.26, ruling D54: its defenders recover, but not in the blitzkrieg (1.9)."""
    spare(s, s.targets, *rules)
    battle_end(s)


def spare(s: LeningradState, targets: Sequence[int], *rules: str) -> None:
    """Hexes that are not attacked after all."""
    s.log("attack", "The attack on {places} is called off", *rules, places=targets)
    if not s.blitz:
        recover(s, _stacks(s, targets), "3.26")


def _stacks(s: LeningradState, targets: Sequence[int]) -> list[int]:
    """Units and trains; the fleet is no part of a battle (ruling D58)."""
    return [unit for node in targets for unit in s.stack(node) if unit != s.game.counters.fleet]


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
        "2.5", *(shift.rule for shift in found.shifts), game.tables.result_rule[result],
        units=s.attackers, places=s.targets, attack=str(found.attack), defence=str(found.defence),
        column=game.tables.odds.headings[found.column], row=str(face), result=result,
        shifts="".join(f", {shift.text} {shift.amount:+d}" for shift in found.shifts),
    )  # fmt: skip
    carry_out(s, result)


# ---------------------------------------------------------------- 3.1 to 3.13: the results


def carry_out(s: LeningradState, result: str) -> None:
    """What the die has said; who advances waits until the retreats are over."""
    if result in ("-", "AD", "AE"):  # 3.21: the defenders have held, and recover before any voluntary retreat
        recover(s, _stacks(s, s.targets), "3.21")
    if result in ("DE", "D2"):
        _clear_garrisons(s)
    if result == "DE":  # 3.1; trains run (13.4), the fleet is not touched (13.13)
        for unit, _ in defenders(s):
            s.eliminate(unit, "3.1")
        s.queue(*_trains_leave(s, 1), (advance.begin,))
    elif result in ("D1", "D2"):
        _driven(s, int(result[1]))
    elif result == "AD":  # 3.9
        _disrupt_attackers(s)
    else:
        if result[0] == "D":  # 3.6; 3.12, ruling D9: both halves count, the D denies recovery
            for unit, _ in defenders(s):
                s.disrupt(unit)
        going_back = [] if result == "AE" else _voluntary(s)
        if result.endswith("AE"):  # nobody advances
            s.queue((losses,), *going_back)
        else:
            s.queue(*going_back, (advance.begin,))


def _clear_garrisons(s: LeningradState) -> None:
    """9.4, ruling D25: D2 and DE beat the factor of a Leningrad hex."""
    s.cleared = s.garrisons & mask_of(index for node, index in s.game.leningrad_index.items() if node in s.targets)


def _trains_leave(s: LeningradState, least: int) -> list[Step]:
    """Ruling D77: driven off with the stack. None is ever where Germans stand."""
    trains = s.game.counters.trains
    return [(FLEE, unit, least) for node in s.targets for unit in s.stack(node) if trains >> unit & 1]


def _driven(s: LeningradState, most: int) -> None:
    """3.2, 3.4; 3.13, 3.14: for those who cannot or may not retreat D1 is D and D2 is DE."""
    moving = []
    ways = [(u, home, retreat.way_out(s, u, home)) for u, home in defenders(s)]
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

    kind = "order retreat"

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
            if way != retreat.WATER:
                steps.append((retreat.retreat_unit, unit, home, length, extra))
            elif length:
                s.eliminate(unit, "4.7")
        s.queue(*steps, *(_trains_leave(s, length) if length else ()), (advance.begin,))


def _voluntary(s: LeningradState) -> list[Step]:
    """3.7, 3.8: up to two hexes of their own will; not under No Retreat (ruling D8)."""
    return [(retreat.retreat_unit, u, home, 0, 2) for u, home in defenders(s) if not s.covered >> u & 1]


def _disrupt_attackers(s: LeningradState) -> None:
    """13.3: never a train."""
    for unit in combat.attacking(s):
        s.disrupt(unit)


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
    return found or [frozenset(factors)]


@flow.step
def losses(s: LeningradState) -> None:
    sets = loss_sets(s)
    if len(sets) > 1:
        s.push(ChooseLosses, ())
    else:
        _lose(s, sets[0])


def _lose(s: LeningradState, units: frozenset[int]) -> None:
    for unit in sorted(units):
        s.eliminate(unit, "3.10")
    _disrupt_attackers(s)  # 3.11


@flow.choice
class ChooseLosses(Pick[LeningradState]):
    """3.10: the attacker names them one by one, along some set that just reaches the defence."""

    kind = "lose"

    def prompt(self, s: LeningradState, chosen: tuple[int, ...]) -> str:
        return f"Choose attackers to lose, worth {sum(s.strengths)} in all."

    def chosen(self, s: LeningradState, chosen: tuple[int, ...]) -> tuple[int, ...]:
        return chosen

    def items(self, s: LeningradState, chosen: tuple[int, ...]) -> list[int]:
        return sorted({unit for sets in loss_sets(s) if sets.issuperset(chosen) for unit in sets} - set(chosen))

    def why_not_item(self, s: LeningradState, unit: int, chosen: tuple[int, ...]) -> Citation | None:
        return (
            refuse_if(unit not in combat.attacking(s), "3.10", "only attackers of this battle are lost")
            or refuse_if(unit in chosen, "3.10", "it is named already")
            or refuse("3.10", "losses must equal the defence, with no unit more than is needed")
        )

    def take(self, s: LeningradState, unit: int, chosen: tuple[int, ...]) -> None:
        chosen = (*chosen, unit)
        if frozenset(chosen) in loss_sets(s):
            _lose(s, frozenset(chosen))
        else:
            s.push(ChooseLosses, chosen)
