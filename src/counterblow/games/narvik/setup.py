"""Chapter 3: setting up the game."""

from __future__ import annotations

from counterblow.games.narvik.components import ALLIED, GERMAN, NATIONS, NW
from counterblow.games.narvik.sequence import SET_UP, game_turn
from counterblow.games.narvik.stacking import why_not_room, with_room
from counterblow.games.narvik.state import NarvikState, flow
from counterblow.games.narvik.victory import warning
from counterblow.kernel.actions import Action
from counterblow.kernel.flow import ask, begin_phase
from counterblow.kernel.journey import Destination
from counterblow.kernel.pick import Deed, Menu, Pick
from counterblow.kernel.rulebook import Citation, refuse, refuse_if
from counterblow.kernel.state import NOWHERE

STANDARD, FREE = "standard", "free"
START_RULE = ("3.1.a", "3.2.a")  # by side: where its units start


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
    for unit, code in enumerate(roster.code):  # strikes are reinforcements too
        if code == "R":
            s.put(unit, ground.pool[roster.side[unit]])
        elif code == "S":
            s.put(unit, ground.scheduled)


def standard_setup(s: NarvikState, side: int) -> None:
    """Our own deployment, legal under 3.1, 3.2 and 9.0 (data/setup.toml); units listed first stand on top."""
    roster, board = s.game.roster, s.game.board
    for label, names in s.game.tables.setup["standard"]["at"].items():
        for name in reversed(names):
            unit = roster.number[name]
            if roster.side[unit] == side and s.at[unit] == NOWHERE:
                s.put(unit, board.node(label))


def to_place(s: NarvikState, side: int) -> list[int]:
    """Units that must be set up: those without a code (3.1.a, 3.2.a, 3.2.b), and those that are owed for OPT-A units.

    22.1.b: the Allies add an optional unit for each of these in play.
    """
    coded, codes = s.game.roster.coded, [""]
    if side == ALLIED and s.options["second_wave"]:
        used = [u for u in coded(GERMAN, "OPT-A") + coded(ALLIED, "OPT") if s.at[u] != NOWHERE]
        balance = sum(1 if s.game.side_of[u] == GERMAN else -1 for u in used)
        codes += ["OPT"] if balance > 0 else []
    return [u for u in coded(side, *codes) if s.at[u] == NOWHERE]


class Counter(Pick[NarvikState]):
    """Choose a unit to set up; units placed first stand lowest."""

    kind = "set_up"

    def items(self, s: NarvikState) -> list[int]:
        """22.1.a: OPT-A units Germany may add."""
        extra = s.game.roster.coded(GERMAN, "OPT-A") if s.mover == GERMAN and s.options["second_wave"] else []
        return to_place(s, s.mover) + [u for u in extra if s.at[u] == NOWHERE]

    def why_not_item(self, s: NarvikState, unit: int) -> Citation:
        roster, pooled = s.game.roster, ("3.1.c", "3.2.d")[s.mover]
        unused = "the unit belongs to an optional rule that does not bring it in now"
        return (
            refuse_if(roster.side[unit] != s.mover, "3.0.b", "the other side's units are not set up now")
            or refuse_if(s.at[unit] == NOWHERE, "3.0.c", unused)
            or refuse_if(unit not in roster.ground, pooled, "strikes start in the random pool")
            or refuse_if(roster.code[unit] in ("R", "S"), "2.3.b", "the unit comes as a reinforcement")
            or refuse("2.1.a", "the unit is already set up")
        )

    def take(self, s: NarvikState, unit: int) -> None:
        s.queue((SetUpHex, unit), (ask, SetUp))


COUNTER = Counter()


class Standard(Deed[NarvikState]):
    """Our own deployment; it leaves no room for optional units that stand there already (3.2.f)."""

    kind = "standard"

    def why_not_now(self, s: NarvikState) -> Citation | None:
        placed = any(s.at[u] != NOWHERE for u in s.game.roster.coded(s.mover, "", "OPT", "OPT-A"))
        return refuse_if(placed, "3.2.f", "the standard set-up has no room for units that are already set up")

    def perform(self, s: NarvikState) -> None:
        standard_setup(s, s.mover)
        s.push(ask, SetUp)


