"""Chapter 1: the sequence of play."""

from __future__ import annotations

from counterblow.games.leningrad import (
    air,
    combat,
    fleet,
    movement,
    rail,
    reinforcements,
    results,
    setup,
    stacking,
    supply,
    terrain,
    victory,
    zones,
)
from counterblow.games.leningrad.components import GERMAN, RUSSIAN
from counterblow.games.leningrad.state import NOT_ASKED, LeningradState, flow
from counterblow.kernel.actions import Action
from counterblow.kernel.flow import ask
from counterblow.kernel.pick import Menu, Pick
from counterblow.kernel.rulebook import Citation, refuse, refuse_if
from counterblow.kernel.sequence import Phase, steps_from


@flow.step
def turn(s: LeningradState, number: int) -> None:
    """1.1: a German player-turn, then a Russian one. The victory check leads on to the next turn."""
    s.turn = number
    s.log("turn", "Turn {n}: {date}", n=number, date=s.game.calendar.dates[number])
    if s.frozen != s.game.calendar.stage[number]:
        s.frozen = s.game.calendar.stage[number]
        s.recount_all()
        s.derive()
        s.log("turn", "Lakes freeze", "7.17")
    s.queue(*steps_from(PHASES))


@flow.step
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


@flow.step
def blitzkrieg(s: LeningradState) -> None:
    """1.7: only for units that neither moved nor attacked in the first phase."""
    if not s.blitz:
        s.blitz = 1
        s.used = (s.moved | s.attacked) & s.game.everybody[GERMAN]


@flow.step
def blitzkrieg_over(s: LeningradState) -> None:
    s.blitz = 0


# ---------------------------------------------------------------- 1.4: the movement step


class March(Pick[LeningradState]):
    kind, passing, stays = "march", "end movement", True

    def items(self, s: LeningradState) -> list[int]:
        ready = s.take_from(movement.ready_to_move(s, s.mover))
        return [unit for unit in ready if movement.can_march(s, unit)]

    def why_not_item(self, s: LeningradState, unit: int) -> Citation | None:
        counters = s.game.counters
        return (
            movement.why_not_move(s, unit)
            or refuse_if(counters.trains >> unit & 1, "13.1", "trains run on railways only")
            or refuse_if(unit == counters.fleet, "13.6", "the fleet sails")
            or (None if movement.can_march(s, unit) else movement.why_shut_in(s, unit))
        )

    def take(self, s: LeningradState, unit: int) -> None:
        s.push(movement.Route, unit, 0, zones.held_by_zone(s, unit, s.at[unit]))


MARCH, FLY = March(), air.Fly()


@flow.choice
class Operations(Menu[LeningradState]):
    """1.4: movement, missions and everything else of the movement step, in any order (ruling D47)."""

    parts = (MARCH, rail.Board(), rail.Run(), fleet.SetSail(), fleet.Land(), fleet.Bombard(), FLY)
    german_parts = (MARCH, FLY)

    def parts_now(self, s: LeningradState) -> tuple[Pick[LeningradState], ...]:
        return self.german_parts if s.mover == GERMAN else self.parts

    def undone(self, s: LeningradState) -> str:
        idle = len(MARCH.items(s))
        moved = s.moved & ~(s.used if s.blitz else 0) & s.game.everybody[s.mover]
        return "" if moved or not idle else f"none of the {idle} units that can march has moved"

    def prompt(self, s: LeningradState) -> str:
        what = "Move units and fly missions"
        if s.mover == RUSSIAN:
            what = "Move units by road or rail, use trains, fleet and aircraft"
        warnings = stacking.warnings(s)
        if warnings:
            return f"{what}. Beware: {'; '.join(warnings)}: what is too much will be removed at the end of movement."
        return f"{what}, then end movement."

    def why_not(self, s: LeningradState, action: Action) -> list[Citation]:
        if action.kind in ("to", "via", "halt"):
            barred = MARCH.why_not_item(s, action.args[0]) if action.kind != "to" else None
            return [barred or refuse("1.4", "first choose the unit: march ...")]
        return super().why_not(s, action)


# ---------------------------------------------------------------- 1.1 to 1.3: the sequence of play

# 1.2, 1.3: in order; positions know the phases by these names
PHASES = (
    Phase("german.reinforcement", GERMAN, "1.2", ((begin, GERMAN), (reinforcements.begin, GERMAN),
                                                  (reinforcements.withdrawal,))),
    Phase("german.movement", GERMAN, "1.4", ((Operations,), (stacking.enforce,))),
    Phase("german.allocation", GERMAN, "1.4", ((combat.Allocate,),)),
    Phase("german.combat", GERMAN, "1.6", ((ask, results.RussianOrder), (results.recovery,),
                                           (results.next_battle,))),
    Phase("german.blitzkrieg", GERMAN, "1.7", ((blitzkrieg,), (Operations,), (stacking.enforce,))),
    Phase("german.blitzkrieg.allocation", GERMAN, "1.7", ((blitzkrieg,), (combat.Allocate,))),
    Phase("german.blitzkrieg.combat", GERMAN, "1.7", ((blitzkrieg,), (ask, results.RussianOrder),
                                                      (results.next_battle,))),
    Phase("german.entrenchment", GERMAN, "1.13", ((blitzkrieg_over,), (ask, terrain.Entrench))),
    Phase("german.supply", GERMAN, "1.14", ((blitzkrieg_over,), (ask, air.Airlift),
                                            (supply.supply_status, GERMAN))),
    Phase("russian.reinforcement", RUSSIAN, "1.3", ((begin, RUSSIAN), (reinforcements.begin, RUSSIAN))),
    Phase("russian.movement", RUSSIAN, "1.4", ((Operations,), (stacking.enforce,))),
    Phase("russian.allocation", RUSSIAN, "1.4", ((combat.Allocate,),)),
    Phase("russian.combat", RUSSIAN, "1.6", ((results.recovery,), (results.next_battle,))),
    Phase("russian.entrenchment", RUSSIAN, "1.13", ((ask, terrain.Entrench),)),
    Phase("russian.supply", RUSSIAN, "1.15", ((supply.supply_status, RUSSIAN),)),
    Phase("russian.victory", RUSSIAN, "1.16", ((victory.victory,),)),
)  # fmt: skip
SETUP = (
    Phase("russian.setup", RUSSIAN, "15.1", ((setup.set_up, RUSSIAN), (ask, terrain.Entrench))),
    Phase("german.setup", GERMAN, "15.5", ((setup.set_up, GERMAN), (turn, 1))),
)
