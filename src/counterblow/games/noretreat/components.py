"""Chapter 2: the counters, cards, charts and calendar, read from the data files once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from counterblow.kernel.data import DataFolder, need
from counterblow.kernel.errors import DataError, unknown

AXIS, SOVIET = 0, 1
SIDES = ("axis", "soviet")

# marks of a unit
UNSUPPLIED, DISORGANIZED, MOVED, ATTACKED = 1, 2, 4, 8

# where a unit is that is in no hex, area or box
OUT, TRACK, PENDING = 0, 1, 2

# weather
CLEAR, MUD, SNOW, LONG_WINTER = 0, 1, 2, 3
WEATHER_NAMES = ("Clear", "Mud", "Snow", "Long Winter")

BOXES = ("Rail", "Shattered", "Destroyed", "Surrendered", "Cadres")
TRIGGERS = ("GG", "Oil", "Warsaw")


class Face(NamedTuple):
    """One side of a counter."""

    name: str  # full, reduced; brown, red, fort
    type: str  # armor, mech_infantry, infantry, cadre, regional, fort
    strength: int
    move: int
    white: bool
    paren: bool


@dataclass(frozen=True)
class Counter:
    """A unit's counter, both sides (2.3)."""

    name: str
    side: int
    nation: str
    faces: tuple[Face, ...]
    steps: int
    steps_from_17: int
    arrives: int | str
    red_name: str
    optional_rule: str
    returns: int  # turns until it comes back by the Turn Track, 0 if it does not
    removed_turn: int
    removed_for_good: bool
    arrives_at: str
    arrives_rule: str  # of a unit that waits for a trigger (13.5)
    arrives_near: dict[str, Any]  # place and range, where it appears near one
    arrives_face: str
    shock: bool
    ss: bool
    volkssturm: bool
    provenance: str

    @property
    def two_sided(self) -> bool:
        """Strength values on both sides (14.9.2)."""
        return len(self.faces) == 2


@dataclass(frozen=True)
class Half:
    """One side's event on a card (5.3)."""

    number: int
    side: int
    name: str
    symbol: str  # cross, star, weather or none
    timing: str
    trigger: str
    op: str
    text: str
    provenance: str
    data: dict[str, Any] = field(hash=False, compare=False)

    @property
    def index(self) -> int:
        return 2 * self.number + self.side

    def get(self, key: str, default: Any = 0) -> Any:
        return self.data.get(key, default)


@dataclass(frozen=True)
class Card:
    number: int
    year45: str  # bar, green or none
    joker: bool
    weather: bool
    halves: tuple[Half, Half]


@dataclass(frozen=True)
class Turn:
    """A box of the Turn Track (13.0)."""

    number: int
    dates: str
    weather: int
    variable: bool
    blitz: int
    shock: int
    red_event: str
    notes: str
    sudden_death: tuple[int | None, int | None]


def read_counters(data: DataFolder) -> tuple[Counter, ...]:
    """units.toml."""
    where = data.where("units.toml")
    return tuple(_counter(entry, where) for entry in data.toml("units.toml")["unit"])


def _counter(entry: dict[str, Any], where: str) -> Counter:
    where = f"{where}: unit {entry.get('name', '?')}"
    side = need(entry, "side", str, where)
    if side not in SIDES:
        raise DataError(f"{where}: " + unknown("side", side, SIDES))
    faces = [_face(need(entry, "front", dict, where), where)]
    if "back" in entry:
        faces.append(_face(entry["back"], where))
    steps = need(entry, "steps", int, where)
    return Counter(
        name=need(entry, "name", str, where),
        side=SIDES.index(side),
        nation=need(entry, "nation", str, where),
        faces=tuple(faces),
        steps=steps,
        steps_from_17=entry.get("steps_from_17", steps),
        arrives=need(entry, "arrives", (int, str), where),
        red_name=entry.get("red_name", ""),
        optional_rule=entry.get("optional_rule", ""),
        returns=entry.get("return_turns", 0),
        removed_turn=entry.get("removed_turn", 0),
        removed_for_good=entry.get("removed_for_good", False),
        arrives_at=entry.get("arrives_at", entry.get("arrives_fort_at", "")),
        arrives_rule=entry.get("arrives_rule", ""),
        arrives_near=entry.get("arrives_near", {}),
        arrives_face=entry.get("arrives_face", ""),
        shock=entry.get("shock", False),
        ss=entry.get("ss", False),
        volkssturm=entry.get("volkssturm", False),
        provenance=need(entry, "provenance", str, where),
    )


def _face(entry: dict[str, Any], where: str) -> Face:
    return Face(
        need(entry, "face", str, where),
        need(entry, "type", str, where),
        need(entry, "strength", int, where),
        need(entry, "move", int, where),
        entry.get("white", False),
        entry.get("paren", False),
    )


def read_cards(data: DataFolder) -> dict[int, Card]:
    """cards.toml, by number."""
    where = data.where("cards.toml")
    cards = {}
    for entry in data.toml("cards.toml")["card"]:
        number = need(entry, "number", int, where)
        halves = (_half(entry, number, AXIS, where), _half(entry, number, SOVIET, where))
        cards[number] = Card(
            number, entry.get("year45", "none"), entry.get("joker", False), entry.get("weather", False), halves
        )
    return cards


def _half(card: dict[str, Any], number: int, side: int, where: str) -> Half:
    where = f"{where}: card {number}"
    entry = need(card, SIDES[side], dict, where)
    return Half(
        number,
        side,
        need(entry, "name", str, where),
        entry.get("symbol", "none"),
        need(entry, "timing", str, where),
        need(entry, "trigger", str, where),
        need(entry, "op", str, where),
        need(entry, "text", str, where),
        need(entry, "provenance", str, where),
        entry,
    )


def event_names(cards: dict[int, Card]) -> tuple[str, ...]:
    """The name of each event by its index; where two events share a name the card's number tells them apart."""
    names = [""] * (2 * max(cards) + 2)
    seen: dict[str, int] = {}
    for card in cards.values():
        for half in card.halves:
            name = half.name
            if name in seen:
                name = f"{name} (Soviet)" if seen[name] == half.index - 1 else f"{name} (card {half.number})"
            seen[half.name] = half.index
            names[half.index] = name
    return tuple(names)


def read_turns(data: DataFolder) -> tuple[Turn, ...]:
    """turns.toml; entry 0 is a blank so that turns are found by number."""
    where = data.where("turns.toml")
    turns = [Turn(0, "", CLEAR, False, 0, 0, "", "", (None, None))]
    for entry in data.toml("turns.toml")["turn"]:
        weather = need(entry, "weather", str, where)
        if weather not in WEATHER_NAMES:
            raise DataError(f"{where}: turn {entry.get('number')}: " + unknown("weather", weather, WEATHER_NAMES))
        turns.append(
            Turn(
                need(entry, "number", int, where),
                need(entry, "dates", str, where),
                WEATHER_NAMES.index(weather),
                entry.get("variable", False),
                need(entry, "blitz", int, where),
                need(entry, "shock", int, where),
                entry.get("red_event", ""),
                entry.get("notes", ""),
                (entry.get("sudden_death_axis"), entry.get("sudden_death_soviet")),
            )
        )
    return tuple(turns)


def events_of_turn(data: DataFolder) -> dict[str, dict[str, Any]]:
    """The lasting and immediate turn events (13.5), by id."""
    return {entry["id"]: entry for entry in data.toml("turns.toml")["turn_event"]}
