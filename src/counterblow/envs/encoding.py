"""Positions and actions as arrays, the same for all adapters.

What a side observes is defined by ``of_view``: a function of ``state.view(side)`` and of nothing else, so that nothing
hidden can leak. ``of_state`` gives the same arrays without making a view first, many times faster; a test compares
the two in every game, with fog and without.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from gymnasium import spaces

import counterblow
from counterblow.envs import readers
from counterblow.kernel.actions import Action
from counterblow.kernel.errors import CounterblowError
from counterblow.kernel.game import Game
from counterblow.kernel.state import State

Array = np.ndarray[Any, Any]
WIDTH = 2048  # the flat index: the widest list of legal actions met is 1,200, in Narvik 1940
PLANES = ("own", "enemy", "hidden", "control")
UNIT_COLUMNS = ("node", "owner", "steps", "markers", "chosen", "about")
GLOBALS = ("turn", "side", "decides", "kind", "options", "own hand", "enemy hand")
OPTIONS = GLOBALS.index("options")
OPTION_COLUMNS = ("kind", "unit", "last unit", "units", "hex", "last hex", "hexes", "other", "number")
OWN, ENEMY = 1, 2
OWNERS = (np.array([OWN, ENEMY], np.uint8), np.array([ENEMY, OWN], np.uint8))  # by viewer, then by side


class Layout(NamedTuple):
    """What the numbers of a game's arrays mean."""

    nodes: tuple[str, ...]  # labels of the hexes and areas
    units: tuple[str, ...]
    markers: tuple[str, ...]  # bit 0, 1, ... of a unit's markers
    decisions: tuple[str, ...]  # 1, 2, ...: the kinds of decision; 0 is none, or the other side's
    actions: tuple[str, ...]  # kinds of action
    cards: int  # length of the hand; 0 where there are no cards


@lru_cache(maxsize=64)
def layout(game: Game) -> Layout:
    """Stable for a version of the rules: every list is in a fixed order."""
    decisions = tuple(sorted({choice.name for choice in game.flow.choices.values()}))
    reader = readers.of(game)
    kinds = tuple(sorted(game.act.sentences))
    return Layout(tuple(game.board.labels), game.unit_names, reader.markers, decisions, kinds, reader.cards(game))


def layout_of(slug: str) -> Layout:
    """``layout`` by a game's name."""
    return layout(counterblow.load(slug))


# ---------------------------------------------------------------------- spaces


def space(game: Game) -> spaces.Dict:
    """The space of observations."""
    shape = layout(game)
    nodes, units = len(shape.nodes), len(shape.units)
    return spaces.Dict(
        {
            "hexes": spaces.Box(0, 255, (len(PLANES), nodes), np.uint8),
            "units": spaces.Box(-1, 32767, (units, len(UNIT_COLUMNS)), np.int16),
            "globals": spaces.Box(0, 32767, (len(GLOBALS),), np.int16),
            "hand": spaces.Box(0, 1, (max(1, shape.cards),), np.uint8),
        }
    )


def mask_space(width: int) -> spaces.Box:
    """The space of a legal mask."""
    return spaces.Box(0, 1, (width,), np.int8)


class Masks:
    """Legal masks: ones, then zeros. All are windows on one array that nobody can write to."""

    def __init__(self, width: int) -> None:
        self.width = width
        self._band = np.concatenate([np.ones(width, np.int8), np.zeros(width, np.int8)])
        self._band.flags.writeable = False

    def of(self, options: int) -> Array:
        """A mask with so many ones; too many for the width is an error."""
        if options > self.width:
            raise CounterblowError(f"{options} legal actions do not fit into a width of {self.width}: make it wider")
        return self._band[self.width - options : 2 * self.width - options]


# ---------------------------------------------------------------------- observations


def of_view(game: Game, view: dict[str, Any]) -> dict[str, Array]:
    """The observation of the side that a view was made for. This is the definition; ``of_state`` is the fast way."""
    shape, node = layout(game), game.board.node
    me = view["viewer"]
    enemy = game.sides[1 - game.side_number(me)]
    hexes = np.zeros((len(PLANES), len(shape.nodes)), np.uint8)
    units = np.zeros((len(shape.units), len(UNIT_COLUMNS)), np.int16)
    units[:, 0] = -1
    for unit in view["units"]:
        at = node(unit["at"])
        if unit.get("hidden"):
            hexes[2, at] += 1
            continue
        own = unit["side"] == me
        hexes[0 if own else 1, at] += 1
        bits = sum(1 << shape.markers.index(word) for word in unit.get("markers", ()) if word in shape.markers)
        units[unit["id"], :4] = (at, OWN if own else ENEMY, unit.get("steps", 0), bits)
    for label, side in view.get("control", {}).items():
        hexes[3, node(label)] = OWN if side == me else ENEMY
    decision, hands = view["decision"], view.get("hands", {})
    mine = decision is not None and decision["side"] == me
    if mine:
        units[list(decision["chosen"]), 4] = 1
        units[list(decision["about"]), 5] = 1
    hand = np.zeros(max(1, shape.cards), np.uint8)
    for card in hands.get(me, {}).get("cards", ()):
        hand[card["id"]] = 1
    whole = (
        view["turn"], game.side_number(me), 0 if decision is None else OWN if mine else ENEMY,
        1 + shape.decisions.index(decision["kind"]) if mine else 0, len(view["legal"]),
        hands.get(me, {}).get("count", 0), hands.get(enemy, {}).get("count", 0),
    )  # fmt: skip
    return {"hexes": hexes, "units": units, "globals": np.array(whole, np.int16), "hand": hand}


