"""No Retreat! The Russian Front: the rules and data of the game, positions and views."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from counterblow.games.noretreat import components, events, sequence, setup
from counterblow.games.noretreat.cards import DISCARDS, PLAYS, Spend, why_not_play
from counterblow.games.noretreat.charts import BALKANS_OPEN, FINLAND_OPEN, Charts
from counterblow.games.noretreat.components import AXIS, SIDES, SOVIET, UNSUPPLIED, Counter
from counterblow.games.noretreat.evaluate import NoRetreatJudge
from counterblow.games.noretreat.position import NoRetreatPositions
from counterblow.games.noretreat.state import NOWHERE, NoRetreatState, flow
from counterblow.games.noretreat.supply import supply_net
from counterblow.games.noretreat.view import NoRetreatViews
from counterblow.kernel.actions import Action
from counterblow.kernel.errors import PositionError, unknown
from counterblow.kernel.flow import BACK
from counterblow.kernel.game import Game, faults
from counterblow.kernel.graph import Costs
from counterblow.kernel.masks import bits, mask_of
from counterblow.kernel.rulebook import Citation, refuse

AREA_ACCESS = {
    "German": FINLAND_OPEN | BALKANS_OPEN,
    "Finnish": FINLAND_OPEN,
    "Soviet": FINLAND_OPEN | BALKANS_OPEN,
    "Yugoslav": BALKANS_OPEN,
}  # fmt: skip  # 8.6.a, 8.7.a, ruling 4
# step that is under way -> kinds that wait while something is decided in it
WAITING = {
    "organization.Flip": ("improve", "upgrade", "fortify", "revert"),
    "reinforcements.Place": ("recover", "reinforce", "replace", "ss_return", "place", "rebuild", "detach",
                             "detach_mech", "fortify_front"),
}  # fmt: skip


class NoRetreat(Game):
    slug = "noretreat"
    version = "5"
    apart = {"axis_reactions": "always", "soviet_reactions": "always"}
    flow = flow
    state_class = NoRetreatState
    positions_class = NoRetreatPositions
    views_class = NoRetreatViews
    judge_class = NoRetreatJudge
    phase_rules = sequence.PHASE_RULES

    def __init__(self, data: Path | None = None) -> None:
        super().__init__(data)
        tables = self.data.toml("tables.toml")
        self.tables = tables
        self.counters = components.read_counters(self.data)
        self.aliases = _aliases(self.counters)
        self.turns = components.read_turns(self.data)
        self.turn_events = {entry["id"]: entry for entry in self.data.toml("turns.toml")["turn_event"]}  # 13.5
        self.cards = components.read_cards(self.data)
        self.charts: Charts = Charts(self.board, tables, self.data.where("tables.toml"))
        self._take_numbers(tables)
        names = tuple(counter.name for counter in self.counters)
        self.event_names = components.event_names(self.cards)
        self.name_units(
            names,
            bytes(c.side for c in self.counters),
            event=self.event_names,
            who=tuple(f"the {title}" for title in self.side_titles),
        )
        self._unit_number = {alias: self.unit(name) for alias, (name, _) in self.aliases.items()} | self._unit_number
        self._tabulate_units()
        self._tabulate_turns()
        self._tabulate_cards()
        self.plays = setup.read_plays(self)
        self.zones = (self.charts.zoc,)
        self.map_nodes = self.charts.map_nodes
        self.boxes = self.charts.boxes

    def _take_numbers(self, tables: dict[str, Any]) -> None:
        """Plain numbers of the rules, from tables.toml."""
        lists = [tables[name].items() for name in ("game_data", "costs", "victory")]
        self.number: dict[str, int] = {name: value for items in lists for name, value in items if type(value) is int}
        self.markers_each: int = self.number["target_markers_each"]
        self.supply_range: int = self.number["supply_range"]
        self.event_cap: int = self.number["event_vp_cap"]
        self.shift_turn: int = self.number["initiative_shift_turn"]
        self.two_steps_turn: int = self.number["soviet_two_steps_from_turn"]
        self.year_45_turn: int = self.number["operational_check_turn"]
        self.tank_turn: int = tables["stacking"]["soviet_tank_with_other_non_fort_from_turn"]
        self.soviet_stack_turn: int = tables["stacking"]["soviet_any_two_from_turn"]
        self.first_snow_turns: tuple[int, int] = tuple(tables["variable_weather"]["first_snow_turns"])
        self.red_vp: int = self.data.toml("turns.toml")["red_event"]["soviet_event_vp"]
        self.result_texts: dict[str, str] = {entry["code"]: entry["text"] for entry in tables["result"]}

    def _tabulate_units(self) -> None:
        counters = self.counters
        self.roster = tuple(tuple(u for u, c in enumerate(counters) if c.side == side) for side in (AXIS, SOVIET))

        def by_face(value: Callable[[Any], int]) -> tuple[bytes, bytes]:
            return (bytes(value(c.faces[0]) for c in counters), bytes(value(c.faces[-1]) for c in counters))

        self.strength = by_face(lambda face: face.strength)
        self.move: tuple[bytes, bytes] = by_face(lambda face: face.move)
        self.white = by_face(lambda face: int(face.white))
        self.paren = by_face(lambda face: int(face.paren))
        self.armor = by_face(lambda face: int(face.type == "armor"))
        self.mech = by_face(lambda face: int(face.type == "mech_infantry"))
        self.is_cadre: bytes = bytes(c.faces[0].type == "cadre" for c in counters)
        self.turns_fort = bytes(c.side == SOVIET and c.two_sided and c.faces[1].paren for c in counters)
        self.fort_units = tuple(u for u in self.roster[SOVIET] if self.turns_fort[u])
        self.two_sided = bytes(c.two_sided for c in counters)
        self.cadres: tuple[tuple[int, ...], ...] = tuple(
            tuple(u for u in self.roster[side] if self.is_cadre[u]) for side in (AXIS, SOVIET)
        )
        self.area_access = bytes(AREA_ACCESS.get(c.nation, 0) for c in counters)
        self.unit_costs = tuple(tuple(self._costs_of(u, face) for u in range(len(counters))) for face in (0, 1))
        self.garrison = self.unit("Berlin Garrison")
        self.ss_panzer = self.unit("SS Panzer")
        self.ss_grenadier = self.unit("SS Panzergrenadier")
        self.rezervy = self.unit("Rezervy")

    def _costs_of(self, unit: int, face: int) -> tuple[Costs, ...]:
        """The movement costs of a unit: Balkans closed or open (+2), leaving a zone dear or free (+1)."""
        tables, access = self.charts.costs[self.armor[face][unit]], self.area_access[unit]
        closed = tables[access & ~BALKANS_OPEN]
        return (*closed, *tables[access])

    def _tabulate_turns(self) -> None:
        self.in_force = tuple(  # turn -> the turn events (13.5) that hold in it
            frozenset(name for name, event in self.turn_events.items() if event["from"] <= turn <= event["to"])
            for turn in range(len(self.turns) + 1)
        )
        limits = {name: event.get("axis_targets_max", self.markers_each) for name, event in self.turn_events.items()}
        self.axis_target_limit: tuple[int, ...] = tuple(  # 13.5.20, 13.5.26: by turn
            min([self.markers_each, *(limits[name] for name in names)]) for names in self.in_force
        )

    def _tabulate_cards(self) -> None:
        self.ops = events.OPS
        events.check_cards(self.cards, self.data.where("cards.toml"))
        self.joker = next(card.number for card in self.cards.values() if card.joker)
        self.joker_bit = 1 << self.joker
        self.cards_45 = {
            kind: tuple(c.number for c in self.cards.values() if c.year45 == kind) for kind in ("bar", "green")
        }
        self.recovering = tuple(
            mask_of(c.number for c in self.cards.values() if c.halves[side].op == "play_top_discard")
            for side in (AXIS, SOVIET)
        )
        # an event by its index: twice the card's number, plus one for the Soviet half
        self.halves = {half.index: half for card in self.cards.values() for half in card.halves}
        self.occasions: dict[str, dict[str, Any]] = self.data.toml("cards.toml")["occasion"]
        self.context_mask = tuple(
            {
                name: mask_of(c.number for c in self.cards.values() if c.halves[side].trigger in occasion["triggers"])
                for name, occasion in self.occasions.items()
            }
            for side in (AXIS, SOVIET)
        )

    # ------------------------------------------------------------------ what the kernel asks

    def exerts(self, state: NoRetreatState, unit: int) -> int:
        """8.5.a, 2.3.e, 6.5.3: Unsupplied units and parenthesised strengths have no ZOC."""
        if state.at[unit] >= self.map_nodes or state.marks[unit] & UNSUPPLIED:
            return 0
        return 0 if self.paren[state.face[unit]][unit] else 1

    def set_up(self, state: NoRetreatState) -> None:
        setup.set_up(state)

    def why_not_now(self, state: NoRetreatState, action: Action) -> Citation:
        """4.0.b: every phase is finished before the next; within a phase data/moments.toml says when."""
        s, decision = state, state.decision
        assert decision is not None
        if action.kind in PLAYS:
            return why_not_play(s, action, self.side_number(decision.side), "")
        last, now = s.agenda[-1][-1], decision.prompt.rstrip(".")
        asking = last if isinstance(last, str) and last in self.rules else decision.rules[0]  # a payment says which
        moment = self.moments.find(action.kind, self.scene(s, action), s.options)
        if moment is None:  # pass, done, back
            ends = "this must be decided" if decision.passes is None else f'it is ended by "{decision.passes}"'
            return refuse(asking, f"{'what is done is not taken back' if action.kind == BACK else ends}: {now}")
        if moment.during or moment.outside or moment.option:
            return moment.says
        steps = [self.flow.names[step[0]] for step in s.agenda[-2::-1]]
        if action.kind in next((WAITING[step] for step in steps if step in WAITING), ()):
            return refuse(asking, f"first this is decided: {decision.prompt}")
        return refuse(moment.says.rule, f"{moment.says.text}; now: {now}")

    def scene(self, state: NoRetreatState, action: Action) -> tuple[str, ...]:
        """What goes on besides decision and phase, in the words of data/moments.toml."""
        last, unit = state.agenda[-1], action.args[0] if self.act.blanks[action.kind][:1] == ("unit",) else NOWHERE
        words = {
            "the enemy's phase": state.decider != state.mover,
            "an enemy unit": unit != NOWHERE and self.side_of[unit] != state.decider,
            "from turn 12": state.turn >= self.shift_turn,
            "a price": isinstance(self.flow.choices[last[0]], Spend) and last[-1] not in DISCARDS,
            "a cadre": unit != NOWHERE and self.is_cadre[unit],
        }
        return *super().scene(state, action), *(word for word, holds in words.items() if holds)

    def check(self, state: NoRetreatState) -> list[str]:
        """Units and cards are conserved, nobody shares a hex with the enemy, boxes and markers keep their limits."""
        at_sea = [n for n in sorted(state.here) if n < self.map_nodes and not self.charts.is_land(n)]
        fresh = state.copy()
        fresh.derive()
        dealt = [*bits(state.hands[AXIS]), *bits(state.hands[SOVIET]), *state.pile, *state.discards]
        expected = len(setup.opening_deck(self, state.turn >= self.year_45_turn)) + state.options["joker"]
        counting = state.stage != "housekeeping"
        found = super().check(state)
        for side, word in enumerate(SIDES):
            kept = fresh.army(side) == state.army(side) and supply_net(fresh, side) == supply_net(state, side)
            crowded = len(state.in_box(side, "Rail")) > self.number["rail_box_capacity"]
            found += faults(
                (not kept, f"{word}: what is kept of units and supply differs from what is there"),
                (crowded, f"{word}: too many units in the Rail Movement Box"),
            )
        return found + faults(
            (at_sea, f"{[self.board.labels[node] for node in at_sea]}: units in prohibited terrain"),
            (len(dealt) != len(set(dealt)), "a card is in two places"),
            (len(dealt) != expected and counting, f"{len(dealt)} cards in play instead of {expected}"),
            (abs(state.event_vp) > self.event_cap, "the Event marker is beyond its limit"),
            (len(state.targets) > self.markers_each, "too many Target markers"),
        )

    # ------------------------------------------------------------------ positions

    def card_number(self, name: str) -> int:
        """A card by the name of either of its events."""
        if name not in self.event_names or not name:
            known = [listed for listed in self.event_names if listed]
            raise PositionError(f"{self.slug}: " + unknown("event", name, known))
        return self.event_names.index(name) >> 1


def _aliases(counters: tuple[Counter, ...]) -> dict[str, tuple[str, str]]:
    """Other names of a counter, and the face that they mean: red names, and "Kalinin Front"."""
    found = {}
    for counter in counters:
        if counter.red_name:
            found[counter.red_name] = (counter.name, "red")
            found[f"{counter.red_name} Front"] = (counter.name, "red")
        if counter.side == SOVIET:
            found[f"{counter.name} Front"] = (counter.name, "")
    return found
