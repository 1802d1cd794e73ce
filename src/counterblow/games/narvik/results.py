"""Chapter 14: the dice and what they do; after a close assault more assaults, pursuit, counterattack."""

from __future__ import annotations

from counterblow.games.narvik import combat
from counterblow.games.narvik.advance import Pursuit
from counterblow.games.narvik.retreat import start_retreat
from counterblow.games.narvik.stacking import Group
from counterblow.games.narvik.state import NarvikState, flow
from counterblow.kernel.flow import ask
from counterblow.kernel.gather import Plan
from counterblow.kernel.pick import Pick
from counterblow.kernel.rulebook import Citation, refuse

RESULT_RULE = {"-": "14.5.d", "R": "14.5.c", "D": "14.5.a", "E": "14.5.b"}


@flow.step
def roll_dice(s: NarvikState, mode: int, group: Group, column: int, unit: int) -> None:
    """14.0.f, 14.1.f, 14.1.g: fire at a unit, and apply its result before going on."""
    if combat.immune(s, mode, unit):
        s.log("combat", "{unit} is not affected", "18.1.f", unit=unit)
        return
    final = combat.column_of(column + combat.against_armour(s, mode, group, unit))
    die = s.roll()
    result = s.game.tables.crt[final][die - 1]
    s.log("combat", f"{{unit}}: column {{n1}}, die {{n2}}: {combat.MEANING[result]}", RESULT_RULE[result],
          unit=unit, n1=final, n2=die, result=result)  # fmt: skip
    ground, side = s.game.ground, s.game.side_of[unit]
    if result in "DE":  # 8.4.b
        s.put(unit, ground.regroup[side] if result == "D" else ground.eliminated[side])
    elif result == "R":
        start_retreat(s, unit)


# ------------------------------------------------------------------ 14.4 close assault: what follows


@flow.step
def after_assault(s: NarvikState, target: int) -> None:
    """15.2.a, 15.2.j, 14.4.1.a: pursuit if the hex is cleared, else more assaults, then the counterattack."""
    if not s.held[1 - s.mover][target]:
        s.push(ask, Pursuit, target, s.stormed[1])
    elif not s.ask(MoreAssaults, target):
        close_assaults(s, target)


def close_assaults(s: NarvikState, target: int) -> None:
    """14.4.1.b: no more assaults into this hex in this action; now the defender may counterattack."""
    s.barred |= 1 << target
    s.push(ask, Counterattack, target)


@flow.choice
class MoreAssaults(Pick[NarvikState]):
    """14.4.1.b: further close assaults into the hex come before the counterattack."""

    kind, passing = "attack", "end_assaults"

    def items(self, s: NarvikState, target: int) -> list[int]:
        return combat.shooters(s, combat.ASSAULT, 1 << target)

    def why_not_item(self, s: NarvikState, unit: int, target: int) -> Citation | None:
        reason = combat.why_not_attack(s, combat.ASSAULT, s.mover, unit, s.occupied[1 - s.mover])
        return reason or combat.ONE_BY_ONE

    def take(self, s: NarvikState, unit: int, target: int) -> None:
        s.queue((combat.Aim, Plan(s.mover, (target,), (unit,), (combat.ASSAULT,))), (after_assault, target))

    def decline(self, s: NarvikState, target: int) -> None:
        close_assaults(s, target)


@flow.choice
class Counterattack(Pick[NarvikState]):
    """14.4.1.f: out of the assaulted hex, against all in an assaulting one, at the defender's choice (14.4.1.e).

    It costs no points, and nobody advances after it (15.2.k).
    """

    kind, passing, other = "counter", "decline", True

    def candidates(self, s: NarvikState, target: int) -> list[int]:
        return sorted(s.here.get(target, ())) if self.hexes(s) else []

    def hexes(self, s: NarvikState) -> Group:
        """Ruling D29: hexes that assaulted and still hold enemy units."""
        return tuple([node for node in s.stormed[0] if s.held[s.mover][node]])

    def why_not_item(self, s: NarvikState, unit: int, target: int) -> Citation | None:
        if s.at[unit] != target:
            return refuse("14.4.1.c", "only defenders of the assaulted hex counterattack")
        return combat.why_not_attack(s, combat.COUNTER, 1 - s.mover, unit, s.occupied[s.mover])

    def take(self, s: NarvikState, unit: int, target: int) -> None:
        plan = Plan(1 - s.mover, self.hexes(s), (unit,), (combat.COUNTER,))
        s.queue((combat.Aim, plan), (ask, Counterattack, target))