def of_state(state: State, side: int) -> dict[str, Array]:
    """What ``of_view`` makes of ``state.view(side)``, read from the state itself, but only what that side may see."""
    game: Game = state.game
    reader = readers.of(game)
    if reader.counters is None:
        return of_view(game, state.view(game.sides[side]))
    known = reader.known(state, side) if reader.fogged(state) else None
    seen = _seen(game, side, tuple(state.at), reader.counters(state), reader.control(state), known)
    hexes, units = seen[0].copy(), seen[1].copy()
    decides = kind = options = 0
    if state.agenda:
        step = state.agenda[-1]
        choice = game.flow.choices[step[0]]
        decides = ENEMY
        if choice.side(state, *step[1:]) == side:
            decides, kind, options = OWN, 1 + _numbers(game)[choice.name], len(state.legal())
            for column, about in ((4, choice.chosen(state, *step[1:])), (5, choice.about(state, *step[1:]))):
                if about:
                    units[list(about), column] = 1
    whole = (state.turn, side, decides, kind, options, *reader.hands(state, side))
    hand = _hand(game, reader.hand(state, side)).copy()
    return {"hexes": hexes, "units": units, "globals": np.array(whole, np.int16), "hand": hand}


@lru_cache(maxsize=256)
def _seen(game: Game, side: int, at: tuple[int, ...], shown: Any, control: Any, known: Any) -> tuple[Array, Array]:
    """Hexes and units as a side sees them. Remembered: many actions only choose, and move and turn nothing."""
    reader = readers.of(game)
    counting, nodes = _planes(game, side)
    place = np.maximum(np.array(at, np.int16), -1)
    counted = place + counting
    hexes = np.empty((len(PLANES), nodes), np.uint8)
    if known is not None:
        unseen = reader.unseen(game, side, known, place)
        counted[unseen] = place[unseen] + 1 + 2 * (nodes + 1)
        place[unseen] = -1
    hexes[:3] = np.bincount(counted, minlength=3 * (nodes + 1)).reshape(3, nodes + 1)[:, 1:]
    if known is not None:
        hexes[2, reader.hidden_below(game) :] = 0
    hexes[3] = _control(game, side, control)
    units: Array = _counters(game, side, shown) * (place >= 0)[:, None]
    units[:, 0] = place
    return hexes, units


@lru_cache(maxsize=1024)
def _counters(game: Game, side: int, shown: Any) -> Array:
    """The table of units as if all were seen, without their places."""
    owner = OWNERS[side][np.frombuffer(game.side_of, np.uint8)]
    table = np.zeros((len(owner), len(UNIT_COLUMNS)), np.int16)
    table[:, 1] = owner
    table[:, 2], table[:, 3] = readers.of(game).columns(game, shown)
    return table


@lru_cache(maxsize=1024)
def _control(game: Game, side: int, control: Any) -> Array:
    """Who controls what, by hexes and areas."""
    plane = np.zeros(len(layout(game).nodes), np.uint8)
    places, owners = readers.of(game).owners(game, control)
    plane[places] = OWNERS[side][owners]
    return plane


@lru_cache(maxsize=1024)
def _hand(game: Game, cards: int) -> Array:
    return readers.flags(cards, max(1, layout(game).cards))


@lru_cache(maxsize=64)
def _planes(game: Game, side: int) -> tuple[Array, int]:
    """Where the plane of each unit begins when all are counted at once, and the size of a plane.

    A plane of that count: off the map, hex 0, hex 1, ...; own units, enemies, and enemies that are not seen.
    """
    nodes = len(layout(game).nodes)
    return 1 + (np.frombuffer(game.side_of, np.uint8) != side) * (nodes + 1), nodes


@lru_cache(maxsize=64)
def _numbers(game: Game) -> dict[str, int]:
    return {name: number for number, name in enumerate(layout(game).decisions)}


# ---------------------------------------------------------------------- options


def option_rows(game: Game, legal: Sequence[Action]) -> Array:
    """A row for each legal action, in the order of the flat index, for models that score options; -1 for nothing."""
    row_of = _rows(game)
    return np.array([row_of(action) for action in legal], np.int16).reshape(len(legal), len(OPTION_COLUMNS))


@lru_cache(maxsize=64)
def _rows(game: Game) -> Callable[[Action], tuple[int, ...]]:
    kinds = {kind: number for number, kind in enumerate(layout(game).actions)}
    known: dict[Action, tuple[int, ...]] = {}

    def row_of(action: Action) -> tuple[int, ...]:
        found = known.get(action)
        if found is None:
            found = known[action] = _row(game, kinds[action.kind], action)
        return found

    return row_of


def _row(game: Game, kind: int, action: Action) -> tuple[int, ...]:
    named: dict[str, list[int]] = {"unit": [], "hex": [], "other": [], "number": []}
    for blank, value in zip(game.act.blanks[action.kind], action.args, strict=True):
        base = "hex" if blank == "path" else blank
        known = [name for name in ("unit", "hex") if base in (name, name + "s")]
        values = value if isinstance(value, tuple) else (value,)
        named[known[0] if known else "number" if base == "n" else "other"].extend(values)
    units, hexes = named["unit"], named["hex"]
    return (
        kind,
        *_ends(units),
        len(units),
        *_ends(hexes),
        len(hexes),
        _ends(named["other"])[0],
        _ends(named["number"])[0],
    )


def _ends(found: list[int]) -> tuple[int, int]:
    """The first and the last."""
    return (found[0], found[-1]) if found else (-1, -1)
