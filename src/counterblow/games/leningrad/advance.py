"""Chapter 5: tactical advances after combat."""

from __future__ import annotations

from counterblow.games.leningrad import combat, movement, terrain, zones
from counterblow.games.leningrad.components import FACTOR, RUSSIAN
from counterblow.games.leningrad.state import LeningradState, flow
from counterblow.kernel.flow import ask
from counterblow.kernel.journey import NamedDestination
from counterblow.kernel.pick import Pick
from counterblow.kernel.rulebook import Citation, refuse

Move = tuple[int, int]  # a unit, and the hex it advances into


def vacated(s: LeningradState) -> list[int]:
    """5.12: defended hexes that are empty now; a Leningrad hex only if its own factor is beaten (ruling D25)."""
    return [node for node in s.targets if not enemy_in(s, node)]


def enemy_in(s: LeningradState, node: int) -> bool:
    held = s.held[1 - s.mover][node]
    index = s.game.leningrad_index.get(node)
    if index is not None and s.cleared >> index & 1 and s.garrisons >> index & 1:
        held -= 1
    return held > 0


@flow.step
def begin(s: LeningradState) -> None:
    empty = vacated(s)
    factors = combat.attacking(s)
    if not empty or not factors:
        return
    need = sum(strength for node, strength in zip(s.targets, s.strengths, strict=True) if node in empty)
    s.quota = min(need, sum(factors.values()))  # 5.7, rulings D15 and D73
    s.push(Advance)


def may_still_advance(s: LeningradState) -> list[int]:
    """5.1: attackers of this battle; one that has advanced is Disrupted (5.9)."""
    return [unit for unit in combat.attacking(s) if not s.is_disrupted(unit)]


def extended(s: LeningradState, unit: int, node: int) -> bool:
    """5.3 to 5.5: armour goes farther on D2 and DE, but not into Leningrad."""
    if s.result_now not in ("D2", "DE") or node in s.game.leningrad_index:
        return False
    return bool(s.game.counters.armour >> unit & 1)


def why_not_into(s: LeningradState, unit: int, here: int, there: int, free: bool) -> Citation | None:
    """May a unit advance over this side? ``free``: regardless of enemy zones."""
    game = s.game
    closed = movement.why_not_ground(s, here, there)
    if closed is not None:
        return closed
    if enemy_in(s, there):
        return refuse("5.12", "the hex is not empty")
    if s.mover == RUSSIAN and game.west[there] and not s.crossed >> unit & 1:
        return refuse("7.16", "west of the Narva only for units that attacked there")
    zone = s.zone[1 - s.mover]
    if not free and zone[here] and zone[there]:
        return zones.bar_between(s, unit, here, there)  # 5.2
    return None


def why_not_first(s: LeningradState, unit: int, there: int) -> Citation | None:
    """The first hex of an advance: a vacated hex, or beside it once enough has gone in (5.7, 5.8)."""
    game = s.game
    here = s.at[unit]
    if there not in game.board.around[here]:
        return refuse("5.2", "an advance begins in an adjacent hex")
    if there in s.targets:
        return why_not_into(s, unit, here, there, extended(s, unit, there))
    if not any(there in game.board.around[node] for node in vacated(s)):
        return refuse("5.8", "only into the defended hex, or one next to it")
    if s.quota > 0:
        return refuse("5.7", "first the defended hex must be entered in strength")
    if s.stack(there):
        return refuse("5.8", "only into an unoccupied hex")
    return why_not_into(s, unit, here, there, False)


