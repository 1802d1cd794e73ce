"""The toy game: move, then attack; who holds the town after four turns wins."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from counterblow.kernel.actions import Action
from counterblow.kernel.flow import Flow
from counterblow.kernel.forecast import Forecast, Modifier
from counterblow.kernel.game import Game
from counterblow.kernel.graph import Costs
from counterblow.kernel.journey import NamedDestination
from counterblow.kernel.odds import OddsLine, ResultTable
from counterblow.kernel.pick import Pick
from counterblow.kernel.positions import Positions
from counterblow.kernel.rulebook import Citation, refuse
from counterblow.kernel.sequence import Phase, steps_from
from counterblow.kernel.state import NOWHERE, State

BLUE, RED = 0, 1
UNITS = {"Blue 1": 4, "Blue 2": 3, "Blue 3": 2, "Red 1": 3, "Red 2": 2}
START = {"Blue 1": "0101", "Blue 2": "0102", "Blue 3": "0103", "Red 1": "0503", "Red 2": "0502"}
flow: Flow[ToyState] = Flow()


class ToyState(State):
    def blank(self) -> None:
        self.moved: bytearray = bytearray(len(UNITS))
        self.fought: bytearray = bytearray(self.game.board.size)


class ToyPositions(Positions[Any]):
    def phases(self) -> dict[str, Callable[[Any], None]]:
        names = [phase.name for side in (BLUE, RED) for phase in PHASES[side]]
        return {name: partial(begin_at, name=name) for name in names}


class Toy(Game):
    slug = "toy"
    more_sentences: Mapping[str, str] = {}  # of games made from this one
    flow = flow
    state_class = ToyState
    positions_class = ToyPositions
    phase_rules = {"blue.movement": "1.1", "blue.combat": "2.1", "red.movement": "1.1", "red.combat": "2.1"}

    def __init__(self, data: Path | None = None) -> None:
        super().__init__(data)
        self.sentences = {**self.sentences, **self.more_sentences}
        board = self.board
        self.name_units(tuple(UNITS), bytes(BLUE if n.startswith("Blue") else RED for n in UNITS))
        self.strength = tuple(UNITS.values())
        self.zones = (board.steps(lambda a, b: not board.crosses(a, b, "river") and board.terrain[b] != "lake"),)
        self.costs = Costs(board.costs(self._price), stop=1)
        self.odds = OddsLine(("1:2", "1:1", "2:1", "3:1"))
        self.crt = ResultTable(
            self.odds.headings,
            tuple(tuple("DE" if face + column > 6 else "-" for column in range(4)) for face in range(1, 7)),
            "reconstructed",
        )
        self.town = board.place("Town").nodes[0]
        self.dead = board.node("Dead")

    def _price(self, here: int, there: int) -> int | None:
        terrain = self.board.terrain[there]
        if terrain in ("lake", "box"):
            return None
        return 2 if terrain == "woods" else 1

    def exerts(self, state: ToyState, unit: int) -> int:
        return 0 if state.at[unit] == self.dead else 1

    def set_up(self, state: ToyState) -> None:
        for name, label in START.items():
            state.put(self.unit(name), self.board.node(label))
        state.turn = 1
        state.queue((turn,))

    def check(self, state: ToyState) -> list[str]:
        return [f"{name} is lost" for unit, name in enumerate(self.unit_names) if state.at[unit] < 0]


@flow.step
def turn(s: ToyState) -> None:
    s.queue((side_turn, BLUE), (side_turn, RED), (turn_end,))


@flow.step
def side_turn(s: ToyState, side: int) -> None:
    s.moved[:] = bytes(len(s.moved))
    s.fought[:] = bytes(len(s.fought))
    s.queue(*steps_from(PHASES[side]))


def begin_at(s: ToyState, name: str) -> None:
    side = BLUE if name.startswith("blue") else RED
    later = [(side_turn, RED)] if side == BLUE else []
    s.queue(*steps_from(PHASES[side], name), *later, (turn_end,))


@flow.step
def turn_end(s: ToyState) -> None:
    if s.turn == 4:
        holder = [s.game.side_of[unit] for unit in s.stack(s.game.town)]
        s.finish(BLUE if holder and holder[0] == BLUE else RED, "victory", "the town decides", "3.1")
        return
    s.turn += 1
    s.push(turn)


def on_map(s: ToyState, side: int) -> list[int]:
    game = s.game
    return [u for u in range(len(UNITS)) if game.side_of[u] == side and s.at[u] not in (NOWHERE, game.dead)]


@flow.choice
class Movement(Pick[ToyState]):
    rules = ("1.1",)
    kind, passing, stays = "select", "end", True

    def prompt(self, s: ToyState) -> str:
        return "Choose a unit to move, or end the phase."

    def candidates(self, s: ToyState) -> list[int]:
        return on_map(s, s.mover)

    def why_not_item(self, s: ToyState, unit: int) -> Citation | None:
        if s.game.side_of[unit] != s.mover:
            return refuse("1.1", f"{s.side} decides: {s.game.unit_names[unit]} is the enemy's")
        return refuse("1.1", f"{s.game.unit_names[unit]} has moved") if s.moved[unit] else None

    def take(self, s: ToyState, unit: int) -> None:
        s.push(Where, unit)


@flow.choice
class Where(NamedDestination[ToyState]):
    rules = ("1.1",)
    kind = "move"

    def prompt(self, s: ToyState, unit: int) -> str:
        return f"Where does {s.game.unit_names[unit]} go?"

    def chosen(self, s: ToyState, unit: int) -> tuple[int, ...]:
        return (unit,)

    def nodes(self, s: ToyState, unit: int) -> list[int]:
        side = s.game.side_of[unit]
        reach = s.game.board.graph.reach(s.game.costs, s.held[1 - side], s.zone[1 - side], s.held[side], s.at[unit], 3)
        return [s.at[unit], *reach.nodes]

    def why_not_node(self, s: ToyState, node: int, unit: int) -> Citation | None:
        if s.held[1 - s.game.side_of[unit]][node]:
            return refuse("1.3", "an enemy unit is there")
        return refuse("1.1", "it is too far")

    def arrive(self, s: ToyState, node: int, unit: int) -> None:
        s.moved[unit] = 1
        s.put(unit, node)
        s.log("move", "{unit} moves to {hex}", "1.1", unit=unit, hex=node)


@flow.choice
class Combat(Pick[ToyState]):
    rules = ("2.1",)
    kind, passing, stays = "attack", "end", True

    def prompt(self, s: ToyState) -> str:
        return "Attack a hex, or end the phase."

    def candidates(self, s: ToyState) -> list[int]:
        return sorted({s.at[unit] for unit in on_map(s, 1 - s.mover)})

    def why_not_item(self, s: ToyState, node: int) -> Citation | None:
        if not s.held[1 - s.mover][node]:
            return refuse("2.1", "no enemy unit is there")
        if s.fought[node]:
            return refuse("2.1", "it has been attacked")
        return refuse("2.1", "the odds are under 1:2") if odds(s, node) < 0 else None

    def take(self, s: ToyState, target: int) -> None:
        s.fought[target] = 1
        face = s.roll()
        result = s.game.crt.result(face, column(s, target)[0])
        s.log("combat", "attack on {hex}: die {n}, {result}", "2.1", hex=target, n=face, result=result)
        if result == "DE":
            for unit in s.stack(target):
                s.put(unit, s.game.dead)
        if not on_map(s, 1 - s.mover):
            s.finish(s.mover, "annihilation", "no enemy is left", "3.1")

    def forecast(self, s: ToyState, action: Action) -> Forecast | None:
        if action.kind == "end":
            return None
        found, shifts = column(s, action.args[0])
        return Forecast("Attack", (("column", s.game.odds.headings[found]),), shifts, s.game.crt.outcomes(found))


def odds(s: ToyState, target: int) -> int:
    game = s.game
    mine = [u for n in game.board.around[target] for u in s.stack(n) if game.side_of[u] == s.mover]
    attack = sum(game.strength[u] for u in mine)
    found: int = game.odds.column(attack, sum(game.strength[u] for u in s.stack(target)))
    return found


def column(s: ToyState, target: int) -> tuple[int, tuple[Modifier, ...]]:
    woods = (Modifier(-1, "woods", "2.2"),) if s.game.board.terrain[target] == "woods" else ()
    return s.game.odds.shifted(odds(s, target), woods), woods


PHASES = tuple(
    (Phase(f"{word}.movement", side, "1.1", ((Movement,),)), Phase(f"{word}.combat", side, "2.1", ((Combat,),)))
    for side, word in enumerate(("blue", "red"))
)
