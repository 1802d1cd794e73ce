"""What the referee says: every kind of log entry of the recorded games, every kind of refusal met in random ones.

``said.txt`` holds what was read against the rulebook; ``python -m tests.rules.leningrad.said`` writes it anew after a
change, and the difference is what has to be judged.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import counterblow
from counterblow import Action
from counterblow.kernel.record import read_record, replay
from tests.rules.leningrad.play import Game, State

FILE = Path(__file__).with_name("said.txt")
RECORDS = Path(__file__).parents[2] / "records" / "leningrad"
SWITCHES = {"symmetric_obligation": True, "panzer_corps_zoc": True, "leningrad_silent": True}
KEEN = ("attack", "with", "commit", "fight", "bomb with", "advance", "sail", "also")


def positions(game: Game, seed: int, games: int = 1) -> Iterator[tuple[State, random.Random]]:
    """Positions of random games, each kind of decision about as often as any other."""
    for number in range(1000 * seed, 1000 * seed + games):
        chooser = random.Random(number)
        s = game.start(seed=number, options=SWITCHES if number % 4 == 3 else {})
        assert isinstance(s, State)
        seen: dict[str, int] = {}
        while not s.over:
            assert s.decision is not None
            kind = s.decision.kind
            seen[kind] = seen.get(kind, 0) + 1
            if chooser.random() < 3 / seen[kind]:
                yield s, chooser
            keen = [action for action in s.legal() if action.kind in KEEN]
            s.do(chooser.choice(keen if keen and chooser.random() < 0.3 else s.legal()))


def drawn(s: State, chooser: random.Random) -> Action:
    """An action of any kind, every second time one of those at hand, about units and hexes where something goes on."""
    game, decision = s.game, s.decision
    assert decision is not None
    at_hand = sorted({action.kind for action in s.legal()})
    any_kind = [*game.sentences, "back", "without", "everybody"]
    kind = chooser.choice(at_hand if chooser.random() < 0.5 else any_kind)
    units = list(range(len(game.unit_names)))
    offered = [action.args[0] for action in s.legal() if game.act.blanks[action.kind][:1] == ("unit",)]
    about = [*decision.about, *decision.chosen] or [*offered, *s.attackers] or units
    at = [s.at[unit] for unit in (about if chooser.random() < 0.5 else units) if s.in_play(unit)] or [0]
    stacks, entries = sorted(s.here), [*game.leningrad, *game.delayed_entry, *game.supply_edges[1]]
    apt = {"attack": stacks, "also": stacks, "bomb": stacks, "enter": entries, "to": list(game.rail_nodes)}

    def value(blank: str) -> Any:
        if blank.startswith("unit"):
            return chooser.choice(about if chooser.random() < 0.4 else units)
        if blank == "hex":
            if kind in apt and chooser.random() < 0.4:
                return chooser.choice(apt[kind])
            near = game.board.within(chooser.choice(at), chooser.choice((1, 2, 4)))
            return chooser.choice(list(near) if chooser.random() < 0.9 else range(game.board.hexes))
        return chooser.randrange(5)

    action: Action = game.act[kind].made(tuple(value(blank) for blank in game.act.blanks[kind]))
    return action


def refusals(game: Game, games: int) -> list[str]:
    """Decision, kind of action, rule and words, with names and numbers left out."""
    names = re.compile("|".join(map(re.escape, sorted(game.unit_names, key=len, reverse=True))))
    found = set()
    for s, chooser in positions(game, 1, games):
        assert s.decision is not None
        for _ in range(12):
            action = drawn(s, chooser)
            for reason in s.why_not(action):
                words, _, now = reason.text.partition("; now: ")
                words = re.sub(r"([A-Z][a-z]+ )*\(?\b\d{4}\b\)?", "HEX", names.sub("UNIT", words))
                when = "at another time" if now else s.decision.kind
                found.add(f"{when}: {action.kind}: {reason.rule} {re.sub(r'[0-9]+', 'N', words)}")
    return sorted(found)


def entries(game: Game) -> list[str]:
    """Kind, sentence and rules of the log entries of all recorded games."""
    found: dict[str, set[str]] = {}
    for path in sorted(RECORDS.glob("*.json")):
        for events in replay(game, read_record(path)).events:
            for event in events:
                sentence = re.sub(r"\d+", "N", event.sentence)
                found.setdefault(f"{event.kind}: {sentence}", set()).update(event.rules or ("no rule",))
    return [f"{said} ({', '.join(sorted(rules))})" for said, rules in sorted(found.items())]


def main() -> None:
    game = counterblow.load("leningrad")
    assert isinstance(game, Game)
    said = ["# the log", *entries(game), "# refusals", *refusals(game, games=100)]
    FILE.write_text("\n".join(said) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
