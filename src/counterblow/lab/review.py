"""The review of a game: how the chances ran, where it turned, what was luck and what was play.

A *phase* is a side's play in one part of a turn. It is cut into *stretches*: runs of decisions by one side, with the
enemy's short replies; one, mostly, but several where the sides take turns within the part. What the side's play gained
or lost in each is the change of its win probability less the luck of the dice. The reference player then plays the same
stretch from the same position; where it would have done much better over a phase, the game turned. It has several
tries, and the one that gains least counts: one good idea in three is not what the side should have seen.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from math import log
from pathlib import Path
from typing import Any

import counterblow
from counterblow import players
from counterblow.kernel.actions import Action
from counterblow.kernel.errors import CounterblowError
from counterblow.kernel.game import Game
from counterblow.kernel.record import Match, check_end, faces, fresh, replaying
from counterblow.kernel.state import State
from counterblow.lab.figures import figures
from counterblow.lab.luck import Luck, luck, thrower
from counterblow.lab.winning import Curve, curve
from counterblow.players import Cancelled

FORMAT = "counterblow-review"
FORMAT_VERSION = 4
REFERENCE = "officer"
REPLIES = 4  # so many decisions of the enemy in a row are a reply; more are a stretch of its own
POINTS = 5  # turning points that are told
TRIES = 3  # of the reference player, before a phase is called a turning point
LEAST = 0.005  # a phase in which less was lost is no turning point
TELL = 12  # actions of a line that are told
ROUNDING = 1e-9
DRAWS = ("reveal", "draw", "deck", "shuffle")  # entries of the log that tell of one

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Stretch:
    """A run of decisions by one side: actions first to last (counted from 0)."""

    turn: int
    name: str
    side: int
    first: int
    last: int


@dataclass(frozen=True)
class Throw:
    """One action that drew on chance."""

    ply: int
    turn: int
    side: int  # whose dice they are
    action: str
    told: str  # what the log says of it
    draw: bool  # no die was thrown: a chit, a card, a shuffle, which nobody owns
    faces: tuple[int, ...]
    luck: float  # for the first side
    error: float


# ---------------------------------------------------------------------- cutting a game into pieces


def part(state: State) -> str:
    """The part of the turn, without what goes on in it."""
    return state.phase.partition(":")[0]


def stretches(befores: Sequence[State]) -> list[Stretch]:
    """The stretches of a game, from the states before each action."""
    found: list[Stretch] = []
    runs = _runs(befores)
    for turn, name, side, first, last in runs:
        before = found[-1] if found else None
        same = before is not None and (before.turn, before.name) == (turn, name)
        if same and before is not None and (before.side == side or last - first < REPLIES):
            found[-1] = Stretch(turn, name, before.side, before.first, last)
        else:
            found.append(Stretch(turn, name, side, first, last))
    return found


def _runs(befores: Sequence[State]) -> list[tuple[int, str, int, int, int]]:
    """Decisions of one side after another in the same part of a turn."""
    runs: list[tuple[int, str, int, int, int]] = []
    for ply, state in enumerate(befores):
        side = state.decider
        assert side is not None
        key = (state.turn, part(state), side)
        if runs and runs[-1][:3] == key:
            runs[-1] = (*key, runs[-1][3], ply)
        else:
            runs.append((*key, ply, ply))
    return runs


# ---------------------------------------------------------------------- the reference player


@dataclass(frozen=True)
class Line:
    """What the reference player would have done in a stretch."""

    actions: list[str]
    reasons: list[str]
    gained: float  # for the first side, without luck


def reference_line(start: State, stretch: Stretch, player: str, value: Curve, most: int, attempt: int = 0) -> Line:
    """The reference player's way through a stretch, on the dice that fell: doing the same, it fares the same."""
    state = start.copy()
    seats = [players.make(player, 2 * (TRIES * stretch.first + attempt) + side) for side in (0, 1)]
    actions: list[str] = []
    reasons: list[str] = []
    lucky, replies, end = 0.0, 0, value(state)
    for _ in range(most):
        decider = state.decider
        if decider is None or (state.turn, part(state)) != (stretch.turn, stretch.name):
            break
        replies = 0 if decider == stretch.side else replies + 1
        if replies > REPLIES:
            return Line(actions, reasons, end - value(start))  # before the enemy's own stretch
        seat = seats[decider]
        action = seat.choose(state, decider)
        before = state.copy()
        events = state.do(action)
        found = luck(before, action, state, faces(events), value, again=8)
        lucky += found.worth if found else 0.0
        if replies == 0:
            if decider == stretch.side and len(before.legal()) > 1:
                actions.append(str(action))
                reasons.append(seat.reason)
            end = value(state) - lucky
    return Line(actions, reasons, value(state) - lucky - value(start))


