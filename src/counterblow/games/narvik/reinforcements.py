"""Chapter 8: reinforcements."""

from __future__ import annotations

from fractions import Fraction

from counterblow.games.narvik.combat import enemy_flak
from counterblow.games.narvik.components import ALLIED, GERMAN, Formation
from counterblow.games.narvik.options import EnterSouth, Purchase
from counterblow.games.narvik.stacking import why_not_room, with_room
from counterblow.games.narvik.state import NarvikState, flow
from counterblow.kernel.flow import Step, ask, begin_phase
from counterblow.kernel.forecast import Forecast, Modifier, tally
from counterblow.kernel.journey import NamedDestination
from counterblow.kernel.pick import Pick
from counterblow.kernel.rulebook import Citation, refuse, refuse_if


@flow.step
def reinforcement_segment(s: NarvikState) -> None:
    """5.1.d: the initiative player determines and deploys first. 22.3: purchases come before (ruling D38)."""
    s.queue((begin_phase, s.stage, ALLIED), (ask, Purchase), (begin_phase, s.stage, s.first), (deploy,),
            (begin_phase, s.stage, 1 - s.first), (deploy,))  # fmt: skip


@flow.step
def deploy(s: NarvikState) -> None:
    """8.0.b: put every drawn counter where its rule says; it costs nothing (8.0.a)."""
    ground, roster, side = s.game.ground, s.game.roster, s.mover
    harbour, first_rule, rule = ((ground.transit, "8.1.b", "8.1.c"), (ground.harstad, "8.2.1.b", "8.2.1.b"))[side]
    steps: list[Step] = []
    if side == ALLIED and s.turn in s.game.tables.scheduled:  # 8.2.2.a
        if s.at[roster.auchinleck] == ground.scheduled:  # 18.2.a, ruling D7
            steps.append((Station,))
        steps.append((ask, ChooseFormation, False))
    dropping = []
    for unit in sorted(s.here.get(ground.arrivals[side], ())):
        if unit in roster.strikes:
            _deploy(s, unit, ground.strikes[side], first_rule)
        elif roster.airborne[unit]:  # 20.1.c: airborne units never use Swedish Transit
            dropping.append(unit)
        elif roster.code[unit] == "OPT-B":  # 22.2.c
            steps.append((ask, EnterSouth, unit))
        elif unit == roster.auchinleck:
            steps.append((Station,))
        else:
            _deploy(s, unit, harbour, rule)
    steps += [(ask, Landing, unit) for unit in dropping]
    steps += [(roll_landing, unit) for unit in dropping]  # 8.1.1.d: all are placed before the first die
    s.queue(*steps)


def _deploy(s: NarvikState, unit: int, node: int, rule: str) -> None:
    s.put(unit, node)
    s.tell(s.mover, "deploy", "{unit} arrives in {place}", "", rule, unit=unit, place=node)


# ------------------------------------------------------------------ 8.1 German reinforcements


@flow.choice
class Landing(NamedDestination[NarvikState]):
    """8.1.1: where an airborne unit jumps."""

    kind, returns = "land", False

    def why_not_unit(self, s: NarvikState, other: int, unit: int) -> Citation:
        waits = other in s.here.get(s.at[unit], ())
        return (
            refuse_if(s.game.side_of[other] != GERMAN, "1.2.a", "the unit belongs to the enemy")
            or refuse_if(waits, "8.1.1.a", f"first {s.game.unit_names[unit]} lands")
            or refuse("8.1.1.a", "it is not one of the airborne units that land now")
        )

    def nodes(self, s: NarvikState, unit: int) -> list[int]:
        """8.1.1.b, 8.1.1.c: open terrain without enemies, up to the stacking limit; enemy zones do not matter."""
        enemy = s.held[ALLIED]
        return with_room(s, (unit,), [n for n in s.game.ground.landing if not enemy[n]])

    def why_not_node(self, s: NarvikState, node: int, unit: int) -> Citation | None:
        closed = node not in s.game.ground.landing
        return (
            refuse_if(s.held[ALLIED][node], "8.1.1.b", "an enemy unit is there")
            or refuse_if(closed, "8.1.1.b", "units land only in clear, frozen lake, objective or village hexes")
            or why_not_room(s, (unit,), node, by="8.1.1.c")
        )

    def arrive(self, s: NarvikState, node: int, unit: int) -> None:
        s.put(unit, node)  # it takes control only if it lands (4.4.a)
        s.tell(GERMAN, "drop", "{unit} jumps over {place}", "German paratroops jump over {place}", "8.1.1.a",
               unit=unit, place=node)  # fmt: skip

    def outlook(self, s: NarvikState, item: tuple[int, int], unit: int) -> Forecast:
        """8.1.1.e; hidden flak is left out of the count (21.0.a)."""
        known = any(s.sees(GERMAN, u) for u in enemy_flak(s, GERMAN, item[1]))
        modifiers = (Modifier(s.game.tables.landing_flak, "next to anti-aircraft units", "8.1.1.f"),) if known else ()
        outcomes = tally((landing_result(s, die, known), Fraction(1, 6)) for die in range(1, 7))
        notes = ("flak that you cannot see may add 1 to the die (21.0.a)",) if s.options["fog"] else ()
        return Forecast("Airborne landing", (), modifiers, outcomes, notes)