@flow.choice
class SetUp(Menu[NarvikState]):
    """3.0.b: a side sets up its units; optional ones it may leave out (22.1.a)."""

    parts, passing = (COUNTER, Standard()), "finish"

    def prompt(self, s: NarvikState) -> str:
        left = len(to_place(s, s.mover))
        return f"Choose a unit to set up ({left} to go)." if left else "Set up optional units, or finish."

    def why_not_pass(self, s: NarvikState) -> Citation | None:
        return refuse_if(to_place(s, s.mover), START_RULE[s.mover], "units without a code are still to be set up")

    def why_not(self, s: NarvikState, action: Action) -> list[Citation]:
        if action.kind == "put":
            return [refuse(START_RULE[s.mover], "first choose the unit to set up")]
        return super().why_not(s, action)


def start_rule(s: NarvikState, unit: int) -> str:
    """The rule that says where a unit starts."""
    if s.game.roster.side[unit] == GERMAN:
        return "3.1.a"
    return "3.2.b" if s.game.roster.sub[unit] == NW else "3.2.a"


@flow.choice
class SetUpHex(Destination[NarvikState]):
    """3.1, 3.2: where a unit starts."""

    kind = "put"

    def prompt(self, s: NarvikState, unit: int) -> str:
        last = len(to_place(s, s.mover)) == 1
        return f"Choose where {s.game.unit_names[unit]} starts.{warning(s, s.mover) if last else ''}"

    def items(self, s: NarvikState, unit: int) -> list[int]:
        return with_room(s, (unit,), [*s.game.start_zone[unit]])

    def why_not_item(self, s: NarvikState, node: int, unit: int) -> Citation | None:
        outside = node not in s.game.start_zone[unit]
        return why_not_start(s, node, unit) if outside else why_not_room(s, (unit,), node, by="3.2.f")

    def why_not(self, s: NarvikState, action: Action, unit: int) -> list[Citation]:
        if action.kind == "set_up" and action.args[0] not in COUNTER.items(s):
            return [COUNTER.why_not_item(s, action.args[0])]
        if action.kind in ("set_up", "standard", "finish"):
            name = s.game.unit_names[unit]
            return [refuse(start_rule(s, unit), f"first {name} is put in its hex, or taken back")]
        return super().why_not(s, action, unit)

    def take(self, s: NarvikState, node: int, unit: int) -> None:
        s.put(unit, node)
        s.tell(s.mover, "setup", "{unit} starts in {place}", "", START_RULE[s.mover], unit=unit, place=node)


def why_not_start(s: NarvikState, node: int, unit: int) -> Citation:
    """Why a unit may not start at a node outside its zone."""
    board, roster, zone = s.game.board, s.game.roster, s.game.tables.setup["zones"]["german"]
    if roster.side[unit] == ALLIED:
        return refuse(start_rule(s, unit), f"{NATIONS[roster.sub[unit]]} units do not start there")
    radius, shut = zone["radius"], "12.3.g" if board.terrain[node] == "sweden" else "12.3.e"
    off = node >= board.hexes
    far = 0 if off else board.distance(board.node(zone["centre"]), node)
    return (
        refuse_if(off, "3.1.a", "German units start on the map")
        or refuse_if(far > radius, "3.1.a", f"German units start within {radius} hexes of Bjornfjell: it is {far} away")
        or refuse_if(not s.game.ground.land[node], shut, "no ground unit can stand there")
        or refuse("3.1.b", "the railway gun starts in a railroad hex")
    )


@flow.step
def initial_control(s: NarvikState) -> None:
    """4.4.c: Germany controls what it occupies, the Allies the rest."""
    s.control = s.occupied[GERMAN]
