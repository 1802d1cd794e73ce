"""Section 2.5: what the Action chits do, barrages apart."""

from __future__ import annotations

from collections.abc import Sequence

from counterblow.games.narva import air, combat, command
from counterblow.games.narva.barrage import barrage_roll
from counterblow.games.narva.components import GERMAN, HQ, SOVIET
from counterblow.games.narva.movement import EVENT, FREE_MOVE, movement_segment, why_not_leave_zone
from counterblow.games.narva.replacements import Spend
from counterblow.games.narva.state import MAY_MOVE, PEACE, READY, NarvaState, flow
from counterblow.kernel.actions import Action
from counterblow.kernel.flow import ask
from counterblow.kernel.gather import Plan
from counterblow.kernel.pick import Deed, Menu, Pick
from counterblow.kernel.rulebook import Citation, refuse, refuse_if
from counterblow.kernel.state import NOWHERE


@flow.step
def barrage_chit(s: NarvaState, number: int) -> None:
    """2.5.1a, 2.5.1b: a Barrage chit."""
    side = s.game.chits[number].side
    assert side is not None
    s.push(barrage_roll, side)


# ---------------------------------------------------------------------- 2.5.2: random events


@flow.step
def random_event(s: NarvaState, number: int) -> None:
    """2.5.2a: 2d6 on the Random Event Table, applied at once (2.5.2.02-12); on 7 nothing happens (2.5.2.07)."""
    roll = s.roll() + s.roll()
    event = s.game.events[roll]
    thaw = "_in_thaw" if "effect_in_thaw" in event and s.turn > s.game.numbers["last_frozen_turn"] else ""
    s.log("event", "Random event {n}: {word}", event[f"rule{thaw}"], n=roll, word=event["text"])
    command.stand_down(s)
    effect, side = event[f"effect{thaw}"], SOVIET if event["side"] == "soviet" else GERMAN
    if effect == "move a formation":
        s.begin_phase("event", side)
        s.push(ask, MoveFormation)
    elif effect == "move two units":  # 2.5.2b: without combat; command and supply do not matter
        s.begin_phase("event", side)
        s.queue((ask, NameUnit, 2, EVENT), (movement_segment, EVENT))
    elif effect == "replacements":  # 2.5.2.04, 2.5.2.05
        s.begin_phase("replacements", side)
        s.push(Spend, event.get("points", 0), ())
    elif effect == "no air missions":
        s.no_air = 1
    elif effect == "barrages":
        s.push(barrage_roll, side)  # 2.5.2.08
    elif effect == "air units recover":
        air.recover(s, air.wing(s, side))  # 2.5.2.09
    elif effect == "air units are ready":  # 2.5.2.10
        for unit in air.wing(s, side):
            s.air[unit] = READY
    elif effect == "frost":
        s.frost = 1  # 2.5.2.11a


@flow.choice
class MoveFormation(Pick[NarvaState]):
    """2.5.2.02, 2.5.2.12: all units of one division or corps may move."""

    kind, passing = "formation", "decline"

    def candidates(self, s: NarvaState) -> Sequence[int]:
        return range(len(s.game.formation_units))

    def why_not_item(self, s: NarvaState, number: int) -> Citation | None:
        units = s.game.formation_units[number]
        if not units or s.game.side_of[units[0]] != s.mover:
            rule = ("2.5.2.02", "2.5.2.12")[s.mover]
            return refuse(rule, f"it is no {('German division', 'Soviet corps')[s.mover]}")
        return None if any(s.at[u] != NOWHERE for u in units) else refuse("2.5.2b", "none of its units is on the map")

    def take(self, s: NarvaState, number: int) -> None:
        for unit in s.game.formation_units[number]:
            s.rouse(unit, MAY_MOVE)
        s.push(movement_segment, EVENT)


@flow.choice
class NameUnit(Pick[NarvaState]):
    """2.5.2.03, 2.5.2.11b, 2.5.4b: units anywhere on the map, one by one."""

    kind, passing = "add", "no_more"

    def candidates(self, s: NarvaState, left: int, kind: int) -> Sequence[int]:
        return s.out(s.mover) if left else ()

    def why_not_item(self, s: NarvaState, unit: int, left: int, kind: int) -> Citation | None:
        """No Army HQs (ruling 21), none pinned; for Free Move no HQs, and none in an EZOC (2.5.4c)."""
        own = s.game.side_of[unit] == s.mover and s.at[unit] != NOWHERE
        free, rule = kind == FREE_MOVE, "2.5.4b" if kind == FREE_MOVE else ("2.5.2.03", "2.5.2.11b")[s.mover]
        return (
            refuse_if(not own, rule, "only your own units on the map move")
            or refuse_if(s.pin[unit], "2.5.1i", "it is pinned")
            or refuse_if(s.activated >> unit & 1, rule, "it has been named")
            or refuse_if(s.game.units[unit].headquarters == "army", "6.0a", "Army HQs have no movement allowance")
            or refuse_if(free and s.game.kinds[unit] == HQ, "2.5.4b", "no HQ is activated")
            or (why_not_leave_zone(s, unit) if free else None)
        )

    def take(self, s: NarvaState, unit: int, left: int, kind: int) -> None:
        s.rouse(unit, MAY_MOVE)
        s.push(ask, NameThree if kind == FREE_MOVE else NameUnit, left - 1, kind)


@flow.choice
class NameThree(NameUnit):
    """2.5.4b: the Free Move chit names them by a rule of its own."""


