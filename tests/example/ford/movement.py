"""Chapter 2: movement."""

from __future__ import annotations

from counterblow.kernel.graph import Reach
from counterblow.kernel.journey import Destination
from counterblow.kernel.pick import Pick
from counterblow.kernel.rulebook import Citation, refuse
from tests.example.ford.state import FordState, flow


def reach(s: FordState, unit: int) -> Reach:
    """2.1 to 2.4: the costs stand in the game's table."""
    game = s.game
    side = game.side_of[unit]
    found: Reach = game.board.graph.reach(
        game.costs, s.held[1 - side], s.zone[1 - side], s.held[side], s.at[unit], game.movement[unit]
    )
    return found


@flow.choice
class Movement(Pick[FordState]):
    rules = ("2.1",)
    asks = "Move a unit, or end movement."
    kind, passing, stays = "move", "end movement", True

    def candidates(self, s: FordState) -> list[int]:
        return s.army(s.mover)

    def why_not_item(self, s: FordState, unit: int) -> Citation | None:
        if s.game.side_of[unit] != s.mover:
            return refuse("1.1", "it is the enemy's")
        if s.at[unit] < 0:
            return refuse("2.1", "it is not on the map")
        if s.moved[unit]:
            return refuse("2.1", "it has moved")
        return None if Where().items(s, unit) else refuse("2.1", "it has nowhere to go")

    def take(self, s: FordState, unit: int) -> None:
        s.push(Where, unit)


@flow.choice
class Where(Destination[FordState]):
    rules = ("2.1",)
    asks = "Where does {unit} move?"

    def items(self, s: FordState, unit: int) -> list[int]:
        return [node for node in reach(s, unit).nodes if node != s.at[unit] and len(s.stack(node)) < s.game.stacking]

    def why_not_item(self, s: FordState, node: int, unit: int) -> Citation | None:
        game = s.game
        if node == s.at[unit]:
            return refuse("2.1", "it is there already")
        if game.board.terrain[node] == "lake":
            return refuse("2.2", "no unit enters the lake")
        if s.held[1 - game.side_of[unit]][node]:
            return refuse("2.3", "an enemy unit is there")
        if len(s.stack(node)) >= game.stacking and reach(s, unit).cost_to(node) >= 0:
            return refuse("2.5", f"{game.stacking} units are there already")
        nobody = bytes(game.board.size)
        free = game.board.graph.reach(game.costs, nobody, nobody, nobody, s.at[unit], game.movement[unit])
        if free.cost_to(node) < 0:
            return refuse("2.2", "too far for its movement allowance")
        return refuse("2.4", "enemy units and their zones bar the way")

    def take(self, s: FordState, node: int, unit: int) -> None:
        s.moved[unit] = 1
        s.put(unit, node)
        s.log("move", "{unit} moves to {hex}", "2.1", unit=unit, hex=node)
