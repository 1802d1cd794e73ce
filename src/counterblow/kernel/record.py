"""A match with its history: playing, undoing, saving, replaying.

A record is one JSON file: the game, scenario, options, seed, version of the rules, and the actions as text. Playing the
actions again gives the same state; a fingerprint of the last position proves it, and a trail with a short mark of the
position after every action tells where a replay first goes another way. Where fair dice were thrown the record has,
instead of a seed, what they came from (the secret, the nonces, the numbers of the actions), the faces, and a seal.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import tempfile
import zlib
from array import array
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from counterblow.kernel.actions import Action, IllegalAction, UnreadableAction
from counterblow.kernel.chance import FairDice
from counterblow.kernel.errors import CounterblowError, RecordError
from counterblow.kernel.events import Event
from counterblow.kernel.game import Game
from counterblow.kernel.state import State

FORMAT = "counterblow-record"
FORMAT_VERSION = 1
FAIR_VERSION = 2  # of a record with fair dice


class Match:
    """A game being played: the state now, and every state before it."""

    def __init__(
        self,
        game: Game,
        scenario: str | None = None,
        seed: int = 0,
        options: Mapping[str, Any] | None = None,
        dice: FairDice | None = None,
        state: State | None = None,
    ) -> None:
        """``state`` is a position to begin with instead; such a match can be played and shown, but not be saved."""
        self.game = game
        self.seed = seed
        self.dice = dice
        self.state = state or game.start(scenario, seed if dice is None else dice.generator(0), options)
        self.numbers: list[int] = []  # of the actions, where dice are fair: what was taken back leaves a gap
        self.actions: list[Action] = []
        self.events: list[list[Event]] = []
        self.trail: list[str] = []
        self._before: list[State] = []

    def do(self, action: Action | str, number: int | None = None) -> list[Event]:
        """Carry out an action. With fair dice ``number`` counts all that was ever done: no throw comes twice."""
        if isinstance(action, str):
            action = self.state.parse(action)
        before = self.state.copy()
        if self.dice is not None:
            number = len(self.actions) + 1 if number is None else number
            self.state.rng = self.dice.generator(number)
        rng = self.state.rng
        try:
            events = self.state.do(action)
        except BaseException:
            self.state.rng = before.rng
            raise
        before.rng = rng
        self.numbers.append(number or 0)
        self.actions.append(action)
        self.events.append(events)
        self.trail.append(mark(self.state))
        self._before.append(before)
        return events

    def state_at(self, ply: int) -> State:
        """The state before action number ``ply`` (0 is the start)."""
        return (self._before[ply] if ply < len(self._before) else self.state).copy()

    @property
    def can_undo(self) -> bool:
        """The last action can be taken back if it neither drew on chance nor showed something hidden."""
        if not self._before:
            return False
        before = self._before[-1]
        chance_used = (before.rng, before.dice) != (self.state.rng, self.state.dice)
        return not chance_used and not any(event.kind == "reveal" for event in self.events[-1])

    def undo(self) -> Action:
        """Take back the last action; refused past a die, a draw or a reveal."""
        if not self._before:
            raise CounterblowError("nothing to undo: this is the start")
        if not self.can_undo:
            raise CounterblowError("cannot undo: chance has spoken, or something hidden was shown")
        self.state = self._before.pop()
        self.events.pop()
        self.trail.pop()
        self.numbers.pop()
        return self.actions.pop()

    # saving

    def to_record(self) -> dict[str, Any]:
        """The match as data: what ``save`` writes and ``replay`` reads."""
        record = {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "game": self.game.slug,
            "rules_version": self.game.version,
            "scenario": self.state.scenario,
            "options": self.state.options,
            "actions": [str(action) for action in self.actions],
            "trail": "".join(self.trail),
            "fingerprint": fingerprint(self.state),
        }
        if self.dice is None:
            return {**record, "seed": self.seed}
        dice = [faces(events) for events in self.events]
        return sealed({**record, "dice": dice, "fair": {**self.dice.to_json(), "numbers": self.numbers[:]}})

    def save(self, path: str | Path) -> None:
        """Write the record; an existing file is replaced whole or not at all."""
        target = Path(path)
        text = json.dumps(self.to_record(), indent=1, ensure_ascii=False) + "\n"
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=target.name, suffix=".part")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(name, target)


def essence(state: State) -> bytes:
    """What a position comes down to, however the rules code keeps it: date, chance, places, and who has won."""
    return repr((state.turn, state.rng, state.dice, state.outcome)).encode() + array("h", state.at).tobytes()


def fingerprint(state: State) -> str:
    """A digest of a position, the same on every machine and for every arrangement of the rules code."""
    return hashlib.sha256(essence(state)).hexdigest()[:16]


def faces(events: Sequence[Event]) -> list[int]:
    """The dice thrown for an action."""
    return [face for event in events for face in event.dice]


def sealed(record: dict[str, Any]) -> dict[str, Any]:
    """A record of fair dice with a digest of all the rest of it."""
    text = json.dumps({k: v for k, v in record.items() if k not in ("seal", "format_version")}, sort_keys=True)
    return {**record, "format_version": FAIR_VERSION, "seal": hashlib.sha256(text.encode()).hexdigest()}


MARK = 4  # characters


def mark(state: State) -> str:
    """One step of a trail: too short to prove anything alone, enough to find where two games part."""
    return f"{zlib.crc32(essence(state)) & 0xFFFF:04x}"


def read_record(path: str | Path) -> dict[str, Any]:
    """The record in a file, checked field by field."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise RecordError(f"{path}: not a record: it is not text") from None
    try:
        data = json.loads(text)
    except ValueError as error:
        raise RecordError(f"{path}: not a record, or cut short: broken JSON ({error})") from None
    return check_record(data, str(path))


