"""Chapter 4: command - drawing chits, waking HQs, and the units they command."""

from __future__ import annotations

from itertools import compress

from counterblow.games.narva import headquarters
from counterblow.games.narva.components import GERMAN, HQ, SOVIET
from counterblow.games.narva.movement import REGULAR
from counterblow.games.narva.state import MAY_ATTACK, MAY_MOVE, SIDE_WORDS, NarvaChoice, NarvaState, flow, named
from counterblow.kernel import chance
from counterblow.kernel.actions import Action
from counterblow.kernel.rulebook import Citation, refuse
from counterblow.kernel.state import NOWHERE

# ---------------------------------------------------------------------- 4.1.1: drawing chits


@flow.step("command.phase")
def command_phase(s: NarvaState) -> None:
    """On turn 1 a 2nd Shock chit opens the game as if just drawn (14.3a)."""
    s.push("command.draw")
    opening = s.game.chit_number["2SH"]
    if s.turn == 1 and s.cup[opening]:
        take(s, opening)
        s.push("command.chit", opening)


def limit(s: NarvaState, side: int) -> int:
    """2.3d: activations of a side this turn."""
    number: int = s.game.calendar[s.turn][("german", "soviet")[side]]
    return number


def take(s: NarvaState, chit: int) -> None:
    s.cup[chit] -= 1
    s.drawn[chit] += 1


@flow.step("command.draw")
def draw(s: NarvaState) -> None:
    """2.5d: until both sides have had all their activations; an empty cup ends the phase too (ruling 2)."""
    if all(s.used[side] >= limit(s, side) for side in (GERMAN, SOVIET)) or not any(s.cup):
        return
    s.push("command.draw")
    number = next_chit(s)
    chit = s.game.chits[number]
    take(s, number)
    s.log("reveal", "Chit drawn: {word}", "4.1.1a", word=chit.title)
    if not chit.command:
        s.push("action." + chit.action, number)
    elif chit.side is not None and s.used[chit.side] >= limit(s, chit.side):
        s.log("chit", "{word} have no activation left", "4.1.1b", word=f"The {SIDE_WORDS[chit.side]}s")
    else:
        s.push("command.chit", number)


def next_chit(s: NarvaState) -> int:
    """4.1.1a: at random; chits alike are one kind with a number of copies."""
    if s.draws:
        number, s.draws = s.draws[0], s.draws[1:]
        return number
    s.rng, place = chance.below(s.rng, sum(s.cup))
    for number, copies in enumerate(s.cup):
        place -= copies
        if place < 0:
            return number
    raise AssertionError("the cup is empty")


@flow.step("command.chit")
def play_chit(s: NarvaState, number: int) -> None:
    """4.1.1c: the owner is active. The first 2nd Shock chit of a turn also wakes the 260th MS (8.0.6f)."""
    chit = s.game.chits[number]
    side = chit.side
    assert side is not None
    used = list(s.used)
    used[side] += 1
    s.used = (used[0], used[1])
    stand_down(s)
    if chit.name == "2SH" and not s.naval:
        s.naval = 1
        brigade = s.game.naval_brigade
        if s.at[brigade] != NOWHERE:
            s.role[brigade] = MAY_MOVE | MAY_ATTACK
    s.push("command.file", number)
    s.push("command.wake", number)


def stand_down(s: NarvaState) -> None:
    """4.2.6b: nobody is activated any more."""
    s.role[:] = bytes(len(s.role))


@flow.step("command.file")
def file_chit(s: NarvaState, number: int) -> None:
    """4.2.1b; a waiting 2nd Shock Out of Supply chit takes a used 2nd Shock chit out of the game (2.5.6b, 2.5.6c)."""
    stand_down(s)
    chit = s.game.chits[number]
    if chit.name != "2SH" or not s.waiting:
        return
    s.waiting = 0
    s.drawn[number] -= 1
    s.removed[number] += 1
    s.parked = (*s.parked, (s.game.chit_number["OOS"], s.turn + 1))
    s.log("chit", "A 2nd Shock Army chit leaves the game", "2.5.6b")


