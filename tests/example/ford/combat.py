"""Chapter 3: combat."""

from __future__ import annotations

from collections.abc import Iterable

from counterblow.kernel.flow import ask
from counterblow.kernel.forecast import Forecast, Modifier
from counterblow.kernel.gather import Gather, Plan
from counterblow.kernel.journey import NamedDestination
from counterblow.kernel.losses import Losses
from counterblow.kernel.pick import Pick
from counterblow.kernel.rulebook import Citation, refuse
from tests.example.ford.state import FordState, flow

NEEDED = refuse("3.2", "the odds are under 1:2")


def shifts(s: FordState, plan: Plan) -> list[Modifier]:
    """3.3: what the ground does for the defender."""
    board, (target,) = s.game.board, plan.targets
    found = [Modifier(-1, "woods", "3.3")] if board.terrain[target] == "woods" else []
    if all(board.crosses(s.at[unit], target, "river") for unit in plan.units):
        found.append(Modifier(-1, "over the river", "3.3"))
    return found


def strengths(s: FordState, plan: Plan) -> tuple[int, int]:
    strength = s.game.strength
    return sum(strength[unit] for unit in plan.units), sum(strength[unit] for unit in s.stack(plan.targets[0]))


def near(s: FordState, node: int) -> list[int]:
    """Who could attack a hex."""
    return [unit for unit in s.army(s.mover) if node in s.game.board.around[s.at[unit]] and not s.attacked[unit]]


@flow.choice
class Combat(Pick[FordState]):
    rules = ("3.1",)
    asks = "Attack a hex, or end combat."
    kind, passing, stays = "attack", "end combat", True

    def candidates(self, s: FordState) -> Iterable[int]:
        return sorted({s.at[unit] for unit in s.army(1 - s.mover)})

    def why_not_item(self, s: FordState, node: int) -> Citation | None:
        if not s.held[1 - s.mover][node]:
            return refuse("3.1", "no enemy is there")
        if node in s.fought:
            return refuse("3.1", "it has been attacked")
        units = near(s, node)
        if not units:
            return refuse("3.1", "none of your units next to it may still attack")
        odds = s.game.odds.column(*strengths(s, Plan(s.mover, (node,), tuple(units))))
        return NEEDED if odds < 0 else None

    def take(self, s: FordState, node: int) -> None:
        s.push(Assault, Plan(s.mover, (node,)))


@flow.choice
class Assault(Gather[FordState]):
    rules = ("3.1", "3.2")
    asks = "Who attacks?"

    def candidates(self, s: FordState, plan: Plan) -> list[int]:
        return near(s, plan.targets[0])

    def why_not_join(self, s: FordState, plan: Plan, unit: int) -> Citation | None:
        if s.game.side_of[unit] != s.mover:
            return refuse("1.1", "it is the enemy's")
        if unit in plan.units:
            return refuse("3.1", "it is in the attack")
        if s.at[unit] < 0 or plan.targets[0] not in s.game.board.around[s.at[unit]]:
            return refuse("3.1", "it is not next to the hex")
        return refuse("3.1", "it has attacked") if s.attacked[unit] else None

    def why_not_commit(self, s: FordState, plan: Plan) -> Citation | None:
        return NEEDED if s.game.odds.column(*strengths(s, plan)) < 0 else None

    def outlook(self, s: FordState, plan: Plan) -> Forecast | None:
        column = s.game.odds.column(*strengths(s, plan))
        if column < 0:
            return None
        modifiers = tuple(shifts(s, plan))
        column = s.game.odds.shifted(column, modifiers)
        facts = [(word, str(n)) for word, n in zip(("attack", "defence"), strengths(s, plan), strict=True)]
        return Forecast(
            f"Attack on {s.game.board.labels[plan.targets[0]]}", (*facts, ("column", s.game.odds.headings[column])),
            modifiers, s.game.results.outcomes(column),
        )  # fmt: skip

    def commit(self, s: FordState, plan: Plan) -> None:
        game, (target,) = s.game, plan.targets
        column = game.odds.shifted(game.odds.column(*strengths(s, plan)), shifts(s, plan))
        face = s.roll()
        result = game.results.result(face, column)
        s.log("combat", "{units} attack {hex}: {odds}, die {n}: {result}", "3.2", "3.4", units=plan.units, hex=target,
              odds=game.odds.headings[column], n=face, result=result)  # fmt: skip
        s.fought = (*s.fought, target)
        for unit in plan.units:
            s.attacked[unit] = 1
        if result == "AE":
            s.push(ask, AttackerLoss, plan.units, 1)
        elif result != "-":
            beaten = (fall_back if result == "DR" else destroy, target)
            s.queue(beaten, (follow, plan.units, target))


