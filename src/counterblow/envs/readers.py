"""How the counters of each game are read straight from its state: what ``view`` would show, as arrays.

A game without a reader here is observed through its view: slower, and the same.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from counterblow.games.noretreat.cards import hand_count
from counterblow.games.noretreat.components import DISORGANIZED, UNSUPPLIED
from counterblow.games.noretreat.special import steps_left
from counterblow.kernel.game import Game

Array = np.ndarray[Any, Any]


def one_by_one(s: Any, side: int) -> bytes:
    """Which enemies a side does not know, a byte for each unit."""
    return bytes([owner != side and not (node >= 0 and s.sees(side, unit))
                  for unit, (node, owner) in enumerate(zip(s.at, s.game.side_of, strict=True))])  # fmt: skip


def as_told(game: Any, side: int, unknown: bytes, place: Array) -> Array:
    return np.frombuffer(unknown, bool)


class Reader(NamedTuple):
    """How one game is read.

    Most actions change neither what the counters show nor who controls what. So each is read in two steps: what it
    depends on (``counters``, ``control``, ``known``), which is quick, and what that looks like as arrays (``columns``,
    ``owners``, ``unseen``), which is remembered.
    """

    markers: tuple[str, ...] = ()  # the words that its counters show
    counters: Callable[[Any], Hashable] | None = None
    columns: Callable[[Any, Any], tuple[Any, Any]] = lambda game, key: (0, 0)  # steps, and markers as bits, by unit
    control: Callable[[Any], Hashable] = lambda state: None
    owners: Callable[[Any, Any], tuple[Any, Any]] = lambda game, key: ([], [])  # places, and the side that has each
    hand: Callable[[Any, int], int] = lambda state, side: 0  # the cards that the side holds, as bits
    cards: Callable[[Any], int] = lambda game: 0
    fogged: Callable[[Any], bool] = lambda state: bool(state.options.get("fog"))
    known: Callable[[Any, int], Hashable] = one_by_one  # what the side knows of the enemies in fog, ...
    unseen: Callable[[Any, int, Any, Array], Array] = as_told  # ... and, by their places, those that it does not know
    hidden_below: Callable[[Any], int] = lambda game: game.board.size  # hidden counters beyond this node are not shown
    hands: Callable[[Any, int], tuple[int, int]] = lambda state, side: (0, 0)


def flags(mask: int, size: int) -> Array:
    """A set, kept as the bits of a whole number, as zeros and ones."""
    data = np.frombuffer(mask.to_bytes((size + 7) // 8, "little"), np.uint8)
    return np.unpackbits(data, count=size, bitorder="little")


# ---------------------------------------------------------------------- Leningrad 1941

BITS = np.array([1, 2, 4, 8, 16], np.int16)


def leningrad_counters(s: Any) -> tuple[int, ...]:
    return (s.disrupted, s.entrenched, s.moved, s.attacked, s.airlifted)


def leningrad_columns(game: Any, sets: tuple[int, ...]) -> tuple[int, Array]:
    count = len(game.unit_names)
    size = (count + 7) // 8
    data = np.frombuffer(b"".join([units.to_bytes(size, "little") for units in sets]), np.uint8)
    table = np.unpackbits(data.reshape(len(sets), size), axis=1, count=count, bitorder="little")
    return 1, BITS @ table


def leningrad_owners(game: Any, control: bytes) -> tuple[Any, Array]:
    places = list(game.places)
    return places, np.frombuffer(control, np.uint8)[places]


# ---------------------------------------------------------------------- Across the Narva

SUPPLY_AND_PIN = np.array([0, 1, 2, 0, 4, 5, 6], np.int16)  # by supply + 4 if pinned


@lru_cache(maxsize=8)
def _fighting(game: Any) -> Array:
    """Which units have steps: an HQ shows none."""
    return np.array([not unit.headquarters for unit in game.units], np.int16)


def narva_counters(s: Any) -> tuple[bytes, ...]:
    return (bytes(s.step), bytes(s.supply), bytes(s.pin))


def narva_columns(game: Any, key: tuple[bytes, ...]) -> tuple[Array, Array]:
    step, supply, pin = (np.frombuffer(each, np.uint8) for each in key)
    return step * _fighting(game), SUPPLY_AND_PIN[supply + 4 * pin]


def narva_owners(game: Any, red: int) -> tuple[list[int], list[int]]:
    victory = [(node, bit) for node, bit in enumerate(game.victory_bits) if bit]
    return [node for node, _ in victory], [1 if red & bit else 0 for _, bit in victory]


# ---------------------------------------------------------------------- Narvik 1940


def narvik_owners(game: Any, control: int) -> tuple[Any, list[int]]:
    places = [*game.ground.objectives, *game.ground.ferries]
    return places, [0 if control >> node & 1 else 1 for node in places]


def narvik_unseen(game: Any, side: int, known: int, place: Array) -> Array:
    """21.0: enemies off the map, and those on it that neither were shown nor has the side's recon revealed."""
    enemies = np.frombuffer(game.side_of, np.uint8) != side
    unseen: Array = enemies & ((place >= game.ground.hexes) | ~flags(known, len(enemies)).view(bool))
    return unseen


