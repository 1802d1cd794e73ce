"""Chapter 1: the sequence of play."""

from __future__ import annotations

from collections.abc import Sequence

from counterblow.games.leningrad import air, fleet, movement, rail
from counterblow.games.leningrad.components import GERMAN, RUSSIAN, SIDES
from counterblow.games.leningrad.state import NOT_ASKED, LeningradState, flow
from counterblow.kernel.actions import Action
from counterblow.kernel.flow import Choice, Step
from counterblow.kernel.forecast import Forecast
from counterblow.kernel.masks import bits
from counterblow.kernel.rulebook import Citation, refuse

# 1.2 and 1.3, in order: (phase, its steps). Phases are the names that game.position() knows.
GERMAN_PHASES: tuple[tuple[str, tuple[Step, ...]], ...] = (
    ("german.reinforcement", (("begin", GERMAN), ("reinforcements", GERMAN), ("withdrawal",))),
    ("german.movement", (("operations", GERMAN), ("stacking", GERMAN))),
    ("german.allocation", (("allocate", GERMAN),)),
    ("german.combat", (("order",), ("recovery", RUSSIAN), ("combat", GERMAN))),
    ("german.blitzkrieg", (("blitzkrieg",), ("operations", GERMAN), ("stacking", GERMAN))),
    ("german.blitzkrieg.allocation", (("blitzkrieg",), ("allocate", GERMAN))),
    ("german.blitzkrieg.combat", (("blitzkrieg",), ("order",), ("combat", GERMAN))),
    ("german.entrenchment", (("blitzkrieg over",), ("entrenchment", GERMAN))),
    ("german.supply", (("blitzkrieg over",), ("airlift",), ("supply", GERMAN))),
)
RUSSIAN_PHASES: tuple[tuple[str, tuple[Step, ...]], ...] = (
    ("russian.reinforcement", (("begin", RUSSIAN), ("reinforcements", RUSSIAN))),
    ("russian.movement", (("operations", RUSSIAN), ("stacking", RUSSIAN))),
    ("russian.allocation", (("allocate", RUSSIAN),)),
    ("russian.combat", (("recovery", GERMAN), ("combat", RUSSIAN))),
    ("russian.entrenchment", (("entrenchment", RUSSIAN),)),
    ("russian.supply", (("supply", RUSSIAN),)),
    ("russian.victory", (("victory",),)),
)


def player_turn(phases: tuple[tuple[str, tuple[Step, ...]], ...], start: str = "") -> list[Step]:
    """The steps of a player-turn from a phase on, each phase announced."""
    steps: list[Step] = []
    for name, parts in phases:
        if steps or not start or name == start:
            steps += [("phase", name), *parts]
    return steps


@flow.step("turn")
def turn(s: LeningradState, number: int) -> None:
    """1.1: a German player-turn, then a Russian one. The victory check leads on to the next turn."""
    s.turn = number
    s.log("turn", "Turn {n}: {date}", n=number, date=s.game.calendar.dates[number])
    if s.frozen != s.game.calendar.stage(number):
        s.frozen = s.game.calendar.stage(number)
        s.recount_all()
        s.derive()
        s.log("turn", "Lakes freeze", "7.17")
    s.queue(*player_turn(GERMAN_PHASES), *player_turn(RUSSIAN_PHASES))


@flow.step("phase")
def phase(s: LeningradState, name: str) -> None:
    s.stage = name
    s.mover = RUSSIAN if name.startswith("russian") else GERMAN


@flow.step("begin")
def begin(s: LeningradState, side: int) -> None:
    """A player-turn begins: the side's units may move and attack again, and its lost air units return (10.7)."""
    own = ~s.game.everybody[side]
    s.moved &= own
    s.attacked &= own
    s.hurried &= own
    s.entered &= own
    s.flown &= own
    s.engaged &= s.game.everybody[side]  # 11.5: the other side may intercept anew
    s.battles = ()
    s.blitz = 0
    air.return_of_air_units(s, side)
    if side == GERMAN:
        s.used = s.extra = s.airlifted = s.bombed = s.factory_hit = 0
        s.order = NOT_ASKED


@flow.step("blitzkrieg")
def blitzkrieg(s: LeningradState) -> None:
    """1.7: only for units that neither moved nor attacked in the first phase."""
    if not s.blitz:
        s.blitz = 1
        s.used = (s.moved | s.attacked) & s.game.everybody[GERMAN]


@flow.step("blitzkrieg over")
def blitzkrieg_over(s: LeningradState) -> None:
    s.blitz = 0


