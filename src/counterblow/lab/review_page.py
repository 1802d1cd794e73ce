"""A review as one page that stands alone, to be sent to a friend."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

import counterblow
from counterblow.atlas.drawing import draw
from counterblow.atlas.geometry import RADIUS, Layout
from counterblow.atlas.position import counters
from counterblow.kernel.game import Game
from counterblow.lab import page
from counterblow.lab.review import TRIES

MARGIN = 4 * RADIUS  # round the hexes of a turning point
SMALLEST = 16 * RADIUS


def write(found: dict[str, Any]) -> str:
    """The whole page."""
    game = counterblow.load(found["game"])
    first = found["side_titles"][0]
    result = found["result"]
    ending = "The game is not over." if result is None else _ending(game, result)
    return page.page(
        f"{found['title']}: a review",
        page.paragraph(f"{ending} {len(found['decisions'])} decisions, scenario {found['scenario']}."),
        page.heading("How the chances ran"),
        page.figure(
            _chances_plot(found),
            f"Chance of a {first} win after every decision, with its 95 % interval; turning points are numbered.",
        ),
        page.heading("Turning points"),
        *_points(game, found),
        page.heading("Luck and play"),
        *_luck(found),
        page.heading("Losses, ground and supply"),
        *_figures(found),
        page.heading("How this was made"),
        page.paragraph(
            "Win probability: the game's own judgement of a position, calibrated on games between players of mixed "
            "strength. Luck: the position as the dice left it, less the mean over all the ways in which they could "
            "fall; draws are made again instead. A turning point is a phase in which the computer's "
            f"{found['player']}, on the same dice, would have gained most over what was played in the worst of "
            f"{TRIES} tries, luck apart. Rules version {found['rules_version']} of {found['game']}.",
            dim=True,
        ),
    )


def _ending(game: Game, result: dict[str, Any]) -> str:
    winner = result["winner"]
    named = "A draw" if winner is None else f"The {game.side_titles[game.sides.index(winner)]} side won"
    return f"{named} ({result['level']}): {result['reason']}."


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _points_of(share: float) -> str:
    return f"{100 * share:+.1f}"


# ---------------------------------------------------------------------- the graph


def _chances_plot(found: dict[str, Any]) -> str:
    drawn, axes = page.axes(9, 3.2)
    plies = [d["ply"] for d in found["decisions"]]
    low, high = ([100 * d[end] for d in found["decisions"]] for end in ("low", "high"))
    axes.fill_between(plies, low, high, color=page.COLOURS[0], alpha=0.18, linewidth=0)
    axes.plot(plies, [100 * d["chance"] for d in found["decisions"]], color=page.COLOURS[0], linewidth=1.6)
    for turn in found["turns"][1:]:
        axes.axvline(turn["ply"], color="#bbbbbb", linewidth=0.6)
    for number, point in enumerate(found["turning_points"], 1):
        axes.axvspan(point["first"], point["last"] + 1, color=page.COLOURS[1], alpha=0.15, linewidth=0)
        axes.text((point["first"] + point["last"]) / 2, 101, str(number), ha="center", va="bottom", fontsize=10,
                  color=page.COLOURS[1], fontweight="bold")  # fmt: skip
    starts = [turn for turn in found["turns"][:-1] if turn["turn"] > 0]
    axes.set_xticks([turn["ply"] for turn in starts], [str(turn["turn"]) for turn in starts])
    axes.set_ylim(0, 108)
    axes.set_xlim(0, max(plies[-1], 1))
    axes.axhline(50, color="#999999", linewidth=0.6)
    axes.set_xlabel("turn")
    axes.set_ylabel(f"{found['side_titles'][0]} win, %")
    return page.svg_of(drawn)


# ---------------------------------------------------------------------- turning points


def _points(game: Game, found: dict[str, Any]) -> Iterator[str]:
    points = found["turning_points"]
    if not points:
        yield page.paragraph("None: no phase in which the computer would have done much better than what was played.")
        return
    # the map is drawn once and shown through as many windows as there are turning points
    yield f'<svg width="0" height="0" style="position:absolute"><defs><g id="the-map">{_inner(game)}</g></defs></svg>'
    for number, point in enumerate(points, 1):
        side = found["side_titles"][point["side"]]
        yield f"<h3>{number}. {escape(side)}: {escape(point['label'])}</h3>"
        before, after = (p if point["side"] == 0 else 1 - p for p in (point["before"], point["after"]))
        where = "this phase"
        if point["stretches"] > 1:
            where = "its costliest stretch"
            lost = f"{100 * point['regret']:.1f}"
            yield page.paragraph(
                f"The two sides played this phase by turns; all in all {side} lost {lost} points in it."
            )
        yield page.paragraph(
            f"The {side} side stood at {_percent(before)} before {where} and at {_percent(after)} after it. The play "
            f"itself was worth {_points_of(point['gained'])} points, the dice {_points_of(point['luck'])}; the "
            f"computer's {found['player']} would have made {_points_of(point['reference'])}."
        )
        yield page.figure(_board(game, point), "The board before it; rings mark where it was played.", "board")
        more = f" and {point['more']} more" if point["more"] else ""
        yield "<p><b>Played:</b> " + escape("; ".join(point["played"]) + more) + "</p>"
        yield "<p><b>Better:</b> " + escape("; ".join(point["better"]) or "to wait") + "</p>"
        if point["why"]:
            yield "<p><b>Why:</b> " + escape("; ".join(point["why"])) + "</p>"


def _inner(game: Game) -> str:
    """The map's drawing without its outermost element."""
    whole = draw(game.board, legend=False, numbers=False)
    return whole[whole.index(">") + 1 : whole.rindex("</svg>")]


