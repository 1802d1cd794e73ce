"""Chapter 5: tactical advances after combat."""

from __future__ import annotations

from counterblow.games.leningrad import combat, movement, terrain, zones
from counterblow.games.leningrad.components import FACTOR
from counterblow.games.leningrad.state import LeningradState, flow
from counterblow.kernel.actions import Action
from counterblow.kernel.flow import ask
from counterblow.kernel.journey import NamedDestination
from counterblow.kernel.pick import Pick
from counterblow.kernel.rulebook import Citation, refuse, refuse_if

Move = tuple[int, int]  # a unit, and the hex it advances into


def vacated(s: LeningradState) -> list[int]:
    """5.12: defended hexes that are empty now; a Leningrad hex only if its own factor is beaten (ruling D25)."""
    return [node for node in s.targets if not enemy_in(s, node)]


def enemy_in(s: LeningradState, node: int) -> bool:
    held = s.held[1 - s.mover][node]
    index = s.game.leningrad_index.get(node)
    if index is not None and s.cleared >> index & 1:
        held -= 1
    return held > 0


@flow.step
def begin(s: LeningradState) -> None:
    empty = vacated(s)
    if not empty:
        return
    need = sum(strength for node, strength in zip(s.targets, s.strengths, strict=True) if node in empty)
    s.quota = min(need, sum(combat.attacking(s).values()))  # 5.7, rulings D15 and D73
    s.push(Advance)


def extended(s: LeningradState, unit: int, node: int) -> bool:
    """5.3 to 5.5: armour goes farther on D2 and DE, but not into Leningrad."""
    if s.result_now not in ("D2", "DE") or node in s.game.leningrad_index:
        return False
    return bool(s.game.counters.armour >> unit & 1)


def why_not_into(s: LeningradState, unit: int, here: int, there: int, free: bool) -> Citation | None:
    """May a unit advance over this side? ``free``: regardless of enemy zones."""
    zone = s.zone[1 - s.mover]
    return (
        movement.why_not_ground(s, here, there)
        or refuse_if(enemy_in(s, there), "5.12", "the hex is not empty")
        or refuse_if(movement.west_bank(s, unit, there), "7.16", "west of the Narva only for units that attacked there")
        or (None if free or not (zone[here] and zone[there]) else zones.bar_between(s, unit, here, there))  # 5.2
    )


def why_not_first(s: LeningradState, unit: int, there: int) -> Citation | None:
    """The first hex of an advance: a vacated hex, or beside it once enough has gone in (5.7, 5.8)."""
    around, here = s.game.board.around, s.at[unit]
    if there in around[here] and there in s.targets:
        return why_not_into(s, unit, here, there, extended(s, unit, there))
    beside = any(there in around[node] for node in vacated(s))
    return (
        refuse_if(there not in around[here], "5.2", "an advance begins in an adjacent hex")
        or refuse_if(not beside, "5.8", "only into the defended hex, or one next to it")
        or refuse_if(s.quota > 0, "5.7", "first the defended hex must be entered in strength")
        or refuse_if(s.stack(there), "5.8", "only into an unoccupied hex")
        or why_not_into(s, unit, here, there, False)
    )


@flow.choice
class Advance(Pick[LeningradState]):
    """5.1, 5.2, ruling D15: advancing is the attacker's choice, unit by unit."""

    kind, passing, stays = "advance", "end advance", True

    def prompt(self, s: LeningradState) -> str:
        if s.quota > 0:
            return f"Advance into the defended hex ({s.quota} more factors before others step aside), or stop."
        return "Advance further units, or stop."

    def candidates(self, s: LeningradState) -> list[Move]:
        around = s.game.board.around
        return [(u, node) for u in combat.attacking(s) if not s.is_disrupted(u) for node in around[s.at[u]]]

    def why_not_item(self, s: LeningradState, item: Move) -> Citation | None:
        unit, node = item
        return (
            refuse_if(unit not in s.attackers, "5.1", "only attackers of this battle advance")
            or refuse_if(unit not in combat.attacking(s), "5.1", "only fighting units that are left advance")
            or refuse_if(s.is_disrupted(unit), "5.9", "it has advanced, and is Disrupted")
            or why_not_first(s, unit, node)
        )

    def why_not_pass(self, s: LeningradState) -> Citation | None:
        """5.7, ruling D15: once anybody has gone in, as much must follow as defended the hex, if it can."""
        begun = s.quota > 0 and any(s.is_disrupted(unit) for unit in combat.attacking(s))
        lagging = begun and any(node in s.targets for _, node in self.items(s))
        return refuse_if(lagging, "5.7", f"{s.quota} more factors must enter the defended hex, and can")

    def take(self, s: LeningradState, item: Move) -> None:
        unit, node = item
        if node in s.targets:
            s.quota -= terrain.attack_factor(s, unit)
            s.push(ask, AdvanceOn, unit, node, _price(s, unit, s.at[unit], node, first=True), 1)
        _go(s, unit, node)


