"""How the counters of each game are read straight from its state: what ``view`` would show, as arrays.

A game without a reader here is observed through its view: slower, and the same.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from counterblow.games.noretreat.cards import hand_count
from counterblow.games.noretreat.components import DISORGANIZED, UNSUPPLIED
from counterblow.games.noretreat.special import steps_left
from counterblow.kernel.game import Game
from counterblow.kernel.masks import bits

Array = np.ndarray[Any, Any]


class Fields(NamedTuple):
    """What the counters and markers of a state show."""

    steps: Array  # by unit
    markers: Array  # by unit, as bits
    places: Array  # whose control counts
    owners: Any  # and the side that controls each of them
    hand: list[int] = []  # the cards that the side holds


def one_by_one(s: Any, side: int) -> Array:
    """Which units a side may know."""
    return np.array([node >= 0 and s.sees(side, unit) for unit, node in enumerate(s.at)])


class Reader(NamedTuple):
    """How one game is read."""

    markers: tuple[str, ...] = ()  # the words that its counters show
    fields: Callable[[Any, int], Fields] | None = None
    cards: Callable[[Any], int] = lambda game: 0
    fogged: Callable[[Any], bool] = lambda state: bool(state.options.get("fog"))
    seen: Callable[[Any, int], Array] = one_by_one
    hidden_below: Callable[[Any], int] = lambda game: game.board.size  # hidden counters beyond this node are not shown
    hands: Callable[[Any, int], tuple[int, int]] = lambda state, side: (0, 0)


def flags(mask: int, size: int) -> Array:
    """A set, kept as the bits of a whole number, as zeros and ones."""
    data = np.frombuffer(mask.to_bytes((size + 7) // 8, "little"), np.uint8)
    return np.unpackbits(data, count=size, bitorder="little")


# ---------------------------------------------------------------------- Leningrad 1941

BITS = np.array([1, 2, 4, 8, 16], np.int16)


@lru_cache(maxsize=8)
def _leningrad(game: Any) -> tuple[Array, Array]:
    return np.array(game.places), np.ones(len(game.unit_names), np.int16)


def leningrad(s: Any, side: int) -> Fields:
    places, steps = _leningrad(s.game)
    size = (len(steps) + 7) // 8
    sets = (s.disrupted, s.entrenched, s.moved, s.attacked, s.airlifted)
    data = np.frombuffer(b"".join([units.to_bytes(size, "little") for units in sets]), np.uint8)
    table = np.unpackbits(data.reshape(len(sets), size), axis=1, count=len(steps), bitorder="little")
    return Fields(steps, BITS @ table, places, np.frombuffer(s.control, np.uint8)[places])


# ---------------------------------------------------------------------- Across the Narva

SUPPLY_AND_PIN = np.array([0, 1, 2, 0, 4, 5, 6], np.int16)  # by supply + 4 if pinned


@lru_cache(maxsize=8)
def _narva(game: Any) -> tuple[Array, Array, list[int]]:
    """Which units have steps (an HQ shows none), and the victory hexes with their bits."""
    victory = [(node, bit) for node, bit in enumerate(game.victory_bits) if bit]
    fighting = np.array([not unit.is_hq for unit in game.units], np.int16)
    return fighting, np.array([node for node, _ in victory]), [bit for _, bit in victory]


def narva(s: Any, side: int) -> Fields:
    fighting, places, victory = _narva(s.game)
    red = s.red
    markers = SUPPLY_AND_PIN[np.frombuffer(s.supply, np.uint8) + 4 * np.frombuffer(s.pin, np.uint8)]
    owners = [1 if red & bit else 0 for bit in victory]
    return Fields(np.frombuffer(s.step, np.uint8) * fighting, markers, places, owners)


# ---------------------------------------------------------------------- Narvik 1940


@lru_cache(maxsize=8)
def _narvik(game: Any) -> tuple[Array, Array, list[int]]:
    places = (*game.ground.objectives, *game.ground.ferries)
    return np.zeros(len(game.unit_names), np.int16), np.array(places), [1 << node for node in places]


def narvik(s: Any, side: int) -> Fields:
    nothing, places, single = _narvik(s.game)
    control = s.control
    return Fields(nothing, nothing, places, [0 if control & bit else 1 for bit in single])


def narvik_seen(s: Any, side: int) -> Array:
    """21.0: enemies on the map that were shown, or that the side's recon has revealed."""
    at = np.array(s.at, np.int16)
    known: Array = flags(s.shown | s.seen[side], len(at)).astype(bool)
    known[at >= s.game.ground.hexes] = False
    return known


# ---------------------------------------------------------------------- No Retreat!

MARKS = np.array([bool(mark & UNSUPPLIED) + 2 * bool(mark & DISORGANIZED) for mark in range(256)], np.int16)


@lru_cache(maxsize=8)
def _noretreat(game: Any) -> tuple[Array, list[list[Array]]]:
    """The cities and oil fields; the steps of each unit by (two steps for the Soviets yet, face)."""
    units = range(len(game.unit_names))
    state = game.start(seed=0)
    table = []
    for state.turn in (0, game.two_steps_turn):
        row = []
        for face in (0, 1):
            state.face[:] = bytes([face]) * len(units)
            row.append(np.array([steps_left(state, unit) for unit in units], np.int16))
        table.append(row)
    return np.array(game.charts.site_node), table


def noretreat(s: Any, side: int) -> Fields:
    places, table = _noretreat(s.game)
    markers = MARKS[np.frombuffer(s.marks, np.uint8)]
    for bit, unit in ((4, s.reserve), (8, s.local[0]), (8, s.local[1]), (16, s.partisan[1])):
        if unit >= 0:
            markers[unit] |= bit
    steps: Array = np.choose(np.frombuffer(s.face, np.uint8), table[s.turn >= s.game.two_steps_turn])
    return Fields(steps, markers, places, flags(s.sites, len(places)), list(bits(s.hands[side])))


# ---------------------------------------------------------------------- all of them

READERS: dict[str, Reader] = {
    "leningrad": Reader(
        ("disrupted", "entrenched", "moved", "attacked", "air supply"), leningrad, fogged=lambda state: False
    ),
    "narva": Reader(("out of supply", "isolated", "pinned"), narva),
    "narvik": Reader((), narvik, seen=narvik_seen, hidden_below=lambda game: int(game.ground.hexes)),
    "noretreat": Reader(
        ("unsupplied", "disorganized", "strategic reserve", "local support", "partisans"),
        noretreat,
        cards=lambda game: max(game.cards) + 1,
        fogged=lambda state: False,
        hands=lambda state, side: (hand_count(state, side), hand_count(state, 1 - side)),
    ),
}


def of(game: Game) -> Reader:
    return READERS.get(game.slug, ANY)


ANY = Reader()
