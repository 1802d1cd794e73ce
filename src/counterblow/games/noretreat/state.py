"""A position of No Retreat!: where the counters are, what the cards and markers say."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from counterblow.games.noretreat.components import (
    ATTACKED,
    AXIS,
    DISORGANIZED,
    OUT,
    SNOW,
    SOVIET,
    UNSUPPLIED,
)
from counterblow.kernel.actions import Action
from counterblow.kernel.flow import Flow
from counterblow.kernel.state import NOWHERE, State

if TYPE_CHECKING:
    from counterblow.games.noretreat.game import NoRetreat
    from counterblow.games.noretreat.supply import Net

__all__ = ["NOWHERE", "Battle", "NoRetreatState", "flow", "number"]

# flags of things done once
SS_PAID, SS_BACK, INFANTRY_DETACHED, MECH_DETACHED, FRONTS_FORTIFIED, RUMANIA_OUT = 1, 2, 4, 8, 16, 32


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
    __slots__ = (
        "armies", "attacks", "battle", "blockade", "blows", "bonus", "captured", "cut", "demands", "discards",
        "draw_loss", "due", "event_vp", "face", "fate", "flags", "gg_turn", "hands", "high_tide", "initiative",
        "initiative_counter", "local", "marks", "nets", "no_sudden_death", "oil_turn", "partisan", "pile", "played",
        "player", "rail", "reserve", "scorched", "sea_lift", "silent", "sites", "sky", "spared", "stage", "standing",
        "support", "targets", "upgrades", "warsaw_turn", "weather", "works",
    )  # fmt: skip
    values = (
        "attacks", "battle", "blockade", "blows", "captured", "cut", "demands", "draw_loss", "event_vp", "flags",
        "gg_turn", "hands", "high_tide", "initiative", "initiative_counter", "local", "no_sudden_death", "oil_turn",
        "partisan", "played", "player", "rail", "reserve", "scorched", "sea_lift", "silent", "sites", "sky", "spared",
        "stage", "standing", "support", "targets", "upgrades", "warsaw_turn", "works",
    )  # fmt: skip
    arrays = ("bonus", "discards", "due", "face", "fate", "marks", "pile", "weather")
    derived = ("armies", "nets")

    game: NoRetreat

    player: int  # the phasing side
    stage: str  # the phase
    sky: int  # this turn's weather
    initiative: int
    event_vp: int  # the Event marker: above 0 on its Axis side, below 0 on its Soviet side
    high_tide: int
    sites: int  # bit per city and oil field: set while the Soviets control it
    captured: int  # sites taken in this player turn
    hands: tuple[int, int]  # bit per card number
    played: int  # bit per event index: occurred in this player turn
    silent: int  # bit per side: passes its reactions until the next player turn
    draw_loss: tuple[int, int]  # cards fewer in the next Draw Step
    support: tuple[int, int]  # Blitz! and Shock! markers
    targets: tuple[int, ...]  # Target markers
    blows: tuple[int, ...]  # Counterblow markers bought in this Combat Phase
    standing: tuple[int, ...]  # Counterblow markers left by CB results
    attacks: int  # targets attacked voluntarily in this player turn
    demands: tuple[tuple[int, int, int], ...]  # (side, attacks needed, VPs lost otherwise)
    battle: Battle | None
    rail: int  # free entrainments left
    sea_lift: int  # units that Evacuation by Sea still takes
    reserve: int  # the unit under the Strategic Reserve marker, NOWHERE if none
    upgrades: int  # free upgrades left
    spared: tuple[int, ...]  # units that count as supplied in this check
    blockade: tuple[int, ...]  # units that cannot use the Baltic in this check
    cut: int  # sites that are no supply source in this check
    scorched: tuple[int, ...]  # (site, turn in whose Axis player turn it ends)
    works: tuple[int, ...]  # (node, side) of the Defensive Works
    no_sudden_death: int  # the skull turn under the marker, 0 if none
    oil_turn: int  # when the Soviets first controlled the Rumanian oil, 0 if never
    gg_turn: int
    warsaw_turn: int
    flags: int
    local: tuple[int, int]  # units under the Local Combat Support markers (15.3)
    partisan: tuple[int, int]  # Paratroop/Partisan marker: (turn it is in the Rail box, unit it lies on) (15.9)
    initiative_counter: int  # 15.11
    pile: list[int]  # the draw pile, its top at the end
    discards: list[int]  # the discard pile, its top at the end
    face: bytearray
    marks: bytearray
    due: bytearray  # turn of arrival of a unit on the Turn Track, number of the trigger of a pending one
    fate: bytearray  # OUT, TRACK or PENDING for units in no hex, area or box
    bonus: bytearray  # movement event on a unit: MPs, plus 64 if leaving a zone is free
    weather: bytearray  # per turn
    armies: list[list[int] | None]  # per side: its units on the map, until one comes or goes
    nets: list[Net | None]  # per side: its supply net, until something moves

    def blank(self) -> None:
        units = len(self.game.unit_names)
        for name in self.values:
            setattr(self, name, 0)
        self.stage = "housekeeping"
        self.high_tide = -1
        self.hands = self.draw_loss = self.support = (0, 0)
        self.targets = self.blows = self.standing = self.spared = self.blockade = self.scorched = self.works = ()
        self.demands = ()
        self.battle = None
        self.reserve = NOWHERE
        self.local = (NOWHERE, NOWHERE)
        self.partisan = (0, NOWHERE)
        self.initiative_counter = self.game.shift_turn
        self.pile, self.discards = [], []
        self.face, self.marks, self.due = bytearray(units), bytearray(units), bytearray(units)
        self.fate, self.bonus = bytearray(units), bytearray(units)
        self.weather = bytearray(turn.weather for turn in self.game.turns)
        self.armies, self.nets = [None, None], [None, None]

    def derive(self) -> None:
        self.armies, self.nets = [None, None], [None, None]
        if self.battle is not None:
            self.battle = Battle(*self.battle)

    # ------------------------------------------------------------------ units

    def on_map(self, unit: int) -> bool:
        """In a hex or an area, not in a box or off the board."""
        return 0 <= self.at[unit] < self.game.map_nodes

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

    def is_mech(self, unit: int) -> bool:
        return self.game.mech[self.face[unit]][unit] > 0

    def is_red(self, unit: int) -> bool:
        """A Soviet field unit on its red side."""
        return self.game.side_of[unit] == SOVIET and self.face[unit] == 1 and not self.is_fort(unit)

    def unsupplied(self, unit: int) -> bool:
        return bool(self.marks[unit] & UNSUPPLIED)

    def disorganized(self, unit: int) -> bool:
        return bool(self.marks[unit] & DISORGANIZED)

    def has_attacked(self, unit: int) -> bool:
        return bool(self.marks[unit] & ATTACKED)

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
            self.local = (NOWHERE if self.local[0] == unit else self.local[0],
                          NOWHERE if self.local[1] == unit else self.local[1])  # fmt: skip
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

    def other(self) -> int:
        """The non-phasing side."""
        return SOVIET - self.player if self.player == AXIS else AXIS


def number(action: Action, place: int = 0) -> int:
    """An argument of an action that is a plain number: a unit, a node, an event."""
    value: int = action.args[place]
    return value


flow: Flow[NoRetreatState] = Flow()
