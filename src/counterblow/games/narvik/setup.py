"""Chapter 3: setting up the game."""

from __future__ import annotations

from typing import Any

from counterblow.games.narvik.components import ALLIED, BR, GERMAN, NATIONS, NW
from counterblow.games.narvik.flow import NarvikChoice, arg, flow
from counterblow.games.narvik.stacking import no_room, with_room
from counterblow.games.narvik.state import NarvikState
from counterblow.games.narvik.victory import warning
from counterblow.kernel.actions import Action
from counterblow.kernel.rulebook import Citation, refuse
from counterblow.kernel.state import NOWHERE

STANDARD, FREE = "standard", "free"


def begin(s: NarvikState) -> None:
    """3.0: fill the displays; then both sides set up, unless the standard set-up is played."""
    s.turn = 1
    fill_displays(s)
    if s.scenario == STANDARD:
        for side in (GERMAN, ALLIED):
            standard_setup(s, side)
    s.queue(("setup.next", GERMAN), ("setup.next", ALLIED), ("setup.end",), ("turn",))


def fill_displays(s: NarvikState) -> None:
    """3.1.c, 3.2.c, 3.2.d, ruling D8: pools and the scheduled display."""
    ground, roster = s.game.ground, s.game.roster
    for unit in roster.ground:
        if roster.code[unit] == "R":
            s.put(unit, ground.pool[roster.side[unit]])
        elif roster.code[unit] == "S":
            s.put(unit, ground.scheduled)
    for unit in roster.strikes:
        s.put(unit, ground.pool[roster.side[unit]])


def standard_setup(s: NarvikState, side: int) -> None:
    """Our own deployment, legal under 3.1, 3.2 and 9.0 (data/setup.toml); units listed first stand on top."""
    roster, board = s.game.roster, s.game.board
    for label, names in s.game.tables.setup["standard"]["at"].items():
        for name in reversed(names):
            unit = roster.number[name]
            if roster.side[unit] == side and s.at[unit] == NOWHERE:
                s.put(unit, board.node(label))


def owed(s: NarvikState, side: int) -> int:
    """22.1.b: optional units that the Allies still add, one for each OPT-A unit in play."""
    roster = s.game.roster
    if side == GERMAN or not s.options["second_wave"]:
        return 0
    used = sum(s.at[u] != NOWHERE for u in roster.coded(GERMAN, "OPT-A"))
    return used - sum(s.at[u] != NOWHERE for u in roster.coded(ALLIED, "OPT"))


def to_place(s: NarvikState, side: int) -> list[int]:
    """Units that must be set up: those without a code (3.1.a, 3.2.a, 3.2.b), and owed ones (22.1.b)."""
    roster = s.game.roster
    codes = ("", "OPT") if owed(s, side) > 0 else ("",)
    return [u for u in roster.coded(side, *codes) if s.at[u] == NOWHERE]


def may_place(s: NarvikState, side: int) -> list[int]:
    """22.1.a: OPT-A units that Germany may add."""
    if side == ALLIED or not s.options["second_wave"]:
        return []
    return [u for u in s.game.roster.coded(GERMAN, "OPT-A") if s.at[u] == NOWHERE]


def cannot_start(s: NarvikState, unit: int, node: int) -> Citation | None:
    """3.1, 3.2: why a unit cannot be set up at a node; None if it can."""
    ground, roster = s.game.ground, s.game.roster
    if roster.side[unit] == GERMAN:
        zones = s.game.tables.setup["zones"]
        centre = s.game.board.node(zones["german_centre"])
        if node >= ground.hexes or s.game.board.distance(centre, node) > zones["german_radius"]:
            return refuse("3.1.a", f"German units start within {zones['german_radius']} hexes of Bjornfjell")
        if not ground.lands[s.mobility(unit)][node]:
            return refuse("3.1.a", "no unit can stand there")
        if roster.gun[unit] and node not in ground.railway:
            return refuse("3.1.b", "the railway gun starts in a railroad hex")
    elif node not in s.game.allied_zones[roster.sub[unit]]:
        rule = "3.2.b" if roster.sub[unit] == NW else "3.2.a"
        return refuse(rule, f"{NATIONS[roster.sub[unit]]} units do not start there")
    reason = no_room(s, (unit,), node)
    return refuse("3.2.f", reason.text) if reason else None


