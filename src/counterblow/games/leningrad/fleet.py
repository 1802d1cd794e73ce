"""Chapter 13: the Red Banner Baltic Fleet and its Marines. (Armored trains: see rail.py.)"""

from __future__ import annotations

from fractions import Fraction

from counterblow.games.leningrad import combat, movement
from counterblow.games.leningrad.components import GERMAN, RUSSIAN
from counterblow.games.leningrad.results import call_off, row
from counterblow.games.leningrad.state import Battle, LeningradState, flow
from counterblow.kernel.actions import Action
from counterblow.kernel.forecast import Forecast, Modifier, rolled, tally
from counterblow.kernel.journey import Destination
from counterblow.kernel.pick import Deed, Pick
from counterblow.kernel.rulebook import Citation, refuse, refuse_if

# ---------------------------------------------------------------- 13.6: sailing


def why_not_act(s: LeningradState, rule: str, verb: str) -> Citation | None:
    """Why the fleet can neither sail nor fire now."""
    return (
        refuse_if(s.mover != RUSSIAN, rule, f"the fleet {verb}s in the Russian movement step")
        or refuse_if(not s.afloat, "13.11", "the fleet is sunk")
        or refuse_if(s.is_disrupted(s.game.counters.fleet), rule, f"a Disrupted fleet does not {verb}")
    )


class SetSail(Deed[LeningradState]):
    kind, stays = "sail", True

    def why_not_now(self, s: LeningradState) -> Citation | None:
        fleet = s.game.counters.fleet
        return (
            why_not_act(s, "13.6", "sail")
            or refuse_if(s.attacked >> fleet & 1, "13.7", "the fleet has bombarded, and stays where it fired")
            or refuse_if(s.moved >> fleet & 1, "1.10", "the fleet has sailed this turn")
        )

    def perform(self, s: LeningradState) -> None:
        s.push(Sail, s.game.counters.fleet)


@flow.choice
class Sail(Destination[LeningradState]):
    otherwise = refuse("13.6", "the fleet sails to Gulf coast hexes")

    def items(self, s: LeningradState, fleet: int) -> list[int]:
        return [node for node in s.game.coast if node != s.at[fleet]]

    def take(self, s: LeningradState, node: int, fleet: int) -> None:
        s.put(fleet, node)  # 13.15: it takes no place and bars none
        s.moved |= 1 << fleet
        s.log("fleet", "{unit} sails to {place}", "13.6", unit=fleet, place=node)


# ---------------------------------------------------------------- 13.7 to 13.10, 13.14: guns


class Bombard(Deed[LeningradState]):
    """13.7, ruling D44: once in the Russian step, at Germans in its own coastal hex."""

    kind, stays = "bombard", True

    def why_not_now(self, s: LeningradState) -> Citation | None:
        fleet = s.game.counters.fleet
        return (
            why_not_act(s, "13.7", "bombard")
            or refuse_if(s.attacked >> fleet & 1, "13.7", "the fleet has fired")
            or refuse_if(not s.held[GERMAN][s.at[fleet]], "13.7", "no German ground unit is in the fleet's hex")
        )

    def perform(self, s: LeningradState) -> None:
        s.attacked |= 1 << s.game.counters.fleet
        fire(s, s.at[s.game.counters.fleet])

    def outlook(self, s: LeningradState, item: tuple[()]) -> Forecast:
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
    hits = {0: Fraction(1)}
    for _ in s.ground_units(node, GERMAN):
        hits = rolled(hits, lambda count, face: count + (face <= s.game.tables.rows["fleet_fire"]))
    return Forecast(
        f"The fleet fires at {s.game.where(node)}",
        modifiers=(Modifier(0, "each German unit is Disrupted on 2 in 6", "13.9"),),
        outcomes=tally((f"{count} Disrupted", chance) for count, chance in hits.items()),
    )