# ---------------------------------------------------------------------- 4.1.1d-f, 4.1.2: which HQ


def wake_refusal(s: NarvaState, hq: int) -> list[Citation]:
    """4.1.2a, 4.2.3c: not twice running; Strachwitz once per turn."""
    if s.at[hq] == NOWHERE:
        return [refuse("4.1.1c", "it is not on the map")]
    if s.last[s.game.side_of[hq]] == hq:
        return [refuse("4.1.2a", "it was the last HQ of its side to be activated")]
    if hq == s.game.strachwitz and s.strachwitz:
        return [refuse("4.2.3c", "Strachwitz has been activated this turn")]
    return []


def commanded_by(s: NarvaState, number: int) -> tuple[int, ...]:
    """The HQs that a chit may wake, where they stand (4.1.1d, 4.1.1e)."""
    chit = s.game.chits[number]
    if chit.army < 0:
        return chit.hqs
    if s.at[chit.army] == NOWHERE:
        return ()
    centre, radius = s.at[chit.army], s.game.units[chit.army].range
    at, distance = s.at, s.game.distance
    return tuple([hq for hq in s.game.corps_hqs if at[hq] != NOWHERE and distance(centre, at[hq]) <= radius])


@flow.choice
class Wake(NarvaChoice):
    """4.1.1: the HQ that the chit wakes; 4.1.3: or the relocation of an Army HQ."""

    name = "command.wake"
    rules = ("4.1.1d", "4.1.1e", "4.1.3")

    def side(self, s: NarvaState, number: int) -> int:
        side = s.game.chits[number].side
        assert side is not None
        return side

    def prompt(self, s: NarvaState, number: int) -> str:
        or_move = ", relocate the Army HQ" if s.game.chits[number].army >= 0 else ""
        return f"{s.game.chits[number].title}: choose the HQ to activate{or_move}, or pass."

    def legal(self, s: NarvaState, number: int) -> list[Action]:
        act = s.game.act
        found = [act["wake"][hq] for hq in commanded_by(s, number) if not wake_refusal(s, hq)]
        army = s.game.chits[number].army
        if army >= 0 and s.at[army] != NOWHERE:
            found.append(act["relocate"][army])
        return [*found, act["pass"][()]]

    def do(self, s: NarvaState, action: Action, number: int) -> None:
        s.pop()
        side = self.side_of(s, number)
        if action.kind == "wake":
            hq = named(action)
            wake(s, side, hq, s.game.chits[number].name == "AGN")
            return
        remember(s, side, -1)
        s.queue(("movement.segment", side, REGULAR), ("combat.segment", side))  # the 260th MS may be awake
        if action.kind == "relocate":
            s.push("command.relocate", action.args[0])
        else:
            s.log("chit", "{word} pass", "4.1.1c", word=f"The {SIDE_WORDS[side]}s")

    @staticmethod
    def side_of(s: NarvaState, number: int) -> int:
        side = s.game.chits[number].side
        assert side is not None
        return side

    def why_not(self, s: NarvaState, action: Action, number: int) -> list[Citation]:
        hq = named(action)
        chit = s.game.chits[number]
        if action.kind == "relocate":
            return [refuse("4.1.3", "only the Army HQ of the chit may be moved")]
        if action.kind != "wake":
            return []
        if s.game.side_of[hq] != chit.side or s.game.kinds[hq] != HQ or s.game.units[hq].headquarters == "army":
            return [refuse("2.3a" if chit.side == SOVIET else "2.3b", "the chit does not wake that unit")]
        if hq not in commanded_by(s, number):
            if chit.side == SOVIET:
                return [refuse("4.1.1d", "it lies outside the Army HQ's command radius")]
            rule = "4.1.1f" if not s.game.units[hq].command else "2.4.1a" if chit.name == "WER" else "4.1.1e"
            return [refuse(rule, f"the {chit.title} chit does not command it")]
        return wake_refusal(s, hq)


