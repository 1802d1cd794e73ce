"""Chapter 17: regrouping."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial

from counterblow.games.narvik.components import GERMAN, NW
from counterblow.games.narvik.state import NarvikState, flow
from counterblow.games.narvik.unique import engineer_with
from counterblow.kernel.forecast import Forecast, rolled, tally
from counterblow.kernel.journey import NamedDestination
from counterblow.kernel.rulebook import Citation, refuse, refuse_if


def units_to_regroup(s: NarvikState, side: int, sub: int) -> list[int]:
    """17.0.a: units of the sub-command in the regroup display; Dietl does not widen it (ruling D44)."""
    box, at = s.game.ground.regroup[side], s.at
    return [u for u in s.game.roster.of_sub[sub] if at[u] == box]


def forecast_regroup(s: NarvikState, side: int, sub: int) -> Forecast:
    """17.0.b: how many units regroup and how many are eliminated, one die each."""
    units = units_to_regroup(s, side, sub)
    ends = {(0, 0): Fraction(1)}  # (regroup, eliminated) -> chance
    for unit in units:
        ends = rolled(ends, partial(_after, s.game.tables.regroup[s.game.roster.elite[unit]]))
    outcomes = tally((f"{back} regroup, {lost} eliminated", chance) for (back, lost), chance in sorted(ends.items()))
    elite = sum(s.game.roster.elite[u] for u in units)
    facts = (("units", str(len(units))), ("elite", str(elite)))
    stuck = [s.game.unit_names[u] for u in units if side == GERMAN and not RETURN.nodes(s, u)]
    notes = (f"no objective can take {' + '.join(stuck)} now (17.0.g)",) if stuck else ()
    return Forecast("Regroup", facts, (), outcomes, notes)


def _after(table: Sequence[str], end: tuple[int, int], face: int) -> tuple[int, int]:
    """How many have regrouped and are eliminated after one die more."""
    result = table[face - 1]
    return end[0] + (result == "regroup"), end[1] + (result == "eliminated")


@flow.step
def roll_regroup(s: NarvikState, unit: int) -> None:
    """17.0.b, 17.0.e, 17.0.j: every unit rolls for the one point, and is deployed at once if it regroups."""
    side, die, elite = s.mover, s.roll(), s.game.roster.elite[unit]
    result, rule = s.game.tables.regroup[elite][die - 1], "17.0.c" if elite else "17.0.d"
    text = {"eliminated": "is eliminated", "none": "stays in the display", "regroup": "regroups"}[result]
    s.tell(side, "regroup", f"{{unit}}: die {{n}}, {text}", "", rule, unit=unit, n=die)
    ground = s.game.ground
    if result == "eliminated":
        s.put(unit, ground.eliminated[side])
    elif result == "regroup" and side != GERMAN:  # 17.0.f
        s.put(unit, ground.bardufoss if s.game.roster.sub[unit] == NW else ground.harstad)
    elif result == "regroup" and not s.ask(ReturnHex, unit):
        s.tell(GERMAN, "regroup", "{unit} finds no hex to return to", "", "17.0.g", unit=unit)


@flow.choice
class ReturnHex(NamedDestination[NarvikState]):
    """17.0.g, 17.0.h, 19.2.e: an objective where a German unit returns, overstacked or not."""

    kind, returns = "return", False

    def why_not_unit(self, s: NarvikState, other: int, unit: int) -> Citation:
        return refuse("17.0.b", f"it is {s.game.unit_names[unit]} that has regrouped and is deployed at once")

    def nodes(self, s: NarvikState, unit: int) -> list[int]:
        return [node for node in s.game.ground.objectives if self.why_not_node(s, node, unit) is None]

    def why_not_node(self, s: NarvikState, node: int, unit: int) -> Citation | None:
        ground = s.game.ground
        held = node in ground.objectives and s.occupies(GERMAN, node)
        served = node in ground.rail_terminals and engineer_with(s, node, GERMAN)
        words = "the railway gun returns only to Narvik or Bjornfjell, with an engineer there"
        return (
            refuse_if(not held, "17.0.g", "units return only to an objective that Germans occupy")
            or refuse_if(s.in_enemy_zone(GERMAN, node), "17.0.g", "the hex is in an enemy zone of control")
            or refuse_if(s.game.roster.gun[unit] and not served, "19.2.e", words)
        )

    def arrive(self, s: NarvikState, node: int, unit: int) -> None:
        s.tell_of(unit, "return", "returns in {place}", "17.0.g", "17.0.i", place=node)
        s.enter(unit, node)


RETURN = ReturnHex()
