"""Chapters 1, 4 and 5: the sequence of play, supply, and how to win."""

from __future__ import annotations

from counterblow.kernel.graph import Steps
from counterblow.kernel.sequence import Phase, steps_from
from counterblow.kernel.supply import Lines
from tests.example.ford.combat import Combat
from tests.example.ford.movement import Movement
from tests.example.ford.state import BLUE, RED, FordState, flow


@flow.step
def fresh(s: FordState) -> None:
    """A player-turn begins: everybody may move and attack again."""
    s.moved[:] = s.attacked[:] = bytes(len(s.moved))
    s.fought = ()


class SupplyLines(Lines[FordState]):
    """4.1: free of enemies and of bare enemy zones, as the base class has it."""

    length = 6

    def sources(self, s: FordState, side: int) -> tuple[int, ...]:
        return (s.game.depots[side],)

    def steps(self, s: FordState, side: int) -> Steps:
        steps: Steps = s.game.land
        return steps


@flow.step
def supply(s: FordState) -> None:
    """4.1: who is cut off at the end of his own player-turn is lost."""
    traced = SupplyLines().trace(s, s.mover)
    for unit in s.army(s.mover):
        if not traced[s.at[unit]]:
            s.lose(unit, "4.1")
    if not s.army(s.mover):
        s.finish(1 - s.mover, "annihilation", "no enemy is left", "5.2")


@flow.step
def turn_end(s: FordState) -> None:
    """5.1."""
    if s.turn == s.game.turns:
        blue = any(s.game.side_of[unit] == BLUE for unit in s.stack(s.game.town))
        s.finish(BLUE if blue else RED, "time", f"{'Blue' if blue else 'Red'} has Arnau", "5.1")
        return
    s.turn += 1
    s.queue(*steps_from(PHASES))


def player_turn(side: int, word: str) -> tuple[Phase, ...]:
    return (
        Phase(f"{word}.movement", side, "2.1", ((fresh,), (Movement,))),
        Phase(f"{word}.combat", side, "3.1", ((Combat,),)),
        Phase(f"{word}.supply", side, "4.1", ((supply,),)),
    )


# 1.1
PHASES = (*player_turn(BLUE, "blue"), *player_turn(RED, "red"), Phase("turn end", None, "5.1", ((turn_end,),)))
