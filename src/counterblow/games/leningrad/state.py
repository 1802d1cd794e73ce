"""A position of Leningrad 1941, and the small changes that every chapter makes to it.

Sets of units are masks: bit ``1 << unit``.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from counterblow.games.leningrad.components import GERMAN, RUSSIAN
from counterblow.kernel.data import DataFolder
from counterblow.kernel.flow import Flow
from counterblow.kernel.masks import mask_of, members
from counterblow.kernel.state import NOWHERE, State

if TYPE_CHECKING:
    from counterblow.games.leningrad.game import Leningrad

NOT_ASKED, MAY_RETREAT, NO_RETREAT = 0, 1, 2  # the Russian blanket order (3.15)
ABSENT = 255  # an air unit that is not in the game

Lines = tuple["array[int] | None", "array[int] | None", "array[int] | None"]
STALE: Lines = (None, None, None)
SupplyGrounds = tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]  # by side: friendly edge hexes, enemy-held places
Battle = tuple[tuple[int, ...], tuple[int, ...]]  # defended hexes, attackers


flow: Flow[LeningradState] = Flow(DataFolder("counterblow.games.leningrad").toml("decisions.toml"))
FLEE = flow.later("rail.flee")


class LeningradState(State):
    """The fields of a position. Masks are sets of units."""

    game: Leningrad

    def blank(self) -> None:
        game = self.game

        # the sequence of play
        self.blitz: int = 0  # 1 in the blitzkrieg phase
        self.frozen: int = 0  # which lakes are frozen: an index into the calendar's stages and the game's grounds

        # units
        self.present: int = 0  # on the map
        self.disrupted: int = 0
        self.entrenched: int = 0
        self.moved: int = 0  # moved operationally this game turn (1.10)
        self.attacked: int = 0  # attacked this game turn (1.12)
        self.hurried: int = 0  # used the movement bonus, so may not attack (7.5)
        self.entered: int = 0  # came on the map this turn
        self.used: int = 0  # used in the first phase, so out of the blitzkrieg (1.7)
        self.airlifted: int = 0  # supplied from the air until the Russian player-turn ends (11.18)
        self.crossed: int = 0  # Russians who have attacked Germans west of the Narva (7.16)
        self.owing: int = 0  # Russians who crossed the Narva this step and owe an attack there
        self.origins: tuple[tuple[int, int], ...] = ()  # (unit, hex) each of those came from
        self.waiting: int = 0  # yet to arrive
        self.bought: int = 0  # optional units brought in
        self.lost: int = 0  # eliminated
        self.gone: int = 0  # withdrawn for Moscow

        # air units
        self.flown: int = 0  # have flown this player-turn's mission (11.5)
        self.extra: int = 0  # German units that have flown the extra mission (11.6)
        self.down: int = 0  # shot down, or not in the game
        self.engaged: int = 0  # have intercepted in this enemy player-turn
        self.back: bytearray = bytearray(len(game.unit_names))  # turn of return if shot down, 0 if in play, ABSENT

        # places
        self.control: bytearray = bytearray(game.control_at_start)  # the side that held a place or an edge hex last
        self.garrisons: int = 3  # bit i: the factor of Leningrad hex i is there (9.4)
        self.bombed: int = 0  # bit i: Leningrad hex i was bombed in this German player-turn (11.21)
        self.factory_hit: int = 0  # 1: the Kirov factory is silent in the next Russian turn (10.2)
        self.marines_back: int = 0  # 1: the Marines have come back once (10.8)
        self.points: tuple[int, int] = (0, 0)  # points of losses, optional units and the withdrawal

        # battles
        self.order: int = NOT_ASKED  # the Russian No Retreat order in this German player-turn
        self.battles: tuple[Battle, ...] = ()  # allocated, not yet resolved
        self.targets: tuple[int, ...] = ()  # the battle being resolved: defended hexes ...
        self.attackers: tuple[int, ...] = ()
        self.fronts: tuple[int, ...] = ()  # ... the hexes from which it is fought
        self.strengths: tuple[int, ...] = ()  # ... their modified strength, hex by hex
        self.result_now: str = ""  # ... its result
        self.covered: int = 0  # ... defenders under a No Retreat order
        self.cleared: int = 0  # bit i: the factor of Leningrad hex i is beaten in this battle (ruling D25)
        self.retreats: tuple[int, ...] = ()  # ... how far the farthest unit went back, hex by hex
        self.quota: int = 0  # ... strength that must still enter a vacated hex before others step aside (5.7)

    def derive(self) -> None:
        # what control says about supply, and supply lines, worked out since the last change
        self.grounds_of_supply: SupplyGrounds = ()
        self.lines: Lines = STALE

    def recount_all(self) -> None:
        super().recount_all()
        self.present = mask_of(unit for unit, node in enumerate(self.at) if node != NOWHERE)
        for index, node in enumerate(self.game.leningrad):
            if self.garrisons >> index & 1:
                self.held[RUSSIAN][node] += 1

    def put(self, unit: int, node: int) -> None:
        super().put(unit, node)
        self.present |= 1 << unit
        self.lines = STALE

    def lift(self, unit: int) -> None:
        super().lift(unit)
        self.present &= ~(1 << unit)
        self.lines = STALE

    # ------------------------------------------------------------------ asking

    def is_disrupted(self, unit: int) -> int:
        return self.disrupted >> unit & 1

    def ground_units(self, node: int, side: int) -> list[int]:
        """Units with a factor, bottom first; trains and the fleet are left out."""
        ground = self.game.counters.ground[side]
        return [unit for unit in self.here.get(node, ()) if ground >> unit & 1]

    def fit_friend(self, node: int, side: int) -> bool:
        """Is there an UnDisrupted unit of a side (the garrison of Leningrad included, ruling D70)?"""
        fit = self.game.counters.ground[side] & ~self.disrupted
        for unit in self.here.get(node, ()):
            if fit >> unit & 1:
                return True
        return side == RUSSIAN and self.garrisoned(node)

    def garrisoned(self, node: int) -> bool:
        index = self.game.leningrad_index.get(node)
        return index is not None and bool(self.garrisons >> index & 1)

    def in_play(self, unit: int) -> bool:
        return self.at[unit] != NOWHERE

    @property
    def afloat(self) -> bool:
        return self.at[self.game.counters.fleet] != NOWHERE

    # ------------------------------------------------------------------ changing

    def disrupt(self, unit: int) -> None:
        """3.17, 3.27: turned toward the enemy, and any trench is lost."""
        bit = 1 << unit
        self.disrupted |= bit
        self.entrenched &= ~bit
        if self.game.loses_zone >> unit & 1:
            self._zone_changed(unit)  # 3.24

    def recover(self, unit: int) -> None:
        self.disrupted &= ~(1 << unit)
        if self.game.loses_zone >> unit & 1:
            self._zone_changed(unit)

    def _zone_changed(self, unit: int) -> None:
        self.recount(unit)
        self.lines = (None, self.lines[1], self.lines[2])  # only Russian corps gain and lose zones: German lines change

    def eliminate(self, unit: int, *rules: str) -> None:
        node = self.at[unit]
        self.lift(unit)
        self._forget(unit)
        self.lost |= 1 << unit
        if self.game.side_of[unit] == GERMAN:  # 14.5
            self.score(RUSSIAN, self.game.counters.factor[unit])
        self.log("loss", "{unit} is eliminated in {place}", *rules, unit=unit, place=node)

    def score(self, side: int, points: int) -> None:
        german, russian = self.points
        self.points = (german + points, russian) if side == GERMAN else (german, russian + points)

    def withdraw(self, unit: int, *rules: str) -> None:
        """10.26: out of the game, but not lost."""
        if self.at[unit] != NOWHERE:
            self.lift(unit)
        self._forget(unit)
        self.waiting &= ~(1 << unit)
        self.gone |= 1 << unit
        self.log("withdrawal", "{unit} leaves for Moscow", *rules, unit=unit)

    def _forget(self, unit: int) -> None:
        keep = ~(1 << unit)
        self.disrupted &= keep
        self.entrenched &= keep
        if self.owing >> unit & 1:
            self.owing &= keep
            self.origins = tuple([(other, origin) for other, origin in self.origins if other != unit])

    def enter(self, unit: int, node: int) -> None:
        """A ground unit comes into a hex: it holds the place from now on, and lone trains run (ruling D43)."""
        side = self.game.side_of[unit]
        zone, held, old = self.zone[1 - side], self.held[side], self.at[unit]
        if (zone[node] and not held[node]) or (old != NOWHERE and zone[old] and held[old] == 1):
            lines = STALE
        elif side == GERMAN:  # who neither fills nor bares a hex in an enemy zone leaves his own lines as they are
            lines = (self.lines[0], None, None)
        else:
            lines = (None, self.lines[1], self.lines[2])
        if old == NOWHERE or self.options["leningrad_silent"]:
            self.put(unit, node)
        else:
            self.shift(unit, node)
        self.lines = lines
        if self.game.keyed[node] or len(self.here[node]) > 1:
            self.pass_through(side, node)

    def pass_through(self, side: int, node: int) -> None:
        game = self.game
        if game.keyed[node] and self.control[node] != side:
            self.control[node] = side
            rule = "12.5" if node in game.places else "12.1"
            self.log("control", f"The {game.side_titles[side]}s take {{place}}", rule, place=node)
            self.lines = STALE
            self.grounds_of_supply = ()
            index = game.leningrad_index.get(node)
            if index is not None and side == GERMAN and self.garrisons >> index & 1:
                self.garrisons &= ~(1 << index)  # ruling D25: lost for good
                self.held[RUSSIAN][node] -= 1
        if side == GERMAN and node in self.here:
            for unit in self.here[node]:
                if game.counters.trains >> unit & 1:
                    self.push(FLEE, unit, 1)

    def take_from(self, mask: int) -> tuple[int, ...]:
        """Members of a mask that are on the map, lowest number first."""
        return members(mask & self.present)
