"""Refusals drawn at random, to be judged by somebody who reads only the rulebook.

``python -m tests.refusals narvik --seed 5 --count 300`` prints so many refusals over all kinds of action and decision,
each with what one has to know to judge it: does the rule that is named forbid the action?
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import counterblow
from counterblow import Action, Citation, Game
from counterblow.kernel.state import State


class Refusal(NamedTuple):
    """An action that was tried, when, and why it is refused; no reasons: it may be done."""

    state: State
    action: Action
    reasons: list[Citation]


def positions(game: Game, chooser: random.Random) -> Iterator[State]:
    """Positions of random games, rare decisions as well as common ones."""
    asked: Counter[str] = Counter()
    while True:
        options = {name: chooser.choice(option.choices) for name, option in game.options.items()}
        s = game.start(chooser.choice(game.scenarios).name, chooser.randrange(1 << 30), options)
        while not s.over:
            assert s.decision is not None
            asked[s.decision.kind] += 1
            if chooser.random() < 2 / asked[s.decision.kind] + 0.002:
                yield s
            legal = s.legal()
            going_on = [action for action in legal if action != s.decision.passes]
            s.do(chooser.choice(going_on if going_on and chooser.random() < 0.5 else legal))


def drawn(s: State, chooser: random.Random) -> Action:
    """Some action, as it is typed."""
    return s.parse(str(thought_of(s, chooser)))


def thought_of(s: State, chooser: random.Random) -> Action:
    """Some action: of a kind at hand or of any kind, about what is at hand, in play or anything at all."""
    game: Any = s.game
    decision = s.decision
    assert decision is not None
    kinds = [*game.act.sentences] if chooser.random() < 0.5 else sorted({a.kind for a in s.legal()})
    kind = chooser.choice(kinds)
    hexes = game.board.hexes
    in_play = [unit for unit, node in enumerate(s.at) if node >= 0] or [0]
    about = [*decision.about, *decision.chosen] or in_play
    at = [s.at[unit] for unit in about if 0 <= s.at[unit] < hexes] or [chooser.randrange(hexes)]

    def node() -> int:
        if chooser.random() < 0.1:
            return chooser.randrange(game.board.size)
        if chooser.random() < 0.2:
            return s.at[chooser.choice(in_play)]
        near: int = chooser.choice(game.board.within(chooser.choice(at), chooser.choice((1, 1, 2, 3))))
        return near

    def value(blank: str) -> Any:
        if blank == "unit":
            pool = about if chooser.random() < 0.4 else in_play
            return chooser.choice(pool if chooser.random() < 0.9 else range(len(game.unit_names)))
        if blank == "hex":
            return node()
        if blank == "path":
            path = [chooser.choice(at)]
            while len(path) < 2 or chooser.random() < 0.5:
                path.append(chooser.choice(game.board.around[path[-1]] or [node()]))
            return tuple(path)
        if blank == "n":
            return chooser.randrange(6)
        if blank in game.act.names:
            return chooser.choice([number for number, name in enumerate(game.act.names[blank]) if name])
        return tuple(value(blank[:-1]) for _ in range(chooser.randrange(3)))

    values = tuple(value(blank) for blank in game.act.blanks[kind])
    return Action(kind, values, game.act.write(kind, values))


def tries(game: Game, seed: int) -> Iterator[Refusal]:
    """Without end: in each position something that is drawn."""
    chooser = random.Random(seed)
    for s in positions(game, chooser):
        action = drawn(s, chooser)
        yield Refusal(s, action, s.why_not(action))


def refusals(game: Game, seed: int) -> Iterator[Refusal]:
    """Of these the refused."""
    return (tried for tried in tries(game, seed) if tried.reasons)


# ------------------------------------------------------------------ for people to judge


def told(number: int, refusal: Refusal) -> str:
    """A refusal with what one has to know."""
    s, action, reasons = refusal
    game: Any = s.game
    decision = s.decision
    assert decision is not None
    units = dict.fromkeys([*[*decision.about, *decision.chosen][:3], *_values(game, action, "unit")])
    named = [*_values(game, action, "hex"), *(s.at[unit] for unit in units)]
    nodes = dict.fromkeys([node for node in named if 0 <= node < game.board.hexes])
    options = ", ".join(f"{name}={value}" for name, value in s.options.items() if value != game.options[name].default)
    lines = [
        f"#{number} turn {s.turn}, {s.phase}, {decision.side} [{decision.kind}] {decision.prompt} {options}",
        f"  > {action}",
        *(f"  = {reason.rule}: {reason.text}" for reason in reasons),
    ]
    hand = s.view(decision.side).get("hands", {}).get(decision.side)
    if hand and "event" in "".join(game.act.blanks[action.kind]):
        lines.append(
            f"    hand of the player who decides: {', '.join(card['title'] for card in hand['cards']) or 'empty'}"
        )
    first = next((s.at[unit] for unit in units if 0 <= s.at[unit] < game.board.hexes), -1)
    lines += [f"    {_unit(s, unit)}" for unit in units]
    lines += [f"    {_node(s, node, first)}" for node in nodes]
    return "\n".join(lines)


def _values(game: Any, action: Action, base: str) -> Iterator[int]:
    for blank, value in zip(game.act.blanks[action.kind], action.args, strict=True):
        if blank in (base, f"{base}s") or (base == "hex" and blank == "path"):
            yield from value if isinstance(value, tuple) else (value,)


def _unit(s: State, unit: int) -> str:
    game: Any = s.game
    side = game.sides[game.side_of[unit]]
    if s.at[unit] < 0:
        return f"{game.unit_names[unit]} ({side}): not on the board"
    view = game.views.unit(s, unit, game.side_of[unit])
    shown = ", ".join(
        f"{key} {view[key]}" for key in ("symbol", "values", "face", "markers", "detail") if view.get(key)
    )
    return f"{game.unit_names[unit]} ({side}) at {game.board.labels[s.at[unit]]}: {shown}"


def _node(s: State, node: int, first: int) -> str:
    game: Any = s.game
    board = game.board
    parts = [f"{board.labels[node]}: {board.terrain[node]}"]
    if board.place_at(node) is not None:
        parts.append(board.place_at(node).name)
    tags = [kind for kind in board._tags if node in board.tagged(kind)]
    if tags:
        parts.append("tags " + " ".join(tags))
    parts.append("holds " + (", ".join(game.unit_names[unit] for unit in s.stack(node)) or "nobody"))
    zones = [f"{game.sides[side]} {s.zone[side][node]}" for side in (0, 1) if s.zone[side][node]]
    if zones:
        parts.append("zones " + ", ".join(zones))
    if first not in (-1, node):
        parts.append(f"{board.distance(first, node)} from {board.labels[first]}")
        between = [line.kind for line in (*board.side_lines, *board.link_lines) if (first, node) in line.pairs]
        if between:
            parts.append("between them " + ", ".join(between))
    return "; ".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("slug", choices=counterblow.games())
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, default=300)
    arguments = parser.parse_args()
    for number, refusal in enumerate(refusals(counterblow.load(arguments.slug), arguments.seed), 1):
        print(told(number, refusal))
        if number == arguments.count:
            break


if __name__ == "__main__":
    main()
