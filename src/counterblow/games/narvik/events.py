"""Chapter 7: events and the German relief column."""

from __future__ import annotations

from typing import Any

from counterblow.games.narvik.components import ALLIED, BR, FR, GERMAN, NW, PL, EventRow
from counterblow.games.narvik.flow import NarvikChoice, arg, flow
from counterblow.games.narvik.options import relief_reaches_narvik
from counterblow.games.narvik.state import NarvikState
from counterblow.kernel.actions import Action
from counterblow.kernel.rulebook import Citation, refuse


@flow.step("event")
def roll_event(s: NarvikState, side: int) -> None:
    """7.0.a: one die on the own table: points, column, special effect, then the draw of the same event."""
    die = s.roll()
    row: EventRow = s.game.tables.events[side][die - 1]
    s.log("event", f"{{side}} event {{n}}: {row.name}", row.rule, side=side, n=die)
    if not row.needs or s.occupies(side, s.game.board.place(row.needs).nodes[0]):  # 7.3.c
        s.gain(side, row.ap)
    s.gain(1 - side, row.enemy_ap)  # 7.2.e
    if row.relief:
        advance_column(s)
    s.queue((f"event.{row.effect}",) if row.effect else ("event.none",), ("draw", side, row.draw, row.halved))


@flow.step("event.none")
def no_effect(s: NarvikState) -> None:
    """Points and draw are all that the event brings."""


def advance_column(s: NarvikState) -> None:
    """7.1.b, 7.3.g: one box towards Narvik, no further."""
    last = len(s.game.tables.relief_names) - 1
    if s.relief == last:
        s.log("relief", "the relief column is already in Narvik", "7.3.g")
        return
    s.relief += 1
    s.log("relief", f"the relief column reaches {s.game.tables.relief_names[s.relief]}", "7.1.b")
    if s.relief == last:
        relief_reaches_narvik(s)


@flow.step("draw")
def draw_reinforcements(s: NarvikState, side: int, dice: int, halved: bool) -> None:
    """7.1.a, 8.1.a, 8.2.1.a: as many counters as the dice show, blindly, as far as the pool goes."""
    if not dice:
        s.log("draw", "no random reinforcements", "7.1.g")
        return
    number = sum(s.roll() for _ in range(dice))
    if halved:
        number = (number + 1) // 2  # 7.3.d, ruling D5
    ground = s.game.ground
    pool = sorted(s.here.get(ground.pool[side], ()))
    drawn = [s.draw(pool) for _ in range(min(number, len(pool)))]
    for unit in drawn:
        s.put(unit, ground.arrivals[side])
    rule = "8.1.a" if side == GERMAN else "8.2.1.a"
    s.tell(side, "draw", "{side} draws {n}: {units}", "{side} draws {n} counters", rule,
           side=side, n=len(drawn), units=tuple(drawn))  # fmt: skip


# ------------------------------------------------------------------ Allied event 1


@flow.step("event.two_formations")
def operation_r4(s: NarvikState) -> None:
    """7.2.a: a second formation may come if this turn has scheduled reinforcements."""
    s.two_formations = True


# ------------------------------------------------------------------ Allied event 3


@flow.step("event.swedish")
def swedish_reluctance(s: NarvikState) -> None:
    """7.2.c: units already in Swedish Transit go back to the pool; those just drawn are safe (ruling D10)."""
    ground = s.game.ground
    for unit in sorted(s.here.get(ground.transit, ())):
        s.put(unit, ground.pool[GERMAN])
        s.tell(GERMAN, "returned", "{unit} goes back to the German pool", "", "7.2.c", "20.1.b", unit=unit)


# ------------------------------------------------------------------ Allied event 4


@flow.step("event.rally")
def norwegians_rally(s: NarvikState) -> None:
    """7.2.d, ruling D67: nobody to place, only the point."""
    if rally_candidates(s):
        s.push("rally", ALLIED)


