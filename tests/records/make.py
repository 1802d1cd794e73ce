"""Renew the recorded games: ``python -m tests.records.make [SLUG ...]``.

Random games, a dozen for each game, spread over its scenarios. When a rule changes, the records that no longer replay
show what it changed; then they are renewed on purpose, together with the game's rules version.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import counterblow
from counterblow import Game, Match

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


def main(slugs: list[str]) -> None:
    for slug in slugs or counterblow.games():
        game = counterblow.load(slug)
        folder = FOLDER / slug
        folder.mkdir(exist_ok=True)
        for number in range(GAMES_EACH):
            path = folder / f"{number + 1:02d}.json"
            play(game, number).save(path)
            record = json.loads(path.read_text(encoding="utf-8"))
            print(path.relative_to(FOLDER), len(record["actions"]), "actions")


if __name__ == "__main__":
    main(sys.argv[1:])
