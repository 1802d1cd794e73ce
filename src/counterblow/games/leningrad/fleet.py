"""Chapter 13: the Red Banner Baltic Fleet and its Marines. (Armored trains: see rail.py.)"""

from __future__ import annotations

from fractions import Fraction

from counterblow.games.leningrad import attack
from counterblow.games.leningrad.components import GERMAN, RUSSIAN
from counterblow.games.leningrad.results import call_off, row, spare
from counterblow.games.leningrad.state import Battle, LeningradState, flow
from counterblow.kernel.actions import Action
from counterblow.kernel.flow import Choice
from counterblow.kernel.forecast import Forecast, Modifier, Outcome
from counterblow.kernel.rulebook import Citation, refuse

# ---------------------------------------------------------------- 13.6: sailing


def may_sail(s: LeningradState) -> bool:
    fleet = s.game.counters.fleet
    return s.afloat and not (s.disrupted | s.moved) >> fleet & 1


@flow.choice
class Sail(Choice[LeningradState]):
    name = "sail"
    rules = ("13.6",)

    def side(self, s: LeningradState) -> int:
        return RUSSIAN

    def prompt(self, s: LeningradState) -> str:
        return "Where does the fleet sail?"

    def legal(self, s: LeningradState) -> list[Action]:
        at = s.at[s.game.counters.fleet]
        return [s.game.to[node] for node in s.game.coast if node != at]

    def do(self, s: LeningradState, action: Action) -> None:
        s.pop()
        fleet, node = s.game.counters.fleet, action.args[0]
        s.put(fleet, node)  # 13.15: it takes no place and bars none
        s.moved |= 1 << fleet
        s.log("fleet", "{unit} sails to {hex}", "13.6", unit=fleet, hex=node)

    def why_not(self, s: LeningradState, action: Action) -> list[Citation]:
        return [refuse("13.6", "the fleet sails to Gulf coast hexes")] if action.kind == "to" else []


# ---------------------------------------------------------------- 13.7 to 13.10, 13.14: guns


def may_bombard(s: LeningradState) -> bool:
    """13.7, ruling D44: once in the Russian step, at Germans in its own coastal hex."""
    fleet = s.game.counters.fleet
    return s.afloat and not (s.disrupted | s.attacked) >> fleet & 1 and s.held[GERMAN][s.at[fleet]] > 0


def why_not_bombard(s: LeningradState) -> list[Citation]:
    fleet = s.game.counters.fleet
    if not s.afloat:
        return [refuse("13.11", "the fleet is sunk")]
    if s.is_disrupted(fleet):
        return [refuse("13.7", "a Disrupted fleet does not fire")]
    if s.attacked >> fleet & 1:
        return [refuse("13.7", "the fleet has fired")]
    return [refuse("13.7", "no German ground unit is in the fleet's hex")]


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
        f"The fleet fires at {s.game.board.labels[node]}",
        modifiers=(Modifier(0, "each German unit is Disrupted on 2 in 6", "13.9"),),
        outcomes=tuple(Outcome(f"{n} Disrupted", chance) for n, chance in enumerate(chances)),
    )


@flow.choice
class Shield(Choice[LeningradState]):
    """13.8: before a battle on its hex the fleet may fire at one hex of attackers."""

    name = "fleet.shield"
    rules = ("13.8",)

    def side(self, s: LeningradState) -> int:
        return RUSSIAN

    def prompt(self, s: LeningradState) -> str:
        return "May the fleet fire at one hex of attackers first?"

    def legal(self, s: LeningradState) -> list[Action]:
        act = s.game.act
        return [*(act["fire"][node] for node in s.fronts), act["hold fire"][()]]

    def do(self, s: LeningradState, action: Action) -> None:
        s.pop()
        if action.kind == "hold fire":
            return
        fire(s, action.args[0])
        _thin_out_other_attacks(s)
        _attack_again(s)

    def why_not(self, s: LeningradState, action: Action) -> list[Citation]:
        return [refuse("13.8", "only at a hex of attackers")] if action.kind == "fire" else []

    def forecast(self, s: LeningradState, action: Action) -> Forecast | None:
        return fire_forecast(s, action.args[0]) if action.kind == "fire" else None