def landing_result(s: NarvikState, die: int, flak: bool) -> str:
    """8.1.1.i: flak counts once, however many there are; zones of control change nothing."""
    table = s.game.tables.landing
    return table[min(die + (s.game.tables.landing_flak if flak else 0), len(table)) - 1]


@flow.step
def roll_landing(s: NarvikState, unit: int) -> None:
    """8.1.1.e, 8.1.1.h: one die for each unit, applied at once; who lands may act this turn (8.1.1.g)."""
    node = s.at[unit]
    ground = s.game.ground
    if node == ground.arrivals[GERMAN]:  # no hex could take it
        s.put(unit, ground.regroup[GERMAN])
        return
    flak = enemy_flak(s, GERMAN, node)  # 8.1.1.f: next to the hex; in it there is no Allied unit
    s.reveal(flak)  # 21.0.f
    die = s.roll()
    result = landing_result(s, die, bool(flak))
    rules = ("8.1.1.e", "8.1.1.f") if flak else ("8.1.1.e",)
    outcome = f"die {{n}}{' + 1 for anti-aircraft fire' if flak else ''}, {result}"
    s.tell(GERMAN, "landing", f"{{unit}} in {{place}}: {outcome}", f"landing in {{place}}: {outcome}", *rules,
           unit=unit, place=node, n=die)  # fmt: skip
    if result == "lands":
        s.take_control(GERMAN, node)
    else:
        s.put(unit, ground.regroup[GERMAN] if result == "regroup" else ground.eliminated[GERMAN])


# ------------------------------------------------------------------ 8.2 Allied reinforcements


@flow.choice
class Station(Pick[NarvikState]):
    """18.2.a: Auchinleck goes to either Allied staging area."""

    kind, otherwise = "station", refuse("18.2.a", "only an Allied staging area will do")

    def items(self, s: NarvikState) -> tuple[int, ...]:
        return s.game.ground.staging[ALLIED]

    def take(self, s: NarvikState, node: int) -> None:
        _deploy(s, s.game.roster.auchinleck, node, "18.2.a")


@flow.choice
class ChooseFormation(Pick[NarvikState]):
    """8.2.2: which scheduled formation arrives. With Operation R4 a second one may (7.2.a)."""

    kind, passing = "formation", "formation_none"

    def prompt(self, s: NarvikState, second: bool) -> str:
        return "Choose a second formation, or none." if second else "Choose the formation that arrives this turn."

    def items(self, s: NarvikState, second: bool) -> list[int]:
        """8.2.2.c: formations whose units are still in the scheduled display."""
        roster = s.game.roster
        waiting = {roster.units[u].formation for u in s.here.get(s.game.ground.scheduled, ())}
        return [number for number, formation in enumerate(roster.formations) if formation.id in waiting]

    def why_not_item(self, s: NarvikState, number: int, second: bool) -> Citation | None:
        waiting = s.game.act.name("formations", tuple(self.items(s, second)))
        return refuse("8.2.2.c", f"this formation has already arrived; {waiting} can still be called")

    def why_not_pass(self, s: NarvikState, second: bool) -> Citation | None:
        return refuse_if(not second, "8.2.2.a", "one formation must be chosen")

    def take(self, s: NarvikState, number: int, second: bool) -> None:
        formation: Formation = s.game.roster.formations[number]
        area = s.game.board.node(formation.area)
        for unit in s.game.roster.of_sub[formation.sub]:
            if s.at[unit] == s.game.ground.scheduled and s.game.roster.units[unit].formation == formation.id:
                s.put(unit, area)
        s.tell(ALLIED, "formation", f"{formation.id} arrives in {{place}}", "an Allied formation arrives", "8.2.2.b",
               place=area)  # fmt: skip
        if s.two_formations and not second:
            s.push(ask, ChooseFormation, True)
