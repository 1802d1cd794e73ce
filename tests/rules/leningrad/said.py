"""What the referee says: every kind of log entry of the recorded games, every kind of refusal met in random ones.

``said.txt`` holds what was read against the rulebook; after a change ``python -m tests.rules.leningrad.said`` brings it
up to date, and the difference is what has to be judged. A refusal that can no longer be met is taken out by hand.
"""

from __future__ import annotations

import random
import re
from itertools import islice
from pathlib import Path

import counterblow
from counterblow.kernel.record import read_record, replay
from tests.refusals import drawn, positions
from tests.rules.leningrad.play import Game

FILE = Path(__file__).with_name("said.txt")
RECORDS = Path(__file__).parents[2] / "records" / "leningrad"


def refusals(game: Game, games: int) -> list[str]:
    """Decision, kind of action, rule and words, with names and numbers left out."""
    names = re.compile("|".join(map(re.escape, sorted(game.unit_names, key=len, reverse=True))))
    found = set()
    for seed in range(games):
        chooser = random.Random(seed)
        for s in islice(positions(game, chooser), 150):  # of one game or two
            assert s.decision is not None
            for action in [drawn(s, chooser) for _ in range(12)]:
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
    """Write the log anew; add refusals that were not read yet, and print them."""
    game = counterblow.load("leningrad")
    assert isinstance(game, Game)
    judged = FILE.read_text(encoding="utf-8").partition("# refusals\n")[2].splitlines()
    new = sorted(set(refusals(game, games=40)) - set(judged))
    print("\n".join(new))
    said = ["# the log", *entries(game), "# refusals", *sorted([*judged, *new])]
    FILE.write_text("\n".join(said) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