def _thin_out_other_attacks(s: LeningradState) -> None:
    """13.9, 13.10, 2.24: a unit of that hex that was to attack elsewhere, and is Disrupted, drops out there, too."""
    kept: list[Battle] = []
    for targets, attackers in s.battles:
        left = tuple(unit for unit in attackers if not s.is_disrupted(unit))
        if left and attack.strong_enough(s, targets, left):
            kept.append((targets, left))
        else:
            spare(s, targets, "2.24")
    s.battles = tuple(kept)


def _attack_again(s: LeningradState) -> None:
    """13.10, 2.24: Disrupted attackers drop out; the attack may then be impossible, or be cancelled."""
    left = tuple(unit for unit in s.attackers if not s.is_disrupted(unit))
    if left == s.attackers:
        s.push("press on")
        return
    s.attackers = left
    if not left or not attack.strong_enough(s, s.targets, left):
        _abandon(s, "2.24")
        return
    s.fronts = tuple(sorted({s.at[unit] for unit in left}))
    s.push("press on")


def _abandon(s: LeningradState, rule: str) -> None:
    """The battle's remaining steps are dropped with it."""
    while s.agenda[-1][0] in ("battle.roll", "battle.end"):
        s.pop()
    call_off(s, rule)


@flow.choice
class PressOn(Choice[LeningradState]):
    """2.10, ruling D44: after the fleet's fire the German may still cancel."""

    name = "press on"
    rules = ("2.10",)

    def side(self, s: LeningradState) -> int:
        return GERMAN

    def prompt(self, s: LeningradState) -> str:
        return "The fleet has fired. Press the attack?"

    def legal(self, s: LeningradState) -> list[Action]:
        act = s.game.act
        return [act["press on"][()], act["cancel"][s.targets[0]]]

    def do(self, s: LeningradState, action: Action) -> None:
        s.pop()
        if action.kind == "cancel":
            _abandon(s, "2.10")

    def forecast(self, s: LeningradState, action: Action) -> Forecast | None:
        return attack.forecast(s, s.targets, s.attackers) if action.kind == "press on" else None


# ---------------------------------------------------------------- 7.20, 10.9: landings


def may_land(s: LeningradState) -> bool:
    """7.20, 10.8, rulings D32 and D75: the fleet has sailed this step and takes the Marines along."""
    counters = s.game.counters
    fleet, marines = counters.fleet, counters.marines
    if not s.afloat or not s.moved >> fleet & 1 or s.held[GERMAN][s.at[fleet]] or _barred_shore(s):
        return False
    if s.in_play(marines):
        fit = not (s.disrupted | s.moved) >> marines & 1
        return fit and s.at[marines] in s.game.coast and s.at[marines] != s.at[fleet]
    return bool(s.lost >> marines & 1) and not s.marines_back


def _barred_shore(s: LeningradState) -> bool:
    """7.16: is the fleet west of the Narva, where the Marines have never attacked?"""
    counters = s.game.counters
    return bool(s.game.west[s.at[counters.fleet]]) and not s.crossed >> counters.marines & 1


def why_not_land(s: LeningradState) -> list[Citation]:
    counters = s.game.counters
    if not s.afloat or not s.moved >> counters.fleet & 1:
        return [refuse("10.9", "the fleet must sail to the coast with them in this step")]
    if s.held[GERMAN][s.at[counters.fleet]]:
        return [refuse("10.9", "Germans are on that shore")]
    if _barred_shore(s):
        return [refuse("7.16", "west of the Narva only for units that attacked there")]
    if not s.in_play(counters.marines):
        return [refuse("10.8", "the Marines come back only once")]
    return [refuse("7.20", "the Marines must be fit, unmoved and in another coastal hex")]


def land(s: LeningradState) -> None:
    """10.9: Disrupted unless they land on a friendly unit."""
    counters = s.game.counters
    marines, node = counters.marines, s.at[counters.fleet]
    if not s.in_play(marines):
        s.marines_back = 1
        s.lost &= ~(1 << marines)
        s.entered |= 1 << marines
    friend = s.held[RUSSIAN][node] > 0
    s.moved |= 1 << marines
    s.enter(marines, node)
    if not friend:
        s.disrupt(marines)
    how = "" if friend else " and are Disrupted"
    s.log("fleet", "{unit} land in {hex}" + how, "10.9", unit=marines, hex=node)