def _board(game: Game, point: dict[str, Any]) -> str:
    layout = Layout(game.board)
    places = [layout.centre(game.board.node(label)) for label in point["light"]]
    x0, y0, x1, y1 = 0.0, 0.0, layout.width, layout.height
    if places:
        xs, ys = [x for x, _ in places], [y for _, y in places]
        x0, x1 = _window(min(xs) - MARGIN, max(xs) + MARGIN, layout.width)
        y0, y1 = _window(min(ys) - MARGIN, max(ys) + MARGIN, layout.height)
    drawn = counters(game, point["view"], point["light"])
    view = f"{x0:.0f} {y0:.0f} {x1 - x0:.0f} {y1 - y0:.0f}"
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}"><use href="#the-map"/>{drawn}</svg>'


def _window(low: float, high: float, size: float) -> tuple[float, float]:
    """A window of a useful size that stays on the map."""
    short = max(0.0, SMALLEST - (high - low)) / 2
    low, high = max(0.0, low - short), min(size, high + short)
    return low, high


# ---------------------------------------------------------------------- luck


def _luck(found: dict[str, Any]) -> Iterator[str]:
    luck, sides, titles = found["luck"], found["sides"], found["side_titles"]
    net = luck["net"][sides[0]]
    lucky = titles[0] if net >= 0 else titles[1]
    yield page.paragraph(
        f"All dice and draws together were worth {abs(100 * net):.1f} points of win probability to the {lucky} side."
    )
    yield page.figure(_luck_plot(found), "Luck by turn, in points of win probability: each side's own dice, and draws.")
    yield page.table(
        ("turn", *(f"{title} dice" for title in titles), f"draws (for {titles[0]})"),
        [(turn, *(_points_of(line[name]) for name in (*sides, "draws"))) for turn, line in luck["by_turn"].items()],
    )
    yield page.paragraph("The throws that mattered most:")
    heavy = sorted(found["throws"], key=lambda throw: -abs(throw["luck"]))[:8]
    yield page.table(
        ("turn", "what happened", "dice of", "dice", "good for", "points"),
        [
            (t["turn"], t["told"], "nobody" if t["draw"] else titles[t["side"]],
             " ".join(map(str, t["faces"])) or "a draw",
             titles[0] if t["luck"] >= 0 else titles[1], f"{abs(100 * t['luck']):.1f}")
            for t in heavy
        ],
    )  # fmt: skip


def _luck_plot(found: dict[str, Any]) -> str:
    drawn, axes = page.axes(9, 2.4)
    turns = list(found["luck"]["by_turn"])
    for place, (name, title) in enumerate(
        zip((*found["sides"], "draws"), (*found["side_titles"], f"draws, for {found['side_titles'][0]}"), strict=True)
    ):
        heights = [100 * found["luck"]["by_turn"][turn][name] for turn in turns]
        axes.bar([n + 0.27 * (place - 1) for n in range(len(turns))], heights, 0.25, label=title,
                 color=page.COLOURS[place])  # fmt: skip
    axes.set_xticks(range(len(turns)), turns)
    axes.axhline(0, color="#666666", linewidth=0.8)
    axes.set_xlabel("turn")
    axes.legend(frameon=False, fontsize=8)
    return page.svg_of(drawn)


# ---------------------------------------------------------------------- figures


def _figures(found: dict[str, Any]) -> Iterator[str]:
    for what, caption in (
        ("units", "Units on the map."),
        ("places", "Places controlled."),
        ("cut off", "Units outside their supply lines."),
    ):
        names = [f"{side} {what}" for side in found["sides"]]
        if any(turn["figures"].get(name) for turn in found["turns"] for name in names):
            yield page.figure(_lines(found, names, found["side_titles"]), caption)
    others = [name for name in found["turns"][0]["figures"] if not name.startswith(tuple(found["sides"]))]
    if others:
        yield page.table(("turn", *others), [(turn["label"], *(_plain(turn["figures"].get(name)) for name in others))
                                             for turn in found["turns"]])  # fmt: skip


def _plain(value: float | None) -> str:
    return "" if value is None else f"{value:g}"


def _lines(found: dict[str, Any], names: Sequence[str], titles: Sequence[str]) -> str:
    drawn, axes = page.axes(9, 2.0)
    for place, (name, title) in enumerate(zip(names, titles, strict=True)):
        points = [(turn["ply"], turn["figures"].get(name, 0)) for turn in found["turns"]]
        axes.step(*zip(*points, strict=True), where="post", color=page.COLOURS[place], label=title)
    starts = [turn for turn in found["turns"][:-1] if turn["turn"] > 0]
    axes.set_xticks([turn["ply"] for turn in starts], [str(turn["turn"]) for turn in starts])
    axes.set_ylim(bottom=0)
    axes.set_xlabel("turn")
    axes.legend(frameon=False, fontsize=8)
    return page.svg_of(drawn)