# ---------------------------------------------------------------------- the review


def review(
    record: dict[str, Any],
    player: str = REFERENCE,
    progress: Progress = lambda done, size: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> dict[str, Any]:
    """Everything the review says, as JSON-able data. ``Cancelled`` is raised when somebody cancels."""
    game = counterblow.load(record["game"])
    players.make(player)  # an unknown one is said before the work
    value = curve(record["game"])
    match = _replayed(game, record)
    befores = [match.state_at(ply) for ply in range(len(match.actions))]
    if not befores:
        raise CounterblowError("there is nothing to review: no action was played")
    cut = stretches(befores)
    size = len(cut) + 2
    throws = list(_throws(match, befores, value, cancelled))
    progress(1, size)

    def weigh(number: int, attempt: int) -> dict[str, Any]:
        if cancelled():
            raise Cancelled
        return _stretch(match, befores, cut[number], throws, player, value, attempt)

    told = []
    for number in range(len(cut)):
        told.append(weigh(number, 0))
        progress(number + 2, size)
    found, points = turning_points(told, weigh)
    progress(size, size)
    result = match.state.result
    return {
        "format": FORMAT, "format_version": FORMAT_VERSION, "game": game.slug, "title": game.title,
        "rules_version": game.version, "fingerprint": record["fingerprint"], "scenario": match.state.scenario,
        "options": match.state.options, "player": player, "sides": list(game.sides),
        "side_titles": list(game.side_titles), "result": result._asdict() if result else None,
        "decisions": list(_decisions(match, befores, value)), "throws": [asdict(throw) for throw in throws],
        "luck": _luck_by_turn(game, throws), "turns": _turns(match, befores),
        "stretches": told, "phases": found,
        "turning_points": [_turning_point(match, befores, point, told) for point in points],
    }  # fmt: skip


def _replayed(game: Game, record: dict[str, Any]) -> Match:
    match = fresh(game, record)
    for _ in replaying(match, record):
        pass
    check_end(match, record)
    return match


def _throws(match: Match, befores: Sequence[State], value: Curve, cancelled: Callable[[], bool]) -> Iterator[Throw]:
    for ply, before in enumerate(befores):
        if cancelled():
            raise Cancelled
        action, events = match.actions[ply], match.events[ply]
        thrown = tuple(faces(events))
        found: Luck | None = luck(before, action, match.state_at(ply + 1), thrown, value)
        if found is None:
            continue
        if thrown:
            told, side = next(event.text for event in events if event.dice), thrower(before, events)
            yield Throw(ply, before.turn, side, str(action), told, False, thrown, found.dice, found.error)
        if abs(found.draws) > ROUNDING or not thrown:
            told = next((event.text for event in events if event.kind in DRAWS), str(action))
            yield Throw(ply, before.turn, before.mover, str(action), told, True, (), found.draws, found.error)


def _actor(before: State, action: Action) -> int:
    actor = before.actor(action)
    assert actor is not None
    side: int = before.game.side_number(actor)
    return side


def _decisions(match: Match, befores: Sequence[State], value: Curve) -> Iterator[dict[str, Any]]:
    """The chance after every decision that was one, and after the last action."""
    for ply, before in enumerate(befores):
        if len(before.legal()) > 1 or ply + 1 == len(befores):
            found = value.with_interval(match.state_at(ply + 1))
            yield {"ply": ply, "turn": before.turn, "phase": before.phase, "side": _actor(before, match.actions[ply]),
                   "action": str(match.actions[ply]), "chance": found.value, "low": found.low,
                   "high": found.high}  # fmt: skip


def _luck_by_turn(game: Game, throws: Sequence[Throw]) -> dict[str, Any]:
    """By turn: what each side's own dice brought it, and what the draws brought the first side."""
    turns: dict[int, dict[str, float]] = defaultdict(lambda: dict.fromkeys([*game.sides, "draws"], 0.0))
    for throw in throws:
        if throw.draw:
            turns[throw.turn]["draws"] += throw.luck
        else:
            turns[throw.turn][game.sides[throw.side]] += throw.luck if throw.side == 0 else -throw.luck
    total = {name: sum(turn[name] for turn in turns.values()) for name in (*game.sides, "draws")}
    net = sum(throw.luck for throw in throws)
    return {"by_turn": {str(turn): found for turn, found in sorted(turns.items())}, "total": total,
            "net": {game.sides[0]: net, game.sides[1]: -net}}  # fmt: skip


def _turns(match: Match, befores: Sequence[State]) -> list[dict[str, Any]]:
    """Losses, ground and supply: the figures at the beginning of each turn and at the end."""
    found = []
    for ply, state in enumerate([*befores, match.state]):
        last = ply == len(befores)
        if ply == 0 or last or state.turn != befores[ply - 1].turn:
            found.append({"ply": ply, "turn": state.turn, "label": state.game.views.turn_label(state),
                          "figures": {**figures(state), **cut_off(state)}})  # fmt: skip
    return found


def cut_off(state: State) -> dict[str, float]:
    """Units of each side that stand outside its supply lines, where the game has them."""
    game: Game = state.game
    if "supply" not in game.overlays:
        return {}
    found = {}
    for side, name in enumerate(game.sides):
        lines = game.views.overlay(state.copy(), "supply", side, None, side)["hexes"]
        units = [u for u, owner in enumerate(game.side_of) if owner == side and 0 <= state.at[u] < game.board.hexes]
        found[f"{name} cut off"] = float(sum(game.board.labels[state.at[unit]] not in lines for unit in units))
    return found


def _stretch(
    match: Match, befores: Sequence[State], stretch: Stretch, throws: Sequence[Throw], player: str, value: Curve,
    attempt: int,
) -> dict[str, Any]:  # fmt: skip
    """What was gained in a stretch, and what the reference player would have gained in this try."""
    start, end = befores[stretch.first], match.state_at(stretch.last + 1)
    sign = 1 if stretch.side == 0 else -1
    lucky = sum(throw.luck for throw in throws if stretch.first <= throw.ply <= stretch.last)
    gained = value(end) - value(start) - lucky
    choices = sum(1 for state in befores[stretch.first : stretch.last + 1]
                  if state.decider == stretch.side and len(state.legal()) > 1)  # fmt: skip
    line = Line([], [], gained)
    if choices:
        line = reference_line(start, stretch, player, value, 2 * (stretch.last - stretch.first) + 60, attempt)
    return {
        **asdict(stretch), "choices": choices, "before": value(start), "after": value(end), "luck": sign * lucky,
        "gained": sign * gained, "reference": sign * line.gained, "regret": sign * (line.gained - gained),
        "odds": sign * (odds(value(start) + line.gained) - odds(value(start) + gained)),
        "better": line.actions[:TELL], "why": list(dict.fromkeys(filter(None, line.reasons)))[:3],
    }  # fmt: skip


def turning_points(
    told: list[dict[str, Any]], weigh: Callable[[int, int], dict[str, Any]]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """All phases, and those where the game turned, worst first: ``told`` is made over where a further try gained less.

    A further try can only lower what a phase cost. So the worst one is always tried next, and when it has had all its
    tries it is the worst of all; what never comes to the front needs no more than the first try.
    """
    found = phases(told)
    tries, waiting = [1] * len(found), list(range(len(found)))
    points: list[dict[str, Any]] = []
    while waiting and len(points) < POINTS:
        worst = max(waiting, key=lambda number: float(found[number]["odds"]))
        phase = found[worst]
        if phase["regret"] < LEAST:
            waiting.remove(worst)
        elif tries[worst] == TRIES:
            waiting.remove(worst)
            points.append(phase)
        else:
            again = {number: weigh(number, tries[worst]) for number in phase["stretches"]}
            tries[worst] += 1
            if sum(stretch["odds"] for stretch in again.values()) < phase["odds"]:
                for number, stretch in again.items():
                    told[number] = stretch
                found[worst] = _phase(told, phase["stretches"])
    return found, points


def phases(told: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The stretches of each phase together, by number: what was lost in one part of a turn, by one side."""
    numbers: dict[tuple[int, str, int], list[int]] = defaultdict(list)
    for number, stretch in enumerate(told):
        numbers[stretch["turn"], stretch["name"], stretch["side"]].append(number)
    return [_phase(told, listed) for listed in numbers.values()]


def _phase(told: Sequence[dict[str, Any]], listed: list[int]) -> dict[str, Any]:
    """One phase from its stretches."""
    sums = {what: sum(told[n][what] for n in listed)
            for what in ("choices", "luck", "gained", "reference", "regret", "odds")}  # fmt: skip
    worst = max(listed, key=lambda n: float(told[n]["odds"]))
    about = {what: told[worst][what] for what in ("turn", "name", "side")}
    return {**about, "stretches": listed, "worst": worst, **sums}


def odds(share: float) -> float:
    """The logarithm of the odds: a point lost counts more where few are left, or few are missing."""
    inside = max(0.001, min(0.999, share))
    return log(inside / (1 - inside))


def _turning_point(
    match: Match, befores: Sequence[State], phase: dict[str, Any], told: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    """The stretch of a phase that cost most, with the board before it and what was played."""
    worst = told[phase["worst"]]
    first, last = worst["first"], worst["last"]
    start = befores[first]
    played = [str(match.actions[ply]) for ply in range(first, last + 1)
              if befores[ply].decider == phase["side"] and len(befores[ply].legal()) > 1]  # fmt: skip
    labels = start.game.board.labels
    nodes = [node for events in match.events[first : last + 1] for event in events for node in event.nodes]
    lit = [labels[node] for node in dict.fromkeys(nodes)]
    label = f"{start.game.views.turn_label(start)}, {phase_title(start.game, phase['name'], phase['side'])}"
    return {**worst, "regret": phase["regret"], "odds": phase["odds"], "here": worst["regret"],
            "stretches": len(phase["stretches"]), "label": label, "played": played[:TELL],
            "more": max(0, len(played) - TELL), "light": lit, "view": _board(start)}  # fmt: skip


def phase_title(game: Game, name: str, side: int) -> str:
    """A phase in a player's words: "movement" for the side's own "german.movement", else "German movement"."""
    first, _, rest = name.partition(".")
    if rest and first in game.sides:
        name = rest if first == game.sides[side] else f"{game.side_titles[1 - side]} {rest}"
    return name.replace(".", " ").replace("_", " ")


def _board(state: State) -> dict[str, Any]:
    """The counters as both sides' owners see them: a finished game hides nothing."""
    seen: dict[int, dict[str, Any]] = {}
    for name in state.game.sides:
        for unit in state.view(name)["units"]:
            if not unit.get("hidden"):
                seen[unit["id"]] = unit
    return {"units": [seen[unit] for unit in state.units_in_view() if unit in seen]}


# ---------------------------------------------------------------------- kept and reused


def kept_beside(path: Path) -> Path:
    """Where the review of a saved match is kept."""
    return path.with_suffix(".review.json")


def kept(path: Path, record: dict[str, Any], player: str) -> dict[str, Any] | None:
    """A review made before of the very same game, by the same rules and the same player."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    game = counterblow.load(record["game"])
    same = {"format": FORMAT, "format_version": FORMAT_VERSION, "game": game.slug, "rules_version": game.version,
            "fingerprint": record["fingerprint"], "player": player}  # fmt: skip
    if not isinstance(found, dict) or any(found.get(name) != wanted for name, wanted in same.items()):
        return None
    return found


def keep(path: Path, found: dict[str, Any]) -> None:
    """Keep a review: whole, or not at all."""
    part_file = path.with_suffix(".part")
    part_file.write_text(json.dumps(found, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")
    part_file.replace(path)
