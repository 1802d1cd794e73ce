"""Chapter 2: the counters, cards, charts and calendar, read from the data files once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from counterblow.kernel.data import DataFolder, need, read, word

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
    white: bool = False
    paren: bool = False


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
    provenance: str
    red_name: str = ""
    optional_rule: str = ""
    returns: int = 0  # turns until it comes back by the Turn Track, 0 if it does not
    removed_turn: int = 0
    removed_rule: str = ""
    removed_for_good: bool = False
    arrives_at: str = ""
    arrives_rule: str = ""  # of a unit that waits for a trigger (13.5)
    arrives_near: dict[str, Any] = field(default_factory=dict, hash=False)  # place and range, where it appears near one
    arrives_face: str = ""
    shock: bool = False
    ss: bool = False
    volkssturm: bool = False

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
    timing: str
    trigger: str
    op: str
    text: str
    provenance: str
    data: dict[str, Any] = field(hash=False, compare=False)
    symbol: str = "none"  # cross, star, weather or none

    @property
    def index(self) -> int:
        return 2 * self.number + self.side

    def get(self, key: str, default: Any = 0) -> Any:
        return self.data.get(key, default)


@dataclass(frozen=True)
class Card:
    number: int
    halves: tuple[Half, ...]
    year45: str = "none"  # bar, green or none
    joker: bool = False
    weather: bool = False


@dataclass(frozen=True)
class Turn:
    """A box of the Turn Track (13.0)."""

    number: int
    dates: str
    weather: int
    blitz: int
    shock: int
    sudden_death: tuple[int | None, ...] = (None, None)
    variable: bool = False
    red_event: str = ""
    notes: str = ""


def read_counters(data: DataFolder) -> tuple[Counter, ...]:
    """units.toml."""
    where = data.where("units.toml")
    return tuple(_counter(entry, where) for entry in data.toml("units.toml")["unit"])


def _counter(entry: dict[str, Any], where: str) -> Counter:
    where = f"{where}: unit {entry.get('name', '?')}"
    faces = [need(entry, "front", dict, where), *([entry["back"]] if "back" in entry else [])]
    return read(
        Counter,
        {"steps_from_17": entry.get("steps"), **entry},
        where,
        side=word(entry, "side", SIDES, where),
        faces=tuple(read(Face, face, where) for face in faces),
    )


def read_cards(data: DataFolder) -> dict[int, Card]:
    """cards.toml, by number."""
    cards = {}
    for entry in data.toml("cards.toml")["card"]:
        where = f"{data.where('cards.toml')}: card {entry.get('number', '?')}"
        halves = tuple(_half(entry, side, where) for side in (AXIS, SOVIET))
        cards[halves[0].number] = read(Card, entry, where, halves=halves)
    return cards


def _half(card: dict[str, Any], side: int, where: str) -> Half:
    entry = need(card, SIDES[side], dict, where)
    return read(Half, entry, where, number=need(card, "number", int, where), side=side, data=entry)


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
    turns = [Turn(0, "", CLEAR, 0, 0)]
    for entry in data.toml("turns.toml")["turn"]:
        where = f"{data.where('turns.toml')}: turn {entry.get('number', '?')}"
        limits = tuple(entry.get(f"sudden_death_{side}") for side in SIDES)
        weather = word(entry, "weather", WEATHER_NAMES, where)
        turns.append(read(Turn, entry, where, weather=weather, sudden_death=limits))
    return tuple(turns)
