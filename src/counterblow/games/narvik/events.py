"""Chapter 7: events and the German relief column."""

from __future__ import annotations

from counterblow.games.narvik.components import ALLIED, BR, FR, GERMAN, NW, PL, EventRow
from counterblow.games.narvik.options import relief_reaches_narvik
from counterblow.games.narvik.stacking import Group
from counterblow.games.narvik.state import NarvikState, flow
from counterblow.kernel.flow import ask
from counterblow.kernel.losses import Losses
from counterblow.kernel.pick import Pick
from counterblow.kernel.rulebook import Citation, refuse_if


@flow.step
def roll_event(s: NarvikState) -> None:
    """7.0.a: one die on the own table: points, column, special effect, then the draw of the same event."""
    die, side = s.roll(), s.mover
    row: EventRow = s.game.tables.events[side][die - 1]
    s.log("event", f"{{who}} rolls event {{n}}: {row.name}", row.rule, who=side, n=die)
    if not row.needs or s.occupies(side, s.game.board.place(row.needs).nodes[0]):  # 7.3.c
        gain(s, side, row.ap, row.rule)
    gain(s, 1 - side, row.enemy_ap, row.rule)  # 7.2.e
    if row.relief:
        advance_column(s)
    s.push(draw_reinforcements, row.draw, row.halved)
    if row.effect == "two_formations":  # 7.2.a: a second formation may come, if the turn has scheduled ones
        s.two_formations = True
    elif row.effect == "swedish":
        swedish_reluctance(s)
    elif row.effect == "rally":  # 7.2.d, ruling D67: nobody to place, only the point
        s.push(ask, Rally)
    elif row.effect == "transfer":
        german_threat(s)


def gain(s: NarvikState, side: int, points: int, rule: str) -> None:
    """6.1.i, 6.2.a: points of an event are added to those determined, as far as the track goes."""
    before = s.ap[side]
    s.gain(side, points)
    change = s.ap[side] - before
    if points:
        word = "loses" if points < 0 else "gains"
        amount = f"{abs(change)} action point{'s' * (abs(change) != 1)}"
        short = "" if change == points else f" of {abs(points)} (the track ends)"
        s.log("points", f"{{who}} {word} {amount}{short}: {{n}} now", "6.1.i", rule, who=side, n=s.ap[side])


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


@flow.step
def draw_reinforcements(s: NarvikState, dice: int, halved: bool) -> None:
    """7.1.a, 8.1.a, 8.2.1.a: as many counters as the dice show, blindly, as far as the pool goes (ruling D9)."""
    if not dice:
        s.log("draw", "no random reinforcements", "7.1.g")
        return
    number = sum([s.roll() for _ in range(dice)])
    if halved:
        number = (number + 1) // 2  # 7.3.d, ruling D5
    ground, side = s.game.ground, s.mover
    pool = sorted(s.here.get(ground.pool[side], ()))
    drawn = [s.draw(pool) for _ in range(min(number, len(pool)))]
    for unit in drawn:
        s.put(unit, ground.arrivals[side])
    rule = "8.1.a" if side == GERMAN else "8.2.1.a"
    counters = f"{{n}} counter{'s' * (len(drawn) != 1)}"
    s.tell(side, "draw", f"{{who}} draws {counters}: {{units}}", f"{{who}} draws {counters}", rule,
           who=side, n=len(drawn), units=tuple(drawn))  # fmt: skip


# ------------------------------------------------------------------ Allied events with an effect


def swedish_reluctance(s: NarvikState) -> None:
    """7.2.c: units already in Swedish Transit go back to the pool; those just drawn are safe (ruling D10)."""
    ground = s.game.ground
    for unit in sorted(s.here.get(ground.transit, ())):
        s.put(unit, ground.pool[GERMAN])
        s.tell(GERMAN, "returned", "{unit} goes back to the German pool", "", "7.2.c", "20.1.b", unit=unit)


@flow.choice
class Rally(Pick[NarvikState]):
    kind = "rally"

    def candidates(self, s: NarvikState) -> Group:
        return s.game.roster.of_sub[NW]

    def why_not_item(self, s: NarvikState, unit: int) -> Citation | None:
        fit = s.at[unit] in (s.game.ground.regroup[ALLIED], s.game.ground.eliminated[ALLIED])
        return (
            refuse_if(s.game.roster.sub[unit] != NW, "7.2.d", "only Norwegian units rally")
            or refuse_if(not fit, "7.2.d", "the unit is in neither the regroup nor the eliminated display")
        )  # fmt: skip

    def take(self, s: NarvikState, unit: int) -> None:
        s.put(unit, s.game.ground.bardufoss)
        s.tell(ALLIED, "rally", "{unit} rallies in Bardufoss", "a Norwegian unit rallies", "7.2.d", unit=unit)


def german_threat(s: NarvikState) -> None:
    """7.2.f: once per game, when the column is in Bodo or beyond; 7.1.c: one die plus one."""
    if s.transferred or s.relief < s.game.tables.threat_from:
        s.log("transfer", "no troop transfer", "7.2.f")
        return
    s.transferred = True
    due = s.roll() + 1
    s.log("transfer", "{n} Allied units must be transferred", "7.1.c", n=due)
    units = tuple([u for sub in (BR, FR, PL) for u in s.game.roster.of_sub[sub]])
    s.push(ask, Transfer, units, due)


@flow.choice
class Transfer(Losses[NarvikState]):
    """7.1.d, 7.1.e: if too few units are left the rest is ignored."""

    kind = "transfer"

    def why_not_item(self, s: NarvikState, unit: int, units: Group, left: int) -> Citation | None:
        ground = s.game.ground
        away = not 0 <= s.at[unit] < ground.hexes and s.at[unit] not in ground.staging[ALLIED]
        return (
            refuse_if(unit == s.game.roster.auchinleck, "18.2.d", "Auchinleck is never transferred")
            or refuse_if(unit not in units, "7.1.d", "only British, French and Polish units are transferred")
            or refuse_if(away, "7.1.h", "only units on the map or in a staging area are transferred")
        )

    def lose(self, s: NarvikState, unit: int, units: Group, left: int) -> None:
        s.put(unit, s.game.ground.transfer)
        s.tell(ALLIED, "transfer", "{unit} leaves for the south", "an Allied unit leaves for the south", "7.1.c",
               unit=unit)  # fmt: skip
