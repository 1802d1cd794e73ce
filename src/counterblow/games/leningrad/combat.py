"""Chapter 2: ground combat - strengths, odds, the allocation of attacks and the duty to attack."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from counterblow.games.leningrad import retreat, supply, terrain
from counterblow.games.leningrad.components import GERMAN, RUSSIAN, SIDES
from counterblow.games.leningrad.state import Battle, LeningradState, flow
from counterblow.kernel.forecast import Forecast, Modifier
from counterblow.kernel.gather import Gather, Plan
from counterblow.kernel.masks import bits, mask_of
from counterblow.kernel.pick import Deed, Menu, Pick
from counterblow.kernel.rulebook import Citation, refuse, refuse_if


class Odds(NamedTuple):
    """A battle before the die."""

    attack: int
    defence: int
    strengths: tuple[int, ...]  # of the defence, hex by hex
    plain: int  # column before shifts, -1 under 1:5
    shifts: tuple[Modifier, ...]
    column: int


# ---------------------------------------------------------------- 2.1 to 2.3: strengths and odds


def odds(
    s: LeningradState, targets: Sequence[int], attackers: Sequence[int], parts: list[Modifier] | None = None
) -> Odds:
    """2.2: factors against modified factors, rounded toward the defender, then all shifts at once (2.21).

    ``parts`` collects what the strengths are made of.
    """
    line = s.game.tables.odds
    attack = sum(terrain.attack_factor(s, unit, parts) for unit in attackers)
    defences = [terrain.defence(s, node, attackers, parts) for node in targets]
    defence = sum(d.strength for d in defences)
    plain = line.column(attack, defence)
    shifts = _shifts(s, targets, attackers, defences)
    strengths = tuple(d.strength for d in defences)
    return Odds(attack, defence, strengths, plain, shifts, line.shifted(plain, shifts))


def _shifts(
    s: LeningradState, targets: Sequence[int], attackers: Sequence[int], defences: Sequence[terrain.Defence]
) -> tuple[Modifier, ...]:
    game, trains = s.game, s.game.counters.trains
    side = 1 - game.side_of[attackers[0]]
    disrupted = sum(d.disrupted for d in defences)
    weak = disrupted > 0 and 2 * disrupted >= sum(d.units for d in defences)
    river = all((s.at[unit], node) in game.rivers for unit in attackers for node in targets)
    cut_off = any(not supply.in_supply(s, unit) for unit in _fighters(s, attackers))
    starved = any(not supply.in_supply(s, unit) for unit, _ in defenders(s, targets, side))
    rolling = sum(trains >> unit & 1 for unit in attackers)
    standing = sum(trains >> unit & 1 for node in targets for unit in s.stack(node)) if side == RUSSIAN else 0
    shifts = (
        (int(weak), "half the defence or more is Disrupted", "2.13"),
        (-int(river), "the whole attack crosses a river", "2.14"),
        (-int(cut_off), "an attacker is out of supply", "2.15"),
        (int(starved), "a defender is out of supply", "2.16"),
        (rolling, "armored trains attack", "2.18"),
        (-standing, "armored trains defend", "2.18"),
    )
    return tuple(Modifier(amount, text, rule) for amount, text, rule in shifts if amount)


def defenders(s: LeningradState, targets: Sequence[int], side: int) -> list[tuple[int, int]]:
    """(unit, defended hex) of everybody with a factor (2.23)."""
    return [(unit, node) for node in targets for unit in s.ground_units(node, side)]


def fronts(s: LeningradState, attackers: Sequence[int]) -> tuple[int, ...]:
    """The hexes from which an attack is made."""
    return tuple(sorted({s.at[unit] for unit in attackers}))


def strong_enough(s: LeningradState, targets: Sequence[int], attackers: Iterable[int]) -> bool:
    """2.3, ruling D3: at least 1:5 on plain factors."""
    units = list(attackers)
    attack = sum(terrain.attack_factor(s, unit) for unit in units)
    return attack > 0 and attack * 5 >= sum(terrain.defence(s, node, units).strength for node in targets)


def forecast(s: LeningradState, targets: Sequence[int], attackers: Sequence[int]) -> Forecast:
    """The whole picture of a battle before the die."""
    parts: list[Modifier] = []
    found = odds(s, targets, attackers, parts)
    tables = s.game.tables
    headings = tables.odds.headings
    attack, defence = [s.game.unit_names[unit] for unit in attackers], [s.game.where(node) for node in targets]
    return Forecast(
        f"{' + '.join(attack)} against {' + '.join(defence)}",
        facts=(
            ("attack", str(found.attack)),
            ("defence", str(found.defence)),
            ("odds", headings[found.plain] if found.plain >= 0 else "under 1:5"),
            ("column", headings[found.column]),
        ),
        modifiers=(*parts, *found.shifts),
        outcomes=tables.ground.outcomes(found.column, texts=tables.meaning),
        notes=_retreat_notes(s, targets, attackers),
    )


def _retreat_notes(s: LeningradState, targets: Sequence[int], attackers: Sequence[int]) -> tuple[str, ...]:
    """What a retreat would mean where that is determined already."""
    words = {
        retreat.NONE: "surrounded: D1 is D, D2 is DE (3.13)",
        retreat.WATER: "an ordered retreat leads off the map or into water: eliminated (4.7)",
    }
    fought = s.copy()
    fought.targets, fought.fronts = tuple(targets), fronts(s, attackers)
    side = 1 - s.game.side_of[attackers[0]]
    ways = [(unit, retreat.way_out(fought, unit, node)) for unit, node in defenders(s, targets, side)]
    return tuple(f"{s.game.unit_names[unit]}: {words[way]}" for unit, way in ways if way in words)


# ---------------------------------------------------------------- who may attack, and whom


def why_absent(s: LeningradState, unit: int) -> Citation | None:
    """Why a unit is not there to move or to attack; None if it is."""
    if s.in_play(unit):
        return None
    counters, bit, due = s.game.counters, 1 << unit, s.game.counters.turn[unit]
    return (
        refuse_if(s.gone & bit, "10.26", "the unit has left for Moscow")
        or refuse_if(s.waiting & bit and due > s.turn, "10.25", f"the unit is due on turn {due}")
        or refuse_if(s.waiting & bit, "10.10", "the unit waits to arrive")
        or refuse_if(counters.type[unit] == "air", "11.5", "air units bomb and intercept")
        or refuse_if(s.lost & bit, "3.1", "the unit is eliminated")
        or refuse("1.4", "the unit is not on the map")
    )


def may_attack(s: LeningradState, side: int) -> int:
    """2.12, 1.12, 7.5, 1.7: units that may still be allocated; trains only beside others (ruling D64)."""
    counters = s.game.counters
    able = counters.ground[side] | (counters.trains if side == RUSSIAN else 0)
    return able & ~(s.disrupted | s.attacked | s.hurried | allocated(s) | (s.used if s.blitz else 0))


def allocated(s: LeningradState) -> int:
    return mask_of([unit for _, attackers in s.battles for unit in attackers])


def attacked_hexes(s: LeningradState) -> list[int]:
    return [node for targets, _ in s.battles for node in targets]


def next_to(s: LeningradState, mask: int, nodes: Sequence[int]) -> list[int]:
    """Units of a mask that stand next to every one of some hexes, across sides that can be crossed (2.19, 2.20)."""
    around = s.game.grounds[s.frozen].around
    found = [unit for near in around[nodes[0]] for unit in s.here.get(near, ()) if mask >> unit & 1]
    for node in nodes[1:]:
        found = [unit for unit in found if s.at[unit] in around[node]]
    return sorted(found)


def _fighters(s: LeningradState, units: Iterable[int]) -> list[int]:
    trains = s.game.counters.trains
    return [unit for unit in units if not trains >> unit & 1]


def possible_targets(s: LeningradState, side: int) -> list[int]:
    """Enemy hexes that can be attacked now: each once in a combat step (ruling D23)."""
    ready = may_attack(s, side) & s.game.counters.ground[side]
    at, enemy, around = s.at, s.held[1 - side], s.game.grounds[s.frozen].around
    near = {node for unit in s.take_from(ready) for node in around[at[unit]] if enemy[node]}
    near.difference_update(attacked_hexes(s))
    return sorted(node for node in near if strong_enough(s, (node,), next_to(s, ready, (node,))))


def could_attack_alone(s: LeningradState, unit: int, node: int) -> bool:
    """Ruling D68: could a Russian unit, from this hex, attack Germans west of the Narva all by itself?"""
    game = s.game
    near = [n for n in game.grounds[s.frozen].around[node] if s.held[GERMAN][n]]
    for target in [n for n in near if game.west[n]]:
        dry = (node, target) not in game.rivers
        also = [n for n in near if n != target and obliges(s, n, GERMAN) and not (dry and (node, n) in game.rivers)]
        if game.counters.factor[unit] * 5 >= sum(terrain.defence(s, n, ()).strength for n in (target, *also)):
            return True
    return False


# ---------------------------------------------------------------- 2.6 to 2.9, 2.22: the duty to attack


def obliges(s: LeningradState, node: int, side: int) -> bool:
    """2.6, 2.9: does the hex hold an UnDisrupted army, group or corps of a side?"""
    mask = s.game.counters.obliging[side] & ~s.disrupted
    return any(mask >> unit & 1 for unit in s.here.get(node, ()))


def neglected(s: LeningradState, side: int, battles: Sequence[Battle]) -> list[int]:
    """Enemy hexes that must be attacked too, and are not. All attackers are looked at, so the duty spreads (2.22)."""
    if side == GERMAN and not s.options["symmetric_obligation"]:
        return []
    around = s.game.grounds[s.frozen].around  # 2.8: not across all-water sides
    taken = {node for targets, _ in battles for node in targets}
    near = {node for _, attackers in battles for unit in attackers for node in around[s.at[unit]]}
    enemies = [node for node in near - taken if s.held[1 - side][node] and obliges(s, node, 1 - side)]
    return sorted([node for node in enemies if not _behind_river(s, node, battles)])


def _behind_river(s: LeningradState, node: int, battles: Sequence[Battle]) -> bool:
    """2.7, ruling D6: behind a river from every attacker next to it, while their own battles cross none."""
    rivers, around = s.game.rivers, s.game.grounds[s.frozen].around[node]
    for targets, attackers in battles:
        origins = fronts(s, attackers)
        near = [here for here in origins if here in around]
        crossing = any((here, target) in rivers for here in origins for target in targets)
        if near and (crossing or any((here, node) not in rivers for here in near)):
            return False
    return True


def unmet(s: LeningradState) -> list[Citation]:
    """Duties that the allocation leaves unmet; 7.16: who crossed the Narva must attack Germans on that bank."""
    where, names, west = s.game.where, s.game.unit_names, s.game.west
    paid = [unit for targets, attackers in s.battles if any(west[node] for node in targets) for unit in attackers]
    owing = [unit for unit in bits(s.owing) if unit not in paid]
    reasons = [refuse("2.6", f"{where(node)} must be attacked too") for node in neglected(s, s.mover, s.battles)]
    return reasons + [refuse("7.16", f"{names[unit]} crossed the Narva and must attack there") for unit in owing]


# ---------------------------------------------------------------- the allocation


def why_not_attacker(s: LeningradState, unit: int, side: int) -> Citation | None:
    """Why a unit may attack nobody now."""
    name, bit = s.game.unit_names[unit], 1 << unit
    return (
        refuse_if(s.game.side_of[unit] != side, "1.1", f"{name} is not yours")
        or why_absent(s, unit)
        or refuse_if(s.disrupted & bit, "2.12", f"{name} is Disrupted")
        or refuse_if(s.hurried & bit, "7.5", f"{name} used its movement bonus")
        or refuse_if((s.attacked | allocated(s)) & bit, "1.12", f"{name} attacks once a turn")
        or refuse_if(s.blitz and s.used & bit, "1.7", f"{name} was used in the first phase")
        or refuse_if(not may_attack(s, side) & bit, "13.7", f"{name} takes no part in ground attacks")
    )


def why_not_enemy(s: LeningradState, node: int, taken: Sequence[int], side: int) -> Citation | None:
    """Why a hex is none to be attacked."""
    enemies = s.held[1 - side][node]
    empty = refuse_if(not enemies, "2.2", f"no {SIDES[1 - side]} ground unit is there to attack")
    return empty or refuse_if(node in taken, "2.23", "the hex is under attack already")


class ChooseTarget(Pick[LeningradState]):
    kind, passing, stays = "attack", "end attacks", True

    def items(self, s: LeningradState) -> list[int]:
        return possible_targets(s, s.mover)

    def why_not_item(self, s: LeningradState, node: int) -> Citation | None:
        side = s.mover
        near = next_to(s, s.game.counters.ground[side], (node,))
        reasons = [why_not_attacker(s, unit, side) for unit in near]
        by_water = any(s.ground_units(there, side) for there in s.game.board.around[node])
        return (
            why_not_enemy(s, node, attacked_hexes(s), side)
            or refuse_if(not near and by_water, "2.20", "water lies between")
            or refuse_if(not near, "2.19", "no attacker is next to it")
            or refuse_if(not all(reasons), "2.3", "the odds would be under 1:5")
            or reasons[0]
        )

    def why_not_pass(self, s: LeningradState) -> Citation | None:
        reasons = unmet(s)
        return reasons[0] if reasons else None

    def take(self, s: LeningradState, node: int) -> None:
        s.push(Assault, Plan(s.mover, (node,)))

    def decline(self, s: LeningradState) -> None:
        close(s)


class GiveUp(Deed[LeningradState]):
    """Ruling D69: no attacks at all, where the duty to attack cannot or shall not be met."""

    kind = "give up"

    def why_not_now(self, s: LeningradState) -> Citation | None:
        reason = (
            "a German attack is cancelled before its die; all are given up for an unmet duty alone (2.6, ruling D69)"
        )
        return refuse_if(not unmet(s), "2.10", reason)

    def perform(self, s: LeningradState) -> None:
        """Units that crossed the Narva go back (ruling D68)."""
        s.battles = ()
        for unit, origin in s.origins:
            s.log("move", "{unit} goes back over the Narva to {place}", "7.16", unit=unit, place=origin)
            s.enter(unit, origin)
            s.moved &= ~(1 << unit)
        s.log("attack", "All attacks are given up", "2.6")
        close(s)


def close(s: LeningradState) -> None:
    s.owing = 0
    s.origins = ()


@flow.choice
class Allocate(Menu[LeningradState]):
    """1.4, ruling D47: after movement the attacks are allocated, one battle after another."""

    parts = (ChooseTarget(), GiveUp())

    def prompt(self, s: LeningradState) -> str:
        reasons = unmet(s)
        if reasons:
            return "Allocate further attacks: " + "; ".join(str(reason) for reason in reasons) + "."
        return "Choose a hex to attack, or end the allocation of attacks."

    def chosen(self, s: LeningradState) -> tuple[int, ...]:
        return tuple(unit for _, attackers in s.battles for unit in attackers)

    def undone(self, s: LeningradState) -> str:
        hexes = len(possible_targets(s, s.mover))
        return "" if s.battles else f"no attack is allocated, though {hexes} hex{'es' * (hexes != 1)} can be attacked"


@flow.choice
class Assault(Gather[LeningradState]):
    """One battle is put together: attackers, further hexes, done."""

    drawing = "also"

    def prompt(self, s: LeningradState, plan: Plan) -> str:
        where = s.game.all_of(plan.targets)
        if not plan.units:
            return f"Which units attack {where}?"
        found = odds(s, plan.targets, plan.units)
        return f"Attack on {where}: {found.attack} to {found.defence}. Add units or hexes, or commit the attack."

    def joiners(self, s: LeningradState, plan: Plan) -> list[int]:
        return [unit for unit in next_to(s, may_attack(s, plan.side), plan.targets) if unit not in plan.units]

    def why_not_join(self, s: LeningradState, plan: Plan, unit: int) -> Citation | None:
        apart = unit not in next_to(s, 1 << unit, plan.targets)
        return (
            refuse_if(unit in plan.units, "1.12", "it takes part already")
            or why_not_attacker(s, unit, plan.side)
            or refuse_if(apart, "2.19", "every attacker must be next to every defended hex")
        )

    def further(self, s: LeningradState, plan: Plan) -> list[int]:
        enemy = s.held[1 - plan.side]
        near = s.game.grounds[s.frozen].around[s.at[plan.units[0]]] if plan.units else ()
        return [node for node in near if enemy[node] and self.why_not_further(s, plan, node) is None]

    def why_not_further(self, s: LeningradState, plan: Plan, node: int) -> Citation | None:
        """2.19, ruling D7: every attacker must be next to every defended hex."""
        around, targets = s.game.grounds[s.frozen].around, (*plan.targets, node)
        apart = any(node not in around[s.at[unit]] for unit in plan.units)
        joiners = next_to(s, may_attack(s, plan.side), targets)
        return (
            why_not_enemy(s, node, [*attacked_hexes(s), *plan.targets], plan.side)
            or refuse_if(not plan.units, "2.19", "first choose an attacker, who must be next to every defended hex")
            or refuse_if(apart, "2.19", "every attacker must be next to every defended hex")
            or refuse_if(not strong_enough(s, targets, {*plan.units, *joiners}), "2.3", "the odds would be under 1:5")
        )

    def why_not_commit(self, s: LeningradState, plan: Plan) -> Citation | None:
        return (
            refuse_if(not plan.units, "2.2", "nobody attacks yet")
            or refuse_if(not _fighters(s, plan.units), "2.18", "trains never attack alone")
            or refuse_if(not strong_enough(s, plan.targets, plan.units), "2.3", "the odds are under 1:5")
        )

    def commit(self, s: LeningradState, plan: Plan) -> None:
        s.battles = (*s.battles, (plan.targets, plan.units))
        s.log("attack", "{units} will attack {places}", units=plan.units, places=plan.targets)

    def outlook(self, s: LeningradState, plan: Plan) -> Forecast | None:
        return forecast(s, plan.targets, plan.units) if _fighters(s, plan.units) else None


def attacking(s: LeningradState) -> dict[int, int]:
    """Attackers of the battle at hand with a factor, and what they count for."""
    ground = s.game.counters.ground[s.mover]
    return {unit: terrain.attack_factor(s, unit) for unit in s.attackers if ground >> unit & 1 and s.in_play(unit)}