def remember(s: NarvaState, side: int, hq: int) -> None:
    """4.1.2: the side's last activation; -1 if it woke no HQ (ruling 4)."""
    last = list(s.last)
    last[side] = hq
    s.last = (last[0], last[1])


# ---------------------------------------------------------------------- 4.2: the units commanded


def wake(s: NarvaState, side: int, hq: int, army_group: bool) -> None:
    """4.2.1a: the HQ, its formation in range, and so many others; then movement and combat."""
    game = s.game
    remember(s, side, hq)
    s.log("chit", "{unit} is activated", "4.2.1a", unit=hq)
    rouse_formation(s, side, hq, MAY_MOVE | MAY_ATTACK)
    s.queue(("movement.segment", side, REGULAR), ("combat.segment", side))
    others = game.numbers["extra_units_per_hq"]
    if hq == game.strachwitz:
        s.strachwitz = 1
        others = game.numbers["extra_units_strachwitz"]  # 4.2.3a
        s.push("barrage.next", side, 1, ())  # 4.2.3b: before any of its units move
    s.push("command.others", side, hq, others, MAY_MOVE | MAY_ATTACK)
    if army_group:
        s.push("command.army_group", side, game.numbers["extra_units_army_group"])


def rouse_formation(s: NarvaState, side: int, hq: int, role: int) -> None:
    """Units of the formation within range (4.2.4b, 4.2.6a), and the HQ itself for movement (6.0a)."""
    s.role[hq] = MAY_MOVE
    near = s.game.within(s.at[hq], s.game.units[hq].range)  # 4.2.4a: counted in hexes, when the HQ is woken
    for unit in s.game.members[hq]:
        if s.at[unit] in near and not s.pin[unit]:
            s.role[unit] |= role


def outsiders(s: NarvaState, side: int, hq: int, purpose: int) -> list[int]:
    """4.2.1a: combat units in range that are not activated yet (ruling 6); for Free Move none in an EZOC (2.5.4c)."""
    role, pin, at = s.role, s.pin, s.at
    near = s.game.within(at[hq], s.game.units[hq].range)
    found = [u for u in s.game.fighting[side] if at[u] in near and not role[u] and not pin[u]]
    return found if purpose & MAY_ATTACK else [u for u in found if not s.in_ezoc(at[u], side)]


@flow.step("command.others")
def others(s: NarvaState, side: int, hq: int, left: int, role: int) -> None:
    found = other_actions(s, side, hq, role) if left else []
    if len(found) > 1:
        s.offer(found, "command.other", side, hq, left, role)


def other_actions(s: NarvaState, side: int, hq: int, role: int) -> list[Action]:
    add = s.game.add_actions
    return [add[unit] for unit in outsiders(s, side, hq, role)] + [s.game.no_more_action]


@flow.choice
class ChooseOthers(NarvaChoice):
    """4.2.1a: up to three units (Strachwitz: four) that are not of the formation."""

    name = "command.other"
    rules = ("4.2.1a", "4.2.3a")

    def side(self, s: NarvaState, side: int, hq: int, left: int, role: int) -> int:
        return side

    def prompt(self, s: NarvaState, side: int, hq: int, left: int, role: int) -> str:
        return f"{s.game.unit_names[hq]} may command {left} more units in range: name one, or go on."

    def legal(self, s: NarvaState, side: int, hq: int, left: int, role: int) -> list[Action]:
        return other_actions(s, side, hq, role)

    def do(self, s: NarvaState, action: Action, side: int, hq: int, left: int, role: int) -> None:
        s.pop()
        if action.kind == "no_more":
            return
        unit = named(action)
        s.role[unit] = role
        s.push("command.others", side, hq, left - 1, role)

    def why_not(self, s: NarvaState, action: Action, side: int, hq: int, left: int, role: int) -> list[Citation]:
        unit = named(action)
        return outsider_refusal(s, side, unit, role) if action.kind == "add" else []


