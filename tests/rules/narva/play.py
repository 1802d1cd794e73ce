"""Short words for what the tests of Across the Narva do again and again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from counterblow import Event
from counterblow.games.narva import victory
from counterblow.games.narva.components import SIDES, CombatTable
from counterblow.games.narva.movement import REGULAR, normal_reach
from tests.helpers import do, legal

State = Any


def move(s: State, unit: str, *legs: str) -> None:
    """Move a unit: legs are hexes (normal movement) or full actions ("by road to 2030")."""
    s.do(f"move {unit}")
    for leg in legs:
        s.do(leg if " " in leg else f"to {leg}")
    if s.decision is not None and s.decision.kind == "movement.Leg" and s.agenda[-1][1] == s.game.unit(unit):
        s.do("stop")


def reach(s: State, unit: str) -> set[str]:
    """Where a unit may go, by any movement; the state is not changed."""
    trial = s.copy()
    trial.do(f"move {unit}")
    return set(legal(trial)) - {"stop"}


def moving(s: State, unit: str) -> State:
    """A copy of the state in which the unit is about to move."""
    trial = s.copy()
    trial.do(f"move {unit}")
    return trial


def price(s: State, unit: str, node: str) -> int:
    """What the cheapest way to a hex costs a unit in movement points, however many it has."""
    number = s.game.unit(unit)
    return normal_reach(s, number, 50, REGULAR).cost_to(s.game.node(node))


def attack(s: State, target: str, *units: str) -> State:
    """Announce an attack and add its units; the die is not rolled yet."""
    s.do(f"attack {target}")
    for unit in units:
        s.do(f"add {unit}")
    return s


def fight(s: State, target: str, *units: str) -> list[Event]:
    """An attack to its die; what happened."""
    attack(s, target, *units)
    return do(s, "resolve the attack")


@contextmanager
def every_throw(game: Any, result: str) -> Iterator[None]:
    """A combat table with one result in all cells, for rules about what a result does: the real cells may change."""
    table = game.table
    lines = {side: line.headings for side, line in zip(SIDES, table.lines, strict=True)}
    game.table = CombatTable({**lines, "rows": [[result for _ in row] for row in table.rows]}, "every_throw")
    try:
        yield
    finally:
        game.table = table


def facts(s: State) -> dict[str, str]:
    """Attack, defence and column of the attack being built."""
    return dict(s.forecast("resolve the attack").facts)


def modifiers(s: State) -> dict[str, str]:
    """Rule -> amount of every modifier of the attack being built."""
    return {m.rule: str(m.amount) for m in s.forecast("resolve the attack").modifiers}


def steps(s: State, unit: str) -> int:
    return int(s.step[s.game.unit(unit)])


def supply(s: State, unit: str) -> str:
    return ("supplied", "out of supply", "isolated")[s.supply[s.game.unit(unit)]]


def pinned(s: State, unit: str) -> bool:
    return bool(s.pin[s.game.unit(unit)])


def cup(s: State, chit: str) -> int:
    return int(s.cup[s.game.chit_number[chit]])


def box(s: State, air_unit: str) -> str:
    names = [unit.name for unit in s.game.air]
    return ("ready", "refit", "grounded", "absent")[s.air[names.index(air_unit)]]


def points(s: State) -> dict[str, int]:
    """The reckoning, line by line."""
    return {line.name: line.points * held for line, held in victory.tally(s)}