def rally_candidates(s: NarvikState) -> list[int]:
    ground, at = s.game.ground, s.at
    boxes = (ground.regroup[ALLIED], ground.eliminated[ALLIED])
    return [u for u in s.game.roster.of_sub[NW] if at[u] in boxes]


@flow.choice
class Rally(NarvikChoice):
    name = "rally"
    rules = ("7.2.d",)

    def prompt(self, s: NarvikState, *args: Any) -> str:
        return "Choose a Norwegian unit to bring back to Bardufoss."

    def legal(self, s: NarvikState, *args: Any) -> list[Action]:
        act = s.game.act["rally"]
        return [act[u] for u in rally_candidates(s)]

    def do(self, s: NarvikState, action: Action, *args: Any) -> None:
        s.pop()
        unit = arg(action)
        s.put(unit, s.game.ground.bardufoss)
        s.tell(ALLIED, "rally", "{unit} rallies in Bardufoss", "a Norwegian unit rallies", "7.2.d", unit=unit)

    def why_not(self, s: NarvikState, action: Action, *args: Any) -> list[Citation]:
        if action.kind != "rally":
            return []
        if s.game.roster.sub[arg(action)] != NW:
            return [refuse("7.2.d", "only Norwegian units rally")]
        return [refuse("7.2.d", "the unit is in neither the regroup nor the eliminated display")]


# ------------------------------------------------------------------ Allied event 6


@flow.step("event.transfer")
def german_threat(s: NarvikState) -> None:
    """7.2.f: once per game, when the column is in Bodo or beyond; 7.1.c: one die plus one."""
    if s.transferred or s.relief < s.game.tables.threat_from:
        s.log("transfer", "no troop transfer", "7.2.f")
        return
    s.transferred = True
    due = s.roll() + 1
    s.log("transfer", "{n} Allied units must be transferred", "7.1.c", n=due)
    s.push("transfer.next", due)


@flow.step("transfer.next")
def next_transfer(s: NarvikState, due: int) -> None:
    """7.1.e: if too few units are left the rest is ignored."""
    if due and transfer_candidates(s):
        s.push("transfer", ALLIED, due)


def transfer_candidates(s: NarvikState) -> list[int]:
    """7.1.d, 7.1.h, 18.2.d: British, French or Polish ground units on the map or in a staging area."""
    ground, roster, at = s.game.ground, s.game.roster, s.at
    return [
        u for sub in (BR, FR, PL) for u in roster.of_sub[sub]
        if u != roster.auchinleck and (0 <= at[u] < ground.hexes or at[u] in ground.staging[ALLIED])
    ]  # fmt: skip


@flow.choice
class Transfer(NarvikChoice):
    name = "transfer"
    rules = ("7.1.d",)

    def prompt(self, s: NarvikState, *args: Any) -> str:
        return f"Choose a British, French or Polish unit for the troop transfer ({args[1]} to go)."

    def legal(self, s: NarvikState, *args: Any) -> list[Action]:
        act = s.game.act["transfer"]
        return [act[u] for u in transfer_candidates(s)]

    def do(self, s: NarvikState, action: Action, *args: Any) -> None:
        s.pop()
        unit = arg(action)
        s.put(unit, s.game.ground.transfer)
        s.tell(ALLIED, "transfer", "{unit} leaves for the south", "an Allied unit leaves for the south", "7.1.c",
               unit=unit)  # fmt: skip
        s.push("transfer.next", args[1] - 1)

    def why_not(self, s: NarvikState, action: Action, *args: Any) -> list[Citation]:
        if action.kind != "transfer":
            return []
        unit = arg(action)
        if unit == s.game.roster.auchinleck:
            return [refuse("18.2.d", "Auchinleck is never transferred")]
        if s.game.roster.sub[unit] not in (BR, FR, PL):
            return [refuse("7.1.d", "only British, French and Polish units are transferred")]
        return [refuse("7.1.h", "only units on the map or in a staging area are transferred")]
