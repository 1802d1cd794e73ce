"""The state of a match of Narvik 1940, and what every chapter asks of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from counterblow.games.narvik.components import ALLIED, GERMAN
from counterblow.games.narvik.ground import BOATS, FOOT, MECH, leaving_cost
from counterblow.kernel.actions import Action
from counterblow.kernel.data import DataFolder
from counterblow.kernel.events import Event
from counterblow.kernel.flow import Flow
from counterblow.kernel.masks import mask_of
from counterblow.kernel.state import State, pair

if TYPE_CHECKING:
    from counterblow.games.narvik.game import Narvik


class NarvikState(State):
    """Counters stand at nodes: hexes, staging areas, and boxes for every display. The top of a stack comes last.

    ``mover`` is the phasing player (5.1.i). A unit stays where it is until a rule takes it away (8.4.c).
    """

    game: Narvik

    def blank(self) -> None:
        self.ap: tuple[int, int] = (0, 0)  # 6.2.c: points left, by side; none at start (3.1.d, 3.2.e)
        self.relief: int = 0  # 7.1.b: box of the relief column, Trondheim at start (3.1.d)
        self.first: int = ALLIED  # 6.4.c: the side with the initiative
        self.passes: int = 0  # 11.0.c: passes in a row
        self.transferred: bool = False  # 7.2.f: the troop transfer has taken place
        self.two_formations: bool = False  # 7.2.a: Operation R4 this turn
        self.control: int = 0  # 4.4: hexes that Germany controls, as a bit mask; the Allies control all others
        self.trenches: tuple[int, int] = (0, 0)  # 23.2: hexes with an entrenchment, by owner
        self.demolished: int = 0  # 23.4: hexes with a demolished marker
        self.pontoons: tuple[tuple[int, int], ...] = ()  # 23.3: bridged hexsides, lower node first
        self.seen: tuple[int, int] = (0, 0)  # 21.0.c: enemy units that a side's recon has revealed
        self.shown: int = 0  # 21.0.d, 21.0.f: units revealed by combat or by flak fire
        self.spent: bytearray = bytearray(len(self.at))  # half movement points spent by each unit in this action
        self.clear_action()

    def clear_action(self) -> None:
        """Nothing is in progress."""
        self.active: int = 0  # units that may take part (11.1.b, 18.1.b)
        self.ordered: bool = False  # 9.0.i: stacks have been put in order
        self.moved: int = 0  # units whose movement is finished (12.2.c)
        self.paused: int = 0  # units of the stack in motion that may still go on (12.2.b)
        self.origin: int = -1  # where the stack in motion began the action
        self.crowded: int = -1  # 9.0.f: a hex above the limit, which units must leave before the action ends
        self.spent[:] = bytes(len(self.spent))
        self.entered: tuple[tuple[int, int], ...] = ()  # 8.3.c: (edge hex, units that entered there in this action)
        self.terminals: int = 0  # 12.5.a: ferry terminals that the side controlled when the action began
        self.fired: int = 0  # 14.1.h: units that have attacked or counterattacked
        self.barred: int = 0  # hexes whose close assaults are over (14.4.1.b)
        self.stormed: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())  # hexes and units that assault the hex at hand
        self.mode: int = 0  # 13.1.a: the type of amphibious movement, once chosen
        self.placed: tuple[tuple[int, int], ...] = ()  # 16.0.g: (strike, target hex)

    def derive(self) -> None:
        self.occupied: list[int] = [0, 0]  # hexes that each side occupies, as bit masks
        self.loads: bytearray = bytearray(self.game.board.size)  # hex -> units that count for stacking (9.0.b)
        self.nations: bytearray = bytearray(self.game.board.size)  # hex -> nationality of its units
        roster = self.game.roster
        for node, units in self.here.items():  # the order does not matter
            if node < self.game.ground.hexes:
                self.occupied[roster.side[units[0]]] |= 1 << node
                self.loads[node] = sum([roster.counts[u] for u in units])
                self.nations[node] = roster.nation[units[0]]  # who passes through stands on top

    # ------------------------------------------------------------------ capitulation

    def beside(self, action: Action) -> list[Event]:
        """5.2.a: at any time, either player may capitulate."""
        if action[0] != "capitulate" or not self.agenda:
            return super().beside(action)
        side = int(action.args[0])
        self.events = []
        self._legal = None
        self.finish(1 - side, "capitulation", f"the {self.game.side_titles[side]} player capitulates", "5.2.a")
        return self.events

    # ------------------------------------------------------------------ where things stand

    def top(self, node: int) -> tuple[int, ...]:
        """The stack at a node, top first (14.1.f)."""
        return self.here.get(node, ())[::-1]

    def _count(self, unit: int, node: int) -> None:
        """10.0.a, 10.0.e, 18.1.h: every unit in a hex occupies it, exerts a zone, and counts for stacking (20.0.d)."""
        game = self.game
        if node < game.ground.hexes:
            roster = game.roster
            side = roster.side[unit]
            self.held[side][node] += 1
            game.board.graph.zone(game.ground.zone_steps, self.zone[side], node, 1)
            self.counted[unit] = 129
            self.occupied[side] |= 1 << node
            if not self.loads[node]:  # units of another nation may pass through (9.0.g, 15.1.m)
                self.nations[node] = roster.nation[unit]
            self.loads[node] += roster.counts[unit]

    def _uncount(self, unit: int, node: int) -> None:
        """23.2.2.a: an entrenchment goes as soon as no friendly unit is in its hex; the enemy never uses it."""
        if self.counted[unit]:
            game = self.game
            side = game.roster.side[unit]
            self.held[side][node] -= 1
            game.board.graph.zone(game.ground.zone_steps, self.zone[side], node, -1)
            self.counted[unit] = 0
            self.loads[node] -= game.roster.counts[unit]
            if not self.held[side][node]:
                self.occupied[side] &= ~(1 << node)
                if self.trenches[side] >> node & 1:
                    self.trenches = pair(self.trenches, side, self.trenches[side] & ~(1 << node))
                    self.log("trench", "the entrenchment in {place} is abandoned", "23.2.2.a", place=node)

    def recount_all(self) -> None:
        super().recount_all()
        self.derive()

    def occupies(self, side: int, node: int) -> bool:
        """4.4.b"""
        return self.held[side][node] > 0

    def controls(self, side: int, node: int) -> bool:
        """4.4.a"""
        return bool(self.control >> node & 1) == (side == GERMAN)

    def take_control(self, side: int, node: int) -> None:
        """4.4.d, 4.4.e: a ground unit enters a hex; strikes never do."""
        if self.controls(side, node):
            return
        self.control ^= 1 << node
        if node in self.game.ground.objectives or node in self.game.ground.ferries:
            self.log("control", f"the {self.game.side_titles[side]} side now controls {{place}}", "4.4.d", place=node)

    def enter(self, unit: int, node: int) -> None:
        """Put a unit on top of the stack in a hex; it takes control."""
        self.put(unit, node)
        if node < self.game.ground.hexes:
            self.take_control(self.game.side_of[unit], node)

    def in_enemy_zone(self, side: int, node: int) -> bool:
        """10.0.a, 10.0.b, 10.0.c, 10.0.d, 10.0.e: does the enemy control it? Friends there change nothing (10.1.f)."""
        return self.zone[1 - side][node] > 0

    # ------------------------------------------------------------------ movement

    def mobility(self, unit: int) -> int:
        """2.3.7.a: tanks are mechanised; marines have boats if option 22.4 is in play."""
        if self.game.roster.mech[unit]:
            return MECH
        return BOATS if unit == self.game.roster.marine and self.options["marine_boats"] else FOOT

    def left(self, unit: int) -> int:
        """12.0.b: half points that a unit may still spend in this action."""
        return 2 * self.game.roster.move[unit] - self.spent[unit]

    def leaving(self, unit: int) -> int:
        """10.1.b: half points for leaving the enemy zone that a unit stands in, if it does."""
        zoned = self.in_enemy_zone(self.game.side_of[unit], self.at[unit])
        return leaving_cost(self.game.roster.move[unit]) if zoned else 0

    def fresh(self, unit: int) -> bool:
        """Has the unit not begun to move in this action?"""
        return not self.spent[unit] and not self.paused >> unit & 1

    # ------------------------------------------------------------------ action points

    def gain(self, side: int, points: int) -> None:
        """6.2.a, 6.2.c, 7.2.e: never above the track, never below zero."""
        self.ap = pair(self.ap, side, max(0, min(self.game.tables.ap_max, self.ap[side] + points)))

    # ------------------------------------------------------------------ fog

    def sees(self, side: int | None, unit: int) -> bool:
        """21.0.a: may a side know this unit? A spectator (None) knows what both sides may know."""
        if not self.options["fog"] or side == self.game.side_of[unit]:
            return True
        known = self.shown if side is None else self.shown | self.seen[side]
        return 0 <= self.at[unit] < self.game.ground.hexes and known >> unit & 1 > 0  # 21.0.e

    def reveal(self, units: tuple[int, ...]) -> None:
        """21.0.d: until the action ends."""
        self.shown |= mask_of(units)

    def tell_of(self, unit: int, kind: str, deed: str, /, *rules: str, **values: Any) -> None:
        """Log what a unit does in the open; who does not see the unit reads only whose it is."""
        owner = self.game.side_of[unit]
        public = f"{'a German' if owner == GERMAN else 'an Allied'} unit {deed}"
        only = None if self.sees(1 - owner, unit) else owner
        self.log(kind, f"{{unit}} {deed}", *rules, only=only, public=public, unit=unit, **values)

    def tell(self, owner: int, kind: str, sentence: str, public: str, /, *rules: str, **values: Any) -> None:
        """Log what only one side may read in full; the other reads the public sentence."""
        only = owner if self.options["fog"] else None
        # super(): compiled, any other call with two stars goes through Python's general machinery
        super().log(kind, sentence, *rules, only=only, public=public, **values)


# every chapter registers its steps and choices here; what players are asked stands in the data
flow: Flow[NarvikState] = Flow(DataFolder("counterblow.games.narvik").toml("decisions.toml"))
