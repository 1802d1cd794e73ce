"""Chapter 13: the Red Banner Baltic Fleet and its Marines. (Armored trains: see rail.py.)"""

from __future__ import annotations

from fractions import Fraction

from counterblow.games.leningrad import combat
from counterblow.games.leningrad.components import GERMAN, RUSSIAN
from counterblow.games.leningrad.results import battle_end, call_off, roll_battle, row, spare
from counterblow.games.leningrad.state import Battle, LeningradState, flow
from counterblow.kernel.actions import Action
from counterblow.kernel.forecast import Forecast, Modifier, Outcome
from counterblow.kernel.pick import Deed, Pick
from counterblow.kernel.rulebook import Citation, refuse

# ---------------------------------------------------------------- 13.6: sailing


def why_not_act(s: LeningradState, rule: str, verb: str) -> Citation | None:
    """Why the fleet can neither sail nor fire now."""
    if s.mover != RUSSIAN:
        return refuse(rule, f"the fleet {verb}s in the Russian movement step")
    if not s.afloat:
        return refuse("13.11", "the fleet is sunk")
    return refuse(rule, f"a Disrupted fleet does not {verb}") if s.is_disrupted(s.game.counters.fleet) else None


class SetSail(Deed[LeningradState]):
    kind, stays = "sail", True

    def why_not_now(self, s: LeningradState) -> Citation | None:
        fleet, reason = s.game.counters.fleet, why_not_act(s, "13.6", "sail")
        if reason is None and s.attacked >> fleet & 1:
            return refuse("13.7", "the fleet has bombarded, and stays where it fired")
        return refuse("1.10", "the fleet has sailed this turn") if reason is None and s.moved >> fleet & 1 else reason

    def perform(self, s: LeningradState) -> None:
        s.push(Sail)


@flow.choice
class Sail(Pick[LeningradState]):
    rules = ("13.6",)
    kind, returns = "to", True
    asks = "Where does the fleet sail?"

    def about(self, s: LeningradState) -> tuple[int, ...]:
        return (s.game.counters.fleet,)

    def items(self, s: LeningradState) -> list[int]:
        at = s.at[s.game.counters.fleet]
        return [node for node in s.game.coast if node != at]

    def why_not_item(self, s: LeningradState, node: int) -> Citation | None:
        return refuse("13.6", "the fleet sails to Gulf coast hexes")

    def allows(self, s: LeningradState, action: Action) -> bool:
        """To where it lies: it is taken back."""
        stays: Action = s.game.act["to"][s.at[s.game.counters.fleet]]
        return action == stays or super().allows(s, action)

    def take(self, s: LeningradState, node: int) -> None:
        fleet = s.game.counters.fleet
        s.put(fleet, node)  # 13.15: it takes no place and bars none
        s.moved |= 1 << fleet
        s.log("fleet", "{unit} sails to {place}", "13.6", unit=fleet, place=node)


# ---------------------------------------------------------------- 13.7 to 13.10, 13.14: guns


class Bombard(Deed[LeningradState]):
    """13.7, ruling D44: once in the Russian step, at Germans in its own coastal hex."""

    kind, stays = "bombard", True

    def why_not_now(self, s: LeningradState) -> Citation | None:
        fleet, reason = s.game.counters.fleet, why_not_act(s, "13.7", "bombard")
        if reason is None and s.attacked >> fleet & 1:
            return refuse("13.7", "the fleet has fired")
        if reason is None and not s.held[GERMAN][s.at[fleet]]:
            return refuse("13.7", "no German ground unit is in the fleet's hex")
        return reason

    def perform(self, s: LeningradState) -> None:
        s.attacked |= 1 << s.game.counters.fleet
        fire(s, s.at[s.game.counters.fleet])

    def forecast(self, s: LeningradState, action: Action) -> Forecast | None:
        return fire_forecast(s, s.at[s.game.counters.fleet])


def fire(s: LeningradState, node: int) -> None:
    """13.9: each German unit in the hex is rolled for; 13.14: a trench is no help."""
    for unit in s.ground_units(node, GERMAN):
        hit = row(s) <= s.game.tables.rows["fleet_fire"]
        if hit:
            s.disrupt(unit)
        result = "Disrupted" if hit else "no effect"
        s.log("fleet", "The fleet fires at {unit}: {result}", "13.9", unit=unit, result=result)


def fire_forecast(s: LeningradState, node: int) -> Forecast:
    """Exact chances of the number of units Disrupted."""
    units = s.ground_units(node, GERMAN)
    hit = Fraction(s.game.tables.rows["fleet_fire"], 6)
    chances = [Fraction(1)]
    for _ in units:
        chances = [
            (chances[n] * (1 - hit) if n < len(chances) else Fraction(0)) + (chances[n - 1] * hit if n else 0)
            for n in range(len(chances) + 1)
        ]
    return Forecast(
        f"The fleet fires at {s.game.where(node)}",
        modifiers=(Modifier(0, "each German unit is Disrupted on 2 in 6", "13.9"),),
        outcomes=tuple(Outcome(f"{n} Disrupted", chance) for n, chance in enumerate(chances)),
    )