# ---------------------------------------------------------------- 1.4: the movement step


@flow.choice
class Operations(Choice[LeningradState]):
    """Movement, missions and everything else of the movement step, in any order (ruling D47)."""

    name = "operations"
    rules = ("1.4", "1.10")

    def side(self, s: LeningradState, side: int) -> int:
        return side

    def prompt(self, s: LeningradState, side: int) -> str:
        if side == GERMAN:
            return "Move units and fly missions, then end movement."
        return "Move units by road or rail, use trains, fleet and aircraft, then end movement."

    def legal(self, s: LeningradState, side: int) -> list[Action]:
        act = s.game.act
        march = act["march"]
        ready = bits(movement.ready_to_move(s, side) & s.present)
        found = [march[unit] for unit in movement.able_to_march(s, side, ready)]
        if side == RUSSIAN:
            found += _russian_operations(s, ready)
        bombers = air.may_bomb(s, side)
        if bombers and air.any_target(s, side):
            found += [act["bomb with"][unit] for unit in bits(bombers)]
        found.append(act["end movement"][()])
        return found

    def do(self, s: LeningradState, action: Action, side: int) -> None:
        kind = action.kind
        if kind == "march":
            s.push("march", action.args[0], 0, "")
        elif kind == "end movement":
            s.pop()
        elif kind == "bomb with":
            s.push("air.target", action.args[0])
        elif kind == "land":
            fleet.land(s)
        elif kind == "bombard":
            s.attacked |= 1 << s.game.counters.fleet
            fleet.fire(s, s.at[s.game.counters.fleet])
        elif kind == "sail":
            s.push("sail")
        else:
            s.push(kind, action.args[0])  # entrain, run

    def why_not(self, s: LeningradState, action: Action, side: int) -> list[Citation]:
        if action.kind in ("march", "entrain", "run", "bomb with"):
            return why_not_ready(s, action.args[0], side, action.kind)
        if action.kind == "land":
            return fleet.why_not_land(s)
        if action.kind == "bombard":
            return fleet.why_not_bombard(s)
        if action.kind == "sail":
            return [refuse("13.6", "the fleet has sailed, is Disrupted or sunk, or it is not the Russian turn")]
        if action.kind == "to":
            return [refuse("1.4", "first choose the unit: march ...")]
        return []

    def forecast(self, s: LeningradState, action: Action, side: int) -> Forecast | None:
        if action.kind == "bombard":
            return fleet.fire_forecast(s, s.at[s.game.counters.fleet])
        return None


def _russian_operations(s: LeningradState, ready: Sequence[int]) -> list[Action]:
    """Rail, trains, fleet and Marines."""
    act = s.game.act
    counters = s.game.counters
    at, rail_around = s.at, s.game.rail_around
    entrain = act["entrain"]
    found = [entrain[unit] for unit in ready if rail_around[at[unit]] and rail.can_entrain(s, unit)]
    idle = s.take_from(counters.trains & ~(s.disrupted | s.moved))
    if idle:
        found += [act["run"][train] for train in idle if rail.can_run(s, train)]
    if s.present >> counters.fleet & 1:
        if fleet.may_sail(s):
            found.append(act["sail"][()])
        elif fleet.may_land(s):  # the fleet has sailed
            found.append(act["land"][()])
        if s.held[GERMAN][at[counters.fleet]] and fleet.may_bombard(s):
            found.append(act["bombard"][()])
    return found


def why_not_ready(s: LeningradState, unit: int, side: int, kind: str) -> list[Citation]:
    game = s.game
    bit = 1 << unit
    if game.side_of[unit] != side:
        return [refuse("1.1", f"it is the {SIDES[side]} player-turn")]
    if kind == "bomb with":
        return air.why_not_fly(s, unit)
    if not s.in_play(unit):
        return [refuse("1.4", "the unit is not on the map")]
    reasons = []
    if s.disrupted & bit:
        reasons.append(refuse("3.18", "a Disrupted unit does not move"))
    if s.blitz and s.used & bit:
        reasons.append(refuse("1.7", "the unit was used in the first phase"))
    elif s.moved & bit:
        reasons.append(refuse("1.10", "the unit has moved this turn"))
    if reasons:
        return reasons
    if kind == "entrain":
        return rail.why_not_entrain(s, unit)
    if kind == "march" and not movement.can_march(s, unit):
        around = game.grounds[s.frozen].around[s.at[unit]]
        return [refuse("8.6" if around else "7.21", "the unit has nowhere to go")]
    return []