@flow.choice
class Advance(Pick[LeningradState]):
    """5.1, 5.2, ruling D15: advancing is the attacker's choice, unit by unit."""

    rules = ("5.1", "5.2")
    kind, passing, stays = "advance", "end advance", True

    def prompt(self, s: LeningradState) -> str:
        if s.quota > 0:
            return f"Advance into the defended hex ({s.quota} more factors before others step aside), or stop."
        return "Advance further units, or stop."

    def candidates(self, s: LeningradState) -> list[Move]:
        around = s.game.board.around
        return [(unit, node) for unit in may_still_advance(s) for node in around[s.at[unit]]]

    def why_not_item(self, s: LeningradState, item: Move) -> Citation | None:
        unit, node = item
        if unit not in s.attackers:
            return refuse("5.1", "only attackers of this battle advance")
        if unit not in combat.attacking(s):
            return refuse("5.1", "only fighting units that are left advance")
        if s.is_disrupted(unit):
            return refuse("5.9", "it has advanced, and is Disrupted")
        return why_not_first(s, unit, node)

    def why_not_pass(self, s: LeningradState) -> Citation | None:
        """5.7, ruling D15: once anybody has gone in, as much must follow as defended the hex, if it can."""
        if s.quota <= 0 or not any(s.is_disrupted(unit) for unit in combat.attacking(s)):
            return None
        if any(node in s.targets for _, node in self.items(s)):
            return refuse("5.7", f"{s.quota} more factors must enter the defended hex, and can")
        return None

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


def why_not_farther(s: LeningradState, unit: int, there: int, home: int, spent: int, hexes: int) -> Citation | None:
    """A second or third hex, through the vacated one."""
    game = s.game
    here = s.at[unit]
    zoned = s.zone[1 - s.mover][here]
    if there not in game.board.around[here]:
        return refuse("5.2", "an advance goes hex by hex")
    if extended(s, unit, home):
        division = bool(game.counters.panzer_divisions >> unit & 1)
        rule, allowance = ("5.4", 3) if division else ("5.3", 2)
        if hexes > 1 and zoned:
            return refuse("8.2", "the unit stops in an enemy zone")
        if there in game.leningrad_index:
            return refuse("5.5", "not into Leningrad")
        reason = why_not_into(s, unit, here, there, division)  # its second hex; a third is not entered from a zone
        if reason is None and _price(s, unit, here, there, spent=spent) > allowance * FACTOR:
            return refuse(rule, f"no more than {allowance} movement factors")
        return reason
    if hexes >= limit(s, home):
        rule = "5.13" if s.result_now in ("D2", "DE") else "5.6"
        return refuse(rule, "no farther than that")
    if zoned:
        return refuse("8.2", "the unit stops in an enemy zone")
    return why_not_into(s, unit, here, there, False)


def limit(s: LeningradState, home: int) -> int:
    """5.6, ruling D12: as far as the defender went of his own will; one hex on D2 and DE (5.13)."""
    if s.result_now in ("D2", "DE"):
        return 1
    return max(1, s.retreats[s.targets.index(home)])


@flow.choice
class AdvanceOn(NamedDestination[LeningradState]):
    """A unit that has entered the vacated hex ``home`` goes on; ``spent`` and ``hexes`` tell of its way so far."""

    rules = ("5.1", "5.3", "5.6")
    kind, passing, returns = "advance", "halt", False
    asks = "{unit} may advance farther, or halt."

    def nodes(self, s: LeningradState, unit: int, *way: int) -> list[int]:
        return [node for node in s.game.board.around[s.at[unit]] if self.why_not_node(s, node, unit, *way) is None]

    def why_not_node(self, s: LeningradState, node: int, unit: int, *way: int) -> Citation | None:
        return why_not_farther(s, unit, node, *way)

    def why_not_unit(self, s: LeningradState, other: int, unit: int, *way: int) -> Citation:
        if other not in s.attackers:
            return refuse("5.1", "only attackers of this battle advance")
        return refuse("5.1", f"{s.game.unit_names[unit]} finishes its advance first")

    def pass_item(self, s: LeningradState, unit: int, *way: int) -> int:
        return unit

    def arrive(self, s: LeningradState, node: int, unit: int, home: int, spent: int, hexes: int) -> None:
        s.push(ask, AdvanceOn, unit, home, _price(s, unit, s.at[unit], node, spent=spent), hexes + 1)
        _go(s, unit, node)
