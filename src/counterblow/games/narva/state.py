"""A position of Across the Narva: the fields beyond those every game has, and what the rules ask of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from counterblow.games.narva.components import GUN, HQ, SOVIET
from counterblow.kernel.data import DataFolder
from counterblow.kernel.flow import Flow
from counterblow.kernel.state import NOWHERE, State

if TYPE_CHECKING:
    from counterblow.games.narva.game import Narva

# fate: why a unit is not on the map
WAITING, FIGHTING, ELIMINATED, WITHDRAWN, ADRIFT = 0, 1, 2, 3, 4

# supply (10.0)
SUPPLIED, OUT_OF_SUPPLY, ISOLATED = 0, 1, 2

# what an activated unit may do, as bits
MAY_MOVE, MAY_ATTACK = 1, 2

# boxes of an air unit (12.2)
READY, REFIT, GROUNDED, ABSENT = 0, 1, 2, 3

Units = tuple[int, ...]
Battle = tuple[Units, tuple[int, ...], int]  # attackers, the hexes they attack from, the target
PEACE: Battle = ((), (), -1)


class NarvaState(State):
    game: Narva

    def blank(self) -> None:
        units, chits = len(self.game.units), len(self.game.chits)
        self.attacked: int = 0  # units that have attacked in this activation, as bits
        self.barred: tuple[int, ...] = ()  # hexes that must wait: attacks cancelled since the last battle (ruling 41)
        self.battle: Battle = PEACE
        self.door: tuple[int, ...] = (0,) * units  # unit -> number of its entry area
        self.draws: tuple[int, ...] = ()  # chits that come out of the cup first: for examples and tests
        self.due: tuple[int, ...] = (0,) * units  # unit -> turn of entry
        self.ferries: int = 0  # ferries used in this activation, as bits
        self.frost: int = 0  # 1 once event 11 has prolonged the frost
        self.last: tuple[int, ...] = (-1, -1)  # side -> the HQ of its last activation, or -1 (4.1.2)
        self.may_attack: int = 0  # activated units that may still attack, as bits
        self.may_move: int = 0  # ... move
        self.moved: int = 0  # ... have moved
        self.naval: int = 0  # 1 once a 2nd Shock chit has been played this turn (8.0.6f)
        self.no_air: int = 0  # 1 after event 6
        self.parked: tuple[tuple[int, int], ...] = ()  # (chit, turn) on the turn track
        self.pd: tuple[int, ...] = (0, 0)  # boxes below the start box: Nordland, Nederland
        self.red: int = 0  # victory hexes under Soviet control, as bits
        self.rerouted: tuple[int, ...] = (0,) * units  # unit -> 1 if it enters elsewhere, a turn later (8.0.4)
        self.strachwitz: int = 0  # 1 once STRAC has been activated this turn
        self.used: tuple[int, ...] = (0, 0)  # side -> activations this turn
        self.waiting: int = 0  # 1 while the 2nd Shock Out of Supply chit waits
        self.air: bytearray = bytearray(len(self.game.air))  # air unit -> its box
        self.cup: bytearray = bytearray(chits)  # chit -> how many are in the cup
        self.drawn: bytearray = bytearray(chits)  # ... have been drawn this turn
        self.removed: bytearray = bytearray(chits)  # ... have left the game
        self.fate: bytearray = bytearray(units)
        self.pin: bytearray = bytearray(units)
        self.step: bytearray = bytearray(units)  # unit -> steps left; an HQ on the map has one
        self.supply: bytearray = bytearray(units)

    def derive(self) -> None:
        """Per hex: is the stacking limit of a kind reached (7.0a)?"""
        nodes = self.game.board.size
        self.full_combat: bytearray = bytearray(nodes)
        self.full_hq: bytearray = bytearray(nodes)
        self.full_gun: bytearray = bytearray(nodes)
        for node, stack in self.here.items():
            for unit in stack:
                self._mark_full(self.game.kinds[unit], node)

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

    # ------------------------------------------------------------------ weather

    @property
    def frozen(self) -> bool:
        """6.2.2b: frost on turns 1 to 7, and on turn 8 after event 11."""
        return self.turn <= self.game.frozen_until[self.frost]

    # ------------------------------------------------------------------ who is activated (4.2)

    @property
    def activated(self) -> int:
        """The units of the present activation, as bits: those that still may do something, and those that have."""
        return self.may_move | self.may_attack | self.moved | self.attacked

    def rouse(self, unit: int, role: int) -> None:
        """A unit is activated: to move, or to move and attack."""
        bit = 1 << unit
        self.may_move |= bit
        if role & MAY_ATTACK:
            self.may_attack |= bit

    def release(self, unit: int) -> None:
        """A unit has no part in the activation any more."""
        if self.activated >> unit & 1:
            others = ~(1 << unit)
            self.may_move &= others
            self.may_attack &= others
            self.moved &= others
            self.attacked &= others

    # ------------------------------------------------------------------ units

    def strength(self, unit: int) -> tuple[int, int, int]:
        """Printed attack, defence and movement of the side showing."""
        return self.game.strengths[unit][self.step[unit]]

    def allowance(self, unit: int) -> int:
        """Movement allowance; isolation halves it (10.3.2), being out of supply does not (10.3.1)."""
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
        self.step[unit] = self.supply[unit] = self.pin[unit] = 0
        self.release(unit)

    def pass_through(self, unit: int, node: int) -> None:
        """13.1.1a, 13.1.1c: a combat unit with a ZOC takes control of the victory hexes it passes, in retreat too."""
        bit = self.game.victory_bits[node]
        if not bit or not self.game.zone_steps[unit][self.step[unit]]:
            return
        side = self.game.side_of[unit]
        if bool(self.red & bit) is not (side == SOVIET):
            self.red ^= bit
            sentence = f"The {self.game.side_titles[side]}s take control of {{place}}"
            self.log("control", sentence, "13.1.1a", place=node)

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
        node, (_, homes, target) = self.at[unit], self.battle
        if node in (NOWHERE, target) or node in homes:
            return True
        return self.here[node][-1] == unit and not self.marker(node)

    def log(
        self, kind: str, sentence: str, *rules: str, only: int | None = None, public: str = "", **values: Any
    ) -> None:
        """In fog of war a line that names an unseen unit is for its owner; the others read of "a unit" (2.1.3a)."""
        if self.options["fog"] and only is None:
            for blank in [blank for blank in values if blank.startswith("unit")]:
                units = values[blank] if blank.startswith("units") else (values[blank],)
                if not all(self.sees(1 - self.game.side_of[unit], unit) for unit in units):
                    if only is None:
                        only, public = self.game.side_of[units[0]], sentence
                    word = "units" if blank.startswith("units") else "a unit"
                    public = re.sub(f"^{{{blank}}}", word.capitalize(), public).replace(f"{{{blank}}}", word)
        super().log(kind, sentence, *rules, only=only, public=public, **values)


# the steps of the game, every chapter registers its own; what players are asked stands in the data
flow: Flow[NarvaState] = Flow(DataFolder("counterblow.games.narva").toml("decisions.toml"))


def with_entry(row: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    """A row of numbers with one of them changed."""
    return (*row[:index], value, *row[index + 1 :])