def check_record(data: Any, where: str = "record") -> dict[str, Any]:
    """The record, if it is one; else an error that names the field."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise RecordError(f'{where}: "format" should be "{FORMAT}": this is no Counterblow record')
    version = data.get("format_version")
    if version not in (FORMAT_VERSION, FAIR_VERSION) or isinstance(version, bool):
        raise RecordError(f'{where}: "format_version" {version!r} is not known here')
    chance: dict[str, type] = {"seed": int} if version == FORMAT_VERSION else {"fair": dict, "dice": list, "seal": str}
    kinds: dict[str, type] = {"game": str, "rules_version": str, "scenario": str, "options": dict, **chance,
                              "actions": list, "fingerprint": str}  # fmt: skip
    for name, kind in kinds.items():
        if name not in data:
            raise RecordError(f'{where}: "{name}" is missing')
        if not isinstance(data[name], kind) or isinstance(data[name], bool):
            raise RecordError(f'{where}: "{name}" has the wrong type: {data[name]!r:.60}')
    for number, text in enumerate(data["actions"], 1):
        if not isinstance(text, str):
            raise RecordError(f'{where}: "actions" number {number} is not text: {text!r:.60}')
    trail = data.get("trail", "")
    if trail and (not isinstance(trail, str) or len(trail) != MARK * len(data["actions"])):
        raise RecordError(f'{where}: "trail" should have {MARK} characters for every action')
    if version == FAIR_VERSION:
        _check_fair(data, where)
    return data


def _check_fair(record: dict[str, Any], where: str) -> None:
    """Does the secret fit what the players were shown, is no throw used twice, was nothing touched?"""
    fair, dice, length = record["fair"], record["dice"], len(record["actions"])
    nonces = fair.get("nonces")
    texts = [fair.get("commitment"), fair.get("secret"), *(nonces if isinstance(nonces, list) else [None])]
    if not all(isinstance(text, str) for text in texts):
        raise RecordError(f'{where}: "fair" should hold the texts "commitment" and "secret", and a list of "nonces"')
    numbers = fair.get("numbers")
    if not isinstance(numbers, list) or len(numbers) != length or any(type(number) is not int for number in numbers):
        raise RecordError(f'{where}: "fair.numbers" should hold a number for each action')
    if any(later <= sooner for sooner, later in itertools.pairwise([0, *numbers])):
        raise RecordError(f'{where}: "fair.numbers" should grow from action to action: a throw must not come twice')
    if len(dice) != length or any(not isinstance(some, list) or any(type(f) is not int for f in some) for some in dice):
        raise RecordError(f'{where}: "dice" should list the faces thrown for each action')
    found = fair_dice(record, where)
    assert found is not None
    if found.commitment != fair["commitment"]:
        raise RecordError(f'{where}: "fair.secret" does not fit "fair.commitment": this is not the promised secret')
    if sealed(record)["seal"] != record["seal"]:
        raise RecordError(f'{where}: "seal" does not fit: the record was changed')


def fair_dice(record: Mapping[str, Any], where: str = "record") -> FairDice | None:
    """The dice of a record; None where they come from a seed."""
    if "fair" not in record:
        return None
    try:
        secret = bytes.fromhex(record["fair"]["secret"])
    except ValueError:
        raise RecordError(f'{where}: "fair.secret" should be hexadecimal') from None
    return FairDice(secret, tuple(record["fair"]["nonces"]))


def fresh(game: Game, record: Mapping[str, Any]) -> Match:
    """The match of a record before its first action."""
    return Match(game, record["scenario"], record.get("seed", 0), record["options"], fair_dice(record))


def replay(game: Game, record: dict[str, Any], verify: bool = True) -> Match:
    """Play a record again. With ``verify`` the end must be the recorded one."""
    match = fresh(game, record)
    for _ in replaying(match, record):
        pass
    if verify:
        check_end(match, record)
    return match


def check_end(match: Match, record: dict[str, Any]) -> None:
    """Did the replayed match end as recorded?"""
    found = fingerprint(match.state)
    if found != record["fingerprint"]:
        raise RecordError(
            f'"fingerprint" differs: the actions lead to {found}, not {record["fingerprint"]} '
            f"(recorded with rules version {record['rules_version']}, this is {match.game.version})"
        )


def replaying(match: Match, record: dict[str, Any]) -> Iterator[list[Event]]:
    """Play a record's actions one by one into a fresh match, yielding what happens."""
    if record["game"] != match.game.slug:
        raise RecordError(f'"game" is {record["game"]!r}, but this is {match.game.slug}')
    trail = record.get("trail", "")
    numbers = record["fair"]["numbers"] if "fair" in record else [0] * len(record["actions"])
    for number, text in enumerate(record["actions"], 1):
        try:
            events = match.do(text, numbers[number - 1])
        except (IllegalAction, UnreadableAction) as error:
            raise RecordError(f'"actions" number {number} cannot be played: {error}') from None
        if trail and trail[MARK * (number - 1) : MARK * number] != match.trail[-1]:
            raise RecordError(
                f'"actions" number {number} ({text}) now leads elsewhere: until then the game was the recorded one '
                f"(recorded with rules version {record['rules_version']}, this is {match.game.version})"
            )
        if "dice" in record and record["dice"][number - 1] != faces(events):
            thrown = record["dice"][number - 1]
            raise RecordError(f'"dice" number {number} differ: {faces(events)} came for "{text}", not {thrown}')
        yield events
