"""The report of an experiment: who won how often, what each change was worth, and how to play it all again."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from counterblow.lab import page
from counterblow.lab.experiment import options_text
from counterblow.lab.simulate import interval
from counterblow.lab.statistics import Estimate, paired
from counterblow.lab.variants import AS_SHIPPED

Row = dict[str, Any]
SETTING = ("game", "scenario", "options", "variant", "first_player", "second_player")


@dataclass(frozen=True)
class CellSummary:
    """The games of one setting."""

    label: str
    setting: dict[str, Any]
    games: int
    first: Estimate  # share of games won by the first side
    second: Estimate
    draws: int
    turns: float
    actions: float


@dataclass(frozen=True)
class Difference:
    """What changing one thing did on the same seeds: the score of ``who`` there less that here."""

    what: str
    here: str
    there: str
    who: str
    pairs: int
    worth: Estimate


def summaries(rows: Sequence[Row]) -> list[CellSummary]:
    """What the games of each cell say."""
    return [_summary(games) for games in _by_cell(rows).values()]


def _by_cell(rows: Sequence[Row]) -> dict[int, list[Row]]:
    cells: dict[int, list[Row]] = defaultdict(list)
    for row in rows:
        cells[row["cell"]].append(row)
    return dict(sorted(cells.items()))


def _summary(games: list[Row]) -> CellSummary:
    one, n = games[0], len(games)
    won = [sum(1 for g in games if g["winner"] == one[seat]) for seat in ("first_side", "second_side")]
    first, second = (Estimate(w / n, *interval(w, n)) for w in won)
    setting = {name: one[name] for name in (*SETTING, "first_side", "second_side")}
    turns, actions = (sum(g[what] for g in games) / n for what in ("turns", "actions"))
    return CellSummary(label(one), setting, n, first, second, n - sum(won), turns, actions)


def label(row: Row) -> str:
    """How a setting is called."""
    variant = "" if row["variant"] == AS_SHIPPED else row["variant"]
    return " / ".join(filter(None, (row["game"], row["scenario"], options_text(row["options"]), variant)))


def differences(rows: Sequence[Row]) -> Iterator[Difference]:
    """Pairs of settings that differ in one thing: a variant, an option, or who sits where."""
    cells = list(_by_cell(rows).values())
    for number, here in enumerate(cells):
        for there in cells[number + 1 :]:
            a, b = here[0], there[0]
            apart = [name for name in SETTING if a[name] != b[name]]
            if apart == ["variant"] and a["variant"] == AS_SHIPPED:
                yield _compared("variant", here, there, a["first_side"])
            elif apart == ["options"] and len(_apart(a["options"], b["options"])) == 1:
                yield _compared("option", here, there, a["first_side"])
            elif apart == ["first_player", "second_player"] and b["swapped"] and not a["swapped"]:
                yield _players(here, there)


def _apart(options: str, others: str) -> set[str]:
    here, there = json.loads(options), json.loads(others)
    return {name for name in {*here, *there} if here.get(name) != there.get(name)}


def _compared(what: str, here: list[Row], there: list[Row], who: str) -> Difference:
    scores = {row["seed"]: row["first_score"] for row in here}
    apart = [row["first_score"] - scores[row["seed"]] for row in there if row["seed"] in scores]
    return Difference(what, label(here[0]), label(there[0]), who, len(apart), paired(apart))


def _players(here: list[Row], there: list[Row]) -> Difference:
    """How much better the first player did than the second, each seed played from both seats."""
    scores = {row["seed"]: row["first_score"] for row in here}
    apart = [scores[row["seed"]] - row["first_score"] for row in there if row["seed"] in scores]
    one = here[0]
    named = f"{one['first_player']} rather than {one['second_player']}"
    return Difference("player", label(one), "both seats", named, len(apart), paired(apart))


# ---------------------------------------------------------------------- the page


def percent(share: float) -> str:
    """A share for people to read."""
    return f"{100 * share:.1f} %"


def between(estimate: Estimate) -> str:
    """An interval for people to read."""
    return f"{100 * estimate.low:.1f} to {100 * estimate.high:.1f} %"


def write(
    title: str, rows: Sequence[Row], turns: Sequence[Row], command: str, source: str = "", section: str = ""
) -> str:
    """The whole report as one HTML page; ``section`` is a part that a kind of run adds."""
    found = summaries(rows)
    parts = [
        page.paragraph(f"{len(rows):,} games in {len(found)} settings. Counterblow {version('counterblow')}; rules "
                       + ", ".join(sorted({f"{r['game']} {r['rules_version']}" for r in rows})) + "."),
        page.heading("Who wins"),
        page.table(
            ("setting", "players", "games", "side", "wins", "95 % interval", "draws", "turns", "actions"),
            [line for cell in found for line in _win_lines(cell)],
        ),
        page.figure(_wins_plot(found), "Share of games won by the first side, with Wilson's 95 % interval."),
    ]  # fmt: skip
    apart = list(differences(rows))
    if apart:
        parts += [
            page.heading("What each change is worth"),
            page.paragraph("The same seeds on both sides of each line, so that luck cancels as far as it can: mean "
                           "difference in score (win 1, draw a half) with its 95 % interval."),
            page.table(
                ("change", "from", "to", "for", "pairs", "difference", "95 % interval"),
                [(d.what, d.here, d.there, d.who, d.pairs, f"{100 * d.worth.value:+.1f} %", between(d.worth))
                 for d in apart],
            ),
        ]  # fmt: skip
    parts += [section] if section else []
    parts += [page.heading("Turn by turn"), *_turn_plots(rows, turns)]
    parts += [page.heading("Play it again"), page.code(command)]
    if source:
        parts += [page.paragraph("The experiment:"), page.code(source)]
    return page.page(title or "Experiment", *parts)


def _win_lines(cell: CellSummary) -> Iterator[tuple[object, ...]]:
    seated = f"{cell.setting['first_player']} - {cell.setting['second_player']}"
    first, second = cell.setting["first_side"], cell.setting["second_side"]
    length = (f"{cell.turns:.1f}", f"{cell.actions:.0f}")
    yield cell.label, seated, cell.games, first, percent(cell.first.value), between(cell.first), cell.draws, *length
    yield "", "", cell.games, second, percent(cell.second.value), between(cell.second), cell.draws, *length


def _wins_plot(cells: Sequence[CellSummary]) -> str:
    drawn, axes = page.axes(8, 0.8 + 0.45 * len(cells))
    for line, cell in enumerate(reversed(cells)):
        share, low, high = (100 * x for x in (cell.first.value, cell.first.low, cell.first.high))
        axes.plot([low, high], [line, line], color=page.COLOURS[0], linewidth=2)
        axes.plot([share], [line], "o", color=page.COLOURS[0])
    names = [f"{c.label}\n{c.setting['first_player']} - {c.setting['second_player']}" for c in reversed(cells)]
    axes.set_yticks(range(len(cells)), names)
    axes.set_ylim(-0.6, len(cells) - 0.4)
    axes.set_xlim(0, 100)
    axes.axvline(50, color="#999999", linewidth=0.8)
    axes.set_xlabel("first side wins, %")
    return page.svg_of(drawn)


def _turn_plots(rows: Sequence[Row], turns: Sequence[Row]) -> Iterator[str]:
    """For each game: the mean of the first side's judgement and the units of both sides, by turn and setting."""
    cell_of = {row["number"]: row["cell"] for row in rows}
    first_of = {row["cell"]: row for row in rows}
    sums: dict[tuple[int, str, int], list[float]] = defaultdict(lambda: [0.0, 0.0])
    for row in turns:
        entry = sums[cell_of[row["number"]], row["figure"], row["turn"]]
        entry[0] += row["value"]
        entry[1] += 1
    for game in dict.fromkeys(row["game"] for row in rows):
        cells = [cell for cell, row in first_of.items() if row["game"] == game]
        sides = first_of[cells[0]]["first_side"], first_of[cells[0]]["second_side"]
        for figures, caption in (
            ([f"{sides[0]} judgement"], f"{game}: how good the position looks for the {sides[0]} side, mean."),
            ([f"{side} units" for side in sides], f"{game}: units on the map, mean."),
        ):
            yield page.figure(_lines_plot(sums, cells, first_of, figures), caption)


def _lines_plot(sums: Any, cells: list[int], first_of: dict[int, Row], figures: list[str]) -> str:
    drawn, axes = page.axes(8, 2.4 + 0.18 * len(cells) * len(figures))
    for place, cell in enumerate(cells):
        row = first_of[cell]
        for dashed, figure in enumerate(figures):
            points = sorted((turn, s / n) for (c, f, turn), (s, n) in sums.items() if c == cell and f == figure)
            axes.plot(
                *zip(*points, strict=True), "--" if dashed else "-", color=f"C{place}", linewidth=1.5,
                label=f"{label(row)}, {row['first_player']} - {row['second_player']}: {figure}",
            )  # fmt: skip
    axes.set_xlabel("turn")
    drawn.legend(fontsize=8, frameon=False, loc="outside lower left")
    return page.svg_of(drawn)
