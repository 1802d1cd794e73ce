"""Sections 9.1 and 9.4: what the sides suffer from a battle or barrage, and step losses."""

from __future__ import annotations

from collections.abc import Sequence

from counterblow.games.narva import defences, headquarters
from counterblow.games.narva.components import ATTACK, DEFENCE, HQ
from counterblow.games.narva.state import ELIMINATED, NarvaState, Units, flow
from counterblow.kernel.flow import Step, ask
from counterblow.kernel.losses import Losses
from counterblow.kernel.rulebook import Citation, refuse, refuse_if

RETREAT = flow.later("retreat.start")

# how step losses fall: first on the strongest (9.4.1), always on the strongest (9.5.3c), as the owner likes (9.5.2)
FIRST_STRONGEST, STRONGEST, FREELY = 0, 1, 2


@flow.step
def defenders_suffer(s: NarvaState, target: int, loss: int, back: int, barrage: bool) -> None:
    """City, village and Prepared Defense effects on the defender, then his losses, then his retreat."""
    if not (loss or back):
        return
    side = s.game.side_of[s.stack(target)[0]]
    if loss and target in s.game.ground.city and not barrage:  # 2.5.1g
        loss -= 1
        s.log("combat", "The city saves a step in {place}", "9.4.4", place=target)
    back = retreat_left(s, target, side, back, barrage)
    loss = defences.absorb(s, target, side, loss)  # 11.3.4a, 11.3.4c: losses before retreats
    back = defences.absorb(s, target, side, back)  # 11.3.4b
    units = tuple(s.combat_units(target))
    s.queue(losses(units, loss, FIRST_STRONGEST), (RETREAT, target, back, units))


def retreat_left(s: NarvaState, node: int, side: int, back: int, barrage: bool) -> int:
    """9.5.6, 11.3.3: one hex of a combat retreat is ignored in a village, city or German PD hex, once (9.5.6c)."""
    if not back or barrage:  # 2.5.1h, 9.5.6d
        return back
    if defences.division_at(s, node, side) < 0 and not s.game.ground.halts[node]:
        return back
    s.log("combat", "The first retreat hex is ignored in {place}", "9.5.6a", place=node)
    return back - 1


@flow.step
def attackers_suffer(s: NarvaState, loss: int, back: int) -> None:
    """Losses of the attacking force, then the retreat of each attacking hex from its own hex (ruling 45)."""
    attackers, homes, _ = s.battle
    s.queue(losses(attackers, loss, FIRST_STRONGEST), *[(fall_back, home, back) for home in sorted(set(homes)) if back])


@flow.step
def fall_back(s: NarvaState, home: int, back: int) -> None:
    back = retreat_left(s, home, s.mover, back, False)  # 9.5.6b
    back = defences.absorb(s, home, s.mover, back)  # 11.3.4d
    units = tuple([u for u in s.battle[0] if s.at[u] == home])
    if units:
        s.push(RETREAT, home, back, units)


# ---------------------------------------------------------------------- 9.4: step losses


def losses(units: Units, loss: int, how: int) -> Step:
    """The step that takes so many steps from some units."""
    return (ask, StepLosses, units, loss, how, loss)


@flow.choice
class StepLosses(Losses[NarvaState]):
    """9.4.1b, 9.4.2: the owner chooses among equals, and freely after the first step."""

    def eligible(self, s: NarvaState, units: Units, left: int, how: int, total: int) -> Sequence[int]:
        """9.4.1, 9.4.2: the strongest first, attackers by their attack strength. HQs have no steps (9.4b)."""
        alive = [u for u in units if s.step[u] and s.game.kinds[u] != HQ]
        if len(alive) < 2 or how == FREELY or (how == FIRST_STRONGEST and left < total):
            return alive
        strength = ATTACK if alive[0] in s.battle[0] else DEFENCE
        most = max([s.strength(u)[strength] for u in alive])
        return [u for u in alive if s.strength(u)[strength] == most]

    def why_not_item(self, s: NarvaState, unit: int, units: Units, left: int, how: int, total: int) -> Citation | None:
        return (
            refuse_if(s.game.kinds[unit] == HQ, "9.4b", "HQs have no steps")
            or refuse_if(unit not in units or not s.step[unit], "9.4.1a", "it takes no part in this loss")
            or refuse("9.5.3c" if how == STRONGEST else "9.4.1a", "the strongest unit loses the step")
        )

    def lose(self, s: NarvaState, unit: int, units: Units, left: int, how: int, total: int) -> None:
        """9.4a: a full unit is reduced; a reduced or one-step unit is destroyed (9.4.3).

        Of attackers a city saves the first step, defences any (rulings 45, 51).
        """
        node = s.at[unit]
        if how == FIRST_STRONGEST and unit in s.battle[0]:
            if left == total and node in s.game.ground.city:
                s.log("combat", "The city saves a step in {place}", "9.4.4", place=node)
                return
            if defences.absorb(s, node, s.game.side_of[unit], 1) == 0:
                return
        if s.step[unit] > 1:
            s.step[unit] -= 1
            s.recount(unit)
            s.log("loss", "{unit} loses a step", "9.4a", unit=unit)
        else:
            eliminate(s, unit, "9.4a")
            headquarters.orphaned(s, node)


def eliminate(s: NarvaState, unit: int, rule: str, why: str = "is eliminated") -> None:
    s.log("eliminate", "{unit} " + why, rule, unit=unit)
    s.take_off(unit, ELIMINATED)
