"""Round robin: every player against every other from both seats on the same seeds, and the ratings that follow."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from counterblow.kernel.errors import CounterblowError
from counterblow.lab import page
from counterblow.lab.experiment import Experiment, build
from counterblow.lab.report import Row
from counterblow.lab.simulate import interval
from counterblow.lab.statistics import SEAT, Estimate, Pairing, elo


def experiment(slug: str, names: Sequence[str], games: int, seed: int, scenario: str | None,
               options: dict[str, Any]) -> Experiment:  # fmt: skip
    """All pairs, seats swapped, the same seeds for each."""
    if len(set(names)) < 2 or len(set(names)) < len(names):
        raise CounterblowError("a tournament needs at least two players, each named once")
    matches = [
        {"game": slug, "players": list(pair), "swap": True, "options": options,
         **({"scenarios": [scenario]} if scenario else {})}
        for pair in combinations(names, 2)
    ]  # fmt: skip
    return build({"title": f"Tournament of {', '.join(names)}: {slug}", "games": games, "seed": seed, "match": matches})


def ratings(rows: Sequence[Row]) -> dict[str, Estimate]:
    """Elo of all players, with what the seat is worth."""
    return elo([Pairing(r["first_player"], r["second_player"], r["first_score"], r["seed"]) for r in rows])


def standings(rows: Sequence[Row]) -> list[tuple[str, ...]]:
    """Best first: name, Elo, interval, points, games, and the score from each seat."""
    rated = ratings(rows)
    lines: list[tuple[str, ...]] = []
    for name in sorted((n for n in rated if n != SEAT), key=lambda n: -rated[n].value):
        first = [r["first_score"] for r in rows if r["first_player"] == name]
        second = [1 - r["first_score"] for r in rows if r["second_player"] == name]
        rate = rated[name]
        lines.append(
            (name, f"{rate.value:.0f}", f"{rate.low:.0f} to {rate.high:.0f}", f"{sum(first) + sum(second):g}",
             str(len(first) + len(second)), _score(first), _score(second))
        )  # fmt: skip
    return lines


def headings(first: str, second: str) -> tuple[str, ...]:
    """Of the table of standings."""
    return "player", "Elo", "95 % interval", "points", "games", f"as {first}", f"as {second}"


def seat_sentence(rows: Sequence[Row]) -> str:
    """What the seat is worth, in a sentence."""
    worth = ratings(rows)[SEAT]
    return (
        f"To sit on the {rows[0]['first_side']} side rather than the {rows[0]['second_side']} side is worth "
        f"{round(worth.value):+d} Elo ({round(worth.low):+d} to {round(worth.high):+d})."
    )


def _score(scores: Sequence[float]) -> str:
    """Points as a share, with Wilson's interval; a draw is half a point."""
    n = len(scores)
    low, high = interval(sum(scores), n)
    return f"{100 * sum(scores) / n:.0f} % ({100 * low:.0f} to {100 * high:.0f})"


def section(rows: Sequence[Row]) -> str:
    """The standings as a part of a report."""
    first, second = rows[0]["first_side"], rows[0]["second_side"]
    return "\n".join(
        [page.heading("Standings"), page.table(headings(first, second), standings(rows)),
         page.paragraph(seat_sentence(rows)),
         page.paragraph("Elo around a mean of 1500; the worth of the seat is rated with the players, and the intervals "
                        "come from drawing the seeds anew 400 times.", dim=True)]
    )  # fmt: skip