@flow.choice
class Shield(Pick[LeningradState]):
    """13.8: before a battle on its hex the fleet may fire at one hex of attackers."""

    rules = ("13.8",)
    kind, passing = "fire", "hold fire"
    asks = "May the fleet fire at one hex of attackers first?"

    def side(self, s: LeningradState) -> int:
        return RUSSIAN

    def items(self, s: LeningradState) -> tuple[int, ...]:
        return s.fronts

    def why_not_item(self, s: LeningradState, node: int) -> Citation | None:
        return refuse("13.8", "only at a hex of attackers")

    def take(self, s: LeningradState, node: int) -> None:
        fire(s, node)
        _thin_out_other_attacks(s)
        _attack_again(s)

    def forecast(self, s: LeningradState, action: Action) -> Forecast | None:
        return fire_forecast(s, action.args[0]) if action.kind == "fire" else None


def _thin_out_other_attacks(s: LeningradState) -> None:
    """13.9, 13.10, 2.24: a unit of that hex that was to attack elsewhere, and is Disrupted, drops out there, too."""
    kept: list[Battle] = []
    for targets, attackers in s.battles:
        left = tuple(unit for unit in attackers if not s.is_disrupted(unit))
        if left and combat.strong_enough(s, targets, left):
            kept.append((targets, left))
        else:
            spare(s, targets, "2.24")
    s.battles = tuple(kept)


def _attack_again(s: LeningradState) -> None:
    """13.10, 2.24: Disrupted attackers drop out; the attack may then be impossible, or be cancelled."""
    left = tuple(unit for unit in s.attackers if not s.is_disrupted(unit))
    if left == s.attackers:
        s.push(PressOn)
        return
    s.attackers = left
    if not left or not combat.strong_enough(s, s.targets, left):
        _abandon(s, "2.24")
        return
    s.fronts = tuple(sorted({s.at[unit] for unit in left}))
    s.push(PressOn)


def _abandon(s: LeningradState, rule: str) -> None:
    """The battle's remaining steps are dropped with it."""
    while s.agenda[-1][0] in (roll_battle, battle_end):
        s.pop()
    call_off(s, rule)


@flow.choice
class PressOn(Pick[LeningradState]):
    """2.10, ruling D44: after the fleet's fire the German may still cancel."""

    rules = ("2.10",)
    kind, passing = "cancel", "press on"
    asks = "The fleet has fired. Press the attack?"

    def items(self, s: LeningradState) -> tuple[int, ...]:
        return s.targets[:1]

    def why_not_item(self, s: LeningradState, node: int) -> Citation | None:
        return refuse("2.10", "that is not the attack at which the fleet has fired")

    def take(self, s: LeningradState, node: int) -> None:
        _abandon(s, "2.10")

    def forecast(self, s: LeningradState, action: Action) -> Forecast | None:
        return combat.forecast(s, s.targets, s.attackers) if action.kind == "press on" else None


# ---------------------------------------------------------------- 7.20, 10.9: landings


def _barred_shore(s: LeningradState) -> bool:
    """7.16: is the fleet west of the Narva, where the Marines have never attacked?"""
    counters = s.game.counters
    return bool(s.game.west[s.at[counters.fleet]]) and not s.crossed >> counters.marines & 1


class Land(Deed[LeningradState]):
    """7.20, 10.8, rulings D32 and D75: the fleet has sailed this step and takes the Marines along."""

    kind, stays = "land", True

    def why_not_now(self, s: LeningradState) -> Citation | None:
        counters = s.game.counters
        fleet, marines = counters.fleet, counters.marines
        if not s.afloat:
            return refuse("13.11", "the fleet is sunk")
        if s.mover != RUSSIAN:
            return refuse("7.20", "the Marines land in the Russian movement step")
        if not s.moved >> fleet & 1:
            return refuse("10.9", "the fleet must sail to the coast with them in this step")
        if s.held[GERMAN][s.at[fleet]]:
            return refuse("10.9", "Germans are on that shore")
        if _barred_shore(s):
            return refuse("7.16", "west of the Narva only for units that attacked there")
        if not s.in_play(marines):
            fresh = s.lost >> marines & 1 and not s.marines_back
            return None if fresh else refuse("10.8", "the Marines come back only once")
        if s.is_disrupted(marines):
            return refuse("3.18", "the Marines are Disrupted")
        if s.moved >> marines & 1:
            return refuse("1.10", "the Marines have moved this turn")
        if s.at[marines] == s.at[fleet]:
            return refuse("7.20", "the Marines are in that hex already")
        return None if s.at[marines] in s.game.coast else refuse("7.20", "the Marines embark in a coastal hex")

    def perform(self, s: LeningradState) -> None:
        """10.9: Disrupted unless they land on a friendly unit."""
        counters = s.game.counters
        marines, node = counters.marines, s.at[counters.fleet]
        if not s.in_play(marines):
            s.marines_back = 1
            s.lost &= ~(1 << marines)
            s.entered |= 1 << marines
        friend = s.held[RUSSIAN][node] > 0
        s.moved |= 1 << marines
        how = "" if friend else " and are Disrupted"
        s.log("fleet", "{unit} land in {place}" + how, "10.9", unit=marines, place=node)
        s.enter(marines, node)
        if not friend:
            s.disrupt(marines)
