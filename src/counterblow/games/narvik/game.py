"""Narvik 1940: the game as the kernel sees it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from counterblow.games.narvik import evaluate, results, setup
from counterblow.games.narvik.actions import ACTIONS, running_action
from counterblow.games.narvik.amphibious import after_storm, go_back
from counterblow.games.narvik.components import COMMANDS, GERMAN, NATIONS, SUBS, Roster, Tables
from counterblow.games.narvik.ground import Ground
from counterblow.games.narvik.movement import March
from counterblow.games.narvik.position import NarvikPositions
from counterblow.games.narvik.reinforcements import Landing, roll_landing
from counterblow.games.narvik.retreat import Retreat, retreat_on
from counterblow.games.narvik.sequence import PHASE_RULES, SET_UP
from counterblow.games.narvik.state import NarvikState, flow
from counterblow.games.narvik.view import NarvikViews
from counterblow.kernel.actions import Action
from counterblow.kernel.flow import PASSING_WORDS
from counterblow.kernel.game import Game, faults
from counterblow.kernel.graph import Costs
from counterblow.kernel.rulebook import Citation, refuse

CHAPTERS = (results,)  # it fills the flow with what earlier chapters name ahead
PLACING = (setup.initial_control, Landing, roll_landing)  # control is taken when these are over
IN_MOTION = (retreat_on, Retreat, March, after_storm, go_back)  # stacks may be too large while these are to come


class Narvik(Game):
    slug: ClassVar[str] = "narvik"
    version: ClassVar[str] = "5"
    flow = flow
    state_class = NarvikState
    positions_class = NarvikPositions
    views_class = NarvikViews
    judge_class = evaluate.NarvikJudge
    phase_rules = PHASE_RULES
    max_actions: ClassVar[int] = 60_000

    def __init__(self, data: Path | None = None) -> None:
        super().__init__(data)
        self.roster = Roster(self.data.toml("units.toml"), self.data.where("units.toml"))
        self.tables = Tables(self.data)
        self.ground = Ground(self.board, self.tables, max(self.roster.range), self.data.where("map.toml"))
        self.zones = (self.ground.zone_steps,)
        formations = tuple(formation.id for formation in self.roster.formations)
        self.name_units(
            self.roster.names,
            bytes(self.roster.side),
            sub=SUBS,
            formation=formations,
            command=COMMANDS,
            who=tuple(f"The {title} side" for title in self.side_titles),
        )
        self.start_zone = {u: self._start_zone(u) for u in self.roster.ground}
        self.recon_actions = [self.act["look"][node] for node in range(self.ground.hexes)]
        self.marked_costs: dict[tuple[Any, ...], Costs] = {}  # with markers or queues, likely to be asked for again
        self.yardstick = evaluate.Yardstick(self.ground, self.roster, self.tables.crt)

    def _start_zone(self, unit: int) -> tuple[int, ...]:
        """3.1, 3.2: where a unit may be set up, stacking apart; nations without a zone come later."""
        board, ground, gun = self.board, self.ground, self.roster.gun[unit]
        zone = self.tables.setup["zones"].get(NATIONS[self.roster.sub[unit]].lower())
        if zone is None:
            return ()
        near = [n for n in board.within(board.node(zone["centre"]), zone["radius"]) if ground.land[n]]
        return (*(n for n in near if not gun or n in ground.railway), *board.nodes(zone["areas"]))

    def set_up(self, state: NarvikState) -> None:
        setup.begin(state)

    # ------------------------------------------------------------------ what the kernel asks

    def occupies(self, state: NarvikState, unit: int) -> bool:
        return state.at[unit] < self.ground.hexes

    def why_not_now(self, state: NarvikState, action: Action) -> Citation:
        """Outside actions everything has to be decided; an action that goes on has a name in data/moments.toml."""
        if action.kind in PASSING_WORDS and state.stage != ACTIONS:
            choice, args = self.flow.choices[state.agenda[-1][0]], state.agenda[-1][1:]
            rule = choice.rules[state.mover if state.stage == SET_UP else 0]
            return refuse(rule, f"this must be decided: {choice.prompt(state, *args)}")
        found = self.moment(state, action)
        if found is None:
            return super().why_not_now(state, action)
        name = self.tables.actions[running].name if (running := running_action(state)) else ""
        return refuse(found.rule, found.text.replace("{action}", name))

    def scene(self, state: NarvikState, action: Action) -> tuple[str, ...]:
        """Besides decision and phase: the action that is being carried out, and what the unit named is."""
        unit = action.args[0] if self.act.blanks[action.kind][:1] == ("unit",) else -1
        strike = ("a strike",) if unit in self.roster.strikes else ()
        enemy = ("an enemy unit",) if unit >= 0 and self.side_of[unit] != state.decider else ()
        return *super().scene(state, action), running_action(state), *strike, *enemy

    def check(self, state: NarvikState) -> list[str]:
        """9.0, 4.4: stacking, no mixed hexes, control, points within the track."""
        moving = state.crowded >= 0 or any(step[0] in IN_MOTION for step in state.agenda)
        nodes = [] if moving else [node for node in sorted(state.here) if node < self.ground.hexes]
        fresh = state.copy()
        fresh.recount_all()
        mixed = any(state.loads[n] and fresh.nations[n] != state.nations[n] for n in state.here) and not moving
        kept = (fresh.occupied, fresh.loads) == (state.occupied, state.loads) and not mixed
        return [
            *super().check(state),
            *(problem for node in nodes for problem in self.check_stack(state, node)),
            *faults(
                (not all(0 <= points <= self.tables.ap_max for points in state.ap), f"action points {state.ap}"),
                (not kept, "kept counts of stacks differ from fresh ones"),
            ),
        ]

    def check_stack(self, state: NarvikState, node: int) -> list[str]:
        units, label = state.here[node], self.board.labels[node]
        side = self.side_of[units[0]]
        overstack = state.loads[node] > self.tables.stacking[side]
        legal_overstack = side == GERMAN and node in self.ground.objectives
        placing = any(step[0] in PLACING for step in state.agenda)
        return faults(
            (any(u in self.roster.strikes for u in units), f"a strike stands in {label}"),
            (any(self.side_of[u] != side for u in units), f"both sides in {label}"),
            (len({self.roster.nation[u] for u in units}) > 1, f"two nationalities in {label}"),
            (overstack and not legal_overstack, f"too many units in {label}"),
            (not self.ground.land[node], f"units at sea in {label}"),
            (not placing and not state.controls(side, node), f"{label} is not controlled by its occupant"),
        )
