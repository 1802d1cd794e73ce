"""Chapter 8: reinforcements."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from counterblow.games.narvik.components import ALLIED, GERMAN, Formation
from counterblow.games.narvik.flow import NarvikChoice, arg, flow
from counterblow.games.narvik.options import south_edge
from counterblow.games.narvik.stacking import no_room, with_room
from counterblow.games.narvik.state import NarvikState
from counterblow.kernel.actions import Action
from counterblow.kernel.forecast import Forecast, Modifier, tally
from counterblow.kernel.rulebook import Citation, refuse

_SIXTH = Fraction(1, 6)


@flow.step("reinforce")
def reinforcement_segment(s: NarvikState) -> None:
    """5.1.d: the initiative player determines and deploys first. 22.3: purchases come before (ruling D38)."""
    s.queue(("purchase",), ("deploy", s.first), ("deploy", 1 - s.first), ("hide",))


@flow.step("hide")
def end_of_segment(s: NarvikState) -> None:
    """Ruling D58: flak revealed by a landing is hidden again."""
    s.shown = 0


@flow.step("deploy")
def deploy(s: NarvikState, side: int) -> None:
    """8.0.b: put every drawn counter where its rule says; it costs nothing (8.0.a)."""
    if side == GERMAN:
        _deploy_german(s)
    else:
        _deploy_allied(s)


# ------------------------------------------------------------------ 8.1 German reinforcements


def _deploy_german(s: NarvikState) -> None:
    ground, roster = s.game.ground, s.game.roster
    dropping, southern = [], []
    for unit in sorted(s.here.get(ground.arrivals[GERMAN], ())):
        if roster.air[unit]:
            _deploy(s, unit, ground.strikes[GERMAN], "8.1.b")
        elif roster.airborne[unit]:
            dropping.append(unit)
        elif roster.code[unit] == "OPT-B":
            southern.append(unit)
        else:
            _deploy(s, unit, ground.transit, "8.1.c")
    steps: list[tuple[Any, ...]] = [("south.next", GERMAN, u) for u in southern]
    steps += [("land.next", GERMAN, u) for u in dropping]
    steps += [("land.roll", u) for u in dropping]  # 8.1.1.d: all are placed before the first die
    s.queue(*steps)


def _deploy(s: NarvikState, unit: int, node: int, rule: str) -> None:
    side = s.game.side_of[unit]
    s.put(unit, node)
    s.tell(side, "deploy", "{unit} arrives: {hex}", "", rule, unit=unit, hex=node)


@flow.step("south.next")
def next_southern(s: NarvikState, side: int, unit: int) -> None:
    """22.2.b; a unit that finds no hex waits in the display."""
    if south_edge(s, unit):
        s.push("south", side, unit)


def landing_hexes(s: NarvikState, unit: int) -> list[int]:
    """8.1.1.b, 8.1.1.c: open terrain without enemies, up to the stacking limit; enemy zones do not matter."""
    enemy = s.held[ALLIED]
    return with_room(s, (unit,), [n for n in s.game.ground.landing if not enemy[n]])


@flow.step("land.next")
def next_landing(s: NarvikState, side: int, unit: int) -> None:
    if landing_hexes(s, unit):
        s.push("land", side, unit)


@flow.choice
class Landing(NarvikChoice):
    """8.1.1: where an airborne unit jumps."""

    name = "land"
    rules = ("8.1.1.a", "8.1.1.b")

    def prompt(self, s: NarvikState, *args: Any) -> str:
        return f"Choose the landing hex of {s.game.unit_names[args[1]]}; the dice come when all are placed."

    def legal(self, s: NarvikState, *args: Any) -> list[Action]:
        unit = args[1]
        act = s.game.act["land"]
        return [act[unit, node] for node in landing_hexes(s, unit)]

    def do(self, s: NarvikState, action: Action, *args: Any) -> None:
        s.pop()
        unit, node = arg(action), arg(action, 1)
        s.put(unit, node)  # it takes control only if it lands (4.4.a)
        s.tell(GERMAN, "drop", "{unit} jumps over {hex}", "German paratroops jump over {hex}", "8.1.1.a",
               unit=unit, hex=node)  # fmt: skip

    def why_not(self, s: NarvikState, action: Action, *args: Any) -> list[Citation]:
        if action.kind != "land":
            return []
        unit, node = arg(action), arg(action, 1)
        if unit != args[1]:
            return [refuse("8.1.1.a", f"{s.game.unit_names[args[1]]} lands now")]
        if s.held[ALLIED][node]:
            return [refuse("8.1.1.b", "an enemy unit is there")]
        if node not in s.game.ground.landing:
            return [refuse("8.1.1.b", "units land only in clear, frozen lake, objective or village hexes")]
        return [refuse("8.1.1.c", reason.text), reason] if (reason := no_room(s, (unit,), node)) else []

    def forecast(self, s: NarvikState, action: Action, *args: Any) -> Forecast | None:
        """8.1.1.e; hidden flak is left out of the count (21.0.a)."""
        node = arg(action, 1)
        known = tuple(u for u in adjacent_flak(s, node) if s.sees(GERMAN, u))
        modifiers = landing_modifiers(s, known)
        outcomes = tally((landing_result(s, die, modifiers), _SIXTH) for die in range(1, 7))
        notes = ("flak that you cannot see may add 1 to the die (21.0.a)",) if s.options["fog"] else ()
        return Forecast("Airborne landing", (), modifiers, outcomes, notes)


def adjacent_flak(s: NarvikState, node: int) -> tuple[int, ...]:
    """8.1.1.f: Allied anti-aircraft units next to a hex."""
    roster = s.game.roster
    return tuple(
        u for near in s.game.ground.around[node] for u in s.here.get(near, ())
        if roster.flak[u] and roster.side[u] == ALLIED
    )  # fmt: skip


def landing_modifiers(s: NarvikState, flak: tuple[int, ...]) -> tuple[Modifier, ...]:
    """8.1.1.i: once, however many there are; zones of control change nothing."""
    return (Modifier(s.game.tables.landing_flak, "next to anti-aircraft units", "8.1.1.f"),) if flak else ()


def landing_result(s: NarvikState, die: int, modifiers: tuple[Modifier, ...]) -> str:
    table = s.game.tables.landing
    face = die + sum(int(m.amount) for m in modifiers)
    result: str = table[min(face, len(table)) - 1]
    return result


@flow.step("land.roll")
def roll_landing(s: NarvikState, unit: int) -> None:
    """8.1.1.e, 8.1.1.h: one die for each unit, applied at once."""
    node = s.at[unit]
    ground = s.game.ground
    if node == ground.arrivals[GERMAN]:  # no hex could take it
        s.put(unit, ground.regroup[GERMAN])
        return
    flak = adjacent_flak(s, node)
    s.reveal(flak)  # 21.0.f
    die = s.roll()
    result = landing_result(s, die, landing_modifiers(s, flak))
    if result == "lands":
        s.take_control(GERMAN, node)
    else:
        s.put(unit, ground.regroup[GERMAN] if result == "regroup" else ground.eliminated[GERMAN])
    rules = ("8.1.1.e", "8.1.1.f") if flak else ("8.1.1.e",)
    s.tell(GERMAN, "landing", f"{{unit}} in {{hex}}: die {{n}}, {result}", f"landing in {{hex}}: die {{n}}, {result}",
           *rules, unit=unit, hex=node, n=die)  # fmt: skip


# ------------------------------------------------------------------ 8.2 Allied reinforcements


def _deploy_allied(s: NarvikState) -> None:
    ground, roster = s.game.ground, s.game.roster
    steps: list[tuple[Any, ...]] = []
    if s.turn in s.game.tables.scheduled:  # 8.2.2.a
        if s.at[roster.auchinleck] == ground.scheduled:  # 18.2.a, ruling D7
            steps.append(("station", ALLIED))
        steps.append(("formation.next", ALLIED, 2 if s.two_formations else 1, False))
    for unit in sorted(s.here.get(ground.arrivals[ALLIED], ())):
        if unit == roster.auchinleck:
            steps.append(("station", ALLIED))
        elif unit in roster.strikes:
            _deploy(s, unit, ground.strikes[ALLIED], "8.2.1.b")
        else:
            _deploy(s, unit, ground.harstad, "8.2.1.b")
    s.queue(*steps)


@flow.choice
class Station(NarvikChoice):
    """18.2.a: Auchinleck goes to either Allied staging area."""

    name = "station"
    rules = ("18.2.a",)

    def prompt(self, s: NarvikState, *args: Any) -> str:
        return "Choose the staging area of Auchinleck."

    def legal(self, s: NarvikState, *args: Any) -> list[Action]:
        act = s.game.act["station"]
        return [act[node] for node in s.game.ground.staging[ALLIED]]

    def do(self, s: NarvikState, action: Action, *args: Any) -> None:
        s.pop()
        _deploy(s, s.game.roster.auchinleck, arg(action), "18.2.a")

    def why_not(self, s: NarvikState, action: Action, *args: Any) -> list[Citation]:
        return [refuse("18.2.a", "only an Allied staging area will do")] if action.kind == "station" else []


def waiting_formations(s: NarvikState) -> list[int]:
    """8.2.2.c: formations whose units are still in the scheduled display."""
    ground, roster = s.game.ground, s.game.roster
    waiting = {roster.units[u].formation for u in s.here.get(ground.scheduled, ())}
    return [number for number, formation in enumerate(roster.formations) if formation.id in waiting]


@flow.step("formation.next")
def next_formation(s: NarvikState, side: int, number: int, optional: bool) -> None:
    if number and waiting_formations(s):
        s.push("formation", side, number, optional)


@flow.choice
class ChooseFormation(NarvikChoice):
    """8.2.2: which scheduled formation arrives. With Operation R4 a second one may (7.2.a)."""

    name = "formation"
    rules = ("8.2.2.a", "8.2.2.c")

    def prompt(self, s: NarvikState, *args: Any) -> str:
        return "Choose a second formation, or none." if args[2] else "Choose the formation that arrives this turn."

    def legal(self, s: NarvikState, *args: Any) -> list[Action]:
        act = s.game.act["formation"]
        found = [act[number] for number in waiting_formations(s)]
        return [*found, s.game.act["formation_none"][()]] if args[2] else found

    def do(self, s: NarvikState, action: Action, *args: Any) -> None:
        s.pop()
        if action[0] == "formation_none":
            return
        formation: Formation = s.game.roster.formations[arg(action)]
        area = s.game.board.node(formation.area)
        for unit in s.game.roster.of_sub[formation.sub]:
            if s.at[unit] == s.game.ground.scheduled and s.game.roster.units[unit].formation == formation.id:
                s.put(unit, area)
        s.tell(ALLIED, "formation", f"{formation.id} arrives in {{hex}}", "an Allied formation arrives", "8.2.2.b",
               hex=area)  # fmt: skip
        s.push("formation.next", ALLIED, args[1] - 1, True)

    def why_not(self, s: NarvikState, action: Action, *args: Any) -> list[Citation]:
        if action.kind == "formation":
            return [refuse("8.2.2.c", "this formation has already arrived")]
        if action.kind == "formation_none":
            return [refuse("8.2.2.a", "one formation must be chosen")]
        return []