def _go(s: LeningradState, unit: int, node: int) -> None:
    """A tactical move: the unit has not moved operationally (1.11)."""
    s.log("advance", "{unit} advances to {place}", "5.9", unit=unit, place=node, path=(s.at[unit], node))
    s.enter(unit, node)
    if not s.is_disrupted(unit):
        s.disrupt(unit)  # 5.9, 3.23


def _price(s: LeningradState, unit: int, here: int, there: int, first: bool = False, spent: int = 0) -> int:
    """Movement used after a step: road rate allowed (5.10), no ford on the first step (5.11)."""
    game = s.game
    costs = game.march[s.frozen][unit][0]
    step = game.board.step_of[here, there]
    if costs.whole and not costs.road[step]:
        spent = -(-spent // costs.whole) * costs.whole
    zone = s.zone[1 - s.mover]
    ford = costs.near_zone[step] if (zone[here] or zone[there]) and not first else 0
    return spent + costs.cost[step] + ford


ADVANCE = Advance()


@flow.choice
class AdvanceOn(NamedDestination[LeningradState]):
    """A unit that has entered the vacated hex ``home`` goes on; ``spent`` and ``hexes`` tell of its way so far."""

    kind, passing, returns = "advance", "halt", False

    def nodes(self, s: LeningradState, unit: int, *way: int) -> list[int]:
        return [node for node in s.game.board.around[s.at[unit]] if self.why_not_node(s, node, unit, *way) is None]

    def why_not_node(
        self, s: LeningradState, there: int, unit: int, home: int, spent: int, hexes: int
    ) -> Citation | None:
        """5.6, ruling D12: as far as the defender went of his own will; one hex on D2 and DE (5.13)."""
        here = s.at[unit]
        if there not in s.game.board.around[here]:
            return refuse("5.2", "an advance goes hex by hex")
        far = extended(s, unit, home)
        division = far and bool(s.game.counters.panzer_divisions >> unit & 1)
        rule, allowance = ("5.4", 3) if division else ("5.3", 2)
        broken = s.result_now in ("D2", "DE")
        ended = not far and hexes >= (1 if broken else max(1, s.retreats[s.targets.index(home)]))
        stopped = s.zone[1 - s.mover][here] and not (far and hexes == 1)
        return (
            refuse_if(ended, "5.13" if broken else "5.6", "no farther than that")
            or refuse_if(stopped, "8.2", "the unit stops in an enemy zone")
            or refuse_if(far and there in s.game.leningrad_index, "5.5", "not into Leningrad")
            or why_not_into(s, unit, here, there, division)  # its second hex; a third is not entered from a zone
            or refuse_if(
                far and _price(s, unit, here, there, spent=spent) > allowance * FACTOR,
                rule, f"no more than {allowance} movement factors",
            )
        )  # fmt: skip

    def why_not_unit(self, s: LeningradState, other: int, unit: int, *way: int) -> Citation:
        stranger = refuse_if(other not in s.attackers, "5.1", "only attackers of this battle advance")
        return stranger or refuse("5.1", f"{s.game.unit_names[unit]} finishes its advance first")

    def allows(self, s: LeningradState, action: Action, unit: int, *way: int) -> bool:
        """Who ends the whole advance halts this unit, too."""
        return action.kind == ADVANCE.passing and ADVANCE.why_not_pass(s) is None

    def take_shortcut(self, s: LeningradState, action: Action, unit: int, *way: int) -> None:
        s.pop()
        ADVANCE.do(s, action)

    def why_not(self, s: LeningradState, action: Action, unit: int, *way: int) -> list[Citation]:
        if action.kind == ADVANCE.passing:
            return ADVANCE.why_not(s, action)
        return super().why_not(s, action, unit, *way)

    def arrive(self, s: LeningradState, node: int, unit: int, home: int, spent: int, hexes: int) -> None:
        s.push(ask, AdvanceOn, unit, home, _price(s, unit, s.at[unit], node, spent=spent), hexes + 1)
        _go(s, unit, node)