@flow.choice
class Shield(Pick[LeningradState]):
    """13.8: before a battle on its hex the fleet may fire at one hex of attackers."""

    kind, passing, other = "fire", "hold fire", True
    otherwise = refuse("13.8", "only at a hex of attackers")

    def items(self, s: LeningradState) -> tuple[int, ...]:
        return s.fronts

    def take(self, s: LeningradState, node: int) -> None:
        """13.10, 2.24: Disrupted attackers drop out; the attack may then be impossible, or be cancelled."""
        fire(s, node)
        _thin_out_other_attacks(s)
        all_left, s.attackers = s.attackers, _unshaken(s, s.attackers)
        if s.attackers != all_left and not combat.strong_enough(s, s.targets, s.attackers):
            _abandon(s, "2.24")
        else:
            s.fronts = combat.fronts(s, s.attackers)
            s.push(PressOn)

    def outlook(self, s: LeningradState, node: int) -> Forecast:
        return fire_forecast(s, node)


def _thin_out_other_attacks(s: LeningradState) -> None:
    """13.9, 13.10, 2.24: a unit of that hex that was to attack elsewhere, and is Disrupted, drops out there, too."""
    kept: list[Battle] = []
    for targets, attackers in s.battles:
        left = _unshaken(s, attackers)
        if combat.strong_enough(s, targets, left):
            kept.append((targets, left))
        else:
            call_off(s, targets, "2.24")
    s.battles = tuple(kept)


def _unshaken(s: LeningradState, units: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(unit for unit in units if not s.is_disrupted(unit))


def _abandon(s: LeningradState, rule: str) -> None:
    """The battle ends before its die, which would have been next."""
    s.pop()
    call_off(s, s.targets, rule)


@flow.choice
class PressOn(Pick[LeningradState]):
    """2.10, ruling D44: after the fleet's fire the German may still cancel."""

    kind, passing = "cancel", "press on"
    otherwise = refuse("2.10", "that is not the attack at which the fleet has fired")

    def items(self, s: LeningradState) -> tuple[int, ...]:
        return s.targets[:1]

    def take(self, s: LeningradState, node: int) -> None:
        _abandon(s, "2.10")

    def forecast(self, s: LeningradState, action: Action) -> Forecast | None:
        return combat.forecast(s, s.targets, s.attackers) if action.kind == "press on" else None


# ---------------------------------------------------------------- 7.20, 10.9: landings


class Land(Deed[LeningradState]):
    """7.20, 10.8, rulings D32 and D75: the fleet has sailed this step and takes the Marines along."""

    kind, stays = "land", True

    def why_not_now(self, s: LeningradState) -> Citation | None:
        counters = s.game.counters
        fleet, marines = counters.fleet, counters.marines
        shore, camp, ashore = s.at[fleet], s.at[marines], s.in_play(marines)
        barred, where = movement.west_bank(s, marines, shore), s.game.where(shore)
        spent = not ashore and (s.marines_back or not s.lost >> marines & 1)
        return (
            refuse_if(not s.afloat, "13.11", "the fleet is sunk")
            or refuse_if(s.mover != RUSSIAN, "7.20", "the Marines land in the Russian movement step")
            or refuse_if(not s.moved >> fleet & 1, "10.9", f"the fleet is in {where} and has not sailed in this step")
            or refuse_if(s.held[GERMAN][shore], "10.9", "Germans are on that shore")
            or refuse_if(barred, "7.16", "west of the Narva only for units that attacked there")
            or refuse_if(spent, "10.8", "the Marines come back only once")
            or refuse_if(s.is_disrupted(marines), "3.18", "the Marines are Disrupted")
            or refuse_if(s.moved >> marines & 1, "1.10", "the Marines have moved this turn")
            or refuse_if(camp == shore, "7.20", "the Marines are in that hex already")
            or refuse_if(ashore and camp not in s.game.coast, "7.20", "the Marines embark in a coastal hex")
        )

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
