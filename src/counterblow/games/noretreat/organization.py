"""Chapter 7: the Organization Phase - flipping and reorganizing units; placing them is in reinforcements.py."""

from __future__ import annotations

from collections.abc import Sequence

from counterblow.games.noretreat.cards import PlayEvent, charge, hand_count, why_not_price
from counterblow.games.noretreat.components import AXIS, DISORGANIZED, SOVIET
from counterblow.games.noretreat.options import FasterReorganization
from counterblow.games.noretreat.reinforcements import Place, cadres_arrive
from counterblow.games.noretreat.stacking import check_stacking
from counterblow.games.noretreat.state import NoRetreatState, flow, why_not_own
from counterblow.games.noretreat.supply import overland
from counterblow.kernel.flow import ask
from counterblow.kernel.pick import Menu, Pick
from counterblow.kernel.rulebook import Citation, refuse, refuse_if


@flow.step
def organization_phase(s: NoRetreatState) -> None:
    """4.3, 7.0: Flip, Placement and Reorganization, in this order."""
    in_force = s.game.in_force[s.turn]  # 7.2.0 Education (13.5.6), 7.2.1 Experience (13.5.13 to 13.5.18.b)
    s.upgrades = 0 if s.mover == AXIS else ("education" in in_force) + ("experience" in in_force)
    cadres_arrive(s)
    s.queue((Flip,), (check_stacking,), (Place,), (check_stacking,), (ask, Reorganize, 0))


# ---------------------------------------------------------------------- A. the Flip Step


def why_not_flip(s: NoRetreatState, unit: int) -> Citation | None:
    """7.0.A, 6.5.1: only units with an Overland Supply Path are Improved or Upgraded."""
    if s.unsupplied(unit):
        return refuse("6.5.1", "an Unsupplied unit takes no part in the Flip Step")
    if not overland(s, s.game.side_of[unit], s.at[unit]):
        return refuse("7.0.A", "it has no Overland Supply Path")
    return None


class Turn(Pick[NoRetreatState]):
    """A counter is turned over."""

    stays = True
    how: str  # as the log says it
    rule: str

    def candidates(self, s: NoRetreatState) -> Sequence[int]:
        """Units on the weaker side of their counter."""
        if s.mover == AXIS:
            return [unit for unit in s.army(AXIS) if s.face[unit]]
        return [unit for unit in s.army(SOVIET) if not s.face[unit] and s.game.two_sided[unit]]

    def why_not_item(self, s: NoRetreatState, unit: int) -> Citation | None:
        off = refuse_if(not s.on_map(unit), self.rule, "it is not on the map")
        return why_not_own(s, unit, s.mover) or self.why_not_kind(s, unit) or off or self.why_not_turn(s, unit)

    def why_not_kind(self, s: NoRetreatState, unit: int) -> Citation | None:
        """The rule that wants another kind of unit, wherever this one is."""
        return None

    def why_not_turn(self, s: NoRetreatState, unit: int) -> Citation | None:
        raise NotImplementedError

    def take(self, s: NoRetreatState, unit: int) -> None:
        turn_up(s, unit, self.how, self.rule)


class Improve(Turn):
    """7.1: from the reduced to the full side, for cards."""

    kind, how, rule = "improve", "improved", "7.1.a"

    def items(self, s: NoRetreatState) -> Sequence[int]:
        barred = s.mover == SOVIET and s.turn < s.game.two_steps_turn
        return [] if barred or not hand_count(s, s.mover) else super().items(s)

    def why_not_turn(self, s: NoRetreatState, unit: int) -> Citation | None:
        counter, in_force = s.game.counters[unit], s.game.in_force[s.turn]
        if not counter.two_sided:
            return refuse("7.4", "it has only one step")
        if counter.side == AXIS:
            if "no_axis_replacements" in in_force:
                return refuse("7.9.1", "the Axis cannot Improve units before turn 5")  # 13.5.1-4, 13.5.5.a
            if "no_german_improvement" in in_force:
                return refuse("13.5.24", "the Germans can no longer Improve units")
            if not s.face[unit]:
                return refuse("7.1.a", "it is at full strength")
        else:
            if "soviet_two_steps" not in in_force:
                return refuse("7.1.c", "Soviet units cannot be Improved before turn 17")  # 13.5.3.c
            if s.face[unit] or s.game.turns_fort[unit]:
                return refuse("7.1.a", "it is not on a reduced side")
        price, rule = self.price(s, unit)
        return why_not_price(s, price, rule) or why_not_flip(s, unit)

    def price(self, s: NoRetreatState, unit: int) -> tuple[int, str]:
        """7.1.b, 7.1.c, 14.5.b, 14.6.b, 14.7.b: cards, and the rule that names their number."""
        counter, costs = s.game.counters[unit], s.game.number
        if counter.side == AXIS:
            return costs["ss_improve"] if counter.ss else costs["axis_improve"], "7.1.b"
        return costs["shock_improve"] if counter.shock else costs["soviet_improve"], "7.1.c"

    def take(self, s: NoRetreatState, unit: int) -> None:
        super().take(s, unit)
        charge(s, s.mover, *self.price(s, unit))