def start_hexes(s: NarvikState, unit: int) -> list[int]:
    return with_room(s, (unit,), s.game.start_zone[unit])


@flow.step("setup.next")
def next_setup(s: NarvikState, side: int) -> None:
    """3.0.b: the German side sets up completely before the Allied side."""
    if to_place(s, side) or may_place(s, side):
        s.push("setup", side)


@flow.choice
class SetUp(NarvikChoice):
    """Choose a unit to set up; units placed first stand lowest."""

    name = "setup"
    rules = ("3.0.b", "3.1.a", "3.2.a", "3.2.b")

    def prompt(self, s: NarvikState, *args: Any) -> str:
        left = len(to_place(s, args[0]))
        return f"Choose a unit to set up ({left} to go)." if left else "Set up optional units, or finish."

    def legal(self, s: NarvikState, *args: Any) -> list[Action]:
        side = args[0]
        act = s.game.act
        due = to_place(s, side)
        found = [act["set_up"][u] for u in due + may_place(s, side)]
        if not due:
            found.append(act["finish"][()])
        elif _untouched(s, side):
            found.append(act["standard"][()])
        return found

    def do(self, s: NarvikState, action: Action, *args: Any) -> None:
        side = args[0]
        if action[0] == "finish":
            s.pop()
        elif action[0] == "standard":
            standard_setup(s, side)
            s.replace("setup.next", side)
        else:
            s.push("setup.place", side, arg(action))

    def why_not(self, s: NarvikState, action: Action, *args: Any) -> list[Citation]:
        if action.kind == "finish":
            return [refuse("3.1.a" if args[0] == GERMAN else "3.2.a", "units without a code are still to be set up")]
        if action.kind != "set_up":
            return []
        unit, roster = arg(action), s.game.roster
        if roster.side[unit] != args[0]:
            return [refuse("3.0.b", "the other side's units are not set up now")]
        if roster.code[unit].startswith("OPT"):
            return [refuse("3.0.c", "the unit belongs to an optional rule that does not bring it in now")]
        return [refuse("2.3.b", "the unit is no at-start unit, or is already set up")]


def _last(s: NarvikState, side: int) -> bool:
    return len(to_place(s, side)) == 1


def _untouched(s: NarvikState, side: int) -> bool:
    """The standard set-up leaves no room for optional units that stand there already (3.2.f)."""
    return all(s.at[u] == NOWHERE for u in s.game.roster.coded(side, "", "OPT", "OPT-A"))


@flow.choice
class SetUpHex(NarvikChoice):
    name = "setup.place"
    rules = ("3.1.a", "3.2.a", "3.2.b")

    def prompt(self, s: NarvikState, *args: Any) -> str:
        return f"Choose where {s.game.unit_names[args[1]]} starts.{warning(s, args[0]) if _last(s, args[0]) else ''}"

    def legal(self, s: NarvikState, *args: Any) -> list[Action]:
        act = s.game.act["put"]
        return [act[n] for n in start_hexes(s, args[1])]

    def do(self, s: NarvikState, action: Action, *args: Any) -> None:
        side, unit = args
        s.pop()
        s.put(unit, arg(action))
        s.tell(side, "setup", "{unit} starts in {hex}", "", "3.1.a" if side == GERMAN else "3.2.a",
               unit=unit, hex=arg(action))  # fmt: skip
        s.replace("setup.next", side)

    def why_not(self, s: NarvikState, action: Action, *args: Any) -> list[Citation]:
        if action.kind != "put":
            return []
        reason = cannot_start(s, args[1], arg(action))
        return [reason] if reason else []


@flow.step("setup.end")
def initial_control(s: NarvikState) -> None:
    """4.4.c: Germany controls what it occupies, the Allies the rest."""
    s.control = 0
    for node in range(s.game.ground.hexes):
        if s.occupies(GERMAN, node):
            s.control |= 1 << node


def zone_of(sub: int) -> str:
    """Which set-up zone of data/setup.toml a nationality uses."""
    return {BR: "british", NW: "norwegian"}[sub]
