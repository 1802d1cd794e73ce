"""A position of No Retreat!: where the counters are, what the cards and markers say."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from counterblow.games.noretreat.components import AXIS, DISORGANIZED, OUT, SNOW, SOVIET, TRACK, UNSUPPLIED
from counterblow.kernel.data import DataFolder
from counterblow.kernel.flow import Flow
from counterblow.kernel.rulebook import Citation, refuse_if
from counterblow.kernel.state import NOWHERE, State, pair

if TYPE_CHECKING:
    from counterblow.games.noretreat.game import NoRetreat
    from counterblow.games.noretreat.supply import Net

__all__ = ["NOWHERE", "Battle", "NoRetreatState", "flow", "pair", "why_not_own"]

# flags of things done once
SS_PAID, INFANTRY_DETACHED, MECH_DETACHED, FRONTS_FORTIFIED, RUMANIA_OUT = 1, 2, 4, 8, 16


class Battle(NamedTuple):
    """A battle in progress (10.5). Replaced, never changed."""

    side: int  # the attacker in this battle
    units: tuple[int, ...]  # attacking
    hexes: tuple[int, ...]  # attacked
    foes: tuple[int, ...]  # defending with their strength
    blows: tuple[int, ...] = ()  # attacked hexes under a Counterblow marker
    counter: int = 0  # how many counterattacks led here
    terrain: int = -1  # the attacked hex whose terrain counts
    support: int = 0  # a Support marker is committed
    cards: tuple[tuple[int, int], ...] = ()  # events in force: (event, its unit or -1)
    die: int = 0
    result: str = ""
    used: int = 0  # bit per side: it has played an event on this roll
    advance: tuple[tuple[int, int], ...] = ()  # events on the advance, in order: (+n or -cap, armor only)
    voluntary: int = 0  # Target markers fought here


class NoRetreatState(State):
    game: NoRetreat

    def blank(self) -> None:
        units = len(self.game.unit_names)
        self.stage = "housekeeping"
        self.sky: int = 0  # this turn's weather
        self.initiative: int = AXIS
        self.event_vp: int = 0  # the Event marker: above 0 on its Axis side, below 0 on its Soviet side
        self.high_tide: int = -1
        self.sites: int = 0  # bit per city and oil field: set while the Soviets control it
        self.captured: int = 0  # sites taken in this player turn
        self.hands: tuple[int, int] = (0, 0)  # bit per card number
        self.played: int = 0  # bit per event index: occurred in this player turn
        self.silent: int = 0  # bit per side: passes its reactions until the next player turn
        self.draw_loss: tuple[int, int] = (0, 0)  # cards fewer in the next Draw Step
        self.support: tuple[int, int] = (0, 0)  # Blitz! and Shock! markers
        self.targets: tuple[int, ...] = ()  # Target markers
        self.blows: tuple[int, ...] = ()  # Counterblow markers bought in this Combat Phase
        self.standing: tuple[int, ...] = ()  # Counterblow markers left by CB results
        self.fought: tuple[int, ...] = ()  # hexes attacked in this Combat Phase
        self.attacks: int = 0  # targets attacked voluntarily in this player turn
        self.demands: tuple[tuple[int, int, int], ...] = ()  # (side, attacks needed, VPs lost otherwise)
        self.battle: Battle | None = None
        self.rail: int = 0  # free entrainments left
        self.sea_lift: int = 0  # units that Evacuation by Sea still takes
        self.reserve: int = NOWHERE  # the unit under the Strategic Reserve marker
        self.upgrades: int = 0  # free upgrades left
        self.spared: tuple[int, ...] = ()  # units that count as supplied in this check
        self.blockade: tuple[int, ...] = ()  # units that cannot use the Baltic in this check
        self.cut: int = 0  # sites that are no supply source in this check
        self.scorched: tuple[int, ...] = ()  # (site, turn with whose Axis player turn it ends)
        self.works: tuple[int, ...] = ()  # (node, side) of the Defensive Works
        self.no_sudden_death: int = 0  # the skull turn under the marker, 0 if none
        self.oil_turn: int = 0  # when the Soviets first controlled the Rumanian oil, 0 if never
        self.gg_turn: int = 0  # when they first crossed the border of Greater Germany
        self.warsaw_turn: int = 0
        self.flags: int = 0
        self.local: tuple[int, int] = (NOWHERE, NOWHERE)  # units under the Local Combat Support markers (15.3)
        partisans: int = self.game.number["partisan_turn"]
        self.partisan: tuple[int, int] = (partisans, NOWHERE)  # (turn it is in the Rail box, unit it lies on) (15.9)
        self.initiative_counter: int = self.game.shift_turn  # 15.11
        self.pile: list[int] = []  # the draw pile, its top at the end
        self.discards: list[int] = []  # the discard pile, its top at the end
        self.face: bytearray = bytearray(units)
        self.marks: bytearray = bytearray(units)
        self.due: bytearray = bytearray(units)  # turn of arrival of a unit on the Turn Track
        self.fate: bytearray = bytearray(units)  # OUT, TRACK or PENDING for units in no hex, area or box
        self.bonus: bytearray = bytearray(units)  # movement event: MPs, plus 64 if leaving a zone is free
        self.weather: bytearray = bytearray(turn.weather for turn in self.game.turns)

    def derive(self) -> None:
        self.armies: list[list[int] | None] = [None, None]  # per side: its units on the map, until one comes or goes
        self.nets: list[Net | None] = [None, None]  # per side: its supply net, until something moves
        if self.battle is not None:
            self.battle = Battle(*self.battle)

    def during(self, phase: str) -> bool:
        """Is it this phase of either side's player turn?"""
        return self.stage.endswith(phase)

    # ------------------------------------------------------------------ units

    def on_map(self, unit: int) -> bool:
        """In a hex or an area, not in a box or off the board."""
        return 0 <= self.at[unit] < self.game.map_nodes

    def on_track(self, unit: int) -> bool:
        """On the Turn Track, to come in the turn when it is ``due``."""
        return self.at[unit] < 0 and self.fate[unit] == TRACK

    def army(self, side: int) -> list[int]:
        """A side's units on the map, in the order of the roster; not to be changed."""
        army = self.armies[side]
        if army is None:
            at, limit = self.at, self.game.map_nodes
            army = self.armies[side] = [unit for unit in self.game.roster[side] if 0 <= at[unit] < limit]
        return army

    def put(self, unit: int, node: int) -> None:
        side, limit = self.game.side_of[unit], self.game.map_nodes
        stays = 0 <= self.at[unit] < limit and node < limit
        army = self.armies[side] if stays else None
        super().put(unit, node)
        self.armies[side] = army
        self.nets[0] = self.nets[1] = None

    def shift(self, unit: int, node: int) -> None:
        super().shift(unit, node)
        self.nets[0] = self.nets[1] = None

    def lift(self, unit: int) -> None:
        super().lift(unit)
        self.armies[self.game.side_of[unit]] = None
        self.nets[0] = self.nets[1] = None

    def recount(self, unit: int) -> None:
        super().recount(unit)
        self.nets[0] = self.nets[1] = None

    def in_box(self, side: int, box: str) -> tuple[int, ...]:
        return tuple(sorted(self.stack(self.game.boxes[side][box])))

    def strength(self, unit: int) -> int:
        return self.game.strength[self.face[unit]][unit]

    def is_fort(self, unit: int) -> bool:
        return self.game.paren[self.face[unit]][unit] > 0

    def is_white(self, unit: int) -> bool:
        return self.game.white[self.face[unit]][unit] > 0

    def is_armor(self, unit: int) -> bool:
        return self.game.armor[self.face[unit]][unit] > 0

    def is_red(self, unit: int) -> bool:
        """A Soviet field unit on its red side."""
        return self.game.side_of[unit] == SOVIET and self.face[unit] == 1 and not self.is_fort(unit)

    def unsupplied(self, unit: int) -> bool:
        return bool(self.marks[unit] & UNSUPPLIED)

    def disorganized(self, unit: int) -> bool:
        return bool(self.marks[unit] & DISORGANIZED)

    def mark(self, unit: int, mark: int) -> None:
        self.marks[unit] |= mark
        if mark & UNSUPPLIED:
            self.recount(unit)

    def unmark(self, unit: int, mark: int) -> None:
        if self.marks[unit] & mark:
            self.marks[unit] &= ~mark
            if mark & UNSUPPLIED:
                self.recount(unit)

    def turn_over(self, unit: int) -> None:
        """Flip a counter."""
        self.face[unit] ^= 1
        self.recount(unit)

    def take_off(self, unit: int) -> None:
        """Take a unit from its hex or box; its markers go, and so do works that it leaves empty."""
        node = self.at[unit]
        if node == NOWHERE:
            return
        self.lift(unit)
        self.marks[unit] = 0
        if self.reserve == unit:
            self.reserve = NOWHERE
        if unit in self.local:
            self.local = pair(self.local, self.local.index(unit), NOWHERE)
        self.clear_works(node)

    def clear_works(self, node: int) -> None:
        """A vacated hex loses its Defensive Works (card 41) and its CB marker (10.7.pending, ruling 45)."""
        if self.works and self.works[0] == node and not self.held[self.works[1]][node]:
            self.works = ()
        if node in self.standing and node not in self.here:
            self.standing = tuple(other for other in self.standing if other != node)

    def to_box(self, unit: int, box: str) -> None:
        self.take_off(unit)
        self.put(unit, self.game.boxes[self.game.side_of[unit]][box])

    def to_track(self, unit: int, turn: int, fate: int) -> None:
        self.take_off(unit)
        self.fate[unit] = fate
        self.due[unit] = min(turn, 255)

    def out_of_play(self, unit: int) -> None:
        self.to_track(unit, 0, OUT)

    # ------------------------------------------------------------------ control

    def controls(self, side: int, site: int) -> bool:
        """Control of a city or oil field (12.7.1)."""
        return (self.sites >> site & 1) == side

    def snowed(self, turn: int) -> bool:
        return turn >= 1 and self.weather[turn] == SNOW


def why_not_own(s: NoRetreatState, unit: int, side: int) -> Citation | None:
    """2.3.f: why a side has no say over a unit; None if it has."""
    return refuse_if(s.game.side_of[unit] != side, "2.3.f", "that unit belongs to the other side")


# every chapter registers its steps and choices here; what players are asked stands in the data
flow: Flow[NoRetreatState] = Flow(DataFolder("counterblow.games.noretreat").toml("decisions.toml"))