def outsider_refusal(s: NarvaState, side: int, unit: int, purpose: int) -> list[Citation]:
    if s.game.side_of[unit] != side or s.game.kinds[unit] == HQ or s.at[unit] == NOWHERE:
        return [refuse("4.2.1a", "only your combat units on the map can be commanded")]
    if s.pin[unit]:
        return [refuse("2.5.1i", "it is pinned")]
    if s.role[unit]:
        return [refuse("4.2.1a", "it is activated already")]
    if not purpose & MAY_ATTACK and s.in_ezoc(s.at[unit], side):
        return [refuse("2.5.4c", "it starts in an enemy zone of control")]
    return [refuse("4.2.4a", "it is out of the HQ's range"), refuse("4.2.6a", "it is out of command")]


# ---------------------------------------------------------------------- 2.4.2: the Army Group's two units


def reserves(s: NarvaState, side: int) -> list[int]:
    """2.4.2b: combat units anywhere on the map that are not activated."""
    role, pin, at = s.role, s.pin, s.at
    return [u for u in s.game.fighting[side] if at[u] >= 0 and not role[u] and not pin[u]]


@flow.step("command.army_group")
def army_group(s: NarvaState, side: int, left: int) -> None:
    found = reserve_actions(s, side) if left else []
    if len(found) > 1:
        s.offer(found, "command.reserve", side, left)


def reserve_actions(s: NarvaState, side: int) -> list[Action]:
    add = s.game.add_actions
    return [add[unit] for unit in reserves(s, side)] + [s.game.no_more_action]


@flow.choice
class ChooseReserves(NarvaChoice):
    """2.4.2b, 2.4.2c: two more units anywhere, to move only."""

    name = "command.reserve"
    rules = ("2.4.2b", "2.4.2c")

    def side(self, s: NarvaState, side: int, left: int) -> int:
        return side

    def prompt(self, s: NarvaState, side: int, left: int) -> str:
        return f"The Army Group may move {left} more units anywhere: name one, or go on."

    def legal(self, s: NarvaState, side: int, left: int) -> list[Action]:
        return reserve_actions(s, side)

    def do(self, s: NarvaState, action: Action, side: int, left: int) -> None:
        s.pop()
        if action.kind == "no_more":
            return
        unit = named(action)
        s.role[unit] = MAY_MOVE
        s.push("command.army_group", side, left - 1)

    def why_not(self, s: NarvaState, action: Action, side: int, left: int) -> list[Citation]:
        return [refuse("2.4.2b", "only combat units that the HQ does not activate")] if action.kind == "add" else []


# ---------------------------------------------------------------------- 4.1.3: an Army HQ moves


@flow.choice
class Relocate(NarvaChoice):
    """4.1.3: anywhere on the map, apart from the other Army HQs (4.2.5a)."""

    name = "command.relocate"
    rules = ("4.1.3", "4.2.5a")

    def side(self, s: NarvaState, hq: int) -> int:
        return s.game.side_of[hq]

    def prompt(self, s: NarvaState, hq: int) -> str:
        return f"Place {s.game.unit_names[hq]} anywhere on the map."

    def legal(self, s: NarvaState, hq: int) -> list[Action]:
        return list(compress(s.game.place_actions, headquarters.seats(s, hq)))

    def do(self, s: NarvaState, action: Action, hq: int) -> None:
        s.pop()
        node = named(action)
        s.put(hq, node)
        s.log("move", "{unit} relocates to {hex}", "4.1.3", unit=hq, hex=node)

    def why_not(self, s: NarvaState, action: Action, hq: int) -> list[Citation]:
        node = named(action)
        return headquarters.seat_refusal(s, hq, node) if action.kind == "place" else []
