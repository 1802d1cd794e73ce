"""The toy game: move, then attack; who holds the town after four turns wins."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

from counterblow.kernel.actions import Action
from counterblow.kernel.flow import Choice, Flow
from counterblow.kernel.forecast import Forecast, Modifier
from counterblow.kernel.game import Game, Option, Scenario
from counterblow.kernel.graph import Costs
from counterblow.kernel.odds import OddsLine, ResultTable
from counterblow.kernel.rulebook import Citation, refuse
from counterblow.kernel.state import NOWHERE, State

BLUE, RED = 0, 1
UNITS = {"Blue 1": 4, "Blue 2": 3, "Blue 3": 2, "Red 1": 3, "Red 2": 2}
START = {"Blue 1": "0101", "Blue 2": "0102", "Blue 3": "0103", "Red 1": "0503", "Red 2": "0502"}
flow: Flow[ToyState] = Flow()


class ToyState(State):
    __slots__ = ("fought", "moved")
    arrays = ("moved", "fought")
    moved: bytearray
    fought: bytearray

    def blank(self) -> None:
        self.moved = bytearray(len(UNITS))
        self.fought = bytearray(self.game.board.size)


class Toy(Game):
    slug = "toy"
    title = "Toy"
    sides = ("blue", "red")
    side_titles = ("Blue", "Red")
    scenarios = (Scenario("battle", "The battle"),)
    option_list = (Option("secret", "Red sees no blue unit", False),)
    sentences = {
        "select": "select {unit}",
        "move": "move {unit} {hex}",
        "attack": "attack {hex}",
        "end": "end phase",
    }
    flow = flow
    state_class = ToyState

    def __init__(self, data: Path | None = None) -> None:
        super().__init__(data)
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
        state.queue(("turn",))

    def phases(self) -> dict[str, Callable[[Any], None]]:
        return {
            "blue.movement": lambda s: s.queue(("movement", BLUE), ("combat", BLUE), ("side.turn", RED), ("turn.end",)),
            "blue.combat": lambda s: s.queue(("combat", BLUE), ("side.turn", RED), ("turn.end",)),
            "red.movement": lambda s: s.queue(("movement", RED), ("combat", RED), ("turn.end",)),
        }

    def check(self, state: ToyState) -> list[str]:
        return [f"{name} is lost" for unit, name in enumerate(self.unit_names) if state.at[unit] < 0]


@flow.step("turn")
def turn(s: ToyState) -> None:
    s.queue(("side.turn", BLUE), ("side.turn", RED), ("turn.end",))


@flow.step("side.turn")
def side_turn(s: ToyState, side: int) -> None:
    s.moved[:] = bytes(len(s.moved))
    s.fought[:] = bytes(len(s.fought))
    s.queue(("movement", side), ("combat", side))


@flow.step("turn.end")
def turn_end(s: ToyState) -> None:
    if s.turn == 4:
        holder = [s.game.side_of[unit] for unit in s.stack(s.game.town)]
        s.finish(BLUE if holder and holder[0] == BLUE else RED, "victory", "the town decides", "3.1")
        return
    s.turn += 1
    s.push("turn")


@flow.choice
class Movement(Choice[ToyState]):
    name = "movement"
    rules = ("1.1",)

    def side(self, s: ToyState, side: int) -> int:
        return side

    def prompt(self, s: ToyState, side: int) -> str:
        return "Choose a unit to move, or end the phase."

    def legal(self, s: ToyState, side: int) -> list[Action]:
        game = s.game
        mine = [u for u in range(len(UNITS)) if game.side_of[u] == side and s.at[u] not in (NOWHERE, game.dead)]
        return [*(game.act["select"][u] for u in mine if not s.moved[u]), game.act["end"][()]]

    def do(self, s: ToyState, action: Action, side: int) -> None:
        if action.kind == "end":
            s.pop()
        else:
            s.push("destination", side, action.args[0])

    def why_not(self, s: ToyState, action: Action, side: int) -> list[Citation]:
        if action.kind == "select" and s.game.side_of[action.args[0]] == side:
            return [refuse("1.1", f"{s.game.unit_names[action.args[0]]} has moved")]
        return []


@flow.choice
class Destination(Choice[ToyState]):
    name = "destination"
    rules = ("1.1",)

    def side(self, s: ToyState, side: int, unit: int) -> int:
        return side

    def prompt(self, s: ToyState, side: int, unit: int) -> str:
        return f"Where does {s.game.unit_names[unit]} go?"

    def chosen(self, s: ToyState, side: int, unit: int) -> tuple[int, ...]:
        return (unit,)

    def legal(self, s: ToyState, side: int, unit: int) -> list[Action]:
        reached = s.game.board.graph.reach(
            s.game.costs, s.held[1 - side], s.zone[1 - side], s.held[side], s.at[unit], 3
        )
        return [s.game.act["move"][unit, node] for node in (s.at[unit], *reached)]

    def do(self, s: ToyState, action: Action, side: int, unit: int) -> None:
        s.pop()
        s.moved[unit] = 1
        s.put(unit, action.args[1])
        s.log("move", "{unit} moves to {hex}", "1.1", unit=unit, hex=action.args[1])

    def why_not(self, s: ToyState, action: Action, side: int, unit: int) -> list[Citation]:
        if action.kind == "move" and s.held[1 - side][action.args[1]]:
            return [refuse("1.3", "an enemy unit is there")]
        return []


@flow.choice
class Combat(Choice[ToyState]):
    name = "combat"
    rules = ("2.1",)

    def side(self, s: ToyState, side: int) -> int:
        return side

    def prompt(self, s: ToyState, side: int) -> str:
        return "Attack a hex, or end the phase."

    def legal(self, s: ToyState, side: int) -> list[Action]:
        game = s.game
        targets = sorted(
            {s.at[u] for u in range(len(UNITS)) if game.side_of[u] != side and s.at[u] not in (NOWHERE, game.dead)}
        )
        fit = [t for t in targets if not s.fought[t] and self._odds(s, side, t) >= 0]
        return [*(game.act["attack"][t] for t in fit), game.act["end"][()]]

    def _odds(self, s: ToyState, side: int, target: int) -> int:
        game = s.game
        mine = [u for n in game.board.around[target] for u in s.stack(n) if game.side_of[u] == side]
        attack = sum(game.strength[u] for u in mine)
        column: int = game.odds.column(attack, sum(game.strength[u] for u in s.stack(target)))
        return column

    def _column(self, s: ToyState, side: int, target: int) -> tuple[int, tuple[Modifier, ...]]:
        woods = (Modifier(-1, "woods", "2.2"),) if s.game.board.terrain[target] == "woods" else ()
        return s.game.odds.shifted(self._odds(s, side, target), woods), woods

    def do(self, s: ToyState, action: Action, side: int) -> None:
        if action.kind == "end":
            s.pop()
            return
        target = action.args[0]
        s.fought[target] = 1
        face = s.roll()
        result = s.game.crt.result(face, self._column(s, side, target)[0])
        s.log("combat", "attack on {hex}: die {n}, {result}", "2.1", hex=target, n=face, result=result)
        if result == "DE":
            for unit in s.stack(target):
                s.put(unit, s.game.dead)
        if not any(s.at[u] not in (NOWHERE, s.game.dead) for u in range(len(UNITS)) if s.game.side_of[u] != side):
            s.finish(side, "annihilation", "no enemy is left", "3.1")

    def forecast(self, s: ToyState, action: Action, side: int) -> Forecast | None:
        if action.kind == "end":
            return None
        column, shifts = self._column(s, side, action.args[0])
        outcomes = s.game.crt.outcomes(column)
        assert sum(o.chance for o in outcomes) == Fraction(1)
        return Forecast("Attack", (("column", s.game.odds.headings[column]),), shifts, outcomes)
