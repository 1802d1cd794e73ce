"""Positions made by hand: what they may name, and what the rules would never allow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from counterblow.games.narvik.actions import ACTIONS, next_action
from counterblow.games.narvik.components import ALLIED, BR, FR, PL, SIDES
from counterblow.games.narvik.engineers import ordered
from counterblow.games.narvik.sequence import PHASES, game_turn
from counterblow.games.narvik.setup import initial_control
from counterblow.games.narvik.state import NarvikState
from counterblow.kernel.flow import begin_phase
from counterblow.kernel.positions import Positions
from counterblow.kernel.sequence import steps_from
from counterblow.kernel.state import pair


def begin_action(s: NarvikState, side: int) -> None:
    s.queue((begin_phase, ACTIONS, side), (next_action, side), *steps_from(PHASES, "victory"))


class NarvikPositions(Positions[Any]):
    sequence, numbers = PHASES, ("transferred",)

    def phases(self) -> Mapping[str, Callable[[Any], None]]:
        actions = {f"{name}.action": partial(begin_action, side=side) for side, name in enumerate(SIDES)}
        return {**actions, **super().phases(), "turn": lambda s: s.push(game_turn)}

    def placed(self, state: NarvikState) -> None:
        """Nobody stands where the rules never allow it; both sides have ten action points until others are named."""
        if not 1 <= state.turn <= len(self.game.tables.turns):
            raise self.error(f"turn {state.turn} is none of the {len(self.game.tables.turns)} game turns (4.3)")
        if any(type(face) is not int or not 1 <= face <= 6 for face in state.dice):
            raise self.error(f"dice have the faces 1 to 6, not {state.dice} (2.0)")
        initial_control(state)
        for unit, node in enumerate(state.at):
            if node >= 0 and (problem := self.misplaced(unit, node)):
                raise self.error(f"{self.game.unit_names[unit]} in {self.game.board.labels[node]}: {problem}")
        for node in sorted(state.here):
            if node < self.game.ground.hexes and (problems := self.game.check_stack(state, node)):
                raise self.error("; ".join(problems))
        state.ap = (10, 10)

    def misplaced(self, unit: int, node: int) -> str:
        """Why a unit can never stand at a node; empty if it can. Stacks are looked at by ``Narvik.check_stack``."""
        ground, roster = self.game.ground, self.game.roster
        side = roster.side[unit]
        displays = (ground.regroup, ground.eliminated, ground.pool, ground.arrivals)
        if unit in roster.strikes:
            own = (ground.pool[side], ground.strikes[side], ground.arrivals[side])
            return "" if node in own or node < ground.hexes else "strikes stay in their own displays (16.0)"
        if node < ground.hexes:
            if unit == roster.auchinleck:
                return "Auchinleck never leaves the staging areas (18.2)"
            if roster.gun[unit] and node not in ground.railway:
                return "the railway gun stands in railroad hexes only (19.2)"
            if ground.land[node] and not ground.lands[int(roster.mech[unit])][node]:
                return "the terrain is prohibited to the unit (12.3)"
            return ""
        if node in ground.staging[side]:
            if roster.gun[unit]:
                return "the railway gun never stands in a staging area (19.2)"
            return "airborne units never stand in Swedish Transit (20.1)" if roster.airborne[unit] else ""
        if node == ground.scheduled:
            return "" if side == ALLIED else "only Allied units are scheduled (2.1.1)"
        if node == ground.transfer:
            return "" if roster.sub[unit] in (BR, FR, PL) else "the unit is never transferred (7.1)"
        return "" if node in [display[side] for display in displays] else "it is not open to the unit"

    # ------------------------------------------------------------------ fields

    def set_ap(self, s: NarvikState, value: Mapping[str, int]) -> None:
        most = self.game.tables.ap_max
        for number in value.values():
            if type(number) is not int or not 0 <= number <= most:
                raise self.error(f"action points are whole numbers from 0 to {most}, not {number!r} (6.2)")
        s.ap = self.for_sides(s.ap, value)

    def set_relief(self, s: NarvikState, value: str) -> None:
        s.relief = self.index("box of the relief column", value, self.game.tables.relief_names)

    def set_initiative(self, s: NarvikState, value: str) -> None:
        s.first = self.game.side_number(value)

    def land(self, label: str) -> int:
        node: int = self.game.node(label)
        if not self.game.ground.land[node]:
            raise self.error(f"{label} is no land hex")
        return node

    def set_control(self, s: NarvikState, value: Mapping[str, str]) -> None:
        for label, name in value.items():
            node, side = self.land(label), self.game.side_number(name)
            if s.held[1 - side][node]:
                raise self.error(f"the {SIDES[1 - side]} side holds {label} and controls it (4.4)")
            s.take_control(side, node)

    def set_entrenched(self, s: NarvikState, value: Mapping[str, str]) -> None:
        for label, name in value.items():
            node, side = self.land(label), self.game.side_number(name)
            if not s.held[side][node]:
                raise self.error(f"{label}: an entrenchment without {name} units does not last (23.2.2)")
            s.trenches = pair(s.trenches, side, s.trenches[side] | 1 << node)

    def set_demolished(self, s: NarvikState, value: list[str]) -> None:
        for label in value:
            node = self.game.node(label)
            if node not in self.game.ground.objectives and node not in self.game.ground.ferries:
                raise self.error(f"{label}: only objectives and ferry villages are demolished (23.4)")
            s.demolished |= 1 << node

    def set_pontoons(self, s: NarvikState, value: list[str]) -> None:
        for text in value:
            a, b = text.split("/")
            hexside = ordered(self.game.node(a), self.game.node(b))
            if not self.game.ground.inlet(*hexside):
                raise self.error(f"{text}: a pontoon bridge crosses an inlet hexside (23.3)")
            s.pontoons = tuple(sorted({*s.pontoons, hexside}))
