"""Chapter 3: setting up the game."""

from __future__ import annotations

from counterblow.games.narvik.components import ALLIED, BR, GERMAN, NATIONS, NW
from counterblow.games.narvik.sequence import SET_UP, game_turn
from counterblow.games.narvik.stacking import why_not_room, with_room
from counterblow.games.narvik.state import NarvikState, flow
from counterblow.games.narvik.victory import warning
from counterblow.kernel.actions import Action
from counterblow.kernel.flow import ask, begin_phase
from counterblow.kernel.journey import Destination
from counterblow.kernel.pick import Deed, Menu, Pick
from counterblow.kernel.rulebook import Citation, refuse
from counterblow.kernel.state import NOWHERE

STANDARD, FREE = "standard", "free"


def begin(s: NarvikState) -> None:
    """3.0.a: April III. Fill the displays; then both sides set up, unless the standard set-up is played."""
    s.turn = 1
    fill_displays(s)
    if s.scenario == STANDARD:
        for side in (GERMAN, ALLIED):
            standard_setup(s, side)
    s.queue((initial_control,), (game_turn,))
    for side in (ALLIED, GERMAN):  # 3.0.b: the German side sets up completely before the Allied side
        s.queue((begin_phase, SET_UP, side), (ask, SetUp))


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
    return int(used) - int(sum(s.at[u] != NOWHERE for u in roster.coded(ALLIED, "OPT")))


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


class Counter(Pick[NarvikState]):
    """Choose a unit to set up; units placed first stand lowest."""

    kind = "set_up"

    def candidates(self, s: NarvikState) -> list[int]:
        return to_place(s, s.mover) + may_place(s, s.mover)

    def items(self, s: NarvikState) -> list[int]:
        return self.candidates(s)

    def why_not_item(self, s: NarvikState, unit: int) -> Citation:
        roster = s.game.roster
        if roster.side[unit] != s.mover:
            return refuse("3.0.b", "the other side's units are not set up now")
        if s.at[unit] == NOWHERE:
            return refuse("3.0.c", "the unit belongs to an optional rule that does not bring it in now")
        if unit not in roster.ground:
            return refuse("3.1.c" if s.mover == GERMAN else "3.2.d", "strikes start in the random pool")
        if roster.code[unit] in ("R", "S"):
            return refuse("2.3.b", "the unit comes as a reinforcement")
        return refuse("2.1.a", "the unit is already set up")

    def take(self, s: NarvikState, unit: int) -> None:
        s.queue((SetUpHex, unit), (ask, SetUp))


COUNTER = Counter()


class Standard(Deed[NarvikState]):
    """Our own deployment; it leaves no room for optional units that stand there already (3.2.f)."""

    kind = "standard"

    def why_not_now(self, s: NarvikState) -> Citation | None:
        if all(s.at[u] == NOWHERE for u in s.game.roster.coded(s.mover, "", "OPT", "OPT-A")):
            return None
        return refuse("3.2.f", "the standard set-up has no room for units that are already set up")

    def perform(self, s: NarvikState) -> None:
        standard_setup(s, s.mover)
        s.push(ask, SetUp)


@flow.choice
class SetUp(Menu[NarvikState]):
    """3.0.b: a side sets up its units; optional ones it may leave out (22.1.a)."""

    rules = ("3.1.a", "3.2.a", "3.2.b", "3.0.b")
    parts, passing = (COUNTER, Standard()), "finish"

    def prompt(self, s: NarvikState) -> str:
        left = len(to_place(s, s.mover))
        return f"Choose a unit to set up ({left} to go)." if left else "Set up optional units, or finish."

    def why_not_pass(self, s: NarvikState) -> Citation | None:
        if not to_place(s, s.mover):
            return None
        return refuse("3.1.a" if s.mover == GERMAN else "3.2.a", "units without a code are still to be set up")

    def why_not(self, s: NarvikState, action: Action) -> list[Citation]:
        if action.kind == "put":
            return [refuse("3.1.a" if s.mover == GERMAN else "3.2.a", "first choose the unit to set up")]
        return super().why_not(s, action)


def start_rule(s: NarvikState, unit: int) -> str:
    """The rule that says where a unit starts."""
    if s.game.roster.side[unit] == GERMAN:
        return "3.1.a"
    return "3.2.b" if s.game.roster.sub[unit] == NW else "3.2.a"


@flow.choice
class SetUpHex(Destination[NarvikState]):
    """3.1, 3.2: where a unit starts."""

    rules = ("3.1.a", "3.2.a", "3.2.b")
    kind = "put"

    def prompt(self, s: NarvikState, unit: int) -> str:
        last = len(to_place(s, s.mover)) == 1
        return f"Choose where {s.game.unit_names[unit]} starts.{warning(s, s.mover) if last else ''}"

    def items(self, s: NarvikState, unit: int) -> list[int]:
        return with_room(s, (unit,), [*s.game.start_zone[unit]])

    def why_not_item(self, s: NarvikState, node: int, unit: int) -> Citation | None:
        ground, roster = s.game.ground, s.game.roster
        if roster.side[unit] == GERMAN:
            zones = s.game.tables.setup["zones"]
            centre = s.game.board.node(zones["german_centre"])
            if node >= ground.hexes or s.game.board.distance(centre, node) > zones["german_radius"]:
                return refuse("3.1.a", f"German units start within {zones['german_radius']} hexes of Bjornfjell")
            if not ground.land[node]:
                closed = s.game.board.terrain[node] == "sweden"
                return refuse("12.3.g" if closed else "12.3.e", "no ground unit can stand there")
            if roster.gun[unit] and node not in ground.railway:
                return refuse("3.1.b", "the railway gun starts in a railroad hex")
        elif node not in s.game.allied_zones[roster.sub[unit]]:
            return refuse(start_rule(s, unit), f"{NATIONS[roster.sub[unit]]} units do not start there")
        full = why_not_room(s, (unit,), node)
        return refuse("3.2.f", full.text) if full else None

    def why_not(self, s: NarvikState, action: Action, unit: int) -> list[Citation]:
        if action.kind == "set_up" and action.args[0] not in COUNTER.items(s):
            return [COUNTER.why_not_item(s, action.args[0])]
        if action.kind in ("set_up", "standard", "finish"):
            name = s.game.unit_names[unit]
            return [refuse(start_rule(s, unit), f"first {name} is put in its hex, or taken back")]
        return super().why_not(s, action, unit)

    def take(self, s: NarvikState, node: int, unit: int) -> None:
        s.put(unit, node)
        s.tell(s.mover, "setup", "{unit} starts in {place}", "", "3.1.a" if s.mover == GERMAN else "3.2.a",
               unit=unit, place=node)  # fmt: skip


@flow.step
def initial_control(s: NarvikState) -> None:
    """4.4.c: Germany controls what it occupies, the Allies the rest."""
    s.control = s.occupied[GERMAN]


def zone_of(sub: int) -> str:
    """Which set-up zone of data/setup.toml a nationality uses."""
    return {BR: "british", NW: "norwegian"}[sub]