# ---------------------------------------------------------------------- 2.5.3: Stavka directive


@flow.step
def stavka(s: NarvaState, number: int) -> None:
    """2.5.3a, 2.5.3f: two attacks, and the chit comes back in two turns. No activation is used (2.5.3g)."""
    s.drawn[number] -= 1
    command.park(s, number, 2)
    s.begin_phase("stavka", SOVIET)
    command.stand_down(s)
    s.barred = ()
    s.push(next_directed_attack, 2)


def stavka_attackers(s: NarvaState, target: int) -> tuple[int, ...]:
    """2.5.3b: every Soviet combat unit next to the hex that is not pinned (ruling 17), in both attacks (ruling 61)."""
    return tuple(sorted(unit for unit in combat.neighbours(s, target) if not s.pin[unit]))


@flow.step
def next_directed_attack(s: NarvaState, left: int) -> None:
    """So many attacks are left; hexes named before are remembered in ``barred``."""
    s.battle = PEACE
    if left and not s.pose(DirectedAttack, left):
        s.log("attack", "No directed attack is possible", "2.5.3a")


@flow.choice
class DirectedAttack(Pick[NarvaState]):
    """2.5.3a: the Soviet player must attack."""

    kind, stays = "attack", True

    def candidates(self, s: NarvaState, left: int) -> Sequence[int]:
        at, around = s.at, s.game.around
        return sorted({n for u in s.game.fighting[SOVIET] if at[u] >= 0 for n in around[at[u]] if s.held[GERMAN][n]})

    def why_not_item(self, s: NarvaState, target: int, left: int) -> Citation | None:
        """Enemy hexes that can be attacked at 1-2 or better, air support included; no hex twice.

        In fog of war the odds are not known beforehand: any hex may be named, and one that falls short is no attack.
        """
        attackers = stavka_attackers(s, target)
        return (
            refuse_if(target in s.barred, "2.5.3a", "two different hexes must be attacked")
            or combat.why_not_empty(s, target)
            or refuse_if(not attackers, "2.5.3b", "no Soviet unit that can attack is next to it")
            or combat.why_not_force(s, Plan(SOVIET, (target,), attackers))
        )

    def why_not(self, s: NarvaState, action: Action, left: int) -> list[Citation]:
        if action.kind == "end_combat":
            return [refuse("2.5.3a", "the directed attacks are compulsory")]
        return super().why_not(s, action, left)

    def take(self, s: NarvaState, target: int, left: int) -> None:
        plan = Plan(SOVIET, (target,), stavka_attackers(s, target))
        s.push(combat.BuildAttack, plan)
        if s.options["fog"]:
            combat.lay_open(s, plan)


# ---------------------------------------------------------------------- 2.5.4: free move


@flow.step
def free_move(s: NarvaState, number: int) -> None:
    s.begin_phase("free", SOVIET)
    command.stand_down(s)
    s.push(FreeMove)


class FreeCorps(Pick[NarvaState]):
    """2.5.4a: a Corps HQ with its units and three others; no fighting (2.5.4d)."""

    kind, passing = "wake", "decline"

    def candidates(self, s: NarvaState) -> Sequence[int]:
        return s.game.corps_hqs

    def why_not_item(self, s: NarvaState, hq: int) -> Citation | None:
        other = hq not in s.game.corps_hqs
        return refuse_if(other, "2.5.4a", "it is no Soviet Corps HQ") or command.why_not_wake(s, hq)

    def take(self, s: NarvaState, hq: int) -> None:
        command.remember(s, hq)  # 4.1.2f
        s.log("chit", "{unit} is activated to move", "2.5.4a", unit=hq)
        command.rouse_formation(s, hq, MAY_MOVE)
        for unit in s.out(SOVIET):
            if s.in_ezoc(s.at[unit], SOVIET):
                s.release(unit)  # 2.5.4c: units that start in an EZOC stay
        others = (ask, command.ChooseOthers, hq, s.game.numbers["extra_units_per_hq"], MAY_MOVE)
        s.queue(others, (movement_segment, FREE_MOVE))


class ThreeUnits(Deed[NarvaState]):
    """2.5.4b: or three units anywhere."""

    kind = "three_units"

    def perform(self, s: NarvaState) -> None:
        command.remember(s, -1)  # 4.1.2c
        s.queue((ask, NameThree, 3, FREE_MOVE), (movement_segment, FREE_MOVE))


@flow.choice
class FreeMove(Menu[NarvaState]):
    parts = (FreeCorps(), ThreeUnits())


# ---------------------------------------------------------------------- 2.5.5-2.5.7: chits that wait


@flow.step
def withdrawal(s: NarvaState, number: int) -> None:
    """2.5.5a, 2.5.7a: they go in the reinforcement phase of the next turn, not before (2.5.5c, 2.5.7c)."""
    chit = s.game.chits[number]
    s.drawn[number] -= 1
    command.park(s, number, 1)
    s.log("chit", "{word} waits on the turn track", f"{chit.rule}a", word=chit.title)


@flow.step
def shock_out_of_supply(s: NarvaState, number: int) -> None:
    """2.5.6a: it waits for the next 2nd Shock chit, over turns if need be."""
    s.drawn[number] -= 1
    s.waiting = 1
    s.log("chit", "{word} waits for the next 2nd Shock Army chit", "2.5.6a", word=s.game.chits[number].title)