class Upgrade(Turn):
    """7.2: brown to red (a Regional unit to its fort, 13.5.3.a) with a free upgrade."""

    kind, how, rule = "upgrade", "upgraded", "7.2.0"

    def items(self, s: NoRetreatState) -> Sequence[int]:
        return super().items(s) if s.upgrades else []

    def why_not_turn(self, s: NoRetreatState, unit: int) -> Citation | None:
        counter = s.game.counters[unit]
        other = counter.side == AXIS or s.face[unit] or counter.nation == "Yugoslav"
        return (
            refuse_if(s.game.is_cadre[unit], "7.4", "a Cadre has one step, and no red side")
            or refuse_if(other or not counter.two_sided, "7.2.0", "only a Soviet unit on its brown side is Upgraded")
            or refuse_if(not s.upgrades, "7.2.0", "no free Upgrade is left in this phase")
            or why_not_flip(s, unit)
        )

    def take(self, s: NoRetreatState, unit: int) -> None:
        s.upgrades -= 1
        super().take(s, unit)


class Fortify(Turn):
    """7.5.a, 14.8: a Regional unit anywhere, a Yugoslav army in the Balkans, for one card."""

    kind, how, rule = "fortify", "fortified", "7.5.a"

    def candidates(self, s: NoRetreatState) -> Sequence[int]:
        return [unit for unit in s.game.fort_units if s.on_map(unit)] if s.mover == SOVIET else []

    def why_not_kind(self, s: NoRetreatState, unit: int) -> Citation | None:
        other = not s.game.turns_fort[unit] or s.face[unit]
        return refuse_if(other, "7.5.a", "only a Regional unit becomes a fort")

    def why_not_turn(self, s: NoRetreatState, unit: int) -> Citation | None:
        early = "soviet_fortifying" not in s.game.in_force[s.turn]
        return (
            refuse_if(early, "7.5.c", "fortifying begins on turn 3")
            or why_not_price(s, s.game.number["fortify"], "7.5.a")
            or self.why_not_abroad(s, unit)
        )

    def why_not_abroad(self, s: NoRetreatState, unit: int) -> Citation | None:
        abroad = s.game.counters[unit].nation == "Yugoslav" and s.at[unit] not in s.game.charts.balkans
        return refuse_if(abroad, "14.8.a", "a Yugoslav army flips only in the Balkans")

    def take(self, s: NoRetreatState, unit: int) -> None:
        super().take(s, unit)
        charge(s, s.mover, s.game.number["fortify"], "7.5.a")


class Revert(Fortify):
    """7.5.b: a fort back to Regional, free."""

    kind, how, rule = "revert", "reverted", "7.5.b"

    def why_not_kind(self, s: NoRetreatState, unit: int) -> Citation | None:
        fort = s.game.turns_fort[unit] and s.face[unit]
        return refuse_if(not fort, "7.5.b", "only a Soviet fort reverts")

    def why_not_turn(self, s: NoRetreatState, unit: int) -> Citation | None:
        return self.why_not_abroad(s, unit)

    def take(self, s: NoRetreatState, unit: int) -> None:
        turn_up(s, unit, self.how, self.rule)


@flow.choice
class Flip(Menu[NoRetreatState]):
    parts = (Fortify(), Revert(), Improve(), Upgrade(), PlayEvent("flip"))


def turn_up(s: NoRetreatState, unit: int, how: str, *rules: str) -> None:
    s.turn_over(unit)
    s.log("flip", f"{{unit}} in {{place}} is {how}", *rules, unit=unit, place=s.at[unit])


# ---------------------------------------------------------------------- C. the Reorganization Step


@flow.choice
class Reorganize(Pick[NoRetreatState]):
    """7.10: one card for each Disorganized marker; ``free`` markers are already paid for (15.5)."""

    kind, passing = "reorganize", "done"

    def prompt(self, s: NoRetreatState, free: int) -> str:
        return "Remove another Disorganized marker." if free else "Pay a card to reorganize a unit, or end the step."

    def candidates(self, s: NoRetreatState, free: int) -> Sequence[int]:
        return s.army(s.mover) if free or hand_count(s, s.mover) else []

    def why_not_item(self, s: NoRetreatState, unit: int, free: int) -> Citation | None:
        own = s.game.side_of[unit] == s.mover and s.on_map(unit)
        other = refuse_if(not own, "7.10", "it is no unit of yours on the map")
        return other or refuse_if(not s.disorganized(unit), "7.10", "it is not Disorganized")

    def take(self, s: NoRetreatState, unit: int, free: int) -> None:
        s.unmark(unit, DISORGANIZED)
        s.log("reorganize", "{unit} in {place} is reorganized", "7.10", unit=unit, place=s.at[unit])
        if free:
            return
        if s.options["faster_reorganization"]:
            s.push(FasterReorganization, s.mover, 1, "7.10")
        else:
            s.push(ask, Reorganize, 0)
            charge(s, s.mover, s.game.number["reorganize"], "7.10")
