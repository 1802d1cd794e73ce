"""How fast it is: random play, copies, legal lists and hot paths, with python-chess in the same run as yardstick.

All times are processor time, and games and chess take turns, so that other work on the machine disturbs the figures as
little as possible.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import counterblow
from counterblow.kernel import chance, graph
from counterblow.kernel.build import PLAIN, how_built
from counterblow.kernel.game import Game
from counterblow.kernel.state import State
from counterblow.lab.simulate import play_random

SLICES = 6  # of a game's time: chess is played between them
WARM_UP = 40  # games played first: they fill the tables of actions, which later games of a process share


def measure(slugs: tuple[str, ...], seconds: float = 3.0) -> dict[str, Any]:
    """All figures of this process."""
    figures = {slug: measure_game(counterblow.load(slug), seconds) for slug in slugs}
    chess = [figure.pop("chess_moves_per_second") for figure in figures.values()]
    yardstick = sum(chess) / len(chess) if all(chess) else None
    return {"built": how_built(), "chess_moves_per_second": yardstick, "games": figures}


def measure_all(slugs: tuple[str, ...], seconds: float, compiled: Path) -> list[dict[str, Any]]:
    """The same in every way in which the program is built here, each in a process of its own."""
    runs = [_measure_with(slugs, seconds, PYTHONPATH=str(compiled))] if compiled.exists() else []
    runs.append(measure(slugs, seconds))
    if runs[-1]["built"] != PLAIN:
        runs.append(_measure_with(slugs, seconds, COUNTERBLOW_PLAIN="1"))
    return runs


def _measure_with(slugs: tuple[str, ...], seconds: float, **variables: str) -> dict[str, Any]:
    code = "import json; from counterblow.lab.bench import measure; "
    code += f"print(json.dumps(measure({slugs!r}, {seconds!r})))"
    environment = {**os.environ, **variables}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(run.stdout)
    return found


def chess_rate(seconds: float) -> float | None:
    """Random moves per second of python-chess; None where it is not installed."""
    try:
        import chess
    except ImportError:
        return None
    generator, moves, start = chance.seeded(1), 0, time.process_time()
    while time.process_time() - start < seconds:
        board = chess.Board()
        while not board.is_game_over() and board.ply() < 400:
            legal = list(board.legal_moves)
            generator, index = chance.below(generator, len(legal))
            board.push(legal[index])
            moves += 1
    return moves / (time.process_time() - start)


def measure_game(game: Game, seconds: float) -> dict[str, Any]:
    """Random games of one game for so many seconds: actions, games, and the time of their parts."""
    for seed in range(WARM_UP):
        play_random(game, -seed)
    actions, games, spent, chess = 0, 0, 0.0, []
    for _ in range(SLICES):
        chess.append(chess_rate(seconds / SLICES / 2))
        start = time.process_time()
        while time.process_time() - start < seconds / SLICES:
            games += 1
            actions += play_random(game, games)[1]
        spent += time.process_time() - start
    yardstick = sum(rate for rate in chess if rate) / SLICES if all(chess) else None
    states = sample(game)

    def copy_each() -> None:
        for state in states:
            state.copy()

    return {
        "actions_per_second": actions / spent,
        "chess_moves_per_second": yardstick,
        "times_chess": actions / spent / yardstick if yardstick else None,
        "games_per_second": games / spent,
        "actions_per_game": actions / games,
        "copy_us": microseconds(copy_each) / len(states),
        **legal_percentiles(states),
        **hot_paths(game, states[len(states) // 2]),
    }


def sample(game: Game, count: int = 200) -> list[State]:
    """States spread over one random game."""
    _, actions = play_random(game, 7)
    every = max(1, actions // count)
    state, generator, states = game.start(seed=7), chance.seeded(~7), []
    for number in range(actions):
        if number % every == 0:
            states.append(state.copy())
        legal = state.legal()
        generator, index = chance.below(generator, len(legal))
        state.do(legal[index])
    return states


def legal_percentiles(states: list[State]) -> dict[str, float]:
    """How long ``legal`` takes, in the middle and at its slowest."""
    times = []
    for state in states:
        fresh = state.copy()
        fresh.forget_choices()
        start = time.process_time()
        fresh.legal()
        times.append((time.process_time() - start) * 1e6)
    times.sort()
    return {"legal_p50_us": times[len(times) // 2], "legal_p95_us": times[len(times) * 95 // 100]}


def hot_paths(game: Game, state: State) -> dict[str, float]:
    """Zone, reach and trace on this game's map, from the unit positions of a state."""
    board = game.board
    steps = board.steps(lambda a, b: True)
    costs = graph.Costs(board.costs(lambda a, b: 1), stop=1)
    field = (state.held[1], state.zone[1], state.held[0])
    hexes = [node for node in sorted(state.here) if node < board.hexes] or [0]
    scratch = bytearray(board.size)
    shut = board.graph.shut(*field)

    def zone_there_and_back() -> None:
        board.graph.zone(steps, scratch, hexes[0], 1)
        board.graph.zone(steps, scratch, hexes[0], -1)

    return {
        "zone_us": microseconds(zone_there_and_back) / 2,
        "reach_us": microseconds(lambda: [board.graph.reach(costs, *field, node, 8) for node in hexes]) / len(hexes),
        "trace_us": microseconds(lambda: board.graph.flood(steps, shut, hexes[:3], -1)),
    }


def microseconds(work: Callable[[], object], at_least: float = 0.1) -> float:
    """Time of one call, the best of three rounds."""
    rounds = 1
    while True:
        start = time.process_time()
        for _ in range(rounds):
            work()
        spent = time.process_time() - start
        if spent > at_least:
            break
        rounds *= 4
    best = spent
    for _ in range(2):
        start = time.process_time()
        for _ in range(rounds):
            work()
        best = min(best, time.process_time() - start)
    return best / rounds * 1e6
