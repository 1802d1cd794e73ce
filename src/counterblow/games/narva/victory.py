"""Chapter 13: how to win."""

from __future__ import annotations

from counterblow.games.narva.components import GERMAN, SOVIET, Feature
from counterblow.games.narva.state import SUPPLIED, NarvaState, flow
from counterblow.kernel.views import Line, Standing, Verdict

WORN_DOWN = Feature("Prepared Defenses worn down", 1, "13.1.2g", "boxes")


@flow.step
def sudden_death(s: NarvaState) -> None:
    """3.0f, 13.1a: a supplied Soviet unit in Narva, before the turn advance."""
    if narva_taken(s):
        s.finish(SOVIET, "sudden death", "A supplied Soviet unit stands in Narva", "13.1a")


def narva_taken(s: NarvaState) -> bool:
    return any(
        s.game.side_of[u] == SOVIET and s.supply[u] == SUPPLIED for node in s.game.sudden_death for u in s.stack(node)
    )


def tally(s: NarvaState) -> list[tuple[Feature, int]]:
    """13.1.2: what scores for the Soviets now, how often. Several features of a hex all score (13.1.2h)."""
    red, here, found = s.red, s.held[SOVIET], []
    for line in s.game.features:
        occupied = line.held == "occupied"
        held = sum([1 for n in line.nodes if here[n]]) if occupied else (red & line.mask).bit_count()
        found.append((line, held))
    return [*found, (WORN_DOWN, sum(s.pd))]


def soviet_points(s: NarvaState) -> int:
    return sum([feature.points * held for feature, held in tally(s)])


def verdict(s: NarvaState) -> Verdict:
    """13.1b, 13.1.1b: by the points, if the game ended now."""
    points = soviet_points(s)
    level = next(level for level in s.game.levels if points >= level.least)
    name = level.name_2018 if level.name_2018 and s.options["edition"] == "2018" else level.name
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
    for line, held in tally(s):
        each = f", {line.points} each" if len(line.nodes) != 1 else f", {line.points}"
        of = f"{held} of {len(line.nodes)}, " if len(line.nodes) > 1 else ""
        text, now = line.name[0].upper() + line.name[1:] + each, f"{of}{counted(line.points * held)}"
        found.append(Line(SOVIET, text, now, line.rule, held > 0, line.nodes))
    return tuple(found)