@flow.choice
class AttackerLoss(Losses[FordState]):
    rules = ("3.4",)
    asks = "Which of the attackers is lost?"

    def eligible(self, s: FordState, units: tuple[int, ...], left: int) -> tuple[int, ...]:
        return units

    def why_not_item(self, s: FordState, unit: int, units: tuple[int, ...], left: int) -> Citation | None:
        return refuse("3.4", "it was not in the attack")

    def lose(self, s: FordState, unit: int, units: tuple[int, ...], left: int) -> None:
        s.lose(unit, "3.4")


@flow.step
def destroy(s: FordState, node: int) -> None:
    for unit in s.stack(node):
        s.lose(unit, "3.4")


@flow.step
def fall_back(s: FordState, node: int) -> None:
    s.queue(*((retreat_unit, unit) for unit in s.stack(node)))


@flow.step
def retreat_unit(s: FordState, unit: int) -> None:
    """3.5: whoever cannot retreat is lost."""
    if Retreat().nodes(s, unit):
        s.push(ask, Retreat, unit)
    else:
        s.lose(unit, "3.5")


@flow.choice
class Retreat(NamedDestination[FordState]):
    rules = ("3.5",)
    asks = "Where does {unit} retreat?"
    kind, returns = "retreat", False

    def nodes(self, s: FordState, unit: int) -> list[int]:
        return [node for node in s.game.board.around[s.at[unit]] if self.why_not_node(s, node, unit) is None]

    def why_not_node(self, s: FordState, node: int, unit: int) -> Citation | None:
        enemy = 1 - s.game.side_of[unit]
        if node not in s.game.board.around[s.at[unit]] or s.game.board.terrain[node] == "lake":
            return refuse("3.5", "a retreat leads one hex, over land")
        if s.held[enemy][node] or s.zone[enemy][node]:
            return refuse("3.5", "not to the enemy, nor into his zone")
        return refuse("2.5", "there is no room") if len(s.stack(node)) >= s.game.stacking else None

    def arrive(self, s: FordState, node: int, unit: int) -> None:
        s.put(unit, node)
        s.log("retreat", "{unit} retreats to {hex}", "3.5", unit=unit, hex=node)


@flow.step
def follow(s: FordState, units: tuple[int, ...], node: int) -> None:
    if not s.army(1 - s.mover):
        s.finish(s.mover, "annihilation", "no enemy is left", "5.2")
    elif not s.stack(node):
        s.push(Advance, units, node)


@flow.choice
class Advance(Pick[FordState]):
    rules = ("3.6",)
    asks = "Which of the attackers follows, if any?"
    kind, passing = "advance", "stand"

    def candidates(self, s: FordState, units: tuple[int, ...], node: int) -> tuple[int, ...]:
        return units

    def why_not_item(self, s: FordState, unit: int, units: tuple[int, ...], node: int) -> Citation | None:
        return None if unit in units else refuse("3.6", "it was not in the attack")

    def take(self, s: FordState, unit: int, units: tuple[int, ...], node: int) -> None:
        s.put(unit, node)
        s.log("advance", "{unit} advances to {hex}", "3.6", unit=unit, hex=node)
