"""What players are told in the recorded games: questions, what may be done, outlooks, the log; and why not.

``telling.txt`` of a game has a line for each record, with a mark for every ten actions, and one for refusals drawn at
random from games with other options. Where a mark differs, something is told in other words, or something else
may be done. Look at it: ``python -m tests.records.telling SLUG --text FOLDER`` writes all that is told, once before and
once after the change; if what differs is meant, ``python -m tests.records.telling SLUG`` writes the marks anew.
"""

from __future__ import annotations

import argparse
import json
import random
import zlib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import counterblow
from counterblow import Event, Game
from counterblow.kernel.record import fresh, read_record
from counterblow.kernel.state import State
from tests.refusals import Refusal, drawn, positions, told

FOLDER = Path(__file__).parent
STRETCH = 10  # actions to a mark
SEED, POSITIONS = 7, 100  # of the refusals


def question(s: State, action: str) -> Iterator[str]:
    """What is to be decided, what may be done, and what is to be expected of the action that is done."""
    assert s.decision is not None
    yield f"turn {s.turn}, {s.phase}: {json.dumps(s.decision.to_json())}"
    yield f"  may: {', '.join(sorted(str(legal) for legal in s.legal()))}"
    yield f"> {action}"
    forecast = s.forecast(action)
    if forecast is not None:
        yield f"  outlook: {json.dumps(forecast.to_json())}"


def entry(event: Event) -> str:
    """An entry of the log, as each side reads it and as it is drawn on the map."""
    readers = dict.fromkeys(str(event.seen_by(side)) for side in (0, 1, None))
    return f"  {event.kind}: {' / '.join(readers)} {event.units} {event.nodes} {event.dice}"


def telling(game: Game, record: dict[str, Any]) -> Iterator[str]:
    """Everything that is told about one action after another."""
    match = fresh(game, record)
    for action in record["actions"]:
        asked = [*question(match.state, action)]
        yield "\n".join([*asked, *(entry(event) for event in match.do(action))])


def refusals(game: Game) -> Iterator[str]:
    """What is tried in positions of random games with random options, and why it is refused."""
    chooser = random.Random(SEED)
    for s in islice(positions(game, chooser), POSITIONS):
        for action in [drawn(s, chooser) for _ in range(STRETCH)]:
            yield told(0, Refusal(s, action, s.why_not(action)))


def everything(slug: str) -> Iterator[tuple[str, list[str]]]:
    """All that is told, by the name of its line."""
    game = counterblow.load(slug)
    for path in sorted((FOLDER / slug).glob("*.json")):
        yield path.stem, [*telling(game, read_record(path))]
    yield "refusals", [*refusals(game)]


def marks(texts: list[str]) -> list[str]:
    stretches = ["\n".join(texts[first : first + STRETCH]) for first in range(0, len(texts), STRETCH)]
    return [f"{zlib.crc32(stretch.encode()) & 0xFFFF:04x}" for stretch in stretches]


def known(slug: str) -> dict[str, list[str]]:
    """The marks of each record of a game."""
    lines = (FOLDER / slug / "telling.txt").read_text(encoding="utf-8").splitlines()
    return {name: found for name, *found in map(str.split, lines)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("slugs", nargs="+", choices=counterblow.games())
    parser.add_argument("--text", type=Path, help="write what is told into this folder, and no marks")
    arguments = parser.parse_args()
    for slug in arguments.slugs:
        if arguments.text:
            arguments.text.mkdir(parents=True, exist_ok=True)
            for name, texts in everything(slug):
                (arguments.text / f"{slug}-{name}.txt").write_text("\n".join(texts) + "\n", encoding="utf-8")
        else:
            lines = [" ".join([name, *marks(texts)]) for name, texts in everything(slug)]
            (FOLDER / slug / "telling.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
