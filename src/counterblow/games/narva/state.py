"""A position of Across the Narva: the fields beyond those every game has, and what the rules ask of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterblow.games.narva.components import GERMAN, GUN, HQ, SOVIET
from counterblow.kernel.actions import Action
from counterblow.kernel.flow import Choice, Flow
from counterblow.kernel.state import NOWHERE, State

if TYPE_CHECKING:
    from counterblow.games.narva.game import Narva

# fate: why a unit is not on the map
WAITING, FIGHTING, ELIMINATED, WITHDRAWN, ADRIFT = 0, 1, 2, 3, 4

# supply (10.0)
SUPPLIED, OUT_OF_SUPPLY, ISOLATED = 0, 1, 2

# role of a unit in the present activation
MAY_MOVE, MAY_ATTACK = 1, 2

# boxes of an air unit (12.2)
READY, REFIT, GROUNDED, ABSENT = 0, 1, 2, 3

NO_TICKET = (-1,)


class NarvaState(State):
    __slots__ = (
        "air",
        "barred",
        "battle",
        "cup",
        "door",
        "drawn",
        "draws",
        "due",
        "fate",
        "ferries",
        "frost",
        "full_combat",
        "full_gun",
        "full_hq",
        "last",
        "naval",
        "no_air",
        "parked",
        "pd",
        "pin",
        "red",
        "removed",
        "rerouted",
        "role",
        "step",
        "strachwitz",
        "supply",
        "ticket",
        "used",
        "waiting",
    )  # fmt: skip
    values = (
        "barred", "battle", "draws", "ferries", "frost", "last", "naval", "no_air", "parked", "pd", "red", "strachwitz",
        "used", "waiting",
    )  # fmt: skip
    arrays = ("air", "cup", "door", "drawn", "due", "fate", "pin", "removed", "rerouted", "role", "step", "supply")
    derived = ("full_combat", "full_hq", "full_gun", "ticket")  # full: node -> 1 where that limit is reached (7.0a)

    game: Narva
    barred: tuple[int, ...]  # hexes whose attack was called off since the last battle (ruling 41)
    battle: tuple[tuple[int, ...], tuple[int, ...], int]  # attackers, the hexes they attack from, the target
    draws: tuple[int, ...]  # chits that come out of the cup first: for examples and tests
    ferries: int  # ferries used in this activation, as bits
    frost: int  # 1 once event 11 has prolonged the frost
    last: tuple[int, int]  # side -> the HQ of its last activation, or -1 (4.1.2)
    naval: int  # 1 once a 2nd Shock chit has been played this turn (8.0.6f)
    no_air: int  # 1 after event 6
    parked: tuple[tuple[int, int], ...]  # (chit, turn) on the turn track
    pd: tuple[int, int]  # boxes below the start box: Nordland, Nederland
    red: int  # victory hexes under Soviet control, as bits
    strachwitz: int  # 1 once STRAC has been activated this turn
    used: tuple[int, int]  # side -> activations this turn
    waiting: int  # 1 while the 2nd Shock Out of Supply chit waits
    air: bytearray  # air unit -> its box
    cup: bytearray  # chit -> how many are in the cup
    door: bytearray  # unit -> number of its entry area
    drawn: bytearray  # chit -> how many have been drawn this turn
    due: bytearray  # unit -> turn of entry
    fate: bytearray
    pin: bytearray
    removed: bytearray  # chit -> how many have left the game
    rerouted: bytearray
    role: bytearray
    full_combat: bytearray
    full_hq: bytearray
    full_gun: bytearray
    step: bytearray  # unit -> steps left; an HQ on the map has one
    supply: bytearray
    ticket: tuple[int]  # the graph's ticket when the normal moves of a unit were worked out

    def blank(self) -> None:
        units, chits = len(self.game.units), len(self.game.chits)
        self.barred, self.draws, self.parked = (), (), ()
        self.battle = ((), (), -1)
        self.ferries = self.frost = self.naval = self.no_air = self.red = self.strachwitz = self.waiting = 0
        self.last, self.pd, self.used = (-1, -1), (0, 0), (0, 0)
        self.air = bytearray(len(self.game.air))
        self.cup, self.drawn, self.removed = bytearray(chits), bytearray(chits), bytearray(chits)
        self.door, self.due, self.fate = bytearray(units), bytearray(units), bytearray(units)
        self.pin, self.rerouted, self.role = bytearray(units), bytearray(units), bytearray(units)
        self.step, self.supply = bytearray(units), bytearray(units)
        self.ticket = NO_TICKET
        nodes = self.game.board.size
        self.full_combat, self.full_hq, self.full_gun = bytearray(nodes), bytearray(nodes), bytearray(nodes)

    # ------------------------------------------------------------------ stacking limits, kept as units come and go

    def full(self, kind: int) -> bytearray:
        """Per hex: has it no room for another unit of a stacking kind?"""
        return self.full_hq if kind == HQ else self.full_gun if kind == GUN else self.full_combat

    def put(self, unit: int, node: int) -> None:
        super().put(unit, node)
        self._mark_full(self.game.kinds[unit], node)

    def lift(self, unit: int) -> None:
        node = self.at[unit]
        super().lift(unit)
        self._mark_full(self.game.kinds[unit], node)

    def _mark_full(self, kind: int, node: int) -> None:
        kinds, number = self.game.kinds, 0
        for unit in self.here.get(node, ()):
            if kinds[unit] == kind:
                number += 1
        self.full(kind)[node] = number >= self.game.limits[kind]

    def derive(self) -> None:
        for node, stack in self.here.items():
            for unit in stack:
                self._mark_full(self.game.kinds[unit], node)

    # ------------------------------------------------------------------ weather

    @property
    def frozen(self) -> bool:
        """6.2.2b: frost on turns 1 to 7, and on turn 8 after event 11."""
        return self.turn <= self.game.frozen_until[self.frost]

    # ------------------------------------------------------------------ units

    def strength(self, unit: int) -> tuple[int, int, int]:
        """Printed attack, defence and movement of the side showing."""
        return self.game.strengths[unit][self.step[unit]]

    def has_zone(self, unit: int) -> bool:
        """5.2: the printed attack of the side showing decides."""
        return self.game.zone_steps[unit][self.step[unit]]

    def allowance(self, unit: int) -> int:
        """Movement allowance; isolation halves it (10.3.2)."""
        movement = self.strength(unit)[2]
        return movement // 2 if self.supply[unit] == ISOLATED else movement

    def in_ezoc(self, node: int, side: int) -> bool:
        return self.zone[1 - side][node] > 0

    def owner(self, node: int) -> int | None:
        """Whose units stand in a hex."""
        stack = self.here.get(node)
        return self.game.side_of[stack[0]] if stack else None

    def combat_units(self, node: int) -> list[int]:
        """Combat units in a hex, assault guns included, bottom first."""
        kinds = self.game.kinds
        return [u for u in self.here.get(node, ()) if kinds[u] != HQ]

    def hqs(self, node: int) -> list[int]:
        kinds = self.game.kinds
        return [u for u in self.here.get(node, ()) if kinds[u] == HQ]

    def bring(self, unit: int, node: int, steps: int = 0) -> None:
        """Put a unit on the map."""
        self.step[unit] = steps or self.step[unit] or self.game.units[unit].steps
        self.fate[unit] = FIGHTING
        self.put(unit, node)

    def take_off(self, unit: int, fate: int) -> None:
        """Take a unit out of play."""
        if self.at[unit] != NOWHERE:
            self.lift(unit)
        self.fate[unit] = fate
        self.step[unit] = self.supply[unit] = self.pin[unit] = self.role[unit] = 0

    def pass_through(self, unit: int, node: int) -> None:
        """13.1.1a: a combat unit with a ZOC takes control of the victory hexes it passes."""
        bit = self.game.victory_bits[node]
        if bit and self.has_zone(unit):
            self.red = self.red | bit if self.game.side_of[unit] == SOVIET else self.red & ~bit

    def presence(self, side: int) -> bytearray:
        """Per hex: does a unit of the side, HQs included, stand there?"""
        present = self.held[side][:]
        for hq in self.game.hq_roster[side]:
            if self.at[hq] != NOWHERE:
                present[self.at[hq]] = 1
        return present

    def out(self, side: int) -> tuple[int, ...]:
        """The side's units on the map, in the order of the roster."""
        at = self.at
        return tuple([u for u in self.game.roster[side] if at[u] != NOWHERE])

    # ------------------------------------------------------------------ fog of war

    def marker(self, node: int) -> str:
        """The marker that lies on top of a stack, if any (2.1.3b)."""
        for unit in self.here.get(node, ()):
            if self.pin[unit]:
                return "pinned"
            if self.supply[unit]:
                return "isolated" if self.supply[unit] == ISOLATED else "out of supply"
        return ""

    def sees(self, side: int | None, unit: int) -> bool:
        """2.1.3: of an enemy stack only the top piece is seen, until an attack on or by it is announced."""
        if not self.options["fog"] or side == self.game.side_of[unit]:
            return True
        node = self.at[unit]
        if node == NOWHERE or self._announced(node):
            return True
        return self.here[node][-1] == unit and not self.marker(node)

    def _announced(self, node: int) -> bool:
        _, homes, target = self.battle
        return node == target or node in homes


flow: Flow[NarvaState] = Flow()  # the steps of the game by name; every chapter registers its own


class NarvaChoice(Choice[NarvaState]):
    """A decision of this game."""


def named(action: Action) -> int:
    """The unit, hex or other thing that an action names first; -1 if none."""
    number = action.args[0] if action.args else -1
    return number if isinstance(number, int) else -1


def unit_and_place(action: Action) -> tuple[int, int]:
    unit, place = action.args
    return int(unit), int(place)


def unit_and_path(action: Action) -> tuple[int, tuple[int, ...]]:
    unit, way = action.args
    return int(unit), tuple(way)


SIDE_WORDS = {GERMAN: "German", SOVIET: "Soviet"}