# ---------------------------------------------------------------------- No Retreat!

MARKS = np.array([bool(mark & UNSUPPLIED) + 2 * bool(mark & DISORGANIZED) for mark in range(256)], np.int16)


@lru_cache(maxsize=8)
def _noretreat(game: Any) -> list[list[Array]]:
    """The steps of each unit by (two steps for the Soviets yet, face)."""
    units = range(len(game.unit_names))
    state = game.start(seed=0)
    table = []
    for state.turn in (0, game.two_steps_turn):
        row = []
        for face in (0, 1):
            state.face[:] = bytes([face]) * len(units)
            row.append(np.array([steps_left(state, unit) for unit in units], np.int16))
        table.append(row)
    return table


def noretreat_counters(s: Any) -> tuple[Any, ...]:
    marked = ((4, s.reserve), (8, s.local[0]), (8, s.local[1]), (16, s.partisan[1]))
    return (bytes(s.face), bytes(s.marks), s.turn >= s.game.two_steps_turn, marked)


def noretreat_columns(game: Any, key: tuple[Any, ...]) -> tuple[Array, Array]:
    face, marks, late, marked = key
    markers = MARKS[np.frombuffer(marks, np.uint8)]
    for bit, unit in marked:
        if unit >= 0:
            markers[unit] |= bit
    return np.choose(np.frombuffer(face, np.uint8), _noretreat(game)[late]), markers


def noretreat_owners(game: Any, sites: int) -> tuple[Any, Array]:
    places = list(game.charts.site_node)
    return places, flags(sites, len(places))


# ---------------------------------------------------------------------- all of them

READERS: dict[str, Reader] = {
    "leningrad": Reader(
        ("disrupted", "entrenched", "moved", "attacked", "air supply"),
        leningrad_counters,
        leningrad_columns,
        lambda state: bytes(state.control),
        leningrad_owners,
        fogged=lambda state: False,
    ),
    "narva": Reader(
        ("out of supply", "isolated", "pinned"), narva_counters, narva_columns, lambda state: state.red, narva_owners
    ),
    "narvik": Reader(
        counters=lambda state: None,
        control=lambda state: state.control,
        owners=narvik_owners,
        known=lambda state, side: state.shown | state.seen[side],
        unseen=narvik_unseen,
        hidden_below=lambda game: int(game.ground.hexes),
    ),
    "noretreat": Reader(
        ("unsupplied", "disorganized", "strategic reserve", "local support", "partisans"),
        noretreat_counters,
        noretreat_columns,
        lambda state: state.sites,
        noretreat_owners,
        hand=lambda state, side: int(state.hands[side]),
        cards=lambda game: max(game.cards) + 1,
        fogged=lambda state: False,
        hands=lambda state, side: (hand_count(state, side), hand_count(state, 1 - side)),
    ),
}


def of(game: Game) -> Reader:
    return READERS.get(game.slug, ANY)


ANY = Reader()
