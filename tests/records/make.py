"""Renew the recorded games: ``python -m tests.records.make SLUG --why "what changed"``.

Random games, a dozen for each game, spread over its scenarios. When a rule changes, the records that no longer replay
show what it changed; then the game's rules version is raised and they are renewed on purpose. A record that still plays
as it did is only stamped with the new version; one that does not is played anew and says why.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path
from typing import Any

import counterblow
from counterblow import CounterblowError, Game, Match
from counterblow.kernel.record import read_record, replay

FOLDER = Path(__file__).parent
GAMES_EACH = 12
LONGEST = 1500  # actions: enough to reach every phase several times, and quick to replay


def play(game: Game, number: int) -> Match:
    scenario = game.scenarios[number % len(game.scenarios)].name
    match = Match(game, scenario, 1000 + number)
    chooser = random.Random(number)
    while not match.state.over and len(match.actions) < LONGEST:
        match.do(chooser.choice(match.state.legal()))
    return match


def renewed(game: Game, number: int, path: Path, why: str) -> dict[str, Any]:
    """The record as it stands, if it still replays, else a new one that says why."""
    if path.exists():
        old = read_record(path)
        try:
            return replay(game, old).to_record() | {key: old[key] for key in ("note",) if key in old}
        except CounterblowError as error:
            print(f"{path.relative_to(FOLDER)}: {error}")
    return play(game, number).to_record() | {"note": f"rules version {game.version}: {why}"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("slugs", nargs="+", choices=counterblow.games())
    parser.add_argument("--why", required=True, help="what changed, for the records that are played anew")
    arguments = parser.parse_args()
    for slug in arguments.slugs:
        (FOLDER / slug).mkdir(exist_ok=True)
        for number in range(GAMES_EACH):
            path = FOLDER / slug / f"{number + 1:02d}.json"
            record = renewed(counterblow.load(slug), number, path, arguments.why)
            path.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
            print(path.relative_to(FOLDER), len(record["actions"]), "actions")


if __name__ == "__main__":
    main()
