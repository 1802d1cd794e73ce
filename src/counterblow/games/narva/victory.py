"""Chapter 13: how to win."""

from __future__ import annotations

from typing import NamedTuple

from counterblow.games.narva.components import GERMAN, SOVIET
from counterblow.games.narva.state import SUPPLIED, NarvaState, flow
from counterblow.kernel.views import Line, Standing, Verdict


class Points(NamedTuple):
    """A line of the reckoning."""

    text: str
    held: int  # hexes, or boxes
    worth: int  # each
    rule: str
    nodes: tuple[int, ...] = ()

    @property
    def value(self) -> int:
        return self.held * self.worth


@flow.step
def sudden_death(s: NarvaState) -> None:
    """3.0f, 13.1a: a supplied Soviet unit in Narva, before the turn advance."""
    if narva_taken(s):
        s.finish(SOVIET, "sudden death", "A supplied Soviet unit stands in Narva", "13.1a")


def narva_taken(s: NarvaState) -> bool:
    return any(
        s.game.side_of[u] == SOVIET and s.supply[u] == SUPPLIED for node in s.game.sudden_death for u in s.stack(node)
    )


def tally(s: NarvaState) -> list[Points]:
    """13.1.2: Soviet points now. Several features of a hex all score (13.1.2h)."""
    found = []
    for feature in s.game.features:
        if feature.mask:
            held = (s.red & feature.mask).bit_count()
        else:
            held = sum([1 for node in feature.nodes if s.held[SOVIET][node]])
        found.append(Points(feature.name, held, feature.points, feature.rule, feature.nodes))
    found.append(Points("Prepared Defenses worn down", sum(s.pd), 1, "13.1.2g"))
    return found


def soviet_points(s: NarvaState) -> int:
    return sum(line.value for line in tally(s))


def verdict(s: NarvaState) -> Verdict:
    """13.1b, 13.1.1b: by the points, if the game ended now."""
    points = soviet_points(s)
    level = next(level for level in s.game.levels if points >= level.least)
    name = level.name_2018 if s.options["edition"] == "2018" else level.name
    return Verdict(level.winner, name, f"The Soviets hold {counted(points, 'victory point')}", ("13.1b", "13.1.1b"))


# ---------------------------------------------------------------------- how it stands, for players


def standing(s: NarvaState) -> Standing:
    points = soviet_points(s)
    now, last = counted(points), s.game.numbers["turns"]
    least = min(level.least for level in s.game.levels if level.winner == SOVIET)
    above = [level for level in s.game.levels if level.least > points]
    inside = any(s.held[SOVIET][node] for node in s.game.sudden_death)
    needs = (
        Line(SOVIET, "Sudden death: a supplied Soviet unit in the town of Narva",
             "a unit is in" if inside else "none is in", "13.1a", narva_taken(s), s.game.sudden_death),
        Line(SOVIET, f"{least} victory points or more after turn {last}", now, "13.1.1b", points >= least),
        Line(GERMAN, f"The Soviets below {least} points after turn {last}", now, "13.1.1b", points < least),
    )  # fmt: skip
    steps = tuple(
        Line(SOVIET, f"Next level, {level.name}: {level.least} points", f"{level.least - points} more", "13.1.1b")
        for level in above[-1:]
    )
    return Standing(last - s.turn + 1, verdict(s), needs, (*steps, *prizes(s)))


def counted(points: int, word: str = "point") -> str:
    return f"{points} {word}{'s' * (points != 1)}"


def prizes(s: NarvaState) -> tuple[Line, ...]:
    """13.1.2: what scores for the Soviets, and how much of it they have."""
    found = []
    for line in tally(s):
        each = f", {line.worth} each" if len(line.nodes) != 1 else f", {line.worth}"
        of = f"{line.held} of {len(line.nodes)}, " if len(line.nodes) > 1 else ""
        text = line.text[0].upper() + line.text[1:]
        found.append(Line(SOVIET, text + each, f"{of}{counted(line.value)}", line.rule, line.value > 0, line.nodes))
    return tuple(found)
