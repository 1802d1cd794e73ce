"""Chapter 13: how to win."""

from __future__ import annotations

from typing import NamedTuple

from counterblow.games.narva.components import SOVIET
from counterblow.games.narva.state import SUPPLIED, NarvaState


class Points(NamedTuple):
    """A line of the reckoning."""

    text: str
    value: int
    rule: str


RULES = {
    "entry A": "13.1.2a", "entry B": "13.1.2a", "entry C": "13.1.2a", "hills": "13.1.2b", "Ivangorod": "13.1.2c",
    "Narva-Joesuu": "13.1.2d", "Krivasoo": "13.1.2d", "village west of the Narva": "13.1.2e",
    "rollbahn A to 2930": "13.1.2f",
}  # fmt: skip


def sudden_death(s: NarvaState) -> None:
    """13.1a: a supplied Soviet unit in Narva."""
    for node in s.game.sudden_death:
        if any(s.game.side_of[u] == SOVIET and s.supply[u] == SUPPLIED for u in s.stack(node)):
            s.finish(SOVIET, "sudden death", "A supplied Soviet unit stands in Narva", "13.1a")
            return


def tally(s: NarvaState) -> list[Points]:
    """13.1.2: Soviet points now. Several features of a hex all score (13.1.2h)."""
    found = []
    for feature in s.game.features:
        if feature.mask:
            held = (s.red & feature.mask).bit_count()
        else:
            held = sum([1 for node in feature.nodes if s.held[SOVIET][node]])
        found.append(Points(feature.name, feature.points * held, RULES.get(feature.name, "13.1.1a")))
    found.append(Points("Prepared Defenses worn down", sum(s.pd), "13.1.2g"))
    return found


def soviet_points(s: NarvaState) -> int:
    return sum(line.value for line in tally(s))


def reckon(s: NarvaState) -> None:
    """13.1b, 13.1.1b: after turn 12."""
    points = soviet_points(s)
    level = next(level for level in s.game.levels if points >= level.least)
    name = level.name_2018 if s.options["edition"] == "2018" else level.name
    s.finish(level.winner, name, f"The Soviets hold {points} victory points", "13.1b", "13.1.1b")
