"""Balance: who wins how often by scenario and option, and which value of a changed figure comes nearest to even."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from typing import Any

import counterblow
from counterblow.kernel.errors import CounterblowError
from counterblow.lab import page
from counterblow.lab.experiment import Experiment, build
from counterblow.lab.report import Row, between, percent, summaries
from counterblow.lab.statistics import paired
from counterblow.lab.variants import AS_SHIPPED


@dataclass(frozen=True)
class Change:
    """A value of the data, by address, and what it should be tried at."""

    address: str
    values: tuple[Any, ...]

    def name(self, value: Any) -> str:
        """How the change is called in tables."""
        return f"{self.address} = {value}"


def read_change(text: str) -> Change:
    """'units.toml: unit[name=4. Panzer Gruppe].factor = 4, 5, 7'"""
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter == "[") - (letter == "]")
        if letter == "=" and depth == 0:
            try:
                values = tomllib.loads(f"values = [{text[at + 1 :]}]")["values"]
            except tomllib.TOMLDecodeError as error:
                raise CounterblowError(f'change "{text}": the values cannot be read: {error}') from None
            if not values:
                break
            return Change(text[:at].strip(), tuple(values))
    raise CounterblowError(f'change "{text}" should be ADDRESS = VALUE, VALUE, ...')


def experiment(
    slug: str,
    player: str,
    games: int,
    seed: int,
    scenarios: Sequence[str] | None,
    with_options: bool,
    changes: Sequence[Change],
) -> Experiment:
    """Each scenario as it is, each option changed alone, each value tried alone; one player on both sides."""
    game = counterblow.load(slug)
    named = list(scenarios or [scenario.name for scenario in game.scenarios])
    base: dict[str, Any] = {"game": slug, "players": [player, player], "scenarios": named}
    matches = [base]
    if with_options:
        matches += [
            {**base, "options": {option.name: choice}}
            for option in game.option_list
            for choice in option.choices
            if choice != option.default
        ]
    changed = [{"name": c.name(value), "set": {c.address: value}} for c in changes for value in c.values]
    title = f"Balance of {game.title}: {player} on both sides"
    return build({"title": title, "games": games, "seed": seed, "match": matches, "variant": changed})


@dataclass(frozen=True)
class Verdict:
    """What the games say of one changed value in one scenario."""

    sentence: str
    lines: Sequence[tuple[str, ...]]


def verdict(change: Change, rows: Sequence[Row], scenario: str) -> Verdict:
    """How often the first side wins by value, and which value is nearest to even."""
    mine = [r for r in rows if r["scenario"] == scenario and r["options"] == "{}"]
    shipped = {r["seed"]: r["first_score"] for r in mine if r["variant"] == AS_SHIPPED}
    side = mine[0]["first_side"]
    lines, scored = [], []
    for value in change.values:
        games = [r for r in mine if r["variant"] == change.name(value)]
        score = sum(r["first_score"] for r in games) / len(games)
        worth = paired([r["first_score"] - shipped[r["seed"]] for r in games])
        scored.append((abs(score - 0.5), value, score, worth))
        lines.append((str(value), str(len(games)), percent(score), f"{100 * worth.value:+.1f} %", between(worth)))
    _, value, score, worth = min(scored, key=lambda entry: entry[0])
    before = sum(shipped.values()) / len(shipped)
    if abs(before - 0.5) <= abs(score - 0.5):
        return Verdict(
            f"None of these values is nearer to even than the game as shipped ({side} {percent(before)}).", lines
        )
    sure = "" if worth.low > 0 or worth.high < 0 else ", though the difference may be luck: play more games"
    sentence = f"Nearest to even: {value} ({side} {percent(score)}, as shipped {percent(before)}{sure})."
    return Verdict(sentence + _crossing(change, mine), lines)


def _crossing(change: Change, rows: Sequence[Row]) -> str:
    """Where a logistic curve through the games crosses one half, if the values are numbers and it does between them."""
    if len(change.values) < 2 or any(isinstance(v, bool) or not isinstance(v, int | float) for v in change.values):
        return ""
    names = {change.name(value): float(value) for value in change.values}
    points = [(names[r["variant"]], r["first_score"]) for r in rows if r["variant"] in names]
    low, high = min(names.values()), max(names.values())
    a, b = _logistic([((x - low) / (high - low), y) for x, y in points])
    if b == 0 or not 0 <= -a / b <= 1:
        return ""
    return f" A logistic curve through all values is even at {low + (high - low) * (-a / b):.2f}."


def _logistic(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Intercept and slope, by Newton's method; a little weight towards zero keeps them finite."""
    a = b = 0.0
    for _ in range(40):
        g0, g1, h00, h01, h11 = -0.01 * a, -0.01 * b, 0.01, 0.0, 0.01
        for x, y in points:
            p = 1 / (1 + exp(-(a + b * x)))
            w = p * (1 - p)
            g0, g1 = g0 + y - p, g1 + (y - p) * x
            h00, h01, h11 = h00 + w, h01 + w * x, h11 + w * x * x
        det = h00 * h11 - h01 * h01
        da, db = (h11 * g0 - h01 * g1) / det, (h00 * g1 - h01 * g0) / det
        a, b = a + max(-2.0, min(2.0, da)), b + max(-2.0, min(2.0, db))
    return a, b


def section(changes: Sequence[Change], rows: Sequence[Row]) -> str:
    """What the tried values do, as a part of a report."""
    parts = []
    for change in changes:
        for scenario in dict.fromkeys(r["scenario"] for r in rows):
            found = verdict(change, rows, scenario)
            side = rows[0]["first_side"]
            heads = ("value", "games", f"{side} score", "against as shipped", "95 % interval")
            parts += [page.heading(f"{scenario}: {change.address}"), page.table(heads, found.lines),
                      page.paragraph(found.sentence)]  # fmt: skip
    return "\n".join(parts)


def uneven(rows: Sequence[Row]) -> list[str]:
    """A sentence for each setting that is surely not even."""
    found = []
    for cell in summaries(rows):
        for side, share in ((cell.setting["first_side"], cell.first), (cell.setting["second_side"], cell.second)):
            if share.low > 0.5:
                found.append(f"{cell.label}: the {side} side is favoured, {percent(share.value)} ({between(share)}).")
    return found
